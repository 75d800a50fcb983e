//! The whole body from six points, ten methods beside each other: `sinew eval sik`
//! (Unzueta et al. 2008, section 9).
//!
//! | file | what |
//! |---|---|
//! | [`variants`] | what each addition gains |
//! | [`noise`] | what the filter against noise gains |
//!
//! The methods themselves, the motions and the errors are of `sinew-motion`.

pub mod noise;
pub mod variants;

use std::time::Instant;

use anyhow::Result;
use sinew::body::six_point::{Point, SixPoint, SixPointOptions};
use sinew::math::rotation;
use sinew::skeleton::humanoid::Side;
use sinew::{ModelPose, Pose};

use sinew_motion::{FrameError, Method, Sequence, metric};

use crate::stats::{largest, mean, median};
use crate::table::{Cell, Table};

/// What one method made of one sequence.
pub struct Run {
    /// The method.
    pub method: Method,
    /// The error of every frame.
    pub errors: Vec<FrameError>,
    /// Microseconds of every frame.
    pub times: Vec<f64>,
    /// The largest turn of a compared joint from one frame to the next, ours and
    /// the original's, in radians.
    pub steps: (f64, f64),
    /// How often wrists and ankles were hit within a millimetre, and of how many
    /// that are within reach and limits of the pose found.
    pub hits: (usize, usize),
    /// How often wrists and ankles were within the centimetre at which a numerical method stops, of
    /// all.
    pub near: (usize, usize),
    /// Frames with a joint beyond its limit by more than [`BEYOND`], and the furthest, in radians.
    pub beyond: (usize, f64),
    /// The reconstructed poses.
    pub poses: Vec<Pose>,
}

impl Run {
    /// Position and orientation error over all frames.
    pub fn rms(&self) -> (f64, f64) {
        (
            metric::rms(self.errors.iter().map(|e| e.position)),
            metric::rms(self.errors.iter().map(|e| e.orientation)),
        )
    }
}

/// What is not counted as beyond a limit, in radians: half a degree.
pub const BEYOND: f64 = 0.0087;
/// The tolerance of numerical methods in section 9, in metres.
const NEAR: f32 = 0.01;

/// Reconstructs a sequence by a method; every `stride`-th frame. The clock sees
/// the solve alone, on one thread.
pub fn run(method: Method, sequence: &Sequence, stride: usize) -> Result<Run> {
    let skeleton = &sequence.skeleton;
    let mut reconstruction = method.build(sequence)?;
    let measure = SixPoint::new(skeleton, &sequence.map, SixPointOptions::paper())?;
    let height = f64::from(measure.height());
    let joints = sequence.compared();
    let mut pose = reconstruction.start(sequence)?;
    let (mut original, mut made) = (ModelPose::rest(skeleton), ModelPose::rest(skeleton));
    let mut result = Run {
        method,
        errors: vec![],
        times: vec![],
        steps: (0.0, 0.0),
        hits: (0, 0),
        near: (0, 0),
        beyond: (0, 0.0),
        poses: vec![],
    };
    let mut before: Option<(usize, Pose)> = None;
    let dt = sequence.time_step(stride);
    for (i, frame) in sequence.frames.iter().enumerate().step_by(stride.max(1)) {
        original.update(skeleton, frame);
        let trackers = measure.points_of(&original);
        let start = Instant::now();
        reconstruction.solve(sequence, &trackers, dt, &mut pose);
        result.times.push(start.elapsed().as_secs_f64() * 1.0e6);
        made.update(skeleton, &pose);
        result.errors.push(metric::compare(&joints, height, (frame, &original), (&pose, &made)));
        if let Some((last, ours)) = &before {
            for &joint in &joints {
                let step = |a: &Pose, b: &Pose| {
                    f64::from(rotation::angle(a.rotation(joint).conjugate() * b.rotation(joint)))
                };
                result.steps.0 = result.steps.0.max(step(ours, &pose));
                result.steps.1 = result.steps.1.max(step(&sequence.frames[*last], frame));
            }
        }
        count_hits(sequence, &measure, &original, &made, &pose, &mut result);
        let over = joints.iter().map(|&j| skeleton.joint(j).limit().violation(pose.rotation(j)));
        let over = f64::from(over.fold(0.0, f32::max));
        result.beyond = (result.beyond.0 + usize::from(over > BEYOND), result.beyond.1.max(over));
        before = Some((i, pose.clone()));
        result.poses.push(pose.clone());
    }
    Ok(result)
}

