//! Rules for every file: nothing unfinished, nothing of one machine, nothing overgrown.

use super::Finding;
use super::source::code_only;
use crate::tree::TextFile;

/// Past this a file holds more than one idea.
const MOST_LINES: usize = 700;

// Put together from pieces so that this file does not break its own rules.
const UNFINISHED: &[&str] = &[concat!("FIX", "ME"), concat!("TO", "DO"), concat!("XX", "X:")];
const UNFINISHED_CODE: &[&str] = &[concat!("to", "do!("), concat!("unimple", "mented!(")];
const MACHINES: &[&str] = &[
    concat!("/ho", "me/"),
    concat!("/Us", "ers/"),
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/"),
    concat!("C:", "\\Users"),
];

pub fn check(files: &[TextFile]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in files {
        let generated = file.path.ends_with("Cargo.lock") || file.path.ends_with("package-lock.json");
        if generated {
            continue;
        }
        for (i, line) in file.text.lines().enumerate() {
            for word in UNFINISHED {
                if line.contains(word) {
                    findings.push(Finding::new(
                        file,
                        i + 1,
                        format!("says {word}; finish it or write an issue"),
                    ));
                }
            }
            for path in MACHINES {
                // A path inside of another (an address, a folder of the tree) is none of a machine.
                let own =
                    |at: usize| line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}/".contains(c));
                if line.match_indices(path).any(|(at, _)| !own(at)) {
                    findings.push(Finding::new(file, i + 1, format!("names {path}, a path of one machine")));
                }
            }
        }
        if file.is("rs") {
            for (i, line) in code_only(&file.text).lines().enumerate() {
                for word in UNFINISHED_CODE {
                    if line.contains(word) {
                        findings.push(Finding::new(file, i + 1, format!("calls {word}); finish it")));
                    }
                }
            }
            let lines = file.text.lines().count();
            if lines > MOST_LINES {
                let what = format!("has {lines} lines, more than {MOST_LINES}; split it by idea");
                findings.push(Finding::new(file, 0, what));
            }
            if file.path.ends_with("/mod.rs") {
                findings.push(Finding::new(file, 0, "is a mod.rs; use foo.rs beside foo/"));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    #[test]
    fn leftovers_are_found() {
        let path = format!("\"{}me/x\"", MACHINES[0]);
        for text in [UNFINISHED[0], UNFINISHED_CODE[0], UNFINISHED_CODE[1], &path] {
            assert_eq!(check(&[made_up("a/b.rs", text)]).len(), 1, "{text}");
        }
        assert_eq!(check(&[made_up("a/mod.rs", "")]).len(), 1);
        assert_eq!(check(&[made_up("a.rs", &"\n".repeat(MOST_LINES + 1))]).len(), 1);
    }

    #[test]
    fn addresses_and_comments_about_macros_are_no_leftovers() {
        let text = "// see https://example.org/home/page, never calls it\nlet root = \"home/\";";
        assert_eq!(check(&[made_up("a/b.rs", text), made_up("a/b.md", &"\n".repeat(900))]), []);
    }
}
