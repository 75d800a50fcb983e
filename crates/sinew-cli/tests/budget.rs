//! Files that are small and ask for much: answered or refused within 512 MB, in time, and in words.
//!
//! The command runs with 640 MB of address space, which is what it takes to hold 512 MB beside the
//! program itself and the stacks of its threads; beyond it an allocation fails and the process aborts.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use run::{Outcome, folder, outcome, text};

const KILOBYTES: usize = 640 * 1024;

/// Runs the command with little memory.
fn bounded(arguments: &[&str]) -> Outcome {
    let mut shell = Command::new("sh");
    let script = format!("ulimit -v {KILOBYTES}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_sinew")]).args(arguments).env_remove("SINEW_MEMORY");
    let told = outcome(&mut shell);
    assert!(!told.err.contains("memory allocation"), "{arguments:?}: {}", told.err);
    told
}

/// Refused, with what it would have taken.
#[track_caller]
fn too_large(arguments: &[&str], what: &str) {
    let told = bounded(arguments).refused(1);
    assert!(told.err.contains(what) && told.err.contains("memory budget"), "{}", told.err);
    // Two seconds for a megabyte, in a program that is built for tests.
    assert!(told.time < Duration::from_secs(20), "{arguments:?} took {:?}", told.time);
}

fn written(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let file = folder.join(name);
    std::fs::write(&file, content).unwrap();
    file
}

/// A thousand joints that do not move, in a hundred thousand frames of one number.
fn still() -> String {
    let mut text = String::from("HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
    for i in 0..999 {
        let _ =
            writeln!(text, "JOINT j{i}\n{{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}");
    }
    text.push_str("}\nMOTION\nFrames: 100000\nFrame Time: 0.01\n");
    text + &"0\n".repeat(100_000)
}

#[test]
fn a_motion_of_joints_that_do_not_move() {
    let folder = folder("budget-still");
    let file = written(&folder, "still.bvh", still());
    too_large(&["info", text(&file)], "1000 joints in 100000 frames, which would take 5.6 GB");
    too_large(&["convert", text(&file), text(&folder.join("o.glb"))], "5.6 GB");
    too_large(&["info", text(&file), "--memory", "1G"], "at most 1.1 GB");
    let told = bounded(&["info", "humanoid", "--memory", "lots"]);
    assert_eq!(told.code, 2, "{}", told.err);
}

#[test]
fn pictures_of_one_colour() {
    let folder = folder("budget-picture");
    for (name, width, height) in [("wide.png", 12_000, 12_000), ("bits.png", 60_000, 60_000)] {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::One);
        let mut writer = encoder.write_header().unwrap();
        // Only as much as it takes to get past the head: the size is refused before a pixel is read.
        let _ = writer.write_chunk(png::chunk::IDAT, &[0; 64]);
        drop(writer);
        let file = written(&folder, name, file);
        let terrain = format!("map:{}", text(&file));
        let out = folder.join("o.bvh");
        too_large(&["walk", "humanoid", "--terrain", &terrain, "--seconds", "1", "-o", text(&out)], "pixels");
    }
}

#[test]
fn a_face_of_very_many_corners() {
    let folder = folder("budget-face");
    let count = 50_000;
    let mut content = String::new();
    for i in 0..count {
        let (sin, cos) = (i as f64 / f64::from(count) * std::f64::consts::TAU).sin_cos();
        let _ = writeln!(content, "v {:.5} 0 {:.5}", 3.0 * cos, 3.0 * sin);
    }
    content.push('f');
    for i in 1..=count {
        write!(content, " {i}").unwrap();
    }
    let file = written(&folder, "gon.obj", content + "\n");
    let (terrain, out) = (format!("mesh:{}", text(&file)), folder.join("o.bvh"));
    let walk = ["walk", "humanoid", "--terrain", &terrain, "--seconds", "0.2", "-o", text(&out)];
    let told = bounded(&walk).fine();
    assert!(told.time < Duration::from_secs(20), "{:?}", told.time);
    too_large(&[&walk[..], &["--memory", "1M"]].concat(), "corners");
}

#[test]
fn a_day_of_looking_and_a_million_rows() {
    let folder = folder("budget-day");
    let day = written(&folder, "day.csv", "time,x,y,z\n0,1,1,2\n86400,1,1,2\n");
    let out = folder.join("o.csv");
    let look = ["look", "erik-g", "--posture", "wave", "--follow", text(&day), "-o", text(&out)];
    too_large(&look, "outputs at");
    let rows = "pelvis.x,pelvis.y,pelvis.z\n".to_string() + &"0,1,0\n".repeat(1_000_000);
    let rows = written(&folder, "rows.csv", rows);
    let out = folder.join("o.bvh");
    too_large(&["reconstruct", text(&rows), "--rig", "humanoid", "-o", text(&out)], "1000002 rows");
    let long = ["walk", "humanoid", "--seconds", "3000", "--fps", "60", "-o", text(&out)];
    too_large(&long, "frames");
}

#[test]
fn postures_of_very_many_joints() {
    // Every posture and every key is a whole pose: 1.2 MB of text asked for eight gigabytes.
    let folder = folder("budget-postures");
    let mut content = String::from("sinew_rig = 1\n[[joint]]\nname = \"j0\"\n");
    for i in 1..6000 {
        let _ = writeln!(content, "[[joint]]\nname = \"j{i}\"\nparent = \"j{}\"", i - 1);
    }
    let postures: String = (0..12_000).map(|i| format!("[[posture]]\nname = \"p{i}\"\n")).collect();
    let file = written(&folder, "postures.rig.toml", content.clone() + &postures);
    too_large(&["info", text(&file)], "12000 postures and 0 behaviours of 6000 joints");
    let key = "[[behaviour.key]]\nswing = [1, 2]\n";
    let behaviour = |i| format!("[[behaviour]]\nname = \"b{i}\"\nside = \"left\"\n{key}");
    let behaviours: String = (0..6000).map(behaviour).collect();
    let file = written(&folder, "behaviours.rig.toml", content + &behaviours);
    too_large(&["info", text(&file)], "6000 behaviours");
}

