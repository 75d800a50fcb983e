//! Inverse kinematics on top of recorded motions and on real rigs: the rules of the engine's
//! `on_animation` test, over every file in the folder that the environment variable `SINEW_DATA` names.
//!
//! Some frames of each motion are tried; `SINEW_FRAMES` says how many, and `all` means every one:
//!
//! ```sh
//! SINEW_DATA=folder SINEW_FRAMES=all cargo test --release -p sinew-io --test on_animation -- --ignored --nocapture
//! ```

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // the sweep prints what it finds

use std::path::{Path, PathBuf};

use sinew::skeleton::humanoid::HumanoidMap;
use sinew::{JointId, Pose, Quat, Skeleton, SolverSpec};
use sinew_io::{narrow, read_file};

#[path = "../../sinew/tests/support/animated.rs"]
mod animated;
#[path = "../../sinew/tests/support/animated_body.rs"]
mod animated_body;
#[path = "../../sinew/tests/support/numbers.rs"]
mod numbers;

use animated::{Findings, check_general, made_pose, scenes};
use numbers::Numbers;

/// How many frames of a motion are tried if nobody says.
const FRAMES: usize = 3;

fn files(folder: &Path, list: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, list);
        } else {
            list.push(path);
        }
    }
    list.sort();
}

/// The rig and its motions, in single precision; `None` for what cannot be read.
fn rig(path: &Path) -> Option<(Skeleton, Vec<Vec<Pose>>)> {
    let asset = read_file(path).ok()?;
    let skeleton = narrow::skeleton(&asset.skeleton).ok()?;
    let motion = |m: &sinew_io::Motion| m.frames.iter().map(|pose| narrow::pose(&skeleton, pose)).collect();
    let motions = asset.motions.iter().map(motion).collect();
    Some((skeleton, motions))
}

/// Every pose of a file with the turns that lead from it to what the goals ask for: frames, with
/// what the body does a seventh of the motion later, or, where nothing moves, poses that are made.
fn for_every_pose(
    skeleton: &Skeleton,
    motions: &[Vec<Pose>],
    mut run: impl FnMut(&Pose, &str, &mut dyn FnMut(JointId, Quat) -> Quat),
) {
    let most = match std::env::var("SINEW_FRAMES").as_deref() {
        Ok("all") => usize::MAX,
        Ok(number) => number.parse().unwrap(),
        Err(_) => FRAMES,
    };
    for (number, frames) in motions.iter().enumerate().filter(|(_, frames)| frames.len() > 1) {
        let count = frames.len().min(most);
        for i in 0..count {
            let frame = i * frames.len() / count;
            let later = &frames[(frame + 1 + frames.len() / 7) % frames.len()];
            run(&frames[frame], &format!("motion {number} frame {frame}"), &mut |j, _| later.rotation(j));
        }
    }
    if motions.iter().all(|frames| frames.len() < 2) {
        for seed in 0..3 {
            let mut numbers = Numbers::new(seed);
            let pose = made_pose(skeleton, &mut numbers);
            run(&pose, &format!("made {seed}"), &mut |_, now| now * numbers.rotation(0.25));
        }
    }
}

/// Runs a check over every pose of every rig in the data folder.
fn over_the_data(
    mut run: impl FnMut(&Skeleton, &HumanoidMap, &Pose, &str, &mut dyn FnMut(JointId, Quat) -> Quat),
) {
    let data: PathBuf =
        std::env::var_os("SINEW_DATA").expect("SINEW_DATA names the folder of docs/data.md").into();
    let mut list = Vec::new();
    files(&data, &mut list);
    let mut rigs = 0;
    for path in &list {
        let Some((skeleton, motions)) = rig(path) else { continue };
        rigs += 1;
        let file = path.file_name().unwrap().to_string_lossy();
        let map = HumanoidMap::find(&skeleton);
        for_every_pose(&skeleton, &motions, |pose, what, further| {
            run(&skeleton, &map, pose, &format!("{file} {what}"), further);
        });
    }
    assert!(rigs > 0, "nothing to read in {}", data.display());
}

fn complain<'a>(findings: impl Iterator<Item = (&'static str, &'a Findings)>) {
    let mut broken = String::new();
    for (name, findings) in findings {
        println!("{name:15} {findings}");
        broken += &findings.complaints(name, &[]);
    }
    assert!(broken.is_empty(), "\n{broken}");
}

#[test]
#[ignore = "a sweep of minutes that does not hold for every limb yet: run it by hand as the head says"]
fn limbs_two_bones_and_looks_work_on_recorded_motions_by_hand() {
    let mut findings: [Findings; 3] = Default::default();
    over_the_data(|skeleton, map, pose, what, further| {
        animated_body::check_closed_forms(skeleton, map, pose, what, &mut findings, further);
    });
    complain(animated_body::NAMES.into_iter().zip(&findings));
}

#[test]
#[ignore = "a sweep of many minutes that does not hold for every solver yet: run it by hand as the head says"]
fn the_general_solvers_work_on_recorded_motions_by_hand() {
    let specs: Vec<SolverSpec> = SolverSpec::all().collect();
    let mut general: Vec<Findings> = specs.iter().map(|_| Findings::default()).collect();
    over_the_data(|skeleton, _, pose, what, further| {
        for scene in scenes(skeleton, pose, &mut *further) {
            for (&spec, findings) in specs.iter().zip(&mut general) {
                check_general(&scene, spec, what, findings);
            }
        }
    });
    complain(specs.iter().map(SolverSpec::name).zip(&general));
}
