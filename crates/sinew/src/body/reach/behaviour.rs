//! A body behaviour: key postures on the swing plane.

use alloc::string::String;
use alloc::vec::Vec;

use super::plane::{OUTER, PlaneError, PlaneWeights, SwingPlane};
use super::values::KeyValues;
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

/// Why a behaviour cannot be changed like that.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BehaviourError {
    /// The points do not make a swing plane.
    #[error(transparent)]
    Plane(#[from] PlaneError),
    /// A posture is not one of this behaviour's skeleton, or not finite.
    #[error("key {0}: the posture is not of this skeleton, or not finite")]
    BadPosture(usize),
    /// There is no such key.
    #[error("there is no key {0}")]
    NoSuchKey(usize),
    /// The four outer keys stay where they are.
    #[error("key {0} is one of the four outer keys, which stay where they are")]
    Outer(usize),
    /// More keys than a behaviour takes.
    #[error("a behaviour takes at most {} keys", Behaviour::MAX_KEYS)]
    TooMany,
    /// A value is out of its range.
    #[error("key {0}: {1}")]
    BadValue(usize, &'static str),
}

/// Key postures for one arm.
///
/// The first four keys are the outer ones (see [`SwingPlane`]); the others are
/// numbered in the order of inserting. Editing allocates, asking does not.
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
    ) -> Result<Self, BehaviourError> {
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
    ) -> Result<Self, BehaviourError> {
        if keys.len() < OUTER.len() {
            return Err(BehaviourError::NoSuchKey(keys.len()));
        }
        if keys.len() > Self::MAX_KEYS {
            return Err(BehaviourError::TooMany);
        }
        for (i, key) in keys.iter_mut().enumerate() {
            if let Some(swing) = OUTER.get(i) {
                key.swing = *swing;
            }
            if key.pose.len() != skeleton.len() || !key.pose.is_finite() {
                return Err(BehaviourError::BadPosture(i));
            }
            key.values.check().map_err(|problem| BehaviourError::BadValue(i, problem))?;
        }
        let swings: Vec<Vec2> = keys[4..].iter().map(|key| key.swing).collect();
        let plane = SwingPlane::new(&swings)?;
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
    pub fn set_stance(&mut self, stance: Option<Pose>) -> Result<(), BehaviourError> {
        if stance.as_ref().is_some_and(|p| p.len() != self.pose_len() || !p.is_finite()) {
            return Err(BehaviourError::BadPosture(self.keys.len()));
        }
        self.stance = stance;
        Ok(())
    }

    /// The keys, the four outer ones first.
    pub fn keys(&self) -> &[KeyPosture] {
        &self.keys
    }

    /// The plane that the keys stand on.
    pub fn plane(&self) -> &SwingPlane {
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
    pub fn insert(&mut self, key: KeyPosture) -> Result<usize, BehaviourError> {
        let number = self.keys.len();
        if number >= Self::MAX_KEYS {
            return Err(BehaviourError::TooMany);
        }
        if key.pose.len() != self.pose_len() || !key.pose.is_finite() {
            return Err(BehaviourError::BadPosture(number));
        }
        key.values.check().map_err(|problem| BehaviourError::BadValue(number, problem))?;
        self.keys.push(key);
        if let Err(error) = self.triangulate() {
            self.keys.pop();
            return Err(error);
        }
        self.find_joints();
        Ok(number)
    }

    /// Adds a key with what the behaviour does there already, to be changed from
    /// there: how the paper's designer refines a behaviour.
    pub fn insert_blended(&mut self, swing: Vec2) -> Result<usize, BehaviourError> {
        let weights = self.plane.weights(swing, 0);
        let mut pose = self.keys[0].pose.clone();
        self.posture(&weights, &mut pose);
        let values = self.values(&weights);
        self.insert(KeyPosture { swing, pose, values })
    }

    /// Puts a key at another swing.
    pub fn move_key(&mut self, number: usize, swing: Vec2) -> Result<(), BehaviourError> {
        self.check_inner(number)?;
        let before = core::mem::replace(&mut self.keys[number].swing, swing);
        self.triangulate().inspect_err(|_| self.keys[number].swing = before)
    }

    /// Takes a key away; those after it move up by one.
    pub fn remove(&mut self, number: usize) -> Result<KeyPosture, BehaviourError> {
        self.check_inner(number)?;
        let key = self.keys.remove(number);
        // Fewer of the points that were fine together are fine together.
        self.triangulate()?;
        self.find_joints();
        Ok(key)
    }

    /// Gives a key, also an outer one, another posture.
    pub fn set_posture(&mut self, number: usize, pose: Pose) -> Result<(), BehaviourError> {
        if number >= self.keys.len() {
            return Err(BehaviourError::NoSuchKey(number));
        }
        if pose.len() != self.pose_len() || !pose.is_finite() {
            return Err(BehaviourError::BadPosture(number));
        }
        self.keys[number].pose = pose;
        self.find_joints();
        Ok(())
    }

    /// Gives a key, also an outer one, other values.
    pub fn set_values(&mut self, number: usize, values: KeyValues) -> Result<(), BehaviourError> {
        if number >= self.keys.len() {
            return Err(BehaviourError::NoSuchKey(number));
        }
        values.check().map_err(|problem| BehaviourError::BadValue(number, problem))?;
        self.keys[number].values = values;
        Ok(())
    }

    fn check_inner(&self, number: usize) -> Result<(), BehaviourError> {
        match number {
            n if n >= self.keys.len() => Err(BehaviourError::NoSuchKey(n)),
            n if n < OUTER.len() => Err(BehaviourError::Outer(n)),
            _ => Ok(()),
        }
    }

    fn triangulate(&mut self) -> Result<(), BehaviourError> {
        let swings: Vec<Vec2> = self.keys[4..].iter().map(|key| key.swing).collect();
        self.plane = SwingPlane::new(&swings)?;
        Ok(())
    }

    fn find_joints(&mut self) {
        let moved = |i: usize| {
            self.keys
                .iter()
                .any(|key| key.pose.rotations[i] != Quat::IDENTITY || key.pose.translations[i] != Vec3::ZERO)
        };
        self.joints = (0..self.pose_len()).filter(|&i| moved(i)).map(|i| JointId(i as u32)).collect();
    }

    /// Sets the behaviour's joints of `pose` to the blend of its keys; the others stay.
    pub fn posture(&self, weights: &PlaneWeights, pose: &mut Pose) {
        for &joint in &self.joints {
            let (q, t) = self.blended(weights, joint, Quat::IDENTITY);
            pose.rotations[joint.index()] = rotation::normalize_or_identity(q);
            pose.translations[joint.index()] = t;
        }
    }

    /// The weighted sum of the keys' rotations (not unit) and translations of a
    /// joint, on the side of `near`.
    #[inline]
    pub(super) fn blended(&self, weights: &PlaneWeights, joint: JointId, near: Quat) -> (Quat, Vec3) {
        let mut q = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        let mut t = Vec3::ZERO;
        for (key, weight) in weights.iter() {
            let pose = &self.keys[key].pose;
            q += rotation::same_side(pose.rotations[joint.index()], near) * weight;
            t += pose.translations[joint.index()] * weight;
        }
        (q, t)
    }

    /// The blend of the keys' values.
    pub fn values(&self, weights: &PlaneWeights) -> KeyValues {
        KeyValues::blend(weights.iter().map(|(key, weight)| (self.keys[key].values, weight)))
    }
}
