//! From glTF to an [`Asset`].

use std::sync::Arc;

use glam::{DAffine3, DMat3, DMat4, DQuat};
use sinew_f64::math::rotation::angle;
use sinew_f64::skeleton::humanoid::HumanoidBone;
use sinew_f64::{JointDef, JointLimit, Pose, Skeleton, SkeletonBuilder, Vec3};

use super::accessor::Buffers;
use super::container;
use super::document::{self, Document};
use super::extras::{Extras, JointExtras, plain_kind};
use super::forest::{Forest, nearest_rotation};
use super::kept::{Base, Kept, fingerprint};
use super::motion::{check_channels, motions};
use super::rig::{Rig, choose};
use super::stage::{Fitting, Rest, Stage, is_lost};
use crate::error::{Place, ReadError, quoted};
use crate::{Asset, Budget, Format, Note, vrm};

/// Reads a file; see [`super::read`].
pub(super) fn read(
    bytes: &[u8],
    sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    budget: Budget,
) -> Result<Asset, ReadError> {
    let parts = container::split(bytes)?;
    let document = document::parse(parts.json)?;
    let mut notes = Vec::new();
    let forest = Forest::new(&document, &mut notes)?;
    check_channels(&document)?;

    let extensions = &document.extensions;
    let mut humanoid = vrm::humanoid(
        extensions.vrm0.as_ref(),
        extensions.vrm1.as_ref(),
        extensions.vrm_animation.as_ref(),
        document.nodes.len(),
    )?;
    if let Some(humanoid) = &mut humanoid {
        notes.append(&mut humanoid.notes);
    }
    note_what_vrm_moves(&document, &mut notes);
    let bones: Vec<usize> = humanoid.iter().flat_map(|h| &h.roles).map(|(_, node)| *node).collect();
    let rig = choose(&document, &forest, &bones, &mut notes)?;
    let kept: Vec<KeptJoint> = rig.nodes.iter().map(|node| kept_joint(&document, *node)).collect();

    let faces_back = humanoid.as_ref().is_some_and(|h| h.version == vrm::Version::Zero);
    let turned = if faces_back { DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0) } else { DQuat::IDENTITY };
    let fittings: Vec<Fitting> = kept.iter().map(|kept| kept.fitting).collect();
    let stage = Stage::new(&forest, &rig, &fittings, turned);
    let rest = stage.rest(&rig.names, &mut notes)?;

    let mut buffers = Buffers::new(&document, parts.binary, sibling).within(budget);
    note_bind_pose(&document, &rig, &rest, &mut buffers, &mut notes)?;
    let name = humanoid.as_ref().and_then(|h| h.name.clone()).or_else(|| rig.name.clone());
    let (builder, mut roles) = joints(&rig, kept, &rest, name.unwrap_or_default(), &mut notes);
    let skeleton = builder.build_sorted().map_err(|error| {
        ReadError::new(Place::Path("nodes".into()), error.to_string(), "nodes that make a skeleton")
    })?;
    // From here on joints are in the skeleton's order.
    let order: Vec<usize> = skeleton.from_builder().iter().map(|id| id.index()).collect();
    let stage = stage.reordered(&order);
    let mut unscaled = rest.unscaled.clone();
    for (i, &to) in order.iter().enumerate() {
        unscaled[to] = rest.unscaled[i];
    }

    let motions = motions(&document, &stage, &skeleton, (&mut buffers, budget), &mut notes)?;
    let pose = shown_pose(&stage, &skeleton)?;
    let recording = document.extras.0.as_ref().map(|extras| extras.sinew.clone());
    let recording = recording.unwrap_or_default().checked(skeleton.len());

    let mut asset = Asset::new(skeleton);
    let fingerprints = motions.iter().map(|(index, motion)| (*index, fingerprint(motion))).collect();
    asset.motions = motions.into_iter().map(|(_, motion)| motion).collect();
    asset.pose = pose;
    // What a VRM says of itself counts before what we kept in it.
    let is_motion = humanoid.as_ref().is_some_and(|h| h.version == vrm::Version::Animation);
    if let Some(humanoid) = humanoid {
        let place = |node: usize| rig.nodes.iter().position(|&other| other == Some(node));
        roles = humanoid
            .roles
            .iter()
            .filter_map(|&(role, node)| Some((role.name().to_string(), place(node)?)))
            .collect();
    }
    roles.sort_by_key(|(role, _)| HumanoidBone::from_name(role).map_or(usize::MAX, HumanoidBone::index));
    let place = asset.skeleton.from_builder();
    asset.roles = roles.into_iter().map(|(role, joint)| (role, place[joint])).collect();
    asset.notes = notes;
    asset.source.format = Some(match (bones.is_empty(), container::is_glb(bytes)) {
        (false, _) if is_motion => Format::Vrma,
        (false, _) => Format::Vrm,
        (true, true) => Format::Glb,
        (true, false) => Format::Gltf,
    });
    asset.source.unit = Some(1.0);
    asset.source.mesh_turn = document.nodes.iter().any(|node| node.mesh.is_some()).then_some(turned);
    asset.source.recording_unit = recording.unit;
    asset.source.bvh.clone_from(&recording.bvh);
    let own_roles: &[_] = if bones.is_empty() { &asset.roles } else { &[] };
    let extras = asset.skeleton.ids().map(|id| {
        let of_joint = JointExtras::of(&asset.skeleton, id, own_roles, unscaled[id.index()]);
        of_joint.fitted(&stage, id.index(), stage.shown())
    });
    let base = Base {
        extras: extras.collect(),
        unscaled,
        skeleton: asset.skeleton.clone(),
        roles: asset.roles.clone(),
        motions: fingerprints,
        recording,
        stage,
    };
    asset.source.gltf = Some(Arc::new(Kept::new(parts.json, &document, &mut buffers, base)));
    Ok(asset)
}

