//! The motion filter as published (eq. 23), its slips mended.
//!
//! Nested saturations of finite differences, once a step of the reference rate: the velocity that
//! the set-point would induce is softened by Ω and eased by H; the jerk that it takes to have it is
//! saturated, then the acceleration that results, then the velocity. Each saturation may undo what
//! the one inside of it held, so the output overshoots and swings out; the author calls that
//! character. The bounds are those of the paper: soft, and none of them true for the derivatives of
//! what comes out. [`FilterOptions::published`](super::FilterOptions::published) chooses it.
//!
//! # Slips that are mended
//! - χ adds a velocity to a place, ψ an acceleration to a velocity and ξ a jerk to an acceleration:
//!   each is multiplied by Δt here.
//! - ψ takes (ξ − ẋ)/Δt as its acceleration, as if ξ were a velocity; ξ is an acceleration already.
//! - λ(x, k) = k/2 · tanh(x / (k/2)) saturates at half of the limit; read as k · tanh(x/k).
//! - H(v) = v/2 · (tanh(…) + 1) holds a factor v already and is multiplied by v again: the eased
//!   velocity is v/2 · (tanh(…) + 1).
//! - Ω compares x with α, half of the range's width; meant is the middle of the range.

use super::FilterOptions;
use super::axis::softened;
use super::profile::MotionState;
use crate::math::*;

/// Moves on by `dt` seconds, in whole steps of the reference rate and one that is shorter.
pub(super) fn step(
    options: &FilterOptions,
    range: (Real, Real),
    mut state: MotionState,
    goal: Real,
    dt: Real,
) -> MotionState {
    let pieces = (dt * options.rate).ceil().clamp(1.0, 4096.0);
    for _ in 0..pieces as u32 {
        state = advance(options, range, state, goal, dt / pieces);
    }
    state
}

fn saturated(x: Real, limit: Real) -> Real {
    limit * (x / limit).tanh()
}

fn advance(o: &FilterOptions, range: (Real, Real), state: MotionState, goal: Real, dt: Real) -> MotionState {
    // Induced at the reference rate, so that the character is the same at any other.
    let induced = (goal - state.position) * o.rate;
    let v = induced * softened(o.edge, range, state.position, induced);
    let eased = 0.5 * v * (((v.abs() / (1.0 - o.responsiveness)).powf(1.0 - o.smoothness) - PI).tanh() + 1.0);
    let mut acceleration = (eased - state.velocity) / dt;
    if o.order >= 3 {
        let jerk = saturated((acceleration - state.acceleration) / dt, o.jerk);
        acceleration = state.acceleration + jerk * dt;
    }
    if o.order >= 2 {
        acceleration = saturated(acceleration, o.acceleration);
    }
    let velocity = saturated(state.velocity + acceleration * dt, o.velocity);
    let position = (state.position + velocity * dt).max(range.0).min(range.1);
    // The derivatives are those of the outputs, as the paper's history has them.
    let velocity = (position - state.position) / dt;
    MotionState { position, velocity, acceleration: (velocity - state.velocity) / dt }
}
