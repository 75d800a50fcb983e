//! What the page and the server say to each other.
//!
//! Text messages in JSON over one WebSocket. The page owns the *scene* of each
//! workspace (what is chosen, where targets are) and sends it whole whenever it
//! changes; undo and links are then nothing but older scenes. The server owns
//! what solving needs from frame to frame, and the rig with its limits,
//! behaviours and postures, which are *documents*: it changes them on request
//! and always answers with the whole document, which the page can send back to
//! undo.
//!
//! Files do not travel here: they are posted to `/api/upload`, which answers
//! with an [`Uploaded`], and fetched from the address in
//! [`ServerMessage::Exported`].
//!
//! Vectors are `[x, y, z]` in metres, quaternions `[x, y, z, w]`, angles
//! radians, all in model space (right-handed, Y up) unless said otherwise.
//! `web/src/wire.ts` and `web/src/wire/` are generated from this module; a test fails when they differ.

mod body;
mod cause;
mod limit;
mod look;
mod play;
mod pose;
mod reach;
mod rig;
mod thing;
#[cfg(test)]
mod typescript;
mod walk;

use serde::{Deserialize, Serialize};

pub use body::{BodyFrame, BodyMarker, BodyScene, BodySource, BodyTrack, MethodInfo, PointState};
pub use cause::{Explain, WireCause, WireComponent};
pub use limit::{Handle, HandleKind, LimitDocument, LimitOutline, REGION_COLUMNS, REGION_DEPTH, REGION_ROWS};
pub use look::{FilterSettings, LookFrame, LookPath, LookScene, LookTarget, MotionSample};
pub use play::{Clip, PlayFrame, Playing};
pub use pose::{GhostFrame, GoalError, PoseFrame, PoseGoal, PoseScene, SolverChoice, TargetKind};
pub use reach::{
    BehaviourDocument, BehaviourEdit, HandOutcome, KeyDocument, KeySettings, Obstacle, ObstacleForm,
    ReachFrame, ReachScene, ReachTarget, SideName,
};
pub use rig::{
    Fitting, JointDescription, MeshDescription, MotionDescription, PartDescription, PostureDocument,
    RigChoice, RigDescription, RigSource, SolverInfo, SolverOption, UpAxis, Welcome, Workspaces,
};
pub use thing::{ThingDescription, ThingForm};
pub use walk::{BlockedBy, BlockedFrame, FootFrame, Gait, GroundPatch, TerrainChoice, WalkFrame, WalkScene};

/// A vector.
pub type V3 = [f64; 3];
/// A quaternion, x y z w.
pub type Q = [f64; 4];

/// The version of this protocol; a page of another version asks to be reloaded.
pub const PROTOCOL: u32 = 1;

