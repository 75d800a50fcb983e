//! The Reach workspace: hands, obstacles and behaviours.

use serde::{Deserialize, Serialize};

use super::{Placed, Q, V3, WireCause};

/// All of the Reach workspace.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ReachScene {
    /// The behaviour, by name.
    pub behaviour: String,
    /// A second behaviour, shown as a ghost.
    pub compare: Option<String>,
    /// Where the left wrist should go.
    pub left: Option<ReachTarget>,
    /// Where the right wrist should go.
    pub right: Option<ReachTarget>,
    /// What stands around.
    pub obstacles: Vec<Obstacle>,
    /// Whether collisions are kept out of.
    pub collisions: bool,
    /// The side whose swing plane is shown.
    pub side: SideName,
    /// Show and edit the posture of this key instead of reaching.
    pub edit_key: Option<u32>,
}

/// Left or right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// The character's left.
    Left,
    /// Its right.
    #[default]
    Right,
}

/// Where a wrist should go.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ReachTarget {
    /// The place.
    pub position: V3,
    /// How the hand is turned; `null` for any way.
    pub rotation: Option<Q>,
}

/// A thing in the way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// The page's name for it, unique; also used in outcomes.
    pub id: String,
    /// Its form.
    pub form: ObstacleForm,
    /// Where its middle is.
    pub position: V3,
    /// How it is turned.
    pub rotation: Q,
}

/// The form of an obstacle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum ObstacleForm {
    /// A box.
    Box {
        /// Width, height and depth.
        size: V3,
    },
    /// A ball.
    Ball {
        /// In metres.
        radius: f64,
    },
    /// A cylinder along y.
    Cylinder {
        /// In metres.
        radius: f64,
        /// In metres.
        height: f64,
    },
    /// A capsule along y.
    Capsule {
        /// In metres.
        radius: f64,
        /// Between the centres of its ends.
        height: f64,
    },
    /// The triangles of a file that was brought in, about the middle of the box around them. Only
    /// their surface is solid.
    Mesh {
        /// Its id.
        file: String,
        /// Metres of one of its units.
        scale: f64,
    },
}

/// What a Reach frame says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReachFrame {
    /// Whether every hand is where it should be and nothing is met.
    pub reached: bool,
    /// What came of it, in words.
    pub outcome: String,
    /// What stood in the way, for programs.
    pub typed_cause: Option<Box<WireCause>>,
    /// The left hand.
    pub left: Option<HandOutcome>,
    /// The right hand.
    pub right: Option<HandOutcome>,
    /// How much of the posture was kept for the feet and contacts, from 0 to 1.
    pub kept: f64,
    /// How far the worse foot is off, in metres.
    pub feet: f64,
    /// Postures that were tested for contact.
    pub tests: u32,
    /// The body's parts as capsules and hulls would be many; these two touch: joint names or obstacle ids.
    pub contact: Option<[String; 2]>,
    /// The second behaviour.
    pub ghost: Option<Placed>,
    /// What came of it, in words.
    pub ghost_outcome: Option<String>,
    /// What stood in its way, for programs.
    pub ghost_typed_cause: Option<Box<WireCause>>,
}

/// What came of a hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HandOutcome {
    /// What stood in this hand's way.
    pub typed_cause: Option<Box<WireCause>>,
    /// Metres off.
    pub position_error: f64,
    /// Radians off.
    pub orientation_error: f64,
    /// The goal on the swing plane.
    pub swing: [f64; 2],
    /// How much the body takes part, from 0 to 1.
    pub weight: f64,
    /// The elbow's swivel angle.
    pub swivel: f64,
    /// The keys that were blended, with their parts.
    pub blend: Vec<(u32, f64)>,
}

/// A behaviour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct BehaviourDocument {
    /// Its name.
    pub name: String,
    /// The arm that it is for.
    pub side: SideName,
    /// Its key postures; the outer ones first.
    pub keys: Vec<KeyDocument>,
    /// The triangles over the keys; the server's, ignored when sent back.
    #[serde(default)]
    pub triangles: Vec<[u32; 3]>,
}

/// A key posture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct KeyDocument {
    /// Its place on the swing plane.
    pub swing: [f64; 2],
    /// One of the outer ones, which cannot be moved or removed.
    pub outer: bool,
    /// x, y, z, w of every joint, relative to rest.
    pub rotations: Vec<f64>,
    /// Where the elbow starts.
    pub swivel: f64,
    /// x, y, z of every joint's shift from rest; the server's, sent back to undo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub translations: Option<Vec<f64>>,
    /// The rest of what is blended; the server's, sent back to undo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub settings: Option<KeySettings>,
}

/// How a key's elbow is searched, and at what distance its posture is taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct KeySettings {
    /// How far the search for the elbow goes: clockwise (not positive) and counter-clockwise.
    pub range: [f64; 2],
    /// Its first step.
    pub step: f64,
    /// By how much each step is longer than the one before.
    pub growth: f64,
    /// Up to here, in arm's lengths, the body does not take part.
    pub start: f64,
    /// From here on it does all it can.
    pub full: f64,
    /// The part of its length to which the arm is stretched before the body leans on.
    pub stretch: f64,
}

/// A change of a behaviour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum BehaviourEdit {
    /// A new key, with the posture that is blended there.
    Add {
        /// Where.
        swing: [f64; 2],
    },
    /// Move a key.
    Move {
        /// Which.
        key: u32,
        /// Where to.
        swing: [f64; 2],
    },
    /// Take a key away.
    Remove {
        /// Which.
        key: u32,
    },
    /// Turn a joint of a key's posture to this rotation in model space, as far as its limit lets it.
    Turn {
        /// Which key.
        key: u32,
        /// The joint's place.
        joint: u32,
        /// How it should be turned.
        rotation: Q,
    },
    /// Pull a joint of a key's posture to a place; the body follows, the feet stay.
    Pull {
        /// Which key.
        key: u32,
        /// The joint's place.
        joint: u32,
        /// Where to.
        position: V3,
    },
    /// Where the elbow of a key starts.
    Swivel {
        /// Which key.
        key: u32,
        /// The angle.
        swivel: f64,
    },
    /// Replace all of it: undo.
    Replace {
        /// With this.
        behaviour: BehaviourDocument,
    },
    /// Keep it under another name.
    SaveAs {
        /// The name.
        name: String,
    },
}
