//! What stood in the way, found from the pose that a solver returned.
//!
//! Solvers do not explain themselves: whatever the method, the cause is read
//! off the geometry of the result, so that the same failure has the same name
//! everywhere. The questions are asked in order of certainty:
//!
//! 1. Can anything move the effector at all?
//! 2. Is the target outside of the shell that the stretched or folded chain
//!    can reach? That is exact.
//! 3. Which joint is pressed against its limit by this goal, and which other
//!    goal pulls the shared joints the other way? The torque of a goal on a
//!    joint is the descent direction of its error; the stronger of the two
//!    obstacles is named. Bounds on the whole body (balance, clearance, speed) are asked the same
//!    way (`Descent::pressed`).
//! 4. Otherwise the solver ran out of budget, or sits in a local minimum.

use super::frame::Stop;
use crate::goal::{Goal, GoalId, GoalSet};
use crate::limit::{LimitComponent, LimitShape, SLACK};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Tolerance};
use crate::skeleton::{JointId, JointKind, Skeleton};

/// Names what keeps the goal `worst` from being met by this pose. `inset` is how
/// far the solver keeps joints off the edges of their limits, in radians, `bound` what else holds
/// the goal back and how hard it presses against it.
#[allow(clippy::too_many_arguments)] // all that is at hand when a solve ends
pub(crate) fn cause(
    skeleton: &Skeleton,
    goals: &GoalSet,
    pose: &Pose,
    model: &ModelPose,
    worst: GoalId,
    tolerance: Tolerance,
    stop: Stop,
    inset: Real,
    bound: Option<(Cause, Real)>,
) -> Cause {
    let Some(goal) = goals.get(worst) else { return Cause::Mismatch };
    let movers = [Some(goal.effector.joint), goal.relative_to].into_iter().flatten();
    let moved = |j: &JointId| super::turn::moves(skeleton.joint(*j)) && goal.is_moved_by(skeleton, *j);
    if !movers.flat_map(|end| skeleton.ancestors(end)).any(|j| moved(&j)) {
        return Cause::NoFreedom { goal: worst };
    }
    // With an axis that does not matter the target is a line or a plane.
    let target = goal.target.position().filter(|_| goal.position_axes.min_element() > 0.0);
    let target = target.filter(|_| goal.relative_to.is_none());
    if let (Some(shell), Some(target)) = (Shell::of(skeleton, model, goal), target) {
        let distance = target.distance(shell.centre);
        if distance > shell.outer + tolerance.position {
            return Cause::OutOfReach { goal: worst, by: distance - shell.outer };
        }
        if distance < shell.inner - tolerance.position {
            return Cause::TooClose { goal: worst, by: shell.inner - distance };
        }
    }
    let goal = &goal.in_model_space(model);
    let blocked = strongest_block(skeleton, pose, model, goal, NUDGE + 2.0 * inset);
    let rival = strongest_rival(skeleton, goals, model, worst, goal);
    let limits = blocked.map_or(0.0, |(_, _, press)| press);
    let others = limits.max(rival.map_or(0.0, |(_, pull)| pull));
    if let Some((cause, press)) = bound {
        // Whether goals exclude each other cannot be told of joints that had no time to move.
        let least = if matches!(cause, Cause::Speed { .. }) { limits } else { others };
        if press >= least {
            return cause;
        }
    }
    match (blocked, rival) {
        (Some((joint, component, press)), rival) if rival.is_none_or(|(_, pull)| press >= pull) => {
            Cause::Limit { goal: worst, joint, component }
        }
        (_, Some((with, _))) => Cause::Conflict { goal: worst, with },
        _ => match stop {
            Stop::Iterations => Cause::IterationBudget,
            Stop::Expired => Cause::TimeBudget,
            Stop::Stalled | Stop::Converged => Cause::Stalled { goal: worst },
        },
    }
}

/// Where the effector can be at all: between two spheres about the first joint
/// that turns.
pub(crate) struct Shell {
    /// The joint's place.
    pub(crate) centre: Vec3,
    /// No nearer than this.
    pub(crate) inner: Real,
    /// No further than this.
    pub(crate) outer: Real,
}

impl Shell {
    /// `None` if the chain can slide or travel freely, where no shell bounds it.
    pub(crate) fn of(skeleton: &Skeleton, model: &ModelPose, goal: &Goal) -> Option<Self> {
        let mut end = goal.effector.transform(model).translation;
        let (mut total, mut longest) = (0.0, 0.0 as Real);
        let mut centre = None;
        for id in skeleton.ancestors(goal.effector.joint) {
            let joint = skeleton.joint(id);
            if joint.kind().slides() && super::turn::moves(joint) {
                return None;
            }
            if joint.kind().turns() && super::turn::moves(joint) {
                // Rigid from one turning joint to the next.
                let start = model.position(id);
                let length = start.distance(end);
                total += length;
                longest = longest.max(length);
                end = start;
                centre = Some(start);
            }
        }
        Some(Self { centre: centre?, inner: (2.0 * longest - total).max(0.0), outer: total })
    }
}

