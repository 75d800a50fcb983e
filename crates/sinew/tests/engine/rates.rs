//! Seconds instead of frames: the same motion at any frame rate gives the same body.
//!
//! The story: bounds and memories were per frame, so that a body that was right at 120 frames a
//! second lagged at 30 (its error was three and a half times as large) and at 15 seven times. A
//! pelvis took a dozen frames to turn whatever they lasted, and a point that goes fast at a low
//! rate was taken for one that jumps.

use crate::people;
use crate::people::{LEFT_ANKLE, LEFT_WRIST, RIGHT_ANKLE, RIGHT_WRIST, turned};
use sinew::analytic::{Limb, LimbFollower, LimbFollowerOptions, Swivel};
use sinew::body::reach::{ReachOptions, ReachSolver, Style};
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Source, Trackers};
use sinew::body::walk::{Ground, WalkInput, WalkOptions, Walker};
use sinew::math::{Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{JointId, ModelPose, Pose, Skeleton, Target, Vec3};

const RATES: [usize; 6] = [30, 60, 72, 90, 120, 144];
/// Every rate has a frame at every sixth of a second.
const SIXTHS: usize = 36;

/// The poses at every sixth of a second of a motion that is played at this rate.
fn play(rate: usize, mut each: impl FnMut(Real, Real) -> Pose) -> Vec<Pose> {
    let dt = 1.0 / rate as Real;
    let mut kept = Vec::new();
    for frame in 0..=SIXTHS * rate / 6 {
        let pose = each(frame as Real * dt, dt);
        if frame % (rate / 6) == 0 {
            kept.push(pose);
        }
    }
    kept
}

/// The mean distance of the joints of two motions, in metres.
fn apart(skeleton: &Skeleton, joints: &[JointId], a: &[Pose], b: &[Pose]) -> Real {
    let mut sum = 0.0;
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (ModelPose::new(skeleton, a), ModelPose::new(skeleton, b));
        sum += joints.iter().map(|&j| a.position(j).distance(b.position(j))).sum::<Real>();
    }
    sum / (a.len() * joints.len()) as Real
}

/// Every rate gives the motion of 120 Hz, within so many metres on average.
fn compare(what: &str, skeleton: &Skeleton, most: Real, motion: impl Fn(usize) -> Vec<Pose>) {
    let joints: Vec<JointId> = skeleton.ids().collect();
    let reference = motion(120);
    // It moves: were every rate frozen, all would be equal.
    let still: Vec<Pose> = vec![reference[0].clone(); reference.len()];
    let moved = apart(skeleton, &joints, &reference, &still);
    assert!(moved > 10.0 * most, "{what}: it moves by {moved}");
    for rate in RATES {
        let off = apart(skeleton, &joints, &motion(rate), &reference);
        assert!(off <= most, "{what} at {rate} Hz: {off} m from 120 Hz");
    }
}

/// Fast and slow: a turn on the spot in half a second, punches at ten metres a second, a crouch, and
/// hands behind the back, where limits make elbows go over.
fn dance(body: &SixPoint, rest: &ModelPose, t: Real) -> Trackers {
    let at = |p: Point| rest.position(body.joint(p).unwrap());
    let s = |rate: Real| (rate * t).sin();
    let shoulder = |side| rest.position(body.limb(Point::Wrist(side)).unwrap().joints().upper);
    let punch = |phase: Real| (2.6 * t + phase).sin().max(0.0).powi(8);
    let hand = |side, out: Real, phase: Real| {
        let guard = Vec3::new(0.1 * out, -0.25, 0.2 - 0.35 * (0.9 * t + phase).sin());
        shoulder(side) + guard.lerp(Vec3::new(-0.1 * out, 0.05, 0.5), punch(phase))
    };
    let low = Vec3::new(0.0, -0.12 - 0.1 * s(1.7), 0.05 * s(1.1));
    let frame = Trackers::default()
        .with(Point::Pelvis, at(Point::Pelvis) + low)
        .with(Point::Head, at(Point::Head) + low + Vec3::new(0.05 * s(1.3), -0.02, 0.1 + 0.08 * s(2.3)))
        .with(LEFT_WRIST, hand(Side::Left, 1.0, 0.0) + low)
        .with(RIGHT_WRIST, hand(Side::Right, -1.0, 3.1) + low)
        .with(LEFT_ANKLE, at(LEFT_ANKLE) + Vec3::new(0.05, 0.05 + 0.05 * s(3.0), 0.15 * s(3.0)))
        .with(RIGHT_ANKLE, at(RIGHT_ANKLE) + Vec3::new(-0.05, 0.05 - 0.05 * s(3.0), -0.15 * s(3.0)));
    // Half turns to and fro, each within half a second.
    let turn = 1.6 * (3.0 * (0.8 * t).sin()).tanh();
    turned(&frame, rotation::about(Vec3::Y, turn))
}

