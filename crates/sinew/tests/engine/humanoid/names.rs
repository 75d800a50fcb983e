//! Every naming convention.

use super::*;

/// Every bone that has a name is found by it, and nothing else is.
fn check(what: &str, name: &dyn Fn(Bone) -> Option<String>, between: Between<'_>) {
    for yaw in [0.0, 1.0, 3.1] {
        let skeleton = human(name, between, rotation::exp(Vec3::Y * yaw));
        let map = HumanoidMap::find(&skeleton);
        for bone in Bone::all() {
            let wanted = name(bone).map(|n| skeleton.find(&n).unwrap());
            let got = map.get(bone).map(|j| skeleton.joint(j).name());
            assert_eq!(map.get(bone), wanted, "{what}: {bone} is {got:?}, wanted {:?}", name(bone));
            if wanted.is_some() {
                assert_eq!(map.found_by(bone), Some(FoundBy::Name), "{what}: {bone}");
            }
        }
        assert!(map.is_complete(), "{what}: {:?}", map.missing().collect::<Vec<_>>());
        let facing = map.facing().unwrap();
        assert_eq!(facing.up, Vec3::Y, "{what}");
        let forward = rotation::exp(Vec3::Y * yaw) * Vec3::Z;
        assert!((facing.forward - forward).length() < 1e-3, "{what}: {:?}", facing.forward);
        assert_eq!(facing.by, FoundBy::Name);
        let mirror = map.mirror_map(&skeleton);
        for (bone, joint, _) in map.found() {
            assert_eq!(Some(mirror.partner(joint)), map.get(bone.mirrored()), "{what}: {bone}");
        }
    }
}

/// `leftUpperArm` → `LeftUpperArm`.
fn pascal(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

fn vrm0(bone: Bone) -> String {
    match bone {
        Bone::Finger(Side::Left, Finger::Thumb, Phalanx::First) => "leftThumbProximal".into(),
        Bone::Finger(Side::Right, Finger::Thumb, Phalanx::First) => "rightThumbProximal".into(),
        Bone::Finger(Side::Left, Finger::Thumb, Phalanx::Second) => "leftThumbIntermediate".into(),
        Bone::Finger(Side::Right, Finger::Thumb, Phalanx::Second) => "rightThumbIntermediate".into(),
        other => other.name().into(),
    }
}

/// A convention of trunk names, limb names with `{}` for the side, the two
/// sides, and a pattern for fingers with side, finger and number.
struct Convention {
    trunk: fn(Bone) -> Option<&'static str>,
    limb: fn(Bone) -> Option<&'static str>,
    sides: [&'static str; 2],
    fingers: Option<(&'static str, [&'static str; 5])>,
}

impl Convention {
    fn name(&self, bone: Bone) -> Option<String> {
        let Some(side) = bone.side() else { return (self.trunk)(bone).map(Into::into) };
        let side = self.sides[side as usize];
        if let Bone::Finger(_, finger, phalanx) = bone {
            let (pattern, fingers) = self.fingers?;
            let number = (phalanx as usize + 1).to_string();
            let text = pattern.replace('S', side).replace('F', fingers[finger as usize]);
            return Some(text.replace('#', &number));
        }
        (self.limb)(bone).map(|pattern| pattern.replace("{}", side))
    }
}

fn mixamo_trunk(bone: Bone) -> Option<&'static str> {
    Some(match bone {
        Bone::Hips => "Hips",
        Bone::Spine => "Spine",
        Bone::Chest => "Spine1",
        Bone::UpperChest => "Spine2",
        Bone::Neck => "Neck",
        Bone::Head => "Head",
        _ => return None,
    })
}

fn mixamo_limb(bone: Bone) -> Option<&'static str> {
    Some(match bone {
        Bone::Eye(_) => "{}Eye",
        Bone::Shoulder(_) => "{}Shoulder",
        Bone::UpperArm(_) => "{}Arm",
        Bone::LowerArm(_) => "{}ForeArm",
        Bone::Hand(_) => "{}Hand",
        Bone::UpperLeg(_) => "{}UpLeg",
        Bone::LowerLeg(_) => "{}Leg",
        Bone::Foot(_) => "{}Foot",
        Bone::Toes(_) => "{}ToeBase",
        _ => return None,
    })
}

