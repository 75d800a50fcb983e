//! An arm or a leg of seven degrees of freedom, solved exactly.
//!
//! The idea is Kallmann's ("Analytical inverse kinematics with body posture
//! control", 2007, eq. 1-7): base, middle and end joint (shoulder, elbow, wrist or
//! hip, knee, ankle) reach a position and an orientation with one degree of
//! freedom to spare, the *swivel angle* by which the middle joint goes round the
//! line from base to end. Given it, everything else follows in closed form: the
//! flexion from the law of cosines (eq. 2), the base's rotation (eq. 3 and 4),
//! the twist of the forearm and the end joint's rotation (eq. 5 and 6). Where a
//! limit or a collision forbids an angle, another is taken, as near as possible
//! to the one preferred.
//!
//! # Any rig
//! Nothing is assumed of the joints' axes. The middle joint turns about whatever
//! axis it has, which need not be at right angles to the bones: the squared
//! distance from base to end is `α + ρ·cos(θ − θ₀)` for every hinge, and the
//! triangle of eq. 2 is the special case. The rest pose may be bent. Twist may
//! sit on joints of its own between the three (see [`LimbOptions`]), or on
//! helpers beside them that only follow. How the measure is taken is told in
//! `limb/measure.rs`.
//!
//! # The swivel circle
//! Swivelling turns the limb rigidly about the line from base to end, so that
//! the base's rotation is `R(n̂, φ)·q₀`. There is no separate base swing and base
//! twist to solve for (eq. 3 and 4 are its decomposition), and no direction of
//! the goal is singular: goals on the ŷ axis, where the paper gives up, are goals
//! like others. `limb/turning.rs` says which angles a limit allows: in closed
//! form for twists, hinges and cones, by a coarse scan and root finding for the
//! other shapes. The angle chosen is the allowed one nearest to the preferred.
//!
//! # Where it is continuous
//! A small move of the goal makes a small move of every joint, except where the
//! geometry forbids it:
//! * At full extension and full flexion the flexion angle goes like the square
//!   root of the distance: `dθ/dD = 2D/(ρ·sin b)` with the bend `b`. It is
//!   continuous, and over a step `δ` beside full extension it is at most
//!   `√(4·D·δ/ρ)`.
//! * With the goal at distance `r` from the base, the direction turns by `1/r`
//!   a metre.
//! * Opposite to the neutral direction (behind the body) the preferred angle must
//!   jump; [`Swivel::Last`] has no such place, as each frame starts from the last.
//! * Where two allowed arcs of the swivel circle are equally near.
//!
//! ```
//! use sinew::analytic::{Limb, LimbGoal, Swivel};
//! use sinew::rigs::{SwingModel, humanoid};
//! use sinew::skeleton::humanoid::{HumanoidMap, Side};
//! use sinew::{ModelPose, Pose, Vec3};
//!
//! let skeleton = humanoid(SwingModel::Ellipse);
//! let arm = Limb::arm(&skeleton, &HumanoidMap::find(&skeleton), Side::Right)?;
//! let mut pose = Pose::rest(&skeleton);
//! let mut model = ModelPose::new(&skeleton, &pose);
//! let goal = LimbGoal::position(Vec3::new(-0.3, 1.2, 0.35));
//! let report = arm.solve(&skeleton, &model, &goal, Swivel::default(), &mut pose);
//! assert!(report.reached());
//! model.update(&skeleton, &pose);
//! assert!(model.position(arm.joints().end).distance(goal.position) < 1e-5);
//! # Ok::<(), sinew::analytic::LimbError>(())
//! ```

mod arcs;
mod hand;
mod measure;
mod nearest;
mod outcome;
mod search;
mod turning;

use alloc::vec::Vec;

pub use arcs::{Arc, Arcs};
pub use measure::LimbError;
pub use outcome::{Contact, LimbOutcome, LimbPose, LimbReport};
pub use search::SwivelSearch;

use self::hand::{Divided, Hand, Room};
use self::turning::{EDGE, Turning};
use crate::limit::{AngleRange, JointLimit, LimitComponent, SLACK};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{GoalResidual, Tolerance};
use crate::skeleton::humanoid::LimbJoints;
use crate::skeleton::{JointId, JointKind, Skeleton};

