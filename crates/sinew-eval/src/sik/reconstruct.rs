//! One motion from a few of its points: what `sinew reconstruct` does.

use anyhow::{Result, anyhow, bail};
use sinew::Outcome as LimbOutcome;
use sinew::body::six_point::{Point, Source, Trackers};
use sinew::math::Vec3;
use sinew::skeleton::humanoid::HumanoidMap;

use super::frame_by_frame::{FrameByFrame, Noise, check_points};
use super::{Method, metric};
use crate::stats::median;

/// What to reconstruct from, and how.
pub struct Options {
    /// By which method.
    pub method: Method,
    /// Which points are given.
    pub points: Vec<Point>,
    /// Whether their orientations are given, too.
    pub orientations: bool,
    /// The standard deviation of noise added to every coordinate, in metres.
    pub noise: f64,
    /// Where its random numbers start.
    pub seed: u64,
    /// Noise of which standard deviation is filtered, in metres; zero filters nothing.
    pub filter: f64,
}

/// What came of it.
pub struct Outcome {
    /// The motion.
    pub frames: Vec<sinew_f64::Pose>,
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// Position and orientation error against the original, if there is one.
    pub errors: Option<(f64, f64)>,
    /// The median time of a frame.
    pub median_us: f64,
    /// In how many frames a point was filled in.
    pub filled: usize,
    /// Wrists and ankles, where the method reports on them.
    pub limbs: Vec<LimbSummary>,
}

/// How an arm or a leg fared over all frames.
pub struct LimbSummary {
    /// Its end.
    pub point: Point,
    /// In how many frames the end is not where it should be.
    pub missed: usize,
    /// The frame in which it is furthest off, of these, and what came of it there.
    pub worst: Option<(usize, LimbOutcome)>,
}

impl LimbSummary {
    fn add(&mut self, frame: usize, outcome: LimbOutcome) {
        if outcome.reached() {
            return;
        }
        self.missed += 1;
        let off = |outcome: &LimbOutcome| outcome.residual.position;
        if self.worst.is_none_or(|(_, worst)| off(&outcome) > off(&worst)) {
            self.worst = Some((frame, outcome));
        }
    }
}

/// The points of words: `six`, `three` (head and wrists), `four` (and the pelvis),
/// `five` (all six but the pelvis), `ten`, `eleven`, or the points' names.
pub fn parse_points(words: &[String]) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    for word in words {
        let group: Vec<Point> = match word.as_str() {
            "six" => Point::SIX.to_vec(),
            "three" => Point::SIX[1..4].to_vec(),
            "four" => Point::SIX[..4].to_vec(),
            "five" => Point::SIX[1..].to_vec(),
            "ten" => Point::ALL.into_iter().filter(|p| *p != Point::Chest).collect(),
            "eleven" => Point::ALL.to_vec(),
            name => vec![point(name)?],
        };
        points.extend(group.into_iter().filter(|p| !points.contains(p)).collect::<Vec<_>>());
    }
    Ok(points)
}

fn point(name: &str) -> Result<Point, String> {
    Point::ALL.into_iter().find(|p| p.name() == name).ok_or_else(|| {
        let names: Vec<&str> = Point::ALL.iter().map(|p| p.name()).collect();
        format!(
            "'{name}' is no point; there are three, four, five, six, ten, eleven and {}",
            names.join(", ")
        )
    })
}

/// More frames than a day at 120 a second are no table of points.
const MOST_ROWS: usize = 10_500_000;

