//! Whole bodies: methods that know that a skeleton is a human.
//!
//! | module | from what |
//! |---|---|
//! | [`plant`] | any animation, whose feet should stand on the ground |
//! | [`reach`] | where a hand should go, by designed postures (Kallmann 2007) |
//! | [`six_point`] | where pelvis, head, wrists and ankles are (Unzueta et al. 2008) |
//! | [`walk`] | where a player steers, over any ground (Meredith & Maddock 2004) |

pub mod plant;
pub mod reach;
pub mod six_point;
pub mod walk;
