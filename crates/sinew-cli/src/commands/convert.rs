//! `sinew convert`: from one format to another.

use std::path::Path;

use anyhow::Result;
use sinew_io::{Format, WriteOptions};

use crate::arguments::ConvertArguments;
use crate::describe;
use crate::failure::usage;
use crate::files::{self, Kind};
use crate::output::{NAME, Output, note, say};
use crate::resolve::Input;

pub fn run(arguments: &ConvertArguments, output: &mut Output) -> Result<()> {
    no_picture(&arguments.output)?;
    files::check(output, &arguments.output, &[Kind::Asset], [arguments.input.as_str()])?;
    let mut options = WriteOptions::default();
    if let Some(unit) = arguments.unit {
        if !(unit.is_finite() && unit > 0.0) {
            return Err(usage(format!("--unit {unit}: expected a number of metres above zero")));
        }
        if Format::from_name(&arguments.output.to_string_lossy()) != Some(Format::Bvh) {
            return Err(usage(
                "--unit is for BVH, which says nothing of its units; the others are in metres",
            ));
        }
        options.bvh.unit = Some(unit);
    }
    let mut input = Input::open(&arguments.input, &arguments.read)?;
    if let Some(wanted) = &arguments.motion {
        let chosen = input.motion(wanted)?;
        let motion = input.asset.motions.swap_remove(chosen);
        input.asset.motions = vec![motion];
    }
    for words in &input.asset.notes {
        note(&format!("{}: {words}", input.origin.name()));
    }
    let target = arguments.output.display().to_string();
    files::write_asset(&arguments.output, &input.asset, &options)?;
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

/// Whoever wants a picture is told who draws it.
fn no_picture(path: &Path) -> Result<()> {
    let shown = path.display();
    match path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png") || e.eq_ignore_ascii_case("svg")) {
        true => Err(usage(format!("{shown}: pictures are drawn by 'sinew show … -o {shown}'"))),
        false => Ok(()),
    }
}
