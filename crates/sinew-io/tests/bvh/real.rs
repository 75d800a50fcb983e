//! Files that people recorded. They are not part of the project: the folder
//! comes from the environment variable `SINEW_DATA`.

use std::path::PathBuf;

use sinew_io::bvh::{self, BvhOptions, BvhWriteOptions};

use super::round_trip::assert_same_places;

/// Every BVH file below the data folder, or nothing and a word about it.
pub fn files() -> Vec<PathBuf> {
    let Some(root) = std::env::var_os("SINEW_DATA").map(PathBuf::from) else {
        eprintln!("SINEW_DATA is not set: nothing recorded is tested");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = ["bvh", "cmu", "hostile"]
        .iter()
        .filter_map(|folder| std::fs::read_dir(root.join(folder)).ok())
        .flat_map(|entries| entries.filter_map(|entry| Some(entry.ok()?.path())))
        .filter(|path| path.extension().is_some_and(|ending| ending == "bvh"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "SINEW_DATA holds no BVH files");
    files
}

#[test]
fn recorded_files_come_back_with_every_joint_in_place() {
    for path in files() {
        let first = bvh::parse(&std::fs::read(&path).unwrap()).unwrap();
        let asset = bvh::to_asset(&first, &BvhOptions::default()).unwrap();
        let written = bvh::write(&bvh::from_asset(&asset, &BvhWriteOptions::default()).unwrap());
        let second = bvh::parse(&written).unwrap();
        for (x, y) in first.joints.iter().zip(&second.joints) {
            assert_eq!(x.channels, y.channels);
        }
        assert_same_places(&first, &second, 1e-7);
    }
}
