//! Reaching with the whole body (Kallmann, "Analytical inverse kinematics with body
//! posture control", 2007).
//!
//! ```text
//! target ──► swing and distance, in the shoulder's frame (frame)
//!               │
//!               ▼
//!   Behaviour: key postures on the swing plane (behaviour, plane, values)
//!               │  barycentric blend of three, more of it the further away (u)
//!               ▼
//!   body posture ──► legs hold the feet ──► arm reaches the target exactly
//!               ▲                                │
//!               └── less of it (u toward 0) ─────┘ if the body would touch something
//! ```
//!
//! The trunk, the head and the other arm are *designed*: a behaviour says what
//! they do for each direction of the hand. Arms and legs are *solved*, in closed form
//! by [`analytic::Limb`](crate::analytic::Limb). So there is nothing to converge, a
//! few microseconds are enough, and what cannot be had has one true reason.
//!
//! # Beyond the paper
//! * The four outer keys enclose every swing and the singular direction does not
//!   jump (`reach/plane.rs`).
//! * The distance weight is a value of each key ([`KeyValues`]): a hand that hangs at the side is at
//!   the arm's length and needs no bow, one that is stretched out ahead needs some.
//! * If the arm is too short where the weight leaves the shoulder, more of the posture is taken,
//!   just as much as it needs.
//! * If that leaves the hand short, or a limit keeps it from its orientation, the whole body goes on
//!   (`reach/whole_body.rs`): one damped descent with the hand, the planted feet, the centre of mass and the
//!   posture as goals. Out of reach is then out of reach of the whole body.
//! * If a leg cannot hold its foot, less of the posture is taken, just as much as it can.
//! * The elbow goes from where it was in the last frame towards what the behaviour prefers, so
//!   that it comes back without a jump when an obstacle has passed.
//! * Nothing jumps from frame to frame. Where the best pose does (a limit's other side, the far side
//!   of an obstacle, past the shoulder), the arm goes there over several frames, each of them allowed
//!   and free of contact, if need be round what is in the way; see
//!   [`LimbFollower`](crate::analytic::LimbFollower). So do the posture's weight and how much of it
//!   is kept. All bounds are per second.
//!
//! # As published
//! [`ReachOptions::published`] leaves all of these out but the outer keys: no memory, the elbow's angle
//! counted from −ŷ and searched from −15° to 130° beginning at 30°, failure on ŷ, and the posture by
//! its weight alone. The table of what differs is in `docs/papers.md`.
//!
//! # Degenerate cases
//! A goal at the shoulder has no direction and distance zero: the body stays and
//! the arm says "too close". Goals behind the body blend the outer keys.
//! No keys but the outer ones, one key, or all keys on a line are fine. Targets that
//! are not finite leave the pose alone and are reported.

mod behaviour;
mod frame;
mod motion;
#[cfg(feature = "collision")]
mod plan;
mod plane;
mod solver;
mod style;
#[cfg(feature = "collision")]
mod surroundings;
mod values;
mod whole_body;

pub use behaviour::{Behaviour, KeyPosture};
pub use frame::swing_at;
pub use motion::minimum_jerk;
#[cfg(feature = "collision")]
pub use plan::{ReachPlan, ReachPlanOptions};
pub use plane::OUTER;
pub use solver::{ReachOptions, ReachReport, ReachSolver};
pub use style::{Style, standing};
#[cfg(feature = "collision")]
pub use surroundings::Surroundings;
pub use values::KeyValues;
