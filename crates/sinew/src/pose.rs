//! Poses: how the joints have moved, and where that puts them.
//!
//! A [`Pose`] holds each joint's motion relative to its rest transform, in the
//! joint's own rest frame; a [`ModelPose`] holds where each joint stands in
//! model space. Forward kinematics goes from the first to the second.

mod blend;
mod coordinates;
mod mirror;

use alloc::vec;
use alloc::vec::Vec;

use crate::math::*;
use crate::skeleton::{JointId, NO_PARENT, Skeleton};

pub use mirror::MirrorMap;

/// How far the squared length of a unit quaternion may be from one: what gathers when a
/// file or an engine multiplies a few rotations, and nobody sees.
const UNIT_SLACK: Real = 16.0 * ROUNDING;

#[inline]
fn is_sound(q: Quat, t: Vec3) -> bool {
    (q.length_squared() - 1.0).abs() <= UNIT_SLACK && t.is_finite()
}

/// How far every joint has moved from rest. The pose of identities is the rest pose.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose {
    pub(crate) rotations: Vec<Quat>,
    pub(crate) translations: Vec<Vec3>,
}

impl Pose {
    /// The pose in which nothing has moved.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            rotations: vec![Quat::IDENTITY; skeleton.len()],
            translations: vec![Vec3::ZERO; skeleton.len()],
        }
    }

    /// How many joints it poses.
    pub fn len(&self) -> usize {
        self.rotations.len()
    }

    /// Whether it poses no joint at all.
    pub fn is_empty(&self) -> bool {
        self.rotations.is_empty()
    }

    /// A joint's rotation from rest, in its rest frame.
    #[inline]
    pub fn rotation(&self, joint: JointId) -> Quat {
        self.rotations[joint.index()]
    }

    /// Sets a joint's rotation from rest. Limits are not looked at.
    #[inline]
    pub fn set_rotation(&mut self, joint: JointId, rotation: Quat) {
        self.rotations[joint.index()] = rotation;
    }

    /// A joint's shift from rest, in its rest frame.
    #[inline]
    pub fn translation(&self, joint: JointId) -> Vec3 {
        self.translations[joint.index()]
    }

    /// Sets a joint's shift from rest. Kinds and limits are not looked at, so
    /// files that move their bones can be played as they are.
    #[inline]
    pub fn set_translation(&mut self, joint: JointId, translation: Vec3) {
        self.translations[joint.index()] = translation;
    }

    /// All rotations from rest, in the skeleton's order.
    pub fn rotations(&self) -> &[Quat] {
        &self.rotations
    }

    /// All shifts from rest, in the skeleton's order.
    pub fn translations(&self) -> &[Vec3] {
        &self.translations
    }

    /// The transform from the joint to its parent: what other engines call
    /// the local transform.
    pub fn local(&self, skeleton: &Skeleton, joint: JointId) -> Transform {
        let i = joint.index();
        skeleton.rests[i] * Transform::new(self.translations[i], self.rotations[i])
    }

    /// Sets the transform from the joint to its parent.
    pub fn set_local(&mut self, skeleton: &Skeleton, joint: JointId, local: Transform) {
        let motion = skeleton.rests[joint.index()].inverse() * local;
        self.rotations[joint.index()] = motion.rotation;
        self.translations[joint.index()] = motion.translation;
    }

    /// Copies another pose of the same skeleton without allocating.
    pub fn copy_from(&mut self, other: &Self) {
        self.rotations.copy_from_slice(&other.rotations);
        self.translations.copy_from_slice(&other.translations);
    }

    /// Reads it ahead of its use, see [`lines`](crate::math::lines).
    #[inline]
    pub(crate) fn read(&self) -> Real {
        lines::read(&self.rotations, |q| q.x) + lines::read(&self.translations, |t| t.x)
    }

    /// Brings every joint within its kind and limit. What is within stays bit
    /// for bit; NaN and infinity become the rest value. Shifts of joints that cannot slide
    /// stay: they are not a motion of the joint but what a file or an animation made of its bone.
    pub fn project(&mut self, skeleton: &Skeleton) {
        self.mend();
        for (i, joint) in skeleton.joints().iter().enumerate() {
            self.rotations[i] = joint.project(self.rotations[i]);
            self.translations[i] = joint.project_translation(self.translations[i]);
        }
    }

    /// Makes rotations unit that are not, and puts the rest value for what is not finite.
    /// All else stays bit for bit. Returns the first joint that had to be mended.
    pub fn mend(&mut self) -> Option<JointId> {
        let first = self.first_unsound();
        for i in first.map_or(self.len(), JointId::index)..self.len() {
            let (q, t) = (self.rotations[i], self.translations[i]);
            if !is_sound(q, t) {
                self.rotations[i] = rotation::normalize_or_identity(q);
                self.translations[i] = if t.is_finite() { t } else { Vec3::ZERO };
            }
        }
        first
    }

    /// The first joint whose motion is not finite or whose rotation is not of unit length.
    pub fn first_unsound(&self) -> Option<JointId> {
        let mut motions = self.rotations.iter().zip(&self.translations);
        motions.position(|(q, t)| !is_sound(*q, *t)).map(|i| JointId(i as u32))
    }

    /// The joint that is furthest outside of its limit and by how many radians
    /// (metres for a prismatic joint), or `None` if all hold.
    pub fn worst_violation(&self, skeleton: &Skeleton) -> Option<(JointId, Real)> {
        let mut worst: Option<(JointId, Real)> = None;
        for id in skeleton.ids() {
            let v = skeleton.joint(id).violation(self.rotation(id), self.translation(id));
            if v > crate::limit::SLACK && worst.is_none_or(|(_, w)| v > w) {
                worst = Some((id, v));
            }
        }
        worst
    }

    /// Whether every number in it is finite.
    pub fn is_finite(&self) -> bool {
        self.rotations.iter().all(|q| q.is_finite()) && self.translations.iter().all(|t| t.is_finite())
    }
}

