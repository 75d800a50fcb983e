//! From an [`Asset`] to glTF.
//!
//! Joints become nodes in the skeleton's order, so node `i` is joint `i`; one
//! skin names them all, with the inverse of the rest pose as inverse bind
//! matrices. A motion becomes an animation whose samplers share one list of
//! times; a joint has a rotation channel if it turns and a translation channel
//! if it moves from its place. Values are single precision, as the format
//! wants; see [`super::extras`] for what is kept beside them.

use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::buffer::{self, Stride};
use gltf_json::mesh::{Mode, Primitive, Semantic};
use gltf_json::scene::UnitQuaternion;
use gltf_json::validation::Checked::Valid;
use gltf_json::{Accessor, Animation, Index, Mesh, Node, Root, Scene, Skin};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use sinew_f64::math::rotation::same_side;
use sinew_f64::{JointId, JointKind, JointLimit, ModelPose, Quat, Skeleton, Transform, Vec3};

use super::bones::BoneMesh;
use super::extras::{Extras, JointExtras, MotionExtras, plain_kind};
use super::{Container, WriteOptions, container};
use crate::{Asset, Motion, Note, WriteError, Written};

/// The most joints that the vertices of a mesh can name.
const MOST_MESH_JOINTS: usize = 1 << 16;

/// Writes an asset; see [`super::write`].
pub(super) fn write(asset: &Asset, options: &WriteOptions) -> Result<Written, WriteError> {
    let skeleton = &asset.skeleton;
    let mut file = File::default();
    let mut notes = what_is_left_behind(asset);

    for joint in skeleton.ids() {
        file.push_joint(asset, joint)?;
    }
    let skin = file.push_skin(skeleton)?;
    let mut scene_nodes = vec![Index::new(0)];
    if options.bones && skeleton.len() > MOST_MESH_JOINTS {
        notes.push(Note::new(format!(
            "no mesh was written: its vertices can name {MOST_MESH_JOINTS} joints and there are {}",
            skeleton.len()
        )));
    } else if options.bones {
        scene_nodes.push(file.push_bones(skeleton, skin)?);
    }
    for motion in &asset.motions {
        if motion.frames.is_empty() {
            notes.push(Note::new(format!("the motion '{}' has no frames and was left out", motion.name)));
        } else {
            file.push_motion(skeleton, motion)?;
        }
    }
    file.root.asset.generator = Some(format!("sinew {}", env!("CARGO_PKG_VERSION")));
    file.root.scenes.push(Scene { extensions: None, extras: None, name: None, nodes: scene_nodes });
    file.root.scene = Some(Index::new(0));
    Ok(Written { bytes: file.finish(options.container)?, notes })
}

