//! The shape of the spine from the distance of its ends (Unzueta et al. 2008,
//! section 4, Alg. 2 and 3).
//!
//! All is seen from the body: x left, y up, z forwards, at rest. A joint's turn
//! from rest turns the bone above it.
//!
//! # Shorter than at rest
//! The lowest bone turns by φ, the highest by −φ and those between by even steps
//! (eq. 1), all about one axis. Then the squared distance of the ends is a sum of
//! cosines of φ (eq. 2 for a straight spine), and where the paper turns the joints
//! by coarse and then by fine steps until the length fits, a safeguarded Newton
//! iteration on it finds the same φ to rounding. The part of the rest along
//! the axis does not change. It starts from the φ of the frame before, if there was one.
//!
//! # Longer than at rest
//! Every bone turns towards the line from end to end, all by the same part of
//! their way. The lengths that this gives are tabulated when the body is built
//! (the paper's recorded stretch poses), and the part is read off the table.
//!
//! # Degenerate cases
//! A spine of one bone cannot change its length; bones without length (a sacrum
//! at the pelvis' place) share the turn of the bone above them; a distance below
//! what the bent spine can have keeps the most bent shape (φ = [`MOST_BENT`]).

use alloc::vec::Vec;

use crate::math::*;

/// How far the ends of the spine turn at the most, in radians. Beyond it the
/// shape is a ring and its length grows again.
const MOST_BENT: Real = 1.75;
/// From how little on, and as far from the most, a search for φ starts: at none the length has no slope.
const LEAST_START: Real = 0.02;
/// A spine that rests further behind its line than this part of its length, on average over its
/// joints, has a rounded back.
const ROUNDED: Real = 0.015;
/// A spine whose joints rest nearer to its line than this part of its length is straight.
const STRAIGHT: Real = 0.002;
/// Lengths in the table of stretched shapes.
const STRETCHES: usize = 33;

/// The bones from pelvis to head, measured at rest.
#[derive(Debug, Clone)]
pub(super) struct Arch {
    /// The bones, as the body sees them.
    pub bones: Vec<Vec3>,
    /// The place of each bone in the even steps from φ down to −φ, and the last of them.
    places: Vec<usize>,
    last: usize,
    /// The rotation vectors that lay each bone on the line.
    straighten: Vec<Vec3>,
    /// The lengths at even parts of the way from rest to straight, growing.
    lengths: [Real; STRETCHES],
    /// The axis about which the spine bends when its ends come closer and nothing else is known.
    pub natural_axis: Vec3,
}

/// A shape of the arch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    /// Turned about this axis, the lowest bone by this angle.
    Bent(Vec3, Real),
    /// Turned by this part of the way to straight.
    Stretched(Real),
}

impl Shape {
    /// How far the lowest bone is turned; none where the spine is not bent.
    pub(super) fn angle(self) -> Real {
        match self {
            Self::Bent(_, angle) => angle,
            Self::Stretched(_) => 0.0,
        }
    }
}

impl Arch {
    pub(super) fn new(bones: Vec<Vec3>) -> Self {
        let long = |b: &Vec3| b.length() > HAIR;
        let count = bones.iter().filter(|b| long(b)).count();
        let last = count.saturating_sub(1);
        let mut places = Vec::with_capacity(bones.len());
        let mut place = 0;
        for bone in &bones {
            places.push(place.min(last));
            place += usize::from(long(bone));
        }
        let sum: Vec3 = bones.iter().sum();
        let line = direction_or(sum, Vec3::Y);
        let mut straighten: Vec<Vec3> = bones
            .iter()
            .map(|b| match long(b) {
                true => rotation::log(rotation::between(direction_or(*b, line), line, Vec3::X)),
                false => Vec3::ZERO,
            })
            .collect();
        for i in (0..bones.len().saturating_sub(1)).rev() {
            if !long(&bones[i]) {
                straighten[i] = straighten[i + 1];
            }
        }
        let mut arch =
            Self { bones, places, last, straighten, lengths: [0.0; STRETCHES], natural_axis: Vec3::X };
        for i in 0..STRETCHES {
            let part = i as Real / (STRETCHES - 1) as Real;
            arch.lengths[i] = arch.end(Shape::Stretched(part)).length();
        }
        if arch.is_rounded() {
            arch.natural_axis = -Vec3::X;
        }
        arch
    }

    /// Whether the joints rest behind the line from pelvis to head. A beam under load gives way to
    /// the side to which it is curved already: a rounded back gets rounder, a hollow one gets
    /// hollow, as in people who lean forward from the hips. One that rests in a line of its own says
    /// nothing of the person in it, whose chest is behind the line from hips to head.
    fn is_rounded(&self) -> bool {
        let line = direction_or(self.bones.iter().sum(), Vec3::Y);
        let forward = direction_or(Vec3::Z - line * Vec3::Z.dot(line), Vec3::Z);
        let inner = self.bones.len().saturating_sub(1);
        let (mut at, mut behind, mut furthest) = (Vec3::ZERO, 0.0, 0.0);
        for bone in &self.bones[..inner] {
            at += *bone;
            let off = -at.dot(forward);
            behind += off;
            furthest = off.abs().max(furthest);
        }
        let length = self.rest_length();
        furthest < STRAIGHT * length || behind > ROUNDED * length * inner as Real
    }

