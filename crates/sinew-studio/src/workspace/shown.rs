//! The workspace that a tab shows, whichever of the five it is.

use sinew_f64::Pose;
use sinew_io::Motion;

use super::pose::PoseWorkspace;
use super::walk::{self, Walk};
use super::{Step, Workspace};
use crate::rig::Rig;
use crate::wire::{
    BehaviourDocument, BehaviourEdit, BodyScene, LookScene, MethodInfo, PoseScene, Q, ReachScene, SideName,
    V3, WalkScene, Workspaces,
};

/// A scene of any workspace.
#[derive(Debug, Clone)]
pub enum Scene {
    /// Pose.
    Pose(PoseScene),
    /// Reach.
    Reach(ReachScene),
    /// Body.
    Body(BodyScene),
    /// Look.
    Look(LookScene),
    /// Walk.
    Walk(WalkScene),
}

/// A workspace with its scene.
#[derive(Debug)]
pub enum Shown {
    /// Pose.
    Pose(Box<PoseWorkspace>),
    /// Walk.
    Walk(Box<Walk>),
}

const NOT_YET: &str = "this workspace is not there yet";

/// Does the same with whichever workspace it is.
macro_rules! each {
    ($shown:expr, $w:ident => $call:expr) => {
        match $shown {
            Shown::Pose($w) => $call,
            Shown::Walk($w) => $call,
        }
    };
}

impl Shown {
    /// Builds the workspace of a scene.
    pub fn new(rig: &Rig, scene: Scene) -> Result<Self, String> {
        Ok(match scene {
            Scene::Pose(scene) => Self::Pose(Box::new(PoseWorkspace::new(rig, scene)?)),
            Scene::Walk(scene) => Self::Walk(Box::new(Walk::new(rig, scene)?)),
            _ => return Err(NOT_YET.into()),
        })
    }

    /// Takes a scene: goes on if it is of the same workspace, or gives it back.
    #[allow(clippy::result_large_err)] // no error: the scene is handed on to a new workspace
    pub fn set_scene(&mut self, rig: &Rig, scene: Scene) -> Result<Result<(), String>, Scene> {
        match (self, scene) {
            (Self::Pose(w), Scene::Pose(scene)) => Ok(w.set_scene(rig, scene)),
            (Self::Walk(w), Scene::Walk(scene)) => Ok(w.set_scene(rig, scene)),
            (_, scene) => Err(scene),
        }
    }

    /// Something was dragged.
    pub fn drag(&mut self, rig: &Rig, target: &str, position: V3, rotation: Option<Q>) -> Result<(), String> {
        each!(self, w => w.drag(rig, target, position, rotation))
    }

    /// Goes on by so many seconds.
    pub fn step(&mut self, rig: &Rig, seconds: f64) -> Step {
        each!(self, w => w.step(rig, seconds))
    }

    /// The pose that the last step showed.
    pub fn pose(&self) -> &Pose {
        each!(self, w => w.pose())
    }

    /// Back to the rest pose.
    pub fn reset(&mut self, rig: &Rig) {
        each!(self, w => w.reset(rig));
    }

    /// The walker's controls.
    pub fn steer(&mut self, speed: f64, turn: f64) -> Result<(), String> {
        match self {
            Self::Walk(w) => w.steer(speed, turn),
            _ => Err("only the walker can be steered".into()),
        }
    }

    /// Changes the behaviour that is shown.
    pub fn edit_behaviour(
        &mut self,
        _rig: &mut Rig,
        _side: SideName,
        _edit: BehaviourEdit,
    ) -> Result<BehaviourDocument, String> {
        Err("behaviours are edited in Reach".into())
    }

    /// What the workspace itself has to export as a take, if it has something.
    pub fn take(&self) -> Option<Motion> {
        None
    }
}

/// Why a rig cannot be used in each workspace.
pub fn reasons(rig: &Rig) -> Workspaces {
    let not_yet = || Some(NOT_YET.to_string());
    Workspaces { reach: not_yet(), body: not_yet(), look: not_yet(), walk: walk::why_not(rig) }
}

/// The behaviours that a rig can reach with.
pub fn behaviours(rig: &Rig) -> Vec<String> {
    rig.asset.behaviours.iter().map(|b| b.name().to_string()).collect()
}

/// The methods of the Body workspace.
pub fn methods() -> Vec<MethodInfo> {
    Vec::new()
}

/// The leg solvers of the Walk workspace.
pub fn leg_solvers() -> Vec<String> {
    sinew_f64::body::walk::LegSolver::ALL.iter().map(|s| s.name().to_string()).collect()
}
