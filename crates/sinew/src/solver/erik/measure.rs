//! What a solution is worth: the error measures of ERIK, eq. 19-22.
//!
//! The posture error compares, joint by joint, the cosine of the bend with that
//! of the wanted posture. A bend depends on the angle of its own joint and on
//! nothing else (see [`latitude`](super::latitude)), so the measure is a sum of
//! one function per joint, which is what makes it cheap to descend. It does not
//! see twists, nor the side to which a joint bends.
//!
//! The orientation error is √2·sin(γ/4) of the angle γ that is missing. With
//! the extension SymmetricEndpoint the end point may as well be turned half
//! round about its pointing axis.

use super::body::{Body, Limb};
use super::solution::Solution;
use crate::math::*;

/// Where an end point should be turned to, in zero frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wish {
    /// The wanted turn from rest.
    pub turn: Quat,
    /// The pointing axis at rest.
    pub pointing: Vec3,
    /// Upside down is as good.
    pub symmetric: bool,
    /// Any roll about the pointing axis is as good.
    pub free_roll: bool,
    /// The point to look at, if the turn is to follow from it.
    pub point: Option<Vec3>,
    /// How much it counts.
    pub weight: Real,
    /// Whether the target can be used at all.
    pub usable: bool,
}

impl Wish {
    pub(super) const NONE: Self = Self {
        turn: Quat::IDENTITY,
        pointing: Vec3::Y,
        symmetric: false,
        free_roll: false,
        point: None,
        weight: 1.0,
        usable: false,
    };

    /// The wanted pointing direction.
    #[inline]
    pub(super) fn direction(&self) -> Vec3 {
        self.turn * self.pointing
    }

    /// The wanted turn that is nearest to `now`.
    #[inline]
    pub(super) fn nearest(&self, now: Quat) -> Quat {
        if self.free_roll {
            let looks = now * self.pointing;
            let hint = now * any_perpendicular(self.pointing);
            return rotation::between(looks, self.direction(), hint) * now;
        }
        if self.symmetric {
            let other = self.flipped();
            if other.dot(now).abs() > self.turn.dot(now).abs() {
                return other;
            }
        }
        self.turn
    }

    /// Looks at its point from here; a wish for an orientation stays.
    #[inline]
    pub(super) fn look(&mut self, from: Option<Vec3>) {
        if let (Some(point), Some(from)) = (self.point, from) {
            let wanted = direction_or(point - from, self.direction());
            let hint = any_perpendicular(self.pointing);
            self.turn = rotation::between(self.pointing, wanted, hint);
        }
    }

    /// The wanted turn upside down.
    #[inline]
    pub(super) fn flipped(&self) -> Quat {
        let p = self.pointing;
        self.turn * Quat::from_xyzw(p.x, p.y, p.z, 0.0)
    }

    /// The orientation error (eq. 20).
    #[inline]
    pub(super) fn error(&self, now: Quat) -> Real {
        if !self.usable {
            return 0.0;
        }
        let wanted = rotation::same_side(self.nearest(now), now);
        // As a difference, which is exact where one minus the product is not.
        (wanted - now).length() * FRAC_1_SQRT_2
    }
}

/// Both measures of a solution; eq. 19.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Errors {
    pub orientation: Real,
    pub posture: Real,
    pub combined: Real,
}

/// Weights of the two measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weights {
    pub orientation: Real,
    pub posture: Real,
}

/// The posture error (eq. 21) of some links against the cosines of the wanted
/// bends, as a part of all that these links count for.
#[inline]
pub(super) fn posture_error(
    body: &Body,
    links: core::ops::Range<usize>,
    bends: &[Real],
    solution: &Solution,
) -> Real {
    let (mut sum, mut total) = (0.0, 0.0);
    for k in links {
        let link = &body.links[k];
        let (s, c) = solution.halves[k];
        sum += link.share * (link.bend.at_half(s, c) - bends[k]).abs();
        total += link.share;
    }
    if total > 0.0 { 0.5 * sum / total } else { 0.0 }
}

/// All measures of one limb.
#[inline]
pub(super) fn measure_limb(
    body: &Body,
    limb: &Limb,
    bends: &[Real],
    wish: &Wish,
    weights: Weights,
    solution: &Solution,
) -> Errors {
    let orientation = wish.error(solution.end(limb));
    let posture = posture_error(body, limb.start..limb.end, bends, solution);
    Errors::new(orientation, posture, weights)
}

/// All measures of a solution; several end points count by their weights.
pub(super) fn measure(
    body: &Body,
    bends: &[Real],
    wishes: &[Wish],
    weights: Weights,
    solution: &Solution,
) -> Errors {
    let mut orientation = 0.0;
    let mut total = 0.0;
    for (limb, wish) in body.limbs.iter().zip(wishes).filter(|(_, w)| w.usable) {
        orientation += wish.weight * wish.error(solution.end(limb));
        total += wish.weight;
    }
    let orientation = if total > 0.0 { orientation / total } else { 0.0 };
    let posture = posture_error(body, 0..body.links.len(), bends, solution);
    Errors::new(orientation, posture, weights)
}

impl Errors {
    fn new(orientation: Real, posture: Real, weights: Weights) -> Self {
        let combined = weights.orientation * orientation + weights.posture * posture;
        Self { orientation, posture, combined }
    }
}
