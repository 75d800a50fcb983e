//! One motion from a few of its points: what `sinew reconstruct` does.

use std::borrow::Cow;

use anyhow::{Result, bail};
use sinew::Outcome as LimbOutcome;
use sinew::body::six_point::{Point, Source, Trackers};
use sinew::math::{Quat, Vec3};
use sinew::skeleton::humanoid::HumanoidMap;
use sinew_io::{Place, ReadError, table};

use crate::frame_by_frame::{FrameByFrame, Noise, check_points};
use crate::metric::median;
use crate::sequence::opens_apart;
use crate::{Method, metric};

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
    /// From what the person's height and arm length are taken; `None` takes the points as the rig's own.
    pub calibration: Option<Calibrate>,
    /// From what it is taken how the trackers are mounted: how they are turned on their joints from a pose, where
    /// these are in them from motion. Empty: they are in the joints.
    pub mounts: Vec<Calibrate>,
}

/// From what a person's size, or how the trackers are mounted, is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calibrate {
    /// The first frame, a T-pose or an A-pose.
    Pose,
    /// All frames: the person stands upright once and stretches the arms once.
    Motion,
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
    pub(crate) fn add(&mut self, frame: usize, outcome: LimbOutcome) {
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

/// Reads a table of points: a head line of `point.axis`, then numbers; an empty cell or `nan` is a
/// point that is not seen. Axes are x, y and z in metres and, where the tracker has an
/// orientation, qx, qy, qz and qw: the turn from the rest pose in model space, whatever the axes of the
/// rig's joint are; four zeros are an orientation that is not seen.
pub fn read_csv(bytes: &[u8]) -> Result<Vec<Trackers>, ReadError> {
    let mut rows = table::rows(bytes);
    let Some(heading) = rows.next() else {
        return Err(ReadError::new(Place::File, "an empty table", "a heading and a line for each frame"));
    };
    let heading = heading?;
    let mut columns = Vec::new();
    for (i, cell) in heading.cells().enumerate() {
        let parsed = cell.rsplit_once('.').and_then(|(name, axis)| {
            let axis = AXES.iter().position(|a| *a == axis)?;
            Some((point(name).ok()?, axis))
        });
        match parsed {
            Some(column) if columns.contains(&Some(column)) => {
                return Err(heading.wrong(i, "a column that is not there already"));
            }
            Some(column) => columns.push(Some(column)),
            None if matches!(cell, "frame" | "time" | "") => columns.push(None),
            None => return Err(heading.wrong(i, "a point and an axis such as head.x or head.qw")),
        }
    }
    check_columns(&columns)?;
    let mut frames = Vec::new();
    for row in rows {
        let row = row?;
        row.check_len(columns.len(), "as the heading has")?;
        let mut seen = [[None; 7]; Point::COUNT];
        for (i, column) in columns.iter().enumerate() {
            // What is not taken is looked at all the same: a table of words is no table of points.
            if column.is_none() {
                row.number_or_none(i, "a frame or a time")?;
            }
            if let Some((point, axis)) = column {
                let unit = if *axis < 3 { "metres" } else { "a part of a unit quaternion" };
                let number = row.number_or_none(i, unit)?;
                seen[point.index()][*axis] = number.map(|number| number as f32);
            }
        }
        let mut frame = Trackers::default();
        for (point, place) in Point::ALL.into_iter().zip(seen) {
            if let [Some(x), Some(y), Some(z), ..] = place {
                frame = frame.with(point, Vec3::new(x, y, z));
            }
            if let [.., Some(x), Some(y), Some(z), Some(w)] = place {
                let turn = Quat::from_xyzw(x, y, z, w);
                let length = turn.length();
                if (length - 1.0).abs() < 0.1 {
                    frame = frame.turned(point, turn);
                } else if length > 0.0 {
                    let found = format!("a quaternion of {} with the length {length}", point.name());
                    return Err(ReadError::new(Place::Line(row.line), found, "the length 1, or four zeros"));
                }
            }
        }
        frames.push(frame);
        if frames.len() > MOST_ROWS {
            let found = format!("more than {MOST_ROWS} lines");
            return Err(ReadError::new(Place::File, found, "a table of a day or less"));
        }
    }
    if frames.is_empty() {
        return Err(ReadError::new(Place::File, "a heading alone", "a line for each frame"));
    }
    Ok(frames)
}

/// What the columns of a point are called.
const AXES: [&str; 7] = ["x", "y", "z", "qx", "qy", "qz", "qw"];

/// A part of a place or of an orientation says nothing: it would be left out without a word.
fn check_columns(columns: &[Option<(Point, usize)>]) -> Result<(), ReadError> {
    if columns.iter().flatten().next().is_none() {
        return Err(ReadError::new(Place::Line(1), "no column of a point", "columns such as head.x"));
    }
    for point in Point::ALL {
        let has = |axis: &usize| columns.contains(&Some((point, *axis)));
        for axes in [0..3, 3..AXES.len()] {
            let Some(missing) = axes.clone().find(|axis| !has(axis)) else { continue };
            if let Some(there) = axes.clone().find(has) {
                let (name, [there, missing]) = (point.name(), [there, missing].map(|axis| AXES[axis]));
                let found = format!("a column {name}.{there}");
                return Err(ReadError::new(Place::Line(1), found, format!("{name}.{missing} beside it")));
            }
        }
    }
    Ok(())
}

/// Reconstructs a motion from its own points, or from a table of them. The map says who is who on the skeleton. An
/// original that is given away is let go frame by frame, so that no more than one motion is held.
pub fn reconstruct(
    (skeleton, map): (&sinew_f64::Skeleton, HumanoidMap),
    original: Option<Cow<'_, [sinew_f64::Pose]>>,
    table: Option<&[Trackers]>,
    frame_time: f64,
    options: &Options,
) -> Result<Outcome> {
    let narrow = sinew_io::narrow::skeleton(skeleton)?;
    let original = original.unwrap_or_default();
    let narrowed = {
        let narrow = narrow.clone();
        move |pose: &sinew_f64::Pose| sinew_io::narrow::pose(&narrow, pose)
    };
    let mut method = FrameByFrame::filtered(options.method, narrow, map, frame_time, options.filter)?;
    check_points(options.method, &options.points, options.orientations)?;
    let mut given: Vec<Trackers> = match table {
        Some(table) => table.iter().map(|frame| method.from_rest(frame)).collect(),
        None => original
            .iter()
            .map(|pose| method.points_of(&narrowed(pose), &options.points, options.orientations))
            .collect(),
    };
    if table.is_some() {
        let rest = sinew::Pose::rest(method.skeleton());
        check_size(&given, &method.points_of(&rest, &Point::ALL, false))?;
    }
    if options.mounts.contains(&Calibrate::Motion) && !method.mount_by_motion(&given) {
        bail!("no mount can be seen: a tracker with an orientation is needed that turns about its joint");
    }
    if let Some(calibration) = options.calibration {
        let frames = match calibration {
            Calibrate::Pose => &given[..given.len().min(1)],
            Calibrate::Motion => &given[..],
        };
        if !method.calibrate(frames) {
            bail!(
                "no person's size can be seen: head and both wrists are needed, upright, with stretched arms"
            );
        }
    }
    if options.mounts.contains(&Calibrate::Pose)
        && !given.first().is_some_and(|pose| method.mount_by_pose(pose))
    {
        bail!("no mount can be seen: head and both wrists with an orientation are needed in the first frame");
    }
    add_noise(&mut given, options.seed, options.noise);
    let (mut errors, mut times, mut frames, mut filled) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut limbs: Vec<LimbSummary> = Vec::new();
    let opens_apart = match &original[..] {
        [first, second, ..] => method.opens_apart(&narrowed(first), &narrowed(second)),
        _ => given.get(1).is_some_and(|second| points_open_apart(&given[0], second, frame_time)),
    };
    let mut originals: Box<dyn Iterator<Item = sinew::Pose>> = match original {
        Cow::Owned(poses) => Box::new(poses.into_iter().map(|pose| narrowed(&pose))),
        Cow::Borrowed(poses) => Box::new(poses.iter().map(narrowed)),
    };
    for (i, frame) in given.iter().enumerate() {
        if i == 1 && opens_apart {
            method.start_anew();
            errors.clear();
        }
        let result = method.next(frame, originals.next().as_ref());
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
        frames.push(sinew_io::widen::pose(skeleton, method.pose()));
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

/// How many times as far apart as the rig's joints the points of a person may be, or how many times nearer. Sizes of
/// people and rigs differ by less, units by more: an inch is a fortieth of a metre.
const OTHER_UNIT: f32 = 20.0;
/// Frames in which the size of a table's points is looked at, spread over it.
const LOOKED_AT: usize = 1000;

/// A table in another unit than the rig's would become a torn or a crumpled body.
fn check_size(frames: &[Trackers], rest: &Trackers) -> Result<()> {
    let mut ratios: Vec<(f32, f32)> = frames
        .iter()
        .step_by(frames.len().div_ceil(LOOKED_AT).max(1))
        .filter_map(|frame| {
            let pairs = Point::ALL.into_iter().enumerate();
            let pairs = pairs.flat_map(|(i, a)| Point::ALL.into_iter().skip(i + 1).map(move |b| (a, b)));
            let apart = |of: &Trackers, (a, b)| Some(of.position(a)?.distance(of.position(b)?));
            // The two that are the furthest apart say the most.
            pairs
                .filter_map(|pair| apart(frame, pair).zip(apart(rest, pair)))
                .filter(|(_, own)| *own > 0.0)
                .max_by(|a, b| a.0.total_cmp(&b.0))
        })
        .collect();
    ratios.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let Some(&(apart, own)) = ratios.get(ratios.len() / 2) else { return Ok(()) };
    // Points on one spot have no size.
    if apart > 0.0 && !(own / OTHER_UNIT..=own * OTHER_UNIT).contains(&apart) {
        bail!(
            "the points are {apart:.3} m apart where the rig's are {own:.3} m: the table, or the rig, is in another \
             unit than metres (for a table in centimetres give --unit 0.01)"
        );
    }
    Ok(())
}

/// Whether the first frame of a table is no part of the motion; see [`opens_apart`].
pub(crate) fn points_open_apart(first: &Trackers, second: &Trackers, frame_time: f64) -> bool {
    let both = |&point: &Point| first.position(point).zip(second.position(point));
    opens_apart(Point::ALL.iter().filter_map(both), frame_time)
}

/// Adds noise of this standard deviation, in metres, to every coordinate.
pub fn add_noise(frames: &mut [Trackers], seed: u64, size: f64) {
    let mut noise = Noise::new(seed, size);
    for frame in frames {
        noise.add(frame);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn tables_of_points_are_read_and_refused_with_their_place() {
        let frames = read_csv(b"frame,head.x,head.y,head.z\n0,0,1.6,0\n1,,,\n2,1,nan,3\n").unwrap();
        assert_eq!(frames.len(), 3);
        let seen: Vec<bool> = frames.iter().map(|frame| frame.position(Point::Head).is_some()).collect();
        assert_eq!(seen, [true, false, false]);
        let frames = read_csv(b"head.qx,head.qy,head.qz,head.qw\n0,1,0,0\n0,,0,1\n").unwrap();
        let turns: Vec<_> = frames.iter().map(|frame| frame.orientation(Point::Head)).collect();
        assert_eq!(turns, [Some(Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)), None]);
        for (text, place) in [
            ("", "empty"),
            ("nose.x\n1\n", "line 1, column 1"),
            ("head.x,head.y,head.z\n1,2,much\n", "line 2, column 3"),
            ("head.x,head.y,head.z\n1,2\n", "line 2"),
            ("time,head.x,head.y,head.z\nsoon,1,2,3\n", "line 2, column 1"),
            ("head.x,head.y,head.z\n1,2,inf\n", "line 2, column 3"),
            ("head.x,head.y,head.z,head.x\n1,2,3,4\n", "line 1, column 4"),
            ("head.x,head.y\n1,2\n", "head.z beside it"),
            ("head.x,head.y,head.z,head.qw\n1,2,3,1\n", "head.qx beside it"),
            ("frame,time\n1,2\n", "no column of a point"),
            ("head.x,head.y,head.z\n", "a heading alone"),
            ("head.qx,head.qy,head.qz,head.qw\n0,0,0,0\n0,0,0,2\n", "line 3"),
        ] {
            let error = read_csv(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(place), "{text:?}: {error}");
        }
    }
}
