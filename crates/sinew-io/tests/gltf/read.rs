//! What becomes of other people's files.

use glam::{DQuat, DVec3};
use serde_json::json;
use sinew_f64::{JointKind, ModelPose, Pose};
use sinew_io::Asset;

use crate::foreign::Foreign;
use crate::made::{Numbers, glb, notes, place, place_in, read};

/// A turn as a file has it.
fn turn(axis: DVec3, angle: f64) -> [f64; 4] {
    DQuat::from_axis_angle(axis.normalize(), angle).to_array()
}

/// Every joint of ours is where the foreign reader has the node of its name,
/// at rest and at every key of the first animation.
fn assert_agrees(bytes: &[u8], asset: &Asset) {
    let foreign = Foreign::new(bytes);
    let compare = |pose: &Pose, places: std::collections::HashMap<String, DVec3>, what: &str| {
        let model = ModelPose::new(&asset.skeleton, pose);
        for joint in asset.skeleton.ids() {
            let name = asset.skeleton.joint(joint).name();
            let apart = (model.position(joint) - places[name]).length();
            assert!(apart < 1e-5, "{what}: '{name}' is {apart} away");
        }
    };
    compare(&Pose::rest(&asset.skeleton), foreign.places(&foreign.rest()), "rest");
    if let Some(motion) = asset.motions.first() {
        assert!(motion.frames.len() > 1);
        for (frame, pose) in motion.frames.iter().enumerate() {
            let places = foreign.places(&foreign.at_key(0, frame));
            compare(pose, places, &format!("frame {frame}"));
        }
    }
}

#[test]
fn a_chain_from_a_z_up_program_stands_upright() {
    let bytes = glb(
        json!({
            "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [
                {"name": "Z_UP", "matrix": [1,0,0,0, 0,0,-1,0, 0,1,0,0, 0,0,0,1], "children": [1]},
                {"name": "armature", "translation": [1, 2, 3], "children": [2]},
                {"name": "hips", "translation": [0, 0, 0.5], "rotation": turn(DVec3::Z, 0.3), "children": [3]},
                {"name": "between", "translation": [0, 0, 0.2], "children": [4]},
                {"name": "head", "translation": [0, 0, 0.4], "children": [5]},
                {"name": "hat", "mesh": 0}
            ],
            "meshes": [{"primitives": [{"attributes": {}}]}],
            "skins": [{"name": "man", "joints": [2, 4]}]
        }),
        &[],
    );
    let asset = read(&bytes);
    let names: Vec<_> = asset.skeleton.joints().iter().map(|joint| joint.name()).collect();
    assert_eq!(names, ["hips", "between", "head"], "what is above is folded in, what is between is kept");
    assert_eq!(asset.skeleton.name(), "man");
    assert_eq!(asset.skeleton.joints()[0].kind(), JointKind::Free);
    assert_eq!(asset.skeleton.joints()[1].kind(), JointKind::Ball);
    assert!((place(&asset, "hips") - DVec3::new(1.0, 3.5, -2.0)).length() < 1e-12);
    assert!((place(&asset, "head") - DVec3::new(1.0, 4.1, -2.0)).length() < 1e-12);
}

/// A three-joint arm below a node with this transform, turning over 20 frames.
fn moving_arm(above: serde_json::Value, with_scale: bool) -> Vec<u8> {
    let mut numbers = Numbers::default();
    let times = numbers.add("SCALAR", 1, (0..20).map(|i| i as f32 / 30.0));
    let mut above = above;
    above["name"] = "above".into();
    above["children"] = json!([1]);
    let mut channels = Vec::new();
    let mut samplers = Vec::new();
    for node in 1..4 {
        let turns = (0..20).flat_map(|i| {
            let axis = DVec3::new(node as f64, 1.0, 2.0 - i as f64 * 0.2);
            turn(axis, i as f64 * 0.1 * node as f64).map(|x| x as f32)
        });
        let output = numbers.add("VEC4", 4, turns);
        channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": "rotation"}}));
        samplers.push(json!({"input": times, "output": output}));
    }
    if with_scale {
        let sizes = (0..20).flat_map(|i| [1.0 + i as f32 * 0.1, 1.0 - i as f32 * 0.02, 2.0]);
        let output = numbers.add("VEC3", 3, sizes);
        channels.push(json!({"sampler": samplers.len(), "target": {"node": 2, "path": "scale"}}));
        samplers.push(json!({"input": times, "output": output}));
    }
    let document = json!({
        "scene": 0, "scenes": [{"nodes": [0]}],
        "nodes": [
            above,
            {"name": "shoulder", "translation": [0.1, 1.2, 0], "children": [2]},
            {"name": "elbow", "translation": [0.3, 0, 0.02], "rotation": turn(DVec3::X, 0.2), "children": [3]},
            {"name": "wrist", "translation": [0.25, 0.01, 0], "scale": [1, 1.5, 1], "children": [4]},
            {"name": "tip", "translation": [0.1, 0.02, 0]}
        ],
        "skins": [{"joints": [1, 2, 3, 4]}],
        "animations": [{"channels": channels, "samplers": samplers}]
    });
    numbers.glb(document)
}

