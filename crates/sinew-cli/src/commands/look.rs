//! `sinew look`: a posture that looks somewhere, once or over time.

mod follow;
mod posture;

use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use sinew_draw::{Figure, FigureStyle, Scene, View, ViewsOptions, color};
use sinew_f64::solver::erik::{Erik, ErikOptions, ErikReport, end_of_longest_chain};
use sinew_f64::{Effector, Goal, ModelPose, Pose, Quat, Target, Transform, Vec3};
use sinew_io::{Motion, WriteOptions, write_file};

use self::posture::Posture;
use super::solve::goal;
use crate::arguments::{LookArguments, ViewName};
use crate::cause::Told;
use crate::failure::usage;
use crate::output::{FAINT, GOOD, NAME, NOTE, Output, note, say};
use crate::resolve::Input;

/// A character that can look: the skeleton, what looks, and the solver.
pub(super) struct Looker {
    pub input: Input,
    pub names: Vec<String>,
    pub ends: Vec<Effector>,
    pub erik: Erik,
    pub posture: Posture,
}

pub fn run(arguments: &LookArguments, output: &mut Output) -> Result<()> {
    let mut looker = Looker::new(arguments)?;
    match &arguments.follow {
        Some(targets) => follow::run(arguments, &mut looker, targets, output),
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
        let ends = if arguments.endpoint.is_empty() {
            vec![end_of_longest_chain(skeleton)]
        } else {
            let find = |name: &String| {
                let effector = goal::find(name, &input).ok_or_else(|| {
                    let rig = input.origin.name();
                    usage(format!("--endpoint {name}: {rig} has no such joint; see 'sinew info'"))
                })?;
                // A link with a frame of its own ends there and not at the joint's tip.
                let own = effector.offset != Transform::IDENTITY;
                Ok(if own { effector } else { Effector::at_tip(skeleton, effector.joint) })
            };
            arguments.endpoint.iter().map(find).collect::<Result<Vec<_>>>()?
        };
        let kind = match forward {
            Some(axis) => Target::Aim { axis, at: Vec3::ZERO },
            None => Target::Orientation(Quat::IDENTITY),
        };
        let goals: Vec<Goal> = ends.iter().map(|end| Goal::new(*end, kind)).collect();
        let options = ErikOptions { keep_sides: arguments.sides.is_on(), ..ErikOptions::following() };
        // One pose is found from the posture; a motion follows itself.
        let options = ErikOptions { follow: arguments.follow.is_some(), ..options };
        let erik = Erik::new(skeleton, &goals, options)?;
        let posture = Posture::find(&arguments.posture, &input, &erik)?;
        let names = ends.iter().map(|e| skeleton.joint(e.joint).name().to_string()).collect();
        Ok(Self { input, names, ends, erik, posture })
    }

    /// The target of every end point in a direction: straight ahead is along z
    /// with the least turn from rest.
    pub fn toward(&self, degrees: Vec3) -> Vec<Target> {
        let turn = goal::orientation(degrees);
        (0..self.ends.len()).map(|i| self.erik.toward(i, turn)).collect()
    }

    /// What stood in the way.
    fn told(&self, report: &ErikReport) -> Told {
        Told::new(report.solve.cause.as_ref(), &self.input.asset.skeleton, &self.names)
    }

    /// The file's name without its folder, or the rig's, and the posture.
    pub fn title(&self) -> String {
        let name = self.input.origin.name();
        let name = Path::new(name).file_name().and_then(|n| n.to_str()).unwrap_or(name);
        crate::describe::name(&format!("{name}: {}", self.posture.name))
    }

    pub fn at(&self, point: Vec3) -> Vec<Target> {
        (0..self.ends.len()).map(|i| self.erik.aim(i, point)).collect()
    }
}

fn once(arguments: &LookArguments, looker: &mut Looker, output: &mut Output) -> Result<()> {
    let wrong =
        |option: &str, text: &str| usage(format!("{option} {text}: expected three numbers with commas"));
    let (gazes, point) = match (&arguments.toward, &arguments.at) {
        (Some(text), _) => (looker.toward(goal::vector(text).ok_or_else(|| wrong("--toward", text))?), None),
        (None, Some(text)) => {
            let point = goal::vector(text).ok_or_else(|| wrong("--at", text))?;
            (looker.at(point), Some(point))
        }
        (None, None) => {
            return Err(usage("where to look? give --toward yaw,pitch,roll, --at x,y,z or --follow CSV"));
        }
    };
    let skeleton = looker.input.asset.skeleton.clone();
    let mut pose = Pose::rest(&skeleton);
    let posture = looker.posture.at(0.0).clone();
    let report = looker.erik.solve(&skeleton, &posture, &gazes, &mut pose).clone();
    if arguments.json {
        output.json(&Document::new(looker, &pose, &report))?;
    } else {
        tell(looker, &report, output)?;
    }
    match &arguments.output {
        Some(path) => save(path, arguments, looker, &posture, &pose, &report, point, output),
        None => Ok(()),
    }
}

