//! Looking at a point with several joints: neck, head and eyes, or a spine.
//!
//! The last joint carries a direction of gaze (and the point it looks from).
//! Every joint of the chain takes a part of the turn that is still needed, by
//! its weight among those that are left; what a limit keeps a joint from doing
//! is left to the others, and a few rounds settle it. Each part is a turn about
//! the joint's own place, so that the eye moves along; the next part is measured
//! from where it then is.
//!
//! # Roll
//! The shortest turn from one direction to another leans a head to the side when
//! it looks up and to the left at once. So the gaze is wanted with its up side as
//! the first joint's surroundings have it: a turn to the side, then up or down.
//! Straight up and down there is no such side; towards them the wish fades, and
//! what remains is the shortest turn.
//!
//! # Straight back
//! A target behind can be looked at over either shoulder, and between the two
//! lies a jump that no rule avoids, as long as the joints cannot turn all the
//! way. So for a chain that cannot (it is found out when it is built), the wish to
//! look fades over the last 40° before straight back, and the gaze comes back to
//! where the pose at rest looks: slower than a jump, and continuous. The report
//! says how far off the gaze is.
//!
//! ```
//! use sinew::analytic::{Aim, AimOptions};
//! use sinew::rigs::{SwingModel, humanoid};
//! use sinew::{ModelPose, Pose, Vec3};
//!
//! let skeleton = humanoid(SwingModel::Ellipse);
//! let joints = [("vc4", 1.0), ("skullbase", 2.0)].map(|(name, weight)| (skeleton.find(name).unwrap(), weight));
//! let look = Aim::new(&skeleton, &joints, Vec3::Z, Vec3::Y * 0.05, &AimOptions::default())?;
//! let mut pose = Pose::rest(&skeleton);
//! let mut model = ModelPose::new(&skeleton, &pose);
//! let report = look.solve(&skeleton, &mut model, Vec3::new(0.8, 1.9, 1.5), &mut pose);
//! assert!(report.reached() && report.residual.orientation < 1e-3);
//! # Ok::<(), sinew::analytic::AimError>(())
//! ```

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::goal::GoalId;
use crate::limit::SLACK;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, GoalResidual, Outcome, Status};
use crate::skeleton::{JointId, JointKind, Skeleton};

/// How to look.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AimOptions {
    /// Which way is up for the gaze, in model space at rest.
    pub up: Vec3,
    /// How near is near enough, in radians.
    pub tolerance: Real,
    /// How much of the way from the pose's own gaze to the target, 0 to 1.
    pub weight: Real,
    /// Radians before straight back over which the wish to look fades. By default
    /// 0.7 if the joints cannot turn that far, and none if they can.
    pub fade: Option<Real>,
}

impl Default for AimOptions {
    fn default() -> Self {
        Self { up: Vec3::Y, tolerance: 1.0e-3, weight: 1.0, fade: None }
    }
}

/// Why joints cannot look.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AimError {
    /// There are none.
    #[error("no joints are given")]
    Empty,
    /// A joint belongs to another skeleton.
    #[error("joint number {0} is not one of the skeleton's")]
    NoSuchJoint(usize),
    /// They must follow each other downwards.
    #[error("'{below}' does not lie below '{above}'")]
    NotAChain {
        /// The joint given first.
        above: String,
        /// The one given after it.
        below: String,
    },
    /// A joint that cannot turn was given.
    #[error("'{0}' cannot turn")]
    CannotTurn(String),
    /// A weight is negative or not finite, or none is positive.
    #[error("the weights are negative, not finite or all zero")]
    BadWeight,
    /// The direction of gaze, the eye or an option is not finite or has no direction.
    #[error("the gaze, the eye or an option is not finite or out of its range")]
    BadGaze,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    joint: JointId,
    /// Of the turn still needed when its turn comes.
    share: Real,
}

/// Joints that look; see the [module](self).
#[derive(Debug, Clone)]
pub struct Aim {
    parts: Vec<Part>,
    last: JointId,
    fingerprint: u64,
    joint_count: usize,
    /// In the last joint's frame.
    gaze: Vec3,
    eye: Vec3,
    /// The side that is up at rest, in the last joint's frame.
    up: Vec3,
    /// Gaze and up at rest, in the first joint's rest frame.
    rest_gaze: Vec3,
    rest_up: Vec3,
    tolerance: Real,
    weight: Real,
    fade: Real,
}

/// A look has one goal, and causes name it so.
const GOAL: GoalId = GoalId(0);
/// Rounds over all joints; limits that meet settle within a few.
const ROUNDS: usize = 12;

