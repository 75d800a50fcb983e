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

use super::gauge::{Gauge, INSIDE, Margins, ON_EDGE};
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

/// How far inside the limits a swivel angle is.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub base: Margins,
    pub hand: Margins,
    /// The half angle of the forearm's twist.
    pub twist: Vec2,
    /// Which end of its room the twist is held at: −1, 0 or 1.
    pub held: i8,
    /// What the end joint's limit sees then.
    pub end: Quat,
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
pub(super) struct Division {
    pub twist: Vec2,
    pub held: i8,
    pub end: Quat,
}

pub(super) struct Quick<'a, 'b> {
    pub reach: &'b Reach<'a>,
    pub limb: &'a Limb,
    pub base: Seen,
    /// The end joint, where there is an orientation to reach.
    pub end: Option<Seen>,
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
        let (fold, folded) = (&limb.fold, &reach.folded);
        let to_frame = limb.base_gauge.before * reach.zero;
        // The other halves are seldom needed; see `complete`.
        let base = Seen { start: to_frame * limb.base_gauge.after, half: Quat::IDENTITY };
        let mut room = Room::NONE;
        let end = match reach.seen {
            None => None,
            Some(wanted) => {
                let frame = reach.zero * fold.down(folded);
                let start = frame.conjugate() * (wanted * limb.end_gauge.after);
                room = limb.room(reach.flexion);
                Some(Seen { start, half: Quat::IDENTITY })
            }
        };
        Some(Self { reach, limb, base, end, room })
    }

    /// What it takes to look at other swivel angles than zero.
    #[inline(always)]
    fn complete(&mut self) {
        let (fold, folded) = (&self.limb.fold, &self.reach.folded);
        self.base.half = self.limb.base_gauge.before * self.reach.zero * fold.line_after(folded);
        if let Some(end) = &mut self.end {
            end.half = fold.end_line(folded) * end.start;
        }
    }

    /// The forearm's twist leaves the end joint the least twist it may have, as far as it goes.
    #[inline(always)]
    fn divided(&self, q: Quat) -> Division {
        if self.room.is_none() {
            return Division { twist: Vec2::X, held: 0, end: q };
        }
        self.leaving(q, self.limb.end_gauge.twist.as_ref().map_or(Vec2::X, |t| t.least))
    }

    /// The forearm's twist leaves the end joint this twist, by its half, as far as it goes.
    #[inline(always)]
    pub(super) fn leaving(&self, q: Quat, least: Vec2) -> Division {
        let turned = self.limb.seen_forearm * q;
        let a = q.z * least.x - q.w * least.y;
        let b = turned.z * least.x - turned.w * least.y;
        let (twist, held) = self.room.hold(Vec2::new(b, a));
        Division { twist, held, end: q * twist.x - turned * twist.y }
    }

    #[inline(always)]
    pub fn look(&self, half: Vec2) -> Look {
        self.looked(self.base.at(half), self.end.as_ref().map(|end| end.at(half)))
    }

    #[inline(always)]
    fn looked(&self, base: Quat, end: Option<Quat>) -> Look {
        let base = self.limb.base_gauge.margins(base);
        match end {
            Some(q) => self.judged(base, self.divided(q)),
            None => Look { base, hand: Margins::FREE, twist: Vec2::X, held: 0, end: Quat::IDENTITY },
        }
    }

    /// How far inside the limits a division is.
    #[inline(always)]
    pub fn judged(&self, base: Margins, division: Division) -> Look {
        let Division { twist, held, end } = division;
        let gauge = &self.limb.end_gauge;
        let swing = gauge.swing_margin(end);
        let hand = match (held, &gauge.twist) {
            // By the rule the twist is the least there is.
            (0, Some(t)) if !self.room.is_none() => Margins { swing, twist: t.least_margin, above: false },
            _ => {
                let (twist, above) = gauge.twist_margin(end);
                Margins { swing, twist, above }
            }
        };
        Look { base, hand, twist, held, end }
    }

    /// An allowed posture near the wanted swivel angle. Afterwards other angles can be looked at.
    #[inline(always)]
    pub fn solve(&mut self, wanted: Real) -> Option<Posture> {
        let mut half = Vec2::X;
        let look = if wanted == 0.0 {
            let look = self.looked(self.base.start, self.end.map(|end| end.start));
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
                let mut seen = self.end?;
                if look.held != 0 {
                    // With the forearm held where it is, the end joint sees the
                    // same turn about another line.
                    let forearm = self.limb.seen_forearm;
                    let back = |q: Quat| q * look.twist.x - forearm * q * look.twist.y;
                    seen = Seen { start: back(seen.start), half: back(seen.half) };
                } else if !self.room.is_none() {
                    return None;
                }
                half = seen.where_twist_is(edge(&self.limb.end_gauge, look.hand.above)?)?;
            } else if look.base.swing < 0.0 && look.base.swing <= look.hand.swing {
                let gauge = &self.limb.base_gauge;
                half = uphill(half, look.base.swing, |h| gauge.swing_margin(self.base.at(h)))?;
            } else if look.hand.swing < 0.0 {
                let (gauge, seen) = (&self.limb.end_gauge, self.end?);
                half = uphill(half, look.hand.swing, |h| gauge.swing_margin(self.divided(seen.at(h)).end))?;
            } else {
                break;
            }
            look = self.look(half);
        }
        // Further than a right angle, the other side may be nearer.
        let near = half.dot(wanted).abs() > FRAC_1_SQRT_2;
        (near && look.least() >= -EDGE).then(|| {
            let swivel = wrap_angle(2.0 * half.y.atan2(half.x));
            self.posture(swivel, half, &look)
        })
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
            Some(_) => Posture {
                swivel,
                base,
                flexion: reach.flexion,
                twist: look.twist,
                end: self.limb.end_gauge.unseen(look.end),
                base_inside,
                end_inside: look.hand.least() > INSIDE,
            },
        }
    }
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

