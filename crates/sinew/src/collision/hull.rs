//! The one shape that parts and most obstacles are made of.

use alloc::vec;
use alloc::vec::Vec;

use parry3d::shape::SupportMap;

use crate::math::*;

/// The convex hull of some points, blown up by a radius.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RoundedHull {
    /// The points; one makes a ball, two a capsule.
    pub points: Vec<Vec3>,
    /// How far the surface is from their hull, in metres.
    pub radius: Real,
}

impl RoundedHull {
    /// A ball.
    pub fn ball(centre: Vec3, radius: Real) -> Self {
        Self { points: vec![centre], radius }
    }

    /// A capsule about the segment from `a` to `b`.
    pub fn capsule(a: Vec3, b: Vec3, radius: Real) -> Self {
        Self { points: vec![a, b], radius }
    }

    /// A box about the origin, with sharp edges.
    pub fn cuboid(half_extents: Vec3) -> Self {
        let h = half_extents;
        let points = (0..8)
            .map(|i| {
                let sign = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
                Vec3::new(h.x * sign(0), h.y * sign(1), h.z * sign(2))
            })
            .collect();
        Self { points, radius: 0.0 }
    }

    /// Whether it is a shape at all: at least one point, everything finite, no
    /// negative radius, and either a radius or a hull of more than a point.
    pub fn is_valid(&self) -> bool {
        !self.points.is_empty()
            && self.points.iter().all(|p| p.is_finite())
            && self.radius.is_finite()
            && self.radius >= 0.0
            && (self.radius > 0.0 || self.points.len() > 1)
    }

    /// The same shape somewhere else.
    pub fn placed(&self, at: Transform) -> Self {
        Self { points: self.points.iter().map(|p| at.transform_point(*p)).collect(), radius: self.radius }
    }
}

/// Points of a hull, already in model space; what GJK asks for the furthest of.
#[derive(Clone, Copy)]
pub(super) struct Points<'a>(pub &'a [Vec3]);

impl SupportMap for Points<'_> {
    #[inline]
    fn local_support_point(&self, direction: Vec3) -> Vec3 {
        let mut best = Vec3::ZERO;
        let mut furthest = Real::NEG_INFINITY;
        for &p in self.0 {
            let along = p.dot(direction);
            if along > furthest {
                (best, furthest) = (p, along);
            }
        }
        best
    }
}

/// An axis-aligned box, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub low: Vec3,
    pub high: Vec3,
}

impl Bounds {
    /// Holds nothing; overlaps nothing.
    pub const NOTHING: Self = Self { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    #[inline]
    pub fn around(points: &[Vec3], radius: Real) -> Self {
        let mut bounds = Self::NOTHING;
        for &p in points {
            bounds.low = bounds.low.min(p);
            bounds.high = bounds.high.max(p);
        }
        Self { low: bounds.low - Vec3::splat(radius), high: bounds.high + Vec3::splat(radius) }
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}
