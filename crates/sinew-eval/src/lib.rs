//! The published experiments that sinew reproduces.

pub mod task;
