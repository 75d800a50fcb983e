//! The motion of a reach as a whole: decided before it starts, straight where nothing is in the way,
//! free of contact in every frame, and with a true reason where there is none.

use crate::counting;
use sinew::body::reach::{
    ReachOptions, ReachPlan, ReachPlanOptions, ReachSolver, Style, Surroundings, minimum_jerk, standing,
};
use sinew::collision::{CollisionBody, CollisionQuery, CollisionScene, ObstacleShape, Touched};
use sinew::math::{Real, rotation};
use sinew::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use sinew::{Cause, ModelPose, Pose, Skeleton, Target, Transform, Vec3, rigs};

use crate::numbers::Numbers;

const FRAMES: usize = 60;

struct Human {
    skeleton: Skeleton,
    map: HumanoidMap,
    solver: ReachSolver,
}

fn human() -> Human {
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let rest = Pose::rest(&skeleton);
    let mut solver = ReachSolver::new(&skeleton, &map, &rest, ReachOptions::default()).unwrap();
    for side in Side::BOTH {
        solver.set_behaviour(Style::Plain.behaviour(&skeleton, &map, side).unwrap()).unwrap();
    }
    Human { skeleton, map, solver }
}

impl Human {
    fn among(&self, scene: CollisionScene) -> Surroundings {
        let body = CollisionBody::from_rig(&self.skeleton, &self.map);
        Surroundings::new(&self.skeleton, &self.map, body, scene, self.solver.initial_model())
    }

    fn plan(&self, targets: &[(Side, Target)], around: Option<&mut Surroundings>) -> ReachPlan {
        ReachPlan::new(&self.skeleton, &self.solver, targets, around, &ReachPlanOptions::default())
    }

    fn frames(&self, plan: &mut ReachPlan, count: usize) -> Vec<Pose> {
        let sample = |frame: usize| {
            let mut pose = Pose::rest(&self.skeleton);
            plan.sample(&self.skeleton, frame as Real, count as Real, &mut pose);
            pose
        };
        (0..=count).map(sample).collect()
    }

    fn wrist(&self, side: Side, pose: &Pose) -> Transform {
        ModelPose::new(&self.skeleton, pose).transform(self.map.arm(side).unwrap().end)
    }
}

fn crate_at(centre: Vec3, size: Vec3) -> CollisionScene {
    let mut scene = CollisionScene::new();
    let shape = ObstacleShape::Cuboid { half_extents: size * 0.5 };
    scene.add("crate", shape, Transform::from_translation(centre)).unwrap();
    scene
}

/// In front of the right shoulder, within the arm's reach.
fn ahead(numbers: &mut Numbers) -> Vec3 {
    Vec3::new(numbers.between(-0.5, -0.15), numbers.between(0.95, 1.5), numbers.between(0.25, 0.5))
}

#[test]
fn the_hand_goes_straight_with_a_bell_of_speed_and_no_joint_jumps() {
    let human = human();
    let mut numbers = Numbers::new(5);
    for _ in 0..20 {
        let at = ahead(&mut numbers);
        let mut around = human.among(CollisionScene::new());
        let mut plan = human.plan(&[(Side::Right, Target::Position(at))], Some(&mut around));
        assert!(plan.report().reached() && plan.is_straight(), "{at}: {}", plan.report());
        let frames = human.frames(&mut plan, FRAMES);
        let start = human.wrist(Side::Right, &frames[0]).translation;
        assert!((plan.length() - start.distance(at)).abs() < 1e-3);
        for (k, pose) in frames.iter().enumerate() {
            // On the line, and as far as the law of least jerk has it; knots are lines in time.
            let expected = start.lerp(at, minimum_jerk(k as Real / FRAMES as Real));
            let off = human.wrist(Side::Right, pose).translation.distance(expected);
            assert!(off < 5e-4, "{at}, frame {k}: {off}");
            assert!(pose.worst_violation(&human.skeleton).is_none_or(|(_, by)| by < 1e-3));
            for side in Side::BOTH {
                let foot = human.map.leg(side).unwrap().end;
                let model = ModelPose::new(&human.skeleton, pose);
                assert!(model.position(foot).distance(human.solver.initial_model().position(foot)) < 1e-3);
            }
        }
        let fastest = plan.fastest_turn() / FRAMES as Real;
        for pair in frames.windows(2) {
            for id in human.skeleton.ids() {
                let turn = rotation::angle(pair[1].rotation(id) * pair[0].rotation(id).conjugate());
                assert!(turn <= 1.05 * fastest + 1e-3, "{turn} > {fastest}");
            }
        }
        assert!(plan.fastest_turn() / plan.duration() < 5.3, "{}", plan.fastest_turn());
    }
}

