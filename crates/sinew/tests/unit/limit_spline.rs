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

/// What is seen to be inside without trigonometry is inside, all round and next to the knots, and most of what is inside is seen.
#[test]
fn what_surely_holds_holds() {
    let even =
        SwingSpline::new((0..24).map(|i| (TAU * i as Real / 24.0 - PI, 0.4 + 0.1 * (i as Real).sin())));
    for s in [shoulder(), even] {
        let (mut inside, mut seen) = (0, 0);
        for i in 0..4000 {
            let theta = TAU * i as Real / 4000.0 - PI;
            let knot = s.knots()[i % s.knots().len()].circumduction;
            for theta in [theta, knot, knot + ROUNDING, knot - ROUNDING] {
                let psi = s.amplitude(theta) * (1.2 * ((7 * i) % 97) as Real / 97.0);
                let d = swing_twist::direction_of(psi * Vec2::new(-theta.sin(), theta.cos()));
                let holds = s.project(d, 0.0, 0.0).is_none();
                inside += usize::from(holds);
                if s.surely_holds(d) {
                    seen += 1;
                    assert!(holds, "θ {theta} ψ {psi}");
                }
            }
        }
        assert!(2 * seen > inside, "{seen} of {inside}");
    }
    assert!(SwingSpline::new([]).surely_holds(Vec3::NEG_Z), "what makes no limit holds everything");
}
