//! Input that is broken or means harm: an error line, never a panic, a hang or
//! a terminal that obeys a file.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use std::time::Duration;

use run::{folder, sinew, text, waving};

#[test]
fn broken_files_give_one_line_that_says_what_and_where() {
    let folder = folder("broken");
    let good = waving(3);
    let deep =
        "HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 0\n".to_string() + &" JOINT b {\n".repeat(50_000);
    let broken: Vec<(&str, Vec<u8>)> = vec![
        ("empty.bvh", Vec::new()),
        ("cut.bvh", good.as_bytes()[..good.len() / 3].to_vec()),
        ("letters.bvh", good.replace("OFFSET 0 20 0", "OFFSET 0 twenty 0").into_bytes()),
        ("nan.bvh", good.replace("OFFSET 0 20 0", "OFFSET 0 NaN 0").into_bytes()),
        ("deep.bvh", deep.into_bytes()),
        ("noise.glb", (0..9999_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()),
        ("short.glb", b"glTF\x02\x00\x00\x00\xff\xff\xff\xff".to_vec()),
        ("list.gltf", b"[1, 2, 3]".to_vec()),
        ("nest.gltf", b"[".repeat(100_000)),
        ("robot.urdf", b"<robot name='r'><link name='a'/><link name='b'/></robot>".to_vec()),
        ("bomb.urdf", b"<!DOCTYPE r [<!ENTITY a \"aaaaaaaaaa\">]><robot>&a;</robot>".to_vec()),
        ("text.txt", b"hello".to_vec()),
        ("zeros.bvh", vec![0; 100_000]),
    ];
    for (name, bytes) in broken {
        let file = folder.join(name);
        std::fs::write(&file, bytes).unwrap();
        let told = sinew(["info", text(&file)]).refused(1);
        assert!(told.err.contains(name), "{name}: {}", told.err);
        assert!(told.err.len() < 1000, "{name}: {}", told.err);
        sinew(["convert", text(&file), text(&folder.join("out.bvh"))]).refused(1);
        sinew(["show", text(&file), "-o", text(&folder.join("out.png"))]).refused(1);
        assert!(told.time < Duration::from_secs(20), "{name} took {:?}", told.time);
    }
}

#[test]
fn a_lie_about_the_number_of_frames_is_told_and_costs_nothing() {
    let file = folder("lie").join("frames.bvh");
    std::fs::write(&file, waving(3).replace("Frames: 3", "Frames: 99999999999999")).unwrap();
    let told = sinew(["info", text(&file), "--json"]).fine().json();
    assert_eq!(told["motions"][0]["frames"], 3);
    let notes = told["notes"].as_array().unwrap();
    assert!(notes.iter().any(|n| n.as_str().unwrap().contains("99999999999999")), "{notes:?}");
}

#[test]
fn a_file_cannot_speak_to_the_terminal() {
    let folder = folder("escape");
    let file = folder.join("escape.bvh");
    std::fs::write(&file, waving(2).replace("JOINT Spine", "JOINT Sp\u{1b}[31m\u{7}ine")).unwrap();
    for arguments in [&["info"][..], &["info", "--json"]] {
        let told = sinew(arguments.iter().copied().chain([text(&file)]));
        assert!(!told.out.contains('\u{1b}') && !told.err.contains('\u{1b}'), "{}{}", told.out, told.err);
        assert!(!told.out.contains('\u{7}') && !told.err.contains('\u{7}'));
    }
    let odd = sinew(["info", "\u{1b}]0;title\u{7}"]).refused(1);
    assert!(!odd.err.contains('\u{1b}') && !odd.err.contains('\u{7}'));
}

#[test]
fn a_huge_rig_is_no_trouble() {
    let folder = folder("huge");
    let told = sinew(["info", "chain:20000"]).fine();
    assert!(told.out.len() < 8_000_000, "{} bytes", told.out.len());
    sinew(["show", "chain:3000", "-o", text(&folder.join("chain.svg"))]).fine();
    sinew(["info", "chain:99999999999"]).refused(1);
    sinew(["info", "chain:10:NaN"]).refused(1);
}
