//! Chains and tentacles of any length.

use crate::math::*;
use crate::skeleton::{JointDef, Skeleton, SkeletonBuilder};

/// A straight chain of `bones` ball joints going up, `length` metres in all,
/// with a last joint at its tip. At least one bone, at most the skeleton's
/// capacity.
pub fn chain(bones: usize, length: Real) -> Skeleton {
    let bones = bones.clamp(1, SkeletonBuilder::MAX_JOINTS - 1);
    let step = Vec3::Y * (length / bones as Real);
    let mut builder = SkeletonBuilder::new("chain");
    let mut last = builder.add(JointDef::new("joint0"));
    for i in 1..=bones {
        let name = if i == bones { "tip".into() } else { alloc::format!("joint{i}") };
        last = builder.add(JointDef::new(name).under(last).at(step));
    }
    super::built(builder)
}
