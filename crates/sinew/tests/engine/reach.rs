//! Reaching with the whole body: the swing plane, the behaviours, and a solver
//! that holds the feet and the limits whatever is asked of it.

use crate::counting;
use proptest::prelude::*;
use sinew::body::reach::{
    Behaviour, KeyPosture, KeyValues, OUTER, ReachOptions, ReachSolver, Style, minimum_jerk,
};
use sinew::error::RigError;
use sinew::math::{Real, Vec2, rotation, swing_twist};
use sinew::skeleton::humanoid::{HumanoidMap, Side};
use sinew::{Cause, ModelPose, Pose, Quat, Skeleton, Status, Target, Transform, Vec3, rigs};

mod motion;

/// Seconds from one solve to the next.
const DT: Real = 1.0 / 30.0;

use crate::numbers::Numbers;

/// Anywhere in the disk of swings.
fn swing(numbers: &mut Numbers) -> Vec2 {
    swing_twist::swing_of(numbers.direction())
}

fn human() -> (Skeleton, HumanoidMap) {
    let skeleton = rigs::humanoid(rigs::SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    (skeleton, map)
}

fn solver(skeleton: &Skeleton, map: &HumanoidMap, style: Style, options: ReachOptions) -> ReachSolver {
    let behaviours = Side::BOTH.map(|side| style.behaviour(skeleton, map, side).unwrap());
    let stance = behaviours[0].stance().cloned().unwrap_or(Pose::rest(skeleton));
    let mut solver = ReachSolver::new(skeleton, map, &stance, options).unwrap();
    for behaviour in behaviours {
        solver.set_behaviour(behaviour).unwrap();
    }
    solver
}

/// A behaviour of a tiny rig with keys at these swings besides the outer ones.
fn plane(swings: &[Vec2]) -> Result<Behaviour, RigError> {
    let rig = rigs::chain(1, 1.0);
    let key =
        |swing: &Vec2| KeyPosture { swing: *swing, pose: Pose::rest(&rig), values: KeyValues::default() };
    Behaviour::from_keys("plane", Side::Left, &rig, OUTER.iter().chain(swings).map(key).collect())
}

/// Whether this was refused because of this key.
fn refuses<T>(key: usize, result: Result<T, RigError>) -> bool {
    matches!(result, Err(RigError::Key { key: wrong, .. }) if wrong == key)
}

/// All weights, by key.
fn dense(plane: &Behaviour, swing: Vec2, hint: u32) -> Vec<Real> {
    let mut out = vec![0.0; plane.keys().len()];
    for (key, weight) in plane.weights(swing, hint) {
        out[key] += weight;
    }
    out
}

fn assert_is_delaunay(plane: &Behaviour) {
    let points: Vec<Vec2> = plane.keys().iter().map(|key| key.swing).collect();
    let mut area = 0.0;
    for t in plane.triangles() {
        let [a, b, c] = t.map(|i| points[i as usize]);
        let doubled = (b - a).perp_dot(c - a);
        assert!(doubled > 0.0, "counter-clockwise");
        area += 0.5 * doubled;
        // The circle through the corners holds no other point.
        let (ab, ac) = (b - a, c - a);
        let centre = Vec2::new(
            ac.y * ab.length_squared() - ab.y * ac.length_squared(),
            ab.x * ac.length_squared() - ac.x * ab.length_squared(),
        ) / (2.0 * doubled);
        let radius = centre.length();
        for (i, p) in points.iter().enumerate() {
            if !t.contains(&(i as u32)) {
                let inside = radius - p.distance(a + centre);
                assert!(
                    inside < 1e-3 * (1.0 + radius * radius),
                    "{i} is {inside} inside of the circle of {t:?}"
                );
            }
        }
    }
    let square = (OUTER[1].x - OUTER[0].x).powi(2);
    assert!((area - square).abs() < 1e-3, "the triangles cover the square once: {area} of {square}");
    // Euler: every point is a corner.
    assert_eq!(plane.triangles().len(), 2 * points.len() - 6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn weights_add_up_and_do_not_depend_on_the_hint(seed in any::<u64>(), count in 0usize..40) {
        let mut numbers = Numbers::new(seed);
        let swings: Vec<Vec2> = (0..count).map(|_| swing(&mut numbers) * 0.95).collect();
        let Ok(plane) = plane(&swings) else { return Ok(()) };
        for _ in 0..50 {
            let swing = swing(&mut numbers);
            let first = dense(&plane, swing, 0);
            let sum: Real = first.iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-5, "{}", sum);
            prop_assert!(first.iter().all(|w| *w >= 0.0));
            let hint = (numbers.unit() * 100.0) as u32;
            let other = dense(&plane, swing, hint);
            for (a, b) in first.iter().zip(&other) {
                prop_assert!((a - b).abs() < 1e-4);
            }
        }
    }

    /// The weights do not jump over edges, nor at the singular direction: directions
    /// near each other have weights near each other.
    #[test]
    fn weights_are_continuous_over_the_whole_sphere(seed in any::<u64>(), count in 0usize..12) {
        let mut numbers = Numbers::new(seed);
        // Keys well apart, so that the slope of the weights is bounded.
        let mut swings: Vec<Vec2> = Vec::new();
        while swings.len() < count {
            let swing = swing(&mut numbers) * 0.8;
            if swings.iter().all(|s| s.distance(swing) > 0.35) {
                swings.push(swing);
            }
        }
        let plane = plane(&swings).unwrap();
        for i in 0..60 {
            // A third of them about straight back.
            let direction = match i % 3 {
                0 => (Vec3::NEG_Z + numbers.vector() * 0.05).normalize(),
                _ => numbers.direction(),
            };
            let step = 1.0e-3;
            let moved = (direction + numbers.direction() * step).normalize();
            let a = dense(&plane, swing_twist::swing_of(direction), 0);
            let b = dense(&plane, swing_twist::swing_of(moved), 0);
            let most = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, Real::max);
            prop_assert!(most < 0.2, "{} at {} for a step of a millirad", most, direction);
        }
    }

    #[test]
    fn edits_keep_the_triangulation_delaunay(seed in any::<u64>()) {
        let (skeleton, _) = human();
        let rest = Pose::rest(&skeleton);
        let mut numbers = Numbers::new(seed);
        let mut behaviour = Behaviour::new("b", Side::Left, &skeleton, &rest).unwrap();
        assert_is_delaunay(&behaviour);
        for _ in 0..30 {
            let swing = swing(&mut numbers) * 0.95;
            let count = behaviour.keys().len();
            let some = 4 + (numbers.unit() * (count - 4) as Real) as usize;
            let before = behaviour.clone();
            let kind = numbers.within(1.0);
            let result = if kind < 0.2 || count < 6 {
                behaviour.insert_blended(swing).map(|_| ())
            } else if kind < 0.6 {
                behaviour.move_key(some, swing)
            } else {
                behaviour.remove(some).map(|_| ())
            };
            match result {
                Ok(()) => assert_is_delaunay(&behaviour),
                // Only two keys at one place are refused, and then nothing has changed.
                Err(RigError::Key { .. }) => {
                    prop_assert_eq!(&behaviour, &before)
                }
                Err(error) => panic!("{error}"),
            }
            // A saved behaviour is its keys: made of them again, it is the same.
            let again = Behaviour::from_keys("b", Side::Left, &skeleton, behaviour.keys().to_vec()).unwrap();
            prop_assert_eq!(again.triangles(), behaviour.triangles());
        }
    }

    /// Whatever is asked: finite, limits held, feet where they were, and what is
    /// called reached is reached by forward kinematics.
    #[test]
    fn any_target_gives_an_honest_pose(seed in any::<u64>(), style in 0usize..3, both in any::<bool>()) {
        let (skeleton, map) = human();
        let mut numbers = Numbers::new(seed);
        let mut solver = solver(&skeleton, &map, Style::ALL[style], ReachOptions::default());
        let feet = ["l_ankle", "r_ankle"].map(|name| skeleton.find(name).unwrap());
        let wrists = ["l_wrist", "r_wrist"].map(|name| skeleton.find(name).unwrap());
        let before = feet.map(|foot| solver.initial_model().position(foot));
        let mut pose = Pose::rest(&skeleton);
        for _ in 0..20 {
            let mut target = || {
                let at = Vec3::Y * 1.1 + numbers.vector() * 1.1;
                let turned = (numbers.within(1.0) > 0.0).then(|| rotation::exp(numbers.vector() * 2.0));
                Target::from_parts(at, turned)
            };
            let left = both.then(|| (Side::Left, target()));
            let targets: Vec<(Side, Target)> = left.into_iter().chain([(Side::Right, target())]).collect();
            let report = solver.solve(&skeleton, &targets, DT, &mut pose).clone();
            prop_assert!(pose.is_finite());
            if let Some((joint, by)) = pose.worst_violation(&skeleton) {
                panic!("{} is {by} outside of its limit at {targets:?}", skeleton.joint(joint).name());
            }
            let model = ModelPose::new(&skeleton, &pose);
            for (foot, before) in feet.iter().zip(before) {
                let moved = model.position(*foot).distance(before);
                prop_assert!(moved < 1e-4, "a foot moved by {moved}");
            }
            prop_assert_eq!(report.reached(), report.cause.is_none());
            for &(side, target) in &targets {
                let Some(hand) = report.hand(side) else { continue };
                let wrist = wrists[side as usize];
                let off = model.position(wrist).distance(target.position().unwrap());
                prop_assert!((off - hand.outcome.residual.position).abs() < 1e-4);
                if report.reached() {
                    prop_assert!(off < 1.1e-4, "{}", off);
                    if let Target::Pose(Transform { rotation: turned, .. }) = target {
                        let off = rotation::angle(model.rotation(wrist).conjugate() * turned);
                        prop_assert!(off < 5e-4, "{}", off);
                    }
                }
                if let Some(Cause::OutOfReach { by, .. }) = report.cause {
                    prop_assert!(by > 0.0);
                }
            }
        }
    }

    /// A small move of the target makes a small move of every joint, as long as the
    /// goal can be had.
    #[test]
    fn nothing_pops_along_a_path(seed in any::<u64>(), style in 0usize..3) {
        let (skeleton, map) = human();
        let mut numbers = Numbers::new(seed);
        let mut solver = solver(&skeleton, &map, Style::ALL[style], ReachOptions::default());
        let side = Side::BOTH[(seed & 1) as usize];
        let wrist = skeleton.find(["l_wrist", "r_wrist"][side as usize]).unwrap();
        let from = solver.initial_model().transform(wrist);
        // In front of the body, where hands go; through it the arm has to jump.
        let out = if side == Side::Left { 1.0 } else { -1.0 };
        let to = Vec3::new(out * 0.25 + numbers.within(1.0) * 0.5, 1.1 + numbers.within(1.0) * 0.8, 0.45 + numbers.within(1.0) * 0.3);
        let mut last = solver.initial().clone();
        let mut pose = last.clone();
        let frames = 240;
        for frame in 0..=frames {
            let done = minimum_jerk(frame as Real / frames as Real);
            let target = Target::Position(to).part_of_the_way(from, done);
            if !solver.solve(&skeleton, &[(side, target)], DT, &mut pose).reached() {
                break;
            }
            // Beside full stretch the bend goes like the root of the distance, and at the
            // edge of a limit a stretched arm may have to turn about itself at once.
            let model = ModelPose::new(&skeleton, &pose);
            let arm = solver.arm(side).unwrap();
            let joints = arm.joints();
            let stretched =
                model.position(joints.upper).distance(model.position(joints.end)) > 0.985 * arm.reach().1;
            for joint in skeleton.ids() {
                if stretched && [joints.upper, joints.lower, joints.end].contains(&joint) {
                    continue;
                }
                let turn = rotation::angle(last.rotation(joint).conjugate() * pose.rotation(joint));
                prop_assert!(turn < 0.35, "{} turns by {} at frame {} of {:?}", skeleton.joint(joint).name(), turn, frame, to);
            }
            last.copy_from(&pose);
        }
    }
}

