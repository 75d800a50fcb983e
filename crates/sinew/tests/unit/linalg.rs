//! The small solves against nalgebra's, on random, flat and badly scaled matrices.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::svd::Svd;
use super::*;
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

fn numbers(count: usize) -> impl Strategy<Value = Vec<Real>> {
    prop::collection::vec(-1.0..1.0f64, count).prop_map(|v| v.into_iter().map(|x| x as Real).collect())
}

/// `M Mᵀ` and something on the diagonal.
fn positive(n: usize, m: &[Real], extra: Real) -> DMatrix<Real> {
    let m = DMatrix::from_row_slice(n, n, m);
    &m * m.transpose() + DMatrix::identity(n, n) * extra
}

proptest! {
    #[test]
    fn positive_systems_agree_with_nalgebra(m in numbers(36), b in numbers(6)) {
        let a = positive(6, &m, 0.1);
        let wanted = a.clone().cholesky().unwrap().solve(&DVector::from_row_slice(&b));
        let mut fixed = [[0.0; 6]; 6];
        for i in 0..6 {
            for j in 0..6 {
                // Only the lower triangle may be read.
                fixed[i][j] = if j <= i { a[(i, j)] } else { Real::NAN };
            }
        }
        let mut flat: Vec<Real> = fixed.iter().flatten().copied().collect();
        let mut x: [Real; 6] = b.clone().try_into().unwrap();
        solve_positive(&mut fixed, &mut x);
        let mut y = b.clone();
        solve_positive_slice(&mut flat, &mut y);
        for i in 0..6 {
            prop_assert!((x[i] - wanted[i]).abs() < ROUNDING * 2.0e4, "{x:?} {wanted}");
            prop_assert!((y[i] - wanted[i]).abs() < ROUNDING * 2.0e4, "{y:?} {wanted}");
        }
    }

    #[test]
    fn inverses_agree_with_nalgebra(m in numbers(36)) {
        let a = positive(6, &m, 0.2);
        let mut six = [[0.0; 6]; 6];
        let mut three = [[0.0; 3]; 3];
        for i in 0..6 {
            for j in 0..6 {
                six[i][j] = a[(i, j)];
                if i < 3 && j < 3 {
                    three[i][j] = a[(i, j)];
                }
            }
        }
        let wanted = a.clone().try_inverse().unwrap();
        let got = inverse(&six).unwrap();
        let small = a.view((0, 0), (3, 3)).into_owned().try_inverse().unwrap();
        let got3 = inverse3(&three).unwrap();
        for i in 0..6 {
            for j in 0..6 {
                prop_assert!((got[i][j] - wanted[(i, j)]).abs() < ROUNDING * 2.0e4);
                if i < 3 && j < 3 {
                    prop_assert!((got3[i][j] - small[(i, j)]).abs() < ROUNDING * 2.0e4);
                }
            }
        }
    }

    // nalgebra 0.35 itself is off on matrices of deficient rank (found by this
    // test: the product of two vectors), so it is asked about full ones only.
    #[test]
    fn singular_values_agree_with_nalgebra(seed in numbers(28)) {
        let a = DMatrix::from_row_slice(4, 7, &seed);
        let mut svd = Svd::new(4, 7);
        svd.decompose(&seed);
        let mut wanted: Vec<Real> = a.singular_values().iter().copied().collect();
        wanted.sort_by(|a, b| b.total_cmp(a));
        for (i, wanted) in wanted.into_iter().enumerate() {
            prop_assert!((svd.value(i) - wanted).abs() < ROUNDING * 1.0e2, "{i}: {} {wanted}", svd.value(i));
        }
    }

    #[test]
    fn the_parts_make_the_whole_at_any_rank(
        rows in 1usize..8, columns in 1usize..12, seed in numbers(96), rank in 1usize..8
    ) {
        // A product of two factors has at most the inner rank.
        let inner = rank.min(rows).min(columns);
        let left = DMatrix::from_fn(rows, inner, |i, j| seed[(i * 8 + j) % 96]);
        let right = DMatrix::from_fn(inner, columns, |i, j| seed[(40 + i * 12 + j) % 96]);
        let a = left * right;
        let flat: Vec<Real> = a.transpose().iter().copied().collect();
        let mut svd = Svd::new(rows, columns);
        svd.decompose(&flat);
        for i in 0..rows {
            prop_assert!(i == 0 || svd.value(i) <= svd.value(i - 1));
            prop_assert!(i < inner || svd.value(i) <= ROUNDING * 1.0e2, "rank {inner}: {}", svd.value(i));
            for j in 0..rows {
                let dot = |a: &[Real], b: &[Real]| -> Real { a.iter().zip(b).map(|(a, b)| a * b).sum() };
                let wanted = Real::from(u8::from(i == j));
                prop_assert!((dot(svd.left(i), svd.left(j)) - wanted).abs() < ROUNDING * 1.0e2);
                if svd.value(i.max(j)) > 1.0e-2 {
                    prop_assert!((dot(svd.right(i), svd.right(j)) - wanted).abs() < ROUNDING * 1.0e3);
                }
            }
        }
        for r in 0..rows {
            for c in 0..columns {
                let sum: Real = (0..rows).map(|i| svd.left(i)[r] * svd.value(i) * svd.right(i)[c]).sum();
                prop_assert!((sum - a[(r, c)]).abs() < ROUNDING * 1.0e2);
            }
        }
    }

    #[test]
    fn damped_solutions_satisfy_the_normal_equations(seed in numbers(28), b in numbers(4), damping in 0.05..1.0f64) {
        let damping = damping as Real;
        let a = DMatrix::from_row_slice(4, 7, &seed);
        let mut svd = Svd::new(4, 7);
        svd.decompose(&seed);
        let mut x = vec![0.0; 7];
        svd.solve_damped(&b, damping, 0.0, &mut x);
        let b = DVector::from_row_slice(&b);
        let system = a.transpose() * &a + DMatrix::identity(7, 7) * (damping * damping);
        let left = system * DVector::from_row_slice(&x);
        let right = a.transpose() * b;
        prop_assert!((left - right).amax() < ROUNDING * 1.0e2);
    }
}

