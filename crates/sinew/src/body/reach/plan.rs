//! The whole motion of a reach, decided before it starts.
//!
//! ```text
//! targets ──► end postures: what the solver chooses, what a descent of the whole body among the
//!                │          obstacles makes of it, leans to other sides, more or less of them, knees
//!                │          turned (posture), the head out of a raised arm's way (aside)
//!                ▼
//!     for each: the hand straight to its target, the elbow as it likes        (straight)
//!               the same with the elbow's swivel chosen for the whole way     (straight)
//!               the line bent a little, if the arm brushes along its own body (straight)
//!     then:     the hand straight, the whole body as each step needs it       (carried)
//!               joints turned straight from start to end                      (straight)
//!               round what is in the way                                      (detour)
//!               the same with the whole body as each step needs it            (carried)
//!                │
//!                ▼
//!     knots: poses at equal steps of time, each free of contact and none a jump from the last
//! ```
//!
//! The solver's frames know only the frame before. A motion that is made of them may walk into a
//! place without a way on, and what it comes to depends on how long one waits. Here posture and way are
//! decided together and before the first frame: the plan is over the path's parameter, time only
//! samples it, so more time never changes the outcome. If there is no way, the body stands still
//! and the report names what is in it.
//!
//! # The way
//! The hand goes straight with the speed of least jerk ([`minimum_jerk`]), its orientation along the
//! shortest turn; the trunk is blended from its posture at the start to that at the end by the same law;
//! legs hold the feet and the arm follows the hand, both in closed form. What is left to choose is the
//! elbow's swivel angle over the way. If it cannot simply turn from the first to the last angle, it is
//! chosen by dynamic programming over swivel angles and time, such that the joints turn as little as
//! possible, no limit is broken and nothing touches. Where that fails the body leaves the blend: every knot
//! is a descent of the whole body from the knot before, with the hand on its line. Only if that fails too
//! does the hand leave its line:
//! a search over offsets from the line, swivel angles and the body's share (RRT-connect, Kuffner &
//! LaValle 2000, from a seed), cut short and rounded; and where the blend of postures leaves no such way,
//! descents of the whole body along lines that are bent to all sides.
//!
//! # Contact
//! Every part of the body is tested against the scene, and reaching arms against the rest of the body
//! too, at every knot and between knots as often as it takes for no part to move more than
//! a few millimetres from test to test. While planning a few millimetres are kept from obstacles, which
//! covers what happens between two tests.
//!
//! # Degenerate cases
//! No target, a target that is not finite or a foreign skeleton: the body stands, and the report says
//! what the solver says. Hands that are where they should be have a way of length zero.

mod aside;
mod carried;
mod detour;
mod planner;
mod posture;
mod straight;

use alloc::vec::Vec;

use self::planner::{Place, Planner};
use super::solver::{ReachReport, ReachSolver};
use super::surroundings::Surroundings;
use crate::analytic::{Limb, Swivel};
use crate::goal::Target;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::Skeleton;
use crate::skeleton::humanoid::Side;

/// How fast a joint likes to turn, in radians a second.
const COMFORTABLE: Real = 300.0 * PI / 180.0;

/// How a [`ReachPlan`] is made.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReachPlanOptions {
    /// How far to stay away from obstacles, in metres, where the start is not nearer already. Above
    /// zero, so that what is free at two neighbouring tests is free between them.
    pub clearance: Real,
    /// How deep an arm may press into the body it belongs to, in metres: flesh gives, and a hand
    /// that leaves a thigh brushes along it.
    pub give: Real,
    /// How many samples a search for a way round something takes, for each end posture.
    pub samples: u32,
    /// For how many end postures such a way is searched.
    pub postures: u32,
    /// Where the search's random numbers start.
    pub seed: u64,
}

crate::report::show_fields!(ReachPlanOptions);

impl Default for ReachPlanOptions {
    /// A search of this size takes a tenth of a second for each posture among a few boxes.
    fn default() -> Self {
        Self { clearance: 3.0e-3, give: 8.0e-3, samples: 2000, postures: 6, seed: 1 }
    }
}

