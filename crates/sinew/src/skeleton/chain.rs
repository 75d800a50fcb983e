//! A path through the skeleton.

use alloc::vec::Vec;

use super::{JointId, Skeleton};
use crate::math::Real;

/// The joints from one joint down to another, both included.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Chain {
    joints: Vec<JointId>,
}

impl Chain {
    /// The chain from `base` down to `tip`, or `None` if `base` is not above `tip`.
    pub fn new(skeleton: &Skeleton, base: JointId, tip: JointId) -> Option<Self> {
        if !skeleton.contains(base) || !skeleton.contains(tip) || !skeleton.is_ancestor(base, tip) {
            return None;
        }
        let mut joints: Vec<JointId> = Vec::new();
        for joint in skeleton.ancestors(tip) {
            joints.push(joint);
            if joint == base {
                break;
            }
        }
        joints.reverse();
        Some(Self { joints })
    }

    /// The chain from the root to `tip`.
    pub fn from_root(skeleton: &Skeleton, tip: JointId) -> Option<Self> {
        Self::new(skeleton, skeleton.root(), tip)
    }

    /// The joints, base first.
    pub fn joints(&self) -> &[JointId] {
        &self.joints
    }

    /// The length of the stretched chain at rest, from the base joint to the tip joint.
    pub fn length(&self, skeleton: &Skeleton) -> Real {
        self.joints.iter().skip(1).map(|&j| skeleton.bone_length(j)).sum()
    }
}
