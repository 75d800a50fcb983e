//! General goals, for one pose or for many.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use sinew_f64::collision::{CollisionBody, CollisionScene};
use sinew_f64::goal::{BalanceGoal, ClearanceGoal, PostureGoal, SpeedGoal};
use sinew_f64::report::Tolerance;
use sinew_f64::{
    Effector, Goal, GoalSet, JointKind, Pose, Quat, Skeleton, SolverSpec, Target, Transform, Vec3,
};

use crate::arrays::{self, Numbers, Precision, agree, rows, told};
use crate::cause::Cause;
use crate::double::work::{Asked as DoubleAsked, Asks};
use crate::rig::{Rig, shaped};
use crate::single::work::Asked as SingleAsked;
use crate::{double, refused, single};

/// The engine of either precision, built when it is first needed.
struct Engines {
    double: double::work::Batch,
    single: Option<single::work::Batch>,
}

/// A solver for tasks on a rig; see ``sinew_ik.Solver``.
#[pyclass(module = "sinew_ik", subclass)]
pub struct Solver {
    rig: Rig,
    skeleton: Arc<Skeleton>,
    goals: GoalSet,
    names: Arc<Vec<String>>,
    asks: Vec<Asks>,
    spec: SolverSpec,
    engines: Engines,
}

/// What came of solves: poses, and for each what was reached and why not.
#[pyclass(frozen, module = "sinew_ik")]
pub struct Solution {
    /// The poses, ``(dof,)`` or ``(n, dof)``, in the dtype of what was asked.
    #[pyo3(get)]
    q: Py<PyAny>,
    count: Option<usize>,
    rows: Vec<Row>,
    causes: Causes,
    names: Arc<Vec<String>>,
}

#[derive(Clone, Copy)]
struct Row {
    reached: bool,
    iterations: u32,
    attempts: u32,
    position: f64,
    orientation: f64,
}

enum Causes {
    Single(Arc<sinew::Skeleton>, Vec<Option<sinew::Cause>>),
    Double(Arc<Skeleton>, Vec<Option<sinew_f64::Cause>>),
}

