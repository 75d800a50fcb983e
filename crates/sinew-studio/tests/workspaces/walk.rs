//! The Walk workspace as the page uses it.

use crate::common::{apart, check, rig};
use sinew_f64::body::walk::Terrain;
use sinew_f64::{ModelPose, Vec3};
use sinew_studio::rig::Rig;
use sinew_studio::wire::{FootFrame, FrameDetails, ServerMessage, TerrainChoice, WalkFrame, WalkScene};
use sinew_studio::workspace::walk::{Walk, why_not};
use sinew_studio::workspace::{Step, Workspace};

const FRAME: f64 = 1.0 / 60.0;

fn scene(terrain: TerrainChoice) -> WalkScene {
    WalkScene { terrain, solver: "limb".into(), speed: None, lift: 1.0, arms: 1.0 }
}

fn frame(step: &Step) -> &WalkFrame {
    let FrameDetails::Walk(frame) = &step.details else { panic!("{step:?}") };
    frame
}

/// The soles as they really are, measured in the feet's frames at rest.
fn soles(rig: &Rig, walk: &Walk, feet: &[FootFrame]) -> Vec<[Vec3; 2]> {
    let model = ModelPose::new(&rig.asset.skeleton, walk.pose());
    feet.iter()
        .map(|foot| {
            let joint = rig.asset.skeleton.id(foot.joint as usize).unwrap();
            let into = model.transform(joint).inverse();
            [foot.heel, foot.toe].map(|p| into.transform_point(Vec3::from(p)))
        })
        .collect()
}

#[test]
fn it_walks_up_stairs_and_down_and_what_is_planted_holds() {
    let rig = rig("humanoid");
    let mut walk = Walk::new(&rig, scene(TerrainChoice::Stairs { rise: 0.16, tread: 0.32 })).unwrap();
    let first = walk.step(&rig, 0.0);
    let soles = soles(&rig, &walk, &frame(&first).feet);
    assert!(matches!(&first.messages[..], [ServerMessage::Ground { .. }]) && !first.busy);
    walk.steer(1.0, 0.0).unwrap();
    let mut before: Vec<(FootFrame, [Vec3; 2])> = Vec::new();
    let (mut highest, mut planted, mut lifted, mut patches) = (0.0f64, 0, 0.0f64, 0);
    for _ in 0..1200 {
        let step = walk.step(&rig, FRAME);
        check(&rig, &walk, &step);
        patches += step.messages.len();
        let frame = frame(&step);
        assert!(step.busy && frame.slip < 1.0e-3);
        highest = highest.max(frame.place[1]);
        let model = ModelPose::new(&rig.asset.skeleton, walk.pose());
        let now: Vec<(FootFrame, [Vec3; 2])> = frame
            .feet
            .iter()
            .zip(&soles)
            .map(|(foot, sole)| {
                let joint = rig.asset.skeleton.id(foot.joint as usize).unwrap();
                (foot.clone(), sole.map(|p| model.transform(joint).transform_point(p)))
            })
            .collect();
        for ((foot, at), (foot_before, at_before)) in now.iter().zip(&before) {
            lifted = lifted.max(foot.height);
            if foot.heel_planted && foot_before.heel_planted {
                planted += 1;
                assert!(at[0].distance(at_before[0]) < 1.0e-3);
                assert!(
                    (at[0].y - walk.ground().height(at[0].x, at[0].z)).abs() < 2.0e-3
                        || foot.height.abs() > 0.1
                );
            }
            if foot.toe_planted && foot_before.toe_planted {
                assert!(at[1].distance(at_before[1]) < 1.0e-3);
            }
        }
        before = now;
    }
    assert!(highest > 8.0 * 0.16 - 0.05, "{highest}");
    assert!(planted > 600 && lifted > 0.05, "{planted} {lifted}");
    assert!(patches >= 1, "it left its patch");
    let z = walk.step(&rig, 0.0);
    assert!(frame(&z).place[2] > 9.0 && frame(&z).place[1].abs() < 0.01, "{:?}", frame(&z).place);
    walk.steer(0.0, 0.0).unwrap();
    let mut last = true;
    for _ in 0..300 {
        last = walk.step(&rig, FRAME).busy;
    }
    assert!(!last, "it does not come to a stand");
    walk.reset(&rig);
    let again = walk.step(&rig, 0.0);
    assert!(
        frame(&again).place[2].abs() < 0.1 && !again.messages.is_empty(),
        "the first ground is sent again"
    );
}

