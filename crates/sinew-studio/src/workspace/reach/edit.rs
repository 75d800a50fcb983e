//! Changes of a behaviour by direct manipulation.

use sinew_f64::body::reach::Behaviour;
use sinew_f64::error::RigError;
use sinew_f64::math::Vec2;
use sinew_f64::solver::robust::RobustOptions;
use sinew_f64::{Goal, GoalSet, JointId, ModelPose, Pose, Quat, SolverSpec, Vec3};

use super::behaviours;
use super::reacher::Reacher;
use crate::rig::Rig;
use crate::wire::BehaviourEdit;
use crate::workspace::checked::{joint, number, place, rotation};

/// A pull may take so many rounds; it follows a pointer.
const ROUNDS: u32 = 40;

fn words(error: RigError) -> String {
    error.to_string()
}

fn no_such_key(key: usize) -> String {
    format!("there is no key {key}")
}

/// The behaviour after a change. Nothing else is changed.
pub fn edited(
    rig: &Rig,
    reacher: &Reacher,
    behaviour: &Behaviour,
    edit: &BehaviourEdit,
) -> Result<Behaviour, String> {
    let skeleton = &rig.asset.skeleton;
    let mut changed = behaviour.clone();
    match edit {
        BehaviourEdit::Add { swing } => {
            changed.insert_blended(Vec2::from_array(*swing)).map_err(words)?;
        }
        BehaviourEdit::Move { key, swing } => {
            changed.move_key(*key as usize, Vec2::from_array(*swing)).map_err(words)?;
        }
        BehaviourEdit::Remove { key } => {
            changed.remove(*key as usize).map_err(words)?;
        }
        BehaviourEdit::Turn { key, joint: index, rotation: turn } => {
            let joint = joint("what is turned", skeleton, *index)?;
            let wanted = rotation("the joint", *turn)?;
            refuse_leg(rig, reacher, joint)?;
            let posture = shown(rig, reacher, behaviour, *key)?;
            let posture = turned(rig, posture, joint, wanted);
            store(&mut changed, reacher, *key as usize, &posture, &[joint])?;
        }
        BehaviourEdit::Pull { key, joint: index, position } => {
            let joint = joint("what is pulled", skeleton, *index)?;
            let to = place("the joint", *position)?;
            refuse_leg(rig, reacher, joint)?;
            let posture = shown(rig, reacher, behaviour, *key)?;
            let posture = pulled(rig, reacher, posture, joint, to)?;
            let mut moved: Vec<JointId> = behaviour.joints().to_vec();
            moved.extend(skeleton.ancestors(joint));
            moved.retain(|&joint| !reacher.is_of_leg(rig, joint));
            store(&mut changed, reacher, *key as usize, &posture, &moved)?;
        }
        BehaviourEdit::Swivel { key, swivel } => {
            let key = *key as usize;
            let mut values = changed.keys().get(key).ok_or_else(|| no_such_key(key))?.values;
            values.swivel = number("the swivel", *swivel, -std::f64::consts::TAU..=std::f64::consts::TAU)?;
            changed.set_values(key, values).map_err(words)?;
        }
        BehaviourEdit::Replace { behaviour: document } => {
            changed = behaviours::replacement(rig, behaviours::side_name(behaviour.side()), document)?;
        }
        BehaviourEdit::SaveAs { name } => {
            let name = behaviours::checked_name(name)?;
            if behaviours::names(rig).iter().any(|known| known == name) {
                return Err(format!("there is a behaviour '{name}' already"));
            }
            changed = behaviours::renamed(skeleton, behaviour, name)?;
        }
    }
    Ok(changed)
}

fn shown(rig: &Rig, reacher: &Reacher, behaviour: &Behaviour, key: u32) -> Result<Pose, String> {
    let posture = reacher.key_posture(rig, behaviour, key as usize);
    posture.ok_or_else(|| no_such_key(key as usize))
}

fn refuse_leg(rig: &Rig, reacher: &Reacher, joint: JointId) -> Result<(), String> {
    if reacher.is_of_leg(rig, joint) {
        let name = rig.asset.skeleton.joint(joint).name();
        return Err(format!("'{name}' belongs to a leg: the feet stay, and the legs follow the hips"));
    }
    Ok(())
}

/// The joint turned like this in model space, as far as its limit lets it.
fn turned(rig: &Rig, mut posture: Pose, joint: JointId, wanted: Quat) -> Pose {
    let skeleton = &rig.asset.skeleton;
    let frame = ModelPose::new(skeleton, &posture).rest_frame(skeleton, joint);
    let own = (frame.conjugate() * wanted).normalize();
    posture.set_rotation(joint, skeleton.joint(joint).project(own));
    posture
}

/// The joint pulled to a place as near as the body can, with its feet where they stand.
fn pulled(rig: &Rig, reacher: &Reacher, mut posture: Pose, joint: JointId, to: Vec3) -> Result<Pose, String> {
    let skeleton = &rig.asset.skeleton;
    let mut goals = GoalSet::new();
    goals.add(Goal::position(joint, to));
    for (foot, stands) in reacher.feet() {
        // The feet are not to be had: they stay wherever the pointer goes.
        goals.add(Goal::pose(foot, stands).weights(10.0, 3.0));
    }
    let options = RobustOptions { iterations: ROUNDS, restarts: 0, ..RobustOptions::default() };
    let mut solver =
        SolverSpec::Robust(options).build(skeleton, &goals).map_err(|error| error.to_string())?;
    solver.solve(skeleton, &goals, &mut posture);
    Ok(posture)
}

/// Writes the joints of a posture to a key. A joint that no key moved so far
/// stays in the other keys where the body begins.
fn store(
    behaviour: &mut Behaviour,
    reacher: &Reacher,
    key: usize,
    posture: &Pose,
    joints: &[JointId],
) -> Result<(), String> {
    let known = behaviour.joints().to_vec();
    let initial = reacher.solver.initial();
    for other in 0..behaviour.keys().len() {
        let from = if other == key { posture } else { initial };
        let new = |joint: &&JointId| other == key || !known.contains(joint);
        let mut pose = behaviour.keys()[other].pose.clone();
        for &joint in joints.iter().filter(new) {
            pose.set_rotation(joint, from.rotation(joint));
            pose.set_translation(joint, from.translation(joint));
        }
        if pose != behaviour.keys()[other].pose {
            behaviour.set_posture(other, pose).map_err(words)?;
        }
    }
    Ok(())
}
