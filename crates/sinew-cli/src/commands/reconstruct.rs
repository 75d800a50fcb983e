//! `sinew reconstruct`: a whole body's motion from a few tracked points.

use anyhow::{Context, Result, anyhow};
use sinew_eval::sik::reconstruct::{Options, Outcome, parse_points, read_csv, reconstruct};
use sinew_io::{Asset, Motion, WriteOptions, write_file};

use crate::arguments::ReconstructArguments;
use crate::commands::eval::sik_method;
use crate::describe;
use crate::failure::usage;
use crate::output::{NAME, Output, note, say};
use crate::progress::Progress;
use crate::resolve::Input;

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
    };
    let is_table = arguments.input.to_ascii_lowercase().ends_with(".csv");
    let (mut asset, outcome) = if is_table {
        let rig = arguments.rig.as_deref().ok_or_else(|| {
            usage("a table of points needs the skeleton to put them on: --rig humanoid, or a file")
        })?;
        let mut read = arguments.read.clone();
        let rate = read.rate.take().unwrap_or(60.0);
        let asset = Input::open(rig, &read)?.asset;
        let text = std::fs::read_to_string(&arguments.input)
            .with_context(|| format!("{}: cannot be read", arguments.input))?;
        let table = read_csv(&text).map_err(|error| anyhow!("{}: {error}", arguments.input))?;
        let outcome = {
            let _progress = Progress::after_a_second("reconstructing");
            reconstruct(&asset.skeleton, None, Some(&table), 1.0 / rate, &options)?
        };
        (asset, outcome)
    } else {
        let input = Input::open(&arguments.input, &arguments.read)?;
        let asset = input.asset;
        let motion = asset
            .motions
            .first()
            .ok_or_else(|| anyhow!("{} has no motion to take points from", arguments.input))?;
        let outcome = {
            let _progress = Progress::after_a_second("reconstructing");
            reconstruct(&asset.skeleton, Some(&motion.frames), None, motion.frame_time, &options)?
        };
        (asset, outcome)
    };
    let Outcome { frames, frame_time, errors, median_us, filled } = outcome;
    let count = frames.len();
    let name = asset.motions.first().map_or_else(String::new, |m| m.name.clone());
    asset.motions = vec![Motion::new(name, frame_time, frames)];
    write(&arguments.output, &asset)?;
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
    Ok(())
}

fn write(path: &std::path::Path, asset: &Asset) -> Result<()> {
    let _progress = Progress::after_a_second(format!("writing {}", path.display()));
    for words in write_file(path, asset, &WriteOptions::default())? {
        note(&format!("{}: {words}", path.display()));
    }
    Ok(())
}
