//! What the production solver promises beyond the promises of every solver.

use crate::numbers;
use sinew::goal::PostureGoal;
use sinew::math::{Real, rotation};
use sinew::report::Tolerance;
use sinew::solver::robust::RobustOptions;
use sinew::{
    Effector, Goal, GoalSet, JointDef, JointId, JointKind, ModelPose, Pose, Skeleton, SkeletonBuilder,
    SolverSpec, Target, Transform, Vec3, rigs,
};

#[path = "../../../sinew-eval/src/arms.rs"]
mod arms;
use crate::numbers::Numbers;

/// An arm of seven hinges, alternating along and across, with ranges of ±2 and ±2.9.
fn seven_axes() -> Skeleton {
    let mut b = SkeletonBuilder::new("seven");
    let mut last = b.add(JointDef::new("base").kind(JointKind::Fixed));
    for (i, up) in [0.16, 0.2, 0.2, 0.2, 0.2, 0.2, 0.08].into_iter().enumerate() {
        let (axis, range) = if i % 2 == 0 { (Vec3::Y, 2.9) } else { (Vec3::Z, 2.0) };
        let joint = JointDef::new(format!("axis{i}")).under(last).at(Vec3::Y * up);
        last = b.add(joint.hinge_range(axis, -range, range));
    }
    b.add(JointDef::new("tool").under(last).at(Vec3::Y * 0.1).kind(JointKind::Fixed));
    b.build().unwrap()
}

#[test]
fn a_seven_axis_arm_reaches_every_pose_that_it_can() {
    let skeleton = seven_axes();
    let tool = skeleton.find("tool").unwrap();
    let mut goals = GoalSet::new();
    let goal = goals.add(Goal::pose(tool, Transform::IDENTITY));
    let tolerance = if cfg!(sinew_f64) { 1.0e-6 } else { 1.0e-4 };
    let options = RobustOptions {
        tolerance: Tolerance { position: tolerance, orientation: tolerance },
        ..RobustOptions::default()
    };
    let mut solver = SolverSpec::Robust(options).build(&skeleton, &goals).unwrap();
    let mut numbers = Numbers::new(11);
    for i in 0..300 {
        let wanted = ModelPose::new(&skeleton, &numbers.pose(&skeleton, 3.0)).transform(tool);
        goals.set_target(goal, Target::Pose(wanted));
        let mut pose = Pose::rest(&skeleton);
        let report = solver.solve(&skeleton, &goals, &mut pose);
        assert!(report.reached(), "{i}: {report:?}");
        assert!(pose.worst_violation(&skeleton).is_none());
    }
}

#[test]
fn a_looser_tolerance_never_fails_more() {
    // It did: of 5000 poses of a Panda all were met at 1 mm and 27 were not at 2 cm. A restart that
    // met the goals was dropped where an earlier one had the lower sum of errors with one of the two
    // too large, and a target nearer to the end of the reach than the tolerance was not searched for.
    const TOLERANCES: [f64; 6] = [1.0e-5, 1.0e-4, 1.0e-3, 5.0e-3, 1.0e-2, 2.0e-2];
    for (arm, seed) in [(arms::PANDA, 7001), (arms::IIWA, 7002)] {
        let (skeleton, tool) = arm.skeleton().unwrap();
        let start = arm.pose(&skeleton, || 0.5);
        let mut goals = GoalSet::new();
        let goal = goals.add(Goal::pose(tool, Transform::IDENTITY));
        let mut solvers = TOLERANCES.map(|t| {
            let tolerance = Tolerance { position: t as Real, orientation: t as Real };
            let spec = SolverSpec::Robust(RobustOptions::default()).with_tolerance(tolerance);
            spec.build(&skeleton, &goals).unwrap()
        });
        let mut numbers = Numbers::new(seed);
        for i in numbers::seeds(400) {
            #[allow(clippy::useless_conversion)] // at one of the two precisions
            let wanted = arm.pose(&skeleton, || f64::from(numbers.unit()));
            goals.set_target(goal, Target::Pose(ModelPose::new(&skeleton, &wanted).transform(tool)));
            for (solver, tolerance) in solvers.iter_mut().zip(TOLERANCES) {
                let mut pose = start.clone();
                let report = solver.solve(&skeleton, &goals, &mut pose);
                assert!(report.reached(), "{} {i} at {tolerance}: {report:?}", arm.name);
                assert!(pose.worst_violation(&skeleton).is_none());
            }
        }
    }
}

