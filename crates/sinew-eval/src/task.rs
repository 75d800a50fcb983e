//! Runs a solver on a task file that other systems can run too.
//!
//! The files (`ik-task/1` in, `ik-result/1` out) are plain JSON: a model, a
//! start and a list of targets; out come one time and one answer for each. [`make`]
//! writes the tasks. What counts as a success is decided by [`score`], with a forward
//! kinematics of its own, so that no system marks its own work.
//!
//! | task | what | answer |
//! |---|---|---|
//! | T1 | two bones and a pole, 100 000 targets | time of one solve, elbow and hand |
//! | T2 | one arm, one pose to reach from the middle of its ranges | joint values |
//! | T3 | a chain of ball joints, one point to reach | joint positions |
//! | T4 | a humanoid, six poses to follow, frame after frame | joint values |
//!
//! T1 is for the analytic two-bone solver (in single precision, as games use
//! it); the general solvers run the others.
//!
//! Times are of the call to `solve` alone: resetting the pose and reading the
//! answer are outside. Each target is timed several times and the median kept.
//! A solve of T1 is shorter than a look at the clock, so there the whole list is
//! timed at once.

mod format;
mod kinematics;
mod limb;
pub mod make;
mod model;
pub mod score;

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use sinew_f64 as engine;

use engine::report::Tolerance;
use engine::{Effector, Goal, GoalId, GoalSet, Pose, SolverSpec, Target};
use format::{ResultFile, TaskFile};
use model::Model;

/// How to run a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskOptions {
    /// Which solver, by its name in [`SolverSpec`].
    pub solver: Option<String>,
    /// How near is near enough, in metres and radians; the task's own by default.
    pub tolerance: Option<[f64; 2]>,
    /// How often each target is timed.
    pub repeats: usize,
}

impl Default for TaskOptions {
    fn default() -> Self {
        Self { solver: None, tolerance: None, repeats: 3 }
    }
}

/// What a run came to, in a few numbers, by the solver's own report.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskSummary {
    /// The task's name, as the result file gives it.
    pub task: String,
    /// The solver's name.
    pub solver: &'static str,
    /// How many targets were tried.
    pub targets: usize,
    /// How many the solver says it reached.
    pub reached: usize,
    /// The median time of a solve, in microseconds.
    pub median_us: f64,
    /// The time that 95 of 100 solves stay below, in microseconds.
    pub p95_us: f64,
}

/// Reads a task, runs a solver on it and writes the result.
pub fn run_file(task: &Path, result: &Path, options: &TaskOptions) -> Result<TaskSummary> {
    let text = fs::read_to_string(task).with_context(|| format!("cannot read {}", task.display()))?;
    let name = task.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
    let (file, summary) = run(&name, &text, options).with_context(|| format!("{}", task.display()))?;
    sinew_io::replace_file(result, file.as_bytes())
        .with_context(|| format!("cannot write {}", result.display()))?;
    Ok(summary)
}

