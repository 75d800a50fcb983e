//! What is wrong with a rig file is said with its line and column.

#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

use sinew_f64::JointKind;
use sinew_io::{Place, ReadError, rig};

const PUPPET: &str = include_str!("seeds/rig/puppet.rig.toml");

fn error(text: &str) -> ReadError {
    rig::read(text.as_bytes(), &mut |_| None).expect_err("this rig should be refused")
}

/// The puppet with one line replaced, and the line's number.
fn puppet_with(line: &str, instead: &str) -> (String, usize) {
    let count = PUPPET.lines().filter(|l| *l == line).count();
    assert!(count >= 1, "the puppet has no line {line}");
    let number = PUPPET.lines().position(|l| l == line).unwrap() + 1;
    let lines: Vec<&str> =
        PUPPET.lines().enumerate().map(|(i, l)| if i + 1 == number { instead } else { l }).collect();
    (lines.join("\n"), number)
}

#[test]
fn the_puppet_is_read_as_it_is_written() {
    let asset = rig::read(PUPPET.as_bytes(), &mut |_| None).unwrap();
    let names: Vec<&str> = asset.skeleton.joints().iter().map(|j| j.limit().name()).collect();
    assert_eq!(asset.skeleton.name(), "puppet");
    assert_eq!(names.iter().filter(|n| **n == "none").count(), 2, "{names:?}");
    let knee = asset.find("left knee").unwrap();
    assert_eq!(asset.skeleton.joint(knee).kind(), JointKind::Hinge { axis: glam::DVec3::X });
    assert_eq!(asset.find("foot plate"), asset.find("ankle"));
    assert_eq!(asset.roles.len(), 3);
    assert_eq!(asset.drives[0].velocity, Some(200f64.to_radians()));
    assert_eq!(asset.mimics[0].offset, 10f64.to_radians());
    assert_eq!(asset.goals.len(), 3);
    // What a goal leaves out is where the effector rests.
    let (_, stand) = &asset.goals[1];
    let at = stand.target.position().unwrap();
    assert!((at - glam::DVec3::new(0.1, -0.1, 0.0)).length() < 1e-12, "{at}");
    let (_, sit) = &asset.postures[0];
    assert_eq!(sit.translation(asset.find("stilt").unwrap()), glam::DVec3::new(0.0, -0.1, 0.0));
    let bent = sinew_f64::math::rotation::angle(sit.rotation(knee));
    assert!((bent - 90f64.to_radians()).abs() < 1e-12);
}