/// Where the end joint should be, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LimbGoal {
    /// Where the end joint should stand.
    pub position: Vec3,
    /// How its frame should be turned; `None` keeps the end joint's own rotation
    /// and the forearm's twist as they are.
    pub orientation: Option<Quat>,
}

impl LimbGoal {
    /// A position alone.
    pub const fn position(position: Vec3) -> Self {
        Self { position, orientation: None }
    }

    /// A position and an orientation.
    pub const fn pose(pose: Transform) -> Self {
        Self { position: pose.translation, orientation: Some(pose.rotation) }
    }

    fn is_valid(&self) -> bool {
        self.position.is_finite()
            && self.orientation.is_none_or(|q| q.is_finite() && (q.length_squared() - 1.0).abs() < 1.0e-3)
    }
}

/// Which swivel angle is wanted, before limits and collisions.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Swivel {
    /// This angle in radians, from the limb's neutral; counter-clockwise seen
    /// from the end joint to the base. Needs no memory of earlier frames.
    Preferred(Real),
    /// That of the pose given, so that nothing jumps from frame to frame.
    Last,
    /// With elbow or knee towards this point of model space. Where the point lies
    /// on the line from base to end, that of the pose given.
    Pole(Vec3),
}

impl Default for Swivel {
    /// The neutral: elbows down and back, knees forwards.
    fn default() -> Self {
        Self::Preferred(0.0)
    }
}

/// How the twist of a bone is shared between the joints along it.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TwistShare {
    /// Evenly. Of the upper bone the base takes part, of the lower bone the
    /// middle joint only if there is nothing else (an elbow does not twist).
    #[default]
    Even,
    /// By these weights, which need not add up to one. Joints that are not named
    /// take nothing.
    Weights(Vec<(JointId, Real)>),
}

/// How to take a limb's measure.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LimbOptions {
    /// How near is near enough.
    pub tolerance: Tolerance,
    /// The base's rotation from which swivel angles count, with the limb
    /// stretched. By default the middle of its limit or, if there is none, of
    /// anatomy. The identity is the neutral limb of SIK (Alg. 5).
    pub neutral: Option<Quat>,
    /// The flexion axis of a middle joint that is a ball, in its rest frame:
    /// positive turns bend the limb. By default what the rig shows.
    pub flexion: Option<Vec3>,
    /// How base and joints along the upper bone share its twist.
    pub upper_twist: TwistShare,
    /// How middle joint and joints along the lower bone share its twist.
    pub lower_twist: TwistShare,
}

/// A joint between two of the limb's three.
#[derive(Debug, Clone)]
struct Link {
    joint: JointId,
    rest: Transform,
    /// The bone, in the joint's rest frame.
    axis: Vec3,
    share: Real,
    /// Whether it can turn about the bone without moving what is below.
    twists: bool,
    range: Option<AngleRange>,
    limit: JointLimit,
}

/// A joint beside the limb that shows a part of its twist.
#[derive(Debug, Clone)]
struct Follower {
    joint: JointId,
    axis: Vec3,
    /// Where along the bone it sits, from 0 to 1.
    part: Real,
    upper: bool,
}

/// The middle joint's law of cosines. With the bend `b` counted from straight,
/// the end stands at `centre + cosine·cos b + sine·sin b` in the base's frame,
/// and its squared distance from the base is `alpha + rho·cos b`.
#[derive(Debug, Clone)]
struct Bend {
    /// In the middle joint's rest frame.
    axis: Vec3,
    /// Plus one if the limb bends by positive turns about the axis.
    sense: Real,
    /// The middle joint's rotation that stretches the limb.
    straight: Quat,
    straight_angle: Real,
    alpha: Real,
    rho: Real,
    centre: Vec3,
    cosine: Vec3,
    sine: Vec3,
    /// The allowed bends.
    range: (Real, Real),
}

impl Bend {
    #[inline]
    fn end(&self, cos: Real, sin: Real) -> Vec3 {
        self.centre + self.cosine * cos + self.sine * sin
    }

