//! The time of an iteration against the length of the chain.

use std::time::{Duration, Instant};

use sinew::{Goal, GoalSet, Pose, SolverSpec, Vec3, rigs};

use crate::stats;
use crate::table::{Cell, Table};

/// So many iterations tell how long one takes.
const ITERATIONS: u32 = 40;

/// After this long a chain is not measured again.
const LONGEST: Duration = Duration::from_millis(150);

/// The chains' lengths.
pub const BONES: [usize; 5] = [10, 30, 100, 300, 1000];

/// Times every solver on chains of growing length towards a point. `tick` is
/// called after each solver and length.
pub fn run(solvers: &[SolverSpec], mut tick: impl FnMut()) -> Table {
    let mut columns = vec!["solver".to_string()];
    columns.extend(BONES.iter().map(|n| format!("{n} bones, µs")));
    columns.push("growth".into());
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("Time of one iteration on a chain of ball joints", &columns);
    for spec in solvers {
        let mut row: Vec<Cell> = vec![spec.name().into()];
        let mut points = Vec::new();
        for bones in BONES {
            let micros = iteration_time(*spec, bones);
            row.push(Cell::number(micros, 3));
            if micros > 0.0 {
                points.push((bones as f64, micros));
            }
            tick();
        }
        row.push(Cell::number(stats::growth(&points), 2));
        table.row(row);
    }
    table.note("growth: slope of time over bones on logarithmic axes; 1 is linear");
    table
}

/// Microseconds an iteration takes: for each target the least of several
/// solves, since what is above it is other programs, then the median.
fn iteration_time(spec: SolverSpec, bones: usize) -> f64 {
    let skeleton = rigs::chain(bones, 1.0);
    let Some(tip) = skeleton.find("tip") else { return 0.0 };
    // Targets that need several iterations, so that the set-up weighs little.
    let targets = [
        Vec3::new(0.3, -0.4, 0.2),
        Vec3::new(-0.6, 0.5, 0.1),
        Vec3::new(0.1, -0.8, -0.2),
        Vec3::new(0.05, 0.2, 0.6),
    ];
    let mut goals = GoalSet::new();
    let id = goals.add(Goal::position(tip, targets[0]));
    let Ok(mut solver) = spec.following().build(&skeleton, &goals) else { return 0.0 };
    let mut times = [f64::INFINITY; 4];
    let begun = Instant::now();
    for round in 0..6 {
        // Dense methods take seconds on long chains, and one round tells as much.
        if round > 0 && begun.elapsed() > LONGEST {
            break;
        }
        for (target, least) in targets.into_iter().zip(&mut times) {
            goals.set_target(id, sinew::Target::Position(target));
            let mut pose = Pose::rest(&skeleton);
            let start = Instant::now();
            let mut asked = 0;
            let mut enough = || {
                asked += 1;
                asked > ITERATIONS
            };
            let iterations = solver.solve_until(&skeleton, &goals, &mut pose, &mut enough).iterations;
            let micros = start.elapsed().as_secs_f64() * 1.0e6;
            if iterations > 0 {
                *least = least.min(micros / f64::from(iterations));
            }
        }
    }
    let solved: Vec<f64> = times.into_iter().filter(|t| t.is_finite()).collect();
    stats::median(&solved)
}
