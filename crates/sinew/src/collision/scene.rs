//! What stands around the body.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use parry3d::math::Pose as Place;
use parry3d::shape::{Cylinder, TriMesh};

use super::hull::{Bounds, RoundedHull};
use crate::math::*;

/// Names an obstacle of one [`CollisionScene`], in the order of adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObstacleId(pub(crate) u32);

impl ObstacleId {
    /// Its place in the scene's order.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

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
    Hull(RoundedHull),
    /// Triangles; only their surface is solid.
    Mesh {
        /// The corners.
        vertices: Vec<Vec3>,
        /// Three corners each.
        triangles: Vec<[u32; 3]>,
    },
}

/// Why a scene does not take an obstacle.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// A number is not finite, or a size is not above zero.
    #[error("obstacle '{0}': its sizes must be finite and above zero, its place finite")]
    BadSize(String),
    /// A mesh without triangles.
    #[error("obstacle '{0}': a mesh needs at least one triangle")]
    NoTriangles(String),
    /// A triangle names a corner that is not there.
    #[error("obstacle '{name}': triangle {triangle} names a corner that the mesh does not have")]
    BadTriangle {
        /// The obstacle.
        name: String,
        /// The triangle's place in the list.
        triangle: usize,
    },
}

/// An obstacle as the queries want it.
#[derive(Clone)]
pub(super) enum Solid {
    /// In model space.
    Hull(RoundedHull),
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

    /// Adds an obstacle at a place in model space.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        shape: ObstacleShape,
        at: Transform,
    ) -> Result<ObstacleId, SceneError> {
        let name = name.into();
        let at = Transform::new(at.translation, rotation::normalize_or_identity(at.rotation));
        let (solid, bounds) = solid(&name, &shape, at)?;
        self.obstacles.push(Obstacle { name, shape, at, solid, bounds });
        Ok(ObstacleId(self.obstacles.len() as u32 - 1))
    }

    /// Puts an obstacle somewhere else. Meshes keep their tree.
    pub fn set_place(&mut self, id: ObstacleId, at: Transform) -> Result<(), SceneError> {
        let Some(obstacle) = self.obstacles.get_mut(id.index()) else { return Ok(()) };
        let at = Transform::new(at.translation, rotation::normalize_or_identity(at.rotation));
        if !at.is_finite() {
            return Err(SceneError::BadSize(obstacle.name.clone()));
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

    /// Whether nothing is in the way.
    pub fn is_empty(&self) -> bool {
        self.obstacles.is_empty()
    }

    /// What an obstacle is called.
    pub fn name(&self, id: ObstacleId) -> Option<&str> {
        self.obstacles.get(id.index()).map(|o| o.name.as_str())
    }

    /// Every obstacle with its name, its form and its place.
    pub fn iter(&self) -> impl Iterator<Item = (ObstacleId, &str, &ObstacleShape, Transform)> {
        self.obstacles
            .iter()
            .enumerate()
            .map(|(i, o)| (ObstacleId(i as u32), o.name.as_str(), &o.shape, o.at))
    }

    /// The number of triangles of all meshes.
    pub fn triangles(&self) -> usize {
        let of = |o: &Obstacle| match &o.solid {
            Solid::Mesh(mesh, _) => mesh.num_triangles(),
            _ => 0,
        };
        self.obstacles.iter().map(of).sum()
    }
}

fn solid(name: &str, shape: &ObstacleShape, at: Transform) -> Result<(Solid, Bounds), SceneError> {
    let bad = || SceneError::BadSize(name.into());
    let positive = |sizes: &[Real]| sizes.iter().all(|s| s.is_finite() && *s > 0.0);
    let of_hull = |hull: RoundedHull| {
        let hull = hull.placed(at);
        let bounds = Bounds::around(&hull.points, hull.radius);
        if hull.is_valid() { Ok((Solid::Hull(hull), bounds)) } else { Err(bad()) }
    };
    if !at.is_finite() {
        return Err(bad());
    }
    match shape {
        ObstacleShape::Sphere { radius } if positive(&[*radius]) => {
            of_hull(RoundedHull::ball(Vec3::ZERO, *radius))
        }
        ObstacleShape::Cuboid { half_extents } if positive(&half_extents.to_array()) => {
            of_hull(RoundedHull::cuboid(*half_extents))
        }
        ObstacleShape::Capsule { half_height, radius } if positive(&[*half_height, *radius]) => {
            let end = Vec3::Y * *half_height;
            of_hull(RoundedHull::capsule(-end, end, *radius))
        }
        ObstacleShape::Hull(hull) if hull.is_valid() => of_hull(hull.clone()),
        ObstacleShape::Cylinder { half_height, radius } if positive(&[*half_height, *radius]) => {
            let corners = RoundedHull::cuboid(Vec3::new(*radius, *half_height, *radius)).placed(at);
            let bounds = Bounds::around(&corners.points, 0.0);
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
                return Err(SceneError::NoTriangles(name.into()));
            }
            if !vertices.iter().all(|v| v.is_finite()) {
                return Err(bad());
            }
            let missing = |t: &[u32; 3]| t.iter().any(|&corner| corner as usize >= vertices.len());
            if let Some(triangle) = triangles.iter().position(missing) {
                return Err(SceneError::BadTriangle { name: name.into(), triangle });
            }
            let mesh = TriMesh::new(vertices.clone(), triangles.clone())
                .map_err(|_| SceneError::NoTriangles(name.into()))?;
            let bounds = mesh_bounds(&mesh, at);
            Ok((Solid::Mesh(Box::new(mesh), at), bounds))
        }
        _ => Err(bad()),
    }
}

/// A box about the turned box of the mesh.
fn mesh_bounds(mesh: &TriMesh, at: Transform) -> Bounds {
    let aabb = mesh.local_aabb();
    let corners = RoundedHull::cuboid(aabb.half_extents());
    let corners = corners.placed(at * Transform::from_translation(aabb.center()));
    Bounds::around(&corners.points, 0.0)
}
