//! Files of ours, and of others from the folder that `SINEW_DATA` names. Every one goes
//! through `sinew info`, and the sound ones through `sinew convert`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use std::path::{Path, PathBuf};
use std::time::Duration;

use run::{Outcome, folder, sinew, text};

/// What the readers know.
const ENDINGS: [&str; 8] = ["bvh", "asf", "amc", "gltf", "glb", "vrm", "urdf", "rig"];

/// The project's own small files, but for a motion without its skeleton beside it and a joint alone.
fn seeds() -> Vec<PathBuf> {
    let mut seeds = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../sinew-io/tests/seeds"));
    seeds.retain(|f| !f.ends_with("amc/body.amc") && !f.ends_with("bvh/empty_motion.bvh"));
    seeds
}

fn data() -> PathBuf {
    std::env::var_os("SINEW_DATA").expect("SINEW_DATA names the folder of docs/data.md").into()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if ENDINGS.contains(&ending.as_str()) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The quickest of a few tries: a machine that does other things at the same
/// time says nothing about the command.
fn quickest(file: &Path) -> Outcome {
    (0..4).map(|_| sinew(["info", text(file)])).min_by_key(|o| o.time).unwrap()
}

/// Files of ours, each cut off in the middle.
#[test]
fn files_cut_short_end_in_words_within_a_second() {
    let out = folder("cut_short");
    for file in seeds() {
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(out.join(file.file_name().unwrap()), &bytes[..bytes.len() / 2]).unwrap();
    }
    end_in_words(&files(&out));
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn hostile_files_end_in_words_within_a_second() {
    end_in_words(&files(&data().join("hostile")));
}

fn end_in_words(files: &[PathBuf]) {
    assert!(!files.is_empty());
    for file in files {
        let told = quickest(file);
        assert!(told.time < Duration::from_secs(1), "{}: {:?}", file.display(), told.time);
        let name = file.file_name().unwrap().to_string_lossy();
        if told.code == 0 {
            println!("{name}: sound, {:?}", told.time);
        } else {
            let told = told.refused(1);
            println!("{name}: {} ({:?})", told.err.trim(), told.time);
            assert!(told.err.contains(&*name), "{}", told.err);
        }
    }
}

#[test]
fn files_of_ours_can_be_looked_at_and_converted() {
    let out = folder("seeds_out");
    can_be_converted(&seeds(), &out);
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn sound_files_can_be_looked_at_and_converted() {
    let data = data();
    let sound: Vec<PathBuf> =
        files(&data).into_iter().filter(|f| !f.starts_with(data.join("hostile"))).collect();
    can_be_converted(&sound, &folder("data_out"));
}

fn can_be_converted(files: &[PathBuf], out: &Path) {
    assert!(!files.is_empty());
    for file in files {
        let info = sinew(["info", text(file), "--json"]);
        assert_eq!(info.code, 0, "{}: {}", file.display(), info.err);
        let joints = info.json()["joint_count"].as_u64().unwrap();
        assert!(joints > 1, "{}", file.display());
        for ending in ["glb", "bvh"] {
            let target = out.join(file.file_name().unwrap()).with_extension(ending);
            let told = sinew(["convert", text(file), text(&target)]);
            assert_eq!(told.code, 0, "{} to {ending}: {}", file.display(), told.err);
            let back = sinew(["info", text(&target), "--json"]).fine().json();
            assert_eq!(back["joint_count"].as_u64(), Some(joints), "{} to {ending}", file.display());
            let frames = |v: &serde_json::Value| v["motions"][0]["frames"].as_u64();
            assert_eq!(frames(&back), frames(&info.json()).or(frames(&back)), "{}", file.display());
            std::fs::remove_file(&target).unwrap();
        }
    }
}