/// The pose that the file shows, where that is not the rest pose.
fn shown_pose(stage: &Stage, skeleton: &Skeleton) -> Result<Option<Pose>, ReadError> {
    if !stage.is_posed() {
        return Ok(None);
    }
    let world = stage.world(stage.shown());
    if world.matrices.iter().any(is_lost) {
        let place = Place::Path("nodes".into());
        return Err(ReadError::new(place, "places too far away for numbers", "places near the origin"));
    }
    let mut pose = Pose::rest(skeleton);
    for (id, local) in skeleton.ids().zip(stage.joint_locals(&world)) {
        pose.set_local(skeleton, id, local);
    }
    // What stands as it does at rest differs by rounding alone.
    for id in skeleton.ids() {
        if angle(pose.rotation(id)) < 1.0e-12 {
            pose.set_rotation(id, DQuat::IDENTITY);
        }
        if pose.translation(id).length() < 1.0e-12 {
            pose.set_translation(id, Vec3::ZERO);
        }
    }
    Ok(Some(pose))
}

/// What our own files keep of a joint in `extras`, and whether that made sense.
struct KeptJoint {
    extras: Option<JointExtras>,
    fitting: Fitting,
    sound: bool,
}

fn kept_joint(document: &Document, node: Option<usize>) -> KeptJoint {
    let extras = node.and_then(|node| document.nodes[node].extras.as_ref());
    let Some(extras) = extras.filter(|extras| extras.get("sinew").is_some()) else {
        return KeptJoint { extras: None, fitting: Fitting::default(), sound: true };
    };
    let read = serde_json::from_value::<Extras<JointExtras>>(extras.clone());
    let extras = read.ok().map(|extras| extras.sinew);
    match extras.as_ref().and_then(JointExtras::fitting) {
        Some(fitting) => KeptJoint { extras, fitting, sound: true },
        None => KeptJoint { extras: None, fitting: Fitting::default(), sound: false },
    }
}

fn note_what_vrm_moves(document: &Document, notes: &mut Vec<Note>) {
    if document.extensions.spring_bones.is_some() {
        notes.push(Note::new("the spring bones (VRMC_springBone) are kept in the file and do not move here"));
    }
    let constrained =
        document.nodes.iter().filter(|node| node.extensions.contains_key("VRMC_node_constraint")).count();
    if constrained > 0 {
        notes.push(Note::new(format!(
            "{constrained} node constraints (VRMC_node_constraint) are kept in the file and do not act here"
        )));
    }
}

/// The joints for the builder, in the rig's order, and the roles that our own
/// files keep in `extras`.
fn joints(
    rig: &Rig,
    kept: Vec<KeptJoint>,
    rest: &Rest,
    name: String,
    notes: &mut Vec<Note>,
) -> (SkeletonBuilder, Vec<(String, usize)>) {
    let mut builder = SkeletonBuilder::new(name);
    let mut roles = Vec::new();
    let mut unread = Vec::new();
    for (joint, KeptJoint { extras, sound, .. }) in kept.into_iter().enumerate() {
        let mut def = JointDef::new(rig.names[joint].as_str()).kind(plain_kind(joint == 0));
        def.parent = rig.parents[joint];
        def.rest = rest.transforms[joint];
        let mut sound = sound;
        if let Some(extras) = extras {
            roles.extend(extras.roles.iter().map(|role| (role.clone(), joint)));
            sound &= take_extras(&mut def, extras, rest.unscaled[joint]);
        }
        if !sound {
            unread.push(rig.names[joint].as_str());
        }
        builder.add(def);
    }
    if let Some(first) = unread.first() {
        let count = unread.len();
        notes.push(Note::new(format!(
            "extras.sinew of {count} joints made no sense (first {})",
            quoted(first)
        )));
    }
    (builder, roles)
}

