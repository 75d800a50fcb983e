//! The filter of one coordinate.

use super::FilterOptions;
use super::profile::{Bounds, MotionState, Plan};
use crate::math::*;

/// The motion filter of one coordinate: a hinge's angle, a slide's way.
///
/// ```
/// use sinew::filter::{AxisFilter, FilterOptions};
/// let options = FilterOptions { velocity: 2.0, ..FilterOptions::default() };
/// let mut axis = AxisFilter::new(options, -1.0, 1.0, 0.0);
/// for _ in 0..200 {
///     let before = axis.position();
///     let now = axis.step(5.0, 0.01); // further than it may go
///     assert!(now <= 1.0 && (now - before).abs() <= 2.0 * 0.01 + 1e-6);
/// }
/// assert!((axis.position() - 1.0).abs() < 1e-3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AxisFilter {
    options: FilterOptions,
    min: Real,
    max: Real,
    state: MotionState,
    goal: Real,
}

impl AxisFilter {
    /// A filter that rests at `start`. Options that are no bounds (negative,
    /// not a number) are taken as the default's; a range that is none as no range.
    pub fn new(options: FilterOptions, min: Real, max: Real, start: Real) -> Self {
        let (min, max) = if min <= max { (min, max) } else { (Real::NEG_INFINITY, Real::INFINITY) };
        let start = if start.is_finite() { start } else { 0.0 };
        let position = start.max(min).min(max);
        let state = MotionState { position, ..MotionState::default() };
        Self { options: options.sound(), min, max, state, goal: position }
    }

    /// How it moves: its bounds and character.
    pub fn options(&self) -> &FilterOptions {
        &self.options
    }

    /// Where it is, in radians or metres.
    pub fn position(&self) -> Real {
        self.state.position
    }

    /// How fast it goes, per second.
    pub fn velocity(&self) -> Real {
        self.state.velocity
    }

    /// How its velocity changes, per second squared.
    pub fn acceleration(&self) -> Real {
        self.state.acceleration
    }

    /// The set-point that it moves to.
    pub fn goal(&self) -> Real {
        self.goal
    }

    /// The range that it keeps to.
    pub fn range(&self) -> (Real, Real) {
        (self.min, self.max)
    }

    /// Moves on by `dt` seconds towards the set-point and returns where it is.
    /// A set-point outside of the range counts as its end, one that is not
    /// finite as the last one; a step that is not positive does nothing.
    pub fn step(&mut self, setpoint: Real, dt: Real) -> Real {
        if setpoint.is_finite() {
            self.goal = setpoint.max(self.min).min(self.max);
        }
        if !(dt.is_finite() && dt > 0.0) {
            return self.state.position;
        }
        // The character's speed depends on the distance, so a long step is
        // taken in pieces of the reference rate; the bounds hold for any.
        let pieces = (dt * self.options.rate).ceil().clamp(1.0, MOST_PIECES);
        let part = dt / pieces;
        for _ in 0..pieces as u32 {
            if self.state == self.resting() {
                break;
            }
            self.advance(part);
        }
        self.state.position
    }

    fn resting(&self) -> MotionState {
        MotionState { position: self.goal, velocity: 0.0, acceleration: 0.0 }
    }

    fn advance(&mut self, dt: Real) {
        let o = self.options;
        let cap = self.speed();
        let next = match o.order {
            1 => self.first(cap, dt),
            2 => self.second(cap, dt),
            _ => {
                let bounds = Bounds { velocity: o.velocity, acceleration: o.acceleration, jerk: o.jerk };
                Plan::new(self.state, self.goal, cap, bounds).follow(self.state, self.goal, dt)
            }
        };
        // Rounding alone can pass a bound.
        self.state = MotionState {
            position: next.position.max(self.min).min(self.max),
            velocity: next.velocity.clamp(-o.velocity, o.velocity),
            acceleration: next.acceleration.clamp(-o.acceleration, o.acceleration),
        };
    }

