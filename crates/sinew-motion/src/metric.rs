//! How far a reconstruction is from its original (section 9 of the paper).

use sinew::math::rotation;
use sinew::{JointId, ModelPose, Pose};

/// The errors of one frame, each a mean over the compared joints.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrameError {
    /// Distances over the body's height.
    pub position: f64,
    /// Norms of the exponential map of the local difference, in radians.
    pub orientation: f64,
}

/// Compares two poses of one skeleton.
pub fn compare(
    joints: &[JointId],
    height: f64,
    original: (&Pose, &ModelPose),
    made: (&Pose, &ModelPose),
) -> FrameError {
    let mut error = FrameError::default();
    for &joint in joints {
        error.position += f64::from(original.1.position(joint).distance(made.1.position(joint))) / height;
        let local = original.0.rotation(joint).conjugate() * made.0.rotation(joint);
        error.orientation += f64::from(rotation::angle(local));
    }
    let count = joints.len().max(1) as f64;
    FrameError { position: error.position / count, orientation: error.orientation / count }
}

/// The root of the mean square over frames.
pub fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    for value in values {
        sum += value * value;
        count += 1;
    }
    if count == 0 { 0.0 } else { (sum / count as f64).sqrt() }
}

/// The value below which this part of the sorted samples lies (0 to 1); zero
/// without samples.
pub fn percentile(samples: &[f64], part: f64) -> f64 {
    if samples.is_empty() {
        return 0.0;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (part.clamp(0.0, 1.0) * (sorted.len() - 1) as f64).round() as usize;
    sorted[place]
}

/// The middle sample.
pub fn median(samples: &[f64]) -> f64 {
    percentile(samples, 0.5)
}
