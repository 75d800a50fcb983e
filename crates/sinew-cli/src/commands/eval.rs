//! `sinew eval`: the experiments.

mod erik;
mod reach;
mod sik;
pub(super) use sik::method as sik_method;
mod walk;

use std::path::Path;

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use sinew_draw::plot::{Axis, Plot};
use sinew_eval::solvers::{conflict, continuity, half_full, humanoid, scaling};
use sinew_eval::task::{TaskOptions, run_file};
use sinew_eval::{Engine, Table};

use crate::arguments::{EvalArguments, EvalCommand, EvalSolversArguments, EvalTaskArguments};
use crate::failure::usage;
use crate::output::{NAME, Output, say};
use crate::progress::Progress;

pub fn run(arguments: &EvalArguments, output: &mut Output) -> Result<()> {
    match &arguments.command {
        EvalCommand::Solvers(arguments) => solvers(arguments, output),
        EvalCommand::Reach(arguments) => reach::run(arguments, output),
        EvalCommand::Erik(arguments) => erik::run(arguments, output),
        EvalCommand::Merge(arguments) => erik::merge(arguments, output),
        EvalCommand::Filter(arguments) => erik::filter(arguments, output),
        EvalCommand::Walk(arguments) => walk::run(arguments, output),
        EvalCommand::Task(arguments) => task(arguments, output),
        EvalCommand::Sik(arguments) => sik::run(arguments, output),
    }
}

#[derive(Serialize)]
struct Results {
    schema: &'static str,
    seed: u64,
    tables: Vec<Table>,
}

fn solvers(arguments: &EvalSolversArguments, output: &mut Output) -> Result<()> {
    let all: Vec<Engine> = Engine::all().collect();
    let solvers: Vec<Engine> = match arguments.solvers.is_empty() {
        true => all,
        false => arguments
            .solvers
            .iter()
            .map(|name| all.iter().copied().find(|s| s.name() == name).ok_or_else(|| unknown(name, &all)))
            .collect::<Result<_>>()?,
    };
    let skeleton = sinew_eval::solvers::rig("humanoid:kusudama").context("the embedded humanoid")?;
    let count = solvers.len();
    let steps = count * (arguments.poses + 1 + scaling::BONES.len() + continuity::paths().len());
    let bar = ProgressBar::new(steps as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {eta} left") {
        bar.set_style(style);
    }
    let options =
        humanoid::HumanoidOptions { poses: arguments.poses, seed: arguments.seed, solvers: solvers.clone() };
    let tick = || bar.inc(1);
    let many = humanoid::run(&options, &skeleton, tick);
    let pulled = conflict::run(&solvers, &skeleton, tick);
    let (smooth, traces) = continuity::run(&solvers, tick);
    let grown = scaling::run(&solvers, tick);
    let leg = half_full::run(&skeleton);
    bar.finish_and_clear();
    let tables = vec![many, pulled, smooth, grown, leg];
    if arguments.json {
        output.json(&Results {
            schema: "sinew.eval.solvers/1",
            seed: arguments.seed,
            tables: tables.clone(),
        })?;
    } else {
        for table in &tables {
            say!(output, "{table}")?;
        }
    }
    if let Some(folder) = &arguments.output {
        save(folder, arguments.seed, &tables, &traces)?;
        if !arguments.json {
            say!(output, "tables and plots are in {NAME}{}{NAME:#}", folder.display())?;
        }
    }
    Ok(())
}

fn unknown(name: &str, all: &[Engine]) -> anyhow::Error {
    let known: Vec<&str> = all.iter().map(|s| s.name()).collect();
    usage(format!("there is no solver '{name}'; there are {}", known.join(", ")))
}

/// Writes the tables as JSON and the traces as plots.
fn save(folder: &Path, seed: u64, tables: &[Table], traces: &[continuity::Traces]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let file = std::fs::File::create(folder.join("solvers.json"))?;
    serde_json::to_writer_pretty(
        file,
        &Results { schema: "sinew.eval.solvers/1", seed, tables: tables.to_vec() },
    )?;
    for (path, solvers) in traces {
        // More lines than colours would not be told apart.
        for (part, lines) in solvers.chunks(PLOT_LINES).enumerate() {
            let mut plot = Plot::new(format!("Largest turn of a joint per millimetre: {path}"))
                .x(Axis::linear("way of the target, mm"))
                .y(Axis::log(format!("largest turn per millimetre within {PLOT_WINDOW} mm, degrees")));
            for (solver, trace) in lines {
                plot = plot.line(*solver, windows(&trace.steps));
            }
            let name = path.replace([' ', ','], "-").replace('\'', "");
            let name = format!("continuity-{name}-{}.png", part + 1);
            plot.draw()?.save(&folder.join(name), 1200)?;
        }
    }
    Ok(())
}

/// How many lines a plot of traces holds, and over how many frames each point
/// is the largest: single frames would be a blur.
const PLOT_LINES: usize = 6;
const PLOT_WINDOW: usize = 10;

fn windows(steps: &[f64]) -> impl Iterator<Item = (f64, f64)> + '_ {
    steps.chunks(PLOT_WINDOW).enumerate().map(|(i, window)| {
        let most = window.iter().copied().fold(0.0, f64::max);
        (((i * PLOT_WINDOW) as f64), most.to_degrees().max(1.0e-2))
    })
}

fn task(arguments: &EvalTaskArguments, output: &mut Output) -> Result<()> {
    let tolerance = match arguments.tolerance[..] {
        [] => None,
        [metres, radians] if metres.min(radians) > 0.0 => Some([metres, radians]),
        _ => return Err(usage("--tol takes metres and radians above zero, such as 1e-5,1e-5")),
    };
    let options = TaskOptions { solver: arguments.solver.clone(), tolerance, ..TaskOptions::default() };
    let summary = {
        let _progress = Progress::after_a_second(format!("running {}", arguments.task.display()));
        run_file(&arguments.task, &arguments.output, &options)?
    };
    say!(
        output,
        "{NAME}{}{NAME:#} by {}: {} of {} reached, median {:.2} µs, p95 {:.2} µs",
        summary.task,
        summary.solver,
        summary.reached,
        summary.targets,
        summary.median_us,
        summary.p95_us
    )
}
