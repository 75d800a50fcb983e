//! Looking: streams as a servo feels them, steps without a filter, heads held upright, and strips of
//! pictures in three moods: `sinew eval look`.

pub mod pictures;
mod servo;
mod stage;

use anyhow::Result;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;
use sinew_f64::filter::FilterOptions;
use sinew_f64::solver::erik::postures;
use sinew_f64::{ModelPose, Pose, Vec3};
use sinew_io::Asset;
use sinew_motion::look::{Eye, EyeOptions, Stream, Wish, posture};

use self::servo::{Felt, Trace};
use self::stage::{Path, Stage};
use crate::sample::{between, direction, generator};
use crate::table::{Cell, Table};

/// How often a second.
const RATE: f64 = 60.0;
/// How steep a random target may be seen at most: beyond, there is no upright.
const STEEPEST: f64 = 0.98;

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct LookEvalOptions {
    /// Where the random numbers start.
    pub seed: u64,
    /// How many places and sizes of every path.
    pub stages: usize,
    /// How long a stream is.
    pub seconds: f64,
    /// How many targets are looked at upright.
    pub targets: usize,
}

impl Default for LookEvalOptions {
    fn default() -> Self {
        Self { seed: 1, stages: 2, seconds: 10.0, targets: 200 }
    }
}

/// A rig and its name.
pub type Named = (String, Asset);

/// The embedded rigs that look.
pub fn embedded() -> Result<Vec<Named>> {
    let names = [
        "erik-a",
        "erik-b",
        "erik-c",
        "erik-d",
        "erik-e",
        "erik-f",
        "erik-g",
        "snake",
        "arm",
        "humanoid",
        "humanoid-hands",
    ];
    let rig = |name: &str| Ok((name.to_string(), Asset::new(sinew_f64::rigs::by_name(name)?)));
    names.into_iter().map(rig).collect()
}

/// How many steps of work [`run`] has.
pub fn work(rigs: &[Named]) -> usize {
    rigs.len()
}

/// Everything about one rig.
struct Measured {
    streams: Vec<Felt>,
    unfiltered: Vec<Followed>,
    upright: Option<Upright>,
}

/// A path that was followed without a filter.
struct Followed {
    posture: String,
    /// The largest turn of a joint from one output to the next, in radians.
    step: f64,
    joint: String,
    /// The largest miss after the first second, in radians.
    missed: f64,
}

/// Random targets, looked at by a head with a face.
#[derive(Default)]
struct Upright {
    targets: usize,
    upside_down: usize,
    rolls: Vec<f64>,
    /// Of those that are looked at.
    rolls_met: Vec<f64>,
    missed: Vec<f64>,
}

/// Measures all rigs; those of which nothing can look are named in a note.
pub fn run(rigs: &[Named], options: &LookEvalOptions, tick: impl Fn() + Sync) -> Vec<Table> {
    let found: Vec<(&Named, Result<Measured, String>)> = rigs
        .par_iter()
        .map(|rig| {
            let measured = measure(&rig.1, options);
            tick();
            (rig, measured)
        })
        .collect();
    let mut tables = vec![streams(&found), bounds(&found), unfiltered(&found), upright(&found)];
    for (rig, measured) in &found {
        if let Err(why) = measured {
            tables[1].note(format!("{}: nothing looks: {why}", rig.0));
        }
    }
    for table in &mut tables {
        table.note(format!(
            "seed {}; {} places and sizes of each path, {} s at {RATE} Hz",
            options.seed, options.stages, options.seconds
        ));
    }
    tables
}

fn measure(asset: &Asset, options: &LookEvalOptions) -> Result<Measured, String> {
    let eye = Eye::new(asset, &EyeOptions { rate: Some(RATE), ..EyeOptions::default() })
        .map_err(|error| error.to_string())?;
    let stages: Vec<Stage> = (0..options.stages as u64)
        .map(|i| Stage::new(asset, &eye, options.seed.wrapping_mul(1000).wrapping_add(i)))
        .collect();
    let mut streams = Vec::new();
    for stage in &stages {
        for path in Path::ALL {
            for (character, filter) in crate::filter::characters() {
                streams.push(stream(asset, &eye, stage, path, (character, filter), options.seconds));
            }
        }
    }
    let unfiltered = shapes(asset, &eye)
        .iter()
        .flat_map(|shape| stages.iter().map(|stage| follow(asset, &eye, stage, shape, options.seconds)))
        .collect();
    Ok(Measured { streams, unfiltered, upright: upright_of(asset, options) })
}

/// The postures of a rig by name: its own, and shapes.
fn shapes(asset: &Asset, eye: &Eye) -> Vec<(String, Pose)> {
    let own = asset.postures.iter().map(|(name, _)| name.as_str());
    own.chain(postures::NAMES)
        .filter_map(|name| posture(asset, eye, name).map(|pose| (name.to_string(), pose)))
        .collect()
}

