//! Rotations with one parameter, and which of them a limit allows.
//!
//! Swivelling turns the whole limb rigidly about the line from base to end. So
//! the base's rotation is `R(n̂, φ)·q₀`, what is left for the forearm and the end
//! joint is `R(u, −φ)·q₀`, and a twist that is shared between forearm and wrist
//! is of the same form: a fixed rotation turned about a fixed axis. The
//! quaternion of such a family is linear in (cos s/2, sin s/2), and with it
//! much of what a limit asks has a closed form:
//!
//! * The twist `2·atan2(z, w)` takes each value once in a turn, since z and w are
//!   linear: `z·cos(τ/2) = w·sin(τ/2)` is one equation for tan(s/2). A range of
//!   twist therefore allows exactly one arc, with both ends known.
//! * The bone's direction goes round a circle; a cone about z allows the arc
//!   where `a + b·cos s + c·sin s ≥ cos r`.
//! * An ellipse in the swing plane (Kallmann 2007, eq. 7) is transcendental
//!   there. Its level is a smooth function of s without trigonometry in it (see
//!   [`EllipseLevel`]), scanned coarsely and refined.
//! * A box of Euler angles is entered and left where one angle is at a bound, each a
//!   closed form (`limit/euler/circle.rs`).
//! * The other regions are scanned by their distance to the edge.

use super::arcs::Arcs;
use crate::limit::{AngleRange, JointLimit, LimitShape, SLACK, SwingEllipse, SwingShape, SwingTwistLimit};
use crate::math::*;

/// `R(axis, s)·start`, for every s.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turning {
    /// The unit axis of the turn.
    pub axis: Vec3,
    /// The rotation at s = 0.
    pub start: Quat,
    /// The rotation at s = π: the other end of the linear family.
    half: Quat,
}

impl Turning {
    #[inline]
    pub fn new(axis: Vec3, start: Quat) -> Self {
        let half = Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0) * start;
        Self { axis, start, half }
    }

    /// The family whose rotations at s = 0 and s = π are these, with no axis to ask for.
    #[inline]
    pub fn from_parts(start: Quat, half: Quat) -> Self {
        Self { axis: Vec3::ZERO, start, half }
    }

    /// The rotation at `s`.
    #[inline]
    pub fn at(&self, s: Real) -> Quat {
        let (sin, cos) = (0.5 * s).sin_cos();
        self.start * cos + self.half * sin
    }

    /// The same family as a limit's frame sees it.
    #[inline]
    pub fn seen_by(&self, limit: &SwingTwistLimit) -> Self {
        Self::new(limit.frame.conjugate() * self.axis, limit.to_frame(self.start))
    }

    /// Where the twist about z is `twist`. `None` if the family has one twist for all s.
    #[inline]
    pub fn where_twist_is(&self, twist: Real) -> Option<Real> {
        let (sin, cos) = (0.5 * twist).sin_cos();
        let a = self.start.z * cos - self.start.w * sin;
        let b = self.half.z * cos - self.half.w * sin;
        if a * a + b * b <= ROUNDING * ROUNDING {
            return None;
        }
        Some(wrap_angle(2.0 * (-a).atan2(b)))
    }

    /// By how much the twist grows with s: its sign never changes.
    #[inline]
    fn twist_sense(&self) -> Real {
        self.half.z * self.start.w - self.start.z * self.half.w
    }

    /// Where the twist about z lies in the range. The family must be one that
    /// the limit's frame sees.
    pub fn where_twist_in(&self, range: AngleRange) -> Arcs {
        if range.is_whole_turn() {
            return Arcs::ALL;
        }
        // Less than other edges are widened by, so that a swing that stands on
        // its edge at the very end of this arc still does so there.
        let range = AngleRange::new(range.min - 0.05 * EDGE, range.max + 0.05 * EDGE);
        if range.is_whole_turn() {
            return Arcs::ALL;
        }
        let constant = |s: Real| {
            let (_, twist) = swing_twist::decompose(self.at(s));
            range.edge_distance(swing_twist::twist_angle(twist)) >= -SLACK
        };
        let sense = self.twist_sense();
        if sense.abs() <= ROUNDING {
            // One twist for all, but at most at one point where it is undefined.
            return if constant(0.4) || constant(2.0) { Arcs::ALL } else { Arcs::NONE };
        }
        match (self.where_twist_is(range.min), self.where_twist_is(range.max)) {
            (Some(low), Some(high)) => {
                let (from, to) = if sense > 0.0 { (low, high) } else { (high, low) };
                let length = wrap_angle(to - from);
                let length = if length < 0.0 { length + TAU } else { length };
                // Ends that fall together: a lock, or all but a point.
                let nearly_all = length < SLACK && range.max - range.min > PI;
                Arcs::one(from, if nearly_all { TAU } else { length })
            }
            _ => {
                if constant(0.4) {
                    Arcs::ALL
                } else {
                    Arcs::NONE
                }
            }
        }
    }

    /// The circle on which a direction of the turning thing goes round.
    #[inline]
    pub fn circle(&self, of: Vec3) -> Circle {
        let from = self.start * of;
        let centre = self.axis * self.axis.dot(from);
        Circle { centre, cosine: from - centre, sine: self.axis.cross(from) }
    }

    /// Where the limit allows the rotation, out of `window`.
    pub fn where_allowed(&self, limit: &JointLimit, window: &Arcs) -> Arcs {
        match &limit.shape {
            LimitShape::None | LimitShape::Prismatic(_) => *window,
            LimitShape::SwingTwist(l) => {
                let seen = self.seen_by(l);
                let mut arcs = *window;
                if let Some(range) = l.twist {
                    arcs = arcs.intersection(&seen.where_twist_in(range));
                }
                seen.circle(Vec3::Z).where_in(&l.swing, &arcs)
            }
            LimitShape::Euler(l) => {
                let (mut ends, count) = l.crossings(self.start, self.half, EDGE);
                let allowed = Arcs::between(&mut ends[..count], |s| l.contains(self.at(s), EDGE));
                window.intersection(&allowed)
            }
            _ => Arcs::scan(window, GENERAL_SAMPLES, |s| signed_distance(limit, self.at(s)) + EDGE),
        }
    }
}

