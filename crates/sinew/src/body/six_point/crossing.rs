//! An elbow or a knee that would jump goes over instead.
//!
//! The swivel angles that a limit allows are arcs of a circle, and as the wrist
//! moves an arc can close while another, elsewhere on the circle, is open. No
//! smooth motion within the limit leads from one to the other with the wrist in
//! its place: the elbow has to jump, the wrist to leave its place, or the limit to
//! give way. The same happens where the limits keep the wrist from its goal and the
//! nearest allowed pose is another from one frame to the next. It happens at the
//! poles of Euler limits, where the allowed twist turns round within a few degrees
//! of swing.
//!
//! # What gives way
//! A small jump is taken, since it is over at once and the hand stays where it is. From `GENTLY` of
//! [`SixPointOptions::leap`](super::SixPointOptions::leap) on the limit gives instead, if by no
//! more than [`SixPointOptions::give`](super::SixPointOptions::give) it can: people themselves go
//! as far beyond the ranges that skeletons of motion capture come with, and the arc that opens
//! elsewhere is mostly a sliver at the pole of Euler angles. The elbow stays where it was or goes
//! over at its pace, the wrist is in its place, and the report says
//! [`Strained`](crate::Cause::Strained) and by how much.
//!
//! Where the limit would have to give more, or may not give at all, each frame takes of the jump as
//! much as `leap`, along rotations that the limits allow, and meanwhile the wrist
//! is on its way to its place: the report says
//! [`Underway`](crate::Cause::Underway) and by how much it is missed.
//!
//! # The bound
//! From one frame to the next no joint of a limb turns by more than `leap` besides
//! what its goal asks of it, unless the limit is of a shape with an inward corner
//! round which no such step leads; then it goes at once.

use super::{Branch, SixPointOptions};
use crate::analytic::{Giving, Limb, LimbGoal, LimbReport};
use crate::goal::GoalId;
use crate::limit::{EulerLimit, LimitShape, SwingTwistLimit};
use crate::math::swing_twist::SwingTwist;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Outcome, Status};
use crate::skeleton::{Joint, Skeleton};

/// From this part of [`leap`](SixPointOptions::leap) on a jump is none that should be taken where a
/// limit can give instead.
pub(super) const GENTLY: Real = 0.4;
/// How much of a step must bring the limit's coordinates nearer.
const PROGRESS: Real = 0.5;
/// By how much, in radians, an end of a range must be nearer than the other to be gone to.
const CLEARLY: Real = 0.5;

impl Branch {
    /// Keeps the pose of the frame before.
    #[inline]
    pub(super) fn remember(&mut self, pose: &Pose) {
        let from = self.limb.joints().upper.index();
        let count = self.before.len();
        self.before.copy_from_slice(&pose.rotations()[from..from + count]);
    }

    /// The pose of the frame before again.
    #[cfg(feature = "collision")]
    pub(super) fn put_back(&self, skeleton: &Skeleton, pose: &mut Pose) {
        put(skeleton, self.limb.joints().upper.index(), &self.before, pose);
    }

    /// Whether a joint has turned by more than this since.
    #[inline]
    pub(super) fn jumps(&self, pose: &Pose, turn: Real) -> bool {
        let from = self.limb.joints().upper.index();
        // The cosine of half the angle, to the fourth order.
        let half = 0.25 * turn * turn;
        let least = 1.0 - 0.5 * half + half * half / 24.0;
        self.before.iter().zip(&pose.rotations()[from..]).any(|(a, b)| a.dot(*b).abs() < least)
    }

    /// Whether a limb that had to strain its limits would let go of its goal now. Whether an arc is
    /// open elsewhere must not decide that, else slivers of arcs would make the hand tremble.
    #[inline]
    pub(super) fn lets_go(&self, found: &LimbReport) -> bool {
        let upper = self.limb.joints().upper;
        self.strained && matches!(found.outcome.cause, Some(Cause::Limit { joint, .. }) if joint == upper)
    }

    /// What is done about a jump: the limit gives, or the limb goes over.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)] // one place calls it
    pub(super) fn without_jump(
        &mut self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        options: &SixPointOptions,
        tracked: bool,
        found: LimbReport,
        pose: &mut Pose,
    ) -> LimbReport {
        let asked = self.asked(skeleton, model, goal);
        let lets_go = self.lets_go(&found);
        self.strained = false;
        if !lets_go && !self.jumps(pose, asked.max(GENTLY * options.leap)) {
            return found;
        }
        // Whoever goes over already is not called back, and who is tracked goes where it is seen.
        if options.give > 0.0 && self.aim.is_none() && !tracked {
            let most = options.leap + asked;
            let limited = matches!(found.outcome.cause, Some(Cause::Limit { .. }));
            let towards = (!limited).then_some(found.swivel);
            let from = self.limb.joints().upper.index();
            let count = self.found.len();
            self.found.copy_from_slice(&pose.rotations()[from..from + count]);
            for within in [options.swivel_turn, options.leap] {
                put(skeleton, from, &self.before, pose);
                let giving = Giving { towards, within, most: options.give };
                let given = self.limb.solve_giving(skeleton, model, &goal.target(), &giving, pose);
                if let Some(report) = given.filter(|_| !self.jumps(pose, most)) {
                    self.strained = true;
                    return report;
                }
            }
            put(skeleton, from, &self.found, pose);
        }
        if !self.jumps(pose, options.leap) {
            return found;
        }
        self.go_over(skeleton, model, goal, options.leap + asked, found, pose)
    }

