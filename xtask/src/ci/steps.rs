//! The steps of `cargo xtask ci`.
//!
//! The cheap steps come first. Warnings are denied by flags of clippy and
//! rustdoc themselves and not by RUSTFLAGS, because those would make cargo
//! build every dependency a second time. All steps but those of the release use the same
//! profile and the same target directory for the same reason.

use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{Options, Outcome};
use crate::{browser, command, npm, page, python, studio, tidy, tree};

pub struct Step {
    pub name: &'static str,
    pub what: &'static str,
    pub run: fn(&Options) -> Result<Outcome>,
}

pub const STEPS: &[Step] = &[
    Step { name: "format", what: "every file is formatted", run: format },
    Step { name: "tidy", what: "the rules of the tree: names, layers, links, leftovers", run: tidy_step },
    Step {
        name: "clippy",
        what: "no warnings in libraries, binaries, tests and benches, with every feature",
        run: clippy,
    },
    Step {
        name: "no-std",
        what: "the engine without std, at both precisions: it builds, links and solves",
        run: no_std,
    },
    Step { name: "bare-metal", what: "the engine for a target that has no std at all", run: bare_metal },
    Step { name: "wasm", what: "the engine and the readers for WebAssembly", run: wasm },
    Step { name: "test", what: "tests at both precisions, with every feature", run: test },
    Step { name: "data", what: "tests on recordings and rigs of others, from SINEW_DATA", run: data },
    Step { name: "examples", what: "the examples run, and each asserts what it shows", run: examples },
    Step { name: "doc-test", what: "the examples in the docs and in the README", run: doc_test },
    Step { name: "doc", what: "the docs build without warnings", run: doc },
    Step {
        name: "page",
        what: "the studio's page: types, lint, its tests, and that the built one is what the sources give",
        run: page_step,
    },
    Step {
        name: "browser",
        what: "the studio of a release in a browser: the journeys in Chromium",
        run: browser_step,
    },
    Step {
        name: "python",
        what: "the Python wheel with overflow checks, and its tests in a fresh virtual environment",
        run: python_step,
    },
    Step {
        name: "package",
        what: "every crate can be published: its package is made and builds",
        run: package,
    },
    Step { name: "deny", what: "licences, sources and known faults of the dependencies", run: deny },
    Step { name: "fuzz-check", what: "the fuzz targets compile", run: fuzz_check },
];

/// Whether a part of the toolchain is there, after it was installed if that may be.
fn component(options: &Options, component: &str, sub_command: &str) -> bool {
    let there = || command::works(&mut command::cargo(&[sub_command, "--version"]));
    if !there() && options.install {
        let mut rustup = Command::new("rustup");
        // Whether it worked is seen below.
        let _ = command::run(rustup.args(["component", "add", component]).current_dir(tree::root()));
    }
    there()
}

fn cargo(arguments: &[&str]) -> Result<Outcome> {
    command::run(&mut command::cargo(arguments))?;
    Ok(Outcome::Done)
}

fn left(why: impl Into<String>) -> Result<Outcome> {
    Ok(Outcome::Left(why.into()))
}

fn format(options: &Options) -> Result<Outcome> {
    if !component(options, "rustfmt", "fmt") {
        return left("rustfmt is missing (rustup component add rustfmt)");
    }
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["fmt", "--manifest-path", "xtask/no-std/Cargo.toml", "--check"])?;
    cargo(&["fmt", "--manifest-path", "bindings/python/Cargo.toml", "--check"])?;
    cargo(&["fmt", "--manifest-path", "fuzz/Cargo.toml", "--check"])
}

fn tidy_step(_: &Options) -> Result<Outcome> {
    tidy::run()?;
    Ok(Outcome::Done)
}

/// What is built and run of the workspace is built with the same features, and so only once. The
/// engine without them is linted by `no-std`, and with its default ones alone built by `package`.
const WORKSPACE: [&str; 3] = ["--workspace", "--all-features", "--locked"];

const NO_CLIPPY: &str = "clippy is missing (rustup component add clippy)";

fn clippy(options: &Options) -> Result<Outcome> {
    if !component(options, "clippy", "clippy") {
        return left(NO_CLIPPY);
    }
    let mut cargo = command::cargo(&["clippy", "--all-targets"]);
    command::run(cargo.args(WORKSPACE).args(["--", "-D", "warnings"]))?;
    Ok(Outcome::Done)
}

