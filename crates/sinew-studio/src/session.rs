//! A tab's own thread: it takes what the tab says, steps the workspace that is
//! shown, and hands frames to the socket.
//!
//! It steps when there is input or the workspace has not come to rest, at most
//! sixty times a second, and sleeps otherwise.

mod export;
mod inbox;
mod meter;
mod outbox;
mod player;
mod rehearsal;
mod understand;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use sinew_f64::math::rotation;
use sinew_f64::{JointKind, JointLimit, Pose, Quat, Vec3};

use crate::limits;
use crate::rig::motions::MOST_KEPT;
use crate::rig::{Rig, load};
use crate::server::{LARGEST_UPLOAD, Shared};
use crate::solvers;
use crate::wire::{
    ClientMessage, Fitting, Frame, FrameDetails, LimitDocument, PROTOCOL, Placed, Playing, PostureDocument,
    RigChoice, RigSource, ServerMessage, ThingDescription, Welcome,
};
use crate::workspace::checked;
use crate::workspace::shown::{self, Scene, Shown};

pub use inbox::{Inbox, Taken};
pub use meter::Meter;
pub use outbox::Outbox;
use player::Player;
pub use rehearsal::{Act, rehearse};
pub use understand::understand;

/// The time of a frame.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// A pause makes up for no more than this.
const LONGEST_STEP: f64 = 0.1;
/// The most frames of a take: ten minutes.
const MOST_FRAMES: usize = 60 * 60 * 10;
/// The most postures kept with a rig.
const MOST_POSTURES: usize = 256;

/// What a tab works on.
struct Session<'a> {
    shared: &'a Shared,
    outbox: &'a Outbox,
    rig: Option<Rig>,
    shown: Option<Shown>,
    /// The scene shown, from which the workspace is built anew.
    scene: Option<Scene>,
    /// The last input.
    input: u32,
    /// Whether there is something to step for.
    wanted: bool,
    started: Instant,
    number: u32,
    meter: Meter,
    /// A pose that is shown until there is input.
    held: Option<Pose>,
    /// A motion that is shown instead of what the workspace makes, and what the workspace last said.
    player: Option<Player>,
    details: Option<FrameDetails>,
    recording: bool,
    /// How many takes there were.
    takes: u32,
    take: Vec<Pose>,
    /// When each frame of the take was kept.
    take_times: Vec<f64>,
}

/// Serves a tab until it is gone.
pub fn run(inbox: &Inbox, outbox: &Outbox, shared: &Shared) {
    let mut session = Session::new(shared, outbox);
    outbox.say(ServerMessage::Welcome { welcome: welcome(shared) });
    // When the next step may be, and when the last one was.
    let mut due = Instant::now();
    let mut last: Option<Instant> = None;
    loop {
        let until = (session.wanted && session.shown.is_some()).then_some(due);
        match inbox.take(until) {
            Taken::Closed => return,
            Taken::Messages(messages) => {
                for message in messages {
                    session.guarded(|s| s.hear(message));
                    if inbox.is_closed() {
                        return;
                    }
                }
            }
            Taken::Due => {
                let now = Instant::now();
                let seconds = last.map_or(FRAME.as_secs_f64(), |last| (now - last).as_secs_f64());
                session.guarded(|s| s.step(seconds.min(LONGEST_STEP)));
                // Steady at sixty a second; a late step is not made up for.
                due = if now < due + FRAME { due + FRAME } else { now + FRAME };
                last = session.wanted.then_some(now);
            }
        }
    }
}

/// The first message of a connection.
fn welcome(shared: &Shared) -> Welcome {
    Welcome {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").into(),
        rigs: sinew_f64::rigs::all()
            .iter()
            .map(|rig| RigChoice {
                name: rig.name.into(),
                summary: rig.description.into(),
                joints: rig.build().len() as u32,
            })
            .collect(),
        solvers: solvers::infos(),
        methods: shown::methods(),
        leg_solvers: shown::leg_solvers(),
        open: shared.open.clone(),
        largest_upload: LARGEST_UPLOAD as u32,
    }
}

