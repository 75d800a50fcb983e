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
//!
//! # Without trigonometry
//! For a unit direction d at the angle θ from z, the swing is
//! `(−dy, dx)·θ/sin θ`, so that eq. 7 needs only `θ²/sin²θ`, a smooth function of
//! `p = sin²(θ/2) = (1 − dz)/2` ([`SwingEllipse::margin`]).

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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
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
        if inset <= 0.0 && self.squared_level(swing) <= 1.0 {
            return None;
        }
        let (edge, normal) = self.nearest(swing);
        // The distance beyond the edge, negative inside.
        let beyond = (swing - edge).dot(normal);
        if beyond <= slack - inset { None } else { Some(edge - normal * inset) }
    }

    /// The left side of eq. 7: one on the edge.
    #[inline(always)]
    fn squared_level(&self, swing: Vec2) -> Real {
        let (x, y) = self.axes();
        Vec2::new(swing.x / x, swing.y / y).length_squared()
    }

    /// How far a swing about an axis may go, in radians. `axis` is a unit vector of the swing plane.
    pub(crate) fn amplitude(&self, axis: Vec2) -> Real {
        1.0 / self.squared_level(axis).sqrt()
    }

    /// About how far inside of the edge a unit direction lies, in radians; negative outside. Exact on
    /// the edge, and never more than the distance in the swing plane. Needs no trigonometry.
    #[inline(always)]
    pub(crate) fn margin(&self, direction: Vec3) -> Real {
        let (x, y) = self.axes();
        let p = 0.5 - 0.5 * direction.z;
        let squared = if p > 1.0 - 4.0 * ROUNDING {
            // Straight back is every swing of length π at once; the longer semi-axis decides.
            (PI / x.max(y)) * (PI / x.max(y))
        } else {
            self.squared_level(Vec2::new(direction.y, direction.x)) * angle_over_sine_squared(p)
        };
        (1.0 - squared.sqrt()) * x.min(y)
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

    /// How far beyond the edge a unit direction is, in the swing plane, and its slope over
    /// directions: with `h = θ / sin θ` the swing is `h (−dy, dx)`, and `h` falls with dz by
    /// `(1 − h cos θ) / sin² θ`.
    pub(super) fn beyond(&self, direction: Vec3) -> (Real, Vec3) {
        let swing = swing_twist::swing_of(direction);
        let (edge, normal) = self.nearest(swing);
        let sine_squared = direction.x * direction.x + direction.y * direction.y;
        // By series where the difference would lose digits.
        let (h, fall) = if sine_squared > 1.0e-3 || direction.z < 0.0 {
            let h = swing.length() / sine_squared.max(TINY).sqrt();
            (h, (1.0 - h * direction.z) / sine_squared.max(TINY))
        } else {
            (1.0 + sine_squared / 6.0, 1.0 / 3.0)
        };
        let along = normal.x * -direction.y + normal.y * direction.x;
        let slope = Vec3::new(normal.y * h, -normal.x * h, -along * fall);
        ((swing - edge).dot(normal), slope)
    }

    pub(super) fn edge_distance(&self, direction: Vec3) -> Real {
        let swing = swing_twist::swing_of(direction);
        let distance = (swing - self.nearest(swing).0).length();
        if self.squared_level(swing) <= 1.0 { distance } else { -distance }
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

/// θ²/sin²θ where `p` is sin²(θ/2), for θ from 0 to just before π.
#[inline(always)]
fn angle_over_sine_squared(p: Real) -> Real {
    let rest = 1.0 - p;
    if p <= 0.5 {
        return arc_sine_squared_over(p) / rest;
    }
    let angle = PI - 2.0 * (rest * arc_sine_squared_over(rest)).max(0.0).sqrt();
    angle * angle / (4.0 * p * rest).max(TINY)
}

/// asin²(√p)/p for p in [0, ½]: a Chebyshev fit of degree 7 to 4e-8 in single precision and of degree
/// 11 to 3e-11 in double, summed in pairs so that the processor need not wait for each product.
#[inline(always)]
#[allow(clippy::excessive_precision)] // the digits are for double precision
fn arc_sine_squared_over(p: Real) -> Real {
    let p2 = p * p;
    let p4 = p2 * p2;
    if ROUNDING > 1.0e-10 {
        let a = (0.333_342_928_2 * p + 0.999_999_961_2) + (0.120_138_707_3 * p + 0.177_391_441_3) * p2;
        let b = (0.225_394_359_8 * p + 0.038_555_349_9) + (0.326_318_328_5 * p - 0.277_681_341_3) * p2;
        return a + b * p4;
    }
    let a = (0.333_333_343_938_091_1 * p + 0.999_999_999_981_160_1)
        + (0.114_321_331_381_094_97 * p + 0.177_776_793_402_618_04) * p2;
    let b = (0.068_763_131_262_094_1 * p + 0.080_608_111_481_082_13)
        + (0.256_304_661_294_561_6 * p - 0.000_329_080_379_742_462_1) * p2;
    let c = (1.160_401_857_458_055 * p - 0.588_779_742_573_387_7)
        + (0.615_402_305_126_190_2 * p - 1.179_195_528_328_418_8) * p2;
    a + (b + c * p4) * p4
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
#[path = "../../tests/unit/limit_ellipse.rs"]
mod tests;
