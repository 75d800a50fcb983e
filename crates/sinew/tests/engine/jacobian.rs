//! The Jacobian against finite differences for every joint kind and goal kind,
//! and what the solvers that invert it promise.

use sinew::error::RigError;
use sinew::goal::PostureGoal;
use sinew::math::{ROUNDING, Real, rotation};
use sinew::solver::jacobian::half::{HalfOptions, JacobianSize};
use sinew::solver::jacobian::{Jacobian, JacobianMethod, JacobianOptions};
use sinew::solver::priority::{Priority, PriorityOptions};
use sinew::{
    Effector, Goal, GoalSet, GoalSolver, JointDef, JointKind, ModelPose, Pose, Quat, Skeleton,
    SkeletonBuilder, SolverSpec, Target, Transform, Vec3, rigs,
};

/// A step at which truncation and rounding are about equal, and what is left of both.
fn difference_step() -> (Real, Real) {
    let h = ROUNDING.cbrt();
    (h, h * 4.0)
}

/// The one finite-difference checker: the columns of the Jacobian against the
/// change of the error along each of them, by central differences.
fn check_columns(skeleton: &Skeleton, goals: &GoalSet, pose: &Pose, what: &str) {
    let (h, tolerance) = difference_step();
    let mut here = Jacobian::new(skeleton, goals).unwrap();
    here.update(goals, pose);
    let mut there = here.clone();
    let mut error_after = |column: usize, amount: Real| {
        let mut step = vec![0.0; here.columns()];
        step[column] = amount;
        let mut moved = pose.clone();
        here.step(&step, &mut moved);
        there.update(goals, &moved);
        there.error().to_vec()
    };
    for column in 0..here.columns() {
        let (ahead, behind) = (error_after(column, h), error_after(column, -h));
        for row in 0..here.rows() {
            // A step lessens the error by J δ.
            let slope = (behind[row] - ahead[row]) / (2.0 * h);
            let (joint, freedom) = here.joint(column);
            assert!(
                (slope - here.get(row, column)).abs() < tolerance,
                "{what}: joint {} freedom {freedom} row {row}: {slope} against {}",
                skeleton.joint(joint).name(),
                here.get(row, column)
            );
        }
    }
}

/// The slope of half the squared error, which has to be right at any error.
fn check_gradient(skeleton: &Skeleton, goals: &GoalSet, pose: &Pose, what: &str) {
    let (h, tolerance) = difference_step();
    let mut here = Jacobian::new(skeleton, goals).unwrap();
    here.update(goals, pose);
    let mut there = here.clone();
    for column in 0..here.columns() {
        let mut cost_after = |amount: Real| -> Real {
            let mut step = vec![0.0; here.columns()];
            step[column] = amount;
            let mut moved = pose.clone();
            here.step(&step, &mut moved);
            there.update(goals, &moved);
            there.error().iter().map(|e| 0.5 * e * e).sum()
        };
        let slope = (cost_after(-h) - cost_after(h)) / (2.0 * h);
        let exact: Real = (0..here.rows()).map(|r| here.get(r, column) * here.error()[r]).sum();
        assert!((slope - exact).abs() < tolerance * 4.0, "{what}: column {column}: {slope} against {exact}");
    }
}

/// Every joint kind in one chain that branches, turned and offset so that no
/// axis is special.
fn every_kind() -> Skeleton {
    let mut b = SkeletonBuilder::new("kinds");
    let kinds = [
        ("free", JointKind::Free),
        ("hinge", JointKind::Hinge { axis: Vec3::new(0.6, 0.0, 0.8) }),
        ("fixed", JointKind::Fixed),
        ("universal", JointKind::Universal { first: Vec3::X, second: Vec3::Z }),
        ("ball", JointKind::Ball),
        ("prismatic", JointKind::Prismatic { axis: Vec3::new(0.0, 0.6, -0.8) }),
    ];
    let mut last = None;
    for (i, (name, kind)) in kinds.into_iter().enumerate() {
        let k = i as Real;
        let mut joint = JointDef::new(name)
            .kind(kind)
            .at(Vec3::new(0.1, 0.2 + 0.03 * k, -0.1 * k))
            .turned(rotation::exp(Vec3::new(0.3 * k, -0.2, 0.5)));
        if let Some(parent) = last {
            joint = joint.under(parent);
        }
        last = Some(b.add(joint));
    }
    b.add(JointDef::new("tip").under(last.unwrap()).at(Vec3::new(0.2, 0.1, 0.3)));
    let mut side = JointDef::new("side").at(Vec3::new(-0.2, 0.3, 0.1)).hinge(Vec3::Y);
    side.parent = Some(3);
    b.add(side);
    b.build().unwrap()
}

