//! From the bytes of an ASF file to an [`AsfDocument`].
//!
//! The file is a list of sections, each opened by a line that starts with a
//! colon, with lines of words in them. `#` starts a comment.

use std::collections::HashMap;

use glam::DVec3;

use super::document::{AsfBone, AsfDocument, AsfRoot, RootChannel};
use crate::bvh::Axis;
use crate::error::quoted;
use crate::text::number::any_number;
use crate::text::{lines, plain_text};
use crate::{Note, Place, ReadError};

/// The most bones a file may have.
pub const MAX_BONES: usize = 1 << 14;

/// Reads what an ASF file says. Fails with the line, what was found there and
/// what was expected.
pub fn parse_skeleton(bytes: &[u8]) -> Result<AsfDocument, ReadError> {
    let mut parser = Parser::new();
    for (number, text) in lines(plain_text(bytes)?) {
        let text = text.split(|&byte| byte == b'#').next().unwrap_or(text).trim_ascii();
        if !text.is_empty() {
            parser.line(Line::new(number, text))?;
        }
    }
    parser.finish()
}

/// A line's words, without the brackets of the limits.
struct Line<'a> {
    number: usize,
    words: Vec<&'a str>,
    /// Whether it starts with a bracket, as the further lines of limits do.
    bracket: bool,
}

impl<'a> Line<'a> {
    fn new(number: usize, text: &'a [u8]) -> Self {
        let words = text
            .split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b','))
            .filter(|word| !word.is_empty())
            // A word that is not UTF-8 matches nothing and is reported as such.
            .map(|word| std::str::from_utf8(word).unwrap_or("\u{fffd}"))
            .collect();
        Self { number, words, bracket: text.first() == Some(&b'(') }
    }

    fn key(&self) -> String {
        self.words.first().map_or(String::new(), |word| word.to_ascii_lowercase())
    }

    fn wrong(&self, word: Option<&str>, expected: impl Into<String>) -> ReadError {
        let found = word.map_or("the end of the line".into(), quoted);
        ReadError::new(Place::Line(self.number), found, expected)
    }

    /// The word at a place, of which the line's last must be.
    fn word(&self, place: usize, expected: &str) -> Result<&'a str, ReadError> {
        self.words.get(place).copied().ok_or_else(|| self.wrong(None, expected))
    }

    fn number(&self, place: usize, expected: &str) -> Result<f64, ReadError> {
        let word = self.words.get(place).copied();
        word.and_then(|w| any_number(w.as_bytes())).ok_or_else(|| self.wrong(word, expected))
    }

    fn vector(&self, place: usize, expected: &str) -> Result<DVec3, ReadError> {
        Ok(DVec3::new(
            self.number(place, expected)?,
            self.number(place + 1, expected)?,
            self.number(place + 2, expected)?,
        ))
    }

    /// An order of three different axes, such as `XYZ`.
    fn order(&self, place: usize) -> Result<[Axis; 3], ReadError> {
        let expected = "an order of axes such as XYZ";
        let word = self.word(place, expected)?;
        let axes: Option<Vec<Axis>> = word.chars().map(axis_named).collect();
        match axes.as_deref() {
            Some(&[i, j, k]) if i != j && j != k && i != k => Ok([i, j, k]),
            _ => Err(self.wrong(Some(word), expected)),
        }
    }
}

fn axis_named(letter: char) -> Option<Axis> {
    match letter.to_ascii_lowercase() {
        'x' => Some(Axis::X),
        'y' => Some(Axis::Y),
        'z' => Some(Axis::Z),
        _ => None,
    }
}

/// The axis of a word such as `rx`, if it starts with this letter.
fn channel(word: &str, letter: char) -> Option<Axis> {
    let mut letters = word.chars();
    let fits = letters.next()?.eq_ignore_ascii_case(&letter);
    let axis = axis_named(letters.next()?)?;
    (fits && letters.next().is_none()).then_some(axis)
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    None,
    Units,
    Root,
    Bones,
    Hierarchy,
    /// Free text, or something that is not read.
    Other,
}

/// A bone while its lines come in.
struct OpenBone {
    line: usize,
    bone: AsfBone,
    has_direction: bool,
    has_length: bool,
    in_limits: bool,
}

struct Parser {
    section: Section,
    document: AsfDocument,
    /// The bone between `begin` and `end`.
    open: Option<OpenBone>,
    by_name: HashMap<String, usize>,
    /// Which bones the hierarchy has named as a child.
    placed: Vec<bool>,
}

impl Parser {
    fn new() -> Self {
        let order = Axis::ALL.into_iter().map(RootChannel::Translation);
        let order = order.chain(Axis::ALL.into_iter().map(RootChannel::Rotation)).collect();
        let root = AsfRoot { order, axis: Axis::ALL, position: DVec3::ZERO, orientation: DVec3::ZERO };
        Self {
            section: Section::None,
            document: AsfDocument {
                name: String::new(),
                length: 1.0,
                degrees: true,
                root,
                bones: Vec::new(),
                notes: Vec::new(),
            },
            open: None,
            by_name: HashMap::new(),
            placed: Vec::new(),
        }
    }

