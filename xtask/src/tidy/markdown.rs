//! Links in the Markdown files: the file exists, the heading exists. Addresses
//! of the web are left alone, so that the check needs no network.
//!
//! Besides, a path of the tree in `code` must exist, and the map of the tree
//! must link to every top-level module of the engine and of the readers, so
//! that prose neither outlives what it describes nor falls behind it.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{BrokenLink, Event, Options, Parser, Tag, TagEnd};

use super::Finding;
use crate::tree::{self, TextFile};

/// In code, a path that begins like this is one of the tree.
const TREE: &[&str] = &["crates/", "docs/", "xtask/", "fuzz/", ".ci/", "web/"];

pub fn check(files: &[TextFile]) -> Vec<Finding> {
    check_in(files, &|path| tree::root().join(path).exists())
}

fn check_in(files: &[TextFile], exists: &dyn Fn(&Path) -> bool) -> Vec<Finding> {
    let pages: Vec<(&TextFile, Page)> =
        files.iter().filter(|f| f.is("md")).map(|f| (f, Page::read(&f.text))).collect();
    let anchors: HashMap<&str, &[String]> =
        pages.iter().map(|(f, p)| (f.path.as_str(), p.anchors.as_slice())).collect();
    let mut findings = Vec::new();
    for (file, page) in &pages {
        for (line, label) in &page.undefined {
            findings.push(Finding::new(file, *line, format!("link [{label}] is defined nowhere")));
        }
        for (line, address) in &page.links {
            if let Some(what) = wrong_with(file, address, &anchors, exists) {
                findings.push(Finding::new(file, *line, format!("link '{address}': {what}")));
            }
        }
        for (line, code) in &page.codes {
            let is_path =
                TREE.iter().any(|t| code.starts_with(t)) && !code.contains([' ', '*', '<', '{', '$', '…']);
            if is_path && !exists(Path::new(code.trim_end_matches('/'))) {
                findings.push(Finding::new(file, *line, format!("`{code}` does not exist")));
            }
        }
    }
    findings.extend(check_map(files, &pages));
    findings
}

/// The page that maps the tree, and the folders whose files it must link to.
const MAP: &str = "ARCHITECTURE.md";
const MAPPED: &[&str] = &["crates/sinew/src/", "crates/sinew/src/solver/", "crates/sinew-io/src/"];

fn check_map(files: &[TextFile], pages: &[(&TextFile, Page)]) -> Vec<Finding> {
    let Some((map, page)) = pages.iter().find(|(f, _)| f.path == MAP) else { return Vec::new() };
    files
        .iter()
        .filter(|f| f.is("rs") && !f.path.ends_with("/lib.rs"))
        .filter(|f| MAPPED.iter().any(|m| f.path.strip_prefix(m).is_some_and(|name| !name.contains('/'))))
        .filter(|f| !page.links.iter().any(|(_, address)| *address == f.path))
        .map(|f| Finding::new(map, 0, format!("does not link to {}", f.path)))
        .collect()
}

fn wrong_with(
    file: &TextFile,
    address: &str,
    anchors: &HashMap<&str, &[String]>,
    exists: &dyn Fn(&Path) -> bool,
) -> Option<String> {
    if ["http://", "https://", "mailto:"].iter().any(|p| address.starts_with(p)) {
        return None;
    }
    let (path, anchor) = match address.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (address, None),
    };
    let target = if path.is_empty() {
        file.path.clone()
    } else {
        let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
        let Some(target) = normal(&folder.join(path)) else {
            return Some("leads out of the project".into());
        };
        if !exists(&target) {
            return Some(format!("there is no {}", target.display()));
        }
        target.to_string_lossy().replace('\\', "/")
    };
    let anchor = anchor?;
    let known = anchors.get(target.as_str())?;
    (!known.iter().any(|a| a == anchor)).then(|| format!("{target} has no heading '#{anchor}'"))
}

/// The path without `.` and `..`, or `None` if it leaves the tree.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => out.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(out)
}

#[derive(Default)]
struct Page {
    links: Vec<(usize, String)>,
    codes: Vec<(usize, String)>,
    undefined: Vec<(usize, String)>,
    anchors: Vec<String>,
}

