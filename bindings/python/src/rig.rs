//! A rig: what a file holds, or one of the rigs that the engine makes itself.

use std::path::PathBuf;
use std::sync::Arc;

use numpy::{IntoPyArray, PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyValueError};
use pyo3::prelude::*;
use sinew_draw::{Figure, Scene, ViewsOptions};
use sinew_f64::filter::JointValues;
use sinew_f64::{JointKind, Pose, Quat, Skeleton, Transform, Vec3};
use sinew_io::{Asset, Format, Motion, WriteOptions};

use crate::arrays::{self, Numbers, Precision, agree, rows};
use crate::{double, refused, single};

/// A skeleton with what its file says besides: motions, other names, masses, notes.
///
/// A pose of it is an array in one of two forms. ``q`` has one number for each degree of freedom, named by
/// ``q_names``: what robots have. ``rotations_xyzw`` and ``translations`` have a row for each joint, its motion from
/// rest: what characters have.
///
/// >>> import sinew_ik
/// >>> arm = sinew_ik.rig("arm")
/// >>> arm.dof, arm.joint_names[-1]
/// (7, 'flange')
#[pyclass(frozen, module = "sinew_ik")]
#[derive(Clone)]
pub struct Rig {
    pub asset: Arc<Asset>,
}

/// Poses as arrays: rotations and translations.
type PoseArrays<'py> = (Bound<'py, PyArrayDyn<f64>>, Bound<'py, PyArrayDyn<f64>>);

impl Rig {
    pub fn new(asset: Asset) -> Self {
        Self { asset: Arc::new(asset) }
    }

    pub fn skeleton(&self) -> &Skeleton {
        &self.asset.skeleton
    }

    /// The axes of a robot's file, in model space; the root carries the turn to ours.
    pub fn frame(&self) -> Option<Transform> {
        let robot = self.asset.source.format == Some(Format::Urdf);
        robot.then(|| self.skeleton().joint(self.skeleton().root()).rest())
    }

    /// Poses from arrays of rotations and perhaps translations; a single pose is one frame.
    pub fn poses(
        &self,
        rotations_xyzw: &Bound<'_, PyAny>,
        translations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Vec<Pose>, bool)> {
        let joints = self.skeleton().len();
        let turns = Numbers::of(rotations_xyzw, "rotations_xyzw")?;
        let count = rows("rotations_xyzw", turns.shape(), &[joints, 4])?;
        let shifts = translations.map(|given| Numbers::of(given, "translations")).transpose()?;
        let shift_count = match &shifts {
            Some(shifts) => rows("translations", shifts.shape(), &[joints, 3])?,
            None => count,
        };
        if count != shift_count {
            agree(&[
                ("rotations_xyzw", Some(count.unwrap_or(1))),
                ("translations", Some(shift_count.unwrap_or(1))),
            ])?;
        }
        let (numbers, shape) = (turns.double(), turns.shape());
        arrays::finite("rotations_xyzw", &numbers, shape)?;
        arrays::rotations("rotations_xyzw", &numbers)?;
        let moved = shifts.as_ref().map(|shifts| shifts.double());
        if let (Some(moved), Some(shifts)) = (&moved, &shifts) {
            arrays::finite("translations", moved, shifts.shape())?;
        }
        let rest = Pose::rest(self.skeleton());
        let poses = (0..count.unwrap_or(1)).map(|frame| {
            let mut pose = rest.clone();
            for id in self.skeleton().ids() {
                let at = frame * joints + id.index();
                let q = &numbers[4 * at..4 * at + 4];
                pose.set_rotation(id, Quat::from_xyzw(q[0], q[1], q[2], q[3]).normalize());
                if let Some(moved) = &moved {
                    pose.set_translation(id, Vec3::from_slice(&moved[3 * at..]));
                }
            }
            pose
        });
        Ok((poses.collect(), count.is_none()))
    }

    /// Poses as arrays, one frame without the first axis if it is a single one.
    pub fn arrays<'py>(&self, py: Python<'py>, poses: &[Pose], single: bool) -> PyResult<PoseArrays<'py>> {
        let joints = self.skeleton().len();
        let turns: Vec<f64> =
            poses.iter().flat_map(|p| p.rotations().iter().flat_map(|q| q.to_array())).collect();
        let shifts: Vec<f64> =
            poses.iter().flat_map(|p| p.translations().iter().flat_map(|t| t.to_array())).collect();
        Ok((
            shaped(py, turns, (!single).then_some(poses.len()), &[joints, 4])?,
            shaped(py, shifts, (!single).then_some(poses.len()), &[joints, 3])?,
        ))
    }

    /// Coordinates from an array.
    fn coordinates(&self, q: &Bound<'_, PyAny>) -> PyResult<(Vec<f64>, Option<usize>)> {
        let q = Numbers::of(q, "q")?;
        let count = rows("q", q.shape(), &[self.skeleton().degrees_of_freedom()])?;
        let numbers = q.double();
        arrays::finite("q", &numbers, q.shape())?;
        Ok((numbers.into_owned(), count))
    }
}

