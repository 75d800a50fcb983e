//! What a body stops before: a wall, a step too high, a drop, a slope too steep.
//!
//! The ground is looked at along the way that the body goes, as far as it needs to stop, under
//! its middle and under both of its sides. What is within the limits is walked on; a sill that
//! is lower than a step and a ditch that is narrower than one are stepped over. Before anything
//! else the body brakes as it would for the stick, so that it stands at its feet's length from
//! it.

use super::WalkOptions;
use super::course::{Course, Pace};
use super::rig::WalkRig;
use super::terrain::Terrain;
use crate::math::*;

/// What kind of ground stands in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Obstacle {
    /// Ground that rises by more than a leg at once.
    Wall,
    /// A step that is higher than [`WalkOptions::climb`].
    Step,
    /// Ground that falls by more than [`WalkOptions::drop`], with nothing to step over to.
    Drop,
    /// A slope that is steeper than [`WalkOptions::steepest`].
    Slope,
}

/// Why a walker does not go on.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Blocked {
    /// What stopped it.
    pub by: Obstacle,
    /// Where that begins, on the ground.
    pub at: Vec3,
    /// How high or deep it is, in metres; of a slope, its rise over its run.
    pub size: Real,
}

impl core::fmt::Display for Blocked {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { by, at, size } = self;
        match by {
            Obstacle::Wall => write!(f, "a wall, at least {size:.2} m high,")?,
            Obstacle::Step => write!(f, "a step of {size:.2} m")?,
            Obstacle::Drop => write!(f, "a drop of {size:.2} m")?,
            Obstacle::Slope => write!(f, "a slope of {:.0} %", size * 100.0)?,
        }
        write!(f, " at {:.2}, {:.2}, {:.2}", at.x, at.y, at.z)
    }
}

/// How far apart looks at the ground are, in leg lengths, and how many make a window in which a
/// rise or a fall is one step.
const APART: Real = 0.0625;
const WINDOW: usize = 4;
/// The most looks along the way.
const LOOKS: usize = 48;
/// The widest ditch that is stepped over, in leg lengths.
const GAP: Real = 0.35;
/// How much room is left before an obstacle, in leg lengths, beside the feet.
const ROOM: Real = 0.06;
/// A body that has less room than this, in leg lengths, stands.
const NONE_LEFT: Real = 0.01;
/// What of its deceleration a body counts on.
const BRAKES: Real = 0.6;

/// Where a body has to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    /// Where the body was when it looked, and which way it looked.
    from: Vec2,
    direction: Vec2,
    /// How far from there its place may go, and where the obstacle is.
    room: Real,
    pub distance: Real,
    pub blocked: Blocked,
}

impl Stop {
    /// Looks along the way of a body that goes or would go with this velocity, and whose feet
    /// stand at this level.
    pub fn look(
        rig: &WalkRig,
        options: &WalkOptions,
        (course, pace, velocity): (&Course, &Pace, Vec2),
        (terrain, level): (&dyn Terrain, Real),
    ) -> Option<Self> {
        let direction = course.direction(velocity, rig.ahead)?;
        let speed = course.speed().max(velocity.length());
        let margin = rig.front(direction, course.heading) + ROOM * rig.leg_length;
        let far = margin + speed * speed / (2.0 * BRAKES * pace.speed_change) + 0.1 * speed;
        let step = APART * rig.leg_length;
        let count = ((far / step) as usize).clamp(1, LOOKS) + WINDOW;
        let aside = Vec2::new(direction.y, -direction.x);
        let wide = rig.half_width(aside, course.heading);
        let mut nearest: Option<Self> = None;
        for side in [0.0, -wide, wide] {
            let start = course.place + aside * side;
            let height = |i: usize| {
                let p = start + direction * (step * i as Real);
                terrain.height(p.x, p.y)
            };
            let Some((i, by, size)) = first(height, level, (count, step), rig.leg_length, options) else {
                continue;
            };
            let distance = step * i as Real;
            if nearest.is_some_and(|stop| stop.distance <= distance) || distance > far {
                continue;
            }
            let at = start + direction * distance;
            let blocked = Blocked { by, at: Vec3::new(at.x, height(i), at.y), size };
            let room = distance - margin;
            nearest = Some(Self { from: course.place, direction, room, distance, blocked });
        }
        nearest
    }

