//! TOML, written.

use std::fmt::Write as _;

use sinew_f64::{Quat, Vec3};

/// A number with a point or an exponent, which reads back to the same bits.
pub fn number(n: f64) -> String {
    format!("{n:?}")
}

/// Numbers in brackets.
pub fn numbers(all: &[f64]) -> String {
    let words: Vec<String> = all.iter().map(|n| number(*n)).collect();
    format!("[{}]", words.join(", "))
}

/// Three numbers in brackets.
pub fn vector(v: Vec3) -> String {
    numbers(&v.to_array())
}

/// A quaternion, x y z w, in brackets.
pub fn quaternion(q: Quat) -> String {
    numbers(&q.to_array())
}

/// A text in quotes.
pub fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                // Writing to a String does not fail.
                let _ = write!(quoted, "\\u{:04X}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A key, in quotes where it has to be.
pub fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(plain) { name.to_owned() } else { string(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use toml::de::DeTable;

    proptest! {
        #[test]
        fn any_text_is_read_back(text in any::<String>(), name in any::<String>()) {
            let file = format!("{} = {}", key(&name), string(&text));
            let table = DeTable::parse(&file).unwrap();
            let (read_name, read_text) = table.get_ref().iter().next().unwrap();
            prop_assert_eq!(read_name.get_ref().as_ref(), name.as_str());
            prop_assert_eq!(read_text.get_ref().as_str(), Some(text.as_str()));
        }

        #[test]
        fn any_number_is_read_back(n in any::<f64>()) {
            prop_assume!(n.is_finite());
            let file = format!("n = {}", number(n));
            let table = DeTable::parse(&file).unwrap();
            let (_, value) = table.get_ref().iter().next().unwrap();
            let read: f64 = value.get_ref().as_float().unwrap().as_str().parse().unwrap();
            prop_assert_eq!(read.to_bits(), n.to_bits());
        }
    }
}
