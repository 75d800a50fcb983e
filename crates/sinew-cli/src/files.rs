//! Files that commands write: checked before the work starts, and written whole or not at all.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use sinew_draw::Drawing;
use sinew_io::{Asset, Format, WriteOptions, can_replace, replace_file, write_file};

use crate::describe::printable;
use crate::failure::usage;
use crate::output::{Output, note};
use crate::progress::Progress;

/// What a command can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A skeleton and what it holds, in any format that can be written.
    Asset,
    /// A motion: not in a rig file, which holds none.
    Motion,
    /// A picture.
    Picture,
    /// A document for programs.
    Json,
    /// A table.
    Csv,
}

impl Kind {
    fn is_of(self, path: &Path) -> bool {
        let ends = |ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
        match self {
            Self::Asset => Format::from_name(&path.to_string_lossy()).is_some_and(Format::is_written),
            Self::Motion => Self::Asset.is_of(path) && !is_rig(path),
            Self::Picture => ends("png") || ends("svg"),
            Self::Json => ends("json"),
            Self::Csv => ends("csv"),
        }
    }

    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Asset => &[".bvh", ".glb", ".gltf", ".vrm", ".vrma", ".rig"],
            Self::Motion => &[".bvh", ".glb", ".gltf", ".vrm", ".vrma"],
            Self::Picture => &[".png", ".svg"],
            Self::Json => &[".json"],
            Self::Csv => &[".csv"],
        }
    }
}

fn is_rig(path: &Path) -> bool {
    Format::from_name(&path.to_string_lossy()) == Some(Format::Rig)
}

/// Fails if this file could not be written, so that nobody waits for work that is lost: its ending must
/// be of one of the kinds, its folder must take new files, and none of the inputs may be the same file,
/// whatever it is called there, unless `--replace-input` says so. Inputs that are no files are passed over.
pub fn check<'a>(
    output: &Output,
    path: &Path,
    kinds: &[Kind],
    inputs: impl IntoIterator<Item = &'a str>,
) -> Result<()> {
    let shown = path.display();
    if !kinds.iter().any(|kind| kind.is_of(path)) {
        let endings: Vec<&str> = kinds.iter().flat_map(|kind| kind.endings()).copied().collect();
        let (last, others) = endings.split_last().unwrap_or((&"", &[]));
        let known = if others.is_empty() { String::new() } else { format!("{} or ", others.join(", ")) };
        let why = match Format::from_name(&path.to_string_lossy()) {
            Some(format) if !format.is_written() => format!("{format} can only be read"),
            Some(Format::Rig) if kinds.contains(&Kind::Motion) => "a rig file holds no motion".to_string(),
            _ => "the ending names no format that can be written here".to_string(),
        };
        return Err(usage(format!("{shown}: {why}; expected {known}{last}")));
    }
    if !output.replaces_inputs {
        for input in inputs {
            if same_file::is_same_file(input, path).unwrap_or(false) {
                return Err(anyhow!(
                    "{input}: the output would replace the file that is read; give it another name, or \
                     --replace-input"
                ));
            }
        }
    }
    can_replace(path).with_context(|| format!("cannot write {shown}"))
}

/// The file that an argument such as `mesh:FILE.obj:0,1,0` or `map:FILE.png,2` names.
pub fn named_in(argument: &str) -> &str {
    let Some(rest) = argument.strip_prefix("mesh:").or_else(|| argument.strip_prefix("map:")) else {
        return argument;
    };
    // What follows the name is an offset or a height; a name may hold commas and colons itself.
    let numbers = |text: &str| text.split(',').all(|word| word.trim().parse::<f64>().is_ok());
    let cut = |mark: char| rest.rsplit_once(mark).filter(|(_, end)| numbers(end)).map(|(file, _)| file);
    cut(':').or_else(|| cut(',')).unwrap_or(rest)
}

/// Writes bytes.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    replace_file(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a document.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<()> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    write(path, &bytes)
}

/// Writes a picture as its ending says; `width` is in pixels, for PNG.
pub fn write_picture(path: &Path, drawing: &Drawing, width: u32) -> Result<()> {
    write(path, &drawing.encode(path, width)?)
}

/// Writes a skeleton with what it does, and notes what the format could not hold.
pub fn write_asset(path: &Path, asset: &Asset, options: &WriteOptions) -> Result<()> {
    let shown = printable(&path.display().to_string());
    let _progress = Progress::after_a_second(format!("writing {shown}"));
    for words in write_file(path, asset, options)? {
        note(&format!("{shown}: {words}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_arguments_that_say_more() {
        for (argument, file) in [
            ("walk.bvh", "walk.bvh"),
            ("mesh:hill.obj", "hill.obj"),
            ("mesh:c:/a,b.obj:0,-1.5,2", "c:/a,b.obj"),
            ("map:a,b.png,0.5", "a,b.png"),
            ("map:a.png", "a.png"),
            ("hills:3,0.2", "hills:3,0.2"),
        ] {
            assert_eq!(named_in(argument), file);
        }
    }
}
