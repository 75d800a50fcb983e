//! The engine in double precision.

#[path = "work.rs"]
pub mod work;

pub use sinew_f64 as engine;

/// Its numbers.
pub type Real = f64;
