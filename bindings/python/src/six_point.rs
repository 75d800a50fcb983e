//! Whole bodies from a few tracked points, one or a crowd.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sinew_motion::reconstruct::parse_points;

use crate::arrays::{Numbers, output, told, writable};
use crate::cause::Cause;
use crate::rig::{Rig, shaped};
use crate::{double, refused, single};

enum Engine {
    Single(single::work::Bodies),
    Double(double::work::Bodies),
}

enum Causes {
    Single(Vec<Option<sinew::Cause>>),
    Double(Vec<Option<sinew_f64::Cause>>),
}

/// Whole bodies from tracked points, frame by frame: pelvis, head, wrists and ankles, or any of the eleven.
///
/// ``count`` bodies go on together, each with its own memory. ``dtype`` chooses the engine's precision; places and
/// orientations of other dtypes are converted.
///
/// >>> import sinew_ik
/// >>> bodies = sinew_ik.SixPoint(sinew_ik.rig("humanoid"), count=3)
/// >>> rotations_xyzw, translations = bodies.step(bodies.rest_points(), dt=1 / 60)
/// >>> rotations_xyzw.shape[0], bodies.filled.tolist()
/// (3, [0, 0, 0])
#[pyclass(module = "sinew_ik")]
pub struct SixPoint {
    engine: Engine,
    names: Vec<String>,
    count: usize,
    joints: usize,
    reached: Vec<bool>,
    filled: Vec<u32>,
    causes: Causes,
}

/// The most bodies: what is certainly a slip is not allocated.
const MOST: usize = 1_000_000;

#[pymethods]
impl SixPoint {
    #[new]
    #[pyo3(signature = (rig, *, count=1, points=None, dtype="float32", threads=None))]
    fn new(
        rig: PyRef<'_, Rig>,
        count: usize,
        points: Option<Vec<String>>,
        dtype: &str,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        if !(1..=MOST).contains(&count) {
            return Err(PyValueError::new_err(format!("count: {count}; expected 1 to {MOST} bodies")));
        }
        let words = points.unwrap_or_else(|| vec!["six".into()]);
        let points = parse_points(&words).map_err(PyValueError::new_err)?;
        let names = points.iter().map(|p| p.name().to_string()).collect();
        let threads = crate::threads(threads);
        let engine = match dtype {
            "float32" => {
                let skeleton = Arc::new(single::skeleton(rig.skeleton()).map_err(refused)?);
                Engine::Single(single::work::Bodies::new(skeleton, count, points, threads).map_err(refused)?)
            }
            "float64" => {
                // The points have the same order in both precisions.
                let of = |p: sinew::body::six_point::Point| sinew_f64::body::six_point::Point::ALL[p.index()];
                let points = points.into_iter().map(of).collect();
                let skeleton = Arc::new(rig.skeleton().clone());
                Engine::Double(double::work::Bodies::new(skeleton, count, points, threads).map_err(refused)?)
            }
            other => {
                return Err(PyTypeError::new_err(format!(
                    "dtype: '{other}'; expected 'float32' or 'float64'"
                )));
            }
        };
        let joints = rig.skeleton().len();
        let causes = Causes::Double(vec![None; count]);
        Ok(Self { engine, names, count, joints, reached: vec![false; count], filled: vec![0; count], causes })
    }

    /// The points that are tracked, in the order of ``positions``.
    #[getter]
    fn points(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Where the points of the rest pose are: ``(count, points, 3)``.
    fn rest_points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let row = [self.names.len(), 3];
        Ok(match &self.engine {
            Engine::Single(bodies) => {
                shaped(py, bodies.rest_points().repeat(self.count), Some(self.count), &row)?.into_any()
            }
            Engine::Double(bodies) => {
                shaped(py, bodies.rest_points().repeat(self.count), Some(self.count), &row)?.into_any()
            }
        })
    }

