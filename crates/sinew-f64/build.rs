//! Makes the engine in double precision out of the sources of `sinew`.
//!
//! The sources are those of `crates/sinew`, or, in the published package, the copy in `engine/`:
//! in the repository that is a symbolic link, which `cargo package` follows, and which nothing
//! here needs, so that a checkout on a system without links builds all the same. They are copied
//! to where Cargo puts what is generated, because `include!` looks for modules beside the file
//! that it includes.
//!
//! The precision is a cfg and not a Cargo feature, because features of one crate are united
//! across a build and the precision must not be. See `math.rs`.

use std::path::{Path, PathBuf};
use std::{fs, io};

fn main() {
    println!("cargo::rustc-cfg=sinew_f64");
    println!("cargo::rerun-if-changed=build.rs");
    let manifest = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default()).join("engine");
    let folders = [manifest.join("../sinew/src"), manifest.join("engine")];
    let Some(sources) = folders.iter().find(|folder| folder.join("lib.rs").is_file()) else {
        println!(
            "cargo::error=the sources of the engine are missing: neither ../sinew/src nor engine/ is there"
        );
        return;
    };
    println!("cargo::rerun-if-changed={}", sources.display());
    let mut made = replace(sources, &out.join("src"), true);
    // The tests of private parts; a published package has none.
    let tests = manifest.join("../sinew/tests/unit");
    if tests.is_dir() {
        println!("cargo::rerun-if-changed={}", tests.display());
        made = made.and_then(|()| replace(&tests, &out.join("tests/unit"), false));
    }
    if let Err(error) = made {
        println!("cargo::error=cannot copy the engine to {}: {error}", out.display());
    }
}

/// A copy of a folder in which nothing stays that was deleted or renamed.
fn replace(from: &Path, to: &Path, top: bool) -> io::Result<()> {
    match fs::remove_dir_all(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => copy(from, to, top),
    }
}

fn copy(from: &Path, to: &Path, top: bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy(&source, &target, false)?;
        } else if source.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&source)?;
            fs::write(target, in_double(&text, top && entry.file_name() == "lib.rs"))?;
        } else {
            fs::copy(source, target)?;
        }
    }
    Ok(())
}

/// The source as it is, but that examples in the docs name this crate. The root file loses its docs
/// and attributes of the crate, which `src/lib.rs` has: they cannot be included.
fn in_double(text: &str, root: bool) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.lines() {
        let start = line.trim_start();
        let about_the_file = start.starts_with("//!") || start.starts_with("#![");
        if !(root && about_the_file) {
            let doc = about_the_file || start.starts_with("///");
            result += &if doc { line.replace("sinew::", "sinew_f64::") } else { line.to_owned() };
        }
        // An empty line for one that is left out, so that places in errors are those of the source.
        result.push('\n');
    }
    result
}
