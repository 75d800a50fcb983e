//! What the plan of a motion asks of the solver: its limbs, and postures of the body other than the
//! one that it would choose.

use alloc::vec::Vec;

use super::{LimbGoal, ReachSolver, target_of};
use crate::analytic::{Limb, Swivel};
use crate::body::reach::whole_body::Among;
use crate::error::RigError;
use crate::goal::{ClearanceGoal, Target};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::Cause;
use crate::skeleton::humanoid::Side;
use crate::skeleton::{JointId, Skeleton};

impl ReachSolver {
    /// A copy of which every solve is by itself, whatever was before.
    pub(in crate::body::reach) fn without_memory(&self) -> Self {
        let mut solver = self.clone();
        solver.options.follow = None;
        solver.forget();
        solver
    }

    /// The hands in the order in which they are solved: the other makes way for the first.
    pub(in crate::body::reach) fn sides(&self) -> [Side; 2] {
        self.order()
    }

    /// The legs that hold their feet, with the feet's places.
    pub(in crate::body::reach) fn held_feet(&self) -> [Option<(Limb, Transform)>; 2] {
        let holds = self.options.hold_feet;
        [0, 1].map(|i| self.legs[i].as_ref().filter(|_| holds).map(|leg| (leg.limb.clone(), leg.foot)))
    }

    /// What a target asks of a hand, in model space.
    pub(in crate::body::reach) fn hand_goal(
        &self,
        targets: &[(Side, Target)],
        side: Side,
    ) -> Option<LimbGoal> {
        let end = self.arm(side)?.joints().end;
        target_of(targets, side).map(|target| LimbGoal::new(target, || self.initial_model.transform(end)))
    }

    /// The swing from the initial posture's shoulder to a point of model space, on the plane that the
    /// behaviours' keys lie on.
    pub fn swing_to(&self, side: Side, point: Vec3) -> Option<Vec2> {
        let arm = self.arms[side as usize].as_ref()?;
        Some(arm.frame.swing_to(&self.initial_model, point).0)
    }

    /// Poses everything but the reaching arms as the behaviour does for a target in another
    /// direction, `shift` away on the swing plane, with this weight; whether the feet hold.
    pub(in crate::body::reach) fn lean(
        &mut self,
        skeleton: &Skeleton,
        targets: &[(Side, Target)],
        (shift, weight): (Vec2, Real),
        pose: &mut Pose,
    ) -> bool {
        let Some(mut wishes) = self.wishes(skeleton, targets, pose) else { return false };
        for (arm, wish) in self.arms.iter().zip(&mut wishes) {
            let (Some(arm), Some(wish)) = (arm, wish) else { continue };
            if let Some(behaviour) = &arm.behaviour {
                wish.weights = behaviour.plane().weights(wish.swing + shift, arm.hint);
                wish.weight = weight;
            }
        }
        self.blend_keys(&wishes);
        let holds = self.pose_body_at(skeleton, &wishes, 1.0);
        pose.copy_from(&self.pose);
        holds
    }

    /// What descents of these hands among obstacles need.
    pub(in crate::body::reach) fn among(
        &mut self,
        skeleton: &Skeleton,
        reaching: [bool; 2],
        goal: ClearanceGoal,
    ) -> Result<Among, RigError> {
        self.whole_body.among(skeleton, reaching, goal)
    }

