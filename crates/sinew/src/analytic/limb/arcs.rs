//! Sets of swivel angles: arcs of a circle.
//!
//! Every limit of a limb allows some arcs of the swivel circle. They are few
//! (a twist allows one, a swing region one or two, rarely more), so a set is a
//! small array and nothing allocates.

use crate::math::*;

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
    pub(super) fn ahead(self, angle: Real) -> Real {
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

    pub(super) fn push(&mut self, start: Real, length: Real) {
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
    pub(super) fn between(boundaries: &mut [Real], mut valid: impl FnMut(Real) -> bool) -> Self {
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

    /// The angles of `window` where `margin` is not negative. `margin` is looked
    /// at `samples` times a turn; between two looks of opposite sign the crossing
    /// is found to rounding, and peaks (and dips) that nearly touch zero between
    /// looks are climbed, so that what is narrower than a step is found as well.
    pub(super) fn scan(window: &Self, samples: usize, mut margin: impl FnMut(Real) -> Real) -> Self {
        let mut found = Self::NONE;
        for arc in window.as_slice() {
            let pieces = ((arc.length / TAU * samples as Real).ceil() as usize).clamp(4, MOST_SAMPLES);
            scan_arc(*arc, pieces, &mut margin, &mut found);
        }
        found.joined()
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

/// The finest scan.
const MOST_SAMPLES: usize = 180;

fn scan_arc(arc: Arc, pieces: usize, margin: &mut impl FnMut(Real) -> Real, found: &mut Arcs) {
    let step = arc.length / pieces as Real;
    let at = |i: usize| arc.start + step * i as Real;
    // Three looks in a row: the one before, the one at hand, the one after.
    let (mut before, mut here) = (Real::NAN, margin(at(0)));
    let first = here;
    let mut open = (here >= 0.0).then_some(at(0));
    let whole = arc.length >= TAU;
    for i in 0..=pieces {
        // A whole circle goes on past its cut.
        let after = match i < pieces {
            true => margin(at(i + 1)),
            false if whole => margin(at(1)),
            false => Real::NAN,
        };
        let x = at(i);
        // The ends of a window have no look on their far side.
        let low = if i > 0 || whole { x - step } else { x };
        let high = if i < pieces || whole { x + step } else { x };
        // A peak between looks is higher by at most half of the larger drop, be
        // it round or pointed; a dip is as deep.
        let looked = i > 0 || !whole;
        if looked && here < 0.0 {
            let drop = (here - before).max(here - after);
            if !(before > here || after > here)
                && here + 0.5 * drop >= 0.0
                && let Some(top) = climb(low, high, x, here, margin, 1.0)
            {
                let a = root(low, top, margin);
                let b = root(high, top, margin);
                found.push(a, (b - a).max(0.0));
            }
        } else if looked {
            let rise = (before - here).max(after - here);
            if !(before < here || after < here)
                && here < 0.5 * rise
                && let Some(bottom) = climb(low, high, x, -here, margin, -1.0)
                && let Some(start) = open
            {
                let end = if low < x { root(bottom, low, margin) } else { root(bottom, x, margin) };
                found.push(start, (end - start).max(0.0));
                open = Some(if high > x { root(bottom, high, margin) } else { root(bottom, x, margin) });
            }
        }
        if i == pieces {
            break;
        }
        match (here >= 0.0, after >= 0.0) {
            (false, true) => open = Some(root(x, at(i + 1), margin)),
            (true, false) => {
                let end = root(at(i + 1), x, margin);
                if let Some(start) = open.take() {
                    found.push(start, (end - start).max(0.0));
                }
            }
            _ => {}
        }
        before = here;
        here = after;
    }
    if let Some(start) = open {
        let end = arc.start + arc.length;
        if whole && first >= 0.0 && start == arc.start {
            *found = Arcs::ALL;
        } else {
            found.push(start, end - start);
        }
    }
}

/// The highest place of `sign · margin` between `low` and `high`, if it rises
/// above zero there. Golden sections about the best look so far.
fn climb(
    mut low: Real,
    mut high: Real,
    x: Real,
    value: Real,
    margin: &mut impl FnMut(Real) -> Real,
    sign: Real,
) -> Option<Real> {
    const SECTION: Real = 0.381_966;
    let (mut best, mut top) = (x, value);
    for _ in 0..40 {
        let right = high - best >= best - low;
        let probe = if right { best + SECTION * (high - best) } else { best - SECTION * (best - low) };
        let v = sign * margin(probe);
        if v > 0.0 || (v >= 0.0 && sign > 0.0) {
            return Some(probe);
        }
        if v > top {
            if right {
                low = best
            } else {
                high = best
            }
            (best, top) = (probe, v);
        } else if right {
            high = probe;
        } else {
            low = probe;
        }
        if high - low <= ROUNDING * 4.0 {
            break;
        }
    }
    None
}

/// The crossing between `outside` (negative) and `inside` (not negative), from
/// the inside.
fn root(outside: Real, inside: Real, margin: &mut impl FnMut(Real) -> Real) -> Real {
    let (at_outside, at_inside) = (margin(outside), margin(inside));
    if at_outside >= 0.0 {
        return outside;
    }
    if at_inside <= 0.0 {
        return inside;
    }
    crossing((outside, at_outside), (inside, at_inside), ROUNDING, 0.0..=0.0, margin)
}

/// Between a place with a negative value and one with a positive: a place whose value is within
/// `enough`, or the positive end of what is left when that is no wider than `width`. Regula falsi
/// that halves when it stalls (Illinois).
#[inline(always)]
pub(super) fn crossing(
    (mut a, mut fa): (Real, Real),
    (mut b, mut fb): (Real, Real),
    width: Real,
    enough: core::ops::RangeInclusive<Real>,
    mut value: impl FnMut(Real) -> Real,
) -> Real {
    for _ in 0..60 {
        if (b - a).abs() <= width {
            break;
        }
        let mut x = a + (b - a) * (fa / (fa - fb)).clamp(0.02, 0.98);
        if !x.is_finite() {
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
mod tests {
    use super::*;

    fn agree(arcs: &Arcs, inside: impl Fn(Real) -> bool, margin: impl Fn(Real) -> Real) {
        for i in 0..7200 {
            let a = wrap_angle(i as Real * TAU / 7200.0);
            if margin(a).abs() > 1e-4 {
                assert_eq!(arcs.contains(a), inside(a), "{a} {arcs:?}");
            }
        }
    }

    #[test]
    fn a_scan_finds_what_is_wider_and_what_is_narrower_than_its_step() {
        for (offset, frequency) in [(0.3, 1.0), (-0.9, 1.0), (-0.999, 2.0), (0.9995, 3.0), (-0.99999, 1.0)] {
            for shift in [0.0, 0.4, 1.7, 3.1] {
                let margin = |a: Real| ((a - shift) * frequency).cos() + offset;
                let arcs = Arcs::scan(&Arcs::ALL, 24, margin);
                agree(&arcs, |a| margin(a) >= 0.0, margin);
            }
        }
    }

    #[test]
    fn intersections_hold_what_both_hold() {
        let sets = [
            Arcs::one(0.5, 2.0),
            Arcs::one(3.0, 1.5),
            Arcs::one(-3.0, 6.0),
            Arcs::scan(&Arcs::ALL, 24, |a| (2.0 * a).cos() - 0.2),
            Arcs::ALL,
            Arcs::NONE,
        ];
        for a in &sets {
            for b in &sets {
                let both = a.intersection(b);
                for i in 0..3600 {
                    let x = wrap_angle(i as Real * TAU / 3600.0 + 1e-4);
                    assert_eq!(both.contains(x), a.contains(x) && b.contains(x), "{x} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn the_nearest_angle_goes_the_short_way() {
        let arcs = Arcs::one(3.0, 0.5);
        assert!((arcs.nearest(2.0).unwrap() - 3.0).abs() < 1e-6);
        assert!((arcs.nearest(-2.5).unwrap() - wrap_angle(3.5)).abs() < 1e-6);
        assert_eq!(arcs.nearest(3.1), Some(3.1));
        assert_eq!(Arcs::NONE.nearest(0.0), None);
    }
}