/// Numbers as an array of rows of this shape.
pub fn shaped<'py, T: numpy::Element>(
    py: Python<'py>,
    numbers: Vec<T>,
    count: Option<usize>,
    row: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let shape: Vec<usize> = count.into_iter().chain(row.iter().copied()).collect();
    numbers.into_pyarray(py).reshape(shape)
}

/// The name of each coordinate.
fn coordinate_names(skeleton: &Skeleton) -> Vec<String> {
    let ends = |kind: JointKind| -> &'static [&'static str] {
        match kind {
            JointKind::Fixed => &[],
            JointKind::Hinge { .. } | JointKind::Prismatic { .. } => &[""],
            JointKind::Universal { .. } => &[".first", ".second"],
            JointKind::Ball => &[".rx", ".ry", ".rz"],
            JointKind::Free => &[".x", ".y", ".z", ".rx", ".ry", ".rz"],
        }
    };
    let joints = skeleton.joints().iter();
    joints.flat_map(|j| ends(j.kind()).iter().map(|end| format!("{}{end}", j.name()))).collect()
}

#[pymethods]
impl Rig {
    /// The skeleton's name.
    #[getter]
    fn name(&self) -> &str {
        self.skeleton().name()
    }

    /// The joints' names, parents before children.
    #[getter]
    fn joint_names(&self) -> Vec<&str> {
        self.skeleton().joints().iter().map(|joint| joint.name()).collect()
    }

    /// The index of each joint's parent; -1 for a root.
    #[getter]
    fn parents(&self) -> Vec<i64> {
        let parent = |j: &sinew_f64::skeleton::Joint| j.parent().map_or(-1, |p| p.index() as i64);
        self.skeleton().joints().iter().map(parent).collect()
    }

    /// What else can be named in a goal: other names of joints, such as the links of a robot.
    #[getter]
    fn links(&self) -> Vec<(&str, &str)> {
        let name = |joint| self.skeleton().joint(joint).name();
        self.asset.aliases.iter().map(|alias| (alias.name.as_str(), name(alias.joint))).collect()
    }

    /// How many numbers ``q`` has.
    #[getter]
    fn dof(&self) -> usize {
        self.skeleton().degrees_of_freedom()
    }

    /// What each number of ``q`` is called: a hinge or a slide as its joint, a joint with more freedom with an ending
    /// (``.x`` metres, ``.rx`` a part of a rotation vector). Joints that mimic others are in it, too.
    #[getter]
    fn q_names(&self) -> Vec<String> {
        coordinate_names(self.skeleton())
    }

