//! The pieces of a Kusudama: circles on the sphere, and the way between two.

use super::LimitError;
use crate::math::*;

/// The sine and cosine of an inset.
pub(super) type Shrink = (Real, Real);

/// What one piece says about a direction.
pub(super) enum Verdict {
    /// It lies in the piece.
    Inside,
    /// The way to the piece's edge, as a number that grows with the angle:
    /// its sine up to a right angle, two less the sine beyond.
    Beyond(Real),
    /// The piece's edge does not face it.
    Elsewhere,
}

/// Cosines that differ by more than this belong to angles that differ. Closer
/// ones say nothing about small angles; sines do.
const CLEAR: Real = ROUNDING * 0.5;

/// The monotone stand-in for an angle in [0, π] of which we have sine and cosine.
#[inline]
fn key(sin: Real, cos: Real) -> Real {
    if cos > 0.0 { sin } else { 2.0 - sin }
}

/// A depth between −π and π, of which we have sine and cosine, as a number that grows with it: its sine up to a
/// right angle either way, and on from there.
#[inline]
fn depth_key(sin: Real, cos: Real) -> Real {
    if cos > 0.0 { sin } else { (2.0 as Real).copysign(sin) - sin }
}

/// A circle on the sphere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circle {
    axis: Vec3,
    radius: Real,
    sin: Real,
    cos: Real,
    /// Whether a neighbouring cone holds this one.
    swallowed: bool,
}

impl Circle {
    pub(super) fn new(axis: Vec3, radius: Real) -> Self {
        let (sin, cos) = radius.sin_cos();
        Self { axis, radius, sin, cos, swallowed: false }
    }

    pub(super) fn swallow(&mut self) {
        self.swallowed = true;
    }

    pub(super) fn is_swallowed(&self) -> bool {
        self.swallowed
    }

    pub(super) fn radius(&self) -> Real {
        self.radius
    }

    pub(super) fn axis(&self) -> Vec3 {
        self.axis
    }

    /// The sine and cosine of the radius less the inset, not below zero.
    #[inline]
    fn shrunk(&self, (sin, cos): Shrink) -> (Real, Real) {
        let (s, c) = (self.sin * cos - self.cos * sin, self.cos * cos + self.sin * sin);
        // The sine of a radius below zero is below zero; that of one in [0, π]
        // is not, but for rounding.
        if s < 0.0 && c > 0.0 { (0.0, 1.0) } else { (s, c) }
    }

    /// The sine and cosine of the radius and the inset.
    #[inline]
    fn grown(&self, (sin, cos): Shrink) -> (Real, Real) {
        (self.sin * cos + self.cos * sin, self.cos * cos - self.sin * sin)
    }

    #[inline]
    pub(super) fn keeps_in(&self, direction: Vec3, shrink: Shrink, slack: Real) -> Verdict {
        let (sin_r, cos_r) = self.shrunk(shrink);
        let c = self.axis.dot(direction);
        if c > cos_r + CLEAR {
            return Verdict::Inside;
        }
        let s = self.axis.cross(direction).length();
        // Of the angle beyond the circle.
        let (sin, cos) = (s * cos_r - c * sin_r, c * cos_r + s * sin_r);
        if cos > 0.0 && sin <= slack { Verdict::Inside } else { Verdict::Beyond(key(sin, cos)) }
    }

    /// Whether a direction is clearly within.
    #[inline]
    pub(super) fn surely_holds(&self, direction: Vec3) -> bool {
        self.axis.dot(direction) > self.cos + CLEAR
    }

    /// The nearest point of the shrunk circle.
    #[inline]
    pub(super) fn nearest(&self, direction: Vec3, shrink: Shrink) -> Vec3 {
        let (sin_r, cos_r) = self.shrunk(shrink);
        let side = direction - self.axis * self.axis.dot(direction);
        (self.axis * cos_r + direction_or(side, any_perpendicular(self.axis)) * sin_r).normalize()
    }

    pub(super) fn depth(&self, direction: Vec3) -> Real {
        self.radius - rotation::angle_between(self.axis, direction)
    }

    /// The same as a [key](depth_key).
    #[inline]
    pub(super) fn depth_key(&self, direction: Vec3) -> Real {
        let (s, c) = (self.axis.cross(direction).length(), self.axis.dot(direction));
        depth_key(self.sin * c - self.cos * s, self.cos * c + self.sin * s)
    }

