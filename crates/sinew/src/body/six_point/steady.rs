//! Noisy trackers: every point and every orientation through a filter of its own
//! ([`crate::filter::noise`]), as it comes and without a look ahead.
//!
//! The guard comes first, so that what cannot be right is not filtered but left out; a
//! point that nobody sees is forgotten and starts anew.

use super::points::{Point, Tracker, Trackers};
use super::{unit, usable};
use crate::filter::{NoiseOptions, PointFilter, TurnFilter};
use crate::math::*;

/// The filters of all points.
#[derive(Debug, Clone, Default)]
pub(super) struct Steady {
    points: [PointFilter; Point::COUNT],
    turns: [TurnFilter; Point::COUNT],
}

impl Steady {
    /// Filters the six points that were believed, in place, and what else the trackers say.
    pub(super) fn take(
        &mut self,
        trackers: &Trackers,
        options: &NoiseOptions,
        dt: Real,
        six: &mut [Vec3; 6],
    ) -> Trackers {
        let mut filtered = Trackers::default();
        for point in Point::ALL {
            let i = point.index();
            let mut tracker = Tracker::default();
            if let Some(place) = six.get_mut(i) {
                *place = self.points[i].step(*place, dt, options);
                tracker.position = Some(*place);
            } else if let Some(place) = usable(trackers.position(point)) {
                tracker.position = Some(self.points[i].step(place, dt, options));
            } else {
                self.points[i].reset();
            }
            match trackers.get(point).orientation.and_then(unit) {
                Some(turn) => tracker.orientation = Some(self.turns[i].step(turn, dt, options)),
                None => self.turns[i].reset(),
            }
            filtered.set(point, tracker);
        }
        filtered
    }
}
