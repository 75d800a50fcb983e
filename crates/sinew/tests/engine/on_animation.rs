//! Inverse kinematics on top of an animation, on every embedded rig: bones that
//! are shifted, joints outside of their limits where no goal reaches. A goal
//! where its effector already is changes nothing; switched off or without
//! influence it leaves every bit; and as its influence grows, the effector goes
//! there without a jump.

use crate::animated_body;
use sinew::math::Real;
use sinew::skeleton::humanoid::HumanoidMap;
use sinew::{Effector, Goal, GoalSet, JointId, ModelPose, Pose, Quat, SolverSpec, Vec3, rigs};

use crate::animated::{Findings, Known, Scene, check_general, made_pose, made_scenes};
use crate::numbers::Numbers;

/// Where solvers fall short today, out of all scenes: CCD and FABRIK do not meet some of the goals
/// in full, and where they end the miss has begun to rise again; two bones are held by a limit on the
/// way. Lower a number when its solver gets better.
const KNOWN: [Known; 4] = [("ccd", 0, 3), ("ccd-root-to-tip", 0, 1), ("fabrik", 0, 4), ("two-bone", 0, 16)];

/// Runs a check over every rig and some poses of each, and complains about all that it finds.
fn over_every_rig(mut run: impl FnMut(&Scene<'_>, &str, &mut Findings)) -> Findings {
    let mut findings = Findings::default();
    for rig in rigs::all() {
        let skeleton = rig.build();
        for seed in 0..2 {
            for scene in made_scenes(&skeleton, seed) {
                run(&scene, &format!("{} {seed}", rig.name), &mut findings);
            }
        }
    }
    findings
}

#[test]
fn the_general_solvers_work_on_an_animation() {
    let mut broken = String::new();
    for spec in SolverSpec::all() {
        let findings = over_every_rig(|scene, what, findings| check_general(scene, spec, what, findings));
        assert!(findings.scenes > 20);
        println!("{:15} {findings}", spec.name());
        broken += &findings.complaints(spec.name(), &KNOWN);
    }
    assert!(broken.is_empty(), "\n{broken}");
}

#[test]
fn limbs_two_bones_and_looks_work_on_an_animation() {
    let mut findings: [Findings; 3] = Default::default();
    for model in rigs::SwingModel::ALL {
        for (hands, skeleton) in [(false, rigs::humanoid(model)), (true, rigs::humanoid_with_hands(model))] {
            let map = HumanoidMap::find(&skeleton);
            for seed in 0..4 {
                let mut numbers = Numbers::new(seed);
                let pose = made_pose(&skeleton, &mut numbers);
                let what = format!("{model:?} {} {seed}", if hands { "with hands" } else { "" });
                let further = |_, now: Quat| now * numbers.rotation(0.25);
                animated_body::check_closed_forms(&skeleton, &map, &pose, &what, &mut findings, further);
            }
        }
    }
    let mut broken = String::new();
    for (name, findings) in animated_body::NAMES.into_iter().zip(&findings) {
        println!("{name:15} {findings}");
        assert!(findings.scenes > 20);
        broken += &findings.complaints(name, &KNOWN);
    }
    assert!(broken.is_empty(), "\n{broken}");
}

/// Straight to the target and by the shortest turn, on a chain that can go anywhere.
#[test]
fn between_0_and_1_the_effector_goes_that_part_of_the_way() {
    let skeleton = rigs::chain(10, 1.0);
    let tip = skeleton.find("tip").unwrap();
    let mut numbers = Numbers::new(4);
    let animated = numbers.pose(&skeleton, 0.4);
    let reached = ModelPose::new(&skeleton, &numbers.pose(&skeleton, 0.4));
    let from = ModelPose::new(&skeleton, &animated).position(tip);
    let to = reached.position(tip);
    for spec in SolverSpec::all() {
        for influence in [0.1, 0.35, 0.8, 1.0] {
            let goals = GoalSet::from_iter([Goal::position(tip, to).influence(influence)]);
            let mut pose = animated.clone();
            spec.build(&skeleton, &goals).unwrap().solve(&skeleton, &goals, &mut pose);
            let at = ModelPose::new(&skeleton, &pose).position(tip);
            let off = at.distance(from.lerp(to, influence));
            assert!(off < 2.0e-3, "{} at {influence}: {off}", spec.name());
        }
    }
}

/// One goal fades while another stays: each has an influence of its own.
#[test]
fn one_goal_fades_and_another_holds() {
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let [left, right] = ["l_wrist", "r_wrist"].map(|name| skeleton.find(name).unwrap());
    let mut numbers = Numbers::new(5);
    let animated = numbers.pose(&skeleton, 0.2);
    let rest = ModelPose::new(&skeleton, &animated);
    let held = rest.position(left);
    let wanted = rest.position(right) + Vec3::new(0.0, 0.05, 0.05);
    let goal = |joint: JointId, at| Goal::new(Effector::at(joint), sinew::Target::Position(at));
    for spec in SolverSpec::all() {
        let mut goals = GoalSet::new();
        goals.add(goal(left, held));
        let fading = goals.add(goal(right, wanted));
        let mut solver = spec.build(&skeleton, &goals).unwrap();
        for step in 0..=10 {
            let influence = step as Real / 10.0;
            goals.set_influence(fading, influence);
            let mut pose = animated.clone();
            solver.solve(&skeleton, &goals, &mut pose);
            let model = ModelPose::new(&skeleton, &pose);
            let [a, b] = [model.position(left).distance(held), model.position(right).distance(wanted)];
            let name = spec.name();
            // The methods that move a joint at a time do not meet two goals that share a spine.
            let exact = name == "robust";
            assert!(
                a < if exact { 1.0e-3 } else { 0.05 },
                "{name} at {influence}: what is held moves by {a}"
            );
            let part = 1.0 - b / rest.position(right).distance(wanted);
            assert!(!exact || (part - influence).abs() < 0.02, "{name} at {influence}: {part} of the way");
        }
    }
}

#[test]
fn the_made_motion_is_what_it_is_said_to_be() {
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let (mut outside, mut shifted) = (0, 0);
    for scene in made_scenes(&skeleton, 1) {
        let violation = |pose: &Pose, j| skeleton.joint(j).violation(pose.rotation(j), Vec3::ZERO);
        for joint in skeleton.ids() {
            let over: Real = violation(&scene.animated, joint);
            assert!(!scene.moves(joint) || over < 1.0e-4);
            outside += usize::from(over > 0.05);
            shifted += usize::from(scene.animated.translation(joint).length() > 0.005);
        }
    }
    assert!(outside > 5 && shifted > 30, "{outside} {shifted}");
}
