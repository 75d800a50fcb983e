//! What a motion can still do within bounds of velocity, acceleration and jerk: how it stops, where
//! that ends, and whether a piece of constant jerk leaves it able to.
//!
//! A change of velocity is: jerk up, hold, jerk down. Every part has a closed form. It never leaves
//! ±A by construction, and its jerk is ±J or zero. The velocity can exceed both ends of a change only
//! by `a²/2J`, what it takes to end the acceleration that is there.

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
pub(super) struct Piece {
    pub jerk: Real,
    pub time: Real,
}

impl MotionState {
    /// The state after a time of constant jerk.
    #[inline]
    pub(super) fn after(self, jerk: Real, t: Real) -> Self {
        let (v, a) = (self.velocity, self.acceleration);
        Self {
            position: self.position + t * (v + t * (0.5 * a + t * jerk / 6.0)),
            velocity: v + t * (a + 0.5 * t * jerk),
            acceleration: a + t * jerk,
        }
    }

    /// As seen from something that moves itself.
    #[inline]
    pub(super) fn relative_to(self, other: Self) -> Self {
        Self {
            position: self.position - other.position,
            velocity: self.velocity - other.velocity,
            acceleration: self.acceleration - other.acceleration,
        }
    }

    /// The state after a time of stopping as fast as it can; past the end of that it stands.
    pub(super) fn braked(mut self, bounds: Bounds, mut time: Real) -> Self {
        for piece in change(self.velocity, self.acceleration, 0.0, bounds) {
            if time <= piece.time {
                return self.after(piece.jerk, time);
            }
            self = self.after(piece.jerk, piece.time);
            time -= piece.time;
        }
        Self { velocity: 0.0, acceleration: 0.0, ..self }
    }

    /// Where it stands when it has stopped as fast as it can.
    #[inline]
    pub(super) fn stop(self, bounds: Bounds) -> Real {
        let mut state = self;
        for piece in change(self.velocity, self.acceleration, 0.0, bounds) {
            state = state.after(piece.jerk, piece.time);
        }
        state.position
    }
}

/// The pieces that change (v, a) to (w, 0).
#[inline]
pub(super) fn change(v: Real, a: Real, w: Real, bounds: Bounds) -> [Piece; 3] {
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

impl Bounds {
    /// The velocity from which it takes this distance to stop, without acceleration at first.
    #[inline]
    pub(super) fn stoppable(&self, distance: Real) -> Real {
        let (a, j) = (self.acceleration, self.jerk);
        let quick = (distance * distance * j).cbrt();
        if quick <= a * a / j {
            return quick;
        }
        let up = a / j;
        0.5 * a * ((up * up + 8.0 * distance / a).sqrt() - up)
    }

    /// Whether a piece of constant jerk keeps within the bounds of velocity and acceleration, all
    /// along and for ever after: the acceleration that it leaves can still end in time.
    #[inline]
    pub(super) fn hold(&self, state: MotionState, next: MotionState, jerk: Real) -> bool {
        if next.acceleration.abs() > self.acceleration {
            return false;
        }
        let ended = next.velocity + 0.5 * next.acceleration * next.acceleration.abs() / self.jerk;
        let mut most = ended.abs().max(next.velocity.abs());
        if state.acceleration * next.acceleration < 0.0 && jerk != 0.0 {
            // The velocity turns within the piece.
            let turn = state.velocity - 0.5 * state.acceleration * state.acceleration / jerk;
            most = most.max(turn.abs());
        }
        most <= self.velocity
    }
}

#[cfg(test)]
#[path = "../../tests/unit/filter_profile.rs"]
mod tests;
