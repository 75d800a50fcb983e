#![doc = include_str!("../README.md")]
//!
//! # Who refreshes a `ModelPose`
//! One rule for all: whoever changes a [`Pose`] calls [`ModelPose::update`] before somebody reads
//! the model pose again. Solvers that take `&ModelPose` (limb, two bones, aim) read where the
//! joints above them stand, write the pose and leave the model pose as it was. Solvers that take
//! only a pose ([`GoalSolver`], the bodies) keep a model pose of their own.
//!
//! # Glossary
//! | word | what it means here |
//! |---|---|
//! | *rest pose* | where the joints stand when every rotation is the identity; limits and poses count from it |
//! | *pose*, *model pose* | each joint's motion from rest; the same as transforms in *model space*, the space of the root's parent |
//! | *shift* | a translation of a joint in a pose beyond its rest place; files animate it, solvers keep it |
//! | *effector* | a joint with an offset: the point and frame that a goal speaks of |
//! | *goal*, *target* | an effector, what is wanted of it and how much; the wanted position, orientation, pose or direction |
//! | *weight*, *influence*, *priority* | how much a miss counts beside other goals; how much of the way from the given pose is gone; which goals come first |
//! | *swing*, *twist* | where a bone points, and its turn about itself |
//! | *swivel angle* | by how much elbow or knee is turned about the line from the limb's base to its end |
//! | *residual*, *cause* | how far a goal was missed in the returned pose; what stood in the way |
//! | *underway* | not there yet because of a bound per second; going on with the same goal gets nearer |
//! | *fingerprint* | a number that tells skeletons apart; a solver refuses one it was not built for |
#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]

extern crate alloc;

pub mod analytic;
pub mod body;
#[cfg(feature = "collision")]
pub mod collision;
pub mod crowd;
pub mod error;
pub mod filter;
pub mod goal;
pub mod limit;
mod linalg;
pub mod math;
pub mod pose;
pub mod report;
pub mod rigs;
pub mod skeleton;
pub mod solver;

pub use goal::{Effector, Goal, GoalId, GoalSet, Target};
pub use limit::{JointLimit, LimitComponent};
pub use math::{Quat, Real, Transform, Vec3};
pub use pose::{ModelPose, Pose};
pub use report::{Cause, GoalResidual, Outcome, SolveReport, Status};
pub use skeleton::{JointDef, JointId, JointKind, Skeleton, SkeletonBuilder};
pub use solver::{GoalSolver, Solver, SolverSpec};
