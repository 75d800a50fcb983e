//! The humanoid map against every naming convention, without names, and against
//! skeletons that are no humans.

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

use proptest::prelude::*;
use sinew::math::rotation;
use sinew::skeleton::humanoid::{FacingEvidence, Finger, FoundBy, HumanoidBone, HumanoidMap, Phalanx, Side};
use sinew::{JointDef, JointId, ModelPose, Quat, Real, Skeleton, SkeletonBuilder, Transform, Vec3, rigs};

use HumanoidBone as Bone;

/// Where the joints of a plain human stand, facing +Z with the arms stretched out.
fn place(bone: Bone) -> Vec3 {
    let x = match bone.side() {
        Some(Side::Left) => 1.0,
        Some(Side::Right) => -1.0,
        None => 0.0,
    };
    let [x_, y, z] = match bone {
        Bone::Hips => [0.0, 0.95, 0.0],
        Bone::Spine => [0.0, 1.05, -0.01],
        Bone::Chest => [0.0, 1.18, -0.02],
        Bone::UpperChest => [0.0, 1.3, -0.03],
        Bone::Neck => [0.0, 1.48, -0.02],
        Bone::Head => [0.0, 1.58, 0.0],
        Bone::Jaw => [0.0, 1.6, 0.04],
        Bone::Eye(_) => [0.03, 1.65, 0.08],
        Bone::Shoulder(_) => [0.03, 1.42, 0.0],
        Bone::UpperArm(_) => [0.18, 1.42, 0.0],
        Bone::LowerArm(_) => [0.46, 1.42, -0.005],
        Bone::Hand(_) => [0.71, 1.42, 0.0],
        Bone::UpperLeg(_) => [0.09, 0.9, 0.0],
        Bone::LowerLeg(_) => [0.09, 0.49, 0.005],
        Bone::Foot(_) => [0.09, 0.08, -0.01],
        Bone::Toes(_) => [0.09, 0.02, 0.12],
        Bone::Finger(_, finger, phalanx) => {
            let far = phalanx as usize as Real * 0.03;
            match finger {
                Finger::Thumb => [0.74 + far, 1.41, 0.03 + 0.5 * far],
                f => [0.8 + far, 1.42, 0.045 - 0.02 * f as usize as Real],
            }
        }
    };
    Vec3::new(x_ * x, y, z)
}

