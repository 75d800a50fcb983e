//! From any state of motion to rest at a place, within bounds of velocity,
//! acceleration and jerk, as fast as a plan with one cruising velocity can.
//!
//! A plan is: change the velocity to `w` (jerk up, hold, jerk down), cruise,
//! change it to zero. For a given `w` every part has a closed form; how far the
//! plan leads, `f(w)`, grows with `w` where it matters, so bisection finds the
//! `w` that leads exactly to the goal. The rest of a plan is the plan for the
//! state later on, so it may be made anew at every step, of any length.
//!
//! Why the bounds hold. A change of velocity never leaves ±A by construction,
//! and its jerk is ±J or zero. The velocity can exceed both ends of a change
//! only by `a²/2J`, what it takes to end the acceleration that is there; all
//! states of a plan within bounds can do that within bounds, so all plans from
//! them can. The place can exceed the goal only by the way it takes to stop, and
//! the same holds: the plan before would have stopped at *its* goal at the
//! latest.
//!
//! Degenerate: at rest on the goal the plan is empty. Between braking to zero
//! and letting go of the brake (`0 < w < v + a|a|/2J`) `f` is not monotone;
//! there the bracket still holds a root, and any root is a sound plan.

use crate::math::*;

/// Place, velocity and acceleration along one axis.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct MotionState {
    pub position: Real,
    pub velocity: Real,
    pub acceleration: Real,
}

/// Bounds of a motion; all positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bounds {
    pub velocity: Real,
    pub acceleration: Real,
    pub jerk: Real,
}

/// A piece of constant jerk.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Piece {
    jerk: Real,
    time: Real,
}

/// Up to seven pieces.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Plan {
    pieces: [Piece; 7],
}

impl MotionState {
    /// The state after a time of constant jerk.
    #[inline]
    fn after(self, jerk: Real, t: Real) -> Self {
        let (v, a) = (self.velocity, self.acceleration);
        Self {
            position: self.position + t * (v + t * (0.5 * a + t * jerk / 6.0)),
            velocity: v + t * (a + 0.5 * t * jerk),
            acceleration: a + t * jerk,
        }
    }
}

/// The pieces that change (v, a) to (w, 0).
#[inline]
fn change(v: Real, a: Real, w: Real, bounds: Bounds) -> [Piece; 3] {
    let j = bounds.jerk;
    // What the velocity becomes if the acceleration just ends.
    let ended = v + 0.5 * a * a.abs() / j;
    let sign = if w >= ended { 1.0 } else { -1.0 };
    let (a, more) = (sign * a, (sign * (w - v)).max(-Real::MAX));
    let peak = (j * more + 0.5 * a * a).max(0.0).sqrt();
    let peak = peak.max(a.max(0.0));
    if peak <= bounds.acceleration {
        let up = (peak - a) / j;
        return [
            Piece { jerk: sign * j, time: up.max(0.0) },
            Piece::default(),
            Piece { jerk: -sign * j, time: peak / j },
        ];
    }
    let peak = bounds.acceleration;
    let up = ((peak - a) / j).max(0.0);
    let gained = 0.5 * (peak + a) * up + 0.5 * peak * peak / j;
    let hold = ((more - gained) / peak).max(0.0);
    [
        Piece { jerk: sign * j, time: up },
        Piece { jerk: 0.0, time: hold },
        Piece { jerk: -sign * j, time: peak / j },
    ]
}

/// How far a plan with the cruising velocity `w` leads without cruising.
#[inline]
fn reach(state: MotionState, w: Real, bounds: Bounds) -> Real {
    let start = MotionState { position: 0.0, ..state };
    let changed = run(start, &change(state.velocity, state.acceleration, w, bounds));
    // The change to zero is symmetric about half the velocity.
    let speed = w.abs();
    let peak = (bounds.jerk * speed).sqrt();
    let time = if peak <= bounds.acceleration {
        2.0 * peak / bounds.jerk
    } else {
        speed / bounds.acceleration + bounds.acceleration / bounds.jerk
    };
    changed.position + 0.5 * w * time
}

#[inline]
fn run(mut state: MotionState, pieces: &[Piece]) -> MotionState {
    for piece in pieces {
        state = state.after(piece.jerk, piece.time);
    }
    state
}

/// How often a bracket is halved: to the rounding of either precision.
const HALVINGS: u32 = if cfg!(sinew_f64) { 60 } else { 30 };

impl Plan {
    /// The plan from a state to rest at `goal`, cruising no faster than `cap`.
    pub(super) fn new(state: MotionState, goal: Real, cap: Real, bounds: Bounds) -> Self {
        let way = goal - state.position;
        if way == 0.0 && state.velocity == 0.0 && state.acceleration == 0.0 {
            return Self::default();
        }
        let stop = reach(state, 0.0, bounds);
        // Mirrored so that the way to go beyond the stop is forward.
        let sign = if way >= stop { 1.0 } else { -1.0 };
        let mirrored = MotionState {
            position: 0.0,
            velocity: sign * state.velocity,
            acceleration: sign * state.acceleration,
        };
        let way = sign * way;
        let ended =
            mirrored.velocity + 0.5 * mirrored.acceleration * mirrored.acceleration.abs() / bounds.jerk;
        let (mut low, mut high) = (0.0, cap);
        if ended > 0.0 {
            let let_go = ended.min(cap);
            if way >= reach(mirrored, let_go, bounds) {
                low = let_go;
            } else {
                high = let_go;
            }
        }
        let furthest = reach(mirrored, high, bounds);
        let mut cruise = 0.0;
        let w = if way >= furthest {
            cruise = if high > 0.0 { (way - furthest) / high } else { 0.0 };
            high
        } else {
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if reach(mirrored, middle, bounds) <= way {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            low
        };
        let mut plan = Self::default();
        let to = change(mirrored.velocity, mirrored.acceleration, w, bounds);
        let end = change(w, 0.0, 0.0, bounds);
        for (piece, from) in
            plan.pieces.iter_mut().zip(to.iter().chain(&[Piece { jerk: 0.0, time: cruise }]).chain(&end))
        {
            *piece = Piece { jerk: sign * from.jerk, time: from.time };
        }
        plan
    }

    /// How long it takes.
    #[cfg(test)]
    fn duration(&self) -> Real {
        self.pieces.iter().map(|p| p.time).sum()
    }

    /// Follows the plan for a time; past its end the state rests at `goal`.
    pub(super) fn follow(&self, mut state: MotionState, goal: Real, mut time: Real) -> MotionState {
        for piece in &self.pieces {
            if time <= piece.time {
                return state.after(piece.jerk, time);
            }
            state = state.after(piece.jerk, piece.time);
            time -= piece.time;
        }
        MotionState { position: goal, velocity: 0.0, acceleration: 0.0 }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/filter_profile.rs"]
mod tests;
