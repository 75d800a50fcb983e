//! What polygons promise besides.

use sinew::limit::*;
use sinew::math::{Real, Vec3};

use super::cases::{checked, ring};

/// A five-pointed star: reflex corners between sharp ones.
fn star() -> SphericalPolygon {
    ring(&[1.0, 0.45].repeat(5))
}

#[test]
fn the_order_of_the_corners_does_not_matter() {
    let one = star();
    let other = SphericalPolygon::new(one.vertices().iter().rev().copied());
    let (one, other) = (SwingShape::from(one), SwingShape::from(other));
    for i in 0..300 {
        let t = i as Real;
        let d = Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()).normalize();
        assert!((one.edge_distance(d) - other.edge_distance(d)).abs() < 1e-4, "{d:?}");
    }
}

#[test]
fn inside_agrees_with_the_planar_star() {
    // Great arcs are straight lines on the plane z = 1.
    let s = star();
    let shape = SwingShape::from(s.clone());
    for i in 0..2000 {
        let t = i as Real * 0.013;
        let (sin, cos) = (t * 3.1).sin_cos();
        let r = 0.05 + 1.2 * (t * 0.77).sin().abs();
        let d = Vec3::new(r * cos, r * sin, 1.0);
        let corner = |k: usize| s.vertices()[k % 10] / s.vertices()[k % 10].z;
        // Crossing number of the ray from the middle.
        let crossings = (0..10)
            .filter(|&k| {
                let (a, b) = (corner(k), corner(k + 1));
                let side = |p: Vec3, q: Vec3, x: Vec3| (q.x - p.x) * (x.y - p.y) - (q.y - p.y) * (x.x - p.x);
                let o = Vec3::Z;
                side(a, b, o) * side(a, b, d) < 0.0 && side(o, d, a) * side(o, d, b) < 0.0
            })
            .count();
        let distance = shape.edge_distance(d.normalize());
        if distance.abs() > 1e-4 {
            assert_eq!(distance > 0.0, crossings % 2 == 0, "{d:?} {distance}");
        }
    }
}

#[test]
fn what_makes_no_ring_is_refused() {
    let check = |v: &[Vec3]| checked(SphericalPolygon::new(v.iter().copied())).unwrap_err();
    let (a, b, c, d) = (
        Vec3::new(0.5, 0.5, 1.0),
        Vec3::new(-0.5, 0.5, 1.0),
        Vec3::new(-0.5, -0.5, 1.0),
        Vec3::new(0.5, -0.5, 1.0),
    );
    assert!(matches!(check(&[a, b]), LimitError::TooFew { .. }));
    assert!(matches!(check(&[a, c, b, d]), LimitError::BadShape(_)));
    assert!(matches!(check(&[a, a, b]), LimitError::BadShape(_)));
    assert!(matches!(check(&[a, -a, b]), LimitError::BadShape(_)));
    assert!(matches!(check(&[a, Vec3::ZERO, b]), LimitError::NoDirection(_)));
    assert!(matches!(check(&[Vec3::Z, b, c]), LimitError::BadShape(_)));
}

#[test]
fn the_rim_is_at_least_the_inset_from_the_edge() {
    let s = SwingShape::from(star());
    assert!(s.widest_inset() > 0.1, "{}", s.widest_inset());
    for inset in [0.02, 0.1, s.widest_inset()] {
        for i in 0..500 {
            let t = i as Real;
            let d = Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()).normalize();
            let p = s.project(d, inset).unwrap_or(d);
            assert!(s.edge_distance(p) > inset - 1e-4, "{inset} {d:?}");
        }
    }
}
