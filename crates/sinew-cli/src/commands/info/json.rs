//! The shape of `sinew info --json`. It is described in docs/cli.md; fields may
//! be added to it, and none may change or go without a new schema number.

use serde::Serialize;
use sinew_f64::skeleton::humanoid::{FoundBy, HumanoidMap};
use sinew_f64::{JointKind, JointLimit, Quat, Vec3};
use sinew_io::Motion;

use crate::describe;
use crate::resolve::{Input, Origin};

type Numbers3 = [f64; 3];

#[derive(Serialize)]
pub struct Info {
    schema: &'static str,
    name: String,
    source: Source,
    joint_count: usize,
    degrees_of_freedom: usize,
    size: Numbers3,
    joints: Vec<Joint>,
    humanoid: Humanoid,
    motions: Vec<MotionInfo>,
    aliases: Vec<Alias>,
    mimics: Vec<Mimic>,
    goals: Vec<String>,
    postures: Vec<String>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct Source {
    kind: &'static str,
    name: String,
    format: Option<String>,
    unit: Option<f64>,
}

#[derive(Serialize)]
struct Joint {
    name: String,
    parent: Option<usize>,
    kind: &'static str,
    axes: Vec<Numbers3>,
    translation: Numbers3,
    rotation: [f64; 4],
    tip: Option<Numbers3>,
    stiffness: f64,
    limit: Option<Limit>,
    role: Option<&'static str>,
}

#[derive(Serialize)]
struct Limit {
    /// The engine's own document of it.
    #[serde(flatten)]
    limit: JointLimit,
    words: String,
}

#[derive(Serialize)]
struct Humanoid {
    complete: bool,
    found: Vec<Part>,
    missing: Vec<&'static str>,
    forward: Option<Numbers3>,
}

#[derive(Serialize)]
struct Part {
    bone: &'static str,
    joint: usize,
    by: &'static str,
}

#[derive(Serialize)]
struct MotionInfo {
    name: String,
    frames: usize,
    frame_time: f64,
    rate: Option<f64>,
    seconds: f64,
}

#[derive(Serialize)]
struct Alias {
    name: String,
    joint: usize,
}

#[derive(Serialize)]
struct Mimic {
    joint: usize,
    of: usize,
    factor: f64,
    offset: f64,
}

/// Frames a second, if the frame time makes one.
pub fn rate(motion: &Motion) -> Option<f64> {
    let rate = 1.0 / motion.frame_time;
    (rate.is_finite() && rate > 0.0).then_some(rate)
}

/// From the first frame to the last.
pub fn seconds(motion: &Motion) -> f64 {
    motion.frame_time * motion.frames.len().saturating_sub(1) as f64
}

fn three(v: Vec3) -> Numbers3 {
    [v.x, v.y, v.z]
}

fn four(q: Quat) -> [f64; 4] {
    [q.x, q.y, q.z, q.w]
}

impl Info {
    pub fn new(input: &Input, map: &HumanoidMap) -> Self {
        let asset = &input.asset;
        let skeleton = &asset.skeleton;
        let mut roles: Vec<Option<&'static str>> = vec![None; skeleton.len()];
        for (bone, joint, _) in map.found() {
            roles[joint.index()] = Some(bone.name());
        }
        Self {
            schema: "sinew.info/2",
            name: skeleton.name().to_string(),
            source: Source {
                kind: match input.origin {
                    Origin::Rig(_) => "rig",
                    Origin::File(_) => "file",
                },
                name: input.origin.name().to_string(),
                format: asset.source.format.map(|f| f.extension().to_string()),
                unit: asset.source.unit,
            },
            joint_count: skeleton.len(),
            degrees_of_freedom: skeleton.degrees_of_freedom(),
            size: three(super::size(skeleton)),
            joints: skeleton
                .ids()
                .map(|id| {
                    let joint = skeleton.joint(id);
                    Joint {
                        name: joint.name().to_string(),
                        parent: joint.parent().map(|p| p.index()),
                        kind: joint.kind().name(),
                        axes: axes(joint.kind()),
                        translation: three(joint.rest().translation),
                        rotation: four(joint.rest().rotation),
                        tip: joint.tip().map(three),
                        stiffness: joint.stiffness(),
                        limit: limit(joint.limit()),
                        role: roles[id.index()],
                    }
                })
                .collect(),
            humanoid: Humanoid {
                complete: map.is_complete(),
                found: map
                    .found()
                    .map(|(bone, joint, by)| Part {
                        bone: bone.name(),
                        joint: joint.index(),
                        by: found_by(by),
                    })
                    .collect(),
                missing: map.missing().map(|bone| bone.name()).collect(),
                forward: map.facing().map(|facing| three(facing.forward)),
            },
            motions: asset
                .motions
                .iter()
                .map(|motion| MotionInfo {
                    name: motion.name.clone(),
                    frames: motion.frames.len(),
                    frame_time: motion.frame_time,
                    rate: rate(motion),
                    seconds: seconds(motion),
                })
                .collect(),
            aliases: asset
                .aliases
                .iter()
                .map(|alias| Alias { name: alias.name.clone(), joint: alias.joint.index() })
                .collect(),
            mimics: asset
                .mimics
                .iter()
                .map(|mimic| Mimic {
                    joint: mimic.joint.index(),
                    of: mimic.source.index(),
                    factor: mimic.multiplier,
                    offset: mimic.offset,
                })
                .collect(),
            goals: asset.goals.iter().map(|(name, _)| name.clone()).collect(),
            postures: asset.postures.iter().map(|(name, _)| name.clone()).collect(),
            notes: asset.notes.iter().map(ToString::to_string).collect(),
        }
    }
}

fn found_by(by: FoundBy) -> &'static str {
    match by {
        FoundBy::Given => "given",
        FoundBy::Name => "name",
        FoundBy::Topology | FoundBy::Feet | FoundBy::Knees => "shape",
        FoundBy::Assumed => "assumed",
    }
}

fn axes(kind: JointKind) -> Vec<Numbers3> {
    match kind {
        JointKind::Hinge { axis } | JointKind::Prismatic { axis } => vec![three(axis)],
        JointKind::Universal { first, second } => vec![three(first), three(second)],
        JointKind::Fixed | JointKind::Ball | JointKind::Free => Vec::new(),
    }
}

fn limit(limit: &JointLimit) -> Option<Limit> {
    (!limit.is_none()).then(|| Limit { limit: limit.clone(), words: describe::limit(limit) })
}
