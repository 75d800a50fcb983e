//! The promises of every general solver, held by one body of tests over every
//! `SolverSpec`: the pose is finite and within limits whatever is asked, the
//! same input gives the same bits, solving does not allocate, and every failure
//! has a true reason.

use crate::counting;
use sinew::error::RigError;
use sinew::filter::{FilterOptions, MotionFilter};
use sinew::math::{Real, TINY, rotation};
use sinew::solver::ccd::CcdOptions;
use sinew::solver::erik::{Erik, ErikOptions};
use sinew::{
    Cause, Goal, GoalSet, JointDef, JointKind, ModelPose, Pose, Quat, Skeleton, SkeletonBuilder, SolverSpec,
    Status, Target, Transform, Vec3, rigs,
};

use crate::numbers::Numbers;

fn random_pose(skeleton: &Skeleton, numbers: &mut Numbers) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for id in skeleton.ids() {
        pose.set_rotation(id, rotation::exp(numbers.vector() * 1.2));
        pose.set_translation(id, numbers.vector() * 0.3);
    }
    pose.project(skeleton);
    pose
}

fn leaves(skeleton: &Skeleton) -> Vec<sinew::JointId> {
    skeleton.ids().filter(|&j| skeleton.children(j).next().is_none()).collect()
}

/// Rigs of many sizes and sorts, with and without limits.
fn test_rigs() -> Vec<Skeleton> {
    let mut mixed = SkeletonBuilder::new("mixed");
    let base = mixed.add(JointDef::new("base").kind(JointKind::Free));
    let slide = mixed.add(
        JointDef::new("slide")
            .under(base)
            .kind(JointKind::Prismatic { axis: Vec3::Y })
            .limit(sinew::JointLimit::prismatic(Vec3::Y, -0.1, 0.4)),
    );
    let fixed = mixed.add(JointDef::new("fixed").under(slide).at(Vec3::Y * 0.2).kind(JointKind::Fixed));
    for side in [-1.0, 1.0] {
        let name = |part: &str| format!("{part}{side}");
        let turn = rotation::exp(Vec3::new(0.3, side, 0.2));
        let a = mixed.add(
            JointDef::new(name("universal"))
                .under(fixed)
                .at(Vec3::X * 0.2 * side)
                .turned(turn)
                .kind(JointKind::Universal { first: Vec3::X, second: Vec3::Z }),
        );
        let b = mixed.add(JointDef::new(name("hinge")).under(a).at(Vec3::X * 0.3).hinge_range(
            Vec3::Y,
            -0.3,
            2.4,
        ));
        let zero = mixed.add(JointDef::new(name("zero")).under(b).hinge(Vec3::X));
        mixed.add(JointDef::new(name("tip")).under(zero).at(Vec3::X * 0.3));
    }
    vec![
        rigs::chain(1, 0.4),
        rigs::chain(3, 1.0),
        rigs::chain(10, 1.0),
        rigs::chain(60, 2.0),
        mixed.build().unwrap(),
    ]
}

/// Goals on every leaf, taken from a random pose that holds the limits.
fn reachable_goals(skeleton: &Skeleton, numbers: &mut Numbers, oriented: bool) -> GoalSet {
    let model = ModelPose::new(skeleton, &random_pose(skeleton, numbers));
    leaves(skeleton)
        .into_iter()
        .map(
            |j| {
                if oriented {
                    Goal::pose(j, model.transform(j))
                } else {
                    Goal::position(j, model.position(j))
                }
            },
        )
        .collect()
}

fn for_every_solver(mut check: impl FnMut(SolverSpec, &Skeleton, &mut Numbers)) {
    for spec in SolverSpec::all() {
        for skeleton in test_rigs() {
            let mut numbers = Numbers::new(0x5EED + skeleton.len() as u64);
            check(spec, &skeleton, &mut numbers);
        }
    }
}

