use super::*;

fn shoulder() -> SwingSpline {
    SwingSpline::new([(-PI, 0.9), (-1.5, 1.6), (0.0, 0.6), (1.4, 1.1), (2.4, 0.7), (PI, 0.9)])
}

#[test]
fn the_seam_has_the_slope_of_equation_3() {
    let s = shoulder();
    assert_eq!(s.pieces.len(), 5, "the seam was given twice and is one knot");
    let (first, last) = (s.pieces[0], s.pieces[4]);
    let before = ((0.7 - 0.9) / (2.4 - PI) + (1.6 - 0.9) / (PI - 1.5)) * 0.5;
    let end = (3.0 * last.d * last.length + 2.0 * last.c) * last.length + last.b;
    assert!((first.b - before).abs() < 1e-4, "{} {before}", first.b);
    assert!((end - before).abs() < 1e-4);
}

#[test]
fn the_least_amplitude_is_the_least() {
    let s = shoulder();
    let sampled = (0..5000).map(|i| s.amplitude(TAU * i as Real / 5000.0)).fold(PI, Real::min);
    assert!((s.least - sampled).abs() < 1e-4, "{} {sampled}", s.least);
}
