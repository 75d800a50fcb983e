//! What a walker knows of the rig: its legs, its feet and where they belong.
//!
//! A humanoid has two legs and soles from heel to toes, measured on the rest
//! pose; where a rig has no toes, from the foot's tip or from the length of the
//! leg. Any other rig with a free root walks on the leaves that touch the ground,
//! in two groups that take turns: diagonal pairs of four legs, every other one of
//! eight.

use alloc::vec::Vec;

use super::course::turned;
use super::foot::{FootPose, Plant, Sole};
use super::leg::Leg;
use super::terrain::Terrain;
use super::upper::Upper;
use crate::analytic::Limb;
use crate::error::RigError;
use crate::goal::Effector;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, JointKind, Skeleton};

/// The rig as the walker sees it.
#[derive(Debug, Clone)]
pub(super) struct WalkRig {
    /// The rig with a root that does not give way to the legs.
    pub held: Skeleton,
    root: JointId,
    /// The root at rest.
    root_rest: Transform,
    /// Where the hips are at rest, and how high over the soles they stand.
    pub hips: Vec3,
    pub height: Real,
    /// Ahead on the ground (x and z), and to the left.
    pub ahead: Vec2,
    pub left: Vec3,
    pub leg_length: Real,
    /// What of a biped's stride its legs can make: many legs stand in each
    /// other's way.
    pub stride: Real,
    pub feet: Vec<RigFoot>,
    pub upper: Option<Upper>,
    /// Where the parents of the legs' bases stand, and a pose to try things on.
    stance: ModelPose,
    trial: Pose,
}

/// A leg and its foot.
#[derive(Debug, Clone)]
pub(super) struct RigFoot {
    pub leg: Leg,
    pub sole: Sole,
    /// The leg's base and its parent, from the hips.
    pub base: Vec3,
    parent: Option<(JointId, Transform)>,
    toes: Option<Toes>,
    /// Where the heel belongs on the ground, from the hips.
    pub home: Vec2,
    /// With which group it has its turn: 0 or 1.
    pub group: usize,
    /// The heel rise that the ankle's limit last asked for, and the one that was shown; none before
    /// the first frame, which may begin anywhere.
    last_rise: Real,
    pub shown_rise: Option<Real>,
    /// How far it was moved out of the ground in the air, in the last frame.
    pub moved_out: Vec3,
    /// How far the ankle can be from the base.
    pub reach: Real,
}