/// Three numbers, or one for all.
fn three(given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec3> {
    if let Ok(one) = given.extract::<f64>() {
        return Ok(Vec3::splat(one));
    }
    let numbers = Numbers::of(given, name)?;
    if numbers.shape() != [3] {
        return Err(PyValueError::new_err(format!(
            "{name}: found shape {}; expected a number or (3,)",
            told(numbers.shape())
        )));
    }
    Ok(Vec3::from_slice(&numbers.double()))
}

/// A weight for all axes and what each counts of it.
fn cost(given: &Bound<'_, PyAny>, name: &str) -> PyResult<(f64, Vec3)> {
    let axes = three(given, name)?;
    if !(axes.is_finite() && axes.min_element() >= 0.0) {
        return Err(PyValueError::new_err(format!("{name}: {axes}; expected costs of zero or more")));
    }
    let most = axes.max_element();
    Ok((most, if most > 0.0 { axes / most } else { Vec3::ONE }))
}

fn effector(rig: &Rig, name: &str) -> PyResult<Effector> {
    rig.asset.effector(name).ok_or_else(|| {
        let joints = rig.skeleton().joints().iter().map(|j| j.name());
        let all: Vec<&str> = joints.chain(rig.asset.aliases.iter().map(|a| a.name.as_str())).collect();
        let listed = if all.len() > 24 {
            format!("{}, … ({} names)", all[..24].join(", "), all.len())
        } else {
            all.join(", ")
        };
        refused(format!(
            "there is no joint or link '{name}' in '{}'; there are {listed}",
            rig.skeleton().name()
        ))
    })
}

/// One value for each joint, from one for each coordinate or one for all.
fn by_joint(rig: &Rig, given: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<f64>> {
    let skeleton = rig.skeleton();
    if let Ok(one) = given.extract::<f64>() {
        return Ok(vec![one; skeleton.len()]);
    }
    let numbers = Numbers::of(given, name)?;
    rows(name, numbers.shape(), &[skeleton.degrees_of_freedom()])?;
    let numbers = numbers.double();
    let mut at = 0;
    let joint = |j: &sinew_f64::skeleton::Joint| {
        let mine = &numbers[at..at + j.kind().degrees_of_freedom()];
        at += mine.len();
        mine.iter().copied().reduce(f64::min)
    };
    Ok(skeleton.joints().iter().map(joint).map(|x| x.unwrap_or(f64::INFINITY)).collect())
}

impl Solver {
    /// Adds what a task of `tasks.py` asks for.
    fn add(
        rig: &Rig,
        goals: &mut GoalSet,
        names: &mut Vec<String>,
        asks: &mut Vec<Asks>,
        task: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let kind: String = task.getattr("_kind").and_then(|kind| kind.extract()).map_err(|_| {
            PyTypeError::new_err(format!(
                "{task} is no task; expected FrameTask, PostureTask, ComTask, VelocityLimit, …"
            ))
        })?;
        let skeleton = rig.skeleton();
        match kind.as_str() {
            "frame" => {
                let name: String = task.getattr("frame")?.extract()?;
                let (position_weight, position_axes) =
                    cost(&task.getattr("position_cost")?, "position_cost")?;
                let (orientation_weight, orientation_axes) =
                    cost(&task.getattr("orientation_cost")?, "orientation_cost")?;
                let asked = match (position_weight > 0.0, orientation_weight > 0.0) {
                    (true, true) => Asks::Pose,
                    (true, false) => Asks::Position,
                    (false, true) => Asks::Orientation,
                    (false, false) => {
                        return Err(PyValueError::new_err(format!(
                            "the task of '{name}' costs nothing: position_cost and orientation_cost are zero"
                        )));
                    }
                };
                let mut effector = effector(rig, &name)?;
                let place = three(&task.getattr("offset")?, "offset")?;
                let turn = Numbers::of(&task.getattr("offset_xyzw")?, "offset_xyzw")?;
                rows("offset_xyzw", turn.shape(), &[4])?;
                let turn = turn.double();
                arrays::rotations("offset_xyzw", &turn)?;
                let turn = Quat::from_xyzw(turn[0], turn[1], turn[2], turn[3]).normalize();
                effector.offset = effector.offset * Transform::new(place, turn);
                let target = match asked {
                    Asks::Position => Target::Position(Vec3::ZERO),
                    Asks::Orientation => Target::Orientation(Quat::IDENTITY),
                    Asks::Pose => Target::Pose(Transform::IDENTITY),
                };
                let relative: Option<String> = task.getattr("relative_to")?.extract()?;
                let relative_to = relative.map(|to| effector_joint(rig, &to)).transpose()?;
                goals.add(Goal {
                    position_weight,
                    position_axes,
                    orientation_weight,
                    orientation_axes,
                    priority: task.getattr("priority")?.extract()?,
                    relative_to,
                    ..Goal::new(effector, target)
                });
                names.push(name);
                asks.push(asked);
            }
            "posture" => {
                let given = task.getattr("q")?;
                let mut pose = rig.asset.opening_pose();
                if !given.is_none() {
                    let q = Numbers::of(&given, "q")?;
                    if q.shape() != [skeleton.degrees_of_freedom()] {
                        return Err(PyValueError::new_err(format!(
                            "q: found shape {}; expected ({},)",
                            told(q.shape()),
                            skeleton.degrees_of_freedom()
                        )));
                    }
                    arrays::finite("q", &q.double(), q.shape())?;
                    pose.set_coordinates(skeleton, &q.double()).map_err(refused)?;
                }
                let mut posture = PostureGoal::new(pose, task.getattr("cost")?.extract()?);
                let joints = task.getattr("joint_costs")?;
                if !joints.is_none() {
                    posture.joints = by_joint(rig, &joints, "joint_costs")?
                        .iter()
                        .map(|w| if w.is_finite() { *w } else { 0.0 })
                        .collect();
                }
                goals.set_posture(Some(posture));
            }
            "com" => {
                let corners = Numbers::of(&task.getattr("support")?, "support")?;
                let [_, 3] = corners.shape() else {
                    return Err(PyValueError::new_err(format!(
                        "support: found shape {}; expected (corners, 3)",
                        told(corners.shape())
                    )));
                };
                let frame = rig.frame().unwrap_or(Transform::IDENTITY);
                let point = |p: &[f64]| frame.transform_point(Vec3::from_slice(p));
                let support = corners.double().chunks_exact(3).map(point).collect();
                let masses = rig.asset.point_masses().ok_or_else(|| {
                    refused(format!(
                        "'{}' says nothing of masses, so it has no centre of mass",
                        skeleton.name()
                    ))
                })?;
                let margin = task.getattr("margin")?.extract()?;
                goals.set_balance(Some(BalanceGoal { masses, support, up: Vec3::Y, margin }));
            }
            "velocity" => {
                let time_step = task.getattr("dt")?.extract()?;
                let given = task.getattr("velocities")?;
                let speeds = if given.is_none() {
                    let mut speeds = vec![f64::INFINITY; skeleton.len()];
                    for drive in &rig.asset.drives {
                        speeds[drive.joint.index()] = drive.velocity.unwrap_or(f64::INFINITY);
                    }
                    speeds
                } else {
                    by_joint(rig, &given, "velocities")?
                };
                goals.set_speed(Some(SpeedGoal { speeds, time_step }));
            }
            "collision" => {
                let distance = task.getattr("distance")?.extract()?;
                let body = Arc::new(CollisionBody::from_rig(skeleton, &rig.asset.humanoid()));
                goals.set_clearance(Some(ClearanceGoal {
                    body,
                    scene: Arc::new(CollisionScene::new()),
                    distance,
                }));
            }
            other => return Err(PyTypeError::new_err(format!("there is no task of kind '{other}'"))),
        }
        Ok(())
    }

    /// The single-precision engine, built on first use.
    fn single(&mut self) -> PyResult<&mut single::work::Batch> {
        if self.engines.single.is_none() {
            let skeleton = Arc::new(single::skeleton(&self.skeleton).map_err(refused)?);
            let goals = single::goals(&skeleton, &self.goals).map_err(refused)?;
            let opening = sinew_io::narrow::pose(&skeleton, &self.rig.asset.opening_pose());
            let frame = self.rig.frame().map(sinew_io::narrow::transform);
            let asks = self.asks.iter().map(|asks| match asks {
                Asks::Position => single::work::Asks::Position,
                Asks::Orientation => single::work::Asks::Orientation,
                Asks::Pose => single::work::Asks::Pose,
            });
            let spec = narrow_spec(&self.spec)?;
            let batch = single::work::Batch::new(skeleton, &goals, spec, opening, frame, asks.collect());
            self.engines.single = Some(batch.map_err(refused)?);
        }
        self.engines.single.as_mut().ok_or_else(|| refused("the solver could not be built"))
    }
}

fn effector_joint(rig: &Rig, name: &str) -> PyResult<sinew_f64::JointId> {
    Ok(effector(rig, name)?.joint)
}

/// The same solver in single precision: by its document, which is the same in both.
fn narrow_spec(spec: &SolverSpec) -> PyResult<sinew::SolverSpec> {
    let document = serde_json::to_value(spec).map_err(refused)?;
    serde_json::from_value(document).map_err(refused)
}

/// A free root is held where it is unless a goal is on it, as the command `sinew solve` does.
fn with_root(rig: &Rig, goals: &GoalSet, root: &str) -> PyResult<Skeleton> {
    let skeleton = rig.skeleton();
    let on_root = goals.as_slice().iter().any(|g| skeleton.parent(g.effector.joint).is_none());
    let hold = match root {
        "auto" => !on_root,
        "hold" => true,
        "free" => false,
        other => {
            return Err(PyValueError::new_err(format!("root: '{other}'; expected 'auto', 'hold' or 'free'")));
        }
    };
    let mut builder = skeleton.to_builder();
    let free = builder.joints.iter_mut().find(|j| j.parent.is_none() && j.kind == JointKind::Free);
    match free {
        Some(joint) if hold => {
            joint.stiffness = 1.0;
            builder.build().map_err(refused)
        }
        _ => Ok(skeleton.clone()),
    }
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (rig, tasks, *, method="robust", follow=false, root="auto", position_tolerance=1e-4, orientation_tolerance=1e-4, restarts=None, seed=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        rig: PyRef<'_, Rig>,
        tasks: Vec<Bound<'_, PyAny>>,
        method: &str,
        follow: bool,
        root: &str,
        position_tolerance: f64,
        orientation_tolerance: f64,
        restarts: Option<u32>,
        seed: Option<u64>,
    ) -> PyResult<Self> {
        let (mut goals, mut names, mut asks) = (GoalSet::new(), Vec::new(), Vec::new());
        for task in &tasks {
            Self::add(&rig, &mut goals, &mut names, &mut asks, task)?;
        }
        if goals.is_empty() {
            return Err(PyValueError::new_err("tasks: expected at least one FrameTask"));
        }
        goals.set_mimics(rig.asset.mimics.clone());
        if !(position_tolerance > 0.0 && orientation_tolerance > 0.0) {
            return Err(PyValueError::new_err("tolerances: expected metres and radians above zero"));
        }
        let tolerance = Tolerance { position: position_tolerance, orientation: orientation_tolerance };
        let mut spec = method.parse::<SolverSpec>().map_err(refused)?.with_tolerance(tolerance);
        if let SolverSpec::Robust(options) = &mut spec {
            options.restarts = restarts.unwrap_or(options.restarts);
            options.seed = seed.unwrap_or(options.seed);
        }
        if follow {
            spec = spec.following();
        }
        let skeleton = Arc::new(with_root(&rig, &goals, root)?);
        let opening: Pose = rig.asset.opening_pose();
        let double =
            double::work::Batch::new(skeleton.clone(), &goals, spec, opening, rig.frame(), asks.clone());
        let engines = Engines { double: double.map_err(refused)?, single: None };
        Ok(Self { rig: Rig::clone(&rig), skeleton, goals, names: Arc::new(names), asks, spec, engines })
    }

    /// Solves for targets; see ``sinew_ik.Solver.solve``.
    #[pyo3(signature = (positions=None, orientations_xyzw=None, q=None, *, threads=None))]
    fn solve<'py>(
        &mut self,
        py: Python<'py>,
        positions: Option<&Bound<'py, PyAny>>,
        orientations_xyzw: Option<&Bound<'py, PyAny>>,
        q: Option<&Bound<'py, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Solution> {
        let points = self.asks.iter().filter(|asks| **asks != Asks::Orientation).count();
        let turns = self.asks.iter().filter(|asks| **asks != Asks::Position).count();
        let dof = self.skeleton.degrees_of_freedom();
        let take = |given: Option<&Bound<'py, PyAny>>, name: &'static str, tasks: usize, size: usize| match (
            given, tasks,
        ) {
            (None, 0) => Ok(None),
            (Some(given), 1..) => {
                let numbers = Numbers::of(given, name)?;
                let row: &[usize] = if tasks == 1 { &[size] } else { &[tasks, size] };
                let count = rows(name, numbers.shape(), row)?;
                Ok(Some((numbers, count)))
            }
            (None, _) => {
                Err(PyTypeError::new_err(format!("{name}: missing; {tasks} of the tasks ask for it")))
            }
            (Some(_), 0) => {
                Err(PyTypeError::new_err(format!("{name}: no task asks for it; its cost is zero")))
            }
        };
        let positions = take(positions, "positions", points, 3)?;
        let orientations = take(orientations_xyzw, "orientations_xyzw", turns, 4)?;
        let start = match q {
            Some(q) => take(Some(q), "q", 1, dof)?,
            None => None,
        };
        let given = [("positions", &positions), ("orientations_xyzw", &orientations), ("q", &start)];
        let counts: Vec<(&str, Option<usize>)> =
            given.iter().filter_map(|(name, x)| Some((*name, x.as_ref()?.1))).collect();
        let count = agree(&counts)?;
        let is_single = |x: &Option<(Numbers<'py>, Option<usize>)>| {
            x.as_ref().is_none_or(|(n, _)| n.precision() == Precision::Single)
        };
        let many = count.unwrap_or(1);
        let threads = if many < 2 { 1 } else { crate::threads(threads) };
        let names = self.names.clone();
        macro_rules! run {
            ($batch:expr, $asked:ident, $read:ident, $causes:path) => {{
                let positions = positions.as_ref().map(|(n, _)| n.$read("positions")).transpose()?;
                let orientations =
                    orientations.as_ref().map(|(n, _)| n.$read("orientations_xyzw")).transpose()?;
                if let Some(numbers) = &orientations {
                    arrays::rotations("orientations_xyzw", numbers)?;
                }
                let start = start.as_ref().map(|(n, _)| n.$read("q")).transpose()?;
                let batch = $batch;
                let asked = $asked {
                    positions: positions.as_deref().unwrap_or_default(),
                    orientations: orientations.as_deref().unwrap_or_default(),
                    start: start.as_deref().unwrap_or_default(),
                };
                let mut out = vec![0.0; many * dof];
                let answers = match count {
                    None => vec![py.detach(|| batch.solve(&asked, &mut out))],
                    Some(many) => py.detach(|| batch.solve_all(&asked, &mut out, many, threads)),
                };
                let rows = answers
                    .iter()
                    .map(|a| Row {
                        reached: a.reached,
                        iterations: a.iterations,
                        attempts: a.attempts,
                        position: a.position.into(),
                        orientation: a.orientation.into(),
                    })
                    .collect();
                let causes = $causes(batch.skeleton().clone(), answers.iter().map(|a| a.cause).collect());
                let q = shaped(py, out, count, &[dof])?.into_any().unbind();
                Ok(Solution { q, count, rows, causes, names })
            }};
        }
        if is_single(&positions) && is_single(&orientations) && is_single(&start) {
            run!(self.single()?, SingleAsked, finite_single, Causes::Single)
        } else {
            run!(&mut self.engines.double, DoubleAsked, finite_double, Causes::Double)
        }
    }

    /// Forgets the solves before; only a solver with ``follow=True`` remembers any.
    fn forget(&mut self) {
        self.engines.double.forget();
        if let Some(single) = &mut self.engines.single {
            single.forget();
        }
    }

    /// The rig.
    #[getter]
    fn rig(&self) -> Rig {
        self.rig.clone()
    }

    /// The frames of the tasks, in the order of ``positions`` and ``orientations_xyzw``.
    #[getter]
    fn frames(&self) -> Vec<String> {
        (*self.names).clone()
    }

    /// The solver's name.
    #[getter]
    fn method(&self) -> &'static str {
        self.spec.name()
    }
}

