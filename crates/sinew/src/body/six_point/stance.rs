//! How a body stands whose feet nobody tracks.
//!
//! A headset and two controllers say where the head and the hands are. What people look at is
//! whether the body stands: this module makes up the pelvis, the heading and the feet.
//!
//! * **Heading**: `stance/heading.rs`. From the line between the hands, from where the hands are seen from the head and go
//!   round it, and from the head's own orientation. Made-up feet say nothing.
//! * **Support** and **pelvis**: `stance/pelvis.rs`. The place on the floor that the body stands over stays while the
//!   body leans, bows or sits down; the pelvis is where such a body has it.
//! * **Gait**: `stance/gait.rs`. Whether the body walks, and what the swing of its arms says of its feet.
//! * **Feet**: `stance/steps.rs`. They stay where they are planted and go after the support and the
//!   heading by steps; in a walk in time with the arms, whose swing says which foot is in the air.
//! * **Kneeling**: a body that stays low and still for [`PATIENCE`] seconds over its support goes on its knees.
//!
//! # Time
//! The body is followed in ticks of at most [`TICK`] seconds, in between the trackers' positions
//! of this frame and the one before, and everything that is remembered goes by seconds or by
//! metres. So the frame rate does not matter, but for when exactly a step begins.
//!
//! # Degenerate cases
//! Cues that cancel, or none: the heading stays. A head below the floor or beyond the legs' reach:
//! the pelvis stays above the floor and the feet hang from it. A whole body that is put elsewhere
//! takes its feet along ([`Stance::shift`]).

mod gait;
mod heading;
mod pelvis;
mod steps;

pub(super) use self::pelvis::Kneeling;
use self::steps::{Home, Step, When};
use super::foot;
use super::guard::Bounds;
use crate::math::*;

/// Ticks are no longer than this, in seconds.
const TICK: Real = 1.0 / 120.0;
/// Seconds over which the speed of support and heading is measured.
const PACE_TIME: Real = 0.07;
/// How fast the way of a walk turns at most, in radians a second.
const MOST_VEER: Real = 4.0;
/// How far the feet are put ahead of the support at most while the arms swing in a walk, besides half the height of the
/// pelvis, in this height.
const FURTHER: Real = 0.7;
/// In how many seconds arms are seen to hang, and for how many they are after the hands went up: they rise at the ends of
/// their swing.
const HANGING_TIME: Real = 0.2;
/// In how many seconds the pelvis goes after the hands.
const SWAY_TIME: Real = 0.15;
/// How far ahead of the ankle the middle of the sole is, in lengths from there to the ball.
const SOLE: Real = 0.45;
/// Seconds that a body stays low and still before it kneels.
const PATIENCE: Real = 1.0;
/// The pelvis' height, in that of standing, below which a body may kneel and above which it gets up.
const KNEEL: Real = 0.62;
const GET_UP: Real = 0.72;
/// Slower than this, in heights of the pelvis a second, a head is still.
const STILL: Real = 0.15;

/// What is seen of a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub head: Option<Vec3>,
    pub pelvis: Option<Vec3>,
    /// Left and right.
    pub wrists: Option<[Vec3; 2]>,
    /// Where the trackers of head and pelvis have the body's left.
    pub head_left: Option<Vec3>,
    pub pelvis_left: Option<Vec3>,
}

impl Seen {
    const NOTHING: Self = Self { head: None, pelvis: None, wrists: None, head_left: None, pelvis_left: None };

    /// Part of the way from an earlier frame to this one.
    fn between(&self, before: &Self, part: Real) -> Self {
        let mix = |a: Option<Vec3>, b: Option<Vec3>| Some(a.or(b)?.lerp(b?, part));
        Self {
            head: mix(before.head, self.head),
            pelvis: mix(before.pelvis, self.pelvis),
            wrists: self.wrists.map(|now| {
                let was = before.wrists.unwrap_or(now);
                [was[0].lerp(now[0], part), was[1].lerp(now[1], part)]
            }),
            head_left: mix(before.head_left, self.head_left),
            pelvis_left: mix(before.pelvis_left, self.pelvis_left),
        }
    }
}

