//! The Pose workspace: goals on any joint, any solver, and a second one beside it.
//!
//! A solve starts from the frame before, unless the scene says from rest. The
//! root of a character is held where it is, as `sinew solve` does, unless it
//! may travel or a goal is on it. A pin is a goal of the first priority and
//! great weight, at the place where its joint was when it was pinned.
//!
//! Bodies move as is natural (`sinew::goal`): they are drawn to the pose that the rig opens with, or to that of a
//! motion that was stopped, feet
//! are firm, and what nobody has taken hold of is soft. Once dragged, a goal is no longer.

mod runner;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use sinew_f64::goal::PostureGoal;
use sinew_f64::math::direction_or;
use sinew_f64::skeleton::humanoid::HumanoidBone;
use sinew_f64::{
    Cause, Goal, GoalId, GoalSet, JointId, JointKind, ModelPose, Pose, SolveReport, Target, Transform, Vec3,
};

use super::{Step, Workspace, checked};
use crate::rig::Rig;
use crate::wire::{
    Explain, FrameDetails, GhostFrame, GoalError, PoseFrame, PoseGoal, PoseScene, Q, SolverChoice,
    TargetKind, V3, WireCause,
};
use runner::Runner;

/// The most goals and pins together.
const MOST_GOALS: usize = 256;
/// The most that a goal weighs.
const HEAVIEST: f64 = 1.0e6;
/// A pin weighs so much against a goal of weight one.
const PIN_WEIGHT: f64 = 100.0;
/// A pose that will not come to rest is left alone after so many steps.
const MOST_STEPS: u32 = 240;

/// See the module.
pub struct PoseWorkspace {
    scene: PoseScene,
    /// Where the pinned joints were.
    pins: BTreeMap<u32, Vec3>,
    /// The goals of the scene that count, then the pins, as the solvers were built for.
    goals: GoalSet,
    /// Their names.
    names: Vec<String>,
    /// What they are called in words: by their joints, as everywhere on the page.
    spoken: Vec<String>,
    /// The rig's skeleton, with its root held or not.
    skeleton: sinew_f64::Skeleton,
    edition: u32,
    runner: Runner,
    ghost: Option<Result<Runner, String>>,
    /// What stands in the way of solving, in words.
    refusal: Option<String>,
    /// Steps since the last input.
    steps: u32,
}

impl std::fmt::Debug for PoseWorkspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PoseWorkspace").field("scene", &self.scene).finish_non_exhaustive()
    }
}

impl PoseWorkspace {
    /// Makes goals and solvers anew from the scene, and goes on from the poses
    /// there are.
    fn rebuild(&mut self, rig: &Rig) -> Result<(), String> {
        self.refusal = None;
        let model = ModelPose::new(&self.skeleton, &self.runner.pose);
        self.place_pins(&model, rig)?;
        let enabled = || self.scene.goals.iter().filter(|g| g.enabled);
        if self.scene.goals.len() + self.scene.pins.len() > MOST_GOALS {
            return Err(format!("there are more than {MOST_GOALS} goals and pins"));
        }
        let mut goals = GoalSet::new();
        let mut names = Vec::new();
        let mut spoken = Vec::new();
        for goal in enabled() {
            goals.add(engine_goal(goal, rig)?);
            names.push(goal.id.clone());
            let joint = checked::joint("a goal", &rig.asset.skeleton, goal.joint)?;
            spoken.push(rig.asset.skeleton.joint(joint).name().to_owned());
        }
        goals.set_mimics(rig.asset.mimics.clone());
        let skeleton = held(rig, &self.scene, &goals)?;
        for (&joint, &place) in &self.pins {
            let id = rig.asset.skeleton.id(joint as usize).ok_or("a pinned joint is not there")?;
            goals.add(Goal::position(id, place).weights(PIN_WEIGHT, 0.0));
            names.push(format!("pin of {}", rig.asset.skeleton.joint(id).name()));
            spoken.push(names.last().cloned().unwrap_or_default());
        }
        if self.runner.pose.len() != skeleton.len() {
            self.runner.pose = Pose::rest(&skeleton);
        }
        if self.edition != rig.edition {
            self.runner.pose.project(&skeleton);
        }
        let drawn_to = self.scene.posture.as_ref().map(|posture| rig.stood(posture)).transpose()?;
        let posture = PostureGoal::natural(drawn_to.unwrap_or_else(|| rig.opening_pose()));
        let runner = Runner::new(&self.scene.solver, &skeleton, &goals, &posture, &self.runner.pose)?;
        let ghost = self.scene.ghost.as_ref().map(|choice| {
            let pose = match &self.ghost {
                Some(Ok(old)) if old.choice.name == choice.name && self.edition == rig.edition => &old.pose,
                _ => &runner.pose,
            };
            Runner::new(choice, &skeleton, &goals, &posture, pose)
        });
        (self.goals, self.names, self.skeleton, self.edition) = (goals, names, skeleton, rig.edition);
        self.spoken = spoken;
        (self.runner, self.ghost) = (runner, ghost);
        Ok(())
    }