    /// The least that each number of ``q`` may be; ``-inf`` where it has no range of its own.
    #[getter]
    fn q_lower<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.ranges().iter().map(|r| r.0).collect::<Vec<_>>().into_pyarray(py)
    }

    /// The most that each number of ``q`` may be.
    #[getter]
    fn q_upper<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.ranges().iter().map(|r| r.1).collect::<Vec<_>>().into_pyarray(py)
    }

    /// The pose that the file opens with, as ``q``.
    #[getter]
    fn q_opening<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut q = vec![0.0; self.dof()];
        self.asset.opening_pose().to_coordinates(self.skeleton(), &mut q).map_err(refused)?;
        Ok(q.into_pyarray(py))
    }

    /// The limit of every joint that has one, by name: its kind and its document as JSON text.
    #[getter]
    fn limits(&self) -> Vec<(&str, &str, String)> {
        let limited = self.skeleton().joints().iter().filter(|joint| !joint.limit().is_none());
        let document =
            |joint: &sinew_f64::skeleton::Joint| serde_json::to_string(joint.limit()).unwrap_or_default();
        limited.map(|joint| (joint.name(), joint.limit().name(), document(joint))).collect()
    }

    /// What reading the file repaired or could not keep, in words.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.asset.notes.iter().map(ToString::to_string).collect()
    }

    /// The motions' names.
    #[getter]
    fn motion_names(&self) -> Vec<&str> {
        self.asset.motions.iter().map(|motion| motion.name.as_str()).collect()
    }

    /// The axes of goals and of ``forward``: ``"file"`` for a URDF (z up), ``"model"`` (y up) for others.
    #[getter]
    fn axes(&self) -> &'static str {
        if self.frame().is_some() { "file" } else { "model" }
    }

    /// A motion as arrays: ``rotations_xyzw`` (frames, joints, 4), ``translations`` (frames, joints, 3) and the seconds from one
    /// frame to the next. By number or by name.
    ///
    /// >>> import sinew_ik
    /// >>> walk = sinew_ik.walk(sinew_ik.rig("humanoid"), seconds=1.0, rate=30.0)
    /// >>> rotations_xyzw, translations, frame_time = walk.motion()
    /// >>> rotations_xyzw.shape[0]
    /// 30
    #[pyo3(signature = (which=None))]
    fn motion<'py>(
        &self,
        py: Python<'py>,
        which: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyArrayDyn<f64>>, Bound<'py, PyArrayDyn<f64>>, f64)> {
        let motions = &self.asset.motions;
        let number = match which {
            None => 0,
            Some(which) => match which.extract::<usize>() {
                Ok(number) => number,
                Err(_) => {
                    let name: String = which.extract()?;
                    let found = motions.iter().position(|motion| motion.name == name);
                    found.ok_or_else(|| {
                        PyKeyError::new_err(format!(
                            "there is no motion '{name}'; there are {:?}",
                            self.motion_names()
                        ))
                    })?
                }
            },
        };
        let motion = motions.get(number).ok_or_else(|| {
            PyIndexError::new_err(format!("motion {number} of {}: the rig has {0} motions", motions.len()))
        })?;
        let (turns, shifts) = self.arrays(py, &motion.frames, false)?;
        Ok((turns, shifts, motion.frame_time))
    }

    /// The same rig with one motion, from arrays as ``motion`` gives them.
    #[pyo3(signature = (rotations_xyzw, translations=None, *, frame_time, name="motion"))]
    fn with_motion(
        &self,
        rotations_xyzw: &Bound<'_, PyAny>,
        translations: Option<&Bound<'_, PyAny>>,
        frame_time: f64,
        name: &str,
    ) -> PyResult<Self> {
        if !(frame_time.is_finite() && frame_time > 0.0) {
            return Err(PyValueError::new_err(format!(
                "frame_time: {frame_time}; expected seconds above zero"
            )));
        }
        let (frames, _) = self.poses(rotations_xyzw, translations)?;
        let mut asset = (*self.asset).clone();
        asset.motions = vec![Motion::new(name, frame_time, frames)];
        Ok(Self::new(asset))
    }

    /// The same rig with a base that floats, for robots that walk: its six numbers come first in ``q`` (metres and a rotation
    /// vector, in the file's axes).
    fn floating(&self) -> PyResult<Self> {
        let mut builder = self.skeleton().to_builder();
        if let Some(root) = builder.joints.iter_mut().find(|joint| joint.parent.is_none()) {
            root.kind = JointKind::Free;
        }
        let mut asset = (*self.asset).clone();
        asset.skeleton = builder.build().map_err(refused)?;
        Ok(Self::new(asset))
    }

    /// Writes skeleton and motions to a file of the format that the ending says (``.bvh``, ``.glb``, ``.gltf``, ``.vrma``,
    /// ``.rig.toml``), whole or not at all. Returns what the format could not hold.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
        let notes = py.detach(|| sinew_io::write_file(&path, &self.asset, &WriteOptions::default()));
        Ok(notes.map_err(refused)?.iter().map(ToString::to_string).collect())
    }

    /// Where all joints stand: places ``(joints, 3)`` and ``orientations_xyzw`` ``(joints, 4)``, or with a first axis for a batch of
    /// ``q``, in the axes that ``axes`` names. ``float32`` in, ``float32`` out.
    ///
    /// >>> import sinew_ik, numpy as np
    /// >>> arm = sinew_ik.rig("arm")
    /// >>> places, orientations_xyzw = arm.forward(np.zeros((5, arm.dof)))
    /// >>> places.shape
    /// (5, 9, 3)
    #[pyo3(signature = (q, *, threads=1))]
    fn forward<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let threads = crate::threads(Some(threads));
        let q = Numbers::of(q, "q")?;
        let joints = self.skeleton().len();
        let count = rows("q", q.shape(), &[self.dof()])?;
        let many = count.unwrap_or(1);
        match q.precision() {
            Precision::Double => {
                let numbers = q.double();
                arrays::finite("q", &numbers, q.shape())?;
                let (skeleton, frame, numbers) = (self.skeleton(), self.frame(), &*numbers);
                let (places, turns) =
                    py.detach(|| double::work::forward(skeleton, frame, numbers, many, threads));
                Ok((
                    shaped(py, places, count, &[joints, 3])?.into_any(),
                    shaped(py, turns, count, &[joints, 4])?.into_any(),
                ))
            }
            Precision::Single => {
                let numbers = q.single();
                arrays::finite("q", &numbers, q.shape())?;
                let skeleton = single::skeleton(self.skeleton()).map_err(refused)?;
                let (frame, numbers) = (self.frame().map(sinew_io::narrow::transform), &*numbers);
                let (places, turns) =
                    py.detach(|| single::work::forward(&skeleton, frame, numbers, many, threads));
                Ok((
                    shaped(py, places, count, &[joints, 3])?.into_any(),
                    shaped(py, turns, count, &[joints, 4])?.into_any(),
                ))
            }
        }
    }

    /// ``rotations_xyzw`` and ``translations`` of the poses that ``q`` has.
    fn pose_of<'py>(&self, py: Python<'py>, q: &Bound<'py, PyAny>) -> PyResult<PoseArrays<'py>> {
        let (numbers, count) = self.coordinates(q)?;
        let mut poses = vec![Pose::rest(self.skeleton()); count.unwrap_or(1)];
        for (pose, row) in poses.iter_mut().zip(numbers.chunks(self.dof().max(1))) {
            pose.set_coordinates(self.skeleton(), row).map_err(refused)?;
        }
        self.arrays(py, &poses, count.is_none())
    }

    /// ``q`` of poses as ``rotations_xyzw`` and ``translations``.
    #[pyo3(signature = (rotations_xyzw, translations=None))]
    fn q_of<'py>(
        &self,
        py: Python<'py>,
        rotations_xyzw: &Bound<'py, PyAny>,
        translations: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let (poses, one) = self.poses(rotations_xyzw, translations)?;
        let mut q = vec![0.0; poses.len() * self.dof()];
        for (pose, row) in poses.iter().zip(q.chunks_mut(self.dof().max(1))) {
            pose.to_coordinates(self.skeleton(), row).map_err(refused)?;
        }
        shaped(py, q, (!one).then_some(poses.len()), &[self.dof()])
    }

    /// A picture as SVG text: at rest, or in the pose ``q``.
    #[pyo3(signature = (q=None))]
    fn svg(&self, q: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let mut pose = self.asset.opening_pose();
        if let Some(q) = q {
            let (numbers, count) = self.coordinates(q)?;
            if count.is_some() {
                return Err(PyValueError::new_err("q: one picture is of one pose; index the batch first"));
            }
            pose.set_coordinates(self.skeleton(), &numbers).map_err(refused)?;
        }
        let words = format!("{} joints, {} degrees of freedom", self.skeleton().len(), self.dof());
        let figure = Figure::new(self.skeleton(), &pose).names(false);
        let scene = Scene::new(self.name()).note(words).figure(figure);
        Ok(sinew_draw::views(&scene, &ViewsOptions::default()).svg().to_string())
    }

    /// The picture that a notebook shows.
    fn _repr_html_(&self) -> PyResult<String> {
        self.svg(None)
    }

    fn __repr__(&self) -> String {
        let (joints, dof, motions) = (self.skeleton().len(), self.dof(), self.asset.motions.len());
        format!("Rig({:?}, {joints} joints, {dof} degrees of freedom, {motions} motions)", self.name())
    }
}

