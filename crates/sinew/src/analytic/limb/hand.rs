//! The end joint and the twist of the forearm: what is left once base and
//! flexion are known (Kallmann 2007, eq. 5 and 6).
//!
//! With `H` the rotation of the end joint's rest frame at swivel zero, what is
//! left of the wanted orientation `Q` is `R(u, −φ)·H⁻¹Q`, where `u` is the line
//! from base to end as the end joint sees it. It is divided as `R(f̂, t)·e`: a
//! twist `t` about the forearm and the end joint's own rotation `e`.
//!
//! # How it is divided
//! In the paper the end joint has no twist of its own, so the division is unique
//! (eq. 5). Where the end joint is a ball, it is the one that leaves the end
//! joint the twist nearest to zero *in its own limit's frame*; that is again one
//! linear equation for tan(t/2). Where the forearm cannot go so far, it goes as
//! far as it can and the end joint takes the rest. For the end joint of two axes
//! the twist is the one after which its rotation lies on their surface: with
//! (x, y, z, w) the quaternion along the axes that is `w·z = x·y`, one quadratic.
//!
//! # Completeness
//! The rule above gives up swivel angles where another division would hold: a
//! wrist with a little twist of its own can swing further that way. So before a
//! goal is refused, [`Hand::best`] tries every division, and [`Hand::complete`]
//! every swivel angle with it.

use super::Limb;
use super::arcs::{Arc, Arcs};
use super::turning::{EDGE, EllipseLevel, GENERAL_SAMPLES, SMOOTH_SAMPLES, Turning, signed_distance};
use crate::limit::{self, AngleRange, LimitShape, SwingShape, SwingTwistLimit};
use crate::math::*;
use crate::skeleton::JointKind;

/// How far the forearm can twist, in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Room {
    pub low: Real,
    pub high: Real,
    /// Cosine and sine of half of each end.
    low_half: Vec2,
    high_half: Vec2,
}

impl Room {
    pub const NONE: Self = Self { low: 0.0, high: 0.0, low_half: Vec2::X, high_half: Vec2::X };
    pub const ANY: Self = Self { low: -PI, high: PI, low_half: Vec2::NEG_Y, high_half: Vec2::Y };

    pub fn new(low: Real, high: Real) -> Self {
        let half = |a: Real| Vec2::new((0.5 * a).cos(), (0.5 * a).sin());
        Self { low, high, low_half: half(low), high_half: half(high) }
    }

    #[inline]
    pub fn is_none(&self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    /// Where the half angle along `along` (any length, any sign) is held: an end, if it is not within.
    #[inline(always)]
    pub fn held_at(&self, along: Vec2) -> Option<Vec2> {
        if self.is_whole() {
            return None;
        }
        let from = |end: Vec2| end.perp_dot(along) * along.x;
        if from(self.low_half) >= 0.0 && from(self.high_half) <= 0.0 {
            return None;
        }
        let near = |end: Vec2| end.dot(along).abs();
        Some(if near(self.low_half) >= near(self.high_half) { self.low_half } else { self.high_half })
    }

    /// The half angles of its ends.
    #[inline]
    pub fn ends(&self) -> (Vec2, Vec2) {
        (self.low_half, self.high_half)
    }

    #[inline]
    fn width(self) -> Real {
        self.high - self.low
    }

    #[inline]
    pub fn is_whole(self) -> bool {
        self.width() >= TAU - ROUNDING * 8.0
    }

    /// The same turn counted from nearest to the room's middle, held within.
    #[inline]
    pub fn clamp(self, twist: Real) -> Real {
        let middle = 0.5 * (self.low + self.high);
        (middle + wrap_angle(twist - middle)).clamp(self.low, self.high)
    }

    fn arcs(self) -> Arcs {
        if self.is_whole() { Arcs::ALL } else { Arcs::one(self.low, self.width()) }
    }

    /// What is left after a joint that takes `share` of the twist and allows
    /// `range` of its own.
    pub fn narrowed(self, range: AngleRange, share: Real) -> Self {
        if share <= 0.0 || range.is_whole_turn() {
            return self;
        }
        let (low, high) = (range.min / share, range.max / share);
        let (low, high) = (self.low.max(low), self.high.min(high));
        if low <= high {
            Self::new(low, high)
        } else {
            // Nothing in common: the nearest there is.
            let at = self.clamp(0.5 * (low + high));
            Self::new(at, at)
        }
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
        let mut low = arc.start;
        if low > near + touch {
            low -= TAU;
        }
        self.narrowed(AngleRange::new(low, low + arc.length), share)
    }
}

/// How many radians of a goal's orientation one radian of swivel away from the
/// wanted angle is worth. A straight limb misses as much at every angle; without
/// this, rounding would choose one.
pub(super) const RELUCTANCE: Real = 2.0e-3;

/// How often the bounds about the best angle are narrowed: to rounding.
const NARROWINGS: usize = if ROUNDING < 1.0e-10 { 32 } else { 18 };

/// What an orientation asks of forearm and end joint at every swivel angle.
pub(super) struct Hand<'a> {
    limb: &'a Limb,
    pub room: Room,
    /// The line from base to end, in the end joint's rest frame.
    pub line: Vec3,
    /// What is left to turn at swivel zero.
    pub start: Quat,
}