/// The turn about a joint that lessens a goal's error, in model space: the
/// torque of its position error and its orientation error.
fn torque(goal: &Goal, model: &ModelPose, joint: JointId) -> Vec3 {
    let now = goal.effector.transform(model);
    let mut turn = Vec3::ZERO;
    if let Some(p) = goal.target.position() {
        let weight = goal.position_weight * goal.position_weight;
        let error = (p - now.translation) * goal.position_axes;
        turn += (now.translation - model.position(joint)).cross(error) * weight;
    }
    if let Some(q) = goal.target.orientation(now) {
        let weight = goal.orientation_weight * goal.orientation_weight;
        turn += rotation::log(q * now.rotation.conjugate()) * weight;
    }
    turn
}

/// The joint that the goal presses hardest against its limit, and how hard.
fn strongest_block(
    skeleton: &Skeleton,
    pose: &Pose,
    model: &ModelPose,
    goal: &Goal,
    nudge: Real,
) -> Option<(JointId, LimitComponent, Real)> {
    let mut worst: Option<(JointId, LimitComponent, Real)> = None;
    for id in skeleton.ancestors(goal.effector.joint).filter(|&j| super::turn::moves(skeleton.joint(j))) {
        let joint = skeleton.joint(id);
        let push = torque(goal, model, id);
        let frame = model.rest_frame(skeleton, id);
        let found = match (&joint.limit().shape, joint.kind()) {
            (LimitShape::None, _) => None,
            (LimitShape::Prismatic(l), JointKind::Prismatic { axis }) => {
                let d = axis.dot(pose.translation(id));
                let now = goal.effector.transform(model);
                let pull = goal.target.position().map_or(0.0, |p| (frame * axis).dot(p - now.translation));
                let stuck = (pull > 0.0 && d >= l.max - SLACK) || (pull < 0.0 && d <= l.min + SLACK);
                stuck.then_some((LimitComponent::Displacement, pull.abs()))
            }
            _ => {
                let strength = push.length();
                let q = pose.rotation(id);
                // A small turn the way the goal wants; what the limit takes
                // away of it is how hard the joint is pressed.
                let small = (frame.conjugate() * push) * (nudge / strength.max(TINY));
                let tried = (rotation::exp(small) * q).normalize();
                let tried = crate::limit::to_kind(joint.kind(), tried);
                let lost = joint.limit().violation(tried);
                let component = joint.limit().nearest_component(tried).map(|(c, _)| c);
                component.filter(|_| lost > 0.1 * NUDGE).map(|c| (c, strength * lost / nudge))
            }
        };
        if let Some((component, press)) = found
            && worst.is_none_or(|(_, _, w)| press > w)
        {
            worst = Some((id, component, press));
        }
    }
    worst
}

/// How far the pose is nudged to see what blocks it, in radians: above the
/// rounding of a limit in single precision, below anything visible.
const NUDGE: Real = 2.0e-3;

/// The goal that pulls shared joints hardest against this one, and how hard.
fn strongest_rival(
    skeleton: &Skeleton,
    goals: &GoalSet,
    model: &ModelPose,
    id: GoalId,
    goal: &Goal,
) -> Option<(GoalId, Real)> {
    let mut worst: Option<(GoalId, Real)> = None;
    for (other_id, other) in goals.iter().filter(|(other, _)| *other != id) {
        let other = &other.in_model_space(model);
        for joint in skeleton.ancestors(goal.effector.joint) {
            if !skeleton.is_ancestor(joint, other.effector.joint)
                || !super::turn::moves(skeleton.joint(joint))
            {
                continue;
            }
            let (mine, theirs) = (torque(goal, model, joint), torque(other, model, joint));
            let length = mine.length().max(TINY);
            let mut against = -mine.dot(theirs) / length;
            if skeleton.joint(joint).kind() == JointKind::Free {
                // A root that travels is pulled by the errors themselves.
                let error = |g: &Goal| {
                    g.target.position().map_or(Vec3::ZERO, |p| p - g.effector.transform(model).translation)
                };
                let (a, b) = (error(goal), error(other));
                against = against.max(-a.dot(b) / a.length().max(TINY));
            }
            // Pulls that hardly oppose are no conflict.
            if against > 0.25 * length && worst.is_none_or(|(_, w)| against > w) {
                worst = Some((other_id, against));
            }
        }
    }
    worst
}
