//! Cones and the ways between them (Gjoni, EWBIK, sections 9 and 10).
//!
//! A Kusudama is a sequence of cones. Between each two neighbours there is a
//! way, bounded on both sides by circles that touch both cones: the *tangent
//! cones*, which the bone must stay out of. Every angle here is a half angle
//! (the paper says "apex angle" for both). Unless an author says otherwise the
//! tangent radius is `(π − (ra + rb)) / 2`; a tangent cone's axis lies at
//! `ra + rt` from one axis and at `rb + rt` from the other.
//!
//! # Projection
//! For each pair, a direction in the spherical triangle of the two axes and a
//! tangent axis has its nearest point on that tangent cone; any other has it
//! on one of the cones. The nearest of all those is the nearest of the region,
//! since the region is the union of its pieces. Instead of angles the pieces
//! compare sines and cosines of differences of angles, so that nothing but
//! square roots is computed; both sides of a way are one, mirrored in the plane
//! through the two axes.
//!
//! # Insets
//! Shrinking the cones by an angle and growing the tangent cones by it keeps
//! all tangent points' axes where they are, so the rim is a parallel curve of
//! the edge, exactly. The widest inset is the narrowest place: the smallest
//! radius or the neck of a way.
//!
//! # Degenerate pairs
//! - One cone within its neighbour: no way is needed, and the cone itself adds
//!   nothing to the region.
//! - Cones that overlap: the tangent cones round off the notches between them.
//!   From `ra + rb = π` on their radius is zero and the notch stays sharp.
//! - Cones that together cover the sphere: there is no edge.
//! - Opposite axes: the way could go any way round; it goes through a
//!   direction that is at right angles to the axis and the same every time.
//! - A radius given by the author for which no circle touches both cones, or
//!   whose circles would close the way: refused, with the values that work.
//!
//! The nearest point is not unique at the tangent axes, and on lines from there
//! that are equally far from two pieces.

mod outline;
mod pair;

use alloc::vec::Vec;

use super::LimitError;
use super::swing::checked_direction;
use crate::math::*;
use pair::{Circle, Pair, Verdict};

/// One cone of a [`Kusudama`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct KusudamaCone {
    /// The middle of the cone, a direction in the limit's frame.
    pub axis: Vec3,
    /// Its half angle in radians, from 0 to π.
    pub radius: Real,
    /// The half angle of the tangent cones on the way to the next cone, if the
    /// usual one is not wanted: smaller makes the way narrower.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tangent: Option<Real>,
}

/// Directions within a sequence of cones and on the ways between neighbours.
///
/// ```
/// use sinew::{Vec3, limit::{Kusudama, SwingShape}};
/// let shape: SwingShape = Kusudama::new([(Vec3::Z, 0.4), (Vec3::X, 0.2)]).into();
/// let between = Vec3::new(1.0, 0.0, 1.0).normalize();
/// assert_eq!(shape.project(between, 0.0), None);
/// assert!(shape.project(Vec3::Y, 0.0).is_some());
/// ```
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Parts", into = "Parts"))]
pub struct Kusudama {
    cones: Vec<KusudamaCone>,
    /// The cones again with sines and cosines; empty if they make no limit.
    circles: Vec<Circle>,
    pairs: Vec<Pair>,
    widest_inset: Real,
}

super::made_from_list!(Kusudama, cones: KusudamaCone, Kusudama::from_cones);

impl Kusudama {
    /// The most cones a Kusudama can have.
    pub const MAX_CONES: usize = 256;

    /// From (axis, radius) pairs in order; the axes need not be unit vectors.
    /// Whether they make a limit is found out when a skeleton is built with it.
    pub fn new(cones: impl IntoIterator<Item = (Vec3, Real)>) -> Self {
        let cone = |(axis, radius)| KusudamaCone { axis, radius, tangent: None };
        Self::from_cones(cones.into_iter().map(cone).collect())
    }

    /// From cones that may say how wide their ways are.
    pub fn from_cones(cones: Vec<KusudamaCone>) -> Self {
        let mut kusudama = Self { cones, ..Self::default() };
        // An error leaves the pieces empty and is reported by the builder.
        let _ = kusudama.check();
        kusudama
    }

    /// The cones in order.
    pub fn cones(&self) -> &[KusudamaCone] {
        &self.cones
    }

