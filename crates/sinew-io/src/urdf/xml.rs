//! From bytes to an XML tree that is safe to walk, and typed attributes with
//! errors that say where.
//!
//! `roxmltree` refuses document type declarations unless told otherwise, so no
//! entity is ever expanded (no billion laughs) and nothing outside of the file
//! is read. Two of its loops are quadratic, though, in the attributes of one
//! element and in the namespaces in scope; [`guard`] looks over the text first
//! and refuses what no robot needs.

use roxmltree::{Attribute, Document, Node, ParsingOptions};
use sinew_f64::{Quat, Vec3};

use crate::Note;
use crate::error::{Place, ReadError, quoted};
use crate::lines::{Lines, line_of};

/// The largest file that is read. The largest robots have about one megabyte.
const MOST_BYTES: usize = 16 << 20;
/// The most XML nodes.
const MOST_NODES: u32 = 1 << 20;
/// How deep elements may be nested.
const MOST_DEPTH: usize = 128;
/// The most attributes of one element.
const MOST_ATTRIBUTES: usize = 256;
/// The most declarations of a namespace in the whole file.
const MOST_NAMESPACES: usize = 256;

/// The largest number: a robot of a million kilometres. Beyond it, sums of
/// offsets could leave what single precision holds.
const MOST: f64 = 1.0e9;

/// The text of the file, without what is not XML at its ends.
pub fn text<'a>(bytes: &'a [u8], notes: &mut Vec<Note>) -> Result<&'a str, ReadError> {
    if bytes.len() > MOST_BYTES {
        let found = format!("{} bytes", bytes.len());
        return Err(ReadError::new(Place::File, found, format!("at most {MOST_BYTES} bytes")));
    }
    let kept = bytes.len() - bytes.iter().rev().take_while(|b| **b == 0).count();
    if kept < bytes.len() {
        notes.push(Note::new(format!(
            "NUL bytes after the end of the text ({}) were left out",
            bytes.len() - kept
        )));
    }
    let text = std::str::from_utf8(&bytes[..kept]).map_err(|error| {
        let at = error.valid_up_to();
        let found = format!("byte 0x{:02X}, which is not UTF-8", bytes[at]);
        ReadError::new(Place::Line(line_of(bytes, at)), found, "text in UTF-8")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Err(ReadError::new(Place::File, "nothing", "a URDF, which begins with <robot>"));
    }
    Ok(text)
}

/// The XML tree of a text that [`guard`] lets through.
pub fn tree<'a>(text: &'a str, notes: &mut Vec<Note>) -> Result<Document<'a>, ReadError> {
    guard(text)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
    let first = Document::parse_with_options(text, options);
    let Err(error) = first else { return first.map_err(|error| refused(error, text)) };
    // Files exist whose first line is not the declaration it should be
    // (`<?xml verison=…`). It says nothing that matters here.
    let declaration = text.find("?>").filter(|_| text.starts_with("<?xml") && error.pos().row == 1);
    let Some(end) = declaration else { return Err(refused(error, text)) };
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
    let rest = &text[end + 2..];
    if text[..end].contains('\n') {
        return Err(refused(error, text));
    }
    let document = Document::parse_with_options(rest, options).map_err(|error| refused(error, rest))?;
    notes.push(Note::new("the XML declaration on line 1 is malformed and was passed over"));
    Ok(document)
}

fn refused(error: roxmltree::Error, text: &str) -> ReadError {
    let position = error.pos();
    let place = Place::LineColumn(position.row as usize, position.col as usize);
    match error {
        roxmltree::Error::DtdDetected => ReadError::new(
            Place::Line(line_of(text.as_bytes(), text.find("<!DOCTYPE").unwrap_or(0))),
            "a document type declaration (<!DOCTYPE …>)",
            "none: entities are not expanded",
        ),
        roxmltree::Error::NodesLimitReached => {
            let expected = format!("at most {MOST_NODES}");
            ReadError::new(Place::File, "more XML nodes than that", expected)
        }
        roxmltree::Error::UnknownNamespace(prefix, _) if prefix == "xacro" => {
            ReadError::new(place, "a xacro macro", EXPAND_XACRO)
        }
        other => ReadError::new(place, other.to_string(), "well-formed XML"),
    }
}

/// What to do about macros.
pub const EXPAND_XACRO: &str =
    "a plain URDF: expand the macros first (`xacro robot.urdf.xacro > robot.urdf`)";

