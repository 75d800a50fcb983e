//! Corners on the sphere joined by great arcs (Korein 1985; Baerlocher 2001).
//!
//! The region is the side of the outline on which z lies, so the order in which
//! the corners are listed does not matter, and the region may be larger than
//! half of the sphere. It may be non-convex; the outline must not cross itself.
//!
//! # Inside and nearest in one pass
//! The nearest point of the outline lies either within an edge or at a corner,
//! and the arc to it crosses no other edge. So the nearest feature alone tells
//! the side: of an edge by the sign of its plane, of a corner because only a
//! reflex corner can be the nearest thing to a direction inside. Distances are
//! compared by their chords, which keep their digits near zero.
//!
//! # Insets
//! A corner moves to where the two edges' parallel circles meet. Between moved
//! corners the rim is again a great arc; it lies further from the edge than the
//! inset, never nearer, so a soft zone stays within the region. The widest
//! inset is the one at which an edge vanishes or two parts of the rim meet.
//!
//! Outside of a non-convex part the nearest point is not unique on the lines
//! that are equally far from two edges; there projection jumps, as the nearest
//! point of anything non-convex does.

use alloc::vec::Vec;

use super::LimitError;
use super::swing::checked_direction;
use crate::math::*;

/// Directions within a ring of great arcs.
///
/// ```
/// use sinew::{Vec3, limit::{SphericalPolygon, SwingShape}};
/// let square = SphericalPolygon::new([
///     Vec3::new(0.5, 0.5, 1.0), Vec3::new(-0.5, 0.5, 1.0),
///     Vec3::new(-0.5, -0.5, 1.0), Vec3::new(0.5, -0.5, 1.0),
/// ]);
/// let shape: SwingShape = square.into();
/// assert_eq!(shape.project(Vec3::Z, 0.0), None);
/// // The nearest point of the side that leans 0.5 in 1 towards x.
/// let p = shape.project(Vec3::X, 0.0).unwrap();
/// assert!((p.x / p.z - 0.5).abs() < 1e-5 && p.y.abs() < 1e-6);
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Parts", into = "Parts"))]
pub struct SphericalPolygon {
    vertices: Vec<Vec3>,
    /// In order, with the region on the left; empty if the corners make none.
    edges: Vec<Edge>,
    widest_inset: Real,
}

/// A great arc and the corner it starts from.
#[derive(Debug, Clone, Copy)]
struct Edge {
    start: Vec3,
    /// The unit direction in which the arc leaves its start.
    along: Vec3,
    /// The unit normal of its plane, towards the region.
    inward: Vec3,
    sin_length: Real,
    cos_length: Real,
    /// Whether the region's angle at the start is more than a half turn.
    reflex: bool,
    /// Where the corner goes for an inset: `sin(inset) · drift`, and the rest
    /// of the unit length along `start`. `drift_squared` is `|drift|²`.
    drift: Vec3,
    drift_squared: Real,
}

super::made_from_list!(SphericalPolygon, vertices: Vec3, SphericalPolygon::new);

/// The nearest point of an outline.
struct Nearest {
    point: Vec3,
    chord_squared: Real,
    inside: bool,
}

impl Nearest {
    fn angle(&self) -> Real {
        2.0 * (0.5 * self.chord_squared.sqrt()).min(1.0).asin()
    }
}

impl SphericalPolygon {
    /// The most corners a polygon can have.
    pub const MAX_VERTICES: usize = 256;

    /// With these corners in order, either way round; they need not be unit
    /// vectors. Whether they make a limit is found out when a skeleton is built
    /// with it.
    pub fn new(vertices: impl IntoIterator<Item = Vec3>) -> Self {
        let vertices = vertices.into_iter().collect();
        let mut polygon = Self { vertices, edges: Vec::new(), widest_inset: 0.0 };
        // An error leaves the outline empty and is reported by the builder.
        let _ = polygon.check();
        polygon
    }

    /// The corners as they were given, or unit vectors after the check.
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    #[inline]
    pub(super) fn project(&self, direction: Vec3, inset: Real, slack: Real) -> Option<Vec3> {
        if self.edges.is_empty() {
            return None;
        }
        let inset = inset.min(self.widest_inset);
        let nearest =
            if inset > 0.0 { self.nearest_inset(direction, inset) } else { nearest(direction, &self.edges) };
        if nearest.inside || nearest.chord_squared <= slack * slack { None } else { Some(nearest.point) }
    }

