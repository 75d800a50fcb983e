//! Whose turn it is, and where each foot stands or flies.
//!
//! Legs have their turns in two groups: one each of two legs, diagonal pairs of four, every
//! other one of eight. A group flies, lands and rolls down from the heel while the other one
//! stands (stage b of Table 1.3, both down), then the other one flies (stage a). Starting,
//! stopping and turning on the spot are such steps too: a body that stands makes one as soon
//! as it is sent off or a foot is away from its home.
//!
//! A flight is planned to where the body will be over the foot, and again while the stick or
//! the ground change that place. A foot never lands across the one that stands.

use alloc::vec::Vec;

use super::blocked::Stop;
use super::course::{Course, Pace, Wish, turned};
use super::flight::{Flight, Lift};
use super::foot::{FootPose, Plant};
use super::hips::STRETCH;
use super::rig::WalkRig;
use super::stride::ease;
use super::terrain::Terrain;
use super::{LENT_RISE, WalkOptions};
use crate::math::*;

/// The part of a step in the air, of a walk and of a run. Both feet are down in what is left of
/// it; where it is more than all, nothing is for what is over.
const AIR: (Real, Real) = (0.8, 1.5);
/// Seconds of a step, at the least and at the most.
const STEP_TIME: (Real, Real) = (0.34, 0.6);
/// A foot that stands this near to its home, in leg lengths and radians, stays.
const HOME: (Real, Real) = (0.03, 0.06);
/// The part of the other group's flight after which a heel begins to rise.
const HEEL_OFF: Real = 0.45;
/// How fast a heel rises or sinks by itself, in radians a second.
const HEEL_SPEED: Real = 2.5;
/// How often a flight looks for its place again, in seconds, and the part of it at whose end
/// it does not any more.
const LOOK_AGAIN: Real = 1.0 / 60.0;
const SETTLED: Real = 0.3;
/// How far a place may move away from a foot that is to land on it when it looks again, in leg
/// lengths a second, for the seconds that are left, by the part of the flight that is.
const CHASE: Real = 3.0;
/// A change of height that is another tread, in leg lengths, and until which part of the way a
/// flight may go to one.
const TREAD: Real = 0.05;
const EARLY: Real = 0.3;
/// How far from where it should be a foot lands rather than go to another tread, in leg lengths.
const NEAR_ENOUGH: Real = 0.3;
/// How many seconds a foot waits at the most for the hips to sink, so that its leg gets to the ground.
const LATEST: Real = 0.25;
/// How far behind its hip a foot leaves the ground at the latest, of its leg's reach.
const BEHIND: Real = 0.42;
/// The fastest clock of a step, and how fast it gets there, a second.
const HASTE: (Real, Real) = (1.5, 5.0);
/// How far ahead of the body a foot lands at the most, of the longest step.
const REACH: Real = 0.6;
/// How much less a leg that swings is stretched than one that stands.
const SWING_BEND: Real = 0.05;
/// How much higher a foot is lifted in a run, and the least part of a flight that toes take to
/// come down after it.
const RUN_LIFT: Real = 1.5;
const LEAST_ROLL: Real = 0.1;
/// Feet that are nearer to each other than this, in leg lengths, tilt a body little.
const NARROW: Real = 0.25;
/// What of the width of the stance feet keep between them.
const APART: Real = 0.5;

/// What the legs do.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    /// All feet stand and stay.
    Stands,
    /// All feet are down, for so many seconds more.
    Both(Real),
    /// A group is in the air.
    Flies,
}

/// The feet and whose turn it is.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    stage: Stage,
    /// The group that flies, or flies next.
    group: usize,
    /// The seconds of the last flight, and the part of a step that it was.
    flown: Real,
    air: Real,
    /// How fast the clock of the steps goes: a body that got faster makes the step sooner that
    /// was meant for a slower one.
    haste: Real,
    /// Seconds until the next look at where a flight goes.
    look: Real,
    /// The speed, as a part of full speed.
    effort: Real,
    feet: Vec<Step>,
}

/// One foot's part.
#[derive(Debug, Clone, Copy)]
struct Step {
    group: usize,
    /// Where it stands, or where it will.
    plant: Plant,
    /// Where it should stand, if the ground there were good.
    home: Vec2,
    flight: Option<Flight>,
    /// How far the toes were up when it landed, the seconds since then, and how many they
    /// take to come down.
    strike: Real,
    since: Real,
    rolls: Real,
    /// How far the heel has risen to push off.
    push: Real,
}

