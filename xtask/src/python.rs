//! `cargo xtask python`: the wheel, and its tests in a fresh virtual environment.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{command, tree};

/// How the wheel is built and tested.
#[derive(clap::Args)]
pub struct Options {
    /// The profile that the wheel is built with; `dev` has assertions and overflow checks
    #[arg(long, default_value = "release")]
    profile: String,
    /// Only build the wheel
    #[arg(long)]
    no_tests: bool,
    /// Also install what the tests of optional friends use: ray, pyarrow, viser, rerun-sdk
    #[arg(long)]
    friends: bool,
    /// Handed on to pytest
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// What the build and the tests take from the registry.
const PACKAGES: [&str; 4] = ["maturin>=1.9,<2", "numpy>=1.24", "pytest", "hypothesis"];
const FRIENDS: [&str; 4] = ["ray", "pyarrow", "viser", "rerun-sdk"];

/// The least version that the wheel is for.
const ASKS: &str = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";

fn interpreter() -> Option<&'static str> {
    let names = if cfg!(windows) { ["python", "py"] } else { ["python3", "python"] };
    names.into_iter().find(|name| command::works(Command::new(name).args(["-c", ASKS])))
}

/// Why the wheel cannot be made here, if it cannot.
pub fn missing() -> Option<String> {
    interpreter().is_none().then(|| "Python 3.10 or newer with venv is missing".into())
}

/// A fresh environment, or why its packages cannot be installed.
fn environment(friends: bool) -> Result<Result<PathBuf, String>> {
    let python = interpreter().context("Python 3.10 or newer with venv is missing")?;
    let folder = tree::root().join("target/python/venv");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    command::run(Command::new(python).args(["-m", "venv"]).arg(&folder))?;
    let inside = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let mut install = pip(&inside);
    install.args(PACKAGES);
    if friends {
        install.args(FRIENDS);
    }
    match command::run(&mut install) {
        Ok(()) => Ok(Ok(inside)),
        Err(error) => Ok(Err(format!("the packages for it cannot be installed: {error}"))),
    }
}

fn pip(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip
}

/// Builds the wheel and tests it.
pub fn run(options: &Options) -> Result<()> {
    match environment(options.friends)? {
        Ok(python) => build_and_test(&python, options),
        Err(why) => anyhow::bail!(why),
    }
}

/// The same as a check: with assertions and overflow checks, in the profile and the folder of the other steps.
/// What could not run, and why.
pub fn check() -> Result<Option<String>> {
    match environment(false)? {
        Ok(python) => {
            let options =
                Options { profile: "dev".into(), no_tests: false, friends: false, rest: Vec::new() };
            build_and_test(&python, &options)?;
            Ok(None)
        }
        Err(why) => Ok(Some(why)),
    }
}

fn build_and_test(python: &Path, options: &Options) -> Result<()> {
    let wheels = tree::root().join("target/python/wheels");
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels)?;
    }
    let mut maturin = Command::new(python);
    maturin.args(["-m", "maturin", "build", "--locked", "--profile", &options.profile]);
    maturin.args(["--manifest-path", "bindings/python/Cargo.toml", "--interpreter"]).arg(python);
    maturin.arg("--out").arg(&wheels).current_dir(tree::root());
    // Crates that the other steps built with the same features serve here as well.
    maturin.env("CARGO_TARGET_DIR", tree::root().join("target"));
    // The same cargo as ours, without what it told us about our own package.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|n| n.starts_with("CARGO_PKG_") || n == "CARGO_MANIFEST_DIR") {
            maturin.env_remove(name);
        }
    }
    command::run(&mut maturin)?;
    let wheel = std::fs::read_dir(&wheels)?.next().context("maturin made no wheel")??.path();
    command::run(pip(python).args(["--no-deps", "--force-reinstall"]).arg(&wheel))?;
    println!("the wheel is {}", wheel.display());
    if options.no_tests {
        return Ok(());
    }
    let mut tests = Command::new(python);
    tests.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(&options.rest);
    command::run(tests.current_dir(tree::root().join("bindings/python")))
}
