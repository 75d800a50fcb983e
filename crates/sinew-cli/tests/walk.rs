//! `sinew walk` as people and scripts use it.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use run::{folder, sinew, text};

#[test]
fn a_walk_is_written_as_a_motion_and_as_a_picture() {
    let folder = folder("walk");
    let (motion, picture) = (folder.join("walk.bvh"), folder.join("walk.png"));
    let told = sinew(["walk", "--seconds", "4", "--terrain", "steps", "-o", text(&motion)]).fine().out;
    assert!(told.contains("walked 240 frames"), "{told}");
    let document = sinew(["info", text(&motion), "--json"]).fine().json();
    assert_eq!(document["motions"][0]["frames"], 240);
    let walk =
        sinew(["walk", "spider", "--seconds", "3", "--path", "circle", "--json", "-o", text(&picture)]);
    let document = walk.fine().json();
    assert_eq!(document["schema"], "sinew.walk/1");
    assert!(document["worst_slip_m"].as_f64().unwrap() < 1e-3, "{document}");
    assert!(picture.exists());
}

#[test]
fn keys_steer_and_nonsense_is_refused() {
    let folder = folder("walk-keys");
    let keys = folder.join("keys.csv");
    std::fs::write(&keys, "time,speed,turn\n0,1,0\n2,0.5,1\n4,0,0\n").unwrap();
    let document = sinew(["walk", "--path", text(&keys), "--seconds", "7", "--json"]).fine().json();
    assert!(document["heading_deg"].as_f64().unwrap() > 60.0 && document["stands"] == true, "{document}");
    for wrong in [
        &["walk", "--terrain", "swamp"][..],
        &["walk", "--path", "zigzag"],
        &["walk", "--solver", "magic"],
        &["walk", "--speed", "7"],
        &["walk", "--climb", "-1"],
        &["walk", "--cycle", "--terrain", "steps"],
        &["walk", "--seconds", "0"],
        &["eval", "walk", "--solvers", "magic"],
        &["eval", "walk", "--seconds", "0"],
    ] {
        sinew(wrong.iter().copied()).refused(2);
    }
}

#[test]
fn what_stops_it_is_said() {
    let told = sinew(["walk", "--terrain", "wall", "--seconds", "7"]).fine().out;
    assert!(told.contains("stopped by a wall") && told.contains("and stands"), "{told}");
    let ditch = sinew(["walk", "--terrain", "ditch", "--seconds", "7", "--json"]).fine().json();
    assert_eq!(ditch["blocked"]["by"], "drop", "{ditch}");
    assert!(ditch["place"][2].as_f64().unwrap() < 2.5, "{ditch}");
    let kerb = sinew(["walk", "--terrain", "kerb:0.2", "--climb", "0.1", "--seconds", "5", "--json"]);
    assert_eq!(kerb.fine().json()["blocked"]["by"], "step");
    let over = sinew(["walk", "--terrain", "kerb:0.2", "--seconds", "8", "--json"]).fine().json();
    assert!(over["blocked"].is_null() && over["place"][2].as_f64().unwrap() > 3.0, "{over}");
}

#[test]
fn velocities_and_cycles() {
    let folder = folder("walk-gaits");
    let keys = folder.join("side.csv");
    std::fs::write(&keys, "time,ahead_m_s,left_m_s,turn_deg_s\n0,0,0.5,0\n4,0,0,0\n").unwrap();
    let document = sinew(["walk", "--path", text(&keys), "--seconds", "7", "--json"]).fine().json();
    assert!(document["place"][0].as_f64().unwrap() > 1.5 && document["stands"] == true, "{document}");
    let file = folder.join("walk.bvh");
    let walk = sinew(["walk", "--cycle", "--seconds", "1", "--json", "-o", text(&file)]).fine().json();
    let cycle = &walk["cycle"];
    assert!(cycle["travel_m"].as_f64().unwrap() > 0.8 && cycle["gap_deg"].as_f64().unwrap() < 5.0, "{walk}");
    let written = sinew(["info", text(&file), "--json"]).fine().json();
    assert_eq!(written["motions"][0]["frames"], cycle["frames"]);
}
