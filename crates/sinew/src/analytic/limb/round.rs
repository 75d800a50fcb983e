//! Once round the swivel circle: the allowed angle nearest to the wanted one, where no edge beside
//! the wanted angle is the answer, and where the rule for the forearm's twist gives none, another
//! division of the twist.
//!
//! A raster of looks (`limb/raster.rs`) shows where the edges are; each that matters is then found
//! between two looks, by a closer view and a step or two of a root finder. Where the raster may hide
//! something, the arcs are computed in full.

use super::Posture;
use super::arcs::{self, Arcs};
use super::gauge::{Gauge, Margins, ON_EDGE, Twist};
use super::hand::RELUCTANCE;
use super::quick::{Division, Look, Quick, Seen, SeenEnd, angle_of, half_angle, onwards};
use super::raster::{
    CIRCLE, CLOSE, EndFamily, Families, LOOKS, Raster, Row, View, around, is_swift, may_rise, row,
};
use super::turning::{EDGE, SMOOTH_SAMPLES, Turning};
use crate::math::*;

/// From one look to the next, and the tangent of half of it.
const STEP: Real = TAU / LOOKS as Real;
const HALF_STEP: Real = 0.098_491_4;
/// How often a place is looked at more closely, each time five times as much.
const CLOSER: usize = 4;
/// How much worse a radian outside of the base's limit is than one outside of the end joint's.
const BASE_FIRST: Real = 4.0;

/// What a raster showed of a goal.
pub(super) struct Round<'a> {
    families: Families<'a>,
    raster: Raster<LOOKS>,
    /// Where twists that are too swift to be shown stand at the ends of their ranges: half angles.
    corners: [Option<Vec2>; CORNERS],
}

/// Two of the base, and two of the end joint for each end of the forearm's room.
const CORNERS: usize = 6;

