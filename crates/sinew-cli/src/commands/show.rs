//! `sinew show`: a picture of a skeleton, a frame or a motion.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use sinew_draw::{Figure, Scene, StripOptions, View, ViewsOptions};
use sinew_f64::skeleton::humanoid::{HumanoidBone, HumanoidMap};
use sinew_f64::{GoalSet, ModelPose, Pose};
use sinew_io::Motion;

use crate::arguments::{ShowArguments, Switch, ViewName};
use crate::describe;
use crate::failure::usage;
use crate::files::{self, Kind};
use crate::output::{NAME, Output, note, say};
use crate::progress::Progress;
use crate::resolve::Input;

pub fn run(arguments: &ShowArguments, output: &mut Output) -> Result<()> {
    let path = arguments.output.clone().unwrap_or_else(|| picture_of(&arguments.input));
    files::check(output, &path, &[Kind::Picture], [arguments.input.as_str()])?;
    if arguments.strip.is_some() && arguments.views.len() > 1 {
        return Err(usage("a strip is seen from one side; give --views one view"));
    }
    let input = Input::open(&arguments.input, &arguments.read)?;
    for words in &input.asset.notes {
        note(&format!("{}: {words}", input.origin.name()));
    }
    let file = path.display().to_string();
    let drawing = {
        let _progress = Progress::after_a_second(format!("drawing {file}"));
        let drawing = match arguments.strip {
            Some(count) => strip(&input, arguments, usize::from(count))?,
            None => views(&input, arguments)?,
        };
        files::write_picture(&path, &drawing, arguments.width)?;
        drawing
    };
    let (width, height) = drawing.size();
    let height = (f64::from(arguments.width) * height / width).round();
    let size = match is_svg(&path) {
        true => "as SVG".to_string(),
        false => format!("{} by {height} pixels", arguments.width),
    };
    say!(output, "{NAME}{}{NAME:#}: {size}", describe::printable(&file))
}

/// In the current folder, whatever folder the file is in.
fn picture_of(input: &str) -> PathBuf {
    let stem = Path::new(input).file_stem().unwrap_or_default().to_string_lossy();
    // A colon, as in `chain:20`, is no part of a file's name everywhere.
    PathBuf::from(format!("{}.png", stem.replace(':', "-")))
}

fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("svg"))
}

/// One pose from several sides.
fn views(input: &Input, arguments: &ShowArguments) -> Result<sinew_draw::Drawing> {
    let asset = &input.asset;
    let (pose, words) = match (&arguments.posture, arguments.frame) {
        (Some(name), _) => {
            let found = asset.postures.iter().find(|(n, _)| n == name);
            let pose = found.map(|(_, pose)| pose.clone()).ok_or_else(|| no_posture(input, name))?;
            (pose, format!("posture '{name}'"))
        }
        (None, Some(frame)) => {
            let motion = &asset.motions[input.motion(&arguments.motion)?];
            let pose = motion.frames.get(frame).cloned().ok_or_else(|| no_frame(input, motion, frame))?;
            (pose, format!("frame {frame} of {}, {} s", motion.frames.len(), seconds(motion, frame)))
        }
        (None, None) => (Pose::rest(&asset.skeleton), "at rest".to_string()),
    };
    let map = input.humanoid();
    let figure = figure(input, &map, &pose)
        .limits(arguments.limits.is_none_or(Switch::is_on))
        .names(arguments.names.is_none_or(Switch::is_on));
    let goals: GoalSet = asset.goals.iter().map(|(_, goal)| *goal).collect();
    let scene = Scene::new(input.origin.title())
        .note(format!(
            "{}, {} degrees of freedom, {words}",
            joints(input),
            asset.skeleton.degrees_of_freedom()
        ))
        .figure(figure)
        .goals(&goals, &ModelPose::new(&asset.skeleton, &pose));
    let mut options = ViewsOptions::default();
    if !arguments.views.is_empty() {
        options.views = arguments.views.iter().map(|v| view(*v)).collect();
    }
    Ok(sinew_draw::views(&scene, &options))
}

/// Frames of a motion side by side, evenly spread from the first to the last.
fn strip(input: &Input, arguments: &ShowArguments, count: usize) -> Result<sinew_draw::Drawing> {
    let motion = &input.asset.motions[input.motion(&arguments.motion)?];
    let last = motion.frames.len().checked_sub(1).ok_or_else(|| no_frame(input, motion, 0))?;
    let map = input.humanoid();
    let count = count.min(last + 1);
    let scenes: Vec<Scene> = (0..count)
        .map(|i| {
            let frame = if count == 1 { 0 } else { (last * i + (count - 1) / 2) / (count - 1) };
            let figure = figure(input, &map, &motion.frames[frame])
                .limits(arguments.limits.is_some_and(Switch::is_on))
                .names(arguments.names.is_some_and(Switch::is_on));
            Scene::new(format!("frame {frame}, {} s", seconds(motion, frame))).figure(figure)
        })
        .collect();
    let options = StripOptions {
        view: arguments.views.first().map_or(View::Front, |v| view(*v)),
        title: input.origin.title(),
        note: format!("{} frames in {} s", motion.frames.len(), seconds(motion, last)),
        legend: true,
        ..StripOptions::default()
    };
    Ok(sinew_draw::strip(&scenes, &options))
}

fn figure(input: &Input, map: &HumanoidMap, pose: &Pose) -> Figure {
    let skeleton = &input.asset.skeleton;
    let figure = Figure::new(skeleton, pose);
    match map.get(HumanoidBone::Hips).filter(|_| map.is_complete()) {
        Some(hips) => figure.body_below(skeleton, hips),
        None => figure,
    }
}

fn view(name: ViewName) -> View {
    match name {
        ViewName::Front => View::Front,
        ViewName::Side => View::Side,
        ViewName::Top => View::Top,
        ViewName::Turned => View::Turned,
    }
}

fn joints(input: &Input) -> String {
    match input.asset.skeleton.len() {
        1 => "1 joint".into(),
        count => format!("{count} joints"),
    }
}

fn seconds(motion: &Motion, frame: usize) -> String {
    format!("{:.2}", motion.frame_time * frame as f64)
}

fn no_frame(input: &Input, motion: &Motion, frame: usize) -> anyhow::Error {
    let name = input.origin.name();
    match motion.frames.len() {
        0 => anyhow!("{name}: the motion has no frames"),
        count => anyhow!("{name}: there is no frame {frame}; the motion has frames 0 to {}", count - 1),
    }
}

fn no_posture(input: &Input, name: &str) -> anyhow::Error {
    let known: Vec<String> = input.asset.postures.iter().map(|(n, _)| format!("'{n}'")).collect();
    let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
    anyhow!("{}: there is no posture '{name}'; there are {known}", input.origin.name())
}
