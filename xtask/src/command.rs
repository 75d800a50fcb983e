//! Starting other programs.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::tree;

/// Cargo with these arguments, in the root of the tree.
///
/// It is the cargo that started us, so that the toolchain stays the same.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(tree::root());
    // `cargo run` tells us about our own package, which is nobody else's business:
    // build scripts that look at these would be run again for no reason.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|n| n.starts_with("CARGO_PKG_") || n == "CARGO_MANIFEST_DIR") {
            command.env_remove(name);
        }
    }
    command
}

/// The command as a person would type it.
pub fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut words = vec![program.file_stem().unwrap_or_default().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|a| a.to_string_lossy().into_owned()));
    words.join(" ")
}

/// Runs it with its output shown; an error unless it ends well.
pub fn run(command: &mut Command) -> Result<()> {
    println!("$ {}", shown(command));
    let status = command.status().with_context(|| format!("cannot start '{}'", shown(command)))?;
    if !status.success() {
        bail!("'{}' ended with {status}", shown(command));
    }
    Ok(())
}

/// Runs it and gives back what it writes to its standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start '{}'", shown(command)))?;
    if !output.status.success() {
        bail!("'{}' ended with {}", shown(command), output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("'{}' wrote no text", shown(command)))
}

/// Whether the command exists and ends well, quietly.
pub fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}
