//! The promises of the whole body from six points: the points of poses are hit,
//! limits hold, the pelvis never flips, and no marker can break anything.

use sinew::body::six_point::{Calibration, Point, SixPoint, SixPointOptions, Source, Trackers};
use sinew::math::{Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Cause, ModelPose, Pose, Quat, Transform, Vec3};

use crate::counting::allocations;
use crate::people::*;

#[test]
fn points_within_reach_are_hit_and_limits_hold() {
    for model in SwingModel::ALL {
        let skeleton = humanoid(model);
        let rest = ModelPose::rest(&skeleton);
        for options in both() {
            let mut body = body(&skeleton, options);
            let mut pose = body.relaxed().clone();
            for i in 0..240 {
                let frame = walking(&body, &rest, i as Real / 60.0);
                let report = body.solve(&skeleton, &frame, DT, &mut pose);
                // The published spine bends in the plane in which it moves, which turns round in a walk,
                // and the shoulders with it; with ours no limit has to give.
                assert_limits(&body, &skeleton, &pose, &report);
                let firm = pose.worst_violation(&skeleton).is_none();
                assert!(firm || options == SixPointOptions::paper(), "{model:?}, frame {i}");
                let model = ModelPose::new(&skeleton, &pose);
                for (point, limb) in Point::SIX[2..].iter().zip([
                    report.arms[0],
                    report.arms[1],
                    report.legs[0],
                    report.legs[1],
                ]) {
                    let strained = matches!(limb.outcome.cause, Some(Cause::Strained { .. }));
                    assert!(limb.reached() || strained, "{point:?} at {i}: {:?}", limb.outcome);
                    let away =
                        model.position(body.joint(*point).unwrap()).distance(frame.position(*point).unwrap());
                    assert!(away < 1e-3, "{point:?}: {away}");
                }
                let both = [Point::Pelvis, Point::Head]
                    .map(|p| model.position(body.joint(p).unwrap()).distance(frame.position(p).unwrap()));
                assert!((both[0] - both[1]).abs() < 1e-3, "the spine's error is split: {both:?}");
            }
        }
    }
}

/// A cartwheel, a roll forwards, lying down, and turns on the spot: the pelvis
/// goes along and never flips.
#[test]
fn turning_any_way_does_not_flip_the_pelvis() {
    let skeleton = humanoid(SwingModel::Spline);
    let rest = ModelPose::rest(&skeleton);
    for options in both() {
        for axis in [Vec3::Z, Vec3::X, Vec3::Y, Vec3::new(0.6, 0.0, 0.8), Vec3::new(0.0, 0.6, -0.8)] {
            let mut body = body(&skeleton, options);
            let hips = body.joint(Point::Pelvis).unwrap();
            let mut pose = body.relaxed().clone();
            let (mut straight, mut last): (Option<Quat>, Option<Quat>) = (None, None);
            // Standing first, then two whole turns within four seconds.
            for i in 0..360 {
                let angle = (i as Real - 120.0).max(0.0) * (720.0 as Real).to_radians() / 240.0;
                let turn = rotation::about(axis, angle);
                // The pose itself stands still, so that only the turn counts.
                let frame = turned(&walking(&body, &rest, 0.1), turn);
                body.solve(&skeleton, &frame, DT, &mut pose);
                let now = ModelPose::new(&skeleton, &pose).rotation(hips);
                if i == 119 {
                    straight = Some(now);
                }
                if let Some(straight) = straight {
                    let off = rotation::angle(now * (turn * straight).conjugate());
                    // The published bend plane goes with the motion, and the pelvis with it.
                    let most = if options == SixPointOptions::paper() { 1.0 } else { 0.35 };
                    assert!(off < most, "axis {axis}, frame {i}: {off} rad off");
                }
                if let Some(last) = last.filter(|_| i > 1) {
                    let step = rotation::angle(now * last.conjugate());
                    assert!(step < 0.2, "axis {axis}, frame {i}: a step of {step}");
                }
                last = Some(now);
            }
        }
    }
}

