//! A limb that remembers its last frame and follows its goal at a bounded speed.
//!
//! A limb's pose is a function of its goal and of the swivel angle, and that function jumps where
//! the geometry makes it: an arc of allowed swivel angles closes while another is open elsewhere
//! on the circle, a goal comes free behind an obstacle, a hand passes its own shoulder, a wrist
//! comes to the end of its range. On a screen, and for a motor, a jump is wrong whatever the
//! reason. A follower keeps the joints of the last frame and bounds how far they turn in a time
//! step.
//!
//! # What comes first
//! Where limits, smoothness and the goal exclude each other: limits first, then the bound per
//! second, then the goal. The end leaves its path while the limb goes over to another pose, each
//! joint within its limit, and the report says [`Underway`](Cause::Underway) and how much is
//! left to turn. Only with [`give`](LimbFollowerOptions::give) above zero may the base go beyond its
//! limit, by no more than that, so that the end stays in its place: the report then says
//! [`Strained`](Cause::Strained) and by how much.
//!
//! # The bound
//! A joint may turn by [`joint_speed`](LimbFollowerOptions::joint_speed) and by what the goal's own
//! move accounts for. That is seen from the base: by how much the line to the goal turned, by how
//! much the bend for its distance changed, by how much the wanted orientation turned. Joints turn
//! by about as much when the swivel angle is carried along; full extension, where the bend goes
//! like the root of the distance, is therefore no jump. A fast goal is followed fast, unless
//! [`top_speed`](LimbFollowerOptions::top_speed) says otherwise.
//!
//! All bounds are per second: the same motion at another frame rate gives the same limb.
//!
//! # Degenerate cases
//! A time step that is zero, negative or not a number counts as a microsecond, one above a
//! second as a second. The first frame, and the first after [`forget`](LimbFollower::forget), may
//! be anywhere. Where a limit has an inward corner round which no step leads, the joint stays.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::limb::{Limb, LimbGoal, LimbReport, Swivel};
use crate::goal::{GoalId, Target};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Outcome, Status};
use crate::skeleton::{JointId, Skeleton};

/// How fast a limb may follow its goal.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct LimbFollowerOptions {
    /// How fast elbow or knee swivel by themselves towards the preferred angle, in radians a
    /// second.
    pub swivel_speed: Real,
    /// How fast a joint may turn beyond what the move of its goal accounts for, in radians a
    /// second: where limits push it, and where another pose becomes the best one.
    pub joint_speed: Real,
    /// How fast a joint may turn at all, in radians a second; `None` lets it follow any goal.
    pub top_speed: Option<Real>,
    /// How far the base may go beyond its limit rather than let the goal go, in radians. Zero
    /// holds every limit.
    pub give: Real,
}

crate::report::show_fields!(LimbFollowerOptions);

impl Default for LimbFollowerOptions {
    /// What looks right for an arm that reaches: an elbow comes round in a second, a jump by half
    /// a turn takes half a second, and nothing turns faster than three times a second.
    fn default() -> Self {
        Self { swivel_speed: 3.6, joint_speed: 6.0, top_speed: Some(18.0), give: 0.0 }
    }
}

impl LimbFollowerOptions {
    /// Whether every number is one that makes sense.
    pub(crate) fn is_valid(&self) -> bool {
        let speed = |s: Real| s.is_finite() && s > 0.0;
        let fast = self.top_speed.is_none_or(speed);
        speed(self.swivel_speed)
            && speed(self.joint_speed)
            && fast
            && self.give >= 0.0
            && self.give.is_finite()
    }
}

