//! What came of a frame of walking.

use super::blocked::Blocked;
use crate::math::*;
use crate::report::{Cause, Status};
use crate::skeleton::JointId;

/// A foot at one moment, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FootState {
    /// The joint that carries it.
    pub joint: JointId,
    /// Where the heel should be, and whether it is planted there.
    pub heel: Vec3,
    /// Whether the heel is on the ground and stays where it is.
    pub heel_planted: bool,
    /// Where the toes should be.
    pub toe: Vec3,
    /// Whether the toes are on the ground and stay where they are.
    pub toe_planted: bool,
}

/// What came of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkReport {
    /// Whether every planted foot stands in its place, within a millimetre.
    pub status: Status,
    /// Why the worst planted foot does not. Goals are numbered as [`Walker::feet`](super::Walker::feet) are.
    pub cause: Option<Cause>,
    /// The iterations of all legs together; none for the analytic limb.
    pub iterations: u32,
    /// How far the worst planted foot is from its place, in metres.
    pub slip: Real,
    /// Whether the character stands on all feet and goes nowhere.
    pub standing: bool,
    /// What keeps it from going where it should.
    pub blocked: Option<Blocked>,
}

impl core::fmt::Display for WalkReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", if self.standing { "stands" } else { "walks" })?;
        write!(f, ", worst planted foot {:.3} mm off", self.slip * 1.0e3)?;
        self.cause.iter().try_for_each(|cause| write!(f, ": {cause}"))?;
        self.blocked.iter().try_for_each(|blocked| write!(f, ", stopped by {blocked}"))
    }
}
