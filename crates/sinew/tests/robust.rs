//! What the production solver promises beyond the promises of every solver.

#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;
