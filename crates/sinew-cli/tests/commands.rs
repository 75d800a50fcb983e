//! The command as people and scripts use it: exit codes, output, files.
#![allow(clippy::unwrap_used, clippy::panic)] // helpers of tests, which clippy takes for more

#[path = "support/run.rs"]
mod run;

use run::{command, folder, outcome, sinew, text, waving};

#[test]
fn help_shows_examples_and_exit_codes() {
    let help = sinew(["--help"]).fine().out;
    assert!(help.contains("Exit codes:") && help.contains("Examples:"));
    for name in ["info", "convert", "show", "solve", "eval", "rigs", "completions"] {
        assert!(help.contains(name));
        assert!(sinew([name, "--help"]).fine().out.contains(&format!("  sinew {name}")), "{name}");
    }
    assert!(sinew(["--version"]).fine().out.starts_with("sinew "));
}

#[test]
fn wrong_use_ends_with_two() {
    assert_eq!(sinew::<&str>([]).code, 2);
    assert_eq!(sinew(["fly"]).code, 2);
    assert_eq!(sinew(["convert"]).code, 2);
    assert_eq!(sinew(["show", "spider", "-o", "x.png", "--frame", "1", "--strip", "2"]).code, 2);
    sinew(["show", "spider", "-o", "x.jpg"]).refused(2);
    sinew(["convert", "spider", "x.doc"]).refused(2);
    assert!(sinew(["convert", "spider", "x.png"]).refused(2).err.contains("sinew show"));
    sinew(["info", "spider", "--scale", "2"]).refused(2);
    sinew(["convert", "spider", "x.bvh", "--unit", "-1"]).refused(2);
    sinew(["convert", "spider", "x.glb", "--unit", "1"]).refused(2);
}

/// Whoever types a command to see what it does is shown that, and how to say what they want.
#[test]
fn commands_do_something_without_arguments() {
    for name in ["info", "solve", "look", "reach", "walk", "rigs"] {
        sinew([name]).fine();
    }
    for rig in ["arm", "chain:20", "spider", "erik-c", "snake", "quadruped"] {
        let words = sinew(["solve", rig]).fine();
        assert!(words.err.contains("--goal") && words.out.starts_with("reached"), "{rig}: {}", words.out);
    }
    let folder = folder("without-arguments");
    outcome(command().arg("show").current_dir(&folder)).fine();
    assert!(folder.join("humanoid.png").exists());
}

#[test]
fn what_is_missing_ends_with_one_and_is_named() {
    assert!(sinew(["info", "unicorn"]).refused(1).err.contains("'unicorn'"));
    assert!(sinew(["info", "no/such/file.bvh"]).refused(1).err.contains("no/such/file.bvh"));
    assert!(sinew(["info", "."]).refused(1).err.contains("folder"));
    assert!(
        sinew(["show", "spider", "-o", "no/such/folder/x.png"]).refused(1).err.contains("no/such/folder")
    );
    assert!(sinew(["show", "spider", "--frame", "0", "-o", "x.png"]).refused(1).err.contains("no motion"));
}

#[test]
fn every_embedded_rig_is_listed_and_described() {
    let list = sinew(["rigs", "--json"]).fine().json();
    assert_eq!(list["schema"], "sinew.rigs/1");
    let rigs = list["rigs"].as_array().unwrap();
    assert!(rigs.len() >= 12);
    let plain = sinew(["rigs"]).fine().out;
    for rig in rigs {
        let name = rig["name"].as_str().unwrap();
        assert!(plain.lines().any(|l| l.starts_with(name)), "{name}");
        let info = sinew(["info", name, "--json"]).fine().json();
        assert_eq!(info["schema"], "sinew.info/2");
        assert_eq!(info["source"]["kind"], "rig");
        assert_eq!(info["joint_count"], rig["joints"]);
        assert_eq!(info["joints"].as_array().unwrap().len() as u64, rig["joints"].as_u64().unwrap());
        assert_eq!(info["degrees_of_freedom"], rig["degrees_of_freedom"]);
        let tree = sinew(["info", name]).fine().out;
        let root = info["joints"][0]["name"].as_str().unwrap();
        assert!(tree.contains(root), "{name}: {tree}");
    }
}

#[test]
fn limits_are_told_in_degrees_to_people_and_as_documents_to_programs() {
    let tree = sinew(["info", "erik-c"]).fine().out;
    assert!(tree.contains("hinge") && tree.contains("±90°"), "{tree}");
    let info = sinew(["info", "erik-c", "--json"]).fine().json();
    let limits: Vec<_> =
        info["joints"].as_array().unwrap().iter().filter(|j| !j["limit"].is_null()).collect();
    assert_eq!(limits.len(), 5);
    for joint in limits {
        assert_eq!(joint["limit"]["words"], "±90°");
        let document = &joint["limit"]["shape"];
        assert_eq!(document["kind"], "hinge");
        assert!((document["range"]["max"].as_f64().unwrap() - std::f64::consts::FRAC_PI_2).abs() < 1e-9);
    }
}

