//! The closed list of general solvers, by name.

use super::GoalSolver;
use super::ccd::{Ccd, CcdOptions};
use super::ewbik::{Ewbik, EwbikOptions};
use super::fabrik::{Fabrik, FabrikOptions};
use super::jacobian::half::{HalfJacobian, HalfOptions};
use super::jacobian::{JacobianMethod, JacobianOptions, JacobianSolver};
use super::priority::{Priority, PriorityOptions};
use super::robust::{Robust, RobustOptions};
use crate::error::RigError;
use crate::goal::GoalSet;
use crate::pose::Pose;
use crate::report::{SolveReport, Tolerance};
use crate::skeleton::Skeleton;

/// A general solver and its options: what the command, the studio and the
/// experiments choose from.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SolverSpec {
    /// Levenberg-Marquardt with limits and restarts: the default.
    Robust(RobustOptions),
    /// Entirely Wahba's-problem Based IK.
    Ewbik(EwbikOptions),
    /// Cyclic coordinate descent, in either order.
    Ccd(CcdOptions),
    /// Forward and backward reaching.
    Fabrik(FabrikOptions),
    /// The half and the full Jacobian of Meredith & Maddock.
    HalfJacobian(HalfOptions),
    /// Transpose, pseudo-inverse and the damped methods.
    Jacobian(JacobianOptions),
    /// Prioritised, any number of levels.
    Priority(PriorityOptions),
}

impl Default for SolverSpec {
    fn default() -> Self {
        Self::Robust(RobustOptions::default())
    }
}

impl SolverSpec {
    /// Every solver with its default options.
    pub fn all() -> impl Iterator<Item = Self> {
        [
            Self::Robust(RobustOptions::default()),
            Self::Ewbik(EwbikOptions::default()),
            Self::Ccd(CcdOptions::default()),
            Self::Ccd(CcdOptions { root_first: true, ..CcdOptions::default() }),
            Self::Fabrik(FabrikOptions::default()),
            Self::HalfJacobian(HalfOptions::default()),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::Transpose)),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::PseudoInverse)),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::Dls { damping: 0.1 })),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::DlsSvd { bound: 1.5 })),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::Sdls { clamp: 0.7 })),
            Self::Priority(PriorityOptions::default()),
        ]
        .into_iter()
    }

    /// The solver's name: the variant's, and for the Jacobian family the method's.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Robust(_) => "robust",
            Self::Ewbik(_) => "ewbik",
            Self::Ccd(CcdOptions { root_first: false, .. }) => "ccd",
            Self::Ccd(CcdOptions { root_first: true, .. }) => "ccd-root-to-tip",
            Self::Fabrik(_) => "fabrik",
            Self::HalfJacobian(_) => "half-jacobian",
            Self::Jacobian(options) => match options.method {
                JacobianMethod::Transpose => "transpose",
                JacobianMethod::PseudoInverse => "pseudo-inverse",
                JacobianMethod::Dls { .. } => "dls",
                JacobianMethod::DlsSvd { .. } => "dls-svd",
                JacobianMethod::Sdls { .. } => "sdls",
            },
            Self::Priority(_) => "priority",
        }
    }

    /// Whether the solver can be drawn to a posture; the others refuse goals with a
    /// [`PostureGoal`](crate::goal::PostureGoal).
    pub const fn takes_posture(&self) -> bool {
        matches!(self, Self::Robust(_) | Self::HalfJacobian(_) | Self::Jacobian(_) | Self::Priority(_))
    }

    /// The same solver for a target that is followed, frame by frame from the pose before: it looks for
    /// poses nowhere else, and so makes no jump.
    ///
    /// ```
    /// use sinew::SolverSpec;
    /// let SolverSpec::Robust(options) = SolverSpec::default().following() else { unreachable!() };
    /// assert_eq!(options.restarts, 0);
    /// ```
    pub const fn following(mut self) -> Self {
        match &mut self {
            Self::Robust(options) => options.restarts = 0,
            Self::Ewbik(options) => options.escapes = 0,
            _ => {}
        }
        self
    }

    /// The same solver with another tolerance.
    pub fn with_tolerance(mut self, tolerance: Tolerance) -> Self {
        match &mut self {
            Self::Robust(options) => options.tolerance = tolerance,
            Self::Ewbik(options) => options.tolerance = tolerance,
            Self::Ccd(options) => options.tolerance = tolerance,
            Self::Fabrik(options) => options.tolerance = tolerance,
            Self::HalfJacobian(options) => options.tolerance = tolerance,
            Self::Jacobian(options) => options.tolerance = tolerance,
            Self::Priority(options) => options.tolerance = tolerance,
        }
        self
    }

    /// Builds the solver for a skeleton and goals, or says which goal it cannot honour.
    pub fn build(&self, skeleton: &Skeleton, goals: &GoalSet) -> Result<Solver, RigError> {
        Ok(Solver(match *self {
            Self::Robust(options) => Kind::Robust(Robust::new(skeleton, goals, options)?),
            Self::Ewbik(options) => Kind::Ewbik(Ewbik::new(skeleton, goals, options)?),
            Self::Ccd(options) => Kind::Ccd(Ccd::new(skeleton, goals, options)?),
            Self::Fabrik(options) => Kind::Fabrik(Fabrik::new(skeleton, goals, options)?),
            Self::HalfJacobian(options) => Kind::HalfJacobian(HalfJacobian::new(skeleton, goals, options)?),
            Self::Jacobian(options) => Kind::Jacobian(JacobianSolver::new(skeleton, goals, options)?),
            Self::Priority(options) => Kind::Priority(Priority::new(skeleton, goals, options)?),
        }))
    }
}

