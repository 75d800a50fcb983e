//! `sinew eval walk`: the walker.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use sinew_eval::walk;

use super::Results;
use crate::arguments::EvalWalkArguments;
use crate::failure::usage;
use crate::output::{NAME, Output, say};

pub fn run(arguments: &EvalWalkArguments, output: &mut Output) -> Result<()> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 3600.0) {
        return Err(usage("--seconds takes a number above zero, an hour at the most"));
    }
    let options =
        walk::WalkOptions { seconds: arguments.seconds, hills: arguments.hills, seed: arguments.seed };
    let bar = ProgressBar::new(walk::steps(&options));
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} walks, {eta} left") {
        bar.set_style(style);
    }
    let tables = walk::run(&options, || bar.inc(1)).context("the embedded humanoid")?;
    bar.finish_and_clear();
    let results = Results { schema: "sinew.eval.walk/1", seed: arguments.seed, tables };
    if arguments.json {
        output.json(&results)?;
    } else {
        for table in &results.tables {
            say!(output, "{table}")?;
        }
    }
    let Some(folder) = &arguments.output else { return Ok(()) };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    serde_json::to_writer_pretty(std::fs::File::create(folder.join("walk.json"))?, &results)?;
    if !arguments.json {
        say!(output, "tables are in {NAME}{}{NAME:#}", folder.display())?;
    }
    Ok(())
}
