//! Rotations as vectors: the exponential map and its inverse, and the shortest
//! turn between two directions.
//!
//! glam has `from_scaled_axis` and `to_scaled_axis`; these are our own because
//! the solvers need the logarithm of the *shorter* rotation (a quaternion and
//! its negative must give the same vector) and full accuracy at tiny angles,
//! where dividing by the sine loses half of the digits.

use super::*;

/// The rotation by `|v|` radians about `v` (exponential map).
///
/// ```
/// use sinew::math::{Vec3, rotation::{exp, log}};
/// let v = Vec3::new(0.1, -0.7, 0.4);
/// assert!((log(exp(v)) - v).length() < 1e-6);
/// ```
#[inline]
pub fn exp(v: Vec3) -> Quat {
    let squared = v.length_squared();
    let (scale, w) = if squared < 1.0e-4 {
        // sin(a/2)/a and cos(a/2) as series; the next terms are below rounding.
        (0.5 - squared * (1.0 / 48.0 - squared / 3840.0), 1.0 - squared * (0.125 - squared / 384.0))
    } else {
        let angle = squared.sqrt();
        let (s, c) = (angle * 0.5).sin_cos();
        (s / angle, c)
    };
    Quat::from_xyzw(v.x * scale, v.y * scale, v.z * scale, w)
}

/// The rotation vector of the shorter rotation that `q` stands for; its length
/// is at most π. `q` and `-q` give the same vector.
#[inline]
pub fn log(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let s2 = v.length_squared();
    if s2 < 1.0e-5 {
        // 2·asin(s)/s as a series.
        v * (2.0 + s2 * (1.0 / 3.0 + s2 * (3.0 / 20.0)))
    } else {
        let s = s2.sqrt();
        v * (2.0 * s.atan2(q.w) / s)
    }
}

/// The angle of the shorter rotation that `q` stands for, in [0, π].
#[inline]
pub fn angle(q: Quat) -> Real {
    2.0 * Vec3::new(q.x, q.y, q.z).length().atan2(q.w.abs())
}

/// The rotation by `angle` about the unit vector `axis`.
#[inline]
pub fn about(axis: Vec3, angle: Real) -> Quat {
    let (s, c) = (angle * 0.5).sin_cos();
    Quat::from_xyzw(axis.x * s, axis.y * s, axis.z * s, c)
}

/// The angle in (−π, π] by which `q` turns about the unit vector `axis`; what
/// it does besides is left out.
#[inline]
pub fn angle_about(axis: Vec3, q: Quat) -> Real {
    let s = Vec3::new(q.x, q.y, q.z).dot(axis);
    if s == 0.0 && q.w == 0.0 {
        return 0.0;
    }
    wrap_angle(2.0 * s.atan2(q.w))
}

/// The angle between two unit vectors, accurate also near 0 and π where the
/// arc cosine is not.
#[inline]
pub fn angle_between(a: Vec3, b: Vec3) -> Real {
    a.cross(b).length().atan2(a.dot(b))
}

/// The shortest rotation that takes the unit vector `from` to the unit vector
/// `to`. For opposite directions, where every perpendicular axis is as short,
/// it turns about `hint` made perpendicular, so that a caller with a preferred
/// plane never sees a jump there.
#[inline]
pub fn between(from: Vec3, to: Vec3, hint: Vec3) -> Quat {
    let w = 1.0 + from.dot(to);
    // Below this the cross product is mostly rounding error.
    let narrow = ROUNDING * 4.0;
    if w > narrow {
        let c = from.cross(to);
        Quat::from_xyzw(c.x, c.y, c.z, w).normalize()
    } else {
        let axis = direction_or(hint - from * hint.dot(from), any_perpendicular(from));
        Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0)
    }
}

/// `q` or `-q`, whichever lies on the same side as `reference`.
#[inline]
pub fn same_side(q: Quat, reference: Quat) -> Quat {
    if q.dot(reference) < 0.0 { -q } else { q }
}

/// `q` made unit, or the identity where it has no direction or is not finite.
#[inline]
pub fn normalize_or_identity(q: Quat) -> Quat {
    let n = q.length_squared();
    if n > TINY && n.is_finite() { q * (1.0 / n.sqrt()) } else { Quat::IDENTITY }
}
