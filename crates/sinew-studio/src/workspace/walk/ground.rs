//! The ground as the page draws it: a patch around the walker, with no more
//! lines than its form needs.

use sinew_f64::body::walk::{Ground, Terrain};

use crate::rig::things::{self, Things};
use crate::wire::{GroundPatch, TerrainChoice};
use crate::workspace::checked::number;

/// Half the side of a patch, in metres.
const HALF: f64 = 12.0;
/// How far the walker may be from the middle of its patch.
const NEAR: f64 = 6.0;
/// Middles stand on a grid, so that the lines of two patches are the same.
const SNAP: f64 = 4.0;
/// Between the lines over hills: the shortest wave is more than a metre.
const CELL: f64 = 0.32;
/// The two lines of a riser are this far apart, so that they rise.
const RISER: f64 = 5.0e-4;
/// More places in a patch where a mesh may break are no edges but a surface.
const MOST_BREAKS: usize = 40;
/// The stairs begin this far ahead of the origin, and have so many steps each way.
const STAIRS_AT: f64 = 1.5;
const STAIRS: u32 = 8;
/// The length of the highest wave of hills.
const HILL_LENGTH: f64 = 8.0;

/// The ground, and what is known of where it breaks.
#[derive(Debug, Clone)]
pub struct Floor {
    /// The ground itself.
    pub ground: Ground,
    /// Where the corners of its triangles are along x and z, rising: it may break there.
    corners: [Vec<f64>; 2],
}

impl From<Ground> for Floor {
    fn from(ground: Ground) -> Self {
        Self { ground, corners: Default::default() }
    }
}

/// The ground that was chosen, perhaps one of the files that were brought in.
pub fn made(choice: &TerrainChoice, things: &Things) -> Result<Floor, String> {
    let ground = match *choice {
        TerrainChoice::Flat => Ground::Flat,
        TerrainChoice::Slope { grade } => {
            Ground::Slope { grade: number("the grade of the slope", grade, -1.0..=1.0)? }
        }
        TerrainChoice::Stairs { rise, tread } => Ground::Steps {
            start: STAIRS_AT,
            rise: number("the rise of a step", rise, 0.0..=1.0)?,
            tread: number("the tread of a step", tread, 0.05..=3.0)?,
            count: STAIRS,
        },
        TerrainChoice::Hills { seed, height } => {
            let height = number("the height of the hills", height, 0.0..=3.0)?;
            Ground::hills(seed.into(), height, HILL_LENGTH)
        }
        TerrainChoice::Mesh { ref file, scale } => {
            let scale = number("the scale of the ground", scale, 1.0e-4..=1.0e3)?;
            let mesh = things.mesh(file)?;
            let ground = things::mesh_ground(mesh, scale)?;
            let corners = [0, 2].map(|axis| {
                let mut places: Vec<f64> = mesh.corners().flatten().map(|p| p[axis] * scale).collect();
                places.sort_unstable_by(f64::total_cmp);
                places.dedup_by(|a, b| (*a - *b).abs() < 4.0 * RISER);
                places
            });
            return Ok(Floor { ground, corners });
        }
        TerrainChoice::Map { ref file, height, cell } => {
            let height = number("the height of the map", height, -100.0..=100.0)?;
            let cell = number("the side of a pixel", cell, 1.0e-3..=10.0)?;
            things::map_ground(things.map(file)?, height, cell)?
        }
    };
    Ok(ground.into())
}

/// Whether a patch with this middle has enough ground around the walker.
pub fn covers(middle: [f64; 2], walker: [f64; 2]) -> bool {
    (0..2).all(|i| (walker[i] - middle[i]).abs() <= NEAR)
}

/// Where the middle of a patch goes.
pub fn snapped(at: f64) -> f64 {
    (at / SNAP).round() * SNAP
}

/// A line, and where the ground is asked for its height.
type Line = (f64, f64);

