//! The two-bone solver and the look: reached by forward kinematics, continuous,
//! finite whatever is asked.

use proptest::prelude::*;
use sinew::analytic::{Aim, AimOptions, TwoBone, TwoBoneJoints, TwoBoneOptions};
use sinew::error::RigError;
use sinew::math::{Quat, Real, rotation};
use sinew::report::Outcome;
use sinew::rigs::{SwingModel, humanoid, humanoid_with_hands};
use sinew::skeleton::humanoid::{HumanoidMap, LimbJoints, Side};
use sinew::{Cause, JointId, ModelPose, Pose, Skeleton, Vec3};

fn arm(options: &TwoBoneOptions) -> TwoBone {
    TwoBone::new(Vec3::X * 0.3, Vec3::new(0.5165, -0.125, 0.0), Vec3::Z, options).unwrap()
}

fn vector() -> impl Strategy<Value = Vec3> {
    let part = || (-1.0..1.0f64).prop_map(|x| x as Real);
    (part(), part(), part()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

proptest! {
    #[test]
    fn two_bones_reach_on_the_side_of_the_pole(
        target in vector(), pole in vector(), mid in vector(), end in vector(), axis in vector(), turn in vector(),
    ) {
        prop_assume!(mid.length() > 0.2 && end.distance(mid) > 0.2 && axis.length() > 0.3);
        // Any rest, any axis that bends it, seen from any frame.
        let turn = rotation::exp(turn * 2.0);
        let across = mid.cross(end - mid);
        let axis = if across.length() > 0.1 { across + axis * 0.05 } else { axis };
        let Ok(limb) = TwoBone::new(turn * mid, turn * end, turn * axis, &TwoBoneOptions::default()) else {
            return Ok(());
        };
        let target = turn * target;
        let pole = turn * pole;
        let solved = limb.solve(target, pole);
        let (elbow, hand) = limb.place(&solved);
        prop_assert!(elbow.is_finite() && hand.is_finite());
        prop_assert!((elbow.length() - mid.length()).abs() < 1e-4);
        prop_assert!((hand.distance(elbow) - end.distance(mid)).abs() < 1e-4);
        prop_assert!((hand.distance(target) - solved.missing).abs() < 1e-4, "{} {}", hand.distance(target), solved.missing);
        let longest = limb.length();
        if target.length() < longest * 0.99 && solved.missing > 1e-3 {
            // Too near for the bones, then.
            prop_assert!(hand.length() > target.length(), "{hand:?} {target:?}");
        }
    }
}

/// A test of random limbs found it: an axis to which one bone leans as far as the other away from it has start and end
/// in one plane, and was taken for one at right angles to both. The hand missed by the square of the lean.
#[test]
fn bones_that_lean_to_both_sides_of_the_axis_reach() {
    for lean in [0.003, 0.0123, 0.05, 0.2] {
        let (mid, end) = (Vec3::new(0.4, lean, 0.0), Vec3::new(0.7, 0.0, 0.1));
        let limb = TwoBone::new(mid, end, Vec3::Y, &TwoBoneOptions::default()).unwrap();
        for i in 0..100 {
            let t = i as Real;
            let target = Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()).normalize() * 0.5;
            let (_, hand) = limb.place(&limb.solve(target, Vec3::new(t.cos(), 0.3, t.sin())));
            assert!(hand.distance(target) < 2e-6, "{lean} {i}: {}", hand.distance(target));
        }
    }
}

#[test]
fn the_elbow_points_to_its_pole() {
    let limb = arm(&TwoBoneOptions::default());
    for i in 0..500 {
        let t = i as Real;
        let direction = Vec3::new((t * 0.7).sin(), (t * 1.3).cos(), (t * 0.31).sin()).normalize();
        let target = direction * (0.1 + 0.4 * (t * 0.17).sin().abs());
        let pole = Vec3::new((t * 0.37).cos(), (t * 0.71).sin(), (t * 1.9).cos());
        let (elbow, hand) = limb.place(&limb.solve(target, pole));
        assert!(hand.distance(target) < 1e-5, "{i}");
        let aside = |v: Vec3| v - direction * v.dot(direction);
        let (e, p) = (aside(elbow), aside(pole));
        if p.length() > 0.1 && e.length() > 0.01 {
            assert!(rotation::angle_between(e.normalize(), p.normalize()) < 1e-3, "{i}");
        }
    }
}

#[test]
fn a_soft_limb_never_snaps_and_a_stretched_one_arrives() {
    let soft = arm(&TwoBoneOptions { soft: 0.06, stretch: 1.0 });
    let hard = arm(&TwoBoneOptions::default());
    let grows = arm(&TwoBoneOptions { soft: 0.06, stretch: 1.5 });
    let mut last: Option<[Quat; 2]> = None;
    let mut largest = [0.0 as Real; 2];
    let mut last_reach = 0.0;
    for i in 0..8000 {
        let target = Vec3::new(0.6, 0.3, 0.2).normalize() * (0.4 + i as Real * 5e-5);
        let (s, h) = (soft.solve(target, Vec3::Z), hard.solve(target, Vec3::Z));
        if let Some([a, b]) = last {
            largest[0] = largest[0].max(rotation::angle(a.conjugate() * s.mid));
            largest[1] = largest[1].max(rotation::angle(b.conjugate() * h.mid));
        }
        last = Some([s.mid, h.mid]);
        let reach = soft.place(&s).1.length();
        assert!(reach >= last_reach - 1e-6 && reach < 0.55, "{i}");
        last_reach = reach;
        let (_, end) = grows.place(&grows.solve(target, Vec3::Z));
        assert!(end.distance(target) < 1e-5 || target.length() > 0.8, "{i}: {end:?}");
    }
    assert!(largest[0] < 0.002, "half a degree in ten millimetres at most: {largest:?}");
    assert!(largest[1] > 5.0 * largest[0], "{largest:?}");
}

#[test]
fn two_bones_that_are_none_are_refused() {
    let options = TwoBoneOptions::default();
    let new = |mid, end, axis| TwoBone::new(mid, end, axis, &options).err();
    assert!(matches!(new(Vec3::ZERO, Vec3::X, Vec3::Z), Some(RigError::ZeroLength { .. })));
    assert!(matches!(new(Vec3::X, Vec3::X, Vec3::Z), Some(RigError::ZeroLength { .. })));
    assert!(matches!(new(Vec3::X, Vec3::X * 2.0, Vec3::X), Some(RigError::CannotBend { .. })));
    assert!(matches!(new(Vec3::X, Vec3::X * 2.0, Vec3::ZERO), Some(RigError::CannotBend { .. })));
    assert!(matches!(new(Vec3::X, Vec3::NAN, Vec3::Z), Some(RigError::BadOption(_))));
    let bad = TwoBoneOptions { soft: -1.0, ..options };
    assert!(matches!(TwoBone::new(Vec3::X, Vec3::Y, Vec3::Z, &bad).err(), Some(RigError::BadOption(_))));
    let limb = arm(&options);
    for target in [Vec3::NAN, Vec3::INFINITY] {
        let solved = limb.solve(target, Vec3::Z);
        assert!(solved.start.is_finite() && solved.mid.is_finite());
    }
    for (target, pole) in [(Vec3::ZERO, Vec3::Z), (Vec3::X * 0.4, Vec3::X), (Vec3::X * 0.4, Vec3::ZERO)] {
        let (elbow, hand) = limb.place(&limb.solve(target, pole));
        assert!(elbow.is_finite() && hand.is_finite());
        assert!((elbow.length() - 0.3).abs() < 1e-5);
    }
}

fn look(skeleton: &Skeleton, names: &[(&str, Real)]) -> Aim {
    let joints: Vec<(JointId, Real)> = names.iter().map(|(n, w)| (skeleton.find(n).unwrap(), *w)).collect();
    Aim::new(skeleton, &joints, Vec3::Z, Vec3::ZERO, &AimOptions::default()).unwrap()
}

const HEAD: [(&str, Real); 3] = [("vt1", 0.5), ("vc4", 1.0), ("skullbase", 2.0)];

#[test]
fn the_head_looks_where_it_can_and_says_where_it_cannot() {
    let skeleton = humanoid_with_hands(SwingModel::Ellipse);
    let mut head = look(&skeleton, &HEAD);
    let mut eyes = look(&skeleton, &[("vc4", 1.0), ("skullbase", 2.0), ("l_eyeball_joint", 1.0)]);
    let rest = ModelPose::rest(&skeleton);
    let from = rest.position(skeleton.find("skullbase").unwrap());
    let mut reached = 0;
    for yaw in -17..=17 {
        for pitch in -8..=8 {
            let (a, b) = (yaw as Real * 0.17, pitch as Real * 0.17);
            let direction = Vec3::new(a.sin() * b.cos(), b.sin(), a.cos() * b.cos());
            let target = from + direction * 3.0;
            for (aim, joint) in [(&mut head, "skullbase"), (&mut eyes, "l_eyeball_joint")] {
                let mut pose = Pose::rest(&skeleton);
                let model = rest.clone();
                let report = aim.solve(&skeleton, &model, target, 1.0, &mut pose);
                assert!(pose.is_finite() && pose.worst_violation(&skeleton).is_none_or(|(_, v)| v < 1e-4));
                let now = ModelPose::new(&skeleton, &pose).transform(skeleton.find(joint).unwrap());
                let off =
                    rotation::angle_between(now.rotation * Vec3::Z, (target - now.translation).normalize());
                assert!((off - report.residual.orientation).abs() < 1e-3, "{off} {report}");
                match report.cause {
                    None => reached += 1,
                    Some(Cause::Limit { .. } | Cause::Faded { .. }) => {
                        assert!(a.abs() > 1.0 || b.abs() > 0.5)
                    }
                    other => panic!("{other:?} at {a} {b}"),
                }
            }
        }
    }
    assert!(reached > 300, "{reached}");
}

#[test]
fn a_look_to_the_side_and_up_does_not_lean() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let mut head = look(&skeleton, &HEAD);
    let skull = skeleton.find("skullbase").unwrap();
    let from = ModelPose::rest(&skeleton).position(skull);
    for (x, y) in [(1.0, 0.6), (-1.0, 0.6), (0.8, -0.5), (0.0, 0.7), (1.5, 0.0)] {
        let mut pose = Pose::rest(&skeleton);
        let mut model = ModelPose::rest(&skeleton);
        let report = head.solve(&skeleton, &model, from + Vec3::new(x, y, 1.5), 1.0, &mut pose);
        assert!(report.reached(), "{x} {y}: {report:?}");
        model.update(&skeleton, &pose);
        let side = model.rotation(skull) * Vec3::X;
        assert!(side.y.abs() < 0.12, "{x} {y}: leans by {}", side.y.asin().to_degrees());
    }
}

