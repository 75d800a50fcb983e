//! A foot: two points on the ground, and the turns that it makes about them.
//!
//! A foot stands on its heel, on its toes, or flat on both (Table 1.3). Whichever
//! it is, the ankle follows from the point that is planted, the heading and the
//! pitch: nothing is solved here. A foot without a sole (a spider's) has heel and
//! toes in one point.

use super::course::turned;
use super::leg::{Footing, Onto};
use super::terrain::Terrain;
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::{JointId, Skeleton};

/// The sole, measured at rest in model space.
#[derive(Debug, Clone, Copy)]
pub(in crate::body) struct Sole {
    pub ankle: Vec3,
    pub heel: Vec3,
    pub toe: Vec3,
    /// How far the tip of the toes is ahead of `toe`, and half the width of the sole.
    pub tip: Real,
    pub width: Real,
    /// Ahead, and to the left: the axis of the pitch.
    pub ahead: Vec3,
    pub left: Vec3,
}

impl Sole {
    /// From heel to toes.
    pub fn length(&self) -> Real {
        self.heel.distance(self.toe)
    }

    /// How the foot is turned: `heading` to the left, then `pitch` with the heel up, then
    /// `roll` with its left edge up.
    #[inline]
    pub fn rotation(&self, heading: Real, pitch: Real, roll: Real) -> Quat {
        let level = rotation::about(Vec3::Y, heading) * rotation::about(self.left, pitch);
        if roll == 0.0 { level } else { level * rotation::about(self.ahead, roll) }
    }

    /// The same foot with the sole of its skin: as low as that is, as long and as wide. Without
    /// enough skin it stays as it is.
    pub fn on_skin(
        mut self,
        skeleton: &Skeleton,
        model: &ModelPose,
        ankle: JointId,
        skin: &[(JointId, Vec3)],
        leg: Real,
    ) -> Self {
        let foot = skeleton.subtree(ankle);
        let points = || {
            let own = skin.iter().filter(|(joint, at)| foot.contains(&joint.index()) && at.is_finite());
            own.map(|&(joint, at)| model.transform(joint).transform_point(at))
        };
        let lowest = points().map(|p| p.y).fold(Real::INFINITY, Real::min);
        // What is on the ground or just over it.
        let low = || points().filter(|p| p.y < lowest + SOLE * leg);
        if low().count() < ENOUGH || !lowest.is_finite() {
            return self;
        }
        let forward = |p: Vec3| (p - self.ankle).dot(self.ahead);
        let back = low().map(forward).fold(Real::INFINITY, Real::min);
        let front = low().map(forward).fold(Real::NEG_INFINITY, Real::max);
        let side = |p: Vec3| (p - self.ankle).dot(self.left).abs();
        let ball = forward(self.toe);
        let under = Vec3::new(self.ankle.x, lowest, self.ankle.z);
        self.heel = under + self.ahead * back.clamp(-0.3 * leg, 0.0);
        // The ball is where the joints have it. Toes of which nothing is on the ground have no more skin than it, and
        // a foot that does not bend rolls over the end of its skin.
        let bends = self.tip > TINY;
        let ball = if bends { ball } else { front.max(0.02 * leg) };
        self.toe = under + self.ahead * ball;
        self.tip = if bends { (front - ball).max(0.0) } else { 0.0 };
        self.width = low().map(side).fold(0.0, Real::max).clamp(0.01 * leg, 0.1 * leg);
        self
    }

    /// Ahead on the ground, for a foot of this heading.
    #[inline]
    pub fn direction(&self, heading: Real) -> Vec3 {
        let v = turned(Vec2::new(self.ahead.x, self.ahead.z), heading);
        Vec3::new(v.x, 0.0, v.y)
    }
}

/// How high over its lowest point a skin is sole, in leg lengths, and how many points make one.
const SOLE: Real = 0.025;
const ENOUGH: usize = 6;

/// Where a foot stands, flat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::body) struct Plant {
    pub heel: Vec3,
    pub toe: Vec3,
    pub heading: Real,
    /// The pitch of the flat foot: above zero downhill.
    pub slope: Real,
    /// Its roll: above zero where the ground rises to the left.
    pub roll: Real,
}

