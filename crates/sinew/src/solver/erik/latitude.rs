//! The latitude table (LALUT) of a joint: which angle bends it by how much.
//!
//! A joint's segment `ŝ` turned by `θ` about the axis `a` makes with the
//! segment before it, `p̂`, an angle whose cosine is a sinusoid of `θ`:
//!
//! ```text
//! p̂ · R(a, θ) ŝ = level + amplitude · cos(θ − peak)
//! ```
//!
//! The latitude of a direction (ERIK, eq. 16) is that cosine moved to [0, 1],
//! with the sign of the hemisphere that the direction lies in, which the vector
//! `a × p̂` tells. Within one hemisphere the angle follows from the latitude, so
//! two tables, each sorted by latitude and read by interpolation, answer the
//! question: *how must this joint turn for its segment to leave the one before
//! it by that much, on that side?* What is then still missing is a roll about
//! `p̂`, and that is the business of a twister below.
//!
//! The sinusoid could as well be inverted in closed form. Near the poles, where
//! the slope of the arc cosine is infinite, a table of steps in the *angle* and
//! interpolation are off by up to an eighth of a step; [`LatitudeTable::swing`]
//! therefore takes one Newton step after the look-up, which brings it to
//! rounding for the price of one sine.
//!
//! Degenerate: a joint whose axis lies along its segment or along the one
//! before has no amplitude. It is a twister and has no table.

use alloc::vec::Vec;

use crate::math::*;

/// How a joint's bend depends on its angle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Bend {
    pub level: Real,
    /// Factors of cos θ and sin θ.
    pub cosine: Real,
    pub sine: Real,
}

impl Bend {
    pub(super) fn new(axis: Vec3, before: Vec3, segment: Vec3) -> Self {
        let level = before.dot(axis) * axis.dot(segment);
        Self { level, cosine: before.dot(segment) - level, sine: before.dot(axis.cross(segment)) }
    }

    /// The cosine of the angle between the two segments, from the sine and
    /// cosine of half the joint's angle.
    #[inline]
    pub(super) fn at_half(&self, s: Real, c: Real) -> Real {
        self.level + self.cosine * (1.0 - 2.0 * s * s) + self.sine * (2.0 * s * c)
    }

    /// How fast it changes with the angle.
    #[inline]
    pub(super) fn slope_at_half(&self, s: Real, c: Real) -> Real {
        self.sine * (1.0 - 2.0 * s * s) - self.cosine * (2.0 * s * c)
    }

    pub(super) fn amplitude(&self) -> Real {
        (self.cosine * self.cosine + self.sine * self.sine).sqrt()
    }

    /// The angle at which the segments are as much in line as they get.
    pub(super) fn peak(&self) -> Real {
        self.sine.atan2(self.cosine)
    }
}

/// The two hemispheres' tables.
#[derive(Debug, Clone, Default)]
pub(super) struct LatitudeTable {
    bend: Bend,
    /// The middle of the joint's range.
    middle: Real,
    /// Latitude in [0, 1] and the angle that has it, by rising latitude; the
    /// hemisphere of positive turns away from the peak first.
    hemispheres: [Vec<(Real, Real)>; 2],
}

impl LatitudeTable {
    /// Sweeps the joint's range in steps (section 3.4.1).
    pub(super) fn new(bend: Bend, min: Real, max: Real, step: Real) -> Self {
        let peak = bend.peak();
        let count = ((max - min) / step.max(1.0e-3)).ceil().clamp(1.0, 8192.0) as usize;
        let mut hemispheres = [Vec::new(), Vec::new()];
        let mut add = |angle: Real| {
            let (s, c) = (0.5 * angle).sin_cos();
            let latitude = 0.5 * (bend.at_half(s, c) + 1.0);
            let side = wrap_angle(angle - peak);
            // Unwound from the peak, so that neighbours differ by a step; the
            // poles belong to both hemispheres.
            let near = ROUNDING.sqrt();
            if side >= -near {
                hemispheres[0].push((latitude, peak + side));
            }
            if side <= near {
                hemispheres[1].push((latitude, peak + side));
            } else if side >= PI - near {
                hemispheres[1].push((latitude, peak + side - TAU));
            }
            if side <= near - PI {
                hemispheres[0].push((latitude, peak + side + TAU));
            }
        };
        for i in 0..=count {
            add(min + (max - min) * (i as Real / count as Real));
        }
        // The poles themselves, which the steps may miss: there the bend turns back.
        for pole in [peak, peak + PI] {
            for angle in [pole - TAU, pole, pole + TAU] {
                if (min..=max).contains(&angle) {
                    add(angle);
                }
            }
        }
        for table in &mut hemispheres {
            table.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        Self { bend, middle: 0.5 * (min + max), hemispheres }
    }

    /// The angle with a bend whose cosine is `cosine`, in the hemisphere that
    /// `positive` names, or in the other one if this one lies outside of the
    /// joint's range. A bend that the range does not reach gives its nearest.
    #[inline]
    pub(super) fn swing(&self, cosine: Real, positive: bool) -> Real {
        self.middle + wrap_angle(self.unwound(cosine, positive) - self.middle)
    }

    /// The same, as far from the peak as the table has it.
    #[inline]
    fn unwound(&self, cosine: Real, positive: bool) -> Real {
        let own = &self.hemispheres[usize::from(!positive)];
        let table = if own.is_empty() { &self.hemispheres[usize::from(positive)] } else { own };
        let (Some(first), Some(last)) = (table.first(), table.last()) else { return 0.0 };
        let latitude = 0.5 * (cosine + 1.0);
        if latitude <= first.0 {
            return first.1;
        }
        if latitude >= last.0 {
            return last.1;
        }
        let above = table.partition_point(|entry| entry.0 < latitude).clamp(1, table.len() - 1);
        let ((low, from), (high, to)) = (table[above - 1], table[above]);
        let part = if high - low > TINY { (latitude - low) / (high - low) } else { 0.0 };
        let angle = from + (to - from) * part;
        // One step of Newton's method, kept between the neighbours.
        let (s, c) = (0.5 * angle).sin_cos();
        let slope = self.bend.slope_at_half(s, c);
        if slope.abs() < 1.0e-3 {
            return angle;
        }
        let better = angle + (cosine - self.bend.at_half(s, c)) / slope;
        better.clamp(from.min(to), from.max(to))
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/solver_erik_latitude.rs"]
mod tests;