impl Step {
    /// The height of the ground under it; one in the air is on its way from one height to the other.
    fn ground(&self) -> Real {
        match &self.flight {
            None => self.plant.middle().y,
            Some(flight) => flight.ground(&self.plant),
        }
    }
}

/// What steps are made for.
pub(super) struct Walk<'a> {
    pub rig: &'a WalkRig,
    pub options: &'a WalkOptions,
    pub pace: &'a Pace,
    pub course: &'a Course,
    pub wish: Wish,
    pub terrain: &'a dyn Terrain,
    /// Where the hips are.
    pub hips: Transform,
    /// What the body stops before.
    pub stop: Option<Stop>,
}

impl Walk<'_> {
    /// Seconds from one step to the next: steps get longer and quicker with speed.
    fn step_time(&self) -> Real {
        let Self { rig, pace, .. } = self;
        let wanted = self.course.speed().max(0.6 * self.wish.velocity.length());
        let longest = self.options.stride * rig.leg_length * rig.stride;
        let natural = longest / (wanted * pace.speed.min(pace.walks)).sqrt().max(TINY);
        let scale = (rig.leg_length / 0.86).sqrt();
        natural.max(STEP_TIME.0 * scale).min(STEP_TIME.1 * scale)
    }

    /// The course after a time.
    fn course_after(&self, seconds: Real) -> Course {
        let mut then = *self.course;
        for _ in 0..LOOKS {
            then.advance(&self.wish, self.pace, self.rig.ahead, seconds / LOOKS as Real);
        }
        if let Some(stop) = &self.stop {
            then.place = stop.kept(self.course.place, then.place);
        }
        then
    }

    fn moves(&self) -> bool {
        match self.wish.forced {
            true => self.sent() || self.wish.turn.abs() > STILL,
            false => self.wish.moves() || self.course.moves(),
        }
    }

    /// Whether it is sent anywhere. What something else moves is never quite still.
    fn sent(&self) -> bool {
        let least = if self.wish.forced { STILL * self.pace.walks } else { 0.0 };
        self.wish.velocity.length() > least
    }

    /// The part of a step that a foot is in the air, by what of a run there is in the speed.
    fn air(&self) -> Real {
        AIR.0 + (AIR.1 - AIR.0) * if self.rig.is_biped() { self.pace.run(self.course.speed()) } else { 0.0 }
    }

    /// How fast the body goes ahead, as a part of the fastest walk.
    fn forwards(&self) -> Real {
        self.pace.effort(self.course.velocity.x.max(0.0))
    }

    /// To the left of a body with this heading, on the plane.
    fn left(&self, heading: Real) -> Vec2 {
        turned(Vec2::new(self.rig.left.x, self.rig.left.z), heading)
    }
}

/// A body that something else moves stands below this part of the fastest walk, and below so many
/// radians a second.
const STILL: Real = 0.02;
/// How many looks ahead a step takes.
const LOOKS: usize = 8;

impl Steps {
    pub fn new(rig: &WalkRig, terrain: &dyn Terrain, course: &Course) -> Self {
        let feet = rig.feet.iter().map(|foot| {
            let home = course.place + turned(foot.home, course.heading);
            Step {
                group: foot.group,
                plant: Plant::on(terrain, &foot.sole, home, course.heading),
                home,
                flight: None,
                strike: 0.0,
                since: 0.0,
                rolls: 0.0,
                push: 0.0,
            }
        });
        let stage = Stage::Stands;
        let (flown, air, haste) = (0.0, AIR.0, 1.0);
        Self { stage, group: 0, flown, air, haste, look: 0.0, effort: 0.0, feet: feet.collect() }
    }

    /// Takes over another's state; both are of the same rig.
    pub fn copy_from(&mut self, other: &Self) {
        let &Self { stage, group, flown, air, haste, look, effort, ref feet } = other;
        (self.stage, self.group, self.look, self.effort) = (stage, group, look, effort);
        (self.flown, self.air, self.haste) = (flown, air, haste);
        self.feet.copy_from_slice(feet);
    }

    pub fn stands(&self) -> bool {
        self.stage == Stage::Stands
    }

    /// Whether this foot is the one in front: in the air or just landed.
    pub fn leads(&self, foot: usize) -> bool {
        let step = &self.feet[foot];
        step.flight.is_some() || step.since < step.rolls
    }

