//! A foot as planting sees it: where its sole is, measured at rest or on the animation.
//!
//! A rig's rest pose often does not stand: feet hang, toes point down. What the sole is shows
//! while the foot stands still on the ground, so a clip is measured first: the height at which
//! the ankle rests most of the time, which way is up for the foot then, and how deep its
//! lowest joint is.

use alloc::vec::Vec;

use super::leg::{PlantLeg, TwoBones};
use crate::analytic::Limb;
use crate::body::walk::Terrain;
use crate::body::walk::foot::Sole;
use crate::body::walk::leg::Leg;
use crate::body::walk::rig::ground_legs;
use crate::error::RigError;
use crate::goal::Effector;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::{HumanoidMap, Side};
use crate::skeleton::{JointId, JointKind, Skeleton};

/// A foot at one moment: its ankle, and how it is turned from standing flat with heading zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FootAt {
    pub place: Vec3,
    pub turn: Quat,
}

impl FootAt {
    /// Where a point of the sole then is.
    pub fn point(&self, sole: &Sole, p: Vec3) -> Vec3 {
        self.place + self.turn * (p - sole.ankle)
    }

    /// The same foot, turned so, with a point of the sole where it should be.
    pub fn pivoted(sole: &Sole, turn: Quat, p: Vec3, at: Vec3) -> Self {
        Self { place: at - turn * (p - sole.ankle), turn }
    }
}

impl FootAt {
    /// How far the sole is under the ground, at heel and ball with both edges and at the tip of
    /// the toes, which are level where the foot points down.
    pub fn under(&self, sole: &Sole, terrain: &dyn Terrain) -> Real {
        let left = sole.left * sole.width;
        let corners = [sole.heel + left, sole.heel - left, sole.toe + left, sole.toe - left];
        let corners = corners.map(|p| self.point(sole, p));
        let ahead = self.turn * sole.ahead;
        let ahead = Vec3::new(ahead.x, ahead.y.max(0.0), ahead.z) * sole.tip;
        let tip = self.point(sole, sole.toe) + ahead;
        let depth = |p: Vec3| terrain.height(p.x, p.z) - p.y;
        corners.into_iter().map(depth).fold(depth(tip).max(0.0), Real::max)
    }

    /// A part of the way from one to the other.
    pub fn between(from: Self, to: Self, part: Real) -> Self {
        let turn = rotation::log(to.turn * from.turn.conjugate());
        Self {
            place: from.place + (to.place - from.place) * part,
            turn: (rotation::exp(turn * part) * from.turn).normalize(),
        }
    }
}

/// A leg with its foot.
#[derive(Debug, Clone)]
pub(super) struct PlantFoot {
    pub leg: PlantLeg,
    pub effector: Effector,
    /// The joint at which the toes bend.
    pub toes: Option<JointId>,
    /// How the foot's joint is turned when it stands flat with heading zero.
    standing: Quat,
    /// In that frame; the ground is at zero.
    pub sole: Sole,
    /// The point about which the heel rises: the toes' joint, or the ball of the foot.
    pub ball: Vec3,
    /// Joints and tips of the foot, each in its joint's frame.
    pub points: Vec<(JointId, Vec3)>,
    /// The length of the leg at rest.
    pub length: Real,
}

/// An ankle is at least so far over the ground, in leg lengths.
const ANKLE: Real = 0.03;
/// How far toes are bent up at the most, in radians.
const MOST_BEND: Real = 1.6;
/// Half the width of a sole, and the length of a foot without toes, in leg lengths.
const WIDTH: Real = 0.04;
const FOOT: Real = 0.22;

