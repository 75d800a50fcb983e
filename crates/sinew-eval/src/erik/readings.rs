//! Table 9 under both readings of the paper's orientations, between the least error that any pose can
//! have and the paper's figures.
//!
//! Samples of one posture are alike, so the error of a mean is told from the means of the postures:
//! 1.96 of their deviations over the root of their number.

use anyhow::Result;
use rayon::prelude::*;
use sinew::math::Real;
use sinew::rigs::ErikRobot;

use super::block::{Block, Moments, Sample};
use super::bound::{Bound, Sides};
use super::method::{Method, Runner};
use super::sweep::{Reading, Sweep};
use super::{ErikEvalOptions, tables};
use crate::table::{Cell, Table};

/// The most samples that the search is made for, how many of them a posture has, and the search's steps
/// in the range of a joint. Samples of one posture are alike: many postures with few make a mean that does not
/// depend on the seed.
const SAMPLES: usize = 20_000;
const EACH: usize = 20;
const STEPS: u32 = 30;

const METHODS: [Method; 3] = [Method::Published, Method::Erik, Method::Shipped];

/// How the readings are called.
fn name(reading: Reading) -> &'static str {
    match reading {
        Reading::Roll => "roll about z",
        Reading::Twist => "twist about the pointing axis",
    }
}

/// The blocks of one posture: of the search, and of each method.
fn blocks(options: &ErikEvalOptions, sweep: &Sweep, posture: usize) -> Result<Vec<Block>> {
    let robot = ErikRobot::C;
    let skeleton = sinew::rigs::erik(robot);
    let mut angles: Vec<Real> = vec![0.0; robot.axes().len()];
    let _ = sweep.posture(robot, &skeleton, posture).to_coordinates(&skeleton, &mut angles);
    let angles: Vec<f64> = angles.into_iter().map(f64::from).collect();
    let bound = Bound::new(robot, STEPS, 0.2);
    let mut least = Block { posture, ..Block::default() };
    for target in &sweep.orientations {
        if let Some(weighted_posture) = bound.least(&angles, *target, Sides::Free) {
            let sample = Sample { orientation: 0.0, weighted_posture, iterations: 0, over_limit: 0.0 };
            least.add(&sample, 0.0);
        }
    }
    let mut found = vec![least];
    for method in METHODS {
        let mut runner = Runner::new(robot, method, options.aggravation, 1)?;
        found.extend(runner.run(sweep, posture).into_iter().map(|(_, block, _)| block));
    }
    Ok(found)
}

/// The mean over all samples and what it may be off by.
fn interval(blocks: &[&Block], pick: fn(&Block) -> &Moments) -> (f64, f64) {
    let means: Vec<f64> = blocks.iter().map(|b| pick(b).mean(b.samples)).collect();
    let count = means.len().max(1) as f64;
    let mean = means.iter().sum::<f64>() / count;
    let square = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, 1.96 * (square / count).sqrt())
}

/// The table; `None` if robot C is not among those asked for, this is a part of a run, or deviations
/// do not count alike, as the search has them.
pub fn table(options: &ErikEvalOptions) -> Result<Option<Table>> {
    let plain = options.shard.1 == 1 && (options.aggravation - 1.0).abs() < 1.0e-9;
    if !plain || !options.robots.contains(&ErikRobot::C) {
        return Ok(None);
    }
    let asked = options.density.postures(ErikRobot::C).saturating_mul(options.density.orientations());
    let samples = asked.clamp(1, SAMPLES);
    let orientations = samples.min(EACH);
    let postures = samples / orientations;
    let title = "ERIK, Table 9 for robot C: both readings of the orientations";
    let columns = ["orientations", "method", "orientation", "±", "posture × 0.2", "±", "combined", "±"];
    let mut table = Table::new(title, &columns);
    let paper = tables::paper_errors(ErikRobot::C, Method::Erik).map(|errors| errors.map(|(mean, _)| mean));
    let mut verdicts = Vec::new();
    for reading in [Reading::Roll, Reading::Twist] {
        let sweep = |posture: usize| Sweep::spread(options.seed, posture, orientations, reading);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.unwrap_or(0)).build()?;
        let work = || (0..postures).into_par_iter().map(|p| blocks(options, &sweep(p), p)).collect();
        let found: Vec<Vec<Block>> = pool.install(|| -> Result<Vec<_>> { work() })?;
        let mut above = Vec::new();
        let mut least = 0.0;
        for row in 0..=METHODS.len() {
            let own: Vec<&Block> = found.iter().map(|blocks| &blocks[row]).collect();
            let method = row.checked_sub(1).map(|i| METHODS[i].name());
            let mut cells: Vec<Cell> =
                vec![name(reading).into(), method.unwrap_or("the least of any pose").into()];
            let picks: [fn(&Block) -> &Moments; 3] =
                [|b| &b.orientation, |b| &b.weighted_posture, |b| &b.combined];
            let means = picks.map(|pick| interval(&own, pick));
            for (mean, off) in means {
                cells.extend([Cell::number(mean, 5), Cell::number(off, 5)]);
            }
            table.row(cells);
            match (method, paper) {
                (None, _) => least = means[1].0,
                (Some(method), Some(paper)) => {
                    for (i, what) in ["orientation", "posture", "combined"].into_iter().enumerate() {
                        if means[i].0 > paper[i] {
                            above.push(format!("the {what} error of {method}"));
                        }
                    }
                }
                _ => {}
            }
        }
        let which = if above.is_empty() { "nothing".into() } else { above.join(", ") };
        verdicts.push(format!(
            "{}: above the paper's figure is {which}; the least posture error of any pose is {least:.4}",
            name(reading)
        ));
    }
    if let Some(paper) = paper {
        let mut cells: Vec<Cell> = vec!["(not said)".into(), "the paper".into()];
        paper.iter().for_each(|mean| cells.extend([Cell::number(*mean, 5), "—".into()]));
        table.row(cells);
    }
    verdicts.into_iter().for_each(|words| table.note(words));
    table.note(format!(
        "seed {}; {postures} postures, spread evenly, × {orientations} orientations of their own; ± is 1.96 s.d. of the postures' means over \
         the root of their number; the least is by brute force over all joints, with the orientation met exactly",
        options.seed
    ));
    Ok(Some(table))
}
