//! Where the hips go: over the course, as high as the legs will allow.
//!
//! The hips look ahead. At moments over the next step it is known where the body will be, which
//! feet will stand where, and so how high the hips may be then. They go after the least of
//! these heights with a bounded acceleration, and so begin to sink before a foot is far behind
//! or lands far below, instead of being pulled down by it.

use super::course::{Course, Pace, Wish, turned};
use super::foot::FootPose;
use super::glide::{Follow, HASTE};
use super::rig::WalkRig;
use super::steps::Steps;
use super::stride::ease;
use super::{LENT_RISE, WalkOptions};
use crate::math::*;

/// How far ahead the hips look, in seconds, and in how many looks.
const AHEAD: Real = 0.36;
const LOOKS: usize = 4;
/// The acceleration up and down, and from side to side, in metres a second squared for a leg of
/// the usual length.
const UP_DOWN: Real = 9.0;
const SIDEWAYS: Real = 4.0;
/// How soon the hips rise, in 1/s.
const RISES: Real = 7.0;
/// How far a leg is stretched at the most, as planned and in need: at full stretch a small
/// move of the hips would be a large one of the knee.
pub(super) const STRETCH: Real = 0.985;
const LAST: Real = 0.998;
/// How much lower a run is than a walk, in leg lengths.
const RUN_LOW: Real = 0.06;
/// How much of the ground's slope a body on more than two legs takes over, the most of it in
/// radians, and how fast that changes, in radians a second squared.
const LEANS: Real = 0.9;
const MOST_LEAN: Real = 0.5;
const TURNS: Real = 12.0;
/// How far the hips sink so that heels stay down, in leg lengths.
const DEEP: Real = 0.08;

/// How far heels rise for the hips' sake: as they will by themselves, as far as they may, and that of the feet that
/// stand now alone.
#[derive(Clone, Copy, PartialEq)]
enum Lends {
    InTime,
    All,
    Last,
}

/// The length of the leg that the speeds were measured on.
const USUAL_LEG: Real = 0.86;

/// The hips beside the course.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hips {
    height: Follow,
    sway: Follow,
    /// How far a body on more than two legs leans with the ground: its front down, its left up.
    pitch: Follow,
    roll: Follow,
    /// The turn of the pelvis.
    pub turn: Real,
    /// How far the legs will keep the hips under their height, in leg lengths.
    pub low: Real,
}

impl Hips {
    /// At rest over the ground.
    pub fn new(rig: &WalkRig, course: &Course, steps: &Steps) -> Self {
        let rest = steps.ground() + rig.height;
        let level = Follow::at(0.0);
        let height = Follow::at(rest);
        let mut hips = Self { height, sway: level, pitch: level, roll: level, turn: 0.0, low: 0.0 };
        hips.height.value = rest.min(hips.highest(rig, course, steps, 0.0, (STRETCH, Lends::InTime)));
        hips
    }

    /// Goes on for a short time.
    #[allow(clippy::too_many_arguments)] // the parts of a walker, borrowed apart
    pub fn advance(
        &mut self,
        rig: &WalkRig,
        options: &WalkOptions,
        (course, pace, wish): (&Course, &Pace, &Wish),
        steps: &Steps,
        time: Real,
    ) {
        let scale = rig.leg_length / USUAL_LEG;
        let effort = pace.effort(course.speed());
        let run = pace.run(course.speed());
        let mut wanted = steps.ground() + rig.height;
        let mut sway = 0.0;
        self.turn = 0.0;
        if rig.is_biped() {
            let size = rig.leg_length * effort;
            wanted -= 0.01 * size;
            // Over the leg that stands, and highest in the middle of its step; in a run lowest
            // there, and highest in the air.
            if let Some((group, way)) = steps.flying() {
                let side = if group == 0 { -1.0 } else { 1.0 };
                sway = side * options.sway * size * (1.0 - run);
                wanted -= options.bob * size * (1.0 + (TAU * way).cos() * (1.0 - 2.0 * run) + run);
                wanted -= RUN_LOW * rig.leg_length * run;
            } else {
                wanted -= 2.0 * options.bob * size;
            }
            self.turn = -options.pelvis * effort * ahead(rig, options, course, steps);
        }
        self.sway.advance(sway, SIDEWAYS * scale, time);
        if !rig.is_biped() {
            let (ahead, left) = steps.slopes(rig);
            let tilt = |slope: Real| (LEANS * slope.atan()).clamp(-MOST_LEAN, MOST_LEAN);
            self.pitch.advance(-tilt(ahead), TURNS, time);
            self.roll.advance(tilt(left), TURNS, time);
            // The hips may be at one end of the body; its middle is over the feet.
            let (middle, aside) = (rig.middle(), Vec2::new(rig.left.x, rig.left.z));
            wanted += middle.dot(rig.ahead) * self.pitch.value.tan();
            wanted -= middle.dot(aside) * self.roll.value.tan();
        }
        let free = wanted;
        let mut lent = wanted;
        let mut then = *course;
        for look in 0..=LOOKS {
            let seconds = look as Real * AHEAD / LOOKS as Real;
            if look > 0 {
                then.advance(wish, pace, rig.ahead, AHEAD / LOOKS as Real);
            }
            wanted = wanted.min(self.highest(rig, &then, steps, seconds, (STRETCH, Lends::InTime)));
            lent = lent.min(self.highest(rig, &then, steps, seconds, (STRETCH, Lends::All)));
        }
        self.low = (free - wanted) / rig.leg_length;
        // Rather than sink far it stands on its toes.
        wanted = wanted.max(lent.min(free - DEEP * rig.leg_length));
        // Down in time, and up at leisure: a leg that is nearly straight turns its knee fast.
        let haste = if wanted > self.height.value { RISES } else { HASTE };
        self.height.advance_by(haste, wanted, UP_DOWN * scale, time);
        // No foot that stands is pulled off its place.
        let most = self.highest(rig, course, steps, 0.0, (LAST, Lends::Last));
        if self.height.value > most {
            self.height = Follow { value: most, velocity: self.height.velocity.min(0.0) };
        }
    }

