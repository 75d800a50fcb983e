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
//!
//! All of this is at right angles to y, so it is reckoned in that plane, with two coordinates. What the cues are there
//! is found once, for pelvis and chest.

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
/// Newton's steps to the x axis, how far one goes, in radians, and after which step it is there: what is missing
/// then is of the order of its square.
const ROUNDS: u32 = 3;
const STEP: Real = 0.5;
const LAST_STEP: Real = 1.0e-3;

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

/// The plane at right angles to the line from pelvis to head.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    first: Vec3,
    second: Vec3,
}

impl Plane {
    /// The one across the unit vector `up`, with its first axis as near to `left` as it can be.
    pub(super) fn across(up: Vec3, left: Vec3) -> Self {
        let first = direction_or(left - up * left.dot(up), any_perpendicular(up));
        Self { first, second: up.cross(first) }
    }

    /// What of a vector lies in the plane.
    #[inline]
    pub(super) fn part_of(&self, v: Vec3) -> Vec2 {
        Vec2::new(v.dot(self.first), v.dot(self.second))
    }

    /// The vector whose part this is.
    #[inline]
    pub(super) fn vector(&self, part: Vec2) -> Vec3 {
        self.first * part.x + self.second * part.y
    }
}

/// How far the x axis may turn in a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct MostTurn {
    cos: Real,
    sin: Real,
}

impl MostTurn {
    pub(super) fn by(angle: Real) -> Self {
        let (sin, cos) = angle.min(PI).sin_cos();
        Self { cos, sin }
    }
}

/// The cues as they lie in the plane.
#[derive(Debug, Clone, Copy)]
pub(super) struct FlatCues {
    /// Faded where they are short: two points nearer than `near` say less and less.
    wrists: Vec2,
    ankles: Vec2,
    front: Vec2,
    head: Vec2,
    /// Faded below what counts as crossed.
    wide_wrists: Vec2,
    wide_ankles: Vec2,
    /// What lies fore and aft.
    stride: Vec2,
    travel: Vec2,
    /// What crossed arms or legs count for.
    crossed: Real,
}

impl FlatCues {
    pub(super) fn new(cues: &Cues, plane: &Plane, near: Real, crossed: Real) -> Self {
        let measured = |v: Vec3| {
            let part = plane.part_of(v);
            (part, part.length())
        };
        let faded = |(part, length): (Vec2, Real), full: Real| {
            let scale = length.max(full);
            if scale > HAIR && length.is_finite() { part / scale } else { Vec2::ZERO }
        };
        let (wrists, ankles) = (measured(cues.wrists), measured(cues.ankles));
        let head = measured(cues.head);
        Self {
            wrists: faded(wrists, near),
            ankles: faded(ankles, near),
            front: faded(measured(cues.hands), near).perp(),
            head: faded(head, 0.0) * (HEAD * cues.head.length()),
            wide_wrists: faded(wrists, CROSSED),
            wide_ankles: faded(ankles, CROSSED),
            stride: faded(ankles, STRIDE),
            travel: faded(measured(cues.velocity), SPEED),
            crossed,
        }
    }

    /// The x axis, in the plane as `last` is: a unit vector.
    pub(super) fn left(
        &self,
        (weights, dt): (&HeadingWeights, Real),
        last: Vec2,
        most: Option<MostTurn>,
    ) -> Vec2 {
        // Arms or legs that point to the other side are crossed; both are a turn.
        let astray = |wide: Vec2, other: Vec2| {
            if self.crossed < 1.0 && other.dot(last) > 0.0 {
                // From clearly beyond a right angle on.
                let against = (-2.5 * wide.dot(last) - 1.0).clamp(0.0, 1.0);
                1.0 + (self.crossed - 1.0) * against
            } else {
                1.0
            }
        };
        let arms = astray(self.wide_wrists, self.ankles);
        let legs = astray(self.wide_ankles, self.wrists);
        let sum = self.wrists * (weights.wrists * arms)
            + self.ankles * (weights.ankles * legs)
            + self.head
            + self.front * weights.front;
        let axes = [(self.stride, weights.stride * legs), (self.travel, weights.travel)];
        let said: Real = axes.iter().map(|(v, weight)| weight * v.length_squared()).sum();
        let sum = sum + last * before(sum.length() + said, weights.memory, dt);
        // Before the first frame there is nothing to go on from.
        let wanted = match (said > 0.0, most) {
            (true, Some(_)) => least_aside(last, sum, &axes),
            (true, None) => least_aside(flat_direction_or(sum, last), sum, &axes),
            (false, _) => flat_direction_or(sum, last),
        };
        let Some(most) = most else { return wanted };
        let (sin, cos) = (last.perp_dot(wanted), last.dot(wanted));
        if cos >= most.cos {
            return wanted;
        }
        // Exactly opposite cues turn it left: some way must be taken.
        last * most.cos + last.perp() * if sin < 0.0 { -most.sin } else { most.sin }
    }
}

/// The unit vector along one of the plane, or `fallback` where it has no direction.
#[inline]
pub(super) fn flat_direction_or(v: Vec2, fallback: Vec2) -> Vec2 {
    let length = v.length();
    if length > TINY && length.is_finite() { v / length } else { fallback }
}

/// The x axis that makes `Σ weight·(v·x)² − 2·sum·x` least over the axes `v`, from a start.
fn least_aside(start: Vec2, sum: Vec2, axes: &[(Vec2, Real); 2]) -> Vec2 {
    let mut x = start;
    for _ in 0..ROUNDS {
        let side = x.perp();
        let (mut slope, mut bend) = (-sum.dot(side), sum.dot(x));
        for &(v, weight) in axes {
            let (along, aside) = (v.dot(x), v.dot(side));
            slope += weight * along * aside;
            bend += weight * (aside * aside - along * along);
        }
        // On a hill it goes down as far as it may; on its very top to the left.
        let step = if bend > HAIR { (-slope / bend).clamp(-STEP, STEP) } else { -STEP.copysign(slope) };
        x = flat_direction_or(x + side * step, x);
        if step.abs() < LAST_STEP {
            break;
        }
    }
    x
}
