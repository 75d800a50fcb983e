//! What came of a solve: how near each goal is, and what stood in the way.
//!
//! Unreachable is an outcome and no error. The pose is always the best that
//! was found; the report says whether that is good enough and, if not, why.
//! Residuals are measured by forward kinematics of the returned pose, never
//! taken from a solver's own bookkeeping.
//!
//! Every solver's report has the same core: a [`Status`], a typed [`Cause`] and
//! [`GoalResidual`]s. A solver with one goal (a limb, a gaze) has an [`Outcome`],
//! which is just that; solvers with several have a [`SolveReport`] or hold one
//! outcome for each goal.

mod words;

/// Shows options as their fields and values.
macro_rules! show_fields {
    ($options:ty) => {
        impl core::fmt::Display for $options {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Debug::fmt(self, f)
            }
        }
    };
}
pub(crate) use show_fields;

use alloc::vec::Vec;

use crate::goal::{Goal, GoalId, GoalSet};
use crate::limit::LimitComponent;
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::JointId;

/// Whether the goals are met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum Status {
    /// Every goal is met within the tolerance.
    Reached,
    /// Not every goal is met; the report's cause says why.
    NotReached,
}

impl core::fmt::Display for Status {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Reached => "reached",
            Self::NotReached => "not reached",
        })
    }
}

/// What stood in the way, of a closed set; or, for [`Strained`](Self::Strained) and
/// [`Mended`](Self::Mended), what a solve that met its goals had to do for it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "snake_case"))]
pub enum Cause {
    /// The target is further away than the stretched chain is long.
    OutOfReach {
        /// The goal.
        goal: GoalId,
        /// How much too far, in metres.
        by: Real,
    },
    /// The target is nearer than the chain can fold.
    TooClose {
        /// The goal.
        goal: GoalId,
        /// How much too near, in metres.
        by: Real,
    },
    /// A joint stands at the edge of its limit and would have to go on.
    Limit {
        /// The goal that suffers.
        goal: GoalId,
        /// The joint that blocks.
        joint: JointId,
        /// What of its motion.
        component: LimitComponent,
    },
    /// Two parts would have to pass through each other.
    Collision {
        /// The joint that carries the first part.
        joint: JointId,
        /// The joint that carries the second, or `None` for a thing of the scene.
        other: Option<JointId>,
    },
    /// The centre of mass would have to leave its support.
    Balance {
        /// The goal that suffers; `None` if no goal does and the body is off balance all the same.
        goal: Option<GoalId>,
        /// How far outside of the support's margin it is, in metres; zero while it is kept.
        by: Real,
    },
    /// A joint moves as fast as it may and would have to move faster.
    Speed {
        /// The goal that is on its way.
        goal: GoalId,
        /// The joint that is furthest behind.
        joint: JointId,
    },
    /// Two goals pull the same joints to different places, and a solve from the rest
    /// pose does not meet them either.
    Conflict {
        /// The goal with the larger error.
        goal: GoalId,
        /// The goal it competes with.
        with: GoalId,
    },
    /// The joints between the root and the effector cannot make such a motion
    /// at all (too few degrees of freedom).
    NoFreedom {
        /// The goal.
        goal: GoalId,
    },
    /// The search is stuck at a pose that no small step improves. The goals may well
    /// be reachable from elsewhere: none of the other causes could be shown.
    Stalled {
        /// The goal with the largest error.
        goal: GoalId,
    },
    /// The given number of iterations was used up while still improving.
    IterationBudget,
    /// The given time was used up while still improving.
    TimeBudget,
    /// The goal can be had, but to be there in this time step would be a jump: the
    /// pose is on its way. Only solvers that remember the last frame say so.
    Underway {
        /// The goal.
        goal: GoalId,
        /// How much the joint that is furthest behind has still to turn, in radians.
        turn: Real,
    },
    /// Less than the whole way was asked for: the goal's influence is below one, or
    /// the wish to look at something behind has faded.
    Faded {
        /// The goal.
        goal: GoalId,
    },
    /// A joint is outside of its limit because an option lets it give way rather than
    /// jump.
    Strained {
        /// The goal it gave way for.
        goal: GoalId,
        /// The joint that is outside.
        joint: JointId,
        /// What of its motion.
        component: LimitComponent,
        /// How far, in radians.
        by: Real,
    },
    /// A joint that no active goal moves stands outside of its limit in the pose given,
    /// and was left there.
    OutsideLimit {
        /// The joint that is furthest outside.
        joint: JointId,
        /// How far, in radians, or metres for one that slides.
        by: Real,
    },
    /// The pose given held a number that is not finite or a rotation that is not of unit
    /// length; the solve went on from a mended pose.
    Mended {
        /// The first joint that was mended.
        joint: JointId,
    },
    /// A target holds NaN or infinity, or a rotation that is none; that goal was ignored.
    NotFinite {
        /// The goal.
        goal: GoalId,
    },
    /// The skeleton, the goals or the pose are not those that the solver was built for;
    /// the pose was left alone.
    Mismatch,
}

