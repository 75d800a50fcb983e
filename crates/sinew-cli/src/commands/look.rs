//! `sinew look`: a posture that looks somewhere, once or over time.

mod follow;
mod posture;

use std::path::Path;

use anyhow::Result;
use serde::Serialize;
use sinew_draw::{Scene, View, ViewsOptions};
use sinew_eval::look::pictures;
use sinew_f64::{Effector, ModelPose, Pose, Transform, Vec3};
use sinew_io::{Motion, WriteOptions};
use sinew_motion::look::{Eye, EyeOptions, Seen, Wish};

use self::posture::Posture;
use super::solve::goal;
use crate::arguments::{LookArguments, ViewName};
use crate::cause::Told;
use crate::failure::usage;
use crate::files::{self, Kind};
use crate::output::{FAINT, GOOD, NAME, NOTE, Output, note, say};
use crate::progress::Progress;
use crate::resolve::Input;

/// A character that can look: the skeleton, what looks, and the posture.
pub(super) struct Looker {
    pub input: Input,
    pub eye: Eye,
    pub posture: Posture,
}

pub fn run(arguments: &LookArguments, output: &mut Output) -> Result<()> {
    if let Some(path) = &arguments.output {
        let (kind, body) = match arguments.follow {
            Some(_) => (Kind::Csv, Kind::Motion),
            None => (Kind::Json, Kind::Asset),
        };
        let targets = arguments.follow.as_ref().and_then(|path| path.to_str());
        let inputs = [arguments.input.as_str(), arguments.posture.as_str()].into_iter().chain(targets);
        files::check(output, path, &[kind, Kind::Picture, body], inputs)?;
    }
    let mut looker = Looker::new(arguments)?;
    match &arguments.follow {
        Some(targets) => follow::run(arguments, &looker, targets, output),
        None => once(arguments, &mut looker, output),
    }
}

impl Looker {
    fn new(arguments: &LookArguments) -> Result<Self> {
        let input = Input::open(&arguments.input, &arguments.read)?;
        for words in &input.asset.notes {
            note(&format!("{}: {words}", input.origin.name()));
        }
        let skeleton = &input.asset.skeleton;
        let forward = match &arguments.forward {
            None => None,
            Some(text) => match goal::vector(text).filter(|v| v.length() > 1.0e-9) {
                Some(forward) => Some(forward),
                None => return Err(usage(format!("--forward {text}: expected a direction as x,y,z"))),
            },
        };
        let find = |name: &String| {
            let effector = goal::find(name, &input).ok_or_else(|| {
                let rig = input.origin.name();
                usage(format!("--endpoint {name}: {rig} has no such joint; see 'sinew info'"))
            })?;
            // A link with a frame of its own ends there and not at the joint's tip.
            let own = effector.offset != Transform::IDENTITY;
            Ok(if own { effector } else { Effector::at_tip(skeleton, effector.joint) })
        };
        let options = EyeOptions {
            endpoints: arguments.endpoint.iter().map(find).collect::<Result<Vec<_>>>()?,
            forward,
            keep_sides: arguments.sides.is_on(),
            symmetric: arguments.symmetric.is_on(),
            rate: arguments.follow.is_some().then_some(arguments.fps),
        };
        let eye = {
            let _progress = Progress::after_a_second("looking for what looks");
            Eye::new(&input.asset, &options)?
        };
        if let Some(why) = eye.why() {
            let other = if eye.erik().is_some() { "; --endpoint chooses another" } else { "" };
            note(&format!("{why}{other}"));
        }
        let posture = Posture::find(&arguments.posture, &input, &eye)?;
        Ok(Self { input, eye, posture })
    }

    /// What stood in the way.
    fn told(&self, seen: &Seen) -> Told {
        Told::new(seen.cause.as_ref(), &self.input.asset.skeleton, self.eye.names())
    }

    /// The file's name or the rig's, and the posture.
    pub fn title(&self) -> String {
        format!("{}: {}", self.input.origin.title(), crate::describe::name(&self.posture.name))
    }
}

fn once(arguments: &LookArguments, looker: &mut Looker, output: &mut Output) -> Result<()> {
    let wrong =
        |option: &str, text: &str| usage(format!("{option} {text}: expected three numbers with commas"));
    let wish = match (&arguments.toward, &arguments.at) {
        (Some(text), _) => {
            Wish::Toward(goal::orientation(goal::vector(text).ok_or_else(|| wrong("--toward", text))?))
        }
        (None, Some(text)) => Wish::At(goal::vector(text).ok_or_else(|| wrong("--at", text))?),
        (None, None) => {
            note("no target was given, so this is what --toward 30,-10,0 does; see also --at and --follow");
            Wish::Toward(goal::orientation(Vec3::new(30.0, -10.0, 0.0)))
        }
    };
    let point = match wish {
        Wish::At(point) => Some(point),
        Wish::Toward(_) => None,
    };
    let skeleton = looker.input.asset.skeleton.clone();
    let mut pose = Pose::rest(&skeleton);
    let posture = looker.posture.at(0.0).clone();
    let seen = looker.eye.look(&skeleton, &posture, wish, arguments.weight, true, &mut pose);
    if arguments.json {
        output.json(&Document::new(looker, &pose, &seen))?;
    } else {
        tell(looker, &seen, output)?;
    }
    match &arguments.output {
        Some(path) => save(path, arguments, looker, &posture, &pose, &seen, point, output),
        None => Ok(()),
    }
}

