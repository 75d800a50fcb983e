//! The five workspaces: each turns a scene and what is dragged into frames.
//!
//! A workspace is stepped by the connection's own thread, at most sixty times a
//! second. Between steps it is given whole scenes and drags; only the newest of
//! each is kept. It is built anew when the rig is changed.

pub mod body;
pub mod checked;
pub mod look;
pub mod pose;
pub mod reach;
pub mod shown;
pub mod walk;

use std::time::Duration;

use sinew_f64::Pose;

use crate::rig::Rig;
use crate::wire::{FrameDetails, Q, ServerMessage, V3};

/// What one step came to.
#[derive(Debug)]
pub struct Step {
    /// What the workspace says of it.
    pub details: FrameDetails,
    /// How long the engine took.
    pub solve: Duration,
    /// Whether another step is wanted though nothing is put in: something
    /// plays, walks or has not come to rest.
    pub busy: bool,
    /// What else the page should hear: a behaviour, a track, the ground, a failure.
    pub messages: Vec<ServerMessage>,
}

/// A workspace that has a scene of type `Scene`.
pub trait Workspace: Send {
    /// What the page sends.
    type Scene;

    /// Builds it for a rig, or says in words why it cannot be.
    fn new(rig: &Rig, scene: Self::Scene) -> Result<Self, String>
    where
        Self: Sized;

    /// Takes a new scene. What did not change goes on as it was.
    fn set_scene(&mut self, rig: &Rig, scene: Self::Scene) -> Result<(), String>;

    /// Something was dragged.
    fn drag(&mut self, rig: &Rig, target: &str, position: V3, rotation: Option<Q>) -> Result<(), String>;

    /// Goes on by so many seconds of real time.
    fn step(&mut self, rig: &Rig, seconds: f64) -> Step;

    /// The pose that the last step showed.
    fn pose(&self) -> &Pose;

    /// Takes a pose of its scene to go on from; `time` is where a target was on its path. Says whether it
    /// should be shown until there is input, which it should unless something moves by itself.
    fn stand(&mut self, rig: &Rig, pose: &Pose, time: Option<f64>) -> bool;

    /// Back to the rest pose.
    fn reset(&mut self, rig: &Rig);
}
