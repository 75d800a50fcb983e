//! `sinew plant`: the feet of a motion stand where they stand.

use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use sinew_f64::body::plant::{Contact, FootPart, FootPlanter, PlantOptions};
use sinew_f64::body::walk::Terrain;
use sinew_f64::math::rotation;
use sinew_f64::{JointId, Pose, Skeleton};
use sinew_io::WriteOptions;

use crate::arguments::PlantArguments;
use crate::commands::terrain;
use crate::describe;
use crate::failure::usage;
use crate::files::{self, Kind};
use crate::output::{FAINT, NAME, Output, note, say};
use crate::progress::Progress;
use crate::resolve::Input;

/// What `--json` writes.
#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    motion: &'a str,
    frames: usize,
    frame_time_s: f64,
    ground: Option<&'a str>,
    recorded_level_m: f64,
    contacts: Vec<ContactDocument<'a>>,
    worst_drift_m: f64,
    worst_depth_m: f64,
    hips_lowered_m: f64,
    joint_step_deg: f64,
    recorded_joint_step_deg: f64,
}

/// A part of a foot that stands; the last frame belongs to it.
#[derive(Serialize)]
struct ContactDocument<'a> {
    foot: &'a str,
    joint: &'a str,
    part: &'static str,
    first_frame: usize,
    last_frame: usize,
    place: [f64; 3],
    drift_m: f64,
}

pub fn run(arguments: &PlantArguments, output: &mut Output) -> Result<()> {
    let above = |value: f64, name: &str| match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(usage(format!("{name} {value}: expected a number above zero"))),
    };
    above(arguments.speed, "--speed")?;
    above(arguments.fade, "--fade")?;
    if !(0.0..=1.0).contains(&arguments.influence) {
        return Err(usage("--influence goes from 0 to 1"));
    }
    if arguments.level.is_some_and(|level| !level.is_finite()) {
        return Err(usage("--level: expected a height in metres"));
    }
    let inputs = [Some(arguments.input.as_str()), arguments.ground.as_deref().map(files::named_in)];
    files::check(output, &arguments.output, &[Kind::Motion], inputs.into_iter().flatten())?;
    let ground = arguments.ground.as_deref().map(|text| terrain::parse("--ground", text)).transpose()?;
    let mut input = Input::open(&arguments.input, &arguments.read)?;
    for words in &input.asset.notes {
        note(&format!("{}: {words}", input.origin.name()));
    }
    let chosen = match &arguments.motion {
        Some(wanted) => input.motion(wanted)?,
        None if input.asset.motions.is_empty() => {
            return Err(anyhow!("{} has no motion whose feet could be planted", arguments.input));
        }
        None => 0,
    };
    let options = PlantOptions {
        speed: arguments.speed,
        fade: arguments.fade,
        influence: arguments.influence,
        level: arguments.level,
        ..PlantOptions::default()
    };
    let map = input.humanoid();
    let skeleton = &input.asset.skeleton;
    let mut planter = FootPlanter::with_map(skeleton, &map, options)?;
    let motion = &mut input.asset.motions[chosen];
    let recorded = largest_step(skeleton, &motion.frames);
    let summary = {
        let _progress = Progress::after_a_second("planting feet");
        let terrain = ground.as_ref().map(|ground| ground as &dyn Terrain);
        planter.plant_clip(skeleton, terrain, motion.frame_time, &mut motion.frames)
    };
    let motion = &input.asset.motions[chosen];
    let step = largest_step(skeleton, &motion.frames);
    let feet: Vec<JointId> = planter.feet().collect();
    let name = |joint: JointId| skeleton.joint(joint).name();
    let told = |contact: &Contact| ContactDocument {
        foot: name(feet[contact.foot]),
        joint: name(contact.joint),
        part: match contact.part {
            FootPart::Heel => "heel",
            FootPart::Toe => "toe",
        },
        first_frame: contact.frames.start,
        last_frame: contact.frames.end.saturating_sub(1),
        place: contact.place.to_array(),
        drift_m: contact.drift,
    };
    let document = Document {
        schema: "sinew.plant/1",
        motion: &motion.name,
        frames: motion.frames.len(),
        frame_time_s: motion.frame_time,
        ground: arguments.ground.as_deref(),
        recorded_level_m: summary.level,
        contacts: summary.contacts.iter().map(told).collect(),
        worst_drift_m: summary.drift,
        worst_depth_m: summary.depth,
        hips_lowered_m: summary.lowered,
        joint_step_deg: step,
        recorded_joint_step_deg: recorded,
    };
    let target = describe::printable(&arguments.output.display().to_string());
    files::write_asset(&arguments.output, &input.asset, &WriteOptions::default()).context("the motion")?;
    if arguments.json {
        return output.json(&document);
    }
    say!(
        output,
        "{NAME}{target}{NAME:#}: {} frames, {} contacts, drift at most {:.2} mm",
        document.frames,
        document.contacts.len(),
        summary.drift * 1e3
    )?;
    say!(
        output,
        "  {FAINT}feet in the ground by at most{FAINT:#} {:.1} mm{FAINT}, largest step of a joint{FAINT:#} {step:.1}°{FAINT}, recorded{FAINT:#} {recorded:.1}°",
        summary.depth * 1e3
    )?;
    if document.contacts.is_empty() {
        say!(output, "  no foot stands still anywhere: --speed says what is slow enough")?;
    }
    Ok(())
}

/// The largest turn of a joint from one frame to the next, in degrees.
fn largest_step(skeleton: &Skeleton, frames: &[Pose]) -> f64 {
    let turn = |a: &Pose, b: &Pose, j: JointId| rotation::angle(a.rotation(j).conjugate() * b.rotation(j));
    let pair = |w: &[Pose]| skeleton.ids().map(|j| turn(&w[0], &w[1], j)).fold(0.0, f64::max);
    frames.windows(2).map(pair).fold(0.0, f64::max).to_degrees()
}
