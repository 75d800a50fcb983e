//! Two files of the same recording must put every joint at the same place.
//!
//! The CMU database has each recording as ASF and AMC, and others have
//! converted it to BVH. The conversion has lost three bones: the children of
//! the thorax and of both wrists have an offset of zero. With these put back,
//! forward kinematics of the two files agree to the digits that the BVH file
//! has. In the BVH file the first frame is an added T-pose.
//!
//! The files are not part of the project: the folder comes from the
//! environment variable `SINEW_DATA`.
#![allow(clippy::unwrap_used)] // helpers of tests are tests too

#[path = "common/files.rs"]
mod files;

use std::path::Path;

use glam::DVec3;
use sinew_f64::ModelPose;
use sinew_io::bvh::{self, BvhOptions, UpAxis};
use sinew_io::{Asset, read_file};

const UNIT: f64 = 0.0254 / 0.45;

/// The joints of the ASF skeleton in the order of the BVH file.
const SAME: [(&str, &str); 31] = [
    ("Hips", "root"),
    ("LHipJoint", "lhipjoint"),
    ("LeftUpLeg", "lfemur"),
    ("LeftLeg", "ltibia"),
    ("LeftFoot", "lfoot"),
    ("LeftToeBase", "ltoes"),
    ("RHipJoint", "rhipjoint"),
    ("RightUpLeg", "rfemur"),
    ("RightLeg", "rtibia"),
    ("RightFoot", "rfoot"),
    ("RightToeBase", "rtoes"),
    ("LowerBack", "lowerback"),
    ("Spine", "upperback"),
    ("Spine1", "thorax"),
    ("Neck", "lowerneck"),
    ("Neck1", "upperneck"),
    ("Head", "head"),
    ("LeftShoulder", "lclavicle"),
    ("LeftArm", "lhumerus"),
    ("LeftForeArm", "lradius"),
    ("LeftHand", "lwrist"),
    ("LeftFingerBase", "lhand"),
    ("LeftHandIndex1", "lfingers"),
    ("LThumb", "lthumb"),
    ("RightShoulder", "rclavicle"),
    ("RightArm", "rhumerus"),
    ("RightForeArm", "rradius"),
    ("RightHand", "rwrist"),
    ("RightFingerBase", "rhand"),
    ("RightHandIndex1", "rfingers"),
    ("RThumb", "rthumb"),
];

/// The BVH recording with the lost bones put back, and their names.
fn restored(path: &Path, original: &Asset) -> (Asset, Vec<&'static str>) {
    let mut document = bvh::parse(&std::fs::read(path).unwrap()).unwrap();
    let rest = ModelPose::rest(&original.skeleton);
    let place = |name: &str| rest.position(original.skeleton.find(name).unwrap()) / UNIT;
    let mut lost = Vec::new();
    for (theirs, ours) in SAME {
        let joint = document.joints.iter_mut().find(|joint| joint.name == theirs).unwrap();
        let id = original.skeleton.find(ours).unwrap();
        let above = original
            .skeleton
            .parent(id)
            .map_or(DVec3::ZERO, |parent| place(original.skeleton.joint(parent).name()));
        let bone = place(ours) - above;
        if joint.offset == DVec3::ZERO && bone.length() > 1e-6 {
            joint.offset = bone;
            lost.push(theirs);
        }
        assert!((joint.offset - bone).length() < 1e-4, "{theirs}: {} and {bone}", joint.offset);
    }
    let options = BvhOptions { scale: Some(UNIT), up: Some(UpAxis::Y), ..Default::default() };
    (bvh::to_asset(&document, &options).unwrap(), lost)
}

#[test]
#[ignore = "needs SINEW_DATA, see docs/data.md"]
fn bvh_and_amc_put_every_joint_at_the_same_place() {
    let root = files::data().join("cmu");
    for name in ["17_10", "90_05", "01_03"] {
        let original = read_file(root.join("asfamc").join(format!("{name}.amc"))).unwrap();
        let (converted, lost) = restored(&root.join(format!("{name}.bvh")), &original);
        let expected = [
            "Neck",
            "LeftShoulder",
            "LeftFingerBase",
            "LThumb",
            "RightShoulder",
            "RightFingerBase",
            "RThumb",
        ];
        assert_eq!(lost, expected, "the thorax and the wrists");

        let ids: Vec<_> = SAME
            .iter()
            .map(|(theirs, ours)| {
                (converted.skeleton.find(theirs).unwrap(), original.skeleton.find(ours).unwrap())
            })
            .collect();
        let (theirs, ours) = (&converted.motions[0].frames[1..], &original.motions[0].frames);
        assert_eq!(theirs.len(), ours.len(), "frame i is row i + 1");
        let mut worst = 0.0f64;
        for (theirs, ours) in theirs.iter().zip(ours) {
            let theirs = ModelPose::new(&converted.skeleton, theirs);
            let ours = ModelPose::new(&original.skeleton, ours);
            for &(a, b) in &ids {
                worst = worst.max((theirs.position(a) - ours.position(b)).length() / UNIT);
            }
        }
        println!("{name}: {} frames, every joint within {worst:.2e} units", ours.len());
        assert!(worst < 1e-3, "{name}: {worst} units");
    }
}