/// Radians beyond an edge that a swivel angle may lie: the pose is brought back
/// onto the edge when it is written, and the goal missed by no more than this.
/// Without it a goal that only one angle can reach, because some joint stands
/// exactly on its edge there, would be lost to rounding.
pub(super) const EDGE: Real = HAIR;

/// Looks a turn for regions without a closed form: 2° apart.
pub(super) const GENERAL_SAMPLES: usize = 180;
/// Looks a turn for the ellipse, which is smooth.
pub(super) const SMOOTH_SAMPLES: usize = 24;

/// The angle to the limit's edge, positive inside. Outside it is the true angle
/// to the nearest allowed rotation.
pub(super) fn signed_distance(limit: &JointLimit, q: Quat) -> Real {
    let outside = limit.violation(q);
    if outside > 0.0 { -outside } else { limit.edge_distance(q).max(0.0) }
}

/// A circle on the unit sphere: `centre + cosine·cos s + sine·sin s`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circle {
    pub centre: Vec3,
    pub cosine: Vec3,
    pub sine: Vec3,
}

impl Circle {
    #[inline]
    pub fn at(&self, s: Real) -> Vec3 {
        let (sin, cos) = s.sin_cos();
        self.centre + self.cosine * cos + self.sine * sin
    }

    /// Where the direction lies in the region, out of `window`.
    pub fn where_in(&self, shape: &SwingShape, window: &Arcs) -> Arcs {
        match shape {
            SwingShape::Free => *window,
            SwingShape::Cone(cone) => {
                window.intersection(&self.where_higher((cone.radius + EDGE).min(PI).cos()))
            }
            SwingShape::Ellipse(ellipse) => {
                let level = EllipseLevel::new(*ellipse);
                Arcs::scan(window, SMOOTH_SAMPLES, |s| level.margin(self.at(s)) + EDGE)
            }
            other => Arcs::scan(window, GENERAL_SAMPLES, |s| other.edge_distance(self.at(s)) + EDGE),
        }
    }

