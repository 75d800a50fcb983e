//! `cargo xtask ci`: every check there is.
//!
//! A step that cannot run here is left out, and the summary says so in words; with `--strict`
//! that is a failure unless the step was named as an exception.

mod steps;

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use steps::{STEPS, Step};

/// What to run of the checks.
#[derive(clap::Args)]
pub struct Options {
    /// Run only this step; may be given several times
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Leave this step out; may be given several times
    #[arg(long, value_name = "STEP")]
    skip: Vec<String>,
    /// Fail if something was left out
    #[arg(long)]
    strict: bool,
    /// With --strict: this step may be left out where it cannot run; may be given several times
    #[arg(long, value_name = "STEP", requires = "strict")]
    allow_missing: Vec<String>,
    /// Install what is missing: rustfmt and clippy by rustup, Chromium by apt-get
    #[arg(long)]
    install: bool,
    /// Run the tests with cargo-nextest instead of `cargo test`
    #[arg(long)]
    nextest: bool,
}

enum Outcome {
    Done,
    /// All or a part of the step cannot run here, with what and why.
    Left(String),
}

/// The steps and what each is for, for the help text.
pub fn step_list() -> String {
    let mut text = String::from("Steps:\n");
    for step in STEPS {
        text += &format!("  {:<11} {}\n", step.name, step.what);
    }
    text
}

/// Runs the chosen steps, all of them even if one fails.
pub fn run(options: &Options) -> Result<()> {
    for name in options.only.iter().chain(&options.skip).chain(&options.allow_missing) {
        if !STEPS.iter().any(|s| s.name == name) {
            bail!("there is no step '{name}'\n{}", step_list());
        }
    }
    let chosen: Vec<&Step> = STEPS
        .iter()
        .filter(|s| options.only.is_empty() || options.only.iter().any(|n| n == s.name))
        .filter(|s| !options.skip.iter().any(|n| n == s.name))
        .collect();

    let start = Instant::now();
    let mut results = Vec::new();
    for (i, step) in chosen.iter().enumerate() {
        println!("\n=== {}/{} {}: {}", i + 1, chosen.len(), step.name, step.what);
        std::io::stdout().flush()?;
        let began = Instant::now();
        let result = (step.run)(options);
        let took = began.elapsed();
        match &result {
            Ok(Outcome::Done) => println!("--- {} ok, {}", step.name, seconds(took)),
            Ok(Outcome::Left(why)) => println!("--- {} left out: {why}", step.name),
            Err(error) => println!("--- {} FAILED, {}: {error:#}", step.name, seconds(took)),
        }
        results.push((step.name, result, took));
    }
    summary(options, &results, start.elapsed())
}

fn summary(options: &Options, results: &[(&str, Result<Outcome>, Duration)], took: Duration) -> Result<()> {
    println!("\n=== summary");
    let mut failed = Vec::new();
    let mut left = Vec::new();
    for (name, result, took) in results {
        let word = match result {
            Ok(Outcome::Done) => "ok",
            Ok(Outcome::Left(why)) => {
                left.push((*name, why.as_str()));
                "left out"
            }
            Err(_) => {
                failed.push(*name);
                "FAILED"
            }
        };
        println!("{name:<11} {word:<9} {:>8}", seconds(*took));
    }
    println!("{:<11} {:<9} {:>8}", "all", "", seconds(took));
    for step in STEPS.iter().filter(|s| !results.iter().any(|(name, ..)| *name == s.name)) {
        left.push((step.name, "not asked for (--only or --skip)"));
    }
    if !left.is_empty() {
        println!("\nLeft out:");
        for (name, why) in &left {
            println!("  {name}: {why}");
        }
    }
    if !failed.is_empty() {
        bail!("these checks failed: {}", failed.join(", "));
    }
    let missing: Vec<&str> = not_allowed(options, &left);
    if options.strict && !missing.is_empty() {
        bail!("--strict, and these checks were left out: {}", missing.join(", "));
    }
    println!("{}", if left.is_empty() { "Every check is fine." } else { "Every check that ran is fine." });
    Ok(())
}

fn not_allowed<'a>(options: &Options, left: &[(&'a str, &str)]) -> Vec<&'a str> {
    left.iter()
        .map(|(name, _)| *name)
        .filter(|name| !options.allow_missing.iter().any(|n| n == name))
        .collect()
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn outcome(arguments: &[&str], results: &[(&'static str, Result<Outcome>, Duration)]) -> Result<()> {
        let line = Line::parse_from(std::iter::once(&"ci").chain(arguments));
        summary(&line.options, results, Duration::ZERO)
    }

    /// All steps done, but for the first of this name, which ends as given.
    fn all_but(
        other: &'static str,
        result: Result<Outcome>,
    ) -> Vec<(&'static str, Result<Outcome>, Duration)> {
        let mut results: Vec<_> = STEPS
            .iter()
            .filter(|s| s.name != other)
            .map(|s| (s.name, Ok(Outcome::Done), Duration::ZERO))
            .collect();
        results.push((other, result, Duration::ZERO));
        results
    }

    #[test]
    fn strict_fails_on_what_was_left_out_unless_it_is_named() {
        let left = || all_but("browser", Ok(Outcome::Left("no browser".into())));
        assert!(outcome(&[], &left()).is_ok());
        assert!(outcome(&["--strict"], &left()).is_err());
        assert!(outcome(&["--strict", "--allow-missing", "page"], &left()).is_err());
        assert!(outcome(&["--strict", "--allow-missing", "browser"], &left()).is_ok());
        assert!(outcome(&["--strict"], &left()[..3]).is_err(), "steps that were not asked for are left out");
        assert!(outcome(&["--strict"], &all_but("tidy", Ok(Outcome::Done))).is_ok());
    }

    #[test]
    fn a_failure_is_one_whatever_is_allowed() {
        let failed = || all_but("browser", Err(anyhow::anyhow!("it broke")));
        assert!(outcome(&[], &failed()).is_err());
        assert!(outcome(&["--strict", "--allow-missing", "browser"], &failed()).is_err());
    }
}
