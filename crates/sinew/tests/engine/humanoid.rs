//! The humanoid map against every naming convention, without names, and against
//! skeletons that are no humans.

mod names;

use proptest::prelude::*;
use sinew::math::rotation;
use sinew::skeleton::humanoid::{Finger, FoundBy, HumanoidBone, HumanoidMap, Phalanx, Side};
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
            parent = Some(builder.add(def).index());
            at = middle;
        }
        let mut def = JointDef::new(called).at(turn * (place(bone) - at));
        def.parent = parent;
        added.push((bone, builder.add(def).index(), place(bone)));
    }
    builder.build_sorted().unwrap()
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
    let root = named.root();
    for i in 0..n.spare_joints {
        // Things on the belt, short and on one side.
        builder.add(JointDef::new(format!("spare{i}")).under(root).at(Vec3::new(
            0.1,
            -0.02 * i as Real,
            0.05,
        )));
    }
    let bones: Vec<Option<Bone>> = builder.joints.iter().map(|d| Bone::from_name(&d.name)).collect();
    for (i, def) in builder.joints.iter_mut().enumerate() {
        def.name = format!("node{}", (i * 37) % 101);
    }
    let skeleton = builder.build_sorted().unwrap();
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
        let by = if n.toes { FoundBy::Feet } else { FoundBy::Knees };
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
        let skeleton = builder.build_sorted().unwrap();
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

