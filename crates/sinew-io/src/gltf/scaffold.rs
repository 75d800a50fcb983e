//! A document for a skeleton that comes from no glTF file.
//!
//! Joints become nodes in the skeleton's order, so node `i` is joint `i`; one
//! skin names them all, with the inverse of the rest pose as inverse bind
//! matrices. Programs that draw bones, such as Blender, take +Y of a node for
//! the direction of its bone and the distance to its children for the length.
//! So the nodes are turned to point at their children ([`along_bones`]), with
//! the joints' own frames kept in `extras`, and a root whose children all stand
//! where it stands gets a node that says where its bone ends.

use glam::{DAffine3, DQuat};
use serde_json::json;
use sinew_f64::math::rotation::between;
use sinew_f64::{JointId, ModelPose, Pose, Skeleton, Vec3};

use super::bones::BoneMesh;
use super::draft::{Data, Draft, List};
use super::extras::{Extras, JointExtras, RecordingExtras};
use super::kept::Base;
use super::stage::Stage;
use super::write::{single, single_rotation};
use crate::{Note, Surface, WriteError};

/// The most joints that get a mesh of bones, which takes 2.5 kB for each: a small file would become a very large
/// one. (The vertices of a mesh could name four times as many.)
const MOST_MESH_JOINTS: usize = 1 << 14;

/// A bone that is shorter than this has no direction: Blender, too, takes 4 mm
/// for none and then draws a bone of a metre.
const SHORTEST_BONE: f64 = 0.004;

/// What a new document has besides its nodes.
pub(super) struct Parts<'a> {
    /// What it looks like, on the skin instead of the bones.
    pub surface: Option<&'a Surface>,
    /// A skin over the joints.
    pub skin: bool,
    /// A mesh that shows the bones, on the skin.
    pub bones: bool,
    /// Nodes that point along the bones.
    pub along_bones: bool,
}

/// The document of a skeleton at rest, and what it says so far.
pub(super) fn scaffold(
    skeleton: &Skeleton,
    parts: &Parts<'_>,
    notes: &mut Vec<Note>,
) -> Result<(Draft, Base), WriteError> {
    let frames =
        if parts.along_bones { along_bones(skeleton) } else { vec![DQuat::IDENTITY; skeleton.len()] };
    let stage = Stage::of_skeleton(skeleton, frames);
    let mut draft = Draft::default();
    let generator = format!("sinew {}", env!("CARGO_PKG_VERSION"));
    draft.top.set("asset", &json!({"version": "2.0", "generator": generator}))?;
    draft.top.set("scene", &0)?;

    let end = parts.along_bones.then(|| root_end(skeleton)).flatten();
    for id in skeleton.ids() {
        let joint = skeleton.joint(id);
        let whose = || format!("the rest transform of joint '{}'", joint.name());
        let mut node = json!({"name": joint.name()});
        if let Some(parts) = stage.rest_of(id.index()).parts() {
            single(parts.translation.to_array(), whose)?;
            single_rotation(parts.rotation, whose)?;
            if parts.translation != Vec3::ZERO {
                node["translation"] = json!(parts.translation.to_array());
            }
            if parts.rotation != DQuat::IDENTITY {
                node["rotation"] = json!(parts.rotation.to_array());
            }
        }
        let mut children: Vec<usize> = skeleton.children(id).map(JointId::index).collect();
        if end.is_some() && id == skeleton.root() {
            children.push(skeleton.len());
        }
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        draft.push(List::Nodes, &node)?;
    }
    if let Some(end) = end {
        let kept = JointExtras { end: true, ..JointExtras::default() };
        let place = stage.frame_of(skeleton.root().index()) * end;
        draft.push(
            List::Nodes,
            &json!({
                "name": unused_name(skeleton, &format!("{}_end", skeleton.joint(skeleton.root()).name())),
                "translation": place.to_array(),
                "extras": Extras { sinew: kept },
            }),
        )?;
    }

    let mut scene = vec![0];
    if parts.skin {
        let skin = push_skin(&mut draft, skeleton, &stage, end)?;
        if let Some(surface) = parts.surface {
            scene.push(push_surface(&mut draft, skeleton, skin, surface)?);
        } else if parts.bones && skeleton.len() > MOST_MESH_JOINTS {
            notes.push(Note::new(format!(
                "no mesh of bones was written: it is for up to {MOST_MESH_JOINTS} joints and there are {}",
                skeleton.len()
            )));
        } else if parts.bones {
            scene.push(push_bones(&mut draft, skeleton, skin)?);
        }
    }
    draft.top.set("scenes", &json!([{"nodes": scene}]))?;
    let base = Base {
        unscaled: vec![glam::DMat3::IDENTITY; skeleton.len()],
        skeleton: skeleton.clone(),
        roles: Vec::new(),
        extras: vec![JointExtras::default(); skeleton.len()],
        motions: Vec::new(),
        recording: RecordingExtras::default(),
        stage,
    };
    Ok((draft, base))
}

