//! The common case of a solve: the wanted swivel angle is allowed, or the one
//! limit that forbids it says where to go instead.
//!
//! All limits are gauged without trigonometry (`limb/gauge.rs`) at one swivel
//! angle after another, each given by its half angle's cosine and sine, in which
//! every rotation of the limb is linear. A violated twist names the angle where
//! it ends in closed form; a violated swing is followed uphill to its edge. When
//! all hold, that is the answer: the end of the allowed arc on the side to which
//! the first violated limit points. Where that does not come to rest within a
//! few turns, or the limits are of other kinds, the arcs are computed in full.
//!
//! What should stand on an edge is put a hair within, so that it need not be projected.

use super::fold::pure;
use super::gauge::{Gauge, INSIDE, Margins, ON_EDGE, arc_sine};
use super::hand::Room;
use super::turning::EDGE;
use super::{Limb, Posture, Reach};
use crate::math::*;

/// What a joint's limit sees at every swivel angle: `start·cos + half·sin`.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub start: Quat,
    pub half: Quat,
}

impl Seen {
    #[inline(always)]
    pub fn at(&self, half: Vec2) -> Quat {
        self.start * half.x + self.half * half.y
    }

    /// The swivel angle, by its half, at which the twist about z is the one given by its half.
    #[inline(always)]
    pub fn where_twist_is(&self, twist: Vec2) -> Option<Vec2> {
        let a = self.start.z * twist.x - self.start.w * twist.y;
        let b = self.half.z * twist.x - self.half.w * twist.y;
        let squared = a * a + b * b;
        (squared > ROUNDING * ROUNDING).then(|| Vec2::new(b, -a) * (1.0 / squared.sqrt()).copysign(b))
    }
}

/// What the end joint sees at every swivel angle, and the same after half a turn of the forearm.
#[derive(Clone, Copy)]
pub(super) struct SeenEnd {
    pub own: Seen,
    pub turned: Seen,
}

/// How far inside the limits a swivel angle is.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub base: Margins,
    pub hand: Margins,
    pub division: Division,
}

impl Look {
    #[inline(always)]
    pub fn least(&self) -> Real {
        self.base.least().min(self.hand.least())
    }

    #[inline]
    pub fn swing(&self) -> Real {
        self.base.swing.min(self.hand.swing)
    }
}

/// The division of what is left to turn between forearm and end joint.
#[derive(Clone, Copy)]
pub(super) struct Division {
    /// Along the half angle of the forearm's twist.
    along: Vec2,
    /// Whether that is an end of its room.
    pub held: bool,
    /// What the end joint's limit sees then, as long as `along`, and one over the square of that.
    seen: Quat,
    inverse: Real,
}

impl Division {
    /// The forearm stays as it is.
    const NONE: Self = Self::none(Quat::IDENTITY);

    #[inline(always)]
    const fn none(seen: Quat) -> Self {
        Self { along: Vec2::X, held: false, seen, inverse: 1.0 }
    }

    /// The half angle of the forearm's twist, and what the end joint's limit sees.
    #[inline(always)]
    fn unit(&self) -> (Vec2, Quat) {
        let scale = self.inverse.sqrt().copysign(self.along.x);
        (self.along * scale, self.seen * scale)
    }
}

pub(super) struct Quick<'a, 'b> {
    pub reach: &'b Reach<'a>,
    pub limb: &'a Limb,
    pub base: Seen,
    /// The end joint, where there is an orientation to reach.
    pub end: Option<SeenEnd>,
    pub room: Room,
}

impl<'a, 'b> Quick<'a, 'b> {
    /// `None` if the limits cannot be gauged.
    #[inline(always)]
    pub fn new(reach: &'b Reach<'a>) -> Option<Self> {
        let limb = reach.limb;
        if !limb.gauged || (reach.seen.is_some() && !limb.end_gauged) {
            return None;
        }
        // The other halves are seldom needed; see `complete`.
        let seen = |start: Quat| Seen { start, half: Quat::IDENTITY };
        let base = seen((limb.base_gauge.before * reach.towards) * reach.turned_after);
        let mut room = Room::NONE;
        let end = reach.seen.map(|wanted| {
            let frame = reach.towards * (reach.turned * limb.fold.down(&reach.folded));
            let start = frame.conjugate() * (wanted * limb.end_gauge.after);
            room = limb.room(reach.flexion);
            let turned = if room.is_none() { start } else { limb.seen_forearm * start };
            SeenEnd { own: seen(start), turned: seen(turned) }
        });
        Some(Self { reach, limb, base, end, room })
    }

    /// What it takes to look at other swivel angles than zero.
    #[inline(always)]
    fn complete(&mut self) {
        let line = self.limb.base_gauge.before * self.reach.line;
        self.base.half = pure(line) * self.base.start;
        if let Some(SeenEnd { own, turned }) = &mut self.end {
            own.half = self.limb.fold.end_line(&self.reach.folded) * own.start;
            turned.half = if self.room.is_none() { own.half } else { self.limb.seen_forearm * own.half };
        }
    }

