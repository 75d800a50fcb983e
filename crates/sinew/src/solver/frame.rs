//! What every solver does before its iterations and after them.
//!
//! Before: see that the goals and the pose are those the solver was built for,
//! bring the pose within its limits, put aside goals whose targets are not
//! finite, and draw targets that lie out of reach in to where they can just be
//! met. After: measure the returned pose by forward kinematics and say what
//! stood in the way. Solvers differ only in between.

use alloc::vec::Vec;

use super::diagnose::{self, Shell};
use crate::goal::{Effector, Goal, GoalError, GoalId, GoalSet, Target};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, GoalResidual, SolveReport, Status, Tolerance};
use crate::skeleton::{JointId, Skeleton};

/// Why a solver stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Every goal is met.
    Converged,
    /// Nothing moved any more.
    Stalled,
    /// The iterations were used up.
    Iterations,
    /// The caller's clock ran out.
    Expired,
}

/// Goals that begin within this are followed rather than searched for: about
/// what a hand moves between two frames, with room to spare. A solver that
/// looks for poses elsewhere does so only for goals that begin further away.
pub const FOLLOWED: Tolerance = Tolerance { position: 0.1, orientation: 0.3 };

/// The state that a solver keeps between frames, whatever its method.
#[derive(Debug, Clone)]
pub struct SolveFrame {
    /// The pose in model space; up to date after [`begin`](Self::begin).
    pub model: ModelPose,
    /// The last report.
    pub report: SolveReport,
    /// How near is near enough.
    pub tolerance: Tolerance,
    /// The goals as the iterations should see them.
    working: Vec<Goal>,
    /// For each goal whether its target can be used this frame.
    usable: Vec<bool>,
    /// What the solver was built for.
    built_for: Vec<(Effector, Target)>,
    mended: Option<JointId>,
    fingerprint: u64,
    drawn_in: bool,
}

impl SolveFrame {
    /// Checks the goals and sizes everything.
    pub fn new(skeleton: &Skeleton, goals: &GoalSet, tolerance: Tolerance) -> Result<Self, GoalError> {
        goals.check(skeleton)?;
        Ok(Self {
            model: ModelPose::rest(skeleton),
            report: SolveReport::for_goals(goals.len()),
            tolerance,
            working: goals.as_slice().to_vec(),
            usable: alloc::vec![true; goals.len()],
            built_for: goals.as_slice().iter().map(|g| (g.effector, g.target)).collect(),
            mended: None,
            fingerprint: skeleton.fingerprint(),
            drawn_in: false,
        })
    }

    /// Prepares a solve: afterwards the pose is finite and within limits and
    /// the model pose is its forward kinematics. `false` means that the pose or
    /// the goals belong to another problem; the report says so already.
    pub fn begin(&mut self, skeleton: &Skeleton, goals: &GoalSet, pose: &mut Pose) -> bool {
        self.report.iterations = 0;
        self.report.cause = None;
        let same = goals.len() == self.built_for.len()
            && skeleton.fingerprint() == self.fingerprint
            && pose.len() == skeleton.len()
            && goals
                .as_slice()
                .iter()
                .zip(&self.built_for)
                .all(|(g, (effector, target))| g.effector == *effector && g.target.same_kind(target));
        if !same {
            self.report.status = Status::NotReached;
            self.report.cause = Some(Cause::Mismatch);
            self.report
                .residuals
                .fill(GoalResidual { position: Real::INFINITY, orientation: Real::INFINITY });
            return false;
        }
        self.mended = pose.first_unsound();
        for (usable, goal) in self.usable.iter_mut().zip(goals.as_slice()) {
            *usable = goal.target.is_valid();
        }
        pose.project(skeleton);
        self.model.update(skeleton, pose);
        self.drawn_in = false;
        for (working, goal) in self.working.iter_mut().zip(goals.as_slice()) {
            *working = *goal;
            self.drawn_in |= draw_in(working, skeleton, &self.model, self.tolerance);
        }
        true
    }

    /// A goal as the iterations should see it: with its target drawn in where
    /// it lies out of reach.
    #[inline]
    pub fn goal(&self, index: usize) -> &Goal {
        &self.working[index]
    }

    /// All goals as the iterations should see them.
    #[inline]
    pub fn goals(&self) -> &[Goal] {
        &self.working
    }

