//! BVH to asset to BVH: every joint where it was, in every frame.

use glam::DVec3;
use proptest::prelude::*;
use sinew_f64::{JointDef, JointKind, ModelPose, Pose, SkeletonBuilder};
use sinew_io::bvh::{self, Axis, BvhDocument, BvhOptions, BvhWriteOptions, Channel, UpAxis};
use sinew_io::{Asset, Motion};

use super::made;

/// Where the joints are, as the file's own numbers say, must be where the
/// asset's forward kinematics puts them.
fn assert_asset_agrees(document: &BvhDocument, asset: &Asset) {
    let unit = asset.source.unit.unwrap();
    for (frame, pose) in document.frames().zip(asset.motions.iter().flat_map(|motion| &motion.frames)) {
        let model = ModelPose::new(&asset.skeleton, pose);
        for (place, id) in document.joint_positions(Some(frame)).iter().zip(asset.skeleton.from_builder()) {
            assert!((*place * unit - model.position(*id)).length() < 1e-12 * (1.0 + place.length()));
        }
    }
}

/// The same joints at the same places in every frame, in the file's units.
pub fn assert_same_places(a: &BvhDocument, b: &BvhDocument, tolerance: f64) {
    assert_eq!(a.joints.len(), b.joints.len());
    assert_eq!(a.frame_count(), b.frame_count());
    assert!((a.frame_time - b.frame_time).abs() < 1e-15);
    for (x, y) in a.joints.iter().zip(&b.joints) {
        assert_eq!((&x.name, x.parent), (&y.name, y.parent));
    }
    for (x, y) in a.frames().zip(b.frames()) {
        for (p, q) in a.joint_positions(Some(x)).iter().zip(b.joint_positions(Some(y))) {
            assert!((*p - q).length() <= tolerance, "{p} {q}");
        }
    }
}

proptest! {
    #[test]
    fn documents_come_back_from_their_text(document in made::document()) {
        let back = bvh::parse(&bvh::write(&document)).unwrap();
        let frames = if document.channel_count() == 0 { 0 } else { document.frame_count() };
        prop_assert_eq!(back.frame_count(), frames);
        for (x, y) in document.joints.iter().zip(&back.joints) {
            prop_assert_eq!((&x.name, x.parent, &x.channels), (&y.name, y.parent, &y.channels));
            prop_assert!((x.offset - y.offset).length() < 1e-9);
            prop_assert_eq!(x.end_sites.len(), y.end_sites.len());
        }
        for (x, y) in document.values.iter().zip(&back.values) {
            prop_assert!((x - y).abs() < 1e-10);
        }
        // A second writing changes nothing at all.
        prop_assert_eq!(bvh::write(&back), bvh::write(&document));
    }

    #[test]
    fn every_joint_comes_back_to_its_place(document in made::document(), z_up: bool) {
        let up = if z_up { UpAxis::Z } else { UpAxis::Y };
        let asset = bvh::to_asset(&document, &BvhOptions { scale: Some(0.01), up: Some(up), ..Default::default() }).unwrap();
        if !z_up {
            assert_asset_agrees(&document, &asset);
        }
        let exported = bvh::from_asset(&asset, &BvhWriteOptions::default()).unwrap();
        let back = bvh::parse(&bvh::write(&exported)).unwrap();
        if document.frame_count() > 0 {
            assert_same_places(&document, &back, 1e-7);
            for (x, y) in document.joints.iter().zip(&back.joints) {
                prop_assert_eq!(&x.channels, &y.channels);
            }
        }
    }

    #[test]
    fn angles_do_not_jump(document in made::document()) {
        let asset = bvh::to_asset(&document, &BvhOptions { scale: Some(1.0), up: Some(UpAxis::Y), ..Default::default() }).unwrap();
        // The same pose again and again must give the same numbers.
        let mut still = asset.clone();
        for motion in &mut still.motions {
            let first = motion.frames[0].clone();
            motion.frames.iter_mut().for_each(|frame| frame.copy_from(&first));
        }
        let written = bvh::from_asset(&still, &BvhWriteOptions::default()).unwrap();
        let mut frames = written.frames();
        let first = frames.next().unwrap_or(&[]).to_vec();
        for frame in frames {
            for (a, b) in first.iter().zip(frame) {
                prop_assert!((a - b).abs() < 1e-9);
            }
        }
    }
}

