//! How far inside of its limit a joint stands, without trigonometry.
//!
//! A swing-twist limit whose region is a cone, an ellipse or everything can be
//! asked with multiplications and square roots alone, from the quaternion in the
//! limit's frame:
//!
//! * The twist's half angle is the direction of (w, z). With the range's middle
//!   turned to zero and its half width `h`, `sin(h/2)·|w| − cos(h/2)·|z|` over the
//!   length of (w, z) is the sine of half of what is left of the range.
//! * With `p = x² + y²`, the squared sine of half the swing angle θ, an ellipse
//!   (Kallmann 2007, eq. 7) is `(dx²/ry² + dy²/rx²)·θ²/sin²θ ≤ 1` for the bone's
//!   direction d. `θ² = 4·asin²(√p)`, and `asin²(√p)/p` is a polynomial on [0, ½]
//!   to eleven digits; beyond a right angle it is asked of `1 − p`.
//!
//! The limb asks a few times for every goal, so this is most of its speed.

use crate::limit::{AngleRange, JointLimit, LimitShape, SwingShape};
use crate::math::*;

/// How far inside of an edge a joint is put that should stand on it, in radians: eight
/// thousandths of a degree in single precision, which nobody sees. What stands there needs no
/// projection.
pub(crate) const ON_EDGE: Real = 14.0 * HAIR;
/// A joint with this much left, in radians, is inside whatever rounding did.
pub(crate) const INSIDE: Real = 8.0 * HAIR;

/// A limit, prepared to be asked often.
#[derive(Debug, Clone)]
pub(crate) struct Gauge {
    /// `before · q · after` is the rotation in the limit's frame.
    pub before: Quat,
    pub after: Quat,
    swing: Swing,
    pub twist: Option<Twist>,
}

#[derive(Debug, Clone, Copy)]
enum Swing {
    Free,
    /// The cosine of the radius, and radians per unit of cosine at the edge.
    Cone(Real, Real),
    /// One over the squares of the semi-axes, and radians per unit of level.
    Ellipse {
        x: Real,
        y: Real,
        scale: Real,
    },
}

/// A range of twist by the half angles of its middle, its half width and its ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Twist {
    middle: Vec2,
    half: Vec2,
    pub min: Real,
    pub max: Real,
    /// The half angle (cosine, sine) of the twist nearest to zero, and what that leaves.
    pub least: Vec2,
    pub least_margin: Real,
    /// The half angles of the ends, [`ON_EDGE`] within.
    pub low: Vec2,
    pub high: Vec2,
}

impl Twist {
    /// What is left of the range, and whether the twist is beyond its middle.
    #[inline(always)]
    pub fn margin(&self, z: Real, w: Real) -> (Real, bool) {
        let along = w * self.middle.x + z * self.middle.y;
        let across = z * self.middle.x - w * self.middle.y;
        let length = (w * w + z * z).sqrt().max(ROUNDING);
        let left = 2.0 * (self.half.y * along.abs() - self.half.x * across.abs()) / length;
        (left, (across >= 0.0) == (along >= 0.0))
    }

    pub fn range(&self) -> AngleRange {
        AngleRange::new(self.min, self.max)
    }
}

/// What is left until the edge, in radians near it; negative outside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Margins {
    pub swing: Real,
    pub twist: Real,
    /// Whether the twist is beyond the middle of its range.
    pub above: bool,
}

impl Margins {
    pub const FREE: Self = Self { swing: 1.0, twist: 1.0, above: false };

    #[inline]
    pub fn least(self) -> Real {
        self.swing.min(self.twist)
    }
}

fn half_angle(angle: Real) -> Vec2 {
    let (sin, cos) = (0.5 * angle).sin_cos();
    Vec2::new(cos, sin)
}

impl Gauge {
    /// `None` for limits that cannot be asked this way.
    pub fn new(limit: &JointLimit) -> Option<Self> {
        let LimitShape::SwingTwist(l) = &limit.shape else { return None };
        let swing = match &l.swing {
            SwingShape::Free => Swing::Free,
            SwingShape::Cone(cone) => Swing::Cone(cone.radius.cos(), 1.0 / cone.radius.sin().max(0.1)),
            SwingShape::Ellipse(e) => {
                let (x, y) = (e.x.max(ROUNDING), e.y.max(ROUNDING));
                Swing::Ellipse { x: 1.0 / (y * y), y: 1.0 / (x * x), scale: 0.5 * x.min(y) }
            }
            _ => return None,
        };
        let twist = l.twist.filter(|r| !r.is_whole_turn()).map(|r| {
            let width = 0.5 * (r.max - r.min);
            let within = ON_EDGE.min(width);
            let least = (0.0 as Real).clamp(r.min, r.max);
            Twist {
                middle: half_angle(r.middle()),
                half: half_angle(width),
                min: r.min,
                max: r.max,
                least: half_angle(least),
                least_margin: 2.0 * (0.5 * (least - r.min).min(r.max - least)).sin(),
                low: half_angle(r.min + within),
                high: half_angle(r.max - within),
            }
        });
        Some(Self { before: l.frame.conjugate(), after: l.frame * l.rest, swing, twist })
    }

