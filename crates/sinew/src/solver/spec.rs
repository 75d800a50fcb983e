//! The closed list of general solvers, by name.

use alloc::boxed::Box;

use super::GoalSolver;
use super::ccd::{Ccd, CcdOptions, CcdOrder};
use super::ewbik::{Ewbik, EwbikOptions};
use super::fabrik::{Fabrik, FabrikOptions};
use super::jacobian::half::{HalfJacobian, HalfOptions};
use super::jacobian::{JacobianMethod, JacobianOptions, JacobianSolver};
use super::priority::{Priority, PriorityOptions};
use super::robust::{Robust, RobustOptions};
use crate::goal::{GoalError, GoalSet};
use crate::report::Tolerance;
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
    Half(HalfOptions),
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
            Self::Ccd(CcdOptions { order: CcdOrder::RootToTip, ..CcdOptions::default() }),
            Self::Fabrik(FabrikOptions::default()),
            Self::Half(HalfOptions::default()),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::Transpose)),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::PseudoInverse)),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::Damped { damping: 0.1 })),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::DampedSvd { bound: 1.5 })),
            Self::Jacobian(JacobianOptions::new(JacobianMethod::Selective { clamp: 0.7 })),
            Self::Priority(PriorityOptions::default()),
        ]
        .into_iter()
    }

    /// The solver's short name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Robust(_) => "robust",
            Self::Ewbik(_) => "ewbik",
            Self::Ccd(CcdOptions { order: CcdOrder::TipToRoot, .. }) => "ccd",
            Self::Ccd(CcdOptions { order: CcdOrder::RootToTip, .. }) => "bcd",
            Self::Fabrik(_) => "fabrik",
            Self::Half(_) => "jacobian",
            Self::Jacobian(options) => match options.method {
                JacobianMethod::Transpose => "transpose",
                JacobianMethod::PseudoInverse => "pseudo-inverse",
                JacobianMethod::Damped { .. } => "dls",
                JacobianMethod::DampedSvd { .. } => "dls-svd",
                JacobianMethod::Selective { .. } => "sdls",
            },
            Self::Priority(_) => "pik",
        }
    }

    /// The solver with this name and default options.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|spec| spec.name() == name)
    }

    /// The same solver with another tolerance.
    pub fn with_tolerance(mut self, tolerance: Tolerance) -> Self {
        match &mut self {
            Self::Robust(options) => options.tolerance = tolerance,
            Self::Ewbik(options) => options.tolerance = tolerance,
            Self::Ccd(options) => options.tolerance = tolerance,
            Self::Fabrik(options) => options.tolerance = tolerance,
            Self::Half(options) => options.tolerance = tolerance,
            Self::Jacobian(options) => options.tolerance = tolerance,
            Self::Priority(options) => options.tolerance = tolerance,
        }
        self
    }

    /// Builds the solver for a skeleton and goals, or says which goal it cannot honour.
    pub fn build(
        &self,
        skeleton: &Skeleton,
        goals: &GoalSet,
    ) -> Result<Box<dyn GoalSolver + Send + Sync>, GoalError> {
        Ok(match *self {
            Self::Robust(options) => Box::new(Robust::new(skeleton, goals, options)?),
            Self::Ewbik(options) => Box::new(Ewbik::new(skeleton, goals, options)?),
            Self::Ccd(options) => Box::new(Ccd::new(skeleton, goals, options)?),
            Self::Fabrik(options) => Box::new(Fabrik::new(skeleton, goals, options)?),
            Self::Half(options) => Box::new(HalfJacobian::new(skeleton, goals, options)?),
            Self::Jacobian(options) => Box::new(JacobianSolver::new(skeleton, goals, options)?),
            Self::Priority(options) => Box::new(Priority::new(skeleton, goals, options)?),
        })
    }
}