const MIXAMO: Convention = Convention {
    trunk: mixamo_trunk,
    limb: mixamo_limb,
    sides: ["Left", "Right"],
    fingers: Some(("SHandF#", ["Thumb", "Index", "Middle", "Ring", "Pinky"])),
};

#[test]
fn vrm_unity_and_godot() {
    check("VRM 1", &|b| Some(b.name().into()), &[]);
    check("VRM 0", &|b| Some(vrm0(b)), &[]);
    check("Unity", &|b| Some(pascal(&vrm0(b))), &[]);
    check("Godot", &|b| Some(pascal(b.name())), &[("Root", Bone::Hips)]);
    // The optional bones may all be missing.
    check("VRM 1, required only", &|b| b.is_required().then(|| b.name().into()), &[]);
    check(
        "SlimeVR-like",
        &|b| {
            let mut text = String::new();
            for c in b.name().chars() {
                if c.is_uppercase() {
                    text.push('_');
                }
                text.extend(c.to_uppercase());
            }
            Some(text)
        },
        &[],
    );
}

#[test]
fn mixamo_with_its_prefixes() {
    for prefix in ["mixamorig:", "mixamorig", "mixamorig_", "mixamorig1:", "mixamorig12:", "mixamorig5_", ""]
    {
        check(prefix, &|b| Some(format!("{prefix}{}", MIXAMO.name(b)?)), &[]);
    }
    // Roll bones in between, as HumanIK has them, belong to no bone.
    let rolls: Between<'_> = &[
        ("LeftArmRoll", Bone::LowerArm(Side::Left)),
        ("RightArmRoll", Bone::LowerArm(Side::Right)),
        ("LeftForeArmRoll", Bone::Hand(Side::Left)),
        ("RightForeArmRoll", Bone::Hand(Side::Right)),
    ];
    check("HumanIK", &|b| MIXAMO.name(b), rolls);
    let skeleton = human(&|b| MIXAMO.name(b), rolls, Quat::IDENTITY);
    let map = HumanoidMap::find(&skeleton);
    let twists = map.twist_joints(&skeleton, Bone::LowerArm(Side::Left));
    assert_eq!(twists, [skeleton.find("LeftForeArmRoll").unwrap()]);
    assert_eq!(map.twist_joints(&skeleton, Bone::Hips), []);
}

#[test]
fn cmu_as_asf_and_as_bvh() {
    let asf = Convention {
        trunk: |bone| {
            Some(match bone {
                Bone::Hips => "root",
                Bone::Spine => "lowerback",
                Bone::Chest => "upperback",
                Bone::UpperChest => "thorax",
                Bone::Neck => "lowerneck",
                Bone::Head => "head",
                _ => return None,
            })
        },
        limb: |bone| {
            Some(match bone {
                Bone::Shoulder(_) => "{}clavicle",
                Bone::UpperArm(_) => "{}humerus",
                Bone::LowerArm(_) => "{}radius",
                Bone::Hand(_) => "{}wrist",
                Bone::UpperLeg(_) => "{}femur",
                Bone::LowerLeg(_) => "{}tibia",
                Bone::Foot(_) => "{}foot",
                Bone::Toes(_) => "{}toes",
                Bone::Finger(_, Finger::Thumb, Phalanx::First) => "{}thumb",
                _ => return None,
            })
        },
        sides: ["l", "r"],
        fingers: None,
    };
    let between: Between<'_> = &[
        ("lhipjoint", Bone::UpperLeg(Side::Left)),
        ("rhipjoint", Bone::UpperLeg(Side::Right)),
        ("upperneck", Bone::Head),
    ];
    check("CMU ASF", &|b| asf.name(b), between);
    let skeleton = human(&|b| asf.name(b), between, Quat::IDENTITY);
    let map = HumanoidMap::find(&skeleton);
    let names = |joints: &[JointId]| -> Vec<String> {
        joints.iter().map(|j| skeleton.joint(*j).name().to_string()).collect()
    };
    assert_eq!(names(map.spine()), ["lowerback", "upperback", "thorax"]);
    assert_eq!(names(map.neck()), ["lowerneck", "upperneck"]);

    let trunk: fn(Bone) -> Option<&'static str> = |bone| match bone {
        Bone::Spine => Some("LowerBack"),
        Bone::Chest => Some("Spine"),
        Bone::UpperChest => Some("Spine1"),
        other => mixamo_trunk(other),
    };
    let bvh = Convention { trunk, fingers: None, ..MIXAMO };
    let between: Between<'_> = &[
        ("LHipJoint", Bone::UpperLeg(Side::Left)),
        ("RHipJoint", Bone::UpperLeg(Side::Right)),
        ("Neck1", Bone::Head),
    ];
    check("CMU BVH", &|b| bvh.name(b), between);
}

