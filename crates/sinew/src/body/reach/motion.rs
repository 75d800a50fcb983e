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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bell_is_symmetric_and_fastest_in_the_middle() {
        let speed = |t: Real| (minimum_jerk(t + 1e-3) - minimum_jerk(t - 1e-3)) / 2e-3;
        for i in 1..50 {
            let t = i as Real / 100.0;
            assert!((minimum_jerk(t) + minimum_jerk(1.0 - t) - 1.0).abs() < 1e-5);
            assert!((speed(t) - speed(1.0 - t)).abs() < 2e-2);
            assert!(speed(t) <= speed(t + 0.01) + 2e-3);
        }
        assert!((speed(0.5) - 1.875).abs() < 1e-2);
        assert_eq!((minimum_jerk(-1.0), minimum_jerk(2.0), minimum_jerk(Real::NAN)), (0.0, 1.0, 0.0));
    }

    #[test]
    fn the_path_is_straight_and_turns_the_short_way() {
        let to = Transform::new(Vec3::new(0.3, 0.5, -0.2), rotation::exp(Vec3::X * 1.2));
        let path = HandPath {
            from: Transform::new(Vec3::ZERO, Quat::IDENTITY),
            to: Target::Pose(Transform::new(to.translation, -to.rotation)),
            seconds: 2.0,
        };
        for i in 0..=20 {
            let target = path.at(i as Real * 0.1);
            assert!(target.position().unwrap().cross(to.translation).length() < 1e-5);
            let angle = rotation::angle(target.orientation(path.from).unwrap());
            assert!((angle - 1.2 * minimum_jerk(i as Real * 0.05)).abs() < 1e-3);
        }
        assert!(path.at(9.0).position().unwrap().distance(to.translation) < 1e-6);
    }
}
