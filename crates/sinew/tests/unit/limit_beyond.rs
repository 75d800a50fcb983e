use super::*;
use crate::limit::{AngleRange, Cone, JointLimit, Kusudama, SphericalPolygon, SwingEllipse, SwingTwistLimit};

/// Rotations all over the place.
fn rotations() -> impl Iterator<Item = Quat> {
    (0..20_000).map(|i| {
        let t = i as Real;
        rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.5)
    })
}

#[test]
fn slopes_are_those_of_the_distance() {
    let along = SwingTwistLimit::centred(Vec3::new(0.36, 0.48, -0.8), Vec3::new(0.0, 0.6, 0.8), Vec3::X);
    let corners = [(0.5, 0.0), (0.0, 0.9), (-0.6, 0.1), (0.1, -0.4)].map(|(x, y)| Vec3::new(x, y, 1.0));
    let limits: [JointLimit; 5] = [
        along.clone().swing(SwingEllipse::new(1.9, 0.4)).twist(-0.3, 1.4).into(),
        along.clone().swing(Cone::new(0.9)).twist(-2.6, 0.1).into(),
        along.clone().swing(Kusudama::new([(Vec3::Z, 0.4), (Vec3::X, 0.5)])).twist(0.2, 1.0).into(),
        along.clone().swing(SphericalPolygon::new(corners)).twist(-0.2, 0.7).into(),
        along.swing(SwingEllipse::new(0.5, 2.4)).into(),
    ];
    for limit in limits {
        let limit = limit.checked(crate::JointKind::Ball).unwrap();
        let probe = LimitProbe::new(&limit).unwrap();
        let (mut outside, mut told, mut right) = (0, 0, 0);
        for q in rotations() {
            match (probe.side(q), limit.nearest_component(q)) {
                (Side::Unclear, _) => outside += 1,
                (Side::Inside, near) => {
                    let violation = limit.violation(q);
                    assert!(violation < 1.0e-4, "{limit:?} {q:?} {violation} {near:?}");
                }
                (Side::Beyond(normal, excess), Some((part, distance))) => {
                    (outside, told) = (outside + 1, told + 1);
                    assert!(distance < 1.0e-5, "{limit:?} {q:?} is {distance} inside");
                    assert!((normal.length() - 1.0).abs() < 1.0e-3 && excess > 0.0);
                    // By differences, as far as both ends are beyond the same edge. Near a corner, or a
                    // ridge between two parts of a region, they say little.
                    let step = ROUNDING.sqrt() * 4.0;
                    let at = |v: Vec3| limit.nearest_component((q * rotation::exp(v * step)).normalize());
                    let slope = |v: Vec3| match (at(v), at(-v)) {
                        (Some((a, there)), Some((b, back))) if a == part && b == part => {
                            Some((there - back) / (2.0 * step))
                        }
                        _ => None,
                    };
                    let [Some(x), Some(y), Some(z)] = Vec3::AXES.map(slope) else { continue };
                    let slope = Vec3::new(x, y, z);
                    let near = (-slope / slope.length()).dot(normal) > 0.99
                        && (excess - -distance / slope.length()).abs() < 0.02 * excess + 1.0e-3;
                    right += usize::from(near);
                }
                (side, None) => panic!("{side:?} of no limit"),
            }
        }
        assert!(told > 5000 && 10 * told > 9 * outside, "{limit:?}: {told} of {outside}");
        assert!(100 * right > 95 * told, "{limit:?}: {right} of {told}");
    }
}

#[test]
fn the_angles_of_a_universal_joint_are_held_each_by_itself() {
    let ranges = [AngleRange::new(0.0, 2.6), AngleRange::new(-1.4, 1.4)];
    let limit = UniversalLimit::new([Vec3::X, Vec3::Y], ranges[0], ranges[1]);
    assert_eq!((limit.side([1.0, 1.0]), limit.held([1.0, 1.0])), (Side::Inside, None));
    let Side::Beyond(normal, excess) = limit.side([-0.2, 1.5]) else { panic!("it is outside") };
    assert_eq!(normal, -Vec3::X);
    assert!((excess - 0.2).abs() < 1.0e-5);
    let [a, b] = limit.held([-0.2, 1.5]).unwrap();
    assert!(a.abs() < 1.0e-5 && (b - 1.4).abs() < 1.0e-5);
    // A turn further on it stays there.
    let [a, b] = limit.held([TAU - 0.2, 0.3]).unwrap();
    assert!((a - TAU).abs() < 1.0e-5 && b == 0.3);
}
