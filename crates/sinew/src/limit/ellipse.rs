//! An ellipse in the swing plane (Kallmann 2007, eq. 7).
//!
//! A swing is the 2-D axis-angle vector (sx, sy); it is allowed when
//! `(sx/x)² + (sy/y)² ≤ 1`. The ellipse lives in that plane, so that is where
//! nearness is measured: an ellipse is convex there, whatever its size, and the
//! nearest point of a convex set is unique and moves no faster than what it is
//! nearest to. On the sphere a long ellipse is not convex and would gain a line
//! of directions with two nearest points. The only place without a unique
//! answer is straight back, which the plane shows as the whole circle of
//! length π.
//!
//! The ellipse is symmetric, as in the paper. A joint that flexes further than
//! it extends has its limit centred between the two, see
//! [`SwingTwistLimit::centred`](super::SwingTwistLimit::centred).
//!
//! # The nearest point
//! With `p` in the first quadrant, semi-axes `a ≥ b` and a multiplier `t`, the
//! nearest point is `(a²px/(t+a²), b²py/(t+b²))` where `t` solves
//! `|g(t)| = 1` for `g = (a·px/(t+a²), b·py/(t+b²))`. We iterate on
//! `1/|g| − 1`, which is concave, increasing and almost straight, so Newton's
//! steps from the left of the root never overshoot and few suffice; and on
//! `u = t + b²`, which loses no digits where `t` nears `−b²`.

use alloc::vec::Vec;

use super::{LimitError, soft};
use crate::math::*;

/// Swings whose axis-angle vector lies in an ellipse.
///
/// ```
/// use sinew::limit::{JointLimit, SwingEllipse, SwingTwistLimit};
/// use sinew::{Vec3, math::rotation};
/// // A bone along z that turns up to 1.2 about x and up to 0.5 about y.
/// let limit: JointLimit = SwingTwistLimit::along(Vec3::Z, Vec3::X).swing(SwingEllipse::new(1.2, 0.5)).into();
/// assert_eq!(limit.violation(rotation::exp(Vec3::X)), 0.0);
/// assert!((limit.violation(rotation::exp(Vec3::Y)) - 0.5).abs() < 1e-5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SwingEllipse {
    /// The farthest turn about the frame's x axis, in radians, up to π.
    pub x: Real,
    /// The farthest turn about the frame's y axis, in radians, up to π.
    pub y: Real,
}

impl SwingEllipse {
    /// Turns up to `x` radians about x and up to `y` about y.
    pub const fn new(x: Real, y: Real) -> Self {
        Self { x, y }
    }

    #[inline]
    pub(super) fn project(&self, direction: Vec3, inset: Real, slack: Real) -> Option<Vec3> {
        let swing = swing_twist::swing_of(direction);
        let inset = inset.min(self.widest_inset());
        self.project_swing(swing, inset, slack).map(swing_twist::direction_of)
    }

    /// Held back along the normal of the edge, in the swing plane.
    pub(super) fn soften(&self, direction: Vec3, zone: Real, slack: Real) -> Option<Vec3> {
        let swing = swing_twist::swing_of(direction);
        let rim = self.project_swing(swing, zone, slack)?;
        let excess = swing - rim;
        let depth = excess.length();
        if depth <= TINY {
            return None;
        }
        Some(swing_twist::direction_of(rim + excess * (soft::held_back(depth, zone) / depth)))
    }

    /// `inset` must not exceed the widest.
    #[inline]
    fn project_swing(&self, swing: Vec2, inset: Real, slack: Real) -> Option<Vec2> {
        if inset <= 0.0 && self.level(swing) <= 1.0 {
            return None;
        }
        let (edge, normal) = self.nearest(swing);
        // The distance beyond the edge, negative inside.
        let beyond = (swing - edge).dot(normal);
        if beyond <= slack - inset { None } else { Some(edge - normal * inset) }
    }

    /// The square root of the left side of eq. 7: one on the edge.
    #[inline]
    fn level(&self, swing: Vec2) -> Real {
        let (x, y) = self.axes();
        Vec2::new(swing.x / x, swing.y / y).length()
    }