/// Runs a solver on a task given as text; `name` is what the result calls it.
pub fn run(name: &str, text: &str, options: &TaskOptions) -> Result<(String, TaskSummary)> {
    let task: TaskFile = serde_json::from_str(text).context("not an ik-task file")?;
    ensure!(task.format == "ik-task/1", "the format is '{}', not 'ik-task/1'", task.format);
    if task.task == "T1" {
        ensure!(
            options.solver.as_deref().is_none_or(|s| s == limb::SOLVER),
            "T1 asks for a limb and its pole; only '{}' has those",
            limb::SOLVER
        );
        return limb::run(name, &task);
    }
    let spec = match &options.solver {
        // The fastest that never fails on free chains.
        None if task.task == "T3" => SolverSpec::Fabrik(Default::default()),
        None => SolverSpec::default(),
        Some(wanted) => wanted.parse()?,
    };
    let run = match task.task.as_str() {
        "T2" => run_poses(&task, spec, options)?,
        "T3" => run_chain(&task, spec, options)?,
        "T4" => run_frames(&task, spec, options)?,
        other => bail!("the task is '{other}'; known are T1, T2, T3 and T4"),
    };
    let mut times: Vec<f64> = run.times.iter().map(|t| *t as f64 / 1.0e3).collect();
    times.sort_by(f64::total_cmp);
    let at = |q: f64| times.get(((times.len() as f64 - 1.0) * q).round() as usize).copied().unwrap_or(0.0);
    let summary = TaskSummary {
        task: name.to_owned(),
        solver: spec.name(),
        targets: run.times.len(),
        reached: run.reached,
        median_us: at(0.5),
        p95_us: at(0.95),
    };
    let file = ResultFile {
        format: "ik-result/1",
        system: format!("sinew {}", spec.name()),
        version: env!("CARGO_PKG_VERSION"),
        task: name.to_owned(),
        settings: format!("f64, tolerance {:e} m {:e} rad", run.tolerance[0], run.tolerance[1]),
        tol: run.tolerance,
        times_ns: run.times,
        iters: run.iterations,
        q: run.coordinates,
        points: run.points,
    };
    Ok((serde_json::to_string(&file)?, summary))
}

/// The answers to one task.
struct Run {
    tolerance: [f64; 2],
    times: Vec<u64>,
    iterations: Vec<u32>,
    reached: usize,
    coordinates: Option<Vec<Vec<f64>>>,
    points: Option<Vec<Vec<[f64; 3]>>>,
}

impl Run {
    fn new(tolerance: [f64; 2]) -> Self {
        Self {
            tolerance,
            times: Vec::new(),
            iterations: Vec::new(),
            reached: 0,
            coordinates: None,
            points: None,
        }
    }
}

fn tolerance(t: [f64; 2]) -> Tolerance {
    Tolerance { position: t[0], orientation: t[1] }
}

/// One target after another, each from the same start.
fn run_poses(task: &TaskFile, spec: SolverSpec, options: &TaskOptions) -> Result<Run> {
    let model = Model::new(task)?;
    let mut run = Run::new(options.tolerance.unwrap_or([1.0e-5; 2]));
    let spec = spec.with_tolerance(tolerance(run.tolerance));
    let targets: Vec<[f64; 7]> =
        serde_json::from_value(task.targets.clone()).context("targets: expected rows of 7 numbers")?;
    let effector = *model.effectors.first().context("effectors: expected one")?;
    let start = model.pose(task.start.as_deref().context("start: missing")?)?;
    let first = format::pose(targets.first().context("targets: expected at least one")?);
    let mut goals = GoalSet::new();
    let goal = goals.add(Goal::new(effector, Target::Pose(first)));
    let mut solver = spec.build(&model.skeleton, &goals)?;
    let mut coordinates = Vec::with_capacity(targets.len());
    // A few solves that do not count, so that no time is of a cold cache.
    let warm_up = targets.iter().take(20).map(|t| (t, false));
    for (target, counts) in warm_up.chain(targets.iter().map(|t| (t, true))) {
        goals.set_target(goal, Target::Pose(format::pose(target)));
        let mut times = Vec::with_capacity(options.repeats);
        let mut pose = start.clone();
        let (mut iterations, mut reached) = (0, false);
        for _ in 0..options.repeats.max(1) {
            pose.copy_from(&start);
            let clock = Instant::now();
            let report = solver.solve(&model.skeleton, &goals, &mut pose);
            times.push(clock.elapsed().as_nanos() as u64);
            (iterations, reached) = (report.iterations, report.reached());
        }
        if counts {
            run.times.push(median(&mut times));
            run.iterations.push(iterations);
            run.reached += usize::from(reached);
            coordinates.push(model.coordinates(&pose));
        }
    }
    run.coordinates = Some(coordinates);
    Ok(run)
}

