//! A person who walks, turns, looks about, reaches, crouches and sidesteps, with every tracker's position and
//! orientation, on any rig of a human.
//!
//! What the trackers say is read off a body that performs it, so that all of it can be had: hands within reach and
//! turned as forearm and wrist can be within the rig's own limits.
#![allow(dead_code)] // each file uses some of it

use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::limit::{AngleRange, EulerLimit, EulerOrder, LimitShape};
use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{JointKind, JointLimit, ModelPose, Skeleton};

pub const HEADSET_AND_HANDS: [Point; 3] = [Point::Head, Point::Wrist(Side::Left), Point::Wrist(Side::Right)];
/// Frames a second of the performance.
pub const RATE: Real = 90.0;
/// How long it is, in seconds; then it starts again where it began.
pub const SECONDS: Real = 28.0;

/// The humanoid with each kind of limit that ball joints have.
pub fn rigs() -> Vec<(&'static str, Skeleton)> {
    vec![
        ("no limits", with_balls(&humanoid(SwingModel::Ellipse), |_| JointLimit::None)),
        ("ellipses", humanoid(SwingModel::Ellipse)),
        ("boxes of Euler angles", with_balls(&humanoid(SwingModel::Ellipse), box_within)),
        ("splines", humanoid(SwingModel::Spline)),
        ("Kusudamas", humanoid(SwingModel::Kusudama)),
    ]
}

/// The same rig with other limits of the ball joints that turn at all.
fn with_balls(rig: &Skeleton, limit: impl Fn(&JointLimit) -> JointLimit) -> Skeleton {
    let mut builder = rig.to_builder();
    for def in &mut builder.joints {
        let is_limited = matches!(def.limit.shape, LimitShape::SwingTwist(_));
        if def.kind == JointKind::Ball && is_limited {
            def.limit = limit(&def.limit);
        }
    }
    builder.build().expect("the limits are sound")
}

/// The box that goes along each axis as far as another limit does.
fn box_within(limit: &JointLimit) -> JointLimit {
    let order = EulerOrder::Zxy;
    let end = |axis: Vec3, sign: Real| {
        let steps = (1..=60).map(|i| sign * 0.05 * i as Real);
        steps.take_while(|&a| limit.violation(rotation::about(axis, a)) == 0.0).last().unwrap_or(0.0)
    };
    let range = |axis: Vec3| AngleRange::new(end(axis, -1.0), end(axis, 1.0));
    EulerLimit::new(order, [range(Vec3::Z), range(Vec3::X), range(Vec3::Y)]).into()
}

/// Where somebody is at a moment: place on the floor, height lost, heading, and where the head looks besides.
struct Moment {
    place: Vec3,
    low: Real,
    heading: Real,
    look: [Real; 2],
    /// How much of a walk it is, and of reaching out with the hands.
    gait: Real,
    reach: Real,
}

