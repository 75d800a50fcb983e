//! What stands around the body.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use parry3d::math::Pose as Place;
use parry3d::shape::{Cylinder, TriMesh};

use super::hull::{self, Bounds};
use crate::error::RigError;
use crate::math::*;

/// The form of an obstacle, in its own frame.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ObstacleShape {
    /// A ball about the origin.
    Sphere {
        /// In metres.
        radius: Real,
    },
    /// A box about the origin.
    Cuboid {
        /// Half of its width, height and depth.
        half_extents: Vec3,
    },
    /// A capsule along y.
    Capsule {
        /// Half of the way between the centres of its ends.
        half_height: Real,
        /// In metres.
        radius: Real,
    },
    /// A cylinder along y.
    Cylinder {
        /// Half of its height.
        half_height: Real,
        /// In metres.
        radius: Real,
    },
    /// Everything below a plane through the origin: floors and walls.
    HalfSpace {
        /// Points out of the solid, of any length but zero.
        normal: Vec3,
    },
    /// The convex hull of some points, blown up by a radius.
    Hull {
        /// The points.
        points: Vec<Vec3>,
        /// How far the surface is from their hull, in metres.
        radius: Real,
    },
    /// Triangles; only their surface is solid.
    Mesh {
        /// The corners.
        vertices: Vec<Vec3>,
        /// Three corners each.
        triangles: Vec<[u32; 3]>,
    },
}

/// An obstacle as the queries want it.
#[derive(Clone)]
pub(super) enum Solid {
    /// Points in model space, and the radius.
    Hull(Vec<Vec3>, Real),
    Cylinder(Cylinder, Place),
    /// A point of the plane and the unit vector out of the solid.
    HalfSpace(Vec3, Vec3),
    /// The mesh in its own frame and its place.
    Mesh(Box<TriMesh>, Transform),
}

#[derive(Clone)]
pub(super) struct Obstacle {
    pub name: String,
    pub shape: ObstacleShape,
    pub at: Transform,
    pub solid: Solid,
    pub bounds: Bounds,
}

/// What stands around the body. Building it allocates; asking about it does not.
#[derive(Clone, Default)]
pub struct CollisionScene {
    pub(super) obstacles: Vec<Obstacle>,
    /// How deep parts of the one body that asks may be in obstacles: part, obstacle and depth.
    allowed: Vec<(usize, usize, Real)>,
}

impl PartialEq for CollisionScene {
    /// The same obstacles, in the same order and at the same places.
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl core::fmt::Debug for CollisionScene {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.obstacles.iter().map(|o| &o.name)).finish()
    }
}

impl CollisionScene {
    /// An empty scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an obstacle at a place in model space and returns its number, in the order of adding.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        shape: ObstacleShape,
        at: Transform,
    ) -> Result<usize, RigError> {
        let name = name.into();
        let at = Transform::new(at.translation, rotation::normalize_or_identity(at.rotation));
        let (solid, bounds) = solid(&name, &shape, at)?;
        self.obstacles.push(Obstacle { name, shape, at, solid, bounds });
        Ok(self.obstacles.len() - 1)
    }

    /// Puts an obstacle somewhere else. Meshes keep their tree.
    pub fn set_place(&mut self, id: usize, at: Transform) -> Result<(), RigError> {
        let Some(obstacle) = self.obstacles.get_mut(id) else { return Ok(()) };
        let at = Transform::new(at.translation, rotation::normalize_or_identity(at.rotation));
        if !at.is_finite() {
            return Err(wrong(&obstacle.name, BAD_SIZE));
        }
        if let Solid::Mesh(mesh, place) = &mut obstacle.solid {
            *place = at;
            obstacle.bounds = mesh_bounds(mesh, at);
        } else {
            (obstacle.solid, obstacle.bounds) = solid(&obstacle.name, &obstacle.shape, at)?;
        }
        obstacle.at = at;
        Ok(())
    }

    /// How many obstacles there are.
    pub fn len(&self) -> usize {
        self.obstacles.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.obstacles.is_empty()
    }

    /// What an obstacle is called.
    pub fn name(&self, id: usize) -> Option<&str> {
        self.obstacles.get(id).map(|o| o.name.as_str())
    }

    /// The same scene for one body alone, of which some parts may be this deep in some obstacles, given
    /// as part, obstacle and depth: a clearance that is kept as a bound asks for it.
    pub(crate) fn for_body(&self, allowed: &[(usize, usize, Real)]) -> Self {
        Self { obstacles: self.obstacles.clone(), allowed: allowed.to_vec() }
    }

    #[inline]
    pub(super) fn allowed(&self, part: usize, obstacle: usize) -> Real {
        self.allowed.iter().find(|(p, o, _)| (*p, *o) == (part, obstacle)).map_or(0.0, |known| known.2)
    }

    /// Every obstacle with its name, its form and its place.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &str, &ObstacleShape, Transform)> {
        self.obstacles.iter().enumerate().map(|(i, o)| (i, o.name.as_str(), &o.shape, o.at))
    }
}

