//! `cargo xtask ci`: every check there is.
//!
//! The cheap steps come first. Warnings are denied by flags of clippy and
//! rustdoc themselves and not by RUSTFLAGS, because those would make cargo
//! build every dependency a second time. All steps use the same profile and
//! the same target directory for the same reason.

use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::{command, tidy, tree, web};

/// What to run of the checks.
#[derive(clap::Args)]
pub struct Options {
    /// Run only this step; may be given several times
    #[arg(long, value_name = "STEP")]
    only: Vec<String>,
    /// Leave this step out; may be given several times
    #[arg(long, value_name = "STEP")]
    skip: Vec<String>,
    /// Run the tests with cargo-nextest instead of `cargo test`
    #[arg(long)]
    nextest: bool,
}

enum Outcome {
    Done,
    /// The step does not apply here, with the reason.
    Left(String),
}

struct Step {
    name: &'static str,
    what: &'static str,
    run: fn(&Options) -> Result<Outcome>,
}

const STEPS: &[Step] = &[
    Step { name: "format", what: "every file is formatted", run: format },
    Step { name: "tidy", what: "the rules of the tree: names, layers, links, leftovers", run: tidy_step },
    Step { name: "clippy", what: "no warnings in libraries, binaries, tests and benches", run: clippy },
    Step {
        name: "no-std",
        what: "the engine without std, at both precisions: it builds, links and solves",
        run: no_std,
    },
    Step { name: "bare-metal", what: "the engine for a target that has no std at all", run: bare_metal },
    Step { name: "serde", what: "the engine with the feature serde", run: serde },
    Step { name: "test", what: "tests at both precisions", run: test },
    Step { name: "examples", what: "the examples run, and each asserts what it shows", run: examples },
    Step { name: "doc-test", what: "the examples in the docs and in the README", run: doc_test },
    Step { name: "doc", what: "the docs build without warnings", run: doc },
    Step { name: "page", what: "the studio's page: types, lint, its tests, and that it builds", run: page },
    Step { name: "browser", what: "the studio in a browser: the journeys in Chromium", run: browser },
    Step { name: "fuzz-check", what: "the fuzz targets compile", run: fuzz_check },
];

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
    for name in options.only.iter().chain(&options.skip) {
        if !STEPS.iter().any(|s| s.name == name) {
            bail!("there is no step '{name}'\n{}", step_list());
        }
    }
    let chosen: Vec<&Step> = STEPS
        .iter()
        .filter(|s| options.only.is_empty() || options.only.iter().any(|n| n == s.name))
        .filter(|s| !options.skip.iter().any(|n| n == s.name))
        .collect();
    preflight(&chosen)?;

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

    println!("\n=== summary");
    let mut failed = Vec::new();
    let mut left = Vec::new();
    for (name, result, took) in &results {
        let word = match result {
            Ok(Outcome::Done) => "ok",
            Ok(Outcome::Left(why)) => {
                left.push(format!("{name} was left out: {why}"));
                "left out"
            }
            Err(_) => {
                failed.push(*name);
                "FAILED"
            }
        };
        println!("{name:<11} {word:<9} {:>8}", seconds(*took));
    }
    println!("{:<11} {:<9} {:>8}", "all", "", seconds(start.elapsed()));
    for words in &left {
        println!("{words}");
    }
    if failed.is_empty() {
        println!(
            "{}",
            if left.is_empty() { "Every check is fine." } else { "Every check that ran is fine." }
        );
        Ok(())
    } else {
        bail!("these checks failed: {}", failed.join(", "))
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

/// Installs the parts of the toolchain that are missing, or says how to.
fn preflight(steps: &[&Step]) -> Result<()> {
    for (component, sub_command, needed_by) in
        [("rustfmt", "fmt", ["format"].as_slice()), ("clippy", "clippy", &["clippy", "no-std", "serde"])]
    {
        if !steps.iter().any(|s| needed_by.contains(&s.name))
            || command::works(&mut command::cargo(&[sub_command, "--version"]))
        {
            continue;
        }
        println!("{component} is missing; installing it");
        command::run(Command::new("rustup").args(["component", "add", component]).current_dir(tree::root()))
            .with_context(|| format!("{component} is missing; install it with your Rust toolchain"))?;
    }
    Ok(())
}

fn cargo(arguments: &[&str]) -> Result<Outcome> {
    command::run(&mut command::cargo(arguments))?;
    Ok(Outcome::Done)
}

fn format(_: &Options) -> Result<Outcome> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["fmt", "--manifest-path", "xtask/no-std/Cargo.toml", "--check"])?;
    if tree::root().join("fuzz/Cargo.toml").exists() {
        cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"])?;
    }
    Ok(Outcome::Done)
}

