//! A target followed over time: set-points, the motion filter, and what a drive is sent.

use sinew_f64::filter::{AxisFilter, FilterOptions, JointValues, MotionFilter};
use sinew_f64::{Pose, Skeleton};
use sinew_io::Asset;

use super::{Eye, Wish};

/// An eye that follows. It begins at rest where the first target is looked at.
#[derive(Debug, Clone)]
pub struct Stream {
    eye: Eye,
    filter: Option<MotionFilter>,
    values: JointValues,
    wanted: Pose,
    shown: Pose,
    sent: Vec<f64>,
}

impl Stream {
    /// Without a filter, set-points are sent as they are. No joint of a robot goes faster than its
    /// drive can.
    pub fn new(
        asset: &Asset,
        mut eye: Eye,
        filter: Option<FilterOptions>,
        posture: &Pose,
        (wish, weight): (Wish, f64),
    ) -> Self {
        let skeleton = &asset.skeleton;
        let mut wanted = posture.clone();
        wanted.project(skeleton);
        eye.look(skeleton, posture, wish, weight, true, &mut wanted);
        let filter = filter.map(|options| {
            let mut filter = MotionFilter::new(skeleton, options, &wanted);
            for drive in &asset.drives {
                drive.velocity.into_iter().for_each(|velocity| filter.bound_velocity(drive.joint, velocity));
            }
            filter
        });
        let values = JointValues::new(skeleton, &wanted);
        Self { sent: values.values().to_vec(), shown: wanted.clone(), wanted, values, filter, eye }
    }

    /// What looks.
    pub fn eye(&mut self) -> &mut Eye {
        &mut self.eye
    }

    /// The filters of all coordinates; empty without a filter.
    pub fn axes(&self) -> &[AxisFilter] {
        self.filter.as_ref().map_or(&[], MotionFilter::axes)
    }

    /// All coordinates as they are sent, in the order of [`Pose::to_coordinates`].
    pub fn sent(&self) -> &[f64] {
        &self.sent
    }

    /// The set-points, in the same order.
    pub fn wanted(&self) -> &[f64] {
        self.values.values()
    }

    /// Looks, and moves on by `dt` seconds; where that leads.
    pub fn step(
        &mut self,
        skeleton: &Skeleton,
        posture: &Pose,
        (wish, weight): (Wish, f64),
        dt: f64,
    ) -> &Pose {
        self.eye.look(skeleton, posture, wish, weight, false, &mut self.wanted);
        self.values.take(skeleton, &self.wanted);
        match &mut self.filter {
            Some(filter) => {
                filter.step(skeleton, &self.wanted, dt, &mut self.shown);
                for (sent, axis) in self.sent.iter_mut().zip(filter.axes()) {
                    *sent = axis.position();
                }
            }
            None => {
                self.shown.copy_from(&self.wanted);
                self.sent.copy_from_slice(self.values.values());
            }
        }
        &self.shown
    }
}
