//! Where the feet of a clip stand on the ground it is moved to.
//!
//! A foot that stands has heel and toes on the ground, or one of them. What touches another
//! in time is one stance: heel strike, flat, toe-off. Where it is flat it has a plant, found from
//! the mean of what the clip has; before and after it turns about the point of the plant that
//! stands. A foot that turns on its toes and comes down again gets a second plant with the toes
//! where they are.
//!
//! Recorded floors are not as flat as floors: the same foot stands centimetres higher at the other end of
//! a room. What a clip is raised by is therefore counted from where each stance has it, and on the ground as it
//! was recorded every stance keeps its own height.

use alloc::vec::Vec;
use core::ops::Range;

use super::foot::{FootAt, PlantFoot};
use crate::body::walk::Terrain;
use crate::body::walk::course::turned;
use crate::body::walk::foot::{Plant, Sole};
use crate::math::*;

/// Frames in which the same points of a foot stand.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub frames: Range<usize>,
    pub heel: bool,
    pub toe: bool,
    pub plant: Plant,
    /// How high the clip has it over its own ground.
    pub over: Real,
}

impl Span {
    pub fn is_flat(&self) -> bool {
        self.heel && self.toe
    }

    /// The turn of the flat foot.
    pub fn turn(&self, sole: &Sole) -> Quat {
        sole.rotation(self.plant.heading, self.plant.slope, self.plant.roll)
    }

    /// From a foot on level ground to one on this.
    pub fn tilt(&self, sole: &Sole) -> Quat {
        self.turn(sole) * rotation::about(Vec3::Y, -self.plant.heading)
    }

    /// How far a foot that is turned so has to tip about the point that stands, so that the other end of the sole
    /// is not under the ground, in radians with the heel up. Recorded feet on their heels often have their
    /// toes a little lower: they would be in the ground, and lifted out of it in the frame in which the heel leaves.
    pub fn tips(&self, sole: &Sole, turn: Quat) -> Real {
        let along = direction_or(sole.toe - sole.heel, Vec3::ZERO);
        let rises = (turn * along).dot(self.turn(sole) * Vec3::Y).clamp(-1.0, 1.0).asin();
        match (self.heel, self.toe) {
            (true, false) => rises.min(0.0),
            (false, true) => rises.max(0.0),
            _ => 0.0,
        }
    }

    /// The point that stands, and where.
    pub fn pivot(&self, foot: &PlantFoot) -> (Vec3, Vec3) {
        let point = if self.toe { foot.ball } else { foot.sole.heel };
        (point, self.point(foot, point))
    }

    /// Where a point of the flat foot is.
    pub fn point(&self, foot: &PlantFoot, point: Vec3) -> Vec3 {
        self.plant.toe + self.turn(&foot.sole) * (point - foot.sole.toe)
    }
}

/// How far under the ground of a recording there is still the same floor, in leg lengths.
const FLOOR: Real = 0.06;
/// How far a foot is put aside so that all of its sole finds ground, in leg lengths.
const ASIDE: Real = 0.1;

/// All spans of a foot, in order.
pub(super) fn spans(
    foot: &PlantFoot,
    track: &[FootAt],
    heel: &[bool],
    toe: &[bool],
    level: Real,
    terrain: Option<&dyn Terrain>,
) -> Vec<Span> {
    let floor = move |_: Real, _: Real| level;
    let given = terrain.is_some();
    let terrain = terrain.unwrap_or(&floor);
    let mut spans: Vec<Span> = Vec::new();
    let mut start = 0;
    while start < track.len() {
        let state = (heel[start], toe[start]);
        let mut end = start + 1;
        while end < track.len() && (heel[end], toe[end]) == state {
            end += 1;
        }
        if state.0 || state.1 {
            let frames = start..end;
            let own = &track[frames.clone()];
            let mut plant = mean_plant(foot, own, terrain, state);
            let height = |point: Vec3| {
                let sum: Real = own.iter().map(|at| at.point(&foot.sole, point).y).sum();
                let over = sum / own.len() as Real - level - point.y;
                // A little under the ground is on it; far under it there is another floor.
                if over > -FLOOR * foot.length { over.max(0.0) } else { over }
            };
            let (behind, ahead) = (height(foot.sole.heel), height(foot.ball));
            let over = match state {
                (true, true) => 0.5 * (behind + ahead),
                (true, false) => behind,
                _ => ahead,
            };
            if !given {
                plant.heel.y += over;
                plant.toe.y += over;
                if state == (true, true) && foot.has_sole() {
                    let sine = ((behind - ahead) / foot.sole.length()).clamp(-0.5, 0.5);
                    plant.slope = sine.asin();
                    plant.heel.y += 0.5 * (behind - ahead);
                    plant.toe.y -= 0.5 * (behind - ahead);
                }
            }
            spans.push(Span { frames, heel: state.0, toe: state.1, plant, over });
        }
        start = end;
    }
    // What shares a point with a flat foot before it, or else after it, stands where that does.
    let mut settled = spans.first().is_some_and(Span::is_flat);
    for i in 1..spans.len() {
        let (before, rest) = spans.split_at_mut(i);
        let (Some(last), Some(span)) = (before.last(), rest.first_mut()) else { continue };
        if last.frames.end != span.frames.start || !touches(last, span) {
            settled = span.is_flat();
            continue;
        }
        if span.is_flat() && settled {
            let (point, at) = last.pivot(foot);
            let off = at - span.point(foot, point);
            span.plant.heel += off;
            span.plant.toe += off;
            span.over = last.over;
        } else if !span.is_flat() && settled {
            (span.plant, span.over) = (last.plant, last.over);
        }
        settled |= span.is_flat();
    }
    for i in (1..spans.len()).rev() {
        let after_flat = before_is_flat(&spans, i - 1);
        let (before, rest) = spans.split_at_mut(i);
        let (Some(span), Some(next)) = (before.last_mut(), rest.first()) else { continue };
        if !after_flat && !span.is_flat() && next.is_flat() && span.frames.end == next.frames.start {
            (span.plant, span.over) = (next.plant, next.over);
        }
    }
    spans
}

