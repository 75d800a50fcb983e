//! Values that a key posture has besides its joints, blended like them: how the
//! arm's swivel is searched, and at what distance the body takes part ("Extended
//! Behaviors" of Kallmann 2007).

use crate::analytic::SwivelSearch;
use crate::math::*;

/// How the arm's swivel is searched, and how much of a posture is taken at a distance: nothing up
/// to `start`, all of it from `full` on, and between them a parabola that starts flat, so that a
/// hand near the shoulder leaves the body alone. Kallmann's weight function `k (d/a)²` is `start`
/// 0 and `full` 1/√k.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KeyValues {
    /// The preferred swivel angle, in radians from the limb's neutral.
    pub swivel: Real,
    /// How far the search goes from it: clockwise (not positive) and counter-clockwise.
    pub range: (Real, Real),
    /// The first step of the search.
    pub step: Real,
    /// By how much each step is longer than the one before.
    pub growth: Real,
    /// Up to this distance, in arm's lengths, the body does not take part.
    pub start: Real,
    /// From this distance on it does all it can.
    pub full: Real,
    /// Whatever the weight, the body leans on when the arm is stretched to this part of its
    /// length. Elbows of people stay a little bent as long as the back can help; and at
    /// full stretch the elbow's speed has no bound. But a hanging arm is straight.
    pub stretch: Real,
}

impl Default for KeyValues {
    /// The paper's weight function with its k = 0.8.
    fn default() -> Self {
        let SwivelSearch { range, step, growth, .. } = SwivelSearch::default();
        let full = 1.0 / (0.8 as Real).sqrt();
        Self { swivel: 0.0, range, step, growth, start: 0.0, full, stretch: 1.0 }
    }
}

impl KeyValues {
    /// What is wrong with them, if anything.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let (low, high) = self.range;
        let checks = [
            (self.swivel.abs() <= TAU, "the swivel must be an angle of at most a turn"),
            // A little over half a turn, for angles that were rounded.
            (
                low <= 0.0 && high >= 0.0 && low >= -3.2 && high <= 3.2,
                "the range must go from -180°..0 to 0..180°",
            ),
            (self.step > 1.0e-4 && self.step <= PI, "the step must be above 0 and at most 180°"),
            ((1.0..=4.0).contains(&self.growth), "the growth must be between 1 and 4"),
            (
                self.start >= 0.0 && self.full > self.start + 1.0e-3 && self.full <= 100.0,
                "the weight must start at 0 or later and be full after that",
            ),
            ((0.5..=1.0).contains(&self.stretch), "the stretch must be between 0.5 and 1"),
        ];
        checks.into_iter().find(|(fine, _)| !fine).map_or(Ok(()), |(_, problem)| Err(problem))
    }

    /// As the limb takes it. Fewer halvings than for a limb alone: a frame has 33 ms,
    /// but a body has more to do in it.
    #[cfg(feature = "collision")]
    pub(super) fn search(&self) -> SwivelSearch {
        SwivelSearch { step: self.step, growth: self.growth, range: self.range, refinements: 5, retreats: 3 }
    }

    /// The weight of the posture for a goal at this distance from the shoulder of an arm of this
    /// length.
    #[inline]
    pub fn weight_at(&self, distance: Real, arm: Real) -> Real {
        let part = (distance / arm.max(TINY) - self.start) / (self.full - self.start).max(TINY);
        let part = part.clamp(0.0, 1.0);
        part * part
    }

    /// The weighted sum; weights add up to one.
    pub(super) fn blend(parts: impl Iterator<Item = (Self, Real)>) -> Self {
        let mut out = [0.0; 8];
        for (v, weight) in parts {
            let numbers = [v.swivel, v.range.0, v.range.1, v.step, v.growth, v.start, v.full, v.stretch];
            for (sum, number) in out.iter_mut().zip(numbers) {
                *sum += number * weight;
            }
        }
        let [swivel, low, high, step, growth, start, full, stretch] = out;
        // Rounding must not take a blend out of the range of what was blended.
        let (growth, stretch) = (growth.max(1.0), stretch.min(1.0));
        Self { swivel, range: (low, high), step, growth, start, full, stretch }
    }
}
