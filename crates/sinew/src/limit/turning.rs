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
mod tests {
    use super::*;
    use crate::limit::{
        Cone, EulerLimit, EulerOrder, Kusudama, SphericalPolygon, SwingEllipse, SwingSpline, UniversalLimit,
    };
    use crate::math::random::Random;
    use crate::skeleton::JointKind;

    /// Every shape. The boxes end at their poles, are wide, are locks, have ranges across the cut and
    /// beyond half a turn.
    fn every_limit(random: &mut Random) -> Vec<JointLimit> {
        let swings: [SwingShape; 6] = [
            SwingShape::Free,
            Cone::new(0.9).into(),
            SwingEllipse::new(1.9, 0.4).into(),
            SphericalPolygon::new([
                Vec3::new(0.6, 0.1, 0.7),
                Vec3::new(0.0, 0.8, 0.5),
                Vec3::new(-0.5, -0.4, 0.8),
            ])
            .into(),
            SwingSpline::new((0..8).map(|i| (i as Real * 0.7 - 2.8, 0.8 + 0.05 * i as Real))).into(),
            Kusudama::new([(Vec3::Z, 0.4), (Vec3::X, 0.5)]).into(),
        ];
        let frame = rotation::exp(random.vector(1.5));
        let mut limits: Vec<JointLimit> = Vec::new();
        for swing in swings {
            let twisted = SwingTwistLimit { frame, ..SwingTwistLimit::along(Vec3::Z, Vec3::X) };
            limits.push(twisted.clone().swing(swing.clone()).into());
            for (low, high) in [(-0.3, 1.4), (-2.6, 0.1), (0.2, 0.2), (-3.1, 3.0)] {
                limits.push(twisted.clone().swing(swing.clone()).twist(low, high).into());
            }
        }
        let boxes = [
            [(-60.0, 90.0), (-90.0, 90.0), (-90.0, 90.0)],
            [(-160.0, 20.0), (-70.0, 70.0), (-60.0, 70.0)],
            [(-170.0, 175.0), (-20.0, 130.0), (10.0, 40.0)],
            [(100.0, 260.0), (95.0, 200.0), (-200.0, 200.0)],
            [(-30.0, 30.0), (0.0, 0.0), (-180.0, 180.0)],
        ];
        for order in EulerOrder::ALL {
            for ranges in boxes {
                let ranges =
                    ranges.map(|(a, b): (Real, Real)| AngleRange::new(a.to_radians(), b.to_radians()));
                limits.push(EulerLimit::new(order, ranges).in_frame(frame).into());
            }
        }
        limits.push(JointLimit::None);
        let mut limits: Vec<JointLimit> =
            limits.into_iter().map(|l| l.checked(JointKind::Ball).unwrap()).collect();
        limits.push(JointLimit::hinge(frame * Vec3::X, -0.4, 1.0));
        let ranges = [AngleRange::symmetric(0.8), AngleRange::new(-0.2, 1.9)];
        limits.push(UniversalLimit { axes: [Vec3::X, Vec3::Y], ranges }.into());
        limits
    }

    #[test]
    fn every_limit_allows_the_turns_that_it_says() {
        let mut random = Random(7);
        let (mut some, mut looks) = (0, 0);
        for _ in 0..6 {
            for limit in every_limit(&mut random) {
                let axis = direction_or(random.vector(1.0), Vec3::Y);
                // Started within the limit, so that hinges have something to allow.
                let start = limit.project(rotation::exp(random.vector(2.0)));
                let family = Turning::new(axis, start);
                let arcs = limit.allowed_turns(&family, &Arcs::ALL);
                some += usize::from(!arcs.is_empty() && !arcs.is_all());
                for i in 0..360 {
                    let s = wrap_angle((i as Real + 0.37) * TAU / 360.0);
                    let outside = limit.violation(family.at(s));
                    if arcs.contains(s) {
                        assert!(outside <= 1.0e-3, "{} at {s}: {outside} outside, {arcs:?}", limit.name());
                    } else {
                        // Edges are known to rounding, and where one is grazed to its root.
                        let near = arcs.nearest(s).map_or(PI, |n| wrap_angle(n - s).abs());
                        assert!(outside > 0.0 || near < 2.0e-3, "{limit:?} {s}: inside, {near} {arcs:?}");
                    }
                    looks += 1;
                }
            }
        }
        assert!(some > 150 && looks > 100_000, "{some} of the families enter and leave");
    }
}
