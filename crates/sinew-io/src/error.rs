//! Errors that say where, what was found and what was expected.

use std::fmt;

/// Where in a file something is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    File,
    /// A line of a text file, counted from one.
    Line(usize),
    /// A line and a column, both counted from one.
    LineColumn(usize, usize),
    /// A place in a JSON document, such as `nodes[3].rotation`.
    Path(String),
    /// A byte of a binary file.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("the file"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::LineColumn(line, column) => write!(f, "line {line}, column {column}"),
            Self::Path(path) => write!(f, "at {path}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// A file that cannot be read, and why.
///
/// Readers that see only bytes leave `file` empty; whoever opened the file
/// fills it in with [`in_file`](Self::in_file).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{place}: found {found}, expected {expected}", prefix(.file))]
pub struct ReadError {
    /// The file's name as the user gave it.
    pub file: String,
    /// Where in the file.
    pub place: Place,
    /// What is there, quoted and cut short if it is long.
    pub found: String,
    /// What should be there.
    pub expected: String,
}

fn prefix(file: &str) -> String {
    if file.is_empty() { String::new() } else { format!("{file}: ") }
}

impl ReadError {
    /// An error at a place.
    pub fn new(place: Place, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self {
            file: String::new(),
            place,
            found: one_line(found.into()),
            expected: one_line(expected.into()),
        }
    }

    /// The same error with the name of the file.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = file.into();
        self
    }
}

/// A message that holds names from a file, safe to print: what would spoil a
/// terminal is escaped, and no name fills the screen.
fn one_line(text: String) -> String {
    const MOST: usize = 500;
    let fine = text.len() <= MOST && !text.chars().any(char::is_control);
    if fine {
        return text;
    }
    let mut shown = String::new();
    for c in text.chars().take(MOST) {
        if c.is_control() { shown.extend(c.escape_debug()) } else { shown.push(c) }
    }
    if text.chars().count() > MOST {
        shown.push('…');
    }
    shown
}

/// Text from a file as an error should show it: quoted, on one line, short.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let mut shown: String = text.chars().take(MOST).flat_map(char::escape_debug).collect();
    if text.chars().count() > MOST {
        shown.push('…');
    }
    format!("'{shown}'")
}

/// An asset that cannot be written, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot write {}{what}: {reason}", prefix(.file))]
pub struct WriteError {
    /// The file's name as the user gave it, empty where there is none.
    pub file: String,
    /// What was to be written: a format, a file.
    pub what: String,
    /// What stands in the way.
    pub reason: String,
}

impl WriteError {
    /// An error about something that was to be written.
    pub fn new(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { file: String::new(), what: what.into(), reason: reason.into() }
    }

    /// The same error with the name of the file.
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = file.into();
        self
    }
}