#[test]
fn an_even_scale_goes_into_the_offsets() {
    let bytes = moving_arm(json!({"scale": [0.01, 0.01, 0.01], "translation": [5, 0, 0]}), false);
    let asset = read(&bytes);
    assert_agrees(&bytes, &asset);
    let elbow = asset.skeleton.find("elbow").unwrap();
    assert!((asset.skeleton.bone_length(elbow) - 0.003_006_659).abs() < 1e-8);
    assert!(notes(&asset).contains("offsets"), "{}", notes(&asset));
    // An arm that only turns has no shifts, though its root is scaled.
    let moved = asset.skeleton.ids().skip(1).take(2);
    for joint in moved {
        assert!(asset.motions[0].frames.iter().all(|pose| pose.translation(joint) == DVec3::ZERO));
    }
}

#[test]
fn places_are_right_under_uneven_scales_shear_and_mirrors() {
    let sheared = json!({"matrix": [1,0.2,0,0, 0.7,1.1,0,0, 0,-0.3,2,0, 0.5,0,1,1]});
    for (above, said) in [
        (json!({"scale": [1, 3, 0.5], "rotation": turn(DVec3::ONE, 0.7)}), "differs along the axes"),
        (sheared, "differs along the axes"),
        (json!({"scale": [-1, 1, 1]}), "mirrored"),
        (json!({"scale": [2, -2, 2]}), "mirrored"),
        (json!({"scale": [1, 0, 1]}), "differs along the axes"),
        (json!({"scale": [0, 0, 0]}), "differs along the axes"),
    ] {
        for with_scale in [false, true] {
            let bytes = moving_arm(above.clone(), with_scale);
            let asset = read(&bytes);
            assert_agrees(&bytes, &asset);
            assert!(notes(&asset).contains(said) || said == "mirrored", "{above}: {}", notes(&asset));
            assert_eq!(notes(&asset).contains("channels change a joint's scale"), with_scale);
        }
    }
}

#[test]
fn a_mirrored_arm_turns_as_rigidly_as_it_did() {
    let plain = json!({"scale": [-1, 1, 1]});
    let mut asset = read(&moving_arm(plain, false));
    // Only the wrist's own uneven scale, which is below, may shift the tip.
    let tip = asset.skeleton.find("tip").unwrap();
    let motion = asset.motions.remove(0);
    for joint in asset.skeleton.ids().filter(|&joint| joint != tip) {
        assert!(motion.frames.iter().all(|pose| pose.translation(joint).length() < 1e-6));
    }
}

/// One node whose x goes through these keys.
fn moved_along(times: &[f32], interpolation: &str, values: &[f32]) -> Asset {
    let mut numbers = Numbers::default();
    let input = numbers.add("SCALAR", 1, times.iter().copied());
    let output = numbers.add("VEC3", 3, values.iter().flat_map(|&x| [x, 0.0, 0.0]));
    read(&numbers.glb(json!({
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "a"}],
        "animations": [{"name": "slide",
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": input, "output": output, "interpolation": interpolation}]}]
    })))
}

fn xs(asset: &Asset) -> Vec<f64> {
    asset.motions[0].frames.iter().map(|pose| (place_in(asset, pose, "a").x * 1e6).round() / 1e6).collect()
}

