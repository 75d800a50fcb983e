//! Hips, spine, neck and head, which follow from where the limbs join.
//!
//! The chest is the joint that both arms hang on, the hips the one that legs and
//! chest share; the spine is what lies between them and the neck what lies
//! between chest and head. Names only settle what this leaves open.

use alloc::vec::Vec;

use super::bone::{HumanoidBone, Side};
use super::names::Part;
use super::{Evidence, FoundBy, Slots};
use crate::math::*;
use crate::skeleton::JointId;

/// The joints of the trunk that have no role of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Trunk {
    pub spine: Vec<JointId>,
    pub neck: Vec<JointId>,
}

pub(super) fn assign(evidence: &Evidence<'_>, slots: &mut Slots) -> Trunk {
    let skeleton = evidence.skeleton;
    let above = |j: JointId| skeleton.parent(j);
    let arm = |side| {
        slots
            .get(HumanoidBone::Shoulder(side))
            .or_else(|| slots.get(HumanoidBone::UpperArm(side)))
            .and_then(above)
    };
    let leg = |side| slots.get(HumanoidBone::UpperLeg(side)).and_then(above);
    let join = |a: Option<JointId>, b: Option<JointId>| match (a, b) {
        (Some(a), Some(b)) => skeleton.ancestors(a).find(|&j| skeleton.is_ancestor(j, b)),
        (a, b) => a.or(b),
    };
    let chest = join(arm(Side::Left), arm(Side::Right));
    let legs = join(leg(Side::Left), leg(Side::Right));

    let head = slots.get(HumanoidBone::Head).or_else(|| {
        let head = last_neck(evidence).or_else(|| chest.and_then(|c| topmost(evidence, slots, c)));
        let by = head.map(|h| by_part(evidence, h, |p| matches!(p, Part::Neck | Part::Head)));
        slots.offer(HumanoidBone::Head, head, by.unwrap_or(FoundBy::Topology));
        head
    });

    let upper = chest.or(head.and_then(above));
    let shared = legs.and(upper).and_then(|u| join(legs, Some(u)));
    let named = evidence.best(None, |p| p == Part::Hips);
    let hips = slots.get(HumanoidBone::Hips).or_else(|| {
        let named_above = named.filter(|&n| shared.is_none_or(|s| skeleton.is_ancestor(n, s)));
        let root = || evidence.best(None, |p| p == Part::Root).filter(|_| legs.is_some() || upper.is_some());
        let hips = named_above.or(shared).or_else(root);
        let by = hips.map(|h| by_part(evidence, h, |p| matches!(p, Part::Hips | Part::Root)));
        slots.offer(HumanoidBone::Hips, hips, by.unwrap_or(FoundBy::Topology));
        hips
    });

    let between = |from: Option<JointId>, to: Option<JointId>| -> Vec<JointId> {
        let chain = from.zip(to).and_then(|(from, to)| skeleton.chain(from, to));
        chain.map_or(Vec::new(), |c| c[1..].to_vec())
    };
    let mut trunk = Trunk::default();
    if chest.is_some() {
        trunk.spine = between(hips, chest);
        trunk.neck = between(chest, head);
    } else {
        // Without arms only the names can say where the neck begins.
        let whole = between(hips, head);
        let is_neck = |j: &JointId| evidence.part(*j) == Some(Part::Neck);
        (trunk.neck, trunk.spine) = whole.into_iter().partition(is_neck);
    }
    trunk.spine.retain(|j| Some(*j) != head);
    trunk.neck.retain(|j| Some(*j) != head);
    offer_spine(evidence, slots, &trunk.spine);
    if let Some(&first) = trunk.neck.first() {
        slots.offer(HumanoidBone::Neck, Some(first), by_part(evidence, first, |p| p == Part::Neck));
    }
    trunk
}

/// Spine, chest and upper chest among any number of joints: the first, the last,
/// and of more than three the one that is called a chest or else the middle one.
fn offer_spine(evidence: &Evidence<'_>, slots: &mut Slots, spine: &[JointId]) {
    let mut offer = |bone, joint: JointId| {
        let by = by_part(evidence, joint, |p| matches!(p, Part::Spine | Part::Chest | Part::UpperChest));
        slots.offer(bone, Some(joint), by);
    };
    match spine {
        [] => {}
        [only] => offer(HumanoidBone::Spine, *only),
        [first, last] => {
            offer(HumanoidBone::Spine, *first);
            offer(HumanoidBone::Chest, *last);
        }
        [first, middle @ .., last] => {
            offer(HumanoidBone::Spine, *first);
            let named = middle.iter().find(|j| evidence.part(**j) == Some(Part::Chest));
            offer(HumanoidBone::Chest, *named.unwrap_or(&middle[middle.len() / 2]));
            offer(HumanoidBone::UpperChest, *last);
        }
    }
}

fn by_part(evidence: &Evidence<'_>, joint: JointId, fits: impl Fn(Part) -> bool) -> FoundBy {
    if evidence.part(joint).is_some_and(fits) { FoundBy::Name } else { FoundBy::Topology }
}

/// The last joint that is called a neck: what carries the head where nothing is
/// called one.
fn last_neck(evidence: &Evidence<'_>) -> Option<JointId> {
    let skeleton = evidence.skeleton;
    skeleton
        .ids()
        .rev()
        .find(|&j| evidence.part(j) == Some(Part::Neck) && !evidence.readings[j.index()].is_helper)
}

/// The end of the highest branch of the chest that is not an arm.
fn topmost(evidence: &Evidence<'_>, slots: &Slots, chest: JointId) -> Option<JointId> {
    let skeleton = evidence.skeleton;
    let up = evidence.up(slots);
    let taken = |j: JointId| slots.joints().any(|used| skeleton.is_ancestor(j, used));
    let usable = |j: &JointId| !evidence.readings[j.index()].is_helper;
    let height = |j: JointId| evidence.rest.position(j).dot(up);
    let highest = |j: JointId| {
        skeleton
            .subtree(j)
            .filter_map(|i| skeleton.id(i))
            .filter(usable)
            .map(height)
            .fold(height(j), Real::max)
    };
    let mut at = skeleton
        .children(chest)
        .filter(usable)
        .filter(|&j| !taken(j) && highest(j) > height(chest))
        .max_by(|a, b| highest(*a).total_cmp(&highest(*b)))?;
    // Up the neck, as long as it is a plain chain that goes up.
    loop {
        let mut next = skeleton.children(at).filter(usable);
        match (next.next(), next.next()) {
            (Some(child), None) if height(child) > height(at) => at = child,
            _ => return Some(at),
        }
    }
}