/// A random tree once had a joint called a left forearm on its head, beside a left arm without names.
/// The shape gave that arm its upper joint and the name its lower one: an elbow that does not hang on
/// its shoulder, which no limb can be built on.
#[test]
fn a_limb_is_not_put_together_from_two_places() {
    let n = Nameless {
        yaw: 0.0,
        arms_hang: true,
        toes: true,
        clavicles: true,
        fingers: false,
        neck: true,
        legs_scale: 1.0,
        spare_joints: 0,
    };
    for (stray, called) in [
        (Bone::LowerArm(Side::Left), "LeftForeArm"),
        (Bone::Hand(Side::Left), "LeftHand"),
        (Bone::UpperArm(Side::Left), "LeftUpperArm"),
        (Bone::LowerLeg(Side::Right), "RightShin"),
        (Bone::Foot(Side::Right), "RightFoot"),
    ] {
        let (skeleton, bones) = build_nameless(&n);
        let head = bones.iter().find(|(b, _)| *b == Bone::Head).unwrap().1;
        let mut builder = skeleton.to_builder();
        builder.add(JointDef::new(called).under(head).at(Vec3::Y * 0.1));
        let skeleton = builder.build_sorted().unwrap();
        let map = HumanoidMap::find(&skeleton);
        assert_eq!(map.get(stray).map(|j| skeleton.joint(j).name()), Some(called), "the name counts first");
        for side in Side::BOTH {
            for limb in [map.arm(side), map.leg(side)].into_iter().flatten() {
                assert!(skeleton.is_ancestor(limb.upper, limb.lower), "{called}: {limb:?}");
                assert!(skeleton.is_ancestor(limb.lower, limb.end), "{called}: {limb:?}");
            }
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
    let root = builder.add(JointDef::new("root"));
    assert!(!HumanoidMap::find(&builder.build().unwrap()).is_complete());
    for i in 0..20_000 {
        let a = builder.add(JointDef::new(format!("a{i}")).under(root).at(Vec3::new(i as Real, -1.0, 0.0)));
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

/// A robot of hinges: three in one place at each hip, shoulder and wrist, two at
/// each ankle, numbered; the arms branch off low and reach up by long offsets.
#[test]
fn numbered_hinges_of_a_robot() {
    let mut builder = SkeletonBuilder::new("robot");
    let base = builder.add(JointDef::new("base").at(Vec3::Y));
    let torso = builder.add(JointDef::new("torso_1_joint").under(base).at(Vec3::Y * 0.07));
    let torso = builder.add(JointDef::new("torso_2_joint").under(torso));
    let head = builder.add(JointDef::new("head_1_joint").under(torso).at(Vec3::Y * 0.32));
    builder.add(JointDef::new("head_2_joint").under(head));
    for (side, s) in [("left", 1.0), ("right", -1.0)] {
        let mut chain = |limb: &str, mut last: JointId, offsets: &[[Real; 3]]| {
            for (i, &[x, y, z]) in offsets.iter().enumerate() {
                let name = format!("{limb}_{side}_{}_joint", i + 1);
                last = builder.add(JointDef::new(name).under(last).at(Vec3::new(x * s, y, z)));
            }
        };
        let none = [0.0; 3];
        chain(
            "arm",
            torso,
            &[[0.15, 0.23, 0.0], [0.16, 0.0, 0.0], none, [0.0, -0.27, 0.02], [0.0, -0.26, -0.02], none, none],
        );
        chain("leg", base, &[[0.085, -0.27, 0.0], none, none, [0.0, -0.38, 0.0], [0.0, -0.33, 0.0], none]);
    }
    let skeleton = builder.build_sorted().unwrap();
    let map = HumanoidMap::find(&skeleton);
    assert!(map.is_complete(), "{:?}", map.missing().collect::<Vec<_>>());
    let name = |bone| map.get(bone).map(|j| skeleton.joint(j).name());
    assert_eq!(name(Bone::Hips), Some("base"));
    assert_eq!(name(Bone::Shoulder(Side::Left)), Some("arm_left_1_joint"));
    assert_eq!(name(Bone::UpperArm(Side::Left)), Some("arm_left_2_joint"));
    assert_eq!(name(Bone::LowerArm(Side::Right)), Some("arm_right_4_joint"));
    assert_eq!(name(Bone::Hand(Side::Right)), Some("arm_right_5_joint"));
    assert_eq!(name(Bone::UpperLeg(Side::Left)), Some("leg_left_1_joint"));
    assert_eq!(name(Bone::LowerLeg(Side::Left)), Some("leg_left_4_joint"));
    assert_eq!(name(Bone::Foot(Side::Left)), Some("leg_left_5_joint"));
    assert_eq!(map.facing().unwrap().by, FoundBy::Name);
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

#[test]
fn places_names_and_sides_agree() {
    assert_eq!(HumanoidBone::all().count(), HumanoidBone::COUNT);
    for (i, bone) in HumanoidBone::all().enumerate() {
        assert_eq!(bone.index(), i);
        assert_eq!(bone.to_string().parse(), Ok(bone));
        assert_eq!(bone.mirrored().mirrored(), bone);
        let side = bone.name().strip_prefix("left").map(|_| Side::Left);
        let side = side.or(bone.name().strip_prefix("right").map(|_| Side::Right));
        assert_eq!(bone.side(), side, "{bone}");
        // Every bone leads up to the hips.
        let top = std::iter::successors(Some(bone), |b| b.parent()).last();
        assert_eq!(top, Some(HumanoidBone::Hips));
    }
    assert_eq!(HumanoidBone::required().count(), 15);
    let name = HumanoidBone::Finger(Side::Right, Finger::Ring, Phalanx::Second).name();
    assert_eq!(name, "rightRingIntermediate");
}

#[test]
fn the_thumbs_of_vrm_0_move_up_by_one() {
    let thumb = |phalanx| Some(HumanoidBone::Finger(Side::Left, Finger::Thumb, phalanx));
    assert_eq!(HumanoidBone::from_vrm0_name("leftThumbProximal"), thumb(Phalanx::First));
    assert_eq!(HumanoidBone::from_vrm0_name("leftThumbIntermediate"), thumb(Phalanx::Second));
    assert_eq!(HumanoidBone::from_vrm0_name("leftThumbDistal"), thumb(Phalanx::Third));
    assert_eq!(HumanoidBone::from_vrm0_name("leftThumbMetacarpal"), None);
    assert_eq!(HumanoidBone::from_vrm0_name("hips"), Some(HumanoidBone::Hips));
}
