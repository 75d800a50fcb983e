//! sinew's own rig file: what other formats have no place for.
//!
//! A rig file is TOML that people can read and edit. It is a whole rig, or a
//! *sidecar*: limits, roles, weights, goals and postures for the joints of a
//! skeleton in another file, by name. `docs/rig-file.md` is its schema.
//!
//! [`parse`] reads the text to a [`RigDocument`], in which joints are names;
//! [`read`] makes an asset of that, and [`write()`] and [`write_sidecar`] go the
//! other way. What they write is read back bit for bit.
//!
//! # Why a reader of our own over `toml`'s tree
//! Deriving the types with serde would lose the places: an error about a joint
//! that does not exist, or a limit that does not fit its joint, is found after
//! parsing and still has to name its line. `toml` parses, with the span of
//! every key and value; the modules here only look things up in its tree.

mod behaviour;
mod build;
mod document;
mod limit;
mod parse;
mod quantity;
mod region;
mod table;
mod text;
mod write;

pub use document::{
    RigAlias, RigBehaviour, RigDocument, RigDrive, RigGoal, RigJoint, RigKey, RigKeyPosture, RigLimit,
    RigLimitShape, RigMimic, RigMotion, RigPosture, RigTarget,
};
pub use parse::parse;
pub use quantity::{Quantity, Unit};
pub use write::{write, write_sidecar};

use crate::error::{Place, quoted};
use crate::{Asset, Budget, Format, ReadError, ReadOptions};

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 1;

/// Reads a rig file. `sibling` gives the bytes of the file beside it that a
/// sidecar names.
///
/// ```
/// let file = r#"
/// sinew_rig = 1
/// name = "door"
///
/// [[joint]]
/// name = "frame"
/// kind = "fixed"
///
/// [[joint]]
/// name = "leaf"
/// parent = "frame"
/// kind = "hinge"
/// axis = [0, 1, 0]
/// limit = { min = 0, max = 110 }
/// "#;
/// let asset = sinew_io::rig::read(file.as_bytes(), &mut |_| None)?;
/// assert_eq!(asset.skeleton.len(), 2);
/// # Ok::<(), sinew_io::ReadError>(())
/// ```
pub fn read(bytes: &[u8], sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<Asset, ReadError> {
    read_within(bytes, sibling, Budget::default().for_file(bytes))
}

/// The same with a budget for what it becomes in memory.
pub(crate) fn read_within(
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
) -> Result<Asset, ReadError> {
    let document = parse(bytes)?;
    let Some((file, place)) = &document.skeleton else { return document.to_asset(budget) };
    let skeleton = read_skeleton(file, place, sibling, budget)?;
    document.onto(skeleton, budget)
}

/// The asset that a sidecar speaks about.
fn read_skeleton(
    file: &str,
    place: &Place,
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
) -> Result<Asset, ReadError> {
    let Some(bytes) = sibling(file) else {
        let found = format!("no file {} beside this one", quoted(file));
        return Err(ReadError::new(place.clone(), found, "the file with the skeleton"));
    };
    // The same choice as in `crate::read`. A sidecar of a sidecar could go
    // round in circles, whatever the file is called; nobody needs one.
    let format = Format::from_content(&bytes).or(Format::from_name(file));
    if format == Some(Format::Rig) {
        let document = parse(&bytes).map_err(|error| error.in_file(file))?;
        if document.skeleton.is_some() {
            let found = format!("{}, which has its skeleton in another file itself", quoted(file));
            return Err(ReadError::new(place.clone(), found, "the file with the skeleton"));
        }
        return document.to_asset(budget).map_err(|error| error.in_file(file));
    }
    // What that file asks for is beside it, not beside this one.
    let folder = file.rfind('/').map_or("", |slash| &file[..=slash]);
    let options = ReadOptions { budget, ..ReadOptions::default() };
    crate::read_with(file, &bytes, &mut |name| sibling(&format!("{folder}{name}")), &options)
}
