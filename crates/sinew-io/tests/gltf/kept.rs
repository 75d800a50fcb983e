//! Files that are read and written again keep what they held.

use proptest::prelude::*;
use serde_json::{Value, json};
use sinew_f64::math::rotation;
use sinew_f64::{JointDef, JointLimit, ModelPose, Pose, Quat, Vec3};
use sinew_io::asset::Placing;
use sinew_io::gltf::{Container, WriteOptions, read, write};
use sinew_io::{Asset, Format, Motion};

use crate::foreign::Foreign;
use crate::hostile::chunks;
use crate::made::{self, Numbers};

/// A picture of one pixel, as bytes of no meaning here.
const PIXEL: [f32; 4] = [1.0, 2.0, 3.0, 4.0];

/// A model as a program would save it: nodes out of order, an armature that
/// turns Z up and scales by a hundredth, a joint that stretches, a skinned and
/// a plain mesh, a material with texture and extension, a camera, extras of
/// others, an animation with splines and morph weights, and one of a prop alone.
pub fn model(stretch: [f64; 3]) -> (Value, Numbers) {
    let mut numbers = Numbers::default();
    let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let positions = numbers.add("VEC3", 3, corners);
    numbers.accessors[positions]["min"] = json!([0.0, 0.0, 0.0]);
    numbers.accessors[positions]["max"] = json!([1.0, 1.0, 0.0]);
    let morphed = numbers.add("VEC3", 3, corners);
    let weights = numbers.add("VEC4", 4, [1.0, 0.0, 0.0, 0.0].repeat(3));
    let binds: Vec<f32> = (0..3).flat_map(|_| glam::Mat4::IDENTITY.to_cols_array()).collect();
    let binds = numbers.add("MAT4", 16, binds);
    let picture = numbers.all.len() * 4;
    numbers.all.extend(PIXEL);
    let times = numbers.add("SCALAR", 1, [0.5, 1.0, 1.5]);
    let quat = |x: f32, w: f32| [0.0, 0.0, 0.0, 0.0, x, 0.0, 0.0, w, 0.0, 0.0, 0.0, 0.0];
    let turns = [quat(0.0, 1.0), quat(0.6, 0.8), quat(0.0, 1.0)].concat();
    let turns = numbers.add("VEC4", 4, turns);
    let morphs = numbers.add("SCALAR", 1, [0.0, 1.0, 0.5]);
    let places = numbers.add("VEC3", 3, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let document = json!({
        "asset": {"version": "2.0", "generator": "by hand"},
        "extensionsUsed": ["KHR_materials_unlit"],
        "scene": 0,
        "scenes": [{"name": "stage", "nodes": [6, 5]}],
        "nodes": [
            {"name": "head", "translation": [0.0, 30.0, 0.5], "scale": stretch, "children": [3]},
            {"name": "spine", "translation": [0.0, 20.5, 0.0], "rotation": [0.0, 0.0, 0.1305261922200516, 0.9914448613738104], "children": [0], "extras": {"other": {"deep": [1, 2, 0.1]}}},
            {"name": "hips", "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,10,95,1], "children": [1]},
            {"name": "hat", "mesh": 1, "translation": [0.0, 5.0, 0.0]},
            {"name": "body", "mesh": 0, "skin": 0, "weights": [0.25]},
            {"name": "camera", "camera": 0},
            {"name": "armature", "rotation": [-half, 0.0, 0.0, half], "scale": [0.01, 0.01, 0.01], "children": [2, 4]}
        ],
        "cameras": [{"type": "perspective", "perspective": {"yfov": 0.8, "znear": 0.01}}],
        "skins": [{"name": "knight", "joints": [2, 1, 0], "inverseBindMatrices": binds}],
        "meshes": [
            {"name": "body", "primitives": [{"attributes": {"POSITION": positions, "WEIGHTS_0": weights}, "material": 0, "targets": [{"POSITION": morphed}]}], "weights": [0.25]},
            {"name": "hat", "primitives": [{"attributes": {"POSITION": positions}, "material": 0}]}
        ],
        "materials": [{"name": "steel", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "roughnessFactor": 0.30000001192092896}, "extensions": {"KHR_materials_unlit": {}}}],
        "textures": [{"source": 0, "sampler": 0}],
        "samplers": [{"magFilter": 9728}],
        "images": [{"bufferView": 1, "mimeType": "image/png"}],
        "animations": [
            {"name": "spin of the hat", "channels": [{"sampler": 0, "target": {"node": 3, "path": "translation"}}],
             "samplers": [{"input": times, "output": places}]},
            {"name": "nod", "extras": {"mood": "polite"}, "channels": [
                {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 4, "path": "weights"}}],
             "samplers": [{"input": times, "output": turns, "interpolation": "CUBICSPLINE"}, {"input": times, "output": morphs, "interpolation": "STEP"}]}
        ],
        "extras": {"made": "by hand"},
        "picture": picture
    });
    (document, numbers)
}

