//! What whole bodies and robots ask for beyond points and poses: contacts, targets that another
//! joint carries, balance, bounds on speed, keeping clear.

use crate::counting;
use std::sync::Arc;

use sinew::collision::{CollisionBody, CollisionQuery, CollisionScene, ObstacleShape};
use sinew::error::RigError;
use sinew::goal::{BalanceGoal, ClearanceGoal, PostureGoal, SpeedGoal};
use sinew::math::{Real, rotation};
use sinew::skeleton::humanoid::{HumanoidMap, masses};
use sinew::solver::priority::PriorityOptions;
use sinew::solver::robust::RobustOptions;
use sinew::{
    Cause, Goal, GoalId, GoalSet, JointId, ModelPose, Pose, Skeleton, SolverSpec, Target, Transform, Vec3,
    rigs,
};

use crate::numbers::Numbers;

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
    let few = RobustOptions { restarts: 10, ..RobustOptions::default() };
    for spec in [SolverSpec::Robust(few), SolverSpec::Priority(PriorityOptions::default())] {
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

/// A set with every bound on the whole body, and goals on hands, feet, head and hips.
fn everything(human: &Skeleton) -> (GoalSet, [GoalId; 6]) {
    let rest = ModelPose::rest(human);
    let six = named(human, ["sacroiliac", "skullbase", "l_wrist", "r_wrist", "l_ankle", "r_ankle"]);
    let map = HumanoidMap::find(human);
    let mut goals = GoalSet::new();
    let ids = six.map(|joint| goals.add(Goal::position(joint, rest.position(joint))));
    goals.set_balance(Some(BalanceGoal {
        masses: masses(human, &map),
        support: [six[4], six[5]].map(|foot| sole(rest.position(foot))).concat(),
        up: Vec3::Y,
        margin: 0.0,
    }));
    let mut speeds = vec![6.0; human.len()];
    speeds[0] = 2.0;
    goals.set_speed(Some(SpeedGoal { speeds, time_step: 1.0 / 60.0 }));
    goals.set_clearance(Some(ClearanceGoal {
        body: Arc::new(CollisionBody::from_rig(human, &map)),
        scene: Arc::new(CollisionScene::new()),
        distance: 0.0,
    }));
    (goals, ids)
}

#[test]
fn other_solvers_refuse_bounds_on_the_whole_body() {
    let human = human();
    let all = everything(&human).0;
    type Leave = fn(&mut GoalSet);
    let alone: [Leave; 3] = [
        |g| (g.set_speed(None), g.set_clearance(None)).0,
        |g| (g.set_balance(None), g.set_clearance(None)).0,
        |g| (g.set_balance(None), g.set_speed(None)).0,
    ];
    for leave in alone {
        let mut goals = all.clone();
        leave(&mut goals);
        for spec in SolverSpec::all() {
            let takes = matches!(spec, SolverSpec::Robust(_) | SolverSpec::Priority(_));
            match spec.build(&human, &goals) {
                Ok(_) => assert!(takes, "{spec}"),
                Err(error) => assert!(!takes && matches!(error, RigError::NoBound { .. }), "{spec}: {error}"),
            }
        }
    }
    // Bounds of another skeleton, or without sense.
    let mut bad = all.clone();
    bad.balance_mut().unwrap().masses.pop();
    assert!(matches!(SolverSpec::default().build(&human, &bad), Err(RigError::Foreign(_))));
    let mut bad = all.clone();
    bad.speed_mut().unwrap().speeds[3] = -1.0;
    assert!(matches!(SolverSpec::default().build(&human, &bad), Err(RigError::Foreign(_))));
}

/// Whatever is asked for, no joint moves further than its speed allows, nothing is allocated, and
/// what balance and clearance had they keep.
#[test]
fn bounds_hold_in_every_frame() {
    let human = human();
    for spec in solvers() {
        let (mut goals, ids) = everything(&human);
        let mut solver = spec.build(&human, &goals).unwrap();
        let mut numbers = Numbers::new(21);
        let rest = ModelPose::rest(&human);
        let mut pose = Pose::rest(&human);
        let mut query = CollisionQuery::new(&goals.clearance().unwrap().body);
        let frames = if matches!(spec, SolverSpec::Robust(_)) { 600 } else { 60 };
        let mut late = 0;
        let mut causes: Vec<&str> = Vec::with_capacity(frames);
        for frame in 0..frames {
            if frame % 40 == 0 {
                for (i, id) in ids.iter().enumerate() {
                    let joint = goals.get(*id).unwrap().effector.joint;
                    // Feet stay; the rest jumps about, mostly out of reach in one frame.
                    let off = if i < 4 { numbers.vector() * 0.5 } else { Vec3::ZERO };
                    goals.set_target(*id, Target::Position(rest.position(joint) + off));
                }
            }
            let given = pose.clone();
            let before = counting::allocations();
            let report = solver.solve(&human, &goals, &mut pose);
            let cause = report.cause;
            causes.extend(cause.map(|c| c.name()));
            assert_eq!(counting::allocations(), before, "{spec}: frame {frame} allocates");
            late += usize::from(matches!(cause, Some(Cause::Speed { .. })));
            let speed = goals.speed().unwrap();
            for id in human.ids() {
                let turn = rotation::angle(given.rotation(id).conjugate() * pose.rotation(id));
                let slide = given.translation(id).distance(pose.translation(id));
                let reach = speed.reach(id.index()) + 2.0e-5;
                assert!(turn <= reach && slide <= reach, "{spec}: frame {frame}, {turn} {slide} of {reach}");
            }
            assert_eq!(pose.worst_violation(&human), None, "{spec}: frame {frame}");
            let model = ModelPose::new(&human, &pose);
            let clear = goals.clearance().unwrap();
            query.place(&clear.body, &model);
            let contact = query.deepest_contact(&clear.body, &clear.scene, query.all_parts());
            let room = goals.balance().unwrap().clearance(&model);
            let (deep, off) = (contact.map_or(0.0, |c| c.depth), (-room).max(0.0));
            let told = matches!(cause, Some(Cause::Collision { .. } | Cause::Balance { .. }));
            assert!(told || (deep < 1.0e-4 && off < 1.0e-4), "{spec}: frame {frame}, {deep} {off} {cause:?}");
            // A bound that a slower joint cannot keep in time is broken by little.
            assert!(deep < 0.02 && off < 0.02, "{spec}: frame {frame}, {deep} deep, {off} off balance");
        }
        assert!(late > 0, "{spec}: speeds never bound anything: {causes:?}");
    }
}

/// A hand that is sent into the belly stops at it.
#[test]
fn a_hand_stops_at_the_body() {
    // The root is held, or the whole body would give way instead.
    let mut builder = human().to_builder();
    builder.joints[0].stiffness = 1.0;
    let human = builder.build().unwrap();
    let hand = human.find("r_wrist").unwrap();
    let body = CollisionBody::from_rig(&human, &HumanoidMap::find(&human));
    let at = Vec3::new(0.0, 1.1, 0.02);
    stops(&human, Goal::position(hand, at), body, CollisionScene::new(), true);
}

/// A chain that is sent through a wall stops there.
#[test]
fn a_chain_stops_at_a_wall() {
    let arm = rigs::chain(6, 1.0);
    let body = CollisionBody::from_rig(&arm, &HumanoidMap::find(&arm));
    let mut scene = CollisionScene::new();
    let wall = Transform::from_translation(Vec3::X * 0.5);
    scene.add("wall", ObstacleShape::HalfSpace { normal: Vec3::NEG_X }, wall).unwrap();
    let goal = Goal::position(arm.find("tip").unwrap(), Vec3::new(0.7, 0.4, 0.1));
    stops(&arm, goal, body, scene, false);
}

/// The goal needs a collision, with the body `itself` or with the scene: it gives way, the report says
/// so, and nothing touches.
fn stops(skeleton: &Skeleton, goal: Goal, body: CollisionBody, scene: CollisionScene, itself: bool) {
    let clearance = ClearanceGoal { body: Arc::new(body), scene: Arc::new(scene), distance: 0.005 };
    for spec in solvers() {
        let mut goals = GoalSet::from_iter([goal]);
        goals.set_clearance(Some(clearance.clone()));
        let mut pose = Pose::rest(skeleton);
        let report = spec.build(skeleton, &goals).unwrap().solve(skeleton, &goals, &mut pose).clone();
        match report.cause {
            Some(Cause::Collision { other, .. }) => assert_eq!(other.is_some(), itself, "{spec}: {report}"),
            _ => panic!("{spec}: {report}"),
        }
        let mut query = CollisionQuery::new(&clearance.body);
        query.place(&clearance.body, &ModelPose::new(skeleton, &pose));
        let contact = query.deepest_contact(&clearance.body, &clearance.scene, query.all_parts());
        assert_eq!(contact, None, "{spec}: {report}");
        assert!(report.residuals[0].position > 0.02, "{spec}: {report}");
    }
}

/// Six poses of a body that has turned round, from rest and from a tangle: with contacts as bounds all
/// the way, nearly every descent got caught while the root had half a turn to go, and it took a start
/// elsewhere to meet them.
#[test]
fn a_body_that_turns_round_is_met_clear_of_itself() {
    let human = human();
    let six = named(&human, ["HumanoidRoot", "skullbase", "l_wrist", "r_wrist", "l_ankle", "r_ankle"]);
    let body = Arc::new(CollisionBody::from_rig(&human, &HumanoidMap::find(&human)));
    let scene = Arc::new(CollisionScene::new());
    let mut query = CollisionQuery::new(&body);
    let mut touches = |pose: &Pose| {
        query.place(&body, &ModelPose::new(&human, pose));
        query.first_contact(&body, &scene, query.all_parts()).is_some()
    };
    let mut numbers = Numbers::new(7);
    let mut drawn = |touching: bool, spread: Real| loop {
        let mut pose = numbers.pose(&human, spread);
        pose.set_rotation(six[0], numbers.rotation(2.0));
        if touches(&pose) == touching {
            break pose;
        }
    };
    let (mut met, mut starts) = (0, 0);
    for i in 0..30 {
        let wanted = ModelPose::new(&human, &drawn(false, 0.5));
        let mut goals: GoalSet = six.iter().map(|&j| Goal::pose(j, wanted.transform(j))).collect();
        let (body, scene) = (Arc::clone(&body), Arc::clone(&scene));
        goals.set_clearance(Some(ClearanceGoal { body, scene, distance: 0.0 }));
        let mut pose = if i % 2 == 0 { Pose::rest(&human) } else { drawn(true, 1.0) };
        let report =
            SolverSpec::default().build(&human, &goals).unwrap().solve(&human, &goals, &mut pose).clone();
        starts += report.attempts;
        met += usize::from(report.reached());
        let mut check = CollisionQuery::new(&goals.clearance().unwrap().body);
        let clearance = goals.clearance().unwrap();
        check.place(&clearance.body, &ModelPose::new(&human, &pose));
        let contact = check.deepest_contact(&clearance.body, &clearance.scene, check.all_parts());
        assert!(!report.reached() || contact.is_none(), "{i}: {report} {contact:?}");
    }
    assert!(met == 30 && starts <= 60, "{met} met in {starts} starts");
}

/// A stick takes one of six goals every second and pulls it anywhere at up to 1 m/s, in and out of
/// reach: no joint jumps, nothing is lost, limits hold. `SINEW_STICK_SECONDS=600` for ten minutes.
#[test]
fn a_random_stick_makes_no_joint_jump() {
    let human = human();
    let seconds = std::env::var("SINEW_STICK_SECONDS").ok().and_then(|s| s.parse().ok()).unwrap_or(30);
    let rest = ModelPose::rest(&human);
    let six = named(&human, ["sacroiliac", "skullbase", "l_wrist", "r_wrist", "l_ankle", "r_ankle"]);
    let mut goals = GoalSet::new();
    let ids = six.map(|joint| goals.add(Goal::position(joint, rest.position(joint))));
    // Every joint, the root too, may turn by 12° a frame. Nothing is looked for elsewhere.
    goals.set_speed(Some(SpeedGoal {
        speeds: vec![(12.0 as Real).to_radians() * 60.0; human.len()],
        time_step: 1.0 / 60.0,
    }));
    let mut solver = SolverSpec::default().build(&human, &goals).unwrap();
    let mut numbers = Numbers::new(31);
    let mut targets = six.map(|joint| rest.position(joint));
    let (mut pose, mut taken, mut velocity) = (Pose::rest(&human), 0, Vec3::ZERO);
    let (mut largest, mut jumps): (Real, usize) = (0.0, 0);
    for frame in 0..seconds * 60 {
        if frame % 60 == 0 {
            taken = (numbers.between(0.0, 6.0) as usize).min(5);
            let home = rest.position(six[taken]);
            velocity = match targets[taken].distance(home) > 1.2 {
                true => (home - targets[taken]).normalize(),
                false => numbers.direction(),
            } * numbers.unit();
        }
        targets[taken] += velocity / 60.0;
        goals.set_target(ids[taken], Target::Position(targets[taken]));
        let before = pose.clone();
        solver.solve(&human, &goals, &mut pose);
        assert!(pose.is_finite(), "frame {frame}");
        assert_eq!(pose.worst_violation(&human), None, "frame {frame}");
        for id in human.ids() {
            let turn = rotation::angle(before.rotation(id).conjugate() * pose.rotation(id)).to_degrees();
            largest = largest.max(turn);
            if turn > 12.0 + 1.0e-3 {
                jumps += 1;
                println!("frame {frame}: {} turns by {turn:.1}°", human.joint(id).name());
            }
        }
    }
    println!("largest step {largest:.2}°");
    assert_eq!(jumps, 0, "largest step {largest:.1}°");
}
