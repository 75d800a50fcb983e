//! `sinew walk`: a character walks somewhere, as a motion.

mod path;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use sinew_draw::{Figure, Scene, StripOptions, View};
use sinew_f64::body::walk::{Blocked, Ground, LegSolver, Obstacle, Terrain, WalkInput, WalkOptions, Walker};
use sinew_f64::{ModelPose, Pose, Skeleton, Vec3};
use sinew_io::{Motion, WriteOptions};
use sinew_motion::cycle::{self, Cycle};

use crate::arguments::{ViewName, WalkArguments};
use crate::cause::Told;
use crate::commands::terrain;
use crate::failure::usage;
use crate::files::{self, Kind};
use crate::memory;
use crate::output::{FAINT, GOOD, NAME, NOTE, Output, note, say};
use crate::resolve::Input;

/// More frames than this are a slip of the keyboard.
const MOST_FRAMES: f64 = 200_000.0;
/// The frames of a picture.
const SHOWN: usize = 10;

/// What `--json` writes.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    solver: &'static str,
    frames: usize,
    frame_time_s: f64,
    place: [f64; 3],
    heading_deg: f64,
    stands: bool,
    /// What kept it from going on.
    blocked: Option<BlockedDocument>,
    /// The cycle that was cut out of the walk.
    cycle: Option<CycleDocument>,
    /// Why the worst planted foot was not in its place.
    #[serde(flatten)]
    told: Told,
    worst_slip_m: f64,
    iterations_per_frame: f64,
    microseconds_per_frame: f64,
}

/// What stopped it, under `blocked`.
#[derive(Serialize)]
struct BlockedDocument {
    by: Obstacle,
    at: [f64; 3],
    size: f64,
    words: String,
}

impl BlockedDocument {
    fn new(blocked: &Blocked) -> Self {
        let &Blocked { by, at, size } = blocked;
        Self { by, at: at.to_array(), size, words: blocked.to_string() }
    }
}

/// The cycle, under `cycle`.
#[derive(Serialize)]
struct CycleDocument {
    frames: usize,
    frame_time_s: f64,
    travel_m: f64,
    gap_deg: f64,
}

/// The options of the walk, for legs of this length in metres.
fn options(arguments: &WalkArguments, solver: LegSolver, leg: f64) -> Result<WalkOptions> {
    let default = WalkOptions::default();
    let limit = |name: &str, given: Option<f64>, or: f64, unit: f64| match given {
        None => Ok(or),
        Some(value) if value.is_finite() && value >= 0.0 => Ok(value / unit),
        Some(_) => Err(usage(format!("{name} must not be below zero"))),
    };
    Ok(WalkOptions {
        solver,
        speed: if arguments.run { default.run } else { default.speed },
        climb: limit("--climb", arguments.climb, default.climb, leg)?,
        drop: limit("--drop", arguments.drop, default.drop, leg)?,
        steepest: limit("--steepest", arguments.steepest, default.steepest, 1.0)?,
        ..default
    })
}

pub fn run(arguments: &WalkArguments, output: &mut Output) -> Result<()> {
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if !positive(arguments.seconds) || !positive(arguments.fps) {
        return Err(usage("--seconds and --fps must be above zero"));
    }
    if arguments.seconds * arguments.fps > MOST_FRAMES {
        return Err(usage(format!("--seconds times --fps are more than {MOST_FRAMES} frames")));
    }
    if !(-1.0..=1.0).contains(&arguments.speed) {
        return Err(usage("--speed goes from -1 to 1"));
    }
    let solver = LegSolver::by_name(&arguments.solver).ok_or_else(|| {
        let known = LegSolver::ALL.map(LegSolver::name).join(", ");
        usage(format!("there is no leg solver '{}'; there are {known}", arguments.solver))
    })?;
    if let Some(path) = &arguments.output {
        let inputs = [&arguments.input, &arguments.path, &arguments.terrain];
        let inputs = inputs.into_iter().map(|text| files::named_in(text));
        files::check(output, path, &[Kind::Motion, Kind::Picture], inputs)?;
    }
    let ground = terrain::parse("--terrain", &arguments.terrain)?;
    let course = path::parse(&arguments.path, arguments.speed, arguments.seconds)?;
    let input = Input::open(&arguments.input, &arguments.read)?;
    for words in &input.asset.notes {
        note(&format!("{}: {words}", input.origin.name()));
    }
    let skeleton = &input.asset.skeleton;
    let (map, skin) = (input.humanoid(), input.asset.skin());
    let mut walker = Walker::with_skin(skeleton, &map, &skin, WalkOptions::default(), &ground)?;
    walker.set_options(options(arguments, solver, walker.leg_length())?);
    let mut pose = Pose::rest(skeleton);
    let count = (arguments.seconds * arguments.fps).round().max(1.0) as usize;
    memory::budget().check_poses(skeleton.len(), count)?;
    let frame_time = 1.0 / arguments.fps;
    let (mut frames, mut times) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let (mut slip, mut iterations, mut stands) = (0.0f64, 0.0, false);
    let (mut cause, mut blocked) = (None, None);
    for frame in 0..count {
        let wanted = course.at(frame as f64 * frame_time);
        let start = Instant::now();
        let report = walker.step(skeleton, &ground, wanted, frame_time, &mut pose);
        times.push(start.elapsed().as_secs_f64() * 1e6);
        if report.cause.is_some() && (cause.is_none() || report.slip > slip) {
            cause = report.cause;
        }
        slip = slip.max(report.slip);
        iterations += f64::from(report.iterations);
        stands = report.standing;
        blocked = report.blocked.or(blocked);
        frames.push(pose.clone());
    }
    let cycle =
        arguments.cycle.then(|| one_cycle(arguments, skeleton, &mut walker.clone(), &pose)).transpose()?;
    let feet: Vec<&str> = walker.feet().iter().map(|foot| skeleton.joint(foot.joint).name()).collect();
    let document = Document {
        schema: "sinew.walk/1",
        solver: solver.name(),
        frames: count,
        frame_time_s: frame_time,
        place: walker.place().to_array(),
        heading_deg: walker.heading().to_degrees(),
        stands,
        blocked: blocked.as_ref().map(BlockedDocument::new),
        cycle: cycle.as_ref().map(|cycle| CycleDocument {
            frames: cycle.frames.len(),
            frame_time_s: cycle.frame_time,
            travel_m: cycle.travel.length(),
            gap_deg: cycle.gap.to_degrees(),
        }),
        told: Told::new(cause.as_ref(), skeleton, &feet),
        worst_slip_m: slip,
        iterations_per_frame: iterations / count as f64,
        microseconds_per_frame: sinew_motion::metric::median(&times),
    };
    if arguments.json {
        output.json(&document)?;
    } else {
        let [x, y, z] = document.place;
        say!(
            output,
            "{GOOD}walked{GOOD:#} {} frames by {} to {x:.2}, {y:.2}, {z:.2}{}",
            document.frames,
            document.solver,
            if stands { " and stands" } else { "" }
        )?;
        say!(
            output,
            "  {FAINT}worst planted foot off by{FAINT:#} {:.3} mm{FAINT}, a frame takes{FAINT:#} {:.1} µs",
            slip * 1e3,
            document.microseconds_per_frame
        )?;
        if let Some(blocked) = &document.blocked {
            say!(output, "  {NOTE}stopped{NOTE:#} by {}", blocked.words)?;
        }
        if let Some(cycle) = &document.cycle {
            let (frames, time) = (cycle.frames - 1, cycle.frame_time_s);
            let (seconds, travel) = (frames as f64 * time, cycle.travel_m);
            say!(output, "  a cycle of {frames} frames takes {seconds:.3} s and goes {travel:.3} m")?;
        }
        if let Some(cause) = &document.told.cause {
            say!(output, "  {NOTE}a planted foot was off{NOTE:#}: {cause}")?;
        }
    }
    if let Some(path) = &arguments.output {
        match &cycle {
            Some(cycle) => save(path, arguments, &input, &ground, &cycle.frames, cycle.frame_time)?,
            None => save(path, arguments, &input, &ground, &frames, frame_time)?,
        }
        if !arguments.json {
            say!(output, "{NAME}{}{NAME:#} written", path.display())?;
        }
    }
    Ok(())
}

