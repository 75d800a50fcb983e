//! A limb over an animation: poses that are there already, a part of the way, bones that
//! the animation has shifted.
//!
//! # Influence
//! The limb makes a pose of its own (a pure flexion, the twist divided by rule), which an
//! animation's is not. Going a part of the way to a target that way would change over to the
//! limb's pose at once. So the target is solved for in full, each joint goes the part of
//! its way from the rotation that it has, and the end is then put on the straight way by the
//! least change: nothing at 0, the solution at 1, and the miss falls all the way.
//!
//! # Shifted bones
//! The closed form knows the bones as they are at rest. Where a file shifts them, the target
//! is moved by what the shifted limb misses, and solved for again. What a shift adds turns
//! with the bones, so that each round leaves a part of the miss that is about as small as the shift is
//! beside the bones; a few rounds settle it.

use super::circle::SwivelCircle;
use super::{GOAL, Limb, LimbGoal, LimbReport, Swivel, apart, refused};
use crate::goal::Target;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, GoalResidual, Outcome, Status};
use crate::skeleton::humanoid::LimbJoints;
use crate::skeleton::{JointId, Skeleton};

/// The most joints that a limb writes: base, middle and end, and what twists with them.
pub(super) const MOST_JOINTS: usize = 32;
/// Rounds for shifted bones; shifts of a third of a bone take ten.
const ROUNDS: usize = 16;

impl Limb {
    /// [`solve`](Self::solve) with an influence from 0 to 1: how much of the way from the
    /// pose given is gone. 0 leaves every bit, 1 is `solve`.
    pub fn solve_in_part(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        influence: Real,
        swivel: Swivel,
        pose: &mut Pose,
    ) -> LimbReport {
        if influence >= 1.0 {
            return self.solve(skeleton, model, target, swivel, pose);
        }
        let circle = match self.prepare(skeleton, model, target, pose) {
            Ok(circle) => circle,
            Err(cause) => return refused(cause),
        };
        // Not a number is no influence.
        if influence > 0.0 && !self.is_there(&circle, pose) {
            let from = self.end_from_base(pose);
            let mut given = [Quat::IDENTITY; MOST_JOINTS];
            for (q, joint) in given.iter_mut().zip(self.written()) {
                *q = pose.rotation(joint);
            }
            self.solve(skeleton, model, target, swivel, pose);
            let to = Target::Pose(self.end_from_base(pose));
            for (from, joint) in given.iter().zip(self.written()) {
                let turn = rotation::log(from.conjugate() * pose.rotation(joint)) * influence;
                pose.set_rotation(joint, rotation::normalize_or_identity(*from * rotation::exp(turn)));
            }
            if let Target::Pose(end) = to.part_of_the_way(from, influence) {
                let turns = circle.orientation.is_some();
                // Not at the ends, where it is nothing anyway: beside full extension the bend goes
                // like the root of the distance, and would begin with a jump.
                let part = (8.0 * influence * (1.0 - influence)).min(1.0);
                self.put_end(skeleton, end, part, turns, &given, pose);
            }
        }
        self.stays(&circle, circle.last_swivel(pose), pose)
    }

    /// Brings the end from where it is to a place near by, given in the base's rest frame, by
    /// the least change: the middle joint bends until the distance is right, the base turns the
    /// shortest way, and with `turns` the end joint takes the orientation; of each a part.
    /// Joints that were given within their limits stay within.
    fn put_end(
        &self,
        skeleton: &Skeleton,
        place: Transform,
        part: Real,
        turns: bool,
        given: &[Quat],
        pose: &mut Pose,
    ) {
        let LimbJoints { upper, lower, end } = self.joints;
        let above = |joint| skeleton.parent(joint).unwrap_or(upper);
        let put = |pose: &mut Pose, joint: JointId, was: Quat, q: Quat| {
            let limited = skeleton.joint(joint);
            let q = rotation::normalize_or_identity(q);
            let inside = limited.project(was) == was;
            pose.set_rotation(joint, if inside { limited.project(q) } else { q });
        };
        // The end in the middle joint's frame, and that frame at rest in the base's frame.
        let mut bone = Vec3::ZERO;
        let mut joint = end;
        while joint != lower && joint != upper {
            bone = pose.local(skeleton, joint).transform_point(bone);
            joint = above(joint);
        }
        let rest = skeleton.joint(lower).rest();
        let mut mid = Transform::new(rest.transform_point(pose.translation(lower)), rest.rotation);
        let mut joint = above(lower);
        while joint != upper {
            mid = pose.local(skeleton, joint) * mid;
            joint = above(joint);
        }
        // |m + R(a, δ) l|² is a constant, a cosine and a sine of δ.
        let (axis, bend) = (self.bend.axis, pose.rotation(lower));
        let (m, l) = (mid.rotation.conjugate() * mid.translation, bend * bone);
        let along = m.dot(axis) * axis.dot(l);
        let (cos, sin) = (m.dot(l) - along, m.dot(axis.cross(l)));
        let (size, phase) = (cos.hypot(sin), sin.atan2(cos));
        let wanted = 0.5 * (place.translation.length_squared() - m.length_squared() - l.length_squared());
        let mut turn = 0.0;
        if size > TINY {
            let apart = ((wanted - along) / size).clamp(-1.0, 1.0).acos();
            // `phase` is straight; from there the limb bends one way.
            turn = wrap_angle(phase + self.bend.sense * apart);
        }
        put(pose, lower, given[1], rotation::about(axis, turn * part) * bend);
        let from = self.end_from_base(pose).translation;
        let shortest = rotation::between(
            direction_or(from, Vec3::Y),
            direction_or(place.translation, Vec3::Y),
            self.plane,
        );
        let shortest = rotation::exp(rotation::log(shortest) * part);
        put(pose, upper, given[0], shortest * pose.rotation(upper));
        if turns {
            let now = self.end_from_base(pose).rotation;
            let own = pose.rotation(end);
            let turn = rotation::log(now.conjugate() * place.rotation) * part;
            put(pose, end, given[2], own * rotation::exp(turn));
        }
    }

