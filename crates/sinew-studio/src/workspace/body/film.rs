//! A motion that is reconstructed from its points, a slice of it at every step.

use std::time::{Duration, Instant};

use sinew::body::six_point::{Point, SixPointReport, Trackers};
use sinew_f64::{JointId, ModelPose, Pose, Skeleton};
use sinew_io::widen;
use sinew_motion::FrameError;
use sinew_motion::frame_by_frame::{FrameByFrame, Noise};
use sinew_motion::made::{Made, NAMES};
use sinew_motion::metric::median;

use super::{Recipe, points};
use crate::rig::Rig;
use crate::rig::motions::frame_time;
use crate::wire::{BodyFrame, BodyTrack, RigSource};

/// The work of a step.
const SLICE: Duration = Duration::from_millis(3);
/// How often the curves are sent while they grow.
const NEWS: Duration = Duration::from_millis(250);
/// The most values of a curve.
const MOST_VALUES: usize = 1000;
/// What is kept at the most, in joints times frames: some 70 MB.
const MOST_KEPT: usize = 1_000_000;
/// Times that the median is taken of.
const TIMES: usize = 512;

/// Where the original comes from.
enum Original {
    /// A motion of the rig, by its place, and by how much it is raised onto the floor.
    Motion { place: usize, lift: f64 },
    /// Made on the way; with the joints' places in the rig.
    Made { made: Box<Made>, pairs: Vec<(sinew::JointId, JointId)>, frames: Vec<Pose> },
}

/// A motion and what was made of it so far.
pub struct Film {
    recipe: Recipe,
    original: Original,
    solver: FrameByFrame,
    noise: Noise,
    points: Vec<(Point, usize)>,
    frames: usize,
    /// How many frames the motion has, if not all are taken.
    cut: Option<usize>,
    frame_time: f64,
    given: Vec<Trackers>,
    made: Vec<Pose>,
    reports: Vec<Option<SixPointReport>>,
    errors: Vec<FrameError>,
    squares: [f64; 2],
    times: Vec<f64>,
    sent: Option<(Instant, usize)>,
    playhead: f64,
}

impl Film {
    pub fn of_motion(rig: &Rig, recipe: Recipe, motion: usize, frame: u32) -> Result<Self, String> {
        let motions = &rig.asset.motions;
        let found = motions.get(motion).ok_or_else(|| match motions.len() {
            0 => "the rig has no motion of its own".to_string(),
            count => format!("motion {motion} was asked for, but the rig has {count}"),
        })?;
        if found.frames.is_empty() {
            return Err(format!("the motion '{}' has no frames", found.name));
        }
        let original = Original::Motion { place: motion, lift: rig.lift_of(motion) };
        Self::new(rig, recipe, original, (found.frames.len(), frame_time(found)), frame)
    }

    pub fn of_made(rig: &Rig, recipe: Recipe, name: &str, frame: u32) -> Result<Self, String> {
        let made = Made::by_name(name)
            .ok_or_else(|| format!("there is no motion '{name}'; there are {}", NAMES.join(", ")))?;
        let skeleton = &rig.asset.skeleton;
        let pairs: Option<Vec<_>> = made
            .skeleton()
            .ids()
            .map(|id| Some((id, skeleton.find(made.skeleton().joint(id).name())?)))
            .collect();
        let embedded = matches!(&rig.source, RigSource::Rig { name } if name.starts_with("humanoid"));
        let pairs = pairs.filter(|_| embedded).ok_or_else(|| {
            format!("'{name}' is made for the project's own humanoid; take that rig, or a motion of this one")
        })?;
        let original = Original::Made { made: Box::new(made), pairs, frames: Vec::new() };
        Self::new(rig, recipe, original, (Made::FRAMES, Made::FRAME_TIME), frame)
    }

    fn new(
        rig: &Rig,
        recipe: Recipe,
        original: Original,
        (frames, frame_time): (usize, f64),
        frame: u32,
    ) -> Result<Self, String> {
        let solver = recipe.build(rig, frame_time)?;
        let joint = |&point: &Point| solver.joint(point).map(|joint| (point, joint.index()));
        let points = recipe.points.iter().filter_map(joint).collect();
        let most = (MOST_KEPT / rig.asset.skeleton.len().max(1)).max(1);
        let mut film = Self {
            noise: Noise::new(0, recipe.noise),
            recipe,
            original,
            solver,
            points,
            frames: frames.min(most),
            cut: (frames > most).then_some(frames),
            frame_time,
            given: Vec::new(),
            made: Vec::new(),
            reports: Vec::new(),
            errors: Vec::new(),
            squares: [0.0; 2],
            times: Vec::new(),
            sent: None,
            playhead: 0.0,
        };
        film.seek(frame);
        Ok(film)
    }

    pub fn is_made_by(&self, recipe: &Recipe) -> bool {
        self.recipe == *recipe
    }

    pub fn is_working(&self) -> bool {
        self.made.len() < self.frames
    }

    pub fn reconstruction(&self) -> (&[Pose], f64) {
        (&self.made, self.frame_time)
    }

    pub fn seek(&mut self, frame: u32) {
        self.playhead = f64::from(frame).min(self.frames.saturating_sub(1) as f64);
    }

    /// Plays on, round and round over what there is.
    pub fn play(&mut self, seconds: f64) {
        let end = self.made.len().max(1) as f64;
        let next = self.playhead + seconds / self.frame_time;
        // What is not made yet is waited for, not jumped over.
        self.playhead = if self.is_working() && next >= end { end - 1.0 } else { next.rem_euclid(end) };
    }

