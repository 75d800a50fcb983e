//! The Pose workspace: goals on any joint, any solver.

use serde::{Deserialize, Serialize};

use super::{Placed, Q, V3, WireCause};

/// All of the Pose workspace.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PoseScene {
    /// The goals.
    pub goals: Vec<PoseGoal>,
    /// Joints that stay where they are in model space when the goal is set: by their place.
    pub pins: Vec<u32>,
    /// The solver.
    pub solver: SolverChoice,
    /// A second solver to compare with.
    pub ghost: Option<SolverChoice>,
    /// Whether a free root may travel; otherwise it is held, unless a goal is on it.
    pub travel: bool,
    /// Start every solve from rest rather than from the last frame.
    pub from_rest: bool,
    /// The pose that the body is drawn to: that of a motion where it was stopped. `null` for the rig's own.
    #[serde(default)]
    pub posture: Option<Placed>,
}

/// A solver by name, with what differs from its defaults.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SolverChoice {
    /// As in `SolverInfo`.
    pub name: String,
    /// By the path of the option.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "Record<string, number | boolean | string>"))]
    pub options: std::collections::BTreeMap<String, serde_json::Value>,
}

/// A goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PoseGoal {
    /// The page's name for it, unique in the scene.
    pub id: String,
    /// The joint's place.
    pub joint: u32,
    /// What is wanted.
    pub kind: TargetKind,
    /// Where: the wanted place, or the point to aim at.
    pub position: V3,
    /// How it is turned; used by `orientation` and `pose`.
    pub rotation: Q,
    /// The weight of the place.
    pub position_weight: f64,
    /// The weight of the turn.
    pub orientation_weight: f64,
    /// Zero comes first.
    pub priority: u32,
    /// Whether it counts at all.
    pub enabled: bool,
}

/// What is wanted of an effector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A place.
    Position,
    /// A turn.
    Orientation,
    /// Both.
    Pose,
    /// Looking at a place.
    Aim,
}

/// What a Pose frame says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PoseFrame {
    /// Whether every goal is met.
    pub reached: bool,
    /// If not, why, in words.
    pub cause: Option<String>,
    /// The same for programs; `null` also when nothing could be solved.
    pub typed_cause: Option<WireCause>,
    /// The joint whose limit stands in the way.
    pub blocking: Option<u32>,
    /// Rounds of the solver.
    pub iterations: u32,
    /// The largest distance, in metres.
    pub position_error: f64,
    /// The largest turn missing, in radians.
    pub orientation_error: f64,
    /// Each goal, in the order of the enabled goals of the scene.
    pub goals: Vec<GoalError>,
    /// The second solver.
    pub ghost: Option<GhostFrame>,
}

/// How far a goal is off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GoalError {
    /// The goal's `id`.
    pub id: String,
    /// Metres.
    pub position: f64,
    /// Radians.
    pub orientation: f64,
}

/// What the second solver came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GhostFrame {
    /// The character.
    pub pose: Placed,
    /// The largest distance, in metres.
    pub position_error: f64,
    /// The largest turn missing, in radians.
    pub orientation_error: f64,
    /// Rounds.
    pub iterations: u32,
    /// The median time of its last solves, in microseconds.
    pub micros: f64,
    /// If it fails, why; also when it cannot be built for these goals.
    pub cause: Option<String>,
    /// The same for programs; `null` when it cannot be built.
    pub typed_cause: Option<WireCause>,
}
