//! The way out: one function for every format that can be written.

use std::path::Path;

use crate::bvh::{self, BvhWriteOptions};
use crate::gltf::{self, Container};
use crate::{Asset, Format, Note, WriteError, Written, replace_file, rig};

/// How to write the various formats.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WriteOptions {
    /// For BVH files.
    pub bvh: BvhWriteOptions,
    /// For glTF files; the container goes by the format.
    pub gltf: gltf::WriteOptions,
}

/// Writes an asset as a file of this format.
pub fn write(format: Format, asset: &Asset, options: &WriteOptions) -> Result<Written, WriteError> {
    match format {
        Format::Bvh => {
            let document = bvh::from_asset(asset, &options.bvh)?;
            Ok(Written { bytes: bvh::write(&document), notes: document.notes })
        }
        Format::Asf | Format::Amc | Format::Urdf => {
            Err(WriteError::new(format.to_string(), "the format can only be read"))
        }
        Format::Gltf => {
            gltf::write(asset, &gltf::WriteOptions { container: Container::Gltf, ..options.gltf })
        }
        Format::Glb => gltf::write(asset, &gltf::WriteOptions { container: Container::Glb, ..options.gltf }),
        Format::Vrm => gltf::write_vrm(asset, &options.gltf),
        Format::Vrma => gltf::write_vrma(asset, &options.gltf),
        Format::Rig => rig::write(asset),
    }
}

/// Writes an asset to a file in the format that the name's ending says, whole or not at all (see
/// [`replace_file`]). Returns what the format could not hold.
pub fn write_file(
    path: impl AsRef<Path>,
    asset: &Asset,
    options: &WriteOptions,
) -> Result<Vec<Note>, WriteError> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let format = Format::from_name(&name)
        .ok_or_else(|| WriteError::new("the file", "its ending names no format").in_file(&name))?;
    let written = write(format, asset, options).map_err(|error| error.in_file(&name))?;
    replace_file(path, &written.bytes)
        .map_err(|error| WriteError::new("the file", error.to_string()).in_file(&name))?;
    Ok(written.notes)
}
