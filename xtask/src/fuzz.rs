//! `cargo xtask fuzz`: the fuzz targets, one at a time.
//!
//! libFuzzer is a library, so cargo builds a target like any program, with flags that have the compiler
//! count what is reached. Those are stable. The address sanitizer is not, and what it would find needs
//! unsafe code, of which the project has none: it is left to those who ask for it.

use std::path::PathBuf;

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
    /// Afterwards put the few inputs that matter most into fuzz/kept, which the tests read again
    #[arg(long)]
    keep: bool,
    /// Build with the address sanitizer too, which takes far longer to build and to run
    #[arg(long)]
    address: bool,
}

/// What has the compiler tell libFuzzer which edges are taken and what is compared; and checks that a
/// release build has not.
const COVERAGE: [&str; 9] = [
    "--cfg",
    "fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cdebug-assertions=yes",
    "-Coverflow-checks=yes",
];

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
    for target in &chosen {
        let program = build(target, options.address)?;
        search(target, options.seconds, &program)?;
        if options.keep {
            keep(target, &program)?;
        }
    }
    Ok(())
}

/// Builds a target; where its program is.
fn build(target: &str, address: bool) -> Result<PathBuf> {
    let version = command::output(std::process::Command::new("rustc").arg("-vV").current_dir(tree::root()))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not say what it builds for")?;
    // With a target named, build scripts and macros are built without the flags.
    let mut cargo = command::cargo(&["build", "--release", "--manifest-path", "fuzz/Cargo.toml"]);
    cargo.args(["--bin", target, "--target", host]);
    let mut flags = COVERAGE.to_vec();
    if address {
        flags.push("-Zsanitizer=address");
        if !version.contains("nightly") {
            println!(
                "The address sanitizer needs a nightly compiler; setting RUSTC_BOOTSTRAP=1 for this one."
            );
            cargo.env("RUSTC_BOOTSTRAP", "1");
        }
    }
    command::run(cargo.env("RUSTFLAGS", flags.join(" ")).env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    let folder = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| tree::root().join("fuzz/target"), |folder| tree::root().join(folder));
    Ok(folder.join(host).join("release").join(target))
}

fn search(target: &str, seconds: u64, program: &std::path::Path) -> Result<()> {
    // New inputs go to the first folder, which is not part of the project; the
    // seeds of the second are.
    let corpus = format!("fuzz/corpus/{target}");
    let artifacts = format!("fuzz/artifacts/{target}/");
    let seeds = format!("crates/sinew-io/tests/seeds/{target}");
    std::fs::create_dir_all(tree::root().join(&corpus))?;
    std::fs::create_dir_all(tree::root().join(&artifacts))?;
    for (i, input) in kept(target)?.iter().enumerate() {
        std::fs::write(tree::root().join(&corpus).join(format!("kept-{i:03}")), input)?;
    }
    let mut run = std::process::Command::new(program);
    run.current_dir(tree::root()).arg(&corpus);
    if tree::root().join(&seeds).is_dir() {
        run.arg(&seeds);
    }
    // 2 GB are far beyond what any sound file needs. The seconds are those of the wall, which on a busy machine say
    // little of one input: they are for what never ends. What an input may work for is in `sound.rs`.
    let patience = 120;
    run.args([
        &format!("-artifact_prefix={artifacts}"),
        &format!("-max_total_time={seconds}"),
        &format!("-timeout={patience}"),
        "-rss_limit_mb=2048",
        "-malloc_limit_mb=512",
        "-print_final_stats=1",
    ]);
    // A document that is made of a few bytes is an empty one: there, libFuzzer need not begin with short inputs.
    run.args(match target.starts_with("made_") {
        true => ["-max_len=4096", "-len_control=0"],
        false => ["-max_len=65536", "-len_control=100"],
    });
    command::run(&mut run).context("the input that did it is in fuzz/artifacts")
}

/// The longest input that is kept, and how much of a target's inputs together.
const LONGEST_KEPT: usize = 200;
const MOST_KEPT: usize = 3000;

/// What is kept of a target, in fuzz/kept: one input in a line, as hexadecimal digits, so that it is text like
/// everything else.
fn kept(target: &str) -> Result<Vec<Vec<u8>>> {
    match std::fs::read_to_string(kept_file(target)) {
        Ok(text) => text.lines().map(from_digits).collect(),
        Err(_) => Ok(Vec::new()),
    }
}

fn kept_file(target: &str) -> PathBuf {
    tree::root().join("fuzz/kept").join(target).with_extension("hex")
}

/// Has libFuzzer choose from the corpus what reaches as much as all of it, and writes down the shortest of that.
fn keep(target: &str, program: &std::path::Path) -> Result<()> {
    let folder = tree::root().join("fuzz/corpus").join(format!("{target}.least"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let mut merge = std::process::Command::new(program);
    merge.current_dir(tree::root()).args(["-set_cover_merge=1", "-rss_limit_mb=2048"]);
    merge.arg(format!("-max_len={LONGEST_KEPT}")).arg(&folder).arg(format!("fuzz/corpus/{target}"));
    command::run(&mut merge)?;
    let mut inputs: Vec<Vec<u8>> =
        std::fs::read_dir(&folder)?.map(|entry| std::fs::read(entry?.path())).collect::<Result<_, _>>()?;
    std::fs::remove_dir_all(&folder)?;
    let (found, mut size) = (inputs.len(), 0);
    inputs.sort_by_cached_key(|input| (input.len(), input.clone()));
    inputs.retain(|input| {
        size += input.len();
        !input.is_empty() && size <= MOST_KEPT
    });
    std::fs::create_dir_all(tree::root().join("fuzz/kept"))?;
    let text: String = inputs.iter().map(|input| digits(input) + "\n").collect();
    std::fs::write(kept_file(target), text)?;
    println!("fuzz/kept/{target}.hex: {} of {found} inputs", inputs.len());
    Ok(())
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_digits(line: &str) -> Result<Vec<u8>> {
    let wrong = || format!("fuzz/kept has '{line}', which is not made of pairs of hexadecimal digits");
    let pair = |i: usize| line.get(2 * i..2 * i + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..line.len().div_ceil(2)).map(|i| pair(i).with_context(wrong)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_as_it_was_written() {
        let bytes = [0, 1, 15, 16, 255];
        assert_eq!(digits(&bytes), "00010f10ff");
        assert_eq!(from_digits("00010f10ff").unwrap(), bytes);
        assert!(from_digits("0").is_err() && from_digits("0x").is_err() && from_digits("é1").is_err());
    }
}