/// A path through a filter, as a servo feels it.
fn stream(
    asset: &Asset,
    eye: &Eye,
    stage: &Stage,
    path: Path,
    (character, filter): (&'static str, FilterOptions),
    seconds: f64,
) -> Felt {
    let (skeleton, start) = (&asset.skeleton, asset.opening_pose());
    let at = |i: usize| (Wish::At(stage.at(path, i as f64 / RATE)), 1.0);
    let mut stream = Stream::new(asset, eye.clone(), Some(filter), &start, at(0));
    let mut trace = Trace::new(asset, eye);
    for i in 0..(seconds * RATE) as usize {
        stream.step(skeleton, &start, at(i), 1.0 / RATE);
        trace.add(&stream);
    }
    trace.felt(path, character, stream.axes(), RATE)
}

/// An eight without a filter.
fn follow(asset: &Asset, eye: &Eye, stage: &Stage, (name, shape): &(String, Pose), seconds: f64) -> Followed {
    let skeleton = &asset.skeleton;
    let at = |i: usize| Wish::At(stage.at(Path::Eight, i as f64 / RATE));
    let mut stream = Stream::new(asset, eye.clone(), None, shape, (at(0), 1.0));
    let mut trace = Trace::new(asset, eye);
    let mut missed: f64 = 0.0;
    for i in 0..(seconds * RATE) as usize {
        let pose = stream.step(skeleton, shape, (at(i), 1.0), 1.0 / RATE).clone();
        trace.add(&stream);
        if i as f64 > RATE
            && let Wish::At(point) = at(i)
        {
            let model = ModelPose::new(skeleton, &pose);
            let off = |(from, looks): (Vec3, Vec3)| looks.angle_between(point - from);
            missed = stream.eye().sights(&model).into_iter().map(off).fold(missed, f64::max);
        }
    }
    let (step, joint) = trace.largest_step();
    Followed { posture: name.clone(), step, joint, missed }
}

/// Random targets all around, each looked at afresh; `None` without a face.
fn upright_of(asset: &Asset, options: &LookEvalOptions) -> Option<Upright> {
    let skeleton = &asset.skeleton;
    let mut eye = Eye::new(asset, &EyeOptions::default()).ok()?;
    let start = asset.opening_pose();
    let model = ModelPose::new(skeleton, &start);
    if eye.rolls(&model).is_empty() {
        return None;
    }
    let from = eye.sights(&model).first()?.0;
    let mut random: Pcg64Mcg = generator(options.seed);
    let (mut found, mut pose) = (Upright::default(), start.clone());
    while found.targets < options.targets {
        let [x, y, z] = direction(&mut random).to_array().map(f64::from);
        if y.abs() > STEEPEST {
            continue;
        }
        let point = from + Vec3::new(x, y, z) * f64::from(between(&mut random, 1.0, 5.0));
        let seen = eye.look(skeleton, &start, Wish::At(point), 1.0, true, &mut pose);
        let most = |list: Vec<f64>| list.into_iter().map(f64::abs).fold(0.0, f64::max);
        let roll = most(eye.rolls(&ModelPose::new(skeleton, &pose)));
        let missed = most(seen.missed);
        found.targets += 1;
        found.upside_down += usize::from(roll > std::f64::consts::FRAC_PI_2);
        found.rolls.push(roll);
        found.missed.push(missed);
        if missed < MET {
            found.rolls_met.push(roll);
        }
    }
    Some(found)
}

/// A target is looked at if it is missed by less, in radians.
const MET: f64 = 0.05;

type Found<'a> = [(&'a Named, Result<Measured, String>)];

fn measured<'a>(found: &'a Found<'a>) -> impl Iterator<Item = (&'a str, &'a Measured)> {
    found.iter().filter_map(|(rig, measured)| Some((rig.0.as_str(), measured.as_ref().ok()?)))
}

