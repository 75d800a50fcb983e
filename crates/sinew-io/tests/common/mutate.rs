//! Valid documents, spoiled. Random bytes hardly get past a reader's first
//! line; documents that were right a moment ago get everywhere.

use proptest::prelude::*;

/// Words that have broken parsers before.
const NASTY: &[&[u8]] = &[
    b"nan",
    b"-inf",
    b"Infinity",
    b"1e999",
    b"-1e308",
    b"1e-320",
    b"1e39",
    b"0",
    b"-0",
    b"-1",
    b"4294967296",
    b"18446744073709551616",
    b"99999999999999999999999999",
    b"0x10",
    b"1,5",
    b"",
    b"{",
    b"}",
    b"[",
    b"]",
    b"<",
    b"/>",
    b"\"",
    b"&amp;",
    b"null",
    b"true",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xc3\x28",
    b"\r",
    b"End Site",
    b"root",
    b"begin",
    b"..",
    b"#",
    b":",
];

/// Numbers that a document may well hold, if not these.
const NUMBERS: &[&str] = &[
    "0", "-0", "1", "-1", "3", "7", "0.5", "-2.75", "90", "180", "-359.9", "1000", "65535", "1e6", "-1e9",
    "1e15", "1e38", "-1e100", "1e300", "1e-9", "1e-38", "-1e-300",
];

/// One way to spoil a document. Places are fractions of the length, so that
/// one that shrank still gets hit.
#[derive(Debug, Clone)]
pub enum Spoil {
    /// The next number becomes another one.
    Number { at: f64, with: usize },
    /// A word (letters, digits, sign and point) becomes a nasty one.
    Word { at: f64, with: usize },
    /// A word becomes another word of the document.
    Swap { at: f64, from: f64 },
    /// Some bytes go.
    Cut { at: f64, length: usize },
    /// Everything after goes.
    Truncate { at: f64 },
    /// One byte changes.
    Flip { at: f64, bit: u8 },
    /// A line is written again, many times.
    RepeatLine { at: f64, times: usize },
    /// Some lines are written again elsewhere.
    MoveLines { from: f64, lines: usize, to: f64 },
    /// A line goes.
    CutLine { at: f64 },
}

/// One to four of them.
pub fn spoils() -> impl Strategy<Value = Vec<Spoil>> {
    let place = || 0.0..1.0_f64;
    let one = prop_oneof![
        8 => (place(), 0..NUMBERS.len()).prop_map(|(at, with)| Spoil::Number { at, with }),
        4 => (place(), 0..NASTY.len()).prop_map(|(at, with)| Spoil::Word { at, with }),
        3 => (place(), place()).prop_map(|(at, from)| Spoil::Swap { at, from }),
        1 => (place(), 1..40_usize).prop_map(|(at, length)| Spoil::Cut { at, length }),
        1 => place().prop_map(|at| Spoil::Truncate { at }),
        1 => (place(), 0..8_u8).prop_map(|(at, bit)| Spoil::Flip { at, bit }),
        1 => (place(), 1..300_usize).prop_map(|(at, times)| Spoil::RepeatLine { at, times }),
        2 => (place(), 1..12_usize, place()).prop_map(|(from, lines, to)| Spoil::MoveLines { from, lines, to }),
        1 => place().prop_map(|at| Spoil::CutLine { at }),
    ];
    prop::collection::vec(one, 1..5)
}

/// The document after all of them.
pub fn spoiled(document: &[u8], spoils: &[Spoil]) -> Vec<u8> {
    spoils.iter().fold(document.to_vec(), |bytes, spoil| spoil.apply(bytes))
}

impl Spoil {
    fn apply(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        if bytes.is_empty() {
            return bytes;
        }
        let place = |at: f64| ((at * bytes.len() as f64) as usize).min(bytes.len() - 1);
        match *self {
            Self::Number { at, with } => {
                let number = number_after(&bytes, place(at));
                bytes.splice(number, NUMBERS[with].bytes());
            }
            Self::Word { at, with } => {
                let word = word_at(&bytes, place(at));
                bytes.splice(word, NASTY[with].iter().copied());
            }
            Self::Swap { at, from } => {
                let other = bytes[word_at(&bytes, place(from))].to_vec();
                let word = word_at(&bytes, place(at));
                bytes.splice(word, other);
            }
            Self::Cut { at, length } => {
                let start = place(at);
                let end = (start + length).min(bytes.len());
                bytes.drain(start..end);
            }
            Self::Truncate { at } => bytes.truncate(place(at)),
            Self::Flip { at, bit } => {
                let at = place(at);
                bytes[at] ^= 1 << bit;
            }
            Self::RepeatLine { at, times } => {
                let line = line_at(&bytes, place(at));
                let again = bytes[line.clone()].repeat(times);
                bytes.splice(line.end..line.end, again);
            }
            Self::MoveLines { from, lines, to } => {
                let start = line_at(&bytes, place(from)).start;
                let mut end = start;
                for _ in 0..lines {
                    end = line_at(&bytes, end.min(bytes.len() - 1)).end;
                }
                let copied = bytes[start..end].to_vec();
                let to = line_at(&bytes, place(to)).start;
                bytes.splice(to..to, copied);
            }
            Self::CutLine { at } => {
                let line = line_at(&bytes, place(at));
                bytes.drain(line);
            }
        }
        bytes
    }
}

/// The word at or before a place; empty between words.
fn word_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || b"+-._:".contains(b);
    let start = bytes[..at].iter().rposition(|b| !is_word(b)).map_or(0, |p| p + 1);
    let end = bytes[at..].iter().position(|b| !is_word(b)).map_or(bytes.len(), |p| at + p);
    start..end.max(start)
}

/// The first word at or after a place that is a number; empty if there is none.
fn number_after(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let mut start = at;
    while start < bytes.len() {
        let word = word_at(bytes, start);
        let is_number = std::str::from_utf8(&bytes[word.clone()]).is_ok_and(|w| w.parse::<f64>().is_ok());
        if is_number {
            return word;
        }
        start = word.end.max(start) + 1;
    }
    bytes.len()..bytes.len()
}

/// The line at a place, its end included.
fn line_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |p| at + p + 1);
    start..end
}