/// Reads a table of positions: a head line of `point.axis`, then numbers; an empty
/// cell or `nan` is a point that is not seen.
pub fn read_csv(text: &str) -> Result<Vec<Trackers>> {
    let mut lines = text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty() && !l.starts_with('#'));
    let Some((_, head)) = lines.next() else { bail!("the table is empty") };
    let mut columns = Vec::new();
    for (i, cell) in head.split(',').enumerate() {
        let cell = cell.trim().trim_matches('"');
        let parsed = cell.rsplit_once('.').and_then(|(name, axis)| {
            let axis = ["x", "y", "z"].iter().position(|a| *a == axis)?;
            Some((point(name).ok()?, axis))
        });
        match parsed {
            Some(column) => columns.push(Some(column)),
            None if matches!(cell, "frame" | "time" | "") => columns.push(None),
            None => {
                bail!("line 1, column {}: found '{cell}', expected a point and an axis such as head.x", i + 1)
            }
        }
    }
    let mut frames = Vec::new();
    for (number, line) in lines {
        let mut seen = [[None; 3]; Point::COUNT];
        let mut count = 0;
        for (i, cell) in line.split(',').enumerate() {
            let cell = cell.trim();
            count += 1;
            let Some(Some((point, axis))) = columns.get(i).copied() else { continue };
            if cell.is_empty() {
                continue;
            }
            let value: f32 = cell.parse().map_err(|_| {
                anyhow!("line {}, column {}: found '{cell}', expected a number of metres", number + 1, i + 1)
            })?;
            seen[point.index()][axis] = Some(value);
        }
        if count != columns.len() {
            bail!("line {}: found {count} cells, expected {}", number + 1, columns.len());
        }
        let mut frame = Trackers::default();
        for (point, place) in Point::ALL.into_iter().zip(seen) {
            if let [Some(x), Some(y), Some(z)] = place {
                frame = frame.with(point, Vec3::new(x, y, z));
            }
        }
        frames.push(frame);
        if frames.len() > MOST_ROWS {
            bail!("the table has more than {MOST_ROWS} lines");
        }
    }
    Ok(frames)
}

/// Reconstructs a motion from its own points, or from a table of them.
pub fn reconstruct(
    skeleton: &sinew_f64::Skeleton,
    original: Option<&[sinew_f64::Pose]>,
    table: Option<&[Trackers]>,
    frame_time: f64,
    options: &Options,
) -> Result<Outcome> {
    let narrow = sinew_io::narrow::skeleton(skeleton)?;
    let map = HumanoidMap::find(&narrow);
    let originals: Vec<sinew::Pose> =
        original.unwrap_or_default().iter().map(|p| sinew_io::narrow::pose(&narrow, p)).collect();
    let mut method = FrameByFrame::filtered(options.method, narrow, map, frame_time, options.filter)?;
    check_points(options.method, &options.points, options.orientations)?;
    let mut given: Vec<Trackers> = match table {
        Some(table) => table.to_vec(),
        None => originals
            .iter()
            .map(|pose| method.points_of(pose, &options.points, options.orientations))
            .collect(),
    };
    add_noise(&mut given, options.seed, options.noise);
    let (mut errors, mut times, mut frames, mut filled) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut limbs: Vec<LimbSummary> = Vec::new();
    for (i, frame) in given.iter().enumerate() {
        let result = method.next(frame, originals.get(i));
        times.push(result.micros);
        let report = result.report;
        filled +=
            usize::from(report.is_some_and(|r| Point::SIX.iter().any(|p| r.source(*p) != Source::Measured)));
        if let Some(report) = report {
            if limbs.is_empty() {
                limbs = Point::SIX[2..]
                    .iter()
                    .map(|&point| LimbSummary { point, missed: 0, worst: None })
                    .collect();
            }
            let outcomes = report.arms.iter().chain(&report.legs).map(|limb| limb.outcome);
            limbs.iter_mut().zip(outcomes).for_each(|(limb, outcome)| limb.add(i, outcome));
        }
        errors.extend(result.error);
        frames.push(widen(skeleton, method.pose()));
    }
    let rms = |f: fn(&metric::FrameError) -> f64| metric::rms(errors.iter().map(f));
    Ok(Outcome {
        errors: (!errors.is_empty()).then(|| (rms(|e| e.position), rms(|e| e.orientation))),
        frames,
        frame_time,
        median_us: median(&times),
        filled,
        limbs,
    })
}

/// A pose in double precision, of the skeleton whose narrowed one it belongs to.
pub fn widen(skeleton: &sinew_f64::Skeleton, pose: &sinew::Pose) -> sinew_f64::Pose {
    let mut wide = sinew_f64::Pose::rest(skeleton);
    for (id, (turn, shift)) in skeleton.ids().zip(pose.rotations().iter().zip(pose.translations())) {
        wide.set_rotation(id, turn.as_dquat().normalize());
        wide.set_translation(id, shift.as_dvec3());
    }
    wide
}

pub(super) fn add_noise(frames: &mut [Trackers], seed: u64, size: f64) {
    let mut noise = Noise::new(seed, size);
    for frame in frames {
        noise.add(frame);
    }
}
