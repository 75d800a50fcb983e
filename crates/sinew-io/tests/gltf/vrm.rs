//! VRM 0.x and 1.0: roles, facing, and what hangs on the body.

use glam::DVec3;
use serde_json::{Value, json};
use sinew_f64::math::rotation;
use sinew_f64::skeleton::humanoid::{HumanoidBone, Side};
use sinew_f64::{ModelPose, Pose, Quat, Vec3};
use sinew_io::{Asset, Format, Motion};

use crate::hostile::chunks;

use crate::made::{glb, notes, place, read, refused};

/// A body of a few bones, its left at +x when it faces +z. With `facing` −1
/// it faces the other way, as VRM 0.x does.
fn nodes(facing: f64) -> Value {
    let at = |x: f64, y: f64, z: f64| json!([x * facing, y, z * facing]);
    json!([
        {"name": "Armature", "children": [1], "translation": [0, 0, 0]},
        {"name": "J_Hips", "children": [2, 7, 9], "translation": at(0.0, 1.0, 0.0)},
        {"name": "J_Spine", "children": [3, 4], "translation": at(0.0, 0.2, 0.0)},
        {"name": "J_Head", "children": [6, 11], "translation": at(0.0, 0.4, 0.0)},
        {"name": "J_L_Twist", "children": [5], "translation": at(0.1, 0.2, 0.0)},
        {"name": "J_L_Hand", "translation": at(0.6, 0.0, 0.0), "children": [12]},
        {"name": "Hair", "translation": at(0.0, 0.2, -0.1), "children": [10]},
        {"name": "J_L_Foot", "translation": at(0.1, -0.9, 0.0), "children": [8]},
        {"name": "J_L_Toe", "translation": at(0.0, -0.1, 0.2)},
        {"name": "J_R_Foot", "translation": at(-0.1, -0.9, 0.0),
            "extensions": {"VRMC_node_constraint": {"specVersion": "1.0"}}},
        {"name": "Hair_end", "translation": at(0.0, 0.0, -0.2)},
        {"name": "Face", "mesh": 0},
        {"name": "J_L_Thumb", "translation": at(0.05, 0.0, 0.05)}
    ])
}

fn file(facing: f64, extensions: Value) -> Vec<u8> {
    glb(json!({"scenes": [{"nodes": [0]}], "nodes": nodes(facing), "extensions": extensions}), &[])
}

fn vrm0(bones: Value) -> Vec<u8> {
    let meta = json!({"title": "Robo", "author": "someone", "licenseName": "CC0"});
    let springs = json!({"boneGroups": [{"bones": [6]}]});
    file(
        -1.0,
        json!({"VRM": {"humanoid": {"humanBones": bones}, "meta": meta, "secondaryAnimation": springs}}),
    )
}

fn role(asset: &Asset, role: &str) -> String {
    let (_, joint) = asset.roles.iter().find(|(name, _)| name == role).unwrap();
    asset.skeleton.joint(*joint).name().to_string()
}

fn assert_body(asset: &Asset) {
    assert!((place(asset, "J_Hips") - DVec3::Y).length() < 1e-9);
    assert!(place(asset, "J_L_Hand").x > 0.6, "the left is at +x");
    assert!(place(asset, "J_L_Toe").z > 0.19, "it faces +z");
    assert!(place(asset, "J_R_Foot").x < -0.09);
    assert_eq!(role(asset, "hips"), "J_Hips");
    assert_eq!(role(asset, "leftThumbMetacarpal"), "J_L_Thumb");
    assert_eq!(asset.skeleton.joint(asset.skeleton.root()).name(), "J_Hips");
    for kept in ["J_L_Twist", "Hair", "Hair_end", "J_L_Toe"] {
        assert!(asset.skeleton.find(kept).is_some(), "{kept} is between or below the bones");
    }
    for other in ["Face", "Armature"] {
        assert!(asset.skeleton.find(other).is_none(), "{other} is no joint");
    }
}

#[test]
fn vrm_0_is_turned_to_face_forward() {
    let asset = read(&vrm0(json!([
        {"bone": "leftHand", "node": 5}, {"bone": "hips", "node": 1}, {"bone": "spine", "node": 2},
        {"bone": "head", "node": 3}, {"bone": "leftFoot", "node": 7}, {"bone": "rightFoot", "node": 9},
        {"bone": "leftThumbProximal", "node": 12}, {"bone": "jaw", "node": -1}
    ])));
    assert_body(&asset);
    assert_eq!(asset.skeleton.name(), "Robo");
    assert_eq!(asset.roles.len(), 7);
    let said = notes(&asset);
    for text in ["faces −Z", "model Robo, by someone, licence CC0", "spring bones", "requires: leftUpperArm"]
    {
        assert!(said.contains(text), "{text}: {said}");
    }
}