fn bent(skeleton: &Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for (i, id) in skeleton.ids().enumerate() {
        let k = i as Real;
        pose.set_rotation(id, rotation::exp(Vec3::new(0.4 - 0.1 * k, 0.3, 0.2 * k)));
        pose.set_translation(id, Vec3::new(0.1, -0.05 * k, 0.07));
    }
    pose.project(skeleton);
    pose
}

fn goal_kinds(effector: Effector, now: Transform, off: Vec3) -> Vec<(&'static str, Goal)> {
    let turned = (rotation::exp(off) * now.rotation).normalize();
    let wanted = Transform::new(now.translation + off * 0.5, turned);
    let ahead = now.translation + now.rotation * Vec3::new(0.2, 0.1, 0.7) + off;
    let mut weighted = Goal::new(effector, Target::Pose(wanted)).weights(0.7, 1.3);
    weighted.position_axes = Vec3::new(1.0, 0.5, 0.0);
    weighted.orientation_axes = Vec3::new(0.2, 1.0, 0.6);
    vec![
        ("position", Goal::new(effector, Target::Position(wanted.translation))),
        ("orientation", Goal::new(effector, Target::Orientation(wanted.rotation))),
        ("pose", Goal::new(effector, Target::Pose(wanted)).weights(2.0, 0.5)),
        ("weighted axes", weighted),
        ("aim", Goal::new(effector, Target::Aim { axis: Vec3::new(0.2, 0.1, 0.7), at: ahead })),
        (
            "contact",
            Goal::new(
                effector,
                Target::Contact { axis: Vec3::Z, at: wanted.translation, normal: turned * Vec3::Z },
            ),
        ),
    ]
}

/// A goal whose target is given in the frame of another joint: its rows are of both chains.
#[test]
fn columns_of_a_relative_goal_agree_with_finite_differences() {
    let skeleton = every_kind();
    let pose = bent(&skeleton);
    let model = ModelPose::new(&skeleton, &pose);
    let side = skeleton.find("side").unwrap();
    for name in ["tip", "prismatic"] {
        let effector = Effector::at(skeleton.find(name).unwrap());
        let now = model.transform(side).inverse() * effector.transform(&model);
        for (off, exact) in [(Vec3::ZERO, true), (Vec3::new(0.5, -0.4, 0.3), false)] {
            for (kind, goal) in goal_kinds(effector, now, off) {
                let goals = GoalSet::from_iter([goal.relative_to(side)]);
                let what = format!("{name} {kind} relative");
                if exact || matches!(kind, "position" | "weighted axes") {
                    check_columns(&skeleton, &goals, &pose, &what);
                }
                check_gradient(&skeleton, &goals, &pose, &what);
            }
        }
    }
}

#[test]
fn columns_agree_with_finite_differences_for_every_joint_and_goal() {
    let skeleton = every_kind();
    let pose = bent(&skeleton);
    let model = ModelPose::new(&skeleton, &pose);
    for name in ["tip", "prismatic", "side"] {
        let joint = skeleton.find(name).unwrap();
        for offset in [Transform::IDENTITY, Transform::new(Vec3::splat(0.1), rotation::exp(Vec3::X))] {
            let effector = Effector { joint, offset };
            let now = effector.transform(&model);
            // At the target itself every row is exact.
            for (kind, goal) in goal_kinds(effector, now, Vec3::ZERO) {
                check_columns(&skeleton, &GoalSet::from_iter([goal]), &pose, &format!("{name} {kind}"));
            }
            // Away from it, positions and weighted orientations still are, and
            // every slope of the squared error is.
            for (kind, goal) in goal_kinds(effector, now, Vec3::new(0.5, -0.4, 0.3)) {
                let what = format!("{name} {kind} from afar");
                let goals = GoalSet::from_iter([goal]);
                if matches!(kind, "position" | "weighted axes") {
                    check_columns(&skeleton, &goals, &pose, &what);
                }
                check_gradient(&skeleton, &goals, &pose, &what);
            }
        }
    }
}

