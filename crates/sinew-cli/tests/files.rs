//! What is written is whole or not at all, and no input is lost.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use run::{command, folder, sinew, text, waving};

/// The command, with nobody who listens.
fn silent() -> Command {
    let mut command = command();
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Two motions and what they are converted to, which differ.
fn two_motions(folder: &Path) -> [(PathBuf, Vec<u8>); 2] {
    [40, 55].map(|frames| {
        let (input, output) = (folder.join(format!("{frames}.bvh")), folder.join(format!("{frames}.glb")));
        std::fs::write(&input, waving(frames)).unwrap();
        sinew(["convert", text(&input), text(&output)]).fine();
        let bytes = std::fs::read(&output).unwrap();
        std::fs::remove_file(output).unwrap();
        (input, bytes)
    })
}

#[test]
fn an_interrupted_write_leaves_the_old_file_or_the_new_one() {
    let folder = folder("interrupted");
    let [(first, old), (second, new)] = two_motions(&folder);
    let target = folder.join("out.glb");
    // As long as a whole run, so that all of it is interrupted somewhere.
    let whole = sinew(["convert", text(&first), text(&target)]).fine().time;
    let mut seen = [0; 2];
    for k in 0..200_u32 {
        std::fs::write(&target, &old).unwrap();
        let mut child = silent().args(["convert", text(&second), text(&target)]).spawn().unwrap();
        // A low-discrepancy sequence: evenly spread over the run, in no order.
        let part = (f64::from(k) * 0.618_033_988_749_895).fract() * 1.2;
        std::thread::sleep(Duration::from_secs_f64(whole.as_secs_f64() * part));
        let _ = child.kill();
        child.wait().unwrap();
        let left = std::fs::read(&target).unwrap();
        assert!(left == old || left == new, "a file of {} bytes that nobody wrote", left.len());
        seen[usize::from(left == new)] += 1;
    }
    assert!(seen.iter().all(|count| *count > 0), "old and new files: {seen:?}");
}

#[test]
fn two_writers_leave_what_one_of_them_wrote() {
    let folder = folder("two-writers");
    let motions = two_motions(&folder);
    let target = folder.join("out.glb");
    for _ in 0..10 {
        let children: Vec<_> = (motions.iter())
            .map(|(input, _)| silent().args(["convert", text(input), text(&target)]).spawn().unwrap())
            .collect();
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        let left = std::fs::read(&target).unwrap();
        assert!(motions.iter().any(|(_, bytes)| *bytes == left));
    }
    let files = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(files, 3, "two motions and one output");
}

/// A limit on the size of files is a disk that is full, for whoever writes.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_file() {
    let folder = folder("full-disk");
    let input = folder.join("long.bvh");
    std::fs::write(&input, waving(3000)).unwrap();
    for name in ["out.bvh", "out.glb", "out.png"] {
        let target = folder.join(name);
        std::fs::write(&target, "old").unwrap();
        let words = if name == "out.png" { "show" } else { "convert" };
        let option = if name == "out.png" { "-o" } else { "" };
        let script = format!(
            "trap '' XFSZ; ulimit -f 8; exec '{}' {words} '{}' {option} '{}'",
            env!("CARGO_BIN_EXE_sinew"),
            text(&input),
            text(&target)
        );
        let told = run::outcome(Command::new("sh").args(["-c", &script])).refused(1);
        assert!(told.err.contains(name), "{}", told.err);
        assert_eq!(std::fs::read(&target).unwrap(), b"old", "{name}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 4, "nothing is left beside them");
}

#[test]
fn an_output_that_is_an_input_is_refused_by_every_command_unless_asked() {
    let folder = folder("same-file");
    let (motion, other) = (folder.join("walk.bvh"), folder.join("other.bvh"));
    let bytes = waving(5);
    std::fs::write(&motion, &bytes).unwrap();
    // Another name of the same file.
    std::fs::hard_link(&motion, &other).unwrap();
    let (motion, other) = (text(&motion), text(&other));
    let commands: [&[&str]; 7] = [
        &["convert", motion, other],
        &["convert", motion, motion],
        &["plant", motion, other],
        &["reconstruct", motion, "-o", other],
        &["solve", motion, "-o", other],
        &["look", motion, "-o", other],
        &["walk", motion, "-o", other],
    ];
    for arguments in commands {
        let told = sinew(arguments).refused(1);
        assert!(told.err.contains("--replace-input"), "{arguments:?}: {}", told.err);
        assert_eq!(std::fs::read_to_string(motion).unwrap(), bytes, "{arguments:?}");
    }
    sinew(["convert", motion, motion, "--replace-input", "--unit", "0.01"]).fine();
    assert_ne!(std::fs::read_to_string(motion).unwrap(), bytes);
    assert_eq!(std::fs::read_to_string(other).unwrap(), bytes, "the other name keeps what it had");
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let folder = folder("before-the-work");
    let nowhere = folder.join("none");
    let long = ["walk", "humanoid", "--seconds", "3000", "-o"];
    for (name, code) in [("walk.glb", 1), ("walk.doc", 2), ("walk.urdf", 2)] {
        let target = nowhere.join(name);
        let told = sinew(long.into_iter().chain([text(&target)])).refused(code);
        assert!(told.time < Duration::from_secs(5), "{name} took {:?}", told.time);
        assert!(told.err.contains(name), "{}", told.err);
    }
    let file = folder.join("file");
    std::fs::write(&file, "").unwrap();
    let told = sinew(["eval", "solvers", "--poses", "1000", "-o", text(&file)]).refused(1);
    assert!(told.time < Duration::from_secs(5));
}
