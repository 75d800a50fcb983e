//! A leg that an animation has posed already, and that is changed as little as it can be.
//!
//! The knee bends further or less, about the axis about which the animation bends it; the thigh
//! turns the shortest way until the ankle is in its place; the foot is turned as asked. What the
//! animation has in it (the side to which the knee points, twists, shifted bones) stays, a goal
//! where the foot is already changes nothing, and a small change of goal or animation is a small
//! change of the leg.
//!
//! # Degenerate cases
//! * A straight leg has no axis of its own. The knee's flexion axis joins in with a weight that
//!   only matters there, so that the axis does not jump.
//! * A knee that the animation bends backwards a little is bent forwards by as much.
//! * A goal out of reach leaves the leg straight towards it, one too near folds it.
//! * Limits are not asked: the animation's own poses often break them, and a foot that gave way
//!   to them would slide.

use crate::body::walk::leg::{Footing, Leg, LegSolver};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::LimbJoints;
use crate::skeleton::{JointId, Skeleton};

/// How much the flexion axis counts beside the sine of the bend.
const OWN_AXIS: Real = 0.08;
/// What is left of a leg's length when it is as straight as it goes.
const STRAIGHT: Real = 1.0 - 1.0e-5;

/// Two bones, or any chain.
#[derive(Debug, Clone)]
pub(super) enum PlantLeg {
    Bones(TwoBones),
    /// Solved by the half Jacobian, from the animation's pose on.
    Chain(alloc::boxed::Box<Leg>, Skeleton),
}

/// Hip, knee and ankle.
#[derive(Debug, Clone)]
pub(super) struct TwoBones {
    joints: LimbJoints,
    /// Whatever is between them, from the hip on.
    chain: alloc::vec::Vec<JointId>,
    /// The knee's flexion axis in its own frame: positive turns bend it.
    axis: Vec3,
}

impl TwoBones {
    pub fn new(skeleton: &Skeleton, joints: LimbJoints, axis: Vec3) -> Self {
        let chain = skeleton.chain(joints.upper, joints.end).unwrap_or_default();
        Self { joints, chain, axis }
    }

    /// Brings the ankle to `place`; `model` must hold where the leg stands, and does so again
    /// afterwards.
    fn solve(&self, skeleton: &Skeleton, model: &mut ModelPose, place: Vec3, pose: &mut Pose) {
        let LimbJoints { upper, lower, end } = self.joints;
        let (hip, knee, ankle) = (model.position(upper), model.position(lower), model.position(end));
        let (thigh, shin) = (knee - hip, ankle - knee);
        let (a, b) = (thigh.length(), shin.length());
        if a <= TINY || b <= TINY {
            return;
        }
        let far = (a + b) * STRAIGHT;
        let near = ((a - b).abs() * 1.01).max(0.05 * (a + b));
        let distance = place.distance(hip).clamp(near.min(far), far);
        let own = model.rotation(lower) * self.axis;
        let axis = direction_or(thigh.cross(shin) / (a * b) + own * OWN_AXIS, own);
        // The square of the distance after a turn of the shin by t is P cos t + Q sin t + S.
        let back = -thigh;
        let flat = back.dot(axis) * shin.dot(axis);
        let (p, q) = (back.dot(shin) - flat, back.dot(axis.cross(shin)));
        let wanted = 0.5 * (a * a + b * b - distance * distance) - flat;
        let size = p.hypot(q).max(TINY);
        // At this angle the leg would be folded; on the way there it bends forwards.
        let folded = q.atan2(p);
        let turn = wrap_angle(folded - (wanted / size).clamp(-1.0, 1.0).acos());
        self.turn(skeleton, model, lower, rotation::about(axis, turn), pose);
        let from = direction_or(model.position(end) - hip, Vec3::NEG_Y);
        let to = direction_or(place - hip, from);
        self.turn(skeleton, model, upper, rotation::between(from, to, axis), pose);
    }

    fn turn(&self, skeleton: &Skeleton, model: &mut ModelPose, joint: JointId, turn: Quat, pose: &mut Pose) {
        let frame = model.rest_frame(skeleton, joint);
        let q = frame.conjugate() * turn * frame * pose.rotation(joint);
        pose.set_rotation(joint, rotation::normalize_or_identity(q));
        for &id in &self.chain {
            model.update_joint(skeleton, pose, id);
        }
    }
}

impl PlantLeg {
    /// The joint at the body.
    pub fn base(&self) -> JointId {
        match self {
            Self::Bones(bones) => bones.joints.upper,
            Self::Chain(leg, _) => leg.base,
        }
    }

    /// How far the end is from the base at the most, with the bones as the pose has them.
    pub fn length(&self, model: &ModelPose) -> Real {
        match self {
            Self::Bones(TwoBones { joints: LimbJoints { upper, lower, end }, .. }) => {
                model.position(*upper).distance(model.position(*lower))
                    + model.position(*lower).distance(model.position(*end))
            }
            Self::Chain(leg, _) => leg.reach(),
        }
    }

    /// Takes the side to which the knee bends over from poses in which it is seen to.
    pub fn learn(&mut self, model: &ModelPose, seen: &mut Real) {
        if let Self::Bones(TwoBones { joints: LimbJoints { upper, lower, end }, axis, .. }) = self {
            let (hip, knee, ankle) = (model.position(*upper), model.position(*lower), model.position(*end));
            *seen += (knee - hip).cross(ankle - knee).dot(model.rotation(*lower) * *axis);
        }
    }

    /// The other way round.
    pub fn bend_backwards(&mut self) {
        if let Self::Bones(bones) = self {
            bones.axis = -bones.axis;
        }
    }

    /// Brings the end to `place`, turned as `rotation` in model space where the foot has a sole.
    /// `model` must hold the pose; below the leg's base it holds the new one afterwards.
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        model: &mut ModelPose,
        place: Vec3,
        rotation: Quat,
        pose: &mut Pose,
    ) {
        match self {
            Self::Bones(bones) => {
                bones.solve(skeleton, model, place, pose);
                let end = bones.joints.end;
                let frame = model.rest_frame(skeleton, end);
                let turn = rotation::normalize_or_identity(frame.conjugate() * rotation);
                pose.set_rotation(end, turn);
            }
            Self::Chain(leg, held) => {
                let (turn, ahead, edge) = (Quat::IDENTITY, Vec3::Z, Vec3::ZERO);
                let footing =
                    Footing { place, turn, ahead, stands: None, onto: None, up: Vec3::Y, along: ahead, edge };
                leg.solve(held, model, footing, LegSolver::Half, false, pose);
            }
        }
        model.update_below(skeleton, pose, self.base());
    }
}
