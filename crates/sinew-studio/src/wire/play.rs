//! Motions that play in whatever workspace is shown, and the pose that a tab goes back to.

use serde::{Deserialize, Serialize};

/// A motion of the rig that is shown instead of what the workspace makes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Playing {
    /// Its place in the rig's list.
    pub motion: u32,
    /// Whether it runs, or stands at `frame`.
    pub running: bool,
    /// The frame to go on from.
    pub frame: f64,
    /// How fast, 1 for as recorded.
    pub speed: f64,
    /// Whether it begins again at its end.
    pub looped: bool,
    /// The first and the last frame; what is before and after is left out.
    pub trim: Option<[u32; 2]>,
}

/// Where a motion that plays is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayFrame {
    /// The motion's place in the rig's list.
    pub motion: u32,
    /// The frame, with a part where two are blended.
    pub frame: f64,
    /// Whether it runs on.
    pub running: bool,
}

/// A part of a motion of the rig, to be exported by a name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Clip {
    /// The motion's place in the rig's list.
    pub motion: u32,
    /// The first and the last frame.
    pub trim: Option<[u32; 2]>,
    /// What it is called in the file.
    pub name: String,
}