impl<'a> Quick<'a, '_> {
    /// Looks at the whole circle.
    pub fn round(&self) -> Round<'_> {
        let limb = self.limb;
        let mut corners = [None; CORNERS];
        let mut corners_of = |at: usize, gauge: &Gauge, seen: Seen| {
            if let Some(twist) = gauge.twist.as_ref().filter(|_| is_swift(&seen)) {
                corners[at] = seen.where_twist_is(twist.low);
                corners[at + 1] = seen.where_twist_is(twist.high);
            }
        };
        corners_of(0, &limb.base_gauge, self.base);
        let end = self.end.map(|seen| {
            let SeenEnd { own, turned } = seen;
            if self.room.is_none() {
                corners_of(2, &limb.end_gauge, own);
            } else if !self.room.is_whole() {
                let (low, high) = self.room.ends();
                for (at, end) in [(2, low), (4, high)] {
                    let start = own.start * end.x - turned.start * end.y;
                    let half = own.half * end.x - turned.half * end.y;
                    corners_of(at, &limb.end_gauge, Seen { start, half });
                }
            }
            EndFamily { gauge: &limb.end_gauge, seen, room: &self.room }
        });
        let families = Families { base: (&limb.base_gauge, self.base), end };
        let raster = families.raster(&CIRCLE);
        Round { families, raster, corners }
    }

    /// An allowed posture at the swivel angle nearest to the wanted one.
    pub fn nearest(&self, round: &Round<'_>, wanted: Real) -> Option<Posture> {
        let margin = |half: Vec2| self.look(half).least();
        let close = |at: &View<CLOSE>| round.families.raster(at).all();
        let half = nearest_edge(&round.raster.all(), &round.corners, wanted, close, margin)?;
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
            (self.reach.hand(), self.end.map(|end| end.own), &self.limb.end_gauge.twist)
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
        let seen = self.end?;
        if self.room.is_none() {
            return None;
        }
        let twist = self.limb.end_gauge.twist.as_ref()?;
        let margin = |half: Vec2| {
            let base = self.limb.base_gauge.margins(self.base.at(half)).least();
            self.leaves(half, &seen, twist).1.min(base)
        };
        let mut half = self.least_missing(round, wanted);
        if margin(half) < 0.0 {
            let looks = most_left(&round.families, &CIRCLE, &round.raster, twist);
            let close = |at: &View<CLOSE>| most_left(&round.families, at, &round.families.raster(at), twist);
            half = nearest_edge(&looks, &round.corners, angle_of(half), close, margin)?;
        }
        let base = self.limb.base_gauge.margins(self.base.at(half));
        let (leave, most) = self.leaves(half, &seen, twist);
        if most < 0.0 || base.least() < -EDGE {
            return None;
        }
        // Back from there towards the rule, to where it just holds.
        let leave = self.towards_rule(half, &seen, leave, most, twist.least);
        let (division, hand) = self.left(half, &seen, leave);
        let look = Look { base, hand, division };
        (hand.least() >= 0.0).then(|| self.posture(angle_of(half), half, &look))
    }

    /// Between a twist of the end joint's own at which this much is left and the rule, which does
    /// not hold: where it just holds.
    fn towards_rule(&self, half: Vec2, seen: &SeenEnd, leave: Vec2, most: Real, rule: Vec2) -> Vec2 {
        if most <= EDGE {
            return leave;
        }
        let far = leave.perp_dot(rule) / leave.dot(rule);
        let left = |way: Real| self.left(half, seen, onwards(leave, way)).1.least();
        let (aim, there) = (aim(most), left(far));
        if there >= aim {
            return rule;
        }
        onwards(leave, crossing((far, there), (0.0, most), aim, left))
    }

    /// What is left of the end joint's limit when the forearm leaves it this twist, which is allowed.
    #[inline]
    fn left(&self, half: Vec2, seen: &SeenEnd, leave: Vec2) -> (Division, Margins) {
        let division = self.leaving(seen.own.at(half), seen.turned.at(half), leave);
        (division, self.hand_margins(&division, 1.0))
    }

    /// The twist of the end joint's own at which the most is left, and how much: an end of its
    /// range, or the top of the parabola through both and the rule.
    fn leaves(&self, half: Vec2, seen: &SeenEnd, twist: &Twist) -> (Vec2, Real) {
        let left = |leave: Vec2| self.left(half, seen, leave).1.least();
        let (low, rule, high) = (left(twist.low), left(twist.least), left(twist.high));
        let mut best = if low > high { (twist.low, low) } else { (twist.high, high) };
        if let Some(top) = top(low, rule, high) {
            let leave = twist.at(top);
            let there = left(leave);
            if there > best.1 {
                best = (leave, there);
            }
        }
        best
    }

    /// The angle, by its half, at which the rule misses the least; where the base allows it, if it
    /// allows any.
    fn least_missing(&self, round: &Round<'_>, wanted: Real) -> Vec2 {
        let gauge = &self.limb.end_gauge;
        let (mut least, mut angle, mut half) = (Real::INFINITY, 0.0, Vec2::X);
        for i in 0..LOOKS {
            let there = angle_at(i);
            let cost = missing(gauge, &round.raster, i) + RELUCTANCE * wrap_angle(there - wanted).abs();
            if cost < least {
                (least, angle, half) = (cost, there, CIRCLE.half(i));
            }
        }
        let mut step = HALF_STEP;
        for _ in 0..CLOSER {
            let ways = around(step);
            let at = View::from(half, &ways);
            let raster = round.families.raster(&at);
            let from = angle;
            for i in 0..CLOSE {
                let there = from + 2.0 * ways[i];
                let cost = missing(gauge, &raster, i) + RELUCTANCE * wrap_angle(there - wanted).abs();
                if cost < least {
                    (least, angle, half) = (cost, there, at.half(i));
                }
            }
            step *= 0.2;
        }
        half
    }
}

