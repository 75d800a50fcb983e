//! VRM 0.x and 1.0: roles, facing, and what hangs on the body.

use glam::DVec3;
use serde_json::{Value, json};
use sinew_io::Asset;

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