impl WalkRig {
    pub fn new(skeleton: &Skeleton, map: &HumanoidMap, skin: &[(JointId, Vec3)]) -> Result<Self, RigError> {
        let root = skeleton.root();
        let kind = skeleton.joint(root).kind();
        if kind != JointKind::Free {
            let (joint, needs) = (skeleton.joint(root).name().into(), "a walker needs a free root");
            return Err(RigError::WrongKind { joint, kind: kind.name(), needs });
        }
        // Nothing that carries more than one leg gives way to any of them.
        let mut builder = skeleton.to_builder();
        builder.joints[root.index()].stiffness = 1.0;
        for (_, base, _) in ground_legs(skeleton, &ModelPose::rest(skeleton)) {
            for joint in skeleton.ancestors(base).skip(1) {
                builder.joints[joint.index()].stiffness = 1.0;
            }
        }
        let held = builder.build()?;
        let model = ModelPose::rest(&held);
        let biped = Side::BOTH.map(|side| Some((map.leg(side)?, Limb::leg(&held, map, side).ok()?)));
        let facing = map.facing();
        let flat = |v: Vec3, or: Vec3| direction_or(Vec3::new(v.x, 0.0, v.z), or);
        let (ahead, left) = match facing {
            Some(f) if biped.iter().all(Option::is_some) => (flat(f.forward, Vec3::Z), flat(f.left, Vec3::X)),
            _ => (Vec3::Z, Vec3::X),
        };
        let hips = match biped.iter().all(Option::is_some) {
            true => model.position(map.get(HumanoidBone::Hips).unwrap_or(root)),
            false => model.position(root),
        };
        let mut feet = Vec::new();
        let mut upper = None;
        if let [Some((left_leg, left_limb)), Some((right_leg, right_limb))] = biped {
            // The arms are solved on the rig as it is given.
            upper = Some(Upper::new(skeleton, map, left));
            for (side, joints, limb, group) in
                [(Side::Left, left_leg, left_limb, 0), (Side::Right, right_leg, right_limb, 1)]
            {
                let toes = map.get(HumanoidBone::Toes(side));
                let reach = limb.reach().1;
                let sole = sole(&held, &model, joints.end, toes, reach, (ahead, left));
                let sole = sole.on_skin(&held, &model, joints.end, skin, reach);
                let leg = Leg::new(&held, joints.upper, Effector::at(joints.end), Some(limb), true)?;
                let toes = toes.map(|j| Toes::new(&held, &model, j, joints.end, (sole.tip, ahead, left)));
                feet.push(RigFoot { toes, ..RigFoot::new(&held, &model, hips, leg, sole, group) });
            }
        } else {
            for (leaf, base, group) in ground_legs(&held, &model) {
                let tip = held.joint(leaf).tip().unwrap_or(Vec3::ZERO);
                let effector = Effector { joint: leaf, offset: Transform::from_translation(tip) };
                let at = effector.transform(&model).translation;
                let sole = Sole { ankle: at, heel: at, toe: at, tip: 0.0, width: 0.0, ahead, left };
                let leg = Leg::new(&held, base, effector, None, false)?;
                feet.push(RigFoot::new(&held, &model, hips, leg, sole, group));
            }
        }
        if feet.len() < 2 {
            return Err(RigError::TooFewLegs(feet.len()));
        }
        let leg_length = feet.iter().map(|f| f.reach).sum::<Real>() / feet.len() as Real;
        // A rig's origin may be anywhere; its soles are on the ground.
        let ground = feet.iter().map(|f| f.sole.heel.y).fold(Real::INFINITY, Real::min);
        let mut height = hips.y - ground;
        if upper.is_some() {
            for foot in &mut feet {
                foot.narrow(left, leg_length);
            }
            // Hips that rest lower than a leg that is a little bent would sit.
            let up = |f: &RigFoot| f.reach + f.sole.ankle.y - f.sole.heel.y - f.base.y;
            let tallest = feet.iter().map(up).fold(Real::INFINITY, Real::min);
            height = height.max(STANDS * tallest).min(tallest);
        }
        Ok(Self {
            root,
            root_rest: model.transform(root),
            hips,
            height,
            ahead: Vec2::new(ahead.x, ahead.z),
            left,
            leg_length: leg_length.max(1.0e-3),
            stride: if upper.is_some() { 1.0 } else { 0.22 },
            feet,
            upper,
            stance: model,
            trial: Pose::rest(&held),
            held,
        })
    }

    /// How far its feet stand out in a direction of the plane, when it has this heading.
    pub fn front(&self, direction: Vec2, heading: Real) -> Real {
        let own = turned(direction, -heading);
        let out = |f: &RigFoot| {
            let ahead = Vec2::new(f.sole.ahead.x, f.sole.ahead.z) * (f.sole.length() + f.sole.tip);
            f.home.dot(own).max((f.home + ahead).dot(own))
        };
        self.feet.iter().map(out).fold(0.0, Real::max)
    }

    /// How far its feet stand from its middle along a line on the plane.
    pub fn half_width(&self, aside: Vec2, heading: Real) -> Real {
        let own = turned(aside, -heading);
        self.feet.iter().map(|f| f.home.dot(own).abs()).fold(0.0, Real::max)
    }

    /// The middle of where its feet belong, from the hips.
    pub fn middle(&self) -> Vec2 {
        self.feet.iter().map(|foot| foot.home).sum::<Vec2>() / self.feet.len().max(1) as Real
    }

