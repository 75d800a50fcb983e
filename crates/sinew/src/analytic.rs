//! Solvers in closed form: a limb, two bones and a pole, a look.
//!
//! | module | solves |
//! |---|---|
//! | [`limb`] | an arm or a leg of seven degrees of freedom, with limits and collisions |

pub mod limb;

pub use limb::{
    Contact, Limb, LimbError, LimbGoal, LimbOptions, LimbOutcome, LimbPose, LimbReport, Swivel, SwivelSearch,
};
