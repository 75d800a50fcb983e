//! `sinew solve` and `sinew eval` as people and scripts use them.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use run::{folder, sinew, text};

#[test]
fn a_goal_is_reached_and_the_pose_written() {
    let folder = folder("solve");
    let bvh = folder.join("bent.bvh");
    let told = sinew(["solve", "chain:12", "--goal", "tip=0.4,0.3,0.1", "-o", text(&bvh)]).fine();
    assert!(told.out.contains("reached"), "{}", told.out);
    let document = sinew(["info", text(&bvh), "--json"]).fine().json();
    assert_eq!(document["motions"][0]["frames"], 1);
}

#[test]
fn every_solver_answers_side_by_side() {
    let document = sinew(["solve", "arm", "--goal", "flange=0.2,0.6,0.3", "--all", "--json"]).fine().json();
    let answers = document["answers"].as_array().unwrap();
    assert!(answers.len() >= 5);
    assert!(answers.iter().any(|a| a["reached"] == true));
}

#[test]
fn a_body_does_not_float_to_its_hand() {
    let solve = ["solve", "humanoid", "--goal", "r_wrist=-0.4,1.2,0.4", "--json"];
    let root = |more: &[&str]| {
        let document = sinew(solve.iter().chain(more).copied()).fine().json();
        let joint = &document["answers"][0]["joints"][0];
        (joint["local_rotation_xyzw"].clone(), joint["local_translation"].clone())
    };
    assert_eq!(root(&[]), root(&["--travel", "no"]));
    assert_ne!(root(&[]), root(&["--travel", "yes"]));
    assert_ne!(root(&[]), root(&["--goal", "HumanoidRoot=0.1,1,0"]));
}

#[test]
fn what_stands_in_the_way_is_said_in_words() {
    let far = sinew(["solve", "chain:5", "--goal", "tip=3,0,0"]).fine().out;
    assert!(far.contains("not reached") && far.contains("out of reach"), "{far}");
    for wrong in [
        &["solve", "chain:5"][..],
        &["solve", "chain:5", "--goal", "tip=a,b,c"],
        &["solve", "chain:5", "--goal", "tip=0,0,0", "--solver", "magic"],
    ] {
        sinew(wrong.iter().copied()).refused(2);
    }
}
