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
//! what remains is the shortest turn, as long as it does not turn the head upside down.
//!
//! # Over an animation
//! The pose given may look somewhere already. The joints that look from rest to
//! there, and those that look from rest to the target, differ by a turn each, and
//! that turn is what the pose's joints get; a few rounds then put the gaze on the
//! target. So a gaze that is on its target stays, bit for bit; what the animation
//! does besides looking is kept; and a pose that was solved before is as good a
//! start as the rest. With an influence below one, every joint goes that part of
//! its way.
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
//! let mut look = Aim::new(&skeleton, &joints, Vec3::Z, Vec3::Y * 0.05, &AimOptions::default())?;
//! let mut pose = Pose::rest(&skeleton);
//! let mut model = ModelPose::new(&skeleton, &pose);
//! let report = look.solve(&skeleton, &model, Vec3::new(0.8, 1.9, 1.5), 1.0, &mut pose);
//! assert!(report.reached() && report.residual.orientation < 1e-3);
//! model.update(&skeleton, &pose);
//! # Ok::<(), sinew::error::RigError>(())
//! ```

use alloc::string::ToString;
use alloc::vec::Vec;

use crate::error::RigError;
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
    /// Radians before straight back over which the wish to look fades. By default
    /// 0.7 if the joints cannot turn that far, and none if they can.
    pub fade: Option<Real>,
}

crate::report::show_fields!(AimOptions);

impl Default for AimOptions {
    fn default() -> Self {
        Self { up: Vec3::Y, tolerance: 1.0e-3, fade: None }
    }
}

/// A joint on the way from the first that looks to the last.
#[derive(Debug, Clone, Copy)]
struct Link {
    joint: JointId,
    rest: Transform,
    /// Of the turn still needed when its turn comes; zero for one that only lies between.
    share: Real,
}

/// Joints that look; see the [module](self). Built once, then used every frame:
/// solving cannot fail, allocate or panic.
#[derive(Debug, Clone)]
pub struct Aim {
    path: Vec<Link>,
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
    fade: Real,
    /// The path's rotations under construction, and where they put the joints.
    turns: Vec<Quat>,
    places: Vec<Transform>,
    /// The rotations that look from rest where the pose looks, and where it should.
    own: Vec<Quat>,
    asked: Vec<Quat>,
}

