//! Parts for any rig.
//!
//! Where the humanoid map knows what a joint is, the part has human proportions:
//! radii are shares of the bone's length, so that a child and a giant get theirs.
//! The shares are those of a slender adult (limb breadths and depths of NASA's
//! *Anthropometric Source Book*, 1978, a little on the small side: a proxy that is
//! too thick forbids poses that a body can take, one that is too thin lets skin
//! touch). No part is thinner than a share of the body's stature, so that the short bones of
//! cartoon figures and rigs with shoulders close together do not get limbs of wire. Every other bone that is long enough to see gets a capsule.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::body::BodyPart;
use super::hull;
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, Skeleton};

/// Radius over length.
const UPPER_ARM: Real = 0.14;
const FOREARM: Real = 0.14;
const HAND: Real = 0.17;
const THIGH: Real = 0.165;
const SHANK: Real = 0.12;
const FOOT: Real = 0.16;
const NECK: Real = 0.4;
const OTHER: Real = 0.12;
/// Of an upper arm, this much belongs to the shoulder.
const SHOULDER_SHARE: Real = 0.5;
/// Of half the way between the shoulders: the depth of the chest, from its middle.
const CHEST_RADIUS: Real = 0.48;
/// Of half the way between the shoulders: how far the slab reaches to the side,
/// before its radius is added.
const CHEST_WIDTH: Real = 0.26;
/// Of half the way between the hip joints.
const PELVIS_RADIUS: Real = 1.05;
const PELVIS_WIDTH: Real = 0.75;
/// The least radius of a part, over the body's stature (the head joint's height over the soles).
const THINNEST_UPPER_ARM: Real = 0.0235;
const THINNEST_FOREARM: Real = 0.020;
const THINNEST_THIGH: Real = 0.0335;
const THINNEST_SHANK: Real = 0.027;
const THINNEST_TRUNK: Real = 0.047;
const THINNEST_HEAD: Real = 0.0535;
/// A bone shorter than this share of the body's size has no part of its own.
const SHORTEST: Real = 0.02;

pub(super) fn parts(skeleton: &Skeleton, map: &HumanoidMap) -> Vec<BodyPart> {
    let rest = ModelPose::rest(skeleton);
    let stature = stature(skeleton, map, &rest);
    let mut maker =
        Maker { skeleton, map, rest, stature, parts: Vec::new(), done: vec![false; skeleton.len()] };
    maker.trunk();
    for side in Side::BOTH {
        maker.arm(side);
        maker.leg(side);
    }
    maker.others();
    maker.parts.sort_by_key(|part| part.joint);
    maker.parts
}

/// How high the head joint stands above the lowest point of the rest pose; zero where that is not known.
fn stature(skeleton: &Skeleton, map: &HumanoidMap, rest: &ModelPose) -> Real {
    let (Some(head), Some(facing)) = (map.get(HumanoidBone::Head), map.facing()) else { return 0.0 };
    let height = |p: Vec3| p.dot(facing.up);
    let ends =
        skeleton.ids().filter_map(|j| Some(rest.transform(j).transform_point(skeleton.joint(j).tip()?)));
    let all = rest.positions().iter().copied().chain(ends);
    let lowest = all.map(height).fold(Real::INFINITY, Real::min);
    (height(rest.position(head)) - lowest).max(0.0)
}

struct Maker<'a> {
    skeleton: &'a Skeleton,
    map: &'a HumanoidMap,
    rest: ModelPose,
    stature: Real,
    parts: Vec<BodyPart>,
    /// Joints whose bone is inside of some part, by index.
    done: Vec<bool>,
}

