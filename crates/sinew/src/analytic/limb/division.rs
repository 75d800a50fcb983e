//! The end joint and the twist of the forearm: what is left once base and flexion are known (Kallmann
//! 2007, eq. 5 and 6).
//!
//! With `H` the rotation of the end joint's rest frame at swivel zero, what is left of the wanted
//! orientation `Q` at the swivel angle φ is `R(u, −φ)·H⁻¹Q`, where `u` is the line from base to end as
//! the end joint sees it. It is divided as `R(f, t)·e`: a twist `t` about the forearm `f` and the end
//! joint's own rotation `e`.
//!
//! # The rule
//! In the paper the end joint has no twist of its own, so the division is unique (eq. 5). Where the end
//! joint is a ball, the rule is to leave it the twist nearest to zero *in its own limit's frame*; that
//! is again one linear equation for tan(t/2). Where the forearm cannot go so far, it goes as far as it
//! can and the end joint takes the rest. For an end joint of two axes the twist is the one after which
//! its rotation lies on their surface: with (x, y, z, w) the quaternion along the axes that is
//! `w·z = x·y`, one quadratic.
//!
//! # Other divisions
//! The rule gives up swivel angles where another division would hold: a wrist with a little twist of
//! its own can swing further that way. So before a goal is refused, [`EndTask::best`] finds the division
//! nearest to the rule that holds, or that misses least.

use super::Limb;
use crate::limit::probe::{INSIDE, Margins};
use crate::limit::turning::{EDGE, FINE_SAMPLES, SMOOTH_SAMPLES, Turning, angle_of, half_angle};
use crate::limit::{self, AngleRange};
use crate::math::arcs::{Arc, Arcs};
use crate::math::*;
use crate::skeleton::JointKind;

/// How far the forearm can twist, in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TwistRange {
    pub low: Real,
    pub high: Real,
    /// Half of each end, by cosine and sine.
    low_half: Vec2,
    high_half: Vec2,
}

impl TwistRange {
    pub const NONE: Self = Self { low: 0.0, high: 0.0, low_half: Vec2::X, high_half: Vec2::X };
    pub const ANY: Self = Self { low: -PI, high: PI, low_half: Vec2::NEG_Y, high_half: Vec2::Y };

    fn new(low: Real, high: Real) -> Self {
        Self { low, high, low_half: half_angle(low), high_half: half_angle(high) }
    }

    /// Whether there is but one twist.
    #[inline(always)]
    pub fn is_fixed(&self) -> bool {
        self.low == self.high
    }

    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        self.high - self.low >= TAU - ROUNDING * 8.0
    }

    /// The end at which a twist is held that lies beyond it; `None` if it lies within. `along` is the
    /// direction of half of the twist, of any length and sign.
    #[inline(always)]
    fn held_at(&self, along: Vec2) -> Option<Vec2> {
        let from = |end: Vec2| end.perp_dot(along) * along.x;
        if self.is_whole() || (from(self.low_half) >= 0.0 && from(self.high_half) <= 0.0) {
            return None;
        }
        let near = |end: Vec2| end.dot(along).abs();
        Some(if near(self.low_half) >= near(self.high_half) { self.low_half } else { self.high_half })
    }

    /// A twist, by the direction of its half, held within: half of it, by cosine and sine.
    pub fn held(&self, along: Vec2) -> Vec2 {
        if let Some(end) = self.held_at(along) {
            return end;
        }
        let squared = along.length_squared();
        let unit = 1.0 / squared.sqrt();
        if squared > TINY && unit.is_finite() { along * unit.copysign(along.x) } else { Vec2::X }
    }

    /// The same turn, counted so that it is nearest to the middle, held within.
    pub fn clamp(&self, twist: Real) -> Real {
        let middle = 0.5 * (self.low + self.high);
        (middle + wrap_angle(twist - middle)).clamp(self.low, self.high)
    }

    fn arcs(&self) -> Arcs {
        if self.is_whole() { Arcs::ALL } else { Arcs::one(self.low, self.high - self.low) }
    }

    /// What is left beside a joint that takes `share` of the twist and allows `range` of its own.
    pub fn narrowed(self, range: AngleRange, share: Real) -> Self {
        if share <= 0.0 || range.is_whole_turn() {
            return self;
        }
        let (low, high) = (self.low.max(range.min / share), self.high.min(range.max / share));
        if low <= high {
            return Self::new(low, high);
        }
        // Nothing in common: the nearest there is.
        let at = self.clamp(0.5 * (low + high));
        Self::new(at, at)
    }

    /// The same for a set of angles: its arc nearest to zero.
    pub fn narrowed_to(self, arcs: &Arcs, share: Real) -> Self {
        if share <= 0.0 || arcs.is_all() {
            return self;
        }
        let Some(near) = arcs.nearest(0.0) else { return Self::NONE };
        // Its ends may have been rounded out of it.
        let touch = ROUNDING * 8.0;
        let holds = |a: &&Arc| {
            a.contains(near)
                || wrap_angle(near - a.start).abs() <= touch
                || wrap_angle(near - a.start - a.length).abs() <= touch
        };
        let Some(arc) = arcs.as_slice().iter().find(holds) else { return Self::NONE };
        let low = if arc.start > near + touch { arc.start - TAU } else { arc.start };
        self.narrowed(AngleRange::new(low, low + arc.length), share)
    }
}

