//! The Body workspace as the page uses it.

use crate::common;
use crate::common::{check, rig};
use sinew_f64::Vec3;
use sinew_motion::{Method, made};
use sinew_studio::rig::Rig;
use sinew_studio::wire::{
    BodyFrame, BodyMarker, BodyScene, BodySource, BodyTrack, FrameDetails, PointState, ServerMessage,
};
use sinew_studio::workspace::body::{Body, methods, why_not};
use sinew_studio::workspace::{Step, Workspace};

const FRAME: f64 = 1.0 / 60.0;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_string()).collect()
}

fn scene(source: BodySource) -> BodyScene {
    BodyScene {
        source,
        method: "sik+".into(),
        points: words(&["pelvis", "head", "left-wrist", "right-wrist", "left-ankle", "right-ankle"]),
        orientations: false,
        noise: 0.0,
        playing: false,
        speed: 1.0,
        frame: 0,
    }
}

fn made_scene(name: &str, method: &str) -> BodyScene {
    BodyScene { method: method.into(), ..scene(BodySource::Made { name: name.into() }) }
}

fn markers(list: &[(&str, [f64; 3])]) -> BodyScene {
    let marker = |(point, position): &(&str, [f64; 3])| BodyMarker {
        point: (*point).into(),
        position: *position,
        rotation: None,
    };
    scene(BodySource::Markers { markers: list.iter().map(marker).collect() })
}

fn frame(step: &Step) -> &BodyFrame {
    let FrameDetails::Body(frame) = &step.details else { panic!("{step:?}") };
    frame
}

fn point<'a>(step: &'a Step, name: &str) -> &'a PointState {
    frame(step).points.iter().find(|p| p.point == name).unwrap()
}

fn missed(state: &PointState) -> f64 {
    Vec3::from(state.position).distance(Vec3::from(state.reached))
}

/// Steps until nothing is left to do; the last track.
fn finish(rig: &Rig, body: &mut Body) -> BodyTrack {
    let mut last = None;
    for _ in 0..20_000 {
        let step = body.step(rig, 0.0);
        check(rig, body, &step);
        for message in &step.messages {
            let ServerMessage::Track { track } = message else { panic!("{message:?}") };
            assert!(track.position.len() <= 1000 && track.position.len() == track.orientation.len());
            last = Some(track.clone());
        }
        if !step.busy {
            return last.unwrap();
        }
    }
    panic!("it never ends");
}

#[test]
fn made_motions_come_out_as_the_experiment_says() {
    let rig = rig("humanoid:spline");
    let sequence = made::sequences().unwrap().into_iter().find(|s| s.name == "boxing").unwrap();
    for method in [Method::SikPlus, Method::Sik, Method::Kma] {
        let mut body = Body::new(&rig, made_scene("boxing", method.name())).unwrap();
        let track = finish(&rig, &mut body);
        let run = sinew_eval::sik::run(method, &sequence, 1).unwrap();
        let (position, orientation) = run.rms();
        println!("{}: {:?}, the experiment {position} {orientation}", method.name(), track.rms);
        assert!((track.rms[0] - position).abs() < 0.02 * position, "{}", method.name());
        assert!((track.rms[1] - orientation).abs() < 0.02 * orientation, "{}", method.name());
        assert_eq!((track.frames, track.done, track.stride), (600, 600, 1));
        let (poses, frame_time) = body.reconstruction().unwrap();
        assert_eq!((poses.len(), frame_time), (600, 1.0 / 60.0));
        let step = body.step(&rig, 0.0);
        assert!(frame(&step).outcome.contains("all 600 frames"), "{}", frame(&step).outcome);
        assert!(frame(&step).original.is_some() && frame(&step).position_error.is_some());
    }
}