const BAD_SIZE: &str = "its sizes must be finite and above zero, its place finite";
const NO_TRIANGLES: &str = "a mesh needs at least one triangle";

fn wrong(name: &str, problem: &'static str) -> RigError {
    RigError::Shape { name: name.into(), problem }
}

fn solid(name: &str, shape: &ObstacleShape, at: Transform) -> Result<(Solid, Bounds), RigError> {
    let bad = || wrong(name, BAD_SIZE);
    let positive = |sizes: &[Real]| sizes.iter().all(|s| s.is_finite() && *s > 0.0);
    let of_hull = |points: &[Vec3], radius: Real| {
        let points = hull::placed(points, at);
        let bounds = Bounds::around(&points, radius);
        if hull::is_valid(&points, radius) { Ok((Solid::Hull(points, radius), bounds)) } else { Err(bad()) }
    };
    if !at.is_finite() {
        return Err(bad());
    }
    match shape {
        ObstacleShape::Sphere { radius } if positive(&[*radius]) => of_hull(&[Vec3::ZERO], *radius),
        ObstacleShape::Cuboid { half_extents } if positive(&half_extents.to_array()) => {
            of_hull(&hull::cuboid(*half_extents), 0.0)
        }
        ObstacleShape::Capsule { half_height, radius } if positive(&[*half_height, *radius]) => {
            let end = Vec3::Y * *half_height;
            of_hull(&[-end, end], *radius)
        }
        ObstacleShape::Hull { points, radius } => of_hull(points, *radius),
        ObstacleShape::Cylinder { half_height, radius } if positive(&[*half_height, *radius]) => {
            let corners = hull::cuboid(Vec3::new(*radius, *half_height, *radius));
            let bounds = Bounds::around(&hull::placed(&corners, at), 0.0);
            let place = Place::from_parts(at.translation, at.rotation);
            Ok((Solid::Cylinder(Cylinder::new(*half_height, *radius), place), bounds))
        }
        ObstacleShape::HalfSpace { normal } if normal.is_finite() && normal.length() > TINY => {
            let out = at.rotation * unit_vector(*normal);
            // A half-space along an axis has a box with one side; others have none.
            let everywhere = Bounds { low: Vec3::NEG_INFINITY, high: Vec3::INFINITY };
            Ok((Solid::HalfSpace(at.translation, out), everywhere))
        }
        ObstacleShape::Mesh { vertices, triangles } => {
            if triangles.is_empty() {
                return Err(wrong(name, NO_TRIANGLES));
            }
            if !vertices.iter().all(|v| v.is_finite()) {
                return Err(bad());
            }
            let missing = |t: &[u32; 3]| t.iter().any(|&corner| corner as usize >= vertices.len());
            if triangles.iter().any(missing) {
                return Err(wrong(name, "a triangle names a corner that the mesh does not have"));
            }
            let mesh = TriMesh::new(vertices.clone(), triangles.clone());
            let mesh = mesh.map_err(|_| wrong(name, NO_TRIANGLES))?;
            let bounds = mesh_bounds(&mesh, at);
            Ok((Solid::Mesh(Box::new(mesh), at), bounds))
        }
        _ => Err(bad()),
    }
}

/// A box about the turned box of the mesh.
fn mesh_bounds(mesh: &TriMesh, at: Transform) -> Bounds {
    let aabb = mesh.local_aabb();
    let at = at * Transform::from_translation(aabb.center());
    Bounds::around(&hull::placed(&hull::cuboid(aabb.half_extents()), at), 0.0)
}
