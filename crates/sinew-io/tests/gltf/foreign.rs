//! Another reader: local transforms by the crate `gltf`, places by plain 4×4
//! matrices. It knows nothing of joints, rest poses or rigid transforms.

use std::collections::HashMap;

use glam::{DMat4, DQuat, DVec3};
use gltf::animation::util::ReadOutputs;

/// Translation, rotation and scale of a node.
pub type Parts = (DVec3, DQuat, DVec3);

pub struct Foreign {
    pub document: gltf::Document,
    blob: Vec<u8>,
}

impl Foreign {
    pub fn new(bytes: &[u8]) -> Self {
        let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(bytes).unwrap();
        Self { document, blob: blob.unwrap_or_default() }
    }

    pub fn rest(&self) -> Vec<DMat4> {
        let matrix = |m: [[f32; 4]; 4]| DMat4::from_cols_array_2d(&m.map(|column| column.map(f64::from)));
        self.document.nodes().map(|node| matrix(node.transform().matrix())).collect()
    }

    /// When the keys of an animation are, in seconds: those of the sampler that has the most.
    pub fn key_times(&self, animation: usize) -> Vec<f64> {
        let channels = self.document.animations().nth(animation).unwrap().channels();
        let times = channels.map(|channel| {
            let reader = channel.reader(|_| Some(&self.blob));
            reader.read_inputs().unwrap().map(f64::from).collect::<Vec<f64>>()
        });
        times.max_by_key(Vec::len).unwrap()
    }

    /// Local transforms at the key with this index; all samplers of the
    /// animation must have as many keys, or one.
    pub fn at_key(&self, animation: usize, key: usize) -> Vec<DMat4> {
        let mut parts: HashMap<usize, Parts> = HashMap::new();
        for channel in self.document.animations().nth(animation).unwrap().channels() {
            let node = channel.target().node();
            let (t, r, s) = node.transform().decomposed();
            let entry = parts.entry(node.index()).or_insert((
                glam::Vec3::from(t).as_dvec3(),
                glam::Quat::from_array(r).as_dquat(),
                glam::Vec3::from(s).as_dvec3(),
            ));
            let reader = channel.reader(|_| Some(&self.blob));
            // A cubic spline's key is a tangent, the value and another tangent.
            let cubic = channel.sampler().interpolation() == gltf::animation::Interpolation::CubicSpline;
            let pick = |count: usize| {
                if cubic { 3 * key.min(count / 3 - 1) + 1 } else { key.min(count - 1) }
            };
            match reader.read_outputs().unwrap() {
                ReadOutputs::Translations(values) => {
                    let values: Vec<_> = values.collect();
                    entry.0 = glam::Vec3::from(values[pick(values.len())]).as_dvec3();
                }
                ReadOutputs::Rotations(values) => {
                    let values: Vec<_> = values.into_f32().collect();
                    entry.1 = glam::Quat::from_array(values[pick(values.len())]).as_dquat().normalize();
                }
                ReadOutputs::Scales(values) => {
                    let values: Vec<_> = values.collect();
                    entry.2 = glam::Vec3::from(values[pick(values.len())]).as_dvec3();
                }
                ReadOutputs::MorphTargetWeights(_) => {}
            }
        }
        let mut locals = self.rest();
        for (node, (translation, rotation, scale)) in parts {
            locals[node] = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        }
        locals
    }

    /// The place of every node, by name.
    pub fn places(&self, locals: &[DMat4]) -> HashMap<String, DVec3> {
        let mut places = HashMap::new();
        let scenes = self.document.scenes().flat_map(|scene| scene.nodes());
        let mut stack: Vec<_> = scenes.map(|node| (node, DMat4::IDENTITY)).collect();
        while let Some((node, parent)) = stack.pop() {
            let here = parent * locals[node.index()];
            places.insert(node.name().unwrap_or_default().to_string(), here.w_axis.truncate());
            stack.extend(node.children().map(|child| (child, here)));
        }
        places
    }
}
