//! From what the names say to joints for the limbs, the head and the fingers.
//!
//! Some words mean different joints in different conventions: `LeftShoulder` is
//! the clavicle in Mixamo, where the upper arm is `LeftArm`, and the upper arm in
//! H-Anim, where the clavicle is something else; `LeftLeg` is the shin beside a
//! `LeftUpLeg`; `LHipJoint` is the thigh's parent beside a `LeftUpLeg` and the
//! thigh itself beside none. A doubtful word therefore gets the role that the
//! plain words of the same side leave open, the required roles first.

use alloc::vec::Vec;

use super::bone::{Finger, HumanoidBone, Phalanx, Side};
use super::names::{Part, Stage};
use super::{Evidence, FoundBy, Slots};
use crate::skeleton::JointId;

/// Fills the slots of everything but the trunk, which follows from the limbs.
pub(super) fn assign(evidence: &Evidence<'_>, slots: &mut Slots) {
    for side in Side::BOTH {
        assign_arm(evidence, side, slots);
        assign_leg(evidence, side, slots);
        assign_fingers(evidence, side, slots);
        slots.offer(HumanoidBone::Eye(side), evidence.best(Some(side), |p| p == Part::Eye), FoundBy::Name);
    }
    slots.offer(HumanoidBone::Head, evidence.best(None, |p| p == Part::Head), FoundBy::Name);
    slots.offer(HumanoidBone::Jaw, evidence.best(None, |p| p == Part::Jaw), FoundBy::Name);
}

fn assign_arm(evidence: &Evidence<'_>, side: Side, slots: &mut Slots) {
    let best = |wanted: Part| evidence.best(Some(side), move |p| p == wanted);
    let below = |above: Option<JointId>, wanted: Part| {
        evidence.best_below(above, Some(side), move |p| p == wanted).filter(|j| Some(*j) != above)
    };
    let upper = best(Part::UpperArm).or_else(|| best(Part::Arm)).or_else(|| best(Part::Shoulder));
    let lower = below(upper, Part::LowerArm).or_else(|| below(upper, Part::Arm));
    let hand = below(lower.or(upper), Part::Hand);
    let clavicle = best(Part::Clavicle)
        .or_else(|| best(Part::Shoulder).filter(|j| Some(*j) != upper))
        .filter(|c| upper.is_none_or(|u| evidence.skeleton.is_ancestor(*c, u)));
    slots.offer(HumanoidBone::Shoulder(side), clavicle, FoundBy::Name);
    let bones = [HumanoidBone::UpperArm(side), HumanoidBone::LowerArm(side), HumanoidBone::Hand(side)];
    slots.offer_limb(evidence.skeleton, bones, [upper, lower, hand], FoundBy::Name);
}

fn assign_leg(evidence: &Evidence<'_>, side: Side, slots: &mut Slots) {
    let best = |wanted: Part| evidence.best(Some(side), move |p| p == wanted);
    let below = |above: Option<JointId>, wanted: Part| {
        evidence.best_below(above, Some(side), move |p| p == wanted).filter(|j| Some(*j) != above)
    };
    let upper = best(Part::UpperLeg)
        .or_else(|| best(Part::Hip))
        .or_else(|| best(Part::Leg).filter(|_| best(Part::LowerLeg).is_some()));
    let lower = below(upper, Part::LowerLeg).or_else(|| below(upper, Part::Leg));
    let foot = below(lower.or(upper), Part::Foot);
    let toes = below(foot, Part::Toes).or_else(|| below(foot, Part::Midfoot));
    let bones = [HumanoidBone::UpperLeg(side), HumanoidBone::LowerLeg(side), HumanoidBone::Foot(side)];
    slots.offer_limb(evidence.skeleton, bones, [upper, lower, foot], FoundBy::Name);
    slots.offer(HumanoidBone::Toes(side), toes, FoundBy::Name);
}

fn assign_fingers(evidence: &Evidence<'_>, side: Side, slots: &mut Slots) {
    for finger in Finger::ALL {
        // Joints come parents first, so they are in order from the hand outwards.
        let mut joints: Vec<(JointId, Stage, Option<u32>)> = evidence
            .readings
            .iter()
            .enumerate()
            .filter(|(_, r)| !r.is_helper && !r.is_twist && r.side == Some(side))
            .filter_map(|(i, r)| match r.part {
                Some(Part::Finger(f, stage)) if f == finger => {
                    Some((evidence.skeleton.id(i)?, stage, r.number))
                }
                _ => None,
            })
            .collect();
        if finger != Finger::Thumb {
            // A bone inside the palm is not one of VRM's three, whether it says
            // so or is merely the one without a number before those with one.
            let counted = joints.iter().any(|(_, stage, _)| *stage == Stage::Counted);
            joints.retain(|(_, stage, _)| match stage {
                Stage::Metacarpal => false,
                Stage::Unsaid => !counted,
                Stage::Counted => true,
            });
        }
        for (phalanx, (joint, ..)) in Phalanx::ALL.into_iter().zip(joints) {
            slots.offer(HumanoidBone::Finger(side, finger, phalanx), Some(joint), FoundBy::Name);
        }
    }
}