    /// The middle joint's rotation for a bend of which the cosine is known.
    #[inline]
    fn flexion(&self, cos: Real) -> Quat {
        let half_cos = (0.5 * (1.0 + cos)).max(0.0).sqrt();
        let half_sin = (0.5 * (1.0 - cos)).max(0.0).sqrt() * self.sense;
        let a = self.axis * half_sin;
        self.straight * Quat::from_xyzw(a.x, a.y, a.z, half_cos)
    }

    fn farthest(&self) -> Real {
        (self.alpha + self.rho).max(0.0).sqrt()
    }

    fn nearest(&self) -> Real {
        (self.alpha - self.rho).max(0.0).sqrt()
    }
}

/// An arm or a leg; see the [module](self). Built once, then used every frame:
/// solving cannot fail, allocate or panic.
#[derive(Debug, Clone)]
pub struct Limb {
    joints: LimbJoints,
    joint_count: usize,
    base_rest: Transform,
    parent: Option<JointId>,
    /// From base to middle joint, in the base's frame, and its direction.
    upper: Vec3,
    upper_unit: Vec3,
    /// The middle joint's rest frame, in the base's frame.
    to_mid: Quat,
    /// From middle to end joint, in the middle joint's frame, and its direction.
    lower: Vec3,
    lower_unit: Vec3,
    /// The end joint's rest frame, in the middle joint's frame.
    to_end: Quat,
    /// The lower bone's direction, in the end joint's rest frame.
    end_twist_axis: Vec3,
    bend: Bend,
    /// The normal of the plane of bending, in the base's frame: `plane × upper`
    /// is where the elbow sticks out.
    plane: Vec3,
    neutral: Quat,
    neutral_direction: Vec3,
    neutral_plane: Vec3,
    base_limit: JointLimit,
    mid_limit: JointLimit,
    mid_kind: JointKind,
    mid_share: Real,
    mid_twist_range: Option<AngleRange>,
    end_limit: JointLimit,
    end_kind: JointKind,
    base_share: Real,
    upper_links: Vec<Link>,
    lower_links: Vec<Link>,
    followers: Vec<Follower>,
    tolerance: Tolerance,
}

/// The rotations of a limb, before they are written.
#[derive(Debug, Clone, Copy)]
struct Posture {
    swivel: Real,
    /// The base's rotation together with the twist of the upper bone's joints.
    base: Quat,
    flexion: Quat,
    /// Of the lower bone, over all joints that share it.
    twist: Real,
    end: Quat,
}

/// What is known of a goal before the swivel angle is chosen.
struct Reach<'a> {
    limb: &'a Limb,
    /// The base's rest frame in model space; its origin is where the base stands.
    frame: Transform,
    /// The goal's position seen from the base, in its rest frame.
    target: Vec3,
    /// From base to goal.
    line: Vec3,
    /// The base's rotation at swivel zero.
    zero: Quat,
    cos_bend: Real,
    sin_bend: Real,
    flexion: Quat,
    /// What the distance alone forbids.
    outcome: LimbOutcome,
}

impl Limb {
    /// Base, middle and end joint.
    pub fn joints(&self) -> LimbJoints {
        self.joints
    }

    /// The lengths of the upper and the lower bone, in metres.
    pub fn lengths(&self) -> (Real, Real) {
        (self.upper.length(), self.lower.length())
    }

    /// How near and how far from the base the end can be, by its bones alone.
    pub fn reach(&self) -> (Real, Real) {
        (self.bend.nearest(), self.bend.farthest())
    }

    /// The bends from straight that the middle joint's limit allows, in radians.
    pub fn bend_range(&self) -> (Real, Real) {
        self.bend.range
    }

    /// The middle joint's flexion axis in its rest frame, such that positive
    /// turns bend the limb.
    pub fn flexion_axis(&self) -> Vec3 {
        self.bend.axis * self.bend.sense
    }

    /// The base's rotation from which swivel angles count.
    pub fn neutral(&self) -> Quat {
        self.neutral
    }

    /// Where elbow or knee sticks out when the limb bends a little from rest, in
    /// the base's frame.
    pub fn elbow_direction(&self) -> Vec3 {
        self.plane.cross(self.upper_unit)
    }

