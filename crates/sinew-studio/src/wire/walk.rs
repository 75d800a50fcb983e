//! The Walk workspace.

use serde::{Deserialize, Serialize};

use super::{V3, WireCause};

/// All of the Walk workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct WalkScene {
    /// What is walked on. Another one puts the walker back to the start.
    pub terrain: TerrainChoice,
    /// The leg solver, by name; may change while walking.
    pub solver: String,
    /// How fast at full speed, in metres a second; `null` for the character's own.
    pub speed: Option<f64>,
    /// How high a foot is lifted, against the usual of 1.
    pub lift: f64,
    /// How much the arms swing, against the usual of 1.
    pub arms: f64,
}

/// What is walked on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum TerrainChoice {
    /// Flat ground.
    Flat,
    /// A slope along z.
    Slope {
        /// The rise over the run.
        grade: f64,
    },
    /// Stairs up and down along z.
    Stairs {
        /// The height of a step.
        rise: f64,
        /// Its depth.
        tread: f64,
    },
    /// Random hills.
    Hills {
        /// Which.
        seed: u32,
        /// How high.
        height: f64,
    },
    /// The triangles of a file that was brought in, y up.
    Mesh {
        /// Its id.
        file: String,
        /// Metres of one of its units.
        scale: f64,
    },
    /// The brightness of a picture that was brought in.
    Map {
        /// Its id.
        file: String,
        /// How high white is, in metres.
        height: f64,
        /// The side of a pixel, in metres.
        cell: f64,
    },
}

/// What a Walk frame says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WalkFrame {
    /// The feet.
    pub feet: Vec<FootFrame>,
    /// Where the walker is, on the ground.
    pub place: V3,
    /// Where it heads: about y, zero along z.
    pub heading: f64,
    /// Whether it stands.
    pub standing: bool,
    /// How its feet take turns.
    pub gait: Gait,
    /// What keeps it from going on.
    pub blocked: Option<BlockedFrame>,
    /// Rounds of the leg solver.
    pub iterations: u32,
    /// The furthest that a planted foot is off its plant, in metres.
    pub slip: f64,
    /// Why the worst planted foot is off, in words.
    pub cause: Option<String>,
    /// The same for programs.
    pub typed_cause: Option<WireCause>,
}

/// How feet take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Gait {
    /// All feet stand.
    Stand,
    /// Two legs, one foot on the ground at any time.
    Walk,
    /// Two legs, at times without a foot on the ground.
    Run,
    /// Four legs, diagonal pairs in turn.
    Trot,
    /// More legs, every other one in turn.
    Alternate,
}

/// Ground that is not walked on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BlockedFrame {
    /// What it is.
    pub by: BlockedBy,
    /// Where it begins.
    pub at: V3,
    /// How high or deep it is, in metres; of a slope, its rise over its run.
    pub size: f64,
}

/// A kind of ground that is not walked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum BlockedBy {
    /// It rises by more than a leg.
    Wall,
    /// A step that is too high.
    Step,
    /// It falls too deep.
    Drop,
    /// It is too steep.
    Slope,
}

/// A foot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FootFrame {
    /// The joint's place.
    pub joint: u32,
    /// Where its heel is.
    pub heel: V3,
    /// Whether it is held there.
    pub heel_planted: bool,
    /// Where its toes are.
    pub toe: V3,
    /// Whether they are held there.
    pub toe_planted: bool,
    /// How high the heel is above the ground: the stride curve.
    pub height: f64,
}

/// A patch of ground: a grid whose lines need not be even, so that stairs keep their edges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GroundPatch {
    /// The lines along z stand at these x, rising.
    pub xs: Vec<f32>,
    /// The lines along x stand at these z, rising.
    pub zs: Vec<f32>,
    /// For each z, the height at every x.
    pub heights: Vec<f32>,
}
