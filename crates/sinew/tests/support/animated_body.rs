//! The closed forms on top of an animation, on any rig that has the parts of a body: limbs, two
//! bones and a look, by the rules of `animated.rs`.

use sinew::analytic::{Aim, AimOptions, Limb, LimbOptions, Swivel, TwoBoneJoints, TwoBoneOptions};
use sinew::math::{Real, rotation};
use sinew::skeleton::humanoid::{HumanoidBone, HumanoidMap, LimbJoints, Side};
use sinew::{Goal, GoalSet, JointId, ModelPose, Pose, Quat, Skeleton, Target, Vec3};

use crate::animated::{Findings, Scene, check};

/// The names of the three, in the order of their findings.
pub const NAMES: [&str; 3] = ["limb", "two-bone", "aim"];

/// The one goal of a set: its target and its influence.
fn asked(goals: &GoalSet) -> (Target, Real) {
    let goal = goals.as_slice()[0];
    (goal.target, if goal.enabled { goal.influence } else { 0.0 })
}

/// Limbs of which the three joints are within their limits, and where the end would be if each
/// made the turn that `further` gives.
fn limb_scene<'a>(
    skeleton: &'a Skeleton,
    raw: &Pose,
    joints: LimbJoints,
    oriented: bool,
    further: &mut impl FnMut(JointId, Quat) -> Quat,
) -> Scene<'a> {
    let (mut animated, mut reached) = (raw.clone(), raw.clone());
    for joint in [joints.upper, joints.lower, joints.end] {
        let allowed = skeleton.joint(joint).project(raw.rotation(joint));
        animated.set_rotation(joint, allowed);
        reached.set_rotation(joint, skeleton.joint(joint).project(further(joint, allowed)));
    }
    let at = ModelPose::new(skeleton, &reached).transform(joints.end);
    let (goal, what) = match oriented {
        true => (Goal::pose(joints.end, at), "a limb's pose"),
        false => (Goal::position(joints.end, at.translation), "a limb's point"),
    };
    Scene { skeleton, animated, goals: GoalSet::from_iter([goal]), what }
}

/// Holds the closed forms to the rules on one animated pose.
pub fn check_closed_forms(
    skeleton: &Skeleton,
    map: &HumanoidMap,
    raw: &Pose,
    what: &str,
    findings: &mut [Findings; 3],
    mut further: impl FnMut(JointId, Quat) -> Quat,
) {
    let [limbs, two_bones, looks] = findings;
    for joints in Side::BOTH.into_iter().flat_map(|side| [map.arm(side), map.leg(side)]).flatten() {
        if let Ok(limb) = Limb::new(skeleton, joints, &LimbOptions::default()) {
            for oriented in [false, true] {
                let scene = limb_scene(skeleton, raw, joints, oriented, &mut further);
                let model = ModelPose::new(skeleton, &scene.animated);
                check(&scene, what, limbs, |goals, pose| {
                    let (target, influence) = asked(goals);
                    limb.solve_in_part(skeleton, &model, &target, influence, Swivel::Last, pose);
                });
            }
        }
        if let Ok(limb) = TwoBoneJoints::new(skeleton, joints, None, &TwoBoneOptions::default()) {
            let scene = limb_scene(skeleton, raw, joints, false, &mut further);
            let model = ModelPose::new(skeleton, &scene.animated);
            check(&scene, what, two_bones, |goals, pose| {
                if let (Target::Position(at), influence) = asked(goals) {
                    limb.solve(skeleton, &model, at, None, influence, pose);
                }
            });
        }
    }
    let (Some(head), Some(facing)) = (map.get(HumanoidBone::Head), map.facing()) else { return };
    let joints: Vec<(JointId, Real)> = map.neck().iter().map(|&j| (j, 1.0)).chain([(head, 2.0)]).collect();
    let gaze = ModelPose::rest(skeleton).rotation(head).conjugate() * facing.forward;
    let Ok(mut aim) = Aim::new(skeleton, &joints, gaze, Vec3::ZERO, &AimOptions::default()) else { return };
    let mut animated = raw.clone();
    for &(joint, _) in &joints {
        animated.set_rotation(joint, skeleton.joint(joint).project(raw.rotation(joint)));
    }
    let model = ModelPose::new(skeleton, &animated);
    // Somewhere ahead, half a radian aside.
    let aside = further(head, Quat::IDENTITY) * facing.left;
    let looks_to = rotation::exp(aside * 0.5) * (model.rotation(head) * gaze);
    let goal = Goal::aim(head, gaze, model.position(head) + looks_to * 2.0);
    let scene = Scene { skeleton, animated, goals: GoalSet::from_iter([goal]), what: "a look" };
    check(&scene, what, looks, |goals, pose| {
        if let (Target::Aim { at, .. }, influence) = asked(goals) {
            aim.solve(skeleton, &model, at, influence, pose);
        }
    });
}
