//! `sinew look` and `sinew eval erik` as people and scripts use them.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use run::{folder, sinew, text};
use sinew_f64::rigs::{self, ErikRobot};
use sinew_f64::{ModelPose, Pose};

#[test]
fn a_posture_looks_somewhere_and_is_written() {
    let folder = folder("look");
    for (file, arguments) in [
        ("pose.png", ["--at", "1,0.8,2"]),
        ("pose.bvh", ["--toward", "30,-10,0"]),
        ("pose.json", ["--toward", "-20,40,15"]),
    ] {
        let path = folder.join(file);
        let mut all = vec!["look", "erik-g", "--posture", "wave"];
        all.extend(arguments);
        all.extend(["-o", text(&path)]);
        let told = sinew(all).fine();
        assert!(told.out.contains("looks there"), "{}", told.out);
        assert!(path.metadata().unwrap().len() > 100);
    }
    // A pose that was written is a posture that can be read.
    let (json, bvh) = (folder.join("pose.json"), folder.join("pose.bvh"));
    let again = ["look", "erik-g", "--posture", text(&json), "--toward", "-20,40,15", "--json"];
    let document = sinew(again).fine().json();
    assert_eq!(document["schema"], "sinew.look/1");
    assert!(document["reached"] == true && document["combined_error"].as_f64().unwrap() < 0.01, "{document}");
    // So is a motion.
    let again = ["look", "erik-g", "--posture", text(&bvh), "--toward", "30,-10,0", "--json"];
    assert!(sinew(again).fine().json()["reached"] == true);
}

#[test]
fn straight_ahead_is_straight_ahead() {
    // A robot that points up at rest bends forward to look ahead.
    let asked = ["look", "erik-f", "--posture", "joint2=20,joint3=20", "--toward", "0,0,0", "--json"];
    let document = sinew(asked).fine().json();
    assert!(document["endpoints"][0]["missed_rad"].as_f64().unwrap() < 0.02, "{document}");
    let place = &document["endpoints"][0]["model_position"];
    assert!(place[2].as_f64().unwrap() > 0.2, "its head is in front: {place}");
}

#[test]
fn targets_are_followed_at_a_fixed_rate() {
    let folder = folder("follow");
    let targets = folder.join("targets.csv");
    let mut csv = String::from("time,x,y,z\n");
    for i in 0..=40 {
        let t = f64::from(i) * 0.05;
        csv += &format!("{t},{},{},2\n", t.sin(), 0.8 + 0.3 * t.cos());
    }
    std::fs::write(&targets, csv).unwrap();
    let ask = |more: &[&str]| {
        let mut all = vec!["look", "erik-g", "--posture", "bow", "--follow", text(&targets), "--fps", "100"];
        all.extend(more);
        sinew(all).fine()
    };
    let out = ask(&["--character", "heavy"]).out;
    let rows: Vec<Vec<f64>> =
        out.lines().skip(1).map(|l| l.split(',').map(|c| c.parse().unwrap()).collect()).collect();
    assert!(
        out.starts_with("time,joint1,joint2,joint3,joint4,joint5,joint6,joint7,joint8,orientation_error")
    );
    assert_eq!(rows.len(), 201);
    for pair in rows.windows(2) {
        assert!((pair[1][0] - pair[0][0] - 0.01).abs() < 1e-9);
        for joint in 1..=8 {
            let speed = (pair[1][joint] - pair[0][joint]) / 0.01;
            assert!(speed.abs() <= 1.5 + 1e-3, "a heavy character is slow: {speed}");
        }
    }
    // It catches up: by the end it looks at its target.
    let late = rows.last().unwrap();
    assert!(late[9] < 0.1, "{late:?}");
    ask(&["-o", text(&folder.join("strip.png"))]);
    ask(&["-o", text(&folder.join("motion.bvh"))]);
    let document = sinew(["info", text(&folder.join("motion.bvh")), "--json"]).fine().json();
    assert_eq!(document["motions"][0]["frames"], 201);
}

