//! Points on the swing plane and the triangles between them.
//!
//! A direction from the shoulder is a swing, and a swing is a point of a plane:
//! the axis-angle vector (s₀, s₁) of Kallmann's eq. 8, whose length is the angle
//! from the frame's z axis. Key postures stand at such points, a Delaunay
//! triangulation joins them, and a point between them gets the barycentric weights
//! of its triangle ("Body Control").
//!
//! # Coverage
//! Every swing lies in the disk of radius π. Four *outer* points at (±π, ±π)
//! enclose it, so that every swing lies in some triangle, whatever the other keys
//! are: none, one, or all on a line. (Kallmann puts his four inside of the disk, away from the
//! singular direction, and clamps beyond; outside of it they need no clamping and
//! no swing is ever at one of them.)
//!
//! # The singular direction
//! Straight back every point of the circle |s| = π is the same direction, and the
//! paper's blend jumps there. Within the last [`FADE`] of the circle the
//! weights go over into equal weights of the four outer points, so the blend is
//! one value at the singular direction and continuous everywhere.
//!
//! # Edits
//! The triangulation is a function of the points in their order and of nothing else:
//! every edit triangulates anew (some microseconds for tens of keys), so that a
//! saved behaviour is read back to the same triangles, however it was edited before.
//! Finding a point is an oriented walk over flat arrays that does not allocate.

use alloc::{vec, vec::Vec};

use robust::{Coord, incircle};

use super::behaviour::wrong;
use crate::error::RigError;
use crate::math::*;

/// Points nearer than this, in radians, count as one: a hundredth of a degree.
const SAME: Real = 2.0e-4;
/// Where the weights begin to go over to the outer points, in radians from straight back.
const FADE: Real = 0.45;
/// No neighbour on this side.
const NONE: u32 = u32::MAX;

/// The four outer points, counter-clockwise.
pub const OUTER: [Vec2; 4] = [Vec2::new(-PI, -PI), Vec2::new(PI, -PI), Vec2::new(PI, PI), Vec2::new(-PI, PI)];

/// Points on the swing plane with the triangles between them; the first four are
/// [`OUTER`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SwingPlane {
    points: Vec<Vec2>,
    /// Counter-clockwise corners.
    triangles: Vec<[u32; 3]>,
    /// The triangle beyond the edge that is opposite to each corner.
    neighbours: Vec<[u32; 3]>,
}

/// Some of the points with weights that are not negative and add up to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlaneWeights {
    entries: [(u32, Real); 7],
    len: usize,
    /// The triangle that the point was found in; a good hint for the next one.
    pub triangle: u32,
}

impl PlaneWeights {
    /// No point at all.
    pub(super) const NONE: Self = Self { entries: [(0, 0.0); 7], len: 0, triangle: 0 };

    /// The points' places with their weights.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, Real)> + Clone + '_ {
        self.entries[..self.len].iter().map(|&(i, w)| (i as usize, w))
    }

    /// The same, without borrowing.
    pub fn owned(self) -> impl Iterator<Item = (usize, Real)> {
        self.entries.into_iter().take(self.len).map(|(i, w)| (i as usize, w))
    }

    /// The weighted sum of rotations, which is not unit, and of translations.
    #[inline]
    pub fn blend(&self, of: impl Fn(usize) -> (Quat, Vec3)) -> (Quat, Vec3) {
        let (mut q, mut t) = (Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ZERO);
        for (key, weight) in self.iter() {
            let (key_q, key_t) = of(key);
            q += key_q * weight;
            t += key_t * weight;
        }
        (q, t)
    }

    fn push(&mut self, index: u32, weight: Real) {
        if let Some(entry) = self.entries[..self.len].iter_mut().find(|(i, _)| *i == index) {
            entry.1 += weight;
        } else if self.len < self.entries.len() {
            self.entries[self.len] = (index, weight);
            self.len += 1;
        }
    }
}

impl SwingPlane {
    /// The outer points and these, which are numbered from 4.
    pub fn new(inner: &[Vec2]) -> Result<Self, RigError> {
        for (i, s) in inner.iter().enumerate() {
            if !(s.is_finite() && s.length() < PI) {
                return Err(wrong(
                    i + 4,
                    "a swing is two finite angles that turn by less than 180° together",
                ));
            }
            if let Some(j) = inner[..i].iter().position(|t| t.distance(*s) < SAME) {
                return Err(wrong(i + 4, alloc::format!("it stands at the swing of key {}", j + 4)));
            }
        }
        let points: Vec<Vec2> = OUTER.iter().chain(inner).copied().collect();
        let triangles = delaunay(&points);
        let neighbours = triangles
            .iter()
            .map(|corners| {
                core::array::from_fn(|i| {
                    let edge = [corners[(i + 2) % 3], corners[(i + 1) % 3]];
                    let has = |t: &[u32; 3]| (0..3).any(|k| [t[k], t[(k + 1) % 3]] == edge);
                    triangles.iter().position(has).map_or(NONE, |t| t as u32)
                })
            })
            .collect();
        Ok(Self { points, triangles, neighbours })
    }

