//! The least value of a function of one number.

use super::*;

/// How a golden section divides: `1 − 1/φ = (3 − √5)/2`.
const SECTION: Real = 0.381_966;
/// Each step leaves at most 0.62 of the bracket; after this many nothing is left in either precision.
const MOST_STEPS: usize = 80;

/// Bounds of a minimum, a place between them, and the value there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bracket {
    pub low: Real,
    pub high: Real,
    pub at: Real,
    pub value: Real,
}

/// How near to the best place so far another is tried, as a part of the bracket: where a parabola has its lowest
/// point there already, this closes the bracket about it.
const BESIDE: Real = 0.02;
/// Parabolas are trusted as long as two steps leave no more than this part of the bracket.
const WORTHWHILE: Real = 0.5;

/// The place and the value of a minimum of `f` in the bracket, by golden-section search, and by parabolas through
/// the last three places where these narrow it faster. It ends when
/// `enough` says so of the least value so far and of the width that is left. The result is never
/// larger than the bracket's own value; where `f` has several minima it is one of them.
#[inline]
pub(crate) fn golden_section(
    bracket: Bracket,
    enough: impl Fn(Real, Real) -> bool,
    mut f: impl FnMut(Real) -> Real,
) -> (Real, Real) {
    let Bracket { mut low, mut high, mut at, mut value } = bracket;
    // The last two places besides the best, with their values, and the last two widths.
    let mut others = [(Real::NAN, Real::NAN); 2];
    let mut widths = [Real::INFINITY; 2];
    for _ in 0..MOST_STEPS {
        let width = high - low;
        if enough(value, width) {
            break;
        }
        let to_the_right = high - at >= at - low;
        let mut probe = match to_the_right {
            true => at + SECTION * (high - at),
            false => at - SECTION * (at - low),
        };
        if width <= WORTHWHILE * widths[0] {
            let lowest = at + lowest_of_parabola(others.map(|(x, y)| (x - at, y - value)));
            // Comparisons with what is not a number are false.
            if lowest > low && lowest < high {
                let way = (BESIDE * width).copysign(if to_the_right { 1.0 } else { -1.0 });
                probe = if (lowest - at).abs() < way.abs() { at + way } else { lowest };
            }
        }
        widths = [widths[1], width];
        let found = f(probe);
        if found < value {
            others = [others[1], (at, value)];
            *(if probe > at { &mut low } else { &mut high }) = at;
            (at, value) = (probe, found);
        } else {
            others = [others[1], (probe, found)];
            *(if probe > at { &mut high } else { &mut low }) = probe;
        }
    }
    (at, value)
}

/// Where the parabola through the origin and two points is lowest; not a number if it opens downwards.
#[inline]
fn lowest_of_parabola([(a, fa), (b, fb)]: [(Real, Real); 2]) -> Real {
    let (p, q) = (fa / a, fb / b);
    let opening = (p - q) / (a - b);
    if opening > 0.0 { -0.5 * (p - a * opening) / opening } else { Real::NAN }
}

#[cfg(test)]
#[path = "../../tests/unit/math_minimise.rs"]
mod tests;
