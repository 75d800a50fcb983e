//! Out and in again.

use proptest::prelude::*;
use sinew_f64::math::rotation;
use sinew_f64::{JointDef, ModelPose, Pose, SkeletonBuilder, Vec3};
use sinew_io::gltf::{Container, WriteOptions, read, write};
use sinew_io::{Asset, Motion};

use crate::made;

fn there_and_back(asset: &Asset, options: &WriteOptions) -> Asset {
    let written = write(asset, options).unwrap();
    read(&written.bytes, &mut |_| None).unwrap()
}

/// Names, hierarchy, frame count, frame rate and every joint's place.
fn assert_same(asset: &Asset, again: &Asset, tolerance: f64) {
    let (a, b) = (&asset.skeleton, &again.skeleton);
    assert_eq!(a.name(), b.name());
    assert_eq!(a.len(), b.len());
    for id in a.ids() {
        let (x, y) = (a.joint(id), b.joint(id));
        assert_eq!((x.name(), x.parent(), x.kind()), (y.name(), y.parent(), y.kind()));
        assert_eq!((x.limit(), x.stiffness()), (y.limit(), y.stiffness()));
        let apart = x.tip().zip(y.tip()).map(|(x, y)| (x - y).length());
        assert_eq!(x.tip().is_some(), y.tip().is_some());
        assert!(apart.is_none_or(|apart| apart < tolerance));
    }
    assert_eq!(asset.roles, again.roles);
    assert_eq!(asset.motions.len(), again.motions.len());
    let close = |p: &Pose, q: &Pose, what: &str| {
        let (p, q) = (ModelPose::new(a, p), ModelPose::new(b, q));
        for id in a.ids() {
            let apart = (p.position(id) - q.position(id)).length();
            assert!(apart < tolerance, "{what}: {} is {apart} away", a.joint(id).name());
            let turned = rotation::angle(p.rotation(id).inverse() * q.rotation(id));
            assert!(turned < tolerance * 2.0, "{what}: {} is turned by {turned}", a.joint(id).name());
        }
    };
    close(&Pose::rest(a), &Pose::rest(b), "rest");
    for (x, y) in asset.motions.iter().zip(&again.motions) {
        assert_eq!((&x.name, x.frame_time, x.frames.len()), (&y.name, y.frame_time, y.frames.len()));
        for (frame, (p, q)) in x.frames.iter().zip(&y.frames).enumerate() {
            close(p, q, &format!("frame {frame} of '{}'", x.name));
        }
    }
}

#[test]
fn everything_comes_back() {
    let asset = made::asset();
    for container in [Container::Glb, Container::Gltf] {
        for bones in [true, false] {
            let again = there_and_back(&asset, &WriteOptions { container, bones, ..Default::default() });
            assert_same(&asset, &again, 1e-5);
            assert_eq!(made::notes(&again), "");
        }
    }
}

#[test]
fn what_stood_still_stands_still() {
    let asset = made::asset();
    let again = there_and_back(&asset, &WriteOptions::default());
    let elbow = asset.skeleton.find("elbow").unwrap();
    for joint in asset.skeleton.ids().skip(1) {
        let shifts = |motion: &Motion| motion.frames.iter().any(|pose| pose.translation(joint) != Vec3::ZERO);
        assert!(!shifts(&again.motions[0]));
        assert_eq!(shifts(&again.motions[1]), joint == elbow);
    }
}

#[test]
fn odd_motions_come_back_with_their_frames_and_rate() {
    for (frame_time, frames) in [(1.0 / 120.0, 4511), (0.4, 3), (2.5, 2), (0.033_333_3, 700), (0.25, 1)] {
        let mut asset = Asset::new(sinew_f64::rigs::chain(2, 1.0));
        asset.motions.push(made::motion(&asset.skeleton, "odd", frame_time, frames, &[]));
        assert_same(&asset, &there_and_back(&asset, &WriteOptions::default()), 1e-4);
    }
}

#[test]
fn a_second_trip_changes_nothing_more() {
    let once = there_and_back(&made::asset(), &WriteOptions::default());
    let twice = there_and_back(&once, &WriteOptions::default());
    assert_same(&once, &twice, 2e-6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_skeleton_and_pose_comes_back(
        joints in prop::collection::vec(
            (any::<prop::sample::Index>(), prop::array::uniform3(-0.5f64..0.5), prop::array::uniform3(-3.0f64..3.0)),
            1..24,
        ),
        turns in prop::collection::vec(prop::array::uniform3(-3.0f64..3.0), 24),
        place in prop::array::uniform3(-4.0f64..4.0),
        frame_time in 0.001f64..0.5,
    ) {
        let mut builder = SkeletonBuilder::new("any");
        for (i, (parent, offset, turn)) in joints.iter().enumerate() {
            let mut def = JointDef::new(format!("joint {i}"))
                .at(Vec3::from(*offset))
                .turned(rotation::exp(Vec3::from(*turn)));
            def.parent = (i > 0).then(|| parent.index(i));
            if i == 0 {
                def.kind = sinew_f64::JointKind::Free;
            }
            builder.add(def);
        }
        let mut asset = Asset::new(builder.build_sorted().unwrap());
        let mut pose = Pose::rest(&asset.skeleton);
        for (id, turn) in asset.skeleton.ids().zip(&turns) {
            pose.set_rotation(id, rotation::exp(Vec3::from(*turn)));
        }
        let mut moved = pose.clone();
        moved.set_translation(asset.skeleton.root(), Vec3::from(place));
        asset.motions.push(Motion::new("m", frame_time, vec![pose, moved]));
        assert_same(&asset, &there_and_back(&asset, &WriteOptions::default()), 1e-5);
    }
}
