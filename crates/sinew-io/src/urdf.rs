//! URDF, the robot description of ROS.
//!
//! A URDF is a tree of links held together by joints. [`parse`] reads it to a
//! [`UrdfDocument`], which says what the file says; [`UrdfDocument::to_asset`]
//! makes the engine's skeleton of it, and [`reroot`] hangs the tree up by
//! another link first.
//!
//! # How it becomes a skeleton
//! A URDF joint moves the frame of its child link, which is what a joint of the
//! engine does: so each URDF joint becomes one joint of the same name, and the
//! root link becomes a fixed joint above them. Links stay known as
//! [aliases](crate::Asset::aliases) of the joints that carry them, so either
//! name finds the joint.
//!
//! | URDF | engine |
//! |---|---|
//! | `revolute` | hinge with a range |
//! | `continuous` | hinge without one |
//! | `prismatic` | prismatic with a range |
//! | `fixed` | fixed |
//! | `floating` | free |
//! | `planar` | two prismatic joints (`NAME.u`, `NAME.v`) and a hinge (`NAME`) |
//! | `spherical` (pybullet's, not in the standard) | ball, with a note |
//!
//! Speeds, forces and soft limits become [`Drive`](crate::Drive)s. Joints that
//! mimic others are ordinary joints plus a [`Mimic`](crate::Mimic) each:
//! [`Asset::apply_mimics`](crate::Asset::apply_mimics) puts them in their place.
//! Masses and their centres become [`Asset::masses`](crate::Asset::masses). What links look like becomes
//! [`Asset::surface`](crate::Asset::surface), a mesh that goes with the joints: boxes, cylinders, balls, and meshes in
//! STL or OBJ where the files are given; a note says which are not.
//!
//! ROS has z up and x forward; the engine has y up and characters face z. The
//! root's rest rotation turns the one into the other and nothing else changes,
//! so axes, offsets and angles of all other joints are the file's.
//!
//! # Why not the crate `urdf-rs`
//! It keeps no line numbers, so an error could not say where; it takes a
//! duplicate link, a second root or a NaN without a word; and it has no
//! re-rooting. `roxmltree` does the XML and keeps the place of everything.

mod convert;
mod document;
mod parse;
mod reroot;
mod shape;
mod tree;
mod xml;

pub use convert::UrdfOptions;
pub use document::{
    UrdfDocument, UrdfForm, UrdfJoint, UrdfJointKind, UrdfLimit, UrdfLink, UrdfMimic, UrdfSafetyController,
    UrdfShape,
};
pub use parse::parse;
pub use reroot::reroot;

use std::sync::Arc;

use crate::{Asset, Budget, ReadError};

/// Reads a robot with these axes and this root.
pub fn read_with(bytes: &[u8], options: &UrdfOptions) -> Result<Asset, ReadError> {
    read_beside(bytes, options, &mut |_| None, Budget::default())
}

/// [`read_with`] with the files that lie beside the robot, its meshes, and a budget of memory.
pub(crate) fn read_beside(
    bytes: &[u8],
    options: &UrdfOptions,
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
) -> Result<Asset, ReadError> {
    let mut document = parse(bytes)?;
    if let Some(link) = &options.root {
        document = reroot(&document, link)?;
    }
    let mut asset = document.to_asset(&UrdfOptions { root: None, ..options.clone() })?;
    let mut notes = std::mem::take(&mut asset.notes);
    let surface = shape::surface(&document, &asset, sibling, budget, &mut notes)?;
    Ok(Asset { surface: surface.map(Arc::new), notes, ..asset })
}

/// Reads a robot: [`parse`], then [`UrdfDocument::to_asset`] with the usual axes.
///
/// ```
/// let robot = r#"<robot name="door">
///   <link name="frame"/>
///   <link name="leaf"/>
///   <joint name="hinge" type="revolute">
///     <parent link="frame"/>
///     <child link="leaf"/>
///     <axis xyz="0 0 1"/>
///     <limit lower="0" upper="1.5" effort="10" velocity="1"/>
///   </joint>
/// </robot>"#;
/// let asset = sinew_io::urdf::read(robot.as_bytes())?;
/// assert_eq!(asset.find("leaf"), asset.skeleton.find("hinge"));
/// # Ok::<(), sinew_io::ReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<Asset, ReadError> {
    read_with(bytes, &UrdfOptions::default())
}