#[test]
fn the_pose_is_finite_and_within_limits_and_repeats_bit_for_bit() {
    for_every_solver(|spec, skeleton, numbers| {
        for round in 0..12 {
            let goals = reachable_goals(skeleton, numbers, round % 2 == 0);
            let mut solver = spec.build(skeleton, &goals).unwrap();
            let start = random_pose(skeleton, numbers);
            let mut pose = start.clone();
            let report = solver.solve(skeleton, &goals, &mut pose).clone();
            let name = format!("{} on {} joints, round {round}", spec.name(), skeleton.len());
            assert!(pose.is_finite(), "{name}");
            assert!(pose.worst_violation(skeleton).is_none_or(|(_, v)| v < 1e-4), "{name}");
            assert_eq!(report.reached(), report.cause.is_none(), "{name}");
            // What is called reached is reached by forward kinematics.
            let model = ModelPose::new(skeleton, &pose);
            for (goal, residual) in goals.as_slice().iter().zip(&report.residuals) {
                let real = model.position(goal.effector.joint).distance(goal.target.position().unwrap());
                assert!((real - residual.position).abs() < 1e-6, "{name}");
                assert!(!report.reached() || real < 2e-4, "{name}");
            }
            // Again, with a fresh solver and with the same one.
            for mut again in [spec.build(skeleton, &goals).unwrap(), solver] {
                let mut second = start.clone();
                assert_eq!(*again.solve(skeleton, &goals, &mut second), report, "{name}");
                assert_eq!(second, pose, "{name}");
            }
        }
    });
}

#[test]
fn solving_does_not_allocate() {
    for_every_solver(|spec, skeleton, numbers| {
        let mut goals = reachable_goals(skeleton, numbers, true);
        let mut solver = spec.build(skeleton, &goals).unwrap();
        let mut pose = Pose::rest(skeleton);
        let far = Target::Pose(Transform::from_translation(Vec3::splat(9.0)));
        let ids: Vec<_> = goals.iter().map(|(id, _)| id).collect();
        for round in 0..3 {
            if round == 2 {
                goals.set_target(ids[0], far);
            }
            let before = counting::allocations();
            solver.solve(skeleton, &goals, &mut pose);
            let allocated = counting::allocations() - before;
            assert_eq!(allocated, 0, "{} on {} joints", spec.name(), skeleton.len());
        }
    });
}

#[test]
fn erik_and_the_motion_filter_do_not_allocate() {
    let skeleton = sinew::rigs::erik(sinew::rigs::ErikRobot::G);
    let end = [Goal::orientation(skeleton.find("endpoint").unwrap(), Quat::IDENTITY)];
    let mut posture = Pose::rest(&skeleton);
    posture.set_coordinates(&skeleton, &[0.1, 0.9, -0.8, 0.7, -0.6, 0.5, -0.4, 0.3]).unwrap();
    for options in [ErikOptions::published(), ErikOptions::default(), ErikOptions::following()] {
        let mut erik = Erik::new(&skeleton, &end, options).unwrap();
        let mut pose = Pose::rest(&skeleton);
        let mut filter = MotionFilter::new(&skeleton, FilterOptions::default(), &pose);
        let mut shown = pose.clone();
        for i in 0..50 {
            let turn = Quat::from_rotation_y(0.13 * i as Real) * Quat::from_rotation_x(0.21 * i as Real);
            for target in [Target::Orientation(turn), erik.aim(0, turn * Vec3::splat(2.0))] {
                let before = counting::allocations();
                erik.solve(&skeleton, &posture, &[target], &mut pose);
                filter.step(&skeleton, &pose, 1.0 / 60.0, &mut shown);
                assert_eq!(counting::allocations() - before, 0);
            }
        }
    }
}