/// A foot as it should stand, or as far as its step has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FootPlace {
    /// Where the ankle would be if the foot were flat.
    pub at: Vec3,
    /// The foot's left, level.
    pub left: Vec3,
    /// How far the heel is up at least, about the ball, in radians; below zero the toes are.
    pub pitch: Real,
    /// How much of its own rise the heel may do so that the leg reaches the floor, from 0 to 1.
    pub rise: Real,
}

/// The body's stance, kept from frame to frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stance {
    /// How high a flat foot's ankle is, along the body's up.
    ground: Real,
    before: Seen,
    /// The pelvis' left, level.
    left: Vec3,
    support: Vec3,
    pelvis: Vec3,
    /// The height that the body has lost as it stands and walks.
    usual: Real,
    /// How fast the support goes and the heading turns, to the left.
    pace: Vec3,
    turning: Real,
    /// How fast the way that it goes turns to the left.
    veering: Real,
    /// How far the heading still is from where hands and head have it, to the left.
    off: Real,
    /// The hands seen from the head, and how fast the left one goes ahead of the right.
    hands: Option<[Vec3; 2]>,
    swing: Real,
    /// How much the arms hang, and how much they have swung in a walk of late, from 0 to 1.
    hanging: Real,
    rhythm: Real,
    /// How far the pelvis of an upright body is from where it is at rest under the head.
    sway: Vec3,
    feet: [Step; 2],
    /// For how many seconds it has been low and still.
    low: Real,
    kneels: bool,
    started: bool,
}

impl Stance {
    pub(super) const NEW: Self = Self {
        ground: 0.0,
        before: Seen::NOTHING,
        left: Vec3::X,
        support: Vec3::ZERO,
        pelvis: Vec3::ZERO,
        usual: 0.0,
        pace: Vec3::ZERO,
        turning: 0.0,
        veering: 0.0,
        off: 0.0,
        hands: None,
        swing: 0.0,
        hanging: 1.0,
        rhythm: 0.0,
        sway: Vec3::ZERO,
        feet: [Step::NEW; 2],
        low: 0.0,
        kneels: false,
        started: false,
    };

    /// The pelvis' left, level.
    pub(super) fn left(&self) -> Vec3 {
        self.left
    }

    pub(super) fn pelvis(&self) -> Vec3 {
        self.pelvis
    }

    /// The place on the floor, at the ankles' height, that the body stands over.
    pub(super) fn support(&self, bounds: &Bounds) -> Vec3 {
        flat(self.support, bounds.up) + bounds.up * self.ground
    }

    /// How high the ankles of flat feet are.
    pub(super) fn ground(&self) -> Real {
        self.ground
    }

    /// Where a foot is.
    pub(super) fn foot(&self, side: usize, bounds: &Bounds) -> FootPlace {
        self.feet[side].place(bounds)
    }

    /// The whole body was put elsewhere.
    pub(super) fn shift(&mut self, by: Vec3, bounds: &Bounds) {
        let by = flat(by, bounds.up);
        self.support += by;
        self.pelvis += by;
        for step in &mut self.feet {
            step.shift(by);
        }
        let moved = |p: Option<Vec3>| p.map(|p| p + by);
        self.before = Seen {
            head: moved(self.before.head),
            pelvis: moved(self.before.pelvis),
            wrists: self.before.wrists.map(|w| w.map(|p| p + by)),
            ..self.before
        };
    }

    /// Goes on by a frame. `left` is the body's left in the frame before; `ground` is where the
    /// floor was said to be. Head or pelvis must be seen.
    pub(super) fn advance(
        &mut self,
        seen: &Seen,
        left: Vec3,
        ground: Option<Real>,
        bounds: &Bounds,
        dt: Real,
    ) {
        if !self.started || !self.is_finite() {
            self.start(seen, left, ground, bounds);
            return;
        }
        let ticks = (dt / TICK - 1.0e-3).ceil().max(1.0);
        let before = self.before;
        for i in 1..=ticks as usize {
            self.tick(&seen.between(&before, i as Real / ticks), bounds, dt / ticks);
        }
        self.before = *seen;
    }