    /// How near is near enough.
    pub fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// Solves for the goal by limits alone and writes the nearest allowed pose,
    /// whatever the outcome. `model` must hold where the base's parent stands;
    /// below the base it may be stale, and is so afterwards.
    ///
    /// Only the limb's own joints are written: base, middle and end, and the
    /// twist joints between and beside them. Shifts of the joints below the base
    /// are set to zero, since the bones' lengths are those of the rest.
    pub fn solve(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        swivel: Swivel,
        pose: &mut Pose,
    ) -> LimbReport {
        let reach = match self.prepare(skeleton, model, goal, pose) {
            Ok(reach) => reach,
            Err(outcome) => return refused(outcome),
        };
        let wanted = reach.wanted_swivel(swivel, pose);
        let hand = reach.hand(goal);
        let (posture, outcome) = reach.by_limits(hand.as_ref(), wanted, goal, pose);
        self.write(&posture, goal.orientation.is_some(), pose);
        self.report(&reach, goal, &posture, outcome, pose, 0)
    }

    /// The swivel angles at which the goal's position, and its orientation if it
    /// has one, can be had within every limit; none where the distance forbids it.
    /// With an orientation the forearm's twist is the one that [`solve`](Self::solve)
    /// prefers; for some of the angles left out another division of the twist
    /// between forearm and end joint may hold.
    pub fn valid_swivels(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        pose: &Pose,
    ) -> Arcs {
        match self.prepare(skeleton, model, goal, pose) {
            Ok(reach) if reach.outcome == LimbOutcome::Reached => {
                let arcs = reach.base_arcs();
                reach.hand(goal).map_or(arcs, |hand| hand.arcs(&arcs))
            }
            _ => Arcs::NONE,
        }
    }

    /// Where the limb's joints would be at this swivel angle, limits or no, and
    /// how far each joint would be outside of its limit: base, middle and end,
    /// in radians. This is the plain closed form (eq. 1-6); scans are made of it.
    pub fn at_swivel(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        swivel: Real,
        pose: &Pose,
    ) -> Option<(LimbPose, [Real; 3])> {
        let reach = self.prepare(skeleton, model, goal, pose).ok()?;
        let hand = reach.hand(goal);
        let posture = reach.posture(hand.as_ref().map(|h| h.divided(swivel)), swivel, pose);
        let bend = reach.cos_bend.clamp(-1.0, 1.0).acos();
        let outside = (self.bend.range.0 - bend).max(bend - self.bend.range.1).max(0.0);
        let end = match (&hand, self.end_kind) {
            (None, _) => 0.0,
            (Some(_), JointKind::Ball | JointKind::Free) => self.end_limit.violation(posture.end),
            (Some(_), kind) => {
                let inside = self.end_limit.project(crate::limit::to_kind(kind, posture.end));
                rotation::angle(inside.conjugate() * posture.end)
            }
        };
        Some((self.place(&reach.frame, &posture), [self.base_violation(posture.base), outside, end]))
    }