    /// The point of the circle in the direction of `towards`.
    pub(super) fn point_towards(&self, towards: Vec3) -> Vec3 {
        self.nearest(towards, (0.0, 1.0))
    }
}

/// The way between two cones. Its two sides mirror each other in the plane
/// through both axes, so one of them is kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// The normal of the plane of mirroring.
    normal: Vec3,
    /// The tangent cone on the side of the normal.
    tangent: Circle,
    /// Normals of the triangle's sides from the tangent axis to each cone's
    /// axis, towards the way.
    sides: [Vec3; 2],
    /// A direction in the middle of the way, for what lies exactly on the
    /// tangent axis.
    middle: Vec3,
    narrowest: Real,
    from: usize,
}

/// What is between two neighbouring cones.
pub(super) enum Between {
    Way(Pair),
    /// The first cone lies in the second.
    FirstSwallowed,
    /// The second cone lies in the first, or they are the same.
    SecondSwallowed,
    /// The two cover the whole sphere.
    Everything,
}

impl Pair {
    /// Finds the tangent cones; `from` is the first cone's place.
    pub(super) fn between(
        a: &Circle,
        b: &Circle,
        wanted: Option<Real>,
        from: usize,
    ) -> Result<Between, LimitError> {
        let apart = rotation::angle_between(a.axis, b.axis);
        let (ra, rb) = (a.radius, b.radius);
        let close = ROUNDING * 100.0;
        if apart + rb <= ra + close {
            return Ok(Between::SecondSwallowed);
        }
        if apart + ra <= rb + close {
            return Ok(Between::FirstSwallowed);
        }
        if ra + rb + apart >= TAU - close {
            return Ok(Between::Everything);
        }
        // Opposite axes have every plane in common; take one.
        let normal = direction_or(a.axis.cross(b.axis), any_perpendicular(a.axis));
        let normal = direction_or(normal - a.axis * normal.dot(a.axis), any_perpendicular(a.axis));
        // The direction from `a` towards `b`.
        let ahead = normal.cross(a.axis);

        // The tangent axis, `a` and `b` must make a triangle with sides
        // ra + rt, rb + rt and `apart`.
        let low = (0.5 * (apart - ra - rb)).max(0.0);
        let high = (0.5 * (TAU - apart - ra - rb)).max(low);
        let usual = (0.5 * (PI - ra - rb)).max(0.0);
        let radius = wanted.unwrap_or(usual);
        let refused = |low| LimitError::OutOfRange { what: "a tangent radius", value: radius, low, high };
        if !(low..=high).contains(&radius) {
            return Err(refused(low));
        }
        let tangent_at = |radius: Real| {
            let (sin_apart, cos_apart) = apart.sin_cos();
            let x = (ra + radius).cos();
            let y = if wanted.is_none() && usual > 0.0 {
                // The general form divides zero by zero at opposite axes.
                (0.5 * (ra - rb)).sin() * (1.0 + cos_apart) / sin_apart.max(TINY)
            } else {
                ((rb + radius).cos() - cos_apart * x) / sin_apart.max(TINY)
            };
            let height_squared = 1.0 - x * x - y * y;
            (height_squared > ROUNDING).then(|| (x, y, height_squared.sqrt()))
        };
        let neck_at = |radius: Real| {
            let (x, y, height) = tangent_at(radius)?;
            // The tangent cones come nearest to each other beside their axes,
            // if that is between the two cones at all.
            let foot = y.atan2(x);
            let beside = foot > 0.0 && foot < apart;
            Some(if beside { height.asin() - radius } else { Real::INFINITY })
        };
        let Some((x, y, height)) = tangent_at(radius) else { return Err(refused(low)) };
        let neck = neck_at(radius).unwrap_or(0.0);
        if neck < 0.0 {
            // Wider circles leave a wider way; find where it opens.
            let (mut closed, mut open) = (radius, usual);
            for _ in 0..40 {
                let half = 0.5 * (closed + open);
                if neck_at(half).is_some_and(|n| n >= 0.0) { open = half } else { closed = half }
            }
            return Err(refused(open));
        }
        let axis = (a.axis * x + ahead * y + normal * height).normalize();
        let (s, c) = (0.5 * apart).sin_cos();
        let middle = a.axis * c + ahead * s;
        let side = |from: Vec3| {
            let n = direction_or(from.cross(axis), normal);
            if n.dot(middle) < 0.0 { -n } else { n }
        };
        Ok(Between::Way(Self {
            normal,
            tangent: Circle::new(axis, radius),
            sides: [side(a.axis), side(b.axis)],
            middle,
            narrowest: ra.min(rb).min(neck),
            from,
        }))
    }

