//! A small mesh that shows a skeleton: an octahedron along every bone, as
//! Blender draws them, so that a viewer without bones shows something.

use glam::DVec3;
use sinew_f64::math::{any_perpendicular, direction_or};
use sinew_f64::{ModelPose, Skeleton};

/// Where along a bone it is thickest, and how thick, as parts of its length.
const WAIST: f64 = 0.1;
const THICKNESS: f64 = 0.1;
/// The least thickness, as a part of a typical bone's length, so that fingers
/// and necks do not vanish, and the most that a short bone takes of it, as a
/// part of its own.
const THINNEST: f64 = 0.035;
const STUBBIEST: f64 = 0.3;

/// Triangles without an index: three vertices each, every vertex moved by one joint.
#[derive(Debug, Default)]
pub(super) struct BoneMesh {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// The joint that moves each vertex.
    pub joints: Vec<u32>,
}

impl BoneMesh {
    /// The bones of a skeleton at rest, in model space.
    pub fn new(skeleton: &Skeleton) -> Self {
        let model = ModelPose::rest(skeleton);
        let mut mesh = Self::default();
        let lengths: Vec<f64> = skeleton.ids().skip(1).map(|joint| skeleton.bone_length(joint)).collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        // A joint without a bone of its own (a leaf, a chain of zero-length
        // joints) still shows, as a small octahedron.
        let typical = if longest > 0.0 { lengths.iter().sum::<f64>() / lengths.len() as f64 } else { 1.0 };

        for joint in skeleton.ids() {
            let head = model.position(joint);
            let children = skeleton.children(joint).map(|child| model.position(child));
            let tip = skeleton.joint(joint).tip().map(|tip| model.transform(joint).transform_point(tip));
            let mut shown = false;
            for tail in children.chain(tip) {
                let length = (tail - head).length();
                // Shorter than this the triangles collapse in single precision.
                if length > longest * 1.0e-5 && length > 1.0e-9 {
                    let radius = (THICKNESS * length).max(THINNEST * typical).min(STUBBIEST * length);
                    mesh.octahedron(joint.index(), head, tail, WAIST, radius);
                    shown = true;
                }
            }
            if !shown {
                let radius = typical * THINNEST;
                let up = model.rotation(joint) * DVec3::Y * radius;
                mesh.octahedron(joint.index(), head - up, head + up, 0.5, radius);
            }
        }
        mesh
    }

    /// An octahedron from `head` to `tail` with its square at `waist` of the way.
    fn octahedron(&mut self, joint: usize, head: DVec3, tail: DVec3, waist: f64, radius: f64) {
        let along = direction_or(tail - head, DVec3::Y);
        let u = any_perpendicular(along) * radius;
        let v = along.cross(u);
        let centre = head + (tail - head) * waist;
        let ring = [centre + u, centre + v, centre - u, centre - v];
        for k in 0..4 {
            let (a, b) = (ring[k], ring[(k + 1) % 4]);
            self.triangle(joint, [a, b, tail]);
            self.triangle(joint, [b, a, head]);
        }
    }

    fn triangle(&mut self, joint: usize, corners: [DVec3; 3]) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let normal = direction_or(normal, DVec3::Y).as_vec3().normalize();
        for corner in corners {
            self.positions.push(corner.as_vec3().to_array());
            self.normals.push(normal.to_array());
            self.joints.push(joint as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_f64::rigs;

    #[test]
    fn every_triangle_faces_outwards_and_every_joint_shows() {
        let skeleton = rigs::chain(4, 2.0);
        let mesh = BoneMesh::new(&skeleton);
        let centre: Vec<DVec3> = skeleton
            .ids()
            .map(|joint| {
                let own: Vec<DVec3> = (0..mesh.joints.len())
                    .filter(|&v| mesh.joints[v] as usize == joint.index())
                    .map(|v| glam::Vec3::from(mesh.positions[v]).as_dvec3())
                    .collect();
                assert_eq!(own.len(), 24, "eight triangles for joint {}", joint.index());
                own.iter().sum::<DVec3>() / own.len() as f64
            })
            .collect();
        for v in 0..mesh.positions.len() {
            let out = glam::Vec3::from(mesh.positions[v]).as_dvec3() - centre[mesh.joints[v] as usize];
            assert!(out.dot(glam::Vec3::from(mesh.normals[v]).as_dvec3()) > 0.0);
        }
    }
}
