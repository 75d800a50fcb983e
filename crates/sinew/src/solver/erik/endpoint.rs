//! Where a character looks from, and where straight ahead is.

use super::Erik;
use crate::goal::{Effector, Target};
use crate::math::*;
use crate::skeleton::{JointId, JointKind, Skeleton};

/// An end point: what should look somewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Endpoint {
    /// The frame that should be turned.
    pub effector: Effector,
    /// Where it looks, a direction in the effector's frame; `None` for along
    /// the last segment of the chain.
    pub forward: Option<Vec3>,
    /// How much it counts against other end points.
    pub weight: Real,
}

impl Endpoint {
    /// A joint's own frame, looking along the last segment.
    pub const fn at(joint: JointId) -> Self {
        Self { effector: Effector::at(joint), forward: None, weight: 1.0 }
    }

    /// Looking along this direction of the effector's frame.
    pub const fn looking(mut self, forward: Vec3) -> Self {
        self.forward = Some(forward);
        self
    }

    /// A joint that looks from the end of its bone, if that ends in the air.
    pub fn at_tip(skeleton: &Skeleton, joint: JointId) -> Self {
        let mut end = Self::at(joint);
        if skeleton.contains(joint) {
            end.effector.offset.translation = skeleton.joint(joint).tip().unwrap_or(Vec3::ZERO);
        }
        end
    }

    /// The tip of the chain with the most joints that move: of those that ERIK
    /// takes, if there are any.
    pub fn of_longest_chain(skeleton: &Skeleton) -> Self {
        let moves = |j: &JointId| skeleton.joint(*j).kind() != JointKind::Fixed;
        let taken = |j: JointId| {
            let joint = skeleton.joint(j);
            joint.stiffness() >= 1.0 || joint.kind().degrees_of_freedom() <= 1
        };
        let key = |joint: JointId| {
            let moving = skeleton.ancestors(joint).filter(moves).count();
            (skeleton.ancestors(joint).all(taken) && moving > 0, moving, skeleton.ancestors(joint).count())
        };
        // The first of the deepest, whatever is added after it.
        let joint = skeleton.ids().rev().max_by_key(|j| key(*j)).unwrap_or(skeleton.root());
        Self::at_tip(skeleton, joint)
    }
}

impl Erik {
    /// The target of an end point that should look in a direction: `turn` from
    /// straight ahead, which is along z with the least turn from rest.
    pub fn toward(&self, endpoint: usize, turn: Quat) -> Target {
        let Some(limb) = self.body.limbs.get(endpoint) else { return Target::Orientation(turn) };
        let ahead = rotation::between(limb.rest * limb.pointing, Vec3::Z, Vec3::X);
        Target::Orientation((turn * ahead * limb.rest).normalize())
    }

    /// The target of an end point that should look at a point, along its own
    /// forward axis.
    pub fn aim(&self, endpoint: usize, at: Vec3) -> Target {
        Target::Aim { axis: self.body.limbs.get(endpoint).map_or(Vec3::Z, |limb| limb.pointing), at }
    }

    /// Where an end point looks that stands so: a unit vector in model space.
    pub fn sight(&self, endpoint: usize, now: Transform) -> Option<Vec3> {
        self.body.limbs.get(endpoint).map(|limb| now.rotation * limb.pointing)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/solver_erik_endpoint.rs"]
mod tests;
