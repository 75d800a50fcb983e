//! Jobs over whole motions: a rig with a motion in, a rig with a motion out.

use std::borrow::Cow;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sinew_f64::body::plant::{FootPart, FootPlanter, PlantOptions};
use sinew_f64::body::reach::{ReachOptions, ReachSolver, Style};
use sinew_f64::body::walk::{WalkInput, WalkOptions, WalkVelocity, Walker};
use sinew_f64::filter::{FilterOptions, MotionFilter};
use sinew_f64::skeleton::humanoid::Side;
use sinew_f64::{Pose, Quat, Target, Transform, Vec3};
use sinew_io::{Asset, Frames, Motion};
use sinew_motion::Method;
use sinew_motion::reconstruct::{Options, parse_points};

use crate::arrays::{self, Numbers};
use crate::rig::Rig;
use crate::{cause, double, failed, refused, terrain};

fn with_frames(rig: &Rig, name: &str, frame_time: f64, frames: impl Into<Frames>) -> Rig {
    let mut asset: Asset = (*rig.asset).clone();
    asset.motions = vec![Motion { frames: frames.into(), ..Motion::new(name, frame_time, Vec::new()) }];
    Rig::new(asset)
}

fn first_motion(rig: &Rig) -> PyResult<&Motion> {
    let motion = rig.asset.motions.first();
    motion.ok_or_else(|| refused(format!("'{}' has no motion", rig.skeleton().name())))
}

fn above_zero(name: &str, value: f64) -> PyResult<f64> {
    if value.is_finite() && value > 0.0 {
        return Ok(value);
    }
    Err(PyValueError::new_err(format!("{name}: {value}; expected a number above zero")))
}

/// The most frames that are made in one call.
const MOST_FRAMES: f64 = 10_000_000.0;

/// Takes a few points of a motion and makes the whole body of them again; returns the rig with the new motion and what came of it
/// (``position_error`` of the height, ``orientation_error`` in radians, ``median_us`` a frame, ``filled`` frames,
/// ``missed`` frames of each limb).
#[pyfunction]
#[pyo3(signature = (rig, *, points=None, method="sik+", orientations=false, noise=0.0, filter=0.0, seed=1))]
#[allow(clippy::too_many_arguments)]
pub fn reconstruct<'py>(
    py: Python<'py>,
    rig: PyRef<'py, Rig>,
    points: Option<Vec<String>>,
    method: &str,
    orientations: bool,
    noise: f64,
    filter: f64,
    seed: u64,
) -> PyResult<(Rig, Bound<'py, PyDict>)> {
    let rig = Rig::clone(&rig);
    let points =
        parse_points(&points.unwrap_or_else(|| vec!["six".into()])).map_err(PyValueError::new_err)?;
    let found = Method::by_name(method).ok_or_else(|| {
        let names: Vec<&str> = Method::ALL.iter().map(|m| m.name()).collect();
        PyValueError::new_err(format!("there is no method '{method}'; there are {}", names.join(", ")))
    })?;
    if !(noise >= 0.0 && noise.is_finite() && filter >= 0.0 && filter.is_finite()) {
        return Err(PyValueError::new_err("noise and filter: expected metres, zero or more"));
    }
    let options = Options {
        method: found,
        points,
        orientations,
        noise,
        seed,
        filter,
        calibration: None,
        mounts: Vec::new(),
    };
    let motion = first_motion(&rig)?;
    let outcome = py.detach(|| -> anyhow::Result<_> {
        let map = sinew_io::single::humanoid(&rig.asset)?;
        sinew_motion::reconstruct::reconstruct(
            (rig.skeleton(), map),
            Some(Cow::Borrowed(&motion.frames)),
            None,
            motion.frame_time,
            &options,
        )
    });
    let outcome = outcome.map_err(failed)?;
    let told = PyDict::new(py);
    told.set_item("frames", outcome.frames.len())?;
    told.set_item("position_error", outcome.errors.map(|e| e.0))?;
    told.set_item("orientation_error", outcome.errors.map(|e| e.1))?;
    told.set_item("median_us", outcome.median_us)?;
    told.set_item("filled", outcome.filled)?;
    let missed = PyDict::new(py);
    for limb in &outcome.limbs {
        missed.set_item(limb.point.name(), limb.missed)?;
    }
    told.set_item("missed", missed)?;
    Ok((with_frames(&rig, &motion.name, outcome.frame_time, outcome.frames), told))
}

