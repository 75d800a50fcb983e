//! Looking: a designed posture that ERIK turns to a target, or a character's eyes, head, neck and spine that share
//! the turn, and the filter that makes a motion of it that servos can follow.

mod path;
mod postures;
mod trace;

use std::time::Instant;

use sinew_f64::error::RigError;
use sinew_f64::filter::{FilterOptions, MotionFilter};
use sinew_f64::math::direction_or;
use sinew_f64::skeleton::humanoid::HumanoidBone;
use sinew_f64::solver::erik::{Erik, ErikOptions, end_that_looks};
use sinew_f64::{Effector, Goal, JointId, ModelPose, Pose, Quat, Skeleton, Vec3};

use sinew_motion::look::{Eye, EyeOptions, Seen, Wish};

use self::path::Stage;
pub use self::postures::{posture, posture_document, postures};
use self::trace::Trace;
use super::checked::{joint, number, place, rotation};
use super::{Step, Workspace};
use crate::rig::Rig;
use crate::wire::{
    Explain, FilterSettings, FrameDetails, LookFrame, LookScene, LookTarget, Q, ServerMessage, V3,
};

/// A step makes up for no more than this, in seconds.
const LONGEST: f64 = 0.1;
/// The filter's own step, in seconds: its curves are drawn this finely.
const FINE: f64 = 1.0 / 240.0;
/// Longer chains cannot be solved within a frame.
const MOST_LINKS: usize = 64;
/// A joint that moves less in a step stands, in radians or metres.
const STILL: f64 = 1.0e-6;

/// The Look workspace.
#[derive(Debug)]
pub struct Look {
    scene: LookScene,
    edition: u32,
    looker: Looker,
    stage: Stage,
    posture: Pose,
    target: Target,
    filter: Option<MotionFilter>,
    wanted: Pose,
    last: Pose,
    shown: Pose,
    trace: Trace,
    /// Where the point is on its path, in rounds.
    phase: f64,
    time: f64,
}

/// What looks, and the solver.
#[derive(Debug)]
struct Looker {
    end: Effector,
    how: How,
    /// Joints that are not moved: they take the posture.
    others: Vec<JointId>,
}

#[derive(Debug)]
enum How {
    /// A chain of hinges; a face at its end is kept upright.
    Chain { erik: Box<Erik>, has_face: bool },
    /// A head on a spine.
    Character(Box<Eye>),
}

/// What is looked at, checked.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Target {
    At(Vec3),
    Toward(Quat),
    Path,
}

/// Why nothing of a rig can look, in words; `None` if something can.
pub fn why_not(rig: &Rig) -> Option<String> {
    Looker::new(rig, None, (true, false)).err()
}

impl Looker {
    fn new(
        rig: &Rig,
        endpoint: Option<u32>,
        (keep_sides, symmetric_endpoint): (bool, bool),
    ) -> Result<Self, String> {
        let skeleton = &rig.asset.skeleton;
        if endpoint.is_none()
            && let Some(head) = rig.map.get(HumanoidBone::Head)
            && let Ok(eye) = Eye::new(&rig.asset, &EyeOptions::default())
            && eye.erik().is_none()
        {
            let how = How::Character(Box::new(eye));
            return Ok(Self { end: Effector::at(head), how, others: Vec::new() });
        }
        let (end, forward) = match endpoint {
            None => {
                let others: Vec<(&str, JointId)> =
                    rig.asset.aliases.iter().map(|alias| (alias.name.as_str(), alias.joint)).collect();
                let found = end_that_looks(skeleton, &others);
                (found.effector, found.forward)
            }
            Some(index) => (Effector::at_tip(skeleton, joint("what looks", skeleton, index)?), None),
        };
        let moving = skeleton.ancestors(end.joint).filter(|&j| moves(skeleton, j)).count();
        if moving > MOST_LINKS {
            return Err(format!("the chain has {moving} joints; looking takes at most {MOST_LINKS}"));
        }
        let usual = if forward.is_some() { ErikOptions::face() } else { ErikOptions::following() };
        let options = ErikOptions { keep_sides, symmetric_endpoint, ..usual };
        let kind = match forward {
            Some(axis) => sinew_f64::Target::Aim { axis, at: Vec3::ZERO },
            None => sinew_f64::Target::Orientation(Quat::IDENTITY),
        };
        let goal = Goal::new(end, kind);
        let erik = Erik::new(skeleton, &[goal], options).map_err(|error| match error {
            RigError::WrongKind { joint, kind, .. } => {
                format!("looking takes chains of hinges and slides, and '{joint}' is {kind}")
            }
            RigError::NotSupported { .. } => {
                let name = skeleton.joint(end.joint).name();
                format!("no joint between the root and '{name}' can move")
            }
            other => other.to_string(),
        })?;
        let moved: Vec<JointId> = erik.joints().map(|(joint, _)| joint).collect();
        let others = skeleton.ids().filter(|joint| !moved.contains(joint)).collect();
        Ok(Self { end, how: How::Chain { erik: Box::new(erik), has_face: forward.is_some() }, others })
    }

