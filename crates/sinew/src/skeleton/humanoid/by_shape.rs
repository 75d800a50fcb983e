//! Where names say nothing: limbs by the shape of the tree and its symmetry.
//!
//! A limb pair is two branches of one joint whose longest ways down are about as
//! long and end about as high. The legs are the pair that ends lowest. The arms
//! are the longest pair that branches off above the legs, outside of them. Within
//! a limb the two longest neighbouring bones are the upper and the lower one;
//! joints that stand in (nearly) one place, as the three hinges of a robot's hip
//! do, count as one. Which side is left follows from words in the names if there
//! are any, then from where the feet point, then from how the knees or elbows
//! bend; failing all, the character is taken to face +Z.
//!
//! Degenerate cases: joints with a great many children (only the twelve longest
//! branches are compared), zero-length bones, limbs of fewer than three joints
//! (no limb), animals (their legs leave at one height, or their back is level).

use alloc::vec::Vec;

use super::bone::{Finger, HumanoidBone, Phalanx, Side};
use super::{Evidence, FoundBy, Slots};
use crate::math::*;
use crate::skeleton::{JointId, Skeleton};

/// The most branches of one joint that are compared with each other.
const MOST_BRANCHES: usize = 12;
/// Two limbs may differ by this share of their length.
const ASYMMETRY: Real = 0.15;
/// Joints closer together than this share of the limb's longest bone are one place.
const ONE_PLACE: Real = 0.12;

/// Two limbs of about the same length that leave the same joint.
struct Pair {
    branch: JointId,
    /// The joints of each, from the branch outwards.
    limbs: [Vec<JointId>; 2],
    length: Real,
    /// How high the lower of the two ends is.
    low: Real,
}

/// The joints of one limb; the same three names serve for arms and legs.
struct Limb {
    /// What stands between the trunk and the upper joint.
    before: Option<JointId>,
    upper: JointId,
    lower: JointId,
    end: JointId,
    /// The next place after the end.
    after: Option<JointId>,
}

/// Fills the slots of limbs that are still open. Returns what the sides rest on
/// if they had to be guessed from the shape.
pub(super) fn assign(evidence: &Evidence<'_>, slots: &mut Slots) -> Option<FoundBy> {
    let tree = Tree::new(evidence);
    for up in [Vec3::Y, Vec3::Z, -Vec3::Z, Vec3::X, -Vec3::X, -Vec3::Y] {
        let Some((legs, arms)) = tree.legs_and_arms(up) else { continue };
        let (legs, arms) = (legs.limbs, arms.limbs);
        let Some(leg_parts) = both(&legs, |chain| tree.parts(chain)) else { continue };
        let Some(arm_parts) = both(&arms, |chain| tree.parts(chain)) else { continue };
        let (left, by) = tree.left(up, &leg_parts, &arm_parts);
        for (chains, parts, is_leg) in [(&legs, &leg_parts, true), (&arms, &arm_parts, false)] {
            let first_is_left = match named_sides(evidence, chains) {
                Some(first_is_left) => first_is_left,
                None => {
                    let [a, b] = [0, 1].map(|i| evidence.rest.position(parts[i].upper));
                    (a - b).dot(left) > 0.0
                }
            };
            for (i, limb) in parts.iter().enumerate() {
                let side = if (i == 0) == first_is_left { Side::Left } else { Side::Right };
                offer_limb(evidence.skeleton, slots, side, limb, is_leg);
            }
        }
        let named = named_sides(evidence, &legs).or(named_sides(evidence, &arms)).is_some();
        return Some(if named { FoundBy::Name } else { by });
    }
    None
}

