//! Robots come in as their files say: against a straightforward forward
//! kinematics of the document, against Pinocchio, and turned round.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "common/files.rs"]
mod files;

use std::collections::HashMap;
use std::path::PathBuf;

use glam::{DMat4, DQuat, DVec3};
use proptest::prelude::*;
use sinew_f64::limit::LimitShape;
use sinew_f64::math::rotation;
use sinew_f64::{JointKind, ModelPose, Pose, Transform};
use sinew_io::Asset;
use sinew_io::urdf::{self, UrdfDocument, UrdfJointKind, UrdfOptions};

const CRANE: &str = include_str!("urdf/crane.urdf");
const CRANE_BY_PINOCCHIO: &str = include_str!("urdf/crane.fk.txt");

/// One value, or x y angle, or a place and a quaternion, by joint.
type Values = HashMap<String, Vec<f64>>;

fn matrix(t: Transform) -> DMat4 {
    DMat4::from_rotation_translation(t.rotation, t.translation)
}

/// The motion of a joint as the standard has it, for joints as they are in a file.
fn motion(kind: UrdfJointKind, axis: DVec3, value: &[f64]) -> DMat4 {
    match kind {
        UrdfJointKind::Fixed => DMat4::IDENTITY,
        UrdfJointKind::Revolute | UrdfJointKind::Continuous => DMat4::from_axis_angle(axis, value[0]),
        UrdfJointKind::Prismatic => DMat4::from_translation(axis * value[0]),
        UrdfJointKind::Floating => {
            DMat4::from_rotation_translation(DQuat::from_slice(&value[3..7]), DVec3::from_slice(&value[..3]))
        }
        UrdfJointKind::Spherical => DMat4::from_quat(DQuat::from_slice(value)),
        UrdfJointKind::Planar => {
            assert_eq!(axis, DVec3::Z, "the plane of this reference is x y");
            DMat4::from_translation(DVec3::new(value[0], value[1], 0.0)) * DMat4::from_rotation_z(value[2])
        }
    }
}

/// Where every link stands in the frame of the root link.
fn reference(document: &UrdfDocument, values: &Values) -> HashMap<String, DMat4> {
    let mut places: HashMap<String, DMat4> = HashMap::new();
    let moved: Vec<&str> = document.joints.iter().map(|j| j.child.as_str()).collect();
    let root = document.links.iter().find(|l| !moved.contains(&l.name.as_str())).unwrap();
    places.insert(root.name.clone(), DMat4::IDENTITY);
    while places.len() < document.links.len() {
        for joint in &document.joints {
            if let (Some(parent), false) = (places.get(&joint.parent), places.contains_key(&joint.child)) {
                let value = values.get(&joint.name).cloned().unwrap_or_default();
                let m = motion(joint.kind, joint.axis, &value);
                places.insert(joint.child.clone(), *parent * matrix(joint.origin) * m);
            }
        }
    }
    places
}

/// The engine's pose for these values. `reversed` joints without a single value
/// take the inverse.
fn pose(asset: &Asset, values: &Values, reversed: &[String]) -> Pose {
    let skeleton = &asset.skeleton;
    let mut pose = Pose::rest(skeleton);
    for (name, value) in values {
        let joint = skeleton.find(name).unwrap();
        let back = reversed.contains(name);
        match (skeleton.joint(joint).kind(), value.len()) {
            (JointKind::Hinge { axis }, 1) => pose.set_rotation(joint, rotation::about(axis, value[0])),
            (JointKind::Prismatic { axis }, 1) => pose.set_translation(joint, axis * value[0]),
            (JointKind::Hinge { axis }, 3) => {
                pose.set_rotation(joint, rotation::about(axis, value[2]));
                for (part, distance) in [("u", value[0]), ("v", value[1])] {
                    let slide = skeleton.find(&format!("{name}.{part}")).unwrap();
                    let JointKind::Prismatic { axis } = skeleton.joint(slide).kind() else { panic!() };
                    pose.set_translation(slide, axis * distance);
                }
            }
            (JointKind::Ball, 4) => {
                let q = DQuat::from_slice(value);
                pose.set_rotation(joint, if back { q.inverse() } else { q });
            }
            (JointKind::Free, 7) => {
                let t = Transform::new(DVec3::from_slice(&value[..3]), DQuat::from_slice(&value[3..]));
                let t = if back { t.inverse() } else { t };
                pose.set_rotation(joint, t.rotation);
                pose.set_translation(joint, t.translation);
            }
            (kind, n) => panic!("{name} is {kind:?} and has {n} values"),
        }
    }
    asset.apply_mimics(&mut pose);
    pose
}

