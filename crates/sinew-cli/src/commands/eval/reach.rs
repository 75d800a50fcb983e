//! `sinew eval reach`: limbs and reaching.

use std::path::Path;

use anyhow::Result;
use sinew_draw::plot::{Axis, Plot};
use sinew_eval::reach::{body, goals, motions, paths, timing};

use super::Results;
use crate::arguments::EvalReachArguments;
use crate::files;
use crate::output::Output;
use crate::progress;

pub fn run(arguments: &EvalReachArguments, output: &mut Output) -> Result<()> {
    let thousands = 2 * arguments.goals.div_ceil(1000);
    let count = thousands + 2 * paths::paths().len() + 3 * arguments.motions + 2;
    let bar = progress::bar(count, "experiments");
    let options = goals::GoalsOptions { goals: arguments.goals, seed: arguments.seed };
    // Times first, before anything warms the processor up.
    let times = timing::run(arguments.seed);
    bar.inc(1);
    let bodies = [
        body::timing(arguments.targets, arguments.seed),
        body::efforts(arguments.targets.div_ceil(4), arguments.seed),
        body::outcomes(arguments.targets.saturating_mul(5), arguments.seed),
    ];
    bar.inc(1);
    let planned = motions::run(arguments.motions, arguments.seed, || bar.inc(1));
    let (mut tables, _) = goals::run(&options, || bar.inc(1));
    let (smooth, traces) = paths::run(arguments.path_step, || bar.inc(1));
    bar.finish_and_clear();
    tables.extend([smooth, times]);
    tables.extend(bodies);
    tables.extend(planned);
    Results::new("sinew.eval.reach/1", arguments.seed, tables)
        .tell(&arguments.to, output, |folder| plots(folder, &traces))
}

/// Draws how far the joints turn along the hand's paths.
fn plots(folder: &Path, traces: &[(&str, Vec<paths::Trace>)]) -> Result<()> {
    for (path, traces) in traces {
        let mut plot = Plot::new(format!("Largest turn of a joint per millimetre of the hand: {path}"))
            .x(Axis::linear("way of the hand, mm"))
            .y(Axis::log("turn per millimetre, degrees"));
        for trace in traces {
            let points = trace.steps.iter().enumerate().map(|(i, s)| (i as f64, s.to_degrees().max(1.0e-3)));
            plot = plot.line(format!("{} swivel", trace.mode), points);
        }
        let name =
            format!("reach-{}.png", path.replace([' ', ','], "-").replace('\'', "").replace("--", "-"));
        files::write_picture(&folder.join(name), &plot.draw()?, 1200)?;
    }
    Ok(())
}
