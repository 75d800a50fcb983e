//! Targets over time, through ERIK and the motion filter.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use sinew_draw::{StripOptions, View};
use sinew_f64::filter::{FilterOptions, MotionFilter};
use sinew_f64::{JointId, Pose, Vec3};
use sinew_io::{Place, ReadError, table};

use super::{Looker, save_motion, scene, view};
use crate::arguments::{CharacterName, LookArguments};
use crate::failure::usage;
use crate::output::{NAME, Output, say};

/// What to look at, and when.
struct Targets {
    /// Whether they are points; directions otherwise.
    points: bool,
    /// Seconds, by rising time.
    lines: Vec<(f64, Vec3)>,
}

/// Longer than this is more likely a slip of the pen than a wish.
const LONGEST: f64 = 24.0 * 3600.0;

/// One output.
struct Frame {
    time: f64,
    pose: Pose,
    posture: Pose,
    point: Option<Vec3>,
    errors: [f64; 2],
}

pub fn run(
    arguments: &LookArguments,
    looker: &mut Looker,
    targets: &Path,
    output: &mut Output,
) -> Result<()> {
    if !(arguments.fps.is_finite() && arguments.fps > 0.0 && arguments.fps <= 10_000.0) {
        return Err(usage("--fps takes outputs a second, up to 10000"));
    }
    let bytes = std::fs::read(targets).with_context(|| format!("cannot read {}", targets.display()))?;
    let targets = Targets::parse(&bytes).map_err(|error| error.in_file(targets.display().to_string()))?;
    let frames = frames(arguments, looker, &targets);
    let Some(path) = &arguments.output else {
        return output.bytes(csv(looker, &frames).as_bytes());
    };
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "csv" => std::fs::write(path, csv(looker, &frames))
            .with_context(|| format!("cannot write {}", path.display()))?,
        "png" | "svg" => strip(path, arguments, looker, &frames)?,
        "json" => return Err(usage("--follow writes .csv, .png, .svg, .bvh, .glb or .gltf")),
        _ => save_motion(path, looker, 1.0 / arguments.fps, frames.iter().map(|f| f.pose.clone()).collect())?,
    }
    say!(output, "{NAME}{}{NAME:#}: {} outputs at {} Hz", path.display(), frames.len(), arguments.fps)
}

impl Targets {
    fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut rows = table::rows(bytes);
        let nothing = || ReadError::new(Place::File, "no targets", "a heading and a line for each target");
        let heading = rows.next().ok_or_else(nothing)??;
        let points = match heading.cells().collect::<Vec<_>>()[..] {
            ["time", "x", "y", "z"] => true,
            ["time", "yaw", "pitch", "roll"] => false,
            _ => return Err(heading.wrong(0, "the heading time,x,y,z or time,yaw,pitch,roll")),
        };
        let names = if points { ["time", "x", "y", "z"] } else { ["time", "yaw", "pitch", "roll"] };
        let mut lines: Vec<(f64, Vec3)> = Vec::new();
        for row in rows {
            let row = row?;
            let [time, x, y, z] = row.numbers(names)?;
            if !(0.0..=LONGEST).contains(&time) || lines.last().is_some_and(|(last, _)| *last > time) {
                return Err(row.wrong(0, "times that rise from 0"));
            }
            lines.push((time, Vec3::new(x, y, z)));
        }
        if lines.is_empty() { Err(nothing()) } else { Ok(Self { points, lines }) }
    }

    /// The target at a time: the last that was given, as a tracker would have it.
    fn at(&self, time: f64) -> Vec3 {
        let after = self.lines.partition_point(|(t, _)| *t <= time);
        self.lines[after.max(1) - 1].1
    }

    fn end(&self) -> f64 {
        self.lines.last().map_or(0.0, |(t, _)| *t)
    }
}

