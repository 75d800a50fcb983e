use super::*;

fn part(name: &str) -> (Option<Part>, Option<Side>) {
    let reading = read(name);
    assert!(!reading.is_helper && !reading.is_twist, "{name}");
    (reading.part, reading.side)
}

#[test]
fn one_joint_in_many_tongues() {
    for name in [
        "LeftUpLeg",
        "mixamorig:LeftUpLeg",
        "mixamorig1:LeftUpLeg",
        "mixamorig_LeftUpLeg",
        "mixamorig1_LeftUpLeg",
        "lfemur",
        "leftUpperLeg",
        "LEFT_UPPER_LEG",
        "thigh.L",
        "thigh_l",
        "Thigh.l",
        "Bip01 L Thigh",
        "ValveBiped.Bip01_L_Thigh",
        "J_Bip_L_UpperLeg",
        "CC_Base_L_Thigh",
        "DEF-thigh.L",
        "L_UpLeg",
        "lThighBend",
        "rig|leftupleg",
    ] {
        assert_eq!(part(name), (Some(Part::UpperLeg), Some(Side::Left)), "{name}");
    }
}

#[test]
fn sides_do_not_hide_in_other_words() {
    assert_eq!(part("lowerback"), (Some(Part::Spine), None));
    assert_eq!(part("LowerBack"), (Some(Part::Spine), None));
    assert_eq!(part("ribcage"), (Some(Part::Spine), None));
    assert_eq!(part("root"), (Some(Part::Root), None));
    assert_eq!(part("lradius"), (Some(Part::LowerArm), Some(Side::Left)));
    assert_eq!(part("rradius"), (Some(Part::LowerArm), Some(Side::Right)));
    assert_eq!(part("hip"), (Some(Part::Hips), None));
    assert_eq!(part("rHip"), (Some(Part::Hip), Some(Side::Right)));
    assert_eq!(part("pelvis.L").0, None);
    assert_eq!(part("vl5"), (Some(Part::Spine), None));
}

#[test]
fn controls_and_ends_are_helpers() {
    for name in [
        "kneeIK.l",
        "IK-foot.l",
        "LeftHand_End",
        "HeadTop_End",
        "control-toe-roll.l",
        "handslot.l",
        "ik_hand_l",
    ] {
        let reading = read(name);
        assert!(reading.is_helper || reading.part.is_none(), "{name}: {reading:?}");
    }
    assert!(read("lowerarm_twist_01_l").is_twist);
}

#[test]
fn fingers_and_their_bones() {
    for (name, finger, stage) in [
        ("mixamorig:LeftHandIndex1", Finger::Index, Stage::Counted),
        ("leftThumbMetacarpal", Finger::Thumb, Stage::Metacarpal),
        ("l_index0", Finger::Index, Stage::Metacarpal),
        ("lMid1", Finger::Middle, Stage::Counted),
        ("f_pinky.01.L", Finger::Little, Stage::Counted),
        ("thumb_proximal.L", Finger::Thumb, Stage::Counted),
        ("lthumb", Finger::Thumb, Stage::Unsaid),
        ("LeftHandRing", Finger::Ring, Stage::Unsaid),
        ("Bip01 L Finger12", Finger::Index, Stage::Counted),
        ("l_carpal_distal_interphalangeal_4", Finger::Ring, Stage::Counted),
        ("leftlittledistal", Finger::Little, Stage::Counted),
    ] {
        assert_eq!(part(name), (Some(Part::Finger(finger, stage)), Some(Side::Left)), "{name}");
    }
    assert_eq!(part("LeftFingerBase").0, None);
    assert_eq!(part("lfingers").0, None);
}

#[test]
fn odd_names_are_read_without_harm() {
    for name in
        ["", ":", "l", "L", "123", "___", "左腕", "é", "LLLL", "Finger", "finger9", "L Finger999999999999"]
    {
        assert_eq!(read(name).part, None, "{name}");
    }
}
