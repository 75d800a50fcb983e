//! What whole bodies and robots ask for beyond points and poses: contacts, targets that another
//! joint carries, balance, bounds on speed, keeping clear.

#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(sinew_f64)]
extern crate sinew_f64 as sinew;

use sinew::error::RigError;
use sinew::goal::{BalanceGoal, PostureGoal};
use sinew::math::{Real, rotation};
use sinew::skeleton::humanoid::{HumanoidMap, masses};
use sinew::solver::priority::PriorityOptions;
use sinew::{
    Cause, Goal, GoalId, GoalSet, JointId, ModelPose, Pose, Skeleton, SolverSpec, Target, Transform, Vec3,
    rigs,
};

#[path = "support/counting.rs"]
mod counting;
#[path = "support/numbers.rs"]
mod numbers;

use numbers::Numbers;

fn human() -> Skeleton {
    rigs::humanoid(rigs::SwingModel::Ellipse)
}

fn named<const N: usize>(skeleton: &Skeleton, names: [&str; N]) -> [JointId; N] {
    names.map(|name| skeleton.find(name).unwrap_or_else(|| panic!("{name}")))
}

/// The two solvers that take these goals.
fn solvers() -> [SolverSpec; 2] {
    [SolverSpec::default(), SolverSpec::Priority(PriorityOptions::default())]
}

#[test]
fn other_solvers_refuse_contacts_and_relative_targets() {
    let human = human();
    let [left, right] = named(&human, ["l_wrist", "r_wrist"]);
    let contact = Goal::contact(left, Vec3::Y, Vec3::ONE, Vec3::Y);
    let relative = Goal::position(left, Vec3::X * 0.3).relative_to(right);
    for spec in SolverSpec::all() {
        let takes = matches!(spec, SolverSpec::Robust(_) | SolverSpec::Priority(_));
        for goal in [contact, relative] {
            let built = spec.build(&human, &GoalSet::from_iter([goal]));
            match built {
                Ok(_) => assert!(takes, "{spec}"),
                Err(error) => {
                    assert!(!takes && matches!(error, RigError::NotSupported { goal: 0, .. }), "{spec}");
                }
            }
        }
    }
}

/// Two hands on one tool: the tool is where the right hand's goal says, the left hand keeps its
/// place on it, and moving the right hand's target takes the left one along.
#[test]
fn two_hands_hold_one_tool() {
    let human = human();
    let [left, right] = named(&human, ["l_wrist", "r_wrist"]);
    let mut numbers = Numbers::new(3);
    // A grip that a body can take: from a random pose of its arms.
    for spec in solvers() {
        let mut met = 0;
        for _ in 0..40 {
            let held = ModelPose::new(&human, &numbers.pose(&human, 0.5));
            let grip = held.transform(right).inverse() * held.transform(left);
            let mut goals = GoalSet::new();
            goals.add(Goal::pose(right, held.transform(right)));
            goals.add(Goal::pose(left, grip).relative_to(right));
            let mut pose = Pose::rest(&human);
            let report = spec.build(&human, &goals).unwrap().solve(&human, &goals, &mut pose).clone();
            met += usize::from(report.reached());
            if report.reached() {
                let model = ModelPose::new(&human, &pose);
                let got = model.transform(right).inverse() * model.transform(left);
                assert!(got.translation.distance(grip.translation) < 1.1e-4);
                assert!(rotation::angle(got.rotation.conjugate() * grip.rotation) < 2.0e-4);
            }
        }
        assert!(met >= 38, "{spec}: {met} of 40");
    }
}

/// The body below both hands has no part in a goal between them, and keeps its bits.
#[test]
fn a_relative_goal_alone_moves_only_what_lies_between() {
    let human = human();
    let [left, right] = named(&human, ["l_wrist", "r_wrist"]);
    let mut numbers = Numbers::new(4);
    let given = numbers.pose(&human, 0.2);
    let mut goals = GoalSet::new();
    goals.add(Goal::position(left, Vec3::new(0.0, 0.0, 0.3)).relative_to(right));
    let mut pose = given.clone();
    let mut solver = SolverSpec::default().build(&human, &goals).unwrap();
    let report = solver.solve(&human, &goals, &mut pose);
    assert!(report.reached(), "{report}");
    for id in human.ids() {
        let above = |end| human.is_ancestor(id, end);
        if above(left) == above(right) {
            assert_eq!(pose.rotation(id), given.rotation(id), "{}", human.joint(id).name());
        }
    }
}

/// A planted foot: its point and its sole's normal are held, its turn about the normal is free,
/// and used when the other goals want it.
#[test]
fn a_planted_foot_turns_about_its_normal_only() {
    let human = human();
    let [foot, hips] = named(&human, ["l_ankle", "sacroiliac"]);
    let rest = ModelPose::rest(&human);
    let at = rest.position(foot);
    let up = rest.transform(foot).rotation.conjugate() * Vec3::Y;
    for spec in solvers() {
        let mut goals = GoalSet::new();
        goals.add(Goal::contact(foot, up, at, Vec3::Y));
        // The whole body turns about the planted foot.
        let turned = rotation::about(Vec3::Y, 1.2);
        let hips_at = at + turned * (rest.position(hips) - at) - Vec3::Y * 0.05;
        goals.add(Goal::pose(hips, Transform::new(hips_at, turned * rest.transform(hips).rotation)));
        let mut pose = Pose::rest(&human);
        let mut solver = spec.build(&human, &goals).unwrap();
        let report = solver.solve(&human, &goals, &mut pose);
        assert!(report.reached(), "{spec}: {report}");
        let stands = ModelPose::new(&human, &pose).transform(foot);
        assert!(stands.translation.distance(at) < 1.1e-4);
        assert!((stands.rotation * up).dot(Vec3::Y) > 1.0 - 1.0e-6);
        let turn = rotation::angle(stands.rotation.conjugate() * rest.transform(foot).rotation);
        assert!(turn > 0.5, "{spec}: the foot turned by {turn} only");
    }
}

