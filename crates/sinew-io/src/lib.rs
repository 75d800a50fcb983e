//! Readers and writers for the files people have: BVH, ASF/AMC, glTF and VRM,
//! URDF, and sinew's own rig file.
//!
//! Every format is parsed to a plain document of its own first, which holds
//! what the file says in the file's units and axes, and is then converted to an
//! [`Asset`]: right-handed, Y up, metres, radians. Writers go the other way.
//! Nothing outside of this crate converts anything.
//!
//! Assets are in double precision, as files are; [`narrow`] makes the skeleton
//! and the poses that the single-precision engine takes.

pub mod asset;
pub mod error;
pub mod gltf;
pub mod narrow;
mod written;

pub use asset::{Alias, Asset, Drive, Mimic, Motion, Note};
pub use error::{Place, ReadError, WriteError};
pub use written::Written;
