//! The clock of the gait, and what it makes of each foot.
//!
//! A cycle has length one. Each leg has an offset in it; at its own phase zero it
//! lifts off, at [`AIR`] it lands on its heel, by `AIR + ROLL` its toes have come
//! down. Two legs half a cycle apart are the two-stage cycle of Table 1.3: the
//! flight is stage (a), the roll stage (b), during which both feet are down.

use alloc::vec::Vec;

use super::WalkOptions;
use super::course::{Course, Pace, WalkInput, turned};
use super::foot::{FootPose, Plant, Sole};
use super::rig::WalkRig;
use super::stride::{ease, lift};
use super::terrain::Terrain;
use crate::math::*;

/// The part of a cycle in the air, and the part in which the toes come down.
const AIR: Real = 0.4;
const ROLL: Real = 0.1;
/// The phase at which the heel begins to rise.
const HEEL_OFF: Real = 0.72;
/// Seconds of half a cycle, at the least and at the most.
const STEP_TIME: (Real, Real) = (0.34, 0.6);
/// A foot that stands this near to its home, in leg lengths and radians, stays.
const HOME: (Real, Real) = (0.03, 0.06);

/// Feet and the clock that moves them.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    clock: Real,
    stands: bool,
    /// The speed, as a part of full speed.
    effort: Real,
    feet: Vec<Step>,
}

/// One foot's part.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Where it stands, or where it will.
    plant: Plant,
    /// Where it should stand, if the ground there were good.
    home: Vec2,
    flight: Option<Flight>,
    /// How far the toes were up when it landed.
    strike: Real,
    /// Whether it is about to lift off, so that its heel rises.
    leaves: bool,
    phase: Real,
}

/// A foot on its way from one place to another.
#[derive(Debug, Clone, Copy)]
struct Flight {
    from: FootPose,
    /// The slope and the height of the ground where it came from.
    slope: Real,
    ground: Real,
    strike: Real,
    height: Real,
    /// How much of a step up or down it is, from 0 to 1.
    climbs: Real,
}

impl Steps {
    pub fn new(rig: &WalkRig, terrain: &dyn Terrain, course: &Course) -> Self {
        let feet = rig.feet.iter().map(|foot| {
            let home = course.place + turned(foot.home, course.heading);
            Step {
                plant: Plant::on(terrain, &foot.sole, home, course.heading),
                home,
                flight: None,
                strike: 0.0,
                leaves: false,
                phase: 0.5,
            }
        });
        Self { clock: 0.0, stands: true, effort: 0.0, feet: feet.collect() }
    }

    /// Takes over another's state; both are of the same rig.
    pub fn copy_from(&mut self, other: &Self) {
        self.clock = other.clock;
        self.stands = other.stands;
        self.effort = other.effort;
        self.feet.copy_from_slice(&other.feet);
    }

    pub fn clock(&self) -> Real {
        self.clock
    }

    pub fn stands(&self) -> bool {
        self.stands
    }

    /// Whether this foot is the one in front: in the air or just landed.
    pub fn leads(&self, foot: usize) -> bool {
        self.feet[foot].flight.is_some() || self.feet[foot].phase < 0.5
    }

    /// Where a foot stands, if it does.
    pub fn standing_plant(&self, foot: usize) -> Option<&Plant> {
        let step = &self.feet[foot];
        step.flight.is_none().then_some(&step.plant)
    }

    /// How far the heel of a foot on the ground may rise so that the leg reaches
    /// it, as a part of the most: nothing for a foot in front.
    pub fn may_rise(&self, foot: usize) -> Real {
        let step = &self.feet[foot];
        if self.stands || step.flight.is_some() { 0.0 } else { ease((step.phase - 0.6) / 0.4) }
    }

    /// Whether the toes of a foot on the ground are down.
    pub fn has_rolled(&self, foot: usize) -> bool {
        let step = &self.feet[foot];
        step.strike == 0.0 || step.phase >= AIR + ROLL || step.phase < AIR
    }

    /// The mean height of the ground under the feet; one in the air is on its way
    /// from one height to the other.
    pub fn ground(&self) -> Real {
        let height = |step: &Step| match &step.flight {
            None => step.plant.middle().y,
            Some(flight) => {
                let way = ease(step.phase / AIR);
                flight.ground * (1.0 - way) + step.plant.middle().y * way
            }
        };
        self.feet.iter().map(height).sum::<Real>() / self.feet.len().max(1) as Real
    }

