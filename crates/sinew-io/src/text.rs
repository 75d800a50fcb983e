//! Text files as words and lines, with the places for error messages.

pub(crate) mod number;

use glam::DVec3;

use crate::error::quoted;
use crate::{Place, ReadError};
use number::any_number;

/// The text without a byte-order mark, or an error for text in an encoding
/// that none of the text formats use.
pub(crate) fn plain_text(bytes: &[u8]) -> Result<&[u8], ReadError> {
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(ReadError::new(Place::Line(1), "UTF-16 text", "ASCII or UTF-8 text"));
    }
    Ok(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// The lines of a text, counted from one, without the space around them. A
/// line ends with LF, CR or both.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = Some(bytes);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest?;
        number += 1;
        let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        rest = end.map(|end| {
            let both = text[end..].starts_with(b"\r\n");
            &text[end + 1 + usize::from(both)..]
        });
        Some((number, text[..end.unwrap_or(text.len())].trim_ascii()))
    })
}

/// The bytes as words, with the line they are on.
pub(crate) struct Words<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
    pub(crate) line: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// Goes to the next word. A line ends with LF, CR or both.
    pub(crate) fn skip_space(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b'\r' if self.bytes.get(self.at + 1) != Some(&b'\n') => self.line += 1,
                _ if !is_space(byte) => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// The next word without going past it; a brace is a word of its own.
    pub(crate) fn peek(&mut self) -> Option<&'a [u8]> {
        self.skip_space();
        let rest = &self.bytes[self.at..];
        let end = match rest.first()? {
            b'{' | b'}' => 1,
            _ => rest.iter().position(|&b| is_space(b) || b == b'{' || b == b'}').unwrap_or(rest.len()),
        };
        Some(&rest[..end])
    }

    pub(crate) fn next(&mut self) -> Option<&'a [u8]> {
        let word = self.peek()?;
        self.at += word.len();
        Some(word)
    }

    /// The rest of the line up to an opening brace, without the space around it.
    pub(crate) fn name(&mut self) -> &'a [u8] {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r' | b'{')).unwrap_or(rest.len());
        self.at += end;
        rest[..end].trim_ascii()
    }

    /// The error for finding `word`, or the end, instead of what was expected.
    pub(crate) fn wrong(&self, word: Option<&[u8]>, expected: impl Into<String>) -> ReadError {
        let found = word.map_or("the end of the file".into(), |w| quoted(&String::from_utf8_lossy(w)));
        ReadError::new(Place::Line(self.line), found, expected)
    }

    pub(crate) fn expect(&mut self, keyword: &str) -> Result<(), ReadError> {
        let word = self.peek();
        if is_word(word, keyword) {
            self.next();
            Ok(())
        } else {
            Err(self.wrong(word, format!("'{keyword}'")))
        }
    }

    pub(crate) fn number(&mut self, expected: &str) -> Result<f64, ReadError> {
        let word = self.peek();
        let value = word.and_then(any_number).ok_or_else(|| self.wrong(word, expected))?;
        self.next();
        Ok(value)
    }

    pub(crate) fn vector(&mut self, expected: &str) -> Result<DVec3, ReadError> {
        Ok(DVec3::new(self.number(expected)?, self.number(expected)?, self.number(expected)?))
    }

    /// A whole number, as in the count of channels or frames.
    pub(crate) fn count(&mut self, expected: &str) -> Result<usize, ReadError> {
        let word = self.peek();
        let value = word
            .and_then(|w| std::str::from_utf8(w).ok()?.parse().ok())
            .ok_or_else(|| self.wrong(word, expected))?;
        self.next();
        Ok(value)
    }

    /// A label such as `Frame Time:`, whose colon some files set apart and
    /// others run into the number.
    pub(crate) fn label(&mut self, label: &str) -> Result<(), ReadError> {
        for part in label.split(' ') {
            self.skip_space();
            let end = self.at + part.len();
            if !self.bytes.get(self.at..end).is_some_and(|w| w.eq_ignore_ascii_case(part.as_bytes())) {
                let word = self.peek();
                return Err(self.wrong(word, format!("'{label}:'")));
            }
            self.at = end;
        }
        self.skip_space();
        if self.bytes.get(self.at) == Some(&b':') {
            self.at += 1;
        }
        Ok(())
    }
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

pub(crate) fn is_word(word: Option<&[u8]>, keyword: &str) -> bool {
    word.is_some_and(|w| w.eq_ignore_ascii_case(keyword.as_bytes()))
}
