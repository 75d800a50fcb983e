//! An arm or a leg of seven degrees of freedom, solved exactly.
//!
//! The idea is Kallmann's ("Analytical inverse kinematics with body posture
//! control", 2007, eq. 1-7): base, middle and end joint (shoulder, elbow, wrist or
//! hip, knee, ankle) reach a position and an orientation with one degree of
//! freedom to spare, the *swivel angle* by which the middle joint goes round the
//! line from base to end. Given it, everything else follows in closed form: the
//! flexion from the law of cosines (eq. 2), the base's rotation (eq. 3 and 4),
//! the twist of the forearm and the end joint's rotation (eq. 5 and 6). Where a
//! limit or a collision forbids an angle, another is taken, as near as possible
//! to the one preferred.
//!
//! # Any rig
//! Nothing is assumed of the joints' axes. The middle joint turns about whatever
//! axis it has, which need not be at right angles to the bones: the squared
//! distance from base to end is `α + ρ·cos(θ − θ₀)` for every hinge, and the
//! triangle of eq. 2 is the special case. The rest pose may be bent. Twist may
//! sit on joints of its own between the three (see [`LimbOptions`]), or on
//! helpers beside them that only follow. How the measure is taken is told in
//! `limb/measure.rs`.
//!
//! # The swivel circle
//! Swivelling turns the limb rigidly about the line from base to end, so that the base's rotation is
//! `R(n̂, φ)·q₀`. There is no separate base swing and base twist to solve for (eq. 3 and 4 are its
//! decomposition), and no direction of the goal is singular: goals on the ŷ axis, where the paper gives
//! up, are goals like others. A solve is this:
//!
//! 1. The goal in the base's frame gives the bend (law of cosines) and the circle (`limb/circle.rs`).
//! 2. At each swivel angle, what is left of the orientation is divided between the forearm's twist and
//!    the end joint by one rule (`limb/division.rs`).
//! 3. Each limit allows some arcs of the circle, in closed form where there is one and otherwise by a
//!    scan with root finding (`limit/turning.rs`). The allowed angle nearest to the wanted one is taken
//!    (`limb/allowed.rs`). The fast path asks the limits at the wanted angle and at the edge of the
//!    limit that forbids it, and mostly that is the answer.
//! 4. If no angle is allowed, another division of the twist is tried, and if none holds, the nearest
//!    allowed pose is taken (`limb/nearest.rs`).
//! 5. The pose is written, measured by forward kinematics and reported (`limb/joints.rs`).
//!
//! # Degenerate cases
//! * A goal on the base has no line; the neutral direction is taken. A limb that folds back onto its base
//!   has no direction either; its end comes from the side away from the elbow.
//! * Opposite to the neutral direction the shortest turn is not unique; it goes round a fixed axis.
//! * A straight limb looks the same at every swivel angle; a small cost of leaving the wanted angle keeps
//!   rounding from choosing.
//! * A joint that stands exactly on its edge at a single angle: edges are widened by a hair, and what is
//!   written is projected.
//! * A pole on the line from base to end says nothing; the last swivel angle is kept.
//! * With the end joint's bone straight back its twist is undefined; a forearm that twists leaves it as
//!   it is.
//!
//! # Where it is continuous
//! A small move of the goal makes a small move of every joint, except where the
//! geometry forbids it:
//! * At full extension and full flexion the flexion angle goes like the square
//!   root of the distance: `dθ/dD = 2D/(ρ·sin b)` with the bend `b`. It is
//!   continuous, and over a step `δ` beside full extension it is at most
//!   `√(4·D·δ/ρ)`.
//! * With the goal at distance `r` from the base, the direction turns by `1/r`
//!   a metre.
//! * Opposite to the neutral direction (behind the body) the preferred angle must
//!   jump; [`Swivel::Last`] has no such place, as each frame starts from the last.
//! * Where two allowed arcs of the swivel circle are equally near.
//! * For a goal that cannot be had, where another pose becomes clearly nearer (by a fifth of the
//!   limb's length from the last pose, see `limb/nearest.rs`). A limb by itself goes there at once, with
//!   [`Swivel::Last`] too; [`LimbFollower`](crate::analytic::LimbFollower) spreads such a jump over several frames.
//!
//! ```
//! use sinew::analytic::{Limb, Swivel};
//! use sinew::rigs::{SwingModel, humanoid};
//! use sinew::skeleton::humanoid::{HumanoidMap, Side};
//! use sinew::{ModelPose, Pose, Target, Vec3};
//!
//! let skeleton = humanoid(SwingModel::Ellipse);
//! let arm = Limb::arm(&skeleton, &HumanoidMap::find(&skeleton), Side::Right)?;
//! let mut pose = Pose::rest(&skeleton);
//! let mut model = ModelPose::new(&skeleton, &pose);
//! let cup = Vec3::new(-0.3, 1.2, 0.35);
//! let report = arm.solve(&skeleton, &model, &Target::Position(cup), Swivel::default(), &mut pose);
//! assert!(report.reached());
//! model.update(&skeleton, &pose);
//! assert!(model.position(arm.joints().end).distance(cup) < 1e-5);
//! # Ok::<(), sinew::error::RigError>(())
//! ```

