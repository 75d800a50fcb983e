//! The filter of one coordinate.
//!
//! A *law* says how to move, an *envelope* what is allowed.
//!
//! The law is linear near the set-point: jerk is fed back from what place, velocity and acceleration
//! lack of the set-point's (acceleration from place and velocity alone, where no bound of jerk makes
//! acceleration a state), critically damped, so a set-point that moves is followed with its velocity
//! and acceleration and not as a row of stops. Further away the velocity that the distance would
//! induce is eased by the character (H, Ω and λ of eq. 23). A set-point that has not jumped is followed with
//! a lower bandwidth, and a stop is approached the slower the nearer it is: its corners are rounded.
//!
//! The envelope: after every piece of constant jerk it must still be possible to end the
//! acceleration below the bound of velocity, and to stop within the range. Where the law would leave
//! it, the jerk is brought down until it does not; if no constant jerk does, the rest of the piece is
//! the fastest stop, which never leaves it. And a set-point is not passed where braking can help it:
//! the law is held back as soon as the fastest stop, seen from the set-point, would end behind it.
//!
//! # Why not a time-optimal planner
//! Ruckig (`rsruckig`) plans the fastest way to a given state. That way is made of full jerk, however
//! small what is missing; planned anew at every output for a set-point whose motion is only
//! estimated, it answers each error of a hundredth of a degree with full jerk to either side. The
//! stop in closed form (`filter/profile.rs`) is all that is needed of a planner here.

use super::FilterOptions;
use super::estimate::{Estimate, Reading};
use super::profile::{Bounds, MotionState};
use super::published;
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
    seen: Estimate,
    /// How much of its bandwidth the law uses: all of it from a jump of the set-point until that is met,
    /// then less and less.
    haste: Real,
}

impl AxisFilter {
    /// A filter that rests at `start`. Options that are no bounds (negative,
    /// not a number) are taken as the default's; a range that is none as no range.
    pub fn new(options: FilterOptions, min: Real, max: Real, start: Real) -> Self {
        let (min, max) = if min <= max { (min, max) } else { (Real::NEG_INFINITY, Real::INFINITY) };
        let start = if start.is_finite() { start } else { 0.0 };
        let position = start.max(min).min(max);
        let state = MotionState { position, ..MotionState::default() };
        Self {
            options: options.sound(),
            min,
            max,
            state,
            goal: position,
            seen: Estimate::at(position),
            haste: 0.0,
        }
    }

    /// How it moves: its bounds and character.
    pub fn options(&self) -> &FilterOptions {
        &self.options
    }

