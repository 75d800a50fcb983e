//! A foot in the air: from where it left the ground to where it will stand.
//!
//! Over the ground the foot goes by the way of least jerk, which is taken up anew from where
//! it is when its place changes (see [`Glide`]). Its height is planned over the whole way:
//!
//! 1. at moments all along the way, how far over the stride curve of eq. 1.15 the foot must be
//!    so that no part of the sole is in the ground;
//! 2. each moment takes the highest of its neighbourhood, and then the mean of these over the
//!    same neighbourhood.
//!
//! A mean over a neighbourhood in which every value is at least the one in the middle is at
//! least the one in the middle, so that the smooth curve clears whatever the first one did:
//! stairs both ways, sills and ditches. At both ends the neighbourhood shrinks to nothing, and
//! the foot leaves and lands exactly where it should.

use super::foot::{FootPose, Plant, Sole};
use super::glide::Glide;
use super::stride::{CURVE, ease, lift, lifted};
use super::terrain::Terrain;
use crate::math::*;

/// How many parts the way is planned in, and how far a neighbourhood goes.
const PARTS: usize = 24;
const NEAR: usize = 3;
/// The part of the way in which a foot is high enough off the ground to clear it.
const CLEARS: Real = 0.12;

/// The part of the way in which it goes only up, or only down, where something is close.
const WAITS: Real = 0.25;
/// What of the rise of a slope the stride curve may be short of, on which nothing is close.
const SLOPES: Real = 0.15;
/// How far the heel is up in the middle of the way, in radians.
const HANGS: Real = 0.35;
/// How much room is left around the sole, in metres.
const ROOM: Real = 0.01;
/// How high it is lifted before it goes on, in metres: what is lower counts as on the ground.
const OFF: Real = 0.008;

/// The longest step that counts as short, in leg lengths, and the part of the way that the shortest one only comes down.
const SHORT: (Real, Real) = (0.4, 0.15);
/// The part of any way that is only down.
const EARLY: Real = 0.02;

/// How far a foot is pushed off and braked over the ground, of its way over the time squared.
const PUSH: (Real, Real) = (4.0, 2.5);
/// How fast it goes up and down at the most, in leg lengths a second: it then takes longer.
const UP_DOWN: Real = 2.0;

/// How fast it goes on at the most, in leg lengths a second, besides what of the body's speed: it then takes longer.
const ACROSS: Real = 6.5;
const AHEAD: Real = 2.0;

/// What of the time that is left a foot has for a place that is new.
const LATE: Real = 0.7;

/// How soon it comes over from one plan of its height to another, in 1/s, and the part of the way at whose end it has.
const COMES_OVER: Real = 35.0;
const HAS_COME: Real = 0.3;

/// How fast it is braked on its way down, in metres a second squared for a leg of a metre, and how much more than the stride
/// curve brakes by itself; and how fast it comes down in any case, in leg lengths a second.
const BRAKES: (Real, Real) = (17.0, 1.3);
const SLOWEST: Real = 0.1;

/// A foot on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flight {
    /// Seconds since it left by its own clock, and until it lands from then.
    pub time: Real,
    pub duration: Real,
    /// How fast its clock goes.
    pub haste: Real,
    /// How fast it goes up and down at the most, in metres a second.
    fastest: Real,
    /// How fast it goes on at the most under a body that stands, in metres a second.
    quickest: Real,
    /// How far the toes are up when it lands.
    pub strike: Real,
    /// How far its leg was stretched when it left, of its length.
    pub stretch: Real,
    /// The height of the ground where it came from.
    ground: Real,
    /// The toes' place on the plane, heading, slope and roll, and the heading of the knee.
    glide: Glide<6>,
    /// When the toes come to rest over the ground: before it lands, on the way down a step.
    rests: Real,
    /// The pitch over the ground with which it left, and the height of its toes.
    rolled_off: Real,
    from: Real,
    to: Real,
    lifts: Real,
    clear: Real,
    /// How far over the stride curve the toes must be where something is close.
    close: Real,
    /// How far over the stride curve the toes must be, and are.
    needs: [Real; PARTS + 1],
    over: [Real; PARTS + 1],
    /// How far it is over the plan, since that was made anew, and how fast that changes.
    apart: Real,
    apart_speed: Real,
    /// How fast it is braked on its way down, and how fast it comes down in any case.
    brakes: Real,
    slowest: Real,
}

/// How a foot is lifted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lift {
    pub duration: Real,
    pub strike: Real,
    /// The height of the stride curve, and how far the sole clears the ground.
    pub height: Real,
    pub clear: Real,
    /// A step of this height is all up and down.
    pub step: Real,
    /// How far the leg is stretched, of its length, and that length.
    pub stretch: Real,
    pub leg: Real,
}

