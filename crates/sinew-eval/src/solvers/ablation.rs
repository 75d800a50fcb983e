//! EWBIK as published, with each addition alone, and with all of them.
//!
//! The problems are six poses at once on the humanoid, whose pelvis stays where it rests: the
//! published method does not move a root. All run under the same number of sweeps and, with CCD,
//! FABRIK and the default solver beside them, under the same time. A sweep of a solver that
//! takes steps is one step. The budget is over all attempts.

use std::time::{Duration, Instant};

use sinew::report::Tolerance;
use sinew::solver::ewbik::{BasisScale, EwbikOptions};
use sinew::{GoalSet, Pose, Skeleton, SolverSpec};

use super::Contender;
use super::humanoid::{NEAR, six_goals};
use crate::sample;
use crate::stats;
use crate::table::{Cell, Table};

/// How many sweeps a solve may make.
pub const SWEEPS: [u32; 6] = [5, 10, 20, 30, 100, 1000];

/// How long a solve may take, in microseconds.
pub const TIMES: [u64; 6] = [50, 100, 300, 1000, 3000, 10_000];

/// A solver's name and its share of met problems in percent, for each budget.
pub type Curve = (String, Vec<(f64, f64)>);

/// The tables, and what to plot over sweeps and over time.
#[derive(Debug, Clone)]
pub struct Ablation {
    /// Under the same sweeps and under the same time.
    pub tables: [Table; 2],
    /// The share met over the number of sweeps.
    pub by_sweeps: Vec<Curve>,
    /// The share met over microseconds.
    pub by_time: Vec<Curve>,
}

/// EWBIK from the paper's to ours.
pub fn variants() -> Vec<Contender> {
    let published = EwbikOptions::published();
    let all = EwbikOptions::default();
    let ewbik = |name: &str, options| Contender::new(name, SolverSpec::Ewbik(options));
    vec![
        ewbik("published", published),
        ewbik("+ guard of section 11", EwbikOptions { guard: true, ..published }),
        ewbik("+ damping", EwbikOptions { damping: all.damping, ..published }),
        ewbik("+ weights of the goals", EwbikOptions { basis: all.basis, ..published }),
        ewbik("+ weights, guard", EwbikOptions { basis: all.basis, guard: true, ..published }),
        ewbik(
            "+ weights, guard, smaller turns",
            EwbikOptions { basis: all.basis, guard: true, smaller_turns: all.smaller_turns, ..published },
        ),
        ewbik("+ own axes of hinges", EwbikOptions { own_axes: true, ..published }),
        ewbik("+ travel of the root", EwbikOptions { root_travels: true, ..published }),
        ewbik("+ root first", EwbikOptions { root_first: true, ..published }),
        ewbik(
            "+ falloff of orientations",
            EwbikOptions { orientation_falloff: all.orientation_falloff, ..published },
        ),
        ewbik("+ escapes", EwbikOptions { escapes: all.escapes, ..published }),
        ewbik("+ acceleration", EwbikOptions { acceleration: true, ..published }),
        ewbik("all", all),
        ewbik("all but damping", EwbikOptions { damping: published.damping, ..all }),
        ewbik("all, seven points", EwbikOptions { basis: BasisScale::SevenPoints, ..all }),
    ]
}

