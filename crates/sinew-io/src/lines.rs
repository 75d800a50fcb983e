//! From bytes of a text to lines and columns.

use crate::error::Place;

/// Where the lines of a text begin.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    /// How many characters come before every [`STRIDE`] bytes: a file may be one line of megabytes, and every key
    /// of it has a place.
    characters: Vec<usize>,
}

const STRIDE: usize = 1024;

/// The characters that begin in these bytes.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

impl<'a> Lines<'a> {
    /// The lines of this text.
    pub fn new(text: &'a str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let starts = std::iter::once(0).chain(after_breaks).collect();
        let so_far = text.as_bytes().chunks(STRIDE).scan(0, |count, bytes| {
            *count += characters(bytes);
            Some(*count)
        });
        Self { text, starts, characters: std::iter::once(0).chain(so_far).collect() }
    }

    /// The line of a byte, counted from one.
    pub fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The line and the column, in characters, of a byte; both counted from one.
    pub fn place(&self, byte: usize) -> Place {
        let line = self.line(byte);
        let start = self.starts[line - 1];
        Place::LineColumn(line, self.before(byte) - self.before(start) + 1)
    }

    /// The characters before a byte.
    fn before(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        let stride = byte / STRIDE;
        self.characters[stride] + characters(&self.text.as_bytes()[stride * STRIDE..byte])
    }
}

/// The line of a byte in what may not be text, counted from one.
pub(crate) fn line_of(bytes: &[u8], byte: usize) -> usize {
    bytes[..byte.min(bytes.len())].iter().filter(|b| **b == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_become_lines_and_columns() {
        let lines = Lines::new("ab\nçd\n");
        assert_eq!(lines.place(0), Place::LineColumn(1, 1));
        assert_eq!(lines.place(2), Place::LineColumn(1, 3));
        assert_eq!(lines.place(5), Place::LineColumn(2, 2));
        assert_eq!(lines.place(7), Place::LineColumn(3, 1));
        assert_eq!(lines.place(99), Place::LineColumn(3, 1));
        let long = "é".repeat(3000) + "\n" + &"é".repeat(2000);
        assert_eq!(Lines::new(&long).place(5000), Place::LineColumn(1, 2501));
        assert_eq!(Lines::new(&long).place(6001 + 3000), Place::LineColumn(2, 1501));
        assert_eq!(line_of(b"a\n\xff\n", 2), 2);
    }
}
