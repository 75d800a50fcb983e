//! `cargo xtask release`: what a release needs, and the publishing of all packages.
//!
//! The list for people is docs/release.md.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::{command, page, tree};

/// How to release.
#[derive(clap::Args)]
pub struct Options {
    /// Say what is not ready, make and build every package, and publish nothing
    #[arg(long)]
    dry_run: bool,
}

/// Checks that the tree is ready, then publishes all packages in the order of their needs.
pub fn run(options: &Options) -> Result<()> {
    let unready = unready()?;
    for what in &unready {
        println!("Not ready: {what}");
    }
    if !options.dry_run {
        if !unready.is_empty() {
            bail!("nothing was published");
        }
        return command::run(&mut command::cargo(&["publish", "--workspace", "--locked"]));
    }
    // A tree that is being worked on can be tried too; what is missing was said above.
    let dirty = ["publish", "--workspace", "--locked", "--dry-run", "--allow-dirty"];
    command::run(&mut command::cargo(&dirty))?;
    println!("Every package can be published: nothing was.");
    Ok(())
}

/// What stands in the way of a release, in words.
fn unready() -> Result<Vec<String>> {
    let mut found = Vec::new();
    let version = version()?;
    let git =
        |arguments: &[&str]| command::output(Command::new("git").args(arguments).current_dir(tree::root()));
    if !git(&["status", "--porcelain"])?.is_empty() {
        found.push("the tree has changes that are not committed".into());
    }
    let tag = format!("v{version}");
    if !git(&["tag", "--points-at", "HEAD"])?.lines().any(|t| t == tag) {
        found.push(format!("this commit has no tag {tag}"));
    }
    let changes = std::fs::read_to_string(tree::root().join("CHANGELOG.md"))?;
    if !has_section(&changes, &version) {
        found.push(format!("CHANGELOG.md has no section for {version} with a date"));
    }
    if let Err(error) = page::check_record() {
        found.push(format!("{error:#}"));
    }
    Ok(found)
}

fn version() -> Result<String> {
    let text = command::output(&mut command::cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&text).context("cargo metadata wrote no JSON")?;
    let packages = metadata["packages"].as_array().context("cargo lists no packages")?;
    let engine =
        packages.iter().find(|package| package["name"] == "sinew").context("there is no package sinew")?;
    Ok(engine["version"].as_str().context("sinew has no version")?.to_owned())
}

/// Whether the changes of a version stand under `## [0.1.0] - 2030-01-31`.
fn has_section(changes: &str, version: &str) -> bool {
    changes.lines().any(|line| {
        let date = line.strip_prefix(&format!("## [{version}] - ")).unwrap_or_default();
        date.len() == 10 && date.chars().all(|c| c.is_ascii_digit() || c == '-')
    })
}

#[cfg(test)]
mod tests {
    use super::has_section;

    #[test]
    fn a_section_has_version_and_date() {
        assert!(has_section("# Changelog\n\n## [0.1.0] - 2030-01-31\n", "0.1.0"));
        assert!(!has_section("## [Unreleased]\n## [0.1.0]\n", "0.1.0"));
        assert!(!has_section("## [0.1.0] - soon\n## [0.2.0] - 2030-01-31", "0.1.0"));
    }
}
