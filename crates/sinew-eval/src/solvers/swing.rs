//! How far joints turn for a point that is not far away.
//!
//! A chain of twenty ball joints, straight at first, reaches for random points within its
//! length. A pose that shares the way among all joints turns each a little; one that folds the
//! end over turns a joint by half a turn, which is what a character's tail or spine must not do.

use std::time::Instant;

use sinew::math::{Real, rotation};
use sinew::{Goal, GoalSet, Pose, Target, rigs};

use super::Contender;
use crate::table::{Cell, Table};
use crate::{sample, stats};

const BONES: usize = 20;

/// Runs every solver on so many points. `tick` is called after each solver.
pub fn run(solvers: &[Contender], points: usize, seed: u64, mut tick: impl FnMut()) -> Table {
    let mut table = Table::new(
        format!("Largest turn of a joint on a chain of {BONES} bones"),
        &["solver", "met %", "median °", "p95 °", "attempts", "sweeps", "median µs", "p95 µs", "worst µs"],
    );
    let skeleton = rigs::chain(BONES, 1.0);
    let Some(tip) = skeleton.find("tip") else { return table };
    let mut random = sample::generator(seed);
    let targets: Vec<_> = (0..points)
        .map(|_| sample::direction(&mut random) * (0.98 * sample::between(&mut random, 0.0, 1.0).cbrt()))
        .collect();
    for contender in solvers {
        let mut goals = GoalSet::new();
        let id = goals.add(Goal::position(tip, sinew::Vec3::ZERO));
        let Ok(mut solver) = contender.spec.build(&skeleton, &goals) else { continue };
        let (mut met, mut turns, mut times) = (0usize, Vec::new(), Vec::new());
        let (mut attempts, mut sweeps) = (0.0, 0.0);
        for &target in &targets {
            goals.set_target(id, Target::Position(target));
            let mut pose = Pose::rest(&skeleton);
            let start = Instant::now();
            let report = solver.solve(&skeleton, &goals, &mut pose);
            times.push(start.elapsed().as_secs_f64() * 1.0e6);
            met += usize::from(report.reached());
            attempts += f64::from(report.attempts);
            sweeps += f64::from(report.iterations);
            let largest = skeleton.ids().map(|j| rotation::angle(pose.rotation(j))).fold(0.0, Real::max);
            turns.push(f64::from(largest).to_degrees());
        }
        let count = targets.len().max(1) as f64;
        table.row(vec![
            contender.name.as_str().into(),
            Cell::number(100.0 * met as f64 / count, 1),
            Cell::number(stats::median(&turns), 1),
            Cell::number(stats::percentile(&turns, 0.95), 1),
            Cell::number(attempts / count, 1),
            Cell::number(sweeps / count, 1),
            Cell::number(stats::median(&times), 1),
            Cell::number(stats::percentile(&times, 0.95), 1),
            Cell::number(stats::largest(&times), 1),
        ]);
        tick();
    }
    table.note(format!(
        "{points} random points within 98 % of the reach, seed {seed}; start: straight; met at each solver's own \
         tolerance of 0.1 mm; one thread, f32"
    ));
    table
}
