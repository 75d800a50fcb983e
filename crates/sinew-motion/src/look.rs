//! What of a rig looks, and how: a chain of hinges through ERIK, or a character's eyes, head, neck
//! and spine. [`Stream`] follows targets over time, through the motion filter.
//!
//! ```
//! use sinew_f64::{ModelPose, Pose, Vec3};
//! use sinew_motion::look::{Eye, EyeOptions, Wish};
//! let asset = sinew_io::Asset::new(sinew_f64::rigs::by_name("humanoid")?);
//! let mut eye = Eye::new(&asset, &EyeOptions::default())?;
//! let (posture, mut pose) = (Pose::rest(&asset.skeleton), Pose::rest(&asset.skeleton));
//! let at = Wish::At(Vec3::new(1.0, 1.8, 1.5));
//! let seen = eye.look(&asset.skeleton, &posture, at, 1.0, true, &mut pose);
//! assert!(seen.reached);
//! let model = ModelPose::new(&asset.skeleton, &pose);
//! assert!(eye.rolls(&model).iter().all(|roll| roll.abs() < 0.1), "upright");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod postures;
mod stream;

use sinew_f64::analytic::{Gaze, GazeWeights};
use sinew_f64::error::RigError;
use sinew_f64::math::rotation;
use sinew_f64::skeleton::humanoid::HumanoidBone;
use sinew_f64::solver::erik::{EndPoint, Erik, ErikErrors, ErikOptions, end_that_looks};
use sinew_f64::{Cause, Effector, Goal, JointId, ModelPose, Pose, Quat, Skeleton, Target, Vec3};
use sinew_io::Asset;

pub use postures::posture;
pub use stream::Stream;

/// Where to look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wish {
    /// At a point.
    At(Vec3),
    /// In a direction: turned like this from straight ahead.
    Toward(Quat),
}

/// How a rig looks.
#[derive(Debug, Clone, PartialEq)]
pub struct EyeOptions {
    /// What looks; a character's head, or what is called a head, an eye, a camera or a lamp, if empty.
    pub endpoints: Vec<Effector>,
    /// Where end points look, in their own frame.
    pub forward: Option<Vec3>,
    /// Bends keep the sides that they have in the posture.
    pub keep_sides: bool,
    /// SymmetricEndpoint: upside down is as good.
    pub symmetric: bool,
    /// How often a second a moving target is looked at; `None` for single poses.
    pub rate: Option<f64>,
}

impl Default for EyeOptions {
    fn default() -> Self {
        Self { endpoints: Vec::new(), forward: None, keep_sides: true, symmetric: false, rate: None }
    }
}

/// What looks.
#[derive(Debug, Clone)]
pub struct Eye {
    sort: Sort,
    names: Vec<String>,
    why: Option<String>,
    /// The side of each head with a face that is up at rest, in its own frame.
    tops: Vec<(JointId, Vec3)>,
    /// Which way that is, in model space.
    up: Vec3,
    /// In how many looks what is followed goes back to the posture.
    ease: f64,
    /// The orientation error of the last look.
    missed: f64,
    /// Whether the target had jumped since the look before, if that is known.
    jumped: Option<bool>,
}

#[derive(Debug, Clone)]
enum Sort {
    Chain {
        erik: Box<Erik>,
        ends: Vec<Effector>,
        /// Whether the end points are heads with a face, which are kept upright.
        faces: bool,
        /// The pose that is followed.
        pose: Pose,
    },
    Character(Box<Gaze>),
}

/// What came of a look.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Whether it looks there.
    pub reached: bool,
    /// What stood in the way.
    pub cause: Option<Cause>,
    /// By how much each end point misses, in radians.
    pub missed: Vec<f64>,
    /// The paper's measures.
    pub errors: ErikErrors,
}