impl<'a> Session<'a> {
    fn new(shared: &'a Shared, outbox: &'a Outbox) -> Self {
        Self {
            shared,
            outbox,
            rig: None,
            shown: None,
            scene: None,
            input: 0,
            wanted: false,
            started: Instant::now(),
            number: 0,
            meter: Meter::default(),
            held: None,
            player: None,
            details: None,
            recording: false,
            takes: 0,
            take: Vec::new(),
            take_times: Vec::new(),
        }
    }

    /// Does something that must not take the connection with it when it falls.
    fn guarded(&mut self, act: impl FnOnce(&mut Self)) {
        if catch_unwind(AssertUnwindSafe(|| act(self))).is_err() {
            // Whatever it left behind is not used again.
            self.shown = None;
            self.scene = None;
            (self.held, self.player, self.details) = (None, None, None);
            self.fail(
                0,
                "the studio has a fault here, please report it; choose the rig again to go on".into(),
            );
        }
    }

    fn fail(&self, request: u32, message: String) {
        self.outbox.say(ServerMessage::Failed { request, message });
    }

    fn hear(&mut self, message: ClientMessage) {
        use ClientMessage::*;
        match message {
            Ping { stamp } => self.outbox.say(ServerMessage::Pong { stamp }),
            Load { request, rig, fitting } => self.load(request, &rig, fitting),
            Pose { input, scene } => self.set_scene(input, Scene::Pose(scene)),
            Reach { input, scene } => self.set_scene(input, Scene::Reach(scene)),
            Body { input, scene } => self.set_scene(input, Scene::Body(scene)),
            Look { input, scene } => self.set_scene(input, Scene::Look(scene)),
            Walk { input, scene } => self.set_scene(input, Scene::Walk(scene)),
            Drag { input, target, position, rotation } => {
                self.act(input, |shown, rig| shown.drag(rig, &target, position, rotation));
            }
            Steer { input, speed, turn } => self.act(input, |shown, _| shown.steer(speed, turn)),
            Reset => {
                (self.held, self.player) = (None, None);
                if let (Some(shown), Some(rig)) = (&mut self.shown, &self.rig) {
                    shown.reset(rig);
                    self.wanted = true;
                }
            }
            Stand { input, pose, time } => self.stand(input, &pose, time),
            Play { input, play } => self.play(input, play),
            Adopt { request, id } => match self.adopt(&id) {
                Ok(notes) => self.tell_motions(request, notes),
                Err(words) => self.fail(request, words),
            },
            Bring { request, id } => match self.bring(&id) {
                Ok(thing) => self.outbox.say(ServerMessage::Brought { request, thing }),
                Err(words) => self.fail(request, words),
            },
            SetLimit { request, joint, limit } => {
                self.change_limit(request, joint, |_, kind| limits::from_document(&limit, kind));
            }
            DragHandle { request, joint, handle, to } => {
                self.change_limit(request, joint, |old, kind| {
                    limits::dragged(old, kind, handle, Vec3::from_array(to))
                });
            }
            EditShape { request, joint, add, remove } => {
                self.change_limit(request, joint, |old, kind| match (add, remove) {
                    (Some(at), None) => limits::added(old, kind, Vec3::from_array(at)),
                    (None, Some(handle)) => limits::removed(old, kind, handle),
                    _ => Err("either a point is added or one is taken away".into()),
                });
            }
            EditBehaviour { request, side, edit } => {
                let Some(rig) = &mut self.rig else {
                    return self.fail(request, "choose a rig first".into());
                };
                match shown::edit_behaviour(self.shown.as_mut(), rig, side, &edit) {
                    Ok(behaviours) => {
                        self.wanted = true;
                        for behaviour in behaviours {
                            self.outbox.say(ServerMessage::Behaviour { request, behaviour });
                        }
                    }
                    Err(words) => self.fail(request, words),
                }
            }
            SavePosture { request, posture, remove } => match self.save_posture(posture, remove) {
                Ok(postures) => self.outbox.say(ServerMessage::Postures { request, postures }),
                Err(words) => self.fail(request, words),
            },
            Record { on } => self.record(on),
            Export { request, what, format, clip, body } => {
                match self.export(what, format, clip.as_ref(), body.as_deref()) {
                    Ok((url, name, notes)) => {
                        self.outbox.say(ServerMessage::Exported { request, url, name, notes });
                    }
                    Err(words) => self.fail(request, words),
                }
            }
        }
    }

