//! `sinew eval task`, `tasks` and `score`: what other systems can run too.

use std::fs;

use anyhow::{Context, Result};
use sinew_eval::task::{TaskOptions, make, run, run_file, score};

use super::Results;
use crate::arguments::{EvalScoreArguments, EvalTaskArguments, EvalTasksArguments};
use crate::failure::usage;
use crate::files;
use crate::output::{NAME, Output, say};
use crate::progress::Progress;

pub fn one(arguments: &EvalTaskArguments, output: &mut Output) -> Result<()> {
    let tolerance = match arguments.tolerance[..] {
        [] => None,
        [metres, radians] if metres.min(radians) > 0.0 => Some([metres, radians]),
        _ => return Err(usage("--tol takes metres and radians above zero, such as 1e-5,1e-5")),
    };
    files::check(output, &arguments.output, &[files::Kind::Json], arguments.task.to_str())?;
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

/// The solvers that run each task: the one that is made for it, and the tolerances of T2.
fn runs(name: &str) -> Vec<TaskOptions> {
    let with = |tolerance, solver: Option<&str>| TaskOptions {
        tolerance,
        solver: solver.map(str::to_owned),
        ..TaskOptions::default()
    };
    match name.get(..2) {
        Some("t2") => vec![with(Some([1.0e-3; 2]), None), with(Some([1.0e-5; 2]), None)],
        Some("t3") => vec![with(None, None), with(None, Some("robust"))],
        _ => vec![with(None, None)],
    }
}

/// Makes the tasks, solves them and judges the answers.
pub fn all(arguments: &EvalTasksArguments, output: &mut Output) -> Result<()> {
    if !(arguments.part > 0.0 && arguments.part <= 1.0) {
        return Err(usage("--part takes a number above 0 and up to 1"));
    }
    let results = arguments.output.as_ref().map(|folder| folder.join("results"));
    if let Some(folder) = &results {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let write = |path: std::path::PathBuf, text: &str| files::write(&path, text.as_bytes());
    let mut table = score::table();
    for (name, task) in make::all(arguments.part)? {
        let _progress = Progress::after_a_second(format!("running {name}"));
        if let Some(folder) = &arguments.output {
            write(folder.join(format!("{name}.json")), &task)?;
        }
        for (k, options) in runs(&name).iter().enumerate() {
            let (result, _) = run(&name, &task, options)?;
            if let Some(folder) = &results {
                write(folder.join(format!("{name}-{}.json", k + 1)), &result)?;
            }
            score::judge(&task, &result, &mut table).with_context(|| name.clone())?;
        }
    }
    table.note("one thread; T1 in f32, the others in f64; time of the solve alone, the median of 3 runs of each target");
    show(table, arguments.json, output)
}

/// Judges result files.
pub fn judge(arguments: &EvalScoreArguments, output: &mut Output) -> Result<()> {
    let mut table = score::table();
    for path in &arguments.results {
        let result = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let named: serde_json::Value =
            serde_json::from_str(&result).with_context(|| format!("{}: not JSON", path.display()))?;
        let name = named["task"].as_str().with_context(|| format!("{}: names no task", path.display()))?;
        // A name and not a path: a result cannot make us read a file elsewhere.
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-') {
            return Err(usage(format!("{}: '{name}' is no task's name", path.display())));
        }
        let file = arguments.tasks.join(format!("{name}.json"));
        let task = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        score::judge(&task, &result, &mut table).with_context(|| path.display().to_string())?;
    }
    show(table, arguments.json, output)
}

fn show(table: sinew_eval::Table, json: bool, output: &mut Output) -> Result<()> {
    if json {
        output.json(&Results::new("sinew.eval.tasks/1", 0, vec![table]))
    } else {
        say!(output, "{table}")
    }
}
