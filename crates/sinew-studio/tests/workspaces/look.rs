//! The Look workspace as the page uses it.

use crate::common;
use crate::common::{check, rig};
use sinew_f64::{Quat, Vec3};
use sinew_studio::wire::{FilterSettings, FrameDetails, LookFrame, LookPath, LookScene, LookTarget};
use sinew_studio::workspace::look::{Look, postures, why_not};
use sinew_studio::workspace::{Step, Workspace};

const FRAME: f64 = 1.0 / 60.0;
const FILTER: FilterSettings = FilterSettings {
    order: 3,
    velocity: 4.0,
    acceleration: 25.0,
    jerk: 400.0,
    smoothness: 0.3,
    responsiveness: 0.8,
};

fn scene(target: LookTarget) -> LookScene {
    LookScene {
        endpoint: None,
        values: vec![],
        rotations: vec![],
        target,
        keep_sides: true,
        symmetric: false,
        filter: None,
        plotted: 2,
    }
}

fn at(x: f64, y: f64, z: f64) -> LookTarget {
    LookTarget::At { position: [x, y, z] }
}

fn frame(step: &Step) -> &LookFrame {
    let FrameDetails::Look(frame) = &step.details else { panic!("{step:?}") };
    frame
}

/// How far the gaze misses the point, in radians.
fn missed(frame: &LookFrame) -> f64 {
    let to = Vec3::from(frame.target.unwrap()) - Vec3::from(frame.eye);
    to.angle_between(Vec3::from(frame.sight))
}

#[test]
fn robots_look_at_what_is_dragged() {
    for name in ["erik-c", "erik-f", "erik-g", "snake", "arm"] {
        let rig = rig(name);
        assert_eq!(why_not(&rig), None, "{name}");
        let shapes = postures(&rig);
        let coil = shapes.iter().find(|p| p.name == "bow").unwrap();
        let posture = LookScene { values: coil.values.clone(), ..scene(at(0.5, 0.8, 2.0)) };
        let mut look = Look::new(&rig, posture).unwrap();
        let (mut worst, mut reached) = (0.0f64, 0);
        for i in 0..60 {
            let angle = f64::from(i) * 0.02;
            let point = [2.0 * angle.sin(), 0.6 + 0.3 * angle, 2.0 * angle.cos()];
            look.drag(&rig, "target", point, None).unwrap();
            let step = look.step(&rig, FRAME);
            check(&rig, &look, &step);
            assert_eq!(frame(&step).target, Some(point));
            assert!(look.pose().worst_violation(&rig.asset.skeleton).is_none_or(|(_, v)| v < 1e-6));
            if frame(&step).reached {
                reached += 1;
                worst = worst.max(missed(frame(&step)));
                assert!(frame(&step).outcome.contains("looks there in the posture"));
            }
        }
        assert!(reached > 40 && worst < 0.5, "{name}: reached {reached}, worst {worst}");
    }
}

/// Characters were refused: their joints are no hinges.
#[test]
fn a_character_looks_with_head_and_spine() {
    let rig = rig("humanoid");
    assert_eq!(why_not(&rig), None);
    for point in [[0.8, 1.5, 1.2], [-0.6, 1.9, 1.5], [0.1, 0.9, 1.0]] {
        let [x, y, z] = point;
        let mut look = Look::new(&rig, LookScene { filter: Some(FILTER), ..scene(at(x, y, z)) }).unwrap();
        let mut steps = 0;
        while look.step(&rig, FRAME).busy && steps < 600 {
            steps += 1;
        }
        let step = look.step(&rig, FRAME);
        check(&rig, &look, &step);
        assert!(frame(&step).reached && missed(frame(&step)) < 0.05, "{point:?}: {:?}", frame(&step).outcome);
        let feet = rig.map.leg(sinew_f64::skeleton::humanoid::Side::Left).unwrap().end;
        let moved = sinew_f64::ModelPose::new(&rig.asset.skeleton, look.pose()).position(feet);
        let stood = sinew_f64::ModelPose::rest(&rig.asset.skeleton).position(feet);
        assert!(moved.distance(stood) < 1e-6, "the legs stay");
    }
}

