//! Files to read: those of the project, and those of others.

#![allow(dead_code)] // each test uses what it needs
#![allow(clippy::panic, clippy::unwrap_used, clippy::expect_used)] // helpers of tests are tests too

use std::path::{Path, PathBuf};

/// The project's own small files, a folder for each format.
pub fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds")
}

/// Files of others, which are not part of the project; docs/data.md says which. Tests that want them are
/// ignored unless they are asked for.
pub fn data() -> PathBuf {
    std::env::var_os("SINEW_DATA").expect("SINEW_DATA names the folder of docs/data.md").into()
}

/// The files of a folder with one of these endings; there must be some.
pub fn ending(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| endings.iter().any(|ending| path.extension().is_some_and(|e| e == *ending)))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no {endings:?}", folder.display());
    files
}
