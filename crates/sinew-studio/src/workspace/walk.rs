//! Walking about: the character is steered over a ground, the leg solver may be
//! changed in mid-stride.

mod ground;

use std::time::Instant;

use sinew_f64::body::walk::{
    Ground, LegSolver, Obstacle, Terrain, WalkInput, WalkOptions, WalkReport, Walker,
};
use sinew_f64::error::RigError;
use sinew_f64::{Pose, Quat, Transform, Vec3};

use self::ground::Floor;
use super::checked::number;
use super::{Step, Workspace};
use crate::rig::Rig;
use crate::wire::{
    BlockedBy, BlockedFrame, Explain, FootFrame, FrameDetails, Gait, Q, ServerMessage, V3, WalkFrame,
    WalkScene,
};

/// A step makes up for no more than this, in seconds: a page that slept is not
/// walked after.
const LONGEST: f64 = 0.1;
/// The fastest that may be asked for, against the character's own speed.
const FASTEST: f64 = 2.5;

/// It runs as long as no foot was on the ground within so many seconds: a stride has two flights.
const FLIGHT_SHOWS: f64 = 0.6;

/// The Walk workspace.
#[derive(Debug)]
pub struct Walk {
    walker: Walker,
    /// The walker's own pose, and the same in the world.
    own: Pose,
    pose: Pose,
    floor: Floor,
    scene: WalkScene,
    input: WalkInput,
    /// The character's own full speed, in metres a second.
    usual: f64,
    /// The middle of the ground that the page has.
    sent: Option<[f64; 2]>,
    /// The edition of the rig that the walker was made for.
    edition: u32,
    /// Seconds since no foot was on the ground.
    since_flight: f64,
    /// Where the walker began: it knows nothing of it, the ground is moved under it instead.
    origin: Origin,
}

/// A place on the ground and a heading.
#[derive(Debug, Clone, Copy, Default)]
struct Origin {
    place: Vec3,
    heading: f64,
}

impl Origin {
    fn turn(&self) -> Quat {
        Quat::from_rotation_y(self.heading)
    }

    /// A place that the walker speaks of, in the world. Heights are the world's already.
    fn out(&self, local: Vec3) -> Vec3 {
        self.place + self.turn() * local
    }

    /// The ground as the walker sees it.
    fn ground<'a>(&self, ground: &'a Ground) -> impl Fn(f64, f64) -> f64 + use<'a> {
        let origin = *self;
        move |x, z| {
            let at = origin.out(Vec3::new(x, 0.0, z));
            ground.height(at.x, at.z)
        }
    }

    /// A pose of the walker in the world.
    fn moved(&self, rig: &Rig, pose: &Pose, out: &mut Pose) {
        let skeleton = &rig.asset.skeleton;
        out.copy_from(pose);
        let local = pose.local(skeleton, skeleton.root());
        let moved = Transform::new(self.out(local.translation), self.turn() * local.rotation);
        out.set_local(skeleton, skeleton.root(), moved);
    }
}

/// Why a rig cannot walk, in words; `None` if it can.
pub fn why_not(rig: &Rig) -> Option<String> {
    build(rig, WalkOptions::default(), &Ground::Flat).err()
}

fn build(rig: &Rig, options: WalkOptions, ground: &dyn Terrain) -> Result<Walker, String> {
    let walker = Walker::with_skin(&rig.asset.skeleton, &rig.map, &rig.skin, options, ground);
    walker.map_err(|error| match error {
        RigError::WrongKind { .. } => "it stands fast: its root cannot travel".to_string(),
        RigError::TooFewLegs(0) => "it has no legs that end on the ground".to_string(),
        other => other.to_string(),
    })
}

