//! BVH to GLB and back: every joint within 1e-4 m of its place in every frame.
//!
//! Made documents are always tested; recorded ones come from the folder in the
//! environment variable `SINEW_DATA`.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // helpers of tests are tests too

#[path = "bvh/made.rs"]
mod made;

#[path = "common/files.rs"]
mod files;

use std::path::PathBuf;

use proptest::prelude::*;
use sinew_f64::{ModelPose, Pose};
use sinew_io::bvh::{self, BvhOptions, UpAxis};
use sinew_io::{Asset, Format, ReadOptions, read, read_with, write};

/// The asset after GLB and BVH, read with these options.
fn there_and_back(asset: &Asset, options: &ReadOptions) -> Asset {
    let glb = write(Format::Glb, asset, &Default::default()).unwrap();
    let from_glb = read("x.glb", &glb.bytes, &mut |_| None).unwrap();
    let text = write(Format::Bvh, &from_glb, &Default::default()).unwrap();
    read_with("x.bvh", &text.bytes, &mut |_| None, options).unwrap()
}

/// The farthest that a joint or the end of a bone is from where it was.
fn worst(before: &Asset, after: &Asset) -> f64 {
    assert_eq!(before.skeleton.len(), after.skeleton.len());
    let ids: Vec<_> = before
        .skeleton
        .ids()
        .map(|id| {
            let name = before.skeleton.joint(id).name();
            let other = after.skeleton.find(name).unwrap();
            let parent = |asset: &Asset, id| {
                asset.skeleton.parent(id).map(|p| asset.skeleton.joint(p).name().to_owned())
            };
            assert_eq!(parent(before, id), parent(after, other), "the joint above {name}");
            (id, other)
        })
        .collect();
    let mut poses: Vec<(Pose, Pose)> = vec![(Pose::rest(&before.skeleton), Pose::rest(&after.skeleton))];
    for (a, b) in before.motions.iter().zip(&after.motions) {
        assert_eq!(a.frames.len(), b.frames.len());
        assert!((a.frame_time / b.frame_time - 1.0).abs() < 1e-6, "{} {}", a.frame_time, b.frame_time);
        poses.extend(a.frames.iter().cloned().zip(b.frames.iter().cloned()));
    }
    let mut worst = 0.0f64;
    for (a, b) in &poses {
        let (a, b) = (ModelPose::new(&before.skeleton, a), ModelPose::new(&after.skeleton, b));
        for &(i, j) in &ids {
            worst = worst.max((a.position(i) - b.position(j)).length());
            if let (Some(x), Some(y)) = (before.skeleton.joint(i).tip(), after.skeleton.joint(j).tip()) {
                worst = worst
                    .max((a.transform(i).transform_point(x) - b.transform(j).transform_point(y)).length());
            }
        }
    }
    worst
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn made_files_come_back_through_glb(document in made::document()) {
        let options = BvhOptions { scale: Some(0.01), up: Some(UpAxis::Y), ..Default::default() };
        let asset = bvh::to_asset(&document, &options).unwrap();
        let back = there_and_back(&asset, &ReadOptions { bvh: options, ..Default::default() });
        // A file without motion comes back with one frame at rest, as its notes
        // say, unless no joint has a channel to hold it.
        let channels: usize = document.joints.iter().map(|joint| joint.channels.len()).sum();
        prop_assert_eq!(back.motions.len(), usize::from(channels > 0));
        let off = worst(&asset, &back);
        prop_assert!(off < 1e-4, "{off} m");
    }
}

#[test]
fn a_motion_of_ours_comes_back_through_glb() {
    come_back_through_glb(&[files::seeds().join("bvh/walk.bvh")]);
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn recorded_files_come_back_through_glb() {
    for folder in ["bvh", "cmu", "hostile"] {
        come_back_through_glb(&files::ending(&files::data().join(folder), &["bvh"]));
    }
}

fn come_back_through_glb(paths: &[PathBuf]) {
    for path in paths {
        let asset = sinew_io::read_file(path).unwrap();
        // The unit and the axes are those of the recording again.
        let bvh = BvhOptions { scale: asset.source.unit, up: None, ..Default::default() };
        let back = there_and_back(&asset, &ReadOptions { bvh, ..Default::default() });
        assert_eq!(back.motions.len(), 1);
        let off = worst(&asset, &back);
        println!("{}: {} frames, within {off:.1e} m", path.display(), back.motions[0].frames.len());
        assert!(off < 1e-4, "{}: {off} m", path.display());
    }
}