/// What trackers do on a bad day, one kind after the other.
#[test]
fn bad_markers_neither_break_nor_throw_the_body() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    type Spoil = fn(&Trackers, Point, &Trackers) -> Trackers;
    let kinds: [(&str, Spoil, &[Source]); 5] = [
        ("missing", |f, p, _| f.without(p), &[Source::Missing]),
        ("not finite", |f, p, _| f.with(p, Vec3::new(Real::NAN, 0.0, 1.0)), &[Source::NotFinite]),
        ("infinite", |f, p, _| f.with(p, Vec3::splat(Real::INFINITY)), &[Source::NotFinite]),
        (
            "ten metres away",
            |f, p, _| f.with(p, f.position(p).unwrap() + Vec3::new(6.0, 0.0, 8.0)),
            &[Source::Implausible, Source::CatchingUp],
        ),
        (
            "frozen",
            |f, p, last| f.with(p, last.position(p).unwrap()),
            &[Source::Frozen, Source::Measured, Source::Implausible],
        ),
    ];
    for options in both() {
        for (name, spoil, expected) in kinds {
            for point in Point::SIX {
                let mut body = body(&skeleton, options);
                let mut pose = body.relaxed().clone();
                let mut clean = body.clone();
                let mut clean_pose = pose.clone();
                let mut before: Option<ModelPose> = None;
                let mut seen = Vec::new();
                let mut still = Trackers::default();
                for i in 0..240 {
                    // The whole body walks ahead, too.
                    let way = Vec3::new(0.0, 0.0, 0.01) * i as Real;
                    let mut frame = walking(&body, &rest, i as Real / 60.0);
                    for p in Point::SIX {
                        frame = frame.with(p, frame.position(p).unwrap() + way);
                    }
                    clean.solve(&skeleton, &frame, DT, &mut clean_pose);
                    if i == 59 {
                        still = frame;
                    }
                    let bad = (60..120).contains(&i);
                    let given = if bad { spoil(&frame, point, &still) } else { frame };
                    let report = body.solve(&skeleton, &given, DT, &mut pose);
                    assert!(pose.is_finite(), "{name} {point:?} at {i}");
                    assert_limits(&body, &skeleton, &pose, &report);
                    let model = ModelPose::new(&skeleton, &pose);
                    if bad {
                        seen.push(report.source(point));
                        if name != "frozen" {
                            assert!(
                                expected.contains(&report.source(point)),
                                "{name} {point:?}: {:?}",
                                report.source(point)
                            );
                        }
                    }
                    if let Some(before) = &before {
                        // The bound: a marker moves by 0.2 m at the most; an elbow
                        // that a limit sends round goes across its circle at the most.
                        for joint in skeleton.ids() {
                            let step = model.position(joint).distance(before.position(joint));
                            assert!(
                                step < 0.6,
                                "{name} {point:?} at {i}: {} went {step}",
                                skeleton.joint(joint).name()
                            );
                        }
                    }
                    before = Some(model);
                }
                if name == "frozen" {
                    assert!(seen.contains(&Source::Frozen), "{point:?}: {seen:?}");
                }
                // Recovered: two seconds later it is as if nothing had been.
                let (a, b) = (ModelPose::new(&skeleton, &pose), ModelPose::new(&skeleton, &clean_pose));
                for joint in skeleton.ids() {
                    let away = a.position(joint).distance(b.position(joint));
                    // The published bend plane remembers how the body went.
                    let most = if options == SixPointOptions::paper() { 0.2 } else { 0.02 };
                    assert!(away < most, "{name} {point:?}: {} is {away} off", skeleton.joint(joint).name());
                }
            }
        }
    }
}

