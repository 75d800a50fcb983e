//! What a person does, without the browser.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)] // it is a test

#[path = "support/client.rs"]
mod client;

use std::time::Instant;

use client::{Studio, Tab};
use sinew_f64::limit::{AngleRange, HingeLimit, LimitShape};
use sinew_f64::rigs;
use sinew_io::{Asset, Format, Motion, WriteOptions};
use sinew_studio::wire::{
    ClientMessage, ExportFormat, ExportWhat, FrameDetails, LimitDocument, Obstacle, ObstacleForm, Placed,
    Playing, PostureDocument, ReachScene, RigDescription, RigSource, ServerMessage, SolverChoice,
    TerrainChoice, ThingForm, WalkScene,
};
use sinew_studio::{Opening, ServerOptions};

async fn upload(studio: &Studio, name: &str, bytes: &[u8]) -> RigSource {
    let answer = studio.upload(name, bytes).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    RigSource::Upload { id: answer.json()["id"].as_str().unwrap().into() }
}

async fn export(studio: &Studio, tab: &mut Tab, what: ExportWhat, format: ExportFormat) -> (String, Vec<u8>) {
    tab.send(&ClientMessage::Export { request: 9, what, format, clip: None, body: None }).await;
    match tab.answer().await {
        ServerMessage::Exported { request: 9, url, name, .. } => {
            let answer = studio.get(&url).await;
            assert_eq!(answer.status, 200);
            assert!(answer.head.contains("attachment"), "{}", answer.head);
            (name, answer.body)
        }
        other => panic!("{other:?}"),
    }
}

fn joint(rig: &RigDescription, name: &str) -> usize {
    rig.joints.iter().position(|j| j.name == name).unwrap()
}