#[test]
fn lines_steps_and_splines_are_sampled() {
    let tenth = [0.0, 0.1, 0.2, 0.4];
    let line = moved_along(&tenth, "LINEAR", &[0.0, 1.0, 2.0, 8.0]);
    assert_eq!(line.motions[0].name, "slide");
    assert!((line.motions[0].frame_time - 0.1).abs() < 1e-12);
    assert_eq!(xs(&line), [0.0, 1.0, 2.0, 5.0, 8.0]);
    let step = moved_along(&tenth, "STEP", &[0.0, 1.0, 2.0, 8.0]);
    assert_eq!(xs(&step), [0.0, 1.0, 2.0, 2.0, 8.0]);
    // Two keys a second apart with level tangents ease in and out.
    let spline = moved_along(&[0.0, 1.0], "CUBICSPLINE", &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let xs = xs(&spline);
    assert_eq!(xs.len(), 31);
    assert_eq!((xs[0], xs[15], xs[30]), (0.0, 0.5, 1.0));
    assert!((xs[6] - (3.0 * 0.04 - 2.0 * 0.008)).abs() < 1e-6);
}

#[test]
fn rotations_take_the_short_way_between_keys() {
    let mut numbers = Numbers::default();
    let input = numbers.add("SCALAR", 1, [0.0, 0.1, 0.3]);
    let a = turn(DVec3::Y, 0.0).map(|x| x as f32);
    let b = turn(DVec3::Y, 1.0).map(|x| -x as f32);
    let output = numbers.add("VEC4", 4, [a, a, b].into_iter().flatten());
    let asset = read(&numbers.glb(json!({
        "nodes": [{"name": "a", "children": [1]}, {"name": "b", "translation": [1, 0, 0]}],
        "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            "samplers": [{"input": input, "output": output}]}]
    })));
    let place = place_in(&asset, &asset.motions[0].frames[2], "b");
    assert!((place - DVec3::new(0.5f64.cos(), 0.0, -(0.5f64.sin()))).length() < 1e-6, "{place}");
}

#[test]
fn names_are_made_unique_and_found() {
    let asset = read(&glb(
        json!({"nodes": [
            {"name": "bone", "children": [1, 2, 3, 4, 5]}, {"name": "bone"}, {"name": "bone.2"},
            {}, {"name": ""}, {"name": "node3"}
        ]}),
        &[],
    ));
    let names: Vec<_> = asset.skeleton.joints().iter().map(|joint| joint.name()).collect();
    assert_eq!(names, ["bone", "bone.3", "bone.2", "node3.2", "node4", "node3"]);
    assert!(notes(&asset).contains("2 nodes without a name"), "{}", notes(&asset));
    assert!(notes(&asset).contains("'bone.3'"), "{}", notes(&asset));
}

#[test]
fn skins_over_one_skeleton_are_read_together_and_others_are_left_out() {
    let asset = read(&glb(
        json!({
            "scenes": [{"nodes": [0, 5]}],
            "nodes": [
                {"name": "hips", "children": [1]}, {"name": "spine", "children": [2]},
                {"name": "head", "children": [3]}, {"name": "hair0", "children": [4]}, {"name": "hair1"},
                {"name": "dog", "children": [6]}, {"name": "tail"}
            ],
            "skins": [{"joints": [5, 6]}, {"name": "body", "joints": [2, 1, 0]}, {"joints": [3, 4]}]
        }),
        &[],
    ));
    let names: Vec<_> = asset.skeleton.joints().iter().map(|joint| joint.name()).collect();
    assert_eq!(names, ["hips", "spine", "head", "hair0", "hair1"]);
    assert_eq!(asset.skeleton.name(), "body");
    assert!(notes(&asset).contains("1 skins over other skeletons"), "{}", notes(&asset));
}

#[test]
fn without_a_skin_the_animated_trees_are_the_skeleton() {
    let mut numbers = Numbers::default();
    let input = numbers.add("SCALAR", 1, [0.0, 0.1]);
    let output = numbers.add("VEC3", 3, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let moved = json!([{"channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}],
        "samplers": [{"input": input, "output": output}]}]);
    let nodes = json!([{"name": "camera", "camera": 0}, {"name": "base", "children": [2]}, {"name": "arm"},
        {"name": "box", "mesh": 0}]);
    let names = |asset: &Asset| -> Vec<String> {
        asset.skeleton.joints().iter().map(|joint| joint.name().to_string()).collect()
    };
    let scenes = json!([{"nodes": [0, 1, 3]}]);
    let asset = read(&numbers.glb(json!({"scenes": scenes, "nodes": nodes, "animations": moved})));
    assert_eq!(names(&asset), ["base", "arm"]);
    let asset = read(&glb(json!({"scenes": scenes, "nodes": nodes}), &[]));
    assert_eq!(names(&asset), ["root", "base", "arm", "box"], "several trees under one new joint");
    assert!(notes(&asset).contains("one new joint"));
}

#[test]
fn the_scene_that_is_shown_is_read() {
    let document = json!({
        "scene": 1, "scenes": [{"nodes": [0]}, {"name": "second", "nodes": [1]}],
        "nodes": [{"name": "a"}, {"name": "b"}]
    });
    let asset = read(&glb(document, &[]));
    assert_eq!(asset.skeleton.joints()[0].name(), "b");
    assert_eq!(asset.skeleton.name(), "second");
    assert!(notes(&asset).contains("scene 1"), "{}", notes(&asset));
}

#[test]
fn a_buffer_may_lie_in_a_file_beside() {
    let binary: Vec<u8> =
        [0.0f32, 0.1, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0].iter().flat_map(|f| f.to_le_bytes()).collect();
    let document = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "a"}],
        "buffers": [{"byteLength": 32, "uri": "my%20motion.bin"}],
        "bufferViews": [{"buffer": 0, "byteLength": 32}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
            {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3"}],
        "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": 0, "output": 1}]}]
    })
    .to_string();
    let asset = sinew_io::gltf::read(document.as_bytes(), &mut |name| {
        (name == "my motion.bin").then(|| binary.clone())
    })
    .unwrap();
    assert_eq!(xs(&asset), [0.0, 3.0]);
    let error = sinew_io::gltf::read(document.as_bytes(), &mut |_| None).unwrap_err().to_string();
    assert!(error.contains("at buffers[0].uri") && error.contains("my%20motion.bin"), "{error}");
}

