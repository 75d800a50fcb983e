//! Looking: ERIK for chains of hinges, a gaze for characters.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use sinew_f64::{Pose, Quat, Vec3};
use sinew_io::Motion;
use sinew_motion::look::{Eye, EyeOptions, Wish};

use crate::arrays::{self, Numbers};
use crate::cause::Cause;
use crate::rig::Rig;
use crate::{double, refused};

/// Warps a posture so that it looks: ``at`` points ``(3,)`` or ``(frames, 3)``, or ``toward`` as quaternions x, y, z, w from straight ahead. A chain
/// of hinges (a lamp, a robot arm) is solved by ERIK, a character turns eyes, head, neck and spine.
///
/// ``posture`` is the ``q`` of the posture that is kept as well as can be; ``rate`` says that the targets are frames of
/// one motion, so many a second, and otherwise each is looked at by itself. Returns the rig with a motion of as many frames,
/// whether each looks there, by how much it misses in radians, and why.
#[pyfunction]
#[pyo3(signature = (rig, *, at=None, toward_xyzw=None, posture=None, weight=1.0, rate=None))]
#[allow(clippy::type_complexity)]
pub fn look<'py>(
    py: Python<'py>,
    rig: PyRef<'py, Rig>,
    at: Option<&Bound<'py, PyAny>>,
    toward_xyzw: Option<&Bound<'py, PyAny>>,
    posture: Option<&Bound<'py, PyAny>>,
    weight: f64,
    rate: Option<f64>,
) -> PyResult<(Rig, Vec<bool>, Vec<f64>, Vec<Option<Cause>>)> {
    let rig = Rig::clone(&rig);
    let frame = rig.frame();
    let wishes: Vec<Wish> = match (at, toward_xyzw) {
        (Some(at), None) => {
            let points = Numbers::of(at, "at")?;
            arrays::rows("at", points.shape(), &[3])?;
            let point = |p: &[f64]| {
                let p = Vec3::from_slice(p);
                Wish::At(frame.map_or(p, |frame| frame.transform_point(p)))
            };
            points.finite_double("at")?.chunks_exact(3).map(point).collect()
        }
        (None, Some(toward)) => {
            let turns = Numbers::of(toward, "toward_xyzw")?;
            arrays::rows("toward_xyzw", turns.shape(), &[4])?;
            let numbers = turns.finite_double("toward_xyzw")?;
            arrays::rotations("toward_xyzw", &numbers)?;
            numbers
                .chunks_exact(4)
                .map(|q| Wish::Toward(Quat::from_xyzw(q[0], q[1], q[2], q[3]).normalize()))
                .collect()
        }
        _ => return Err(PyTypeError::new_err("at and toward_xyzw: expected one of them")),
    };
    if !(0.0..=1.0).contains(&weight) {
        return Err(PyValueError::new_err(format!("weight: {weight}; expected 0 to 1")));
    }
    if rate.is_some_and(|rate| !(rate.is_finite() && rate > 0.0)) {
        return Err(PyValueError::new_err("rate: expected frames a second, above zero"));
    }
    let mut pose = rig.asset.opening_pose();
    if let Some(q) = posture {
        let numbers = Numbers::of(q, "posture")?;
        let width = rig.skeleton().degrees_of_freedom();
        if arrays::rows("posture", numbers.shape(), &[width])?.is_some() {
            return Err(PyValueError::new_err("posture: expected one pose"));
        }
        pose.set_coordinates(rig.skeleton(), &numbers.finite_double("posture")?).map_err(refused)?;
    }
    let options = EyeOptions { rate, ..EyeOptions::default() };
    let mut eye = Eye::new(&rig.asset, &options).map_err(refused)?;
    let names = eye.names().to_vec();
    let (mut frames, mut seen) = (Vec::<Pose>::new(), Vec::new());
    py.detach(|| {
        for (i, wish) in wishes.iter().enumerate() {
            let mut out = pose.clone();
            let anew = i == 0 || rate.is_none();
            seen.push(eye.look(rig.skeleton(), &pose, *wish, weight, anew, &mut out));
            frames.push(out);
        }
    });
    let causes = seen
        .iter()
        .map(|s| s.cause.as_ref().map(|c| double::work::tell(c, rig.skeleton(), &names)))
        .collect();
    let missed = seen.iter().map(|s| s.missed.iter().copied().fold(0.0, f64::max)).collect();
    let reached = seen.iter().map(|s| s.reached).collect();
    let mut asset = (*rig.asset).clone();
    asset.motions = vec![Motion::new("look", 1.0 / rate.unwrap_or(60.0), frames)];
    Ok((Rig::new(asset), reached, missed, causes))
}