impl Flight {
    /// From where the foot is, off the plant on which it stood, to another.
    pub fn new(
        from: &FootPose,
        off: &Plant,
        to: &Plant,
        lift: &Lift,
        sole: &Sole,
        terrain: &dyn Terrain,
    ) -> Self {
        let toe = from.toe(sole);
        let landing = FootPose::on_heel(to, -lift.strike).toe(sole);
        // Up a step the foot rises before it goes on; down a step it goes on before it sinks.
        // A slope is neither.
        let way = to.middle() - off.middle();
        let slope = 0.5 * (off.rise(sole, way) + to.rise(sole, way));
        let climbs = ((way.y - slope) / lift.step).clamp(-1.0, 1.0);
        // What went on before it is off the ground would slide.
        let lifts = lifted(OFF / lift.height.max(OFF));
        let start = lift.duration * (lifts + 0.2 * climbs.max(0.0)).min(WAITS);
        // A short step would slide into its place if it came down and got there together.
        let short = 1.0 - Vec2::new(landing.x - toe.x, landing.z - toe.z).length() / (SHORT.0 * lift.leg);
        let early = (0.2 * -climbs).max(SHORT.1 * short).max(EARLY);
        let rests = lift.duration * (1.0 - early);
        let state = [toe.x, toe.z, from.heading, off.slope, from.roll, from.knee];
        let mut flight = Self {
            time: 0.0,
            duration: lift.duration,
            haste: 1.0,
            fastest: UP_DOWN * lift.leg,
            quickest: ACROSS * lift.leg,
            strike: lift.strike,
            stretch: lift.stretch,
            ground: off.middle().y,
            glide: Glide::new(state, state, start, start),
            rests,
            rolled_off: from.pitch - off.slope,
            from: toe.y,
            to: landing.y,
            lifts: lift.height,
            clear: lift.clear,
            close: lift.clear + SLOPES * slope.abs(),
            needs: [0.0; PARTS + 1],
            over: [0.0; PARTS + 1],
            apart: 0.0,
            apart_speed: 0.0,
            // The end of the stride curve is a parabola with this acceleration.
            brakes: (BRAKES.0 * lift.leg)
                .max(BRAKES.1 * CURVE * lift.height / (lift.duration * lift.duration)),
            slowest: SLOWEST * lift.leg,
        };
        let landing = flight.landing(to, sole).0;
        flight.glide = Glide::pushed(state, landing, (start, rests), PUSH);
        flight.plan(sole, terrain);
        // Something close to where it stands or lands: up before it goes on, on before it sinks.
        let near = |needs: &[Real]| needs.iter().any(|&n| n > flight.close);
        let up_first = near(&flight.needs[..NEAR]);
        let down_last = near(&flight.needs[PARTS - NEAR..]);
        if up_first || down_last {
            let start = if up_first { start.max(WAITS * lift.duration) } else { start };
            flight.rests = if down_last { rests.min((1.0 - WAITS) * lift.duration) } else { rests };
            flight.glide = Glide::pushed(state, landing, (start, flight.rests), PUSH);
            flight.plan(sole, terrain);
        }
        flight
    }

    /// Lands elsewhere.
    pub fn retarget(&mut self, to: &Plant, sole: &Sole, terrain: &dyn Terrain) {
        let (state, height) = self.landing(to, sole);
        let before = self.height();
        // What is left of the way takes most of the time that is left, also where the last plan
        // would have been at rest by now.
        self.rests = self.rests.max(self.time + LATE * (self.duration - self.time));
        self.glide = self.glide.toward(state, self.time, self.rests);
        self.to = height;
        self.plan(sole, terrain);
        let soon = (1.0 - WAITS) * self.duration;
        if self.time < 0.5 * self.duration
            && self.rests > soon
            && self.needs[PARTS - NEAR..].iter().any(|&n| n > self.close)
        {
            self.rests = soon;
            self.glide = self.glide.toward(state, self.time, soon);
            self.plan(sole, terrain);
        }
        // The foot comes over to the new plan from where it is.
        let jump = before - self.height();
        self.apart += jump / self.comes_over(self.time).max(0.1);
    }

    /// What the glide goes to, and the height of the toes there.
    fn landing(&self, to: &Plant, sole: &Sole) -> ([Real; 6], Real) {
        let toe = FootPose::on_heel(to, -self.strike).toe(sole);
        let [_, _, heading, .., knee] = self.glide.goal();
        let [heading, knee] = [heading, knee].map(|from| from + wrap_angle(to.heading - from));
        ([toe.x, toe.z, heading, to.slope, to.roll, knee], toe.y)
    }

    /// The height over all the way that is left.
    fn plan(&mut self, sole: &Sole, terrain: &dyn Terrain) {
        let part = self.duration / PARTS as Real;
        let done = (self.time / part) as usize;
        for k in 1..PARTS {
            let way = k as Real / PARTS as Real;
            // Where it has been is past; what it needed there still bends the curve.
            if k > done {
                let flat = self.on_the_way(k as Real * part, 0.0, sole);
                // Room for what the ankle and the leg make of it.
                let off = ease(way / CLEARS) * ease((1.0 - way) / CLEARS);
                let wide = Sole { tip: sole.tip + ROOM * off, width: sole.width + ROOM * off, ..*sole };
                let under = flat.under(terrain, &wide, self.glide.at(k as Real * part)[3]) + self.clear * off;
                self.needs[k] = (under - self.stride(way)).max(0.0);
            }
        }
        for k in 0..=PARTS {
            let near = NEAR.min(k).min(PARTS - k);
            let (mut sum, mut weights) = (0.0, 0.0);
            for j in k - near..=k + near {
                let around = &self.needs[j.saturating_sub(near)..=(j + near).min(PARTS)];
                let weight = (near + 1 - k.abs_diff(j)) as Real;
                sum += weight * around.iter().fold(0.0, |a: Real, &b| a.max(b));
                weights += weight;
            }
            self.over[k] = sum / weights;
        }
    }