impl Cause {
    /// The same cause for the goal of another number: a limb calls its only goal 0, the
    /// body that it is part of has several.
    pub(crate) fn of_goal(mut self, number: GoalId) -> Self {
        match &mut self {
            Self::OutOfReach { goal, .. }
            | Self::TooClose { goal, .. }
            | Self::Limit { goal, .. }
            | Self::Balance { goal: Some(goal), .. }
            | Self::Speed { goal, .. }
            | Self::Conflict { goal, .. }
            | Self::NoFreedom { goal }
            | Self::Stalled { goal }
            | Self::Underway { goal, .. }
            | Self::Faded { goal }
            | Self::Strained { goal, .. }
            | Self::NotFinite { goal } => *goal = number,
            Self::Collision { .. }
            | Self::Balance { goal: None, .. }
            | Self::IterationBudget
            | Self::TimeBudget
            | Self::OutsideLimit { .. }
            | Self::Mended { .. }
            | Self::Mismatch => {}
        }
        self
    }
}

/// How far one goal is from being met.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GoalResidual {
    /// Metres from the wanted point; zero if no point is wanted.
    #[cfg_attr(feature = "serde", serde(with = "infinite_as_none"))]
    pub position: Real,
    /// Radians from the wanted orientation; zero if none is wanted.
    #[cfg_attr(feature = "serde", serde(with = "infinite_as_none"))]
    pub orientation: Real,
}

/// JSON has no infinity: it would write `null`, and could not read that back as a number.
#[cfg(feature = "serde")]
mod infinite_as_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::math::Real;

    pub fn serialize<S: Serializer>(x: &Real, serializer: S) -> Result<S::Ok, S::Error> {
        x.is_finite().then_some(*x).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Real, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(Real::INFINITY))
    }
}

impl GoalResidual {
    /// That of a goal that could not be measured.
    pub const UNKNOWN: Self = Self { position: Real::INFINITY, orientation: Real::INFINITY };

    /// Whether it is near enough. What is not a number is not.
    pub fn within(&self, tolerance: Tolerance) -> bool {
        self.position <= tolerance.position && self.orientation <= tolerance.orientation
    }

    /// Measures a goal on a pose, along the axes that the goal gives weight.
    pub fn measure(goal: &Goal, model: &ModelPose) -> Self {
        Self::measure_at(goal, goal.standing(model))
    }

    /// Measures a goal whose effector stands at `now`, in the space that its target is given in.
    pub fn measure_at(goal: &Goal, now: Transform) -> Self {
        let position = match goal.target.position() {
            Some(p) if goal.position_weight > 0.0 => {
                (masked(goal.position_axes) * (p - now.translation)).length()
            }
            _ => 0.0,
        };
        let orientation = match goal.target.orientation(now) {
            Some(q) if goal.orientation_weight > 0.0 => {
                (masked(goal.orientation_axes) * rotation::log(now.rotation.conjugate() * q)).length()
            }
            _ => 0.0,
        };
        Self { position, orientation }
    }
}

impl core::fmt::Display for GoalResidual {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:.3} mm, {:.4} rad off", self.position * 1.0e3, self.orientation)
    }
}

/// One where the weight is positive, zero elsewhere.
pub(crate) fn masked(axes: Vec3) -> Vec3 {
    let on = |w: Real| if w > 0.0 { 1.0 } else { 0.0 };
    Vec3::new(on(axes.x), on(axes.y), on(axes.z))
}

/// What came of one goal: the core of every report.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Whether the goal is met, by forward kinematics of the pose.
    pub status: Status,
    /// Why not; or what gave way so that it is.
    pub cause: Option<Cause>,
    /// How far the goal is from being met.
    pub residual: GoalResidual,
}

