//! Every reader, fed documents that are well formed and that nobody would write: the part of the
//! structure-aware fuzz targets that runs with every change. What is read must be sound, in time and
//! within a budget of memory.

#![allow(clippy::unwrap_used, clippy::panic)] // a panic is how a test says no

#[path = "common/documents.rs"]
mod documents;
#[path = "common/sound.rs"]
mod sound;

use documents::Choices;
use proptest::prelude::*;

/// Makes documents, and says how many of them could be read.
fn holds_for(cases: u32, read: impl Fn(&mut Choices) -> bool) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let taken = std::cell::Cell::new(0);
    proptest!(config, |(bytes in prop::collection::vec(any::<u8>(), 0..600))| {
        taken.set(taken.get() + u32::from(read(&mut Choices::new(&bytes))));
    });
    assert!(taken.get() > 0, "no made-up document can be read at all");
}

/// As a file of this name, without others beside it.
fn alone(name: &str, text: &str) -> bool {
    sound::read(name, text.as_bytes(), &mut |_| None).is_some()
}

#[test]
fn bvh() {
    holds_for(150, |choices| alone("made.bvh", &documents::bvh(choices)));
}

#[test]
fn asf_and_amc() {
    holds_for(150, |choices| {
        let (asf, amc) = documents::acclaim(choices);
        let beside = &mut |_: &str| Some(asf.clone().into_bytes());
        alone("made.asf", &asf) | sound::read("made.amc", amc.as_bytes(), beside).is_some()
    });
}

#[test]
fn urdf() {
    holds_for(150, |choices| alone("made.urdf", &documents::urdf(choices)));
}

#[test]
fn rig() {
    holds_for(100, |choices| alone("made.rig.toml", &documents::rig(choices)));
}

#[test]
fn gltf() {
    holds_for(24, |choices| alone("made.gltf", &documents::gltf(choices)));
}

#[test]
fn obj() {
    holds_for(100, |choices| {
        let mesh = sinew_io::obj::read(documents::obj(choices).as_bytes());
        if let Ok(mesh) = &mesh {
            assert!(mesh.corners().flatten().all(|corner| corner.is_finite()));
        }
        mesh.is_ok()
    });
}

#[test]
fn stl() {
    holds_for(100, |choices| {
        let mesh = sinew_io::stl::read_within(&documents::stl(choices), sinew_io::Budget::default());
        if let Ok(mesh) = &mesh {
            assert!(mesh.corners().flatten().all(|corner| corner.is_finite()));
        }
        mesh.is_ok()
    });
}

#[test]
fn zip() {
    holds_for(150, |choices| sound::read("made.zip", &documents::zip(choices), &mut |_| None).is_some());
}

#[test]
fn table() {
    holds_for(100, |choices| {
        let text = documents::table(choices);
        let rows = sinew_io::table::rows(text.as_bytes());
        rows.flatten().any(|row| row.number(0, "a number").is_ok_and(|number| number.abs() <= 1e9))
    });
}
