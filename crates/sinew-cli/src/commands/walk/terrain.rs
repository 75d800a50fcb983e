//! What a walk goes over, as typed.

use std::fs::File;
use std::io::BufReader;

use anyhow::{Context, Result};
use sinew_f64::Vec3;
use sinew_f64::body::walk::Ground;

use crate::failure::usage;

/// Pixels of a height map a metre.
const PIXELS: f64 = 10.0;

/// Reads what follows `--terrain`.
pub fn parse(text: &str) -> Result<Ground> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let bad = |what: &str| usage(format!("--terrain {text}: {what}"));
    let numbers = || -> Result<Vec<f64>> {
        let words = rest.split(',').filter(|w| !w.trim().is_empty());
        words
            .map(|w| w.trim().parse::<f64>().ok().filter(|x| x.is_finite()))
            .collect::<Option<Vec<f64>>>()
            .ok_or_else(|| bad("expected numbers"))
    };
    match name {
        "flat" => Ok(Ground::Flat),
        "slope" => match numbers()?[..] {
            [] => Ok(Ground::Slope { grade: 0.15 }),
            [grade] if grade.abs() <= 1.0 => Ok(Ground::Slope { grade }),
            _ => Err(bad("expected a grade from -1 to 1")),
        },
        "steps" | "stairs" => match numbers()?[..] {
            [] => Ok(Ground::STAIRS),
            [rise, tread] if rise > 0.0 && tread > 0.0 => {
                Ok(Ground::Steps { start: 1.5, rise, tread, count: 8 })
            }
            _ => Err(bad("expected the rise and the tread in metres")),
        },
        "hills" => match numbers()?[..] {
            [] => Ok(Ground::hills(1, 0.35, 8.0)),
            [seed] => Ok(Ground::hills(seed as u64, 0.35, 8.0)),
            [seed, height] => Ok(Ground::hills(seed as u64, height, 8.0)),
            _ => Err(bad("expected a seed and a height")),
        },
        "map" => {
            let (file, height) = rest.rsplit_once(',').unwrap_or((rest, "1"));
            let height = height.trim().parse::<f64>().ok().filter(|h| h.is_finite());
            picture(file, height.ok_or_else(|| bad("expected a height after the comma"))?)
        }
        "mesh" => mesh(rest),
        other => Err(usage(format!(
            "there is no terrain '{other}'; there are flat, slope, steps, hills, map:FILE.png, mesh:FILE.obj"
        ))),
    }
}

/// Heights from the brightness of a picture.
fn picture(file: &str, height: f64) -> Result<Ground> {
    let opened = File::open(file).with_context(|| format!("cannot read {file}"))?;
    let mut decoder = png::Decoder::new(BufReader::new(opened));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let mut reader = decoder.read_info().with_context(|| format!("{file}: not a PNG"))?;
    let size = reader.output_buffer_size().with_context(|| format!("{file}: too large"))?;
    let mut bytes = vec![0; size];
    let info = reader.next_frame(&mut bytes).with_context(|| format!("{file}: broken PNG"))?;
    let channels = info.color_type.samples();
    let colours = if channels >= 3 { 3 } else { 1 };
    let pixels = bytes[..info.buffer_size()].chunks_exact(channels);
    let bright =
        |p: &[u8]| p[..colours].iter().map(|&c| f64::from(c)).sum::<f64>() / (255.0 * colours as f64);
    let heights: Vec<f64> = pixels.map(|p| bright(p) * height).collect();
    Ground::map(info.width as usize, heights, 1.0 / PIXELS).with_context(|| format!("{file}: no pixels"))
}

/// Triangles of a Wavefront file.
fn mesh(file: &str) -> Result<Ground> {
    let opened = File::open(file).with_context(|| format!("cannot read {file}"))?;
    let options = tobj::LoadOptions { triangulate: true, single_index: true, ..Default::default() };
    let (models, _) = tobj::load_obj_buf(&mut BufReader::new(opened), &options, |_| Ok(Default::default()))
        .with_context(|| format!("{file}: not a Wavefront OBJ file"))?;
    let mut triangles = Vec::new();
    for model in &models {
        let corner = |&i: &u32| {
            let at = 3 * i as usize;
            model.mesh.positions.get(at..at + 3).map(|p| Vec3::new(p[0].into(), p[1].into(), p[2].into()))
        };
        for three in model.mesh.indices.chunks_exact(3) {
            if let [Some(a), Some(b), Some(c)] = [corner(&three[0]), corner(&three[1]), corner(&three[2])] {
                triangles.push([a, b, c]);
            }
        }
    }
    if triangles.is_empty() {
        return Err(usage(format!("{file}: no triangles")));
    }
    Ok(Ground::mesh(&triangles, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grounds_are_read_and_nonsense_is_named() {
        assert_eq!(parse("flat").unwrap(), Ground::Flat);
        assert_eq!(parse("slope:-0.1").unwrap(), Ground::Slope { grade: -0.1 });
        assert_eq!(parse("steps").unwrap(), Ground::STAIRS);
        assert!(matches!(parse("hills:3,0.2").unwrap(), Ground::Relief(_)));
        for (text, wanted) in [
            ("swamp", "flat"),
            ("slope:x", "numbers"),
            ("steps:1", "tread"),
            ("map:/nowhere.png", "cannot read"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(wanted), "{error}");
        }
    }
}