impl Outcome {
    /// The outcome of a goal that was not looked at, and why.
    pub const fn refused(cause: Cause) -> Self {
        Self { status: Status::NotReached, cause: Some(cause), residual: GoalResidual::UNKNOWN }
    }

    /// Whether the goal is met.
    pub fn reached(&self) -> bool {
        self.status == Status::Reached
    }
}

impl core::fmt::Display for Outcome {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.status)?;
        if let Some(cause) = &self.cause {
            write!(f, ": {cause}")?;
        }
        write!(f, " ({})", self.residual)
    }
}

/// How near is near enough.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tolerance {
    /// Metres.
    pub position: Real,
    /// Radians.
    pub orientation: Real,
}

impl core::fmt::Display for Tolerance {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} mm, {} rad", self.position * 1.0e3, self.orientation)
    }
}

impl Default for Tolerance {
    /// A tenth of a millimetre and of a milliradian: below what can be seen,
    /// above what single precision blurs on a character of human size.
    fn default() -> Self {
        Self { position: 1.0e-4, orientation: 1.0e-4 }
    }
}

/// What a solve came to. Sized when the solver is built, reused every frame.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SolveReport {
    /// Whether the goals are met.
    pub status: Status,
    /// Why not, if they are not; or what a solve that met them had to do.
    pub cause: Option<Cause>,
    /// How often the solver went round, over all attempts.
    pub iterations: u32,
    /// From how many poses it set out: one, and one more for each time that it tried elsewhere.
    pub attempts: u32,
    /// How far each goal is from being met, in the set's order.
    pub residuals: Vec<GoalResidual>,
}

impl SolveReport {
    /// A report with room for this many goals.
    pub fn for_goals(count: usize) -> Self {
        Self {
            status: Status::NotReached,
            cause: None,
            iterations: 0,
            attempts: 0,
            residuals: alloc::vec![GoalResidual::default(); count],
        }
    }

    /// Takes over another report, without allocating if it is for as many goals.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { status, cause, iterations, attempts, residuals } = other;
        (self.status, self.cause) = (*status, *cause);
        (self.iterations, self.attempts) = (*iterations, *attempts);
        self.residuals.clone_from(residuals);
    }

    /// Says that nothing was solved because the input was for something else.
    pub(crate) fn mismatch(&mut self) {
        (self.status, self.cause) = (Status::NotReached, Some(Cause::Mismatch));
        (self.iterations, self.attempts) = (0, 0);
        self.residuals.fill(GoalResidual::UNKNOWN);
    }

    /// Whether every goal is met.
    pub fn reached(&self) -> bool {
        self.status == Status::Reached
    }

    /// The largest distance of any goal, in metres.
    pub fn position_error(&self) -> Real {
        self.residuals.iter().fold(0.0, |m, r| m.max(r.position))
    }

    /// The largest turn that any goal still wants, in radians.
    pub fn orientation_error(&self) -> Real {
        self.residuals.iter().fold(0.0, |m, r| m.max(r.orientation))
    }

    /// Measures every goal on the pose. Returns the goal that is furthest off of
    /// those that are active, or `None` if all of them are met.
    pub fn measure(&mut self, goals: &GoalSet, model: &ModelPose, tolerance: Tolerance) -> Option<GoalId> {
        let mut worst: Option<(GoalId, Real)> = None;
        for ((id, goal), residual) in goals.iter().zip(self.residuals.iter_mut()) {
            *residual = GoalResidual::measure(goal, model);
            let excess = (residual.position / tolerance.position.max(TINY))
                .max(residual.orientation / tolerance.orientation.max(TINY));
            let missed = goal.is_active() && !residual.within(tolerance);
            if missed && worst.is_none_or(|(_, w)| excess.is_nan() || excess > w) {
                worst = Some((id, excess));
            }
        }
        worst.map(|(id, _)| id)
    }
}

impl core::fmt::Display for SolveReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} after {} iterations", self.status, self.iterations)?;
        if let Some(cause) = &self.cause {
            write!(f, ": {cause}")?;
        }
        let worst = GoalResidual { position: self.position_error(), orientation: self.orientation_error() };
        write!(f, " ({worst})")
    }
}
