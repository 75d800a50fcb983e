//! The control layer: where the body goes.
//!
//! An analogue speed and turn become a speed and a turning rate, which follow
//! them at a limited rate; the body moves on arcs of circles (eq. 1.16-1.18),
//! each exact for its short time, so that a body that is steered the same way
//! goes the same way at any frame rate.

use crate::math::*;

/// What the player wants.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WalkInput {
    /// From 0 (stand) to 1 (as fast as it walks).
    pub speed: Real,
    /// From -1 (to the right) to 1 (to the left).
    pub turn: Real,
}

impl WalkInput {
    pub(super) fn sane(self) -> Self {
        let number = |x: Real| if x.is_finite() { x } else { 0.0 };
        Self { speed: number(self.speed).clamp(0.0, 1.0), turn: number(self.turn).clamp(-1.0, 1.0) }
    }
}

/// How fast it may go and how soon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Metres and radians a second at full input.
    pub speed: Real,
    pub turn: Real,
    /// How fast both may change, a second.
    pub speed_change: Real,
    pub turn_change: Real,
}

/// Where the body is and where it is going.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Course {
    /// On the horizontal plane: x and z.
    pub place: Vec2,
    /// Radians about the vertical from the rest pose, to the left.
    pub heading: Real,
    pub speed: Real,
    pub turn: Real,
}

impl Course {
    /// Goes on for a time.
    pub fn advance(&mut self, input: WalkInput, pace: &Pace, ahead: Vec2, time: Real) {
        let toward = |now: Real, wanted: Real, change: Real| {
            now + (wanted - now).max(-change * time).min(change * time)
        };
        self.speed = toward(self.speed, input.speed * pace.speed, pace.speed_change);
        self.turn = toward(self.turn, input.turn * pace.turn, pace.turn_change);
        let angle = self.turn * time;
        // The chord of the arc points half way between the headings at its ends.
        let half = 0.5 * angle;
        let chord = if half.abs() < 1.0e-3 { 1.0 - half * half / 6.0 } else { half.sin() / half };
        self.place += turned(ahead, self.heading + half) * (self.speed * time * chord);
        self.heading += angle;
    }
}

/// A direction on the ground after a turn to the left: `y` here is z.
#[inline]
pub(super) fn turned(v: Vec2, heading: Real) -> Vec2 {
    let (s, c) = heading.sin_cos();
    Vec2::new(v.x * c + v.y * s, v.y * c - v.x * s)
}

#[cfg(test)]
#[path = "../../../tests/unit/body_walk_course.rs"]
mod tests;