/// A division of the rest of the turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Divided {
    pub twist: Real,
    pub end: Quat,
    /// How far the end joint would be outside of its limit, in radians.
    pub violation: Real,
}

impl<'a> Hand<'a> {
    /// `frame` is the end joint's rest frame at swivel zero and `wanted` the
    /// orientation, both seen from the base's rest frame; `line` is the unit
    /// vector from base to end there.
    #[inline]
    pub fn new(limb: &'a Limb, room: Room, frame: Quat, wanted: Quat, line: Vec3) -> Self {
        let back = frame.conjugate();
        Self { limb, room, line: back * line, start: back * wanted }
    }

    /// What is left to turn at a swivel angle.
    #[inline]
    pub fn needed(&self, swivel: Real) -> Quat {
        rotation::about(self.line, -swivel) * self.start
    }

    fn swing_twist(&self) -> Option<&'a SwingTwistLimit> {
        match &self.limb.end_limit.shape {
            LimitShape::SwingTwist(l) => Some(l),
            _ => None,
        }
    }

    /// The twist of the forearm for what is left to turn.
    #[inline]
    fn rule(&self, needed: Quat) -> Real {
        if self.room.low == self.room.high {
            return self.room.low;
        }
        let axis = self.limb.end_twist_axis;
        if let JointKind::Universal { first, second } = self.limb.end_kind {
            return self.room.clamp(universal_twist(needed, axis, first, second));
        }
        let twist = match self.swing_twist() {
            Some(SwingTwistLimit { twist: Some(range), .. }) if !range.is_whole_turn() => {
                self.twists(needed).where_twist_is((0.0 as Real).clamp(range.min, range.max))
            }
            _ => None,
        };
        self.room.clamp(twist.unwrap_or_else(|| rotation::angle_about(axis, needed)))
    }

    /// The end joint's rotation for every twist of the forearm, as its limit's
    /// frame sees it.
    #[inline]
    fn twists(&self, needed: Quat) -> Turning {
        let family = Turning::new(-self.limb.end_twist_axis, needed);
        self.swing_twist().map_or(family, |l| family.seen_by(l))
    }

    /// The end joint's rotation for every swivel angle with the forearm at `twist`.
    fn swivels(&self, twist: Real) -> Turning {
        let back = rotation::about(self.limb.end_twist_axis, -twist);
        Turning::new(-(back * self.line), back * self.start)
    }

    #[inline]
    fn end(&self, needed: Quat, twist: Real) -> Quat {
        if twist == 0.0 { needed } else { rotation::about(self.limb.end_twist_axis, -twist) * needed }
    }

    /// How far outside of the end joint's kind and limit a rotation lies, about: what is
    /// searched is where it vanishes, or is least.
    #[inline]
    fn violation(&self, end: Quat) -> Real {
        let limb = self.limb;
        match limb.end_kind {
            JointKind::Ball | JointKind::Free if limb.end_gauged => limb.end_gauge.outside(end),
            JointKind::Ball | JointKind::Free => match limb.end_limit.project_inset(end, 0.0) {
                None => 0.0,
                Some(inside) => rotation::angle(inside.conjugate() * end),
            },
            kind => {
                let inside = limb.end_limit.project(limit::to_kind(kind, end));
                let off = rotation::angle(inside.conjugate() * end);
                // What a closed form leaves to rounding is no violation.
                if off <= limit::SLACK * 16.0 { 0.0 } else { off }
            }
        }
    }

    /// The division by the rule.
    #[inline]
    pub fn divided(&self, swivel: Real) -> Divided {
        let needed = self.needed(swivel);
        let twist = self.rule(needed);
        let end = self.end(needed, twist);
        Divided { twist, end, violation: self.violation(end) }
    }

    /// The swivel angles of `window` at which the division by the rule holds.
    pub fn arcs(&self, window: &Arcs) -> Arcs {
        let limb = self.limb;
        let ball = matches!(limb.end_kind, JointKind::Ball | JointKind::Free);
        if ball && limb.end_limit.is_none() {
            return *window;
        }
        let Some(limit) = self.swing_twist().filter(|_| ball) else {
            return Arcs::scan(window, GENERAL_SAMPLES, |swivel| {
                let divided = self.divided(swivel);
                if divided.violation > 0.0 {
                    EDGE - divided.violation
                } else {
                    signed_distance(&limb.end_limit, divided.end).min(1.0)
                }
            });
        };
        if self.room.low == self.room.high {
            return self.swivels(self.room.low).where_allowed(&limb.end_limit, window);
        }
        let window = match limit.twist {
            Some(_) => window.intersection(&self.where_twists_fit()),
            None => *window,
        };
        let direction = |swivel: Real| {
            let needed = self.needed(swivel);
            limit.to_frame(self.end(needed, self.rule(needed))) * Vec3::Z
        };
        match &limit.swing {
            SwingShape::Free => window,
            SwingShape::Ellipse(ellipse) => {
                let level = EllipseLevel::new(*ellipse);
                Arcs::scan(&window, SMOOTH_SAMPLES, |swivel| level.margin(direction(swivel)) + EDGE)
            }
            shape => {
                Arcs::scan(&window, GENERAL_SAMPLES, |swivel| shape.edge_distance(direction(swivel)) + EDGE)
            }
        }
    }

    /// Where some twist of the forearm leaves the end joint a twist in its range:
    /// between the swivel angles at which the one stands at an end of its room
    /// and the other at an end of its range.
    pub fn where_twists_fit(&self) -> Arcs {
        let Some((limit, range)) = self.swing_twist().and_then(|l| Some((l, l.twist?))) else {
            return Arcs::ALL;
        };
        if range.is_whole_turn() || self.room.is_whole() {
            return Arcs::ALL;
        }
        let mut ends = [0.0; 4];
        let mut count = 0;
        for twist in [self.room.low, self.room.high] {
            let family = self.swivels(twist).seen_by(limit);
            for edge in [range.min, range.max] {
                if let Some(at) = family.where_twist_is(edge) {
                    ends[count] = at;
                    count += 1;
                }
            }
        }
        let room = self.room.arcs();
        Arcs::between(&mut ends[..count], |swivel| {
            !self.twists(self.needed(swivel)).where_twist_in(range).intersection(&room).is_empty()
        })
    }

    /// The division with the least violation at a swivel angle.
    pub fn best(&self, swivel: Real) -> Divided {
        self.looked(swivel, true)
    }

    /// The same; if not `finely`, then where none can hold only as good as some looks find it.
    fn looked(&self, swivel: Real, finely: bool) -> Divided {
        let ruled = self.divided(swivel);
        if ruled.violation <= EDGE || self.room.low == self.room.high {
            return ruled;
        }
        let needed = self.needed(swivel);
        // The twists of the forearm worth looking at.
        let (low, high) = match self.swing_twist() {
            Some(SwingTwistLimit { twist: Some(range), .. }) if !range.is_whole_turn() => {
                let fits = self.twists(needed).where_twist_in(*range).intersection(&self.room.arcs());
                let Some(near) = fits.nearest(ruled.twist) else { return ruled };
                let Some(arc) = fits.as_slice().iter().find(|a| a.contains(near)) else { return ruled };
                let low = near - arc.ahead(near);
                (low, low + arc.length)
            }
            _ => (self.room.low.max(ruled.twist - 1.5), self.room.high.min(ruled.twist + 1.5)),
        };
        let at = |twist: Real| {
            let twist = self.room.clamp(twist);
            let end = self.end(needed, twist);
            Divided { twist, end, violation: self.violation(end) }
        };
        let start = ruled.twist.clamp(low, high);
        let cost = |d: &Divided| d.violation + RELUCTANCE * (d.twist - ruled.twist).abs();
        // A few looks outwards from where the rule would be, to both sides.
        const LOOKS: usize = 8;
        let step = ((high - low) / LOOKS as Real).max(TINY);
        let mut best = at(start);
        let mut place = start;
        if best.violation > EDGE {
            'looks: for i in 1..=LOOKS {
                for side in [1.0, -1.0] {
                    let twist = (start + side * step * i as Real).clamp(low, high);
                    let d = at(twist);
                    if d.violation <= EDGE {
                        // Back towards the rule, to the edge of what holds.
                        let (mut holds, mut fails) = (d, start + side * step * (i - 1) as Real);
                        for _ in 0..20 {
                            let probe = at(0.5 * (holds.twist + fails));
                            if probe.violation <= EDGE { holds = probe } else { fails = probe.twist }
                        }
                        return holds;
                    }
                    if cost(&d) < cost(&best) {
                        (best, place) = (d, twist);
                    }
                    if step * i as Real > high - low {
                        break 'looks;
                    }
                }
            }
        } else {
            return best;
        }
        let (mut a, mut b, mut x) = ((place - step).max(low), (place + step).min(high), place);
        // A violation changes no faster than the twist.
        for _ in 0..if finely || best.violation <= step { NARROWINGS } else { 0 } {
            let right = b - x >= x - a;
            let probe = if right { x + 0.381_966 * (b - x) } else { x - 0.381_966 * (x - a) };
            let d = at(probe);
            if cost(&d) < cost(&best) {
                if right {
                    a = x
                } else {
                    b = x
                }
                (x, best) = (probe, d);
            } else if right {
                b = probe;
            } else {
                a = probe;
            }
        }
        if ruled.violation < best.violation { ruled } else { best }
    }

    /// The bottom of a dip of the violation, if it holds; ways are from `near`.
    fn dip(&self, window: &Arcs, near: Real, bounds: (Real, Real), from: Real) -> Option<(Real, Divided)> {
        let (mut a, mut b) = bounds;
        let mut x = from;
        let mut best = self.looked(wrap_angle(near + x), false).violation;
        for _ in 0..40 {
            let right = b - x >= x - a;
            let probe = if right { x + 0.381_966 * (b - x) } else { x - 0.381_966 * (x - a) };
            let swivel = wrap_angle(near + probe);
            let d = self.looked(swivel, false);
            if d.violation <= EDGE && window.contains(swivel) {
                return Some((swivel, d));
            }
            if d.violation < best {
                if right {
                    a = x
                } else {
                    b = x
                }
                (x, best) = (probe, d.violation);
            } else if right {
                b = probe;
            } else {
                a = probe;
            }
            // Nor does it change much faster than the swivel angle.
            if b - a <= EDGE.max(0.5 * best) {
                break;
            }
        }
        None
    }

    /// From a swivel angle that holds back to where it begins to; both are ways
    /// from `near`.
    fn back_towards(
        &self,
        window: &Arcs,
        near: Real,
        fails: Real,
        holds: Real,
        found: Divided,
    ) -> (Real, Divided) {
        let (mut fails, mut held) = (fails, (holds, found));
        for _ in 0..if fails == holds { 0 } else { 24 } {
            let at = 0.5 * (fails + held.0);
            let swivel = wrap_angle(near + at);
            let d = self.looked(swivel, false);
            if window.contains(swivel) && d.violation <= EDGE { held = (at, d) } else { fails = at }
        }
        (wrap_angle(near + held.0), held.1)
    }

    /// The swivel angle of `window` and the division with the least violation;
    /// of those without, the one nearest to `near`; of others, with some
    /// reluctance to leave `wanted`.
    pub fn complete(&self, window: &Arcs, near: Real, wanted: Real) -> Option<(Real, Divided)> {
        // The violation changes no faster than the swivel angle, so from one that
        // is far from the least so far the next look may be far.
        const FINEST: Real = PI / 90.0;
        // Nor does it change faster with the division: what is further outside by the rule than all
        // of the end joint's own twist could make good needs no look at others.
        let play = match self.swing_twist() {
            Some(SwingTwistLimit { twist: Some(range), .. }) => range.max - range.min,
            _ => TAU,
        };
        let cost = |swivel: Real, d: &Divided| d.violation + RELUCTANCE * wrap_angle(swivel - wanted).abs();
        let mut least: Option<(Real, Divided)> = None;
        // Outwards from `near` to both sides, the nearer side first.
        let mut ways = [0.0, -FINEST];
        let mut before = [0.0, 0.0];
        // The last two looks on each side: the way and the violation.
        let mut trail = [[(0.0, Real::INFINITY); 2]; 2];
        loop {
            let side = usize::from(ways[1].abs() < ways[0].abs());
            let sign = if side == 0 { 1.0 } else { -1.0 };
            let way = ways[side];
            if way.abs() > PI {
                break;
            }
            let swivel = wrap_angle(near + way);
            if !window.contains(swivel) {
                before[side] = way;
                ways[side] = way + sign * FINEST;
                trail[side] = [(way, Real::INFINITY); 2];
                continue;
            }
            // Most angles are far from what holds, and need no closer look.
            let known = least.map_or(Real::INFINITY, |(_, l): (Real, Divided)| l.violation);
            let at_least = self.divided(swivel).violation - play;
            if at_least > known.max(FINEST) {
                trail[side] = [trail[side][1], (way, at_least)];
                before[side] = way;
                ways[side] = way + sign * FINEST.max(0.8 * (at_least - known));
                continue;
            }
            let d = self.looked(swivel, false);
            if d.violation <= EDGE {
                return Some(self.back_towards(window, near, before[side], way, d));
            }
            if least.is_none_or(|(s, l)| cost(swivel, &d) < cost(s, &l)) {
                least = Some((swivel, d));
            }
            // A dip between looks may touch what holds in a single point.
            let [(far, far_violation), (middle, middle_violation)] = trail[side];
            if middle_violation <= FINEST && middle_violation <= far_violation.min(d.violation) {
                let bounds = (middle.min(far).min(way), middle.max(far).max(way));
                if let Some(found) = self.dip(window, near, bounds, middle) {
                    return Some(found);
                }
            }
            trail[side] = [trail[side][1], (way, d.violation)];
            let above = d.violation - least.map_or(0.0, |(_, l)| l.violation);
            before[side] = way;
            ways[side] = way + sign * FINEST.max(0.8 * above);
        }
        // The ends of the arcs, which the steps pass over.
        let mut at_end: Option<(Real, Divided)> = None;
        for arc in window.as_slice().iter().filter(|a| a.length < TAU) {
            for swivel in [arc.start, wrap_angle(arc.start + arc.length)] {
                let d = self.best(swivel);
                let way = wrap_angle(swivel - near).abs();
                if d.violation <= EDGE && at_end.is_none_or(|(s, _)| way < wrap_angle(s - near).abs()) {
                    at_end = Some((swivel, d));
                }
                if least.is_none_or(|(s, l)| cost(swivel, &d) < cost(s, &l)) {
                    least = Some((swivel, d));
                }
            }
        }
        if at_end.is_some() {
            return at_end;
        }
        // Nothing holds where it was looked: go down from the least.
        let (at, _) = least?;
        let mut best = self.best(at);
        let (mut a, mut b, mut x) = (-FINEST, FINEST, 0.0);
        let mut found = at;
        for _ in 0..NARROWINGS {
            let right = b - x >= x - a;
            let probe = if right { x + 0.381_966 * (b - x) } else { x - 0.381_966 * (x - a) };
            let s = wrap_angle(at + probe);
            let inside = window.contains(s);
            let d = self.best(s);
            if inside && cost(s, &d) < cost(found, &best) {
                if right {
                    a = x
                } else {
                    b = x
                }
                x = probe;
                (found, best) = (s, d);
                if d.violation <= EDGE {
                    break;
                }
            } else if right {
                b = probe;
            } else {
                a = probe;
            }
        }
        Some((found, best))
    }
}

