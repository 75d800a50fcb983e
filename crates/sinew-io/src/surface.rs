//! A mesh that goes with the joints of a skeleton, for rigs whose file is no glTF: the parts of a robot, or a body
//! that somebody has made around the bones.

use sinew_f64::{JointId, Quat, Skeleton, Transform, Vec3};

use crate::obj::TriangleMesh;

/// A mesh in model space at rest. All lists but the triangles have one entry for each corner.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// Where.
    pub positions: Vec<[f32; 3]>,
    /// Which way is out.
    pub normals: Vec<[f32; 3]>,
    /// Red, green and blue, linear, from 0 to 1.
    pub colours: Vec<[f32; 3]>,
    /// The joints that move it.
    pub joints: Vec<[u16; 4]>,
    /// How much each of them does; one together.
    pub weights: Vec<[f32; 4]>,
    /// Corners by their places in the lists.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// Bytes in memory of a triangle with corners of its own.
    pub(crate) const TRIANGLE: usize = 3 * 60 + 12;

    /// Adds a mesh that is carried by one joint, with flat faces: `frame` is where it stands in model space at rest.
    /// `false`, and nothing is added, if it is too large or too far away for numbers of single precision.
    pub(crate) fn add(
        &mut self,
        mesh: &TriangleMesh,
        scale: Vec3,
        frame: Transform,
        joint: JointId,
        colour: [f32; 3],
    ) -> bool {
        let held = |corner: &Vec3| frame.transform_point(scale * *corner).as_vec3().is_finite();
        if !mesh.corners().flatten().all(|corner| held(&corner)) {
            return false;
        }
        // A mirrored mesh has its faces the other way round.
        let mirrored = scale.x * scale.y * scale.z < 0.0;
        for corners in mesh.corners() {
            let mut corners = corners.map(|corner| frame.transform_point(scale * corner));
            if mirrored {
                corners.swap(1, 2);
            }
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let normal = normal.try_normalize().unwrap_or(Vec3::Y).as_vec3().to_array();
            let first = self.positions.len() as u32;
            for corner in corners {
                self.positions.push(corner.as_vec3().to_array());
                self.normals.push(normal);
                self.colours.push(colour);
                self.joints.push([joint.index() as u16, 0, 0, 0]);
                self.weights.push([1.0, 0.0, 0.0, 0.0]);
            }
            self.triangles.push([first, first + 1, first + 2]);
        }
        true
    }

    /// The surface of the skeleton that is so many times as large, and turned.
    pub(crate) fn placed(&self, scale: f64, turn: Quat) -> Self {
        let vector = |v: &[f32; 3]| Vec3::new(v[0].into(), v[1].into(), v[2].into());
        let point = |p: &[f32; 3]| (turn * (scale * vector(p))).as_vec3().to_array();
        let normal = |n: &[f32; 3]| (turn * vector(n)).as_vec3().to_array();
        Self {
            positions: self.positions.iter().map(point).collect(),
            normals: self.normals.iter().map(normal).collect(),
            ..self.clone()
        }
    }

    /// What is wrong with it, if something is, as the surface of a skeleton.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), String> {
        let count = self.positions.len();
        let lists = [self.normals.len(), self.colours.len(), self.joints.len(), self.weights.len()];
        if count == 0 || self.triangles.is_empty() || lists.iter().any(|other| *other != count) {
            return Err(format!("a mesh of {count} corners whose lists have {lists:?} entries"));
        }
        let numbers = [&self.positions, &self.normals, &self.colours].into_iter().flatten().flatten();
        if numbers.chain(self.weights.iter().flatten()).any(|x| !x.is_finite()) {
            return Err("a mesh with numbers that are none".into());
        }
        if self.triangles.iter().flatten().any(|corner| *corner as usize >= count) {
            return Err("a mesh with a corner that there is none of".into());
        }
        if self.joints.iter().flatten().any(|joint| usize::from(*joint) >= skeleton.len()) {
            return Err("a mesh with a joint that there is none of".into());
        }
        Ok(())
    }
}

/// The sides of a turned shape.
const AROUND: u32 = 24;

/// A box about the origin.
pub(crate) fn cuboid(size: Vec3) -> TriangleMesh {
    let corner = |i: u32| {
        let sign = |bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
        size * Vec3::new(sign(0), sign(1), sign(2))
    };
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh { vertices: (0..8).map(corner).collect(), triangles }
}

/// What a profile of radii and heights leaves when it turns about z, closed at its ends.
pub(crate) fn turned(profile: &[(f64, f64)]) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for (radius, height) in profile {
        for k in 0..AROUND {
            let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / f64::from(AROUND)).sin_cos();
            mesh.vertices.push(Vec3::new(radius * cos, radius * sin, *height));
        }
    }
    for ring in 1..profile.len() as u32 {
        let (low, high) = ((ring - 1) * AROUND, ring * AROUND);
        for k in 0..AROUND {
            let next = (k + 1) % AROUND;
            mesh.triangles.push([low + k, low + next, high + next]);
            mesh.triangles.push([low + k, high + next, high + k]);
        }
    }
    // Rings without a radius leave triangles without an area.
    let area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| mesh.vertices[i as usize]);
        (b - a).cross(c - a).length_squared() > 0.0
    };
    let triangles = mesh.triangles.iter().copied().filter(area).collect();
    TriangleMesh { triangles, ..mesh }
}

/// A cylinder along z.
pub(crate) fn cylinder(radius: f64, length: f64) -> TriangleMesh {
    let half = 0.5 * length;
    turned(&[(0.0, -half), (radius, -half), (radius, half), (0.0, half)])
}

/// A ball.
pub(crate) fn ball(radius: f64) -> TriangleMesh {
    let ring = |i: u32| {
        let angle = std::f64::consts::PI * f64::from(i) / f64::from(AROUND / 2);
        (radius * angle.sin(), -radius * angle.cos())
    };
    turned(&(0..=AROUND / 2).map(ring).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every face looks away from the middle, and nothing is left open: the signed volume is the shape's.
    #[test]
    fn shapes_are_closed_and_face_outwards() {
        let volume =
            |mesh: &TriangleMesh| -> f64 { mesh.corners().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum() };
        assert!((volume(&cuboid(Vec3::new(1.0, 2.0, 3.0))) - 6.0).abs() < 1.0e-12);
        let round = std::f64::consts::PI;
        assert!((volume(&cylinder(0.5, 2.0)) / (round * 0.5) - 1.0).abs() < 0.02);
        assert!((volume(&ball(2.0)) / (4.0 / 3.0 * round * 8.0) - 1.0).abs() < 0.04);
    }

    #[test]
    fn a_mirrored_mesh_faces_outwards_all_the_same() {
        let skeleton = sinew_f64::rigs::chain(1, 1.0);
        let mut surface = Surface::default();
        let cube = cuboid(Vec3::ONE);
        let mirror = Vec3::new(-1.0, 1.0, 1.0);
        assert!(surface.add(&cube, mirror, Transform::IDENTITY, skeleton.root(), [1.0; 3]));
        surface.check(&skeleton).unwrap();
        for (place, normal) in surface.positions.iter().zip(&surface.normals) {
            assert!((0..3).map(|k| place[k] * normal[k]).sum::<f32>() > 0.4);
        }
        surface.joints[3][1] = 9;
        assert!(surface.check(&skeleton).unwrap_err().contains("joint"));
    }
}
