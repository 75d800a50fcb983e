//! Obstacles as they are typed: `box:x,y,z,sx,sy,sz` and the others.

use anyhow::{Result, anyhow};
use sinew_draw::{Cuboid, Polyline, Scene, color};
use sinew_f64::collision::{CollisionScene, ObstacleShape};
use sinew_f64::{Quat, Transform, Vec3};

use crate::failure::usage;
use crate::memory;

/// Adds what was typed to the scene, under a name that people can find again.
pub fn add(text: &str, scene: &mut CollisionScene) -> Result<()> {
    let wrong = |why: &str| usage(format!("--obstacle {text}: {why}; see 'sinew reach --help'"));
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    if kind == "mesh" {
        return add_mesh(text, rest, scene);
    }
    let numbers: Option<Vec<f64>> = match rest {
        "" => Some(Vec::new()),
        rest => rest.split(',').map(|n| n.trim().parse().ok().filter(|n: &f64| n.is_finite())).collect(),
    };
    let numbers = numbers.ok_or_else(|| wrong("not numbers with commas between"))?;
    let (shape, at) = match (kind, &numbers[..]) {
        ("box", [x, y, z, sx, sy, sz]) => {
            let half_extents = Vec3::new(*sx, *sy, *sz) * 0.5;
            (ObstacleShape::Cuboid { half_extents }, Vec3::new(*x, *y, *z))
        }
        ("sphere", [x, y, z, radius]) => (ObstacleShape::Sphere { radius: *radius }, Vec3::new(*x, *y, *z)),
        ("capsule", [x, y, z, radius, height]) => {
            let half_height = 0.5 * height - radius;
            (ObstacleShape::Capsule { half_height, radius: *radius }, Vec3::new(*x, *y, *z))
        }
        ("cylinder", [x, y, z, radius, height]) => {
            let half_height = 0.5 * height;
            (ObstacleShape::Cylinder { half_height, radius: *radius }, Vec3::new(*x, *y, *z))
        }
        ("floor", []) => (ObstacleShape::HalfSpace { normal: Vec3::Y }, Vec3::ZERO),
        ("floor", [y]) => (ObstacleShape::HalfSpace { normal: Vec3::Y }, Vec3::Y * *y),
        ("box", _) => return Err(wrong("a box has six numbers")),
        ("sphere", _) => return Err(wrong("a sphere has four numbers")),
        ("capsule" | "cylinder", _) => return Err(wrong("it has five numbers: x,y,z,r,h")),
        ("floor", _) => return Err(wrong("a floor has at most its height")),
        _ => return Err(wrong("no such shape")),
    };
    let name = format!("{kind} {}", scene.iter().count() + 1);
    scene.add(name, shape, Transform::from_translation(at)).map_err(|error| wrong(&error.to_string()))?;
    Ok(())
}

fn add_mesh(text: &str, rest: &str, scene: &mut CollisionScene) -> Result<()> {
    let (file, at) = match rest.rsplit_once(':') {
        Some((file, at)) => match super::super::solve::goal::vector(at) {
            Some(at) => (file, at),
            // A colon of the path itself.
            None => (rest, Vec3::ZERO),
        },
        None => (rest, Vec3::ZERO),
    };
    if file.is_empty() {
        return Err(usage(format!("--obstacle {text}: no file; expected mesh:FILE.obj[:x,y,z]")));
    }
    let sinew_io::obj::TriangleMesh { vertices, triangles } =
        sinew_io::obj::read_file(file, memory::budget())?;
    let shape = ObstacleShape::Mesh { vertices, triangles };
    scene.add(file, shape, Transform::from_translation(at)).map_err(|error| anyhow!("{file}: {error}"))?;
    Ok(())
}

/// A mesh of more triangles is drawn as its box.
const MOST_DRAWN: usize = 600;