/// The engine's options for a scene. `usual` is the character's own full speed.
fn options(scene: &WalkScene, usual: f64) -> Result<WalkOptions, String> {
    let default = WalkOptions::default();
    let solver = LegSolver::by_name(&scene.solver).ok_or_else(|| {
        let known = LegSolver::ALL.map(LegSolver::name).join(", ");
        format!("there is no leg solver '{}'; there are {known}", scene.solver)
    })?;
    let speed = match scene.speed {
        None => default.speed,
        Some(wanted) => {
            let wanted = number("the speed", wanted, 0.0..=FASTEST * usual)?;
            default.speed * wanted / usual.max(1.0e-9)
        }
    };
    let lift = default.lift * number("the lift of the feet", scene.lift, 0.0..=4.0)?;
    let arms = default.arms * number("the swing of the arms", scene.arms, 0.0..=3.0)?;
    Ok(WalkOptions { solver, speed, lift, arms, ..default })
}

/// A walker for a scene, and its own full speed.
fn build_for(rig: &Rig, scene: &WalkScene, ground: &dyn Terrain) -> Result<(Walker, f64), String> {
    let mut walker = build(rig, WalkOptions::default(), ground)?;
    let usual = walker.full_speed();
    walker.set_options(options(scene, usual)?);
    Ok((walker, usual))
}

impl Walk {
    /// The controls, each from -1 to 1; kept until the next.
    pub fn steer(&mut self, speed: f64, turn: f64) -> Result<(), String> {
        let speed = number("the speed", speed, -1.0..=1.0)?;
        let turn = number("the turn", turn, -1.0..=1.0)?;
        self.input = WalkInput { speed, turn };
        Ok(())
    }

    /// What is walked on.
    pub fn ground(&self) -> &Ground {
        &self.floor.ground
    }

    /// Back to where the rig rests, standing.
    fn start(&mut self, rig: &Rig) -> Result<(), String> {
        (self.walker, self.usual) = build_for(rig, &self.scene, &self.origin.ground(&self.floor.ground))?;
        self.own = Pose::rest(&rig.asset.skeleton);
        self.input = WalkInput::default();
        self.advance(rig, 0.0);
        Ok(())
    }

    fn advance(&mut self, rig: &Rig, seconds: f64) -> WalkReport {
        let ground = self.origin.ground(&self.floor.ground);
        let report = self.walker.step(&rig.asset.skeleton, &ground, self.input, seconds, &mut self.own);
        self.origin.moved(rig, &self.own, &mut self.pose);
        let flies = !self.walker.feet().iter().any(|foot| foot.heel_planted || foot.toe_planted);
        self.since_flight = if flies { 0.0 } else { self.since_flight + seconds };
        report
    }

    fn frame(&self, rig: &Rig, report: &WalkReport) -> WalkFrame {
        let skeleton = &rig.asset.skeleton;
        let names: Vec<&str> =
            self.walker.feet().iter().map(|foot| skeleton.joint(foot.joint).name()).collect();
        let feet = self.walker.feet().iter().map(|foot| FootFrame {
            joint: foot.joint.index() as u32,
            heel: self.origin.out(foot.heel).to_array(),
            heel_planted: foot.heel_planted,
            toe: self.origin.out(foot.toe).to_array(),
            toe_planted: foot.toe_planted,
            height: foot.heel.y - self.origin.ground(&self.floor.ground)(foot.heel.x, foot.heel.z),
        });
        WalkFrame {
            feet: feet.collect(),
            place: self.origin.out(self.walker.place()).to_array(),
            heading: self.origin.heading + self.walker.heading(),
            standing: report.standing,
            gait: self.gait(report),
            blocked: report.blocked.map(|blocked| BlockedFrame {
                by: match blocked.by {
                    Obstacle::Wall => BlockedBy::Wall,
                    Obstacle::Step => BlockedBy::Step,
                    Obstacle::Drop => BlockedBy::Drop,
                    Obstacle::Slope => BlockedBy::Slope,
                },
                at: self.origin.out(blocked.at).to_array(),
                size: blocked.size,
            }),
            iterations: report.iterations,
            slip: report.slip,
            // What stops it counts where no foot is off its place.
            cause: report
                .cause
                .map(|cause| cause.words(skeleton, &names))
                .or_else(|| report.blocked.map(|blocked| format!("stopped by {blocked}"))),
            typed_cause: report.cause.map(|cause| cause.typed(skeleton, &names)),
        }
    }