    /// How far a body at this place may go on.
    fn left(&self, place: Vec2) -> Real {
        self.room - (place - self.from).dot(self.direction)
    }

    /// A velocity of this course, slowed down so that the body can stop in time.
    pub fn slowed(&self, velocity: Vec2, rig: &WalkRig, pace: &Pace, course: &Course) -> Vec2 {
        let Some(way) = course.direction(velocity, rig.ahead) else { return velocity };
        if way.dot(self.direction) <= 0.0 {
            return velocity;
        }
        let left = self.left(course.place);
        if left < NONE_LEFT * rig.leg_length {
            return Vec2::ZERO;
        }
        velocity.clamp_length_max((2.0 * BRAKES * pace.speed_change * left).sqrt())
    }

    /// Where a body that would come to `to` comes to.
    pub fn kept(&self, from: Vec2, to: Vec2) -> Vec2 {
        let over = (to - from).dot(self.direction) - self.left(from).max(0.0);
        to - self.direction * over.max(0.0)
    }
}

/// The first obstacle on a line of heights that are a `step` apart: before which look it is, what
/// it is and how large.
fn first(
    height: impl Fn(usize) -> Real,
    level: Real,
    (count, step): (usize, Real),
    leg: Real,
    options: &WalkOptions,
) -> Option<(usize, Obstacle, Real)> {
    let (climb, drop) = (options.climb * leg, options.drop * leg);
    let mut heights = [0.0; LOOKS + 2 * WINDOW];
    let count = count.min(heights.len());
    for (i, h) in heights[..count].iter_mut().enumerate() {
        *h = height(i);
    }
    let heights = &heights[..count];
    let gap = (GAP * leg / step) as usize;
    // A body that steps over a ditch is over it.
    let off = |h: Real| h - level > climb || level - h > drop;
    let mut i = (0..=gap.min(count - 1)).find(|&i| !off(heights[i])).unwrap_or(0);
    while i + 1 < count {
        let near = &heights[i..(i + WINDOW + 1).min(count)];
        let base = near[0];
        let highest = near.iter().fold(base, |a, &b| a.max(b));
        let lowest = near.iter().fold(base, |a, &b| a.min(b));
        if highest - base > climb {
            let by = if highest - base > leg { Obstacle::Wall } else { Obstacle::Step };
            return Some((i + steepest(near, 1.0), by, highest - base));
        }
        if base - lowest > drop {
            let edge = i + steepest(near, -1.0);
            // Nothing is lost where there is ground to step over to.
            let beyond = (edge + 2..=edge + 1 + gap).find(|&j| {
                let over = heights.get(j).copied().unwrap_or_else(|| height(j)) - base;
                over <= climb && -over <= drop
            });
            let Some(beyond) = beyond else { return Some((edge, Obstacle::Drop, base - lowest)) };
            i = beyond;
            continue;
        }
        let grade =
            |sign: Real| near.windows(2).map(|w| sign * (w[1] - w[0]) / step).fold(Real::MAX, Real::min);
        let grade = grade(1.0).max(grade(-1.0));
        if near.len() > WINDOW && grade > options.steepest {
            return Some((i, Obstacle::Slope, grade));
        }
        i += 1;
    }
    None
}

/// Where heights change the most: up for 1, down for -1.
fn steepest(heights: &[Real], sign: Real) -> usize {
    let mut best = (0, Real::MIN);
    for (i, w) in heights.windows(2).enumerate() {
        let change = sign * (w[1] - w[0]);
        if change > best.1 {
            best = (i, change);
        }
    }
    best.0
}

#[cfg(test)]
#[path = "../../../tests/unit/body_walk_blocked.rs"]
mod tests;
