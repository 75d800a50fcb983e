//! Noisy trackers: every point and every orientation through a filter of its own
//! ([`NoiseFilter`]), as it comes and without a look ahead.
//!
//! The guard comes first, so that what cannot be right is not filtered but left out; a
//! point that nobody sees is forgotten and starts anew.

use super::points::{Point, Trackers};
use super::{unit, usable};
use crate::filter::{NoiseFilter, NoiseOptions};
use crate::math::*;

/// The filters of all points.
#[derive(Debug, Clone, Default)]
pub(super) struct Steady([NoiseFilter; Point::COUNT]);

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
        for (i, (point, filter)) in Point::ALL.into_iter().zip(&mut self.0).enumerate() {
            let place = six.get(i).copied().or_else(|| usable(trackers.position(point)));
            let place = place.map(|place| filter.position(place, dt, options));
            let turn = trackers.orientation(point).and_then(unit);
            let turn = turn.map(|turn| filter.orientation(turn, dt, options));
            if place.is_none() {
                filter.forget_position();
            }
            if turn.is_none() {
                filter.forget_orientation();
            }
            if let (Some(six), Some(place)) = (six.get_mut(i), place) {
                *six = place;
            }
            filtered.set(point, place, turn);
        }
        filtered
    }
}
