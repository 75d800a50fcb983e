//! Every handle of every kind of limit.

use sinew_f64::limit::{Cone, EulerLimit, EulerOrder, SwingEllipse, UniversalLimit};
use sinew_f64::rigs;

use super::*;

/// Limits of every kind, with the kinds of joint that they are for.
fn cases() -> Vec<(JointLimit, JointKind)> {
    let range = AngleRange::new(-0.6, 1.1);
    let bone =
        || SwingTwistLimit::centred(Vec3::X, Vec3::new(0.3, 0.2, 1.0).normalize(), Vec3::Y).twist(-0.5, 0.9);
    let universal = JointKind::Universal { first: Vec3::X, second: Vec3::Y };
    let mut euler = EulerLimit::new(EulerOrder::Zxy, [range, AngleRange::new(-0.3, 0.4), range]);
    euler.frame = rotation::exp(Vec3::new(0.3, -0.8, 0.2));
    let cones = vec![
        KusudamaCone { axis: Vec3::Z, radius: 0.3, tangent: Some(0.9) },
        KusudamaCone { axis: Vec3::X, radius: 0.3, tangent: None },
        KusudamaCone { axis: Vec3::Y, radius: 0.2, tangent: None },
    ];
    let corners = [(0.5, 0.4), (-0.5, 0.5), (-0.6, -0.5), (0.4, -0.6)].map(|(x, y)| Vec3::new(x, y, 1.0));
    let mut cases = vec![
        (JointLimit::hinge(Vec3::Y, -0.4, 2.0), JointKind::Hinge { axis: Vec3::Y }),
        (JointLimit::hinge(Vec3::Y, -PI, PI), JointKind::Hinge { axis: Vec3::Y }),
        (JointLimit::prismatic(Vec3::Z, -0.1, 0.3), JointKind::Prismatic { axis: Vec3::Z }),
        (UniversalLimit::new([Vec3::X, Vec3::Y], range, AngleRange::new(1.2, 1.8)).into(), universal),
        (euler.into(), JointKind::Ball),
        (bone().swing(Cone::new(0.8)).into(), JointKind::Ball),
        (bone().swing(SwingEllipse::new(1.2, 0.5)).into(), JointKind::Ball),
        (bone().swing(SphericalPolygon::new(corners)).into(), JointKind::Ball),
        (
            bone().swing(SwingSpline::new([(0.0, 1.0), (1.6, 0.5), (3.1, 0.7), (-1.6, 1.2)])).into(),
            JointKind::Free,
        ),
        (bone().swing(Kusudama::from_cones(cones)).into(), JointKind::Ball),
        (bone().into(), JointKind::Ball),
    ];
    for model in rigs::SwingModel::ALL {
        let human = rigs::humanoid(model);
        cases.extend(human.joints().iter().map(|j| (j.limit().clone(), j.kind())));
    }
    cases.into_iter().map(|(l, k)| (l.checked(k).unwrap(), k)).collect()
}