#[test]
fn h_anim() {
    let hanim = Convention {
        trunk: |bone| {
            Some(match bone {
                Bone::Hips => "HumanoidRoot",
                Bone::Spine => "vl5",
                Bone::Chest => "vt6",
                Bone::UpperChest => "vt1",
                Bone::Neck => "vc4",
                Bone::Head => "skullbase",
                Bone::Jaw => "temporomandibular",
                _ => return None,
            })
        },
        limb: |bone| {
            Some(match bone {
                Bone::Eye(_) => "{}_eyeball_joint",
                Bone::Shoulder(_) => "{}_sternoclavicular",
                Bone::UpperArm(_) => "{}_shoulder",
                Bone::LowerArm(_) => "{}_elbow",
                Bone::Hand(_) => "{}_wrist",
                Bone::UpperLeg(_) => "{}_hip",
                Bone::LowerLeg(_) => "{}_knee",
                Bone::Foot(_) => "{}_ankle",
                Bone::Toes(_) => "{}_metatarsal",
                _ => return None,
            })
        },
        sides: ["l", "r"],
        fingers: Some(("S_F#", ["thumb", "index", "middle", "ring", "pinky"])),
    };
    let between: Between<'_> = &[
        ("l_subtalar", Bone::Toes(Side::Left)),
        ("l_midtarsal", Bone::Toes(Side::Left)),
        ("r_midtarsal", Bone::Toes(Side::Right)),
        ("l_acromioclavicular", Bone::UpperArm(Side::Left)),
        ("l_index0", Bone::Finger(Side::Left, Finger::Index, Phalanx::First)),
        ("r_index0", Bone::Finger(Side::Right, Finger::Index, Phalanx::First)),
        ("vc2", Bone::Head),
    ];
    check("H-Anim", &|b| hanim.name(b), between);
    check(
        "H-Anim 2",
        &|b| {
            let name = hanim.name(b)?;
            Some(match name.as_str() {
                "HumanoidRoot" => "humanoid_root".into(),
                "l_ankle" => "l_talocrural".into(),
                "r_ankle" => "r_talocrural".into(),
                "l_wrist" => "l_radiocarpal".into(),
                "r_wrist" => "r_radiocarpal".into(),
                _ => name,
            })
        },
        &[],
    );
    // The lowest level of articulation has a midfoot for the toes, and no clavicle.
    check(
        "H-Anim LOA 1",
        &|b| match b {
            Bone::Toes(Side::Left) => Some("l_midtarsal".into()),
            Bone::Toes(Side::Right) => Some("r_midtarsal".into()),
            Bone::Shoulder(_)
            | Bone::Finger(..)
            | Bone::Eye(_)
            | Bone::Neck
            | Bone::Chest
            | Bone::UpperChest => None,
            other => hanim.name(other),
        },
        &[],
    );
}

/// Conventions that name a limb's bones plainly.
fn plain_limb(bone: Bone) -> Option<&'static str> {
    Some(match bone {
        Bone::Eye(_) => "eye{}",
        Bone::Shoulder(_) => "shoulder{}",
        Bone::UpperArm(_) => "upper_arm{}",
        Bone::LowerArm(_) => "forearm{}",
        Bone::Hand(_) => "hand{}",
        Bone::UpperLeg(_) => "thigh{}",
        Bone::LowerLeg(_) => "shin{}",
        Bone::Foot(_) => "foot{}",
        Bone::Toes(_) => "toe{}",
        _ => return None,
    })
}

fn plain_trunk(bone: Bone) -> Option<&'static str> {
    Some(match bone {
        Bone::Hips => "hips",
        Bone::Spine => "spine",
        Bone::Chest => "chest",
        Bone::Neck => "neck",
        Bone::Head => "head",
        Bone::Jaw => "jaw",
        _ => return None,
    })
}

