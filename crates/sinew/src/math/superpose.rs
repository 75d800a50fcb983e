//! Wahba's problem: the rotation that best lays one set of vectors on another.
//!
//! Given pairs of vectors (eₖ, tₖ) with weights wₖ, the sum of
//! wₖ‖tₖ − R eₖ‖² is least for the rotation R that makes tr(Rᵀ B) greatest,
//! where B = Σ wₖ tₖ eₖᵀ. As a quaternion it is the eigenvector of the
//! largest eigenvalue of a symmetric 4×4 matrix made from B (Davenport;
//! Horn 1987).
//!
//! The eigenvalue comes from Newton's method on the characteristic polynomial,
//! started from an upper bound (QCP: Theobald 2005; Liu, Agrafiotis & Theobald
//! 2010), and the eigenvector from the adjugate matrix. Two things the plain
//! QCP leaves open are closed here, since EWBIK runs it in single precision:
//!
//! - *Ambiguous problems* (one pair, or nearly parallel pairs) have many best
//!   rotations, and rounding would choose among them. One pair takes the
//!   shortest arc. Where the two largest eigenvalues are close, which shows in
//!   the size of the adjugate, B gets a small multiple of the identity, so that
//!   the rotation nearest to none is found and a bone does not spin about the
//!   line to its targets.
//! - *Degenerate polynomials* (half a turn, opposite sets): where the adjugate
//!   still has no column of any length, cyclic Jacobi rotations find the
//!   eigenvector, slower and without fail.

use super::*;

/// The sums that decide the best rotation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Superposition {
    /// Σ w · target · effectorᵀ.
    pub(crate) sum: Mat3,
    /// An upper bound of the largest eigenvalue: Σ w |target| |effector|.
    pub(crate) bound: Real,
    /// How many pairs there are, and the last of them.
    pairs: u32,
    last: (Vec3, Vec3),
}

impl Superposition {
    /// No pairs yet.
    pub(crate) const EMPTY: Self = Self { sum: Mat3::ZERO, bound: 0.0, pairs: 0, last: (Vec3::Z, Vec3::Z) };

    /// Adds a pair of vectors: `from` should come to lie on `to`.
    #[inline]
    pub(crate) fn add(&mut self, from: Vec3, to: Vec3, weight: Real) {
        let to = to * weight;
        self.sum += Mat3::from_cols(to * from.x, to * from.y, to * from.z);
        self.bound += to.length() * from.length();
        self.pairs += 1;
        self.last = (from, to);
    }

    /// Adds two frames whose axes should coincide, each axis of the frame
    /// weighted on its own: the same as three pairs of unit vectors.
    #[inline]
    pub(crate) fn add_frames(&mut self, from: Quat, to: Quat, weights: Vec3) {
        let (f, t) = (Mat3::from_quat(from), Mat3::from_quat(to));
        let weighted = Mat3::from_cols(t.x_axis * weights.x, t.y_axis * weights.y, t.z_axis * weights.z);
        self.sum += weighted * f.transpose();
        self.bound += weights.x + weights.y + weights.z;
        self.pairs += 3;
    }

    /// Pulls towards no rotation, as pairs of equal vectors of this weight would.
    #[inline]
    pub(crate) fn add_rest(&mut self, weight: Real) {
        self.sum.x_axis.x += weight;
        self.sum.y_axis.y += weight;
        self.sum.z_axis.z += weight;
        self.bound += 3.0 * weight;
        self.pairs += 3;
    }

    /// The same pairs after the vectors that should move have turned by `turn`:
    /// Σ w t (R e)ᵀ = B Rᵀ.
    #[inline]
    pub(crate) fn turned(&self, turn: Quat) -> Self {
        let sum = self.sum * Mat3::from_quat(turn).transpose();
        Self { sum, last: (turn * self.last.0, self.last.1), ..*self }
    }

    /// Whether the pairs are further apart after this turn, by more than rounding: the sum of
    /// their squared distances is a constant less twice the trace.
    pub(crate) fn is_worse_after(&self, turn: Quat) -> bool {
        let trace = |m: &Mat3| m.x_axis.x + m.y_axis.y + m.z_axis.z;
        let after = trace(&self.turned(turn).sum);
        after.is_nan() || after < trace(&self.sum) - ROUNDING * self.bound
    }

