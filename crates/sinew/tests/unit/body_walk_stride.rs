use super::*;

#[test]
fn the_curve_is_eq_1_15_scaled() {
    // Y = 1 − cos x, and 1 − cos((π + x)/2) past π; the top is at x = π.
    assert_eq!((lift(0.0), lift(-1.0)), (0.0, 0.0));
    assert!((lift(1.0 / 3.0) - 1.0).abs() < 1e-5);
    assert!(lift(1.0) < 1e-5 && lift(7.0) < 1e-5);
    let x = 2.0 * PI;
    assert!((lift(2.0 / 3.0) - 0.5 * (1.0 - ((PI + x) / 2.0).cos())).abs() < 1e-5);
}
