//! ERIK on the paper's robots: the errors that the paper reports, limits, the
//! extensions one by one, and what is past the paper.

use proptest::prelude::*;
use sinew::error::RigError;
use sinew::rigs::{self, ErikRobot};
use sinew::solver::erik::{Erik, ErikOptions, end_of_longest_chain};
use sinew::{
    Cause, Goal, JointDef, JointKind, JointLimit, ModelPose, Pose, Quat, Real, Skeleton, SkeletonBuilder,
    Target, Vec3,
};

use crate::numbers::Numbers;

fn orientation(numbers: &mut Numbers) -> Quat {
    let pi = std::f64::consts::PI as Real;
    Quat::from_rotation_y(numbers.within(pi))
        * Quat::from_rotation_x(numbers.within(pi))
        * Quat::from_rotation_z(numbers.within(pi))
}

fn posture(numbers: &mut Numbers, robot: ErikRobot, skeleton: &Skeleton) -> Pose {
    let count = robot.axes().len();
    let mut angles = vec![0.0; count];
    for angle in &mut angles[1..count - 1] {
        *angle = numbers.within(robot.range());
    }
    let mut pose = Pose::rest(skeleton);
    pose.set_coordinates(skeleton, &angles).unwrap();
    pose
}

fn head(skeleton: &Skeleton) -> [Goal; 1] {
    [Goal::orientation(skeleton.find("endpoint").unwrap(), Quat::IDENTITY)]
}

/// Means of orientation, weighted posture and combined error.
fn means(robot: ErikRobot, options: ErikOptions, count: usize) -> [Real; 3] {
    let skeleton = rigs::erik(robot);
    let mut erik = Erik::new(&skeleton, &head(&skeleton), options).unwrap();
    let mut numbers = Numbers::new(7);
    let mut sums = [0.0; 3];
    let mut pose = Pose::rest(&skeleton);
    for _ in 0..count {
        let posture = posture(&mut numbers, robot, &skeleton);
        let gaze = [Target::Orientation(orientation(&mut numbers))];
        let report = erik.solve(&skeleton, &posture, &gaze, &mut pose).clone();
        assert!(pose.is_finite());
        assert!(pose.worst_violation(&skeleton).is_none_or(|(_, over)| over < 1e-5), "{robot:?}");
        // What the report says is what the pose is.
        let again = erik.measure(&skeleton, &posture, &gaze, &pose).unwrap();
        assert!((again.combined - report.errors.combined).abs() < 1e-3, "{again:?} {report:?}");
        sums[0] += report.errors.orientation;
        sums[1] += options.posture_weight * report.errors.posture;
        sums[2] += report.errors.combined;
    }
    sums.map(|s| s / count as Real)
}

#[test]
fn the_results_have_the_shape_of_the_papers() {
    let run = |robot| means(robot, ErikOptions::default(), 2000);
    let [a, b, c, d, e, f, g] = ErikRobot::ALL.map(run);
    assert!(a[0] > 0.04, "A fails on orientation: {a:?}");
    assert!(b[0] < 0.0058 && b[1] > 0.025, "B fails on posture: {b:?}");
    assert!(c[0] <= 0.0058 && c[1] <= 0.0208 && c[2] <= 0.0266, "C as good as the paper's: {c:?}");
    for middle in [d, e] {
        assert!(middle[2] < b[2] && middle[2] < 0.0266, "{middle:?}");
    }
    assert!(f[2] < c[2].min(d[2]).min(e[2]), "F is better: {f:?}");
    assert!(g[2] < f[2], "G is best: {g:?} {f:?}");
}

#[test]
fn refining_helps_and_never_hurts() {
    let skeleton = rigs::erik(ErikRobot::E);
    let alone = ErikOptions { refine: 0, ..ErikOptions::default() };
    let mut plain = Erik::new(&skeleton, &head(&skeleton), alone).unwrap();
    let mut refined = Erik::new(&skeleton, &head(&skeleton), ErikOptions::default()).unwrap();
    let mut numbers = Numbers::new(3);
    let (mut before, mut after) = (0.0, 0.0);
    for _ in 0..500 {
        let posture = posture(&mut numbers, ErikRobot::E, &skeleton);
        let gaze = [Target::Orientation(orientation(&mut numbers))];
        let mut pose = Pose::rest(&skeleton);
        let one = plain.solve(&skeleton, &posture, &gaze, &mut pose).errors.combined;
        let two = refined.solve(&skeleton, &posture, &gaze, &mut pose).errors.combined;
        assert!(two <= one + 1e-5, "{two} {one}");
        before += one;
        after += two;
    }
    assert!(after < 0.75 * before, "{after} {before}");
}

