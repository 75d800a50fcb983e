//! From an [`Asset`] to glTF: a document, kept or new, and what the asset
//! changes in it.
//!
//! The asset says where every joint is, at rest and in its pose. Nodes that
//! would be read so already are left as they are; the others get the shift and
//! turn that makes it so, and keep their scale ([`Stage::locals_for`]). What
//! glTF has no place for goes to [`super::extras`].
//!
//! [`Stage::locals_for`]: super::stage::Stage::locals_for

use std::collections::HashSet;

use glam::DQuat;
use sinew_f64::{JointKind, JointLimit, Pose, Quat, Skeleton, Transform};

use super::animate::animate;
use super::draft::{Draft, List};
use super::extras::{JointExtras, RecordingExtras, columns};
use super::forest::Local;
use super::kept::Base;
use super::raw::RawObject;
use super::scaffold::{Parts, pose_or_rest, scaffold};
use super::{Container, WriteOptions, vrm_out};
use crate::asset::Placing;
use crate::{Asset, Note, WriteError, Written};

/// What kind of glTF file it is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    Vrm,
}

/// Writes an asset; see [`super::write`].
pub(super) fn write(asset: &Asset, kind: Kind, options: &WriteOptions) -> Result<Written, WriteError> {
    let mut notes = what_is_left_behind(asset);
    // The file's meshes have its own size and axes; without them the asset's are what counts. Placing keeps parents,
    // so whether the file's document still fits can be asked before.
    let fits = asset.source.gltf.as_deref().is_some_and(|kept| kept.base.fits(&asset.skeleton));
    let placing = asset.source.placing;
    let own = (fits && placing != Placing::AS_READ).then(|| {
        notes.push(Note::new("the file has the size and the axes that it came with, as its meshes have"));
        asset.placed(placing.inverse())
    });
    let own = own.transpose().map_err(|error| WriteError::new("the skeleton", error.to_string()))?;
    let asset = own.as_ref().unwrap_or(asset);
    let kept = asset.source.gltf.as_deref();
    if let Some(kept) = kept.filter(|_| fits) {
        let draft = kept.draft(&mut notes)?;
        return edited(draft, &kept.base, asset, kind, options.container, notes);
    }
    if kept.is_some() {
        notes.push(Note::new(
            "the skeleton has other joints than the file that it came from: meshes, materials and all else in that file are left out",
        ));
    }
    let surface = asset.surface.as_deref().filter(|_| options.bones);
    let parts = Parts { surface, skin: true, bones: options.bones, along_bones: options.along_bones };
    let (draft, base) = scaffold(&asset.skeleton, &parts, &mut notes)?;
    edited(draft, &base, asset, kind, options.container, notes)
}

/// Whether two frames are the same but for roundings: at another size and back a last bit differs.
fn is_same_place(a: Transform, b: Transform) -> bool {
    let near = 1.0e-12 * (1.0 + b.translation.length());
    let turned = (a.rotation - b.rotation).length().min((a.rotation + b.rotation).length());
    (a.translation - b.translation).length() <= near && turned <= 1.0e-12
}

/// Makes a document say what the asset says.
pub(super) fn edited(
    mut draft: Draft,
    base: &Base,
    asset: &Asset,
    kind: Kind,
    container: Container,
    mut notes: Vec<Note>,
) -> Result<Written, WriteError> {
    let skeleton = &asset.skeleton;
    let pose = pose_or_rest(skeleton, asset.pose.as_ref())?;
    check_finite(skeleton, &pose, || "the pose".into())?;
    let rest = base.locals_for(skeleton, &Pose::rest(skeleton), base.stage.rest_locals());
    let from = if asset.pose.is_some() { base.stage.shown() } else { &rest };
    let shown = base.locals_for(skeleton, &pose, from);
    let stage = base.stage.with_rest(rest);

    // The joints' motions are told from rest, so another rest pose makes
    // another motion of the same poses.
    let same_rest =
        skeleton.ids().all(|id| is_same_place(skeleton.joint(id).rest(), base.skeleton.joint(id).rest()));
    let taken = if same_rest { &base.motions[..] } else { &[] };
    let animated = animate(&mut draft, base, taken, asset, &shown, &mut notes)?;

    let roles_in_extras = draft.extension("VRM").is_none()
        && draft.extension("VRMC_vrm").is_none()
        && draft.extension("VRMC_vrm_animation").is_none()
        && kind != Kind::Vrm;
    let roles: &[_] = if roles_in_extras { &asset.roles } else { &[] };
    for id in skeleton.ids() {
        let Some(node) = base.stage.node_of(id.index()) else { continue };
        let mut object = None;
        let now = JointExtras::of(skeleton, id, roles, base.unscaled[id.index()]);
        let now = now.fitted(&stage, id.index(), &shown);
        if now != base.extras[id.index()] {
            set_extras(object.insert(draft.item(List::Nodes, node)?), &now, now.is_plain())?;
        }
        let name = skeleton.joint(id).name();
        if name != base.skeleton.joint(id).name() {
            if object.is_none() {
                object = Some(draft.item(List::Nodes, node)?);
            }
            if let Some(object) = &mut object {
                object.set("name", &name)?;
            }
        }
        if let Some(object) = object {
            draft.replace(List::Nodes, node, &object)?;
        }
    }
    place_nodes(&mut draft, base, &shown, &animated)?;

    let recording = RecordingExtras { unit: asset.source.recording_unit, bvh: asset.source.bvh.clone() };
    let recording = recording.checked(skeleton.len());
    if recording != base.recording {
        let plain = recording == RecordingExtras::default();
        set_extras(&mut draft.top, &recording, plain)?;
    }
    if asset.pose.is_some() && kind == Kind::Vrm {
        notes
            .push(Note::new("VRM wants models to stand in T-pose; this one stands in the pose that was set"));
    }
    if kind == Kind::Vrm || asset.roles != base.roles {
        vrm_out::set_humanoid(&mut draft, base, asset, kind, &mut notes)?;
    }
    Ok(Written { bytes: draft.finish(container)?, notes })
}

