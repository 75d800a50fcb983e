//! What a body looks like with the defaults of `sinew solve`.
//!
//! A hand that was pulled once took the collar bone to the end of its range and bent the spine by 25°,
//! with the target well within the arm's own reach: the steps towards the posture were too long, the
//! first was refused and the second gave up.

use crate::numbers::Numbers;
use sinew::analytic::Limb;
use sinew::goal::PostureGoal;
use sinew::math::{Real, rotation};
use sinew::rigs::humanoid;
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Goal, GoalSet, JointId, ModelPose, Pose, Skeleton, SolverSpec, Vec3};

const SPINE: [&str; 4] = ["vl5", "vl1", "vt6", "vt1"];

fn turn(skeleton: &Skeleton, pose: &Pose, name: &str) -> Real {
    rotation::angle(pose.rotation(skeleton.find(name).unwrap())).to_degrees()
}

/// With its root where it is.
fn solve(skeleton: &Skeleton, goals: impl IntoIterator<Item = Goal>) -> (Pose, bool) {
    let mut goals = GoalSet::from_iter(goals);
    goals.set_posture(Some(PostureGoal::natural(Pose::rest(skeleton))));
    let mut pose = Pose::rest(skeleton);
    let options = sinew::solver::robust::RobustOptions { restarts: 0, ..Default::default() };
    let mut solver = SolverSpec::Robust(options).build(skeleton, &goals).unwrap();
    let reached = solver.solve(skeleton, &goals, &mut pose).reached();
    (pose, reached)
}

#[test]
fn a_pulled_hand_takes_the_arm_and_leaves_shoulders_and_spine() {
    let skeleton = humanoid(Default::default());
    let arm = Limb::arm(&skeleton, &HumanoidMap::find(&skeleton), Side::Right).unwrap();
    let rest = ModelPose::rest(&skeleton);
    let (root, wrist) = (skeleton.root(), arm.joints().end);
    let mut numbers = Numbers::new(11);
    let (mut shoulders, mut spines) = (Vec::new(), Vec::new());
    while shoulders.len() < 200 {
        // Where the arm alone can go, in front and to the side.
        let way = numbers.direction();
        if way.z < 0.1 || way.x > 0.5 {
            continue;
        }
        let at = rest.position(arm.joints().upper) + way * (numbers.between(0.5, 0.9) * arm.reach().1);
        let (mut alone, target) = (Pose::rest(&skeleton), sinew::Target::Position(at));
        if !arm.solve(&skeleton, &rest, &target, Default::default(), &mut alone).reached() {
            continue;
        }
        let (pose, reached) =
            solve(&skeleton, [Goal::pose(root, rest.transform(root)), Goal::position(wrist, at)]);
        assert!(reached, "{at}");
        shoulders.push(turn(&skeleton, &pose, "r_sternoclavicular"));
        spines.push(SPINE.iter().map(|name| turn(&skeleton, &pose, name)).sum::<Real>());
    }
    for (what, angles, median, most) in
        [("collar bone", &mut shoulders, 10.0, 20.0), ("spine", &mut spines, 5.0, 10.0)]
    {
        angles.sort_by(Real::total_cmp);
        let [middle, last] = [100, 190].map(|i| angles[i]);
        println!("{what}: median {middle:.1}°, 95 % {last:.1}°, at most {:.1}°", angles[199]);
        assert!(middle < median && last < most, "{what}: median {middle}°, 95 % {last}°");
    }
}

#[test]
fn a_dragged_pelvis_takes_the_body_along() {
    let skeleton = humanoid(Default::default());
    let map = HumanoidMap::find(&skeleton);
    let rest = ModelPose::rest(&skeleton);
    let feet = Side::BOTH.map(|side| map.leg(side).unwrap().end);
    let hands = Side::BOTH.map(|side| map.arm(side).unwrap().end);
    for shift in [
        Vec3::new(0.05, -0.02, 0.0),
        Vec3::new(0.0, -0.08, -0.05),
        Vec3::new(0.0, -0.25, -0.25),
        Vec3::new(0.0, -0.08, -0.1),
    ] {
        let place = |joint: JointId| rest.position(joint);
        let mut goals = vec![Goal::position(skeleton.root(), place(skeleton.root()) + shift)];
        goals.extend(feet.map(|foot| Goal::pose(foot, rest.transform(foot))));
        goals.extend(hands.map(|hand| Goal::position(hand, place(hand)).soft()));
        let (pose, _) = solve(&skeleton, goals);
        let model = ModelPose::new(&skeleton, &pose);
        let off = |joint: JointId, to: Vec3| model.position(joint).distance(to);
        assert!(
            off(skeleton.root(), place(skeleton.root()) + shift) < 0.01,
            "{shift}: the pelvis goes where it is pulled"
        );
        for foot in feet {
            assert!(off(foot, place(foot)) < 0.005, "{shift}: feet are firm");
        }
        for name in ["l_sternoclavicular", "r_sternoclavicular"] {
            let angle = turn(&skeleton, &pose, name);
            assert!(angle < 12.0, "{shift}: {name} {angle}°");
        }
    }
}
