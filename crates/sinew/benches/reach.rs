//! Reaching with the whole body, beside Kallmann 2007 on a Pentium 4 of 3 GHz: 50 µs without
//! the swivel's search, 100 µs with it, 10 ms with collisions against 12 000 triangles.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use sinew::body::reach::{ReachOptions, ReachSolver, Style, Surroundings};
use sinew::collision::{CollisionBody, CollisionScene, ObstacleShape};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Pose, Real, Skeleton, Target, Transform, Vec3, rigs};

/// Where hands go: from the hip to over the head, ahead and to the side.
fn targets() -> Vec<[(Side, Target); 1]> {
    let mut at = Vec::new();
    for x in [-0.55, -0.3, -0.05] {
        for y in [0.6, 0.9, 1.2, 1.5, 1.8] {
            for z in [0.25, 0.45, 0.65] {
                at.push(Vec3::new(x, y, z));
            }
        }
    }
    at.into_iter().map(|p| [(Side::Right, Target::Position(p))]).collect()
}

fn solver(skeleton: &Skeleton, map: &HumanoidMap) -> ReachSolver {
    let mut solver = ReachSolver::new(skeleton, map, &Pose::rest(skeleton), ReachOptions::default()).unwrap();
    for side in Side::BOTH {
        solver.set_behaviour(Style::Plain.behaviour(skeleton, map, side).unwrap()).unwrap();
    }
    solver
}

/// A rough table top of 78 × 78 × 2 triangles.
fn table() -> ObstacleShape {
    let n = 78;
    let point = |i: usize, j: usize| {
        let (x, z) = (i as Real / n as Real - 0.5, j as Real / n as Real - 0.5);
        Vec3::new(x * 1.6, 0.02 * (x * 40.0).sin() * (z * 37.0).cos(), z * 0.8)
    };
    let id = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j))).map(|(i, j)| point(i, j)).collect();
    let triangles = (0..n)
        .flat_map(|i| (0..n).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            [[id(i, j), id(i + 1, j), id(i + 1, j + 1)], [id(i, j), id(i + 1, j + 1), id(i, j + 1)]]
        })
        .collect();
    ObstacleShape::Mesh { vertices, triangles }
}

fn reach(c: &mut Criterion) {
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let targets = targets();
    let mut pose = Pose::rest(&skeleton);
    let mut group = c.benchmark_group("reach");
    group.throughput(criterion::Throughput::Elements(targets.len() as u64));
    // Criterion cuts names off after a hundred letters.
    let mut alone = solver(&skeleton, &map);
    group.bench_function("45 bodies, no collisions (asked: 135 µs, 3 each; paper: 50 to 100 each)", |b| {
        b.iter(|| {
            for target in &targets {
                alone.forget();
                black_box(alone.solve(&skeleton, target, 1.0 / 60.0, &mut pose));
            }
        });
    });
    let mut scene = CollisionScene::new();
    scene.add("table", table(), Transform::from_translation(Vec3::new(0.0, 0.8, 0.6))).unwrap();
    for (name, scene) in [
        ("self (paper: 100 µs each)", CollisionScene::new()),
        ("self and 12 168 triangles (asked: 150 µs each; paper: 10 ms each)", scene),
    ] {
        let mut among = solver(&skeleton, &map);
        let body = CollisionBody::from_rig(&skeleton, &map);
        let mut around = Surroundings::new(&skeleton, &map, body, scene, among.initial_model());
        group.bench_function(format!("45 bodies, collisions with {name}"), |b| {
            b.iter(|| {
                for target in &targets {
                    among.forget();
                    black_box(among.solve_among(&skeleton, target, &mut around, 1.0 / 60.0, &mut pose));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, reach);
criterion_main!(benches);
