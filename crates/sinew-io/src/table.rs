//! Tables of numbers, as CSV: targets over time, tracked points, a path to walk.
//!
//! Cells are separated by commas and may be quoted; lines that begin with `#`
//! and empty ones are passed by. What the columns mean is the caller's: it takes
//! the rows one by one and asks each for its cells. A cell that is not what it
//! should be is an error with its line and column.

use crate::error::quoted;
use crate::text::number::MAX_MAGNITUDE;
use crate::{Place, ReadError};

/// The rows of a table, one after the other; see [`rows`].
pub struct Rows<'a> {
    bytes: &'a [u8],
    reader: csv::Reader<&'a [u8]>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The line that it begins on, from one.
    pub line: usize,
    cells: csv::StringRecord,
}

/// The rows of a CSV file.
///
/// ```
/// let mut rows = sinew_io::table::rows(b"time, x\n# later\n0.5, 2\n");
/// assert!(rows.next().unwrap()?.is_heading());
/// assert_eq!(rows.next().unwrap()?.numbers(["time", "x"])?, [0.5, 2.0]);
/// assert!(rows.next().is_none());
/// # Ok::<(), sinew_io::ReadError>(())
/// ```
pub fn rows(bytes: &[u8]) -> Rows<'_> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut builder = csv::ReaderBuilder::new();
    // Rows of another length are for the caller to refuse, who knows the columns.
    builder.has_headers(false).flexible(true).comment(Some(b'#')).trim(csv::Trim::All);
    Rows { bytes, reader: builder.from_reader(bytes) }
}

impl Iterator for Rows<'_> {
    type Item = Result<Row, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut cells = csv::StringRecord::new();
        loop {
            match self.reader.read_record(&mut cells) {
                Ok(false) => return None,
                // A line of blanks is an empty one.
                Ok(true) if cells.len() == 1 && cells[0].is_empty() => {}
                Ok(true) => {
                    let line = cells.position().map_or(0, |at| self.line(at));
                    return Some(Ok(Row { line, cells }));
                }
                Err(error) => {
                    let line = error.position().map_or(0, |at| self.line(at));
                    let found = match error.kind() {
                        csv::ErrorKind::Utf8 { .. } => "bytes that are no UTF-8 text".to_string(),
                        _ => error.to_string(),
                    };
                    return Some(Err(ReadError::new(Place::Line(line), found, "a line of a table")));
                }
            }
        }
    }
}

impl Rows<'_> {
    /// The line of a record, whose position is ahead of the comments and empty
    /// lines above it.
    fn line(&self, at: &csv::Position) -> usize {
        let mut rest = self.bytes.get(at.byte() as usize..).unwrap_or_default();
        let mut line = at.line() as usize;
        while let Some(end) = rest.iter().position(|&b| b == b'\n') {
            let is_passed_by = rest.starts_with(b"#") || rest[..end].trim_ascii().is_empty();
            if !is_passed_by {
                break;
            }
            rest = &rest[end + 1..];
            line += 1;
        }
        line
    }
}

impl Row {
    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no cell.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The text of every cell.
    pub fn cells(&self) -> impl Iterator<Item = &str> {
        self.cells.iter()
    }

    /// Whether it names columns: its first cell begins with a letter and is no number.
    pub fn is_heading(&self) -> bool {
        let first = self.cells.get(0).unwrap_or_default();
        first.starts_with(char::is_alphabetic) && first.parse::<f64>().is_err()
    }

    /// An error about a cell, by its index.
    pub fn wrong(&self, column: usize, expected: impl Into<String>) -> ReadError {
        let found = quoted(self.cells.get(column).unwrap_or_default());
        ReadError::new(Place::LineColumn(self.line, column + 1), found, expected)
    }

    /// A cell as a finite number that is not absurd; `what` says what it should be. Squares of far
    /// larger ones are beyond any number, and what is solved with them is wrong without a word.
    pub fn number(&self, column: usize, what: &str) -> Result<f64, ReadError> {
        let number = self.cells.get(column).and_then(|cell| cell.parse::<f64>().ok());
        let number = number
            .filter(|number| number.is_finite())
            .ok_or_else(|| self.wrong(column, format!("{what}, a number")))?;
        if number.abs() > MAX_MAGNITUDE {
            return Err(self.wrong(column, format!("{what}, a number up to {MAX_MAGNITUDE:e}")));
        }
        Ok(number)
    }

    /// The same, where an empty cell or `nan` says that there is none.
    pub fn number_or_none(&self, column: usize, what: &str) -> Result<Option<f64>, ReadError> {
        match self.cells.get(column) {
            Some(cell) if cell.is_empty() || cell.eq_ignore_ascii_case("nan") => Ok(None),
            _ => self.number(column, what).map(Some),
        }
    }

    /// The numbers of a row that has exactly these columns.
    pub fn numbers<const N: usize>(&self, names: [&str; N]) -> Result<[f64; N], ReadError> {
        self.check_len(N, &names.join(", "))?;
        let mut numbers = [0.0; N];
        for (column, (number, name)) in numbers.iter_mut().zip(names).enumerate() {
            *number = self.number(column, name)?;
        }
        Ok(numbers)
    }

    /// Refuses a row with more or fewer cells.
    pub fn check_len(&self, columns: usize, names: &str) -> Result<(), ReadError> {
        if self.len() == columns {
            return Ok(());
        }
        let found = format!("{} cells", self.len());
        Err(ReadError::new(Place::Line(self.line), found, format!("{columns}: {names}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_told_by_line_and_column() {
        let text = b"\xef\xbb\xbf# made by hand\ntime,\"speed, turn\"\n\n  \n1, 2 \r\n3,x\n4\n5,nan\n,6\n";
        let rows: Vec<Row> = rows(text).collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 5, 6, 7, 8, 9]);
        assert!(rows[0].is_heading() && !rows[1].is_heading());
        assert_eq!(rows[0].cells().last(), Some("speed, turn"));
        let names = ["time", "speed"];
        assert_eq!(rows[1].numbers(names).unwrap(), [1.0, 2.0]);
        let error = |row: &Row| row.numbers(names).unwrap_err().to_string();
        assert_eq!(error(&rows[2]), "line 6, column 2: found 'x', expected speed, a number");
        assert_eq!(error(&rows[3]), "line 7: found 1 cells, expected 2: time, speed");
        assert!(error(&rows[4]).contains("'nan'") && error(&rows[5]).contains("column 1"));
        assert_eq!(rows[4].number_or_none(1, "speed").unwrap(), None);
        assert_eq!(rows[5].number_or_none(0, "time").unwrap(), None);
        assert!(rows[2].number_or_none(1, "speed").is_err());
        let far = super::rows(b"1e150,2\n").next().unwrap().unwrap();
        assert!(far.number(0, "x").unwrap_err().to_string().contains("up to 1e9"));
    }

    #[test]
    fn bytes_that_are_no_text_are_an_error() {
        let error = rows(b"1,2\n\xff,3\n").find_map(Result::err).unwrap();
        assert!(error.to_string().contains("UTF-8"), "{error}");
        assert_eq!(rows(b"").count(), 0);
    }
}
