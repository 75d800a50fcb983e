//! From a [`BvhDocument`] to bytes.

use std::fmt::Write as _;

use glam::DVec3;

use super::document::BvhDocument;

/// Digits after the point. Ten of them place a joint to a nanometre and less,
/// and are few enough that a number that went through a quaternion and back
/// rounds to what it was.
const DECIMALS: usize = 10;

/// Writes the document as text, with LF line ends and tabs. Braces and line
/// ends in names, which would end them, become `_`.
pub fn write(document: &BvhDocument) -> Vec<u8> {
    let mut out = String::from("HIERARCHY\n");
    let mut open: Vec<usize> = Vec::new();
    for (i, joint) in document.joints.iter().enumerate() {
        while open.last().copied() != joint.parent && !open.is_empty() {
            close(&mut out, document, &mut open);
        }
        let depth = open.len();
        let keyword = if joint.parent.is_none() { "ROOT" } else { "JOINT" };
        let name: String = joint.name.chars().map(|c| if "{}\r\n".contains(c) { '_' } else { c }).collect();
        line(&mut out, depth, format_args!("{keyword} {}", name.trim()));
        line(&mut out, depth, format_args!("{{"));
        offset(&mut out, depth + 1, joint.offset);
        indent(&mut out, depth + 1);
        let _ = write!(out, "CHANNELS {}", joint.channels.len());
        for channel in &joint.channels {
            out.push(' ');
            out.push_str(channel.name());
        }
        out.push('\n');
        open.push(i);
    }
    while !open.is_empty() {
        close(&mut out, document, &mut open);
    }
    out.push_str("MOTION\n");
    let _ = writeln!(out, "Frames: {}", document.frame_count());
    // Shortest digits that read back as the same number.
    let _ = writeln!(out, "Frame Time: {}", document.frame_time);
    for frame in document.frames() {
        for (i, &value) in frame.iter().enumerate() {
            if i > 0 {
                out.push(' ');
            }
            number(&mut out, value);
        }
        out.push('\n');
    }
    out.into_bytes()
}

/// Ends the innermost joint, after its End Sites.
fn close(out: &mut String, document: &BvhDocument, open: &mut Vec<usize>) {
    let Some(joint) = open.pop() else { return };
    let depth = open.len();
    for &site in &document.joints[joint].end_sites {
        line(out, depth + 1, format_args!("End Site"));
        line(out, depth + 1, format_args!("{{"));
        offset(out, depth + 2, site);
        line(out, depth + 1, format_args!("}}"));
    }
    line(out, depth, format_args!("}}"));
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n('\t', depth));
}

fn line(out: &mut String, depth: usize, text: std::fmt::Arguments) {
    indent(out, depth);
    let _ = writeln!(out, "{text}");
}

fn offset(out: &mut String, depth: usize, v: DVec3) {
    indent(out, depth);
    out.push_str("OFFSET");
    for value in v.to_array() {
        out.push(' ');
        number(out, value);
    }
    out.push('\n');
}

fn number(out: &mut String, value: f64) {
    let start = out.len();
    let _ = write!(out, "{value:.DECIMALS$}");
    let kept = out[start..].trim_end_matches('0').trim_end_matches('.').len();
    out.truncate(start + kept);
    if &out[start..] == "-0" {
        out.replace_range(start.., "0");
    }
}
