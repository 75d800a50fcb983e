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

    /// The half angle of a twist between the low end (−1), the least (0) and the high end (1).
    #[inline]
    pub fn at(&self, part: Real) -> Vec2 {
        let end = if part < 0.0 { self.low } else { self.high };
        (self.least + (end - self.least) * part.abs()).normalize_or(self.least)
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

    /// A rotation of the joint, held within: the twist at the end of its range, the swing straight
    /// back towards the middle of its region. Not the nearest, which costs ten times as much, but what
    /// is inside stays as it is.
    pub fn held(&self, q: Quat) -> Quat {
        let q = self.seen(q).normalize();
        let q = if q.w < 0.0 { -q } else { q };
        let length = (q.z * q.z + q.w * q.w).sqrt();
        let mut twist = if length > ROUNDING { Vec2::new(q.w, q.z) / length } else { Vec2::X };
        // What is left without the twist.
        let (mut x, mut y, mut w) = (q.x * twist.x - q.y * twist.y, q.y * twist.x + q.x * twist.y, length);
        let beyond = match self.swing {
            Swing::Free => 1.0,
            Swing::Cone(cos, _) => cos.clamp(-1.0, 1.0).acos() / (2.0 * w.min(1.0).acos()).max(TINY),
            Swing::Ellipse { scale, .. } => {
                let level = 1.0 - self.swing_margin(q, 1.0) / scale;
                1.0 / level.max(TINY).sqrt()
            }
        };
        if beyond < 1.0 {
            let angle = w.min(1.0).acos();
            let (sin, cos) = (angle * beyond - ON_EDGE.min(0.5 * angle * beyond)).sin_cos();
            let scale = sin / (x * x + y * y).sqrt().max(TINY);
            (x, y, w) = (x * scale, y * scale, cos);
        }
        let (left, above) = self.twist_margin(q);
        if let Some(t) = self.twist.as_ref().filter(|_| left < 0.0) {
            twist = if above { t.high } else { t.low };
        }
        let swing = Quat::from_xyzw(x, y, 0.0, w);
        self.unseen(swing * Quat::from_xyzw(0.0, 0.0, twist.y, twist.x)).normalize()
    }

    /// What is left for a rotation in the limit's frame.
    #[inline(always)]
    pub fn margins(&self, q: Quat) -> Margins {
        let (twist, above) = self.twist_margin(q);
        Margins { swing: self.swing_margin(q, 1.0), twist, above }
    }

    /// What is left of the region for a rotation in the limit's frame, of which this is one over the
    /// square of the length.
    #[inline(always)]
    pub fn swing_margin(&self, q: Quat, inverse: Real) -> Real {
        let p = ((q.x * q.x + q.y * q.y) * inverse).min(1.0);
        match self.swing {
            Swing::Free => 1.0,
            Swing::Cone(cos, scale) => (1.0 - 2.0 * p - cos) * scale,
            // Straight back is every swing of length π at once: the ellipse's longest
            // axis decides.
            Swing::Ellipse { x, y, scale } if p > 1.0 - 4.0 * ROUNDING => (1.0 - PI * PI * x.min(y)) * scale,
            Swing::Ellipse { x, y, scale } => {
                let (dx, dy) = (q.x * q.z + q.w * q.y, q.y * q.z - q.w * q.x);
                let flat = (dx * dx * x + dy * dy * y) * (4.0 * inverse * inverse);
                (1.0 - flat * swing_ratio(p)) * scale
            }
        }
    }

    /// What is left of the region for a rotation of any length in the limit's frame, and how often its
    /// change must be gone to where `aim` is left: Newton's step for the root of the level, which is
    /// nearly linear in the way.
    #[inline(always)]
    pub fn swing_step(&self, q: Quat, change: Quat, aim: Real) -> (Real, Real) {
        let inverse = 1.0 / q.length_squared();
        let longer = 2.0 * q.dot(change);
        // A quadratic form of the rotation, and how it changes.
        let unit = |of: Real, change: Real| {
            let of = of * inverse;
            (of, (2.0 * change - of * longer) * inverse)
        };
        let (p, dp) = unit(q.x * q.x + q.y * q.y, q.x * change.x + q.y * change.y);
        match self.swing {
            Swing::Free => (1.0, 0.0),
            Swing::Cone(cos, scale) => {
                let left = (1.0 - 2.0 * p - cos) * scale;
                (left, (left - aim) / (2.0 * dp * scale))
            }
            Swing::Ellipse { x, y, scale } => {
                let (dx, change_x) = unit(
                    2.0 * (q.x * q.z + q.w * q.y),
                    change.x * q.z + q.x * change.z + change.w * q.y + q.w * change.y,
                );
                let (dy, change_y) = unit(
                    2.0 * (q.y * q.z - q.w * q.x),
                    change.y * q.z + q.y * change.z - change.w * q.x - q.w * change.x,
                );
                let (ratio, growth) = swing_growth(p.min(1.0 - 4.0 * ROUNDING));
                let flat = dx * dx * x + dy * dy * y;
                let level = flat * ratio;
                let grows = 2.0 * (dx * change_x * x + dy * change_y * y) * ratio + flat * growth * dp;
                let left = 1.0 - level - aim / scale;
                // The root of the level is about (1 + 3·level)/(3 + level).
                let near = 3.0 + level;
                ((1.0 - level) * scale, 4.0 * (1.0 + 3.0 * level) * left / (near * near * grows))
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

/// The same, and by how much it grows with `p`.
#[inline(always)]
fn swing_growth(p: Real) -> (Real, Real) {
    if p <= 0.5 {
        let inverse = 1.0 / (1.0 - p);
        let ratio = arc_series(p) * inverse;
        return (ratio, (arc_slope(p) + ratio) * inverse);
    }
    let (ratio, inverse) = (swing_ratio(p), 1.0 / (p * (1.0 - p)));
    let root = ratio.sqrt();
    (ratio, root * (1.0 - root * (1.0 - 2.0 * p)) * inverse)
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

/// asin²(√p)/p for p in [0, ½]: a Chebyshev fit of degree 7 to 4e-8 in single precision and of degree
/// 11 to 3e-11 in double, summed in pairs so that the processor need not wait for each product.
#[inline(always)]
#[allow(clippy::excessive_precision)] // the digits are for double precision
fn arc_series(p: Real) -> Real {
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

/// The arc sine of what is not larger than √½, to a rounding in single precision and to 1e-10 in double.
#[inline(always)]
pub(super) fn arc_sine(x: Real) -> Real {
    x * arc_series(x * x).sqrt()
}

/// The slope of [`arc_series`] to 2e-5, which is enough for steps towards an edge.
#[inline(always)]
fn arc_slope(p: Real) -> Real {
    let p2 = p * p;
    (0.357_663 * p + 0.333_318) + (0.679_826 * p + 0.296_95) * p2 + (1.808_093 * p - 0.859_164) * (p2 * p2)
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
        for limit in some_limits() {
            let gauge = Gauge::new(&limit).unwrap();
            let mut both = [0, 0];
            for i in 0..20_000 {
                let q = some_rotation(i);
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

    fn some_limits() -> [JointLimit; 3] {
        let along = SwingTwistLimit::centred(Vec3::new(0.36, 0.48, -0.8), Vec3::new(0.0, 0.6, 0.8), Vec3::X);
        [
            along.clone().swing(SwingEllipse::new(1.9, 0.4)).twist(-0.3, 1.4).into(),
            along.clone().swing(Cone::new(0.9)).twist(-2.6, 0.1).into(),
            along.swing(SwingEllipse::new(0.5, 2.4)).into(),
        ]
    }

    fn some_rotation(i: usize) -> Quat {
        let t = i as Real;
        rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.5)
    }

    #[test]
    fn what_is_held_is_inside_and_what_is_inside_stays() {
        for limit in some_limits() {
            let gauge = Gauge::new(&limit).unwrap();
            for i in 0..5000 {
                let q = some_rotation(i);
                let held = gauge.held(q);
                assert!(held.is_finite() && limit.violation(held) == 0.0, "{limit:?} {q:?} {held:?}");
                let turned = rotation::angle(held.conjugate() * q);
                assert!(!gauge.holds(q) || turned < 1e-3, "{limit:?} {q:?} {turned}");
            }
            for axis in Vec3::AXES {
                assert!(gauge.held(rotation::about(axis, PI)).is_finite());
            }
        }
    }

    /// Whatever the length of the rotation, and far outside as well as beside the edge.
    #[test]
    fn steps_lead_to_the_edge() {
        for limit in some_limits() {
            let gauge = Gauge::new(&limit).unwrap();
            let mut steps = 0;
            for i in 0..5000 {
                let (start, half) =
                    (gauge.seen(some_rotation(i)) * 1.3, gauge.seen(some_rotation(i + 7)) * 1.3);
                let half = half - start * (start.dot(half) / start.length_squared());
                let half = half * (start.length() / half.length());
                let margin = |at: Real| {
                    let q = start * at.cos() + half * at.sin();
                    gauge.swing_margin(q.normalize(), 1.0)
                };
                let (left, step) = gauge.swing_step(start, half, 0.0);
                assert!((left - margin(0.0)).abs() < 1e-3 * (1.0 + left * left), "{left} {}", margin(0.0));
                let slope = 500.0 * (margin(1e-3) - margin(-1e-3));
                if left.abs() < 0.05 && slope.abs() > 0.2 {
                    assert!((step * slope + left).abs() < 0.1 * left.abs() + 1e-3, "{left} {slope} {step}");
                    steps += 1;
                }
            }
            assert!(steps > 50, "{steps}");
        }
    }
}