    /// Where it looks from, and in which direction.
    fn sight(&self, model: &ModelPose) -> (Vec3, Vec3) {
        let end = self.end.transform(model);
        match &self.how {
            How::Chain { erik, .. } => (end.translation, erik.sight(0, end).unwrap_or(Vec3::Z)),
            How::Character(eye) => {
                // Two eyes look from the middle between them.
                let sights = eye.sights(model);
                let share = 1.0 / sights.len().max(1) as f64;
                let sum = sights.iter().fold((Vec3::ZERO, Vec3::ZERO), |sum, s| (sum.0 + s.0, sum.1 + s.1));
                (sum.0 * share, direction_or(sum.1, Vec3::Z))
            }
        }
    }
}

/// What ERIK may do to a posture: whether bends keep their sides, and whether upside down is as good.
fn shape(scene: &LookScene) -> (bool, bool) {
    (scene.keep_sides, scene.symmetric)
}

fn moves(skeleton: &Skeleton, joint: JointId) -> bool {
    skeleton.joint(joint).kind().degrees_of_freedom() > 0
}

fn filter_options(settings: &FilterSettings) -> Result<FilterOptions, String> {
    let order = settings.order;
    if !(1..=3).contains(&order) {
        return Err(format!("the filter's order is {order}; it is 1, 2 or 3"));
    }
    Ok(FilterOptions {
        order,
        velocity: number("the filter's velocity", settings.velocity, 1.0e-3..=1.0e3)?,
        acceleration: number("the filter's acceleration", settings.acceleration, 1.0e-3..=1.0e5)?,
        jerk: number("the filter's jerk", settings.jerk, 1.0e-3..=1.0e7)?,
        smoothness: number("the filter's smoothness", settings.smoothness, 0.0..=1.0)?,
        responsiveness: number("the filter's responsiveness", settings.responsiveness, 0.0..=0.999)?,
        ..FilterOptions::default()
    })
}

fn checked_target(target: &LookTarget) -> Result<Target, String> {
    Ok(match target {
        LookTarget::At { position } => Target::At(place("the target", *position)?),
        LookTarget::Toward { rotation: turn } => Target::Toward(rotation("the direction", *turn)?),
        LookTarget::Path { speed, .. } => {
            number("the path's speed", *speed, 0.0..=10.0)?;
            Target::Path
        }
    })
}

impl Look {
    /// The posture shown, by this name, as it is kept.
    pub fn posture_document(&self, rig: &Rig, name: &str) -> crate::wire::PostureDocument {
        posture_document(&rig.asset.skeleton, name, &self.shown)
    }

    /// The point that is looked at now, if it is one.
    fn point(&self) -> Option<Vec3> {
        match (self.target, &self.scene.target) {
            (Target::At(point), _) => Some(point),
            (Target::Path, LookTarget::Path { path, .. }) => Some(self.stage.at(*path, self.phase)),
            _ => None,
        }
    }