fn tidy_step(_: &Options) -> Result<Outcome> {
    tidy::run()?;
    Ok(Outcome::Done)
}

fn clippy(_: &Options) -> Result<Outcome> {
    cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])
}

const ENGINE: [&str; 4] = ["--package", "sinew", "--package", "sinew-f64"];

fn no_std(_: &Options) -> Result<Outcome> {
    let mut arguments = vec!["clippy"];
    arguments.extend(ENGINE);
    arguments.extend(["--no-default-features", "--features", "serde", "--locked", "--", "-D", "warnings"]);
    cargo(&arguments)?;
    arguments.retain(|a| *a != "--features" && *a != "serde");
    cargo(&arguments)?;
    links_without_std(&[])?;
    links_without_std(&["--features", "collision"])?;
    Ok(Outcome::Done)
}

/// A host has a std that a dependency could bring in unseen. A static library with a panic
/// handler and an allocator of its own cannot be built with it, and a program around that
/// library is linked with neither libm nor an unwinder and run.
fn links_without_std(features: &[&str]) -> Result<()> {
    let target = tree::root().join("target/no-std");
    let folder = tree::root().join("xtask/no-std");
    // Not --locked: like fuzz, its lock file only follows the main one.
    let mut build = command::cargo(&["build", "--manifest-path", "xtask/no-std/Cargo.toml"]);
    command::run(build.args(features).env("CARGO_TARGET_DIR", &target))?;
    let program = target.join("no-std-program");
    let mut link = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    link.arg(folder.join("main.c")).arg(target.join("debug/libsinew_no_std.a"));
    link.args(["-nodefaultlibs", "-lc", "-o"]).arg(&program);
    command::run(&mut link).context("the static library does not link without std")?;
    command::run(&mut Command::new(program)).context("a step of crates/sinew/tests/no_std/story.rs failed")
}

/// The same for a target that has no std at all.
fn bare_metal(_: &Options) -> Result<Outcome> {
    const TARGET: &str = "thumbv7em-none-eabihf";
    let libraries = command::output(
        Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .args(["--print", "target-libdir", "--target", TARGET])
            .current_dir(tree::root()),
    )?;
    if !std::path::Path::new(libraries.trim()).is_dir() {
        return Ok(Outcome::Left(format!("the target is not installed (rustup target add {TARGET})")));
    }
    let mut arguments = vec!["check"];
    arguments.extend(ENGINE);
    arguments.extend(["--no-default-features", "--target", TARGET, "--locked"]);
    cargo(&arguments)
}

fn serde(_: &Options) -> Result<Outcome> {
    let mut arguments = vec!["clippy"];
    arguments.extend(ENGINE);
    arguments.extend(["--features", "serde", "--all-targets", "--locked", "--", "-D", "warnings"]);
    cargo(&arguments)?;
    let mut arguments = vec!["test"];
    arguments.extend(ENGINE);
    arguments.extend(["--features", "serde", "--test", "serde", "--locked"]);
    cargo(&arguments)
}

/// Some tests measure against recordings that cannot be part of the project.
/// They take the folder from SINEW_DATA and do nothing without it.
fn with_real_data(command: &mut Command) {
    let beside = tree::root().join("../shared/data");
    match std::env::var("SINEW_DATA") {
        Ok(folder) => println!("Real data: SINEW_DATA is {folder}"),
        Err(_) => match beside.canonicalize() {
            Ok(folder) if folder.is_dir() => {
                println!("Real data: using the folder beside the checkout, ../shared/data");
                command.env("SINEW_DATA", folder);
            }
            _ => println!("Real data: none (SINEW_DATA is not set); tests that want it do nothing"),
        },
    }
}

