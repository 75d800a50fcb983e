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
//! To find the nearest rotation of the box, alternate: for a fixed middle
//! angle the best outer two are known in closed form (free, or one at a bound
//! and then the other, which is a sum of two cosines); for fixed outer angles
//! the best middle one is a single arc tangent. The middle axis is always at
//! right angles to both others, so the alternation settles in a few rounds. It
//! starts from both triples that make the rotation, and the better end counts.

use super::super::{AngleRange, SLACK};
use crate::math::*;

/// Ranges of the angles about x, y and z.
pub(in crate::limit) struct Box3 {
    pub(in crate::limit) ranges: [AngleRange; 3],
}

/// A rotation as two complex numbers, `(w + y, x + z)` and `(w − y, x − z)`,
/// in polar form. The lengths are `√2 sin μ` and `√2 cos μ`, both positive.
#[derive(Clone, Copy)]
pub(in crate::limit) struct Hopf {
    s: Real,
    t: Real,
    sum_length: Real,
    difference_length: Real,
}

/// How often the two steps alternate at most.
const ROUNDS: usize = 12;

impl Hopf {
    #[inline]
    pub(in crate::limit) fn from_quat(q: Quat) -> Self {
        let sum = Vec2::new(q.w + q.y, q.x + q.z);
        let difference = Vec2::new(q.w - q.y, q.x - q.z);
        Self {
            s: sum.y.atan2(sum.x),
            t: difference.y.atan2(difference.x),
            sum_length: sum.length(),
            difference_length: difference.length(),
        }
    }

    /// Both triples that make the rotation.
    #[inline]
    pub(in crate::limit) fn angles(&self) -> [[Real; 3]; 2] {
        let (alpha, gamma) = (self.s + self.t, self.s - self.t);
        let (p, n) = (self.sum_length, self.difference_length);
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
            if self.sum_length < locked {
                // α − γ is known.
                self.share(bounds, a, 1.0);
            } else if self.difference_length < locked {
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
        let search = Search { target: *self, bounds, inset };
        let one = search.from(triples[0][1]);
        let other = search.from(triples[1][1]);
        let best = if other.agreement > one.agreement { other } else { one };
        let near = best.to_quat();
        // Near gimbal lock angles that look far off can be a rounding away.
        if self.angle_to(near) <= SLACK { None } else { Some(near) }
    }

    /// The angle between this rotation and another.
    fn angle_to(&self, q: Quat) -> Real {
        let (ss, cs) = self.s.sin_cos();
        let (st, ct) = self.t.sin_cos();
        let (p, n) = (0.5 * self.sum_length, 0.5 * self.difference_length);
        let mine = Quat::from_xyzw(p * ss + n * st, p * cs - n * ct, p * ss - n * st, p * cs + n * ct);
        rotation::angle(q.conjugate() * mine)
    }
}

struct Search<'a> {
    target: Hopf,
    bounds: &'a Box3,
    inset: Real,
}

#[derive(Clone, Copy)]
struct Candidate {
    s: Real,
    t: Real,
    mu: Real,
    agreement: Real,
}

impl Candidate {
    fn to_quat(self) -> Quat {
        let (sin, cos) = self.mu.sin_cos();
        let ((ss, cs), (st, ct)) = (self.s.sin_cos(), self.t.sin_cos());
        let half = (0.5 as Real).sqrt();
        let (p, n) = (half * sin, half * cos);
        Quat::from_xyzw(p * ss + n * st, p * cs - n * ct, p * ss - n * st, p * cs + n * ct).normalize()
    }
}

impl Search<'_> {
    fn bounded(&self, axis: usize, angle: Real) -> Real {
        self.bounds.ranges[axis].project(angle, self.inset).unwrap_or(angle)
    }

    /// Alternates from a middle angle that need not be allowed.
    fn from(&self, beta: Real) -> Candidate {
        let mut mu = 0.5 * self.bounded(1, beta) + 0.25 * PI;
        let mut best = self.outer(mu);
        for _ in 0..ROUNDS {
            // Of the outer angles' cosines the middle angle is an arc tangent.
            let sum = self.target.sum_length * (self.target.s - best.s).cos();
            let difference = self.target.difference_length * (self.target.t - best.t).cos();
            let free = 2.0 * sum.atan2(difference) - 0.5 * PI;
            let next = 0.5 * self.bounded(1, free) + 0.25 * PI;
            let moved = wrap_angle(2.0 * (next - mu)).abs();
            mu = next;
            let again = self.outer(mu);
            let gained = again.agreement > best.agreement;
            if gained {
                best = again;
            }
            if moved <= ROUNDING || !gained {
                break;
            }
        }
        best
    }

    /// The best outer angles for a middle one.
    fn outer(&self, mu: Real) -> Candidate {
        let (sin, cos) = mu.sin_cos();
        let (a, b) = (self.target.sum_length * sin, self.target.difference_length * cos);
        let (s, t) = (self.target.s, self.target.t);
        // A negative factor wants the opposite cosine.
        let free_s = if a < 0.0 { s + PI } else { s };
        let free_t = if b < 0.0 { t + PI } else { t };
        let (alpha, gamma) = (free_s + free_t, free_s - free_t);
        let (held_alpha, held_gamma) = (self.bounded(0, alpha), self.bounded(2, gamma));
        let candidate = |alpha: Real, gamma: Real| {
            let (s1, t1) = (0.5 * (alpha + gamma), 0.5 * (alpha - gamma));
            let agreement = (a * (s - s1).cos() + b * (t - t1).cos()).abs();
            Candidate { s: s1, t: t1, mu, agreement }
        };
        if held_alpha == alpha && held_gamma == gamma {
            return candidate(alpha, gamma);
        }
        // One of them is at a bound. For each bound the other angle follows:
        // the agreement is then one cosine of the half sum.
        let meet = |other: Real| {
            let ((s0, c0), (s1, c1)) = (s.sin_cos(), other.sin_cos());
            (a * s0 + b * s1).atan2(a * c0 + b * c1)
        };
        let mut best = candidate(held_alpha, held_gamma);
        for bound in self.ends(0) {
            let gamma = self.bounded(2, 2.0 * meet(bound - t) - bound);
            let c = candidate(bound, gamma);
            if c.agreement > best.agreement {
                best = c;
            }
        }
        for bound in self.ends(2) {
            let alpha = self.bounded(0, 2.0 * meet(bound + t) - bound);
            let c = candidate(alpha, bound);
            if c.agreement > best.agreement {
                best = c;
            }
        }
        best
    }

    /// The ends of a range after the inset; of a whole turn there are none.
    fn ends(&self, axis: usize) -> impl Iterator<Item = Real> {
        let range = self.bounds.ranges[axis];
        let half = (0.5 * (range.max - range.min) - self.inset).max(0.0);
        let count = if range.is_whole_turn() { 0 } else { 2 };
        [range.middle() - half, range.middle() + half].into_iter().take(count)
    }
}
