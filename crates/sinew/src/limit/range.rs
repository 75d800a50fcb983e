//! A range of angles on the circle.

use super::{LimitError, SLACK, soft};
use crate::math::*;

/// From `min` to `max` radians, counter-clockwise. A range of a whole turn or
/// more is no limit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct AngleRange {
    /// The lower bound, in radians.
    pub min: Real,
    /// The upper bound, in radians.
    pub max: Real,
}

impl AngleRange {
    /// From `min` to `max` radians.
    pub const fn new(min: Real, max: Real) -> Self {
        Self { min, max }
    }

    /// From `-half` to `half` radians.
    pub const fn symmetric(half: Real) -> Self {
        Self { min: -half, max: half }
    }

    /// The middle of the range.
    pub fn middle(self) -> Real {
        0.5 * (self.min + self.max)
    }

    /// Whether the range goes all the way round.
    pub fn is_whole_turn(self) -> bool {
        self.max - self.min >= TAU - SLACK
    }

    /// The same angle on the circle as the range counts it: from 0 to 3.7, an angle of −2.8 is 3.48.
    /// An angle that lies between the ends is itself, one outside is counted from the middle.
    pub fn counted(self, angle: Real) -> Real {
        if (self.min..=self.max).contains(&angle) {
            return angle;
        }
        let middle = self.middle();
        middle + wrap_angle(angle - middle)
    }

    /// The nearest angle of the range shrunk by `inset` at both ends, or `None`
    /// if `angle` lies in it. The nearest *on the circle*: what has gone past
    /// one end by more than half of the gap comes back at the other.
    #[inline]
    pub fn project(self, angle: Real, inset: Real) -> Option<Real> {
        self.project_within(angle, inset, SLACK)
    }

    /// The same, where angles up to `slack` outside count as inside.
    #[inline]
    pub(crate) fn project_within(self, angle: Real, inset: Real, slack: Real) -> Option<Real> {
        if self.is_whole_turn() {
            return None;
        }
        let half = (0.5 * (self.max - self.min) - inset).max(0.0);
        let middle = self.middle();
        let off = wrap_angle(angle - middle);
        if off.abs() <= half + slack { None } else { Some(middle + if off > 0.0 { half } else { -half }) }
    }

    /// The angle to the nearer end: positive inside, negative outside.
    #[inline]
    pub fn edge_distance(self, angle: Real) -> Real {
        if self.is_whole_turn() {
            return Real::INFINITY;
        }
        0.5 * (self.max - self.min) - wrap_angle(angle - self.middle()).abs()
    }

    /// The way from one angle of the range to another that stays in the range.
    pub(crate) fn way(self, from: Real, to: Real) -> Real {
        if self.is_whole_turn() {
            return wrap_angle(to - from);
        }
        let off = |angle: Real| wrap_angle(angle - self.middle());
        off(to) - off(from)
    }

    /// The room to the nearer end. A range without width is a lock, not an
    /// edge that something comes near to: within it the room is infinite.
    pub(crate) fn room(self, angle: Real) -> Real {
        let distance = self.edge_distance(angle);
        let locked = self.max - self.min <= SLACK;
        if locked && distance >= -SLACK { Real::INFINITY } else { distance }
    }

    /// `angle` as a soft zone at both ends lets it be, or `None` if it lies
    /// further inside. The zone ends at the middle.
    #[inline]
    pub(crate) fn soften(self, angle: Real, zone: Real, slack: Real) -> Option<Real> {
        let zone = zone.min(0.5 * (self.max - self.min));
        if zone <= 0.0 {
            return self.project_within(angle, 0.0, slack);
        }
        let rim = self.project_within(angle, zone, slack)?;
        let depth = wrap_angle(angle - rim);
        Some(rim + soft::held_back(depth.abs(), zone).copysign(depth))
    }

    pub(crate) fn check(self) -> Result<(), LimitError> {
        if !self.min.is_finite() || !self.max.is_finite() {
            Err(LimitError::NotFinite)
        } else if self.min > self.max {
            Err(LimitError::Empty { min: self.min, max: self.max })
        } else {
            Ok(())
        }
    }
}
