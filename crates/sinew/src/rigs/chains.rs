//! Chains and tentacles of any length.

use alloc::string::String;

use super::degrees;
use crate::limit::{Cone, SwingShape, SwingTwistLimit};
use crate::math::*;
use crate::skeleton::{JointDef, JointKind, Skeleton, SkeletonBuilder};

/// A straight chain of `bones` ball joints going up, `length` metres in all,
/// with a last joint at its tip. At least one bone, at most the skeleton's
/// capacity; a length that is not a positive number counts as one metre.
pub fn chain(bones: usize, length: Real) -> Skeleton {
    let bones = sensible_count(bones);
    let step = Vec3::Y * (sensible_length(length) / bones as Real);
    let mut builder = SkeletonBuilder::new("chain");
    let mut last = builder.add(JointDef::new("joint0"));
    for i in 1..=bones {
        last = builder.add(JointDef::new(numbered(i, bones)).under(last).at(step));
    }
    super::built(builder)
}

/// How long the last bone of a tentacle is, against the first.
const TAPER: Real = 0.25;

/// A tentacle of `bones` ball joints going up, `length` metres in all, whose
/// bones get shorter by the same step each, down to a quarter. Every joint bends
/// up to 30° to any side and twists up to 10°, so eighteen bones can roll up
/// one and a half times. The fixed joint `tip` ends it. At least one bone; a
/// length that is not a positive number counts as one metre.
pub fn tentacle(bones: usize, length: Real) -> Skeleton {
    let bones = sensible_count(bones);
    let limit = SwingTwistLimit::along(Vec3::Y, Vec3::X)
        .swing(SwingShape::Cone(Cone { radius: degrees(30.0) }))
        .twist(degrees(-10.0), degrees(10.0));
    let share = |i: usize| 1.0 - (1.0 - TAPER) * i as Real / (bones.max(2) - 1) as Real;
    let whole: Real = (0..bones).map(share).sum();
    let scale = sensible_length(length) / whole;
    let mut builder = SkeletonBuilder::new("tentacle");
    let mut last = builder.add(JointDef::new("joint0").limit(limit.clone()));
    for i in 1..=bones {
        let mut joint = JointDef::new(numbered(i, bones)).under(last).at(Vec3::Y * (share(i - 1) * scale));
        joint = if i == bones { joint.kind(JointKind::Fixed) } else { joint.limit(limit.clone()) };
        last = builder.add(joint);
    }
    super::built(builder)
}

/// A snake of `hinges` hinges going up, `length` metres in all: a twist at the
/// root (±150°), bends forward and aside in turn (±70°), a twist of the head
/// (±90°), and the fixed joint `tip`. At least three hinges; a length that is
/// not a positive number counts as one metre.
pub fn snake(hinges: usize, length: Real) -> Skeleton {
    let hinges = sensible_count(hinges).max(3);
    let step = sensible_length(length) / hinges as Real;
    let hinge = |i: usize| {
        let (axis, half) = match i {
            0 => (Vec3::Y, 150.0),
            i if i + 1 == hinges => (Vec3::Y, 90.0),
            i if i % 2 == 1 => (Vec3::X, 70.0),
            _ => (Vec3::Z, 70.0),
        };
        (axis, if i == 0 { 0.0 } else { step }, degrees(half))
    };
    let mut builder = SkeletonBuilder::new("snake");
    super::add_hinges(&mut builder, 0, (0..hinges).map(hinge), ("tip", step));
    super::built(builder)
}

fn numbered(i: usize, bones: usize) -> String {
    if i == bones { "tip".into() } else { alloc::format!("joint{i}") }
}

fn sensible_count(bones: usize) -> usize {
    bones.clamp(1, SkeletonBuilder::MAX_JOINTS - 1)
}

fn sensible_length(length: Real) -> Real {
    if length.is_finite() && length > 0.0 { length } else { 1.0 }
}
