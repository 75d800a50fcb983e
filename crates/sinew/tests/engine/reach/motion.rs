//! The motion of a hand to its target.

use sinew::body::reach::minimum_jerk;
use sinew::math::rotation;
use sinew::{Quat, Real, Target, Transform, Vec3};

#[test]
fn the_bell_is_symmetric_and_fastest_in_the_middle() {
    let speed = |t: Real| (minimum_jerk(t + 1e-3) - minimum_jerk(t - 1e-3)) / 2e-3;
    for i in 1..50 {
        let t = i as Real / 100.0;
        assert!((minimum_jerk(t) + minimum_jerk(1.0 - t) - 1.0).abs() < 1e-5);
        assert!((speed(t) - speed(1.0 - t)).abs() < 2e-2);
        assert!(speed(t) <= speed(t + 0.01) + 2e-3);
    }
    assert!((speed(0.5) - 1.875).abs() < 1e-2);
    assert_eq!((minimum_jerk(-1.0), minimum_jerk(2.0), minimum_jerk(Real::NAN)), (0.0, 1.0, 0.0));
}

#[test]
fn the_path_is_straight_and_turns_the_short_way() {
    let to = Transform::new(Vec3::new(0.3, 0.5, -0.2), rotation::exp(Vec3::X * 1.2));
    let from = Transform::new(Vec3::ZERO, Quat::IDENTITY);
    let wanted = Target::Pose(Transform::new(to.translation, -to.rotation));
    let at = |share: Real| wanted.part_of_the_way(from, minimum_jerk(share));
    for i in 0..=20 {
        let target = at(i as Real * 0.05);
        assert!(target.position().unwrap().cross(to.translation).length() < 1e-5);
        let angle = rotation::angle(target.orientation(from).unwrap());
        assert!((angle - 1.2 * minimum_jerk(i as Real * 0.05)).abs() < 1e-3);
    }
    assert!(at(4.5).position().unwrap().distance(to.translation) < 1e-6);
}
