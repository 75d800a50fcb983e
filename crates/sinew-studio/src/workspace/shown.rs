//! The workspace that a tab shows, whichever of the five it is.

use sinew_f64::Pose;
use sinew_io::Motion;

use super::body::{self, Body};
use super::look::{self, Look};
use super::pose::PoseWorkspace;
use super::reach::{self, Reach};
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
    /// Reach.
    Reach(Box<Reach>),
    /// Body.
    Body(Box<Body>),
    /// Look.
    Look(Box<Look>),
    /// Walk.
    Walk(Box<Walk>),
}

/// Does the same with whichever workspace it is.
macro_rules! each {
    ($shown:expr, $w:ident => $call:expr) => {
        match $shown {
            Shown::Pose($w) => $call,
            Shown::Reach($w) => $call,
            Shown::Body($w) => $call,
            Shown::Look($w) => $call,
            Shown::Walk($w) => $call,
        }
    };
}

impl Shown {
    /// Builds the workspace of a scene.
    pub fn new(rig: &Rig, scene: Scene) -> Result<Self, String> {
        Ok(match scene {
            Scene::Pose(scene) => Self::Pose(Box::new(PoseWorkspace::new(rig, scene)?)),
            Scene::Reach(scene) => Self::Reach(Box::new(Reach::new(rig, scene)?)),
            Scene::Body(scene) => Self::Body(Box::new(Body::new(rig, scene)?)),
            Scene::Look(scene) => Self::Look(Box::new(Look::new(rig, scene)?)),
            Scene::Walk(scene) => Self::Walk(Box::new(Walk::new(rig, scene)?)),
        })
    }

    /// Takes a scene: goes on if it is of the same workspace, or gives it back.
    #[allow(clippy::result_large_err)] // no error: the scene is handed on to a new workspace
    pub fn set_scene(&mut self, rig: &Rig, scene: Scene) -> Result<Result<(), String>, Scene> {
        match (self, scene) {
            (Self::Pose(w), Scene::Pose(scene)) => Ok(w.set_scene(rig, scene)),
            (Self::Reach(w), Scene::Reach(scene)) => Ok(w.set_scene(rig, scene)),
            (Self::Body(w), Scene::Body(scene)) => Ok(w.set_scene(rig, scene)),
            (Self::Look(w), Scene::Look(scene)) => Ok(w.set_scene(rig, scene)),
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

    /// Takes a pose to go on from; says whether it is shown until there is input.
    pub fn stand(&mut self, rig: &Rig, pose: &Pose, time: Option<f64>) -> bool {
        each!(self, w => w.stand(rig, pose, time))
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

    /// What the workspace itself has to export as a take, if it has something.
    pub fn take(&self) -> Option<Motion> {
        match self {
            Self::Body(w) => {
                let (frames, frame_time) = w.reconstruction()?;
                Some(Motion::new("reconstruction", frame_time, frames.to_vec()))
            }
            _ => None,
        }
    }
}

/// Why a rig cannot be used in each workspace.
pub fn reasons(rig: &Rig) -> Workspaces {
    Workspaces {
        reach: reach::why_not(rig),
        body: body::why_not(rig),
        look: look::why_not(rig),
        walk: walk::why_not(rig),
    }
}

/// Changes the behaviour that is shown. A whole one is put back whatever is shown.
pub fn edit_behaviour(
    shown: Option<&mut Shown>,
    rig: &mut Rig,
    side: SideName,
    edit: &BehaviourEdit,
) -> Result<Vec<BehaviourDocument>, String> {
    match (shown, edit) {
        (Some(Shown::Reach(w)), edit) => w.edit_behaviour(rig, side, edit),
        (_, BehaviourEdit::Replace { behaviour }) => Ok(vec![reach::restore(rig, side, behaviour)?]),
        _ => Err("behaviours are edited in Reach".into()),
    }
}

/// The behaviours that a rig can reach with.
pub fn behaviours(rig: &Rig) -> Vec<String> {
    reach::names(rig)
}

/// The methods of the Body workspace.
pub fn methods() -> Vec<MethodInfo> {
    body::methods()
}

/// The leg solvers of the Walk workspace.
pub fn leg_solvers() -> Vec<String> {
    sinew_f64::body::walk::LegSolver::ALL.iter().map(|s| s.name().to_string()).collect()
}