/// For each joint its frame in a node that stands where the joint is, with +Y
/// towards the next joint. Of several the one that most of the joints below
/// hang on: the spine for the hips, the middle finger for a hand. A leaf points
/// at its tip, or on as its parent does.
fn along_bones(skeleton: &Skeleton) -> Vec<DQuat> {
    let rest = ModelPose::rest(skeleton);
    let mut directions: Vec<Vec3> = Vec::with_capacity(skeleton.len());
    for id in skeleton.ids() {
        let own = bone(skeleton, &rest, id).and_then(Vec3::try_normalize);
        let above = || skeleton.parent(id).map(|parent| directions[parent.index()]);
        directions.push(own.or_else(above).unwrap_or(rest.rotation(id) * Vec3::Y));
    }
    skeleton
        .ids()
        .map(|id| {
            let turn = rest.rotation(id);
            let along = between(Vec3::Y, turn.inverse() * directions[id.index()], Vec3::X);
            along.inverse().normalize()
        })
        .collect()
}

/// Where a joint's bone leads, in model space; `None` for one without length.
fn bone(skeleton: &Skeleton, rest: &ModelPose, id: JointId) -> Option<Vec3> {
    let here = rest.position(id);
    let is_long = |v: &Vec3| v.length() > SHORTEST_BONE;
    // A child at the joint itself leads where its own bone leads.
    let reach = |child: JointId| {
        skeleton.subtree(child).filter_map(|i| skeleton.id(i)).map(|j| rest.position(j) - here).find(is_long)
    };
    let ways: Vec<(f64, Vec3)> = skeleton
        .children(id)
        .filter_map(|child| Some((skeleton.subtree(child).len() as f64, reach(child)?)))
        .collect();
    if ways.is_empty() {
        let tip = skeleton.joint(id).tip()?;
        return Some(rest.transform(id).transform_point(tip) - here).filter(is_long);
    }
    let mean: Vec3 = ways.iter().map(|(joints, way)| way.normalize_or_zero() * *joints).sum();
    let nearest = ways
        .iter()
        .max_by(|(_, a), (_, b)| mean.dot(a.normalize_or_zero()).total_cmp(&mean.dot(b.normalize_or_zero())));
    nearest.map(|(_, way)| *way)
}

/// Where the root's bone ends, in its frame, if no child of it says so.
fn root_end(skeleton: &Skeleton) -> Option<Vec3> {
    let (rest, root) = (ModelPose::rest(skeleton), skeleton.root());
    let said = skeleton.children(root).any(|child| skeleton.bone_length(child) > SHORTEST_BONE);
    let way = bone(skeleton, &rest, root)?;
    (!said).then(|| rest.rotation(root).inverse() * way)
}

/// A name that no joint has.
fn unused_name(skeleton: &Skeleton, wanted: &str) -> String {
    let mut name = wanted.to_string();
    while skeleton.find(&name).is_some() {
        name.push('_');
    }
    name
}

fn push_skin(
    draft: &mut Draft,
    skeleton: &Skeleton,
    stage: &Stage,
    end: Option<Vec3>,
) -> Result<usize, WriteError> {
    let world = stage.world(stage.rest_locals());
    let mut matrices: Vec<f32> = Vec::with_capacity((skeleton.len() + 1) * 16);
    for id in skeleton.ids() {
        let whose = || format!("the bind pose of joint '{}'", skeleton.joint(id).name());
        let inverse = glam::DMat4::from(world.matrices[id.index()].inverse());
        matrices.extend(single(inverse.to_cols_array(), whose)?);
    }
    let mut joints: Vec<usize> = (0..skeleton.len()).collect();
    if let Some(end) = end {
        // A bone only if the skin names it; no vertex follows it.
        joints.push(skeleton.len());
        let root = skeleton.root().index();
        let place = world.matrices[root] * DAffine3::from_translation(stage.frame_of(root) * end);
        let inverse = glam::DMat4::from(place.inverse());
        matrices.extend(single(inverse.to_cols_array(), || "the end of the root's bone".into())?);
    }
    let accessor = draft.push_accessor("MAT4", 16, Data::F32(&matrices), None)?;
    let mut skin = json!({"inverseBindMatrices": accessor, "joints": joints, "skeleton": 0});
    if !skeleton.name().is_empty() {
        skin["name"] = skeleton.name().into();
    }
    draft.push(List::Skins, &skin)
}