impl Aim {
    /// Joints with their weights, from the trunk outwards; the last carries the
    /// direction `gaze` and looks from `eye`, both in its own frame.
    pub fn new(
        skeleton: &Skeleton,
        joints: &[(JointId, Real)],
        gaze: Vec3,
        eye: Vec3,
        options: &AimOptions,
    ) -> Result<Self, AimError> {
        let Some(&(last, _)) = joints.last() else { return Err(AimError::Empty) };
        let Some(&(first, _)) = joints.first() else { return Err(AimError::Empty) };
        let name = |j: JointId| skeleton.joint(j).name().to_string();
        for &(j, _) in joints {
            if !skeleton.contains(j) {
                return Err(AimError::NoSuchJoint(j.index()));
            }
            if matches!(skeleton.joint(j).kind(), JointKind::Fixed | JointKind::Prismatic { .. }) {
                return Err(AimError::CannotTurn(name(j)));
            }
        }
        for pair in joints.windows(2) {
            if pair[0].0 == pair[1].0 || !skeleton.is_ancestor(pair[0].0, pair[1].0) {
                return Err(AimError::NotAChain { above: name(pair[0].0), below: name(pair[1].0) });
            }
        }
        let sum: Real = joints.iter().map(|(_, w)| *w).sum();
        if joints.iter().any(|(_, w)| !w.is_finite() || *w < 0.0) || !(sum > 0.0 && sum.is_finite()) {
            return Err(AimError::BadWeight);
        }
        let fade_fits = options.fade.is_none_or(|f| (0.0..=PI).contains(&f));
        let fine = gaze.is_finite()
            && gaze.length() > ROUNDING
            && eye.is_finite()
            && options.up.is_finite()
            && options.up.length() > ROUNDING
            && options.tolerance > 0.0
            && (0.0..=1.0).contains(&options.weight)
            && fade_fits;
        if !fine {
            return Err(AimError::BadGaze);
        }
        let mut left = sum;
        let parts = joints
            .iter()
            .map(|&(joint, weight)| {
                let share = if left > 0.0 { (weight / left).min(1.0) } else { 0.0 };
                left -= weight;
                Part { joint, share }
            })
            .collect();
        let rest = ModelPose::rest(skeleton);
        let frame = rest.rotation(first).conjugate();
        let gaze = gaze.normalize();
        let rest_gaze = frame * (rest.rotation(last) * gaze);
        let rest_up = frame * options.up.normalize();
        let mut aim = Self {
            parts,
            last,
            fingerprint: skeleton.fingerprint(),
            joint_count: skeleton.len(),
            gaze,
            eye,
            up: rest.rotation(last).conjugate() * (rest.rotation(first) * rest_up),
            rest_gaze,
            rest_up: direction_or(rest_up - rest_gaze * rest_up.dot(rest_gaze), any_perpendicular(rest_gaze)),
            tolerance: options.tolerance,
            weight: 1.0,
            fade: 0.0,
        };
        aim.fade = options.fade.unwrap_or_else(|| {
            // Whether it can look back over its shoulder at all.
            let (mut model, mut pose) = (rest.clone(), Pose::rest(skeleton));
            let seen = rest.transform(last);
            let back = seen.point(eye) - seen.rotation * gaze * 10.0;
            let aside = rest.rotation(first) * aim.rest_up.cross(aim.rest_gaze);
            let report = aim.solve(skeleton, &mut model, back + aside, &mut pose);
            if report.residual.orientation > 0.1 { 0.7 } else { 0.0 }
        });
        aim.weight = options.weight;
        Ok(aim)
    }