/// Where every link stands, seen from the model's axes or, undone, the file's.
fn links(asset: &Asset, pose: &Pose, axes: DQuat) -> HashMap<String, Transform> {
    let model = ModelPose::new(&asset.skeleton, pose);
    let undo = Transform::from_rotation(axes.inverse());
    asset.aliases.iter().map(|a| (a.name.clone(), undo * model.transform(a.joint) * a.frame)).collect()
}

/// The larger of the distance and of the angle between two places.
fn apart(a: Transform, b: Transform) -> f64 {
    (a.translation - b.translation).length().max(rotation::angle(a.rotation.conjugate() * b.rotation))
}

fn of_matrix(m: DMat4) -> Transform {
    let (_, rotation, translation) = m.to_scale_rotation_translation();
    Transform::new(translation, rotation)
}

/// The poses of a file that `pinocchio_fk.py` wrote.
fn foreign(text: &str) -> Vec<(Values, HashMap<String, Transform>)> {
    let mut poses = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        match (words.next(), words.next()) {
            (Some("pose"), _) => poses.push((Values::new(), HashMap::new())),
            (Some(what), Some(name)) => {
                let numbers: Vec<f64> = words.map(|w| w.parse().unwrap()).collect();
                let (joints, links) = poses.last_mut().unwrap();
                if what == "joint" {
                    joints.insert(name.to_owned(), numbers);
                } else {
                    let q = DQuat::from_slice(&numbers[3..]);
                    links.insert(name.to_owned(), Transform::new(DVec3::from_slice(&numbers[..3]), q));
                }
            }
            _ => panic!("{line}"),
        }
    }
    poses
}

/// The largest difference from what Pinocchio found, over all links and poses.
fn difference_from_foreign(asset: &Asset, text: &str) -> f64 {
    let mut largest = 0.0f64;
    let poses = foreign(text);
    assert!(!poses.is_empty());
    for (values, expected) in poses {
        let found = links(asset, &pose(asset, &values, &[]), UrdfOptions::default().axes);
        assert_eq!(found.len(), expected.len(), "every link is compared");
        for (name, place) in &expected {
            largest = largest.max(apart(found[name], *place));
        }
    }
    largest
}

#[test]
fn every_kind_of_joint_moves_as_pinocchio_moves_it() {
    let asset = urdf::read(CRANE.as_bytes()).unwrap();
    let difference = difference_from_foreign(&asset, CRANE_BY_PINOCCHIO);
    assert!(difference < 1e-13, "{difference:e}");
}

#[test]
fn every_kind_of_joint_becomes_what_it_is() {
    let asset = urdf::read(CRANE.as_bytes()).unwrap();
    let joint = |name: &str| asset.skeleton.joint(asset.find(name).unwrap());
    assert_eq!(asset.skeleton.name(), "crane");
    assert_eq!(asset.skeleton.joint(asset.skeleton.root()).name(), "ground");
    assert_eq!(joint("ground").kind(), JointKind::Fixed);
    assert!(matches!(joint("mount").kind(), JointKind::Fixed));
    assert!(matches!(joint("string").kind(), JointKind::Free));
    assert!(joint("slew").limit().is_none());
    assert_eq!(joint("slew").kind(), JointKind::Hinge { axis: DVec3::new(1.0, 2.0, -2.0) / 3.0 });
    assert_eq!(joint("travel").kind(), JointKind::Prismatic { axis: DVec3::X }, "x is the default axis");
    let LimitShape::Prismatic(travel) = &joint("travel").limit().shape else { panic!() };
    assert_eq!((travel.min, travel.max), (-0.2, 1.4));
    let LimitShape::Hinge(swing) = &joint("swing").limit().shape else { panic!() };
    assert_eq!((swing.range.min, swing.range.max), (-0.6, 0.9));
    assert!((joint("swing").limit().soft_zone - 0.1).abs() < 1e-12, "the nearer soft limit");

    assert_eq!(asset.find("hook"), asset.find("swing"), "a link is its joint");
    assert_eq!(asset.aliases.len(), 11);
    let drive = asset.drives.iter().find(|d| d.joint == asset.find("swing").unwrap()).unwrap();
    assert_eq!((drive.velocity, drive.effort), (Some(1.0), Some(10.0)));
    assert_eq!((drive.soft_lower, drive.soft_upper), (Some(-0.5), Some(0.75)));
    assert_eq!(asset.mimics.len(), 2);
    let notes: Vec<String> = asset.notes.iter().map(|n| n.to_string()).collect();
    for part in ["planar joint 'roll' is three joints", "2 joints follow others"] {
        assert!(notes.iter().any(|n| n.contains(part)), "{part}: {notes:?}");
    }
}

