//! What a file holds, in the engine's conventions.

use std::fmt;

use sinew_f64::{JointId, Pose, Skeleton};

/// A skeleton, the motions recorded on it, and what was noticed on the way in.
#[derive(Debug, Clone)]
pub struct Asset {
    /// The skeleton: Y up, metres, radians.
    pub skeleton: Skeleton,
    /// The motions, in the file's order. A file may have none.
    pub motions: Vec<Motion>,
    /// Which joint plays which part of a body, where the file itself says so:
    /// the bone's name in VRM 1.0 (`hips`, `leftUpperArm`) and the joint. Empty
    /// for formats that do not say.
    pub roles: Vec<(String, JointId)>,
    /// What was repaired, converted or could not be kept, for people.
    pub notes: Vec<Note>,
}

impl Asset {
    /// A skeleton without motions or notes.
    pub fn new(skeleton: Skeleton) -> Self {
        Self { skeleton, motions: Vec::new(), roles: Vec::new(), notes: Vec::new() }
    }
}

/// A recorded motion: poses at a steady rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// The motion's name; empty where the format has none.
    pub name: String,
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// One pose a frame.
    pub frames: Vec<Pose>,
}

/// Something that a person should know about a conversion: a repair, a guess,
/// a thing the format cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note(pub String);

impl Note {
    /// A note with this text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
