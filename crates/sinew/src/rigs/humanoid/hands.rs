//! The fingers. The hand hangs with the palm to the thigh and the thumb in front.

use alloc::format;

use super::body::{Body, Placed, Side, hinge};
use super::limits;
use crate::limit::{AngleRange, UniversalLimit};
use crate::math::*;
use crate::rigs::degrees;
use crate::skeleton::{JointDef, JointKind};

/// H-Anim's name, where the knuckle is from the wrist (down, forwards), and the
/// lengths of the three bones, in metres.
const FINGERS: [(&str, [Real; 2], [Real; 3]); 4] = [
    ("index", [0.09, 0.027], [0.045, 0.026, 0.02]),
    ("middle", [0.095, 0.007], [0.049, 0.03, 0.021]),
    ("ring", [0.09, -0.012], [0.045, 0.028, 0.021]),
    ("pinky", [0.081, -0.03], [0.036, 0.021, 0.019]),
];

/// Metacarpal, proximal and distal bone of the thumb.
const THUMB: [Real; 3] = [0.045, 0.034, 0.028];

/// Thumb, index and little finger of one joint each, long enough for the whole
/// finger: what the 34 joints have.
pub(super) fn add_short_fingers(body: &mut Body, side: Side) {
    let wrist = body.find(&format!("{}_wrist", side.0));
    let (thumb, along, _) = add_thumb_base(body, wrist, side);
    body.set_tip(thumb, thumb.at + along * THUMB.iter().sum::<Real>());
    for (name, knuckle, lengths) in [FINGERS[0], FINGERS[3]] {
        let first = add_knuckle(body, wrist, side, name, knuckle);
        body.set_tip(first, first.at - Vec3::Y * lengths.iter().sum::<Real>());
    }
}

/// All five fingers of three joints each.
pub(super) fn add_fingers(body: &mut Body, side: Side) {
    let wrist = body.find(&format!("{}_wrist", side.0));
    let (thumb, along, flexion) = add_thumb_base(body, wrist, side);
    let ranges = [limits::THUMB_MIDDLE, limits::THUMB_END];
    add_phalanges(body, side, ("thumb", thumb), along, flexion, THUMB, ranges);
    for (name, knuckle, lengths) in FINGERS {
        let first = add_knuckle(body, wrist, side, name, knuckle);
        let ranges = [limits::FINGER_MIDDLE, limits::FINGER_END];
        add_phalanges(body, side, (name, first), Vec3::NEG_Y, curl(side), lengths, ranges);
    }
}

/// The turn that curls the fingers into the palm.
fn curl((_, s): Side) -> Vec3 {
    Vec3::NEG_Z * s
}

/// The first joint of the thumb, the direction of its bones and the axis about
/// which they flex across the palm.
fn add_thumb_base(body: &mut Body, wrist: Placed, (letter, s): Side) -> (Placed, Vec3, Vec3) {
    // Of the left hand; the directions are mirrored, the axis the other way.
    let along = Vec3::new(-0.25, -0.8, 0.55).normalize();
    let across_the_palm = Vec3::new(-0.5, 0.0, -0.85);
    let flexion = along.cross(across_the_palm).normalize();
    let saddle = body.saddle(&format!("{letter}_thumb1"), along, flexion, s);
    let at = wrist.at + Vec3::new(-0.008 * s, -0.022, 0.024);
    let placed = body.add(saddle, Some(wrist), at);
    (placed, Vec3::new(along.x * s, along.y, along.z), Vec3::new(flexion.x, flexion.y * s, flexion.z * s))
}

fn add_knuckle(body: &mut Body, wrist: Placed, side: Side, name: &str, knuckle: [Real; 2]) -> Placed {
    let axes = [curl(side), Vec3::X];
    let range = |(min, max): limits::Degrees| AngleRange::new(degrees(min), degrees(max));
    let joint = JointDef::new(format!("{}_{name}1", side.0))
        .kind(JointKind::Universal { first: axes[0], second: axes[1] })
        .limit(UniversalLimit::new(axes, range(limits::KNUCKLE), range(limits::SPREAD)));
    body.add(joint, Some(wrist), wrist.at + Vec3::new(0.0, -knuckle[0], knuckle[1]))
}

/// The second and third joint of a finger and its tip.
fn add_phalanges(
    body: &mut Body,
    (letter, _): Side,
    (name, first): (&str, Placed),
    along: Vec3,
    flexion: Vec3,
    lengths: [Real; 3],
    ranges: [limits::Degrees; 2],
) {
    let mut last = first;
    for (i, range) in ranges.into_iter().enumerate() {
        let joint = hinge(JointDef::new(format!("{letter}_{name}{}", i + 2)), flexion, range);
        let at = last.at + along * lengths[i];
        last = body.add(joint, Some(last), at);
    }
    body.set_tip(last, last.at + along * lengths[2]);
}
