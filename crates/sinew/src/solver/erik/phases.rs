//! The two phases of an iteration.
//!
//! As FABRIK does with points, ERIK first walks from the end point to the root
//! as if the root were free, then from the root to the end point as if the end
//! point were. Here every step is a turn of one joint, so each walk leaves a
//! chain that the robot can really make; only its base, or its end point, is
//! not where it should be.
//!
//! **Forward** (Alg. 8-14), end point to root. The end point stands as wanted.
//! A bend takes the angle of the wanted posture, to the side on which the guide
//! (the warped posture, or the solution of the last iteration) has the segment
//! below it. A twister turns until the axis of the next bend below is square to
//! the plane in which that bend should happen (the paper rolls all frames below
//! it instead and lets the twister collect them: the same angle). What comes out
//! are directions for every segment; the base they would need is forgotten.
//!
//! **Backward** (Alg. 15-18), root to end point. The base stands where it is. A
//! bend takes the latitude of its wanted direction, on the side that comes
//! nearer; a twister turns for the next bend above; the last one for the roll.
//! All angles lie within the limits, so this is a solution.
//!
//! Degenerate: where two segments are in line there is no plane to bend in, and
//! a twister keeps the angle that it has.

use alloc::vec::Vec;

use super::body::{Body, Carried, Limb};
use super::descent::roll_end;
use super::measure::{Wanted, Wish};
use super::solution::Solution;
use crate::math::*;

/// Room for the phases, by node.
#[derive(Debug, Clone)]
pub(super) struct PhaseRoom {
    /// Where each segment should point.
    pub guide: Vec<Vec3>,
    /// Where the forward phase left each segment, and how it turned each joint.
    pub wanted: Vec<Vec3>,
    pub angles: Vec<Real>,
}

impl PhaseRoom {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            guide: alloc::vec![Vec3::Y; nodes],
            wanted: alloc::vec![Vec3::Y; nodes],
            angles: alloc::vec![0.0; nodes],
        }
    }

    /// Takes the directions of a solution as guide, and with them that of the
    /// segment which the limb stands on.
    pub(super) fn follow(&mut self, body: &Body, limb: &Limb, solution: &Solution) {
        let below = body.path(limb).first().map(|&base| body.node(base).parent as usize);
        if let Some(below) = below.filter(|&below| below < self.guide.len()) {
            self.guide[below] = solution.segment(body, below);
        }
        for &k in body.path(limb) {
            self.guide[k] = solution.segment(body, k);
        }
    }

    /// Where the segment before a node should point.
    fn below(&self, body: &Body, k: usize) -> Vec3 {
        let node = body.node(k);
        match self.guide.get(node.parent as usize) {
            Some(guide) => *guide,
            None => node.before.rotation * body.links[k].before,
        }
    }
}

/// The angle of the twister `k` that lays the axis of a bend, as `k` carries or
/// is carried by it, along or against `normal` (in the frame that the twist
/// happens in): of the two, the one with less excess, or else the one whose bend
/// turns the way that `positive` says.
#[inline]
fn twist_for(
    body: &Body,
    k: usize,
    bend: &Carried,
    normal: Vec3,
    sign: Real,
    positive: bool,
) -> Option<Real> {
    if normal.length_squared() <= 1.0e-8 {
        return None;
    }
    let (node, a) = (body.node(k), body.links[k].axis);
    let c = bend.axis.dot(normal) - a.dot(bend.axis) * a.dot(normal);
    let s = a.dot(bend.axis.cross(normal));
    if c * c + s * s < 1.0e-10 {
        return None;
    }
    let along = sign * s.atan2(c);
    let against = wrap_angle(along + PI);
    let (first, second) = if positive { (along, against) } else { (against, along) };
    let best = if node.excess(second) + 1.0e-3 < node.excess(first) { second } else { first };
    Some(node.nearest_value(best))
}

/// The forward phase of one limb, end point to root; `end` is the wanted
/// orientation of the end point. Bends are those of the posture given, or else of the guide.
pub(super) fn forward(
    body: &Body,
    limb: &Limb,
    posture: Option<&[Wanted]>,
    end: Quat,
    inset: Real,
    room: &mut PhaseRoom,
    solution: &Solution,
) {
    let mut turned = end * body.offset(limb).rotation.conjugate();
    for &k in body.path(limb).iter().rev() {
        let (node, link) = (body.node(k), &body.links[k]);
        room.wanted[k] = turned * link.segment;
        let mut angle = solution.value(k);
        if link.twists {
            if let Some(bend) = &link.below {
                let lower = room.below(body, bend.node);
                let normal = turned.conjugate() * lower.cross(room.wanted[k]);
                let positive = solution.value(bend.node) >= 0.0;
                angle = twist_for(body, k, bend, normal, -1.0, positive).unwrap_or(angle);
            }
        } else if link.turns {
            // On which side of this segment the one below should lie: the
            // hemisphere is told by the vector square to the axis.
            let seen = turned.conjugate() * room.below(body, k);
            let positive = link.axis.dot(seen.cross(link.segment)) >= 0.0;
            let bend = match posture {
                Some(posture) => posture[k].bend,
                None => room.below(body, k).dot(room.guide[k]),
            };
            angle = node.nearest_value(link.table.swing(bend, positive));
        }
        let mut turn = solution.place.motions[k].rotation;
        if link.turns {
            if inset > 0.0 {
                angle = node.off_the_edge(angle, inset);
            }
            turn = rotation::about(link.axis, angle);
        }
        room.angles[k] = angle;
        turned *= (node.before.rotation * turn).conjugate();
    }
}

/// The backward phase of one limb, root to end point.
pub(super) fn backward(
    body: &Body,
    limb: &Limb,
    wish: &Wish,
    inset: Real,
    room: &PhaseRoom,
    solution: &mut Solution,
) {
    for &k in body.path(limb) {
        let (node, link) = (body.node(k), &body.links[k]);
        if link.turns {
            let basis = solution.basis(body, k).conjugate();
            let mut angle = solution.value(k);
            if !link.twists {
                let wanted = basis * room.wanted[k];
                let cosine = link.before.dot(wanted);
                let swing = |positive| node.nearest_value(link.table.swing(cosine, positive));
                let (one, other) = (swing(true), swing(false));
                let nearness = |angle: Real| (rotation::about(link.axis, angle) * link.segment).dot(wanted);
                angle = if nearness(other) > nearness(one) { other } else { one };
            } else if let Some(bend) = &link.above {
                let normal = bend.before.cross(basis * room.wanted[bend.node]);
                let positive = room.angles[bend.node] >= 0.0;
                angle = twist_for(body, k, bend, normal, 1.0, positive).unwrap_or(angle);
            }
            if inset > 0.0 {
                angle = node.off_the_edge(angle, inset);
            }
            solution.set(body, k, angle);
        }
        solution.update_node(body, k);
    }
    roll_end(body, limb, wish, inset, solution);
}
