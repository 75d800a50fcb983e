//! Files come back: a small one of ours, and recordings of others.

use std::path::PathBuf;

use sinew_io::bvh::{self, BvhOptions, BvhWriteOptions};

use super::files;
use super::round_trip::assert_same_places;

#[test]
fn a_motion_of_ours_comes_back_with_every_joint_in_place() {
    come_back(&[files::seeds().join("bvh/walk.bvh")]);
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn recorded_files_come_back_with_every_joint_in_place() {
    for folder in ["bvh", "cmu", "hostile"] {
        come_back(&files::ending(&files::data().join(folder), &["bvh"]));
    }
}

fn come_back(paths: &[PathBuf]) {
    for path in paths {
        let first = bvh::parse(&std::fs::read(path).unwrap()).unwrap();
        let asset = bvh::to_asset(&first, &BvhOptions::default()).unwrap();
        let written = bvh::write(&bvh::from_asset(&asset, &BvhWriteOptions::default()).unwrap());
        let second = bvh::parse(&written).unwrap();
        for (x, y) in first.joints.iter().zip(&second.joints) {
            assert_eq!(x.channels, y.channels);
        }
        assert_same_places(&first, &second, 1e-7);
    }
}
