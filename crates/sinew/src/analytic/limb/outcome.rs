//! What came of a limb's solve.

use crate::goal::GoalId;
use crate::limit::LimitComponent;
use crate::math::*;
use crate::report::{Cause, GoalResidual, Status};
use crate::skeleton::JointId;

/// Two parts that would pass through each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// The joint that carries the first part.
    pub joint: JointId,
    /// The joint that carries the second, or `None` for a thing of the scene.
    pub other: Option<JointId>,
}

/// Whether the goal is had, or the true reason why not.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LimbOutcome {
    /// The goal is met, by forward kinematics.
    Reached,
    /// The goal is further away than the stretched limb is long.
    OutOfReach {
        /// How much too far, in metres.
        by: Real,
    },
    /// The goal is nearer than the limb can fold.
    TooClose {
        /// How much too near, in metres.
        by: Real,
    },
    /// No swivel angle holds every limit.
    Limited {
        /// The joint that blocks.
        joint: JointId,
        /// What of its motion.
        component: LimitComponent,
    },
    /// Swivel angles hold the limits, but every one that was tried collides.
    Collision(Contact),
    /// The goal can be had, but to be there in one solve would be a jump; the limb is on
    /// its way. Only solvers that remember the last frame say so.
    Underway {
        /// How much the joint that is the furthest behind has still to turn, in radians.
        turn: Real,
    },
    /// A joint is outside of its limit, since within the limb would have had to jump. The goal is had as
    /// far as the bones reach; the residual says so. Only those who ask for it get it
    /// ([`Limb::solve_giving`](super::Limb::solve_giving)).
    Strained {
        /// The joint that is outside.
        joint: JointId,
        /// What of its motion.
        component: LimitComponent,
        /// How far, in radians.
        by: Real,
    },
    /// The goal or the pose holds NaN or infinity; the pose was left alone.
    NotFinite,
    /// The pose or skeleton is not the one the limb was measured on; the pose was left alone.
    Mismatch,
}

impl LimbOutcome {
    /// As every solver's report puts it.
    pub fn status(self) -> Status {
        if self == Self::Reached { Status::Reached } else { Status::NotReached }
    }

    /// As every solver's report puts it, for the goal of this name.
    pub fn cause(self, goal: GoalId) -> Option<Cause> {
        Some(match self {
            Self::Reached => return None,
            Self::OutOfReach { by } => Cause::OutOfReach { goal, by },
            Self::TooClose { by } => Cause::TooClose { goal, by },
            Self::Limited { joint, component } | Self::Strained { joint, component, .. } => {
                Cause::Limit { goal, joint, component }
            }
            Self::Collision(contact) => Cause::Collision { joint: contact.joint, other: contact.other },
            Self::Underway { .. } => Cause::TimeBudget,
            Self::NotFinite => Cause::NotFinite { goal: Some(goal) },
            Self::Mismatch => Cause::Mismatch,
        })
    }

    /// A word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::OutOfReach { .. } => "out of reach",
            Self::TooClose { .. } => "too close",
            Self::Limited { .. } => "limited",
            Self::Collision(_) => "collision",
            Self::Underway { .. } => "underway",
            Self::Strained { .. } => "strained",
            Self::NotFinite => "not finite",
            Self::Mismatch => "mismatch",
        }
    }
}

/// What a limb's solve came to. The pose is always the best allowed one, but for what is
/// [`Strained`](LimbOutcome::Strained).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LimbReport {
    /// Reached, or why not.
    pub outcome: LimbOutcome,
    /// How far the pose is from the goal, by forward kinematics.
    pub residual: GoalResidual,
    /// The swivel angle of the pose, in radians from the limb's neutral.
    pub swivel: Real,
    /// How many poses were tested for collision.
    pub tests: u32,
}

impl LimbReport {
    /// Whether the goal is met.
    pub fn reached(&self) -> bool {
        self.outcome == LimbOutcome::Reached
    }
}

/// Where a limb's joints would be, in model space: what a test for collision sees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LimbPose {
    /// Shoulder or hip.
    pub base: Transform,
    /// Elbow or knee.
    pub mid: Transform,
    /// Wrist or ankle.
    pub end: Transform,
    /// The swivel angle, in radians from the limb's neutral.
    pub swivel: Real,
}
