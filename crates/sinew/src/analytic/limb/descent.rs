//! The allowed base whose end comes nearest to the goal, for a box of Euler angles.
//!
//! With the other angles held, the best of one angle has a closed form, a turn about an
//! axis that brings a point nearest to another, and the nearer to it on its circle the
//! better: so is the best that its range allows. The same goes for the bend. Taken in
//! turns (coordinate descent) they come to rest where no small turn within the box brings
//! the end nearer, since the distance is smooth and the box has a face for every angle.
//! Each round costs four arc tangents; turning the base a little each way and projecting
//! it, as other limits need, costs twenty times as much.

use super::Reach;
use crate::limit::EulerLimit;
use crate::math::*;

/// Rounds over all angles.
const ROUNDS: usize = 40;
/// How much further than the last round a look ahead goes: along a valley rounds are short.
const AHEAD: Real = 4.0;

/// The four coordinates, the end's place in the base's frame, and how far it is off.
#[derive(Clone, Copy)]
struct Place {
    angles: [Real; 3],
    cos: Real,
    end: Vec3,
    error: Real,
}

impl Reach<'_> {
    /// From a base in the box downhill; the distance, the base and the cosine of the bend.
    pub(super) fn descend(&self, limit: &EulerLimit, base: Quat) -> (Real, Quat, Real) {
        let bend = &self.limb.bend;
        let axes = limit.order.axes().map(|i| limit.frame * Vec3::AXES[i]);
        let held = |i: usize, angle: Real| limit.ranges[i].project_within(angle, 0.0, 0.0).unwrap_or(angle);
        let place = |angles: [Real; 3]| {
            let turns = [0, 1, 2].map(|i| rotation::about(axes[i], angles[i]));
            let seen = turns.iter().fold(self.target, |t, q| q.conjugate() * t);
            let (cos, sin) = self.limb.bend_towards(seen);
            let end = bend.end(cos, sin);
            (turns, Place { angles, cos, end, error: end.distance(seen) })
        };
        let angles = limit.angles(base);
        let (mut turns, mut now) = place([0, 1, 2].map(|i| held(i, angles[i])));
        let enough = 4.0 * ROUNDING * bend.farthest();
        for round in 0..ROUNDS {
            let before = now;
            let mut angles = now.angles;
            for i in 0..3 {
                // From either side to where this angle turns.
                let goal = turns[..i].iter().fold(self.target, |t, q| q.conjugate() * t);
                let point = turns[i + 1..].iter().rev().fold(now.end, |e, q| *q * e);
                let axis = axes[i];
                let (sin, cos) =
                    (axis.dot(point.cross(goal)), point.dot(goal) - axis.dot(point) * axis.dot(goal));
                if sin * sin + cos * cos > TINY {
                    angles[i] = held(i, sin.atan2(cos));
                    turns[i] = rotation::about(axis, angles[i]);
                }
            }
            (turns, now) = place(angles);
            let gained = before.error - now.error;
            if gained <= enough {
                break;
            }
            if round % 2 == 1 {
                let further = [0, 1, 2].map(|i| held(i, angles[i] + AHEAD * (angles[i] - before.angles[i])));
                let (other, there) = place(further);
                if there.error < now.error {
                    (turns, now) = (other, there);
                }
            }
        }
        let base = (turns[0] * turns[1] * turns[2]).normalize();
        (now.error, base, now.cos)
    }
}