/// The motion of a reach from the initial posture to the targets.
///
/// ```
/// use sinew::body::reach::{ReachOptions, ReachPlan, ReachPlanOptions, ReachSolver, Style};
/// use sinew::skeleton::humanoid::{HumanoidMap, Side};
/// use sinew::{ModelPose, Pose, Target, Vec3, rigs};
/// let human = rigs::humanoid(rigs::SwingModel::Ellipse);
/// let map = HumanoidMap::find(&human);
/// let mut pose = Pose::rest(&human);
/// let mut solver = ReachSolver::new(&human, &map, &pose, ReachOptions::default())?;
/// solver.set_behaviour(Style::Plain.behaviour(&human, &map, Side::Right).unwrap())?;
/// let cup = Vec3::new(-0.2, 0.9, 0.5);
/// let targets = [(Side::Right, Target::Position(cup))];
/// let mut plan = ReachPlan::new(&human, &solver, &targets, None, &ReachPlanOptions::default());
/// assert!(plan.report().reached());
/// for frame in 0..=30 {
///     plan.sample(&human, frame as f32 as _, 30.0, &mut pose);
/// }
/// let wrist = human.find("r_wrist").unwrap();
/// assert!(ModelPose::new(&human, &pose).position(wrist).distance(cup) < 1e-4);
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ReachPlan {
    fingerprint: u64,
    /// Poses at equal steps of time.
    knots: Vec<Pose>,
    /// Where the hands are at the knots, where they go on lines between them.
    places: Vec<Place>,
    arms: [Option<Limb>; 2],
    feet: [Option<(Limb, Transform)>; 2],
    report: ReachReport,
    straight: bool,
    length: Real,
    fastest: Real,
    model: ModelPose,
    between: Pose,
}

impl ReachPlan {
    /// Plans the motion of a solver's body from its initial posture to the targets, which are as for
    /// [`ReachSolver::solve`], among the surroundings if there are any. Allocates.
    pub fn new(
        skeleton: &Skeleton,
        solver: &ReachSolver,
        targets: &[(Side, Target)],
        mut surroundings: Option<&mut Surroundings>,
        options: &ReachPlanOptions,
    ) -> Self {
        let finite = |x: Real| if x > 0.0 && x.is_finite() { x } else { 0.0 };
        let margins = (finite(options.clearance), finite(options.give));
        let restore = surroundings.as_mut().map(|around| around.keep_away(margins, solver.initial_model()));
        let mut planner = Planner::new(skeleton, solver, targets, surroundings, options);
        let way = planner.plan();
        planner.finish(way, restore)
    }

    /// What comes of the motion: whether its end reaches the targets, or why the body stands still.
    pub fn report(&self) -> &ReachReport {
        &self.report
    }

    /// Whether the hands go straight to their targets, or along lines that are bent by less than a
    /// twentieth of their length.
    pub fn is_straight(&self) -> bool {
        self.straight
    }

    /// How far the hand goes that goes furthest, in metres.
    pub fn length(&self) -> Real {
        self.length
    }

    /// The turn of the fastest joint at its fastest, in radians for the whole duration: over `t`
    /// seconds no joint is faster than this over `t`.
    pub fn fastest_turn(&self) -> Real {
        self.fastest
    }

    /// A duration that looks natural, in seconds: one second, and as much more as it takes
    /// for no joint to turn by more than 300° a second.
    pub fn duration(&self) -> Real {
        (self.fastest / COMFORTABLE).max(1.0)
    }

    /// Sets the pose to that at a time of the motion, both in the same unit; before the start it is the
    /// first and after the duration the last. Does not allocate.
    pub fn sample(&mut self, skeleton: &Skeleton, time: Real, duration: Real, pose: &mut Pose) {
        if skeleton.fingerprint() != self.fingerprint || pose.len() != skeleton.len() {
            return;
        }
        let last = self.knots.len() - 1;
        let share = if duration > 0.0 { time / duration } else { 1.0 };
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        let at = share * last as Real;
        let first = (at as usize).min(last.saturating_sub(1));
        let part = at - first as Real;
        if part <= 0.0 || last == 0 || part >= 1.0 {
            pose.copy_from(&self.knots[if part >= 1.0 { last.min(first + 1) } else { first }]);
            return;
        }
        self.between.blend(&self.knots[first], &self.knots[first + 1], part);
        // Between knots a blend is off by a tenth of a millimetre; hands and feet are put right.
        if !self.places.is_empty() {
            self.model.update(skeleton, &self.between);
            for (leg, foot) in self.feet.iter().flatten() {
                hold(skeleton, leg, &self.model, &Target::Pose(*foot), &mut self.between);
            }
            let place = self.places[first].towards(&self.places[first + 1], part);
            for (arm, goal) in self.arms.iter().zip(place.hands) {
                let Some(arm) = arm else { continue };
                hold(skeleton, arm, &self.model, &goal.target(), &mut self.between);
            }
        }
        pose.copy_from(&self.between);
    }
}

/// Puts a limb's end in its place, if that is possible, from where it nearly is.
fn hold(skeleton: &Skeleton, limb: &Limb, model: &ModelPose, target: &Target, pose: &mut Pose) {
    let joints = limb.joints();
    let own = [joints.upper, joints.lower, joints.end];
    let before = own.map(|joint| pose.rotation(joint));
    if !limb.solve(skeleton, model, target, Swivel::Last, pose).reached() {
        for (joint, q) in own.into_iter().zip(before) {
            pose.set_rotation(joint, q);
        }
    }
}