/// Places of joints are a posture.
#[test]
fn a_posture_is_given_as_places_of_joints() {
    let folder = folder("look-places");
    let skeleton = rigs::erik(ErikRobot::G);
    let mut posture = Pose::rest(&skeleton);
    for (joint, degrees) in [("joint2", 40.0f64), ("joint3", -30.0), ("joint5", 35.0), ("joint6", -20.0)] {
        posture.set_value(&skeleton, skeleton.find(joint).unwrap(), degrees.to_radians());
    }
    let model = ModelPose::new(&skeleton, &posture);
    let mut csv = String::from("joint,x,y,z\n");
    for id in skeleton.ids() {
        let at = model.position(id);
        csv += &format!("{},{},{},{}\n", skeleton.joint(id).name(), at.x, at.y, at.z);
    }
    let places = folder.join("places.csv");
    std::fs::write(&places, csv).unwrap();
    // A look of no weight leaves the posture as it is.
    let asked =
        ["look", "erik-g", "--posture", text(&places), "--toward", "0,0,0", "--weight", "0", "--json"];
    let document = sinew(asked).fine().json();
    let mut found = Pose::rest(&skeleton);
    for joint in document["joints"].as_array().unwrap() {
        let id = skeleton.find(joint["name"].as_str().unwrap()).unwrap();
        if let Some(value) = joint["value"].as_f64() {
            found.set_value(&skeleton, id, value);
        }
    }
    let found = ModelPose::new(&skeleton, &found);
    for id in skeleton.ids() {
        let off = model.position(id).distance(found.position(id));
        assert!(off < 2e-3, "{} is off by {off} m", skeleton.joint(id).name());
    }
    // And it looks from there.
    let asked = ["look", "erik-g", "--posture", text(&places), "--at", "0.3,0.8,2", "--json"];
    assert!(sinew(asked).fine().json()["reached"] == true);
    std::fs::write(&places, "joint,x,y,z\nno such,1,2,3\n").unwrap();
    sinew(["look", "erik-g", "--posture", text(&places), "--at", "0,0,1"]).refused(1);
}

/// Streams, steps without a filter and heads held upright, on embedded rigs; strips in three moods.
#[test]
fn looks_are_smooth_and_upright() {
    let folder = folder("eval-look");
    let rigs = ["erik-b", "erik-g", "snake", "humanoid-hands"];
    let mut asked = vec!["eval", "look"];
    asked.extend(rigs);
    asked.extend(["--stages", "1", "--seconds", "4", "--seed", "5", "--json", "-o", text(&folder)]);
    let document = sinew(asked).fine().json();
    let rows = |table: usize| document["tables"][table]["rows"].as_array().unwrap().clone();
    let number = |cell: &serde_json::Value| cell[0].as_f64().unwrap();
    for row in rows(1) {
        assert!(number(&row[1]) == 0.0, "no bound is broken: {row}");
        assert!(number(&row[3]) <= 6.0 && number(&row[5]) <= 0.02, "{row}");
    }
    let steps = rows(2);
    assert!(steps.len() >= 4 * 3, "every posture: {steps:?}");
    for row in steps {
        assert!(number(&row[2]) <= 0.15, "{row}");
    }
    let upright = rows(3);
    assert_eq!(upright.len(), 1, "one has a face: {upright:?}");
    assert_eq!((number(&upright[0][1]), number(&upright[0][2])), (200.0, 0.0), "{upright:?}");
    assert!(number(&upright[0][4]) < 5.0, "{upright:?}");
    assert!(folder.join("look-snake-downcast.png").exists() && folder.join("look.json").exists());
}

/// Eyes, head, neck and spine of a character; over an animation the look fades.
#[test]
fn characters_look_too() {
    let folder = folder("look-character");
    let asked = ["look", "humanoid", "--at", "1,1.8,1.5", "--json"];
    let document = sinew(asked).fine().json();
    assert!(document["reached"] == true, "{document}");
    assert!(document["endpoints"][0]["missed_rad"].as_f64().unwrap() < 0.01, "{document}");
    let targets = folder.join("fade.csv");
    std::fs::write(&targets, "time,x,y,z,weight\n0,1,1.7,1,0\n0.1,1,1.7,1,0\n0.2,1,1.7,1,1\n2,1,1.7,1,1\n")
        .unwrap();
    let out = sinew(["look", "humanoid-hands", "--follow", text(&targets)]).fine().out;
    let error = |line: &str| line.split(',').rev().nth(1).unwrap().parse::<f64>().unwrap();
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].contains("skullbase.x") && lines[0].contains("l_eyeball"), "{}", lines[0]);
    assert!(error(lines[1]) > 0.1 && error(lines.last().unwrap()) < 0.01, "{out}");
}

