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
//! Never the limit: that limits hold is what everything else is built on. A small
//! jump is taken, since it is over at once and the hand stays where it is: up to
//! [`SixPointOptions::leap`](super::SixPointOptions::leap) in one frame, besides what
//! the goal's direction and distance turn the joints. Of a larger one each frame takes
//! as much as that, along rotations that the limits allow, and meanwhile the wrist
//! is on its way to its place: the report says
//! [`Underway`](crate::analytic::LimbOutcome::Underway) and by how much it is missed.
//!
//! # The bound
//! From one frame to the next no joint of a limb turns by more than `leap` besides
//! what its goal asks of it, unless the limit is of a shape with an inward corner
//! round which no such step leads; then it goes at once.

use super::Branch;
use crate::analytic::{LimbGoal, LimbOutcome, LimbReport};
use crate::limit::{EulerLimit, LimitShape, SwingTwistLimit};
use crate::math::swing_twist::SwingTwist;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::{Joint, Skeleton};

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

    /// Whether a joint has turned by more than this since.
    #[inline]
    pub(super) fn jumps(&self, pose: &Pose, turn: Real) -> bool {
        let from = self.limb.joints().upper.index();
        // The cosine of half the angle, to the fourth order.
        let half = 0.25 * turn * turn;
        let least = 1.0 - 0.5 * half + half * half / 24.0;
        self.before.iter().zip(&pose.rotations()[from..]).any(|(a, b)| a.dot(*b).abs() < least)
    }

    /// Takes back what is too much of the step to the pose found; `leap` is how far a
    /// joint may turn by itself.
    #[inline(never)]
    pub(super) fn go_over(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        leap: Real,
        found: LimbReport,
        pose: &mut Pose,
    ) -> LimbReport {
        if matches!(found.outcome, LimbOutcome::NotFinite | LimbOutcome::Mismatch) {
            return found;
        }
        let most = leap + self.asked(&self.seen(skeleton, model, goal));
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
        match left > HAIR && found.residual.position <= self.limb.tolerance().position {
            true => LimbReport { outcome: LimbOutcome::Underway { turn: left }, ..found },
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
    fn asked(&self, now: &Seen) -> Real {
        let before = &self.goal;
        let line = |v: Vec3| direction_or(v, Vec3::ZERO);
        let turned = match (before.turn, now.turn) {
            (Some(a), Some(b)) => rotation::angle(a.conjugate() * b),
            _ => 0.0,
        };
        rotation::angle_between(line(before.place), line(now.place))
            + (self.limb.bend_at(before.place) - self.limb.bend_at(now.place)).abs()
            + turned
    }

    /// The goal as the base's rest frame sees it.
    #[inline]
    pub(super) fn seen(&self, skeleton: &Skeleton, model: &ModelPose, goal: &LimbGoal) -> Seen {
        let upper = self.limb.joints().upper;
        let parent = skeleton.parent(upper).map_or(Transform::IDENTITY, |p| model.transform(p));
        let frame = parent.then(skeleton.joint(upper).rest());
        let back = frame.rotation.conjugate();
        Seen { place: back * (goal.position - frame.translation), turn: goal.orientation.map(|q| back * q) }
    }
}

/// A goal as the base of a limb sees it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    place: Vec3,
    turn: Option<Quat>,
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
