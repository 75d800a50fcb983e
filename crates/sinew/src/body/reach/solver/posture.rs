//! The posture of the body: keys blended, feet held, less of it where something is
//! in the way.

#[cfg(feature = "collision")]
use super::Surroundings;
use super::blend::Mix;
use super::{ReachSolver, Wish};
use crate::analytic::Swivel;
use crate::goal::Target;
use crate::math::*;
use crate::skeleton::Skeleton;

/// How fast more or less of the posture may be taken, per second. A hand that reaches out in half
/// a second asks for less; one whose goal flies away is not followed by the whole body in a single
/// frame.
const WEIGHT_SPEED: Real = 4.5;
/// The same for how much of it is kept because of feet and contacts.
const KEPT_SPEED: Real = 2.4;

impl ReachSolver {
    /// Blends the keys for every posed joint, once a solve.
    pub(super) fn blend_keys(&mut self, wishes: &[Option<Wish>; 2]) {
        for (side, wish) in wishes.iter().enumerate() {
            let Some(wish) = wish else { continue };
            for posed in self.posed.iter_mut().filter(|posed| posed.by[side] && !posed.is_solved(wishes)) {
                posed.blend_keys(side, &wish.weights);
            }
        }
    }

    /// Poses trunk, head, other arm and legs, and returns how much of the
    /// weights was kept so that the feet stay.
    pub(super) fn pose_body(&mut self, skeleton: &Skeleton, wishes: &mut [Option<Wish>; 2]) -> Real {
        self.blend_keys(wishes);
        if !self.options.published {
            self.lean_further(skeleton, wishes);
        }
        let step = WEIGHT_SPEED * self.dt;
        for (arm, wish) in self.arms.iter_mut().zip(wishes.iter_mut()) {
            let (Some(arm), Some(wish)) = (arm, wish) else { continue };
            if let Some(last) = arm.weight.filter(|_| self.kept.is_some()) {
                wish.weight = wish.weight.clamp(last - step, last + step);
            }
            arm.weight = Some(wish.weight);
        }
        let most = self.kept.map_or(1.0, |last| (last + KEPT_SPEED * self.dt).min(1.0));
        if self.pose_body_at(skeleton, wishes, most) {
            return most;
        }
        self.largest_kept(skeleton, wishes, most, |_| true)
    }

    /// The largest part below `most`, found by going down in quarters and then by halving,
    /// at which the feet hold and `fine` agrees; zero if there is none. The body is posed so.
    fn largest_kept(
        &mut self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        most: Real,
        mut fine: impl FnMut(&mut Self) -> bool,
    ) -> Real {
        let mut bad = most;
        let mut good = 0.0;
        for quarter in [0.75, 0.5, 0.25] {
            let kept = most * quarter;
            if self.pose_body_at(skeleton, wishes, kept) && fine(self) {
                good = kept;
                break;
            }
            bad = kept;
        }
        self.halve(skeleton, wishes, good, bad, fine)
    }

    /// The largest part between a good and a bad one, by halving; the body is posed so.
    fn halve(
        &mut self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        mut good: Real,
        mut bad: Real,
        mut fine: impl FnMut(&mut Self) -> bool,
    ) -> Real {
        let mut posed = good;
        for _ in 0..self.options.refinements.min(24) {
            posed = 0.5 * (good + bad);
            if self.pose_body_at(skeleton, wishes, posed) && fine(self) {
                good = posed;
            } else {
                bad = posed;
            }
        }
        if posed != good || good == 0.0 {
            self.pose_body_at(skeleton, wishes, good);
        }
        good
    }

    /// The same near the last solve's part, so that the body does not jump where one that is
    /// further off would do as well: a little less at the most, even if that is not `fine` yet.
    #[cfg(feature = "collision")]
    fn kept_near(
        &mut self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        (last, most): (Real, Real),
        mut fine: impl FnMut(&mut Self) -> bool,
    ) -> Real {
        let least = (last - KEPT_SPEED * self.dt).clamp(0.0, most);
        let (mut good, mut bad) = (None, most);
        for kept in [last.min(most), least] {
            if kept < bad && self.pose_body_at(skeleton, wishes, kept) && fine(self) {
                good = Some(kept);
                break;
            }
            bad = kept;
        }
        match good {
            Some(good) => self.halve(skeleton, wishes, good, bad, fine),
            None if self.pose_body_at(skeleton, wishes, least) => least,
            None => self.largest_kept(skeleton, wishes, least, |_| true),
        }
    }

    /// Poses the body with this part of the weights; whether the feet hold.
    pub(super) fn pose_body_at(
        &mut self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        kept: Real,
    ) -> bool {
        self.pose_trunk(skeleton, wishes, kept);
        self.pose_legs(skeleton, wishes, kept)
    }

    /// Poses everything but the limbs that are solved. Of the model pose, what carries those is
    /// brought up to date.
    fn pose_trunk(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], kept: Real) {
        self.pose.copy_from(&self.initial);
        let mix = Mix::new(wishes, |weight| weight * kept);
        for posed in self.posed.iter().filter(|posed| !posed.is_solved(wishes)) {
            let (q, t) = posed.held(skeleton.joint(posed.joint), &mix);
            self.pose.set_rotation(posed.joint, q);
            self.pose.set_translation(posed.joint, t);
        }
        for run in &self.carriers {
            self.model.update_range(skeleton, &self.pose, run.clone());
        }
    }

    /// Puts the feet where the initial posture has them; whether they hold. If one does not, no
    /// posture is made of it, so the other is not looked at; and it is asked first the next time.
    fn pose_legs(&mut self, skeleton: &Skeleton, wishes: &[Option<Wish>; 2], kept: Real) -> bool {
        self.report.feet = 0.0;
        // With nothing of a posture the legs are right as they are.
        if !self.options.hold_feet || wishes.iter().flatten().all(|wish| wish.weight * kept <= 0.0) {
            return true;
        }
        for side in [self.weaker_leg, 1 - self.weaker_leg] {
            let Some(leg) = &self.legs[side] else { continue };
            let goal = Target::Pose(leg.foot);
            let report = leg.limb.solve(skeleton, &self.model, &goal, Swivel::Last, &mut self.pose);
            self.report.feet = self.report.feet.max(report.outcome.residual.position);
            if !report.reached() {
                self.weaker_leg = side;
                return false;
            }
        }
        true
    }

    /// Takes less of the posture until the body is free of contact.
    #[cfg(feature = "collision")]
    pub(super) fn withdraw(
        &mut self,
        skeleton: &Skeleton,
        wishes: &[Option<Wish>; 2],
        surroundings: &mut Surroundings,
        kept: Real,
    ) -> Real {
        let reaching = wishes.map(|wish| wish.is_some());
        surroundings.begin();
        let mut free = |solver: &mut Self| {
            solver.report.tests += 1;
            solver.model.update(skeleton, &solver.pose);
            !surroundings.body_touches(&solver.model, reaching)
        };
        let kept = match self.kept {
            Some(last) => self.kept_near(skeleton, wishes, (last, kept), free),
            None => self.largest_kept(skeleton, wishes, kept, &mut free),
        };
        // The parts stand where they were tested last; put them where the body is.
        self.model.update(skeleton, &self.pose);
        let still = surroundings.body_contact(&self.model, reaching);
        if let Some(contact) = still {
            self.report.contact = Some(contact);
            self.report.cause = Some(surroundings.cause(&contact));
        }
        kept
    }
}