#[test]
fn a_motion_file_tells_its_frames_and_parts() {
    let folder = folder("motion_info");
    let file = folder.join("wave.bvh");
    std::fs::write(&file, waving(31)).unwrap();
    let info = sinew(["info", text(&file), "--json", "--scale", "0.01"]).fine().json();
    assert_eq!(info["source"]["format"], "bvh");
    assert_eq!(info["motions"][0]["frames"], 31);
    assert!((info["motions"][0]["seconds"].as_f64().unwrap() - 1.0).abs() < 1e-3);
    assert!((info["motions"][0]["rate"].as_f64().unwrap() - 30.0).abs() < 1e-3);
    let parts = info["humanoid"]["found"].as_array().unwrap();
    assert!(parts.iter().any(|p| p["bone"] == "hips") && info["humanoid"]["complete"] == false);
    assert!(info["humanoid"]["missing"].as_array().unwrap().iter().any(|b| b == "head"));
    let height = info["size"][1].as_f64().unwrap();
    assert!((height - 1.4).abs() < 1e-6, "{height}");
    let tree = sinew(["info", text(&file)]).fine().out;
    assert!(
        tree.contains("31 frames") && tree.contains("└─ RightUpLeg") && tree.contains("missing"),
        "{tree}"
    );
}

#[test]
fn a_file_wins_over_a_rig_of_the_same_name() {
    let folder = folder("file_wins");
    std::fs::write(folder.join("spider"), waving(2)).unwrap();
    let info = outcome(command().current_dir(&folder).args(["info", "spider", "--json"])).fine().json();
    assert_eq!((info["source"]["kind"].as_str(), info["joint_count"].as_u64()), (Some("file"), Some(6)));
}

#[test]
fn conversion_there_and_back_keeps_joints_and_frames() {
    let folder = folder("convert");
    let path = |name: &str| folder.join(name);
    std::fs::write(path("wave.bvh"), waving(7)).unwrap();
    let scale = ["--scale", "0.01"];
    let (from, glb, back) = (path("wave.bvh"), path("wave.glb"), path("back.bvh"));
    let told = sinew(["convert", text(&from), text(&glb)].into_iter().chain(scale)).fine();
    assert!(told.out.contains("6 joints, 1 motion of 7 frames"), "{}", told.out);
    sinew(["convert", text(&glb), text(&back)]).fine();
    let (a, b) = (
        sinew(["info", text(&from), "--json"].into_iter().chain(scale)).fine().json(),
        sinew(["info", text(&back), "--json"].into_iter().chain(scale)).fine().json(),
    );
    assert_eq!(b["motions"][0]["frames"], 7);
    let names = |v: &serde_json::Value| -> Vec<String> {
        v["joints"].as_array().unwrap().iter().map(|j| j["name"].to_string()).collect()
    };
    assert_eq!(names(&a), names(&b));
    let same = sinew(["convert", text(&from), text(&from)]).refused(1);
    assert!(same.err.contains("replace"), "{}", same.err);
    sinew(["convert", text(&from), text(&path("x.bvh")), "--motion", "run"]).refused(1);
    let read_only = sinew(["convert", text(&from), text(&path("x.urdf"))]).refused(2);
    assert!(read_only.err.contains("URDF can only be read"), "{}", read_only.err);
}

#[test]
fn what_a_format_cannot_hold_is_told_on_standard_error() {
    let folder = folder("notes");
    let told = sinew(["convert", "erik-a", text(&folder.join("robot.bvh"))]).fine();
    assert!(told.err.lines().any(|l| l.starts_with("note: ") && l.contains("limit")), "{}", told.err);
}

#[test]
fn a_robot_hangs_where_it_is_told_to() {
    let folder = folder("root");
    let file = folder.join("lamp.urdf");
    let lamp = r#"<robot name="lamp"><link name="head"/><link name="arm"/><link name="base"/>
<joint name="neck" type="revolute"><parent link="head"/><child link="arm"/><axis xyz="0 1 0"/>
  <origin xyz="0 0 -0.2"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
<joint name="foot" type="revolute"><parent link="arm"/><child link="base"/><axis xyz="0 1 0"/>
  <origin xyz="0 0 -0.3"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"#;
    std::fs::write(&file, lamp).unwrap();
    let first = |info: serde_json::Value| info["joints"][0]["name"].as_str().unwrap().to_string();
    assert_eq!(first(sinew(["info", text(&file), "--json"]).fine().json()), "head");
    assert_eq!(first(sinew(["info", text(&file), "--json", "--root", "base"]).fine().json()), "base");
    assert!(sinew(["info", text(&file), "--root", "bass"]).refused(1).err.contains("base"));
    sinew(["info", text(&file), "--rate", "30"]).refused(2);
}

fn png_size(path: &std::path::Path) -> (u32, u32) {
    let decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert!(pixels.iter().any(|p| *p < 128), "the picture is blank");
    (frame.width, frame.height)
}

