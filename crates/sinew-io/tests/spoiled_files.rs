//! Every reader, fed documents that were valid a moment ago. The fuzz targets
//! start from the same documents and look for the same flaws; this is the part
//! of them that runs with every change.

#![allow(clippy::unwrap_used, clippy::panic)] // a panic is how a test says no

#[path = "common/mutate.rs"]
mod mutate;
#[path = "common/sound.rs"]
mod sound;

use std::path::{Path, PathBuf};

use proptest::prelude::*;

/// The documents of one format: their names and bytes.
fn seeds(format: &str) -> Vec<(String, Vec<u8>)> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds").join(format);
    let mut seeds: Vec<_> = std::fs::read_dir(&folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| {
            let path = entry.unwrap().path();
            (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap())
        })
        .collect();
    seeds.sort();
    assert!(!seeds.is_empty(), "no seeds for {format}");
    seeds
}

/// The file that a seed asks for: an AMC its skeleton, a sidecar its rig.
fn beside(name: &str) -> Option<Vec<u8>> {
    ["asf", "bvh"].into_iter().flat_map(seeds).find(|(other, _)| other == name).map(|(_, bytes)| bytes)
}

fn holds_for(format: &str, cases: u32) {
    let seeds = seeds(format);
    for (name, bytes) in &seeds {
        let error = sinew_io::read(name, bytes, &mut beside).err();
        assert!(error.is_none(), "the seed itself is refused: {error:?}");
    }
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let read = std::cell::Cell::new(0);
    proptest!(config, |(which in 0..seeds.len(), spoils in mutate::spoils())| {
        let (name, bytes) = &seeds[which];
        if sound::read(name, &mutate::spoiled(bytes, &spoils), &mut beside).is_some() {
            read.set(read.get() + 1);
        }
    });
    // Too gentle and too rough a hand both miss what lies between.
    let share = f64::from(read.get()) / f64::from(cases);
    assert!((0.05..0.8).contains(&share), "{share} of the spoiled {format} files can be read");
}

/// Every place a document can end at.
fn holds_for_every_prefix(format: &str) {
    for (name, bytes) in seeds(format) {
        let step = (bytes.len() / 2000).max(1);
        for end in (0..bytes.len()).step_by(step) {
            sound::read(&name, &bytes[..end], &mut beside);
        }
    }
}

macro_rules! formats {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            #[test]
            fn spoiled() {
                super::holds_for(stringify!($name), 3000);
            }
            #[test]
            fn cut_short() {
                super::holds_for_every_prefix(stringify!($name));
            }
        }
    )*};
}
formats!(bvh, asf, amc, gltf, urdf, rig);
