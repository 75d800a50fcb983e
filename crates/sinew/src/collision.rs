//! Does the body run into itself or into the scene, with what, and how deep?
//!
//! ```text
//! Skeleton, HumanoidMap ──► CollisionBody (parts, and which may touch)
//! boxes, spheres, meshes ─► CollisionScene
//!                               │
//!   model pose ──► CollisionQuery::place ──► first_contact / deepest_contact
//! ```
//!
//! # The parts
//! Every part is the convex hull of a few points, blown up by a radius
//! (`collision/hull.rs`): one point makes a ball, two make a capsule, four make the
//! rounded slab that stands for a slice of a torso (Unzueta et al. 2008, section 8,
//! take prisms there; a rig may have no mesh to take them from). The way between
//! two such parts is the way between their hulls less both radii, and that needs
//! no more than GJK, which does not allocate. An expanding polytope for the depth
//! would, and is not needed: what collides is mostly skin, and there the depth is
//! exact. Only where the hulls themselves overlap is the depth the smallest
//! overlap along a fixed set of directions, which is never too small.
//!
//! # What may touch
//! Neighbours in the skeleton share a joint and always overlap; they are never
//! tested. Other pairs that overlap at rest (a hand that rests against a thigh) may
//! be as deep as they are at rest and no deeper, instead of being let through
//! altogether. Slices of a trunk bend against each other and are let through. More can be allowed by hand.
//!
//! # Elbow against torso
//! That is the ordinary query with the parts of one arm. So that it can fail, an
//! upper arm is two capsules: the one at the shoulder is the torso's neighbour, the
//! one at the elbow is not.
//!
//! # Scenes
//! Balls, boxes, capsules, cylinders, hulls, half-spaces and triangle meshes. A
//! mesh is its surface: a part that is inside of a closed mesh without touching
//! it is not noticed.
//!
//! # Promises
//! Placing and asking do not allocate, the order of the answers is fixed by the
//! order in which parts and obstacles were added, and non-finite input gives no
//! contact.
//!
//! ```
//! use sinew::collision::{CollisionBody, CollisionQuery, CollisionScene, ObstacleShape};
//! use sinew::skeleton::humanoid::HumanoidMap;
//! use sinew::{ModelPose, Transform, Vec3, rigs};
//! let human = rigs::humanoid(rigs::SwingModel::Ellipse);
//! let body = CollisionBody::from_rig(&human, &HumanoidMap::find(&human));
//! let mut scene = CollisionScene::new();
//! let at = Transform::from_translation(Vec3::new(-0.2, 0.9, 0.0));
//! scene.add("crate", ObstacleShape::Cuboid { half_extents: Vec3::splat(0.1) }, at)?;
//!
//! let mut query = CollisionQuery::new(&body);
//! query.place(&body, &ModelPose::rest(&human));
//! let contact = query.deepest_contact(&body, &scene, query.all_parts()).unwrap();
//! assert_eq!(human.joint(body.parts()[contact.part].joint).name(), "r_elbow");
//! # Ok::<(), sinew::error::RigError>(())
//! ```

mod anatomy;
mod body;
mod distance;
mod hull;
mod query;
mod scene;

pub use body::{BodyPart, CollisionBody};
pub(crate) use query::Way;
pub use query::{CollisionQuery, Contact, Touched};
pub use scene::{CollisionScene, ObstacleShape};
