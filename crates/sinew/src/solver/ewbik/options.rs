//! How EWBIK works: the published method, and what is added to it.

use crate::math::*;
use crate::report::Tolerance;

/// How far out an orientation's points are put, and how much they count.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BasisScale {
    /// Section 8 as printed: seven points that count alike, the effector's origin and six
    /// about it, as far out as the target is from the bone and at least one metre.
    SevenPoints,
    /// At the distance of the target from the bone, and at least this far, in
    /// metres; position and orientation count as the goal's weights say.
    Reach {
        /// The least distance.
        least: Real,
    },
    /// At this distance everywhere, in metres: every bone then lowers the same sum.
    Fixed(Real),
}

impl BasisScale {
    /// How much an orientation weighs whose target is this far (squared) from the bone, as a
    /// multiple of what its squared angle in radians would.
    #[inline]
    pub(crate) fn basis_weight(self, reach_squared: Real) -> Real {
        match self {
            // A basis vector and its opposite: two points for an axis, where half a point
            // would make the sum of all axes the squared angle.
            Self::SevenPoints => 4.0 * reach_squared.max(1.0),
            Self::Reach { least } => reach_squared.max(least * least),
            Self::Fixed(length) => length * length,
        }
    }

    /// How many points of a frame lie about its origin: opposite ones have it as their mean, so that
    /// each counts for the position as well.
    #[inline]
    pub(crate) fn origin_points(self) -> Real {
        if self == Self::SevenPoints { 7.0 } else { 1.0 }
    }
}

/// How EWBIK works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct EwbikOptions {
    /// Near enough.
    pub tolerance: Tolerance,
    /// The most sweeps over the skeleton in one attempt.
    pub iterations: u32,
    /// The most that a bone turns in one sweep, in radians (step 3a). A bone's own is this times
    /// one minus the joint's stiffness. Smaller is smoother and slower; half a turn is no damping.
    pub damping: Real,
    /// How far out an orientation's points are put.
    pub basis: BasisScale,
    /// Whether a turn that raises the error is dropped (section 11). With
    /// [`BasisScale::SevenPoints`] the error is that of the bone's own points, as published; else it
    /// is the sum that the goals' weights make, which is the same for all bones.
    pub guard: bool,
    /// Added: how often a turn that the guard drops is tried again at half its size.
    pub smaller_turns: u32,
    /// Added: hinges and universal joints turn by the best angle about their own axes, and not by the
    /// best free rotation brought back to them.
    pub own_axes: bool,
    /// Added: whether a free root may travel; it may always turn.
    pub root_travels: bool,
    /// Added: a free root moves once, undamped, before the first sweep.
    pub root_first: bool,
    /// Added: what is left of an orientation's weight for each joint that lies between
    /// the bone and the effector, while the goals are still far; one for no such phase.
    pub orientation_falloff: Real,
    /// Added: how often to try again from elsewhere when goals that began far from
    /// their targets stay unmet. The result of a try is taken only if it meets
    /// every goal.
    pub escapes: u32,
    /// Chooses where the tries begin.
    pub seed: u64,
    /// Added: guess from the last few sweeps where they lead, and go there if it pays.
    pub acceleration: bool,
}

crate::report::show_fields!(EwbikOptions);

impl EwbikOptions {
    /// Section 8 as printed and nothing else. The paper leaves the damping open: there is none here.
    /// Its guard (section 11) is off and is its own option.
    pub fn published() -> Self {
        Self {
            tolerance: Tolerance::default(),
            iterations: 1000,
            damping: PI,
            basis: BasisScale::SevenPoints,
            guard: false,
            smaller_turns: 0,
            own_axes: false,
            root_travels: false,
            root_first: false,
            orientation_falloff: 1.0,
            escapes: 0,
            seed: 1,
            acceleration: false,
        }
    }
}

impl Default for EwbikOptions {
    fn default() -> Self {
        Self {
            tolerance: Tolerance::default(),
            iterations: 3000,
            damping: 0.1,
            basis: BasisScale::Reach { least: 1.0 },
            guard: true,
            smaller_turns: 2,
            own_axes: true,
            root_travels: true,
            root_first: true,
            orientation_falloff: 0.3,
            escapes: 60,
            seed: 1,
            acceleration: true,
        }
    }
}
