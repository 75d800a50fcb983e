//! Solvers that take any skeleton and any goals.
//!
//! A solver is built for one skeleton and one set of goals, where it may refuse
//! and allocates all it needs. Then it is called every frame, where it cannot
//! fail, allocate or panic. Methods whose inputs are really different (limbs,
//! the body from six points, the walker, ERIK's postures) have signatures of
//! their own elsewhere and share the pose, the limits and the report.

use crate::goal::GoalSet;
use crate::pose::Pose;
use crate::report::SolveReport;
use crate::skeleton::Skeleton;

/// A solver for goals on any skeleton.
pub trait GoalSolver {
    /// Changes `pose` to meet the goals as well as it can, starting from what
    /// it is, and says what came of it. The result is finite and within the
    /// limits whatever is given. The skeleton and the goals must be those the
    /// solver was built for, up to the goals' targets; anything else is
    /// reported as [`Cause::Mismatch`](crate::Cause::Mismatch) and leaves the
    /// pose alone.
    fn solve(&mut self, skeleton: &Skeleton, goals: &GoalSet, pose: &mut Pose) -> &SolveReport;
}
