//! Forward kinematics, whole and in part, against nalgebra; blending, mirroring
//! and coordinates.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use proptest::prelude::*;
use sinew::error::RigError;
use sinew::math::rotation;
use sinew::math::swing_twist;
use sinew::pose::MirrorMap;
use sinew::rigs::{self, SwingModel};
use sinew::skeleton::humanoid::HumanoidMap;
use sinew::{
    JointDef, JointId, JointKind, JointLimit, ModelPose, Pose, Quat, Real, Skeleton, SkeletonBuilder,
    Transform, Vec3,
};

/// What single precision may lose over a tree as deep as the tests make them.
const TOLERANCE: Real = 2e-4;

/// One joint of a random tree: where it hangs, how it rests and how it has moved.
#[derive(Debug, Clone)]
struct RandomJoint {
    parent: prop::sample::Index,
    rest: ([Real; 3], [Real; 3]),
    turn: [Real; 3],
    shift: Option<[Real; 3]>,
}

fn vector(range: Real) -> impl Strategy<Value = [Real; 3]> {
    prop::array::uniform3(-range..range)
}

fn tree() -> impl Strategy<Value = Vec<RandomJoint>> {
    let joint = (
        any::<prop::sample::Index>(),
        // A fifth of the bones have no length.
        (prop_oneof![4 => vector(1.0), 1 => Just([0.0; 3])], vector(3.0)),
        vector(3.0),
        prop::option::weighted(0.2, vector(0.5)),
    )
        .prop_map(|(parent, rest, turn, shift)| RandomJoint { parent, rest, turn, shift });
    prop::collection::vec(joint, 1..50)
}

fn quat(v: [Real; 3]) -> Quat {
    rotation::exp(Vec3::from_array(v))
}

fn build(joints: &[RandomJoint]) -> (Skeleton, Pose) {
    let mut builder = SkeletonBuilder::new("random");
    for (i, joint) in joints.iter().enumerate() {
        let (at, turned) = joint.rest;
        let mut def = JointDef::new(format!("j{i}")).at(Vec3::from_array(at)).turned(quat(turned));
        def.parent = (i > 0).then(|| joint.parent.index(i));
        builder.add(def);
    }
    let skeleton = builder.build_sorted().unwrap();
    let mut pose = Pose::rest(&skeleton);
    for (joint, &id) in joints.iter().zip(skeleton.from_builder()) {
        pose.set_rotation(id, quat(joint.turn));
        pose.set_translation(id, joint.shift.map_or(Vec3::ZERO, Vec3::from_array));
    }
    (skeleton, pose)
}

fn isometry(t: Transform) -> Isometry3<Real> {
    let [x, y, z, w] = t.rotation.to_array();
    let rotation = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Translation3::from(Vector3::from(t.translation.to_array())), rotation)
}

/// Forward kinematics by nalgebra, from the root down.
fn by_nalgebra(skeleton: &Skeleton, pose: &Pose) -> Vec<Isometry3<Real>> {
    let mut model: Vec<Isometry3<Real>> = Vec::new();
    for id in skeleton.ids() {
        let motion = Transform::new(pose.translation(id), pose.rotation(id));
        let local = isometry(skeleton.joint(id).rest()) * isometry(motion);
        model.push(skeleton.parent(id).map_or(local, |p| model[p.index()] * local));
    }
    model
}

fn angle(a: Quat, b: Quat) -> Real {
    rotation::angle(a.conjugate() * b)
}