/// Far behind the shoulder there is a share of the blend from the first to the last posture at which a limit
/// keeps the arm from the line. The hand left it by a third of its length there, until the body could leave
/// the blend.
#[test]
fn the_hand_goes_straight_behind_the_shoulder_too() {
    let human = human();
    for at in [
        Vec3::new(-0.6469, 1.9371, -0.3276),
        Vec3::new(-0.4653, 1.8378, -0.5876),
        Vec3::new(-0.3824, 1.2761, -0.1799),
    ] {
        let mut around = human.among(CollisionScene::new());
        let mut plan = human.plan(&[(Side::Right, Target::Position(at))], Some(&mut around));
        assert!(plan.report().reached() && plan.is_straight(), "{at}: {}", plan.report());
        let count = (30.0 * plan.duration()) as usize;
        let frames = human.frames(&mut plan, count);
        let start = human.wrist(Side::Right, &frames[0]).translation;
        for (k, pose) in frames.iter().enumerate() {
            let line = (at - start).normalize();
            let off = (human.wrist(Side::Right, pose).translation - start).cross(line).length();
            assert!(off < 0.05 * start.distance(at), "{at}, frame {k}: {off}");
            assert!(pose.worst_violation(&human.skeleton).is_none_or(|(_, by)| by < 1e-3));
        }
        for pair in frames.windows(2) {
            for id in human.skeleton.ids() {
                let turn = rotation::angle(pair[1].rotation(id) * pair[0].rotation(id).conjugate());
                // 12 degrees.
                assert!(turn < 0.21, "{at}: {} turns by {turn}", human.skeleton.joint(id).name());
            }
        }
    }
}

#[test]
fn an_oriented_hand_turns_the_short_way() {
    let human = human();
    let at = Vec3::new(-0.3, 1.2, 0.4);
    let from = human.wrist(Side::Right, human.solver.initial());
    let turned = rotation::exp(Vec3::new(-0.9, 0.2, 0.1)) * from.rotation;
    let mut plan = human.plan(&[(Side::Right, Target::Pose(Transform::new(at, turned)))], None);
    assert!(plan.report().reached(), "{}", plan.report());
    let whole = rotation::angle(from.rotation.conjugate() * turned);
    for pose in human.frames(&mut plan, 30) {
        let now = human.wrist(Side::Right, &pose).rotation;
        let (done, left) =
            (rotation::angle(from.rotation.conjugate() * now), rotation::angle(now.conjugate() * turned));
        assert!((done + left - whole).abs() < 5e-3, "{done} + {left} is not {whole}");
    }
}