#[test]
fn nonsense_from_the_first_frame_is_finite() {
    let skeleton = humanoid(SwingModel::Kusudama);
    for options in both() {
        let mut body = body(&skeleton, options);
        let mut pose = body.relaxed().clone();
        let same = Point::SIX.into_iter().fold(Trackers::default(), |t, p| t.with(p, Vec3::ONE));
        let nan = Point::SIX.into_iter().fold(Trackers::default(), |t, p| t.with(p, Vec3::splat(Real::NAN)));
        let huge = Point::SIX
            .into_iter()
            .enumerate()
            .fold(Trackers::default(), |t, (i, p)| t.with(p, Vec3::splat(1e18) * i as Real));
        let turned = same
            .turned(Point::Head, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0))
            .turned(Point::Pelvis, Quat::from_xyzw(Real::NAN, 0.0, 0.0, 1.0));
        for frame in [Trackers::default(), nan, same, huge, turned, nan, same] {
            let report = body.solve(&skeleton, &frame, DT, &mut pose);
            assert!(pose.is_finite());
            assert_limits(&body, &skeleton, &pose, &report);
        }
    }
}

/// A headset and two controllers: the rest is filled in and the hands are there.
#[test]
fn three_points_will_do() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let mut body = body(&skeleton, SixPointOptions::default());
    let mut pose = body.relaxed().clone();
    for i in 0..120 {
        let full = walking(&body, &rest, i as Real / 60.0);
        let frame = full.without(Point::Pelvis).without(LEFT_ANKLE).without(RIGHT_ANKLE);
        let report = body.solve(&skeleton, &frame, DT, &mut pose);
        assert!(report.arms.iter().all(|a| a.reached()), "{i}: {:?}", report.arms);
        assert_eq!(report.source(Point::Pelvis), Source::Missing);
        assert!(pose.is_finite() && pose.worst_violation(&skeleton).is_none());
    }
}

/// Elbows and knees, where they are tracked, are on the side where they are seen.
#[test]
fn more_points_are_honoured() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let mut body = body(&skeleton, SixPointOptions::default());
    let mut pose = body.relaxed().clone();
    let frame = walking(&body, &rest, 0.3);
    body.solve(&skeleton, &frame, DT, &mut pose);
    let elbow = body.joint(Point::Elbow(Side::Left)).unwrap();
    let shoulder = body.limb(LEFT_WRIST).unwrap().joints().upper;
    let model = ModelPose::new(&skeleton, &pose);
    let line = (frame.position(LEFT_WRIST).unwrap() - model.position(shoulder)).normalize();
    // A fifth of a turn further round the line from shoulder to wrist.
    let to = model.position(shoulder)
        + rotation::about(line, 0.4) * (model.position(elbow) - model.position(shoulder));
    let report = body.solve(&skeleton, &frame.with(Point::Elbow(Side::Left), to), DT, &mut pose);
    assert!(report.arm(Side::Left).reached());
    let away = ModelPose::new(&skeleton, &pose).position(elbow).distance(to);
    assert!(away < 0.02, "{away}");
}

#[test]
fn the_same_frames_give_the_same_bits() {
    let skeleton = humanoid(SwingModel::Spline);
    let rest = ModelPose::rest(&skeleton);
    let once = || {
        let mut body = body(&skeleton, SixPointOptions::default());
        let mut pose = body.relaxed().clone();
        for i in 0..60 {
            let frame = walking(&body, &rest, i as Real / 60.0);
            body.solve(&skeleton, &frame, DT, &mut pose);
        }
        pose
    };
    assert_eq!(once(), once());
}

#[test]
fn another_skeleton_is_left_alone() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let mut body = body(&skeleton, SixPointOptions::default());
    let chain = sinew::rigs::chain(3, 1.0);
    let mut pose = Pose::rest(&chain);
    assert_eq!(body.solve(&chain, &Trackers::default(), DT, &mut pose).cause, Some(Cause::Mismatch));
    assert_eq!(pose, Pose::rest(&chain));
    assert!(SixPoint::new(&chain, &HumanoidMap::find(&chain), SixPointOptions::default()).is_err());
}

