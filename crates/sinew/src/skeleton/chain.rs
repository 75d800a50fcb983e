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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::skeleton::{JointDef, SkeletonBuilder};

    #[test]
    fn a_chain_runs_down_and_knows_its_length() {
        let mut b = SkeletonBuilder::new("t");
        let a = b.add(JointDef::new("a"));
        let c = b.add(JointDef::new("b").under(a).at(Vec3::Y * 2.0));
        b.add(JointDef::new("c").under(c).at(Vec3::X * 0.5));
        b.add(JointDef::new("d").under(a).at(Vec3::X));
        let s = b.build().unwrap();
        let id = |n: &str| s.find(n).unwrap();
        let chain = Chain::new(&s, id("a"), id("c")).unwrap();
        assert_eq!(chain.joints(), [id("a"), id("b"), id("c")]);
        assert!((chain.length(&s) - 2.5).abs() < 1e-6);
        assert_eq!(Chain::new(&s, id("d"), id("c")), None);
    }
}
