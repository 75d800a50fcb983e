//! A smooth closed curve about z (Unzueta et al. 2008, section 7).
//!
//! The edge is the greatest swing amplitude ψ as a function of the
//! circumduction angle θ, a cubic spline through a few known values, such as
//! an anatomy book gives them. It is closed as in eq. 3: the slope at the seam,
//! the first knot, is the mean of the slopes of the two chords that meet there,
//! and is used at both ends. Between knots the spline can overshoot; what goes
//! below zero or beyond π counts as zero or π.
//!
//! What lies outside is brought in along its meridian, keeping θ, as the paper
//! does. That is continuous wherever the amplitude is, whatever the curve's
//! shape, and cheap; the nearest point of a wavy curve would jump between
//! waves. For the same reason the distance to the edge is measured along the
//! meridian. Straight back, where θ has no meaning, is the one exception.

use alloc::vec::Vec;

use super::LimitError;
use crate::math::*;

/// How far the bone may swing in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct SplineKnot {
    /// θ, the direction of the swing, in radians: from the frame's x axis
    /// (the bone leans towards x) to its y axis.
    pub circumduction: Real,
    /// ψ, the greatest angle between the bone and z there, from 0 to π.
    pub amplitude: Real,
}

/// Directions about z within an amplitude that varies smoothly all round.
///
/// ```
/// use sinew::limit::SwingSpline;
/// let spline = SwingSpline::new([(0.0, 1.0), (1.6, 0.5), (3.1, 0.7), (-1.6, 1.2)]);
/// assert!((spline.amplitude(1.6) - 0.5).abs() < 1e-6);
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "Parts", into = "Parts"))]
pub struct SwingSpline {
    knots: Vec<SplineKnot>,
    /// In ascending order of `start`; empty if the knots make no curve.
    pieces: Vec<Piece>,
    least: Real,
}

/// `ψ = ((d·t + c)·t + b)·t + a` for `t = θ − start`.
#[derive(Debug, Clone, Copy)]
struct Piece {
    start: Real,
    length: Real,
    a: Real,
    b: Real,
    c: Real,
    d: Real,
    /// Where it starts as a [`mark`], and the cosine of what is surely allowed all along it.
    mark: Real,
    sure: Real,
}

super::made_from_list!(SwingSpline, knots: SplineKnot, SwingSpline::from_knots);

impl SwingSpline {
    /// The most knots a spline can have.
    pub const MAX_KNOTS: usize = 1024;

    /// Through (θ, ψ) pairs in any order. Whether they make a limit is found
    /// out when a skeleton is built with it.
    pub fn new(knots: impl IntoIterator<Item = (Real, Real)>) -> Self {
        let knot = |(circumduction, amplitude)| SplineKnot { circumduction, amplitude };
        Self::from_knots(knots.into_iter().map(knot).collect())
    }

    /// Through these knots, in any order.
    pub fn from_knots(knots: Vec<SplineKnot>) -> Self {
        let mut spline = Self { knots, pieces: Vec::new(), least: 0.0 };
        // An error leaves the curve empty and is reported by the builder.
        let _ = spline.check();
        spline
    }

    /// The knots as they were given.
    pub fn knots(&self) -> &[SplineKnot] {
        &self.knots
    }

    /// ψ, the greatest swing in the direction θ.
    #[inline]
    pub fn amplitude(&self, circumduction: Real) -> Real {
        let Some(first) = self.pieces.first() else { return PI };
        let theta = wrap_angle(circumduction);
        let theta = if theta < first.start { theta + TAU } else { theta };
        let after = self.pieces.partition_point(|p| p.start <= theta);
        let p = self.pieces[after.max(1) - 1];
        p.at(theta - p.start).clamp(0.0, PI)
    }

