//! Going on with the whole body where the behaviours leave a hand short.

#[cfg(feature = "collision")]
use super::Surroundings;
use super::{Arm, ReachReport, ReachSolver, Wish};
use crate::analytic::{LimbReport, Swivel};
use crate::goal::{GoalId, Target};
use crate::math::*;
use crate::pose::Pose;
use crate::report::{Cause, Outcome, Status, Tolerance};
use crate::skeleton::{JointId, Skeleton};

/// A posture of the behaviours that turned by less than this is the same, in radians.
const UNCHANGED: Real = 2.0e-3;
/// In how many seconds a body that goes on comes back by two thirds to what its behaviours have free.
const RELAXATION: Real = 0.1;
/// How fast the body goes on, besides what its targets' own motion makes of it, in radians a second; and
/// in how many seconds it goes two thirds of the way home when nobody wants anything any more.
const BODY_SPEED: Real = 1.0;
const HOME_TIME: Real = 0.2;
/// Which part of the bound on a joint's step the body takes: legs that hold the feet turn by more.
const LEGS_ROOM: Real = 0.8;
/// Feet that are nearer than this to their places stand there, in metres.
const FEET: Real = 5.0e-5;

/// Whether the arm alone cannot have its target, wherever it is on its way. What it touches of its own
/// body may make room for it; an obstacle does not.
fn is_short(hand: &LimbReport) -> bool {
    match hand.outcome.cause {
        Some(Cause::Collision { other, .. }) => other.is_some(),
        Some(Cause::OutOfReach { .. } | Cause::TooClose { .. } | Cause::Limit { .. }) => true,
        _ => false,
    }
}

/// How far a hand is from its target, metres and radians together.
fn off(hand: &LimbReport) -> Real {
    hand.outcome.residual.position + hand.outcome.residual.orientation
}

/// The largest turn of a joint from one pose to another.
fn largest_turn(skeleton: &Skeleton, from: &Pose, to: &Pose) -> Real {
    turn_of(skeleton.ids(), from, to)
}

fn turn_of(joints: impl Iterator<Item = JointId>, from: &Pose, to: &Pose) -> Real {
    let cosine = |joint| from.rotation(joint).dot(to.rotation(joint)).abs();
    let least = joints.map(cosine).fold(1.0, Real::min);
    // Near one the cosine says nothing below its rounding, which is no turn that can be seen.
    2.0 * least.acos()
}

/// Moves a joint a part of the way from where one pose has it to where another has it.
fn go_part(skeleton: &Skeleton, joint: JointId, from: &Pose, to: &Pose, part: Real, pose: &mut Pose) {
    let (q, t) = (from.rotation(joint), from.translation(joint));
    let turned = match part > 0.0 {
        true => skeleton.joint(joint).along_the_limit(q, to.rotation(joint), part),
        false => q,
    };
    pose.set_rotation(joint, turned);
    pose.set_translation(joint, t + (to.translation(joint) - t) * part);
}