#[test]
fn a_frame_does_not_allocate() {
    for model in SwingModel::ALL {
        let skeleton = humanoid(model);
        let rest = ModelPose::rest(&skeleton);
        let mut body = body(&skeleton, SixPointOptions::default());
        let mut pose = body.relaxed().clone();
        let frames: Vec<Trackers> = (0..60)
            .map(|i| {
                let frame = walking(&body, &rest, i as Real / 60.0);
                if i % 7 == 0 {
                    frame.without(LEFT_WRIST).with(Point::Head, Vec3::splat(Real::NAN))
                } else {
                    frame
                }
            })
            .collect();
        let before = allocations();
        for frame in &frames {
            body.solve(&skeleton, frame, DT, &mut pose);
        }
        assert_eq!(allocations(), before);
    }
}

/// A child and a giant in a T-pose are as large as the rig afterwards.
#[test]
fn people_of_other_sizes_are_calibrated() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    for size in [0.6, 1.0, 1.4] {
        let mut body = body(&skeleton, SixPointOptions::default());
        let mut t_pose = body.points_of(&rest);
        for side in Side::BOTH {
            let limb = body.limb(Point::Wrist(side)).unwrap();
            let out = if side == Side::Left { 1.0 } else { -1.0 };
            let (upper, lower) = limb.lengths();
            let wrist = rest.position(limb.joints().upper) + Vec3::X * out * (upper + lower);
            t_pose = t_pose.with(Point::Wrist(side), wrist);
        }
        let factor = body.calibrate(&t_pose.scaled(size)).unwrap();
        assert!((factor * size - 1.0).abs() < 0.05, "{size}: {factor}");
        let mut pose = body.relaxed().clone();
        let frame = walking(&body, &rest, 0.2).scaled(size);
        let report = body.solve(&skeleton, &frame, DT, &mut pose);
        assert!(report.legs.iter().chain(&report.arms).all(|l| l.outcome.residual.position < 0.02), "{size}");
        assert_eq!(body.calibrate(&Trackers::default()), None);
    }
}

/// Somebody with a headset and two controllers whose arms are longer for the height than the rig's, and who is
/// taller: in a T-pose, an A-pose or some seconds of moving about, height and arms are told apart, so that the rig
/// stands with straight knees and straight arms where they do, and its hands meet where theirs do.
#[test]
fn height_and_arms_are_told_apart() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let (taller, longer) = (1.15, 1.2);
    let fresh = || body(&skeleton, SixPointOptions::default());
    let head = rest.position(fresh().joint(Point::Head).unwrap());
    let shoulders = Side::BOTH.map(|s| rest.position(fresh().limb(Point::Wrist(s)).unwrap().joints().upper));
    let middle = 0.5 * (shoulders[0] + shoulders[1]);
    let (upper, lower) = fresh().limb(LEFT_WRIST).unwrap().lengths();
    // The person with arms stretched so far down and so far ahead, standing upright but for so much.
    let person = |down: Real, ahead: Real, lower_by: Real| {
        let mut seen = Trackers::default().with(Point::Head, (head - Vec3::Y * lower_by) * taller);
        for side in Side::BOTH {
            let out = if side == Side::Left { 1.0 } else { -1.0 };
            let way = Vec3::new(out, -down, ahead).normalize();
            let hand = shoulders[side as usize] + way * (upper + lower);
            let hand = middle + (hand - middle) * longer - Vec3::Y * lower_by;
            seen = seen.with(Point::Wrist(side), hand * taller);
        }
        seen
    };
    let motion: Vec<Trackers> = (0..180)
        .map(|i| {
            let t = i as Real / 60.0;
            let bent = if i % 60 < 40 { 0.3 * (t * 5.0).sin().abs() } else { 0.0 };
            person(1.5 + (t * 3.0).sin(), 0.5 * (t * 2.0).cos(), bent)
        })
        .collect();
    for frames in [&[person(0.0, 0.0, 0.0)][..], &[person(1.0, 0.0, 0.0)], &motion] {
        let mut body = fresh();
        let height = body.calibrate_from(frames).unwrap();
        let arms = body.calibration().arms;
        assert!((height * taller - 1.0).abs() < 0.02, "{height}");
        assert!((arms * longer - 1.0).abs() < 0.03, "{arms}");
        let mut pose = body.relaxed().clone();
        let seen = person(0.3, 0.2, 0.0);
        for _ in 0..60 {
            body.solve(&skeleton, &seen, DT, &mut pose);
        }
        let model = ModelPose::new(&skeleton, &pose);
        for (point, straight) in [(LEFT_WRIST, 0.97), (LEFT_ANKLE, 0.985)] {
            let limb = body.limb(point).unwrap();
            let far = model.position(limb.joints().upper).distance(model.position(limb.joints().end));
            let part = far / (limb.lengths().0 + limb.lengths().1);
            assert!(part > straight, "{point:?} bends: {part}");
        }
        // Hands that meet.
        let clap = (head + Vec3::new(0.0, -0.35, 0.3)) * taller;
        let seen = seen.with(LEFT_WRIST, clap).with(RIGHT_WRIST, clap);
        for _ in 0..60 {
            body.solve(&skeleton, &seen, DT, &mut pose);
        }
        let model = ModelPose::new(&skeleton, &pose);
        let [left, right] = [LEFT_WRIST, RIGHT_WRIST].map(|p| model.position(body.joint(p).unwrap()));
        assert!(left.distance(right) < 2.0e-3, "{left} {right}");
    }
}