    /// The twist that the forearm should leave the end joint, by its half.
    #[inline(always)]
    fn rule(&self) -> Vec2 {
        self.limb.end_gauge.twist.as_ref().map_or(Vec2::X, |t| t.least)
    }

    /// The forearm's twist leaves the end joint this twist, by its half, as far as it goes.
    #[inline(always)]
    pub fn leaving(&self, q: Quat, turned: Quat, leave: Vec2) -> Division {
        let mut along = twist_leaving(q, turned, leave);
        let squared = along.length_squared();
        if squared <= ROUNDING * ROUNDING {
            return Division::none(q);
        }
        let (mut inverse, mut held) = (1.0 / squared, false);
        if let Some(end) = self.room.held_at(along) {
            (along, inverse, held) = (end, 1.0, true);
        }
        Division { along, held, seen: q * along.x - turned * along.y, inverse }
    }

    /// What the end joint sees when the forearm follows the rule, and how that changes with the
    /// swivel angle, at a half angle of any length; of some length.
    #[inline(always)]
    fn end_change(&self, end: &SeenEnd, half: Vec2) -> (Quat, Quat) {
        let (q, change) = (end.own.at(half), end.own.at(half.perp()));
        if self.room.is_none() {
            return (q, change);
        }
        let (turned, turned_change) = (end.turned.at(half), end.turned.at(half.perp()));
        let rule = self.rule();
        let along = twist_leaving(q, turned, rule);
        match self.room.held_at(along) {
            Some(end) => (q * end.x - turned * end.y, change * end.x - turned_change * end.y),
            None => {
                let grows = twist_leaving(change, turned_change, rule);
                let seen = q * along.x - turned * along.y;
                (seen, change * along.x - turned_change * along.y + (q * grows.x - turned * grows.y))
            }
        }
    }

    #[inline(always)]
    pub fn look(&self, half: Vec2) -> Look {
        let end = self.end.as_ref().map(|end| (end.own.at(half), end.turned.at(half)));
        self.looked(self.base.at(half), end)
    }

    #[inline(always)]
    fn looked(&self, base: Quat, end: Option<(Quat, Quat)>) -> Look {
        let base = self.limb.base_gauge.margins(base);
        let Some((q, turned)) = end else {
            return Look { base, hand: Margins::FREE, division: Division::NONE };
        };
        if self.room.is_none() {
            return Look { base, hand: self.limb.end_gauge.margins(q), division: Division::none(q) };
        }
        let division = self.leaving(q, turned, self.rule());
        // By the rule the twist is the least there is.
        let allowed = self.limb.end_gauge.twist.as_ref().map_or(1.0, |t| t.least_margin);
        Look { base, hand: self.hand_margins(&division, allowed), division }
    }

    /// What is left of the end joint's limit, where this is left of the twist that was asked for.
    #[inline(always)]
    pub fn hand_margins(&self, division: &Division, allowed: Real) -> Margins {
        let gauge = &self.limb.end_gauge;
        let swing = gauge.swing_margin(division.seen, division.inverse);
        let (twist, above) = match division.held {
            true => gauge.twist_margin(division.seen),
            false => (allowed, false),
        };
        Margins { swing, twist, above }
    }

    /// An allowed posture near the wanted swivel angle. Afterwards other angles can be looked at.
    #[inline(always)]
    pub fn solve(&mut self, wanted: Real) -> Option<Posture> {
        let mut half = Vec2::X;
        let look = if wanted == 0.0 {
            let look = self.looked(self.base.start, self.end.map(|end| (end.own.start, end.turned.start)));
            if look.least() < 0.0 {
                self.complete();
            }
            look
        } else {
            self.complete();
            half = half_angle(wanted);
            self.look(half)
        };
        if look.least() >= 0.0 {
            return Some(self.posture(wanted, half, &look));
        }
        self.moved(half, look)
    }

    /// From an angle that is not allowed to one that is.
    #[inline(never)]
    fn moved(&self, wanted: Vec2, look: Look) -> Option<Posture> {
        let (mut half, mut look) = (wanted, look);
        for _ in 0..5 {
            if look.base.twist < -EDGE {
                half = self.base.where_twist_is(edge(&self.limb.base_gauge, look.base.above)?)?;
            } else if look.hand.twist < -EDGE {
                let SeenEnd { own, turned } = self.end?;
                let mut seen = own;
                if look.division.held {
                    // With the forearm held where it is, the end joint sees the
                    // same turn about another line.
                    let at = look.division.along;
                    let start = own.start * at.x - turned.start * at.y;
                    seen = Seen { start, half: own.half * at.x - turned.half * at.y };
                } else if !self.room.is_none() {
                    return None;
                }
                half = seen.where_twist_is(edge(&self.limb.end_gauge, look.hand.above)?)?;
            } else if look.base.swing < 0.0 && look.base.swing <= look.hand.swing {
                let gauge = &self.limb.base_gauge;
                half = uphill(half, |h| gauge.swing_step(self.base.at(h), self.base.at(h.perp()), ON_EDGE))?;
            } else if look.hand.swing < 0.0 {
                let (gauge, end) = (&self.limb.end_gauge, self.end?);
                half = uphill(half, |h| {
                    let (seen, change) = self.end_change(&end, h);
                    gauge.swing_step(seen, change, ON_EDGE)
                })?;
            } else {
                break;
            }
            look = self.look(half);
        }
        // Further than a right angle, the other side may be nearer.
        let near = half.dot(wanted).abs() > FRAC_1_SQRT_2;
        (near && look.least() >= -EDGE).then(|| self.posture(angle_of(half), half, &look))
    }