    /// New pins are where their joints are; old ones stay where they were.
    fn place_pins(&mut self, model: &ModelPose, rig: &Rig) -> Result<(), String> {
        let pinned = &self.scene.pins;
        self.pins.retain(|joint, _| pinned.contains(joint));
        for &joint in pinned {
            let id = checked::joint("a pin", &rig.asset.skeleton, joint)?;
            self.pins.entry(joint).or_insert_with(|| model.position(id));
        }
        Ok(())
    }

    /// Whether two scenes differ in nothing but where the targets are.
    fn only_targets_moved(&self, new: &PoseScene) -> bool {
        let old = &self.scene;
        let same_goal = |a: &PoseGoal, b: &PoseGoal| {
            (&a.id, a.joint, a.kind, a.position_weight, a.orientation_weight, a.priority, a.enabled)
                == (&b.id, b.joint, b.kind, b.position_weight, b.orientation_weight, b.priority, b.enabled)
        };
        old.solver == new.solver
            && old.ghost == new.ghost
            && old.travel == new.travel
            && old.posture == new.posture
            && old.pins == new.pins
            && old.goals.len() == new.goals.len()
            && old.goals.iter().zip(&new.goals).all(|(a, b)| same_goal(a, b))
    }

    /// Puts the scene's targets into the goals that the solvers were built for.
    fn move_targets(&mut self, rig: &Rig) -> Result<(), String> {
        let ids: Vec<GoalId> = self.goals.iter().map(|(id, _)| id).collect();
        let enabled = self.scene.goals.iter().filter(|g| g.enabled);
        for (goal, id) in enabled.zip(ids) {
            let goal = engine_goal(goal, rig)?;
            self.runner.aim(id, &goal);
            if let Some(Ok(ghost)) = &mut self.ghost {
                ghost.aim(id, &goal);
            }
        }
        Ok(())
    }

    fn frame(&self, rig: &Rig) -> PoseFrame {
        let report = &self.runner.report;
        let count = self.scene.goals.iter().filter(|g| g.enabled).count();
        let goals = self.names.iter().take(count).zip(&report.residuals).map(|(id, r)| GoalError {
            id: id.clone(),
            position: r.position,
            orientation: r.orientation,
        });
        PoseFrame {
            reached: self.refusal.is_none() && report.reached(),
            cause: self.refusal.clone().or_else(|| self.cause(report)),
            typed_cause: self.typed_cause(report).filter(|_| self.refusal.is_none()),
            blocking: match report.cause {
                Some(Cause::Limit { joint, .. }) => Some(joint.index() as u32),
                _ => None,
            },
            iterations: report.iterations,
            position_error: report.position_error(),
            orientation_error: report.orientation_error(),
            goals: goals.collect(),
            ghost: self.ghost.as_ref().map(|ghost| match ghost {
                Ok(ghost) => GhostFrame {
                    pose: rig.placed(&ghost.pose),
                    position_error: ghost.report.position_error(),
                    orientation_error: ghost.report.orientation_error(),
                    iterations: ghost.report.iterations,
                    micros: ghost.meter.micros(),
                    cause: self.cause(&ghost.report),
                    typed_cause: self.typed_cause(&ghost.report),
                },
                Err(words) => GhostFrame {
                    pose: rig.placed(&self.runner.pose),
                    position_error: 0.0,
                    orientation_error: 0.0,
                    iterations: 0,
                    micros: 0.0,
                    cause: Some(words.clone()),
                    typed_cause: None,
                },
            }),
        }
    }