#[test]
fn vrm_1_faces_forward_already() {
    let bones = json!({"leftHand": {"node": 5}, "hips": {"node": 1}, "spine": {"node": 2}, "head": {"node": 3},
        "leftFoot": {"node": 7}, "rightFoot": {"node": 9}, "leftThumbMetacarpal": {"node": 12}, "jaw": null});
    let meta = json!({"name": "Robo", "authors": ["a", "b"], "licenseUrl": "https://vrm.dev/licenses/1.0/"});
    let asset = read(&file(
        1.0,
        json!({"VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": bones}, "meta": meta},
            "VRMC_springBone": {"springs": []}}),
    ));
    assert_body(&asset);
    let said = notes(&asset);
    assert!(!said.contains("faces"), "{said}");
    for text in ["by a, b", "VRMC_springBone", "1 node constraints"] {
        assert!(said.contains(text), "{text}: {said}");
    }
}

#[test]
fn roles_survive_a_trip_through_glb() {
    let asset = read(&vrm0(json!([{"bone": "hips", "node": 1}, {"bone": "leftHand", "node": 5}])));
    let written = sinew_io::gltf::write(&asset, &Default::default()).unwrap();
    let again = read(&written.bytes);
    assert_eq!(asset.roles, again.roles);
    assert!((place(&again, "J_L_Hand") - place(&asset, "J_L_Hand")).length() < 1e-6);
}

#[test]
fn a_broken_humanoid_says_what_is_wrong() {
    let said = refused(&vrm0(json!([{"bone": "spine", "node": 12345}, {"bone": "NOT FOUND", "node": 2}])));
    assert!(said.contains("extensions.VRM.humanoid.humanBones[0].node"), "{said}");
    assert!(said.contains("12345") && said.contains("'spine'") && said.contains("13 nodes"), "{said}");
    assert!(refused(&vrm0(json!([]))).contains("humanBones"));
    assert!(refused(&vrm0(json!([{"bone": 3, "node": 0}]))).contains("humanBones[0].bone"));
    let none = file(1.0, json!({"VRMC_vrm": {"specVersion": "1.0"}}));
    assert!(refused(&none).contains("extensions.VRMC_vrm"));
    let split = glb(
        json!({"nodes": [{}, {}], "extensions": {"VRMC_vrm": {"humanoid": {"humanBones":
            {"hips": {"node": 0}, "head": {"node": 1}}}}}}),
        &[],
    );
    assert!(refused(&split).contains("VRMC_vrm.humanoid.humanBones: found bones on nodes 0 and 1"));
}

#[test]
fn a_vrm_stays_one_of_its_version_and_takes_other_roles() {
    let bones =
        json!([{"bone": "hips", "node": 1, "useDefaultValues": true}, {"bone": "leftHand", "node": 5}]);
    let file0 = vrm0(bones);
    let mut asset = read(&file0);
    let same = sinew_io::write(Format::Vrm, &asset, &Default::default()).unwrap();
    assert_eq!(chunks_of(&same.bytes), chunks_of(&file0));
    let thumb = asset.skeleton.find("J_L_Thumb").unwrap();
    asset.roles.push(("leftThumbMetacarpal".into(), thumb));
    let changed = sinew_io::write(Format::Vrm, &asset, &Default::default()).unwrap();
    let vrm = &chunks_of(&changed.bytes)["extensions"]["VRM"];
    assert_eq!(vrm["secondaryAnimation"], json!({"boneGroups": [{"bones": [6]}]}));
    let bones = vrm["humanoid"]["humanBones"].as_array().unwrap();
    assert!(bones.contains(&json!({"bone": "hips", "node": 1, "useDefaultValues": true})));
    assert!(bones.contains(&json!({"bone": "leftThumbProximal", "node": 12})));
    assert_eq!(read(&changed.bytes).roles.len(), 3);
}

/// The document of a file that may have no binary chunk.
fn chunks_of(file: &[u8]) -> Value {
    let length = u32::from_le_bytes([file[12], file[13], file[14], file[15]]) as usize;
    serde_json::from_slice(&file[20..20 + length]).unwrap()
}