impl Page {
    fn read(text: &str) -> Self {
        let mut page = Self::default();
        let mut undefined = Vec::new();
        let line_of = |at: usize| text[..at].matches('\n').count() + 1;
        let mut note_undefined = |link: BrokenLink<'_>| {
            // `[x]` alone is also what a check box or an index looks like.
            if matches!(link.link_type, pulldown_cmark::LinkType::Reference) {
                undefined.push((line_of(link.span.start), link.reference.to_string()));
            }
            None
        };
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_TASKLISTS;
        let parser = Parser::new_with_broken_link_callback(text, options, Some(&mut note_undefined));
        let mut heading: Option<String> = None;
        for (event, range) in parser.into_offset_iter() {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push((line_of(range.start), dest_url.to_string()));
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    page.links.extend(attributes(&html).map(|a| (line_of(range.start), a)));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    if let Some(text) = heading.take() {
                        page.add_anchor(&text);
                    }
                }
                Event::Code(code) => {
                    if let Some(text) = &mut heading {
                        text.push_str(&code);
                    }
                    page.codes.push((line_of(range.start), code.to_string()));
                }
                Event::Text(part) => {
                    if let Some(text) = &mut heading {
                        text.push_str(&part);
                    }
                }
                _ => {}
            }
        }
        page.undefined = undefined;
        page
    }

    /// Anchors as the usual hosts make them: lower case, words joined by
    /// dashes, punctuation gone, repeated ones numbered.
    fn add_anchor(&mut self, heading: &str) {
        let slug: String = heading
            .trim()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
            .flat_map(char::to_lowercase)
            .map(|c| if c == ' ' { '-' } else { c })
            .collect();
        let same = self.anchors.iter().filter(|a| **a == slug).count();
        self.anchors.push(slug.clone());
        if same > 0 {
            self.anchors.push(format!("{slug}-{same}"));
        }
    }
}

/// What `src` and `href` say in a piece of HTML.
fn attributes(html: &str) -> impl Iterator<Item = String> + '_ {
    ["src=\"", "href=\""].into_iter().flat_map(move |name| {
        html.match_indices(name).filter_map(move |(at, _)| {
            let rest = &html[at + name.len()..];
            Some(rest[..rest.find('"')?].to_owned())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::made_up;
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let there = ["a.md", "docs/b.md", "docs/picture.png", "crates/x.rs"];
        let files =
            [made_up("a.md", text), made_up("docs/b.md", "# One two\n## Vec3's `Real`: x\n# One two\n")];
        check_in(&files, &|p| there.iter().any(|t| Path::new(t) == p))
            .into_iter()
            .map(|f| format!("{}: {}", f.line, f.what))
            .collect()
    }

    #[test]
    fn good_links_pass() {
        let text = "[a](docs/b.md) [b](docs/b.md#one-two) [c](docs/b.md#vec3s-real-x) [d](docs/b.md#one-two-1)\n\
                    ![p](docs/picture.png) <img src=\"docs/picture.png\"> [w](https://example.org/x)\n\n\
                    [e][f] and `crates/x.rs`, [self](#top)\n\n[f]: docs/../a.md\n\n# Top\n```\n[no](nothing.md)\n```\n";
        assert_eq!(found(text), Vec::<String>::new());
    }

    #[test]
    fn a_module_that_the_map_leaves_out_is_found() {
        let module = || made_up("crates/sinew/src/pose.rs", "");
        let deeper = || made_up("crates/sinew/src/pose/blend.rs", "");
        let full = made_up(MAP, "[pose](crates/sinew/src/pose.rs)");
        assert_eq!(check_in(&[full, module(), deeper()], &|_| true), []);
        assert_eq!(check_in(&[made_up(MAP, "nothing"), module(), deeper()], &|_| true).len(), 1);
    }

    #[test]
    fn bad_links_are_found() {
        assert_eq!(found("x\n[a](docs/c.md)").len(), 1);
        assert!(found("x\n[a](docs/c.md)")[0].starts_with("2: "));
        assert_eq!(found("[a](docs/b.md#three)").len(), 1);
        assert_eq!(found("[a](#nowhere)").len(), 1);
        assert_eq!(found("[a](../out.md)").len(), 1);
        assert_eq!(found("[a](/docs/b.md)").len(), 1);
        assert_eq!(found("[a][b]").len(), 1);
        assert_eq!(found("<img src=\"none.png\">").len(), 1);
        assert_eq!(found("see `crates/y.rs`").len(), 1);
    }
}