    /// How far a body with this heading that turns this way is turned away from a foot that stands.
    pub fn twist(&self, heading: Real, turn: Real) -> Real {
        let standing = self.feet.iter().filter(|step| step.flight.is_none());
        standing.map(|step| wrap_angle(heading - step.plant.heading) * turn.signum()).fold(0.0, Real::max)
    }

    /// The group in the air, that which left last, and the part of its way that is done.
    pub fn flying(&self) -> Option<(usize, Real)> {
        let flight = self.last_flight()?;
        Some((self.group, (flight.time / flight.duration).clamp(0.0, 1.0)))
    }

    /// A flight of the group that left last.
    fn last_flight(&self) -> Option<&Flight> {
        self.feet.iter().filter(|step| step.group == self.group).find_map(|step| step.flight.as_ref())
    }

    /// For how long all feet are down between two flights; below zero, how long before one group
    /// lands the other one leaves.
    fn both(&self) -> Real {
        self.flown * (1.0 - self.air) / self.air
    }

    /// How far a leg in the air is stretched at the most: a leg that swings is bent.
    pub fn stretch(&self, foot: usize) -> Real {
        let Some(flight) = &self.feet[foot].flight else { return STRETCH };
        let way = (flight.time / flight.duration).clamp(0.0, 1.0);
        // It leaves as it stood: to bend it at once would throw the knee.
        let left = (flight.stretch - STRETCH).max(0.0) * (1.0 - ease(way / 0.4));
        STRETCH + left - SWING_BEND * ease(way / 0.4) * ease((1.0 - way) / 0.4)
    }

    /// Where a foot stands, if it does.
    pub fn standing_plant(&self, foot: usize) -> Option<&Plant> {
        let step = &self.feet[foot];
        step.flight.is_none().then_some(&step.plant)
    }

    /// The pitch of a foot that is flat on the ground, or on its way from one ground to another.
    pub fn slope(&self, foot: usize) -> Real {
        let step = &self.feet[foot];
        step.flight.as_ref().map_or(step.plant.slope, Flight::slope)
    }

    /// Where a foot will stand after a time, if it will, and how far its heel may be up by
    /// then so that the leg reaches it, as a part of the most.
    pub fn plant_after(&self, foot: usize, seconds: Real) -> Option<(&Plant, Real)> {
        let step = &self.feet[foot];
        if step.flight.is_some_and(|flight| seconds < flight.left() - 0.02) {
            return None;
        }
        let Some(left) = self.leaves(step) else { return Some((&step.plant, 0.0)) };
        let then = left - seconds;
        (then >= 0.0).then_some((&step.plant, ease(1.0 - then / self.rising().max(TINY))))
    }

    /// In how many seconds a foot leaves the ground, if all goes on.
    fn leaves(&self, step: &Step) -> Option<Real> {
        let both = self.both() / self.haste;
        let (lands, next) = match self.stage {
            Stage::Stands => return None,
            Stage::Both(left) => (left / self.haste, step.group == self.group),
            Stage::Flies => (self.last_flight()?.left() + both, step.group != self.group),
        };
        Some(if next { lands } else { lands + self.flown / self.haste + both })
    }

    /// Over how many seconds the heel of a foot that leaves rises.
    fn rising(&self) -> Real {
        self.flown * (1.0 - HEEL_OFF) + self.both()
    }

    /// Whether the toes of a foot on the ground are down.
    pub fn has_rolled(&self, foot: usize) -> bool {
        let step = &self.feet[foot];
        step.strike == 0.0 || step.since >= step.rolls
    }

    /// The mean height of the ground under the feet; one in the air is on its way
    /// from one height to the other.
    pub fn ground(&self) -> Real {
        self.feet.iter().map(Step::ground).sum::<Real>() / self.feet.len().max(1) as Real
    }

    /// How steeply the ground under the feet rises ahead and to the left of the body: the plane
    /// that fits best to where they belong.
    pub fn slopes(&self, rig: &WalkRig) -> (Real, Real) {
        let level = self.ground();
        let middle = rig.middle();
        // Feet that stand close together say little of the ground between them.
        let narrow = self.feet.len() as Real * (NARROW * rig.leg_length).powi(2);
        let slope = |axis: Vec2| {
            let (mut rises, mut squares) = (0.0, narrow);
            for (step, foot) in self.feet.iter().zip(&rig.feet) {
                let away = (foot.home - middle).dot(axis);
                rises += away * (step.ground() - level);
                squares += away * away;
            }
            rises / squares.max(TINY)
        };
        (slope(rig.ahead), slope(Vec2::new(rig.left.x, rig.left.z)))
    }

