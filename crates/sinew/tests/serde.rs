//! With the feature `serde`, whatever is plain data comes back from JSON as it
//! was: rigs with every shape of limit, poses, goals, solvers with their
//! options, reports.

#![cfg(feature = "serde")]
#![allow(clippy::unwrap_used, clippy::panic)] // a panic is how a test says no

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sinew::math::rotation;
use sinew::{Goal, GoalSet, JointId, Pose, Quat, Real, Skeleton, SolverSpec, Vec3, rigs};

fn there_and_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> T {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e} in {text}"));
    assert_eq!(&back, value, "{text}");
    back
}

/// Rotations all over the place, the same every time.
fn rotations() -> impl Iterator<Item = Quat> + Clone {
    (0..50).map(|i| {
        let t = i as Real;
        rotation::exp(Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()) * 2.5)
    })
}

fn some_pose(skeleton: &Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for (joint, q) in skeleton.ids().zip(rotations().cycle()) {
        pose.set_rotation(joint, q);
        pose.set_translation(joint, q * Vec3::X * 0.1);
    }
    pose
}

#[test]
fn every_rig_comes_back_with_limits_that_hold_the_same() {
    for info in rigs::all() {
        let skeleton = info.build();
        let again = there_and_back(&skeleton.to_builder()).build().unwrap();
        for (a, b) in skeleton.joints().iter().zip(again.joints()) {
            assert_eq!(a.limit(), b.limit(), "{}: {}", info.name, a.name());
            // Equal limits could still differ in what they have computed for themselves.
            for q in rotations() {
                assert_eq!(a.project(q), b.project(q), "{}: {}", info.name, a.name());
            }
        }
        there_and_back(&some_pose(&skeleton));
    }
}

#[test]
fn every_solver_comes_back_and_solves_the_same() {
    let skeleton = rigs::by_name("chain:6").unwrap();
    let tip: JointId = skeleton.find("tip").unwrap();
    let goals = there_and_back(&GoalSet::from_iter([Goal::position(tip, Vec3::new(0.4, 0.3, 0.2))
        .weights(2.0, 0.5)
        .priority(1)]));
    for spec in SolverSpec::all() {
        let again = there_and_back(&spec);
        let mut poses = [Pose::rest(&skeleton), Pose::rest(&skeleton)];
        let mut reports = Vec::new();
        for (spec, pose) in [spec, again].iter().zip(&mut poses) {
            let mut solver = spec.build(&skeleton, &goals).unwrap();
            reports.push(solver.solve(&skeleton, &goals, pose).clone());
        }
        assert_eq!(poses[0], poses[1], "{}", spec.name());
        assert_eq!(there_and_back(&reports[0]), reports[1], "{}", spec.name());
    }
}

#[test]
fn eriks_options_targets_and_reports_come_back() {
    use sinew::Target;
    use sinew::solver::erik::{Endpoint, Erik, ErikOptions};
    let skeleton = rigs::by_name("erik-c").unwrap();
    for options in [ErikOptions::published(), ErikOptions::following()] {
        there_and_back(&options);
        let end = Endpoint::at(skeleton.find("endpoint").unwrap()).looking(Vec3::Y);
        let mut erik = Erik::new(&skeleton, &[there_and_back(&end)], options).unwrap();
        let mut pose = Pose::rest(&skeleton);
        for target in [Target::Orientation(Quat::from_rotation_x(1.0)), erik.aim(0, Vec3::ONE)] {
            let report = erik.solve(&skeleton, &Pose::rest(&skeleton), &[there_and_back(&target)], &mut pose);
            there_and_back(report);
        }
    }
}
