//! The whole body from six points in motion: what moves smoothly is posed
//! smoothly, and nobody's pelvis flips, however they lie, crawl or turn.

use crate::people::*;
use sinew::analytic::LimbFollowerOptions;
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::limit::{AngleRange, EulerLimit, EulerOrder};
use sinew::math::{Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use sinew::{Cause, JointKind, JointLimit, ModelPose, Pose, Quat, Skeleton, Target, Vec3};

const PI: Real = core::f64::consts::PI as Real;

/// Shoulders with a box of Euler angles that ends at its own poles, as motion
/// capture's skeletons have them: the shape that tears arcs apart.
fn boxed() -> Skeleton {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let mut builder = skeleton.to_builder();
    for (i, side) in Side::BOTH.into_iter().enumerate() {
        let arm = map.arm(side).unwrap().upper;
        let range = |a: Real, b: Real| AngleRange::new(a.to_radians(), b.to_radians());
        let first = if i == 0 { range(-60.0, 90.0) } else { range(-90.0, 60.0) };
        let ranges = [first, range(-90.0, 90.0), range(-90.0, 90.0)];
        builder.joints[arm.index()].limit = EulerLimit::new(EulerOrder::Xyz, ranges).into();
    }
    builder.build().unwrap()
}

/// Wrists on circles, about a centimetre a frame, all about the body; what is smooth in
/// must be smooth out, with the hands in their places, whatever the limits are.
#[test]
fn elbows_go_over_and_never_jump() {
    let mut rigs: Vec<(String, Skeleton)> =
        [SwingModel::Ellipse, SwingModel::Spline].map(|m| (format!("{m:?}"), humanoid(m))).into();
    rigs.push(("boxed".into(), boxed()));
    let (mut crossed, mut strained) = (0, 0);
    for (name, skeleton) in &rigs {
        let rest = ModelPose::rest(skeleton);
        // With limits that give, and with limits that hold whatever happens.
        let giving = both().map(|options| SixPointOptions {
            limbs: LimbFollowerOptions { give: 0.4, ..options.limbs },
            ..options
        });
        for options in giving.into_iter().chain(both()) {
            for path in 0..8 {
                let mut body = body(skeleton, options);
                let mut pose = body.relaxed().clone();
                let mut before: Option<(Pose, ModelPose)> = None;
                let mut since = [0; 2];
                let mut going = [0; 2];
                for i in 0..180 {
                    let mut frame = walking(&body, &rest, 0.1);
                    for (s, side) in Side::BOTH.into_iter().enumerate() {
                        let out = if s == 0 { 1.0 } else { -1.0 };
                        let joints = body.limb(Point::Wrist(side)).unwrap().joints();
                        let shoulder = rest.position(joints.upper) + Vec3::new(0.0, -0.1, 0.0);
                        frame = frame.with(Point::Wrist(side), shoulder + circle(path, i, out));
                    }
                    let report = body.solve(skeleton, &frame, DT, &mut pose);
                    assert_limits(&body, skeleton, &pose, &report);
                    crossed += report
                        .arms
                        .iter()
                        .filter(|r| matches!(r.outcome.cause, Some(Cause::Underway { .. })))
                        .count();
                    for (arm, side) in report.arms.iter().zip(Side::BOTH) {
                        if matches!(arm.outcome.cause, Some(Cause::Strained { .. })) {
                            strained += 1;
                            let goal = Target::Position(frame.position(Point::Wrist(side)).unwrap());
                            let limb = body.limb(Point::Wrist(side)).unwrap();
                            let open =
                                limb.valid_swivels(skeleton, body.model(), &goal, &pose).next().is_some();
                            let missed = arm.outcome.residual.position;
                            assert!(!open || missed < 1.0e-3, "{name} {path} frame {i}: {arm:?}");
                        }
                    }
                    let now = ModelPose::new(skeleton, &pose);
                    let Some((before, last)) = before.replace((pose.clone(), now.clone())) else { continue };
                    for (s, side) in Side::BOTH.into_iter().enumerate() {
                        let upper = body.limb(Point::Wrist(side)).unwrap().joints().upper;
                        let step = rotation::angle(before.rotation(upper).conjugate() * pose.rotation(upper));
                        let above = skeleton.parent(upper).unwrap();
                        let trunk = rotation::angle(last.rotation(above).conjugate() * now.rotation(above));
                        let wrist = frame.position(Point::Wrist(side)).unwrap();
                        // Half a radian is what limits may push; what is nearer
                        // to the shoulder than a hand's length turns fast by itself.
                        let near = wrist.distance(now.position(upper)) < 0.2;
                        assert!(near || step < 0.65 + trunk, "{name} {path} frame {i} {side:?}: {step}");
                        // Whoever goes over arrives: half a turn takes seven frames, and round the
                        // corners of a box up to twice that.
                        let underway = matches!(report.arms[s].outcome.cause, Some(Cause::Underway { .. }));
                        going[s] = if underway { going[s] + 1 } else { 0 };
                        assert!(going[s] < 15, "{name} {path} frame {i}: still underway");
                        // Where some swivel angle has held the limits for a while, the
                        // hand is there.
                        let arm = body.limb(Point::Wrist(side)).unwrap();
                        let goal = Target::Position(wrist);
                        // A scan is slow: every third frame.
                        if i % 3 > 0 {
                            continue;
                        }
                        let open = arm.valid_swivels(skeleton, body.model(), &goal, &pose).next().is_some();
                        since[s] = if open { since[s] + 1 } else { 0 };
                        let missed = report.arms[s].outcome.residual.position;
                        assert!(
                            since[s] < 15 || underway || missed < 1.0e-3,
                            "{name} {path} frame {i}: {missed} {:?}",
                            report.arms[s]
                        );
                    }
                }
            }
        }
    }
    assert!(crossed > 0, "the motions must make some elbow go over");
    assert!(strained > 0, "the motions must make some limit give");
}

/// The wanted angle has the elbow in the belly; it comes out, bit by bit, and the wrist stays.
#[test]
#[cfg(feature = "collision")]
fn elbows_leave_the_torso_without_a_jump() {
    use sinew::collision::{CollisionBody, CollisionQuery, CollisionScene, Touched};
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let map = HumanoidMap::find(&skeleton);
    let parts = CollisionBody::from_rig(&skeleton, &map);
    let inside = |pose: &Pose| {
        let mut query = CollisionQuery::new(&parts);
        query.place(&parts, &ModelPose::new(&skeleton, pose));
        Side::BOTH
            .into_iter()
            .filter(|side| {
                let upper = map.arm(*side).unwrap().upper;
                let elbow = parts.parts().iter().position(|part| part.joint == upper && !part.inner).unwrap();
                query.first_contact(&parts, &CollisionScene::new(), &[elbow]).is_some_and(|contact| {
                matches!(contact.with, Touched::Part(other) if map.spine().contains(&parts.parts()[other].joint))
            })
            })
            .count()
    };
    let mut counts = [0; 2];
    for (count, elbows_out) in counts.iter_mut().zip([false, true]) {
        let options = SixPointOptions { elbows_out, swivels: [-1.4, 0.0], ..SixPointOptions::default() };
        let mut body = body(&skeleton, options);
        let mut pose = body.relaxed().clone();
        for i in 0..240 {
            let turn = i as Real * 0.03;
            let mut frame = walking(&body, &rest, 0.1);
            for (side, out) in Side::BOTH.into_iter().zip([1.0, -1.0]) {
                let upper = body.limb(Point::Wrist(side)).unwrap().joints().upper;
                let at = Vec3::new(out * (-0.02 + 0.06 * turn.sin()), -0.34 + 0.06 * turn.cos(), 0.26);
                frame = frame.with(Point::Wrist(side), rest.position(upper) + at);
            }
            let before = pose.clone();
            let report = body.solve(&skeleton, &frame, DT, &mut pose);
            for side in Side::BOTH {
                assert!(
                    report.arm(side).outcome.residual.position < 1.0e-3,
                    "frame {i}: {:?}",
                    report.arm(side)
                );
                let upper = map.arm(side).unwrap().upper;
                let step = rotation::angle(before.rotation(upper).conjugate() * pose.rotation(upper));
                assert!(i == 0 || step < 0.25, "frame {i}: a step of {step}");
            }
            *count += inside(&pose);
        }
        // Who stands still comes to rest, also against the torso.
        let still = walking(&body, &rest, 0.1);
        for i in 0..120 {
            let mut frame = still;
            for (side, out) in Side::BOTH.into_iter().zip([1.0, -1.0]) {
                let upper = body.limb(Point::Wrist(side)).unwrap().joints().upper;
                let at = Vec3::new(out * -0.05, -0.34, 0.26);
                frame = frame.with(Point::Wrist(side), rest.position(upper) + at);
            }
            let before = pose.clone();
            body.solve(&skeleton, &frame, DT, &mut pose);
            for side in Side::BOTH {
                let upper = map.arm(side).unwrap().upper;
                let step = rotation::angle(before.rotation(upper).conjugate() * pose.rotation(upper));
                assert!(i < 80 || step < 2.0e-4, "frame {i}: it trembles by {step}");
            }
        }
    }
    assert!(counts[0] > 100, "without care they are inside: {counts:?}");
    assert!(counts[1] * 10 < counts[0], "with care they are out: {counts:?}");
}

/// A place about the shoulder, `out` being +1 for the left.
fn circle(path: usize, frame: usize, out: Real) -> Vec3 {
    let angle = frame as Real * 0.012 / 0.3;
    let (s, c) = (0.3 * angle.sin(), 0.3 * angle.cos());
    let wobble = 0.1 * (0.37 * angle).sin();
    let at = match path {
        // In front, beside, above, behind, across the chest, and three askew.
        0 => Vec3::new(c, s, 0.32 + wobble),
        1 => Vec3::new(0.3 + wobble, s, c),
        2 => Vec3::new(c, 0.35 + wobble, s),
        3 => Vec3::new(c, -0.1 + s, -0.25 + wobble),
        4 => Vec3::new(-0.25 + wobble, s, 0.25 + 0.3 * c),
        5 => Vec3::new(0.2 + 0.7 * c, s + wobble, 0.5 * c - 0.2),
        6 => Vec3::new(0.3 * s, 0.3 + 0.5 * c, -0.3 * s + wobble),
        _ => Vec3::new(0.1 + s, -0.3 + wobble, c),
    };
    Vec3::new(at.x * out, at.y, at.z)
}

/// Where hips' left, up and forwards are, from the rest's.
fn hips_axes(body: &SixPoint, skeleton: &Skeleton, pose: &Pose) -> [Vec3; 3] {
    let hips = body.joint(Point::Pelvis).unwrap();
    let turn =
        ModelPose::new(skeleton, pose).rotation(hips) * ModelPose::rest(skeleton).rotation(hips).conjugate();
    [turn * Vec3::X, turn * Vec3::Y, turn * Vec3::Z]
}

/// Runs a motion of `frames` at 60 a second and hands every frame's hips to `look`;
/// no step of the hips may be above `most`.
fn play(
    options: SixPointOptions,
    frames: usize,
    most: Real,
    motion: impl Fn(&SixPoint, &ModelPose, Real) -> Trackers,
    mut look: impl FnMut(Real, [Vec3; 3]),
) {
    let skeleton = humanoid(SwingModel::Spline);
    let rest = ModelPose::rest(&skeleton);
    let mut body = body(&skeleton, options);
    let hips = body.joint(Point::Pelvis).unwrap();
    let mut pose = body.relaxed().clone();
    let mut before: Option<Quat> = None;
    for i in 0..frames {
        let t = i as Real / 60.0;
        let frame = motion(&body, &rest, t);
        let report = body.solve(&skeleton, &frame, DT, &mut pose);
        assert_limits(&body, &skeleton, &pose, &report);
        let now = ModelPose::new(&skeleton, &pose).rotation(hips);
        if let Some(before) = before.filter(|_| i > 1) {
            let step = rotation::angle(now * before.conjugate());
            assert!(step < most, "at {t}: the hips step by {step}");
        }
        before = Some(now);
        look(t, hips_axes(&body, &skeleton, &pose));
    }
}

fn blended(a: &Trackers, b: &Trackers, part: Real) -> Trackers {
    Point::SIX.into_iter().fold(Trackers::default(), |all, p| {
        all.with(p, a.position(p).unwrap().lerp(b.position(p).unwrap(), part))
    })
}

fn eased(t: Real) -> Real {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// From standing down onto all fours, then forwards on hands and knees: the belly
/// faces the ground and left stays left.
#[test]
fn crawling_does_not_flip_the_pelvis() {
    for options in both() {
        let crawl = |body: &SixPoint, rest: &ModelPose, t: Real| {
            let s = (3.0 * t).sin();
            let z = 0.25 * (t - 1.5).max(0.0);
            let fours = Trackers::default()
                .with(Point::Pelvis, Vec3::new(0.02 * s, 0.5, z - 0.25))
                .with(Point::Head, Vec3::new(-0.02 * s, 0.58, z + 0.3))
                .with(LEFT_WRIST, Vec3::new(0.2, 0.08, z + 0.2 + 0.12 * s))
                .with(RIGHT_WRIST, Vec3::new(-0.2, 0.08, z + 0.2 - 0.12 * s))
                .with(LEFT_ANKLE, Vec3::new(0.12, 0.1, z - 0.65 - 0.12 * s))
                .with(RIGHT_ANKLE, Vec3::new(-0.12, 0.1, z - 0.65 + 0.12 * s));
            blended(&walking(body, rest, 0.1), &fours, eased(t - 0.5))
        };
        play(options, 480, 0.12, crawl, |t, [left, _, forward]| {
            assert!(left.x > 0.75, "at {t}: left is {left}");
            if t > 1.6 {
                assert!(forward.y < -0.3, "at {t}: forwards is {forward}");
            }
        });
    }
}

/// Long strides once turned the pelvis from side to side, since the line between the ankles goes
/// fore and aft in them.
#[test]
fn a_walk_faces_where_it_goes() {
    let walk = |body: &SixPoint, rest: &ModelPose, t: Real| {
        let mut frame = walking(body, rest, t);
        let swing = (5.0 * t).sin();
        for (p, ahead) in [(LEFT_ANKLE, -0.15), (RIGHT_ANKLE, 0.15)] {
            frame = frame.with(p, frame.position(p).unwrap() + Vec3::Z * (ahead * swing));
        }
        let gone = Vec3::Z * (1.2 * t);
        Point::SIX.into_iter().fold(frame, |f, p| f.with(p, frame.position(p).unwrap() + gone))
    };
    let worst = |options| {
        let mut worst: Real = 0.0;
        play(options, 300, 0.3, walk, |t, [left, _, _]| {
            if t > 0.5 {
                worst = worst.max(left.z.atan2(left.x).abs().to_degrees());
            }
        });
        worst
    };
    let (mut unaware, aware) = (SixPointOptions::default(), SixPointOptions::default());
    for weights in [&mut unaware.pelvis].into_iter().chain(&mut unaware.chest) {
        (weights.stride, weights.travel) = (0.0, 0.0);
    }
    let (before, now) = (worst(unaware), worst(aware));
    assert!(now < 15.0 && now < 0.6 * before, "{now}° off, and {before}° without");
}

/// Hands that go round a walking body faster than it turns once had the chest's left opposite to the pelvis', where a
/// part of half a turn one way became a part of half a turn the other: the shoulders went 34 cm in a frame.
#[test]
fn hands_that_go_round_the_body_do_not_flip_the_chest() {
    let mut builder = humanoid(SwingModel::Spline).to_builder();
    for joint in &mut builder.joints {
        joint.limit = JointLimit::None;
    }
    let skeleton = builder.build().unwrap();
    let rest = ModelPose::rest(&skeleton);
    let mut body = body(&skeleton, SixPointOptions::default());
    let (head, chest) = (rest.position(body.joint(Point::Head).unwrap()), Vec3::Y * 1.2);
    let shoulder = body.limb(LEFT_WRIST).unwrap().joints().upper;
    let mut pose = body.relaxed().clone();
    let (mut before, mut worst): (Option<Vec3>, Real) = (None, 0.0);
    for i in 0..600 {
        let t = i as Real / 120.0;
        let aside = rotation::about(Vec3::Y, 12.0 * t) * Vec3::new(0.35, 0.0, 0.1);
        let gone = Vec3::Z * (1.0 * t);
        let frame = Trackers::default()
            .with(Point::Head, head + gone)
            .with(LEFT_WRIST, chest + gone + aside)
            .with(RIGHT_WRIST, chest + gone - aside);
        body.solve(&skeleton, &frame, 1.0 / 120.0, &mut pose);
        let now = ModelPose::new(&skeleton, &pose).position(shoulder);
        worst = worst.max(before.map_or(0.0, |was| was.distance(now)));
        before = Some(now);
    }
    assert!(worst < 0.05, "a shoulder goes {worst} m in a frame");
}

/// Somebody whose head goes down to half of its height and stays there kneels down. The pelvis once went so low that the
/// folded legs held the feet 5 cm in the floor. On the way down the hip's limit keeps the foot off its path for a moment.
#[test]
fn who_kneels_low_keeps_the_feet_out_of_the_floor() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let map = HumanoidMap::find(&skeleton);
    let mut body = SixPoint::new(&skeleton, &map, SixPointOptions::default()).unwrap();
    let head = body.joint(Point::Head).unwrap();
    let toes = Side::BOTH.map(|side| map.get(HumanoidBone::Toes(side)).unwrap());
    let mut pose = body.relaxed().clone();
    for i in 0..480 {
        let t = i as Real / 60.0;
        let down = eased((t - 0.7) / 1.3);
        let top = rest.position(head) * Vec3::new(1.0, 1.0 - 0.48 * down, 1.0);
        let hand = |out: Real| top + Vec3::new(0.22 * out, -0.4, 0.3);
        let frame = Trackers::default()
            .with(Point::Head, top)
            .with(LEFT_WRIST, hand(1.0))
            .with(RIGHT_WRIST, hand(-1.0));
        body.solve(&skeleton, &frame, DT, &mut pose);
        let model = ModelPose::new(&skeleton, &pose);
        let most = if t < 7.0 { 0.03 } else { 0.01 };
        for joint in toes {
            let under = rest.position(joint).y - model.position(joint).y;
            assert!(under < most, "{t}: {} is {under} too low", skeleton.joint(joint).name());
        }
    }
    for side in Side::BOTH {
        let knee = body.model().position(body.joint(Point::Knee(side)).unwrap());
        assert!(knee.y < 0.2, "not on the knees: {knee}");
    }
}

/// Somebody who sits down on the floor behind their feet sits there: the pelvis on the floor, the feet where they were. A body
/// that leant for a while was once taken to walk low, and knelt after the head.
#[test]
fn who_sits_down_on_the_floor_sits_behind_the_feet() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let mut body = body(&skeleton, SixPointOptions::default());
    let (head, hips) = (body.joint(Point::Head).unwrap(), body.joint(Point::Pelvis).unwrap());
    let spine = rest.position(head).y - rest.position(hips).y;
    let mut pose = body.relaxed().clone();
    let (mut stood, mut before, mut worst): (Vec3, Option<Vec3>, Real) = (Vec3::ZERO, None, 0.0);
    for i in 0..420 {
        let t = i as Real / 60.0;
        let down = eased((t - 1.0) / 1.5);
        let mut top = rest.position(head).lerp(rest.position(head) * Vec3::X, down);
        top += (Vec3::Y * (spine + 0.1) - Vec3::Z * 0.6) * down;
        let hand = |out: Real| top + Vec3::new(0.25 * out, -0.3, 0.25);
        let frame = Trackers::default()
            .with(Point::Head, top)
            .with(LEFT_WRIST, hand(1.0))
            .with(RIGHT_WRIST, hand(-1.0));
        body.solve(&skeleton, &frame, DT, &mut pose);
        let pelvis = body.model().position(hips);
        worst = worst.max(before.map_or(0.0, |was| was.distance(pelvis)));
        before = Some(pelvis);
        let feet = 0.5
            * (body.model().position(body.joint(LEFT_ANKLE).unwrap())
                + body.model().position(body.joint(RIGHT_ANKLE).unwrap()));
        if i == 59 {
            stood = feet;
        }
        if t > 4.0 {
            assert!(pelvis.y < 0.3, "{t}: the pelvis is at {pelvis}");
            assert!(feet.z - pelvis.z > 0.3, "{t}: the feet are at {feet}, the pelvis at {pelvis}");
            assert!(feet.distance(stood) < 0.3, "{t}: the feet stood at {stood} and are at {feet}");
        }
    }
    assert!(worst < 0.06, "the pelvis goes {worst} m in a frame");
}

