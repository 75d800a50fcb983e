//! A circle about z.

use alloc::vec::Vec;

use super::LimitError;
use crate::math::*;

/// All directions within `radius` radians of z.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cone {
    /// The half angle of the cone, up to π.
    pub radius: Real,
}

impl Cone {
    /// All directions within `radius` radians of z.
    pub const fn new(radius: Real) -> Self {
        Self { radius }
    }

    #[inline]
    pub(super) fn project(&self, direction: Vec3, inset: Real, slack: Real) -> Option<Vec3> {
        let radius = (self.radius - inset).max(0.0);
        let sine = Vec2::new(direction.x, direction.y).length();
        let angle = sine.atan2(direction.z);
        if angle <= radius + slack {
            return None;
        }
        let (s, c) = radius.sin_cos();
        // Straight back there is no nearest side; +x is as good as any.
        let flat = if sine > TINY { Vec2::new(direction.x, direction.y) / sine } else { Vec2::X };
        Some(Vec3::new(flat.x * s, flat.y * s, c))
    }

    pub(super) fn edge_distance(&self, direction: Vec3) -> Real {
        self.radius - Vec2::new(direction.x, direction.y).length().atan2(direction.z)
    }

    pub(super) fn widest_inset(&self) -> Real {
        self.radius
    }

    pub(super) fn outline(&self, segments: usize) -> Vec<Vec<Vec3>> {
        let (s, c) = self.radius.sin_cos();
        let point = |i| {
            let (sin, cos) = (TAU * i as Real / segments as Real).sin_cos();
            Vec3::new(cos * s, sin * s, c)
        };
        alloc::vec![(0..segments).map(point).collect()]
    }

    pub(super) fn check(&self) -> Result<(), LimitError> {
        if (0.0..=PI).contains(&self.radius) {
            Ok(())
        } else {
            Err(LimitError::OutOfRange { what: "the cone's radius", value: self.radius, low: 0.0, high: PI })
        }
    }
}
