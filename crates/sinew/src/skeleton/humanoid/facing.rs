//! Which way the character faces at rest.

use super::bone::{HumanoidBone, Side};
use super::{Evidence, FoundBy, Slots};
use crate::math::*;

/// The character's own directions at rest, in model space: unit vectors at right
/// angles to each other, with `left × up = forward`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Facing {
    /// Towards the character's left side.
    pub left: Vec3,
    /// From the hips to the head; of an animal on four legs from the belly to the back.
    pub up: Vec3,
    /// Where the character looks.
    pub forward: Vec3,
    /// What this rests on: names of left and right, where the feet point, how knees or elbows bend,
    /// or nothing.
    pub by: FoundBy,
}

/// A lean of the spine up to this angle (its cosine) does not tilt the body's axis.
const NEARLY_ALONG: Real = 0.9;

/// A limb hangs down that is within 45° of it (the cosine), from its first joint to its last.
const HANGING: Real = 0.7;

impl Facing {
    pub(super) fn new(evidence: &Evidence<'_>, slots: &Slots, by: FoundBy) -> Option<Self> {
        let at = |bone| slots.get(bone).map(|j| evidence.rest.position(j));
        // Unit steps from right to left, so that no pair outweighs another.
        let across = |pair: fn(Side) -> HumanoidBone| -> Vec3 {
            match (at(pair(Side::Left)), at(pair(Side::Right))) {
                (Some(l), Some(r)) => (l - r).normalize_or_zero(),
                _ => Vec3::ZERO,
            }
        };
        let left =
            across(HumanoidBone::UpperLeg) + across(HumanoidBone::UpperArm) + across(HumanoidBone::Hand);
        let up = evidence.up(slots);
        let left = left - up * left.dot(up);
        if left.length() < ROUNDING {
            return None;
        }
        let left = left.normalize();
        let forward = left.cross(up);
        // An animal has its belly below it, and looks to where its head is.
        let (up, forward) =
            if evidence.on_four_legs(slots, forward) { (-forward, up) } else { (up, forward) };
        Some(Self { left, up, forward, by })
    }
}

impl Evidence<'_> {
    /// Whether all four limbs hang down along where a person would look: across the spine.
    fn on_four_legs(&self, slots: &Slots, belly: Vec3) -> bool {
        let hangs = |bone| {
            let root = slots.get(bone)?;
            let tip = self.skeleton.subtree(root).filter_map(|i| self.skeleton.id(i));
            let tip = tip.max_by_key(|joint| self.depths[joint.index()])?;
            let way = self.rest.position(tip) - self.rest.position(root);
            (way.dot(belly) > HANGING * way.length()).then_some(())
        };
        let pairs = [HumanoidBone::UpperLeg, HumanoidBone::UpperArm];
        pairs.into_iter().all(|pair| Side::BOTH.into_iter().all(|side| hangs(pair(side)).is_some()))
    }

    /// From the legs or hips to the head, taken along an axis of the model if
    /// it nearly is; +Y where nothing is known.
    pub(super) fn up(&self, slots: &Slots) -> Vec3 {
        let at = |bone| slots.get(bone).map(|j| self.rest.position(j));
        let middle =
            |pair: fn(Side) -> HumanoidBone| Some(at(pair(Side::Left))?.midpoint(at(pair(Side::Right))?));
        let low = middle(HumanoidBone::Foot)
            .or_else(|| middle(HumanoidBone::UpperLeg))
            .or_else(|| at(HumanoidBone::Hips));
        let high = at(HumanoidBone::Head)
            .or_else(|| middle(HumanoidBone::UpperArm))
            .or_else(|| at(HumanoidBone::UpperChest))
            .or_else(|| at(HumanoidBone::Hips));
        let up = low.zip(high).map_or(Vec3::Y, |(low, high)| direction_or(high - low, Vec3::Y));
        [Vec3::Y, Vec3::Z, Vec3::X, -Vec3::Y, -Vec3::Z, -Vec3::X]
            .into_iter()
            .find(|axis| axis.dot(up) > NEARLY_ALONG)
            .unwrap_or(up)
    }
}
