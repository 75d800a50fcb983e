//! Once round the swivel circle: the allowed angle nearest to the wanted one, where no edge beside
//! the wanted angle is the answer, and where the rule for the forearm's twist gives none, another
//! division of the twist.
//!
//! A raster of looks (`limb/raster.rs`) shows where the edges are; each that matters is then found
//! between two looks. Where the raster may hide something, the arcs are computed in full.

use super::Posture;
use super::arcs::{self, Arcs};
use super::gauge::{Gauge, Margins, ON_EDGE, Twist};
use super::hand::RELUCTANCE;
use super::quick::{Division, Look, Quick, Seen, half_angle, onwards};
use super::raster::{EndFamily, LOOKS, Raster, Row, is_swift, may_rise, row};
use super::turning::{EDGE, SMOOTH_SAMPLES, Turning};
use crate::math::*;

/// The tangent of half a look's step.
const STEP: Real = 0.098_491_4;

/// What a raster showed of a goal.
pub(super) struct Round<'a> {
    raster: Raster,
    end: Option<EndFamily<'a>>,
    /// Where twists that are too swift to be shown stand at the ends of their ranges: half angles,
    /// the base's two first.
    corners: [Option<Vec2>; CORNERS],
    base_is_swift: bool,
}

/// Two of the base, and two of the end joint for each end of the forearm's room.
const CORNERS: usize = 6;