    /// Takes back what is too much of the step to the pose found; `most` is how far a
    /// joint may turn in it.
    fn go_over(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        most: Real,
        found: LimbReport,
        pose: &mut Pose,
    ) -> LimbReport {
        if matches!(found.outcome.cause, Some(Cause::NotFinite { .. } | Cause::Mismatch)) {
            return found;
        }
        let from = self.limb.joints().upper.index();
        let end = self.limb.joints().end;
        let mut left: Real = 0.0;
        for (i, &before) in self.before.iter().enumerate() {
            let Some(id) = skeleton.id(from + i) else { continue };
            let wanted = pose.rotation(id);
            let stays = id == end && self.end_stays(skeleton, model, goal, before, pose);
            let now = if stays { before } else { step_within(skeleton.joint(id), before, wanted, most) };
            if !stays {
                left = left.max(rotation::angle(now.conjugate() * wanted));
            }
            pose.set_rotation(id, now);
        }
        match left > HAIR && found.outcome.residual.position <= self.limb.tolerance().position {
            true => {
                let cause = Some(Cause::Underway { goal: GoalId(0), turn: left });
                let outcome = Outcome { status: Status::NotReached, cause, ..found.outcome };
                LimbReport { outcome, ..found }
            }
            false => found,
        }
    }

    /// Whether a hand or foot stays at the end of its range rather than go to the other:
    /// one that is asked to turn further than it can is nearly as near at both ends when
    /// it is asked for the middle between them, and would go to and fro.
    fn end_stays(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        before: Quat,
        pose: &Pose,
    ) -> bool {
        let Some(orientation) = goal.orientation else { return false };
        let joints = self.limb.joints();
        let mut above = skeleton.parent(joints.upper).map_or(Quat::IDENTITY, |p| model.rotation(p));
        for i in joints.upper.index()..joints.end.index() {
            let Some(id) = skeleton.id(i).filter(|id| skeleton.is_ancestor(*id, joints.end)) else {
                continue;
            };
            above = above * skeleton.joint(id).rest().rotation * pose.rotation(id);
        }
        let wanted = (above * skeleton.joint(joints.end).rest().rotation).conjugate() * orientation;
        let off = |q: Quat| rotation::angle(q.conjugate() * wanted);
        let found = off(pose.rotation(joints.end));
        found > CLEARLY && off(before) < found + CLEARLY
    }

    /// By how much the goal's own move turns the joints: its direction, the bend for its
    /// distance, and its orientation.
    fn asked(&self, skeleton: &Skeleton, model: &ModelPose, goal: &LimbGoal) -> Real {
        let rest = skeleton.joint(self.limb.joints().upper).rest();
        let (before, now) = (self.asked, Asked::new(&self.limb, skeleton, model, goal));
        let ((place, turn), (place_now, turn_now)) = (before.seen(rest), now.seen(rest));
        let line = |v: Vec3| direction_or(v, Vec3::ZERO);
        let turned = match (turn, turn_now) {
            (Some(a), Some(b)) => rotation::angle(a.conjugate() * b),
            _ => 0.0,
        };
        rotation::angle_between(line(place), line(place_now))
            + (self.limb.bend_at(place) - self.limb.bend_at(place_now)).abs()
            + turned
    }

    /// Keeps what this frame asks, for the next.
    #[inline]
    pub(super) fn keep_asked(&mut self, skeleton: &Skeleton, model: &ModelPose, goal: &LimbGoal) {
        self.asked = Asked::new(&self.limb, skeleton, model, goal);
    }
}

/// A goal, and where what carries the limb stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked {
    goal: LimbGoal,
    above: Transform,
}

impl Asked {
    pub(super) const NOTHING: Self =
        Self { goal: LimbGoal { position: Vec3::ZERO, orientation: None }, above: Transform::IDENTITY };

    #[inline]
    fn new(limb: &Limb, skeleton: &Skeleton, model: &ModelPose, goal: &LimbGoal) -> Self {
        let above = skeleton.parent(limb.joints().upper).map_or(Transform::IDENTITY, |p| model.transform(p));
        Self { goal: *goal, above }
    }

