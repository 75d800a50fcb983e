//! A circle about z.

use alloc::vec::Vec;

use super::LimitError;
use crate::math::arcs::Arcs;
use crate::math::*;

/// All directions within `radius` radians of z.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
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

    /// See [`SwingShape::margin`](super::SwingShape::margin): the difference of the cosines.
    #[inline(always)]
    pub(super) fn margin(&self, direction: Vec3) -> Real {
        let (sin, cos) = self.radius.sin_cos();
        (direction.z - cos) / sin.max(0.1)
    }

    /// The turns by which a direction that goes round the circle `centre + cosine·cos s +
    /// sine·sin s` of the unit sphere is within `slack` of the cone.
    pub(super) fn allowed_turns(&self, centre: Vec3, cosine: Vec3, sine: Vec3, slack: Real) -> Arcs {
        let swing = Vec2::new(cosine.z, sine.z);
        let radius = swing.length();
        let wanted = (self.radius + slack).min(PI).cos() - centre.z;
        if wanted <= -radius {
            Arcs::ALL
        } else if wanted > radius || radius <= TINY {
            Arcs::NONE
        } else {
            let half = (wanted / radius).clamp(-1.0, 1.0).acos();
            Arcs::one(swing.y.atan2(swing.x) - half, 2.0 * half)
        }
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
