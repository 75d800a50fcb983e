//! Rigs that the project makes itself, for examples, tests and experiments.
//!
//! All stand on y = 0 or hang from the origin, face +Z, and have +X to their
//! left, in metres. Their rest poses are inside their limits.
//!
//! [`all`] lists them and [`by_name`] builds one from a name such as `spider`
//! or `chain:20`.

mod arm;
mod catalogue;
mod chains;
mod erik;
mod humanoid;
mod quadruped;
mod spider;

pub use arm::arm;
pub use catalogue::{RigInfo, all, by_name};
pub use chains::{chain, snake, tentacle};
pub use erik::{ErikRobot, erik};
pub use humanoid::{SwingModel, humanoid, humanoid_with_hands};
pub use quadruped::quadruped;
pub use spider::spider;

use crate::math::*;
use crate::skeleton::{Skeleton, SkeletonBuilder};

/// Builds a rig of this module. Their definitions are constants of the crate,
/// each is built in a test, so a refusal is a bug of the engine itself.
fn built(builder: SkeletonBuilder) -> Skeleton {
    #[allow(clippy::panic)] // unreachable: every embedded rig is built in a test
    match builder.build_sorted() {
        Ok(skeleton) => skeleton,
        Err(error) => panic!("embedded rig '{}': {error}", builder.name),
    }
}

/// Degrees, in which the literature gives its angles, to radians.
const fn degrees(angle: Real) -> Real {
    angle * (PI / 180.0)
}
