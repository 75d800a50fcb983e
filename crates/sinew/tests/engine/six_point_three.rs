//! The whole body from head and hands alone: what the hands say of hips and feet.

use crate::people::*;
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::math::{Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::{ModelPose, Quat, Skeleton, Vec3};

const PI: Real = core::f64::consts::PI as Real;
/// Frames of a second, and of the rest before a motion.
const RATE: Real = 60.0;

/// Head and hands as a motion has them after so many seconds: the head's way from its place at rest, the turn of the
/// body, and the hands seen from the head of a body that is not turned.
struct Seen {
    gone: Vec3,
    turn: Real,
    hands: [Vec3; 2],
}

/// Plays a motion and hands what became of it to `look`, frame by frame.
fn play(seconds: Real, motion: impl Fn(Real) -> Seen, mut look: impl FnMut(Real, &SixPoint)) {
    let skeleton: Skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    let mut body = body(&skeleton, SixPointOptions::default());
    let top = rest.position(body.joint(Point::Head).unwrap());
    let mut pose = body.relaxed().clone();
    for i in 0..(seconds * RATE) as usize {
        let t = i as Real / RATE;
        let Seen { gone, turn, hands } = motion(t);
        let head = top + gone;
        let [left, right] = hands.map(|hand| head + rotation::about(Vec3::Y, turn) * hand);
        let frame =
            Trackers::default().with(Point::Head, head).with(LEFT_WRIST, left).with(RIGHT_WRIST, right);
        body.solve(&skeleton, &frame, 1.0 / RATE, &mut pose);
        look(t, &body);
    }
}

fn at(body: &SixPoint, point: Point) -> Vec3 {
    body.model().position(body.joint(point).unwrap())
}

/// A pirouette takes half a second a turn. The hips followed the hands with a delay, no faster than 8 rad/s: they were
/// more than half a turn behind, and a turn was lost.
#[test]
fn a_pirouette_takes_the_hips_along() {
    let speed = 2.0 * PI / 0.6;
    let top = |t: Real| speed * (t - 1.0).clamp(0.0, 1.2);
    let motion = |t: Real| Seen {
        gone: Vec3::ZERO,
        turn: top(t),
        hands: [Vec3::new(0.55, -0.2, 0.15), Vec3::new(-0.55, -0.2, 0.15)],
    };
    let mut worst: Real = 0.0;
    play(3.0, motion, |t, body| {
        let hips = body.limb(LEFT_ANKLE).unwrap().joints().upper;
        let other = body.limb(RIGHT_ANKLE).unwrap().joints().upper;
        let left = body.model().position(hips) - body.model().position(other);
        let wanted = rotation::about(Vec3::Y, top(t)) * Vec3::X;
        let off = left.cross(wanted).y.atan2(left.dot(wanted)).abs();
        worst = worst.max(off);
    });
    assert!(worst < 0.6, "the hips are {worst} rad behind");
}

/// Arms swing with the legs of the other side, and steps are as long as the pace has them. In a brisk walk the feet once
/// took shorter steps than people do, and more of them than the arms had swings.
#[test]
fn feet_go_in_time_with_the_arms() {
    let pace = 1.8;
    let swing = |t: Real| (2.0 * PI * t / 0.94).sin();
    let walks = |t: Real| ((t - 1.0) / 0.6).clamp(0.0, 1.0);
    let motion = |t: Real| Seen {
        gone: Vec3::Z * (pace * if t < 1.6 { 0.5 * walks(t) * walks(t) * 0.6 } else { t - 1.3 }),
        turn: 0.0,
        hands: [1.0, -1.0]
            .map(|side| Vec3::new(0.24 * side, -0.62, 0.05 + 0.22 * side * walks(t) * swing(t))),
    };
    let (mut together, mut feet_size, mut arms_size) = (0.0, 0.0, 0.0);
    play(9.0, motion, |t, body| {
        if t < 3.0 {
            return;
        }
        let feet = (at(body, LEFT_ANKLE) - at(body, RIGHT_ANKLE)).z;
        let arms = (at(body, LEFT_WRIST) - at(body, RIGHT_WRIST)).z;
        together += feet * arms;
        feet_size += feet * feet;
        arms_size += arms * arms;
    });
    let alike = together / (feet_size * arms_size).sqrt();
    assert!(alike < -0.95, "feet and hands go together by {alike}");
}

/// Somebody who leans over to a side brings the head there, and the arms hang where they were: the hips stay. They went
/// along with the head, all of the way.
#[test]
fn hips_stay_under_who_leans_over_hanging_hands() {
    let lean = |t: Real| 0.12 * (t - 1.0).clamp(0.0, 1.0);
    let motion = |t: Real| Seen {
        gone: Vec3::X * lean(t),
        turn: 0.0,
        hands: [Vec3::new(0.24 - lean(t), -0.62, 0.05), Vec3::new(-0.24 - lean(t), -0.62, 0.05)],
    };
    let (mut stood, mut gone) = (Vec3::ZERO, 0.0);
    play(3.0, motion, |t, body| {
        let pelvis = at(body, Point::Pelvis);
        if t < 0.9 {
            stood = pelvis;
        }
        gone = (pelvis - stood).x;
    });
    assert!((0.02..0.09).contains(&gone), "the pelvis goes {gone} m of 0.12 m");
}

/// Feet of a body that spins to and fro turn by more than half a turn within a step. Their toes once went over to the other side
/// of the ankle in one frame, since the shorter way round had become the other one.
#[test]
fn feet_turn_on_the_way_that_they_have_begun() {
    let hands = [Vec3::new(0.5, -0.25, 0.2), Vec3::new(-0.5, -0.25, 0.2)];
    let mut worst: Real = 0.0;
    for (swing, hertz) in [(2.0, 1.1), (2.6, 0.8), (3.0, 0.7), (4.0, 0.5), (6.0, 0.35)] {
        let turn = |t: Real| swing * (2.0 * PI * hertz * (t - 0.5).max(0.0)).sin();
        let gone = |t: Real| Vec3::new(0.5 * (1.7 * t).sin(), -0.05, 0.5 * (1.3 * t).sin());
        let mut before: Option<[Vec3; 2]> = None;
        play(
            8.0,
            |t| Seen { gone: gone(t), turn: turn(t), hands },
            |t, body| {
                let ahead = [LEFT_ANKLE, RIGHT_ANKLE].map(|ankle| {
                    let joint = body.limb(ankle).unwrap().joints().end;
                    body.model().rotation(joint) * Vec3::Z
                });
                if let Some(before) = before.filter(|_| t > 0.5) {
                    for (was, is) in before.into_iter().zip(ahead) {
                        worst = worst.max(rotation::angle_between(was, is));
                    }
                }
                before = Some(ahead);
            },
        );
    }
    assert!(worst < 0.9, "a foot turns by {worst} rad in a frame");
}

/// Who turns a little on feet that stand turns thighs and knees out of the way of the shins. Knees once went to the other
/// side: ankles came to their ends, and the feet were dragged round on the floor, as far as the hips turned and further.
#[test]
fn feet_stay_under_hips_that_turn_a_little() {
    let turn = |t: Real| 0.25 * (2.0 * (t - 1.0)).clamp(0.0, 1.0);
    let motion = |t: Real| Seen {
        gone: Vec3::ZERO,
        turn: turn(t),
        hands: [Vec3::new(0.24, -0.62, 0.05), Vec3::new(-0.24, -0.62, 0.05)],
    };
    let (mut stood, mut worst) = ([Quat::IDENTITY; 2], 0.0 as Real);
    play(2.0, motion, |t, body| {
        let feet = [LEFT_ANKLE, RIGHT_ANKLE].map(|point| body.model().rotation(body.joint(point).unwrap()));
        if t < 0.9 {
            stood = feet;
        }
        for (foot, stood) in feet.into_iter().zip(stood) {
            worst = worst.max(rotation::angle(stood.conjugate() * foot));
        }
    });
    assert!(worst < 0.05, "a foot that stands is turned by {worst} rad");
}

/// Who has stopped stands within 0.7 s. Feet were put right one after the other, a heel that stayed up a little was left so, and
/// whether a foot was to step at all was told from a heading that was still on its way: steps came home a second late.
#[test]
fn who_has_stopped_stands() {
    let ease = |u: Real| u.clamp(0.0, 1.0) * u.clamp(0.0, 1.0) * (3.0 - 2.0 * u.clamp(0.0, 1.0));
    let mut worst: Real = 0.0;
    for i in 0..120 {
        // Spread evenly: multiples of what a golden section leaves.
        let spread = |step: Real| (i as Real * step).fract();
        let (along, aside, round) = (spread(0.618_034), spread(0.414_214), spread(0.732_051));
        let (way, turned) = match i % 3 {
            0 => (Vec3::Z * (4.0 * along - 1.5), 0.0),
            1 => (Vec3::X * (2.4 * aside - 1.2), 0.0),
            _ => (Vec3::ZERO, 8.0 * round - 4.0),
        };
        // No faster than people go and turn.
        let seconds = (way.length() / 1.0).max(turned.abs() / 2.5).max(1.2);
        let part = |t: Real| ease((t - 1.0) / seconds);
        let motion = |t: Real| Seen {
            gone: way * part(t),
            turn: turned * part(t),
            hands: [Vec3::new(0.24, -0.62, 0.05), Vec3::new(-0.24, -0.62, 0.05)],
        };
        let mut stood = Real::INFINITY;
        play(1.0 + seconds + 1.5, motion, |t, body| {
            let high = at(body, LEFT_ANKLE).y.max(at(body, RIGHT_ANKLE).y);
            if t < 0.9 {
                stood = stood.min(high);
            }
            if t > 1.0 + seconds + 0.7 {
                worst = worst.max(high - stood);
            }
        });
    }
    assert!(worst < 0.008, "an ankle is {worst} m higher than of who stands");
}