    /// Makes a slice; gives the curves when there is news.
    pub fn work(&mut self, rig: &Rig) -> Option<BodyTrack> {
        let start = Instant::now();
        while self.is_working() && start.elapsed() < SLICE {
            self.make_frame(rig);
        }
        let due = match self.sent {
            None => true,
            Some((_, count)) if count == self.made.len() => false,
            Some((when, _)) => !self.is_working() || when.elapsed() >= NEWS,
        };
        due.then(|| {
            self.sent = Some((Instant::now(), self.made.len()));
            self.track()
        })
    }

    fn make_frame(&mut self, rig: &Rig) {
        let index = self.made.len();
        let narrow = match &mut self.original {
            Original::Motion { place, lift } => {
                let pose = rig.asset.motions.get(*place).and_then(|m| m.frames.get(index));
                pose.map(|pose| sinew_io::narrow::pose(self.solver.skeleton(), &rig.lifted(pose, *lift)))
            }
            Original::Made { made, pairs, frames } => {
                let mut pose = sinew::Pose::rest(made.skeleton());
                // The project's own motions are on its own humanoid: a frame cannot fail.
                let _ = made.frame(index, &mut pose);
                frames.push(carried(&rig.asset.skeleton, pairs, &pose));
                frames.last().map(|pose| sinew_io::narrow::pose(self.solver.skeleton(), pose))
            }
        };
        let Some(narrow) = narrow else {
            // The motion has gone: what there is stays.
            self.frames = index;
            return;
        };
        let Recipe { points, orientations, .. } = &self.recipe;
        let mut given = self.solver.points_of(&narrow, points, *orientations);
        self.noise.add(&mut given);
        let result = self.solver.next(&given, Some(&narrow));
        let error = result.error.unwrap_or_default();
        self.squares[0] += error.position * error.position;
        self.squares[1] += error.orientation * error.orientation;
        if self.times.len() < TIMES {
            self.times.push(result.micros);
        } else {
            self.times[index % TIMES] = result.micros;
        }
        self.given.push(given);
        self.reports.push(result.report);
        self.errors.push(error);
        self.made.push(widen::pose(&rig.asset.skeleton, self.solver.pose()));
    }

    fn rms(&self) -> [f64; 2] {
        self.squares.map(|sum| (sum / self.errors.len().max(1) as f64).sqrt())
    }

    fn track(&self) -> BodyTrack {
        let stride = self.frames.div_ceil(MOST_VALUES).max(1);
        let curve = |value: fn(&FrameError) -> f64| {
            self.errors.iter().step_by(stride).map(|e| value(e) as f32).collect()
        };
        BodyTrack {
            method: self.recipe.method.name().into(),
            frames: self.frames as u32,
            frame_time: self.frame_time,
            done: self.made.len() as u32,
            stride: stride as u32,
            position: curve(|e| e.position),
            orientation: curve(|e| e.orientation),
            rms: self.rms(),
            micros: median(&self.times),
        }
    }

    /// The frame at the playhead, and the microseconds that a frame takes.
    pub fn show(&self, rig: &Rig, pose: &mut Pose) -> (BodyFrame, f64) {
        let skeleton = &rig.asset.skeleton;
        let index = (self.playhead as usize).min(self.made.len().saturating_sub(1));
        let mut frame = BodyFrame {
            frame: index as u32,
            original: None,
            position_error: None,
            orientation_error: None,
            points: Vec::new(),
            outcome: self.outcome(),
        };
        if let (Some(made), Some(given), Some(error)) =
            (self.made.get(index), self.given.get(index), self.errors.get(index))
        {
            pose.clone_from(made);
            let model = ModelPose::new(skeleton, pose);
            let told = (self.solver.skeleton(), self.reports.get(index).and_then(Option::as_ref));
            frame.points = points::states(skeleton, &model, &self.points, given, told);
            frame.position_error = Some(error.position);
            frame.orientation_error = Some(error.orientation);
            let original = match &self.original {
                Original::Motion { place, lift } => {
                    let pose = rig.asset.motions.get(*place).and_then(|m| m.frames.get(index));
                    pose.map(|pose| rig.lifted(pose, *lift))
                }
                Original::Made { frames, .. } => frames.get(index).cloned(),
            };
            frame.original = original.map(|original| rig.placed(&original));
        }
        (frame, median(&self.times))
    }

    fn outcome(&self) -> String {
        let [position, orientation] = self.rms();
        let mut words = match self.is_working() {
            true => format!("{} of {} frames", self.made.len(), self.frames),
            false => format!("all {} frames", self.frames),
        };
        words += &format!(
            " by {} from {} points: {:.2} % of the height and {:.1}° off",
            self.recipe.method.name(),
            self.points.len(),
            100.0 * position,
            orientation.to_degrees()
        );
        if let Some(whole) = self.cut {
            words += &format!("; the motion has {whole} frames, which is too long to keep");
        }
        words
    }
}

/// A pose of the project's humanoid on the rig's joints of the same names.
fn carried(skeleton: &Skeleton, pairs: &[(sinew::JointId, JointId)], pose: &sinew::Pose) -> Pose {
    let mut carried = Pose::rest(skeleton);
    for &(from, to) in pairs {
        carried.set_rotation(to, pose.rotation(from).as_dquat().normalize());
        carried.set_translation(to, pose.translation(from).as_dvec3());
    }
    carried
}
