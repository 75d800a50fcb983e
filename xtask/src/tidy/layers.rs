//! The direction of the crates' dependencies, and what every manifest must say.

use anyhow::{Context, Result};
use serde_json::Value;

use super::{Finding, dependencies};
use crate::command;
use crate::tree::TextFile;

/// Each crate and its layer: a crate may depend only on lower layers.
const LAYERS: &[(&str, u32)] = &[
    ("sinew", 0),
    ("sinew-f64", 0),
    ("sinew-io", 1),
    ("sinew-draw", 1),
    ("sinew-motion", 2),
    ("sinew-eval", 3),
    ("sinew-studio", 4),
    ("sinew-cli", 5),
    // Automation builds and runs the others and must not need them to compile.
    ("xtask", 0),
];

pub fn check(files: &[TextFile]) -> Result<Vec<Finding>> {
    let text = command::output(&mut command::cargo(&[
        "metadata",
        "--no-deps",
        "--format-version",
        "1",
        "--locked",
    ]))?;
    let metadata: Value = serde_json::from_str(&text).context("cargo metadata wrote no JSON")?;
    let mut findings = check_metadata(&metadata);
    findings.extend(dependencies::check(&metadata, files));
    let shown = command::output(&mut command::cargo(&[
        "tree",
        "--workspace",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--locked",
    ]))?;
    findings.extend(check_one_glam(&shown));
    findings.extend(check_lints(files));
    Ok(findings)
}

fn finding(package: &str, what: String) -> Finding {
    Finding { path: format!("{package} (Cargo.toml)"), line: 0, what }
}

fn layer(name: &str) -> Option<u32> {
    LAYERS.iter().find(|(n, _)| *n == name).map(|(_, layer)| *layer)
}

fn list(value: &Value, key: &str) -> Vec<Value> {
    value[key].as_array().cloned().unwrap_or_default()
}

fn check_metadata(metadata: &Value) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in list(metadata, "packages") {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(own) = layer(name) else {
            findings.push(finding(name, "has no layer; give it one in xtask/src/tidy/layers.rs".into()));
            continue;
        };
        if package["license"].as_str() != Some("MIT OR Apache-2.0") {
            findings.push(finding(name, "does not say license.workspace = true".into()));
        }
        for dependency in list(&package, "dependencies") {
            let other = dependency["name"].as_str().unwrap_or_default();
            // The tests of sinew-f64 name it `sinew`, by a dependency on itself.
            if !dependency["path"].is_string() || other == name {
                continue;
            }
            match layer(other) {
                Some(theirs) if theirs < own => {}
                _ => findings.push(finding(
                    name,
                    format!(
                        "depends on {other}; arrows point from cli, studio and eval to motion, draw and io to sinew"
                    ),
                )),
            }
        }
    }
    findings
}

/// A second glam would mean converting every vector at a border.
fn check_one_glam(tree: &str) -> Option<Finding> {
    let mut versions: Vec<&str> =
        tree.lines().filter_map(|l| l.strip_prefix("glam v")?.split(' ').next()).collect();
    versions.sort_unstable();
    versions.dedup();
    (versions.len() > 1)
        .then(|| finding("workspace", format!("has several versions of glam: {}", versions.join(", "))))
}

/// Without these two lines a crate would be free of the workspace's lints.
fn check_lints(files: &[TextFile]) -> Vec<Finding> {
    files
        .iter()
        // Workspaces of their own have no lints to take over.
        .filter(|f| f.path.ends_with("/Cargo.toml"))
        .filter(|f| !["fuzz/", "xtask/no-std/", "bindings/python/"].iter().any(|own| f.path.starts_with(own)))
        .filter(|f| !f.text.contains("[lints]\nworkspace = true"))
        .map(|f| Finding::new(f, 0, "does not say [lints] workspace = true"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, needs: &[&str]) -> Value {
        let dependencies: Vec<Value> =
            needs.iter().map(|n| serde_json::json!({ "name": n, "path": "somewhere" })).collect();
        serde_json::json!({ "name": name, "license": "MIT OR Apache-2.0", "dependencies": dependencies })
    }

    fn found(name: &str, needs: &[&str]) -> usize {
        check_metadata(&serde_json::json!({ "packages": [package(name, needs)] })).len()
    }

    #[test]
    fn arrows_point_one_way() {
        assert_eq!(found("sinew-cli", &["sinew-eval", "sinew-io", "sinew-f64"]), 0);
        assert_eq!(found("sinew-f64", &["sinew-f64"]), 0);
        assert_eq!(found("sinew-io", &["sinew-draw"]), 1);
        assert_eq!(found("sinew", &["sinew-io"]), 1);
        assert_eq!(found("sinew-eval", &["sinew-cli"]), 1);
        assert_eq!(found("sinew-new", &[]), 1);
    }

    #[test]
    fn a_manifest_without_lints_is_found() {
        let good = super::super::made_up("crates/a/Cargo.toml", "[package]\n[lints]\nworkspace = true\n");
        let bad = super::super::made_up("crates/b/Cargo.toml", "[package]\n");
        assert_eq!(check_lints(&[good, bad]).len(), 1);
    }

    #[test]
    fn one_glam_is_enough() {
        assert!(check_one_glam("sinew v0.1.0\nglam v0.33.1\nglam v0.33.1 (*)").is_none());
        assert!(check_one_glam("glam v0.33.1\nglam v0.30.0").is_some());
    }
}
