//! `cargo xtask tidy`: the rules of the tree that no compiler checks.
//!
//! A rule looks at all text files and says what is wrong as `file:line: what`.
//! Each is tested on small made-up files beside it.

mod dependencies;
mod engine;
mod layers;
mod leftovers;
mod markdown;
mod npm_lock;
mod packages;
mod source;

use anyhow::{Result, bail};

use crate::tree::{self, TextFile};

/// What is wrong, and where.
#[derive(Debug, PartialEq)]
pub struct Finding {
    /// The file, from the root.
    pub path: String,
    /// The line, from one; zero for the file as a whole.
    pub line: usize,
    /// What is wrong and what to do about it.
    pub what: String,
}

impl Finding {
    fn new(file: &TextFile, line: usize, what: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, what: what.into() }
    }
}

/// Applies every rule; an error if one is broken.
pub fn run() -> Result<()> {
    let files = tree::text_files()?;
    let mut findings = Vec::new();
    findings.extend(engine::check(&files));
    findings.extend(leftovers::check(&files));
    findings.extend(markdown::check(&files));
    findings.extend(layers::check(&files)?);
    findings.extend(packages::check(&files));
    findings.extend(npm_lock::check(&files)?);
    for Finding { path, line, what } in &findings {
        println!("{path}:{line}: {what}");
    }
    if !findings.is_empty() {
        bail!("{} findings", findings.len());
    }
    println!("tidy: {} files, nothing to say", files.len());
    Ok(())
}

#[cfg(test)]
fn made_up(path: &str, text: &str) -> TextFile {
    TextFile { path: path.into(), text: text.into() }
}