impl PlantFoot {
    /// The feet of a body with two legs, or else of all legs that end on the ground at rest.
    pub fn find(skeleton: &Skeleton, map: &HumanoidMap) -> Result<Vec<Self>, RigError> {
        let root = skeleton.root();
        let kind = skeleton.joint(root).kind();
        if kind != JointKind::Free {
            let (joint, needs) = (skeleton.joint(root).name().into(), "planting feet needs a free root");
            return Err(RigError::WrongKind { joint, kind: kind.name(), needs });
        }
        let model = ModelPose::rest(skeleton);
        let forward = map.facing().map_or(Vec3::Z, |facing| facing.forward);
        let biped = Side::BOTH.map(|side| Some((map.leg(side)?, Limb::leg(skeleton, map, side).ok()?, side)));
        let mut feet = Vec::new();
        if let [Some(left), Some(right)] = biped {
            for (joints, limb, side) in [left, right] {
                let leg = PlantLeg::Bones(TwoBones::new(skeleton, joints, limb.flexion_axis()));
                let toes = map.get(crate::skeleton::humanoid::HumanoidBone::Toes(side));
                feet.push(Self::with_sole(skeleton, &model, leg, joints.end, toes, forward));
            }
            return Ok(feet);
        }
        let mut builder = skeleton.to_builder();
        for (_, base, _) in ground_legs(skeleton, &model) {
            for joint in skeleton.ancestors(base).skip(1) {
                builder.joints[joint.index()].stiffness = 1.0;
            }
        }
        let held = builder.build()?;
        for (leaf, base, _) in ground_legs(&held, &model) {
            let tip = held.joint(leaf).tip().unwrap_or(Vec3::ZERO);
            let effector = Effector { joint: leaf, offset: Transform::from_translation(tip) };
            let leg = Leg::new(&held, base, effector, None, false)?;
            let length = leg.reach();
            let leg = PlantLeg::Chain(alloc::boxed::Box::new(leg), held.clone());
            let zero = Vec3::ZERO;
            let sole = Sole {
                ankle: zero,
                heel: zero,
                toe: zero,
                tip: 0.0,
                width: 0.0,
                ahead: Vec3::Z,
                left: Vec3::X,
            };
            let points = alloc::vec![(leaf, tip)];
            feet.push(Self {
                leg,
                effector,
                toes: None,
                standing: Quat::IDENTITY,
                sole,
                ball: zero,
                points,
                length,
            });
        }
        match feet.len() {
            0 | 1 => Err(RigError::TooFewLegs(feet.len())),
            _ => Ok(feet),
        }
    }

    fn with_sole(
        skeleton: &Skeleton,
        model: &ModelPose,
        leg: PlantLeg,
        ankle: JointId,
        toes: Option<JointId>,
        forward: Vec3,
    ) -> Self {
        let points = skeleton.subtree(ankle).filter_map(|i| skeleton.id(i)).flat_map(|j| {
            let tip = skeleton.joint(j).tip().map(|tip| (j, tip));
            [Some((j, Vec3::ZERO)), tip].into_iter().flatten()
        });
        let length = leg.length(model);
        let mut foot = Self {
            effector: Effector::at(ankle),
            toes,
            standing: Quat::IDENTITY,
            sole: Sole {
                ankle: Vec3::ZERO,
                heel: Vec3::ZERO,
                toe: Vec3::ZERO,
                tip: 0.0,
                width: WIDTH * length,
                ahead: Vec3::Z,
                left: Vec3::X,
            },
            ball: Vec3::ZERO,
            points: points.collect(),
            length,
            leg,
        };
        let lowest = foot.lowest(model);
        let height = model.position(ankle).y - lowest;
        foot.measure(model, Vec3::Y, height.max(ANKLE * length), forward);
        foot
    }

    /// Whether it has heel and toes.
    pub fn has_sole(&self) -> bool {
        self.sole.length() > TINY
    }

    /// The sole from a pose: `up` and the ankle's height over the ground when it stands flat.
    fn measure(&mut self, model: &ModelPose, up: Vec3, height: Real, forward: Vec3) {
        let id = self.effector.joint;
        let now = model.rotation(id);
        self.standing = rotation::between(now * up, Vec3::Y, Vec3::X) * now;
        let upright = self.standing * now.conjugate();
        let ankle = model.position(id);
        let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
        let seen =
            |&(j, p): &(JointId, Vec3)| level(upright * (model.transform(j).transform_point(p) - ankle));
        // The furthest point of the foot is ahead, unless there is hardly a foot.
        let toward = |v: Vec3, d: Vec3| v.dot(d);
        let farthest = self.points.iter().map(seen).fold(Vec3::ZERO, |a, b| match b.length() > a.length() {
            true => b,
            false => a,
        });
        let enough = 0.08 * self.length;
        let hint = direction_or(level(upright * forward), Vec3::Z);
        let toes = self.toes.map(|j| seen(&(j, Vec3::ZERO))).filter(|v| v.length() > 0.5 * enough);
        let ahead = match (toes, farthest.length() > enough) {
            (Some(toes), _) => direction_or(toes, hint),
            (None, true) => direction_or(farthest, hint),
            (None, false) => hint,
        };
        let tip = self.points.iter().map(|p| toward(seen(p), ahead)).fold(0.0, Real::max);
        let tip = if tip > enough { tip } else { FOOT * self.length };
        let ball = toes.map(|v| toward(v, ahead)).filter(|&b| b > 0.5 * enough && b < tip);
        // A foot that does not bend rolls over its tip.
        let ball = ball.unwrap_or(tip);
        self.sole = Sole {
            ankle: Vec3::Y * height,
            heel: ahead * (-0.3 * ball),
            toe: ahead * ball,
            tip: tip - ball,
            width: WIDTH * self.length,
            ahead,
            left: Vec3::Y.cross(ahead),
        };
        let joint = self.toes.filter(|_| toes.is_some());
        let joint = joint.map(|j| self.sole.ankle + upright * (model.position(j) - ankle));
        self.ball = joint.unwrap_or(self.sole.toe);
    }

