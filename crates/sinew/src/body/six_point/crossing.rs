//! An elbow or a knee that would jump goes over instead.
//!
//! The swivel angles that a limit allows are arcs of a circle, and as the wrist
//! moves an arc can close while another, elsewhere on the circle, is open. No
//! smooth motion within the limit leads from one to the other with the wrist in
//! its place: the elbow has to jump, the wrist to wait, or the limit to give way
//! for a moment. Here it is the limit that gives way, since a hand that lags and
//! an arm that pops are what people see. This happens at the poles of Euler
//! limits, where the allowed twist turns round within a few degrees of swing.
//!
//! # The rule
//! Let A be the pose of the frame before carried along with the wrist, without
//! any swivel of its own ([`Swivel::Last`]), and B the one that the limits allow.
//! * Where B is within `turn` of A in swivel angle, it is taken.
//! * Else, if an angle within `turn` of A is outside of the limit by no more than
//!   `slack`, the least such is taken: arcs that close often open again soon.
//! * Else the limb goes towards B by `turn`, with the wrist in its place, and goes
//!   on in the same sense in the next frames.
//!
//! Where the limits keep the wrist from its goal, B is not on the circle. There
//! no joint of the limb turns by more than `turn` beyond what the goal's direction
//! turns.
//!
//! # The bound
//! From one frame to the next the limb is carried along with its goal, as the
//! geometry asks, and swivels by no more than `turn` besides. It stands outside of
//! its limit only while [`SixPointReport::crossing`](super::SixPointReport) says so.

use super::Branch;
use crate::analytic::{LimbGoal, LimbOutcome, LimbReport, Swivel};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::Skeleton;

/// A wrist that is missed by this much more than need be is not in its place.
const MISSED: Real = 5.0e-4;
/// Beyond this way of swivel the sense in which the limb goes over is kept, so
/// that it does not waver between two ways of half a turn.
const KEEPS_SENSE: Real = 2.0;
/// A wrist that was away from its place by more than this, because of a limit, comes
/// back at a bounded speed.
const CATCHES_UP: Real = 0.03;
/// How many times `turn` the end of an arc may push the limb.
const EDGE_TURNS: Real = 2.5;
/// Below this way of swivel a pose that misses the wrist is gone to directly.
const NEAR_MISS: Real = 0.6;

impl Branch {
    /// Keeps the pose of the frame before.
    #[inline]
    pub(super) fn remember(&mut self, pose: &Pose) {
        let from = self.limb.joints().upper.index();
        let count = self.before.len();
        self.before.copy_from_slice(&pose.rotations()[from..from + count]);
    }

    /// Whether the base has turned by more than this since.
    #[inline]
    pub(super) fn jumps(&self, pose: &Pose, turn: Real) -> bool {
        let now = pose.rotation(self.limb.joints().upper);
        let same = self.before[0].dot(now).abs();
        // The cosine of half the angle, to the fourth order.
        let half = 0.25 * turn * turn;
        same < 1.0 - 0.5 * half + half * half / 24.0
    }

    fn put(&self, skeleton: &Skeleton, rotations: &[Quat], pose: &mut Pose) {
        let from = self.limb.joints().upper.index();
        for (i, &q) in rotations.iter().enumerate() {
            if let Some(joint) = skeleton.id(from + i) {
                pose.set_rotation(joint, q);
            }
        }
    }