    /// Looks at the goal from the base.
    #[inline]
    fn prepare(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        pose: &Pose,
    ) -> Result<Reach<'_>, LimbOutcome> {
        let count = self.joint_count;
        if skeleton.len() != count || pose.len() != count || model.positions().len() != count {
            return Err(LimbOutcome::Mismatch);
        }
        if !goal.is_valid() {
            return Err(LimbOutcome::NotFinite);
        }
        let parent = self.parent.map_or(Transform::IDENTITY, |p| model.transform(p));
        let mut frame = parent.then(self.base_rest);
        frame.translation = frame.point(pose.translation(self.joints.upper));
        if !frame.is_finite() {
            return Err(LimbOutcome::NotFinite);
        }
        let target = frame.rotation.conjugate() * (goal.position - frame.translation);
        let squared = target.length_squared();
        if !squared.is_finite() {
            return Err(LimbOutcome::NotFinite);
        }
        let distance = squared.sqrt();
        let bend = &self.bend;
        let mut cos = (squared - bend.alpha) / bend.rho;
        let mut outcome = LimbOutcome::Reached;
        if cos > 1.0 {
            let by = distance - bend.farthest();
            // A rounding too far is as far as it goes.
            if by > 0.5 * self.tolerance.position {
                outcome = LimbOutcome::OutOfReach { by };
            }
            cos = 1.0;
        } else if cos < -1.0 {
            let by = bend.nearest() - distance;
            if by > 0.5 * self.tolerance.position {
                outcome = LimbOutcome::TooClose { by };
            }
            cos = -1.0;
        }
        let (low, high) = bend.range;
        if low > 0.0 || high < PI {
            let (most, least) = (low.cos(), high.cos());
            // A bend that rounding puts beyond its edge stands on it.
            if cos > most || cos < least {
                let held = cos.clamp(least, most);
                let away = (bend.alpha + bend.rho * held).max(0.0).sqrt() - distance;
                if away.abs() > 0.5 * self.tolerance.position && outcome == LimbOutcome::Reached {
                    outcome =
                        LimbOutcome::Limited { joint: self.joints.lower, component: self.bend_component() };
                }
                cos = held;
            }
        }
        let sin = (1.0 - cos * cos).max(0.0).sqrt();
        let end = bend.end(cos, sin);
        // Folded back onto the base, the end comes from the side away from the elbow.
        let end = direction_or(end, -self.elbow_direction());
        let line = if distance > TINY { target / distance } else { self.neutral_direction };
        let zero = rotation::between(self.neutral_direction, line, self.neutral_plane)
            * self.neutral
            * rotation::between(end, self.upper_unit, self.plane);
        let flexion = bend.flexion(cos);
        Ok(Reach {
            limb: self,
            frame,
            target,
            line,
            zero: zero.normalize(),
            cos_bend: cos,
            sin_bend: sin,
            flexion,
            outcome,
        })
    }

    fn bend_component(&self) -> LimitComponent {
        match self.mid_kind {
            JointKind::Universal { first, .. } => {
                LimitComponent::Euler(u8::from((first - self.bend.axis).length() > 0.1))
            }
            JointKind::Hinge { .. } => LimitComponent::Angle,
            _ => LimitComponent::Swing,
        }
    }

    /// How far the lower bone can twist at this flexion.
    #[inline]
    fn room(&self, flexion: Quat) -> Room {
        if self.mid_share == 0.0 && self.lower_links.is_empty() {
            return Room::NONE;
        }
        let mut room = Room::ANY;
        let mut twists = false;
        if self.mid_share > 0.0 {
            twists = true;
            if let Some(range) = self.mid_twist_range {
                room = room.narrowed(range, self.mid_share);
            } else if !self.mid_limit.is_none() {
                let family = Turning::new(flexion * self.lower_unit, flexion);
                room = room.narrowed_to(&family.where_allowed(&self.mid_limit, &Arcs::ALL), self.mid_share);
            }
        }
        for link in self.lower_links.iter().filter(|l| l.share > 0.0) {
            twists = true;
            if let Some(range) = link.range {
                room = room.narrowed(range, link.share);
            } else if !link.limit.is_none() {
                let family = Turning::new(link.axis, Quat::IDENTITY);
                room = room.narrowed_to(&family.where_allowed(&link.limit, &Arcs::ALL), link.share);
            }
        }
        if twists { room } else { Room::NONE }
    }

    /// The base's own part of its rotation, without what the joints along the
    /// upper bone take, and the twist that they share.
    #[inline]
    fn own_base(&self, base: Quat) -> (Quat, Real) {
        if self.upper_links.is_empty() || self.base_share == 1.0 {
            return (base, 0.0);
        }
        let twist = rotation::angle_about(self.upper_unit, base);
        (base * rotation::about(self.upper_unit, -(1.0 - self.base_share) * twist), twist)
    }

    /// How far base and upper twist joints would be outside of their limits.
    fn base_violation(&self, base: Quat) -> Real {
        let (own, twist) = self.own_base(base);
        let mut worst = match self.base_limit.project_inset(own, 0.0) {
            None => 0.0,
            Some(inside) => rotation::angle(inside.conjugate() * own),
        };
        for link in self.upper_links.iter().filter(|l| l.share > 0.0) {
            let angle = link.share * twist;
            if let Some(range) = link.range {
                worst = worst.max(-range.edge_distance(angle) - SLACK);
            } else {
                worst = worst.max(link.limit.violation(rotation::about(link.axis, angle)));
            }
        }
        worst
    }

    /// The flexion and the twist that a pose has.
    fn read_mid(&self, pose: &Pose) -> (Real, Real) {
        let q = pose.rotation(self.joints.lower);
        let axis = self.bend.axis;
        let was = self.lower_unit - axis * axis.dot(self.lower_unit);
        let now = q * self.lower_unit;
        let now = now - axis * axis.dot(now);
        let angle = axis.dot(was.cross(now)).atan2(was.dot(now));
        let rest = rotation::about(axis, -angle) * q;
        let mut twist = rotation::angle_about(self.lower_unit, rest);
        for link in &self.lower_links {
            twist += rotation::angle_about(link.axis, pose.rotation(link.joint));
        }
        (angle, twist)
    }

    /// The base's rotation with the twist of the upper bone's joints.
    fn read_base(&self, pose: &Pose) -> Quat {
        let mut q = pose.rotation(self.joints.upper);
        for link in &self.upper_links {
            let angle = rotation::angle_about(link.axis, pose.rotation(link.joint));
            q *= rotation::about(self.upper_unit, angle);
        }
        rotation::normalize_or_identity(q)
    }

    /// Writes the posture, held within every limit to the last rounding.
    fn write(&self, posture: &Posture, oriented: bool, pose: &mut Pose) {
        let LimbJoints { upper, lower, end } = self.joints;
        let (own, upper_twist) = self.own_base(posture.base);
        pose.set_rotation(upper, self.base_limit.project(own.normalize()));
        for link in &self.upper_links {
            let angle = link.share * upper_twist;
            pose.set_rotation(link.joint, link.rotation(angle));
            pose.set_translation(link.joint, Vec3::ZERO);
        }
        let mut mid = posture.flexion;
        if self.mid_share > 0.0 {
            mid *= rotation::about(self.lower_unit, self.mid_share * posture.twist);
        }
        pose.set_rotation(lower, mid.normalize());
        pose.set_translation(lower, Vec3::ZERO);
        for link in &self.lower_links {
            pose.set_rotation(link.joint, link.rotation(link.share * posture.twist));
            pose.set_translation(link.joint, Vec3::ZERO);
        }
        let last = self.end_limit.project(crate::limit::to_kind(self.end_kind, posture.end.normalize()));
        pose.set_rotation(end, last);
        pose.set_translation(end, Vec3::ZERO);
        if !self.followers.is_empty() {
            self.write_followers(posture, last, oriented, pose);
        }
    }

    /// Turns the helpers so that the twist grows evenly along each bone.
    fn write_followers(&self, posture: &Posture, end: Quat, _oriented: bool, pose: &mut Pose) {
        let upper = rotation::angle_about(self.upper_unit, posture.base);
        let lower = posture.twist + rotation::angle_about(self.end_twist_axis, end);
        for follower in &self.followers {
            let angle = if follower.upper {
                (follower.part - self.base_share) * upper
            } else {
                follower.part * lower - self.mid_share * posture.twist
            };
            pose.set_rotation(follower.joint, rotation::about(follower.axis, angle));
        }
    }

    /// Where the joints are in a posture.
    #[inline]
    fn place(&self, frame: &Transform, posture: &Posture) -> LimbPose {
        let upper = frame.rotation * posture.base;
        let mid_frame = upper * self.to_mid * posture.flexion;
        let elbow = frame.translation + upper * self.upper;
        let wrist = elbow + mid_frame * self.lower;
        let (base, mid) = if self.upper_links.is_empty() && self.lower_links.is_empty() {
            let mid = match self.mid_share > 0.0 {
                true => mid_frame * rotation::about(self.lower_unit, posture.twist),
                false => mid_frame,
            };
            (upper, mid)
        } else {
            let twisted = rotation::about(self.lower_unit, self.mid_share * posture.twist);
            (frame.rotation * self.own_base(posture.base).0, mid_frame * twisted)
        };
        let end = mid_frame * rotation::about(self.lower_unit, posture.twist) * self.to_end * posture.end;
        LimbPose {
            base: Transform::new(frame.translation, base),
            mid: Transform::new(elbow, mid),
            end: Transform::new(wrist, end),
            swivel: posture.swivel,
        }
    }

    /// Forward kinematics of what stands in the pose, joint by joint.
    #[inline]
    fn end_of(&self, frame: &Transform, pose: &Pose) -> Transform {
        let mut at = Transform::new(frame.translation, frame.rotation * pose.rotation(self.joints.upper));
        let down = |at: Transform, rest: Transform, joint: JointId| {
            Transform::new(at.point(rest.translation), at.rotation * rest.rotation * pose.rotation(joint))
        };
        if self.upper_links.is_empty() {
            at = down(at, Transform::new(self.upper, self.to_mid), self.joints.lower);
        } else {
            let mut whole = Transform::IDENTITY;
            for link in &self.upper_links {
                at = down(at, link.rest, link.joint);
                whole = whole.then(link.rest);
            }
            let rest = whole.inverse().then(Transform::new(self.upper, self.to_mid));
            at = down(at, rest, self.joints.lower);
        }
        if self.lower_links.is_empty() {
            return down(at, Transform::new(self.lower, self.to_end), self.joints.end);
        }
        let mut whole = Transform::IDENTITY;
        for link in &self.lower_links {
            at = down(at, link.rest, link.joint);
            whole = whole.then(link.rest);
        }
        let rest = whole.inverse().then(Transform::new(self.lower, self.to_end));
        down(at, rest, self.joints.end)
    }

    /// Measures the written pose; what it says is what counts.
    #[inline]
    fn report(
        &self,
        reach: &Reach<'_>,
        goal: &LimbGoal,
        posture: &Posture,
        outcome: LimbOutcome,
        pose: &Pose,
        tests: u32,
    ) -> LimbReport {
        let end = self.end_of(&reach.frame, pose);
        let residual = GoalResidual {
            position: end.translation.distance(goal.position),
            orientation: goal.orientation.map_or(0.0, |q| rotation::angle(end.rotation.conjugate() * q)),
        };
        let met = residual.position <= self.tolerance.position
            && residual.orientation <= self.tolerance.orientation;
        let outcome = match outcome {
            LimbOutcome::Collision(_) => outcome,
            _ if met => LimbOutcome::Reached,
            LimbOutcome::Reached => self.blocking(reach, posture, pose),
            other => other,
        };
        LimbReport { outcome, residual, swivel: posture.swivel, tests }
    }
}

