//! glTF 2.0, as .gltf and .glb, in and out; VRM 0.x and 1.0 in.
//!
//! # What becomes of a file
//! * **Joints** are the nodes of the VRM humanoid, or of the skins, with the
//!   nodes between them; without either, the trees of nodes that are animated,
//!   or all. Nodes above the topmost joint are folded into it, so a file whose
//!   tree begins with a turn from Z up stands upright.
//! * **The rest pose** is the one of the nodes as saved, not the one of the
//!   inverse bind matrices: it is what viewers show and what an animation
//!   leaves alone. A note says where the two differ.
//! * **Scale**: joints have none. Every frame is worked out with the scales
//!   and matrices of the file, and joints take their places from there; what a
//!   rigid skeleton cannot hold is noted.
//! * **Motions**: every animation is sampled at the steady rate that has all
//!   its keys on frames, or at one close enough, from its first key on.
//! * **VRM** files say which node is which bone of a body: the asset's roles,
//!   with the names of VRM 1.0 also for 0.x. A VRM 0.x model faces −Z and is
//!   turned by half a turn at its root, so that both versions face +Z in
//!   T-pose. Spring bones and node constraints are noted and not carried over.
//! * Meshes, materials, cameras, lights and morph targets are not read.
//!
//! Nothing of a file is trusted: indices, ranges, circles among the nodes and
//! numbers are checked first, with the place in the document in the error, and
//! sizes are capped by what the file really holds.

mod accessor;
mod bones;
mod container;
mod curve;
mod document;
mod extras;
mod forest;
mod motion;
mod read;
mod rig;
mod timing;
mod write;

use crate::{Asset, ReadError, WriteError, Written};

/// Whether the bytes begin as a GLB (or a VRM) does.
pub fn is_glb(bytes: &[u8]) -> bool {
    container::is_glb(bytes)
}

/// Reads a .gltf, .glb or .vrm file.
///
/// `sibling` is asked for the files that a .gltf keeps beside it, by their
/// names relative to its folder; it never is for anything outside of that
/// folder. Whoever has only the bytes passes `&mut |_| None`.
///
/// ```
/// use sinew_io::{Asset, gltf};
/// let asset = Asset::new(sinew_f64::rigs::chain(3, 1.0));
/// let file = gltf::write(&asset, &gltf::WriteOptions::default()).unwrap();
/// let again = gltf::read(&file.bytes, &mut |_| None).unwrap();
/// assert_eq!(again.skeleton.len(), 4);
/// ```
pub fn read(bytes: &[u8], sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Result<Asset, ReadError> {
    read::read(bytes, sibling)
}

/// How the parts of a file are held together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Container {
    /// One binary file, .glb.
    #[default]
    Glb,
    /// A JSON document, .gltf, with its buffer inside as base64.
    Gltf,
}

/// What to write besides the skeleton and its motions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The kind of file.
    pub container: Container,
    /// Whether to add a mesh of octahedra along the bones, moved by the
    /// joints. Most viewers show nothing of a skeleton alone, so this is on.
    pub bones: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { container: Container::Glb, bones: true }
    }
}

/// Writes an asset as glTF.
///
/// Names, hierarchy, rest pose, motions and their frame rates are kept. What
/// glTF has no place for is kept in `extras.sinew` or left out; the notes say
/// which. Fails if a number does not fit in single precision.
pub fn write(asset: &Asset, options: &WriteOptions) -> Result<Written, WriteError> {
    write::write(asset, options)
}
