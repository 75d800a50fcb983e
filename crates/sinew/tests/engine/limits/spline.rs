//! What swing splines promise besides.

use sinew::limit::*;
use sinew::math::Real;

use super::cases::checked;

const PI: Real = std::f64::consts::PI as Real;
const TAU: Real = std::f64::consts::TAU as Real;

fn shoulder() -> SwingSpline {
    SwingSpline::new([(-PI, 0.9), (-1.5, 1.6), (0.0, 0.6), (1.4, 1.1), (2.4, 0.7), (PI, 0.9)])
}

#[test]
fn the_curve_meets_its_knots_and_has_no_kink() {
    let s = shoulder();
    for k in s.knots() {
        assert!((s.amplitude(k.circumduction) - k.amplitude).abs() < 1e-5);
    }
    let h = 1e-2;
    for i in 0..1000 {
        let t = TAU * i as Real / 1000.0;
        let bend = (s.amplitude(t + h) - 2.0 * s.amplitude(t) + s.amplitude(t - h)) / (h * h);
        assert!(bend.abs() < 20.0, "slope jumps at {t}: {bend}");
    }
}

#[test]
fn what_makes_no_curve_is_refused() {
    let error = |knots: &[(Real, Real)]| checked(SwingSpline::new(knots.iter().copied())).unwrap_err();
    assert!(matches!(error(&[]), LimitError::TooFew { got: 0, .. }));
    assert!(matches!(error(&[(0.0, 1.0), (TAU, 1.0)]), LimitError::TooFew { got: 1, .. }));
    assert!(matches!(error(&[(0.0, 1.0), (0.0, 2.0), (1.0, 1.0)]), LimitError::BadShape(_)));
    assert!(matches!(error(&[(0.0, 1.0), (1.0, 4.0)]), LimitError::OutOfRange { .. }));
    assert!(matches!(error(&[(Real::NAN, 1.0), (1.0, 1.0)]), LimitError::NotFinite));
}
