//! The clavicles: still, unless the arm alone does not reach (Unzueta et al.
//! 2008, section 5, Alg. 4).
//!
//! In the triangle of sternoclavicular joint, shoulder and wrist the stretched
//! arm closes the gap when the angle at the sternum is θ₁, by the cosine theorem
//! from the clavicle, the arm and the distance to the goal. If the clavicle
//! stands at a wider angle θ₂, it turns by θ₂ − θ₁ in the plane of the three.
//! (As printed, Alg. 4 compares with the distance from the sternum; the text and
//! the figure have it from the shoulder.)
//!
//! An elbow that is seen tells more: the clavicle turns until the upper arm ends in it, in the
//! same way and to either side.
//!
//! A goal straight behind the clavicle has no such plane: it turns about
//! `fallback`. A clavicle without length does not turn.

use crate::math::*;

/// The turn, in the space of the points, that brings the shoulder within `arm` of
/// the goal as far as turning the clavicle can.
pub(super) fn turn(sternum: Vec3, shoulder: Vec3, arm: Real, goal: Vec3, fallback: Vec3) -> Option<Quat> {
    if (goal - shoulder).length_squared() <= arm * arm {
        return None;
    }
    turn_to(sternum, shoulder, arm, goal, fallback)
}

/// The turn that brings the shoulder to a distance of `arm` from the goal, from either side.
pub(super) fn turn_to(sternum: Vec3, shoulder: Vec3, arm: Real, goal: Vec3, fallback: Vec3) -> Option<Quat> {
    let (clavicle, way) = (shoulder - sternum, goal - sternum);
    let (c, d) = (clavicle.length(), way.length());
    if c <= HAIR || d <= HAIR || !d.is_finite() {
        return None;
    }
    let wanted = ((c * c + d * d - arm * arm) / (2.0 * c * d)).clamp(-1.0, 1.0).acos();
    let angle = rotation::angle_between(clavicle / c, way / d) - wanted;
    let across = clavicle.cross(way);
    let axis = if across.length() > HAIR * c * d { across.normalize() } else { fallback };
    Some(rotation::about(axis, angle))
}

#[cfg(test)]
#[path = "../../../tests/unit/body_six_point_clavicle.rs"]
mod tests;