impl core::fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// From [`SolverSpec::name`], with default options.
///
/// ```
/// let spec: sinew::SolverSpec = "sdls".parse()?;
/// assert_eq!(spec.to_string(), "sdls");
/// # Ok::<(), sinew::error::RigError>(())
/// ```
impl core::str::FromStr for SolverSpec {
    type Err = RigError;

    fn from_str(name: &str) -> Result<Self, RigError> {
        let unknown = || RigError::unknown("solver", name, Self::all().map(|spec| spec.name()));
        Self::all().find(|spec| spec.name() == name).ok_or_else(unknown)
    }
}

/// A general solver, built by [`SolverSpec::build`]. A clone goes on where the original
/// stands and shares nothing with it.
#[derive(Debug, Clone)]
pub struct Solver(Kind);

// One is built for a rig and solved where it stands: a box would be one more allocation and no gain.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone)]
enum Kind {
    Robust(Robust),
    Ewbik(Ewbik),
    Ccd(Ccd),
    Fabrik(Fabrik),
    HalfJacobian(HalfJacobian),
    Jacobian(JacobianSolver),
    Priority(Priority),
}

/// [`GoalSolver`]'s methods, without the trait in scope.
impl Solver {
    /// See [`GoalSolver::solve`].
    pub fn solve(&mut self, skeleton: &Skeleton, goals: &GoalSet, pose: &mut Pose) -> &SolveReport {
        self.solve_until(skeleton, goals, pose, &mut || false)
    }

    /// Forgets the solves before: the next one is the first. Only a solver that
    /// [follows](SolverSpec::following) remembers any.
    pub fn forget(&mut self) {
        if let Kind::Robust(solver) = &mut self.0 {
            solver.forget();
        }
    }

    /// See [`GoalSolver::solve_until`].
    pub fn solve_until(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
    ) -> &SolveReport {
        let solver: &mut dyn GoalSolver = match &mut self.0 {
            Kind::Robust(solver) => solver,
            Kind::Ewbik(solver) => solver,
            Kind::Ccd(solver) => solver,
            Kind::Fabrik(solver) => solver,
            Kind::HalfJacobian(solver) => solver,
            Kind::Jacobian(solver) => solver,
            Kind::Priority(solver) => solver,
        };
        solver.solve_until(skeleton, goals, pose, expired)
    }
}

impl GoalSolver for Solver {
    fn solve_until(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
    ) -> &SolveReport {
        self.solve_until(skeleton, goals, pose, expired)
    }
}
