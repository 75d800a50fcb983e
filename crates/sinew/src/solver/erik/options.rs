//! What ERIK is given and what it gives back.

use super::measure::ErikErrors;
use crate::error::RigError;
use crate::math::*;
use crate::report::SolveReport;

/// How ERIK works. The defaults are the paper's where it states them; what it
/// leaves open, or what is not in it, says so.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ErikOptions {
    /// The weight of the orientation error (eq. 19).
    pub orientation_weight: Real,
    /// The weight of the posture error (eq. 19).
    pub posture_weight: Real,
    /// The combined error that is good enough.
    pub threshold: Real,
    /// How much worse a deviation counts one joint further up (α of eq. 21).
    /// The paper does not say which it used; 1 counts all joints alike.
    pub aggravation: Real,
    /// The most iterations; the paper's longest runs took 12 or 13.
    pub iterations: u32,
    /// The most sweeps of one descent (section 3.2: fewer than five are enough).
    pub descent_sweeps: u32,
    /// A descent points well enough when (1 − cosine) / 2 is at most this; not
    /// stated, a third of a degree here.
    pub descent_precision: Real,
    /// Errors that differ by less are the same; not stated.
    pub precision: Real,
    /// How far joints are moved off their edges, and the target aside, in
    /// radians; not stated.
    pub disturbance: Real,
    /// The step of the latitude tables, in radians.
    pub latitude_step: Real,
    /// SymmetricEndpoint: the end point may as well be upside down.
    pub symmetric_endpoint: bool,
    /// Not in the paper: what the roll about the line of sight counts beside where the sight goes, in
    /// (0, 1], while a target is followed. Two joints whose axes come to lie in one line share a turn
    /// there and nowhere else if the roll is held exactly, and the one twitches.
    pub roll_weight: Real,
    /// Alg. 2, lines 4-5: the twist that the posture gives the end point is carried to an
    /// orientation that is asked for, so that a tilted head stays tilted.
    pub carry_twist: bool,
    /// Alg. 3: the warped posture, its directions and its bends, guides every forward phase. If not,
    /// iterations after the first are guided by the last solution, with the bends of the posture as
    /// it was wanted.
    pub warped_guide: bool,
    /// AvoidEdges: joints keep off the edges of their ranges.
    pub avoid_edges: bool,
    /// NonConvOffsetTrick: try a target a little aside when nothing improves.
    pub offset_trick: bool,
    /// NonConvCCDTrick: try plain CCD when that did not help either.
    pub ccd_trick: bool,
    /// Where the random offsets start: the same seed, the same solution.
    pub seed: u64,
    /// Not in the paper: the most steps of the optimiser that starts from
    /// ERIK's solution, for the same error; zero for ERIK as published.
    pub refine: u32,
    /// Not in the paper: bends keep the sides that they have in the posture, or
    /// are all mirrored. The measure of eq. 21 does not see sides, so ERIK as
    /// published makes an S of a C where that helps. Needs `refine`.
    pub keep_sides: bool,
    /// Not in the paper: start from the pose given if that is good enough, so
    /// that a moving target or posture makes a moving solution. Needs `refine`.
    pub follow: bool,
    /// Not in the paper: the most that a joint turns (or a slide moves) in one solve with `follow`;
    /// zero for any. Where a better pose is far, the way there then takes several solves.
    pub stride: Real,
    /// Not in the paper: in how many solves with `follow` a joint goes most of the way to where the
    /// posture draws it, as far as the target leaves it free to; zero for at once. What the target asks
    /// for is not delayed. Needs `keep_sides`. The solver remembers the last posture for it ([`Erik::forget`](super::Erik::forget)).
    pub ease: Real,
}

crate::report::show_fields!(ErikOptions);

impl Default for ErikOptions {
    fn default() -> Self {
        Self { refine: 8, warped_guide: false, ..Self::published() }
    }
}

impl ErikOptions {
    /// ERIK as published, without what is not in the paper.
    pub const fn published() -> Self {
        Self {
            orientation_weight: 1.0,
            posture_weight: 0.2,
            threshold: 0.04,
            aggravation: 1.0,
            iterations: 12,
            descent_sweeps: 5,
            descent_precision: 1.0e-5,
            precision: 1.0e-4,
            disturbance: 0.01,
            latitude_step: PI / 180.0,
            symmetric_endpoint: true,
            roll_weight: 1.0,
            carry_twist: true,
            warped_guide: true,
            avoid_edges: true,
            offset_trick: true,
            ccd_trick: true,
            seed: 0,
            refine: 0,
            keep_sides: false,
            follow: false,
            stride: 0.0,
            ease: 0.0,
        }
    }

    /// For characters that people look at: keeps the sides to which the posture
    /// bends, follows targets and postures that move from frame to frame, and does
    /// not stand a head on its top.
    pub fn following() -> Self {
        Self { follow: true, keep_sides: true, symmetric_endpoint: false, refine: 16, ..Self::default() }
    }

    /// The same for a head with a face, which is held upright: a hair of roll is not seen, a twitch is.
    pub fn face() -> Self {
        Self { roll_weight: 0.2, ..Self::following() }
    }

    /// Whether the numbers make sense.
    pub(super) fn check(&self) -> Result<(), RigError> {
        let finite = [
            self.orientation_weight,
            self.posture_weight,
            self.threshold,
            self.descent_precision,
            self.precision,
            self.disturbance,
            self.stride,
            self.ease,
        ];
        let fine = finite.iter().all(|x| x.is_finite() && *x >= 0.0)
            && self.roll_weight > 0.0
            && self.roll_weight <= 1.0
            && self.aggravation.is_finite()
            && self.aggravation > 0.0
            && self.latitude_step.is_finite()
            && self.latitude_step > 0.0;
        if fine { Ok(()) } else { Err(RigError::BadOption("of ERIK")) }
    }
}

/// What a solve came to.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ErikReport {
    /// Status, cause, iterations, and the angle that each end point misses its
    /// target by, measured on the returned pose. Reached means that its combined
    /// error is at most the threshold.
    pub solve: SolveReport,
    /// The errors of the returned pose.
    pub errors: ErikErrors,
}

impl core::fmt::Display for ErikReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let ErikErrors { orientation, posture, combined } = self.errors;
        write!(
            f,
            "{}; errors: orientation {orientation:.4}, posture {posture:.4}, combined {combined:.4}",
            self.solve
        )
    }
}