impl<'a> Quick<'a, '_> {
    /// Looks at the whole circle.
    pub fn round(&self) -> Round<'_> {
        let limb = self.limb;
        let forearm = limb.seen_forearm;
        let mut corners = [None; CORNERS];
        let mut corners_of = |at: usize, gauge: &Gauge, seen: Seen| {
            let swift = gauge.twist.as_ref().filter(|_| is_swift(seen.start, seen.half));
            if let Some(twist) = swift {
                corners[at] = seen.where_twist_is(twist.low);
                corners[at + 1] = seen.where_twist_is(twist.high);
            }
            swift.is_some()
        };
        let base_is_swift = corners_of(0, &limb.base_gauge, self.base);
        let end = self.end.map(|seen| {
            let own = [seen.start, seen.half];
            let mut turned = own;
            if self.room.is_none() {
                corners_of(2, &limb.end_gauge, seen);
            } else {
                turned = own.map(|q| forearm * q);
                let (low, high) = self.room.ends();
                for (at, end) in [(2, low), (4, high)] {
                    let held = |i: usize| own[i] * end.x - turned[i] * end.y;
                    if !self.room.is_whole() {
                        corners_of(at, &limb.end_gauge, Seen { start: held(0), half: held(1) });
                    }
                }
            }
            EndFamily { gauge: &limb.end_gauge, own, turned, room: &self.room }
        });
        let raster = Raster::new((&limb.base_gauge, self.base.start, self.base.half), end);
        Round { raster, end, corners, base_is_swift }
    }

    /// An allowed posture at the swivel angle nearest to the wanted one.
    pub fn nearest(&self, round: &Round<'_>, wanted: Real) -> Option<Posture> {
        let margin = |half: Vec2| self.look(half).least();
        let half = nearest_edge(&round.raster.all(), &round.corners, half_angle(wanted), margin)?;
        let look = self.look(half);
        if look.least() >= -EDGE {
            return Some(self.posture(angle_of(half), half, &look));
        }
        let swivel = self.arcs().nearest(wanted)?;
        let half = half_angle(swivel);
        let look = self.look(half);
        // Where a twist is ill-defined the arcs may promise too much.
        (look.least() >= -16.0 * EDGE).then(|| self.posture(swivel, half, &look))
    }

    /// All swivel angles that hold, by the twists' arcs in closed form and a scan
    /// of the swings in what they leave.
    #[inline(never)]
    fn arcs(&self) -> Arcs {
        let mut window = Arcs::ALL;
        if let Some(twist) = &self.limb.base_gauge.twist {
            window = Turning::from_parts(self.base.start, self.base.half).where_twist_in(twist.range());
        }
        if let (Some(hand), Some(seen), Some(twist)) =
            (self.reach.hand(), self.end, &self.limb.end_gauge.twist)
        {
            let fits = match self.room.is_none() {
                true => Turning::from_parts(seen.start, seen.half).where_twist_in(twist.range()),
                false => hand.where_twists_fit(),
            };
            window = window.intersection(&fits);
        }
        Arcs::scan(&window, SMOOTH_SAMPLES, |swivel| self.look(half_angle(swivel)).swing() + EDGE)
    }

    /// Where the rule holds nowhere: the angle nearest to where it misses least at which another
    /// division of the twist holds. `None` says nothing; the full search may find more.
    pub fn otherwise(&self, round: &Round<'_>, wanted: Real) -> Option<Posture> {
        let (seen, end) = (self.end?, round.end?);
        if self.room.is_none() {
            return None;
        }
        let twist = self.limb.end_gauge.twist.as_ref()?;
        let mut half = self.least_missing(round, &seen, wanted)?;
        if self.leaves(half, &seen, twist).1 < 0.0 {
            let (low, high) = (end.margins(twist.low), end.margins(twist.high));
            let raster = &round.raster;
            let all = row(|i| {
                // A twist that is a hair inside is the one that was asked for.
                let left = |of: &(Row, Row)| if of.1[i] > 0.0 { of.0[i] } else { of.0[i].min(of.1[i]) };
                let (low, high) = (left(&low), left(&high));
                let rule = raster.hand_swing[i].min(raster.hand_twist[i]);
                let most = match top(low, rule, high) {
                    Some(at) => rule + 0.25 * (high - low) * at,
                    None => low.max(high),
                };
                most.min(raster.base[i])
            });
            half = nearest_edge(&all, &round.corners, half, |half| {
                let base = self.limb.base_gauge.margins(self.base.at(half)).least();
                self.leaves(half, &seen, twist).1.min(base)
            })?;
        }
        let base = self.limb.base_gauge.margins(self.base.at(half));
        let (leave, most) = self.leaves(half, &seen, twist);
        if most < 0.0 || base.least() < -EDGE {
            return None;
        }
        // Back from there towards the rule, to where it just holds.
        let q = seen.at(half);
        let leave = edge(leave, most, twist.least, |leave| self.left(q, leave).1.least());
        let (division, hand) = self.left(q, leave);
        let Division { twist, held, end } = division;
        let look = Look { base, hand, twist, held, end };
        (hand.least() >= 0.0).then(|| self.posture(angle_of(half), half, &look))
    }

    /// What is left of the end joint's limit when the forearm leaves it this twist.
    #[inline]
    fn left(&self, q: Quat, leave: Vec2) -> (Division, Margins) {
        let division = self.leaving(q, leave);
        let swing = self.limb.end_gauge.swing_margin(division.end);
        // Unless the forearm is held, the twist is the one that was asked for, which is allowed.
        let (twist, above) = match division.held {
            0 => (1.0, false),
            _ => self.limb.end_gauge.twist_margin(division.end),
        };
        (division, Margins { swing, twist, above })
    }

    /// The twist of the end joint's own at which the most is left, and how much: an end of its
    /// range, or the top of the parabola through both and the rule.
    fn leaves(&self, half: Vec2, seen: &Seen, twist: &Twist) -> (Vec2, Real) {
        let q = seen.at(half);
        let left = |leave: Vec2| self.left(q, leave).1.least();
        let (low, rule, high) = (left(twist.low), left(twist.least), left(twist.high));
        let mut best = if low > high { (twist.low, low) } else { (twist.high, high) };
        if let Some(top) = top(low, rule, high) {
            let end = if top < 0.0 { twist.low } else { twist.high };
            let leave = (twist.least + (end - twist.least) * top.abs()).normalize_or(twist.least);
            let there = left(leave);
            if there > best.1 {
                best = (leave, there);
            }
        }
        best
    }

    /// The angle that the base allows at which the rule misses the least, by its half.
    fn least_missing(&self, round: &Round<'_>, seen: &Seen, wanted: Real) -> Option<Vec2> {
        let (base, raster) = (&round.raster.base, &round.raster);
        let gauge = &self.limb.end_gauge;
        let base_margin = |half: Vec2| self.limb.base_gauge.margins(self.base.at(half)).least();
        let cost = |half: Vec2| {
            let end = self.leaving(seen.at(half), gauge.twist.as_ref().map_or(Vec2::X, |t| t.least)).end;
            gauge.excess(gauge.swing_margin(end), gauge.twist_margin(end).0)
                + RELUCTANCE * wrap_angle(angle_of(half) - wanted).abs()
        };
        // The cost, the place, and what bounds it on both sides.
        let mut best: Option<(Real, Vec2, [Vec2; 2])> = None;
        for i in 0..LOOKS {
            if base[i] < 0.0 {
                continue;
            }
            let beside = [(i + LOOKS - 1) % LOOKS, (i + 1) % LOOKS];
            let here = gauge.excess(raster.hand_swing[i], raster.hand_twist[i])
                + RELUCTANCE * wrap_angle(Raster::angle(i) - wanted).abs();
            let half = Raster::half(i);
            let mut bounds = beside.map(Raster::half);
            for side in 0..2 {
                if base[beside[side]] >= 0.0 {
                    continue;
                }
                // The base ends before the next look: that may be the place.
                bounds[side] = edge(half, base[i], bounds[side], base_margin);
                let there = cost(bounds[side]);
                if best.as_ref().is_none_or(|b| there < b.0) {
                    let mut between = [bounds[side]; 2];
                    between[1 - side] = half;
                    best = Some((there, bounds[side], between));
                }
            }
            if best.as_ref().is_none_or(|b| here < b.0) {
                best = Some((here, half, bounds));
            }
        }
        if let ([Some(low), Some(high), ..], true) = (round.corners, round.base_is_swift) {
            for half in [low, high] {
                let there = cost(half);
                if base_margin(half) >= 0.0 && best.as_ref().is_none_or(|b| there < b.0) {
                    best = Some((there, half, [low, high]));
                }
            }
        }
        let (value, half, bounds) = best?;
        // Ways are tangents of half the angle from there.
        let way = |to: Vec2| half.perp_dot(to) / half.dot(to);
        let at = lowest(way(bounds[0]), way(bounds[1]), value, |x| cost(onwards(half, x)));
        Some(onwards(half, at))
    }
}

