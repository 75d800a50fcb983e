//! Soft zones: smooth at the rim, never past the edge, never backwards.

use sinew::limit::*;
use sinew::math::{Quat, Real, Vec3, rotation};

use super::CLOSE;
use super::cases;
use super::sample::{ambiguous, apart, spread};

#[test]
fn the_soft_zone_starts_smoothly() {
    for case in cases::all().into_iter().filter(|c| c.limit.soft_zone > 0.0) {
        let limit = &case.limit;
        for q in spread(300).map(|q| to_kind(case.kind, q)) {
            let zone = limit.soft_zone;
            let Some(rim) = limit.project_inset(q, zone) else {
                assert_eq!(limit.soften(q), q, "{}: changed inside of the rim", case.name);
                assert_eq!(limit.push_back(q), Vec3::ZERO);
                continue;
            };
            // From the rim a little outwards: first order like no limit at all.
            let outwards = rotation::log(rim.conjugate() * q);
            let depth = outwards.length().min(0.002);
            if depth < 0.001 {
                continue;
            }
            let out = (rim * rotation::exp(outwards * (depth / outwards.length()))).normalize();
            let out = to_kind(case.kind, out);
            let depth = apart(rim, out);
            let held = apart(limit.soften(out), out);
            let room = shape_room(limit).min(zone);
            if room > 0.05 && !at_gimbal_lock(limit, out) {
                assert!(
                    held < 20.0 * depth * depth / room + CLOSE,
                    "{}: held back by {held} at {depth}",
                    case.name
                );
            }
            // Pushing back leads to the rim.
            let pushed = q * rotation::exp(limit.push_back(q));
            assert!(apart(pushed, rim) < CLOSE * 5.0, "{}", case.name);
        }
    }
}

/// There a small rotation is a large change of the angles.
fn at_gimbal_lock(limit: &sinew::JointLimit, q: Quat) -> bool {
    matches!(&limit.shape, LimitShape::Euler(l) if l.angles(q)[1].cos().abs() < 0.35)
}

/// How wide a soft zone the limit has room for.
fn shape_room(limit: &sinew::JointLimit) -> Real {
    let half = |r: &AngleRange| 0.5 * (r.max - r.min);
    match &limit.shape {
        LimitShape::Hinge(l) => half(&l.range),
        LimitShape::SwingTwist(l) => {
            let twist = l.twist.as_ref().map_or(Real::INFINITY, half);
            l.swing.widest_inset().min(twist)
        }
        LimitShape::Universal(l) => l.ranges.iter().map(half).fold(Real::INFINITY, Real::min),
        LimitShape::Euler(l) => l.ranges.iter().map(half).fold(Real::INFINITY, Real::min),
        LimitShape::None | LimitShape::Prismatic(_) => Real::INFINITY,
    }
}

#[test]
fn softening_moves_as_continuously_as_projection() {
    let step = 5.0e-4;
    for case in cases::all().into_iter().filter(|c| c.limit.soft_zone > 0.0) {
        let limit = &case.limit;
        for (i, start) in spread(8).enumerate() {
            let start = limit.project_inset(start, limit.soft_zone).unwrap_or(start);
            let axis = Vec3::new((i as Real).sin(), (i as Real * 1.7).cos(), 0.3).normalize();
            let rim = |q| limit.project_inset(q, limit.soft_zone).unwrap_or(q);
            let (mut last, mut last_rim) = (limit.soften(start), rim(start));
            for k in 1..6200 {
                let q = (start * rotation::exp(axis * (step * k as Real))).normalize();
                let (soft, now_rim) = (limit.soften(q), rim(q));
                let moved = apart(last, soft) / step;
                let jumps = moved > 40.0 && !ambiguous(&case, q, last_rim, now_rim, 2.5 * step);
                assert!(!jumps, "{}: moves {moved} times as fast at {q}", case.name);
                (last, last_rim) = (soft, now_rim);
            }
        }
    }
}

/// On shapes with one measure: straight outwards, the way to the edge only
/// shrinks, and shrinks ever slower.
#[test]
fn straight_outwards_the_edge_comes_nearer_and_nearer() {
    for (name, swing) in cases::swings() {
        for q in spread(40) {
            let out = (q * Vec3::Z).normalize();
            let zone = swing.widest_inset().min(0.3);
            let Some(rim) = swing.project(out, zone) else { continue };
            if zone < 0.01 || rotation::angle_between(rim, out) > 1.2 {
                continue;
            }
            let side = (out - rim * rim.dot(out)).normalize();
            let mut last = swing.edge_distance(rim);
            for k in 1..40 {
                let (s, c) = (k as Real * 0.02).sin_cos();
                let d = rim * c + side * s;
                // Beyond what is equally near to another part, that one counts.
                if swing.project(d, zone).is_none_or(|r| (r - rim).length() > 1e-2) {
                    break;
                }
                let soft = swing.soften(d, zone).unwrap_or(d);
                let room = swing.edge_distance(soft);
                assert!(room > -CLOSE, "{name}: {room} at {k}");
                assert!(room < last + CLOSE, "{name}: from {last} back to {room} at step {k}");
                last = room;
            }
        }
    }
}
