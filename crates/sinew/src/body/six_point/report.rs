//! What came of a frame.

use super::points::Point;
use crate::analytic::LimbReport;
use crate::goal::GoalId;
use crate::math::*;
use crate::report::{Cause, GoalResidual, Outcome, Status};
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

impl core::fmt::Display for Source {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Measured => "measured",
            Self::Missing => "missing",
            Self::NotFinite => "not finite",
            Self::Implausible => "implausible",
            Self::CatchingUp => "catching up",
            Self::Frozen => "frozen",
        })
    }
}

/// What a frame came to. The pose is always finite, and within the limits but for the shoulder or hip of
/// a limb that is [`Strained`](Cause::Strained), which says by how much and is only there where an
/// option allows it. An arm or a leg that is [`Underway`](Cause::Underway) could have been in its
/// place, but by a jump.
///
/// Goals are numbered as in [`Point::ALL`]: 0 is the pelvis, 1 the head, 2 and 3 are the wrists, 4 and
/// 5 the ankles, left before right.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SixPointReport {
    /// Whether wrists and ankles stand where they should and all six points were measured.
    pub status: Status,
    /// Why not, of the first limb that something is to be said of: arms before legs. `None`
    /// where it is only that points were not measured, which [`sources`](Self::sources) tells.
    pub cause: Option<Cause>,
    /// Where each point's position came from, in the order of [`Point::ALL`].
    pub sources: [Source; Point::COUNT],
    /// By how much the spine misses pelvis and head, each: the error is split evenly.
    pub spine: Real,
    /// Arms, left and right.
    pub arms: [LimbReport; 2],
    /// Legs, left and right.
    pub legs: [LimbReport; 2],
}

impl SixPointReport {
    pub(super) const NOTHING: Self = {
        let nothing = LimbReport { outcome: Outcome::refused(Cause::Mismatch), swivel: 0.0, tests: 0 };
        Self {
            status: Status::NotReached,
            cause: Some(Cause::Mismatch),
            sources: [Source::Missing; Point::COUNT],
            spine: 0.0,
            arms: [nothing; 2],
            legs: [nothing; 2],
        }
    };

    /// Makes status and cause from the limbs and the sources.
    pub(super) fn conclude(&mut self) {
        let limbs = || (2..).zip(self.arms.iter().chain(&self.legs));
        self.cause = limbs().find_map(|(i, limb)| Some(limb.outcome.cause?.of_goal(GoalId(i))));
        let measured = Point::SIX.iter().all(|p| self.source(*p) == Source::Measured);
        let reached = measured && limbs().all(|(_, limb)| limb.reached());
        self.status = if reached { Status::Reached } else { Status::NotReached };
    }

    /// Whether wrists and ankles stand where they should and all six points were measured.
    pub fn reached(&self) -> bool {
        self.status == Status::Reached
    }

    /// How far one of the six points is from where it was taken to be; zero for others.
    pub fn residual(&self, point: Point) -> GoalResidual {
        match point.index() {
            0 | 1 => GoalResidual { position: self.spine, orientation: 0.0 },
            i @ (2 | 3) => self.arms[i - 2].outcome.residual,
            i @ (4 | 5) => self.legs[i - 4].outcome.residual,
            _ => GoalResidual::default(),
        }
    }

    /// Where a point's position came from.
    pub fn source(&self, point: Point) -> Source {
        self.sources[point.index()]
    }

    /// An arm's report.
    pub fn arm(&self, side: Side) -> &LimbReport {
        &self.arms[side as usize]
    }

    /// A leg's report.
    pub fn leg(&self, side: Side) -> &LimbReport {
        &self.legs[side as usize]
    }
}

impl core::fmt::Display for SixPointReport {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}", self.status)?;
        if let Some(cause) = &self.cause {
            write!(f, ": {cause}")?;
        }
        for point in Point::SIX {
            match self.source(point) {
                Source::Measured => {}
                source => write!(f, "; {} {source}", point.name())?,
            }
        }
        Ok(())
    }
}