#[test]
fn each_extension_can_be_switched_and_does_something() {
    let published = ErikOptions::published();
    let base = means(ErikRobot::C, published, 600);
    let one_side = means(ErikRobot::C, ErikOptions { symmetric_endpoint: false, ..published }, 600);
    assert!(one_side[0] > 3.0 * base[0], "upside down opens the targets behind: {one_side:?} {base:?}");
    let edges = means(ErikRobot::C, ErikOptions { avoid_edges: false, ..published }, 600);
    assert!(edges[2] > base[2], "edges hold it up: {edges:?} {base:?}");
    // The tricks come in only where nothing converges, so they change few samples.
    let mut seen = 0;
    let skeleton = rigs::erik(ErikRobot::C);
    let mut with = Erik::new(&skeleton, &head(&skeleton), published).unwrap();
    let without = ErikOptions { ccd_trick: false, offset_trick: false, ..published };
    let mut without = Erik::new(&skeleton, &head(&skeleton), without).unwrap();
    let mut numbers = Numbers::new(11);
    for _ in 0..1500 {
        let posture = posture(&mut numbers, ErikRobot::C, &skeleton);
        let gaze = [Target::Orientation(orientation(&mut numbers))];
        let mut pose = Pose::rest(&skeleton);
        let found = with.solve(&skeleton, &posture, &gaze, &mut pose).errors.combined;
        let plain = without.solve(&skeleton, &posture, &gaze, &mut pose).errors.combined;
        seen += usize::from(found < plain);
    }
    assert!(seen > 0, "the tricks found none of them");
}

#[test]
fn the_same_seed_gives_the_same_bits() {
    let skeleton = rigs::erik(ErikRobot::G);
    let run = |seed| {
        let options = ErikOptions { seed, ..ErikOptions::published() };
        let mut erik = Erik::new(&skeleton, &head(&skeleton), options).unwrap();
        let mut numbers = Numbers::new(5);
        let mut poses = Vec::new();
        for _ in 0..200 {
            let posture = posture(&mut numbers, ErikRobot::G, &skeleton);
            let mut pose = Pose::rest(&skeleton);
            erik.solve(&skeleton, &posture, &[Target::Orientation(orientation(&mut numbers))], &mut pose);
            poses.push(pose);
        }
        poses
    };
    assert_eq!(run(1), run(1));
}

#[test]
fn a_target_that_the_posture_meets_already_leaves_it_alone() {
    let skeleton = rigs::erik(ErikRobot::F);
    let mut erik = Erik::new(&skeleton, &head(&skeleton), ErikOptions::default()).unwrap();
    let mut numbers = Numbers::new(2);
    for _ in 0..50 {
        let posture = posture(&mut numbers, ErikRobot::F, &skeleton);
        let end = skeleton.find("endpoint").unwrap();
        let looks = ModelPose::new(&skeleton, &posture).rotation(end);
        let mut pose = Pose::rest(&skeleton);
        let report = erik.solve(&skeleton, &posture, &[Target::Orientation(looks)], &mut pose);
        assert!(report.solve.reached() && report.errors.combined < 0.04, "{report:?}");
    }
}

#[test]
fn what_is_not_finite_or_not_this_skeletons_is_said_and_does_no_harm() {
    let skeleton = rigs::erik(ErikRobot::C);
    let mut erik = Erik::new(&skeleton, &head(&skeleton), ErikOptions::default()).unwrap();
    let mut posture = Pose::rest(&skeleton);
    posture.set_coordinates(&skeleton, &[0.2, 0.5, -0.3, 0.4, 0.0]).unwrap();
    for bad in [
        Target::Orientation(Quat::from_xyzw(Real::NAN, 0.0, 0.0, 1.0)),
        Target::Orientation(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)),
        Target::Aim { axis: Vec3::Y, at: Vec3::new(Real::INFINITY, 0.0, 0.0) },
    ] {
        let mut pose = Pose::rest(&skeleton);
        let report = erik.solve(&skeleton, &posture, &[bad], &mut pose);
        assert!(matches!(report.solve.cause, Some(Cause::NotFinite { .. })), "{report:?}");
        assert!(pose.is_finite() && pose.worst_violation(&skeleton).is_none());
        let mut angles = [0.0; 5];
        pose.to_coordinates(&skeleton, &mut angles).unwrap();
        assert!((angles[1] - 0.5).abs() < 1e-5, "the posture comes back: {angles:?}");
    }
    posture.set_rotation(skeleton.find("joint2").unwrap(), Quat::from_xyzw(Real::NAN, 0.0, 0.0, 1.0));
    let mut pose = Pose::rest(&skeleton);
    let report = erik.solve(&skeleton, &posture, &[Target::Orientation(Quat::IDENTITY)], &mut pose);
    assert_eq!(report.solve.cause, Some(Cause::Mended { joint: skeleton.find("joint2").unwrap() }));
    assert!(pose.is_finite());
    // A pose that had to be mended is said, and does not keep a target from being reached.
    let (posture, looks) = (Pose::rest(&skeleton), [Target::Orientation(Quat::IDENTITY)]);
    let joint = skeleton.find("joint3").unwrap();
    for bad in [Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), Quat::from_xyzw(0.0, Real::NAN, 0.0, 1.0)] {
        let mut pose = Pose::rest(&skeleton);
        pose.set_rotation(joint, bad);
        let report = erik.solve(&skeleton, &posture, &looks, &mut pose);
        assert!(report.solve.reached() && report.solve.cause == Some(Cause::Mended { joint }), "{report:?}");
    }
    let other = rigs::erik(ErikRobot::G);
    let mut theirs = Pose::rest(&other);
    let report = erik.solve(&other, &Pose::rest(&other), &[], &mut theirs);
    assert_eq!(report.solve.cause, Some(Cause::Mismatch));
    // As many joints, other ranges: D is built like E and turns twice as far.
    let (d, e) = (rigs::erik(ErikRobot::D), rigs::erik(ErikRobot::E));
    let mut erik = Erik::new(&d, &head(&d), ErikOptions::default()).unwrap();
    let mut pose = Pose::rest(&e);
    assert_eq!(erik.solve(&e, &Pose::rest(&e), &looks, &mut pose).solve.cause, Some(Cause::Mismatch));
    // A place is nothing that ERIK can see to.
    let place = [Target::Position(Vec3::Y)];
    assert_eq!(erik.solve(&d, &Pose::rest(&d), &place, &mut pose).solve.cause, Some(Cause::Mismatch));
    assert_eq!(pose, Pose::rest(&d), "and nothing moved");
}