mod allowed;
mod animated;
mod avoid;
mod beside;
mod circle;
mod division;
mod follow;
mod joints;
mod measure;
mod nearest;
mod options;

use alloc::vec::Vec;

pub use avoid::SwivelSearch;
pub(crate) use options::LimbGoal;
pub use options::{LimbOptions, LimbReport, Swivel};

use self::circle::SwivelCircle;
use self::division::TwistRange;
use super::bend::Bend;
use crate::goal::{GoalId, Target};
use crate::limit::probe::LimitProbe;
use crate::limit::{AngleRange, JointLimit};
use crate::math::arcs::Arcs;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, Outcome, Status, Tolerance};
use crate::skeleton::humanoid::LimbJoints;
use crate::skeleton::{JointId, JointKind, Skeleton};

/// A limb has one goal, and causes name it so.
const GOAL: GoalId = GoalId(0);

/// A joint between two of the limb's three.
#[derive(Debug, Clone)]
struct Link {
    joint: JointId,
    rest: Transform,
    /// The bone, in the joint's rest frame.
    axis: Vec3,
    share: Real,
    /// Whether it can turn about the bone without moving what is below.
    twists: bool,
    range: Option<AngleRange>,
    limit: JointLimit,
}

/// A joint beside the limb that shows a part of its twist.
#[derive(Debug, Clone)]
struct Follower {
    joint: JointId,
    axis: Vec3,
    /// Where along the bone it sits, from 0 to 1.
    part: Real,
    upper: bool,
}

/// An arm or a leg; see the [module](self). Built once, then used every frame:
/// solving cannot fail, allocate or panic.
#[derive(Debug, Clone)]
pub struct Limb {
    joints: LimbJoints,
    fingerprint: u64,
    joint_count: usize,
    base_rest: Transform,
    parent: Option<JointId>,
    /// From base to middle joint, in the base's frame, and its direction.
    upper: Vec3,
    upper_unit: Vec3,
    /// The middle joint's rest frame, in the base's frame.
    to_mid: Quat,
    /// From middle to end joint, in the middle joint's frame, and its direction.
    lower: Vec3,
    lower_unit: Vec3,
    /// The end joint's rest frame, in the middle joint's frame.
    to_end: Quat,
    /// The lower bone's direction, in the end joint's rest frame.
    end_twist_axis: Vec3,
    bend: Bend,
    /// The cosines of the least and the greatest allowed bend.
    bend_cosines: (Real, Real),
    /// The normal of the plane of bending, in the base's frame: `plane × upper`
    /// is where the elbow sticks out.
    plane: Vec3,
    neutral: Quat,
    neutral_direction: Vec3,
    neutral_plane: Vec3,
    base_limit: JointLimit,
    /// The middle joint's rotation, by the cosine and the sine of half the bend.
    flexion_parts: [Quat; 2],
    /// From the base's frame to that of the end joint's probe, in the same way.
    end_parts: [Quat; 2],
    /// The limits of base and end joint, and whether the probes say all that the limits say. Where they
    /// do not, the probe's z axis is the bone's.
    base_probe: LimitProbe,
    end_probe: LimitProbe,
    base_probed: bool,
    end_probed: bool,
    /// The lower bone's direction in the frame of the end joint's probe, as a quaternion.
    forearm_in_probe: Quat,
    /// How far the forearm can twist, where that does not depend on the flexion.
    same_twist_range: Option<TwistRange>,
    mid_limit: JointLimit,
    mid_kind: JointKind,
    mid_share: Real,
    mid_twist_range: Option<AngleRange>,
    end_limit: JointLimit,
    end_kind: JointKind,
    base_share: Real,
    upper_links: Vec<Link>,
    lower_links: Vec<Link>,
    followers: Vec<Follower>,
    /// Rotations of the base that its limit allows, spread over them.
    allowed_bases: Vec<Quat>,
    tolerance: Tolerance,
}