/// Draws the obstacles of a scene.
pub fn draw(mut drawn: Scene, scene: &CollisionScene) -> Scene {
    for (_, _, shape, at) in scene.iter() {
        let mut outline = |points: Vec<Vec3>| {
            drawn.polylines.push(Polyline {
                points,
                color: color::OBSTACLE,
                width: 1.2,
                dashed: false,
                filled_below: false,
            });
        };
        let cuboid = |middle: Vec3, half: Vec3| Cuboid {
            center: at.transform_point(middle),
            half,
            rotation: at.rotation,
            color: color::OBSTACLE,
        };
        match shape {
            ObstacleShape::Cuboid { half_extents } => drawn.cuboids.push(cuboid(Vec3::ZERO, *half_extents)),
            ObstacleShape::Sphere { radius } => {
                for turn in [
                    Quat::IDENTITY,
                    Quat::from_rotation_x(std::f64::consts::FRAC_PI_2),
                    Quat::from_rotation_z(std::f64::consts::FRAC_PI_2),
                ] {
                    outline(ring(at, turn, *radius, 0.0));
                }
            }
            ObstacleShape::Capsule { half_height, radius }
            | ObstacleShape::Cylinder { half_height, radius } => {
                for height in [-half_height, 0.0, *half_height] {
                    outline(ring(at, Quat::IDENTITY, *radius, height));
                }
                for i in 0..8 {
                    let (sin, cos) = (i as f64 * std::f64::consts::FRAC_PI_4).sin_cos();
                    let side = Vec3::new(cos * radius, 0.0, sin * radius);
                    outline(
                        [-half_height, *half_height].map(|y| at.transform_point(side + Vec3::Y * y)).to_vec(),
                    );
                }
            }
            ObstacleShape::Mesh { vertices, triangles } if triangles.len() <= MOST_DRAWN => {
                for t in triangles {
                    outline(
                        [t[0], t[1], t[2], t[0]].map(|i| at.transform_point(vertices[i as usize])).to_vec(),
                    );
                }
            }
            ObstacleShape::Mesh { vertices, .. } => {
                let low = vertices.iter().fold(Vec3::INFINITY, |a, b| a.min(*b));
                let high = vertices.iter().fold(Vec3::NEG_INFINITY, |a, b| a.max(*b));
                drawn.cuboids.push(cuboid((low + high) * 0.5, (high - low) * 0.5));
            }
            // The picture's ground shows floors.
            ObstacleShape::HalfSpace { .. } | ObstacleShape::Hull { .. } => {}
        }
    }
    drawn
}

/// A circle about y, turned, at a height.
fn ring(at: Transform, turn: Quat, radius: f64, height: f64) -> Vec<Vec3> {
    (0..=36)
        .map(|i| {
            let (sin, cos) = (i as f64 * std::f64::consts::PI / 18.0).sin_cos();
            at.transform_point(turn * Vec3::new(cos * radius, height, sin * radius))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_and_nonsense_is_named() {
        let mut scene = CollisionScene::new();
        for text in [
            "box:0,1,0.5,0.2,0.2,0.2",
            "sphere:0,1,0,0.1",
            "capsule:0,1,0,0.1,0.5",
            "cylinder:1,1,1,0.1,2",
            "floor",
            "floor:-0.1",
        ] {
            add(text, &mut scene).unwrap_or_else(|e| panic!("{text}: {e}"));
        }
        assert_eq!(scene.iter().count(), 6);
        for (text, words) in [
            ("box:1,2,3", "six numbers"),
            ("box:1,2,3,4,5,-1", "above zero"),
            ("sphere:a,b", "not numbers"),
            ("sphere:0,0,0,nan", "not numbers"),
            ("capsule:0,0,0,0.5,0.5", "above zero"),
            ("cloud:1", "no such shape"),
            ("mesh:", "no file"),
            ("mesh:/nowhere/x.obj", "/nowhere/x.obj"),
        ] {
            let error = format!("{:#}", add(text, &mut scene).unwrap_err());
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
