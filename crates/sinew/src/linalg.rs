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

pub(crate) mod svd;

use crate::math::*;

/// Pivots below this part of the largest diagonal element count as zero.
const FLAT: Real = ROUNDING * 1.0e-2;

/// Solves `A x = b` for a symmetric positive matrix of which only the lower
/// triangle is read; `A` becomes its factor and `b` the solution.
#[inline]
pub(crate) fn solve_positive<const N: usize>(a: &mut [[Real; N]; N], b: &mut [Real; N]) {
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

/// Solves `A x = b` for a symmetric positive matrix of `b.len()` rows, given
/// row after row, of which only the lower triangle is read; `A` becomes its
/// factor and `b` the solution. A slice of another size changes nothing.
pub(crate) fn solve_positive_slice(a: &mut [Real], b: &mut [Real]) {
    let n = b.len();
    if a.len() != n * n {
        return;
    }
    let mut largest: Real = 0.0;
    for i in 0..n {
        largest = largest.max(a[i * n + i]);
    }
    let least = largest * FLAT;
    for j in 0..n {
        // Row by row, so that the inner loops run along memory.
        for k in 0..j {
            let mut sum = a[j * n + k];
            for i in 0..k {
                sum -= a[j * n + i] * a[k * n + i];
            }
            a[j * n + k] = sum;
        }
        let mut pivot = a[j * n + j];
        for k in 0..j {
            let scaled = a[j * n + k] * a[k * n + k];
            pivot -= scaled * a[j * n + k];
            a[j * n + k] = scaled;
        }
        a[j * n + j] = if pivot > least { 1.0 / pivot } else { 0.0 };
    }
    for i in 0..n {
        for k in 0..i {
            b[i] -= a[i * n + k] * b[k];
        }
    }
    for i in 0..n {
        b[i] *= a[i * n + i];
    }
    for i in (0..n).rev() {
        let solved = b[i];
        for k in 0..i {
            b[k] -= a[i * n + k] * solved;
        }
    }
}

/// The inverse of a 3×3 matrix in closed form, or `None` where it is flat: the
/// determinant is below rounding of what it is summed from.
#[inline]
pub(crate) fn inverse3(a: &[[Real; 3]; 3]) -> Option<[[Real; 3]; 3]> {
    // The cofactors of the first row give the determinant.
    let c0 = a[1][1] * a[2][2] - a[1][2] * a[2][1];
    let c1 = a[1][2] * a[2][0] - a[1][0] * a[2][2];
    let c2 = a[1][0] * a[2][1] - a[1][1] * a[2][0];
    let determinant = a[0][0] * c0 + a[0][1] * c1 + a[0][2] * c2;
    let size = (a[0][0] * c0).abs() + (a[0][1] * c1).abs() + (a[0][2] * c2).abs();
    if determinant.abs() <= size * ROUNDING || determinant == 0.0 {
        return None;
    }
    let d = 1.0 / determinant;
    Some([
        [c0 * d, (a[0][2] * a[2][1] - a[0][1] * a[2][2]) * d, (a[0][1] * a[1][2] - a[0][2] * a[1][1]) * d],
        [c1 * d, (a[0][0] * a[2][2] - a[0][2] * a[2][0]) * d, (a[0][2] * a[1][0] - a[0][0] * a[1][2]) * d],
        [c2 * d, (a[0][1] * a[2][0] - a[0][0] * a[2][1]) * d, (a[0][0] * a[1][1] - a[0][1] * a[1][0]) * d],
    ])
}

/// The inverse of a square matrix by LU decomposition with pivoting of rows, or
/// `None` where a pivot is below rounding.
pub(crate) fn inverse<const N: usize>(a: &[[Real; N]; N]) -> Option<[[Real; N]; N]> {
    let mut lu = *a;
    let mut order = [0; N];
    for (i, place) in order.iter_mut().enumerate() {
        *place = i;
    }
    let mut largest: Real = 0.0;
    for row in a {
        for x in row {
            largest = largest.max(x.abs());
        }
    }
    for k in 0..N {
        let mut best = k;
        for i in k + 1..N {
            if lu[i][k].abs() > lu[best][k].abs() {
                best = i;
            }
        }
        lu.swap(k, best);
        order.swap(k, best);
        let pivot = lu[k][k].abs();
        if pivot.is_nan() || pivot <= largest * ROUNDING {
            return None;
        }
        for i in k + 1..N {
            lu[i][k] /= lu[k][k];
            for j in k + 1..N {
                lu[i][j] -= lu[i][k] * lu[k][j];
            }
        }
    }
    let mut out = [[0.0; N]; N];
    for column in 0..N {
        let mut y = [0.0; N];
        for i in 0..N {
            let mut sum = if order[i] == column { 1.0 } else { 0.0 };
            for k in 0..i {
                sum -= lu[i][k] * y[k];
            }
            y[i] = sum;
        }
        for i in (0..N).rev() {
            let mut sum = y[i];
            for k in i + 1..N {
                sum -= lu[i][k] * out[k][column];
            }
            out[i][column] = sum / lu[i][i];
        }
    }
    Some(out)
}

#[cfg(test)]
#[path = "../tests/unit/linalg.rs"]
mod tests;
