//! One contract for every joint limit, and what is special about some.
//!
//! `ambiguous` in `limits/sample.rs` states where the nearest allowed rotation
//! is not unique; everywhere else projection must move continuously.

#![allow(clippy::print_stdout)]

mod angles;
mod cases;
mod kusudama;
mod nearest;
mod polygon;
mod sample;
mod soft;
mod spline;

use cases::Case;
use proptest::prelude::*;
use sample::{ambiguous, any_rotation, apart, awkward, spread};
use sinew::limit::*;
use sinew::math::{Quat, ROUNDING, Real, Vec3, rotation};
use sinew::{JointKind, JointLimit};

/// Rounding that a few steps of the engine's arithmetic gather.
const CLOSE: Real = ROUNDING * 20.0;

fn check_one(case: &Case, q: Quat) {
    let Case { name, kind, limit } = case;
    let p = limit.project(q);
    assert!(p.is_finite() && (p.length() - 1.0).abs() < CLOSE, "{name}: {q} becomes {p}");
    assert_eq!(limit.project(p), p, "{name}: not idempotent at {q}");
    assert_eq!(limit.violation(p), 0.0, "{name}: does not land inside from {q}");

    let violation = limit.violation(q);
    assert!(violation.is_finite() && violation >= 0.0, "{name}: {violation}");
    if violation == 0.0 {
        assert_eq!(p, q, "{name}: changes what is inside");
    }
    let other_sign = limit.project(-q);
    assert!(apart(other_sign, p) < CLOSE, "{name}: {q} and its negative become {p} and {other_sign}");
    assert_eq!(violation == 0.0, limit.violation(-q) == 0.0, "{name}: the sign of {q} matters");

    // A hinge's angle says nothing about rotations that are not about its axis.
    let possible = to_kind(*kind, q);
    let (out, edge) = (limit.violation(possible), limit.edge_distance(possible));
    assert!(!edge.is_nan(), "{name} at {q}");
    assert!(edge < CLOSE || out == 0.0, "{name}: {out} outside and yet {edge} inside, at {q}");
    assert!(edge > -CLOSE || out > 0.0, "{name}: inside and yet {edge} outside, at {q}");
    assert_eq!(edge.is_finite(), limit.nearest_component(possible).is_some());

    for inset in [0.01, 0.2, 2.0] {
        let Some(rim) = limit.project_inset(q, inset) else { continue };
        assert!(rim.is_finite(), "{name} inset {inset}: {q} becomes {rim}");
        assert!(
            limit.violation(rim) < CLOSE,
            "{name}: the rim at {inset} is {} outside",
            limit.violation(rim)
        );
        let again = limit.project_inset(rim, inset).unwrap_or(rim);
        assert!(apart(again, rim) < CLOSE, "{name}: the rim at {inset} is not idempotent at {q}");
    }

    let soft = limit.soften(q);
    assert!(soft.is_finite() && (soft.length() - 1.0).abs() < CLOSE, "{name}: {q} softens to {soft}");
    assert!(limit.violation(soft) < CLOSE, "{name}: softened past the edge by {}", limit.violation(soft));
    let push = limit.push_back(q);
    assert!(push.is_finite(), "{name}: {q} is pushed by {push}");
    if limit.edge_distance(q) > limit.soft_zone * 2.0 + 0.1
        && limit.edge_distance(q).is_finite()
        && out == 0.0
    {
        assert_eq!(limit.project_inset(q, limit.soft_zone).is_some(), push != Vec3::ZERO, "{name} at {q}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_limit_keeps_the_contract(q in any_rotation()) {
        thread_local!(static CASES: Vec<Case> = cases::all());
        CASES.with(|cases| cases.iter().for_each(|case| check_one(case, q)));
    }
}

#[test]
fn the_contract_holds_where_things_are_not_defined() {
    for case in cases::all() {
        for q in awkward(&case) {
            check_one(&case, q);
            check_one(&case, -q);
        }
    }
}

/// Rounding once brought this one out again at the other edge of a thread.
#[test]
fn a_thread_holds_what_it_was_given() {
    let cases = cases::all();
    let q = Quat::from_xyzw(0.89335823, -0.19534633, -0.08042789, 0.3965883).normalize();
    cases.iter().for_each(|case| check_one(case, q));
}

/// Near its own edge a limit is looked at most often.
#[test]
fn the_contract_holds_a_rounding_from_the_edge() {
    for case in cases::all() {
        for (i, q) in spread(200).enumerate() {
            let p = case.limit.project(q);
            let axis = Vec3::new((i as Real).sin(), (i as Real * 1.7).cos(), (i as Real * 0.3).sin());
            for h in [ROUNDING, ROUNDING * 10.0, ROUNDING * 1000.0] {
                check_one(&case, (p * rotation::exp(axis * h)).normalize());
            }
        }
    }
}

/// From inside outwards and on: wherever the projection jumps, it jumps between
/// equally near parts of the edge. So it never crosses to another side before
/// what it follows has come half of the way there.
#[test]
fn projection_moves_continuously() {
    let step = 5.0e-4;
    for case in cases::all() {
        let mut fastest = 0.0;
        for (i, start) in spread(8).enumerate() {
            let start = case.limit.project(start);
            let axis = Vec3::new((i as Real).sin(), (i as Real * 1.7).cos(), 0.3).normalize();
            let mut last = case.limit.project(start);
            for k in 1..6200 {
                let q = (start * rotation::exp(axis * (step * k as Real))).normalize();
                let now = case.limit.project(q);
                let moved = apart(last, now) / step;
                if moved > 1.5 && !ambiguous(&case, q, last, now, 2.5 * step) {
                    fastest = moved.max(fastest);
                    assert!(moved < 40.0, "{}: moves {moved} times as fast at {q}, to {now}", case.name);
                }
                last = now;
            }
        }
        println!("{}: at most {fastest} times as fast", case.name);
    }
}

#[test]
fn outlines_lie_on_the_edge_and_go_all_round() {
    for case in cases::all() {
        for outline in case.limit.outlines(256) {
            assert!(outline.points.iter().all(|p| p.is_finite() && (p.length() - 1.0).abs() < CLOSE));
        }
        let LimitShape::SwingTwist(l) = &case.limit.shape else { continue };
        let curves: Vec<_> =
            case.limit.outlines(256).into_iter().filter(|o| o.component == LimitComponent::Swing).collect();
        let local = |p: &Vec3| (l.frame.conjugate() * *p).normalize();
        let points: Vec<Vec3> = curves.iter().flat_map(|o| &o.points).map(local).collect();
        for &p in &points {
            let distance = l.swing.edge_distance(p);
            assert!(distance.abs() < 1e-3, "{}: {p} is {distance} from the edge", case.name);
        }
        for curve in &curves {
            assert!(curve.closed);
            let next = curve.points.iter().cycle().skip(1);
            for (a, b) in curve.points.iter().zip(next) {
                assert!((*a - *b).length() < 0.3, "{}: a gap from {a} to {b}", case.name);
            }
        }
        if points.is_empty() {
            continue;
        }
        for q in spread(300) {
            let Some(p) = l.swing.project((q * Vec3::Z).normalize(), 0.0) else { continue };
            let nearest = points.iter().map(|&o| (o - p).length()).fold(Real::INFINITY, Real::min);
            // A way of no width is a line within no curve.
            let thread = case.name.contains("thread");
            assert!(nearest < 0.05 || thread, "{}: no outline within {nearest} of {p}", case.name);
        }
    }
}

#[test]
fn limits_fit_the_kinds_they_are_for() {
    for case in cases::all() {
        let kinds = [
            JointKind::Fixed,
            JointKind::Hinge { axis: Vec3::X },
            JointKind::Universal { first: Vec3::X, second: Vec3::Z },
            JointKind::Prismatic { axis: Vec3::X },
        ];
        for kind in kinds {
            let fits = case.limit.clone().checked(kind).is_ok();
            assert_eq!(fits, case.limit.is_none(), "{} on {kind:?}", case.name);
        }
        // Checking twice changes nothing.
        assert_eq!(case.limit.clone().checked(case.kind).as_ref(), Ok(&case.limit), "{}", case.name);
    }
    assert!(JointLimit::hinge(Vec3::X, 1.0, 0.0).checked(JointKind::Hinge { axis: Vec3::X }).is_err());
    assert!(JointLimit::None.soft(-1.0).checked(JointKind::Ball).is_err());
    assert!(JointLimit::None.soft(Real::NAN).checked(JointKind::Ball).is_err());
}

#[test]
fn a_slide_keeps_the_contract() {
    let limit = JointLimit::prismatic(Vec3::Y, -0.2, 0.5).soft(0.1);
    let limit = limit.checked(JointKind::Prismatic { axis: Vec3::Y }).unwrap();
    let mut last = limit.soften_displacement(-3.0);
    for i in -300..300 {
        let d = i as Real * 0.01;
        let p = limit.project_displacement(d);
        assert!((-0.2..=0.5).contains(&p) && limit.project_displacement(p) == p);
        assert_eq!(p == d, limit.displacement_violation(d) == 0.0);
        assert!((limit.displacement_violation(d) - (p - d).abs()).abs() < CLOSE);
        assert_eq!(limit.displacement_edge_distance(d) >= 0.0, p == d, "{d}");
        let soft = limit.soften_displacement(d);
        assert!((-0.2..=0.5).contains(&soft) && soft >= last && soft - last <= 0.0101, "{d}");
        if limit.displacement_edge_distance(d) > 0.101 {
            assert!(soft == d && limit.displacement_push_back(d) == 0.0);
        }
        let pushed = d + limit.displacement_push_back(d);
        assert!(limit.displacement_edge_distance(pushed) >= 0.1 - CLOSE);
        last = soft;
    }
    assert!(limit.project_displacement(Real::NAN).is_finite());
    assert!(
        limit.soften_displacement(Real::NAN).is_finite()
            && limit.soften_displacement(Real::INFINITY).is_finite()
    );
}

/// What follows from a shape's parts is not written, and is there after reading.
#[cfg(feature = "serde")]
#[test]
fn limits_survive_a_file() {
    for case in cases::all() {
        let text = serde_json::to_string(&case.limit).unwrap();
        for derived in ["pieces", "circles", "pairs", "edges", "widest", "least"] {
            assert!(!text.contains(derived), "{}: {text}", case.name);
        }
        let read: JointLimit = serde_json::from_str(&text).unwrap();
        assert_eq!(read, case.limit, "{}", case.name);
        let read = read.checked(case.kind).unwrap();
        for q in spread(50) {
            assert_eq!(read.project(q), case.limit.project(q), "{} at {q}", case.name);
            assert_eq!(read.soften(q), case.limit.soften(q), "{} at {q}", case.name);
        }
    }
}