#[test]
fn a_look_is_continuous_even_behind() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let mut head = look(&skeleton, &HEAD);
    let from = ModelPose::rest(&skeleton).position(skeleton.find("skullbase").unwrap());
    let mut worst: Real = 0.0;
    for lean in [-0.4, 0.0, 0.3] {
        let mut last: Option<Pose> = None;
        for i in 0..1440 {
            let a = i as Real * std::f64::consts::TAU as Real / 1440.0;
            let mut pose = Pose::rest(&skeleton);
            let model = ModelPose::rest(&skeleton);
            head.solve(&skeleton, &model, from + Vec3::new(a.sin(), lean, a.cos()) * 2.0, 1.0, &mut pose);
            if let Some(last) = last {
                for id in skeleton.ids() {
                    worst = worst.max(rotation::angle(last.rotation(id).conjugate() * pose.rotation(id)));
                }
            }
            last = Some(pose);
        }
    }
    // A quarter of a degree of the target, and the fade is a few times as fast.
    assert!(worst < 0.06, "{}°", worst.to_degrees());
}

#[test]
fn looks_that_make_no_sense_are_refused() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let id = |n: &str| skeleton.find(n).unwrap();
    let new = |joints: &[(JointId, Real)], gaze| {
        Aim::new(&skeleton, joints, gaze, Vec3::ZERO, &AimOptions::default()).err()
    };
    assert_eq!(new(&[], Vec3::Z), Some(RigError::NoJoints));
    assert!(matches!(new(&[(id("vc4"), 0.0)], Vec3::Z), Some(RigError::BadOption(_))));
    assert!(matches!(new(&[(id("vc4"), 1.0)], Vec3::ZERO), Some(RigError::BadOption(_))));
    assert!(
        matches!(new(&[(id("sacroiliac"), 1.0)], Vec3::Z), Some(RigError::WrongKind { joint, .. }) if joint == "sacroiliac")
    );
    let wrong = new(&[(id("skullbase"), 1.0), (id("vc4"), 1.0)], Vec3::Z);
    assert!(matches!(wrong, Some(RigError::NotBelow { .. })));
    let mut head = look(&skeleton, &HEAD);
    let (mut pose, model) = (Pose::rest(&skeleton), ModelPose::rest(&skeleton));
    let before = pose.clone();
    assert_eq!(head.solve(&skeleton, &model, Vec3::NAN, 1.0, &mut pose).cause.unwrap().name(), "not finite");
    assert_eq!(pose, before);
    let eye = model.position(id("skullbase"));
    head.solve(&skeleton, &model, eye, 1.0, &mut pose);
    assert!(pose.is_finite());
}