fn place(placed: &Placed, joint: usize) -> [f32; 3] {
    placed.positions[3 * joint..3 * joint + 3].try_into().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn drop_a_file_drag_a_hand_export_and_open_that_again() {
    let studio = Studio::start();
    let mut asset = Asset::new(rigs::humanoid(rigs::SwingModel::Ellipse));
    let rest = sinew_f64::Pose::rest(&asset.skeleton);
    asset.motions = vec![Motion::new("stand", 0.02, vec![rest; 3])];
    let file = sinew_io::write(Format::Glb, &asset, &WriteOptions::default()).unwrap();
    let source = upload(&studio, "my%20human.glb", &file.bytes).await;
    let mut tab = studio.tab().await;
    let rig = tab.load(source.clone()).await;
    assert_eq!(rig.joints.len(), 34);
    assert_eq!((rig.motions.len(), rig.motions[0].frames), (1, 3));
    let mesh = rig.mesh.as_ref().expect("the bones of the file are a mesh");
    assert_eq!(studio.get(&mesh.url).await.body, file.bytes);
    assert!(rig.size > 1.5 && rig.floor.abs() < 0.05);
    assert_eq!(rig.goals.len(), 6);
    tab.pose(&rig).await;

    // Far at first, near soon: the error falls while nothing more is said.
    let hand = rig.goals.iter().find(|g| g.id == "right hand").unwrap();
    let wanted = [hand.position[0] - 0.1, hand.position[1] + 0.4, hand.position[2] + 0.3];
    let (first, details) = tab.drag("right hand", wanted).await;
    assert_eq!(first.input, tab.input);
    let last = tab.at_rest().await.unwrap_or(first);
    let at = place(&last.pose, hand.joint as usize);
    let off = (0..3).map(|i| (f64::from(at[i]) - wanted[i]).abs()).fold(0.0, f64::max);
    assert!(off < 1.0e-3, "{at:?} for {wanted:?}: {details:?}");

    for (format, ending) in [(ExportFormat::Glb, "glb"), (ExportFormat::Bvh, "bvh")] {
        let (name, bytes) = export(&studio, &mut tab, ExportWhat::Pose, format).await;
        assert!(name.ends_with(ending), "{name}");
        let again = upload(&studio, &name, &bytes).await;
        let mut other = studio.tab().await;
        let rig_again = other.load(again).await;
        assert_eq!(rig_again.motions.len(), 1);
        let read = sinew_io::read(&name, &bytes, &mut |_| None).unwrap();
        let model = sinew_f64::ModelPose::new(&read.skeleton, &read.motions[0].frames[0]);
        let joint = read.skeleton.find(&rig.joints[hand.joint as usize].name).unwrap();
        let found = model.position(joint).to_array();
        let off = (0..3).map(|i| (found[i] - wanted[i]).abs()).fold(0.0, f64::max);
        assert!(off < 5.0e-3, "{ending}: {found:?} for {wanted:?}");
    }
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edited_limit_is_obeyed_and_saved() {
    let studio = Studio::start();
    let mut tab = studio.tab().await;
    let rig = tab.load_rig("arm").await;
    let (hinge, range) = rig
        .joints
        .iter()
        .enumerate()
        .find_map(|(i, j)| match &j.limit.as_ref()?.shape {
            LimitShape::Hinge(l) if l.range.max - l.range.min > 1.0 => Some((i as u32, l.range)),
            _ => None,
        })
        .unwrap();
    let scene = tab.pose(&rig).await;
    let document = rig.joints[hinge as usize].limit.clone().unwrap();
    assert_eq!(document.handles.len(), 2);
    assert!(!document.outlines.is_empty());

    // Dragging a handle answers with the whole limit.
    let to = document.outlines[0].points.chunks(3).nth(48).unwrap();
    let to = [f64::from(to[0]), f64::from(to[1]), f64::from(to[2])];
    tab.send(&ClientMessage::DragHandle { request: 3, joint: hinge, handle: 1, to }).await;
    let ServerMessage::Limit { request: 3, limit, .. } = tab.answer().await else { panic!() };
    let LimitShape::Hinge(HingeLimit { range: narrowed, .. }) = limit.shape else { panic!() };
    assert!((narrowed.max - 0.5 * (range.min + range.max)).abs() < 1.0e-3, "{narrowed:?} of {range:?}");

    // A narrow limit holds the joint whatever is wanted, and the cause says so.
    let LimitShape::Hinge(HingeLimit { axis, .. }) = document.shape else { panic!() };
    let narrow = LimitDocument {
        shape: LimitShape::Hinge(HingeLimit { axis, range: AngleRange::new(-0.01, 0.01) }),
        soft_zone: 0.0,
        outlines: Vec::new(),
        handles: Vec::new(),
        region: None,
    };
    for joint in 0..rig.joints.len() as u32 {
        let Some(LimitShape::Hinge(HingeLimit { axis, .. })) =
            rig.joints[joint as usize].limit.as_ref().map(|l| l.shape.clone())
        else {
            continue;
        };
        let mut limit = narrow.clone();
        limit.shape = LimitShape::Hinge(HingeLimit { axis, range: AngleRange::new(-0.01, 0.01) });
        tab.send(&ClientMessage::SetLimit { request: 4, joint, limit }).await;
        assert!(matches!(tab.answer().await, ServerMessage::Limit { request: 4, .. }));
    }
    let goal = &scene.goals[0];
    let far = [goal.position[0] + 0.4, goal.position[1] - 0.2, goal.position[2] + 0.1];
    tab.drag(&goal.id, far).await;
    let (_, details) = tab
        .show(&{
            let mut scene = scene.clone();
            scene.goals[0].position = far;
            scene
        })
        .await;
    assert!(!details.reached, "{details:?}");
    assert!(details.cause.is_some());
    tab.at_rest().await;
    tab.send(&ClientMessage::SavePosture {
        request: 5,
        posture: PostureDocument { name: "held".into(), rotations: Vec::new(), values: Vec::new() },
        remove: false,
    })
    .await;
    let ServerMessage::Postures { postures, .. } = tab.answer().await else { panic!() };
    for (value, joint) in postures[0].values.iter().zip(&rig.joints) {
        if joint.limit.is_some() && joint.kind == "hinge" {
            assert!(value.abs() <= 0.01 + 1.0e-6, "{}: {value}", joint.name);
        }
    }

    // A limit that is none is refused, and the old one stays.
    let mut bad = narrow.clone();
    bad.shape = LimitShape::Hinge(HingeLimit { axis, range: AngleRange::new(1.0, -1.0) });
    tab.send(&ClientMessage::SetLimit { request: 6, joint: hinge, limit: bad }).await;
    assert!(tab.failure().await.contains("lies above"));

    // Saved with the rig, and there when it is opened again.
    let (name, bytes) = export(&studio, &mut tab, ExportWhat::Rig, ExportFormat::Rig).await;
    assert_eq!(name, "arm.rig.toml");
    let again = upload(&studio, &name, &bytes).await;
    let rig = tab.load(again).await;
    let LimitShape::Hinge(HingeLimit { range, .. }) = rig.joints[hinge as usize].limit.clone().unwrap().shape
    else {
        panic!()
    };
    assert!((range.max - 0.01).abs() < 1.0e-9);
    // Besides the shapes that any chain can take.
    let shapes = sinew_f64::solver::erik::postures::NAMES;
    assert_eq!(rig.postures.iter().filter(|p| !shapes.contains(&p.name.as_str())).count(), 1);
    tab.send(&ClientMessage::Export {
        request: 7,
        what: ExportWhat::Rig,
        format: ExportFormat::Bvh,
        clip: None,
        body: None,
    })
    .await;
    assert!(tab.failure().await.contains("rig file"));
    tab.send(&ClientMessage::Export {
        request: 7,
        what: ExportWhat::Take,
        format: ExportFormat::Bvh,
        clip: None,
        body: None,
    })
    .await;
    assert!(tab.failure().await.contains("nothing was recorded"));
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_take_is_recorded_pins_hold_and_solvers_can_be_chosen() {
    let studio = Studio::start();
    let mut tab = studio.tab().await;
    let rig = tab.load_rig("humanoid").await;
    let mut scene = tab.pose(&rig).await;
    // Only a hand is pulled; an elbow of the other arm is pinned.
    scene.goals.retain(|g| g.id == "right hand");
    let elbow = joint(&rig, "l_elbow") as u32;
    scene.pins = vec![elbow];
    scene.travel = false;
    let (before, _) = tab.show(&scene).await;
    tab.send(&ClientMessage::Record { on: true }).await;
    let hand = scene.goals[0].position;
    for i in 1..=20 {
        let by = f64::from(i) * 0.02;
        tab.drag("right hand", [hand[0], hand[1] + by, hand[2] + by]).await;
    }
    tab.send(&ClientMessage::Record { on: false }).await;
    let last = tab.at_rest().await.unwrap();
    assert!(last.recorded >= 15, "{}", last.recorded);
    let (a, b) = (place(&before.pose, elbow as usize), place(&last.pose, elbow as usize));
    assert!((0..3).all(|i| (a[i] - b[i]).abs() < 5.0e-3), "the pin moved from {a:?} to {b:?}");
    let (root_a, root_b) = (place(&before.pose, 0), place(&last.pose, 0));
    assert_eq!(root_a, root_b, "a root that may not travel stays");
    let (name, bytes) = export(&studio, &mut tab, ExportWhat::Take, ExportFormat::Bvh).await;
    let take = sinew_io::read(&name, &bytes, &mut |_| None).unwrap();
    assert_eq!(take.motions[0].frames.len() as u32, last.recorded);
    assert!((take.motions[0].frame_time - 1.0 / 60.0).abs() < 5.0e-3, "{}", take.motions[0].frame_time);

    // Every solver, with another as its ghost.
    scene.pins.clear();
    let names: Vec<String> = tab.welcome.as_ref().unwrap().solvers.iter().map(|s| s.name.clone()).collect();
    assert_eq!(names.len(), 12);
    for name in names {
        scene.solver = SolverChoice { name: name.clone(), ..SolverChoice::default() };
        scene.ghost = Some(SolverChoice { name: "ccd".into(), ..SolverChoice::default() });
        let (frame, details) = tab.show(&scene).await;
        assert!(frame.pose.positions.iter().all(|x| x.is_finite()));
        assert!(details.ghost.is_some(), "{name}");
    }
    scene.ghost = None;
    scene.solver.options.insert("no.such".into(), 1.into());
    tab.input += 1;
    tab.send(&ClientMessage::Pose { input: tab.input, scene: scene.clone() }).await;
    assert!(tab.failure().await.contains("has no option 'no.such'"));
    // The longest solve that can be asked for does not stall the page.
    scene.solver = SolverChoice { name: "transpose".into(), ..SolverChoice::default() };
    scene.solver.options.insert("iterations".into(), 4_000_000_000_u32.into());
    scene.goals[0].position = [9.0, 9.0, 9.0];
    let start = Instant::now();
    tab.show(&scene).await;
    assert!(start.elapsed().as_secs_f64() < 2.0);
    studio.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_every_kind_are_opened_or_refused_in_words() {
    let bvh = b"HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 2 0\n}\n}\n";
    let options = ServerOptions {
        port: Some(0),
        open: Some(Opening::File("some/where/first.bvh".into(), bvh.to_vec())),
        ..ServerOptions::default()
    };
    let studio = Studio::start_with(options);
    let mut tab = studio.tab().await;
    let open = tab.welcome.as_ref().unwrap().open.clone().expect("the file of the command line");
    assert_eq!(tab.load(open).await.joints[0].name, "hips");
    let urdf = br#"<robot name="door"><link name="frame"/><link name="leaf"/><joint name="hinge" type="revolute">
        <parent link="frame"/><child link="leaf"/><axis xyz="0 0 1"/><limit lower="0" upper="1.5" effort="1" velocity="1"/>
        </joint></robot>"#;
    let source = upload(&studio, "door.urdf", urdf).await;
    let rig = tab.load(source).await;
    assert_eq!(rig.joints.last().unwrap().range, Some([0.0, 1.5]));
    // A file that needs another finds it among those that were dropped.
    upload(&studio, "stick.bvh", bvh).await;
    let sidecar = b"sinew_rig = 1\nskeleton = \"stick.bvh\"\n";
    let source = upload(&studio, "stick.rig.toml", sidecar).await;
    assert_eq!(tab.load(source).await.joints[0].name, "hips");
    for (name, bytes, words) in [
        ("broken.bvh", b"HIERARCHY\nROOT".as_slice(), "broken.bvh: line 2"),
        ("notes.txt", b"dear diary", "notes.txt"),
        ("broken.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff", "broken.glb"),
        ("lost.rig.toml", b"sinew_rig = 1\nskeleton = \"none.bvh\"\n", "no file 'none.bvh'"),
    ] {
        let rig = upload(&studio, name, bytes).await;
        tab.send(&ClientMessage::Load { request: 2, rig, fitting: None }).await;
        let said = tab.failure().await;
        assert!(said.contains(words), "{name}: {said}");
    }
    studio.stop().await;
}

/// The figures that the studio promises, measured where nothing is drawn: sixty
/// solves a second for the humanoid with six goals, and a frame soon after a drag.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_solves_a_second_while_dragging() {
    let studio = Studio::start();
    let mut tab = studio.tab().await;
    let rig = tab.load_rig("humanoid").await;
    tab.pose(&rig).await;
    let hand = rig.goals.iter().find(|g| g.id == "right hand").unwrap().position;
    let mut delays = Vec::new();
    let mut last = None;
    for i in 0..150 {
        let t = f64::from(i) * 0.05;
        let to = [hand[0] - 0.1 + 0.1 * t.sin(), hand[1] + 0.3 + 0.2 * t.cos(), hand[2] + 0.3];
        let start = Instant::now();
        let (frame, details) = tab.drag("right hand", to).await;
        delays.push(start.elapsed().as_secs_f64() * 1.0e3);
        last = Some((frame, details));
    }
    delays.sort_by(f64::total_cmp);
    let (frame, details) = last.unwrap();
    println!(
        "drag to frame: median {:.1} ms, 95 % {:.1} ms; {} solves a second of {:.0} µs; error {:.2} mm",
        delays[delays.len() / 2],
        delays[delays.len() * 95 / 100],
        frame.rate,
        frame.micros,
        details.position_error * 1.0e3
    );
    // A machine that is busy with other tests is given room.
    assert!(delays[delays.len() / 2] < 50.0, "{delays:?}");
    assert!(frame.rate >= 25.0 && frame.rate <= 62.0, "{}", frame.rate);
    studio.stop().await;
}

/// Recordings floated where their recorder had its floor, and undo brought goals back but not the pose.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn motions_stand_on_the_floor_move_others_and_poses_come_back() {
    let studio = Studio::start();
    let mut asset = Asset::new(rigs::humanoid(rigs::SwingModel::Ellipse));
    let mut high = sinew_f64::Pose::rest(&asset.skeleton);
    high.set_translation(asset.skeleton.root(), sinew_f64::Vec3::Y * 0.5);
    asset.motions = vec![Motion::new("float", 0.02, vec![high; 40])];
    let file = sinew_io::write(Format::Bvh, &asset, &WriteOptions::default()).unwrap();
    let source = upload(&studio, "float.bvh", &file.bytes).await;
    let mut tab = studio.tab().await;
    let rig = tab.load(source.clone()).await;
    let scene = tab.pose(&rig).await;
    let lowest = |placed: &Placed| placed.positions.chunks(3).map(|p| p[1]).fold(f32::INFINITY, f32::min);
    let stands = lowest(&tab.show(&scene).await.0.pose);
    let play = Playing { motion: 0, running: true, frame: 0.0, speed: 1.0, looped: true, trim: None };
    tab.input += 1;
    tab.send(&ClientMessage::Play { input: tab.input, play: Some(play) }).await;
    let (mut frame, _) = tab.frame().await;
    while frame.playing.is_none_or(|playing| playing.frame < 3.0) {
        frame = tab.frame().await.0;
    }
    assert!((lowest(&frame.pose) - stands).abs() < 0.03, "{} and {stands}", lowest(&frame.pose));

    // A drag goes on from the motion; the pose after it comes back with its scene.
    let hand = rig.goals.iter().find(|g| g.id == "left hand").unwrap().position;
    let (moved, _) = tab.drag("left hand", [hand[0] + 0.1, hand[1] + 0.2, hand[2] + 0.1]).await;
    let kept = tab.at_rest().await.unwrap_or(moved);
    assert_eq!(kept.playing, None);
    tab.drag("left hand", [hand[0] + 0.3, hand[1] + 0.4, hand[2]]).await;
    tab.at_rest().await;
    tab.show(&scene).await;
    tab.input += 1;
    tab.send(&ClientMessage::Stand { input: tab.input, pose: kept.pose.clone(), time: None }).await;
    let (back, _) = tab.frame().await;
    let off = back.pose.positions.iter().zip(&kept.pose.positions).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f32::max) < 1.0e-4);
    let mut short = kept.pose;
    short.positions.pop();
    tab.send(&ClientMessage::Stand { input: tab.input, pose: short, time: None }).await;
    assert!(tab.failure().await.contains("joints"));

    // On another body.
    tab.load_rig("humanoid").await;
    let RigSource::Upload { id } = source else { panic!() };
    tab.send(&ClientMessage::Adopt { request: 8, id }).await;
    let ServerMessage::Motions { request: 8, motions, .. } = tab.answer().await else { panic!() };
    assert_eq!((motions.len(), motions[0].frames, motions[0].added), (1, 40, true));
    tab.send(&ClientMessage::Adopt { request: 9, id: "gone".into() }).await;
    assert!(tab.failure().await.contains("no longer kept"));
    studio.stop().await;
}

