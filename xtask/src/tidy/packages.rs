//! What every crate in `crates/` needs to be published: licences, a front page with an example,
//! and settings for docs.rs.

use std::collections::BTreeSet;

use super::Finding;
use crate::tree::TextFile;

/// Manifest lines without which a package is hard to find or to read about.
const MANIFEST: &[&str] = &[
    "description = ",
    "version.workspace = true",
    "rust-version.workspace = true",
    "license.workspace = true",
    "repository.workspace = true",
    "categories.workspace = true",
    "keywords.workspace = true",
    "[package.metadata.docs.rs]",
];
/// Links to the root's, which `cargo package` follows.
const LICENCES: &[&str] = &["LICENSE-APACHE", "LICENSE-MIT"];
const FRONT: &str = "#![doc = include_str!(\"../README.md\")]";

pub fn check(files: &[TextFile]) -> Vec<Finding> {
    let find = |path: &str| files.iter().find(|f| f.path == path);
    let folders: BTreeSet<&str> =
        files.iter().filter_map(|f| f.path.strip_prefix("crates/")?.split('/').next()).collect();
    let mut findings = Vec::new();
    for name in folders {
        let Some(manifest) = find(&format!("crates/{name}/Cargo.toml")) else { continue };
        let mut say = |what: String| findings.push(Finding::new(manifest, 0, what));
        for line in MANIFEST.iter().filter(|line| !manifest.text.contains(**line)) {
            say(format!("does not say {line}"));
        }
        for licence in LICENCES.iter().filter(|l| find(&format!("crates/{name}/{l}")).is_none()) {
            say(format!("has no {licence} beside it; make a link to the root's"));
        }
        match find(&format!("crates/{name}/README.md")) {
            None => say("has no README.md beside it".into()),
            Some(readme) if !readme.text.contains("```rust") && !readme.text.contains("```sh") => {
                say("has a README.md without an example".into());
            }
            Some(_) => {}
        }
        if find(&format!("crates/{name}/src/lib.rs")).is_some_and(|root| !root.text.starts_with(FRONT)) {
            say(format!("has a library whose docs do not begin with the README: {FRONT}"));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    fn package() -> Vec<TextFile> {
        vec![
            made_up("crates/a/Cargo.toml", &MANIFEST.join("\n")),
            made_up("crates/a/LICENSE-APACHE", ""),
            made_up("crates/a/LICENSE-MIT", ""),
            made_up("crates/a/README.md", "# a\n```rust\n```"),
            made_up("crates/a/src/lib.rs", FRONT),
        ]
    }

    #[test]
    fn a_whole_package_passes_and_whatever_it_lacks_is_found() {
        assert_eq!(check(&package()), []);
        for lacking in 1..4 {
            let mut files = package();
            files.remove(lacking);
            assert_eq!(check(&files).len(), 1, "{lacking}");
        }
        let changed = [
            made_up("crates/a/Cargo.toml", &MANIFEST[1..].join("\n")),
            made_up("crates/a/README.md", "# a"),
            made_up("crates/a/src/lib.rs", "//! Docs of another kind."),
        ];
        for other in changed {
            let mut files = package();
            files.retain(|f| f.path != other.path);
            files.push(other);
            assert_eq!(check(&files).len(), 1);
        }
    }
}