impl ReachSolver {
    /// Goes on from the posture of the behaviours, with the arms as they reach from there, if a hand
    /// is short of its target; and back to that posture once it no longer is. Whether it did.
    pub(super) fn go_on(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2]) -> bool {
        let targets = wishes.map(|wish| wish.map(|wish| wish.target));
        // Where no body of these bones could be, the behaviours' posture is as good as any.
        let is_short = self.report.hands.iter().flatten().any(is_short)
            && !self.options.published
            && !self.whole_body.is_beyond(&targets);
        if !self.goes_on && !is_short {
            return false;
        }
        let from_style = self.report.hands;
        #[cfg(feature = "collision")]
        let contact = self.report.contact.take();
        self.style.copy_from(&self.pose);
        if let Some((asked, hands)) = &self.settled
            && self.goes_on
            && is_short
            && *asked == targets
            && self.trunk_turn(skeleton) < UNCHANGED
        {
            self.report.hands = *hands;
            self.pose.copy_from(&self.gone);
            self.put_feet(skeleton);
            return true;
        }
        // A body that goes on is drawn to the behaviours' posture by the time that passes, before the
        // descent: steps of the descent that draw it would be more of them at a higher frame rate. One that
        // cannot have its target rests as near to it as it can; drawn away from there it would tremble.
        if self.goes_on {
            let Some(follow) = self.options.follow else { return false };
            let turn = largest_turn(skeleton, &self.gone, &self.style).max(TINY);
            let back = match is_short {
                true if self.refused => 0.0,
                true => (1.0 - (-self.dt / RELAXATION).exp()).min(0.5 * BODY_SPEED * self.dt / turn),
                false => (follow.joint_speed * self.dt / turn).min(1.0),
            };
            self.start_from_last(skeleton, wishes, back);
            self.descend(skeleton, wishes, !is_short);
        } else {
            self.start_at_ease(skeleton, wishes);
            self.descend(skeleton, wishes, true);
        }
        let is_refused = |report: &ReachReport| report.hands.iter().flatten().any(|hand| !hand.reached());
        if self.goes_on && is_short && is_refused(&self.report) {
            // The way on from the last solve may be blocked where that from the behaviours' posture is not.
            let (hands, feet) = (self.report.hands, self.report.feet);
            self.gone.copy_from(&self.pose);
            self.pose.copy_from(&self.style);
            self.put_feet(skeleton);
            self.start_at_ease(skeleton, wishes);
            self.descend(skeleton, wishes, true);
            if is_refused(&self.report) {
                self.pose.copy_from(&self.gone);
                self.model.update(skeleton, &self.pose);
                (self.report.hands, self.report.feet) = (hands, feet);
            }
        }
        self.refused = is_refused(&self.report);
        self.gone.copy_from(&self.pose);
        let step = self.options.follow.map_or(Real::INFINITY, |follow| follow.joint_speed * self.dt);
        self.goes_on = is_short || largest_turn(skeleton, &self.gone, &self.style) > step;
        if !self.goes_on {
            self.pose.copy_from(&self.style);
            self.report.hands = from_style;
            #[cfg(feature = "collision")]
            {
                self.report.contact = contact;
            }
            self.model.update(skeleton, &self.pose);
        }
        self.settled_style.copy_from(&self.style);
        let hands = self.report.hands;
        let is_there = self.bound_step(skeleton, wishes, step);
        // A body that is still on its way back is not back yet.
        self.goes_on = (self.goes_on || !is_there) && self.options.follow.is_some();
        self.settled = is_there.then_some((targets, hands));
        true
    }

    /// Descends from the pose and says where that has the hands.
    fn descend(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], drawn: bool) {
        let targets = wishes.map(|wish| wish.map(|wish| wish.target));
        let body = self.whole_body.attain(skeleton, targets, &self.style, drawn, &mut self.pose);
        self.report.steps += body.iterations;
        let falls = body.cause.filter(|cause| matches!(cause, Cause::Balance { .. }));
        self.stand(skeleton);
        for (side, wish) in wishes.iter().enumerate() {
            if let Some(wish) = wish {
                self.close_in(skeleton, side, wish, falls);
            }
        }
    }

    /// Takes the last solve's joints where hands and feet depend on them, and goes this part of the way
    /// `back` from there to the posture of the behaviours.
    fn start_from_last(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], back: Real) {
        let hands = self.arms.iter().zip(wishes).filter(|(_, wish)| wish.is_some());
        let hands = hands.filter_map(|(arm, _)| arm.as_ref()).map(|arm| arm.limb().joints().end);
        let ends = hands.chain(self.legs.iter().flatten().map(|leg| leg.limb.joints().end));
        for joint in ends.flat_map(|end| skeleton.ancestors(end)) {
            go_part(skeleton, joint, &self.gone, &self.style, back, &mut self.pose);
        }
    }

    /// Lets arms that should be turned start from where they have their place alone: where a limit
    /// keeps the orientation from them they stand in a corner of their limits, out of which no step leads.
    fn start_at_ease(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2]) {
        for (arm, wish) in self.arms.iter().zip(wishes) {
            let (Some(arm), Some(wish)) = (arm, wish) else { continue };
            if wish.target.orientation.is_none() {
                continue;
            }
            for joint in arm.limb().written() {
                self.pose.set_rotation(joint, self.initial.rotation(joint));
            }
            let (goal, _) = arm.within_reach(skeleton, &self.model, &wish.target);
            let place = Target::Position(goal.position);
            let swivel = Swivel::Preferred(wish.values.swivel);
            arm.limb().solve(skeleton, &self.model, &place, swivel, &mut self.pose);
        }
    }

    /// The largest turn of a joint between the posture of the behaviours and that of the last descent, of
    /// those that no arm decides.
    fn trunk_turn(&self, skeleton: &Skeleton) -> Real {
        let of_arm = |joint: JointId| {
            let mut limbs = self.arms.iter().flatten().map(Arm::limb);
            limbs.any(|limb| skeleton.is_ancestor(limb.joints().upper, joint))
        };
        let trunk = skeleton.ids().filter(|&joint| !of_arm(joint));
        turn_of(trunk, &self.style, &self.settled_style)
    }

    /// Goes only so far from the last solve's pose as its time step and the targets' own way allow;
    /// whether that is all of it.
    fn bound_step(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], step: Real) -> bool {
        let Some(follow) = self.options.follow.filter(|_| self.kept.is_some()) else { return true };
        let top = follow.top_speed.map_or(Real::INFINITY, |top| top * self.dt);
        let reaching = |joint: JointId| {
            let mut arms = self.arms.iter().zip(wishes).filter(|(_, wish)| wish.is_some());
            arms.any(|(arm, _)| arm.as_ref().is_some_and(|arm| arm.limb().written().any(|j| j == joint)))
        };
        let turn = |of_arm: bool| {
            let joints = skeleton.ids().filter(|&joint| reaching(joint) == of_arm);
            turn_of(joints, &self.last, &self.pose).max(TINY)
        };
        let (of_arm, of_body) = (turn(true), turn(false));
        let arm_step = (step + self.moved).min(top);
        let idle = wishes.iter().all(Option::is_none);
        let home = if idle { of_body * (1.0 - (-self.dt / HOME_TIME).exp()) } else { 0.0 };
        let body_step = (BODY_SPEED * self.dt + self.moved).max(home).min(LEGS_ROOM * step);
        let part = (arm_step / of_arm).min(body_step / of_body);
        if part >= 1.0 {
            return true;
        }
        self.style.copy_from(&self.pose);
        for joint in skeleton.ids() {
            go_part(skeleton, joint, &self.last, &self.style, part, &mut self.pose);
        }
        if !self.stand_nearby(skeleton) {
            // Nowhere on the way do the legs hold the feet: the body waits where it was.
            self.pose.copy_from(&self.last);
            self.put_feet(skeleton);
        }
        for (side, wish) in wishes.iter().enumerate() {
            let (Some(arm), Some(wish)) = (&mut self.arms[side], wish) else { continue };
            let Some(hand) = &mut self.report.hands[side] else { continue };
            let frame = arm.limb().base_frame(&self.model, &self.pose);
            hand.outcome.residual = arm.limb().measured(&frame, &wish.target, &self.pose);
            if hand.reached() {
                hand.outcome.status = Status::NotReached;
                hand.outcome.cause =
                    Some(Cause::Underway { goal: GoalId(0), turn: of_arm.max(of_body) * (1.0 - part) });
            }
            arm.follower.keep_pose(&self.model, &wish.target, hand, &self.pose);
        }
        false
    }

    /// Puts the feet exactly where they stand: the descent leaves them off by its tolerance, and where
    /// the hands pull hard by more, which is made up for without them.
    fn stand(&mut self, skeleton: &Skeleton) {
        if !self.stand_nearby(skeleton) {
            self.pose.copy_from(&self.style);
            self.put_feet(skeleton);
        }
    }

    /// The same; whether there is such a posture near by.
    fn stand_nearby(&mut self, skeleton: &Skeleton) -> bool {
        if self.put_feet(skeleton) {
            return true;
        }
        self.whole_body.attain(skeleton, [None; 2], &self.style, true, &mut self.pose);
        self.put_feet(skeleton)
    }

    /// Solves the legs; whether they hold the feet. Brings the model pose up to date but for the legs.
    pub(super) fn put_feet(&mut self, skeleton: &Skeleton) -> bool {
        self.model.update(skeleton, &self.pose);
        self.report.feet = 0.0;
        if !self.options.hold_feet {
            return true;
        }
        for leg in self.legs.iter().flatten() {
            let foot = Target::Pose(leg.foot);
            let report = leg.limb.solve(skeleton, &self.model, &foot, Swivel::Last, &mut self.pose);
            self.report.feet = self.report.feet.max(report.outcome.residual.position);
        }
        self.report.feet < FEET
    }

    /// Lets the arm make up for the last bit, from where the descent has left it, and says where the
    /// hand is. Where the arm alone cannot, what the descent has found stays.
    fn close_in(&mut self, skeleton: &Skeleton, side: usize, wish: &Wish, falls: Option<Cause>) {
        let Some(arm) = &mut self.arms[side] else { return };
        let frame = arm.limb().base_frame(&self.model, &self.pose);
        let found = arm.limb().measured(&frame, &wish.target, &self.pose);
        self.found.copy_from(&self.pose);
        let target = wish.target.target();
        let mut hand = arm.limb().solve(skeleton, &self.model, &target, Swivel::Last, &mut self.pose);
        if !hand.reached() && found.position + found.orientation < off(&hand) {
            for joint in arm.limb().written() {
                self.pose.set_rotation(joint, self.found.rotation(joint));
            }
            hand.outcome.residual = found;
        }
        let Outcome { status, cause, residual } = &mut hand.outcome;
        if residual.within(Tolerance::default()) {
            (*status, *cause) = (Status::Reached, None);
        } else if falls.is_some() {
            *cause = falls;
        }
        if self.options.follow.is_some() {
            arm.follower.keep_pose(&self.model, &wish.target, &hand, &self.pose);
        }
        self.report.hands[side] = Some(hand);
    }

    /// Goes back to the posture of the behaviours if the body touches something where it has gone.
    #[cfg(feature = "collision")]
    pub(super) fn keep_clear(
        &mut self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        surroundings: &mut Surroundings,
    ) {
        self.report.tests += 1;
        self.model.update(skeleton, &self.pose);
        let mut contact = surroundings.body_contact(&self.model, wishes.map(|wish| wish.is_some()));
        surroundings.begin();
        for (side, arm) in self.arms.iter().enumerate().filter(|(side, _)| wishes[*side].is_some()) {
            let Some(arm) = arm else { continue };
            let joints = arm.limb().joints();
            let posed = [joints.upper, joints.lower, joints.end].map(|j| self.model.transform(j));
            contact = contact.or_else(|| surroundings.arm_contact(side, &posed));
        }
        let Some(contact) = contact else { return };
        self.report.cause = Some(surroundings.cause(&contact));
        self.report.contact = Some(contact);
        self.goes_on = false;
        self.pose.copy_from(&self.style);
        for (side, wish) in wishes.iter().enumerate() {
            let (Some(arm), Some(wish)) = (&mut self.arms[side], wish) else { continue };
            let Some(hand) = &mut self.report.hands[side] else { continue };
            for run in &self.carriers {
                self.model.update_range(skeleton, &self.pose, run.clone());
            }
            let frame = arm.limb().base_frame(&self.model, &self.pose);
            hand.outcome.residual = arm.limb().measured(&frame, &wish.target, &self.pose);
            hand.outcome.status = Status::NotReached;
            hand.outcome.cause = self.report.cause;
            if self.options.follow.is_some() {
                arm.follower.keep_pose(&self.model, &wish.target, hand, &self.pose);
            }
        }
        // Back, too, it goes no faster than it may.
        let step = self.options.follow.map_or(Real::INFINITY, |follow| follow.joint_speed * self.dt);
        self.goes_on = !self.bound_step(skeleton, wishes, step);
        self.gone.copy_from(&self.pose);
        self.settled = None;
    }
}
