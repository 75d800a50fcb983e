//! Rigs that the project makes itself, for examples, tests and experiments.

mod chains;

pub use chains::chain;

use crate::skeleton::{Skeleton, SkeletonBuilder};

/// Builds a rig of this module. Their definitions are constants of the crate,
/// each is built in a test, so a refusal is a bug of the engine itself.
fn built(builder: SkeletonBuilder) -> Skeleton {
    #[allow(clippy::panic)] // unreachable: every embedded rig is built in a test
    match builder.build() {
        Ok(skeleton) => skeleton,
        Err(error) => panic!("embedded rig '{}': {error}", builder.name),
    }
}
