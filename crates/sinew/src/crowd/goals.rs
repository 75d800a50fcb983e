//! Many problems of one kind: the same skeleton and goals, other targets and starts.

use alloc::vec::Vec;

use super::Crowd;
use crate::error::RigError;
use crate::goal::{GoalId, GoalSet, Target};
use crate::pose::Pose;
use crate::report::SolveReport;
use crate::skeleton::Skeleton;
use crate::solver::{Solver, SolverSpec};

/// One problem of a [`GoalCrowd`], and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// A target for each goal, of the same kind as in the set that the crowd was built for.
    pub targets: Vec<Target>,
    /// Where to start, and after the solve where it ended.
    pub pose: Pose,
    /// What came of it.
    pub report: SolveReport,
}

impl Problem {
    /// A problem with the set's own targets, from this pose.
    pub fn new(goals: &GoalSet, pose: Pose) -> Self {
        let targets = goals.as_slice().iter().map(|goal| goal.target).collect();
        Self { targets, pose, report: SolveReport::for_goals(goals.len()) }
    }
}

/// A solver with its goals, for a thread.
#[derive(Debug, Clone)]
struct Worker {
    solver: Solver,
    goals: GoalSet,
}

/// Solves many problems of one kind, each as if it were the first: a solver that follows remembers nothing from one
/// to the next. Results are in the order of the problems and the same to the bit whatever the number of threads.
///
/// ```
/// use sinew::crowd::{GoalCrowd, Problem};
/// use sinew::{Goal, GoalSet, Pose, SolverSpec, Target, Vec3, rigs};
/// let arm = rigs::arm();
/// let goals = GoalSet::from_iter([Goal::position(arm.find("flange").unwrap(), Vec3::new(0.4, 0.3, 0.2))]);
/// let mut crowd = GoalCrowd::new(&arm, &goals, SolverSpec::default(), 2)?;
/// let mut problems = vec![Problem::new(&goals, Pose::rest(&arm)); 100];
/// for (i, problem) in problems.iter_mut().enumerate() {
///     problem.targets[0] = Target::Position(Vec3::new(0.4, 0.3, 0.002 * i as sinew::Real));
/// }
/// crowd.solve(&arm, &mut problems);
/// assert!(problems.iter().all(|problem| problem.report.reached()));
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct GoalCrowd {
    crowd: Crowd<Worker>,
}

impl GoalCrowd {
    /// Builds a solver for each thread, or says which goal it cannot honour.
    pub fn new(
        skeleton: &Skeleton,
        goals: &GoalSet,
        spec: SolverSpec,
        threads: usize,
    ) -> Result<Self, RigError> {
        let solver = spec.build(skeleton, goals)?;
        Ok(Self { crowd: Crowd::new(Worker { solver, goals: goals.clone() }, threads) })
    }

    /// How many threads it works on.
    pub fn threads(&self) -> usize {
        self.crowd.threads()
    }

    /// Solves every problem. One with another number of targets or another pose's skeleton is
    /// reported as [`Cause::Mismatch`](crate::Cause::Mismatch), and its pose stays as it is.
    pub fn solve(&mut self, skeleton: &Skeleton, problems: &mut [Problem]) {
        self.crowd.run(problems, |Worker { solver, goals }, _, problem| {
            let Problem { targets, pose, report } = problem;
            if targets.len() != goals.len() {
                report.mismatch();
                return;
            }
            for (i, target) in targets.iter().enumerate() {
                goals.set_target(GoalId(i as u32), *target);
            }
            solver.forget();
            report.copy_from(solver.solve(skeleton, goals, pose));
        });
    }
}
