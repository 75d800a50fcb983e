//! What a file holds, in the engine's conventions.

mod anatomy;
mod machine;
mod placed;
mod tools;

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use sinew_f64::body::reach::Behaviour;
use sinew_f64::goal::PointMass;
use sinew_f64::skeleton::humanoid::HumanoidMap;
use sinew_f64::{Effector, Goal, JointId, Pose, Quat, Skeleton, Vec3};

use crate::Format;
use crate::budget::pose_bytes;
use crate::bvh::BvhHabits;
use crate::gltf::Kept;
use crate::surface::Surface;

pub(crate) use machine::follow_order;
pub use machine::{Alias, Drive};
pub use placed::Placing;
pub use sinew_f64::goal::Mimic;

/// A skeleton, the motions recorded on it, what the file says about it besides,
/// and what was noticed on the way in.
#[derive(Debug, Clone)]
pub struct Asset {
    /// The skeleton: Y up, metres, radians.
    pub skeleton: Skeleton,
    /// The pose that the model stands in, where that is not the rest pose. glTF
    /// holds it as the transforms of its nodes.
    pub pose: Option<Pose>,
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
    /// What joints carry: the mass in kilograms and its centre in the joint's frame. A joint may
    /// be named more than once.
    pub masses: Vec<(JointId, PointMass)>,
    /// Goals that come with the rig, each with its name.
    pub goals: Vec<(String, Goal)>,
    /// Postures that come with the rig, each with its name.
    pub postures: Vec<(String, Pose)>,
    /// Body behaviours that come with the rig, for reaching.
    pub behaviours: Vec<Behaviour>,
    /// What it looks like, for an asset whose file is no glTF: a mesh in model space at rest.
    pub surface: Option<Arc<Surface>>,
    /// What was repaired, converted or could not be kept, for people.
    pub notes: Vec<Note>,
    /// Where it came from, for a writer that goes back there.
    pub source: Source,
}

/// What an asset remembers of its file, so that writing the same format again
/// gives the same units, axes and channels back. Made up assets have none.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The format that was read.
    pub format: Option<Format>,
    /// Metres in one unit of the file.
    pub unit: Option<f64>,
    /// Metres in one unit of the recording (BVH, ASF, AMC) that it came from,
    /// also through a glTF file in between.
    pub recording_unit: Option<f64>,
    /// The axes and channels of a BVH file, also through a glTF file in between.
    pub bvh: Option<BvhHabits>,
    /// A glTF file as it was: writing one again changes only what was changed.
    pub gltf: Option<Arc<Kept>>,
    /// For a glTF file that has meshes: the turn that takes its world to ours,
    /// half a turn for VRM 0.x and none for others. `None` without meshes.
    pub mesh_turn: Option<Quat>,
    /// How the asset was made larger and turned after it was read ([`Asset::placed`]).
    pub placing: Placing,
}

impl Asset {
    /// A skeleton with nothing besides.
    pub fn new(skeleton: Skeleton) -> Self {
        Self {
            skeleton,
            pose: None,
            motions: Vec::new(),
            roles: Vec::new(),
            aliases: Vec::new(),
            mimics: Vec::new(),
            drives: Vec::new(),
            masses: Vec::new(),
            goals: Vec::new(),
            postures: Vec::new(),
            behaviours: Vec::new(),
            surface: None,
            notes: Vec::new(),
            source: Source::default(),
        }
    }

    /// The mass that every joint carries, in the skeleton's order, as a
    /// [`BalanceGoal`](sinew_f64::goal::BalanceGoal) takes it; `None` if the file says nothing of
    /// masses.
    ///
    /// ```
    /// # let robot = br#"<robot name="r"><link name="base"/><link name="arm"><inertial><origin xyz="0 0 0.2"/>
    /// #   <mass value="2"/></inertial></link>
    /// #   <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"#;
    /// let masses = sinew_io::urdf::read(robot)?.point_masses().unwrap();
    /// assert_eq!((masses[0].mass, masses[1].mass, masses[1].centre.z), (0.0, 2.0, 0.2));
    /// # Ok::<(), sinew_io::ReadError>(())
    /// ```
    pub fn point_masses(&self) -> Option<Vec<PointMass>> {
        if self.masses.is_empty() {
            return None;
        }
        let mut all = vec![PointMass::default(); self.skeleton.len()];
        for (joint, own) in self.masses.iter().filter(|(joint, _)| self.skeleton.contains(*joint)) {
            let sum = &mut all[joint.index()];
            let total = sum.mass + own.mass;
            if total > 0.0 {
                sum.centre = (sum.centre * sum.mass + own.centre * own.mass) / total;
            }
            sum.mass = total;
        }
        Some(all)
    }

    /// Points of the skin at rest, each with the joint that carries most of it and in that joint's
    /// frame, as a [`Walker`](sinew_f64::body::walk::Walker::with_skin) takes them. Empty without
    /// a skin, and for a skeleton that is not the file's any more.
    pub fn skin(&self) -> Vec<(JointId, Vec3)> {
        let scale = self.source.placing.scale;
        let mut points = self.source.gltf.as_ref().map_or_else(Vec::new, |kept| kept.skin(&self.skeleton));
        points.iter_mut().for_each(|(_, point)| *point *= scale);
        points
    }