    /// Bounds the velocity further.
    pub(super) fn bound_velocity(&mut self, velocity: Real) {
        self.options.velocity = self.options.velocity.min(velocity);
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
    /// How the set-point itself moves is estimated from those before it.
    pub fn step(&mut self, setpoint: Real, dt: Real) -> Real {
        self.step_told(setpoint, dt, None)
    }

    /// The same where it may be known whether the set-point has jumped.
    pub(super) fn step_told(&mut self, setpoint: Real, dt: Real, jumped: Option<bool>) -> Real {
        if setpoint.is_finite() {
            self.goal = setpoint.max(self.min).min(self.max);
        }
        if !(dt.is_finite() && dt > 0.0) {
            return self.state.position;
        }
        let (quick, o) = (self.bandwidth(), &self.options);
        let reading = Reading {
            velocity: o.velocity,
            rate: o.rate,
            quick: (2.0 * quick).min(FASTEST),
            slow: quick.min(ROUND),
            at_stop: self.goal == self.min || self.goal == self.max,
        };
        let seems_so = self.seen.take(self.goal, dt, reading);
        if jumped.unwrap_or(seems_so) {
            self.haste = 1.0;
        }
        self.go(self.seen.now(), dt)
    }

    /// The same with the velocity and the acceleration that the set-point is known to have.
    ///
    /// ```
    /// use sinew::filter::{AxisFilter, FilterOptions};
    /// let mut axis = AxisFilter::new(FilterOptions::default(), -3.0, 3.0, 0.0);
    /// for frame in 1..300 {
    ///     let t = frame as sinew::Real / 60.0;
    ///     axis.step_with(0.5 * t.sin(), 0.5 * t.cos(), -0.5 * t.sin(), 1.0 / 60.0);
    /// }
    /// let t: sinew::Real = 299.0 / 60.0;
    /// assert!((axis.position() - 0.5 * t.sin()).abs() < 1e-3, "no lag");
    /// ```
    pub fn step_with(&mut self, setpoint: Real, velocity: Real, acceleration: Real, dt: Real) -> Real {
        if !(setpoint.is_finite() && velocity.is_finite() && acceleration.is_finite()) {
            return self.step(setpoint, dt);
        }
        if !(dt.is_finite() && dt > 0.0) {
            return self.state.position;
        }
        self.goal = setpoint.max(self.min).min(self.max);
        self.seen = Estimate::at(self.goal);
        self.haste = 1.0;
        let outside = self.goal != setpoint;
        let [velocity, acceleration] = if outside { [0.0; 2] } else { [velocity, acceleration] };
        self.go(MotionState { position: self.goal, velocity, acceleration }, dt)
    }

    /// Follows a target, given as it is at the end of the step.
    fn go(&mut self, target: MotionState, dt: Real) -> Real {
        if self.options.published {
            self.state = published::step(&self.options, (self.min, self.max), self.state, self.goal, dt);
            return self.state.position;
        }
        let fine = self.options.rate * PIECES;
        let pieces = (dt * fine).ceil().clamp(1.0, MOST_PIECES);
        let part = (dt / pieces).min(1.0 / fine);
        for i in 0..pieces as u32 {
            if self.arrived(&target) {
                self.state = self.resting();
                break;
            }
            // Where the target was at the end of this piece.
            let ago = (pieces - 1.0 - i as Real) * part;
            let now = MotionState {
                position: target.position - ago * (target.velocity - 0.5 * ago * target.acceleration),
                velocity: target.velocity - ago * target.acceleration,
                ..target
            };
            self.advance(now, part);
        }
        // Steps of minutes: what is left of them is time enough to arrive, or not to bother.
        let left = dt - pieces * part;
        if left > 0.0 && left * self.options.velocity > 2.0 * (self.goal - self.state.position).abs() {
            self.state = self.resting();
        }
        self.state.position
    }

    fn resting(&self) -> MotionState {
        MotionState { position: self.goal, velocity: 0.0, acceleration: 0.0 }
    }

    /// Whether it stands at a target that stands, as far as numbers can tell.
    fn arrived(&self, target: &MotionState) -> bool {
        let near = 4.0 * ROUNDING * (1.0 + self.goal.abs());
        let (o, w) = (self.state.relative_to(self.resting()), self.bandwidth());
        let slow = target.velocity.abs() <= w * near && target.acceleration.abs() <= w * w * near;
        slow && self.seen.is_still(w * near)
            && o.position.abs() <= near
            && o.velocity.abs() <= w * near
            && o.acceleration.abs() <= w * w * near
    }

    /// The bounds, less what rounding takes.
    fn bounds(&self) -> Bounds {
        let o = &self.options;
        let jerk = if o.order < 3 { o.acceleration * QUICK } else { o.jerk };
        Bounds { velocity: o.velocity * INSIDE, acceleration: o.acceleration * INSIDE, jerk: jerk * INSIDE }
    }

    /// How fast the law answers, per second: as fast as the bounds can follow up.
    fn bandwidth(&self) -> Real {
        let Bounds { velocity, acceleration, jerk } = self.bounds();
        // The acceleration that a start to full velocity comes to.
        let acceleration = acceleration.min((velocity * jerk).sqrt());
        (2.0 * jerk / acceleration).min(6.0 * acceleration / velocity).clamp(1.0, FASTEST)
    }

    fn advance(&mut self, target: MotionState, dt: Real) {
        if self.options.order == 1 {
            self.state = self.first(target, dt);
            return;
        }
        let (bounds, state) = (self.bounds(), self.state);
        if self.haste > 0.0 {
            let w = self.bandwidth();
            if is_within(state.relative_to(target.after(0.0, -dt)), lawful_error(bounds, w), w) {
                self.haste = (self.haste - dt / CALM).max(0.0);
            }
        }
        let mut next = self.lawful(target, bounds, dt);
        let inside = |state: MotionState| {
            let stop = state.stop(bounds);
            stop >= self.min && stop <= self.max
        };
        if !inside(next) {
            // The law for as long as it can be, then the fastest stop.
            let jerk = (next.acceleration - state.acceleration) / dt;
            next = latest(dt, |t| state.after(jerk, t).braked(bounds, dt - t), inside);
        }
        // Rounding alone can pass a bound.
        let o = &self.options;
        self.state = MotionState {
            position: next.position.max(self.min).min(self.max),
            velocity: next.velocity.clamp(-o.velocity, o.velocity),
            acceleration: next.acceleration.clamp(-o.acceleration, o.acceleration),
        };
    }

    /// The state after a piece under the law, its jerk brought down where it would break a bound or
    /// pass the target, which is given as it is at the end of the piece.
    fn lawful(&self, target: MotionState, bounds: Bounds, dt: Real) -> MotionState {
        let (state, quick) = (self.state, self.bandwidth());
        // What has not jumped is followed closely anyway: there is time to round its corners.
        let calm = quick.min(ROUND);
        let w = calm + self.haste * (quick - calm);
        // The further behind, the less is the target's motion believed to last until it is met.
        let behind = (target.position - state.position).abs() / lawful_error(bounds, w);
        let trust = (1.0 - (behind - NEAR) / (FAR - NEAR)).clamp(0.0, 1.0);
        let target = MotionState {
            position: target.position,
            velocity: trust * target.velocity,
            acceleration: trust * target.acceleration,
        };
        let off = state.relative_to(target.after(0.0, -dt));
        let cap = self.speed(off.position).min(GENTLE * bounds.stoppable(off.position.abs()));
        let most = SOFT * bounds.velocity;
        let wanted =
            (state.velocity - off.velocity - (w / 3.0 * off.position).clamp(-cap, cap)).clamp(-most, most);
        // The acceleration may not be passed within the piece either.
        let lowest = ((-SOFT * bounds.acceleration - state.acceleration) / dt).max(-bounds.jerk);
        let highest = ((SOFT * bounds.acceleration - state.acceleration) / dt).min(bounds.jerk);
        let allowed = |jerk: Real| jerk.max(lowest).min(highest);
        // The jerk towards a velocity, and how much acceleration there is beyond what that asks for.
        let toward = |wanted: Real, faster: Real| match self.options.order {
            // Acceleration is no state where it may change at once: had it to decay, a full stop just before
            // the target would be thrown back by it. Critically damped again, with two poles for three.
            2 => (4.0 / 3.0 * w * (wanted - state.velocity) - faster) / dt,
            _ => 3.0 * w * (w * (wanted - state.velocity) - faster),
        };
        let free = toward(wanted, off.acceleration);
        let rounded = self.rounded(free, w, toward);
        let stopping = rounded != free;
        let mut jerk = allowed(rounded);
        let fits = |jerk: Real| bounds.hold(state, state.after(jerk, dt), jerk);
        if !fits(jerk) {
            let back = if state.velocity + state.acceleration * dt > 0.0 { -1.0 } else { 1.0 };
            let back = allowed(back * bounds.jerk);
            if !fits(back) {
                return state.braked(bounds, dt);
            }
            jerk = nearest_fine(jerk, back, fits);
        }
        let next = state.after(jerk, dt);
        // What slows down for a stop lets its target pass, and so does what is as near as the law sees to by
        // itself, however fast the target goes by. After a jump the law is trusted less, since it passes
        // a target that stands by a part of the errors that it sees to.
        let small = lawful_error(bounds, w);
        let alone = match self.haste > 0.0 {
            true => is_within(off, ALONE * small, w),
            false => off.position.abs() <= small,
        };
        if stopping || alone {
            return next;
        }
        // Not past the target: the fastest stop, as the target sees it, ends before it.
        let acceleration = (bounds.acceleration - target.acceleration.abs()).max(LEAST * bounds.acceleration);
        let left = Bounds { acceleration, ..bounds };
        let side = if off.position < 0.0 { 1.0 } else { -1.0 };
        let short = |seen: MotionState| side * seen.stop(left) <= 0.0;
        if short(next.relative_to(target)) {
            return next;
        }
        let seen = latest(dt, |t| off.after(jerk, t).braked(left, dt - t), short);
        let held = MotionState {
            position: seen.position + target.position,
            velocity: seen.velocity + target.velocity,
            acceleration: seen.acceleration + target.acceleration,
        };
        let within = held.acceleration.abs() <= bounds.acceleration
            && held.velocity.abs() <= bounds.velocity
            && (held.velocity + 0.5 * held.acceleration * held.acceleration.abs() / bounds.jerk).abs()
                <= bounds.velocity;
        if within { held } else { next }
    }

    /// The jerk, held back before a stop: what is left to a stop becomes a third in no less than a time, so
    /// that the corner of a set-point which runs into it is rounded. Of the law's jerk and what the
    /// approach to each stop allows the one that is gentler: nothing changes at once where the stop begins to count.
    fn rounded(&self, free: Real, w: Real, toward: impl Fn(Real, Real) -> Real) -> Real {
        if self.haste > 0.0 || self.options.edge == Real::INFINITY {
            return free;
        }
        let (state, time) = (self.state, APPROACH.max(3.0 / w));
        let faster = state.acceleration + state.velocity / time;
        let before = |stop: Real| toward((stop - state.position) / time, faster);
        let mut jerk = free;
        if self.min.is_finite() {
            jerk = jerk.max(before(self.min));
        }
        if self.max.is_finite() {
            jerk = jerk.min(before(self.max));
        }
        jerk
    }

    /// How fast the character wants to go over a way: the induced velocity of
    /// eq. 23, eased by H, softened at the ends of the range by Ω, saturated by λ.
    fn speed(&self, way: Real) -> Real {
        let o = &self.options;
        let induced = way.abs() * o.rate;
        let exponent = 1.0 - o.smoothness;
        let eased = 0.5 * (((induced / (1.0 - o.responsiveness)).powf(exponent) - PI).tanh() + 1.0);
        let wanted = induced * eased * softened(o.edge, (self.min, self.max), self.state.position, way);
        let saturated = o.velocity * (wanted / o.velocity).tanh();
        // Slower than this nothing would ever arrive.
        saturated.max(o.velocity * CREEP)
    }

    /// Bounded velocity.
    fn first(&self, target: MotionState, dt: Real) -> MotionState {
        let way = target.position - self.state.position;
        let cap = (self.speed(way) + target.velocity.abs()).min(self.options.velocity);
        let step = way.clamp(-cap * dt, cap * dt);
        let position = if step == way { target.position } else { self.state.position + step };
        let position = position.max(self.min).min(self.max);
        // Rounding alone can pass the bound.
        let velocity = (step / dt).clamp(-self.options.velocity, self.options.velocity);
        MotionState { position, velocity, acceleration: 0.0 }
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

/// Errors up to this are the law's own business: it is critically damped, and saturates not.
fn lawful_error(bounds: Bounds, w: Real) -> Real {
    LINEAR * (bounds.jerk / (w * w * w)).min(bounds.acceleration / (w * w)).min(bounds.velocity / w)
}

/// Whether what is lacking is small, in velocity and acceleration by the law's bandwidth.
fn is_within(off: MotionState, small: Real, w: Real) -> bool {
    off.position.abs() <= small && off.velocity.abs() <= w * small && off.acceleration.abs() <= w * w * small
}

/// Ω of eq. 23: what is left of a velocity towards the nearer end of the range.
pub(super) fn softened(edge: Real, (min, max): (Real, Real), position: Real, way: Real) -> Real {
    let half = 0.5 * (max - min);
    if half.is_finite() && half > 0.0 && edge.is_finite() {
        let off = (position - min - half) / half;
        if off * way > 0.0 {
            return (1.0 - off.abs().min(1.0).powf(2.0 * edge)).max(0.0);
        }
    }
    1.0
}

/// The state after changing over to a stop as late as that is fine, within a piece.
fn latest(
    dt: Real,
    changed: impl Fn(Real) -> MotionState,
    is_fine: impl Fn(MotionState) -> bool,
) -> MotionState {
    let (mut fine, mut not) = (0.0, dt);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (fine + not);
        if is_fine(changed(middle)) { fine = middle } else { not = middle }
    }
    changed(fine)
}

/// The jerk nearest to the first one that is fine, between one that is not and one that is.
fn nearest_fine(not: Real, fine: Real, is_fine: impl Fn(Real) -> bool) -> Real {
    let (mut not, mut fine) = (not, fine);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (not + fine);
        if is_fine(middle) { fine = middle } else { not = middle }
    }
    fine
}

/// How often a bracket is halved.
const HALVINGS: u32 = 24;
/// Into how many pieces of constant jerk a period of the reference rate is cut.
const PIECES: Real = 4.0;
/// The most pieces that one step is taken in.
const MOST_PIECES: Real = 4096.0;
/// The slowest that the character goes, as a part of the velocity's bound.
const CREEP: Real = 0.02;
/// A move has arrived when this part of it is left.
const ARRIVED: Real = 0.01;
/// The greatest bandwidth, per second: what the pieces can still resolve.
const FASTEST: Real = 60.0;
/// The greatest bandwidth for a set-point that has not jumped, per second. Lower is rounder corners,
/// and more past a set-point that stops at once.
const ROUND: Real = 8.0;
/// How long the haste lasts after a set-point that had jumped is met, in seconds.
const CALM: Real = 0.15;
/// The time in which what is left to a stop becomes a third, in seconds.
const APPROACH: Real = 0.15;
/// Without a bound of jerk the acceleration is there in a thousandth of a second.
const QUICK: Real = 1000.0;
/// The part of a bound that is used, so that rounding does not pass it.
const INSIDE: Real = 0.9995;
/// How far behind a target its motion is believed in full, and not at all, in errors that the law
/// still sees to by itself.
const NEAR: Real = 80.0;
const FAR: Real = 200.0;
/// The part of the errors at which the law would saturate that it sees to alone.
const LINEAR: Real = 0.05;
/// The part of those errors that it sees to alone after a jump.
const ALONE: Real = 0.3;
/// The part of the velocity that could still be stopped in time that the law goes for.
const GENTLE: Real = 0.85;
/// The least part of the acceleration that is left to catch up with a target that accelerates.
const LEAST: Real = 0.25;
/// The part of the bounds of velocity and acceleration that the law itself goes for.
const SOFT: Real = 0.998;
