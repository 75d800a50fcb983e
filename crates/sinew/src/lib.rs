//! sinew: real-time inverse kinematics for characters and robots.
//!
//! One model, many solvers, one direction of flow:
//!
//! ```text
//! SkeletonBuilder ──► Skeleton (read-only)
//!                        │
//! Goal, GoalSet ──► solver::new(&skeleton, &goals, options)     may refuse
//!                        │
//!                        ▼  per frame: cannot fail, allocate or panic
//!              solve(&skeleton, &goals, &mut pose) ──► SolveReport
//! ```
//!
//! The engine does no I/O, reads no clock, writes no log and starts no thread.
//! It is right-handed, Y up, in metres and radians; quaternions are Hamilton,
//! stored x y z w. Files with other habits are converted by `sinew-io`.
//!
//! This crate works in `f32`; `sinew-f64` is the same source in `f64`.
#![cfg_attr(not(feature = "std"), no_std)]
#![warn(missing_docs)]

extern crate alloc;

pub mod analytic;
pub mod body;
#[cfg(feature = "collision")]
pub mod collision;
pub mod error;
pub mod filter;
pub mod goal;
pub mod limit;
pub mod linalg;
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