#[test]
fn the_rest_pose_is_that_of_the_nodes_and_another_bind_pose_is_said() {
    let bound = |turned: f64| {
        let mut numbers = Numbers::default();
        let joint =
            glam::DMat4::from_rotation_translation(DQuat::from_rotation_z(turned), DVec3::X).inverse();
        let matrices = glam::DMat4::IDENTITY.to_cols_array().into_iter().chain(joint.to_cols_array());
        let bind = numbers.add("MAT4", 16, matrices.map(|x| x as f32));
        read(&numbers.glb(json!({
            "nodes": [{"name": "a", "children": [1]}, {"name": "b", "translation": [1, 0, 0]}],
            "skins": [{"joints": [0, 1], "inverseBindMatrices": bind}]
        })))
    };
    assert_eq!(notes(&bound(0.0)), "");
    let asset = bound(0.5);
    assert_eq!(place(&asset, "b"), DVec3::X);
    assert!(notes(&asset).contains("'b' by 29°"), "{}", notes(&asset));
}

#[test]
fn channels_that_move_no_joint_are_passed_by_and_said() {
    let mut numbers = Numbers::default();
    let input = numbers.add("SCALAR", 1, [0.0, 0.1]);
    let output = numbers.add("VEC3", 3, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let weights = numbers.add("SCALAR", 1, [0.0, 1.0]);
    let asset = read(&numbers.glb(json!({
        "nodes": [{"name": "a"}, {"name": "lamp"}],
        "skins": [{"joints": [0]}],
        "animations": [{"name": "all", "channels": [
            {"sampler": 0, "target": {"node": 0, "path": "translation"}},
            {"sampler": 0, "target": {"node": 0, "path": "translation"}},
            {"sampler": 0, "target": {"node": 1, "path": "translation"}},
            {"sampler": 1, "target": {"node": 0, "path": "weights"}},
            {"sampler": 1, "target": {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/x"}}}}
        ], "samplers": [{"input": input, "output": output}, {"input": input, "output": weights}]}]
    })));
    assert_eq!(xs(&asset), [0.0, 1.0]);
    let said = notes(&asset);
    for text in
        ["1 channels move nodes that are not joints", "2 channels of morph", "1 channels move what another"]
    {
        assert!(said.contains(text), "{text}: {said}");
    }
}

#[test]
fn quantised_rotations_are_read() {
    // Four signed shorts: a half turn about x, then the lowest value there is.
    let shorts: Vec<u8> =
        [32767i16, 0, 0, 0, -32768, 0, 0, 0].iter().flat_map(|short| short.to_le_bytes()).collect();
    let mut binary: Vec<u8> = [0.0f32, 0.1].iter().flat_map(|f| f.to_le_bytes()).collect();
    binary.extend(shorts);
    let document = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "a", "children": [1]}, {"name": "b", "translation": [0, 1, 0]}],
        "buffers": [{"byteLength": 24}], "bufferViews": [{"buffer": 0, "byteLength": 24}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR"},
            {"bufferView": 0, "byteOffset": 8, "componentType": 5122, "normalized": true, "count": 2, "type": "VEC4"}],
        "animations": [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            "samplers": [{"input": 0, "output": 1}]}]
    });
    let asset = read(&crate::made::glb_of(document.to_string().as_bytes(), &binary));
    for pose in &asset.motions[0].frames {
        assert!((place_in(&asset, pose, "b") + DVec3::Y).length() < 1e-9);
    }
}