    /// The hips over a course, turned so from rest.
    pub fn place(&self, rig: &WalkRig, course: &Course) -> Transform {
        let left = turned(Vec2::new(rig.left.x, rig.left.z), course.heading);
        let place = course.place + left * self.sway.value;
        let mut rotation = rotation::about(Vec3::Y, course.heading + self.turn);
        if !rig.is_biped() {
            let ahead = Vec3::new(rig.ahead.x, 0.0, rig.ahead.y);
            rotation = rotation
                * rotation::about(rig.left, self.pitch.value)
                * rotation::about(ahead, self.roll.value);
        }
        Transform::new(Vec3::new(place.x, self.height.value, place.y), rotation)
    }

    /// How high the hips may be at a time so that every leg reaches the foot that stands then.
    fn highest(
        &self,
        rig: &WalkRig,
        course: &Course,
        steps: &Steps,
        seconds: Real,
        (stretch, lends): (Real, Lends),
    ) -> Real {
        let hips = self.place(rig, course);
        let ahead = turned(rig.ahead, course.heading);
        let mut highest = Real::INFINITY;
        for (i, foot) in rig.feet.iter().enumerate() {
            let Some((plant, rises)) = steps.plant_after(i, seconds) else { continue };
            let last = lends == Lends::Last;
            if last && steps.standing_plant(i).is_none() {
                continue;
            }
            let rises = if lends == Lends::InTime || steps.standing_plant(i).is_none() { rises } else { 1.0 };
            let base = hips.transform_point(foot.base);
            // Only a foot that is left behind lends its heel.
            let behind = Vec2::new(base.x - plant.toe.x, base.z - plant.toe.z).dot(ahead);
            let lent = rises * ease(behind / (0.15 * rig.leg_length));
            let pose = match foot.sole.length() > TINY {
                // One that is on its heel now stands as it does.
                true if last && !steps.has_rolled(i) => steps.foot(i, rig),
                true => FootPose::on_toes(plant, &foot.sole, LENT_RISE * lent),
                false => FootPose::on_heel(plant, 0.0),
            };
            let ankle = pose.ankle(&foot.sole);
            let reach = foot.reach * stretch;
            let across = Vec2::new(base.x - ankle.x, base.z - ankle.z).length();
            let up = (reach * reach - across * across).max(0.0).sqrt();
            highest = highest.min(ankle.y + up - (base.y - hips.translation.y));
        }
        highest
    }
}

/// How far the first leg's foot is ahead of the second's, from -1 to 1.
pub(super) fn ahead(rig: &WalkRig, options: &WalkOptions, course: &Course, steps: &Steps) -> Real {
    let [a, b] = [0, 1].map(|i| steps.foot(i, rig).heel);
    let ahead = turned(rig.ahead, course.heading);
    let between = Vec2::new(a.x - b.x, a.z - b.z).dot(ahead);
    (between / (0.7 * options.stride * rig.leg_length).max(TINY)).clamp(-1.0, 1.0)
}
