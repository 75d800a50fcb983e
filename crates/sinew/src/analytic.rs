//! Solvers in closed form: a limb, two bones and a pole, a look.
//!
//! | module | solves |
//! |---|---|
//! | [`limb`] | an arm or a leg of seven degrees of freedom, with limits and collisions |
//! | [`two_bone`] | two bones and a pole, nothing else, as fast as can be |

mod bend;
pub mod limb;
pub mod two_bone;

pub use limb::{
    Contact, Limb, LimbError, LimbGoal, LimbOptions, LimbOutcome, LimbPose, LimbReport, Swivel, SwivelSearch,
};
pub use two_bone::{TwoBone, TwoBoneError, TwoBoneOptions, TwoBoneSolution};
