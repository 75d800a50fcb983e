//! Files of ours, and of others from the folder that `SINEW_DATA` names.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sinew_f64::ModelPose;
use sinew_f64::skeleton::humanoid::HumanoidMap;
use sinew_io::gltf::{WriteOptions, read, write};
use sinew_io::{Asset, ReadError};

use crate::files;
use crate::foreign::Foreign;

fn read_file(path: &Path) -> Result<Asset, ReadError> {
    let bytes = std::fs::read(path).unwrap();
    let folder = path.parent().unwrap().to_path_buf();
    read(&bytes, &mut |name| std::fs::read(folder.join(name)).ok())
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn rigs_load_and_humanoids_have_their_roles() {
    for path in files::ending(&files::data().join("rigs"), &["glb", "vrm"]) {
        let asset = read_file(&path).unwrap();
        let model = ModelPose::rest(&asset.skeleton);
        let highest = model.positions().iter().map(|place| place.y).fold(0.0, f64::max);
        assert!(highest > 0.8 && highest < 3.0, "{}: stands upright, {highest} m high", path.display());
        if path.extension().is_some_and(|ending| ending == "vrm") {
            let at = |role: &str| {
                let (_, joint) = asset.roles.iter().find(|(name, _)| name == role).unwrap();
                model.position(*joint)
            };
            let known = asset.roles.iter().filter_map(|(role, joint)| Some((role.parse().ok()?, *joint)));
            let map = HumanoidMap::from_roles(&asset.skeleton, &known.collect::<Vec<_>>());
            assert!(map.is_complete(), "{}: every bone that VRM requires", path.display());
            assert!(asset.roles.len() >= 50, "{}: {} roles", path.display(), asset.roles.len());
            assert!(at("leftHand").x > 0.3 && at("rightHand").x < -0.3, "{}: faces +z", path.display());
            assert!(at("head").y > at("hips").y && at("hips").y > at("leftFoot").y);
            // T-pose: arms straight out to the sides.
            let arm = at("leftHand") - at("leftUpperArm");
            assert!(arm.x / arm.length() > 0.95, "{}: {arm}", path.display());
        }
    }
}

#[test]
fn a_foreign_reader_has_the_joints_of_our_rig_at_the_same_places() {
    a_foreign_reader_agrees(&[files::seeds().join("gltf/wave.glb")]);
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn a_foreign_reader_has_the_joints_of_real_rigs_at_the_same_places() {
    a_foreign_reader_agrees(&files::ending(&files::data().join("rigs"), &["glb"]));
}

fn a_foreign_reader_agrees(paths: &[PathBuf]) {
    for path in paths {
        let asset = read_file(path).unwrap();
        let foreign = Foreign::new(&std::fs::read(path).unwrap());
        let places = foreign.places(&foreign.rest());
        let model = ModelPose::rest(&asset.skeleton);
        for joint in asset.skeleton.ids() {
            let name = asset.skeleton.joint(joint).name();
            let apart = (model.position(joint) - places[name]).length();
            assert!(apart < 1e-5, "{}: '{name}' is {apart} away at rest", path.display());
        }
        for (index, motion) in asset.motions.iter().enumerate().take(4) {
            let times = foreign.key_times(index);
            for key in [0, times.len() / 2, times.len() - 1] {
                // Channels of two equal keys are constant, so clamping the key is right.
                let places = foreign.places(&foreign.at_key(index, key));
                // A motion of few keys has frames between them.
                let frame = ((times[key] - times[0]) / motion.frame_time).round() as usize;
                let model = ModelPose::new(&asset.skeleton, &motion.frames[frame]);
                for joint in asset.skeleton.ids() {
                    let name = asset.skeleton.joint(joint).name();
                    let apart = (model.position(joint) - places[name]).length();
                    assert!(apart < 5e-5, "{}: '{name}' is {apart} away, {index}/{frame}", path.display());
                }
            }
        }
    }
}

#[test]
fn rigs_of_ours_come_back_from_a_glb_of_ours() {
    come_back(&files::ending(&files::seeds().join("gltf"), &["glb", "gltf", "vrm"]));
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn real_rigs_come_back_from_a_glb_of_ours() {
    come_back(&files::ending(&files::data().join("rigs"), &["glb", "vrm"]));
}

fn come_back(paths: &[PathBuf]) {
    for path in paths {
        let asset = read_file(path).unwrap();
        let written = write(&asset, &WriteOptions::default()).unwrap();
        let again = read(&written.bytes, &mut |_| None).unwrap();
        assert_eq!(asset.roles, again.roles);
        for (a, b) in asset.motions.iter().zip(&again.motions) {
            assert_eq!((&a.name, a.frame_time, a.frames.len()), (&b.name, b.frame_time, b.frames.len()));
            for (p, q) in a.frames.iter().zip(&b.frames) {
                let (p, q) = (ModelPose::new(&asset.skeleton, p), ModelPose::new(&again.skeleton, q));
                let apart = p.positions().iter().zip(q.positions()).map(|(p, q)| (*p - *q).length());
                assert!(apart.fold(0.0, f64::max) < 1e-5, "{}: {}", path.display(), a.name);
            }
        }
    }
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn hostile_files_give_an_error_or_something_sound_at_once() {
    for path in files::ending(&files::data().join("hostile"), &["glb", "gltf", "vrm"]) {
        let start = Instant::now();
        let result = read_file(&path);
        assert!(start.elapsed() < Duration::from_millis(200), "{}: {:?}", path.display(), start.elapsed());
        match result {
            Ok(asset) => {
                assert!(!asset.notes.is_empty(), "{}: something is odd about it", path.display());
                let model = ModelPose::rest(&asset.skeleton);
                assert!(model.positions().iter().all(|place| place.is_finite()));
            }
            Err(error) => assert!(!error.found.is_empty() && !error.expected.is_empty()),
        }
    }
}