impl Link {
    fn rotation(&self, angle: Real) -> Quat {
        let angle = match self.range {
            Some(range) => range.project(angle, 0.0).unwrap_or(angle),
            None => angle,
        };
        self.limit.project(rotation::about(self.axis, angle))
    }
}

/// A report of a goal that was not looked at.
fn refused(outcome: LimbOutcome) -> LimbReport {
    let residual = GoalResidual { position: Real::INFINITY, orientation: 0.0 };
    LimbReport { outcome, residual, swivel: 0.0, tests: 0 }
}

impl<'a> Reach<'a> {
    /// The base's rotation at a swivel angle.
    #[inline]
    fn base(&self, swivel: Real) -> Quat {
        if swivel == 0.0 { self.zero } else { rotation::about(self.line, swivel) * self.zero }
    }

    /// The wanted swivel angle.
    #[inline]
    fn wanted_swivel(&self, swivel: Swivel, pose: &Pose) -> Real {
        match swivel {
            Swivel::Preferred(angle) if angle.is_finite() => wrap_angle(angle),
            Swivel::Preferred(_) => 0.0,
            Swivel::Last => self.last_swivel(pose),
            Swivel::Pole(point) => {
                let seen = self.frame.rotation.conjugate() * (point - self.frame.translation);
                let aside = seen - self.line * seen.dot(self.line);
                if !seen.is_finite() || aside.length() <= ROUNDING * 16.0 * (1.0 + seen.length()) {
                    return self.last_swivel(pose);
                }
                let elbow = self.zero * self.limb.plane.cross(self.end_direction());
                self.line.dot(elbow.cross(aside)).atan2(elbow.dot(aside))
            }
        }
    }

