//! An arm that reaches, from where it was in the last solve.

#[cfg(feature = "collision")]
use super::Surroundings;
use super::{Behaviour, ReachSolver, SwingFrame, Wish};
use crate::analytic::{Limb, LimbFollower, LimbGoal, LimbReport, Swivel};
use crate::goal::GoalId;
#[cfg(feature = "collision")]
use crate::goal::Target;
use crate::math::*;
use crate::pose::ModelPose;
use crate::report::{Cause, Status};
use crate::skeleton::{JointId, Skeleton};
use alloc::vec::Vec;

#[derive(Debug, Clone)]
pub(super) struct Arm {
    pub follower: LimbFollower,
    pub frame: SwingFrame,
    /// From the root to the shoulder, which is all that moves it, each with its place
    /// among the posed joints.
    pub trunk: Vec<(JointId, Option<usize>)>,
    pub behaviour: Option<Behaviour>,
    /// Where the last walk on the swing plane ended.
    pub hint: u32,
    /// What the last solve was for, and how much of the behaviour's posture was taken for it.
    pub target: Option<Vec3>,
    pub weight: Option<Real>,
    /// Which way the hand is going round something.
    #[cfg(feature = "collision")]
    pub detour: Option<Vec3>,
}

/// Parts of a step that are tried where the whole of it would touch something.
#[cfg(feature = "collision")]
const SHORTER: [Real; 3] = [1.0, 0.5, 0.25];

impl Arm {
    pub fn limb(&self) -> &Limb {
        self.follower.limb()
    }

    /// The target pulled onto the sphere of the stretched arm, and by how much. A
    /// goal that the limb can have keeps the elbow's swivel, which no longer matters to the
    /// distance there and would be free to wander.
    pub(super) fn within_reach(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &LimbGoal,
    ) -> (LimbGoal, Real) {
        let goal = *target;
        let shoulder = self.frame.shoulder;
        let rest = skeleton.joint(shoulder).rest().translation;
        let base = model.transform(self.frame.carrier).transform_point(rest);
        let way = goal.position - base;
        let (distance, most) = (way.length(), self.limb().reach().1 * (1.0 - 1.0e-5));
        let beyond = distance - self.limb().reach().1;
        // Below the tolerance it is no matter.
        if beyond <= self.limb().tolerance().position {
            return (goal, 0.0);
        }
        (LimbGoal { position: base + way * (most / distance), ..goal }, beyond)
    }
}

impl ReachSolver {
    /// Puts the arm where it was in the last solve, and says which swivel is wanted.
    #[inline]
    fn start(&mut self, side: usize, wish: &Wish) -> Swivel {
        let preferred = Swivel::Preferred(wish.values.swivel);
        match &mut self.arms[side] {
            Some(arm) if self.options.follow.is_some() && arm.follower.is_following() => {
                arm.follower.start(wish.target.orientation.is_some(), preferred, self.dt, &mut self.pose)
            }
            Some(_) if self.options.follow.is_some() => Swivel::Last,
            _ => preferred,
        }
    }

    /// Says where the hand is: measured for the target itself, which may be `beyond` reach.
    pub(super) fn arrived(
        &mut self,
        side: usize,
        mut limb: LimbReport,
        beyond: Real,
        wish: &Wish,
        kept: Real,
    ) {
        let Some(arm) = &self.arms[side] else { return };
        // A target that is reached was measured by the limb itself.
        if beyond > 0.0 || !limb.reached() {
            let frame = arm.limb().base_frame(&self.model, &self.pose);
            let outcome = &mut limb.outcome;
            outcome.residual = arm.limb().measured(&frame, &wish.target, &self.pose);
            // Too far is too far, whatever else keeps the arm from stretching there; but for what it touches.
            if beyond > 0.0 && !matches!(outcome.cause, Some(Cause::Collision { .. })) {
                outcome.status = Status::NotReached;
                outcome.cause = Some(Cause::OutOfReach { goal: GoalId(0), by: beyond });
            }
        }
        self.report.hands[side] = Some(limb);
        self.report.swings[side] = wish.swing;
        self.report.weights[side] = wish.weight * kept;
    }