    /// Of a joint without a limit: with the twist about `axis`.
    pub fn free(axis: Vec3) -> Self {
        let frame = rotation::between(Vec3::Z, axis, Vec3::X);
        Self { before: frame.conjugate(), after: frame, swing: Swing::Free, twist: None }
    }

    /// A rotation in the limit's frame as the joint has it.
    #[inline(always)]
    pub fn unseen(&self, q: Quat) -> Quat {
        self.before.conjugate() * q * self.after.conjugate()
    }

    /// A rotation of the joint as the limit's frame sees it.
    #[inline(always)]
    pub fn seen(&self, q: Quat) -> Quat {
        self.before * q * self.after
    }

    /// A direction in the joint's rest frame as the limit's frame sees it.
    #[inline]
    pub fn direction(&self, v: Vec3) -> Vec3 {
        self.before * v
    }

    /// About how far outside a rotation of the joint lies, in radians; zero inside. It grows
    /// with the way to the limit and no faster than it, which is what a search wants; the
    /// true angle to the nearest allowed rotation costs fifty times as much.
    pub fn outside(&self, q: Quat) -> Real {
        let q = self.seen(q);
        let margins = self.margins(q);
        self.excess(margins.swing, margins.twist)
    }

    /// The same for what is left of swing and twist.
    #[inline]
    pub fn excess(&self, swing: Real, twist: Real) -> Real {
        let swing = match self.swing {
            // One over the squares of the axes; the level is that of a norm squared.
            Swing::Ellipse { x, y, scale } if swing < 0.0 => {
                ((1.0 - swing / scale).sqrt() - 1.0) / x.max(y).sqrt()
            }
            _ => -swing,
        };
        swing.max(-twist).max(0.0)
    }

    /// Whether a rotation of the joint is surely inside.
    #[inline]
    pub fn holds(&self, q: Quat) -> bool {
        self.margins(self.seen(q)).least() > INSIDE
    }

    /// What is left for a rotation in the limit's frame.
    #[inline(always)]
    pub fn margins(&self, q: Quat) -> Margins {
        let (twist, above) = self.twist_margin(q);
        Margins { swing: self.swing_margin(q), twist, above }
    }

    /// What is left of the region for a rotation in the limit's frame.
    #[inline(always)]
    pub fn swing_margin(&self, q: Quat) -> Real {
        let p = (q.x * q.x + q.y * q.y).min(1.0);
        match self.swing {
            Swing::Free => 1.0,
            Swing::Cone(cos, scale) => (1.0 - 2.0 * p - cos) * scale,
            // Straight back is every swing of length π at once: the ellipse's longest
            // axis decides.
            Swing::Ellipse { x, y, scale } if p > 1.0 - 4.0 * ROUNDING => (1.0 - PI * PI * x.min(y)) * scale,
            Swing::Ellipse { x, y, scale } => {
                let (dx, dy) = (2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x));
                (1.0 - (dx * dx * x + dy * dy * y) * swing_ratio(p)) * scale
            }
        }
    }

    /// What is left of the twist's range for a rotation in the limit's frame, and whether it is
    /// beyond the middle.
    #[inline(always)]
    pub fn twist_margin(&self, q: Quat) -> (Real, bool) {
        self.twist.as_ref().map_or((1.0, false), |t| t.margin(q.z, q.w))
    }

    /// One over the squares of the ellipse's semi-axes, and radians per unit of level.
    #[inline(always)]
    pub fn ellipse(&self) -> Option<(Real, Real, Real)> {
        match self.swing {
            Swing::Ellipse { x, y, scale } => Some((x, y, scale)),
            _ => None,
        }
    }

    /// What is left of a region that is no ellipse; `p` is the squared sine of half the swing.
    #[inline(always)]
    pub fn round_margin(&self, p: Real) -> Real {
        match self.swing {
            Swing::Cone(cos, scale) => (1.0 - 2.0 * p - cos) * scale,
            _ => 1.0,
        }
    }
}

