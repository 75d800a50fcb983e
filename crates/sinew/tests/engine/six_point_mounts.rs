//! Mounts that are found: trackers strapped on anyhow tell where their joints are and how they are turned, from a few
//! seconds of looking about and turning the wrists, and from one pose.

use sinew::body::six_point::{Point, SixPoint, SixPointOptions, Trackers};
use sinew::math::{Real, rotation};
use sinew::rigs::{SwingModel, humanoid};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{ModelPose, Quat, Skeleton, Transform, Vec3};

const THREE: [Point; 3] = [Point::Head, Point::Wrist(Side::Left), Point::Wrist(Side::Right)];

fn body(skeleton: &Skeleton) -> SixPoint {
    SixPoint::new(skeleton, &HumanoidMap::find(skeleton), SixPointOptions::default()).unwrap()
}

/// Joints seen from their trackers.
fn mounts() -> [Transform; 3] {
    [
        Transform::new(Vec3::new(0.01, -0.09, -0.11), rotation::about(Vec3::Y, 0.3)),
        Transform::new(Vec3::new(-0.03, 0.02, -0.12), rotation::exp(Vec3::new(0.4, -1.1, 0.2))),
        Transform::new(Vec3::new(0.03, 0.02, -0.12), rotation::exp(Vec3::new(-0.4, 1.1, 0.9))),
    ]
}

/// What trackers say whose joints are there.
fn trackers(joints: &[Transform; 3]) -> Trackers {
    let mut frame = Trackers::default();
    for ((point, joint), mount) in THREE.into_iter().zip(joints).zip(mounts()) {
        let tracker = *joint * mount.inverse();
        frame.set(point, Some(tracker.translation), Some(tracker.rotation));
    }
    frame
}

/// Somebody who looks about and turns the wrists, and of whom head and hands go elsewhere besides.
fn looking_about(rest: &ModelPose, body: &SixPoint, time: Real, turns: [Real; 3]) -> Trackers {
    let mut joints = [Transform::IDENTITY; 3];
    for (i, (joint, point)) in joints.iter_mut().zip(THREE).enumerate() {
        let at = body.joint(point).unwrap();
        let t = time + i as Real;
        // Half of the time the hands go about, and turn with the arm.
        let goes = if i > 0 { (1.3 * t).sin().max(0.0) } else { 0.1 };
        let away = Vec3::new(0.2 * (2.1 * t).sin(), 0.15 * (1.7 * t).cos(), 0.1 * (2.3 * t).sin()) * goes;
        let turn =
            Vec3::new(turns[0] * (3.1 * t).sin(), turns[1] * (2.2 * t).sin(), turns[2] * (4.3 * t).cos());
        *joint = Transform::new(rest.position(at) + away, rotation::exp(turn) * rest.rotation(at));
    }
    trackers(&joints)
}

#[test]
fn joints_are_found_in_their_trackers_by_motion() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    for rate in [30.0, 90.0] {
        let mut body = body(&skeleton);
        let moved = |turns: [Real; 3], body: &SixPoint| -> Vec<Trackers> {
            (0..(12.0 * rate) as usize).map(|i| looking_about(&rest, body, i as Real / rate, turns)).collect()
        };
        let frames = moved([0.5, 0.7, 0.4], &body);
        assert_eq!(body.mount_by_motion(&frames), 3);
        for (point, mount) in THREE.into_iter().zip(mounts()) {
            let found = body.calibration().mount(point);
            let off = found.translation.distance(mount.translation);
            assert!(off < 0.02, "{point:?} at {rate}: {found:?} for {mount:?}");
        }
        // One axis says nothing of where along it the joint is, and no turns say nothing.
        let mut one = self::body(&skeleton);
        let frames = moved([0.0, 0.7, 0.0], &one);
        assert_eq!(one.mount_by_motion(&frames), 3);
        let found = one.calibration().mount(Point::Head).translation;
        let axis =
            mounts()[0].rotation * rest.rotation(one.joint(Point::Head).unwrap()).conjugate() * Vec3::Y;
        assert!(found.dot(axis).abs() < 0.01, "{found}");
        let mut none = self::body(&skeleton);
        let frames = moved([0.0; 3], &none);
        assert_eq!(none.mount_by_motion(&frames), 0);
        assert_eq!(none.calibration().mount(Point::Head), Transform::IDENTITY);
    }
}

#[test]
fn trackers_are_turned_on_their_joints_as_a_pose_says() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let rest = ModelPose::rest(&skeleton);
    for (heading, down) in [(0.0, 0.0), (2.0, 0.0), (-1.2, 0.8)] {
        let mut body = body(&skeleton);
        let turn = Quat::from_rotation_y(heading);
        // Arms stretched so far down, of somebody who faces elsewhere.
        let joints: [Transform; 3] = core::array::from_fn(|i| {
            let at = body.joint(THREE[i]).unwrap();
            let Some(arm) = body.limb(THREE[i]) else {
                return Transform::new(turn * rest.position(at), turn * rest.rotation(at));
            };
            let shoulder = rest.position(arm.joints().upper);
            let out = if i == 1 { 1.0 } else { -1.0 };
            let wanted = Vec3::new(out * Real::cos(down), -Real::sin(down), 0.0);
            let straight = rotation::between((rest.position(at) - shoulder).normalize(), wanted, Vec3::Z);
            let reach = arm.lengths().0 + arm.lengths().1;
            Transform::new(turn * (shoulder + wanted * reach), turn * straight * rest.rotation(at))
        });
        let mut calibration = *body.calibration();
        for (point, mount) in THREE.into_iter().zip(mounts()) {
            calibration = calibration.with_mount(point, Transform::new(mount.translation, Quat::IDENTITY));
        }
        assert!(body.set_calibration(calibration));
        assert_eq!(body.mount_by_pose(&skeleton, &trackers(&joints)), 3);
        for (point, mount) in THREE.into_iter().zip(mounts()) {
            let found = body.calibration().mount(point);
            let off = rotation::angle(found.rotation.conjugate() * mount.rotation);
            assert!(off < 0.02, "{point:?} facing {heading}, arms down {down}: off by {off}");
            assert_eq!(found.translation, mount.translation);
        }
        assert_eq!(body.mount_by_pose(&skeleton, &Trackers::default()), 0);
    }
}
