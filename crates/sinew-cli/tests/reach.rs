//! `sinew reach` as people and scripts use it.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use run::{folder, sinew, text};

#[test]
fn a_reach_is_a_motion_and_a_picture() {
    let folder = folder("reach");
    let (glb, bvh, png, plane) =
        (folder.join("r.glb"), folder.join("r.bvh"), folder.join("r.png"), folder.join("plane.png"));
    let reach = ["reach", "--to", "-0.2,1.2,0.7", "--seconds", "0.5", "--fps", "20"];
    let told = sinew(reach.iter().copied().chain(["-o", text(&glb), "--swing-plane", text(&plane)])).fine();
    assert!(told.out.contains("reached") && told.out.contains("right hand"), "{}", told.out);
    let document = sinew(["info", text(&glb), "--json"]).fine().json();
    assert_eq!(document["motions"][0]["frames"], 11);
    sinew(reach.iter().copied().chain(["-o", text(&bvh)])).fine();
    assert_eq!(sinew(["info", text(&bvh), "--json"]).fine().json()["motions"][0]["frames"], 11);
    sinew(reach.iter().copied().chain(["-o", text(&png), "--view", "side"])).fine();
    for picture in [&png, &plane] {
        assert_eq!(&std::fs::read(picture).unwrap()[1..4], b"PNG");
    }
}

#[test]
fn scripts_get_numbers() {
    let document = sinew(["reach", "--to", "-0.2,0.7,0.6", "--json"]).fine().json();
    assert_eq!(document["schema"], "sinew.reach/1");
    assert_eq!(document["reached"], true);
    assert!(document["feet_error_m"].as_f64().unwrap() < 1e-4);
    let hand = &document["hands"][0];
    assert_eq!((hand["side"].as_str(), hand["outcome"].as_str()), (Some("right"), Some("reached")));
    assert!(hand["position_error_m"].as_f64().unwrap() < 1e-4 && hand["body_weight"].as_f64().unwrap() > 0.1);
    let joints = document["joints"].as_array().unwrap();
    let wrist = joints.iter().find(|j| j["name"] == "r_wrist").unwrap();
    assert!((wrist["model_position"][1].as_f64().unwrap() - 0.7).abs() < 1e-3);
    let both = sinew(["reach", "--hand", "both", "--to", "0,1,0.5", "--json"]).fine().json();
    assert_eq!(both["behaviour"], "two-handed");
    assert_eq!(both["hands"].as_array().unwrap().len(), 2);
}

#[test]
fn what_stands_in_the_way_is_named() {
    let far = sinew(["reach", "--to", "0,9,0"]).fine().out;
    assert!(far.contains("not reached") && far.contains("out of reach"), "{far}");
    let walled =
        sinew(["reach", "--to", "-0.3,1.2,0.45", "--obstacle", "box:-0.3,1.2,0.45,0.3,0.3,0.3"]).fine().out;
    assert!(walled.contains("meets box 1") && walled.contains("mm deep"), "{walled}");
    let free = [
        "reach",
        "--to",
        "-0.3,1.2,0.45",
        "--obstacle",
        "box:-0.3,1.2,0.45,0.3,0.3,0.3",
        "--collisions",
        "off",
    ];
    assert!(!sinew(free).fine().out.contains("not reached"));
}

#[test]
fn a_mesh_is_an_obstacle() {
    let folder = folder("reach-mesh");
    let mesh = folder.join("board.obj");
    std::fs::write(&mesh, "v -1 0 -1\nv 1 0 -1\nv 1 0 1\nv -1 0 1\nf 1 2 3 4\n").unwrap();
    let obstacle = format!("mesh:{}:0,1.2,0.8", text(&mesh));
    // The wrist in the board itself.
    let told = sinew(["reach", "--to", "-0.3,1.2,0.45", "--obstacle", &obstacle]).fine().out;
    assert!(told.contains("meets") && told.contains("board.obj"), "{told}");
    std::fs::write(&mesh, "v 0 0 0\nf 1 2 3\n").unwrap();
    sinew(["reach", "--to", "-0.3,1.2,0.45", "--obstacle", &obstacle]).refused(1);
}

#[test]
fn a_rig_file_brings_behaviours_of_its_own() {
    let folder = folder("reach-rig");
    let rig = folder.join("human.rig.toml");
    sinew(["convert", "humanoid", text(&rig)]).fine();
    let mut file = std::fs::read_to_string(&rig).unwrap();
    file.push_str(
        "\n[[behaviour]]\nname = \"stiff\"\nside = \"right\"\n\n[[behaviour.key]]\nswing = [0, 0]\n\
         weight = { start = 0, full = 1 }\n[behaviour.key.rotations]\nvl1 = { axis = [0, 1, 0], angle = 8 }\n",
    );
    std::fs::write(&rig, file).unwrap();
    let document =
        sinew(["reach", text(&rig), "--behaviour", "stiff", "--to", "-0.3,1.3,0.4", "--json"]).fine().json();
    let joints = document["joints"].as_array().unwrap();
    let turned = joints.iter().find(|j| j["name"] == "vl1").unwrap();
    assert!(turned["local_rotation_xyzw"][1].as_f64().unwrap() > 0.01, "{turned}");
}

#[test]
fn wrong_use_is_refused() {
    for wrong in [
        &["reach", "--to", "1,2"][..],
        &["reach", "--to", "0,1,0.4", "--behaviour", "drunk"],
        &["reach", "--to", "0,1,0.4", "--obstacle", "box:1"],
        &["reach", "--to", "0,1,0.4", "--seconds", "0"],
        &["reach", "--to", "0,1,0.4", "--fps", "1e9"],
        &["reach", "--to", "0,1,0.4", "--from", "nowhere"],
    ] {
        sinew(wrong.iter().copied()).refused(2);
    }
    sinew(["reach", "chain:5", "--to", "0,1,0"]).refused(1);
}

/// The paper beside ours: a target that the arm and the behaviour leave short is refused there.
#[test]
fn as_published() {
    let near = ["reach", "--to", "-0.3,1.2,0.4", "--published"];
    assert!(sinew(near).fine().out.contains("reached"));
    let low = ["reach", "--to", "-0.3,0.1,0.4", "--json"];
    assert_eq!(sinew(low).fine().json()["reached"], true);
    let published = sinew(low.into_iter().chain(["--published"])).fine().json();
    assert_eq!(published["reached"], false);
    assert_eq!(published["frames"], 31);
}

#[test]
fn the_experiments_are_tables() {
    let few = "eval reach --targets 4 --goals 60 --path-step 1 --motions 1 --seed 2 --json";
    let document = sinew(few.split(' ')).fine().json();
    assert_eq!(document["schema"], "sinew.eval.reach/1");
    let told = document.to_string();
    for what in ["12168 triangles", "two-handed", "by what it takes", "Reaches round a random box"] {
        assert!(told.contains(what), "{what}: {told}");
    }
}