    /// A foot as the gait wants it.
    pub fn foot(&self, foot: usize, rig: &WalkRig) -> FootPose {
        let step = &self.feet[foot];
        let sole = &rig.feet[foot].sole;
        if let Some(flight) = &step.flight {
            return flight.pose(sole);
        }
        if !self.has_rolled(foot) {
            return FootPose::on_heel(&step.plant, -step.strike * (1.0 - step.since / step.rolls));
        }
        FootPose::on_toes(&step.plant, sole, step.push)
    }

    /// Moves everything on. Returns the group that is to lift off now.
    pub fn tick(&mut self, walk: &Walk, time: Real) -> Option<usize> {
        self.effort = walk.forwards();
        let moves = walk.moves();
        let haste = self.flown / (self.air * walk.step_time());
        let haste = if moves { haste.clamp(1.0, HASTE.0) } else { 1.0 };
        self.haste += (haste - self.haste).clamp(-HASTE.1 * time, HASTE.1 * time);
        let quick = time * self.haste;
        let rolls = self.both().max(LEAST_ROLL * self.flown);
        for i in 0..self.feet.len() {
            // A slow step hardly pushes off. A heel that rose slowly would slide.
            let push = walk.options.push * self.effort;
            let leaves = self.leaves(&self.feet[i]).is_some_and(|left| left * HEEL_SPEED < push);
            let push = if leaves && moves { push } else { 0.0 };
            let step = &mut self.feet[i];
            step.since += quick;
            step.push += (push - step.push).clamp(-HEEL_SPEED * time, HEEL_SPEED * time);
            if let Some(flight) = &mut step.flight {
                flight.advance(time, self.haste);
                // It lands where it should, as soon as its leg gets there.
                let foot = &walk.rig.feet[i];
                let ankle = FootPose::on_heel(&step.plant, -flight.strike).ankle(&foot.sole);
                let away = walk.hips.transform_point(foot.base).distance(ankle);
                let late = flight.time > flight.duration + LATEST;
                if flight.time >= flight.duration && (away <= foot.reach * STRETCH || late) {
                    (step.strike, step.since, step.push) = (flight.strike, 0.0, 0.0);
                    // Toes that came down slowly would slide too.
                    step.rolls = rolls.min(flight.strike / HEEL_SPEED);
                    step.flight = None;
                }
            }
        }
        match self.stage {
            Stage::Stands => {
                let strays = |group| self.strays(group, walk);
                let sent = walk.sent();
                if !(sent || strays(0) || strays(1)) {
                    return None;
                }
                // The leg on the side of the turn or of the way goes first.
                self.group = usize::from(if sent || strays(0) && strays(1) {
                    walk.wish.turn < 0.0 || walk.wish.velocity.y < 0.0
                } else {
                    strays(1)
                });
                Some(self.group)
            }
            Stage::Flies => {
                if self.feet.iter().all(|s| s.flight.is_none()) {
                    self.stage = Stage::Both(self.both());
                    self.group = 1 - self.group;
                    return None;
                }
                self.look_again(walk, time);
                // In a run the other group leaves before this one lands.
                let others = |s: &Step| s.group == self.group || s.flight.is_none();
                let lands = self.last_flight().map_or(Real::INFINITY, Flight::left);
                let leaves = lands <= -self.both() / self.haste || self.strained(1 - self.group, walk);
                if moves && self.both() < 0.0 && leaves && self.feet.iter().all(others) {
                    self.group = 1 - self.group;
                    return Some(self.group);
                }
                None
            }
            Stage::Both(left) if left > quick && !(moves && self.strained(self.group, walk)) => {
                self.stage = Stage::Both(left - quick);
                None
            }
            Stage::Both(_) => {
                if moves || self.strays(self.group, walk) {
                    return Some(self.group);
                }
                let other = 1 - self.group;
                if self.strays(other, walk) {
                    self.group = other;
                    return Some(other);
                }
                self.stage = Stage::Stands;
                None
            }
        }
    }

    /// Whether a leg of a group that stands hardly reaches its foot, even on its toes, or its
    /// foot is so far behind that its hip would soon not let it be there.
    fn strained(&self, group: usize, walk: &Walk) -> bool {
        let ahead = turned(walk.rig.ahead, walk.course.heading);
        self.feet.iter().zip(&walk.rig.feet).any(|(step, foot)| {
            let rise = if foot.sole.length() > TINY { LENT_RISE } else { 0.0 };
            let ankle = FootPose::on_toes(&step.plant, &foot.sole, rise).ankle(&foot.sole);
            let away = walk.hips.transform_point(foot.base) - ankle;
            let behind = walk.rig.is_biped() && Vec2::new(away.x, away.z).dot(ahead) > BEHIND * foot.reach;
            step.group == group && (behind || away.length() > foot.reach * STRETCH)
        })
    }

