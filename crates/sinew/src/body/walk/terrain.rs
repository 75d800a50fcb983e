//! The ground as a height over the horizontal plane.
//!
//! The walker asks for nothing else: how high is the ground here? Overhangs and
//! caves therefore do not exist for it. Heights must be finite; what is not is
//! taken as zero.

use alloc::vec::Vec;

use crate::math::random::Random;
use crate::math::*;

/// A height for every place.
pub trait Terrain {
    /// How high the ground is at x, z, in metres.
    fn height(&self, x: Real, z: Real) -> Real;
}

/// Any closure over x and z is a terrain.
impl<F: Fn(Real, Real) -> Real> Terrain for F {
    fn height(&self, x: Real, z: Real) -> Real {
        self(x, z)
    }
}

/// A terrain whose heights are numbers.
pub(in crate::body) struct Finite<'a>(pub &'a dyn Terrain);

impl Terrain for Finite<'_> {
    fn height(&self, x: Real, z: Real) -> Real {
        let height = self.0.height(x, z);
        if height.is_finite() { height } else { 0.0 }
    }
}

/// The grounds that the project makes itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// Height zero everywhere.
    Flat,
    /// Rising by this much a metre along z.
    Slope {
        /// The rise over the run.
        grade: Real,
    },
    /// Stairs along z: so many up from `start`, then the same number down after
    /// a landing of four treads.
    Steps {
        /// Where the first riser stands.
        start: Real,
        /// The height of a step, in metres.
        rise: Real,
        /// Its depth, in metres.
        tread: Real,
        /// How many.
        count: u32,
    },
    /// A block across the way: a wall, a kerb or a sill above zero, a ditch or a drop below.
    Block {
        /// Where it begins along z.
        start: Real,
        /// How far it goes on along z, in metres; without end for a kerb or a drop.
        length: Real,
        /// How high it is, in metres; below zero, how deep.
        height: Real,
    },
    /// Of any shape, as [`hills`](Self::hills), [`map`](Self::map) and [`mesh`](Self::mesh) make it.
    Relief(Relief),
}

/// Ground of any shape.
#[derive(Debug, Clone, PartialEq)]
pub struct Relief(Shape);

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    /// Wave vector, phase and height of each.
    Waves(Vec<(Vec2, Real, Real)>),
    Grid(Grid),
    Mesh(Mesh),
}

impl Ground {
    /// A flight of stairs of the usual size, a metre and a half ahead.
    pub const STAIRS: Self = Self::Steps { start: 1.5, rise: 0.16, tread: 0.32, count: 8 };

    /// A sum of waves in random directions: smooth, without end, and the same for a seed. The
    /// highest wave is `height` metres and `length` metres long; the shorter ones are lower, so
    /// that the steepest slope stays near `2π · height / length`.
    pub fn hills(seed: u64, height: Real, length: Real) -> Self {
        let mut random = Random(seed);
        let waves = (0..7).map(|i| {
            let shorter = (0.72 as Real).powi(i);
            let direction = random.between(0.0, TAU);
            let wave = TAU / (length.max(0.1) * shorter);
            let vector = Vec2::new(direction.cos(), direction.sin()) * wave;
            (vector, random.between(0.0, TAU), 0.45 * height * shorter * shorter)
        });
        Self::Relief(Relief(Shape::Waves(waves.collect())))
    }

    /// Rubble: stones of random heights up to `height` metres, a `stone` apart, with slopes
    /// between them, over 24 m; the same for a seed. It starts at zero in the middle.
    pub fn rubble(seed: u64, height: Real, stone: Real) -> Self {
        let cell = stone.max(0.05);
        let columns = ((24.0 / cell) as usize).clamp(2, 480);
        let middle = columns / 2;
        let mut random = Random(seed);
        let heights = (0..columns * columns).map(|i| {
            let near = (i % columns).abs_diff(middle).max((i / columns).abs_diff(middle));
            let high = random.between(0.0, height.max(0.0));
            if (near as Real) * cell < 0.5 { 0.0 } else { high }
        });
        Self::Relief(Relief(Shape::Grid(Grid { columns, heights: heights.collect(), cell })))
    }

