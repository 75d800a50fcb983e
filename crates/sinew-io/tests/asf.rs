//! ASF skeletons and AMC motions: what they say, and broken ones.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests are tests too

use std::f64::consts::PI;

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use sinew_f64::limit::{AngleRange, EulerLimit, EulerOrder, LimitShape, UniversalLimit};
use sinew_f64::math::rotation::{about, angle};
use sinew_f64::{JointKind, JointLimit, ModelPose};
use sinew_io::asf::{self, AsfOptions};
use sinew_io::{Asset, Format, read};

const SKELETON: &str = "# made by hand
:version 1.10
:name arm
:units
  mass 1.0
  length 0.45
  angle deg
:documentation
   free text : with colons
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 0 0 0
   orientation 0 0 0
:bonedata
  begin
     id 1
     name upper
     direction 1 0 0
     length 3
     axis 0 0 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
     id 2
     name lower
     direction 1 0 0
     length 2
     axis -90 0 20 XYZ
    dof rx rz
    limits (-45.0 90.0)
           (-70.0 20.0)
  end
  begin
     name finger
     direction 0 1 0
     length 1
     axis 30 40 50 ZYX
    dof ry
    limits (-inf inf)
  end
  begin
     name plate
     direction 0 0 1
     length 0
     axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root upper plate
    upper lower
    lower finger
  end
";

const MOTION: &str = "#!OML:ASF made
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
upper 40 50 60
lower 7 8
finger 9
2
root 0 0 0 0 0 0
upper 0 0 0
lower 0 0
finger 0
";

const UNIT: f64 = 0.0254 / 0.45;

fn both(skeleton: &str, motion: &str) -> Result<Asset, sinew_io::ReadError> {
    read("arm_1.amc", motion.as_bytes(), &mut |name| (name == "arm.asf").then(|| skeleton.into()))
}

fn turn(axis: DVec3, degrees: f64) -> DQuat {
    about(axis, degrees.to_radians())
}

#[test]
fn bones_stand_where_the_file_s_own_formula_puts_them() {
    let asset = both(SKELETON, MOTION).unwrap();
    let frame = |x: f64, y: f64, z: f64| turn(DVec3::Z, z) * turn(DVec3::Y, y) * turn(DVec3::X, x);
    // Every rotation in the model's axes, as C M C⁻¹.
    let root = frame(10.0, 20.0, 30.0);
    let c = frame(0.0, 0.0, 20.0);
    let upper = root * c * frame(40.0, 50.0, 60.0) * c.inverse();
    let c = frame(-90.0, 0.0, 20.0);
    let lower = upper * c * turn(DVec3::Z, 8.0) * turn(DVec3::X, 7.0) * c.inverse();
    let c = turn(DVec3::X, 30.0) * turn(DVec3::Y, 40.0) * turn(DVec3::Z, 50.0);
    let finger = lower * c * turn(DVec3::Y, 9.0) * c.inverse();

    let start = DVec3::new(1.0, 2.0, 3.0);
    let elbow = start + upper * (DVec3::X * 3.0);
    let wrist = elbow + lower * (DVec3::X * 2.0);
    let tip = wrist + finger * DVec3::Y;

    let model = ModelPose::new(&asset.skeleton, &asset.motions[0].frames[0]);
    let id = |name: &str| asset.skeleton.find(name).unwrap();
    for (name, place) in
        [("root", start), ("upper", start), ("plate", start), ("lower", elbow), ("finger", wrist)]
    {
        assert!((model.position(id(name)) - place * UNIT).length() < 1e-13, "{name}");
    }
    let end =
        model.transform(id("finger")).transform_point(asset.skeleton.joint(id("finger")).tip().unwrap());
    assert!((end - tip * UNIT).length() < 1e-13);
    assert_eq!(asset.skeleton.joint(id("plate")).tip(), None, "a bone without length ends nowhere");

    assert_eq!(asset.skeleton.name(), "arm");
    assert_eq!(asset.motions[0].frames.len(), 2);
    assert!((asset.motions[0].frame_time - 1.0 / 120.0).abs() < 1e-15);
    assert_eq!(asset.source.format, Some(Format::Amc));
    let notes: String = asset.notes.iter().map(|note| note.to_string()).collect();
    assert!(notes.contains("0.056444 m") && notes.contains("120 frames a second"), "{notes}");
}

