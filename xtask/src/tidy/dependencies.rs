//! The table of dependencies in the architecture page: every crate from
//! elsewhere has a row with its reason, and the row says where it is used.
//!
//! The second column is a list of our crates by their short names (`engine` is
//! `sinew` and `sinew-f64`), then, after a semicolon, `tests of` those whose
//! tests, examples and benchmarks use it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Finding;
use crate::tree::TextFile;

/// Where a dependency is used.
#[derive(Debug, Default, PartialEq)]
struct Users {
    code: BTreeSet<String>,
    tests: BTreeSet<String>,
}

/// Compares the table with what the manifests say.
pub fn check(metadata: &Value, files: &[TextFile]) -> Vec<Finding> {
    let Some(page) = files.iter().find(|f| f.path == "ARCHITECTURE.md") else { return Vec::new() };
    let mut used = users(metadata);
    let mut findings = Vec::new();
    let mut inside = false;
    for (i, line) in page.text.lines().enumerate() {
        if line.starts_with("## ") {
            inside = line == "## Dependencies";
        }
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [names, place, _, ..] = cells[..] else { continue };
        if !inside || !line.starts_with('|') || names == "crate" || names.starts_with('-') {
            continue;
        }
        // The fuzz targets and the wheel are workspaces of their own.
        if place == "fuzz" || place == "python" {
            continue;
        }
        let wanted = parse(place);
        for name in words(names) {
            match used.remove(name) {
                Some(found) if found != wanted => {
                    let text = format!("{name} is used by '{}', and the table says '{place}'", told(&found));
                    findings.push(Finding::new(page, i + 1, text));
                }
                Some(_) => {}
                // Versions and remarks are words too.
                None if names.starts_with(name) => {
                    let text = format!("gives a reason for {name}, which nothing uses, or twice");
                    findings.push(Finding::new(page, i + 1, text));
                }
                None => {}
            }
        }
    }
    findings.extend(used.iter().map(|(name, users)| {
        let text = format!("gives no reason for the dependency {name} of '{}'", told(users));
        Finding::new(page, 0, text)
    }));
    findings
}

/// The dependencies from elsewhere, and who uses them.
fn users(metadata: &Value) -> BTreeMap<String, Users> {
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let mut used: BTreeMap<String, Users> = BTreeMap::new();
    for package in list(metadata, "packages") {
        let name = package["name"].as_str().unwrap_or_default();
        let short = match name {
            "sinew" | "sinew-f64" => "engine",
            _ => name.strip_prefix("sinew-").unwrap_or(name),
        };
        for dependency in list(&package, "dependencies").iter().filter(|d| !d["path"].is_string()) {
            let users = used.entry(dependency["name"].as_str().unwrap_or_default().into()).or_default();
            let of_kind = if dependency["kind"] == "dev" { &mut users.tests } else { &mut users.code };
            of_kind.insert(short.into());
        }
    }
    // What a crate uses, its tests may use as well.
    for users in used.values_mut() {
        let Users { code, tests } = users;
        tests.retain(|name| !code.contains(name));
    }
    used
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || "_-".contains(c))).filter(|word| !word.is_empty())
}

fn parse(place: &str) -> Users {
    let mut users = Users::default();
    for group in place.split(';').map(str::trim) {
        let (list, of_kind) = match group.strip_prefix("tests of ") {
            Some(list) => (list, &mut users.tests),
            None => (group, &mut users.code),
        };
        of_kind.extend(list.split(',').map(|name| name.trim().to_string()));
    }
    users
}

fn told(users: &Users) -> String {
    let listed = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(", ");
    match (users.code.is_empty(), users.tests.is_empty()) {
        (false, true) => listed(&users.code),
        (true, _) => format!("tests of {}", listed(&users.tests)),
        (false, false) => format!("{}; tests of {}", listed(&users.code), listed(&users.tests)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(table: &str) -> Vec<String> {
        let metadata = serde_json::json!({ "packages": [
            { "name": "sinew", "dependencies": [{ "name": "glam" }, { "name": "proptest", "kind": "dev" }] },
            { "name": "sinew-io", "dependencies": [
                { "name": "glam" }, { "name": "serde" }, { "name": "serde", "kind": "dev" },
                { "name": "sinew", "path": "here" }] },
        ] });
        let text = format!("# A\n## Dependencies\n\n| crate | where | why |\n|---|---|---|\n{table}\n## B\n");
        let page = super::super::made_up("ARCHITECTURE.md", &text);
        check(&metadata, &[page]).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn a_true_table_has_nothing_to_say() {
        let table = "| glam 0.33 | engine, io | a |\n| serde | io | b |\n| proptest | tests of engine | c |\n\
            | libfuzzer-sys | fuzz | d |";
        assert_eq!(findings(table), Vec::<String>::new());
    }

    #[test]
    fn what_is_missing_wrong_or_left_over_is_found() {
        let table = "| glam 0.33 | engine | a |\n| proptest | engine | c |\n| rayon | io | d |";
        let found = findings(table);
        assert_eq!(found.len(), 4, "{found:?}");
        for text in ["glam is used by 'engine, io'", "'tests of engine'", "for rayon", "dependency serde"] {
            assert!(found.iter().any(|what| what.contains(text)), "{text}: {found:?}");
        }
    }
}
