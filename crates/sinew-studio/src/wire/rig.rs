//! What there is to choose from, and the rig that was chosen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::limit::LimitDocument;
use super::pose::PoseGoal;
use super::{MethodInfo, Placed, Q, V3};

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

/// How a rig is taken where its file says nothing, or is wrong: what a person says of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Fitting {
    /// For parts of a humanoid, as VRM calls them, the place of the joint that plays it. The others are found.
    pub roles: BTreeMap<String, u32>,
    /// How many times as large as it is read.
    pub scale: f64,
    /// Which axis, as it is read, points up.
    pub up: UpAxis,
    /// Whether the joints of a person in a file that have no limits get those of anatomy.
    pub anatomy: bool,
}

impl Default for Fitting {
    fn default() -> Self {
        Self { roles: BTreeMap::new(), scale: 1.0, up: UpAxis::Y, anatomy: true }
    }
}

/// An axis that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum UpAxis {
    /// As it should be.
    Y,
    /// As in Blender and in most programs for robots and drawings.
    Z,
    /// Lying on the side.
    X,
    /// Upside down.
    MinusY,
    /// Lying on its back where `Z` would lie on its face.
    MinusZ,
    /// Lying on the other side.
    MinusX,
}

/// A part of a humanoid and the joint that plays it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PartDescription {
    /// Its name in VRM.
    pub role: String,
    /// The joint's place.
    pub joint: Option<u32>,
    /// How it was found: `given`, `name` or `topology`.
    pub found: Option<String>,
    /// Whether every humanoid needs it.
    pub needed: bool,
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
    /// How it was taken.
    pub fitting: Fitting,
    /// The parts of a humanoid, all of them, and what was found.
    pub parts: Vec<PartDescription>,
    /// How many joints have got the limits of anatomy.
    pub anatomical: u32,
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
    /// How many times as large as in the file.
    pub scale: f64,
    /// Where the joints are that its nodes belong to; `null` if they are as at rest.
    pub pose: Option<Placed>,
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
