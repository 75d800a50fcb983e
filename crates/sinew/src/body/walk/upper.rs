//! What the upper body does while the legs walk.
//!
//! The pelvis turns towards the leg that is ahead and the spine turns back, so
//! that the shoulders go the other way and the head looks ahead; the arms swing
//! against the legs. Hands are brought to where hanging arms would have them by
//! the analytic limb, so that a rig whose rest is a T-pose walks like any other.

use alloc::vec::Vec;

use crate::analytic::{Limb, Swivel};
use crate::goal::Target;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::humanoid::{HumanoidMap, Side};
use crate::skeleton::{JointId, Skeleton};

/// Spine, neck and arms of a body that walks.
#[derive(Debug, Clone)]
pub(super) struct Upper {
    /// Joints that turn about the vertical and bend forwards, with their frames at rest in model
    /// space.
    spine: Vec<(JointId, Quat)>,
    neck: Vec<(JointId, Quat)>,
    arms: Vec<Arm>,
}

#[derive(Debug, Clone)]
struct Arm {
    limb: Limb,
    /// Shoulder to hand, hanging, in the body's frame: down and a little outwards.
    hanging: Vec3,
    /// Which of the legs it swings against: 1 for the left leg.
    sign: Real,
}

/// How the upper body is moved.
#[derive(Debug, Clone, Copy)]
pub(super) struct Carriage {
    /// How far the left foot is ahead of the right, from -1 to 1.
    pub ahead: Real,
    /// The turn of the pelvis.
    pub pelvis: Real,
    /// Which part of the greatest swing the arms make.
    pub arms: Real,
    /// How far the trunk leans forwards, in radians.
    pub lean: Real,
}

/// The greatest swing of an arm to the front and to the back, in radians.
const SWING: (Real, Real) = (0.45, 0.35);
/// How much of a hanging arm's length the hand is away: a little bent.
const HANG: Real = 0.97;

impl Upper {
    /// Takes what the map has; a body without arms swings none.
    pub fn new(skeleton: &Skeleton, map: &HumanoidMap, left: Vec3) -> Self {
        let model = ModelPose::rest(skeleton);
        let turner = |&joint: &JointId| (joint, model.rest_frame(skeleton, joint));
        let arms = Side::BOTH.into_iter().filter_map(|side| {
            let limb = Limb::arm(skeleton, map, side).ok()?;
            let sign = side.sign();
            let hanging = (Vec3::NEG_Y + left * (0.1 * sign)).normalize() * (limb.reach().1 * HANG);
            Some(Arm { limb, hanging, sign })
        });
        Self {
            spine: map.spine().iter().map(turner).collect(),
            neck: map.neck().iter().map(turner).collect(),
            arms: arms.collect(),
        }
    }

    /// Spine and neck, which come before the model pose is brought up to date.
    pub fn turn(&self, skeleton: &Skeleton, carriage: &Carriage, left: Vec3, pose: &mut Pose) {
        let (back, ahead) = (-2.0 * carriage.pelvis, carriage.pelvis);
        for (turners, turn, lean) in [(&self.spine, back, carriage.lean), (&self.neck, ahead, -carriage.lean)]
        {
            let share = 1.0 / turners.len().max(1) as Real;
            for &(joint, frame) in turners {
                let own = rotation::about(Vec3::Y, turn * share) * rotation::about(left, lean * share);
                let local = (frame.conjugate() * own * frame).normalize();
                pose.set_rotation(joint, skeleton.joint(joint).project(local));
            }
        }
    }

    /// The arms, once the model pose knows where the shoulders are.
    pub fn swing_arms(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        carriage: &Carriage,
        (heading, left): (Quat, Vec3),
        pose: &mut Pose,
    ) {
        if carriage.arms <= 0.0 {
            return;
        }
        for arm in &self.arms {
            let swing = -carriage.ahead * arm.sign;
            let angle = if swing > 0.0 { swing * SWING.0 } else { swing * SWING.1 } * carriage.arms;
            // About the left axis a turn below zero goes to the front.
            let hand = heading * (rotation::about(left, -angle) * arm.hanging);
            let shoulder = model.position(arm.limb.joints().upper);
            let goal = Target::Position(shoulder + hand);
            arm.limb.solve(skeleton, model, &goal, Swivel::default(), pose);
        }
    }
}
