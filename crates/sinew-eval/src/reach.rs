//! Limbs and reaching: `sinew eval reach`.
//!
//! | file | question |
//! |---|---|
//! | [`goals`] | is what a limb calls reached reached, and what it refuses out of reach? |
//! | [`paths`] | does a small move of the goal ever make a large move of a joint? |
//! | [`timing`] | how long does a limb's solve take, beside the paper's figures? |
//! | [`motions`] | is a whole motion straight, free in every frame, and refused only for the reason that is said? |
//! | [`body`] | how long does the whole body take, beside the paper's figures, and what comes of random targets? |

pub mod body;
pub mod goals;
pub mod motions;
pub mod paths;
pub mod timing;