fn difference(a: &JointLimit, b: &JointLimit) -> f64 {
    let numbers = |l: &JointLimit| -> Vec<f64> {
        fn collect(value: &serde_json::Value, into: &mut Vec<f64>) {
            match value {
                serde_json::Value::Number(n) => into.extend(n.as_f64()),
                serde_json::Value::Array(list) => list.iter().for_each(|v| collect(v, into)),
                serde_json::Value::Object(map) => map.values().for_each(|v| collect(v, into)),
                _ => {}
            }
        }
        let mut found = Vec::new();
        collect(&serde_json::to_value(l).unwrap(), &mut found);
        found
    };
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_handle_dragged_to_where_it_is_changes_nothing() {
    let mut count = 0;
    for (limit, kind) in cases() {
        for (i, handle) in handles(&limit).iter().enumerate() {
            let same = dragged(&limit, kind, i as u32, Vec3::from_array(handle.at)).unwrap();
            assert!(difference(&limit, &same) < 1.0e-7, "{limit:?} {handle:?}: {same:?}");
            assert!(!handle.label.is_empty());
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}

#[test]
fn a_point_goes_where_it_is_dragged_and_a_rim_as_far() {
    for (limit, kind) in cases() {
        for (i, handle) in handles(&limit).iter().enumerate() {
            let at = Vec3::from_array(handle.at);
            let to = match kind {
                JointKind::Prismatic { axis } => at + axis * 0.05,
                _ => rotation::about(any_perpendicular(at), 0.05) * at,
            };
            let Ok(new) = dragged(&limit, kind, i as u32, to) else { continue };
            assert!(new.clone().checked(kind).is_ok());
            let now = Vec3::from_array(handles(&new)[i].at);
            if handle.kind == HandleKind::Point {
                assert!(now.distance(to) < 1.0e-6, "{limit:?} {handle:?}: {now} for {to}");
            } else {
                // It comes no further away from where it was dragged to. A rim goes
                // through that place itself, and its handle stays on its own side.
                let room = if handle.kind == HandleKind::Rim { 2.0e-3 } else { 1.0e-9 };
                assert!(now.distance(to) <= at.distance(to) + room, "{limit:?} {handle:?}: {now} for {to}");
            }
        }
    }
}

#[test]
fn an_end_moves_on_its_arc_to_the_angle_shown() {
    let (kind, limit) = (JointKind::Hinge { axis: Vec3::Y }, JointLimit::hinge(Vec3::Y, -0.4, 2.0));
    let start = any_perpendicular(Vec3::Y);
    let upper = |angle: f64| dragged(&limit, kind, 1, rotation::about(Vec3::Y, angle) * start).unwrap();
    let LimitShape::Hinge(l) = upper(0.7).shape else { panic!() };
    assert!((l.range.min + 0.4).abs() < 1e-12 && (l.range.max - 0.7).abs() < 1e-12);
    let LimitShape::Hinge(l) = upper(-0.9).shape else { panic!() };
    assert_eq!(l.range.max, -0.4, "the ends do not pass each other");
    assert!(dragged(&limit, kind, 1, Vec3::Y).unwrap_err().contains("shows no angle"));
    assert!(dragged(&limit, kind, 1, Vec3::ZERO).unwrap_err().contains("no direction"));
    assert!(dragged(&limit, kind, 1, Vec3::NAN).is_err());
    assert!(dragged(&limit, kind, 9, Vec3::X).unwrap_err().contains("there is no handle 9"));
}

#[test]
fn points_are_added_and_taken_away() {
    for (limit, kind) in cases() {
        let at = Vec3::new(0.4, 0.7, 0.6).normalize();
        match added(&limit, kind, at) {
            Err(words) => assert!(words.contains("no points"), "{words}"),
            Ok(more) => {
                let before = handles(&limit);
                let after = handles(&more);
                assert!(after.len() > before.len());
                let new = after.iter().position(|h| Vec3::from_array(h.at).distance(at) < 1e-9).unwrap();
                assert!(after[new].removable);
                let less = removed(&more, kind, new as u32).unwrap();
                assert_eq!(handles(&less).len(), before.len());
            }
        }
        for (i, handle) in handles(&limit).iter().enumerate().filter(|(_, h)| !h.removable) {
            let words = removed(&limit, kind, i as u32).unwrap_err();
            assert!(words.contains("cannot be taken away"), "{handle:?} {words}");
        }
    }
    let triangle = [Vec3::new(0.5, 0.0, 1.0), Vec3::new(0.0, 0.5, 1.0), Vec3::new(-0.5, -0.5, 1.0)];
    let limit: JointLimit =
        SwingTwistLimit::along(Vec3::Z, Vec3::X).swing(SphericalPolygon::new(triangle)).into();
    assert!(removed(&limit, JointKind::Ball, 0).is_err());
}

#[test]
fn a_shape_that_crosses_itself_is_refused() {
    let square = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)].map(|(x, y)| Vec3::new(x, y, 1.0));
    let limit: JointLimit =
        SwingTwistLimit::along(Vec3::Z, Vec3::X).swing(SphericalPolygon::new(square)).into();
    let limit = limit.checked(JointKind::Ball).unwrap();
    // The first corner is dragged across the opposite edge.
    let frame = match &limit.shape {
        LimitShape::SwingTwist(l) => l.frame,
        _ => panic!(),
    };
    assert!(dragged(&limit, JointKind::Ball, 0, frame * Vec3::new(-0.9, 0.0, 1.0)).is_err());
}

#[test]
fn a_way_of_its_own_width_becomes_the_usual_when_it_cannot_be() {
    let cones = vec![
        KusudamaCone { axis: Vec3::Z, radius: 0.3, tangent: Some(0.9) },
        KusudamaCone { axis: Vec3::X, radius: 0.3, tangent: None },
    ];
    let limit: JointLimit =
        SwingTwistLimit::along(Vec3::Z, Vec3::X).swing(Kusudama::from_cones(cones)).into();
    let wide = dragged(&limit, JointKind::Ball, 2, Vec3::new(0.2, 0.0, -1.0)).unwrap();
    let LimitShape::SwingTwist(l) = &wide.shape else { panic!() };
    let SwingShape::Kusudama(s) = &l.swing else { panic!() };
    assert_eq!(s.cones()[0].tangent, None);
}

#[test]
fn a_rim_goes_through_where_it_is_dragged() {
    let to = Vec3::new(0.3, -0.5, 0.6).normalize();
    let along = SwingTwistLimit::along(Vec3::Z, Vec3::X);
    let cone: JointLimit = along.clone().swing(Cone::new(0.3)).into();
    for handle in 0..4 {
        let wide = dragged(&cone, JointKind::Ball, handle, to).unwrap();
        assert!(wide.nearest_component(rotation::between(Vec3::Z, to, Vec3::X)).unwrap().1.abs() < 1.0e-9);
    }
    let kusudama: JointLimit = along.swing(Kusudama::new([(Vec3::Z, 0.2), (Vec3::X, 0.1)])).into();
    let LimitShape::SwingTwist(l) = dragged(&kusudama, JointKind::Ball, 1, to).unwrap().shape else {
        panic!()
    };
    let SwingShape::Kusudama(s) = &l.swing else { panic!() };
    assert!((s.cones()[0].radius - rotation::angle_between(Vec3::Z, to)).abs() < 1.0e-9);
    assert_eq!(s.cones()[1].radius, 0.1);
}
