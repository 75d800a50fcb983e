//! `sinew eval`: the experiments.

mod erik;
mod goals;
mod look;
mod reach;
mod sik;
mod task;
pub(super) use sik::method as sik_method;
mod walk;

use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use sinew_draw::plot::{Axis, Plot};
use sinew_eval::solvers::humanoid::HumanoidOptions;
use sinew_eval::solvers::{
    Contender, ablation, arms, conflict, continuity, half_full, humanoid, scaling, swing,
};
use sinew_eval::{Engine, Table};
use sinew_io::can_replace;

use crate::arguments::{EvalArguments, EvalCommand, EvalOutput, EvalSolversArguments};
use crate::failure::usage;
use crate::files;
use crate::output::{NAME, Output, say};
use crate::progress;

pub fn run(arguments: &EvalArguments, output: &mut Output) -> Result<()> {
    if let Some(folder) = arguments.command.folder() {
        // Before the work: what cannot be written need not be found out.
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        can_replace(folder.join("results.json"))
            .with_context(|| format!("cannot write to {}", folder.display()))?;
    }
    match &arguments.command {
        EvalCommand::Solvers(arguments) => solvers(arguments, output),
        EvalCommand::Reach(arguments) => reach::run(arguments, output),
        EvalCommand::Erik(arguments) => erik::run(arguments, output),
        EvalCommand::Merge(arguments) => erik::merge(arguments, output),
        EvalCommand::Filter(arguments) => erik::filter(arguments, output),
        EvalCommand::Look(arguments) => look::run(arguments, output),
        EvalCommand::Walk(arguments) => walk::run(arguments, output),
        EvalCommand::Goals(arguments) => goals::run(arguments, output),
        EvalCommand::Task(arguments) => task::one(arguments, output),
        EvalCommand::Tasks(arguments) => task::all(arguments, output),
        EvalCommand::Score(arguments) => task::judge(arguments, output),
        EvalCommand::Sik(arguments) => sik::run(arguments, output),
    }
}

/// What an experiment found, and where its random numbers started.
#[derive(Serialize)]
struct Results {
    schema: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Every how many frames.
    #[serde(skip_serializing_if = "Option::is_none")]
    stride: Option<usize>,
    tables: Vec<Table>,
}

impl Results {
    fn new(schema: &'static str, seed: u64, tables: Vec<Table>) -> Self {
        Self { schema, seed: Some(seed), stride: None, tables }
    }

    /// Prints the tables, and writes them to a folder if one was asked for, with the plots that
    /// `plots` puts beside them. The file is called as the schema is.
    fn tell(
        &self,
        to: &EvalOutput,
        output: &mut Output,
        plots: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<()> {
        if to.json {
            output.json(self)?;
        } else {
            for table in &self.tables {
                say!(output, "{table}")?;
            }
        }
        in_folder(to, output, |folder| {
            let name = self.schema.trim_start_matches("sinew.eval.").split('/').next().unwrap_or_default();
            files::write_json(&folder.join(format!("{name}.json")), self)?;
            plots(folder)
        })
    }
}

/// Has the results written to the folder that was asked for, if one was, and says so.
fn in_folder(to: &EvalOutput, output: &mut Output, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let Some(folder) = &to.output else { return Ok(()) };
    write(folder)?;
    if to.json { Ok(()) } else { say!(output, "the results are in {NAME}{}{NAME:#}", folder.display()) }
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
    let poses = if arguments.full { FULL } else { arguments.poses };
    let contenders = Contender::with_published(&solvers);
    let budgets = ablation::SWEEPS.len() + ablation::TIMES.len();
    let of_ewbik = solvers.iter().any(|s| s.name() == "ewbik");
    let steps = contenders.len() * (poses + edges(poses) + 1)
        + solvers.len() * (1 + scaling::BONES.len() + continuity::paths().len())
        + 2 * arms::TOLERANCES.len()
        + if of_ewbik { (ablation::variants().len() + 3) * budgets } else { 0 };
    let bar = progress::bar(steps, "solves and experiments");
    let tick = || bar.inc(1);
    let seed = arguments.seed;
    let six = |poses, seed, near_edges| {
        let solvers = contenders.clone();
        humanoid::run(&HumanoidOptions { poses, seed, solvers, near_edges }, &skeleton, tick)
    };
    let mut tables = vec![six(poses, seed, false), six(edges(poses), seed + 1, true)];
    let apart = of_ewbik.then(|| ablation::run(taken_apart(poses), seed + 2, &skeleton, tick));
    if let Some(apart) = &apart {
        tables.extend(apart.tables.iter().cloned());
    }
    tables.push(swing::run(&contenders, poses / 2, seed + 3, tick));
    tables.push(arms::run(20 * poses, seed + 4, tick));
    tables.push(conflict::run(&solvers, &skeleton, tick));
    let (smooth, traces) = continuity::run(&solvers, tick);
    tables.push(smooth);
    tables.push(scaling::run(&solvers, tick));
    tables.push(half_full::run(&skeleton));
    bar.finish_and_clear();
    Results::new("sinew.eval.solvers/1", seed, tables).tell(&arguments.to, output, |folder| {
        plot_traces(folder, &traces)?;
        apart.map_or(Ok(()), |apart| save_curves(folder, &apart))
    })
}

/// How many poses the project's own figures are of.
const FULL: usize = 1000;

/// Of so many poses anywhere, how many near edges.
fn edges(poses: usize) -> usize {
    poses * 3 / 10
}

/// And how many for the parts of EWBIK, each of which runs under twelve budgets.
fn taken_apart(poses: usize) -> usize {
    (poses / 4).max(1)
}

fn unknown(name: &str, all: &[Engine]) -> anyhow::Error {
    let known: Vec<&str> = all.iter().map(|s| s.name()).collect();
    usage(format!("there is no solver '{name}'; there are {}", known.join(", ")))
}

/// Draws how far the joints turn along the paths.
fn plot_traces(folder: &Path, traces: &[continuity::Traces]) -> Result<()> {
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
            files::write_picture(&folder.join(name), &plot.draw()?, 1200)?;
        }
    }
    Ok(())
}

/// Draws the share that is met over the budget, for the published method, ours and others.
fn save_curves(folder: &Path, apart: &ablation::Ablation) -> Result<()> {
    for (name, axis, curves) in
        [("sweeps", "sweeps", &apart.by_sweeps), ("time", "time of a solve, µs", &apart.by_time)]
    {
        let shown = ["published", "+ guard of section 11", "all", "ccd", "fabrik", "robust"];
        let parts = [
            ("", shown.to_vec()),
            ("-additions", curves.iter().map(|(n, _)| n.as_str()).filter(|n| n.starts_with('+')).collect()),
        ];
        for (part, names) in parts {
            for (k, names) in names.chunks(PLOT_LINES).enumerate() {
                let mut plot = Plot::new(format!("EWBIK taken apart: share met by {name}"))
                    .x(Axis::log(axis))
                    .y(Axis::linear("six goals met, %"));
                for (line, points) in curves.iter().filter(|(n, _)| names.contains(&n.as_str())) {
                    plot = plot.line_with_points(line, points.iter().copied());
                }
                let number = if k == 0 { String::new() } else { format!("-{}", k + 1) };
                let name = format!("ewbik-{name}{part}{number}.png");
                files::write_picture(&folder.join(name), &plot.draw()?, 1200)?;
            }
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
