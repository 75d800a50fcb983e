//! The whole body: how long a reach takes, beside the paper's figures, and what comes of
//! random targets.
//!
//! Times are in single precision. Each target is solved many times and its quickest time kept, since
//! anything else that runs only adds to it; the table shows the spread over the targets. Outcomes
//! are checked in double precision by forward kinematics.

use std::hint::black_box;
use std::time::Instant;

use rand::RngExt;

use crate::sample;
use crate::stats::{largest, mean, median, percentile};
use crate::table::{Cell, Table};

/// How often a target is solved to find its quickest time.
const ROUNDS: usize = 7;
/// Solves in one measurement, so that the clock's own step does not count; one where it takes this many
/// microseconds, of which that step is less than a hundredth.
const BATCH: usize = 8;
const LONG: f64 = 10.0;
/// Seconds from one solve to the next, which does not matter where each is by itself.
const DT: f32 = 1.0 / 30.0;

/// A point where a right hand may be asked to go.
fn target(random: &mut impl rand::Rng) -> [f64; 3] {
    [random.random_range(-0.75..0.35), random.random_range(0.35..1.95), random.random_range(0.1..0.75)]
}

/// A rough table top, its places as plain numbers: 78 × 78 × 2 = 12 168 triangles.
fn table_top() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let n = 78usize;
    let mut points = Vec::with_capacity((n + 1) * (n + 1));
    for i in 0..=n {
        for j in 0..=n {
            let (x, z) = (i as f64 / n as f64 - 0.5, j as f64 / n as f64 - 0.5);
            points.push([1.6 * x, 0.02 * (40.0 * x).sin() * (37.0 * z).cos(), 0.8 * z]);
        }
    }
    let id = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    let mut triangles = Vec::with_capacity(2 * n * n);
    for i in 0..n {
        for j in 0..n {
            triangles.push([id(i, j), id(i + 1, j), id(i + 1, j + 1)]);
            triangles.push([id(i, j), id(i + 1, j + 1), id(i, j + 1)]);
        }
    }
    (points, triangles)
}

/// Times reaches of the humanoid.
pub fn timing(targets: usize, seed: u64) -> Table {
    use sinew::body::reach::{ReachOptions, ReachSolver, Style, Surroundings};
    use sinew::collision::{CollisionBody, CollisionScene, ObstacleShape};
    use sinew::skeleton::humanoid::{HumanoidMap, Side};
    use sinew::{Pose, Target, Transform, Vec3, rigs};

    let mut table = Table::new(
        "Time of a reach with the whole body in f32, microseconds",
        &["what", "targets", "median", "95 %", "most", "aim", "the paper (Pentium 4)"],
    );
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let rest = Pose::rest(&skeleton);
    let solver = || {
        let mut solver = ReachSolver::new(&skeleton, &map, &rest, ReachOptions::default()).ok()?;
        for side in Side::BOTH {
            solver.set_behaviour(Style::Plain.behaviour(&skeleton, &map, side)?).ok()?;
        }
        Some(solver)
    };
    let mut random = sample::generator(seed);
    let all: Vec<[(Side, Target); 1]> = (0..targets)
        .map(|_| Vec3::from_array(target(&mut random).map(|x| x as f32)))
        .map(|p| [(Side::Right, Target::Position(p))])
        .collect();
    let mut pose = rest.clone();
    // Each target by itself, not as the next frame of a motion.
    let apart = |solver: &mut ReachSolver, targets: &[(Side, Target)], pose: &mut Pose| {
        solver.forget();
        solver.solve(&skeleton, targets, DT, pose).reached()
    };
    let mut row = |what: &str, times: Vec<f64>, asked: &str, paper: &str| {
        table.row(vec![
            what.into(),
            Cell::number(times.len() as f64, 0),
            Cell::number(median(&times), 2),
            Cell::number(percentile(&sorted(&times), 0.95), 2),
            Cell::number(largest(&times), 2),
            asked.into(),
            paper.into(),
        ]);
    };
    if let Some(mut solver) = solver() {
        // Those that can be had, and all.
        let reached: Vec<[(Side, Target); 1]> =
            all.iter().copied().filter(|t| apart(&mut solver, t, &mut pose)).collect();
        for (what, some) in [("no collisions, reached", &reached), ("no collisions, any target", &all)] {
            let times = some.iter().map(|t| {
                quickest(|| {
                    black_box(apart(&mut solver, t, &mut pose));
                })
            });
            row(what, times.collect(), "≤ 3", "50, and 100 with search");
        }
    }
    let (points, triangles) = table_top();
    let vertices = points.iter().map(|p| Vec3::from_array(p.map(|x| x as f32))).collect();
    let count = triangles.len();
    let mut scene = CollisionScene::new();
    let at = Transform::from_translation(Vec3::new(0.0, 0.8, 0.6));
    let added = scene.add("table", ObstacleShape::Mesh { vertices, triangles }, at);
    for (what, scene, asked, paper) in [
        ("search, collisions with itself".to_owned(), CollisionScene::new(), "", "100"),
        (
            format!("search, collisions with itself and {count} triangles"),
            scene,
            "≤ 150",
            "10 000 with 12 000",
        ),
    ] {
        let (Some(mut solver), true) = (solver(), added.is_ok()) else { continue };
        let body = CollisionBody::from_rig(&skeleton, &map);
        let mut around = Surroundings::new(&skeleton, &map, body, scene, solver.initial_model());
        let times = all.iter().map(|t| {
            quickest(|| {
                solver.forget();
                black_box(solver.solve_among(&skeleton, t, &mut around, DT, &mut pose));
            })
        });
        row(&what, times.collect(), asked, paper);
    }
    table.note(format!(
        "seed {seed}; the quickest of {ROUNDS} × {BATCH} solves for each target, of {ROUNDS} where one takes over {LONG} µs"
    ));
    table
}