#[test]
fn it_is_made_in_slices_and_plays_meanwhile() {
    let rig = rig("humanoid-hands");
    let playing = BodyScene { playing: true, speed: 2.0, ..made_scene("walking", "pik") };
    let mut body = Body::new(&rig, playing.clone()).unwrap();
    let (mut times, mut tracks, mut last) = (Vec::new(), 0, 0);
    for i in 0..400 {
        let start = std::time::Instant::now();
        let step = body.step(&rig, FRAME);
        times.push(start.elapsed().as_secs_f64() * 1e3);
        tracks += step.messages.len();
        assert!(step.busy);
        let shown = frame(&step).frame;
        assert!(i == 0 || shown >= last || shown < 4, "{shown} after {last}");
        last = shown;
    }
    // The median: other programs run beside the tests.
    times.sort_by(f64::total_cmp);
    println!("a step takes {:.1} ms, at the most {:.1} ms; {tracks} tracks", times[200], times[399]);
    assert!(times[200] < 20.0, "{times:?}");
    assert!(tracks > 1);
    finish(&rig, &mut Body::new(&rig, made_scene("walking", "sik")).unwrap());
    // Scrubbing shows the frame that was asked for, and the method may change.
    body.set_scene(&rig, BodyScene { playing: false, frame: 123, ..playing.clone() }).unwrap();
    assert_eq!(frame(&body.step(&rig, FRAME)).frame, 123);
    let other = BodyScene { playing: false, frame: 50, method: "sik".into(), ..playing };
    body.set_scene(&rig, other.clone()).unwrap();
    assert!(!body.step(&rig, FRAME).messages.is_empty(), "it is made anew");
    let clean = finish(&rig, &mut body);
    assert_eq!(frame(&body.step(&rig, FRAME)).frame, 50);
    body.set_scene(&rig, BodyScene { noise: 0.02, ..other.clone() }).unwrap();
    let noisy = finish(&rig, &mut body);
    assert!(noisy.rms[0] > clean.rms[0]);
    body.set_scene(&rig, other.clone()).unwrap();
    assert_eq!(finish(&rig, &mut body).rms, clean.rms, "the same again, to the last bit");
}

#[test]
fn a_motion_of_the_rig_itself_is_reconstructed() {
    let mut rig = rig("humanoid");
    let made = made::Made::by_name("reaching").unwrap();
    let mut pose = sinew::Pose::rest(made.skeleton());
    let frames = (0..90).map(|i| {
        made.frame(i, &mut pose).unwrap();
        sinew_io::widen::pose(&rig.asset.skeleton, &pose)
    });
    let frames: Vec<_> = frames.collect();
    rig.asset.motions.push(sinew_io::Motion::new("reach", 1.0 / 60.0, frames));
    let mut body = Body::new(&rig, scene(BodySource::Motion { motion: 0 })).unwrap();
    let track = finish(&rig, &mut body);
    assert!(track.rms[0] < 0.03 && track.rms[1] < 0.5, "{:?}", track.rms);
    // All points, with their turns.
    let all = BodyScene {
        points: words(&[
            "pelvis",
            "head",
            "left-wrist",
            "right-wrist",
            "left-ankle",
            "right-ankle",
            "chest",
            "left-elbow",
            "right-elbow",
            "left-knee",
            "right-knee",
        ]),
        orientations: true,
        ..scene(BodySource::Motion { motion: 0 })
    };
    body.set_scene(&rig, all).unwrap();
    let better = finish(&rig, &mut body);
    println!("six points: {:?}, eleven with turns: {:?}", track.rms, better.rms);
    assert!(better.rms != track.rms && better.rms[0] < 0.03 && better.rms[1] < 0.5, "{:?}", better.rms);
    // A long one is cut, and that is said.
    let long = rig.asset.motions[0].frames.iter().cycle().take(40_000).cloned().collect();
    rig.asset.motions.push(sinew_io::Motion::new("long", 1.0 / 60.0, long));
    let mut body = Body::new(&rig, scene(BodySource::Motion { motion: 1 })).unwrap();
    let step = body.step(&rig, 0.0);
    assert!(frame(&step).outcome.contains("too long to keep"), "{}", frame(&step).outcome);
}

#[test]
fn markers_are_hit_where_they_can_be() {
    let rig = rig("humanoid");
    let mut body = Body::new(&rig, markers(&[])).unwrap();
    let first = body.step(&rig, FRAME);
    check(&rig, &body, &first);
    assert_eq!(frame(&first).points.len(), 6);
    let wrist = Vec3::from(point(&first, "left-wrist").position);
    let wanted = wrist + Vec3::new(-0.1, 0.25, 0.3);
    for i in 1..=30 {
        let at = wrist.lerp(wanted, f64::from(i) / 30.0);
        body.drag(&rig, "left-wrist", at.to_array(), None).unwrap();
        let step = body.step(&rig, FRAME);
        check(&rig, &body, &step);
    }
    let mut steps = 0;
    while body.step(&rig, FRAME).busy {
        steps += 1;
        assert!(steps < 300, "it does not come to rest");
    }
    let step = body.step(&rig, FRAME);
    for state in &frame(&step).points {
        assert!(missed(state) < 0.02, "{state:?}");
    }
    assert!(missed(point(&step, "left-wrist")) < 2e-3, "{}", frame(&step).outcome);
    // Too far: said, and the body holds together.
    body.drag(&rig, "left-wrist", (wanted + Vec3::new(0.0, 0.0, 1.0)).to_array(), None).unwrap();
    for _ in 0..120 {
        body.step(&rig, FRAME);
    }
    let step = body.step(&rig, FRAME);
    let told = &frame(&step).outcome;
    assert!(told.contains("left-wrist"), "{told}");
    assert!(body.pose().worst_violation(&rig.asset.skeleton).is_none_or(|(_, v)| v < 1e-3));
}

