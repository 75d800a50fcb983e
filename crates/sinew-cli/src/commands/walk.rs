//! `sinew walk`: a character walks somewhere, as a motion.

mod path;
mod terrain;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use sinew_draw::{Figure, Scene, StripOptions, View};
use sinew_f64::body::walk::{Ground, LegSolver, Terrain, WalkOptions, Walker};
use sinew_f64::{ModelPose, Pose, Vec3};
use sinew_io::{Motion, WriteOptions, write_file};

use crate::arguments::{ViewName, WalkArguments};
use crate::cause::Told;
use crate::failure::usage;
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
    /// Why the worst planted foot was not in its place.
    #[serde(flatten)]
    told: Told,
    worst_slip_m: f64,
    iterations_per_frame: f64,
    microseconds_per_frame: f64,
}

pub fn run(arguments: &WalkArguments, output: &mut Output) -> Result<()> {
    let positive = |x: f64| x.is_finite() && x > 0.0;
    if !positive(arguments.seconds) || !positive(arguments.fps) {
        return Err(usage("--seconds and --fps must be above zero"));
    }
    if arguments.seconds * arguments.fps > MOST_FRAMES {
        return Err(usage(format!("--seconds times --fps are more than {MOST_FRAMES} frames")));
    }
    if !(0.0..=1.0).contains(&arguments.speed) {
        return Err(usage("--speed goes from 0 to 1"));
    }
    let solver = LegSolver::by_name(&arguments.solver).ok_or_else(|| {
        let known = LegSolver::ALL.map(LegSolver::name).join(", ");
        usage(format!("there is no leg solver '{}'; there are {known}", arguments.solver))
    })?;
    let ground = terrain::parse(&arguments.terrain)?;
    let course = path::parse(&arguments.path, arguments.speed, arguments.seconds)?;
    let input = Input::open(&arguments.input, &arguments.read)?;
    for words in &input.asset.notes {
        note(&format!("{}: {words}", input.origin.name()));
    }
    let skeleton = &input.asset.skeleton;
    let options = WalkOptions { solver, ..WalkOptions::default() };
    let mut walker = Walker::with_map(skeleton, &input.humanoid(), options, &ground)?;
    let mut pose = Pose::rest(skeleton);
    let count = (arguments.seconds * arguments.fps).round().max(1.0) as usize;
    let frame_time = 1.0 / arguments.fps;
    let (mut frames, mut times) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let (mut slip, mut iterations, mut stands) = (0.0f64, 0.0, false);
    let mut cause = None;
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
        frames.push(pose.clone());
    }
    let feet: Vec<&str> = walker.feet().iter().map(|foot| skeleton.joint(foot.joint).name()).collect();
    let document = Document {
        schema: "sinew.walk/1",
        solver: solver.name(),
        frames: count,
        frame_time_s: frame_time,
        place: walker.place().to_array(),
        heading_deg: walker.heading().to_degrees(),
        stands,
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
        if let Some(cause) = &document.told.cause {
            say!(output, "  {NOTE}a planted foot was off{NOTE:#}: {cause}")?;
        }
    }
    if let Some(path) = &arguments.output {
        save(path, arguments, &input, &ground, &frames)?;
        if !arguments.json {
            say!(output, "{NAME}{}{NAME:#} written", path.display())?;
        }
    }
    Ok(())
}

fn save(
    path: &Path,
    arguments: &WalkArguments,
    input: &Input,
    ground: &Ground,
    frames: &[Pose],
) -> Result<()> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    if matches!(ending.as_str(), "png" | "svg") {
        return strip(arguments, input, ground, frames).save(path, 2000).map_err(Into::into);
    }
    let mut asset = input.asset.clone();
    let name = format!("walk {}", arguments.terrain);
    asset.motions = vec![Motion::new(name, 1.0 / arguments.fps, frames.to_vec())];
    for words in write_file(path, &asset, &WriteOptions::default()).context("the motion")? {
        note(&format!("{}: {words}", path.display()));
    }
    Ok(())
}

/// Ten frames of the motion side by side, each with the ground under it.
fn strip(arguments: &WalkArguments, input: &Input, ground: &Ground, frames: &[Pose]) -> sinew_draw::Drawing {
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
            Scene::new(format!("{:.2} s", frame as f64 / arguments.fps))
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
        title: format!("{} walks on {}", input.origin.name(), arguments.terrain),
        note: format!("legs by {}", arguments.solver),
        follow: true,
        width: 1900.0,
        ..StripOptions::default()
    };
    sinew_draw::strip(&scenes, &options)
}