/// A chain of ball joints, one point after another, each from the same start.
fn run_chain(task: &TaskFile, spec: SolverSpec, options: &TaskOptions) -> Result<Run> {
    let points = task.start_points.as_deref().context("start_points: missing")?;
    let skeleton = model::chain(points)?;
    let mut run = Run::new(options.tolerance.unwrap_or([task.tolerance.unwrap_or(1.0e-3); 2]));
    let spec = spec.with_tolerance(tolerance(run.tolerance));
    let targets: Vec<[f64; 3]> =
        serde_json::from_value(task.targets.clone()).context("targets: expected rows of 3 numbers")?;
    let first = *targets.first().context("targets: expected at least one")?;
    let tip = skeleton.id(skeleton.len() - 1).context("start_points: expected at least two")?;
    let mut goals = GoalSet::new();
    let goal = goals.add(Goal::position(tip, first.into()));
    let mut solver = spec.build(&skeleton, &goals)?;
    let start = Pose::rest(&skeleton);
    let mut answers = Vec::with_capacity(targets.len());
    let warm_up = targets.iter().take(5).map(|t| (t, false));
    for (target, counts) in warm_up.chain(targets.iter().map(|t| (t, true))) {
        goals.set_target(goal, Target::Position((*target).into()));
        let mut times = Vec::with_capacity(options.repeats);
        let mut pose = start.clone();
        let (mut iterations, mut reached) = (0, false);
        for _ in 0..options.repeats.max(1) {
            pose.copy_from(&start);
            let clock = Instant::now();
            let report = solver.solve(&skeleton, &goals, &mut pose);
            times.push(clock.elapsed().as_nanos() as u64);
            (iterations, reached) = (report.iterations, report.reached());
        }
        if counts {
            run.times.push(median(&mut times));
            run.iterations.push(iterations);
            run.reached += usize::from(reached);
            let placed = engine::ModelPose::new(&skeleton, &pose);
            answers.push(placed.positions().iter().map(|p| p.to_array()).collect());
        }
    }
    run.points = Some(answers);
    Ok(run)
}

/// One frame after another, each from the one before.
fn run_frames(task: &TaskFile, spec: SolverSpec, options: &TaskOptions) -> Result<Run> {
    let model = Model::new(task)?;
    // What the engine calls near enough when nobody says otherwise.
    let usual = Tolerance::default();
    let mut run = Run::new(options.tolerance.unwrap_or([usual.position, usual.orientation]));
    let spec = spec.with_tolerance(tolerance(run.tolerance));
    let frames: Vec<Vec<[f64; 7]>> = serde_json::from_value(task.targets.clone())
        .context("targets: expected frames of rows of 7 numbers")?;
    let count = model.effectors.len();
    let first = frames.first().context("targets: expected at least one frame")?;
    ensure!(frames.iter().all(|f| f.len() == count), "targets: expected {count} poses in every frame");
    let start = model.pose(task.start.as_deref().context("start: missing")?)?;
    let mut goals = GoalSet::new();
    let ids: Vec<GoalId> = model
        .effectors
        .iter()
        .zip(first)
        .map(|(e, t): (&Effector, _)| goals.add(Goal::new(*e, Target::Pose(format::pose(t)))))
        .collect();
    let mut solver = spec.build(&model.skeleton, &goals)?;
    let mut times = vec![Vec::with_capacity(options.repeats); frames.len()];
    let mut coordinates = Vec::with_capacity(frames.len());
    let repeats = options.repeats.max(1);
    for repeat in 0..=repeats {
        let mut pose = start.clone();
        let last = repeat == repeats;
        for (i, frame) in frames.iter().enumerate() {
            for (id, target) in ids.iter().zip(frame) {
                goals.set_target(*id, Target::Pose(format::pose(target)));
            }
            let clock = Instant::now();
            let report = solver.solve(&model.skeleton, &goals, &mut pose);
            let time = clock.elapsed().as_nanos() as u64;
            // The first time through is to warm up.
            if repeat > 0 {
                times[i].push(time);
            }
            if last {
                run.iterations.push(report.iterations);
                run.reached += usize::from(report.reached());
                coordinates.push(model.coordinates(&pose));
            }
        }
    }
    run.times = times.iter_mut().map(|t| median(t)).collect();
    run.coordinates = Some(coordinates);
    Ok(run)
}

