//! Heights from pictures: the brightness of a PNG's pixels.

use std::io::Cursor;
use std::path::Path;

use crate::read::open;
use crate::{Place, ReadError};

/// The brightness of a picture, row after row from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Brightness {
    /// Pixels in a row.
    pub width: usize,
    /// From 0, black, to 1, white; the mean of the colours.
    pub pixels: Vec<f64>,
}

/// The most pixels that are taken: a square of 16384.
const MOST_PIXELS: u64 = 1 << 28;

/// Reads the brightness of a PNG, with eight or sixteen bits.
pub fn read(bytes: &[u8]) -> Result<Brightness, ReadError> {
    let wrong = |found: String| ReadError::new(Place::File, found, "a PNG picture");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|error| wrong(error.to_string()))?;
    let (width, height) = (u64::from(reader.info().width), u64::from(reader.info().height));
    if width * height > MOST_PIXELS {
        return Err(wrong(format!("{width} by {height} pixels")));
    }
    let size = reader.output_buffer_size().ok_or_else(|| wrong("a picture without a size".into()))?;
    let mut samples = vec![0; size];
    let info = reader.next_frame(&mut samples).map_err(|error| wrong(error.to_string()))?;
    let wide = info.bit_depth == png::BitDepth::Sixteen;
    let channels = info.color_type.samples();
    let colours = if channels >= 3 { 3 } else { 1 };
    let bytes_each = if wide { 2 } else { 1 };
    let sample = |bytes: &[u8]| match bytes {
        [high, low] => f64::from(u16::from_be_bytes([*high, *low])) / 65535.0,
        [one] => f64::from(*one) / 255.0,
        _ => 0.0,
    };
    let mean =
        |pixel: &[u8]| pixel.chunks_exact(bytes_each).take(colours).map(sample).sum::<f64>() / colours as f64;
    let pixels = samples[..info.buffer_size()].chunks_exact(channels * bytes_each).map(mean).collect();
    Ok(Brightness { width: info.width as usize, pixels })
}

/// [`read`] for a file.
pub fn read_file(path: impl AsRef<Path>) -> Result<Brightness, ReadError> {
    let path = path.as_ref();
    read(&open(path)?).map_err(|error| error.in_file(path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png_of(color: png::ColorType, depth: png::BitDepth, width: u32, data: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, width, 1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        file
    }

    #[test]
    fn brightness_is_the_mean_of_the_colours() {
        let eight = png_of(png::ColorType::Rgba, png::BitDepth::Eight, 2, &[255, 0, 0, 9, 255, 255, 255, 0]);
        let read8 = read(&eight).unwrap();
        assert_eq!(read8.width, 2);
        assert!((read8.pixels[0] - 1.0 / 3.0).abs() < 1e-12 && read8.pixels[1] == 1.0);
        let sixteen = png_of(png::ColorType::Grayscale, png::BitDepth::Sixteen, 2, &[0x80, 0x00, 0x00, 0x01]);
        assert_eq!(read(&sixteen).unwrap().pixels, [32768.0 / 65535.0, 1.0 / 65535.0]);
        for end in 0..eight.len() {
            // The last chunk only says that the picture ends.
            if let Ok(cut) = read(&eight[..end]) {
                assert_eq!(cut, read8);
            }
        }
        assert!(read(b"no picture").is_err());
    }
}