/// What is known of a limb by name is kept; the rest is offered only where it hangs together
/// with it.
fn offer_limb(skeleton: &Skeleton, slots: &mut Slots, side: Side, limb: &Limb, is_leg: bool) {
    use HumanoidBone as Bone;
    let main = match is_leg {
        true => [Bone::UpperLeg(side), Bone::LowerLeg(side), Bone::Foot(side)],
        false => [Bone::UpperArm(side), Bone::LowerArm(side), Bone::Hand(side)],
    };
    if !slots.is_open(&main) {
        return;
    }
    if !is_leg {
        slots.offer(Bone::Shoulder(side), limb.before, FoundBy::Topology);
    }
    slots.offer_limb(skeleton, main, [limb.upper, limb.lower, limb.end].map(Some), FoundBy::Topology);
    if is_leg {
        slots.offer(Bone::Toes(side), limb.after, FoundBy::Topology);
    }
}

/// The fingers of a hand that has no joint with a finger's name: five chains, of
/// which the one that leaves nearest to the wrist is the thumb and the others
/// follow in the order of their distance from it.
pub(super) fn assign_fingers(evidence: &Evidence<'_>, side: Side, slots: &mut Slots) {
    let Some(hand) = slots.get(HumanoidBone::Hand(side)) else { return };
    let any = HumanoidBone::all()
        .any(|b| matches!(b, HumanoidBone::Finger(s, ..) if s == side) && slots.get(b).is_some());
    let tree = Tree::new(evidence);
    let mut bases: Vec<JointId> = tree.children(hand).take(MOST_BRANCHES).collect();
    bases.retain(|&j| tree.main_chain(j).len() >= 2);
    if any || bases.len() != 5 {
        return;
    }
    let at = |j: JointId| evidence.rest.position(j);
    bases.sort_by(|a, b| at(*a).distance(at(hand)).total_cmp(&at(*b).distance(at(hand))));
    let thumb = bases[0];
    bases[1..].sort_by(|a, b| at(*a).distance(at(thumb)).total_cmp(&at(*b).distance(at(thumb))));
    for (finger, base) in Finger::ALL.into_iter().zip(bases) {
        for (phalanx, joint) in Phalanx::ALL.into_iter().zip(tree.main_chain(base)) {
            slots.offer(HumanoidBone::Finger(side, finger, phalanx), Some(joint), FoundBy::Topology);
        }
    }
}

/// Applies `f` to both; `None` if either fails.
fn both<T, U>(pair: &[T; 2], f: impl Fn(&T) -> Option<U>) -> Option<[U; 2]> {
    Some([f(&pair[0])?, f(&pair[1])?])
}

/// Whether the first limb is the left one, if the names of both agree on it.
fn named_sides(evidence: &Evidence<'_>, chains: &[Vec<JointId>; 2]) -> Option<bool> {
    let votes = |chain: &[JointId]| -> i32 {
        let side = |j: &JointId| match evidence.readings[j.index()].side {
            Some(Side::Left) => 1,
            Some(Side::Right) => -1,
            None => 0,
        };
        chain.iter().map(side).sum()
    };
    let (first, second) = (votes(&chains[0]), votes(&chains[1]));
    (first * second < 0).then_some(first > 0)
}

/// The skeleton's tree without its helpers, and how far each branch reaches.
struct Tree<'a> {
    evidence: &'a Evidence<'a>,
    /// Whether the joint, or one below it, is more than a helper.
    useful: Vec<bool>,
    /// The longest way down from each joint, in metres, and the child it begins with.
    reach: Vec<(Real, Option<JointId>)>,
}

impl<'a> Tree<'a> {
    fn new(evidence: &'a Evidence<'a>) -> Self {
        let skeleton = evidence.skeleton;
        let mut useful: Vec<bool> = evidence.readings.iter().map(|r| !r.is_helper).collect();
        let mut reach: Vec<(Real, Option<JointId>)> = skeleton
            .joints()
            .iter()
            .map(|j| (j.tip().filter(|t| t.is_finite()).map_or(0.0, |t| t.length()), None))
            .collect();
        for j in skeleton.ids().rev() {
            let Some(parent) = skeleton.parent(j).filter(|_| useful[j.index()]) else { continue };
            useful[parent.index()] = true;
            let along = skeleton.bone_length(j) + reach[j.index()].0;
            // Later children were seen first; of equals the first child wins.
            if along >= reach[parent.index()].0 || reach[parent.index()].1.is_none() {
                reach[parent.index()] = (along, Some(j));
            }
        }
        Self { evidence, useful, reach }
    }