    /// Heights on a regular grid, such as the pixels of a picture, with smooth values between;
    /// outside, the nearest edge. Rows along z of `columns` heights along x, `cell` metres apart
    /// and centred on the origin. `None` if the numbers do not make a grid.
    pub fn map(columns: usize, heights: Vec<Real>, cell: Real) -> Option<Self> {
        let fits = columns > 0 && !heights.is_empty() && heights.len().is_multiple_of(columns);
        let sane = cell > 0.0 && cell.is_finite() && heights.iter().all(|h| h.is_finite());
        (fits && sane).then_some(Self::Relief(Relief(Shape::Grid(Grid { columns, heights, cell }))))
    }

    /// A triangle mesh seen from above, by its triangles' corners: the highest triangle over a
    /// place counts. Those that hold NaN or stand upright count for nothing. Where there is none
    /// the ground is at `outside`.
    pub fn mesh(triangles: &[[Vec3; 3]], outside: Real) -> Self {
        Self::Relief(Relief(Shape::Mesh(Mesh::new(triangles, outside))))
    }
}

impl Terrain for Ground {
    fn height(&self, x: Real, z: Real) -> Real {
        match self {
            Self::Flat => 0.0,
            Self::Slope { grade } => grade * z,
            Self::Steps { start, rise, tread, count } => steps(z - start, *rise, *tread, *count),
            Self::Block { start, length, height } => {
                if z >= *start && z - start < *length {
                    *height
                } else {
                    0.0
                }
            }
            Self::Relief(Relief(Shape::Waves(waves))) => {
                // The origin is at zero, where characters usually start.
                let sum = |at: Vec2| waves.iter().map(|(k, p, a)| a * (k.dot(at) + p).sin()).sum::<Real>();
                sum(Vec2::new(x, z)) - sum(Vec2::ZERO)
            }
            Self::Relief(Relief(Shape::Grid(grid))) => grid.height(x, z),
            Self::Relief(Relief(Shape::Mesh(mesh))) => mesh.height(x, z),
        }
    }
}

fn steps(z: Real, rise: Real, tread: Real, count: u32) -> Real {
    if z.is_nan() || z < 0.0 || tread <= 0.0 {
        return 0.0;
    }
    let count = count as Real;
    let up = ((z / tread).floor() + 1.0).min(count);
    let down_from = (count + 4.0) * tread;
    let down = if z < down_from { 0.0 } else { ((z - down_from) / tread).floor() + 1.0 };
    rise * (up - down).max(0.0)
}

/// Rows of heights, at least one.
#[derive(Debug, Clone, PartialEq)]
struct Grid {
    columns: usize,
    heights: Vec<Real>,
    cell: Real,
}

impl Grid {
    fn at(&self, column: Real, row: Real) -> Real {
        let rows = self.heights.len() / self.columns;
        let clamp = |v: Real, count: usize| v.max(0.0).min((count - 1) as Real) as usize;
        self.heights[clamp(row, rows) * self.columns + clamp(column, self.columns)]
    }

    fn height(&self, x: Real, z: Real) -> Real {
        let rows = self.heights.len() / self.columns;
        let u = x / self.cell + 0.5 * (self.columns - 1) as Real;
        let v = z / self.cell + 0.5 * (rows - 1) as Real;
        let (i, j) = (u.floor(), v.floor());
        let (s, t) = (u - i, v - j);
        let near = self.at(i, j) * (1.0 - s) + self.at(i + 1.0, j) * s;
        let far = self.at(i, j + 1.0) * (1.0 - s) + self.at(i + 1.0, j + 1.0) * s;
        near * (1.0 - t) + far * t
    }
}

/// How many cells a triangle may be over, on average: 256 bytes each.
const MOST_CELLS: usize = 64;

/// Triangles, sorted into the cells of a grid so that a question costs a few of them.
#[derive(Debug, Clone, PartialEq)]
struct Mesh {
    triangles: Vec<[Vec3; 3]>,
    origin: Vec2,
    cell: Real,
    columns: usize,
    rows: usize,
    /// The triangles over each cell.
    cells: Vec<Vec<u32>>,
    outside: Real,
}