    /// The same with every corner moved; the edges are made on the way.
    fn nearest_inset(&self, direction: Vec3, inset: Real) -> Nearest {
        let sine = inset.sin();
        let mut best = Nearest { point: direction, chord_squared: Real::INFINITY, inside: true };
        let count = self.edges.len();
        let corner = |i: usize| self.edges[i % count].moved_start(sine);
        let (mut start, mut before) = (corner(0), corner(count - 1).cross(corner(0)));
        for i in 0..count {
            let end = corner(i + 1);
            if let Some(edge) = Edge::new(start, end) {
                let reflex = turns_outwards(before, edge.inward, start);
                consider(direction, &Edge { reflex, ..edge }, &mut best);
                before = edge.inward;
            }
            start = end;
        }
        best
    }

    pub(super) fn edge_distance(&self, direction: Vec3) -> Real {
        if self.edges.is_empty() {
            return Real::INFINITY;
        }
        let nearest = nearest(direction, &self.edges);
        if nearest.inside { nearest.angle() } else { -nearest.angle() }
    }

    pub(super) fn widest_inset(&self) -> Real {
        self.widest_inset
    }

    pub(super) fn outline(&self, segments: usize) -> Vec<Vec<Vec3>> {
        if self.edges.is_empty() {
            return Vec::new();
        }
        let pieces = segments.div_ceil(self.edges.len()).max(1);
        let mut points = Vec::with_capacity(pieces * self.edges.len());
        for edge in &self.edges {
            points.extend(edge.points(pieces));
        }
        alloc::vec![points]
    }

    pub(super) fn check(&mut self) -> Result<(), LimitError> {
        self.edges.clear();
        let count = self.vertices.len();
        if count < 3 {
            return Err(LimitError::TooFew { what: "a polygon's corners", least: 3, got: count });
        }
        if count > Self::MAX_VERTICES {
            return Err(LimitError::BadShape("it has more corners than any joint needs"));
        }
        for v in &mut self.vertices {
            *v = checked_direction(*v, "a corner")?;
        }
        let mut edges = edges_through(&self.vertices)
            .ok_or(LimitError::BadShape("two neighbouring corners are the same or opposite"))?;
        if !is_simple(&edges) {
            return Err(LimitError::BadShape("its outline crosses or touches itself"));
        }
        let middle = nearest(Vec3::Z, &edges);
        if middle.angle() < 1.0e-3 {
            return Err(LimitError::BadShape(
                "its outline passes through its own z axis, which must lie inside",
            ));
        }
        if !middle.inside {
            let turned: Vec<Vec3> = self.vertices.iter().rev().copied().collect();
            edges = edges_through(&turned).ok_or(LimitError::BadShape("its corners make no outline"))?;
        }
        self.edges = edges;
        self.widest_inset = self.find_widest_inset();
        Ok(())
    }

    /// Whether the rim at this inset has every edge still, and in one ring.
    fn holds_together(&self, inset: Real) -> bool {
        let sine = inset.sin();
        if self.edges.iter().any(|e| sine * sine * e.drift_squared >= 0.98) {
            return false;
        }
        let corners: Vec<Vec3> = self.edges.iter().map(|e| e.moved_start(sine)).collect();
        let Some(rim) = edges_through(&corners) else { return false };
        let kept = rim.iter().zip(&self.edges).all(|(r, e)| r.along.dot(e.along) > 0.0);
        // A rim that comes nearer to the edge than the inset has met the rim of
        // another part.
        let within = rim.iter().all(|edge| edge.points(4).all(|p| self.edge_distance(p) > 0.99 * inset));
        kept && within && is_simple(&rim)
    }

    fn find_widest_inset(&self) -> Real {
        let (mut good, mut bad) = (0.0, PI * 0.5);
        // Up in small steps to the first failure, so that an inset beyond it
        // that happens to hold together again is not taken.
        let mut step = 1.0e-3;
        while good + step < bad {
            if self.holds_together(good + step) {
                good += step;
                step *= 1.25;
            } else {
                bad = good + step;
            }
        }
        for _ in 0..12 {
            let half = 0.5 * (good + bad);
            if self.holds_together(half) {
                good = half;
            } else {
                bad = half;
            }
        }
        // At the very last an edge has no length and so no direction.
        good * 0.98
    }
}

impl Edge {
    fn new(start: Vec3, end: Vec3) -> Option<Self> {
        let normal = start.cross(end);
        let sine = normal.length();
        if sine <= ROUNDING * 10.0 {
            return None;
        }
        let inward = normal / sine;
        Some(Self {
            start,
            along: inward.cross(start),
            inward,
            sin_length: sine,
            cos_length: start.dot(end),
            reflex: false,
            drift: Vec3::ZERO,
            drift_squared: 0.0,
        })
    }

