//! Real files, if there are any: `SINEW_DATA` names their folder. Every one goes
//! through `sinew info`, and the sound ones through `sinew convert`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use std::path::{Path, PathBuf};
use std::time::Duration;

use run::{Outcome, folder, sinew, text};

/// What the readers know.
const ENDINGS: [&str; 8] = ["bvh", "asf", "amc", "gltf", "glb", "vrm", "urdf", "rig"];

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("SINEW_DATA").map(PathBuf::from);
    if folder.is_none() {
        println!("SINEW_DATA is not set; real files were not tried");
    }
    folder
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

#[test]
fn hostile_files_end_in_words_within_a_second() {
    let Some(data) = data() else { return };
    for file in files(&data.join("hostile")) {
        let told = quickest(&file);
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
fn sound_files_can_be_looked_at_and_converted() {
    let Some(data) = data() else { return };
    let out = folder("data_out");
    for file in files(&data).into_iter().filter(|f| !f.starts_with(data.join("hostile"))) {
        let info = sinew(["info", text(&file), "--json"]);
        assert_eq!(info.code, 0, "{}: {}", file.display(), info.err);
        let joints = info.json()["joint_count"].as_u64().unwrap();
        assert!(joints > 1, "{}", file.display());
        for ending in ["glb", "bvh"] {
            let target = out.join(file.file_name().unwrap()).with_extension(ending);
            let told = sinew(["convert", text(&file), text(&target)]);
            assert_eq!(told.code, 0, "{} to {ending}: {}", file.display(), told.err);
            let back = sinew(["info", text(&target), "--json"]).fine().json();
            assert_eq!(back["joint_count"].as_u64(), Some(joints), "{} to {ending}", file.display());
            let frames = |v: &serde_json::Value| v["motions"][0]["frames"].as_u64();
            assert_eq!(frames(&back), frames(&info.json()).or(frames(&back)), "{}", file.display());
            std::fs::remove_file(&target).unwrap();
        }
    }
}