/// Extra joints: what a new joint is called, and the bone that it is put above.
type Between<'a> = &'a [(&'a str, Bone)];

/// A human whose bones are called as `name` says; those without a name are left
/// out and their children hang on the next bone above.
fn human(name: &dyn Fn(Bone) -> Option<String>, between: Between<'_>, turn: Quat) -> Skeleton {
    let mut builder = SkeletonBuilder::new("human");
    let mut added: Vec<(Bone, usize, Vec3)> = Vec::new();
    // Parents come before children in this order: the trunk, then outwards.
    for bone in Bone::all() {
        let Some(called) = name(bone) else { continue };
        let above = std::iter::successors(bone.parent(), |b| b.parent())
            .find_map(|b| added.iter().find(|(other, ..)| *other == b));
        let (mut parent, mut at) = above.map_or((None, Vec3::ZERO), |&(_, i, at)| (Some(i), at));
        for (extra, _) in between.iter().filter(|(_, child)| *child == bone) {
            let middle = at.lerp(place(bone), 0.3);
            let mut def = JointDef::new(*extra).at(turn * (middle - at));
            def.parent = parent;
            parent = Some(builder.add(def));
            at = middle;
        }
        let mut def = JointDef::new(called).at(turn * (place(bone) - at));
        def.parent = parent;
        added.push((bone, builder.add(def), place(bone)));
    }
    builder.build().unwrap()
}

/// Every bone that has a name is found by it, and nothing else is.
fn check(what: &str, name: &dyn Fn(Bone) -> Option<String>, between: Between<'_>) {
    for yaw in [0.0, 1.0, 3.14159] {
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
        assert_eq!(facing.by, FacingEvidence::Sides);
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
            builder.add(JointDef::new(format!("{name}.{side}")).under(0).at(Vec3::new(0.1, 0.5, 0.0)));
        }
    }
    let with_controls = builder.build().unwrap();
    let (plain, map) = (HumanoidMap::find(&skeleton), HumanoidMap::find(&with_controls));
    for bone in Bone::all() {
        let name = |s: &Skeleton, m: &HumanoidMap| m.get(bone).map(|j| s.joint(j).name().to_string());
        assert_eq!(name(&skeleton, &plain), name(&with_controls, &map), "{bone}");
    }
}

/// How a nameless human differs from the plain one.
#[derive(Debug, Clone)]
struct Nameless {
    yaw: Real,
    arms_hang: bool,
    toes: bool,
    clavicles: bool,
    fingers: bool,
    neck: bool,
    legs_scale: Real,
    spare_joints: usize,
}

fn nameless() -> impl Strategy<Value = Nameless> {
    (
        -3.0 as Real..3.0,
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        0.7 as Real..1.3,
        0usize..4,
    )
        .prop_map(|(yaw, arms_hang, toes, clavicles, fingers, neck, legs_scale, spare_joints)| {
            Nameless { yaw, arms_hang, toes, clavicles, fingers, neck, legs_scale, spare_joints }
        })
}

/// The nameless human and its bones.
fn build_nameless(n: &Nameless) -> (Skeleton, Vec<(Bone, JointId)>) {
    let named = human(
        &|b| {
            let kept = match b {
                Bone::Toes(_) => n.toes,
                Bone::Shoulder(_) => n.clavicles,
                Bone::Finger(..) => n.fingers,
                Bone::Neck => n.neck,
                Bone::Eye(_) | Bone::Jaw => false,
                _ => true,
            };
            kept.then(|| b.name().to_string())
        },
        &[],
        Quat::IDENTITY,
    );
    let mut builder = named.to_builder();
    for def in &mut builder.joints {
        let Some(bone) = Bone::from_name(&def.name) else { continue };
        let outwards = |side| if side == Side::Left { 1.0 } else { -1.0 };
        match bone {
            Bone::LowerLeg(_) | Bone::Foot(_) => def.rest.translation *= n.legs_scale,
            Bone::UpperArm(side) if n.arms_hang => {
                let hang = -1.4 * outwards(side);
                def.rest = Transform::new(def.rest.translation, rotation::exp(Vec3::Z * hang));
            }
            _ => {}
        }
    }
    builder.joints[0].rest.rotation = rotation::exp(Vec3::Y * n.yaw);
    for i in 0..n.spare_joints {
        // Things on the belt, short and on one side.
        builder.add(JointDef::new(format!("spare{i}")).under(0).at(Vec3::new(0.1, -0.02 * i as Real, 0.05)));
    }
    let bones: Vec<Option<Bone>> = builder.joints.iter().map(|d| Bone::from_name(&d.name)).collect();
    for (i, def) in builder.joints.iter_mut().enumerate() {
        def.name = format!("node{}", (i * 37) % 101);
    }
    let skeleton = builder.build().unwrap();
    let bones = bones
        .into_iter()
        .enumerate()
        .filter_map(|(i, bone)| Some((bone?, skeleton.from_builder()[i])))
        .collect();
    (skeleton, bones)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn without_names_the_shape_decides(n in nameless()) {
        let (skeleton, bones) = build_nameless(&n);
        let map = HumanoidMap::find(&skeleton);
        let facing = map.facing();
        prop_assert!(facing.is_some());
        for &(bone, joint) in &bones {
            // The knees bend the plain human's legs forwards, so the sides are
            // known even without toes.
            prop_assert_eq!(map.get(bone), Some(joint), "{}: {:?}", bone, map);
            prop_assert_eq!(map.found_by(bone), Some(FoundBy::Topology));
        }
        let forward = rotation::exp(Vec3::Y * n.yaw) * Vec3::Z;
        prop_assert!((facing.unwrap().forward - forward).length() < 1e-2);
        let by = if n.toes { FacingEvidence::Feet } else { FacingEvidence::Knees };
        prop_assert_eq!(facing.unwrap().by, by);
    }

    /// Any tree with any names gives a map, and what it maps hangs together.
    #[test]
    fn nothing_makes_it_panic(
        joints in prop::collection::vec((any::<prop::sample::Index>(), 0usize..WORDS.len(), 0usize..WORDS.len(),
            prop::array::uniform3(-1.0 as Real..1.0)), 1..60)
    ) {
        let mut builder = SkeletonBuilder::new("random");
        for (i, (parent, a, b, at)) in joints.iter().enumerate() {
            let mut def = JointDef::new(format!("{}{}_{i}", WORDS[*a], WORDS[*b])).at(Vec3::from_array(*at));
            // A third of the bones have no length, as in bad files.
            if i % 3 == 0 {
                def = def.at(Vec3::ZERO);
            }
            def.parent = (i > 0).then(|| parent.index(i));
            builder.add(def);
        }
        let skeleton = builder.build().unwrap();
        let map = HumanoidMap::find(&skeleton);
        let mut seen = std::collections::HashSet::new();
        for (bone, joint, _) in map.found() {
            prop_assert!(skeleton.contains(joint));
            prop_assert!(seen.insert(joint), "{} has a joint twice", bone);
            prop_assert_eq!(map.bone_of(joint), Some(bone));
            map.twist_joints(&skeleton, bone);
        }
        for side in Side::BOTH {
            for limb in [map.arm(side), map.leg(side)].into_iter().flatten() {
                prop_assert!(skeleton.is_ancestor(limb.upper, limb.lower), "{:?}", limb);
                prop_assert!(skeleton.is_ancestor(limb.lower, limb.end), "{:?}", limb);
            }
        }
        if let Some(facing) = map.facing() {
            prop_assert!(facing.left.is_finite() && facing.forward.is_finite());
            prop_assert!((facing.left.cross(facing.up) - facing.forward).length() < 1e-4);
        }
        let mirror = map.mirror_map(&skeleton);
        for j in skeleton.ids() {
            prop_assert_eq!(mirror.partner(mirror.partner(j)), j);
        }
    }
}

const WORDS: &[&str] = &[
    "Left", "Right", "l_", "r_", "Arm", "ForeArm", "Hand", "Leg", "UpLeg", "Foot", "Toe", "Hips", "Spine",
    "Neck", "Head", "Shoulder", "Index", "Thumb", "Twist", "IK", "root", "x", "",
];

#[test]
fn what_is_no_human_has_no_human_s_parts() {
    for name in ["erik-g", "arm", "spider", "quadruped", "chain:50", "tentacle"] {
        let skeleton = rigs::by_name(name).unwrap();
        let map = HumanoidMap::find(&skeleton);
        assert!(!map.is_complete(), "{name}: {:?}", map.found().collect::<Vec<_>>());
        // Animals have a femur and a head, and the map says no more than that.
        if !["quadruped", "spider"].contains(&name) {
            assert_eq!(map.found().count(), 0, "{name}: {:?}", map.found().collect::<Vec<_>>());
        }
    }
    // A single joint, and a great many under one.
    let mut builder = SkeletonBuilder::new("star");
    builder.add(JointDef::new("root"));
    assert!(!HumanoidMap::find(&builder.build().unwrap()).is_complete());
    for i in 0..20_000 {
        let a = builder.add(JointDef::new(format!("a{i}")).under(0).at(Vec3::new(i as Real, -1.0, 0.0)));
        builder.add(JointDef::new(format!("LeftForeArm{i}b")).under(a).at(-Vec3::Y));
    }
    assert!(!HumanoidMap::find(&builder.build().unwrap()).is_complete());
    // A long chain whose every joint claims to be the same bone.
    let mut builder = SkeletonBuilder::new("chain");
    let mut last = builder.add(JointDef::new("hips"));
    for i in 0..20_000 {
        last = builder.add(JointDef::new(format!("LeftForeArm.{i}")).under(last).at(Vec3::X));
    }
    assert!(!HumanoidMap::find(&builder.build().unwrap()).is_complete());
}

#[test]
fn roles_that_are_given_win_over_names() {
    let skeleton = human(&|b| Some(b.name().into()), &[], Quat::IDENTITY);
    let id = |name: &str| skeleton.find(name).unwrap();
    // The file insists that the chest is the spine.
    let roles = [(Bone::Spine, id("chest")), (Bone::Hips, id("hips"))];
    let given = HumanoidMap::from_roles(&skeleton, &roles);
    assert_eq!(given.found().count(), 2);
    assert_eq!(given.found_by(Bone::Spine), Some(FoundBy::Given));
    assert_eq!(given.missing().count(), 13);
    let map = HumanoidMap::with_roles(&skeleton, &roles);
    assert_eq!(map.get(Bone::Spine), Some(id("chest")));
    assert_eq!(map.found_by(Bone::Hips), Some(FoundBy::Given));
    assert_eq!(map.found_by(Bone::Hand(Side::Left)), Some(FoundBy::Name));
    assert!(map.is_complete());
    // A joint of another, larger skeleton is left out.
    let stranger = rigs::chain(500, 1.0).find("tip").unwrap();
    let map = HumanoidMap::from_roles(&skeleton, &[(Bone::Head, stranger)]);
    assert_eq!(map.get(Bone::Head), None);
}

#[test]
fn a_file_s_roles_give_spine_and_neck() {
    let skeleton = human(&|b| Some(b.name().into()), &[("between", Bone::UpperChest)], Quat::IDENTITY);
    let roles: Vec<(Bone, JointId)> =
        skeleton.ids().filter_map(|j| Some((Bone::from_name(skeleton.joint(j).name())?, j))).collect();
    let map = HumanoidMap::from_roles(&skeleton, &roles);
    let names: Vec<&str> = map.spine().iter().map(|j| skeleton.joint(*j).name()).collect();
    assert_eq!(names, ["spine", "chest", "between", "upperChest"]);
    assert_eq!(map.neck(), [skeleton.find("neck").unwrap()]);
    assert_eq!(map.found().count(), Bone::COUNT);
    assert!(map.found().all(|(_, _, by)| by == FoundBy::Given));
}

#[test]
fn a_character_that_lies_down_is_found_too() {
    // Z up, as files that were not converted have it, and facing −Y.
    let turn = rotation::exp(Vec3::X * std::f64::consts::FRAC_PI_2 as Real);
    let skeleton = human(&|b| Some(format!("n{}", b.index())), &[], turn);
    let map = HumanoidMap::find(&skeleton);
    assert!(map.is_complete());
    let facing = map.facing().unwrap();
    assert_eq!(facing.up, Vec3::Z);
    assert!((facing.forward + Vec3::Y).length() < 1e-2, "{facing:?}");
    let rest = ModelPose::rest(&skeleton);
    let [l, r] = Side::BOTH.map(|s| rest.position(map.get(Bone::Hand(s)).unwrap()).x);
    assert!(l > r);
}