    fn children(&self, joint: JointId) -> impl Iterator<Item = JointId> + '_ {
        self.evidence.skeleton.children(joint).filter(|c| self.useful[c.index()])
    }

    /// The longest way down from `joint`, ending where it fans out like a hand.
    fn main_chain(&self, joint: JointId) -> Vec<JointId> {
        let mut chain: Vec<JointId> = Vec::new();
        let mut next = Some(joint);
        while let Some(j) = next {
            chain.push(j);
            let fans_out = self.children(j).filter(|c| self.reach[c.index()].1.is_some()).count() >= 3;
            next = self.reach[j.index()].1.filter(|_| !fans_out);
        }
        chain
    }

    /// How high the end of the branch that starts with `joint` is.
    fn end_height(&self, chain: &[JointId], up: Vec3) -> Real {
        let rest = &self.evidence.rest;
        chain.last().map_or(0.0, |&j| {
            let tip = self.evidence.skeleton.joint(j).tip().map_or(Vec3::ZERO, |t| rest.rotation(j) * t);
            let at = rest.position(j).dot(up);
            at.min(at + tip.dot(up))
        })
    }

    /// Every pair of similar limbs of at least three joints.
    fn pairs(&self, up: Vec3) -> Vec<Pair> {
        let mut pairs: Vec<Pair> = Vec::new();
        let rest = &self.evidence.rest;
        for branch in self.evidence.skeleton.ids() {
            let mut limbs: Vec<(Real, JointId)> = self
                .children(branch)
                .map(|c| (self.evidence.skeleton.bone_length(c) + self.reach[c.index()].0, c))
                .collect();
            limbs.sort_by(|a, b| b.0.total_cmp(&a.0));
            limbs.truncate(MOST_BRANCHES);
            for (i, &(a_length, a)) in limbs.iter().enumerate() {
                for &(b_length, b) in &limbs[i + 1..] {
                    let length = a_length.max(b_length);
                    if length <= TINY || (a_length - b_length).abs() > ASYMMETRY * length {
                        continue;
                    }
                    let chains = [self.main_chain(a), self.main_chain(b)];
                    if chains.iter().any(|c| c.len() < 3) {
                        continue;
                    }
                    let [a_end, b_end] = [0, 1].map(|k| self.end_height(&chains[k], up));
                    let [a_at, b_at] = [0, 1].map(|k| rest.position(chains[k][chains[k].len() - 1]));
                    let apart = (a_at - b_at) - up * (a_at - b_at).dot(up);
                    if (a_end - b_end).abs() > ASYMMETRY * length || apart.length() < 0.05 * length {
                        continue;
                    }
                    pairs.push(Pair { branch, limbs: chains, length, low: a_end.min(b_end) });
                }
            }
        }
        pairs
    }

    fn legs_and_arms(&self, up: Vec3) -> Option<(Pair, Pair)> {
        let skeleton = self.evidence.skeleton;
        let at = |j: JointId| self.evidence.rest.position(j);
        let mut pairs = self.pairs(up);
        let drop = |p: &Pair| at(p.branch).dot(up) - p.low;
        let lowest = pairs
            .iter()
            .enumerate()
            .filter(|(_, p)| drop(p) > 0.6 * p.length)
            .min_by(|(_, a), (_, b)| a.low.total_cmp(&b.low).then(b.length.total_cmp(&a.length)))
            .map(|(i, _)| i)?;
        let legs = pairs.swap_remove(lowest);
        let in_legs = |j: JointId| legs.limbs.iter().any(|c| skeleton.is_ancestor(c[0], j));
        // From where the limbs begin, since a robot's arms may branch off low.
        let base = |p: &Pair| at(p.limbs[0][0]).midpoint(at(p.limbs[1][0]));
        let upright = |p: &Pair| {
            let back = base(p) - base(&legs);
            back.dot(up) > 0.6 * back.length() && back.dot(up) > 0.15 * legs.length
        };
        let arms = pairs
            .into_iter()
            .filter(|p| p.branch != legs.branch && !in_legs(p.branch) && upright(p))
            .filter(|p| !p.limbs.iter().any(|c| legs.limbs.iter().any(|l| skeleton.is_ancestor(c[0], l[0]))))
            .max_by(|a, b| a.length.total_cmp(&b.length))?;
        Some((legs, arms))
    }

    /// The joints of a limb by its two longest neighbouring bones.
    fn parts(&self, chain: &[JointId]) -> Option<Limb> {
        let at = |j: JointId| self.evidence.rest.position(j);
        let longest = chain.windows(2).map(|w| at(w[0]).distance(at(w[1]))).fold(0.0, Real::max);
        // The first joint of each place, and the last one's position.
        let mut places: Vec<(JointId, Vec3)> = Vec::new();
        for &j in chain {
            match places.last_mut() {
                Some((_, last)) if last.distance(at(j)) < ONE_PLACE * longest => *last = at(j),
                _ => places.push((j, at(j))),
            }
        }
        let bones: Vec<Real> = places.windows(2).map(|w| w[0].1.distance(at(w[1].0))).collect();
        let shorter = |i: usize| bones[i].min(bones[i + 1]);
        let best = (0..bones.len().checked_sub(1)?).max_by(|&a, &b| shorter(a).total_cmp(&shorter(b)))?;
        Some(Limb {
            before: best.checked_sub(1).map(|i| places[i].0),
            upper: places[best].0,
            lower: places[best + 1].0,
            end: places[best + 2].0,
            after: places.get(best + 3).map(|p| p.0),
        })
    }

    /// The direction of the character's left, by where it faces.
    fn left(&self, up: Vec3, legs: &[Limb; 2], arms: &[Limb; 2]) -> (Vec3, FoundBy) {
        let at = |j: JointId| self.evidence.rest.position(j);
        let flat = |v: Vec3| v - up * v.dot(up);
        let length: Real = legs.iter().map(|l| at(l.upper).distance(at(l.end))).sum();
        let feet: Vec3 = legs
            .iter()
            .map(|l| {
                let tip = |j: JointId| {
                    let tip = self.evidence.skeleton.joint(j).tip().unwrap_or(Vec3::ZERO);
                    self.evidence.rest.transform(j).transform_point(tip)
                };
                flat(tip(l.after.unwrap_or(l.end)) - at(l.end))
            })
            .sum();
        let bend = |limbs: &[Limb; 2]| -> Vec3 {
            limbs.iter().map(|l| flat(at(l.lower) - at(l.upper).midpoint(at(l.end)))).sum()
        };
        // Across the body nothing says where it faces.
        let across = flat(at(legs[0].upper) - at(legs[1].upper)).normalize_or_zero();
        let ahead = |v: Vec3| v - across * v.dot(across);
        let (forward, by) = [
            (ahead(feet), 0.05, FoundBy::Feet),
            (ahead(bend(legs)), 0.01, FoundBy::Knees),
            (-ahead(bend(arms)), 0.01, FoundBy::Knees),
        ]
        .into_iter()
        .find(|(v, least, _)| v.length() > least * length)
        .map_or((Vec3::Z, FoundBy::Assumed), |(v, _, by)| (v, by));
        let forward = if up.cross(forward).length() > ROUNDING { forward } else { any_perpendicular(up) };
        (up.cross(forward).normalize_or_zero(), by)
    }
}