/// Refuses nesting, attributes and namespaces without measure.
fn guard(text: &str) -> Result<(), ReadError> {
    let bytes = text.as_bytes();
    let refuse = |at: usize, found: String, most: usize, what: &str| {
        let place = Place::Line(line_of(bytes, at));
        Err(ReadError::new(place, found, format!("at most {most} {what}")))
    };
    let skip_past =
        |from: usize, end: &str| text[from..].find(end).map_or(bytes.len(), |i| from + i + end.len());
    let (mut at, mut depth, mut namespaces) = (0, 0usize, 0);
    while let Some(open) = text[at..].find('<').map(|i| at + i) {
        let rest = &bytes[open..];
        if rest.starts_with(b"<!--") {
            at = skip_past(open + 4, "-->");
        } else if rest.starts_with(b"<![CDATA[") {
            at = skip_past(open + 9, "]]>");
        } else if rest.starts_with(b"<?") {
            at = skip_past(open + 2, "?>");
        } else if rest.starts_with(b"</") {
            depth = depth.saturating_sub(1);
            at = skip_past(open, ">");
        } else {
            let tag = start_tag(bytes, open);
            namespaces += tag.namespaces;
            depth += usize::from(!tag.closed);
            if depth > MOST_DEPTH {
                return refuse(open, format!("elements nested {depth} deep"), MOST_DEPTH, "levels");
            }
            if tag.attributes > MOST_ATTRIBUTES {
                let found = format!("an element with {} attributes", tag.attributes);
                return refuse(open, found, MOST_ATTRIBUTES, "attributes");
            }
            if namespaces > MOST_NAMESPACES {
                return refuse(open, format!("{namespaces} namespaces"), MOST_NAMESPACES, "of them");
            }
            at = tag.end;
        }
    }
    Ok(())
}

struct StartTag {
    end: usize,
    attributes: usize,
    namespaces: usize,
    closed: bool,
}

fn start_tag(bytes: &[u8], open: usize) -> StartTag {
    let mut tag = StartTag { end: bytes.len(), attributes: 0, namespaces: 0, closed: false };
    let mut quote = None;
    let mut word = open + 1;
    for at in open + 1..bytes.len() {
        match (bytes[at], quote) {
            (b, Some(q)) if b == q => {
                quote = None;
                word = at + 1;
            }
            (_, Some(_)) => {}
            (q @ (b'"' | b'\''), None) => quote = Some(q),
            (b'=', None) => {
                tag.attributes += 1;
                tag.namespaces += usize::from(bytes[word..at].trim_ascii().starts_with(b"xmlns"));
            }
            (b'>', None) => {
                tag.closed = bytes[at - 1] == b'/';
                tag.end = at + 1;
                return tag;
            }
            // `name = "value"` is allowed: a space before the sign begins no word.
            (b, None)
                if b.is_ascii_whitespace()
                    && bytes.get(at + 1).is_some_and(|next| next.is_ascii_alphabetic()) =>
            {
                word = at + 1;
            }
            _ => {}
        }
    }
    tag
}

/// Reads elements and attributes, with the places of what is wrong.
pub struct Reader<'a> {
    lines: Lines<'a>,
}

impl<'a> Reader<'a> {
    /// For the document that was made from this text.
    pub fn new(document: &'a Document<'_>) -> Self {
        Self { lines: Lines::new(document.input_text()) }
    }

    /// The line on which an element begins.
    pub fn line(&self, node: Node<'_, '_>) -> usize {
        self.lines.line(node.range().start)
    }

    /// An error at an element.
    pub fn at(&self, node: Node<'_, '_>, found: impl Into<String>, expected: impl Into<String>) -> ReadError {
        ReadError::new(self.lines.place(node.range().start), found, expected)
    }

    /// An error at an attribute's value, which is quoted.
    pub fn at_value(&self, attribute: Attribute<'_, '_>, expected: impl Into<String>) -> ReadError {
        let found = format!("{}={}", attribute.name(), quoted(attribute.value()));
        ReadError::new(self.lines.place(attribute.range_value().start), found, expected)
    }

    /// An attribute, if the element has it and it is no macro.
    pub fn attribute<'n, 'i>(
        &self,
        node: Node<'n, 'i>,
        name: &str,
    ) -> Result<Option<Attribute<'n, 'i>>, ReadError> {
        let Some(attribute) = node.attribute_node(name) else { return Ok(None) };
        if attribute.value().contains("${") || attribute.value().contains("$(") {
            return Err(self.at_value(attribute, EXPAND_XACRO));
        }
        Ok(Some(attribute))
    }