fn test(options: &Options) -> Result<Outcome> {
    let nextest = options.nextest;
    if nextest && !command::works(&mut command::cargo(&["nextest", "--version"])) {
        bail!("cargo-nextest is missing: cargo install --locked cargo-nextest");
    }
    let start: &[&str] =
        if nextest { &["nextest", "run", "--no-fail-fast"] } else { &["test", "--no-fail-fast"] };
    let mut cargo = command::cargo(start);
    cargo.args(["--workspace", "--lib", "--bins", "--tests", "--examples", "--locked"]);
    with_real_data(&mut cargo);
    command::run(&mut cargo)?;
    Ok(Outcome::Done)
}

/// The examples that are short and assert their result; those of `sinew-draw` make pictures.
fn examples(_: &Options) -> Result<Outcome> {
    for package in ["sinew", "sinew-io"] {
        let folder = tree::root().join("crates").join(package).join("examples");
        let mut names: Vec<String> = Vec::new();
        for entry in
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let path = entry?.path();
            if let (Some(stem), Some("rs")) = (path.file_stem(), path.extension().and_then(|e| e.to_str())) {
                names.push(stem.to_string_lossy().into_owned());
            }
        }
        names.sort();
        for name in names {
            cargo(&["run", "--quiet", "--package", package, "--example", &name, "--locked"])?;
        }
    }
    Ok(Outcome::Done)
}

fn doc_test(_: &Options) -> Result<Outcome> {
    // The examples name the crate `sinew`; those of its twin are the same.
    cargo(&["test", "--workspace", "--exclude", "sinew-f64", "--doc", "--locked"])
}

fn doc(_: &Options) -> Result<Outcome> {
    // Libraries only: the binary `sinew` would overwrite the pages of the library `sinew`.
    let mut cargo = command::cargo(&["doc", "--workspace", "--no-deps", "--lib", "--locked"]);
    command::run(cargo.env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Outcome::Done)
}

/// Without Node.js the page cannot be checked; that is said and is no failure,
/// since the Rust side does not need it.
fn page(_: &Options) -> Result<Outcome> {
    if let Some(why) = web::without_npm() {
        return Ok(Outcome::Left(format!("THE PAGE WAS NOT CHECKED: {why}")));
    }
    web::install()?;
    web::npm(&["run", "check"])?;
    web::npm(&["test"])?;
    web::npm(&["run", "build"])?;
    Ok(Outcome::Done)
}

fn browser(_: &Options) -> Result<Outcome> {
    let not_run = |why: &str| Ok(Outcome::Left(format!("THE BROWSER TESTS DID NOT RUN: {why}")));
    if let Some(why) = web::without_npm() {
        return not_run(why);
    }
    let chromium = match web::chromium() {
        Ok(chromium) => chromium,
        Err(why) => return not_run(&why),
    };
    web::build_if_old()?;
    // The whole workspace, as the tests have built it: for one package alone other features would count.
    cargo(&["build", "--workspace", "--bins", "--locked"])?;
    web::journeys(&web::program("debug")?, &chromium)?;
    Ok(Outcome::Done)
}

fn fuzz_check(_: &Options) -> Result<Outcome> {
    if !tree::root().join("fuzz/Cargo.toml").exists() {
        return Ok(Outcome::Left("there is no fuzz crate".into()));
    }
    // Not --locked: the lock file of this workspace only follows the main one.
    let mut cargo = command::cargo(&["check", "--manifest-path", "fuzz/Cargo.toml", "--bins"]);
    // Only the Rust side is checked, so the C++ of libFuzzer need not be built:
    // with a library of our own named, its build script leaves it alone.
    cargo.env("CUSTOM_LIBFUZZER_PATH", tree::root().join("target/libnone.a"));
    cargo.env("CARGO_TARGET_DIR", tree::root().join("target"));
    command::run(&mut cargo)?;
    Ok(Outcome::Done)
}