    fn is_finite(&self) -> bool {
        self.pelvis.is_finite()
            && self.support.is_finite()
            && self.left.is_finite()
            && self.pace.is_finite()
            && self.sway.is_finite()
    }

    /// The first frame: where the floor is, and the feet on it.
    fn start(&mut self, seen: &Seen, left: Vec3, ground: Option<Real>, bounds: &Bounds) {
        let up = bounds.up;
        *self = Self { before: *seen, started: true, ..Self::NEW };
        self.left = direction_or(flat(left, up), any_perpendicular(up));
        self.left = self.wanted_left(seen, bounds).0;
        self.hands = hands_of(seen);
        self.hanging = self.hanging(seen, bounds);
        self.sway = self.sways(seen, bounds);
        let rest = &bounds.rest;
        let (top, standing) = match (seen.head, seen.pelvis) {
            (Some(head), _) => (head, bounds.standing + rest[1].y),
            (None, pelvis) => (pelvis.unwrap_or_default(), bounds.standing),
        };
        let plausible = |floor: &Real, most: Real| {
            let height = top.dot(up) - floor;
            height > 0.3 * standing && height < most * standing
        };
        // Of recordings the rest is often about the origin, and the floor always there or nowhere.
        let origin = bounds.ankle_over_floor();
        self.ground = match ground {
            Some(ground) => bounds.ground + ground,
            None if plausible(&bounds.ground, 1.2) => bounds.ground,
            None if plausible(&origin, 1.08) => origin,
            None => top.dot(up) - standing,
        };
        let (over, lost) = self.over(seen, bounds);
        self.support = over;
        self.usual = lost.max(0.0).min(0.12 * bounds.standing);
        self.pelvis = seen.pelvis.unwrap_or_else(|| self.pelvis_below(seen, (over, lost), bounds));
        self.feet = self.homes(When::In(0.0), self.narrow(bounds), bounds).map(Step::at);
    }

    fn tick(&mut self, seen: &Seen, bounds: &Bounds, dt: Real) {
        let up = bounds.up;
        self.hanging += (self.hanging(seen, bounds) - self.hanging) * (1.0 - (-dt / HANGING_TIME).exp());
        let hands = hands_of(seen);
        let (turn, off) = self.turn(seen, hands, bounds, dt);
        self.off = off - turn;
        self.left = turned(self.left, turn, up);
        self.sway += (self.sways(seen, bounds) - self.sway) * (1.0 - (-dt / SWAY_TIME).exp());

        let (over, lost) = self.over(seen, bounds);
        let support = self.support_after(over, lost, bounds, dt);
        let fresh = 1.0 - (-dt / PACE_TIME).exp();
        let pace = self.pace;
        self.pace += (flat(support - self.support, up) / dt - self.pace) * fresh;
        let walking = self.walking(bounds);
        let mut veer = 0.0;
        if walking > 0.0 {
            veer = up.dot(pace.cross(self.pace)).atan2(pace.dot(self.pace)) / dt;
            veer = veer.clamp(-MOST_VEER, MOST_VEER) * walking;
        }
        self.veering += (veer - self.veering) * fresh;
        self.swings(hands, fresh, bounds, dt);
        self.turning += (turn / dt - self.turning) * fresh;
        self.support = support;
        let was = self.pelvis;
        self.pelvis = seen.pelvis.unwrap_or_else(|| self.pelvis_below(seen, (over, lost), bounds));

        let height = (self.pelvis.dot(up) - self.ground) / bounds.standing.max(TINY);
        let quick = (self.pelvis - was).length() > STILL * bounds.standing * dt;
        let sits = self.sits(over, bounds) > pelvis::SEATED_ENOUGH;
        self.low = if height < KNEEL && !quick && !sits { self.low + dt } else { 0.0 };
        self.kneels = if self.kneels { height < GET_UP } else { self.low > PATIENCE };

        let now = *self;
        let narrow = now.narrow(bounds);
        let homes = |when: When| now.homes(when, narrow, bounds);
        let raised = |side: usize, ankle: Vec3| now.raised(side, ankle, bounds);
        let gait = self.gait(narrow, bounds);
        steps::walk(&mut self.feet, homes, raised, &gait, bounds, dt);
    }

