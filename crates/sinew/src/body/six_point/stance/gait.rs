//! How a body walks whose feet nobody tracks: whether it does, and what its arms say of its feet.
//!
//! People who walk swing each arm with the leg of the other side, and let them hang for it: who goes about with raised
//! hands dances, boxes or carries, and says nothing of the feet. How long a step takes follows from the pace:
//! the length of a step over the steps in a second is the same at every pace ([`WALK_RATIO`]; Sekiya and
//! Nagasaki, "Reproducibility of the walking patterns of normal young adults", 1998).

use super::{Seen, Stance, steps};
use crate::body::six_point::guard::Bounds;
use crate::math::*;

/// From which pace on a body walks, and from which on it does nothing else, in heights of the pelvis a second.
const WALKING: (Real, Real) = (0.6, 1.1);
/// The same for who walks briskly, and so upright.
const BRISK: (Real, Real) = (0.8, 1.6);
/// From which part of their reach down from the head on hands hang, and from which on they surely do.
const HANGS: (Real, Real) = (0.5, 0.75);
/// A hand that passes the other one so fast, in heights of the pelvis a second, swings with a step.
const SWING: Real = 0.8;
/// For how many seconds a swing of the arms is remembered.
const REMEMBERED: Real = 0.5;
/// How much narrower a walk is than a stance.
const NARROWER: Real = 0.5;
/// The length of a step in metres over the steps in a second, of a body whose pelvis is 0.85 m over its ankles.
const WALK_RATIO: Real = 0.39;
/// The seconds that a step takes at the least and at the most.
const STEPS: (Real, Real) = (0.3, 0.8);

impl Stance {
    /// How much the body goes, from 0 to 1.
    fn going(&self, bounds: &Bounds) -> Real {
        let (from, to) = WALKING;
        ((self.pace.length() / bounds.standing.max(TINY) - from) / (to - from)).clamp(0.0, 1.0)
    }

    /// How much the body walks, from 0 to 1.
    pub(super) fn walking(&self, bounds: &Bounds) -> Real {
        self.hanging * self.going(bounds)
    }

    /// How briskly it walks, from 0 to 1.
    pub(super) fn brisk(&self, bounds: &Bounds) -> Real {
        let (from, to) = BRISK;
        let pace = self.pace.dot(self.forward(bounds.up)) / bounds.standing.max(TINY);
        self.hanging * ((pace - from) / (to - from)).clamp(0.0, 1.0)
    }

    /// How much the arms hang, from 0 to 1; hands that are not seen do.
    pub(super) fn hanging(&self, seen: &Seen, bounds: &Bounds) -> Real {
        let (Some(head), Some([left, right])) = (seen.head, seen.wrists) else { return 1.0 };
        let down = (head - 0.5 * (left + right)).dot(bounds.up);
        let most = bounds.rest[1].y - 0.5 * (bounds.hang[0].y + bounds.hang[1].y);
        let (from, to) = HANGS;
        ((down / most.max(TINY) - from) / (to - from)).clamp(0.0, 1.0)
    }

    /// Takes the swing of the arms a tick further. `hands` are seen from the head; `fresh` is what a tick says of a speed.
    pub(super) fn swings(&mut self, hands: Option<[Vec3; 2]>, fresh: Real, bounds: &Bounds, dt: Real) {
        if let (Some([was_left, was_right]), Some([left, right])) = (self.hands, hands) {
            let gone = (left - right) - (was_left - was_right);
            self.swing += (gone.dot(self.forward(bounds.up)) / dt - self.swing) * fresh;
        }
        self.hands = hands;
        let now = self.arms(bounds).abs();
        self.rhythm = now.max(self.rhythm * (-dt / REMEMBERED).exp()).min(self.going(bounds));
    }

    /// How much the chest turns with the line of the hands, from 0 to 1. Arms that swing turn it less.
    pub(in crate::body::six_point) fn chest(&self, bounds: &Bounds) -> Real {
        1.0 - 0.65 * self.walking(bounds)
    }

    /// How wide the feet are apart, of how they are while standing.
    pub(super) fn narrow(&self, bounds: &Bounds) -> Real {
        let ahead = self.pace.dot(self.forward(bounds.up)).abs() / self.pace.length().max(TINY);
        1.0 - NARROWER * self.walking(bounds) * ahead * ahead
    }

    /// Which foot the arms' swing has in the air, from -1, the right, to 1, the left: each goes with the other
    /// side's hand.
    fn arms(&self, bounds: &Bounds) -> Real {
        let size = bounds.standing.max(TINY);
        let ahead = (self.pace.dot(self.forward(bounds.up)) / (0.5 * size)).clamp(-1.0, 1.0);
        -ahead * (self.swing / (SWING * size)).clamp(-1.0, 1.0) * self.walking(bounds)
    }

    /// What the feet go by, in a stance that is so narrow.
    pub(super) fn gait(&self, narrow: Real, bounds: &Bounds) -> steps::Gait {
        // A length over steps in a second: larger bodies are slower by the root of their size.
        let size = (bounds.standing / 0.85).max(TINY);
        let ratio = WALK_RATIO * size * size.sqrt();
        let (least, most) = STEPS;
        let time = (ratio / self.pace.length().max(TINY)).sqrt().clamp(least, most);
        steps::Gait {
            pace: self.pace,
            turning: self.turning,
            arms: self.arms(bounds),
            rhythm: self.rhythm,
            time,
            width: (bounds.rest[4].x - bounds.rest[5].x).abs() * narrow,
        }
    }
}
