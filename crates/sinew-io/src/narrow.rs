//! From double to single precision.

use glam::{DQuat, DVec3, Quat, Vec3};

/// A vector in single precision.
pub fn vector(v: DVec3) -> Vec3 {
    v.as_vec3()
}

/// A rotation in single precision, unit again after rounding.
pub fn rotation(q: DQuat) -> Quat {
    q.as_quat().normalize()
}
