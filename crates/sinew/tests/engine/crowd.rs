//! Crowds: order, the same bits on any number of threads, and no allocation on one.

use crate::counting;
use sinew::analytic::{Limb, LimbReport, Swivel};
use sinew::body::six_point::{Point, SixPoint, SixPointOptions, SixPointReport, Trackers};
use sinew::body::walk::{WalkOptions, WalkReport, Walker};
use sinew::crowd::{Crowd, GoalCrowd, Problem};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::solver::erik::{Erik, ErikOptions};
use sinew::{
    Cause, Effector, Goal, GoalSet, ModelPose, Pose, Quat, Real, Skeleton, SolverSpec, Target, Transform,
    Vec3, rigs,
};

/// A number that looks random, from 0 to 1; the same everywhere.
fn number(i: usize, salt: usize) -> Real {
    let mut x = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (salt as u64).wrapping_mul(0xD1B5_4A32_D192_ED03);
    x = (x ^ (x >> 31)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((x ^ (x >> 29)) >> 40) as Real / (1u64 << 24) as Real
}

fn around(i: usize, salt: usize) -> Vec3 {
    Vec3::new(number(i, salt), number(i, salt + 1), number(i, salt + 2)) * 2.0 - Vec3::ONE
}

fn arm_problems(count: usize) -> (Skeleton, GoalSet, Vec<Problem>) {
    let arm = rigs::arm();
    let flange = arm.find("flange").unwrap();
    let goals = GoalSet::from_iter([Goal::pose(flange, Transform::IDENTITY)]);
    let mut problems = vec![Problem::new(&goals, Pose::rest(&arm)); count];
    for (i, problem) in problems.iter_mut().enumerate() {
        let mut there = Pose::rest(&arm);
        let values: Vec<Real> = (0..arm.degrees_of_freedom()).map(|k| 3.0 * number(i, k) - 1.5).collect();
        there.set_coordinates(&arm, &values).unwrap();
        there.project(&arm);
        problem.targets[0] = Target::Pose(ModelPose::new(&arm, &there).transform(flange));
    }
    (arm, goals, problems)
}

/// Everything that a general solver could keep from one solve to the next would show here.
#[test]
fn every_general_solver_gives_the_same_bits_in_any_order_and_on_any_number_of_threads() {
    let (arm, goals, fresh) = arm_problems(24);
    let all = SolverSpec::all().flat_map(|spec| [spec, spec.following()]);
    for spec in all {
        let mut one_by_one = fresh.clone();
        for problem in &mut one_by_one {
            let mut goals = goals.clone();
            let id = goals.iter().next().unwrap().0;
            goals.set_target(id, problem.targets[0]);
            let mut solver = spec.build(&arm, &goals).unwrap();
            problem.report.clone_from(solver.solve(&arm, &goals, &mut problem.pose));
        }
        for threads in [1, 2, 3, 7] {
            let mut crowd = GoalCrowd::new(&arm, &goals, spec, threads).unwrap();
            let mut together = fresh.clone();
            crowd.solve(&arm, &mut together);
            assert!(together == one_by_one, "{spec} on {threads}");
            let mut backwards: Vec<Problem> = fresh.iter().rev().cloned().collect();
            crowd.solve(&arm, &mut backwards);
            backwards.reverse();
            assert!(backwards == one_by_one, "{spec} backwards on {threads}");
        }
    }
}

#[test]
fn a_crowd_of_problems_allocates_nothing_on_one_thread() {
    let (arm, goals, mut problems) = arm_problems(40);
    let mut crowd = GoalCrowd::new(&arm, &goals, SolverSpec::default(), 1).unwrap();
    let before = counting::allocations();
    crowd.solve(&arm, &mut problems);
    assert_eq!(counting::allocations(), before);
    let reached = problems.iter().filter(|problem| problem.report.reached()).count();
    assert!(reached >= 39, "{reached} of 40");
}

#[test]
fn a_problem_of_another_kind_is_a_mismatch_and_the_others_are_solved() {
    let (arm, goals, mut problems) = arm_problems(6);
    problems[1].targets.push(Target::Position(Vec3::ZERO));
    problems[2].targets.clear();
    problems[3].pose = Pose::rest(&rigs::chain(3, 1.0));
    problems[4].targets[0] = Target::Pose(Transform::new(Vec3::splat(Real::NAN), Quat::IDENTITY));
    GoalCrowd::new(&arm, &goals, SolverSpec::default(), 2).unwrap().solve(&arm, &mut problems);
    for i in [1, 2, 3] {
        assert_eq!(problems[i].report.cause, Some(Cause::Mismatch), "{i}");
    }
    assert!(matches!(problems[4].report.cause, Some(Cause::NotFinite { .. })));
    assert!(problems[0].report.reached() && problems[5].report.reached());
    // Nothing is asked of an empty crowd.
    GoalCrowd::new(&arm, &goals, SolverSpec::default(), 4).unwrap().solve(&arm, &mut []);
}

#[test]
fn items_are_numbered_and_stay_in_their_order() {
    for threads in [0, 1, 2, 5, 64] {
        for count in [0, 1, 2, 63, 64, 65, 1000] {
            let mut items = vec![usize::MAX; count];
            Crowd::new(0_usize, threads).run(&mut items, |seen, i, item| {
                *seen += 1;
                *item = i;
            });
            assert!(items.iter().enumerate().all(|(i, item)| i == *item), "{threads} {count}");
        }
    }
}

/// What a character is and how it goes on by a frame.
fn same_on_any_number_of_threads<C: Clone + Send, R: PartialEq + std::fmt::Debug>(
    people: &[C],
    frames: usize,
    step: impl Fn(usize, usize, &mut C) + Sync,
    shown: impl Fn(&C) -> R,
) {
    let mut first: Option<Vec<R>> = None;
    for threads in [1, 2, 5] {
        let mut people = people.to_vec();
        let mut crowd = Crowd::new((), threads);
        let before = counting::allocations();
        for frame in 0..frames {
            crowd.run(&mut people, |(), i, person| step(frame, i, person));
        }
        if threads == 1 {
            assert_eq!(counting::allocations(), before, "allocates");
        }
        let seen: Vec<R> = people.iter().map(&shown).collect();
        match &first {
            None => first = Some(seen),
            Some(first) => assert!(*first == seen, "other bits on {threads}"),
        }
    }
}

#[derive(Clone)]
struct Tracked {
    body: SixPoint,
    pose: Pose,
    report: SixPointReport,
}

#[test]
fn six_point_bodies() {
    let human = rigs::humanoid(Default::default());
    let mut body = SixPoint::new(&human, &HumanoidMap::find(&human), SixPointOptions::default()).unwrap();
    let rest = body.points_of(&ModelPose::rest(&human));
    let mut pose = body.relaxed().clone();
    let report = body.solve(&human, &rest, 0.01, &mut pose);
    let people = vec![Tracked { body, pose, report }; 30];
    let trackers = |frame: usize, i: usize| -> Trackers {
        let mut moved = rest;
        for (k, point) in Point::SIX.into_iter().enumerate() {
            let way = around(i, 7 * k) * (0.02 * frame as Real);
            moved = moved.with(point, rest.position(point).unwrap() + way);
        }
        moved
    };
    same_on_any_number_of_threads(
        &people,
        5,
        |frame, i, person| {
            let Tracked { body, pose, report } = person;
            *report = body.solve(&human, &trackers(frame, i), 1.0 / 60.0, pose);
        },
        |person| (person.pose.clone(), person.report),
    );
}

#[derive(Clone)]
struct Walking {
    walker: Walker,
    pose: Pose,
    report: Option<WalkReport>,
}

#[test]
fn walkers() {
    let human = rigs::humanoid(Default::default());
    let hills = |x: Real, z: Real| 0.05 * (x + 2.0 * z).sin();
    let walker = Walker::new(&human, WalkOptions::default(), &hills).unwrap();
    let people = vec![Walking { walker, pose: Pose::rest(&human), report: None }; 8];
    same_on_any_number_of_threads(
        &people,
        30,
        |_, i, person| {
            let Walking { walker, pose, report } = person;
            let stick = sinew::body::walk::WalkInput { speed: 0.1 * i as Real, turn: 0.2 };
            *report = Some(walker.step(&human, &hills, stick, 1.0 / 30.0, pose));
        },
        |person| (person.pose.clone(), person.report),
    );
}

/// A limb remembers nothing: the poses are the items, the limb is shared and the model pose is scratch.
#[test]
fn limbs() {
    let human = rigs::humanoid(Default::default());
    let arm = Limb::arm(&human, &HumanoidMap::find(&human), Side::Left).unwrap();
    let shoulder = ModelPose::rest(&human).position(arm.joints().upper);
    let solved = |threads: usize| {
        let mut poses: Vec<(Pose, Option<LimbReport>)> = vec![(Pose::rest(&human), None); 50];
        let mut crowd = Crowd::new(ModelPose::rest(&human), threads);
        let before = counting::allocations();
        crowd.run(&mut poses, |model, i, (pose, report)| {
            model.update(&human, pose);
            let target = Target::Position(shoulder + around(i, 3) * 0.5);
            *report = Some(arm.solve(&human, model, &target, Swivel::default(), pose));
        });
        if threads == 1 {
            assert_eq!(counting::allocations(), before);
        }
        poses
    };
    let one = solved(1);
    assert!(one.iter().filter(|(_, report)| report.unwrap().reached()).count() > 10);
    assert!(one == solved(2) && one == solved(6));
}

#[test]
fn erik() {
    let robot = rigs::erik(rigs::ErikRobot::G);
    let head = Goal::orientation(robot.find("endpoint").unwrap(), Quat::IDENTITY);
    let erik = Erik::new(&robot, &[head], ErikOptions::default()).unwrap();
    let mut posture = Pose::rest(&robot);
    posture.set_coordinates(&robot, &[0.0, 0.5, 0.3, -0.9, 0.0, -0.4, 0.2, 0.0]).unwrap();
    let solved = |threads: usize| {
        let mut items: Vec<(Pose, Real, bool)> = vec![(Pose::rest(&robot), 0.0, false); 40];
        let mut crowd = Crowd::new(erik.clone(), threads);
        let before = counting::allocations();
        crowd.run(&mut items, |erik, i, (pose, error, reached)| {
            let turn = sinew::math::rotation::exp(around(i, 11) * 2.0);
            let report = erik.solve(&robot, &posture, &[Target::Orientation(turn)], pose);
            (*error, *reached) = (report.errors.combined, report.solve.reached());
        });
        if threads == 1 {
            assert_eq!(counting::allocations(), before);
        }
        items
    };
    let one = solved(1);
    assert!(one.iter().any(|(_, _, reached)| *reached));
    assert!(one == solved(2) && one == solved(6));
}

/// Goals with offsets and other kinds of targets go the same way.
#[test]
fn a_whole_body_with_several_goals() {
    let human = rigs::humanoid(Default::default());
    let rest = ModelPose::rest(&human);
    let ids = ["l_wrist", "r_wrist"].map(|name| human.find(name).unwrap());
    let goals: GoalSet = ids
        .iter()
        .map(|&id| {
            let effector = Effector { joint: id, offset: Transform::new(Vec3::Y * 0.05, Quat::IDENTITY) };
            Goal::new(effector, Target::Position(rest.position(id)))
        })
        .collect();
    let mut problems = vec![Problem::new(&goals, Pose::rest(&human)); 12];
    for (i, problem) in problems.iter_mut().enumerate() {
        for (k, target) in problem.targets.iter_mut().enumerate() {
            *target = Target::Position(rest.position(ids[k]) + around(i, k) * 0.2);
        }
    }
    let solve = |threads: usize| {
        let mut problems = problems.clone();
        GoalCrowd::new(&human, &goals, SolverSpec::default(), threads).unwrap().solve(&human, &mut problems);
        problems
    };
    let one = solve(1);
    assert!(one == solve(2) && one == solve(9));
}