    /// The lowest of the foot's joints and tips.
    pub fn lowest(&self, model: &ModelPose) -> Real {
        let height = |&(j, p): &(JointId, Vec3)| model.transform(j).transform_point(p).y;
        self.points.iter().map(height).fold(Real::INFINITY, Real::min)
    }

    /// How deep the deepest of its joints and tips is in the ground.
    pub fn depth(&self, model: &ModelPose, terrain: &dyn Terrain) -> Real {
        let depth = |&(j, p): &(JointId, Vec3)| {
            let p = model.transform(j).transform_point(p);
            terrain.height(p.x, p.z) - p.y
        };
        self.points.iter().map(depth).fold(Real::NEG_INFINITY, Real::max)
    }

    /// The foot as the model has it.
    pub fn at(&self, model: &ModelPose) -> FootAt {
        let ankle = self.effector.transform(model);
        match self.has_sole() {
            true => FootAt { place: ankle.translation, turn: ankle.rotation * self.standing.conjugate() },
            false => FootAt { place: ankle.translation, turn: Quat::IDENTITY },
        }
    }

    /// How the foot's joint is turned in model space when the foot is turned so.
    pub fn rotation(&self, turn: Quat) -> Quat {
        (turn * self.standing).normalize()
    }

    /// Whether a joint of the foot is one of the toes, which bend by themselves.
    pub fn is_toe(&self, skeleton: &Skeleton, joint: JointId) -> bool {
        self.toes.is_some_and(|toes| skeleton.is_ancestor(toes, joint))
    }

    /// How far the toes have to bend up so that their tips are not under the ground, in radians.
    pub fn toes_under(&self, skeleton: &Skeleton, model: &ModelPose, terrain: &dyn Terrain) -> Real {
        let Some(toes) = self.toes else { return 0.0 };
        let at = model.position(toes);
        let mut bend: Real = 0.0;
        for &(j, p) in &self.points {
            let tip = model.transform(j).transform_point(p);
            let length = tip.distance(at);
            if !self.is_toe(skeleton, j) || length < 0.005 * self.length {
                continue;
            }
            let up = |y: Real| ((y - at.y) / length).clamp(-1.0, 1.0).asin();
            bend = bend.max(up(terrain.height(tip.x, tip.z)) - up(tip.y));
        }
        bend.min(MOST_BEND)
    }

    /// Bends the toes up. `model` must hold the pose.
    pub fn bend_toes(&self, skeleton: &Skeleton, model: &mut ModelPose, angle: Real, pose: &mut Pose) {
        let Some(toes) = self.toes.filter(|_| angle > 0.0) else { return };
        let frame = model.rest_frame(skeleton, toes);
        // Straight up, wherever they point; toes that point down have only the foot's own axis.
        let at = model.position(toes);
        let mut arm = Vec3::ZERO;
        for &(j, p) in self.points.iter().filter(|(j, _)| self.is_toe(skeleton, *j)) {
            let tip = model.transform(j).transform_point(p) - at;
            arm = if tip.length() > arm.length() { tip } else { arm };
        }
        let own = -(self.at(model).turn * self.sole.left);
        let mut up = direction_or(arm, Vec3::ZERO).cross(Vec3::Y);
        // Under a foot that stands upright they may point back; they do not bend the other way then, which
        // would turn them over in a frame.
        up -= own * up.dot(own).min(0.0);
        let turn = rotation::about(direction_or(up + own * 0.4, own), angle);
        let q = frame.conjugate() * turn * frame * pose.rotation(toes);
        pose.set_rotation(toes, rotation::normalize_or_identity(q));
        model.update_below(skeleton, pose, toes);
    }

