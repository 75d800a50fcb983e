//! Why something failed: typed for programs, and the same in words.

use crate::common::rig;
use serde_json::{Value, json};
use sinew_studio::wire::{
    BodyMarker, BodyScene, BodySource, Explain, FrameDetails, LookScene, LookTarget, PoseGoal, PoseScene,
    ReachScene, ReachTarget, TargetKind, WireCause,
};
use sinew_studio::workspace::body::Body;
use sinew_studio::workspace::look::Look;
use sinew_studio::workspace::pose::PoseWorkspace;
use sinew_studio::workspace::reach::Reach;
use sinew_studio::workspace::{Step, Workspace};

const FRAME: f64 = 1.0 / 60.0;

/// Every cause of the engine as its serde has it, and as it is sent.
fn causes() -> Vec<(Value, Value)> {
    let plain = |kind: &str| (json!({ "kind": kind }), json!({ "kind": kind }));
    let of_goal = |kind: &str| (json!({ "kind": kind, "goal": 0 }), json!({ "kind": kind, "goal": "one" }));
    let mut all = vec![
        (
            json!({ "kind": "out_of_reach", "goal": 0, "by": 0.5 }),
            json!({ "kind": "out_of_reach", "goal": "one", "by_m": 0.5 }),
        ),
        (
            json!({ "kind": "too_close", "goal": 1, "by": 0.5 }),
            json!({ "kind": "too_close", "goal": "two", "by_m": 0.5 }),
        ),
        (
            json!({ "kind": "collision", "joint": 1, "other": 0 }),
            json!({ "kind": "collision", "joint": "joint1", "other": "joint0", "obstacle": null, "depth_m": null }),
        ),
        (
            json!({ "kind": "conflict", "goal": 0, "with": 1 }),
            json!({ "kind": "conflict", "goal": "one", "with": "two" }),
        ),
        (
            json!({ "kind": "underway", "goal": 0, "turn": 0.25 }),
            json!({ "kind": "underway", "goal": "one", "turn_rad": 0.25 }),
        ),
        (
            json!({ "kind": "outside_limit", "joint": 1, "by": 0.25 }),
            json!({ "kind": "outside_limit", "joint": "joint1", "by": 0.25 }),
        ),
        (json!({ "kind": "mended", "joint": 1 }), json!({ "kind": "mended", "joint": "joint1" })),
        // A goal and a joint that are not there go by their numbers.
        (
            json!({ "kind": "limit", "goal": 7, "joint": 99, "component": "swing" }),
            json!({ "kind": "limit", "goal": "goal 7", "joint": "joint 99", "component": "swing" }),
        ),
    ];
    all.extend(["no_freedom", "stalled", "faded", "not_finite"].map(of_goal));
    all.extend(["iteration_budget", "time_budget", "mismatch"].map(plain));
    for (component, name) in [
        (json!("angle"), "angle"),
        (json!("twist"), "twist"),
        (json!({ "euler": 0 }), "first_angle"),
        (json!({ "euler": 1 }), "second_angle"),
        (json!({ "euler": 2 }), "third_angle"),
        (json!("displacement"), "displacement"),
    ] {
        all.push((
            json!({ "kind": "strained", "goal": 0, "joint": 1, "component": component, "by": 0.5 }),
            json!({ "kind": "strained", "goal": "one", "joint": "joint1", "component": name, "by_rad": 0.5 }),
        ));
    }
    all
}

#[test]
fn every_cause_is_sent_with_names_at_either_precision() {
    let (narrow, wide) = (sinew::rigs::chain(3, 1.0), sinew_f64::rigs::chain(3, 1.0));
    let goals = ["one", "two"];
    for (engine, sent) in causes() {
        let single: sinew::Cause = serde_json::from_value(engine.clone()).unwrap();
        let double: sinew_f64::Cause = serde_json::from_value(engine).unwrap();
        assert_eq!(serde_json::to_value(single.typed(&narrow, &goals)).unwrap(), sent);
        assert_eq!(serde_json::to_value(double.typed(&wide, &goals)).unwrap(), sent);
        assert_eq!(single.words(&narrow, &goals), double.in_words(&wide, &goals));
        assert_eq!(serde_json::from_value::<WireCause>(sent.clone()).unwrap(), double.typed(&wide, &goals));
    }
}

