//! What fuzzing found worth keeping: a few inputs for each target of `fuzz/` that together reach what all that it has
//! tried reach. They are made by the fuzzer from the project's own seeds, and read again with every change.
#![allow(clippy::unwrap_used, clippy::panic)] // a panic is how a test says no

#[path = "common/documents.rs"]
mod documents;
#[path = "common/kept.rs"]
mod kept;
#[path = "common/sound.rs"]
mod sound;

use std::path::Path;

use documents::Choices;

fn seed(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds").join(name)).unwrap()
}

/// Reads all that is kept for a target; how many were taken.
fn again(target: &str, name: &str, beside: Option<&str>, make: impl Fn(&[u8]) -> Vec<u8>) -> usize {
    let beside = beside.map(seed);
    let inputs = kept::inputs(target);
    let taken =
        inputs.iter().filter(|bytes| sound::read(name, &make(bytes), &mut |_| beside.clone()).is_some());
    taken.count()
}

#[test]
fn files_are_read_again() {
    let plain = |bytes: &[u8]| bytes.to_vec();
    again("bvh", "walk.bvh", None, plain);
    again("asf", "body.asf", None, plain);
    again("amc", "body.amc", Some("asf/body.asf"), plain);
    again("gltf", "body.glb", None, plain);
    again("urdf", "robot.urdf", None, plain);
    again("rig", "body.rig.toml", Some("bvh/walk.bvh"), plain);
    for bytes in kept::inputs("picture") {
        let _ = sinew_io::picture::read(&bytes);
    }
}

#[test]
fn made_up_documents_are_read_again() {
    let text =
        |make: fn(&mut Choices) -> String| move |bytes: &[u8]| make(&mut Choices::new(bytes)).into_bytes();
    let taken = [
        again("made_bvh", "made.bvh", None, text(documents::bvh)),
        again("made_urdf", "made.urdf", None, text(documents::urdf)),
        again("made_rig", "made.rig.toml", None, text(documents::rig)),
        again("made_gltf", "made.gltf", None, text(documents::gltf)),
        again("made_zip", "made.zip", None, |bytes| documents::zip(&mut Choices::new(bytes))),
    ];
    assert!(taken.iter().all(|count| *count > 0), "{taken:?}");
    for bytes in kept::inputs("made_acclaim") {
        let (asf, amc) = documents::acclaim(&mut Choices::new(&bytes));
        sound::read("made.amc", amc.as_bytes(), &mut |_| Some(asf.clone().into_bytes()));
    }
    for bytes in kept::inputs("made_mesh") {
        let mut choices = Choices::new(&bytes);
        let _ = sinew_io::obj::read(documents::obj(&mut choices).as_bytes());
        let _ = sinew_io::stl::read_within(&documents::stl(&mut choices), sinew_io::Budget::default());
        for row in sinew_io::table::rows(documents::table(&mut choices).as_bytes()).flatten() {
            let _ = row.number(0, "a number");
        }
    }
}
