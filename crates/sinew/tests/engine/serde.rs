//! With the feature `serde`, whatever is plain data comes back from JSON as it
//! was: rigs with every shape of limit, poses, goals, solvers with their
//! options, reports.

#![cfg(feature = "serde")]

use std::fmt::{Debug, Display};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sinew::math::rotation;
use sinew::{
    Cause, Goal, GoalSet, JointId, LimitComponent, Outcome, Pose, Quat, Real, Skeleton, SolverSpec, Vec3,
    rigs,
};

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
    let goal = Goal::position(tip, Vec3::new(0.4, 0.3, 0.2)).weights(2.0, 0.5);
    // Most solvers refuse a goal of a later priority.
    there_and_back(&GoalSet::from_iter([goal.priority(1)]));
    let goals = there_and_back(&GoalSet::from_iter([goal]));
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
    use sinew::solver::erik::{Erik, ErikOptions};
    let skeleton = rigs::by_name("erik-c").unwrap();
    for options in [ErikOptions::published(), ErikOptions::following()] {
        there_and_back(&options);
        let end = sinew::Goal::aim(skeleton.find("endpoint").unwrap(), Vec3::Y, Vec3::ONE);
        let mut erik = Erik::new(&skeleton, &[there_and_back(&end)], options).unwrap();
        let mut pose = Pose::rest(&skeleton);
        for target in [Target::Orientation(Quat::from_rotation_x(1.0)), erik.aim(0, Vec3::ONE)] {
            let report = erik.solve(&skeleton, &Pose::rest(&skeleton), &[there_and_back(&target)], &mut pose);
            assert!(shown(report).contains("errors: "));
        }
    }
}

#[test]
fn a_cause_reads_well_as_json_and_comes_back() {
    use serde_json::json;
    let id = |i: usize| rigs::by_name("chain:6").unwrap().id(i).unwrap();
    let goals = GoalSet::from_iter([Goal::position(id(1), Vec3::X), Goal::position(id(2), Vec3::X)]);
    let ids: Vec<_> = goals.iter().map(|(id, _)| id).collect();
    let (goal, with, joint) = (ids[0], ids[1], id(3));
    let component = LimitComponent::Euler(2);
    let told = |cause: Cause| serde_json::to_value(there_and_back(&cause)).unwrap();
    assert_eq!(
        told(Cause::OutOfReach { goal, by: 0.25 }),
        json!({ "kind": "out_of_reach", "goal": 0, "by": 0.25 })
    );
    assert_eq!(
        told(Cause::Limit { goal: with, joint, component: LimitComponent::Angle }),
        json!({ "kind": "limit", "goal": 1, "joint": 3, "component": "angle" })
    );
    assert_eq!(
        told(Cause::Strained { goal, joint, component, by: 0.5 }),
        json!({ "kind": "strained", "goal": 0, "joint": 3, "component": { "euler": 2 }, "by": 0.5 })
    );
    assert_eq!(
        told(Cause::Collision { joint, other: None }),
        json!({ "kind": "collision", "joint": 3, "other": null })
    );
    assert_eq!(told(Cause::Mismatch), json!({ "kind": "mismatch" }));
    for cause in [
        Cause::TooClose { goal, by: 0.125 },
        Cause::Collision { joint, other: Some(id(0)) },
        Cause::Conflict { goal, with },
        Cause::Balance { goal: Some(goal), by: 0.5 },
        Cause::Balance { goal: None, by: 0.5 },
        Cause::Speed { goal, joint },
        Cause::NoFreedom { goal },
        Cause::Stalled { goal },
        Cause::IterationBudget,
        Cause::TimeBudget,
        Cause::Underway { goal, turn: 0.75 },
        Cause::Faded { goal },
        Cause::OutsideLimit { joint, by: 0.5 },
        Cause::Mended { joint },
        Cause::NotFinite { goal },
    ] {
        assert!(told(cause)["kind"].is_string());
    }
    // A goal that was not measured is infinitely far off, which JSON has no number for.
    there_and_back(&Outcome::refused(Cause::Mismatch));
}

/// Comes back from JSON and says something of itself in words.
fn shown<T: Serialize + DeserializeOwned + PartialEq + Debug + Display>(value: &T) -> String {
    there_and_back(value);
    let words = value.to_string();
    assert!(!words.is_empty());
    words
}

#[test]
fn the_reports_of_a_body_come_back() {
    use sinew::analytic::{Limb, Swivel};
    use sinew::body::walk::{Ground, WalkInput, WalkOptions, Walker};
    use sinew::skeleton::humanoid::{HumanoidMap, Side};
    use sinew::{ModelPose, Target};
    let human = rigs::by_name("humanoid").unwrap();
    let map = HumanoidMap::find(&human);
    let (rest, model) = (Pose::rest(&human), ModelPose::rest(&human));
    let far = Target::Position(Vec3::Y * 9.0);
    let limb = Limb::arm(&human, &map, Side::Left).unwrap();
    let words = shown(&limb.solve(&human, &model, &far, Swivel::default(), &mut rest.clone()));
    assert!(words.starts_with("not reached: 'goal 0' is") && words.contains("swivel"), "{words}");

    let mut walker = Walker::with_map(&human, &map, WalkOptions::default(), &Ground::Flat).unwrap();
    let input = WalkInput { speed: 1.0, turn: 0.0 };
    let report = walker.step(&human, &Ground::Flat, input, 0.5, &mut rest.clone());
    assert!(shown(&report).starts_with("walks, worst planted foot") && report.cause.is_none(), "{report}");
    let chain = rigs::by_name("chain:6").unwrap();
    let report = walker.step(&chain, &Ground::Flat, input, 0.5, &mut Pose::rest(&chain));
    assert_eq!(report.cause, Some(Cause::Mismatch));
    assert!(shown(&report).contains("are not those of the solver"), "{report}");
}

#[test]
fn options_come_back_and_are_shown() {
    use sinew::analytic::{AimOptions, LimbFollowerOptions, LimbOptions, TwoBoneOptions};
    use sinew::body::reach::ReachOptions;
    use sinew::body::six_point::SixPointOptions;
    use sinew::body::walk::WalkOptions;
    use sinew::filter::{FilterOptions, NoiseOptions};
    use sinew::report::Tolerance;
    shown(&AimOptions::default());
    shown(&LimbOptions::default());
    shown(&LimbFollowerOptions::default());
    shown(&TwoBoneOptions::default());
    shown(&ReachOptions::default());
    shown(&SixPointOptions::default());
    shown(&WalkOptions::default());
    shown(&FilterOptions::default());
    shown(&NoiseOptions::default());
    assert!(shown(&Tolerance::default()).ends_with(" rad"));
    assert!(sinew::solver::robust::RobustOptions::default().to_string().contains("restarts: "));
}
