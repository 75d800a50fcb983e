//! A limb that goes on where its limits have closed behind it.
//!
//! The swivel angles that a limit allows are arcs of a circle. As the goal moves, the arc that a
//! limb is in can close while another is open elsewhere on the circle: the limb would have to
//! jump there, let go of its goal, or go a little beyond its limit. This is the last of the three,
//! for callers that have decided that goal and continuity count for more.
//!
//! # How
//! Towards an angle that is wanted, if on the whole way there the base is not further outside than
//! allowed: then the limb goes over to the open arc with its end in its place. Else to where, near
//! the angle of the pose given, the base is the least outside: there the limb waits for its arc to
//! open again, if no orientation is asked that it would miss meanwhile. Either by no more than a
//! given turn. Only the base gives: the end joint and the forearm hold their limits, so that an
//! orientation may be missed, the position not.
//!
//! # Degenerate cases
//! A goal that the limb is too short for, or cannot fold to, is come as near to as the bones allow;
//! where the base would have to give more than allowed, the pose stays as it is.

use super::{GOAL, Limb, LimbReport, Posture, SwivelCircle};
use crate::goal::Target;
use crate::limit::LimitComponent;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Outcome};
use crate::skeleton::Skeleton;

/// Looks to either side, and halvings about the best of them.
const LOOKS: i32 = 5;
const HALVINGS: u32 = 6;
/// Looks on the way to an angle.
const ON_THE_WAY: i32 = 12;

/// How a limb goes on beyond its limits.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Giving {
    /// The swivel angle to go over to, if there is one.
    pub towards: Option<Real>,
    /// The most that one solve turns the limb about the line to its goal, in radians.
    pub within: Real,
    /// The most that the base may be outside of its limit, in radians.
    pub most: Real,
}

impl Limb {
    /// Goes on from the pose given with the base outside of its limit: towards a swivel angle, or to where
    /// the base is the least outside; see the module's text. `None`, and the pose as it was, where the
    /// base would have to give more than it may.
    ///
    /// ```
    /// use sinew::analytic::{Giving, Limb};
    /// use sinew::rigs::{SwingModel, humanoid};
    /// use sinew::skeleton::humanoid::{HumanoidMap, Side};
    /// use sinew::{Cause, ModelPose, Pose, Target, Vec3};
    ///
    /// let skeleton = humanoid(SwingModel::Ellipse);
    /// let arm = Limb::arm(&skeleton, &HumanoidMap::find(&skeleton), Side::Left)?;
    /// let mut pose = Pose::rest(&skeleton);
    /// let model = ModelPose::new(&skeleton, &pose);
    /// // Straight back, further than a shoulder goes.
    /// let behind = model.position(arm.joints().upper) + Vec3::new(0.1, 0.1, -0.4);
    /// let target = Target::Position(behind);
    /// let freely = Giving { towards: None, within: 3.2, most: 3.2 };
    /// let strained = arm.solve_giving(&skeleton, &model, &target, &freely, &mut pose).unwrap();
    /// assert!(strained.outcome.residual.position < 1.0e-3);
    /// assert!(matches!(strained.outcome.cause, Some(Cause::Strained { by, .. }) if by > 0.0));
    /// # Ok::<(), sinew::analytic::LimbError>(())
    /// ```
    pub fn solve_giving(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        giving: &Giving,
        pose: &mut Pose,
    ) -> Option<LimbReport> {
        let circle = self.prepare(skeleton, model, target, pose).ok()?;
        let last = circle.last_swivel(pose);
        let Giving { towards, within, most } = *giving;
        let over = towards.and_then(|angle| circle.way_over(last, angle, most));
        let swivel = match over {
            // Not `clamp`, which panics where `within` is not a number.
            Some(way) => wrap_angle(last + way.min(within).max(-within)),
            // Who waits for an arc does not turn its hand; who is asked to goes where that can be had.
            None if circle.goal.orientation.is_some() && towards.is_some() => return None,
            None => circle.least_strained(last, within),
        };
        let base = circle.base.at(swivel);
        let by = self.base_violation(base);
        if by.is_nan() || by > most {
            return None;
        }
        let posture = Posture { base_inside: true, ..circle.best_posture(swivel) };
        self.write(&posture, pose);
        let report = self.report(&circle, &posture, circle.cause, pose, 0);
        if by <= ROUNDING * 16.0 {
            return Some(report);
        }
        let own = self.own_base(base).0;
        let component = self.base_limit.nearest_component(own).map_or(LimitComponent::Swing, |(c, _)| c);
        let cause = Some(Cause::Strained { goal: GOAL, joint: self.joints.upper, component, by });
        Some(LimbReport { outcome: Outcome { cause, ..report.outcome }, ..report })
    }
}

impl SwivelCircle<'_> {
    /// How far to turn from one angle to another, the shorter way or the longer, so that the base is
    /// nowhere further outside than `give`.
    fn way_over(&self, from: Real, to: Real, give: Real) -> Option<Real> {
        let short = wrap_angle(to - from);
        let long = if short > 0.0 { short - TAU } else { short + TAU };
        let gives = |way: Real| {
            (1..=ON_THE_WAY).all(|i| {
                self.limb.base_violation(self.base.at(from + way * (i as Real / ON_THE_WAY as Real))) <= give
            })
        };
        [short, long].into_iter().find(|way| gives(*way))
    }

    /// The angle not further than `within` from another at which the base is the least outside; of
    /// those that are about the same, the nearest.
    fn least_strained(&self, from: Real, within: Real) -> Real {
        let outside = |turn: Real| self.limb.base_violation(self.base.at(from + turn)) + 0.01 * turn.abs();
        let within = within.clamp(0.0, PI);
        let mut step = within / LOOKS as Real;
        let mut best = (outside(0.0), 0.0);
        let look = |turn: Real, best: &mut (Real, Real)| {
            let found = outside(turn);
            if found < best.0 {
                *best = (found, turn);
            }
        };
        for i in (1..=LOOKS).flat_map(|i| [i, -i]) {
            look(step * i as Real, &mut best);
        }
        for _ in 0..HALVINGS {
            step *= 0.5;
            let middle = best.1;
            look((middle - step).max(-within), &mut best);
            look((middle + step).min(within), &mut best);
        }
        wrap_angle(from + best.1)
    }
}