/// Puts the nodes where they are to be, those that differ.
fn place_nodes(
    draft: &mut Draft,
    base: &Base,
    shown: &[Local],
    animated: &HashSet<usize>,
) -> Result<(), WriteError> {
    for (place, (now, before)) in shown.iter().zip(base.stage.shown()).enumerate() {
        let node = base.stage.node_at(place);
        let in_parts = animated.contains(&place) && matches!(before, Local::Matrix(_));
        if now == before && !in_parts {
            continue;
        }
        let whose = || format!("the transform of node {node}");
        let mut object = draft.item(List::Nodes, node)?;
        match (now.parts(), now) {
            (Some(parts), _) => {
                single(parts.translation.to_array(), whose)?;
                let was = match before {
                    Local::Parts(was) => Some(*was),
                    // A node that moves may have no matrix.
                    Local::Matrix(_) => {
                        object.remove("matrix");
                        None
                    }
                };
                if was.is_none_or(|was| was.translation != parts.translation) {
                    object.set("translation", &parts.translation.to_array())?;
                }
                if was.is_none_or(|was| was.rotation != parts.rotation) {
                    single_rotation(parts.rotation, whose)?;
                    object.set("rotation", &parts.rotation.to_array())?;
                }
                if was.is_none() {
                    object.set("scale", &parts.scale.to_array())?;
                }
            }
            (None, Local::Matrix(matrix)) => {
                object.set("matrix", &single_checked(columns(*matrix), whose)?)?
            }
            (None, Local::Parts(_)) => {}
        }
        draft.replace(List::Nodes, node, &object)?;
    }
    Ok(())
}

/// Sets `extras.sinew` of an object, or takes it away.
fn set_extras(object: &mut RawObject, value: &impl serde::Serialize, plain: bool) -> Result<(), WriteError> {
    let mut extras: RawObject = object.read("extras").unwrap_or_default();
    if plain {
        extras.remove("sinew");
    } else {
        extras.set("sinew", value)?;
    }
    if extras.is_empty() {
        object.remove("extras");
        Ok(())
    } else {
        object.set("extras", &extras)
    }
}

/// Says what of the asset the file will not hold, or only sinew will find.
fn what_is_left_behind(asset: &Asset) -> Vec<Note> {
    let joints = asset.skeleton.joints();
    let limited = joints.iter().filter(|joint| *joint.limit() != JointLimit::None).count();
    let stiff = joints.iter().filter(|joint| joint.stiffness() != 0.0).count();
    let special = (1..joints.len()).filter(|&i| joints[i].kind() != JointKind::Ball).count();
    let tips = joints.iter().filter(|joint| joint.tip().is_some()).count();
    let is_vrm = matches!(asset.source.format, Some(crate::Format::Vrm | crate::Format::Vrma));
    let roles = if is_vrm { 0 } else { asset.roles.len() };
    let mut notes = Vec::new();
    for (count, what) in [
        (limited, "joint limits"),
        (special, "joint kinds other than ball"),
        (stiff, "stiffnesses"),
        (tips, "bone tips (end sites)"),
        (roles, "humanoid roles"),
    ] {
        if count > 0 {
            notes.push(Note::new(format!("{count} {what} are kept in extras.sinew, which only sinew reads")));
        }
    }
    for (count, what) in [
        (asset.aliases.len(), "other names of joints"),
        (asset.mimics.len(), "joints that follow others"),
        (asset.drives.len(), "drives"),
        (asset.masses.len(), "masses"),
        (asset.goals.len(), "goals"),
        (asset.postures.len(), "postures"),
        (asset.behaviours.len(), "behaviours"),
    ] {
        if count > 0 {
            notes.push(Note::new(format!("{count} {what} are left out: glTF has no place for them")));
        }
    }
    notes
}

/// Refuses a pose with numbers that are none.
pub(super) fn check_finite(
    skeleton: &Skeleton,
    pose: &Pose,
    whose: impl Fn() -> String,
) -> Result<(), WriteError> {
    for id in skeleton.ids() {
        let here = || format!("{}, joint '{}'", whose(), skeleton.joint(id).name());
        single(pose.translation(id).to_array(), here)?;
        single_rotation(pose.rotation(id), here)?;
    }
    Ok(())
}

/// Numbers in single precision, refused where they do not fit.
pub(super) fn single<const N: usize>(
    values: [f64; N],
    whose: impl Fn() -> String,
) -> Result<[f32; N], WriteError> {
    let narrow = values.map(|value| value as f32);
    match (0..N).find(|&i| !narrow[i].is_finite()) {
        Some(i) => Err(WriteError::new(whose(), format!("the number {}", values[i]))),
        None => Ok(narrow),
    }
}

/// Numbers that single precision can hold, with all their digits.
fn single_checked<const N: usize>(
    values: [f64; N],
    whose: impl Fn() -> String,
) -> Result<Vec<f64>, WriteError> {
    single(values, whose).map(|_| values.to_vec())
}

/// A rotation in single precision, x y z w, unit before it is rounded.
pub(super) fn single_rotation(rotation: Quat, whose: impl Fn() -> String) -> Result<[f32; 4], WriteError> {
    if rotation.length_squared() < 1.0e-12 {
        return Err(WriteError::new(whose(), "a rotation of length zero"));
    }
    let unit: DQuat = rotation.normalize();
    single(unit.to_array(), whose)
}
