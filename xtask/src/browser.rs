//! The studio's journeys in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::{command, npm};

/// The journeys, with this program and this Chromium.
pub fn journeys(program: &Path, chromium: &Path) -> Result<()> {
    let mut command = npm::command(&["run", "test:browser"]);
    command::run(command.env("SINEW_BIN", program).env("CHROMIUM", chromium))
}

/// A Chromium: the one that CHROMIUM names, or one of the system. Otherwise why there is none.
pub fn chromium() -> std::result::Result<PathBuf, String> {
    match std::env::var_os("CHROMIUM").map(PathBuf::from) {
        Some(named) if named.exists() => Ok(named),
        Some(named) => Err(format!("CHROMIUM is {}, which is not there", named.display())),
        None => installed().ok_or_else(|| "there is no Chromium; install one, or set CHROMIUM".into()),
    }
}

/// Installs Chromium from the system's packages: only where somebody asked for it.
pub fn install() -> Result<()> {
    if chromium().is_ok() {
        return Ok(());
    }
    command::run(Command::new("apt-get").args(["update", "-q"]))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "-y", "-q", "--no-install-recommends", "chromium"]);
    command::run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}

fn installed() -> Option<PathBuf> {
    const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    NAMES.iter().find_map(|name| folders.iter().map(|f| f.join(name)).find(|p| p.is_file()))
}