/// Seconds after which a gait is steady, and the shortest and longest cycle of one.
const STEADY: f64 = 4.0;
const PERIOD: (f64, f64) = (0.25, 3.0);
/// The ticks of the walker a second: between two of them nothing new happens.
const TICKS: f64 = 240.0;

/// One cycle of the gait that the walker comes to.
fn one_cycle(
    arguments: &WalkArguments,
    skeleton: &Skeleton,
    walker: &mut Walker,
    pose: &Pose,
) -> Result<Cycle> {
    let mut pose = pose.clone();
    let input = WalkInput { speed: arguments.speed, turn: 0.0 };
    let count = ((STEADY + PERIOD.1 + 0.1) * TICKS) as usize;
    let mut frames = Vec::with_capacity(count);
    for _ in 0..count {
        walker.step(skeleton, &Ground::Flat, input, 1.0 / TICKS, &mut pose);
        frames.push(pose.clone());
    }
    let steady = &frames[(STEADY * TICKS) as usize..];
    let found = cycle::cut(skeleton, steady, 1.0 / TICKS, PERIOD, arguments.fps);
    found.context("this gait does not repeat itself")
}

fn save(
    path: &Path,
    arguments: &WalkArguments,
    input: &Input,
    ground: &Ground,
    frames: &[Pose],
    frame_time: f64,
) -> Result<()> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    if matches!(ending.as_str(), "png" | "svg") {
        return files::write_picture(path, &strip(arguments, input, ground, frames, frame_time), 2000);
    }
    let mut asset = input.asset.clone();
    let name = format!("walk {}", arguments.terrain);
    asset.motions = vec![Motion::new(name, frame_time, frames.to_vec())];
    files::write_asset(path, &asset, &WriteOptions::default()).context("the motion")
}

/// Ten frames of the motion side by side, each with the ground under it.
fn strip(
    arguments: &WalkArguments,
    input: &Input,
    ground: &Ground,
    frames: &[Pose],
    frame_time: f64,
) -> sinew_draw::Drawing {
    let skeleton = &input.asset.skeleton;
    let last = frames.len() - 1;
    let scenes: Vec<Scene> = (0..SHOWN)
        .map(|i| {
            let frame = last * i / (SHOWN - 1);
            let pose = &frames[frame];
            let at = ModelPose::new(skeleton, pose).position(skeleton.root());
            let line = (-40..=40).map(|k| {
                let z = at.z + f64::from(k) * 0.02;
                Vec3::new(at.x, ground.height(at.x, z), z)
            });
            Scene::new(format!("{:.2} s", frame as f64 * frame_time))
                .terrain(line.collect())
                .figure(Figure::new(skeleton, pose).limits(false).names(false))
        })
        .collect();
    let view = match arguments.view {
        ViewName::Front => View::Front,
        ViewName::Side => View::Side,
        ViewName::Top => View::Top,
        ViewName::Turned => View::Turned,
    };
    let options = StripOptions {
        view,
        title: format!("{} walks on {}", input.origin.title(), arguments.terrain),
        note: format!("legs by {}", arguments.solver),
        follow: true,
        width: 1900.0,
        ..StripOptions::default()
    };
    sinew_draw::strip(&scenes, &options)
}
