//! Node.js and npm, which only a change of the studio's page needs.

use std::path::PathBuf;
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};

use crate::{command, tree};

const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// The sources of the page.
pub fn folder() -> PathBuf {
    tree::root().join("web")
}

/// npm with these arguments, in the page's folder.
pub fn command(arguments: &[&str]) -> Command {
    let mut npm = Command::new(NPM);
    npm.args(arguments).current_dir(folder());
    npm
}

/// npm with its output shown.
pub fn run(arguments: &[&str]) -> Result<()> {
    command::run(&mut command(arguments))
}

/// Why the page cannot be built here, if it cannot.
pub fn missing() -> Result<Option<String>> {
    let manifest = std::fs::read_to_string(folder().join("package.json"))?;
    let manifest: serde_json::Value = serde_json::from_str(&manifest).context("web/package.json")?;
    let wanted = manifest["engines"]["node"].as_str().and_then(|range| version(range.strip_prefix(">=")?));
    let wanted = wanted.context("web/package.json names no version of Node.js as >=MAJOR.MINOR")?;
    let needed = format!("the page needs Node.js {}.{} or newer with npm", wanted.0, wanted.1);
    let said = Command::new("node").arg("--version").output();
    let Some(said) = said.ok().filter(|o| o.status.success()) else {
        return Ok(Some(format!("Node.js is missing; {needed}")));
    };
    let said = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    if version(said.trim_start_matches('v')).is_none_or(|there| there < wanted) {
        return Ok(Some(format!("Node.js here is {said}; {needed}")));
    }
    if !command::works(&mut command(&["--version"])) {
        return Ok(Some(format!("npm is missing; {needed}")));
    }
    Ok(None)
}

/// Major and minor number.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Installs the page's packages, unless they are those of the lock file already.
pub fn install() -> Result<()> {
    if let Some(why) = missing()? {
        bail!("{why}");
    }
    let modified =
        |name: &str| -> Option<SystemTime> { folder().join(name).metadata().ok()?.modified().ok() };
    let installed = modified("node_modules/.package-lock.json");
    if installed.is_some() && installed >= modified("package-lock.json") {
        return Ok(());
    }
    run(&["ci", "--no-audit", "--no-fund"])
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(version("20.20.2") > version("20.19"));
        assert!(version("20.9.0") < version("20.19"));
        assert!(version("22.0.1") > version("20.19"));
        assert_eq!(version("latest"), None);
    }
}
