//! The embedded rigs: that they build, stand, obey their own limits and are
//! as symmetric as they should be.

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

use proptest::prelude::*;
use sinew::math::rotation;
use sinew::pose::MirrorMap;
use sinew::rigs::{self, ErikRobot};
use sinew::{JointKind, ModelPose, Pose, Real, Skeleton, Vec3};

/// Those of the list that look the same in the mirror.
const SYMMETRIC: [&str; 2] = ["spider", "quadruped"];

/// A pose with every joint turned at random and brought within its limit.
fn random_pose(skeleton: &Skeleton, numbers: &[[Real; 3]]) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for (i, joint) in skeleton.ids().enumerate() {
        pose.set_rotation(joint, rotation::exp(Vec3::from_array(numbers[i % numbers.len()])));
    }
    pose.project(skeleton);
    pose
}

/// The lowest joint or tip.
fn floor(skeleton: &Skeleton) -> Real {
    let rest = ModelPose::rest(skeleton);
    skeleton
        .ids()
        .flat_map(|j| {
            let tip = skeleton.joint(j).tip().map(|tip| rest.transform(j).point(tip).y);
            [Some(rest.position(j).y), tip]
        })
        .flatten()
        .fold(Real::INFINITY, Real::min)
}

/// Whether a joint of the symmetric rigs belongs to one side: `l1_coxa`, `r_hip`.
fn is_sided(name: &str) -> bool {
    let side = name.split('_').next().unwrap_or_default();
    name.contains('_') && side.trim_end_matches(char::is_numeric).len() == 1
}

#[test]
fn every_rig_builds_and_rests_inside_its_limits() {
    for rig in rigs::all() {
        let skeleton = rigs::by_name(rig.name).unwrap();
        assert_eq!(skeleton.len(), rig.build().len(), "{}", rig.name);
        assert!(!rig.description.is_empty() && !rig.description.contains('\n'));
        let pose = Pose::rest(&skeleton);
        assert_eq!(pose.worst_violation(&skeleton), None, "{}", rig.name);
        // Projection must not even touch the rest pose.
        let mut projected = pose.clone();
        projected.project(&skeleton);
        assert_eq!(projected, pose, "{}", rig.name);
        assert!(skeleton.len() > 1 && skeleton.degrees_of_freedom() > 0);
    }
}

#[test]
fn names_are_unique_and_forgiving() {
    let mut names: Vec<&str> = rigs::all().iter().map(|r| r.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rigs::all().len());
    assert_eq!(rigs::by_name("ERIK_C").unwrap().name(), "erik-c");
    assert_eq!(rigs::by_name("chain:20").unwrap().len(), 21);
    let long = rigs::by_name("tentacle:30:2.5").unwrap();
    let tip = long.find("tip").unwrap();
    assert!((ModelPose::rest(&long).position(tip).y - 2.5).abs() < 1e-4);
}

#[test]
fn what_is_no_rig_is_refused_with_a_reason() {
    let unknown = rigs::by_name("unicorn").unwrap_err().to_string();
    assert!(unknown.contains("'unicorn'") && unknown.contains("spider"), "{unknown}");
    for name in [
        "",
        ":",
        "chain:",
        "chain:0",
        "chain:-3",
        "chain:nan",
        "chain:5:0",
        "chain:5:inf",
        "chain:5:1:2",
        "chain:99999999999999999999",
        "chain:1048576",
        "chain:1:1:1:1:1:1",
        "spider:3",
    ] {
        let error = rigs::by_name(name).unwrap_err().to_string();
        assert!(!error.is_empty(), "{name}");
    }
    // Nor can a direct call be made to panic.
    for length in [Real::NAN, Real::INFINITY, -1.0, 0.0] {
        assert_eq!(rigs::chain(0, length).len(), 2);
        assert_eq!(rigs::tentacle(0, length).len(), 2);
    }
}

#[test]
fn what_has_legs_stands_on_the_floor() {
    for name in SYMMETRIC {
        let skeleton = rigs::by_name(name).unwrap();
        assert!(floor(&skeleton).abs() < 1e-4, "{name}: {}", floor(&skeleton));
    }
}

#[test]
fn erik_s_robots_are_those_of_the_table() {
    for robot in ErikRobot::ALL {
        let skeleton = rigs::erik(robot);
        assert_eq!(robot.axes().len(), robot.lengths().len());
        assert_eq!(skeleton.degrees_of_freedom(), robot.axes().len());
        let endpoint = skeleton.find("endpoint").unwrap();
        let height: Real = robot.lengths().iter().sum();
        let rest = ModelPose::rest(&skeleton);
        assert!((rest.position(endpoint) - Vec3::Y * height).length() < 1e-5);
        for (joint, letter) in skeleton.joints().iter().zip(robot.axes().chars()) {
            let axis = match letter {
                'X' => Vec3::X,
                'Y' => Vec3::Y,
                _ => Vec3::Z,
            };
            assert_eq!(joint.kind(), JointKind::Hinge { axis });
            let beyond = rotation::exp(axis * 2.0);
            let allowed = matches!(robot, ErikRobot::B | ErikRobot::D);
            assert_eq!(joint.limit().violation(beyond) == 0.0, allowed, "{robot:?}");
        }
        // The first and the last joint are twists: neither moves the end point.
        for joint in ["joint1".to_string(), format!("joint{}", robot.axes().len())] {
            let mut pose = Pose::rest(&skeleton);
            pose.set_rotation(skeleton.find(&joint).unwrap(), rotation::exp(Vec3::Y));
            let turned = ModelPose::new(&skeleton, &pose);
            assert!((turned.position(endpoint) - rest.position(endpoint)).length() < 1e-5);
        }
    }
}

#[test]
fn the_arm_has_a_spherical_shoulder_and_wrist() {
    let arm = rigs::arm();
    let rest = ModelPose::rest(&arm);
    let at = |name: &str| rest.position(arm.find(name).unwrap());
    assert_eq!(at("joint2"), at("joint3"));
    assert_eq!(at("joint4"), at("joint5"));
    assert_eq!(at("joint6"), at("joint7"));
    assert_eq!(arm.degrees_of_freedom(), 7);
}

#[test]
fn a_tentacle_tapers() {
    let tentacle = rigs::tentacle(18, 1.0);
    let lengths: Vec<Real> = tentacle.ids().skip(1).map(|j| tentacle.bone_length(j)).collect();
    assert!(lengths.windows(2).all(|pair| pair[1] < pair[0]));
    assert!((lengths[17] / lengths[0] - 0.25).abs() < 1e-4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A pose that the limits allow is allowed in the mirror too.
    #[test]
    fn limits_are_mirror_images(
        numbers in prop::collection::vec(prop::array::uniform3(-2.0 as Real..2.0), 61)
    ) {
        for name in SYMMETRIC {
            let skeleton = rigs::by_name(name).unwrap();
            let map = MirrorMap::from_rest(&skeleton, 1e-3);
            for j in skeleton.ids() {
                let name = skeleton.joint(j).name();
                prop_assert_eq!(map.partner(j) != j, is_sided(name), "{}", name);
            }
            let pose = random_pose(&skeleton, &numbers);
            prop_assert!(pose.worst_violation(&skeleton).is_none_or(|(_, v)| v < 2e-3));
            let mirrored = pose.mirror(&skeleton, &map);
            let worst = mirrored.worst_violation(&skeleton);
            prop_assert!(
                worst.is_none_or(|(_, v)| v < 2e-3),
                "{}: {:?}",
                name,
                worst.map(|(j, v)| (skeleton.joint(j).name().to_string(), v))
            );
        }
    }
}