#[test]
fn freedoms_and_limits_are_those_of_the_file() {
    let asset = asf::read(SKELETON.as_bytes(), None, &AsfOptions::default()).unwrap();
    let joint = |name: &str| asset.skeleton.joint(asset.skeleton.find(name).unwrap());
    let range = |low: f64, high: f64| AngleRange::new(low.to_radians(), high.to_radians());
    let upper =
        EulerLimit::new(EulerOrder::Zyx, [range(-60.0, 70.0), range(-70.0, 70.0), range(-160.0, 20.0)]);
    assert_eq!(joint("upper").kind(), JointKind::Ball);
    assert_eq!(joint("upper").limit(), &JointLimit::from(upper));
    let lower = UniversalLimit::new([DVec3::Z, DVec3::X], range(-70.0, 20.0), range(-45.0, 90.0));
    assert_eq!(joint("lower").kind(), JointKind::Universal { first: DVec3::Z, second: DVec3::X });
    assert_eq!(joint("lower").limit(), &JointLimit::from(lower));
    assert_eq!(joint("finger").kind(), JointKind::Hinge { axis: DVec3::Y });
    match &joint("finger").limit().shape {
        LimitShape::Hinge(limit) => assert!(limit.range.is_whole_turn() && limit.range.max <= PI),
        other => panic!("{other:?}"),
    }
    assert_eq!(joint("plate").kind(), JointKind::Fixed);
    assert_eq!(joint("root").kind(), JointKind::Free);

    // A motion inside of the file's ranges is inside of the limits, one
    // outside is outside, and the angles are read as the limits mean them.
    let inside = both(SKELETON, &MOTION.replace("upper 40 50 60", "upper 19 -69 69")).unwrap();
    assert_eq!(inside.motions[0].frames[0].worst_violation(&inside.skeleton), None);
    let outside =
        both(SKELETON, &MOTION.replace("lower 7 8", "lower 7 25").replace("40 50 60", "0 0 0")).unwrap();
    let (worst, by) = outside.motions[0].frames[0].worst_violation(&outside.skeleton).unwrap();
    assert_eq!(outside.skeleton.joint(worst).name(), "lower");
    assert!((by - 5f64.to_radians()).abs() < 1e-9);
}

#[test]
fn other_orders_and_radians_are_understood() {
    let skeleton = SKELETON
        .replace("angle deg", "angle rad")
        .replace("order TX TY TZ RX RY RZ", "order RZ RX TY RY TX TZ")
        .replace("axis 0 0 20 XYZ", "axis 0 0 0.3 YXZ");
    let motion = MOTION.replace(":DEGREES\n", "").replace("root 1 2 3 10 20 30", "root 0.1 0.2 5 0.3 6 7");
    let asset = both(&skeleton, &motion).unwrap();
    let pose = &asset.motions[0].frames[0];
    let expected = about(DVec3::Y, 0.3) * about(DVec3::X, 0.2) * about(DVec3::Z, 0.1);
    assert!(angle(pose.rotations()[0].conjugate() * expected) < 1e-14);
    assert!((pose.translations()[0] - DVec3::new(6.0, 5.0, 7.0) * UNIT).length() < 1e-14);
    let upper = asset.skeleton.joint(asset.skeleton.find("upper").unwrap());
    assert!(angle(upper.rest().rotation.conjugate() * about(DVec3::Z, 0.3)) < 1e-14);
}

#[test]
fn the_lines_of_a_frame_may_change_places() {
    let shuffled = MOTION.replace("upper 0 0 0\nlower 0 0\n", "lower 0 0\nupper 0 0 0\n");
    let straight = both(SKELETON, MOTION).unwrap();
    assert_eq!(both(SKELETON, &shuffled).unwrap().motions, straight.motions);
    let gap = both(SKELETON, &MOTION.replace("\n2\n", "\n7\n")).unwrap();
    assert!(gap.notes.iter().any(|note| note.to_string().contains("frame 7 follows frame 1")));
    let windows = both(&SKELETON.replace('\n', "\r\n"), &MOTION.replace('\n', "\r")).unwrap();
    assert_eq!(windows.motions, straight.motions);
}

#[test]
fn broken_skeletons_are_refused_with_the_line() {
    let cases = [
        ("length 0.45", "length 0", "line 6: found '0', expected the length unit, a number above zero"),
        ("angle deg", "angle grad", "line 7: found 'grad', expected 'deg' or 'rad'"),
        ("order TX TY", "order TX TX", "line 11: found 'TX', expected TX, TY, TZ, RX, RY or RZ, each once"),
        ("axis XYZ", "axis XXZ", "line 12: found 'XXZ', expected an order of axes such as XYZ"),
        ("position 0 0 0", "position 0 0", "line 13: found the end of the line, expected three numbers"),
        (
            "direction 1 0 0",
            "direction 1 nan 0",
            "line 19: found 'nan', expected three numbers of the bone's direction",
        ),
        ("length 3", "length -3", "line 20: found '-3', expected a length of zero or more"),
        ("dof rx ry rz", "dof rx ry l", "line 22: found 'l', expected rx, ry or rz; bones that shift"),
        (
            "(-160.0 20.0)",
            "(20.0 -160.0)",
            "line 23: found a limit from 20 to -160, expected the least angle first",
        ),
        ("(-60.0 70.0)\n", "\n", "line 26: found 2 limits of bone 'upper', expected 3, one for each dof"),
        ("     length 3\n", "", "line 25: found 'end', expected the length of the bone of line 16"),
        ("name lower", "name upper", "line 36: found 'upper', expected a name that nothing else has"),
        (
            "root upper plate",
            "root upper plate wing",
            "line 53: found 'wing', expected the name of a bone above",
        ),
        (
            "lower finger",
            "lower upper",
            "line 55: found 'upper', expected a bone that is under no other bone yet",
        ),
        ("    lower finger\n", "", "the file: found bone 'finger' outside of the hierarchy"),
        (
            "  end\n:hierarchy",
            ":hierarchy",
            "line 50: found ':hierarchy', expected the 'end' of the bone of line 45",
        ),
        (
            "# made by hand\n:version",
            "version",
            "line 1: found 'version', expected a section such as ':units'",
        ),
    ];
    for (from, to, expected) in cases {
        let text = SKELETON.replacen(from, to, 1);
        assert_ne!(text, SKELETON, "{from}");
        let error = both(&text, MOTION).unwrap_err().to_string();
        assert!(error.starts_with(&format!("arm.asf: {expected}")), "{error}");
    }
    let circle =
        SKELETON.replace("root upper plate", "root plate").replace("lower finger", "lower finger upper");
    let error = both(&circle, MOTION).unwrap_err().to_string();
    assert!(error.contains("is its own ancestor"), "{error}");
}

