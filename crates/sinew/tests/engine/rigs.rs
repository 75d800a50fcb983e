//! The embedded rigs: that they build, stand, obey their own limits and are
//! as symmetric as they should be.

#![allow(clippy::print_stdout)]

use proptest::prelude::*;
use sinew::limit::{LimitShape, SwingShape, SwingTwistLimit};
use sinew::math::rotation;
use sinew::pose::MirrorMap;
use sinew::rigs::{self, ErikRobot, SwingModel};
use sinew::skeleton::humanoid::{FoundBy, HumanoidBone, HumanoidMap};
use sinew::{JointKind, ModelPose, Pose, Quat, Real, Skeleton, Vec3};

/// Those of the list that look the same in the mirror.
const SYMMETRIC: [&str; 8] = [
    "spider",
    "quadruped",
    "humanoid",
    "humanoid:spline",
    "humanoid:kusudama",
    "humanoid-hands",
    "humanoid-hands:spline",
    "humanoid-hands:kusudama",
];

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
            let tip = skeleton.joint(j).tip().map(|tip| rest.transform(j).transform_point(tip).y);
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
        "humanoid:cone",
        "humanoid:spline:2",
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

/// The swing-twist limit of a joint.
fn swing_twist<'a>(skeleton: &'a Skeleton, name: &str) -> &'a SwingTwistLimit {
    match &skeleton.joint(skeleton.find(name).unwrap()).limit().shape {
        LimitShape::SwingTwist(limit) => limit,
        other => panic!("{name}: {other:?}"),
    }
}

/// The greatest angle from a point of one closed curve to the nearest of another.
fn farthest(from: &[Vec3], to: &[Vec3]) -> Real {
    let nearest = |a: &Vec3| to.iter().copied().max_by(|b, c| a.dot(*b).total_cmp(&a.dot(*c))).unwrap();
    from.iter().step_by(8).map(|a| rotation::angle_between(*a, nearest(a))).fold(0.0, Real::max)
}

#[test]
fn the_three_swing_models_agree() {
    // The tolerance that the documentation states, in degrees.
    let (spline_tolerance, kusudama_tolerance) = (0.2, 1.0);
    let [ellipse, spline, kusudama] = SwingModel::ALL.map(rigs::humanoid_with_hands);
    let (mut worst_spline, mut worst_kusudama, mut regions) = (0.0, 0.0, 0);
    for joint in ellipse.joints() {
        let LimitShape::SwingTwist(limit) = &joint.limit().shape else { continue };
        assert!(matches!(limit.swing, SwingShape::Ellipse(_)), "{}", joint.name());
        let edge = |s: &Skeleton| swing_twist(s, joint.name()).swing.outline(2880).concat();
        let edges = [edge(&ellipse), edge(&spline), edge(&kusudama)];
        let [to_spline, to_kusudama] = [1, 2].map(|other| {
            farthest(&edges[0], &edges[other]).max(farthest(&edges[other], &edges[0])).to_degrees()
        });
        println!("{}: spline {to_spline:.2}°, kusudama {to_kusudama:.2}°", joint.name());
        assert!(to_spline < spline_tolerance, "{}: spline {to_spline}°", joint.name());
        assert!(to_kusudama < kusudama_tolerance, "{}: kusudama {to_kusudama}°", joint.name());
        worst_spline = to_spline.max(worst_spline);
        worst_kusudama = to_kusudama.max(worst_kusudama);
        regions += 1;
        // Everything else about the limit is the same.
        for other in [&spline, &kusudama] {
            let other = swing_twist(other, joint.name());
            assert_eq!((other.frame, other.rest, other.twist), (limit.frame, limit.rest, limit.twist));
        }
    }
    assert!(regions >= 18, "{regions}");
    println!("{regions} regions; spline within {worst_spline:.2}°, kusudama within {worst_kusudama:.2}°");
}

#[test]
fn the_humanoid_is_a_human_of_the_paper_s_34_joints() {
    for model in SwingModel::ALL {
        let human = rigs::humanoid(model);
        assert_eq!(human.len(), 34);
        assert_eq!(rigs::humanoid_with_hands(model).len(), 61);
        // What the paper does not count: the joints beyond wrists and ankles.
        let ends = ["l_wrist", "r_wrist", "l_ankle", "r_ankle"].map(|n| human.find(n).unwrap());
        let counted =
            human.ids().filter(|j| !ends.iter().any(|e| e != j && human.is_ancestor(*e, *j))).count();
        assert_eq!(counted, 22);
        let rest = ModelPose::rest(&human);
        let at = |name: &str| rest.position(human.find(name).unwrap());
        assert_eq!(at("HumanoidRoot"), at("sacroiliac"));
        assert_eq!(at("HumanoidRoot"), at("vl5"));
        // Every frame is aligned with the model's.
        assert!(human.joints().iter().all(|j| j.rest().rotation == Quat::IDENTITY));
        let head = human.find("skullbase").unwrap();
        let top = at("skullbase") + human.joint(head).tip().unwrap();
        assert!((top.y - 1.75).abs() < 1e-4);
        for (a, b, share) in [
            ("l_shoulder", "l_elbow", 0.186),
            ("l_elbow", "l_wrist", 0.146),
            ("l_hip", "l_knee", 0.245),
            ("l_knee", "l_ankle", 0.246),
        ] {
            assert!((at(a).distance(at(b)) / 1.75 - share).abs() < 2e-3, "{a} to {b}");
        }
    }
}

