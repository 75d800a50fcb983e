//! Two robot arms, and how near they should come: a looser tolerance must not fail more.

use std::time::Instant;

use sinew::math::{Real, Transform};
use sinew::report::Tolerance;
use sinew::{Goal, GoalSet, ModelPose, SolverSpec, Target};

use crate::arms::{IIWA, PANDA};
use crate::table::{Cell, Table};
use crate::{sample, stats};

/// How near, in metres and radians alike.
pub const TOLERANCES: [f64; 6] = [1.0e-5, 1.0e-4, 1.0e-3, 5.0e-3, 1.0e-2, 2.0e-2];

/// Solves so many poses of each arm with the default solver at each tolerance. `tick` is called
/// after each arm and tolerance.
pub fn run(poses: usize, seed: u64, mut tick: impl FnMut()) -> Table {
    let mut table = Table::new(
        "Random poses of two robot arms by the default solver",
        &["arm", "tolerance m, rad", "met", "of", "attempts", "sweeps", "median µs", "p95 µs", "worst µs"],
    );
    for (k, arm) in [PANDA, IIWA].into_iter().enumerate() {
        let Some((skeleton, tool)) = arm.skeleton() else { continue };
        let start = arm.pose(&skeleton, || 0.5);
        for tolerance in TOLERANCES {
            let mut goals = GoalSet::new();
            let goal = goals.add(Goal::pose(tool, Transform::IDENTITY));
            let near = Tolerance { position: tolerance as Real, orientation: tolerance as Real };
            let spec = SolverSpec::default().with_tolerance(near);
            let Ok(mut solver) = spec.build(&skeleton, &goals) else { continue };
            let mut random = sample::generator(seed + k as u64);
            let (mut met, mut times) = (0usize, Vec::with_capacity(poses));
            let (mut attempts, mut sweeps) = (0.0, 0.0);
            for _ in 0..poses {
                let wanted = arm.pose(&skeleton, || f64::from(sample::between(&mut random, 0.0, 1.0)));
                goals.set_target(goal, Target::Pose(ModelPose::new(&skeleton, &wanted).transform(tool)));
                let mut pose = start.clone();
                let clock = Instant::now();
                let report = solver.solve(&skeleton, &goals, &mut pose);
                times.push(clock.elapsed().as_secs_f64() * 1.0e6);
                let within = pose.worst_violation(&skeleton).is_none();
                met += usize::from(report.reached() && within);
                attempts += f64::from(report.attempts);
                sweeps += f64::from(report.iterations);
            }
            let count = poses.max(1) as f64;
            table.row(vec![
                arm.name.into(),
                format!("{tolerance:.0e}").into(),
                Cell::number(met as f64, 0),
                Cell::number(poses as f64, 0),
                Cell::number(attempts / count, 2),
                Cell::number(sweeps / count, 1),
                Cell::number(stats::median(&times), 2),
                Cell::number(stats::percentile(&times, 0.95), 2),
                Cell::number(stats::largest(&times), 1),
            ]);
            tick();
        }
    }
    table.note(format!("uniform in the joints' ranges, seeds {seed} and {}; start: the middle of all ranges; one thread, f32", seed + 1));
    table
}