    /// An attribute that must be there and not be empty.
    pub fn name<'n>(&self, node: Node<'n, '_>, name: &str) -> Result<&'n str, ReadError> {
        let tag = node.tag_name().name();
        match self.attribute(node, name)? {
            None => Err(self.at(node, format!("<{tag}> without {name}"), format!("<{tag} {name}=\"…\">"))),
            Some(attribute) if attribute.value().trim().is_empty() => {
                Err(self.at_value(attribute, "a name that is not empty"))
            }
            Some(attribute) => Ok(attribute.value()),
        }
    }

    /// The only child element of this name.
    pub fn child<'n, 'i>(&self, node: Node<'n, 'i>, name: &str) -> Result<Option<Node<'n, 'i>>, ReadError> {
        let mut found = node
            .children()
            .filter(|c| c.tag_name().name() == name && same_namespace(*c, node) && c.is_element());
        let first = found.next();
        match found.next() {
            Some(second) => Err(self.at(second, format!("a second <{name}>"), format!("one <{name}>"))),
            None => Ok(first),
        }
    }

    /// A number, infinite ones included.
    pub fn number(&self, node: Node<'_, '_>, name: &str) -> Result<Option<f64>, ReadError> {
        let Some(attribute) = self.attribute(node, name)? else { return Ok(None) };
        match attribute.value().trim().parse::<f64>() {
            Ok(number) if number.abs() <= MOST || number.is_infinite() => Ok(Some(number)),
            _ => Err(self.at_value(attribute, "a number between -1e9 and 1e9")),
        }
    }

    /// A finite number.
    pub fn finite_number(&self, node: Node<'_, '_>, name: &str) -> Result<Option<f64>, ReadError> {
        match (self.number(node, name)?, node.attribute_node(name)) {
            (Some(number), Some(attribute)) if number.is_infinite() => {
                Err(self.at_value(attribute, "a finite number"))
            }
            (number, _) => Ok(number),
        }
    }

    /// `N` finite numbers with spaces between them.
    pub fn numbers<const N: usize>(
        &self,
        node: Node<'_, '_>,
        name: &str,
    ) -> Result<Option<[f64; N]>, ReadError> {
        let Some(attribute) = self.attribute(node, name)? else { return Ok(None) };
        let wrong =
            || self.at_value(attribute, format!("{N} finite numbers (up to 1e9) with spaces between them"));
        let mut numbers = [0.0; N];
        let mut words = attribute.value().split_ascii_whitespace();
        for number in &mut numbers {
            *number = words
                .next()
                .and_then(|word| word.parse::<f64>().ok())
                .filter(|n| n.abs() <= MOST)
                .ok_or_else(wrong)?;
        }
        if words.next().is_some() { Err(wrong()) } else { Ok(Some(numbers)) }
    }

    /// Three finite numbers.
    pub fn vector(&self, node: Node<'_, '_>, name: &str) -> Result<Option<Vec3>, ReadError> {
        Ok(self.numbers::<3>(node, name)?.map(Vec3::from_array))
    }

    /// The rotation of an `<origin>`: roll, pitch and yaw about the fixed x, y
    /// and z axes in this order, or a quaternion (URDF 1.1).
    pub fn rotation(&self, node: Node<'_, '_>) -> Result<Quat, ReadError> {
        let quaternion = self.numbers::<4>(node, "quat_xyzw")?;
        match (self.vector(node, "rpy")?, quaternion) {
            (Some(_), Some(_)) => Err(self.at(node, "both rpy and quat_xyzw", "one of them")),
            (None, None) => Ok(Quat::IDENTITY),
            (Some(rpy), None) => Ok((Quat::from_rotation_z(rpy.z)
                * Quat::from_rotation_y(rpy.y)
                * Quat::from_rotation_x(rpy.x))
            .normalize()),
            (None, Some(q)) => {
                let length = q.iter().map(|c| c * c).sum::<f64>().sqrt();
                if (length - 1.0).abs() < 1.0e-3 {
                    Ok(Quat::from_array(q).normalize())
                } else {
                    let found = format!("quat_xyzw of length {length}");
                    Err(self.at(node, found, "a quaternion of length 1"))
                }
            }
        }
    }
}

/// Whether two elements are of the same vocabulary.
pub fn same_namespace(a: Node<'_, '_>, b: Node<'_, '_>) -> bool {
    a.tag_name().namespace() == b.tag_name().namespace()
}