impl Maker<'_> {
    fn at(&self, joint: JointId) -> Vec3 {
        self.rest.position(joint)
    }

    /// Adds a part given by points in the rest pose's model space.
    fn add(&mut self, name: String, joint: JointId, points: &[Vec3], radius: Real, inner: bool) {
        let back = self.rest.transform(joint).inverse();
        let points = hull::placed(points, back);
        if hull::is_valid(&points, radius) {
            self.parts.push(BodyPart { name, joint, points, radius, inner });
        }
        self.done[joint.index()] = true;
    }

    /// Everything below a joint is inside of some part.
    fn finish(&mut self, joint: JointId) {
        for i in self.skeleton.subtree(joint) {
            self.done[i] = true;
        }
    }

    fn half_between(&self, pair: fn(Side) -> HumanoidBone) -> Option<Real> {
        let [l, r] = Side::BOTH.map(|side| self.map.get(pair(side)).map(|j| self.at(j)));
        Some(0.5 * l?.distance(r?))
    }

    /// Pelvis, slices of the torso, neck and head.
    fn trunk(&mut self) {
        let (Some(hips), Some(facing)) = (self.map.get(HumanoidBone::Hips), self.map.facing()) else {
            return;
        };
        let (Some(shoulders), Some(hip_half)) =
            (self.half_between(HumanoidBone::UpperArm), self.half_between(HumanoidBone::UpperLeg))
        else {
            return;
        };
        let spine = self.map.spine().to_vec();
        let left = facing.left;
        let pelvis_radius = PELVIS_RADIUS * hip_half;
        let base = spine.first().map_or(self.at(hips), |j| self.at(*j));
        let legs: Vec<Vec3> = Side::BOTH
            .iter()
            .filter_map(|side| self.map.get(HumanoidBone::UpperLeg(*side)))
            .map(|j| base + (self.at(j) - base) * PELVIS_WIDTH)
            .collect();
        let wide = left * (PELVIS_WIDTH * hip_half);
        let corners: Vec<Vec3> = legs.into_iter().chain([base + wide, base - wide]).collect();
        self.add("pelvis".into(), hips, &corners, pelvis_radius, false);

        // From the pelvis' measures to the chest's, by how far up a slice ends.
        let (width, radius) =
            (CHEST_WIDTH * shoulders, (CHEST_RADIUS * shoulders).max(THINNEST_TRUNK * self.stature));
        let top = spine.last().map_or(base, |j| self.at(*j));
        let rise = top.distance(base).max(TINY);
        let share = |p: Vec3| (p.distance(base) / rise).clamp(0.0, 1.0);
        for pair in spine.windows(2) {
            let (from, to) = (self.at(pair[0]), self.at(pair[1]));
            if from.distance(to) < SHORTEST * rise {
                self.done[pair[0].index()] = true;
                continue;
            }
            let half = |p: Vec3| left * (0.5 * hip_half + (width - 0.5 * hip_half) * share(p));
            let slice = [from + half(from), from - half(from), to + half(to), to - half(to)];
            let name = self.skeleton.joint(pair[0]).name().to_string();
            self.add(format!("torso at {name}"), pair[0], &slice, radius, false);
        }
        if let Some(&last) = spine.last() {
            // The girdle: a bar from shoulder to shoulder, inside of the arms' own parts, and up to
            // the neck.
            let neck = self.map.neck().first().map(|&neck| self.at(neck));
            let ends: Vec<Vec3> = Side::BOTH
                .iter()
                .filter_map(|side| self.map.get(HumanoidBone::UpperArm(*side)))
                .map(|j| top + (self.at(j) - top) * 0.6)
                .chain(neck)
                .collect();
            let radius = (0.32 * shoulders).max(THINNEST_TRUNK * self.stature);
            self.add("shoulders".into(), last, &ends, radius, false);
        }
        for bone in Side::BOTH.map(HumanoidBone::Shoulder) {
            if let Some(joint) = self.map.get(bone) {
                self.done[joint.index()] = true;
            }
        }
        self.neck_and_head(shoulders, facing.up);
    }

    fn neck_and_head(&mut self, shoulders: Real, up: Vec3) {
        let Some(head) = self.map.get(HumanoidBone::Head) else { return };
        let at = self.at(head);
        if let Some(&neck) = self.map.neck().first() {
            let from = self.at(neck);
            let radius = (NECK * from.distance(at)).clamp(0.2 * shoulders, 0.32 * shoulders);
            self.add("neck".into(), neck, &[from, at], radius, false);
            for joint in self.map.neck().to_vec() {
                self.done[joint.index()] = true;
            }
        }
        let crown = match self.skeleton.joint(head).tip() {
            Some(tip) => self.rest.transform(head).transform_point(tip),
            None => at + up * (0.9 * shoulders),
        };
        // From the chin, which is below the joint, to the crown.
        let radius = (0.45 * at.distance(crown)).max(THINNEST_HEAD * self.stature);
        self.add("head".into(), head, &[at, at.lerp(crown, 0.55)], radius, false);
        self.finish(head);
    }

    fn arm(&mut self, side: Side) {
        let Some(arm) = self.map.arm(side) else { return };
        let word = word(side);
        let [shoulder, elbow, wrist] = [arm.upper, arm.lower, arm.end].map(|j| self.at(j));
        let middle = shoulder.lerp(elbow, SHOULDER_SHARE);
        let upper = (UPPER_ARM * shoulder.distance(elbow)).max(THINNEST_UPPER_ARM * self.stature);
        let forearm = (FOREARM * elbow.distance(wrist)).max(THINNEST_FOREARM * self.stature);
        // The hand ends where the furthest finger does, or has a hand's length.
        let along = direction_or(wrist - elbow, Vec3::NEG_Y);
        let reach = self.furthest(arm.end, wrist).unwrap_or(wrist + along * (0.7 * elbow.distance(wrist)));
        let palm = reach - (reach - wrist) * HAND;
        for (part, joint, ends, radius) in [
            ("upper arm", arm.upper, [shoulder, middle], upper),
            ("elbow", arm.upper, [middle, elbow], upper),
            ("forearm", arm.lower, [elbow, wrist], forearm),
            ("hand", arm.end, [wrist, palm], HAND * wrist.distance(reach)),
        ] {
            self.add(format!("{word} {part}"), joint, &ends, radius, part == "upper arm");
        }
        self.finish(arm.upper);
    }

    fn leg(&mut self, side: Side) {
        let Some(leg) = self.map.leg(side) else { return };
        let word = word(side);
        let [hip, knee, ankle] = [leg.upper, leg.lower, leg.end].map(|j| self.at(j));
        let length = hip.distance(knee);
        // Below the knee's own width, so that thigh and pelvis are no one lump.
        let thigh = (THIGH * length).max(THINNEST_THIGH * self.stature);
        let shank = (SHANK * knee.distance(ankle)).max(THINNEST_SHANK * self.stature);
        self.add(format!("{word} thigh"), leg.upper, &[hip.lerp(knee, 0.12), knee], thigh, false);
        self.add(format!("{word} shank"), leg.lower, &[knee, ankle], shank, false);
        if let Some(toes) = self.furthest(leg.end, ankle) {
            let radius = FOOT * ankle.distance(toes);
            self.add(format!("{word} foot"), leg.end, &[ankle, toes - (toes - ankle) * FOOT], radius, false);
        }
        self.finish(leg.upper);
    }

    /// The point of everything below a joint that is furthest from `from`.
    fn furthest(&self, joint: JointId, from: Vec3) -> Option<Vec3> {
        self.skeleton
            .subtree(joint)
            .filter_map(|i| self.skeleton.id(i))
            .flat_map(|j| {
                let tip = self.skeleton.joint(j).tip().map(|tip| self.rest.transform(j).transform_point(tip));
                [Some(self.at(j)), tip].into_iter().flatten()
            })
            .max_by(|a, b| a.distance_squared(from).total_cmp(&b.distance_squared(from)))
            .filter(|p| p.distance(from) > TINY)
    }

    /// A capsule for every bone of a joint without a part.
    fn others(&mut self) {
        let lengths = self.skeleton.ids().map(|j| self.skeleton.bone_length(j));
        let longest = lengths.skip(1).fold(0.0, Real::max);
        for joint in self.skeleton.ids() {
            if self.done[joint.index()] {
                continue;
            }
            let from = self.at(joint);
            let tip =
                self.skeleton.joint(joint).tip().map(|tip| self.rest.transform(joint).transform_point(tip));
            let ends: Vec<Vec3> = self.skeleton.children(joint).map(|j| self.at(j)).chain(tip).collect();
            for (i, to) in ends.into_iter().enumerate() {
                let length = from.distance(to);
                if length > longest.max(SHORTEST) * SHORTEST {
                    let name = self.skeleton.joint(joint).name();
                    let name = if i == 0 { name.to_string() } else { format!("{name} {}", i + 1) };
                    self.add(name, joint, &[from, to], OTHER * length, false);
                }
            }
        }
    }
}

fn word(side: Side) -> &'static str {
    match side {
        Side::Left => "left",
        Side::Right => "right",
    }
}
