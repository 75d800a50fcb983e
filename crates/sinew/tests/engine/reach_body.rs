//! Reaching where the behaviours stop: the whole body goes on, keeps its feet and its balance, and
//! says "out of reach" only where another solver finds nothing either. And the paper's own way.

use sinew::body::reach::{ReachOptions, ReachSolver, Style, standing};
use sinew::goal::{BalanceGoal, PostureGoal};
use sinew::math::{Real, rotation};
use sinew::skeleton::humanoid::{HumanoidMap, Side, masses};
use sinew::{Cause, Goal, GoalSet, JointKind, ModelPose, Pose, Skeleton, SolverSpec, Target, Vec3, rigs};

use crate::numbers::Numbers;

const DT: Real = 1.0 / 60.0;
const PI: Real = core::f64::consts::PI as Real;

struct Body {
    skeleton: Skeleton,
    map: HumanoidMap,
    solver: ReachSolver,
}

impl Body {
    fn new(options: ReachOptions) -> Self {
        let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
        let map = HumanoidMap::find(&skeleton);
        let mut solver = ReachSolver::new(&skeleton, &map, &Pose::rest(&skeleton), options).unwrap();
        for side in Side::BOTH {
            solver.set_behaviour(Style::Plain.behaviour(&skeleton, &map, side).unwrap()).unwrap();
        }
        Self { skeleton, map, solver }
    }

    fn wrist(&self, pose: &Pose) -> Vec3 {
        ModelPose::new(&self.skeleton, pose).position(self.skeleton.find("r_wrist").unwrap())
    }

    fn reach(&mut self, target: Target, pose: &mut Pose) -> sinew::body::reach::ReachReport {
        self.solver.solve(&self.skeleton, &[(Side::Right, target)], DT, pose).clone()
    }

    /// Centre of mass over soles of 25 cm.
    fn balance(&self) -> BalanceGoal {
        let rest = ModelPose::rest(&self.skeleton);
        let sole = |foot: &str| {
            let at = rest.position(self.skeleton.find(foot).unwrap());
            [[-0.05, -0.07], [0.05, -0.07], [0.05, 0.2], [-0.05, 0.2]].map(|[x, z]| at + Vec3::new(x, 0.0, z))
        };
        let support = [sole("l_ankle"), sole("r_ankle")].concat();
        BalanceGoal { masses: masses(&self.skeleton, &self.map), support, up: Vec3::Y, margin: 0.0 }
    }
}

/// Around the right shoulder, out of the trunk, above the floor.
fn place(numbers: &mut Numbers) -> Vec3 {
    loop {
        let p = Vec3::new(-0.17, 1.4, 0.0) + numbers.vector() * 0.85;
        if p.y > 0.05 && (p.x.hypot(p.z) > 0.28 || p.y > 1.85) {
            return p;
        }
    }
}

/// Of what it refuses, a solver that starts again elsewhere as often as it likes and does not mind an arm
/// in the trunk finds next to nothing with the feet held that is in balance.
#[test]
fn what_is_refused_cannot_be_had() {
    for oriented in [false, true] {
        let mut body = Body::new(ReachOptions::default());
        let balance = body.balance();
        let rest = ModelPose::rest(&body.skeleton);
        let [wrist, left, right] = ["r_wrist", "l_ankle", "r_ankle"].map(|n| body.skeleton.find(n).unwrap());
        let mut goals = GoalSet::new();
        let hand = goals.add(match oriented {
            true => Goal::pose(wrist, rest.transform(wrist)),
            false => Goal::position(wrist, rest.position(wrist)),
        });
        for foot in [left, right] {
            goals.add(Goal::pose(foot, rest.transform(foot)));
        }
        goals.set_posture(Some(PostureGoal::natural(Pose::rest(&body.skeleton))));
        let mut other = SolverSpec::default().build(&body.skeleton, &goals).unwrap();
        let mut numbers = Numbers::new(11);
        let (mut went_on, mut though_solved) = (0, 0);
        let count = 60;
        for _ in 0..count {
            let turned = oriented.then(|| rotation::exp(numbers.vector() * 0.8));
            let target = match oriented {
                // Before the body: the other solver does not mind an arm in the trunk.
                true => Vec3::new(-0.15, 1.2, 0.4) + numbers.vector() * Vec3::new(0.3, 0.3, 0.1),
                false => place(&mut numbers),
            };
            let target = Target::from_parts(target, turned);
            let mut pose = Pose::rest(&body.skeleton);
            body.solver.forget();
            let report = body.reach(target, &mut pose);
            assert!(pose.is_finite() && pose.worst_violation(&body.skeleton).is_none());
            let model = ModelPose::new(&body.skeleton, &pose);
            for foot in [left, right] {
                assert!(model.position(foot).distance(rest.position(foot)) < 1e-4);
            }
            if report.reached() {
                went_on += usize::from(report.steps > 0);
                assert!(model.position(wrist).distance(target.position().unwrap()) < 2e-4);
                assert!(report.steps == 0 || balance.clearance(&model) > -0.01, "it would fall");
            } else {
                assert!(report.cause.is_some());
                goals.set_target(hand, target);
                let mut found = Pose::rest(&body.skeleton);
                let is_met = other.solve(&body.skeleton, &goals, &mut found).reached();
                if is_met && balance.clearance(&ModelPose::new(&body.skeleton, &found)) >= 0.0 {
                    though_solved += 1;
                    println!("{target:?}: {} steps, {report}", report.steps);
                }
            }
        }
        assert!(went_on > count / 5, "the body went on for {went_on} only");
        assert!(though_solved <= 3 * count / 100 + 1, "refused though solved: {though_solved}");
    }
}