fn tell(looker: &Looker, seen: &Seen, output: &mut Output) -> Result<()> {
    if seen.reached {
        say!(output, "{GOOD}looks there{GOOD:#} in the posture")?;
    } else {
        let words = looker.told(seen).cause.unwrap_or_else(|| "the joints cannot do both".into());
        say!(output, "{NOTE}looks there only in part{NOTE:#}: {words}")?;
    }
    for (name, missed) in looker.eye.names().iter().zip(&seen.missed) {
        say!(output, "  {NAME}{name}{NAME:#} {FAINT}misses by{FAINT:#} {:.3}°", missed.to_degrees())?;
    }
    say!(
        output,
        "  {FAINT}errors:{FAINT:#} orientation {:.5}, posture {:.5}, combined {:.5}",
        seen.errors.orientation,
        seen.errors.posture,
        seen.errors.combined
    )
}

/// What `--json` writes, and a `.json` output.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    reached: bool,
    #[serde(flatten)]
    told: Told,
    orientation_error: f64,
    posture_error: f64,
    combined_error: f64,
    endpoints: Vec<EndpointDocument>,
    joints: Vec<JointDocument>,
}

#[derive(Serialize)]
struct EndpointDocument {
    name: String,
    missed_rad: f64,
    model_position: [f64; 3],
}

#[derive(Serialize)]
struct JointDocument {
    name: String,
    /// The angle of a hinge in radians, the way of a slide in metres.
    value: Option<f64>,
    local_translation: [f64; 3],
    local_rotation_xyzw: [f64; 4],
}

impl Document {
    fn new(looker: &Looker, pose: &Pose, seen: &Seen) -> Self {
        let skeleton = &looker.input.asset.skeleton;
        let model = ModelPose::new(skeleton, pose);
        Self {
            schema: "sinew.look/1",
            reached: seen.reached,
            told: looker.told(seen),
            orientation_error: seen.errors.orientation,
            posture_error: seen.errors.posture,
            combined_error: seen.errors.combined,
            endpoints: (looker.eye.names().iter().zip(looker.eye.sights(&model)).zip(&seen.missed))
                .map(|((name, (from, _)), missed)| EndpointDocument {
                    name: name.clone(),
                    missed_rad: *missed,
                    model_position: from.to_array(),
                })
                .collect(),
            joints: skeleton
                .ids()
                .map(|id| {
                    let local = pose.local(skeleton, id);
                    JointDocument {
                        name: skeleton.joint(id).name().to_string(),
                        value: pose.value(skeleton, id),
                        local_translation: local.translation.to_array(),
                        local_rotation_xyzw: local.rotation.to_array(),
                    }
                })
                .collect(),
        }
    }
}

/// A scene with the pose, the posture behind it, and the line of sight.
pub(super) fn scene(
    looker: &Looker,
    title: String,
    posture: &Pose,
    pose: &Pose,
    point: Option<Vec3>,
) -> Scene {
    pictures::scene(&looker.input.asset, &looker.eye, title, posture, pose, point)
}

pub(super) fn view(name: ViewName) -> View {
    match name {
        ViewName::Front => View::Front,
        ViewName::Side => View::Side,
        ViewName::Top => View::Top,
        ViewName::Turned => View::Turned,
    }
}

#[allow(clippy::too_many_arguments)] // what there is to draw
fn save(
    path: &Path,
    arguments: &LookArguments,
    looker: &Looker,
    posture: &Pose,
    pose: &Pose,
    seen: &Seen,
    point: Option<Vec3>,
    output: &mut Output,
) -> Result<()> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "png" | "svg" => {
            let title = looker.title();
            let note = format!(
                "orientation error {:.4}, posture error {:.4}",
                seen.errors.orientation, seen.errors.posture
            );
            let scene = scene(looker, title, posture, pose, point).note(note);
            let mut options = ViewsOptions {
                views: vec![View::Front, View::Side, View::Turned],
                ..ViewsOptions::default()
            };
            if !arguments.views.is_empty() {
                options.views = arguments.views.iter().map(|v| view(*v)).collect();
            }
            files::write_picture(path, &sinew_draw::views(&scene, &options), arguments.width)?;
        }
        "json" => files::write_json(path, &Document::new(looker, pose, seen))?,
        _ => save_motion(path, looker, 1.0 / 30.0, vec![pose.clone()])?,
    }
    if arguments.json { Ok(()) } else { say!(output, "{NAME}{}{NAME:#} written", path.display()) }
}

/// Writes poses as a motion.
pub(super) fn save_motion(path: &Path, looker: &Looker, frame_time: f64, frames: Vec<Pose>) -> Result<()> {
    let mut asset = looker.input.asset.clone();
    asset.motions = vec![Motion::new("looks", frame_time, frames)];
    files::write_asset(path, &asset, &WriteOptions::default())
}
