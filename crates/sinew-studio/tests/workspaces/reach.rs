//! The Reach workspace as the page uses it.

use crate::common;
use std::f64::consts::PI;

use crate::common::{apart, check, rig};
use sinew_f64::{ModelPose, Quat, Vec3};
use sinew_studio::rig::Rig;
use sinew_studio::wire::{
    BehaviourDocument, BehaviourEdit, FrameDetails, Obstacle, ObstacleForm, ReachFrame, ReachScene,
    ReachTarget, ServerMessage, SideName,
};
use sinew_studio::workspace::reach::{Reach, names, why_not};
use sinew_studio::workspace::shown::edit_behaviour;
use sinew_studio::workspace::{Step, Workspace};

const FRAME: f64 = 1.0 / 60.0;

fn target(position: [f64; 3]) -> Option<ReachTarget> {
    Some(ReachTarget { position, rotation: None })
}

fn right(position: [f64; 3]) -> ReachScene {
    ReachScene { behaviour: "plain".into(), right: target(position), ..ReachScene::default() }
}

fn obstacle(id: &str, form: ObstacleForm, position: [f64; 3]) -> Obstacle {
    Obstacle { id: id.into(), form, position, rotation: [0.0, 0.0, 0.0, 1.0] }
}

fn frame(step: &Step) -> &ReachFrame {
    let FrameDetails::Reach(frame) = &step.details else { panic!("{step:?}") };
    frame
}

/// Edits the behaviour that is shown, for the right arm.
fn edited(reach: &mut Reach, rig: &mut Rig, edit: &BehaviourEdit) -> BehaviourDocument {
    reach.edit_behaviour(rig, SideName::Right, edit).unwrap().remove(0)
}

/// Steps until the body rests.
fn settle(rig: &Rig, reach: &mut Reach) -> Step {
    for _ in 0..300 {
        let step = reach.step(rig, FRAME);
        check(rig, reach, &step);
        if !step.busy {
            return step;
        }
    }
    panic!("it does not come to rest: {:?}", reach.step(rig, FRAME));
}

fn wrist(rig: &Rig, reach: &Reach, name: &str) -> Vec3 {
    let skeleton = &rig.asset.skeleton;
    ModelPose::new(skeleton, reach.pose()).position(skeleton.find(name).unwrap())
}

