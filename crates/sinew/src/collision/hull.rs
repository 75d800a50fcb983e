//! The one shape that parts and most obstacles are made of: the convex hull of some points, blown up
//! by a radius. One point makes a ball, two a capsule.

use alloc::vec::Vec;

use parry3d::shape::SupportMap;

use crate::math::*;

/// Whether it is a shape at all: at least one point, everything finite, no
/// negative radius, and either a radius or a hull of more than a point.
pub(super) fn is_valid(points: &[Vec3], radius: Real) -> bool {
    let least = if radius > 0.0 { 1 } else { 2 };
    points.len() >= least && points.iter().all(|p| p.is_finite()) && radius.is_finite() && radius >= 0.0
}

/// The points somewhere else.
pub(super) fn placed(points: &[Vec3], at: Transform) -> Vec<Vec3> {
    points.iter().map(|p| at.transform_point(*p)).collect()
}

/// The corners of a box about the origin.
pub(super) fn cuboid(half_extents: Vec3) -> [Vec3; 8] {
    core::array::from_fn(|i| {
        let sign = |bit: usize| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        half_extents * Vec3::new(sign(0), sign(1), sign(2))
    })
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

    /// The box this much larger on every side.
    #[inline]
    pub fn widened(&self, by: Real) -> Self {
        Self { low: self.low - Vec3::splat(by), high: self.high + Vec3::splat(by) }
    }

    /// The corners of a box about this one in the axes of a frame.
    pub fn seen_from(&self, frame: Transform) -> (Vec3, Vec3) {
        let back = frame.inverse();
        let centre = back.transform_point((self.low + self.high) * 0.5);
        let half = (self.high - self.low) * 0.5;
        let turn = Mat3::from_quat(back.rotation);
        let reach = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        (centre - reach, centre + reach)
    }

    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}
