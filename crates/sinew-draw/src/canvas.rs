//! A small writer of SVG elements. It knows nothing of skeletons.

use std::fmt::Write;

use crate::color::Color;
use crate::text;

/// A point of the picture in pixels, y down.
pub(crate) type Px = (f64, f64);

/// Where a text stands against its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a shape is filled and stroked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Paint {
    pub fill: Option<Color>,
    pub fill_opacity: f64,
    pub stroke: Option<Color>,
    pub stroke_width: f64,
    pub stroke_opacity: f64,
    pub dashes: bool,
}

impl Paint {
    pub(crate) fn fill(color: Color) -> Self {
        Self { fill: Some(color), fill_opacity: 1.0, stroke_opacity: 1.0, ..Self::default() }
    }

    pub(crate) fn line(color: Color, width: f64) -> Self {
        Self {
            stroke: Some(color),
            stroke_width: width,
            stroke_opacity: 1.0,
            fill_opacity: 1.0,
            ..Self::default()
        }
    }

    pub(crate) fn stroke(mut self, color: Color, width: f64) -> Self {
        self.stroke = Some(color);
        self.stroke_width = width;
        self
    }

    pub(crate) fn opacity(mut self, fill: f64, stroke: f64) -> Self {
        self.fill_opacity = fill;
        self.stroke_opacity = stroke;
        self
    }

    pub(crate) fn dashed(mut self) -> Self {
        self.dashes = true;
        self
    }

    fn attributes(&self) -> String {
        let mut out = String::new();
        match self.fill {
            Some(c) => {
                let _ = write!(out, " fill=\"{c}\"");
                if self.fill_opacity < 1.0 {
                    let _ = write!(out, " fill-opacity=\"{}\"", number(self.fill_opacity));
                }
            }
            None => out.push_str(" fill=\"none\""),
        }
        if let Some(c) = self.stroke {
            let _ = write!(out, " stroke=\"{c}\" stroke-width=\"{}\"", number(self.stroke_width));
            if self.stroke_opacity < 1.0 {
                let _ = write!(out, " stroke-opacity=\"{}\"", number(self.stroke_opacity));
            }
            if self.dashes {
                out.push_str(" stroke-dasharray=\"4 3\"");
            }
        }
        out
    }
}

/// SVG elements in the order they are painted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Canvas {
    body: String,
}

impl Canvas {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn line(&mut self, a: Px, b: Px, paint: &Paint) {
        let _ = writeln!(
            self.body,
            "<path d=\"M{} {}L{} {}\"{} stroke-linecap=\"round\"/>",
            number(a.0),
            number(a.1),
            number(b.0),
            number(b.1),
            paint.attributes()
        );
    }

    pub(crate) fn circle(&mut self, at: Px, radius: f64, paint: &Paint) {
        let _ = writeln!(
            self.body,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>",
            number(at.0),
            number(at.1),
            number(radius),
            paint.attributes()
        );
    }

    pub(crate) fn rect(&mut self, corner: Px, size: Px, rounding: f64, paint: &Paint) {
        let _ = writeln!(
            self.body,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"{}/>",
            number(corner.0),
            number(corner.1),
            number(size.0.max(0.0)),
            number(size.1.max(0.0)),
            number(rounding),
            paint.attributes()
        );
    }

    /// A path from its `d` attribute.
    pub(crate) fn path(&mut self, d: &str, paint: &Paint) {
        if !d.is_empty() {
            let _ = writeln!(self.body, "<path d=\"{d}\"{} stroke-linejoin=\"round\"/>", paint.attributes());
        }
    }

    pub(crate) fn polyline(&mut self, points: &[Px], closed: bool, paint: &Paint) {
        self.path(&polyline_path(points, closed), paint);
    }

    /// A line of text; `at` is on the baseline.
    pub(crate) fn text(&mut self, at: Px, size: f64, anchor: Anchor, color: Color, content: &str) {
        self.text_with(at, size, anchor, color, content, false);
    }

    /// A line of text with a rim of paper, to be read over lines.
    pub(crate) fn haloed_text(&mut self, at: Px, size: f64, anchor: Anchor, color: Color, content: &str) {
        self.text_with(at, size, anchor, color, content, true);
    }

    fn text_with(&mut self, at: Px, size: f64, anchor: Anchor, color: Color, content: &str, halo: bool) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let halo = if halo {
            " paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-opacity=\"0.85\" stroke-linejoin=\"round\""
        } else {
            ""
        };
        let _ = writeln!(
            self.body,
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{anchor} fill=\"{color}\"{halo}>{}</text>",
            number(at.0),
            number(at.1),
            number(size),
            escaped(content)
        );
    }

    /// Everything until [`clip_end`](Self::clip_end) is cut to a rectangle.
    pub(crate) fn clip_begin(&mut self, id: usize, corner: Px, size: Px) {
        let _ = writeln!(
            self.body,
            "<clipPath id=\"c{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath><g clip-path=\"url(#c{id})\">",
            number(corner.0),
            number(corner.1),
            number(size.0),
            number(size.1)
        );
    }

    pub(crate) fn clip_end(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// Everything until [`group_end`](Self::group_end) is see-through by this much.
    pub(crate) fn group_begin(&mut self, opacity: f64) {
        let _ = writeln!(self.body, "<g opacity=\"{}\">", number(opacity));
    }

    pub(crate) fn group_end(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// The whole document.
    pub(crate) fn document(&self, width: f64, height: f64, background: Color) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
             font-family=\"{family}\">\n<rect width=\"{w}\" height=\"{h}\" fill=\"{background}\"/>\n{body}</svg>\n",
            w = number(width),
            h = number(height),
            family = text::FAMILY,
            body = self.body
        )
    }
}

/// The `d` of a path through points.
pub(crate) fn polyline_path(points: &[Px], closed: bool) -> String {
    let mut d = String::new();
    for (i, p) in points.iter().enumerate() {
        let _ = write!(d, "{}{} {}", if i == 0 { 'M' } else { 'L' }, number(p.0), number(p.1));
    }
    if closed && !points.is_empty() {
        d.push('Z');
    }
    d
}

/// A number as short as two places after the point allow. A picture never
/// holds NaN: what is not finite is drawn at the origin.
pub(crate) fn number(x: f64) -> String {
    if !x.is_finite() {
        return "0".into();
    }
    let mut s = format!("{x:.2}");
    while s.ends_with('0') {
        s.pop();
    }
    if s.ends_with('.') {
        s.pop();
    }
    if s == "-0" { "0".into() } else { s }
}

/// Text as XML takes it. Control characters have no place in XML at all.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_numbers() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.001), "0");
        assert_eq!(number(12.345), "12.35");
        assert_eq!(number(f64::NAN), "0");
        assert_eq!(number(100.0), "100");
    }

    #[test]
    fn hostile_names_stay_text() {
        let mut canvas = Canvas::new();
        canvas.text((0.0, 0.0), 12.0, Anchor::Start, crate::color::INK, "</text><script>\u{1}\"&");
        let svg = canvas.document(10.0, 10.0, crate::color::PAPER);
        assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;\u{FFFD}&quot;&amp;"));
    }
}