/// On the back, with legs that cross and hands that clap above the chest.
#[test]
fn lying_with_crossed_legs_does_not_flip_the_pelvis() {
    for options in both() {
        let lie = |body: &SixPoint, rest: &ModelPose, t: Real| {
            let mut frame = walking(body, rest, 0.1);
            // The published heading takes crossed ankles at their word.
            let crossed = if options == SixPointOptions::paper() { 0.0 } else { 1.0 };
            let part = crossed * (eased(t - 2.0) - eased(t - 5.0));
            for (p, out) in [(LEFT_ANKLE, 1.0), (RIGHT_ANKLE, -1.0)] {
                let at = frame.position(p).unwrap();
                frame = frame.with(p, at + Vec3::new(-0.25 * out * part, 0.0, 0.06 * out * part));
            }
            for (p, out) in [(LEFT_WRIST, 1.0), (RIGHT_WRIST, -1.0)] {
                let at = frame.position(p).unwrap();
                let clap = 0.5 - 0.5 * (4.0 * t).cos();
                frame = frame.with(p, at + Vec3::new(-0.16 * out * clap, 0.25, 0.1));
            }
            turned(&frame, rotation::about(Vec3::X, -0.5 * PI * eased(t)))
        };
        play(options, 480, 0.2, lie, |t, [left, _, forward]| {
            assert!(left.x > 0.5, "at {t}: left is {left}");
            if t > 1.2 {
                assert!(forward.y > 0.4, "at {t}: forwards is {forward}");
            }
        });
    }
}