/// Says what of the asset the file will not hold, or only sinew will find.
fn what_is_left_behind(asset: &Asset) -> Vec<Note> {
    let joints = asset.skeleton.joints();
    let limited = joints.iter().filter(|joint| *joint.limit() != JointLimit::None).count();
    let stiff = joints.iter().filter(|joint| joint.stiffness() != 0.0).count();
    let special = (1..joints.len()).filter(|&i| joints[i].kind() != JointKind::Ball).count();
    let tips = joints.iter().filter(|joint| joint.tip().is_some()).count();
    let mut notes = Vec::new();
    for (count, what) in [
        (limited, "joint limits"),
        (special, "joint kinds other than ball"),
        (stiff, "stiffnesses"),
        (tips, "bone tips (end sites)"),
        (asset.roles.len(), "humanoid roles"),
    ] {
        if count > 0 {
            notes.push(Note::new(format!("{count} {what} are kept in extras.sinew, which only sinew reads")));
        }
    }
    for (count, what) in [
        (asset.aliases.len(), "other names of joints"),
        (asset.mimics.len(), "joints that follow others"),
        (asset.drives.len(), "drives"),
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

/// A document and its one buffer, both growing.
#[derive(Default)]
struct File {
    root: Root,
    binary: Vec<u8>,
}

impl File {
    fn push_joint(&mut self, asset: &Asset, id: JointId) -> Result<(), WriteError> {
        let joint = asset.skeleton.joint(id);
        let plain = plain_kind(joint.parent().is_none());
        let kept = JointExtras {
            kind: Some(joint.kind()).filter(|kind| *kind != plain),
            limit: Some(joint.limit().clone()).filter(|limit| *limit != JointLimit::None),
            tip: joint.tip().map(|tip| tip.to_array()),
            stiffness: Some(joint.stiffness()).filter(|stiffness| *stiffness != 0.0),
            roles: asset.roles.iter().filter(|(_, j)| *j == id).map(|(role, _)| role.clone()).collect(),
        };
        let rest = joint.rest();
        let whose = || format!("the rest transform of joint '{}'", joint.name());
        let children: Vec<_> =
            asset.skeleton.children(id).map(|child| Index::new(child.index() as u32)).collect();
        self.root.nodes.push(Node {
            children: Some(children).filter(|children| !children.is_empty()),
            extras: if kept.is_plain() { None } else { Some(raw(kept)?) },
            name: Some(joint.name().into()),
            rotation: (rest.rotation != Quat::IDENTITY)
                .then(|| single_rotation(rest.rotation, whose).map(UnitQuaternion))
                .transpose()?,
            translation: (rest.translation != Vec3::ZERO)
                .then(|| single(rest.translation.to_array(), whose))
                .transpose()?,
            ..Node::default()
        });
        Ok(())
    }

    fn push_skin(&mut self, skeleton: &Skeleton) -> Result<Index<Skin>, WriteError> {
        let model = ModelPose::rest(skeleton);
        let view = self.start_view(None, None);
        for joint in skeleton.ids() {
            let Transform { translation, rotation } = model.transform(joint).inverse();
            let matrix = glam::DMat4::from_rotation_translation(rotation, translation);
            let whose = || format!("the bind pose of joint '{}'", skeleton.joint(joint).name());
            self.extend(&single(matrix.to_cols_array(), whose)?);
        }
        let inverse_bind_matrices =
            self.push_accessor(view, 0, ComponentType::F32, Type::Mat4, skeleton.len());
        self.end_view(view);
        let skin = Skin {
            extensions: None,
            extras: None,
            inverse_bind_matrices: Some(inverse_bind_matrices),
            joints: (0..skeleton.len() as u32).map(Index::new).collect(),
            name: Some(skeleton.name().to_string()).filter(|name| !name.is_empty()),
            skeleton: Some(Index::new(0)),
        };
        Ok(Index::push(&mut self.root.skins, skin))
    }

    /// The mesh that shows the bones, on a node beside the skeleton: the place
    /// of a skinned mesh is that of its joints, and a parent would only confuse.
    fn push_bones(&mut self, skeleton: &Skeleton, skin: Index<Skin>) -> Result<Index<Node>, WriteError> {
        let mesh = BoneMesh::new(skeleton);
        let count = mesh.positions.len();
        let vertices = Some(Valid(buffer::Target::ArrayBuffer));
        let mut attributes = std::collections::BTreeMap::new();

        let positions = self.start_view(vertices, Some(12));
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for position in &mesh.positions {
            if !position.iter().all(|x| x.is_finite()) {
                return Err(WriteError::new("the bones' mesh", "a place beyond single precision"));
            }
            for axis in 0..3 {
                min[axis] = min[axis].min(position[axis]);
                max[axis] = max[axis].max(position[axis]);
            }
            self.extend(position);
        }
        let accessor = self.push_accessor(positions, 0, ComponentType::F32, Type::Vec3, count);
        self.bound(accessor, min.as_slice(), max.as_slice());
        attributes.insert(Valid(Semantic::Positions), accessor);
        self.end_view(positions);

        let normals = self.start_view(vertices, Some(12));
        mesh.normals.iter().for_each(|normal| self.extend(normal));
        let accessor = self.push_accessor(normals, 0, ComponentType::F32, Type::Vec3, count);
        attributes.insert(Valid(Semantic::Normals), accessor);
        self.end_view(normals);

        let wide = skeleton.len() > 1 << 8;
        let joints = self.start_view(vertices, Some(if wide { 8 } else { 4 }));
        for &joint in &mesh.joints {
            if wide {
                self.binary.extend_from_slice(&(joint as u16).to_le_bytes());
                self.binary.extend_from_slice(&[0; 6]);
            } else {
                self.binary.extend_from_slice(&[joint as u8, 0, 0, 0]);
            }
        }
        let component = if wide { ComponentType::U16 } else { ComponentType::U8 };
        let accessor = self.push_accessor(joints, 0, component, Type::Vec4, count);
        attributes.insert(Valid(Semantic::Joints(0)), accessor);
        self.end_view(joints);

        let weights = self.start_view(vertices, Some(16));
        (0..count).for_each(|_| self.extend(&[1.0, 0.0, 0.0, 0.0]));
        let accessor = self.push_accessor(weights, 0, ComponentType::F32, Type::Vec4, count);
        attributes.insert(Valid(Semantic::Weights(0)), accessor);
        self.end_view(weights);

        let mut material = gltf_json::Material { name: Some("bones".into()), ..Default::default() };
        material.pbr_metallic_roughness.base_color_factor.0 = [0.12, 0.33, 0.58, 1.0];
        material.pbr_metallic_roughness.metallic_factor.0 = 0.0;
        material.pbr_metallic_roughness.roughness_factor.0 = 0.8;
        let material = Index::push(&mut self.root.materials, material);

        let primitive = Primitive {
            attributes,
            extensions: None,
            extras: None,
            indices: None,
            material: Some(material),
            mode: Valid(Mode::Triangles),
            targets: None,
        };
        let mesh = Index::push(
            &mut self.root.meshes,
            Mesh {
                extensions: None,
                extras: None,
                name: Some("bones".into()),
                primitives: vec![primitive],
                weights: None,
            },
        );
        // Viewers find things by name, so the mesh's node must not share one.
        let mut name = "bones".to_string();
        while skeleton.find(&name).is_some() {
            name.push_str(".mesh");
        }
        let node = Node { mesh: Some(mesh), skin: Some(skin), name: Some(name), ..Node::default() };
        Ok(Index::push(&mut self.root.nodes, node))
    }

    fn push_motion(&mut self, skeleton: &Skeleton, motion: &Motion) -> Result<(), WriteError> {
        let what = || format!("the motion '{}'", motion.name);
        let frames = motion.frames.len();
        if frames > 1 && !(motion.frame_time > 0.0 && motion.frame_time.is_finite()) {
            return Err(WriteError::new(what(), format!("a frame time of {} s", motion.frame_time)));
        }
        if let Some(frame) = motion.frames.iter().position(|pose| pose.len() != skeleton.len()) {
            let found = format!("{} joints in frame {frame}", motion.frames[frame].len());
            return Err(WriteError::new(what(), format!("{found}, and {} in the skeleton", skeleton.len())));
        }
        let view = self.start_view(None, None);
        let start = self.binary.len();
        let times: Vec<f32> = (0..frames).map(|i| (i as f64 * motion.frame_time) as f32).collect();
        if let Some(i) = (1..frames).find(|&i| times[i] <= times[i - 1] || !times[i].is_finite()) {
            let found = format!("frames {} and {i} at times that are one in single precision", i - 1);
            return Err(WriteError::new(what(), found));
        }
        self.extend(&times);
        let input = self.push_accessor(view, 0, ComponentType::F32, Type::Scalar, frames);
        self.bound(input, &times[..1], &times[frames - 1..]);

        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        for joint in skeleton.ids() {
            let turns = motion.frames.iter().any(|pose| pose.rotation(joint) != Quat::IDENTITY);
            let shifts = motion.frames.iter().any(|pose| pose.translation(joint) != Vec3::ZERO);
            let rest = skeleton.joint(joint).rest();
            let whose = |frame: usize| {
                move || {
                    let joint = skeleton.joint(joint).name();
                    format!("frame {frame} of the motion '{}', joint '{joint}'", motion.name)
                }
            };
            // The root always has a channel, since an animation needs one.
            if turns || joint == skeleton.root() {
                let offset = self.binary.len() - start;
                let mut last = Quat::IDENTITY;
                for (frame, pose) in motion.frames.iter().enumerate() {
                    last = same_side(rest.rotation * pose.rotation(joint), last);
                    self.extend(&single_rotation(last, whose(frame))?);
                }
                let output = self.push_accessor(view, offset, ComponentType::F32, Type::Vec4, frames);
                push_channel(&mut samplers, &mut channels, input, output, joint, Property::Rotation);
            }
            if shifts {
                let offset = self.binary.len() - start;
                for (frame, pose) in motion.frames.iter().enumerate() {
                    let place = rest.transform_point(pose.translation(joint));
                    self.extend(&single(place.to_array(), whose(frame))?);
                }
                let output = self.push_accessor(view, offset, ComponentType::F32, Type::Vec3, frames);
                push_channel(&mut samplers, &mut channels, input, output, joint, Property::Translation);
            }
        }
        self.end_view(view);
        let kept = MotionExtras { frame_time: motion.frame_time, frames };
        self.root.animations.push(Animation {
            extensions: None,
            extras: Some(raw(kept)?),
            channels,
            name: Some(motion.name.clone()).filter(|name| !name.is_empty()),
            samplers,
        });
        Ok(())
    }

    fn extend(&mut self, values: &[f32]) {
        self.binary.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }

    /// Begins a run of the buffer; [`end_view`](Self::end_view) sets its length.
    fn start_view(
        &mut self,
        target: Option<gltf_json::validation::Checked<buffer::Target>>,
        stride: Option<usize>,
    ) -> Index<buffer::View> {
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        let view = buffer::View {
            buffer: Index::new(0),
            byte_length: 0usize.into(),
            byte_offset: Some(self.binary.len().into()),
            byte_stride: stride.map(Stride),
            name: None,
            target,
            extensions: None,
            extras: None,
        };
        Index::push(&mut self.root.buffer_views, view)
    }

    fn end_view(&mut self, view: Index<buffer::View>) {
        let view = &mut self.root.buffer_views[view.value()];
        let start = view.byte_offset.map_or(0, |offset| offset.0);
        view.byte_length = (self.binary.len() as u64 - start).into();
    }

    fn push_accessor(
        &mut self,
        view: Index<buffer::View>,
        offset: usize,
        component: ComponentType,
        type_: Type,
        count: usize,
    ) -> Index<Accessor> {
        let accessor = Accessor {
            buffer_view: Some(view),
            byte_offset: (offset > 0).then(|| offset.into()),
            count: count.into(),
            component_type: Valid(GenericComponentType(component)),
            extensions: None,
            extras: None,
            type_: Valid(type_),
            min: None,
            max: None,
            name: None,
            normalized: false,
            sparse: None,
        };
        Index::push(&mut self.root.accessors, accessor)
    }

    fn bound(&mut self, accessor: Index<Accessor>, min: &[f32], max: &[f32]) {
        let accessor = &mut self.root.accessors[accessor.value()];
        accessor.min = Some(min.into());
        accessor.max = Some(max.into());
    }

    fn finish(mut self, container: Container) -> Result<Vec<u8>, WriteError> {
        let uri = match container {
            Container::Glb => None,
            Container::Gltf => Some(container::to_data_uri(&self.binary)),
        };
        self.root.buffers.push(gltf_json::Buffer {
            byte_length: self.binary.len().into(),
            name: None,
            uri,
            extensions: None,
            extras: None,
        });
        let failed = |error: serde_json::Error| WriteError::new("the JSON document", error.to_string());
        match container {
            Container::Glb => {
                let json = self.root.to_vec().map_err(failed)?;
                container::join(json, self.binary)
                    .ok_or_else(|| WriteError::new("the file", "more than the 4 GiB that a GLB can have"))
            }
            Container::Gltf => self.root.to_vec_pretty().map_err(failed),
        }
    }
}

fn push_channel(
    samplers: &mut Vec<Sampler>,
    channels: &mut Vec<Channel>,
    input: Index<Accessor>,
    output: Index<Accessor>,
    joint: JointId,
    path: Property,
) {
    let interpolation = Valid(Interpolation::Linear);
    let sampler =
        Index::push(samplers, Sampler { extensions: None, extras: None, input, interpolation, output });
    let node = Index::new(joint.index() as u32);
    let target = Target { extensions: None, extras: None, node, path: Valid(path) };
    channels.push(Channel { sampler, target, extensions: None, extras: None });
}

fn raw(kept: impl Serialize) -> Result<Box<RawValue>, WriteError> {
    to_raw_value(&Extras { sinew: kept }).map_err(|error| WriteError::new("extras.sinew", error.to_string()))
}

/// Numbers in single precision, refused where they do not fit.
fn single<const N: usize>(values: [f64; N], whose: impl Fn() -> String) -> Result<[f32; N], WriteError> {
    let narrow = values.map(|value| value as f32);
    match (0..N).find(|&i| !narrow[i].is_finite()) {
        Some(i) => Err(WriteError::new(whose(), format!("the number {}", values[i]))),
        None => Ok(narrow),
    }
}

/// A rotation in single precision, x y z w, unit before it is rounded.
fn single_rotation(rotation: Quat, whose: impl Fn() -> String) -> Result<[f32; 4], WriteError> {
    if rotation.length_squared() < 1.0e-12 {
        return Err(WriteError::new(whose(), "a rotation of length zero"));
    }
    single(rotation.normalize().to_array(), whose)
}
