//! The general solvers beside each other: `sinew eval solvers`.
//!
//! | file | question |
//! |---|---|
//! | [`humanoid`] | how often do they meet six poses at once within anatomical limits? |
//! | [`conflict`] | what happens when goals exclude each other? |
//! | [`continuity`] | does a small move of a target ever make a large move of a joint? |
//! | [`half_full`] | what does a Jacobian of three rows save against one of six? |
//! | [`scaling`] | how does the time of an iteration grow with the chain? |

pub mod conflict;
pub mod continuity;
pub mod half_full;
pub mod humanoid;
mod paths;
pub mod scaling;

/// An embedded rig in the precision of the experiments; `None` if there is none of that name.
pub fn rig(name: &str) -> Option<sinew::Skeleton> {
    sinew::rigs::by_name(name).ok()
}