    /// A foot as the gait wants it.
    pub fn foot(&self, foot: usize, rig: &WalkRig, options: &WalkOptions) -> FootPose {
        let step = &self.feet[foot];
        let sole = &rig.feet[foot].sole;
        if let Some(flight) = &step.flight {
            return flight.at(step, sole, (step.phase / AIR).min(1.0));
        }
        if !self.has_rolled(foot) {
            let down = ((step.phase - AIR) / ROLL).clamp(0.0, 1.0);
            return FootPose::on_heel(&step.plant, -step.strike * (1.0 - down));
        }
        let rising = if step.leaves { ease((step.phase - HEEL_OFF) / (1.0 - HEEL_OFF)) } else { 0.0 };
        // A slow step hardly pushes off.
        FootPose::on_toes(&step.plant, sole, options.push * rising * self.effort)
    }

    /// Moves the clock on. Returns a foot that is to lift off now.
    pub fn tick(
        &mut self,
        rig: &WalkRig,
        options: &WalkOptions,
        pace: &Pace,
        course: &Course,
        input: WalkInput,
        time: Real,
    ) -> Option<usize> {
        let moves = input.speed > 0.0 || input.turn != 0.0 || course.speed > 0.0 || course.turn != 0.0;
        self.effort = (course.speed / pace.speed.max(TINY)).clamp(0.0, 1.0);
        if self.stands {
            let strays = (0..self.feet.len()).any(|i| self.strays(i, rig, course));
            if !(input.speed > 0.0 || strays) {
                return None;
            }
            // The leg on the side of the turn goes first.
            let first = usize::from(input.turn < 0.0 && self.feet.len() == 2);
            self.clock = wrap(-rig.feet[first].offset);
            self.stands = false;
            for (step, foot) in self.feet.iter_mut().zip(&rig.feet) {
                step.phase = wrap(self.clock + foot.offset);
                step.strike = 0.0;
            }
            self.feet[first].phase = 1.0;
            return Some(first);
        }
        self.clock = wrap(self.clock + time / (2.0 * step_time(options, pace, rig, course.speed, input)));
        let mut leaving = None;
        for i in 0..self.feet.len() {
            let before = self.feet[i].phase;
            let phase = wrap(self.clock + rig.feet[i].offset);
            let wanted = moves || self.strays(i, rig, course);
            let step = &mut self.feet[i];
            step.phase = phase;
            step.leaves = wanted;
            let wrapped = phase < before;
            if let Some(flight) = step.flight
                && (phase >= AIR || wrapped)
            {
                step.strike = flight.strike;
                step.flight = None;
            }
            if wrapped && wanted && step.flight.is_none() {
                // Until it has left its heel is as high as it gets. Only one can
                // leave in a tick; the next tick makes up for it.
                step.phase = 1.0;
                leaving = leaving.or(Some(i));
            }
            if wrapped && !wanted {
                step.strike = 0.0;
            }
        }
        let quiet =
            |i: usize, step: &Step| step.flight.is_none() && (step.strike == 0.0 || self.has_rolled(i));
        if !moves && self.feet.iter().enumerate().all(|(i, s)| quiet(i, s) && !s.leaves) {
            self.stands = true;
        }
        leaving
    }

    /// Whether a foot stands away from where a standing body would have it.
    fn strays(&self, foot: usize, rig: &WalkRig, course: &Course) -> bool {
        let step = &self.feet[foot];
        let home = course.place + turned(rig.feet[foot].home, course.heading);
        // On stairs it stands where it can; to step again would not bring it nearer.
        let away = home.distance(step.home);
        away > HOME.0 * rig.leg_length || (course.heading - step.plant.heading).abs() > HOME.1
    }

