//! `sinew reconstruct` and `sinew eval sik` as people and scripts use them.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use std::path::{Path, PathBuf};

use run::{folder, sinew, text};

/// A second and a half of walking, written by the command itself.
fn walk(folder: &Path) -> PathBuf {
    let motion = folder.join("walk.bvh");
    sinew(["walk", "--seconds", "1.5", "-o", text(&motion)]).fine();
    motion
}

#[test]
fn a_motion_comes_back_from_its_points() {
    let folder = folder("reconstruct");
    let motion = walk(&folder);
    for (name, more) in [
        ("six.bvh", &[][..]),
        ("noisy.bvh", &["--noise", "5", "--filter", "5"]),
        ("three.bvh", &["--points", "three"]),
        ("eleven.glb", &["--points", "eleven", "--orientations"]),
        ("paper.bvh", &["--method", "sik"]),
        ("ccd.bvh", &["--method", "ccd"]),
    ] {
        let out = folder.join(name);
        let mut arguments = vec!["reconstruct", text(&motion), "-o", text(&out)];
        arguments.extend(more);
        let told = sinew(arguments).fine().out;
        assert!(told.contains("position error") && told.contains("frames by"), "{name}: {told}");
        let error: f64 =
            told.split("position error ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(error < 0.12, "{name}: {told}");
        let document = sinew(["info", text(&out), "--json"]).fine().json();
        assert_eq!(document["motions"][0]["frames"], 90, "{name}: {document}");
    }
}

#[test]
fn a_table_of_points_becomes_a_motion() {
    let folder = folder("reconstruct-table");
    let (table, out) = (folder.join("points.csv"), folder.join("points.bvh"));
    let mut lines = String::from("frame,head.x,head.y,head.z,left_wrist.x,left_wrist.y,left_wrist.z\n");
    for i in 0..30 {
        // The wrist is lost for some frames.
        let wrist = if (10..20).contains(&i) { ",,".into() } else { format!("0.4,1.{i:02},0.3") };
        lines += &format!("{i},0,1.6,0.0{},{wrist}\n", i % 10);
    }
    std::fs::write(&table, lines).unwrap();
    let told = sinew(["reconstruct", text(&table), "--rig", "humanoid", "-o", text(&out)]).fine().out;
    assert!(told.contains("30 frames") && told.contains("filled in"), "{told}");
    assert!(out.exists());
}

/// A table in centimetres became a torn body without a word.
#[test]
fn a_table_in_another_unit_is_refused_until_it_says_which() {
    let folder = folder("reconstruct-unit");
    let heading = "head.x,head.y,head.z,left_wrist.x,left_wrist.y,left_wrist.z\n";
    let row = |i: u32, unit: f64| {
        let at =
            [0.0, 1.6, 0.01 * f64::from(i), 0.4, 1.2, 0.3].map(|metres: f64| format!("{}", metres / unit));
        at.join(",") + "\n"
    };
    for unit in [0.01, 0.001, 0.0254] {
        let (table, out) = (folder.join("points.csv"), folder.join("points.bvh"));
        std::fs::write(&table, heading.to_owned() + &(0..30).map(|i| row(i, unit)).collect::<String>())
            .unwrap();
        let command = ["reconstruct", text(&table), "--rig", "humanoid", "-o", text(&out)];
        let refused = sinew(command);
        assert!(refused.code != 0 && refused.err.contains("--unit 0.01"), "{unit}: {}", refused.err);
        assert!(!out.exists(), "{unit}");
        let unit = unit.to_string();
        let told = sinew(command.into_iter().chain(["--unit", &unit])).fine().out;
        assert!(told.contains("30 frames"), "{unit}: {told}");
        std::fs::remove_file(&out).unwrap();
        for wrong in ["0", "-1", "nan"] {
            sinew(command.into_iter().chain(["--unit", wrong])).refused(2);
        }
    }
}

#[test]
fn what_cannot_be_reconstructed_is_refused() {
    let folder = folder("reconstruct-refused");
    let motion = walk(&folder);
    let (out, table) = (folder.join("out.bvh"), folder.join("bad.csv"));
    std::fs::write(&table, "nose.x,nose.y,nose.z\n1,2,3\n").unwrap();
    let (motion, out, table) = (text(&motion), text(&out), text(&table));
    for wrong in [
        &["reconstruct", motion, "-o", out, "--method", "magic"][..],
        &["reconstruct", motion, "-o", out, "--points", "tail"],
        &["reconstruct", motion, "-o", out, "--noise", "-3"],
        &["reconstruct", motion, "-o", out, "--unit", "0.01"],
        &["reconstruct", table, "-o", out],
    ] {
        sinew(wrong.iter().copied()).refused(2);
    }
    for wrong in [
        &["reconstruct", table, "--rig", "humanoid", "-o", out][..],
        &["reconstruct", "nowhere.bvh", "-o", out],
    ] {
        let code = sinew(wrong.iter().copied());
        assert!(
            code.code != 0 && code.err.contains("error:") && !code.err.contains("panicked"),
            "{}",
            code.err
        );
    }
}

#[test]
fn the_comparison_runs_on_motions_that_sinew_makes() {
    let told = sinew(["eval", "sik", "--stride", "60", "--methods", "sik,sik+", "--json"]).fine().json();
    assert_eq!(told["schema"], "sinew.eval.sik/1");
    assert_eq!(told["tables"].as_array().unwrap().len(), 5, "{told}");
    sinew(["eval", "sik", "--stride", "0"]).refused(2);
    sinew(["eval", "sik", "--methods", "magic"]).refused(2);
}

#[test]
fn a_motion_moves_another_body() {
    let folder = folder("reconstruct-another");
    let motion = walk(&folder);
    let out = folder.join("moved.glb");
    let arguments = ["reconstruct", text(&motion), "--rig", "humanoid:kusudama", "-o", text(&out)];
    let told = sinew(arguments).fine().out;
    assert!(told.contains("90 frames"), "{told}");
    let document = sinew(["info", text(&out), "--json"]).fine().json();
    assert_eq!(document["motions"][0]["frames"], 90, "{document}");
    // All points are taken, and a rig that is no body is refused with what it lacks.
    let told = sinew([&arguments[..], &["--points", "three"]].concat()).refused(2).err;
    assert!(told.contains("--points"), "{told}");
    let told = sinew(["reconstruct", text(&motion), "--rig", "erik-c", "-o", text(&out)]).refused(1).err;
    assert!(told.contains("erik-c"), "{told}");
}