#[test]
fn bad_targets_are_named_and_do_no_harm() {
    for_every_solver(|spec, skeleton, numbers| {
        let mut goals = reachable_goals(skeleton, numbers, false);
        let mut solver = spec.build(skeleton, &goals).unwrap();
        let (id, _) = goals.iter().next().unwrap();
        for bad in [Real::NAN, Real::INFINITY, Real::NEG_INFINITY] {
            goals.set_target(id, Target::Position(Vec3::new(0.0, bad, 0.0)));
            let mut pose = Pose::rest(skeleton);
            let report = solver.solve(skeleton, &goals, &mut pose);
            assert_eq!(report.status, Status::NotReached, "{}", spec.name());
            assert_eq!(report.cause, Some(Cause::NotFinite { goal: id }), "{}", spec.name());
            assert!(report.residuals.iter().all(|r| !r.position.is_nan()));
            assert!(pose.is_finite() && pose.worst_violation(skeleton).is_none_or(|(_, v)| v < 1e-4));
        }
        // A pose full of nonsense is mended, not passed on.
        goals.set_target(id, Target::Position(Vec3::new(0.1, 0.2, 0.1)));
        let mut pose = Pose::rest(skeleton);
        for j in skeleton.ids() {
            pose.set_rotation(j, Quat::from_xyzw(Real::NAN, 0.0, Real::INFINITY, 0.0));
            pose.set_translation(j, Vec3::splat(Real::NAN));
        }
        solver.solve(skeleton, &goals, &mut pose);
        assert!(pose.is_finite(), "{}", spec.name());
    });
}

#[test]
fn another_problem_s_goals_are_refused_and_the_pose_left_alone() {
    for_every_solver(|spec, skeleton, numbers| {
        let goals = reachable_goals(skeleton, numbers, false);
        let mut solver = spec.build(skeleton, &goals).unwrap();
        let mut other = goals.clone();
        other.add(goals.as_slice()[0]);
        let mut pose = Pose::rest(skeleton);
        assert_eq!(solver.solve(skeleton, &other, &mut pose).cause, Some(Cause::Mismatch));
        assert_eq!(pose, Pose::rest(skeleton));
        let oriented = reachable_goals(skeleton, numbers, true);
        assert_eq!(solver.solve(skeleton, &oriented, &mut pose).cause, Some(Cause::Mismatch));
        assert_eq!(pose, Pose::rest(skeleton));
    });
}

#[test]
fn nonsense_is_refused_when_the_solver_is_built() {
    let skeleton = rigs::chain(3, 1.0);
    let tip = skeleton.find("tip").unwrap();
    let elsewhere = rigs::chain(9, 1.0).find("tip").unwrap();
    for spec in SolverSpec::all() {
        let build = |goal: Goal| spec.build(&skeleton, &GoalSet::from_iter([goal])).err();
        let good = Goal::position(tip, Vec3::X);
        assert!(matches!(spec.build(&skeleton, &GoalSet::new()).err(), Some(RigError::NoGoals)));
        assert!(matches!(build(Goal::position(elsewhere, Vec3::X)), Some(RigError::GoalOnNoJoint { .. })));
        assert!(build(good.weights(0.0, 0.0)).is_none(), "weights change from frame to frame");
        assert!(matches!(build(good.influence(1.5)), Some(RigError::BadWeight { goal: 0 })));
        assert!(matches!(build(good.weights(-1.0, 1.0)), Some(RigError::BadWeight { goal: 0 })));
        assert!(matches!(
            build(Goal::position(tip, Vec3::splat(Real::NAN))),
            Some(RigError::BadTarget { goal: 0 })
        ));
    }
}

#[test]
fn out_of_reach_says_by_how_much_and_stretches_towards_the_target() {
    let skeleton = rigs::chain(5, 1.0);
    let tip = skeleton.find("tip").unwrap();
    for spec in SolverSpec::all() {
        let goals = GoalSet::from_iter([Goal::position(tip, Vec3::new(2.0, 0.5, 0.0))]);
        let mut pose = Pose::rest(&skeleton);
        let mut solver = spec.build(&skeleton, &goals).unwrap();
        let report = solver.solve(&skeleton, &goals, &mut pose).clone();
        let Some(Cause::OutOfReach { by, .. }) = report.cause else {
            panic!("{}: {:?}", spec.name(), report.cause)
        };
        assert!((by - (Vec3::new(2.0, 0.5, 0.0).length() - 1.0)).abs() < 1e-4, "{}: {by}", spec.name());
        // The best pose points at the target.
        assert!(report.residuals[0].position < by + 0.02, "{}: {:?}", spec.name(), report);
    }
}

