//! Points that nobody tracks: where they most likely are.
//!
//! Points that were never seen are made up here, from those that are; points that were seen and
//! are lost for a while are the guard's business.
//!
//! * **Feet** that are both unseen stand and step (`stance.rs`), and with them the heading of the
//!   pelvis and, where it is unseen, its place.
//! * **Pelvis** over feet that are seen: it divides the line to the head as at rest. As the head
//!   comes lower, legs and spine share the loss: the legs' span shrinks with the [`KNEES`]-th
//!   power of the whole, and where spine and legs are then too long for the line, the pelvis goes backwards.
//! * **One foot** beside one that is seen stands under the body.
//! * **Wrists** hang beside the hips.
//!
//! The floor is where the rest pose stands, or where an option says. Where the head is at no
//! height at which a person's head is, as in recordings whose rest is about the origin, it goes through the
//! origin, or is where the body would stand under the first head that is seen.

use super::guard::Bounds;
use super::stance::{Seen, Stance};
use crate::math::*;

/// How much of a crouch is in the knees rather than in the hips.
const KNEES: Real = 1.2;

/// What is kept of made-up points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    /// Which of the six were ever seen.
    seen: [bool; 6],
    stance: Stance,
    /// Whether both feet are made up, and have a stance.
    stands: bool,
}

impl Fill {
    pub(super) const NEW: Self = Self { seen: [false; 6], stance: Stance::NEW, stands: false };

    /// The stance, where both feet are made up.
    #[inline]
    pub(super) fn stance(&self) -> Option<&Stance> {
        self.stands.then_some(&self.stance)
    }

    /// Whether a foot was ever seen.
    #[inline]
    pub(super) fn has_seen_foot(&self, side: usize) -> bool {
        self.seen[4 + side]
    }

    /// The whole body was put elsewhere.
    pub(super) fn shift(&mut self, by: Vec3, bounds: &Bounds) {
        if self.stands {
            self.stance.shift(by, bounds);
        }
    }

    /// Makes up what was never seen, as far as head or pelvis are. `body` is the body's frame in
    /// model space in the frame before, `lost` where points that are not given were last,
    /// `lefts` where the trackers of head and pelvis have their left.
    #[allow(clippy::too_many_arguments)] // one place calls it
    pub(super) fn fill(
        &mut self,
        given: &mut [Option<Vec3>; 6],
        body: Quat,
        bounds: &Bounds,
        ground: Option<Real>,
        dt: Real,
        lost: &[Vec3; 6],
        lefts: [Option<Vec3>; 2],
    ) {
        for (seen, given) in self.seen.iter_mut().zip(given.iter()) {
            *seen |= given.is_some();
        }
        let seen = self.seen;
        let unseen = |i: usize| !seen[i];
        self.stands &= unseen(4) && unseen(5);
        if !(0..6).any(|i| i != 1 && unseen(i)) || given[1].or(given[0]).is_none() {
            return;
        }
        if unseen(4) && unseen(5) {
            let frame = Seen {
                head: given[1],
                pelvis: given[0],
                wrists: given[2].zip(given[3]).map(|(left, right)| [left, right]),
                head_left: lefts[0],
                pelvis_left: lefts[1],
            };
            self.stance.advance(&frame, body * Vec3::X, ground, bounds, dt);
            self.stands = true;
            if unseen(0) {
                given[0] = Some(self.stance.pelvis());
            }
            for side in 0..2 {
                given[4 + side] = Some(self.stance.foot(side, bounds).at);
            }
        }
        let level = Level::new(body, bounds);
        if let (true, Some(head)) = (unseen(0), given[1]) {
            let feet = [4, 5].map(|i| given[i].or(seen[i].then_some(lost[i])));
            let middle = match feet {
                [Some(left), Some(right)] => Some(0.5 * (left + right)),
                [Some(left), None] => Some(left - level.left * bounds.rest[4].x),
                [None, right] => right.map(|right| right - level.left * bounds.rest[5].x),
            };
            let middle = middle.unwrap_or(head - bounds.up * (bounds.standing + bounds.rest[1].y));
            given[0] = given[0].or(Some(pelvis_between(head, middle, &level, bounds)));
        }
        let pelvis = given[0].unwrap_or(lost[0]);
        for side in 0..2 {
            // With the other foot tracked, this one stands beside the body.
            if unseen(4 + side) && given[4 + side].is_none() {
                let floor =
                    given[5 - side].unwrap_or(lost[5 - side]).dot(bounds.up).min(pelvis.dot(bounds.up));
                let rest = bounds.rest[4 + side];
                let under = pelvis + level.left * rest.x + level.forward * rest.z;
                let height = floor.max(pelvis.dot(bounds.up) - 1.02 * bounds.standing);
                given[4 + side] = Some(level.flat(under) + bounds.up * height);
            }
            if unseen(2 + side) {
                given[2 + side] = Some(pelvis + body * bounds.hang[side]);
            }
        }
    }
}

/// The body's frame made level.
struct Level {
    up: Vec3,
    left: Vec3,
    forward: Vec3,
}

impl Level {
    fn new(body: Quat, bounds: &Bounds) -> Self {
        let up = bounds.up;
        let left = body * Vec3::X;
        let left = direction_or(left - up * left.dot(up), any_perpendicular(up));
        Self { up, left, forward: left.cross(up) }
    }

    /// Without its height.
    fn flat(&self, v: Vec3) -> Vec3 {
        v - self.up * v.dot(self.up)
    }
}

fn pelvis_between(head: Vec3, feet: Vec3, level: &Level, bounds: &Bounds) -> Vec3 {
    let (spine, leg) = (bounds.rest[1].length(), bounds.leg);
    let line = head - feet;
    let length = line.length();
    let whole = (spine + leg).max(TINY);
    if length <= HAIR {
        return head - level.up * spine;
    }
    let along = line / length;
    let part = length / whole;
    if part >= 1.0 {
        return feet + along * (length * leg / whole);
    }
    let leg = leg * part.powf(KNEES);
    let at = ((length * length + leg * leg - spine * spine) / (2.0 * length)).clamp(-leg, leg);
    let aside = (leg * leg - at * at).max(0.0).sqrt();
    let back = -level.forward;
    let back = direction_or(back - along * back.dot(along), Vec3::ZERO);
    // No further from the head than the spine allows, which bends for the rest.
    let found = feet + along * at + back * aside;
    head + (found - head).clamp_length_max(spine)
}