    /// The sum of the squared errors of all usable goals, whose effectors stand
    /// where `effector` says.
    pub fn cost(&self, effector: impl Fn(usize) -> Transform) -> Real {
        let usable = self.working.iter().enumerate().filter(|(i, _)| self.usable[*i]);
        usable.map(|(i, goal)| super::turn::cost(goal, effector(i))).sum()
    }

    /// Whether a goal's target can be used this frame.
    #[inline]
    pub fn usable(&self, goal: usize) -> bool {
        self.usable[goal]
    }

    /// The effector of a goal.
    #[inline]
    pub fn effector(&self, goal: usize) -> Effector {
        self.built_for[goal].0
    }

    /// Whether every usable goal is met by effectors that stand where `effector` says.
    pub fn all_met(&self, effector: impl Fn(usize) -> Transform) -> bool {
        self.all_within(self.tolerance, effector)
    }

    /// Whether every usable goal is as near as this.
    pub fn all_within(&self, tolerance: Tolerance, effector: impl Fn(usize) -> Transform) -> bool {
        (0..self.working.len()).all(|i| self.within(tolerance, i, effector(i)))
    }

    /// Whether a goal is met by an effector that stands here; one that cannot
    /// be used wants nothing.
    pub fn met(&self, goal: usize, effector: Transform) -> bool {
        self.within(self.tolerance, goal, effector)
    }

    fn within(&self, tolerance: Tolerance, goal: usize, effector: Transform) -> bool {
        if !self.usable[goal] {
            return true;
        }
        let r = GoalResidual::measure_at(&self.working[goal], effector);
        r.position <= tolerance.position && r.orientation <= tolerance.orientation
    }

    /// Whether some target lies out of reach and was drawn in.
    pub fn any_drawn_in(&self) -> bool {
        self.drawn_in
    }

    /// Measures the returned pose and fills in the report.
    pub fn finish(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        iterations: u32,
        stop: Stop,
    ) -> &SolveReport {
        if !pose.is_finite() {
            // No solver does this; if one ever did, the promise still holds.
            pose.project(skeleton);
        }
        self.model.update(skeleton, pose);
        self.report.iterations = iterations;
        let worst = self.report.measure(goals, &self.model, self.tolerance);
        for (residual, &usable) in self.report.residuals.iter_mut().zip(&self.usable) {
            if !usable {
                *residual = GoalResidual { position: Real::INFINITY, orientation: Real::INFINITY };
            }
        }
        let unusable = self.usable.iter().position(|u| !u).map(|i| GoalId(i as u32));
        self.report.cause = if let Some(goal) = unusable {
            self.report.status = Status::NotReached;
            Some(Cause::NotFinite { goal })
        } else if let Some(worst) = worst {
            self.report.status = Status::NotReached;
            Some(diagnose::cause(skeleton, goals, pose, &self.model, worst, self.tolerance, stop, 0.0))
        } else {
            self.report.status = Status::Reached;
            self.mended.map(|joint| Cause::Mended { joint })
        };
        &self.report
    }
}

/// Moves a target that lies beyond the stretched chain, or nearer than the
/// folded one, to just inside of what can be reached.
///
/// A chain that is drawn out straight has no direction to bend: when the target
/// comes back, it stays straight until rounding bends it somewhere, and pops.
/// Half of the tolerance short of straight it always keeps a bend, and what it
/// keeps is too little to count as an error.
fn draw_in(goal: &mut Goal, skeleton: &Skeleton, model: &ModelPose, tolerance: Tolerance) -> bool {
    let wanted = match goal.target.position() {
        Some(p) if p.is_finite() && goal.position_axes.min_element() > 0.0 => p,
        _ => return false,
    };
    let Some(shell) = Shell::of(skeleton, model, goal) else { return false };
    let slack = (0.5 * tolerance.position).min(0.1 * (shell.outer - shell.inner));
    let away = wanted - shell.centre;
    let distance = away.length();
    let reachable = distance.max(shell.inner + slack).min(shell.outer - slack);
    let moves = reachable != distance && distance > TINY;
    if moves {
        let drawn = shell.centre + away * (reachable / distance);
        goal.target = match goal.target {
            Target::Pose(pose) => Target::Pose(Transform::new(drawn, pose.rotation)),
            _ => Target::Position(drawn),
        };
    }
    moves
}