/// A target all around a robot: what its drives are sent never jumps.
#[test]
fn a_target_that_circles_a_robot_sends_no_jump() {
    let folder = folder("look-around");
    let targets = folder.join("around.csv");
    let mut csv = String::from("time,x,y,z\n");
    for i in 0..=240 {
        let t = f64::from(i) / 30.0;
        csv += &format!("{t},{},0.5,{}\n", 2.0 * t.sin(), 2.0 * t.cos());
    }
    std::fs::write(&targets, csv).unwrap();
    for rig in ["erik-d", "erik-b", "arm"] {
        let out = sinew(["look", rig, "--posture", "bow", "--follow", text(&targets)]).fine().out;
        let rows: Vec<Vec<f64>> =
            out.lines().skip(1).map(|l| l.split(',').map(|c| c.parse().unwrap()).collect()).collect();
        for pair in rows.windows(2) {
            for joint in 1..pair[0].len() - 2 {
                let speed = (pair[1][joint] - pair[0][joint]) * 60.0;
                assert!(speed.abs() <= 4.0 + 1e-3, "{rig}: {speed} rad/s");
                assert!(pair[1][joint].abs() < std::f64::consts::PI + 1.0e-4, "{rig}: a stop is a stop");
            }
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder("look-wrong");
    let bad = folder.join("bad.csv");
    std::fs::write(&bad, "time,x,y,z\n0,1,2\n").unwrap();
    for wrong in [
        &["look", "erik-g", "--toward", "1,2"][..],
        &["look", "erik-g", "--at", "a,b,c"],
        &["look", "erik-g", "--posture", "joint99=3", "--at", "0,0,1"],
        &["look", "erik-g", "--endpoint", "tail", "--at", "0,0,1"],
        &["look", "erik-g", "--forward", "0,0,0", "--at", "0,0,1"],
        &["eval", "erik", "--skeleton", "H"],
        &["eval", "erik", "--shard", "3/2"],
        &["eval", "erik", "--percent", "0"],
    ] {
        sinew(wrong.iter().copied()).refused(2);
    }
    sinew(["look", "erik-g", "--posture", "no such", "--at", "0,0,1"]).refused(1);
    sinew(["look", "humanoid", "--endpoint", "r_wrist", "--at", "0,0,1"]).refused(1);
    sinew(["look", "erik-g", "--follow", text(&bad)]).refused(1);
    sinew(["eval", "merge", text(&folder)]).refused(1);
}

/// Parts of a run, on any number of threads, join to the very bytes of the whole.
#[test]
fn shards_join_to_exactly_the_whole() {
    let folder = folder("shards");
    let run = |name: &str, more: &[&str]| {
        let out = folder.join(name);
        let mut all = vec![
            "eval",
            "erik",
            "--skeleton",
            "A,C",
            "--postures",
            "5",
            "--orientations",
            "30",
            "--seed",
            "9",
        ];
        all.extend(more);
        all.extend(["-o", text(&out)]);
        sinew(all).fine();
        out
    };
    let whole = run("whole", &["--threads", "1"]);
    let parts = ["1/3", "2/3", "3/3"].map(|s| run(&s.replace('/', "of"), &["--shard", s, "--threads", "2"]));
    let joined = folder.join("joined");
    let mut merge = vec!["eval", "merge"];
    // In any order.
    merge.extend([2, 0, 1].map(|i: usize| text(&parts[i])));
    merge.extend(["-o", text(&joined)]);
    let told = sinew(merge).fine();
    assert!(told.out.contains("Table 9"), "{}", told.out);
    let bytes = |folder: &std::path::Path| std::fs::read(folder.join("erik.json")).unwrap();
    assert!(bytes(&whole) == bytes(&joined), "the same to the last byte");
    assert!(whole.join("fig12-C.png").exists() && whole.join("fig13-combined.png").exists());
    // What is missing or doubled is said.
    let missing = sinew(["eval", "merge", text(&parts[0]), text(&parts[1])]).refused(1);
    assert!(missing.err.contains("missing"), "{}", missing.err);
    let twice = sinew(["eval", "merge", text(&whole), text(&parts[1])]).refused(1);
    assert!(twice.err.contains("twice"), "{}", twice.err);
}

#[test]
fn the_filters_characters_are_told_and_drawn() {
    let folder = folder("filter");
    let told = sinew(["eval", "filter", "-o", text(&folder)]).fine();
    assert!(told.out.contains("heavy") && folder.join("filter-heavy.png").exists(), "{}", told.out);
}