/// The ground around a place.
pub fn patch(Floor { ground, corners }: &Floor, [x, z]: [f64; 2]) -> GroundPatch {
    let even = |middle: f64, cells: u32| -> Vec<Line> {
        let at = |i: u32| middle - HALF + 2.0 * HALF * f64::from(i) / f64::from(cells);
        (0..=cells).map(|i| (at(i), at(i))).collect()
    };
    let fine = (2.0 * HALF / CELL).round() as u32;
    let (xs, zs) = match ground {
        Ground::Flat | Ground::Slope { .. } => (even(x, 1), even(z, 1)),
        Ground::Steps { start, tread, count, .. } => (even(x, 1), risers(z, *start, *tread, *count)),
        _ => (broken(even(x, fine), &corners[0]), broken(even(z, fine), &corners[1])),
    };
    let millimetres = |height: f64| ((height * 1.0e3).round() / 1.0e3) as f32;
    let heights = zs.iter().flat_map(|z| xs.iter().map(|x| millimetres(ground.height(x.1, z.1))));
    GroundPatch {
        heights: heights.collect(),
        xs: xs.iter().map(|line| line.0 as f32).collect(),
        zs: zs.iter().map(|line| line.0 as f32).collect(),
    }
}

/// Even lines, and two at every place where a mesh may break; where it has corners everywhere, finer
/// even lines.
fn broken(even: Vec<Line>, corners: &[f64]) -> Vec<Line> {
    let (Some(&first), Some(&last)) = (even.first(), even.last()) else { return even };
    let start = corners.partition_point(|&at| at - 4.0 * RISER <= first.0);
    let end = corners.partition_point(|&at| at + 4.0 * RISER < last.0);
    let inside = corners.get(start..end).unwrap_or_default();
    if inside.len() > MOST_BREAKS {
        let middles = even.windows(2).map(|pair| 0.5 * (pair[0].0 + pair[1].0)).map(|at| (at, at));
        let mut finer: Vec<Line> = middles.collect();
        finer.extend(even);
        finer.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        return finer;
    }
    let far = |line: &Line| inside.iter().all(|at| (line.0 - at).abs() > 2.0 * RISER);
    let mut lines: Vec<Line> = even.into_iter().filter(far).collect();
    lines.extend(inside.iter().flat_map(|&at| [(at - RISER, at - RISER), (at, at + RISER)]));
    lines.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    lines
}

/// Two lines for every riser, one before and one behind it.
fn risers(z: f64, start: f64, tread: f64, count: u32) -> Vec<Line> {
    let (from, to) = (z - HALF, z + HALF);
    let up = (0..count).map(|i| start + tread * f64::from(i));
    let down = (0..count).map(|i| start + tread * f64::from(count + 4 + i));
    let edges = up.chain(down).filter(|&edge| edge - 2.0 * RISER > from && edge + 2.0 * RISER < to);
    let mut lines = vec![(from, from)];
    // Asked for a little to each side, where rounding cannot reach the edge.
    lines.extend(edges.flat_map(|edge| [(edge - RISER, edge - RISER), (edge, edge + RISER)]));
    lines.push((to, to));
    lines
}

#[cfg(test)]
mod tests {
    use sinew_f64::Vec3;

    use super::*;

    fn made(choice: &TerrainChoice) -> Result<Floor, String> {
        super::made(choice, &Things::default())
    }

    /// What the page draws at a place: between the lines, evenly.
    fn drawn(patch: &GroundPatch, x: f64, z: f64) -> f64 {
        let cell = |lines: &[f32], at: f64| {
            let i = lines.iter().rposition(|&l| f64::from(l) <= at).unwrap().min(lines.len() - 2);
            let (a, b) = (f64::from(lines[i]), f64::from(lines[i + 1]));
            (i, (at - a) / (b - a))
        };
        let ((i, s), (j, t)) = (cell(&patch.xs, x), cell(&patch.zs, z));
        let at = |i: usize, j: usize| f64::from(patch.heights[j * patch.xs.len() + i]);
        let (near, far) =
            (at(i, j) * (1.0 - s) + at(i + 1, j) * s, at(i, j + 1) * (1.0 - s) + at(i + 1, j + 1) * s);
        near * (1.0 - t) + far * t
    }