/// The mesh on a node beside the skeleton: the place of a skinned mesh is that of its joints, and a parent would only
/// confuse.
fn push_mesh(
    draft: &mut Draft,
    skeleton: &Skeleton,
    skin: usize,
    mesh: &Mesh<'_>,
) -> Result<usize, WriteError> {
    const VERTICES: Option<u32> = Some(34962);
    let positions = mesh.positions.as_flattened();
    if !positions.iter().all(|x| x.is_finite()) {
        return Err(WriteError::new(
            format!("the mesh of the {}", mesh.name),
            "a place beyond single precision",
        ));
    }
    let positions = draft.push_accessor("VEC3", 3, Data::F32(positions), VERTICES)?;
    let normals = draft.push_accessor("VEC3", 3, Data::F32(mesh.normals.as_flattened()), VERTICES)?;
    let joints = mesh.joints.as_flattened();
    let joints = if skeleton.len() > 1 << 8 {
        draft.push_accessor("VEC4", 4, Data::U16(joints), VERTICES)?
    } else {
        let joints: Vec<u8> = joints.iter().map(|&joint| joint as u8).collect();
        draft.push_accessor("VEC4", 4, Data::U8(&joints), VERTICES)?
    };
    let weights = draft.push_accessor("VEC4", 4, Data::F32(mesh.weights.as_flattened()), VERTICES)?;
    let mut attributes =
        json!({"POSITION": positions, "NORMAL": normals, "JOINTS_0": joints, "WEIGHTS_0": weights});
    if let Some(colours) = mesh.colours {
        attributes["COLOR_0"] =
            draft.push_accessor("VEC3", 3, Data::F32(colours.as_flattened()), VERTICES)?.into();
    }
    let material = draft.push(
        List::Materials,
        &json!({"name": mesh.name, "pbrMetallicRoughness": {
            "baseColorFactor": mesh.colour, "metallicFactor": 0.0, "roughnessFactor": 0.8
        }}),
    )?;
    let mut primitive = json!({"attributes": attributes, "material": material});
    if let Some(triangles) = mesh.triangles {
        const INDICES: Option<u32> = Some(34963);
        primitive["indices"] =
            draft.push_accessor("SCALAR", 1, Data::U32(triangles.as_flattened()), INDICES)?.into();
    }
    let index = draft.push(List::Meshes, &json!({"name": mesh.name, "primitives": [primitive]}))?;
    // Viewers find things by name, so the mesh's node must not share one.
    let mut name = mesh.name.to_string();
    while skeleton.find(&name).is_some() {
        name.push_str(".mesh");
    }
    draft.push(List::Nodes, &json!({"name": name, "mesh": index, "skin": skin}))
}

/// A mesh that is to be written.
struct Mesh<'a> {
    name: &'static str,
    colour: [f64; 4],
    positions: &'a [[f32; 3]],
    normals: &'a [[f32; 3]],
    colours: Option<&'a [[f32; 3]]>,
    joints: &'a [[u16; 4]],
    weights: &'a [[f32; 4]],
    triangles: Option<&'a [[u32; 3]]>,
}

/// The octahedra that show the bones.
fn push_bones(draft: &mut Draft, skeleton: &Skeleton, skin: usize) -> Result<usize, WriteError> {
    let bones = BoneMesh::new(skeleton);
    let joints: Vec<[u16; 4]> = bones.joints.iter().map(|&joint| [joint as u16, 0, 0, 0]).collect();
    let mesh = Mesh {
        name: "bones",
        colour: [0.12, 0.33, 0.58, 1.0],
        positions: &bones.positions,
        normals: &bones.normals,
        colours: None,
        joints: &joints,
        weights: &vec![[1.0, 0.0, 0.0, 0.0]; joints.len()],
        triangles: None,
    };
    push_mesh(draft, skeleton, skin, &mesh)
}

/// What the asset looks like.
fn push_surface(
    draft: &mut Draft,
    skeleton: &Skeleton,
    skin: usize,
    surface: &Surface,
) -> Result<usize, WriteError> {
    surface.check(skeleton).map_err(|found| WriteError::new("the mesh of the body", found))?;
    let mesh = Mesh {
        name: "body",
        colour: [1.0; 4],
        positions: &surface.positions,
        normals: &surface.normals,
        colours: Some(&surface.colours),
        joints: &surface.joints,
        weights: &surface.weights,
        triangles: Some(&surface.triangles),
    };
    push_mesh(draft, skeleton, skin, &mesh)
}

/// The pose of an asset, or its rest pose.
pub(super) fn pose_or_rest(skeleton: &Skeleton, pose: Option<&Pose>) -> Result<Pose, WriteError> {
    match pose {
        Some(pose) if pose.len() != skeleton.len() => {
            let found = format!("{} joints, and {} in the skeleton", pose.len(), skeleton.len());
            Err(WriteError::new("the pose", found))
        }
        Some(pose) => Ok(pose.clone()),
        None => Ok(Pose::rest(skeleton)),
    }
}