    fn cause(&self, report: &SolveReport) -> Option<String> {
        report.cause.as_ref().map(|cause| cause.words(&self.skeleton, &self.spoken))
    }

    fn typed_cause(&self, report: &SolveReport) -> Option<WireCause> {
        report.cause.as_ref().map(|cause| cause.typed(&self.skeleton, &self.names))
    }
}

impl Workspace for PoseWorkspace {
    type Scene = PoseScene;

    fn new(rig: &Rig, scene: PoseScene) -> Result<Self, String> {
        let rest = rig.opening_pose();
        let none = GoalSet::new();
        let mut workspace = Self {
            pins: BTreeMap::new(),
            goals: none.clone(),
            names: Vec::new(),
            spoken: Vec::new(),
            skeleton: rig.asset.skeleton.clone(),
            edition: rig.edition,
            runner: Runner::new(
                &SolverChoice::default(),
                &rig.asset.skeleton,
                &none,
                &PostureGoal::natural(rest.clone()),
                &rest,
            )?,
            ghost: None,
            refusal: None,
            steps: 0,
            scene,
        };
        // The rest pose of a file may lie outside of the limits that it was given.
        workspace.runner.pose.project(&rig.asset.skeleton);
        workspace.rebuild(rig)?;
        Ok(workspace)
    }

    fn set_scene(&mut self, rig: &Rig, scene: PoseScene) -> Result<(), String> {
        self.steps = 0;
        let same = self.refusal.is_none() && self.edition == rig.edition && self.only_targets_moved(&scene);
        self.scene = scene;
        let outcome = if same { self.move_targets(rig) } else { self.rebuild(rig) };
        self.refusal = outcome.as_ref().err().cloned();
        outcome
    }

    fn drag(&mut self, rig: &Rig, target: &str, position: V3, turned: Option<Q>) -> Result<(), String> {
        let goal = self.scene.goals.iter_mut().find(|g| g.id == target);
        let goal = goal.ok_or_else(|| format!("there is no goal '{target}'"))?;
        let before = goal.clone();
        goal.position = position;
        // As the page does when the drag ends.
        goal.position_weight = goal.position_weight.max(1.0);
        goal.orientation_weight = goal.orientation_weight.max(1.0);
        if let Some(turned) = turned {
            goal.rotation = turned;
        }
        if let Err(words) = engine_goal(goal, rig) {
            *goal = before;
            return Err(words);
        }
        self.steps = 0;
        if self.refusal.is_some() { Ok(()) } else { self.move_targets(rig) }
    }

    fn step(&mut self, rig: &Rig, _: f64) -> Step {
        if self.refusal.is_none() {
            self.runner.solve(&self.skeleton, self.scene.from_rest, self.steps);
            if let Some(Ok(ghost)) = &mut self.ghost {
                ghost.solve(&self.skeleton, self.scene.from_rest, self.steps);
            }
        }
        self.steps = self.steps.saturating_add(1);
        let ghost_still = !matches!(&self.ghost, Some(Ok(ghost)) if !ghost.still);
        let still = self.refusal.is_some() || (self.runner.still && ghost_still);
        Step {
            details: FrameDetails::Pose(self.frame(rig)),
            solve: self.runner.time,
            busy: !still && self.steps < MOST_STEPS,
            messages: Vec::new(),
        }
    }

