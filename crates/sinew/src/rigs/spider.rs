//! A spider: eight legs of four hinges.

use alloc::format;

use super::degrees;
use crate::math::*;
use crate::skeleton::{JointDef, JointKind, Skeleton, SkeletonBuilder};

/// How a leg leaves the body, in degrees from straight ahead to the left, front
/// to back; the right legs are their mirror images.
const HEADINGS: [Real; 4] = [32.0, 68.0, 108.0, 148.0];

/// Length of each segment and its rise above the horizontal in degrees: coxa,
/// femur, tibia, tarsus.
const SEGMENTS: [(Real, Real); 4] = [(0.04, 0.0), (0.13, 48.0), (0.17, -62.0), (0.08, -80.0)];

/// A spider of eight legs with four hinges each, half a metre across.
///
/// The root `body` moves freely, `head` and `abdomen` are fixed to it. The legs
/// are called `l1` (front) to `l4` and `r1` to `r4`; each has a `coxa` that turns
/// about the vertical, a `femur`, a `tibia` and a `tarsus` that bend in the leg's
/// plane, and a fixed `foot` on the ground. A bend is positive downwards.
pub fn spider() -> Skeleton {
    let height: Real = -SEGMENTS.iter().map(|&(length, rise)| length * degrees(rise).sin()).sum::<Real>();
    let mut builder = SkeletonBuilder::new("spider");
    let body = builder.add(JointDef::new("body").at(Vec3::Y * height).kind(JointKind::Free));
    for (name, z, tip) in [("head", 0.06, Vec3::Z * 0.04), ("abdomen", -0.06, Vec3::new(0.0, 0.02, -0.12))] {
        let at = Vec3::new(0.0, 0.01, z);
        builder.add(JointDef::new(name).under(body).at(at).kind(JointKind::Fixed).tip(tip));
    }
    for (side, sign) in [("l", 1.0), ("r", -1.0)] {
        for (i, heading) in HEADINGS.into_iter().enumerate() {
            // In the leg's frame z points outwards, y up, and bending down is a
            // turn about x.
            let turn = rotation::about(Vec3::Y, sign * degrees(heading));
            let named = |part: &str| JointDef::new(format!("{side}{}_{part}", i + 1));
            let along = |segment: usize| {
                let (length, rise) = SEGMENTS[segment];
                Vec3::new(0.0, degrees(rise).sin(), degrees(rise).cos()) * length
            };
            let bend = |joint: JointDef, min: Real, max: Real| {
                joint.hinge_range(Vec3::X, degrees(min), degrees(max))
            };
            let coxa = named("coxa").under(body).at(turn * Vec3::Z * 0.05).turned(turn);
            let coxa = builder.add(coxa.hinge_range(Vec3::Y, degrees(-40.0), degrees(40.0)));
            let femur = builder.add(bend(named("femur").under(coxa).at(along(0)), -40.0, 80.0));
            let tibia = builder.add(bend(named("tibia").under(femur).at(along(1)), -100.0, 45.0));
            let tarsus = builder.add(bend(named("tarsus").under(tibia).at(along(2)), -35.0, 35.0));
            builder.add(named("foot").under(tarsus).at(along(3)).kind(JointKind::Fixed));
        }
    }
    super::built(builder)
}