/// What the page says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// Take another rig. Answered with `loaded` or `failed`.
    Load {
        /// Echoed in the answer.
        request: u32,
        /// Which.
        rig: RigSource,
        /// What a person says of it; `null` takes it as it is read. The rig that is open keeps its takes.
        fitting: Option<Fitting>,
    },
    /// The scene of the Pose workspace, which is thereby the one shown.
    Pose {
        /// Numbers the page's inputs, rising; frames say the last one they show.
        input: u32,
        /// All of it.
        scene: PoseScene,
    },
    /// The scene of the Reach workspace.
    Reach {
        /// As above.
        input: u32,
        /// All of it.
        scene: ReachScene,
    },
    /// The scene of the Body workspace.
    Body {
        /// As above.
        input: u32,
        /// All of it.
        scene: BodyScene,
    },
    /// The scene of the Look workspace.
    Look {
        /// As above.
        input: u32,
        /// All of it.
        scene: LookScene,
    },
    /// The scene of the Walk workspace.
    Walk {
        /// As above.
        input: u32,
        /// All of it.
        scene: WalkScene,
    },
    /// Targets were dragged: a light message for every pointer move. Only the
    /// newest for each target is used. `target` is the goal's `id` in Pose, `left` or `right` in
    /// Reach, or an obstacle's `id`, the point's name in Body, `target` in Look.
    Drag {
        /// As above.
        input: u32,
        /// What moved.
        target: String,
        /// Where to.
        position: V3,
        /// How it is turned, if the target has an orientation.
        rotation: Option<Q>,
    },
    /// The walker's controls: each from -1 to 1. Kept until the next.
    Steer {
        /// As above.
        input: u32,
        /// Forward is positive.
        speed: f64,
        /// To the left is positive.
        turn: f64,
    },
    /// Put the character back to its rest pose (or stance) and forget the last frame.
    Reset,
    /// Show this pose of the scene sent before, and keep it until the next input: what undo, links and a
    /// new connection bring back. What moves by itself goes on from `time`.
    Stand {
        /// As above.
        input: u32,
        /// Every joint.
        pose: Placed,
        /// Where a target is on its path, in rounds; only in Look.
        time: Option<f64>,
    },
    /// Show a motion of the rig instead of what the workspace makes; `null` to go back to it. A drag goes on
    /// from the frame shown.
    Play {
        /// As above.
        input: u32,
        /// Which, and how.
        play: Option<Playing>,
    },
    /// Put the motion of an uploaded file on the rig, through its points. Answered with `motions` or `failed`.
    Adopt {
        /// Echoed in the answer.
        request: u32,
        /// As `/api/upload` named it.
        id: String,
    },
    /// Bring in an uploaded file that scenes may name from then on: ground in Walk, obstacles in Reach.
    /// Answered with `brought` or `failed`.
    Bring {
        /// Echoed in the answer.
        request: u32,
        /// As `/api/upload` named it.
        id: String,
    },
    /// Replace a joint's limit. Answered with `limit` or `failed`.
    SetLimit {
        /// Echoed in the answer.
        request: u32,
        /// The joint's place.
        joint: u32,
        /// The whole limit.
        limit: LimitDocument,
    },
    /// Drag a handle of a joint's limit. Answered with `limit` or `failed`.
    DragHandle {
        /// Echoed in the answer.
        request: u32,
        /// The joint's place.
        joint: u32,
        /// Which handle, as numbered in the last `limit` answer or the rig.
        handle: u32,
        /// The direction to drag it to, in the joint's rest frame.
        to: V3,
    },
    /// Add a cone, knot or corner to a joint's swing limit near a direction, or
    /// remove the one at a handle. Answered with `limit` or `failed`.
    EditShape {
        /// Echoed in the answer.
        request: u32,
        /// The joint's place.
        joint: u32,
        /// Where to add, in the joint's rest frame.
        add: Option<V3>,
        /// The handle whose point is taken away.
        remove: Option<u32>,
    },
    /// Change the behaviour that the Reach scene shows. Answered with `behaviour` or `failed`.
    EditBehaviour {
        /// Echoed in the answer.
        request: u32,
        /// The side whose behaviour it is.
        side: SideName,
        /// The change.
        edit: BehaviourEdit,
    },
    /// Keep a posture under a name; an empty list of rotations keeps the pose shown,
    /// `remove` forgets it. Answered with `postures` or `failed`.
    SavePosture {
        /// Echoed in the answer.
        request: u32,
        /// Its name.
        posture: PostureDocument,
        /// Forget it instead.
        remove: bool,
    },
    /// Start or stop keeping frames as a take. A take that is stopped becomes a motion of the rig, which `motions`
    /// tells of.
    Record {
        /// Whether to keep frames.
        on: bool,
    },
    /// Make a file. Answered with `exported` or `failed`.
    Export {
        /// Echoed in the answer.
        request: u32,
        /// What is in it.
        what: ExportWhat,
        /// Its format.
        format: ExportFormat,
        /// For a take: a part of a motion of the rig, instead of what was recorded last.
        clip: Option<Clip>,
        /// For GLB and VRM of a rig without a mesh: the body that the page shows, as `/api/upload` named it; see
        /// `rig/body.rs`.
        body: Option<String>,
    },
    /// Answered with `pong`.
    Ping {
        /// Echoed.
        stamp: f64,
    },
}