#[test]
fn poses_of_an_arm_that_a_tight_tolerance_missed() {
    // In single precision five of 140 000 poses failed at 1e-5. Most were met by the iterations and
    // missed by the report, which computes the same place in another order. Around the last one, with the arm
    // nearly in one plane, 500 starts did not come as near as 5e-5: steps that gain little for their length
    // were refused also in a search.
    let missed: [(Real, [Real; 7]); 3] = [
        (
            1.0e-5,
            [1.800_742_3, 1.099_108_6, 1.646_549_5, -2.987_360_2, -0.385_624_5, 1.113_982_4, -0.306_627_87],
        ),
        (
            1.0e-5,
            [
                -1.361_249_6,
                -1.282_660_8,
                -0.765_221_54,
                -1.891_799_7,
                -2.491_051_2,
                0.315_455_26,
                -2.235_080_5,
            ],
        ),
        (
            3.0e-5,
            [
                0.374_504_83,
                -0.404_923_74,
                0.041_976_72,
                -0.466_239_27,
                0.002_004_269_5,
                2.048_757,
                -2.236_591,
            ],
        ),
    ];
    let (skeleton, tool) = arms::PANDA.skeleton().unwrap();
    let start = arms::PANDA.pose(&skeleton, || 0.5);
    for (tolerance, values) in missed {
        let mut wanted = start.clone();
        for (joint, value) in skeleton.ids().skip(1).zip(values) {
            assert!(wanted.set_value(&skeleton, joint, value));
        }
        let target = ModelPose::new(&skeleton, &wanted).transform(tool);
        let goals = GoalSet::from_iter([Goal::pose(tool, target)]);
        let near = Tolerance { position: tolerance, orientation: tolerance };
        let mut solver = SolverSpec::default().with_tolerance(near).build(&skeleton, &goals).unwrap();
        let report = solver.solve(&skeleton, &goals, &mut start.clone());
        assert!(report.reached(), "{values:?}: {report:?}");
    }
}

#[test]
fn six_goals_on_a_human_within_its_limits() {
    let skeleton = rigs::humanoid(rigs::SwingModel::Kusudama);
    let names = ["HumanoidRoot", "skullbase", "l_wrist", "r_wrist", "l_ankle", "r_ankle"];
    let joints = names.map(|n| skeleton.find(n).unwrap());
    let rest = ModelPose::rest(&skeleton);
    let goals: GoalSet = joints.into_iter().map(|j| Goal::pose(j, rest.transform(j))).collect();
    let ids: Vec<_> = goals.iter().map(|(id, _)| id).collect();
    let mut goals = goals;
    let mut solver = SolverSpec::Robust(RobustOptions::default()).build(&skeleton, &goals).unwrap();
    let mut numbers = Numbers::new(5);
    let mut reached = 0;
    let count = 25;
    for _ in 0..count {
        let model = ModelPose::new(&skeleton, &numbers.pose(&skeleton, 0.8));
        for (id, joint) in ids.iter().zip(joints) {
            goals.set_target(*id, Target::Pose(model.transform(joint)));
        }
        let mut pose = Pose::rest(&skeleton);
        let report = solver.solve(&skeleton, &goals, &mut pose);
        reached += usize::from(report.position_error() < 1.0e-3 && report.orientation_error() < 8.0e-3);
        assert!(pose.worst_violation(&skeleton).is_none_or(|(_, v)| v < 1.0e-4));
    }
    assert!(reached >= count - 1, "{reached} of {count}");
}

#[test]
fn a_goal_far_from_the_origin_costs_no_digits() {
    // The reference of the twists moves with the skeleton.
    let mut b = rigs::chain(8, 1.0).to_builder();
    b.joints[0].rest.translation = Vec3::new(120.0, -40.0, 80.0);
    let skeleton = b.build().unwrap();
    let tip = skeleton.find("tip").unwrap();
    let mid = skeleton.find("joint4").unwrap();
    let mut wanted = Pose::rest(&skeleton);
    for id in skeleton.ids() {
        wanted.set_rotation(id, rotation::exp(Vec3::new(0.2, -0.1, 0.3)));
    }
    let model = ModelPose::new(&skeleton, &wanted);
    let goals =
        GoalSet::from_iter([Goal::pose(tip, model.transform(tip)), Goal::position(mid, model.position(mid))]);
    let mut solver = SolverSpec::Robust(RobustOptions::default()).build(&skeleton, &goals).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let report = solver.solve(&skeleton, &goals, &mut pose);
    assert!(report.reached(), "{report:?}");
    assert!(report.iterations < 20, "{report:?}");
}

