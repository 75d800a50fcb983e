use super::*;

#[test]
fn what_is_surely_allowed_is_allowed() {
    let limit = UniversalLimit::new(
        [Vec3::new(0.6, 0.8, 0.0), Vec3::Z],
        AngleRange::new(0.0, 2.6),
        AngleRange::new(-1.2, 0.9),
    );
    let mut sure = 0;
    for i in 0..200 * 200 {
        let (a, b) = ((i % 200) as Real * TAU / 200.0 - PI, (i / 200) as Real * TAU / 200.0 - PI);
        let q = rotation::about(limit.axes[0], a) * rotation::about(limit.axes[1], b);
        for q in [q, -q] {
            if limit.surely_allows(limit.to_axes(q), 0.05) {
                sure += 1;
                let inside = |range: AngleRange, angle: Real| range.project(angle, 0.05).is_none();
                assert!(inside(limit.ranges[0], a) && inside(limit.ranges[1], b), "{a} {b}");
            }
        }
    }
    // Nearly all of what is allowed: (2.5 · 2) / (2π)² of all.
    assert!(sure > 9000, "{sure}");
}

#[test]
fn what_is_off_the_surface_is_as_far_off_as_the_nearest_rotation() {
    let (first, second) = (Vec3::new(0.6, 0.8, 0.0), Vec3::Z);
    for i in 0..200 {
        let t = i as Real;
        let on =
            rotation::about(first, 3.0 * (t * 0.7).sin()) * rotation::about(second, 3.0 * (t * 1.3).cos());
        assert!(off_surface(first, second, on) < 4.0 * ROUNDING);
        let off = rotation::exp(Vec3::new((t * 0.3).cos(), (t * 0.9).sin(), (t * 0.31).sin()) * 0.02);
        let (a, b) = universal_angles(first, second, on * off);
        let near = rotation::about(first, a) * rotation::about(second, b);
        let truly = rotation::angle(near.conjugate() * (on * off));
        assert!((off_surface(first, second, on * off) - truly).abs() < 1e-5 + 1e-2 * truly, "{i}");
    }
}