    /// How the feet take turns, as it shows.
    fn gait(&self, report: &WalkReport) -> Gait {
        if report.standing {
            return Gait::Stand;
        }
        match self.walker.feet().len() {
            ..=2 if self.since_flight < FLIGHT_SHOWS => Gait::Run,
            ..=2 => Gait::Walk,
            3 | 4 => Gait::Trot,
            _ => Gait::Alternate,
        }
    }

    /// The ground, if the page does not have what is around the walker.
    fn ground_to_send(&mut self) -> Option<ServerMessage> {
        let place = self.origin.out(self.walker.place());
        let middle = [place.x, place.z];
        if self.sent.is_some_and(|sent| ground::covers(sent, middle)) {
            return None;
        }
        let middle = middle.map(ground::snapped);
        self.sent = Some(middle);
        Some(ServerMessage::Ground { ground: ground::patch(&self.floor, middle) })
    }
}

impl Workspace for Walk {
    type Scene = WalkScene;

    fn new(rig: &Rig, scene: WalkScene) -> Result<Self, String> {
        let floor = ground::made(&scene.terrain, &rig.things)?;
        let (walker, usual) = build_for(rig, &scene, &floor.ground)?;
        let mut walk = Self {
            walker,
            own: Pose::rest(&rig.asset.skeleton),
            pose: Pose::rest(&rig.asset.skeleton),
            origin: Origin::default(),
            floor,
            scene,
            input: WalkInput::default(),
            usual,
            sent: None,
            edition: rig.edition,
            since_flight: f64::INFINITY,
        };
        walk.advance(rig, 0.0);
        Ok(walk)
    }

    fn set_scene(&mut self, rig: &Rig, scene: WalkScene) -> Result<(), String> {
        let options = options(&scene, self.usual)?;
        if scene.terrain != self.scene.terrain {
            (self.floor, self.scene) = (ground::made(&scene.terrain, &rig.things)?, scene);
            (self.sent, self.origin) = (None, Origin::default());
            return self.start(rig);
        }
        self.walker.set_options(options);
        self.scene = scene;
        Ok(())
    }

    fn drag(&mut self, _: &Rig, target: &str, _: V3, _: Option<Q>) -> Result<(), String> {
        Err(format!("there is no '{target}' to drag while walking; it is steered"))
    }

    fn step(&mut self, rig: &Rig, seconds: f64) -> Step {
        let mut messages = Vec::new();
        if rig.edition != self.edition {
            self.edition = rig.edition;
            let failed = self.start(rig).err();
            messages.extend(failed.map(|message| ServerMessage::Failed { request: 0, message }));
        }
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST) } else { 0.0 };
        let start = Instant::now();
        let report = self.advance(rig, seconds);
        let solve = start.elapsed();
        messages.extend(self.ground_to_send());
        let steered = self.input.speed != 0.0 || self.input.turn != 0.0;
        Step {
            details: FrameDetails::Walk(self.frame(rig, &report)),
            solve,
            busy: steered || !report.standing,
            messages,
        }
    }

    fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Stands where the pose is, and walks on from there.
    fn stand(&mut self, rig: &Rig, pose: &Pose, _: Option<f64>) -> bool {
        let skeleton = &rig.asset.skeleton;
        let (rest, now) = (skeleton.joint(skeleton.root()).rest(), pose.local(skeleton, skeleton.root()));
        let ahead = now.rotation * rest.rotation.conjugate() * Vec3::Z;
        let heading = ahead.x.atan2(ahead.z);
        let place = now.translation - Quat::from_rotation_y(heading) * rest.translation;
        let origin = Origin { place: Vec3::new(place.x, 0.0, place.z), heading };
        let (before, near) = (self.origin, origin.place.distance(self.origin.place) < 1.0e-6);
        if !near || (origin.heading - before.heading).abs() > 1.0e-6 {
            self.origin = origin;
            if self.start(rig).is_err() {
                self.origin = before;
            }
        }
        self.pose.clone_from(pose);
        true
    }

    fn reset(&mut self, rig: &Rig) {
        self.origin = Origin::default();
        // It was built for this rig once, or it stays as it was.
        let _ = self.start(rig);
    }
}
