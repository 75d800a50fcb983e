use super::*;
use crate::limit::{
    Cone, EulerLimit, EulerOrder, Kusudama, SphericalPolygon, SwingEllipse, SwingSpline, UniversalLimit,
};
use crate::math::random::Random;
use crate::skeleton::JointKind;

/// Every shape. The boxes end at their poles, are wide, are locks, have ranges across the cut and
/// beyond half a turn.
fn every_limit(random: &mut Random) -> Vec<JointLimit> {
    let swings: [SwingShape; 6] = [
        SwingShape::Free,
        Cone::new(0.9).into(),
        SwingEllipse::new(1.9, 0.4).into(),
        SphericalPolygon::new([
            Vec3::new(0.6, 0.1, 0.7),
            Vec3::new(0.0, 0.8, 0.5),
            Vec3::new(-0.5, -0.4, 0.8),
        ])
        .into(),
        SwingSpline::new((0..8).map(|i| (i as Real * 0.7 - 2.8, 0.8 + 0.05 * i as Real))).into(),
        Kusudama::new([(Vec3::Z, 0.4), (Vec3::X, 0.5)]).into(),
    ];
    let frame = rotation::exp(random.vector(1.5));
    let mut limits: Vec<JointLimit> = Vec::new();
    for swing in swings {
        let twisted = SwingTwistLimit { frame, ..SwingTwistLimit::along(Vec3::Z, Vec3::X) };
        limits.push(twisted.clone().swing(swing.clone()).into());
        for (low, high) in [(-0.3, 1.4), (-2.6, 0.1), (0.2, 0.2), (-3.1, 3.0)] {
            limits.push(twisted.clone().swing(swing.clone()).twist(low, high).into());
        }
    }
    let boxes = [
        [(-60.0, 90.0), (-90.0, 90.0), (-90.0, 90.0)],
        [(-160.0, 20.0), (-70.0, 70.0), (-60.0, 70.0)],
        [(-170.0, 175.0), (-20.0, 130.0), (10.0, 40.0)],
        [(100.0, 260.0), (95.0, 200.0), (-200.0, 200.0)],
        [(-30.0, 30.0), (0.0, 0.0), (-180.0, 180.0)],
    ];
    for order in EulerOrder::ALL {
        for ranges in boxes {
            let ranges = ranges.map(|(a, b): (Real, Real)| AngleRange::new(a.to_radians(), b.to_radians()));
            limits.push(EulerLimit::new(order, ranges).in_frame(frame).into());
        }
    }
    limits.push(JointLimit::None);
    let mut limits: Vec<JointLimit> =
        limits.into_iter().map(|l| l.checked(JointKind::Ball).unwrap()).collect();
    limits.push(JointLimit::hinge(frame * Vec3::X, -0.4, 1.0));
    let ranges = [AngleRange::symmetric(0.8), AngleRange::new(-0.2, 1.9)];
    limits.push(UniversalLimit { axes: [Vec3::X, Vec3::Y], ranges }.into());
    limits
}

#[test]
fn every_limit_allows_the_turns_that_it_says() {
    let mut random = Random(7);
    let (mut some, mut looks) = (0, 0);
    for _ in 0..6 {
        for limit in every_limit(&mut random) {
            let axis = direction_or(random.vector(1.0), Vec3::Y);
            // Started within the limit, so that hinges have something to allow.
            let start = limit.project(rotation::exp(random.vector(2.0)));
            let family = Turning::new(axis, start);
            let arcs = limit.allowed_turns(&family, &Arcs::ALL);
            some += usize::from(!arcs.is_empty() && !arcs.is_all());
            for i in 0..360 {
                let s = wrap_angle((i as Real + 0.37) * TAU / 360.0);
                let outside = limit.violation(family.at(s));
                if arcs.contains(s) {
                    assert!(outside <= 1.0e-3, "{} at {s}: {outside} outside, {arcs:?}", limit.name());
                } else {
                    // Edges are known to rounding, and where one is grazed to its root.
                    let near = arcs.nearest(s).map_or(PI, |n| wrap_angle(n - s).abs());
                    assert!(outside > 0.0 || near < 2.0e-3, "{limit:?} {s}: inside, {near} {arcs:?}");
                }
                looks += 1;
            }
        }
    }
    assert!(some > 150 && looks > 100_000, "{some} of the families enter and leave");
}
