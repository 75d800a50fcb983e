//! How a set-point moves, told from the set-points alone.
//!
//! The velocity is the middle one of the last three differences, so that a single jump is none, then
//! smoothed by a critically damped low-pass, whose state is velocity and acceleration. The low-pass
//! is advanced in closed form: any time step will do.
//!
//! A set-point that runs into a stop, or whose joint takes over for another one at its stop, has a
//! corner: its velocity changes at once. An estimate that answers quickly hands the corner on. So the
//! low-pass is quick while the velocity changes as it does in smooth motion, and slow after a corner,
//! told by how much the change is of the velocity that is usual of late.

use super::profile::MotionState;
use crate::math::*;

/// The set-point's velocity and acceleration as they seem to be.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Estimate {
    velocity: Real,
    acceleration: Real,
    last: Real,
    /// The last differences, the newest first.
    recent: [Real; 3],
    /// The mean square of the velocity of late.
    usual: Real,
    /// By how many seconds the velocity is late in smooth motion; none after a corner.
    late: Real,
}

/// How the set-points of a drive are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reading {
    /// The most velocity of the drive.
    pub velocity: Real,
    /// The rate that its character is meant for, per second.
    pub rate: Real,
    /// Bandwidths of the low-pass, per second: in smooth motion, and after a corner.
    pub quick: Real,
    pub slow: Real,
    /// Whether the set-point is at a stop of the joint, where what runs has to end.
    pub at_stop: bool,
}

impl Estimate {
    pub(super) fn at(position: Real) -> Self {
        Self { last: position, ..Self::default() }
    }

    /// Takes a set-point; whether it has jumped, now or at the one before: only then is it known
    /// that a difference was a single one.
    pub(super) fn take(&mut self, setpoint: Real, dt: Real, reading: Reading) -> bool {
        let seen = (setpoint - self.last) / dt;
        if seen.abs() > JUMP * reading.velocity {
            // So fast nothing moves, and what was known of the motion before holds no more.
            *self = Self::at(setpoint);
            return true;
        }
        self.last = setpoint;
        self.recent = [seen, self.recent[0], self.recent[1]];
        let [a, b, c] = self.recent;
        let middle = a.min(b).max(a.max(b).min(c));
        let hopped = !reading.at_stop && (seen - self.velocity).abs() > HOP * reading.velocity;
        let jumped = hopped || (b - middle).abs() * dt > SKIP * reading.velocity / reading.rate;
        let off = self.velocity - middle;
        let forget = (-dt / RECENT).exp();
        self.usual = middle * middle + (self.usual - middle * middle) * forget;
        let smooth = SMOOTH * self.usual.sqrt();
        let bandwidth = if off.abs() <= smooth {
            reading.quick
        } else {
            (reading.quick * smooth / off.abs()).max(reading.slow)
        };
        let decay = (-bandwidth * dt).exp();
        let slope = self.acceleration + bandwidth * off;
        self.velocity = middle + (off + slope * dt) * decay;
        self.acceleration = (self.acceleration - bandwidth * slope * dt) * decay;
        let steady = if off.abs() < 2.0 * smooth { (2.0 - off.abs() / smooth).min(1.0) } else { 0.0 };
        self.late = steady * (2.0 / bandwidth + dt);
        jumped
    }

    /// The set-point as it is: the low-pass's delay is made up for where the motion is smooth.
    pub(super) fn now(&self) -> MotionState {
        let velocity = self.velocity + self.late * self.acceleration;
        MotionState { position: self.last, velocity, acceleration: self.acceleration }
    }

    /// Whether the set-point stands.
    pub(super) fn is_still(&self, slow: Real) -> bool {
        self.recent == [0.0; 3] && self.velocity.abs() <= slow && self.acceleration.abs() <= slow
    }
}

/// A set-point that is this much faster than the bound of velocity has jumped.
const JUMP: Real = 1.5;
/// So has one that is by this part of the bound faster or slower than it seemed to be, unless it has run into
/// a stop. A drive's bound may be as low as a head turns, and a corner of its way is no jump,
const HOP: Real = 1.5;
/// and one whose single difference from its motion is this part of what the bound allows in a period
/// of the reference rate.
const SKIP: Real = 0.05;
/// For how long a velocity counts as usual, in seconds.
const RECENT: Real = 1.0;
/// The part of the usual velocity that the estimate may be off in smooth motion.
const SMOOTH: Real = 0.25;
