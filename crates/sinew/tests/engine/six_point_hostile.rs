//! Trackers that fail in every way, and trackers that are not there: the body is
//! finite, within its limits, never thrown about, and comes back.

use crate::counting::allocations;
use crate::people::*;
use proptest::prelude::*;
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Source, Trackers};
use sinew::math::{Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::Side;
use sinew::{ModelPose, Quat, Vec3};

/// What becomes of a point for some frames.
#[derive(Debug, Clone, Copy)]
enum Failure {
    Missing,
    NotFinite,
    Away(Vec3),
    Frozen,
}

#[derive(Debug, Clone, Copy)]
struct Stretch {
    point: usize,
    from: usize,
    length: usize,
    failure: Failure,
}

fn stretch() -> impl Strategy<Value = Stretch> {
    let direction = (-1.0..1.0f32, -1.0..1.0f32, -1.0..1.0f32);
    let failure = (0..4u8, direction, 2.0..1.0e4f32).prop_map(|(kind, (x, y, z), far)| match kind {
        0 => Failure::Missing,
        1 => Failure::NotFinite,
        2 => {
            let way = Vec3::new(x as Real, y as Real, z as Real);
            Failure::Away(way.normalize_or(Vec3::Y) * far as Real)
        }
        _ => Failure::Frozen,
    });
    (0..6usize, 20..60usize, 1..50usize, failure).prop_map(|(point, from, length, failure)| Stretch {
        point,
        from,
        length,
        failure,
    })
}

/// The failures of a frame, put into it.
fn spoiled(clean: &[Trackers], i: usize, stretches: &[Stretch]) -> Trackers {
    let mut frame = clean[i];
    for s in stretches.iter().filter(|s| (s.from..s.from + s.length).contains(&i)) {
        let point = Point::SIX[s.point];
        let at = clean[i].position(point).unwrap();
        frame = match s.failure {
            Failure::Missing => frame.without(point),
            Failure::NotFinite => frame.with(point, Vec3::new(Real::NAN, Real::INFINITY, 0.0)),
            Failure::Away(way) => frame.with(point, at + way),
            Failure::Frozen => frame.with(point, clean[s.from - 1].position(point).unwrap()),
        };
    }
    frame
}

/// Walking ahead with swinging arms.
fn walk(body: &SixPoint, rest: &ModelPose) -> Vec<Trackers> {
    (0..240)
        .map(|i| {
            let mut frame = walking(body, rest, i as Real / 60.0);
            for p in Point::SIX {
                frame = frame.with(p, frame.position(p).unwrap() + Vec3::Z * (0.01 * i as Real));
            }
            frame
        })
        .collect()
}

/// One or two trackers fail for some frames: nothing breaks, nothing jumps above the bound, the
/// report says so, and afterwards it is as if nothing had been.
fn survives(stretches: &[Stretch]) -> Result<(), TestCaseError> {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let options = SixPointOptions::default();
    let mut body = body(&skeleton, options);
    let clean = walk(&body, &rest);
    let (mut pose, mut clean_body) = (body.relaxed().clone(), body.clone());
    let mut clean_pose = pose.clone();
    let mut before: Option<ModelPose> = None;
    for i in 0..clean.len() {
        clean_body.solve(&skeleton, &clean[i], DT, &mut clean_pose);
        let frame = spoiled(&clean, i, stretches);
        let count = allocations();
        let report = body.solve(&skeleton, &frame, DT, &mut pose);
        prop_assert_eq!(allocations(), count);
        prop_assert!(pose.is_finite());
        assert_limits(&body, &skeleton, &pose, &report);
        for s in stretches.iter().filter(|s| (s.from..s.from + s.length).contains(&i)) {
            let source = report.source(Point::SIX[s.point]);
            if !matches!(s.failure, Failure::Frozen) {
                prop_assert!(source != Source::Measured, "{i}: {:?}", s);
            }
        }
        let model = ModelPose::new(&skeleton, &pose);
        if let Some(before) = &before {
            for joint in skeleton.ids() {
                let step = model.position(joint).distance(before.position(joint));
                prop_assert!(step < 0.6, "{i}: {} went {step}", skeleton.joint(joint).name());
            }
        }
        before = Some(model);
    }
    let (a, b) = (ModelPose::new(&skeleton, &pose), ModelPose::new(&skeleton, &clean_pose));
    for joint in skeleton.ids() {
        let away = a.position(joint).distance(b.position(joint));
        prop_assert!(away < 0.05, "{} is {away} off", skeleton.joint(joint).name());
    }
    Ok(())
}

/// The pelvis was not seen when the head went away (or the other way round): the one that was left
/// carried the whole body off, and when both came back the body was thrown after them.
#[test]
fn what_is_left_of_pelvis_and_head_does_not_carry_the_body_away() {
    let away = |point, from, length, way| Stretch { point, from, length, failure: Failure::Away(way) };
    let missing = Stretch { point: 0, from: 20, length: 37, failure: Failure::Missing };
    for stretches in [
        [away(1, 45, 12, Vec3::Y * 2.0), missing],
        [away(1, 20, 8, Vec3::NEG_Y * 2.0), missing],
        [away(1, 55, 34, Vec3::NEG_Z * 9276.0), away(0, 20, 43, Vec3::new(1.86, -0.74, 0.0))],
    ] {
        survives(&stretches).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn failing_trackers_are_survived(stretches in prop::collection::vec(stretch(), 1..3)) {
        prop_assume!(stretches.len() < 2 || stretches[0].point != stretches[1].point);
        survives(&stretches)?;
    }

    /// Anything at all, in every point and every frame.
    #[test]
    fn any_numbers_give_a_finite_pose(
        numbers in prop::collection::vec(prop::option::of((any::<f32>(), any::<f32>(), any::<f32>())), 11 * 8),
        sane in any::<[bool; 8]>(),
    ) {
        let skeleton = humanoid(SwingModel::Spline);
        let rest = ModelPose::rest(&skeleton);
        let mut body = body(&skeleton, SixPointOptions::default());
        let mut pose = body.relaxed().clone();
        for i in 0..8 {
            let mut frame = walking(&body, &rest, i as Real / 60.0);
            if !sane[i] {
                frame = Trackers::default();
                for (point, n) in Point::ALL.into_iter().zip(&numbers[11 * i..]) {
                    if let Some((x, y, z)) = n {
                        let at = Vec3::new(*x as Real, *y as Real, *z as Real);
                        frame = frame.with(point, at).turned(point, Quat::from_xyzw(at.x, at.y, at.z, 1.0));
                    }
                }
            }
            let count = allocations();
            let report = body.solve(&skeleton, &frame, DT, &mut pose);
            prop_assert_eq!(allocations(), count);
            prop_assert!(pose.is_finite());
            assert_limits(&body, &skeleton, &pose, &report);
        }
    }
}

/// A headset and two controllers: somebody stands, walks off, turns and crouches.
/// Feet that stand do not slide, the pelvis is between head and feet, hands are
/// where they are, and nothing pops.
#[test]
fn three_points_make_a_body_that_stands() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    for with_orientations in [false, true] {
        let mut body = body(&skeleton, SixPointOptions::default());
        let joint = |p: Point| body.joint(p).unwrap();
        let points = [Point::Pelvis, Point::Head, LEFT_ANKLE, RIGHT_ANKLE].map(joint);
        let [pelvis, head, left, right] = points;
        let height = rest.position(head).y;
        let ground = rest.position(left).y;
        let mut pose = body.relaxed().clone();
        let mut before: Option<ModelPose> = None;
        let (mut steps, mut standing) = (0, [true; 2]);
        for i in 0..480 {
            let t = i as Real / 60.0;
            // Stands, walks ahead from 1 s to 4 s, turns and crouches from 5 s to 7 s.
            let way = 1.0 * (t - 1.0).clamp(0.0, 3.0);
            let part = ((t - 5.0).clamp(0.0, 1.0) - (t - 7.0).clamp(0.0, 1.0)).max(0.0);
            let turn = rotation::about(Vec3::Y, 1.2 * part);
            let top = Vec3::new(0.0, height - 0.02 - 0.45 * part, way + 0.1 * part);
            let hand = |out: Real| top + turn * Vec3::new(0.25 * out, -0.45, 0.3);
            let mut frame = Trackers::default()
                .with(Point::Head, top)
                .with(LEFT_WRIST, hand(1.0))
                .with(RIGHT_WRIST, hand(-1.0));
            if with_orientations {
                frame = frame.turned(Point::Head, turn * rest.rotation(head));
            }
            let report = body.solve(&skeleton, &frame, DT, &mut pose);
            assert_limits(&body, &skeleton, &pose, &report);
            for side in Side::BOTH {
                assert!(report.arm(side).outcome.residual.position < 1.0e-3, "{t}: {:?}", report.arm(side));
            }
            let model = ModelPose::new(&skeleton, &pose);
            let at = model.position(pelvis);
            let middle = 0.5 * (model.position(left) + model.position(right));
            let aside = |a: Vec3, b: Vec3| Vec3::new(a.x - b.x, 0.0, a.z - b.z).length();
            assert!(at.y < model.position(head).y - 0.2 && at.y > middle.y + 0.25, "{t}: pelvis {at}");
            assert!(aside(at, middle) < 0.5, "{t}: pelvis {at} over {middle}");
            assert!(model.position(head).distance(top) < 0.06, "{t}: {}", model.position(head));
            if let Some(before) = &before {
                for (i, foot) in [left, right].into_iter().enumerate() {
                    let (was, is) = (before.position(foot), model.position(foot));
                    let stands = was.y < ground + 0.005 && is.y < ground + 0.005;
                    let slid = aside(was, is);
                    // In the frame in which it touches down it may still move.
                    assert!(!(stands && standing[i]) || slid < 0.005, "{t}: a foot slid by {slid}");
                    steps += usize::from(standing[i] && !stands);
                    standing[i] = stands;
                }
                for joint in skeleton.ids() {
                    let step = model.position(joint).distance(before.position(joint));
                    assert!(step < 0.16, "{t}: {} went {step}", skeleton.joint(joint).name());
                }
            }
            before = Some(model);
        }
        assert!(steps >= 6, "three metres are more than {steps} steps");
    }
}

/// Four and five points: whatever is missing is made up, and what is given is hit.
#[test]
fn fewer_points_than_six_will_do() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    for missing in [
        &[Point::Pelvis][..],
        &[Point::Head],
        &[LEFT_ANKLE, RIGHT_ANKLE],
        &[LEFT_ANKLE],
        &[LEFT_WRIST, RIGHT_WRIST],
        &[Point::Pelvis, LEFT_WRIST, RIGHT_WRIST],
    ] {
        let mut body = body(&skeleton, SixPointOptions::default());
        let mut pose = body.relaxed().clone();
        for i in 0..180 {
            let full = walking(&body, &rest, i as Real / 60.0);
            let frame = missing.iter().fold(full, |f, p| f.without(*p));
            let report = body.solve(&skeleton, &frame, DT, &mut pose);
            assert_limits(&body, &skeleton, &pose, &report);
            let model = ModelPose::new(&skeleton, &pose);
            for p in Point::SIX {
                let away = model.position(body.joint(p).unwrap()).distance(full.position(p).unwrap());
                // What is made up need only be plausible; hands may be anywhere.
                let most = match p {
                    _ if !missing.contains(&p) => 0.09,
                    Point::Wrist(_) => 0.7,
                    _ => 0.4,
                };
                assert!(away < most, "without {missing:?} at {i}: {p:?} is {away} off");
            }
        }
    }
}
