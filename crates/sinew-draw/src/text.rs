//! The embedded fonts: how wide a text is and which letters there are.

use std::sync::LazyLock;

use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// The family that pictures ask for, with what a viewer of the SVG may have instead.
pub(crate) const FAMILY: &str = "Ubuntu, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";
/// The family that plots ask for, which take one name.
pub(crate) const PLOT_FAMILY: &str = "Ubuntu";

/// The fonts' bytes, the one for text first.
pub(crate) const FONTS: [&[u8]; 2] = [UBUNTU_LIGHT, HACK_REGULAR];

static FACES: LazyLock<Vec<FontRef<'static>>> =
    LazyLock::new(|| FONTS.iter().filter_map(|bytes| FontRef::new(bytes).ok()).collect());

/// The width of a line of text set in the text font, in pixels.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    let Some(face) = FACES.first() else { return text.chars().count() as f64 * size * 0.55 };
    let metrics = face.glyph_metrics(Size::new(size as f32), LocationRef::default());
    let charmap = face.charmap();
    text.chars()
        .map(|c| charmap.map(c).and_then(|g| metrics.advance_width(g)).map_or(size * 0.6, f64::from))
        .sum()
}

/// Whether one of the embedded fonts can draw the letter.
pub(crate) fn covers(letter: char) -> bool {
    letter.is_ascii() || FACES.iter().any(|face| face.charmap().map(letter).is_some())
}

/// A text cut to fit, with an ellipsis where something is missing.
pub(crate) fn fitted(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_string();
    }
    let mut kept = String::new();
    let mut used = width("…", size);
    for c in text.chars() {
        used += width(c.encode_utf8(&mut [0; 4]), size);
        if used > most {
            break;
        }
        kept.push(c);
    }
    kept.push('…');
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_grow_with_the_text_and_the_size() {
        assert!(width("ii", 12.0) < width("WW", 12.0));
        assert!((width("left_arm", 24.0) - 2.0 * width("left_arm", 12.0)).abs() < 0.01);
        assert_eq!(width("", 12.0), 0.0);
    }

    #[test]
    fn long_text_is_cut_with_an_ellipsis() {
        let cut = fitted("a very long name of a joint", 12.0, 60.0);
        assert!(cut.ends_with('…') && width(&cut, 12.0) <= 60.0 + 12.0);
        assert_eq!(fitted("short", 12.0, 200.0), "short");
    }

    #[test]
    fn degrees_and_dashes_are_covered_and_kanji_are_not() {
        assert!(['°', '−', '…', 'é', 'µ', '·'].into_iter().all(covers));
        assert!(!covers('腕'));
    }
}