    #[test]
    fn the_patch_is_the_ground_and_is_small() {
        let choices = [
            (TerrainChoice::Flat, 1.0e-3),
            (TerrainChoice::Slope { grade: -0.2 }, 1.0e-3),
            (TerrainChoice::Stairs { rise: 0.16, tread: 0.32 }, 1.0e-3),
            (TerrainChoice::Stairs { rise: 0.1, tread: 0.05 }, 1.0e-3),
            (TerrainChoice::Hills { seed: 3, height: 0.35 }, 0.02),
        ];
        for (choice, near) in choices {
            let floor = made(&choice).unwrap();
            let ground = &floor.ground;
            for middle in [[0.0, 0.0], [-8.0, 12.0], [400.0, -4.0]] {
                let patch = patch(&floor, middle);
                assert_eq!(patch.heights.len(), patch.xs.len() * patch.zs.len());
                assert!(patch.xs.is_sorted_by(|a, b| a < b) && patch.zs.is_sorted_by(|a, b| a < b));
                for i in 0..4000 {
                    let (x, z) = (
                        middle[0] - 11.9 + f64::from(i % 63) * 0.377,
                        middle[1] - 11.9 + f64::from(i) * 0.00594,
                    );
                    let edge =
                        |z: f64| (ground.height(x, z + 1e-3) - ground.height(x, z - 1e-3)).abs() > 0.01;
                    let off = (drawn(&patch, x, z) - ground.height(x, z)).abs();
                    assert!(off < near || edge(z), "{choice:?} {x} {z}: {off}");
                }
                let bytes = serde_json::to_string(&patch).unwrap().len();
                assert!(bytes < 60_000, "{choice:?}: {bytes}");
            }
        }
    }

    #[test]
    fn a_mesh_keeps_its_edges() {
        // A table of half a metre, with nothing around it.
        let table = [[0.3, 1.1], [1.7, 1.1], [1.7, 2.4], [0.3, 2.4]].map(|[x, z]| Vec3::new(x, 0.5, z));
        let triangles = [[table[0], table[1], table[2]], [table[0], table[2], table[3]]];
        let corners = [vec![0.3, 1.7], vec![1.1, 2.4]];
        let floor = Floor { ground: Ground::mesh(&triangles, 0.0), corners };
        let patch = patch(&floor, [0.0, 0.0]);
        assert!(patch.xs.is_sorted_by(|a, b| a < b) && patch.zs.is_sorted_by(|a, b| a < b));
        for (x, z, height) in [(0.31, 2.0, 0.5), (0.29, 2.0, 0.0), (1.0, 1.11, 0.5), (1.0, 1.09, 0.0)] {
            assert!((drawn(&patch, x, z) - height).abs() < 1e-3, "{x} {z}: {}", drawn(&patch, x, z));
        }
        // Corners everywhere make no more lines than twice the usual.
        let many: Vec<f64> = (0..9000).map(|i| -11.0 + f64::from(i) * 0.0025).collect();
        let rough = Floor { corners: [many.clone(), many], ..floor };
        assert!(super::patch(&rough, [0.0, 0.0]).xs.len() < 152);
    }

    #[test]
    fn ground_that_cannot_be_is_refused() {
        for choice in [
            TerrainChoice::Slope { grade: f64::NAN },
            TerrainChoice::Slope { grade: 40.0 },
            TerrainChoice::Stairs { rise: 0.2, tread: 0.0 },
            TerrainChoice::Stairs { rise: f64::INFINITY, tread: 0.3 },
            TerrainChoice::Hills { seed: 0, height: -1.0 },
            TerrainChoice::Mesh { file: "none".into(), scale: 0.0 },
        ] {
            assert!(made(&choice).unwrap_err().contains("goes from"));
        }
    }
}