fn tell(looker: &Looker, report: &ErikReport, output: &mut Output) -> Result<()> {
    if report.solve.reached() {
        say!(output, "{GOOD}looks there{GOOD:#} in the posture")?;
    } else {
        let words = looker.told(report).cause.unwrap_or_else(|| "the joints cannot do both".into());
        say!(output, "{NOTE}looks there only in part{NOTE:#}: {words}")?;
    }
    for (name, residual) in looker.names.iter().zip(&report.solve.residuals) {
        say!(
            output,
            "  {NAME}{name}{NAME:#} {FAINT}misses by{FAINT:#} {:.3}°",
            residual.orientation.to_degrees()
        )?;
    }
    say!(
        output,
        "  {FAINT}errors:{FAINT:#} orientation {:.5}, posture {:.5}, combined {:.5}",
        report.errors.orientation,
        report.errors.posture,
        report.errors.combined
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
    fn new(looker: &Looker, pose: &Pose, report: &ErikReport) -> Self {
        let skeleton = &looker.input.asset.skeleton;
        let model = ModelPose::new(skeleton, pose);
        Self {
            schema: "sinew.look/1",
            reached: report.solve.reached(),
            told: looker.told(report),
            orientation_error: report.errors.orientation,
            posture_error: report.errors.posture,
            combined_error: report.errors.combined,
            endpoints: (looker.names.iter().zip(&looker.ends).zip(&report.solve.residuals))
                .map(|((name, end), residual)| EndpointDocument {
                    name: name.clone(),
                    missed_rad: residual.orientation,
                    model_position: end.transform(&model).translation.to_array(),
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
    let skeleton = &looker.input.asset.skeleton;
    let model = ModelPose::new(skeleton, pose);
    let ghost = Figure::new(skeleton, posture).style(FigureStyle::Ghost(color::RIGHT));
    let figure = Figure::new(skeleton, pose).limits(false).names(false);
    let mut scene = Scene::new(title)
        .figure(ghost.limits(false).names(false).caption("the posture"))
        .figure(figure.caption("as it looks"));
    for (i, end) in looker.ends.iter().enumerate() {
        let now = end.transform(&model);
        let sight = looker.erik.sight(i, now).unwrap_or(Vec3::Z);
        let length = point.map_or(0.5 * size(&model), |p| p.distance(now.translation));
        scene = scene.path(vec![now.translation, now.translation + sight * length], color::SWING);
    }
    match point {
        Some(point) => scene.target(point, ""),
        None => scene,
    }
}

fn size(model: &ModelPose) -> f64 {
    let start = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    let (low, high) = model.positions().iter().fold(start, |(l, h), p| (l.min(*p), h.max(*p)));
    (high - low).max_element().max(0.1)
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
    report: &ErikReport,
    point: Option<Vec3>,
    output: &mut Output,
) -> Result<()> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    match ending.as_str() {
        "png" | "svg" => {
            let title = looker.title();
            let note = format!(
                "orientation error {:.4}, posture error {:.4}",
                report.errors.orientation, report.errors.posture
            );
            let scene = scene(looker, title, posture, pose, point).note(note);
            let mut options = ViewsOptions {
                views: vec![View::Front, View::Side, View::Turned],
                ..ViewsOptions::default()
            };
            if !arguments.views.is_empty() {
                options.views = arguments.views.iter().map(|v| view(*v)).collect();
            }
            sinew_draw::views(&scene, &options).save(path, arguments.width)?;
        }
        "json" => {
            let file =
                std::fs::File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            serde_json::to_writer_pretty(file, &Document::new(looker, pose, report))?;
        }
        _ => save_motion(path, looker, 1.0 / 30.0, vec![pose.clone()])?,
    }
    if arguments.json { Ok(()) } else { say!(output, "{NAME}{}{NAME:#} written", path.display()) }
}

/// Writes poses as a motion.
pub(super) fn save_motion(path: &Path, looker: &Looker, frame_time: f64, frames: Vec<Pose>) -> Result<()> {
    let mut asset = looker.input.asset.clone();
    asset.motions = vec![Motion::new("looks", frame_time, frames)];
    for words in write_file(path, &asset, &WriteOptions::default())? {
        note(&format!("{}: {words}", path.display()));
    }
    Ok(())
}
