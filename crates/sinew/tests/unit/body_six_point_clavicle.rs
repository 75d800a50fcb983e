use super::*;

#[test]
fn the_arm_just_reaches() {
    let (sternum, shoulder, arm) = (Vec3::ZERO, Vec3::X * 0.2, 0.6);
    for goal in
        [Vec3::new(0.4, 0.65, 0.0), Vec3::new(0.1, -0.3, 0.62), Vec3::new(0.0, 0.0, 0.7), -Vec3::X * 0.55]
    {
        let turn = turn(sternum, shoulder, arm, goal, Vec3::Y).unwrap_or(Quat::IDENTITY);
        let away = (turn * shoulder).distance(goal);
        assert!((away - arm).abs() < 1.0e-4, "{goal}: {away}");
    }
    assert_eq!(turn(sternum, shoulder, arm, Vec3::new(0.3, 0.2, 0.1), Vec3::Y), None);
}

#[test]
fn out_of_reach_it_points_there() {
    let goal = Vec3::new(0.0, 3.0, 0.1);
    let turn = turn(Vec3::ZERO, Vec3::X * 0.2, 0.6, goal, Vec3::Y).unwrap_or(Quat::IDENTITY);
    assert!(rotation::angle_between(turn * Vec3::X, goal.normalize()) < 1.0e-3);
}
