//! The ground, as typed.

use anyhow::{Context, Result};
use sinew_f64::Vec3;
use sinew_f64::body::walk::Ground;

use crate::failure::usage;
use crate::memory;

/// Pixels of a height map a metre.
const PIXELS: f64 = 10.0;

/// Where a wall, a kerb or a ditch begins, and how thick a wall is, in metres.
const START: f64 = 2.5;
const WALL: f64 = 0.3;

fn block(length: f64, height: f64) -> Ground {
    Ground::Block { start: START, length, height }
}

/// Reads what follows an option such as `--terrain`.
pub fn parse(option: &str, text: &str) -> Result<Ground> {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    let bad = |what: &str| usage(format!("{option} {text}: {what}"));
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
        "wall" => match numbers()?[..] {
            [] => Ok(block(WALL, 2.0)),
            [height] if height > 0.0 => Ok(block(WALL, height)),
            _ => Err(bad("expected its height in metres")),
        },
        "kerb" => match numbers()?[..] {
            [] => Ok(block(f64::INFINITY, 0.12)),
            [height] => Ok(block(f64::INFINITY, height)),
            _ => Err(bad("expected its height in metres, below zero for a drop")),
        },
        "ditch" => match numbers()?[..] {
            [] => Ok(block(1.0, -1.0)),
            [width] if width > 0.0 => Ok(block(width, -1.0)),
            [width, depth] if width > 0.0 && depth > 0.0 => Ok(block(width, -depth)),
            _ => Err(bad("expected its width and its depth in metres")),
        },
        "rubble" => match numbers()?[..] {
            [] => Ok(Ground::rubble(1, 0.1, 0.3)),
            [seed] => Ok(Ground::rubble(seed as u64, 0.1, 0.3)),
            [seed, height] if height >= 0.0 => Ok(Ground::rubble(seed as u64, height, 0.3)),
            _ => Err(bad("expected a seed and a height")),
        },
        "map" => {
            let (file, height) = rest.rsplit_once(',').unwrap_or((rest, "1"));
            let height = height.trim().parse::<f64>().ok().filter(|h| h.is_finite());
            picture(file, height.ok_or_else(|| bad("expected a height after the comma"))?)
        }
        "mesh" => mesh(rest),
        other => Err(usage(format!(
            "there is no terrain '{other}'; there are flat, slope, steps, hills, wall, kerb, ditch, rubble, map:FILE.png, mesh:FILE.obj"
        ))),
    }
}

/// Heights from the brightness of a picture.
fn picture(file: &str, height: f64) -> Result<Ground> {
    let picture = sinew_io::picture::read_file(file, memory::budget())?;
    // In place: a second copy of a large map would be the larger part of what it takes.
    let mut heights = picture.pixels;
    heights.iter_mut().for_each(|bright| *bright *= height);
    Ground::map(picture.width, heights, 1.0 / PIXELS).with_context(|| format!("{file}: no pixels"))
}

/// Triangles of a Wavefront file.
fn mesh(file: &str) -> Result<Ground> {
    let triangles: Vec<[Vec3; 3]> = sinew_io::obj::read_file(file, memory::budget())?.corners().collect();
    Ok(Ground::mesh(&triangles, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grounds_are_read_and_nonsense_is_named() {
        assert_eq!(parse("--terrain", "flat").unwrap(), Ground::Flat);
        assert_eq!(parse("--terrain", "slope:-0.1").unwrap(), Ground::Slope { grade: -0.1 });
        assert_eq!(parse("--terrain", "steps").unwrap(), Ground::STAIRS);
        assert!(matches!(parse("--terrain", "hills:3,0.2").unwrap(), Ground::Relief(_)));
        let ditch = Ground::Block { start: START, length: 0.5, height: -2.0 };
        assert_eq!(parse("--terrain", "ditch:0.5,2").unwrap(), ditch);
        for (text, wanted) in [
            ("swamp", "flat"),
            ("slope:x", "numbers"),
            ("steps:1", "tread"),
            ("wall:-1", "height"),
            ("map:/nowhere.png", "/nowhere.png"),
        ] {
            let error = format!("{:#}", parse("--terrain", text).unwrap_err());
            assert!(error.contains(wanted), "{error}");
        }
    }
}