/// Puts the motion of one rig on the body of another.
#[pyfunction]
pub fn transfer(py: Python<'_>, source: PyRef<'_, Rig>, onto: PyRef<'_, Rig>) -> PyResult<Rig> {
    let (source, onto) = (Rig::clone(&source), Rig::clone(&onto));
    let name = first_motion(&source)?.name.clone();
    let outcome = py.detach(|| -> anyhow::Result<_> {
        let narrow = sinew_io::single::Asset::new(&source.asset)?;
        let map = narrow.humanoid();
        let motion = narrow.motions.into_iter().next().unwrap_or_else(|| sinew_io::single::Motion {
            name: String::new(),
            frame_time: 1.0,
            frames: Vec::new(),
        });
        let sequence = sinew_motion::Sequence {
            name: motion.name,
            skeleton: narrow.skeleton,
            map,
            frames: motion.frames,
            frame_time: f64::from(motion.frame_time),
            rigid: false,
            published: None,
        };
        let body = sinew_io::single::Asset::new(&onto.asset)?;
        let map = body.humanoid();
        sinew_motion::transfer::transfer(&sequence, &body.skeleton, &map, onto.skeleton())
    });
    let outcome = outcome.map_err(failed)?;
    Ok(with_frames(&onto, &name, outcome.frame_time, outcome.frames))
}

/// Lets a character walk; returns the rig with the motion.
///
/// ``sticks`` is one ``(speed, turn)`` for all frames or ``(frames, 2)``, from -1 to 1; ``velocities`` instead is ``(ahead, left, turn)`` in metres and
/// radians a second. ``ground`` is a name (``"stairs"``, ``"hills"``, ...) or ``(heights, cell)``.
#[pyfunction]
#[pyo3(signature = (rig, *, seconds=None, rate=60.0, sticks=None, velocities=None, ground=None))]
pub fn walk(
    py: Python<'_>,
    rig: PyRef<'_, Rig>,
    seconds: Option<f64>,
    rate: f64,
    sticks: Option<&Bound<'_, PyAny>>,
    velocities: Option<&Bound<'_, PyAny>>,
    ground: Option<&Bound<'_, PyAny>>,
) -> PyResult<Rig> {
    let rig = Rig::clone(&rig);
    let ground = terrain::parse(ground)?;
    let rate = above_zero("rate", rate)?;
    let (given, name, width) = match (sticks, velocities) {
        (Some(_), Some(_)) => {
            return Err(PyTypeError::new_err("sticks and velocities: expected one of them"));
        }
        (Some(sticks), None) => (Some(Numbers::of(sticks, "sticks")?), "sticks", 2),
        (None, Some(velocities)) => (Some(Numbers::of(velocities, "velocities")?), "velocities", 3),
        (None, None) => (None, "sticks", 2),
    };
    let rows = match &given {
        Some(given) => arrays::rows(name, given.shape(), &[width])?,
        None => None,
    };
    let numbers = match &given {
        Some(given) => given.finite_double(name)?.into_owned(),
        None => vec![0.8, 0.0],
    };
    let count = match (rows, seconds) {
        (Some(rows), None) => rows,
        (None, seconds) => {
            let count = above_zero("seconds", seconds.unwrap_or(4.0))? * rate;
            if count > MOST_FRAMES {
                return Err(PyValueError::new_err(format!("seconds: {count} frames; at most {MOST_FRAMES}")));
            }
            count.round() as usize
        }
        (Some(_), Some(_)) => {
            return Err(PyTypeError::new_err(format!(
                "seconds: {name} with a row for each frame say how long"
            )));
        }
    };
    let frames = py.detach(|| {
        let skeleton = rig.skeleton();
        let mut walker = Walker::with_map(skeleton, &rig.asset.humanoid(), WalkOptions::default(), &*ground)?;
        let mut pose = Pose::rest(skeleton);
        let mut frames = Vec::with_capacity(count);
        for i in 0..count {
            let row = if rows.is_some() { &numbers[width * i..width * (i + 1)] } else { &numbers[..] };
            match *row {
                [speed, turn] => {
                    walker.step(skeleton, &*ground, WalkInput { speed, turn }, 1.0 / rate, &mut pose)
                }
                [ahead, left, turn] => {
                    walker.step(skeleton, &*ground, WalkVelocity { ahead, left, turn }, 1.0 / rate, &mut pose)
                }
                _ => break,
            };
            frames.push(pose.clone());
        }
        Ok::<_, sinew_f64::error::RigError>(frames)
    });
    Ok(with_frames(&rig, "walk", 1.0 / rate, frames.map_err(refused)?))
}

