//! `sinew reconstruct`: a whole body's motion from a few tracked points.

use std::borrow::Cow;

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use sinew_f64::body::six_point::Trackers;
use sinew_io::budget::pose_bytes;
use sinew_io::{Asset, Motion, WriteOptions};
use sinew_motion::Sequence;
use sinew_motion::reconstruct::{Calibrate, Options, Outcome, parse_points, read_csv, reconstruct};
use sinew_motion::transfer::transfer;

use crate::arguments::{CalibrateFrom, MountsFrom, ReconstructArguments};
use crate::cause::Told;
use crate::commands::eval::sik_method;
use crate::describe;
use crate::failure::usage;
use crate::files::{self, Kind};
use crate::memory;
use crate::output::{NAME, Output, say};
use crate::progress::Progress;
use crate::resolve::Input;

/// What `--json` writes.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    method: &'static str,
    frames: usize,
    frame_time_s: f64,
    microseconds_per_frame: f64,
    /// Against the original, where there is one: of the height.
    position_error: Option<f64>,
    orientation_error_rad: Option<f64>,
    frames_filled: usize,
    limbs: Vec<LimbDocument>,
}

/// Arms and legs whose ends are not always where they should be.
#[derive(Serialize)]
struct LimbDocument {
    point: &'static str,
    frames_missed: usize,
    worst_frame: Option<usize>,
    worst_error_m: Option<f64>,
    /// Of the worst frame.
    #[serde(flatten)]
    told: Told,
}

/// The lines of a table, of which each may become a frame.
fn lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count() + 1
}

/// What a row of a table becomes: the points as they are given and as they are taken, and a pose in both
/// precisions.
const fn row_bytes(joints: usize) -> usize {
    2 * size_of::<Trackers>() + 2 * pose_bytes(joints)
}