#[test]
fn flat_matrices_give_finite_answers() {
    let mut zero = [[0.0; 3]; 3];
    let mut b = [1.0, 2.0, 3.0];
    solve_positive(&mut zero, &mut b);
    assert_eq!(b, [0.0; 3]);
    let mut b = [1.0, 2.0];
    solve_positive_slice(&mut [1.0, 0.0, 1.0, 1.0], &mut b);
    assert!(b.iter().all(|x: &Real| x.is_finite()));
    assert!(inverse3(&[[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.0, 1.0, 1.0]]).is_none());
    assert!(inverse(&[[Real::NAN; 4]; 4]).is_none());
    let mut svd = Svd::new(3, 2);
    svd.decompose(&[Real::NAN; 6]);
    assert_eq!(svd.value(0), 0.0);
    svd.decompose(&[0.0; 5]);
    let mut x = [0.0; 2];
    svd.solve_damped(&[1.0; 3], 0.0, 0.0, &mut x);
    assert_eq!(x, [0.0; 2]);
    assert_eq!(svd.smallest_above(0.0), 0.0);
}

#[test]
fn small_singular_values_keep_their_digits() {
    // Two rows that differ by little: the small value is that difference.
    let gap = ROUNDING * 1.0e3;
    let mut svd = Svd::new(2, 3);
    svd.decompose(&[1.0, 0.0, 0.0, 1.0, gap, 0.0]);
    let wanted = gap / (2.0 as Real).sqrt();
    assert!((svd.value(1) / wanted - 1.0).abs() < 1.0e-2, "{} {wanted}", svd.value(1));
}