/// A joint that is too stiff to move stands where the pose has it, and so does a
/// base that is shifted. Both were once taken to be at rest, so that the head
/// looked past a point and the report said that it did not. A joint beside the
/// chain keeps its bits, also outside of its limit, and that is said.
#[test]
fn what_it_does_not_move_counts_as_it_stands() {
    let mut b = SkeletonBuilder::new("lamp");
    let mut last = b.add(JointDef::new("base").kind(JointKind::Fixed));
    for (i, axis) in [Vec3::Y, Vec3::X, Vec3::X, Vec3::Z, Vec3::X, Vec3::Y].into_iter().enumerate() {
        let joint = JointDef::new(format!("joint{i}")).under(last).at(Vec3::Y * 0.3);
        let stiffness = if i == 2 { 1.0 } else { 0.0 };
        last = b.add(JointDef { stiffness, ..joint.hinge_range(axis, -1.5, 1.5) });
    }
    let endpoint = JointDef::new("endpoint").under(last).at(Vec3::Y * 0.3).kind(JointKind::Fixed);
    b.add(endpoint);
    b.add(JointDef::new("switch").under(last).hinge_range(Vec3::X, -0.1, 0.1));
    let skeleton = b.build().unwrap();
    let mut erik = Erik::new(&skeleton, &head(&skeleton), ErikOptions::default()).unwrap();
    let [base, stiff, switch] = ["base", "joint2", "switch"].map(|name| skeleton.find(name).unwrap());
    let bent = Quat::from_rotation_x(0.6);
    for at in [Vec3::new(0.5, 1.5, 1.5), Vec3::new(-1.0, 2.5, 0.8)] {
        let aim = erik.aim(0, at);
        let mut pose = Pose::rest(&skeleton);
        pose.set_rotation(stiff, bent);
        pose.set_rotation(switch, bent);
        pose.set_translation(base, Vec3::new(0.4, -0.1, 0.0));
        let report = erik.solve(&skeleton, &Pose::rest(&skeleton), &[aim], &mut pose).clone();
        assert!(pose.rotation(stiff) == bent && pose.rotation(switch) == bent);
        assert_eq!(pose.translation(base), Vec3::new(0.4, -0.1, 0.0));
        let cause = report.solve.cause;
        assert!(
            !report.solve.reached()
                || matches!(cause, Some(Cause::OutsideLimit { joint, .. }) if joint == switch)
        );
        let miss = miss(&skeleton, &pose, "endpoint", Vec3::Y, at);
        assert!((miss - report.solve.residuals[0].orientation).abs() < 1e-4, "{miss} {report:?}");
        assert!(miss < 0.04, "{miss} {report:?}");
    }
}

#[test]
fn a_limit_that_stands_in_the_way_is_named() {
    let skeleton = rigs::erik(ErikRobot::A);
    // Also where the joints keep a little off their edges.
    for options in [ErikOptions::default(), ErikOptions::published()] {
        let options = ErikOptions { symmetric_endpoint: false, ..options };
        let mut erik = Erik::new(&skeleton, &head(&skeleton), options).unwrap();
        let mut pose = Pose::rest(&skeleton);
        // Straight down needs two right angles, and A has one.
        let down = Quat::from_rotation_x(std::f64::consts::PI as Real);
        let report = erik.solve(&skeleton, &Pose::rest(&skeleton), &[Target::Orientation(down)], &mut pose);
        assert!(matches!(report.solve.cause, Some(Cause::Limit { .. })), "{report:?}");
    }
}