impl Solution {
    /// A number or flag of each row, without the first axis for a single one.
    fn column<'py, T: numpy::Element + Copy>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Row) -> T,
    ) -> PyResult<Bound<'py, PyAny>> {
        let numbers: Vec<T> = self.rows.iter().map(of).collect();
        let array = numbers.into_pyarray(py).into_any();
        match self.count {
            Some(_) => Ok(array),
            None => array.get_item(0),
        }
    }

    fn told(&self, i: usize) -> Option<Cause> {
        match &self.causes {
            Causes::Single(skeleton, causes) => {
                Some(single::work::tell(causes.get(i)?.as_ref()?, skeleton, &self.names))
            }
            Causes::Double(skeleton, causes) => {
                Some(double::work::tell(causes.get(i)?.as_ref()?, skeleton, &self.names))
            }
        }
    }
}

#[pymethods]
impl Solution {
    /// Whether every task is met, by forward kinematics of the returned pose.
    #[getter]
    fn reached<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |row| row.reached)
    }

    /// The largest distance of any task, in metres.
    #[getter]
    fn position_error<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |row| row.position)
    }

    /// The largest turn that any task still wants, in radians.
    #[getter]
    fn orientation_error<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |row| row.orientation)
    }

    /// How often the solver went round.
    #[getter]
    fn iterations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |row| row.iterations)
    }

    /// From how many poses it set out.
    #[getter]
    fn attempts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.column(py, |row| row.attempts)
    }

    /// Why a single solve did not reach, or ``None``; of a batch, a list.
    #[getter]
    fn cause<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.count {
            None => Ok(self.told(0).into_pyobject(py)?.into_any()),
            Some(n) => Ok(PyList::new(py, (0..n).map(|i| self.told(i)))?.into_any()),
        }
    }

    /// Why row ``i`` did not reach, or ``None``.
    fn cause_of(&self, i: usize) -> PyResult<Option<Cause>> {
        if i >= self.rows.len() {
            return Err(PyIndexError::new_err(format!("row {i} of {}", self.rows.len())));
        }
        Ok(self.told(i))
    }

    fn __repr__(&self) -> String {
        let reached = self.rows.iter().filter(|row| row.reached).count();
        match self.count {
            Some(n) => format!("Solution({reached} of {n} reached)"),
            None if reached == 1 => format!("Solution(reached, {} iterations)", self.rows[0].iterations),
            None => format!(
                "Solution(not reached: {})",
                self.told(0).map_or_else(String::new, |cause| cause.words)
            ),
        }
    }
}
