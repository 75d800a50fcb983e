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
//! the sweep; going down, the bases below have not moved yet. An aim looks from
//! where the end point was before the sweep.
//!
//! Degenerate: an axis along the pointing direction or along the wanted one
//! leaves nothing to turn, and the joint stays.

use super::body::{Body, Limb};
use super::measure::Wish;
use super::solution::Solution;
use crate::goal::Target;
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
    /// The value a node takes.
    #[inline]
    fn allowed(&self, body: &Body, k: usize, angle: Real) -> Real {
        if !self.limits {
            return wrap_angle(angle);
        }
        let inside = body.node(k).nearest_value(angle);
        if self.inset > 0.0 { body.node(k).off_the_edge(inside, self.inset) } else { inside }
    }

    /// Turns a hinge so that `seen`, a direction in its own frame, comes nearest
    /// to a direction in model space.
    #[inline]
    fn turn(&self, body: &Body, k: usize, seen: Vec3, direction: Vec3, solution: &mut Solution) {
        let link = &body.links[k];
        let wanted = solution.basis(body, k).conjugate() * direction;
        if link.turns
            && let Some(angle) = angle_between_about(link.axis, seen, wanted)
        {
            solution.set(body, k, self.allowed(body, k, angle));
        }
    }

    /// BWCD. The frames must be up to date and are afterwards; `seen` is room, by node.
    pub(super) fn backward(
        &self,
        body: &Body,
        limb: &Limb,
        wish: &Wish,
        seen: &mut [Vec3],
        solution: &mut Solution,
    ) {
        for _ in 0..self.sweeps {
            let now = solution.end(body, limb);
            let (looks, direction) = (now.rotation * wish.pointing, wish.direction(now));
            if missed(direction, looks) <= self.precision {
                return;
            }
            for &k in body.path(limb) {
                seen[k] = solution.place.frames[k].rotation.conjugate() * looks;
            }
            for &k in body.path(limb) {
                self.turn(body, k, seen[k], direction, solution);
                solution.update_node(body, k);
            }
        }
    }

    /// CCD. The frames must be up to date and are afterwards.
    pub(super) fn forward(
        &self,
        body: &Body,
        limb: &Limb,
        wish: &Wish,
        settled: Real,
        solution: &mut Solution,
    ) {
        let mut last = Real::INFINITY;
        for _ in 0..self.sweeps {
            let direction = wish.direction(solution.end(body, limb));
            let mut seen = body.offset(limb).rotation * wish.pointing;
            for &k in body.path(limb).iter().rev() {
                self.turn(body, k, seen, direction, solution);
                seen = body.node(k).before.rotation * (solution.place.motions[k].rotation * seen);
            }
            solution.update_limb(body, limb);
            let now = solution.end(body, limb);
            let error = missed(wish.direction(now), now.rotation * wish.pointing);
            if error <= self.precision || (error - last).abs() <= settled {
                return;
            }
            last = error;
        }
    }
}

/// Lets the last node see to the roll, if it is a twister (BWTwist, Alg. 17).
pub(super) fn roll_end(body: &Body, limb: &Limb, wish: &Wish, inset: Real, solution: &mut Solution) {
    let (k, Target::Orientation(wanted)) = (limb.tip, wish.target) else { return };
    let (node, link) = (body.node(k), &body.links[k]);
    if limb.start == limb.end || !link.twists {
        return;
    }
    // From an orientation of the end point to the turn of its node.
    let basis = solution.basis(body, k).conjugate();
    let own = body.offset(limb).rotation.conjugate();
    let angle = |wanted: Quat| rotation::angle_about(link.axis, basis * wanted * own);
    let mut best = angle(wanted);
    if wish.symmetric {
        let other = angle(wish.flipped(wanted));
        let worse = |a: Real| node.excess(a) * 4.0 + wrap_angle(a).abs();
        if worse(other) < worse(best) {
            best = other;
        }
    }
    let inside = node.nearest_value(best);
    let moved_in = node.excess(best) > 0.0 && inset > 0.0;
    solution.set(body, k, if moved_in { node.off_the_edge(inside, inset) } else { inside });
    solution.update_node(body, k);
}
