//! Postures as the page keeps them: a number for every hinge and slide, a
//! rotation for every joint.

use sinew_f64::solver::erik::postures as shapes;
use sinew_f64::{Pose, Skeleton};

use super::{How, Looker};
use crate::rig::Rig;
use crate::wire::PostureDocument;
use crate::workspace::checked::{number, rotation};

/// Hinges that turn further, or slides that go further, are a slip.
const FURTHEST: f64 = 100.0;

/// A pose from the page's lists: `values` for hinges and slides, `rotations` for
/// joints of other kinds (and for hinges, where there are no values). An empty
/// list is rest. Limits are not looked at.
pub fn posture(skeleton: &Skeleton, values: &[f64], rotations: &[f64]) -> Result<Pose, String> {
    let joints = skeleton.len();
    if !values.is_empty() && values.len() != joints {
        return Err(format!("the posture has {} values, but the rig has {joints} joints", values.len()));
    }
    if !rotations.is_empty() && rotations.len() != 4 * joints {
        let found = rotations.len();
        return Err(format!("the posture has {found} numbers of rotations, expected {}", 4 * joints));
    }
    let mut pose = Pose::rest(skeleton);
    for (joint, turn) in skeleton.ids().zip(rotations.as_chunks::<4>().0) {
        let turn = rotation(skeleton.joint(joint).name(), *turn)?;
        // Only what the joint can do: the rotations of hinges go the same way.
        if skeleton.joint(joint).kind().turns() {
            pose.set_rotation(joint, turn);
        }
    }
    for (joint, value) in skeleton.ids().zip(values) {
        let value = number(skeleton.joint(joint).name(), *value, -FURTHEST..=FURTHEST)?;
        pose.set_value(skeleton, joint, value);
    }
    Ok(pose)
}

/// A pose as it is kept under a name.
pub fn posture_document(skeleton: &Skeleton, name: &str, pose: &Pose) -> PostureDocument {
    PostureDocument {
        name: name.to_string(),
        rotations: pose.rotations().iter().flat_map(|q| q.to_array()).collect(),
        values: skeleton.ids().map(|joint| pose.value(skeleton, joint).unwrap_or(0.0)).collect(),
    }
}

/// The postures of a rig: its own, then shapes that any chain of hinges, or a character, can take.
pub fn postures(rig: &Rig) -> Vec<PostureDocument> {
    let skeleton = &rig.asset.skeleton;
    let own = rig.asset.postures.iter();
    let mut found: Vec<PostureDocument> =
        own.map(|(name, pose)| posture_document(skeleton, name, pose)).collect();
    if let Ok(looker) = Looker::new(rig, None, (true, false)) {
        for name in shapes::NAMES {
            let shape = match &looker.how {
                How::Chain { erik, .. } => shapes::by_name(skeleton, erik, name),
                How::Character(eye) => sinew_motion::look::posture(&rig.asset, eye, name),
            };
            if let Some(pose) = shape.filter(|_| found.iter().all(|p| p.name != name)) {
                found.push(posture_document(skeleton, name, &pose));
            }
        }
    }
    found
}
