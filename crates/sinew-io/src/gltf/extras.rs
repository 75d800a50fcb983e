//! What glTF has no place for, kept under `extras.sinew`.
//!
//! Other programs pass `extras` by; ours read them back. Nodes keep the
//! joint's kind, limit, tip, stiffness and roles where they differ from those
//! of a plain joint, animations keep their frame time and number of frames in
//! double precision, because the times themselves are single.

use serde::{Deserialize, Serialize};
use sinew_f64::{JointKind, JointLimit};

/// The outer object, with room for one program's data.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Extras<T> {
    pub sinew: T,
}

/// What a node's `extras.sinew` holds.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct JointExtras {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<JointKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<JointLimit>,
    /// Where the bone ends, in the joint's frame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tip: Option<[f64; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f64>,
    /// The names that VRM 1.0 has for what the joint is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
}

impl JointExtras {
    pub fn is_plain(&self) -> bool {
        self.kind.is_none()
            && self.limit.is_none()
            && self.tip.is_none()
            && self.stiffness.is_none()
            && self.roles.is_empty()
    }
}

/// What an animation's `extras.sinew` holds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MotionExtras {
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    pub frames: usize,
}

/// The kind that a joint of a file has unless the file says otherwise.
pub(super) fn plain_kind(is_root: bool) -> JointKind {
    if is_root { JointKind::Free } else { JointKind::Ball }
}
