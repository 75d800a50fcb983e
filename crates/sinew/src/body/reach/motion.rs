//! How a hand goes from one place to another.
//!
//! People move the hand nearly on a straight line, with a speed that is a symmetric
//! bell over time (Kallmann 2007, "Animating Reaching Motions"). The bell is that of
//! the movement of least jerk (Flash & Hogan 1985): the way is `10τ³ − 15τ⁴ + 6τ⁵` of the
//! whole at the share τ of the time, starts and ends at rest and without
//! acceleration, and is fastest in the middle, at 15/8 of the mean speed.

use crate::goal::Target;
use crate::math::*;

/// How much of the way is done at a share of the time; both in [0, 1].
#[inline]
pub fn minimum_jerk(time: Real) -> Real {
    let t = if time.is_finite() { time.clamp(0.0, 1.0) } else { 0.0 };
    t * t * t * (10.0 + t * (6.0 * t - 15.0))
}

/// The path of a hand: a straight line, and the shortest turn.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HandPath {
    /// Where the hand is at first.
    pub from: Transform,
    /// Where it goes. Without an orientation the hand turns with the arm.
    pub to: Target,
    /// How long it takes; above zero.
    pub seconds: Real,
}

impl HandPath {
    /// Where the hand should be after some seconds; before the start it is at the
    /// start, after the end at the end.
    pub fn at(&self, seconds: Real) -> Target {
        let done = if self.seconds > TINY { minimum_jerk(seconds / self.seconds) } else { 1.0 };
        self.to.part_of_the_way(self.from, done)
    }
}
