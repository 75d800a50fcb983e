//! Trackers that are lost and come back: the body goes on from what is left, nothing jumps when they return, and
//! soon there is nothing between the tracker and the body. At any frame rate.

use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Source, Trackers};
use sinew::math::{Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{ModelPose, Quat, Skeleton, Vec3};

/// Who stands, turns about and moves the hands; every moment by itself.
fn seen(body: &SixPoint, rest: &ModelPose, time: Real, points: &[Point]) -> Trackers {
    let turn = Quat::from_rotation_y(1.5 * (0.5 * time).sin());
    let mut frame = Trackers::default();
    for &point in points {
        let joint = body.joint(point).unwrap();
        let wave = (1.7 * time + point.index() as Real).sin();
        let own = match point {
            Point::Wrist(_) => {
                let shoulder = rest.position(body.limb(point).unwrap().joints().upper);
                shoulder + Vec3::new(0.0, -0.25 + 0.12 * wave, 0.25)
            }
            Point::Ankle(_) => rest.position(joint),
            _ => rest.position(joint) - Vec3::Y * (0.05 + 0.03 * wave),
        };
        let look = match point {
            Point::Head => Quat::from_rotation_y(0.4 * (1.1 * time).sin()),
            _ => Quat::IDENTITY,
        };
        let oriented = matches!(point, Point::Head);
        frame.set(point, Some(turn * own), oriented.then(|| turn * look * rest.rotation(joint)));
    }
    frame
}

struct Lost {
    point: Point,
    from: Real,
    to: Real,
}

/// The fastest joint of the body, in metres a second, how fast the head turned, and how far the measured wrists were
/// missed by more than half a second after everything had come back.
fn play(skeleton: &Skeleton, points: &[Point], lost: &[Lost], rate: Real) -> (Real, Real, Real) {
    let map = HumanoidMap::find(skeleton);
    let mut body = SixPoint::new(skeleton, &map, SixPointOptions::default()).unwrap();
    let rest = ModelPose::rest(skeleton);
    let mut pose = body.relaxed().clone();
    let mut before: Option<ModelPose> = None;
    let (mut fastest, mut turned, mut missed): (Real, Real, Real) = (0.0, 0.0, 0.0);
    let head = body.joint(Point::Head).unwrap();
    for i in 0..(6.0 * rate) as usize {
        let time = i as Real / rate;
        let mut frame = seen(&body, &rest, time, points);
        let gone = |l: &&Lost| time >= l.from && time < l.to;
        for lost in lost.iter().filter(gone) {
            frame = frame.without(lost.point);
        }
        let report = body.solve(skeleton, &frame, 1.0 / rate, &mut pose);
        let model = ModelPose::new(skeleton, &pose);
        assert!(model.positions().iter().all(|p| p.is_finite()));
        if let Some(before) = &before {
            for joint in skeleton.ids() {
                let way = model.position(joint).distance(before.position(joint));
                fastest = fastest.max(way * rate);
            }
            turned =
                turned.max(rotation::angle(before.rotation(head).conjugate() * model.rotation(head)) * rate);
        }
        let quiet = lost.iter().all(|l| time < l.from || time > l.to + 0.6);
        for side in Side::BOTH {
            let point = Point::Wrist(side);
            if quiet && time > 0.6 && points.contains(&point) {
                assert_eq!(report.source(point), Source::Measured, "{point:?} at {time}");
                let at = model.position(body.joint(point).unwrap());
                missed = missed.max(at.distance(frame.position(point).unwrap()));
            }
        }
        before = Some(model);
    }
    (fastest, turned, missed)
}

/// Random numbers from 0 to 1.
struct Random(u64);

impl Random {
    fn next(&mut self) -> Real {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as Real / (1u64 << 24) as Real
    }
}

#[test]
fn what_is_lost_comes_back_without_a_jump_at_any_rate() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let three = [Point::Head, Point::Wrist(Side::Left), Point::Wrist(Side::Right)];
    let mut random = Random(7);
    for points in [&three[..], &Point::SIX] {
        for round in 0..6 {
            let lost: Vec<Lost> = (0..3)
                .map(|_| {
                    let from = 1.0 + 3.0 * random.next();
                    let point = points[(random.next() * points.len() as Real) as usize % points.len()];
                    Lost { point, from, to: from + 0.02 + 1.2 * random.next() }
                })
                .collect();
            for rate in [30.0, 72.0, 144.0] {
                let (usual, usual_turn, _) = play(&skeleton, points, &[], rate);
                let (fastest, turned, missed) = play(&skeleton, points, &lost, rate);
                let what: Vec<_> = lost.iter().map(|l| (l.point.name(), l.from, l.to)).collect();
                let at = format!("{} points, round {round}, {rate} Hz: {what:?}", points.len());
                assert!(fastest < usual + 5.0, "{fastest} m/s, usually {usual}; {at}");
                assert!(turned < usual_turn + 10.0, "the head turns at {turned}, usually {usual_turn}; {at}");
                assert!(missed < 2.0e-3, "{missed} m; {at}");
            }
        }
    }
}

/// A hand that is lost while the body turns about goes with it.
#[test]
fn a_lost_hand_turns_with_the_body() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let mut body = SixPoint::new(&skeleton, &map, SixPointOptions::default()).unwrap();
    let rest = ModelPose::rest(&skeleton);
    let mut pose = body.relaxed().clone();
    let hand = Point::Wrist(Side::Left);
    let (joint, hips) = (body.joint(hand).unwrap(), body.joint(Point::Pelvis).unwrap());
    let mut start = Vec3::ZERO;
    for i in 0..300 {
        let angle = (i as Real / 90.0 - 0.5).clamp(0.0, 2.0);
        let turn = Quat::from_rotation_y(angle);
        let mut frame = Trackers::default();
        for point in Point::SIX {
            let at = rest.position(body.joint(point).unwrap());
            let at = match body.limb(point) {
                Some(arm) if matches!(point, Point::Wrist(_)) => {
                    rest.position(arm.joints().upper) + Vec3::new(0.0, -0.25, 0.25)
                }
                _ => at,
            };
            if point != hand || i < 40 {
                frame = frame.with(point, turn * at);
            }
        }
        body.solve(&skeleton, &frame, 1.0 / 90.0, &mut pose);
        let model = ModelPose::new(&skeleton, &pose);
        let now = turn.conjugate() * (model.position(joint) - model.position(hips));
        if i == 39 {
            start = now;
        }
        if i == 299 {
            assert!(now.distance(start) < 0.15, "{now} was {start}");
        }
    }
}