#[test]
fn z_is_turned_up_and_x_forward() {
    let asset = urdf::read(CRANE.as_bytes()).unwrap();
    let turn = asset.skeleton.joint(asset.skeleton.root()).rest().rotation;
    assert!((turn * DVec3::Z - DVec3::Y).length() < 1e-15);
    assert!((turn * DVec3::X - DVec3::Z).length() < 1e-15);
    assert!((turn * DVec3::Y - DVec3::X).length() < 1e-15, "left stays left");
}

#[test]
fn followers_follow_whoever_they_name_first() {
    let robot = |order: [usize; 3]| {
        let joints = [
            r#"<joint name="lead" type="continuous"><parent link="a"/><child link="b"/></joint>"#,
            r#"<joint name="second" type="continuous"><parent link="b"/><child link="c"/><mimic joint="lead" multiplier="2"/></joint>"#,
            r#"<joint name="third" type="prismatic"><parent link="c"/><child link="d"/><limit lower="0" upper="1"/><mimic joint="second" multiplier="-0.5" offset="0.3"/></joint>"#,
        ];
        let body: String = order.iter().map(|i| joints[*i]).collect();
        format!(r#"<robot><link name="a"/><link name="b"/><link name="c"/><link name="d"/>{body}</robot>"#)
    };
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
        let asset = urdf::read(robot(order).as_bytes()).unwrap();
        let values = Values::from([("lead".to_owned(), vec![0.4])]);
        let pose = pose(&asset, &values, &[]);
        let second = rotation::angle_about(DVec3::X, pose.rotation(asset.find("second").unwrap()));
        assert!((second - 0.8).abs() < 1e-14);
        let third = pose.translation(asset.find("third").unwrap());
        assert!((third - DVec3::X * (-0.4 + 0.3)).length() < 1e-14, "{third}");
    }
}

#[test]
fn a_root_link_may_share_its_name_with_a_joint() {
    let robot = r#"<robot><link name="neck"/><link name="head"/>
        <joint name="neck" type="continuous"><parent link="neck"/><child link="head"/></joint></robot>"#;
    let asset = urdf::read(robot.as_bytes()).unwrap();
    assert_eq!(asset.skeleton.joint(asset.skeleton.root()).name(), "neck_link");
    assert_eq!(asset.find("head"), asset.skeleton.find("neck"));
}

/// Poses of the whole machine look the same from the new root as they did.
fn check_reroot(document: &UrdfDocument, link: &str, values: &Values) -> f64 {
    let turned = urdf::reroot(document, link).unwrap();
    let asset = turned.to_asset(&UrdfOptions::default()).unwrap();
    let reversed: Vec<String> = turned.joints.iter().filter(|j| j.reversed).map(|j| j.name.clone()).collect();
    assert_eq!(
        asset.skeleton.joint(asset.skeleton.root()).name().trim_end_matches("_link"),
        link.trim_end_matches("_link")
    );
    let found = links(&asset, &pose(&asset, values, &reversed), UrdfOptions::default().axes);

    // Followers keep following, so their values come from the original.
    let original = document.to_asset(&UrdfOptions::default()).unwrap();
    let model = links(&original, &pose(&original, values, &[]), UrdfOptions::default().axes);
    let from_new_root = model[link].inverse();
    let mut largest = 0.0f64;
    for (name, place) in &model {
        largest = largest.max(apart(found[name], from_new_root * *place));
    }
    for (old, new) in document.joints.iter().zip(&turned.joints) {
        assert_eq!(
            (&old.name, old.kind, old.limit, &old.mimic),
            (&new.name, new.kind, new.limit, &new.mimic)
        );
        let unchanged = (&old.parent, &old.child) == (&new.parent, &new.child);
        let exchanged = (&old.parent, &old.child) == (&new.child, &new.parent);
        assert!(if new.reversed { exchanged } else { unchanged }, "{}", old.name);
    }
    largest
}

#[test]
fn the_crane_can_hang_by_any_of_its_links() {
    let document = urdf::parse(CRANE.as_bytes()).unwrap();
    for (values, _) in foreign(CRANE_BY_PINOCCHIO) {
        for link in &document.links {
            let difference = check_reroot(&document, &link.name, &values);
            assert!(difference < 1e-13, "{}: {difference:e}", link.name);
        }
    }
    let e = urdf::reroot(&document, "trolly").unwrap_err();
    assert!(e.to_string().contains("did you mean 'trolley'?"), "{e}");
}

