#![doc = include_str!("../README.md")]

pub mod asf;
pub mod asset;
pub mod budget;
pub mod bundle;
pub mod bvh;
pub mod error;
pub mod format;
pub mod gltf;
mod lines;
pub mod obj;
pub mod picture;
mod precision;
pub mod read;
mod replace;
pub mod rig;
pub mod single;
pub mod stl;
mod suggest;
pub mod surface;
pub mod table;
mod text;
pub mod urdf;
mod vrm;
pub mod write;
mod written;

pub use asset::{Alias, Asset, Drive, Frames, Mimic, Motion, Note, Source};
pub use budget::Budget;
pub use error::{Place, ReadError, WriteError};
pub use format::Format;
pub use precision::{narrow, widen};
pub use read::{ReadOptions, read, read_file, read_file_with, read_with};
pub use replace::{can_replace, replace_file};
pub use surface::Surface;
pub use write::{WriteOptions, write, write_file};
pub use written::Written;
