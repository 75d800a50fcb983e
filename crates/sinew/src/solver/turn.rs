//! The best motion of one joint for some goals, in closed form.
//!
//! This is the step that coordinate descent repeats: every other joint held,
//! where should this one go? A goal becomes pairs of vectors about the joint's
//! origin (its position one pair, its orientation a pair for each axis), and
//! the pairs become a [`Superposition`]: Wahba's problem for a ball, a planar
//! problem for a hinge (Gjoni, sections 4-6). CCD gives it one goal, EWBIK all
//! that hang on the joint.

use super::ewbik::BasisScale;
use crate::goal::{Goal, Target};
use crate::limit;
use crate::math::superpose::Superposition;
use crate::math::*;
use crate::skeleton::{Joint, JointKind};

/// The points about which the two sides of a pair are taken: for a joint that
/// only turns both are its origin, for one that also travels they are the
/// weighted means of the effectors and of the targets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pivot {
    /// Subtracted from where an effector is.
    pub(crate) effectors: Vec3,
    /// Subtracted from where it should be.
    pub(crate) targets: Vec3,
}

impl Pivot {
    /// The same point for both.
    #[inline]
    pub(crate) const fn at(origin: Vec3) -> Self {
        Self { effectors: origin, targets: origin }
    }
}

/// Where a goal wants its effector, if it wants it anywhere: an axis without
/// weight keeps the coordinate that it has.
#[inline]
pub(crate) fn wanted_position(goal: &Goal, effector: Transform) -> Option<Vec3> {
    let p = goal.target.position().filter(|_| goal.position_weight > 0.0)?;
    Some(effector.translation + (p - effector.translation) * goal.position_axes.min(Vec3::ONE))
}

/// Adds what a goal wants of a turn about the pivot.
#[inline]
pub(crate) fn add_goal(
    sums: &mut Superposition,
    goal: &Goal,
    effector: Transform,
    pivot: Pivot,
    scale: BasisScale,
) {
    let from = effector.translation - pivot.effectors;
    let mut reach = from.length_squared();
    if let Some(wanted) = wanted_position(goal, effector) {
        let to = wanted - pivot.targets;
        reach = to.length_squared();
        let points = if asks_for_frame(goal) { scale.origin_points() } else { 1.0 };
        sums.add(from, to, points * goal.position_weight * goal.position_weight);
    }
    let weight = goal.orientation_weight * goal.orientation_weight;
    if weight > 0.0 {
        let weight = weight * scale.basis_weight(reach);
        match goal.target {
            Target::Position(_) => {}
            Target::Orientation(q) => sums.add_frames(effector.rotation, q, axis_weights(goal) * weight),
            Target::Pose(t) => sums.add_frames(effector.rotation, t.rotation, axis_weights(goal) * weight),
            Target::Aim { .. } | Target::Contact { .. } => {
                if let Some((own, wanted)) = goal.target.direction(effector) {
                    sums.add(effector.rotation * own, wanted, weight);
                }
            }
        }
    }
}

/// Whether the goal wants a place and an orientation at once.
#[inline]
fn asks_for_frame(goal: &Goal) -> bool {
    goal.orientation_weight > 0.0 && matches!(goal.target, Target::Pose(_))
}

/// How much each basis vector must weigh so that a turn about axis i costs
/// what the goal's weight for axis i says: a turn about x moves y and z.
#[inline]
fn axis_weights(goal: &Goal) -> Vec3 {
    let k = goal.orientation_axes * goal.orientation_axes;
    let half_sum = 0.5 * (k.x + k.y + k.z);
    (Vec3::splat(half_sum) - k).max(Vec3::ZERO)
}

/// The rotation of the joint that serves the sums best within its kind, limit
/// and the largest step allowed; `frame` is the model rotation that the joint's
/// own rotation starts from, `now` its own rotation.
#[inline]
pub(crate) fn best_rotation(
    joint: &Joint,
    sums: &Superposition,
    frame: Quat,
    now: Quat,
    largest_step: Real,
) -> Quat {
    let clamp = |angle: Real| angle.clamp(-largest_step, largest_step);
    let wanted = match joint.kind() {
        JointKind::Fixed | JointKind::Prismatic { .. } => return now,
        JointKind::Hinge { axis } => {
            let step = clamp(sums.best_angle(frame * axis));
            rotation::about(axis, step) * now
        }
        JointKind::Universal { first, second } => {
            // One angle, then the other as the first has left it.
            let (a, b) = limit::universal_angles(first, second, now);
            let da = clamp(sums.best_angle(frame * first));
            let turned = sums.turned(rotation::about(frame * first, da));
            let carried = frame * rotation::about(first, a + da) * second;
            let db = clamp(turned.best_angle(carried));
            rotation::about(first, a + da) * rotation::about(second, b + db)
        }
        JointKind::Ball | JointKind::Free => free_turn(sums, frame, now, largest_step),
    };
    joint.limit().soften(wanted.normalize())
}

/// The same as section 8 of EWBIK has it, whatever the joint's kind: the best free rotation,
/// clamped, and then the nearest that kind and limit allow.
pub(crate) fn best_free_rotation(
    joint: &Joint,
    sums: &Superposition,
    frame: Quat,
    now: Quat,
    largest_step: Real,
) -> Quat {
    match joint.kind() {
        JointKind::Fixed | JointKind::Prismatic { .. } => now,
        kind => {
            let wanted = free_turn(sums, frame, now, largest_step).normalize();
            joint.limit().soften(limit::to_kind(kind, wanted))
        }
    }
}

/// The joint's own rotation after the best free turn, clamped.
#[inline]
fn free_turn(sums: &Superposition, frame: Quat, now: Quat, largest_step: Real) -> Quat {
    let turn = sums.best_rotation();
    let angle = rotation::angle(turn);
    let turn =
        if angle > largest_step { rotation::exp(rotation::log(turn) * (largest_step / angle)) } else { turn };
    frame.conjugate() * turn * frame * now
}

/// The turn, in model space, that takes a joint's own rotation from `before` to `after`.
#[inline]
pub(crate) fn model_turn(frame: Quat, before: Quat, after: Quat) -> Quat {
    // Unit again, since callers chain these: the frame enters twice, so an error
    // in its length would grow threefold from joint to joint.
    (frame * (after * before.conjugate()) * frame.conjugate()).normalize()
}

/// Whether a joint can move at all.
pub(crate) fn moves(joint: &Joint) -> bool {
    joint.kind() != JointKind::Fixed && joint.stiffness() < 1.0
}
