//! Whole bodies: methods that know that a skeleton is a human.
//!
//! | module | from what |
//! |---|---|
//! | [`reach`] | where a hand should go, by designed postures (Kallmann 2007) |

pub mod reach;
