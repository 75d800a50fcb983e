//! A range of angles about one axis.

use alloc::vec::Vec;

use super::{AngleRange, LimitComponent, LimitError, Outline, SLACK};
use crate::math::*;

/// The angle of a hinge, from `range.min` to `range.max` radians about `axis`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct HingeLimit {
    /// The axis of the hinge, in the joint's rest frame.
    pub axis: Vec3,
    /// The allowed angles.
    pub range: AngleRange,
}

/// How far `q` is from a pure rotation about `axis`, in radians.
#[inline]
pub(crate) fn off_axis(axis: Vec3, q: Quat) -> Real {
    let v = Vec3::new(q.x, q.y, q.z);
    2.0 * (v - axis * v.dot(axis)).length()
}

impl HingeLimit {
    #[inline]
    pub(super) fn project(&self, q: Quat, inset: Real) -> Option<Quat> {
        let now = rotation::angle_about(self.axis, q);
        match self.range.project(now, inset) {
            Some(allowed) => Some(rotation::about(self.axis, allowed)),
            None if off_axis(self.axis, q) <= SLACK => None,
            None => {
                Some(rotation::about(self.axis, self.range.project_within(now, inset, 0.0).unwrap_or(now)))
            }
        }
    }

    pub(super) fn soften(&self, q: Quat, zone: Real) -> Option<Quat> {
        let now = rotation::angle_about(self.axis, q);
        match self.range.soften(now, zone, SLACK) {
            Some(held) => Some(rotation::about(self.axis, held)),
            None if off_axis(self.axis, q) <= SLACK => None,
            None => Some(rotation::about(self.axis, now)),
        }
    }

    pub(super) fn nearest_component(&self, q: Quat) -> Option<(LimitComponent, Real)> {
        let distance = self.range.room(rotation::angle_about(self.axis, q));
        distance.is_finite().then_some((LimitComponent::Angle, distance))
    }

    /// An arc at right angles to the axis.
    pub(super) fn outlines(&self, segments: usize) -> Vec<Outline> {
        let start = any_perpendicular(self.axis);
        let whole = self.range.is_whole_turn();
        let (from, to) = if whole { (0.0, TAU) } else { (self.range.min, self.range.max) };
        let count = if whole { segments } else { segments + 1 };
        let points = (0..count)
            .map(|i| rotation::about(self.axis, from + (to - from) * i as Real / segments as Real) * start)
            .collect();
        alloc::vec![Outline { component: LimitComponent::Angle, points, closed: whole }]
    }

    pub(super) fn check(&mut self, joint_axis: Vec3) -> Result<(), LimitError> {
        self.range.check()?;
        let length = self.axis.length();
        if !length.is_finite() || length <= ROUNDING {
            return Err(LimitError::NoDirection("the axis"));
        }
        self.axis /= length;
        if self.axis.dot(joint_axis) < 1.0 - 1.0e-4 {
            return Err(LimitError::BadShape("its axis is not the axis of the joint"));
        }
        self.axis = joint_axis;
        Ok(())
    }
}
