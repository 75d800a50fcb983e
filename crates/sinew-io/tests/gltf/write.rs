//! What we write, read by a program that is not ours: the crate `gltf`.

use glam::{DMat4, DQuat, DVec3};
use gltf::animation::util::ReadOutputs;
use sinew_f64::{JointLimit, ModelPose, Pose};
use sinew_io::gltf::{Container, WriteOptions, write};
use sinew_io::{Asset, Motion};

use crate::made;

/// Local transforms of every node, as the foreign reader gives them.
fn rest_of(document: &gltf::Document) -> Vec<(DVec3, DQuat)> {
    document
        .nodes()
        .map(|node| {
            let (translation, rotation, scale) = node.transform().decomposed();
            assert_eq!(scale, [1.0; 3]);
            (glam::Vec3::from(translation).as_dvec3(), glam::Quat::from_array(rotation).as_dquat())
        })
        .collect()
}

fn places(document: &gltf::Document, locals: &[(DVec3, DQuat)]) -> Vec<DMat4> {
    let mut world = vec![DMat4::IDENTITY; locals.len()];
    let mut stack: Vec<_> = document.scenes().flat_map(|s| s.nodes()).map(|n| (n, DMat4::IDENTITY)).collect();
    while let Some((node, parent)) = stack.pop() {
        let (translation, rotation) = locals[node.index()];
        let here = parent * DMat4::from_rotation_translation(rotation, translation);
        world[node.index()] = here;
        stack.extend(node.children().map(|child| (child, here)));
    }
    world
}

fn assert_same_places(asset: &Asset, pose: &Pose, world: &[DMat4], what: &str) {
    let model = ModelPose::new(&asset.skeleton, pose);
    for joint in asset.skeleton.ids() {
        let apart = (model.position(joint) - world[joint.index()].w_axis.truncate()).length();
        assert!(apart < 1e-5, "{what}: {} is {apart} away", asset.skeleton.joint(joint).name());
    }
}

#[test]
fn a_foreign_reader_sees_the_same_skeleton_and_motions() {
    let asset = made::asset();
    let written = write(&asset, &WriteOptions::default()).unwrap();
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&written.bytes).unwrap();
    let blob = blob.unwrap();
    let skin = document.skins().next().unwrap();
    assert_eq!(skin.name(), Some("creature"));

    let names: Vec<_> = skin.joints().map(|joint| joint.name().unwrap().to_string()).collect();
    assert_eq!(names, asset.skeleton.joints().iter().map(|j| j.name()).collect::<Vec<_>>());
    for (joint, node) in asset.skeleton.ids().zip(skin.joints()) {
        let children: Vec<_> = node.children().map(|child| child.index()).collect();
        assert_eq!(children, asset.skeleton.children(joint).map(|c| c.index()).collect::<Vec<_>>());
    }
    let rest = rest_of(&document);
    let world = places(&document, &rest);
    assert_same_places(&asset, &Pose::rest(&asset.skeleton), &world, "rest");
    let reader = skin.reader(|_| Some(&blob));
    for (joint, inverse) in reader.read_inverse_bind_matrices().unwrap().enumerate() {
        let bind = DMat4::from_cols_array_2d(&inverse.map(|column| column.map(f64::from)));
        assert!((bind * world[joint]).abs_diff_eq(DMat4::IDENTITY, 1e-6), "joint {joint}");
    }

    for (animation, motion) in document.animations().zip(&asset.motions) {
        assert_eq!(animation.name(), Some(motion.name.as_str()));
        for (frame, pose) in motion.frames.iter().enumerate() {
            let mut locals = rest.clone();
            for channel in animation.channels() {
                let reader = channel.reader(|_| Some(&blob));
                let times: Vec<f32> = reader.read_inputs().unwrap().collect();
                assert_eq!(times.len(), motion.frames.len());
                // 0.0083334 s is a hundred and twentieth, with few digits.
                let step = if motion.name == "stretch" { 1.0 / 120.0 } else { motion.frame_time };
                assert_eq!(times[frame], (frame as f64 * step) as f32);
                let local = &mut locals[channel.target().node().index()];
                match reader.read_outputs().unwrap() {
                    ReadOutputs::Translations(mut values) => {
                        local.0 = glam::Vec3::from(values.nth(frame).unwrap()).as_dvec3();
                    }
                    ReadOutputs::Rotations(values) => {
                        let value = values.into_f32().nth(frame).unwrap();
                        local.1 = glam::Quat::from_array(value).as_dquat();
                    }
                    _ => panic!("neither scales nor weights are written"),
                }
            }
            let what = format!("frame {frame} of {}", motion.name);
            assert_same_places(&asset, pose, &places(&document, &locals), &what);
        }
    }
}

