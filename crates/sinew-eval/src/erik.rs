//! ERIK's evaluation (Ribeiro & Paiva 2019, section 4) at any density: `sinew eval erik`.
//!
//! | file | holds |
//! |---|---|
//! | [`sweep`] | postures and orientations of a robot, from a seed |
//! | [`method`] | ERIK, ERIK as published, and the two-priority DLS that it is compared with |
//! | [`block`] | what is kept of one posture: sums that can be joined in any order |
//! | [`results`] | the whole, its parts (`--shard`), and how they are joined |
//! | [`bound`], [`readings`] | the least error that any pose can have; Table 9 under both readings |
//! | [`tables`], [`plots`] | Tables 8 and 9, Figures 10 to 13, the estimate for the whole sweep |
//!
//! # Sharding
//! The unit of work is one posture with all orientations. Which postures and
//! orientations there are depends on the seed alone; a shard takes every N-th
//! posture. A block holds sums over its own samples, in their order; the whole
//! adds blocks in the order of postures. So the numbers are the same to the last
//! bit on one thread, on many, and in parts that are joined. Times are not, and
//! are kept in a file of their own.

pub mod block;
pub mod bound;
pub mod method;
pub mod plots;
pub mod readings;
pub mod results;
pub mod sweep;
pub mod tables;

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
pub use sinew::rigs::ErikRobot;

use self::block::Block;
use self::method::{Method, Runner};
use self::results::{Results, RobotResults, Timing, Timings};
pub use self::sweep::Reading;
use self::sweep::Sweep;

/// What to run.
#[derive(Debug, Clone, PartialEq)]
pub struct ErikEvalOptions {
    /// The robots.
    pub robots: Vec<ErikRobot>,
    /// Postures and orientations.
    pub density: Density,
    /// Where the random numbers start.
    pub seed: u64,
    /// How the orientations are composed.
    pub reading: Reading,
    /// Which part of how many, from one; `(1, 1)` for the whole.
    pub shard: (usize, usize),
    /// Whether the DLS of the comparison runs on robot C.
    pub compare: bool,
    /// The weight that deviations gain from joint to joint (α of eq. 21).
    pub aggravation: f64,
    /// How often a sample is solved; the least time counts, so that what else
    /// the machine does is not measured.
    pub repeats: u32,
    /// How many threads; all cores if not given.
    pub threads: Option<usize>,
}

/// How many samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Density {
    /// So many postures of every robot, and orientations.
    Counts {
        /// Postures of every robot.
        postures: usize,
        /// Orientations of every posture.
        orientations: usize,
    },
    /// A part of the paper's postures, in percent, with all of its orientations.
    Percent(f64),
}

impl Density {
    /// Postures of a robot.
    pub fn postures(self, robot: ErikRobot) -> usize {
        match self {
            Self::Counts { postures, .. } => postures,
            Self::Percent(p) => ((tables::paper_postures(robot) as f64 * p / 100.0).round() as usize).max(1),
        }
    }

    /// Orientations of every posture.
    pub fn orientations(self) -> usize {
        match self {
            Self::Counts { orientations, .. } => orientations,
            Self::Percent(_) => tables::PAPER_ORIENTATIONS,
        }
    }
}

impl Default for ErikEvalOptions {
    fn default() -> Self {
        Self {
            robots: ErikRobot::ALL.to_vec(),
            density: Density::Counts { postures: 40, orientations: 500 },
            seed: 1,
            reading: Reading::Roll,
            shard: (1, 1),
            compare: true,
            aggravation: 1.0,
            repeats: 2,
            threads: None,
        }
    }
}

impl ErikEvalOptions {
    /// One piece of work for each robot, method and posture of the shard.
    fn tasks(&self) -> Vec<(ErikRobot, Method, usize)> {
        let (index, count) = self.shard;
        let mut tasks = Vec::new();
        for &robot in &self.robots {
            for method in Method::of(robot, self.compare) {
                let postures = self.density.postures(robot);
                tasks.extend((index - 1..postures).step_by(count).map(|p| (robot, method, p)));
            }
        }
        tasks
    }

    /// How many pieces of work there are: for a progress bar.
    pub fn work(&self) -> usize {
        self.tasks().len()
    }
}

/// What one piece of work gives.
type Found = (ErikRobot, Vec<(Method, Block, Timing)>);

/// Runs the experiment on all cores. `tick` is called after each piece of work.
pub fn run(options: &ErikEvalOptions, tick: impl Fn() + Sync) -> Result<(Results, Timings)> {
    let (index, count) = options.shard;
    ensure!(count >= 1 && (1..=count).contains(&index), "shard {index}/{count}: expected I/N with 1 ≤ I ≤ N");
    ensure!(options.density.orientations() > 0, "there must be at least one orientation");
    let sweep = Sweep::new(options.seed, options.density.orientations(), options.reading);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .build()
        .context("cannot start threads")?;
    let work = || -> Result<Vec<Found>> {
        options
            .tasks()
            .into_par_iter()
            .map_init(Vec::new, |runners: &mut Vec<Runner>, (robot, method, posture)| {
                // A worker keeps one runner for each robot and method it meets.
                let place = match runners.iter().position(|r| r.is_for(robot, method)) {
                    Some(place) => place,
                    None => {
                        runners.push(Runner::new(robot, method, options.aggravation, options.repeats)?);
                        runners.len() - 1
                    }
                };
                let found = runners[place].run(&sweep, posture);
                tick();
                Ok((robot, found))
            })
            .collect()
    };
    let blocks = pool.install(work)?;
    let mut results = Results::new(options);
    let mut timings = Timings { threads: pool.current_num_threads(), ..Timings::default() };
    for (robot, found) in blocks {
        let own = match results.robots.iter_mut().find(|r| r.robot == robot) {
            Some(own) => own,
            None => {
                results.robots.push(RobotResults { robot, methods: Vec::new() });
                results.robots.last_mut().unwrap_or_else(|| unreachable!())
            }
        };
        for (method, block, timing) in found {
            own.add(method, block);
            timings.add(robot, method, timing);
        }
    }
    results.sort();
    Ok((results, timings))
}