/// A picture of three pixels: black, grey and white.
#[rustfmt::skip]
const PICTURE: [u8; 69] = [
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
    0x00, 0x03, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3e, 0x8b, 0x4b, 0x68, 0x00, 0x00, 0x00,
    0x0c, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x60, 0x68, 0xf8, 0x0f, 0x00, 0x02, 0x03, 0x01, 0x80, 0x24,
    0x61, 0xf5, 0x97, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ground_and_obstacles_come_from_files() {
    const RAMP: &str = "v -2 0 1\nv 2 0 1\nv 2 0.5 3\nv -2 0.5 3\nf 1 4 3 2\n";
    let studio = Studio::start();
    let id = |source: RigSource| match source {
        RigSource::Upload { id } => id,
        RigSource::Rig { .. } => panic!("not uploaded"),
    };
    let ramp = id(upload(&studio, "ramp.obj", RAMP.as_bytes()).await);
    let mut tab = studio.tab().await;
    tab.send(&ClientMessage::Bring { request: 3, id: ramp.clone() }).await;
    assert_eq!(tab.failure().await, "choose a rig first");
    tab.load_rig("humanoid").await;
    let scene = |terrain: TerrainChoice| WalkScene {
        terrain,
        solver: "limb".into(),
        speed: None,
        lift: 1.0,
        arms: 1.0,
    };
    let on = |file: &str| scene(TerrainChoice::Mesh { file: file.into(), scale: 1.0 });
    tab.send(&ClientMessage::Walk { input: 1, scene: on(&ramp) }).await;
    assert!(tab.failure().await.contains("drop it again"), "a scene names only what was brought");

    tab.send(&ClientMessage::Bring { request: 3, id: ramp.clone() }).await;
    let thing = match tab.answer().await {
        ServerMessage::Brought { request: 3, thing } => thing,
        other => panic!("{other:?}"),
    };
    assert_eq!((thing.name.as_str(), &thing.id), ("ramp.obj", &ramp));
    let ThingForm::Mesh { triangles: 2, low: [-2.0, 0.0, 1.0], high: [2.0, 0.5, 3.0] } = thing.form else {
        panic!("{thing:?}")
    };
    // The page draws what is walked on.
    let packed = studio.get(&format!("/api/mesh/{ramp}")).await.body;
    assert_eq!(packed.len(), 8 + 4 * 12 + 2 * 12);
    assert_eq!(packed[..8], [4, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(studio.get("/api/mesh/none").await.status, 404);

    tab.send(&ClientMessage::Walk { input: 2, scene: on(&ramp) }).await;
    tab.send(&ClientMessage::Steer { input: 3, speed: 1.0, turn: 0.0 }).await;
    let mut drawn = None;
    let climbed = loop {
        match tab.next().await {
            ServerMessage::Ground { ground } => drawn = Some(ground),
            ServerMessage::Frame { frame } => {
                let FrameDetails::Walk(walk) = frame.details else { panic!("{:?}", frame.details) };
                if walk.place[2] > 2.5 {
                    break walk.place[1];
                }
            }
            other => panic!("{other:?}"),
        }
    };
    assert!((0.25..0.55).contains(&climbed), "it climbs the ramp: {climbed}");
    assert!(drawn.unwrap().heights.iter().any(|height| *height > 0.45));

    // The same file is an obstacle to reach around.
    let obstacle = Obstacle {
        id: "ramp".into(),
        form: ObstacleForm::Mesh { file: ramp.clone(), scale: 0.1 },
        position: [0.0, 1.0, 0.5],
        rotation: [0.0, 0.0, 0.0, 1.0],
    };
    let reach = ReachScene { obstacles: vec![obstacle], collisions: true, ..ReachScene::default() };
    tab.send(&ClientMessage::Reach { input: 4, scene: reach }).await;
    loop {
        match tab.next().await {
            ServerMessage::Frame { frame } if matches!(frame.details, FrameDetails::Reach(_)) => break,
            ServerMessage::Failed { message, .. } => panic!("{message}"),
            _ => {}
        }
    }

    // What is wrong with a file is said with its name, and the scene lives on.
    for (name, bytes, wanted) in [
        ("nan.obj", &b"v nan 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n"[..], "nan.obj: line 1: found 'nan'"),
        ("far.obj", b"v 1e9 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", "nowhere near"),
        ("empty.obj", b"# nothing\n", "empty.obj: "),
        ("cut.png", &PICTURE[..40], "a PNG picture"),
        ("broken.glb", b"glTF\x02\0\0\0\x0c\0\0\0", "broken.glb: "),
    ] {
        let file = id(upload(&studio, name, bytes).await);
        tab.send(&ClientMessage::Bring { request: 5, id: file }).await;
        let words = tab.failure().await;
        assert!(words.contains(wanted), "{words}");
    }
    let map = id(upload(&studio, "heights.png", &PICTURE).await);
    tab.send(&ClientMessage::Bring { request: 6, id: map.clone() }).await;
    assert!(matches!(tab.answer().await, ServerMessage::Brought { request: 6, .. }));
    let (wrong, right) = (on(&map), TerrainChoice::Map { file: map, height: 0.5, cell: 1.0 });
    tab.send(&ClientMessage::Walk { input: 7, scene: wrong }).await;
    assert!(tab.failure().await.contains("a picture has no triangles"));
    tab.send(&ClientMessage::Walk { input: 8, scene: scene(right) }).await;
    let ground = match tab.answer().await {
        ServerMessage::Ground { ground } => ground,
        other => panic!("{other:?}"),
    };
    assert!(ground.heights.contains(&0.5) && ground.heights.contains(&0.0));
    studio.stop().await;
}
