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
//!
//! Most parts need not be tried. The best agreement on a part is known before
//! the angles that reach it are, and a part that could not beat what clamping
//! the angles gave already is passed over.

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

    /// Whether one of the two lengths is below `length`.
    #[inline]
    pub(in crate::limit) fn nearly_locked(&self, length: Real) -> bool {
        self.sum.length_squared().min(self.difference.length_squared()) < length * length
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
        for triple in triples {
            search.consider(triple);
        }
        search.try_faces();
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

/// An outer angle at one of its bounds: then `t` follows from `s`, and the
/// agreement is the length of `sum · sin μ + mate · cos μ` times the cosine of
/// what `s` is off that sum's angle.
#[derive(Clone, Copy)]
struct OuterFace {
    angle: Real,
    mate: Vec2,
    is_first: bool,
}

impl OuterFace {
    /// The triple with these angles beside the one at its bound.
    fn triple(&self, beta: Real, s: Real) -> [Real; 3] {
        let other = 2.0 * s - self.angle;
        if self.is_first { [self.angle, beta, other] } else { [other, beta, self.angle] }
    }
}

impl Search<'_> {
    /// Every face of the box and, where its best lies outside, its edges.
    fn try_faces(&mut self) {
        let Hopf { sum, difference } = self.target;
        for beta in self.ends(1) {
            let (sin, cos) = (0.5 * beta + 0.25 * PI).sin_cos();
            if !self.could_gain((sum.length() * sin).abs() + (difference.length() * cos).abs()) {
                continue;
            }
            // Signs are kept, so a negative factor asks for the opposite angle.
            let (s, t) = (argument(sum * sin), argument(difference * cos));
            if self.consider([s + t, beta, s - t]) {
                continue;
            }
            for face in self.outer_faces() {
                let mix = sum * sin + face.mate * cos;
                if self.could_gain(mix.length()) {
                    self.consider(face.triple(beta, argument(mix)));
                }
            }
        }
        for face in self.outer_faces() {
            // The length of the mix is greatest along the long axis of an ellipse.
            let (a, b, ab) = (sum.length_squared(), face.mate.length_squared(), sum.dot(face.mate));
            let longest = 0.5 * (a + b) + (0.25 * (b - a) * (b - a) + ab * ab).sqrt();
            if !self.could_gain(longest.sqrt()) {
                continue;
            }
            let mu = 0.5 * (2.0 * ab).atan2(b - a);
            let (sin, cos) = mu.sin_cos();
            if self.consider(face.triple(2.0 * mu - 0.5 * PI, argument(sum * sin + face.mate * cos)))
                || !face.is_first
            {
                continue;
            }
            // Edges with the middle angle at a bound were tried above; each
            // edge of the outer two is tried once.
            for gamma in self.ends(2) {
                let along = Vec2::new(
                    difference.dot(unit(0.5 * (face.angle - gamma))),
                    sum.dot(unit(0.5 * (face.angle + gamma))),
                );
                if self.could_gain(along.length()) {
                    self.consider([face.angle, 2.0 * argument(along) - 0.5 * PI, gamma]);
                }
            }
        }
    }

    /// Whether a part whose best agreement is this, times √2, could hold
    /// something nearer than what is known.
    fn could_gain(&self, best: Real) -> bool {
        let root = (2.0 as Real).sqrt();
        4.0 - 2.0 * root * best < self.chord + 8.0 * ROUNDING
    }

    fn outer_faces(&self) -> impl Iterator<Item = OuterFace> + use<> {
        let difference = self.target.difference;
        let first = self.ends(0).map(move |angle| OuterFace {
            angle,
            mate: times(conjugate(difference), unit(angle)),
            is_first: true,
        });
        let third = self.ends(2).map(move |angle| OuterFace {
            angle,
            mate: times(difference, unit(angle)),
            is_first: false,
        });
        first.chain(third)
    }

    /// Takes the rotation of these angles, held to the box, if it is nearer.
    /// Returns whether they were in the box as they came.
    fn consider(&mut self, angles: [Real; 3]) -> bool {
        let mut held = angles;
        let mut within = true;
        for i in 0..3 {
            if let Some(bound) = self.bounds.ranges[i].project_within(angles[i], self.inset, 0.0) {
                // An angle that was put at a bound may seem a rounding beyond it.
                within &= wrap_angle(angles[i] - bound).abs() <= ROUNDING;
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
        within
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
