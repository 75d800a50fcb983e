//! The Body workspace: the whole body from a few points.

use serde::{Deserialize, Serialize};

use super::{Placed, Q, V3, WireCause};

/// All of the Body workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct BodyScene {
    /// Where the points come from.
    pub source: BodySource,
    /// The method, by name.
    pub method: String,
    /// The points in use, by name.
    pub points: Vec<String>,
    /// Whether the points' orientations are used too, where a tracker has one.
    pub orientations: bool,
    /// Noise on the points of a motion, in metres.
    pub noise: f64,
    /// Whether the motion plays.
    pub playing: bool,
    /// How fast, 1 for as recorded.
    pub speed: f64,
    /// The frame to show when it does not play, and to go on from when it does.
    pub frame: u32,
}

/// Where the points come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BodySource {
    /// Markers that are dragged.
    Markers {
        /// Where each is; a point that is not named is where the body rests.
        markers: Vec<BodyMarker>,
    },
    /// A motion that came with the rig.
    Motion {
        /// Its place in the rig's list.
        motion: u32,
    },
    /// A motion that the project makes itself, put on the rig if it is a humanoid: `walking`, `reaching`, `boxing`.
    Made {
        /// Its name.
        name: String,
    },
}

/// A marker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct BodyMarker {
    /// The point: pelvis, head, left-wrist, …
    pub point: String,
    /// Where.
    pub position: V3,
    /// How it is turned, if it has an orientation.
    pub rotation: Option<Q>,
}

/// A method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MethodInfo {
    /// Its short name.
    pub name: String,
    /// What it is, in a sentence.
    pub summary: String,
}

/// What a Body frame says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BodyFrame {
    /// The frame of the motion.
    pub frame: u32,
    /// The original, where the points come from a motion.
    pub original: Option<Placed>,
    /// The mean distance of the joints over the height, where there is an original.
    pub position_error: Option<f64>,
    /// The mean turn of the joints, in radians.
    pub orientation_error: Option<f64>,
    /// The points.
    pub points: Vec<PointState>,
    /// What came of it, in words.
    pub outcome: String,
}

/// A point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PointState {
    /// Its name.
    pub point: String,
    /// Where it is wanted.
    pub position: V3,
    /// Where the body has it.
    pub reached: V3,
    /// Whether it was measured, or filled in, or not believed: in a word.
    pub source: String,
    /// Why the arm or leg does not bring it there.
    pub typed_cause: Option<WireCause>,
}

/// The whole reconstruction of a motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BodyTrack {
    /// The method.
    pub method: String,
    /// How many frames the motion has.
    pub frames: u32,
    /// Seconds a frame.
    pub frame_time: f64,
    /// How many are done; the curves are sent anew as they grow.
    pub done: u32,
    /// Every so many frames there is a value.
    pub stride: u32,
    /// The position error over the height.
    pub position: Vec<f32>,
    /// The orientation error, in radians.
    pub orientation: Vec<f32>,
    /// The root mean squares so far.
    pub rms: [f64; 2],
    /// The median time a frame, in microseconds.
    pub micros: f64,
}
