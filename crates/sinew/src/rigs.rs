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
pub mod humanoid;
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
use crate::skeleton::{JointDef, JointKind, Skeleton, SkeletonBuilder};

/// Builds a rig of this module. Their definitions are constants of the crate,
/// each is built in a test, so a refusal is a bug of the engine itself.
fn built(builder: SkeletonBuilder) -> Skeleton {
    #[allow(clippy::panic)] // unreachable: every embedded rig is built in a test
    match builder.build_sorted() {
        Ok(skeleton) => skeleton,
        Err(error) => panic!("embedded rig '{}': {error}", builder.name),
    }
}

/// Adds a row of hinges that goes up, numbered from `first`: what each turns about, how far it stands
/// above the one before, and how far it turns to either side. Then a fixed joint of this name, so
/// far above the last.
fn add_hinges(
    builder: &mut SkeletonBuilder,
    first: usize,
    hinges: impl IntoIterator<Item = (Vec3, Real, Real)>,
    (end, height): (&str, Real),
) {
    let mut last = builder.joints.len().checked_sub(1);
    let mut add = |mut joint: JointDef| {
        joint.parent = last;
        last = Some(builder.add(joint).index());
    };
    for (i, (axis, height, range)) in hinges.into_iter().enumerate() {
        let joint = JointDef::new(alloc::format!("joint{}", first + i)).at(Vec3::Y * height);
        add(joint.hinge_range(axis, -range, range));
    }
    add(JointDef::new(end).at(Vec3::Y * height).kind(JointKind::Fixed));
}

/// Degrees, in which the literature gives its angles, to radians.
const fn degrees(angle: Real) -> Real {
    angle * (PI / 180.0)
}