pub fn run(arguments: &ReconstructArguments, output: &mut Output) -> Result<()> {
    for (value, name) in [(arguments.noise, "--noise"), (arguments.filter, "--filter")] {
        if !(value.is_finite() && value >= 0.0) {
            return Err(usage(format!("{name} {value}: expected a number, zero or more")));
        }
    }
    let options = Options {
        method: sik_method(&arguments.method)?,
        points: parse_points(&arguments.points).map_err(usage)?,
        orientations: arguments.orientations,
        noise: arguments.noise * 1.0e-3,
        seed: arguments.seed,
        filter: arguments.filter * 1.0e-3,
        calibration: arguments.calibrate.map(|from| match from {
            CalibrateFrom::Pose => Calibrate::Pose,
            CalibrateFrom::Motion => Calibrate::Motion,
        }),
        mounts: arguments
            .mounts
            .iter()
            .map(|from| match from {
                MountsFrom::Pose => Calibrate::Pose,
                MountsFrom::Motion => Calibrate::Motion,
            })
            .collect(),
    };
    let is_table = arguments.input.to_ascii_lowercase().ends_with(".csv");
    if options.calibration.is_some() && !is_table {
        return Err(usage(
            "--calibrate is for a table of points: a motion's own points are as large as its body",
        ));
    }
    if !options.mounts.is_empty() && !is_table {
        return Err(usage("--mounts is for a table of points: a motion's own points are in its joints"));
    }
    let unit = arguments.unit.unwrap_or(1.0);
    if arguments.unit.is_some() && !is_table {
        return Err(usage("--unit is for a table of points: metres in one unit of a motion are --scale"));
    }
    if !(unit.is_finite() && unit > 0.0) {
        return Err(usage(format!("--unit {unit}: expected a number above zero")));
    }
    let inputs = [Some(arguments.input.as_str()), arguments.rig.as_deref()];
    files::check(output, &arguments.output, &[Kind::Motion], inputs.into_iter().flatten())?;
    let (mut asset, outcome) = if is_table {
        let rig = arguments.rig.as_deref().ok_or_else(|| {
            usage("a table of points needs the skeleton to put them on: --rig humanoid, or a file")
        })?;
        let mut read = arguments.read.clone();
        let rate = read.rate.take().unwrap_or(60.0);
        let asset = Input::open(rig, &read)?.asset;
        let bytes = std::fs::read(&arguments.input)
            .with_context(|| format!("{}: cannot be read", arguments.input))?;
        memory::budget()
            .check(lines(&bytes), row_bytes(asset.skeleton.len()), || {
                format!("{} rows for {} joints", lines(&bytes), asset.skeleton.len())
            })
            .map_err(|error| error.in_file(&arguments.input))?;
        let mut table = read_csv(&bytes).map_err(|error| error.in_file(&arguments.input))?;
        if arguments.unit.is_some() {
            table.iter_mut().for_each(|frame| *frame = frame.scaled(unit as f32));
        }
        let outcome = {
            let _progress = Progress::after_a_second("reconstructing");
            reconstruct(
                (&asset.skeleton, sinew_io::single::humanoid(&asset)?),
                None,
                Some(&table),
                1.0 / rate,
                &options,
            )?
        };
        (asset, outcome)
    } else if let Some(rig) = &arguments.rig {
        on_another(arguments, rig)?
    } else {
        let input = Input::open(&arguments.input, &arguments.read)?;
        let mut asset = input.asset;
        let map = sinew_io::single::humanoid(&asset)?;
        let motion = asset
            .motions
            .first_mut()
            .ok_or_else(|| anyhow!("{} has no motion to take points from", arguments.input))?;
        let outcome = {
            let _progress = Progress::after_a_second("reconstructing");
            reconstruct(
                (&asset.skeleton, map),
                Some(Cow::Owned(std::mem::take(&mut motion.frames).into())),
                None,
                motion.frame_time,
                &options,
            )?
        };
        (asset, outcome)
    };
    let narrow = sinew_io::narrow::skeleton(&asset.skeleton)?;
    let Outcome { frames, frame_time, errors, median_us, filled, limbs } = outcome;
    let count = frames.len();
    let name = asset.motions.first().map_or_else(String::new, |m| m.name.clone());
    asset.motions = vec![Motion::new(name, frame_time, frames)];
    files::write_asset(&arguments.output, &asset, &WriteOptions::default())?;
    let limbs: Vec<LimbDocument> = limbs
        .into_iter()
        .map(|limb| LimbDocument {
            point: limb.point.name(),
            frames_missed: limb.missed,
            worst_frame: limb.worst.map(|(frame, _)| frame),
            worst_error_m: limb.worst.map(|(_, outcome)| f64::from(outcome.residual.position)),
            told: Told::new(
                limb.worst.and_then(|(_, outcome)| outcome.cause).as_ref(),
                &narrow,
                &[limb.point.name()],
            ),
        })
        .collect();
    if arguments.json {
        return output.json(&Document {
            schema: "sinew.reconstruct/1",
            method: options.method.name(),
            frames: count,
            frame_time_s: frame_time,
            microseconds_per_frame: median_us,
            position_error: errors.map(|(position, _)| position),
            orientation_error_rad: errors.map(|(_, orientation)| orientation),
            frames_filled: filled,
            limbs,
        });
    }
    let target = describe::printable(&arguments.output.display().to_string());
    say!(
        output,
        "{NAME}{target}{NAME:#}: {count} frames by {}, median {median_us:.2} µs a frame",
        options.method.name()
    )?;
    if let Some((position, orientation)) = errors {
        say!(
            output,
            "  position error {position:.4} of the height, orientation error {orientation:.4} rad (RMS over frames)"
        )?;
    }
    if filled > 0 {
        say!(output, "  in {filled} frames a point was missing or not believed and was filled in")?;
    }
    for LimbDocument { point, frames_missed, worst_frame, told, .. } in &limbs {
        if let (Some(frame), Some(cause)) = (worst_frame, &told.cause) {
            say!(
                output,
                "  {NAME}{point}{NAME:#} missed in {frames_missed} frames, worst in {frame}: {cause}"
            )?;
        }
    }
    Ok(())
}

/// The motion on another body: that body's file, and what came of it.
fn on_another(arguments: &ReconstructArguments, rig: &str) -> Result<(Asset, Outcome)> {
    let points = parse_points(&arguments.points).map_err(usage)?;
    if arguments.noise > 0.0 || arguments.filter > 0.0 || arguments.orientations || points.len() != 6 {
        return Err(usage(
            "--rig with a motion takes all of its points; --points, --noise and such go without it",
        ));
    }
    let source = Input::open(&arguments.input, &arguments.read)?.asset;
    let mut asset = Input::open(rig, &Default::default())?.asset;
    let motion = source.motions.first();
    let motion = motion.ok_or_else(|| anyhow!("{} has no motion to take points from", arguments.input))?;
    let (name, frame_time) = (motion.name.clone(), motion.frame_time);
    let narrow = sinew_io::single::Asset::new(&source)?;
    let map = narrow.humanoid();
    let frames = narrow.motions.into_iter().next().map(|motion| motion.frames).unwrap_or_default();
    let sequence = Sequence {
        name: name.clone(),
        skeleton: narrow.skeleton,
        map,
        frames,
        frame_time,
        rigid: false,
        published: None,
    };
    let body = sinew_io::single::Asset::new(&asset)?;
    let _progress = Progress::after_a_second("moving another body");
    let outcome = transfer(&sequence, &body.skeleton, &body.humanoid(), &asset.skeleton)
        .with_context(|| format!("{} on {rig}", arguments.input))?;
    // The written motion is called as the one that was read.
    asset.motions = vec![Motion::new(name, frame_time, Vec::new())];
    Ok((asset, outcome))
}