#[test]
fn what_cannot_be_built_says_why() {
    let at = |joint| Goal::orientation(joint, Quat::IDENTITY);
    let humanoid = rigs::by_name("humanoid").unwrap();
    let head = humanoid.ids().next_back().unwrap();
    let refused = Erik::new(&humanoid, &[at(head)], ErikOptions::default()).unwrap_err();
    assert!(matches!(refused, RigError::WrongKind { .. }), "{refused}");
    let c = rigs::erik(ErikRobot::C);
    assert_eq!(Erik::new(&c, &[], ErikOptions::default()).unwrap_err(), RigError::NoGoals);
    let bad = ErikOptions { threshold: Real::NAN, ..ErikOptions::default() };
    let refused = Erik::new(&c, &[at(c.root())], bad).unwrap_err();
    assert!(matches!(refused, RigError::BadOption(_)), "{refused}");
    let flat = Goal::aim(c.root(), Vec3::ZERO, Vec3::ONE);
    let refused = Erik::new(&c, &[flat], ErikOptions::default()).unwrap_err();
    assert_eq!(refused, RigError::BadTarget { goal: 0 });
    let refused = Erik::new(&c, &[Goal::position(c.root(), Vec3::ONE)], ErikOptions::default()).unwrap_err();
    assert!(matches!(refused, RigError::NotSupported { goal: 0, .. }), "{refused}");
    let mut stiff = SkeletonBuilder::new("post");
    stiff.add(JointDef::new("post").kind(JointKind::Fixed));
    let stiff = stiff.build().unwrap();
    let refused = Erik::new(&stiff, &[at(stiff.root())], ErikOptions::default()).unwrap_err();
    assert!(matches!(refused, RigError::NotSupported { goal: 0, .. }), "{refused}");
}

/// How far the end point's pointing axis misses a point, in radians.
fn miss(skeleton: &Skeleton, pose: &Pose, joint: &str, forward: Vec3, at: Vec3) -> Real {
    let model = ModelPose::new(skeleton, pose);
    let end = model.transform(skeleton.find(joint).unwrap());
    let wanted = (at - end.translation).normalize();
    (end.rotation * forward).angle_between(wanted)
}

#[test]
fn it_looks_at_a_point_from_where_it_ends_up() {
    let skeleton = rigs::erik(ErikRobot::G);
    let mut erik = Erik::new(&skeleton, &head(&skeleton), ErikOptions::default()).unwrap();
    let mut numbers = Numbers::new(19);
    let mut missed = Vec::new();
    for _ in 0..400 {
        let posture = posture(&mut numbers, ErikRobot::G, &skeleton);
        // Near enough that the place of the head matters, never inside of it.
        let at = orientation(&mut numbers) * Vec3::Z * (2.5 + numbers.unit());
        let mut pose = Pose::rest(&skeleton);
        let aim = erik.aim(0, at);
        let report = erik.solve(&skeleton, &posture, &[aim], &mut pose).clone();
        assert!(pose.worst_violation(&skeleton).is_none_or(|(_, over)| over < 1e-5));
        let miss = miss(&skeleton, &pose, "endpoint", Vec3::Y, at);
        assert!((miss - report.solve.residuals[0].orientation).abs() < 5e-3, "{miss} {report:?}");
        missed.push(miss);
    }
    missed.sort_by(Real::total_cmp);
    assert!(missed[200] < 0.01 && missed[380] < 0.04, "{} {}", missed[200], missed[380]);
}

/// A trunk of three joints with two necks of four.
fn two_heads() -> Skeleton {
    let mut b = SkeletonBuilder::new("two heads");
    let half = std::f64::consts::FRAC_PI_2 as Real;
    let mut last = b.add(JointDef::new("trunk0").hinge_range(Vec3::Y, -half, half));
    for (i, axis) in [Vec3::X, Vec3::Z].into_iter().enumerate() {
        let joint = JointDef::new(format!("trunk{}", i + 1)).under(last).at(Vec3::Y * 0.3);
        last = b.add(joint.hinge_range(axis, -half, half));
    }
    let trunk = last;
    for (side, x) in [("left", 0.2), ("right", -0.2)] {
        let mut last = trunk;
        for (i, axis) in [Vec3::Y, Vec3::X, Vec3::Z, Vec3::Y].into_iter().enumerate() {
            let at = if i == 0 { Vec3::new(x, 0.2, 0.0) } else { Vec3::Y * 0.2 };
            let joint = JointDef::new(format!("{side}{i}")).under(last).at(at);
            last = b.add(joint.hinge_range(axis, -half, half));
        }
        b.add(JointDef::new(format!("{side}_head")).under(last).at(Vec3::Y * 0.2).kind(JointKind::Fixed));
    }
    b.build().unwrap()
}

