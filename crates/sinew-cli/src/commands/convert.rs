//! `sinew convert`: from one format to another.

use std::path::Path;

use anyhow::{Result, anyhow};
use sinew_io::{Format, WriteOptions, write_file};

use crate::arguments::ConvertArguments;
use crate::describe;
use crate::failure::usage;
use crate::output::{NAME, Output, note, say};
use crate::progress::Progress;
use crate::resolve::{Input, Origin};

pub fn run(arguments: &ConvertArguments, output: &mut Output) -> Result<()> {
    let format = output_format(&arguments.output)?;
    let mut options = WriteOptions::default();
    if let Some(unit) = arguments.unit {
        if !(unit.is_finite() && unit > 0.0) {
            return Err(usage(format!("--unit {unit}: expected a number of metres above zero")));
        }
        if format != Format::Bvh {
            return Err(usage(format!(
                "--unit is for BVH, which says nothing of its units; {format} is in metres"
            )));
        }
        options.bvh.unit = Some(unit);
    }
    let mut input = Input::open(&arguments.input, &arguments.read)?;
    if let Origin::File(file) = &input.origin
        && is_same_file(Path::new(file), &arguments.output)
    {
        return Err(anyhow!("{file}: the output would replace the file that is read; give it another name"));
    }
    if let Some(wanted) = &arguments.motion {
        let chosen = input.motion(wanted)?;
        let motion = input.asset.motions.swap_remove(chosen);
        input.asset.motions = vec![motion];
    }
    for words in &input.asset.notes {
        note(&format!("{}: {words}", input.origin.name()));
    }
    let target = arguments.output.display().to_string();
    let lost = {
        let _progress = Progress::after_a_second(format!("writing {target}"));
        write_file(&arguments.output, &input.asset, &options)?
    };
    for words in &lost {
        note(&format!("{target}: {words}"));
    }
    say!(output, "{NAME}{}{NAME:#}: {}", describe::printable(&target), contents(&input))
}

fn contents(input: &Input) -> String {
    let asset = &input.asset;
    let many = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let mut parts = vec![many(asset.skeleton.len(), "joint")];
    if !asset.motions.is_empty() {
        let frames = asset.motions.iter().map(|m| m.frames.len()).sum();
        parts.push(format!("{} of {}", many(asset.motions.len(), "motion"), many(frames, "frame")));
    }
    parts.join(", ")
}

/// The format that the output's ending says, before anything is read.
fn output_format(path: &Path) -> Result<Format> {
    let shown = path.display();
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
    if matches!(ending.as_str(), "png" | "svg") {
        return Err(usage(format!("{shown}: pictures are drawn by 'sinew show … -o {shown}'")));
    }
    Format::from_name(&path.to_string_lossy()).ok_or_else(|| {
        usage(format!("{shown}: the ending names no format; expected .bvh, .glb, .gltf, .vrm, .vrma or .rig"))
    })
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
