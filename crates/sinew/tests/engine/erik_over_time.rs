//! ERIK over time: what is followed, and what is free to go where it likes meanwhile.

use sinew::rigs::{self, ErikRobot};
use sinew::solver::erik::{Erik, ErikOptions};
use sinew::{
    Effector, Goal, JointDef, JointKind, ModelPose, Pose, Quat, Real, SkeletonBuilder, Target, Vec3,
};

/// Joints whose part in a look is small twitched where others came to a stop and they took over, since the
/// posture drew them as far as the target left them free to go, within one frame.
#[test]
fn what_the_target_leaves_free_goes_back_to_the_posture_gently() {
    let skeleton = rigs::erik(ErikRobot::G);
    let head = [Goal::orientation(skeleton.find("endpoint").unwrap(), Quat::IDENTITY)];
    let bent = |angles: [Real; 8]| {
        let mut pose = Pose::rest(&skeleton);
        pose.set_coordinates(&skeleton, &angles).unwrap();
        pose
    };
    let posture = bent([0.0, 0.5, 0.3, -0.9, 0.0, -0.4, 0.2, 0.0]);
    let other = bent([0.0, -0.2, 0.3, 0.6, 0.0, 0.5, -0.3, 0.0]);
    let target = [Target::Orientation(Quat::from_rotation_y(0.8) * Quat::from_rotation_x(1.2))];
    let solver =
        |ease: Real| Erik::new(&skeleton, &head, ErikOptions { ease, ..ErikOptions::following() }).unwrap();
    // Looks there in another shape.
    let mut start = Pose::rest(&skeleton);
    solver(0.0).solve_afresh(&skeleton, &other, &target, &mut start);
    let way = |from: &Pose, to: &Pose| {
        let turns = skeleton.ids().map(|id| from.rotation(id).angle_between(to.rotation(id)));
        turns.fold(0.0, Real::max)
    };
    let mut at_once = start.clone();
    solver(0.0).solve(&skeleton, &posture, &target, &mut at_once);
    assert!(way(&start, &at_once) > 0.5, "{}", way(&start, &at_once));
    let mut gently = solver(9.0);
    let (mut pose, mut most) = (start.clone(), 0.0);
    for _ in 0..90 {
        let before = pose.clone();
        let report = gently.solve(&skeleton, &posture, &target, &mut pose);
        assert!(report.errors.orientation < 0.003, "{report}");
        most = way(&before, &pose).max(most);
    }
    assert!(most < 0.3 * way(&start, &at_once), "{most}");
    assert!(way(&pose, &at_once) < 0.05, "{}", way(&pose, &at_once));
    // A posture that moves is kept up with: it is what is led back to that is gentle.
    let moved = bent([0.0, 0.6, 0.3, -0.8, 0.0, -0.4, 0.2, 0.0]);
    solver(0.0).solve(&skeleton, &moved, &target, &mut at_once);
    gently.solve(&skeleton, &moved, &target, &mut pose);
    assert!(way(&pose, &at_once) < 0.08, "{}", way(&pose, &at_once));
    // Who solves for another character next forgets this one's way; it led the other one's along.
    let mut others = [start.clone(), start.clone()];
    gently.forget();
    gently.solve(&skeleton, &other, &target, &mut others[0]);
    solver(9.0).solve(&skeleton, &other, &target, &mut others[1]);
    assert_eq!(others[0], others[1]);
}

/// Where a target was out of reach, what was followed stood and then jumped, or stood for good far from the
/// best there is: steps were kept or not by another measure than the one that they make small.
#[test]
fn what_cannot_be_looked_at_is_followed_as_near_as_joints_allow() {
    let mut builder = SkeletonBuilder::new("pendulum");
    let hinge = |name: &str| JointDef::new(name).kind(JointKind::Hinge { axis: Vec3::X });
    let first = builder.add(hinge("first").at(Vec3::Y * 0.1));
    let second = builder.add(hinge("second").at(Vec3::Y * 0.2).under(first));
    let tip = builder.add(JointDef::new("tip").kind(JointKind::Fixed).at(Vec3::Y * 0.2).under(second));
    let skeleton = builder.build().unwrap();
    let goal = [Goal::new(Effector::at(tip), Target::Aim { axis: Vec3::Y, at: Vec3::Z })];
    let mut erik =
        Erik::new(&skeleton, &goal, ErikOptions { ease: 18.0, ..ErikOptions::following() }).unwrap();
    let mut posture = Pose::rest(&skeleton);
    posture.set_coordinates(&skeleton, &[0.4, -0.5]).unwrap();
    let mut pose = posture.clone();
    let (mut last, mut most): (Option<Pose>, Real) = (None, 0.0);
    for frame in 0..360 {
        let turn = std::f64::consts::TAU * 0.5 * f64::from(frame) / 60.0;
        // Far to the side of the plane in which it turns.
        let at = Vec3::new(0.9, -0.1 + 0.3 * turn.sin() as Real, 0.8 + 0.3 * turn.cos() as Real);
        let target = [Target::Aim { axis: Vec3::Y, at }];
        if last.is_none() {
            for _ in 0..60 {
                erik.solve(&skeleton, &posture, &target, &mut pose);
            }
        }
        erik.solve(&skeleton, &posture, &target, &mut pose);
        let model = ModelPose::new(&skeleton, &pose);
        // Within the plane it looks straight at it.
        let (way, sight) = (at - model.position(tip), model.rotation(tip) * Vec3::Y);
        let flat = Vec3::new(0.0, way.y, way.z);
        assert!(sight.angle_between(flat) < 0.1, "frame {frame}: {}", sight.angle_between(flat));
        if let Some(last) = &last {
            let step = |id| last.rotation(id).angle_between(pose.rotation(id));
            most = skeleton.ids().map(step).fold(most, Real::max);
        }
        last = Some(pose.clone());
    }
    assert!(most < 0.1, "{most}");
}

/// An end point half way down the chain of another one adds no joints of its own. The length of its chain was once
/// counted over joints that it does not have, past the end of the list.
#[test]
fn an_end_point_on_the_way_to_another_has_a_chain() {
    let skeleton = rigs::erik(ErikRobot::G);
    for [first, second] in [["endpoint", "joint4"], ["joint4", "endpoint"], ["endpoint", "endpoint"]] {
        let aim = |name: &str| {
            let at = Vec3::new(0.3, 0.9, 0.4);
            Goal::new(Effector::at(skeleton.find(name).unwrap()), Target::Aim { axis: Vec3::Y, at })
        };
        let goals = [aim(first), aim(second)];
        let targets = goals.map(|goal| goal.target);
        let mut solver = Erik::new(&skeleton, &goals, ErikOptions::following()).unwrap();
        let mut pose = Pose::rest(&skeleton);
        for _ in 0..30 {
            solver.solve(&skeleton, &Pose::rest(&skeleton), &targets, &mut pose);
        }
        assert!(pose.first_unsound().is_none(), "{first}, {second}");
    }
}
