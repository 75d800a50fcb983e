//! Axes: what they measure, where they begin and end, how numbers are written.

/// An axis of a plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it measures, with its unit: `time, s`.
    pub label: String,
    /// Whether equal steps are equal factors.
    pub logarithmic: bool,
    /// Where it begins and ends; the numbers decide otherwise.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// An axis with equal steps.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), logarithmic: false, range: None }
    }

    /// An axis with equal factors.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), logarithmic: true, range: None }
    }

    /// From here to there.
    pub fn range(mut self, from: f64, to: f64) -> Self {
        self.range = Some((from, to));
        self
    }

    /// Whether a number has a place on the axis.
    pub(super) fn shows(&self, value: f64) -> bool {
        value.is_finite() && value.abs() < 1.0e300 && (!self.logarithmic || value > 1.0e-300)
    }

    /// The range that shows all numbers with a little room, or `None` if none
    /// can be shown.
    pub(super) fn fitted(&self, values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
        if let Some((from, to)) = self.range.filter(|(a, b)| self.shows(*a) && self.shows(*b) && a < b) {
            return Some((from, to));
        }
        let (low, high) = values
            .filter(|v| self.shows(*v))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return None;
        }
        if self.logarithmic {
            let room = (high / low).powf(0.04).max(1.15);
            let (low, high) = (low / room, high * room);
            // The marks stand at powers of ten; with fewer than two of them nothing can be read off.
            let (from, to) = (low.log10(), high.log10());
            if to.floor() - from.ceil() >= 1.0 {
                return Some((low, high));
            }
            return Some((0.999 * 10.0_f64.powf(from.floor()), 1.001 * 10.0_f64.powf(to.ceil())));
        }
        let width = high - low;
        if width <= 1.0e-12 * low.abs().max(high.abs()) {
            let room = if low == 0.0 { 1.0 } else { 0.5 * low.abs() };
            return Some((low - room, high + room));
        }
        // Measures that begin at zero keep it as their edge.
        let below = if low >= 0.0 && low < 0.25 * high { low.max(0.0) } else { 0.04 * width };
        Some((low - below, high + 0.04 * width))
    }
}

/// A number on an axis that is `span` long, as short as it stays exact enough.
/// What is nothing but a rounding of zero is zero.
pub(super) fn written(value: f64, span: f64) -> String {
    let size = value.abs();
    if size <= 1.0e-9 * span {
        return "0".into();
    }
    let text = if !(1.0e-3..1.0e5).contains(&size) {
        let exponent = size.log10().floor();
        let digits = value / 10.0_f64.powf(exponent);
        let digits = trimmed(format!("{digits:.2}"));
        format!("{digits}e{exponent}").replace("e-", "e−")
    } else {
        let places = (3.0 - size.log10().floor()).clamp(0.0, 6.0) as usize;
        trimmed(format!("{value:.places$}"))
    };
    text.replace('-', "−")
}

fn trimmed(text: String) -> String {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        for (value, text) in [
            (0.0, "0"),
            (0.1, "0.1"),
            (0.30000000000000004, "0.3"),
            (1500.0, "1500"),
            (-2.5, "−2.5"),
            (1e-5, "1e−5"),
            (2.5e7, "2.5e7"),
        ] {
            assert_eq!(written(value, 0.0), text);
        }
        assert_eq!(written(-1.1e-16, 2.0), "0");
    }

    #[test]
    fn ranges_hold_all_numbers_and_keep_zero() {
        let axis = Axis::linear("");
        let (low, high) = axis.fitted([0.0, 3.0, 10.0].into_iter()).unwrap();
        assert!(low == 0.0 && high > 10.0);
        let (low, high) = Axis::log("").fitted([1e-5, -1.0, 1e2].into_iter()).unwrap();
        assert!(low > 0.0 && low < 1e-5 && high > 1e2);
        assert_eq!(axis.fitted(std::iter::empty()), None);
        // Between two powers of ten there would be no mark.
        for (least, most) in [(0.12, 0.19), (0.3, 2.0), (7.0, 7.0)] {
            let (low, high) = Axis::log("").fitted([least, most].into_iter()).unwrap();
            assert!(low < least && high > most && high.log10().floor() - low.log10().ceil() >= 1.0);
        }
    }
}
