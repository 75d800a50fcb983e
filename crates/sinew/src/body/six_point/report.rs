//! What came of a frame.

use super::points::Point;
use crate::analytic::LimbReport;
use crate::math::*;
use crate::report::{Cause, Outcome, Status};
use crate::skeleton::humanoid::Side;

/// Where a point's position came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Source {
    /// As the tracker said.
    Measured,
    /// Nothing was said, so it was filled in from the other points and the frame before.
    #[default]
    Missing,
    /// The tracker said NaN or infinity; filled in.
    NotFinite,
    /// The tracker said a place that the body cannot have; filled in.
    Implausible,
    /// The tracker jumped, or came back after a gap: followed at a bounded speed.
    CatchingUp,
    /// The tracker has stood still to the last bit while the body went on. It is
    /// believed for as long as the body can reach it.
    Frozen,
}

/// What a frame came to. The pose is always finite, and within the limits but for the shoulder or hip of
/// a limb that is [`Strained`](Cause::Strained), which says by how much. An arm or a leg that is
/// [`Underway`](Cause::Underway) could have been in its place, but by a jump.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SixPointReport {
    /// Where each point's position came from, in the order of [`Point::ALL`].
    pub sources: [Source; Point::COUNT],
    /// By how much the spine misses pelvis and head, each: the error is split evenly.
    pub spine: Real,
    /// Arms, left and right.
    pub arms: [LimbReport; 2],
    /// Legs, left and right.
    pub legs: [LimbReport; 2],
    /// Whether pose and skeleton are those the solver was built for; if not,
    /// nothing was done.
    pub mismatch: bool,
}

impl SixPointReport {
    pub(super) const NOTHING: Self = {
        let nothing = LimbReport { outcome: Outcome::refused(Cause::Mismatch), swivel: 0.0, tests: 0 };
        Self {
            sources: [Source::Missing; Point::COUNT],
            spine: 0.0,
            arms: [nothing; 2],
            legs: [nothing; 2],
            mismatch: true,
        }
    };

    /// Whether wrists and ankles stand where they should and all six points were measured.
    pub fn status(&self) -> Status {
        let limbs = self.arms.iter().chain(&self.legs).all(LimbReport::reached);
        let measured = Point::SIX.iter().all(|p| self.source(*p) == Source::Measured);
        if limbs && measured && !self.mismatch { Status::Reached } else { Status::NotReached }
    }

    /// Where a point's position came from.
    pub fn source(&self, point: Point) -> Source {
        self.sources[point.index()]
    }

    /// An arm's report.
    pub fn arm(&self, side: Side) -> &LimbReport {
        &self.arms[usize::from(side == Side::Right)]
    }

    /// A leg's report.
    pub fn leg(&self, side: Side) -> &LimbReport {
        &self.legs[usize::from(side == Side::Right)]
    }
}
