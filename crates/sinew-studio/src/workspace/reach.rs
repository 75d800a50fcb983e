//! Reaching: hands with targets, obstacles that can be moved, and behaviours
//! that are changed while the body shows what they do.

mod behaviours;
mod edit;
mod obstacles;
mod reacher;
mod words;

use std::time::Instant;

use sinew_f64::body::reach::{Behaviour, ReachReport};
use sinew_f64::collision::CollisionBody;
use sinew_f64::skeleton::humanoid::Side;
use sinew_f64::{Pose, Skeleton, Target, Transform};

pub use self::behaviours::{document, names, restore};
use self::obstacles::Obstacles;
use self::reacher::Reacher;
use super::checked::{place, rotation};
use super::{Step, Workspace};
use crate::rig::Rig;
use crate::wire::{
    BehaviourDocument, BehaviourEdit, Explain, FrameDetails, HandOutcome, Q, ReachFrame, ReachScene,
    ServerMessage, SideName, V3, WireCause,
};

/// With the same wishes for so many steps, whatever still moves goes to and fro
/// (a turn that the limits forbid) and is not worth watching.
const PATIENCE: u32 = 180;
/// A step takes no less and no more, in seconds.
const SHORTEST: f64 = 1.0e-3;
const LONGEST: f64 = 0.1;
/// The behaviour of a scene that names none.
pub const USUAL: &str = "plain";

/// The Reach workspace.
#[derive(Debug)]
pub struct Reach {
    scene: ReachScene,
    edition: u32,
    body: CollisionBody,
    obstacles: Obstacles,
    targets: Vec<(Side, Target)>,
    reacher: Reacher,
    ghost: Option<Reacher>,
    /// The behaviour that the page was told of last.
    told: Option<(String, SideName)>,
    shown: Pose,
    /// Steps since something was put in.
    steps: u32,
}

/// Why a rig cannot reach, in words; `None` if it can.
pub fn why_not(rig: &Rig) -> Option<String> {
    reacher::build(rig, &Pose::rest(&rig.asset.skeleton)).err()
}

fn checked_targets(scene: &ReachScene) -> Result<Vec<(Side, Target)>, String> {
    let mut targets = Vec::new();
    for (side, what, target) in
        [(Side::Left, "the left target", scene.left), (Side::Right, "the right target", scene.right)]
    {
        let Some(target) = target else { continue };
        let orientation = target.rotation.map(|turn| rotation(what, turn)).transpose()?;
        targets.push((side, Target::from_parts(place(what, target.position)?, orientation)));
    }
    Ok(targets)
}

fn chosen(scene: &ReachScene) -> &str {
    if scene.behaviour.is_empty() { USUAL } else { &scene.behaviour }
}

impl Reach {
    /// Changes the behaviour that the scene shows, for one arm. It is kept with
    /// the rig, so that a rig file holds it. A new name is for both arms: the
    /// answer has the arm that was asked for first.
    pub fn edit_behaviour(
        &mut self,
        rig: &mut Rig,
        side: SideName,
        edit: &BehaviourEdit,
    ) -> Result<Vec<BehaviourDocument>, String> {
        let name = chosen(&self.scene).to_string();
        let arm = behaviours::side(side);
        let before = behaviours::find(rig, &name, arm)
            .ok_or_else(|| format!("there is no behaviour '{name}' for this arm"))?;
        let changed = edit::edited(rig, &self.reacher, &before, edit)?;
        let mut documents = vec![behaviours::document(&changed)];
        if let BehaviourEdit::SaveAs { .. } = edit {
            // Both arms, so that the new name can do what the old one could.
            let other = behaviours::find(rig, &name, arm.other());
            let other =
                other.map(|b| behaviours::renamed(&rig.asset.skeleton, &b, changed.name())).transpose()?;
            behaviours::keep(rig, changed)?;
            if let Some(other) = other {
                documents.push(behaviours::document(&other));
                behaviours::keep(rig, other)?;
            }
            return Ok(documents);
        }
        behaviours::keep(rig, changed.clone())?;
        self.show(changed)?;
        Ok(documents)
    }

    /// Goes on with a behaviour that was changed, where it is shown.
    fn show(&mut self, changed: Behaviour) -> Result<(), String> {
        self.steps = 0;
        if changed.name() == chosen(&self.scene) {
            self.reacher.solver.set_behaviour(changed.clone()).map_err(|error| error.to_string())?;
        }
        match &mut self.ghost {
            Some(ghost) if self.scene.compare.as_deref() == Some(changed.name()) => {
                ghost.solver.set_behaviour(changed).map_err(|error| error.to_string())
            }
            _ => Ok(()),
        }
    }