    /// The triangles, as places of their corners, counter-clockwise.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The weights of the points at a swing. `hint` is where to begin the walk,
    /// such as the last frame's triangle; it does not change the answer. A swing
    /// that is not finite counts as zero.
    pub fn weights(&self, swing: Vec2, hint: u32) -> PlaneWeights {
        let swing = if swing.is_finite() { swing } else { Vec2::ZERO };
        let (triangle, weights) = self.locate(swing.clamp_length_max(PI), hint);
        let mut out = PlaneWeights { triangle, ..PlaneWeights::NONE };
        let corners = self.triangles.get(triangle as usize).copied().unwrap_or([0; 3]);
        let over = ((swing.length() - (PI - FADE)) / FADE).clamp(0.0, 1.0);
        let over = over * over * (3.0 - 2.0 * over);
        for (corner, weight) in corners.into_iter().zip(weights) {
            out.push(corner, weight * (1.0 - over));
        }
        if over > 0.0 {
            for outer in 0..4 {
                out.push(outer, 0.25 * over);
            }
        }
        out
    }

    /// The triangle that holds a point, by an oriented walk: from a triangle go
    /// over an edge that has the point on its other side (Devillers et al. 2001). In a Delaunay
    /// triangulation that ends; should rounding lead it in circles, all
    /// triangles are looked at instead.
    fn locate(&self, p: Vec2, hint: u32) -> (u32, [Real; 3]) {
        let mut at = if (hint as usize) < self.triangles.len() { hint } else { 0 };
        for _ in 0..=self.triangles.len() {
            let weights = self.barycentric(at as usize, p);
            let outside = (0..3).filter(|&i| weights[i] < 0.0);
            // Over the edge that is furthest behind; the walk then goes nearly straight.
            let Some(worst) = outside.min_by(|&a, &b| weights[a].total_cmp(&weights[b])) else {
                return (at, weights);
            };
            match self.neighbours[at as usize][worst] {
                NONE => return (at, clamped(weights)),
                next => at = next,
            }
        }
        let inside = |t: usize| self.barycentric(t, p).into_iter().fold(Real::INFINITY, Real::min);
        let best = (0..self.triangles.len()).max_by(|&a, &b| inside(a).total_cmp(&inside(b))).unwrap_or(0);
        (best as u32, clamped(self.barycentric(best, p)))
    }

    /// Barycentric coordinates, negative beyond an edge: areas over areas.
    #[inline]
    fn barycentric(&self, triangle: usize, p: Vec2) -> [Real; 3] {
        let [a, b, c] = self.triangles[triangle].map(|i| self.points[i as usize]);
        let area = (b - a).perp_dot(c - a);
        let alpha = (b - p).perp_dot(c - p) / area;
        let beta = (c - p).perp_dot(a - p) / area;
        [alpha, beta, 1.0 - alpha - beta]
    }
}

/// The Delaunay triangulation of the outer points and those inside of their square, by
/// insertion (Bowyer 1981, Watson 1981): the triangles whose circumcircle holds the new point
/// make up a hole, and the point is joined to the hole's rim.
///
/// The predicate is exact, so the hole is a star around the point and every new triangle has an
/// area: a point on an edge lies within the circles on both sides of it. Of points on one circle,
/// those that came first stay joined.
fn delaunay(points: &[Vec2]) -> Vec<[u32; 3]> {
    // The predicate is exact as long as its products do not underflow.
    let flush = |x: Real| if x.abs() < ROUNDING * ROUNDING { 0.0 } else { x };
    let at = |i: u32| points[i as usize].map(flush);
    let coord = |i: u32| Coord { x: at(i).x, y: at(i).y };
    let mut triangles = vec![[0, 1, 2], [0, 2, 3]];
    let mut rim: Vec<[u32; 2]> = Vec::new();
    for new in 4..points.len() as u32 {
        rim.clear();
        triangles.retain(|&[a, b, c]| {
            let hole = incircle(coord(a), coord(b), coord(c), coord(new)) > 0.0;
            if hole {
                for [from, to] in [[a, b], [b, c], [c, a]] {
                    // Two triangles of the hole have their edge in opposite directions.
                    match rim.iter().position(|edge| *edge == [to, from]) {
                        Some(inner) => drop(rim.swap_remove(inner)),
                        None => rim.push([from, to]),
                    }
                }
            }
            !hole
        });
        triangles.extend(rim.iter().map(|&[from, to]| [from, to, new]));
    }
    for corners in &mut triangles {
        let first = (0..3).min_by_key(|&i| corners[i]).unwrap_or(0);
        corners.rotate_left(first);
    }
    triangles.sort_unstable();
    triangles
}

/// The weights of the nearest point inside, or nearly.
fn clamped(weights: [Real; 3]) -> [Real; 3] {
    let weights = weights.map(|w| w.max(0.0));
    let sum: Real = weights.iter().sum();
    if sum > TINY && sum.is_finite() { weights.map(|w| w / sum) } else { [1.0, 0.0, 0.0] }
}