/// Runs all variants on so many problems. `tick` is called after each budget of each.
pub fn run(problems: usize, seed: u64, skeleton: &Skeleton, mut tick: impl FnMut()) -> Ablation {
    let mut random = sample::generator(seed);
    let sampler = sample::PoseSampler::new(skeleton);
    let problems: Vec<GoalSet> = (0..problems)
        .map(|_| {
            let mut pose = sampler.draw(&mut random, 0.0);
            pose.set_rotation(skeleton.root(), sinew::Quat::IDENTITY);
            six_goals(skeleton, &pose)
        })
        .collect();
    let mut contenders = variants();
    contenders.extend(
        SolverSpec::all()
            .filter(|spec| ["ccd", "fabrik", "robust"].contains(&spec.name()))
            .map(|spec| Contender::new(spec.name(), spec)),
    );
    let heads: Vec<String> = SWEEPS
        .iter()
        .map(|n| format!("met % in {n}"))
        .chain(SWEEPS.iter().map(|n| format!("µs at {n}")))
        .chain(["attempts".into(), "sweeps made".into()])
        .collect();
    let mut columns = vec!["solver"];
    columns.extend(heads.iter().map(String::as_str));
    let mut sweeps = Table::new("EWBIK taken apart: share met within so many sweeps", &columns);
    let heads: Vec<String> = TIMES.iter().map(|n| format!("met % in {n} µs")).collect();
    let mut columns = vec!["solver"];
    columns.extend(heads.iter().map(String::as_str));
    let mut timed = Table::new("EWBIK taken apart: share met within so much time", &columns);
    let (mut by_sweeps, mut by_time) = (Vec::new(), Vec::new());
    for contender in &contenders {
        let mut row: Vec<Cell> = vec![contender.name.as_str().into()];
        let runs: Vec<Outcome> = SWEEPS
            .iter()
            .map(|&most| {
                tick();
                solve_all(contender, skeleton, &problems, Budget::Sweeps(most))
            })
            .collect();
        row.extend(runs.iter().map(|run| Cell::number(run.met, 1)));
        row.extend(runs.iter().map(|run| Cell::number(run.median_us, 0)));
        if let Some(longest) = runs.last() {
            row.extend([Cell::number(longest.attempts, 1), Cell::number(longest.sweeps, 1)]);
        }
        sweeps.row(row);
        by_sweeps.push((
            contender.name.clone(),
            SWEEPS.iter().zip(&runs).map(|(&n, run)| (f64::from(n), run.met)).collect(),
        ));
        let runs: Vec<Outcome> = TIMES
            .iter()
            .map(|&most| {
                tick();
                solve_all(contender, skeleton, &problems, Budget::Time(Duration::from_micros(most)))
            })
            .collect();
        let mut row: Vec<Cell> = vec![contender.name.as_str().into()];
        row.extend(runs.iter().map(|run| Cell::number(run.met, 1)));
        timed.row(row);
        by_time.push((
            contender.name.clone(),
            TIMES.iter().zip(&runs).map(|(&n, run)| (n as f64, run.met)).collect(),
        ));
    }
    let common = format!(
        "{} random poses within the limits of {}, the pelvis at rest, seed {seed}; six goals, from rest; met: within 1 mm \
         and 0.5°, where a solve ends",
        problems.len(),
        skeleton.name()
    );
    for table in [&mut sweeps, &mut timed] {
        table.note(common.clone());
        table.note("rows with + are the published method and what they name; a budget is for all attempts of a solve");
    }
    sweeps.note("µs: median time of a solve; attempts and sweeps made: means under the largest budget; one thread, f32");
    Ablation { tables: [sweeps, timed], by_sweeps, by_time }
}

#[derive(Clone, Copy)]
enum Budget {
    Sweeps(u32),
    Time(Duration),
}

struct Outcome {
    met: f64,
    median_us: f64,
    attempts: f64,
    sweeps: f64,
}

fn solve_all(contender: &Contender, skeleton: &Skeleton, problems: &[GoalSet], budget: Budget) -> Outcome {
    let mut outcome = Outcome { met: 0.0, median_us: 0.0, attempts: 0.0, sweeps: 0.0 };
    let spec = contender.spec.with_tolerance(Tolerance { position: NEAR.0, orientation: NEAR.1 });
    let Some(mut solver) = problems.first().and_then(|goals| spec.build(skeleton, goals).ok()) else {
        return outcome;
    };
    let mut times = Vec::with_capacity(problems.len());
    for goals in problems {
        let mut pose = Pose::rest(skeleton);
        let start = Instant::now();
        let mut asked = 0;
        let mut expired = || match budget {
            // Asked before each sweep.
            Budget::Sweeps(most) => {
                asked += 1;
                asked > most
            }
            Budget::Time(most) => start.elapsed() >= most,
        };
        let report = solver.solve_until(skeleton, goals, &mut pose, &mut expired);
        times.push(start.elapsed().as_secs_f64() * 1.0e6);
        outcome.met += f64::from(u8::from(report.reached()));
        outcome.attempts += f64::from(report.attempts);
        outcome.sweeps += f64::from(report.iterations);
    }
    let count = problems.len().max(1) as f64;
    Outcome {
        met: 100.0 * outcome.met / count,
        median_us: stats::median(&times),
        attempts: outcome.attempts / count,
        sweeps: outcome.sweeps / count,
    }
}
