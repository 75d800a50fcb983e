//! Transforms to the matrices of other engines and back.
//!
//! [`Transform`] becomes glam's `Affine3A`, `Mat4`, `DAffine3` and `DMat4` by `into`. The way back
//! is `try_into`, which refuses what is no rigid motion; [`Transform::from_scaled`] takes a matrix
//! with scale and gives the scale apart.

use super::*;
use crate::error::RigError;

/// How far a matrix's columns may be from unit and from right angles: what single precision rounds in a
/// product down a long chain of bones, since matrices of that precision are taken too.
const RIGID: Real = 1.0e-4;

impl Transform {
    /// A matrix as a rigid motion after a scale along its own axes: `matrix = transform · scale`.
    /// Negative scales mirror. `None` if it shears, an axis has no length or it is not finite.
    ///
    /// ```
    /// use sinew::math::{Mat4, Quat, Transform, Vec3};
    /// // A model in centimetres under a turned parent.
    /// let matrix = Mat4::from_scale_rotation_translation(Vec3::splat(0.01), Quat::from_rotation_y(0.5), Vec3::X);
    /// let (transform, scale) = Transform::from_scaled(matrix).unwrap();
    /// assert!((scale - Vec3::splat(0.01)).length() < 1e-6);
    /// assert_eq!(transform.translation, Vec3::X);
    /// assert!(Transform::try_from(matrix).is_err());
    /// ```
    pub fn from_scaled(matrix: Mat4) -> Option<(Self, Vec3)> {
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate());
        let mut scale = Vec3::new(x.length(), y.length(), z.length());
        if !matrix.is_finite() || scale.min_element() <= TINY || matrix.row(3) != Vec4::W {
            return None;
        }
        let (x, y, mut z) = (x / scale.x, y / scale.y, z / scale.z);
        // A mirror is put on the third axis; which one it was, a matrix does not tell.
        if x.cross(y).dot(z) < 0.0 {
            (z, scale.z) = (-z, -scale.z);
        }
        let lean = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
        let rotation = Quat::from_mat3(&Mat3::from_cols(x, y, z)).normalize();
        let rigid = Self::new(matrix.w_axis.truncate(), rotation);
        (lean <= RIGID && rigid.is_finite()).then_some((rigid, scale))
    }
}

impl From<Transform> for Mat4 {
    fn from(transform: Transform) -> Self {
        Self::from_rotation_translation(transform.rotation, transform.translation)
    }
}

impl TryFrom<Mat4> for Transform {
    type Error = RigError;

    fn try_from(matrix: Mat4) -> Result<Self, RigError> {
        let (transform, scale) = Self::from_scaled(matrix).ok_or(RigError::NotRigid)?;
        if (scale - Vec3::ONE).abs().max_element() <= RIGID { Ok(transform) } else { Err(RigError::NotRigid) }
    }
}

/// The other three go through the matrix of this precision.
macro_rules! through_matrix {
    ($($other:ty: $to:expr, $from:expr;)*) => {$(
        impl From<Transform> for $other {
            fn from(transform: Transform) -> Self {
                $to(Mat4::from(transform))
            }
        }

        impl TryFrom<$other> for Transform {
            type Error = RigError;

            fn try_from(matrix: $other) -> Result<Self, RigError> {
                Self::try_from($from(matrix))
            }
        }
    )*};
}

#[cfg(not(sinew_f64))]
through_matrix! {
    glam::Affine3A: glam::Affine3A::from_mat4, Mat4::from;
    glam::DMat4: |m: Mat4| m.as_dmat4(), |m: glam::DMat4| m.as_mat4();
    glam::DAffine3: |m: Mat4| glam::DAffine3::from_mat4(m.as_dmat4()), |m| glam::DMat4::from(m).as_mat4();
}

#[cfg(sinew_f64)]
through_matrix! {
    glam::DAffine3: glam::DAffine3::from_mat4, Mat4::from;
    glam::Mat4: |m: Mat4| m.as_mat4(), |m: glam::Mat4| m.as_dmat4();
    glam::Affine3A: |m: Mat4| glam::Affine3A::from_mat4(m.as_mat4()), |m| glam::Mat4::from(m).as_dmat4();
}

#[cfg(test)]
#[path = "../../tests/unit/math_matrix.rs"]
mod tests;
