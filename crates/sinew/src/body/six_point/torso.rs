//! The torso that elbows keep out of (Unzueta et al. 2008, section 8).
//!
//! The paper takes the torso's parts as prisms; here it is a capsule from the
//! hips to the joint that carries the arms, as thick as fits between the
//! shoulders. Arms that touch at rest, or in the relaxed pose, would never be
//! free: the radius is what the rest pose leaves.

use crate::analytic::{Contact, LimbPose};
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::JointId;

#[derive(Debug, Clone, Copy)]
pub(super) struct Torso {
    pub hips: JointId,
    pub chest: JointId,
    pub radius: Real,
}

impl Torso {
    /// Whether a point lies in the torso.
    #[inline]
    pub(super) fn holds(&self, model: &ModelPose, point: Vec3) -> bool {
        let (low, high) = (model.position(self.hips), model.position(self.chest));
        let way = high - low;
        let squared = way.length_squared();
        let part =
            if squared > HAIR * HAIR { ((point - low).dot(way) / squared).clamp(0.0, 1.0) } else { 0.0 };
        (point - (low + way * part)).length_squared() < self.radius * self.radius
    }

    /// What the limb touches.
    pub(super) fn contact(&self, model: &ModelPose, limb: &LimbPose) -> Option<Contact> {
        self.holds(model, limb.mid.translation)
            .then_some(Contact { joint: self.chest, other: Some(self.hips) })
    }
}
