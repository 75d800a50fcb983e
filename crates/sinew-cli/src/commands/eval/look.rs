//! `sinew eval look`: streams, steps and heads held upright, and strips of pictures.

use std::path::Path;

use anyhow::Result;
use sinew_eval::look::{self, LookEvalOptions, Named, pictures};

use super::Results;
use crate::arguments::{EvalLookArguments, ReadArguments};
use crate::failure::usage;
use crate::files;
use crate::output::Output;
use crate::progress;
use crate::resolve::Input;

/// The width of a strip in pixels.
const WIDTH: u32 = 1600;

pub fn run(arguments: &EvalLookArguments, output: &mut Output) -> Result<()> {
    if !(arguments.seconds >= 2.0 && arguments.seconds <= 600.0) {
        return Err(usage("--seconds takes a number from 2 to 600"));
    }
    let rigs = match arguments.rigs.is_empty() {
        true => look::embedded()?,
        false => arguments.rigs.iter().map(|name| open(name)).collect::<Result<_>>()?,
    };
    let options = LookEvalOptions {
        seed: arguments.seed,
        stages: usize::from(arguments.stages),
        seconds: arguments.seconds,
        targets: usize::from(arguments.targets),
    };
    let bar = progress::bar(look::work(&rigs), "rigs");
    let tables = look::run(&rigs, &options, || bar.inc(1));
    bar.finish_and_clear();
    Results::new("sinew.eval.look/1", arguments.seed, tables).tell(&arguments.to, output, |folder| {
        for rig in &rigs {
            for (ending, strip) in pictures::moods(rig) {
                files::write_picture(&folder.join(format!("look-{}-{ending}", rig.0)), &strip, WIDTH)?;
            }
        }
        Ok(())
    })
}

/// A rig and a short name for it: that of its file without folder and ending.
fn open(name: &str) -> Result<Named> {
    let input = Input::open(name, &ReadArguments::default())?;
    let short = Path::new(name).file_stem().and_then(|n| n.to_str()).unwrap_or(name).replace(':', "-");
    Ok((short, input.asset))
}