#[test]
fn the_bones_are_a_mesh_on_the_skin_and_can_be_left_out() {
    let asset = made::asset();
    let with = write(&asset, &WriteOptions::default()).unwrap();
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&with.bytes).unwrap();
    let blob = blob.unwrap();
    let node = document.nodes().find(|node| node.mesh().is_some()).unwrap();
    assert!(node.skin().is_some());
    assert!(document.scenes().next().unwrap().nodes().any(|root| root.index() == node.index()));
    let reader = node.mesh().unwrap().primitives().next().unwrap();
    let reader = reader.reader(|_| Some(&blob));
    let mut used = vec![0; asset.skeleton.len()];
    for joints in reader.read_joints(0).unwrap().into_u16() {
        used[joints[0] as usize] += 1;
    }
    assert!(used.iter().all(|&count| count > 0), "every joint shows: {used:?}");

    let without = write(&asset, &WriteOptions { bones: false, ..Default::default() }).unwrap();
    let document = gltf::Gltf::from_slice(&without.bytes).unwrap().document;
    assert_eq!(document.meshes().count(), 0);
    assert_eq!(document.nodes().count(), asset.skeleton.len());
}

#[test]
fn the_embedded_form_is_one_json_document() {
    let options = WriteOptions { container: Container::Gltf, ..Default::default() };
    let written = write(&made::asset(), &options).unwrap();
    let document = gltf::Gltf::from_slice(&written.bytes).unwrap();
    assert!(document.blob.is_none());
    match document.buffers().next().unwrap().source() {
        gltf::buffer::Source::Uri(uri) => assert!(uri.starts_with("data:")),
        gltf::buffer::Source::Bin => panic!("a .gltf has no binary chunk"),
    }
}

#[test]
fn what_only_we_read_back_is_said() {
    let notes = write(&made::asset(), &WriteOptions::default()).unwrap().notes;
    let said = notes.iter().map(|note| note.0.as_str()).collect::<Vec<_>>().join("\n");
    for word in ["limits", "kinds", "stiffness", "tips", "roles"] {
        assert!(said.contains(word), "{word} in:\n{said}");
    }
    let plain = Asset::new(sinew_f64::rigs::chain(3, 1.0));
    assert!(plain.skeleton.joints().iter().all(|joint| *joint.limit() == JointLimit::None));
    assert_eq!(write(&plain, &WriteOptions::default()).unwrap().notes, []);
}

#[test]
fn what_cannot_be_written_is_refused_with_its_name() {
    let wrong = |change: &dyn Fn(&mut Motion)| {
        let mut asset = made::asset();
        change(&mut asset.motions[1]);
        write(&asset, &WriteOptions::default()).unwrap_err().to_string()
    };
    assert!(wrong(&|m| m.frame_time = 0.0).contains("'stretch'"));
    assert!(wrong(&|m| m.frame_time = f64::NAN).contains("frame time"));
    assert!(wrong(&|m| m.frame_time = 1e-60).contains("single precision"));
    let other = sinew_f64::rigs::chain(2, 1.0);
    assert!(wrong(&|m| m.frames[3] = Pose::rest(&other)).contains("frame 3"));
    let root = made::creature().root();
    let error = wrong(&|m| m.frames[2].set_translation(root, glam::DVec3::splat(1e300)));
    assert!(error.contains("frame 2") && error.contains("hips"), "{error}");
    let error = wrong(&|m| m.frames[7].set_rotation(root, glam::DQuat::from_xyzw(f64::NAN, 0.0, 0.0, 1.0)));
    assert!(error.contains("frame 7"), "{error}");
}

#[test]
fn a_motion_without_frames_is_left_out_and_said() {
    let mut asset = made::asset();
    asset.motions[0].frames = Default::default();
    let written = write(&asset, &WriteOptions::default()).unwrap();
    assert!(written.notes.iter().any(|note| note.0.contains("'dance'")));
    assert_eq!(gltf::Gltf::from_slice(&written.bytes).unwrap().animations().count(), 1);
}