    /// Sends a foot off to where the body will be.
    #[allow(clippy::too_many_arguments)] // the parts of a walker, borrowed apart
    pub fn lift_off(
        &mut self,
        foot: usize,
        from: FootPose,
        rig: &WalkRig,
        options: &WalkOptions,
        pace: &Pace,
        (course, input): (&Course, WalkInput),
        terrain: &dyn Terrain,
    ) {
        let cycle = 2.0 * step_time(options, pace, rig, course.speed, input);
        // In the middle of the next stance the body is over the foot.
        let ahead = cycle * (AIR + 0.5 * (1.0 - AIR));
        let mut then = *course;
        for _ in 0..LOOKS {
            then.advance(input, pace, rig.ahead, ahead / LOOKS as Real);
        }
        let sole = &rig.feet[foot].sole;
        let home = then.place + turned(rig.feet[foot].home, then.heading);
        let direction = turned(rig.ahead, then.heading);
        let mut plant = Plant::on(terrain, sole, home, then.heading);
        // The nearest good place: a little further on or back, or to the side. Where
        // there is none, the foot stands on what is highest under it.
        if !plant.is_good(terrain, sole) {
            let side = turned(Vec2::new(rig.left.x, rig.left.z), then.heading);
            let mut found = None;
            for k in 1..=30 {
                let shift =
                    0.02 * rig.leg_length * ((k + 1) / 2) as Real * if k % 2 == 1 { 1.0 } else { -1.0 };
                for way in [direction, side] {
                    let other = Plant::on(terrain, sole, home + way * shift, then.heading);
                    if found.is_none() && other.is_good(terrain, sole) {
                        found = Some(other);
                    }
                }
            }
            plant = found.unwrap_or_else(|| plant.on_top(terrain, sole));
        }
        let effort = (then.speed / pace.speed.max(TINY)).clamp(0.0, 1.0);
        // Uphill the toes are up anyway.
        let level = (1.0 - 4.0 * plant.slope.max(-2.0 * plant.slope)).max(0.0);
        let step = &mut self.feet[foot];
        let (slope, ground) = (step.plant.slope, step.plant.middle().y);
        let climbs = ((plant.middle().y - ground) / (0.1 * rig.leg_length)).abs().min(1.0);
        step.plant = plant;
        step.home = home;
        let mut flight = Flight {
            from,
            slope,
            ground,
            strike: if sole.length() > TINY { options.strike * effort * level * (1.0 - climbs) } else { 0.0 },
            height: options.lift * rig.leg_length * rig.stride.sqrt(),
            climbs,
        };
        // High enough for whatever stands in the way of heel and toes.
        let clear = 0.02 * rig.leg_length;
        let mut height = flight.height;
        for way in (1..LOOKS).map(|i| i as Real / LOOKS as Real) {
            let pose = flight.at(step, sole, way);
            let under = pose.above(terrain, sole).heel.y - pose.heel.y;
            let shape = lift(way);
            if under > 0.0 && shape > 0.5 {
                height = height.max(flight.height + (under + clear) / shape);
            }
        }
        flight.height = height.min(0.7 * rig.leg_length);
        step.flight = Some(flight);
        step.phase = wrap(self.clock + rig.feet[foot].offset).min(0.5 * AIR);
    }
}

/// How many looks ahead a step takes.
const LOOKS: usize = 16;

impl Flight {
    /// Where the foot is after a part of its way. The toes go along the curve and
    /// the heel follows: they were planted last, and they are what a step's edge
    /// would catch.
    fn at(&self, step: &Step, sole: &Sole, way: Real) -> FootPose {
        // On steps it goes up before it goes on.
        let waits = 0.3 * self.climbs;
        let along = ease((way - waits) / (1.0 - waits));
        let heading = self.from.heading + wrap_angle(step.plant.heading - self.from.heading) * along;
        let level = self.slope + (step.plant.slope - self.slope) * along;
        let rolled_off = (self.from.pitch - self.slope) * (1.0 - ease(way / 0.5));
        let lands = self.strike * ease((way - 0.5) / 0.5);
        let pitch = level + rolled_off - lands;
        let from = self.from.toe(sole);
        let to = FootPose::on_heel(&step.plant, -self.strike).toe(sole);
        let mut toe = from + (to - from) * along;
        // Up a step it rises first; down a step it comes down last.
        let early = if to.y > from.y { ease(way * 1.8) } else { ease((way - 0.45) / 0.55) };
        let up = along + (early - along) * self.climbs;
        toe.y = from.y + (to.y - from.y) * up + self.height * lift(way);
        let heel = toe + sole.rotation(heading, pitch) * (sole.heel - sole.toe);
        FootPose { heel, heading, pitch }
    }
}

/// Seconds from one step to the next: steps get longer and quicker with speed.
fn step_time(options: &WalkOptions, pace: &Pace, rig: &WalkRig, speed: Real, input: WalkInput) -> Real {
    let wanted = speed.max(0.6 * input.speed * pace.speed);
    let longest = options.stride * rig.leg_length * rig.stride;
    let natural = longest / (wanted * pace.speed).sqrt().max(TINY);
    let scale = (rig.leg_length / 0.86).sqrt();
    natural.max(STEP_TIME.0 * scale).min(STEP_TIME.1 * scale)
}

#[inline]
fn wrap(phase: Real) -> Real {
    phase - phase.floor()
}
