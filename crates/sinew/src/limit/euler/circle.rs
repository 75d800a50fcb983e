//! Where a rotation that is turned about a fixed axis is in a box of Euler angles.
//!
//! The quaternion of `R(axis, s)·start` is linear in the cosine and sine of `s/2`,
//! and so are the two complex numbers `u` and `v` of its Hopf coordinates (see
//! `euler/nearest.rs`). The outer angles are the arguments of `u·v` and `u·v̄`, the
//! sine of the middle one is `(|u|² − |v|²)/2`: each is quadratic there, so of the form
//! `k + p·cos s + q·sin s`. Every face of the box is therefore crossed at two angles at
//! the most, known in closed form, and between two crossings nothing changes.
//!
//! In gimbal lock `u` or `v` vanishes and an outer angle jumps by half a turn; there
//! every face is crossed at once, so that no piece holds a jump inside.

use super::nearest::Hopf;
use super::{AngleRange, EulerLimit};
use crate::math::*;

/// The most crossings that there are: two for each of the six faces.
pub(crate) const MOST_CROSSINGS: usize = 12;
/// Nearer to gimbal lock than this the angles are not asked.
const LOCKED: Real = 1.0e-3;

/// `k + p·cos s + q·sin s`.
#[derive(Clone, Copy)]
struct Wave<T> {
    k: T,
    p: T,
    q: T,
}

impl Wave<Real> {
    /// Where it is zero.
    fn zeros(self) -> Option<[Real; 2]> {
        let swing = (self.p * self.p + self.q * self.q).sqrt();
        if swing <= ROUNDING || self.k.abs() > swing {
            return None;
        }
        let (top, way) = (self.q.atan2(self.p), (-self.k / swing).acos());
        Some([top - way, top + way])
    }
}

impl Wave<Vec2> {
    /// The product of `a₀·cos(s/2) + a₁·sin(s/2)` and the same of `b`.
    fn product([a0, a1]: [Vec2; 2], [b0, b1]: [Vec2; 2]) -> Self {
        let times = |a: Vec2, b: Vec2| Vec2::new(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
        let (first, last) = (times(a0, b0), times(a1, b1));
        Self { k: (first + last) * 0.5, p: (first - last) * 0.5, q: (times(a0, b1) + times(a1, b0)) * 0.5 }
    }

    /// Zero where its argument is `angle` or opposite to it.
    fn across(self, angle: Real) -> Wave<Real> {
        let (sin, cos) = angle.sin_cos();
        let aside = |z: Vec2| z.y * cos - z.x * sin;
        Wave { k: aside(self.k), p: aside(self.p), q: aside(self.q) }
    }

    /// The square of a length: its real part, of a number times its conjugate.
    fn real(self) -> Wave<Real> {
        Wave { k: self.k.x, p: self.p.x, q: self.q.x }
    }
}

impl EulerLimit {
    /// The angles s at which `start·cos(s/2) + half·sin(s/2)` may enter or leave the box
    /// widened by `slack`, and how many there are.
    pub(crate) fn crossings(&self, start: Quat, half: Quat, slack: Real) -> ([Real; MOST_CROSSINGS], usize) {
        let parts = [start, half].map(|q| self.canonical(q));
        let sum = parts.map(|q| Vec2::new(q.w + q.y, q.x + q.z));
        let difference = parts.map(|q| Vec2::new(q.w - q.y, q.x - q.z));
        let mirrored = |z: [Vec2; 2]| z.map(|z| Vec2::new(z.x, -z.y));
        let first = Wave::product(sum, difference);
        let third = Wave::product(sum, mirrored(difference));
        let (high, low) = (
            Wave::product(sum, mirrored(sum)).real(),
            Wave::product(difference, mirrored(difference)).real(),
        );
        let middle = |angle: Real| Wave {
            k: 0.5 * (high.k - low.k) - angle.sin(),
            p: 0.5 * (high.p - low.p),
            q: 0.5 * (high.q - low.q),
        };
        let ranges = self.angle_box().ranges;
        let (mut found, mut count) = ([0.0; MOST_CROSSINGS], 0);
        for (i, range) in ranges.into_iter().enumerate() {
            if range.is_whole_turn() {
                continue;
            }
            for end in [range.min - slack, range.max + slack] {
                let wave = match i {
                    0 => first.across(end),
                    1 => middle(end),
                    _ => third.across(end),
                };
                for zero in wave.zeros().into_iter().flatten() {
                    found[count] = zero;
                    count += 1;
                }
            }
        }
        (found, count)
    }

    /// How far inside of the box the angles are, the one that is the least so; negative outside. Exact on the
    /// edge, and much quicker than a projection. `None` near gimbal lock, where angles say little.
    #[inline]
    pub(crate) fn margin(&self, q: Quat) -> Option<Real> {
        let seen = Hopf::from_quat(self.canonical(q));
        if seen.nearly_locked(LOCKED) {
            return None;
        }
        let ranges = self.angle_box().ranges;
        let least = |a: &[Real; 3]| (0..3).map(|i| ranges[i].room(a[i])).fold(Real::INFINITY, Real::min);
        Some(seen.angles().iter().map(least).fold(-Real::INFINITY, Real::max))
    }

    /// Whether the rotation is in the box widened by `slack`.
    #[inline]
    pub(crate) fn contains(&self, q: Quat, slack: Real) -> bool {
        let seen = Hopf::from_quat(self.canonical(q));
        if seen.nearly_locked(LOCKED) {
            let outside = self.project(q, 0.0).map_or(0.0, |held| rotation::angle(held.conjugate() * q));
            return outside <= slack;
        }
        let ranges = self.angle_box().ranges;
        let holds = |range: AngleRange, angle: Real| range.project_within(angle, 0.0, slack).is_none();
        seen.angles().iter().any(|a| (0..3).all(|i| holds(ranges[i], a[i])))
    }
}
