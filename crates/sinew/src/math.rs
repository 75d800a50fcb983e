//! Numbers, vectors and rotations. The only file that names `f32` or `f64`.
//!
//! The crate `sinew` compiles these sources with `Real = f32`, the crate
//! `sinew-f64` compiles the same sources with `Real = f64`. Everything else in
//! the engine says [`Real`], [`Vec3`] and [`Quat`].
//!
//! Other modules import this one with a glob. That brings in
//! `num_traits::Float`, through which `sqrt`, `sin` and the rest exist without
//! `std`; with `std` the inherent methods win and the trait is idle.

pub(crate) mod arcs;
pub(crate) mod lines;
mod matrix;
pub(crate) mod minimise;
pub(crate) mod random;
pub mod rotation;
pub(crate) mod superpose;
pub mod swing_twist;

#[cfg(not(sinew_f64))]
mod precision {
    pub use core::f32::consts;
    /// The scalar of this build of the engine: `f32` in `sinew`, `f64` in `sinew-f64`.
    pub type Real = f32;
    pub use glam::{Mat3, Mat4, Quat, Vec2, Vec3, Vec4};
    /// Below this length a vector has no direction worth using.
    pub const TINY: Real = 1.0e-9;
    /// Rounding error that a short chain of unit-sized operations may gather.
    pub const ROUNDING: Real = 1.0e-6;
    /// An angle or length that nobody sees, well above rounding. Only beside full extension, where the
    /// root of a rounding is 3e-4, rounding reaches it.
    pub const HAIR: Real = 1.0e-5;
}

#[cfg(sinew_f64)]
mod precision {
    pub use core::f64::consts;
    /// The scalar of this build of the engine: `f32` in `sinew`, `f64` in `sinew-f64`.
    pub type Real = f64;
    pub use glam::{
        DMat3 as Mat3, DMat4 as Mat4, DQuat as Quat, DVec2 as Vec2, DVec3 as Vec3, DVec4 as Vec4,
    };
    /// Below this length a vector has no direction worth using.
    pub const TINY: Real = 1.0e-18;
    /// Rounding error that a short chain of unit-sized operations may gather.
    pub const ROUNDING: Real = 1.0e-14;
    /// An angle or length that nobody sees, and that rounding does not reach even where a square root
    /// has enlarged it: the bend of a limb beside full extension is known to 4e-8.
    pub const HAIR: Real = 1.0e-7;
}

#[allow(unused_imports)] // idle with `std`, see the module's docs
pub(crate) use num_traits::Float as _;
pub(crate) use precision::consts::{FRAC_1_SQRT_2, PI, TAU};
pub use precision::{HAIR, Mat3, Mat4, Quat, ROUNDING, Real, TINY, Vec2, Vec3, Vec4};

/// A rigid transform: first rotate, then translate. There is no scale; files
/// that have any lose it in `sinew-io`, which bakes it into the offsets.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transform {
    /// Where the origin goes.
    pub translation: Vec3,
    /// How directions turn; a unit quaternion.
    pub rotation: Quat,
}

impl Transform {
    /// The transform that changes nothing.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY };

    /// A transform from its two parts.
    #[inline]
    pub const fn new(translation: Vec3, rotation: Quat) -> Self {
        Self { translation, rotation }
    }

    /// A shift without a turn.
    #[inline]
    pub const fn from_translation(translation: Vec3) -> Self {
        Self { translation, rotation: Quat::IDENTITY }
    }

    /// A turn without a shift.
    #[inline]
    pub const fn from_rotation(rotation: Quat) -> Self {
        Self { translation: Vec3::ZERO, rotation }
    }

    /// The transform that undoes this one.
    #[inline]
    pub fn inverse(self) -> Self {
        let rotation = self.rotation.inverse();
        Self { translation: -turned(rotation, self.translation), rotation }
    }

    /// Where a point goes.
    #[inline]
    pub fn transform_point(self, p: Vec3) -> Vec3 {
        self.translation + turned(self.rotation, p)
    }

    /// How a direction turns.
    #[inline]
    pub fn transform_vector(self, v: Vec3) -> Vec3 {
        turned(self.rotation, v)
    }

    /// Whether every number in it is finite.
    #[inline]
    pub fn is_finite(self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite()
    }
}

impl core::ops::Mul for Transform {
    type Output = Self;

    /// `a * b` applies `b` first, then `a`, as for matrices and quaternions.
    #[inline]
    fn mul(self, inner: Self) -> Self {
        Self {
            translation: self.translation + turned(self.rotation, inner.translation),
            rotation: self.rotation * inner.rotation,
        }
    }
}

impl core::ops::MulAssign for Transform {
    /// `a *= b` is `a = a * b`.
    #[inline]
    fn mul_assign(&mut self, inner: Self) {
        *self = *self * inner;
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// `q · v`, one number at a time. glam's product takes four at a time, and of a vector that
/// lies in a [`Transform`] the fourth is what happens to stand in the gap behind it: left over
/// bits, which are mostly numbers too small to be normal, and a processor takes fifty times as
/// long for those.
#[inline(always)]
fn turned(q: Quat, v: Vec3) -> Vec3 {
    let axis = Vec3::new(q.x, q.y, q.z);
    let across = axis.cross(v) * 2.0;
    v + across * q.w + axis.cross(across)
}

/// The angle in (−π, π] that points the same way.
#[inline]
pub fn wrap_angle(angle: Real) -> Real {
    if angle > -PI && angle <= PI {
        return angle;
    }
    let turns = (angle / TAU).round();
    let wrapped = angle - turns * TAU;
    if wrapped <= -PI { wrapped + TAU } else { wrapped }
}

/// The seconds of a frame as bounds per second take them: what is no time at all (zero, below it,
/// not a number) counts as a microsecond, more than a second as a second.
#[inline]
pub(crate) fn time_step(dt: Real) -> Real {
    if dt > 1.0e-6 { dt.min(1.0) } else { 1.0e-6 }
}

/// The unit vector along `v`, or `fallback` where `v` has no direction.
#[inline]
pub fn direction_or(v: Vec3, fallback: Vec3) -> Vec3 {
    let length = v.length();
    if length > TINY && length.is_finite() { v / length } else { fallback }
}

/// The vector made unit, and bit for bit as it came where it is unit already:
/// what was made once and saved does not drift when it is made again.
#[inline]
pub fn unit_vector(v: Vec3) -> Vec3 {
    if is_unit(v.length_squared()) { v } else { v / v.length() }
}

/// The rotation made unit, and bit for bit as it came where it is unit already.
#[inline]
pub fn unit_rotation(q: Quat) -> Quat {
    if is_unit(q.length_squared()) { q } else { q.normalize() }
}

/// Whether a length with this square is one, as near as dividing by it gets.
#[inline]
fn is_unit(squared: Real) -> bool {
    (squared - 1.0).abs() <= Real::EPSILON * 8.0
}

/// Some unit vector at right angles to the unit vector `v`, the same for the same `v`.
#[inline]
pub fn any_perpendicular(v: Vec3) -> Vec3 {
    // Crossing with the axis along which v is shortest keeps the result long.
    let a = v.abs();
    let axis = if a.x <= a.y && a.x <= a.z {
        Vec3::X
    } else if a.y <= a.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    direction_or(v.cross(axis), Vec3::Z)
}