/// A hand that goes from where the behaviour suffices to where it does not, and back: the body takes up
/// and lets go of the rest without a jump, and comes back to the very posture of the behaviour.
#[test]
fn going_on_begins_and_ends_without_a_jump() {
    let ways = [
        [Vec3::new(-0.2, 1.1, 0.4), Vec3::new(-0.3, 0.05, 0.8)],
        [Vec3::new(-0.3, 1.2, 0.3), Vec3::new(-0.6, 1.3, -0.55)],
        [Vec3::new(-0.2, 1.3, 0.4), Vec3::new(-0.2, 2.14, 0.35)],
    ];
    for [near, far] in ways {
        let mut body = Body::new(ReachOptions::default());
        let mut pose = Pose::rest(&body.skeleton);
        let (mut last, mut went_on, mut largest) = (None::<Pose>, 0, 0.0 as Real);
        let frames = 240;
        for frame in 0..=frames {
            let part = 0.5 - 0.5 * (2.0 * PI * frame as Real / frames as Real).cos();
            let report = body.reach(Target::Position(near.lerp(far, part)), &mut pose);
            went_on += usize::from(report.steps > 0);
            if let Some(last) = &last {
                for id in body.skeleton.ids() {
                    let turn = rotation::angle(last.rotation(id).conjugate() * pose.rotation(id));
                    if turn > 0.16 {
                        println!(
                            "frame {frame}: {} turns by {turn}; {report}",
                            body.skeleton.joint(id).name()
                        );
                    }
                    largest = largest.max(turn);
                }
            }
            last = Some(pose.clone());
        }
        assert!(went_on > 20, "to {far} the behaviour suffices");
        // Twelve degrees in a frame of 30 a second, and the hand's own way.
        assert!(largest < 0.16, "a joint turned by {largest} on the way to {far}");
        for _ in 0..120 {
            body.reach(Target::Position(near), &mut pose);
        }
        let report = body.reach(Target::Position(near), &mut pose);
        assert!(report.reached() && report.steps == 0, "{report}");
    }
}

/// Further than leg, trunk and arm in one line: no descent is needed to know.
#[test]
fn what_is_certainly_out_of_reach_costs_nothing() {
    let mut body = Body::new(ReachOptions::default());
    let mut pose = Pose::rest(&body.skeleton);
    // To the left the right arm would meet a limit before it is stretched: too far it is all the same.
    for at in [[0.0, 4.0, 0.0], [-3.0, 1.0, 1.0], [0.0, 1.0, 1e5], [1e5, 0.0, 0.0], [2.5, 1.4, -2.5]] {
        let at = Vec3::from_array(at);
        let report = body.reach(Target::Position(at), &mut pose);
        assert!(matches!(report.cause, Some(Cause::OutOfReach { by, .. }) if by > 0.5), "{report}");
        assert_eq!(report.steps, 0);
    }
}

/// A refused target that stays where it is, and a body that has come to rest: the same pose, for nothing.
#[test]
fn a_body_at_rest_stays() {
    let mut body = Body::new(ReachOptions::default());
    let mut pose = Pose::rest(&body.skeleton);
    let target = Target::Position(Vec3::new(-0.3, 1.2, 1.4));
    for _ in 0..200 {
        body.reach(target, &mut pose);
    }
    let before = pose.clone();
    let report = body.reach(target, &mut pose);
    assert!(!report.reached());
    assert_eq!((pose, report.steps), (before, 0));
}