    fn line(&mut self, line: Line) -> Result<(), ReadError> {
        if let Some(section) = line.key().strip_prefix(':') {
            return self.begin_section(section, &line);
        }
        match self.section {
            Section::None => Err(line.wrong(line.words.first().copied(), "a section such as ':units'")),
            Section::Units => self.units(&line),
            Section::Root => self.root(&line),
            Section::Bones => self.bone(&line),
            Section::Hierarchy => self.hierarchy(&line),
            Section::Other => Ok(()),
        }
    }

    fn begin_section(&mut self, section: &str, line: &Line) -> Result<(), ReadError> {
        if let Some(open) = &self.open {
            let expected = format!("the 'end' of the bone of line {}", open.line);
            return Err(line.wrong(line.words.first().copied(), expected));
        }
        self.section = match section {
            "units" => Section::Units,
            "root" => Section::Root,
            "bonedata" => Section::Bones,
            "hierarchy" => Section::Hierarchy,
            "name" => {
                self.document.name = line.words[1..].join(" ");
                Section::Other
            }
            "version" | "documentation" => Section::Other,
            other => {
                let text = format!("line {}: the section {} is not read", line.number, quoted(other));
                self.document.notes.push(Note::new(text));
                Section::Other
            }
        };
        Ok(())
    }

    fn units(&mut self, line: &Line) -> Result<(), ReadError> {
        match line.key().as_str() {
            "length" => {
                let expected = "the length unit, a number above zero";
                self.document.length = line.number(1, expected)?;
                // Far smaller or larger and the metres would no longer fit.
                if !(1e-6..=1e6).contains(&self.document.length) {
                    return Err(line.wrong(line.words.get(1).copied(), expected));
                }
            }
            "angle" => {
                let word = line.word(1, "'deg' or 'rad'")?;
                self.document.degrees = match word.to_ascii_lowercase().as_str() {
                    "deg" | "degrees" => true,
                    "rad" | "radians" => false,
                    _ => return Err(line.wrong(Some(word), "'deg' or 'rad'")),
                };
            }
            // Masses are not used.
            _ => {}
        }
        Ok(())
    }

    fn root(&mut self, line: &Line) -> Result<(), ReadError> {
        let root = &mut self.document.root;
        match line.key().as_str() {
            "order" => {
                root.order.clear();
                for &word in &line.words[1..] {
                    let channel = channel(word, 't')
                        .map(RootChannel::Translation)
                        .or_else(|| channel(word, 'r').map(RootChannel::Rotation));
                    match channel {
                        Some(channel) if !root.order.contains(&channel) => root.order.push(channel),
                        _ => return Err(line.wrong(Some(word), "TX, TY, TZ, RX, RY or RZ, each once")),
                    }
                }
            }
            "axis" => root.axis = line.order(1)?,
            "position" => root.position = line.vector(1, "three numbers of the root's position")?,
            "orientation" => root.orientation = line.vector(1, "three angles of the root's orientation")?,
            _ => {
                let expected = "order, axis, position or orientation of the root";
                return Err(line.wrong(line.words.first().copied(), expected));
            }
        }
        Ok(())
    }

    fn bone(&mut self, line: &Line) -> Result<(), ReadError> {
        let key = line.key();
        let first = line.words.first().copied();
        let Some(open) = &mut self.open else {
            if key != "begin" {
                return Err(line.wrong(first, "'begin' of a bone"));
            }
            if self.document.bones.len() >= MAX_BONES {
                return Err(line.wrong(first, format!("at most {MAX_BONES} bones")));
            }
            let bone = AsfBone {
                name: String::new(),
                parent: None,
                direction: DVec3::ZERO,
                length: 0.0,
                axis: DVec3::ZERO,
                axis_order: Axis::ALL,
                dof: Vec::new(),
                limits: Vec::new(),
            };
            let number = line.number;
            self.open = Some(OpenBone {
                line: number,
                bone,
                has_direction: false,
                has_length: false,
                in_limits: false,
            });
            return Ok(());
        };
        if open.in_limits && line.bracket {
            return limits(&mut open.bone, line, 0);
        }
        open.in_limits = false;
        let bone = &mut open.bone;
        match key.as_str() {
            "end" => return self.end_bone(line),
            "name" => bone.name = line.word(1, "the bone's name")?.into(),
            "direction" => {
                bone.direction = line.vector(1, "three numbers of the bone's direction")?;
                open.has_direction = true;
            }
            "length" => {
                bone.length = line.number(1, "the bone's length")?;
                open.has_length = true;
                if bone.length < 0.0 {
                    return Err(line.wrong(line.words.get(1).copied(), "a length of zero or more"));
                }
            }
            "axis" => {
                bone.axis = line.vector(1, "three angles of the bone's axis")?;
                bone.axis_order = line.order(4)?;
            }
            "dof" => {
                for &word in &line.words[1..] {
                    match channel(word, 'r') {
                        Some(axis) if !bone.dof.contains(&axis) => bone.dof.push(axis),
                        Some(_) => return Err(line.wrong(Some(word), "each of rx, ry and rz once")),
                        None => {
                            let expected = "rx, ry or rz; bones that shift or stretch are not supported";
                            return Err(line.wrong(Some(word), expected));
                        }
                    }
                }
            }
            "limits" => {
                open.in_limits = true;
                return limits(&mut open.bone, line, 1);
            }
            "id" | "bodymass" | "cofmass" => {}
            _ => {
                let expected = "name, direction, length, axis, dof, limits or 'end' of a bone";
                return Err(line.wrong(first, expected));
            }
        }
        Ok(())
    }

