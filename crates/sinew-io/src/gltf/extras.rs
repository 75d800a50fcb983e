//! What glTF has no place for, kept under `extras.sinew`.
//!
//! Other programs pass `extras` by; ours read them back. Nodes keep the
//! joint's kind, limit, tip, stiffness and roles where they differ from those
//! of a plain joint, the joint's frame where the node's points along the bone
//! instead, and the transform at rest where the file shows another pose.
//! Animations keep their frame time and number of frames in double precision,
//! because the times themselves are single. The document keeps what a BVH file
//! said of itself, for the way back.

use glam::{DAffine3, DMat3, DMat4, DQuat};
use serde::{Deserialize, Serialize};
use sinew_f64::{JointId, JointKind, JointLimit, Skeleton, Vec3};

use super::document::Node;
use super::forest::{Local, local};
use super::stage::{Fitting, Stage};
use crate::bvh::BvhHabits;

/// The outer object, with room for one program's data.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Extras<T> {
    pub sinew: T,
}

/// What a node's `extras.sinew` holds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct JointExtras {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<JointKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<JointLimit>,
    /// Where the bone ends, in the joint's axes and at the node's scale.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// The names that VRM 1.0 has for what the joint is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The joint's frame in the node's, x y z w.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<[f64; 4]>,
    /// The node's transform at rest, if the file shows another pose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<NodeRest>,
    /// Whether the node is no joint and only shows where a bone ends.
    #[serde(default, skip_serializing_if = "is_false")]
    pub end: bool,
}

fn is_false(value: &bool) -> bool {
    !*value
}

/// The transform of a node, in the terms of a node.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct NodeRest {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<[f64; 16]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translation: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f64; 4]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<[f64; 3]>,
}

impl From<Local> for NodeRest {
    fn from(local: Local) -> Self {
        match local {
            Local::Parts(parts) => Self {
                matrix: None,
                translation: Some(parts.translation.to_array()),
                rotation: Some(parts.rotation.to_array()),
                scale: Some(parts.scale.to_array()).filter(|scale| *scale != [1.0; 3]),
            },
            Local::Matrix(matrix) => Self { matrix: Some(columns(matrix)), ..Self::default() },
        }
    }
}

/// A transform as sixteen numbers, column after column.
pub(super) fn columns(matrix: DAffine3) -> [f64; 16] {
    DMat4::from(matrix).to_cols_array()
}

impl JointExtras {
    /// What is to be kept of a joint; `unscaled` makes a vector at its node's
    /// scale one in metres.
    pub fn of(skeleton: &Skeleton, id: JointId, roles: &[(String, JointId)], unscaled: DMat3) -> Self {
        let joint = skeleton.joint(id);
        let plain = plain_kind(joint.parent().is_none());
        let to_node = |tip: Vec3| {
            let at_scale = unscaled.inverse() * tip;
            if at_scale.is_finite() { at_scale } else { tip }
        };
        Self {
            kind: Some(joint.kind()).filter(|kind| *kind != plain),
            limit: Some(joint.limit().clone()).filter(|limit| *limit != JointLimit::None),
            tip: joint.tip().map(|tip| to_node(tip).to_array()),
            stiffness: Some(joint.stiffness()).filter(|stiffness| *stiffness != 0.0),
            roles: roles.iter().filter(|(_, j)| *j == id).map(|(role, _)| role.clone()).collect(),
            ..Self::default()
        }
    }

    /// The same with how the joint sits on its node, of which the file has the
    /// transform in `shown`.
    pub fn fitted(mut self, stage: &Stage, joint: usize, shown: &[Local]) -> Self {
        self.frame = Some(stage.frame_of(joint)).filter(|f| *f != DQuat::IDENTITY).map(|f| f.to_array());
        let posed = stage.joint_place(joint).filter(|&place| !shown[place].is_near(&stage.rest_of(place)));
        self.rest = posed.map(|place| stage.rest_of(place).into());
        self
    }

    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// How the joint sits on its node; `None` if that makes no sense.
    pub fn fitting(&self) -> Option<Fitting> {
        let mut fitting = Fitting::default();
        if let Some(frame) = self.frame {
            let frame = DQuat::from_array(frame);
            let length = frame.length();
            if !(length > 1.0e-6 && length.is_finite()) {
                return None;
            }
            fitting.frame = frame.normalize();
        }
        if let Some(rest) = &self.rest {
            let NodeRest { matrix, translation, rotation, scale } = *rest;
            let node = Node { matrix, translation, rotation, scale, ..Node::default() };
            fitting.rest = Some(local(&node, "").ok()?.0);
        }
        Some(fitting)
    }
}

/// What an animation's `extras.sinew` holds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MotionExtras {
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    pub frames: usize,
}

/// What the document's `extras.sinew` holds: the recording that it was made from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct RecordingExtras {
    /// Metres in one unit of the recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<f64>,
    /// The axes and channels of a BVH file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bvh: Option<BvhHabits>,
}

impl RecordingExtras {
    /// The same without what makes no sense for a skeleton of `joints` joints.
    pub fn checked(mut self, joints: usize) -> Self {
        self.unit = self.unit.filter(|unit| unit.is_finite() && *unit > 0.0);
        self.bvh = self.bvh.filter(|habits| habits.is_sound(joints));
        self
    }
}

/// The kind that a joint of a file has unless the file says otherwise.
pub(super) fn plain_kind(is_root: bool) -> JointKind {
    if is_root { JointKind::Free } else { JointKind::Ball }
}
