//! The smoothest way from a moving state to rest at a given time.
//!
//! A quintic takes place, velocity and acceleration over from whatever moved before, and
//! ends at rest: the least jerk in between (Flash & Hogan 1985). A goal that changes on the
//! way starts another quintic from where the last one is, so that neither velocity nor
//! acceleration jump. Without time left the goal is taken at once.
//!
//! What leaves the ground and comes down on it is pushed off and braked there, and its
//! acceleration begins and ends with a jump ([`Glide::pushed`]). From rest to rest with none at the
//! ends the fastest moment has 1.875 times the mean velocity, and the first tenth of the time
//! hardly goes anywhere; a foot would be left behind by its body and have to catch up.

use crate::math::*;

/// Several numbers on their way together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Glide<const N: usize> {
    from: [Real; N],
    /// The coefficients of the powers of time, from the first on.
    powers: [[Real; 5]; N],
    /// When it started, and when it arrives.
    start: Real,
    end: Real,
    to: [Real; N],
    /// The acceleration at the end, of the way over the time squared.
    brakes: Real,
}

/// The shortest way that is taken in steps; less is taken at once.
const LEAST: Real = 1.0e-3;

impl<const N: usize> Glide<N> {
    /// From rest at `start` to rest at `end`.
    pub fn new(from: [Real; N], to: [Real; N], start: Real, end: Real) -> Self {
        Self::still(from, start, 0.0).toward(to, start, end)
    }

    /// The same with accelerations at both ends: how far it is pushed off and braked, of the way
    /// over the time squared.
    pub fn pushed(
        from: [Real; N],
        to: [Real; N],
        (start, end): (Real, Real),
        (push, brakes): (Real, Real),
    ) -> Self {
        let mut still = Self::still(from, start, brakes);
        let time = (end - start).max(LEAST);
        for i in 0..N {
            still.powers[i][1] = 0.5 * push * (to[i] - from[i]) / (time * time);
        }
        // It is about to leave: `toward` takes the acceleration over.
        still.end = end;
        still.toward(to, start, end)
    }

    /// At rest from `start` on.
    fn still(from: [Real; N], start: Real, brakes: Real) -> Self {
        Self { from, powers: [[0.0; 5]; N], start, end: start, to: from, brakes }
    }

    /// The same movement, from `now` on to another place and another time of arrival.
    pub fn toward(&self, to: [Real; N], now: Real, end: Real) -> Self {
        let now = now.max(self.start);
        let time = end - now;
        let from = self.at(now);
        let mut next = Self { from, powers: [[0.0; 5]; N], start: now, end, to, brakes: self.brakes };
        if time < LEAST {
            next.end = now;
            return next;
        }
        for i in 0..N {
            let (_, v, a) = self.state(i, now);
            let (d, v, a) = (to[i] - next.from[i], v * time, 0.5 * a * time * time);
            // Place, velocity and acceleration at both ends, in units of the time.
            let rest = d - v - a;
            let (velocity, acceleration) = (-v - 2.0 * a, -2.0 * a - self.brakes * d);
            let c3 = 10.0 * rest - 4.0 * velocity + 0.5 * acceleration;
            let c4 = -15.0 * rest + 7.0 * velocity - acceleration;
            let c5 = 6.0 * rest - 3.0 * velocity + 0.5 * acceleration;
            let mut scale = 1.0;
            for (power, c) in next.powers[i].iter_mut().zip([v, a, c3, c4, c5]) {
                scale /= time;
                *power = c * scale;
            }
        }
        next
    }

    /// Where everything is at a time.
    pub fn at(&self, time: Real) -> [Real; N] {
        core::array::from_fn(|i| self.state(i, time).0)
    }

    /// Where it will come to rest.
    pub fn goal(&self) -> [Real; N] {
        self.to
    }

    /// Place, velocity and acceleration.
    fn state(&self, i: usize, time: Real) -> (Real, Real, Real) {
        if time >= self.end {
            return (self.to[i], 0.0, 0.0);
        }
        let t = (time - self.start).max(0.0);
        let [v, a, c3, c4, c5] = self.powers[i];
        let place = self.from[i] + t * (v + t * (a + t * (c3 + t * (c4 + t * c5))));
        let velocity = v + t * (2.0 * a + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5)));
        let acceleration = 2.0 * a + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5));
        (place, velocity, acceleration)
    }
}

/// A number that goes after its goal with bounded acceleration, by the second and not by the frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Follow {
    pub value: Real,
    pub velocity: Real,
}

/// How soon it goes after what is near, in 1/s, and how soon it takes a velocity on, in seconds.
pub(super) const HASTE: Real = 10.0;
const LAG: Real = 0.05;

impl Follow {
    /// At rest.
    pub fn at(value: Real) -> Self {
        Self { value, velocity: 0.0 }
    }

    /// Goes on for a short time. Far away it comes no faster than it can brake.
    pub fn advance(&mut self, goal: Real, acceleration: Real, time: Real) {
        self.advance_by(HASTE, goal, acceleration, time);
    }

    /// The same, so soon.
    pub fn advance_by(&mut self, haste: Real, goal: Real, acceleration: Real, time: Real) {
        let away = goal - self.value;
        let brakes = (1.4 * acceleration * away.abs()).sqrt();
        let wanted = (haste * away).clamp(-brakes, brakes);
        let change = ((wanted - self.velocity) / LAG).clamp(-acceleration, acceleration);
        self.velocity += change * time;
        self.value += self.velocity * time;
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/body_walk_glide.rs"]
mod tests;