impl Plant {
    /// The foot flat on the ground with its heel here.
    pub fn on(terrain: &dyn Terrain, sole: &Sole, heel: Vec2, heading: Real) -> Self {
        let length = sole.length();
        let direction = sole.direction(heading);
        let heel = Vec3::new(heel.x, terrain.height(heel.x, heel.y), heel.y);
        let mut rise: Real = 0.0;
        let mut toe = heel + direction * length;
        // The foot is rigid: where its toes come down depends on how steep it stands.
        for _ in 0..FITS {
            if length <= TINY {
                break;
            }
            let next = ((terrain.height(toe.x, toe.z) - heel.y) / length).clamp(-STEEPEST, STEEPEST);
            toe = heel + (direction * (1.0 - next * next).sqrt() + Vec3::Y * next) * length;
            let settled = (next - rise).abs() < 1.0e-4;
            rise = next;
            if settled {
                break;
            }
        }
        let plant = Self { heel, toe, heading, slope: -rise.asin(), roll: 0.0 };
        if sole.width <= TINY { plant } else { plant.rolled(terrain, sole) }
    }

    /// Rolled to the ground at both edges, and lifted until neither of them is under it.
    fn rolled(mut self, terrain: &dyn Terrain, sole: &Sole) -> Self {
        let left = rotation::about(Vec3::Y, self.heading) * sole.left * sole.width;
        let over = |p: Vec3| terrain.height(p.x, p.z) - p.y;
        let edges = |at: Vec3| (over(at + left), over(at - left));
        let (heel, toe) = (edges(self.heel), edges(self.toe));
        let tilt = 0.25 * (heel.0 - heel.1 + toe.0 - toe.1) / sole.width;
        self.roll = tilt.clamp(-MOST_ROLL, MOST_ROLL).asin();
        let side = sole.width * self.roll.sin();
        let under = [heel.0 - side, toe.0 - side, heel.1 + side, toe.1 + side];
        let under = under.into_iter().fold(0.0, Real::max);
        self.heel.y += under;
        self.toe.y += under;
        self
    }

    /// Whether the ground under the whole sole is near the sole: not across the
    /// edge of a step, and no riser where the toes are.
    pub fn is_good(&self, terrain: &dyn Terrain, sole: &Sole) -> bool {
        let length = sole.length();
        if length <= TINY {
            return true;
        }
        let along = (self.toe - self.heel) / length;
        let left = rotation::about(Vec3::Y, self.heading) * sole.left * sole.width
            + Vec3::Y * (sole.width * self.roll.sin());
        let off = |at: Real, side: Real| {
            let p = self.heel + along * at + left * side;
            terrain.height(p.x, p.z) - p.y
        };
        self.slope.abs() < STEEP
            && [-1.0, 1.0].into_iter().all(|side| {
                let under = |at: Real| off(at, side).abs() < ROUGH;
                under(0.0)
                    && under(0.5 * length)
                    && under(length)
                    && off(length + sole.tip + MARGIN, side) < 0.3 * ROUGH
                    && off(-0.02, side) < ROUGH
            })
    }

    /// The foot level, on the highest ground under its sole.
    pub fn on_top(&self, terrain: &dyn Terrain, sole: &Sole) -> Self {
        let direction = sole.direction(self.heading);
        let length = sole.length();
        let left = rotation::about(Vec3::Y, self.heading) * sole.left * sole.width;
        let mut top = Real::NEG_INFINITY;
        for i in 0..=8 {
            let p = self.heel + direction * (i as Real / 8.0 * (length + sole.tip));
            for p in [p - left, p, p + left] {
                top = top.max(terrain.height(p.x, p.z));
            }
        }
        let heel = Vec3::new(self.heel.x, top, self.heel.z);
        Self { heel, toe: heel + direction * length, heading: self.heading, slope: 0.0, roll: 0.0 }
    }

    /// How far the ground rises over a way if it goes on as it is under the sole.
    pub fn rise(&self, sole: &Sole, way: Vec3) -> Real {
        let left = rotation::about(Vec3::Y, self.heading) * sole.left;
        way.dot(left) * self.roll.tan() - way.dot(sole.direction(self.heading)) * self.slope.tan()
    }

    /// The middle of the sole.
    pub fn middle(&self) -> Vec3 {
        (self.heel + self.toe) * 0.5
    }
}