/// A cartwheel to the left with spread arms and legs, twice, going sideways.
#[test]
fn a_cartwheel_keeps_its_face() {
    for options in both() {
        let wheel = |body: &SixPoint, rest: &ModelPose, t: Real| {
            let mut frame = walking(body, rest, 0.1);
            let spread = eased(t);
            for (p, out) in [(LEFT_WRIST, 1.0), (RIGHT_WRIST, -1.0)] {
                let at = frame.position(p).unwrap();
                frame = frame.with(p, at.lerp(Vec3::new(0.4 * out, 1.75, 0.05), spread));
            }
            for (p, out) in [(LEFT_ANKLE, 1.0), (RIGHT_ANKLE, -1.0)] {
                let at = frame.position(p).unwrap();
                frame = frame.with(p, at + Vec3::new(0.25 * out, 0.1, 0.0) * spread);
            }
            turned(&frame, rotation::about(Vec3::Z, -3.0 * (t - 1.0).clamp(0.0, 4.0 * PI / 3.0)))
        };
        play(options, 360, 0.2, wheel, |t, [_, _, forward]| {
            assert!(forward.z > 0.6, "at {t}: forwards is {forward}");
        });
    }
}

/// A whole turn on the spot, the feet after the hands, step by step.
#[test]
fn turning_on_the_spot_is_followed() {
    for options in both() {
        let pivot = |body: &SixPoint, rest: &ModelPose, t: Real| {
            let frame = walking(body, rest, t);
            let top = (t - 0.5).clamp(0.0, 4.0) * 2.0 * PI / 4.0;
            let whole = turned(&frame, rotation::about(Vec3::Y, top));
            // Each foot goes in steps of half a radian, one after the other.
            let foot = |phase: Real| {
                let steps = (top - 0.25) / 0.5 + phase;
                0.5 * (steps.floor() + eased(4.0 * (steps - steps.floor())) - phase)
            };
            let mut all = whole;
            for (p, phase) in [(LEFT_ANKLE, 0.0), (RIGHT_ANKLE, 0.5)] {
                let turned = turned(&frame, rotation::about(Vec3::Y, foot(phase).max(0.0)));
                all = all.with(p, turned.position(p).unwrap());
            }
            all
        };
        play(options, 330, 0.3, pivot, |t, [left, ..]| {
            let top = (t - 0.5).clamp(0.0, 4.0) * 2.0 * PI / 4.0;
            let wanted = rotation::about(Vec3::Y, top) * Vec3::X;
            assert!(left.dot(wanted) > 0.7, "at {t}: left is {left} instead of {wanted}");
        });
    }
}