/// The half angle after a turn by twice the arc tangent of `by`.
#[inline(always)]
pub(super) fn onwards(half: Vec2, by: Real) -> Vec2 {
    Vec2::new(half.x - half.y * by, half.y + half.x * by) * (1.0 / (1.0 + by * by).sqrt())
}

/// Just inside the edge of a swing region, uphill from here. Ways are tangents of half angles.
#[inline(always)]
fn uphill(from: Vec2, margin: Real, at: impl Fn(Vec2) -> Real) -> Option<Vec2> {
    const FIRST: Real = 0.02;
    const FARTHEST: Real = 0.25;
    let beyond = |way: Real| at(onwards(from, way)) - ON_EDGE;
    // The last three looks, the newest last: ways and values.
    let (mut x0, mut f0) = (0.0, margin - ON_EDGE);
    let (mut x1, mut f1) = (FIRST, beyond(FIRST));
    let slope = (f1 - f0) / FIRST;
    if slope == 0.0 {
        return None;
    }
    let sense = if slope > 0.0 { 1.0 } else { -1.0 };
    let mut x2 = (-f0 / slope).clamp(-FARTHEST, FARTHEST);
    let mut f2 = beyond(x2);
    if f2 <= f0 {
        return None;
    }
    // The nearest that is known to be outside and inside; uphill is towards `sense`.
    let (mut outside, mut inside) = (0.0, None);
    if f1 >= 0.0 {
        inside = Some(x1);
    }
    for _ in 0..12 {
        if (INSIDE - ON_EDGE..=ON_EDGE).contains(&f2) {
            return Some(onwards(from, x2));
        }
        if f2 < 0.0 {
            outside = x2
        } else {
            inside = Some(x2)
        }
        // The quadratic of the way over the value, through three looks.
        let (d01, d12) = ((x1 - x0) / (f1 - f0), (x2 - x1) / (f2 - f1));
        let bow = (d12 - d01) / (f2 - f0);
        let mut next = x2 - f2 * (d12 - f1 * bow);
        match inside {
            Some(inside) => {
                let (low, high) = if inside < outside { (inside, outside) } else { (outside, inside) };
                if !(next > low && next < high) {
                    next = 0.5 * (low + high);
                }
                if high - low <= EDGE {
                    return Some(onwards(from, inside));
                }
            }
            None => {
                let way = (next - x2) * sense;
                // Where the parabola leads back or nowhere, a step on.
                let way = if way > 0.0 { way.min(FARTHEST) } else { 0.1 };
                next = x2 + sense * way;
            }
        }
        (x0, f0, x1, f1) = (x1, f1, x2, f2);
        (x2, f2) = (next, beyond(next));
        // Downhill again before the edge: the region is elsewhere, if anywhere.
        if inside.is_none() && f2 <= f1 {
            return None;
        }
    }
    inside.map(|x| onwards(from, x))
}