/// How often the toes are laid on the ground, the sine of the steepest sole and of the
/// greatest roll, the pitch past which another place is looked for, and how uneven the
/// ground may be under a sole, in metres.
const FITS: usize = 6;
const STEEPEST: Real = 0.8;
const MOST_ROLL: Real = 0.3;
const STEEP: Real = 0.6;
const ROUGH: Real = 0.03;
/// How far the tip of the toes stays away from a riser, in metres.
const MARGIN: Real = 0.015;
/// How high over the ball the toes' joint is, of the length of the toes.
pub(in crate::body) const TOES_DOWN: Real = 0.25;

/// Where a foot is, on the ground or in the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::body) struct FootPose {
    pub heel: Vec3,
    pub heading: Real,
    pub pitch: Real,
    pub roll: Real,
    /// The heading in which its knee points: that of the foot as it should be. One that its ankle left on its toes may
    /// have any heading, as far as that can be told of a foot that points down.
    pub knee: Real,
}

impl FootPose {
    /// With the heel where the plant has it.
    pub fn on_heel(plant: &Plant, pitch: Real) -> Self {
        let heading = plant.heading;
        Self { heel: plant.heel, heading, pitch: plant.slope + pitch, roll: plant.roll, knee: heading }
    }

    /// With the toes where the plant has them.
    pub fn on_toes(plant: &Plant, sole: &Sole, pitch: Real) -> Self {
        Self::with_toe(plant.toe, sole, plant.heading, plant.slope + pitch, plant.roll)
    }

    /// On its heel with the toes up below zero, on its toes with the heel up above.
    pub fn on_plant(plant: &Plant, sole: &Sole, rise: Real) -> Self {
        if rise < 0.0 { Self::on_heel(plant, rise) } else { Self::on_toes(plant, sole, rise) }
    }

    /// With the toes here.
    pub fn with_toe(toe: Vec3, sole: &Sole, heading: Real, pitch: Real, roll: Real) -> Self {
        let turn = sole.rotation(heading, pitch, roll);
        Self { heel: toe + turn * (sole.heel - sole.toe), heading, pitch, roll, knee: heading }
    }

    /// A foot with its ankle here, turned by this from rest, and its knee pointing in this heading; of all headings
    /// of the foot the one that is nearest to that.
    pub fn of(sole: &Sole, ankle: Vec3, turn: Quat, knee: Real) -> Self {
        let (from, to) = (sole.ahead, turn * sole.ahead);
        let found = (to.x * from.z - to.z * from.x).atan2(to.x * from.x + to.z * from.z);
        let heading = knee + wrap_angle(found - knee);
        let pitch = -to.y.clamp(-1.0, 1.0).asin();
        let roll = rotation::angle_about(sole.ahead, sole.rotation(heading, pitch, 0.0).conjugate() * turn);
        Self { heel: ankle + turn * (sole.heel - sole.ankle), heading, pitch, roll, knee }
    }

    /// The turn from the foot at rest.
    pub fn rotation(&self, sole: &Sole) -> Quat {
        sole.rotation(self.heading, self.pitch, self.roll)
    }

    /// Where the ankle then is.
    pub fn ankle(&self, sole: &Sole) -> Vec3 {
        self.heel + self.rotation(sole) * (sole.ankle - sole.heel)
    }

    /// What the leg is asked for, by a foot in the air or on a plant.
    pub fn footing(&self, sole: &Sole, plant: Option<&Plant>) -> Footing {
        let (place, turn) = (self.ankle(sole), self.rotation(sole));
        let stands = plant.map(|plant| match self.pitch < plant.slope {
            true => (plant.heel, sole.ankle - sole.heel),
            false => (plant.toe, sole.ankle - sole.toe),
        });
        let onto = plant.filter(|plant| self.pitch < plant.slope).map(|plant| Onto {
            toe: plant.toe,
            arm: sole.ankle - sole.toe,
            level: -plant.slope.sin(),
        });
        let up = plant.map_or(turn, |plant| sole.rotation(plant.heading, plant.slope, plant.roll)) * Vec3::Y;
        let (along, edge) = (sole.ahead, sole.left * sole.width);
        Footing { place, turn, ahead: sole.direction(self.knee), stands, onto, up, along, edge }
    }

    /// What the leg is asked for by a foot in the air. Where its ankle cannot turn it as it should, this point of it
    /// (as the sole has it at rest) is where it should be all the same.
    pub fn footing_in_the_air(&self, sole: &Sole, point: Vec3) -> Footing {
        let arm = sole.ankle - point;
        let footing = self.footing(sole, None);
        Footing { stands: Some((footing.place - footing.turn * arm, arm)), ..footing }
    }