/// Where every joint stands in model space.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelPose {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) rotations: Vec<Quat>,
}

impl ModelPose {
    /// The rest pose in model space.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self::new(skeleton, &Pose::rest(skeleton))
    }

    /// Forward kinematics of a pose.
    ///
    /// ```
    /// use sinew::{ModelPose, Pose, Vec3, math::rotation};
    /// let skeleton = sinew::rigs::chain(3, 1.0);
    /// let mut pose = Pose::rest(&skeleton);
    /// pose.set_rotation(skeleton.root(), rotation::exp(Vec3::X * 0.5));
    /// let model = ModelPose::new(&skeleton, &pose);
    /// assert_eq!(model.position(skeleton.root()), Vec3::ZERO);
    /// ```
    pub fn new(skeleton: &Skeleton, pose: &Pose) -> Self {
        let mut model = Self {
            positions: vec![Vec3::ZERO; skeleton.len()],
            rotations: vec![Quat::IDENTITY; skeleton.len()],
        };
        model.update(skeleton, pose);
        model
    }

    /// Recomputes every joint.
    #[inline]
    pub fn update(&mut self, skeleton: &Skeleton, pose: &Pose) {
        self.update_range(skeleton, pose, 0..skeleton.len());
    }

    /// Recomputes a joint and everything below it, after its motion changed.
    #[inline]
    pub fn update_below(&mut self, skeleton: &Skeleton, pose: &Pose, joint: JointId) {
        self.update_range(skeleton, pose, skeleton.subtree(joint));
    }

    /// Recomputes one joint alone; its children are stale until they follow.
    #[inline]
    pub fn update_joint(&mut self, skeleton: &Skeleton, pose: &Pose, joint: JointId) {
        let i = joint.index();
        let (Some(rest), Some(&turn), Some(&shift)) =
            (skeleton.rests.get(i), pose.rotations.get(i), pose.translations.get(i))
        else {
            return;
        };
        let mut offset = rest.translation;
        if shift != Vec3::ZERO {
            offset += rest.rotation * shift;
        }
        let (mut position, mut rotation) = (offset, rest.rotation * turn);
        let parent = skeleton.parents[i];
        if parent != NO_PARENT {
            let above = self.rotations[parent as usize];
            position = self.positions[parent as usize] + above * offset;
            rotation = above * rotation;
        }
        self.positions[i] = position;
        self.rotations[i] = rotation;
    }

    /// Reads it ahead of its use, see [`lines`](crate::math::lines).
    #[inline]
    pub(crate) fn read(&self) -> Real {
        lines::read(&self.rotations, |q| q.x) + lines::read(&self.positions, |p| p.x)
    }

    /// Recomputes a run of joints; their parents before it must stand right.
    #[inline]
    pub(crate) fn update_range(&mut self, skeleton: &Skeleton, pose: &Pose, range: core::ops::Range<usize>) {
        // Slices of one length, so that the bounds are checked once.
        let end = range.end;
        let parents = &skeleton.parents[..end];
        let rests = &skeleton.rests[..end];
        let turns = &pose.rotations[..end];
        let shifts = &pose.translations[..end];
        let positions = &mut self.positions[..end];
        let rotations = &mut self.rotations[..end];
        for i in range {
            let rest = rests[i];
            let mut offset = rest.translation;
            // Nearly no joint is shifted; the branch is cheaper than the turn.
            if shifts[i] != Vec3::ZERO {
                offset += rest.rotation * shifts[i];
            }
            let local = rest.rotation * turns[i];
            let parent = parents[i];
            if parent == NO_PARENT {
                positions[i] = offset;
                rotations[i] = local;
            } else {
                let parent = parent as usize;
                let turn = rotations[parent];
                positions[i] = positions[parent] + turn * offset;
                rotations[i] = turn * local;
            }
        }
    }

    /// Where a joint stands.
    #[inline]
    pub fn position(&self, joint: JointId) -> Vec3 {
        self.positions[joint.index()]
    }

    /// How a joint is turned.
    #[inline]
    pub fn rotation(&self, joint: JointId) -> Quat {
        self.rotations[joint.index()]
    }

    /// The transform from the joint's frame to model space.
    #[inline]
    pub fn transform(&self, joint: JointId) -> Transform {
        Transform::new(self.positions[joint.index()], self.rotations[joint.index()])
    }

    /// The rotation of the frame that the joint's own rotation starts from:
    /// its parent's rotation and its rest rotation.
    #[inline]
    pub fn rest_frame(&self, skeleton: &Skeleton, joint: JointId) -> Quat {
        let rest = skeleton.rests[joint.index()].rotation;
        match skeleton.parents[joint.index()] {
            NO_PARENT => rest,
            parent => self.rotations[parent as usize] * rest,
        }
    }

    /// All positions, in the skeleton's order.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// All rotations, in the skeleton's order.
    pub fn rotations(&self) -> &[Quat] {
        &self.rotations
    }
}
