//! From a design to a posture of any rig whose parts are known.

use alloc::vec::Vec;

use super::design::Design;
#[cfg(feature = "collision")]
use super::design::STANDING;
use crate::analytic::{Limb, Swivel};
#[cfg(feature = "collision")]
use crate::collision::{CollisionBody, CollisionQuery, CollisionScene};
use crate::goal::Target;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::{Facing, HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, JointKind, Skeleton};

/// Makes postures of designs, for one skeleton and arm.
pub(super) struct Shaper<'a> {
    skeleton: &'a Skeleton,
    map: &'a HumanoidMap,
    facing: Facing,
    side: Side,
    rest: ModelPose,
    /// The joint that moves the whole body, and what moves the pelvis.
    mover: Option<JointId>,
    hips: Option<JointId>,
    leg: Real,
    /// How much further aside than designed each arm hangs, in radians.
    aside: [Real; 2],
}

/// Arms that rest within this of hanging hang, by the cosine: 40°.
const HANGS: Real = 0.766;
/// In steps of this and so many of them arms that should hang are held further aside, in radians.
#[cfg(feature = "collision")]
const ASIDE: (Real, u32) = (0.05, 12);

impl<'a> Shaper<'a> {
    pub fn new(skeleton: &'a Skeleton, map: &'a HumanoidMap, facing: Facing, side: Side) -> Self {
        let rest = ModelPose::rest(skeleton);
        let hips = map.get(HumanoidBone::Hips);
        let free = |joint: &JointId| skeleton.joint(*joint).kind() == JointKind::Free;
        let mover = hips.and_then(|hips| skeleton.ancestors(hips).find(free));
        let leg = map.leg(side).map_or(0.0, |leg| {
            let at = |j| rest.position(j);
            at(leg.upper).distance(at(leg.lower)) + at(leg.lower).distance(at(leg.end))
        });
        #[cfg_attr(not(feature = "collision"), expect(unused_mut, reason = "nothing to keep aside of"))]
        let mut shaper = Self { skeleton, map, facing, side, rest, mover, hips, leg, aside: [0.0; 2] };
        #[cfg(feature = "collision")]
        shaper.keep_aside();
        shaper
    }

    /// Whether an arm rests raised, as in a T-pose or an A-pose.
    pub fn rests_raised(&self, side: Side) -> bool {
        let down = -self.facing.up;
        self.map.arm(side).is_some_and(|arm| {
            let bone = self.rest.position(arm.lower) - self.rest.position(arm.upper);
            direction_or(bone, down).dot(down) < HANGS
        })
    }

    /// Holds arms that rest raised as far aside as it takes for forearm and hand to hang clear of hips and
    /// thighs. Where arms hang at rest, whoever made the body has decided that.
    #[cfg(feature = "collision")]
    fn keep_aside(&mut self) {
        let raised = Side::BOTH.map(|side| self.rests_raised(side));
        if raised == [false; 2] {
            return;
        }
        let body = CollisionBody::from_rig(self.skeleton, self.map);
        let (mut query, nothing) = (CollisionQuery::new(&body), CollisionScene::new());
        let relaxed = Design::new(&STANDING);
        for side in Side::BOTH {
            let Some(arm) = self.map.arm(side).filter(|_| raised[side as usize]) else { continue };
            let parts = body.parts_below(self.skeleton, arm.lower);
            let is_clear = (0..=ASIDE.1).find(|&steps| {
                self.aside[side as usize] = ASIDE.0 * steps as Real;
                let mut pose = Pose::rest(self.skeleton);
                self.arm(&mut pose, &relaxed, side);
                query.place(&body, &ModelPose::new(self.skeleton, &pose));
                query.first_contact(&body, &nothing, &parts).is_none()
            });
            if is_clear.is_none() {
                self.aside[side as usize] = 0.0;
            }
        }
    }

