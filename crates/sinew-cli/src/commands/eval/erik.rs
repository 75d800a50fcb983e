//! `sinew eval erik`, `sinew eval merge` and `sinew eval filter`.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sinew_eval::erik::results::{Results, Timings};
use sinew_eval::erik::{Density, ErikEvalOptions, ErikRobot, Reading, plots, tables};
use sinew_eval::{Table, filter as characters};

use super::in_folder;
use crate::arguments::{EvalErikArguments, EvalFilterArguments, EvalMergeArguments, EvalOutput};
use crate::failure::usage;
use crate::files;
use crate::output::{Output, say};
use crate::progress;

/// The numbers that are the same on every run.
const RESULTS: &str = "erik.json";
/// How long they took.
const TIMINGS: &str = "timing.json";

pub fn run(arguments: &EvalErikArguments, output: &mut Output) -> Result<()> {
    let options = options(arguments)?;
    let bar = progress::bar(options.work(), "postures");
    let (results, timings) = sinew_eval::erik::run(&options, || bar.inc(1))?;
    bar.finish_and_clear();
    let readings = sinew_eval::erik::readings::table(&options)?;
    tell(&results, &timings, readings, &arguments.to, output)
}

fn options(arguments: &EvalErikArguments) -> Result<ErikEvalOptions> {
    let mut robots = Vec::new();
    for name in &arguments.skeleton {
        let found: Vec<ErikRobot> = match name.trim() {
            "all" => ErikRobot::ALL.to_vec(),
            name => {
                ErikRobot::ALL.into_iter().filter(|r| format!("{r:?}").eq_ignore_ascii_case(name)).collect()
            }
        };
        if found.is_empty() {
            return Err(usage(format!("--skeleton {name}: there are the robots A to G, and all")));
        }
        robots.extend(found.into_iter().filter(|r| !robots.contains(r)).collect::<Vec<_>>());
    }
    robots.sort_by_key(|r| *r as usize);
    let density = match arguments.percent {
        Some(percent) if percent > 0.0 && percent <= 100.0 => Density::Percent(percent),
        Some(percent) => {
            return Err(usage(format!("--percent {percent}: expected more than 0 and at most 100")));
        }
        None => Density::Counts {
            postures: arguments.postures.max(1),
            orientations: arguments.orientations.max(1),
        },
    };
    if !(arguments.aggravation.is_finite() && arguments.aggravation > 0.0) {
        return Err(usage("--aggravation takes a number above zero"));
    }
    Ok(ErikEvalOptions {
        robots,
        density,
        seed: arguments.seed,
        reading: if arguments.reading == "twist" { Reading::Twist } else { Reading::Roll },
        shard: arguments.shard.as_deref().map_or(Ok((1, 1)), shard)?,
        compare: arguments.dls.is_on(),
        aggravation: arguments.aggravation,
        repeats: u32::from(arguments.repeats),
        threads: arguments.threads.map(usize::from),
    })
}

fn shard(text: &str) -> Result<(usize, usize)> {
    let parts =
        text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
    match parts {
        Some((index, count)) if (1..=count).contains(&index) => Ok((index, count)),
        _ => Err(usage(format!("--shard {text}: expected I/N with 1 ≤ I ≤ N, such as 3/40"))),
    }
}

pub fn merge(arguments: &EvalMergeArguments, output: &mut Output) -> Result<()> {
    let results: Vec<Results> =
        arguments.parts.iter().map(|folder| read(&folder.join(RESULTS))).collect::<Result<_>>()?;
    // Times are welcome and not needed.
    let timings: Vec<Timings> =
        arguments.parts.iter().filter_map(|folder| read(&folder.join(TIMINGS)).ok()).collect();
    let results = Results::merge(results)?;
    tell(&results, &Timings::merge(timings), None, &arguments.to, output)
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_reader(BufReader::new(file)).with_context(|| format!("{}", path.display()))
}

fn write<T: Serialize>(path: &Path, value: &T) -> Result<()> {
    let mut bytes = serde_json::to_vec(value)?;
    bytes.push(b'\n');
    files::write(path, &bytes)
}

/// What `--json` writes: the tables, and what follows from them.
#[derive(Serialize)]
struct Summary<'a> {
    schema: &'static str,
    seed: u64,
    orientations: usize,
    tables: &'a [Table],
    estimate: Option<String>,
    comparison: Option<String>,
}

fn tell(
    results: &Results,
    timings: &Timings,
    readings: Option<Table>,
    to: &EvalOutput,
    output: &mut Output,
) -> Result<()> {
    let mut tables = vec![tables::effort(results, timings), tables::errors(results)];
    tables.extend(readings);
    let (estimate, comparison) = (tables::estimate(results, timings), tables::verdict(results, timings));
    if to.json {
        let (seed, orientations) = (results.seed, results.orientations);
        let schema = "sinew.eval.erik.summary/1";
        output.json(&Summary { schema, seed, orientations, tables: &tables, estimate, comparison })?;
    } else {
        for table in &tables {
            say!(output, "{table}")?;
        }
        for line in [comparison, estimate].into_iter().flatten() {
            say!(output, "{line}")?;
        }
    }
    in_folder(to, output, |folder| {
        write(&folder.join(RESULTS), results)?;
        write(&folder.join(TIMINGS), timings)?;
        save(folder, plots::all(results))
    })
}

fn save(folder: &Path, plots: Vec<plots::Named>) -> Result<()> {
    for (name, plot) in plots {
        files::write_picture(&folder.join(name), &plot.draw()?, 1000)?;
    }
    Ok(())
}

pub fn filter(arguments: &EvalFilterArguments, output: &mut Output) -> Result<()> {
    let table = characters::table();
    if arguments.to.json {
        output.json(&table)?;
    } else {
        say!(output, "{table}")?;
    }
    in_folder(&arguments.to, output, |folder| save(folder, characters::plots()))
}
