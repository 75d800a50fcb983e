//! The Look workspace: a posture that looks somewhere, and the filter behind it.

use serde::{Deserialize, Serialize};

use super::{Placed, Q, V3, WireCause};

/// All of the Look workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LookScene {
    /// The joint that looks; `null` for a head, a camera or a lamp, or the end of the longest chain.
    pub endpoint: Option<u32>,
    /// The posture: for every joint the angle of a hinge or the way of a slide.
    /// Empty for rest. Joints of other kinds take `rotations`.
    pub values: Vec<f64>,
    /// The posture of joints that are no hinges: x, y, z, w of every joint; empty for rest.
    pub rotations: Vec<f64>,
    /// What it looks at.
    pub target: LookTarget,
    /// Bends keep the sides that they have in the posture.
    pub keep_sides: bool,
    /// Upside down is as good, for an end point without a face (SymmetricEndpoint).
    #[serde(default)]
    pub symmetric: bool,
    /// The filter; `null` for none.
    pub filter: Option<FilterSettings>,
    /// The joint whose motion is plotted.
    pub plotted: u32,
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum LookTarget {
    /// A point.
    At {
        /// Where.
        position: V3,
    },
    /// A direction: turned like this from straight ahead.
    Toward {
        /// The turn.
        rotation: Q,
    },
    /// A point that moves by itself.
    Path {
        /// How.
        path: LookPath,
        /// Rounds a second.
        speed: f64,
    },
}

/// How a point moves by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum LookPath {
    /// Round and round, upright, in front.
    Circle,
    /// An eight, lying.
    Eight,
    /// From corner to corner, in jumps: what a filter is for.
    Jumps,
}

/// The filter's parameters; see the engine's `FilterOptions`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FilterSettings {
    /// 1, 2 or 3: how many derivatives are bounded.
    pub order: u32,
    /// The most, in radians a second.
    pub velocity: f64,
    /// The most, a second squared.
    pub acceleration: f64,
    /// The most, a second cubed.
    pub jerk: f64,
    /// From 0 to 1.
    pub smoothness: f64,
    /// From 0 to below 1.
    pub responsiveness: f64,
}

/// What a Look frame says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LookFrame {
    /// Whether it looks there.
    pub reached: bool,
    /// What came of it, in words.
    pub outcome: String,
    /// What stood in the way, for programs.
    pub typed_cause: Option<WireCause>,
    /// The point that is looked at, if it is one.
    pub target: Option<V3>,
    /// Where it is on its path, in rounds.
    pub phase: f64,
    /// Where the end point is.
    pub eye: V3,
    /// Where it looks.
    pub sight: V3,
    /// The paper's measures.
    pub orientation_error: f64,
    /// The same for the posture.
    pub posture_error: f64,
    /// Both.
    pub combined_error: f64,
    /// The posture alone.
    pub posture: Placed,
    /// What ERIK wants, before the filter.
    pub wanted: Placed,
    /// The motion of the plotted joint since the last frame sent.
    pub samples: Vec<MotionSample>,
}

/// A moment of a joint's motion, in radians (or metres) and seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MotionSample {
    /// When.
    pub time: f64,
    /// The set-point.
    pub wanted: f64,
    /// Where it is.
    pub position: f64,
    /// Its derivative.
    pub velocity: f64,
    /// Its second.
    pub acceleration: f64,
    /// Its third.
    pub jerk: f64,
}