/// A character looks there if it misses by less.
const THERE: f64 = 0.02;
/// The fastest that a set-point goes to a better pose that is far off, in radians a second.
const FASTEST: f64 = 8.4;
/// The orientation error from one look to the next at which a target has jumped: about 9°.
const JUMPED: f64 = 0.05;
/// The time in which what the target leaves free goes most of the way back to the posture, in seconds.
const EASE: f64 = 0.3;
/// How often a target that has jumped is looked at, so that what is found has settled.
const SETTLING: usize = 16;

/// The joints of a character that look, if it has a head that ERIK's hinges do not move.
fn character(asset: &Asset) -> Option<(Gaze, JointId)> {
    let (skeleton, map) = (&asset.skeleton, asset.humanoid());
    let head = map.get(HumanoidBone::Head)?;
    let balls = skeleton.ancestors(head).any(|j| skeleton.joint(j).kind().degrees_of_freedom() == 3);
    let gaze = balls.then(|| Gaze::new(skeleton, &map, GazeWeights::default()))?;
    gaze.ok().map(|gaze| (gaze, head))
}

impl Eye {
    /// Finds what looks. Refuses rigs of which nothing can.
    pub fn new(asset: &Asset, options: &EyeOptions) -> Result<Self, RigError> {
        let skeleton = &asset.skeleton;
        let rest = ModelPose::rest(skeleton);
        let top = |joint: JointId, up: Vec3| (joint, rest.rotation(joint).conjugate() * up);
        if options.endpoints.is_empty()
            && let Some((gaze, head)) = character(asset)
        {
            let name = skeleton.joint(head).name().to_string();
            let count = gaze.joints().len();
            let joints = if count == 1 { "joint takes" } else { "joints share" };
            let why = Some(format!("{name} looks: it is the head; {count} {joints} the turn"));
            let names = match gaze.sights(&rest).count() {
                1 => vec![name],
                count => (gaze.joints().iter().rev().take(count).rev())
                    .map(|joint| skeleton.joint(*joint).name().to_string())
                    .collect(),
            };
            // A character may lie in its file.
            let up = asset.humanoid().facing().map_or(Vec3::Y, |facing| facing.up);
            let tops = vec![top(head, up)];
            let sort = Sort::Character(Box::new(gaze));
            return Ok(Self { sort, names, why, tops, up, ease: 0.0, missed: 0.0, jumped: None });
        }
        let (mut chosen, mut why) = (None, None);
        let ends = if options.endpoints.is_empty() {
            let others: Vec<(&str, JointId)> =
                asset.aliases.iter().map(|alias| (alias.name.as_str(), alias.joint)).collect();
            let EndPoint { effector, forward, name, why: reason } = end_that_looks(skeleton, &others);
            why = Some(format!("{name} looks: it {reason}"));
            chosen = forward;
            vec![effector]
        } else {
            options.endpoints.clone()
        };
        // A head with a face looks out of it and is kept upright, unless it is said how it looks.
        let faces = options.forward.is_none() && chosen.is_some();
        let kind = match options.forward.or(chosen) {
            Some(axis) => Target::Aim { axis, at: Vec3::ZERO },
            None => Target::Orientation(Quat::IDENTITY),
        };
        let goals: Vec<Goal> = ends.iter().map(|end| Goal::new(*end, kind)).collect();
        let rate = options.rate.filter(|rate| *rate > 0.0);
        let ease = rate.map_or(0.0, |rate| EASE * rate);
        let erik_options = ErikOptions {
            keep_sides: options.keep_sides,
            symmetric_endpoint: options.symmetric,
            // One pose is found from the posture; a motion follows itself.
            follow: options.rate.is_some(),
            stride: rate.map_or(0.0, |rate| FASTEST / rate),
            ..if faces { ErikOptions::face() } else { ErikOptions::following() }
        };
        let erik = Erik::new(skeleton, &goals, erik_options)?;
        let tops = if faces { ends.iter().map(|end| top(end.joint, Vec3::Y)).collect() } else { Vec::new() };
        let names = ends.iter().map(|e| skeleton.joint(e.joint).name().to_string()).collect();
        let sort = Sort::Chain { erik: Box::new(erik), ends, faces, pose: Pose::rest(skeleton) };
        Ok(Self { sort, names, why, tops, up: Vec3::Y, ease, missed: 0.0, jumped: None })
    }