#[test]
fn every_mistake_names_its_line() {
    for (line, instead, column, part) in [
        ("sinew_rig = 1", "sinew_rig = 2", 13, "the version that this program knows: 1"),
        ("offset = [0, 1, 0]", "ofset = [0, 1, 0]", 1, "(did you mean 'offset'?)"),
        ("offset = [0, 1, 0]", "offset = [0, 1]", 10, "three numbers"),
        ("offset = [0, 1, 0]", "offset = [0, nan, 0]", 14, "a finite number"),
        ("offset = [0, 1, 0]", "offset = [0, 1e300, 0]", 14, "a finite number"),
        ("offset = [0, 1, 0]", "offset = \"up\"", 10, "three numbers"),
        ("kind = \"free\"", "kind = \"ragdoll\"", 8, "fixed, hinge, universal, ball, prismatic or free"),
        ("kind = \"free\"", "kind = \"hinge\"", 0, "axis = …"),
        ("parent = \"spine\"", "parent = \"spin\"", 10, "(did you mean 'spine'?)"),
        ("name = \"head\"", "name = \"spine\"", 0, "a name that no other joint has"),
        ("name = \"head\"", "name = \"\"", 8, "a name"),
        ("stiffness = 0.4", "stiffness = 4", 13, "from 0 to 1"),
        ("rotation = { axis = [0, 1, 0], angle = 10 }", "rotation = [0, 0, 0, 2]", 12, "length 1"),
        ("rotation = { axis = [0, 1, 0], angle = 10 }", "rotation = [0, 0, 1]", 12, "a rotation:"),
        (
            "rotation = { axis = [0, 1, 0], angle = 10 }",
            "rotation = { axis = [0, 0, 0], angle = 1 }",
            21,
            "direction",
        ),
        ("radius = \"0.8 rad\"", "radius = \"0.8 m\"", 10, "an angle"),
        ("radius = \"0.8 rad\"", "radius = \"0.8 turns\"", 10, "with its unit"),
        ("radius = \"0.8 rad\"", "radius = 200", 0, "make a skeleton"),
        ("radius = \"0.8 rad\"", "radus = 50", 1, "(did you mean 'radius'?)"),
        ("radius = \"0.8 rad\"", "radius = [0, 0, 1]", 0, "an angle"),
        ("radius = \"0.8 rad\"", "", 0, "radius = …"),
        ("swing = \"cone\"", "swing = \"egg\"", 9, "free, cone, ellipse, polygon, spline, kusudama"),
        ("swing = \"cone\"", "swing = \"free\"", 0, "one of soft, swing, twist, frame, bone, right, centre"),
        (
            "  { circumduction = 0, amplitude = 50 },",
            "  { circumduction = 0, amplitud = 50 },",
            24,
            "'amplitude'",
        ),
        ("  { circumduction = 0, amplitude = 50 },", "  { circumduction = 0 },", 0, "amplitude = …"),
        ("  { circumduction = 0, amplitude = 50 },", "  [0, 50],", 3, "three numbers"),
        ("right = [1, 0, 0]", "", 0, "right = …"),
        ("limit = { min = 0, max = 150, soft = 5 }", "limit = { min = 0 }", 9, "max = …"),
        ("limit = { min = 0, max = 150, soft = 5 }", "limit = { min = 10, max = 0 }", 9, "make a skeleton"),
        (
            "limit = { min = 0, max = 150, soft = 5 }",
            "limit = { first = [0, 1], second = [0, 1] }",
            9,
            "universal",
        ),
        ("limit = { min = 0, max = 150, soft = 5 }", "limit = { min = \"1 m\", max = 2 }", 17, "an angle"),
        ("limit = { min = 0, max = 150, soft = 5 }", "limit = 90", 9, "a limit:"),
        (
            "limit = { first = [-40, 30], second = [-15, 15] }",
            "limit = { min = 0, max = 1 }",
            9,
            "hinge and prismatic",
        ),
        (
            "limit = { min = 0, max = 0.3, soft = 0.02 }",
            "limit = { min = 0, max = \"9 deg\" }",
            26,
            "a length",
        ),
        ("spine = \"spine\"", "spin = \"spine\"", 1, "(did you mean 'spine'?)"),
        ("spine = \"spine\"", "spine = \"backbone\"", 9, "the name of a joint"),
        ("target = \"aim\"", "target = \"stare\"", 10, "position, orientation, pose, aim or contact"),
        ("at = [0, 1.5, 3]", "", 0, "at = …"),
        ("orientation_weight = 0.5", "orientation_weight = -1", 22, "from 0 up"),
        ("priority = 1", "priority = -1", 12, "whole number"),
        ("name = \"reach\"", "name = \"look\"", 0, "a name that no other goal has"),
        ("\"left knee\" = 90", "spine = 90", 1, "is for hinges"),
        ("\"left knee\" = 90", "\"left nee\" = 90", 1, "(did you mean 'left knee'?)"),
        ("stilt = 0.1", "hips2 = 0.1", 1, "(did you mean 'hips'?)"),
        ("stilt = 0.1", "ankle = 0.1", 1, "prismatic joints"),
        (
            "mimic = { joint = \"left knee\", multiplier = -1, offset = 10 }",
            "mimic = { joint = \"right knee\" }",
            19,
            "follows none",
        ),
        (
            "drive = { velocity = 200, effort = 50, soft_lower = 5, soft_upper = 140 }",
            "drive = { speed = 3 }",
            11,
            "velocity",
        ),
    ] {
        let (text, number) = puppet_with(line, instead);
        let e = error(&text);
        assert!(e.expected.contains(part), "{instead}: {e}");
        // A column of zero: the table that lacks something is named by its head.
        match e.place {
            Place::LineColumn(l, c) if column > 0 => assert_eq!((l, c), (number, column), "{instead}: {e}"),
            Place::LineColumn(l, _) => assert!(l.abs_diff(number) <= 8, "{instead}: {e}"),
            ref other => panic!("{instead}: {other}: {e}"),
        }
    }
}