#[test]
fn turning_a_robot_round_and_back_changes_nothing() {
    let document = urdf::parse(CRANE.as_bytes()).unwrap();
    let there = urdf::reroot(&document, "lamp").unwrap();
    let back = urdf::reroot(&there, "ground").unwrap();
    let (values, expected) = foreign(CRANE_BY_PINOCCHIO).swap_remove(0);
    let asset = back.to_asset(&UrdfOptions::default()).unwrap();
    assert!(back.joints.iter().all(|j| !j.reversed));
    let found = links(&asset, &pose(&asset, &values, &[]), UrdfOptions::default().axes);
    for (name, place) in &expected {
        // Link frames on the way were moved twice and the aliases know by how much.
        let root = &found["ground"];
        let difference = apart(root.inverse() * found[name], *place);
        assert!(difference < 1e-13, "{name}: {difference:e}");
    }
}

/// A random robot: for every joint its parent, kind, origin, axis and value.
fn robots() -> impl Strategy<Value = (String, Values)> {
    let number = -2.0f64..2.0;
    let joint = (
        any::<prop::sample::Index>(),
        0usize..6,
        prop::array::uniform6(number.clone()),
        prop::array::uniform3(number.clone()),
        prop::array::uniform7(-1.5f64..1.5),
    );
    prop::collection::vec(joint, 1..12).prop_map(|joints| {
        let kinds = ["revolute", "continuous", "prismatic", "fixed", "floating", "spherical"];
        let mut text = String::from("<robot name=\"random\"><link name=\"l0\"/>\n");
        let mut values = Values::new();
        for (i, (parent, kind, origin, axis, value)) in joints.into_iter().enumerate() {
            let axis = if DVec3::from(axis).length() < 0.1 { [0.0, 0.0, 1.0] } else { axis };
            let [x, y, z, roll, pitch, yaw] = origin;
            text += &format!(
                "<link name=\"l{}\"/><joint name=\"j{i}\" type=\"{}\"><parent link=\"l{}\"/><child link=\"l{}\"/>\
                 <origin xyz=\"{x} {y} {z}\" rpy=\"{roll} {pitch} {yaw}\"/><axis xyz=\"{} {} {}\"/>\
                 <limit lower=\"-1\" upper=\"1\"/></joint>\n",
                i + 1,
                kinds[kind],
                parent.index(i + 1),
                i + 1,
                axis[0],
                axis[1],
                axis[2],
            );
            let unit = |q: &[f64]| {
                let q = DQuat::from_slice(q);
                if q.length() < 0.1 { DQuat::IDENTITY } else { q.normalize() }
            };
            match kinds[kind] {
                "fixed" => {}
                "floating" => {
                    let mut numbers = value[..3].to_vec();
                    numbers.extend(unit(&value[3..]).to_array());
                    values.insert(format!("j{i}"), numbers);
                }
                "spherical" => drop(values.insert(format!("j{i}"), unit(&value[3..]).to_array().to_vec())),
                _ => drop(values.insert(format!("j{i}"), vec![value[0]])),
            }
        }
        (text + "</robot>", values)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn robots_stand_where_their_files_say((text, values) in robots()) {
        let document = urdf::parse(text.as_bytes()).unwrap();
        let asset = document.to_asset(&UrdfOptions::default()).unwrap();
        let found = links(&asset, &pose(&asset, &values, &[]), UrdfOptions::default().axes);
        for (name, place) in reference(&document, &values) {
            let difference = apart(found[&name], of_matrix(place));
            prop_assert!(difference < 1e-7, "{}: {:e}", name, difference);
        }
    }

    #[test]
    fn robots_can_hang_by_any_link((text, values) in robots(), link in any::<prop::sample::Index>()) {
        let document = urdf::parse(text.as_bytes()).unwrap();
        let link = &document.links[link.index(document.links.len())].name;
        let difference = check_reroot(&document, link, &values);
        prop_assert!(difference < 1e-12, "{:e}", difference);
    }
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn real_robots_are_read_and_broken_ones_explained() {
    let data = files::data();
    let mut count = 0;
    for folder in ["urdf", "hostile"] {
        for entry in std::fs::read_dir(data.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|e| e != "urdf") {
                continue;
            }
            count += 1;
            let bytes = std::fs::read(&path).unwrap();
            let started = std::time::Instant::now();
            let result = urdf::read(&bytes);
            assert!(started.elapsed().as_secs_f64() < 1.0);
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            match &result {
                Ok(asset) => {
                    eprintln!("{name}: {} joints", asset.skeleton.len());
                    asset.notes.iter().for_each(|note| eprintln!("    {note}"));
                }
                Err(error) => eprintln!("{}", error.clone().in_file(&name)),
            }
            let broken = name.contains("_fail_") || name.starts_with("drake");
            assert_eq!(result.is_err(), broken, "{name}");
        }
    }
    assert!(count >= 15, "{count}");
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn the_desk_lamp_can_stand_on_its_foot() {
    let data = files::data();
    let bytes = std::fs::read(data.join("urdf/lelamp.urdf")).unwrap();
    let document = urdf::parse(&bytes).unwrap();
    let values: Values = (1..=5).map(|i| (i.to_string(), vec![0.3 * f64::from(i) - 0.8])).collect();
    let mut largest = 0.0f64;
    for link in &document.links {
        largest = largest.max(check_reroot(&document, &link.name, &values));
    }
    eprintln!("the lamp by each of its links: {largest:e}");
    assert!(largest < 1e-13);
    // Its foot is the link at the end of joint 1; from there the chain is 1 to 5.
    let standing =
        urdf::read_with(&bytes, &UrdfOptions { root: Some("scs215_v5".into()), ..UrdfOptions::default() })
            .unwrap();
    let top = standing.find("5").unwrap();
    let chain: Vec<&str> =
        standing.skeleton.ancestors(top).map(|j| standing.skeleton.joint(j).name()).collect();
    assert_eq!(chain, ["5", "4", "3", "2", "1", "scs215_v5"]);
}

/// Needs a Python with Pinocchio (`pip install pin`), named by SINEW_PINOCCHIO_PYTHON. What Pinocchio says of
/// a robot of ours is in `urdf/crane.fk.txt` and always compared.
#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md, and Pinocchio"]
fn real_robots_move_as_pinocchio_moves_them_by_hand() {
    let data = files::data();
    let python = std::env::var_os("SINEW_PINOCCHIO_PYTHON").expect("a Python with Pinocchio");
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/urdf/pinocchio_fk.py");
    let mut largest = 0.0f64;
    for name in [
        "panda",
        "kuka_iiwa_model",
        "ur5_joint_limited_robot",
        "talos_reduced",
        "human",
        "allegro_right_hand",
        "lelamp",
        "double_pendulum_continuous",
    ] {
        let path = data.join("urdf").join(format!("{name}.urdf"));
        let output =
            std::process::Command::new(&python).arg(&script).arg(&path).args(["50", "11"]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let asset = urdf::read(&std::fs::read(&path).unwrap()).unwrap();
        let difference = difference_from_foreign(&asset, std::str::from_utf8(&output.stdout).unwrap());
        eprintln!("{name}: {difference:e} over 50 poses");
        largest = largest.max(difference);
    }
    assert!(largest < 1e-12, "{largest:e}");
}

/// A goal on a link of a robot that hangs by another one is a goal on the
/// link's own frame: the frame that the file gives it, not that of the joint
/// which carries it now.
#[test]
fn a_link_of_a_robot_with_another_root_is_where_the_file_has_it() {
    let arm = br#"<robot name="arm"><link name="base"/><link name="forearm"/><link name="hand"/>
        <joint name="shoulder" type="continuous"><parent link="base"/><child link="forearm"/>
        <axis xyz="0 0 1"/><origin xyz="0 0.1 0.0892" rpy="0.3 0 0"/></joint>
        <joint name="wrist" type="continuous"><parent link="forearm"/><child link="hand"/>
        <axis xyz="0 1 0"/><origin xyz="0.4 0 0"/></joint></robot>"#;
    let as_is = urdf::read(arm).unwrap();
    let hung =
        urdf::read_with(arm, &UrdfOptions { root: Some("hand".into()), ..Default::default() }).unwrap();
    let between = |asset: &Asset| {
        let rest = ModelPose::rest(&asset.skeleton);
        let [base, hand] = ["base", "hand"].map(|link| asset.effector(link).unwrap().transform(&rest));
        (base.inverse() * hand).translation
    };
    assert!((between(&as_is) - between(&hung)).length() < 1e-12);
    // The joint itself is somewhere else.
    let base = hung.find("base").unwrap();
    let rest = ModelPose::rest(&hung.skeleton);
    let off = (rest.position(base) - hung.effector("base").unwrap().transform(&rest).translation).length();
    assert!((off - 0.0892f64.hypot(0.1)).abs() < 1e-12, "{off}");
}