#[test]
fn the_humanoid_map_finds_everything_on_the_humanoids() {
    for name in SYMMETRIC.into_iter().filter(|n| n.starts_with("humanoid")) {
        let human = rigs::by_name(name).unwrap();
        let map = HumanoidMap::find(&human);
        assert!(map.is_complete());
        assert!(map.found().all(|(_, _, by)| by == FoundBy::Name), "{:?}", map.found().collect::<Vec<_>>());
        // All 55 with hands; without, five bones of ten fingers' thirty, no face.
        let wanted = if name.contains("hands") { HumanoidBone::COUNT } else { 55 - 24 - 3 };
        assert_eq!(map.found().count(), wanted, "{name}");
        let facing = map.facing().unwrap();
        assert!((facing.forward - Vec3::Z).length() < 1e-4 && facing.up == Vec3::Y);
        let spine: Vec<&str> = map.spine().iter().map(|j| human.joint(*j).name()).collect();
        assert_eq!(spine, ["vl5", "vl1", "vt6", "vt1"]);
        // The map's mirror is the mirror of the places.
        let by_place = MirrorMap::from_rest(&human, 1e-3);
        assert_eq!(map.mirror_map(&human), by_place, "{name}");
    }
}

/// A dog looked at things with its throat: the way from the hips to the head counted as up.
#[test]
fn an_animal_faces_where_its_head_is() {
    let dog = rigs::by_name("quadruped").unwrap();
    let facing = HumanoidMap::find(&dog).facing().unwrap();
    assert!((facing.forward - Vec3::Z).length() < 1e-3, "{:?}", facing);
    assert!((facing.up - Vec3::Y).length() < 1e-3, "{:?}", facing);
    assert!((facing.left.cross(facing.up) - facing.forward).length() < 1e-3);
}

/// How far a joint turns about an axis before its limit stops it, in degrees.
fn extent(skeleton: &Skeleton, joint: &str, axis: Vec3) -> Real {
    let limit = skeleton.joint(skeleton.find(joint).unwrap()).limit();
    let mut angle: Real = 0.0;
    while angle < 180.0 && limit.violation(rotation::exp(axis * angle.to_radians())) < 1e-3 {
        angle += 0.25;
    }
    angle
}

#[test]
fn joints_bend_the_way_that_people_do() {
    for model in SwingModel::ALL {
        let human = rigs::humanoid(model);
        // Joint, the axis that bends it that way, and how far, in degrees. On
        // axes about which the region is not centred, less than the table's range.
        for (joint, axis, degrees, tolerance) in [
            ("l_hip", -Vec3::X, 120.0, 6.0),  // flexion
            ("l_hip", Vec3::X, 30.0, 4.0),    // extension
            ("l_hip", Vec3::Z, 45.0, 14.0),   // abduction, away from the body
            ("l_hip", -Vec3::Z, 30.0, 14.0),  // adduction
            ("l_knee", Vec3::X, 145.0, 2.0),  // the heel goes back
            ("l_knee", -Vec3::X, 5.0, 2.0),   // and forwards only until straight
            ("l_ankle", -Vec3::X, 20.0, 2.0), // toes up
            ("l_ankle", Vec3::X, 50.0, 2.0),  // toes down
            ("l_ankle", -Vec3::Z, 35.0, 2.0), // the sole turns inwards
            ("l_ankle", Vec3::Z, 15.0, 2.0),
            ("l_elbow", -Vec3::X, 142.0, 2.0), // the hand comes up in front
            ("l_elbow", Vec3::X, 8.0, 2.0),
            ("l_wrist", -Vec3::Z, 80.0, 4.0), // the palm bends in
            ("l_wrist", -Vec3::X, 20.0, 3.0), // to the thumb's side, which is in front
            ("l_wrist", Vec3::X, 30.0, 3.0),
            ("l_shoulder", -Vec3::X, 141.0, 2.0), // flexion
            ("l_shoulder", Vec3::X, 45.0, 2.0),   // extension
            ("l_shoulder", Vec3::Z, 134.0, 2.0),  // abduction
            ("l_sternoclavicular", Vec3::Z, 40.0, 4.0),
            ("vl5", Vec3::X, 30.5, 1.0), // bending forwards
            ("vl5", -Vec3::X, 17.5, 1.0),
            ("vc4", -Vec3::X, 53.0, 1.0), // looking up
            ("skullbase", Vec3::Y, 48.0, 8.0),
        ] {
            let got = extent(&human, joint, axis);
            assert!((got - degrees).abs() < tolerance, "{model:?} {joint} about {axis}: {got}°");
        }
        // The left and the right wrist turn the thumb inwards equally far.
        let (l, r) = (extent(&human, "l_elbow", -Vec3::Y), extent(&human, "r_elbow", Vec3::Y));
        assert!((l - r).abs() < 1.0, "{l} {r}");
    }
}

#[test]
fn hands_close_to_fists() {
    for model in SwingModel::ALL {
        let human = rigs::humanoid_with_hands(model);
        let mut pose = Pose::rest(&human);
        for (side, s) in [("l", 1.0), ("r", -1.0)] {
            for finger in ["index", "middle", "ring", "pinky"] {
                for i in 1..=3 {
                    let joint = human.find(&format!("{side}_{finger}{i}")).unwrap();
                    pose.set_rotation(joint, rotation::exp(-Vec3::Z * s * 1.4));
                }
            }
        }
        assert_eq!(pose.worst_violation(&human), None);
        let fist = ModelPose::new(&human, &pose);
        for (side, s) in [("l", 1.0), ("r", -1.0)] {
            let wrist = fist.position(human.find(&format!("{side}_wrist")).unwrap());
            let tip = human.find(&format!("{side}_middle3")).unwrap();
            let end = fist.transform(tip).transform_point(human.joint(tip).tip().unwrap());
            // The fingertip lies on the palm's side, no further out than the knuckles.
            assert!((end.x - wrist.x) * s < -0.01 && end.y > wrist.y - 0.12, "{end} {wrist}");
        }
    }
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
