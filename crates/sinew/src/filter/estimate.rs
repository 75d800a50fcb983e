//! How a set-point moves, told from the set-points alone.
//!
//! The velocity is the middle one of the last three differences, so that a single jump is none, then
//! smoothed by a critically damped low-pass, whose state is velocity and acceleration. The low-pass
//! is advanced in closed form: any time step will do.

use crate::math::*;

/// The set-point's velocity and acceleration as they seem to be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Estimate {
    pub velocity: Real,
    pub acceleration: Real,
    last: Real,
    /// The last differences, the newest first.
    recent: [Real; 3],
}

impl Estimate {
    pub(super) fn at(position: Real) -> Self {
        Self { last: position, ..Self::default() }
    }

    /// Takes a set-point. Faster than `most` nothing moves: that is a jump, and what was known of
    /// the motion before it holds no more.
    pub(super) fn take(&mut self, setpoint: Real, dt: Real, most: Real, bandwidth: Real) {
        let seen = (setpoint - self.last) / dt;
        if seen.abs() > most {
            *self = Self::at(setpoint);
            return;
        }
        self.last = setpoint;
        self.recent = [seen, self.recent[0], self.recent[1]];
        let [a, b, c] = self.recent;
        let middle = a.min(b).max(a.max(b).min(c));
        let (off, decay) = (self.velocity - middle, (-bandwidth * dt).exp());
        let slope = self.acceleration + bandwidth * off;
        self.velocity = middle + (off + slope * dt) * decay;
        self.acceleration = (self.acceleration - bandwidth * slope * dt) * decay;
    }

    /// Whether the set-point stands.
    pub(super) fn is_still(&self, slow: Real) -> bool {
        self.recent == [0.0; 3] && self.velocity.abs() <= slow && self.acceleration.abs() <= slow
    }
}