#[test]
fn two_heads_look_two_ways() {
    let skeleton = two_heads();
    let ends =
        ["left_head", "right_head"].map(|n| Goal::orientation(skeleton.find(n).unwrap(), Quat::IDENTITY));
    let mut separate = Erik::new(&skeleton, &ends, ErikOptions::published()).unwrap();
    let mut together = Erik::new(&skeleton, &ends, ErikOptions::default()).unwrap();
    let mut numbers = Numbers::new(23);
    let (mut one, mut two) = (0.0, 0.0);
    for _ in 0..300 {
        let mut posture = Pose::rest(&skeleton);
        let angles: Vec<Real> = (0..skeleton.degrees_of_freedom()).map(|_| numbers.within(1.2)).collect();
        posture.set_coordinates(&skeleton, &angles).unwrap();
        let front = |n: &mut Numbers| {
            Quat::from_rotation_y(n.within(1.0)) * Quat::from_rotation_x(0.8 + n.within(0.8))
        };
        let gazes = [Target::Orientation(front(&mut numbers)), Target::Orientation(front(&mut numbers))];
        let mut pose = Pose::rest(&skeleton);
        one += separate.solve(&skeleton, &posture, &gazes, &mut pose).errors.combined;
        let report = together.solve(&skeleton, &posture, &gazes, &mut pose);
        two += report.errors.combined;
        assert_eq!(report.solve.residuals.len(), 2);
        assert!(pose.worst_violation(&skeleton).is_none_or(|(_, over)| over < 1e-5));
    }
    assert!(two < 0.5 * one && two / 300.0 < 0.02, "{} {}", two / 300.0, one / 300.0);
}

#[test]
fn a_slide_helps_to_look_at_a_near_point() {
    let mut b = SkeletonBuilder::new("crane");
    let pan = b.add(JointDef::new("pan").hinge_range(Vec3::Y, -1.5, 1.5));
    let mast = JointDef::new("mast").under(pan).at(Vec3::Y * 0.3);
    let mast = b.add(JointDef {
        kind: JointKind::Prismatic { axis: Vec3::Y },
        limit: JointLimit::prismatic(Vec3::Y, -0.2, 0.6),
        ..mast
    });
    let tilt = b.add(JointDef::new("tilt").under(mast).at(Vec3::Y * 0.2).hinge_range(Vec3::X, -0.5, 0.5));
    b.add(JointDef::new("endpoint").under(tilt).at(Vec3::Z * 0.1).kind(JointKind::Fixed));
    let skeleton = b.build().unwrap();
    let ends = [Goal::aim(skeleton.find("endpoint").unwrap(), Vec3::Z, Vec3::ZERO)];
    let mut erik = Erik::new(&skeleton, &ends, ErikOptions::default()).unwrap();
    // Out of what the tilt alone can do: the mast has to go up.
    let at = Vec3::new(0.2, 1.0, 0.6);
    let mut pose = Pose::rest(&skeleton);
    let aim = erik.aim(0, at);
    let report = erik.solve(&skeleton, &Pose::rest(&skeleton), &[aim], &mut pose).clone();
    assert!(miss(&skeleton, &pose, "endpoint", Vec3::Z, at) < 0.02, "{report:?}");
    assert!(pose.translation(mast_id(&skeleton)).y > 0.02, "the mast went up");
    assert!(pose.worst_violation(&skeleton).is_none());
}

fn mast_id(skeleton: &Skeleton) -> sinew::JointId {
    skeleton.find("mast").unwrap()
}

#[test]
fn a_moving_posture_and_target_make_a_moving_pose() {
    let skeleton = rigs::erik(ErikRobot::G);
    let mut erik = Erik::new(&skeleton, &head(&skeleton), ErikOptions::following()).unwrap();
    let mut pose = Pose::rest(&skeleton);
    let mut last = [0.0; 8];
    let (mut jumps, mut wrong, mut worst) = (0, 0, 0.0 as Real);
    for frame in 0..600 {
        let t = frame as Real / 60.0;
        let mut posture = Pose::rest(&skeleton);
        // Bends that pass through straight, which a measure of cosines cannot see.
        let wave = |k: Real| 0.7 * (1.3 * t + k).sin();
        let angles = [0.0, wave(0.0), wave(1.0), wave(2.0), 0.0, wave(3.0), wave(4.0), 0.0];
        posture.set_coordinates(&skeleton, &angles).unwrap();
        let gaze =
            Quat::from_rotation_y(0.8 * (0.7 * t).sin()) * Quat::from_rotation_x(0.9 + 0.4 * (0.5 * t).cos());
        let report = erik.solve(&skeleton, &posture, &[Target::Orientation(gaze)], &mut pose);
        worst = worst.max(report.errors.combined);
        let mut now = [0.0; 8];
        pose.to_coordinates(&skeleton, &mut now).unwrap();
        let moved = now.iter().zip(&last).fold(0.0, |m: Real, (a, b)| m.max((a - b).abs()));
        jumps += usize::from(frame > 0 && moved > 0.15);
        // A bend that the posture shows clearly is on its side, or straight.
        for k in [1, 2, 3, 5, 6] {
            wrong += usize::from(angles[k].abs() > 0.4 && angles[k] * now[k] < -0.1);
        }
        last = now;
    }
    assert!(worst <= 0.04, "always good enough: {worst}");
    // The posture itself moves by at most 0.015 a frame.
    assert!(jumps <= 12, "a fiftieth of the frames: {jumps}");
    assert!(wrong < 30, "a hundredth of the bends: {wrong}");
}