fn assert_same(skeleton: &Skeleton, model: &ModelPose, reference: &[Isometry3<Real>]) {
    for id in skeleton.ids() {
        let wanted = &reference[id.index()];
        let at = Vec3::from_array(wanted.translation.vector.into());
        assert!(model.position(id).distance(at) < TOLERANCE, "{}", skeleton.joint(id).name());
        let q = Quat::from_array(wanted.rotation.coords.into());
        assert!(angle(model.rotation(id), q) < 2e-3, "{}", skeleton.joint(id).name());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn forward_kinematics_agrees_with_nalgebra(joints in tree()) {
        let (skeleton, pose) = build(&joints);
        assert_same(&skeleton, &ModelPose::new(&skeleton, &pose), &by_nalgebra(&skeleton, &pose));
    }

    /// After any changes, updating below what changed gives the bits of a whole
    /// update, and what is not below keeps its own.
    #[test]
    fn a_partial_update_equals_a_whole_one(
        joints in tree(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), vector(3.0), vector(0.5)), 1..20)
    ) {
        let (skeleton, mut pose) = build(&joints);
        let mut model = ModelPose::new(&skeleton, &pose);
        for (which, turn, shift) in &changes {
            let id = skeleton.id(which.index(skeleton.len())).unwrap();
            let before = model.clone();
            pose.set_rotation(id, quat(*turn));
            pose.set_translation(id, Vec3::from_array(*shift));
            model.update_below(&skeleton, &pose, id);
            let whole = ModelPose::new(&skeleton, &pose);
            prop_assert_eq!(model.positions(), whole.positions());
            prop_assert_eq!(model.rotations(), whole.rotations());
            for other in skeleton.ids().filter(|&j| !skeleton.is_ancestor(id, j)) {
                prop_assert_eq!(model.transform(other), before.transform(other));
            }
        }
        assert_same(&skeleton, &model, &by_nalgebra(&skeleton, &pose));
    }

    /// Several joints changed at once: from the root down, one by one, is as good.
    #[test]
    fn joint_by_joint_equals_whole(joints in tree()) {
        let (skeleton, pose) = build(&joints);
        let mut model = ModelPose::rest(&skeleton);
        for id in skeleton.ids() {
            model.update_joint(&skeleton, &pose, id);
        }
        prop_assert_eq!(model, ModelPose::new(&skeleton, &pose));
    }

    #[test]
    fn local_transforms_and_rest_frames_are_what_they_say(joints in tree()) {
        let (skeleton, pose) = build(&joints);
        let model = ModelPose::new(&skeleton, &pose);
        let mut copy = Pose::rest(&skeleton);
        for id in skeleton.ids() {
            let local = pose.local(&skeleton, id);
            copy.set_local(&skeleton, id, local);
            let above = skeleton.parent(id).map_or(Transform::IDENTITY, |p| model.transform(p));
            prop_assert!((above * local).translation.distance(model.position(id)) < TOLERANCE);
            let turned = model.rest_frame(&skeleton, id) * pose.rotation(id);
            prop_assert!(angle(turned, model.rotation(id)) < 2e-3);
        }
        for id in skeleton.ids() {
            prop_assert!(angle(copy.rotation(id), pose.rotation(id)) < 2e-3);
            prop_assert!(copy.translation(id).distance(pose.translation(id)) < TOLERANCE);
        }
    }

    /// A blend goes the short way at constant speed, from either end.
    #[test]
    fn blends_are_straight_and_even(a in vector(1.7), b in vector(1.7), t in 0.0 as Real..1.0, flip: bool) {
        let skeleton = rigs::chain(1, 1.0);
        let root = skeleton.root();
        let [mut from, mut to, mut out, mut back] = [0; 4].map(|_| Pose::rest(&skeleton));
        from.set_rotation(root, quat(a));
        to.set_rotation(root, if flip { -quat(b) } else { quat(b) });
        from.set_translation(root, Vec3::from_array(a));
        to.set_translation(root, Vec3::from_array(b));
        let apart = angle(quat(a), quat(b));
        prop_assume!(apart < 3.0);
        out.blend(&from, &to, t);
        prop_assert!((angle(quat(a), out.rotation(root)) - t * apart).abs() < 2e-3);
        prop_assert!((angle(quat(b), out.rotation(root)) - (1.0 - t) * apart).abs() < 2e-3);
        prop_assert!((out.rotation(root).length() - 1.0).abs() < 1e-5);
        prop_assert!(out.translation(root).distance(Vec3::from_array(a).lerp(Vec3::from_array(b), t)) < 1e-5);
        back.blend(&to, &from, 1.0 - t);
        prop_assert!(angle(out.rotation(root), back.rotation(root)) < 2e-3);
        // The foreign reference.
        let [x, y] = [a, b].map(|v| isometry(Transform::from_rotation(quat(v))).rotation);
        let wanted = Quat::from_array(x.slerp(&y, t).coords.into());
        prop_assert!(angle(out.rotation(root), wanted) < 2e-3);
    }

    /// A mean does not depend on the order, the signs or the scale of the weights.
    #[test]
    fn means_do_not_depend_on_order_or_sign(
        turns in prop::collection::vec((vector(0.5), 0.1 as Real..1.0, any::<bool>()), 1..6)
    ) {
        let skeleton = rigs::chain(1, 1.0);
        let root = skeleton.root();
        let poses: Vec<(Pose, Real)> = turns
            .iter()
            .map(|&(v, weight, flip)| {
                let mut pose = Pose::rest(&skeleton);
                pose.set_rotation(root, if flip { -quat(v) } else { quat(v) });
                (pose, weight)
            })
            .collect();
        let [mut one, mut other] = [0; 2].map(|_| Pose::rest(&skeleton));
        one.blend_many(poses.iter().map(|(p, w)| (p, *w)));
        other.blend_many(poses.iter().rev().map(|(p, w)| (p, *w * 7.0)));
        prop_assert!(angle(one.rotation(root), other.rotation(root)) < 2e-3);
        let farthest = turns.iter().map(|(v, ..)| angle(quat(*v), one.rotation(root))).fold(0.0, Real::max);
        let widest = turns
            .iter()
            .flat_map(|(a, ..)| turns.iter().map(move |(b, ..)| angle(quat(*a), quat(*b))))
            .fold(0.0, Real::max);
        prop_assert!(farthest <= widest + 2e-3, "the mean lies among its parts");
    }

    /// In the mirror every joint of the human stands where the mirror shows it.
    #[test]
    fn mirrored_humans(turns in prop::collection::vec(vector(1.5), 34), shift in vector(1.0)) {
        let human = rigs::humanoid(SwingModel::Ellipse);
        let map = HumanoidMap::find(&human).mirror_map(&human);
        let mut pose = Pose::rest(&human);
        for (id, turn) in human.ids().zip(&turns) {
            pose.set_rotation(id, quat(*turn));
        }
        pose.project(&human);
        pose.set_translation(human.root(), Vec3::from_array(shift));
        let mirrored = pose.mirror(&human, &map);
        let (here, there) = (ModelPose::new(&human, &pose), ModelPose::new(&human, &mirrored));
        for id in human.ids() {
            let p = here.position(map.partner(id));
            prop_assert!(there.position(id).distance(Vec3::new(-p.x, p.y, p.z)) < TOLERANCE);
        }
        let back = ModelPose::new(&human, &mirrored.mirror(&human, &map));
        for id in human.ids() {
            prop_assert!(back.position(id).distance(here.position(id)) < TOLERANCE);
            prop_assert!(angle(back.rotation(id), here.rotation(id)) < 5e-3);
        }
    }

    /// Swing and twist make the rotation again; the swing is the shortest turn of
    /// the bone, as nalgebra finds it.
    #[test]
    fn swing_and_twist(turn in vector(2.5), frame in vector(3.0)) {
        let skeleton = rigs::chain(1, 1.0);
        let mut pose = Pose::rest(&skeleton);
        let frame = quat(frame);
        pose.set_rotation(skeleton.root(), quat(turn));
        let parts = pose.swing_twist(skeleton.root(), frame);
        let bone = frame * Vec3::Z;
        let carried = quat(turn) * bone;
        prop_assume!(bone.dot(carried) > -0.99);
        let [a, b] = [bone, carried].map(|v| Vector3::from(v.to_array()));
        let shortest = UnitQuaternion::rotation_between(&a, &b).unwrap_or_else(UnitQuaternion::identity);
        prop_assert!((parts.0.length() - shortest.angle()).abs() < 5e-3);
        prop_assert!(parts.1.abs() <= sinew::math::wrap_angle(parts.1).abs() + 1e-6);
        let swing = frame * swing_twist::to_quat(parts.0, 0.0) * frame.conjugate();
        prop_assert!((swing * bone).distance(carried) < 2e-3, "the swing alone takes the bone there");
        let mut again = Pose::rest(&skeleton);
        again.set_swing_twist(skeleton.root(), frame, parts);
        prop_assert!(angle(again.rotation(skeleton.root()), quat(turn)) < 5e-3);
    }

    /// The coordinates of a ball joint are the exponential map, as nalgebra has it.
    #[test]
    fn ball_coordinates_are_rotation_vectors(turn in vector(1.7)) {
        let skeleton = rigs::chain(1, 1.0);
        let mut pose = Pose::rest(&skeleton);
        pose.set_rotation(skeleton.root(), quat(turn));
        let mut out = [0.0; 6];
        pose.to_coordinates(&skeleton, &mut out).unwrap();
        let wanted = isometry(Transform::from_rotation(quat(turn))).rotation.scaled_axis();
        for i in 0..3 {
            prop_assert!((out[i] - wanted[i]).abs() < 2e-3);
            prop_assert!((out[i] - turn[i]).abs() < 2e-3);
        }
    }

    /// The coordinates of a robot are its angles.
    #[test]
    fn hinge_coordinates_are_angles(angles in prop::collection::vec(-3.0 as Real..3.0, 7)) {
        let arm = rigs::arm();
        let mut pose = Pose::rest(&arm);
        pose.set_coordinates(&arm, &angles).unwrap();
        for (id, angle) in arm.ids().skip(1).zip(&angles) {
            let JointKind::Hinge { axis } = arm.joint(id).kind() else { panic!("a hinge") };
            prop_assert!((rotation::angle_about(axis, pose.rotation(id)) - angle).abs() < 1e-4);
        }
        let mut back = [0.0; 7];
        pose.to_coordinates(&arm, &mut back).unwrap();
        prop_assert!(back.iter().zip(&angles).all(|(a, b)| (a - b).abs() < 1e-4));
    }
}