    /// Where z is at least `height`.
    fn where_higher(&self, height: Real) -> Arcs {
        let swing = Vec2::new(self.cosine.z, self.sine.z);
        let radius = swing.length();
        let wanted = height - self.centre.z;
        if wanted <= -radius {
            Arcs::ALL
        } else if wanted > radius || radius <= TINY {
            Arcs::NONE
        } else {
            let half = (wanted / radius).clamp(-1.0, 1.0).acos();
            Arcs::one(swing.y.atan2(swing.x) - half, 2.0 * half)
        }
    }
}

/// How far inside of an ellipse of the swing plane a direction lies, without
/// trigonometry: eq. 7 in terms of the direction is `(x²/ry² + y²/rx²)·K(z) ≤ 1`
/// with `K(z) = (acos z)² / (1 − z²)`, which is smooth from z = 1 all the way to
/// just before z = −1.
#[derive(Debug, Clone, Copy)]
pub(super) struct EllipseLevel {
    x: Real,
    y: Real,
}

impl EllipseLevel {
    pub fn new(ellipse: SwingEllipse) -> Self {
        let square = |r: Real| 1.0 / (r.max(ROUNDING) * r.max(ROUNDING));
        Self { x: square(ellipse.y), y: square(ellipse.x) }
    }

    /// Positive inside, zero on the edge: one minus the left side of eq. 7.
    #[inline]
    pub fn margin(&self, direction: Vec3) -> Real {
        let flat = direction.x * direction.x + direction.y * direction.y;
        let ratio = if flat > 1.0e-6 {
            let angle = flat.sqrt().atan2(direction.z);
            angle * angle / flat
        } else if direction.z > 0.0 {
            1.0 + flat / 3.0
        } else {
            // Straight back is every swing of length π at once: the ellipse's
            // longest axis decides.
            return 1.0 - PI * PI * self.x.min(self.y);
        };
        1.0 - (direction.x * direction.x * self.x + direction.y * direction.y * self.y) * ratio
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limit::{EulerLimit, EulerOrder};

    /// Boxes that end at their poles, wide ones, locks, ranges across the cut and beyond
    /// half a turn: what the closed form calls allowed is what the limit itself does.
    #[test]
    fn a_box_of_euler_angles_allows_what_it_says() {
        let mut state: u32 = 7;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as Real / (1u32 << 24) as Real * 2.0 - 1.0
        };
        let boxes = [
            [(-60.0, 90.0), (-90.0, 90.0), (-90.0, 90.0)],
            [(-160.0, 20.0), (-70.0, 70.0), (-60.0, 70.0)],
            [(-170.0, 175.0), (-20.0, 130.0), (10.0, 40.0)],
            [(100.0, 260.0), (95.0, 200.0), (-200.0, 200.0)],
            [(-30.0, 30.0), (0.0, 0.0), (-180.0, 180.0)],
        ];
        let (mut some, mut looks) = (0, 0);
        for order in EulerOrder::ALL {
            for ranges in boxes {
                let ranges =
                    ranges.map(|(a, b): (Real, Real)| AngleRange::new(a.to_radians(), b.to_radians()));
                for _ in 0..12 {
                    let frame = rotation::exp(Vec3::new(random(), random(), random()));
                    let limit = JointLimit::from(EulerLimit::new(order, ranges).in_frame(frame));
                    let axis = direction_or(Vec3::new(random(), random(), random()), Vec3::Y);
                    let start = rotation::exp(Vec3::new(random(), random(), random()) * 2.0);
                    let family = Turning::new(axis, start);
                    let arcs = family.where_allowed(&limit, &Arcs::ALL);
                    some += usize::from(!arcs.is_empty() && !arcs.is_all());
                    for i in 0..360 {
                        let s = wrap_angle((i as Real + 0.37) * TAU / 360.0);
                        let outside = limit.violation(family.at(s));
                        if arcs.contains(s) {
                            assert!(outside <= 4.0 * EDGE, "{order:?} {s}: {outside} outside, {arcs:?}");
                        } else {
                            // Edges are known to rounding, and where one is grazed to its root.
                            let near = arcs.nearest(s).map_or(PI, |n| wrap_angle(n - s).abs());
                            assert!(outside > 0.0 || near < 2.0e-3, "{order:?} {s}: inside, {near} {arcs:?}");
                        }
                        looks += 1;
                    }
                }
            }
        }
        assert!(some > 100 && looks > 100_000, "{some} of the families enter and leave");
    }
}