#[test]
fn one_goal_and_several_make_the_same_steps() {
    // The dual step of one goal against the recursion over the tree: a second
    // goal that nothing can move changes the method and must not change the step.
    let skeleton = seven_axes();
    let (tool, base) = (skeleton.find("tool").unwrap(), skeleton.root());
    let wanted = ModelPose::new(&skeleton, &Numbers::new(4).pose(&skeleton, 0.6)).transform(tool);
    let one = GoalSet::from_iter([Goal::pose(tool, wanted)]);
    let two = GoalSet::from_iter([Goal::pose(tool, wanted), Goal::position(base, Vec3::ZERO)]);
    let solve = |goals: &GoalSet, iterations: u32| {
        let options = RobustOptions { iterations, restarts: 0, ..RobustOptions::default() };
        let mut pose = Pose::rest(&skeleton);
        SolverSpec::Robust(options).build(&skeleton, goals).unwrap().solve(&skeleton, goals, &mut pose);
        pose
    };
    for iterations in [1, 2, 3] {
        let (a, b) = (solve(&one, iterations), solve(&two, iterations));
        for id in skeleton.ids() {
            let apart = rotation::angle(a.rotation(id).conjugate() * b.rotation(id));
            let tolerance = if cfg!(sinew_f64) { 1.0e-9 } else { 2.0e-3 };
            assert!(apart < tolerance, "{iterations}: joint {} {apart}", skeleton.joint(id).name());
        }
        assert!(rotation::angle(a.rotation(skeleton.find("axis1").unwrap())) > 1.0e-2, "it moved");
    }
}

#[test]
fn a_moving_target_moves_the_joints_little_at_a_time() {
    // Through full extension and back, and along a limit's edge.
    let skeleton = rigs::arm();
    let hand = skeleton.ids().last().unwrap();
    let model = ModelPose::rest(&skeleton);
    let start = model.position(hand);
    let goals = GoalSet::from_iter([Goal::position(hand, start)]);
    let (id, _) = goals.iter().next().unwrap();
    let mut goals = goals;
    let options = RobustOptions { restarts: 0, ..RobustOptions::default() };
    let mut solver = SolverSpec::Robust(options).build(&skeleton, &goals).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let mut before: Option<Pose> = None;
    for step in 0..2000 {
        // Fine steps: at full extension the bend goes with the root of the reach.
        let t = step as Real / 2000.0;
        let reach = 0.8 + 0.25 * (t * 6.0).sin();
        let at = start * reach + Vec3::new((t * 9.0).sin(), (t * 7.0).cos() - 1.0, (t * 4.0).sin()) * 0.15;
        goals.set_target(id, Target::Position(at));
        solver.solve(&skeleton, &goals, &mut pose);
        // The first frames get to the path, from a straight arm.
        if let Some(before) = before.as_ref().filter(|_| step > 5) {
            for j in skeleton.ids() {
                let turned = rotation::angle(before.rotation(j).conjugate() * pose.rotation(j));
                assert!(turned < 0.35, "step {step}: joint {} turned by {turned}", skeleton.joint(j).name());
            }
        }
        before = Some(pose.clone());
    }
}

#[test]
fn long_chains_are_met_near_the_end_of_their_reach() {
    // Three of 200 were not, on chains of 100 and of 1000 bones. From a bent start to a target that
    // asks for a nearly stretched chain the last steps are slow, which counted as a rest, and a start
    // elsewhere has only more bends to draw out.
    for bones in [100, 1000] {
        let mut b = SkeletonBuilder::new("quarter circle");
        let mut last = b.add(JointDef::new("joint0"));
        for i in 1..=bones {
            let (up, along) =
                ((i as Real - 0.5) / bones as Real * core::f64::consts::FRAC_PI_2 as Real).sin_cos();
            let place = Vec3::new(along, up, 0.0) / bones as Real;
            last = b.add(JointDef::new(format!("joint{i}")).under(last).at(place));
        }
        let skeleton = b.build().unwrap();
        let mut goals = GoalSet::new();
        let goal = goals.add(Goal::position(last, Vec3::X));
        let mut solver = SolverSpec::default().build(&skeleton, &goals).unwrap();
        let mut numbers = Numbers::new(21);
        for i in 0..100 {
            // Up to where the chain is stretched but for a thousandth, also on the line of its first bone.
            let way = if i % 10 == 0 { -Vec3::X } else { numbers.direction() };
            let target = way * numbers.between(0.9, 0.999);
            goals.set_target(goal, Target::Position(target));
            let mut pose = Pose::rest(&skeleton);
            let report = solver.solve(&skeleton, &goals, &mut pose);
            assert!(report.reached(), "{bones} bones, {i}: {target}: {report:?}");
        }
    }
}