    pub(super) fn reach_alone(&mut self, skeleton: &Skeleton, side: usize, wish: &Wish, kept: Real) {
        let (swivel, search) = match self.options.published {
            true => match self.published_swivel(side, wish) {
                Some((swivel, search)) => (swivel, Some(search)),
                None => return self.fail_on_axis(side, wish, kept),
            },
            false => (self.start(side, wish), None),
        };
        let Some(arm) = &mut self.arms[side] else { return };
        let (model, pose) = (&self.model, &mut self.pose);
        let (goal, beyond) = arm.within_reach(skeleton, model, &wish.target);
        let mut limb = match search {
            Some(search) => {
                let free = |_: &[Transform; 3]| None;
                arm.limb().solve_avoiding(skeleton, model, &goal.target(), swivel, &search, free, pose)
            }
            None => arm.limb().solve(skeleton, model, &goal.target(), swivel, pose),
        };
        if self.options.follow.is_some() {
            limb = arm.follower.settle(skeleton, model, &goal, limb, true, self.dt, pose);
        }
        self.arrived(side, limb, beyond, wish, kept);
    }

    /// An arm without a target, which goes to where the body's posture has it.
    pub(super) fn let_go(&mut self, skeleton: &Skeleton, side: usize) {
        if let Some(arm) = self.arms[side].as_mut().filter(|arm| arm.follower.is_following()) {
            arm.follower.release(skeleton, &self.model, self.dt, &mut self.pose);
        }
    }

    #[cfg(feature = "collision")]
    pub(super) fn reach_among(
        &mut self,
        skeleton: &Skeleton,
        side: usize,
        wish: &Wish,
        kept: Real,
        surroundings: &mut Surroundings,
    ) {
        let (swivel, search) = match self.options.published {
            true => match self.published_swivel(side, wish) {
                Some(found) => found,
                None => return self.fail_on_axis(side, wish, kept),
            },
            false => (self.start(side, wish), wish.values.search()),
        };
        let Some(arm) = &mut self.arms[side] else { return };
        let mut touched = None;
        surroundings.begin();
        let (goal, beyond) = arm.within_reach(skeleton, &self.model, &wish.target);
        let mut limb = arm.limb().solve_avoiding(
            skeleton,
            &self.model,
            &goal.target(),
            swivel,
            &search,
            |posed| {
                let contact = surroundings.arm_contact(side, posed)?;
                // The first is at the pose that was wanted; what later tries meet
                // is not what stands in its way.
                touched.get_or_insert(contact);
                Some(surroundings.cause(&contact))
            },
            &mut self.pose,
        );
        if self.options.follow.is_some() {
            if let Some(excess) = arm.follower.excess(&self.model, &goal, self.dt, &self.pose) {
                limb = self.step_among(skeleton, side, &goal, limb, excess, surroundings);
            }
            let Some(arm) = &mut self.arms[side] else { return };
            arm.follower.keep_pose(&self.model, &goal, &limb, &self.pose);
        }
        let Some(arm) = &self.arms[side] else { return };
        self.model.update_below(skeleton, &self.pose, arm.limb().joints().upper);
        self.report.tests += limb.tests;
        if matches!(limb.outcome.cause, Some(Cause::Collision { .. })) && self.report.contact.is_none() {
            self.report.contact = touched;
        }
        // The other hand, if it comes after, has to see where this one ended.
        surroundings.place_arm(side, &self.model);
        self.arrived(side, limb, beyond, wish, kept);
    }

