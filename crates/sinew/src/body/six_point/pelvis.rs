//! Where left is: the turn of pelvis and chest about the line from pelvis to
//! head (Unzueta et al. 2008, section 4).
//!
//! The body's y axis is the direction from pelvis to head, its x axis a weighted
//! mean of the directions from right wrist to left, from right ankle to left and
//! of the x axis of the frame before, all at right angles to y; how much the last of them weighs
//! depends on the time that has passed. What is added:
//! that hands are in front of a body rather than behind it, that two points
//! close to each other say little, that a stride is longer than it is wide, and that bodies go forwards
//! rather than sideways. The last two speak of an axis and not of a direction: a vector `v` that lies fore
//! and aft asks for a small `(v·x)²`. With `b` the weighted sum of the directions, x makes `Σ(v·x)² − 2b·x`
//! least.
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
    /// How fast the body goes, in metres a second.
    pub velocity: Vec3,
}

/// How much a tracked head says of where left is.
const HEAD: Real = 0.3;

/// A stride of this length in metres, and a body of this speed in metres a second, say all that they can
/// of where forwards is.
const STRIDE: Real = 0.33;
/// Wrists or ankles that point to the other side by this much, in metres, are crossed.
const CROSSED: Real = 0.25;
const SPEED: Real = 1.0;
/// Newton's steps to the x axis, and how far one goes, in radians.
const ROUNDS: u32 = 3;
const STEP: Real = 0.5;

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
    let faded = |v: Vec3, full: Real| {
        let aside = v - up * v.dot(up);
        let length = aside.length();
        let scale = length.max(full);
        if scale > HAIR && length.is_finite() { aside / scale } else { Vec3::ZERO }
    };
    // Two points nearer than `near` fade out, whatever direction is left.
    let across = |v: Vec3| faded(v, near);
    let (wrists, ankles) = (across(cues.wrists), across(cues.ankles));
    // Arms or legs that point to the other side are crossed; both are a turn.
    let astray = |v: Vec3, other: Vec3| {
        if crossed < 1.0 && other.dot(last) > 0.0 {
            // From clearly beyond a right angle on.
            let against = (-2.5 * faded(v, CROSSED).dot(last) - 1.0).clamp(0.0, 1.0);
            1.0 + (crossed - 1.0) * against
        } else {
            1.0
        }
    };
    let arms = astray(cues.wrists, ankles);
    let legs = astray(cues.ankles, wrists);
    let sum = wrists * (weights.wrists * arms)
        + ankles * (weights.ankles * legs)
        + direction_or(cues.head - up * cues.head.dot(up), Vec3::ZERO) * (HEAD * cues.head.length())
        + up.cross(across(cues.hands)) * weights.front;
    let axes = [(cues.ankles, STRIDE, weights.stride * legs), (cues.velocity, SPEED, weights.travel)]
        .map(|(v, full, weight)| (faded(v, full), weight));
    let said: Real = axes.iter().map(|(v, weight)| weight * v.length_squared()).sum();
    let sum = sum + last * before(sum.length() + said, weights.memory, dt);
    let wanted = direction_or(sum - up * sum.dot(up), last);
    // Before the first frame there is nothing to go on from.
    let start = if most.is_some() { last } else { wanted };
    let wanted = if said > 0.0 { least_aside(up, start, sum, &axes) } else { wanted };
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

/// The x axis that makes `Σ weight·(v·x)² − 2·sum·x` least over the axes `v`, from a start at right angles to `up`.
fn least_aside(up: Vec3, start: Vec3, sum: Vec3, axes: &[(Vec3, Real); 2]) -> Vec3 {
    let mut x = start;
    for _ in 0..ROUNDS {
        let side = up.cross(x);
        let (mut slope, mut bend) = (-sum.dot(side), sum.dot(x));
        for &(v, weight) in axes {
            let (along, aside) = (v.dot(x), v.dot(side));
            slope += weight * along * aside;
            bend += weight * (aside * aside - along * along);
        }
        // On a hill it goes down as far as it may; on its very top to the left.
        let step = if bend > HAIR { (-slope / bend).clamp(-STEP, STEP) } else { -STEP.copysign(slope) };
        x = direction_or(x + side * step, x);
    }
    x
}
