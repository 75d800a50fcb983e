//! The files of the project.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::command;

/// The root of the tree this program was built from.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// One text file of the project.
pub struct TextFile {
    /// The path from the root, with forward slashes.
    pub path: String,
    /// What is in it.
    pub text: String,
}

impl TextFile {
    /// Whether the path ends like this.
    pub fn is(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|e| e == extension)
    }
}

/// Every text file that is, or with the next commit may be, part of the project.
pub fn text_files() -> Result<Vec<TextFile>> {
    let mut files = Vec::new();
    for path in paths()? {
        let full = root().join(&path);
        if !full.is_file() {
            continue; // deleted and not yet committed, or a link to a folder
        }
        let bytes = std::fs::read(&full).with_context(|| format!("cannot read {path}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(TextFile { path, text });
        }
    }
    Ok(files)
}

fn paths() -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).current_dir(root());
    let mut paths: Vec<String> = if root().join(".git").exists() {
        command::output(&mut git)?.split('\0').filter(|p| !p.is_empty()).map(str::to_owned).collect()
    } else {
        let mut found = Vec::new();
        walk(root(), &mut found)?;
        found
    };
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// The same list for a tree without git, such as an unpacked archive.
fn walk(folder: &Path, found: &mut Vec<String>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let hidden_or_built = name.to_str().is_none_or(|n| {
            n == "target" || n == "node_modules" || (n.starts_with('.') && n != ".ci" && n != ".cargo")
        });
        if hidden_or_built {
            continue;
        }
        let path: PathBuf = entry.path();
        if entry.file_type()?.is_dir() {
            walk(&path, found)?;
        } else if let Ok(short) = path.strip_prefix(root()) {
            found.push(short.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}
