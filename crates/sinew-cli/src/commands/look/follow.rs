//! Targets over time, through ERIK and the motion filter.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use sinew_draw::{StripOptions, View};
use sinew_f64::filter::{FilterOptions, MotionFilter};
use sinew_f64::{JointId, Pose, Vec3};

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
    let text =
        std::fs::read_to_string(targets).with_context(|| format!("cannot read {}", targets.display()))?;
    let targets = Targets::parse(&text, &targets.display().to_string())?;
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
    fn parse(text: &str, file: &str) -> Result<Self> {
        let mut points = None;
        let mut lines: Vec<(f64, Vec3)> = Vec::new();
        for (i, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let cells: Vec<&str> = line.split(',').map(str::trim).collect();
            let Some(points) = points else {
                points = Some(match cells[..] {
                    ["time", "x", "y", "z"] => true,
                    ["time", "yaw", "pitch", "roll"] => false,
                    _ => {
                        return Err(anyhow!(
                            "{file}:{}: the heading is '{line}', expected 'time,x,y,z' or 'time,yaw,pitch,roll'",
                            i + 1
                        ));
                    }
                });
                continue;
            };
            let _ = points;
            let numbers: Option<Vec<f64>> =
                cells.iter().map(|c| c.parse().ok().filter(|n: &f64| n.is_finite())).collect();
            let numbers = numbers.unwrap_or_default();
            let [time, x, y, z] = numbers[..] else {
                return Err(anyhow!("{file}:{}: '{line}', expected four numbers", i + 1));
            };
            if !(0.0..=LONGEST).contains(&time) || lines.last().is_some_and(|(last, _)| *last > time) {
                return Err(anyhow!("{file}:{}: times rise from 0, and this is {time}", i + 1));
            }
            lines.push((time, Vec3::new(x, y, z)));
        }
        match points {
            Some(points) if !lines.is_empty() => Ok(Self { points, lines }),
            _ => Err(anyhow!("{file}: there are no targets in it")),
        }
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
        let targets = Targets::parse("# a person\ntime,x,y,z\n0,1,2,3\n0.5,4,5,6\n", "t.csv").unwrap();
        assert!(targets.points);
        assert_eq!(
            (targets.at(0.2), targets.at(0.5), targets.end()),
            (Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0), 0.5)
        );
        for (text, words) in [
            ("", "no targets"),
            ("time,x,y,z\n", "no targets"),
            ("a,b\n", "t.csv:1: the heading is 'a,b'"),
            ("time,x,y,z\n0,1,2\n", "t.csv:2: '0,1,2', expected four numbers"),
            ("time,x,y,z\n0,1,2,nan\n", "four numbers"),
            ("time,x,y,z\n1,0,0,0\n0.5,0,0,0\n", "t.csv:3: times rise"),
        ] {
            let error = Targets::parse(text, "t.csv").map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
