//! The results of a run or of a part of one, and how parts are joined.

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};
use sinew::rigs::ErikRobot;
use sinew::solver::erik::ErikOptions;

use super::ErikEvalOptions;
use super::block::{Block, Moments};
use super::method::Method;
use super::sweep::Reading;

/// The numbers that are the same on every run: `erik.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// "sinew.eval.erik/1".
    pub schema: String,
    /// Where the random numbers started.
    pub seed: u64,
    /// Orientations of every posture.
    pub orientations: usize,
    /// How they are composed.
    #[serde(default)]
    pub reading: Reading,
    /// Weights of orientation and posture, threshold, and α of eq. 21.
    pub measure: Measure,
    /// Postures of the whole sweep, by robot.
    pub postures: Vec<(ErikRobot, usize)>,
    /// Which parts of how many this is; empty for the whole.
    pub shards: Vec<(usize, usize)>,
    /// By robot, in order.
    pub robots: Vec<RobotResults>,
}

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// The weight of the orientation error.
    pub orientation_weight: f64,
    /// The weight of the posture error.
    pub posture_weight: f64,
    /// The combined error that is good enough.
    pub threshold: f64,
    /// α of eq. 21.
    pub aggravation: f64,
}

/// The results of one robot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RobotResults {
    /// The robot.
    pub robot: ErikRobot,
    /// By method, in order; blocks by rising posture.
    pub methods: Vec<(Method, Vec<Block>)>,
}

impl RobotResults {
    pub(super) fn add(&mut self, method: Method, block: Block) {
        match self.methods.iter_mut().find(|(m, _)| *m == method) {
            Some((_, blocks)) => blocks.push(block),
            None => self.methods.push((method, vec![block])),
        }
    }

    /// All samples of a method, added in the order of postures.
    pub fn total(&self, method: Method) -> Option<Block> {
        let (_, blocks) = self.methods.iter().find(|(m, _)| *m == method)?;
        let mut total = Block::default();
        blocks.iter().for_each(|b| total.join(b));
        Some(total)
    }
}

impl Results {
    pub(super) fn new(options: &ErikEvalOptions) -> Self {
        let o = ErikOptions::default();
        Self {
            schema: "sinew.eval.erik/1".into(),
            seed: options.seed,
            orientations: options.density.orientations(),
            reading: options.reading,
            measure: Measure {
                orientation_weight: f64::from(o.orientation_weight),
                posture_weight: f64::from(o.posture_weight),
                threshold: f64::from(o.threshold),
                aggravation: options.aggravation,
            },
            postures: options.robots.iter().map(|r| (*r, options.density.postures(*r))).collect(),
            shards: if options.shard.1 == 1 { Vec::new() } else { vec![options.shard] },
            robots: Vec::new(),
        }
    }

    /// Robots, methods and blocks in their order, so that equal results are
    /// equal files.
    pub(super) fn sort(&mut self) {
        self.postures.sort_by_key(|(robot, _)| *robot as usize);
        self.robots.sort_by_key(|r| r.robot as usize);
        for robot in &mut self.robots {
            robot.methods.sort_by_key(|(method, _)| *method);
            for (_, blocks) in &mut robot.methods {
                blocks.sort_by_key(|b| b.posture);
            }
        }
    }

    /// The results of one robot.
    pub fn robot(&self, robot: ErikRobot) -> Option<&RobotResults> {
        self.robots.iter().find(|r| r.robot == robot)
    }

    /// Joins parts of one run to the whole, to the last bit what a run in one
    /// piece gives. Says what is missing, doubled, or of another run.
    pub fn merge(parts: Vec<Self>) -> Result<Self> {
        let mut parts = parts.into_iter();
        let Some(mut whole) = parts.next() else { bail!("there is nothing to join") };
        for part in parts {
            ensure!(
                part.schema == whole.schema,
                "'{}' and '{}' do not fit together",
                part.schema,
                whole.schema
            );
            let same = part.seed == whole.seed
                && part.reading == whole.reading
                && part.orientations == whole.orientations
                && part.measure == whole.measure
                && part.postures == whole.postures;
            ensure!(
                same,
                "the parts are of different runs: seed, orientations, postures, robots or measure differ"
            );
            for robot in part.robots {
                let own = match whole.robots.iter_mut().find(|r| r.robot == robot.robot) {
                    Some(own) => own,
                    None => {
                        whole.robots.push(RobotResults { robot: robot.robot, methods: Vec::new() });
                        whole.robots.last_mut().unwrap_or_else(|| unreachable!())
                    }
                };
                for (method, blocks) in robot.methods {
                    blocks.into_iter().for_each(|block| own.add(method, block));
                }
            }
            whole.shards.extend(part.shards);
        }
        whole.sort();
        whole.check_complete()?;
        whole.shards.clear();
        Ok(whole)
    }

    /// Whether every posture of every robot is there, once.
    fn check_complete(&self) -> Result<()> {
        for (robot, count) in &self.postures {
            let found = self.robot(*robot).map(|r| &r.methods[..]).unwrap_or_default();
            ensure!(!found.is_empty(), "robot {robot:?} is missing; parts: {:?}", self.shards);
            for (method, blocks) in found {
                for (expected, block) in blocks.iter().enumerate() {
                    if block.posture < expected {
                        bail!("posture {} of robot {robot:?} is there twice", block.posture);
                    }
                    if block.posture > expected {
                        bail!(
                            "posture {expected} of robot {robot:?} ({}) is missing; parts: {:?}",
                            method.name(),
                            self.shards
                        );
                    }
                }
                ensure!(
                    blocks.len() == *count,
                    "robot {robot:?} ({}) has {} of {count} postures; parts: {:?}",
                    method.name(),
                    blocks.len(),
                    self.shards
                );
            }
        }
        Ok(())
    }
}

/// How long samples took, in microseconds: `timing.json`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Timings {
    /// By robot and method.
    pub rows: Vec<(ErikRobot, Method, Timing)>,
    /// How many threads ran at once.
    pub threads: usize,
}

/// How long the samples of a method took.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Timing {
    /// How many samples.
    pub samples: u64,
    /// Microseconds.
    pub micros: Moments,
}

impl Timing {
    /// Takes a sample.
    pub fn add(&mut self, micros: f64) {
        self.micros.add(micros, self.samples == 0);
        self.samples += 1;
    }

    fn join(&mut self, other: &Self) {
        if other.samples > 0 {
            self.micros.join(&other.micros, self.samples == 0);
            self.samples += other.samples;
        }
    }
}

impl Timings {
    pub(super) fn add(&mut self, robot: ErikRobot, method: Method, timing: Timing) {
        match self.rows.iter_mut().find(|(r, m, _)| (*r, *m) == (robot, method)) {
            Some((_, _, own)) => own.join(&timing),
            None => self.rows.push((robot, method, timing)),
        }
        self.rows.sort_by_key(|(r, m, _)| (*r as usize, *m));
    }

    /// The times of a method on a robot.
    pub fn get(&self, robot: ErikRobot, method: Method) -> Option<Timing> {
        self.rows.iter().find(|(r, m, _)| (*r, *m) == (robot, method)).map(|(_, _, t)| *t)
    }

    /// The times of all parts.
    pub fn merge(parts: Vec<Self>) -> Self {
        let mut whole = Self::default();
        for part in parts {
            whole.threads = whole.threads.max(part.threads);
            for (robot, method, timing) in part.rows {
                whole.add(robot, method, timing);
            }
        }
        whole
    }
}
