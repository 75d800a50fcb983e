//! What there is to choose from, and the rig that was chosen.

use serde::{Deserialize, Serialize};

use super::limit::LimitDocument;
use super::pose::PoseGoal;
use super::{MethodInfo, Q, V3};

/// The first message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Welcome {
    /// The protocol's version.
    pub protocol: u32,
    /// The program's version.
    pub version: String,
    /// The rigs that are built in.
    pub rigs: Vec<RigChoice>,
    /// The general solvers.
    pub solvers: Vec<SolverInfo>,
    /// The methods of the Body workspace.
    pub methods: Vec<MethodInfo>,
    /// The leg solvers of the Walk workspace.
    pub leg_solvers: Vec<String>,
    /// A file given on the command line, to open first.
    pub open: Option<RigSource>,
    /// The largest upload, in bytes.
    pub largest_upload: u32,
}

/// A rig that is built in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RigChoice {
    /// What to ask for.
    pub name: String,
    /// What it is.
    pub summary: String,
    /// How many joints.
    pub joints: u32,
}

/// Where a rig comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum RigSource {
    /// A rig that is built in.
    Rig {
        /// Its name.
        name: String,
    },
    /// A file posted before.
    Upload {
        /// As `/api/upload` named it.
        id: String,
    },
}

/// A general solver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolverInfo {
    /// Its short name.
    pub name: String,
    /// What it is, in a sentence.
    pub summary: String,
    /// What can be set, with the defaults.
    pub options: Vec<SolverOption>,
}

/// An option of a solver.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SolverOption {
    /// Where it is, with dots: `tolerance.position`.
    pub path: String,
    /// Its default: a number, a truth value or a word.
    #[cfg_attr(test, ts(type = "number | boolean | string"))]
    pub value: serde_json::Value,
}

/// A rig as the page needs it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RigDescription {
    /// Its name.
    pub name: String,
    /// Where it came from.
    pub source: RigSource,
    /// Its joints, parents before children.
    pub joints: Vec<JointDescription>,
    /// The longest side of its box at rest, in metres.
    pub size: f64,
    /// The lowest point at rest.
    pub floor: f64,
    /// Its skin, if the file has one: the page fetches and draws it.
    pub mesh: Option<MeshDescription>,
    /// Its motions.
    pub motions: Vec<MotionDescription>,
    /// Postures kept with it.
    pub postures: Vec<PostureDocument>,
    /// The behaviours it can reach with.
    pub behaviours: Vec<String>,
    /// Goals that make sense to begin with: the file's, or hands, feet, head and hips, or the tips.
    pub goals: Vec<PoseGoal>,
    /// Which workspaces it can be used in.
    pub workspaces: Workspaces,
    /// What was remarked when it was read.
    pub notes: Vec<String>,
}

/// For each workspace, why the rig cannot be used there; `null` if it can.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Workspaces {
    /// Reach.
    pub reach: Option<String>,
    /// Body.
    pub body: Option<String>,
    /// Look.
    pub look: Option<String>,
    /// Walk.
    pub walk: Option<String>,
}

/// A joint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JointDescription {
    /// Its name, unique.
    pub name: String,
    /// Its parent's place.
    pub parent: Option<u32>,
    /// Where it rests, from its parent.
    pub rest_position: V3,
    /// How it rests, from its parent.
    pub rest_rotation: Q,
    /// Where it rests in model space.
    pub model_position: V3,
    /// How it rests in model space.
    pub model_rotation: Q,
    /// Its kind: fixed, hinge, universal, ball, prismatic, free.
    pub kind: String,
    /// How many ways it can move.
    pub freedoms: u32,
    /// Where its bone ends, in its own frame, if no child shows it.
    pub tip: Option<V3>,
    /// Its part in a humanoid, as VRM calls it.
    pub role: Option<String>,
    /// Its limit; `null` if it has none.
    pub limit: Option<LimitDocument>,
    /// The range of a hinge or slide, for a slider; whole turns for a free hinge.
    pub range: Option<[f64; 2]>,
}

/// A skinned mesh that belongs to the rig.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MeshDescription {
    /// Where to fetch the file: a path on this server.
    pub url: String,
    /// Turns the file's world into model space, before anything else.
    pub turn: Q,
}

/// A motion that came with a rig.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MotionDescription {
    /// Its name.
    pub name: String,
    /// How many frames.
    pub frames: u32,
    /// Seconds a frame.
    pub frame_time: f64,
    /// Whether it is a take, or was put on the rig from another file.
    pub added: bool,
}

/// A posture: every joint's rotation relative to rest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PostureDocument {
    /// Its name.
    pub name: String,
    /// x, y, z, w of every joint, relative to rest, in the rig's order.
    pub rotations: Vec<f64>,
    /// For every joint the angle of a hinge or the way of a slide; zero for others.
    pub values: Vec<f64>,
}