/// A skeleton with everything that BVH does not have: joints turned at rest,
/// a slide, a hinge, bones that end at the next joint.
fn machine() -> Asset {
    let turn = |x: f64, y: f64, z: f64| sinew_f64::math::rotation::exp(DVec3::new(x, y, z));
    let mut b = SkeletonBuilder::new("machine");
    let base = b.add(
        JointDef::new("base")
            .at(DVec3::new(0.1, 0.2, 0.3))
            .turned(turn(0.3, -0.2, 0.9))
            .kind(JointKind::Free),
    );
    let slide = b.add(
        JointDef::new("slide")
            .under(base)
            .at(DVec3::Y)
            .turned(turn(1.0, 0.0, 0.4))
            .kind(JointKind::Prismatic { axis: DVec3::X }),
    );
    let hinge = b.add(
        JointDef::new("hinge")
            .under(slide)
            .at(DVec3::X * 0.5)
            .turned(turn(0.0, 2.0, 0.0))
            .hinge_range(DVec3::Z, -1.0, 2.0)
            .tip(DVec3::Z * 0.3),
    );
    let ball = b.add(JointDef::new("ball").under(hinge).at(DVec3::Z * 0.3).stiffness(0.5));
    b.add(
        JointDef::new("end")
            .under(ball)
            .at(DVec3::new(0.1, 0.1, 0.0))
            .turned(turn(0.1, 0.1, 0.1))
            .kind(JointKind::Fixed)
            .tip(DVec3::X * 0.1),
    );
    let skeleton = b.build().unwrap();
    let frames = (0..40)
        .map(|i| {
            let t = f64::from(i) * 0.1;
            let mut pose = Pose::rest(&skeleton);
            let id = |name: &str| skeleton.find(name).unwrap();
            pose.set_translation(id("base"), DVec3::new(t, -t, 0.5 * t));
            pose.set_rotation(id("base"), turn(t, 0.5 * t, 0.1));
            pose.set_translation(id("slide"), DVec3::X * (0.1 * t));
            pose.set_rotation(id("hinge"), turn(0.0, 0.0, t.sin()));
            pose.set_rotation(id("ball"), turn(t.cos(), t, 0.3));
            pose
        })
        .collect();
    let motion = Motion::new("work", 0.02, frames);
    let idle = Motion::new("idle", 0.02, Vec::new());
    Asset { motions: vec![motion, idle], ..Asset::new(skeleton) }
}

#[test]
fn a_skeleton_turned_at_rest_keeps_every_place() {
    let asset = machine();
    let document = bvh::from_asset(&asset, &BvhWriteOptions::default()).unwrap();
    let back = bvh::parse(&bvh::write(&document)).unwrap();
    let back =
        bvh::to_asset(&back, &BvhOptions { scale: Some(0.01), up: Some(UpAxis::Y), ..Default::default() })
            .unwrap();
    let tip = |asset: &Asset, model: &ModelPose, name: &str| {
        let id = asset.skeleton.find(name).unwrap();
        model.transform(id).transform_point(asset.skeleton.joint(id).tip().unwrap_or_default())
    };
    let mut poses: Vec<(Pose, Pose)> =
        asset.motions[0].frames.iter().cloned().zip(back.motions[0].frames.iter().cloned()).collect();
    poses.push((Pose::rest(&asset.skeleton), Pose::rest(&back.skeleton)));
    for (before, after) in poses {
        let (before, after) =
            (ModelPose::new(&asset.skeleton, &before), ModelPose::new(&back.skeleton, &after));
        for (p, q) in before.positions().iter().zip(after.positions()) {
            assert!((*p - *q).length() < 1e-10);
        }
        assert!((tip(&asset, &before, "end") - tip(&back, &after, "end")).length() < 1e-10);
    }
    assert_eq!(back.motions[0].frame_time, 0.02);
    let notes: Vec<String> = document.notes.iter().map(|note| note.to_string()).collect();
    for word in [
        "'work' is written, 1 others are not",
        "no limits: those of 1 joints",
        "no stiffness: that of 1",
        "no rest rotations: the frames of 4 joints",
    ] {
        assert!(notes.iter().any(|note| note.contains(word)), "{word}: {notes:?}");
    }
    assert_eq!(document.joints[2].end_sites, [], "the next joint starts there");
    let zxy = [Axis::Z, Axis::X, Axis::Y].map(Channel::Rotation);
    assert_eq!(document.joints[3].channels, zxy);
    assert_eq!(document.joints[4].channels, []);
}

