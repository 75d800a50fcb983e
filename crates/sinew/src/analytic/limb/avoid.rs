//! The swivel search over limits and collisions (Kallmann 2007, "Automatic
//! Swivel Angle Determination").
//!
//! From the wanted angle the search goes outwards to both sides in steps, which
//! may grow, and takes the first pose that nothing touches. Limits need no
//! search: the allowed arcs of the circle are known, so angles outside of them
//! are skipped without a test and their ends are tried exactly. The paper's steps
//! leave the elbow on a raster, from which it hops as things move; so between
//! the last angle that collided and the first free one the edge is found by
//! halving.
//!
//! When every angle collides, the limb goes from where it was towards the goal
//! as far as it can without touching anything.

use super::circle::Wanted;
use super::{Limb, LimbReport, Posture, Swivel, SwivelCircle, refused};
use crate::goal::Target;
use crate::math::arcs::Arcs;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::Cause;
use crate::skeleton::Skeleton;

/// How the swivel angle is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SwivelSearch {
    /// The first step to either side, in radians.
    pub step: Real,
    /// By how much each step is longer than the one before; 1 is the paper's
    /// fixed step.
    pub growth: Real,
    /// How far to go from the wanted angle, clockwise (not positive) and
    /// counter-clockwise, in radians.
    pub range: (Real, Real),
    /// How often to halve between an angle that collides and a free one.
    pub refinements: u32,
    /// How often to halve the way from where the limb was to the goal, when no
    /// angle is free at the goal. Zero leaves the pose as it was.
    pub retreats: u32,
}

impl Default for SwivelSearch {
    /// The whole circle in steps of 6° that grow by a fifth, which is 22 tests at
    /// the most; an edge found to a tenth of a degree.
    fn default() -> Self {
        Self { step: 0.105, growth: 1.2, range: (-PI, PI), refinements: 6, retreats: 5 }
    }
}

/// More steps than this to a side are too fine to be meant.
const MOST_STEPS: usize = 720;
/// How far to search on the way to a goal that cannot be had, in radians.
const RETREAT_RANGE: Real = 0.25;

impl Limb {
    /// Solves for the goal by limits and by what `blocked` says of a pose, given
    /// as base, middle and end in model space: the parts that touch, or nothing. Writes the nearest allowed pose; see
    /// [`solve`](Self::solve) for the rest.
    ///
    /// ```
    /// use sinew::analytic::{Limb, Swivel, SwivelSearch};
    /// use sinew::rigs::{SwingModel, humanoid};
    /// use sinew::skeleton::humanoid::{HumanoidMap, Side};
    /// use sinew::{Cause, ModelPose, Pose, Target, Vec3};
    ///
    /// let skeleton = humanoid(SwingModel::Ellipse);
    /// let arm = Limb::arm(&skeleton, &HumanoidMap::find(&skeleton), Side::Left)?;
    /// let mut pose = Pose::rest(&skeleton);
    /// let model = ModelPose::new(&skeleton, &pose);
    /// let target = Target::Position(Vec3::new(0.25, 1.2, 0.3));
    /// // Nothing of the elbow below this height.
    /// let report = arm.solve_avoiding(
    ///     &skeleton,
    ///     &model,
    ///     &target,
    ///     Swivel::default(),
    ///     &SwivelSearch::default(),
    ///     |[_, mid, _]| (mid.translation.y < 1.2).then_some(Cause::Collision { joint: arm.joints().lower, other: None }),
    ///     &mut pose,
    /// );
    /// assert!(report.reached() && report.tests > 1);
    /// # Ok::<(), sinew::error::RigError>(())
    /// ```
    #[allow(clippy::too_many_arguments)] // the same five as `solve`, and the search
    pub fn solve_avoiding(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        swivel: Swivel,
        search: &SwivelSearch,
        mut blocked: impl FnMut(&[Transform; 3]) -> Option<Cause>,
        pose: &mut Pose,
    ) -> LimbReport {
        let mut tests = 0;
        let mut test = |p: &[Transform; 3]| {
            tests += 1;
            blocked(p)
        };
        let mut circle = match self.prepare(skeleton, model, target, pose) {
            Ok(circle) => circle,
            Err(cause) => return refused(cause),
        };
        let wanted = circle.wanted_swivel(swivel, false, pose);
        let (posture, cause) = match circle.free((wanted, pose), search, &mut test) {
            Ok(found) => found,
            Err(collision) => {
                let retreated = self.retreat(&circle, swivel, search, &mut test, skeleton, model, pose);
                let Some(posture) = retreated else {
                    let mut report = refused(collision);
                    report.tests = tests;
                    let end = self.end_of(&circle.frame, pose);
                    let goal = &circle.goal;
                    report.outcome.residual.position = end.translation.distance(goal.position);
                    report.outcome.residual.orientation =
                        goal.orientation.map_or(0.0, |q| rotation::angle(end.rotation.conjugate() * q));
                    return report;
                };
                (posture, Some(collision))
            }
        };
        self.write(&posture, pose);
        self.report(&circle, &posture, cause, pose, tests)
    }