/// The model as a GLB.
fn model_file(stretch: [f64; 3]) -> Vec<u8> {
    let (mut document, numbers) = model(stretch);
    let picture = document.as_object_mut().unwrap().remove("picture").unwrap();
    document["accessors"] = numbers.accessors.into();
    document["bufferViews"] = json!([
        {"buffer": 0, "byteLength": numbers.all.len() * 4},
        {"buffer": 0, "byteOffset": picture, "byteLength": 16}
    ]);
    let binary: Vec<u8> = numbers.all.iter().flat_map(|number| number.to_le_bytes()).collect();
    document["buffers"] = json!([{"byteLength": binary.len()}]);
    made::glb_of(document.to_string().as_bytes(), &binary)
}

const EVEN: [f64; 3] = [1.0, 1.0, 1.0];

fn written(asset: &Asset) -> Vec<u8> {
    write(asset, &WriteOptions::default()).unwrap().bytes
}

/// A pose that turns every joint and shifts the root.
fn bent(asset: &Asset) -> Pose {
    let mut pose = Pose::rest(&asset.skeleton);
    for id in asset.skeleton.ids() {
        let k = id.index() as f64;
        pose.set_rotation(id, rotation::exp(Vec3::new(0.3 + k, 0.2 - k, 0.1 * k)));
    }
    pose.set_translation(asset.skeleton.root(), Vec3::new(0.1, -0.05, 0.2));
    pose
}

/// The numbers of an accessor of single precision.
fn values(document: &Value, binary: &[u8], index: usize) -> Vec<f32> {
    let accessor = &document["accessors"][index];
    let number = |value: &Value| value.as_u64().unwrap_or(0) as usize;
    let view = &document["bufferViews"][number(&accessor["bufferView"])];
    let width = ["SCALAR", "", "VEC3", "VEC4"].iter().position(|shape| accessor["type"] == *shape);
    let count = number(&accessor["count"]) * width.map_or(16, |width| width + 1);
    let end = number(&accessor["byteOffset"]) + count * 4;
    assert!(end <= number(&view["byteLength"]), "accessor {index} is within its view");
    let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
    let bytes = binary[start..start + count * 4].chunks_exact(4);
    bytes.map(|bytes| f32::from_le_bytes(bytes.try_into().unwrap())).collect()
}

/// What is left of a document without some of its members.
fn without(mut document: Value, members: &[&str]) -> Value {
    for member in members {
        document.as_object_mut().unwrap().remove(*member);
    }
    document
}

fn assert_places(asset: &Asset, pose: &Pose, bytes: &[u8], locals: impl Fn(&Foreign) -> Vec<glam::DMat4>) {
    let foreign = Foreign::new(bytes);
    let places = foreign.places(&locals(&foreign));
    let model = ModelPose::new(&asset.skeleton, pose);
    for id in asset.skeleton.ids() {
        let name = asset.skeleton.joint(id).name();
        let apart = (model.position(id) - places[name]).length();
        assert!(apart < 1e-5, "{name} is {apart} away");
    }
}