/// A look has one goal, and causes name it so.
const GOAL: GoalId = GoalId(0);
/// How far off the target, in radians, nothing is kept of an animation besides its gaze.
const KEPT: Real = 0.1;
/// The most that a gaze leans to the side where it is steep, in radians.
const LEAN: Real = 1.0;
/// The most that it leans for anything, in radians: short of upside down.
const TIPPED: Real = 1.4;
/// From where on a steep gaze has an up side that counts for that: the sine of what it is off straight up
/// or down; from twice that on in full.
const STEEP: Real = 0.1;
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
    ) -> Result<Self, RigError> {
        let Some(&(last, _)) = joints.last() else { return Err(RigError::NoJoints) };
        let Some(&(first, _)) = joints.first() else { return Err(RigError::NoJoints) };
        let name = |j: JointId| skeleton.joint(j).name().to_string();
        for &(j, _) in joints {
            if !skeleton.contains(j) {
                return Err(RigError::NoSuchJoint(j.index()));
            }
            if matches!(skeleton.joint(j).kind(), JointKind::Fixed | JointKind::Prismatic { .. }) {
                let (joint, kind) = (name(j), skeleton.joint(j).kind().name());
                return Err(RigError::WrongKind { joint, kind, needs: "a joint that looks must turn" });
            }
        }
        for pair in joints.windows(2) {
            if pair[0].0 == pair[1].0 || !skeleton.is_ancestor(pair[0].0, pair[1].0) {
                return Err(RigError::NotBelow { above: name(pair[0].0), below: name(pair[1].0) });
            }
        }
        let sum: Real = joints.iter().map(|(_, w)| *w).sum();
        if joints.iter().any(|(_, w)| !w.is_finite() || *w < 0.0) || !(sum > 0.0 && sum.is_finite()) {
            return Err(RigError::BadOption("weights"));
        }
        let fade_fits = options.fade.is_none_or(|f| (0.0..=PI).contains(&f));
        let fine = gaze.is_finite()
            && gaze.length() > ROUNDING
            && eye.is_finite()
            && options.up.is_finite()
            && options.up.length() > ROUNDING
            && options.tolerance > 0.0
            && fade_fits;
        if !fine {
            return Err(RigError::BadOption("gaze, eye, up, fade or tolerance"));
        }
        let mut path: Vec<Link> = skeleton
            .ancestors(last)
            .take_while(|&joint| skeleton.is_ancestor(first, joint))
            .map(|joint| Link { joint, rest: skeleton.joint(joint).rest(), share: 0.0 })
            .collect();
        path.reverse();
        let mut left = sum;
        for &(joint, weight) in joints {
            if let Some(link) = path.iter_mut().find(|link| link.joint == joint) {
                link.share = if left > 0.0 { (weight / left).min(1.0) } else { 0.0 };
            }
            left -= weight;
        }
        let rest = ModelPose::rest(skeleton);
        let frame = rest.rotation(first).conjugate();
        let gaze = gaze.normalize();
        let rest_gaze = frame * (rest.rotation(last) * gaze);
        let rest_up = frame * options.up.normalize();
        let mut aim = Self {
            turns: alloc::vec![Quat::IDENTITY; path.len()],
            places: alloc::vec![Transform::IDENTITY; path.len()],
            own: alloc::vec![Quat::IDENTITY; path.len()],
            asked: alloc::vec![Quat::IDENTITY; path.len()],
            path,
            fingerprint: skeleton.fingerprint(),
            joint_count: skeleton.len(),
            gaze,
            eye,
            up: rest.rotation(last).conjugate() * (rest.rotation(first) * rest_up),
            rest_gaze,
            rest_up: direction_or(rest_up - rest_gaze * rest_up.dot(rest_gaze), any_perpendicular(rest_gaze)),
            tolerance: options.tolerance,
            fade: 0.0,
        };
        aim.fade = options.fade.unwrap_or_else(|| {
            // Whether it can look back over its shoulder at all.
            let seen = rest.transform(last);
            let back = seen.transform_point(eye) - seen.rotation * gaze * 10.0;
            let aside = rest.rotation(first) * aim.rest_up.cross(aim.rest_gaze);
            let report = aim.solve(skeleton, &rest, back + aside, 1.0, &mut Pose::rest(skeleton));
            if report.residual.orientation > 0.1 { 0.7 } else { 0.0 }
        });
        Ok(aim)
    }

    /// Turns the joints so that the gaze meets `target`, a point of model space.
    /// `influence` is how much of the way they go: at 0 nothing changes, bit for bit, at 1
    /// the gaze meets the target. `model` is where `pose` stands before the call.
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: Vec3,
        influence: Real,
        pose: &mut Pose,
    ) -> Outcome {
        let matches =
            [skeleton.len(), pose.len(), model.positions().len()].iter().all(|n| *n == self.joint_count);
        if !matches || skeleton.fingerprint() != self.fingerprint {
            return Outcome::refused(Cause::Mismatch);
        }
        if !target.is_finite() || influence.is_nan() {
            return Outcome::refused(Cause::NotFinite { goal: GOAL });
        }
        let influence = influence.clamp(0.0, 1.0);
        let Some(first) = self.path.first().map(|link| link.joint) else {
            return Outcome::refused(Cause::NoFreedom { goal: GOAL });
        };
        let base = skeleton.parent(first).map_or(Transform::IDENTITY, |parent| model.transform(parent));
        let at_target = move |eye: Vec3| target - eye;

        self.begin(pose, |link| pose.rotation(link.joint));
        self.place(0, base, pose);
        if influence == 0.0 || self.off(at_target) <= HAIR {
            return self.measure(skeleton, at_target, influence);
        }
        let looks = self.last().rotation * self.gaze;
        let rest = |link: &Link| skeleton.joint(link.joint).project(Quat::IDENTITY);
        self.begin(pose, rest);
        let strength = self.rounds(skeleton, base, pose, at_target, true);
        // Where limits or the fade keep the gaze off the target, it goes as far as from rest.
        let found = self.last().rotation * self.gaze;
        let mut off = self.off(at_target);
        // From one to the other over the tolerance, so that nothing jumps where a limit begins to count.
        let short = (off / self.tolerance).min(1.0);
        let away = move |eye: Vec3| {
            let to = target - eye;
            if short > 0.0 { to * (1.0 - short) + found * (short * to.length()) } else { to }
        };
        // Both by the same rule, so that equal directions give no turn.
        self.begin(pose, rest);
        self.rounds(skeleton, base, pose, |_| looks, true);
        self.own.copy_from_slice(&self.turns);
        self.begin(pose, rest);
        self.rounds(skeleton, base, pose, |_| found, true);
        self.asked.copy_from_slice(&self.turns);
        // What the animation does besides looking is kept, but the less the further off the gaze is:
        // joints at their limits cannot have both, and answers given back would drift.
        let mut kept = 1.0;
        for _ in 0..2 {
            kept *= (1.0 - (off - self.tolerance) / KEPT).clamp(0.0, 1.0);
            for (i, link) in self.path.iter().enumerate().filter(|(_, link)| link.share > 0.0) {
                let besides = rotation::log(self.own[i].conjugate() * pose.rotation(link.joint)) * kept;
                let turn = rotation::normalize_or_identity(self.asked[i] * rotation::exp(besides));
                self.turns[i] = skeleton.joint(link.joint).project(turn);
            }
            self.rounds(skeleton, base, pose, away, false);
            off = self.off(away);
            if off <= self.tolerance {
                break;
            }
        }
        for (i, link) in self.path.iter().enumerate().filter(|(_, link)| link.share > 0.0) {
            let mut turn = self.turns[i];
            if influence < 1.0 {
                let from = pose.rotation(link.joint);
                let way = rotation::log(from.conjugate() * turn) * influence;
                let part = (from * rotation::exp(way)).normalize();
                turn = skeleton.joint(link.joint).project(part);
            }
            self.turns[i] = turn;
            pose.set_rotation(link.joint, turn);
        }
        self.place(0, base, pose);
        self.measure(skeleton, at_target, influence.min(strength))
    }

    /// Starts with these turns of the joints that look, and the pose's own of those between.
    fn begin(&mut self, pose: &Pose, turn: impl Fn(&Link) -> Quat) {
        for (link, own) in self.path.iter().zip(&mut self.turns) {
            *own = if link.share > 0.0 { turn(link) } else { pose.rotation(link.joint) };
        }
    }

    /// Forward kinematics of the path from one of its joints on.
    fn place(&mut self, from: usize, base: Transform, pose: &Pose) {
        for i in from..self.path.len() {
            let above = if i == 0 { base } else { self.places[i - 1] };
            let link = self.path[i];
            let motion = Transform::new(pose.translation(link.joint), self.turns[i]);
            self.places[i] = above * link.rest * motion;
        }
    }

    fn last(&self) -> Transform {
        self.places.last().copied().unwrap_or_default()
    }

    /// Turns the joints until the gaze goes along `away`, which is given where the eye is.
    /// Returns how much of the wish to look there was left.
    fn rounds(
        &mut self,
        skeleton: &Skeleton,
        base: Transform,
        pose: &Pose,
        away: impl Fn(Vec3) -> Vec3 + Copy,
        level: bool,
    ) -> Real {
        self.place(0, base, pose);
        let frame = base.rotation * self.path.first().map_or(Quat::IDENTITY, |link| link.rest.rotation);
        let mut strength = 1.0;
        for round in 0..ROUNDS {
            // Well below what anybody sees: how many rounds there are changes along a path, and what the
            // last one leaves must not show in the velocity of a slow joint.
            if self.off(away) <= HAIR.min(0.01 * self.tolerance) {
                break;
            }
            for i in 0..self.path.len() {
                let link = self.path[i];
                if link.share == 0.0 {
                    continue;
                }
                let Some((wanted, left)) = self.wanted(frame, away, !level || round >= 2) else {
                    return 1.0;
                };
                strength = left;
                let turn = rotation::log(wanted * self.last().rotation.conjugate());
                let share = if round + 1 == ROUNDS { 1.0 } else { link.share };
                let above = if i == 0 { base.rotation } else { self.places[i - 1].rotation };
                let turned = rotation::exp(turn * share) * self.places[i].rotation;
                let local = (above * link.rest.rotation).conjugate() * turned;
                self.turns[i] = skeleton.joint(link.joint).project(rotation::normalize_or_identity(local));
                self.place(i, base, pose);
            }
        }
        strength
    }

    /// The orientation wanted of the last joint, and how much of the wish is left.
    /// `None` where the target lies in the eye.
    fn wanted(&self, frame: Quat, away: impl Fn(Vec3) -> Vec3, gaze_alone: bool) -> Option<(Quat, Real)> {
        let now = self.last();
        let away = away(now.transform_point(self.eye));
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
        let swung = rotation::between(looks, wanted, up) * now.rotation;
        // The side that should be up: what is nearest to the surroundings' up, as
        // far as there is such a side.
        let level = up - wanted * up.dot(wanted);
        let sure = level.length();
        let shown = swung * self.up;
        let shown = shown - wanted * shown.dot(wanted);
        let roll = wanted.dot(shown.cross(level)).atan2(shown.dot(level));
        let fade = (sure / 0.5).min(1.0);
        // What is left of the roll where the wish fades; a head is not turned upside down for it, nor by
        // the last rounds, which let it roll as it comes: an eye that moves may see its target over the pole.
        let left = if gaze_alone {
            let over = roll - roll.clamp(-TIPPED, TIPPED);
            roll - over * ((sure - STEEP) / STEEP).clamp(0.0, 1.0)
        } else {
            (roll * (1.0 - fade * fade)).clamp(-LEAN, LEAN)
        };
        Some(((rotation::about(wanted, roll - left) * swung).normalize(), strength))
    }

    /// Between the gaze and the way to the target, in radians.
    fn off(&self, away: impl Fn(Vec3) -> Vec3) -> Real {
        let now = self.last();
        let looks = now.rotation * self.gaze;
        rotation::angle_between(looks, direction_or(away(now.transform_point(self.eye)), looks))
    }

    /// What came of it, where the path stands now.
    fn measure(&self, skeleton: &Skeleton, away: impl Fn(Vec3) -> Vec3, strength: Real) -> Outcome {
        let angle = self.off(away);
        let residual = GoalResidual { position: 0.0, orientation: angle };
        if angle <= self.tolerance {
            return Outcome { status: Status::Reached, cause: None, residual };
        }
        let at_edge = |(link, turn): (&Link, &Quat)| {
            let (component, distance) = skeleton.joint(link.joint).nearest_component(*turn, Vec3::ZERO)?;
            let cause = Cause::Limit { goal: GOAL, joint: link.joint, component };
            (link.share > 0.0 && distance <= 1.0e-3 + SLACK).then_some(cause)
        };
        let cause = if strength < 1.0 {
            Cause::Faded { goal: GOAL }
        } else {
            let links = self.path.iter().zip(&self.turns).rev();
            links.into_iter().find_map(at_edge).unwrap_or(Cause::NoFreedom { goal: GOAL })
        };
        Outcome { status: Status::NotReached, cause: Some(cause), residual }
    }
}
