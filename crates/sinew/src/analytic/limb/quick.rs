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

use super::arcs::Arcs;
use super::gauge::{Gauge, Margins};
use super::hand::Hand;
use super::turning::{EDGE, SMOOTH_SAMPLES, Turning};
use super::{Posture, Reach};
use crate::math::*;

/// How far inside of a swing's edge is on it, in radians: six thousandths of a
/// degree, which nobody sees and which saves half of the looks.
const NEAR_EDGE: Real = 1.0e-4;

/// What a joint's limit sees at every swivel angle: `start·cos + half·sin`.
#[derive(Clone, Copy)]
struct Seen<'a> {
    gauge: &'a Gauge,
    start: Quat,
    half: Quat,
}

impl<'a> Seen<'a> {
    #[inline]
    fn new(gauge: &'a Gauge, axis: Vec3, start: Quat) -> Self {
        let start = gauge.seen(start);
        let axis = gauge.direction(axis);
        Self { gauge, start, half: Quat::from_xyzw(axis.x, axis.y, axis.z, 0.0) * start }
    }

    #[inline]
    fn at(&self, half: Vec2) -> Quat {
        self.start * half.x + self.half * half.y
    }
}

/// How far inside the limits a swivel angle is.
#[derive(Clone, Copy)]
struct Look {
    base: Margins,
    hand: Margins,
    /// The half angle of the forearm's twist.
    twist: Vec2,
    /// Which end of its room the twist is held at: −1, 0 or 1.
    held: i8,
}

impl Look {
    #[inline]
    fn least(&self) -> Real {
        self.base.least().min(self.hand.least())
    }

    #[inline]
    fn swing(&self) -> Real {
        self.base.swing.min(self.hand.swing)
    }
}

pub(super) struct Quick<'a, 'b> {
    reach: &'b Reach<'a>,
    hand: Option<&'b Hand<'a>>,
    base: Option<Seen<'a>>,
    end: Option<Seen<'a>>,
    /// The forearm as the end joint's limit sees it.
    forearm: Quat,
}

impl<'a, 'b> Quick<'a, 'b> {
    /// `None` if the limits cannot be gauged.
    #[inline]
    pub fn new(reach: &'b Reach<'a>, hand: Option<&'b Hand<'a>>) -> Option<Self> {
        let limb = reach.limb;
        if !limb.gauged || (hand.is_some() && !limb.end_gauged) {
            return None;
        }
        let base = limb.base_gauge.as_ref().map(|g| Seen::new(g, reach.line, reach.zero));
        let end = hand.zip(limb.end_gauge.as_ref()).map(|(h, g)| Seen::new(g, -h.line, h.start));
        Some(Self { reach, hand, base, end, forearm: limb.seen_forearm })
    }

    #[inline]
    fn look(&self, half: Vec2) -> Look {
        let base = self.base.map_or(Margins::FREE, |s| s.gauge.margins(s.at(half)));
        let mut look = Look { base, hand: Margins::FREE, twist: Vec2::X, held: 0 };
        let Some(hand) = self.hand else { return look };
        let room = &hand.room;
        let Some(end) = self.end else {
            // No limit at the end joint: eq. 5, as far as the forearm goes.
            if !room.is_none() {
                let q = hand.needed_at(half);
                let axis = self.reach.limb.end_twist_axis;
                let along = Vec2::new(q.w, Vec3::new(q.x, q.y, q.z).dot(axis));
                (look.twist, look.held) = room.hold(along);
            }
            return look;
        };
        let q = end.at(half);
        if room.is_none() {
            look.hand = end.gauge.margins(q);
            return look;
        }
        // The forearm's twist leaves the end joint the least twist it may have.
        let turned = self.forearm * q;
        let least = end.gauge.twist.map_or(Vec2::X, |t| t.least);
        let a = q.z * least.x - q.w * least.y;
        let b = turned.z * least.x - turned.w * least.y;
        (look.twist, look.held) = room.hold(Vec2::new(b, a));
        let left = q * look.twist.x - turned * look.twist.y;
        look.hand = end.gauge.margins(left);
        look
    }

    /// An allowed posture near the wanted swivel angle.
    #[inline]
    pub fn solve(&self, wanted: Real) -> Option<Posture> {
        let mut swivel = wanted;
        let mut half = Vec2::X;
        if wanted != 0.0 {
            let (sin, cos) = (0.5 * wanted).sin_cos();
            half = Vec2::new(cos, sin);
        }
        let mut look = self.look(half);
        if look.least() < 0.0 {
            (swivel, half, look) = self.moved(wanted, half, look)?;
        }
        Some(self.posture(swivel, half, &look))
    }

    /// From an angle that is not allowed to one that is.
    #[inline(never)]
    fn moved(&self, wanted: Real, half: Vec2, look: Look) -> Option<(Real, Vec2, Look)> {
        let (mut swivel, mut half, mut look) = (wanted, half, look);
        for _ in 0..5 {
            if look.base.twist < -EDGE {
                let seen = self.base?;
                let twist = seen.gauge.twist?;
                let edge = if look.base.above { twist.max } else { twist.min };
                swivel = where_twist_is(seen.start, seen.half, edge)?;
            } else if look.hand.twist < -EDGE {
                let (seen, hand) = (self.end?, self.hand?);
                let twist = seen.gauge.twist?;
                let edge = if look.hand.above { twist.max } else { twist.min };
                let (mut start, mut turned) = (seen.start, seen.half);
                if look.held != 0 {
                    // With the forearm held where it is, the end joint sees the
                    // same turn about another line.
                    let back = |q: Quat| q * look.twist.x - self.forearm * q * look.twist.y;
                    (start, turned) = (back(start), back(turned));
                } else if !hand.room.is_none() {
                    return None;
                }
                swivel = where_twist_is(start, turned, edge)?;
            } else if look.swing() < 0.0 {
                swivel = self.uphill(swivel, look.swing())?;
            } else {
                break;
            }
            let (sin, cos) = (0.5 * swivel).sin_cos();
            half = Vec2::new(cos, sin);
            look = self.look(half);
        }
        // Further than this, the other side may be nearer.
        let near = wrap_angle(swivel - wanted).abs() < 0.5 * PI;
        (near && look.least() >= -EDGE).then_some((wrap_angle(swivel), half, look))
    }

