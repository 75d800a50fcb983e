//! What files in the wild do.

use glam::{DQuat, DVec3};
use sinew_f64::{JointKind, ModelPose};
use sinew_io::bvh::{self, Axis, BvhOptions, Channel, UpAxis};
use sinew_io::{Asset, Format, read};

fn read_text(text: &str) -> Asset {
    read("test.bvh", text.as_bytes(), &mut |_| None).unwrap()
}

fn metres(text: &str) -> Asset {
    let options = BvhOptions { scale: Some(1.0), up: Some(UpAxis::Y), ..Default::default() };
    bvh::to_asset(&bvh::parse(text.as_bytes()).unwrap(), &options).unwrap()
}

fn place(asset: &Asset, frame: usize, joint: &str) -> DVec3 {
    let model = ModelPose::new(&asset.skeleton, &asset.motions[0].frames[frame]);
    model.position(asset.skeleton.find(joint).unwrap())
}

fn notes(asset: &Asset) -> String {
    asset.notes.iter().map(|note| note.to_string() + "\n").collect()
}

const ARM: &str = "HIERARCHY
ROOT Upper
{
  OFFSET 1 2 3
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Lower
  {
    OFFSET 2 0 0
    CHANNELS 3 Yrotation Zrotation Xrotation
    End Site
    {
      OFFSET 1 0 0
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.5
";

#[test]
fn every_joint_has_its_own_order_of_turns() {
    let asset = metres(&format!("{ARM}0 0 0 10 20 30 40 50 60\n"));
    let turn = |axis: DVec3, degrees: f64| DQuat::from_axis_angle(axis, degrees.to_radians());
    let pose = &asset.motions[0].frames[0];
    let upper = turn(DVec3::Z, 10.0) * turn(DVec3::X, 20.0) * turn(DVec3::Y, 30.0);
    let lower = turn(DVec3::Y, 40.0) * turn(DVec3::Z, 50.0) * turn(DVec3::X, 60.0);
    for (i, expected) in [upper, lower].into_iter().enumerate() {
        let off = pose.rotations()[i].conjugate() * expected;
        assert!(sinew_f64::math::rotation::angle(off) < 1e-14);
    }
    assert_eq!(asset.motions[0].frame_time, 0.5);
    assert_eq!(asset.skeleton.joints()[0].kind(), JointKind::Free);
    assert_eq!(asset.skeleton.joints()[1].kind(), JointKind::Ball);
    assert_eq!(asset.skeleton.joints()[1].tip(), Some(DVec3::X));
}

#[test]
fn the_root_s_place_replaces_its_offset() {
    let asset = metres(&format!("{ARM}7 8 9 0 0 0 0 0 0\n"));
    assert_eq!(asset.skeleton.joints()[0].rest().translation, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!(place(&asset, 0, "Upper"), DVec3::new(7.0, 8.0, 9.0));
    assert_eq!(place(&asset, 0, "Lower"), DVec3::new(9.0, 8.0, 9.0));
}

#[test]
fn places_of_lower_joints_replace_the_components_they_name() {
    let text = ARM.replace(
        "CHANNELS 3 Yrotation Zrotation Xrotation",
        "CHANNELS 4 Yposition Yrotation Zrotation Xrotation",
    );
    let asset = metres(&format!("{text}0 0 0 0 0 90 5 0 0 0\n"));
    // The offset's x stays, its y becomes 5, and the parent turns both about y.
    assert!((place(&asset, 0, "Lower") - DVec3::new(0.0, 5.0, -2.0)).length() < 1e-12);
    assert_eq!(asset.skeleton.joints()[1].kind(), JointKind::Ball);
    assert!(notes(&asset).contains("1 joints below the root leave their offsets, 'Lower' by 5.0000 m"));
}

#[test]
fn fewer_channels_make_simpler_joints() {
    let kind = |channels: &str| {
        let text = ARM.replace("CHANNELS 3 Yrotation Zrotation Xrotation", channels);
        let text = text.split("MOTION").next().unwrap().to_owned();
        metres(&text).skeleton.joints()[1].kind()
    };
    assert_eq!(kind("CHANNELS 1 Zrotation"), JointKind::Hinge { axis: DVec3::Z });
    let universal = JointKind::Universal { first: DVec3::Z, second: DVec3::X };
    assert_eq!(kind("CHANNELS 2 Zrotation Xrotation"), universal);
    assert_eq!(kind("CHANNELS 0"), JointKind::Fixed);
    assert_eq!(kind(""), JointKind::Fixed);
    assert_eq!(kind("CHANNELS 3 Zrotation Xrotation Zrotation"), JointKind::Ball);
}

#[test]
fn line_ends_tabs_and_case_do_not_matter() {
    let plain = format!("{ARM}7 8 9 10 20 30 40 50 60\n");
    let expected = bvh::parse(plain.as_bytes()).unwrap();
    let forms = [
        plain.replace('\n', "\r\n"),
        plain.replace('\n', "\r"),
        plain.replace("\n", "\r\n\n").replacen("\r\n\n", "\n", 5),
        plain.replace("  ", "\t"),
        plain.replace("OFFSET", "Offset").replace("rotation", "Rotation").replace("MOTION", "Motion"),
        plain.replace("Frames: ", "Frames:\t").replace("Frame Time: ", "Frame Time:"),
        plain.replace("Frames:", "Frames :"),
        plain.replace("\n  {", " {").replace("\n{", " {").replace("Site\n", "Site "),
        plain.replace(" 20 ", " +2.0E+01 ").replace(" 9 ", "   900e-2  "),
        format!("\u{feff}\r\n{plain}\n\n"),
        plain.trim_end().to_owned(),
    ];
    for form in forms {
        assert_eq!(bvh::parse(form.as_bytes()).unwrap(), expected, "{form:?}");
    }
}

#[test]
fn names_may_hold_spaces_colons_and_any_script() {
    let text = ARM
        .replace("ROOT Upper", "ROOT mixamorig:Upper arm  ")
        .replace("JOINT Lower", "JOINT \u{4e0b}\u{8155} (left)");
    let asset = metres(&format!("{text}0 0 0 0 0 0 0 0 0\n"));
    let names: Vec<&str> = asset.skeleton.joints().iter().map(|joint| joint.name()).collect();
    assert_eq!(names, ["mixamorig:Upper arm", "\u{4e0b}\u{8155} (left)"]);
}

#[test]
fn shared_and_missing_names_are_told_apart_with_a_note() {
    let text = ARM.replace("JOINT Lower", "JOINT Upper").replace("ROOT Upper", "ROOT");
    let asset = metres(&format!("{text}0 0 0 0 0 0 0 0 0\n"));
    assert_eq!(asset.skeleton.joints()[0].name(), "joint0");
    assert!(notes(&asset).contains("line 2: a joint without a name is called 'joint0'"));

    let text = ARM.replace("JOINT Lower", "JOINT Upper");
    let asset = metres(&format!("{text}0 0 0 0 0 0 0 0 0\n"));
    assert_eq!(asset.skeleton.joints()[1].name(), "Upper.2");
    assert!(notes(&asset).contains("two joints are called 'Upper'; one is now 'Upper.2'"));
}

#[test]
fn end_sites_may_be_missing_empty_or_many() {
    let site = "    End Site\n    {\n      OFFSET 1 0 0\n    }\n";
    let none = metres(&format!("{}0 0 0 0 0 0 0 0 0\n", ARM.replace(site, "")));
    assert_eq!(none.skeleton.joints()[1].tip(), None);
    let zero = metres(&format!("{}0 0 0 0 0 0 0 0 0\n", ARM.replace("OFFSET 1 0 0\n", "OFFSET 0 0 0\n")));
    assert_eq!(zero.skeleton.joints()[1].tip(), None);
    let two = site.replace("End Site", "End Site Tip").replace("1 0 0", "0 1 0") + site;
    let two = metres(&format!("{}0 0 0 0 0 0 0 0 0\n", ARM.replace(site, &two)));
    assert_eq!(two.skeleton.joints()[1].tip(), Some(DVec3::Y));
    assert!(notes(&two).contains("joint 'Lower' has 2 End Sites; the first is kept"));
}

#[test]
fn a_wrong_count_of_frames_is_noted_and_nothing_is_lost() {
    let row = "0 0 0 0 0 0 0 0 0\n";
    for (declared, held) in [(1, 3), (5, 2), (0, 1), (1_000_000_000_000u64, 1)] {
        let text = ARM.replace("Frames: 1", &format!("Frames: {declared}")) + &row.repeat(held);
        let asset = metres(&text);
        assert_eq!(asset.motions[0].frames.len(), held);
        let note = format!("the file declares {declared} frames and holds {held}");
        assert!(notes(&asset).contains(&note));
    }
    let empty = metres(&ARM.replace("Frames: 1", "Frames: 0"));
    assert!(empty.motions.is_empty());
}

#[test]
fn wrapped_rows_are_read_when_they_add_up() {
    let asset = metres(&format!("{ARM}7 8 9 0 0\n0 0 0 0\n"));
    assert_eq!(place(&asset, 0, "Upper"), DVec3::new(7.0, 8.0, 9.0));
    assert!(notes(&asset).contains("line 19: frames are not one line each"));
}

#[test]
fn the_unit_is_guessed_from_the_size_and_noted() {
    let body = |height: f64| {
        read_text(&format!(
            "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{{\nOFFSET 0 {height} 0\n}}\n}}\n"
        ))
    };
    for (height, metres) in
        [(1.75, 1.0), (170.0, 0.01), (66.0, 0.0254), (27.0, 0.0254 / 0.45), (1800.0, 1e-3)]
    {
        let asset = body(height);
        assert_eq!(asset.source.unit, Some(metres), "{height} high");
        assert!(notes(&asset).contains("the file has no units"));
        let tip = asset.skeleton.joints()[0].tip().unwrap();
        assert!((tip.y - height * metres).abs() < 1e-12);
    }
    assert!(notes(&body(8.0)).contains("which is not the size of a person"));
    assert!(notes(&body(0.0)).contains("its skeleton no size"));
    let said = bvh::parse(format!("{ARM}0 0 0 0 0 0 0 0 0\n").as_bytes()).unwrap();
    let asset =
        bvh::to_asset(&said, &BvhOptions { scale: Some(0.1), up: Some(UpAxis::Y), ..Default::default() })
            .unwrap();
    assert!(asset.notes.is_empty(), "what is said needs no note");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(
            bvh::to_asset(&said, &BvhOptions { scale: Some(bad), up: None, ..Default::default() }).is_err()
        );
    }
}

/// A figure with its head `up` from its foot at rest, in the given motion.
fn figure(up: &str, frame: &str) -> String {
    format!(
        "HIERARCHY\nROOT Foot\n{{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation \
         Zrotation\nJOINT Head\n{{\nOFFSET {up}\nCHANNELS 0\n}}\n}}\nMOTION\nFrames: 1\nFrame Time: 0.1\n{frame}\n"
    )
}

#[test]
fn bodies_that_stand_along_z_are_turned_to_y() {
    let cases = [
        ("0 170 0", "1 2 3 0 0 0", "", DVec3::new(0.01, 0.02, 0.03)),
        ("0 0 170", "1 2 3 0 0 0", "the body stands along Z", DVec3::new(0.01, 0.03, -0.02)),
        ("0 170 0", "1 2 3 90 0 0", "the motion is turned to Y", DVec3::new(0.01, 0.03, -0.02)),
        ("0 0 170", "1 2 3 -90 0 0", "the offsets are turned to Y", DVec3::new(0.01, 0.02, 0.03)),
        ("170 0 0", "1 2 3 0 0 0", "does not stand along any axis", DVec3::new(0.01, 0.02, 0.03)),
    ];
    for (up, frame, note, foot) in cases {
        let asset = read_text(&figure(up, frame));
        assert!(notes(&asset).contains(note), "{up} {frame}: {}", notes(&asset));
        assert!((place(&asset, 0, "Foot") - foot).length() < 1e-12, "{up} {frame}");
        if !up.starts_with("170") {
            let rest = ModelPose::rest(&asset.skeleton).positions()[1];
            assert!((rest - DVec3::Y * 1.7).length() < 1e-12, "upright at rest");
            let head = place(&asset, 0, "Head") - foot;
            assert!((head - DVec3::Y * 1.7).length() < 1e-12, "upright in motion");
        }
        // And back to what the file said.
        let written = sinew_io::write(Format::Bvh, &asset, &Default::default()).unwrap();
        let (first, second) = (bvh::parse(figure(up, frame).as_bytes()), bvh::parse(&written.bytes));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!(second.joints[1].offset, first.joints[1].offset);
        for (a, b) in first.values.iter().zip(&second.values) {
            assert!((a - b).abs() < 1e-9, "{:?} {:?}", first.values, second.values);
        }
    }
}

#[test]
fn what_the_file_does_its_own_way_is_kept() {
    let asset = metres(&format!("{ARM}0 0 0 0 0 0 0 0 0\n"));
    let habits = asset.source.bvh.as_ref().unwrap();
    let turns = [Axis::Y, Axis::Z, Axis::X].map(Channel::Rotation);
    assert_eq!(habits.channels[1], turns);
    assert_eq!(asset.source.format, Some(Format::Bvh));
}
