//! `sinew eval reach`: limbs and reaching.

use anyhow::{Context, Result};
use indicatif::{ProgressBar, ProgressStyle};
use sinew_draw::plot::{Axis, Plot};
use sinew_eval::reach::{body, goals, paths, timing};

use super::Results;
use crate::arguments::EvalReachArguments;
use crate::output::{NAME, Output, say};

pub fn run(arguments: &EvalReachArguments, output: &mut Output) -> Result<()> {
    let thousands = 2 * arguments.goals.div_ceil(1000);
    let bar = ProgressBar::new((thousands + 2 * paths::paths().len() + 2) as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg} {eta} left") {
        bar.set_style(style);
    }
    let options = goals::GoalsOptions { goals: arguments.goals, seed: arguments.seed };
    // Times first, before anything warms the processor up.
    let times = timing::run(arguments.seed);
    bar.inc(1);
    let bodies = [
        body::timing(arguments.targets, arguments.seed),
        body::outcomes(arguments.targets.saturating_mul(5), arguments.seed),
    ];
    bar.inc(1);
    let (mut tables, _) = goals::run(&options, || bar.inc(1));
    let (smooth, traces) = paths::run(arguments.path_step, || bar.inc(1));
    bar.finish_and_clear();
    tables.extend([smooth, times]);
    tables.extend(bodies);
    let results = Results { schema: "sinew.eval.reach/1", seed: arguments.seed, tables };
    if arguments.json {
        output.json(&results)?;
    } else {
        for table in &results.tables {
            say!(output, "{table}")?;
        }
    }
    let Some(folder) = &arguments.output else { return Ok(()) };
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    serde_json::to_writer_pretty(std::fs::File::create(folder.join("reach.json"))?, &results)?;
    for (path, traces) in &traces {
        let mut plot = Plot::new(format!("Largest turn of a joint per millimetre of the hand: {path}"))
            .x(Axis::linear("way of the hand, mm"))
            .y(Axis::log("turn per millimetre, degrees"));
        for trace in traces {
            let points = trace.steps.iter().enumerate().map(|(i, s)| (i as f64, s.to_degrees().max(1.0e-3)));
            plot = plot.line(format!("{} swivel", trace.mode), points);
        }
        let name =
            format!("reach-{}.png", path.replace([' ', ','], "-").replace('\'', "").replace("--", "-"));
        plot.draw()?.save(&folder.join(name), 1200)?;
    }
    if !arguments.json {
        say!(output, "tables and plots are in {NAME}{}{NAME:#}", folder.display())?;
    }
    Ok(())
}