/// From this part of [`joint_speed`](LimbFollowerOptions::joint_speed) on a jump is none that
/// should be taken where a limit may give instead.
const GENTLY: Real = 0.4;
/// By how much, in radians, an end of a range must be nearer than the other to be gone to.
const CLEARLY: Real = 0.5;
/// Angles that are tried on the way to another, and to either side of one.
const ON_THE_WAY: i32 = 12;
const BESIDE: i32 = 5;
const HALVINGS: u32 = 6;
/// Misses that differ by no more than this part are the same.
const SAME_MISS: Real = 1.0e-2;
/// Swivel angles no further apart than this, in radians, are the same.
const SAME_SWIVEL: Real = 1.0e-3;

/// A goal, and the base's rest frame from which it was seen.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Followed {
    goal: LimbGoal,
    frame: Transform,
}

/// A limb that follows its goal at a bounded speed; see the [module](self). Built once, then
/// used every frame: solving cannot fail, allocate or panic.
///
/// ```
/// use sinew::analytic::{Limb, LimbFollower, LimbFollowerOptions, Swivel};
/// use sinew::rigs::{SwingModel, humanoid};
/// use sinew::skeleton::humanoid::{HumanoidMap, Side};
/// use sinew::{Cause, ModelPose, Pose, Target, Vec3};
///
/// let skeleton = humanoid(SwingModel::Ellipse);
/// let arm = Limb::arm(&skeleton, &HumanoidMap::find(&skeleton), Side::Left)?;
/// let shoulder = arm.joints().upper;
/// let mut arm = LimbFollower::new(arm, LimbFollowerOptions::default());
/// let mut pose = Pose::rest(&skeleton);
/// let model = ModelPose::new(&skeleton, &pose);
/// let at = model.position(shoulder);
/// let dt = 1.0 / 60.0;
/// let (ahead, up) = (Vec3::new(0.1, -0.2, 0.3), Vec3::new(0.2, 0.35, 0.1));
/// arm.solve(&skeleton, &model, &Target::Position(at + ahead), Swivel::default(), dt, &mut pose);
/// // The goal jumps; the arm does not.
/// let goal = Target::Position(at + up);
/// let report = arm.solve(&skeleton, &model, &goal, Swivel::default(), dt, &mut pose);
/// assert!(matches!(report.outcome.cause, Some(Cause::Underway { turn, .. }) if turn > 0.0));
/// let arrived = (0..60)
///     .map(|_| arm.solve(&skeleton, &model, &goal, Swivel::default(), dt, &mut pose))
///     .position(|report| report.reached());
/// assert!(arrived.is_some_and(|frames| frames > 3));
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LimbFollower {
    /// Copies for a crowd share what was measured.
    limb: Arc<Limb>,
    options: LimbFollowerOptions,
    joints: Arc<[JointId]>,
    /// The joints of the last frame.
    last: Vec<Quat>,
    /// Where they were going, without a bound, if that is elsewhere. The next frame is solved from there: solved from
    /// a pose on the way, the limb could turn back to where it came from, and go to and fro for ever.
    wanted: Vec<Quat>,
    goes_elsewhere: bool,
    /// What came of solving for that pose, where the limb did so itself.
    found: Option<LimbReport>,
    /// The swivel angle that is preferred, if one is.
    preferred: Option<Real>,
    /// What was asked in the last frame; `None` if there was none.
    before: Option<Followed>,
    /// Whether it is on its way to another pose that meets the goal.
    goes_over: bool,
    /// Whether the base is beyond its limit.
    strained: bool,
    /// Whether the end joint is turned by the goals. Without an orientation it is the caller's.
    turns_end: bool,
}

impl LimbFollower {
    /// For a limb that has not moved yet. Speeds that are not positive or not finite hold the
    /// limb still once it has been put somewhere.
    pub fn new(limb: Limb, options: LimbFollowerOptions) -> Self {
        let joints: Arc<[JointId]> = limb.written().collect();
        let last = alloc::vec![Quat::IDENTITY; joints.len()];
        let wanted = last.clone();
        Self {
            limb: Arc::new(limb),
            options,
            joints,
            last,
            wanted,
            goes_elsewhere: false,
            found: None,
            preferred: None,
            before: None,
            goes_over: false,
            strained: false,
            turns_end: false,
        }
    }

