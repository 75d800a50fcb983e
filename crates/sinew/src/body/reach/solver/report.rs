//! What came of a reach.

use crate::analytic::LimbReport;
#[cfg(feature = "collision")]
use crate::collision::Contact;
use crate::math::*;
use crate::report::{Cause, Status};
use crate::skeleton::humanoid::Side;

/// What came of a reach.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReachReport {
    /// Whether every hand is where it should be, and the body free.
    pub status: Status,
    /// What stood in the way. Goal 0 is the left hand, goal 1 the right.
    pub cause: Option<Cause>,
    /// What the arms' solver says of the left and the right hand, where they had a target.
    pub hands: [Option<LimbReport>; 2],
    /// The directions to their targets, in the shoulders' frames.
    pub swings: [Vec2; 2],
    /// How much of each behaviour's posture was taken (the paper's u), after all corrections.
    pub weights: [Real; 2],
    /// How far the worse foot is from its place, in metres.
    pub feet: Real,
    /// How much of the posture was kept because of the feet and of contacts, from 0 to 1.
    pub kept: Real,
    /// The contact that stands in the way, with the parts and obstacles as the
    /// [`Surroundings`](crate::body::reach::Surroundings) number them.
    #[cfg(feature = "collision")]
    pub contact: Option<Contact>,
    /// How many postures of arms and body were tested for contact.
    pub tests: u32,
    /// How many steps the descent of the whole body took, beyond what the behaviours do; zero where these
    /// suffice.
    pub steps: u32,
}

impl ReachReport {
    pub(in crate::body::reach) fn new() -> Self {
        Self {
            status: Status::NotReached,
            cause: None,
            hands: [None; 2],
            swings: [Vec2::ZERO; 2],
            weights: [0.0; 2],
            feet: 0.0,
            kept: 1.0,
            #[cfg(feature = "collision")]
            contact: None,
            tests: 0,
            steps: 0,
        }
    }

    /// Whether every hand is where it should be.
    pub fn reached(&self) -> bool {
        self.status == Status::Reached
    }

    /// The report of a hand, if it had a target.
    pub fn hand(&self, side: Side) -> Option<&LimbReport> {
        self.hands[side as usize].as_ref()
    }
}

impl core::fmt::Display for ReachReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.status)?;
        if let Some(cause) = &self.cause {
            write!(f, ": {cause}")?;
        }
        for (i, side) in ["left", "right"].iter().enumerate() {
            if let Some(hand) = &self.hands[i] {
                write!(f, "; {side} hand {hand}, body {:.0}%", self.weights[i] * 100.0)?;
            }
        }
        write!(f, "; feet {:.3} mm off", self.feet * 1.0e3)
    }
}