    /// The two tangent cones of every way: from which cone of the sequence it leads to the next,
    /// their axes and their half angle. A pair that needs no way has none.
    pub fn tangent_cones(&self) -> impl Iterator<Item = (usize, [Vec3; 2], Real)> + '_ {
        self.pairs.iter().map(|p| (p.from(), p.axes(), p.tangent_radius()))
    }

    #[inline]
    pub(super) fn project(&self, direction: Vec3, inset: Real, slack: Real) -> Option<Vec3> {
        if self.circles.is_empty() {
            return None;
        }
        let inset = inset.min(self.widest_inset);
        let shrink = if inset > 0.0 { inset.sin_cos() } else { (0.0, 1.0) };
        let mut best = Best { key: Real::INFINITY, piece: Piece::Cone(0) };
        for (i, circle) in self.circles.iter().enumerate() {
            if circle.is_swallowed() {
                continue;
            }
            match circle.keeps_in(direction, shrink, slack) {
                Verdict::Inside => return None,
                Verdict::Beyond(key) if key < best.key => best = Best { key, piece: Piece::Cone(i) },
                _ => {}
            }
        }
        for (i, pair) in self.pairs.iter().enumerate() {
            match pair.keeps_out(direction, shrink, slack) {
                Verdict::Inside => return None,
                Verdict::Beyond(key) if key < best.key => best = Best { key, piece: Piece::Way(i) },
                _ => {}
            }
        }
        Some(match best.piece {
            Piece::Cone(i) => self.circles[i].nearest(direction, shrink),
            Piece::Way(i) => self.pairs[i].nearest(direction, shrink),
        })
    }

    /// The depth in the piece that holds `direction` best; outside, the angle
    /// to the nearest piece.
    pub(super) fn edge_distance(&self, direction: Vec3) -> Real {
        if self.circles.is_empty() {
            return Real::INFINITY;
        }
        let cones = self.circles.iter().filter(|c| !c.is_swallowed()).map(|c| c.depth(direction));
        let ways = self.pairs.iter().filter_map(|p| p.depth(direction));
        cones.chain(ways).fold(-Real::INFINITY, Real::max)
    }

    /// The same as a number that grows with it instead of in radians: exact on the edge and smooth beside it, without an
    /// inverse of a trigonometric function.
    #[inline]
    pub(super) fn margin(&self, direction: Vec3) -> Real {
        if self.circles.is_empty() {
            return 1.0;
        }
        let mut deepest = -Real::INFINITY;
        for circle in self.circles.iter().filter(|c| !c.is_swallowed()) {
            deepest = deepest.max(circle.depth_key(direction));
        }
        for pair in &self.pairs {
            if let Some(key) = pair.depth_key(direction) {
                deepest = deepest.max(key);
            }
        }
        deepest
    }

    /// Whether a direction is clearly within one of the cones. Not all that are within are seen to be.
    #[inline]
    pub(super) fn surely_holds(&self, direction: Vec3) -> bool {
        self.circles.is_empty() || self.circles.iter().any(|circle| circle.surely_holds(direction))
    }

    pub(super) fn widest_inset(&self) -> Real {
        self.widest_inset
    }

    pub(super) fn outline(&self, segments: usize) -> Vec<Vec<Vec3>> {
        outline::of(self, segments)
    }

    pub(super) fn check(&mut self) -> Result<(), LimitError> {
        self.circles.clear();
        self.pairs.clear();
        self.widest_inset = Real::INFINITY;
        if self.cones.len() > Self::MAX_CONES {
            return Err(LimitError::BadShape("it has more cones than any joint needs"));
        }
        let mut circles = Vec::with_capacity(self.cones.len());
        for cone in &mut self.cones {
            cone.axis = checked_direction(cone.axis, "a cone's axis")?;
            if !(0.0..=PI).contains(&cone.radius) {
                let what = "a cone's radius";
                return Err(LimitError::OutOfRange { what, value: cone.radius, low: 0.0, high: PI });
            }
            circles.push(Circle::new(cone.axis, cone.radius));
        }
        let mut pairs = Vec::new();
        for i in 1..circles.len() {
            let (a, b) = (&circles[i - 1], &circles[i]);
            match Pair::between(a, b, self.cones[i - 1].tangent, i - 1)? {
                pair::Between::Way(pair) => pairs.push(pair),
                pair::Between::FirstSwallowed => circles[i - 1].swallow(),
                pair::Between::SecondSwallowed => circles[i].swallow(),
                pair::Between::Everything => {}
            }
        }
        // A cone within its neighbour does not narrow the region by itself,
        // but a way that starts from it is as narrow as it is.
        let lone = circles.iter().filter(|c| !c.is_swallowed()).map(Circle::radius);
        let ways = pairs.iter().map(Pair::narrowest);
        self.widest_inset = lone.chain(ways).fold(Real::INFINITY, Real::min).max(0.0);
        self.circles = circles;
        self.pairs = pairs;
        Ok(())
    }
}

struct Best {
    key: Real,
    piece: Piece,
}

enum Piece {
    Cone(usize),
    Way(usize),
}
