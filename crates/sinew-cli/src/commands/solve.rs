//! `sinew solve`: a pose that meets goals, by one solver or by all.

pub(super) mod goal;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};
use serde::Serialize;
use sinew_draw::{Figure, Scene, ViewsOptions};
use sinew_eval::Table;
use sinew_eval::table::Cell;
use sinew_f64::error::RigError;
use sinew_f64::goal::PostureGoal;
use sinew_f64::report::{SolveReport, Tolerance};
use sinew_f64::{Goal, GoalSet, JointDef, JointId, JointKind, ModelPose, Pose, SolverSpec, Transform};
use sinew_io::{Asset, Format, WriteOptions};

use crate::arguments::{Axes, SolveArguments, Travel};
use crate::cause::Told;
use crate::failure::usage;
use crate::files::{self, Kind};
use crate::output::{FAINT, GOOD, NAME, NOTE, Output, note, say};
use crate::resolve::Input;

/// One solver's answer.
struct Answer {
    solver: &'static str,
    pose: Pose,
    report: SolveReport,
    micros: f64,
}

pub fn run(arguments: &SolveArguments, output: &mut Output) -> Result<()> {
    if let Some(path) = &arguments.output {
        files::check(output, path, &[Kind::Asset, Kind::Picture, Kind::Json], [arguments.input.as_str()])?;
    }
    let mut input = Input::open(&arguments.input, &arguments.read)?;
    for words in &input.asset.notes {
        note(&format!("{}: {words}", input.origin.name()));
    }
    let file = file_frame(&input.asset, arguments.axes)?;
    let named: Vec<(String, Goal)> =
        arguments.goals.iter().map(|text| goal::parse(text, &input, file)).collect::<Result<_>>()?;
    // A rig file may bring goals of its own; those typed come on top.
    let mut all = input.asset.goals.clone();
    all.extend(named);
    if all.is_empty() {
        let text = goal::example(&input, file)
            .ok_or_else(|| usage("no goal: give at least one --goal NAME=x,y,z"))?;
        note(&format!("no goal was given, so this is what --goal {text} does"));
        all.push(goal::parse(&text, &input, file)?);
    }
    let mut goals: GoalSet = all.iter().map(|(_, goal)| *goal).collect();
    goals.set_mimics(input.asset.mimics.clone());
    let held = hold_root(&mut input.asset, &goals, arguments.travel)?;
    let tolerance = tolerance(&arguments.tolerance)?;
    let specs: Vec<SolverSpec> = match (&arguments.solver, arguments.all) {
        (_, true) => SolverSpec::all().collect(),
        (None, false) => vec![SolverSpec::default()],
        (Some(name), false) => vec![name.parse().map_err(|error: RigError| usage(error.to_string()))?],
    };
    if !(arguments.posture >= 0.0 && arguments.posture.is_finite()) {
        return Err(usage("--posture takes a number of metres, zero or more"));
    }
    let mut drawn = goals.clone();
    if arguments.posture > 0.0 {
        drawn.set_posture(Some(PostureGoal::new(input.asset.opening_pose(), arguments.posture)));
    }
    let mut answers = Vec::new();
    for spec in &specs {
        let goals = if spec.takes_posture() { &drawn } else { &goals };
        match answer(spec.with_tolerance(tolerance), &input.asset, goals) {
            Ok(found) => answers.push(found),
            Err(error) if arguments.all => note(&format!("{}: {error}", spec.name())),
            Err(error) => return Err(error),
        }
    }
    let best = answers
        .iter()
        .min_by(|a, b| cost(&a.report).total_cmp(&cost(&b.report)))
        .context("no solver can honour these goals")?;
    if arguments.json {
        output.json(&Document::new(&input.asset, &all, &answers))?;
    } else if arguments.all {
        say!(output, "{}", side_by_side(&input.asset, &all, &answers))?;
    } else {
        tell(&input.asset, &all, best, output)?;
    }
    if held && arguments.travel == Travel::Auto && !best.report.reached() {
        note("the root was held where it is; --travel yes lets it turn and travel");
    }
    match &arguments.output {
        Some(path) => save(path, &input, &goals, best, output, arguments.json),
        None => Ok(()),
    }
}

/// The frame of a robot's own axes, if goals are given in those.
fn file_frame(asset: &Asset, axes: Option<Axes>) -> Result<Option<Transform>> {
    let robot = asset.source.format == Some(Format::Urdf);
    match axes {
        Some(Axes::File) if !robot => Err(usage("--axes file is for the axes of a URDF file")),
        Some(Axes::Model) => Ok(None),
        // The root carries the turn from the file's axes to ours.
        _ => Ok(robot.then(|| asset.skeleton.joint(asset.skeleton.root()).rest())),
    }
}

