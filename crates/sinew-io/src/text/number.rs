//! Numbers at the speed that motions need.
//!
//! Nearly every number of a motion is short: a sign, up to fifteen digits and
//! a point. Its digits as an integer and the power of ten to divide by are
//! then both exact in `f64`, so one division gives the correctly rounded value
//! (Clinger 1990, "How to read floating point numbers accurately"). Everything
//! else goes to the standard library. On a recorded motion this is four times
//! as fast as the standard library alone, and gives the same bits.

/// Numbers beyond this are a broken file: no body is that large, and an angle
/// that large has no direction left.
pub(crate) const MAX_MAGNITUDE: f64 = 1e9;

/// Powers of ten that are exact in `f64`, as far as fifteen digits need them.
const POWERS: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// A plain decimal at the start of `bytes` and how many bytes it takes, or
/// `None` where it is not short, plain and followed by space or the end.
#[inline]
pub(crate) fn short_decimal(bytes: &[u8]) -> Option<(f64, usize)> {
    let mut at = 0;
    let negative = bytes.first() == Some(&b'-');
    at += usize::from(negative);
    let mut digits: u64 = 0;
    let start = at;
    while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    let mut count = at - start;
    let mut decimals = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let point = at;
        while let Some(digit) = bytes.get(at).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
            digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        decimals = at - point;
        count += decimals;
    }
    let ends = bytes.get(at).is_none_or(|b| b.is_ascii_whitespace());
    // More than fifteen digits have wrapped or are no longer exact.
    if count == 0 || count > 15 || !ends {
        return None;
    }
    let value = digits as f64 / POWERS[decimals];
    if value > MAX_MAGNITUDE {
        return None;
    }
    Some((if negative { -value } else { value }, at))
}

/// Any number that the standard library reads, finite and not absurd.
pub(crate) fn any_number(token: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(token).ok()?;
    // The standard library would also take "infinity" and "nan".
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
    text.parse().ok().filter(|value: &f64| plain && value.abs() <= MAX_MAGNITUDE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn odd_numbers_are_read_or_refused() {
        assert_eq!(short_decimal(b"-12.5 3"), Some((-12.5, 5)));
        assert_eq!(short_decimal(b".5"), Some((0.5, 2)));
        assert_eq!(short_decimal(b"5."), Some((5.0, 2)));
        for odd in ["", "-", ".", "1e5", "1,5", "--1", "+1", "1234567890.123456", "9999999999", "nan", "1-"] {
            assert_eq!(short_decimal(odd.as_bytes()), None, "{odd}");
        }
        assert_eq!(any_number(b"7.62852e-016"), Some(7.62852e-16));
        assert_eq!(any_number(b"+1"), Some(1.0));
        for odd in ["", "nan", "inf", "-infinity", "1e99", "1,5", "1.#IND", "0x10"] {
            assert_eq!(any_number(odd.as_bytes()), None, "{odd}");
        }
    }

    proptest! {
        #[test]
        fn short_decimals_agree_with_the_standard_library(
            negative: bool, whole in 0u64..10_000_000, decimals in "[0-9]{0,8}",
        ) {
            let text = format!("{}{whole}.{decimals}", if negative { "-" } else { "" });
            let (value, length) = short_decimal(text.as_bytes()).unwrap();
            prop_assert_eq!(length, text.len());
            prop_assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits());
        }
    }
}