    fn load(&mut self, request: u32, source: &RigSource, fitting: Option<Fitting>) {
        let is_fitted = fitting.is_some();
        let mut rig = match load::load(source, fitting, self.shared) {
            Ok(rig) => rig,
            Err(words) => return self.fail(request, words),
        };
        let before = self.rig.as_ref().filter(|rig| is_fitted && rig.source == *source);
        let takes = before.map_or(0, |before| {
            rig.carry_from(before);
            self.takes
        });
        // The page sends a scene for the new rig; the old one speaks of other joints.
        (self.shown, self.scene) = (None, None);
        (self.recording, self.wanted) = (false, false);
        (self.held, self.player, self.details, self.takes) = (None, None, None, takes);
        self.take.clear();
        self.take_times.clear();
        self.meter = Meter::default();
        let description = rig.describe();
        self.rig = Some(rig);
        self.outbox.say(ServerMessage::Loaded { request, rig: description });
    }

    fn set_scene(&mut self, input: u32, scene: Scene) {
        self.input = input;
        let Some(rig) = &self.rig else {
            return self.fail(0, "choose a rig first".into());
        };
        self.scene = Some(scene.clone());
        (self.held, self.details) = (None, None);
        let going_on = match &mut self.shown {
            Some(shown) => shown.set_scene(rig, scene),
            None => Err(scene),
        };
        let outcome = match going_on {
            Ok(outcome) => outcome,
            Err(scene) => {
                // Another workspace: its own meter, its own take.
                self.meter = Meter::default();
                self.shown = None;
                Shown::new(rig, scene).map(|shown| self.shown = Some(shown))
            }
        };
        self.wanted = true;
        if let Err(words) = outcome {
            self.fail(0, words);
        }
    }

    /// Does something with what is shown.
    fn act(&mut self, input: u32, act: impl FnOnce(&mut Shown, &Rig) -> Result<(), String>) {
        self.input = input;
        let (Some(shown), Some(rig)) = (&mut self.shown, &self.rig) else {
            return self.fail(0, "nothing is shown yet: choose a rig and send a scene".into());
        };
        self.wanted = true;
        self.held = None;
        // Whoever takes hold of something in a motion goes on from there.
        if let Some(pose) = self.player.take().and_then(|player| player.pose(rig)) {
            shown.stand(rig, &pose, None);
        }
        if let Err(words) = act(shown, rig) {
            self.fail(0, words);
        }
    }

    /// Shows a pose of the scene until there is input.
    fn stand(&mut self, input: u32, pose: &Placed, time: Option<f64>) {
        self.input = input;
        let (Some(shown), Some(rig)) = (&mut self.shown, &self.rig) else {
            return self.fail(0, "nothing is shown yet: choose a rig and send a scene".into());
        };
        match rig.stood(pose) {
            Ok(pose) => {
                self.held = shown.stand(rig, &pose, time).then_some(pose);
                self.wanted = true;
            }
            Err(words) => self.fail(0, words),
        }
    }

