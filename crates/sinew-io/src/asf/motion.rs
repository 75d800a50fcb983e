//! From the bytes of an AMC file to an [`AmcDocument`].
//!
//! After a head of lines with `#` and `:`, every frame is a line with its
//! number and a line for every bone: the name and its numbers.

use std::collections::HashMap;

use super::document::AmcDocument;
use crate::bvh::MAX_VALUES;
use crate::error::quoted;
use crate::text::number::{any_number, short_decimal};
use crate::text::{lines, plain_text};
use crate::{Note, Place, ReadError};

/// Reads what an AMC file says. Fails with the line, what was found there and
/// what was expected.
pub fn parse_motion(bytes: &[u8]) -> Result<AmcDocument, ReadError> {
    let mut parser = Parser {
        document: AmcDocument { degrees: None, bones: Vec::new(), values: Vec::new(), notes: Vec::new() },
        by_name: HashMap::new(),
        frame: None,
        previous_number: None,
        row: Vec::new(),
        starts: Vec::new(),
    };
    for (number, text) in lines(plain_text(bytes)?) {
        match text.first() {
            None | Some(b'#') => {}
            Some(b':') => parser.head(number, text)?,
            Some(byte) if byte.is_ascii_digit() => parser.begin_frame(number, text)?,
            Some(_) => parser.bone(number, text)?,
        }
    }
    parser.end_frame()?;
    Ok(parser.document)
}

/// The frame whose lines come in.
struct Frame {
    line: usize,
    /// The bone that the next line should be about.
    next: usize,
    /// Which bones have had their line; only kept after the first frame.
    seen: Vec<bool>,
}

struct Parser {
    document: AmcDocument,
    by_name: HashMap<Vec<u8>, usize>,
    frame: Option<Frame>,
    previous_number: Option<u64>,
    /// The numbers of the frame, in the order of the first.
    row: Vec<f64>,
    /// Where each bone's numbers start in the row.
    starts: Vec<usize>,
}

fn wrong(line: usize, found: &[u8], expected: impl Into<String>) -> ReadError {
    ReadError::new(Place::Line(line), quoted(&String::from_utf8_lossy(found)), expected)
}

impl Parser {
    fn head(&mut self, line: usize, text: &[u8]) -> Result<(), ReadError> {
        match text.to_ascii_lowercase().as_slice() {
            b":degrees" => self.document.degrees = Some(true),
            b":radians" => self.document.degrees = Some(false),
            b":fully-specified" => {}
            _ => {
                let name = quoted(&String::from_utf8_lossy(text));
                self.document.notes.push(Note::new(format!("line {line}: {name} is not read")));
            }
        }
        Ok(())
    }

    fn begin_frame(&mut self, line: usize, text: &[u8]) -> Result<(), ReadError> {
        self.end_frame()?;
        let number: u64 = std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| wrong(line, text, "the number of a frame, or a bone"))?;
        if let Some(previous) = self.previous_number
            && previous.checked_add(1) != Some(number)
        {
            let text =
                format!("line {line}: frame {number} follows frame {previous}; both are kept as neighbours");
            // One is enough to say that the numbers cannot be trusted.
            if !self.document.notes.iter().any(|note| note.0.contains("as neighbours")) {
                self.document.notes.push(Note::new(text));
            }
        }
        self.previous_number = Some(number);
        self.frame = Some(Frame { line, next: 0, seen: vec![false; self.document.bones.len()] });
        Ok(())
    }

    fn bone(&mut self, line: usize, text: &[u8]) -> Result<(), ReadError> {
        let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        let (name, numbers) = text.split_at(end);
        let is_first = self.document.values.is_empty();
        let Some(frame) = &mut self.frame else {
            return Err(wrong(line, name, "the number of the first frame"));
        };
        if is_first {
            let start = self.row.len();
            read_numbers(line, numbers, |value| self.row.push(value))?;
            let count = self.row.len() - start;
            if self.by_name.insert(name.to_vec(), self.document.bones.len()).is_some() {
                return Err(wrong(line, name, "each bone once in a frame"));
            }
            self.starts.push(start);
            self.document.bones.push((String::from_utf8_lossy(name).into_owned(), count));
            return Ok(());
        }
        // Mostly the order is that of the first frame.
        let bones = &self.document.bones;
        let index = match bones.get(frame.next) {
            Some((expected, _)) if expected.as_bytes() == name => frame.next,
            _ => *self
                .by_name
                .get(name)
                .ok_or_else(|| wrong(line, name, "a bone that the first frame has too"))?,
        };
        if std::mem::replace(&mut frame.seen[index], true) {
            return Err(wrong(line, name, "each bone once in a frame"));
        }
        frame.next = index + 1;
        let (start, count) = (self.starts[index], bones[index].1);
        let mut given = 0;
        read_numbers(line, numbers, |value| {
            if given < count {
                self.row[start + given] = value;
            }
            given += 1;
        })?;
        if given != count {
            let found = format!("{given} numbers for bone {}", quoted(&bones[index].0));
            let expected = format!("{count}, as in the first frame");
            return Err(ReadError::new(Place::Line(line), found, expected));
        }
        Ok(())
    }

    fn end_frame(&mut self) -> Result<(), ReadError> {
        let Some(frame) = self.frame.take() else { return Ok(()) };
        if self.row.is_empty() {
            return Err(wrong(frame.line, b"a frame without numbers", "a line for every bone"));
        }
        if let Some(missing) = frame.seen.iter().position(|seen| !seen) {
            let found = format!("a frame without bone {}", quoted(&self.document.bones[missing].0));
            return Err(ReadError::new(Place::Line(frame.line), found, "every bone of the first frame"));
        }
        if self.document.values.len() + self.row.len() > MAX_VALUES {
            return Err(wrong(frame.line, b"one frame more", format!("at most {MAX_VALUES} numbers")));
        }
        self.document.values.extend_from_slice(&self.row);
        Ok(())
    }
}

fn read_numbers(line: usize, text: &[u8], mut each: impl FnMut(f64)) -> Result<(), ReadError> {
    let mut rest = text.trim_ascii_start();
    while !rest.is_empty() {
        let (value, length) = match short_decimal(rest) {
            Some(found) => found,
            None => {
                let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                let value = any_number(&rest[..end])
                    .ok_or_else(|| wrong(line, &rest[..end], "a finite number, or the end of the line"))?;
                (value, end)
            }
        };
        each(value);
        rest = rest[length..].trim_ascii_start();
    }
    Ok(())
}