/// By path and character, over all rigs.
fn streams(found: &Found<'_>) -> Table {
    let mut table = Table::new(
        "Streams of `look --follow` as a servo feels them",
        &[
            "path",
            "character",
            "streams",
            "bounds broken",
            "sign changes a second",
            "of",
            "ripple of the velocity",
            "of",
            "lag, s",
            "overshoot, %",
        ],
    );
    for path in Path::ALL {
        for (character, _) in crate::filter::characters() {
            let all: Vec<(&str, &Felt)> = measured(found)
                .flat_map(|(rig, m)| m.streams.iter().map(move |felt| (rig, felt)))
                .filter(|(_, felt)| felt.path == path && felt.character == character)
                .collect();
            let Some((rig, signs)) =
                all.iter().max_by(|a, b| a.1.signs.0.total_cmp(&b.1.signs.0)).map(|(rig, f)| (rig, &f.signs))
            else {
                continue;
            };
            let Some((rippled, ripple)) = (all.iter())
                .max_by(|a, b| a.1.ripple.0.total_cmp(&b.1.ripple.0))
                .map(|(rig, f)| (rig, &f.ripple))
            else {
                continue;
            };
            let broken = all.iter().filter(|(_, felt)| felt.broken.is_some()).count();
            let mut lags: Vec<f64> = all.iter().map(|(_, felt)| felt.lag).collect();
            lags.sort_by(f64::total_cmp);
            let overshoot = all.iter().map(|(_, felt)| felt.overshoot).fold(0.0, f64::max);
            table.row(vec![
                path.name().into(),
                character.into(),
                Cell::number(all.len() as f64, 0),
                Cell::number(broken as f64, 0),
                Cell::number(signs.0, 1),
                format!("{rig}, {}", signs.1).into(),
                Cell::number(ripple.0, 4),
                format!("{rippled}, {}", ripple.1).into(),
                Cell::number(lags[lags.len() / 2], 3),
                Cell::number(100.0 * overshoot, 1),
            ]);
        }
    }
    table.note(
        "the worst of all rigs, the median of the lags; ripple: r.m.s. of what a local cubic over a quarter of a second leaves of the velocity, over the r.m.s. of all; overshoot: the most past a set-point that stands, as a part of the jump",
    );
    table
}

/// By rig.
fn bounds(found: &Found<'_>) -> Table {
    let mut table = Table::new(
        "Streams by rig: the worst circle, and bounds on every path",
        &["rig", "bounds broken", "first broken", "sign changes a second", "of", "ripple", "of", "at"],
    );
    for (rig, m) in measured(found) {
        let circles = || m.streams.iter().filter(|felt| matches!(felt.path, Path::Circle(_)));
        let Some(signs) = circles().map(|f| &f.signs).max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
        let Some(worst) = circles().max_by(|a, b| a.ripple.0.total_cmp(&b.ripple.0)) else { continue };
        let broken: Vec<&String> = m.streams.iter().filter_map(|felt| felt.broken.as_ref()).collect();
        table.row(vec![
            rig.into(),
            Cell::number(broken.len() as f64, 0),
            broken.first().map_or_else(|| "—".into(), |b| b.as_str().into()),
            Cell::number(signs.0, 1),
            signs.1.as_str().into(),
            Cell::number(worst.ripple.0, 4),
            worst.ripple.1.as_str().into(),
            format!("{}, {}", worst.path.name(), worst.character).into(),
        ]);
    }
    table
}

fn unfiltered(found: &Found<'_>) -> Table {
    let mut table = Table::new(
        "An eight in front, followed without a filter",
        &["rig", "posture", "largest step of a joint at 60 Hz, rad", "of", "largest miss, °"],
    );
    for (rig, m) in measured(found) {
        let mut last: Option<&str> = None;
        for followed in &m.unfiltered {
            if last == Some(followed.posture.as_str()) {
                continue;
            }
            last = Some(followed.posture.as_str());
            let same = || m.unfiltered.iter().filter(|f| f.posture == followed.posture);
            let Some(worst) = same().max_by(|a, b| a.step.total_cmp(&b.step)) else { continue };
            table.row(vec![
                rig.into(),
                followed.posture.as_str().into(),
                Cell::number(worst.step, 4),
                worst.joint.as_str().into(),
                Cell::number(same().map(|f| f.missed).fold(0.0, f64::max).to_degrees(), 2),
            ]);
        }
    }
    table.note(
        "the largest miss after the first second; where limits keep a rig from looking there it is large",
    );
    table
}

fn upright(found: &Found<'_>) -> Table {
    let mut table = Table::new(
        "Heads with a face, held upright: random targets all around",
        &[
            "rig",
            "targets",
            "upside down",
            "looked at",
            "roll of those, mean °",
            "most °",
            "roll of all, mean °",
            "most °",
            "missed, median °",
        ],
    );
    for (rig, m) in measured(found) {
        let Some(u) = &m.upright else { continue };
        let mean = |list: &[f64]| list.iter().sum::<f64>().to_degrees() / list.len().max(1) as f64;
        let most = |list: &[f64]| list.iter().copied().fold(0.0, f64::max).to_degrees();
        let mut missed = u.missed.clone();
        missed.sort_by(f64::total_cmp);
        let median = missed.get(missed.len() / 2).copied().unwrap_or_default();
        table.row(vec![
            rig.into(),
            Cell::number(u.targets as f64, 0),
            Cell::number(u.upside_down as f64, 0),
            Cell::number(u.rolls_met.len() as f64, 0),
            Cell::number(mean(&u.rolls_met), 2),
            Cell::number(most(&u.rolls_met), 2),
            Cell::number(mean(&u.rolls), 2),
            Cell::number(most(&u.rolls), 2),
            Cell::number(median.to_degrees(), 2),
        ]);
    }
    table.note("looked at: missed by less than 3°; the roll is about the line of sight, from upright; of the others limits decide");
    table
}
