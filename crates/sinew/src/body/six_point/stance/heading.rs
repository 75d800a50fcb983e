//! Where a body faces whose feet nobody tracks: the cues of hands and head, and how it turns after them.
//!
//! * The **line of the hands** has its left hand on the left, and the hands are before the body rather than behind it.
//!   The heading settles on that in [`SETTLE`] seconds, faster where it is far off.
//! * **Hands that both go round the head**, the same way, are carried by a body that turns: it turns with the slower
//!   of them at once. A hand that goes alone, a punch or a wave, does not turn it.
//! * In a **walk** the hands swing to and fro, which says nothing; what turns is the way.
//! * A **head** alone may look about: it turns the body only from [`NECK`] on.

use super::{Seen, Stance, flat, turned};
use crate::body::six_point::guard::Bounds;
use crate::math::*;

/// What of the turn of hands that both go round the head the body takes along at once.
const CARRIED: Real = 0.7;
/// Seconds in which the heading follows a small turn of its cues.
const SETTLE: Real = 0.28;
/// From this angle on, in radians, it follows clearly faster.
const FAR: Real = 0.8;
/// How fast the heading turns at most, in radians a second: a pirouette takes less than half a second.
const TURN_SPEED: Real = 16.0;
/// How far the head turns against the body before the body must follow, in radians.
const NECK: Real = 1.1;
/// What the cues weigh: hands apart, hands ahead, the head, and the head beyond [`NECK`].
const HANDS: Real = 1.0;
const AHEAD: Real = 0.3;
const FACE: Real = 0.12;
const FACE_BEYOND: Real = 1.0;
/// Hands nearer to each other or to the head than this say little of a direction, in spans of the arms.
const NEAR: Real = 0.2;

impl Stance {
    /// By how much the body turns to the left in this tick, and by how much until it has come to rest there. `hands` are
    /// seen from the head.
    pub(super) fn turn(
        &self,
        seen: &Seen,
        hands: Option<[Vec3; 2]>,
        bounds: &Bounds,
        dt: Real,
    ) -> (Real, Real) {
        let up = bounds.up;
        let (wanted, certain) = self.wanted_left(seen, bounds);
        let off = up.dot(self.left.cross(wanted)).atan2(self.left.dot(wanted));
        if seen.pelvis_left.is_some() {
            return (off, off);
        }
        let walking = self.walking(bounds);
        let settle = SETTLE * (1.0 + 2.5 * walking);
        let hurry = 1.0 + (off / FAR) * (off / FAR) * (1.0 - 0.7 * walking);
        let part = 1.0 - (-dt * certain * hurry / settle).exp();
        let carried = self.veering * walking * dt + CARRIED * self.spin(hands, bounds) * (1.0 - walking);
        let most = TURN_SPEED * dt;
        ((off * part + carried).clamp(-most, most), off)
    }

    /// By how much both hands went round the head since the tick before.
    fn spin(&self, hands: Option<[Vec3; 2]>, bounds: &Bounds) -> Real {
        let (Some(was), Some(now)) = (self.hands, hands) else { return 0.0 };
        let (up, near) = (bounds.up, (NEAR * bounds.span).max(TINY));
        let ways = [0, 1].map(|side: usize| (flat(was[side], up), flat(now[side], up)));
        let [left, right] = ways.map(|(from, to)| up.dot(from.cross(to)));
        // Mostly they stand or go different ways round, which is seen without an angle.
        if left * right <= 0.0 {
            return 0.0;
        }
        let angle = |around: Real, (from, to): (Vec3, Vec3)| {
            let sure = (from.length().min(to.length()) / near).min(1.0);
            around.atan2(from.dot(to)).abs() * sure
        };
        angle(left, ways[0]).min(angle(right, ways[1])).copysign(left)
    }

    /// Where the cues have the body's left, and how certain they are, from 0 to 1.
    pub(super) fn wanted_left(&self, seen: &Seen, bounds: &Bounds) -> (Vec3, Real) {
        let (up, last) = (bounds.up, self.left);
        let level = |v: Vec3| direction_or(flat(v, up), Vec3::ZERO);
        if let Some(left) = seen.pelvis_left.map(level).filter(|l| *l != Vec3::ZERO) {
            return (left, 1.0);
        }
        let face = seen.head_left.map_or(Vec3::ZERO, level);
        let mut sum = Vec3::ZERO;
        if let (Some([left, right]), Some(middle)) = (seen.wrists, seen.head.or(seen.pelvis)) {
            let near = NEAR * bounds.span;
            let cue = |v: Vec3| flat(v, up) / flat(v, up).length().max(near);
            let apart = cue(left - right);
            let ahead = up.cross(cue(0.5 * (left + right) - middle));
            // Hands that are crossed or behind the back point to the other side; one cue alone
            // does so, and neither can be right beyond what the neck allows.
            let against = |v: Vec3, other: Vec3| {
                let lies = (-2.5 * v.dot(last) - 0.5).clamp(0.0, 1.0);
                let astray = if other.dot(last) > 0.0 { 1.0 - lies } else { 1.0 };
                let seen = if face == Vec3::ZERO { 1.0 } else { (1.0 + 2.0 * v.dot(face)).clamp(0.0, 1.0) };
                astray * seen
            };
            sum += apart * (HANDS * against(apart, ahead)) + ahead * (AHEAD * against(ahead, apart));
        }
        if face != Vec3::ZERO {
            let off = up.dot(last.cross(face)).atan2(last.dot(face));
            let beyond = off.abs() - NECK;
            let held = if beyond > 0.0 { turned(last, beyond.copysign(off), up) } else { last };
            let weight = FACE_BEYOND * (beyond / 0.3).clamp(0.0, 1.0);
            sum += face * FACE + held * weight;
        }
        let size = sum.length();
        (direction_or(sum, last), size.min(1.0))
    }
}
