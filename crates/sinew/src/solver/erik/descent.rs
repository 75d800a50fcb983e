//! Coordinate descent in the two directions that ERIK needs.
//!
//! *Backward* descent (BWCD, section 3.2, Alg. 19 and 21) goes from the root to
//! the end point, so that the joints near the root do most of the work and the
//! shape above them survives; CCD (Alg. 22) goes the other way. Both turn one
//! joint after the other until the end point *points* where it should, and let
//! the twist of the end point see to the roll at last.
//!
//! A sweep is linear in the number of joints. Going up, the joints above have
//! not moved yet, so the pointing direction seen from each joint is known before
//! the sweep; going down, the bases below have not moved yet.
//!
//! Degenerate: an axis along the pointing direction or along the wanted one
//! leaves nothing to turn, and the joint stays.

use alloc::vec::Vec;

use super::body::{Body, Limb};
use super::measure::Wish;
use super::solution::Solution;
use crate::math::*;

/// How a descent goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Descent {
    pub sweeps: u32,
    /// Ends when (1 − cosine) / 2 of the missing angle is at most this (Alg. 20).
    pub precision: Real,
    pub limits: bool,
    /// Keep joints this far from their edges.
    pub inset: Real,
}

/// Room for the descents.
#[derive(Debug, Clone)]
pub(super) struct DescentRoom {
    /// The pointing direction in each link's own frame.
    seen: Vec<Vec3>,
}

impl DescentRoom {
    pub(super) fn new(links: usize) -> Self {
        Self { seen: alloc::vec![Vec3::ZERO; links] }
    }
}

/// The angle about `axis` that turns `from` nearest to `to`, if there is one.
#[inline]
fn angle_between_about(axis: Vec3, from: Vec3, to: Vec3) -> Option<Real> {
    let along = axis.dot(from) * axis.dot(to);
    let c = from.dot(to) - along;
    let s = axis.dot(from.cross(to));
    // Both have a part across the axis, or neither the sine nor the cosine has any size.
    (c * c + s * s > 1.0e-12).then(|| s.atan2(c))
}

fn missed(direction: Vec3, pointing: Vec3) -> Real {
    0.5 * (1.0 - direction.dot(pointing))
}

impl Descent {
    /// The value a link takes.
    #[inline]
    fn allowed(&self, body: &Body, k: usize, angle: Real) -> Real {
        if !self.limits {
            return wrap_angle(angle);
        }
        let link = &body.links[k];
        let safe = link.safe(angle);
        if self.inset > 0.0 { link.off_the_edge(safe, self.inset) } else { safe }
    }

    /// BWCD. The frames must be up to date and are afterwards.
    pub(super) fn backward(
        &self,
        body: &Body,
        limb: &Limb,
        direction: Vec3,
        room: &mut DescentRoom,
        solution: &mut Solution,
    ) {
        for _ in 0..self.sweeps {
            if missed(direction, solution.end(limb) * limb.pointing) <= self.precision {
                return;
            }
            let mut seen = limb.pointing;
            for k in (limb.start..limb.end).rev() {
                room.seen[k] = seen;
                seen = solution.turn(body, k) * seen;
            }
            for k in limb.start..limb.end {
                let basis = solution.basis(body, k);
                let link = &body.links[k];
                if !link.slides
                    && let Some(angle) =
                        angle_between_about(link.axis, room.seen[k], basis.conjugate() * direction)
                {
                    solution.set(body, k, self.allowed(body, k, angle));
                }
                solution.turned[k] = basis * solution.turn(body, k);
            }
        }
    }

    /// CCD. The frames must be up to date and are afterwards.
    pub(super) fn forward(
        &self,
        body: &Body,
        limb: &Limb,
        direction: Vec3,
        settled: Real,
        solution: &mut Solution,
    ) {
        let mut last = Real::INFINITY;
        for _ in 0..self.sweeps {
            let mut seen = limb.pointing;
            for k in (limb.start..limb.end).rev() {
                let basis = solution.basis(body, k);
                let link = &body.links[k];
                if !link.slides
                    && let Some(angle) = angle_between_about(link.axis, seen, basis.conjugate() * direction)
                {
                    solution.set(body, k, self.allowed(body, k, angle));
                }
                seen = solution.turn(body, k) * seen;
            }
            solution.update_from(body, limb.start, limb.end);
            let error = missed(direction, solution.end(limb) * limb.pointing);
            if error <= self.precision || (error - last).abs() <= settled {
                return;
            }
            last = error;
        }
    }
}

/// Lets the last link see to the roll, if it is a twister (BWTwist, Alg. 17).
pub(super) fn roll_end(body: &Body, limb: &Limb, wish: &Wish, inset: Real, solution: &mut Solution) {
    if limb.start == limb.end || wish.free_roll {
        return;
    }
    let k = limb.tip;
    let link = &body.links[k];
    if !link.twists {
        return;
    }
    let basis = solution.basis(body, k);
    let angle = |wanted: Quat| rotation::angle_about(link.axis, basis.conjugate() * wanted);
    let mut best = angle(wish.turn);
    if wish.symmetric {
        let other = angle(wish.flipped());
        let worse = |a: Real| link.excess(a) * 4.0 + wrap_angle(a).abs();
        if worse(other) < worse(best) {
            best = other;
        }
    }
    let safe = link.safe(best);
    let value = if link.excess(best) > 0.0 && inset > 0.0 { link.off_the_edge(safe, inset) } else { safe };
    solution.set(body, k, value);
    solution.turned[k] = basis * solution.turn(body, k);
}