/// Makes a free root unwilling to move, where that is wanted; whether it did. Makes a robot's base
/// float, where that is.
fn hold_root(asset: &mut Asset, goals: &GoalSet, choice: Travel) -> Result<bool> {
    let skeleton = &asset.skeleton;
    let on_root = goals.as_slice().iter().any(|g| skeleton.parent(g.effector.joint).is_none());
    let hold = match choice {
        Travel::Auto => !on_root,
        Travel::No => true,
        Travel::Yes => false,
    };
    let mut builder = skeleton.to_builder();
    if choice == Travel::Yes
        && let Some(base) =
            builder.joints.iter_mut().find(|j| j.parent.is_none() && j.kind == JointKind::Fixed)
    {
        base.kind = JointKind::Free;
        asset.skeleton = builder.build()?;
        return Ok(false);
    }
    let free = |joint: &&mut JointDef| joint.parent.is_none() && joint.kind == JointKind::Free;
    let Some(root) = builder.joints.iter_mut().find(free).filter(|_| hold) else { return Ok(false) };
    root.stiffness = 1.0;
    asset.skeleton = builder.build()?;
    Ok(true)
}

fn tolerance(given: &[f64]) -> Result<Tolerance> {
    match given {
        [] => Ok(Tolerance::default()),
        [position, orientation] if position.min(*orientation) > 0.0 => {
            Ok(Tolerance { position: *position, orientation: *orientation })
        }
        _ => Err(usage("--tol takes metres and radians above zero, such as 1e-4,1e-4")),
    }
}

fn answer(spec: SolverSpec, asset: &Asset, goals: &GoalSet) -> Result<Answer> {
    let skeleton = &asset.skeleton;
    let mut solver = spec.build(skeleton, goals)?;
    let rest = asset.opening_pose();
    let mut pose = rest.clone();
    // The first solve warms the caches, the second is timed.
    solver.solve(skeleton, goals, &mut pose);
    pose.copy_from(&rest);
    let start = Instant::now();
    let report = solver.solve(skeleton, goals, &mut pose).clone();
    let micros = start.elapsed().as_secs_f64() * 1.0e6;
    Ok(Answer { solver: spec.name(), pose, report, micros })
}

/// For choosing the best of several answers.
fn cost(report: &SolveReport) -> f64 {
    report.residuals.iter().map(|r| r.position * r.position + r.orientation * r.orientation).sum()
}

/// What stood in the way, with the goals' own names.
fn told(report: &SolveReport, asset: &Asset, goals: &[(String, Goal)]) -> Told {
    let names: Vec<&str> = goals.iter().map(|(name, _)| name.as_str()).collect();
    Told::new(report.cause.as_ref(), &asset.skeleton, &names)
}

fn tell(asset: &Asset, goals: &[(String, Goal)], answer: &Answer, output: &mut Output) -> Result<()> {
    let report = &answer.report;
    match told(report, asset, goals).cause {
        None => say!(
            output,
            "{GOOD}reached{GOOD:#} by {} in {} iterations, {:.1} µs",
            answer.solver,
            report.iterations,
            answer.micros
        )?,
        Some(cause) => say!(
            output,
            "{NOTE}not reached{NOTE:#} by {} in {} iterations, {:.1} µs: {cause}",
            answer.solver,
            report.iterations,
            answer.micros
        )?,
    }
    for ((name, goal), residual) in goals.iter().zip(&report.residuals) {
        let mut parts = Vec::new();
        if goal.target.position().is_some() {
            parts.push(format!("{:.4} mm", residual.position * 1.0e3));
        }
        if goal.orientation_weight > 0.0
            && goal.target.position().is_none_or(|_| matches!(goal.target, sinew_f64::Target::Pose(_)))
        {
            parts.push(format!("{:.4}°", residual.orientation.to_degrees()));
        }
        say!(output, "  {NAME}{name}{NAME:#} {FAINT}off by{FAINT:#} {}", parts.join(", "))?;
    }
    if asset.source.format == Some(Format::Urdf) {
        for value in values(asset, &answer.pose) {
            say!(output, "  {NAME}{}{NAME:#} {:.6} {FAINT}{}{FAINT:#}", value.name, value.value, value.unit)?;
        }
    }
    Ok(())
}

/// The values of all joints that have one, by their names in the file and from its zeros.
fn values(asset: &Asset, pose: &Pose) -> Vec<JointValue> {
    let skeleton = &asset.skeleton;
    let of = |id: JointId| {
        let joint = skeleton.joint(id);
        let unit = if matches!(joint.kind(), JointKind::Hinge { .. }) { "rad" } else { "m" };
        Some(JointValue { name: joint.name().to_string(), value: pose.value(skeleton, id)?, unit })
    };
    skeleton.ids().filter_map(of).collect()
}

