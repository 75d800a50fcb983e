//! Angles, transforms, rotation vectors, swing and twist.

use sinew::math::swing_twist::{self, direction_of, swing_of, swing_to};
use sinew::math::{ROUNDING, any_perpendicular, rotation, wrap_angle};
use sinew::{Quat, Real, Transform, Vec3};

const PI: Real = std::f64::consts::PI as Real;

/// Rounding of one step to a rotation or back.
const TOLERANCE: Real = ROUNDING * 8.0;

#[test]
fn wrapping_keeps_the_direction() {
    for i in -50..50 {
        let a = i as Real * 0.37;
        let w = wrap_angle(a);
        assert!(w > -PI && w <= PI);
        assert!((w.sin() - a.sin()).abs() < 1e-4 && (w.cos() - a.cos()).abs() < 1e-4);
    }
    assert_eq!(wrap_angle(PI), PI);
}

#[test]
fn a_transform_and_its_inverse_cancel() {
    let t = Transform::new(Vec3::new(1.0, -2.0, 0.5), rotation::exp(Vec3::new(0.3, 1.2, -0.4)));
    let p = Vec3::new(0.2, 0.7, -3.0);
    assert!((t.inverse().transform_point(t.transform_point(p)) - p).length() < 1e-5);
    assert!((t * t.inverse()).translation.length() < 1e-5);
}

#[test]
fn a_perpendicular_exists_for_every_direction() {
    for v in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.0, 0.8), Vec3::splat(0.57735026)] {
        let p = any_perpendicular(v);
        assert!(p.dot(v).abs() < 1e-5 && (p.length() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn exp_and_log_undo_each_other_at_every_scale() {
    for scale in [0.0, 1e-8, 1e-4, 9.9e-3, 1.01e-2, 0.1, 1.0, 3.0] {
        let v = Vec3::new(0.36, -0.48, 0.8) * scale;
        let q = rotation::exp(v);
        assert!((q.length() - 1.0).abs() < TOLERANCE, "{scale}");
        assert!(
            (rotation::log(q) - v).length() < TOLERANCE * (1.0 + scale),
            "{scale}: {:?}",
            rotation::log(q)
        );
        assert!((rotation::log(-q) - v).length() < TOLERANCE * (1.0 + scale));
    }
}

#[test]
fn between_survives_opposite_directions() {
    let q = rotation::between(Vec3::Y, -Vec3::Y, Vec3::Z);
    assert!((q * Vec3::Y + Vec3::Y).length() < TOLERANCE);
    assert!((q * Vec3::Z - Vec3::Z).length() < TOLERANCE, "turned about the hint");
    let q = rotation::between(Vec3::Y, -Vec3::Y, Vec3::Y);
    assert!((q * Vec3::Y + Vec3::Y).length() < TOLERANCE);
}

#[test]
fn between_takes_the_short_way() {
    let a = Vec3::new(0.6, 0.8, 0.0);
    let b = Vec3::new(0.0, 0.28, 0.96);
    let q = rotation::between(a, b, Vec3::X);
    assert!((q * a - b).length() < TOLERANCE);
    assert!((rotation::angle(q) - rotation::angle_between(a, b)).abs() < TOLERANCE);
}

#[test]
fn parts_make_the_whole() {
    for i in 0..200 {
        let t = i as Real;
        let q = rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.0);
        let st = swing_twist::from_quat(q);
        assert!(rotation::angle(swing_twist::to_quat(st.0, st.1) * q.inverse()) < 2e-3, "{i}");
        let d = direction_of(st.0);
        assert!((d - q * Vec3::Z).length() < 1e-4, "{i}");
        assert!((direction_of(swing_of(d)) - d).length() < 1e-4);
    }
}

#[test]
fn straight_back_is_finite() {
    let q = Quat::from_xyzw(1.0, 0.0, 0.0, 0.0);
    let st = swing_twist::from_quat(q);
    assert!((st.0.length() - PI).abs() < 1e-4 && st.1 == 0.0);
    assert!((swing_of(-Vec3::Z).length() - PI).abs() < 1e-6);
    assert!((swing_to(-Vec3::Z) * Vec3::Z + Vec3::Z).length() < 1e-5);
}
