//! What the tests of the workspaces share.
#![allow(clippy::unwrap_used, dead_code)] // each test program uses a part

use sinew_f64::{ModelPose, Pose};
use sinew_io::Asset;
use sinew_studio::rig::Rig;
use sinew_studio::wire::RigSource;
use sinew_studio::workspace::{Step, Workspace};

/// A rig that is built in.
pub fn rig(name: &str) -> Rig {
    let asset = Asset::new(sinew_f64::rigs::by_name(name).unwrap());
    Rig::new(asset, RigSource::Rig { name: name.into() })
}

/// Checks what every step of every workspace promises.
pub fn check<W: Workspace>(rig: &Rig, workspace: &W, step: &Step) {
    let skeleton = &rig.asset.skeleton;
    let pose = workspace.pose();
    assert_eq!(pose.len(), skeleton.len());
    let model = ModelPose::new(skeleton, pose);
    assert!(model.positions().iter().all(|p| p.is_finite()), "a pose that is nowhere");
    assert!(model.rotations().iter().all(|q| q.is_finite()));
    // Numbers that are none become null, which the page's types do not know.
    let text = serde_json::to_string(&step.details).unwrap();
    let back: sinew_studio::wire::FrameDetails = serde_json::from_str(&text).unwrap();
    assert_eq!(serde_json::to_string(&back).unwrap(), text);
    for message in &step.messages {
        let text = serde_json::to_string(message).unwrap();
        serde_json::from_str::<sinew_studio::wire::ServerMessage>(&text).unwrap();
    }
}

/// The furthest that a joint is apart in two poses, in metres.
pub fn apart(rig: &Rig, a: &Pose, b: &Pose) -> f64 {
    let [a, b] = [a, b].map(|pose| ModelPose::new(&rig.asset.skeleton, pose));
    a.positions().iter().zip(b.positions()).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}