/// Gives a joint what we kept of it, if that makes a joint; `false` if not.
fn take_extras(def: &mut JointDef, kept: JointExtras, unscaled: DMat3) -> bool {
    let mut wanted = def.clone();
    wanted.kind = kept.kind.unwrap_or(def.kind);
    wanted.limit = kept.limit.unwrap_or(JointLimit::None);
    wanted.tip = kept.tip.map(|tip| unscaled * Vec3::from(tip));
    wanted.stiffness = kept.stiffness.unwrap_or(0.0);
    // Whoever changed the file may have left something that is no joint; the
    // builder knows, and would otherwise refuse the whole skeleton.
    let mut alone = SkeletonBuilder::new("");
    alone.add(JointDef { parent: None, ..wanted.clone() });
    let within = wanted.tip.is_none_or(|tip| tip.as_vec3().is_finite());
    let sound = within && alone.build().is_ok();
    if sound {
        *def = wanted;
    }
    sound
}

/// Says so where the pose of the nodes is not the one that the mesh was bound
/// in. Both are poses of the same skeleton; the nodes' is the one that viewers
/// show and that channels left out of an animation fall back to, so it is the
/// rest pose. Compared are the joints against their parents, because the two
/// may stand in different places as a whole.
fn note_bind_pose(
    document: &Document,
    rig: &Rig,
    rest: &Rest,
    buffers: &mut Buffers<'_>,
    notes: &mut Vec<Note>,
) -> Result<(), ReadError> {
    let mut of_node: Vec<Option<usize>> = vec![None; document.nodes.len()];
    for (joint, node) in rig.nodes.iter().enumerate() {
        if let Some(node) = node {
            of_node[*node] = Some(joint);
        }
    }
    let mut worst: Option<(f64, usize)> = None;
    let mut differing = std::collections::HashSet::new();
    for &s in &rig.skins {
        let skin = &document.skins[s];
        let Some(accessor) = skin.inverse_bind_matrices else { continue };
        let values = buffers.values(accessor, "MAT4", &format!("skins[{s}].inverseBindMatrices"))?;
        if values.len() < skin.joints.len() * 16 {
            return Err(ReadError::new(
                Place::Path(format!("skins[{s}].inverseBindMatrices")),
                format!("{} matrices", values.len() / 16),
                format!("one for each of the skin's {} joints", skin.joints.len()),
            ));
        }
        let mut inverse_bind: Vec<Option<DAffine3>> = vec![None; rig.nodes.len()];
        for (k, &node) in skin.joints.iter().enumerate() {
            let mut columns = [0.0; 16];
            columns.copy_from_slice(&values[k * 16..(k + 1) * 16]);
            if let Some(joint) = of_node[node] {
                inverse_bind[joint] = Some(DAffine3::from_mat4(DMat4::from_cols_array(&columns)));
            }
        }
        for joint in 0..rig.nodes.len() {
            let Some(parent) = rig.parents[joint] else { continue };
            let (Some(own), Some(above)) = (inverse_bind[joint], inverse_bind[parent]) else { continue };
            let bound = above * own.inverse();
            let shown = rest.matrices[parent].inverse() * rest.matrices[joint];
            let turns = nearest_rotation(bound.matrix3).zip(nearest_rotation(shown.matrix3));
            let Some((a, b)) = turns else { continue };
            let turn = angle(a.inverse() * b);
            let shift = (bound.translation - shown.translation).length();
            let length = shown.translation.length();
            if turn > 0.01 || shift > 0.02 * length + 1.0e-4 {
                differing.insert(joint);
                if worst.is_none_or(|(most, _)| turn > most) {
                    worst = Some((turn, joint));
                }
            }
        }
    }
    if let Some((turn, joint)) = worst {
        let (count, name, degrees) = (differing.len(), quoted(&rig.names[joint]), turn.to_degrees());
        notes.push(Note::new(format!(
            "the rest pose is that of the nodes; the mesh was bound in another one ({count} joints differ, {name} by {degrees:.0}°)"
        )));
    }
    Ok(())
}
