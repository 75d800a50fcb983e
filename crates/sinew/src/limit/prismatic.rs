//! A range of distances along one axis.

use alloc::vec::Vec;

use super::{LimitComponent, LimitError, Outline};
use crate::math::*;

/// How far a prismatic joint slides, in metres from its rest place.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    pub(super) fn project(&self, d: Real) -> Real {
        // `max` and `min` also turn a NaN into a bound.
        d.max(self.min).min(self.max)
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
            self.axis = joint_axis;
            Ok(())
        }
    }
}
