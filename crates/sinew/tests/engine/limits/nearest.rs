//! Projection against brute force: no allowed rotation is nearer.

use sinew::limit::*;
use sinew::math::{Quat, Real, Vec3, rotation, swing_twist};

use super::cases;
use super::sample::{Measure, apart, measure, parts, spread};

/// Rotations that the case allows, spread over its region and along its edge.
fn allowed(case: &cases::Case) -> Vec<Quat> {
    let limit = &case.limit;
    let mut pool: Vec<Quat> = spread(1500).filter(|&q| limit.violation(q) == 0.0).collect();
    pool.extend(spread(1500).map(|q| limit.project(q)));
    pool.extend(spread(300).map(|q| limit.project_inset(q, 0.1).unwrap_or(q)));
    pool.retain(|&q| limit.violation(q) == 0.0);
    pool
}

#[test]
fn no_allowed_rotation_is_nearer() {
    let tolerance = 1.0e-4;
    for case in cases::all() {
        let pool = allowed(&case);
        assert!(pool.len() > 100, "{}: {} samples", case.name, pool.len());
        for q in spread(70) {
            let p = case.limit.project(q);
            match (&case.limit.shape, measure(&case)) {
                (LimitShape::SwingTwist(l), Measure::Meridian) => {
                    let (d, e) = (parts(l, q).0, parts(l, p).0);
                    // The same meridian: both lie in one half plane with z.
                    let off = Vec3::new(d.y * e.z - d.z * e.y, d.z * e.x - d.x * e.z, 0.0);
                    assert!((d.x * e.y - d.y * e.x).abs() < 1e-4 && off.is_finite(), "{}", case.name);
                    assert!(e.z >= d.z - 1e-5 && d.x * e.x + d.y * e.y >= -1e-5, "{}", case.name);
                }
                (LimitShape::SwingTwist(l), how) => {
                    let distance = |a: Quat, b: Quat| {
                        let (a, b) = (parts(l, a).0, parts(l, b).0);
                        match how {
                            Measure::SwingPlane => {
                                (swing_twist::swing_of(a) - swing_twist::swing_of(b)).length()
                            }
                            _ => rotation::angle_between(a, b),
                        }
                    };
                    let mine = distance(p, q);
                    for &other in &pool {
                        assert!(
                            mine <= distance(other, q) + tolerance,
                            "{}: {other} is nearer to {q} than {p}",
                            case.name
                        );
                    }
                }
                _ => {
                    let mine = apart(p, q);
                    for &other in &pool {
                        let theirs = apart(other, q);
                        assert!(
                            mine <= theirs + tolerance,
                            "{}: {q} to {p} is {mine}, to {other} {theirs}",
                            case.name
                        );
                    }
                }
            }
        }
    }
}

/// Away from straight back the twist is held by itself: the nearest angle of
/// its range, or its own.
#[test]
fn the_twist_goes_to_the_nearer_end_of_its_range() {
    for case in cases::all() {
        let LimitShape::SwingTwist(l) = &case.limit.shape else { continue };
        for q in spread(300) {
            let (d, before) = parts(l, q);
            let (e, after) = parts(l, case.limit.project(q));
            if d.z < -0.75 || e.z < -0.99 {
                continue;
            }
            let expected = l.twist.and_then(|r| r.project(before, 0.0)).unwrap_or(before);
            let off = sinew::math::wrap_angle(after - expected).abs();
            assert!(off < 1e-3, "{}: twist {before} becomes {after}, not {expected}", case.name);
        }
    }
}

/// Independent of the engine's own sampling: a grid of angles in the box.
#[test]
fn no_angles_of_an_euler_box_are_nearer() {
    for case in cases::all() {
        let LimitShape::Euler(l) = &case.limit.shape else { continue };
        let steps = 9;
        let at = |r: AngleRange, i: usize| r.min + (r.max - r.min) * i as Real / (steps - 1) as Real;
        let grid: Vec<Quat> = (0..steps * steps * steps)
            .map(|i| {
                [
                    at(l.ranges[0], i % steps),
                    at(l.ranges[1], i / steps % steps),
                    at(l.ranges[2], i / steps / steps),
                ]
            })
            .map(|angles| l.frame * l.order.to_quat(angles) * l.frame.conjugate())
            .collect();
        for &g in &grid {
            assert!(case.limit.violation(g) < 1e-5, "{}: refuses its own {g}", case.name);
        }
        for q in spread(300) {
            let p = case.limit.project(q);
            let angles = l.angles(p);
            for i in 0..3 {
                assert!(l.ranges[i].edge_distance(angles[i]) > -1e-3, "{}: {angles:?}", case.name);
            }
            let mine = apart(p, q);
            for &g in &grid {
                let theirs = apart(g, q);
                assert!(mine <= theirs + 1e-4, "{}: {q} to {p} is {mine}, to {g} {theirs}", case.name);
            }
        }
    }
}