#[test]
fn hands_reach_what_they_can_and_say_by_how_much_they_cannot() {
    let rig = rig("humanoid");
    let mut reach = Reach::new(&rig, right([-0.2, 0.8, 0.5])).unwrap();
    let first = reach.step(&rig, FRAME);
    let [ServerMessage::Behaviour { request: 0, behaviour }] = &first.messages[..] else {
        panic!("{first:?}")
    };
    assert_eq!((behaviour.name.as_str(), behaviour.side), ("plain", SideName::Right));
    let step = settle(&rig, &mut reach);
    assert!(frame(&step).reached && frame(&step).outcome == "reached", "{:?}", frame(&step));
    assert!(wrist(&rig, &reach, "r_wrist").distance(Vec3::new(-0.2, 0.8, 0.5)) < 1e-3);
    let hand = frame(&step).right.clone().unwrap();
    assert!(hand.weight > 0.0 && !hand.blend.is_empty() && frame(&step).left.is_none());
    assert!((hand.blend.iter().map(|b| b.1).sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(frame(&step).feet < 1e-3);
    // Dragged away.
    for i in 0..60 {
        reach.drag(&rig, "right", [-0.2, 0.8 + 0.005 * f64::from(i), 0.5], None).unwrap();
        let step = reach.step(&rig, FRAME);
        check(&rig, &reach, &step);
    }
    assert!(frame(&settle(&rig, &mut reach)).reached);
    reach.drag(&rig, "right", [0.0, 1.0, 3.0], None).unwrap();
    let step = settle(&rig, &mut reach);
    assert!(
        !frame(&step).reached && frame(&step).outcome.contains("out of reach"),
        "{}",
        frame(&step).outcome
    );
    assert!(frame(&step).outcome.contains("right hand"));
    // Both hands, one of them turned.
    let both = ReachScene {
        behaviour: "two-handed".into(),
        left: target([0.15, 1.0, 0.4]),
        right: Some(ReachTarget {
            position: [-0.15, 1.0, 0.4],
            rotation: Some(Quat::from_rotation_y(-0.3).to_array()),
        }),
        compare: Some("tired".into()),
        ..ReachScene::default()
    };
    reach.set_scene(&rig, both).unwrap();
    let step = settle(&rig, &mut reach);
    assert!(frame(&step).left.is_some() && frame(&step).right.is_some());
    assert!(frame(&step).left.as_ref().unwrap().position_error < 1e-3, "{}", frame(&step).outcome);
    let ghost = frame(&step).ghost.clone().unwrap();
    assert_ne!(ghost.positions, rig.placed(reach.pose()).positions);
    assert!(frame(&step).ghost_outcome.is_some());
    // A joint's limit, in words.
    let held = ReachScene {
        right: Some(ReachTarget {
            position: [-0.3, 1.0, 0.35],
            rotation: Some(Quat::from_rotation_z(PI).to_array()),
        }),
        ..right([0.0; 3])
    };
    reach.set_scene(&rig, held).unwrap();
    let step = settle(&rig, &mut reach);
    println!("turned over: {}", frame(&step).outcome);
}

#[test]
fn obstacles_are_kept_out_of_and_named() {
    let rig = rig("humanoid");
    let board = ObstacleForm::Box { size: [1.2, 0.04, 0.8] };
    let table = |y: f64| vec![obstacle("table", board.clone(), [0.0, y, 0.6])];
    let scene = |y: f64| ReachScene { obstacles: table(y), collisions: true, ..right([-0.2, 0.95, 0.5]) };
    let mut reach = Reach::new(&rig, scene(0.75)).unwrap();
    let step = settle(&rig, &mut reach);
    assert!(frame(&step).reached, "above the table: {}", frame(&step).outcome);
    assert!(frame(&step).tests > 0 && frame(&step).contact.is_none());
    // The table is raised into the target.
    for i in 0..40 {
        reach.drag(&rig, "table", [0.0, 0.75 + 0.005 * f64::from(i), 0.6], None).unwrap();
        let step = reach.step(&rig, FRAME);
        check(&rig, &reach, &step);
    }
    let step = settle(&rig, &mut reach);
    let told = frame(&step);
    assert!(!told.reached && told.outcome.contains("table"), "{}", told.outcome);
    assert!(told.contact.as_ref().is_some_and(|c| c[1] == "table"), "{:?}", told.contact);
    // Without collisions it goes through.
    reach.set_scene(&rig, ReachScene { collisions: false, ..scene(0.95) }).unwrap();
    assert!(frame(&settle(&rig, &mut reach)).reached);
    // Another thing.
    let mut more = scene(0.5);
    more.obstacles.push(obstacle("ball", ObstacleForm::Ball { radius: 0.15 }, [-0.2, 0.95, 0.5]));
    reach.set_scene(&rig, more).unwrap();
    let step = settle(&rig, &mut reach);
    assert!(frame(&step).outcome.contains("ball"), "{}", frame(&step).outcome);
}

fn valid(document: &BehaviourDocument) {
    // Every triangle turns the same way, and together they fill the square.
    let corner = |i: u32| document.keys[i as usize].swing;
    let mut area = 0.0;
    for t in &document.triangles {
        let [a, b, c] = t.map(corner);
        let own = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        assert!(own > 0.0);
        area += own;
    }
    assert!((area - 4.0 * PI * PI).abs() < 1e-6, "{area}");
    assert_eq!(document.triangles.len(), 2 * document.keys.len() - 6);
    assert!(document.keys.iter().enumerate().all(|(i, key)| key.outer == (i < 4)));
}

fn through_json(document: &BehaviourDocument) -> BehaviourDocument {
    serde_json::from_str(&serde_json::to_string(document).unwrap()).unwrap()
}

#[test]
fn behaviours_are_edited_kept_and_undone_bit_for_bit() {
    let mut rig = rig("humanoid");
    let mut reach = Reach::new(&rig, right([-0.2, 0.6, 0.6])).unwrap();
    let first = reach.step(&rig, FRAME);
    let [ServerMessage::Behaviour { behaviour: original, .. }] = &first.messages[..] else { panic!() };
    valid(original);
    let before_pose = settle(&rig, &mut reach);
    assert!(frame(&before_pose).reached);
    let reached_before = reach.pose().clone();
    let spine = rig.asset.skeleton.find("vt6").or(rig.asset.skeleton.find("vl5")).unwrap();
    let head = rig.map.get(sinew_f64::skeleton::humanoid::HumanoidBone::Head).unwrap();
    let side = SideName::Right;

    let added = edited(&mut reach, &mut rig, &BehaviourEdit::Add { swing: [0.31, -0.17] });
    valid(&added);
    assert_eq!(added.keys.len(), original.keys.len() + 1);
    assert_eq!(rig.asset.behaviours.len(), 1, "kept with the rig");
    let key = added.keys.len() as u32 - 1;
    let moved = edited(&mut reach, &mut rig, &BehaviourEdit::Move { key, swing: [0.5, 0.2] });
    valid(&moved);
    assert_eq!(moved.keys[key as usize].swing, [0.5, 0.2]);

    // The key is shown and pulled about; the feet stay.
    reach.set_scene(&rig, ReachScene { edit_key: Some(key), ..right([-0.2, 0.6, 0.6]) }).unwrap();
    let step = reach.step(&rig, FRAME);
    check(&rig, &reach, &step);
    assert!(frame(&step).outcome.contains("posture of key"));
    let skeleton = rig.asset.skeleton.clone();
    let model = ModelPose::new(&skeleton, reach.pose());
    let feet = ["l_talocrural", "r_talocrural", "l_ankle", "r_ankle"].map(|n| skeleton.find(n));
    let wanted = model.position(head) + Vec3::new(0.1, -0.15, 0.15);
    let pull = BehaviourEdit::Pull { key, joint: head.index() as u32, position: wanted.to_array() };
    let pulled = edited(&mut reach, &mut rig, &pull);
    valid(&pulled);
    reach.step(&rig, FRAME);
    let after = ModelPose::new(&skeleton, reach.pose());
    let missed = after.position(head).distance(wanted);
    assert!(missed < 0.03, "the head follows: {missed}");
    for foot in feet.into_iter().flatten() {
        let slip = after.position(foot).distance(model.position(foot));
        assert!(slip < 1e-3, "a foot went by {slip}");
    }
    let turn = BehaviourEdit::Turn {
        key,
        joint: spine.index() as u32,
        rotation: (Quat::from_rotation_y(0.2) * after.rotation(spine)).to_array(),
    };
    let turned = edited(&mut reach, &mut rig, &turn);
    assert_ne!(turned.keys[key as usize].rotations, pulled.keys[key as usize].rotations);
    reach.step(&rig, FRAME);
    let swivelled = edited(&mut reach, &mut rig, &BehaviourEdit::Swivel { key, swivel: 0.4 });
    assert_eq!(swivelled.keys[key as usize].swivel, 0.4);
    // Others are as they were.
    for (a, b) in swivelled.keys.iter().zip(&original.keys).take(original.keys.len()) {
        assert_eq!((a.swing, &a.settings), (b.swing, &b.settings));
    }

    // Kept under another name, for both arms, and chosen.
    let saved = reach.edit_behaviour(&mut rig, side, &BehaviourEdit::SaveAs { name: "bold".into() }).unwrap();
    let [right_arm, left_arm] = &saved[..] else { panic!("{saved:?}") };
    assert_eq!((right_arm.name.as_str(), right_arm.side), ("bold", SideName::Right));
    assert_eq!((left_arm.name.as_str(), left_arm.side), ("bold", SideName::Left));
    assert!(names(&rig).contains(&"bold".to_string()));
    assert_eq!(rig.asset.behaviours.len(), 3);
    let again = reach.edit_behaviour(&mut rig, side, &BehaviourEdit::SaveAs { name: "bold".into() });
    assert!(again.unwrap_err().contains("already"));

    // Links and undo put it back whatever is shown, under whatever name.
    let mut anew = common::rig("humanoid");
    for document in &saved {
        let replace = BehaviourEdit::Replace { behaviour: through_json(document) };
        let kept = edit_behaviour(None, &mut anew, document.side, &replace).unwrap();
        assert_eq!(&kept[..], std::slice::from_ref(document));
    }
    assert!(edit_behaviour(None, &mut anew, side, &BehaviourEdit::Remove { key: 4 }).is_err());
    let scene = ReachScene { behaviour: "bold".into(), ..right([-0.2, 0.6, 0.6]) };
    let shown = Reach::new(&anew, scene).unwrap().step(&anew, FRAME);
    let [ServerMessage::Behaviour { behaviour, .. }] = &shown.messages[..] else { panic!() };
    assert_eq!(behaviour, right_arm);

    // Undo: an older document, through JSON, is the same to the last bit.
    for older in [&turned, &moved, original] {
        let sent = through_json(older);
        assert_eq!(&sent, older);
        let back = edited(&mut reach, &mut rig, &BehaviourEdit::Replace { behaviour: sent });
        assert_eq!(&back, older);
    }
    let removed = edited(&mut reach, &mut rig, &BehaviourEdit::Add { swing: [0.3, 0.3] });
    let key = removed.keys.len() as u32 - 1;
    let removed = edited(&mut reach, &mut rig, &BehaviourEdit::Remove { key });
    assert_eq!(&removed, original);
    // And the body does what it did.
    reach.set_scene(&rig, right([-0.2, 0.6, 0.6])).unwrap();
    reach.reset(&rig);
    settle(&rig, &mut reach);
    let mut untouched = Reach::new(&rig, right([-0.2, 0.6, 0.6])).unwrap();
    settle(&rig, &mut untouched);
    assert!(apart(&rig, reach.pose(), untouched.pose()) < 1e-9);
    assert!(apart(&rig, reach.pose(), &reached_before) < 1e-3);

    // The rig file holds them.
    reach.set_scene(&rig, ReachScene { behaviour: "bold".into(), ..right([-0.2, 0.6, 0.6]) }).unwrap();
    let step = reach.step(&rig, FRAME);
    assert!(
        matches!(&step.messages[..], [ServerMessage::Behaviour { behaviour, .. }] if behaviour.name == "bold")
    );
}

#[test]
fn bad_edits_are_refused_and_change_nothing() {
    let mut rig = rig("humanoid");
    let mut reach = Reach::new(&rig, right([-0.2, 0.6, 0.6])).unwrap();
    let first = reach.step(&rig, FRAME);
    let [ServerMessage::Behaviour { behaviour: original, .. }] = &first.messages[..] else { panic!() };
    let foot = rig
        .map
        .get(sinew_f64::skeleton::humanoid::HumanoidBone::Foot(sinew_f64::skeleton::humanoid::Side::Left));
    let foot = foot.unwrap().index() as u32;
    let mut short = original.clone();
    short.keys[5].rotations.pop();
    let mut nowhere = original.clone();
    nowhere.keys[5].translations.as_mut().unwrap()[0] = f64::NAN;
    let mut few = original.clone();
    few.keys.truncate(2);
    let mut many = original.clone();
    many.keys = vec![original.keys[4].clone(); 5000];
    let mut other = original.clone();
    other.side = SideName::Left;
    let mut same = original.clone();
    same.keys[5].swing = same.keys[4].swing;
    let replace = |behaviour: BehaviourDocument| BehaviourEdit::Replace { behaviour };
    for (edit, wanted) in [
        (BehaviourEdit::Add { swing: [f64::NAN, 0.0] }, "swing"),
        (BehaviourEdit::Add { swing: [9.0, 0.0] }, "180°"),
        (BehaviourEdit::Add { swing: original.keys[4].swing }, "stands at the swing of"),
        (BehaviourEdit::Move { key: 0, swing: [0.0, 0.0] }, "outer"),
        (BehaviourEdit::Move { key: 4000, swing: [0.0, 0.0] }, "none of this number"),
        (BehaviourEdit::Remove { key: 3 }, "outer"),
        (BehaviourEdit::Remove { key: u32::MAX }, "none of this number"),
        (BehaviourEdit::Turn { key: 4, joint: 9999, rotation: [0.0, 0.0, 0.0, 1.0] }, "joint 9999"),
        (BehaviourEdit::Turn { key: 4, joint: 3, rotation: [0.0; 4] }, "rotation"),
        (BehaviourEdit::Turn { key: 99, joint: 0, rotation: [0.0, 0.0, 0.0, 1.0] }, "no key"),
        (BehaviourEdit::Pull { key: 4, joint: foot, position: [0.0; 3] }, "leg"),
        (BehaviourEdit::Pull { key: 4, joint: 0, position: [f64::INFINITY; 3] }, "nowhere"),
        (BehaviourEdit::Swivel { key: 4, swivel: f64::NAN }, "swivel"),
        (BehaviourEdit::SaveAs { name: "  ".into() }, "letters"),
        (BehaviourEdit::SaveAs { name: "x".repeat(5000) }, "letters"),
        (BehaviourEdit::SaveAs { name: "tired".into() }, "already"),
        (replace(short), "key 5"),
        (replace(nowhere), "key 5"),
        (replace(few), "key"),
        (replace(many), "at most"),
        (replace(other), "other arm"),
        (replace(same), "stands at the swing of"),
    ] {
        let error = reach.edit_behaviour(&mut rig, SideName::Right, &edit).unwrap_err();
        assert!(error.contains(wanted), "{error}, expected {wanted}");
    }
    assert!(rig.asset.behaviours.is_empty());
    let same = edited(&mut reach, &mut rig, &replace(original.clone()));
    assert_eq!(&same, original);
    // A pull as far as the pointer goes leaves a body that holds together.
    for position in [[50.0, -50.0, 9000.0], [0.0, 0.0, 0.0]] {
        let pull = BehaviourEdit::Pull { key: 4, joint: 0, position };
        valid(&edited(&mut reach, &mut rig, &pull));
        let step = reach.step(&rig, FRAME);
        check(&rig, &reach, &step);
    }
}

#[test]
fn hostile_scenes_are_answered_in_words_and_change_nothing() {
    let rig = rig("humanoid");
    let good = right([-0.2, 0.9, 0.4]);
    let mut reach = Reach::new(&rig, good.clone()).unwrap();
    let ball = |id: &str, radius: f64, at: [f64; 3]| obstacle(id, ObstacleForm::Ball { radius }, at);
    let with = |obstacles: Vec<Obstacle>| ReachScene { obstacles, collisions: true, ..good.clone() };
    for (bad, wanted) in [
        (ReachScene { behaviour: "wild".into(), ..good.clone() }, "there are plain"),
        (ReachScene { compare: Some("wild".into()), ..good.clone() }, "no behaviour"),
        (right([f64::NAN, 0.0, 0.0]), "right target"),
        (right([0.0, 1.0e200, 0.0]), "right target"),
        (
            ReachScene {
                left: Some(ReachTarget { position: [0.0; 3], rotation: Some([0.0; 4]) }),
                ..good.clone()
            },
            "left target",
        ),
        (with(vec![ball("a", 0.0, [0.0; 3])]), "size of 'a'"),
        (with(vec![ball("a", f64::INFINITY, [0.0; 3])]), "size of 'a'"),
        (with(vec![ball("a", 1.0, [f64::NAN; 3])]), "a is at"),
        (with(vec![ball("a", 1.0, [0.0; 3]), ball("a", 1.0, [1.0; 3])]), "two obstacles"),
        (with(vec![ball("", 1.0, [0.0; 3])]), "name"),
        (with((0..1000).map(|i| ball(&i.to_string(), 0.1, [0.0; 3])).collect()), "at most"),
    ] {
        let error = Reach::new(&rig, bad.clone()).map(|_| ()).unwrap_err();
        assert!(error.contains(wanted), "{error}");
        assert!(reach.set_scene(&rig, bad).unwrap_err().contains(wanted));
    }
    assert!(reach.drag(&rig, "nobody", [0.0; 3], None).is_err());
    assert!(reach.drag(&rig, "left", [0.0; 3], None).unwrap_err().contains("no target"));
    assert!(reach.drag(&rig, "right", [f64::NAN; 3], None).is_err());
    // A room full of things, one of them around the body itself.
    let mut full: Vec<Obstacle> = (0..63)
        .map(|i| {
            let at = [f64::from(i % 8) * 0.3 - 1.0, f64::from(i / 8) * 0.25, 0.6];
            obstacle(&format!("thing {i}"), ObstacleForm::Cylinder { radius: 0.05, height: 0.2 }, at)
        })
        .collect();
    full.push(ball("world", 5.0, [0.0; 3]));
    reach.set_scene(&rig, with(full)).unwrap();
    let mut slowest = 0.0f64;
    for i in 0..60 {
        reach.drag(&rig, "right", [0.3 - 0.01 * f64::from(i), 0.9, 0.5], None).unwrap();
        reach.drag(&rig, "thing 5", [0.01 * f64::from(i), 1.0, 0.3], None).unwrap();
        let step = reach.step(&rig, f64::NAN);
        check(&rig, &reach, &step);
        slowest = slowest.max(step.solve.as_secs_f64() * 1e3);
    }
    println!("the slowest reach among 64 things took {slowest:.2} ms");
    reach.set_scene(&rig, ReachScene { edit_key: Some(u32::MAX), ..good.clone() }).unwrap();
    let step = reach.step(&rig, FRAME);
    check(&rig, &reach, &step);
    reach.set_scene(&rig, ReachScene::default()).unwrap();
    assert!(frame(&reach.step(&rig, FRAME)).outcome.contains("nothing"));
    for name in ["spider", "arm", "snake"] {
        assert!(why_not(&common::rig(name)).is_some());
        assert!(Reach::new(&common::rig(name), ReachScene::default()).is_err());
    }
    assert_eq!(why_not(&common::rig("humanoid-hands")), None);
}
