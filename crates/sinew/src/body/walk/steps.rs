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

mod aim;
mod walk;

use alloc::vec::Vec;

pub(super) use self::walk::Walk;

use self::aim::LOOK_AGAIN;
use self::walk::AIR;
use super::LENT_RISE;
use super::course::{Course, turned};
use super::flight::{Flight, Lift};
use super::foot::{FootPose, Plant, Sole};
use super::hips::STRETCH;
use super::rig::WalkRig;
use super::stride::ease;
use super::terrain::Terrain;
use crate::math::*;

/// A foot that stands this near to its home, in leg lengths and radians, stays.
const HOME: (Real, Real) = (0.03, 0.06);
/// The part of the other group's flight after which a heel begins to rise.
const HEEL_OFF: Real = 0.45;
/// Toes that are up by this when a foot lands leave it on its heel alone, in radians.
const HEEL_FIRST: Real = 0.1;
/// The parts of its way, from either end, up to which a foot in the air is near to the ground, and past which it is not.
const NEAR: (Real, Real) = (0.08, 0.25);
/// How fast a heel rises or sinks by itself, in radians a second.
const HEEL_SPEED: Real = 2.5;
/// How many seconds a foot waits at the most for the hips to sink, so that its leg gets to the ground.
const LATEST: Real = 0.25;
/// How far behind its hip a foot leaves the ground at the latest, of its leg's reach.
const BEHIND: Real = 0.42;
/// The fastest clock of a step, and how fast it gets there, a second.
const HASTE: (Real, Real) = (1.5, 5.0);
/// How much less a leg that swings is stretched than one that stands.
const SWING_BEND: Real = 0.05;
/// How much higher a foot is lifted in a run, and the least part of a flight that toes take to
/// come down after it.
const RUN_LIFT: Real = 1.5;
const LEAST_ROLL: Real = 0.1;
/// Feet that are nearer to each other than this, in leg lengths, tilt a body little.
const NARROW: Real = 0.25;

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

    /// How far the feet of a body on two legs are apart, where they stand or will, as it would see them with this
    /// heading. Below zero they are crossed.
    pub fn apart(&self, rig: &WalkRig, heading: Real) -> Real {
        let left = Vec2::new(rig.left.x, rig.left.z);
        let between = self.feet[0].plant.toe - self.feet[1].plant.toe;
        let width = (rig.feet[0].home - rig.feet[1].home).dot(left);
        Vec2::new(between.x, between.z).dot(turned(left, heading)) * width.signum()
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
        let (Some(flight), Some(way)) = (&self.feet[foot].flight, self.way(foot)) else { return STRETCH };
        // It leaves as it stood: to bend it at once would throw the knee.
        let left = (flight.stretch - STRETCH).max(0.0) * (1.0 - ease(way / 0.4));
        STRETCH + left - SWING_BEND * ease(way / 0.4) * ease((1.0 - way) / 0.4)
    }

    /// The point of a foot in the air that goes as planned, whatever its ankle makes of the rest: its ankle, but its toes
    /// as it leaves, and what it lands on as it lands.
    pub fn holds(&self, foot: usize, sole: &Sole) -> Option<Vec3> {
        let strike = self.feet[foot].flight.as_ref()?.strike;
        let way = self.way(foot)?;
        let lands = sole.toe.lerp(sole.heel, (strike / HEEL_FIRST).min(1.0));
        let near = |way: Real| ease((NEAR.1 - way) / (NEAR.1 - NEAR.0));
        let (off, down) = (sole.toe - sole.ankle, lands - sole.ankle);
        Some(sole.ankle + off * near(way) + down * near(1.0 - way))
    }

    /// What of its way through the air a foot has behind it, if it flies.
    fn way(&self, foot: usize) -> Option<Real> {
        let flight = self.feet[foot].flight.as_ref()?;
        Some((flight.time / flight.duration).clamp(0.0, 1.0))
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
            Stage::Flies => match self.last_flight() {
                Some(flight) => (flight.left() + both, step.group != self.group),
                // It is about to lift off.
                None if step.group == self.group => return Some(0.0),
                None => (self.flown + both, true),
            },
        };
        Some(if next { lands } else { lands + self.flown / self.haste + both })
    }

    /// Whether the heel of a foot would be on its way up by now, if all goes on: it leaves soon.
    pub fn is_leaving(&self, foot: usize) -> bool {
        self.leaves(&self.feet[foot]).is_some_and(|left| left < self.rising())
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
                flight.advance(time, self.haste, walk.course.speed());
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
        // It is planned for how fast the body is by now.
        self.haste = 1.0;
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
}