#[test]
fn every_method_follows_markers() {
    let rig = rig("humanoid");
    for method in methods() {
        let mut body = Body::new(&rig, BodyScene { method: method.name.clone(), ..markers(&[]) }).unwrap();
        for i in 0..30 {
            let t = f64::from(i) / 30.0;
            body.drag(&rig, "right-wrist", [-0.5 + 0.1 * t, 1.2 - 0.2 * t, 0.3 * t], None).unwrap();
            let step = body.step(&rig, FRAME);
            check(&rig, &body, &step);
        }
        let step = body.step(&rig, FRAME);
        assert!(
            missed(point(&step, "right-wrist")) < 0.1,
            "{} {:?}",
            method.name,
            point(&step, "right-wrist")
        );
    }
}

#[test]
fn hostile_scenes_are_answered_in_words_and_change_nothing() {
    let rig = rig("humanoid");
    let good = markers(&[]);
    let mut body = Body::new(&rig, good.clone()).unwrap();
    let made = made_scene("boxing", "sik");
    for (bad, wanted) in [
        (BodyScene { method: "magic".into(), ..good.clone() }, "there are kma"),
        (BodyScene { points: words(&["tail"]), ..good.clone() }, "no point"),
        (BodyScene { points: vec![], ..good.clone() }, "at least one"),
        (BodyScene { points: vec!["head".into(); 100_000], ..good.clone() }, "points were named"),
        (BodyScene { points: words(&["head"]), method: "ccd".into(), ..good.clone() }, "six positions"),
        (BodyScene { noise: f64::NAN, ..good.clone() }, "noise"),
        (BodyScene { speed: f64::INFINITY, ..good.clone() }, "speed"),
        (markers(&[("head", [f64::NAN; 3])]), "head"),
        (markers(&[("horn", [0.0; 3])]), "no point"),
        (markers(&[("head", [0.0; 3]); 1000]), "markers"),
        (scene(BodySource::Motion { motion: 7 }), "no motion"),
        (made_scene("dancing", "sik"), "walking"),
        (BodyScene { method: String::new(), ..made.clone() }, "no method"),
    ] {
        let error = Body::new(&rig, bad.clone()).map(|_| ()).unwrap_err();
        assert!(error.contains(wanted), "{error}");
        assert!(body.set_scene(&rig, bad).unwrap_err().contains(wanted));
    }
    assert!(body.drag(&rig, "tail", [0.0; 3], None).is_err());
    assert!(body.drag(&rig, "left-knee", [0.0; 3], None).unwrap_err().contains("not among"));
    assert!(body.drag(&rig, "head", [f64::INFINITY; 3], None).is_err());
    assert!(body.drag(&rig, "head", [0.0; 3], Some([0.0; 4])).is_err());
    // All in one place, and far away.
    for at in [[0.0; 3], [900.0, -900.0, 9000.0]] {
        for point in ["pelvis", "head", "left-wrist", "right-wrist", "left-ankle", "right-ankle"] {
            body.drag(&rig, point, at, None).unwrap();
        }
        for seconds in [FRAME, f64::NAN, -1.0, 1.0e9, 0.0] {
            let step = body.step(&rig, seconds);
            check(&rig, &body, &step);
        }
    }
    body.set_scene(&rig, BodyScene { frame: u32::MAX, playing: true, speed: -10.0, ..made }).unwrap();
    assert!(body.drag(&rig, "head", [0.0; 3], None).unwrap_err().contains("motion"));
    for _ in 0..100 {
        let step = body.step(&rig, 1.0e9);
        check(&rig, &body, &step);
    }
    body.reset(&rig);
    for name in ["spider", "arm", "chain"] {
        assert!(why_not(&common::rig(name)).unwrap().contains("no humanoid"));
        assert!(Body::new(&common::rig(name), markers(&[])).is_err());
    }
    let renamed = Rig::new(rig.asset.clone(), sinew_studio::wire::RigSource::Upload { id: "x".into() });
    let told = Body::new(&renamed, made_scene("walking", "sik")).map(|_| ()).unwrap_err();
    assert!(told.contains("own humanoid"), "{told}");
}
