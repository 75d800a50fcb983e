//! Sets of angles: arcs of a circle.
//!
//! A limit allows some arcs of the angles by which a joint turns about a fixed axis
//! (`limit/turning.rs`). They are few (a twist allows one, a swing region one or two, rarely
//! more), so a set is a small array and nothing allocates.

use super::minimise::{Bracket, golden_section};
use super::*;

/// From `start`, counter-clockwise over `length` radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// Where it begins, in (−π, π].
    pub start: Real,
    /// How far it goes, in [0, 2π].
    pub length: Real,
}

impl Arc {
    /// How far `angle` lies behind the start, counter-clockwise, in [0, 2π).
    #[inline]
    fn ahead(self, angle: Real) -> Real {
        let way = wrap_angle(angle - self.start);
        if way < 0.0 { way + TAU } else { way }
    }

    /// Whether the angle lies in it.
    #[inline]
    pub fn contains(self, angle: Real) -> bool {
        self.length >= TAU || self.ahead(angle) <= self.length
    }

    /// The angle of the arc that is nearest to `angle`, and the signed way there.
    #[inline]
    fn nearest(self, angle: Real) -> (Real, Real) {
        if self.contains(angle) {
            return (angle, 0.0);
        }
        let end = self.start + self.length;
        let (to_start, to_end) = (wrap_angle(self.start - angle), wrap_angle(end - angle));
        if to_start.abs() <= to_end.abs() { (self.start, to_start) } else { (wrap_angle(end), to_end) }
    }
}

/// More arcs than this are dropped, the shortest first; no limit makes so many.
const MOST: usize = 8;

/// A set of angles of a circle, as disjoint arcs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arcs {
    arcs: [Arc; MOST],
    count: usize,
}

impl Arcs {
    /// No angle.
    pub const NONE: Self = Self { arcs: [Arc { start: 0.0, length: 0.0 }; MOST], count: 0 };
    /// Every angle.
    pub const ALL: Self = {
        let mut all = Self::NONE;
        all.arcs[0] = Arc { start: -PI, length: TAU };
        all.count = 1;
        all
    };

    /// The angles from `start` counter-clockwise over `length`.
    pub fn one(start: Real, length: Real) -> Self {
        let mut arcs = Self::NONE;
        arcs.push(start, length);
        arcs
    }

    /// The arcs as start and length, in no particular order.
    pub fn into_pairs(self) -> impl Iterator<Item = (Real, Real)> {
        self.arcs.into_iter().take(self.count).map(|arc| (arc.start, arc.length))
    }

    /// The arcs, in no particular order.
    pub fn as_slice(&self) -> &[Arc] {
        &self.arcs[..self.count]
    }

    /// Whether no angle is left.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether every angle is in.
    pub fn is_all(&self) -> bool {
        self.as_slice().iter().any(|a| a.length >= TAU)
    }

    /// Whether the angle is in.
    pub fn contains(&self, angle: Real) -> bool {
        self.as_slice().iter().any(|a| a.contains(angle))
    }

    /// The angle of the set that is nearest to `angle`.
    pub fn nearest(&self, angle: Real) -> Option<Real> {
        let mut best: Option<(Real, Real)> = None;
        for arc in self.as_slice() {
            let (at, way) = arc.nearest(angle);
            if best.is_none_or(|(_, b)| way.abs() < b.abs()) {
                best = Some((at, way));
            }
        }
        best.map(|(at, _)| at)
    }

    /// The radians of all arcs together.
    pub fn length(&self) -> Real {
        self.as_slice().iter().map(|a| a.length).sum()
    }

    fn push(&mut self, start: Real, length: Real) {
        let arc = Arc { start: wrap_angle(start), length: length.clamp(0.0, TAU) };
        if self.count < MOST {
            self.arcs[self.count] = arc;
            self.count += 1;
        } else {
            let mut shortest = 0;
            for i in 1..MOST {
                if self.arcs[i].length < self.arcs[shortest].length {
                    shortest = i;
                }
            }
            if self.arcs[shortest].length < arc.length {
                self.arcs[shortest] = arc;
            }
        }
    }