    /// From base to end in the base's frame.
    fn end_direction(&self) -> Vec3 {
        let end = self.limb.bend.end(self.cos_bend, self.sin_bend);
        direction_or(end, -self.limb.elbow_direction())
    }

    /// The swivel angle of the pose given: its base, turned the shortest way so
    /// that the line from base to end comes to lie on the new one.
    fn last_swivel(&self, pose: &Pose) -> Real {
        let limb = self.limb;
        let base = limb.read_base(pose);
        let (angle, _) = limb.read_mid(pose);
        let bend = wrap_angle((angle - limb.bend.straight_angle) * limb.bend.sense);
        let (sin, cos) = bend.sin_cos();
        let was = direction_or(limb.bend.end(cos, sin), -limb.elbow_direction());
        let now = self.end_direction();
        let in_plane = base * rotation::between(now, was, limb.plane);
        let carried = rotation::between(in_plane * now, self.line, base * limb.plane) * in_plane;
        let turn = carried * self.zero.conjugate();
        rotation::angle_about(self.line, turn)
    }

    /// What the orientation asks, if there is one.
    #[inline]
    fn hand(&self, goal: &LimbGoal) -> Option<Hand<'a>> {
        let wanted = goal.orientation?;
        let limb = self.limb;
        let frame = self.zero * limb.to_mid * self.flexion * limb.to_end;
        let seen = self.frame.rotation.conjugate() * wanted.normalize();
        Some(Hand::new(limb, limb.room(self.flexion), frame, seen, self.line))
    }

    #[inline]
    fn base_holds(&self, swivel: Real) -> bool {
        self.limb.base_violation(self.base(swivel)) <= EDGE
    }

    /// The swivel angles that the base's limit allows.
    fn base_arcs(&self) -> Arcs {
        let limb = self.limb;
        if limb.upper_links.is_empty() {
            Turning::new(self.line, self.zero).where_allowed(&limb.base_limit, &Arcs::ALL)
        } else {
            let distance = |swivel: Real| {
                let base = self.base(swivel);
                let outside = limb.base_violation(base);
                let own = limb.own_base(base).0;
                if outside > 0.0 {
                    EDGE - outside
                } else {
                    limb.base_limit.edge_distance(own).clamp(0.0, 1.0)
                }
            };
            Arcs::scan(&Arcs::ALL, turning::GENERAL_SAMPLES, distance)
        }
    }

    /// The posture at a swivel angle. Without an orientation the lower bone's
    /// twist and the end joint stay as they are, within their limits.
    #[inline]
    fn posture(&self, divided: Option<Divided>, swivel: Real, pose: &Pose) -> Posture {
        let limb = self.limb;
        let (twist, end) = match divided {
            Some(d) => (d.twist, d.end),
            None => {
                let room = limb.room(self.flexion);
                let twist = if room == Room::NONE { 0.0 } else { room.clamp(limb.read_mid(pose).1) };
                (twist, rotation::normalize_or_identity(pose.rotation(limb.joints.end)))
            }
        };
        Posture { swivel, base: self.base(swivel), flexion: self.flexion, twist, end }
    }

    /// The best posture by limits alone, and what stands in the way.
    #[inline]
    fn by_limits(
        &self,
        hand: Option<&Hand<'_>>,
        wanted: Real,
        goal: &LimbGoal,
        pose: &Pose,
    ) -> (Posture, LimbOutcome) {
        if self.base_holds(wanted) {
            let divided = hand.map(|h| h.divided(wanted));
            if divided.is_none_or(|d| d.violation <= EDGE) {
                return (self.posture(divided, wanted, pose), self.outcome);
            }
        }
        self.clamped(hand, wanted, goal, pose)
    }

    /// The same where the wanted angle is not allowed.
    fn clamped(
        &self,
        hand: Option<&Hand<'_>>,
        wanted: Real,
        goal: &LimbGoal,
        pose: &Pose,
    ) -> (Posture, LimbOutcome) {
        let base = self.base_arcs();
        if base.is_empty() {
            return self.nearest_by_base(hand, wanted, goal, pose);
        }
        let Some(hand) = hand else {
            let swivel = base.nearest(wanted).unwrap_or(wanted);
            return (self.posture(None, swivel, pose), self.outcome);
        };
        if let Some(swivel) = hand.arcs(&base).nearest(wanted) {
            let divided = hand.divided(swivel);
            // Where a twist is ill-defined the arcs may promise too much.
            if divided.violation <= 16.0 * EDGE {
                return (self.posture(Some(divided), swivel, pose), self.outcome);
            }
        }
        self.nearest_by_hand(hand, &base, wanted, pose)
    }
}
