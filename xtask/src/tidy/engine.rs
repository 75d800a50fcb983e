//! Rules of the engine: one precision, no std, no clock, tests at both precisions.

use super::Finding;
use super::source::{code_only, has_word, without_items};
use crate::tree::TextFile;

const ENGINE: &str = "crates/sinew/src/";
const MATH: &str = "crates/sinew/src/math.rs";
const DOUBLE: &str = "crates/sinew-f64/Cargo.toml";

/// What the engine has no business with, even where it has std.
const ABSENT: &[(&str, &str)] = &[
    ("std::time", "the engine never reads a clock"),
    ("std::thread", "the engine starts no thread"),
    ("std::fs", "the engine does no I/O"),
    ("std::io", "the engine does no I/O"),
    ("std::net", "the engine does no I/O"),
    ("std::env", "the engine reads nothing from its environment"),
    ("println!", "the engine writes no log"),
    ("print!", "the engine writes no log"),
];

pub fn check(files: &[TextFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files.iter().filter(|f| f.path.starts_with(ENGINE) && f.is("rs")) {
        let code = without_items(&code_only(&file.text), &file.text, "cfg(test)");
        let without_std = without_items(&code, &file.text, "feature=\"std\"");
        for (i, line) in code.lines().enumerate() {
            for precision in ["f32", "f64"] {
                if file.path != MATH && has_word(line, precision) {
                    findings.push(Finding::new(
                        file,
                        i + 1,
                        format!("names {precision}; say Real, only math.rs chooses the precision"),
                    ));
                }
            }
            for (name, why) in ABSENT {
                if line.contains(name) {
                    findings.push(Finding::new(file, i + 1, format!("has {name}; {why}")));
                }
            }
        }
        for (i, line) in without_std.lines().enumerate() {
            if line.match_indices("std::").any(|(at, _)| !line[..at].ends_with(is_word)) {
                findings.push(Finding::new(
                    file,
                    i + 1,
                    "names std outside of cfg(feature = \"std\"); use core or alloc",
                ));
            }
        }
    }
    findings.extend(tests_at_both_precisions(files));
    findings.extend(attributes_at_both_precisions(files));
    findings
}

/// Attributes of the crate cannot be included, so `sinew-f64` repeats them.
fn attributes_at_both_precisions(files: &[TextFile]) -> Option<Finding> {
    let root = |path: &str| files.iter().find(|f| f.path == path);
    let (single, double) = (root("crates/sinew/src/lib.rs")?, root("crates/sinew-f64/src/lib.rs")?);
    let attributes = |file: &TextFile| -> Vec<String> {
        file.text.lines().filter(|l| l.starts_with("#![")).map(str::to_owned).collect()
    };
    (attributes(single) != attributes(double))
        .then(|| Finding::new(double, 0, "has other attributes of the crate than crates/sinew/src/lib.rs"))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A program of tests is named by `sinew-f64`; a module of the engine's tests, by their `main.rs`:
/// the compiler says nothing of a file that nobody names.
fn tests_at_both_precisions(files: &[TextFile]) -> Vec<Finding> {
    let named = |path: &str, start: &str, end: &str| -> Vec<String> {
        let lines = files.iter().filter(|f| f.path == path).flat_map(|f| f.text.lines());
        lines.filter_map(|l| Some(l.trim().strip_prefix(start)?.strip_suffix(end)?.to_owned())).collect()
    };
    let programs = named(DOUBLE, "path = \"../sinew/tests/", "\"");
    let modules = named("crates/sinew/tests/engine/main.rs", "mod ", ";");
    let mut findings = Vec::new();
    for file in files.iter().filter(|f| f.is("rs")) {
        let Some(name) = file.path.strip_prefix("crates/sinew/tests/") else { continue };
        let program = !name.contains('/') || name.ends_with("/main.rs");
        if program && !programs.iter().any(|p| p == name) {
            let what = format!("is not run in double precision; list it as a [[test]] in {DOUBLE}");
            findings.push(Finding::new(file, 0, what));
        }
        let module = name.strip_prefix("engine/").and_then(|n| n.strip_suffix(".rs"));
        let Some(module) = module.filter(|m| *m != "main" && !m.contains('/')) else { continue };
        if !modules.iter().any(|m| m == module) {
            let what = format!("is never run; say `mod {module};` in main.rs beside it");
            findings.push(Finding::new(file, 0, what));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    #[test]
    fn precision_and_std_are_found_and_tests_are_left_alone() {
        let bad = made_up(
            "crates/sinew/src/pose.rs",
            "// f32 is fine here\nfn f(x: f32) {}\nuse std::vec::Vec;\n#[cfg(test)]\nmod tests { fn g(x: f64) { std::println!() } }\nlet t = std::time::Instant::now();",
        );
        let lines: Vec<usize> = check(&[bad]).iter().map(|f| f.line).collect();
        assert_eq!(lines, [2, 6, 3, 6]);
    }

    #[test]
    fn math_and_gated_std_are_allowed() {
        let math = made_up(MATH, "pub type Real = f32;");
        let gated =
            made_up("crates/sinew/src/a.rs", "#[cfg(feature = \"std\")]\nimpl std::error::Error for E {}");
        let other = made_up("crates/sinew-io/src/a.rs", "fn f(x: f32) { std::fs::read(x) }");
        assert_eq!(check(&[math, gated, other]), []);
    }

    #[test]
    fn other_attributes_in_double_precision_are_found() {
        let pair = |double: &str| {
            let single = made_up("crates/sinew/src/lib.rs", "#![warn(missing_docs)]\npub mod a;");
            check(&[single, made_up("crates/sinew-f64/src/lib.rs", double)]).len()
        };
        assert_eq!(pair("#![warn(missing_docs)]\ninclude!(\"a\");"), 0);
        assert_eq!(pair("#![allow(missing_docs)]\n"), 1);
    }

    #[test]
    fn a_test_that_runs_once_is_found() {
        let manifest = made_up(DOUBLE, "[[test]]\nname = \"a\"\npath = \"../sinew/tests/a.rs\"\n");
        let (a, b) = (made_up("crates/sinew/tests/a.rs", ""), made_up("crates/sinew/tests/b.rs", ""));
        let helper = made_up("crates/sinew/tests/common/c.rs", "");
        let found = check(&[manifest, a, b, helper]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "crates/sinew/tests/b.rs");
    }

    #[test]
    fn a_module_of_tests_that_nobody_names_is_found() {
        let manifest = made_up(DOUBLE, "path = \"../sinew/tests/engine/main.rs\"\n");
        let main = made_up("crates/sinew/tests/engine/main.rs", "mod walk;\n");
        let walk = made_up("crates/sinew/tests/engine/walk.rs", "mod part;");
        let part = made_up("crates/sinew/tests/engine/walk/part.rs", "");
        let lost = made_up("crates/sinew/tests/engine/reach.rs", "");
        let found = check(&[manifest, main, walk, part, lost]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "crates/sinew/tests/engine/reach.rs");
    }
}
