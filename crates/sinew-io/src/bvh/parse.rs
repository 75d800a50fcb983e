//! From bytes to a [`BvhDocument`].
//!
//! The hierarchy is read by words, so that line breaks, tabs and braces may
//! stand anywhere, except that a name runs to the end of its line and may hold
//! spaces. Nothing recurses and nothing is allocated because a number in the
//! file asks for it.

use glam::DVec3;

use super::document::{BvhDocument, BvhJoint, Channel};
use crate::error::quoted;
use crate::text::number::short_decimal;
use crate::text::{Words, is_word, plain_text};
use crate::{Note, Place, ReadError};

/// The most joints a file may have.
pub const MAX_JOINTS: usize = 1 << 16;
/// How deep joints may nest.
pub const MAX_DEPTH: usize = 1024;
/// The most numbers a motion may have: half a gigabyte of them, an hour and a
/// half of a full body at 120 frames a second.
pub const MAX_VALUES: usize = 1 << 26;

/// Reads what the file says. Fails with the line, what was found there and
/// what was expected; repairs are in the document's notes.
pub fn parse(bytes: &[u8]) -> Result<BvhDocument, ReadError> {
    let mut words = Words::new(plain_text(bytes)?);
    let mut notes = Vec::new();
    let joints = hierarchy(&mut words, &mut notes)?;
    let mut document = BvhDocument { joints, frame_time: 0.0, values: Vec::new(), notes };
    motion(&mut words, &mut document)?;
    Ok(document)
}

/// A joint whose closing brace has not come yet.
struct Open {
    joint: usize,
    line: usize,
    has_offset: bool,
    has_channels: bool,
    has_children: bool,
}

fn hierarchy(words: &mut Words, notes: &mut Vec<Note>) -> Result<Vec<BvhJoint>, ReadError> {
    words.expect("HIERARCHY")?;
    words.expect("ROOT")?;
    let mut joints = Vec::new();
    let mut open = vec![begin_joint(words, None, &mut joints, notes)?];

    loop {
        let depth = open.len();
        let Some(current) = open.last_mut() else { return Ok(joints) };
        let word = words.peek();
        if is_word(word, "OFFSET") {
            if current.has_offset {
                return Err(words.wrong(word, "one OFFSET for a joint"));
            }
            words.next();
            joints[current.joint].offset = words.vector("a number of the joint's OFFSET")?;
            current.has_offset = true;
        } else if is_word(word, "CHANNELS") {
            if current.has_channels || current.has_children {
                return Err(words.wrong(word, "one CHANNELS for a joint, ahead of the joints below it"));
            }
            words.next();
            joints[current.joint].channels = channels(words)?;
            current.has_channels = true;
        } else if is_word(word, "JOINT") {
            if depth >= MAX_DEPTH {
                return Err(words.wrong(word, format!("at most {MAX_DEPTH} joints below each other")));
            }
            words.next();
            current.has_children = true;
            let parent = Some(current.joint);
            open.push(begin_joint(words, parent, &mut joints, notes)?);
        } else if is_word(word, "End") {
            words.next();
            let joint = current.joint;
            joints[joint].end_sites.push(end_site(words)?);
        } else if is_word(word, "}") {
            if !current.has_offset {
                let name = quoted(&joints[current.joint].name);
                return Err(words.wrong(word, format!("the OFFSET of joint {name}")));
            }
            words.next();
            open.pop();
        } else {
            let name = quoted(&joints[current.joint].name);
            let expected =
                format!("OFFSET, CHANNELS, JOINT, End Site or '}}' in joint {name} of line {}", current.line);
            return Err(words.wrong(word, expected));
        }
    }
}

fn begin_joint(
    words: &mut Words,
    parent: Option<usize>,
    joints: &mut Vec<BvhJoint>,
    notes: &mut Vec<Note>,
) -> Result<Open, ReadError> {
    let line = words.line;
    if joints.len() >= MAX_JOINTS {
        return Err(words.wrong(Some(b"one joint more"), format!("at most {MAX_JOINTS} joints")));
    }
    let bytes = words.name();
    let mut name = String::from_utf8_lossy(bytes).into_owned();
    if std::str::from_utf8(bytes).is_err() {
        notes.push(Note::new(format!("line {line}: the name {} is not UTF-8", quoted(&name))));
    }
    if name.is_empty() {
        name = format!("joint{}", joints.len());
        notes.push(Note::new(format!("line {line}: a joint without a name is called '{name}'")));
    }
    words.expect("{")?;
    let joint = joints.len();
    joints.push(BvhJoint { name, parent, offset: DVec3::ZERO, channels: Vec::new(), end_sites: Vec::new() });
    Ok(Open { joint, line, has_offset: false, has_channels: false, has_children: false })
}

