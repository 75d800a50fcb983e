//! What Kusudamas promise besides.

use proptest::prelude::*;
use sinew::limit::*;
use sinew::math::{ROUNDING, Real, Vec3, rotation};

use super::cases::checked;
use super::sample::{any_direction, spread};

const PI: Real = std::f64::consts::PI as Real;

fn angle(a: Vec3, b: Vec3) -> Real {
    rotation::angle_between(a, b)
}

/// Inside as sections 9 and 10 of the paper say it, with angles and triangles.
fn inside_by_the_book(k: &Kusudama, d: Vec3) -> bool {
    if k.cones().iter().any(|c| angle(c.axis, d) <= c.radius) {
        return true;
    }
    k.tangent_cones().any(|(from, axes, radius)| {
        let (a, b) = (k.cones()[from].axis, k.cones()[from + 1].axis);
        let clear = axes.iter().all(|&axis| angle(axis, d) >= radius);
        let in_triangle = |axis: Vec3| {
            // On the same side of each of the three planes as the third corner.
            let same = |p: Vec3, q: Vec3, r: Vec3| p.cross(q).dot(d) * p.cross(q).dot(r) >= 0.0;
            same(a, b, axis) && same(b, axis, a) && same(axis, a, b)
        };
        clear && axes.into_iter().any(in_triangle)
    })
}

fn any_kusudama() -> impl Strategy<Value = Kusudama> {
    prop::collection::vec((any_direction(), 0.0..1.4f64), 1..5)
        .prop_map(|cones| Kusudama::new(cones.into_iter().map(|(d, r)| (d, r as Real))))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn inside_is_what_the_paper_says(k in any_kusudama(), d in any_direction()) {
        let shape: SwingShape = k.clone().into();
        let distance = shape.edge_distance(d);
        // Nearly opposite axes make triangles that the book cannot tell.
        let thin = k.cones().windows(2).any(|c| angle(c[0].axis, c[1].axis) > PI - 0.05);
        if distance.abs() > 1e-4 && !thin {
            prop_assert_eq!(distance > 0.0, inside_by_the_book(&k, d), "{} from the edge", distance);
        }
        if distance.abs() > ROUNDING * 20.0 {
            prop_assert_eq!(shape.project(d, 0.0).is_none(), distance > 0.0);
        }
    }

    #[test]
    fn the_projection_of_any_kusudama_is_nearest(k in any_kusudama(), d in any_direction()) {
        let shape: SwingShape = k.clone().into();
        if let Some(p) = shape.project(d, 0.0) {
            prop_assert!(shape.project(p, 0.0).is_none(), "not idempotent");
            prop_assert!((angle(p, d) + shape.edge_distance(d)).abs() < ROUNDING * 50.0);
            for other in spread(1500).map(|q| q * Vec3::Z) {
                if angle(other, d) < angle(p, d) - 1e-4 {
                    prop_assert!(!inside_by_the_book(&k, other) || shape.edge_distance(other) < 1e-3, "{} is nearer", other);
                }
            }
        }
    }

    #[test]
    fn the_path_between_two_cones_is_inside(k in any_kusudama(), t in 0.0..1.0f64) {
        let shape: SwingShape = k.clone().into();
        for pair in k.cones().windows(2) {
            if angle(pair[0].axis, pair[1].axis) > PI - 0.01 {
                continue;
            }
            let on_path = (pair[0].axis * (1.0 - t as Real) + pair[1].axis * t as Real).normalize();
            prop_assert_eq!(shape.project(on_path, 0.0), None);
            // And as wide as the narrower cone.
            let width = pair[0].radius.min(pair[1].radius);
            prop_assert!(shape.edge_distance(on_path) > width - 1e-4);
        }
    }

    #[test]
    fn the_inset_edge_is_parallel(k in any_kusudama(), d in any_direction(), part in 0.1..1.0f64) {
        let shape: SwingShape = k.clone().into();
        let inset = shape.widest_inset() * part as Real;
        if let Some(rim) = shape.project(d, inset) {
            prop_assert!((shape.edge_distance(rim) - inset).abs() < 2e-4, "{} for {}", shape.edge_distance(rim), inset);
        }
    }

    #[test]
    fn one_cone_is_the_plain_cone(d in any_direction(), radius in 0.0..std::f64::consts::PI, inset in 0.0..0.5f64) {
        let radius = (radius as Real).min(PI);
        let cone: SwingShape = Cone::new(radius).into();
        let one: SwingShape = Kusudama::new([(Vec3::Z, radius)]).into();
        let inset = inset as Real;
        prop_assert!((cone.edge_distance(d) - one.edge_distance(d)).abs() < ROUNDING * 4.0);
        if cone.edge_distance(d).abs() > 1e-4 {
            prop_assert_eq!(cone.project(d, 0.0).is_some(), one.project(d, 0.0).is_some());
        }
        if let (Some(a), Some(b)) = (cone.project(d, inset), one.project(d, inset)) {
            // Straight back each may choose its side.
            prop_assert!((a - b).length() < ROUNDING * 20.0 / (1.0 + d.z).max(ROUNDING).sqrt());
        }
    }

    #[test]
    fn tangent_cones_touch_both_their_cones(k in any_kusudama()) {
        for (from, axes, radius) in k.tangent_cones() {
            for (cone, axis) in k.cones()[from..=from + 1].iter().flat_map(|c| axes.map(|a| (c, a))) {
                let gap = angle(cone.axis, axis) - cone.radius - radius;
                // Next to opposite axes the triangle is thin.
                prop_assert!(gap.abs() < ROUNDING * 3000.0, "{}", gap);
            }
        }
    }
}