/// How many radians of a goal's orientation one radian away from the wanted angle is worth. A straight
/// limb misses as much at every swivel angle; without this, rounding would choose one.
pub(super) const RELUCTANCE: Real = 2.0e-3;
/// To what width a minimum is narrowed down, in radians.
pub(super) const NARROWED: Real = 10.0 * HAIR;

/// What an orientation asks of forearm and end joint at every swivel angle.
pub(super) struct EndTask<'a> {
    limb: &'a Limb,
    pub range: TwistRange,
    /// What the end joint must turn if the forearm does not twist, in the frame of its probe.
    own: Turning,
    /// The same times the forearm's direction as a quaternion. With the twist `t` the end joint must
    /// turn by `own·cos(t/2) − crossed·sin(t/2)`.
    crossed: Turning,
}

/// One division of what is left to turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Division {
    /// Half of the forearm's twist, by cosine and sine.
    pub twist: Vec2,
    /// Whether that is an end of its range.
    pub held: bool,
    /// The end joint's rotation in the frame of its probe.
    pub seen: Quat,
    /// What that leaves of the end joint's limit.
    pub margins: Margins,
}

impl Division {
    /// How far the end joint would be outside of its limit, about, in radians.
    #[inline]
    pub fn violation(&self) -> Real {
        (-self.margins.least()).max(0.0)
    }

    /// Whether the end joint needs no projection.
    #[inline(always)]
    pub fn is_well_inside(&self) -> bool {
        self.margins.least() > INSIDE
    }
}

impl<'a> EndTask<'a> {
    /// `frame` is the frame of the end joint's probe at swivel zero and `wanted` the orientation, both
    /// in the base's rest frame; `line` is the unit vector from base to end there.
    #[inline(always)]
    pub fn new(limb: &'a Limb, range: TwistRange, frame: Quat, wanted: Quat, line: Vec3) -> Self {
        let back = frame.conjugate();
        let own = Turning::new(back * -line, back * (wanted * limb.end_probe.after));
        let forearm = limb.forearm_in_probe;
        Self { limb, range, own, crossed: Turning { start: forearm * own.start, half: forearm * own.half } }
    }

    /// The end joint's rotations, over all swivel angles, with the forearm at a twist.
    #[inline]
    pub fn at_twist(&self, twist: Vec2) -> Turning {
        Turning {
            start: self.own.start * twist.x - self.crossed.start * twist.y,
            half: self.own.half * twist.x - self.crossed.half * twist.y,
        }
    }

    /// The end joint's rotations, over all twists of the forearm, at a swivel angle.
    #[inline(always)]
    fn at_swivel(&self, half: Vec2) -> Turning {
        Turning { start: self.own.at_half(half), half: -self.crossed.at_half(half) }
    }

