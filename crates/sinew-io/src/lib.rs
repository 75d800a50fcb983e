//! Readers and writers for the files people have: BVH, ASF/AMC, glTF and VRM,
//! URDF, and sinew's own rig file.
//!
//! ```text
//! bytes ──► plain document (the file's own units and axes) ──► Asset ──► plain document ──► bytes
//!   read, read_file            bvh::parse …      bvh::to_asset  bvh::from_asset   write, write_file
//! ```
//!
//! Every format is parsed to a plain document of its own first, which holds
//! what the file says in the file's units and axes, and is then converted to an
//! [`Asset`]: right-handed, Y up, metres, radians. Writers go the other way.
//! Nothing outside of this crate converts anything.
//!
//! Assets are in double precision, as files are. [`single`] reads a file for the
//! single-precision engine; [`narrow`] and [`widen`] convert one thing at a time.

pub mod asf;
pub mod asset;
pub mod bvh;
pub mod error;
pub mod format;
pub mod gltf;
mod lines;
pub mod narrow;
mod precision;
pub mod read;
pub mod rig;
pub mod single;
mod suggest;
mod text;
pub mod urdf;
mod vrm;
pub mod widen;
pub mod write;
mod written;

pub use asset::{Alias, Asset, Drive, Mimic, Motion, Note, Source};
pub use error::{Place, ReadError, WriteError};
pub use format::Format;
pub use read::{ReadOptions, read, read_file, read_file_with, read_with};
pub use write::{WriteOptions, write, write_file};
pub use written::Written;
