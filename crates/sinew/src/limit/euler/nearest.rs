//! The nearest rotation of a box of x-y-z Euler angles.
//!
//! Write a rotation `Rx(α) · Ry(β) · Rz(γ)` with the half sum `s = (α + γ)/2`,
//! the half difference `t = (α − γ)/2` and `μ = β/2 + π/4`. Its quaternion is
//!
//! ```text
//! w + y = √2 sin μ cos s      x + z = √2 sin μ sin s
//! w − y = √2 cos μ cos t      x − z = √2 cos μ sin t
//! ```
//!
//! (Hopf coordinates). So the angles of a rotation come from three arc
//! tangents, with the full accuracy of its quaternion; gimbal lock is where
//! one of the two lengths, `√2 sin μ` or `√2 cos μ`, vanishes and its angle is
//! free; and the agreement (the cosine of half of the angle) between two
//! rotations is
//!
//! ```text
//! sin μ sin μ' cos(s − s') + cos μ cos μ' cos(t − t')
//! ```
//!
//! The nearest rotation of a box that does not hold the rotation itself lies on
//! the box's surface, and on each part of the surface it is known in closed
//! form: with one angle at a bound, the best other two follow from two arc
//! tangents; with two at bounds, the third from one. On none of these parts
//! does the agreement have a second hill, so where the best of a part lies
//! outside of the box the best of the box lies on the part's own border. Trying
//! all parts, each held to the box, therefore finds *the* nearest rotation:
//! nothing is iterated and no start can be wrong. Candidates are compared by
//! their chords, which tell near ones apart where cosines no longer can.

use super::super::{AngleRange, SLACK};
use crate::math::*;

/// Ranges of the angles about x, y and z.
pub(in crate::limit) struct Box3 {
    pub(in crate::limit) ranges: [AngleRange; 3],
}

/// A rotation as two complex numbers, `w + y + i(x + z)` and `w − y + i(x − z)`.
/// Their lengths are `√2 sin μ` and `√2 cos μ`, their angles `s` and `t`.
#[derive(Clone, Copy)]
pub(in crate::limit) struct Hopf {
    sum: Vec2,
    difference: Vec2,
}

impl Hopf {
    #[inline]
    pub(in crate::limit) fn from_quat(q: Quat) -> Self {
        // One of the two signs, so that both give the same bits.
        let flipped = if q.w != 0.0 {
            q.w < 0.0
        } else if q.x != 0.0 {
            q.x < 0.0
        } else if q.y != 0.0 {
            q.y < 0.0
        } else {
            q.z < 0.0
        };
        let q = if flipped { -q } else { q };
        Self { sum: Vec2::new(q.w + q.y, q.x + q.z), difference: Vec2::new(q.w - q.y, q.x - q.z) }
    }

    /// The rotation of these angles.
    #[inline]
    fn from_angles([alpha, beta, gamma]: [Real; 3]) -> Self {
        let (sin, cos) = (0.5 * beta + 0.25 * PI).sin_cos();
        let (s, t) = (0.5 * (alpha + gamma), 0.5 * (alpha - gamma));
        let root = (2.0 as Real).sqrt();
        Self { sum: unit(s) * (root * sin), difference: unit(t) * (root * cos) }
    }

    fn to_quat(self) -> Quat {
        let (u, v) = (self.sum, self.difference);
        Quat::from_xyzw(u.y + v.y, u.x - v.x, u.y - v.y, u.x + v.x).normalize()
    }

    /// Both triples that make the rotation.
    #[inline]
    pub(in crate::limit) fn angles(&self) -> [[Real; 3]; 2] {
        let (s, t) = (argument(self.sum), argument(self.difference));
        let (alpha, gamma) = (s + t, s - t);
        let (p, n) = (self.sum.length(), self.difference.length());
        let beta = 2.0 * (p - n).atan2(p + n);
        [
            [wrap_angle(alpha), beta, wrap_angle(gamma)],
            [wrap_angle(alpha + PI), wrap_angle(PI - beta), wrap_angle(gamma + PI)],
        ]
    }

    /// The triple that has more room in the box, or lacks less. In gimbal lock
    /// the free angle is chosen so that both outer angles fit as well as they can.
    pub(in crate::limit) fn best_angles(&self, bounds: &Box3) -> [Real; 3] {
        let room =
            |a: &[Real; 3]| (0..3).map(|i| bounds.ranges[i].room(a[i])).fold(Real::INFINITY, Real::min);
        let mut best = self.angles();
        let locked = ROUNDING * 30.0;
        for a in &mut best {
            if self.sum.length() < locked {
                // α − γ is known.
                self.share(bounds, a, 1.0);
            } else if self.difference.length() < locked {
                self.share(bounds, a, -1.0);
            }
        }
        if room(&best[1]) > room(&best[0]) { best[1] } else { best[0] }
    }

    /// Moves the outer angles together (`sign` 1) or against each other to
    /// where the smaller of their rooms is greatest.
    fn share(&self, bounds: &Box3, a: &mut [Real; 3], sign: Real) {
        let [first, _, third] = bounds.ranges;
        let half = |r: AngleRange| if r.is_whole_turn() { PI } else { 0.5 * (r.max - r.min) };
        // How far the first angle would move to its middle, and the third to its.
        let to_first = wrap_angle(first.middle() - a[0]);
        let to_third = wrap_angle((third.middle() - a[2]) * sign);
        let apart = wrap_angle(to_third - to_first);
        let part = (0.5 * (half(first) - half(third) + apart.abs())).clamp(0.0, apart.abs());
        let move_by = to_first + part.copysign(apart);
        a[0] = wrap_angle(a[0] + move_by);
        a[2] = wrap_angle(a[2] + sign * move_by);
    }