/// Plants the feet of a motion: contacts are found, held without drift and, with ``ground``, put on other ground. Returns the rig with the
/// motion and what came of it (``contacts``, ``drift``, ``depth``, ``lowered`` in metres).
#[pyfunction]
#[pyo3(signature = (rig, *, ground=None))]
pub fn plant<'py>(
    py: Python<'py>,
    rig: PyRef<'py, Rig>,
    ground: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Rig, Bound<'py, PyDict>)> {
    let rig = Rig::clone(&rig);
    let ground = ground.map(|given| terrain::parse(Some(given))).transpose()?;
    let motion = first_motion(&rig)?;
    let (frames, summary) = py
        .detach(|| {
            let skeleton = rig.skeleton();
            let mut planter =
                FootPlanter::with_map(skeleton, &rig.asset.humanoid(), PlantOptions::default())?;
            let mut frames = motion.frames.clone();
            let ground = ground.as_deref().map(|ground| ground as &dyn sinew_f64::body::walk::Terrain);
            let summary = planter.plant_clip(skeleton, ground, motion.frame_time, &mut frames);
            Ok::<_, sinew_f64::error::RigError>((frames, summary))
        })
        .map_err(refused)?;
    let told = PyDict::new(py);
    let mut contacts = Vec::new();
    for contact in &summary.contacts {
        let one = PyDict::new(py);
        one.set_item("joint", rig.skeleton().joint(contact.joint).name())?;
        one.set_item("part", if contact.part == FootPart::Heel { "heel" } else { "toe" })?;
        one.set_item("first_frame", contact.frames.start)?;
        one.set_item("end_frame", contact.frames.end)?;
        one.set_item("place", contact.place.to_array())?;
        one.set_item("drift", contact.drift)?;
        contacts.push(one);
    }
    told.set_item("contacts", contacts)?;
    told.set_item("drift", summary.drift)?;
    told.set_item("depth", summary.depth)?;
    told.set_item("lowered", summary.lowered)?;
    Ok((with_frames(&rig, &motion.name, motion.frame_time, frames), told))
}

/// Smooths a motion to what a servo can follow: velocity, acceleration and jerk within bounds, in radians (or metres) and seconds.
/// ``character`` is ``"default"``, ``"light"`` or ``"heavy"``; bounds that are given replace its own.
#[pyfunction]
#[pyo3(signature = (rig, *, character="default", velocity=None, acceleration=None, jerk=None))]
pub fn filter(
    py: Python<'_>,
    rig: PyRef<'_, Rig>,
    character: &str,
    velocity: Option<f64>,
    acceleration: Option<f64>,
    jerk: Option<f64>,
) -> PyResult<Rig> {
    let rig = Rig::clone(&rig);
    let mut options = match character {
        "default" => FilterOptions::default(),
        "light" => FilterOptions::light(),
        "heavy" => FilterOptions::heavy(),
        other => {
            return Err(PyValueError::new_err(format!(
                "there is no character '{other}'; there are default, light and heavy"
            )));
        }
    };
    for (name, given, own) in [
        ("velocity", velocity, &mut options.velocity),
        ("acceleration", acceleration, &mut options.acceleration),
        ("jerk", jerk, &mut options.jerk),
    ] {
        if let Some(given) = given {
            *own = above_zero(name, given)?;
        }
    }
    let motion = first_motion(&rig)?;
    let frames = py.detach(|| {
        let skeleton = rig.skeleton();
        let start = motion.frames.first().cloned().unwrap_or_else(|| Pose::rest(skeleton));
        let mut filter = MotionFilter::new(skeleton, options, &start);
        for drive in &rig.asset.drives {
            drive.velocity.into_iter().for_each(|velocity| filter.bound_velocity(drive.joint, velocity));
        }
        let mut shown = start;
        let mut next = |wanted: &Pose| {
            filter.step(skeleton, wanted, motion.frame_time, &mut shown);
            shown.clone()
        };
        motion.frames.iter().map(&mut next).collect::<Vec<Pose>>()
    });
    Ok(with_frames(&rig, &motion.name, motion.frame_time, frames))
}