fn side_by_side(asset: &Asset, goals: &[(String, Goal)], answers: &[Answer]) -> Table {
    let mut table = Table::new(
        "Every solver on the same goals, from the rest pose",
        &[
            "solver",
            "reached",
            "position mm",
            "orientation °",
            "iterations",
            "µs",
            "over limit rad",
            "what stood in the way",
        ],
    );
    for a in answers {
        let over = a.pose.worst_violation(&asset.skeleton).map_or(0.0, |(_, v)| v);
        table.row(vec![
            a.solver.into(),
            if a.report.reached() { "yes" } else { "no" }.into(),
            Cell::number(a.report.position_error() * 1.0e3, 4),
            Cell::number(a.report.orientation_error().to_degrees(), 4),
            Cell::number(f64::from(a.report.iterations), 0),
            Cell::number(a.micros, 1),
            Cell::number(over, 6),
            told(&a.report, asset, goals).cause.map_or("—".into(), Cell::from),
        ]);
    }
    table.note("errors: the worst goal; time: one solve after a warm-up, on one thread, f64");
    table
}

/// What `--json` writes.
#[derive(Serialize)]
struct Document {
    schema: &'static str,
    answers: Vec<AnswerDocument>,
}

#[derive(Serialize)]
struct AnswerDocument {
    solver: &'static str,
    reached: bool,
    #[serde(flatten)]
    told: Told,
    iterations: u32,
    microseconds: f64,
    goals: Vec<GoalDocument>,
    /// Hinges and slides: what a controller is sent.
    values: Vec<JointValue>,
    joints: Vec<JointDocument>,
}

#[derive(Serialize)]
struct JointValue {
    name: String,
    value: f64,
    unit: &'static str,
}

#[derive(Serialize)]
struct GoalDocument {
    name: String,
    position_error_m: f64,
    orientation_error_rad: f64,
}

/// A joint's transform to its parent, and where that puts it.
#[derive(Serialize)]
struct JointDocument {
    name: String,
    local_translation: [f64; 3],
    local_rotation_xyzw: [f64; 4],
    model_position: [f64; 3],
}

impl Document {
    fn new(asset: &Asset, goals: &[(String, Goal)], answers: &[Answer]) -> Self {
        let skeleton = &asset.skeleton;
        let answers = answers
            .iter()
            .map(|a| {
                let model = ModelPose::new(skeleton, &a.pose);
                AnswerDocument {
                    solver: a.solver,
                    reached: a.report.reached(),
                    told: told(&a.report, asset, goals),
                    iterations: a.report.iterations,
                    microseconds: a.micros,
                    goals: goals
                        .iter()
                        .zip(&a.report.residuals)
                        .map(|((name, _), r)| GoalDocument {
                            name: name.clone(),
                            position_error_m: r.position,
                            orientation_error_rad: r.orientation,
                        })
                        .collect(),
                    values: values(asset, &a.pose),
                    joints: skeleton
                        .ids()
                        .map(|id| {
                            let local = a.pose.local(skeleton, id);
                            JointDocument {
                                name: skeleton.joint(id).name().to_string(),
                                local_translation: local.translation.to_array(),
                                local_rotation_xyzw: local.rotation.to_array(),
                                model_position: model.position(id).to_array(),
                            }
                        })
                        .collect(),
                }
            })
            .collect();
        Self { schema: "sinew.solve/1", answers }
    }
}

/// Writes the pose as a picture, as a motion of one frame, or as JSON.
fn save(
    path: &Path,
    input: &Input,
    goals: &GoalSet,
    best: &Answer,
    output: &mut Output,
    quiet: bool,
) -> Result<()> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let skeleton = &input.asset.skeleton;
    match ending.as_str() {
        "png" | "svg" => {
            let figure = Figure::new(skeleton, &best.pose).limits(false).names(false);
            let title = format!("{} by {}", input.origin.name(), best.solver);
            let status = if best.report.reached() { "every goal reached" } else { "not every goal reached" };
            let scene = Scene::new(title)
                .note(status)
                .figure(figure)
                .goals(goals, &ModelPose::new(skeleton, &best.pose));
            files::write_picture(path, &sinew_draw::views(&scene, &ViewsOptions::default()), 1600)?;
        }
        "json" => {
            let named: Vec<(String, Goal)> = goals
                .as_slice()
                .iter()
                .map(|g| (skeleton.joint(g.effector.joint).name().to_string(), *g))
                .collect();
            let document = Document::new(&input.asset, &named, std::slice::from_ref(best));
            files::write_json(path, &document)?;
        }
        _ => {
            let mut asset = input.asset.clone();
            asset.pose = Some(best.pose.clone());
            // BVH holds one motion, which is to be the pose then.
            if Format::from_name(&path.to_string_lossy()) == Some(Format::Bvh) {
                asset.motions.clear();
            }
            files::write_asset(path, &asset, &WriteOptions::default())?;
        }
    }
    if quiet { Ok(()) } else { say!(output, "{NAME}{}{NAME:#} written", path.display()) }
}