const ENGINE: [&str; 4] = ["--package", "sinew", "--package", "sinew-f64"];

/// Clippy over the engine with these features, or `cargo check` where there is no clippy.
fn lint_engine(clippy: bool, features: &[&str]) -> Result<()> {
    let mut arguments = vec![if clippy { "clippy" } else { "check" }];
    arguments.extend(ENGINE);
    arguments.extend(features);
    arguments.push("--locked");
    if clippy {
        arguments.extend(["--", "-D", "warnings"]);
    }
    command::run(&mut command::cargo(&arguments))
}

fn no_std(options: &Options) -> Result<Outcome> {
    let clippy = component(options, "clippy", "clippy");
    lint_engine(clippy, &["--no-default-features", "--features", "serde"])?;
    lint_engine(clippy, &["--no-default-features"])?;
    if !cfg!(target_os = "linux") {
        return left(
            "the static library is linked on Linux alone: other systems name their C library otherwise",
        );
    }
    links_without_std(&[])?;
    links_without_std(&["--features", "collision"])?;
    if clippy { Ok(Outcome::Done) } else { left(NO_CLIPPY) }
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

fn bare_metal(_: &Options) -> Result<Outcome> {
    let mut arguments = ENGINE.to_vec();
    arguments.push("--no-default-features");
    check_for("thumbv7em-none-eabihf", &arguments)
}

fn wasm(_: &Options) -> Result<Outcome> {
    let mut arguments = ENGINE.to_vec();
    arguments.extend(["--package", "sinew-io"]);
    check_for("wasm32-unknown-unknown", &arguments)
}

/// `cargo check` for another target, if its standard library is installed.
fn check_for(target: &str, arguments: &[&str]) -> Result<Outcome> {
    let libraries = command::output(
        Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .args(["--print", "target-libdir", "--target", target])
            .current_dir(tree::root()),
    )?;
    if !std::path::Path::new(libraries.trim()).is_dir() {
        return left(format!("the target is not installed (rustup target add {target})"));
    }
    let mut all = vec!["check", "--target", target, "--locked"];
    all.extend(arguments);
    cargo(&all)
}

/// What proptest takes its cases from.
const PROPERTY_SEED: &str = "PROPTEST_RNG_SEED";

/// The day of the last commit as a number, such as 20261118. Property tests draw other cases every
/// day, and whoever runs the checks on a commit draws those that failed there for somebody else.
/// `None` outside of a repository: the cases are then drawn at random.
fn seed_of_the_day() -> Option<String> {
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%cs"]).current_dir(tree::root());
    let day: String = command::output(&mut git).ok()?.chars().filter(char::is_ascii_digit).collect();
    (!day.is_empty()).then_some(day)
}

fn test(options: &Options) -> Result<Outcome> {
    let nextest = options.nextest;
    if nextest && !command::works(&mut command::cargo(&["nextest", "--version"])) {
        bail!("cargo-nextest is missing: cargo install --locked cargo-nextest");
    }
    let mut cargo = command::cargo(if nextest { &["nextest", "run"] } else { &["test"] });
    cargo.args(["--no-fail-fast", "--lib", "--bins", "--tests"]).args(WORKSPACE);
    if std::env::var_os(PROPERTY_SEED).is_none()
        && let Some(seed) = seed_of_the_day()
    {
        println!(
            "{PROPERTY_SEED}={seed}: the cases of property tests are those of the day of the last commit"
        );
        cargo.env(PROPERTY_SEED, seed);
    }
    command::run(&mut cargo)?;
    Ok(Outcome::Done)
}

/// Tests that measure against recordings which cannot be part of the project are ignored by
/// `cargo test` and run here.
fn data(_: &Options) -> Result<Outcome> {
    let Some(folder) = std::env::var_os("SINEW_DATA") else {
        return left("SINEW_DATA is not set; docs/data.md says what to put there");
    };
    println!("SINEW_DATA is {}", folder.display());
    cargo(&[
        "test",
        "--no-fail-fast",
        "--package",
        "sinew-io",
        "--package",
        "sinew-cli",
        "--tests",
        "--locked",
        "--",
        "--ignored",
        "--skip",
        "by_hand",
    ])
}

/// The examples that are short and assert their result; those of `sinew-draw` make pictures.
fn examples(_: &Options) -> Result<Outcome> {
    // All at once, for cargo would unite the features anew for each package and build it again.
    let mut build = command::cargo(&["build", "--examples"]);
    command::run(build.args(WORKSPACE))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), std::path::PathBuf::from);
    for package in ["sinew", "sinew-io"] {
        let folder = tree::root().join("crates").join(package).join("examples");
        let mut names: Vec<std::ffi::OsString> = Vec::new();
        for entry in
            std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?
        {
            let path = entry?.path();
            if let (Some(stem), Some("rs")) = (path.file_stem(), path.extension().and_then(|e| e.to_str())) {
                names.push(stem.to_owned());
            }
        }
        names.sort();
        for name in names {
            let program = tree::root().join(&target).join("debug/examples").join(name);
            // As `cargo run` would start them.
            command::run(Command::new(program).current_dir(tree::root()))?;
        }
    }
    Ok(Outcome::Done)
}

