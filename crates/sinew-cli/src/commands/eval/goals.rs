//! `sinew eval goals`: bounds on the whole body.

use anyhow::{Context, Result};
use sinew_eval::goals::{Body, balance, clear, frames, stick};

use super::Results;
use crate::arguments::EvalGoalsArguments;
use crate::output::Output;
use crate::progress;

pub fn run(arguments: &EvalGoalsArguments, output: &mut Output) -> Result<()> {
    let mut bodies = vec![Body::humanoid()?];
    if let Some(path) = &arguments.robot {
        let asset = sinew_io::read_file(path)?;
        bodies.push(Body::robot(&asset).with_context(|| format!("{}", path.display()))?);
    }
    let EvalGoalsArguments { problems, frames: count, seconds, seed, .. } = *arguments;
    let bar = progress::bar(bodies.len() * (4 * problems + 12), "problems");
    let tables = vec![
        balance::run(&bodies, problems, seed, || bar.inc(1)),
        clear::run(&bodies, problems, seed, || bar.inc(1)),
        frames::run(&bodies, count, seed, || bar.inc(1)),
        stick::run(&bodies, seconds, seed, || bar.inc(1)),
    ];
    bar.finish_and_clear();
    Results::new("sinew.eval.goals/1", seed, tables).tell(&arguments.to, output, |_| Ok(()))
}