#[test]
fn a_motion_that_fills_the_budget_is_written_and_rebuilt_within_it() {
    // Most of a large rig stands still, and its motion was held two and three times to be written.
    let folder = folder("budget-full");
    let still = still().replace("100000", "4700");
    let end = still.len() - 2 * (100_000 - 4700);
    let file = written(&folder, "full.bvh", &still[..end]);
    for ending in ["glb", "gltf", "bvh"] {
        bounded(&["convert", text(&file), text(&folder.join("o.").with_extension(ending))]).fine();
    }
    let told = bounded(&["reconstruct", text(&file), "-o", text(&folder.join("r.bvh"))]).refused(1);
    assert!(told.err.contains("no joint for hips"), "{}", told.err);
}

#[test]
fn a_skin_of_the_same_points_over_and_over() {
    // Two thousand parts of the same forty thousand points: gigabytes for a walk that only wants to know
    // where the soles are.
    let folder = folder("budget-skin");
    let (count, parts) = (40_000, 2000);
    let places = 1.0f32.to_le_bytes().repeat(3 * count);
    let joints = vec![0; 4 * count];
    let weights: Vec<u8> = [1.0f32, 0.0, 0.0, 0.0].iter().flat_map(|w| w.to_le_bytes()).collect();
    let data = [places, joints, weights.repeat(count)];
    let (mut views, mut accessors, mut start) = (Vec::new(), Vec::new(), 0);
    for (i, (bytes, (shape, kind))) in
        data.iter().zip([("VEC3", 5126), ("VEC4", 5121), ("VEC4", 5126)]).enumerate()
    {
        views.push(format!("{{\"buffer\":0,\"byteOffset\":{start},\"byteLength\":{}}}", bytes.len()));
        accessors.push(format!(
            "{{\"bufferView\":{i},\"componentType\":{kind},\"count\":{count},\"type\":\"{shape}\"}}"
        ));
        start += bytes.len();
    }
    let part = "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}";
    let mut json = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0,5]}}],\"nodes\":[\
         {{\"translation\":[0,1,0],\"children\":[1,3]}},{{\"translation\":[0.1,0,0],\"children\":[2]}},\
         {{\"translation\":[0,-0.9,0]}},{{\"translation\":[-0.1,0,0],\"children\":[4]}},{{\"translation\":[0,-0.9,0]}},\
         {{\"mesh\":0,\"skin\":0}}],\"skins\":[{{\"joints\":[0,1,2,3,4]}}],\"meshes\":[{{\"primitives\":[{}]}}],\
         \"buffers\":[{{\"byteLength\":{start}}}],\"bufferViews\":[{}],\"accessors\":[{}]}}",
        vec![part; parts].join(","),
        views.join(","),
        accessors.join(",")
    );
    json.push_str(&" ".repeat(json.len().next_multiple_of(4) - json.len()));
    let mut glb = b"glTF".to_vec();
    for number in [2, 12 + 8 + json.len() + 8 + start, json.len()] {
        glb.extend((number as u32).to_le_bytes());
    }
    glb.extend(b"JSON");
    glb.extend(json.bytes());
    glb.extend((start as u32).to_le_bytes());
    glb.extend(b"BIN\0");
    glb.extend(data.concat());
    let file = written(&folder, "skin.glb", glb);
    let told = bounded(&["walk", text(&file), "--seconds", "1", "-o", text(&folder.join("o.bvh"))]).fine();
    assert!(told.time < Duration::from_secs(20), "{:?}", told.time);
}

#[test]
fn equal_names_take_no_longer() {
    let folder = folder("budget-names");
    let joint = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n";
    let content = format!("HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 0\n{}}}\n", joint.repeat(20_000));
    let file = written(&folder, "same.bvh", content);
    let told = bounded(&["info", text(&file), "--json"]).fine();
    assert!(told.time < Duration::from_secs(10), "{:?}", told.time);
}

#[test]
fn no_answer_is_wrong_without_a_word() {
    let folder = folder("budget-words");
    let out = |name: &str| folder.join(name);
    let refused = |arguments: &[&str], code: i32, words: &str| {
        let told = bounded(arguments).refused(code);
        assert!(told.err.contains(words), "{arguments:?}: {}", told.err);
    };
    refused(&["solve", "humanoid", "--goal", "r_wrist=1e150,0,0"], 2, "not three numbers up to 1e9");
    refused(
        &["walk", "humanoid", "--seconds", "1", "-o", text(&out("o.rig"))],
        2,
        "a rig file holds no motion",
    );
    refused(&["convert", "chain:2000", text(&out("o.bvh"))], 1, "a BVH is read up to 1024");
    let bvh = out("o.bvh");
    let nan = written(&folder, "nan.obj", "v nan 0 0\nv 1 0 0\nv 0 0 1\nv 0 0 0\nf 2 3 4\n");
    let terrain = format!("mesh:{}", text(&nan));
    let walk = ["walk", "humanoid", "--terrain", &terrain, "-o", text(&bvh)];
    refused(&walk, 1, "line 1: found 'nan'");
    let path = written(&folder, "path.csv", "fast,1,0\n1,1,0\n");
    let walk = ["walk", "humanoid", "--path", text(&path), "-o", text(&bvh)];
    refused(&walk, 1, "found 'fast', expected the columns time, speed, turn");
}
