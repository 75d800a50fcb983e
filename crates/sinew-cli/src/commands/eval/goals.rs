//! `sinew eval goals`: bounds on the whole body.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use sinew_eval::goals::{Body, balance, clear, frames, stick};

use super::Results;
use crate::arguments::EvalGoalsArguments;
use crate::output::{NAME, Output, say};

pub fn run(arguments: &EvalGoalsArguments, output: &mut Output) -> Result<()> {
    let mut bodies = vec![Body::humanoid()?];
    if let Some(path) = &arguments.robot {
        let asset = sinew_io::read_file(path)?;
        bodies.push(Body::robot(&asset).with_context(|| format!("{}", path.display()))?);
    }
    let EvalGoalsArguments { problems, frames: count, seconds, seed, .. } = *arguments;
    let bar = ProgressBar::new((bodies.len() * (4 * problems + 7)) as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {eta} left") {
        bar.set_style(style);
    }
    let tables = vec![
        balance::run(&bodies, problems, seed, || bar.inc(1)),
        clear::run(&bodies, problems, seed, || bar.inc(1)),
        frames::run(&bodies, count, seed, || bar.inc(1)),
        stick::run(&bodies, seconds, seed, || bar.inc(1)),
    ];
    bar.finish_and_clear();
    let results = Results { schema: "sinew.eval.goals/1", seed, tables };
    if arguments.json {
        output.json(&results)?;
    } else {
        for table in &results.tables {
            say!(output, "{table}")?;
        }
    }
    let Some(folder) = &arguments.output else { return Ok(()) };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    serde_json::to_writer_pretty(std::fs::File::create(folder.join("goals.json"))?, &results)?;
    if !arguments.json {
        say!(output, "the tables are in {NAME}{}{NAME:#}", folder.display())?;
    }
    Ok(())
}
