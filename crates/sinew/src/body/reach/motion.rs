//! How a hand goes from one place to another.
//!
//! People move the hand nearly on a straight line, with a speed that is a symmetric
//! bell over time (Kallmann 2007, "Animating Reaching Motions"). The bell is that of
//! the movement of least jerk (Flash & Hogan 1985): the way is `10τ³ − 15τ⁴ + 6τ⁵` of the
//! whole at the share τ of the time, starts and ends at rest and without
//! acceleration, and is fastest in the middle, at 15/8 of the mean speed.

use crate::math::*;

/// How much of the way is done at a share of the time; both in [0, 1]. A hand goes from where it
/// is to a target by [`part_of_the_way`](crate::Target::part_of_the_way).
#[inline]
pub fn minimum_jerk(time: Real) -> Real {
    let t = if time.is_finite() { time.clamp(0.0, 1.0) } else { 0.0 };
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}