/// A pose such as an animation has, and where it stands.
fn animated(skeleton: &Skeleton, turns: &[Vec3]) -> (Pose, ModelPose) {
    let mut pose = Pose::rest(skeleton);
    for (id, turn) in skeleton.ids().zip(turns.iter().cycle()) {
        pose.set_rotation(id, rotation::exp(*turn * 0.4));
    }
    pose.project(skeleton);
    let model = ModelPose::new(skeleton, &pose);
    (pose, model)
}

fn largest_turn(a: &Pose, b: &Pose) -> Real {
    let turns = a.rotations().iter().zip(b.rotations());
    turns.map(|(a, b)| rotation::angle(a.conjugate() * *b)).fold(0.0, Real::max)
}

/// Fades something in over an animation in a hundred steps and looks at what every joint does.
fn assert_fades(
    skeleton: &Skeleton,
    animation: &Pose,
    mut solve: impl FnMut(Real, &mut Pose) -> Outcome,
) -> Result<(), TestCaseError> {
    let mut zero = animation.clone();
    let off = |outcome: Outcome| outcome.residual.position + outcome.residual.orientation;
    let start = off(solve(0.0, &mut zero));
    prop_assert_eq!(&zero, animation, "influence 0 leaves every bit");
    let mut whole = animation.clone();
    solve(1.0, &mut whole);
    let (mut last, mut before) = (animation.clone(), start);
    let mean = largest_turn(animation, &whole) / 100.0;
    for step in 1..=100 {
        let mut pose = animation.clone();
        let outcome = solve(step as Real / 100.0, &mut pose);
        prop_assert!(pose.worst_violation(skeleton).is_none_or(|(_, v)| v < 1e-4));
        // A limit on the straight way to the target may push the end off it.
        if !matches!(outcome.cause, Some(Cause::Limit { .. })) {
            let now = off(outcome);
            prop_assert!(now <= before + 1e-4, "step {step}: from {before} to {now}");
            before = now;
        }
        let turn = largest_turn(&last, &pose);
        prop_assert!(turn <= (3.0 * mean).max(0.15), "step {step}: {turn}, mean {mean}");
        last = pose;
    }
    prop_assert_eq!(&last, &whole);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_look_fades_in_over_an_animation(turns in prop::collection::vec(vector(), 7), to in vector()) {
        prop_assume!(to.length() > 0.3);
        let skeleton = humanoid(SwingModel::Ellipse);
        let mut head = look(&skeleton, &HEAD);
        let skull = skeleton.find("skullbase").unwrap();
        let (animation, model) = animated(&skeleton, &turns);
        let now = model.transform(skull);
        let ahead = now.rotation * Vec3::Z;

        let mut pose = animation.clone();
        let report = head.solve(&skeleton, &model, now.translation + ahead * 2.0, 1.0, &mut pose);
        prop_assert!(report.reached());
        prop_assert!(largest_turn(&animation, &pose) < 1e-3, "it looks there already");

        // Within what a head can turn to, off the animation's own direction.
        let target = now.translation + (ahead + to.normalize() * 0.5) * 2.0;
        assert_fades(&skeleton, &animation, |influence, pose| {
            head.solve(&skeleton, &model, target, influence, pose)
        })?;

        // Given its own answers again and again, as by a caller without an animation, it does
        // not lose what it had.
        let mut pose = animation.clone();
        let first = head.solve(&skeleton, &model, target, 1.0, &mut pose);
        let mut last = first;
        for _ in 0..60 {
            last = head.solve(&skeleton, &ModelPose::new(&skeleton, &pose), target, 1.0, &mut pose);
        }
        prop_assert!(last.residual.orientation < first.residual.orientation + 1e-2, "{first} {last}");
    }

    #[test]
    fn two_bones_fade_in_over_an_animation(
        turns in prop::collection::vec(vector(), 7), to in vector(), pole in vector(), arm in any::<bool>(),
    ) {
        let skeleton = humanoid(SwingModel::Ellipse);
        let map = HumanoidMap::find(&skeleton);
        let joints = if arm { map.arm(Side::Left) } else { map.leg(Side::Left) }.unwrap();
        let limb = TwoBoneJoints::new(&skeleton, joints, None, &TwoBoneOptions::default()).unwrap();
        let (animation, model) = animated(&skeleton, &turns);
        let end = model.position(joints.end);

        let mut pose = animation.clone();
        prop_assert!(limb.solve(&skeleton, &model, end, None, 1.0, &mut pose).reached());
        prop_assert_eq!(&pose, &animation, "it stands there already");
        // As near to it as a filter leaves it.
        limb.solve(&skeleton, &model, end + to * 1e-6, None, 1.0, &mut pose);
        prop_assert!(largest_turn(&animation, &pose) < 2e-2, "{}", largest_turn(&animation, &pose));

        let target = end + to * 0.15;
        for pole in [None, Some(model.position(joints.lower) + pole * 0.1)] {
            let mut solved = animation.clone();
            let report = limb.solve(&skeleton, &model, target, pole, 1.0, &mut solved);
            let there = ModelPose::new(&skeleton, &solved).position(joints.end);
            prop_assert!((there.distance(target) - report.residual.position).abs() < 1e-4);
            prop_assert!(solved.is_finite() && solved.worst_violation(&skeleton).is_none_or(|(_, v)| v < 1e-4));
            if report.cause.is_none() {
                assert_fades(&skeleton, &animation, |influence, pose| {
                    limb.solve(&skeleton, &model, target, pole, influence, pose)
                })?;
            }
        }
    }
}