    /// Whether it walks on two legs with soles.
    pub fn is_biped(&self) -> bool {
        self.upper.is_some()
    }

    /// Puts the hips here, turned so from rest.
    pub fn place_root(&self, skeleton: &Skeleton, hips: Transform, pose: &mut Pose) {
        let rest = self.root_rest;
        let wanted = hips.transform_point(rest.translation - self.hips);
        let turn = (rest.rotation.conjugate() * hips.rotation * rest.rotation).normalize();
        let joint = skeleton.joint(self.root);
        pose.set_rotation(self.root, joint.project(turn));
        let shift = rest.rotation.conjugate() * (wanted - rest.translation);
        pose.set_translation(self.root, joint.project_translation(shift));
    }

    /// Takes note of where the legs begin when the hips are here.
    pub fn stand(&mut self, hips: Transform) {
        for foot in &self.feet {
            if let Some((joint, from_hips)) = foot.parent {
                let at = hips * from_hips;
                self.stance.positions[joint.index()] = at.translation;
                self.stance.rotations[joint.index()] = at.rotation;
            }
        }
    }

    /// A foot on a plant as its ankle has it, which may not turn it as it should.
    pub fn as_turned(&mut self, foot: usize, plant: &Plant, wanted: FootPose) -> FootPose {
        let RigFoot { leg, sole, .. } = &self.feet[foot];
        let Some(limb) = &leg.limb else { return wanted };
        let footing = wanted.footing(sole, Some(plant));
        let at = leg.stand(limb, &self.held, &mut self.stance, footing, &mut self.trial).foot;
        FootPose::of(sole, at.translation, at.rotation * leg.rest.conjugate(), wanted.knee)
    }

    /// The least heel rise, from `rise` on, at which the ankle does not tip the foot, if there is
    /// one. What it cannot roll it cannot at any rise.
    pub fn rise_within_limits(&mut self, foot: usize, plant: &Plant, rise: Real, most: Real) -> Option<Real> {
        let RigFoot { leg, sole, .. } = &self.feet[foot];
        let Some(limb) = &leg.limb else { return Some(rise) };
        let mut outside = |rise: Real| {
            let pose = FootPose::on_plant(plant, sole, rise);
            let footing = pose.footing(sole, Some(plant));
            leg.stand(limb, &self.held, &mut self.stance, footing, &mut self.trial).tips
        };
        const NEAR: Real = 1.0e-3;
        if outside(rise) <= NEAR {
            return Some(rise);
        }
        // Too far up is past the ankle's other end, so it is looked for from below.
        // It begins where it was in the last frame.
        let (mut low, mut high) = (rise, rise);
        let last = self.feet[foot].last_rise;
        for guess in [last - 0.03, last + 0.03] {
            if guess > low && guess < most && outside(guess) > NEAR {
                low = guess;
                high = guess;
            }
        }
        let mut stride = 0.03;
        while high < most {
            high = (high + stride).min(most);
            stride *= 1.6;
            if outside(high) <= NEAR {
                break;
            }
            low = high;
        }
        if low == high {
            return None;
        }
        while high - low > 1.0e-3 {
            let middle = 0.5 * (low + high);
            if outside(middle) <= NEAR {
                high = middle;
            } else {
                low = middle;
            }
        }
        self.feet[foot].last_rise = high;
        Some(high)
    }
}

/// How high hips stand at the least, of what the legs could, and how far a foot stands aside of
/// its hip at the most, in leg lengths: many rigs rest with their legs apart.
const STANDS: Real = 0.94;
const ASIDE: Real = 0.06;

impl RigFoot {
    /// Brings the foot of a rig that rests with its legs apart under its hip.
    fn narrow(&mut self, left: Vec3, leg: Real) {
        let left = Vec2::new(left.x, left.z);
        let aside = (self.home - Vec2::new(self.base.x, self.base.z)).dot(left);
        self.home -= left * (aside - aside.clamp(-ASIDE * leg, ASIDE * leg));
    }