/// Times reaches of the humanoid by what they take: the behaviour alone, the whole body, or all of it in vain.
pub fn efforts(targets: usize, seed: u64) -> Table {
    use sinew::body::reach::{ReachOptions, ReachSolver, Style};
    use sinew::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
    use sinew::{ModelPose, Pose, Quat, Target, Transform, Vec3, rigs};

    let mut table = Table::new(
        "Time of a reach by what it takes, microseconds in f32",
        &["targets", "what", "count", "mean", "median", "95 %", "most", "aim"],
    );
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let rest = Pose::rest(&skeleton);
    let Ok(mut solver) = ReachSolver::new(&skeleton, &map, &rest, ReachOptions::default()) else {
        return table;
    };
    for behaviour in Side::BOTH.into_iter().filter_map(|side| Style::Plain.behaviour(&skeleton, &map, side)) {
        // It was made for this skeleton.
        let _ = solver.set_behaviour(behaviour);
    }
    let Some(shoulder) = map.get(HumanoidBone::UpperArm(Side::Right)) else { return table };
    let shoulder = ModelPose::rest(&skeleton).position(shoulder).as_dvec3();
    let mut pose = rest;
    for (name, oriented) in [("position", false), ("position and orientation", true)] {
        let mut random = sample::generator(seed);
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..targets {
            let target = match super::motions::draw(&mut random, shoulder, oriented) {
                sinew_f64::Target::Pose(at) => Target::Pose(Transform::new(
                    at.translation.as_vec3(),
                    Quat::from_array(at.rotation.to_array().map(|x| x as f32)).normalize(),
                )),
                other => Target::Position(other.position().map_or(Vec3::ZERO, |p| p.as_vec3())),
            };
            let mut apart = || {
                solver.forget();
                let report = solver.solve(&skeleton, &[(Side::Right, target)], DT, &mut pose);
                (report.reached(), report.steps)
            };
            let kind = match apart() {
                (true, 0) => 0,
                (true, _) => 1,
                (false, _) => 2,
            };
            times[kind].push(quickest(|| {
                black_box(apart());
            }));
        }
        let rows = [
            ("the behaviour suffices", "median ≤ 5"),
            ("the whole body goes on", "median ≤ 100"),
            ("refused", "mean ≤ 50"),
        ];
        for ((what, aim), times) in rows.into_iter().zip(&times).filter(|(_, times)| !times.is_empty()) {
            table.row(vec![
                name.into(),
                what.into(),
                Cell::number(times.len() as f64, 0),
                Cell::number(mean(times), 2),
                Cell::number(median(times), 2),
                Cell::number(percentile(&sorted(times), 0.95), 2),
                Cell::number(largest(times), 2),
                aim.into(),
            ]);
        }
    }
    table.note(format!(
        "seed {seed}; targets as those of whole motions, each by itself; the quickest of {ROUNDS} solves or more"
    ));
    table
}

/// The quickest of several measurements, in microseconds a call.
fn quickest(mut call: impl FnMut()) -> f64 {
    let mut timed = |solves: usize| {
        let clock = Instant::now();
        for _ in 0..solves {
            call();
        }
        clock.elapsed().as_secs_f64() * 1.0e6 / solves as f64
    };
    let first = timed(1);
    let batch = if first > LONG { 1 } else { BATCH };
    (0..ROUNDS).map(|_| timed(batch)).fold(first, f64::min)
}

