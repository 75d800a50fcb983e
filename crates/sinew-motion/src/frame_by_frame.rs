//! A reconstruction that is stepped: a frame of points goes in, a pose comes out.

use std::time::Instant;

use anyhow::{Result, bail};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use sinew::body::six_point::{Point, SixPointReport, Trackers};
use sinew::math::Vec3;
use sinew::skeleton::humanoid::HumanoidMap;
use sinew::{JointId, ModelPose, Pose, Skeleton};

use crate::methods::Reconstruction;
use crate::{FrameError, Method, Sequence, metric};

/// A method at work, frame after frame.
pub struct FrameByFrame {
    sequence: Sequence,
    method: Reconstruction,
    joints: Vec<JointId>,
    pose: Pose,
    rest: ModelPose,
    made: ModelPose,
    original: ModelPose,
}

/// What came of a frame.
#[derive(Debug, Clone, Copy)]
pub struct FrameResult {
    /// Against the original, where there is one.
    pub error: Option<FrameError>,
    /// What sequential IK says of it.
    pub report: Option<SixPointReport>,
    /// How long the solve took.
    pub micros: f64,
}

impl FrameByFrame {
    /// A method for a skeleton, at its start.
    pub fn new(method: Method, skeleton: Skeleton, map: HumanoidMap, frame_time: f64) -> Result<Self> {
        Self::filtered(method, skeleton, map, frame_time, 0.0)
    }

    /// The same with noise of this standard deviation filtered, in metres; zero filters nothing.
    pub fn filtered(
        method: Method,
        skeleton: Skeleton,
        map: HumanoidMap,
        frame_time: f64,
        noise: f64,
    ) -> Result<Self> {
        if noise > 0.0 && !matches!(method, Method::Sik | Method::SikPlus) {
            bail!("{} has no filter against noise; sik and sik+ have one", method.name());
        }
        let sequence = Sequence {
            name: String::new(),
            skeleton,
            map,
            frames: Vec::new(),
            frame_time,
            rigid: false,
            published: None,
        };
        let method = method.build_filtered(&sequence, noise)?;
        let model = ModelPose::rest(&sequence.skeleton);
        Ok(Self {
            joints: sequence.compared(),
            pose: method.start(&sequence)?,
            rest: model.clone(),
            made: model.clone(),
            original: model,
            method,
            sequence,
        })
    }

    /// Whether a motion that begins with these poses opens with one that is no part of it, such as a T-pose.
    pub fn opens_apart(&self, first: &Pose, second: &Pose) -> bool {
        self.sequence.opens_apart(first, second)
    }

    /// The skeleton, in single precision.
    pub fn skeleton(&self) -> &Skeleton {
        &self.sequence.skeleton
    }

    /// The joint that a point is on, if the body has it.
    pub fn joint(&self, point: Point) -> Option<JointId> {
        self.method.body.joint(point)
    }

    /// The pose of the last frame.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The same in model space.
    pub fn model(&self) -> &ModelPose {
        &self.made
    }

    /// What trackers on these points of a pose would say.
    pub fn points_of(&mut self, pose: &Pose, points: &[Point], orientations: bool) -> Trackers {
        self.original.update(&self.sequence.skeleton, pose);
        let mut frame = Trackers::default();
        for &point in points {
            if let Some(joint) = self.method.body.joint(point) {
                let orientation = orientations.then(|| self.original.rotation(joint));
                frame.set(point, Some(self.original.position(joint)), orientation);
            }
        }
        frame
    }

    /// Trackers whose orientations are turns from the rest pose, as those of the joints.
    pub fn from_rest(&self, frame: &Trackers) -> Trackers {
        let mut turned = *frame;
        for point in Point::ALL {
            if let (Some(joint), Some(turn)) = (self.method.body.joint(point), frame.orientation(point)) {
                turned = turned.turned(point, turn * self.rest.rotation(joint));
            }
        }
        turned
    }

    /// Takes a person's height and arm length from frames; whether they could be seen.
    pub fn calibrate(&mut self, frames: &[Trackers]) -> bool {
        self.method.body.calibrate_from(frames).is_some()
    }

    /// Takes how trackers are turned on their joints from a T- or A-pose; whether that could be seen of any.
    pub fn mount_by_pose(&mut self, pose: &Trackers) -> bool {
        self.method.body.mount_by_pose(&self.sequence.skeleton, pose) > 0
    }

    /// Takes where joints are in their trackers from frames of motion; whether that could be seen of any.
    pub fn mount_by_motion(&mut self, frames: &[Trackers]) -> bool {
        self.method.body.mount_by_motion(frames) > 0
    }

    /// Forgets the frames before: the next one is the first.
    pub fn start_anew(&mut self) {
        self.method.body.reset();
    }

    /// Poses the next frame, one frame time after the last.
    pub fn next(&mut self, given: &Trackers, original: Option<&Pose>) -> FrameResult {
        self.next_after(self.sequence.frame_time, given, original)
    }

    /// Poses the next frame, so many seconds after the last.
    pub fn next_after(&mut self, seconds: f64, given: &Trackers, original: Option<&Pose>) -> FrameResult {
        let start = Instant::now();
        let report = self.method.solve(&self.sequence, given, seconds as f32, &mut self.pose);
        let micros = start.elapsed().as_secs_f64() * 1.0e6;
        self.made.update(&self.sequence.skeleton, &self.pose);
        let height = f64::from(self.method.body.height());
        let error = original.map(|original| {
            self.original.update(&self.sequence.skeleton, original);
            metric::compare(&self.joints, height, (original, &self.original), (&self.pose, &self.made))
        });
        FrameResult { error, report, micros }
    }
}

/// Whether a method can work from these points, or why not.
pub fn check_points(method: Method, points: &[Point], orientations: bool) -> Result<()> {
    let other = points.iter().any(|p| !Point::SIX.contains(p))
        || Point::SIX.iter().any(|p| !points.contains(p))
        || orientations;
    if other && !matches!(method, Method::Sik | Method::SikPlus) {
        bail!("{} takes the six positions and nothing else; sik and sik+ take other points", method.name());
    }
    Ok(())
}

/// Noise on the points, the same for a seed.
#[derive(Debug)]
pub struct Noise {
    random: Pcg64Mcg,
    size: f64,
}

impl Noise {
    /// `size` is the standard deviation of every coordinate, in metres.
    pub fn new(seed: u64, size: f64) -> Self {
        Self { random: Pcg64Mcg::seed_from_u64(seed), size }
    }

    /// Adds it to the next frame.
    pub fn add(&mut self, frame: &mut Trackers) {
        if self.size <= 0.0 {
            return;
        }
        let Self { random, size } = self;
        // Twelve even numbers make a normal one, near enough for a millimetre of noise.
        let mut normal = || ((0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0) * *size;
        for point in Point::ALL {
            if let Some(position) = frame.position(point) {
                let wrong = Vec3::new(normal() as f32, normal() as f32, normal() as f32);
                *frame = frame.with(point, position + wrong);
            }
        }
    }
}