fn median(times: &mut [u64]) -> u64 {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two hinges in a plane and a free tool; targets made by hand.
    const ARM: &str = r#"{
        "format": "ik-task/1", "task": "T2",
        "model": {"base": "world", "joints": [
            {"name": "a", "type": "revolute", "parent": "world", "child": "upper",
             "origin": {"p": [0, 0, 0.1], "q": [0, 0, 0, 1]}, "axis": [0, 0, 1], "limit": [-2, 2]},
            {"name": "b", "type": "revolute", "parent": "upper", "child": "lower",
             "origin": {"p": [0.5, 0, 0], "q": [0, 0, 0, 1]}, "axis": [0, 0, 1], "limit": [0.1, 4.0]},
            {"name": "c", "type": "fixed", "parent": "lower", "child": "tip",
             "origin": {"p": [0.5, 0, 0], "q": [0, 0, 0, 1]}}]},
        "effectors": [{"name": "tip", "link": "tip", "kind": "pose"}],
        "start": [0.0, 2.05],
        "targets": [[0.5, 0.5, 0.1, 0, 0, 0.7071067811865476, 0.7071067811865476],
                    [0.0, 0.0, 0.1, 0, 0, 1.0, 0.0]]}"#;

    #[test]
    fn an_arm_is_read_solved_and_written() {
        let (text, summary) = run("arm", ARM, &TaskOptions::default()).unwrap();
        assert_eq!((summary.targets, summary.reached, summary.solver), (2, 2, "robust"));
        let result: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(result["format"], "ik-result/1");
        let angles = |i: usize| [&result["q"][i][0], &result["q"][i][1]].map(|v| v.as_f64().unwrap());
        let half_pi = std::f64::consts::FRAC_PI_2;
        for (got, wanted) in angles(0).into_iter().zip([0.0, half_pi]) {
            assert!((got - wanted).abs() < 1e-4, "{got} {wanted}");
        }
        // Folded back: the second angle is π, inside a range that reaches past it.
        assert!((angles(1)[1] - 2.0 * half_pi).abs() < 1e-4, "{:?}", angles(1));
        assert_eq!(result["times_ns"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_chain_keeps_its_bones() {
        let task = r#"{"format": "ik-task/1", "task": "T3", "tolerance": 1e-3,
            "start_points": [[0,0,0],[0.3,0.1,0],[0.5,0.4,0],[0.6,0.7,0.1]],
            "targets": [[0.2, 0.3, 0.4]]}"#;
        let (text, summary) = run("chain", task, &TaskOptions::default()).unwrap();
        assert_eq!(summary.reached, 1);
        let result: serde_json::Value = serde_json::from_str(&text).unwrap();
        let points: Vec<[f64; 3]> = serde_json::from_value(result["points"][0].clone()).unwrap();
        let apart = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt();
        assert!((apart(points[0], points[1]) - 0.1f64.sqrt()).abs() < 1e-9);
        assert!(apart(points[3], [0.2, 0.3, 0.4]) < 1e-3);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let refused = |text: &str| format!("{:#}", run("x", text, &TaskOptions::default()).unwrap_err());
        assert!(refused("{}").contains("ik-task"));
        assert!(refused(&ARM.replace("ik-task/1", "ik-task/9")).contains("ik-task/9"));
        assert!(refused(&ARM.replace("\"T2\"", "\"T1\"")).contains("rest"));
        assert!(
            refused(&ARM.replace("\"parent\": \"upper\"", "\"parent\": \"nowhere\"")).contains("nowhere")
        );
        assert!(refused(&ARM.replace("[0.0, 2.05]", "[0.0]")).contains("too few"));
        assert!(refused(&ARM.replace("\"link\": \"tip\"", "\"link\": \"hand\"")).contains("hand"));
        let options = TaskOptions { solver: Some("magic".into()), ..TaskOptions::default() };
        assert!(run("x", ARM, &options).unwrap_err().to_string().contains("robust"));
    }
}
