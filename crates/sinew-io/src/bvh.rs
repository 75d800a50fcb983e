//! BVH, the Biovision hierarchy: a skeleton and one motion, as text.
//!
//! ```text
//! bytes ──parse──► BvhDocument ──to_asset──► Asset ──from_asset──► BvhDocument ──write──► bytes
//! ```
//!
//! The format has no written standard, so this is what the readers and writers
//! in use agree on:
//!
//! - A joint's rotation channels multiply from left to right: `Zrotation
//!   Xrotation Yrotation` is `Rz · Rx · Ry`. Every joint may have its own order.
//! - Position channels *replace* the components of the joint's offset that they
//!   name, at the root and anywhere else; they are not added to it.
//! - There are no units. [`BvhOptions::scale`] says what one is; without it a
//!   guess is made from the size of the skeleton, and noted.
//! - Y is up, except in the files where Z is. [`BvhOptions::up`] says so;
//!   without it head and feet decide, and a turn is noted.
//!
//! What an asset cannot say about such a file (channel orders, axes) travels
//! along as [`BvhHabits`], so that reading and writing gives the same file.

mod convert;
mod document;
mod euler;
mod export;
mod guess;
mod parse;
mod write;

pub use convert::{BvhOptions, to_asset};
pub use document::{Axis, BvhDocument, BvhHabits, BvhJoint, Channel, UpAxis};
pub use export::{BvhWriteOptions, from_asset};
pub use parse::{MAX_DEPTH, MAX_JOINTS, MAX_VALUES, parse};
pub use write::write;

use crate::{Asset, ReadError};

/// Reads a BVH file with the usual options: [`parse`], then [`to_asset`].
///
/// ```
/// let file = b"HIERARCHY
/// ROOT Hips
/// {
///     OFFSET 0 0 0
///     CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
///     End Site
///     {
///         OFFSET 0 170 0
///     }
/// }
/// MOTION
/// Frames: 1
/// Frame Time: 0.0333333
/// 0 90 0 0 0 45
/// ";
/// let asset = sinew_io::bvh::read(file)?;
/// assert_eq!(asset.skeleton.joints()[0].name(), "Hips");
/// assert_eq!(asset.motions[0].frames.len(), 1);
/// assert_eq!(asset.source.unit, Some(0.01)); // a guess, and the notes say so
/// # Ok::<(), sinew_io::ReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<Asset, ReadError> {
    to_asset(&parse(bytes)?, &BvhOptions::default())
}