#[test]
fn six_points_at_any_rate() {
    let skeleton = humanoid(SwingModel::Spline);
    let rest = ModelPose::rest(&skeleton);
    let map = HumanoidMap::find(&skeleton);
    let played = |options: SixPointOptions, points: &[Point], rate: usize| {
        let mut body = SixPoint::new(&skeleton, &map, options).unwrap();
        let mut pose = body.relaxed().clone();
        play(rate, |t, dt| {
            let all = dance(&body, &rest, t);
            let frame =
                points.iter().fold(Trackers::default(), |some, &p| some.with(p, all.position(p).unwrap()));
            let report = body.solve(&skeleton, &frame, dt, &mut pose);
            let seen = points.iter().all(|p| report.source(*p) == Source::Measured);
            assert!(seen, "at {t} a motion is taken for a fault: {report}");
            assert_eq!(pose.worst_violation(&skeleton), None);
            pose.clone()
        })
    };
    for (what, options) in [
        ("as published", SixPointOptions::paper()),
        ("as published, rigid", SixPointOptions::paper_rigid()),
        ("the default", SixPointOptions::default()),
    ] {
        compare(what, &skeleton, 0.006, |rate| played(options, &Point::SIX, rate));
    }
    // Head and wrists: feet that nobody tracks step by themselves, and when they do drifts a little
    // with the rate.
    compare("three points", &skeleton, 0.06, |rate| {
        let mut body = SixPoint::new(&skeleton, &map, SixPointOptions::default()).unwrap();
        let mut pose = body.relaxed().clone();
        play(rate, |t, dt| {
            let all = turned(&people::walking(&body, &rest, t), rotation::about(Vec3::Y, 0.6 * t));
            let ahead = Vec3::new(1.0 - (0.6 * t).cos(), 0.0, (0.6 * t).sin()) * 1.5;
            let three = Point::SIX[1..4].iter();
            let frame = three.fold(Trackers::default(), |f, &p| f.with(p, all.position(p).unwrap() + ahead));
            body.solve(&skeleton, &frame, dt, &mut pose);
            pose.clone()
        })
    });
}

#[test]
fn noise_is_filtered_alike_at_any_rate() {
    use sinew::filter::{NoiseFilter, NoiseOptions};
    let followed = |rate: usize| -> Vec<Vec3> {
        let mut filter = NoiseFilter::default();
        let dt = 1.0 / rate as Real;
        let seen = |t: Real| Vec3::new((2.0 * t).sin(), (3.1 * t).cos(), 0.5 * (0.7 * t).sin());
        let all = (0..=SIXTHS * rate / 6)
            .map(|i| filter.position(seen(i as Real * dt), dt, &NoiseOptions::new(0.01)));
        all.enumerate().filter(|(i, _)| i % (rate / 6) == 0).map(|(_, at)| at).collect()
    };
    let reference = followed(120);
    for rate in RATES {
        for (a, b) in followed(rate).iter().zip(&reference) {
            assert!(a.distance(*b) < 0.02, "{rate} Hz: {a} instead of {b}");
        }
    }
}

/// To and fro past the shoulder, the limits and full extension, at up to two metres a second, and a
/// jump in between: after three seconds and a bit, since by rounding a frame at three seconds is before or
/// after them.
fn errand(shoulder: Vec3, t: Real) -> Vec3 {
    let jump = if t > 3.004 { Vec3::new(0.0, 0.25, -0.1) } else { Vec3::ZERO };
    let s = |rate: Real, phase: Real| (rate * t + phase).sin();
    shoulder + Vec3::new(-0.15 + 0.35 * s(1.9, 0.3), 0.45 * s(1.3, 4.0), 0.3 + 0.35 * s(2.3, 0.0)) + jump
}

