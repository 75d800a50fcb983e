//! Steps 3 to 6 of the paper's algorithm, over any kind of number: over real ones they solve, over ones
//! that count they say what an iteration costs (Tables 1.1 and 1.2).
//!
//! A Jacobian of `M` rows is a list of its columns, one for each degree of freedom.

use std::array::from_fn;
use std::cell::Cell as Counter;
use std::ops::{Add, Div, Mul, Sub};

/// What the algorithm computes with.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// This number.
    fn of(value: f32) -> Self;
}

impl Number for f32 {
    fn of(value: f32) -> Self {
        value
    }
}

/// A sum of products; without terms it is zero.
fn dot<T: Number>(mut terms: impl Iterator<Item = (T, T)>) -> T {
    let Some((a, b)) = terms.next() else { return T::of(0.0) };
    terms.fold(a * b, |sum, (a, b)| sum + a * b)
}

/// `J Jᵀ`, every entry of it, as the paper counts.
pub fn square<T: Number, const M: usize>(jacobian: &[[T; M]]) -> [[T; M]; M] {
    from_fn(|r| from_fn(|c| dot(jacobian.iter().map(|j| (j[r], j[c])))))
}

/// A matrix of three rows inverted by its cofactors (Eq. 1.10, Appendix C).
pub fn inverse3<T: Number>(m: &[[T; 3]; 3]) -> [[T; 3]; 3] {
    // The cofactor of an entry, with its sign, by going on past the last row or column to the first.
    let minor = |r: usize, c: usize| {
        let at = |i: usize, k: usize| m[(r + i) % 3][(c + k) % 3];
        at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)
    };
    let determinant = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
    let one_over = T::of(1.0) / determinant;
    from_fn(|r| from_fn(|c| minor(c, r) * one_over))
}

/// A matrix of six rows inverted by lower and upper triangles without pivots (Eq. 1.8 and 1.9,
/// Appendices A and B).
pub fn inverse6<T: Number>(m: &[[T; 6]; 6]) -> [[T; 6]; 6] {
    let (mut lower, mut upper) = ([[T::of(0.0); 6]; 6], [[T::of(0.0); 6]; 6]);
    // The first row and column need no sums.
    upper[0] = m[0];
    for r in 0..6 {
        lower[r][0] = m[r][0] / upper[0][0];
    }
    let zero = T::of(0.0);
    let sum =
        |l: &[T; 6], u: &dyn Fn(usize) -> T, count: usize| (0..count).fold(zero, |s, k| s + l[k] * u(k));
    for i in 1..6 {
        for c in i..6 {
            let own = sum(&lower[i], &|k| upper[k][c], i);
            upper[i][c] = m[i][c] - own;
        }
        for r in i + 1..6 {
            let own = sum(&lower[r], &|k| upper[k][i], i);
            lower[r][i] = (m[r][i] - own) / upper[i][i];
        }
    }
    let mut inverse = [[zero; 6]; 6];
    for c in 0..6 {
        let mut y = [zero; 6];
        for r in 0..6 {
            y[r] = T::of(if r == c { 1.0 } else { 0.0 }) - sum(&lower[r], &|k| y[k], r);
        }
        for r in (0..6).rev() {
            let own = (r + 1..6).fold(zero, |s, k| s + upper[r][k] * inverse[k][c]);
            inverse[r][c] = (y[r] - own) / upper[r][r];
        }
    }
    inverse
}

/// `Jᵀ (J Jᵀ)⁻¹` (Eq. 1.6): a row for each column of the Jacobian.
pub fn pseudo<T: Number, const M: usize>(jacobian: &[[T; M]], inverse: &[[T; M]; M], out: &mut [[T; M]]) {
    for (row, j) in out.iter_mut().zip(jacobian) {
        *row = from_fn(|c| dot((0..M).map(|r| (j[r], inverse[r][c]))));
    }
}

/// `I − J J⁺`, which is zero where the inverse is exact.
pub fn fault<T: Number, const M: usize>(jacobian: &[[T; M]], pseudo: &[[T; M]]) -> [[T; M]; M] {
    from_fn(|r| {
        from_fn(|c| {
            let product = dot(jacobian.iter().zip(pseudo).map(|(j, p)| (j[r], p[c])));
            T::of(if r == c { 1.0 } else { 0.0 }) - product
        })
    })
}

/// A matrix times a vector.
pub fn times<T: Number, const M: usize>(matrix: &[[T; M]; M], vector: &[T; M]) -> [T; M] {
    from_fn(|r| dot(matrix[r].iter().zip(vector).map(|(&a, &b)| (a, b))))
}

/// `dX` halved.
pub fn halved<T: Number, const M: usize>(vector: &[T; M]) -> [T; M] {
    vector.map(|x| x * T::of(0.5))
}

/// An angle after its step: `θ + J⁺ dX`.
pub fn stepped<T: Number, const M: usize>(angle: T, pseudo: &[T; M], missing: &[T; M]) -> T {
    angle + dot(pseudo.iter().zip(missing).map(|(&p, &x)| (p, x)))
}

thread_local! {
    static OPERATIONS: Counter<u64> = const { Counter::new(0) };
}

/// A number that counts what is done with it.
#[derive(Debug, Clone, Copy)]
pub struct Counted(f32);

impl Counted {
    /// How many operations that takes.
    pub fn count<R>(work: impl FnOnce() -> R) -> i64 {
        OPERATIONS.set(0);
        std::hint::black_box(work());
        OPERATIONS.get() as i64
    }

    fn done(value: f32) -> Self {
        OPERATIONS.set(OPERATIONS.get() + 1);
        Self(value)
    }
}

impl Number for Counted {
    fn of(value: f32) -> Self {
        Self(value)
    }
}

macro_rules! counts {
    ($($name:ident $method:ident $operator:tt),*) => {$(
        impl $name for Counted {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                Self::done(self.0 $operator other.0)
            }
        }
    )*};
}

counts!(Add add +, Sub sub -, Mul mul *, Div div /);

#[cfg(test)]
mod tests {
    use super::*;

    fn jacobian<const M: usize>(n: usize) -> Vec<[f32; M]> {
        (0..n)
            .map(|i| from_fn(|r| ((i * M + r) as f32 * 1.7).sin() + if i == r { 2.0 } else { 0.0 }))
            .collect()
    }

    fn works<const M: usize>(invert: fn(&[[f32; M]; M]) -> [[f32; M]; M]) {
        let j = jacobian::<M>(8);
        let mut plus = vec![[0.0; M]; 8];
        pseudo(&j, &invert(&square(&j)), &mut plus);
        let wrong = fault(&j, &plus);
        assert!(wrong.iter().flatten().all(|x| x.abs() < 1.0e-4), "{wrong:?}");
    }

    #[test]
    fn both_inverses_invert() {
        works::<3>(inverse3);
        works::<6>(inverse6);
    }

    #[test]
    fn operations_are_those_that_the_paper_counts_for_its_inverses() {
        let of = |x: f32| Counted::of(x);
        let three = square(&jacobian::<3>(8)).map(|row| row.map(of));
        let six = square(&jacobian::<6>(8)).map(|row| row.map(of));
        assert_eq!(Counted::count(|| inverse3(&three)), 51);
        assert_eq!(Counted::count(|| inverse6(&six)), 151 + 468);
    }
}
