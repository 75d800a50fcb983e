//! A body behaviour: key postures on the swing plane.

use alloc::string::String;
use alloc::vec::Vec;

use super::plane::{OUTER, PlaneWeights, SwingPlane};
use super::values::KeyValues;
use crate::error::RigError;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::humanoid::Side;
use crate::skeleton::{JointId, Skeleton};

/// A posture of the whole body for hands that go one way.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KeyPosture {
    /// The direction to the goal, as a swing in the shoulder's frame.
    pub swing: Vec2,
    /// The posture, of all joints; only those that some key of the behaviour
    /// moves are taken from it.
    pub pose: Pose,
    /// What is blended besides: how the arm's swivel is searched, and how far away
    /// a goal must be for the body to take part.
    pub values: KeyValues,
}

/// Key postures for one arm.
///
/// The first four keys are the outer ones, which stand at [`OUTER`] and so enclose every swing;
/// the others are numbered in the order of inserting. Editing allocates, asking does not.
#[derive(Debug, Clone, PartialEq)]
pub struct Behaviour {
    name: String,
    side: Side,
    keys: Vec<KeyPosture>,
    stance: Option<Pose>,
    plane: SwingPlane,
    joints: Vec<JointId>,
}

impl Behaviour {
    /// No behaviour has more keys: far beyond what anyone designs, and what a
    /// file may ask for.
    pub const MAX_KEYS: usize = 256;

    /// A behaviour whose four outer keys have the same posture.
    pub fn new(
        name: impl Into<String>,
        side: Side,
        skeleton: &Skeleton,
        outer: &Pose,
    ) -> Result<Self, RigError> {
        let keys = OUTER
            .iter()
            .map(|&swing| KeyPosture { swing, pose: outer.clone(), values: KeyValues::default() })
            .collect();
        Self::from_keys(name, side, skeleton, keys)
    }

