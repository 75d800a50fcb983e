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

/// How often the first target is looked at before anything moves, at most, and the turn of a joint, in
/// radians, below which what is found has settled.
const SETTLING: usize = 256;
const SETTLED: f64 = 1.0e-5;

impl Stream {
    /// Without a filter, set-points are sent as they are, and go by strides to a pose that is far off.
    /// With one they jump: it sees to the bounds, and a jump is approached without passing it, where a
    /// set-point that runs and then stands is believed to run on. No joint of a robot goes faster
    /// than its drive can.
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
        if filter.is_some() {
            eye.stride_freely();
        }
        // What is followed improves for some frames on what is found afresh: that is no motion.
        eye.look(skeleton, posture, wish, weight, true, &mut wanted);
        // Nothing moves yet that would have to go gently.
        let ease = std::mem::replace(&mut eye.ease, 0.0);
        let mut last = wanted.clone();
        for _ in 0..SETTLING {
            eye.look(skeleton, posture, wish, weight, false, &mut wanted);
            let moved = |joint| last.rotation(joint).angle_between(wanted.rotation(joint));
            if skeleton.ids().map(moved).fold(0.0, f64::max) < SETTLED {
                break;
            }
            last.copy_from(&wanted);
        }
        eye.ease = ease;
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
                filter.step_told(skeleton, &self.wanted, dt, self.eye.jumped(), &mut self.shown);
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

#[cfg(test)]
mod tests {
    use super::super::EyeOptions;
    use super::*;
    use sinew_f64::Vec3;

    /// What was found afresh still went on settling when the stream had begun, and a snake twitched at once.
    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_stream_begins_at_rest() {
        let place = Vec3::new(-1.0, -0.2, 1.5);
        for rig in ["erik-c", "erik-g", "snake", "arm", "humanoid"] {
            let asset = Asset::new(sinew_f64::rigs::by_name(rig).unwrap());
            let rest = asset.opening_pose();
            let options = EyeOptions { rate: Some(60.0), ..EyeOptions::default() };
            let eye = Eye::new(&asset, &options).unwrap();
            let mut stream = Stream::new(&asset, eye, None, &rest, (Wish::At(place), 1.0));
            let from = stream.sent().to_vec();
            for _ in 0..60 {
                stream.step(&asset.skeleton, &rest, (Wish::At(place), 1.0), 1.0 / 60.0);
            }
            let off = from.iter().zip(stream.sent()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 2.0e-3, "{rig}: {off}");
        }
    }

    /// Set-points that went by strides were believed to run on, and were passed by up to 170 %.
    #[test]
    #[allow(clippy::unwrap_used)]
    fn a_target_that_jumps_is_not_passed() {
        let places = [
            Vec3::new(0.0, 0.8, 3.0),
            Vec3::new(2.0, 1.5, 2.0),
            Vec3::new(-1.5, 0.2, 2.0),
            Vec3::new(-1.0, 1.5, 2.5),
        ];
        for rig in ["erik-c", "erik-g", "snake", "humanoid"] {
            let asset = Asset::new(sinew_f64::rigs::by_name(rig).unwrap());
            let rest = asset.opening_pose();
            let options = EyeOptions { rate: Some(60.0), ..EyeOptions::default() };
            let eye = Eye::new(&asset, &options).unwrap();
            for filter in [FilterOptions::light(), FilterOptions::default(), FilterOptions::heavy()] {
                let first = (Wish::At(places[0]), 1.0);
                let mut stream = Stream::new(&asset, eye.clone(), Some(filter), &rest, first);
                for place in &places[1..] {
                    let from = stream.sent().to_vec();
                    let sent: Vec<Vec<f64>> = (0..180)
                        .map(|_| {
                            stream.step(&asset.skeleton, &rest, (Wish::At(*place), 1.0), 1.0 / 60.0);
                            stream.sent().to_vec()
                        })
                        .collect();
                    for (k, from) in from.iter().enumerate() {
                        let to = sent[sent.len() - 1][k];
                        let past = |values: &Vec<f64>| (values[k] - to) / (to - from);
                        let most = sent.iter().map(past).fold(0.0, f64::max);
                        assert!(
                            (to - from).abs() < 0.05 || most < 0.15,
                            "{rig}: {most} past {to} from {from}"
                        );
                    }
                }
            }
        }
    }

    /// A robot that leans to a target within its reach had its head in it, where there is no direction to look in: from
    /// one frame to the next it looked the other way, by 650 rad/s².
    #[test]
    #[allow(clippy::unwrap_used)]
    fn what_is_within_reach_is_looked_at_from_a_distance() {
        for (rig, place, wide, hertz) in [
            ("erik-g", Vec3::new(0.0, 1.48, 1.11), 0.54, 0.42),
            ("erik-c", Vec3::new(0.3, 0.64, 1.07), 0.3, 0.23),
        ] {
            let asset = Asset::new(sinew_f64::rigs::by_name(rig).unwrap());
            let rest = asset.opening_pose();
            let at = |i: usize| {
                let (sin, cos) = (std::f64::consts::TAU * hertz * i as f64 / 60.0).sin_cos();
                (Wish::At(place + Vec3::new(cos, sin, 0.0) * wide), 1.0)
            };
            let options = EyeOptions { rate: Some(60.0), ..EyeOptions::default() };
            let mut stream = Stream::new(&asset, Eye::new(&asset, &options).unwrap(), None, &rest, at(0));
            let (mut was, mut step) = (stream.sent().to_vec(), vec![0.0; stream.sent().len()]);
            let mut worst: f64 = 0.0;
            for i in 1..600 {
                stream.step(&asset.skeleton, &rest, at(i), 1.0 / 60.0);
                for (k, now) in stream.sent().iter().enumerate() {
                    let next = now - was[k];
                    worst = worst.max((next - step[k]).abs());
                    (step[k], was[k]) = (next, *now);
                }
            }
            assert!(worst < 0.05, "{rig}: a joint's step changes by {worst} rad in a frame");
        }
    }
}