    /// Builds what the scene needs and the one before had not; all of it without one.
    fn build(&mut self, rig: &Rig, before: Option<&ReachScene>) -> Result<(), String> {
        let scene = &self.scene;
        if before.is_none_or(|before| chosen(before) != chosen(scene)) {
            self.reacher = Reacher::new(rig, chosen(scene))?;
        }
        if before.is_none_or(|before| before.compare != scene.compare) {
            self.ghost = scene.compare.as_deref().map(|name| Reacher::new(rig, name)).transpose()?;
        }
        let obstacles = scene.collisions.then_some(&self.obstacles);
        for reacher in [Some(&mut self.reacher), self.ghost.as_mut()].into_iter().flatten() {
            let same = match (&mut reacher.around, obstacles) {
                (Some(around), Some(obstacles)) => obstacles.place(around.scene_mut()),
                (None, None) => true,
                _ => false,
            };
            if !same {
                reacher.surround(rig, &self.body, obstacles);
            }
        }
        Ok(())
    }

    /// The posture of the key that is edited, if one is.
    fn edited_posture(&self, rig: &Rig) -> Option<Pose> {
        let key = self.scene.edit_key?;
        let behaviour = self.reacher.solver.behaviour(behaviours::side(self.scene.side))?;
        self.reacher.key_posture(rig, behaviour, key as usize)
    }

    fn hand(&self, skeleton: &Skeleton, report: &ReachReport, side: Side) -> Option<HandOutcome> {
        let hand = report.hand(side)?;
        let swing = report.swings[side as usize];
        let behaviour = self.reacher.solver.behaviour(side);
        let blend = behaviour.map(|b| b.weights(swing, 0).map(|(key, part)| (key as u32, part)).collect());
        let cause = hand.outcome.cause;
        Some(HandOutcome {
            // The arm knows of one goal, itself.
            typed_cause: cause.map(|cause| Box::new(cause.typed(skeleton, &words::HANDS[side as usize..]))),
            position_error: hand.outcome.residual.position,
            orientation_error: hand.outcome.residual.orientation,
            swing: swing.to_array(),
            weight: report.weights[side as usize],
            swivel: hand.swivel,
            blend: blend.unwrap_or_default(),
        })
    }

    /// The behaviour, if the page does not have it.
    fn news(&mut self) -> Option<ServerMessage> {
        let now = (chosen(&self.scene).to_string(), self.scene.side);
        if self.told.as_ref() == Some(&now) {
            return None;
        }
        let behaviour = self.reacher.solver.behaviour(behaviours::side(self.scene.side))?;
        let behaviour = behaviours::document(behaviour);
        self.told = Some(now);
        Some(ServerMessage::Behaviour { request: 0, behaviour })
    }
}

impl Workspace for Reach {
    type Scene = ReachScene;

    fn new(rig: &Rig, scene: ReachScene) -> Result<Self, String> {
        let targets = checked_targets(&scene)?;
        let obstacles = Obstacles::new(&scene.obstacles, &rig.things)?;
        let reacher = Reacher::new(rig, chosen(&scene))?;
        let shown = reacher.pose.clone();
        let body = CollisionBody::from_rig(&rig.asset.skeleton, &rig.map);
        let mut reach = Self {
            edition: rig.edition,
            body,
            obstacles,
            targets,
            reacher,
            ghost: None,
            told: None,
            shown,
            steps: 0,
            scene: ReachScene::default(),
        };
        let before = ReachScene { behaviour: scene.behaviour.clone(), ..ReachScene::default() };
        reach.scene = scene;
        reach.build(rig, Some(&before))?;
        Ok(reach)
    }

    fn set_scene(&mut self, rig: &Rig, scene: ReachScene) -> Result<(), String> {
        let targets = checked_targets(&scene)?;
        let obstacles = Obstacles::new(&scene.obstacles, &rig.things)?;
        for name in [Some(chosen(&scene)), scene.compare.as_deref()].into_iter().flatten() {
            if Side::BOTH.iter().all(|side| behaviours::find(rig, name, *side).is_none()) {
                let known = behaviours::names(rig).join(", ");
                return Err(format!("there is no behaviour '{name}'; there are {known}"));
            }
        }
        if !obstacles.are_same_things(&self.obstacles) {
            self.reacher.around = None;
            if let Some(ghost) = &mut self.ghost {
                ghost.around = None;
            }
        }
        self.steps = 0;
        (self.targets, self.obstacles) = (targets, obstacles);
        let before = std::mem::replace(&mut self.scene, scene);
        self.build(rig, Some(&before))
    }