    /// Which way the foot points.
    pub fn heading(&self, turn: Quat) -> Real {
        let v = turn * self.sole.ahead;
        let a = self.sole.ahead;
        // Both on the ground: the angle from the one to the other, to the left.
        (v.x * a.z - v.z * a.x).atan2(v.x * a.x + v.z * a.z)
    }
}

/// Measures all soles on a clip and returns how high the ground is on which it was recorded.
///
/// Where no foot ever stands still, the soles stay as they were and the lowest point of all is
/// the ground.
pub(super) fn calibrate(
    skeleton: &Skeleton,
    feet: &mut [PlantFoot],
    frames: &[Pose],
    seconds: Real,
    slow: Real,
) -> Real {
    let stride = (frames.len() / 4000).max(1);
    let mut model = ModelPose::rest(skeleton);
    let mut before: Vec<[Vec3; 2]> = alloc::vec![[Vec3::ZERO; 2]; feet.len()];
    // Of slow frames: height of the ankle, up for the foot, the lowest point.
    let mut still: Vec<Vec<(Real, Vec3, Real, usize)>> = alloc::vec![Vec::new(); feet.len()];
    let mut bends: Vec<Real> = alloc::vec![0.0; feet.len()];
    let mut lowest = Real::INFINITY;
    for i in (0..frames.len()).step_by(stride) {
        for (j, later) in [(i, false), (i + 1, true)] {
            let Some(frame) = frames.get(j) else { continue };
            model.update(skeleton, frame);
            for (k, foot) in feet.iter_mut().enumerate() {
                let now = foot.at(&model);
                let points = [foot.sole.heel, foot.ball].map(|p| now.point(&foot.sole, p));
                if later {
                    let speed = |a: Vec3, b: Vec3| a.distance(b) / seconds.max(TINY);
                    let fastest = speed(points[0], before[k][0]).max(speed(points[1], before[k][1]));
                    if fastest < slow * foot.length {
                        let up = model.rotation(foot.effector.joint).conjugate() * Vec3::Y;
                        still[k].push((now.place.y, up, foot.lowest(&model), i));
                    }
                    foot.leg.learn(&model, &mut bends[k]);
                } else {
                    lowest = lowest.min(foot.lowest(&model));
                }
                before[k] = points;
            }
        }
    }
    let mut level = Real::INFINITY;
    let mut found: Vec<Option<(Real, Vec3, usize)>> = alloc::vec![None; feet.len()];
    for (k, foot) in feet.iter_mut().enumerate() {
        if bends[k] < 0.0 {
            foot.leg.bend_backwards();
        }
        let list = &mut still[k];
        if list.len() < 4 {
            continue;
        }
        // The two hundredths of a leg in which the ankle is most of the time.
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        let window = 0.02 * foot.length;
        let (mut best, mut last) = (0..0, 0);
        for first in 0..list.len() {
            while last < list.len() && list[last].0 <= list[first].0 + window {
                last += 1;
            }
            if last - first > best.len() {
                best = first..last;
            }
        }
        let own = &mut list[best];
        let up = own.iter().map(|s| s.1).fold(Vec3::ZERO, |a, b| a + b);
        let middle = own.len() / 2;
        own.sort_by(|a, b| a.2.total_cmp(&b.2));
        let deep = own[middle].2;
        own.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (ankle, _, _, frame) = own[middle];
        level = level.min(deep.min(ankle - if foot.has_sole() { ANKLE * foot.length } else { 0.0 }));
        found[k] = Some((ankle, direction_or(up, Vec3::Y), frame));
    }
    if !level.is_finite() {
        return if lowest.is_finite() { lowest } else { 0.0 };
    }
    for (foot, found) in feet.iter_mut().zip(found) {
        if let Some((ankle, up, frame)) = found
            && foot.has_sole()
            && let Some(pose) = frames.get(frame)
        {
            model.update(skeleton, pose);
            let ahead = foot.at(&model).turn * foot.sole.ahead;
            foot.measure(&model, up, ankle - level, ahead);
        }
    }
    level
}