    #[inline(always)]
    pub fn posture(&self, swivel: Real, half: Vec2, look: &Look) -> Posture {
        let reach = self.reach;
        let base = match half.y == 0.0 {
            true => reach.zero,
            false => {
                let a = reach.line * half.y;
                Quat::from_xyzw(a.x, a.y, a.z, half.x) * reach.zero
            }
        };
        // Well inside nothing needs to be held again when it is written.
        let base_inside = look.base.least() > INSIDE;
        match self.end {
            None => Posture { swivel, base, base_inside, ..reach.kept() },
            Some(_) => {
                let (twist, seen) = look.division.unit();
                Posture {
                    swivel,
                    base,
                    flexion: reach.flexion,
                    twist,
                    end: self.limb.end_gauge.unseen(seen),
                    base_inside,
                    end_inside: look.hand.least() > INSIDE,
                }
            }
        }
    }
}

/// Along the half angle of the forearm's twist that leaves the end joint this twist. `turned` is the
/// rotation after half a turn of the forearm.
#[inline(always)]
fn twist_leaving(q: Quat, turned: Quat, leave: Vec2) -> Vec2 {
    Vec2::new(turned.z * leave.x - turned.w * leave.y, q.z * leave.x - q.w * leave.y)
}

/// The end of the twist's range that is above or below.
#[inline(always)]
fn edge(gauge: &Gauge, above: bool) -> Option<Vec2> {
    gauge.twist.as_ref().map(|t| if above { t.high } else { t.low })
}

/// Cosine and sine of half an angle.
#[inline(always)]
pub(super) fn half_angle(angle: Real) -> Vec2 {
    let (sin, cos) = (0.5 * angle).sin_cos();
    Vec2::new(cos, sin)
}

/// The angle in [−π, π] whose half has this cosine and sine.
#[inline(always)]
pub(super) fn angle_of(half: Vec2) -> Real {
    let half = if half.x < 0.0 { -half } else { half };
    // The arc of the smaller of the two.
    if half.y.abs() <= half.x {
        2.0 * arc_sine(half.y)
    } else {
        (PI - 2.0 * arc_sine(half.x)).copysign(half.y)
    }
}

/// The half angle after a turn by twice the arc tangent of `by`.
#[inline(always)]
pub(super) fn onwards(half: Vec2, by: Real) -> Vec2 {
    Vec2::new(half.x - half.y * by, half.y + half.x * by) * (1.0 / (1.0 + by * by).sqrt())
}

/// Just inside the edge of a swing region, uphill from here, by what is left and a step of the half
/// angle that leads to the edge (Newton). Ways are tangents of half angles; half angles are asked
/// for with any length.
#[inline(always)]
fn uphill(from: Vec2, at: impl Fn(Vec2) -> (Real, Real)) -> Option<Vec2> {
    const FARTHEST: Real = 0.25;
    let mut way = 0.0;
    let mut step = at(from).1;
    let sense = if step > 0.0 { 1.0 } else { -1.0 };
    // The nearest that is known to be outside and inside; uphill is towards `sense`.
    let (mut outside, mut inside): (Real, Option<Real>) = (0.0, None);
    for _ in 0..10 {
        let mut next = way + (step * (1.0 + way * way)).clamp(-FARTHEST, FARTHEST);
        match inside {
            // Downhill again before the edge: the region is elsewhere, if anywhere.
            None if step * sense <= 0.0 || step.is_nan() => return None,
            Some(inside) if !((next - outside) * sense > 0.0 && (inside - next) * sense > 0.0) => {
                if (inside - outside).abs() <= EDGE {
                    break;
                }
                next = 0.5 * (outside + inside)
            }
            _ => {}
        }
        way = next;
        let left;
        (left, step) = at(from + from.perp() * way);
        if (INSIDE..=2.0 * ON_EDGE).contains(&left) {
            return Some(onwards(from, way));
        }
        if left < ON_EDGE { outside = way } else { inside = Some(way) }
    }
    inside.map(|way| onwards(from, way))
}