fn channels(words: &mut Words) -> Result<Vec<Channel>, ReadError> {
    let count = words.count("how many channels the joint has")?;
    let mut channels: Vec<Channel> = Vec::new();
    while let Some(channel) = words.peek().and_then(Channel::from_name) {
        let twice = matches!(channel, Channel::Position(_)) && channels.contains(&channel);
        if twice || channels.len() == count {
            let expected = if twice { "each position channel once".into() } else { counted(count) };
            return Err(words.wrong(Some(channel.name().as_bytes()), expected));
        }
        channels.push(channel);
        words.next();
    }
    if channels.len() < count {
        let word = words.peek();
        return Err(words.wrong(word, format!("{}, each X, Y or Z position or rotation", counted(count))));
    }
    Ok(channels)
}

fn counted(count: usize) -> String {
    format!("{count} channels, as the line says")
}

fn end_site(words: &mut Words) -> Result<DVec3, ReadError> {
    words.expect("Site")?;
    // Some writers give the site a name, which nothing refers to.
    words.name();
    words.expect("{")?;
    words.expect("OFFSET")?;
    let offset = words.vector("a number of the End Site's OFFSET")?;
    if is_word(words.peek(), "CHANNELS") {
        words.next();
        channels(words).and_then(|channels| match channels.first() {
            None => Ok(()),
            Some(first) => Err(words.wrong(Some(first.name().as_bytes()), "an End Site without channels")),
        })?;
    }
    words.expect("}")?;
    Ok(offset)
}

fn motion(words: &mut Words, document: &mut BvhDocument) -> Result<(), ReadError> {
    let note = |document: &mut BvhDocument, text: String| document.notes.push(Note::new(text));
    let word = words.peek();
    if word.is_none() {
        note(document, "there is no MOTION section".into());
        return Ok(());
    }
    if is_word(word, "ROOT") {
        let expected = "MOTION: a skeleton has one ROOT. Split the file, or put both under one root";
        return Err(words.wrong(word, expected));
    }
    words.expect("MOTION")?;
    words.label("Frames")?;
    let declared = words.count("the number of frames")?;
    words.label("Frame Time")?;
    let line = words.line;
    let frame_time = words.number("the seconds of a frame")?;
    if frame_time < 0.0 {
        let found = format!("a frame time of {frame_time} s");
        return Err(ReadError::new(Place::Line(line), found, "a frame time above zero"));
    }
    document.frame_time = frame_time;
    if frame_time == 0.0 {
        document.frame_time = 1.0 / 30.0;
        note(document, format!("line {line}: a frame time of zero is taken as 1/30 s"));
    }

    let width = document.channel_count();
    let odd_line = values(words, width, declared, &mut document.values)?;
    if width == 0 {
        if declared > 0 {
            note(document, format!("no joint has channels, so the {declared} frames hold nothing"));
        }
        return Ok(());
    }
    let frames = document.values.len() / width;
    if let Some((line, count)) = odd_line {
        // Wrapped rows are fine as long as the sum comes out exactly;
        // otherwise numbers may have been lost and every row after is wrong.
        if document.values.len() != declared.saturating_mul(width) {
            let expected = format!("{width}, one for each channel");
            return Err(ReadError::new(Place::Line(line), format!("a row of {count} numbers"), expected));
        }
        note(document, format!("line {line}: frames are not one line each; they are read number by number"));
    }
    if frames != declared {
        note(
            document,
            format!("the file declares {declared} frames and holds {frames}; all {frames} are kept"),
        );
    }
    Ok(())
}

/// Reads numbers to the end of the file. Returns the first line that does not
/// hold exactly `width` of them, and how many it holds.
fn values(
    words: &mut Words,
    width: usize,
    declared: usize,
    values: &mut Vec<f64>,
) -> Result<Option<(usize, usize)>, ReadError> {
    // The file's claim, but never more than its bytes can hold.
    let possible = (words.bytes.len() - words.at) / 2 + 1;
    values.reserve_exact(declared.saturating_mul(width).min(possible).min(MAX_VALUES));

    let mut odd_line = None;
    let mut line = words.line;
    let mut line_start = 0;
    loop {
        words.skip_space();
        if words.line != line || words.at == words.bytes.len() {
            let count = values.len() - line_start;
            if count != 0 && count != width && odd_line.is_none() {
                odd_line = Some((line, count));
            }
            (line, line_start) = (words.line, values.len());
        }
        let rest = &words.bytes[words.at..];
        let value = if let Some((value, length)) = short_decimal(rest) {
            words.at += length;
            value
        } else if rest.is_empty() {
            return Ok(odd_line);
        } else {
            words.number("a finite number, or the end of the file")?
        };
        if values.len() >= MAX_VALUES {
            return Err(words.wrong(Some(b"one number more"), format!("at most {MAX_VALUES} numbers")));
        }
        values.push(value);
    }
}