proptest! {
    /// Any chain of hinges with any axes, lengths and ranges: finite, within limits.
    #[test]
    fn any_chain_is_solved_within_its_limits(
        joints in prop::collection::vec(
            ((-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64), 0.0..0.5f64, -3.0..0.0f64, 0.0..3.0f64),
            1..10,
        ),
        target in (-4.0..4.0f64, -4.0..4.0f64, -4.0..4.0f64),
        bent in prop::collection::vec(-4.0..4.0f64, 10),
        at in any::<bool>(),
    ) {
        let mut b = SkeletonBuilder::new("any");
        let mut last = None;
        for (i, ((x, y, z), length, min, max)) in joints.iter().enumerate() {
            let axis = Vec3::new(*x as Real, *y as Real, *z as Real);
            prop_assume!(axis.length() > 0.1);
            let mut joint = JointDef::new(format!("j{i}")).at(Vec3::new(0.1, *length as Real, 0.0));
            joint = joint.hinge_range(axis.normalize(), *min as Real, *max as Real);
            joint.parent = last;
            last = Some(b.add(joint).index());
        }
        let skeleton = b.build().unwrap();
        let end = skeleton.ids().next_back().unwrap();
        let mut erik = Erik::new(&skeleton, &[Goal::orientation(end, Quat::IDENTITY)], ErikOptions::default()).unwrap();
        let mut posture = Pose::rest(&skeleton);
        let angles: Vec<Real> = bent.iter().take(joints.len()).map(|b| *b as Real).collect();
        posture.set_coordinates(&skeleton, &angles).unwrap();
        let (x, y, z) = (target.0 as Real, target.1 as Real, target.2 as Real);
        let gaze = if at { erik.aim(0, Vec3::new(x, y, z)) } else {
            Target::Orientation(Quat::from_rotation_y(x) * Quat::from_rotation_x(y) * Quat::from_rotation_z(z))
        };
        let mut pose = Pose::rest(&skeleton);
        let report = erik.solve(&skeleton, &posture, &[gaze], &mut pose).clone();
        prop_assert!(pose.is_finite());
        prop_assert!(pose.worst_violation(&skeleton).is_none_or(|(_, over)| over < 1e-5));
        for error in [report.errors.orientation, report.errors.posture] {
            prop_assert!((0.0..=1.0 + 1e-5).contains(&error), "{report:?}");
        }
    }
}

#[test]
fn straight_ahead_is_along_z() {
    let robot = rigs::erik(ErikRobot::G);
    let end = end_of_longest_chain(&robot);
    assert_eq!(robot.joint(end.joint).name(), "endpoint");
    let goal = Goal::new(end, Target::Orientation(Quat::IDENTITY));
    let mut erik = Erik::new(&robot, &[goal], ErikOptions::default()).unwrap();
    let mut pose = Pose::rest(&robot);
    for (turn, wanted) in
        [(Quat::IDENTITY, Vec3::Z), (Quat::from_rotation_y(0.7), Vec3::new(0.644, 0.0, 0.765))]
    {
        let target = erik.toward(0, turn);
        let posture = Pose::rest(&robot);
        assert!(erik.solve(&robot, &posture, &[target], &mut pose).errors.orientation < 0.05);
        let now = end.transform(&ModelPose::new(&robot, &pose));
        let sight = erik.sight(0, now).unwrap();
        assert!(sight.angle_between(wanted) < 0.3, "{sight:?}");
    }
}

#[test]
fn a_chain_that_it_takes_comes_before_a_longer_one() {
    let built = |skeleton: &Skeleton| {
        let goal = Goal::new(end_of_longest_chain(skeleton), Target::Orientation(Quat::IDENTITY));
        Erik::new(skeleton, &[goal], ErikOptions::default())
    };
    assert!(built(&rigs::by_name("humanoid").unwrap()).is_err());
    let mut builder = rigs::arm().to_builder();
    let root = builder.joints[0].clone();
    for _ in 0..12 {
        let parent = builder.joints.len() - 1;
        let mut ball = root.clone().kind(JointKind::Ball).at(Vec3::Y * 0.1).limit(JointLimit::None);
        ball.name = format!("ball{parent}");
        ball.parent = Some(if parent < 9 { 0 } else { parent });
        builder.add(ball);
    }
    assert!(built(&builder.build().unwrap()).is_ok());
}

