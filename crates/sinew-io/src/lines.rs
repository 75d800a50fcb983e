//! From bytes of a text to lines and columns.

use crate::error::Place;

/// Where the lines of a text begin.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// The lines of this text.
    pub fn new(text: &'a str) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        Self { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The line of a byte, counted from one.
    pub fn line(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start <= byte)
    }

    /// The line and the column, in characters, of a byte; both counted from one.
    pub fn place(&self, byte: usize) -> Place {
        let line = self.line(byte);
        let start = self.starts[line - 1];
        let column =
            self.text.get(start..byte.min(self.text.len())).map_or(0, |before| before.chars().count());
        Place::LineColumn(line, column + 1)
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
        assert_eq!(line_of(b"a\n\xff\n", 2), 2);
    }
}