    pub(super) fn narrowest(&self) -> Real {
        self.narrowest
    }

    pub(super) fn from(&self) -> usize {
        self.from
    }

    pub(super) fn tangent_radius(&self) -> Real {
        self.tangent.radius
    }

    pub(super) fn axes(&self) -> [Vec3; 2] {
        [self.tangent.axis, self.mirrored(self.tangent.axis)]
    }

    #[inline]
    fn mirrored(&self, v: Vec3) -> Vec3 {
        v - self.normal * (2.0 * self.normal.dot(v))
    }

    /// `direction` on the side that is kept, and whether it was mirrored; or
    /// `None` if it lies in neither triangle.
    #[inline]
    fn on_kept_side(&self, direction: Vec3) -> Option<(Vec3, bool)> {
        let other_side = self.normal.dot(direction) < 0.0;
        let d = if other_side { self.mirrored(direction) } else { direction };
        (self.sides[0].dot(d) >= 0.0 && self.sides[1].dot(d) >= 0.0).then_some((d, other_side))
    }

    #[inline]
    pub(super) fn keeps_out(&self, direction: Vec3, shrink: Shrink, slack: Real) -> Verdict {
        let Some((d, _)) = self.on_kept_side(direction) else { return Verdict::Elsewhere };
        let (sin_r, cos_r) = self.tangent.grown(shrink);
        let c = self.tangent.axis.dot(d);
        if c < cos_r - CLEAR {
            return Verdict::Inside;
        }
        let s = self.tangent.axis.cross(d).length();
        // Of the angle that is missing to the circle.
        let (sin, cos) = (sin_r * c - cos_r * s, c * cos_r + s * sin_r);
        if cos > 0.0 && sin <= slack { Verdict::Inside } else { Verdict::Beyond(key(sin, cos)) }
    }

    #[inline]
    pub(super) fn nearest(&self, direction: Vec3, shrink: Shrink) -> Vec3 {
        let Some((d, other_side)) = self.on_kept_side(direction) else { return direction };
        let (sin_r, cos_r) = self.tangent.grown(shrink);
        let axis = self.tangent.axis;
        let middle = self.middle - axis * axis.dot(self.middle);
        let side = direction_or(d - axis * axis.dot(d), direction_or(middle, self.normal));
        let point = (axis * cos_r + side * sin_r).normalize();
        if other_side { self.mirrored(point) } else { point }
    }

    /// How deep in the way, negative in a tangent cone; `None` elsewhere.
    pub(super) fn depth(&self, direction: Vec3) -> Option<Real> {
        let (d, _) = self.on_kept_side(direction)?;
        Some(-self.tangent.depth(d))
    }

    /// The same as a [key](depth_key).
    #[inline]
    pub(super) fn depth_key(&self, direction: Vec3) -> Option<Real> {
        let (d, _) = self.on_kept_side(direction)?;
        Some(-self.tangent.depth_key(d))
    }

    /// The edge of the way on the kept side, from one cone to the other.
    pub(super) fn arc(&self, a: Vec3, b: Vec3, pieces: usize) -> impl Iterator<Item = Vec3> + '_ {
        let (from, to) = (self.tangent.point_towards(a), self.tangent.point_towards(b));
        let axis = self.tangent.axis;
        let x = direction_or(from - axis * axis.dot(from), self.normal);
        let y = axis.cross(x);
        let flat = to - axis * axis.dot(to);
        let mut turn = flat.dot(y).atan2(flat.dot(x));
        // The way lies within the triangle, whose angle at the axis is at most
        // a half turn; towards the middle settles the case of exactly that.
        let middle = self.middle - axis * axis.dot(self.middle);
        if turn * middle.dot(y) < 0.0 && turn.abs() > PI - 0.1 {
            turn -= TAU.copysign(turn);
        }
        (0..=pieces).map(move |i| {
            let (s, c) = (turn * i as Real / pieces as Real).sin_cos();
            (axis * self.tangent.cos + (x * c + y * s) * self.tangent.sin).normalize()
        })
    }

    /// The same on the other side of the mirror.
    pub(super) fn mirrored_arc(&self, a: Vec3, b: Vec3, pieces: usize) -> impl Iterator<Item = Vec3> + '_ {
        self.arc(a, b, pieces).map(|p| self.mirrored(p))
    }
}