    /// Goes from a posture of the body, and near to it, to one that has the hands nearly at their targets,
    /// the feet planted, and touches nothing; whether there is one. The arms start from swivel
    /// angles `turned` from the preferred ones; those that they come to are returned.
    pub(in crate::body::reach) fn lean_among(
        &mut self,
        skeleton: &Skeleton,
        targets: &[(Side, Target)],
        turned: Real,
        among: &mut Among,
        pose: &mut Pose,
    ) -> Option<[Real; 2]> {
        let wishes = self.wishes(skeleton, targets, pose)?;
        self.pose.copy_from(pose);
        self.model.update(skeleton, &self.pose);
        for (arm, wish) in self.arms.iter().zip(&wishes) {
            let (Some(arm), Some(wish)) = (arm, wish) else { continue };
            let (goal, _) = arm.within_reach(skeleton, &self.model, &wish.target);
            let swivel = Swivel::Preferred(wish.values.swivel + turned);
            arm.limb().solve(skeleton, &self.model, &Target::Position(goal.position), swivel, &mut self.pose);
        }
        let goals = wishes.map(|wish| wish.map(|wish| wish.target));
        let report = self.whole_body.attain_among(skeleton, goals, pose, among, &mut self.pose);
        let falls = matches!(report.cause, Some(Cause::Balance { .. }));
        pose.copy_from(&self.pose);
        self.model.update(skeleton, &self.pose);
        let mut swivels = [0.0; 2];
        for (side, (arm, goal)) in self.arms.iter().zip(goals).enumerate() {
            let (Some(arm), Some(goal)) = (arm, goal) else { continue };
            let hand = arm.limb().solve(skeleton, &self.model, &goal.target(), Swivel::Last, &mut self.pose);
            if falls || !hand.reached() {
                return None;
            }
            swivels[side] = hand.swivel;
        }
        Some(swivels)
    }

    /// Goes from `pose`, and near to it, to one that has the hands exactly at these goals, the feet planted
    /// and the centre of mass over them, drawn to `style`; whether there is one. Clear of what is `among` it,
    /// if anything is.
    pub(in crate::body::reach) fn carry(
        &mut self,
        skeleton: &Skeleton,
        goals: [Option<LimbGoal>; 2],
        style: &Pose,
        among: Option<&mut Among>,
        pose: &mut Pose,
    ) -> bool {
        self.pose.copy_from(pose);
        // What neither hands nor feet hang on is not the descent's: the style alone moves head and idle arm.
        let hands = self.arms.iter().zip(goals).filter(|(_, goal)| goal.is_some());
        let hands = hands.filter_map(|(arm, _)| Some(arm.as_ref()?.limb().joints().end));
        let feet = self.legs.iter().flatten().map(|leg| leg.limb.joints().end);
        let ends: Vec<JointId> = hands.chain(feet).collect();
        for joint in skeleton.ids().filter(|&joint| !ends.iter().any(|&end| skeleton.is_ancestor(joint, end)))
        {
            self.pose.set_rotation(joint, style.rotation(joint));
        }
        let body = match among {
            Some(among) => self.whole_body.attain_among(skeleton, goals, style, among, &mut self.pose),
            None => self.whole_body.attain(skeleton, goals, style, true, &mut self.pose),
        };
        if matches!(body.cause, Some(Cause::Balance { .. })) || !self.put_feet(skeleton) {
            return false;
        }
        for (leg, foot) in self.held_feet().iter().flatten() {
            place_plainly(skeleton, leg, &self.model, &Target::Pose(*foot), &mut self.pose);
        }
        for (arm, goal) in self.arms.iter().zip(goals) {
            let (Some(arm), Some(goal)) = (arm, goal) else { continue };
            if !place_plainly(skeleton, arm.limb(), &self.model, &goal.target(), &mut self.pose) {
                return false;
            }
        }
        pose.copy_from(&self.pose);
        true
    }
}

/// Puts a limb's end in its place in closed form, from where it nearly is; whether it is there. A limb that
/// a descent has left at its target may be twisted in ways that the closed form does not use, and the step
/// from such a pose to the next one in closed form is a jump.
pub(in crate::body::reach) fn place_plainly(
    skeleton: &Skeleton,
    limb: &Limb,
    model: &ModelPose,
    target: &Target,
    pose: &mut Pose,
) -> bool {
    let now = limb.solve(skeleton, model, target, Swivel::Last, pose);
    if !now.reached() {
        return false;
    }
    let joints = limb.joints();
    let own = [joints.upper, joints.lower, joints.end];
    let before = own.map(|joint| pose.rotation(joint));
    if !limb.solve(skeleton, model, target, Swivel::Preferred(now.swivel), pose).reached() {
        for (joint, q) in own.into_iter().zip(before) {
            pose.set_rotation(joint, q);
        }
    }
    true
}
