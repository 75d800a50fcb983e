//! What a file holds, in the engine's conventions.

mod machine;

use std::fmt;

use sinew_f64::body::reach::Behaviour;
use sinew_f64::skeleton::humanoid::HumanoidMap;
use sinew_f64::{Goal, JointId, Pose, Quat, Skeleton};

use crate::Format;
use crate::bvh::BvhHabits;

pub(crate) use machine::follow_order;
pub use machine::{Alias, Drive, Mimic};

/// A skeleton, the motions recorded on it, what the file says about it besides,
/// and what was noticed on the way in.
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
    /// Other names for joints, such as the links of a robot.
    pub aliases: Vec<Alias>,
    /// Joints of a robot that follow others.
    pub mimics: Vec<Mimic>,
    /// What the motors of a robot can do.
    pub drives: Vec<Drive>,
    /// Goals that come with the rig, each with its name.
    pub goals: Vec<(String, Goal)>,
    /// Postures that come with the rig, each with its name.
    pub postures: Vec<(String, Pose)>,
    /// Body behaviours that come with the rig, for reaching.
    pub behaviours: Vec<Behaviour>,
    /// What was repaired, converted or could not be kept, for people.
    pub notes: Vec<Note>,
    /// Where it came from, for a writer that goes back there.
    pub source: Source,
}

/// What an asset remembers of its file, so that writing the same format again
/// gives the same units, axes and channels back. Made up assets have none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Source {
    /// The format that was read.
    pub format: Option<Format>,
    /// Metres in one unit of the file.
    pub unit: Option<f64>,
    /// The axes and channels of a BVH file.
    pub bvh: Option<BvhHabits>,
    /// For a glTF file that has meshes: the turn that takes its world to ours,
    /// half a turn for VRM 0.x and none for others. `None` without meshes.
    pub mesh_turn: Option<Quat>,
}

impl Asset {
    /// A skeleton with nothing besides.
    pub fn new(skeleton: Skeleton) -> Self {
        Self {
            skeleton,
            motions: Vec::new(),
            roles: Vec::new(),
            aliases: Vec::new(),
            mimics: Vec::new(),
            drives: Vec::new(),
            goals: Vec::new(),
            postures: Vec::new(),
            behaviours: Vec::new(),
            notes: Vec::new(),
            source: Source::default(),
        }
    }

    /// The joint of this name, or the one that has it as another name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.skeleton
            .find(name)
            .or_else(|| self.aliases.iter().find(|alias| alias.name == name).map(|alias| alias.joint))
    }

    /// The parts of a human body: as the file says, the others as they are found.
    ///
    /// ```
    /// use sinew_f64::skeleton::humanoid::Side;
    /// let human = sinew_io::Asset::new(sinew_f64::rigs::humanoid(Default::default()));
    /// assert!(human.humanoid().arm(Side::Left).is_some());
    /// ```
    pub fn humanoid(&self) -> HumanoidMap {
        let known = |(role, joint): &(String, JointId)| Some((role.parse().ok()?, *joint));
        HumanoidMap::with_roles(&self.skeleton, &self.roles.iter().filter_map(known).collect::<Vec<_>>())
    }

    /// Moves every joint that follows another to where that one puts it.
    /// Whoever moves a robot's joints calls this afterwards.
    pub fn apply_mimics(&self, pose: &mut Pose) {
        for mimic in &self.mimics {
            mimic.apply(&self.skeleton, pose);
        }
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