#[test]
fn the_rest_pose_is_its_own_mirror_image() {
    let human = rigs::humanoid_with_hands(SwingModel::Ellipse);
    let map = HumanoidMap::find(&human).mirror_map(&human);
    let rest = Pose::rest(&human);
    let mirrored = rest.mirror(&human, &map);
    assert!(human.ids().all(|id| angle(mirrored.rotation(id), Quat::IDENTITY) < 1e-5));
}

#[test]
fn blending_has_its_ends_and_ignores_nothing_parts() {
    let human = rigs::humanoid(SwingModel::Ellipse);
    let mut bent = Pose::rest(&human);
    bent.set_rotation(human.find("l_elbow").unwrap(), quat([-1.0, 0.0, 0.0]));
    let rest = Pose::rest(&human);
    let mut out = Pose::rest(&human);
    out.blend(&rest, &bent, 0.0);
    assert_eq!(out, rest);
    out.blend(&rest, &bent, 1.0);
    assert!(human.ids().all(|id| angle(out.rotation(id), bent.rotation(id)) < 1e-5));
    // Without a positive weight there is no mean; the pose stays.
    out.copy_from(&bent);
    out.blend_many([(&rest, 0.0), (&rest, 0.0)].into_iter());
    assert_eq!(out, bent);
    out.blend_many(core::iter::empty());
    assert_eq!(out, bent);
    // Opposite rotations of equal weight have no mean; the result is finite.
    let mut a = Pose::rest(&human);
    let mut b = Pose::rest(&human);
    a.set_rotation(human.root(), quat([0.0, 0.0, 0.0]));
    b.set_rotation(human.root(), Quat::from_xyzw(1.0, 0.0, 0.0, 0.0));
    out.blend_many([(&a, 1.0), (&b, 1.0)].into_iter());
    assert!(out.rotations().iter().all(|q| q.is_finite() && (q.length() - 1.0).abs() < 1e-5));
    out.blend(&a, &b, 0.5);
    assert!(out.rotations().iter().all(|q| q.is_finite() && (q.length() - 1.0).abs() < 1e-5));
}

