//! The published experiments that sinew reproduces, and those that set its
//! solvers beside each other.
//!
//! An experiment is a function from options (with a seed) to a [`Table`] and,
//! where a picture says more, plots. Running and printing are the command's.

pub mod erik;
pub mod filter;
pub mod reach;
pub mod sample;
pub mod sik;
pub mod solvers;
pub mod stats;
pub mod table;
pub mod task;
pub mod walk;

pub use sinew::SolverSpec as Engine;
pub use table::Table;

/// Compiles and runs the examples of the README: this crate knows all that they use.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