/// How long each frame takes, in microseconds.
fn times(method: Method, sequence: &Sequence, stride: usize) -> Result<Vec<f64>> {
    let mut reconstruction = method.build(sequence)?;
    let measure = SixPoint::new(&sequence.skeleton, &sequence.map, SixPointOptions::paper())?;
    let mut pose = reconstruction.start(sequence)?;
    let mut original = ModelPose::rest(&sequence.skeleton);
    let dt = sequence.time_step(stride);
    let mut times = Vec::new();
    for frame in sequence.frames.iter().step_by(stride.max(1)) {
        original.update(&sequence.skeleton, frame);
        let trackers = measure.points_of(&original);
        let start = Instant::now();
        reconstruction.solve(sequence, &trackers, dt, &mut pose);
        times.push(start.elapsed().as_secs_f64() * 1.0e6);
    }
    Ok(times)
}

/// Of the wrists and ankles that the limbs of the pose found could reach within
/// their limits, how many are hit; and of all, how many are near.
fn count_hits(
    sequence: &Sequence,
    body: &SixPoint,
    original: &ModelPose,
    made: &ModelPose,
    pose: &Pose,
    Run { hits, near, .. }: &mut Run,
) {
    let skeleton = &sequence.skeleton;
    for side in [Side::Left, Side::Right] {
        for point in [Point::Wrist(side), Point::Ankle(side)] {
            let Some(joint) = body.joint(point) else { continue };
            let Some(limb) = body.limb(point) else { continue };
            let target = original.position(joint);
            near.0 += usize::from(made.position(joint).distance(target) <= NEAR);
            near.1 += 1;
            let goal = sinew::Target::Position(target);
            let mut trial = pose.clone();
            let swivel = sinew::analytic::Swivel::Last;
            if limb.solve(skeleton, made, &goal, swivel, &mut trial).reached() {
                hits.1 += 1;
                hits.0 += usize::from(made.position(joint).distance(target) <= 1.0e-3);
            }
        }
    }
}

/// All runs of all sequences, method by method.
pub struct Comparison {
    /// The sequences' names and places in the paper's table.
    pub names: Vec<(String, Option<usize>)>,
    /// Frames of each sequence.
    pub frames: Vec<usize>,
    /// One row a sequence, one run a method.
    pub runs: Vec<Vec<Run>>,
}

/// Runs every method on every sequence, one after the other so that the times
/// are honest.
pub fn compare(
    sequences: &[Sequence],
    methods: &[Method],
    stride: usize,
    mut tick: impl FnMut(&str),
) -> Result<Comparison> {
    let mut runs = Vec::new();
    for sequence in sequences {
        let mut row = Vec::new();
        for &method in methods {
            tick(&format!("{} by {}", sequence.name, method.name()));
            let mut run = run(method, sequence, stride)?;
            // Of two runs the shorter time of each frame is that of the method, the longer one maybe another program's.
            for (time, again) in run.times.iter_mut().zip(times(method, sequence, stride)?) {
                *time = time.min(again);
            }
            row.push(run);
        }
        runs.push(row);
    }
    Ok(Comparison {
        names: sequences.iter().map(|s| (s.name.clone(), s.published)).collect(),
        frames: sequences.iter().map(|s| s.frames.len()).collect(),
        runs,
    })
}

impl Comparison {
    /// Table 1: errors, with the paper's in brackets where it has them.
    pub fn errors(&self) -> Table {
        let mut table = self.head("Reconstruction from six points: RMS errors (the paper's in brackets)");
        for (kind, name, digits) in [(0, "position / height", 4), (1, "orientation, rad", 4)] {
            self.rows(
                &mut table,
                name,
                digits,
                |run| if kind == 0 { run.rms().0 } else { run.rms().1 },
                kind,
            );
        }
        table.note("±: two standard errors of the average over the motions");
        table.note("position: mean distance of the compared joints over the height; orientation: mean norm of the exponential map of the local difference; RMS over frames");
        table.note("height: shin, thigh, pelvis, torso and neck, as the paper has it; joints below wrists, ankles and head and joints that cannot move are not compared");
        table
    }