    fn play(&mut self, input: u32, play: Option<Playing>) {
        self.input = input;
        let Some(rig) = &self.rig else {
            return self.fail(0, "choose a rig first".into());
        };
        self.wanted = true;
        match play.map(|play| Player::new(rig, play, self.player.as_ref())).transpose() {
            Ok(player) => self.player = player,
            Err(words) => self.fail(0, words),
        }
    }

    /// Puts the motion of an uploaded file on the rig; gives the remarks of its reader.
    fn adopt(&mut self, id: &str) -> Result<Vec<String>, String> {
        let source = load::read(&RigSource::Upload { id: id.into() }, None, self.shared)?;
        let file = source.name();
        let rig = self.rig.as_mut().ok_or("choose a rig first")?;
        let motion = rig.adopted(&source.asset, &file)?;
        let mut notes: Vec<String> = source.asset.notes.iter().map(ToString::to_string).collect();
        if source.asset.motions.first().is_some_and(|all| motion.frames.len() < all.frames.len()) {
            notes.push("the first frame stands apart from the motion and is left out".into());
        }
        rig.add_motion(motion);
        Ok(notes)
    }

    /// Reads a file that scenes may name from then on.
    fn bring(&mut self, id: &str) -> Result<ThingDescription, String> {
        let rig = self.rig.as_mut().ok_or("choose a rig first")?;
        rig.things.bring(id, self.shared)
    }

    fn tell_motions(&self, request: u32, notes: Vec<String>) {
        let motions = self.rig.as_ref().map(Rig::motion_descriptions).unwrap_or_default();
        self.outbox.say(ServerMessage::Motions { request, motions, notes });
    }

    /// Starts a take, or ends it: then it is a motion of the rig like any other.
    fn record(&mut self, on: bool) {
        let was = std::mem::replace(&mut self.recording, on);
        self.wanted = true;
        if on {
            self.take.clear();
            self.take_times.clear();
        } else if was && let Ok(mut motion) = self.recorded() {
            self.takes += 1;
            motion.name = format!("take {}", self.takes);
            if let Some(rig) = &mut self.rig {
                rig.add_motion(motion);
            }
            self.tell_motions(0, Vec::new());
        }
    }

    /// The pose and what is said of it: a motion's, the workspace's, or one that is held.
    fn stepped(&mut self, seconds: f64) -> Option<(Pose, FrameDetails, Vec<ServerMessage>)> {
        let (Some(shown), Some(rig)) = (&mut self.shown, &self.rig) else { return None };
        if let (Some(player), Some(details)) = (&mut self.player, &self.details) {
            let start = Instant::now();
            self.wanted = player.advance(rig, seconds);
            if let Some(pose) = player.pose(rig) {
                self.meter.count(start.elapsed(), Instant::now());
                return Some((pose, details.clone(), Vec::new()));
            }
            self.player = None;
        }
        let step = shown.step(rig, seconds);
        self.meter.count(step.solve, Instant::now());
        self.wanted = step.busy;
        if let Some(held) = &self.held {
            // What the step made of it is not shown, and not gone on from.
            shown.stand(rig, held, None);
            self.wanted = false;
        }
        let mut pose = self.held.clone().unwrap_or_else(|| shown.pose().clone());
        self.details = Some(step.details.clone());
        if let Some(player) = &self.player {
            pose = player.pose(rig).unwrap_or(pose);
            self.wanted = true;
        }
        Some((pose, step.details, step.messages))
    }

    fn step(&mut self, seconds: f64) {
        self.wanted = false;
        let Some((pose, details, messages)) = self.stepped(seconds) else { return };
        let Some(rig) = &self.rig else { return };
        let now = Instant::now();
        self.number = self.number.wrapping_add(1);
        let time = (now - self.started).as_secs_f64();
        if self.recording {
            let most = MOST_FRAMES.min(MOST_KEPT / rig.asset.skeleton.len().max(1));
            if self.take.len() < most {
                self.take.push(pose.clone());
                self.take_times.push(time);
            }
            // A take has steady frames, also of what stands still.
            self.wanted = true;
        }
        let frame = Frame {
            input: self.input,
            number: self.number,
            time,
            pose: rig.placed(&pose),
            micros: self.meter.micros(),
            rate: self.meter.rate(),
            recorded: self.take.len() as u32,
            playing: self.player.as_ref().map(Player::frame),
            details,
        };
        for message in messages {
            self.outbox.say(message);
        }
        self.outbox.show(Box::new(frame));
    }