#[test]
fn what_nobody_changed_is_the_same_file() {
    let file = model_file(EVEN);
    let asset = made::read(&file);
    assert_eq!(asset.motions.len(), 1, "the hat is no joint");
    let again = written(&asset);
    let (before, after) = (chunks(&file), chunks(&again));
    assert_eq!(before.0, after.0);
    assert_eq!(before.1, after.1);
    // And so it does as text with its buffer inside, and back.
    let text = write(&asset, &WriteOptions { container: Container::Gltf, ..Default::default() }).unwrap();
    let back = chunks(&written(&made::read(&text.bytes)));
    assert_eq!(without(back.0, &["buffers"]), without(before.0, &["buffers"]));
    assert_eq!(back.1, before.1);
}

/// At another size and back, numbers differ in their last bit: every animation was written anew, key by key.
#[test]
fn a_file_that_was_made_larger_keeps_its_keys() {
    let file = model_file(EVEN);
    let asset = made::read(&file);
    for scale in [0.01, 0.3, 7.0] {
        let bytes = written(&asset.placed(Placing { scale, ..Placing::AS_READ }).unwrap());
        let (before, after) = (chunks(&file), chunks(&bytes));
        assert_eq!(before.0["animations"], after.0["animations"], "{scale}");
        assert_eq!(before.0["nodes"].as_array().unwrap().len(), after.0["nodes"].as_array().unwrap().len());
        assert!((made::place(&made::read(&bytes), "head") - made::place(&asset, "head")).length() < 1e-6);
    }
}

/// A file whose meshes are left out has no size of its own to go back to; it came out at the size that was put right.
#[test]
fn a_file_that_is_made_anew_has_the_size_that_it_was_given() {
    let asset = made::read(&model_file(EVEN));
    let mut placed = asset.placed(Placing { scale: 100.0, ..Placing::AS_READ }).unwrap();
    let high = made::place(&placed, "head").y;
    let mut builder = placed.skeleton.to_builder();
    builder.add(JointDef::new("tail").under(placed.skeleton.root()).at(Vec3::NEG_Z));
    placed = Asset { motions: Vec::new(), skeleton: builder.build_sorted().unwrap(), ..placed };
    let again = made::read(&written(&placed));
    assert!((made::place(&again, "head").y - high).abs() < 1e-3, "{high}");
}

#[test]
fn a_pose_becomes_transforms_of_nodes_and_nothing_else() {
    let file = model_file(EVEN);
    let mut asset = made::read(&file);
    let pose = bent(&asset);
    asset.pose = Some(pose.clone());
    // The motion does not move the head and the hips: it must not begin to.
    let bytes = written(&asset);
    let (before, after) = (chunks(&file).0, chunks(&bytes).0);
    let lists = ["nodes", "animations", "accessors", "bufferViews", "buffers"];
    assert_eq!(without(before.clone(), &lists), without(after.clone(), &lists));
    for (i, (a, b)) in
        before["nodes"].as_array().unwrap().iter().zip(after["nodes"].as_array().unwrap()).enumerate()
    {
        let parts = ["matrix", "translation", "rotation", "scale", "extras"];
        assert_eq!(without(a.clone(), &parts), without(b.clone(), &parts), "node {i}");
        assert_eq!(a == b, i > 2, "node {i}");
    }
    assert_eq!(after["nodes"][1]["extras"]["other"], before["nodes"][1]["extras"]["other"]);
    assert_eq!(after["nodes"][0]["scale"], before["nodes"][0]["scale"]);
    assert_places(&asset, &pose, &bytes, Foreign::rest);

    let again = made::read(&bytes);
    let (rest, shown) = (ModelPose::rest(&asset.skeleton), ModelPose::new(&asset.skeleton, &pose));
    let (rest_again, shown_again) =
        (ModelPose::rest(&again.skeleton), ModelPose::new(&again.skeleton, again.pose.as_ref().unwrap()));
    for id in asset.skeleton.ids() {
        assert!((rest.position(id) - rest_again.position(id)).length() < 1e-9);
        assert!((shown.position(id) - shown_again.position(id)).length() < 1e-9);
        assert!(rotation::angle(shown.rotation(id).inverse() * shown_again.rotation(id)) < 1e-9);
    }
    for (a, b) in asset.motions[0].frames.iter().zip(&again.motions[0].frames) {
        let (a, b) = (ModelPose::new(&asset.skeleton, a), ModelPose::new(&again.skeleton, b));
        for id in asset.skeleton.ids() {
            assert!((a.position(id) - b.position(id)).length() < 1e-6, "the motion is as it was");
        }
    }
    // Without the pose the nodes go back to where they were.
    let mut unposed = again;
    unposed.pose = None;
    let unposed = made::read(&written(&unposed));
    assert!(unposed.pose.is_none());
    assert!((made::place(&unposed, "head") - made::place(&asset, "head")).length() < 1e-9);
}

