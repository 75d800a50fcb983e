//! glTF 2.0, as .gltf and .glb, VRM 0.x and 1.0, and VRM's motions (.vrma), in
//! and out.
//!
//! # What becomes of a file
//! * **Joints** are the nodes of the VRM humanoid, or of the skins, with the
//!   nodes between them; without either, the trees of nodes that are animated,
//!   or all. Nodes above the topmost joint are folded into it, so a file whose
//!   tree begins with a turn from Z up stands upright.
//! * **The rest pose** is the one of the nodes as saved, not the one of the
//!   inverse bind matrices: it is what viewers show and what an animation
//!   leaves alone. A note says where the two differ. A file that sinew wrote
//!   with [`Asset::pose`] set shows that pose, and keeps the rest pose beside it.
//! * **Scale**: joints have none. Every frame is worked out with the scales
//!   and matrices of the file, and joints take their places from there; what a
//!   rigid skeleton cannot hold is noted.
//! * **Motions**: every animation is sampled at the steady rate that has all
//!   its keys on frames, or at one close enough, from its first key on.
//! * **VRM** files say which node is which bone of a body: the asset's roles,
//!   with the names of VRM 1.0 also for 0.x. A VRM 0.x model faces −Z and is
//!   turned by half a turn at its root, so that both versions face +Z in
//!   T-pose. Spring bones and node constraints are kept and do not act.
//! * Meshes, materials, textures, cameras, lights, morph targets and extensions
//!   are not read but [kept](Kept): writing the asset again gives the file back,
//!   with the asset's pose as transforms of its nodes, its motions as
//!   animations, and joints' limits in `extras`. What was not changed keeps its
//!   bytes.
//! * **Packed data**: what a skeleton and its motions need may be packed by
//!   `EXT_meshopt_compression`. It is unpacked for reading, and kept packed.
//!
//! Nothing of a file is trusted: indices, ranges, circles among the nodes and
//! numbers are checked first, with the place in the document in the error, and
//! sizes are capped by what the file really holds.

mod accessor;
mod animate;
mod bones;
mod compact;
mod container;
mod curve;
mod document;
mod draft;
mod extras;
mod forest;
mod kept;
mod meshopt;
mod motion;
mod raw;
mod read;
mod rig;
mod scaffold;
mod skin;
mod stage;
mod surface;
mod timing;
mod vrm_out;
mod vrma;
mod write;

pub use kept::{Kept, NodeTransform};

use crate::obj::TriangleMesh;
use crate::{Asset, Budget, ReadError, WriteError, Written};

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
    read_within(bytes, sibling, Budget::default())
}

/// [`read`] with another budget of memory for the motions. What would not fit is sampled less often,
/// with a note, or refused.
pub fn read_within(
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
) -> Result<Asset, ReadError> {
    read::read(bytes, sibling, budget.for_file(bytes))
}

/// Reads the triangles of a .gltf, .glb or .vrm file as they stand in its scene, and nothing of its
/// skeleton: an obstacle, or ground to walk on. A mesh with a skin stands as it was bound.
pub fn read_mesh_within(
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
) -> Result<TriangleMesh, ReadError> {
    surface::read(bytes, sibling, budget.for_file(bytes))
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
    /// joints. Most viewers show nothing of a skeleton alone, so this is on. An
    /// asset that was read from glTF has the meshes that it had.
    pub bones: bool,
    /// Whether the nodes' +Y axes point along the bones, as Blender and others
    /// that draw bones take it. On, because a skeleton looks broken there
    /// otherwise; the joints' own axes are kept in `extras`. Has no effect on
    /// an asset that was read from glTF.
    pub along_bones: bool,
    /// Which of the asset's motions a `.vrma` holds, which has one.
    pub motion: usize,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { container: Container::Glb, bones: true, along_bones: true, motion: 0 }
    }
}

/// Writes an asset as glTF.
///
/// An asset that was read from glTF gives its file back, with what was changed.
/// Others give a new file. What glTF has no place for is kept in `extras.sinew`
/// or left out; the notes say which. Fails if a number does not fit in single
/// precision.
///
/// ```
/// use sinew_io::{Asset, gltf};
/// # let file = gltf::write(&Asset::new(sinew_f64::rigs::chain(3, 1.0)), &Default::default()).unwrap().bytes;
/// let mut asset = gltf::read(&file, &mut |_| None).unwrap();
/// let mut pose = sinew_f64::Pose::rest(&asset.skeleton);
/// let root = asset.skeleton.root();
/// pose.set_translation(root, sinew_f64::Vec3::X);
/// asset.pose = Some(pose);
/// let posed = gltf::write(&asset, &gltf::WriteOptions::default()).unwrap();
/// let again = gltf::read(&posed.bytes, &mut |_| None).unwrap();
/// assert_eq!(again.pose.unwrap().translation(root), sinew_f64::Vec3::X);
/// ```
pub fn write(asset: &Asset, options: &WriteOptions) -> Result<Written, WriteError> {
    write::write(asset, write::Kind::Plain, options)
}

/// Writes an asset as VRM: as [`write()`], in one binary file and with VRM's
/// description of the body.
///
/// A file that was a VRM stays of its version. Others become a VRM 1.0, which
/// fails if a bone that VRM asks for was not found in the skeleton.
pub fn write_vrm(asset: &Asset, options: &WriteOptions) -> Result<Written, WriteError> {
    write::write(asset, write::Kind::Vrm, &WriteOptions { container: Container::Glb, ..*options })
}

/// Writes one motion of a human body as a VRM animation, `.vrma`, which plays
/// on any VRM model.
pub fn write_vrma(asset: &Asset, options: &WriteOptions) -> Result<Written, WriteError> {
    vrma::write(asset, options)
}
