//! Rotations to try limits on, and what is known about them.

use proptest::prelude::*;
use sinew::limit::*;
use sinew::math::{Quat, Real, Vec3, rotation, swing_twist, wrap_angle};

use super::cases::Case;

/// Evenly spread unit quaternions (Shoemake 1992), both signs.
pub fn any_rotation() -> impl Strategy<Value = Quat> {
    (0.0..1.0f64, 0.0..1.0f64, 0.0..1.0f64).prop_map(|(u, v, w)| shoemake(u, v, w))
}

pub fn any_direction() -> impl Strategy<Value = Vec3> {
    any_rotation().prop_map(|q| (q * Vec3::Z).normalize())
}

fn shoemake(u: f64, v: f64, w: f64) -> Quat {
    let (a, b) = ((1.0 - u).sqrt(), u.sqrt());
    let ((s1, c1), (s2, c2)) = ((std::f64::consts::TAU * v).sin_cos(), (std::f64::consts::TAU * w).sin_cos());
    Quat::from_xyzw((a * s1) as Real, (a * c1) as Real, (b * s2) as Real, (b * c2) as Real).normalize()
}

/// Many evenly spread rotations, the same every time.
pub fn spread(count: usize) -> impl Iterator<Item = Quat> {
    // An additive sequence with the plastic constant covers the cube evenly.
    (0..count).map(|i| {
        let t = i as f64 + 0.5;
        shoemake((t * 0.8191725134).fract(), (t * 0.6710436067).fract(), (t * 0.5497004779).fract())
    })
}

/// Rotations at which something is not defined: half turns, the bone straight
/// back, gimbal lock; and ones a rounding or a little away from them.
pub fn awkward(case: &Case) -> Vec<Quat> {
    let mut list = vec![Quat::IDENTITY];
    for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, 0.8, 0.0), Vec3::new(0.48, 0.6, 0.64)] {
        for angle in [0.5, 1.0, 1.5, 2.0] {
            list.push(rotation::about(axis, angle * std::f64::consts::PI as Real));
        }
        list.push(Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0));
    }
    if let LimitShape::SwingTwist(l) = &case.limit.shape {
        for i in 0..8 {
            let (s, c) = (i as Real * 0.8).sin_cos();
            for z in [0.0, 1e-8, 1e-5, 1e-3] {
                for w in [0.0, 1e-7, -1e-4] {
                    list.push(l.from_frame(Quat::from_xyzw(c, s, z, w).normalize()).normalize());
                }
            }
        }
    }
    if let LimitShape::Euler(l) = &case.limit.shape {
        for middle in [0.5, -0.5] {
            for off in [0.0, 1e-6, 1e-3] {
                for outer in [-2.0, 0.1, 0.7] {
                    let q = l.order.to_quat([outer, middle * std::f64::consts::PI as Real + off, 0.4]);
                    list.push((l.frame * q * l.frame.conjugate()).normalize());
                }
            }
        }
    }
    let close: Vec<Quat> = list
        .iter()
        .flat_map(|&q| [1e-6, 1e-3].map(|h| (q * rotation::exp(Vec3::new(0.6, -0.3, 0.7) * h)).normalize()))
        .collect();
    list.extend(close);
    list
}

/// Where nearness is measured, so that "nearest" can be checked.
pub enum Measure {
    /// The angle between rotations.
    Rotation,
    /// The angle between the bone's directions in the limit's frame.
    Direction,
    /// The distance of swing vectors.
    SwingPlane,
    /// Along the meridian: not a nearest point.
    Meridian,
}

pub fn measure(case: &Case) -> Measure {
    match &case.limit.shape {
        LimitShape::SwingTwist(l) => match l.swing {
            SwingShape::Ellipse(_) => Measure::SwingPlane,
            SwingShape::Spline(_) => Measure::Meridian,
            _ => Measure::Direction,
        },
        _ => Measure::Rotation,
    }
}

/// The rotation between two, as an angle.
pub fn apart(a: Quat, b: Quat) -> Real {
    rotation::angle(a.conjugate() * b)
}

/// The bone's direction and the twist, in the limit's frame.
pub fn parts(l: &SwingTwistLimit, q: Quat) -> (Vec3, Real) {
    let local = l.to_frame(q);
    let (_, twist) = swing_twist::decompose(local);
    ((local * Vec3::Z).normalize(), swing_twist::twist_angle(twist))
}

/// Whether the limit had to choose between the rotations `a` and `b` for `q`:
/// the *ambiguous set*, the only place where projection may jump. It is where
/// the two are equally near, give or take `margin`, in the measure in which the
/// shape is nearest; where the bone points straight back; in the middle of the
/// gap of a hinge or twist range; and at half turns at right angles to a hinge.
pub fn ambiguous(case: &Case, q: Quat, a: Quat, b: Quat, margin: Real) -> bool {
    let pi = std::f64::consts::PI as Real;
    let gap_middle = |range: AngleRange, angle: Real| {
        // Angles can move many times as fast as the rotation does.
        !range.is_whole_turn() && wrap_angle(angle - range.middle()).abs() > pi - 10.0 * margin
    };
    match &case.limit.shape {
        LimitShape::None | LimitShape::Prismatic(_) => false,
        LimitShape::Hinge(l) => {
            let s = Vec3::new(q.x, q.y, q.z).dot(l.axis);
            s.hypot(q.w) < 0.05 || gap_middle(l.range, rotation::angle_about(l.axis, q))
        }
        LimitShape::Euler(_) | LimitShape::Universal(_) => (apart(q, a) - apart(q, b)).abs() < margin,
        LimitShape::SwingTwist(l) => {
            let (d, twist) = parts(l, q);
            let far = |other: Quat| rotation::angle_between(d, parts(l, other).0);
            let nearest_on_sphere = matches!(l.swing, SwingShape::Polygon(_) | SwingShape::Kusudama(_));
            let two_directions = nearest_on_sphere
                && rotation::angle_between(parts(l, a).0, parts(l, b).0) > margin
                && (far(a) - far(b)).abs() < margin;
            rotation::angle_between(d, -Vec3::Z) < 0.15
                || l.twist.is_some_and(|range| gap_middle(range, twist))
                || two_directions
        }
    }
}
