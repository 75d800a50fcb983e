//! Which turns about a fixed axis a limit allows.
//!
//! A joint whose rotation is `R(axis, s)·start` for an angle s has one degree of freedom: a limb that
//! swivels about the line to its goal, or a forearm that twists. The quaternion of such a family is
//! linear in (cos s/2, sin s/2), and with that much of what a limit asks has a closed form:
//!
//! * The twist `2·atan2(z, w)` takes each value once in a turn, since z and w are linear:
//!   `z·cos(τ/2) = w·sin(τ/2)` is one equation for tan(s/2). A range of twist therefore allows
//!   exactly one arc, with both ends known.
//! * The bone's direction goes round a circle; a cone about z allows the arc where
//!   `a + b·cos s + c·sin s ≥ cos r`.
//! * A box of Euler angles is entered and left where one angle is at a bound, each a closed form
//!   (`limit/euler/circle.rs`).
//! * An ellipse in the swing plane (Kallmann 2007, eq. 7) is transcendental there. Its margin is
//!   smooth, so it is scanned coarsely and its roots are refined.
//! * Other regions are scanned finely by their distance to the edge.
//!
//! # Degenerate cases
//! Where the axis is the twist's own, or at right angles to it in a certain way, the twist is the same
//! for all s: then all angles are allowed or none. Where the bone goes through straight back, its twist
//! is undefined at that one angle, which counts with its neighbours.

use super::{AngleRange, JointLimit, LimitShape, SLACK, SwingShape, SwingTwistLimit};
use crate::math::arcs::Arcs;
use crate::math::*;

/// Radians beyond an edge that an allowed angle may lie. Without it a turn that holds a limit at a
/// single angle, where the joint stands exactly on its edge, would be lost to rounding. Who uses such
/// an angle projects the rotation, which moves it by no more than this.
pub(crate) const EDGE: Real = HAIR;

/// Samples a turn for margins without a closed form: 2° apart.
pub(crate) const FINE_SAMPLES: usize = 180;
/// Samples a turn for smooth margins.
pub(crate) const SMOOTH_SAMPLES: usize = 24;

/// `R(axis, s)·start`, for every angle s.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turning {
    /// The rotation at s = 0.
    pub start: Quat,
    /// The rotation at s = π. The one at s is `start·cos(s/2) + half·sin(s/2)`.
    pub half: Quat,
}

/// Cosine and sine of half an angle.
#[inline(always)]
pub(crate) fn half_angle(angle: Real) -> Vec2 {
    let (sin, cos) = (0.5 * angle).sin_cos();
    Vec2::new(cos, sin)
}

/// The angle in (−π, π] whose half has this cosine and sine, or the opposite of both.
#[inline(always)]
pub(crate) fn angle_of(half: Vec2) -> Real {
    let half = if half.x < 0.0 { -half } else { half };
    2.0 * half.y.atan2(half.x)
}