#[test]
fn every_frame_is_free_or_the_obstacle_is_named() {
    let human = human();
    let mut numbers = Numbers::new(11);
    let (mut crates, mut round, mut refused) = (0, 0, 0);
    while crates < 25 {
        let at = ahead(&mut numbers);
        let start = human.wrist(Side::Right, human.solver.initial()).translation;
        let centre = start.lerp(at, numbers.between(0.4, 0.8)) + Vec3::Y * numbers.between(-0.05, 0.1);
        let size =
            Vec3::new(numbers.between(0.08, 0.2), numbers.between(0.08, 0.2), numbers.between(0.08, 0.2));
        // With room for a hand between crate and target.
        if ((at - centre).abs() - size * 0.5).max_element() < 0.1 {
            continue;
        }
        crates += 1;
        let scene = crate_at(centre, size);
        let mut around = human.among(scene.clone());
        let targets = [(Side::Right, Target::Position(at))];
        let mut plan = human.plan(&targets, Some(&mut around));
        let free = human.plan(&targets, Some(&mut human.among(CollisionScene::new()))).report().reached();
        if plan.report().reached() {
            round += usize::from(!plan.is_straight());
        } else if free {
            refused += 1;
            let contact = plan.report().contact.unwrap();
            assert!(matches!(plan.report().cause, Some(Cause::Collision { .. })), "{}", plan.report());
            assert_eq!(contact.with, Touched::Obstacle(0), "reached without the crate, so the crate it is");
        }
        // Finer than the plan's own tests.
        let body = CollisionBody::from_rig(&human.skeleton, &human.map);
        let mut query = CollisionQuery::new(&body);
        query.place(&body, human.solver.initial_model());
        query.accept(&scene);
        for pose in human.frames(&mut plan, 500) {
            query.place(&body, &ModelPose::new(&human.skeleton, &pose));
            let touched = query.first_scene_contact(&scene, query.all_parts());
            assert!(touched.is_none(), "{at}: {touched:?}");
        }
    }
    assert!(round >= 5, "{round} ways round a crate");
    assert!(refused <= 3, "{refused} of 25 refused");
}

#[test]
fn who_cannot_go_stands_still_and_says_why() {
    let human = human();
    // A wall of boxes about the target: it lies inside of the crate.
    let at = Vec3::new(-0.3, 1.2, 0.45);
    let mut around = human.among(crate_at(at, Vec3::splat(0.3)));
    let mut plan = human.plan(&[(Side::Right, Target::Position(at))], Some(&mut around));
    let report = plan.report().clone();
    assert!(
        !report.reached() && matches!(report.cause, Some(Cause::Collision { other: None, .. })),
        "{report}"
    );
    assert_eq!(around.names(&report.contact.unwrap()).1, "crate");
    for pose in human.frames(&mut plan, 10) {
        assert_eq!(&pose, human.solver.initial());
    }
    // The moon is out of reach with or without it.
    let plan = human.plan(&[(Side::Right, Target::Position(Vec3::Y * 1e3))], Some(&mut around));
    assert!(matches!(plan.report().cause, Some(Cause::OutOfReach { .. })), "{}", plan.report());
    // The surroundings are as they were: the solver's frames allow what they allowed.
    let mut again = human.among(crate_at(at, Vec3::splat(0.3)));
    let (mut a, mut b) = (Pose::rest(&human.skeleton), Pose::rest(&human.skeleton));
    let targets = [(Side::Right, Target::Position(at))];
    human.solver.clone().solve_among(&human.skeleton, &targets, &mut around, 0.1, &mut a);
    human.solver.clone().solve_among(&human.skeleton, &targets, &mut again, 0.1, &mut b);
    assert_eq!(a, b);
}

#[test]
fn time_only_samples_the_plan() {
    let human = human();
    let at = Vec3::new(-0.3, 1.2, 0.5);
    let scene = crate_at(Vec3::new(-0.25, 1.0, 0.3), Vec3::new(0.2, 0.1, 0.1));
    let targets = [(Side::Right, Target::Position(at))];
    let mut plan = human.plan(&targets, Some(&mut human.among(scene.clone())));
    assert!(plan.report().reached() && !plan.is_straight(), "{}", plan.report());
    let (short, long) = (human.frames(&mut plan, 20), human.frames(&mut plan, 2000));
    for k in 0..=20 {
        assert_eq!(short[k], long[100 * k]);
    }
    // The same input, the same plan.
    let mut again = human.plan(&targets, Some(&mut human.among(scene)));
    assert_eq!(human.frames(&mut again, 20), short);
}

#[test]
fn both_hands_go_together() {
    let human = human();
    let targets = [
        (Side::Left, Target::Position(Vec3::new(0.15, 1.1, 0.4))),
        (Side::Right, Target::Position(Vec3::new(-0.15, 1.1, 0.4))),
    ];
    let mut plan = human.plan(&targets, Some(&mut human.among(CollisionScene::new())));
    assert!(plan.report().reached(), "{}", plan.report());
    let last = human.frames(&mut plan, 10).pop().unwrap();
    for (side, target) in targets {
        assert!(human.wrist(side, &last).translation.distance(target.position().unwrap()) < 1e-3);
    }
}

