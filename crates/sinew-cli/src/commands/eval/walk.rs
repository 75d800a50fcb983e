//! `sinew eval walk`: the walker.

use anyhow::{Context, Result};
use sinew_eval::walk::{self, LegSolver};

use super::Results;
use crate::arguments::EvalWalkArguments;
use crate::failure::usage;
use crate::output::Output;
use crate::progress;

pub fn run(arguments: &EvalWalkArguments, output: &mut Output) -> Result<()> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 3600.0) {
        return Err(usage("--seconds takes a number above zero, an hour at the most"));
    }
    let known = |name: &String| {
        let all = LegSolver::ALL.map(LegSolver::name).join(", ");
        LegSolver::by_name(name).ok_or_else(|| usage(format!("there is no solver '{name}'; there are {all}")))
    };
    let solvers = match arguments.solvers.is_empty() {
        true => LegSolver::ALL.into(),
        false => arguments.solvers.iter().map(known).collect::<Result<_>>()?,
    };
    let &EvalWalkArguments { seconds, hills, sticks, seed, .. } = arguments;
    let options = walk::WalkOptions { solvers, seconds, hills, sticks, seed };
    let bar = progress::bar(walk::steps(&options), "walks");
    let tables = walk::run(&options, || bar.inc(1)).context("the embedded humanoid")?;
    bar.finish_and_clear();
    Results::new("sinew.eval.walk/1", arguments.seed, tables).tell(&arguments.to, output, |_| Ok(()))
}