    /// The angles that are in both.
    pub fn intersection(&self, other: &Self) -> Self {
        if self.is_all() {
            return *other;
        }
        if other.is_all() {
            return *self;
        }
        let mut both = Self::NONE;
        for a in self.as_slice() {
            for b in other.as_slice() {
                // Where b's start lies in a, and where a's start lies in b: each
                // begins one common piece.
                let from = a.ahead(b.start);
                if from <= a.length {
                    both.push(b.start, b.length.min(a.length - from));
                }
                let from = b.ahead(a.start);
                if from <= b.length && from > 0.0 {
                    both.push(a.start, a.length.min(b.length - from));
                }
            }
        }
        both
    }

    /// The pieces between `boundaries` (sorted here) whose middle is `valid`.
    pub(crate) fn between(boundaries: &mut [Real], mut valid: impl FnMut(Real) -> bool) -> Self {
        let n = boundaries.len();
        if n == 0 {
            return if valid(0.0) { Self::ALL } else { Self::NONE };
        }
        for b in boundaries.iter_mut() {
            *b = wrap_angle(*b);
        }
        boundaries.sort_unstable_by(Real::total_cmp);
        let mut arcs = Self::NONE;
        let mut open: Option<(Real, Real)> = None;
        let mut whole = true;
        for i in 0..n {
            let from = boundaries[i];
            let to = if i + 1 < n { boundaries[i + 1] } else { boundaries[0] + TAU };
            let length = to - from;
            if valid(wrap_angle(from + 0.5 * length)) {
                open = Some(open.map_or((from, length), |(s, l)| (s, l + length)));
            } else {
                whole = false;
                if let Some((s, l)) = open.take() {
                    arcs.push(s, l);
                }
            }
        }
        if whole {
            return Self::ALL;
        }
        if let Some((s, l)) = open {
            // Joins the first one across the cut.
            if let Some(first) = arcs.arcs[..arcs.count].iter_mut().find(|a| a.start == boundaries[0]) {
                *first = Arc { start: s, length: l + first.length };
            } else {
                arcs.push(s, l);
            }
        }
        arcs
    }

    /// The angles of `window` where `margin` is not negative. `margin` is sampled `samples` times a
    /// turn; between two samples of opposite sign the crossing is found to rounding, and peaks (and
    /// dips) that nearly touch zero between samples are climbed, so that what is narrower than a
    /// step is found as well.
    pub(crate) fn scan(window: &Self, samples: usize, margin: impl FnMut(Real) -> Real) -> Self {
        Self::scan_by(window, samples, 0.0, margin)
    }

    /// The angle of the set nearest to `from` where `margin` is not negative, found by scans further and
    /// further out. The margin must change no faster than the angle: where it is far below zero, samples
    /// are skipped.
    pub(crate) fn nearest_by_scan(
        &self,
        from: Real,
        samples: usize,
        mut margin: impl FnMut(Real) -> Real,
    ) -> Option<Real> {
        const RINGS: [Real; 4] = [0.2, 0.6, 1.5, PI];
        let mut inner = 0.0;
        RINGS.into_iter().find_map(|outer| {
            let mut ring = Self::one(from + inner, outer - inner);
            ring.push(from - outer, outer - inner);
            inner = outer;
            Self::scan_by(&self.intersection(&ring), samples, SKIP, &mut margin).nearest(from)
        })
    }

    fn scan_by(window: &Self, samples: usize, skip: Real, mut margin: impl FnMut(Real) -> Real) -> Self {
        let mut found = Self::NONE;
        for arc in window.as_slice() {
            let pieces = (arc.length / TAU * samples as Real).ceil().clamp(4.0, MOST_SAMPLES);
            scan_arc(*arc, arc.length / pieces, skip, &mut margin, &mut found);
        }
        found.joined()
    }

