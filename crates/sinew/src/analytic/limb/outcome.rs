//! What came of a limb's solve.

use crate::math::*;
use crate::report::Outcome;

/// What a limb's solve came to. The pose is always the best allowed one, but for what is
/// [`Strained`](crate::Cause::Strained). The goal that causes name is number 0.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LimbReport {
    /// Reached, or why not, and how far the pose is from the goal, by forward kinematics.
    pub outcome: Outcome,
    /// The swivel angle of the pose, in radians from the limb's neutral.
    pub swivel: Real,
    /// How many poses were tested for collision.
    pub tests: u32,
}

impl LimbReport {
    /// Whether the goal is met.
    pub fn reached(&self) -> bool {
        self.outcome.reached()
    }
}

impl core::fmt::Display for LimbReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}, swivel {:.1}°", self.outcome, self.swivel.to_degrees())
    }
}

/// Where a limb's joints would be, in model space: what a test for collision sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimbPose {
    /// Shoulder or hip.
    pub base: Transform,
    /// Elbow or knee.
    pub mid: Transform,
    /// Wrist or ankle.
    pub end: Transform,
    /// The swivel angle, in radians from the limb's neutral.
    pub swivel: Real,
}