    /// How fast the character wants to go from here: the induced velocity of
    /// eq. 23, eased by H, softened at the ends of the range by Ω, saturated by λ.
    fn speed(&self) -> Real {
        let o = &self.options;
        let way = self.goal - self.state.position;
        let induced = way.abs() * o.rate;
        let exponent = 1.0 - o.smoothness;
        let eased = 0.5 * (((induced / (1.0 - o.responsiveness)).powf(exponent) - PI).tanh() + 1.0);
        let half = 0.5 * (self.max - self.min);
        let mut soft = 1.0;
        if half.is_finite() && half > 0.0 && o.edge.is_finite() {
            let off = (self.state.position - self.min - half) / half;
            if off * way > 0.0 {
                soft = (1.0 - off.abs().min(1.0).powf(2.0 * o.edge)).max(0.0);
            }
        }
        let wanted = induced * eased * soft;
        let saturated = o.velocity * (wanted / o.velocity).tanh();
        // Slower than this nothing would ever arrive; the plan itself ends at rest.
        saturated.max(o.velocity * CREEP)
    }

    /// Bounded velocity.
    fn first(&self, cap: Real, dt: Real) -> MotionState {
        let way = self.goal - self.state.position;
        let step = way.clamp(-cap * dt, cap * dt);
        if step == way {
            return MotionState { velocity: step / dt, ..self.resting() };
        }
        MotionState { position: self.state.position + step, velocity: step / dt, acceleration: 0.0 }
    }

    /// Bounded velocity and acceleration: speed up or slow down to a cruising
    /// velocity, cruise, slow down to rest; all in closed form.
    fn second(&self, cap: Real, dt: Real) -> MotionState {
        let a = self.options.acceleration;
        let way = self.goal - self.state.position;
        let stop = 0.5 * self.state.velocity * self.state.velocity.abs() / a;
        let sign = if way >= stop { 1.0 } else { -1.0 };
        let (way, v) = (sign * way, sign * self.state.velocity);
        let peak = (a * way + 0.5 * v * v).max(0.0).sqrt();
        let w = peak.min(cap);
        let to = (w - v).abs() / a;
        let first = 0.5 * (v + w) * to;
        let last = 0.5 * w * w / a;
        let cruise = if w > 0.0 { ((way - first - last) / w).max(0.0) } else { 0.0 };
        let gain = if w >= v { a } else { -a };
        let mut left = dt;
        let (mut x, mut speed) = (0.0, v);
        for (rate, time) in [(gain, to), (0.0, cruise), (-a, w / a)] {
            let t = left.min(time);
            x += t * (speed + 0.5 * rate * t);
            speed += rate * t;
            left -= t;
            if left <= 0.0 {
                let position = self.state.position + sign * x;
                return MotionState { position, velocity: sign * speed, acceleration: sign * rate };
            }
        }
        self.resting()
    }

    /// How many seconds a move over this distance takes, from rest to rest in
    /// the middle of the range: what the filter delays a solver's output by. The
    /// ends of the range are left out. Infinite if longer than ten minutes.
    pub fn latency(&self, distance: Real) -> Real {
        if !distance.is_finite() {
            return Real::INFINITY;
        }
        let mut copy = Self::new(self.options, Real::NEG_INFINITY, Real::INFINITY, 0.0);
        let dt = 1.0 / self.options.rate;
        let mut time = 0.0;
        while time < 600.0 {
            if (copy.state.position - distance).abs() <= ARRIVED * distance.abs() {
                return time;
            }
            copy.step(distance, dt);
            time += dt;
        }
        Real::INFINITY
    }
}

/// The most pieces that one step is taken in.
const MOST_PIECES: Real = 4096.0;
/// The slowest that the character goes, as a part of the velocity's bound.
const CREEP: Real = 0.02;
/// A move has arrived when this part of it is left.
const ARRIVED: Real = 0.01;