    /// The angle of the set at which `f` is least, and the value there. `f` is sampled every `step`
    /// radians, or further apart where it is so far above the least value so far that it cannot fall
    /// below it, changing by at most `slope` per radian. About the best sample the minimum is
    /// narrowed down until `enough` says so, see [`golden_section`]; a sample that is enough by its value
    /// alone ends it.
    pub(crate) fn lowest(
        &self,
        step: Real,
        slope: Real,
        enough: impl Fn(Real, Real) -> bool,
        mut f: impl FnMut(Real) -> Real,
    ) -> Option<(Real, Real)> {
        let mut best: Option<(Arc, Bracket)> = None;
        for arc in self.as_slice() {
            let whole = arc.length >= TAU;
            let mut way = 0.0;
            loop {
                let value = f(wrap_angle(arc.start + way));
                let least = best.map_or(value, |(_, b)| b.value);
                if best.is_none() || value < least {
                    let low = if whole { way - step } else { (way - step).max(0.0) };
                    let high = if whole { way + step } else { (way + step).min(arc.length) };
                    best = Some((*arc, Bracket { low, high, at: way, value }));
                }
                if enough(value, Real::INFINITY) {
                    return Some((wrap_angle(arc.start + way), value));
                }
                // Not a number is no reason to stop.
                if way.is_nan() || way >= arc.length {
                    break;
                }
                way = (way + step.max(SKIP * (value - least) / slope)).min(arc.length);
            }
        }
        let (arc, bracket) = best?;
        let at = |way: Real| wrap_angle(arc.start + way);
        let (way, value) = golden_section(bracket, enough, |way| f(at(way)));
        Some((at(way), value))
    }

    /// Joins arcs that touch.
    fn joined(mut self) -> Self {
        let touch = ROUNDING * 8.0;
        let mut i = 0;
        while i < self.count {
            let mut merged = false;
            for j in 0..self.count {
                if i == j {
                    continue;
                }
                let (a, b) = (self.arcs[i], self.arcs[j]);
                // b begins where a ends.
                if wrap_angle(b.start - (a.start + a.length)).abs() <= touch {
                    self.arcs[i].length = (a.length + b.length).min(TAU);
                    self.count -= 1;
                    self.arcs[j] = self.arcs[self.count];
                    merged = true;
                    break;
                }
            }
            if merged { i = 0 } else { i += 1 }
        }
        self
    }
}

/// The finest scan has this many samples a turn.
const MOST_SAMPLES: Real = 180.0;
/// How much of a skip that is safe by the bound of the slope is taken.
const SKIP: Real = 0.8;

/// A sample: an angle and the margin there.
type Sample = (Real, Real);

/// Adds the parts of `arc` where `margin` is not negative, from samples a `step` apart.
fn scan_arc(arc: Arc, step: Real, skip: Real, margin: &mut impl FnMut(Real) -> Real, found: &mut Arcs) {
    let (start, end) = (arc.start, arc.start + arc.length);
    let whole = arc.length >= TAU;
    let next = |(x, value): Sample| {
        let next = x + step.max(-skip * value);
        // An arc may be so short that a step is lost to rounding.
        if next > x && next < end - 0.01 * step { next } else { end }
    };
    let mut here = (start, margin(start));
    let first = here.1;
    // A whole circle is closed: its cut is looked at last, from both sides. A part of one has no
    // sample beyond its ends.
    let beyond = (Real::NAN, Real::NAN);
    let mut before = beyond;
    let mut open = (here.1 >= 0.0).then_some(start);
    loop {
        let last = here.0 >= end;
        let after = match (last, whole) {
            (false, _) => {
                let x = next(here);
                (x, margin(x))
            }
            (true, true) => (end + step, margin(start + step)),
            (true, false) => beyond,
        };
        if !(before.0.is_nan() && whole) {
            extremum(before, here, after, margin, found, &mut open);
        }
        if last {
            break;
        }
        match (here.1 >= 0.0, after.1 >= 0.0) {
            (false, true) => open = Some(root(here, after, margin)),
            (true, false) => {
                let edge = root(after, here, margin);
                if let Some(start) = open.take() {
                    found.push(start, (edge - start).max(0.0));
                }
            }
            _ => {}
        }
        (before, here) = (here, after);
    }
    if let Some(open) = open {
        if whole && first >= 0.0 && open == start {
            *found = Arcs::ALL;
        } else {
            found.push(open, end - open);
        }
    }
}