#[test]
fn strange_input_stands_still() {
    let human = human();
    for target in [Target::Position(Vec3::NAN), Target::Position(Vec3::splat(1e30))] {
        let mut plan = human.plan(&[(Side::Right, target)], Some(&mut human.among(CollisionScene::new())));
        assert!(!plan.report().reached());
        assert!(human.frames(&mut plan, 3).iter().all(|pose| pose == human.solver.initial()));
    }
    let mut plan = human.plan(&[], None);
    assert!(human.frames(&mut plan, 3).iter().all(|pose| pose == human.solver.initial()));
    let mut pose = Pose::rest(&human.skeleton);
    for (time, duration) in [(Real::NAN, 1.0), (1.0, 0.0), (-1.0, 1.0), (1.0, Real::NAN), (1e30, 1e-30)] {
        plan.sample(&human.skeleton, time, duration, &mut pose);
        assert!(pose.is_finite());
    }
}

#[test]
fn sampling_does_not_allocate() {
    let human = human();
    let at = Target::Position(Vec3::new(-0.3, 1.2, 0.4));
    let mut plan = human.plan(&[(Side::Right, at)], None);
    let mut pose = Pose::rest(&human.skeleton);
    let before = counting::allocations();
    for k in 0..=50 {
        plan.sample(&human.skeleton, k as Real, 50.0, &mut pose);
    }
    assert_eq!(counting::allocations(), before);
}

#[test]
fn an_arm_that_hangs_in_its_own_hip_can_leave_it() {
    // Characters whose arms hang nearer to the hips than their parts are thick stood still for ever, each
    // reach refused for what touched before it began.
    let mut human = human();
    let arm = human.map.arm(Side::Right).unwrap();
    let mut pressed = human.solver.initial().clone();
    pressed.set_rotation(arm.upper, rotation::exp(Vec3::Z * 0.12) * pressed.rotation(arm.upper));
    let body = CollisionBody::from_rig(&human.skeleton, &human.map);
    let mut query = CollisionQuery::new(&body);
    query.place(&body, &ModelPose::new(&human.skeleton, &pressed));
    let own = body.parts_below(&human.skeleton, arm.upper);
    assert!(query.first_contact(&body, &CollisionScene::new(), &own).is_some(), "the arm is in the body");
    human.solver.set_initial(&human.skeleton, &pressed).unwrap();
    let at = Vec3::new(-0.3, 1.2, 0.4);
    let plan =
        human.plan(&[(Side::Right, Target::Position(at))], Some(&mut human.among(CollisionScene::new())));
    assert!(plan.report().reached(), "{}", plan.report());
}

#[test]
fn the_body_makes_room_for_itself_among_obstacles() {
    // Boxes that the posture of choice would lean into: beside the shoulder on the way out to the right, and
    // between the shoulder and a place high up.
    let human = human();
    for (at, centre, size) in [
        ([-0.7685, 1.25, 0.3225], [-0.436, 1.154, 0.152], [0.181, 0.283, 0.116]),
        ([-0.4536, 1.6836, -0.0685], [-0.293, 1.396, 0.008], [0.286, 0.093, 0.228]),
    ] {
        let [at, centre, size] = [at, centre, size].map(|v: [f64; 3]| Vec3::from_array(v.map(|x| x as Real)));
        let mut around = human.among(crate_at(centre, size));
        let plan = human.plan(&[(Side::Right, Target::Position(at))], Some(&mut around));
        assert!(plan.report().reached(), "{at}: {}", plan.report());
    }
}

