//! A finished picture: SVG, or PNG made from it.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use resvg::{tiny_skia, usvg};

use crate::text;

/// Why a picture could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The SVG could not be read back; a fault of this crate.
    #[error("the picture is not sound SVG: {0}")]
    Svg(String),
    /// The asked size is zero or beyond what is sensible.
    #[error("a picture {width} pixels wide is not possible; between 16 and {most} are", most = Drawing::MOST_PIXELS)]
    Size {
        /// The width that was asked for.
        width: u32,
    },
    /// The PNG could not be encoded.
    #[error("the picture could not be encoded as PNG: {0}")]
    Png(String),
    /// A plot whose numbers make no picture.
    #[error("the plot '{plot}' cannot be drawn: {reason}")]
    Plot {
        /// The plot's title.
        plot: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The file's ending says neither SVG nor PNG.
    #[error("{file}: a picture is written as .png or .svg")]
    Extension {
        /// The file as it was given.
        file: String,
    },
}

/// A picture, kept as SVG.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    svg: String,
    width: f64,
    height: f64,
}

static FONT_DATABASE: LazyLock<Arc<usvg::fontdb::Database>> = LazyLock::new(|| {
    let mut database = usvg::fontdb::Database::new();
    for font in text::FONTS {
        database.load_font_data(font.to_vec());
    }
    database.set_sans_serif_family("Ubuntu");
    database.set_monospace_family("Hack");
    Arc::new(database)
});

impl Drawing {
    /// The most pixels along either side of a PNG.
    pub const MOST_PIXELS: u32 = 8192;

    pub(crate) fn new(svg: String, width: f64, height: f64) -> Self {
        Self { svg, width, height }
    }

    /// The SVG document.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Width and height in the SVG's own units.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// The picture as PNG, this many pixels wide.
    pub fn png(&self, width: u32) -> Result<Vec<u8>, DrawError> {
        let scale = f64::from(width) / self.width;
        let height = (self.height * scale).round().max(1.0);
        if !(16..=Self::MOST_PIXELS).contains(&width) || height > f64::from(Self::MOST_PIXELS) {
            return Err(DrawError::Size { width });
        }
        let options = usvg::Options {
            fontdb: FONT_DATABASE.clone(),
            font_family: "Ubuntu".into(),
            ..Default::default()
        };
        let tree = usvg::Tree::from_str(&drawable(&self.svg), &options)
            .map_err(|error| DrawError::Svg(error.to_string()))?;
        let mut pixels = tiny_skia::Pixmap::new(width, height as u32).ok_or(DrawError::Size { width })?;
        let transform = tiny_skia::Transform::from_scale(scale as f32, scale as f32);
        resvg::render(&tree, transform, &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| DrawError::Png(error.to_string()))
    }

    /// The picture as a file of this name, by its ending; `width` is in pixels, for PNG. Writing it is
    /// left to whoever knows what else is written.
    pub fn encode(&self, file: &Path, width: u32) -> Result<Vec<u8>, DrawError> {
        let extension = file.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
        match extension.as_str() {
            "svg" => Ok(self.svg.clone().into_bytes()),
            "png" => self.png(width),
            _ => Err(DrawError::Extension { file: file.display().to_string() }),
        }
    }
}

/// The SVG with letters that no embedded font has made visible as question
/// marks; resvg would leave them out without a word. Only text holds letters
/// beyond ASCII, so the whole document can be mapped.
fn drawable(svg: &str) -> String {
    svg.chars().map(|c| if text::covers(c) { c } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Drawing {
        let mut canvas = crate::canvas::Canvas::new();
        canvas.text((5.0, 30.0), 20.0, crate::canvas::Anchor::Start, crate::color::INK, "腕 arm");
        Drawing::new(canvas.document(100.0, 50.0, crate::color::PAPER), 100.0, 50.0)
    }

    #[test]
    fn a_png_has_the_size_that_was_asked_for_and_shows_text() {
        let png = square().png(200).unwrap();
        let pixels = tiny_skia::Pixmap::decode_png(&png).unwrap();
        assert_eq!((pixels.width(), pixels.height()), (200, 100));
        assert!(pixels.pixels().iter().filter(|p| p.red() < 128).count() > 100, "the text is missing");
        assert_eq!(png, square().png(200).unwrap());
    }

    #[test]
    fn senseless_sizes_and_endings_are_refused() {
        assert!(matches!(square().png(0), Err(DrawError::Size { .. })));
        assert!(matches!(square().png(1_000_000), Err(DrawError::Size { .. })));
        assert!(matches!(square().encode(Path::new("x.jpg"), 100), Err(DrawError::Extension { .. })));
        assert!(square().encode(Path::new("x.SVG"), 0).unwrap().starts_with(b"<svg"));
    }
}