    /// The limb that follows.
    pub fn limb(&self) -> &Limb {
        &self.limb
    }

    /// Reads what it remembers ahead of its use, see [`lines`](crate::math::lines).
    #[inline]
    pub(crate) fn read(&self) -> Real {
        lines::read(&self.last, |q| q.x)
            + self.before.map_or(0.0, |before| before.goal.position.x + before.frame.translation.x)
            + self.found.map_or(0.0, |found| found.swivel)
    }

    /// How fast it may.
    pub fn options(&self) -> &LimbFollowerOptions {
        &self.options
    }

    /// Begins anew: the next pose may be anywhere.
    pub fn forget(&mut self) {
        self.before = None;
        self.goes_over = false;
        self.strained = false;
    }

    /// Whether there was a frame before.
    pub fn is_following(&self) -> bool {
        self.before.is_some()
    }

    /// Goes on from the last frame for `dt` seconds, whatever the pose given has in the limb's
    /// joints; only the end joint is taken as it is where the target asks for no orientation.
    /// `model` must hold where the base's parent stands; below the base it may be stale, and is so
    /// afterwards. The report is measured on the pose that is returned.
    ///
    /// A preferred swivel angle is come to at the speed of the options; a pole is followed at
    /// once, within the bound of the joints.
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        swivel: Swivel,
        dt: Real,
        pose: &mut Pose,
    ) -> LimbReport {
        if skeleton.fingerprint() != self.limb.fingerprint()
            || pose.len() != skeleton.len()
            || model.positions().len() != skeleton.len()
            || !target.is_valid()
        {
            // The limb says what is wrong, and leaves the pose alone.
            return self.limb.solve(skeleton, model, target, swivel, pose);
        }
        let may_give = !matches!(swivel, Swivel::Pole(_));
        let oriented = !matches!(target, Target::Position(_));
        let swivel = self.start(oriented, swivel, dt, pose);
        let frame = self.limb.base_frame(model, pose);
        let goal = self.limb.goal_of(&frame, target, pose);
        let goes_on = self.is_following();
        let found = self.limb.solve_from(skeleton, model, &goal.target(), swivel, goes_on, pose);
        self.settle(skeleton, model, &goal, found, may_give, dt, pose)
    }

    /// Puts the limb where it was going in the last frame, if there was one, and says which swivel
    /// angle to solve for.
    #[inline]
    pub(crate) fn start(&mut self, oriented: bool, swivel: Swivel, dt: Real, pose: &mut Pose) -> Swivel {
        self.preferred = match swivel {
            Swivel::Preferred(angle) => Some(angle),
            _ => None,
        };
        if !self.is_following() {
            return swivel;
        }
        self.put(self.going(), oriented, pose);
        let within = self.options.swivel_speed * time_step(dt);
        match swivel {
            Swivel::Preferred(angle) if within < PI => Swivel::Towards { angle, within },
            _ => swivel,
        }
    }

    /// Where the joints were going in the last frame.
    #[inline]
    fn going(&self) -> &[Quat] {
        if self.goes_elsewhere { &self.wanted } else { &self.last }
    }

    /// Puts the limb where it was in the last frame, if there was one; the end joint only if an
    /// orientation is asked of it.
    #[inline]
    pub(crate) fn recall(&self, oriented: bool, pose: &mut Pose) {
        if self.is_following() {
            self.put(&self.last, oriented, pose);
        }
    }

    #[inline]
    fn put(&self, rotations: &[Quat], oriented: bool, pose: &mut Pose) {
        let end = self.limb.joints().end;
        for (&joint, &q) in self.joints.iter().zip(rotations) {
            if oriented || joint != end {
                pose.set_rotation(joint, q);
            }
        }
    }

    /// Makes of the pose that was found one that the bound allows, measures it, and remembers it
    /// for the next frame.
    #[inline]
    #[allow(clippy::too_many_arguments)] // the bodies call it between their own steps
    pub(crate) fn settle(
        &mut self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        found: LimbReport,
        may_give: bool,
        dt: Real,
        pose: &mut Pose,
    ) -> LimbReport {
        let now = Followed { goal: *goal, frame: self.limb.base_frame(model, pose) };
        let end = self.limb.joints().end;
        let (oriented, asked_end) = (goal.orientation.is_some(), pose.rotation(end));
        self.turns_end |= oriented;
        let stays = self.found.filter(|last| self.before == Some(now) && !self.is_better(&found, last));
        if stays.is_some() {
            self.put(self.going(), oriented, pose);
        }
        let found = stays.unwrap_or(found);
        let mut report = found;
        let lets_go = self.lets_go(&found);
        let step = self.options.joint_speed * time_step(dt);
        let gently = if self.options.give > 0.0 { GENTLY * step } else { step };
        if let Some(before) = self.before
            && (lets_go || self.turns_further(gently, pose))
            && !matches!(found.outcome.cause, Some(Cause::NotFinite { .. } | Cause::Mismatch))
        {
            match stays {
                Some(_) => self.keep_going(),
                None => self.aim_at(pose),
            }
            report = self.bounded(skeleton, model, (&before, &now), found, may_give, dt, pose);
            self.goes_elsewhere = !self.strained;
        } else {
            (self.strained, self.goes_elsewhere) = (false, false);
        }
        self.found = (!self.strained).then_some(found);
        self.goes_over = matches!(report.outcome.cause, Some(Cause::Underway { .. }));
        // An end joint that is on its way back is the caller's once it has arrived.
        self.turns_end = oriented || pose.rotation(end) != asked_end;
        self.keep(&now, pose);
        report
    }

    /// By how much the pose that was found is too far from the last frame: the turn of the joint
    /// that turns the most, and how much of that is allowed. `None` if it is not.
    #[cfg(feature = "collision")]
    pub(crate) fn excess(
        &mut self,
        model: &ModelPose,
        goal: &LimbGoal,
        dt: Real,
        pose: &Pose,
    ) -> Option<(Real, Real)> {
        let before = self.before?;
        self.turns_end |= goal.orientation.is_some();
        let turn = self.turn(pose);
        let mut allowed = self.options.joint_speed * time_step(dt);
        if turn > allowed {
            let now = Followed { goal: *goal, frame: self.limb.base_frame(model, pose) };
            allowed = self.bound(now.turned_from(&before, &self.limb), dt);
        }
        self.turns_end &= turn > allowed || goal.orientation.is_some();
        (turn > allowed).then_some((turn, allowed))
    }

    /// Remembers a pose that somebody else has bounded.
    pub(crate) fn keep_pose(&mut self, model: &ModelPose, goal: &LimbGoal, report: &LimbReport, pose: &Pose) {
        let frame = self.limb.base_frame(model, pose);
        self.goes_over = matches!(report.outcome.cause, Some(Cause::Underway { .. }));
        self.found = None;
        if self.goes_over {
            self.keep_going();
        } else {
            self.goes_elsewhere = false;
        }
        self.keep(&Followed { goal: *goal, frame }, pose);
    }

    /// Lets the goal go: the limb goes from the last frame to where the pose given has it, at
    /// [`joint_speed`](LimbFollowerOptions::joint_speed). Whether it has arrived; then the last
    /// frame is forgotten.
    pub fn release(&mut self, skeleton: &Skeleton, model: &ModelPose, dt: Real, pose: &mut Pose) -> bool {
        (self.turns_end, self.goes_over) = (true, false);
        let (turn, step) = (self.turn(pose), self.options.joint_speed * time_step(dt));
        if !self.is_following() || turn <= step || skeleton.fingerprint() != self.limb.fingerprint() {
            self.forget();
            return true;
        }
        self.aim_at(pose);
        self.advance(skeleton, step / turn, pose);
        (self.found, self.goes_elsewhere) = (None, false);
        let frame = self.limb.base_frame(model, pose);
        let goal = LimbGoal { position: self.limb.end_of(&frame, pose).translation, orientation: None };
        self.keep(&Followed { goal, frame }, pose);
        false
    }

    #[inline]
    fn keep(&mut self, now: &Followed, pose: &Pose) {
        for (&joint, q) in self.joints.iter().zip(&mut self.last) {
            *q = pose.rotation(joint);
        }
        self.before = Some(*now);
    }

    /// The joints that are bounded, by their places among those that are written.
    fn bounded_joints(&self) -> impl Iterator<Item = usize> + '_ {
        let end = self.limb.joints().end;
        (0..self.joints.len()).filter(move |&i| self.turns_end || self.joints[i] != end)
    }

    /// The largest turn of a joint from the last frame to this pose, in radians.
    pub(crate) fn turn(&self, pose: &Pose) -> Real {
        4.0 * (0.5 * self.squared_chord(pose).sqrt()).min(1.0).asin()
    }

    /// Whether a joint turns further than this.
    #[inline]
    fn turns_further(&self, angle: Real, pose: &Pose) -> bool {
        // A turn is at most π times its chord.
        let squared = self.squared_chord(pose);
        PI * PI * squared > angle * angle && self.turn(pose) > angle
    }

    /// The square of the longest chord from a joint of the last frame to this pose's. The chord of two quaternions
    /// is twice the sine of a quarter of the turn between them.
    #[inline]
    fn squared_chord(&self, pose: &Pose) -> Real {
        let mut squared: Real = 0.0;
        for i in self.bounded_joints() {
            let now = pose.rotation(self.joints[i]);
            squared = squared.max((now - rotation::same_side(self.last[i], now)).length_squared());
        }
        squared
    }

    /// How far a joint may turn in this frame, where the goal's own move accounts for so much.
    fn bound(&self, asked: Real, dt: Real) -> Real {
        let dt = time_step(dt);
        let bound = self.options.joint_speed * dt + asked;
        // Not `clamp`, which panics where the options are not numbers.
        self.options.top_speed.map_or(bound, |top| bound.min(top * dt)).max(0.0)
    }

    /// Takes the pose as where to go.
    pub(crate) fn aim_at(&mut self, pose: &Pose) {
        for (&joint, q) in self.joints.iter().zip(&mut self.wanted) {
            *q = pose.rotation(joint);
        }
        self.goes_elsewhere = true;
    }

    /// Where it was going stays where it is going.
    fn keep_going(&mut self) {
        if !self.goes_elsewhere {
            self.wanted.copy_from_slice(&self.last);
            self.goes_elsewhere = true;
        }
    }

    /// Puts the limb at a part of the way from the last frame to where it should go, every joint
    /// within its limit.
    pub(crate) fn advance(&self, skeleton: &Skeleton, part: Real, pose: &mut Pose) {
        for i in self.bounded_joints() {
            let (joint, from, to) = (self.joints[i], self.last[i], self.wanted[i]);
            let most = part * rotation::angle(from.conjugate() * to);
            pose.set_rotation(joint, skeleton.joint(joint).step_towards(from, to, most));
        }
    }

    /// Whether a pose is better than another for a goal that stands still: nearer, or as near and closer to
    /// the preferred swivel angle. Each step of such a limb must be for the better, so that it comes to
    /// rest. Poses that miss by nearly as much may lie apart, and solving from each find the other.
    fn is_better(&self, new: &LimbReport, old: &LimbReport) -> bool {
        let tolerance = self.limb.tolerance();
        let [a, b] = [new, old].map(|report| report.outcome.residual);
        let aside =
            |report: &LimbReport| self.preferred.map_or(0.0, |angle| wrap_angle(report.swivel - angle).abs());
        let gain = |new: Real, old: Real, tolerance: Real| (old - new) / (tolerance + SAME_MISS * old);
        let gains = [
            gain(a.position, b.position, tolerance.position),
            gain(a.orientation, b.orientation, tolerance.orientation),
            (aside(old) - aside(new)) / SAME_SWIVEL,
        ];
        // The first that matters decides.
        gains.into_iter().find(|gain| gain.abs() > 1.0).is_some_and(|gain| gain > 0.0)
    }

    /// A limb that had to strain its limit and would let go of its goal now. Whether an arc is
    /// open elsewhere must not decide that, else slivers of arcs would make the end tremble.
    #[inline]
    fn lets_go(&self, found: &LimbReport) -> bool {
        let upper = self.limb.joints().upper;
        self.strained && matches!(found.outcome.cause, Some(Cause::Limit { joint, .. }) if joint == upper)
    }

    /// What is done about a pose that is too far: the limit gives, or the limb goes over.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)] // one place calls it
    fn bounded(
        &mut self,
        skeleton: &Skeleton,
        model: &ModelPose,
        (before, now): (&Followed, &Followed),
        found: LimbReport,
        may_give: bool,
        dt: Real,
        pose: &mut Pose,
    ) -> LimbReport {
        let asked = now.turned_from(before, &self.limb);
        let step = self.options.joint_speed * time_step(dt);
        let mut turn = self.turn(pose);
        let lets_go = self.lets_go(&found);
        self.strained = false;
        let allowed = self.bound(asked, dt);
        // A limb that is going over already is not called back.
        let gives = self.options.give > 0.0 && may_give && !self.goes_over;
        if gives && (lets_go || turn > asked.max(GENTLY * step)) {
            if let Some(report) = self.strain(skeleton, model, &now.goal, &found, allowed, dt, pose) {
                self.strained = true;
                return report;
            }
            for (&joint, &q) in self.joints.iter().zip(&self.wanted) {
                pose.set_rotation(joint, q);
            }
        }
        if turn <= allowed {
            return found;
        }
        let end = self.limb.joints().end;
        if let Some(place) = self.joints.iter().position(|&j| j == end)
            && self.end_stays(now, self.last[place], pose)
        {
            pose.set_rotation(end, self.last[place]);
            turn = self.turn(pose);
        }
        if turn > allowed {
            self.aim_at(pose);
            self.advance(skeleton, allowed / turn, pose);
        }
        self.underway(&now.frame, &now.goal, found, turn - allowed, pose)
    }

    /// The report of a limb that is on its way from the last frame to the pose that was found,
    /// with so much left to turn.
    fn underway(
        &self,
        frame: &Transform,
        goal: &LimbGoal,
        found: LimbReport,
        left: Real,
        pose: &Pose,
    ) -> LimbReport {
        let tolerance = self.limb.tolerance();
        let residual = self.limb.measured(frame, goal, pose);
        let (status, cause) = if residual.within(tolerance) {
            (Status::Reached, None)
        } else if left > 0.0 && found.outcome.residual.position <= tolerance.position {
            (Status::NotReached, Some(Cause::Underway { goal: GoalId(0), turn: left }))
        } else {
            (Status::NotReached, found.outcome.cause)
        };
        LimbReport { outcome: Outcome { status, cause, residual }, ..found }
    }

    /// Goes on with the base outside of its limit: towards the swivel angle that was found, if on
    /// the whole way there the base gives no more than it may; else to where, near the last
    /// frame's angle, it is the least outside, and waits there for its arc to open again. A limb
    /// that would miss a wanted orientation meanwhile does not wait.
    #[allow(clippy::too_many_arguments)] // one place calls it
    fn strain(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        found: &LimbReport,
        allowed: Real,
        dt: Real,
        pose: &mut Pose,
    ) -> Option<LimbReport> {
        let limited = matches!(found.outcome.cause, Some(Cause::Limit { .. }));
        let give = self.options.give;
        for speed in [self.options.swivel_speed, self.options.joint_speed] {
            self.recall(goal.orientation.is_some(), pose);
            let within = (speed * time_step(dt)).min(PI);
            let choose = |last: Real, outside: &dyn Fn(Real) -> Real| {
                let over = if limited { None } else { way_over(last, found.swivel, give, outside) };
                let swivel = match over {
                    Some(way) => wrap_angle(last + way.min(within).max(-within)),
                    None if goal.orientation.is_some() && !limited => return None,
                    None => least_strained(last, within, outside),
                };
                (outside(swivel) <= give).then_some(swivel)
            };
            let report = self.limb.solve_outside(skeleton, model, &goal.target(), choose, pose);
            if report.is_some() && self.turn(pose) <= allowed {
                return report;
            }
        }
        None
    }

    /// Whether the end joint stays at the end of its range rather than go to the other: one that
    /// is asked to turn further than it can is nearly as near at both ends when it is asked for
    /// the middle between them, and would go to and fro.
    fn end_stays(&self, now: &Followed, last: Quat, pose: &Pose) -> bool {
        let Some(orientation) = now.goal.orientation else { return false };
        let end = pose.rotation(self.limb.joints().end);
        let above = self.limb.end_of(&now.frame, pose).rotation * end.conjugate();
        let off = |q: Quat| rotation::angle((above * q).conjugate() * orientation);
        let found = off(end);
        found > CLEARLY && off(last) < found + CLEARLY
    }
}