/// Where between −1 and 1 the parabola through three values at −1, 0 and 1 has its top.
#[inline(always)]
fn top(before: Real, here: Real, after: Real) -> Option<Real> {
    let (bow, slope) = (0.5 * (before + after) - here, 0.5 * (after - before));
    (slope.abs() < -2.0 * bow).then(|| -0.5 * slope / bow)
}

/// The angle whose half is this, in (−π, π].
#[inline]
fn angle_of(half: Vec2) -> Real {
    wrap_angle(2.0 * half.y.atan2(half.x))
}

/// The angle between two angles that are given by their halves.
#[inline]
fn angle_between(a: Vec2, b: Vec2) -> Real {
    2.0 * a.perp_dot(b).abs().atan2(a.dot(b).abs())
}

/// The edge nearest to a half angle outside, by looks at all of the circle and the margin between
/// them.
#[inline(always)]
fn nearest_edge(
    looks: &Row,
    corners: &[Option<Vec2>; CORNERS],
    wanted: Vec2,
    margin: impl Fn(Vec2) -> Real,
) -> Option<Vec2> {
    let from = angle_of(wanted);
    let below = ((from + PI) * (LOOKS as Real / TAU)) as usize % LOOKS;
    let mut best: Option<(Real, Vec2)> = None;
    // Upwards and downwards: the first look that is inside, or a peak beside it, and the edge
    // before that.
    for upwards in [true, false] {
        for n in 0..LOOKS {
            let at = |n: usize| match upwards {
                true => (below + 1 + n) % LOOKS,
                false => (below + LOOKS - n) % LOOKS,
            };
            let look = at(n);
            let way = wrap_angle(Raster::angle(look) - from).abs();
            if best.is_some_and(|(b, _)| b < way - 2.0 * (TAU / LOOKS as Real)) {
                break;
            }
            let (mut inside, mut most) = (Raster::half(look), looks[look]);
            if most < 0.0 {
                if !may_rise(looks, look) {
                    continue;
                }
                let here = inside;
                let way = lowest(-STEP, STEP, -most, |x| -margin(onwards(here, x)));
                inside = onwards(here, way);
                most = margin(inside);
                if most < 0.0 {
                    continue;
                }
            }
            let outside = if n == 0 { wanted } else { Raster::half(at(n - 1)) };
            let half = edge(inside, most, outside, &margin);
            let way = angle_between(half, wanted);
            if best.is_none_or(|(b, _)| way < b) {
                best = Some((way, half));
            }
            break;
        }
    }
    // What is too narrow for the looks has its ends, or its middle, at corners.
    for pair in corners.chunks_exact(2) {
        let [Some(a), Some(b)] = *pair else { continue };
        let middle = (a + if a.dot(b) < 0.0 { -b } else { b }).normalize_or(a);
        for (half, towards) in [(a, None), (b, None), (middle, Some(a)), (middle, Some(b))] {
            let way = angle_between(half, wanted);
            if best.is_some_and(|(b, _)| b <= way) {
                continue;
            }
            let most = margin(half);
            if most < 0.0 {
                continue;
            }
            let half = towards.map_or(half, |outside| edge(half, most, outside, &margin));
            let way = angle_between(half, wanted);
            if best.is_none_or(|(b, _)| way < b) {
                best = Some((way, half));
            }
        }
    }
    best.map(|(_, half)| half)
}

