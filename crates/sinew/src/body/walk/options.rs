//! How a character walks.

use super::leg::LegSolver;
use crate::math::*;

/// How a character walks. Lengths are parts of its leg, so that one style fits all sizes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct WalkOptions {
    /// How the legs are solved.
    pub solver: LegSolver,
    /// Leg lengths a second at full speed. Past the fastest walk, which is near 1.85 for a leg of
    /// 0.86 m, it runs.
    pub speed: Real,
    /// Leg lengths a second at the most, for whoever asks in metres a second.
    pub run: Real,
    /// Radians a second at full turn.
    pub turn: Real,
    /// The longest step, from foot to foot, in leg lengths.
    pub stride: Real,
    /// How high a foot is lifted on even ground, in leg lengths.
    pub lift: Real,
    /// How far the hips go up and down, and from side to side, in leg lengths.
    pub bob: Real,
    /// From side to side.
    pub sway: Real,
    /// How far the toes point up when the heel lands at full speed, in radians.
    pub strike: Real,
    /// How far the heel has risen when the toes leave the ground, in radians.
    pub push: Real,
    /// How far the pelvis turns towards the leg ahead, in radians.
    pub pelvis: Real,
    /// How much the arms swing; zero leaves them to others.
    pub arms: Real,
    /// How far the trunk leans forwards at full speed, in radians.
    pub lean: Real,
    /// The highest step that it climbs, and the deepest that it goes down, in leg lengths.
    pub climb: Real,
    /// Down.
    pub drop: Real,
    /// The steepest slope that it walks on, up or down: its rise over its run.
    pub steepest: Real,
}

crate::report::show_fields!(WalkOptions);

impl Default for WalkOptions {
    fn default() -> Self {
        Self {
            solver: LegSolver::default(),
            speed: 1.65,
            run: 3.0,
            turn: 1.0,
            stride: 0.68,
            lift: 0.11,
            bob: 0.015,
            sway: 0.02,
            strike: 0.3,
            push: 0.6,
            pelvis: 0.08,
            arms: 1.0,
            lean: 0.05,
            climb: 0.4,
            drop: 0.45,
            steepest: 0.7,
        }
    }
}