/// How far outside the rule is at a look.
#[inline(always)]
fn missing<const N: usize>(gauge: &Gauge, raster: &Raster<N>, look: usize) -> Real {
    let hand = gauge.excess(raster.hand_swing[look], raster.hand_twist[look]);
    hand + BASE_FIRST * (-raster.base[look]).max(0.0)
}

/// What is left of all limits when the end joint's own twist is the best of its range: what
/// [`Quick::leaves`] says, and the base's limit.
fn most_left<const N: usize>(
    families: &Families<'_>,
    at: &View<N>,
    raster: &Raster<N>,
    twist: &Twist,
) -> Row<N> {
    let Some(end) = &families.end else { return raster.base };
    let (low, high) = (end.left(at, |_| twist.low), end.left(at, |_| twist.high));
    let leave: [Vec2; N] = core::array::from_fn(|i| {
        let rule = raster.hand_swing[i].min(raster.hand_twist[i]);
        twist.at(top(low[i], rule, high[i]).unwrap_or(1.0))
    });
    let best = end.left(at, |i| leave[i]);
    row(|i| best[i].max(low[i]).max(high[i]).min(raster.base[i]))
}

/// Where between −1 and 1 the parabola through three values at −1, 0 and 1 has its top.
#[inline(always)]
fn top(before: Real, here: Real, after: Real) -> Option<Real> {
    let (bow, slope) = (0.5 * (before + after) - here, 0.5 * (after - before));
    (slope.abs() < -2.0 * bow).then(|| -0.5 * slope / bow)
}

/// The angle of a look at the circle, in [−π, π).
#[inline]
fn angle_at(look: usize) -> Real {
    look as Real * STEP - PI
}

/// The edge nearest to an angle outside: by looks at all of the circle, a closer view of a part, and
/// the margin at one half angle.
#[inline(always)]
fn nearest_edge(
    looks: &Row<LOOKS>,
    corners: &[Option<Vec2>; CORNERS],
    wanted: Real,
    close: impl Fn(&View<CLOSE>) -> Row<CLOSE>,
    margin: impl Fn(Vec2) -> Real,
) -> Option<Vec2> {
    let from = half_angle(wanted);
    let place = (wanted + PI) * (1.0 / STEP);
    let below = place as usize % LOOKS;
    let part = place - place.floor();
    let mut best: (Real, Option<Vec2>) = (PI, None);
    let mut found = |half: Vec2| {
        let way = angle_of(Vec2::new(from.dot(half), from.perp_dot(half))).abs();
        if way <= best.0 {
            best = (way, Some(half));
        }
        best.0
    };
    // The looks that are inside or may have a peak beside them, a bit for each: those ahead, and
    // those behind.
    let beside = |i: usize| [looks[(i + LOOKS - 1) % LOOKS], looks[(i + 1) % LOOKS]];
    let mut worth: u32 = 0;
    for i in 0..LOOKS {
        let [before, after] = beside(i);
        worth |= u32::from((looks[i] >= 0.0) | may_rise(before, looks[i], after)) << i;
    }
    let ahead = worth.rotate_right(below as u32 + 1);
    let mut sides = [ahead, ahead.reverse_bits()];
    // Outwards to both sides, as long as what is found there may be nearer.
    let mut nearest = PI;
    loop {
        let ways = [0, 1].map(|side| sides[side].trailing_zeros() as Real - [part, 1.0 - part][side]);
        let side = usize::from(ways[1] < ways[0]);
        if sides[side] == 0 || ways[side] * STEP >= nearest {
            break;
        }
        let n = sides[side].trailing_zeros() as usize;
        let at = |n: usize| [below + 1 + n, below + LOOKS - n][side] % LOOKS;
        let look = at(n);
        let mut inside = Some((CIRCLE.half(look), looks[look]));
        if looks[look] < 0.0 {
            inside = peak(CIRCLE.half(look), looks[look], beside(look), &close);
        }
        if let Some((inside, most)) = inside {
            let outside = if n == 0 { from } else { CIRCLE.half(at(n - 1)) };
            nearest = found(edge(inside, most, outside, &close, &margin));
            sides[side] = 0;
        } else {
            sides[side] &= sides[side] - 1;
        }
    }
    // What is too narrow for the looks has its ends, or its middle, at corners.
    for pair in corners.chunks_exact(2) {
        let [Some(a), Some(b)] = *pair else { continue };
        let middle = (a + if a.dot(b) < 0.0 { -b } else { b }).normalize_or(a);
        for (half, towards) in [(a, None), (b, None), (middle, Some(a)), (middle, Some(b))] {
            let most = margin(half);
            if most >= 0.0 {
                found(towards.map_or(half, |outside| edge(half, most, outside, &close, &margin)));
            }
        }
    }
    best.1
}

