//! The path of a foot through the air.
//!
//! Meredith & Maddock's stride curve (eq. 1.15) runs over `[0, 3π]`: up within the
//! first third, down over the rest. Scaled to one it is the foot's height over
//! the line from where it leaves the ground to where it lands, which skews it to
//! slopes and steps.

use crate::math::*;

/// The stride curve for `way` from 0 to 1, from 0 to 1 and back to 0.
#[inline]
pub fn lift(way: Real) -> Real {
    let x = way.clamp(0.0, 1.0) * 3.0 * PI;
    let angle = if x <= PI { x } else { 0.5 * (PI + x) };
    0.5 * (1.0 - angle.cos())
}

/// The second derivative of the stride curve where it ends: `½ (3π/2)²`.
pub const CURVE: Real = 0.5 * (1.5 * PI) * (1.5 * PI);

/// The way after which the stride curve has first risen by a part of its height.
#[inline]
pub fn lifted(part: Real) -> Real {
    (1.0 - 2.0 * part.clamp(0.0, 1.0)).acos() / (3.0 * PI)
}

/// From 0 to 1 without a jerk at either end.
#[inline]
pub fn ease(way: Real) -> Real {
    let t = way.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
#[path = "../../../tests/unit/body_walk_stride.rs"]
mod tests;
