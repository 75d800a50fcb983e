//! Where the mass of a body is, from anatomy.
//!
//! Shares and centres are those of de Leva 1996 (*Adjustments to Zatsiorsky-Seluyanov's segment
//! inertia parameters*, J. Biomechanics 29(9), table 4, males), which take segments between joint
//! centres; the foot's centre is Winter's (*Biomechanics and Motor Control of Human Movement*),
//! who takes it from the ankle. The trunk is three pieces whose centres lie along the line from
//! the hips to the base of the neck.

use alloc::vec;
use alloc::vec::Vec;

use super::{HumanoidBone, HumanoidMap, Side};
use crate::goal::PointMass;
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::{JointId, Skeleton};

/// Parts in a hundred of the whole.
const HEAD: Real = 6.94;
const UPPER_ARM: Real = 2.71;
const FOREARM: Real = 1.62;
const HAND: Real = 0.61;
const THIGH: Real = 14.16;
const SHANK: Real = 4.33;
const FOOT: Real = 1.37;
/// Lower, middle and upper trunk: the share, and how far up from the hips its centre is as a part
/// of the way to the base of the neck (from the segments' lengths of table 4: 145.7, 215.5 and
/// 242.1 mm, and their centres at 61.15, 45.02 and 50.66 % from above).
const TRUNK: [(Real, Real); 3] = [(11.17, 0.094), (16.33, 0.438), (15.96, 0.797)];
/// How far along a segment its centre is, from the joint nearer to the trunk.
const UPPER_ARM_CENTRE: Real = 0.5772;
const FOREARM_CENTRE: Real = 0.4574;
/// Of the way to the tip of the middle finger.
const HAND_CENTRE: Real = 0.3624;
const THIGH_CENTRE: Real = 0.4095;
const SHANK_CENTRE: Real = 0.4459;
/// Half of the way from the ankle to the second metatarsal's head, which is 0.7 of that to the
/// tip of the toes.
const FOOT_CENTRE: Real = 0.35;
/// Of the way from the base of the neck to the crown.
const HEAD_CENTRE: Real = 0.5;

/// The mass that each joint of a body carries, in parts of the whole, in the skeleton's order. A
/// skeleton that the map knows too little of gets thin rods: every bone weighs by its length.
///
/// ```
/// use sinew::rigs;
/// use sinew::skeleton::humanoid::{HumanoidMap, masses};
/// let human = rigs::humanoid(rigs::SwingModel::Ellipse);
/// let masses = masses(&human, &HumanoidMap::find(&human));
/// let thigh = masses[human.find("l_hip").unwrap().index()].mass;
/// assert!((thigh - 0.1416).abs() < 1e-3);
/// ```
pub fn masses(skeleton: &Skeleton, map: &HumanoidMap) -> Vec<PointMass> {
    let mut masses = Masses {
        rest: ModelPose::rest(skeleton),
        skeleton,
        found: vec![PointMass::default(); skeleton.len()],
    };
    if masses.anatomy(map).is_none() {
        masses.rods();
    }
    let total: Real = masses.found.iter().map(|m| m.mass).sum();
    for own in &mut masses.found {
        own.centre /= own.mass.max(TINY);
        own.mass /= total.max(TINY);
    }
    masses.found
}

struct Masses<'a> {
    skeleton: &'a Skeleton,
    rest: ModelPose,
    /// While they are collected the centres are moments.
    found: Vec<PointMass>,
}

impl Masses<'_> {
    /// Adds a mass whose centre is given in model space.
    fn add(&mut self, joint: JointId, mass: Real, at: Vec3) {
        let own = &mut self.found[joint.index()];
        own.mass += mass;
        own.centre += self.rest.transform(joint).inverse().transform_point(at) * mass;
    }

    fn anatomy(&mut self, map: &HumanoidMap) -> Option<()> {
        let at = |joint: JointId| self.rest.position(joint);
        let hips = map.get(HumanoidBone::Hips)?;
        let head = map.get(HumanoidBone::Head)?;
        let limbs = Side::BOTH.map(|side| Some((map.arm(side)?, map.leg(side)?)));
        let [Some(left), Some(right)] = limbs else { return None };
        let between = |a: JointId, b: JointId| (at(a) + at(b)) * 0.5;
        let middle = between(left.1.upper, right.1.upper);
        let neck = map.neck().first().copied().unwrap_or(head);
        let up = at(neck) - middle;
        let crown = match self.skeleton.joint(head).tip() {
            Some(tip) => self.rest.transform(head).transform_point(tip),
            None => at(head) + up * 0.3,
        };
        let mut pieces = vec![(head, HEAD, at(neck).lerp(crown, HEAD_CENTRE))];
        for (share, height) in TRUNK {
            let centre = middle + up * height;
            // The highest joint of the spine that is below the piece's centre carries it.
            let below = |joint: &&JointId| (at(**joint) - middle).dot(up) < height * up.length_squared();
            let carrier = map.spine().iter().rfind(below).copied().unwrap_or(hips);
            pieces.push((carrier, share, centre));
        }
        for (arm, leg) in [left, right] {
            let along = |a: JointId, b: JointId, part: Real| at(a).lerp(at(b), part);
            let end = |joint: JointId, back: JointId| {
                let own = at(joint);
                self.furthest(joint).unwrap_or(own + (own - at(back)) * 0.5)
            };
            pieces.extend([
                (arm.upper, UPPER_ARM, along(arm.upper, arm.lower, UPPER_ARM_CENTRE)),
                (arm.lower, FOREARM, along(arm.lower, arm.end, FOREARM_CENTRE)),
                (arm.end, HAND, at(arm.end).lerp(end(arm.end, arm.lower), HAND_CENTRE)),
                (leg.upper, THIGH, along(leg.upper, leg.lower, THIGH_CENTRE)),
                (leg.lower, SHANK, along(leg.lower, leg.end, SHANK_CENTRE)),
                (leg.end, FOOT, at(leg.end).lerp(end(leg.end, leg.end), FOOT_CENTRE)),
            ]);
        }
        for (joint, mass, at) in pieces {
            self.add(joint, mass, at);
        }
        Some(())
    }

    /// The point of everything below a joint that is furthest from it.
    fn furthest(&self, joint: JointId) -> Option<Vec3> {
        let from = self.rest.position(joint);
        let below = self.skeleton.subtree(joint).filter_map(|i| self.skeleton.id(i));
        let ends = below.flat_map(|id| {
            let tip = self.skeleton.joint(id).tip();
            let tip = tip.map(|tip| self.rest.transform(id).transform_point(tip));
            [Some(self.rest.position(id)), tip].into_iter().flatten()
        });
        ends.max_by(|a, b| a.distance(from).total_cmp(&b.distance(from))).filter(|p| p.distance(from) > TINY)
    }

    fn rods(&mut self) {
        for id in self.skeleton.ids() {
            let own = self.rest.position(id);
            if let Some(parent) = self.skeleton.parent(id) {
                let from = self.rest.position(parent);
                self.add(parent, from.distance(own), from.lerp(own, 0.5));
            }
            if let Some(tip) = self.skeleton.joint(id).tip() {
                let tip = self.rest.transform(id).transform_point(tip);
                self.add(id, own.distance(tip), own.lerp(tip, 0.5));
            }
        }
        // A single point weighs something all the same.
        if self.found.iter().all(|m| m.mass == 0.0)
            && let Some(first) = self.found.first_mut()
        {
            first.mass = 1.0;
        }
    }
}
