//! A rotation as a twist about the bone followed by a swing of the bone.
//!
//! Every rotation `q` is `swing · twist`, where the twist turns about the z
//! axis of the frame in use and the swing's axis lies in the x-y plane
//! (Kallmann 2007, "Parameterization"; Grassia 1998). The swing is stored as
//! the 2-D axis-angle vector of Kallmann's (v0, v1); its direction on the
//! sphere is where z goes.
//!
//! The decomposition has one singular direction: when the bone points exactly
//! backwards (z goes to −z), any twist fits. There the twist is taken as zero.

use super::*;

/// Takes `q` apart: the axis-angle vector of the swing in the x-y plane, whose length is in [0, π],
/// and the angle of the twist about z, in (−π, π]. The sign of `q` does not matter.
#[inline]
pub fn from_quat(q: Quat) -> (Vec2, Real) {
    let (swing, twist) = decompose(q);
    (swing_vector(swing), twist_angle(twist))
}

/// Puts the rotation together again: `swing · twist`.
#[inline]
pub fn to_quat(swing: Vec2, twist: Real) -> Quat {
    rotation::exp(Vec3::new(swing.x, swing.y, 0.0)) * twist_about_z(twist)
}

/// Splits `q` into two quaternions, `q = swing · twist`, with the twist about z.
#[inline]
pub fn decompose(q: Quat) -> (Quat, Quat) {
    let n = (q.z * q.z + q.w * q.w).sqrt();
    let twist = if n > ROUNDING {
        // The sign is chosen so that the twist is the shorter rotation.
        let s = if q.w < 0.0 { -1.0 / n } else { 1.0 / n };
        Quat::from_xyzw(0.0, 0.0, q.z * s, q.w * s)
    } else {
        Quat::IDENTITY
    };
    (q * twist.conjugate(), twist)
}

/// The angle of a twist quaternion about z, in (−π, π].
#[inline]
pub fn twist_angle(twist: Quat) -> Real {
    wrap_angle(2.0 * twist.z.atan2(twist.w))
}

/// The rotation by `angle` about z.
#[inline]
pub fn twist_about_z(angle: Real) -> Quat {
    let (s, c) = (angle * 0.5).sin_cos();
    Quat::from_xyzw(0.0, 0.0, s, c)
}

/// The axis-angle vector of a swing quaternion (one without a z component).
#[inline]
pub fn swing_vector(swing: Quat) -> Vec2 {
    let v = rotation::log(swing);
    Vec2::new(v.x, v.y)
}

/// The swing that takes z to the unit vector `direction`. Straight back, it
/// turns about x.
#[inline]
pub fn swing_to(direction: Vec3) -> Quat {
    rotation::between(Vec3::Z, direction, Vec3::X)
}

/// Where z goes under the swing with this axis-angle vector.
#[inline]
pub fn direction_of(swing: Vec2) -> Vec3 {
    let angle = swing.length();
    let (s, c) = angle.sin_cos();
    // sin(a)/a, by series where the division would lose digits.
    let k = if angle > 1.0e-3 { s / angle } else { 1.0 - angle * angle / 6.0 };
    Vec3::new(swing.y * k, -swing.x * k, c)
}

/// The axis-angle vector of the swing that takes z to the unit vector `direction`.
#[inline]
pub fn swing_of(direction: Vec3) -> Vec2 {
    let s = Vec2::new(direction.x, direction.y).length();
    let angle = s.atan2(direction.z);
    if s > ROUNDING {
        Vec2::new(-direction.y, direction.x) * (angle / s)
    } else if direction.z >= 0.0 {
        Vec2::new(-direction.y, direction.x)
    } else {
        Vec2::new(PI, 0.0)
    }
}