    /// Turns the joints so that the gaze meets `target`, a point of model space.
    /// `model` must be up to date with the pose, and is so again afterwards.
    pub fn solve(
        &self,
        skeleton: &Skeleton,
        model: &mut ModelPose,
        target: Vec3,
        pose: &mut Pose,
    ) -> Outcome {
        let matches =
            [skeleton.len(), pose.len(), model.positions().len()].iter().all(|n| *n == self.joint_count);
        if !matches || skeleton.fingerprint() != self.fingerprint {
            return Outcome::refused(Cause::Mismatch);
        }
        if !target.is_finite() {
            return Outcome::refused(Cause::NotFinite { goal: GOAL });
        }
        let Some(first) = self.parts.first().map(|p| p.joint) else {
            return Outcome::refused(Cause::NoFreedom { goal: GOAL });
        };
        // Every frame starts from the rest of these joints, so that the same
        // target gives the same look whatever came before.
        let own = self.weight;
        let mut was = Quat::IDENTITY;
        if own < 1.0 {
            was = model.rotation(self.last);
        }
        for part in &self.parts {
            pose.set_rotation(part.joint, skeleton.joint(part.joint).project(Quat::IDENTITY));
        }
        model.update_below(skeleton, pose, first);
        let frame = model.rest_frame(skeleton, first);
        let mut faded = 1.0;
        for round in 0..ROUNDS {
            let last_round = round + 1 == ROUNDS;
            for i in 0..self.parts.len() {
                let part = self.parts[i];
                let Some((wanted, strength)) = self.wanted(model, frame, target, was, round >= 2) else {
                    return self.measure(skeleton, model, target, pose, 1.0);
                };
                faded = strength;
                let now = model.rotation(self.last);
                let turn = rotation::log(wanted * now.conjugate());
                let share = if last_round { 1.0 } else { part.share };
                let turned = rotation::exp(turn * share) * model.rotation(part.joint);
                let local = model.rest_frame(skeleton, part.joint).conjugate() * turned;
                let held = skeleton.joint(part.joint).project(rotation::normalize_or_identity(local));
                pose.set_rotation(part.joint, held);
                model.update_below(skeleton, pose, part.joint);
            }
            if self.off(model, target) <= 0.01 * self.tolerance {
                break;
            }
        }
        self.measure(skeleton, model, target, pose, faded)
    }

    /// The orientation wanted of the last joint, and how much of the wish is left.
    /// `None` where the target lies in the eye.
    fn wanted(
        &self,
        model: &ModelPose,
        frame: Quat,
        target: Vec3,
        was: Quat,
        gaze_alone: bool,
    ) -> Option<(Quat, Real)> {
        let now = model.transform(self.last);
        let away = target - now.point(self.eye);
        if away.length() <= ROUNDING * 16.0 * (1.0 + self.eye.length()) {
            return None;
        }
        let looks = now.rotation * self.gaze;
        let mut wanted = away.normalize();
        let ahead = frame * self.rest_gaze;
        let up = frame * self.rest_up;
        let mut strength = 1.0;
        let behind = rotation::angle_between(-ahead, wanted);
        if behind < self.fade {
            let t = behind / self.fade;
            strength = t * t * (3.0 - 2.0 * t);
            // Back to the front, about the up axis: the way it came.
            let turn = rotation::log(rotation::between(ahead, wanted, up)) * strength;
            wanted = rotation::exp(turn) * ahead;
        }
        if self.weight < 1.0 {
            let own = was * self.gaze;
            let turn = rotation::log(rotation::between(own, wanted, up)) * self.weight;
            wanted = rotation::exp(turn) * own;
            strength = strength.min(self.weight);
        }
        let swung = rotation::between(looks, wanted, up) * now.rotation;
        if gaze_alone {
            return Some((swung.normalize(), strength));
        }
        // The side that should be up: what is nearest to the surroundings' up, as
        // far as there is such a side.
        let level = up - wanted * up.dot(wanted);
        let sure = level.length();
        let shown = swung * self.up;
        let shown = shown - wanted * shown.dot(wanted);
        let roll = wanted.dot(shown.cross(level)).atan2(shown.dot(level));
        let fade = (sure / 0.5).min(1.0);
        Some(((rotation::about(wanted, roll * fade * fade) * swung).normalize(), strength))
    }

    fn off(&self, model: &ModelPose, target: Vec3) -> Real {
        let now = model.transform(self.last);
        let away = target - now.point(self.eye);
        let looks = now.rotation * self.gaze;
        rotation::angle_between(looks, direction_or(away, looks))
    }

    fn measure(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: Vec3,
        pose: &Pose,
        faded: Real,
    ) -> Outcome {
        let angle = self.off(model, target);
        let residual = GoalResidual { position: 0.0, orientation: angle };
        if angle <= self.tolerance {
            return Outcome { status: Status::Reached, cause: None, residual };
        }
        let at_edge = |part: &Part| {
            let joint = skeleton.joint(part.joint);
            let (component, distance) = joint.nearest_component(pose.rotation(part.joint), Vec3::ZERO)?;
            let cause = Cause::Limit { goal: GOAL, joint: part.joint, component };
            (distance <= 1.0e-3 + SLACK).then_some(cause)
        };
        let cause = if faded < 1.0 {
            Cause::Faded { goal: GOAL }
        } else {
            self.parts.iter().rev().find_map(at_edge).unwrap_or(Cause::NoFreedom { goal: GOAL })
        };
        Outcome { status: Status::NotReached, cause: Some(cause), residual }
    }
}