    /// Position and orientation as the base's rest frame sees them.
    fn seen(&self, rest: Transform) -> (Vec3, Option<Quat>) {
        let frame = self.above * rest;
        let back = frame.rotation.conjugate();
        let turn = self.goal.orientation.map(|q| back * q);
        (back * (self.goal.position - frame.translation), turn)
    }
}

/// Writes the rotations of joints that follow each other.
fn put(skeleton: &Skeleton, from: usize, rotations: &[Quat], pose: &mut Pose) {
    for (i, &rotation) in rotations.iter().enumerate() {
        if let Some(id) = skeleton.id(from + i) {
            pose.set_rotation(id, rotation);
        }
    }
}

/// From one allowed rotation towards another by no more than `most`, allowed itself.
///
/// The shortest way keeps the wrist nearest to its place, but projected onto the limit it
/// may lead back to where it came from: at the pole of an Euler limit the nearest allowed
/// rotation is round the corner. In the coordinates of the limit itself, angles or swing
/// and twist, the allowed set is a box or nearly convex, and a straight line leads there. So
/// the shortest way is gone as long as it brings those coordinates nearer, else the line.
fn step_within(joint: &Joint, from: Quat, to: Quat, most: Real) -> Quat {
    let way = rotation::log(from.conjugate() * to);
    let length = way.length();
    if length <= most {
        return to;
    }
    let turned = |q: Quat| rotation::angle(from.conjugate() * q);
    let straight = joint.project((from * rotation::exp(way * (most / length))).normalize());
    let line = Line::new(joint, from, to);
    let nearer = Line::new(joint, straight, to).length() < line.length() - PROGRESS * most;
    if nearer && turned(straight) <= 1.01 * most {
        return straight;
    }
    // No coordinate turns the joint by more than itself.
    let mut part = (most / line.length().max(TINY)).min(1.0);
    let mut there = line.at(part);
    for _ in 0..3 {
        // Angles that cancel: further along the line it has turned no more than this.
        let further = (part * (most / turned(there).max(TINY)).clamp(1.0, 4.0)).min(1.0);
        let next = line.at(further);
        if turned(next) > 1.01 * most {
            break;
        }
        (part, there) = (further, next);
    }
    let inside = joint.project(there);
    let gone = turned(inside);
    // An inward corner of a limit, or a rotation that was not allowed before.
    if gone > 0.1 * most && gone <= 1.5 * most { inside } else { to }
}

/// From one rotation to another in the coordinates of a joint's limit.
enum Line<'a> {
    Angles(&'a EulerLimit, [Real; 3], [Real; 3]),
    SwingTwist(&'a SwingTwistLimit, SwingTwist, SwingTwist),
    Hinge(Vec3, Quat, Real),
    Free(Quat, Vec3),
}

impl<'a> Line<'a> {
    fn new(joint: &'a Joint, from: Quat, to: Quat) -> Self {
        match &joint.limit().shape {
            LimitShape::Euler(limit) => {
                let (a, b) = (limit.angles(from), limit.angles(to));
                Self::Angles(limit, a, [0, 1, 2].map(|i| limit.ranges[i].way(a[i], b[i])))
            }
            LimitShape::SwingTwist(limit) => {
                let [a, b] = [from, to].map(|q| SwingTwist::from_quat(limit.to_frame(q)));
                let twist = match limit.twist {
                    Some(range) => range.way(a.twist, b.twist),
                    None => wrap_angle(b.twist - a.twist),
                };
                Self::SwingTwist(limit, a, SwingTwist { swing: b.swing - a.swing, twist })
            }
            LimitShape::Hinge(limit) => {
                let [a, b] = [from, to].map(|q| rotation::angle_about(limit.axis, q));
                Self::Hinge(limit.axis, from, limit.range.way(a, b))
            }
            _ => Self::Free(from, rotation::log(from.conjugate() * to)),
        }
    }

    fn length(&self) -> Real {
        match self {
            Self::Angles(_, _, ways) => ways.iter().map(|w| w.abs()).sum(),
            Self::SwingTwist(_, _, way) => way.swing.length() + way.twist.abs(),
            Self::Hinge(_, _, way) => way.abs(),
            Self::Free(_, way) => way.length(),
        }
    }

    fn at(&self, part: Real) -> Quat {
        match *self {
            Self::Angles(limit, from, ways) => limit.to_quat([0, 1, 2].map(|i| from[i] + ways[i] * part)),
            Self::SwingTwist(limit, from, way) => {
                let swing = from.swing + way.swing * part;
                let there = SwingTwist { swing, twist: from.twist + way.twist * part };
                limit.from_frame(there.to_quat()).normalize()
            }
            Self::Hinge(axis, from, way) => (from * rotation::about(axis, way * part)).normalize(),
            Self::Free(from, way) => (from * rotation::exp(way * part)).normalize(),
        }
    }
}
