//! ASF and AMC, Acclaim's skeleton and motion files, as the CMU database has them.
//!
//! ```text
//! .asf bytes ──parse_skeleton──► AsfDocument ─┐
//!                                             ├─to_asset──► Asset
//! .amc bytes ──parse_motion────► AmcDocument ─┘
//! ```
//!
//! A *bone* starts where its parent ends and is `direction · length` long, in
//! the model's axes. Its `axis` line gives the frame `C` in which its angles
//! are meant: a bone's rotation in the model's axes is `C M C⁻¹`, and `M` turns
//! about the frame's axes in the order of the `dof` line, the first one first:
//! `rx ry rz` is `Rz · Ry · Rx`. The bone itself turns with its rotation.
//!
//! A bone becomes a joint of the same name at the bone's start, with its tip at
//! the bone's end. The frame `C` is the joint's rest frame, so that `M` is
//! exactly the rotation that a pose stores, a bone with one angle is a hinge
//! about one of its axes, and the limits of the file are ranges of these very
//! angles. The joint's children start at its tip, so joints stand where those
//! of the CMU database's BVH conversions do (except for the bones that the
//! conversion has lost).
//!
//! The unit of length is an inch divided by the `length` of the `units`
//! section; with CMU's 0.45 it is 0.056444 m. AMC has no frame rate: 120 a
//! second is taken, and noted, unless [`AsfOptions`] says otherwise.

mod convert;
mod document;
mod motion;
mod skeleton;

pub use convert::{AsfOptions, to_asset};
pub use document::{AmcDocument, AsfBone, AsfDocument, AsfRoot, RootChannel};
pub use motion::parse_motion;
pub use skeleton::{MAX_BONES, parse_skeleton};

use crate::{Asset, ReadError};

/// Reads a skeleton, and the motion of it if there is one.
pub fn read(asf: &[u8], amc: Option<&[u8]>, options: &AsfOptions) -> Result<Asset, ReadError> {
    let skeleton = parse_skeleton(asf)?;
    let motion = amc.map(parse_motion).transpose()?;
    to_asset(&skeleton, motion.as_ref(), options)
}

/// The names under which the skeleton of a motion may lie beside it, likeliest
/// first: its own name, then cut back at each `_` from the right.
///
/// ```
/// let names = sinew_io::asf::skeleton_names("mocap/17_10.amc");
/// assert_eq!(names, ["17_10.asf", "17_10.ASF", "17.asf", "17.ASF"]);
/// ```
pub fn skeleton_names(motion_name: &str) -> Vec<String> {
    let file = motion_name.rsplit(['/', '\\']).next().unwrap_or(motion_name);
    let mut stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let mut names = Vec::new();
    loop {
        names.extend(["asf", "ASF"].map(|ending| format!("{stem}.{ending}")));
        match stem.rsplit_once('_') {
            Some((shorter, _)) if !shorter.is_empty() => stem = shorter,
            _ => return names,
        }
    }
}