/// From 0 to 1 within a span of time, smoothly.
fn ease(time: Real, from: Real, to: Real) -> Real {
    let x = ((time - from) / (to - from)).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Up and down again within a span of time.
fn bump(time: Real, from: Real, to: Real) -> Real {
    let third = (to - from) / 3.0;
    ease(time, from, from + third) * (1.0 - ease(time, to - third, to))
}

fn moment(time: Real) -> Moment {
    let half = std::f32::consts::PI;
    // Ahead by 3.6 m, about, back, and about again; then things on the spot, and a step aside and back.
    let ahead = 3.6 * (ease(time, 1.0, 5.0) - ease(time, 7.0, 11.0));
    let aside = 1.0 * (ease(time, 22.0, 24.5) - ease(time, 24.5, 27.0));
    let look = bump(time, 13.0, 17.0);
    Moment {
        place: Vec3::new(aside, 0.0, ahead),
        low: 0.45 * bump(time, 18.0, 22.0),
        heading: half * (ease(time, 5.2, 6.7) + ease(time, 11.2, 12.7)),
        look: [0.9 * look * (2.0 * time).sin(), 0.35 * look * (3.1 * time).cos()],
        gait: bump(time, 1.0, 5.0) + bump(time, 7.0, 11.0) + 0.5 * bump(time, 22.0, 27.0),
        reach: bump(time, 13.0, 22.0),
    }
}

/// Everything that trackers on all eleven points would say, frame by frame.
pub fn perform(rig: &Skeleton) -> Vec<Trackers> {
    let map = HumanoidMap::find(rig);
    // Elbows further out than preferred, so that who follows the hands has something to find.
    let options = SixPointOptions { swivels: [0.4, 0.15], ..SixPointOptions::default() };
    let mut body = SixPoint::new(rig, &map, options).expect("the rig has a body");
    let rest = ModelPose::rest(rig);
    let head = body.joint(Point::Head).expect("a head");
    let mut pose = body.relaxed().clone();
    let mut frames = Vec::new();
    for i in 0..(SECONDS * RATE) as usize {
        let time = i as Real / RATE;
        let now = moment(time);
        let turn = Quat::from_rotation_y(now.heading);
        let step = Vec3::new(0.02 * (5.65 * time).sin(), -0.02 * (11.3 * time).cos(), 0.0) * now.gait;
        let at = |own: Vec3| now.place + turn * (own + step) - Vec3::Y * now.low;
        let face = Quat::from_rotation_y(now.look[0]) * Quat::from_rotation_x(now.look[1]);
        let mut seen = Trackers::default();
        seen.set(Point::Head, Some(at(rest.position(head))), Some(turn * face * rest.rotation(head)));
        for side in Side::BOTH {
            let point = Point::Wrist(side);
            let limb = body.limb(point).expect("an arm");
            let shoulder = rest.position(limb.joints().upper);
            let (out, length) = (if side == Side::Left { 1.0 } else { -1.0 }, limb.reach().1);
            let phase = time + if side == Side::Left { 0.0 } else { 1.7 };
            let hangs = Vec3::new(0.1 * out, -0.9, 0.15 + 0.2 * out * (5.65 * time).sin() * now.gait);
            let held = Vec3::new(
                out * (0.1 + 0.3 * (1.1 * phase).sin()),
                -0.25 + 0.45 * (0.7 * phase).sin(),
                0.55 + 0.2 * (1.6 * phase).cos(),
            );
            let own = hangs.lerp(held, now.reach).clamp_length_max(0.97) * length;
            seen.set(point, Some(at(shoulder + own)), None);
        }
        body.solve(rig, &seen, 1.0 / RATE, &mut pose);
        // Forearms and wrists turn besides, within what they can.
        for (k, side) in Side::BOTH.into_iter().enumerate() {
            let joints = body.limb(Point::Wrist(side)).expect("an arm").joints();
            let sway = |rate: Real| (rate * time + 2.0 * k as Real).sin();
            let rolled = Quat::from_rotation_y(0.5 * sway(1.9));
            let lower = pose.rotation(joints.lower) * rolled;
            pose.set_rotation(joints.lower, rig.joint(joints.lower).project(lower.normalize()));
            let bent = rotation::exp(Vec3::new(0.3 * sway(2.3), 0.0, 0.45 * sway(1.3)));
            pose.set_rotation(joints.end, rig.joint(joints.end).project(bent));
        }
        let model = ModelPose::new(rig, &pose);
        let mut frame = Trackers::default();
        for point in Point::ALL {
            if let Some(joint) = body.joint(point) {
                frame.set(point, Some(model.position(joint)), Some(model.rotation(joint)));
            }
        }
        frames.push(frame);
    }
    frames
}

/// Only these points, with orientations or without.
pub fn seen(frames: &[Trackers], points: &[Point], oriented: bool) -> Vec<Trackers> {
    let pick = |frame: &Trackers| {
        points.iter().fold(Trackers::default(), |mut picked, &point| {
            let orientation = frame.orientation(point).filter(|_| oriented);
            picked.set(point, frame.position(point), orientation);
            picked
        })
    };
    frames.iter().map(pick).collect()
}