/// A head that is tilted in the posture came back upright: 60° became 0.8°.
#[test]
fn a_tilted_head_stays_tilted() {
    let skeleton = rigs::erik(ErikRobot::C);
    let end = skeleton.find("endpoint").unwrap();
    for options in [ErikOptions::following(), ErikOptions::default(), ErikOptions::published()] {
        let mut erik = Erik::new(&skeleton, &head(&skeleton), options).unwrap();
        let mut posture = Pose::rest(&skeleton);
        let tilt = Real::to_radians(60.0);
        posture.set_coordinates(&skeleton, &[0.0, 0.6, 0.5, 0.1, tilt]).unwrap();
        let target = erik.toward(0, Quat::from_rotation_y(0.3));
        let mut pose = Pose::rest(&skeleton);
        erik.solve(&skeleton, &posture, &[target], &mut pose);
        let now = sinew::ModelPose::new(&skeleton, &pose).rotation(end);
        let Target::Orientation(asked) = target else { panic!("toward asks for an orientation") };
        let left = asked.conjugate() * now;
        let twist = sinew::math::rotation::angle_about(Vec3::Y, left);
        // An end point that may as well be upside down may have turned half round.
        let off = [tilt, tilt - std::f64::consts::PI as Real].map(|t| (twist - t).abs());
        assert!(off[0].min(off[1]) < 0.1, "{options:?}: {twist}");
    }
}

#[test]
fn a_head_looks_before_a_hand_and_a_range_of_a_turn_is_a_stop() {
    use sinew::solver::erik::end_that_looks;
    let mut builder = sinew::SkeletonBuilder::new("robot");
    let torso = builder.add(JointDef::new("torso_joint").hinge_range(Vec3::Y, -1.0, 1.0));
    let mut arm = torso;
    for i in 0..7 {
        let at = Vec3::new(0.1, 0.0, 0.0);
        arm = builder.add(JointDef::new(format!("arm_{i}")).under(arm).at(at).hinge(Vec3::Z));
    }
    let neck = builder.add(JointDef::new("neck").under(torso).at(Vec3::Y * 0.3).hinge(Vec3::X));
    let face = builder.add(JointDef::new("HeadPan").under(neck).at(Vec3::Y * 0.1).hinge(Vec3::Y));
    builder.add(JointDef::new("head_antenna").under(face).at(Vec3::Y * 0.1).hinge(Vec3::X));
    let robot = builder.build().unwrap();
    let end = end_that_looks(&robot, &[]);
    assert_eq!((end.effector.joint, end.name.as_str()), (face, "HeadPan"));
    assert!(end.forward.is_some_and(|forward| forward.distance(Vec3::Z) < 1e-5));
    // A link's name tells as well, and a slide at the end of an arm is a finger.
    let camera = [("left_hand_link", arm), ("wrist_camera", arm)];
    assert_eq!(end_that_looks(&robot, &camera).effector.joint, face);
}

/// A Panda that followed a slow circle with its first joint at a stop stood for three frames and then
/// jumped, all the way round: the steps stopped where the error, which is not what they make small, was
/// better by a hair. An arm with such ranges moves in every frame.
#[test]
fn what_is_followed_beside_a_stop_moves_in_every_frame() {
    let ranges = [
        (Vec3::Y, -2.9, 2.9),
        (Vec3::X, -1.76, 1.76),
        (Vec3::Y, -2.9, 2.9),
        (Vec3::X, -3.07, -0.07),
        (Vec3::Y, -2.9, 2.9),
        (Vec3::X, -0.0175, 3.75),
        (Vec3::Y, -2.9, 2.9),
    ];
    let mut b = SkeletonBuilder::new("arm");
    let mut last = b.add(JointDef::new("base").kind(JointKind::Fixed));
    for (i, (axis, min, max)) in ranges.into_iter().enumerate() {
        let joint = JointDef::new(format!("joint{i}")).under(last).at(Vec3::Y * 0.15);
        last = b.add(joint.hinge_range(axis, min, max));
    }
    let end = b.add(JointDef::new("endpoint").under(last).at(Vec3::Y * 0.2).kind(JointKind::Fixed));
    let skeleton = b.build().unwrap();
    let goal = Goal::new(sinew::Effector::at(end), Target::Aim { axis: Vec3::Y, at: Vec3::ZERO });
    let mut erik = Erik::new(&skeleton, &[goal], ErikOptions::following()).unwrap();
    let posture = Pose::rest(&skeleton);
    let mut pose = posture.clone();
    let mut values = vec![vec![0.0; ranges.len()]; 600];
    for (i, values) in values.iter_mut().enumerate() {
        let turn = i as Real / 600.0 * std::f64::consts::TAU as Real;
        let at = Vec3::new(0.5 * turn.cos(), 0.6 + 0.5 * turn.sin(), 2.0);
        let target = [Target::Aim { axis: Vec3::Y, at }];
        if i == 0 {
            erik.solve_afresh(&skeleton, &posture, &target, &mut pose);
        }
        erik.solve(&skeleton, &posture, &target, &mut pose);
        pose.to_coordinates(&skeleton, values).unwrap();
    }
    let step = |i: usize, k: usize| values[i + 1][k] - values[i][k];
    let (mut stood, mut sharpest) = (0, 0.0);
    for i in 60..599 {
        stood += usize::from((0..ranges.len()).all(|k| step(i, k).abs() < 1.0e-5));
        let sharp = |k: usize| (step(i, k) - step(i - 1, k)).abs();
        sharpest = (0..ranges.len()).map(sharp).fold(sharpest, Real::max);
    }
    assert!(stood < 5, "it stood in {stood} frames");
    assert!(sharpest < 0.002, "a step changed by {sharpest} from one frame to the next");
}