#[test]
fn a_direction_is_turned_from_straight_ahead() {
    let rig = rig("erik-g");
    let turn = |q: Quat| LookTarget::Toward { rotation: q.to_array() };
    let mut look = Look::new(&rig, scene(turn(Quat::IDENTITY))).unwrap();
    let step = look.step(&rig, FRAME);
    assert!(Vec3::from(frame(&step).sight).angle_between(Vec3::Z) < 0.2, "{:?}", frame(&step));
    look.set_scene(&rig, scene(turn(Quat::from_rotation_y(0.9)))).unwrap();
    for _ in 0..5 {
        look.step(&rig, FRAME);
    }
    let step = look.step(&rig, FRAME);
    let wanted = Quat::from_rotation_y(0.9) * Vec3::Z;
    assert!(Vec3::from(frame(&step).sight).angle_between(wanted) < 0.2);
    assert!(frame(&step).target.is_none() && !step.busy, "it has come to rest");
    // What it cannot do is said.
    let rig = common::rig("erik-a");
    let mut look = Look::new(&rig, scene(turn(Quat::from_rotation_x(2.8)))).unwrap();
    let step = look.step(&rig, FRAME);
    assert!(!frame(&step).reached && frame(&step).outcome.contains("only in part"), "{:?}", frame(&step));
}

/// A target upside down takes a posture with it; with SymmetricEndpoint the other side is as good and the
/// posture stays nearer to what it was.
#[test]
fn upside_down_is_as_good_if_it_is_said() {
    let rig = rig("erik-c");
    let target = LookTarget::Toward { rotation: Quat::from_rotation_z(std::f64::consts::PI).to_array() };
    let errors = |symmetric: bool| {
        let mut look = Look::new(&rig, scene(target.clone())).unwrap();
        look.set_scene(&rig, LookScene { symmetric, ..scene(target.clone()) }).unwrap();
        let last = (0..30).map(|_| look.step(&rig, FRAME)).last().unwrap();
        (frame(&last).orientation_error, frame(&last).posture_error)
    };
    let (off, on) = (errors(false), errors(true));
    assert!(off.0 < 0.01 && on.0 < 0.01, "off {off:?}, on {on:?}");
    assert!(on.1 < 0.7 * off.1, "off {off:?}, on {on:?}");
}

#[test]
fn the_filter_keeps_its_bounds_on_every_path() {
    let rig = rig("erik-g");
    for path in [LookPath::Circle, LookPath::Eight, LookPath::Jumps] {
        for order in [1, 2, 3] {
            let filter = Some(FilterSettings { order, ..FILTER });
            let target = LookTarget::Path { path, speed: 0.4 };
            let mut look = Look::new(&rig, LookScene { filter, ..scene(target) }).unwrap();
            let (mut count, mut moved, mut before) = (0, 0.0f64, None);
            for i in 0..400 {
                // Uneven frames, as a page has them.
                let step = look.step(&rig, FRAME * [1.0, 0.4, 2.3][i % 3]);
                check(&rig, &look, &step);
                assert!(step.busy);
                for sample in &frame(&step).samples {
                    count += 1;
                    assert!(sample.velocity.abs() <= 4.0 + 1e-9);
                    assert!(order < 2 || sample.acceleration.abs() <= 25.0 + 1e-9);
                    assert!(order < 3 || sample.jerk.abs() <= 400.0 + 1e-6, "{sample:?}");
                    if let Some((time, position)) = before {
                        assert!(sample.time > time);
                        let speed: f64 = (sample.position - position) / (sample.time - time);
                        moved = moved.max(speed.abs());
                    }
                    before = Some((sample.time, sample.position));
                }
            }
            assert!(count > 1200 && moved > 0.04 && moved <= 4.0 + 1e-6, "{count} {moved}");
        }
    }
}

#[test]
fn the_filter_arrives_and_then_nothing_is_busy() {
    let rig = rig("erik-f");
    let start = LookScene { filter: Some(FILTER), ..scene(at(0.3, 0.5, 2.0)) };
    let mut look = Look::new(&rig, start).unwrap();
    let first = look.step(&rig, FRAME);
    assert!(first.busy && frame(&first).outcome.contains("on its way"));
    assert_ne!(frame(&first).wanted, rig.placed(look.pose()));
    let mut steps = 0;
    while look.step(&rig, FRAME).busy {
        steps += 1;
        assert!(steps < 600);
    }
    let last = look.step(&rig, FRAME);
    assert!(missed(frame(&last)) < 0.3 && !frame(&last).outcome.contains("on its way"));
    for (wanted, shown) in frame(&last).wanted.positions.iter().zip(rig.placed(look.pose()).positions) {
        assert!((wanted - shown).abs() < 1e-4);
    }
    look.reset(&rig);
    let moved = common::apart(&rig, look.pose(), &sinew_f64::Pose::rest(&rig.asset.skeleton));
    assert!(moved < 1e-9);
}