    /// An ellipse without width would divide by zero; this much is invisible.
    #[inline]
    fn axes(&self) -> (Real, Real) {
        (self.x.max(ROUNDING), self.y.max(ROUNDING))
    }

    /// The nearest point of the edge and the outward normal there.
    #[inline]
    fn nearest(&self, swing: Vec2) -> (Vec2, Vec2) {
        let (x, y) = self.axes();
        let wide = x >= y;
        let (a, b) = if wide { (x, y) } else { (y, x) };
        let p = swing.abs();
        let p = if wide { p } else { Vec2::new(p.y, p.x) };
        let unit = unit_point(p, a, b);
        let unit = if wide { unit } else { Vec2::new(unit.y, unit.x) };
        let unit = Vec2::new(unit.x.copysign(swing.x), unit.y.copysign(swing.y));
        let normal = Vec2::new(unit.x * y, unit.y * x);
        (Vec2::new(unit.x * x, unit.y * y), normal / normal.length().max(TINY))
    }

    pub(super) fn edge_distance(&self, direction: Vec3) -> Real {
        let swing = swing_twist::swing_of(direction);
        let distance = (swing - self.nearest(swing).0).length();
        if self.level(swing) <= 1.0 { distance } else { -distance }
    }

    /// The radius of the sharpest bend: within it every point has one nearest
    /// edge point, and the shrunk edge has no corner.
    pub(super) fn widest_inset(&self) -> Real {
        let (x, y) = self.axes();
        let (a, b) = (x.max(y), x.min(y));
        b * b / a
    }

    pub(super) fn outline(&self, segments: usize) -> Vec<Vec<Vec3>> {
        let point = |i| {
            let (sin, cos) = (TAU * i as Real / segments as Real).sin_cos();
            swing_twist::direction_of(Vec2::new(self.x * cos, self.y * sin))
        };
        alloc::vec![(0..segments).map(point).collect()]
    }

    pub(super) fn check(&self) -> Result<(), LimitError> {
        for (what, value) in [("the ellipse's x", self.x), ("the ellipse's y", self.y)] {
            if !(0.0..=PI).contains(&value) {
                return Err(LimitError::OutOfRange { what, value, low: 0.0, high: PI });
            }
        }
        Ok(())
    }
}

/// The cosine and sine of the parameter of the ellipse point that is nearest
/// to `p` in the first quadrant, for `a ≥ b > 0`.
#[inline]
fn unit_point(p: Vec2, a: Real, b: Real) -> Vec2 {
    let d = a * a - b * b;
    let mut u = (b * p.y).max(a * p.x - d);
    if u <= TINY {
        // On the long axis between the centres of the sharpest bends, where
        // above and below are as near; or the centre of a circle.
        let cos = if d > TINY { (a * p.x / d).min(1.0) } else { 1.0 };
        return Vec2::new(cos, (1.0 - cos * cos).max(0.0).sqrt());
    }
    // Three or four steps, but for the sharp ends of very thin ellipses.
    for _ in 0..24 {
        let g = Vec2::new(a * p.x / (u + d), b * p.y / u);
        let r = g.length();
        let slope = g.x * g.x / (u + d) + g.y * g.y / u;
        let step = (r - 1.0) * r * r / slope;
        u += step;
        if step.abs() <= ROUNDING * u {
            break;
        }
    }
    let g = Vec2::new(a * p.x / (u + d), b * p.y / u);
    g / g.length().max(TINY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_the_nearest() {
        for (a, b) in [(1.0, 1.0), (1.5, 0.4), (3.0, 0.05), (0.8, 0.79)] {
            for i in 0..400 {
                let t = i as Real;
                let p = Vec2::new((t * 0.61).sin().abs() * 3.0, (t * 0.37).cos().abs() * 3.0);
                let found = unit_point(p, a, b) * Vec2::new(a, b);
                let best = (0..2000)
                    .map(|k| (PI * 0.5 * k as Real / 1999.0).sin_cos())
                    .map(|(s, c)| (Vec2::new(a * c, b * s) - p).length())
                    .fold(Real::INFINITY, Real::min);
                let distance = (found - p).length();
                assert!(distance <= best + 1e-5, "{a} {b} {p:?}: {distance} against {best}");
            }
        }
    }
}