#[test]
fn channels_that_cannot_say_a_motion_are_replaced_with_a_note() {
    let text = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT b\n{\nOFFSET 0 1 0\nCHANNELS 2 \
                Xrotation Zrotation\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n10 20 30\n";
    let options = BvhOptions { scale: Some(1.0), up: Some(UpAxis::Y), ..Default::default() };
    let mut asset = bvh::to_asset(&bvh::parse(text.as_bytes()).unwrap(), &options).unwrap();
    let same = bvh::from_asset(&asset, &BvhWriteOptions::default()).unwrap();
    assert!(same.values.iter().zip([10.0, 20.0, 30.0]).all(|(a, b)| (a - b).abs() < 1e-12));

    let root = asset.skeleton.root();
    let turned = sinew_f64::math::rotation::exp(DVec3::new(0.1, 0.2, 0.3));
    asset.motions[0].frames[0].set_rotation(root, turned);
    asset.motions[0].frames[0].set_translation(root, DVec3::X);
    let more = bvh::from_asset(&asset, &BvhWriteOptions::default()).unwrap();
    assert_eq!(more.joints[0].channels.len(), 6);
    assert_eq!(more.joints[1].channels.len(), 2);
    assert!(
        more.notes[0].to_string().contains("1 joints (first 'a') move in ways their channels cannot say")
    );
    let (place, turn) = more.joints[0].local(&more.values[..6]);
    assert!((place - DVec3::X).length() < 1e-12 && turn.angle_between(turned) < 1e-7);
}

#[test]
fn an_asset_without_motion_is_one_frame_at_rest() {
    let mut asset = machine();
    asset.motions.clear();
    let document = bvh::from_asset(&asset, &BvhWriteOptions::default()).unwrap();
    assert_eq!(document.frame_count(), 1);
    let back = bvh::parse(&bvh::write(&document)).unwrap();
    assert!(document.notes[0].to_string().contains("there is no motion"));
    let rest = ModelPose::rest(&asset.skeleton);
    for (place, expected) in back.joint_positions(Some(&back.values)).iter().zip(rest.positions()) {
        assert!((*place * 0.01 - *expected).length() < 1e-10);
    }
}

#[test]
fn a_unit_that_would_be_guessed_wrong_is_noted() {
    let asset = machine();
    let said = |unit| {
        let options = BvhWriteOptions { unit: Some(unit), ..Default::default() };
        let notes = bvh::from_asset(&asset, &options).unwrap().notes;
        notes.iter().any(|note| note.to_string().contains("give it the scale"))
    };
    assert!(!said(0.01));
    assert!(said(0.3));
    for bad in [0.0, f64::NAN, -1.0] {
        let options = BvhWriteOptions { unit: Some(bad), ..Default::default() };
        assert!(bvh::from_asset(&asset, &options).is_err());
    }
}

#[test]
fn impossible_requests_are_refused() {
    let asset = machine();
    let missing = BvhWriteOptions { motion: 7, ..Default::default() };
    let error = bvh::from_asset(&asset, &missing).unwrap_err().to_string();
    assert_eq!(error, "cannot write BVH: there is no motion 7, only 2");
    let order = BvhWriteOptions { order: [Axis::X, Axis::Y, Axis::X], ..Default::default() };
    assert!(bvh::from_asset(&asset, &order).is_err());
}
