//! Points that nobody tracks: where they most likely are.
//!
//! A headset and two controllers are three points of six, and what people then look
//! at is whether the body stands. Points that were never seen are made up here,
//! from those that are; points that were seen and are lost for a while are the
//! guard's business.
//!
//! * **Pelvis**, from the head and the middle of the feet. Straight above the feet
//!   it divides the line as at rest. As the head comes lower, legs and spine share
//!   the loss: the legs' span shrinks with the [`KNEES`]-th power of the whole, and
//!   where spine and legs are then too long for the line, the pelvis goes backwards.
//! * **Feet** stand on the ground and do not slide. One whose place under the pelvis
//!   has gone from it by more than [`STRIDE`] takes a step, one foot at a time,
//!   to where the pelvis is going.
//! * **Wrists** hang beside the hips.
//!
//! The ground is where the rest pose stands. Where the head is at no height at which
//! a person's head is, as in recordings with another origin, it is where the rest
//! pose would stand under the first head that is seen.

use super::guard::Bounds;
use crate::math::*;

/// How much of a crouch is in the knees rather than in the hips.
const KNEES: Real = 1.2;
/// How far a foot may be from its place, in lengths of the leg, before it steps.
const STRIDE: Real = 0.22;
/// Seconds of an unhurried step.
const STEP_TIME: Real = 0.15;
/// Feet go on in steps of no more than this, in seconds, so that they step alike at any frame rate.
const TICK: Real = 1.0 / 120.0;
/// How high a foot is lifted, in lengths of the leg.
const LIFT: Real = 0.1;
/// How many seconds ahead of the pelvis a step goes.
const LEAD: Real = 0.067;

/// A foot that nobody tracks.
#[derive(Debug, Clone, Copy)]
struct Foot {
    at: Vec3,
    from: Vec3,
    /// How much of its step is done; one if it stands.
    phase: Real,
}

/// What is kept of made-up points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fill {
    /// Which of the six were ever seen.
    seen: [bool; 6],
    feet: [Foot; 2],
    pelvis: Vec3,
    ground: Real,
    started: bool,
}

impl Fill {
    pub(super) const NEW: Self = {
        let foot = Foot { at: Vec3::ZERO, from: Vec3::ZERO, phase: 1.0 };
        Self { seen: [false; 6], feet: [foot; 2], pelvis: Vec3::ZERO, ground: 0.0, started: false }
    };

    /// Makes up what was never seen, as far as head or pelvis are. `body` is the
    /// body's frame in model space, `lost` where points that are not given were last.
    pub(super) fn fill(
        &mut self,
        given: &mut [Option<Vec3>; 6],
        body: Quat,
        bounds: &Bounds,
        dt: Real,
        lost: &[Vec3; 6],
    ) {
        for (seen, given) in self.seen.iter_mut().zip(given.iter()) {
            *seen |= given.is_some();
        }
        let seen = self.seen;
        let unseen = |i: usize| !seen[i];
        if !(0..6).any(|i| i != 1 && unseen(i)) {
            return;
        }
        let Some(top) = given[1].or(given[0]) else { return };
        let level = Level::new(body, bounds);
        if !self.started {
            self.start(given, top, &level, bounds);
        }
        let middle = if self.seen[4] && self.seen[5] {
            0.5 * (given[4].unwrap_or(lost[4]) + given[5].unwrap_or(lost[5]))
        } else {
            0.5 * (self.feet[0].at + self.feet[1].at)
        };
        if let (true, Some(head)) = (unseen(0), given[1]) {
            given[0] = Some(pelvis_between(head, middle, &level, bounds));
        }
        let pelvis = given[0].unwrap_or(lost[0]);
        let velocity = level.flat(pelvis - self.pelvis) / dt;
        if unseen(4) && unseen(5) {
            let ticks = (dt / TICK - 1.0e-3).ceil().max(1.0);
            for i in 1..=ticks as usize {
                let at = self.pelvis.lerp(pelvis, i as Real / ticks);
                self.walk(at, velocity, &level, bounds, dt / ticks);
            }
        }
        self.pelvis = pelvis;
        for side in 0..2 {
            if unseen(4 + side) {
                // With the other foot tracked, this one stands beside the body.
                given[4 + side] = Some(if unseen(5 - side) {
                    self.feet[side].at
                } else {
                    self.place(side, pelvis, &level, bounds)
                });
            }
            if unseen(2 + side) {
                given[2 + side] = Some(pelvis + body * bounds.hang[side]);
            }
        }
    }

