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

use super::body::{Body, Limb, NO_LINK};
use super::descent::roll_end;
use super::measure::Wish;
use super::solution::Solution;
use crate::math::*;

/// Room for the phases.
#[derive(Debug, Clone)]
pub(super) struct PhaseRoom {
    /// Where each segment should point.
    pub guide: Vec<Vec3>,
    /// Where the forward phase left each segment, and how it turned each link.
    pub wanted: Vec<Vec3>,
    pub angles: Vec<Real>,
}

impl PhaseRoom {
    pub(super) fn new(links: usize) -> Self {
        Self {
            guide: alloc::vec![Vec3::Y; links],
            wanted: alloc::vec![Vec3::Y; links],
            angles: alloc::vec![0.0; links],
        }
    }

    /// Takes the directions of a solution as guide.
    pub(super) fn follow(&mut self, body: &Body, limb: &Limb, solution: &Solution) {
        for k in limb.start..limb.end {
            self.guide[k] = solution.turned[k] * body.links[k].segment;
        }
    }
}

/// The direction before a link: its parent's segment, or its own at rest.
#[inline]
fn before(body: &Body, k: usize) -> Vec3 {
    let link = &body.links[k];
    if link.parent == NO_LINK { link.segment } else { body.links[link.parent].segment }
}

/// The angle of the twister `k` that lays the axis of the bend `m`, as `k`
/// carries or is carried by it, along or against `normal` (in the frame that
/// the twist happens in): of the two, the one with less excess, or else the one
/// whose bend turns the way that `positive` says.
#[inline]
fn twist_for(body: &Body, k: usize, m: usize, normal: Vec3, sign: Real, positive: bool) -> Option<Real> {
    let (link, axis) = (&body.links[k], body.links[m].axis);
    let a = link.axis;
    let c = axis.dot(normal) - a.dot(axis) * a.dot(normal);
    let s = a.dot(axis.cross(normal));
    if c * c + s * s < 1.0e-10 {
        return None;
    }
    let along = sign * s.atan2(c);
    let against = wrap_angle(along + PI);
    let (first, second) = if positive { (along, against) } else { (against, along) };
    Some(if link.excess(second) + 1.0e-3 < link.excess(first) { second } else { first })
}

/// The forward phase of one limb, end point to root.
pub(super) fn forward(
    body: &Body,
    limb: &Limb,
    bends: &[Real],
    end: Quat,
    inset: Real,
    room: &mut PhaseRoom,
    solution: &Solution,
) {
    let mut turned = end;
    for k in (limb.start..limb.end).rev() {
        let link = &body.links[k];
        room.wanted[k] = turned * link.segment;
        let below = match link.parent {
            NO_LINK => before(body, k),
            parent if parent < limb.start => solution.turned[parent] * body.links[parent].segment,
            parent => room.guide[parent],
        };
        let mut angle = solution.values[k];
        if link.slides {
            room.angles[k] = angle;
            continue;
        }
        if link.twists {
            let m = link.bend_below;
            if m != NO_LINK {
                let lower = match body.links[m].parent {
                    NO_LINK => before(body, m),
                    parent if parent < limb.start => solution.turned[parent] * body.links[parent].segment,
                    parent => room.guide[parent],
                };
                let normal = turned.conjugate() * lower.cross(turned * link.segment);
                let positive = solution.values[m] >= 0.0;
                if normal.length_squared() > 1.0e-8
                    && let Some(found) = twist_for(body, k, m, normal, -1.0, positive)
                {
                    angle = link.safe(found);
                }
            }
        } else {
            // On which side of this segment the one below should lie: the
            // hemisphere is told by the vector square to the axis.
            let seen = turned.conjugate() * below;
            let positive = link.axis.dot(seen.cross(link.segment)) >= 0.0;
            angle = link.safe(link.table.swing(bends[k], positive));
        }
        if inset > 0.0 {
            angle = link.off_the_edge(angle, inset);
        }
        room.angles[k] = angle;
        turned *= rotation::about(link.axis, -angle);
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
    for k in limb.start..limb.end {
        let link = &body.links[k];
        let basis = solution.basis(body, k);
        let mut angle = solution.values[k];
        if link.slides {
            solution.turned[k] = basis;
            continue;
        }
        if link.twists {
            let m = link.bend_above;
            if m != NO_LINK {
                let own = before(body, m);
                let normal = own.cross(basis.conjugate() * room.wanted[m]);
                let positive = room.angles[m] >= 0.0;
                if normal.length_squared() > 1.0e-8
                    && let Some(found) = twist_for(body, k, m, normal, 1.0, positive)
                {
                    angle = link.safe(found);
                }
            }
        } else {
            let wanted = basis.conjugate() * room.wanted[k];
            let cosine = before(body, k).dot(wanted);
            let swing = |positive| link.safe(link.table.swing(cosine, positive));
            let (one, other) = (swing(true), swing(false));
            let nearness = |angle: Real| (rotation::about(link.axis, angle) * link.segment).dot(wanted);
            angle = if nearness(other) > nearness(one) { other } else { one };
        }
        if inset > 0.0 {
            angle = link.off_the_edge(angle, inset);
        }
        solution.set(body, k, angle);
        solution.turned[k] = basis * solution.turn(body, k);
    }
    roll_end(body, limb, wish, inset, solution);
}