#[test]
fn coordinates_of_the_wrong_number_are_refused() {
    let human = rigs::humanoid(SwingModel::Ellipse);
    let freedom = human.degrees_of_freedom();
    let mut pose = Pose::rest(&human);
    let error = Err(RigError::Coordinates { expected: freedom, got: freedom - 1 });
    assert_eq!(pose.to_coordinates(&human, &mut vec![0.0; freedom - 1]), error);
    assert_eq!(pose.set_coordinates(&human, &vec![0.0; freedom - 1]), error);
    let same = pose.clone();
    assert_eq!(pose.set_coordinates(&human, &vec![0.0; freedom]), Ok(()));
    assert!(human.ids().all(|id| angle(pose.rotation(id), same.rotation(id)) < 1e-6));
}

#[test]
fn a_thousand_joints_in_a_row() {
    let chain = rigs::chain(1000, 1000.0);
    let mut pose = Pose::rest(&chain);
    let all: Vec<JointId> = chain.ids().collect();
    for &id in &all {
        pose.set_rotation(id, quat([0.0, 0.0, 0.003]));
    }
    let model = ModelPose::new(&chain, &pose);
    // A thousand small turns make one large one; the places lie on a circle.
    let tip = model.position(chain.find("tip").unwrap());
    let (mut x, mut y): (f64, f64) = (0.0, 0.0);
    for i in 1..=1000 {
        let a = 0.003 * i as f64;
        (x, y) = (x - a.sin(), y + a.cos());
    }
    assert!(tip.distance(Vec3::new(x as Real, y as Real, 0.0)) < 0.05, "{tip} {x} {y}");
    assert!(model.rotations().iter().all(|q| (q.length() - 1.0).abs() < 1e-3));
}

