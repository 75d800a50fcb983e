//! The whole body from a few points: markers that are dragged, or the points of
//! a motion, which is then reconstructed in slices while the page looks on.

mod film;
mod markers;
mod points;

use std::time::Duration;

use sinew_f64::Pose;
use sinew_f64::body::six_point::{SixPoint, SixPointOptions};
use sinew_motion::Method;
use sinew_motion::frame_by_frame::{FrameByFrame, check_points};

use self::film::Film;
use self::markers::Markers;
use super::checked::number;
use super::{Step, Workspace};
use crate::rig::Rig;
use crate::wire::{BodyScene, BodySource, FrameDetails, MethodInfo, Q, ServerMessage, V3};

/// A step makes up for no more than this, in seconds.
const LONGEST: f64 = 0.1;

/// The Body workspace.
pub struct Body {
    scene: BodyScene,
    edition: u32,
    work: Work,
    pose: Pose,
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Body").field("scene", &self.scene).finish_non_exhaustive()
    }
}

enum Work {
    Markers(Box<Markers>),
    Film(Box<Film>),
}

/// What the points are made of, checked.
#[derive(Debug, Clone, PartialEq)]
struct Recipe {
    method: Method,
    points: Vec<sinew::body::six_point::Point>,
    orientations: bool,
    noise: f64,
}

/// Why a rig's body cannot be had from points, in words; `None` if it can.
pub fn why_not(rig: &Rig) -> Option<String> {
    let built = SixPoint::new(&rig.asset.skeleton, &rig.map, SixPointOptions::default());
    built.err().map(|error| format!("it is no humanoid: {error}"))
}

/// The methods, for the page to choose from.
pub fn methods() -> Vec<MethodInfo> {
    let info = |m: &Method| MethodInfo { name: m.name().into(), summary: m.summary().into() };
    // Ours first: it is what a newcomer should see.
    Method::ALL.iter().rev().map(info).collect()
}

impl Recipe {
    fn new(scene: &BodyScene) -> Result<Self, String> {
        let method = Method::by_name(&scene.method).ok_or_else(|| {
            let known = Method::ALL.map(Method::name).join(", ");
            format!("there is no method '{}'; there are {known}", scene.method)
        })?;
        let points = points::parse(&scene.points)?;
        check_points(method, &points, scene.orientations).map_err(|error| error.to_string())?;
        let noise = number("the noise", scene.noise, 0.0..=1.0)?;
        Ok(Self { method, points, orientations: scene.orientations, noise })
    }

    /// The method at its start, on the rig in single precision.
    fn build(&self, rig: &Rig, frame_time: f64) -> Result<FrameByFrame, String> {
        if let Some(why) = why_not(rig) {
            return Err(why);
        }
        let skeleton = sinew_io::narrow::skeleton(&rig.asset.skeleton).map_err(|error| error.to_string())?;
        let own = |(role, joint): &(String, sinew_f64::JointId)| {
            Some((role.parse().ok()?, sinew_io::narrow::id(&skeleton, *joint)?))
        };
        let roles: Vec<_> = rig.asset.roles.iter().filter_map(own).collect();
        let map = sinew::skeleton::humanoid::HumanoidMap::with_roles(&skeleton, &roles);
        FrameByFrame::new(self.method, skeleton, map, frame_time).map_err(|error| error.to_string())
    }
}

fn build(rig: &Rig, scene: &BodyScene) -> Result<Work, String> {
    let recipe = Recipe::new(scene)?;
    check_playing(scene)?;
    Ok(match &scene.source {
        BodySource::Markers { markers } => Work::Markers(Box::new(Markers::new(rig, recipe, markers)?)),
        BodySource::Motion { motion } => {
            Work::Film(Box::new(Film::of_motion(rig, recipe, *motion as usize, scene.frame)?))
        }
        BodySource::Made { name } => Work::Film(Box::new(Film::of_made(rig, recipe, name, scene.frame)?)),
    })
}

fn check_playing(scene: &BodyScene) -> Result<(), String> {
    number("the speed", scene.speed, -10.0..=10.0).map(|_| ())
}

impl Body {
    /// The poses of the whole reconstruction so far, with the seconds from one
    /// to the next; `None` if nothing is reconstructed.
    pub fn reconstruction(&self) -> Option<(&[Pose], f64)> {
        match &self.work {
            Work::Film(film) => Some(film.reconstruction()),
            Work::Markers(_) => None,
        }
    }
}

impl Workspace for Body {
    type Scene = BodyScene;

    fn new(rig: &Rig, scene: BodyScene) -> Result<Self, String> {
        let work = build(rig, &scene)?;
        Ok(Self { work, scene, edition: rig.edition, pose: Pose::rest(&rig.asset.skeleton) })
    }

    fn set_scene(&mut self, rig: &Rig, scene: BodyScene) -> Result<(), String> {
        let recipe = Recipe::new(&scene)?;
        check_playing(&scene)?;
        match (&mut self.work, &scene.source) {
            (Work::Markers(work), BodySource::Markers { markers }) => {
                work.take(rig, recipe, markers)?;
            }
            (Work::Film(film), source) if *source == self.scene.source && film.is_made_by(&recipe) => {
                if scene.frame != self.scene.frame || !scene.playing {
                    film.seek(scene.frame);
                }
            }
            _ => self.work = build(rig, &scene)?,
        }
        self.scene = scene;
        Ok(())
    }

    fn drag(&mut self, _: &Rig, target: &str, position: V3, rotation: Option<Q>) -> Result<(), String> {
        match &mut self.work {
            Work::Markers(work) => work.drag(target, position, rotation),
            Work::Film(_) => Err("the points come from the motion; choose markers to drag them".into()),
        }
    }

    fn step(&mut self, rig: &Rig, seconds: f64) -> Step {
        let mut messages = Vec::new();
        if rig.edition != self.edition {
            self.edition = rig.edition;
            match build(rig, &self.scene) {
                Ok(work) => self.work = work,
                Err(message) => messages.push(ServerMessage::Failed { request: 0, message }),
            }
        }
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { 0.0 };
        let (frame, micros, busy) = match &mut self.work {
            Work::Markers(work) => work.step(rig, seconds, &mut self.pose),
            Work::Film(film) => {
                messages.extend(film.work(rig).map(|track| ServerMessage::Track { track }));
                if self.scene.playing {
                    film.play(seconds * self.scene.speed);
                }
                let (frame, micros) = film.show(rig, &mut self.pose);
                (frame, micros, film.is_working() || self.scene.playing)
            }
        };
        let solve = Duration::from_secs_f64(micros.max(0.0) * 1.0e-6);
        Step { details: FrameDetails::Body(frame), solve, busy, messages }
    }

    fn pose(&self) -> &Pose {
        &self.pose
    }

    fn stand(&mut self, _: &Rig, pose: &Pose, _: Option<f64>) -> bool {
        self.pose.clone_from(pose);
        // A motion is where its frame says.
        matches!(self.work, Work::Markers(_))
    }

    fn reset(&mut self, rig: &Rig) {
        match &mut self.work {
            Work::Markers(work) => work.restart(rig),
            Work::Film(film) => film.seek(0),
        }
        self.pose = Pose::rest(&rig.asset.skeleton);
    }
}