    fn drag(&mut self, rig: &Rig, target: &str, position: V3, turn: Option<Q>) -> Result<(), String> {
        self.steps = 0;
        let side = match target {
            "left" => Side::Left,
            "right" => Side::Right,
            other => {
                if self.obstacles.drag(other, position, turn)? {
                    let scene = self.scene.clone();
                    return self.build(rig, Some(&scene));
                }
                return Err(format!(
                    "there is no '{other}' to drag; there are left, right and the obstacles"
                ));
            }
        };
        let hand = self.targets.iter_mut().find(|(of, _)| *of == side).map(|(_, hand)| hand);
        let Some(hand) = hand else { return Err(format!("the {target} hand has no target")) };
        let at = place("the target", position)?;
        let turn = turn.map(|turn| rotation("the target", turn)).transpose()?;
        *hand = match *hand {
            Target::Pose(was) => Target::Pose(Transform::new(at, turn.unwrap_or(was.rotation))),
            _ => Target::Position(at),
        };
        Ok(())
    }

    fn step(&mut self, rig: &Rig, seconds: f64) -> Step {
        let seconds = if seconds.is_finite() { seconds.clamp(SHORTEST, LONGEST) } else { SHORTEST };
        let mut messages = Vec::new();
        if rig.edition != self.edition {
            self.edition = rig.edition;
            self.body = CollisionBody::from_rig(&rig.asset.skeleton, &rig.map);
            let failed = self.build(rig, None).err();
            messages.extend(failed.map(|message| ServerMessage::Failed { request: 0, message }));
        }
        let start = Instant::now();
        let (report, mut busy) = self.reacher.reach(rig, &self.targets, seconds);
        let solve = start.elapsed();
        let skeleton = &rig.asset.skeleton;
        let mut frame = ReachFrame {
            reached: report.reached(),
            outcome: words::outcome(&report, &self.targets, skeleton, self.reacher.around.as_ref()),
            typed_cause: WireCause::of_reach(&report, skeleton, self.reacher.around.as_ref(), &words::HANDS)
                .map(Box::new),
            left: self.hand(skeleton, &report, Side::Left),
            right: self.hand(skeleton, &report, Side::Right),
            kept: report.kept,
            feet: report.feet,
            tests: report.tests,
            contact: words::contact(&report, skeleton, self.reacher.around.as_ref()),
            ghost: None,
            ghost_outcome: None,
            ghost_typed_cause: None,
        };
        if let Some(ghost) = &mut self.ghost {
            let (report, moved) = ghost.reach(rig, &self.targets, seconds);
            busy |= moved;
            frame.ghost = Some(rig.placed(&ghost.pose));
            frame.ghost_typed_cause =
                WireCause::of_reach(&report, skeleton, ghost.around.as_ref(), &words::HANDS).map(Box::new);
            frame.ghost_outcome =
                Some(words::outcome(&report, &self.targets, skeleton, ghost.around.as_ref()));
        }
        match self.edited_posture(rig) {
            Some(posture) => {
                self.shown = posture;
                frame.outcome = format!("the posture of key {}", self.scene.edit_key.unwrap_or_default());
            }
            None => self.shown.clone_from(&self.reacher.pose),
        }
        messages.extend(self.news());
        self.steps = self.steps.saturating_add(1);
        busy &= self.steps < PATIENCE;
        Step { details: FrameDetails::Reach(frame), solve, busy, messages }
    }

    fn pose(&self) -> &Pose {
        &self.shown
    }

    fn stand(&mut self, _: &Rig, pose: &Pose, _: Option<f64>) -> bool {
        for reacher in [Some(&mut self.reacher), self.ghost.as_mut()].into_iter().flatten() {
            reacher.pose.copy_from(pose);
        }
        self.shown.copy_from(pose);
        true
    }

    fn reset(&mut self, _: &Rig) {
        self.steps = 0;
        for reacher in [Some(&mut self.reacher), self.ghost.as_mut()].into_iter().flatten() {
            reacher.solver.forget();
            let initial = reacher.solver.initial().clone();
            reacher.pose.copy_from(&initial);
        }
        self.shown.copy_from(self.reacher.solver.initial());
    }
}
