//! What came of a solve: how near each goal is, and what stood in the way.
//!
//! Unreachable is an outcome and no error. The pose is always the best that
//! was found; the report says whether that is good enough and, if not, why.
//! Residuals are measured by forward kinematics of the returned pose, never
//! taken from a solver's own bookkeeping.

mod words;

use alloc::vec::Vec;

use crate::goal::{Goal, GoalId, GoalSet};
use crate::limit::LimitComponent;
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::JointId;

/// Whether the goals are met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Status {
    /// Every goal is met within the tolerance.
    Reached,
    /// Not every goal is met; the report's cause says why.
    NotReached,
}

/// What stood in the way, of a closed set.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Two goals pull the same joints to different places.
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
    /// The solver came to rest at a pose that no small step improves.
    Stalled {
        /// The goal with the largest error.
        goal: GoalId,
    },
    /// The given number of iterations was used up while still improving.
    IterationBudget,
    /// The given time was used up while still improving, or a frame was too short to get
    /// there without a jump.
    TimeBudget,
    /// A target or the pose given holds NaN or infinity; that goal was ignored.
    NotFinite {
        /// The goal, or `None` for the pose.
        goal: Option<GoalId>,
    },
    /// The goals or the pose are not those that the solver was built for.
    Mismatch,
}

/// How far one goal is from being met.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GoalResidual {
    /// Metres from the wanted point; zero if no point is wanted.
    pub position: Real,
    /// Radians from the wanted orientation; zero if none is wanted.
    pub orientation: Real,
}

impl GoalResidual {
    /// Measures a goal on a pose, along the axes that the goal gives weight.
    pub fn measure(goal: &Goal, model: &ModelPose) -> Self {
        Self::measure_at(goal, goal.effector.transform(model))
    }

    /// Measures a goal whose effector stands at `now`.
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

/// One where the weight is positive, zero elsewhere.
fn masked(axes: Vec3) -> Vec3 {
    let on = |w: Real| if w > 0.0 { 1.0 } else { 0.0 };
    Vec3::new(on(axes.x), on(axes.y), on(axes.z))
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
    /// Why not, if they are not.
    pub cause: Option<Cause>,
    /// How often the solver went round.
    pub iterations: u32,
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
            residuals: alloc::vec![GoalResidual::default(); count],
        }
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

    /// Measures every goal on the pose and sets the status; the cause stays for
    /// the solver to say. Returns the goal that is furthest off.
    pub fn measure(&mut self, goals: &GoalSet, model: &ModelPose, tolerance: Tolerance) -> Option<GoalId> {
        let mut worst: Option<(GoalId, Real)> = None;
        for ((id, goal), residual) in goals.iter().zip(self.residuals.iter_mut()) {
            *residual = GoalResidual::measure(goal, model);
            let excess = (residual.position / tolerance.position.max(TINY))
                .max(residual.orientation / tolerance.orientation.max(TINY));
            // A NaN target must not count as met, so "not at most" instead of "more than".
            let met = excess <= 1.0;
            if !met && worst.is_none_or(|(_, w)| excess.is_nan() || excess > w) {
                worst = Some((id, excess));
            }
        }
        self.status = if worst.is_none() { Status::Reached } else { Status::NotReached };
        worst.map(|(id, _)| id)
    }
}
