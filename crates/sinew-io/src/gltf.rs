//! glTF 2.0, as .gltf and .glb, in and out.

mod bones;
#[allow(dead_code)] // taking files apart is the reader's, which follows
mod container;
mod extras;
mod write;

use crate::{Asset, WriteError, Written};

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
