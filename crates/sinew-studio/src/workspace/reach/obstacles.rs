//! What stands around the reaching body.

use sinew_f64::collision::{CollisionScene, ObstacleShape};
use sinew_f64::{Transform, Vec3};

use crate::wire::{Obstacle, ObstacleForm, Q, V3};
use crate::workspace::checked::{number, place, rotation};

/// More things than this are no room.
const MOST: usize = 64;
/// The longest name of one.
const LONGEST_NAME: usize = 100;

/// The obstacles of a scene, checked.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Obstacles {
    list: Vec<(String, ObstacleForm, Transform)>,
}

impl Obstacles {
    pub fn new(list: &[Obstacle]) -> Result<Self, String> {
        if list.len() > MOST {
            return Err(format!("there are {} obstacles; at most {MOST} fit in", list.len()));
        }
        let mut checked: Vec<(String, ObstacleForm, Transform)> = Vec::with_capacity(list.len());
        for obstacle in list {
            let id = &obstacle.id;
            if id.is_empty() || id.len() > LONGEST_NAME {
                return Err(format!("an obstacle's name has 1 to {LONGEST_NAME} letters"));
            }
            if checked.iter().any(|known| known.0 == *id) {
                return Err(format!("two obstacles are called '{id}'"));
            }
            check_form(id, obstacle.form)?;
            let at = Transform::new(place(id, obstacle.position)?, rotation(id, obstacle.rotation)?);
            checked.push((id.clone(), obstacle.form, at));
        }
        Ok(Self { list: checked })
    }

    /// Whether they are the same things, perhaps elsewhere.
    pub fn are_same_things(&self, other: &Self) -> bool {
        let things = |o: &Self| o.list.iter().map(|(id, form, _)| (id.clone(), *form)).collect::<Vec<_>>();
        things(self) == things(other)
    }

    /// Moves one; says whether there is one of this name.
    pub fn drag(&mut self, id: &str, position: V3, turn: Option<Q>) -> Result<bool, String> {
        let Some((_, _, at)) = self.list.iter_mut().find(|known| known.0 == id) else { return Ok(false) };
        let turn = turn.map(|turn| rotation(id, turn)).transpose()?.unwrap_or(at.rotation);
        *at = Transform::new(place(id, position)?, turn);
        Ok(true)
    }

    /// As the engine takes them.
    pub fn scene(&self) -> CollisionScene {
        let mut scene = CollisionScene::new();
        for (id, form, at) in &self.list {
            // The sizes were checked, so none is refused.
            let _ = scene.add(id.clone(), shape(*form), *at);
        }
        scene
    }

    /// Puts the things of a scene that was made from the same ones where they are
    /// now; says whether it was.
    pub fn place(&self, scene: &mut CollisionScene) -> bool {
        let ids: Vec<_> = scene.iter().map(|(id, _, _, at)| (id, at)).collect();
        for (&(id, before), (_, _, at)) in ids.iter().zip(&self.list) {
            if before != *at {
                let _ = scene.set_place(id, *at);
            }
        }
        ids.len() == self.list.len()
    }
}

fn check_form(id: &str, form: ObstacleForm) -> Result<(), String> {
    let size = |value: f64| number(&format!("a size of '{id}'"), value, 1.0e-3..=50.0);
    match form {
        ObstacleForm::Box { size: [x, y, z] } => [x, y, z].into_iter().try_for_each(|s| size(s).map(|_| ())),
        ObstacleForm::Ball { radius } => size(radius).map(|_| ()),
        ObstacleForm::Cylinder { radius, height } | ObstacleForm::Capsule { radius, height } => {
            size(radius)?;
            size(height).map(|_| ())
        }
    }
}

fn shape(form: ObstacleForm) -> ObstacleShape {
    match form {
        ObstacleForm::Box { size } => ObstacleShape::Cuboid { half_extents: Vec3::from(size) * 0.5 },
        ObstacleForm::Ball { radius } => ObstacleShape::Sphere { radius },
        ObstacleForm::Cylinder { radius, height } => {
            ObstacleShape::Cylinder { half_height: 0.5 * height, radius }
        }
        ObstacleForm::Capsule { radius, height } => {
            ObstacleShape::Capsule { half_height: 0.5 * height, radius }
        }
    }
}
