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
        &["solve", "chain:5", "--goal", "tip=a,b,c"][..],
        &["solve", "chain:5", "--goal", "tip=0,0,0", "--solver", "magic"],
    ] {
        sinew(wrong.iter().copied()).refused(2);
    }
}

/// What somebody who works with ROS types, and what the controller is sent.
#[test]
fn a_robot_answers_in_its_own_names_zeros_and_axes() {
    let folder = folder("robot");
    let file = folder.join("robot.urdf");
    let hinge = |name: &str, parent: &str, child: &str, xyz: &str, more: &str| {
        format!(
            "<joint name='{name}' type='revolute'><parent link='{parent}'/><child link='{child}'/>\
             <origin xyz='{xyz}'/><axis xyz='0 0 1'/><limit lower='0.2' upper='2.5' effort='1' velocity='1'/>{more}</joint>"
        )
    };
    let robot = format!(
        "<robot name='scara'><link name='base'/><link name='upper'/><link name='lower'/><link name='tool0'/>\
         <link name='finger'/>{}{}<joint name='flange' type='fixed'><parent link='lower'/><child link='tool0'/>\
         <origin xyz='0.5 0 0'/></joint>{}</robot>",
        hinge("shoulder", "base", "upper", "0 0 0.3", ""),
        hinge("elbow", "upper", "lower", "0.5 0 0", ""),
        hinge("grip", "tool0", "finger", "0.05 0 0", "<mimic joint='elbow' multiplier='0.5'/>"),
    );
    std::fs::write(&file, robot).unwrap();
    // Half a metre ahead, half a metre to the left, at the arm's height; the tool turned to the left.
    let solve = |goal: &str, more: &[&str]| {
        let words = ["solve", text(&file), "--goal", goal, "--tol", "1e-6,1e-6", "--json"];
        sinew(words.iter().chain(more).copied()).fine().json()["answers"][0].clone()
    };
    let value = |answer: &serde_json::Value, name: &str| {
        let all = answer["values"].as_array().unwrap();
        all.iter().find(|v| v["name"] == name).unwrap()["value"].as_f64().unwrap()
    };
    let answer = solve("tool0=0.3,0.6,0.3", &[]);
    assert_eq!(answer["reached"], true, "{answer}");
    let (a, b) = (value(&answer, "shoulder"), value(&answer, "elbow"));
    let at = [0.5 * a.cos() + 0.5 * (a + b).cos(), 0.5 * a.sin() + 0.5 * (a + b).sin()];
    assert!((at[0] - 0.3).abs() < 1e-5 && (at[1] - 0.6).abs() < 1e-5, "{at:?}");
    assert!((value(&answer, "grip") - 0.5 * b).abs() < 1e-9, "the finger follows the elbow");
    // Yaw is about the file's z; the same goal in model space has other numbers.
    let answer = solve("tool0=@90,0,0", &[]);
    let turn = value(&answer, "shoulder") + value(&answer, "elbow");
    assert!((turn - std::f64::consts::FRAC_PI_2).abs() < 1e-5, "{turn}");
    assert_eq!(solve("tool0=0.6,0.3,0.3", &["--axes", "model"])["reached"], true);
    // A base that floats goes anywhere.
    assert_eq!(solve("tool0=2,0,5", &[])["reached"], false);
    assert_eq!(solve("tool0=2,0,5", &["--travel", "yes"])["reached"], true);
    let told = sinew(["solve", text(&file), "--goal", "tool0=0.3,0.6,0.3"]).fine().out;
    assert!(told.contains("shoulder") && told.contains("rad"), "{told}");
}