#[test]
fn coordinates_survive_the_round_trip_for_every_kind() {
    let mut b = SkeletonBuilder::new("t");
    let mut last = b.add(JointDef::new("free").kind(JointKind::Free));
    for (name, kind) in [
        ("fixed", JointKind::Fixed),
        ("hinge", JointKind::Hinge { axis: Vec3::Y }),
        ("universal", JointKind::Universal { first: Vec3::X, second: Vec3::Z }),
        ("ball", JointKind::Ball),
        ("prismatic", JointKind::Prismatic { axis: Vec3::Z }),
    ] {
        last = b.add(JointDef::new(name).under(last).at(Vec3::Y).kind(kind));
    }
    let s = b.build().unwrap();
    let n = s.degrees_of_freedom();
    assert_eq!(n, 6 + 1 + 2 + 3 + 1);
    let given: Vec<Real> = (0..n).map(|i| 0.1 * (i as Real + 1.0) - 0.5).collect();
    let mut pose = Pose::rest(&s);
    pose.set_coordinates(&s, &given).unwrap();
    let mut back = vec![0.0; n];
    pose.to_coordinates(&s, &mut back).unwrap();
    for (a, b) in given.iter().zip(&back) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
    assert_eq!(pose.to_coordinates(&s, &mut [0.0; 2]), Err(RigError::Coordinates { expected: n, got: 2 }));
}

