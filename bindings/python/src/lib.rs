//! The native part of the Python package `sinew_ik`.
//!
//! ```text
//! Python ──► arrays (shapes, dtypes, NaN) ──► single or double ──► crowd.rs of the engine ──► arrays
//! ```
//! Numbers are checked at the border, where an exception can say which argument and which row; then the
//! interpreter is let go of and the engine works on as many threads as were asked for. `work.rs` is compiled twice,
//! as `single::work` and `double::work`, like the engine itself: the dtype of what is given chooses.

mod arrays;
mod cause;
mod double;
mod jobs;
mod look;
mod rig;
mod single;
mod six_point;
mod solver;
mod terrain;

use pyo3::prelude::*;

pyo3::create_exception!(
    sinew_ik,
    SinewError,
    pyo3::exceptions::PyValueError,
    "What the engine refuses, in its own words: a file, a rig, a goal or a name."
);

/// An error of the engine or of a file, in its own words.
fn refused(error: impl std::fmt::Display) -> PyErr {
    SinewError::new_err(error.to_string())
}

/// The same for errors with a chain of reasons.
fn failed(error: anyhow::Error) -> PyErr {
    SinewError::new_err(format!("{error:#}"))
}

/// More threads than any machine has bring nothing but their memory: a million of them end the interpreter.
const MOST_THREADS: usize = 256;

/// How many threads do the work: as many as were asked for, or as there are. The bits do not depend on it.
fn threads(asked: Option<usize>) -> usize {
    let all = sinew_f64::crowd::available_threads;
    asked.filter(|count| *count > 0).unwrap_or_else(all).min(MOST_THREADS)
}

/// The native part of sinew_ik; see that package.
#[pymodule(name = "_sinew")]
mod native {
    #[pymodule_export]
    use super::SinewError;
    #[pymodule_export]
    use super::cause::Cause;
    #[pymodule_export]
    use super::jobs::{filter, plant, reach, reconstruct, transfer, walk};
    #[pymodule_export]
    use super::look::look;
    #[pymodule_export]
    use super::rig::{Rig, available_threads, load, read, rig, rig_names};
    #[pymodule_export]
    use super::six_point::SixPoint;
    #[pymodule_export]
    use super::solver::{Solution, Solver};

    #[pymodule_init]
    fn init(module: &pyo3::Bound<'_, pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        use pyo3::types::PyModuleMethods;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