/// Beside a look that is outside: a half angle that is inside, and its margin. The looks before and
/// after it are outside too.
fn peak(
    look: Vec2,
    margin: Real,
    beside: [Real; 2],
    close: impl Fn(&View<CLOSE>) -> Row<CLOSE>,
) -> Option<(Vec2, Real)> {
    const MIDDLE: usize = CLOSE / 2 + 1;
    let (mut half, mut here, mut beside, mut step) = (look, margin, beside, HALF_STEP);
    for _ in 0..=CLOSER {
        if !may_rise(beside[0], here, beside[1]) {
            return None;
        }
        let view = View::from(half, &around(step));
        let closer = close(&view);
        // All of them in a row: the last three looks and the new ones between.
        let value = |i: usize| match i {
            0 => beside[0],
            i if i < MIDDLE => closer[i - 1],
            MIDDLE => here,
            i if i < CLOSE + 2 => closer[i - 2],
            _ => beside[1],
        };
        let mut top = MIDDLE;
        for i in 1..CLOSE + 2 {
            if value(i) > value(top) {
                top = i;
            }
        }
        let next = [value(top - 1), value(top + 1)];
        (here, beside) = (value(top), next);
        if top != MIDDLE {
            half = view.half(if top < MIDDLE { top - 1 } else { top - 2 });
        }
        if here >= 0.0 {
            return Some((half, here));
        }
        step *= 0.2;
    }
    None
}

/// Which margin to have on an edge, where no more than this is left inside. On the way to a region
/// that closes the edge moves on to its last point, without a jump.
#[inline]
fn aim(most: Real) -> Real {
    ON_EDGE.min(0.5 * most)
}

/// Between a half angle inside (with its margin) and one outside: where the margin is next to
/// nothing, as near to the outside as there is.
#[inline(never)]
fn edge(
    inside: Vec2,
    most: Real,
    outside: Vec2,
    close: impl Fn(&View<CLOSE>) -> Row<CLOSE>,
    margin: impl Fn(Vec2) -> Real,
) -> Vec2 {
    if most <= EDGE {
        return inside;
    }
    let aim = aim(most);
    let far = inside.perp_dot(outside) / inside.dot(outside);
    let ways: Row<CLOSE> = row(|i| far * ((i + 1) as Real / CLOSE as Real));
    let margins = close(&View::from(inside, &ways));
    let (mut a, mut b) = ((ways[0], margins[0]), (0.0, most));
    for i in 0..CLOSE {
        if margins[i] >= aim {
            if i + 1 == CLOSE {
                return onwards(inside, far);
            }
            (a, b) = ((ways[i + 1], margins[i + 1]), (ways[i], margins[i]));
        }
    }
    onwards(inside, crossing(a, b, aim, |x| margin(onwards(inside, x))))
}

/// Where between a way with less than the margin aimed at and one with more it is about that.
#[inline(always)]
fn crossing(less: (Real, Real), more: (Real, Real), aim: Real, margin: impl Fn(Real) -> Real) -> Real {
    let enough = -0.4 * aim..=aim;
    let (less, more) = ((less.0, less.1 - aim), (more.0, more.1 - aim));
    arcs::crossing(less, more, 0.01 * EDGE, enough, |x| margin(x) - aim)
}