    #[inline]
    pub(super) fn project(&self, direction: Vec3, inset: Real, slack: Real) -> Option<Vec3> {
        if self.pieces.is_empty() {
            return None;
        }
        let inset = inset.min(self.widest_inset());
        let flat = Vec2::new(direction.x, direction.y);
        let sine = flat.length();
        let psi = sine.atan2(direction.z);
        // Within the least amplitude, θ need not be known.
        if psi <= self.least - inset + slack {
            return None;
        }
        let most = self.amplitude(direction.y.atan2(direction.x)) - inset;
        if psi <= most + slack {
            return None;
        }
        let (s, c) = most.sin_cos();
        let flat = if sine > TINY { flat / sine } else { Vec2::X };
        Some(Vec3::new(flat.x * s, flat.y * s, c))
    }

    /// Whether a direction is within by a hair and more, seen without trigonometry. Not all that are are seen to be.
    #[inline]
    pub(super) fn surely_holds(&self, direction: Vec3) -> bool {
        let mark = mark(direction.x, direction.y, direction.y < 0.0);
        let after = self.pieces.partition_point(|p| p.mark <= mark);
        // Before the first knot it is the last piece that goes on round.
        let piece = after.checked_sub(1).map_or_else(|| self.pieces.last(), |i| self.pieces.get(i));
        piece.is_none_or(|piece| direction.z > piece.sure)
    }

    pub(super) fn edge_distance(&self, direction: Vec3) -> Real {
        if self.pieces.is_empty() {
            return Real::INFINITY;
        }
        let psi = Vec2::new(direction.x, direction.y).length().atan2(direction.z);
        self.amplitude(direction.y.atan2(direction.x)) - psi
    }

    /// A little less than the least amplitude: a rim further in would pass
    /// the middle, where θ has no meaning either.
    pub(super) fn widest_inset(&self) -> Real {
        0.95 * self.least
    }

    pub(super) fn outline(&self, segments: usize) -> Vec<Vec<Vec3>> {
        let point = |i| {
            let theta = TAU * i as Real / segments as Real;
            let (sin, cos) = theta.sin_cos();
            let (s, c) = self.amplitude(theta).sin_cos();
            Vec3::new(cos * s, sin * s, c)
        };
        if self.pieces.is_empty() { Vec::new() } else { alloc::vec![(0..segments).map(point).collect()] }
    }

    pub(super) fn check(&mut self) -> Result<(), LimitError> {
        self.pieces.clear();
        let knots = self.sorted_knots()?;
        self.pieces = pieces_through(&knots);
        self.least = self.pieces.iter().map(Piece::least).fold(PI, Real::min).clamp(0.0, PI);
        Ok(())
    }

    /// One turn of knots in ascending order.
    fn sorted_knots(&self) -> Result<Vec<Vec2>, LimitError> {
        if self.knots.len() > Self::MAX_KNOTS {
            return Err(LimitError::BadShape("it has more knots than any joint needs"));
        }
        let mut knots = Vec::with_capacity(self.knots.len());
        for k in &self.knots {
            if !k.circumduction.is_finite() || !k.amplitude.is_finite() {
                return Err(LimitError::NotFinite);
            }
            if !(0.0..=PI).contains(&k.amplitude) {
                let what = "a knot's amplitude";
                return Err(LimitError::OutOfRange { what, value: k.amplitude, low: 0.0, high: PI });
            }
            // Straight behind is the paper's first knot, not its last.
            let theta = wrap_angle(k.circumduction);
            let theta = if theta > PI - 1.0e-4 { theta - TAU } else { theta };
            knots.push(Vec2::new(theta, k.amplitude));
        }
        knots.sort_by(|a, b| a.x.total_cmp(&b.x));
        // The paper gives the seam twice, at −180° and at 180°: the same
        // angle with the same amplitude is one knot.
        let same = |a: Vec2, b: Vec2| wrap_angle(b.x - a.x).abs() < 1.0e-4;
        let mut i = 0;
        while i < knots.len() && knots.len() > 1 {
            let next = knots[(i + 1) % knots.len()];
            if !same(knots[i], next) {
                i += 1;
            } else if (knots[i].y - next.y).abs() < 1.0e-4 {
                knots.remove((i + 1) % knots.len());
            } else {
                return Err(LimitError::BadShape("two knots give one direction two amplitudes"));
            }
        }
        if knots.len() < 2 {
            return Err(LimitError::TooFew { what: "a spline's knots", least: 2, got: knots.len() });
        }
        Ok(knots)
    }
}