    /// The furthest free posture on the way from the pose given to the goal.
    #[allow(clippy::too_many_arguments)]
    fn retreat(
        &self,
        circle: &SwivelCircle<'_>,
        swivel: Swivel,
        search: &SwivelSearch,
        test: &mut impl FnMut(&[Transform; 3]) -> Option<Cause>,
        skeleton: &Skeleton,
        model: &ModelPose,
        pose: &Pose,
    ) -> Option<Posture> {
        let from = self.end_of(&circle.frame, pose);
        if !from.is_finite() {
            return None;
        }
        // Near the wanted angle only: on the way there is no need to go far round, and each
        // angle tried costs a test.
        let beside = SwivelSearch { range: (-RETREAT_RANGE, RETREAT_RANGE), refinements: 2, ..*search };
        let (mut free, mut hit) = (0.0, 1.0);
        let mut best = None;
        for _ in 0..search.retreats.min(24) {
            let part = 0.5 * (free + hit);
            let goal = &circle.goal;
            let between = Target::from_parts(
                from.translation.lerp(goal.position, part),
                goal.orientation.map(|q| from.rotation.slerp(q, part)),
            );
            let found = self.prepare(skeleton, model, &between, pose).ok().and_then(|mut circle| {
                let wanted = circle.wanted_swivel(swivel, false, pose);
                circle.free((wanted, pose), &beside, test).ok()
            });
            match found {
                Some((posture, _)) => {
                    best = Some(posture);
                    free = part;
                }
                None => hit = part,
            }
        }
        best
    }
}

impl SwivelCircle<'_> {
    /// The posture nearest to the wanted swivel angle that holds the limits and
    /// touches nothing, or what the first one touches.
    fn free(
        &self,
        (wanted, pose): (Wanted, &Pose),
        search: &SwivelSearch,
        test: &mut impl FnMut(&[Transform; 3]) -> Option<Cause>,
    ) -> Result<(Posture, Option<Cause>), Cause> {
        let (first, cause) = self.by_limits(wanted, pose);
        let mut touched = |posture: &Posture| test(&self.limb.place(&self.frame, posture));
        let Some(contact) = touched(&first) else { return Ok((first, cause)) };
        // Where limits leave a single angle there is nothing to search.
        if cause != self.cause {
            return Err(contact);
        }
        match self.search(&self.allowed_arcs(), first.swivel, wanted.angle, search, &mut touched) {
            Some(found) => Ok((found, cause)),
            None => Err(contact),
        }
    }

    /// The first free posture going out from the wanted angle to both sides, beyond the angle `start`
    /// that touches something.
    fn search(
        &self,
        arcs: &Arcs,
        start: Real,
        wanted: Real,
        search: &SwivelSearch,
        touched: &mut impl FnMut(&Posture) -> Option<Cause>,
    ) -> Option<Posture> {
        let at = |swivel: Real| self.ruled_posture(swivel);
        let offset = wrap_angle(start - wanted);
        // Ways from the wanted angle; those nearer than the start were refused by
        // the limits already.
        let (low, high) = (search.range.0.clamp(-PI, 0.0), search.range.1.clamp(0.0, PI));
        let mut step = if search.step.is_finite() { search.step.abs().max(1.0e-3) } else { 0.1 };
        let growth = if search.growth.is_finite() { search.growth.clamp(1.0, 4.0) } else { 1.0 };
        // The last angle on each side that collided.
        let mut last = [offset, offset];
        let mut way = [offset, offset];
        for _ in 0..MOST_STEPS {
            let mut moved = false;
            for side in 0..2 {
                let sign = if side == 0 { 1.0 } else { -1.0 };
                let limit = if side == 0 { high } else { low };
                if (limit - way[side]) * sign <= 0.0 {
                    continue;
                }
                let next = way[side] + sign * step;
                let next = if (limit - next) * sign < 0.0 { limit } else { next };
                moved = true;
                way[side] = next;
                let swivel = wrap_angle(wanted + next);
                if !arcs.contains(swivel) {
                    continue;
                }
                let posture = at(swivel);
                if touched(&posture).is_some() {
                    last[side] = next;
                    continue;
                }
                let mut free = (next, posture);
                let mut hit = last[side];
                for _ in 0..search.refinements.min(40) {
                    let middle = 0.5 * (hit + free.0);
                    let swivel = wrap_angle(wanted + middle);
                    let posture = at(swivel);
                    if arcs.contains(swivel) && touched(&posture).is_none() {
                        free = (middle, posture);
                    } else {
                        hit = middle;
                    }
                }
                return Some(free.1);
            }
            if !moved {
                return None;
            }
            step *= growth;
        }
        None
    }
}
