#![doc = include_str!("../README.md")]

pub mod arms;
pub mod erik;
pub mod filter;
pub mod goals;
pub mod look;
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
