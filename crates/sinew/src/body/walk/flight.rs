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
use super::stride::{ease, lift};
use super::terrain::Terrain;
use crate::math::*;

/// How many parts the way is planned in, and how far a neighbourhood goes.
const PARTS: usize = 24;
const NEAR: usize = 3;
/// The part of the way in which a foot is high enough off the ground to clear it.
const CLEARS: Real = 0.2;

/// The part of the way in which it goes only up, or only down, where something is close.
const WAITS: Real = 0.25;
/// How far the heel is up in the middle of the way, in radians.
const HANGS: Real = 0.35;
/// How much room is left around the sole, in metres.
const ROOM: Real = 0.01;
/// The part of the way in which it only goes up: what goes on before it has left would slide.
const OFF: Real = 0.06;

/// How far a foot is pushed off and braked over the ground, of its way over the time squared.
const PUSH: (Real, Real) = (4.0, 2.5);
/// How fast it goes up and down at the most, in leg lengths a second: it then takes longer.
const UP_DOWN: Real = 2.0;

/// What of the time that is left a foot has for a place that is new.
const LATE: Real = 0.7;

/// How long it takes to come over from one plan of its height to another, in seconds.
const COMES_OVER: Real = 0.1;

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
    /// How far the toes are up when it lands.
    pub strike: Real,
    /// How far its leg was stretched when it left, of its length.
    pub stretch: Real,
    /// The height of the ground where it came from.
    ground: Real,
    /// The toes' place on the plane, heading, slope and roll.
    glide: Glide<5>,
    /// When the toes come to rest over the ground: before it lands, on the way down a step.
    rests: Real,
    /// The pitch over the ground with which it left, and the height of its toes.
    rolled_off: Real,
    from: Real,
    to: Real,
    lifts: Real,
    clear: Real,
    /// How far over the stride curve the toes must be, and are.
    needs: [Real; PARTS + 1],
    over: [Real; PARTS + 1],
    /// How far it was over the plan when that was made anew, and when.
    apart: Real,
    planned: Real,
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
        let climbs = ((landing.y - toe.y) / lift.step).clamp(-1.0, 1.0);
        let start = lift.duration * (OFF + 0.2 * climbs.max(0.0));
        let rests = lift.duration * (1.0 - 0.2 * (-climbs).max(0.0));
        let state = [toe.x, toe.z, from.heading, off.slope, from.roll];
        let mut flight = Self {
            time: 0.0,
            duration: lift.duration,
            haste: 1.0,
            fastest: UP_DOWN * lift.leg,
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
            needs: [0.0; PARTS + 1],
            over: [0.0; PARTS + 1],
            apart: 0.0,
            planned: 0.0,
        };
        let landing = flight.landing(to, sole).0;
        flight.glide = Glide::pushed(state, landing, (start, rests), PUSH);
        flight.plan(sole, terrain);
        // Something close to where it stands or lands: up before it goes on, on before it sinks.
        let near = |needs: &[Real]| needs.iter().any(|&n| n > lift.clear);
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
            && self.needs[PARTS - NEAR..].iter().any(|&n| n > self.clear)
        {
            self.rests = soon;
            self.glide = self.glide.toward(state, self.time, soon);
            self.plan(sole, terrain);
        }
        // The foot comes over to the new plan from where it is.
        self.apart = 0.0;
        (self.apart, self.planned) = (before - self.height(), self.time);
    }

    /// What the glide goes to, and the height of the toes there.
    fn landing(&self, to: &Plant, sole: &Sole) -> ([Real; 5], Real) {
        let toe = FootPose::on_heel(to, -self.strike).toe(sole);
        let heading = self.glide.goal()[2];
        let heading = heading + wrap_angle(to.heading - heading);
        ([toe.x, toe.z, heading, to.slope, to.roll], toe.y)
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
                let under = flat.under(terrain, &wide) + self.clear * off;
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
        let [x, z, heading, slope, roll] = self.glide.at(time);
        let way = (time / self.duration).clamp(0.0, 1.0);
        let rolled_off = self.rolled_off * (1.0 - ease(way / 0.5));
        let lands = self.strike * ease((way - 0.5) / 0.5);
        // Under a bent knee a foot hangs.
        let hangs = HANGS * ease(way / 0.4) * ease((1.0 - way) / 0.5);
        let pitch = slope + rolled_off.max(hangs) - lands;
        FootPose::with_toe(Vec3::new(x, height, z), sole, heading, pitch, roll)
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
        let comes = (time - self.planned) / COMES_OVER.min(self.duration - self.planned).max(TINY);
        self.stride(way) + over + self.apart * (1.0 - ease(comes))
    }

    /// The pitch of the ground between where it left and where it lands.
    pub fn slope(&self) -> Real {
        self.glide.at(self.time)[3]
    }

    /// Goes on for a short time. Where it would go up or down too fast its clock goes slower: a
    /// place that changes late may leave a foot over the edge of a step until it has nearly arrived.
    pub fn advance(&mut self, seconds: Real, haste: Real) {
        self.haste = haste;
        let time = seconds * haste;
        let rise = (self.height_at(self.time + time) - self.height()).abs();
        let most = self.fastest * seconds;
        self.time += if rise > most { time * most / rise } else { time };
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