    fn new(skeleton: &Skeleton, model: &ModelPose, hips: Vec3, leg: Leg, sole: Sole, group: usize) -> Self {
        let parent = skeleton.parent(leg.base).map(|p| {
            let at = model.transform(p);
            (p, Transform::new(at.translation - hips, at.rotation))
        });
        Self {
            base: model.position(leg.base) - hips,
            parent,
            toes: None,
            home: Vec2::new(sole.heel.x - hips.x, sole.heel.z - hips.z),
            reach: leg.reach(),
            leg,
            sole,
            group,
            last_rise: 0.0,
            shown_rise: None,
            moved_out: Vec3::ZERO,
        }
    }
}

/// The joint at which the toes bend.
#[derive(Debug, Clone)]
struct Toes {
    joint: JointId,
    /// The joints from the foot to it.
    chain: Vec<JointId>,
    /// The axis about which they bend up, and their tip, in the joint's frame.
    axis: Vec3,
    tip: Vec3,
    /// How far the tip points down at rest.
    down: Real,
}

impl Toes {
    fn new(
        skeleton: &Skeleton,
        model: &ModelPose,
        joint: JointId,
        foot: JointId,
        (tip, ahead, left): (Real, Vec3, Vec3),
    ) -> Self {
        let frame = model.rest_frame(skeleton, joint).conjugate();
        let tip = skeleton.joint(joint).tip().unwrap_or(frame * (ahead * tip));
        let chain = skeleton.chain(foot, joint).unwrap_or_default();
        let down = -direction_or(model.rotation(joint) * tip, ahead).y;
        Self { joint, chain, axis: frame * -left, tip, down: down.clamp(-1.0, 1.0).asin() }
    }
}

impl RigFoot {
    /// Bends the toes so that they are as steep as the ground, in the air as the ground between where
    /// they left and where they will land, and have their tip over the ground.
    /// `model` must hold where the leg's parent stands. Returns where the tip is, if they have a joint.
    pub fn bend_toes(
        &self,
        skeleton: &Skeleton,
        model: &mut ModelPose,
        (plant, slope, terrain): (Option<&Plant>, Real, &dyn Terrain),
        pose: &mut Pose,
    ) -> Option<Vec3> {
        // A solver may have left the leg elsewhere than where it was last looked at.
        self.leg.update(skeleton, model, pose);
        let toes = self.toes.as_ref()?;
        pose.set_rotation(toes.joint, Quat::IDENTITY);
        for &joint in &toes.chain {
            model.update_joint(skeleton, pose, joint);
        }
        let at = model.position(toes.joint);
        let [tip, axis] = [toes.tip, toes.axis].map(|v| model.rotation(toes.joint) * v);
        let length = tip.length().max(TINY);
        // The tip goes round on a circle, which is upright only under a foot that is not rolled.
        let along = axis * axis.dot(tip);
        let (round, ahead) = (tip - along, axis.cross(tip));
        let bend_to = |height: Real| {
            let part = (height - along.y) / round.y.hypot(ahead.y).max(TINY);
            ahead.y.atan2(round.y) - part.clamp(-1.0, 1.0).acos()
        };
        let mut height = -length * (toes.down + slope).sin();
        // The ground goes on as it is under the sole, unless a stone is under the tip; what is much higher is the next
        // step, behind whose edge it is.
        let own = terrain.height(at.x + tip.x, at.z + tip.z);
        let under = match plant {
            Some(plant) => plant.toe.y - slope.tan() * Vec2::new(tip.x, tip.z).length(),
            None => terrain.height(at.x, at.z),
        };
        let ground = match (plant, own - under < STONE * length) {
            (Some(_), true) => Some(under.max(own)),
            (Some(_), false) => Some(under),
            (None, true) => Some(own),
            (None, false) => None,
        };
        if let Some(ground) = ground {
            height = height.max(ground - at.y);
        }
        let bend = rotation::about(toes.axis, bend_to(height).max(0.0));
        pose.set_rotation(toes.joint, skeleton.joint(toes.joint).project(bend));
        model.update_joint(skeleton, pose, toes.joint);
        Some(at + model.rotation(toes.joint) * toes.tip)
    }
}