#[test]
fn blender_s_suffixes() {
    let fingers = ["thumb", "f_index", "f_middle", "f_ring", "f_pinky"];
    for (sides, pattern) in [
        ([".L", ".R"], "F.0#S"),
        (["_l", "_r"], "F_0#S"),
        (["_L", "_R"], "F#S"),
        ([".l", ".r"], "F.0#S"),
        (["-left", "-right"], "F-#S"),
    ] {
        let blender =
            Convention { trunk: plain_trunk, limb: plain_limb, sides, fingers: Some((pattern, fingers)) };
        for prefix in ["", "DEF-", "ORG-"] {
            check(sides[0], &|b| Some(format!("{prefix}{}", blender.name(b)?)), &[]);
        }
    }
}

#[test]
fn unreal_biped_vroid_and_poser() {
    let unreal_limb: fn(Bone) -> Option<&'static str> = |bone| {
        Some(match bone {
            Bone::Shoulder(_) => "clavicle_{}",
            Bone::UpperArm(_) => "upperarm_{}",
            Bone::LowerArm(_) => "lowerarm_{}",
            Bone::Hand(_) => "hand_{}",
            Bone::UpperLeg(_) => "thigh_{}",
            Bone::LowerLeg(_) => "calf_{}",
            Bone::Foot(_) => "foot_{}",
            Bone::Toes(_) => "ball_{}",
            _ => return None,
        })
    };
    let unreal_trunk: fn(Bone) -> Option<&'static str> = |bone| {
        Some(match bone {
            Bone::Hips => "pelvis",
            Bone::Spine => "spine_01",
            Bone::Chest => "spine_02",
            Bone::UpperChest => "spine_03",
            Bone::Neck => "neck_01",
            Bone::Head => "head",
            _ => return None,
        })
    };
    let fingers = ["thumb", "index", "middle", "ring", "pinky"];
    let unreal = Convention {
        trunk: unreal_trunk,
        limb: unreal_limb,
        sides: ["l", "r"],
        fingers: Some(("F_0#_S", fingers)),
    };
    check(
        "Unreal",
        &|b| unreal.name(b),
        &[
            ("root", Bone::Hips),
            ("index_metacarpal_l", Bone::Finger(Side::Left, Finger::Index, Phalanx::First)),
            ("index_metacarpal_r", Bone::Finger(Side::Right, Finger::Index, Phalanx::First)),
        ],
    );

    check(
        "VRoid",
        &|b| {
            let side = match b.side() {
                Some(Side::Left) => "L",
                Some(Side::Right) => "R",
                None => "C",
            };
            let plain = match b {
                Bone::Toes(_) => "ToeBase".to_string(),
                Bone::Finger(_, finger, phalanx) => format!("{finger:?}{}", phalanx as usize + 1),
                Bone::Eye(_) => return Some(format!("J_Adj_{side}_FaceEye")),
                _ => pascal(b.name()).replace("Left", "").replace("Right", ""),
            };
            Some(format!("J_Bip_{side}_{plain}"))
        },
        &[],
    );

    let biped = |bone: Bone| -> Option<String> {
        let side = ["L", "R"];
        if let Bone::Finger(s, finger, phalanx) = bone {
            let number =
                if phalanx == Phalanx::First { String::new() } else { (phalanx as usize).to_string() };
            return Some(format!("Bip01 {} Finger{}{number}", side[s as usize], finger as usize));
        }
        let name = match bone {
            Bone::Hips => "Pelvis",
            Bone::Spine => "Spine",
            Bone::Chest => "Spine1",
            Bone::Neck => "Neck",
            Bone::Head => "Head",
            Bone::Shoulder(_) => "S Clavicle",
            Bone::UpperArm(_) => "S UpperArm",
            Bone::LowerArm(_) => "S Forearm",
            Bone::Hand(_) => "S Hand",
            Bone::UpperLeg(_) => "S Thigh",
            Bone::LowerLeg(_) => "S Calf",
            Bone::Foot(_) => "S Foot",
            Bone::Toes(_) => "S Toe0",
            _ => return None,
        };
        let name = bone.side().map_or(name.to_string(), |s| name.replacen('S', side[s as usize], 1));
        Some(format!("Bip01 {name}"))
    };
    check("Biped", &biped, &[("Bip01", Bone::Hips)]);

    let poser_limb: fn(Bone) -> Option<&'static str> = |bone| {
        Some(match bone {
            Bone::Shoulder(_) => "{}Collar",
            Bone::UpperArm(_) => "{}Shldr",
            Bone::LowerArm(_) => "{}ForeArm",
            Bone::Hand(_) => "{}Hand",
            Bone::UpperLeg(_) => "{}Thigh",
            Bone::LowerLeg(_) => "{}Shin",
            Bone::Foot(_) => "{}Foot",
            _ => return None,
        })
    };
    let poser_trunk: fn(Bone) -> Option<&'static str> = |bone| match bone {
        Bone::Hips => Some("hip"),
        Bone::Spine => Some("abdomen"),
        Bone::Chest => Some("chest"),
        other => plain_trunk(other).filter(|n| matches!(*n, "neck" | "head")),
    };
    let poser = Convention {
        trunk: poser_trunk,
        limb: poser_limb,
        sides: ["l", "r"],
        fingers: Some(("SF#", ["Thumb", "Index", "Mid", "Ring", "Pinky"])),
    };
    check(
        "Poser",
        &|b| poser.name(b),
        &[("lButtock", Bone::UpperLeg(Side::Left)), ("rButtock", Bone::UpperLeg(Side::Right))],
    );
}

