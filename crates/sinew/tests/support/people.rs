//! People who walk, and what every frame of them must keep to.
#![allow(dead_code)] // each test file uses some of it

use sinew::body::six_point::{Point, SixPoint, SixPointOptions, SixPointReport, Trackers};
use sinew::math::Real;
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Cause, ModelPose, Pose, Quat, Skeleton, Vec3};

pub const LEFT_WRIST: Point = Point::Wrist(Side::Left);
pub const RIGHT_WRIST: Point = Point::Wrist(Side::Right);
pub const LEFT_ANKLE: Point = Point::Ankle(Side::Left);
pub const RIGHT_ANKLE: Point = Point::Ankle(Side::Right);

/// Seconds of a frame: the rate of the recorded motions.
pub const DT: Real = 1.0 / 120.0;

pub fn body(skeleton: &Skeleton, options: SixPointOptions) -> SixPoint {
    SixPoint::new(skeleton, &HumanoidMap::find(skeleton), options).unwrap()
}

pub fn both() -> [SixPointOptions; 2] {
    [SixPointOptions::paper(), SixPointOptions::default()]
}

/// A frame of walking on the spot with swinging arms, about the rest pose.
pub fn walking(body: &SixPoint, rest: &ModelPose, t: Real) -> Trackers {
    let at = |p: Point| rest.position(body.joint(p).unwrap());
    let (s, c) = ((5.0 * t).sin(), (5.0 * t).cos());
    let shoulder = |side| rest.position(body.limb(Point::Wrist(side)).unwrap().joints().upper);
    let arm = |side, swing: Real| shoulder(side) + Vec3::new(0.0, -0.4, 0.25 + 0.1 * swing);
    Trackers::default()
        .with(Point::Pelvis, at(Point::Pelvis) + Vec3::new(0.0, -0.09 + 0.02 * c, 0.0))
        .with(Point::Head, at(Point::Head) + Vec3::new(0.02 * s, -0.1, 0.05))
        .with(LEFT_WRIST, arm(Side::Left, s))
        .with(RIGHT_WRIST, arm(Side::Right, -s))
        .with(LEFT_ANKLE, at(LEFT_ANKLE) + Vec3::new(0.0, 0.05 + 0.05 * c, -0.2 * s))
        .with(RIGHT_ANKLE, at(RIGHT_ANKLE) + Vec3::new(0.0, 0.05 - 0.05 * c, 0.2 * s))
}

/// The same frame, the whole of it turned about the pelvis.
pub fn turned(trackers: &Trackers, turn: Quat) -> Trackers {
    let pelvis = trackers.position(Point::Pelvis).unwrap();
    let mut out = Trackers::default();
    for point in Point::SIX {
        out = out.with(point, pelvis + turn * (trackers.position(point).unwrap() - pelvis));
    }
    out
}

/// Every joint is within its limit, but for the shoulders and hips of which the report says that
/// they had to give, and by no more than it says.
pub fn assert_limits(body: &SixPoint, skeleton: &Skeleton, pose: &Pose, report: &SixPointReport) {
    let strain = |joint| {
        Side::BOTH.into_iter().flat_map(|side| [Point::Wrist(side), Point::Ankle(side)]).find_map(|point| {
            let (Point::Wrist(side) | Point::Ankle(side)) = point else { return None };
            let limb = if matches!(point, Point::Wrist(_)) { report.arm(side) } else { report.leg(side) };
            match limb.outcome.cause {
                Some(Cause::Strained { joint: strained, by, .. }) if strained == joint => Some(by),
                _ => None,
            }
        })
    };
    for joint in skeleton.ids() {
        let outside = skeleton.joint(joint).violation(pose.rotation(joint), pose.translation(joint));
        let allowed = strain(joint).unwrap_or(0.0);
        assert!(allowed <= body.options().limbs.give, "{allowed} is more than may be given");
        assert!(outside <= allowed + 1.0e-4, "{}: {outside} outside", skeleton.joint(joint).name());
    }
}