/// Both hands, each beyond its arm.
#[test]
fn both_hands_go_on_together() {
    let mut body = Body::new(ReachOptions::default());
    let mut pose = Pose::rest(&body.skeleton);
    let targets = [
        (Side::Left, Target::Position(Vec3::new(0.2, 0.2, 0.45))),
        (Side::Right, Target::Position(Vec3::new(-0.2, 0.2, 0.45))),
    ];
    let report = body.solver.solve(&body.skeleton, &targets, DT, &mut pose);
    assert!(report.reached(), "{report}");
    let model = ModelPose::new(&body.skeleton, &pose);
    for (name, (_, target)) in ["l_wrist", "r_wrist"].iter().zip(targets) {
        let off = model.position(body.skeleton.find(name).unwrap()).distance(target.position().unwrap());
        assert!(off < 2e-4, "{name} is off by {off}");
    }
}

/// The elbow's angle as the paper counts it: from −ŷ to the arm's own side.
fn elbow_angle(body: &Body, pose: &Pose) -> Real {
    let model = ModelPose::new(&body.skeleton, pose);
    let at = |name: &str| model.position(body.skeleton.find(name).unwrap());
    let (shoulder, elbow, wrist) = (at("r_shoulder"), at("r_elbow"), at("r_wrist"));
    let n = (wrist - shoulder).normalize();
    let u = (n * n.y - Vec3::Y).normalize();
    let out = elbow - shoulder;
    out.dot(u.cross(n)).atan2(out.dot(u))
}

/// Kallmann 2007: φ starts at 30° from −ŷ, whatever was before; a goal on ŷ fails; the body does what its
/// behaviour says and no more.
#[test]
fn as_published() {
    let mut body = Body::new(ReachOptions::published());
    let mut pose = Pose::rest(&body.skeleton);
    // Near the shoulder, where the trunk stays upright and ŷ is up.
    let at = ModelPose::rest(&body.skeleton).position(body.skeleton.find("r_shoulder").unwrap());
    let near = Target::Position(at + Vec3::new(-0.05, -0.05, 0.2));
    let report = body.reach(near, &mut pose);
    assert!(report.reached(), "{report}");
    let angle = elbow_angle(&body, &pose).to_degrees();
    assert!((25.0..35.0).contains(&angle), "the elbow is at {angle}°");
    let first = pose.clone();
    body.reach(Target::Position(at + Vec3::new(0.3, 0.2, 0.3)), &mut pose);
    body.reach(near, &mut pose);
    assert_eq!(pose, first, "a solve has no memory");
    // Straight down the axis, with the body left as it is.
    let on_axis = body.reach(Target::Position(at - Vec3::Y * 0.2), &mut pose);
    assert!(!on_axis.reached(), "{on_axis}");
    assert!(
        Body::new(ReachOptions::default()).reach(Target::Position(at - Vec3::Y * 0.3), &mut pose).reached()
    );
    let beyond = body.reach(Target::Position(Vec3::new(-0.3, 0.2, 0.6)), &mut pose);
    assert_eq!(beyond.steps, 0);
}

/// A rig that rests in a T-pose stands with its arms hanging, and reaches from there.
#[test]
fn a_character_in_a_t_pose_lets_its_arms_hang() {
    let human = rigs::humanoid(rigs::SwingModel::Ellipse);
    let mut builder = human.to_builder();
    for (name, turn) in [("l_shoulder", 0.5 * PI), ("r_shoulder", -0.5 * PI)] {
        let joint = builder.joints.iter_mut().find(|joint| joint.name == name).unwrap();
        joint.rest.rotation = rotation::about(Vec3::Z, turn) * joint.rest.rotation;
        joint.limit = Default::default();
        assert_eq!(joint.kind, JointKind::Ball);
    }
    let skeleton = builder.build().unwrap();
    let map = HumanoidMap::find(&skeleton);
    let rest = ModelPose::rest(&skeleton);
    let at = |model: &ModelPose, name: &str| model.position(skeleton.find(name).unwrap());
    assert!(at(&rest, "l_wrist").y > 1.3, "it does not rest in a T-pose");
    let initial = standing(&skeleton, &map);
    let model = ModelPose::new(&skeleton, &initial);
    for (elbow, wrist, shoulder) in
        [("l_elbow", "l_wrist", "l_shoulder"), ("r_elbow", "r_wrist", "r_shoulder")]
    {
        let bone = (at(&model, elbow) - at(&model, shoulder)).normalize();
        assert!(bone.y < -0.95, "{elbow} hangs along {bone}");
        assert!(at(&model, wrist).z > at(&model, elbow).z - 0.02, "{wrist} is bent backwards");
    }
    let mut solver = ReachSolver::new(&skeleton, &map, &initial, ReachOptions::default()).unwrap();
    for side in Side::BOTH {
        solver.set_behaviour(Style::Plain.behaviour(&skeleton, &map, side).unwrap()).unwrap();
    }
    let mut pose = initial.clone();
    let target = Target::Position(Vec3::new(-0.25, 1.0, 0.6));
    assert!(solver.solve(&skeleton, &[(Side::Right, target)], DT, &mut pose).reached());
    // The other arm stays beside the body.
    let model = ModelPose::new(&skeleton, &pose);
    assert!(at(&model, "l_elbow").y < at(&model, "l_shoulder").y - 0.15);
}