#[test]
fn joints_named_for_themselves() {
    let limb: fn(Bone) -> Option<&'static str> = |bone| {
        Some(match bone {
            Bone::Shoulder(_) => "{}Collar",
            Bone::UpperArm(_) => "{}Shoulder",
            Bone::LowerArm(_) => "{}Elbow",
            Bone::Hand(_) => "{}Wrist",
            Bone::UpperLeg(_) => "{}Hip",
            Bone::LowerLeg(_) => "{}Knee",
            Bone::Foot(_) => "{}Ankle",
            Bone::Toes(_) => "{}Toes",
            _ => return None,
        })
    };
    let trunk: fn(Bone) -> Option<&'static str> = |bone| match bone {
        Bone::Hips => Some("Hips"),
        Bone::Spine => Some("Ab"),
        Bone::Chest => Some("Chest"),
        Bone::Neck => Some("Neck"),
        Bone::Head => Some("Head"),
        _ => None,
    };
    let named = Convention { trunk, limb, sides: ["Left", "Right"], fingers: None };
    check("joints", &|b| named.name(b), &[]);
    // Without a clavicle the shoulder is still the upper arm.
    check("joints without collars", &|b| named.name(b).filter(|n| !n.contains("Collar")), &[]);
    // A robot whose spine is one joint and whose head is only a neck.
    let robot = |b: Bone| -> Option<String> {
        Some(match b {
            Bone::Hips => "root".into(),
            Bone::Spine => "chest".into(),
            Bone::Head => "neck".into(),
            Bone::Shoulder(_) | Bone::Toes(_) | Bone::Neck | Bone::Chest => return None,
            other => named.name(other)?.replace("Left", "left_").replace("Right", "right_").to_lowercase(),
        })
    };
    check("robot", &robot, &[]);
}

#[test]
fn control_bones_are_not_mistaken_for_limbs() {
    let blender = Convention { trunk: plain_trunk, limb: plain_limb, sides: [".l", ".r"], fingers: None };
    let skeleton = human(&|b| blender.name(b), &[("root", Bone::Hips)], Quat::IDENTITY);
    let mut builder = skeleton.to_builder();
    // Controls hang on the root, nearer to it than the bones they control.
    for side in ["l", "r"] {
        for name in ["IK-foot", "hand-ctrl", "shinIK", "upper_arm_target", "control-toe-roll", "foot_pole"] {
            builder.add(
                JointDef::new(format!("{name}.{side}")).under(skeleton.root()).at(Vec3::new(0.1, 0.5, 0.0)),
            );
        }
    }
    let with_controls = builder.build().unwrap();
    let (plain, map) = (HumanoidMap::find(&skeleton), HumanoidMap::find(&with_controls));
    for bone in Bone::all() {
        let name = |s: &Skeleton, m: &HumanoidMap| m.get(bone).map(|j| s.joint(j).name().to_string());
        assert_eq!(name(&skeleton, &plain), name(&with_controls, &map), "{bone}");
    }
}
