use super::*;
use crate::math::random::Random;
use parry3d::query::details::distance_support_map_support_map;
use parry3d::shape::{Segment, Triangle};

fn way(segment: [Vec3; 2], corners: [Vec3; 3]) -> Real {
    segment_triangle_squared(segment, corners, 1.0e3).map_or(Real::INFINITY, Real::sqrt)
}

#[test]
fn a_segment_and_a_triangle_are_as_far_apart_as_gjk_says() {
    let mut random = Random(7);
    let mut vector = || random.vector(1.0);
    for case in 0..5000 {
        let s = [vector(), vector()];
        let t = [vector(), vector(), vector()];
        let ours = way(s, t);
        let theirs = distance_support_map_support_map(
            &Place::IDENTITY,
            &Segment::new(s[0], s[1]),
            &Triangle::new(t[0], t[1], t[2]),
        );
        assert!((ours - theirs).abs() < 3e-3, "{case}: {ours} against {theirs}");
    }
}

#[test]
fn degenerate_segments_and_triangles_are_points_and_lines() {
    let p = Vec3::new(0.3, 0.4, 0.0);
    let flat = [Vec3::ZERO, Vec3::ZERO, Vec3::ZERO];
    assert!((way([p, p], flat) - 0.5).abs() < 1e-5);
    let line = [-Vec3::X, Vec3::ZERO, Vec3::X];
    assert!((way([p, p], line) - 0.4).abs() < 1e-5);
    assert!(segments_squared([-Vec3::X, Vec3::X], [-Vec3::X, Vec3::X]) < 1e-6, "parallel");
}

#[test]
fn the_box_test_lets_nothing_through_that_is_near() {
    let mut random = Random(3);
    let mut vector = || random.vector(1.0);
    for _ in 0..2000 {
        let (s, c) = ([vector() * 2.0, vector() * 2.0], vector());
        let t = [c, c + vector() * 0.3, c + vector() * 0.3];
        let radius = 0.1;
        let near = segment_triangle_squared(s, t, radius);
        assert_eq!(near.is_some(), way(s, t) < radius);
        if near.is_some() {
            let low = t[0].min(t[1]).min(t[2]);
            let high = t[0].max(t[1]).max(t[2]);
            assert!(Probe::new(s, radius).way_to(low, high).is_some());
        }
    }
}

#[test]
fn the_depth_of_a_capsule_in_a_box() {
    let cube = crate::collision::hull::cuboid(Vec3::splat(1.0));
    let beside = [Vec3::new(1.05, -0.2, 0.0), Vec3::new(1.05, 0.2, 0.0)];
    let depth = depth_of(Points(&beside), &Points(&cube), &Place::IDENTITY, 0.1).unwrap();
    assert!((depth - 0.05).abs() < 1e-4, "{depth}");
    let inside = [Vec3::new(0.8, -0.2, 0.0), Vec3::new(0.8, 0.2, 0.0)];
    let depth = depth_of(Points(&inside), &Points(&cube), &Place::IDENTITY, 0.1).unwrap();
    assert!((depth - 0.3).abs() < 1e-4, "{depth}");
    let far = [Vec3::new(1.2, -0.2, 0.0), Vec3::new(1.2, 0.2, 0.0)];
    assert_eq!(depth_of(Points(&far), &Points(&cube), &Place::IDENTITY, 0.1), None);
}