/// A long arm that followed a low circle went to and fro: its steps leapt over the place where they
/// should have rested, and every frame ended on the other side.
#[test]
fn what_is_followed_does_not_go_to_and_fro() {
    let skeleton = rigs::erik(ErikRobot::G);
    let end = skeleton.ids().last().unwrap();
    let goal = Goal::new(sinew::Effector::at(end), Target::Aim { axis: Vec3::Y, at: Vec3::ZERO });
    let mut erik = Erik::new(&skeleton, &[goal], ErikOptions::following()).unwrap();
    let posture = Pose::rest(&skeleton);
    let mut pose = posture.clone();
    let count = skeleton.degrees_of_freedom();
    let mut values = vec![vec![0.0; count]; 600];
    for (i, values) in values.iter_mut().enumerate() {
        let turn = i as Real / 600.0 * std::f64::consts::TAU as Real;
        let at = Vec3::new(0.295 + 1.352 * turn.cos(), 0.352 + 1.352 * turn.sin(), 3.458);
        let target = [Target::Aim { axis: Vec3::Y, at }];
        if i == 0 {
            erik.solve_afresh(&skeleton, &posture, &target, &mut pose);
        }
        erik.solve(&skeleton, &posture, &target, &mut pose);
        pose.to_coordinates(&skeleton, values).unwrap();
    }
    let step = |i: usize, k: usize| values[i + 1][k] - values[i][k];
    let sharp = |i: usize| (0..count).map(|k| (step(i, k) - step(i - 1, k)).abs()).fold(0.0, Real::max);
    let sharpest = (60..599).map(sharp).fold(0.0, Real::max);
    assert!(sharpest < 0.01, "a step changed by {sharpest} from one frame to the next");
}

/// A lamp whose range is a hair more than a turn went on past its stop, and what its drive was sent
/// jumped by a turn.
#[test]
fn a_range_of_more_than_a_turn_is_a_stop_too() {
    use sinew::filter::JointValues;
    let stride = 0.14;
    for (min, max) in [(-3.78654, 2.49665), (-6.3, 6.3), (-3.2, 4.0)] {
        let mut b = SkeletonBuilder::new("lamp");
        let foot = b.add(JointDef::new("foot").hinge_range(Vec3::Y, min, max));
        let arm = JointDef::new("arm").under(foot).at(Vec3::Y * 0.2).hinge_range(Vec3::X, -0.4, 2.0);
        let arm = b.add(arm);
        let end = b.add(JointDef::new("end").under(arm).at(Vec3::Y * 0.2).kind(JointKind::Fixed));
        let skeleton = b.build().unwrap();
        let goal = Goal::new(sinew::Effector::at(end), Target::Aim { axis: Vec3::Y, at: Vec3::ZERO });
        let options = ErikOptions { stride, ..ErikOptions::following() };
        let mut erik = Erik::new(&skeleton, &[goal], options).unwrap();
        let posture = Pose::rest(&skeleton);
        let (mut pose, mut values) = (posture.clone(), JointValues::new(&skeleton, &posture));
        let mut last = values.values().to_vec();
        for i in 0..1200 {
            // Twice around, then back.
            let way = if i < 900 { i } else { 1800 - i };
            let turn = way as Real / 450.0 * std::f64::consts::TAU as Real;
            let at = Vec3::new(2.0 * turn.sin(), 0.5, 2.0 * turn.cos());
            erik.solve(&skeleton, &posture, &[Target::Aim { axis: Vec3::Y, at }], &mut pose);
            values.take(&skeleton, &pose);
            for (now, last) in values.values().iter().zip(&last).filter(|_| i > 0) {
                assert!((now - last).abs() <= stride + 1.0e-3, "{min} to {max}, frame {i}: {last} to {now}");
            }
            assert!((min..=max).contains(&values.values()[0]), "{:?}", values.values());
            last.copy_from_slice(values.values());
        }
    }
}