    fn solve(&mut self, rig: &Rig) -> Seen {
        let skeleton = &rig.asset.skeleton;
        let wish = match (self.point(), self.target) {
            (Some(point), _) => Wish::At(point),
            (None, Target::Toward(turn)) => Wish::Toward(turn),
            (None, _) => Wish::Toward(Quat::IDENTITY),
        };
        for &joint in &self.looker.others {
            self.wanted.set_rotation(joint, self.posture.rotation(joint));
            self.wanted.set_translation(joint, self.posture.translation(joint));
        }
        let seen = match &mut self.looker.how {
            How::Chain { erik, has_face } => {
                let now = self.looker.end.transform(&ModelPose::new(skeleton, &self.wanted));
                let target = match wish {
                    Wish::At(point) if *has_face => erik.upright(0, now.translation, point),
                    Wish::At(point) => erik.aim(0, point),
                    Wish::Toward(turn) => erik.toward(0, turn),
                };
                let report = erik.solve(skeleton, &self.posture, &[target], &mut self.wanted);
                Seen {
                    reached: report.solve.reached(),
                    cause: report.solve.cause,
                    missed: Vec::new(),
                    errors: report.errors,
                }
            }
            How::Character(eye) => eye.look(skeleton, &self.posture, wish, 1.0, false, &mut self.wanted),
        };
        rig.asset.apply_mimics(&mut self.wanted);
        seen
    }

    /// Moves what is shown towards what is wanted, in fine steps.
    fn follow(&mut self, rig: &Rig, seconds: f64) {
        let skeleton = &rig.asset.skeleton;
        let count = (seconds / FINE).round().max(1.0);
        for _ in 0..count as usize {
            let dt = seconds / count;
            match &mut self.filter {
                Some(filter) => filter.step(skeleton, &self.wanted, dt, &mut self.shown),
                None => self.shown.copy_from(&self.wanted),
            }
            if dt > 0.0 {
                self.time += dt;
                self.trace.add(skeleton, self.filter.as_ref(), (&self.wanted, &self.shown), (self.time, dt));
            }
        }
        rig.asset.apply_mimics(&mut self.shown);
    }

    /// Whether something still moves.
    fn is_moving(&self) -> bool {
        let on_path = matches!(self.scene.target, LookTarget::Path { speed, .. } if speed > 0.0);
        let changes = self.wanted.rotations().iter().zip(self.last.rotations()).any(|(a, b)| {
            let off = *a - *b;
            off.length() > STILL
        });
        let slides = self.wanted.translations().iter().zip(self.last.translations());
        let filtered = self.filter.as_ref().is_some_and(|filter| {
            let moving = |a: &sinew_f64::filter::AxisFilter| {
                a.velocity().abs() > STILL || (a.position() - a.goal()).abs() > STILL
            };
            filter.axes().iter().any(moving)
        });
        on_path || changes || filtered || slides.into_iter().any(|(a, b)| a.distance(*b) > STILL)
    }

    fn frame(&mut self, rig: &Rig, seen: &Seen, moving: bool) -> LookFrame {
        let skeleton = &rig.asset.skeleton;
        let (eye, sight) = self.looker.sight(&ModelPose::new(skeleton, &self.shown));
        let (reached, cause, errors) = (seen.reached, seen.cause, seen.errors);
        let name = skeleton.joint(self.looker.end.joint).name();
        let mut outcome = match reached {
            true => "looks there in the posture".to_string(),
            false => {
                let cause = cause.map(|cause| cause.words(skeleton, &[name]));
                let cause = cause.unwrap_or_else(|| "the joints cannot do both".into());
                format!("looks there only in part: {cause}")
            }
        };
        if moving && self.filter.is_some() {
            outcome.push_str("; on its way");
        }
        LookFrame {
            reached,
            outcome,
            typed_cause: cause.map(|cause| cause.typed(skeleton, &[name])),
            target: self.point().map(|point| point.to_array()),
            phase: self.phase,
            eye: eye.to_array(),
            sight: sight.to_array(),
            orientation_error: errors.orientation,
            posture_error: errors.posture,
            combined_error: errors.combined,
            posture: rig.placed(&self.posture),
            wanted: rig.placed(&self.wanted),
            samples: self.trace.take(),
        }
    }

    /// The posture of a scene, and the other joints of robots that follow.
    fn posture_of(rig: &Rig, scene: &LookScene) -> Result<Pose, String> {
        let mut pose = posture(&rig.asset.skeleton, &scene.values, &scene.rotations)?;
        rig.asset.apply_mimics(&mut pose);
        Ok(pose)
    }

    /// Puts everything to a pose, at rest.
    fn put(&mut self, rig: &Rig, pose: Pose) {
        self.filter = filter(rig, &self.scene, &pose).ok().flatten();
        (self.wanted, self.last, self.shown) = (pose.clone(), pose.clone(), pose);
        self.trace.restart();
    }
}

