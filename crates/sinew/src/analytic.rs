//! Solvers in closed form: a limb, two bones and a pole, a look.
//!
//! | module | solves |
//! |---|---|
//! | [`limb`] | an arm or a leg of seven degrees of freedom, with limits and collisions |
//! | [`follower`] | a limb that follows its goal from frame to frame at a bounded speed |
//! | [`aim`] | a look at a point, shared by several joints |
//! | [`gaze`] | the same for a character: eyes, head, neck and spine |
//! | [`two_bone`] | two bones and a pole, nothing else, as fast as can be |

pub mod aim;
mod bend;
pub mod follower;
pub mod gaze;
pub mod limb;
pub mod two_bone;

pub use aim::{Aim, AimOptions};
pub use follower::{LimbFollower, LimbFollowerOptions};
pub use gaze::{Gaze, GazeWeights};
pub(crate) use limb::LimbGoal;
pub use limb::{Limb, LimbOptions, LimbReport, Swivel, SwivelSearch};
pub use two_bone::{TwoBone, TwoBoneJoints, TwoBoneOptions, TwoBoneSolution};
