//! The two kinds of file, as they stand.

use serde::{Deserialize, Serialize};
use sinew_f64::{Quat, Transform, Vec3};

/// A task file, of whatever task; what a task does not have is missing.
#[derive(Debug, Deserialize)]
pub(super) struct TaskFile {
    pub format: String,
    pub task: String,
    pub model: Option<ModelFile>,
    #[serde(default)]
    pub effectors: Vec<EffectorFile>,
    pub start: Option<Vec<f64>>,
    pub start_points: Option<Vec<[f64; 3]>>,
    pub tolerance: Option<f64>,
    pub rest: Option<LimbFile>,
    /// Rows whose shape depends on the task.
    pub targets: serde_json::Value,
}

/// Two bones at rest, the first joint at the origin.
#[derive(Debug, Deserialize)]
pub(super) struct LimbFile {
    pub mid: [f64; 3],
    pub end: [f64; 3],
    pub mid_q: [f64; 4],
    pub mid_axis_local: [f64; 3],
}

/// A tree of joints, parents first.
#[derive(Debug, Deserialize)]
pub(super) struct ModelFile {
    pub base: String,
    pub joints: Vec<JointFile>,
}

#[derive(Debug, Deserialize)]
pub(super) struct JointFile {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub parent: String,
    pub child: String,
    pub origin: OriginFile,
    pub axis: Option<[f64; 3]>,
    pub limit: Option<[f64; 2]>,
}

#[derive(Debug, Deserialize)]
pub(super) struct OriginFile {
    pub p: [f64; 3],
    pub q: [f64; 4],
}

#[derive(Debug, Deserialize)]
pub(super) struct EffectorFile {
    pub name: String,
    pub link: String,
}

/// A result file.
#[derive(Debug, Serialize)]
pub(super) struct ResultFile {
    pub format: &'static str,
    pub system: String,
    pub version: &'static str,
    pub task: String,
    pub settings: String,
    pub tol: [f64; 2],
    pub times_ns: Vec<u64>,
    pub iters: Vec<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<Vec<Vec<f64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<Vec<Vec<[f64; 3]>>>,
}

/// Position, then quaternion x y z w.
pub(super) fn pose(row: &[f64; 7]) -> Transform {
    Transform::new(
        Vec3::new(row[0], row[1], row[2]),
        Quat::from_xyzw(row[3], row[4], row[5], row[6]).normalize(),
    )
}
