//! The motions of a rig: its file's own, those put on it from other files, and takes.
//!
//! Recordings float or sink: their floor is where the recorder had it. A motion is shown with the lowest
//! point of the feet on the floor that the rig stands on.
//!
//! # Degenerate cases
//! A motion in which no height is finite stays where it is.

use sinew_f64::skeleton::humanoid::Side;
use sinew_f64::{JointId, ModelPose, Pose, Vec3};
use sinew_io::{Asset, Motion};
use sinew_motion::Sequence;
use sinew_motion::metric::percentile;
use sinew_motion::transfer::transfer;

use super::Rig;
use crate::wire::MotionDescription;

/// The floor is looked for in no more frames.
const MOST_LOOKED_AT: usize = 400;
/// The part of the frames in which a foot may be lower than the floor.
const BELOW: f64 = 0.05;
/// The most motions beside the file's own, and the most joints times frames of them together: some 220 MB. The
/// oldest make room.
const MOST_ADDED: usize = 16;
pub const MOST_KEPT: usize = 4_000_000;

impl Rig {
    /// What the page is told of the motions.
    pub fn motion_descriptions(&self) -> Vec<MotionDescription> {
        let describe = |(i, m): (usize, &Motion)| MotionDescription {
            name: m.name.clone(),
            frames: m.frames.len() as u32,
            frame_time: frame_time(m),
            added: i >= self.own_motions,
        };
        self.asset.motions.iter().enumerate().map(describe).collect()
    }

    /// Adds a motion after the others; gives its place.
    pub fn add_motion(&mut self, motion: Motion) -> usize {
        let joints = self.asset.skeleton.len();
        let size = |motions: &[Motion]| joints * motions.iter().map(|m| m.frames.len()).sum::<usize>();
        let new = joints * motion.frames.len();
        loop {
            let added = &self.asset.motions[self.own_motions..];
            if added.is_empty() || (added.len() < MOST_ADDED && size(added) + new <= MOST_KEPT) {
                break;
            }
            self.asset.motions.remove(self.own_motions);
        }
        self.asset.motions.push(motion);
        self.asset.motions.len() - 1
    }

    /// By how much a motion of the file is raised so that its feet are on the floor. What was added is there already.
    pub fn lift_of(&self, place: usize) -> f64 {
        let Some(motion) = self.asset.motions.get(place).filter(|_| place < self.own_motions) else {
            return 0.0;
        };
        let skeleton = &self.asset.skeleton;
        let feet = self.feet();
        let stride = motion.frames.len().div_ceil(MOST_LOOKED_AT).max(1);
        let mut model = ModelPose::rest(skeleton);
        let lowest = |model: &ModelPose| {
            let tip = |id: JointId| skeleton.joint(id).tip().unwrap_or(Vec3::ZERO);
            let both = |&id: &JointId| {
                let end = model.transform(id).transform_point(tip(id));
                model.position(id).y.min(end.y)
            };
            feet.iter().map(both).fold(f64::INFINITY, f64::min)
        };
        let heights: Vec<f64> = motion
            .frames
            .iter()
            .step_by(stride)
            .map(|pose| {
                model.update(skeleton, pose);
                lowest(&model)
            })
            .filter(|height| height.is_finite())
            .collect();
        if heights.is_empty() { 0.0 } else { self.floor() - percentile(&heights, BELOW) }
    }

    /// A pose raised by so much.
    pub fn lifted(&self, pose: &Pose, by: f64) -> Pose {
        let root = self.asset.skeleton.root();
        let up = self.asset.skeleton.joint(root).rest().rotation.conjugate() * Vec3::new(0.0, by, 0.0);
        let mut raised = pose.clone();
        raised.set_translation(root, pose.translation(root) + up);
        raised
    }

    /// The joints that stand: feet and toes of a humanoid, every joint of anything else.
    fn feet(&self) -> Vec<JointId> {
        let skeleton = &self.asset.skeleton;
        let ankles: Vec<JointId> =
            Side::BOTH.into_iter().filter_map(|side| self.map.leg(side)).map(|leg| leg.end).collect();
        if ankles.is_empty() {
            return skeleton.ids().collect();
        }
        let below = |id: &JointId| ankles.iter().any(|ankle| skeleton.is_ancestor(*ankle, *id));
        let mut feet: Vec<JointId> = skeleton.ids().filter(below).collect();
        feet.extend(&ankles);
        feet
    }

    /// The motion of another file on this rig, through its points, as `sinew reconstruct --rig` does.
    pub fn adopted(&self, source: &Asset, file: &str) -> Result<Motion, String> {
        let motion = source.motions.first().filter(|motion| !motion.frames.is_empty());
        let motion = motion.ok_or_else(|| format!("{file} has no motion"))?;
        let (frames, joints) = (motion.frames.len(), self.asset.skeleton.len());
        if frames.saturating_mul(joints) > MOST_KEPT {
            return Err(format!("{file} is too long for {joints} joints: {frames} frames"));
        }
        let words = |why: String| format!("the motion of {file} cannot be put on {}: {why}", self.name());
        let narrow = sinew_io::single::Asset::new(source).map_err(|error| words(error.to_string()))?;
        let body = sinew_io::single::Asset::new(&self.asset).map_err(|error| words(error.to_string()))?;
        let map = narrow.humanoid();
        let frames = narrow.motions.into_iter().next().map(|m| m.frames).unwrap_or_default();
        let mut sequence = Sequence {
            name: motion.name.clone(),
            map,
            skeleton: narrow.skeleton,
            frames,
            frame_time: frame_time(motion),
            rigid: false,
            published: None,
        };
        // Feet would hurry from there to where the motion begins, and on the way they are in the floor.
        sequence.drop_opening();
        let skeleton = &self.asset.skeleton;
        let outcome = transfer(&sequence, &body.skeleton, &body.humanoid(), skeleton);
        let outcome = outcome.map_err(|error| words(format!("{error:#}")))?;
        let name = if motion.name.is_empty() { file } else { &motion.name };
        Ok(Motion::new(name, frame_time(motion), outcome.frames))
    }
}

/// Seconds a frame; a file may say nonsense.
pub fn frame_time(motion: &Motion) -> f64 {
    let usual = motion.frame_time.is_finite() && motion.frame_time > 1.0e-4;
    if usual { motion.frame_time } else { 1.0 / 30.0 }
}

#[cfg(test)]
mod tests {
    use sinew_f64::rigs;

    use super::*;
    use crate::wire::RigSource;

    /// A dance that began with a T-pose elsewhere stood with its feet 19 cm in the floor for a frame.
    #[test]
    fn a_pose_for_calibration_is_no_part_of_a_motion() {
        let mut source = Asset::new(rigs::by_name("humanoid").unwrap());
        let root = source.skeleton.root();
        let at = |x: f64| {
            let mut pose = Pose::rest(&source.skeleton);
            pose.set_translation(root, Vec3::new(x, 0.0, 0.0));
            pose
        };
        let dance: Vec<Pose> = (0..5).map(|i| at(0.01 * f64::from(i))).collect();
        let recorded: Vec<Pose> = [at(3.0)].into_iter().chain(dance.clone()).collect();
        let rig = Rig::new(source.clone(), RigSource::Rig { name: "humanoid".into() });
        let mut adopted = |frames| {
            source.motions = vec![Motion::new("dance", 1.0 / 30.0, frames)];
            rig.adopted(&source, "dance.bvh").unwrap().frames.len()
        };
        assert_eq!((adopted(recorded), adopted(dance)), (5, 5));
    }
}