/// The rotations of a limb, before they are written.
#[derive(Debug, Clone, Copy)]
struct Posture {
    swivel: Real,
    /// The base's rotation together with the twist of the upper bone's joints.
    base: Quat,
    flexion: Quat,
    /// The twist of the lower bone, over all joints that share it, by its half
    /// angle's cosine and sine.
    twist: Vec2,
    end: Quat,
    /// Whether base and end are known to be well within their limits.
    base_inside: bool,
    end_inside: bool,
}

impl Limb {
    /// Base, middle and end joint.
    pub fn joints(&self) -> LimbJoints {
        self.joints
    }

    /// The lengths of the upper and the lower bone, in metres.
    pub fn lengths(&self) -> (Real, Real) {
        (self.upper.length(), self.lower.length())
    }

    /// How near and how far from the base the end can be, by its bones alone.
    pub fn reach(&self) -> (Real, Real) {
        (self.bend.nearest(), self.bend.farthest())
    }

    /// The bends from straight that the middle joint's limit allows, in radians.
    pub fn bend_range(&self) -> (Real, Real) {
        self.bend.range
    }

    /// The middle joint's flexion axis in its rest frame, such that positive
    /// turns bend the limb.
    pub fn flexion_axis(&self) -> Vec3 {
        self.bend.axis * self.bend.sense
    }

    /// The base's rotation from which swivel angles count.
    pub fn neutral(&self) -> Quat {
        self.neutral
    }

    /// Where elbow or knee sticks out when the limb bends a little from rest, in
    /// the base's frame.
    pub fn elbow_direction(&self) -> Vec3 {
        self.plane.cross(self.upper_unit)
    }

    /// How near is near enough.
    pub fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// Solves for the goal by limits alone and writes the nearest allowed pose,
    /// whatever the outcome. `model` must hold where the base's parent stands;
    /// below the base it may be stale, and is so afterwards.
    ///
    /// Only the rotations of the limb's own joints are written: base, middle and end, and
    /// the twist joints between and beside them. Shifts of bones stay as they are and are
    /// reckoned with. With [`Swivel::Last`] a pose that meets the goal stays to the last bit.
    pub fn solve(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        swivel: Swivel,
        pose: &mut Pose,
    ) -> LimbReport {
        self.solve_from(skeleton, model, target, swivel, false, pose)
    }

    /// The same, and with every kind of swivel as one that goes on from the pose given if `goes_on`: what cannot be
    /// had is sought near that pose.
    #[inline]
    pub(crate) fn solve_from(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        swivel: Swivel,
        goes_on: bool,
        pose: &mut Pose,
    ) -> LimbReport {
        if self.is_shifted(pose) {
            return self.solve_shifted(skeleton, model, target, swivel, goes_on, pose);
        }
        self.solve_at_rest_lengths(skeleton, model, target, swivel, goes_on, pose)
    }