#[test]
fn no_cone_is_no_limit() {
    let shape: SwingShape = Kusudama::new([]).into();
    for q in spread(100) {
        assert_eq!(shape.project(q * Vec3::Z, 0.3), None);
        assert_eq!(shape.soften(q * Vec3::Z, 0.3), None);
    }
    assert!(shape.edge_distance(Vec3::X).is_infinite() && shape.outline(64).is_empty());
}

#[test]
fn opposite_axes_are_joined_by_one_way() {
    let shape: SwingShape = Kusudama::new([(Vec3::Z, 0.3), (-Vec3::Z, 0.2)]).into();
    // Somewhere on every circle round z there is one stretch that is inside.
    for k in 1..20 {
        let (sin, cos) = (PI * k as Real / 20.0).sin_cos();
        let inside: Vec<bool> = (0..720)
            .map(|i| (i as Real * PI / 360.0).sin_cos())
            .map(|(s, c)| shape.project(Vec3::new(sin * c, sin * s, cos), 0.0).is_none())
            .collect();
        let starts = (0..720).filter(|&i| inside[i] && !inside[(i + 719) % 720]).count();
        assert!(inside.iter().all(|&i| i) || starts == 1, "{starts} ways at {k}");
    }
}

#[test]
fn a_ring_of_cones_has_an_outer_and_an_inner_edge() {
    let (_, ring) = super::cases::swings().into_iter().find(|(name, _)| *name == "ring kusudama").unwrap();
    let curves = ring.outline(200);
    assert_eq!(curves.len(), 2);
    let farthest = |curve: &[Vec3]| curve.iter().map(|&p| angle(p, Vec3::Z)).fold(0.0, Real::max);
    let nearest = |curve: &[Vec3]| curve.iter().map(|&p| angle(p, Vec3::Z)).fold(PI, Real::min);
    let (a, b) = (&curves[0], &curves[1]);
    assert!(farthest(a) < nearest(b) || farthest(b) < nearest(a), "one lies within the other");
}

#[test]
fn tangent_cones_of_awkward_pairs_touch_both_their_cones() {
    for (b, ra, rb) in [
        (Vec3::X, 0.3, 0.5),
        (Vec3::new(0.3, 0.1, 1.0), 0.4, 0.2),
        (Vec3::new(0.0, 0.3, -1.0), 0.1, 0.9),
        (-Vec3::Z, 0.5, 0.2),
        (Vec3::X, 1.4, 1.5),
    ] {
        let k = Kusudama::new([(Vec3::Z, ra), (b, rb)]);
        let (_, axes, radius) = k.tangent_cones().next().unwrap();
        assert!((radius - (PI - (ra + rb)) * 0.5).abs() < 1e-5);
        for axis in axes {
            let to_a = rotation::angle_between(axis, Vec3::Z);
            let to_b = rotation::angle_between(axis, b.normalize());
            assert!((to_a - ra - radius).abs() < 1e-4, "{b:?} {to_a}");
            assert!((to_b - rb - radius).abs() < 1e-4, "{b:?} {to_b}");
        }
        assert!((axes[0] - axes[1]).length() > 0.01);
    }
}

#[test]
fn a_tangent_radius_that_fits_no_circle_is_refused_with_what_would() {
    let with = |tangent| {
        checked(Kusudama::from_cones(vec![
            KusudamaCone { axis: Vec3::Z, radius: 0.3, tangent: Some(tangent) },
            KusudamaCone { axis: Vec3::X, radius: 0.3, tangent: None },
        ]))
    };
    assert!(with(0.9).is_ok());
    assert!(matches!(with(0.1), Err(LimitError::OutOfRange { .. })), "does not reach across");
    assert!(matches!(with(3.0), Err(LimitError::OutOfRange { .. })), "overlaps the cones");
    assert!(matches!(with(0.5), Err(LimitError::OutOfRange { .. })), "closes the way");
    assert!(matches!(with(Real::NAN), Err(LimitError::OutOfRange { .. })));
}

#[test]
fn degenerate_pairs_need_no_special_care() {
    // The same cone twice, one within the other, two that cover everything.
    for cones in [
        [(Vec3::Z, 0.4), (Vec3::Z, 0.4)],
        [(Vec3::Z, 0.8), (Vec3::new(0.1, 0.0, 1.0), 0.2)],
        [(Vec3::Z, 2.5), (-Vec3::Z, 2.5)],
    ] {
        let k = Kusudama::new(cones);
        assert_eq!(k.tangent_cones().count(), 0, "{cones:?}");
        assert!(checked(k).is_ok(), "{cones:?}");
    }
    assert_eq!(SwingShape::from(Kusudama::new([])).project(Vec3::X, 0.0), None);
}
