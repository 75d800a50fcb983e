//! `cargo xtask fuzz`: the fuzz targets, one at a time.

use anyhow::{Context, Result, bail};

use crate::{command, tree};

/// Which target, for how long.
#[derive(clap::Args)]
pub struct Options {
    /// The target; without one, the list of them
    target: Option<String>,
    /// Run every target, one after the other
    #[arg(long, conflicts_with = "target")]
    all: bool,
    /// How long to search, for each target
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// Runs a target with the seeds of the tree, or lists the targets.
pub fn run(options: &Options) -> Result<()> {
    let targets = targets()?;
    let chosen = match &options.target {
        _ if options.all => targets,
        None => {
            println!("Targets: {}", targets.join(", "));
            return Ok(());
        }
        Some(target) if targets.contains(target) => vec![target.clone()],
        Some(target) => bail!("there is no target '{target}'; there are: {}", targets.join(", ")),
    };
    chosen.iter().try_for_each(|target| search(target, options.seconds))
}

fn search(target: &str, seconds: u64) -> Result<()> {
    if !command::works(&mut command::cargo(&["fuzz", "--version"])) {
        bail!("cargo-fuzz is missing: cargo install --locked cargo-fuzz");
    }
    // New inputs go to the first folder, which is not part of the project; the
    // seeds of the second are.
    let corpus = format!("fuzz/corpus/{target}");
    let seeds = format!("crates/sinew-io/tests/seeds/{target}");
    std::fs::create_dir_all(tree::root().join(&corpus))?;
    let mut cargo = command::cargo(&["fuzz", "run", target, &corpus]);
    if tree::root().join(&seeds).is_dir() {
        cargo.arg(&seeds);
    }
    // Seconds for one input and 2 GB are far beyond what any sound file needs. A tab may ask for motions to be
    // planned, a dozen in one input.
    let patience = if target == "made_messages" { 30 } else { 5 };
    cargo.arg("--").args([
        &format!("-max_total_time={}", seconds),
        &format!("-timeout={patience}"),
        "-rss_limit_mb=2048",
        "-malloc_limit_mb=512",
        "-max_len=65536",
    ]);
    let nightly =
        command::output(std::process::Command::new("rustc").arg("--version").current_dir(tree::root()))
            .is_ok_and(|v| v.contains("nightly"));
    if !nightly && std::env::var_os("RUSTC_BOOTSTRAP").is_none() {
        println!(
            "The sanitizer flags need a nightly compiler; setting RUSTC_BOOTSTRAP=1 for the stable one."
        );
        cargo.env("RUSTC_BOOTSTRAP", "1");
    }
    command::run(&mut cargo).context("the input that did it is in fuzz/artifacts")
}

fn targets() -> Result<Vec<String>> {
    let folder = tree::root().join("fuzz/fuzz_targets");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .context("there are no fuzz targets")?
        .filter_map(|e| Some(e.ok()?.path().file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}
