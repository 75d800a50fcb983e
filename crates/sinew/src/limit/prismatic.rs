//! A range of distances along one axis.

use alloc::vec::Vec;

use super::{LimitComponent, LimitError, Outline, soft};
use crate::math::*;

/// How far a prismatic joint slides, in metres from its rest place.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct PrismaticLimit {
    /// The direction of the slide, in the joint's rest frame.
    pub axis: Vec3,
    /// The least displacement.
    pub min: Real,
    /// The greatest displacement.
    pub max: Real,
}

impl PrismaticLimit {
    #[inline]
    pub(super) fn project(&self, d: Real, inset: Real) -> Real {
        let inset = inset.min(0.5 * (self.max - self.min)).max(0.0);
        // `max` and `min` also turn a NaN into a bound.
        d.max(self.min + inset).min(self.max - inset)
    }

    pub(super) fn edge_distance(&self, d: Real) -> Real {
        (d - self.min).min(self.max - d)
    }

    pub(super) fn soften(&self, d: Real, zone: Real) -> Real {
        let zone = zone.min(0.5 * (self.max - self.min));
        let rim = self.project(d, zone);
        if zone <= 0.0 || rim == d || !d.is_finite() {
            return self.project(d, 0.0);
        }
        self.project(rim + soft::held_back((d - rim).abs(), zone).copysign(d - rim), 0.0)
    }

    /// The way between the two ends.
    pub(super) fn outlines(&self) -> Vec<Outline> {
        let points = alloc::vec![self.axis * self.min, self.axis * self.max];
        alloc::vec![Outline { component: LimitComponent::Displacement, points, closed: false }]
    }

    pub(super) fn check(&mut self, joint_axis: Vec3) -> Result<(), LimitError> {
        if !self.min.is_finite() || !self.max.is_finite() {
            Err(LimitError::NotFinite)
        } else if self.min > self.max {
            Err(LimitError::Empty { min: self.min, max: self.max })
        } else {
            let axis = super::swing::checked_direction(self.axis, "the axis")?;
            if axis.dot(joint_axis) < 1.0 - 1.0e-4 {
                return Err(LimitError::BadShape("its axis is not the axis of the joint"));
            }
            self.axis = joint_axis;
            Ok(())
        }
    }
}