/// Finds what three samples in a row may hide beside the middle one: a peak above zero between
/// negative samples, which is added to `found`, or a dip below zero between positive ones, which
/// closes the arc that is `open` and opens another.
fn extremum(
    before: Sample,
    here: Sample,
    after: Sample,
    margin: &mut impl FnMut(Real) -> Real,
    found: &mut Arcs,
    open: &mut Option<Real>,
) {
    let sign = if here.1 < 0.0 { 1.0 } else { -1.0 };
    let (x, value) = (here.0, sign * here.1);
    // Comparisons with a sample that does not exist (NaN) are false.
    let higher = |s: Sample| sign * s.1 > value;
    // A pointed peak with a gentle and a steep side is higher than the sample by up to the larger drop.
    let mut drop = (value - sign * before.1).max(value - sign * after.1);
    let bracket = Bracket { low: before.0.min(x), high: after.0.max(x), at: x, value: -value };
    // At the end of a window only one drop is known; a margin in radians changes no faster than the angle.
    if before.0.is_nan() || after.0.is_nan() {
        drop = drop.max(bracket.high - bracket.low);
    }
    if higher(before) || higher(after) || value + drop < 0.0 || drop.is_nan() {
        return;
    }
    // A margin of zero is inside.
    let crossed = |least: Real| if sign > 0.0 { least <= 0.0 } else { least < 0.0 };
    // By the slopes that the samples show, this is the most that can still be gained.
    let slope = 2.0 * drop / (bracket.high - bracket.low);
    let enough =
        |least: Real, width: Real| crossed(least) || least > slope * width || width <= ROUNDING * 4.0;
    let (top, least) = golden_section(bracket, enough, |x| -sign * margin(x));
    if !crossed(least) {
        return;
    }
    let top = (top, -sign * least);
    let [low, high] = [before, after].map(|s| if s.0.is_nan() { here } else { s });
    if sign > 0.0 {
        let (a, b) = (root(low, top, margin), root(high, top, margin));
        found.push(a, (b - a).max(0.0));
    } else if let Some(start) = *open {
        let end = root(top, low, margin);
        found.push(start, (end - start).max(0.0));
        *open = Some(root(top, high, margin));
    }
}

/// The crossing between a sample outside (negative) and one inside, from the inside: to rounding, or to
/// where the margin is next to nothing.
fn root(outside: Sample, inside: Sample, margin: &mut impl FnMut(Real) -> Real) -> Real {
    if outside.1 >= 0.0 {
        return outside.0;
    }
    if inside.1 <= 0.0 {
        return inside.0;
    }
    crossing(outside, inside, ROUNDING, 0.0..=0.1 * HAIR, margin)
}

/// Between a place with a negative value and one with a positive: a place whose value is within
/// `enough`, or the positive end of what is left when that is no wider than `width`. Regula falsi
/// that halves when it stalls (Illinois).
#[inline(always)]
pub(crate) fn crossing(
    (mut a, mut fa): (Real, Real),
    (mut b, mut fb): (Real, Real),
    width: Real,
    enough: core::ops::RangeInclusive<Real>,
    mut value: impl FnMut(Real) -> Real,
) -> Real {
    // Where the value is of very different size at both ends, regula falsi creeps from one of them.
    let (mut halved, mut last) = (0, (b - a).abs());
    for i in 0..90 {
        let left = (b - a).abs();
        if left <= width {
            break;
        }
        if left <= 0.5 * last {
            (halved, last) = (i, left);
        }
        let mut x = a + (b - a) * (fa / (fa - fb)).clamp(0.02, 0.98);
        if !x.is_finite() || i > halved + 3 {
            x = 0.5 * (a + b);
        }
        let f = value(x);
        if enough.contains(&f) {
            return x;
        }
        if f >= 0.0 {
            (b, fb) = (x, f);
            fa *= 0.5;
        } else {
            (a, fa) = (x, f);
            fb *= 0.5;
        }
    }
    b
}

#[cfg(test)]
#[path = "../../tests/unit/math_arcs.rs"]
mod tests;