#[test]
fn joints_that_are_no_two_bones_are_refused() {
    let skeleton = humanoid(SwingModel::Ellipse);
    let map = HumanoidMap::find(&skeleton);
    let options = TwoBoneOptions::default();
    let leg = map.leg(Side::Right).unwrap();
    let new = |joints, options: &TwoBoneOptions| TwoBoneJoints::new(&skeleton, joints, None, options).err();
    let turned = LimbJoints { upper: leg.end, ..leg };
    assert!(matches!(new(turned, &options), Some(RigError::NotBelow { .. })));
    assert!(matches!(new(leg, &TwoBoneOptions { stretch: 1.2, ..options }), Some(RigError::BadOption(_))));
    let straight = sinew::rigs::chain(3, 1.0);
    let [upper, lower, end] = ["joint0", "joint1", "tip"].map(|n| straight.find(n).unwrap());
    let joints = LimbJoints { upper, lower, end };
    let none = TwoBoneJoints::new(&straight, joints, None, &options);
    assert!(
        matches!(none.err(), Some(RigError::CannotBend { .. })),
        "a straight chain of balls needs an axis"
    );
    let limb = TwoBoneJoints::new(&straight, joints, Some(Vec3::X), &options).unwrap();
    let (mut pose, model) = (Pose::rest(&straight), ModelPose::rest(&straight));
    let target = model.position(end) * 0.7;
    assert!(limb.solve(&straight, &model, target, None, 1.0, &mut pose).reached());
    let other = limb.solve(&skeleton, &ModelPose::rest(&skeleton), target, None, 1.0, &mut pose);
    assert_eq!(other.cause, Some(sinew::Cause::Mismatch));
    let before = pose.clone();
    assert!(!limb.solve(&straight, &model, Vec3::NAN, None, 1.0, &mut pose).reached());
    assert_eq!(pose, before);
}