    /// The times, in microseconds; the paper's are of a 2.66 GHz Pentium 4.
    pub fn times(&self) -> Table {
        let mut table = self.head("Time of a frame, median, µs");
        self.rows(&mut table, "µs", 2, |run| median(&run.times), 2);
        self.rows(&mut table, "worst, µs", 1, |run| largest(&run.times), 3);
        let fastest = self.average(|run| median(&run.times));
        if let Some(sik) = fastest.iter().find(|(m, _)| *m == Method::Sik) {
            let mut cells: Vec<Cell> = vec!["against sik".into(), "times".into()];
            cells.extend(fastest.iter().map(|(_, t)| Cell::number(t / sik.1, 1)));
            table.row(cells);
        }
        table.note("in brackets the paper's milliseconds, of a 2.66 GHz Pentium 4; of two runs the shorter time of each frame");
        table
    }

    /// Smoothness: the largest step of a joint against the original's; and the
    /// hits of wrists and ankles.
    pub fn motion(&self) -> Table {
        let mut table = self.head("Smoothness, hits and limits");
        self.rows(
            &mut table,
            "largest step of a joint over the original's",
            2,
            |r| r.steps.0 / r.steps.1.max(1e-9),
            3,
        );
        self.rows(
            &mut table,
            "wrists and ankles within 1 mm, of those reachable, %",
            2,
            |r| 100.0 * r.hits.0 as f64 / r.hits.1.max(1) as f64,
            3,
        );
        self.rows(
            &mut table,
            "wrists and ankles within 1 cm, of all, %",
            2,
            |r| 100.0 * r.near.0 as f64 / r.near.1.max(1) as f64,
            3,
        );
        self.rows(
            &mut table,
            "frames with a joint beyond a limit, %",
            2,
            |r| 100.0 * r.beyond.0 as f64 / r.poses.len().max(1) as f64,
            3,
        );
        self.rows(&mut table, "furthest beyond a limit, °", 2, |r| r.beyond.1.to_degrees(), 3);
        table.note(
            "numerical methods stop at 1 cm, at an iteration that gains less than 1 mm, and after 20; pik goes on to its \
             posture. kma, sik, tgbsik and sik+ have the same bound on how fast elbows and knees swivel, sik-paper has none. \
             beyond: by more than half a degree, by the skeleton's own limits, where sik-paper has splines laid round them",
        );
        for (i, (name, _)) in self.names.iter().enumerate() {
            if let Some(run) = self.runs[i].first() {
                table.note(format!(
                    "{name}: {} frames, largest step of the original {:.1}°",
                    self.frames[i],
                    run.steps.1.to_degrees()
                ));
            }
        }
        table
    }

    fn head(&self, title: &str) -> Table {
        let mut columns = vec!["sequence".to_owned(), "what".to_owned()];
        if let Some(row) = self.runs.first() {
            columns.extend(row.iter().map(|r| r.method.name().to_owned()));
        }
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        Table::new(title, &columns)
    }

    fn rows(
        &self,
        table: &mut Table,
        what: &str,
        digits: usize,
        value: impl Fn(&Run) -> f64 + Copy,
        kind: usize,
    ) {
        for (i, (name, place)) in self.names.iter().enumerate() {
            let mut cells: Vec<Cell> = vec![name.as_str().into(), what.into()];
            for run in &self.runs[i] {
                let number = value(run);
                let paper = place.zip(run.method.published()).filter(|_| kind < 3);
                let places = if kind < 2 { 4 } else { 2 };
                cells.push(match paper {
                    Some((place, paper)) => {
                        format!("{number:.digits$} ({:.places$})", paper[kind][place]).into()
                    }
                    None => Cell::number(number, digits),
                });
            }
            table.row(cells);
        }
        if self.names.len() > 1 {
            let mut cells: Vec<Cell> = vec!["average".into(), what.into()];
            for (method, number) in self.average(value) {
                let published = self.names.iter().all(|n| n.1.is_some()) && kind < 3;
                let places = if kind < 2 { 4 } else { 2 };
                cells.push(match method.published().filter(|_| published) {
                    Some(paper) => format!("{number:.digits$} ({:.places$})", mean(&paper[kind])).into(),
                    None => Cell::number(number, digits),
                });
            }
            table.row(cells);
            if kind < 2 {
                let mut cells: Vec<Cell> = vec!["± over motions".into(), what.into()];
                cells.extend(self.spread(value).into_iter().map(|width| Cell::number(width, digits)));
                table.row(cells);
            }
        }
    }

    /// Two standard errors of each method's average over the sequences.
    fn spread(&self, value: impl Fn(&Run) -> f64) -> Vec<f64> {
        let count = self.runs.first().map_or(0, Vec::len);
        let error = |m: usize| {
            let values: Vec<f64> = self.runs.iter().map(|row| value(&row[m])).collect();
            let (middle, n) = (mean(&values), values.len() as f64);
            let squares: f64 = values.iter().map(|v| (v - middle) * (v - middle)).sum();
            2.0 * (squares / (n - 1.0).max(1.0) / n).sqrt()
        };
        (0..count).map(error).collect()
    }