    /// The division by the rule at a swivel angle, of which half has this cosine and sine.
    #[inline(always)]
    pub fn divided(&self, half: Vec2) -> Division {
        let family = self.at_swivel(half);
        if self.range.is_fixed() {
            return self.with_twist(&family, self.range.low_half, true);
        }
        let probe = &self.limb.end_probe;
        let along = match self.limb.end_kind {
            JointKind::Universal { first, second } => {
                half_angle(self.universal_twist(&family, first, second))
            }
            _ => family.where_twist_is(probe.twist.as_ref().map_or(Vec2::X, |t| t.least)).unwrap_or(Vec2::X),
        };
        if let Some(end) = self.range.held_at(along) {
            return self.with_twist(&family, end, true);
        }
        let seen = family.at_half(along);
        let margins = match (&probe.twist, self.limb.end_probed) {
            // By the rule the twist is the least there is.
            (Some(twist), true) => {
                Margins { swing: probe.swing_margin(seen), twist: twist.least_margin, above: false }
            }
            _ => self.margins(seen),
        };
        Division { twist: along, held: false, seen, margins }
    }

    /// Whether divisions beside the rule's may hold: the forearm twists, and the end joint is a ball.
    #[inline]
    pub fn has_choice(&self) -> bool {
        !self.range.is_fixed() && matches!(self.limb.end_kind, JointKind::Ball | JointKind::Free)
    }

    /// The division with a twist of the forearm at a swivel angle, of which half has this cosine and sine.
    #[inline]
    pub fn with_twist_at(&self, half: Vec2, twist: Real) -> Division {
        self.with_twist(&self.at_swivel(half), half_angle(twist), false)
    }

    #[inline]
    fn with_twist(&self, family: &Turning, twist: Vec2, held: bool) -> Division {
        let seen = family.at_half(twist);
        Division { twist, held, seen, margins: self.margins(seen) }
    }

    #[inline(always)]
    fn margins(&self, seen: Quat) -> Margins {
        match self.limb.end_probed {
            true => self.limb.end_probe.margins(seen),
            false => Margins::of(self.limb.end_margin(self.limb.end_probe.out_of_frame(seen))),
        }
    }

    /// The swivel angles of `window` at which the division by the rule holds.
    pub fn arcs(&self, window: &Arcs) -> Arcs {
        if !self.limb.end_probed {
            return Arcs::scan(window, FINE_SAMPLES, |swivel| {
                self.divided(half_angle(swivel)).margins.least() + EDGE
            });
        }
        let window = window.intersection(&self.where_twists_fit());
        let probe = &self.limb.end_probe;
        let samples = if probe.swing.is_smooth() { SMOOTH_SAMPLES } else { FINE_SAMPLES };
        Arcs::scan(&window, samples, |swivel| self.divided(half_angle(swivel)).margins.swing + EDGE)
    }

    /// The swivel angles at which the rule leaves the end joint a twist in its range: they end where the
    /// forearm stands at an end of its range and the end joint at an end of its own, or where the rule
    /// asks for a twist so far outside that the forearm changes from one end of its range to the other.
    pub fn where_twists_fit(&self) -> Arcs {
        let Some(twist) = self.limb.end_probe.twist.as_ref() else { return Arcs::ALL };
        let range = twist.range;
        if self.range.is_fixed() {
            return self.at_twist(self.range.low_half).where_twist_in(range);
        }
        if self.range.is_whole() {
            return Arcs::ALL;
        }
        let (low, high) = (self.range.low_half, self.range.high_half);
        let opposite = half_angle(0.5 * (self.range.low + self.range.high) + PI);
        let [min, max] = [range.min, range.max].map(half_angle);
        let cases = [(low, min), (low, max), (high, min), (high, max), (opposite, twist.least)];
        let mut ends = [0.0; 5];
        let mut count = 0;
        for (forearm, end) in cases {
            if let Some(at) = self.at_twist(forearm).where_twist_is(end) {
                ends[count] = angle_of(at);
                count += 1;
            }
        }
        Arcs::between(&mut ends[..count], |swivel| self.divided(half_angle(swivel)).margins.twist >= -EDGE)
    }