    /// A behaviour from all of its keys; the swings of the first four are set to
    /// those of the outer ones.
    pub fn from_keys(
        name: impl Into<String>,
        side: Side,
        skeleton: &Skeleton,
        mut keys: Vec<KeyPosture>,
    ) -> Result<Self, RigError> {
        if keys.len() < OUTER.len() {
            return Err(wrong(keys.len(), NO_SUCH_KEY));
        }
        if keys.len() > Self::MAX_KEYS {
            return Err(wrong(Self::MAX_KEYS, "a behaviour takes no more keys"));
        }
        for (i, key) in keys.iter_mut().enumerate() {
            if let Some(swing) = OUTER.get(i) {
                key.swing = *swing;
            }
            check_pose(i, &key.pose, skeleton.len())?;
            check_values(i, &key.values)?;
        }
        let plane = plane_of(&keys)?;
        let mut behaviour = Self { name: name.into(), side, keys, stance: None, plane, joints: Vec::new() };
        behaviour.find_joints();
        Ok(behaviour)
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The arm whose hand it is for.
    pub fn side(&self) -> Side {
        self.side
    }

    /// How a character with this behaviour stands when nothing is reached for:
    /// what to begin from unless there is a better posture.
    pub fn stance(&self) -> Option<&Pose> {
        self.stance.as_ref()
    }

    /// Sets how such a character stands.
    pub fn set_stance(&mut self, stance: Option<Pose>) -> Result<(), RigError> {
        stance.as_ref().map_or(Ok(()), |pose| check_pose(self.keys.len(), pose, self.pose_len()))?;
        self.stance = stance;
        Ok(())
    }

    /// The keys, the four outer ones first.
    pub fn keys(&self) -> &[KeyPosture] {
        &self.keys
    }

    /// The triangles between the keys on the plane of their swings, as numbers of their corners,
    /// counter-clockwise.
    pub fn triangles(&self) -> &[[u32; 3]] {
        self.plane.triangles()
    }

    /// The keys that are blended at a swing, with weights that are not negative and add up to one.
    /// `hint` is where to begin the walk over the triangles; it does not change the answer. A
    /// swing that is not finite counts as zero.
    pub fn weights(&self, swing: Vec2, hint: u32) -> impl Iterator<Item = (usize, Real)> + use<> {
        self.plane.weights(swing, hint).owned()
    }

    pub(super) fn plane(&self) -> &SwingPlane {
        &self.plane
    }

    /// The joints that the behaviour poses: those that any of its keys moves. The
    /// others stay as the initial posture has them.
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    fn pose_len(&self) -> usize {
        self.keys[0].pose.len()
    }

    /// Adds a key and returns its number.
    pub fn insert(&mut self, key: KeyPosture) -> Result<usize, RigError> {
        let number = self.keys.len();
        if number >= Self::MAX_KEYS {
            return Err(wrong(Self::MAX_KEYS, "a behaviour takes no more keys"));
        }
        check_pose(number, &key.pose, self.pose_len())?;
        check_values(number, &key.values)?;
        self.keys.push(key);
        self.plane = plane_of(&self.keys).inspect_err(|_| drop(self.keys.pop()))?;
        self.find_joints();
        Ok(number)
    }

    /// Adds a key with what the behaviour does there already, to be changed from
    /// there: how the paper's designer refines a behaviour.
    pub fn insert_blended(&mut self, swing: Vec2) -> Result<usize, RigError> {
        let weights = self.plane.weights(swing, 0);
        let mut pose = self.keys[0].pose.clone();
        for &joint in &self.joints {
            let (q, t) = weights.blend(|key| {
                let from = &self.keys[key].pose;
                (rotation::same_side(from.rotation(joint), Quat::IDENTITY), from.translation(joint))
            });
            pose.rotations[joint.index()] = rotation::normalize_or_identity(q);
            pose.translations[joint.index()] = t;
        }
        let values = self.values(&weights);
        self.insert(KeyPosture { swing, pose, values })
    }

    /// Puts a key at another swing.
    pub fn move_key(&mut self, number: usize, swing: Vec2) -> Result<(), RigError> {
        self.check_inner(number)?;
        let before = core::mem::replace(&mut self.keys[number].swing, swing);
        self.plane = plane_of(&self.keys).inspect_err(|_| self.keys[number].swing = before)?;
        Ok(())
    }

    /// Takes a key away; those after it move up by one.
    pub fn remove(&mut self, number: usize) -> Result<KeyPosture, RigError> {
        self.check_inner(number)?;
        let key = self.keys.remove(number);
        // Fewer of the points that were fine together are fine together.
        self.plane = plane_of(&self.keys)?;
        self.find_joints();
        Ok(key)
    }

    /// Gives a key, also an outer one, another posture.
    pub fn set_posture(&mut self, number: usize, pose: Pose) -> Result<(), RigError> {
        let len = self.pose_len();
        let key = self.keys.get_mut(number).ok_or_else(|| wrong(number, NO_SUCH_KEY))?;
        check_pose(number, &pose, len)?;
        key.pose = pose;
        self.find_joints();
        Ok(())
    }

    /// Gives a key, also an outer one, other values.
    pub fn set_values(&mut self, number: usize, values: KeyValues) -> Result<(), RigError> {
        let key = self.keys.get_mut(number).ok_or_else(|| wrong(number, NO_SUCH_KEY))?;
        check_values(number, &values)?;
        key.values = values;
        Ok(())
    }

    fn check_inner(&self, number: usize) -> Result<(), RigError> {
        match number {
            n if n >= self.keys.len() => Err(wrong(n, NO_SUCH_KEY)),
            n if n < OUTER.len() => {
                Err(wrong(n, "it is one of the four outer keys, which stay where they are"))
            }
            _ => Ok(()),
        }
    }

    fn find_joints(&mut self) {
        let moved = |i: usize| {
            self.keys
                .iter()
                .any(|key| key.pose.rotations[i] != Quat::IDENTITY || key.pose.translations[i] != Vec3::ZERO)
        };
        self.joints = (0..self.pose_len()).filter(|&i| moved(i)).map(|i| JointId(i as u32)).collect();
    }

    /// The blend of the keys' values.
    pub(super) fn values(&self, weights: &PlaneWeights) -> KeyValues {
        KeyValues::blend(weights.iter().map(|(key, weight)| (self.keys[key].values, weight)))
    }
}

/// The plane of the swings of all keys but the outer ones.
fn plane_of(keys: &[KeyPosture]) -> Result<SwingPlane, RigError> {
    let swings: Vec<Vec2> = keys[OUTER.len()..].iter().map(|key| key.swing).collect();
    SwingPlane::new(&swings)
}

fn check_pose(number: usize, pose: &Pose, len: usize) -> Result<(), RigError> {
    let fits = pose.len() == len && pose.is_finite();
    if fits { Ok(()) } else { Err(wrong(number, "the posture is not of this skeleton, or not finite")) }
}

fn check_values(number: usize, values: &KeyValues) -> Result<(), RigError> {
    values.check().map_err(|problem| wrong(number, problem))
}

const NO_SUCH_KEY: &str = "there is none of this number";

pub(super) fn wrong(key: usize, problem: impl Into<String>) -> RigError {
    RigError::Key { key, problem: problem.into() }
}
