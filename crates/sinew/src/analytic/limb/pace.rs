//! How far a limb goes in one frame.
//!
//! A limb's pose is a function of its goal and of the swivel angle, and that function
//! jumps where the geometry makes it: an arc of allowed swivel angles closes while
//! another is open, a goal comes free behind an obstacle, a hand passes its own
//! shoulder. On a screen, and for a motor, a jump is wrong whatever the reason. So the
//! limb remembers where it was and, when the new pose is further away than the goal's own
//! move accounts for, goes there over several frames.
//!
//! What the goal's move accounts for is seen from the base: by how much the line to the
//! goal turned, by how much the bend for its distance changed, by how much the wanted
//! orientation turned. Joints turn by about as much when the swivel angle is carried
//! along. Full extension, where the bend goes like the root of the distance, is
//! therefore no jump. Not even that may exceed [`FASTEST`] times the step.
//!
//! Between two allowed poses the joints turn each by itself, held within their limits. So
//! the end leaves its path while the limb changes over, and the report says so.

use alloc::vec::Vec;

use super::{Limb, LimbGoal};
use crate::goal::Target;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::{JointId, Skeleton};

/// How many steps a joint may turn in one frame when its goal moves fast.
pub const FASTEST: Real = 3.0;
/// How much more than the goal's own turn the joints may turn.
const GAIN: Real = 2.0;

/// A goal as the limb's base sees it.
#[derive(Debug, Clone, Copy)]
pub struct SeenGoal {
    position: Vec3,
    orientation: Option<Quat>,
}

/// Where a limb was in the last frame.
#[derive(Debug, Clone)]
pub struct LimbPace {
    joints: Vec<JointId>,
    last: Vec<Quat>,
    /// Where it should go in this one.
    wanted: Vec<Quat>,
    /// The last frame's goal; `None` while there was no frame.
    goal: Option<SeenGoal>,
}

impl LimbPace {
    /// For a limb that has not moved yet.
    pub fn new(limb: &Limb) -> Self {
        let joints: Vec<JointId> = limb.written().collect();
        let last = alloc::vec![Quat::IDENTITY; joints.len()];
        Self { wanted: last.clone(), joints, last, goal: None }
    }

    /// Begins anew: the next pose may be anywhere.
    pub fn forget(&mut self) {
        self.goal = None;
    }

    /// Whether there was a frame before.
    pub fn is_known(&self) -> bool {
        self.goal.is_some()
    }

    /// Puts the limb where it was in the last frame, if there was one.
    #[inline]
    pub fn recall(&self, pose: &mut Pose) {
        if self.is_known() {
            for (joint, q) in self.joints.iter().zip(&self.last) {
                pose.set_rotation(*joint, *q);
            }
        }
    }

    /// Remembers the pose and the goal that it is for.
    #[inline]
    pub fn keep(&mut self, pose: &Pose, goal: SeenGoal) {
        for (joint, q) in self.joints.iter().zip(&mut self.last) {
            *q = pose.rotation(*joint);
        }
        self.goal = Some(goal);
    }

    /// The largest turn of a joint from the last frame to this pose, in radians.
    #[inline]
    pub fn turn(&self, pose: &Pose) -> Real {
        let mut least: Real = 1.0;
        for (joint, q) in self.joints.iter().zip(&self.last) {
            least = least.min(pose.rotation(*joint).dot(*q).abs());
        }
        2.0 * least.min(1.0).acos()
    }

    /// By how much more than `step` a joint may turn, since the goal has moved; `None` if
    /// there was no frame before.
    pub fn allowed(&self, limb: &Limb, goal: &SeenGoal, step: Real) -> Option<Real> {
        let last = self.goal?;
        let line = last.position.angle_between(goal.position);
        let bend = (limb.bend_at(last.position) - limb.bend_at(goal.position)).abs();
        let turn = match (last.orientation, goal.orientation) {
            (Some(a), Some(b)) => rotation::angle(a.conjugate() * b),
            _ => 0.0,
        };
        let accounted = line + bend + turn;
        let accounted = if accounted.is_finite() { accounted } else { 0.0 };
        Some((step + GAIN * accounted).min(FASTEST * step))
    }

    /// Takes the pose as where to go.
    pub fn aim(&mut self, pose: &Pose) {
        for (joint, q) in self.joints.iter().zip(&mut self.wanted) {
            *q = pose.rotation(*joint);
        }
    }

    /// Puts the limb at a part of the way from the last frame to where it should go.
    pub fn advance(&self, skeleton: &Skeleton, part: Real, pose: &mut Pose) {
        for ((joint, from), to) in self.joints.iter().zip(&self.last).zip(&self.wanted) {
            let turn = rotation::log(from.conjugate() * *to) * part;
            let q = rotation::normalize_or_identity(*from * rotation::exp(turn));
            pose.set_rotation(*joint, skeleton.joint(*joint).project(q));
        }
    }
}

impl Limb {
    /// Every joint that solving writes: base, middle and end, and the twist joints
    /// between and beside them.
    pub fn written(&self) -> impl Iterator<Item = JointId> + '_ {
        let links = self.upper_links.iter().chain(&self.lower_links).map(|link| link.joint);
        [self.joints.upper, self.joints.lower, self.joints.end]
            .into_iter()
            .chain(links)
            .chain(self.followers.iter().map(|follower| follower.joint))
    }

    /// A goal as the base sees it. `model` must hold where the base's parent stands.
    #[inline]
    pub fn seen(&self, model: &ModelPose, pose: &Pose, target: &Target) -> SeenGoal {
        let parent = self.parent.map_or(Transform::IDENTITY, |p| model.transform(p));
        let mut frame = parent * self.base_rest;
        frame.translation = frame.transform_point(pose.translation(self.joints.upper));
        let goal = LimbGoal::new(target, || self.end_of(&frame, pose));
        let back = frame.rotation.conjugate();
        SeenGoal {
            position: back * (goal.position - frame.translation),
            orientation: goal.orientation.map(|q| back * q),
        }
    }

    /// The bend with which the end is as far from the base as a point of its frame, as near
    /// as the limits allow.
    pub(crate) fn bend_at(&self, point: Vec3) -> Real {
        let cos = (point.length_squared() - self.bend.alpha) / self.bend.rho;
        let (most, least) = self.bend_cosines;
        cos.clamp(-1.0, 1.0).clamp(least.min(most), most).acos()
    }
}
