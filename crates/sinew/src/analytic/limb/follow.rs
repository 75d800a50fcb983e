//! What a [`LimbFollower`](crate::analytic::LimbFollower) asks of its limb.

use super::{GOAL, Limb, LimbGoal, LimbReport, Posture};
use crate::goal::Target;
use crate::limit::LimitComponent;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, GoalResidual, Outcome};
use crate::skeleton::{JointId, Skeleton};

impl Limb {
    /// Every joint that solving writes: base, middle and end, and the twist joints
    /// between and beside them.
    pub fn written(&self) -> impl Iterator<Item = JointId> + '_ {
        let links = self.upper_links.iter().chain(&self.lower_links).map(|link| link.joint);
        [self.joints.upper, self.joints.lower, self.joints.end]
            .into_iter()
            .chain(links)
            .chain(self.followers.iter().map(|follower| follower.joint))
    }

    /// The base's rest frame in model space. `model` must hold where its parent stands.
    #[inline]
    pub(crate) fn base_frame(&self, model: &ModelPose, pose: &Pose) -> Transform {
        let parent = self.parent.map_or(Transform::IDENTITY, |p| model.transform(p));
        let mut frame = parent * self.base_rest;
        let shift = pose.translation(self.joints.upper);
        if shift != Vec3::ZERO {
            frame.translation = frame.transform_point(shift);
        }
        frame
    }

    /// What a target asks of the limb whose base's rest frame this is.
    pub(crate) fn goal_of(&self, frame: &Transform, target: &Target, pose: &Pose) -> LimbGoal {
        LimbGoal::new(target, || self.end_of(frame, pose))
    }

    /// The skeleton that it was built for.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// How far the end joint of the pose is from a goal.
    pub(crate) fn measured(&self, frame: &Transform, goal: &LimbGoal, pose: &Pose) -> GoalResidual {
        let end = self.end_of(frame, pose);
        GoalResidual {
            position: end.translation.distance(goal.position),
            orientation: goal.orientation.map_or(0.0, |q| rotation::angle(end.rotation.conjugate() * q)),
        }
    }

    /// The bend with which the end is as far from the base as a point of its rest frame, as near
    /// as the limits allow.
    pub(crate) fn bend_at(&self, point: Vec3) -> Real {
        let cos = (point.length_squared() - self.bend.alpha) / self.bend.rho;
        let (most, least) = self.bend_cosines;
        cos.clamp(-1.0, 1.0).clamp(least.min(most), most).acos()
    }

    /// Solves at a swivel angle that the base's limit may forbid. `choose` is told the angle of
    /// the pose given and how far the base is outside at any angle. Only the base may be outside:
    /// end joint and forearm hold their limits, so that an orientation may be missed, the position
    /// not. `None`, and the pose as it was, where nothing is chosen.
    pub(crate) fn solve_outside(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        choose: impl FnOnce(Real, &dyn Fn(Real) -> Real) -> Option<Real>,
        pose: &mut Pose,
    ) -> Option<LimbReport> {
        let circle = self.prepare(skeleton, model, target, pose).ok()?;
        let swivel = choose(circle.last_swivel(pose), &|angle| self.base_violation(circle.base.at(angle)))?;
        let base = circle.base.at(swivel);
        let by = self.base_violation(base);
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