    /// A step from the last solve's arm towards the one that was found, that touches nothing:
    /// straight there, or a shorter step, or a detour of the hand.
    #[cfg(feature = "collision")]
    fn step_among(
        &mut self,
        skeleton: &Skeleton,
        side: usize,
        goal: &LimbGoal,
        mut limb: LimbReport,
        (turn, allowed): (Real, Real),
        surroundings: &mut Surroundings,
    ) -> LimbReport {
        let Some(arm) = &mut self.arms[side] else { return limb };
        arm.follower.aim_at(&self.pose);
        let joints = arm.limb().joints();
        let oriented = goal.orientation.is_some();
        surroundings.begin();
        let reachable = limb.reached();
        let mut free = |model: &mut ModelPose, pose: &crate::pose::Pose| {
            model.update_below(skeleton, pose, joints.upper);
            let posed = [joints.upper, joints.lower, joints.end].map(|j| model.transform(j));
            limb.tests += 1;
            surroundings.arm_contact(side, &posed)
        };
        let mut first = None;
        for part in SHORTER {
            arm.follower.advance(skeleton, part * allowed / turn, &mut self.pose);
            let Some(contact) = free(&mut self.model, &self.pose) else {
                arm.detour = None;
                return underway(limb, turn - part * allowed);
            };
            first.get_or_insert(contact);
        }
        arm.follower.recall(oriented, &mut self.pose);
        let stuck = free(&mut self.model, &self.pose);
        // Round what is in the way, as long as there is a free place to get to.
        if reachable && stuck.is_none() {
            let from = self.model.transform(joints.end);
            let way = goal.position - from.translation;
            let length = (DETOUR * allowed * arm.limb().reach().1).min(way.length());
            let swivel = Swivel::Towards { angle: limb.swivel, within: 0.5 * allowed };
            for direction in fan(direction_or(way, Vec3::Y), arm.detour) {
                let part = if way.length() > TINY { length / way.length() } else { 0.0 };
                let between = Target::from_parts(
                    from.translation + direction * length,
                    goal.orientation.map(|q| from.rotation.slerp(q, part.min(1.0))),
                );
                arm.follower.recall(oriented, &mut self.pose);
                let reached =
                    arm.limb().solve(skeleton, &self.model, &between, swivel, &mut self.pose).reached();
                if reached
                    && arm.follower.turn(&self.pose) <= allowed
                    && free(&mut self.model, &self.pose).is_none()
                {
                    arm.detour = Some(direction);
                    return underway(limb, turn);
                }
            }
        }
        // No way on. A limb that touches something where it stands cannot stay there.
        match stuck {
            None => arm.follower.recall(oriented, &mut self.pose),
            Some(_) => arm.follower.advance(skeleton, allowed / turn, &mut self.pose),
        }
        if let (true, Some(contact)) = (reachable, first) {
            limb.outcome.status = Status::NotReached;
            limb.outcome.cause = Some(surroundings.cause(&contact));
            self.report.contact = first;
        }
        limb
    }
}

/// How long a detour's step is, as a part of what the arm's length and the turn allow.
#[cfg(feature = "collision")]
const DETOUR: Real = 0.6;
/// Directions about the way to the goal, and tilts from it.
#[cfg(feature = "collision")]
const ROUND: usize = 8;
#[cfg(feature = "collision")]
const TILTS: [Real; 3] = [0.25 * PI, 0.5 * PI, 0.7 * PI];

/// Ways round something, the best first: towards the goal, but going on as the last solve did,
/// without which a hand would hesitate between two ways round.
#[cfg(feature = "collision")]
fn fan(way: Vec3, last: Option<Vec3>) -> [Vec3; ROUND * TILTS.len()] {
    let (side, up) = way.any_orthonormal_pair();
    let mut all = core::array::from_fn(|i| {
        let (sin, cos) = TILTS[i / ROUND].sin_cos();
        let (s, c) = (TAU * (i % ROUND) as Real / ROUND as Real).sin_cos();
        way * cos + (side * c + up * s) * sin
    });
    let score = |v: &Vec3| v.dot(way) + last.map_or(0.0, |last| 2.0 * v.dot(last));
    all.sort_unstable_by(|a, b| score(b).total_cmp(&score(a)));
    all
}

/// What is said of a limb that is still on its way to a pose.
#[cfg(feature = "collision")]
fn underway(mut limb: LimbReport, turn: Real) -> LimbReport {
    if limb.reached() {
        limb.outcome.status = Status::NotReached;
        limb.outcome.cause = Some(Cause::Underway { goal: GoalId(0), turn });
    }
    limb
}