impl Rig {
    fn ranges(&self) -> Vec<(f64, f64)> {
        JointValues::new(self.skeleton(), &Pose::rest(self.skeleton())).ranges().collect()
    }
}

/// Reads a file: URDF, BVH, ASF or AMC, glTF, GLB, VRM or a rig file. ``path`` may also be a module of the package
/// ``robot_descriptions`` or the name of one.
#[pyfunction]
pub fn load(py: Python<'_>, path: PathBuf) -> PyResult<Rig> {
    py.detach(|| sinew_io::read_file(&path)).map(Rig::new).map_err(refused)
}

/// Reads a file's bytes; ``name`` says the format where the content does not.
#[pyfunction]
pub fn read(py: Python<'_>, data: Vec<u8>, name: &str) -> PyResult<Rig> {
    py.detach(|| sinew_io::read(name, &data, &mut |_| None)).map(Rig::new).map_err(refused)
}

/// A rig that the engine makes itself, by name: ``"humanoid"``, ``"arm"``, ``"chain:20"``, ...
///
/// >>> import sinew_ik
/// >>> sinew_ik.rig("chain:20").dof
/// 63
#[pyfunction]
pub fn rig(name: &str) -> PyResult<Rig> {
    sinew_f64::rigs::by_name(name).map(|skeleton| Rig::new(Asset::new(skeleton))).map_err(refused)
}

/// The names of the rigs that the engine makes itself.
#[pyfunction]
pub fn rig_names() -> Vec<&'static str> {
    sinew_f64::rigs::all().iter().map(|rig| rig.name).collect()
}

/// How many threads a batch can use here.
#[pyfunction]
pub fn available_threads() -> usize {
    sinew_f64::crowd::available_threads()
}