/// What the server says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The first message of a connection.
    Welcome {
        /// What there is to choose from.
        welcome: Welcome,
    },
    /// A rig was taken.
    Loaded {
        /// The request answered.
        request: u32,
        /// The rig.
        rig: RigDescription,
    },
    /// A joint's limit as it is now.
    Limit {
        /// The request answered.
        request: u32,
        /// The joint's place.
        joint: u32,
        /// Its limit with outlines and handles.
        limit: LimitDocument,
    },
    /// A behaviour as it is now; also sent when the Reach scene chooses another.
    Behaviour {
        /// The request answered, or zero.
        request: u32,
        /// All of it.
        behaviour: BehaviourDocument,
    },
    /// The postures kept with the rig.
    Postures {
        /// The request answered.
        request: u32,
        /// All of them.
        postures: Vec<PostureDocument>,
    },
    /// The motions of the rig: its file's, those that were put on it, and takes.
    Motions {
        /// The request answered, or zero.
        request: u32,
        /// All of them.
        motions: Vec<MotionDescription>,
        /// What was remarked.
        notes: Vec<String>,
    },
    /// A file that scenes may name now.
    Brought {
        /// The request answered.
        request: u32,
        /// What is in it.
        thing: ThingDescription,
    },
    /// The whole reconstruction's errors, sent anew when method or motion change.
    Track {
        /// The curves.
        track: BodyTrack,
    },
    /// The ground under the walker, sent when it walks off the last patch.
    Ground {
        /// A patch of it.
        ground: GroundPatch,
    },
    /// A file is ready.
    Exported {
        /// The request answered.
        request: u32,
        /// Where to fetch it: a path on this server.
        url: String,
        /// What to call it.
        name: String,
        /// What the format could not hold.
        notes: Vec<String>,
    },
    /// Something could not be done. The connection lives on.
    Failed {
        /// The request answered, or zero if the message was not understood or came from a scene.
        request: u32,
        /// Why, in words for a person.
        message: String,
    },
    /// A solved frame of the workspace shown. A slow page gets fewer of them.
    Frame {
        /// The frame.
        frame: Frame,
    },
    /// The answer to a ping.
    Pong {
        /// As it came.
        stamp: f64,
    },
}

/// One solved frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Frame {
    /// The last input that it shows.
    pub input: u32,
    /// Rises by one each frame solved; gaps are frames that were skipped for a slow page.
    pub number: u32,
    /// Seconds since the connection began.
    pub time: f64,
    /// The character.
    pub pose: Placed,
    /// The median time of the last solves, in microseconds.
    pub micros: f64,
    /// Solves a second, over the last second.
    pub rate: f64,
    /// Frames kept in the take so far.
    pub recorded: u32,
    /// The motion that is shown instead of what the workspace makes.
    pub playing: Option<PlayFrame>,
    /// What belongs to the workspace.
    pub details: FrameDetails,
}

/// The joints of a character in model space, in the rig's order.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Placed {
    /// x, y, z of every joint.
    pub positions: Vec<f32>,
    /// x, y, z, w of every joint.
    pub rotations: Vec<f32>,
}

/// What a frame says besides the pose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "workspace", rename_all = "snake_case")]
pub enum FrameDetails {
    /// Pose.
    Pose(PoseFrame),
    /// Reach.
    Reach(ReachFrame),
    /// Body.
    Body(BodyFrame),
    /// Look.
    Look(LookFrame),
    /// Walk.
    Walk(WalkFrame),
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExportWhat {
    /// The pose shown, as a motion of one frame.
    Pose,
    /// A motion: the clip asked for, or in Body the whole reconstruction, or the frames kept by `record`.
    Take,
    /// The rig with its limits, postures and behaviours: a rig file.
    Rig,
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// Binary glTF.
    Glb,
    /// Binary glTF with VRM's humanoid.
    Vrm,
    /// Biovision.
    Bvh,
    /// sinew's own, in TOML; only for a rig.
    Rig,
}

/// What `/api/upload` answers; a refusal is `{ "message": … }` with a status of 4xx.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Uploaded {
    /// Names the file in [`RigSource::Upload`]: made from its content.
    pub id: String,
    /// The file's name as given, without folders.
    pub name: String,
    /// Its size.
    pub bytes: u32,
}
