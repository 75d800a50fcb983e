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
        &["walk", "--seconds", "0"],
    ] {
        sinew(wrong.iter().copied()).refused(2);
    }
}
