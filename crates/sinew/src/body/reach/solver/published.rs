//! The elbow's swivel angle as Kallmann 2007 counts it ("Swivel Angle", eq. 1) and searches for it
//! ("Automatic Swivel Angle Determination").
//!
//! The angle φ counts from `û`, the projection of −ŷ onto the plane of the elbow's circle, with ŷ upwards in
//! the shoulder's frame, towards `v̂ = û × n̂`, with n̂ from the shoulder to the goal; for the left arm the
//! mirror image. So an elbow that hangs has φ = 0 and one that is lifted to the side a positive φ. The
//! search starts at 30° and goes from −15° to 130°. A goal on the ŷ axis has no `û`, and fails.

use super::{ReachSolver, Wish};
use crate::analytic::{LimbReport, Swivel, SwivelSearch};
use crate::goal::GoalId;
use crate::math::*;
use crate::report::{Cause, Outcome};

/// Where the search starts, and from where to where it goes.
const START: Real = PI / 6.0;
const RANGE: (Real, Real) = (-PI / 12.0, 130.0 * PI / 180.0);
/// The sine of the angle below which a goal counts as on the axis.
const ON_AXIS: Real = 1.0e-3;

impl ReachSolver {
    /// The swivel that the search starts from, and the search; `None` for a goal on the axis. The
    /// behaviour's own values are added to the start and say how the search steps.
    pub(super) fn published_swivel(&self, side: usize, wish: &Wish) -> Option<(Swivel, SwivelSearch)> {
        let arm = self.arms[side].as_ref()?;
        let base = arm.limb().base_frame(&self.model, &self.pose).translation;
        let up = self.model.rotation(arm.frame.carrier) * arm.frame.turn * Vec3::Y;
        let n = direction_or(wish.target.position - base, up);
        let u = up.dot(n) * n - up;
        if u.length() < ON_AXIS {
            return None;
        }
        let u = u.normalize();
        // Swivel angles count the other way round the right arm.
        let (v, range) = match side {
            0 => (n.cross(u), (RANGE.0 - START, RANGE.1 - START)),
            _ => (u.cross(n), (START - RANGE.1, START - RANGE.0)),
        };
        let (sin, cos) = (START + wish.values.swivel).sin_cos();
        let elbow = base + (u * cos + v * sin) * arm.limb().reach().1;
        let (step, growth) = (wish.values.step, wish.values.growth);
        Some((Swivel::Pole(elbow), SwivelSearch { step, growth, range, ..SwivelSearch::default() }))
    }

    /// Says that a goal lies where the angle has no zero.
    pub(super) fn fail_on_axis(&mut self, side: usize, wish: &Wish, kept: Real) {
        let outcome = Outcome::refused(Cause::Stalled { goal: GoalId(0) });
        self.arrived(side, LimbReport { outcome, swivel: 0.0, tests: 0 }, 0.0, wish, kept);
    }
}
