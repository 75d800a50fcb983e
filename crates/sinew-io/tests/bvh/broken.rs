//! Broken files: every one gives an error that says where and what, or a sound
//! result; none a panic, a hang or a silent loss.

use proptest::prelude::*;
use sinew_io::bvh;
use sinew_io::read;

use super::made;

fn error(text: &str) -> String {
    read("test.bvh", text.as_bytes(), &mut |_| None).unwrap_err().to_string()
}

const ONE: &str = "HIERARCHY
ROOT a
{
OFFSET 0 1 0
CHANNELS 3 Xrotation Yrotation Zrotation
}
MOTION
Frames: 2
Frame Time: 0.1
1 2 3
4 5 6
";

#[test]
fn errors_say_the_line_what_was_found_and_what_was_expected() {
    let cases = [
        ("HIERARCHY", "HIER", "line 1: found 'HIER', expected 'HIERARCHY'"),
        ("ROOT a", "JOINT a", "line 2: found 'JOINT', expected 'ROOT'"),
        ("{\n", "\n", "line 4: found 'OFFSET', expected '{'"),
        ("OFFSET 0 1 0", "OFFSET 0 1", "line 5: found 'CHANNELS', expected a number of the joint's OFFSET"),
        ("OFFSET 0 1 0", "OFFSET 0 nan 0", "line 4: found 'nan', expected a number of the joint's OFFSET"),
        ("OFFSET 0 1 0", "OFFSET 0 1e300 0", "line 4: found '1e300', expected a number"),
        ("OFFSET 0 1 0\n", "", "line 5: found '}', expected the OFFSET of joint 'a'"),
        ("OFFSET 0 1 0\n", "OFFSET 0 1 0\nOFFSET 0 1 0\n", "line 5: found 'OFFSET', expected one OFFSET"),
        ("CHANNELS 3", "CHANNELS x", "line 5: found 'x', expected how many channels the joint has"),
        ("CHANNELS 3", "CHANNELS 4", "line 6: found '}', expected 4 channels, as the line says"),
        ("CHANNELS 3", "CHANNELS 2", "line 5: found 'Zrotation', expected 2 channels, as the line says"),
        ("CHANNELS 3", "CHANNELS 99999999999", "line 6: found '}', expected 99999999999 channels"),
        (
            "Zrotation",
            "Zscale",
            "line 5: found 'Zscale', expected 3 channels, as the line says, each X, Y or Z",
        ),
        (
            "}\nMOTION",
            "MOTION",
            "line 6: found 'MOTION', expected OFFSET, CHANNELS, JOINT, End Site or '}' in joint 'a' of line 2",
        ),
        (
            "}\nMOTION",
            "}\nROOT b\n{\nOFFSET 0 0 0\n}\nMOTION",
            "line 7: found 'ROOT', expected MOTION: a skeleton has one ROOT",
        ),
        ("}\nMOTION", "}\n}\nMOTION", "line 7: found '}', expected 'MOTION'"),
        ("Frames: 2", "Frames: two", "line 8: found 'two', expected the number of frames"),
        ("Frames: 2", "Frames: -2", "line 8: found '-2', expected the number of frames"),
        ("Frame Time:", "Rate:", "line 9: found 'Rate:', expected 'Frame Time:'"),
        ("0.1", "-0.1", "line 9: found a frame time of -0.1 s, expected a frame time above zero"),
        ("4 5 6", "4 five 6", "line 11: found 'five', expected a finite number, or the end of the file"),
        ("4 5 6", "4 -inf 6", "line 11: found '-inf', expected a finite number"),
        ("4 5 6", "4 5,5 6", "line 11: found '5,5', expected a finite number"),
        ("4 5 6", "4 5", "line 11: found a row of 2 numbers, expected 3, one for each channel"),
        // Two bad rows that happen to make whole frames, but not as many as declared.
        ("1 2 3\n4 5 6", "1 2\n3 4 5 6", "line 10: found a row of 2 numbers, expected 3"),
    ];
    for (from, to, expected) in cases {
        let text = ONE.replacen(from, to, 1);
        assert_ne!(text, ONE, "{from}");
        if expected.contains("a row of 2 numbers") && to.contains("\n3 4") {
            let text = text.replace("Frames: 2", "Frames: 3");
            assert!(error(&text).contains(expected), "{}", error(&text));
            continue;
        }
        assert!(error(&text).starts_with(&format!("test.bvh: {expected}")), "{to}: {}", error(&text));
    }
}