#[test]
fn a_path_starts_where_the_body_is() {
    let (skeleton, map) = human();
    for style in Style::ALL {
        let mut solver = solver(&skeleton, &map, style, ReachOptions::default());
        for (side, wrist) in [(Side::Left, "l_wrist"), (Side::Right, "r_wrist")] {
            let hand = solver.initial_model().position(skeleton.find(wrist).unwrap());
            let mut pose = Pose::rest(&skeleton);
            solver.solve(&skeleton, &[(side, Target::Position(hand))], DT, &mut pose);
            for joint in skeleton.ids() {
                let turn =
                    rotation::angle(solver.initial().rotation(joint).conjugate() * pose.rotation(joint));
                assert!(turn < 0.03, "{}: {} turns by {turn}", style.name(), skeleton.joint(joint).name());
            }
        }
    }
}

#[test]
fn degenerate_planes_still_blend() {
    let line: Vec<Vec2> = (0..7).map(|i| Vec2::new(i as Real * 0.3 - 0.9, 0.0)).collect();
    let at_zero = [Vec2::ZERO];
    let tiny = [Vec2::ZERO, Vec2::new(3.0e-4, 0.0), Vec2::new(0.0, 3.0e-4)];
    for swings in [&[][..], &at_zero, &line, &tiny] {
        let plane = plane(swings).unwrap();
        assert_eq!(plane.triangles().len(), 2 * (swings.len() + 4) - 6);
        let mut numbers = Numbers::new(5);
        for _ in 0..500 {
            let weights = dense(&plane, swing(&mut numbers), 3);
            assert!((weights.iter().sum::<Real>() - 1.0).abs() < 1e-5);
        }
        for (i, s) in swings.iter().enumerate() {
            let weights = dense(&plane, *s, 0);
            assert!(weights[i + 4] > 0.999, "a key is itself at its own place: {weights:?}");
        }
    }
    assert!(refuses(5, plane(&[Vec2::ZERO, Vec2::ZERO])));
    assert!(refuses(4, plane(&[Vec2::NAN])));
    assert!(refuses(4, plane(&[Vec2::X * 3.2])));
    let plane = plane(&line).unwrap();
    for odd in [Vec2::NAN, Vec2::INFINITY, Vec2::splat(1e20)] {
        assert!((dense(&plane, odd, u32::MAX).iter().sum::<Real>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn behaviours_refuse_what_makes_no_sense() {
    let (skeleton, _) = human();
    let rest = Pose::rest(&skeleton);
    let other = Pose::rest(&rigs::chain(3, 1.0));
    let mut b = Behaviour::new("b", Side::Right, &skeleton, &rest).unwrap();
    let key = |swing| KeyPosture { swing, pose: rest.clone(), values: KeyValues::default() };
    assert_eq!(b.insert(key(Vec2::ZERO)).unwrap(), 4);
    assert!(refuses(5, b.insert(key(Vec2::ZERO))));
    assert_eq!(b.keys().len(), 5);
    assert!(refuses(4, b.set_posture(4, other.clone())));
    assert!(refuses(2, b.remove(2)));
    assert!(refuses(9, b.move_key(9, Vec2::ZERO)));
    let bad = KeyValues { step: 0.0, ..KeyValues::default() };
    assert!(refuses(4, b.set_values(4, bad)));
    let bad = KeyValues { start: 1.0, full: 0.5, ..KeyValues::default() };
    assert!(refuses(4, b.set_values(4, bad)));
    assert!(b.joints().is_empty(), "nothing moves yet");
    let mut bent = rest.clone();
    bent.set_rotation(skeleton.find("vl1").unwrap(), rotation::exp(Vec3::X * 0.3));
    b.set_posture(4, bent).unwrap();
    assert_eq!(b.joints(), [skeleton.find("vl1").unwrap()]);
    b.remove(4).unwrap();
    assert!(b.joints().is_empty());
}

#[test]
fn the_papers_weight_function() {
    let weight = KeyValues::default();
    assert!((weight.weight_at(0.6, 0.6) - 0.8).abs() < 1e-5);
    assert_eq!(weight.weight_at(0.0, 0.6), 0.0);
    assert!((weight.weight_at(0.3, 0.6) - 0.2).abs() < 1e-5);
    assert_eq!(weight.weight_at(0.6 / (0.8 as Real).sqrt() + 1e-3, 0.6), 1.0);
}

#[test]
fn far_low_and_high_goals_move_the_body_as_a_person_would() {
    let (skeleton, map) = human();
    let options = ReachOptions { follow: None, ..ReachOptions::default() };
    let mut solver = solver(&skeleton, &map, Style::Plain, options);
    let at = |name: &str, model: &ModelPose| model.position(skeleton.find(name).unwrap());
    let mut reach = |x: Real, y: Real, z: Real| {
        let mut pose = Pose::rest(&skeleton);
        let targets = [(Side::Right, Target::Position(Vec3::new(x, y, z)))];
        let report = solver.solve(&skeleton, &targets, DT, &mut pose).clone();
        (report, ModelPose::new(&skeleton, &pose))
    };
    let rest = ModelPose::rest(&skeleton);
    let (near, still) = reach(-0.25, 1.2, 0.3);
    assert!(near.reached());
    assert!(at("vt1", &still).distance(at("vt1", &rest)) < 0.01, "near goals leave the body alone");
    let (far, ahead) = reach(-0.15, 1.3, 0.8);
    assert!(far.reached() && at("vt1", &ahead).z > at("vt1", &rest).z + 0.1, "leans");
    let (low, bent) = reach(-0.2, 0.3, 0.4);
    assert!(low.reached(), "{low:?}");
    assert!(at("HumanoidRoot", &bent).y < at("HumanoidRoot", &rest).y - 0.08, "the hips sink");
    assert!(at("r_knee", &bent).z > at("r_knee", &rest).z + 0.03, "the knees bend");
    assert!(at("skullbase", &bent).y < 1.25, "the trunk bends");
    let (high, up) = reach(-0.2, 2.0, 0.2);
    assert!(
        high.reached() && at("r_shoulder", &up).y > at("r_shoulder", &rest).y + 0.015,
        "the shoulder rises"
    );
}

#[test]
fn a_tired_body_hangs_its_head() {
    let (skeleton, map) = human();
    let tired = solver(&skeleton, &map, Style::Tired, ReachOptions::default());
    let head = skeleton.find("skullbase").unwrap();
    let face = |model: &ModelPose| model.rotation(head) * Vec3::Z;
    assert!(face(tired.initial_model()).y < -0.4, "looks down while standing");
    assert!(face(&ModelPose::rest(&skeleton)).y.abs() < 1e-4);
}

#[test]
fn two_hands_share_the_trunk_by_preference() {
    let (skeleton, map) = human();
    let targets = [
        (Side::Left, Target::Position(Vec3::new(0.3, 1.2, 0.7))),
        (Side::Right, Target::Position(Vec3::new(-0.3, 1.2, 0.7))),
    ];
    let chest = skeleton.find("vt6").unwrap();
    let turn = |share: Real| {
        let options = ReachOptions { right_share: share, ..ReachOptions::default() };
        let mut solver = solver(&skeleton, &map, Style::Plain, options);
        let mut pose = Pose::rest(&skeleton);
        assert!(solver.solve(&skeleton, &targets, DT, &mut pose).hands.iter().all(Option::is_some));
        rotation::log(pose.rotation(chest)).y
    };
    // The right arm's posture brings the right shoulder forwards: a turn to the left.
    assert!(turn(0.5).abs() < 1e-3, "as much to either side: {}", turn(0.5));
    assert!(turn(0.8) > 0.01 && turn(1.0) > turn(0.8));
    assert!((turn(0.2) + turn(0.8)).abs() < 1e-3);
    // Both hands really arrive, together.
    let mut solver = solver(&skeleton, &map, Style::TwoHanded, ReachOptions::default());
    let mut pose = Pose::rest(&skeleton);
    assert!(solver.solve(&skeleton, &targets, DT, &mut pose).reached());
}

#[test]
fn nonsense_is_reported_and_leaves_the_pose_alone() {
    let (skeleton, map) = human();
    let mut solver = solver(&skeleton, &map, Style::Plain, ReachOptions::default());
    let start = solver.initial().clone();
    let mut pose = start.clone();
    for bad in [Vec3::NAN, Vec3::INFINITY] {
        let report = solver.solve(&skeleton, &[(Side::Left, Target::Position(bad))], DT, &mut pose);
        assert_eq!(report.status, Status::NotReached);
        assert!(matches!(report.cause, Some(Cause::NotFinite { .. })));
        assert_eq!(pose, start);
    }
    let turned = Target::from_parts(Vec3::Y, Some(Quat::from_xyzw(0.0, 0.0, Real::NAN, 1.0)));
    assert!(!solver.solve(&skeleton, &[(Side::Left, turned)], DT, &mut pose).reached());
    assert_eq!(pose, start);
    // A goal in the shoulder itself, and one in the middle of the body.
    let shoulder = solver.initial_model().position(skeleton.find("r_shoulder").unwrap());
    for at in [shoulder, Vec3::new(0.0, 1.2, -0.05), Vec3::new(0.0, 1e6, 0.0), Vec3::ZERO] {
        solver.solve(&skeleton, &[(Side::Right, Target::Position(at))], DT, &mut pose);
        assert!(pose.is_finite() && pose.worst_violation(&skeleton).is_none());
    }
    // Nobody wants anything: the initial posture, once the arm has come back to it.
    for _ in 0..40 {
        assert!(solver.solve(&skeleton, &[], DT, &mut pose).reached());
    }
    assert_eq!(pose, start);
    let chain = rigs::chain(3, 1.0);
    let mut small = Pose::rest(&chain);
    let report = solver.solve(&chain, &[], DT, &mut small);
    assert_eq!(report.cause, Some(Cause::Mismatch));
    assert!(ReachSolver::new(&chain, &HumanoidMap::find(&chain), &small, ReachOptions::default()).is_err());
}

#[test]
fn the_same_input_gives_the_same_bits() {
    let (skeleton, map) = human();
    let run = || {
        let mut solver = solver(&skeleton, &map, Style::Plain, ReachOptions::default());
        let mut numbers = Numbers::new(11);
        let mut pose = Pose::rest(&skeleton);
        let mut all = Vec::new();
        for _ in 0..50 {
            let at = Vec3::Y * 1.1 + numbers.vector();
            solver.solve(&skeleton, &[(Side::Right, Target::Position(at))], DT, &mut pose);
            all.push(pose.clone());
        }
        all
    };
    assert_eq!(run(), run());
}

#[test]
fn solving_does_not_allocate() {
    let (skeleton, map) = human();
    let mut solver = solver(&skeleton, &map, Style::Plain, ReachOptions::default());
    let mut numbers = Numbers::new(2);
    let mut pose = Pose::rest(&skeleton);
    let before = counting::allocations();
    for _ in 0..200 {
        let targets = Side::BOTH.map(|side| {
            let at = Vec3::Y * 1.1 + numbers.vector();
            (side, Target::Pose(Transform::new(at, rotation::exp(numbers.vector()))))
        });
        solver.solve(&skeleton, &targets, DT, &mut pose);
    }
    assert_eq!(counting::allocations() - before, 0);
}

#[cfg(feature = "collision")]
mod among {
    use super::*;
    use sinew::body::reach::Surroundings;
    use sinew::collision::{CollisionBody, CollisionScene, ObstacleShape};

    fn surroundings(
        skeleton: &Skeleton,
        map: &HumanoidMap,
        solver: &ReachSolver,
        scene: CollisionScene,
    ) -> Surroundings {
        let body = CollisionBody::from_rig(skeleton, map);
        Surroundings::new(skeleton, map, body, scene, solver.initial_model())
    }

    fn block(scene: &mut CollisionScene, name: &str, at: [Real; 3], half: [Real; 3]) {
        let shape = ObstacleShape::Cuboid { half_extents: Vec3::from_array(half) };
        scene.add(name, shape, Transform::from_translation(Vec3::from_array(at))).unwrap();
    }

    #[test]
    fn without_anything_in_the_way_it_is_the_same_as_alone() {
        let (skeleton, map) = human();
        let options = ReachOptions { follow: None, ..ReachOptions::default() };
        let mut solver = solver(&skeleton, &map, Style::Plain, options);
        let mut scene = CollisionScene::new();
        scene.add("floor", ObstacleShape::HalfSpace { normal: Vec3::Y }, Transform::IDENTITY).unwrap();
        let mut around = surroundings(&skeleton, &map, &solver, scene);
        let (mut alone, mut among) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
        for at in [[-0.3, 1.2, 0.4], [-0.2, 0.7, 0.6], [-0.6, 1.5, 0.2]] {
            let targets = [(Side::Right, Target::Position(Vec3::from_array(at)))];
            assert!(solver.solve(&skeleton, &targets, DT, &mut alone).reached());
            let report = solver.solve_among(&skeleton, &targets, &mut around, DT, &mut among);
            assert!(report.reached() && report.tests >= 2, "{report:?}");
            assert_eq!(alone, among);
        }
    }

    #[test]
    fn a_wall_before_the_chest_keeps_the_body_back() {
        let (skeleton, map) = human();
        let mut solver =
            solver(&skeleton, &map, Style::Plain, ReachOptions { follow: None, ..ReachOptions::default() });
        let mut scene = CollisionScene::new();
        // Beside the arm's way, before the head.
        block(&mut scene, "bar", [0.1, 1.55, 0.3], [0.2, 0.1, 0.05]);
        let mut around = surroundings(&skeleton, &map, &solver, scene);
        let targets = [(Side::Right, Target::Position(Vec3::new(-0.25, 1.25, 0.75)))];
        let mut pose = Pose::rest(&skeleton);
        let free = solver.solve(&skeleton, &targets, DT, &mut pose).clone();
        assert!(free.reached());
        let head = skeleton.find("skullbase").unwrap();
        let leaned = ModelPose::new(&skeleton, &pose).position(head).z;
        let report = solver.solve_among(&skeleton, &targets, &mut around, DT, &mut pose).clone();
        assert!(report.kept < 0.99, "{report:?}");
        assert!(ModelPose::new(&skeleton, &pose).position(head).z < leaned - 0.02);
        assert!(pose.worst_violation(&skeleton).is_none());
    }

    #[test]
    fn a_hand_that_cannot_get_there_names_both() {
        let (skeleton, map) = human();
        let mut solver = solver(&skeleton, &map, Style::Plain, ReachOptions::default());
        let mut scene = CollisionScene::new();
        block(&mut scene, "safe", [-0.3, 1.2, 0.45], [0.15, 0.15, 0.15]);
        let mut around = surroundings(&skeleton, &map, &solver, scene);
        let targets = [(Side::Right, Target::Position(Vec3::new(-0.3, 1.2, 0.45)))];
        let mut pose = Pose::rest(&skeleton);
        let report = solver.solve_among(&skeleton, &targets, &mut around, DT, &mut pose).clone();
        assert!(!report.reached());
        assert!(matches!(report.cause, Some(Cause::Collision { other: None, .. })), "{report:?}");
        let (part, with) = around.names(&report.contact.unwrap());
        assert!(part.starts_with("right") && with == "safe", "{part} and {with}");
    }

    #[test]
    fn what_the_body_touches_to_begin_with_is_allowed() {
        let (skeleton, map) = human();
        let mut solver = solver(&skeleton, &map, Style::Plain, ReachOptions::default());
        let mut scene = CollisionScene::new();
        // The wall that it leans against.
        block(&mut scene, "wall", [0.0, 1.0, -0.25], [1.0, 1.0, 0.1]);
        let mut around = surroundings(&skeleton, &map, &solver, scene);
        let targets = [(Side::Right, Target::Position(Vec3::new(-0.3, 1.2, 0.4)))];
        let mut pose = Pose::rest(&skeleton);
        assert!(solver.solve_among(&skeleton, &targets, &mut around, DT, &mut pose).reached());
    }

    #[test]
    fn solving_among_obstacles_does_not_allocate() {
        let (skeleton, map) = human();
        let mut solver = solver(&skeleton, &map, Style::Plain, ReachOptions::default());
        let mut scene = CollisionScene::new();
        block(&mut scene, "box", [-0.3, 1.2, 0.3], [0.1, 0.1, 0.1]);
        block(&mut scene, "bar", [0.0, 1.5, 0.3], [0.5, 0.05, 0.05]);
        let mut around = surroundings(&skeleton, &map, &solver, scene);
        let mut numbers = Numbers::new(2);
        let mut pose = Pose::rest(&skeleton);
        let before = counting::allocations();
        let mut hit = 0;
        for _ in 0..100 {
            let at = Vec3::Y * 1.1 + numbers.vector() * 0.7;
            let targets = [(Side::Right, Target::Position(at))];
            let report = solver.solve_among(&skeleton, &targets, &mut around, DT, &mut pose);
            hit += usize::from(report.contact.is_some());
            assert!(pose.is_finite());
        }
        assert_eq!(counting::allocations() - before, 0);
        assert!(hit > 3, "some of them were in the way");
    }
}
