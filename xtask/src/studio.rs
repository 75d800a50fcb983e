//! `cargo xtask studio` and `cargo xtask wire`: the studio from the sources.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{command, page};

/// How to start the studio.
#[derive(clap::Args)]
pub struct Options {
    /// Build without optimisation, which is quicker to build and slower to solve
    #[arg(long)]
    dev: bool,
    /// Handed on to `sinew studio`: a file, --port N, --no-open, --host ADDR
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<String>,
}

/// Builds the program, which holds the page, and runs it.
pub fn run(options: &Options) -> Result<()> {
    if let Err(stale) = page::check_record() {
        println!("Note: {stale:#}");
    }
    let program = if options.dev { build("dev")? } else { build("release")? };
    let status = Command::new(program)
        .arg("studio")
        .args(&options.rest)
        .status()
        .context("cannot start the studio")?;
    if !status.success() {
        bail!("the studio ended with {status}");
    }
    Ok(())
}

/// Builds the command `sinew` with a profile; where it is.
pub fn build(profile: &str) -> Result<PathBuf> {
    command::run(&mut command::cargo(&[
        "build",
        "--package",
        "sinew-cli",
        "--profile",
        profile,
        "--locked",
    ]))?;
    let text = command::output(&mut command::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text).context("cargo metadata wrote no JSON")?;
    let target = metadata["target_directory"].as_str().context("cargo names no target directory")?;
    let folder = if profile == "dev" { "debug" } else { profile };
    Ok(Path::new(target).join(folder).join(format!("sinew{}", std::env::consts::EXE_SUFFIX)))
}

/// Writes `web/src/wire.ts` and `web/src/wire/` from the messages in Rust.
pub fn wire() -> Result<()> {
    let mut cargo =
        command::cargo(&["test", "--quiet", "--package", "sinew-studio", "--lib", "wire::typescript"]);
    command::run(cargo.env("SINEW_WRITE_WIRE", "1"))
}
