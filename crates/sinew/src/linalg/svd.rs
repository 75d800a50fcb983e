//! Singular values by one-sided Jacobi rotations.
//!
//! Hestenes' method: the rows of the matrix are turned against each other, two
//! at a time, until all are orthogonal. Then the length of each is a singular
//! value, its direction a right singular vector, and the turns together are the
//! left ones. It is the method of choice for small matrices: a few dozen lines,
//! accurate to rounding for the small singular values as well, which is what
//! damping by the smallest one needs, and no failure to converge. Cost grows
//! with the square of the rows, so the rows should be the short side.

use alloc::vec::Vec;

use crate::math::*;

/// Sweeps over all pairs of rows after which it stops at the latest. Convergence is
/// quadratic; ten are plenty for anything a solver meets.
const SWEEPS: usize = 30;

/// A decomposition `A = U Σ Vᵀ` and the room to compute it in.
#[derive(Debug, Clone)]
pub(crate) struct Svd {
    rows: usize,
    columns: usize,
    /// Row `i` is the `i`-th left singular vector.
    left: Vec<Real>,
    /// Row `i` is the `i`-th right singular vector.
    right: Vec<Real>,
    values: Vec<Real>,
}

impl Svd {
    /// Room for matrices with this many rows and columns.
    pub(crate) fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            left: alloc::vec![0.0; rows * rows],
            right: alloc::vec![0.0; rows * columns],
            values: alloc::vec![0.0; rows],
        }
    }

    /// Decomposes a matrix given row after row. A slice of another size counts
    /// as a matrix of zeros.
    pub(crate) fn decompose(&mut self, matrix: &[Real]) {
        let (m, n) = (self.rows, self.columns);
        if matrix.len() == m * n && matrix.iter().all(|x| x.is_finite()) {
            self.right.copy_from_slice(matrix);
        } else {
            self.right.fill(0.0);
        }
        self.left.fill(0.0);
        for i in 0..m {
            self.left[i * m + i] = 1.0;
        }
        for _ in 0..SWEEPS {
            let mut turned = false;
            for i in 0..m {
                for j in i + 1..m {
                    turned |= self.orthogonalise(i, j);
                }
            }
            if !turned {
                break;
            }
        }
        self.sort();
    }

    /// Turns rows `i` and `j` until they are orthogonal. Whether they were not.
    fn orthogonalise(&mut self, i: usize, j: usize) -> bool {
        let n = self.columns;
        let (head, tail) = self.right.split_at_mut(j * n);
        let (a, b) = (&mut head[i * n..(i + 1) * n], &mut tail[..n]);
        let (mut aa, mut bb, mut ab) = (0.0, 0.0, 0.0);
        for (x, y) in a.iter().zip(b.iter()) {
            aa += x * x;
            bb += y * y;
            ab += x * y;
        }
        if ab.abs() <= Real::EPSILON * (aa * bb).sqrt() || ab == 0.0 {
            return false;
        }
        // The smaller root of t² + 2ζt − 1 = 0 turns by less than 45°.
        let zeta = (bb - aa) / (2.0 * ab);
        let sign = if zeta < 0.0 { -1.0 } else { 1.0 };
        let t = sign / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
        let c = 1.0 / (1.0 + t * t).sqrt();
        let s = c * t;
        if s == 0.0 || !s.is_finite() {
            return false;
        }
        turn(a, b, c, s);
        let m = self.rows;
        let (head, tail) = self.left.split_at_mut(j * m);
        turn(&mut head[i * m..(i + 1) * m], &mut tail[..m], c, s);
        true
    }

    /// Largest value first, right vectors of unit length.
    fn sort(&mut self) {
        let (m, n) = (self.rows, self.columns);
        for i in 0..m {
            let row = &self.right[i * n..(i + 1) * n];
            self.values[i] = row.iter().map(|x| x * x).sum::<Real>().sqrt();
        }
        for i in 0..m {
            let mut largest = i;
            for j in i + 1..m {
                if self.values[j] > self.values[largest] {
                    largest = j;
                }
            }
            if largest != i {
                self.values.swap(i, largest);
                for k in 0..n {
                    self.right.swap(i * n + k, largest * n + k);
                }
                for k in 0..m {
                    self.left.swap(i * m + k, largest * m + k);
                }
            }
            let value = self.values[i];
            if value > 0.0 {
                for x in &mut self.right[i * n..(i + 1) * n] {
                    *x /= value;
                }
            }
        }
    }

    /// How many singular values there are room for: the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// The `i`-th singular value, the largest first. With more rows than
    /// columns the surplus ones are zero.
    pub(crate) fn value(&self, i: usize) -> Real {
        self.values[i]
    }

    /// The `i`-th left singular vector, of as many numbers as the matrix has rows.
    pub(crate) fn left(&self, i: usize) -> &[Real] {
        &self.left[i * self.rows..(i + 1) * self.rows]
    }

    /// The `i`-th right singular vector, of as many numbers as the matrix has
    /// columns; zero where the singular value is.
    pub(crate) fn right(&self, i: usize) -> &[Real] {
        &self.right[i * self.columns..(i + 1) * self.columns]
    }

    /// The singular values below this are rounding error.
    pub(crate) fn negligible(&self) -> Real {
        let largest = self.values.first().copied().unwrap_or(0.0);
        largest * ROUNDING * self.rows.max(self.columns) as Real
    }

    /// The smallest singular value above `floor` and above rounding, zero if
    /// there is none.
    pub(crate) fn smallest_above(&self, floor: Real) -> Real {
        let floor = self.negligible().max(floor);
        self.values.iter().rev().copied().find(|v| *v > floor).unwrap_or(0.0)
    }

    /// Adds `Σ σ / (σ² + λ²) · (uᵀ b) · v` to `x`, over the singular values
    /// above `floor` and above rounding: the damped least-squares solution of
    /// `A x = b`, the pseudo-inverse's for `damping` zero.
    pub(crate) fn solve_damped(&self, b: &[Real], damping: Real, floor: Real, x: &mut [Real]) {
        let floor = self.negligible().max(floor);
        for i in 0..self.rows {
            let value = self.values[i];
            if value <= floor {
                break;
            }
            let along: Real = self.left(i).iter().zip(b).map(|(u, b)| u * b).sum();
            let factor = along * value / (value * value + damping * damping);
            for (x, v) in x.iter_mut().zip(self.right(i)) {
                *x += factor * v;
            }
        }
    }
}

#[inline]
fn turn(a: &mut [Real], b: &mut [Real], c: Real, s: Real) {
    for (x, y) in a.iter_mut().zip(b) {
        let (old_x, old_y) = (*x, *y);
        *x = c * old_x - s * old_y;
        *y = s * old_x + c * old_y;
    }
}