    fn forward(&self, up: Vec3) -> Vec3 {
        self.left.cross(up)
    }

    /// Where the feet belong then, in a stance that is so narrow.
    fn homes(&self, when: When, narrow: Real, bounds: &Bounds) -> [Home; 2] {
        let up = bounds.up;
        let (ahead, turn) = match when {
            When::In(seconds) => (seconds, self.turning * seconds),
            When::AtRest => (0.0, self.off),
        };
        let left = turned(self.left, turn.clamp(-0.9, 0.9), up);
        if self.kneels {
            return [0, 1].map(|side| self.kneeling_home(side, left, bounds));
        }
        let forward = left.cross(up);
        let moved = (self.pace * ahead).clamp_length_max((0.5 + FURTHER * self.rhythm) * bounds.standing);
        let middle = flat(self.support, up) + moved + up * self.ground;
        [0, 1].map(|side: usize| {
            let rest = bounds.rest[4 + side];
            // The middle of the sole is under the body, not the ankle.
            let ahead = rest.z - SOLE * bounds.ball_length();
            Home { at: middle + left * (rest.x * narrow) + forward * ahead, left, pitch: 0.0 }
        })
    }

    /// Where a hip is of a pelvis that is level and has its left there.
    fn hip(&self, side: usize, left: Vec3, bounds: &Bounds) -> Vec3 {
        let hip = bounds.hip[side];
        self.pelvis + left * hip.x + bounds.up * hip.y + left.cross(bounds.up) * hip.z
    }

    /// By how much an ankle must be raised so that the leg reaches it.
    fn raised(&self, side: usize, ankle: Vec3, bounds: &Bounds) -> Real {
        let way = ankle - self.hip(side, self.left, bounds);
        let reach = foot::used(bounds.reach[side], -way.dot(self.forward(bounds.up)));
        let aside = flat(way, bounds.up);
        let most = (reach * reach - aside.length_squared()).max(0.0).sqrt();
        (-way.dot(bounds.up) - most).max(0.0)
    }

    /// A foot on the ball behind a knee that is on the floor, under the hip.
    fn kneeling_home(&self, side: usize, left: Vec3, bounds: &Bounds) -> Home {
        let up = bounds.up;
        let forward = left.cross(up);
        let hip = self.hip(side, left, bounds);
        let kneeling = &bounds.kneeling[side];
        let drop = (hip.dot(up) - self.ground - kneeling.knee).clamp(0.0, bounds.thigh);
        let before = (bounds.thigh * bounds.thigh - drop * drop).max(0.0).sqrt();
        let pitch = steps::KNEELING;
        let (back, ahead) = (kneeling.back, kneeling.ahead);
        let at = flat(hip, up) + forward * (before - back - ahead) + up * self.ground;
        Home { at, left, pitch }
    }
}

/// Without its height.
fn flat(v: Vec3, up: Vec3) -> Vec3 {
    v - up * v.dot(up)
}

/// A level vector turned to the left by an angle.
fn turned(v: Vec3, angle: Real, up: Vec3) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    direction_or(flat(v * cos + up.cross(v) * sin, up), v)
}

/// The hands seen from the head, or from the pelvis where no head is.
fn hands_of(seen: &Seen) -> Option<[Vec3; 2]> {
    let middle = seen.head.or(seen.pelvis)?;
    seen.wrists.map(|hands| hands.map(|hand| hand - middle))
}
