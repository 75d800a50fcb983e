//! Heights from pictures: the brightness of a PNG's pixels.

use std::io::Cursor;
use std::path::Path;

use crate::read::open;
use crate::{Budget, Place, ReadError};

/// The brightness of a picture, row after row from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Brightness {
    /// Pixels in a row.
    pub width: usize,
    /// From 0, black, to 1, white; the mean of the colours.
    pub pixels: Vec<f64>,
}

/// Bytes of a pixel.
const PIXEL: usize = size_of::<f64>();

/// Reads the brightness of a PNG, with eight or sixteen bits.
pub fn read(bytes: &[u8]) -> Result<Brightness, ReadError> {
    read_within(bytes, Budget::default())
}

/// [`read`] with another budget of memory. A picture of one colour is a thousandth of its pixels, so
/// the size of the file says nothing.
pub fn read_within(bytes: &[u8], budget: Budget) -> Result<Brightness, ReadError> {
    let wrong = |found: String| ReadError::new(Place::File, found, "a PNG picture");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|error| wrong(error.to_string()))?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    budget.check(width.saturating_mul(height), PIXEL, || format!("{width} by {height} pixels"))?;
    let (color, depth) = reader.output_color_type();
    let wide = depth == png::BitDepth::Sixteen;
    let channels = color.samples();
    let colours = if channels >= 3 { 3 } else { 1 };
    let bytes_each = if wide { 2 } else { 1 };
    let sample = |bytes: &[u8]| match bytes {
        [high, low] => f64::from(u16::from_be_bytes([*high, *low])) / 65535.0,
        [one] => f64::from(*one) / 255.0,
        _ => 0.0,
    };
    let mean =
        |pixel: &[u8]| pixel.chunks_exact(bytes_each).take(colours).map(sample).sum::<f64>() / colours as f64;
    let mut pixels = Vec::with_capacity(width * height);
    // Row by row, so that no second copy of the picture is held. Interlaced rows come in another order.
    if reader.info().interlaced {
        let size = reader.output_buffer_size().ok_or_else(|| wrong("a picture without a size".into()))?;
        budget.check(size, 1, || format!("{width} by {height} pixels, interlaced"))?;
        let mut samples = vec![0; size];
        reader.next_frame(&mut samples).map_err(|error| wrong(error.to_string()))?;
        pixels.extend(samples.chunks_exact(channels * bytes_each).map(&mean));
    } else {
        while let Some(row) = reader.next_row().map_err(|error| wrong(error.to_string()))? {
            pixels.extend(row.data().chunks_exact(channels * bytes_each).map(&mean));
        }
    }
    Ok(Brightness { width, pixels })
}

/// [`read_within`] for a file.
pub fn read_file(path: impl AsRef<Path>, budget: Budget) -> Result<Brightness, ReadError> {
    let path = path.as_ref();
    read_within(&open(path)?, budget).map_err(|error| error.in_file(path.display().to_string()))
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