/// The filter of a scene, at rest at a pose.
fn filter(rig: &Rig, scene: &LookScene, pose: &Pose) -> Result<Option<MotionFilter>, String> {
    let options = scene.filter.as_ref().map(filter_options).transpose()?;
    Ok(options.map(|options| {
        let mut filter = MotionFilter::new(&rig.asset.skeleton, options, pose);
        for drive in &rig.asset.drives {
            drive.velocity.into_iter().for_each(|velocity| filter.bound_velocity(drive.joint, velocity));
        }
        filter
    }))
}

impl Workspace for Look {
    type Scene = LookScene;

    fn new(rig: &Rig, scene: LookScene) -> Result<Self, String> {
        let skeleton = &rig.asset.skeleton;
        let looker = Looker::new(rig, scene.endpoint, shape(&scene))?;
        let posture = Self::posture_of(rig, &scene)?;
        let mut start = posture.clone();
        start.project(skeleton);
        Ok(Self {
            filter: filter(rig, &scene, &start)?,
            target: checked_target(&scene.target)?,
            trace: Trace::new(joint("the plotted joint", skeleton, scene.plotted)?),
            stage: Stage::new(skeleton),
            scene,
            edition: rig.edition,
            looker,
            posture,
            wanted: start.clone(),
            last: start.clone(),
            shown: start,
            phase: 0.0,
            time: 0.0,
        })
    }

    fn set_scene(&mut self, rig: &Rig, scene: LookScene) -> Result<(), String> {
        let skeleton = &rig.asset.skeleton;
        let posture = Self::posture_of(rig, &scene)?;
        let target = checked_target(&scene.target)?;
        let plotted = joint("the plotted joint", skeleton, scene.plotted)?;
        if scene.filter != self.scene.filter {
            self.filter = filter(rig, &scene, &self.shown)?;
        }
        let chain = |scene: &LookScene| (scene.endpoint, shape(scene));
        if chain(&scene) != chain(&self.scene) {
            self.looker = Looker::new(rig, scene.endpoint, shape(&scene))?;
        }
        self.trace.follow(plotted);
        (self.posture, self.target, self.scene) = (posture, target, scene);
        Ok(())
    }

    fn drag(&mut self, _: &Rig, target: &str, position: V3, turn: Option<Q>) -> Result<(), String> {
        if target != "target" {
            return Err(format!("there is no '{target}' to drag; there is 'target'"));
        }
        self.target = match (self.target, turn) {
            (Target::At(_), _) => Target::At(place("the target", position)?),
            (Target::Toward(_), Some(turn)) => Target::Toward(rotation("the direction", turn)?),
            (Target::Toward(_), None) => return Err("a direction is turned, not moved".into()),
            (Target::Path, _) => return Err("the target moves by itself; choose a point to drag it".into()),
        };
        Ok(())
    }

    fn step(&mut self, rig: &Rig, seconds: f64) -> Step {
        let mut messages = Vec::new();
        if rig.edition != self.edition {
            self.edition = rig.edition;
            match Looker::new(rig, self.scene.endpoint, shape(&self.scene)) {
                Ok(looker) => self.looker = looker,
                Err(message) => messages.push(ServerMessage::Failed { request: 0, message }),
            }
            let mut shown = self.shown.clone();
            shown.project(&rig.asset.skeleton);
            self.put(rig, shown);
        }
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { 0.0 };
        if let LookTarget::Path { speed, .. } = self.scene.target {
            self.phase = (self.phase + speed * seconds).fract();
        }
        let start = Instant::now();
        let seen = self.solve(rig);
        self.follow(rig, seconds);
        let solve = start.elapsed();
        let busy = self.is_moving();
        self.last.copy_from(&self.wanted);
        Step { details: FrameDetails::Look(self.frame(rig, &seen, busy)), solve, busy, messages }
    }

    fn pose(&self) -> &Pose {
        &self.shown
    }

    fn stand(&mut self, rig: &Rig, pose: &Pose, time: Option<f64>) -> bool {
        self.put(rig, pose.clone());
        self.phase = time.filter(|time| time.is_finite()).map_or(self.phase, |time| time.rem_euclid(1.0));
        !matches!(self.scene.target, LookTarget::Path { speed, .. } if speed > 0.0)
    }

    fn reset(&mut self, rig: &Rig) {
        self.phase = 0.0;
        self.put(rig, Pose::rest(&rig.asset.skeleton));
    }
}