fn sorted(samples: &[f64]) -> Vec<f64> {
    let mut out = samples.to_vec();
    out.sort_by(f64::total_cmp);
    out
}

/// What comes of random targets, for each behaviour.
pub fn outcomes(targets: usize, seed: u64) -> Table {
    use sinew_f64::body::reach::{ReachOptions, ReachSolver, Style};
    use sinew_f64::skeleton::humanoid::{HumanoidMap, Side};
    use sinew_f64::{Cause, ModelPose, Pose, Target, Vec3, rigs};

    let mut table = Table::new(
        "Random targets of the right hand, checked by forward kinematics in f64",
        &[
            "behaviour",
            "targets",
            "reached %",
            "out of reach %",
            "limited %",
            "other %",
            "worst of those reached, mm",
            "worst foot, mm",
            "worst limit, rad",
            "not finite",
        ],
    );
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let Some(arm) = map.arm(Side::Right) else { return table };
    for style in Style::ALL {
        let behaviours = Side::BOTH.map(|side| style.behaviour(&skeleton, &map, side));
        let stance = behaviours.iter().flatten().find_map(|b| b.stance().cloned());
        let stance = stance.unwrap_or(Pose::rest(&skeleton));
        let options = ReachOptions { follow: None, ..ReachOptions::default() };
        let Ok(mut solver) = ReachSolver::new(&skeleton, &map, &stance, options) else { continue };
        for behaviour in behaviours.into_iter().flatten() {
            // It was made for this skeleton.
            let _ = solver.set_behaviour(behaviour);
        }
        let feet: Vec<_> = Side::BOTH.iter().filter_map(|side| map.leg(*side)).map(|leg| leg.end).collect();
        let mut random = sample::generator(seed);
        let mut counts = [0usize; 4];
        let (mut worst, mut foot, mut limit, mut odd) = (0.0_f64, 0.0_f64, 0.0_f64, 0usize);
        let mut pose = stance.clone();
        for _ in 0..targets {
            let at = Vec3::from_array(target(&mut random));
            let report =
                solver.solve(&skeleton, &[(Side::Right, Target::Position(at))], f64::from(DT), &mut pose);
            let outcome = report.hand(Side::Right).map(|hand| hand.outcome.cause);
            let model = ModelPose::new(&skeleton, &pose);
            match outcome {
                Some(None) => {
                    counts[0] += 1;
                    worst = worst.max(model.position(arm.end).distance(at));
                }
                Some(Some(Cause::OutOfReach { .. })) => counts[1] += 1,
                Some(Some(Cause::Limit { .. })) => counts[2] += 1,
                _ => counts[3] += 1,
            }
            for &end in &feet {
                foot = foot.max(model.position(end).distance(solver.initial_model().position(end)));
            }
            limit = limit.max(pose.worst_violation(&skeleton).map_or(0.0, |(_, by)| by));
            odd += usize::from(!pose.is_finite());
        }
        let share = |count: usize| Cell::number(100.0 * count as f64 / targets.max(1) as f64, 1);
        table.row(vec![
            style.name().into(),
            Cell::number(targets as f64, 0),
            share(counts[0]),
            share(counts[1]),
            share(counts[2]),
            share(counts[3]),
            Cell::number(worst * 1.0e3, 9),
            Cell::number(foot * 1.0e3, 9),
            Cell::number(limit, 9),
            Cell::number(odd as f64, 0),
        ]);
    }
    table.note(format!("seed {seed}; targets ahead of the body from −0.75 to 0.35 m, 0.35 to 1.95 m high, 0.1 to 0.75 m ahead"));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_behaviour_is_measured_and_holds_its_promises() {
        let table = outcomes(200, 3);
        assert_eq!(table.rows.len(), 3);
        for row in &table.rows {
            let number = |i: usize| match row[i] {
                Cell::Number(value, _) => value,
                _ => panic!("{row:?}"),
            };
            // All of them; 61 to 71 of a hundred by the behaviours alone.
            assert!(number(2) > 97.0, "nearly all that is ahead can be had: {row:?}");
            // In millimetres. Where the whole body goes on, hands and feet are as near as its descent asks.
            assert!(number(6) < 0.1 && number(7) < 0.05 && number(8) < 1e-6 && number(9) == 0.0, "{row:?}");
        }
    }
}