    /// A value of each method, averaged over the sequences.
    pub fn average(&self, value: impl Fn(&Run) -> f64) -> Vec<(Method, f64)> {
        let count = self.runs.first().map_or(0, Vec::len);
        (0..count)
            .map(|m| {
                let values: Vec<f64> = self.runs.iter().map(|row| value(&row[m])).collect();
                (self.runs[0][m].method, mean(&values))
            })
            .collect()
    }

    /// The worst frame of a run: the largest position error.
    pub fn worst(run: &Run) -> f64 {
        largest(&run.errors.iter().map(|e| e.position).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use sinew_motion::made;

    use super::*;

    /// For each motion bounds of the position and orientation error of every method at four frames apart,
    /// and the position error of Sequential IK (both kinds) at two, each with a tenth more. A walk
    /// bends little; a reach and a punch turn the trunk, of which six points tell only the ends.
    const WORST: [(&str, f64, f64, f64); 3] = [
        ("walking", 0.0192, 0.255, 0.0190),
        ("reaching", 0.0412, 0.490, 0.0248),
        ("boxing", 0.0400, 0.388, 0.0337),
    ];

    fn worst(sequence: &Sequence) -> (f64, f64, f64) {
        let (_, position, orientation, sik) = *WORST.iter().find(|row| row.0 == sequence.name).unwrap();
        (position, orientation, sik)
    }

    /// The position error of a body that only goes where its pelvis is and does nothing else.
    fn stiff(sequence: &Sequence, stride: usize) -> f64 {
        let skeleton = &sequence.skeleton;
        let measure = SixPoint::new(skeleton, &sequence.map, SixPointOptions::paper()).unwrap();
        let pelvis = measure.joint(Point::Pelvis).unwrap();
        let (mut original, mut made) = (ModelPose::rest(skeleton), ModelPose::rest(skeleton));
        let mut pose = Pose::rest(skeleton);
        metric::rms(sequence.frames.iter().step_by(stride).map(|frame| {
            original.update(skeleton, frame);
            pose.set_rotation(skeleton.root(), frame.rotation(skeleton.root()));
            made.update(skeleton, &pose);
            let apart = original.position(pelvis) - made.position(pelvis);
            pose.set_translation(skeleton.root(), pose.translation(skeleton.root()) + apart);
            made.update(skeleton, &pose);
            let height = f64::from(measure.height());
            metric::compare(&sequence.compared(), height, (frame, &original), (&pose, &made)).position
        }))
    }

    #[test]
    fn every_method_reconstructs_what_we_make() {
        for sequence in made::sequences().unwrap() {
            let (most_position, most_orientation, _) = worst(&sequence);
            // The bound says something: who does nothing is far outside of it.
            let nothing = stiff(&sequence, 60);
            assert!(nothing > 2.0 * most_position, "{}: {nothing}", sequence.name);
            for method in Method::ALL {
                // Most go on from the frame before, and stop at the first iteration that gains less than a
                // millimetre: it must not be half a second ago.
                let stride = 4;
                let run = run(method, &sequence, stride).unwrap();
                assert!(run.poses.iter().all(Pose::is_finite), "{}", method.name());
                let (position, orientation) = run.rms();
                assert!(
                    position < most_position && orientation < most_orientation,
                    "{} {}: {position} {orientation}",
                    sequence.name,
                    method.name()
                );
            }
        }
    }

    #[test]
    fn sequential_ik_hits_wrists_and_ankles() {
        for sequence in made::sequences().unwrap() {
            for method in [Method::Sik, Method::SikPlus] {
                let run = run(method, &sequence, 2).unwrap();
                assert_eq!(run.hits.0, run.hits.1, "{} {}", sequence.name, method.name());
                // A wrist or an ankle that is never within reach is not counted, and would hide a miss.
                let all = 4 * run.poses.len();
                assert!(
                    run.hits.1 * 100 >= all * 85,
                    "{} {}: {:?} of {all}",
                    sequence.name,
                    method.name(),
                    run.hits
                );
                assert!(
                    run.rms().0 < worst(&sequence).2,
                    "{} {}: {:?}",
                    sequence.name,
                    method.name(),
                    run.rms()
                );
            }
        }
    }
}
