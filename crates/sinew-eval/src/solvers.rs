//! The general solvers beside each other: `sinew eval solvers`.
//!
//! | file | question |
//! |---|---|
//! | [`humanoid`] | how often do they meet six poses at once within anatomical limits? |
//! | [`ablation`] | what does each addition to EWBIK bring, and at what cost? |
//! | [`arms`] | how often is a robot arm's pose found, at which tolerance? |
//! | [`swing`] | how far does a joint turn for a point near by? |
//! | [`conflict`] | what happens when goals exclude each other? |
//! | [`continuity`] | does a small move of a target ever make a large move of a joint? |
//! | [`half_full`] | what does a Jacobian of three rows save against one of six? |
//! | [`scaling`] | how does the time of an iteration grow with the chain? |

pub mod ablation;
pub mod arms;
pub mod conflict;
pub mod continuity;
pub mod half_full;
pub mod humanoid;
mod paths;
pub mod scaling;
pub mod swing;

use sinew::SolverSpec;
use sinew::solver::ewbik::EwbikOptions;

/// A solver with the name that a table gives it.
#[derive(Debug, Clone)]
pub struct Contender {
    /// What the table calls it.
    pub name: String,
    /// The solver and its options.
    pub spec: SolverSpec,
}

impl Contender {
    /// A solver under a name of its own.
    pub fn new(name: impl Into<String>, spec: SolverSpec) -> Self {
        Self { name: name.into(), spec }
    }

    /// These solvers under their own names, and EWBIK as published beside ours.
    pub fn with_published(solvers: &[SolverSpec]) -> Vec<Self> {
        let mut all = Vec::new();
        for &spec in solvers {
            all.push(Self::new(spec.name(), spec));
            if matches!(spec, SolverSpec::Ewbik(_)) {
                let published = EwbikOptions::published();
                all.push(Self::new("ewbik published", SolverSpec::Ewbik(published)));
                let guarded = EwbikOptions { guard: true, ..published };
                all.push(Self::new("ewbik published, guarded", SolverSpec::Ewbik(guarded)));
            }
        }
        all
    }
}

/// An embedded rig in the precision of the experiments; `None` if there is none of that name.
pub fn rig(name: &str) -> Option<sinew::Skeleton> {
    sinew::rigs::by_name(name).ok()
}