    /// Whether the pose given meets the goal.
    pub(super) fn is_there(&self, circle: &SwivelCircle<'_>, pose: &Pose) -> bool {
        circle.residual(self.end_from_base(pose)).within(self.tolerance)
    }

    /// The report of a pose that was not solved for the goal itself.
    pub(super) fn stays(&self, circle: &SwivelCircle<'_>, swivel: Real, pose: &Pose) -> LimbReport {
        let residual = circle.residual(self.end_from_base(pose));
        let outcome = match residual.within(self.tolerance) {
            true => Outcome { status: Status::Reached, cause: None, residual },
            false => {
                let cause = Some(Cause::Faded { goal: GOAL });
                Outcome { status: Status::NotReached, cause, residual }
            }
        };
        LimbReport { outcome, swivel, tests: 0 }
    }

    /// Whether the pose shifts a joint below the base.
    #[inline]
    pub(super) fn is_shifted(&self, pose: &Pose) -> bool {
        let shifted =
            |joint: JointId| pose.translations.get(joint.index()).is_some_and(|shift| *shift != Vec3::ZERO);
        shifted(self.joints.lower)
            || shifted(self.joints.end)
            || self.upper_links.iter().chain(&self.lower_links).any(|link| shifted(link.joint))
    }

    /// Solves for bones that the pose shifts; see the module's text.
    #[cold]
    pub(super) fn solve_shifted(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        mut swivel: Swivel,
        pose: &mut Pose,
    ) -> LimbReport {
        let goal = match self.prepare(skeleton, model, target, pose) {
            Ok(circle) if swivel == Swivel::Last && self.is_there(&circle, pose) => {
                return self.stays(&circle, circle.last_swivel(pose), pose);
            }
            Ok(circle) => circle.goal,
            Err(cause) => return refused(cause),
        };
        let mut aim = goal;
        let mut report = refused(Cause::Stalled { goal: GOAL });
        for _ in 0..ROUNDS {
            report = self.solve_at_rest_lengths(skeleton, model, &aim.target(), swivel, pose);
            let Ok(circle) = self.prepare(skeleton, model, &goal.target(), pose) else { break };
            let end = self.end_from_base(pose);
            let residual = circle.residual(end);
            report.outcome.residual = residual;
            if residual.within(self.tolerance) {
                report.outcome.status = Status::Reached;
                report.outcome.cause = None;
                break;
            }
            report.outcome.status = Status::NotReached;
            report.outcome.cause = report.outcome.cause.or(Some(Cause::Stalled { goal: GOAL }));
            // The same side from round to round.
            swivel = Swivel::Preferred(report.swivel);
            let missed = circle.frame.rotation * (circle.target - end.translation);
            aim = LimbGoal { position: aim.position + missed, ..goal };
        }
        report
    }
}

impl SwivelCircle<'_> {
    /// How far the goal is from an end that stands here, seen from the base's rest frame.
    #[inline]
    pub(super) fn residual(&self, end: Transform) -> GoalResidual {
        GoalResidual {
            position: end.translation.distance(self.target),
            orientation: self.orientation.map_or(0.0, |q| apart(end.rotation, q)),
        }
    }
}
