//! The limits that the contract is tried on: every shape, several of each,
//! with odd frames, rests off the centre, twist ranges and soft zones.

use sinew::limit::*;
use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::{JointKind, JointLimit};

pub struct Case {
    pub name: String,
    pub kind: JointKind,
    pub limit: JointLimit,
}

fn case(name: &str, kind: JointKind, limit: impl Into<JointLimit>) -> Case {
    let limit = limit.into().checked(kind).unwrap_or_else(|e| panic!("{name}: {e}"));
    Case { name: name.into(), kind, limit }
}

fn odd_frame() -> Quat {
    rotation::exp(Vec3::new(0.7, -1.1, 0.4))
}

/// Corners on the plane z = 1, from radii at equal angles.
pub fn ring(radii: &[Real]) -> SphericalPolygon {
    let n = radii.len() as Real;
    SphericalPolygon::new(radii.iter().enumerate().map(|(i, r)| {
        let (s, c) = (std::f64::consts::TAU as Real * i as Real / n).sin_cos();
        Vec3::new(r * c, r * s, 1.0)
    }))
}

/// Swing shapes by name.
pub fn swings() -> Vec<(&'static str, SwingShape)> {
    let v = Vec3::new;
    let tangent = |axis, radius, tangent| KusudamaCone { axis, radius, tangent };
    vec![
        ("free", SwingShape::Free),
        ("cone", Cone::new(0.8).into()),
        ("cone of no width", Cone::new(0.0).into()),
        ("narrow cone", Cone::new(0.02).into()),
        ("wide cone", Cone::new(2.6).into()),
        ("ellipse", SwingEllipse::new(1.2, 0.5).into()),
        ("round ellipse", SwingEllipse::new(0.7, 0.7).into()),
        ("thin ellipse", SwingEllipse::new(0.05, 1.8).into()),
        ("wide ellipse", SwingEllipse::new(2.7, 1.9).into()),
        ("triangle", SphericalPolygon::new([v(0.9, 0.1, 1.0), v(-0.8, 1.0, 1.0), v(-0.3, -0.7, 1.0)]).into()),
        ("star", ring(&[1.0, 0.4, 1.1, 0.5, 0.9, 0.4, 1.2, 0.6, 1.0, 0.5]).into()),
        (
            "straight corners",
            ring(&[
                1.0,
                0.5f64.sqrt() as Real,
                1.0,
                0.5f64.sqrt() as Real,
                1.0,
                0.5f64.sqrt() as Real,
                1.0,
                0.5f64.sqrt() as Real,
            ])
            .into(),
        ),
        // Larger than half of the sphere, with a bay in it.
        (
            "large polygon",
            SphericalPolygon::new([
                v(1.0, 0.0, -0.4),
                v(0.5, 1.0, -0.3),
                v(-0.2, 0.9, 0.2),
                v(-1.0, 0.3, -0.5),
                v(-0.3, -1.0, -0.2),
            ])
            .into(),
        ),
        ("spline", SwingSpline::new([(0.0, 1.1), (1.5, 0.5), (2.9, 0.8), (-1.4, 1.5)]).into()),
        (
            "wavy spline",
            SwingSpline::new((0..12).map(|i| (i as Real * 0.52, if i % 2 == 0 { 1.0 } else { 0.6 }))).into(),
        ),
        ("wide spline", SwingSpline::new([(0.0, 2.8), (2.0, 1.9), (-2.0, 2.3)]).into()),
        ("one-cone kusudama", Kusudama::new([(v(0.2, 0.1, 1.0), 0.6)]).into()),
        (
            "kusudama",
            Kusudama::new([(v(0.0, 0.2, 1.0), 0.5), (v(1.0, 0.3, 0.4), 0.3), (v(0.4, 1.0, 0.3), 0.4)]).into(),
        ),
        (
            "thread kusudama",
            Kusudama::new([(v(0.0, 0.0, 1.0), 0.0), (v(1.0, 0.0, 1.0), 0.0), (v(1.0, 1.0, 0.5), 0.2)]).into(),
        ),
        (
            "overlapping kusudama",
            Kusudama::new([(v(0.1, 0.0, 1.0), 0.9), (v(0.8, 0.0, 1.0), 0.6), (v(0.9, 0.1, 1.0), 0.1)]).into(),
        ),
        ("large kusudama", Kusudama::new([(v(0.0, 0.0, 1.0), 1.7), (v(1.0, 0.0, -0.3), 1.5)]).into()),
        ("antipodal kusudama", Kusudama::new([(v(0.0, 0.6, 0.8), 0.5), (v(0.0, -0.6, -0.8), 0.2)]).into()),
        (
            "necked kusudama",
            Kusudama::from_cones(vec![
                tangent(v(0.0, 0.0, 1.0), 0.4, Some(0.8)),
                tangent(v(1.0, 0.2, 0.2), 0.5, None),
            ])
            .into(),
        ),
        (
            "ring kusudama",
            Kusudama::new((0..7).map(|i| {
                let (s, c) = (i as Real * std::f64::consts::TAU as Real / 6.0).sin_cos();
                (v(c, s, 0.7), 0.2)
            }))
            .into(),
        ),
    ]
}