/// Reaches with the whole body, frame by frame: ``left`` and ``right`` are where the wrists should be, ``(frames, 3)`` or ``(3,)``, with
/// perhaps ``left_xyzw`` and ``right_xyzw``. Returns the rig with the motion, whether each frame reached and why not.
#[pyfunction]
#[pyo3(signature = (rig, *, left=None, right=None, left_xyzw=None, right_xyzw=None, rate=60.0))]
#[allow(clippy::type_complexity)]
pub fn reach<'py>(
    py: Python<'py>,
    rig: PyRef<'py, Rig>,
    left: Option<&Bound<'py, PyAny>>,
    right: Option<&Bound<'py, PyAny>>,
    left_xyzw: Option<&Bound<'py, PyAny>>,
    right_xyzw: Option<&Bound<'py, PyAny>>,
    rate: f64,
) -> PyResult<(Rig, Vec<bool>, Vec<Option<cause::Cause>>)> {
    let rig = Rig::clone(&rig);
    let rate = above_zero("rate", rate)?;
    type Row = (Vec<f64>, Option<usize>);
    let take = |given: Option<&Bound<'py, PyAny>>, name: &str, size: usize| -> PyResult<Option<Row>> {
        let Some(given) = given else { return Ok(None) };
        let numbers = Numbers::of(given, name)?;
        let count = arrays::rows(name, numbers.shape(), &[size])?;
        Ok(Some((numbers.finite_double(name)?.into_owned(), count)))
    };
    let places = [take(left, "left", 3)?, take(right, "right", 3)?];
    let turns = [take(left_xyzw, "left_xyzw", 4)?, take(right_xyzw, "right_xyzw", 4)?];
    for (i, name) in [(0, "left"), (1, "right")] {
        if turns[i].is_some() && places[i].is_none() {
            return Err(PyTypeError::new_err(format!("{name}_xyzw: expected {name}, too")));
        }
        if let Some((numbers, _)) = &turns[i] {
            arrays::rotations(name, numbers)?;
        }
    }
    if places.iter().all(Option::is_none) {
        return Err(PyTypeError::new_err("left and right: expected one of them"));
    }
    let names = ["left", "right", "left_xyzw", "right_xyzw"];
    let all = places.iter().chain(&turns).zip(names);
    let counts: Vec<(&str, Option<usize>)> =
        all.filter_map(|(x, name)| Some((name, x.as_ref()?.1))).collect();
    let count = arrays::agree(&counts)?.unwrap_or(1);
    let run = || {
        let (skeleton, map) = (rig.skeleton(), rig.asset.humanoid());
        let mut pose = Pose::rest(skeleton);
        let mut solver = ReachSolver::new(skeleton, &map, &pose, ReachOptions::default())?;
        for side in Side::BOTH {
            if let Some(behaviour) = Style::Plain.behaviour(skeleton, &map, side) {
                solver.set_behaviour(behaviour)?;
            }
        }
        let (mut frames, mut reached, mut causes) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..count {
            let mut targets: Vec<(Side, Target)> = Vec::new();
            for side in Side::BOTH {
                let row = |x: &Option<Row>, size: usize| -> Option<Vec<f64>> {
                    let (numbers, count) = x.as_ref()?;
                    let at = if count.is_some() { i * size } else { 0 };
                    Some(numbers[at..at + size].to_vec())
                };
                let Some(place) = row(&places[side as usize], 3) else { continue };
                let place = Vec3::from_slice(&place);
                targets.push((
                    side,
                    match row(&turns[side as usize], 4) {
                        Some(q) => Target::Pose(Transform::new(
                            place,
                            Quat::from_xyzw(q[0], q[1], q[2], q[3]).normalize(),
                        )),
                        None => Target::Position(place),
                    },
                ));
            }
            let report = solver.solve(skeleton, &targets, 1.0 / rate, &mut pose);
            reached.push(report.reached());
            causes.push(report.cause);
            frames.push(pose.clone());
        }
        Ok::<_, sinew_f64::error::RigError>((frames, reached, causes))
    };
    let (frames, reached, causes) = py.detach(run).map_err(refused)?;
    let hands = ["left hand".to_string(), "right hand".to_string()];
    let tell = |cause: &Option<sinew_f64::Cause>| {
        cause.as_ref().map(|cause| double::work::tell(cause, rig.skeleton(), &hands))
    };
    let causes = causes.iter().map(tell).collect();
    Ok((with_frames(&rig, "reach", 1.0 / rate, frames), reached, causes))
}
