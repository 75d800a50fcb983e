//! Postures: by name, typed, or from a file.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde::Deserialize;
use sinew_f64::math::rotation;
use sinew_f64::solver::erik::postures;
use sinew_f64::{Goal, GoalSet, JointId, JointKind, Pose, Quat, Skeleton, SolverSpec, Transform, Vec3};
use sinew_io::{ReadOptions, read_file_with, table};
use sinew_motion::look::{Eye, posture};

use super::super::solve::goal::vector;
use crate::failure::usage;
use crate::memory;
use crate::resolve::Input;

/// A posture, or a motion of postures.
pub struct Posture {
    pub name: String,
    frames: Vec<Pose>,
    frame_time: f64,
}

impl Posture {
    /// By the name of one of the rig or of a shape that what looks can take, typed, or a file.
    pub fn find(text: &str, input: &Input, eye: &Eye) -> Result<Self> {
        let still = |pose: Pose| Self { name: text.to_string(), frames: vec![pose], frame_time: 1.0 };
        if Path::new(text).is_file() {
            return Self::read(text, input);
        }
        if let Some(pose) = posture(&input.asset, eye, text) {
            return Ok(still(pose));
        }
        if text.contains('=') {
            return Ok(still(typed(text, input)?));
        }
        let mut known: Vec<&str> = input.asset.postures.iter().map(|(name, _)| name.as_str()).collect();
        known.extend(postures::NAMES);
        Err(anyhow!(
            "{}: there is no posture '{text}' and no file of that name; there are {}",
            input.origin.name(),
            known.join(", ")
        ))
    }

    /// The posture at a time; a motion ends with its last frame.
    pub fn at(&self, time: f64) -> &Pose {
        let frame = (time / self.frame_time).round().max(0.0) as usize;
        &self.frames[frame.min(self.frames.len() - 1)]
    }

    fn read(path: &str, input: &Input) -> Result<Self> {
        let skeleton = &input.asset.skeleton;
        if path.to_ascii_lowercase().ends_with(".csv") {
            return positions(path, input);
        }
        let name = Path::new(path).file_stem().and_then(|n| n.to_str()).unwrap_or(path).to_string();
        if path.to_ascii_lowercase().ends_with(".json") {
            let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
            let pose = from_json(&text, skeleton).with_context(|| path.to_string())?;
            return Ok(Self { name, frames: vec![pose], frame_time: 1.0 });
        }
        let asset =
            read_file_with(path, &ReadOptions { budget: memory::budget(), ..ReadOptions::default() })?;
        let theirs = &asset.skeleton;
        // Joints by name: the file may hold more, and in another order.
        let pairs: Vec<(JointId, JointId)> =
            skeleton.ids().filter_map(|id| Some((id, theirs.find(skeleton.joint(id).name())?))).collect();
        if pairs.is_empty() {
            return Err(anyhow!("{path}: no joint has a name of {}", input.origin.name()));
        }
        let (frames, frame_time) = match (asset.motions.first(), asset.postures.first()) {
            (Some(motion), _) if !motion.frames.is_empty() => (&motion.frames[..], motion.frame_time),
            (_, Some((_, pose))) => (std::slice::from_ref(pose), 1.0),
            _ => return Err(anyhow!("{path}: there is neither a motion nor a posture in it")),
        };
        let taken = |from: &Pose| {
            let mut pose = Pose::rest(skeleton);
            for (own, other) in &pairs {
                pose.set_rotation(*own, from.rotation(*other));
                pose.set_translation(*own, from.translation(*other));
            }
            pose
        };
        let frame_time = if frame_time > 0.0 { frame_time } else { 1.0 / 30.0 };
        Ok(Self { name, frames: frames.iter().map(taken).collect(), frame_time })
    }
}

/// A table of where joints are, `joint,x,y,z` in metres: the pose that comes nearest.
fn positions(path: &str, input: &Input) -> Result<Posture> {
    let skeleton = &input.asset.skeleton;
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
    let mut goals = GoalSet::new();
    for (i, row) in table::rows(&bytes).enumerate() {
        let row = row.map_err(|error| error.in_file(path.to_string()))?;
        let cells: Vec<&str> = row.cells().collect();
        if i == 0 && cells == ["joint", "x", "y", "z"] {
            continue;
        }
        let found = match cells[..] {
            [name, x, y, z] => input.asset.find(name).zip(vector(&format!("{x},{y},{z}"))),
            _ => None,
        };
        let Some((joint, at)) = found else {
            let error = row.wrong(0, "a joint of the rig and where it is, as joint,x,y,z");
            return Err(error.in_file(path.to_string()).into());
        };
        goals.add(Goal::position(joint, at));
    }
    let mut pose = Pose::rest(skeleton);
    SolverSpec::default().build(skeleton, &goals)?.solve(skeleton, &goals, &mut pose);
    let name = Path::new(path).file_stem().and_then(|n| n.to_str()).unwrap_or(path).to_string();
    Ok(Posture { name, frames: vec![pose], frame_time: 1.0 })
}

/// `joint=degrees,…`.
fn typed(text: &str, input: &Input) -> Result<Pose> {
    let skeleton = &input.asset.skeleton;
    let mut pose = Pose::rest(skeleton);
    for part in text.split(',').filter(|p| !p.trim().is_empty()) {
        let wrong = |why: String| usage(format!("--posture {part}: {why}; expected JOINT=DEGREES"));
        let (name, value) = part.split_once('=').ok_or_else(|| wrong("there is no '='".into()))?;
        let id = input.asset.find(name.trim());
        let id = id.ok_or_else(|| wrong(format!("{} has no joint '{name}'", input.origin.name())))?;
        let value: f64 = value.trim().parse().map_err(|_| wrong(format!("'{value}' is no number")))?;
        match skeleton.joint(id).kind() {
            JointKind::Hinge { axis } if value.is_finite() => {
                pose.set_rotation(id, rotation::about(axis, value.to_radians()));
            }
            JointKind::Prismatic { axis } if value.is_finite() => pose.set_translation(id, axis * value),
            kind => return Err(wrong(format!("'{name}' is {}", kind.name()))),
        }
    }
    Ok(pose)
}

/// What `sinew look` and `sinew solve` write.
#[derive(Deserialize)]
struct PoseDocument {
    #[serde(default)]
    joints: Vec<JointDocument>,
    #[serde(default)]
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    joints: Vec<JointDocument>,
}

#[derive(Deserialize)]
struct JointDocument {
    name: String,
    local_translation: [f64; 3],
    local_rotation_xyzw: [f64; 4],
}

fn from_json(text: &str, skeleton: &Skeleton) -> Result<Pose> {
    let document: PoseDocument = serde_json::from_str(text)?;
    let joints = match document.answers.into_iter().next() {
        Some(answer) => answer.joints,
        None => document.joints,
    };
    let mut pose = Pose::rest(skeleton);
    let mut found = 0;
    for joint in joints {
        let turn = Quat::from_array(joint.local_rotation_xyzw);
        let Some(id) = skeleton.find(&joint.name).filter(|_| turn.is_normalized()) else { continue };
        let local = Transform::new(Vec3::from_array(joint.local_translation), turn);
        pose.set_local(skeleton, id, local);
        found += 1;
    }
    if found == 0 { Err(anyhow!("there is no joint of this rig in it")) } else { Ok(pose) }
}