    /// Where the toes are.
    pub fn toe(&self, sole: &Sole) -> Vec3 {
        self.heel + self.rotation(sole) * (sole.toe - sole.heel)
    }

    /// Both edges of heel and ball, and the tip of the toes, which bend up with the heel: on the ground they lie as it
    /// does, pitched like this.
    fn points(&self, sole: &Sole, slope: Real) -> [Vec3; 5] {
        let turn = self.rotation(sole);
        let toe = self.heel + turn * (sole.toe - sole.heel);
        let left = turn * sole.left * sole.width;
        let ahead = sole.direction(self.heading) * sole.tip;
        // The joint at which they bend is a little over the ball, and comes down as the foot tips.
        let tips = -self.pitch.min(slope).sin() - TOES_DOWN * (1.0 - (self.pitch - slope).max(0.0).cos());
        let tip = toe + ahead + Vec3::Y * (sole.tip * tips);
        [self.heel + left, self.heel - left, toe + left, toe - left, tip]
    }

    /// How far the sole would have to be lifted to be clear of ground that is pitched like this.
    pub fn under(&self, terrain: &dyn Terrain, sole: &Sole, slope: Real) -> Real {
        deepest(&self.points(sole, slope), Vec3::ZERO, terrain)
    }
}

/// A depth that is lifted out of; what is deeper is behind the edge of a step, and how far that
/// may be, in metres.
const SHALLOW: Real = 0.02;
const BEHIND: [Real; 6] = [0.005, 0.01, 0.015, 0.02, 0.03, 0.04];

/// How deep the deepest of some points is in the ground when they are moved by this.
fn deepest(points: &[Vec3], by: Vec3, terrain: &dyn Terrain) -> Real {
    let depth = |p: &Vec3| terrain.height(p.x + by.x, p.z + by.z) - p.y - by.y;
    points.iter().map(depth).fold(Real::NEG_INFINITY, Real::max)
}

/// The shortest way out of the ground for points of a foot: up, or back or aside from the edge of a
/// step that they are just behind. To be lifted over it would throw the foot.
pub(in crate::body) fn way_out(points: &[Vec3], ahead: Vec3, terrain: &dyn Terrain) -> Vec3 {
    let up = deepest(points, Vec3::ZERO, terrain).max(0.0);
    if up <= SHALLOW {
        return Vec3::Y * up;
    }
    let aside = ahead.cross(Vec3::Y);
    for shift in BEHIND {
        for way in [-ahead, ahead, -aside, aside] {
            let left = deepest(points, way * shift, terrain).max(0.0);
            if left <= 0.5 * SHALLOW {
                return way * shift + Vec3::Y * left;
            }
        }
    }
    Vec3::Y * up
}

/// The least heel rise about the toes, from `least` to `most`, at which a leg of this reach
/// gets from the hip to the ankle.
pub(super) fn rise_to_reach(
    sole: &Sole,
    plant: &Plant,
    hip: Vec3,
    reach: Real,
    least: Real,
    most: Real,
) -> Real {
    let arm = sole.rotation(plant.heading, plant.slope, plant.roll) * (sole.ankle - sole.toe);
    let axis = rotation::about(Vec3::Y, plant.heading) * sole.left;
    turn_to_reach(hip - plant.toe, arm, axis, reach, (least, most))
}

/// The least turn of `arm` about a unit `axis`, between two angles, that brings its end within
/// `reach` of a point, both seen from where the arm begins: the end goes round on a circle,
/// whose nearness to the point is `A cos p + B sin p + C`.
pub(in crate::body) fn turn_to_reach(
    point: Vec3,
    arm: Vec3,
    axis: Vec3,
    reach: Real,
    (least, most): (Real, Real),
) -> Real {
    let along = axis * axis.dot(arm);
    let round = arm - along;
    let (a, b) = (point.dot(round), point.dot(axis.cross(round)));
    let needed = 0.5 * (point.length_squared() + arm.length_squared() - reach * reach) - point.dot(along);
    if a * least.cos() + b * least.sin() >= needed {
        return least;
    }
    let size = a.hypot(b).max(TINY);
    let best = b.atan2(a);
    let turn = if needed >= size { best } else { best - (needed / size).acos() };
    turn.max(least).min(most)
}

#[cfg(test)]
#[path = "../../../tests/unit/body_walk_foot.rs"]
mod tests;