    /// What it takes in memory, in bytes: its motions, and the glTF file that it came from. The rest is
    /// small beside them.
    pub fn bytes(&self) -> u64 {
        let frames: usize = self.motions.iter().map(|motion| motion.frames.len()).sum();
        let poses = frames.saturating_mul(pose_bytes(self.skeleton.len())) as u64;
        let triangles = self.surface.as_ref().map_or(0, |surface| surface.triangles.len());
        let looks = (triangles * Surface::TRIANGLE) as u64;
        poses.saturating_add(looks).saturating_add(self.source.gltf.as_ref().map_or(0, |kept| kept.bytes()))
    }

    /// The joint of this name, or the one that has it as another name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.skeleton
            .find(name)
            .or_else(|| self.aliases.iter().find(|alias| alias.name == name).map(|alias| alias.joint))
    }

    /// What a goal for this name moves: a joint, or the frame that another name
    /// gives to a part of one. The links of a robot that was given another root
    /// are not where their joints are.
    ///
    /// ```
    /// # let robot = br#"<robot name="r"><link name="base"/><link name="hand"/>
    /// #   <joint name="shoulder" type="continuous"><parent link="base"/><child link="hand"/>
    /// #   <origin xyz="0 0 0.5"/></joint></robot>"#;
    /// use sinew_io::urdf::{UrdfOptions, read_with};
    /// let hung_up = UrdfOptions { root: Some("hand".into()), ..Default::default() };
    /// let base = read_with(robot, &hung_up)?.effector("base").unwrap();
    /// assert_eq!(base.offset.translation.length(), 0.5);
    /// # Ok::<(), sinew_io::ReadError>(())
    /// ```
    pub fn effector(&self, name: &str) -> Option<Effector> {
        let alias = || self.aliases.iter().find(|alias| alias.name == name);
        let of_alias = |alias: &Alias| Effector { joint: alias.joint, offset: alias.frame };
        self.skeleton.find(name).map(Effector::at).or_else(|| alias().map(of_alias))
    }

    /// The pose that the file opens with: the one that it holds, or rest.
    pub fn opening_pose(&self) -> Pose {
        self.pose.clone().unwrap_or_else(|| Pose::rest(&self.skeleton))
    }

    /// The index of a joint's node in the glTF file that the asset was read
    /// from; `None` for other formats, and for a joint that is not in the file.
    pub fn node_of(&self, joint: JointId) -> Option<usize> {
        self.source.gltf.as_ref()?.node_of(joint)
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
    /// The motion's name. Of a format that has none it is the file's, without
    /// folder and ending; empty if nothing is known.
    pub name: String,
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// The time of the first frame in the file, in seconds; mostly zero.
    pub start: f64,
    /// One pose a frame.
    pub frames: Frames,
}

impl Motion {
    /// A motion that begins at time zero.
    pub fn new(name: impl Into<String>, frame_time: f64, frames: Vec<Pose>) -> Self {
        Self { name: name.into(), frame_time, start: 0.0, frames: frames.into() }
    }

    /// Whether both hold the same poses in memory, as copies do that nobody has changed.
    pub fn shares(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.frames.0, &other.frames.0)
    }
}

/// The poses of a motion, as a slice. Copies share them until one is changed: an hour of a body is a
/// gigabyte, and an asset is copied for every tab and every edit.
///
/// ```
/// use sinew_io::asset::Frames;
/// let mut frames = Frames::from(vec![sinew_f64::Pose::rest(&sinew_f64::rigs::chain(2, 1.0)); 3]);
/// let copy = frames.clone();
/// frames[0].set_translation(sinew_f64::rigs::chain(2, 1.0).root(), sinew_f64::Vec3::X);
/// assert_ne!(frames[0], copy[0]);
/// assert_eq!(frames[1..], copy[1..]);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Frames(Arc<Vec<Pose>>);

impl From<Vec<Pose>> for Frames {
    fn from(poses: Vec<Pose>) -> Self {
        Self(Arc::new(poses))
    }
}

/// Without a copy if nobody else has them.
impl From<Frames> for Vec<Pose> {
    fn from(frames: Frames) -> Self {
        Arc::unwrap_or_clone(frames.0)
    }
}

impl FromIterator<Pose> for Frames {
    fn from_iter<I: IntoIterator<Item = Pose>>(poses: I) -> Self {
        Vec::from_iter(poses).into()
    }
}

impl Deref for Frames {
    type Target = [Pose];

    fn deref(&self) -> &[Pose] {
        &self.0
    }
}

impl DerefMut for Frames {
    fn deref_mut(&mut self) -> &mut [Pose] {
        let poses: &mut Vec<Pose> = Arc::make_mut(&mut self.0);
        poses
    }
}

impl<'a> IntoIterator for &'a Frames {
    type Item = &'a Pose;
    type IntoIter = std::slice::Iter<'a, Pose>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Frames {
    type Item = &'a mut Pose;
    type IntoIter = std::slice::IterMut<'a, Pose>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
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
