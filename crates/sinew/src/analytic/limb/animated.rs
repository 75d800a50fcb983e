//! A limb over an animation: poses that are there already, a part of the way, bones that
//! the animation has shifted.
//!
//! # Influence
//! The limb makes a pose of its own (a pure flexion, the twist divided by rule), which an
//! animation's is not. Going a part of the way to a target that way would change over to the
//! limb's pose at once. So the target is solved for in full, and the limb goes a part of the way from
//! the pose given to the solution: all joints but the base by their own shortest turns, and the
//! base so that the direction from base to end goes along the shortest arc, with the swivel
//! angle changing evenly. As the distance and the direction each approach those of the target, so does
//! the end. With an orientation the end joint keeps the end on the shortest turn.
//!
//! Nothing of this is chosen anew at each influence, so that nothing jumps as it grows. Where a limit is in
//! the way, a joint goes as near to its wish as the limit allows, seen from the limit's own path.
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
            let start = self.end_from_base(pose);
            let mut given = [Quat::IDENTITY; MOST_JOINTS];
            for (q, joint) in given.iter_mut().zip(self.written()) {
                *q = pose.rotation(joint);
            }
            self.solve(skeleton, model, target, swivel, pose);
            self.go_back(skeleton, &given, start, influence, circle.orientation.is_some(), pose);
        }
        self.stays(&circle, circle.last_swivel(pose), pose)
    }

    /// From the solution in `pose` back to a part of the way from the rotations that were given, with
    /// which the end stood at `start`, seen from the base's rest frame. With `turns` the end joint keeps
    /// the end's orientation on its way.
    fn go_back(
        &self,
        skeleton: &Skeleton,
        given: &[Quat],
        start: Transform,
        part: Real,
        turns: bool,
        pose: &mut Pose,
    ) {
        let LimbJoints { upper, end, .. } = self.joints;
        let put = |pose: &mut Pose, joint: JointId, from: Quat, wish: Quat| {
            let q = skeleton.joint(joint).part_of_the_way(from, pose.rotation(joint), part, wish);
            pose.set_rotation(joint, q);
        };
        let between =
            |from: Quat, to: Quat| from * rotation::exp(rotation::log(from.conjugate() * to) * part);
        // Where the end is, in the base's frame.
        let seen =
            |end: Transform, base: Quat| direction_or(base.conjugate() * end.translation, self.upper_unit);
        let (was, found, found_end) = (given[0], pose.rotation(upper), pose.rotation(end));
        let stood = self.end_from_base(pose);
        let (first, last) = (seen(start, was), seen(stood, found));
        // The base that was given, turned the shortest way so that an end seen in this direction
        // stands where the end was, and then by `turn`.
        let carried = |own: Vec3, turn: Quat| turn * was * rotation::between(own, first, self.plane);
        let line = found * last;
        let turn = rotation::between(was * first, line, was * self.plane);
        let mut swivel = rotation::angle_about(line, found * carried(last, turn).conjugate());
        // Of the two ways round, the one that the limit's own path takes.
        let goes_to = rotation::about(line, swivel) * carried(last, turn);
        if goes_to.dot(skeleton.joint(upper).carried_along(was, found)) < 0.0 {
            swivel -= TAU.copysign(swivel);
        }
        for (&from, joint) in given.iter().zip(self.written()).skip(1) {
            put(pose, joint, from, between(from, pose.rotation(joint)));
        }
        let own = seen(self.end_from_base(pose), found);
        let base = carried(own, between(Quat::IDENTITY, turn));
        put(pose, upper, was, rotation::about(base * own, part * swivel) * base);
        if turns {
            let above = self.end_from_base(pose).rotation * pose.rotation(end).conjugate();
            pose.set_rotation(end, found_end);
            put(pose, end, given[2], above.conjugate() * between(start.rotation, stood.rotation));
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
        goes_on: bool,
        pose: &mut Pose,
    ) -> LimbReport {
        let goal = match self.prepare(skeleton, model, target, pose) {
            Ok(circle) if swivel == Swivel::Last && self.is_there(&circle, pose) => {
                return self.stays(&circle, circle.last_swivel(pose), pose);
            }
            Ok(circle) => circle.goal,
            Err(cause) => return refused(cause),
        };
        let goes_on = goes_on || matches!(swivel, Swivel::Last | Swivel::Towards { .. });
        let mut aim = goal;
        let mut report = refused(Cause::Stalled { goal: GOAL });
        for _ in 0..ROUNDS {
            report = self.solve_at_rest_lengths(skeleton, model, &aim.target(), swivel, goes_on, pose);
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
