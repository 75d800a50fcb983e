//! Ranges of angles, and the two angles of a universal joint.

use sinew::limit::*;
use sinew::math::{Real, Vec3, rotation};

const PI: Real = std::f64::consts::PI as Real;
const TAU: Real = std::f64::consts::TAU as Real;

#[test]
fn the_nearer_end_is_found_across_the_cut() {
    let r = AngleRange::new(-0.2, 1.6);
    assert_eq!(r.project(0.5, 0.0), None);
    assert!((r.project(3.0, 0.0).unwrap() - 1.6).abs() < 1e-6);
    // −3.0 is 3.28 counter-clockwise from zero: 1.68 beyond the upper end,
    // 2.8 below the lower one.
    assert!((r.project(-3.0, 0.0).unwrap() - 1.6).abs() < 1e-6);
    assert!((r.project(-1.0, 0.0).unwrap() + 0.2).abs() < 1e-6);
    assert!((r.edge_distance(-1.0) + 0.8).abs() < 1e-6);
}

#[test]
fn a_whole_turn_limits_nothing_and_a_point_holds_everything() {
    assert_eq!(AngleRange::symmetric(PI).project(3.1, 0.0), None);
    let point = AngleRange::new(0.3, 0.3);
    assert!((point.project(2.0, 0.1).unwrap() - 0.3).abs() < 1e-6);
}

#[test]
fn universal_angles_are_those_of_the_nearest_rotation() {
    let (first, second) = (Vec3::new(0.6, 0.8, 0.0), Vec3::Z);
    let turn = |a: Real, b: Real| rotation::about(first, a) * rotation::about(second, b);
    let (a, b) = universal_angles(first, second, turn(2.9, -1.7));
    assert!((a - 2.9).abs() < 1e-5 && (b + 1.7).abs() < 1e-5);
    for i in 0..50 {
        let t = i as Real;
        let q = rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 3.0);
        let (a, b) = universal_angles(first, second, q);
        let found = rotation::angle(turn(a, b).conjugate() * q);
        for j in 0..60 * 60 {
            let (x, y) = ((j % 60) as Real * TAU / 60.0, (j / 60) as Real * TAU / 60.0);
            let other = rotation::angle(turn(x, y).conjugate() * q);
            assert!(found <= other + 1e-3, "{i}: {found} {other} at {x} {y}");
        }
    }
}