impl Followed {
    /// By how much the goal's own move turns the joints: its direction, the bend for its
    /// distance, and its orientation.
    fn turned_from(&self, before: &Self, limb: &Limb) -> Real {
        let [(a, turn_a), (b, turn_b)] = [before, self].map(|f| {
            let back = f.frame.rotation.conjugate();
            (back * (f.goal.position - f.frame.translation), f.goal.orientation.map(|q| back * q))
        });
        let line = rotation::angle_between(direction_or(a, Vec3::ZERO), direction_or(b, Vec3::ZERO));
        let bend = (limb.bend_at(a) - limb.bend_at(b)).abs();
        let turn = match (turn_a, turn_b) {
            (Some(a), Some(b)) => rotation::angle(a.conjugate() * b),
            _ => 0.0,
        };
        let turned = line + bend + turn;
        if turned.is_finite() { turned } else { 0.0 }
    }
}

/// How far to turn from one swivel angle to another, the shorter way or the longer, so that the
/// base is nowhere further outside than `give`.
fn way_over(from: Real, to: Real, give: Real, outside: &dyn Fn(Real) -> Real) -> Option<Real> {
    let short = wrap_angle(to - from);
    let long = if short > 0.0 { short - TAU } else { short + TAU };
    let gives =
        |way: Real| (1..=ON_THE_WAY).all(|i| outside(from + way * (i as Real / ON_THE_WAY as Real)) <= give);
    [short, long].into_iter().find(|way| gives(*way))
}

/// The angle not further than `within` from another at which the base is the least outside; of
/// those that are about the same, the nearest.
fn least_strained(from: Real, within: Real, outside: &dyn Fn(Real) -> Real) -> Real {
    let strain = |turn: Real| outside(from + turn) + 0.01 * turn.abs();
    let mut step = within / BESIDE as Real;
    let mut best = (strain(0.0), 0.0);
    let look = |turn: Real, best: &mut (Real, Real)| {
        let found = strain(turn);
        if found < best.0 {
            *best = (found, turn);
        }
    };
    for i in (1..=BESIDE).flat_map(|i| [i, -i]) {
        look(step * i as Real, &mut best);
    }
    for _ in 0..HALVINGS {
        step *= 0.5;
        let middle = best.1;
        look((middle - step).max(-within), &mut best);
        look((middle + step).min(within), &mut best);
    }
    wrap_angle(from + best.1)
}