#[test]
fn a_joint_at_its_limit_is_named() {
    let mut b = SkeletonBuilder::new("finger");
    let a = b.add(JointDef::new("base").hinge_range(Vec3::Z, -0.5, 0.5));
    b.add(JointDef::new("tip").under(a).at(Vec3::Y).kind(JointKind::Fixed));
    let skeleton = b.build().unwrap();
    for spec in SolverSpec::all() {
        let goal = Goal::position(skeleton.find("tip").unwrap(), Vec3::new(0.9999, 0.01, 0.0).normalize());
        let goals = GoalSet::from_iter([goal]);
        let mut pose = Pose::rest(&skeleton);
        let mut solver = spec.build(&skeleton, &goals).unwrap();
        let report = solver.solve(&skeleton, &goals, &mut pose);
        assert!(
            matches!(report.cause, Some(Cause::Limit { joint, component: sinew::LimitComponent::Angle, .. })
                if joint == skeleton.root()),
            "{}: {:?}",
            spec.name(),
            report.cause
        );
        assert!((rotation::angle(pose.rotation(skeleton.root())) - 0.5).abs() < 1e-4);
    }
}

#[test]
fn goals_that_exclude_each_other_are_named() {
    let mut b = SkeletonBuilder::new("fork");
    let root = b.add(JointDef::new("root"));
    let mid = b.add(JointDef::new("mid").under(root).at(Vec3::Y));
    b.add(JointDef::new("left").under(mid).at(Vec3::new(-0.3, 0.3, 0.0)).kind(JointKind::Fixed));
    b.add(JointDef::new("right").under(mid).at(Vec3::new(0.3, 0.3, 0.0)).kind(JointKind::Fixed));
    let skeleton = b.build().unwrap();
    let id = |n: &str| skeleton.find(n).unwrap();
    let goals = GoalSet::from_iter([
        Goal::position(id("left"), Vec3::new(-1.1, 0.6, 0.0)),
        Goal::position(id("right"), Vec3::new(1.1, 0.6, 0.0)),
    ]);
    for spec in SolverSpec::all() {
        let mut pose = Pose::rest(&skeleton);
        let mut solver = spec.build(&skeleton, &goals).unwrap();
        let report = solver.solve(&skeleton, &goals, &mut pose);
        assert!(matches!(report.cause, Some(Cause::Conflict { .. })), "{}: {:?}", spec.name(), report.cause);
    }
}

#[test]
fn a_clock_ends_the_solve_and_the_report_says_so() {
    let skeleton = rigs::chain(40, 1.0);
    let goals =
        GoalSet::from_iter([Goal::position(skeleton.find("tip").unwrap(), Vec3::new(0.2, 0.3, -0.6))]);
    for spec in SolverSpec::all() {
        let mut pose = Pose::rest(&skeleton);
        let mut solver = spec.build(&skeleton, &goals).unwrap();
        let report = solver.solve_until(&skeleton, &goals, &mut pose, &mut || true);
        assert_eq!(report.iterations, 0, "{}", spec.name());
        assert_eq!(report.cause, Some(Cause::TimeBudget), "{}", spec.name());
        assert_eq!(pose, Pose::rest(&skeleton));
    }
}

