//! Targets over time, through ERIK and the motion filter.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use sinew_draw::{StripOptions, View};
use sinew_f64::filter::FilterOptions;
use sinew_f64::math::Vec4;
use sinew_f64::{Pose, Skeleton, Vec3};
use sinew_io::budget::pose_bytes;
use sinew_io::{Place, ReadError, table};
use sinew_motion::look::{Stream, Wish};

use super::super::solve::goal;
use super::{Looker, save_motion, scene, view};
use crate::arguments::{CharacterName, FilterName, LookArguments};
use crate::failure::usage;
use crate::files;
use crate::memory;
use crate::output::{NAME, Output, say};

/// What to look at, and when.
struct Targets {
    /// Whether they are points; directions otherwise.
    points: bool,
    /// Seconds, by rising time; with how much it counts.
    lines: Vec<(f64, Vec4)>,
}

/// Longer than this is more likely a slip of the pen than a wish.
const LONGEST: f64 = 24.0 * 3600.0;

/// Times are written with so many decimals; a target that is due within half of the last is due.
const ROUNDED: f64 = 1.0e-6;
/// Lines that are at most this far apart are samples of a motion.
const SAMPLED: f64 = 0.2;

/// What an output takes while it is held: two poses, the coordinates, and its line as text.
fn frame_bytes(skeleton: &Skeleton) -> usize {
    const LINE: usize = 16;
    let freedom: usize = skeleton.joints().iter().map(|joint| joint.kind().degrees_of_freedom()).sum();
    size_of::<Frame>() + 2 * pose_bytes(skeleton.len()) + freedom * (size_of::<f64>() + LINE)
}

/// One output.
struct Frame {
    time: f64,
    pose: Pose,
    /// All coordinates, as a stream.
    values: Vec<f64>,
    posture: Pose,
    point: Option<Vec3>,
    errors: [f64; 2],
}

pub fn run(arguments: &LookArguments, looker: &Looker, targets: &Path, output: &mut Output) -> Result<()> {
    if !(arguments.fps.is_finite() && arguments.fps > 0.0 && arguments.fps <= 10_000.0) {
        return Err(usage("--fps takes outputs a second, up to 10000"));
    }
    let bytes = std::fs::read(targets).with_context(|| format!("cannot read {}", targets.display()))?;
    let targets = Targets::parse(&bytes).map_err(|error| error.in_file(targets.display().to_string()))?;
    let skeleton = &looker.input.asset.skeleton;
    let count = targets.count(arguments.fps);
    memory::budget().check(count, frame_bytes(skeleton), || {
        format!("{count} outputs at {} Hz of {} joints", arguments.fps, skeleton.len())
    })?;
    let frames = frames(arguments, looker, &targets);
    let Some(path) = &arguments.output else {
        return output.bytes(csv(looker, &frames).as_bytes());
    };
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "csv" => files::write(path, csv(looker, &frames).as_bytes())?,
        "png" | "svg" => strip(path, arguments, looker, &frames)?,
        _ => save_motion(path, looker, 1.0 / arguments.fps, frames.iter().map(|f| f.pose.clone()).collect())?,
    }
    say!(output, "{NAME}{}{NAME:#}: {} outputs at {} Hz", path.display(), frames.len(), arguments.fps)
}

impl Targets {
    fn parse(bytes: &[u8]) -> Result<Self, ReadError> {
        let mut rows = table::rows(bytes);
        let nothing = || ReadError::new(Place::File, "no targets", "a heading and a line for each target");
        let heading = rows.next().ok_or_else(nothing)??;
        let cells: Vec<&str> = heading.cells().collect();
        let weighted = cells.len() == 5 && cells[4] == "weight";
        let points = match cells[..cells.len() - usize::from(weighted)] {
            ["time", "x", "y", "z"] => true,
            ["time", "yaw", "pitch", "roll"] => false,
            _ => return Err(heading.wrong(0, "the heading time,x,y,z or time,yaw,pitch,roll")),
        };
        let names = if points { ["time", "x", "y", "z"] } else { ["time", "yaw", "pitch", "roll"] };
        let mut lines: Vec<(f64, Vec4)> = Vec::new();
        for row in rows {
            let row = row?;
            let ([time, x, y, z], weight) = if weighted {
                let [time, x, y, z, weight] =
                    row.numbers([names[0], names[1], names[2], names[3], "weight"])?;
                ([time, x, y, z], weight)
            } else {
                (row.numbers(names)?, 1.0)
            };
            if !(0.0..=LONGEST).contains(&time) || lines.last().is_some_and(|(last, _)| *last > time) {
                return Err(row.wrong(0, "times that rise from 0"));
            }
            lines.push((time, Vec4::new(x, y, z, weight.clamp(0.0, 1.0))));
        }
        if lines.is_empty() { Err(nothing()) } else { Ok(Self { points, lines }) }
    }