    /// The same with the bones as long as at rest.
    #[inline]
    fn solve_at_rest_lengths(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        swivel: Swivel,
        goes_on: bool,
        pose: &mut Pose,
    ) -> LimbReport {
        let mut circle = match self.prepare(skeleton, model, target, pose) {
            Ok(circle) => circle,
            Err(cause) => return refused(cause),
        };
        let wanted = circle.wanted_swivel(swivel, goes_on, pose);
        if swivel == Swivel::Last && self.is_there(&circle, pose) {
            return self.stays(&circle, wanted.angle, pose);
        }
        let (posture, cause) = circle.by_limits(wanted, pose);
        self.write(&posture, pose);
        self.report(&circle, &posture, cause, pose, 0)
    }

    /// The swivel angles at which the goal's position, and its orientation if it
    /// has one, can be had within every limit, as arcs: where each starts and how far
    /// it goes on, in radians. None where the distance forbids it.
    /// With an orientation the forearm's twist is the one that [`solve`](Self::solve)
    /// prefers; for some of the angles left out another division of the twist
    /// between forearm and end joint may hold.
    pub fn valid_swivels(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        pose: &Pose,
    ) -> impl Iterator<Item = (Real, Real)> + use<> {
        let arcs = match self.prepare(skeleton, model, target, pose) {
            Ok(circle) if circle.cause.is_none() => circle.allowed_arcs(),
            _ => Arcs::NONE,
        };
        arcs.into_pairs()
    }

    /// Where base, middle and end would be at this swivel angle, limits or no, and
    /// how far each joint would be outside of its limit: base, middle and end,
    /// in radians. This is the plain closed form (eq. 1-6); scans are made of it.
    pub fn at_swivel(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        target: &Target,
        swivel: Real,
        pose: &Pose,
    ) -> Option<([Transform; 3], [Real; 3])> {
        let circle = self.prepare(skeleton, model, target, pose).ok()?;
        let posture = circle.ruled_posture(swivel);
        let bend = circle.cos_bend.clamp(-1.0, 1.0).acos();
        let outside = (self.bend.range.0 - bend).max(bend - self.bend.range.1).max(0.0);
        let end = match (&circle.end, self.end_kind) {
            (None, _) => 0.0,
            (Some(_), JointKind::Ball | JointKind::Free) => self.end_limit.violation(posture.end),
            (Some(_), _) => (-self.end_margin(posture.end)).max(0.0),
        };
        Some((self.place(&circle.frame, &posture), [self.base_violation(posture.base), outside, end]))
    }

    /// Measures the written pose; what it says is what counts.
    #[inline]
    fn report(
        &self,
        circle: &SwivelCircle<'_>,
        posture: &Posture,
        cause: Option<Cause>,
        pose: &Pose,
        tests: u32,
    ) -> LimbReport {
        // In the base's rest frame, which is as good as any and saves two products.
        let end = self.end_from_base(pose);
        let residual = circle.residual(end);
        let (status, cause) = match cause {
            Some(Cause::Collision { .. }) => (Status::NotReached, cause),
            _ if residual.within(self.tolerance) => (Status::Reached, None),
            None => (Status::NotReached, Some(self.blocking(posture, pose))),
            _ => (Status::NotReached, cause),
        };
        LimbReport { outcome: Outcome { status, cause, residual }, swivel: posture.swivel, tests }
    }
}

/// The angle from one rotation to another that is mostly as good as the same.
#[inline]
fn apart(a: Quat, b: Quat) -> Real {
    let chord = a - rotation::same_side(b, a);
    let squared = chord.length_squared();
    // Here the arc and its chord differ by a ten-millionth.
    if squared < 1.0e-6 { 2.0 * squared.sqrt() } else { rotation::angle(a.conjugate() * b) }
}

/// A report of a goal that was not looked at.
fn refused(cause: Cause) -> LimbReport {
    LimbReport { outcome: Outcome::refused(cause), swivel: 0.0, tests: 0 }
}
