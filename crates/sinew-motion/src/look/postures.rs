//! Postures by name, for whatever looks.

use sinew_f64::math::rotation;
use sinew_f64::skeleton::humanoid::HumanoidBone;
use sinew_f64::solver::erik::postures;
use sinew_f64::{JointId, ModelPose, Pose, Vec3};
use sinew_io::Asset;

use super::Eye;

/// How far the whole spine bends, in radians.
const BENT: f64 = 0.6;
/// How far head and neck lean in a wave.
const LEANT: f64 = 0.3;

/// The posture of this name: one of the rig's own, else a shape. Chains of hinges know straight, bow,
/// wave and coil; a character stands as its file has it (straight), slumps (bow), or leans to one side
/// with its head to the other (wave).
pub fn posture(asset: &Asset, eye: &Eye, name: &str) -> Option<Pose> {
    if let Some((_, pose)) = asset.postures.iter().find(|(own, _)| own == name) {
        return Some(pose.clone());
    }
    match eye.erik() {
        Some(erik) => postures::by_name(&asset.skeleton, erik, name),
        None => of_character(asset, name),
    }
}

fn of_character(asset: &Asset, name: &str) -> Option<Pose> {
    let mut pose = asset.opening_pose();
    let (spine, head) = match name {
        "straight" => return Some(pose),
        "bow" => (Vec3::X * BENT, Vec3::X * LEANT),
        "wave" => (Vec3::Z * LEANT, Vec3::Z * -2.0 * LEANT),
        _ => return None,
    };
    let (skeleton, map) = (&asset.skeleton, asset.humanoid());
    let rest = ModelPose::rest(skeleton);
    let mut head_joints: Vec<JointId> = map.neck().to_vec();
    head_joints.extend(map.get(HumanoidBone::Head).filter(|head| !map.neck().contains(head)));
    let turns = |joints: &[JointId]| -> Vec<JointId> {
        joints.iter().copied().filter(|j| skeleton.joint(*j).kind().degrees_of_freedom() == 3).collect()
    };
    for (joints, turn) in [(turns(map.spine()), spine), (turns(&head_joints), head)] {
        for joint in &joints {
            // About an axis of the body, as it is seen in the joint's own frame.
            let axis = rest.rotation(*joint).conjugate() * (turn / joints.len() as f64);
            pose.set_rotation(*joint, (pose.rotation(*joint) * rotation::exp(axis)).normalize());
        }
    }
    pose.project(skeleton);
    Some(pose)
}
