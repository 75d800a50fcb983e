//! `sinew plant` as people and scripts use it.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use run::{folder, sinew, text};

#[test]
fn a_walk_is_planted_on_a_slope_and_its_contacts_are_listed() {
    let folder = folder("plant");
    let (walk, uphill) = (folder.join("walk.bvh"), folder.join("uphill.bvh"));
    sinew(["walk", "--seconds", "4", "-o", text(&walk)]).fine();
    let document =
        sinew(["plant", text(&walk), text(&uphill), "--ground", "slope:0.1", "--json"]).fine().json();
    assert_eq!(document["schema"], "sinew.plant/1");
    assert!(document["worst_drift_m"].as_f64().unwrap() < 1e-3, "{document}");
    assert!(document["worst_depth_m"].as_f64().unwrap() < 3e-3, "{document}");
    let contacts = document["contacts"].as_array().unwrap();
    assert!(contacts.len() >= 8, "{document}");
    for contact in contacts {
        assert!(contact["first_frame"].as_u64() <= contact["last_frame"].as_u64(), "{contact}");
        assert!(["heel", "toe"].contains(&contact["part"].as_str().unwrap()), "{contact}");
    }
    let told = sinew(["plant", text(&walk), text(&uphill)]).fine().out;
    assert!(told.contains("240 frames"), "{told}");
}

#[test]
fn nonsense_is_refused() {
    let folder = folder("plant-wrong");
    let (walk, out) = (folder.join("walk.bvh"), folder.join("out.bvh"));
    sinew(["walk", "--seconds", "1", "-o", text(&walk)]).fine();
    for wrong in [["--ground", "swamp"], ["--influence", "2"], ["--fade", "0"], ["--speed", "nan"]] {
        sinew(["plant", text(&walk), text(&out), wrong[0], wrong[1]]).refused(2);
    }
    sinew(["plant", "humanoid", text(&out)]).refused(1);
}