    /// This many points along the arc, without its end.
    fn points(&self, count: usize) -> impl Iterator<Item = Vec3> + '_ {
        let length = self.sin_length.atan2(self.cos_length);
        (0..count).map(move |i| {
            let (s, c) = (length * i as Real / count as Real).sin_cos();
            self.start * c + self.along * s
        })
    }

    #[inline]
    fn moved_start(&self, sine: Real) -> Vec3 {
        let rest = (1.0 - sine * sine * self.drift_squared).max(0.0).sqrt();
        (self.drift * sine + self.start * rest).normalize()
    }
}

#[inline]
fn nearest(direction: Vec3, edges: &[Edge]) -> Nearest {
    let mut best = Nearest { point: direction, chord_squared: Real::INFINITY, inside: true };
    for edge in edges {
        consider(direction, edge, &mut best);
    }
    best
}

/// Takes the edge, or the corner it starts from, if it is nearer.
#[inline]
fn consider(direction: Vec3, edge: &Edge, best: &mut Nearest) {
    let (x, y) = (direction.dot(edge.start), direction.dot(edge.along));
    let height = direction.dot(edge.inward);
    // Sectors overlap by a rounding, so that nothing falls between the two
    // edges of a straight corner and is taken for its corner's.
    if y >= -ROUNDING && x * edge.sin_length - y * edge.cos_length >= -ROUNDING {
        let reach = (1.0 - height * height).max(0.0).sqrt();
        let chord_squared = 2.0 * height * height / (1.0 + reach);
        if chord_squared < best.chord_squared && reach > ROUNDING {
            *best = Nearest {
                point: (edge.start * x + edge.along * y).normalize(),
                chord_squared,
                inside: height >= 0.0,
            };
            return;
        }
    }
    // Before a straight corner, edge and corner are equally near, and only the
    // edge knows the side: a corner must not win by a rounding.
    let chord_squared = (direction - edge.start).length_squared() * (1.0 + ROUNDING * 16.0);
    if chord_squared < best.chord_squared {
        *best = Nearest { point: edge.start, chord_squared, inside: edge.reflex };
    }
}

/// Whether the region's angle between two edges, given by their inward
/// normals, is more than a half turn.
#[inline]
fn turns_outwards(before: Vec3, after: Vec3, corner: Vec3) -> bool {
    before.cross(after).dot(corner) < 0.0
}

/// The edges of a ring of corners, or `None` if two neighbours have no arc.
fn edges_through(corners: &[Vec3]) -> Option<Vec<Edge>> {
    let count = corners.len();
    let mut edges = Vec::with_capacity(count);
    for i in 0..count {
        edges.push(Edge::new(corners[i], corners[(i + 1) % count])?);
    }
    for i in 0..count {
        let before = edges[(i + count - 1) % count].inward;
        let edge = &mut edges[i];
        edge.reflex = turns_outwards(before, edge.inward, edge.start);
        // The corner of the rim has the same height over both planes.
        let together = 1.0 + before.dot(edge.inward);
        edge.drift = (before + edge.inward) / together.max(ROUNDING);
        edge.drift_squared = edge.drift.length_squared();
    }
    Some(edges)
}

/// Whether no two edges that are not neighbours meet, and no two neighbours
/// fold back onto each other.
fn is_simple(edges: &[Edge]) -> bool {
    let count = edges.len();
    for i in 0..count {
        let next = &edges[(i + 1) % count];
        let folded = edges[i].inward.dot(next.inward) < -1.0 + ROUNDING * 100.0;
        if folded {
            return false;
        }
        for j in i + 2..count {
            if (i == 0 && j == count - 1) || !meet(&edges[i], &edges[j]) {
                continue;
            }
            return false;
        }
    }
    true
}

fn meet(a: &Edge, b: &Edge) -> bool {
    let line = a.inward.cross(b.inward);
    if line.length() <= ROUNDING {
        // In one plane: they meet if an end of one lies on the other.
        return within(a, b.start) || within(b, a.start);
    }
    let point = line.normalize();
    (within(a, point) && within(b, point)) || (within(a, -point) && within(b, -point))
}

/// Whether a direction in the edge's plane lies on its arc.
fn within(edge: &Edge, point: Vec3) -> bool {
    let (x, y) = (point.dot(edge.start), point.dot(edge.along));
    y >= -ROUNDING && x * edge.sin_length - y * edge.cos_length >= -ROUNDING
}

#[cfg(test)]
#[path = "../../tests/unit/limit_polygon.rs"]
mod tests;