    /// Whether a foot of a group stands away from where a standing body would have it.
    fn strays(&self, group: usize, walk: &Walk) -> bool {
        let Walk { rig, course, .. } = walk;
        self.feet.iter().zip(&rig.feet).filter(|(step, _)| step.group == group).any(|(step, foot)| {
            let home = course.place + turned(foot.home, course.heading);
            // On stairs it stands where it can; to step again would not bring it nearer.
            let away = home.distance(step.home);
            away > HOME.0 * rig.leg_length || (course.heading - step.plant.heading).abs() > HOME.1
        })
    }

    /// Begins the flight of a group, before its feet lift off.
    pub fn leave(&mut self, walk: &Walk) {
        self.stage = Stage::Flies;
        self.air = walk.air();
        self.flown = self.air * walk.step_time();
        self.look = LOOK_AGAIN;
    }

    /// Sends a foot off to where the body will be.
    pub fn lift_off(&mut self, foot: usize, from: FootPose, walk: &Walk) {
        let Walk { rig, options, pace, terrain, .. } = *walk;
        let sole = &rig.feet[foot].sole;
        let (home, plant) = self.aim(foot, self.flown, walk);
        let landed = walk.course_after(self.flown);
        let effort = pace.effort(landed.speed());
        let run = pace.run(landed.speed());
        // Only a foot that lands ahead of the body can have its toes up.
        let heel = Vec2::new(plant.heel.x, plant.heel.z);
        let ahead = (heel - landed.place).dot(turned(rig.ahead, landed.heading)) / rig.leg_length;
        // Uphill the toes are up anyway, and a step is met flat.
        let level = (1.0 - 4.0 * plant.slope.max(-2.0 * plant.slope)).max(0.0);
        let step = &mut self.feet[foot];
        let climbs = (plant.middle().y - step.plant.middle().y) / (0.1 * rig.leg_length);
        let level = level * (1.0 - climbs.abs()).max(0.0) * ease(ahead / 0.3);
        let lift = Lift {
            duration: self.flown,
            strike: if sole.length() > TINY { options.strike * effort * level } else { 0.0 },
            height: options.lift * rig.leg_length * rig.stride.sqrt() * (0.5 + 0.5 * effort + RUN_LIFT * run),
            clear: 0.015 * rig.leg_length,
            step: 0.1 * rig.leg_length,
            stretch: (walk.hips.transform_point(rig.feet[foot].base).distance(from.ankle(sole))
                / rig.feet[foot].reach.max(TINY))
            .min(1.0),
            leg: rig.leg_length,
        };
        step.flight = Some(Flight::new(&from, &step.plant, &plant, &lift, sole, terrain));
        (step.plant, step.home, step.push) = (plant, home, 0.0);
    }

    /// Looks where flights should go by now.
    fn look_again(&mut self, walk: &Walk, time: Real) {
        self.look -= time;
        if self.look > 0.0 {
            return;
        }
        self.look += LOOK_AGAIN;
        for i in 0..self.feet.len() {
            let Some(flight) = self.feet[i].flight else { continue };
            let left = flight.left();
            if left < SETTLED * flight.duration / flight.haste {
                continue;
            }
            let (mut home, mut plant) = self.aim(i, left, walk);
            let (leg, sole) = (walk.rig.leg_length, &walk.rig.feet[i].sole);
            let step = &self.feet[i];
            // What is far from the last plan is come to by and by, and less of it the later it is.
            let most = CHASE * leg * left * left / (flight.duration / flight.haste).max(TINY);
            let mut moved = plant.heel.distance(step.plant.heel);
            if moved > most {
                let [from, to] = [step.plant.heel, plant.heel].map(|p| Vec2::new(p.x, p.z));
                let part = most / moved;
                let turn = step.plant.heading + part * wrap_angle(plant.heading - step.plant.heading);
                let nearer = Plant::on(walk.terrain, sole, from.lerp(to, part), turn);
                if !nearer.is_good(walk.terrain, sole) || !self.is_in_reach(i, &nearer, walk) {
                    continue;
                }
                (home, plant, moved) = (step.home.lerp(home, part), nearer, most);
            }
            let turned = (plant.heading - step.plant.heading).abs();
            if moved < 1.0e-3 * leg && turned < 1.0e-3
                // Up or down to another tread takes most of the way.
                || (plant.heel.y - step.plant.heel.y).abs() > TREAD * leg
                    && flight.time > EARLY * flight.duration
                    && moved < NEAR_ENOUGH * leg
            {
                continue;
            }
            let step = &mut self.feet[i];
            (step.plant, step.home) = (plant, home);
            if let Some(flight) = &mut step.flight {
                flight.retarget(&plant, &walk.rig.feet[i].sole, walk.terrain);
            }
        }
    }