impl Turning {
    /// `axis` must be of unit length.
    #[inline]
    pub fn new(axis: Vec3, start: Quat) -> Self {
        Self { start, half: Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0) * start }
    }

    /// The rotation at `s`.
    #[inline]
    pub fn at(&self, s: Real) -> Quat {
        self.at_half(half_angle(s))
    }

    /// The rotation at an angle of which half has this cosine and sine.
    #[inline(always)]
    pub fn at_half(&self, half: Vec2) -> Quat {
        self.start * half.x + self.half * half.y
    }

    /// The same family in the frame of a swing-twist limit.
    #[inline]
    pub fn seen_by(&self, limit: &SwingTwistLimit) -> Self {
        Self { start: limit.to_frame(self.start), half: limit.to_frame(self.half) }
    }

    /// Half of the angle at which the twist about z is `twist`, both by their cosines and sines. `None`
    /// if the twist is the same for all angles.
    #[inline(always)]
    pub fn where_twist_is(&self, twist: Vec2) -> Option<Vec2> {
        let a = self.start.z * twist.x - self.start.w * twist.y;
        let b = self.half.z * twist.x - self.half.w * twist.y;
        let squared = a * a + b * b;
        (squared > ROUNDING * ROUNDING).then(|| Vec2::new(b, -a) * (1.0 / squared.sqrt()).copysign(b))
    }

    /// The angles at which the twist about z lies in the range.
    pub fn where_twist_in(&self, range: AngleRange) -> Arcs {
        // Less than other edges are widened by, so that a swing that stands on its edge at the very
        // end of this arc still does so there.
        let range = AngleRange::new(range.min - 0.05 * EDGE, range.max + 0.05 * EDGE);
        if range.is_whole_turn() {
            return Arcs::ALL;
        }
        let at_once = |s: Real| {
            let (_, twist) = swing_twist::decompose(self.at(s));
            match range.edge_distance(swing_twist::twist_angle(twist)) >= -SLACK {
                true => Arcs::ALL,
                false => Arcs::NONE,
            }
        };
        // The sign of the twist's growth with s, which is the same everywhere.
        let sense = self.half.z * self.start.w - self.start.z * self.half.w;
        if sense.abs() <= ROUNDING {
            // One twist for all, but for a single angle where it is undefined.
            let found = at_once(0.4);
            return if found.is_empty() { at_once(2.0) } else { found };
        }
        let ends = [range.min, range.max].map(|end| self.where_twist_is(half_angle(end)).map(angle_of));
        let [Some(low), Some(high)] = ends else { return at_once(0.4) };
        let (from, to) = if sense > 0.0 { (low, high) } else { (high, low) };
        let length = wrap_angle(to - from);
        let length = if length < 0.0 { length + TAU } else { length };
        // Ends that fall together are those of a lock, or of all but a point.
        let nearly_all = length < SLACK && range.max - range.min > PI;
        Arcs::one(from, if nearly_all { TAU } else { length })
    }

    /// The angles of `window` at which z points into the region.
    fn where_swing_in(&self, shape: &SwingShape, window: &Arcs) -> Arcs {
        let direction = self.start * Vec3::Z;
        let axis = self.half * self.start.conjugate();
        let axis = Vec3::new(axis.x, axis.y, axis.z);
        let centre = axis * axis.dot(direction);
        let (cosine, sine) = (direction - centre, axis.cross(direction));
        let at = |s: Real| {
            let (sin, cos) = s.sin_cos();
            centre + cosine * cos + sine * sin
        };
        match shape {
            SwingShape::Free => *window,
            SwingShape::Cone(cone) => window.intersection(&cone.allowed_turns(centre, cosine, sine, EDGE)),
            shape => {
                let samples = if shape.is_smooth() { SMOOTH_SAMPLES } else { FINE_SAMPLES };
                Arcs::scan(window, samples, |s| shape.margin(at(s)) + EDGE)
            }
        }
    }
}

impl JointLimit {
    /// The angles of `window` at which the limit allows the rotation, to within [`EDGE`].
    pub(crate) fn allowed_turns(&self, family: &Turning, window: &Arcs) -> Arcs {
        match &self.shape {
            LimitShape::None | LimitShape::Prismatic(_) => *window,
            LimitShape::SwingTwist(l) => {
                let seen = family.seen_by(l);
                let window = l.twist.map_or(*window, |r| window.intersection(&seen.where_twist_in(r)));
                seen.where_swing_in(&l.swing, &window)
            }
            LimitShape::Euler(l) => {
                let (mut ends, count) = l.crossings(family.start, family.half, EDGE);
                window.intersection(&Arcs::between(&mut ends[..count], |s| l.contains(family.at(s), EDGE)))
            }
            _ => Arcs::scan(window, FINE_SAMPLES, |s| self.signed_distance(family.at(s)) + EDGE),
        }
    }

    /// The angle to the limit's edge, positive inside. Outside it is the true angle to the nearest
    /// allowed rotation, which [`edge_distance`](Self::edge_distance) is not.
    pub(crate) fn signed_distance(&self, q: Quat) -> Real {
        let outside = self.violation(q);
        if outside > 0.0 { -outside } else { self.edge_distance(q).max(0.0) }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/limit_turning.rs"]
mod tests;
