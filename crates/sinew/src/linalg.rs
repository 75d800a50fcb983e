//! Small dense solves over the caller's memory.
//!
//! nalgebra has all of these, and is the reference in the tests. It is not a
//! dependency of the engine because its matrices of run-time size allocate,
//! which a solve may not, and because a solver's sizes are known only when it
//! is built.
//!
//! Nothing here fails: where a matrix that should be positive is not, by
//! rounding or by nature, the directions in which it is flat are left out of
//! the solution, as a pseudo-inverse does.

use crate::math::*;

/// Pivots below this part of the largest diagonal element count as zero.
const FLAT: Real = ROUNDING * 1.0e-2;

/// Solves `A x = b` for a symmetric positive matrix of which only the lower
/// triangle is read; `A` becomes its factor and `b` the solution.
///
/// ```
/// let mut a = [[4.0, 0.0], [2.0, 3.0]];
/// let mut b = [8.0, 7.0];
/// sinew::linalg::solve_positive(&mut a, &mut b);
/// assert!((b[0] - 1.25).abs() < 1e-6 && (b[1] - 1.5).abs() < 1e-6);
/// ```
#[inline]
pub fn solve_positive<const N: usize>(a: &mut [[Real; N]; N], b: &mut [Real; N]) {
    let mut largest: Real = 0.0;
    for i in 0..N {
        largest = largest.max(a[i][i]);
    }
    let least = largest * FLAT;
    // A = L D Lᵀ, without square roots. Below the diagonal L, on it 1/D.
    for j in 0..N {
        let pivot = a[j][j];
        let inverse = if pivot > least { 1.0 / pivot } else { 0.0 };
        let mut column = [0.0; N];
        for i in j + 1..N {
            column[i] = a[i][j];
        }
        for i in j + 1..N {
            let factor = column[i] * inverse;
            for k in j + 1..=i {
                a[i][k] -= factor * column[k];
            }
            a[i][j] = factor;
        }
        a[j][j] = inverse;
    }
    for i in 0..N {
        for k in 0..i {
            b[i] -= a[i][k] * b[k];
        }
    }
    for i in (0..N).rev() {
        b[i] *= a[i][i];
        for k in i + 1..N {
            b[i] -= a[k][i] * b[k];
        }
    }
}
