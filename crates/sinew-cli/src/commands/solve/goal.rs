//! Goals as they are typed: `NAME=x,y,z`, `NAME=x,y,z@yaw,pitch,roll` or
//! `NAME=@yaw,pitch,roll`.
//!
//! Metres and degrees. In model space (right-handed, Y up) yaw turns about Y, then
//! pitch about the turned X, then roll about the turned Z: the character's left-right,
//! up-down and tilt. In the axes of a robot's file it is z, y and x, the fixed-axis
//! roll, pitch and yaw of URDF.

use anyhow::Result;
use sinew_f64::math::rotation;
use sinew_f64::skeleton::humanoid::{HumanoidBone, Side};
use sinew_f64::{Effector, Goal, JointKind, ModelPose, Pose, Quat, Target, Transform, Vec3};

use crate::failure::usage;
use crate::resolve::Input;

/// Reads a goal; NAME is a joint, a link of a robot, or a part of the human body. `file` is the
/// frame of the file's axes, if the goal is given in those.
pub fn parse(text: &str, input: &Input, file: Option<Transform>) -> Result<(String, Goal)> {
    let wrong = |why: &str| usage(format!("--goal {text}: {why}; expected NAME=x,y,z[@yaw,pitch,roll]"));
    let (name, target) = text.split_once('=').ok_or_else(|| wrong("there is no '='"))?;
    let effector = find(name, input).ok_or_else(|| {
        usage(format!("--goal {text}: {} has no joint '{name}'; see 'sinew info'", input.origin.name()))
    })?;
    let (place, turn) = match target.split_once('@') {
        Some((place, turn)) => (place, Some(turn)),
        None => (target, None),
    };
    let place = match place {
        "" => None,
        place => Some(vector(place).ok_or_else(|| wrong("the position is not three numbers up to 1e9"))?),
    };
    let turn = match turn {
        None => None,
        Some(turn) => {
            let degrees = vector(turn).ok_or_else(|| wrong("the angles are not three numbers up to 1e9"))?;
            Some(file.map_or_else(|| orientation(degrees), |frame| frame.rotation * yaw_pitch_roll(degrees)))
        }
    };
    let place = place.map(|place| file.map_or(place, |frame| frame.transform_point(place)));
    let target = match (place, turn) {
        (Some(place), None) => Target::Position(place),
        (None, Some(turn)) => Target::Orientation(turn),
        (Some(place), Some(turn)) => Target::Pose(Transform::new(place, turn)),
        (None, None) => return Err(wrong("there is nothing to reach")),
    };
    Ok((name.to_string(), Goal::new(effector, target)))
}

/// A goal to try: where the right hand, or the first tool, is when all that carries it is bent a little.
pub fn example(input: &Input, file: Option<Transform>) -> Option<String> {
    let skeleton = &input.asset.skeleton;
    let (name, tip, base) = match input.humanoid().arm(Side::Right) {
        Some(arm) => ("rightHand", arm.end, skeleton.parent(arm.upper)),
        None => {
            let tool = *input.asset.tools().first()?;
            (skeleton.joint(tool).name(), tool, None)
        }
    };
    let mut pose = Pose::rest(skeleton);
    // But for the root, which is held as long as no goal is on it.
    let base = base.unwrap_or(skeleton.root());
    for joint in skeleton.ancestors(tip).filter(|&j| j != tip).take_while(|&j| j != base) {
        let axis = match skeleton.joint(joint).kind() {
            JointKind::Hinge { axis } => axis,
            _ => Vec3::NEG_X,
        };
        pose.set_rotation(joint, pose.rotation(joint) * rotation::about(axis, 0.5));
    }
    pose.project(skeleton);
    let place = ModelPose::new(skeleton, &pose).position(tip);
    let place = file.map_or(place, |frame| frame.inverse().transform_point(place));
    Some(format!("{name}={:.3},{:.3},{:.3}", place.x, place.y, place.z))
}

/// A joint, a link of a robot, or a part of the human body. A link has a frame
/// of its own, which is not the joint's where the robot was given another root.
pub fn find(name: &str, input: &Input) -> Option<Effector> {
    input.asset.effector(name).or_else(|| {
        let map = input.humanoid();
        HumanoidBone::from_name(name).and_then(|bone| map.get(bone)).map(Effector::at)
    })
}

/// No place is further away, in metres, and squares of far larger numbers are no numbers any more: what
/// is solved with them is wrong without a word.
const FURTHEST: f64 = 1.0e9;

/// Three numbers with commas between, finite and not absurd.
pub fn vector(text: &str) -> Option<Vec3> {
    let numbers: Vec<f64> = text.split(',').map(|n| n.trim().parse().ok()).collect::<Option<_>>()?;
    let sane = |number: &f64| number.abs() <= FURTHEST;
    match numbers[..] {
        [x, y, z] if numbers.iter().all(sane) => Some(Vec3::new(x, y, z)),
        _ => None,
    }
}

/// Yaw, pitch and roll in degrees.
pub fn orientation(degrees: Vec3) -> Quat {
    let [yaw, pitch, roll] = degrees.to_array().map(f64::to_radians);
    rotation::about(Vec3::Y, yaw) * rotation::about(Vec3::X, pitch) * rotation::about(Vec3::Z, roll)
}

/// Yaw, pitch and roll in degrees, about z, y and x.
fn yaw_pitch_roll(degrees: Vec3) -> Quat {
    let [yaw, pitch, roll] = degrees.to_array().map(f64::to_radians);
    rotation::about(Vec3::Z, yaw) * rotation::about(Vec3::Y, pitch) * rotation::about(Vec3::X, roll)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::ReadArguments;

    #[test]
    fn goals_are_read_and_nonsense_is_named() {
        let input = Input::open("humanoid", &ReadArguments::default()).unwrap();
        let (_, goal) = parse("r_wrist=0.3,1.2,-0.4", &input, None).unwrap();
        assert_eq!(goal.target, Target::Position(Vec3::new(0.3, 1.2, -0.4)));
        let (_, goal) = parse("rightHand=0,1,0@90,0,0", &input, None).unwrap();
        let Target::Pose(pose) = goal.target else { panic!("{goal:?}") };
        assert!((pose.rotation * Vec3::Z - Vec3::X).length() < 1e-12, "yaw turns to the left of a character");
        assert!(matches!(parse("skullbase=@0,20,0", &input, None).unwrap().1.target, Target::Orientation(_)));
        for (text, words) in [
            ("r_wrist", "there is no '='"),
            ("tail=0,0,0", "no joint 'tail'"),
            ("r_wrist=0,0", "not three numbers"),
            ("r_wrist=0,0,nan", "not three numbers"),
            ("r_wrist=1e150,0,0", "not three numbers"),
            ("r_wrist=0,-2e9,0", "not three numbers"),
            ("r_wrist=", "nothing to reach"),
        ] {
            let error = parse(text, &input, None).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