/// A frame in which the solver changes moves no joint further than other frames
/// of this walk do, and less than 15 cm: the legs are turned a little otherwise,
/// nothing jumps.
#[test]
fn the_solver_may_change_in_mid_stride() {
    let rig = rig("humanoid");
    let mut walk = Walk::new(&rig, scene(TerrainChoice::Hills { seed: 4, height: 0.35 })).unwrap();
    walk.steer(1.0, 0.2).unwrap();
    let solvers = ["limb", "ewbik", "half", "hybrid", "full", "limb"];
    let (mut steady, mut switching) = (0.0f64, 0.0f64);
    let mut last = walk.pose().clone();
    for i in 0..720 {
        let switched = i >= 120 && i % 37 == 0;
        if switched {
            let solver = solvers[i / 37 % solvers.len()].to_string();
            let scene = WalkScene { solver, ..scene(TerrainChoice::Hills { seed: 4, height: 0.35 }) };
            walk.set_scene(&rig, scene).unwrap();
        }
        let step = walk.step(&rig, FRAME);
        check(&rig, &walk, &step);
        let moved = apart(&rig, &last, walk.pose());
        let worst = if switched { &mut switching } else { &mut steady };
        *worst = worst.max(moved);
        last = walk.pose().clone();
    }
    println!(
        "a frame moves a joint by {steady:.4} m at the most, one with another solver by {switching:.4} m"
    );
    assert!(switching <= steady && switching < 0.15);
}

#[test]
fn spiders_and_dogs_walk_and_arms_do_not() {
    // The dog's hind legs are short of some of its steps; the engine says so itself.
    for (name, most) in [("spider", 1.0e-3), ("quadruped", 0.08), ("humanoid-hands", 1.0e-3)] {
        let rig = rig(name);
        assert_eq!(why_not(&rig), None);
        let mut walk = Walk::new(&rig, scene(TerrainChoice::Flat)).unwrap();
        let before = frame(&walk.step(&rig, 0.0)).place[2];
        walk.steer(1.0, 0.0).unwrap();
        for _ in 0..300 {
            let step = walk.step(&rig, FRAME);
            check(&rig, &walk, &step);
            assert!(frame(&step).slip < most, "{name} {}", frame(&step).slip);
        }
        assert!(frame(&walk.step(&rig, 0.0)).place[2] - before > 0.3, "{name}");
    }
    assert!(why_not(&rig("arm")).unwrap().contains("root"));
    assert!(why_not(&rig("snake")).is_some());
    assert!(Walk::new(&rig("erik-a"), scene(TerrainChoice::Flat)).is_err());
}

#[test]
fn hostile_scenes_are_answered_in_words_and_change_nothing() {
    let rig = rig("humanoid");
    let good = scene(TerrainChoice::Flat);
    let mut walk = Walk::new(&rig, good.clone()).unwrap();
    for (bad, wanted) in [
        (WalkScene { solver: "magic".into(), ..good.clone() }, "there are half"),
        (WalkScene { speed: Some(f64::NAN), ..good.clone() }, "speed"),
        (WalkScene { speed: Some(1.0e300), ..good.clone() }, "speed"),
        (WalkScene { lift: f64::INFINITY, ..good.clone() }, "lift"),
        (WalkScene { arms: -1.0, ..good.clone() }, "arms"),
        (scene(TerrainChoice::Stairs { rise: 1.0e9, tread: 1.0e-9 }), "rise"),
        (scene(TerrainChoice::Slope { grade: f64::NEG_INFINITY }), "grade"),
    ] {
        assert!(Walk::new(&rig, bad.clone()).unwrap_err().contains(wanted));
        assert!(walk.set_scene(&rig, bad).unwrap_err().contains(wanted));
    }
    assert!(walk.steer(f64::NAN, 0.0).is_err() && walk.steer(0.0, 7.0).is_err());
    assert!(walk.drag(&rig, "left", [0.0; 3], None).unwrap_err().contains("steered"));
    walk.steer(1.0, 1.0).unwrap();
    for seconds in [f64::NAN, -1.0, 1.0e9, f64::INFINITY, 0.0, FRAME] {
        let step = walk.step(&rig, seconds);
        check(&rig, &walk, &step);
    }
    assert!(Vec3::from(frame(&walk.step(&rig, 0.0)).place).length() < 1.0, "a pause is not walked after");
    // The hardest that the sliders give.
    for terrain in [
        TerrainChoice::Slope { grade: 1.0 },
        TerrainChoice::Stairs { rise: 1.0, tread: 0.05 },
        TerrainChoice::Hills { seed: u32::MAX, height: 3.0 },
    ] {
        let fast = WalkScene { speed: Some(2.0), lift: 4.0, arms: 3.0, ..scene(terrain) };
        walk.set_scene(&rig, fast).unwrap();
        walk.steer(1.0, 0.3).unwrap();
        for _ in 0..200 {
            let step = walk.step(&rig, FRAME);
            check(&rig, &walk, &step);
        }
    }
}

#[test]
fn an_edited_rig_is_walked_with_at_once() {
    let mut rig = rig("humanoid");
    let mut walk = Walk::new(&rig, scene(TerrainChoice::Flat)).unwrap();
    walk.steer(1.0, 0.0).unwrap();
    walk.step(&rig, FRAME);
    let mut builder = rig.asset.skeleton.to_builder();
    for joint in &mut builder.joints {
        joint.limit = Default::default();
    }
    rig.asset.skeleton = builder.build().unwrap();
    rig.edition += 1;
    for _ in 0..60 {
        let step = walk.step(&rig, FRAME);
        check(&rig, &walk, &step);
    }
}