    fn pose(&self) -> &Pose {
        &self.runner.pose
    }

    fn stand(&mut self, rig: &Rig, pose: &Pose, _: Option<f64>) -> bool {
        if !self.scene.pins.is_empty() && self.runner.pose.len() == pose.len() {
            // Pinned joints were where they are in the pose.
            self.pins.clear();
            self.runner.pose.clone_from(pose);
            self.refusal = self.rebuild(rig).err();
        }
        self.runner.stand(pose);
        if let Some(Ok(ghost)) = &mut self.ghost {
            ghost.stand(pose);
        }
        true
    }

    fn reset(&mut self, rig: &Rig) {
        self.steps = 0;
        let rest = rig.opening_pose();
        if let Some(Ok(ghost)) = &mut self.ghost {
            ghost.pose.clone_from(&rest);
        }
        self.runner.pose = rest;
        self.pins.clear();
        self.refusal = self.rebuild(rig).err();
    }
}

/// The rig's skeleton; its free root does not move unless it may travel or a goal is on it.
fn held(rig: &Rig, scene: &PoseScene, goals: &GoalSet) -> Result<sinew_f64::Skeleton, String> {
    let skeleton = &rig.asset.skeleton;
    let root = skeleton.root();
    let rest = ModelPose::rest(skeleton);
    // The hips of many rigs are a joint of their own, in the root's place.
    let is_there = |joint: JointId| rest.position(joint).distance(rest.position(root)) < 1.0e-6;
    let on_root = goals.as_slice().iter().any(|g| is_there(g.effector.joint));
    if scene.travel || on_root || skeleton.joint(root).kind() != JointKind::Free {
        return Ok(skeleton.clone());
    }
    let mut builder = skeleton.to_builder();
    if let Some(root) = builder.joints.iter_mut().find(|j| j.parent.is_none()) {
        root.stiffness = 1.0;
    }
    builder.build().map_err(|error| error.to_string())
}

fn engine_goal(goal: &PoseGoal, rig: &Rig) -> Result<Goal, String> {
    let what = format!("goal '{}'", goal.id.chars().take(60).collect::<String>());
    let joint = checked::joint(&what, &rig.asset.skeleton, goal.joint)?;
    let place = checked::place(&what, goal.position)?;
    // A goal that asks for no turn need not have one.
    let turn = || checked::rotation(&what, goal.rotation);
    let target = match goal.kind {
        TargetKind::Position => Target::Position(place),
        TargetKind::Orientation => Target::Orientation(turn()?),
        TargetKind::Pose => Target::Pose(Transform::new(place, turn()?)),
        TargetKind::Aim => Target::Aim { axis: sight(rig, joint), at: place },
    };
    let position = checked::number(&format!("the weight of {what}"), goal.position_weight, 0.0..=HEAVIEST)?;
    let orientation =
        checked::number(&format!("the weight of {what}"), goal.orientation_weight, 0.0..=HEAVIEST)?;
    let mut made = Goal::new(sinew_f64::Effector::at(joint), target).weights(position, orientation);
    made.priority = goal.priority;
    Ok(made)
}

/// The direction of a joint that looks, in its own frame: where the face looks
/// for trunk and head of a human, along the bone for anything else.
fn sight(rig: &Rig, joint: JointId) -> Vec3 {
    use HumanoidBone::{Chest, Head, Hips, Neck, Spine, UpperChest};
    let skeleton = &rig.asset.skeleton;
    let forward = ModelPose::rest(skeleton).rotation(joint).conjugate() * Vec3::Z;
    if matches!(rig.map.bone_of(joint), Some(Hips | Spine | Chest | UpperChest | Neck | Head)) {
        return forward;
    }
    let along = skeleton.joint(joint).tip().or_else(|| {
        let child = skeleton.children(joint).next()?;
        Some(skeleton.joint(child).rest().translation)
    });
    direction_or(along.unwrap_or(Vec3::ZERO), forward)
}