/// The typed cause of something too far away, and its words as the engine has them.
/// The words for a goal that is too far, which the cause calls by its id and a person by another name.
fn too_far(cause: Option<&WireCause>, goal: &str, called: &str) -> String {
    let Some(WireCause::OutOfReach { goal: named, by_m }) = cause else { panic!("{cause:?}") };
    assert_eq!(named, goal);
    format!("'{called}' is {:.1} mm out of reach", by_m * 1.0e3)
}

/// Steps until nothing moves.
fn settle<W: Workspace>(rig: &sinew_studio::rig::Rig, workspace: &mut W) -> Step {
    for _ in 0..600 {
        let step = workspace.step(rig, FRAME);
        if !step.busy {
            return step;
        }
    }
    workspace.step(rig, FRAME)
}

#[test]
fn a_pose_out_of_reach_says_so_in_both_ways() {
    let rig = rig("chain:6");
    let tip = rig.asset.skeleton.find("tip").unwrap();
    let goal = PoseGoal {
        id: "moon".into(),
        joint: tip.index() as u32,
        kind: TargetKind::Position,
        position: [9.0, 0.0, 0.0],
        rotation: [0.0, 0.0, 0.0, 1.0],
        position_weight: 1.0,
        orientation_weight: 0.0,
        priority: 0,
        enabled: true,
    };
    let scene = PoseScene { goals: vec![goal], ..PoseScene::default() };
    let step = settle(&rig, &mut PoseWorkspace::new(&rig, scene).unwrap());
    let FrameDetails::Pose(frame) = step.details else { panic!() };
    assert_eq!(frame.cause.unwrap(), too_far(frame.typed_cause.as_ref(), "moon", "tip"));
}

#[test]
fn a_reach_out_of_reach_says_so_in_both_ways() {
    let rig = rig("humanoid");
    let far = Some(ReachTarget { position: [0.0, 9.0, 0.0], rotation: None });
    let scene = ReachScene { behaviour: "plain".into(), right: far, ..ReachScene::default() };
    let step = settle(&rig, &mut Reach::new(&rig, scene).unwrap());
    let FrameDetails::Reach(frame) = step.details else { panic!() };
    assert_eq!(frame.outcome, too_far(frame.typed_cause.as_deref(), "right hand", "right hand"));
    assert_eq!(frame.right.unwrap().typed_cause, frame.typed_cause);
}

#[test]
fn a_marker_out_of_reach_says_so_in_both_ways() {
    let rig = rig("humanoid");
    let marker = BodyMarker { point: "left-wrist".into(), position: [0.85, 1.38, 0.0], rotation: None };
    let points = ["pelvis", "head", "left-wrist", "right-wrist", "left-ankle", "right-ankle"];
    let scene = BodyScene {
        source: BodySource::Markers { markers: vec![marker] },
        method: "sik".into(),
        points: points.map(str::to_string).to_vec(),
        orientations: false,
        noise: 0.0,
        playing: false,
        speed: 1.0,
        frame: 0,
    };
    let step = settle(&rig, &mut Body::new(&rig, scene).unwrap());
    let FrameDetails::Body(frame) = step.details else { panic!() };
    let wrist = frame.points.iter().find(|p| p.point == "left-wrist").unwrap();
    assert!(
        frame.outcome.contains(&too_far(wrist.typed_cause.as_ref(), "left-wrist", "left-wrist")),
        "{}",
        frame.outcome
    );
}

#[test]
fn a_look_that_fails_has_a_typed_cause() {
    let rig = rig("erik-a");
    let scene = LookScene {
        endpoint: None,
        values: Vec::new(),
        rotations: Vec::new(),
        target: LookTarget::Toward { rotation: [0.0, 1.0, 0.0, 0.0] },
        keep_sides: true,
        symmetric: false,
        filter: None,
        plotted: 0,
    };
    let step = settle(&rig, &mut Look::new(&rig, scene).unwrap());
    let FrameDetails::Look(frame) = step.details else { panic!() };
    assert!(!frame.reached, "{}", frame.outcome);
    assert!(frame.typed_cause.is_some(), "{}", frame.outcome);
}
