//! Values that a key posture has besides its joints, blended like them: how the
//! arm's swivel is searched, and at what distance the body takes part ("Extended
//! Behaviors" of Kallmann 2007).

use crate::analytic::SwivelSearch;
use crate::math::*;

/// How the arm's swivel is searched.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SearchValues {
    /// The preferred angle, in radians from the limb's neutral.
    pub swivel: Real,
    /// How far the search goes from it: clockwise (not positive) and counter-clockwise.
    pub range: (Real, Real),
    /// The first step.
    pub step: Real,
    /// By how much each step is longer than the one before.
    pub growth: Real,
}

impl Default for SearchValues {
    fn default() -> Self {
        let search = SwivelSearch::default();
        Self { swivel: 0.0, range: search.range, step: search.step, growth: search.growth }
    }
}

impl SearchValues {
    /// What is wrong with them, if anything.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        let (low, high) = self.range;
        if !self.swivel.is_finite() || self.swivel.abs() > TAU {
            return Err("the swivel must be an angle of at most a turn");
        }
        // A little over half a turn, for angles that were rounded.
        if !(low <= 0.0 && high >= 0.0 && low >= -3.2 && high <= 3.2) {
            return Err("the range must go from -180°..0 to 0..180°");
        }
        if !(self.step > 1.0e-4 && self.step <= PI) {
            return Err("the step must be above 0 and at most 180°");
        }
        if !(self.growth >= 1.0 && self.growth <= 4.0) {
            return Err("the growth must be between 1 and 4");
        }
        Ok(())
    }

    /// As the limb takes it. Fewer halvings than for a limb alone: a frame has 33 ms,
    /// but a body has more to do in it.
    pub fn search(&self) -> SwivelSearch {
        SwivelSearch { step: self.step, growth: self.growth, range: self.range, refinements: 5, retreats: 3 }
    }
}

/// How much of a posture is taken at a distance.
///
/// Zero up to `start`, one from `full` on, and a parabola between that starts flat,
/// so that a hand near the shoulder leaves the body alone. Both in arm's lengths.
/// Kallmann's weight function `k (d/a)²` is `start` 0 and `full` 1/√k.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DistanceWeight {
    /// Up to here the body does not take part.
    pub start: Real,
    /// From here on it does all it can.
    pub full: Real,
    /// Whatever the weight, the body leans on when the arm is stretched to this part of its
    /// length. Elbows of people stay a little bent as long as the back can help; and at
    /// full stretch the elbow's speed has no bound. But a hanging arm is straight.
    pub stretch: Real,
}

impl Default for DistanceWeight {
    /// The paper's, with its k = 0.8.
    fn default() -> Self {
        Self::kallmann(0.8)
    }
}

impl DistanceWeight {
    /// The paper's weight function: `k` at the arm's length.
    pub fn kallmann(k: Real) -> Self {
        Self { start: 0.0, full: 1.0 / k.max(TINY).sqrt(), stretch: 1.0 }
    }

    /// The weight for a goal at this distance from the shoulder of an arm of this length.
    #[inline]
    pub fn at(self, distance: Real, arm: Real) -> Real {
        let part = (distance / arm.max(TINY) - self.start) / (self.full - self.start).max(TINY);
        let part = part.clamp(0.0, 1.0);
        part * part
    }

    pub(super) fn check(&self) -> Result<(), &'static str> {
        let fine = self.start >= 0.0 && self.full > self.start + 1.0e-3 && self.full <= 100.0;
        if !fine {
            return Err("the weight must start at 0 or later and be full after that");
        }
        let fine = self.stretch >= 0.5 && self.stretch <= 1.0;
        if fine { Ok(()) } else { Err("the stretch must be between 0.5 and 1") }
    }
}

/// Everything of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KeyValues {
    /// How the arm's swivel is searched.
    pub search: SearchValues,
    /// At what distance the body takes part.
    pub weight: DistanceWeight,
}

impl KeyValues {
    pub(super) fn check(&self) -> Result<(), &'static str> {
        self.search.check()?;
        self.weight.check()
    }

    /// The weighted sum; weights add up to one.
    pub(super) fn blend(parts: impl Iterator<Item = (Self, Real)>) -> Self {
        let mut out = [0.0; 8];
        for (values, weight) in parts {
            let (s, d) = (values.search, values.weight);
            let numbers = [s.swivel, s.range.0, s.range.1, s.step, s.growth, d.start, d.full, d.stretch];
            for (sum, number) in out.iter_mut().zip(numbers) {
                *sum += number * weight;
            }
        }
        let [swivel, low, high, step, growth, start, full, stretch] = out;
        Self {
            // Rounding must not take a blend out of the range of what was blended.
            search: SearchValues { swivel, range: (low, high), step, growth: growth.max(1.0) },
            weight: DistanceWeight { start, full, stretch: stretch.min(1.0) },
        }
    }
}
