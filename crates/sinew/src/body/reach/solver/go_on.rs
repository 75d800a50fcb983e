//! Going on with the whole body where the behaviours leave a hand short.

use super::{Arm, ReachSolver, Wish};
use crate::analytic::{LimbReport, Swivel};
use crate::goal::{GoalId, Target};
use crate::math::*;
use crate::report::{Cause, Outcome, Status, Tolerance};
use crate::skeleton::Skeleton;

impl ReachSolver {
    /// Goes on from the posture of the behaviours, with the arms as they reach from there, if a hand
    /// is short of its target; and back to that posture once it no longer is.
    pub(super) fn go_on(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2]) {
        let short = |hand: &LimbReport| {
            !hand.reached()
                && matches!(
                    hand.outcome.cause,
                    Some(Cause::OutOfReach { .. } | Cause::TooClose { .. } | Cause::Limit { .. })
                )
        };
        let is_short = self.report.hands.iter().flatten().any(short);
        if !is_short && !self.goes_on {
            return;
        }
        self.style.copy_from(&self.pose);
        if self.goes_on {
            self.start_from_last(skeleton, wishes);
        }
        let targets = wishes.map(|wish| wish.map(|wish| wish.target));
        let body = self.whole_body.attain(skeleton, targets, &self.style, &mut self.pose);
        self.report.attempts = body.iterations.max(1);
        self.hold_feet(skeleton);
        for (side, wish) in wishes.iter().enumerate() {
            if let Some(wish) = wish {
                self.close_in(skeleton, side, wish);
            }
        }
        self.goes_on = self.options.follow.is_some();
        self.gone.copy_from(&self.pose);
    }

    /// Takes the last solve's joints where hands and feet depend on them.
    fn start_from_last(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2]) {
        let hands = self.arms.iter().zip(wishes).filter(|(_, wish)| wish.is_some());
        let hands = hands.filter_map(|(arm, _)| arm.as_ref()).map(|arm| arm.limb().joints().end);
        let ends = hands.chain(self.legs.iter().flatten().map(|leg| leg.limb.joints().end));
        for joint in ends.flat_map(|end| skeleton.ancestors(end)) {
            self.pose.set_rotation(joint, self.gone.rotation(joint));
            self.pose.set_translation(joint, self.gone.translation(joint));
        }
    }

    /// Puts the feet exactly where they stand: the descent leaves them a little off.
    fn hold_feet(&mut self, skeleton: &Skeleton) {
        self.model.update(skeleton, &self.pose);
        self.report.feet = 0.0;
        if !self.options.hold_feet {
            return;
        }
        for leg in self.legs.iter().flatten() {
            let report =
                leg.limb.solve(skeleton, &self.model, &Target::Pose(leg.foot), Swivel::Last, &mut self.pose);
            self.report.feet = self.report.feet.max(report.outcome.residual.position);
        }
    }

    /// Lets the arm make up for the last bit, from where the descent has left it, and says where the hand is.
    fn close_in(&mut self, skeleton: &Skeleton, side: usize, wish: &Wish) {
        let Some(arm) = &mut self.arms[side] else { return };
        let found = arm.limb().solve(
            skeleton,
            &self.model,
            &wish.target.target(),
            Swivel::Last,
            &mut self.pose,
        );
        let mut hand = found;
        if !found.reached() {
            let residual = found.outcome.residual;
            let fine = residual.within(Tolerance::default());
            if fine {
                hand.outcome = Outcome { status: Status::Reached, cause: None, residual };
            }
        }
        if self.options.follow.is_some() {
            arm.follower.keep_pose(&self.model, &wish.target, &hand, &self.pose);
        }
        self.report.hands[side] = Some(hand);
    }
}