#[test]
fn reaching_at_any_rate() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    compare("reaching", &skeleton, 0.008, |rate| {
        let mut solver =
            ReachSolver::new(&skeleton, &map, &Pose::rest(&skeleton), ReachOptions::default()).unwrap();
        for side in Side::BOTH {
            solver.set_behaviour(Style::Plain.behaviour(&skeleton, &map, side).unwrap()).unwrap();
        }
        let shoulder = solver.initial_model().position(map.arm(Side::Right).unwrap().upper);
        let mut pose = solver.initial().clone();
        play(rate, |t, dt| {
            let targets = [(Side::Right, Target::Position(errand(shoulder, t)))];
            solver.solve(&skeleton, &targets, dt, &mut pose);
            assert_eq!(pose.worst_violation(&skeleton), None);
            pose.clone()
        })
    });
}

#[test]
fn a_limb_follows_alike_at_any_rate() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let model = ModelPose::rest(&skeleton);
    compare("a following arm", &skeleton, 0.004, |rate| {
        let limb = Limb::arm(&skeleton, &map, Side::Right).unwrap();
        let shoulder = model.position(limb.joints().upper);
        let mut arm = LimbFollower::new(limb, LimbFollowerOptions::default());
        let mut pose = Pose::rest(&skeleton);
        play(rate, |t, dt| {
            let goal = Target::Position(errand(shoulder, t));
            arm.solve(&skeleton, &model, &goal, Swivel::default(), dt, &mut pose);
            assert_eq!(pose.worst_violation(&skeleton), None);
            pose.clone()
        })
    });
}

#[test]
fn walking_at_any_rate() {
    let skeleton = humanoid(SwingModel::Ellipse);
    compare("walking", &skeleton, 0.002, |rate| {
        let mut walker = Walker::new(&skeleton, WalkOptions::default(), &Ground::Flat).unwrap();
        let mut pose = Pose::rest(&skeleton);
        play(rate, |t, dt| {
            let dt = if t > 0.0 { dt } else { 0.0 };
            let input = WalkInput { speed: 0.8, turn: 0.3 };
            walker.step(&skeleton, &Ground::Flat, input, dt, &mut pose);
            pose.clone()
        })
    });
}

/// No time at all moves nobody further than a hair, and breaks nothing.
#[test]
fn time_steps_that_are_none() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let rest = ModelPose::rest(&skeleton);
    for dt in [0.0, -1.0, Real::NAN, Real::NEG_INFINITY, Real::INFINITY, Real::MAX] {
        let mut body = SixPoint::new(&skeleton, &map, SixPointOptions::default()).unwrap();
        let mut pose = body.relaxed().clone();
        let mut solver =
            ReachSolver::new(&skeleton, &map, &Pose::rest(&skeleton), ReachOptions::default()).unwrap();
        let shoulder = rest.position(map.arm(Side::Right).unwrap().upper);
        let mut reached = Pose::rest(&skeleton);
        let mut last: Option<Pose> = None;
        for i in 0..30 {
            let t = i as Real * 0.05;
            body.solve(&skeleton, &dance(&body, &rest, t), dt, &mut pose);
            let targets = [(Side::Right, Target::Position(errand(shoulder, t)))];
            solver.solve(&skeleton, &targets, dt, &mut reached);
            for pose in [&pose, &reached] {
                assert!(pose.is_finite() && pose.worst_violation(&skeleton).is_none(), "{dt}");
            }
            let no_time = dt.is_nan() || dt <= 0.0;
            if let Some(last) = last.replace(reached.clone()).filter(|_| no_time) {
                let turn = |j| rotation::angle(last.rotation(j).conjugate() * reached.rotation(j));
                let turn = skeleton.ids().map(turn).fold(0.0, Real::max);
                assert!(turn < 2.0e-3, "{dt}: a turn by {turn}");
            }
        }
    }
}