#[test]
fn degenerate_rigs_end_with_a_pose_and_a_status() {
    let point = {
        let mut b = SkeletonBuilder::new("point");
        let a = b.add(JointDef::new("a"));
        let c = b.add(JointDef::new("b").under(a));
        b.add(JointDef::new("c").under(c));
        b.build().unwrap()
    };
    let rigid = {
        let mut b = SkeletonBuilder::new("rigid");
        let a = b.add(JointDef::new("a").kind(JointKind::Fixed));
        b.add(JointDef::new("b").under(a).at(Vec3::Y).kind(JointKind::Fixed));
        b.build().unwrap()
    };
    let lone = SkeletonBuilder { name: "lone".into(), joints: vec![JointDef::new("a")] }.build().unwrap();
    for skeleton in [point, rigid, lone, rigs::chain(1000, 1.0)] {
        let tip = skeleton.ids().last().unwrap();
        for spec in SolverSpec::all() {
            for at in [Vec3::ZERO, Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Y * 0.5] {
                for goal in [
                    Goal::position(tip, at),
                    Goal::pose(tip, Transform::new(at, rotation::exp(Vec3::X * 3.1))),
                    Goal::aim(tip, Vec3::Y, at),
                ] {
                    let goals = GoalSet::from_iter([goal]);
                    let Ok(mut solver) = spec.build(&skeleton, &goals) else { continue };
                    let mut pose = Pose::rest(&skeleton);
                    let report = solver.solve(&skeleton, &goals, &mut pose);
                    assert!(pose.is_finite(), "{} {}", spec.name(), skeleton.name());
                    assert_eq!(report.reached(), report.cause.is_none());
                    assert!(report.position_error() >= -TINY);
                }
            }
        }
    }
}

#[test]
fn a_clone_goes_on_where_the_original_stands() {
    let skeleton = sinew::rigs::chain(8, 1.0);
    let tip = skeleton.find("tip").unwrap();
    let mut goals = GoalSet::new();
    let id = goals.add(Goal::position(tip, Vec3::new(0.3, 0.5, 0.2)));
    for spec in SolverSpec::all() {
        let mut solver = spec.build(&skeleton, &goals).unwrap();
        let mut pose = Pose::rest(&skeleton);
        solver.solve(&skeleton, &goals, &mut pose);
        let (mut twin, mut twins_pose) = (solver.clone(), pose.clone());
        goals.set_target(id, Target::Position(Vec3::new(0.2, 0.5, -0.3)));
        let report = solver.solve(&skeleton, &goals, &mut pose).clone();
        assert_eq!(twin.solve(&skeleton, &goals, &mut twins_pose), &report, "{spec}");
        assert_eq!(twins_pose, pose, "{spec}");
    }
}

#[test]
fn a_solver_is_found_by_the_name_it_prints() {
    for spec in SolverSpec::all() {
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
    let error = "magic".parse::<SolverSpec>().unwrap_err();
    assert!(error.to_string().starts_with("there is no solver 'magic'; there are robust, "), "{error}");
}

/// Root to tip, a long chain in single precision once got nowhere: the
/// carried rotation lost its unit length and every further joint cubed the
/// error. Each step is the best for its joint, so the error cannot rise.
#[test]
fn long_chains_close_in_from_either_end() {
    let skeleton = rigs::chain(120, 1.0);
    let tip = skeleton.find("tip").unwrap();
    let goals = GoalSet::from_iter([Goal::position(tip, Vec3::new(0.3, 0.4, 0.2))]);
    for root_first in [false, true] {
        let mut last = Real::INFINITY;
        for iterations in [1, 2, 4, 8] {
            let options = CcdOptions { iterations, root_first, ..CcdOptions::default() };
            let mut solver = SolverSpec::Ccd(options).build(&skeleton, &goals).unwrap();
            let mut pose = Pose::rest(&skeleton);
            for id in skeleton.ids() {
                pose.set_rotation(id, rotation::exp(Vec3::Z * -0.01));
            }
            let error = solver.solve(&skeleton, &goals, &mut pose).position_error();
            assert!(error <= last.min(0.3), "root first {root_first}, {iterations}: {error} after {last}");
            last = error;
        }
    }
}
