//! Files straight into single precision, with everything that solving needs.
//!
//! ```
//! use sinew::{GoalSet, Pose, SolverSpec};
//! # let bytes = br#"
//! # sinew_rig = 1
//! # name = "arm"
//! # [[joint]]
//! # name = "shoulder"
//! # [[joint]]
//! # name = "elbow"
//! # parent = "shoulder"
//! # offset = [0.3, 0, 0]
//! # [[joint]]
//! # name = "hand"
//! # parent = "elbow"
//! # offset = [0.25, 0, 0]
//! # "#;
//! let arm = sinew_io::single::read("arm.rig.toml", bytes, &mut |_| None)?;
//! let hand = arm.find("hand").unwrap();
//! let goals = GoalSet::from_iter([sinew::Goal::position(hand, sinew::Vec3::new(0.2, 0.3, 0.1))]);
//! let mut solver = SolverSpec::default().build(&arm.skeleton, &goals)?;
//! assert!(solver.solve(&arm.skeleton, &goals, &mut Pose::rest(&arm.skeleton)).reached());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::path::Path;

use sinew::skeleton::humanoid::HumanoidMap;
use sinew::{Goal, JointId, Pose, Skeleton};

use crate::{Note, Place, ReadError, narrow};

/// What a file holds, in single precision: [`crate::Asset`] without what only files care about.
#[derive(Debug, Clone)]
pub struct Asset {
    /// The skeleton: Y up, metres, radians.
    pub skeleton: Skeleton,
    /// The motions, in the file's order.
    pub motions: Vec<Motion>,
    /// Which joint plays which part of a body, where the file says so.
    pub roles: Vec<(String, JointId)>,
    /// Other names for joints, such as the links of a robot.
    pub aliases: Vec<(String, JointId)>,
    /// Goals that come with the rig, each with its name.
    pub goals: Vec<(String, Goal)>,
    /// Postures that come with the rig, each with its name.
    pub postures: Vec<(String, Pose)>,
    /// What was repaired, converted or could not be kept, for people.
    pub notes: Vec<Note>,
}

/// A recorded motion: poses at a steady rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// The motion's name; empty where the format has none.
    pub name: String,
    /// Seconds from one frame to the next.
    pub frame_time: f32,
    /// One pose a frame.
    pub frames: Vec<Pose>,
}

/// [`crate::read()`] in single precision.
pub fn read(
    name: &str,
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
) -> Result<Asset, ReadError> {
    Asset::new(&crate::read(name, bytes, sibling)?).map_err(|error| error.in_file(name))
}

/// [`crate::read_file`] in single precision.
pub fn read_file(path: impl AsRef<Path>) -> Result<Asset, ReadError> {
    let path = path.as_ref();
    Asset::new(&crate::read_file(path)?).map_err(|error| error.in_file(path.display().to_string()))
}

impl Asset {
    /// An asset in single precision. Joints have the same index in both.
    pub fn new(asset: &crate::Asset) -> Result<Self, ReadError> {
        let skeleton = skeleton(asset)?;
        let pose = |pose: &_| narrow::pose(&skeleton, pose);
        let id = |joint| narrow::id(&skeleton, joint);
        let motion = |motion: &crate::Motion| Motion {
            name: motion.name.clone(),
            frame_time: motion.frame_time as f32,
            frames: motion.frames.iter().map(pose).collect(),
        };
        Ok(Self {
            motions: asset.motions.iter().map(motion).collect(),
            roles: asset.roles.iter().filter_map(|(role, joint)| Some((role.clone(), id(*joint)?))).collect(),
            aliases: asset.aliases.iter().filter_map(|a| Some((a.name.clone(), id(a.joint)?))).collect(),
            goals: asset
                .goals
                .iter()
                .filter_map(|(name, goal)| Some((name.clone(), narrow::goal(&skeleton, goal)?)))
                .collect(),
            postures: asset.postures.iter().map(|(name, p)| (name.clone(), pose(p))).collect(),
            notes: asset.notes.clone(),
            skeleton,
        })
    }

    /// The joint of this name, or the one that has it as another name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        let alias = || self.aliases.iter().find(|(alias, _)| alias == name).map(|(_, joint)| *joint);
        self.skeleton.find(name).or_else(alias)
    }

    /// The parts of a human body: as the file says, the others as they are found.
    pub fn humanoid(&self) -> HumanoidMap {
        body(&self.skeleton, self.roles.iter().map(|(role, joint)| (role, *joint)))
    }
}

/// The parts of a human body, without making the motions anew: [`Asset::humanoid`].
pub fn humanoid(asset: &crate::Asset) -> Result<HumanoidMap, ReadError> {
    let skeleton = skeleton(asset)?;
    let roles = asset.roles.iter().filter_map(|(role, joint)| Some((role, narrow::id(&skeleton, *joint)?)));
    Ok(body(&skeleton, roles))
}

fn skeleton(asset: &crate::Asset) -> Result<Skeleton, ReadError> {
    narrow::skeleton(&asset.skeleton).map_err(|error| {
        ReadError::new(Place::File, error.to_string(), "numbers that single precision holds")
    })
}

fn body<'a>(skeleton: &Skeleton, roles: impl Iterator<Item = (&'a String, JointId)>) -> HumanoidMap {
    let known = |(role, joint): (&String, JointId)| Some((role.parse().ok()?, joint));
    HumanoidMap::with_roles(skeleton, &roles.filter_map(known).collect::<Vec<_>>())
}
