//! `cargo xtask hostile`: files that are small and ask for much, with what they cost.
//!
//! Makes every file of the table in docs/hostile.md, gives each to the command in a release build, and writes the
//! table again. Fails if one takes more memory or time than SECURITY.md allows. Memory and time are those of the
//! process, as GNU time tells them.

mod files;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::{command, studio, tree};
use files::{CASES, Case};

const OPEN: &str = "<!-- hostile: cargo xtask hostile -->";
const CLOSE: &str = "<!-- /hostile -->";
/// What a hostile file may take: memory in MB, and seconds of the processor for each MB of it, where the smallest
/// file counts as one MB.
const MOST_MEMORY: f64 = 512.0;
const MOST_SECONDS: f64 = 2.0;

/// What to measure.
#[derive(clap::Args)]
pub struct Options {
    /// Only files whose description contains these words; docs/hostile.md stays as it is
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Another program than the release build of this tree, to compare with
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
}

/// What a run took.
struct Cost {
    size: f64,
    memory: f64,
    seconds: f64,
    said: String,
}

/// Measures, and writes the table.
pub fn run(options: &Options) -> Result<()> {
    let program = match &options.program {
        Some(program) => std::fs::canonicalize(program).context("there is no such program")?,
        None => studio::build("release")?,
    };
    let folder = tree::root().join("target/hostile");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let mut rows = String::from(
        "| input | MB | answer | peak memory, MB | seconds | before |\n|---|---:|---|---:|---:|---|\n",
    );
    let (mut count, mut beyond) = (0, Vec::new());
    for case in
        CASES.iter().filter(|case| options.only.as_ref().is_none_or(|words| case.what.contains(words)))
    {
        let cost = measured(case, &program, &folder)?;
        let row = row(case, &cost);
        print!("{row}");
        rows += &row;
        count += 1;
        if cost.memory > MOST_MEMORY || cost.seconds > MOST_SECONDS * cost.size.max(1.0) {
            beyond.push(case.what);
        }
    }
    std::fs::remove_dir_all(&folder)?;
    if options.only.is_none() && options.program.is_none() {
        let path = tree::root().join("docs/hostile.md");
        std::fs::write(&path, rewritten(&std::fs::read_to_string(&path)?, &rows)?)?;
        println!("docs/hostile.md: {count} rows");
    }
    if !beyond.is_empty() {
        bail!("more than {MOST_MEMORY} MB or {MOST_SECONDS} s for each MB: {}", beyond.join("; "));
    }
    Ok(())
}

fn row(case: &Case, cost: &Cost) -> String {
    let Cost { size, memory, seconds, said } = cost;
    let size = if *size < 0.1 { "< 0.1".into() } else { format!("{size:.1}") };
    format!("| {} | {size} | {said} | {memory:.0} | {seconds:.2} | {} |\n", case.what, case.before)
}

/// One file, given to the command.
fn measured(case: &Case, program: &Path, folder: &Path) -> Result<Cost> {
    let made = folder.join("case");
    std::fs::create_dir_all(&made)?;
    let mut size = 0;
    for (name, content) in (case.files)() {
        size += content.len();
        std::fs::write(made.join(name), content)?;
    }
    let mut run = Command::new("/usr/bin/time");
    run.args(["-f", "time: %M %U %S"]).arg(program).args(case.arguments.split_whitespace());
    run.current_dir(&made).env_remove("SINEW_MEMORY").stdin(Stdio::null());
    let output = run.output().context("GNU time (/usr/bin/time) is needed to measure")?;
    std::fs::remove_dir_all(&made)?;
    let text = String::from_utf8_lossy(&output.stderr);
    let told = text.lines().rev().find_map(|line| line.strip_prefix("time: ")).unwrap_or_default();
    let numbers: Vec<f64> = told.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [kilobytes, user, system] = numbers[..] else {
        bail!("'{}' was not measured: {text}", command::shown(&run));
    };
    let said = match output.status.code() {
        Some(0) => "taken".to_owned(),
        Some(code @ (1 | 2)) => {
            let line = text.lines().find(|line| line.starts_with("error: ")).unwrap_or_default();
            let found = line.split_once("found ").map_or(line, |(_, found)| found);
            let short = found.split(", expected").next().unwrap_or_default();
            let short: String = short.trim_start_matches("error: ").chars().take(90).collect();
            if short.is_empty() {
                bail!("'{}' ended with {code} and no words: {text}", command::shown(&run));
            }
            format!(
                "refused: {}",
                short.replace('|', "/").replace('<', "‹").replace('>', "›").replace('`', "'")
            )
        }
        code => bail!("'{}' ended with {code:?}: {text}", command::shown(&run)),
    };
    Ok(Cost { size: size as f64 / 1e6, memory: kilobytes / 1024.0, seconds: user + system, said })
}

/// The document with another table.
fn rewritten(text: &str, rows: &str) -> Result<String> {
    let parts = text.split_once(OPEN).and_then(|(head, rest)| Some((head, rest.split_once(CLOSE)?.1)));
    let (head, tail) = parts.with_context(|| format!("docs/hostile.md has no '{OPEN}' and '{CLOSE}'"))?;
    Ok(format!("{head}{OPEN}\n{rows}{CLOSE}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_takes_the_place_of_the_old_one() {
        let text = format!("a\n{OPEN}\nold\n{CLOSE}\nb\n");
        let once = rewritten(&text, "| new |\n").unwrap();
        assert_eq!(once, format!("a\n{OPEN}\n| new |\n{CLOSE}\nb\n"));
        assert_eq!(rewritten(&once, "| new |\n").unwrap(), once);
        assert!(rewritten("nothing", "").is_err());
    }
}