    /// The target at a time. Lines that follow each other quickly are samples of something that
    /// moves, and what is between them is between them; else the last one holds until the next.
    fn at(&self, time: f64) -> Vec4 {
        let after = self.lines.partition_point(|(t, _)| *t <= time + ROUNDED);
        let (from, here) = self.lines[after.max(1) - 1];
        match self.lines.get(after.max(1)) {
            Some((to, next)) if to - from <= SAMPLED && time > from => {
                let mut way = *next - here;
                if !self.points {
                    // Degrees: the short way round.
                    way -= (360.0 * (way.truncate() / 360.0).round()).extend(0.0);
                }
                here + way * ((time - from) / (to - from))
            }
            _ => here,
        }
    }

    /// Where to look at a time, and how much.
    fn wish(&self, time: f64) -> (Wish, f64) {
        let at = self.at(time);
        let wish = if self.points {
            Wish::At(at.truncate())
        } else {
            Wish::Toward(goal::orientation(at.truncate()))
        };
        (wish, at.w)
    }

    /// How many outputs there are until the last target.
    fn count(&self, fps: f64) -> usize {
        let end = self.lines.last().map_or(0.0, |(t, _)| *t);
        (end * fps).round() as usize + 1
    }
}

fn frames(arguments: &LookArguments, looker: &Looker, targets: &Targets) -> Vec<Frame> {
    let skeleton = looker.input.asset.skeleton.clone();
    let dt = 1.0 / arguments.fps;
    let options = match arguments.character {
        CharacterName::Light => Some(FilterOptions::light()),
        CharacterName::Plain => Some(FilterOptions::default()),
        CharacterName::Heavy => Some(FilterOptions::heavy()),
        CharacterName::None => None,
    };
    let published = arguments.filter == FilterName::Published;
    let options = options.map(|options| FilterOptions { published, ..options });
    // The stream begins where the first target is looked at: at rest, and on its way.
    let (eye, posture) = (looker.eye.clone(), looker.posture.at(0.0));
    let mut stream = Stream::new(&looker.input.asset, eye, options, posture, targets.wish(0.0));
    (0..targets.count(arguments.fps))
        .map(|i| {
            let time = i as f64 * dt;
            let (wish, weight) = targets.wish(time);
            let posture = looker.posture.at(time).clone();
            let pose = stream.step(&skeleton, &posture, (wish, weight), dt).clone();
            let errors = stream.eye().measure(&skeleton, &posture, wish, &pose);
            Frame {
                time,
                pose,
                values: stream.sent().to_vec(),
                posture,
                point: match wish {
                    Wish::At(point) => Some(point),
                    Wish::Toward(_) => None,
                },
                errors,
            }
        })
        .collect()
}

/// What the coordinates of a joint with several are called: of a ball the components of its rotation
/// vector.
const PARTS: [&str; 3] = [".x", ".y", ".z"];

/// Time, the joints, and how well the filtered pose does.
fn csv(looker: &Looker, frames: &[Frame]) -> String {
    let skeleton = &looker.input.asset.skeleton;
    let moved = looker.eye.joints();
    let mut columns = Vec::new();
    let mut text = String::from("time");
    let mut first = 0;
    for id in skeleton.ids() {
        let freedom = skeleton.joint(id).kind().degrees_of_freedom();
        if moved.contains(&id) {
            let name = skeleton.joint(id).name();
            for k in 0..freedom {
                columns.push(first + k);
                let part = if freedom > 1 { PARTS.get(k).copied().unwrap_or("") } else { "" };
                if name.contains([',', '"', '\n']) {
                    let _ = write!(text, ",\"{}{part}\"", name.replace('"', "\"\""));
                } else {
                    let _ = write!(text, ",{name}{part}");
                }
            }
        }
        first += freedom;
    }
    text.push_str(",orientation_error,posture_error\n");
    for frame in frames {
        let _ = write!(text, "{:.6}", frame.time);
        for column in &columns {
            let _ = write!(text, ",{:.9}", frame.values[*column]);
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
    files::write_picture(path, &sinew_draw::strip(&scenes, &options), arguments.width)?;
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
            (targets.at(0.2), targets.at(0.5), targets.count(10.0)),
            (Vec4::new(1.0, 2.0, 3.0, 1.0), Vec4::new(4.0, 5.0, 6.0, 1.0), 6)
        );
        // Lines that follow quickly are samples of a motion, and a weight may fade.
        let targets = Targets::parse(b"time,x,y,z,weight\n0,0,0,1,1\n0.1,1,0,1,0\n").unwrap();
        assert!((targets.at(0.05) - Vec4::new(0.5, 0.0, 1.0, 0.5)).length() < 1e-9);
        let targets = Targets::parse(b"time,yaw,pitch,roll\n0,170,0,0\n0.1,-170,0,0\n").unwrap();
        assert!((targets.at(0.05).x - 180.0).abs() < 1e-9, "the short way round");
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