/// A character with narrow shoulders, whose arms are in its trunk as it stands. Keeping clear of itself was
/// then impossible, and what the body had reached was given up for "out of reach".
#[test]
fn a_body_that_is_in_itself_where_it_stands_reaches_all_the_same() {
    let mut builder = rigs::humanoid(rigs::SwingModel::Ellipse).to_builder();
    for name in ["l_shoulder", "r_shoulder"] {
        let joint = builder.joints.iter_mut().find(|joint| joint.name == name).unwrap();
        joint.rest.translation.x *= 0.2;
    }
    let skeleton = builder.build().unwrap();
    let map = HumanoidMap::find(&skeleton);
    let initial = standing(&skeleton, &map);
    let mut solver = ReachSolver::new(&skeleton, &map, &initial, ReachOptions::default()).unwrap();
    for side in Side::BOTH {
        solver.set_behaviour(Style::Plain.behaviour(&skeleton, &map, side).unwrap()).unwrap();
    }
    let mut pose = initial.clone();
    for at in [Vec3::new(-0.4, 0.3, 0.5), Vec3::new(-0.6, 1.7, 0.3), Vec3::new(0.4, 1.2, 0.5)] {
        solver.forget();
        let report = solver.solve(&skeleton, &[(Side::Right, Target::Position(at))], DT, &mut pose);
        assert!(report.reached(), "{at}: {report}");
    }
}

/// A copy reaches what its original does, whether that has solved anything before or not. The lists of a
/// solver's bounds forgot their room when they were cloned: a fresh copy refused whatever needs the whole
/// body, and one made later left bounds out.
#[test]
fn a_copy_reaches_as_the_original() {
    let fresh = Body::new(ReachOptions { follow: None, ..ReachOptions::default() });
    let targets = [Vec3::new(-0.3, 0.1, 0.35), Vec3::new(0.25, 1.1, -0.45), Vec3::new(-0.6, 1.7, 0.7)];
    let mut poses: Vec<Vec<Pose>> = Vec::new();
    let mut used = fresh.solver.clone();
    let mut pose = Pose::rest(&fresh.skeleton);
    used.solve(&fresh.skeleton, &[(Side::Right, Target::Position(targets[2]))], DT, &mut pose);
    for mut solver in [fresh.solver.clone(), used.clone(), used.clone().clone(), fresh.solver] {
        let solve = |at: &Vec3| {
            let mut pose = Pose::rest(&fresh.skeleton);
            solver.solve(&fresh.skeleton, &[(Side::Right, Target::Position(*at))], DT, &mut pose);
            pose
        };
        poses.push(targets.iter().map(solve).collect());
    }
    for copy in &poses[1..] {
        assert_eq!(copy, &poses[0]);
    }
    let low = ModelPose::new(&fresh.skeleton, &poses[0][0]);
    assert!(low.position(fresh.skeleton.find("r_wrist").unwrap()).distance(targets[0]) < 1e-3);
}

/// The wrist is where it is said to be in every frame of a motion that needs the whole body.
#[test]
fn a_motion_to_the_floor_arrives() {
    let mut body = Body::new(ReachOptions::default());
    let mut pose = Pose::rest(&body.skeleton);
    let (from, to) = (body.wrist(&pose), Vec3::new(-0.3, 0.1, 0.35));
    for frame in 0..=180 {
        let part = sinew::body::reach::minimum_jerk(frame as Real / 120.0);
        let target = from.lerp(to, part);
        let report = body.reach(Target::Position(target), &mut pose);
        let off = body.wrist(&pose).distance(target);
        assert!((off - report.hand(Side::Right).unwrap().outcome.residual.position).abs() < 1e-4);
    }
    assert!(body.reach(Target::Position(to), &mut pose).reached());
}
