//! A swing-twist limit, prepared to be asked often.
//!
//! Solvers that try many rotations need to know how far inside of a limit each of them is, not the
//! nearest allowed one. From the quaternion in the limit's frame that takes multiplications and a few
//! square roots:
//!
//! * The twist's half angle is the direction of (w, z). With the range's middle turned to zero and its
//!   half width `h`, `sin(h/2)·|w| − cos(h/2)·|z|` over the length of (w, z) is the sine of half of
//!   what is left of the range.
//! * The region says how far inside the bone's direction is, see [`SwingShape::margin`].

use super::turning::half_angle;
use super::{AngleRange, JointLimit, LimitShape, SwingShape};
use crate::math::*;

/// How far inside of an edge a joint is put that should stand on it, in radians: eight thousandths of a
/// degree in single precision. What stands there needs no projection.
pub(crate) const ON_EDGE: Real = 14.0 * HAIR;
/// A joint with this much left, in radians, is inside whatever rounding did.
pub(crate) const INSIDE: Real = 8.0 * HAIR;

/// See the module's text.
#[derive(Debug, Clone)]
pub(crate) struct LimitProbe {
    /// `before · q · after` is the rotation in the limit's frame.
    pub before: Quat,
    pub after: Quat,
    pub swing: SwingShape,
    pub twist: Option<TwistProbe>,
}

/// A range of twist, by the cosines and sines of half angles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TwistProbe {
    pub range: AngleRange,
    middle: Vec2,
    half_width: Vec2,
    /// The twist of the range that is nearest to zero, and what that leaves of the range.
    pub least: Vec2,
    pub least_margin: Real,
    /// The ends, [`ON_EDGE`] within.
    pub low: Vec2,
    pub high: Vec2,
}

impl TwistProbe {
    fn new(range: AngleRange) -> Self {
        let width = 0.5 * (range.max - range.min);
        let within = ON_EDGE.min(width);
        let least = (0.0 as Real).clamp(range.min, range.max);
        Self {
            range,
            middle: half_angle(range.middle()),
            half_width: half_angle(width),
            least: half_angle(least),
            least_margin: 2.0 * (0.5 * (least - range.min).min(range.max - least)).sin(),
            low: half_angle(range.min + within),
            high: half_angle(range.max - within),
        }
    }

    /// What is left of the range for a rotation in the limit's frame, and whether its twist is beyond
    /// the middle.
    #[inline(always)]
    fn margin(&self, q: Quat) -> (Real, bool) {
        let along = q.w * self.middle.x + q.z * self.middle.y;
        let across = q.z * self.middle.x - q.w * self.middle.y;
        let length = (q.w * q.w + q.z * q.z).sqrt().max(ROUNDING);
        let left = 2.0 * (self.half_width.y * along.abs() - self.half_width.x * across.abs()) / length;
        (left, (across >= 0.0) == (along >= 0.0))
    }
}

/// What is left until the edges, in radians near them; negative outside, one if there is no edge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Margins {
    pub swing: Real,
    pub twist: Real,
    /// Whether the twist is beyond the middle of its range.
    pub above: bool,
}

impl Margins {
    pub const FREE: Self = Self::of(1.0);

    /// Of a limit that has one margin for everything.
    pub const fn of(margin: Real) -> Self {
        Self { swing: margin, twist: 1.0, above: false }
    }

    #[inline(always)]
    pub fn least(self) -> Real {
        self.swing.min(self.twist)
    }
}

impl LimitProbe {
    /// `None` for limits of other kinds.
    pub fn new(limit: &JointLimit) -> Option<Self> {
        let LimitShape::SwingTwist(l) = &limit.shape else { return None };
        let twist = l.twist.filter(|r| !r.is_whole_turn()).map(TwistProbe::new);
        Some(Self { before: l.frame.conjugate(), after: l.frame * l.rest, swing: l.swing.clone(), twist })
    }

    /// Of a joint without a limit, with the twist about `axis`.
    pub fn free(axis: Vec3) -> Self {
        let frame = rotation::between(Vec3::Z, axis, Vec3::X);
        Self { before: frame.conjugate(), after: frame, swing: SwingShape::Free, twist: None }
    }

    /// A rotation of the joint as the limit's frame sees it.
    #[inline(always)]
    pub fn to_frame(&self, q: Quat) -> Quat {
        self.before * q * self.after
    }

    /// A rotation in the limit's frame as the joint has it.
    #[inline(always)]
    pub fn out_of_frame(&self, q: Quat) -> Quat {
        self.before.conjugate() * q * self.after.conjugate()
    }

    /// Whether a rotation of the joint is surely inside.
    #[inline]
    pub fn holds(&self, q: Quat) -> bool {
        self.holds_local(self.to_frame(q))
    }

    /// The same for a rotation in the limit's frame.
    #[inline]
    pub(super) fn holds_local(&self, q: Quat) -> bool {
        if self.twist.as_ref().is_some_and(|t| t.margin(q).0 <= INSIDE) {
            return false;
        }
        match self.swing.is_smooth() {
            true => self.swing_margin(q) > INSIDE,
            // Whether a direction is within is quicker to see than how far.
            false => {
                let direction = q * Vec3::Z;
                self.swing.surely_holds(direction)
                    || self.swing.project_within(direction, INSIDE, 0.0).is_none()
            }
        }
    }

    /// What is left for a rotation in the limit's frame.
    #[inline(always)]
    pub fn margins(&self, q: Quat) -> Margins {
        let (twist, above) = self.twist.as_ref().map_or((1.0, false), |t| t.margin(q));
        Margins { swing: self.swing_margin(q), twist, above }
    }

    /// The same, but that a region whose margin takes long to reckon has all that there is where it surely holds.
    #[inline(always)]
    pub fn margins_unless_sure(&self, q: Quat) -> Margins {
        let (twist, above) = self.twist.as_ref().map_or((1.0, false), |t| t.margin(q));
        let sure = !self.swing.is_smooth() && self.swing.surely_holds(q * Vec3::Z);
        Margins { swing: if sure { 1.0 } else { self.swing_margin(q) }, twist, above }
    }

    /// What is left of the region for a rotation in the limit's frame.
    #[inline(always)]
    pub fn swing_margin(&self, q: Quat) -> Real {
        if matches!(self.swing, SwingShape::Free) {
            return 1.0;
        }
        let z = 1.0 - 2.0 * (q.x * q.x + q.y * q.y);
        self.swing.margin(Vec3::new(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), z))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/limit_probe.rs"]
mod tests;
