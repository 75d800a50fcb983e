use super::*;
use crate::pose::{ModelPose, Pose};
use crate::rigs;
use crate::solver::erik::ErikOptions;

#[test]
fn straight_ahead_is_along_z() {
    let robot = rigs::erik(rigs::ErikRobot::G);
    let end = Endpoint::of_longest_chain(&robot);
    assert_eq!(robot.joint(end.effector.joint).name(), "endpoint");
    let mut erik = Erik::new(&robot, &[end], ErikOptions::default()).unwrap();
    let mut pose = Pose::rest(&robot);
    for (turn, wanted) in
        [(Quat::IDENTITY, Vec3::Z), (rotation::about(Vec3::Y, 0.7), Vec3::new(0.644, 0.0, 0.765))]
    {
        let target = erik.toward(0, turn);
        let posture = Pose::rest(&robot);
        assert!(erik.solve(&robot, &posture, &[target], &mut pose).errors.orientation < 0.05);
        let now = end.effector.transform(&ModelPose::new(&robot, &pose));
        let sight = erik.sight(0, now).unwrap();
        assert!(sight.angle_between(wanted) < 0.3, "{sight:?}");
    }
}

#[test]
fn a_chain_that_it_takes_comes_before_a_longer_one() {
    let human = rigs::by_name("humanoid").unwrap();
    assert!(Erik::new(&human, &[Endpoint::of_longest_chain(&human)], ErikOptions::default()).is_err());
    let mut builder = rigs::arm().to_builder();
    let root = builder.joints[0].clone();
    for _ in 0..12 {
        let parent = builder.joints.len() - 1;
        let mut ball = root.clone();
        ball.name = alloc::format!("ball{parent}");
        ball.kind = JointKind::Ball;
        ball.parent = Some(if parent < 9 { 0 } else { parent });
        ball.rest = Transform::from_translation(Vec3::Y * 0.1);
        ball.limit = Default::default();
        builder.add(ball);
    }
    let both = builder.build().unwrap();
    assert!(Erik::new(&both, &[Endpoint::of_longest_chain(&both)], ErikOptions::default()).is_ok());
}