fn before_is_flat(spans: &[Span], i: usize) -> bool {
    i > 0 && spans[i - 1].frames.end == spans[i].frames.start && spans[i - 1].is_flat()
}

fn touches(a: &Span, b: &Span) -> bool {
    (a.heel && b.heel) || (a.toe && b.toe)
}

/// The plant of a foot from where the clip has it.
fn mean_plant(foot: &PlantFoot, track: &[FootAt], terrain: &dyn Terrain, (heel, toe): (bool, bool)) -> Plant {
    let sole = &foot.sole;
    let count = track.len().max(1) as Real;
    let (mut facing, mut place) = (Vec2::ZERO, Vec2::ZERO);
    let point = match (heel, toe) {
        (true, true) => (sole.heel + foot.ball) * 0.5,
        (true, false) => sole.heel,
        _ => foot.ball,
    };
    for at in track {
        let heading = foot.heading(at.turn);
        facing += Vec2::new(heading.sin(), heading.cos());
        let p = at.point(sole, point);
        place += Vec2::new(p.x, p.z) / count;
    }
    let heading = if foot.has_sole() { facing.x.atan2(facing.y) } else { 0.0 };
    // The heel, if the foot stood flat.
    let heel_at = place - turned(Vec2::new((point - sole.heel).x, (point - sole.heel).z), heading);
    let flat = Plant::on(terrain, sole, heel_at, heading);
    if flat.is_good(terrain, sole) {
        return flat;
    }
    let direction = sole.direction(heading);
    let ahead = Vec2::new(direction.x, direction.z);
    const TRIES: usize = 10;
    let steps = (0..=TRIES).flat_map(|i| {
        let step = ahead * (ASIDE * foot.length * i as Real / TRIES as Real);
        [heel_at + step, heel_at - step]
    });
    if heel && toe {
        for heel_at in steps {
            let aside = Plant::on(terrain, sole, heel_at, heading);
            if aside.is_good(terrain, sole) {
                return aside;
            }
        }
        return flat.on_top(terrain, sole);
    }
    // The rest of the foot must not be in the ground either, as the clip has it.
    let mut best: Option<(Real, Plant)> = None;
    for heel_at in steps {
        let mut plant = part_plant(foot, terrain, heel_at, heading, toe);
        let span = Span { frames: 0..0, heel, toe, plant, over: 0.0 };
        let (point, at) = span.pivot(foot);
        let tilt = span.tilt(sole);
        let under =
            |at_frame: &FootAt| FootAt::pivoted(sole, tilt * at_frame.turn, point, at).under(sole, terrain);
        let stride = (track.len() / 12).max(1);
        let deep = track.iter().step_by(stride).map(under).fold(0.0, Real::max);
        if deep < 0.005 * foot.length {
            return plant;
        }
        if best.is_none_or(|(least, _)| deep < least) {
            plant.heel.y += deep;
            plant.toe.y += deep;
            best = Some((deep, plant));
        }
    }
    best.map_or(flat, |(_, plant)| plant)
}

/// A level plant for the toes or the heel alone, with the heel here: only what stands needs ground.
fn part_plant(foot: &PlantFoot, terrain: &dyn Terrain, heel_at: Vec2, heading: Real, toe: bool) -> Plant {
    let sole = &foot.sole;
    let direction = sole.direction(heading);
    let left = rotation::about(Vec3::Y, heading) * sole.left * sole.width;
    let (from, to) = if toe { (sole.length(), sole.length() + sole.tip) } else { (0.0, 0.3 * sole.length()) };
    let mut top = Real::NEG_INFINITY;
    for along in [from, 0.5 * (from + to), to] {
        let p = Vec3::new(heel_at.x, 0.0, heel_at.y) + direction * along;
        for p in [p - left, p, p + left] {
            top = top.max(terrain.height(p.x, p.z));
        }
    }
    let heel = Vec3::new(heel_at.x, top, heel_at.y);
    Plant { heel, toe: heel + direction * sole.length(), heading, slope: 0.0, roll: 0.0 }
}