/// How high a stone is, of the length of the toes, over which they bend.
const STONE: Real = 0.5;

/// How far ahead of the ankle the ball is, of the length of the foot from there on.
const BALL: Real = 0.72;

/// Heel and toes of a foot: under its lowest point, from behind the ankle to the
/// ball, where the toes bend.
fn sole(
    skeleton: &Skeleton,
    model: &ModelPose,
    ankle: JointId,
    toes: Option<JointId>,
    leg: Real,
    (ahead, left): (Vec3, Vec3),
) -> Sole {
    let at = model.position(ankle);
    let points = || {
        skeleton.subtree(ankle).filter_map(|i| skeleton.id(i)).flat_map(|j| {
            let tip = skeleton.joint(j).tip().map(|tip| model.transform(j).transform_point(tip));
            [Some(model.position(j)), tip].into_iter().flatten()
        })
    };
    let lowest = points().map(|p| p.y).fold(at.y, Real::min);
    // An ankle is some way above the ground, also where nothing hangs on it.
    let ground = lowest.min(at.y - 0.03 * leg);
    let forward = |p: Vec3| (p - at).dot(ahead);
    let tip = points().map(forward).fold(0.0, Real::max);
    let tip = if tip > 0.08 * leg { tip } else { 0.22 * leg };
    let ball = toes.map(|j| forward(model.position(j))).filter(|&b| b > 0.04 * leg);
    // Toes that are a joint and nothing else have a tip all the same, and a foot without toes rolls over its tip:
    // about a point behind it the tip would go into the ground.
    let tip = ball.map_or(tip, |ball| tip.max(ball / BALL));
    let ball = ball.unwrap_or(tip);
    let under = Vec3::new(at.x, ground, at.z);
    Sole {
        ankle: at,
        heel: under - ahead * (0.3 * ball),
        toe: under + ahead * ball,
        tip: tip - ball,
        width: 0.04 * leg,
        ahead,
        left,
    }
}

/// Leaves that rest on the ground, with the joint at the body and the turn they
/// have in the cycle.
pub(in crate::body) fn ground_legs(skeleton: &Skeleton, model: &ModelPose) -> Vec<(JointId, JointId, usize)> {
    let root = skeleton.root();
    let place = |j: JointId| {
        skeleton.joint(j).tip().map_or(model.position(j), |tip| model.transform(j).transform_point(tip))
    };
    let lowest = skeleton.ids().map(|j| place(j).y).fold(Real::INFINITY, Real::min);
    let height = (model.position(root).y - lowest).max(1.0e-3);
    let on_the_ground =
        |&j: &JointId| skeleton.children(j).next().is_none() && place(j).y < lowest + 0.1 * height;
    let leaves: Vec<JointId> = skeleton.ids().filter(on_the_ground).collect();
    // A leg begins where the body ends: a joint that carries two of them belongs to neither.
    let carries_one =
        |&j: &JointId| leaves.iter().filter(|&&leaf| skeleton.is_ancestor(j, leaf)).count() == 1;
    let mut legs: Vec<(JointId, JointId)> = leaves
        .iter()
        .filter_map(|&leaf| {
            let own = skeleton.ancestors(leaf).filter(|&j| j != root).take_while(carries_one);
            let base = own.filter(|&j| skeleton.joint(j).kind().degrees_of_freedom() > 0).last()?;
            Some((leaf, base))
        })
        .collect();
    // Front to back on each side; neighbours and opposites alternate.
    legs.sort_by(|a, b| place(b.0).z.total_cmp(&place(a.0).z));
    let mut counts = [0usize, 1];
    let turns = legs.iter().map(|&(leaf, base)| {
        let side = usize::from(place(leaf).x < model.position(root).x);
        let turn = counts[side] % 2;
        counts[side] += 1;
        (leaf, base, turn)
    });
    turns.collect()
}