#[test]
fn every_cut_of_a_file_is_an_error_or_sound() {
    for end in 0..ONE.len() {
        if let Ok(asset) = bvh::read(&ONE.as_bytes()[..end]) {
            assert_eq!(asset.skeleton.len(), 1);
            assert!(asset.motions.iter().all(|motion| motion.frames.iter().all(|pose| pose.is_finite())));
        }
    }
}

#[test]
fn depth_and_size_are_capped() {
    let deep = |depth: usize| {
        let mut text = String::from("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n");
        text.extend((1..depth).map(|i| format!("JOINT j{i}\n{{\nOFFSET 0 1 0\n")));
        text.push_str(&"}\n".repeat(depth));
        text
    };
    assert_eq!(bvh::parse(deep(bvh::MAX_DEPTH).as_bytes()).unwrap().joints.len(), bvh::MAX_DEPTH);
    assert!(error(&deep(bvh::MAX_DEPTH + 1)).contains("expected at most 1024 joints below each other"));

    let mut wide = String::from("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n");
    wide.extend((0..bvh::MAX_JOINTS).map(|i| format!("JOINT j{i}\n{{\nOFFSET 0 1 0\n}}\n")));
    assert!(error(&wide).contains("expected at most 65536 joints"));
}

#[test]
fn other_encodings_are_refused_by_name() {
    let utf16: Vec<u8> =
        [0xfeffu16].into_iter().chain("HIERARCHY".encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let error = bvh::parse(&utf16).unwrap_err().to_string();
    assert_eq!(error, "line 1: found UTF-16 text, expected ASCII or UTF-8 text");
    let latin1 = ONE.replace("ROOT a", "ROOT M\u{1}n").replace('\u{1}', "\u{0}").into_bytes();
    let latin1: Vec<u8> = latin1.into_iter().map(|b| if b == 0 { 0xe4 } else { b }).collect();
    let document = bvh::parse(&latin1).unwrap();
    assert_eq!(document.joints[0].name, "M\u{fffd}n");
    assert!(document.notes[0].to_string().contains("is not UTF-8"));
}

/// Whatever the bytes, the answer is an error or an asset with finite poses.
fn survives(bytes: &[u8]) {
    if let Ok(asset) = read("x.bvh", bytes, &mut |_| None) {
        for motion in &asset.motions {
            assert!(motion.frame_time > 0.0);
            for pose in &motion.frames {
                assert!(pose.is_finite() && pose.len() == asset.skeleton.len());
            }
        }
        let written = sinew_io::write(sinew_io::Format::Bvh, &asset, &Default::default()).unwrap();
        bvh::parse(&written.bytes).unwrap();
    }
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
        survives(&[b"HIERARCHY\nROOT a {", &bytes[..]].concat());
    }

    #[test]
    fn damaged_files_are_survived(
        document in made::document(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..3), 1..6),
    ) {
        let mut bytes = bvh::write(&document);
        for (place, byte, how) in damage {
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => { bytes.remove(at); }
                _ => bytes.insert(at, b"{} \n\t-e.9JEO"[usize::from(byte) % 12]),
            }
            if bytes.is_empty() { break; }
        }
        survives(&bytes);
    }

    #[test]
    fn shuffled_words_are_survived(words in prop::collection::vec(0usize..16, 0..80)) {
        const WORDS: [&str; 16] = [
            "HIERARCHY", "ROOT", "JOINT", "End", "Site", "{", "}", "OFFSET", "CHANNELS", "3", "Xrotation",
            "Yposition", "MOTION", "Frames:", "Frame Time:", "\n",
        ];
        let text: String = words.into_iter().flat_map(|i| [WORDS[i], " "]).collect();
        survives(format!("HIERARCHY ROOT a\n{{ OFFSET 0 0 0 {text}").as_bytes());
    }
}
