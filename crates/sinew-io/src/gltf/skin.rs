//! The skin of a glTF file: where its points are at rest, and which joints carry them.
//!
//! Nothing is drawn with it. Whoever puts a body on the ground wants to know where its soles are,
//! and joints do not say how thick a shoe is.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::{DAffine3, DMat4, DVec3};
use serde::Deserialize;
use sinew_f64::{JointId, ModelPose, Skeleton, Vec3};

use super::accessor::Buffers;
use super::document::{self, Document};
use super::kept::Kept;
use crate::error::ReadError;

/// The most points that are read. A small file may name the same ones over and over.
const MOST_POINTS: u64 = 1 << 22;

/// Places, joints and weights of the points of a primitive.
const ATTRIBUTES: [(&str, &str); 3] = [("POSITION", "VEC3"), ("JOINTS_0", "VEC4"), ("WEIGHTS_0", "VEC4")];

/// A joint of a skin as the skeleton has it, and what takes a point of the mesh to where it has it
/// at rest. `None` for one that the skeleton does not have.
type Carrier = Option<(JointId, DAffine3)>;

/// What of the document makes skins.
#[derive(Deserialize)]
struct Meshes {
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    meshes: Vec<Mesh>,
}

#[derive(Deserialize)]
struct Node {
    mesh: Option<usize>,
    skin: Option<usize>,
}

#[derive(Deserialize)]
struct Mesh {
    #[serde(default)]
    primitives: Vec<Primitive>,
}

#[derive(Deserialize)]
struct Primitive {
    #[serde(default)]
    attributes: BTreeMap<String, usize>,
}

impl Kept {
    /// The points of the skin at rest: each with the joint that carries most of it, in that
    /// joint's frame. Empty for a file without a skin, with one that cannot be read (packed by
    /// an extension that is not known here, with buffers that are missing, or with more than four million
    /// points), and for a skeleton that is not the file's any more.
    pub fn skin(&self, skeleton: &Skeleton) -> Vec<(JointId, Vec3)> {
        let own = self.base.fits(skeleton).then(|| self.read_skin().ok()).flatten();
        own.unwrap_or_default()
    }

    fn read_skin(&self) -> Result<Vec<(JointId, Vec3)>, ReadError> {
        let document = document::parse(self.json())?;
        let Ok(meshes) = serde_json::from_slice::<Meshes>(self.json()) else { return Ok(Vec::new()) };
        let mut sibling = |uri: &str| {
            let index = document.buffers.iter().position(|buffer| buffer.uri.as_deref() == Some(uri))?;
            self.buffer(index).map(<[u8]>::to_vec)
        };
        let mut buffers = Buffers::new(&document, self.buffer(0), &mut sibling);
        let mut points = Vec::new();
        // A mesh that several nodes show with one skin is one skin.
        let mut shown: Vec<(usize, usize)> =
            meshes.nodes.iter().filter_map(|node| Some((node.mesh?, node.skin?))).collect();
        shown.sort_unstable();
        shown.dedup();
        // Primitives of one mesh often have their points in common.
        let mut parts: Vec<(usize, [usize; 3])> = Vec::new();
        let mut known = HashSet::new();
        for (mesh, skin) in shown {
            let primitives = meshes.meshes.get(mesh).map_or(&[][..], |mesh| &mesh.primitives);
            let of_mesh = primitives.iter().filter_map(|p| Some((skin, attributes(&document, p)?)));
            parts.extend(of_mesh.filter(|part| known.insert(*part)));
        }
        let count = |(_, [places, ..]): &(usize, [usize; 3])| document.accessors[*places].count;
        if parts.iter().map(count).fold(0, u64::saturating_add) > MOST_POINTS {
            return Ok(points);
        }
        let mut last: Option<(usize, Vec<Carrier>)> = None;
        for (skin, attributes) in parts {
            let carriers = match last.take() {
                Some((of, carriers)) if of == skin => carriers,
                _ => self.carriers(&document, skin, &mut buffers)?,
            };
            self.points(attributes, &carriers, &mut buffers, &mut points)?;
            last = Some((skin, carriers));
        }
        Ok(points)
    }

    /// For each joint of a skin, the joint of the skeleton and what takes a point of the mesh to
    /// where that joint has it at rest.
    fn carriers(
        &self,
        document: &Document,
        skin: usize,
        buffers: &mut Buffers<'_>,
    ) -> Result<Vec<Carrier>, ReadError> {
        let Some(skin) = document.skins.get(skin) else { return Ok(Vec::new()) };
        let bound = match skin.inverse_bind_matrices {
            Some(accessor) => Some(buffers.values(accessor, "MAT4", "inverseBindMatrices")?),
            None => None,
        };
        let stage = &self.base.stage;
        let world = stage.world(stage.rest_locals());
        let ids = self.base.skeleton.ids().rev();
        let joints: HashMap<usize, JointId> =
            ids.filter_map(|id| Some((stage.node_of(id.index())?, id))).collect();
        let carrier = |(k, node): (usize, &usize)| {
            let (&joint, &node) = (joints.get(node)?, node);
            let matrix = world.matrices[stage.place_of(node)?];
            let inverse = match &bound {
                Some(values) => {
                    let columns: [f64; 16] = values.get(k * 16..(k + 1) * 16)?.try_into().ok()?;
                    DAffine3::from_mat4(DMat4::from_cols_array(&columns))
                }
                None => DAffine3::IDENTITY,
            };
            Some((joint, matrix * inverse))
        };
        Ok(skin.joints.iter().enumerate().map(carrier).collect())
    }

    /// Adds the points of a primitive, by its attributes.
    fn points(
        &self,
        attributes: [usize; 3],
        carriers: &[Carrier],
        buffers: &mut Buffers<'_>,
        points: &mut Vec<(JointId, Vec3)>,
    ) -> Result<(), ReadError> {
        let mut values = |k: usize| buffers.values(attributes[k], ATTRIBUTES[k].1, ATTRIBUTES[k].0);
        let (places, joints, weights) = (values(0)?, values(1)?, values(2)?);
        let rest = ModelPose::rest(&self.base.skeleton);
        let each = places.chunks_exact(3).zip(joints.chunks_exact(4)).zip(weights.chunks_exact(4));
        for ((place, joints), weights) in each {
            let place = DVec3::new(place[0], place[1], place[2]);
            let (mut sum, mut total, mut most) = (DVec3::ZERO, 0.0, None::<(f64, JointId)>);
            for (&joint, &weight) in joints.iter().zip(weights) {
                let carrier = carriers.get(joint as usize).copied().flatten();
                let Some((joint, matrix)) = carrier.filter(|_| weight > 0.0) else { continue };
                sum += matrix.transform_point3(place) * weight;
                total += weight;
                if most.is_none_or(|(best, _)| weight > best) {
                    most = Some((weight, joint));
                }
            }
            let Some((_, joint)) = most else { continue };
            points.push((joint, rest.transform(joint).inverse().transform_point(sum / total)));
        }
        Ok(())
    }
}

/// The attributes of a primitive that has all of them. Accessors without data hold what an extension packs.
fn attributes(document: &Document, primitive: &Primitive) -> Option<[usize; 3]> {
    let attribute = |(name, _): (&str, &str)| {
        let &index = primitive.attributes.get(name)?;
        document.accessors.get(index)?.buffer_view.map(|_| index)
    };
    let [places, joints, weights] = ATTRIBUTES.map(attribute);
    Some([places?, joints?, weights?])
}
