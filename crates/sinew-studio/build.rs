//! Puts the built page into the program.
//!
//! The page is in `page/`, each file compressed by gzip, and made from `web/` by `cargo xtask
//! page`. Its list is written as Rust source that includes the bytes.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let page = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("page");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    collect(&page, "", &mut files);
    files.sort();
    if !files.iter().any(|(name, _)| name == "index.html") {
        println!("cargo::error=there is no page in {}; `cargo xtask page` makes it", page.display());
    }
    let mut source = String::from("&[\n");
    for (name, path) in files {
        // Writing to a string cannot fail.
        let _ = writeln!(source, "    ({name:?}, include_bytes!({path:?}) as &[u8]),");
    }
    source.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("page.rs");
    if let Err(error) = std::fs::write(&out, source) {
        println!("cargo::error=cannot write the list of the page's files: {error}");
    }
}

/// The compressed files below a folder, by their names on the server.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(name) = entry.file_name().into_string() else { continue };
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), files);
        } else if let Some(name) = name.strip_suffix(".gz") {
            files.push((format!("{prefix}{name}"), path.display().to_string()));
        }
    }
}