/// Between a half angle inside (with its margin) and one outside: where the margin is next to
/// nothing, from the inside.
#[inline(always)]
fn edge(inside: Vec2, margin: Real, outside: Vec2, at: impl Fn(Vec2) -> Real) -> Vec2 {
    if margin <= EDGE {
        return inside;
    }
    // On the way to a region that closes the edge moves on to its last point, without a jump.
    let aim = ON_EDGE.min(0.5 * margin);
    let far = inside.perp_dot(outside) / inside.dot(outside);
    let beyond = |x: Real| at(onwards(inside, x)) - aim;
    let there = beyond(far);
    if there >= 0.0 {
        return onwards(inside, far);
    }
    let enough = -0.4 * aim..=aim;
    let x = arcs::crossing((far, there), (0.0, margin - aim), 0.01 * EDGE, enough, beyond);
    onwards(inside, x)
}

/// The lowest place between two ways about zero, where the value is known (Brent: parabolas, and
/// golden sections where they do not help).
fn lowest(low: Real, high: Real, at_zero: Real, cost: impl Fn(Real) -> Real) -> Real {
    const SECTION: Real = 0.381_966;
    const NEAR: Real = 5.0e-5;
    let (mut a, mut b) = (low.min(high).min(0.0), low.max(high).max(0.0));
    // The best so far, the second, the one before.
    let (mut x, mut fx) = (0.0, at_zero);
    let (mut w, mut fw, mut v, mut fv) = (x, fx, x, fx);
    let (mut step, mut before): (Real, Real) = (0.0, 0.0);
    for _ in 0..20 {
        let middle = 0.5 * (a + b);
        if (x - middle).abs() + 0.5 * (b - a) <= 2.0 * NEAR {
            break;
        }
        let mut golden = true;
        if before.abs() > NEAR {
            let r = (x - w) * (fx - fv);
            let q = (x - v) * (fx - fw);
            let (p, q) = ((x - v) * q - (x - w) * r, 2.0 * (q - r));
            let p = if q > 0.0 { -p } else { p };
            let q = q.abs();
            if p.abs() < (0.5 * q * before).abs() && p > q * (a - x) && p < q * (b - x) {
                (before, step, golden) = (step, p / q, false);
            }
        }
        if golden {
            before = if x < middle { b - x } else { a - x };
            step = SECTION * before;
        }
        let probe = x + if step.abs() >= NEAR { step } else { NEAR.copysign(step) };
        let f = cost(probe);
        if f <= fx {
            if probe >= x {
                a = x
            } else {
                b = x
            }
            (v, fv, w, fw, x, fx) = (w, fw, x, fx, probe, f);
        } else {
            if probe < x {
                a = probe
            } else {
                b = probe
            }
            if f <= fw || w == x {
                (v, fv, w, fw) = (w, fw, probe, f);
            } else if f <= fv || v == x || v == w {
                (v, fv) = (probe, f);
            }
        }
    }
    x
}
