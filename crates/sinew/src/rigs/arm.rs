//! A robot arm with seven hinges.

use super::degrees;
use crate::math::*;
use crate::skeleton::{JointDef, JointKind, Skeleton, SkeletonBuilder};

/// A seven-axis robot arm with a spherical shoulder, a hinge at the elbow and a
/// spherical wrist (the "S-R-S" layout), stretched straight up at rest.
///
/// Twists about Y and bends about X alternate. The shoulder's centre is 0.32 m
/// above the foot, the upper arm measures 0.42 m, the forearm 0.38 m, and the
/// fixed joint `flange` lies 0.12 m beyond the wrist's centre: a reach of 0.80 m
/// to the wrist. Bends stop at ±115°, twists at ±165°, the last at ±175°; the
/// numbers are this project's own, of the size that such arms have.
pub fn arm() -> Skeleton {
    // What each joint turns about, how far it stands above the one before, and
    // how far it turns to either side in degrees.
    let joints: [(Vec3, Real, Real); 7] = [
        (Vec3::Y, 0.0, 165.0),
        (Vec3::X, 0.32, 115.0),
        (Vec3::Y, 0.0, 165.0),
        (Vec3::X, 0.42, 115.0),
        (Vec3::Y, 0.0, 165.0),
        (Vec3::X, 0.38, 115.0),
        (Vec3::Y, 0.0, 175.0),
    ];
    let mut builder = SkeletonBuilder::new("arm");
    builder.add(JointDef::new("base").kind(JointKind::Fixed));
    let joints = joints.map(|(axis, height, range)| (axis, height, degrees(range)));
    super::add_hinges(&mut builder, 1, joints, ("flange", 0.12));
    super::built(builder)
}
