//! Limbs and reaching: `sinew eval reach`.
//!
//! | file | question |
//! |---|---|
//! | [`body`] | how long does the whole body take, beside the paper's figures, and what comes of random targets? |

pub mod body;