#[test]
fn postures_go_there_and_back() {
    let rig = rig("erik-g");
    let shapes = postures(&rig);
    assert_eq!(shapes.len(), 4);
    let wave = shapes.iter().find(|p| p.name == "wave").unwrap();
    let by_values = LookScene { values: wave.values.clone(), ..scene(at(0.0, 1.0, 2.0)) };
    let by_turns = LookScene { rotations: wave.rotations.clone(), ..scene(at(0.0, 1.0, 2.0)) };
    let shown = |scene: LookScene| {
        let mut look = Look::new(&rig, scene).unwrap();
        frame(&look.step(&rig, 0.0)).posture.clone()
    };
    let (a, b) = (shown(by_values), shown(by_turns));
    for (a, b) in a.positions.iter().zip(&b.positions) {
        assert!((a - b).abs() < 1e-5);
    }
    let look = Look::new(&rig, scene(at(0.0, 1.0, 2.0))).unwrap();
    assert_eq!(look.posture_document(&rig, "mine").values.len(), rig.asset.skeleton.len());
}

#[test]
fn hostile_scenes_are_answered_in_words_and_change_nothing() {
    let rig = rig("erik-c");
    let good = scene(at(0.0, 1.0, 2.0));
    let mut look = Look::new(&rig, good.clone()).unwrap();
    let joints = rig.asset.skeleton.len();
    let with = |filter: FilterSettings| LookScene { filter: Some(filter), ..good.clone() };
    for (bad, wanted) in [
        (LookScene { endpoint: Some(9999), ..good.clone() }, "what looks"),
        (LookScene { plotted: u32::MAX, ..good.clone() }, "plotted"),
        (LookScene { values: vec![0.0; 3], ..good.clone() }, "values"),
        (LookScene { values: vec![f64::NAN; joints], ..good.clone() }, "NaN"),
        (LookScene { rotations: vec![0.0; 4 * joints], ..good.clone() }, "no rotation"),
        (scene(at(f64::NAN, 0.0, 0.0)), "the target"),
        (scene(at(1.0e300, 0.0, 0.0)), "the target"),
        (scene(LookTarget::Toward { rotation: [0.0; 4] }), "the direction"),
        (scene(LookTarget::Path { path: LookPath::Eight, speed: f64::INFINITY }), "speed"),
        (with(FilterSettings { order: 4, ..FILTER }), "order"),
        (with(FilterSettings { velocity: 0.0, ..FILTER }), "velocity"),
        (with(FilterSettings { jerk: f64::NAN, ..FILTER }), "jerk"),
        (with(FilterSettings { responsiveness: 1.0, ..FILTER }), "responsiveness"),
    ] {
        let error = Look::new(&rig, bad.clone()).map(|_| ()).unwrap_err();
        assert!(error.contains(wanted), "{error}");
        assert!(look.set_scene(&rig, bad).unwrap_err().contains(wanted));
    }
    assert!(look.drag(&rig, "left", [0.0; 3], None).is_err());
    assert!(look.drag(&rig, "target", [f64::NAN; 3], None).is_err());
    for seconds in [f64::NAN, -1.0, 1.0e9, 0.0, FRAME] {
        let step = look.step(&rig, seconds);
        check(&rig, &look, &step);
        assert!(frame(&step).samples.len() <= 24);
    }
    // The end point itself, and as near as it gets.
    let eye = frame(&look.step(&rig, FRAME)).eye;
    look.drag(&rig, "target", eye, None).unwrap();
    for _ in 0..20 {
        let step = look.step(&rig, FRAME);
        check(&rig, &look, &step);
    }
    assert!(why_not(&common::rig("chain:6")).unwrap().contains("hinges and slides"));
    assert!(why_not(&common::rig("snake:200")).unwrap().contains("at most"));
}

#[test]
fn long_chains_stay_within_a_frame() {
    let rig = rig("snake:60");
    let target = LookTarget::Path { path: LookPath::Jumps, speed: 3.0 };
    let mut look = Look::new(&rig, LookScene { filter: Some(FILTER), ..scene(target) }).unwrap();
    let mut times: Vec<f64> = (0..60).map(|_| look.step(&rig, FRAME).solve.as_secs_f64() * 1e3).collect();
    times.sort_by(f64::total_cmp);
    println!("a snake of sixty hinges: {:.2} ms, at the most {:.2} ms", times[30], times[59]);
    assert!(times[30] < 50.0, "{times:?}");
}