    /// The first frame: where the ground is, and the feet on it.
    fn start(&mut self, given: &[Option<Vec3>; 6], top: Vec3, level: &Level, bounds: &Bounds) {
        let standing = bounds.leg + if given[1].is_some() { bounds.rest[1].length() } else { 0.0 };
        let height = top.dot(level.up) - bounds.ground;
        let plausible = height > 0.3 * standing && height < 1.2 * standing;
        self.ground = if plausible { bounds.ground } else { top.dot(level.up) - standing };
        for i in 4..6 {
            if let Some(p) = given[i] {
                self.ground = self.ground.min(p.dot(level.up));
            }
        }
        self.pelvis = given[0].unwrap_or(top);
        self.started = true;
        for side in 0..2 {
            let at = self.place(side, self.pelvis, level, bounds);
            self.feet[side] = Foot { at, from: at, phase: 1.0 };
        }
    }

    /// Where a foot belongs under the pelvis: on the ground, before a pelvis that is
    /// low, and off the ground under one that is higher than legs are long.
    fn place(&self, side: usize, pelvis: Vec3, level: &Level, bounds: &Bounds) -> Vec3 {
        let height = pelvis.dot(level.up);
        let low = (bounds.leg - (height - self.ground)).max(0.0);
        let rest = bounds.rest[4 + side];
        let beside = level.left * rest.x + level.forward * (rest.z + 0.3 * low);
        let ground = self.ground.max(height - 1.02 * bounds.leg);
        level.flat(pelvis) + beside + level.up * ground
    }

    fn walk(&mut self, pelvis: Vec3, velocity: Vec3, level: &Level, bounds: &Bounds, dt: Real) {
        let places = [0, 1].map(|side| self.place(side, pelvis, level, bounds));
        let away = [0, 1].map(|i| level.flat(places[i] - self.feet[i].at).length() / bounds.leg.max(TINY));
        // The foot that is further from its place goes first.
        let order = if away[1] > away[0] { [1, 0] } else { [0, 1] };
        for side in order {
            let other = self.feet[1 - side].phase;
            let foot = &mut self.feet[side];
            if foot.phase >= 1.0 && away[side] > STRIDE && (other >= 1.0 || away[side] > 2.0 * STRIDE) {
                *foot = Foot { from: foot.at, phase: 0.0, ..*foot };
            }
            let place = places[side];
            if foot.phase < 1.0 {
                foot.phase = (foot.phase + (1.0 + 3.0 * away[side]) * dt / STEP_TIME).min(1.0);
                let ahead = (velocity * LEAD).clamp_length_max(0.5 * STRIDE * bounds.leg);
                let part = foot.phase * foot.phase * (3.0 - 2.0 * foot.phase);
                let lift = level.up * (LIFT * bounds.leg * (PI * foot.phase).sin());
                foot.at = foot.from + (place + ahead - foot.from) * part + lift;
            } else {
                // It stands, unless the body leaves the ground.
                foot.at += level.up * (place - foot.at).dot(level.up);
            }
        }
    }
}

/// The body's frame made level.
struct Level {
    up: Vec3,
    left: Vec3,
    forward: Vec3,
}

impl Level {
    fn new(body: Quat, bounds: &Bounds) -> Self {
        let up = bounds.up;
        let left = body * Vec3::X;
        let left = direction_or(left - up * left.dot(up), any_perpendicular(up));
        Self { up, left, forward: left.cross(up) }
    }

    /// Without its height.
    fn flat(&self, v: Vec3) -> Vec3 {
        v - self.up * v.dot(self.up)
    }
}

fn pelvis_between(head: Vec3, feet: Vec3, level: &Level, bounds: &Bounds) -> Vec3 {
    let (spine, leg) = (bounds.rest[1].length(), bounds.leg);
    let line = head - feet;
    let length = line.length();
    let whole = (spine + leg).max(TINY);
    if length <= HAIR {
        return head - level.up * spine;
    }
    let along = line / length;
    let part = length / whole;
    if part >= 1.0 {
        return feet + along * (length * leg / whole);
    }
    let leg = leg * part.powf(KNEES);
    let at = ((length * length + leg * leg - spine * spine) / (2.0 * length)).clamp(-leg, leg);
    let aside = (leg * leg - at * at).max(0.0).sqrt();
    let back = -level.forward;
    let back = direction_or(back - along * back.dot(along), Vec3::ZERO);
    // No further from the head than the spine allows, which bends for the rest.
    let found = feet + along * at + back * aside;
    head + (found - head).clamp_length_max(spine)
}
