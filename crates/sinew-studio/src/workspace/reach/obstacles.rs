//! What stands around the reaching body.

use std::sync::Arc;

use sinew_f64::collision::{CollisionScene, ObstacleShape};
use sinew_f64::{Transform, Vec3};
use sinew_io::obj::TriangleMesh;

use crate::rig::things::{Things, bounds};
use crate::wire::{Obstacle, ObstacleForm, Q, V3};
use crate::workspace::checked::{number, place, rotation};

/// More things than this are no room.
const MOST: usize = 64;
/// The longest name of one.
const LONGEST_NAME: usize = 100;

/// A mesh of more triangles is no obstacle: it is sorted anew for every change of the room.
const MOST_TRIANGLES: usize = 100_000;

/// One of them.
#[derive(Debug, Clone)]
struct Known {
    id: String,
    form: ObstacleForm,
    /// The triangles of a form that is a file.
    mesh: Option<Arc<TriangleMesh>>,
    at: Transform,
}

/// The obstacles of a scene, checked.
#[derive(Debug, Clone, Default)]
pub struct Obstacles {
    list: Vec<Known>,
}

impl Obstacles {
    pub fn new(list: &[Obstacle], things: &Things) -> Result<Self, String> {
        if list.len() > MOST {
            return Err(format!("there are {} obstacles; at most {MOST} fit in", list.len()));
        }
        let mut checked: Vec<Known> = Vec::with_capacity(list.len());
        for obstacle in list {
            let id = &obstacle.id;
            if id.is_empty() || id.len() > LONGEST_NAME {
                return Err(format!("an obstacle's name has 1 to {LONGEST_NAME} letters"));
            }
            if checked.iter().any(|known| known.id == *id) {
                return Err(format!("two obstacles are called '{id}'"));
            }
            check_form(id, &obstacle.form)?;
            let mesh = match &obstacle.form {
                ObstacleForm::Mesh { file, .. } => Some(fitting(id, things.mesh(file)?)?),
                _ => None,
            };
            let at = Transform::new(place(id, obstacle.position)?, rotation(id, obstacle.rotation)?);
            checked.push(Known { id: id.clone(), form: obstacle.form.clone(), mesh, at });
        }
        Ok(Self { list: checked })
    }

    /// Whether they are the same things, perhaps elsewhere.
    pub fn are_same_things(&self, other: &Self) -> bool {
        let same = |(a, b): (&Known, &Known)| a.id == b.id && a.form == b.form;
        self.list.len() == other.list.len() && self.list.iter().zip(&other.list).all(same)
    }

    /// Moves one; says whether there is one of this name.
    pub fn drag(&mut self, id: &str, position: V3, turn: Option<Q>) -> Result<bool, String> {
        let Some(known) = self.list.iter_mut().find(|known| known.id == id) else { return Ok(false) };
        let turn = turn.map(|turn| rotation(id, turn)).transpose()?.unwrap_or(known.at.rotation);
        known.at = Transform::new(place(id, position)?, turn);
        Ok(true)
    }

    /// As the engine takes them.
    pub fn scene(&self) -> CollisionScene {
        let mut scene = CollisionScene::new();
        for known in &self.list {
            // The sizes were checked, so none is refused.
            let _ = scene.add(known.id.clone(), shape(known), known.at);
        }
        scene
    }

    /// Puts the things of a scene that was made from the same ones where they are
    /// now; says whether it was.
    pub fn place(&self, scene: &mut CollisionScene) -> bool {
        let ids: Vec<_> = scene.iter().map(|(id, _, _, at)| (id, at)).collect();
        for (&(id, before), known) in ids.iter().zip(&self.list) {
            if before != known.at {
                let _ = scene.set_place(id, known.at);
            }
        }
        ids.len() == self.list.len()
    }
}

fn fitting(id: &str, mesh: &Arc<TriangleMesh>) -> Result<Arc<TriangleMesh>, String> {
    let count = mesh.triangles.len();
    if count > MOST_TRIANGLES {
        return Err(format!("'{id}' has {count} triangles; an obstacle has at most {MOST_TRIANGLES}"));
    }
    Ok(mesh.clone())
}

fn check_form(id: &str, form: &ObstacleForm) -> Result<(), String> {
    let size = |value: f64| number(&format!("a size of '{id}'"), value, 1.0e-3..=50.0);
    match *form {
        ObstacleForm::Box { size: [x, y, z] } => [x, y, z].into_iter().try_for_each(|s| size(s).map(|_| ())),
        ObstacleForm::Ball { radius } => size(radius).map(|_| ()),
        ObstacleForm::Cylinder { radius, height } | ObstacleForm::Capsule { radius, height } => {
            size(radius)?;
            size(height).map(|_| ())
        }
        ObstacleForm::Mesh { scale, .. } => {
            number(&format!("the scale of '{id}'"), scale, 1.0e-4..=1.0e3).map(|_| ())
        }
    }
}

fn shape(known: &Known) -> ObstacleShape {
    match known.form {
        ObstacleForm::Box { size } => ObstacleShape::Cuboid { half_extents: Vec3::from(size) * 0.5 },
        ObstacleForm::Ball { radius } => ObstacleShape::Sphere { radius },
        ObstacleForm::Cylinder { radius, height } => {
            ObstacleShape::Cylinder { half_height: 0.5 * height, radius }
        }
        ObstacleForm::Capsule { radius, height } => {
            ObstacleShape::Capsule { half_height: 0.5 * height, radius }
        }
        ObstacleForm::Mesh { scale, .. } => {
            let Some(mesh) = &known.mesh else { return ObstacleShape::Sphere { radius: 1.0e-3 } };
            let (low, high) = bounds(mesh);
            let middle = (low + high) * 0.5;
            let vertices = mesh.vertices.iter().map(|p| (*p - middle) * scale).collect();
            ObstacleShape::Mesh { vertices, triangles: mesh.triangles.clone() }
        }
    }
}