    /// All swivel angles that hold, by the twists' arcs in closed form and a scan
    /// of the swings in what they leave.
    #[inline(never)]
    pub fn arcs(&self) -> Arcs {
        let mut window = Arcs::ALL;
        if let Some((seen, twist)) = self.base.and_then(|s| Some((s, s.gauge.twist?))) {
            window = Turning::from_parts(seen.start, seen.half).where_twist_in(twist.range());
        }
        if let (Some(hand), Some((seen, twist))) =
            (self.hand, self.end.and_then(|s| Some((s, s.gauge.twist?))))
        {
            let fits = match hand.room.is_none() {
                true => Turning::from_parts(seen.start, seen.half).where_twist_in(twist.range()),
                false => hand.where_twists_fit(),
            };
            window = window.intersection(&fits);
        }
        Arcs::scan(&window, SMOOTH_SAMPLES, |swivel| {
            let (sin, cos) = (0.5 * swivel).sin_cos();
            self.look(Vec2::new(cos, sin)).swing() + EDGE
        })
    }

    /// An allowed posture at the swivel angle nearest to the wanted one.
    pub fn nearest(&self, wanted: Real) -> Option<Posture> {
        let swivel = self.arcs().nearest(wanted)?;
        let (sin, cos) = (0.5 * swivel).sin_cos();
        let half = Vec2::new(cos, sin);
        let look = self.look(half);
        // Where a twist is ill-defined the arcs may promise too much.
        (look.least() >= -16.0 * EDGE).then(|| self.posture(swivel, half, &look))
    }

    /// The edge of the swing regions, uphill from here.
    fn uphill(&self, from: Real, margin: Real) -> Option<Real> {
        let at = |s: Real| {
            let (sin, cos) = (0.5 * s).sin_cos();
            self.look(Vec2::new(cos, sin)).swing()
        };
        const FIRST: Real = 0.05;
        let right = at(from + FIRST);
        let slope = (right - margin) / FIRST;
        if slope == 0.0 {
            return None;
        }
        let sense = if slope > 0.0 { 1.0 } else { -1.0 };
        let (mut outside, mut value) = (from, margin);
        // Newton with secants, a little further than the line says, until inside.
        let mut step = (-margin / slope.abs() * 1.1 + EDGE).min(0.5);
        let mut inside = None;
        for _ in 0..6 {
            let next = outside + sense * step;
            let v = at(next);
            if v >= 0.0 {
                inside = Some((next, v));
                break;
            }
            if v <= value {
                return None;
            }
            step = (-v * step / (v - value) * 1.1 + EDGE).min(0.5);
            (outside, value) = (next, v);
        }
        let (mut b, mut fb) = inside?;
        let (mut a, mut fa) = (outside, value);
        // Close enough that nobody sees the rest of the way.
        for _ in 0..12 {
            if fb <= NEAR_EDGE || (b - a).abs() <= EDGE {
                break;
            }
            // Aims a hair inside.
            let t = ((EDGE - fa) / (fb - fa)).clamp(0.02, 0.98);
            let x = a + (b - a) * t;
            let f = at(x);
            if f >= 0.0 {
                (b, fb) = (x, f);
                fa *= 0.5;
            } else {
                (a, fa) = (x, f);
                fb = (fb * 0.5).max(2.0 * EDGE);
            }
        }
        Some(b)
    }

    #[inline]
    fn posture(&self, swivel: Real, half: Vec2, look: &Look) -> Posture {
        let reach = self.reach;
        let base = match half.y == 0.0 {
            true => reach.zero,
            false => {
                let a = reach.line * half.y;
                Quat::from_xyzw(a.x, a.y, a.z, half.x) * reach.zero
            }
        };
        // Well inside nothing needs to be held again when it is written.
        let inside = 8.0 * EDGE;
        let base_inside = look.base.least() > inside;
        match self.hand {
            None => Posture { swivel, base, base_inside, ..reach.kept() },
            Some(hand) => {
                let needed = hand.needed_at(half);
                let end = match look.twist.y == 0.0 {
                    true => needed,
                    false => {
                        let a = reach.limb.end_twist_axis * -look.twist.y;
                        Quat::from_xyzw(a.x, a.y, a.z, look.twist.x) * needed
                    }
                };
                Posture {
                    swivel,
                    base,
                    flexion: reach.flexion,
                    twist: look.twist,
                    end,
                    base_inside,
                    end_inside: look.hand.least() > inside,
                }
            }
        }
    }
}

/// Where a family, given by its linear parts, has this twist.
#[inline]
fn where_twist_is(start: Quat, half: Quat, twist: Real) -> Option<Real> {
    Turning::from_parts(start, half).where_twist_is(twist)
}
