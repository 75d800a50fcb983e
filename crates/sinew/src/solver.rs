//! Solvers that take any skeleton and any goals.
//!
//! A solver is built for one skeleton and one set of goals, where it may refuse
//! and allocates all it needs. Then it is called every frame, where it cannot
//! fail, allocate or panic. Methods whose inputs are really different (limbs,
//! the body from six points, the walker, ERIK's postures) have signatures of
//! their own elsewhere and share the pose, the limits and the report.
//!
//! | file | what it is |
//! |---|---|
//! | [`spec`] | the closed list of solvers, by name |
//! | `driver` | one solve from the checks to the report, and the loop of every method |
//! | `frame` | what is done before and after the iterations |
//! | `diagnose` | what stood in the way, found from the returned pose |
//! | `articulation`, `goal_rows`, `place`, `active_set` | the flat problem, its Jacobian, limits as an active set |
//! | `guards` | balance and clearance as inequalities |
//! | `step`, `coupling`, `descent` | one damped least-squares step within the limits, and such steps until they rest |
//! | `nearby` | that descent by itself, for bodies that know a good start |
//! | `turn` | the best motion of one joint for some goals, in closed form |
//! | [`robust`] | the one for production: Levenberg-Marquardt, limits, restarts |
//! | [`jacobian`], [`priority`] | the methods that invert the Jacobian |
//! | [`ccd`], [`fabrik`], [`ewbik`] | the methods that move a joint at a time |
//! | [`erik`] | a posture and the orientation of its end point at once; a signature of its own |

mod active_set;
mod articulation;
pub mod ccd;
mod coupling;
mod descent;
mod diagnose;
mod driver;
pub mod erik;
pub mod ewbik;
pub mod fabrik;
mod frame;
mod goal_rows;
mod guards;
pub mod jacobian;
pub(crate) mod nearby;
mod place;
pub mod priority;
pub mod robust;
pub(crate) mod room;
pub mod spec;
mod step;
mod turn;

use crate::goal::GoalSet;
use crate::pose::Pose;
use crate::report::SolveReport;
use crate::skeleton::Skeleton;

pub use spec::{Solver, SolverSpec};

/// A solver for goals on any skeleton.
///
/// ```
/// use sinew::{Goal, GoalSet, GoalSolver, Pose, SolverSpec, Vec3};
/// let skeleton = sinew::rigs::chain(10, 1.0);
/// let mut goals = GoalSet::new();
/// goals.add(Goal::position(skeleton.find("tip").unwrap(), Vec3::new(0.4, 0.5, 0.1)));
/// let mut solver = SolverSpec::default().build(&skeleton, &goals)?;
/// let mut pose = Pose::rest(&skeleton);
/// assert!(solver.solve(&skeleton, &goals, &mut pose).reached());
/// # Ok::<(), sinew::error::RigError>(())
/// ```
pub trait GoalSolver {
    /// Changes `pose` to meet the goals as well as it can, starting from what
    /// it is, and says what came of it. The result is finite and within the
    /// limits whatever is given. The skeleton and the goals must be those the
    /// solver was built for, up to the goals' targets; anything else is
    /// reported as [`Cause::Mismatch`](crate::Cause::Mismatch) and leaves the
    /// pose alone.
    fn solve(&mut self, skeleton: &Skeleton, goals: &GoalSet, pose: &mut Pose) -> &SolveReport {
        self.solve_until(skeleton, goals, pose, &mut || false)
    }

    /// The same, ending early when `expired` says so; it is asked once an
    /// iteration. The engine reads no clock, so a time budget is the caller's:
    /// `solver.solve_until(&skeleton, &goals, &mut pose, &mut || start.elapsed() > budget)`.
    fn solve_until(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
    ) -> &SolveReport;
}
