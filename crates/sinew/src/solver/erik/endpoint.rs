//! Where a character looks from, and where straight ahead is.

use super::Erik;
use crate::goal::{Effector, Target};
use crate::math::*;
use crate::skeleton::{JointId, JointKind, Skeleton};

/// The tip of the chain with the most joints that move: of those that ERIK takes, if there are any.
pub fn end_of_longest_chain(skeleton: &Skeleton) -> Effector {
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
    Effector::at_tip(skeleton, skeleton.ids().rev().max_by_key(|j| key(*j)).unwrap_or(skeleton.root()))
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

    /// Where an end point at this place looks: a unit vector in model space.
    pub fn sight(&self, endpoint: usize, now: Transform) -> Option<Vec3> {
        self.body.limbs.get(endpoint).map(|limb| now.rotation * limb.pointing)
    }
}