    /// The nearest rotation of the box shrunk by `inset`, as a quaternion of
    /// x-y-z turns; `None` if this one lies in it.
    pub(in crate::limit) fn project(&self, bounds: &Box3, inset: Real) -> Option<Quat> {
        let triples = self.angles();
        let inside = |a: &[Real; 3]| (0..3).all(|i| bounds.ranges[i].project(a[i], inset).is_none());
        if triples.iter().any(inside) {
            return None;
        }
        let mut search = Search { target: *self, bounds, inset, nearest: *self, chord: Real::INFINITY };
        search.try_all();
        // Small angles are the root of twice that. Near gimbal lock angles that
        // look far off can be a rounding away.
        if (2.0 * search.chord).sqrt() <= SLACK { None } else { Some(search.nearest.to_quat()) }
    }
}

struct Search<'a> {
    target: Hopf,
    bounds: &'a Box3,
    inset: Real,
    nearest: Hopf,
    /// The squared distance of the two rotations as pairs of complex numbers.
    chord: Real,
}

impl Search<'_> {
    /// Every part of the surface.
    fn try_all(&mut self) {
        let Hopf { sum, difference } = self.target;
        for beta in self.ends(1) {
            self.try_middle_at(beta);
        }
        // With one outer angle at a bound, `t` follows from `s`, and the
        // agreement is a length times the cosine of an angle to `s`.
        for alpha in self.ends(0) {
            let (mu, s) = longest_mix(sum, times(conjugate(difference), unit(alpha)));
            self.consider([alpha, 2.0 * mu - 0.5 * PI, 2.0 * s - alpha]);
        }
        for gamma in self.ends(2) {
            let (mu, s) = longest_mix(sum, times(difference, unit(gamma)));
            self.consider([2.0 * s - gamma, 2.0 * mu - 0.5 * PI, gamma]);
        }
        for alpha in self.ends(0) {
            for gamma in self.ends(2) {
                let a = sum.dot(unit(0.5 * (alpha + gamma)));
                let b = difference.dot(unit(0.5 * (alpha - gamma)));
                self.consider([alpha, 2.0 * a.atan2(b) - 0.5 * PI, gamma]);
            }
        }
    }

    /// The middle angle at a bound, and the outer two free, one at a bound, or both.
    fn try_middle_at(&mut self, beta: Real) {
        let (sin, cos) = (0.5 * beta + 0.25 * PI).sin_cos();
        // Signs are kept, so a negative factor asks for the opposite angle.
        let (sum, difference) = (self.target.sum * sin, self.target.difference * cos);
        let (s, t) = (argument(sum), argument(difference));
        self.consider([s + t, beta, s - t]);
        for alpha in self.ends(0) {
            let s = argument(sum + times(conjugate(difference), unit(alpha)));
            self.consider([alpha, beta, 2.0 * s - alpha]);
        }
        for gamma in self.ends(2) {
            let s = argument(sum + times(difference, unit(gamma)));
            self.consider([2.0 * s - gamma, beta, gamma]);
        }
    }

    /// Takes the rotation of these angles, held to the box, if it is nearer.
    fn consider(&mut self, angles: [Real; 3]) {
        let mut held = angles;
        for i in 0..3 {
            if let Some(bound) = self.bounds.ranges[i].project_within(angles[i], self.inset, 0.0) {
                held[i] = bound;
            }
        }
        let mut found = Hopf::from_angles(held);
        let Hopf { sum, difference } = self.target;
        if found.sum.dot(sum) + found.difference.dot(difference) < 0.0 {
            found = Hopf { sum: -found.sum, difference: -found.difference };
        }
        let chord = (found.sum - sum).length_squared() + (found.difference - difference).length_squared();
        if chord < self.chord {
            self.chord = chord;
            self.nearest = found;
        }
    }

    /// The ends of a range after the inset; of a whole turn there are none.
    fn ends(&self, axis: usize) -> impl Iterator<Item = Real> + use<> {
        let range = self.bounds.ranges[axis];
        let half = (0.5 * (range.max - range.min) - self.inset).max(0.0);
        let count = match () {
            () if range.is_whole_turn() => 0,
            () if half == 0.0 => 1,
            () => 2,
        };
        [range.middle() - half, range.middle() + half].into_iter().take(count)
    }
}

/// The `mu` for which `a·sin mu + b·cos mu` is longest, and the angle of that sum.
fn longest_mix(a: Vec2, b: Vec2) -> (Real, Real) {
    let mu = 0.5 * (2.0 * a.dot(b)).atan2(b.length_squared() - a.length_squared());
    let (sin, cos) = mu.sin_cos();
    (mu, argument(a * sin + b * cos))
}

#[inline]
fn unit(angle: Real) -> Vec2 {
    let (s, c) = angle.sin_cos();
    Vec2::new(c, s)
}

#[inline]
fn argument(z: Vec2) -> Real {
    z.y.atan2(z.x)
}

#[inline]
fn conjugate(z: Vec2) -> Vec2 {
    Vec2::new(z.x, -z.y)
}

#[inline]
fn times(a: Vec2, b: Vec2) -> Vec2 {
    Vec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}