/// A joint that the posture leaves alone is not held back by it either.
#[test]
fn posture_weights_are_per_joint() {
    let arm = rigs::chain(4, 1.0);
    let tip = arm.find("tip").unwrap();
    let target = Vec3::new(0.5, 0.3, 0.0);
    let bend = |weights: Vec<Real>| -> Vec<Real> {
        let mut goals = GoalSet::from_iter([Goal::position(tip, target)]);
        goals.set_posture(Some(PostureGoal { joints: weights, ..PostureGoal::new(Pose::rest(&arm), 0.3) }));
        let mut pose = Pose::rest(&arm);
        let mut solver = SolverSpec::default().build(&arm, &goals).unwrap();
        let report = solver.solve(&arm, &goals, &mut pose);
        assert!(report.reached(), "{report}");
        arm.ids().map(|id| rotation::angle(pose.rotation(id))).collect()
    };
    let alike = bend(Vec::new());
    for free in 0..3 {
        let mut weights = vec![1.0; arm.len()];
        weights[free] = 0.0;
        let bent = bend(weights);
        assert!(
            bent[free] > alike[free] + 0.02,
            "joint {free} is left alone and bends by {} instead of {}",
            bent[free],
            alike[free]
        );
    }
}

/// Both feet held where they rest, a hand to be moved, and the centre of mass over the soles.
struct Standing {
    human: Skeleton,
    goals: GoalSet,
    hand: GoalId,
    shoulder: Vec3,
}

impl Standing {
    fn new() -> Self {
        let human = human();
        let rest = ModelPose::rest(&human);
        let [left, right, hand, shoulder] = named(&human, ["l_ankle", "r_ankle", "r_wrist", "r_shoulder"]);
        let mut goals = GoalSet::new();
        for foot in [left, right] {
            goals.add(Goal::pose(foot, rest.transform(foot)));
        }
        let hand = goals.add(Goal::position(hand, rest.position(hand)));
        let map = HumanoidMap::find(&human);
        goals.set_balance(Some(BalanceGoal {
            masses: masses(&human, &map),
            support: [left, right].map(|foot| sole(rest.position(foot))).concat(),
            up: Vec3::Y,
            margin: 0.0,
        }));
        let shoulder = rest.position(shoulder);
        Self { human, goals, hand, shoulder }
    }
}

/// The corners of a sole of 8 by 25 cm, its ankle a quarter from the heel.
fn sole(ankle: Vec3) -> [Vec3; 4] {
    [[-0.04, -0.06], [0.04, -0.06], [0.04, 0.19], [-0.04, 0.19]].map(|[x, z]| ankle + Vec3::new(x, 0.0, z))
}

/// The mass stays over the feet whatever the hand is asked for, and what can be had within
/// 0.6 m of the shoulder is hardly less than without balance.
#[test]
fn a_body_that_reaches_stays_over_its_feet() {
    for spec in solvers() {
        let Standing { human, mut goals, hand, shoulder } = Standing::new();
        let mut alone = goals.clone();
        alone.set_balance(None);
        let mut solver = spec.build(&human, &goals).unwrap();
        let mut free = spec.build(&human, &alone).unwrap();
        let mut numbers = Numbers::new(11);
        let count = if matches!(spec, SolverSpec::Robust(_)) { 500 } else { 60 };
        let (mut met, mut met_free, mut held, mut off) = (0, 0, 0, 0);
        for _ in 0..count {
            let at = shoulder + numbers.direction() * numbers.between(0.1, 1.2);
            goals.set_target(hand, Target::Position(at));
            alone.set_target(hand, Target::Position(at));
            let mut pose = Pose::rest(&human);
            let report = solver.solve(&human, &goals, &mut pose).clone();
            let room = goals.balance().unwrap().clearance(&ModelPose::new(&human, &pose));
            off += usize::from(room < -1.0e-5);
            held += usize::from(matches!(report.cause, Some(Cause::Balance { goal: Some(_), by: 0.0 })));
            let mut pose = Pose::rest(&human);
            let unbound = free.solve(&human, &alone, &mut pose).reached();
            if at.distance(shoulder) <= 0.6 {
                met += usize::from(report.reached());
                met_free += usize::from(unbound);
            }
        }
        println!(
            "{spec}: met {met} of {met_free} without balance; off balance {off}, held by it {held} of {count}"
        );
        assert_eq!(off, 0, "{spec}");
        assert!(met_free > count / 4 && met * 100 >= met_free * 95, "{spec}: {met} of {met_free}");
        assert!(held > count / 50, "{spec}: balance is named {held} times only");
    }
}