    fn end_bone(&mut self, line: &Line) -> Result<(), ReadError> {
        let Some(OpenBone { line: begun, bone, has_direction, has_length, .. }) = self.open.take() else {
            return Ok(());
        };
        let missing = if bone.name.is_empty() {
            Some("name")
        } else if !has_direction {
            Some("direction")
        } else if !has_length {
            Some("length")
        } else {
            None
        };
        if let Some(missing) = missing {
            return Err(line.wrong(Some("end"), format!("the {missing} of the bone of line {begun}")));
        }
        if !bone.limits.is_empty() && bone.limits.len() != bone.dof.len() {
            let found = format!("{} limits of bone {}", bone.limits.len(), quoted(&bone.name));
            let expected = format!("{}, one for each dof", bone.dof.len());
            return Err(ReadError::new(Place::Line(line.number), found, expected));
        }
        let index = self.document.bones.len();
        if bone.name == "root" || self.by_name.insert(bone.name.clone(), index).is_some() {
            return Err(line.wrong(Some(&bone.name), "a name that nothing else has"));
        }
        self.document.bones.push(bone);
        self.placed.push(false);
        Ok(())
    }

    fn hierarchy(&mut self, line: &Line) -> Result<(), ReadError> {
        if let ([word], "begin" | "end") = (&line.words[..], line.key().as_str()) {
            // A bone may be called "end", but then it would not stand alone.
            let _ = word;
            return Ok(());
        }
        let parent = match line.word(0, "a bone")? {
            "root" => None,
            name => Some(self.find(name, line)?),
        };
        for &name in &line.words[1..] {
            let child = self.find(name, line)?;
            if self.placed[child] {
                return Err(line.wrong(Some(name), "a bone that is under no other bone yet"));
            }
            self.placed[child] = true;
            self.document.bones[child].parent = parent;
        }
        Ok(())
    }

    fn find(&self, name: &str, line: &Line) -> Result<usize, ReadError> {
        let found = self.by_name.get(name).copied();
        found.ok_or_else(|| line.wrong(Some(name), "the name of a bone above, or 'root' as the first word"))
    }

    fn finish(self) -> Result<AsfDocument, ReadError> {
        if let Some(open) = &self.open {
            let expected = format!("the 'end' of the bone of line {}", open.line);
            return Err(ReadError::new(Place::File, "the end of the file", expected));
        }
        if let Some(lost) = self.placed.iter().position(|placed| !placed) {
            let name = quoted(&self.document.bones[lost].name);
            let found = format!("bone {name} outside of the hierarchy");
            return Err(ReadError::new(Place::File, found, "every bone under another or the root"));
        }
        if self.section == Section::None {
            return Err(ReadError::new(
                Place::File,
                "no sections",
                "an ASF file with ':units' and ':bonedata'",
            ));
        }
        Ok(self.document)
    }
}

/// Adds the pairs of numbers from a place of the line on.
fn limits(bone: &mut AsfBone, line: &Line, from: usize) -> Result<(), ReadError> {
    let bound = |place: usize| {
        let word = line.words.get(place).copied();
        match word.map(str::to_ascii_lowercase).as_deref() {
            Some("-inf") => Ok(f64::NEG_INFINITY),
            Some("inf" | "+inf") => Ok(f64::INFINITY),
            _ => line.number(place, "the least and the greatest angle of a limit"),
        }
    };
    for place in (from..line.words.len()).step_by(2) {
        let pair = [bound(place)?, bound(place + 1)?];
        if pair[0] > pair[1] {
            let found = format!("a limit from {} to {}", pair[0], pair[1]);
            return Err(ReadError::new(Place::Line(line.number), found, "the least angle first"));
        }
        bone.limits.push(pair);
    }
    Ok(())
}