impl Mesh {
    fn new(triangles: &[[Vec3; 3]], outside: Real) -> Self {
        let flat = |t: &[Vec3; 3]| {
            let n = (t[1] - t[0]).cross(t[2] - t[0]);
            t.iter().all(|p| p.is_finite()) && n.y.abs() > 1.0e-4 * n.length()
        };
        let mut triangles: Vec<[Vec3; 3]> = triangles.iter().copied().filter(flat).collect();
        let (mut low, mut high) = (Vec2::ZERO, Vec2::ZERO);
        for (i, p) in triangles.iter().flatten().enumerate() {
            let p = Vec2::new(p.x, p.z);
            (low, high) = if i == 0 { (p, p) } else { (low.min(p), high.max(p)) };
        }
        let size = high - low;
        let mut wanted = (triangles.len().max(1) as Real).sqrt().ceil().min(512.0);
        loop {
            let cell = (size.max_element() / wanted).max(1.0e-3);
            let (columns, rows) = ((size.x / cell) as usize + 1, (size.y / cell) as usize + 1);
            let mut mesh = Self { triangles, origin: low, cell, columns, rows, cells: Vec::new(), outside };
            // Triangles that are long, such as the fan of a face with very many corners, are over
            // many cells each. Fewer cells then, so that what is held grows with the triangles.
            if mesh.sort_into_cells() {
                return mesh;
            }
            triangles = mesh.triangles;
            wanted = (0.5 * wanted).floor().max(0.5);
        }
    }

    /// Puts every triangle into the cells that it is over. Gives up, with `false`, when that makes
    /// more than [`MOST_CELLS`] for each.
    fn sort_into_cells(&mut self) -> bool {
        let most = self.triangles.len().saturating_mul(MOST_CELLS).max(1 << 16);
        let (cell, columns, rows) = (self.cell, self.columns, self.rows);
        let to_cell = |v: Real, count: usize| ((v / cell).max(0.0) as usize).min(count - 1);
        let mut cells: Vec<Vec<u32>> = alloc::vec![Vec::new(); columns * rows];
        let mut held = 0;
        for (i, t) in self.triangles.iter().enumerate() {
            let corners = t.map(|p| Vec2::new(p.x, p.z) - self.origin);
            let (low, high) =
                corners.iter().fold((corners[0], corners[0]), |(a, b), p| (a.min(*p), b.max(*p)));
            for row in to_cell(low.y, rows)..=to_cell(high.y, rows) {
                // A row is widened a little: what rounding puts into the next one is over both.
                let (from, to) = ((row as Real - 0.01) * cell, (row as Real + 1.01) * cell);
                let (a, b) = extent(&corners, from, to).unwrap_or((low.x, high.x));
                for column in to_cell(a - 0.01 * cell, columns)..=to_cell(b + 0.01 * cell, columns) {
                    cells[row * columns + column].push(i as u32);
                    held += 1;
                }
                if held > most && columns * rows > 1 {
                    return false;
                }
            }
        }
        self.cells = cells;
        true
    }

    fn height(&self, x: Real, z: Real) -> Real {
        let (u, v) = ((x - self.origin.x) / self.cell, (z - self.origin.y) / self.cell);
        if !(u >= 0.0 && v >= 0.0) || u as usize >= self.columns || v as usize >= self.rows {
            return self.outside;
        }
        let own = &self.cells[v as usize * self.columns + u as usize];
        let heights = own.iter().filter_map(|&i| over(&self.triangles[i as usize], x, z));
        heights.reduce(Real::max).unwrap_or(self.outside)
    }
}

/// From where to where along x a triangle is between two places along z: `None` if its edges miss
/// them, as those of a triangle that rounding has put beside the row do.
fn extent(corners: &[Vec2; 3], from: Real, to: Real) -> Option<(Real, Real)> {
    let mut found: Option<(Real, Real)> = None;
    let mut take = |x: Real| {
        let (a, b) = found.unwrap_or((x, x));
        found = Some((a.min(x), b.max(x)));
    };
    for (p, q) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (corners[i], corners[j])) {
        if p.y >= from && p.y <= to {
            take(p.x);
        }
        for z in [from, to] {
            let (below, above) = (p.y.min(q.y), p.y.max(q.y));
            if below < z && z < above {
                take(p.x + (q.x - p.x) * ((z - p.y) / (q.y - p.y)));
            }
        }
    }
    found
}

/// The height of a triangle over a place, if it is over it.
fn over(t: &[Vec3; 3], x: Real, z: Real) -> Option<Real> {
    let side = |a: Vec3, b: Vec3| (b.x - a.x) * (z - a.z) - (b.z - a.z) * (x - a.x);
    let (a, b, c) = (side(t[1], t[2]), side(t[2], t[0]), side(t[0], t[1]));
    let inside = (a >= 0.0 && b >= 0.0 && c >= 0.0) || (a <= 0.0 && b <= 0.0 && c <= 0.0);
    let sum = a + b + c;
    (inside && sum.abs() > TINY).then(|| (a * t[0].y + b * t[1].y + c * t[2].y) / sum)
}
