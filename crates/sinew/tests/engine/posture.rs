//! The production solver draws what its goals leave free to a posture.

use sinew::goal::PostureGoal;
use sinew::math::*;
use sinew::solver::robust::RobustOptions;
use sinew::{Cause, Goal, GoalSet, JointId, Pose, Skeleton, SolverSpec, rigs};

const OPTIONS: RobustOptions = RobustOptions {
    tolerance: sinew::report::Tolerance { position: 1.0e-4, orientation: 1.0e-3 },
    iterations: 60,
    restarts: 20,
    seed: 1,
};

/// The goals with what they leave free drawn to the rest pose.
fn drawn(skeleton: &Skeleton, goals: &GoalSet, weight: Real) -> GoalSet {
    let mut goals = goals.clone();
    goals.set_posture(Some(PostureGoal::new(Pose::rest(skeleton), weight)));
    goals
}

/// The human with its hips held, so that only the body can answer.
fn standing() -> Skeleton {
    let mut builder = rigs::by_name("humanoid").unwrap().to_builder();
    builder.joints[0].stiffness = 1.0;
    builder.build().unwrap()
}

fn solved(skeleton: &Skeleton, goals: &GoalSet, from: &Pose) -> Pose {
    let mut pose = from.clone();
    let mut solver = SolverSpec::Robust(OPTIONS).build(skeleton, goals).unwrap();
    let report = solver.solve(skeleton, goals, &mut pose);
    assert!(report.reached(), "{report:?}");
    assert_eq!(pose.worst_violation(skeleton), None);
    pose
}

/// How far the back has bent, in radians.
fn bend(skeleton: &Skeleton, pose: &Pose) -> Real {
    let back: Vec<JointId> = ["vl5", "vl1", "vt6", "vt1"].map(|n| skeleton.find(n).unwrap()).to_vec();
    back.iter().map(|&j| rotation::angle(pose.rotation(j))).sum()
}

fn hand(skeleton: &Skeleton, x: Real, y: Real, z: Real) -> GoalSet {
    let wrist = skeleton.find("r_wrist").unwrap();
    [Goal::position(wrist, Vec3::new(x, y, z))].into_iter().collect()
}

#[test]
fn the_arm_reaches_and_the_back_stays_upright() {
    let skeleton = standing();
    let rest = Pose::rest(&skeleton);
    for (x, y, z) in [(-0.4, 1.2, 0.4), (0.1, 1.4, 0.4), (-0.6, 1.3, 0.0)] {
        let goals = hand(&skeleton, x, y, z);
        let plain = bend(&skeleton, &solved(&skeleton, &goals, &rest));
        let drawn = bend(&skeleton, &solved(&skeleton, &drawn(&skeleton, &goals, 0.05), &rest));
        assert!(drawn < 0.6 * plain, "{x} {y} {z}: {drawn} against {plain}");
    }
}

#[test]
fn several_goals_are_drawn_alike() {
    // Several goals take the recursion over the tree, one the small dual form: a
    // second goal that asks for nothing new must not change where the pose goes.
    let skeleton = standing();
    let rest = Pose::rest(&skeleton);
    let one = hand(&skeleton, -0.35, 1.2, 0.35);
    let mut two = one.clone();
    let ankle = skeleton.find("l_ankle").unwrap();
    two.add(Goal::position(ankle, sinew::ModelPose::new(&skeleton, &rest).position(ankle)));
    let alone = solved(&skeleton, &drawn(&skeleton, &one, 0.05), &rest);
    let both = solved(&skeleton, &drawn(&skeleton, &two, 0.05), &rest);
    let apart = skeleton.ids().map(|j| rotation::angle(alone.rotation(j).conjugate() * both.rotation(j)));
    let most = apart.fold(0.0, Real::max);
    assert!(most < 0.05, "{most}");
}

#[test]
fn a_target_that_returns_finds_the_same_pose() {
    let skeleton = standing();
    let mut pose = Pose::rest(&skeleton);
    let mut goals = drawn(&skeleton, &hand(&skeleton, -0.3, 1.2, 0.4), 0.05);
    let goal = goals.iter().map(|(id, _)| id).next().unwrap();
    let wrist = skeleton.find("r_wrist").unwrap();
    let mut solver = SolverSpec::Robust(OPTIONS).build(&skeleton, &goals).unwrap();
    let mut first = None;
    for frame in 0..=720 {
        let a = (frame as Real).to_radians();
        let circle = Vec3::new(-0.3 + 0.2 * a.sin(), 1.2 + 0.2 * (1.0 - a.cos()), 0.4);
        goals.set_target(goal, sinew::Target::Position(circle));
        assert!(solver.solve(&skeleton, &goals, &mut pose).reached());
        if frame == 360 {
            first = Some(pose.rotation(wrist.min(skeleton.find("vl1").unwrap())));
        }
    }
    let again = pose.rotation(wrist.min(skeleton.find("vl1").unwrap()));
    let drift = rotation::angle(first.unwrap().conjugate() * again);
    assert!(drift < 0.01, "{drift}");
}

#[test]
fn another_posture_can_be_asked_for() {
    let skeleton = standing();
    let goals = hand(&skeleton, -0.35, 1.15, 0.4);
    let neck = skeleton.find("vl1").unwrap();
    let mut bowed = Pose::rest(&skeleton);
    bowed.set_rotation(neck, skeleton.joint(neck).project(rotation::about(Vec3::X, 0.3)));
    let upright = solved(&skeleton, &drawn(&skeleton, &goals, 0.2), &Pose::rest(&skeleton));
    let mut goals = goals.clone();
    goals.set_posture(Some(PostureGoal::new(bowed.clone(), 0.2)));
    let mut solver = SolverSpec::Robust(OPTIONS).build(&skeleton, &goals).unwrap();
    let mut pose = Pose::rest(&skeleton);
    assert!(solver.solve(&skeleton, &goals, &mut pose).reached());
    let lean = |p: &Pose| rotation::log(p.rotation(neck)).x;
    assert!(lean(&pose) > lean(&upright) + 0.1, "{} {}", lean(&pose), lean(&upright));
    // A joint can be left alone.
    let mut joints = vec![1.0; skeleton.len()];
    joints[neck.index()] = 0.0;
    goals.posture_mut().unwrap().joints = joints;
    let mut left_alone = Pose::rest(&skeleton);
    assert!(solver.solve(&skeleton, &goals, &mut left_alone).reached());
    assert!(lean(&left_alone) < lean(&pose) - 0.05, "{} {}", lean(&left_alone), lean(&pose));
    // A posture of another skeleton, or one that is not finite, is refused and reported.
    let mut broken = bowed.clone();
    broken.set_rotation(neck, Quat::from_xyzw(Real::NAN, 0.0, 0.0, 1.0));
    for bad in [Pose::rest(&rigs::by_name("arm").unwrap()), broken] {
        goals.set_posture(Some(PostureGoal::new(bad, 0.2)));
        assert!(SolverSpec::Robust(OPTIONS).build(&skeleton, &goals).is_err());
        let mut again = pose.clone();
        assert_eq!(solver.solve(&skeleton, &goals, &mut again).cause, Some(Cause::Mismatch));
        assert_eq!(again, pose);
    }
    // Methods that move a joint at a time have no room for one.
    for name in ["ccd", "ccd-root-to-tip", "fabrik", "ewbik"] {
        goals.set_posture(Some(PostureGoal::new(bowed.clone(), 0.2)));
        assert!(name.parse::<SolverSpec>().unwrap().build(&skeleton, &goals).is_err(), "{name}");
    }
}