/// Motion capture's skeletons have wrists that only roll, from −180° to 0. A hand that
/// rolls on past one end is nearest to that end for a quarter of a turn and then to the
/// other: the hand jumped by half a turn within a frame, and back when the roll wavered
/// there. It stays at its end until the other is clearly nearer, then goes over at a
/// bounded speed.
#[test]
fn a_hand_that_rolls_past_its_range_does_not_jump() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let mut builder = skeleton.to_builder();
    let mut axes = [Vec3::ZERO; 2];
    for (axis, side) in axes.iter_mut().zip(Side::BOTH) {
        let arm = map.arm(side).unwrap();
        let rest = ModelPose::rest(&skeleton);
        let bone = (rest.position(arm.end) - rest.position(arm.lower)).normalize();
        *axis = (rest.rotation(arm.end).conjugate() * bone).normalize();
        let wrist = &mut builder.joints[arm.end.index()];
        wrist.kind = JointKind::Hinge { axis: *axis };
        wrist.limit = JointLimit::hinge(*axis, -PI, 0.0);
        // The forearm itself does not roll.
        let elbow = &mut builder.joints[arm.lower.index()];
        let across = rest.rotation(arm.lower).conjugate() * Vec3::X.cross(bone).normalize();
        elbow.kind = JointKind::Hinge { axis: across };
        elbow.limit = JointLimit::hinge(across, -2.5, 2.5);
    }
    let skeleton = builder.build().unwrap();
    let rest = ModelPose::rest(&skeleton);
    // Without a bound it is what it was.
    let mut unbounded = SixPointOptions::default();
    unbounded.limbs.joint_speed = 500.0;
    for options in both().into_iter().chain([unbounded]) {
        let mut body = body(&skeleton, options);
        let mut pose = body.relaxed().clone();
        let mut largest: Real = 0.0;
        let mut turned: Real = 0.0;
        for i in 0..700 {
            // One and a half turns either way, with a waver of two frames.
            let roll = 5.0 * (i as Real * 0.01).sin() + 0.02 * (i as Real * 3.0).sin();
            let mut frame = walking(&body, &rest, 0.1);
            for (axis, side) in axes.iter().zip(Side::BOTH) {
                let hand = body.joint(Point::Wrist(side)).unwrap();
                frame = frame.turned(
                    Point::Wrist(side),
                    (rest.rotation(hand) * rotation::about(*axis, roll)).normalize(),
                );
            }
            let before = pose.clone();
            let report = body.solve(&skeleton, &frame, DT, &mut pose);
            assert_limits(&body, &skeleton, &pose, &report);
            if i == 0 {
                continue;
            }
            for side in Side::BOTH {
                let hand = body.joint(Point::Wrist(side)).unwrap();
                let step = rotation::angle(before.rotation(hand).conjugate() * pose.rotation(hand));
                largest = largest.max(step);
                turned += step;
            }
        }
        if options.limbs.joint_speed * DT > PI {
            assert!(largest > 3.0, "the motion must lead past the range: {largest}");
            continue;
        }
        assert!(largest < 0.7, "the hand steps by {largest}");
        // It does roll: it is not frozen, and does not go to and fro either.
        assert!(turned > 6.0 && turned < 60.0, "{turned}");
    }
}