/// A stick takes another of six goals every second and pulls it at up to 1 m/s, in and out of reach.
fn pull_a_stick(seed: u64, seconds: usize, poses: bool, posture: bool, looks: usize) {
    const RATE: usize = 60;
    let skeleton = rigs::humanoid(rigs::SwingModel::Kusudama);
    let names = ["HumanoidRoot", "skullbase", "l_wrist", "r_wrist", "l_ankle", "r_ankle"];
    let joints = names.map(|n| skeleton.find(n).unwrap());
    let rest = ModelPose::rest(&skeleton);
    let mut targets = joints.map(|j| rest.position(j));
    let target = |j: JointId, at: Vec3| match poses {
        true => Target::Pose(Transform::new(at, rest.rotation(j))),
        false => Target::Position(at),
    };
    let mut goals: GoalSet =
        joints.iter().zip(targets).map(|(&j, at)| Goal::new(Effector::at(j), target(j, at))).collect();
    if posture {
        goals.set_posture(Some(PostureGoal::natural(Pose::rest(&skeleton))));
    }
    let ids: Vec<_> = goals.iter().map(|(id, _)| id).collect();
    let mut solver = SolverSpec::default().following().build(&skeleton, &goals).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let mut numbers = Numbers::new(seed);
    let (mut taken, mut velocity) = (0, Vec3::ZERO);
    for frame in 0..seconds * RATE {
        if frame % RATE == 0 {
            taken = (numbers.between(0.0, 6.0) as usize).min(5);
            let (speed, home) = (numbers.unit(), rest.position(joints[taken]));
            velocity = match targets[taken].distance(home) > 1.2 {
                true => (home - targets[taken]).normalize() * speed,
                false => numbers.direction() * speed,
            };
        }
        targets[taken] += velocity / RATE as Real;
        goals.set_target(ids[taken], target(joints[taken], targets[taken]));
        let before = pose.clone();
        let mut left = looks;
        let mut expired = || {
            left = left.saturating_sub(1);
            left == 0
        };
        solver.solve_until(&skeleton, &goals, &mut pose, &mut expired);
        assert_eq!(pose.worst_violation(&skeleton), None, "seed {seed}, frame {frame}");
        for id in skeleton.ids() {
            let turn = rotation::angle(before.rotation(id).conjugate() * pose.rotation(id)).to_degrees();
            let name = skeleton.joint(id).name();
            assert!(turn < 12.0, "seed {seed}, frame {frame}: {name} turns by {turn}°, {taken} is pulled");
        }
    }
}

#[test]
fn a_stick_that_pulls_in_and_out_of_reach_makes_no_joint_jump() {
    // A knee turned by 78° from one frame to the next: six goals that exclude each other have a
    // best compromise, which gives way to another one far off as a target moves on, and slow steps
    // led there within a solve. And by 57° where the goals could be met, by a leg that had been straight.
    for seed in 0..12 {
        pull_a_stick(seed, 6, seed % 2 == 1, seed % 3 == 2, usize::MAX);
    }
}

#[test]
fn a_stick_makes_no_joint_jump_when_time_is_short() {
    // A neck turned by 16° on a busy machine: the time was over in the middle of a descent, and where it
    // stood then was further away than it would have ended.
    for seed in 0..6 {
        pull_a_stick(seed, 4, seed % 2 == 1, seed % 3 == 2, 2 + seed as usize * 2);
    }
}

#[test]
#[ignore = "ten minutes of motion take half a minute: run it by name"]
fn a_stick_that_pulls_for_ten_minutes_makes_no_joint_jump() {
    pull_a_stick(4, 600, false, false, usize::MAX);
}

#[test]
fn a_target_that_is_followed_is_met_soon_after_it_stops() {
    // The hip of a straight leg comes down by two centimetres: the knee bends by 25°, which is too much for
    // one frame, and in a few it is there.
    let skeleton = rigs::humanoid(Default::default());
    let rest = ModelPose::rest(&skeleton);
    let [root, left, right] = ["HumanoidRoot", "l_ankle", "r_ankle"].map(|n| skeleton.find(n).unwrap());
    let mut goals = GoalSet::from_iter([left, right].map(|foot| Goal::pose(foot, rest.transform(foot))));
    let hips = goals.add(Goal::position(root, rest.position(root)));
    let mut solver = SolverSpec::default().following().build(&skeleton, &goals).unwrap();
    let mut pose = Pose::rest(&skeleton);
    solver.solve(&skeleton, &goals, &mut pose);
    goals.set_target(hips, Target::Position(rest.position(root) - Vec3::Y * 0.02));
    let frames = (1..20).find(|_| solver.solve(&skeleton, &goals, &mut pose).reached()).unwrap();
    assert!((2..8).contains(&frames), "{frames} frames");
}