pub fn all() -> Vec<Case> {
    let mut cases = vec![case("none", JointKind::Ball, JointLimit::None)];
    let axis = Vec3::new(0.48, 0.6, 0.64);
    let hinge = |min, max| HingeLimit { axis, range: AngleRange::new(min, max) };
    for (name, min, max) in [
        ("hinge", -0.4, 1.9),
        ("off-centre hinge", 0.5, 2.8),
        ("locked hinge", 0.3, 0.3),
        ("nearly whole hinge", -3.0, 3.1),
        ("far hinge", 2.5, 4.5),
        ("whole hinge", -4.0, 4.0),
    ] {
        cases.push(case(name, JointKind::Hinge { axis }, hinge(min, max)));
        cases.push(case(
            &format!("soft {name}"),
            JointKind::Hinge { axis },
            JointLimit::from(hinge(min, max)).soft(0.3),
        ));
    }
    let (first, second) = (Vec3::new(0.6, 0.0, 0.8), Vec3::Y);
    let kind = JointKind::Universal { first, second };
    let ranges = |a: (Real, Real), b: (Real, Real)| {
        UniversalLimit::new([first, second], AngleRange::new(a.0, a.1), AngleRange::new(b.0, b.1))
    };
    for (name, a, b) in [
        ("universal", (-0.5, 1.0), (-0.3, 0.6)),
        ("wide universal", (-2.0, 2.5), (-1.4, 1.8)),
        ("half free universal", (-4.0, 4.0), (0.2, 0.9)),
    ] {
        cases.push(case(name, kind, ranges(a, b)));
        cases.push(case(&format!("soft {name}"), kind, JointLimit::from(ranges(a, b)).soft(0.2)));
    }
    for order in EulerOrder::ALL {
        for (name, r) in [
            ("box", [(-0.6, 0.9), (-0.4, 0.7), (-0.3, 1.1)]),
            ("off-centre box", [(0.2, 0.9), (0.3, 1.2), (-1.4, -0.3)]),
            ("flat box", [(-0.8, 0.8), (-0.5, 0.5), (0.0, 0.0)]),
            ("one-axis box", [(0.0, 0.0), (-0.5, 1.4), (0.0, 0.0)]),
            ("box through gimbal lock", [(-0.7, 0.5), (0.4, 2.1), (-0.2, 0.9)]),
            ("half free box", [(-4.0, 4.0), (-0.9, 0.5), (-0.6, 0.6)]),
            ("wide box", [(-2.8, 2.2), (-1.2, 1.3), (-2.0, 2.6)]),
        ] {
            // All boxes for one order of each hand, the first for every order.
            if name != "box" && !matches!(order, EulerOrder::Xyz | EulerOrder::Zxy | EulerOrder::Yxz) {
                continue;
            }
            let limit = EulerLimit::new(order, r.map(|(min, max)| AngleRange::new(min, max)));
            let limit = if order == EulerOrder::Zxy { limit.in_frame(odd_frame()) } else { limit };
            cases.push(case(&format!("{order:?} {name}"), JointKind::Ball, limit));
            if matches!(order, EulerOrder::Xyz | EulerOrder::Yxz) {
                cases.push(case(
                    &format!("soft {order:?} {name}"),
                    JointKind::Ball,
                    JointLimit::from(limit).soft(0.15),
                ));
            }
        }
    }
    let bone = Vec3::new(0.36, 0.48, -0.8);
    for (name, swing) in swings() {
        let plain = SwingTwistLimit::along(bone, Vec3::X).swing(swing.clone());
        cases.push(case(name, JointKind::Ball, plain.clone()));
        cases.push(case(&format!("{name} with twist"), JointKind::Free, plain.clone().twist(-0.4, 0.9)));
        let mut odd = SwingTwistLimit::centred(bone, Vec3::new(-0.5, 1.0, 0.2), Vec3::Z).swing(swing.clone());
        odd.twist = Some(AngleRange::new(0.3, 2.0));
        cases.push(case(&format!("centred {name} with off twist"), JointKind::Ball, odd.clone()));
        cases.push(case(&format!("soft {name}"), JointKind::Ball, JointLimit::from(plain).soft(0.1)));
        cases.push(case(
            &format!("very soft centred {name}"),
            JointKind::Ball,
            JointLimit::from(odd).soft(0.5),
        ));
    }
    cases
}

/// What a skeleton's builder says to a swing shape.
pub fn checked(shape: impl Into<SwingShape>) -> Result<JointLimit, LimitError> {
    JointLimit::from(SwingTwistLimit::along(Vec3::Z, Vec3::X).swing(shape)).checked(JointKind::Ball)
}
