//! The motion of one joint, as it is plotted.

use sinew_f64::filter::MotionFilter;
use sinew_f64::{JointId, Pose, Skeleton};

use crate::wire::MotionSample;

/// A page that is away for long gets the end of the story.
const MOST: usize = 600;

/// Samples of a joint since they were last taken.
#[derive(Debug)]
pub struct Trace {
    joint: JointId,
    samples: Vec<MotionSample>,
    /// The last one, for what is found by difference.
    last: Option<MotionSample>,
}

impl Trace {
    pub fn new(joint: JointId) -> Self {
        Self { joint, samples: Vec::new(), last: None }
    }

    /// Another joint: what was kept is not its motion.
    pub fn follow(&mut self, joint: JointId) {
        if joint != self.joint {
            *self = Self::new(joint);
        }
    }

    /// The next sample has no past.
    pub fn restart(&mut self) {
        self.last = None;
    }

    pub fn take(&mut self) -> Vec<MotionSample> {
        std::mem::take(&mut self.samples)
    }

    /// Adds a moment `dt` after the last. What the filter knows of its motion is
    /// taken from it; the rest is the difference to the moment before.
    pub fn add(
        &mut self,
        skeleton: &Skeleton,
        filter: Option<&MotionFilter>,
        (wanted, shown): (&Pose, &Pose),
        (time, dt): (f64, f64),
    ) {
        if !skeleton.contains(self.joint) {
            return;
        }
        let axis = filter.and_then(|filter| filter.joint(self.joint).first());
        let now = match axis {
            Some(axis) => MotionSample {
                time,
                wanted: axis.goal(),
                position: axis.position(),
                velocity: axis.velocity(),
                acceleration: axis.acceleration(),
                jerk: 0.0,
            },
            None => {
                let [wanted, position] = [wanted, shown].map(|pose| coordinate(skeleton, pose, self.joint));
                MotionSample { time, wanted, position, velocity: 0.0, acceleration: 0.0, jerk: 0.0 }
            }
        };
        let last = self.last.unwrap_or(MotionSample { time: time - dt, ..now });
        let mut sample = now;
        let order = axis.map(|axis| axis.options().order);
        if order.is_none() {
            sample.velocity = (now.position - last.position) / dt;
        }
        if matches!(order, None | Some(1)) {
            sample.acceleration = (sample.velocity - last.velocity) / dt;
        }
        sample.jerk = (sample.acceleration - last.acceleration) / dt;
        self.last = Some(sample);
        if self.samples.len() >= MOST {
            self.samples.drain(..MOST / 2);
        }
        self.samples.push(sample);
    }
}

/// The joint's first coordinate: the angle of a hinge, the way of a slide, the
/// turn about x of a ball.
fn coordinate(skeleton: &Skeleton, pose: &Pose, joint: JointId) -> f64 {
    let turn = || sinew_f64::math::rotation::log(pose.rotation(joint)).x;
    pose.value(skeleton, joint).unwrap_or_else(turn)
}