/// The twist about `axis` after which what is left of `needed` lies on the
/// surface of a universal joint, of two the smaller; if none does, eq. 5.
fn universal_twist(needed: Quat, axis: Vec3, first: Vec3, second: Vec3) -> Real {
    let family = Turning::new(-axis, needed);
    let (p, q) = (family.at(0.0), family.at(PI));
    let third = first.cross(second);
    let parts = |q: Quat| {
        let v = Vec3::new(q.x, q.y, q.z);
        [v.dot(first), v.dot(second), v.dot(third), q.w]
    };
    let (p, q) = (parts(p), parts(q));
    // w·z − x·y is quadratic in the half angle's cosine and sine: with
    // c² = (1 + cos t)/2, s² = (1 − cos t)/2, 2cs = sin t.
    let cc = p[3] * p[2] - p[0] * p[1];
    let ss = q[3] * q[2] - q[0] * q[1];
    let cs = p[3] * q[2] + q[3] * p[2] - p[0] * q[1] - q[0] * p[1];
    let (constant, cosine, sine) = (0.5 * (cc + ss), 0.5 * (cc - ss), 0.5 * cs);
    let radius = (cosine * cosine + sine * sine).sqrt();
    if radius <= TINY || constant.abs() > radius * (1.0 + ROUNDING * 4.0) {
        return rotation::angle_about(axis, needed);
    }
    let middle = sine.atan2(cosine);
    let half = (-constant / radius).clamp(-1.0, 1.0).acos();
    let (a, b) = (wrap_angle(middle + half), wrap_angle(middle - half));
    if a.abs() <= b.abs() { a } else { b }
}