#[test]
fn broken_motions_are_refused_with_the_line() {
    let cases = [
        ("1\nroot", "root", "line 4: found 'root', expected the number of the first frame"),
        ("\n2\n", "\n2x\n", "line 9: found '2x', expected the number of a frame, or a bone"),
        (
            "upper 0 0 0",
            "upper 0 0",
            "line 11: found 2 numbers for bone 'upper', expected 3, as in the first frame",
        ),
        ("upper 0 0 0", "upper 0 zero 0", "line 11: found 'zero', expected a finite number"),
        ("upper 0 0 0", "wing 0 0 0", "line 11: found 'wing', expected a bone that the first frame has too"),
        ("upper 0 0 0", "root 0 0 0 0 0 0", "line 11: found 'root', expected each bone once in a frame"),
        (
            "upper 0 0 0\n",
            "",
            "line 9: found a frame without bone 'upper', expected every bone of the first frame",
        ),
        (
            "lower 7 8\n",
            "lower 7\n",
            "line 12: found 2 numbers for bone 'lower', expected 1, as in the first frame",
        ),
        ("\n2\n", "\n2\n3\n", "line 9: found a frame without bone 'root'"),
    ];
    for (from, to, expected) in cases {
        let text = MOTION.replacen(from, to, 1);
        assert_ne!(text, MOTION, "{from}");
        let error = both(SKELETON, &text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("arm_1.amc: {expected}")), "{error}");
    }
    let short = MOTION.replace("lower 7 8\n", "lower 7\n").replace("lower 0 0\n", "lower 0\n");
    let error = both(SKELETON, &short).unwrap_err().to_string();
    assert!(
        error.contains("found 1 numbers for bone 'lower' in the motion, expected 2, as the skeleton has it")
    );
    let wing = both(SKELETON, &MOTION.replace("upper", "wing")).unwrap_err().to_string();
    assert!(wing.contains("the file: found bone 'wing' in the motion, expected a bone of the skeleton"));
    let still = MOTION.replace("finger 9\n", "").replace("finger 0\n", "");
    assert!(both(SKELETON, &still).unwrap_err().to_string().contains("a motion without bone 'finger'"));
    let alone = read("arm_1.amc", MOTION.as_bytes(), &mut |_| None).unwrap_err().to_string();
    assert!(
        alone.contains("its skeleton beside it, as arm_1.asf or arm_1.ASF or arm.asf or arm.ASF"),
        "{alone}"
    );
}

#[test]
fn options_that_make_no_sense_are_refused() {
    for bad in [0.0, -1.0, f64::NAN] {
        let scale = AsfOptions { scale: Some(bad), ..Default::default() };
        assert!(asf::read(SKELETON.as_bytes(), None, &scale).is_err());
        let time = AsfOptions { frame_time: Some(bad), ..Default::default() };
        assert!(asf::read(SKELETON.as_bytes(), None, &time).is_err());
    }
}

/// Whatever the bytes, the answer is an error or an asset with finite poses.
fn survives(skeleton: &[u8], motion: &[u8]) {
    let _ = asf::parse_motion(motion);
    if let Ok(asset) = asf::read(skeleton, Some(motion), &AsfOptions::default()) {
        assert!(asset.motions.iter().flat_map(|motion| &motion.frames).all(|pose| pose.is_finite()));
    }
}

fn damaged(text: &str, damage: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (place, byte, how) in damage {
        let at = place.index(bytes.len());
        match how {
            0 => bytes[at] = *byte,
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, b"() \n:#-e.9rx"[usize::from(*byte) % 12]),
        }
    }
    bytes
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes, MOTION.as_bytes());
        survives(SKELETON.as_bytes(), &bytes);
        survives(&[b":bonedata\n", &bytes[..]].concat(), &[b"1\n", &bytes[..]].concat());
    }

    #[test]
    fn damaged_files_are_survived(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..6),
    ) {
        survives(&damaged(SKELETON, &damage), MOTION.as_bytes());
        survives(SKELETON.as_bytes(), &damaged(MOTION, &damage));
    }
}