#[test]
fn pictures_have_the_size_that_was_asked_for() {
    let folder = folder("show");
    let path = |name: &str| folder.join(name);
    let told = sinew(["show", "spider", "-o", text(&path("a.png"))]).fine();
    let (width, height) = png_size(&path("a.png"));
    assert_eq!(width, 1600);
    assert!(told.out.contains(&format!("1600 by {height} pixels")), "{}", told.out);
    sinew(["show", "erik-g", "--width", "640", "--limits", "off", "-o", text(&path("b.PNG"))]).fine();
    assert_eq!(png_size(&path("b.PNG")).0, 640);
    sinew(["show", "chain:300", "--views", "turned,top", "-o", text(&path("c.svg"))]).fine();
    assert!(std::fs::read_to_string(path("c.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn frames_and_strips_of_a_motion() {
    let folder = folder("strip");
    let path = |name: &str| folder.join(name);
    std::fs::write(path("wave.bvh"), waving(40)).unwrap();
    let wave = path("wave.bvh");
    let show = |arguments: &[&str], out: &str| {
        sinew(["show", text(&wave), "-o", text(&path(out))].iter().chain(arguments))
    };
    show(&["--frame", "39"], "f.svg").fine();
    assert!(std::fs::read_to_string(path("f.svg")).unwrap().contains("frame 39 of 40"));
    assert!(show(&["--frame", "40"], "g.svg").refused(1).err.contains("frames 0 to 39"));
    show(&["--strip", "5", "--views", "side"], "s.svg").fine();
    let strip = std::fs::read_to_string(path("s.svg")).unwrap();
    assert!(strip.contains(">frame 0, 0.00 s<") && strip.contains(">frame 39, 1.30 s<"));
    show(&["--strip", "5", "--views", "side,top"], "t.svg").refused(2);
    show(&["--strip", "100"], "u.png").fine();
    png_size(&path("u.png"));
    show(&["--posture", "shy"], "v.svg").refused(1);
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(sinew(["completions", shell]).fine().out.contains("sinew"), "{shell}");
    }
    assert_eq!(sinew(["completions", "cobol"]).code, 2);
}

#[test]
fn colours_only_where_they_are_wanted() {
    assert!(!sinew(["rigs"]).fine().out.contains('\u{1b}'), "a pipe is no terminal");
    let forced = outcome(command().env("CLICOLOR_FORCE", "1").args(["info", "erik-a"])).fine();
    assert!(forced.out.contains('\u{1b}'));
    let plain = outcome(command().env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").args(["info", "unicorn"]));
    assert!(!plain.err.contains('\u{1b}'), "{:?}", plain.err);
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    for arguments in
        [&["rigs"][..], &["info", "chain:3000"], &["info", "spider", "--json"], &["completions", "bash"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command().args(arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The examples of `convert --help` work, `.rig` among them; a goal on a link of
/// a robot that hangs by another one is a goal on the link's own frame.
#[test]
fn a_robot_becomes_a_rig_and_its_links_are_where_the_file_has_them() {
    let folder = folder("robot");
    let path = |name: &str| folder.join(name);
    let robot = br#"<robot name="arm"><link name="base"/><link name="upper"/><link name="hand"/>
<joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
  <origin xyz="0 0 0.0892"/></joint>
<joint name="elbow" type="continuous"><parent link="upper"/><child link="hand"/><axis xyz="0 1 0"/>
  <origin xyz="0.4 0 0"/></joint></robot>"#;
    std::fs::write(path("robot.urdf"), robot).unwrap();
    sinew(["convert", text(&path("robot.urdf")), text(&path("robot.rig"))]).fine();
    let info = sinew(["info", text(&path("robot.rig")), "--json"]).fine().json();
    assert_eq!(info["source"]["format"], "rig.toml");

    // Hung up by its hand, the base goes to where it is told, and not 89 mm beside it.
    let goal = "base=0,0.0892,-0.4";
    let solved = path("solved.glb");
    let (robot_file, solved_file) = (path("robot.urdf"), text(&solved).to_string());
    let words =
        ["solve", text(&robot_file), "--root", "hand", "--axes", "model", "--goal", goal, "-o", &solved_file];
    let told = sinew(words);
    assert!(told.fine().out.contains("reached"));
    let asset = sinew_io::read_file(&solved).unwrap();
    assert!(asset.pose.is_some() && asset.motions.is_empty(), "the pose is in the nodes");
    let model = sinew_f64::ModelPose::new(&asset.skeleton, asset.pose.as_ref().unwrap());
    let hung = sinew_io::urdf::UrdfOptions { root: Some("hand".into()), ..Default::default() };
    let base = sinew_io::urdf::read_with(robot, &hung).unwrap().effector("base").unwrap();
    let off = base.transform(&model).translation - sinew_f64::Vec3::new(0.0, 0.0892, -0.4);
    assert!(off.length() < 1e-3, "{off}");
}
