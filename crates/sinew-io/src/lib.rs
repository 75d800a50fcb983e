#![doc = include_str!("../README.md")]

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