    /// The names of what looks.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What was chosen to look and why, in words; `None` if it was said.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// The solver of a chain of hinges; `None` of a character.
    pub fn erik(&self) -> Option<&Erik> {
        match &self.sort {
            Sort::Chain { erik, .. } => Some(erik),
            Sort::Character(_) => None,
        }
    }

    /// Set-points may jump: something else bounds how fast joints go.
    fn stride_freely(&mut self) {
        if let Sort::Chain { erik, .. } = &mut self.sort {
            erik.set_stride(0.0);
        }
    }

    /// Whether the target had jumped since the look before; `None` if that is not known.
    pub fn jumped(&self) -> Option<bool> {
        self.jumped
    }

    /// The joints that are moved.
    pub fn joints(&self) -> Vec<JointId> {
        match &self.sort {
            Sort::Chain { erik, .. } => erik.joints().map(|(joint, _)| joint).collect(),
            Sort::Character(gaze) => gaze.joints().to_vec(),
        }
    }

    /// Where every end point looks from, and in which direction.
    pub fn sights(&self, model: &ModelPose) -> Vec<(Vec3, Vec3)> {
        match &self.sort {
            Sort::Chain { erik, ends, .. } => (ends.iter().map(|end| end.transform(model)).enumerate())
                .map(|(i, now)| (now.translation, erik.sight(i, now).unwrap_or(Vec3::Z)))
                .collect(),
            Sort::Character(gaze) => gaze.sights(model).collect(),
        }
    }

    /// By how much each head with a face is rolled about its line of sight from upright, in radians;
    /// beyond a quarter turn it is upside down. Empty where nothing has a face. A head that looks
    /// straight up or down has no roll.
    pub fn rolls(&self, model: &ModelPose) -> Vec<f64> {
        let looks = match &self.sort {
            Sort::Chain { .. } => self.sights(model),
            Sort::Character(gaze) => vec![gaze.head(model)],
        };
        (self.tops.iter().zip(looks))
            .map(|((joint, top), (_, sight))| {
                let level = self.up - sight * sight.dot(self.up);
                let shown = model.rotation(*joint) * *top;
                let shown = shown - sight * shown.dot(sight);
                if level.length() < POLE {
                    0.0
                } else {
                    sight.dot(level.cross(shown)).atan2(level.dot(shown))
                }
            })
            .collect()
    }

    /// Warps a posture so that it looks, as much as `weight` says. `anew` forgets what was followed.
    pub fn look(
        &mut self,
        skeleton: &Skeleton,
        posture: &Pose,
        wish: Wish,
        weight: f64,
        anew: bool,
        out: &mut Pose,
    ) -> Seen {
        match &mut self.sort {
            Sort::Character(gaze) => {
                out.copy_from(posture);
                let target = far_point(gaze, &ModelPose::new(skeleton, posture), wish);
                let outcome = gaze.solve(skeleton, target, weight, out);
                let (missed, errors) = character_errors(gaze, skeleton, posture, wish, out);
                let worst = missed.iter().copied().fold(0.0, f64::max);
                Seen { reached: worst <= THERE, cause: outcome.cause, missed, errors }
            }
            Sort::Chain { erik, ends, faces, pose } => {
                if anew {
                    pose.copy_from(posture);
                    pose.project(skeleton);
                }
                // A face looks from where it is, which looking changes.
                let mut rounds = if anew && *faces { 4 } else { 1 };
                let mut report = None;
                if self.ease > 0.0 && !anew {
                    let targets = targets(erik, ends, *faces, &ModelPose::new(skeleton, pose), wish);
                    let off = erik.measure(skeleton, posture, &targets, pose);
                    let off = off.map_or(1.0, |errors| errors.orientation);
                    // A target that has jumped is met as the posture has it, at once and in full: gently it
                    // would be met by the shortest way, and left for the posture's afterwards.
                    let jumped = off > self.missed + JUMPED;
                    self.jumped = Some(jumped);
                    erik.set_ease(if jumped { 0.0 } else { self.ease });
                    // By strides it goes there over several looks.
                    if jumped && erik.options().stride == 0.0 {
                        rounds = SETTLING;
                    }
                }
                for _ in 0..rounds {
                    let targets = targets(erik, ends, *faces, &ModelPose::new(skeleton, pose), wish);
                    let told = if anew {
                        erik.solve_afresh(skeleton, posture, &targets, pose)
                    } else {
                        erik.solve(skeleton, posture, &targets, pose)
                    };
                    report = Some(told.clone());
                }
                self.missed = report.as_ref().map_or(0.0, |report| report.errors.orientation);
                out.copy_from(pose);
                if weight < 1.0 {
                    for (joint, _) in erik.joints() {
                        let values = (posture.value(skeleton, joint), pose.value(skeleton, joint));
                        if let (Some(from), Some(to)) = values {
                            out.set_value(skeleton, joint, from + (to - from) * weight.max(0.0));
                        }
                    }
                    out.project(skeleton);
                }
                let (reached, cause, missed, errors) = report.map_or_else(Default::default, |report| {
                    let missed = report.solve.residuals.iter().map(|r| r.orientation).collect();
                    (report.solve.reached(), report.solve.cause, missed, report.errors)
                });
                Seen { reached, cause, missed, errors }
            }
        }
    }

