//! `sinew info`: what a rig or a file holds.

mod json;
mod tree;

use anyhow::Result;
use sinew_f64::skeleton::humanoid::{FoundBy, HumanoidMap};
use sinew_f64::{ModelPose, Skeleton, Vec3};
use sinew_io::Asset;

use crate::arguments::InfoArguments;
use crate::describe;
use crate::output::{FAINT, GOOD, NAME, NOTE, Output, TITLE, say};
use crate::resolve::{Input, Origin};

pub fn run(arguments: &InfoArguments, output: &mut Output) -> Result<()> {
    let input = Input::open(&arguments.input, &arguments.read)?;
    let map = input.humanoid();
    if arguments.json {
        return output.json(&json::Info::new(&input, &map));
    }
    head(&input, output)?;
    say!(output)?;
    say!(output, "{TITLE}joints{TITLE:#}")?;
    tree::write(&input.asset.skeleton, &map, output)?;
    human(&map, output)?;
    machine(&input.asset, output)?;
    motions(&input.asset, output)?;
    if !input.asset.notes.is_empty() {
        say!(output)?;
        say!(output, "{TITLE}notes{TITLE:#}")?;
        for note in &input.asset.notes {
            say!(output, "  {NOTE}·{NOTE:#} {}", describe::printable(&note.to_string()))?;
        }
    }
    Ok(())
}

/// Width, height and depth of the skeleton at rest, in metres.
fn size(skeleton: &Skeleton) -> Vec3 {
    let rest = ModelPose::rest(skeleton);
    let tips =
        skeleton.ids().filter_map(|id| Some(rest.transform(id).transform_point(skeleton.joint(id).tip()?)));
    let points = rest.positions().iter().copied().chain(tips);
    let (low, high) =
        points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)));
    high - low
}

fn head(input: &Input, output: &mut Output) -> Result<()> {
    let skeleton = &input.asset.skeleton;
    let count = skeleton.len();
    let joints = if count == 1 { "joint" } else { "joints" };
    let source = match (&input.origin, input.asset.source.format) {
        (Origin::Rig(_), _) => "embedded rig".to_string(),
        (Origin::File(_), Some(format)) => format!("{format} file"),
        (Origin::File(_), None) => "file".to_string(),
    };
    let name = describe::name(input.origin.name());
    say!(output, "{TITLE}{name}{TITLE:#}  {FAINT}{source}{FAINT:#}")?;
    let size = size(skeleton);
    let [x, y, z] = [size.x, size.y, size.z].map(describe::number);
    say!(
        output,
        "  '{}': {count} {joints}, {} degrees of freedom, {x} × {y} × {z} m (width, height, depth) at rest",
        describe::name(skeleton.name()),
        skeleton.degrees_of_freedom()
    )
}

fn human(map: &HumanoidMap, output: &mut Output) -> Result<()> {
    let found: Vec<_> = map.found().collect();
    let missing: Vec<String> = map.missing().map(|bone| bone.to_string()).collect();
    say!(output)?;
    say!(output, "{TITLE}human parts{TITLE:#}")?;
    if found.is_empty() {
        return say!(output, "  {FAINT}none{FAINT:#}");
    }
    let by = |wanted: FoundBy| found.iter().filter(|(_, _, by)| *by == wanted).count();
    let ways =
        [(FoundBy::Given, "given by the file"), (FoundBy::Name, "by name"), (FoundBy::Topology, "by shape")];
    let ways: Vec<String> = ways
        .into_iter()
        .filter(|(way, _)| by(*way) > 0)
        .map(|(way, words)| format!("{} {words}", by(way)))
        .collect();
    let ways = ways.join(", ");
    if missing.is_empty() {
        say!(output, "  {GOOD}all that a human needs{GOOD:#}: {} found, {ways}", found.len())?;
    } else {
        say!(output, "  {} found, {ways}", found.len())?;
        say!(output, "  {NOTE}missing{NOTE:#}: {}", missing.join(", "))?;
    }
    if let Some(facing) = map.facing() {
        let evidence = match facing.by {
            FoundBy::Feet => "as the feet say",
            FoundBy::Knees => "as knees or elbows say",
            FoundBy::Assumed => "assumed",
            FoundBy::Name | FoundBy::Given | FoundBy::Topology => "as left and right say",
        };
        let toward = nearest_axis(facing.forward);
        say!(output, "  faces {toward}, {evidence}; spine of {}", joints(map.spine().len()))?;
    }
    Ok(())
}

fn joints(count: usize) -> String {
    if count == 1 { "1 joint".into() } else { format!("{count} joints") }
}

/// The axis that a direction is nearest to.
fn nearest_axis(direction: Vec3) -> String {
    let size = direction.abs();
    let (letter, value) = if size.x >= size.y && size.x >= size.z {
        ("x", direction.x)
    } else if size.y >= size.z {
        ("y", direction.y)
    } else {
        ("z", direction.z)
    };
    format!("{}{letter}", if value < 0.0 { "−" } else { "+" })
}

/// What robots have besides.
fn machine(asset: &Asset, output: &mut Output) -> Result<()> {
    let many = |count: usize, one: &str, more: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        n => Some(format!("{n} {more}")),
    };
    let parts: Vec<String> = [
        many(asset.aliases.len(), "other name for a joint", "other names for joints"),
        many(asset.mimics.len(), "joint that follows another", "joints that follow others"),
        many(asset.drives.len(), "drive", "drives"),
        many(asset.masses.len(), "mass", "masses"),
        many(asset.goals.len(), "goal", "goals"),
        many(asset.postures.len(), "posture", "postures"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !parts.is_empty() {
        say!(output)?;
        say!(output, "{TITLE}besides{TITLE:#}")?;
        say!(output, "  {}", parts.join(", "))?;
        for (name, _) in &asset.goals {
            say!(output, "  goal {NAME}{}{NAME:#}", describe::name(name))?;
        }
        for (name, _) in &asset.postures {
            say!(output, "  posture {NAME}{}{NAME:#}", describe::name(name))?;
        }
    }
    Ok(())
}

fn motions(asset: &Asset, output: &mut Output) -> Result<()> {
    if asset.motions.is_empty() {
        return Ok(());
    }
    say!(output)?;
    say!(output, "{TITLE}motions{TITLE:#}")?;
    let named = |i: usize, name: &str| match name {
        "" => format!("{}", i + 1),
        name => format!("{} {}", i + 1, describe::name(name)),
    };
    let names: Vec<String> = asset.motions.iter().enumerate().map(|(i, m)| named(i, &m.name)).collect();
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).min(40);
    for (motion, name) in asset.motions.iter().zip(&names) {
        let rate =
            json::rate(motion).map_or("no rate".to_string(), |r| format!("{} a second", describe::number(r)));
        let frames = motion.frames.len();
        say!(
            output,
            "  {NAME}{name:width$}{NAME:#}  {frames} frame{}, {rate}, {} s",
            if frames == 1 { "" } else { "s" },
            describe::number(json::seconds(motion))
        )?;
    }
    Ok(())
}
