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

/// The place and the value of a minimum of `f` in the bracket, by golden-section search. It ends when
/// `enough` says so of the least value so far and of the width that is left. The result is never
/// larger than the bracket's own value; where `f` has several minima it is one of them.
#[inline]
pub(crate) fn golden_section(
    bracket: Bracket,
    enough: impl Fn(Real, Real) -> bool,
    mut f: impl FnMut(Real) -> Real,
) -> (Real, Real) {
    let Bracket { mut low, mut high, mut at, mut value } = bracket;
    for _ in 0..MOST_STEPS {
        if enough(value, high - low) {
            break;
        }
        let to_the_right = high - at >= at - low;
        let probe = match to_the_right {
            true => at + SECTION * (high - at),
            false => at - SECTION * (at - low),
        };
        let found = f(probe);
        match (found < value, to_the_right) {
            (true, true) => (low, at, value) = (at, probe, found),
            (true, false) => (high, at, value) = (at, probe, found),
            (false, true) => high = probe,
            (false, false) => low = probe,
        }
    }
    (at, value)
}

#[cfg(test)]
#[path = "../../tests/unit/math_minimise.rs"]
mod tests;