fn frames(arguments: &LookArguments, looker: &mut Looker, targets: &Targets) -> Vec<Frame> {
    let skeleton = looker.input.asset.skeleton.clone();
    let dt = 1.0 / arguments.fps;
    let options = match arguments.character {
        CharacterName::Light => Some(FilterOptions::light()),
        CharacterName::Plain => Some(FilterOptions::default()),
        CharacterName::Heavy => Some(FilterOptions::heavy()),
        CharacterName::None => None,
    };
    let start = looker.posture.at(0.0).clone();
    let mut wanted = start.clone();
    wanted.project(&skeleton);
    let mut shown = wanted.clone();
    let mut filter = options.map(|o| MotionFilter::new(&skeleton, o, &shown));
    let count = (targets.end() * arguments.fps).round() as usize + 1;
    (0..count)
        .map(|i| {
            let time = i as f64 * dt;
            let target = targets.at(time);
            let gazes = if targets.points { looker.at(target) } else { looker.toward(target) };
            let posture = looker.posture.at(time).clone();
            looker.erik.solve(&skeleton, &posture, &gazes, &mut wanted);
            match &mut filter {
                Some(filter) => filter.step(&skeleton, &wanted, dt, &mut shown),
                None => shown.copy_from(&wanted),
            }
            let errors = looker.erik.measure(&skeleton, &posture, &gazes, &shown);
            Frame {
                time,
                pose: shown.clone(),
                posture,
                point: targets.points.then_some(target),
                errors: errors.map_or([1.0; 2], |e| [e.orientation, e.posture]),
            }
        })
        .collect()
}

/// Time, the joints, and how well the filtered pose does.
fn csv(looker: &Looker, frames: &[Frame]) -> String {
    let skeleton = &looker.input.asset.skeleton;
    let joints: Vec<JointId> = looker.erik.joints().map(|(joint, _)| joint).collect();
    let mut text = String::from("time");
    for id in &joints {
        let name = skeleton.joint(*id).name();
        if name.contains([',', '"', '\n']) {
            let _ = write!(text, ",\"{}\"", name.replace('"', "\"\""));
        } else {
            let _ = write!(text, ",{name}");
        }
    }
    text.push_str(",orientation_error,posture_error\n");
    for frame in frames {
        let _ = write!(text, "{:.6}", frame.time);
        for id in &joints {
            let _ = write!(text, ",{:.6}", frame.pose.value(skeleton, *id).unwrap_or(0.0));
        }
        let _ = writeln!(text, ",{:.6},{:.6}", frame.errors[0], frame.errors[1]);
    }
    text
}

fn strip(path: &Path, arguments: &LookArguments, looker: &Looker, frames: &[Frame]) -> Result<()> {
    let count = usize::from(arguments.pictures).min(frames.len()).max(1);
    let scenes: Vec<_> = (0..count)
        .map(|i| {
            let frame = &frames[if count == 1 { 0 } else { (frames.len() - 1) * i / (count - 1) }];
            scene(looker, format!("{:.2} s", frame.time), &frame.posture, &frame.pose, frame.point)
        })
        .collect();
    let options = StripOptions {
        view: arguments.views.first().map_or(View::Turned, |v| view(*v)),
        title: looker.title(),
        follow: false,
        legend: true,
        ..StripOptions::default()
    };
    sinew_draw::strip(&scenes, &options).save(path, arguments.width)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read_and_held_until_the_next() {
        let targets = Targets::parse(b"# a person\ntime,x,y,z\n0,1,2,3\n0.5,4,5,6\n").unwrap();
        assert!(targets.points);
        assert_eq!(
            (targets.at(0.2), targets.at(0.5), targets.end()),
            (Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), 0.5)
        );
        for (text, words) in [
            ("", "no targets"),
            ("time,x,y,z\n", "no targets"),
            ("a,b\n", "line 1, column 1: found 'a', expected the heading"),
            ("time,x,y,z\n0,1,2\n", "line 2: found 3 cells"),
            ("time,x,y,z\n0,1,2,nan\n", "line 2, column 4: found 'nan'"),
            ("time,x,y,z\n1,0,0,0\n0.5,0,0,0\n", "line 3, column 1: found '0.5', expected times that rise"),
        ] {
            let error = Targets::parse(text.as_bytes()).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
