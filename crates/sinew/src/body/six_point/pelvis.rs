//! Where left is: the turn of pelvis and chest about the line from pelvis to
//! head (Unzueta et al. 2008, section 4).
//!
//! The body's y axis is the direction from pelvis to head, its x axis a weighted
//! mean of the directions from right wrist to left, from right ankle to left and
//! of the x axis of the frame before, all at right angles to y; how much the last of them weighs
//! depends on the time that has passed. What is added:
//! that hands are in front of a body rather than behind it, and that two points
//! closer than a hand's breadth say little.
//!
//! # Degenerate cases
//! * The x axis of the frame before is first carried along by the shortest turn
//!   from the old y to the new. So a body that goes head over heels or onto its
//!   side keeps its left, and nothing depends on which way is up.
//! * Cues that cancel, or none at all: the x axis of the frame before; in the
//!   first frame the one at rest.
//! * Crossed arms or legs point to the other side. As long as only one pair does, it
//!   counts for little ([`SixPointOptions::crossed`](super::SixPointOptions::crossed)).
//!   Both can outvote the frame before, but not at once: the speed of the turn is
//!   bounded.

use super::options::HeadingWeights;
use crate::math::*;

/// Cues of a frame, none of them made unit or put at right angles yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cues {
    /// From the right wrist to the left.
    pub wrists: Vec3,
    /// From the right ankle to the left.
    pub ankles: Vec3,
    /// From the pelvis to the middle of the wrists.
    pub hands: Vec3,
    /// Where a tracker on the head has its left, as long as it is to be believed: from 0 to 1.
    pub head: Vec3,
}

/// How much a tracked head says of where left is.
const HEAD: Real = 0.3;

/// How much the frame before weighs against cues that together weigh `seen`, such that they are
/// followed with the time constant `memory / seen`, whatever the time step.
fn before(seen: Real, memory: Real, dt: Real) -> Real {
    if memory <= 0.0 {
        return 0.0;
    }
    let time = seen * dt / memory;
    // What has no weight is followed in no time, and leaves what was.
    if time > 1.0e-3 { seen / (time.exp() - 1.0) } else { memory / dt }
}

/// The x axis about the unit vector `up`. `last` is at right angles to `up`.
pub(super) fn left_of(
    up: Vec3,
    cues: &Cues,
    (weights, dt): (&HeadingWeights, Real),
    near: Real,
    crossed: Real,
    last: Vec3,
    most: Option<Real>,
) -> Vec3 {
    let across = |v: Vec3| {
        let aside = v - up * v.dot(up);
        let length = aside.length();
        // Two points nearer than `near` fade out, whatever direction is left.
        let scale = length.max(near);
        if scale > HAIR && length.is_finite() { aside / scale } else { Vec3::ZERO }
    };
    let (wrists, ankles) = (across(cues.wrists), across(cues.ankles));
    // Arms or legs that point to the other side are crossed; both are a turn.
    let astray = |v: Vec3, other: Vec3| {
        if crossed < 1.0 && other.dot(last) > 0.0 {
            // From clearly beyond a right angle on.
            let against = (-2.5 * v.dot(last) - 1.0).clamp(0.0, 1.0);
            1.0 + (crossed - 1.0) * against
        } else {
            1.0
        }
    };
    let sum = wrists * (weights.wrists * astray(wrists, ankles))
        + ankles * (weights.ankles * astray(ankles, wrists))
        + direction_or(cues.head - up * cues.head.dot(up), Vec3::ZERO) * (HEAD * cues.head.length())
        + up.cross(across(cues.hands)) * weights.front;
    let sum = sum + last * before(sum.length(), weights.memory, dt);
    let wanted = direction_or(sum - up * sum.dot(up), last);
    let Some(most) = most else { return wanted };
    let (sin, cos) = (up.dot(last.cross(wanted)), last.dot(wanted));
    let (most_sin, most_cos) = most.sin_cos();
    if cos >= most_cos {
        return wanted;
    }
    // Exactly opposite cues turn it left: some way must be taken.
    let way = if sin < 0.0 { -most_sin } else { most_sin };
    last * most_cos + up.cross(last) * way
}