    /// Goes on by ``dt`` seconds and returns ``rotations_xyzw`` ``(count, joints, 4)`` and ``translations`` ``(count, joints, 3)``.
    ///
    /// ``positions`` is ``(count, points, 3)`` in model space (y up, metres), ``orientations_xyzw`` ``(count, points, 4)``. NaN says that a
    /// point is not seen: it is filled in. ``reached``, ``filled`` and ``causes`` then tell what came of the frame.
    ///
    /// ``out`` is a pair of arrays that the answer is written to, as one that was returned before: new ones for a
    /// large crowd take some time of every frame.
    #[pyo3(signature = (positions, orientations_xyzw=None, *, dt, out=None))]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        positions: &Bound<'py, PyAny>,
        orientations_xyzw: Option<&Bound<'py, PyAny>>,
        dt: f64,
        out: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        if !(dt.is_finite() && dt > 0.0) {
            return Err(PyValueError::new_err(format!("dt: {dt}; expected seconds above zero")));
        }
        let tracked = self.names.len();
        let take = |given: &Bound<'py, PyAny>, name: &str, size: usize| {
            let numbers = Numbers::of(given, name)?;
            let single = self.count == 1 && numbers.shape() == [tracked, size];
            if !single && numbers.shape() != [self.count, tracked, size] {
                let expected = told(&[self.count, tracked, size]);
                return Err(PyValueError::new_err(format!(
                    "{name}: found shape {}; expected {expected}",
                    told(numbers.shape())
                )));
            }
            Ok(numbers)
        };
        let positions = take(positions, "positions", 3)?;
        let orientations = orientations_xyzw.map(|given| take(given, "orientations_xyzw", 4)).transpose()?;
        let (count, joints) = (self.count, self.joints);
        macro_rules! run {
            ($bodies:expr, $work:ident, $read:ident, $causes:path) => {{
                let positions = positions.$read();
                let orientations = orientations.as_ref().map(|numbers| numbers.$read());
                let orientations = orientations.as_deref().unwrap_or_default();
                let positions = &*positions;
                let (turns, shifts) = out.as_ref().map(|(turns, shifts)| (turns, shifts)).unzip();
                let turns = output(py, turns, "out[0]", &[count, joints, 4])?;
                let shifts = output(py, shifts, "out[1]", &[count, joints, 3])?;
                let (mut to_turns, mut to_shifts) =
                    (writable(&turns, "out[0]")?, writable(&shifts, "out[1]")?);
                let (rotations, translations) = (to_turns.as_slice_mut()?, to_shifts.as_slice_mut()?);
                let mut seen = vec![$work::work::Seen { reached: false, cause: None, filled: 0 }; count];
                py.detach(|| {
                    let shown = $work::work::Shown { rotations, translations, seen: &mut seen };
                    $bodies.step(positions, orientations, dt as _, shown);
                });
                self.reached = seen.iter().map(|s| s.reached).collect();
                self.filled = seen.iter().map(|s| s.filled).collect();
                self.causes = $causes(seen.iter().map(|s| s.cause).collect());
                Ok((turns.into_any(), shifts.into_any()))
            }};
        }
        match &mut self.engine {
            Engine::Single(bodies) => run!(bodies, single, single, Causes::Single),
            Engine::Double(bodies) => run!(bodies, double, double, Causes::Double),
        }
    }

    /// Forgets the frames before: the next one is the first.
    fn reset(&mut self) {
        match &mut self.engine {
            Engine::Single(bodies) => bodies.reset(),
            Engine::Double(bodies) => bodies.reset(),
        }
    }

    /// Of each body, whether wrists and ankles stand where they should and all six points were measured.
    #[getter]
    fn reached<'py>(&self, py: Python<'py>) -> Bound<'py, numpy::PyArray1<bool>> {
        self.reached.clone().into_pyarray(py)
    }

    /// Of each body, how many of the six points were not seen or not believed.
    #[getter]
    fn filled<'py>(&self, py: Python<'py>) -> Bound<'py, numpy::PyArray1<u32>> {
        self.filled.clone().into_pyarray(py)
    }

    /// Of each body, why a limb is not where it should be, or ``None``.
    #[getter]
    fn causes(&self) -> Vec<Option<Cause>> {
        // Goals are numbered as the eleven points are.
        let all: Vec<String> =
            sinew::body::six_point::Point::ALL.iter().map(|p| p.name().to_string()).collect();
        match (&self.causes, &self.engine) {
            (Causes::Single(causes), Engine::Single(bodies)) => causes
                .iter()
                .map(|c| c.as_ref().map(|c| single::work::tell(c, bodies.skeleton(), &all)))
                .collect(),
            (Causes::Double(causes), Engine::Double(bodies)) => causes
                .iter()
                .map(|c| c.as_ref().map(|c| double::work::tell(c, bodies.skeleton(), &all)))
                .collect(),
            _ => vec![None; self.count],
        }
    }
}
