//! Puts the built page into the release binary.
//!
//! The list of its files is written as Rust source that includes their bytes.
//! In a debug build, and where the page was not built, the list is empty: a
//! debug server reads `web/dist` when it is asked.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let manifest = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let page = manifest.join("../../web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // Cargo takes a file that is missing for one that changed, every time.
        let watched = if page.exists() { page.clone() } else { manifest.join("../../web") };
        println!("cargo::rerun-if-changed={}", watched.display());
        collect(&page, "", &mut files);
    }
    files.sort();
    let mut source = String::from("&[\n");
    for (name, path) in files {
        // Writing to a string cannot fail.
        let _ = writeln!(source, "    ({name:?}, include_bytes!({path:?}) as &[u8]),");
    }
    source.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("page.rs");
    if std::fs::read_to_string(&out).is_ok_and(|old| old == source) {
        return;
    }
    if let Err(error) = std::fs::write(&out, source) {
        println!("cargo::error=cannot write the list of the page's files: {error}");
    }
}

/// The files below a folder, by their names on the server.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(name) = entry.file_name().into_string() else { continue };
        if path.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), files);
        } else if !name.ends_with(".map") {
            files.push((format!("{prefix}{name}"), path.display().to_string()));
        }
    }
}