    /// The rotation that lays `from` on `to` best; the identity if there is nothing to lay.
    pub(crate) fn best_rotation(mut self) -> Quat {
        let scale = self.bound;
        if !(scale.is_finite() && scale > TINY) {
            return Quat::IDENTITY;
        }
        if self.pairs == 1 {
            let (from, to) = self.last;
            let (from, to) = (direction_or(from, Vec3::Z), direction_or(to, Vec3::Z));
            return rotation::between(from, to, any_perpendicular(from));
        }
        self.sum *= 1.0 / scale;
        self.bound = 1.0;
        let q = dominant_by_polynomial(&self.davenport(), 1.0, AMBIGUOUS).unwrap_or_else(|| {
            self.add_rest(TIE_BREAK);
            let k = self.davenport();
            dominant_by_polynomial(&k, self.bound, DEGENERATE).unwrap_or_else(|| dominant_by_jacobi(k))
        });
        if q.w < 0.0 { -q } else { q }
    }

    /// The angle about the unit vector `axis` that lays `from` on `to` best:
    /// tr(R(θ)ᵀB) = const + c·cos θ + s·sin θ.
    #[inline]
    pub(crate) fn best_angle(&self, axis: Vec3) -> Real {
        let b = &self.sum;
        let trace = b.x_axis.x + b.y_axis.y + b.z_axis.z;
        let c = trace - axis.dot(*b * axis);
        let s = axis.dot(self.skew());
        if c * c + s * s > TINY * TINY { s.atan2(c) } else { 0.0 }
    }

    /// Σ w · effector × target: the torque of the pairs.
    #[inline]
    pub(crate) fn skew(&self) -> Vec3 {
        let b = &self.sum;
        // Column j of the matrix holds B[·][j].
        Vec3::new(b.y_axis.z - b.z_axis.y, b.z_axis.x - b.x_axis.z, b.x_axis.y - b.y_axis.x)
    }

    /// The symmetric 4×4 matrix, in the order x y z w, as its upper triangle by rows.
    #[inline]
    fn davenport(&self) -> [[Real; 4]; 4] {
        let b = &self.sum;
        let (xx, yy, zz) = (b.x_axis.x, b.y_axis.y, b.z_axis.z);
        let xy = b.x_axis.y + b.y_axis.x;
        let xz = b.x_axis.z + b.z_axis.x;
        let yz = b.y_axis.z + b.z_axis.y;
        let z = self.skew();
        [
            [xx - yy - zz, xy, xz, z.x],
            [xy, yy - xx - zz, yz, z.y],
            [xz, yz, zz - xx - yy, z.z],
            [z.x, z.y, z.z, xx + yy + zz],
        ]
    }
}

/// Adjugates shorter than this come from problems with nearly equal best
/// rotations: 1e-4 for single, 1e-8 for double precision. An eigenvector is as
/// exact as rounding over this.
const AMBIGUOUS: Real = ROUNDING * 100.0;
/// Adjugates shorter than this are mostly rounding.
const DEGENERATE: Real = ROUNDING * 64.0;
/// The pull towards no rotation where there is a choice, as a part of the whole.
const TIE_BREAK: Real = 1.0e-3;

/// The eigenvector of the largest eigenvalue, by QCP; `None` where the
/// polynomial is too flat to tell.
#[inline]
fn dominant_by_polynomial(k: &[[Real; 4]; 4], bound: Real, least: Real) -> Option<Quat> {
    // λ⁴ + c2 λ² + c1 λ + c0, the trace being zero.
    let mut c2 = 0.0;
    for i in 0..4 {
        for j in 0..4 {
            c2 += k[i][j] * k[i][j];
        }
    }
    c2 *= -0.5;
    let minor = |r: [usize; 3], c: [usize; 3]| {
        k[r[0]][c[0]] * (k[r[1]][c[1]] * k[r[2]][c[2]] - k[r[1]][c[2]] * k[r[2]][c[1]])
            - k[r[0]][c[1]] * (k[r[1]][c[0]] * k[r[2]][c[2]] - k[r[1]][c[2]] * k[r[2]][c[0]])
            + k[r[0]][c[2]] * (k[r[1]][c[0]] * k[r[2]][c[1]] - k[r[1]][c[1]] * k[r[2]][c[0]])
    };
    let (a, b, c, d) = ([1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]);
    let c1 = -(minor(a, a) + minor(b, b) + minor(c, c) + minor(d, d));
    let c0 = k[0][0] * minor(a, a) - k[0][1] * minor(a, b) + k[0][2] * minor(a, c) - k[0][3] * minor(a, d);
    let mut lambda = bound;
    // From above, Newton's steps on this polynomial only ever go down to the root.
    for _ in 0..16 {
        let l2 = lambda * lambda;
        let p = (l2 + c2) * l2 + c1 * lambda + c0;
        let dp = (4.0 * l2 + 2.0 * c2) * lambda + c1;
        if dp <= TINY {
            break;
        }
        let step = p / dp;
        lambda -= step;
        if step.abs() <= ROUNDING * 0.5 * lambda.abs() {
            break;
        }
    }
    largest_adjugate_column(k, lambda, least)
}