/// A number from -2 to 2 that grows with the angle of (x, y) from -π to π, of which is said whether it is below zero.
#[inline]
fn mark(x: Real, y: Real, below: bool) -> Real {
    let along = x / (x.abs() + y.abs()).max(TINY);
    if below { along - 1.0 } else { 1.0 - along }
}

impl Piece {
    #[inline]
    fn at(&self, t: Real) -> Real {
        ((self.d * t + self.c) * t + self.b) * t + self.a
    }

    /// The lowest value: at an end, or where the slope is zero.
    fn least(&self) -> Real {
        let mut least = self.a.min(self.at(self.length));
        let mut consider = |t: Real| {
            if t > 0.0 && t < self.length {
                least = least.min(self.at(t));
            }
        };
        // The slope is 3d·t² + 2c·t + b.
        let under = self.c * self.c - 3.0 * self.d * self.b;
        if under >= 0.0 {
            let root = under.sqrt();
            // The two roots in the form that never subtracts equals.
            let big = -(self.c + root.copysign(self.c));
            consider(big / (3.0 * self.d));
            consider(self.b / big);
        }
        least
    }
}

/// The clamped cubic spline through one turn of knots, with the slope of eq. 3
/// at the seam. The second derivatives solve a tridiagonal system.
fn pieces_through(knots: &[Vec2]) -> Vec<Piece> {
    let n = knots.len();
    let value = |i: usize| knots[i % n].y;
    let start = |i: usize| knots[i % n].x + if i < n { 0.0 } else { TAU };
    let length = |i: usize| start(i + 1) - start(i);
    let chord = |i: usize| (value(i + 1) - value(i)) / length(i);
    let seam = 0.5 * (chord(0) + chord(n - 1));

    // Forward elimination: `ratio` and `right` are the reduced rows.
    let mut ratio: Vec<Real> = Vec::with_capacity(n + 1);
    let mut right: Vec<Real> = Vec::with_capacity(n + 1);
    for i in 0..=n {
        let below = if i > 0 { length(i - 1) } else { 0.0 };
        let above = if i < n { length(i) } else { 0.0 };
        let slope_after = if i < n { chord(i) } else { seam };
        let slope_before = if i > 0 { chord(i - 1) } else { seam };
        let (last_ratio, last_right) = if i > 0 { (ratio[i - 1], right[i - 1]) } else { (0.0, 0.0) };
        let pivot = 2.0 * (below + above) - below * last_ratio;
        ratio.push(above / pivot);
        right.push((6.0 * (slope_after - slope_before) - below * last_right) / pivot);
    }
    let mut second = right;
    for i in (0..n).rev() {
        second[i] -= ratio[i] * second[i + 1];
    }
    (0..n)
        .map(|i| {
            let h = length(i);
            let (m, next) = (second[i], second[i + 1]);
            let (sin, cos) = start(i).sin_cos();
            let mut piece = Piece {
                start: start(i),
                length: h,
                a: value(i),
                b: chord(i) - h * (2.0 * m + next) / 6.0,
                c: 0.5 * m,
                d: (next - m) / (6.0 * h),
                mark: mark(cos, sin, start(i) < 0.0),
                sure: 2.0,
            };
            let least = piece.least().min(PI);
            // Of a smaller angle the cosine says too little.
            if least > 0.05 {
                piece.sure = (least - HAIR).cos();
            }
            piece
        })
        .collect()
}

#[cfg(test)]
#[path = "../../tests/unit/limit_spline.rs"]
mod tests;