#[test]
fn several_goals_have_rows_of_their_own_and_zeros_elsewhere() {
    let skeleton = every_kind();
    let pose = bent(&skeleton);
    let model = ModelPose::new(&skeleton, &pose);
    let id = |n: &str| skeleton.find(n).unwrap();
    let goals = GoalSet::from_iter([
        Goal::pose(id("tip"), model.transform(id("tip"))),
        Goal::position(id("side"), model.position(id("side")) + Vec3::X),
    ]);
    check_columns(&skeleton, &goals, &pose, "two goals");
    let mut jacobian = Jacobian::new(&skeleton, &goals).unwrap();
    jacobian.update(&goals, &pose);
    assert_eq!(jacobian.rows(), 9);
    for column in 0..jacobian.columns() {
        let (joint, _) = jacobian.joint(column);
        for row in 0..9 {
            let effector = id(if row < 6 { "tip" } else { "side" });
            if !skeleton.is_ancestor(joint, effector) {
                assert_eq!(jacobian.get(row, column), 0.0);
            }
        }
    }
}

/// Solves for a goal that a pose within the limits meets.
fn solve(solver: &mut dyn GoalSolver, skeleton: &Skeleton, goals: &GoalSet) -> (Pose, sinew::SolveReport) {
    let mut pose = Pose::rest(skeleton);
    // Not straight: there no pseudo-inverse sees how to come nearer.
    if let Some(knee) = skeleton.find("knee") {
        pose.set_rotation(knee, rotation::about(Vec3::X, 0.3));
    }
    let report = solver.solve(skeleton, goals, &mut pose).clone();
    (pose, report)
}

/// A leg: a ball, a knee, an ankle with all its freedom.
fn leg() -> Skeleton {
    let mut b = SkeletonBuilder::new("leg");
    let hip = b.add(JointDef::new("hip"));
    let knee = b.add(JointDef::new("knee").under(hip).at(Vec3::Y * -0.42).hinge_range(Vec3::X, 0.0, 2.5));
    let ankle = b.add(JointDef::new("ankle").under(knee).at(Vec3::Y * -0.41));
    b.add(JointDef::new("toe").under(ankle).at(Vec3::new(0.0, -0.05, 0.15)).kind(JointKind::Fixed));
    b.build().unwrap()
}

#[test]
fn the_penultimate_link_makes_a_half_jacobian_enough_for_a_pose() {
    let skeleton = leg();
    let toe = skeleton.find("toe").unwrap();
    let wanted = Transform::new(Vec3::new(0.1, -0.6, 0.3), rotation::exp(Vec3::new(0.3, 0.5, -0.2)));
    let goals = GoalSet::from_iter([Goal::pose(toe, wanted)]);
    let options = HalfOptions { size: JacobianSize::Half, ..HalfOptions::default() };
    let mut solver = SolverSpec::HalfJacobian(options).build(&skeleton, &goals).unwrap();
    let (pose, report) = solve(&mut solver, &skeleton, &goals);
    assert!(report.reached(), "{report:?}");
    assert!(pose.worst_violation(&skeleton).is_none());
    // The full one gets there too.
    let options = HalfOptions { size: JacobianSize::Full, ..HalfOptions::default() };
    let mut solver = SolverSpec::HalfJacobian(options).build(&skeleton, &goals).unwrap();
    assert!(solve(&mut solver, &skeleton, &goals).1.reached());
}

#[test]
fn a_half_jacobian_refuses_a_pose_it_cannot_give() {
    let mut b = leg().to_builder();
    b.joints[2].limit = sinew::limit::SwingTwistLimit::along(Vec3::Y, Vec3::X).twist(-0.3, 0.3).into();
    let skeleton = b.build().unwrap();
    let goals = GoalSet::from_iter([Goal::pose(skeleton.find("toe").unwrap(), Transform::IDENTITY)]);
    let options = HalfOptions { size: JacobianSize::Half, ..HalfOptions::default() };
    assert!(matches!(
        SolverSpec::HalfJacobian(options).build(&skeleton, &goals),
        Err(RigError::NotSupported { goal: 0, .. })
    ));
}

#[test]
fn stiff_joints_move_less() {
    let skeleton = rigs::chain(4, 1.0);
    let moved = |stiffness: Real| {
        let mut b = skeleton.to_builder();
        b.joints[0].stiffness = stiffness;
        let stiff = b.build().unwrap();
        let goal = Goal::position(stiff.find("tip").unwrap(), Vec3::new(0.3, 0.8, 0.2));
        let goals = GoalSet::from_iter([goal]);
        let mut angles = Vec::new();
        let half = SolverSpec::HalfJacobian(HalfOptions::default()).build(&stiff, &goals).unwrap();
        let dls = SolverSpec::Jacobian(JacobianOptions::default()).build(&stiff, &goals).unwrap();
        let pik = Priority::new(&stiff, &goals, PriorityOptions::default()).unwrap();
        let solvers: [Box<dyn GoalSolver>; 3] = [Box::new(half), Box::new(dls), Box::new(pik)];
        for mut solver in solvers {
            let (pose, report) = solve(solver.as_mut(), &stiff, &goals);
            assert!(report.reached(), "{stiffness}: {report:?}");
            angles.push(rotation::angle(pose.rotation(stiff.root())));
        }
        angles
    };
    let (loose, stiff, fixed) = (moved(0.0), moved(0.7), moved(1.0));
    for i in 0..3 {
        assert!(stiff[i] < 0.6 * loose[i], "{i}: {stiff:?} {loose:?}");
        assert!(fixed[i] == 0.0, "{fixed:?}");
    }
}