#[test]
fn what_is_no_rig_is_said() {
    assert!(error("").expected.contains("sinew_rig = 1"));
    assert!(error("sinew_rig = 1").found.contains("at least one joint"), "{}", error("sinew_rig = 1"));
    let e = error("sinew_rig = 1\nname = \n");
    assert_eq!(e.expected, "well-formed TOML");
    assert!(matches!(e.place, Place::LineColumn(2, _)), "{e}");
    let two = "sinew_rig = 1\n[[joint]]\nname = \"a\"\n[[joint]]\nname = \"b\"\n";
    assert!(error(two).found.contains("without a parent"), "{}", error(two));
    let circle =
        "sinew_rig = 1\n[[joint]]\nname = \"a\"\nparent = \"b\"\n[[joint]]\nname = \"b\"\nparent = \"a\"\n";
    assert!(error(circle).found.contains("its own ancestor"), "{}", error(circle));
    let e = rig::read(b"sinew_rig = 1\nname = \"\xff\"", &mut |_| None).unwrap_err();
    assert_eq!(e.place, Place::Line(2));
}

const BVH: &str = "HIERARCHY\nROOT hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n JOINT knee\n {\n  OFFSET 0 -0.5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 -0.5 0\n  }\n }\n}\nMOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0 0 0 0\n";

#[test]
fn a_sidecar_adds_to_the_skeleton_of_another_file() {
    let sidecar = r#"
sinew_rig = 1
skeleton = "moves/leg.bvh"

[[joint]]
name = "knee"
kind = "hinge"
axis = [1, 0, 0]
stiffness = 0.25
limit = { min = 0, max = 150 }

[roles]
hips = "hips"

[[goal]]
name = "foot"
joint = "knee"
offset = [0, -0.5, 0]
target = "position"
"#;
    let mut asked = Vec::new();
    let asset = rig::read(sidecar.as_bytes(), &mut |name| {
        asked.push(name.to_owned());
        Some(BVH.as_bytes().to_vec())
    })
    .unwrap();
    assert_eq!(asked, ["moves/leg.bvh"]);
    let knee = asset.skeleton.joint(asset.find("knee").unwrap());
    assert_eq!(knee.kind().name(), "hinge");
    assert_eq!(knee.limit().name(), "hinge");
    assert_eq!(knee.stiffness(), 0.25);
    assert_eq!(asset.motions.len(), 1, "the motion of the other file is kept");
    assert_eq!((asset.roles.len(), asset.goals.len()), (1, 1));

    let wrong = |text: &str| {
        rig::read(text.as_bytes(), &mut |name| name.ends_with(".bvh").then(|| BVH.as_bytes().to_vec()))
            .unwrap_err()
    };
    let e = wrong(&sidecar.replace("name = \"knee\"\nkind", "name = \"kne\"\nkind"));
    assert!(e.expected.contains("(did you mean 'knee'?)"), "{e}");
    let e = wrong(&sidecar.replace("stiffness = 0.25", "parent = \"hips\""));
    assert!(e.found.contains("'parent'"), "{e}");
    let e = wrong(&sidecar.replace("leg.bvh", "leg.glb"));
    assert_eq!(e.place, Place::LineColumn(3, 12));
    assert!(e.found.contains("no file 'moves/leg.glb'"), "{e}");
    // An error in the skeleton's file names that file.
    let e = rig::read(sidecar.as_bytes(), &mut |_| Some(b"HIERARCHY".to_vec())).unwrap_err();
    assert_eq!(e.file, "moves/leg.bvh");
}

#[test]
fn sidecars_do_not_lead_to_sidecars() {
    let text = "sinew_rig = 1\nskeleton = \"me.rig.toml\"\n";
    let e = rig::read(text.as_bytes(), &mut |_| Some(text.as_bytes().to_vec())).unwrap_err();
    assert!(e.found.contains("in another file itself"), "{e}");
    // Not by another name either.
    let text = "sinew_rig = 1\nskeleton = \"me.bvh\"\n";
    let e = rig::read(text.as_bytes(), &mut |_| Some(text.as_bytes().to_vec())).unwrap_err();
    assert!(e.found.contains("in another file itself"), "{e}");
}

/// A rig file in a zip whose skeleton is a zip with a rig file, and so on: each cost 300 bytes and a frame of the stack.
#[test]
fn a_zip_does_not_lead_to_zips() {
    use std::io::{Cursor, Write};
    let mut inner = b"HIERARCHY".to_vec();
    for _ in 0..200 {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        zip.start_file("r.rig.toml", options).unwrap();
        zip.write_all(b"sinew_rig = 1\nskeleton = \"x.zip\"\n").unwrap();
        zip.start_file("x.zip", options).unwrap();
        zip.write_all(&inner).unwrap();
        inner = zip.finish().unwrap().into_inner();
    }
    let error = sinew_io::read("r.zip", &inner, &mut |_| None).unwrap_err();
    assert!(error.found.contains("a zip in the zip"), "{error}");
}