    /// At a swivel angle: the division nearest to the rule that holds or, if none does, the one that
    /// misses least. If not `exact`, how much that misses is known to a tenth only.
    pub fn best(&self, swivel: Real, exact: bool) -> Division {
        let half = half_angle(swivel);
        let ruled = self.divided(half);
        if ruled.margins.least() >= -EDGE || self.range.is_fixed() {
            return ruled;
        }
        let family = self.at_swivel(half);
        let mut window = self.range.arcs();
        if let Some(twist) = self.limb.end_probe.twist.as_ref() {
            window = window.intersection(&family.where_twist_in(twist.range));
        }
        let from = angle_of(ruled.twist);
        let at = |twist: Real| self.with_twist(&family, half_angle(twist), false);
        let reluctance = if exact { RELUCTANCE } else { 0.0 };
        let cost = |twist: Real| at(twist).violation() + reluctance * wrap_angle(twist - from).abs();
        let enough = |value: Real, width: Real| match exact {
            true => width <= NARROWED,
            false => value <= 0.0 || width <= NARROWED.max(0.1 * value),
        };
        // A violation changes no faster than the twist.
        let step = (0.25 * window.length()).clamp(0.01, 0.1);
        let lowest = window.lowest(step, 1.0, enough, cost);
        let Some(mut best) = lowest.map(|(twist, _)| at(twist)) else { return ruled };
        if exact && best.margins.least() >= -EDGE {
            let smooth = self.limb.end_probed && self.limb.end_probe.swing.is_smooth();
            let samples = if smooth { SMOOTH_SAMPLES } else { FINE_SAMPLES };
            // Half of what may be outside, so that what holds here does so at the next swivel angle too.
            let holds = Arcs::scan(&window, samples, |twist| at(twist).margins.least() + 0.5 * EDGE);
            best = holds.nearest(from).map(at).filter(|d| d.margins.least() >= -EDGE).unwrap_or(best);
        }
        if ruled.violation() < best.violation() { ruled } else { best }
    }

    /// The twist of the forearm after which what is left lies on the surface of a universal joint, of
    /// two the smaller; if none does, eq. 5.
    fn universal_twist(&self, family: &Turning, first: Vec3, second: Vec3) -> Real {
        let third = first.cross(second);
        let [p, q] = [family.start, family.half].map(|q| {
            let q = self.limb.end_probe.out_of_frame(q);
            let v = Vec3::new(q.x, q.y, q.z);
            [v.dot(first), v.dot(second), v.dot(third), q.w]
        });
        // w·z − x·y is quadratic in the half angle's cosine and sine: with c² = (1 + cos t)/2,
        // s² = (1 − cos t)/2, 2cs = sin t.
        let cc = p[3] * p[2] - p[0] * p[1];
        let ss = q[3] * q[2] - q[0] * q[1];
        let cs = p[3] * q[2] + q[3] * p[2] - p[0] * q[1] - q[0] * p[1];
        let (constant, cosine, sine) = (0.5 * (cc + ss), 0.5 * (cc - ss), 0.5 * cs);
        let radius = (cosine * cosine + sine * sine).sqrt();
        if radius <= TINY || constant.abs() > radius * (1.0 + ROUNDING * 4.0) {
            return family.where_twist_is(Vec2::X).map_or(0.0, angle_of);
        }
        let middle = sine.atan2(cosine);
        let half = (-constant / radius).clamp(-1.0, 1.0).acos();
        let (a, b) = (wrap_angle(middle + half), wrap_angle(middle - half));
        if a.abs() <= b.abs() { a } else { b }
    }
}

impl Limb {
    /// How far inside of the end joint's kind and limit a rotation of it lies, for limits without a probe.
    pub(super) fn end_margin(&self, end: Quat) -> Real {
        if matches!(self.end_kind, JointKind::Ball | JointKind::Free) {
            return self.end_limit.margin(end);
        }
        let inside = self.end_limit.project(limit::to_kind(self.end_kind, end));
        let off = rotation::angle(inside.conjugate() * end);
        // What a closed form leaves to rounding is no violation.
        let outside = if off <= limit::SLACK * 16.0 { 0.0 } else { off };
        if outside > 0.0 { -outside } else { self.end_limit.edge_distance(end).clamp(0.0, 1.0) }
    }
}
