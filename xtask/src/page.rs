//! `cargo xtask page`: the built page that travels with the studio.
//!
//! The page is part of the repository and of `sinew-studio`'s package, so that nobody needs
//! Node.js who does not change it. `record.txt` beside it holds a hash of the sources in `web/`
//! and one of the page: without Node.js a check sees that neither changed alone, and with
//! Node.js the page is built again and compared. What is compared is the content and not the
//! compressed bytes, which another version of the compressor may choose otherwise.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::{npm, tree};

/// Files by their names on the server.
type Files = BTreeMap<String, Vec<u8>>;

const RECORD: &str = "record.txt";

/// What the page is made from, in `web/`; tests of it are left out.
const SOURCES: &[&str] = &[
    "index.html",
    "notices",
    "notices.ts",
    "package.json",
    "package-lock.json",
    "public",
    "src",
    "tsconfig.json",
    "vite.config.ts",
];

/// How to make the page.
#[derive(clap::Args)]
pub struct Options {
    /// Write nothing; fail unless the page of the repository is the one that the sources give
    #[arg(long)]
    check: bool,
}

/// Builds the page with Node.js and stores it, or checks that it is stored.
pub fn run(options: &Options) -> Result<()> {
    if !options.check {
        return store(&build()?);
    }
    check_record()?;
    check_built()
}

fn folder() -> PathBuf {
    tree::root().join("crates/sinew-studio/page")
}

/// Builds the page in `web/dist`.
fn build() -> Result<Files> {
    npm::install()?;
    npm::run(&["run", "build"])?;
    let mut files = Files::new();
    collect(&npm::folder().join("dist"), "", &mut files)?;
    Ok(files)
}

/// Replaces what is stored.
fn store(built: &Files) -> Result<()> {
    let folder = folder();
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    let mut bytes = 0;
    for (name, content) in built {
        let path = folder.join(format!("{name}.gz"));
        std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(content)?;
        let packed = encoder.finish()?;
        bytes += packed.len();
        std::fs::write(&path, packed).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let record = record(&sources()?, built);
    std::fs::write(folder.join(RECORD), record)?;
    println!("The page: {} files, {} kB compressed", built.len(), bytes / 1000);
    Ok(())
}

/// Fails if the stored page was made from other sources, or changed by hand.
pub fn check_record() -> Result<()> {
    let there = std::fs::read_to_string(folder().join(RECORD))
        .context("the built page is missing; `cargo xtask page` makes it")?;
    let wanted = record(&sources()?, &stored()?);
    let (there, wanted) = (lines(&there), lines(&wanted));
    if there.get("sources") != wanted.get("sources") {
        bail!("web/ has changed since the built page was made; `cargo xtask page` makes it again");
    }
    if there.get("page") != wanted.get("page") {
        bail!("the built page is not the one that was recorded; `cargo xtask page` makes it again");
    }
    Ok(())
}

/// Builds the page and fails if another one is stored.
pub fn check_built() -> Result<()> {
    let (built, stored) = (build()?, stored()?);
    let names: std::collections::BTreeSet<&String> = built.keys().chain(stored.keys()).collect();
    let other: Vec<&str> =
        names.into_iter().filter(|n| built.get(*n) != stored.get(*n)).map(String::as_str).collect();
    if !other.is_empty() {
        bail!(
            "the sources give another page than the one that is stored ({}); `cargo xtask page` stores it",
            other.join(", ")
        );
    }
    println!("The stored page is the one that the sources give.");
    Ok(())
}

fn stored() -> Result<Files> {
    let mut packed = Files::new();
    collect(&folder(), "", &mut packed)?;
    let mut files = Files::new();
    for (name, bytes) in packed {
        let Some(name) = name.strip_suffix(".gz") else { continue };
        let mut content = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice())
            .read_to_end(&mut content)
            .with_context(|| format!("{name}.gz of the built page is broken"))?;
        files.insert(name.to_owned(), content);
    }
    Ok(files)
}

fn sources() -> Result<Files> {
    let mut files = Files::new();
    for name in SOURCES {
        let path = npm::folder().join(name);
        if path.is_dir() {
            collect(&path, &format!("{name}/"), &mut files)?;
        } else {
            let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            files.insert((*name).to_owned(), bytes);
        }
    }
    files.retain(|name, _| !name.ends_with(".test.ts") && !name.ends_with(".test.tsx"));
    Ok(files)
}

fn record(sources: &Files, page: &Files) -> String {
    format!(
        "Made by `cargo xtask page`; hashes of web/ and of the page that it gave.\nsources {}\npage {}\n",
        hash(sources),
        hash(page)
    )
}

fn lines(record: &str) -> BTreeMap<&str, &str> {
    record.lines().filter_map(|line| line.split_once(' ')).collect()
}

/// A hash over names and contents. Line ends do not count: a checkout may change them.
fn hash(files: &Files) -> String {
    let mut hasher = Sha256::new();
    for (name, content) in files {
        let content: Vec<u8> = match std::str::from_utf8(content) {
            Ok(text) => text.replace("\r\n", "\n").into_bytes(),
            Err(_) => content.clone(),
        };
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name);
        hasher.update((content.len() as u64).to_le_bytes());
        hasher.update(content);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn collect(folder: &Path, prefix: &str, files: &mut Files) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.insert(name, std::fs::read(entry.path())?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[(&str, &str)]) -> Files {
        list.iter().map(|(name, text)| ((*name).into(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn the_hash_sees_names_and_contents_but_not_line_ends() {
        let one = hash(&files(&[("a", "x\ny"), ("b", "")]));
        assert_eq!(one, hash(&files(&[("b", ""), ("a", "x\r\ny")])));
        for other in [[("a", "x\nz"), ("b", "")], [("a", "x\ny"), ("c", "")], [("a", "x\n"), ("yb", "")]] {
            assert_ne!(one, hash(&files(&other)));
        }
    }

    #[test]
    fn the_record_is_read_as_it_is_written() {
        let text = record(&files(&[("a", "1")]), &files(&[("b", "2")]));
        let read = lines(&text);
        assert_eq!(read.get("sources"), Some(&hash(&files(&[("a", "1")])).as_str()));
        assert_eq!(read.get("page"), Some(&hash(&files(&[("b", "2")])).as_str()));
    }
}
