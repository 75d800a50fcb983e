//! The walker under every solver, on every ground and with every kind of input, and the paper's own
//! beside it (Meredith & Maddock 2004).
//!
//! A mean hides the frame that a player sees: each table has the worst frame beside the median. What
//! is measured is measured on the poses that come out (`measure`), whatever the walker says of them.

mod grounds;
mod measure;
mod published;
mod sticks;

use std::time::Instant;

pub use sinew::body::walk::LegSolver;
use sinew::body::walk::{Ground, Terrain, WalkInput, Walker};
use sinew::math::Real;
use sinew::{Pose, Skeleton, Vec3};

use self::measure::{Measure, Seen};
use self::sticks::{Kind, stick};
use crate::stats;
use crate::table::{Cell, Table};

/// What to run.
#[derive(Debug, Clone)]
pub struct WalkOptions {
    /// By which solvers.
    pub solvers: Vec<LegSolver>,
    /// How long each walk is.
    pub seconds: f64,
    /// How many random hills.
    pub hills: u64,
    /// How many random sticks on every ground.
    pub sticks: u64,
    /// Where hills, rubble and sticks start.
    pub seed: u64,
}

/// Frames a second of the walks that are measured.
const RATE: f64 = 60.0;
/// The rates at which the same walk is compared.
const RATES: [f64; 3] = [30.0, 60.0, 144.0];
/// Microseconds an iteration, mean iterations, frames a second on a flat floor
/// (Pentium 4, 1.4 GHz).
const PAPER: [(LegSolver, &str); 3] = [
    (LegSolver::Half, "13 µs, 18, 260 fps"),
    (LegSolver::Full, "31 µs, 180, 95 fps"),
    (LegSolver::Hybrid, "115 fps"),
];

/// How many times [`run`] calls `tick`.
pub fn steps(options: &WalkOptions) -> usize {
    let grounds = grounds::all(options.hills, options.seed).len();
    options.solvers.len() * grounds * Kind::ALL.len() + RATES.len()
}

/// What a row shows, and what all rows of a solver show together.
const SEEN: [&str; 12] = [
    "in ground mm: median",
    "worst",
    "point",
    "drift mm: median",
    "worst",
    "joint ° a frame: median",
    "worst",
    "joint",
    "hips m/s²: median",
    "worst",
    "frame µs: median",
    "99.9 %",
];

/// Runs everything; `tick` is called after each part. `None` if the humanoid cannot walk.
pub fn run(options: &WalkOptions, mut tick: impl FnMut()) -> Option<Vec<Table>> {
    let skeleton = sinew::rigs::by_name("humanoid").ok()?;
    let columns = |first: &[&'static str], last: &[&'static str]| [first, &SEEN[..], last].concat();
    let mut all = Table::new(
        "Walking by every solver, all grounds and inputs together",
        &columns(&["solver"], &["over limit rad", "stands at the end"]),
    );
    let mut times = Table::new(
        "Legs by every solver on a flat floor (Table 1.4)",
        &["solver", "iterations a frame", "µs a frame", "frames a second", "drift mm", "paper"],
    );
    let mut parts = Vec::new();
    for &solver in &options.solvers {
        let mut whole = Walk::default();
        let mut part = Table::new(
            format!("Walking by {}: the worst frame beside the median", solver.name()),
            &columns(&["ground", "input"], &["stands at the end"]),
        );
        for (at, named) in grounds::all(options.hills, options.seed).iter().enumerate() {
            for kind in Kind::ALL {
                let mut walk = Walk::default();
                for inputs in kind.walks((options.seconds, RATE), (options.sticks, options.seed)) {
                    walk.add(&follow(&skeleton, &*named.ground, &inputs, solver)?);
                }
                let mut row = vec![named.name.as_str().into(), kind.name().into()];
                row.extend(walk.cells());
                row.push(walk.stood());
                part.row(row);
                if at == 0 && kind == Kind::Straight {
                    times.row(walk.time(solver));
                }
                whole.add(&walk);
                tick();
            }
        }
        let mut row = vec![solver.name().into()];
        row.extend(whole.cells());
        row.extend([Cell::number(whole.seen.over, 6), whole.stood()]);
        all.row(row);
        parts.push(part);
    }
    all.note(format!(
        "{} s each at {RATE} frames a second, {} random sticks from seed {} on every ground; f32, one thread",
        options.seconds, options.sticks, options.seed
    ));
    all.note(
        "in ground: the deepest of seven points of a foot (heel and ball with both edges, tip); \
         drift: of heel or ball over a whole stance",
    );
    times.note(
        "the whole frame: course, steps, hips, two legs, spine and arms; the median frame; one thread, f32",
    );
    let mut tables = vec![all];
    tables.extend(parts);
    tables.extend([times, crate::solvers::half_full::run(&skeleton)]);
    tables.extend(published::tables(&skeleton, options.seconds, options.hills, options.seed)?);
    tables.push(rates(&skeleton, options.seconds, &mut tick)?);
    Some(tables)
}

/// Walks, and how long their frames took.
#[derive(Default)]
struct Walk {
    seen: Seen,
    /// A frame each, in microseconds.
    times: Vec<f64>,
    iterations: f64,
    /// How many walks there were, and how many stood at the end.
    walks: usize,
    stood: usize,
}