#[test]
fn what_the_goals_leave_free_is_drawn_to_the_posture() {
    let skeleton = rigs::chain(6, 1.0);
    let tip = skeleton.find("tip").unwrap();
    let mut posture = Pose::rest(&skeleton);
    for id in skeleton.ids() {
        posture.set_rotation(id, rotation::exp(Vec3::new(0.0, 0.0, 0.35)));
    }
    let at = ModelPose::new(&skeleton, &posture).position(tip);
    let mut goals = GoalSet::from_iter([Goal::position(tip, at)]);
    goals.set_posture(Some(PostureGoal::new(posture.clone(), 1.0)));
    // From a pose that meets the goal in another way.
    let mut start = Pose::rest(&skeleton);
    start.set_rotation(skeleton.root(), rotation::exp(Vec3::new(0.5, 0.2, 0.3)));
    let away = |pose: &Pose| -> Real {
        skeleton
            .ids()
            .filter(|&j| j != tip)
            .map(|j| rotation::angle(pose.rotation(j).conjugate() * posture.rotation(j)))
            .sum()
    };
    // A tolerance that is never met, so that all iterations are made.
    let tolerance = sinew::report::Tolerance { position: ROUNDING * 0.01, orientation: 1.0 };
    let base = JacobianOptions { tolerance, iterations: 25, ..JacobianOptions::default() };
    let run = |attraction: Real| {
        let options = JacobianOptions { attraction, ..base };
        let mut solver = SolverSpec::Jacobian(options).build(&skeleton, &goals).unwrap();
        let mut pose = start.clone();
        let report = solver.solve(&skeleton, &goals, &mut pose).clone();
        assert!(report.position_error() < 1e-4, "{report:?}");
        away(&pose)
    };
    assert!(run(0.5) < 0.7 * run(0.0), "{} {}", run(0.5), run(0.0));
}

#[test]
fn a_higher_priority_does_not_give_way() {
    // Two goals on one arm that exclude each other, and what each level gets.
    let skeleton = rigs::chain(5, 1.0);
    let id = |n: &str| skeleton.find(n).unwrap();
    let near = Vec3::new(0.5, 0.3, 0.0);
    let far = Vec3::new(-0.6, 0.4, 0.2);
    for first in [0, 1] {
        let goals = GoalSet::from_iter([
            Goal::position(id("tip"), near).priority(first),
            Goal::position(id("joint4"), far).priority(1 - first),
        ]);
        let mut solver = Priority::new(&skeleton, &goals, PriorityOptions::default()).unwrap();
        let (_, report) = solve(&mut solver, &skeleton, &goals);
        let (won, lost) = (first as usize, 1 - first as usize);
        assert!(report.residuals[won].position < 2e-4, "{first}: {report:?}");
        // The other comes as near as one bone allows.
        let best = near.distance(far) - 0.2;
        assert!(report.residuals[lost].position < best + 0.01, "{first}: {best} {report:?}");
        assert!(!report.reached());
    }
}

