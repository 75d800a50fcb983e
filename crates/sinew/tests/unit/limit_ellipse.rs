use super::*;

#[test]
fn the_margin_is_the_distance_at_the_edge_and_no_more_elsewhere() {
    for i in 1..1000 {
        let angle = 3.0 * i as Real / 1000.0;
        let half = (0.5 * angle).sin();
        let (got, wanted) =
            (angle_over_sine_squared(half * half), angle * angle / (angle.sin() * angle.sin()));
        assert!((got / wanted - 1.0).abs() < 1e-9 + 40.0 * Real::EPSILON / angle.sin(), "{angle}");
    }
    for (x, y) in [(1.0, 1.0), (1.9, 0.4), (0.5, 2.4)] {
        let ellipse = SwingEllipse::new(x, y);
        for i in 0..4000 {
            let t = i as Real;
            let swing = Vec2::new((t * 0.61).sin(), (t * 0.37).cos()) * 2.2;
            let direction = swing_twist::direction_of(swing);
            let (margin, distance) = (ellipse.margin(direction), ellipse.edge_distance(direction));
            assert!(margin.abs() <= distance.abs() + 1e-3, "{swing:?}: {margin} {distance}");
            assert!(margin * distance >= 0.0 || distance.abs() < 1e-4, "{swing:?}: {margin} {distance}");
        }
        for off in [0.0, ROUNDING, HAIR, 1e-3] {
            assert!(ellipse.margin(swing_twist::direction_of(Vec2::X * (PI - off))) < 0.0, "{off}");
        }
    }
}

#[test]
fn the_nearest_point_is_the_nearest() {
    for (a, b) in [(1.0, 1.0), (1.5, 0.4), (3.0, 0.05), (0.8, 0.79)] {
        for i in 0..400 {
            let t = i as Real;
            let p = Vec2::new((t * 0.61).sin().abs() * 3.0, (t * 0.37).cos().abs() * 3.0);
            let found = unit_point(p, a, b) * Vec2::new(a, b);
            let best = (0..2000)
                .map(|k| (PI * 0.5 * k as Real / 1999.0).sin_cos())
                .map(|(s, c)| (Vec2::new(a * c, b * s) - p).length())
                .fold(Real::INFINITY, Real::min);
            let distance = (found - p).length();
            assert!(distance <= best + 1e-5, "{a} {b} {p:?}: {distance} against {best}");
        }
    }
}