/// A long neck carries the eye far, and a target that is near is then seen over the pole: the last
/// rounds, which only turned the gaze, left heads upside down.
#[test]
fn a_head_that_looks_steeply_is_not_upside_down() {
    use sinew::{JointDef, JointKind, SkeletonBuilder};
    let mut b = SkeletonBuilder::new("neck");
    let spine = b.add(JointDef::new("spine").at(Vec3::Y).kind(JointKind::Ball));
    let head = b.add(JointDef::new("head").under(spine).at(Vec3::Y * 0.9).kind(JointKind::Ball));
    let skeleton = b.build().unwrap();
    let joints = [(spine, 0.25), (head, 1.0)];
    let eye = Vec3::Y * 0.5;
    let mut aim = Aim::new(&skeleton, &joints, Vec3::Z, eye, &AimOptions::default()).unwrap();
    let rest = ModelPose::rest(&skeleton);
    let from = rest.position(head) + eye;
    // Directions all around, from a spiral; near and far.
    let count = 2000;
    for i in 0..count {
        let y = 0.98 * (2.0 * (i as Real + 0.5) / count as Real - 1.0);
        let (s, c) = (2.399_963 * i as Real).sin_cos();
        let out = (1.0 - y * y).sqrt();
        let away = 1.0 + 4.0 * (i as Real * 0.618_034).fract();
        let target = from + Vec3::new(out * s, y, out * c) * away;
        let mut pose = Pose::rest(&skeleton);
        aim.solve(&skeleton, &rest, target, 1.0, &mut pose);
        let turn = ModelPose::new(&skeleton, &pose).rotation(head);
        let (sight, up) = (turn * Vec3::Z, turn * Vec3::Y);
        let level = Vec3::Y - sight * sight.y;
        // Steeper than that there is no upright.
        if level.length() >= 0.2 {
            let roll = sight.dot(level.cross(up)).atan2(level.dot(up));
            assert!(roll.abs() < 1.571, "{target}: rolled by {roll}");
        }
    }
}