#[test]
fn a_changed_motion_keeps_what_it_moves_besides_and_when_it_begins() {
    let file = model_file(EVEN);
    let mut asset = made::read(&file);
    assert_eq!(asset.motions[0].start, 0.5);
    let pose = bent(&asset);
    for frame in &mut asset.motions[0].frames {
        *frame = pose.clone();
    }
    asset.motions.push(Motion::new("new", 0.033_333, vec![Pose::rest(&asset.skeleton), pose.clone()]));
    let bytes = written(&asset);
    let (before, after) = (chunks(&file).0, chunks(&bytes).0);
    for list in ["meshes", "skins", "materials", "images", "textures"] {
        assert_eq!(before[list], after[list], "{list}");
    }
    let animations = after["animations"].as_array().unwrap();
    let names: Vec<_> = animations.iter().map(|animation| animation["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["spin of the hat", "nod", "new"]);
    // By other numbers, since the old turns are gone; what they hold is the same.
    let held = |bytes: &[u8], at: &str| {
        let (document, binary) = chunks(bytes);
        let index = document.pointer(at).unwrap().as_u64().unwrap() as usize;
        let accessor = &document["accessors"][index];
        (without(accessor.clone(), &["byteOffset", "bufferView"]), values(&document, &binary, index))
    };
    assert_eq!(animations[0]["channels"], before["animations"][0]["channels"]);
    for at in ["/animations/0/samplers/0/input", "/animations/0/samplers/0/output"] {
        assert_eq!(held(&file, at), held(&bytes, at), "{at}");
    }
    assert_eq!(animations[1]["extras"]["mood"], "polite");
    let channels = animations[1]["channels"].as_array().unwrap();
    let weights: Vec<_> = channels.iter().filter(|c| c["target"]["path"] == "weights").collect();
    assert_eq!(weights.len(), 1);
    let sampler = weights[0]["sampler"].as_u64().unwrap() as usize;
    assert_eq!(animations[1]["samplers"][sampler]["interpolation"], "STEP");
    let now = format!("/animations/1/samplers/{sampler}/output");
    assert_eq!(held(&file, "/animations/1/samplers/1/output"), held(&bytes, &now));
    // A node that moves may have no matrix.
    assert_eq!(after["nodes"][2].get("matrix"), None);
    assert_places(&asset, &pose, &bytes, |foreign| foreign.at_key(1, 1));

    let again = made::read(&bytes);
    assert_eq!(again.motions[0].start, 0.5);
    assert_eq!(again.motions[0].frames.len(), asset.motions[0].frames.len());
    assert_eq!(again.motions[1].frame_time, 0.033_333);
    // Frames are where the rate that is meant has them.
    let input = animations[2]["samplers"][0]["input"].as_u64().unwrap() as usize;
    assert_eq!(after["accessors"][input]["max"][0].as_f64().unwrap() as f32, 1.0 / 30.0);
}

#[test]
fn a_motion_that_is_taken_away_or_renamed() {
    let mut asset = made::read(&model_file(EVEN));
    asset.motions[0].name = "bow".into();
    let renamed = chunks(&written(&asset)).0;
    assert_eq!(renamed["animations"][1]["name"], "bow");
    assert_eq!(renamed["animations"][1]["samplers"][0]["interpolation"], "CUBICSPLINE");
    asset.motions.clear();
    let animations = chunks(&written(&asset)).0["animations"].as_array().unwrap().len();
    assert_eq!(animations, 1, "the hat still spins");
}

/// A file once grew with every motion that was changed: the old keys stayed in it, unused.
#[test]
fn what_only_a_replaced_animation_used_leaves_the_file() {
    let file = model_file(EVEN);
    let mut asset = made::read(&file);
    asset.motions.clear();
    let notes = write(&asset, &WriteOptions::default()).unwrap().notes;
    assert!(notes.iter().all(|note| !note.to_string().contains("accessors")), "{notes:?}");
    let cut = written(&asset);
    let ((before, old), (after, new)) = (chunks(&file), chunks(&cut));
    // The turns and the morph weights; the hat still needs the times.
    assert_eq!(
        after["accessors"].as_array().unwrap().len() + 2,
        before["accessors"].as_array().unwrap().len()
    );
    assert_eq!(old.len() - new.len(), (3 * 3 * 4 + 3) * 4);
    assert_eq!(after["buffers"][0]["byteLength"], new.len());
    for at in [
        "/meshes/0/primitives/0/attributes/POSITION",
        "/meshes/0/primitives/0/attributes/WEIGHTS_0",
        "/meshes/0/primitives/0/targets/0/POSITION",
        "/skins/0/inverseBindMatrices",
        "/animations/0/samplers/0/input",
        "/animations/0/samplers/0/output",
    ] {
        let index = |document: &Value| document.pointer(at).unwrap().as_u64().unwrap() as usize;
        assert_eq!(values(&before, &old, index(&before)), values(&after, &new, index(&after)), "{at}");
    }
    let picture = |document: &Value, binary: &[u8]| {
        let view = &document["bufferViews"][document["images"][0]["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        binary[start..start + view["byteLength"].as_u64().unwrap() as usize].to_vec()
    };
    assert_eq!(picture(&before, &old), picture(&after, &new));
    assert_eq!(picture(&after, &new).len(), 16);
    // A motion that is changed again and again does not make the file grow.
    let mut asset = made::read(&file);
    let mut sizes = Vec::new();
    for turn in 1..5 {
        let pose = bent(&asset);
        let frames = asset.motions[0].frames.len();
        for (i, frame) in asset.motions[0].frames.iter_mut().enumerate() {
            *frame = Pose::rest(&asset.skeleton);
            let part = f64::from(turn) * (i + 1) as f64 / (5 * frames) as f64;
            for id in asset.skeleton.ids() {
                frame.set_rotation(id, Quat::IDENTITY.slerp(pose.rotation(id), part));
            }
        }
        let bytes = written(&asset);
        sizes.push(chunks(&bytes).1.len());
        asset = made::read(&bytes);
    }
    assert!(sizes.iter().all(|size| *size == sizes[0]), "{sizes:?}");
}

/// An extension that nobody here knows may name accessors where nobody finds them.
#[test]
fn a_file_with_an_unknown_extension_keeps_its_accessors_and_says_so() {
    let file = model_file(EVEN);
    let (mut document, binary) = chunks(&file);
    document["extensionsUsed"] = json!(["KHR_materials_unlit", "EXT_mesh_gpu_instancing"]);
    let mut asset = made::read(&made::glb_of(document.to_string().as_bytes(), &binary));
    asset.motions.clear();
    let written = write(&asset, &WriteOptions::default()).unwrap();
    assert!(written.notes.iter().any(|note| note.to_string().contains("EXT_mesh_gpu_instancing")));
    let (after, new) = chunks(&written.bytes);
    assert_eq!((&after["accessors"], new), (&document["accessors"], binary));
}

#[test]
fn limits_and_names_go_to_their_node_and_come_back() {
    let file = model_file(EVEN);
    let mut asset = made::read(&file);
    let spine = asset.skeleton.find("spine").unwrap();
    let limit =
        JointLimit::from(sinew_f64::limit::SwingTwistLimit::along(Vec3::Y, Vec3::X).twist(-0.5, 0.75));
    let mut builder = asset.skeleton.to_builder();
    builder.joints[spine.index()].limit = limit.clone();
    builder.joints[spine.index()].tip = Some(Vec3::new(0.0, 0.1, 0.0));
    builder.joints[spine.index()].name = "torso".into();
    asset.skeleton = builder.build().unwrap();
    let bytes = written(&asset);
    let (before, after) = (chunks(&file).0, chunks(&bytes).0);
    assert_eq!(without(before.clone(), &["nodes"]), without(after.clone(), &["nodes"]));
    assert_eq!(after["nodes"][1]["name"], "torso");
    assert_eq!(after["nodes"][1]["extras"]["other"], before["nodes"][1]["extras"]["other"]);
    // At the node's scale, which is a hundredth.
    assert!((after["nodes"][1]["extras"]["sinew"]["tip"][1].as_f64().unwrap() - 10.0).abs() < 1e-9);
    let mut again = made::read(&bytes);
    let torso = again.skeleton.find("torso").unwrap();
    assert_eq!(again.skeleton.joint(torso).limit(), &limit);
    assert!((again.skeleton.joint(torso).tip().unwrap() - Vec3::new(0.0, 0.1, 0.0)).length() < 1e-12);

    let mut builder = again.skeleton.to_builder();
    builder.joints[torso.index()].limit = JointLimit::None;
    builder.joints[torso.index()].tip = None;
    builder.joints[torso.index()].name = "spine".into();
    again.skeleton = builder.build().unwrap();
    assert_eq!(chunks(&written(&again)).0, before);
}

#[test]
fn other_joints_than_the_file_has_are_said() {
    let mut asset = made::read(&model_file(EVEN));
    asset.skeleton = sinew_f64::rigs::chain(7, 0.2);
    asset.motions.clear();
    let written = write(&asset, &WriteOptions::default()).unwrap();
    assert!(written.notes.iter().any(|note| note.0.contains("other joints")));
    assert_eq!(made::read(&written.bytes).skeleton.len(), 8);
}

#[test]
fn joints_know_their_nodes() {
    let file = model_file(EVEN);
    let asset = made::read(&file);
    let of = |name: &str| asset.node_of(asset.skeleton.find(name).unwrap());
    assert_eq!(["hips", "spine", "head"].map(of), [Some(2), Some(1), Some(0)]);
    let kept = asset.source.gltf.as_ref().unwrap();
    let above = kept.above_root();
    assert!(
        (above.transform_point3(Vec3::new(0.0, 10.0, 95.0)) - made::place(&asset, "hips")).length() < 1e-12
    );
    assert!(kept.node_transforms(&asset.skeleton, &Pose::rest(&asset.skeleton)).is_empty());

    // What a program would set on its nodes is what a written file has.
    let pose = bent(&asset);
    let set = kept.node_transforms(&asset.skeleton, &pose);
    let posed = Asset { pose: Some(pose), ..asset.clone() };
    let document = chunks(&written(&posed)).0;
    assert_eq!(set.len(), 3);
    for transform in set {
        let node = &document["nodes"][transform.node];
        assert_eq!(node["translation"], json!(transform.translation.to_array()), "{node}");
        assert_eq!(node["rotation"], json!(transform.rotation.to_array()), "{node}");
    }
    assert!(Asset::new(sinew_f64::rigs::chain(2, 1.0)).node_of(asset.skeleton.root()).is_none());
}

#[test]
fn files_beside_come_along_and_missing_ones_are_said() {
    let (mut document, numbers) = model(EVEN);
    document.as_object_mut().unwrap().remove("picture");
    document["accessors"] = numbers.accessors.into();
    let binary: Vec<u8> = numbers.all.iter().flat_map(|number| number.to_le_bytes()).collect();
    document["bufferViews"] = json!([{"buffer": 0, "byteLength": binary.len()}]);
    document["buffers"] = json!([{"byteLength": binary.len(), "uri": "model.bin"}]);
    document["images"] = json!([{"uri": "steel.png"}, {"uri": "lost.jpg"}]);
    let text = document.to_string();
    let mut beside = |name: &str| match name {
        "model.bin" => Some(binary.clone()),
        "steel.png" => Some(b"\x89PNG and so on".to_vec()),
        _ => None,
    };
    let asset = read(text.as_bytes(), &mut beside).unwrap();
    let written = write(&asset, &WriteOptions::default()).unwrap();
    assert!(written.notes.iter().any(|note| note.0.contains("'lost.jpg'")), "{:?}", written.notes);
    let (after, chunk) = chunks(&written.bytes);
    assert_eq!(chunk, binary);
    assert_eq!(after["buffers"], json!([{"byteLength": binary.len()}]));
    assert!(after["images"][0]["uri"].as_str().unwrap().starts_with("data:image/png;base64,iVBORyBhbmQ"));
    assert_eq!(after["images"][1]["uri"], "lost.jpg");
    assert_eq!(after["nodes"], document["nodes"]);
}

#[test]
fn a_recording_keeps_its_unit_and_channels_through_a_glb() {
    let file = "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Zposition Yposition Yrotation Xrotation Zrotation\n\
        \tJOINT Chest\n\t{\n\t\tOFFSET 0 5.5 0.25\n\t\tCHANNELS 1 Xrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 1 4 0\n\t\t}\n\t}\n}\n\
        MOTION\nFrames: 2\nFrame Time: 0.0083333\n1 2 3 10 20 30 40\n4 5 6 11 21 31 41\n";
    let options = sinew_io::ReadOptions {
        bvh: sinew_io::bvh::BvhOptions { scale: Some(0.056_444), up: None, ..Default::default() },
        ..Default::default()
    };
    let asset = sinew_io::read_with("takes/nod.bvh", file.as_bytes(), &mut |_| None, &options).unwrap();
    assert_eq!(asset.motions[0].name, "nod");
    let glb = sinew_io::write(Format::Glb, &asset, &Default::default()).unwrap();
    let document = chunks(&glb.bytes).0;
    assert_eq!(document["animations"][0]["name"], "nod");
    let again = made::read(&glb.bytes);
    assert_eq!(again.source.recording_unit, Some(0.056_444));
    let back = sinew_io::write(Format::Bvh, &again, &Default::default()).unwrap();
    let (before, after) =
        (sinew_io::bvh::parse(file.as_bytes()).unwrap(), sinew_io::bvh::parse(&back.bytes).unwrap());
    assert_eq!(before.frame_time, after.frame_time);
    for (a, b) in before.joints.iter().zip(&after.joints) {
        assert_eq!((&a.name, &a.channels), (&b.name, &b.channels));
        assert!((a.offset - b.offset).length() < 1e-4, "{} {}", a.offset, b.offset);
    }
    for (a, b) in before.values.iter().zip(&after.values) {
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
}

/// Every node of a written skeleton that has a bone points along it, and no
/// bone would be drawn a metre long for want of a length.
#[test]
fn bones_look_like_bones_in_programs_that_draw_them() {
    for name in ["humanoid", "spider", "panda", "hand"] {
        let Ok(skeleton) = sinew_f64::rigs::by_name(name) else { continue };
        let asset = Asset::new(skeleton);
        let document = chunks(&written(&asset)).0;
        let nodes = document["nodes"].as_array().unwrap();
        let place = |node: &Value| -> Vec3 {
            let t = node.get("translation").and_then(Value::as_array);
            t.map_or(Vec3::ZERO, |t| {
                Vec3::new(t[0].as_f64().unwrap(), t[1].as_f64().unwrap(), t[2].as_f64().unwrap())
            })
        };
        let (mut along, mut with_length) = (0, 0);
        for (i, node) in nodes.iter().take(asset.skeleton.len()).enumerate() {
            let children: Vec<Vec3> = node
                .get("children")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(|child| place(&nodes[child.as_u64().unwrap() as usize]))
                .filter(|offset| offset.length() > 0.004)
                .collect();
            assert!(
                i > 0 || asset.skeleton.len() == 1 || !children.is_empty(),
                "{name}: the root has a length"
            );
            if !children.is_empty() {
                with_length += 1;
                along += usize::from(children.iter().any(|offset| offset.normalize().y > 0.999));
            }
        }
        assert_eq!(along, with_length, "{name}: bones that point at a child");
        // And the joints' own frames come back.
        let again = made::read(&written(&asset));
        for id in asset.skeleton.ids() {
            let (a, b) = (asset.skeleton.joint(id).rest(), again.skeleton.joint(id).rest());
            assert!((a.translation - b.translation).length() < 1e-12);
            assert!(rotation::angle(a.rotation.inverse() * b.rotation) < 1e-12);
        }
    }
}

/// A root whose children all stand where it stands: Blender would draw it a metre long.
#[test]
fn a_root_without_length_gets_an_end_that_is_no_joint() {
    let mut builder = sinew_f64::SkeletonBuilder::new("hips");
    let root = builder.add(sinew_f64::JointDef::new("hips").kind(sinew_f64::JointKind::Free));
    let spine = builder.add(sinew_f64::JointDef::new("spine").under(root));
    builder.add(sinew_f64::JointDef::new("chest").under(spine).at(Vec3::new(0.0, 0.2, 0.0)));
    let hip = builder.add(sinew_f64::JointDef::new("hip").under(root));
    builder.add(sinew_f64::JointDef::new("leg").under(hip).at(Vec3::new(0.1, -0.1, 0.0)));
    let asset = Asset::new(builder.build().unwrap());
    let bytes = written(&asset);
    let document = chunks(&bytes).0;
    assert_eq!(document["nodes"][5]["name"], "hips_end");
    assert_eq!(document["skins"][0]["joints"].as_array().unwrap().len(), 6);
    let again = made::read(&bytes);
    assert_eq!(again.skeleton.len(), 5);
    assert_eq!(made::notes(&again), "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any pose, under scales that stretch and mirror, is read again as it was.
    #[test]
    fn any_pose_is_shown_by_the_nodes(
        stretch in prop::array::uniform3(prop_oneof![0.5f64..2.0, -2.0f64..-0.5]),
        turns in prop::collection::vec(prop::array::uniform3(-3.0f64..3.0), 3),
        shift in prop::array::uniform3(-1.0f64..1.0),
    ) {
        let mut asset = made::read(&model_file(stretch));
        let mut pose = Pose::rest(&asset.skeleton);
        for (id, turn) in asset.skeleton.ids().zip(&turns) {
            pose.set_rotation(id, rotation::exp(Vec3::from(*turn)));
        }
        pose.set_translation(asset.skeleton.root(), Vec3::from(shift));
        asset.pose = Some(pose.clone());
        let bytes = written(&asset);
        assert_places(&asset, &pose, &bytes, Foreign::rest);
        let again = made::read(&bytes);
        let shown = again.pose.as_ref().unwrap();
        for id in asset.skeleton.ids() {
            let off: Quat = pose.rotation(id).inverse() * shown.rotation(id);
            prop_assert!(rotation::angle(off) < 1e-7, "{}", rotation::angle(off));
        }
    }
}