    /// The distance of the ends at rest.
    pub(super) fn rest_length(&self) -> Real {
        self.lengths[0]
    }

    /// The distance of the ends of the straight spine.
    pub(super) fn straight_length(&self) -> Real {
        self.lengths[STRETCHES - 1]
    }

    /// How each bone is turned from rest, from the lowest to the highest.
    #[inline]
    pub(super) fn turns(&self, shape: Shape) -> impl Iterator<Item = Quat> + '_ {
        let (axis, mut fan, part) = match shape {
            Shape::Bent(axis, angle) => (axis, self.fan(0.5 * angle), 0.0),
            Shape::Stretched(part) => (Vec3::ZERO, self.fan(0.0), part),
        };
        self.places.iter().zip(&self.straighten).map(move |(&place, &straighten)| match shape {
            Shape::Bent(..) => {
                let half = fan.at(place);
                let v = axis * half.y;
                Quat::from_xyzw(v.x, v.y, v.z, half.x)
            }
            Shape::Stretched(_) => rotation::exp(straighten * part),
        })
    }

    /// From pelvis to head.
    pub(super) fn end(&self, shape: Shape) -> Vec3 {
        self.turns(shape).zip(&self.bones).map(|(turn, bone)| turn * *bone).sum()
    }

    /// The angles from `first` down to its opposite in even steps.
    #[inline]
    fn fan(&self, first: Real) -> Fan {
        if self.last == 0 {
            return Fan { now: Vec2::X, step: Vec2::X, place: 0 };
        }
        let (sin, cos) = first.sin_cos();
        let (step_sin, step_cos) = (-2.0 * first / self.last as Real).sin_cos();
        Fan { now: Vec2::new(cos, sin), step: Vec2::new(step_cos, step_sin), place: 0 }
    }

    /// The shape whose ends are this far apart, bent about the unit vector `axis`, by about `start` if that is
    /// more than nothing.
    pub(super) fn shape(&self, length: Real, axis: Vec3, start: Real) -> Shape {
        if length >= self.rest_length() { self.stretched(length) } else { self.bent(length, axis, start) }
    }

    fn stretched(&self, length: Real) -> Shape {
        let above = self.lengths.iter().position(|&l| l >= length);
        let part = match above {
            None => 1.0,
            Some(0) => 0.0,
            Some(i) => {
                let (low, high) = (self.lengths[i - 1], self.lengths[i]);
                // Near straight the length goes by the square of what is missing.
                let part = if high > low { (length - low) / (high - low) } else { 1.0 };
                ((i - 1) as Real + part) / (STRETCHES - 1) as Real
            }
        };
        Shape::Stretched(part)
    }

    fn bent(&self, length: Real, axis: Vec3, start: Real) -> Shape {
        // The bones across the axis as complex numbers, and what lies along it.
        let first = any_perpendicular(axis);
        let second = axis.cross(first);
        let sum: Vec3 = self.bones.iter().sum();
        let along = sum.dot(axis);
        let wanted = (length * length - along * along).max(0.0);
        // Squared length and its derivative by φ.
        let parts = 2.0 / self.last.max(1) as Real;
        let measure = |angle: Real| {
            let (mut end, mut slope) = (Vec2::ZERO, Vec2::ZERO);
            let mut fan = self.fan(angle);
            for (bone, &place) in self.bones.iter().zip(&self.places) {
                let turned = fan.at(place).rotate(Vec2::new(bone.dot(first), bone.dot(second)));
                end += turned;
                slope += turned.perp() * (1.0 - parts * place as Real);
            }
            (end.length_squared() - wanted, 2.0 * end.dot(slope))
        };
        let (mut low, mut high) = (0.0, MOST_BENT);
        let mut angle = if start > LEAST_START && start < MOST_BENT {
            start
        } else {
            // An even arc of n bones loses (n + 1)/(n − 1) · Lφ²/6 of its length, and then less.
            let lost = 1.0 - (length / self.rest_length().max(TINY)).clamp(0.0, 1.0);
            let even = self.last as Real / (self.last + 2) as Real;
            (6.0 * even * lost * (1.0 + 0.3 * lost)).sqrt().clamp(LEAST_START, MOST_BENT - LEAST_START)
        };
        let enough = ROUNDING * 4.0 * wanted.max(TINY);
        for _ in 0..24 {
            let (excess, slope) = measure(angle);
            if excess.abs() <= enough {
                break;
            }
            if excess > 0.0 {
                low = angle;
            } else {
                high = angle;
            }
            let newton = angle - excess / slope;
            angle = if slope < 0.0 && newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if high - low <= ROUNDING {
                break;
            }
        }
        Shape::Bent(axis, angle)
    }
}

/// Cosine and sine of angles in even steps: each follows from the one before.
struct Fan {
    now: Vec2,
    step: Vec2,
    place: usize,
}

impl Fan {
    /// That of a place, which must not be before the last one asked for.
    #[inline]
    fn at(&mut self, place: usize) -> Vec2 {
        while self.place < place {
            self.now = self.now.rotate(self.step);
            self.place += 1;
        }
        self.now
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/body_six_point_spine.rs"]
mod tests;