    pub fn posture(&self, design: &Design) -> Pose {
        let mut pose = Pose::rest(self.skeleton);
        let Facing { left, up, forward, .. } = self.facing;
        // On the left a lean to the arm's side and a turn of its shoulder forwards
        // are the other way round about the axes.
        let s = -self.side.sign();
        let turned = |bend: Real, lean: Real, turn: Real| {
            (left * bend + forward * (lean * s) + up * (turn * s)) * (PI / 180.0)
        };

        let [bend, lean, turn] = design.spine;
        let spine = self.map.spine();
        let n = spine.len() as Real;
        for (i, &joint) in spine.iter().enumerate() {
            // The lumbar joints bend most and turn least, the thoracic ones the other way.
            let (low, high) = (n - i as Real, i as Real + 0.5);
            let bends = low / (0.5 * n * (n + 1.0));
            let turns = high / (0.5 * n * n);
            self.turn(&mut pose, joint, turned(bend * bends, lean / n, turn * turns));
        }
        let neck: Vec<JointId> =
            self.map.neck().iter().copied().chain(self.map.get(HumanoidBone::Head)).collect();
        let [nod, look] = design.head;
        for &joint in &neck {
            let share = 1.0 / neck.len() as Real;
            // Looking to the arm's side turns the face the way that takes the
            // arm's shoulder back.
            self.turn(&mut pose, joint, turned(nod * share, 0.0, -look * share));
        }
        if let Some(collarbone) = self.map.get(HumanoidBone::Shoulder(self.side)) {
            self.turn(&mut pose, collarbone, turned(0.0, -design.collarbone[0], design.collarbone[1]));
        }
        self.arm(&mut pose, design, self.side.other());
        self.pelvis(&mut pose, design, rotation::exp(turned(design.pelvis[0], 0.0, design.pelvis[1])));
        self.legs(&mut pose);
        pose
    }

    /// Puts the feet back where they rest, so that a posture stands by itself; in
    /// a reach the solver holds them anyway.
    fn legs(&self, pose: &mut Pose) {
        let mut model = ModelPose::new(self.skeleton, pose);
        for side in Side::BOTH {
            let Ok(leg) = Limb::leg(self.skeleton, self.map, side) else { continue };
            let foot = Target::Pose(self.rest.transform(leg.joints().end));
            leg.solve(self.skeleton, &model, &foot, Swivel::Last, pose);
            model.update_below(self.skeleton, pose, leg.joints().upper);
        }
    }

    /// Poses an arm as the design has the other one.
    pub fn arm(&self, pose: &mut Pose, design: &Design, other: Side) {
        let Facing { left, forward, .. } = self.facing;
        let [swing, spread, fold] = design.other_arm.map(Real::to_radians);
        let Some(arm) = self.map.arm(other) else { return };
        let at = |j| self.rest.position(j);
        // From however the arm rests to hanging, then forwards and to its side.
        let bone = direction_or(at(arm.lower) - at(arm.upper), -self.facing.up);
        let out = left * other.sign();
        let (sin, cos) = (spread + self.aside[other as usize]).sin_cos();
        let hanging = -self.facing.up * cos + out * sin;
        let wanted = rotation::about(left, -swing) * hanging;
        let turn = rotation::between(bone, wanted, forward);
        self.set_turn(pose, arm.upper, turn);
        let lower = direction_or(at(arm.end) - at(arm.lower), bone);
        // The forearm folds towards the front; in a T-pose that is about another
        // axis than with hanging arms, and `turn` has taken that along.
        let front = turn.conjugate() * (rotation::about(left, -swing) * forward);
        let axis = direction_or(lower.cross(front), -left);
        self.set_turn(pose, arm.lower, rotation::about(axis, fold));
    }

    fn pelvis(&self, pose: &mut Pose, design: &Design, turn: Quat) {
        let (Some(mover), Some(hips)) = (self.mover, self.hips) else { return };
        let Facing { left, up, forward, .. } = self.facing;
        let [down, back, aside] = design.hips;
        let shift = (-up * down - forward * back + left * (aside * self.side.sign())) * self.leg;
        self.set_turn(pose, mover, turn);
        // Wherever the mover stands, the hips go to their place.
        let arm = self.rest.position(hips) - self.rest.position(mover);
        let way = arm + shift - turn * arm;
        let frame = self.rest.rest_frame(self.skeleton, mover);
        pose.set_translation(mover, frame.conjugate() * way);
    }

    /// Turns a joint by a rotation vector of the rest pose's model space.
    fn turn(&self, pose: &mut Pose, joint: JointId, by: Vec3) {
        self.set_turn(pose, joint, rotation::exp(by));
    }

    fn set_turn(&self, pose: &mut Pose, joint: JointId, turn: Quat) {
        let frame = self.rest.rotation(joint);
        let wanted = frame.conjugate() * turn * frame;
        pose.set_rotation(joint, self.skeleton.joint(joint).project(wanted.normalize()));
    }
}