    fn change_limit(
        &mut self,
        request: u32,
        joint: u32,
        change: impl FnOnce(&JointLimit, JointKind) -> Result<JointLimit, String>,
    ) {
        match self.changed_limit(joint, change) {
            Ok(limit) => {
                self.outbox.say(ServerMessage::Limit { request, joint, limit });
                if let Some(scene) = self.scene.clone() {
                    self.set_scene(self.input, scene);
                }
            }
            Err(words) => self.fail(request, words),
        }
    }

    /// Builds the skeleton anew with another limit of a joint.
    fn changed_limit(
        &mut self,
        joint: u32,
        change: impl FnOnce(&JointLimit, JointKind) -> Result<JointLimit, String>,
    ) -> Result<LimitDocument, String> {
        let rig = self.rig.as_mut().ok_or("choose a rig first")?;
        let skeleton = &rig.asset.skeleton;
        let id = checked::joint("the limit", skeleton, joint)?;
        let limit = change(skeleton.joint(id).limit(), skeleton.joint(id).kind())?;
        let mut builder = skeleton.to_builder();
        builder.joints[id.index()].limit = limit;
        rig.asset.skeleton = builder.build().map_err(|error| error.to_string())?;
        rig.edition += 1;
        Ok(limits::document(rig.asset.skeleton.joint(id)))
    }

    fn save_posture(
        &mut self,
        posture: PostureDocument,
        remove: bool,
    ) -> Result<Vec<PostureDocument>, String> {
        let rig = self.rig.as_mut().ok_or("choose a rig first")?;
        let skeleton = &rig.asset.skeleton;
        let name: String = posture.name.trim().chars().filter(|c| !c.is_control()).take(80).collect();
        if name.is_empty() {
            return Err("a posture needs a name".into());
        }
        let at = rig.asset.postures.iter().position(|(known, _)| *known == name);
        if remove {
            let at = at.ok_or_else(|| format!("there is no posture '{name}'"))?;
            rig.asset.postures.remove(at);
            return Ok(rig.postures());
        }
        let mut pose = match (&self.shown, posture.rotations.is_empty()) {
            (Some(shown), true) => shown.pose().clone(),
            (None, true) => sinew_f64::Pose::rest(skeleton),
            (_, false) => {
                if posture.rotations.len() != 4 * skeleton.len() {
                    let (got, wanted) = (posture.rotations.len(), 4 * skeleton.len());
                    return Err(format!("the posture has {got} numbers; the rig needs {wanted}"));
                }
                let mut pose = sinew_f64::Pose::rest(skeleton);
                for (id, q) in skeleton.ids().zip(posture.rotations.chunks_exact(4)) {
                    pose.set_rotation(
                        id,
                        rotation::normalize_or_identity(Quat::from_xyzw(q[0], q[1], q[2], q[3])),
                    );
                }
                for (id, &value) in skeleton.ids().zip(&posture.values) {
                    if let JointKind::Prismatic { axis } = skeleton.joint(id).kind() {
                        pose.set_translation(id, axis * value);
                    }
                }
                pose
            }
        };
        pose.project(skeleton);
        match at {
            Some(at) => rig.asset.postures[at].1 = pose,
            None if rig.asset.postures.len() >= MOST_POSTURES => {
                return Err(format!("a rig keeps up to {MOST_POSTURES} postures"));
            }
            None => rig.asset.postures.push((name, pose)),
        }
        Ok(rig.postures())
    }
}