#[test]
fn bombs_are_refused_quickly() {
    let started = std::time::Instant::now();
    let deep = format!("sinew_rig = 1\nx = {}", "[".repeat(1 << 20));
    assert_eq!(error(&deep).expected, "well-formed TOML");
    let dotted = format!("sinew_rig = 1\n{} = 1", vec!["a"; 1 << 17].join("."));
    error(&dotted);
    let headers = format!("sinew_rig = 1\n{}", "[[joint]]\n".repeat(1 << 17));
    assert!(error(&headers).found.contains("without 'name'"));
    let keys: String = (0..1 << 16).map(|i| format!("k{i} = 1\n")).collect();
    assert!(error(&format!("sinew_rig = 1\n{keys}")).found.contains("the key 'k0'"));
    let joints: String = (0..20_000)
        .map(|i| format!("[[joint]]\nname = \"j{i}\"\nparent = \"j{}\"\n", (i + 1) % 20_000))
        .collect();
    assert!(error(&format!("sinew_rig = 1\n{joints}")).found.contains("ancestor"));
    let large = vec![b'#'; (2 << 20) + 1];
    assert!(rig::read(&large, &mut |_| None).unwrap_err().expected.contains("bytes"));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

/// The examples of the schema's page are what the reader reads.
#[test]
fn the_documentation_s_examples_are_valid() {
    let page = include_str!("../../../docs/rig-file.md");
    let mut count = 0;
    for block in page.split("```toml\n").skip(1) {
        let text = block.split("```").next().unwrap();
        let skeleton = BVH.replace("knee", "LeftForeArm");
        rig::read(text.as_bytes(), &mut |_| Some(skeleton.clone().into_bytes()))
            .unwrap_or_else(|e| panic!("{e}\n{text}"));
        count += 1;
    }
    assert_eq!(count, 2);
}

const DOLL: &str = include_str!("seeds/rig/behaviour.rig.toml");

#[test]
fn behaviours_are_read_and_what_is_wrong_with_them_has_a_line() {
    let asset = rig::read(DOLL.as_bytes(), &mut |_| None).unwrap();
    let [behaviour] = &asset.behaviours[..] else { panic!("{:?}", asset.behaviours.len()) };
    assert_eq!((behaviour.name(), behaviour.keys().len()), ("polite", 6));
    let bow = &asset.postures[0].1;
    assert_eq!(behaviour.stance(), Some(bow));
    assert_eq!(behaviour.keys()[2].pose, *bow, "low-left is the third corner");
    let key = &behaviour.keys()[4];
    assert!((key.values.range.1.to_degrees() - 130.0).abs() < 1e-9);
    assert_eq!(key.values.stretch, 0.96);
    assert!((behaviour.keys()[5].swing.y - 0.5).abs() < 1e-12);

    for (line, instead, words) in [
        ("side = \"right\"", "side = \"up\"", "left or right"),
        ("stance = \"bow\"", "stance = \"bov\"", "did you mean 'bow'"),
        ("corner = \"low-left\"", "corner = \"low\"", "high-right"),
        ("swing = [0, 0]", "swing = [0]", "two angles"),
        ("swing = [-40, \"0.5 rad\"]", "swing = [0, 0]", "swing plane"),
        ("swing = [-40, \"0.5 rad\"]", "swing = [-400, 0]", "swing plane"),
        ("growth = 1.1", "growth = 99", "swing plane"),
        ("step = 5", "stride = 5", "the key"),
        ("weight = { start = 0.3, full = 1.5, stretch = 0.96 }", "weight = { full = 0 }", "swing plane"),
        ("spine = { axis = [0, 1, 0], angle = 20 }", "spin = 3", "no joint"),
    ] {
        assert!(DOLL.lines().any(|l| l == line), "{line}");
        let error = error(&DOLL.replacen(line, instead, 1)).to_string();
        assert!(error.contains(words), "{instead}: {error}");
        assert!(error.contains("line"), "{error}");
    }
    let twice =
        DOLL.replace("[[behaviour]]", "[[behaviour]]\nname = \"polite\"\nside = \"right\"\n\n[[behaviour]]");
    assert!(error(&twice).to_string().contains("a second behaviour 'polite'"));
    let corners = DOLL.replace("swing = [0, 0]", "corner = \"low-left\"");
    assert!(error(&corners).to_string().contains("a second key at the corner"));
    let crowd = "[[behaviour.key]]\nswing = [0, 0]\n".repeat(300);
    let many = format!("{}\n{crowd}", DOLL);
    assert!(error(&many).to_string().contains("at most 256"));
}