    /// Where a foot that lands in so many seconds should stand: in the middle of its stance the
    /// body is over it.
    fn aim(&self, foot: usize, lands: Real, walk: &Walk) -> (Vec2, Plant) {
        let Walk { rig, terrain, .. } = *walk;
        let sole = &rig.feet[foot].sole;
        let stance = walk.step_time() * (2.0 - walk.air());
        let landed = walk.course_after(lands);
        let then = walk.course_after(lands + 0.5 * stance);
        let mut home = then.place + turned(rig.feet[foot].home, then.heading);
        // No further ahead of the body than a leg can land.
        let under = landed.place + turned(rig.feet[foot].home, landed.heading);
        home = under + (home - under).clamp_length_max(REACH * walk.options.stride * rig.leg_length);
        for heading in [landed.heading, then.heading] {
            home += self.across(foot, home, then.heading, heading, walk);
        }
        let mut plant = Plant::on(terrain, sole, home, then.heading);
        let good = |plant: &Plant| plant.is_good(terrain, sole) && self.is_in_reach(foot, plant, walk);
        // The nearest good place: a little further on or back, or to the side. Where
        // there is none, the foot stands on what is highest under it, or stays where it is.
        if !good(&plant) {
            let (direction, side) = (turned(rig.ahead, then.heading), walk.left(then.heading));
            let mut found = None;
            for k in 1..=30 {
                let shift =
                    0.02 * rig.leg_length * ((k + 1) / 2) as Real * if k % 2 == 1 { 1.0 } else { -1.0 };
                for way in [direction, side] {
                    let other = Plant::on(terrain, sole, home + way * shift, then.heading);
                    if found.is_none() && good(&other) {
                        found = Some(other);
                    }
                }
            }
            let on_top = plant.on_top(terrain, sole);
            let stays = self.feet[foot].plant;
            let last = if self.is_in_reach(foot, &on_top, walk) { on_top } else { stays };
            plant = found.unwrap_or(last);
        }
        (home, plant)
    }

    /// Whether a place is no further up or down than a step from where the nearest other foot
    /// stands.
    fn is_in_reach(&self, foot: usize, plant: &Plant, walk: &Walk) -> bool {
        let at = plant.middle();
        let others = (0..self.feet.len()).filter(|&i| i != foot).filter_map(|i| self.standing_plant(i));
        let nearest = others.map(Plant::middle).min_by(|a, b| {
            let away = |p: &Vec3| Vec2::new(p.x - at.x, p.z - at.z).length_squared();
            away(a).total_cmp(&away(b))
        });
        let Some(from) = nearest else { return true };
        let up = (at.y - from.y) / walk.rig.leg_length;
        up <= walk.options.climb.max(0.0) && -up <= walk.options.drop.max(0.0)
    }

    /// How far to the side a foot has to go so as not to land across the other one, as a body
    /// with this heading sees them.
    fn across(&self, foot: usize, heel: Vec2, turn: Real, heading: Real, walk: &Walk) -> Vec2 {
        let [this, other] = [foot, 1 - foot.min(1)].map(|i| &walk.rig.feet[i]);
        let Some(stands) = self.standing_plant(1 - foot.min(1)).filter(|_| walk.rig.is_biped()) else {
            return Vec2::ZERO;
        };
        let left = walk.left(heading);
        let sides = this.home - other.home;
        let width = sides.dot(Vec2::new(walk.rig.left.x, walk.rig.left.z));
        let ahead = this.sole.direction(turn) * this.sole.length();
        let ball = heel + Vec2::new(ahead.x, ahead.z);
        let between = (ball - Vec2::new(stands.toe.x, stands.toe.z)).dot(left);
        let short = APART * width.abs() - between * width.signum();
        left * (short.max(0.0) * width.signum())
    }
}