impl Walk {
    fn add(&mut self, other: &Self) {
        self.seen.add(&other.seen);
        self.times.extend(&other.times);
        self.iterations += other.iterations;
        self.walks += other.walks;
        self.stood += other.stood;
    }

    /// What [`SEEN`] names.
    fn cells(&self) -> [Cell; SEEN.len()] {
        let Seen { depths, deepest, drifts, turns, joint, accelerations, .. } = &self.seen;
        let both = |values: &[f64], unit: f64, digits: usize| {
            [stats::median(values), stats::largest(values)].map(|v| Cell::number(v * unit, digits))
        };
        let [depth, deep] = both(depths, 1.0e3, 2);
        let [drift, drifted] = both(drifts, 1.0e3, 3);
        let [turn, turned] = both(turns, 1.0_f64.to_degrees(), 1);
        let [acceleration, accelerated] = both(accelerations, 1.0, 1);
        let late = stats::percentile(&self.times, 0.999);
        [
            depth,
            deep,
            (*deepest).into(),
            drift,
            drifted,
            turn,
            turned,
            joint.as_str().into(),
            acceleration,
            accelerated,
            Cell::number(stats::median(&self.times), 1),
            Cell::number(late, 1),
        ]
    }

    fn stood(&self) -> Cell {
        match self.stood == self.walks {
            true => "yes".into(),
            false => format!("{} of {}", self.stood, self.walks).into(),
        }
    }

    fn time(&self, solver: LegSolver) -> Vec<Cell> {
        let micros = stats::median(&self.times);
        let paper = PAPER.iter().find(|p| p.0 == solver).map_or("—", |p| p.1);
        vec![
            solver.name().into(),
            Cell::number(self.iterations / self.times.len().max(1) as f64, 1),
            Cell::number(micros, 2),
            Cell::number(1.0e6 / micros.max(1.0e-9), 0),
            Cell::number(stats::largest(&self.seen.drifts) * 1.0e3, 3),
            paper.into(),
        ]
    }
}

/// One walk, frame by frame.
fn follow(
    skeleton: &Skeleton,
    ground: &dyn Terrain,
    inputs: &[WalkInput],
    solver: LegSolver,
) -> Option<Walk> {
    let mut measure = Measure::new(skeleton, RATE)?;
    let mut walker = walker(skeleton, ground, solver)?;
    let mut pose = Pose::rest(skeleton);
    let mut walk = Walk { walks: 1, times: Vec::with_capacity(inputs.len()), ..Walk::default() };
    for &input in inputs {
        let start = Instant::now();
        let report = walker.step(skeleton, ground, input, (1.0 / RATE) as Real, &mut pose);
        walk.times.push(start.elapsed().as_secs_f64() * 1.0e6);
        walk.iterations += f64::from(report.iterations);
        walk.stood = usize::from(report.standing);
        measure.look(ground, &pose);
    }
    walk.seen = measure.seen();
    Some(walk)
}

fn walker(skeleton: &Skeleton, ground: &dyn Terrain, solver: LegSolver) -> Option<Walker> {
    let options = sinew::body::walk::WalkOptions { solver, ..Default::default() };
    Walker::new(skeleton, options, ground).ok()
}

/// Where the same input leads at different frame rates.
fn rates(skeleton: &Skeleton, seconds: f64, tick: &mut impl FnMut()) -> Option<Table> {
    let mut table = Table::new(
        "The same walk at different frame rates",
        &["frames a second", "x m", "z m", "apart from 60 mm"],
    );
    let mut places: Vec<Vec3> = Vec::new();
    for rate in RATES {
        let mut walker = walker(skeleton, &Ground::Flat, LegSolver::Limb)?;
        let mut pose = Pose::rest(skeleton);
        for _ in 0..(seconds * rate).round() as usize {
            walker.step(skeleton, &Ground::Flat, stick(1.0, 0.3), (1.0 / rate) as Real, &mut pose);
        }
        places.push(walker.place());
        tick();
    }
    for (rate, place) in RATES.into_iter().zip(&places) {
        table.row(vec![
            Cell::number(rate, 0),
            Cell::number(f64::from(place.x), 4),
            Cell::number(f64::from(place.z), 4),
            Cell::number(f64::from(place.distance(places[1])) * 1.0e3, 2),
        ]);
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What does not move under a steady hand, on ground that a walk does not stumble over.
    #[test]
    fn a_short_walk_over_smooth_ground_keeps_its_promises() {
        let skeleton = sinew::rigs::by_name("humanoid").unwrap();
        for named in grounds::all(2, 7) {
            if !(named.name == "flat" || named.name.contains("15 %") || named.name.starts_with("hills")) {
                continue;
            }
            for kind in [Kind::Straight, Kind::Arcs] {
                for inputs in kind.walks((12.0, RATE), (0, 0)) {
                    let walk = follow(&skeleton, &*named.ground, &inputs, LegSolver::Limb).unwrap();
                    let (drift, deep) =
                        (stats::largest(&walk.seen.drifts), stats::largest(&walk.seen.depths));
                    let what =
                        format!("{} {}: {drift} {deep} {}", named.name, kind.name(), walk.seen.deepest);
                    assert!(drift <= 2.0e-3 && deep <= 5.0e-3, "{what}");
                    assert!(walk.seen.drifts.len() > 10 && walk.seen.over <= 1.0e-4, "{what}");
                    assert_eq!(walk.stood, 1, "{what}");
                }
            }
        }
    }
}