/// A chest that stands with its flank in a box may stay as deep in it as it is, but its spine, which was
/// outside, stays outside.
#[test]
fn what_touches_with_its_flank_does_not_go_in_with_its_front() {
    let mut human = human();
    let stance = standing(&human.skeleton, &human.map);
    human.solver = ReachSolver::new(&human.skeleton, &human.map, &stance, ReachOptions::default()).unwrap();
    for side in Side::BOTH {
        let behaviour = Style::Plain.behaviour(&human.skeleton, &human.map, side).unwrap();
        human.solver.set_behaviour(behaviour).unwrap();
    }
    for (target, centre, size) in [
        ([-0.424, 2.104, 0.054], [-0.197, 1.325, 0.008], [0.194, 0.219, 0.093]),
        ([0.414, 1.808, 0.051], [0.241, 1.364, 0.016], [0.283, 0.279, 0.159]),
    ] {
        let [target, centre, size] = [target, centre, size].map(Vec3::from);
        let mut around = human.among(crate_at(centre, size));
        let mut plan = human.plan(&[(Side::Right, Target::Position(target))], Some(&mut around));
        let inside = |p: Vec3| {
            let q = (p - centre).abs() - 0.5 * size;
            0.07 - q.max(Vec3::ZERO).length() - q.max_element().min(0.0)
        };
        let ends = [HumanoidBone::Spine, HumanoidBone::Neck].map(|bone| human.map.get(bone).unwrap());
        let depth = |pose: &Pose| {
            let model = ModelPose::new(&human.skeleton, pose);
            let [a, b] = ends.map(|joint| model.position(joint));
            (0..=20).map(|i| inside(a.lerp(b, i as Real / 20.0))).fold(Real::NEG_INFINITY, Real::max)
        };
        let frames = human.frames(&mut plan, FRAMES);
        assert!(depth(&frames[0]) < 0.0);
        let deepest = frames.iter().map(depth).fold(Real::NEG_INFINITY, Real::max);
        assert!(deepest < 3.0e-3, "the spine is {:.1} mm in the box", deepest * 1.0e3);
    }
}

/// On the way to the floor, which takes descents of the whole body, head and idle arm go over from where they
/// are to where they end, and not further: an arm that takes its last angles from the shoulder while the trunk is
/// upright flies up.
#[test]
fn the_idle_arm_is_not_flung_about() {
    let human = human();
    let mut scene = CollisionScene::new();
    scene.add("floor", ObstacleShape::HalfSpace { normal: Vec3::Y }, Transform::IDENTITY).unwrap();
    let mut around = human.among(scene);
    let target = Target::Position(Vec3::new(-0.2, 0.08, 0.4));
    let mut plan = human.plan(&[(Side::Right, target)], Some(&mut around));
    assert!(plan.report().reached(), "{:?}", plan.report().cause);
    let frames = human.frames(&mut plan, FRAMES);
    let arm = human.map.arm(Side::Left).unwrap();
    for joint in [arm.upper, arm.lower, human.map.get(HumanoidBone::Head).unwrap()] {
        let turned = |a: &Pose, b: &Pose| rotation::angle(a.rotation(joint).conjugate() * b.rotation(joint));
        let (first, last) = (&frames[0], &frames[FRAMES]);
        for frame in &frames {
            let detour = turned(first, frame) + turned(frame, last) - turned(first, last);
            assert!(detour < 0.02, "{joint:?}: {detour:.3} rad");
        }
    }
    // However far the trunk bows, it hangs.
    for frame in &frames {
        let model = ModelPose::new(&human.skeleton, frame);
        let along = (model.position(arm.lower) - model.position(arm.upper)).normalize();
        assert!(along.y < -0.7, "the idle arm points to {along}");
    }
}

/// However the hand turns on its way, what is called reached ends as it should be turned.
#[test]
fn what_is_reached_is_turned_as_asked() {
    let human = human();
    let mut numbers = Numbers::new(17);
    for _ in 0..30 {
        let at = ahead(&mut numbers);
        let angles = [0; 3].map(|_| numbers.between(-1.0, 1.0));
        let turn = rotation::exp(Vec3::from(angles));
        let target = Target::Pose(Transform::new(at, turn));
        let mut around = human.among(CollisionScene::new());
        let mut plan = human.plan(&[(Side::Right, target)], Some(&mut around));
        if plan.report().reached() {
            let frames = human.frames(&mut plan, 1);
            let wrist = human.wrist(Side::Right, &frames[1]);
            let off = rotation::angle(wrist.rotation.conjugate() * turn);
            assert!(wrist.translation.distance(at) < 1.0e-3 && off < 1.0e-2, "{at} {angles:?}: off by {off}");
        }
    }
}