    /// Orientation and posture error of a pose.
    pub fn measure(&mut self, skeleton: &Skeleton, posture: &Pose, wish: Wish, pose: &Pose) -> [f64; 2] {
        match &mut self.sort {
            Sort::Character(gaze) => {
                let (_, errors) = character_errors(gaze, skeleton, posture, wish, pose);
                [errors.orientation, errors.posture]
            }
            Sort::Chain { erik, ends, faces, .. } => {
                let targets = targets(erik, ends, *faces, &ModelPose::new(skeleton, pose), wish);
                let errors = erik.measure(skeleton, posture, &targets, pose);
                errors.map_or([1.0; 2], |e| [e.orientation, e.posture])
            }
        }
    }
}

/// Below this a line of sight is too steep to have a roll: the sine of what it is off straight up or down.
const POLE: f64 = 0.2;

fn targets(erik: &Erik, ends: &[Effector], faces: bool, model: &ModelPose, wish: Wish) -> Vec<Target> {
    (ends.iter().enumerate())
        .map(|(i, end)| match wish {
            Wish::Toward(turn) => erik.toward(i, turn),
            Wish::At(point) if faces => erik.upright(i, end.transform(model).translation, point),
            Wish::At(point) => erik.aim(i, point),
        })
        .collect()
}

/// The point that a character looks at; for a direction one that is far away.
fn far_point(gaze: &Gaze, model: &ModelPose, wish: Wish) -> Vec3 {
    match wish {
        Wish::At(point) => point,
        Wish::Toward(turn) => gaze.head(model).0 + turn * Vec3::Z * 1.0e3,
    }
}

fn character_errors(
    gaze: &Gaze,
    skeleton: &Skeleton,
    posture: &Pose,
    wish: Wish,
    pose: &Pose,
) -> (Vec<f64>, ErikErrors) {
    let model = ModelPose::new(skeleton, pose);
    let target = far_point(gaze, &model, wish);
    let missed: Vec<f64> =
        gaze.sights(&model).map(|(from, looks)| looks.angle_between(target - from)).collect();
    let worst = missed.iter().copied().fold(0.0, f64::max);
    let off = |joint: &JointId| {
        let turn = posture.rotation(*joint).conjugate() * pose.rotation(*joint);
        0.5 * (1.0 - rotation::angle(turn).cos())
    };
    let joints = gaze.joints();
    let orientation = std::f64::consts::SQRT_2 * (0.25 * worst).sin();
    let shape = joints.iter().map(off).sum::<f64>() / joints.len().max(1) as f64;
    (missed, ErikErrors { orientation, posture: shape, combined: orientation + 0.2 * shape })
}