#[test]
fn limits_do_not_break_the_priorities() {
    // The shoulder's limit stops it short; the elbow has to do the rest, and
    // the first level must still be met exactly.
    let mut b = SkeletonBuilder::new("arm");
    let shoulder = b.add(JointDef::new("shoulder").hinge_range(Vec3::Z, -0.2, 0.2));
    let elbow =
        b.add(JointDef::new("elbow").under(shoulder).at(Vec3::Y * 0.5).hinge_range(Vec3::Z, -2.5, 2.5));
    let wrist = b.add(JointDef::new("wrist").under(elbow).at(Vec3::Y * 0.5).hinge_range(Vec3::Z, -2.5, 2.5));
    b.add(JointDef::new("hand").under(wrist).at(Vec3::Y * 0.2).kind(JointKind::Fixed));
    let skeleton = b.build().unwrap();
    let hand = skeleton.find("hand").unwrap();
    let wanted = {
        let mut pose = Pose::rest(&skeleton);
        for (name, angle) in [("shoulder", 0.19), ("elbow", 1.4), ("wrist", 0.9)] {
            pose.set_rotation(skeleton.find(name).unwrap(), rotation::about(Vec3::Z, angle));
        }
        ModelPose::new(&skeleton, &pose).transform(hand)
    };
    let goals = GoalSet::from_iter([
        Goal::position(hand, wanted.translation),
        Goal::orientation(hand, wanted.rotation).priority(1),
    ]);
    let mut solver = Priority::new(&skeleton, &goals, PriorityOptions::default()).unwrap();
    let (pose, report) = solve(&mut solver, &skeleton, &goals);
    assert!(pose.worst_violation(&skeleton).is_none());
    assert!(report.reached(), "{report:?}");
    // An orientation out of reach costs the position nothing.
    let goals = GoalSet::from_iter([
        Goal::position(hand, wanted.translation),
        Goal::orientation(hand, Quat::from_rotation_x(1.0)).priority(1),
    ]);
    let mut solver = Priority::new(&skeleton, &goals, PriorityOptions::default()).unwrap();
    let (pose, report) = solve(&mut solver, &skeleton, &goals);
    assert!(pose.worst_violation(&skeleton).is_none());
    assert!(report.residuals[0].position < 2e-4 && report.residuals[1].orientation > 0.5, "{report:?}");
}

#[test]
fn every_method_reaches_what_is_within_reach() {
    let skeleton = rigs::chain(6, 1.0);
    let tip = skeleton.find("tip").unwrap();
    for method in [
        JacobianMethod::Transpose,
        JacobianMethod::PseudoInverse,
        JacobianMethod::Dls { damping: 0.1 },
        JacobianMethod::DlsSvd { bound: 1.5 },
        JacobianMethod::Sdls { clamp: 0.7 },
    ] {
        for (i, at) in [Vec3::new(0.5, 0.4, 0.3), Vec3::new(-0.7, 0.1, 0.2), Vec3::new(0.1, -0.6, -0.3)]
            .into_iter()
            .enumerate()
        {
            let goals = GoalSet::from_iter([Goal::position(tip, at)]);
            let mut solver =
                SolverSpec::Jacobian(JacobianOptions::new(method)).build(&skeleton, &goals).unwrap();
            let (_, report) = solve(&mut solver, &skeleton, &goals);
            assert!(report.reached(), "{method:?} target {i}: {report:?}");
        }
    }
}

/// The posture level of ERIK's comparison: joints that are left out of the
/// posture do not pull, the others come as near as the goal allows.
#[test]
fn a_posture_may_leave_joints_alone_and_a_watcher_ends_the_solve() {
    let skeleton = sinew::rigs::erik(sinew::rigs::ErikRobot::G);
    let end = skeleton.find("endpoint").unwrap();
    let goals = GoalSet::from_iter([Goal::orientation(end, sinew::Quat::from_rotation_x(0.7))]);
    let mut posture = Pose::rest(&skeleton);
    posture.set_coordinates(&skeleton, &[0.9, 0.6, 0.3, -0.4, 0.2, 0.5, -0.3, -0.8]).unwrap();
    let options =
        PriorityOptions { iterations: 200, patience: 200, attraction: 1.0, ..PriorityOptions::default() };
    let deviation = |twists_too: bool| {
        let mut goals = goals.clone();
        let mut wanted = PostureGoal::new(posture.clone(), 1.0);
        if !twists_too {
            wanted.joints = vec![1.0; skeleton.len()];
            for name in ["joint1", "joint8"] {
                wanted.joints[skeleton.find(name).unwrap().index()] = 0.0;
            }
        }
        goals.set_posture(Some(wanted));
        let mut solver = Priority::new(&skeleton, &goals, options).unwrap();
        let mut pose = Pose::rest(&skeleton);
        assert!(solver.solve_watched(&skeleton, &goals, &mut pose, &mut |_| false).reached());
        let (mut now, mut wanted) = ([0.0; 8], [0.0; 8]);
        pose.to_coordinates(&skeleton, &mut now).unwrap();
        posture.to_coordinates(&skeleton, &mut wanted).unwrap();
        (1..7).map(|k| (now[k] - wanted[k]).abs()).fold(0.0, sinew::Real::max)
    };
    let (all, inner) = (deviation(true), deviation(false));
    assert!(inner < 0.8 * all, "free twists take what bends had to: {inner} {all}");
    let mut solver = Priority::new(&skeleton, &goals, options).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let mut seen = 0;
    let report = solver.solve_watched(&skeleton, &goals, &mut pose, &mut |now| {
        assert!(now.is_finite() && now.worst_violation(&skeleton).is_none());
        seen += 1;
        seen == 3
    });
    assert_eq!(report.iterations, 2);
}