#[test]
fn any_human_becomes_a_vrm_and_others_do_not() {
    let human = Asset::new(sinew_f64::rigs::humanoid(Default::default()));
    let written = sinew_io::write(Format::Vrm, &human, &Default::default()).unwrap();
    assert!(written.notes.iter().any(|note| note.0.contains("licence")));
    let document = chunks(&written.bytes).0;
    assert_eq!(document["extensionsUsed"], json!(["VRMC_vrm"]));
    assert_eq!(document["extensions"]["VRMC_vrm"]["specVersion"], "1.0");
    let again = read(&written.bytes);
    assert_eq!(again.source.format, Some(Format::Vrm));
    assert_eq!(again.roles.len(), human.humanoid().found().count());
    assert!(again.humanoid().is_complete());

    let chain = Asset::new(sinew_f64::rigs::chain(5, 0.2));
    let error = sinew_io::write(Format::Vrm, &chain, &Default::default()).unwrap_err().to_string();
    assert!(error.contains("hips"), "{error}");
}

/// A motion on a body whose arms hang at 45° and that faces −X comes out on one
/// in T-pose that faces +Z; its bones point the same ways.
#[test]
fn a_motion_becomes_a_vrma_in_t_pose() {
    let mut builder = sinew_f64::rigs::humanoid(Default::default()).to_builder();
    let map = sinew_f64::skeleton::humanoid::HumanoidMap::find(&builder.build().unwrap());
    let turned = Quat::from_rotation_y(-std::f64::consts::FRAC_PI_2);
    builder.joints[0].rest.rotation = turned * builder.joints[0].rest.rotation;
    builder.joints[0].rest.translation = Vec3::ZERO;
    for (side, angle) in [(Side::Left, -0.7), (Side::Right, 0.7)] {
        let arm = map.get(HumanoidBone::UpperArm(side)).unwrap();
        let rest = &mut builder.joints[arm.index()].rest;
        rest.rotation = rotation::about(Vec3::Z, angle) * rest.rotation;
    }
    let mut asset = Asset::new(builder.build().unwrap());
    let frames = (0..20).map(|i| {
        let mut pose = Pose::rest(&asset.skeleton);
        for id in asset.skeleton.ids() {
            let t = f64::from(i) * 0.1 + id.index() as f64;
            pose.set_rotation(id, rotation::exp(Vec3::new(t.sin(), t.cos(), (2.0 * t).sin()) * 0.2));
        }
        pose.set_translation(asset.skeleton.root(), Vec3::new(0.0, 1.0, f64::from(i) * 0.05));
        pose
    });
    let frames = frames.collect();
    asset.motions.push(Motion::new("walk", 1.0 / 30.0, frames));
    let written = sinew_io::write(Format::Vrma, &asset, &Default::default()).unwrap();
    assert!(written.notes.iter().any(|note| note.0.contains("T-pose")), "{:?}", written.notes);
    let again = read(&written.bytes);
    assert_eq!(again.source.format, Some(Format::Vrma));

    let of = |asset: &Asset, model: &ModelPose, bone: HumanoidBone| {
        model.position(asset.humanoid().get(bone).unwrap())
    };
    let rest = ModelPose::rest(&again.skeleton);
    for (side, out) in [(Side::Left, Vec3::X), (Side::Right, Vec3::NEG_X)] {
        let arm =
            of(&again, &rest, HumanoidBone::Hand(side)) - of(&again, &rest, HumanoidBone::UpperArm(side));
        assert!(arm.normalize().dot(out) > 0.9999, "{side:?}: {arm}");
        assert!(of(&again, &rest, HumanoidBone::Foot(side)).y > -1e-6);
    }
    // As the nodes are, whatever the roles: only the hips shift.
    let document = chunks(&written.bytes).0;
    let channels = document["animations"][0]["channels"].as_array().unwrap();
    assert_eq!(channels.iter().filter(|channel| channel["target"]["path"] == "translation").count(), 1);
    let bones = [
        (HumanoidBone::UpperArm(Side::Left), HumanoidBone::LowerArm(Side::Left)),
        (HumanoidBone::LowerArm(Side::Right), HumanoidBone::Hand(Side::Right)),
        (HumanoidBone::UpperLeg(Side::Right), HumanoidBone::LowerLeg(Side::Right)),
    ];
    let facing = asset.humanoid().facing().unwrap().forward;
    let front = rotation::between(Vec3::new(facing.x, 0.0, facing.z).normalize(), Vec3::Z, Vec3::Y);
    for (a, b) in asset.motions[0].frames.iter().zip(&again.motions[0].frames) {
        let (a, b) = (ModelPose::new(&asset.skeleton, a), ModelPose::new(&again.skeleton, b));
        for (upper, lower) in bones {
            let before = front * (of(&asset, &a, lower) - of(&asset, &a, upper));
            let after = of(&again, &b, lower) - of(&again, &b, upper);
            assert!((before - after).length() < 1e-5, "{upper:?}: {before} {after}");
        }
        let hips = front * of(&asset, &a, HumanoidBone::Hips);
        assert!((hips - of(&again, &b, HumanoidBone::Hips)).length() < 1e-5);
    }
}