/// θ²/sin²θ for the swing whose half angle's sine has the square `p`.
#[inline(always)]
pub(super) fn swing_ratio(p: Real) -> Real {
    if p <= 0.5 {
        return arc_series(p) / (1.0 - p);
    }
    let rest = 1.0 - p;
    let angle = PI - 2.0 * (rest * arc_series(rest)).sqrt();
    angle * angle / (4.0 * p * rest).max(TINY)
}

/// The same without a branch, for many at a time. Straight back it is only large.
#[inline(always)]
pub(super) fn swing_ratio_flat(p: Real) -> Real {
    let rest = (1.0 - p).max(ROUNDING);
    let small = p <= 0.5;
    let q = if small { p } else { rest };
    let arc = arc_series(q);
    let angle = PI - 2.0 * (q * arc).sqrt();
    let above = if small { arc } else { angle * angle };
    let below = if small { 1.0 - p } else { 4.0 * p * rest };
    above / below
}

/// asin²(√p)/p for p in [0, ½], to 3e-11: a Chebyshev fit of degree 11, summed
/// in pairs so that the processor need not wait for each product.
#[inline(always)]
#[allow(clippy::excessive_precision)] // the digits are for double precision
fn arc_series(p: Real) -> Real {
    let p2 = p * p;
    let p4 = p2 * p2;
    let a = (0.333_333_343_938_091_1 * p + 0.999_999_999_981_160_1)
        + (0.114_321_331_381_094_97 * p + 0.177_776_793_402_618_04) * p2;
    let b = (0.068_763_131_262_094_1 * p + 0.080_608_111_481_082_13)
        + (0.256_304_661_294_561_6 * p - 0.000_329_080_379_742_462_1) * p2;
    let c = (1.160_401_857_458_055 * p - 0.588_779_742_573_387_7)
        + (0.615_402_305_126_190_2 * p - 1.179_195_528_328_418_8) * p2;
    a + (b + c * p4) * p4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::{Cone, SwingEllipse, SwingTwistLimit};

    #[test]
    fn the_series_is_the_arc() {
        for i in 1..1000 {
            let angle = PI * i as Real / 1000.5;
            let half = (0.5 * angle).sin();
            let wanted = angle * angle / (angle.sin() * angle.sin());
            let got = swing_ratio(half * half);
            // Straight back the sine is all rounding.
            if angle < 3.0 {
                assert!(
                    (got / wanted - 1.0).abs() < 1e-9 + 40.0 * Real::EPSILON / angle.sin(),
                    "{angle}: {got} {wanted}"
                );
            }
        }
    }

    #[test]
    fn the_gauge_says_what_the_limit_says() {
        let along = SwingTwistLimit::centred(Vec3::new(0.36, 0.48, -0.8), Vec3::new(0.0, 0.6, 0.8), Vec3::X);
        let limits: [JointLimit; 3] = [
            along.clone().swing(SwingEllipse::new(1.9, 0.4)).twist(-0.3, 1.4).into(),
            along.clone().swing(Cone::new(0.9)).twist(-2.6, 0.1).into(),
            along.swing(SwingEllipse::new(0.5, 2.4)).into(),
        ];
        for limit in limits {
            let gauge = Gauge::new(&limit).unwrap();
            let mut both = [0, 0];
            for i in 0..20_000 {
                let t = i as Real;
                let v = Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin());
                let q = rotation::exp(v * 2.5);
                let margin = gauge.margins(gauge.seen(q)).least();
                if margin.abs() > 1e-4 {
                    assert_eq!(margin > 0.0, limit.violation(q) == 0.0, "{limit:?} {q:?} {margin}");
                    both[usize::from(margin > 0.0)] += 1;
                }
            }
            assert!(both[0] > 100 && both[1] > 100, "{both:?}");
            // Straight back from the centre, exactly and nearly.
            for i in 0..64 {
                let (sin, cos) = (TAU * i as Real / 64.0).sin_cos();
                for off in [0.0, ROUNDING, HAIR, 1.0e-4, 1.0e-3] {
                    let half = 0.5 * (PI - off);
                    let q = Quat::from_xyzw(cos * half.sin(), sin * half.sin(), 0.0, half.cos());
                    assert!(gauge.margins(q).swing < 0.0, "{limit:?} {off} {i}");
                }
            }
        }
    }
}
