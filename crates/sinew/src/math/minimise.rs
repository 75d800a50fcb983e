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
mod tests {
    use super::*;

    #[test]
    fn smooth_pointed_and_one_sided_minima_are_found() {
        type Case = (fn(Real) -> Real, Real);
        let functions: [Case; 4] =
            [(|x| (x - 0.3) * (x - 0.3), 0.3), (|x| (x + 0.71).abs(), -0.71), (|x| x, -1.0), (|x| -x, 1.0)];
        for (f, least) in functions {
            let bracket = Bracket { low: -1.0, high: 1.0, at: 0.1, value: f(0.1) };
            let (at, value) = golden_section(bracket, |_, width| width < 1e-3, f);
            assert!((at - least).abs() < 2e-3, "{at} for {least}");
            assert_eq!(value, f(at));
        }
    }

    #[test]
    fn it_ends_when_told_and_never_gets_worse() {
        let mut count = 0;
        let bracket = Bracket { low: 0.0, high: 4.0, at: 1.0, value: 1.0 };
        let (_, value) = golden_section(
            bracket,
            |value, _| value < 0.5,
            |x| {
                count += 1;
                (x - 2.0).abs()
            },
        );
        assert!(value < 0.5 && count < 5, "{value} after {count}");
        let nan = golden_section(bracket, |_, width| width < 1e-6, |_| Real::NAN);
        assert_eq!(nan, (1.0, 1.0));
    }
}
