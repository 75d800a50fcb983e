//! What must be true of everything that a reader returns, whatever it was
//! given. The fuzz targets include this file too.

use std::time::{Duration, Instant};

use sinew_f64::{ModelPose, Pose};
use sinew_io::{Asset, ReadError};

/// Longer than any sound file of the tests takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

/// Reads `bytes` under this name and holds the result to the readers' promises:
/// in time, and either an error that says enough or an asset without a flaw.
pub fn read(name: &str, bytes: &[u8], sibling: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Option<Asset> {
    let start = (Instant::now(), worked());
    let result = sinew_io::read(name, bytes, sibling);
    let took = match (start.1, worked()) {
        (Some(before), Some(now)) => now.saturating_sub(before),
        _ => start.0.elapsed(),
    };
    assert!(took < PATIENCE, "{name}: {} bytes took {took:?}", bytes.len());
    match result {
        Ok(asset) => {
            check(&asset);
            check_written(&asset);
            Some(asset)
        }
        Err(error) => {
            check_error(&error);
            None
        }
    }
}

/// How long this thread has worked, where the system says so. A thread that waits for its turn for half a
/// minute, as one of the lowest priority does beside others, has not read slowly.
fn worked() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

/// Whether what was read from glTF can be written as such again, and read.
fn check_written(asset: &Asset) {
    if asset.source.gltf.is_none() {
        return;
    }
    // Numbers that single precision cannot hold are refused.
    if let Ok(written) = sinew_io::write(sinew_io::Format::Glb, asset, &Default::default()) {
        let again = sinew_io::read("again.glb", &written.bytes, &mut |_| None);
        let again = again.unwrap_or_else(|error| panic!("what was written is refused: {error}"));
        assert_eq!(again.skeleton.len(), asset.skeleton.len());
        assert_eq!(again.motions.len(), asset.motions.len());
    }
}

fn check_error(error: &ReadError) {
    assert!(!error.file.is_empty(), "an error without a file: {error}");
    assert!(!error.found.is_empty() && !error.expected.is_empty(), "an error without a reason: {error}");
    let text = error.to_string();
    assert!(text.len() < 2000, "an error of {} bytes: {text}", text.len());
    assert!(!text.contains('\0') && !text.contains('\n'), "an error that spoils a terminal: {text:?}");
}

/// Whether everything in the asset is finite and of one size, and stays finite
/// when it is moved and when it is narrowed to single precision.
pub fn check(asset: &Asset) {
    let skeleton = &asset.skeleton;
    assert!(!skeleton.is_empty());
    check_pose(asset, &Pose::rest(skeleton), "the rest pose");
    for joint in skeleton.joints() {
        let rest = joint.rest();
        assert!(rest.is_finite() && rest.rotation.is_normalized(), "the rest of {}", joint.name());
        assert!(!joint.name().is_empty(), "a joint without a name");
        assert!(joint.tip().is_none_or(|t| t.as_vec3().is_finite()), "the tip of {}", joint.name());
    }
    for motion in &asset.motions {
        assert!(motion.frame_time.is_finite() && motion.frame_time > 0.0, "frame time {}", motion.frame_time);
        for (i, frame) in motion.frames.iter().enumerate() {
            check_pose(asset, frame, &format!("frame {i} of '{}'", motion.name));
        }
    }
    if let Some(pose) = &asset.pose {
        check_pose(asset, pose, "the pose");
    }
    for (name, pose) in &asset.postures {
        check_pose(asset, pose, name);
    }
    for (name, joint) in &asset.roles {
        assert!(skeleton.contains(*joint), "role {name}");
    }
    for alias in &asset.aliases {
        assert!(skeleton.contains(alias.joint) && alias.frame.is_finite(), "alias {}", alias.name);
    }
    if let Some(surface) = &asset.surface {
        surface.check(skeleton).unwrap_or_else(|error| panic!("{error}"));
    }
    for mimic in &asset.mimics {
        assert!(skeleton.contains(mimic.joint) && skeleton.contains(mimic.source));
        assert!(mimic.multiplier.is_finite() && mimic.offset.is_finite());
    }
    for drive in &asset.drives {
        assert!(skeleton.contains(drive.joint));
        let numbers = [drive.velocity, drive.effort, drive.soft_lower, drive.soft_upper];
        assert!(numbers.into_iter().flatten().all(|n| n.is_finite() || n == f64::INFINITY));
    }
    for (name, goal) in &asset.goals {
        assert!(skeleton.contains(goal.effector.joint) && goal.target.is_valid(), "goal {name}");
    }
}

fn check_pose(asset: &Asset, pose: &Pose, what: &str) {
    assert_eq!(pose.len(), asset.skeleton.len(), "{what}");
    assert!(pose.is_finite(), "{what} is not finite");
    let model = ModelPose::new(&asset.skeleton, pose);
    for id in asset.skeleton.ids() {
        let place = model.transform(id);
        let name = asset.skeleton.joint(id).name();
        assert!(place.is_finite(), "{name} in {what}");
        assert!(place.translation.as_vec3().is_finite(), "{name} in {what} is lost in single precision");
    }
}