/// The longest column of adj(K − λI), which is along the eigenvector.
#[inline]
fn largest_adjugate_column(k: &[[Real; 4]; 4], lambda: Real, least: Real) -> Option<Quat> {
    let m = |i: usize, j: usize| if i == j { k[i][j] - lambda } else { k[i][j] };
    // 2×2 minors of the upper and the lower pair of rows.
    let upper = |i: usize, j: usize| m(0, i) * m(1, j) - m(0, j) * m(1, i);
    let lower = |i: usize, j: usize| m(2, i) * m(3, j) - m(2, j) * m(3, i);
    let (u01, u02, u03, u12, u13, u23) =
        (upper(0, 1), upper(0, 2), upper(0, 3), upper(1, 2), upper(1, 3), upper(2, 3));
    let (l01, l02, l03, l12, l13, l23) =
        (lower(0, 1), lower(0, 2), lower(0, 3), lower(1, 2), lower(1, 3), lower(2, 3));
    // Cofactors of row i; the matrix is symmetric, so they are a column too.
    let columns = [
        [
            m(1, 1) * l23 - m(1, 2) * l13 + m(1, 3) * l12,
            -(m(1, 0) * l23 - m(1, 2) * l03 + m(1, 3) * l02),
            m(1, 0) * l13 - m(1, 1) * l03 + m(1, 3) * l01,
            -(m(1, 0) * l12 - m(1, 1) * l02 + m(1, 2) * l01),
        ],
        [
            -(m(0, 1) * l23 - m(0, 2) * l13 + m(0, 3) * l12),
            m(0, 0) * l23 - m(0, 2) * l03 + m(0, 3) * l02,
            -(m(0, 0) * l13 - m(0, 1) * l03 + m(0, 3) * l01),
            m(0, 0) * l12 - m(0, 1) * l02 + m(0, 2) * l01,
        ],
        [
            m(3, 1) * u23 - m(3, 2) * u13 + m(3, 3) * u12,
            -(m(3, 0) * u23 - m(3, 2) * u03 + m(3, 3) * u02),
            m(3, 0) * u13 - m(3, 1) * u03 + m(3, 3) * u01,
            -(m(3, 0) * u12 - m(3, 1) * u02 + m(3, 2) * u01),
        ],
        [
            -(m(2, 1) * u23 - m(2, 2) * u13 + m(2, 3) * u12),
            m(2, 0) * u23 - m(2, 2) * u03 + m(2, 3) * u02,
            -(m(2, 0) * u13 - m(2, 1) * u03 + m(2, 3) * u01),
            m(2, 0) * u12 - m(2, 1) * u02 + m(2, 2) * u01,
        ],
    ];
    let mut best = Quat::IDENTITY;
    let mut longest = 0.0;
    for c in columns {
        let q = Quat::from_xyzw(c[0], c[1], c[2], c[3]);
        let length = q.length_squared();
        if length > longest {
            longest = length;
            best = q;
        }
    }
    // Its length is the product of the gaps to the other three eigenvalues.
    (longest > least * least).then(|| best * (1.0 / longest.sqrt()))
}

/// The eigenvector of the largest eigenvalue, by cyclic Jacobi rotations.
fn dominant_by_jacobi(mut k: [[Real; 4]; 4]) -> Quat {
    let mut v = [[0.0; 4]; 4];
    for i in 0..4 {
        v[i][i] = 1.0;
    }
    for _ in 0..12 {
        let mut off = 0.0;
        for p in 0..3 {
            for q in p + 1..4 {
                off += k[p][q] * k[p][q];
                if k[p][q].abs() <= TINY {
                    continue;
                }
                let theta = (k[q][q] - k[p][p]) / (2.0 * k[p][q]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for i in 0..4 {
                    (k[i][p], k[i][q]) = (c * k[i][p] - s * k[i][q], s * k[i][p] + c * k[i][q]);
                }
                for i in 0..4 {
                    (k[p][i], k[q][i]) = (c * k[p][i] - s * k[q][i], s * k[p][i] + c * k[q][i]);
                    (v[i][p], v[i][q]) = (c * v[i][p] - s * v[i][q], s * v[i][p] + c * v[i][q]);
                }
            }
        }
        if off <= ROUNDING * ROUNDING {
            break;
        }
    }
    let mut best = 3;
    for i in 0..3 {
        if k[i][i] > k[best][best] {
            best = i;
        }
    }
    rotation::normalize_or_identity(Quat::from_xyzw(v[0][best], v[1][best], v[2][best], v[3][best]))
}

#[cfg(test)]
#[path = "../../tests/unit/math_superpose.rs"]
mod tests;