#[test]
fn mirrored_joints_stand_where_the_mirror_shows_them() {
    // The two arms follow different axis conventions on purpose.
    let mut b = SkeletonBuilder::new("t");
    let hips = b.add(JointDef::new("hips").at(Vec3::Y).kind(JointKind::Free));
    let odd = rotation::exp(Vec3::new(0.4, 1.0, -0.3));
    for (side, s) in [("l", 1.0), ("r", -1.0)] {
        let turn = if s > 0.0 { odd } else { Quat::IDENTITY };
        let arm = b.add(JointDef::new(format!("arm_{side}")).under(hips).at(Vec3::X * s).turned(turn));
        let hand = turn.conjugate() * (Vec3::X * s);
        b.add(JointDef::new(format!("hand_{side}")).under(arm).at(hand));
    }
    let skeleton = b.build().unwrap();
    let map = MirrorMap::from_rest(&skeleton, 1e-3);
    let mut pose = Pose::rest(&skeleton);
    for (i, j) in skeleton.ids().enumerate() {
        pose.set_rotation(j, rotation::exp(Vec3::new(0.3, -0.2 * i as Real, 0.5)));
    }
    pose.set_translation(skeleton.root(), Vec3::new(0.3, 0.1, -0.2));
    let other = pose.mirror(&skeleton, &map);
    let (a, b) = (ModelPose::new(&skeleton, &pose), ModelPose::new(&skeleton, &other));
    for j in skeleton.ids() {
        let p = a.position(map.partner(j));
        assert!((b.position(j) - Vec3::new(-p.x, p.y, p.z)).length() < 1e-5);
    }
    let back = other.mirror(&skeleton, &map);
    let c = ModelPose::new(&skeleton, &back);
    assert!(skeleton.ids().all(|j| c.position(j).distance(a.position(j)) < 1e-5));
}

#[test]
fn a_blend_goes_half_way_by_the_short_path() {
    let skeleton = rigs::chain(2, 1.0);
    let (mut a, mut b) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
    let root = skeleton.root();
    a.set_rotation(root, rotation::exp(Vec3::X * 0.2));
    // The other sign of the same rotation must not send it the long way.
    b.set_rotation(root, -rotation::exp(Vec3::X * 1.0));
    let mut out = Pose::rest(&skeleton);
    out.blend(&a, &b, 0.5);
    assert!((rotation::log(out.rotation(root)) - Vec3::X * 0.6).length() < 1e-5);
    out.blend_many([(&a, 2.0), (&b, 2.0)].into_iter());
    assert!((rotation::log(out.rotation(root)) - Vec3::X * 0.6).length() < 1e-5);
}

#[test]
fn angles_are_counted_as_the_range_counts_them() {
    // The sixth joint of a Panda turns from about 0 to 215°: past half a turn its value was given as a
    // negative angle that no drive of it takes.
    let mut builder = SkeletonBuilder::new("wrist");
    let id =
        builder.add(JointDef::new("joint").hinge(Vec3::Y).limit(JointLimit::hinge(Vec3::Y, -0.02, 3.75)));
    let wide = builder.add(JointDef::new("wide").under(id).hinge(Vec3::Z).limit(JointLimit::hinge(
        Vec3::Z,
        -6.2,
        6.2,
    )));
    let skeleton = builder.build().unwrap();
    let mut pose = Pose::rest(&skeleton);
    let near = |a: Real, b: Real| assert!((a - b).abs() < 1.0e-5, "{a} {b}");
    let mut values = [0.0; 2];
    for angle in [0.0, 1.5, 3.1, 3.2, 3.7] {
        pose.set_value(&skeleton, id, angle);
        near(pose.value(&skeleton, id).unwrap(), angle);
        pose.to_coordinates(&skeleton, &mut values).unwrap();
        near(values[0], angle);
    }
    // Back by more than half a turn, all of it within the range: not a turn further on.
    pose.set_value(&skeleton, id, -0.01);
    pose.set_value(&skeleton, wide, 3.3);
    values = [3.7, 3.0];
    pose.next_coordinates(&skeleton, &mut values).unwrap();
    near(values[0], -0.01);
    near(values[1], 3.3);
    // A range of more than a turn counts on until its end.
    pose.set_value(&skeleton, wide, 6.3);
    values[1] = 6.1;
    pose.next_coordinates(&skeleton, &mut values).unwrap();
    near(values[1], 6.3 - std::f64::consts::TAU as Real);
}
