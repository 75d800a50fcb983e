//! What stood in the way, as Python sees it.

use pyo3::prelude::*;

/// Why a goal was not met, or what a solve that met it had to do.
///
/// ``kind`` is one of a closed set of words, ``words`` says it all for people, and the rest is what the
/// kind has: the goal and the joints by name, and by how much (metres or radians).
#[pyclass(frozen, get_all, module = "sinew_ik")]
#[derive(Debug, Clone, PartialEq)]
pub struct Cause {
    /// ``"out of reach"``, ``"limit"``, ``"collision"``, ``"balance"``, ``"speed"``, ``"stuck"``, ...
    pub kind: String,
    /// The whole in words.
    pub words: String,
    /// The goal that suffers, by name.
    pub goal: Option<String>,
    /// The joint that blocks, by name.
    pub joint: Option<String>,
    /// The second joint of a collision, or the other goal of a conflict.
    pub other: Option<String>,
    /// By how much, in metres or radians.
    pub by: Option<f64>,
}

#[pymethods]
impl Cause {
    fn __repr__(&self) -> String {
        format!("Cause({:?}: {})", self.kind, self.words)
    }

    fn __str__(&self) -> &str {
        &self.words
    }

    fn __eq__(&self, other: &Self) -> bool {
        self == other
    }
}