/// A headset is before the eyes and a controller in the palm: with their mounts, the joints are where they would be
/// without, and nonsense is refused.
#[test]
fn mounts_put_joints_where_they_are() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let mut plain = body(&skeleton, SixPointOptions::default());
    let mut mounted = plain.clone();
    let mounts = [Point::Head, LEFT_WRIST, RIGHT_WRIST].map(|point| {
        let out = if point == LEFT_WRIST { -1.0 } else { 1.0 };
        (point, Transform::new(Vec3::new(0.02 * out, -0.08, -0.1), rotation::about(Vec3::Y, 0.4 * out)))
    });
    let calibration =
        mounts.iter().fold(Calibration::default(), |c, (point, mount)| c.with_mount(*point, *mount));
    assert!(mounted.set_calibration(calibration));
    let (mut no_size, mut ape) = (calibration, calibration);
    (no_size.height, ape.arms) = (Real::NAN, 9.0);
    assert!(!mounted.set_calibration(no_size) && !mounted.set_calibration(ape));
    assert_eq!(*mounted.calibration(), calibration);
    let (mut a, mut b) = (plain.relaxed().clone(), plain.relaxed().clone());
    for i in 0..60 {
        let full = walking(&plain, &rest, i as Real / 60.0);
        let (mut joints, mut trackers) = (Trackers::default(), Trackers::default());
        for (point, mount) in &mounts {
            let turn = rest.rotation(plain.joint(*point).unwrap());
            let joint = Transform::new(full.position(*point).unwrap(), turn);
            let tracker = joint * mount.inverse();
            joints.set(*point, Some(joint.translation), Some(joint.rotation));
            trackers.set(*point, Some(tracker.translation), Some(tracker.rotation));
        }
        plain.solve(&skeleton, &joints, DT, &mut a);
        mounted.solve(&skeleton, &trackers, DT, &mut b);
        let (a, b) = (ModelPose::new(&skeleton, &a), ModelPose::new(&skeleton, &b));
        let apart = a.positions().iter().zip(b.positions()).map(|(a, b)| a.distance(*b));
        assert!(apart.fold(0.0, Real::max) < 2.0e-3, "frame {i}");
    }
}