    /// Takes back what is too much of the step to the pose found. Returns what came
    /// of it and how far the base is outside of its limit.
    #[inline(never)]
    #[allow(clippy::too_many_arguments)] // one place calls it
    pub(super) fn go_over(
        &mut self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        turn: Real,
        slack: Real,
        found: LimbReport,
        pose: &mut Pose,
    ) -> (LimbReport, Real) {
        if matches!(found.outcome, LimbOutcome::NotFinite | LimbOutcome::Mismatch) {
            return (found, 0.0);
        }
        let upper = self.limb.joints().upper;
        let from = upper.index();
        let count = self.found.len();
        self.found.copy_from_slice(&pose.rotations()[from..from + count]);
        self.put(skeleton, &self.before, pose);
        let carried = self.free.solve(skeleton, model, goal, Swivel::Last, pose);
        let way = wrap_angle(found.swivel - carried.swivel);
        let missed = found.residual.position > carried.residual.position + MISSED;
        let outside = |pose: &Pose| skeleton.joint(upper).limit().violation(pose.rotation(upper));
        if missed && way.abs() <= NEAR_MISS {
            self.crossing = 0.0;
            self.step_towards(skeleton, model, goal, turn, true, pose);
            return (found, outside(pose));
        }
        let within = if self.crossing == 0.0 { EDGE_TURNS * turn } else { turn };
        let late = self.away > CATCHES_UP;
        if !missed && way.abs() <= within * 1.001 {
            self.crossing = 0.0;
            if late {
                self.step_towards(skeleton, model, goal, EDGE_TURNS * turn, true, pose);
                return (found, outside(pose));
            }
            self.put(skeleton, &self.found, pose);
            return (found, 0.0);
        }
        let held = if self.crossing == 0.0 {
            let (angle, least) = self.least_outside(skeleton, model, goal, carried.swivel, turn, pose);
            (least <= slack).then_some(angle)
        } else {
            None
        };
        let angle = held.unwrap_or_else(|| {
            if self.crossing == 0.0 || way.abs() < KEEPS_SENSE {
                self.crossing = if way < 0.0 { -1.0 } else { 1.0 };
            }
            carried.swivel + self.crossing * turn
        });
        let report = self.free.solve(skeleton, model, goal, Swivel::Preferred(angle), pose);
        if missed || late {
            // The wrist is not in its place and need not come there at once.
            self.found.copy_from_slice(&pose.rotations()[from..from + count]);
            let turn = if missed { turn } else { EDGE_TURNS * turn };
            self.step_towards(skeleton, model, goal, turn, false, pose);
        }
        (report, outside(pose))
    }

    /// The swivel angle within `turn` of `about` at which the base is the least
    /// outside of its limit, and by how much.
    fn least_outside(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        about: Real,
        turn: Real,
        pose: &Pose,
    ) -> (Real, Real) {
        const LOOKS: i32 = 4;
        let mut best = (about, Real::INFINITY);
        for i in -LOOKS..=LOOKS {
            let angle = about + turn * i as Real / LOOKS as Real;
            if let Some((_, [base, ..])) = self.limb.at_swivel(skeleton, model, goal, angle, pose)
                && base < best.1
            {
                best = (angle, base);
            }
        }
        best
    }

    /// From the pose of the frame before towards the one found, by `turn` and by
    /// what the goal's direction has turned since; `within` the limits where that
    /// is no further.
    fn step_towards(
        &self,
        skeleton: &Skeleton,
        model: &ModelPose,
        goal: &LimbGoal,
        turn: Real,
        within: bool,
        pose: &mut Pose,
    ) {
        let line = self.line_to(skeleton, model, goal.position);
        let most = turn + rotation::angle_between(self.line, line);
        let from = self.limb.joints().upper.index();
        for (i, (&a, &b)) in self.before.iter().zip(&self.found).enumerate() {
            let way = rotation::log(a.conjugate() * b);
            let length = way.length();
            let Some(joint) = skeleton.id(from + i) else { continue };
            let mut q = b;
            if length > most {
                q = (a * rotation::exp(way * (most / length))).normalize();
                let inside = skeleton.joint(joint).project(q);
                // At the pole of an Euler limit the nearest allowed rotation may be far,
                // or may lead back to where it came from.
                let angle = |from: Quat, to: Quat| rotation::angle(from.conjugate() * to);
                let useful = angle(a, inside) <= 2.0 * most && angle(inside, b) <= length - 0.5 * most;
                if i > 0 || within && useful {
                    q = inside;
                }
            }
            pose.set_rotation(joint, q);
        }
    }

    /// The direction from the base to a point, in the base's rest frame.
    pub(super) fn line_to(&self, skeleton: &Skeleton, model: &ModelPose, point: Vec3) -> Vec3 {
        let upper = self.limb.joints().upper;
        let parent = skeleton.parent(upper).map_or(Transform::IDENTITY, |p| model.transform(p));
        let frame = parent.then(skeleton.joint(upper).rest());
        direction_or(frame.rotation.conjugate() * (point - frame.translation), self.line)
    }
}