    /// The height of the toes by the stride curve, over even ground.
    fn stride(&self, way: Real) -> Real {
        self.from + (self.to - self.from) * ease(way) + self.lifts * lift(way)
    }

    /// The foot at a time, with its toes at a height.
    fn on_the_way(&self, time: Real, height: Real, sole: &Sole) -> FootPose {
        let [x, z, heading, slope, roll, knee] = self.glide.at(time);
        let way = (time / self.duration).clamp(0.0, 1.0);
        // The toes are up before the heel is near the ground: about them it would slide.
        let lands = self.strike * ease((way - 0.4) / 0.45);
        // It leaves as it rolled off, and under a bent knee it hangs.
        let hangs = HANGS * ease((1.0 - way) / 0.5);
        let pitch = slope + self.rolled_off + (hangs - self.rolled_off) * ease(way / 0.4) - lands;
        FootPose { knee, ..FootPose::with_toe(Vec3::new(x, height, z), sole, heading, pitch, roll) }
    }

    /// Where the foot is now.
    pub fn pose(&self, sole: &Sole) -> FootPose {
        self.on_the_way(self.time, self.height(), sole)
    }

    /// The height of the toes now: what is planned over the stride curve is a cubic through the
    /// planned values (Catmull & Rom).
    fn height(&self) -> Real {
        self.height_at(self.time)
    }

    fn height_at(&self, time: Real) -> Real {
        let way = (time / self.duration).clamp(0.0, 1.0);
        let part = way * PARTS as Real;
        let k = (part as usize).min(PARTS - 1);
        let t = part - k as Real;
        let at = |i: usize| self.over[i.min(PARTS)];
        let (before, from, to, after) = (at(k.saturating_sub(1)), at(k), at(k + 1), at(k + 2));
        let (start, end) = (0.5 * (to - before), 0.5 * (after - from));
        let (t2, t3) = (t * t, t * t * t);
        let over = from * (2.0 * t3 - 3.0 * t2 + 1.0)
            + start * (t3 - 2.0 * t2 + t)
            + to * (3.0 * t2 - 2.0 * t3)
            + end * (t3 - t2);
        self.stride(way) + over + self.apart * self.comes_over(time)
    }

    /// What of the way to the last plan is still gone at a time: none as it lands.
    fn comes_over(&self, time: Real) -> Real {
        ease((self.duration - time) / (HAS_COME * self.duration).max(TINY))
    }

    /// The pitch of the ground between where it left and where it lands.
    pub fn slope(&self) -> Real {
        self.glide.at(self.time)[3]
    }

    /// Goes on for a short time, with a body that is so fast. Where it would go up or down too fast its
    /// clock goes slower: a place that changes late may leave a foot over the edge of a step until it has
    /// nearly arrived. So it does where it would go on too fast: one that was held up by what is close, under a
    /// body that gets faster, has a whole step before it and hardly any time.
    pub fn advance(&mut self, seconds: Real, haste: Real, speed: Real) {
        self.haste = haste;
        let time = seconds * haste;
        let ([x, z, ..], [next_x, next_z, ..]) = (self.glide.at(self.time), self.glide.at(self.time + time));
        let (across, most) = ((next_x - x).hypot(next_z - z), (self.quickest + AHEAD * speed) * seconds);
        let time = if across > most { time * most / across } else { time };
        let rise = self.height_at(self.time + time) - self.height();
        let mut fastest = self.fastest;
        if rise < 0.0 {
            let left = (self.height() - self.to).max(0.0);
            fastest = fastest.min((2.0 * self.brakes * left).sqrt() + self.slowest);
        }
        let (rise, most) = (rise.abs(), fastest * seconds);
        self.time += if rise > most { time * most / rise } else { time };
        // Critically damped, so that a plan that is made anew all the time is come over to as well.
        let pull = self.apart_speed + COMES_OVER * self.apart;
        let fades = (-COMES_OVER * seconds).exp();
        self.apart = (self.apart + pull * seconds) * fades;
        self.apart_speed = (self.apart_speed - COMES_OVER * pull * seconds) * fades;
    }

    /// Seconds until it lands.
    pub fn left(&self) -> Real {
        (self.duration - self.time).max(0.0) / self.haste
    }

    /// The height of the ground between the place that it left and the one where it lands.
    pub fn ground(&self, to: &Plant) -> Real {
        let way = ease(self.time / self.duration);
        self.ground * (1.0 - way) + to.middle().y * way
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/body_walk_flight.rs"]
mod tests;