fn doc_test(_: &Options) -> Result<Outcome> {
    // The examples name the crate `sinew`; those of its twin are the same.
    let mut cargo = command::cargo(&["test", "--doc", "--exclude", "sinew-f64"]);
    command::run(cargo.args(WORKSPACE))?;
    Ok(Outcome::Done)
}

fn doc(_: &Options) -> Result<Outcome> {
    // Libraries only: the binary `sinew` would overwrite the pages of the library `sinew`.
    let mut cargo = command::cargo(&["doc", "--no-deps", "--lib"]);
    command::run(cargo.args(WORKSPACE).env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Outcome::Done)
}

fn page_step(_: &Options) -> Result<Outcome> {
    page::check_record()?;
    if let Some(why) = npm::missing()? {
        return left(format!("types, lint and tests of the page, and that its sources still give it: {why}"));
    }
    npm::install()?;
    npm::run(&["run", "check"])?;
    npm::run(&["test"])?;
    page::check_built()?;
    Ok(Outcome::Done)
}

fn browser_step(options: &Options) -> Result<Outcome> {
    if let Some(why) = npm::missing()? {
        return left(format!("the journeys did not run: {why}"));
    }
    if options.install {
        // Whether it worked is seen below.
        let _ = browser::install();
    }
    let chromium = match browser::chromium() {
        Ok(chromium) => chromium,
        Err(why) => return left(format!("the journeys did not run: {why}")),
    };
    npm::install()?;
    browser::journeys(&studio::build("release")?, &chromium)?;
    Ok(Outcome::Done)
}

fn python_step(_: &Options) -> Result<Outcome> {
    if let Some(why) = python::missing() {
        return left(why);
    }
    match python::check()? {
        Some(why) => left(why),
        None => Ok(Outcome::Done),
    }
}

/// Cargo takes a package of one name and version for the same for ever. The packages that it makes here
/// are not: what an earlier run unpacked and built would be checked instead.
fn forget_earlier_packages() {
    let home = std::env::var_os("CARGO_HOME").map(std::path::PathBuf::from);
    let home = home.or_else(|| Some(std::path::PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let unpacked = home.map(|home| home.join("registry/src"));
    let built = tree::root().join("target/debug/.fingerprint");
    // A registry in a folder has no host before the dash.
    for (folder, start) in unpacked.into_iter().map(|folder| (folder, "-")).chain([(built, "sinew")]) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(start) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
    }
}

fn package(_: &Options) -> Result<Outcome> {
    forget_earlier_packages();
    // What is not committed may be checked too.
    cargo(&["package", "--workspace", "--exclude", "xtask", "--allow-dirty", "--locked"])
}

fn deny(_: &Options) -> Result<Outcome> {
    if !command::works(&mut command::cargo(&["deny", "--version"])) {
        return left("cargo-deny is missing (cargo install --locked cargo-deny)");
    }
    cargo(&["deny", "--locked", "check"])
}

fn fuzz_check(_: &Options) -> Result<Outcome> {
    // Not --locked: the lock file of this workspace only follows the main one.
    let mut cargo = command::cargo(&["check", "--manifest-path", "fuzz/Cargo.toml", "--bins"]);
    // Only the Rust side is checked, so the C++ of libFuzzer need not be built:
    // with a library of our own named, its build script leaves it alone.
    cargo.env("CUSTOM_LIBFUZZER_PATH", tree::root().join("target/libnone.a"));
    cargo.env("CARGO_TARGET_DIR", tree::root().join("target"));
    command::run(&mut cargo)?;
    Ok(Outcome::Done)
}
