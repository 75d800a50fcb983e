//! A foot: two points on the ground, and the turns that it makes about them.
//!
//! A foot stands on its heel, on its toes, or flat on both (Table 1.3). Whichever
//! it is, the ankle follows from the point that is planted, the heading and the
//! pitch: nothing is solved here. A foot without a sole (a spider's) has heel and
//! toes in one point.

use super::course::turned;
use super::terrain::Terrain;
use crate::math::*;

/// The sole, measured at rest in model space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sole {
    pub ankle: Vec3,
    pub heel: Vec3,
    pub toe: Vec3,
    /// How far the tip of the toes is ahead of `toe`.
    pub tip: Real,
    /// Ahead, and to the left: the axis of the pitch.
    pub ahead: Vec3,
    pub left: Vec3,
}

impl Sole {
    /// From heel to toes.
    pub fn length(&self) -> Real {
        self.heel.distance(self.toe)
    }

    /// How the foot is turned: `heading` to the left, then `pitch` with the heel up.
    #[inline]
    pub fn rotation(&self, heading: Real, pitch: Real) -> Quat {
        rotation::about(Vec3::Y, heading) * rotation::about(self.left, pitch)
    }

    /// Ahead on the ground, for a foot of this heading.
    #[inline]
    pub fn direction(&self, heading: Real) -> Vec3 {
        let v = turned(Vec2::new(self.ahead.x, self.ahead.z), heading);
        Vec3::new(v.x, 0.0, v.y)
    }
}

/// Where a foot stands, flat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Plant {
    pub heel: Vec3,
    pub toe: Vec3,
    pub heading: Real,
    /// The pitch of the flat foot: above zero downhill.
    pub slope: Real,
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
            rise = ((terrain.height(toe.x, toe.z) - heel.y) / length).clamp(-STEEPEST, STEEPEST);
            toe = heel + (direction * (1.0 - rise * rise).sqrt() + Vec3::Y * rise) * length;
        }
        Self { heel, toe, heading, slope: -rise.asin() }
    }

    /// Whether the ground under the whole sole is near the sole: not across the
    /// edge of a step, and no riser where the toes are.
    pub fn is_good(&self, terrain: &dyn Terrain, sole: &Sole) -> bool {
        let length = sole.length();
        if length <= TINY {
            return true;
        }
        let along = (self.toe - self.heel) / length;
        let off = |at: Real| {
            let p = self.heel + along * at;
            terrain.height(p.x, p.z) - p.y
        };
        let under = |at: Real| off(at).abs() < ROUGH;
        let steep = self.slope.abs() < STEEP;
        steep && under(0.5 * length) && under(length) && off(length + sole.tip) < ROUGH && off(-0.02) < ROUGH
    }

    /// The foot level, on the highest ground under its sole.
    pub fn on_top(&self, terrain: &dyn Terrain, sole: &Sole) -> Self {
        let direction = sole.direction(self.heading);
        let length = sole.length();
        let mut top = Real::NEG_INFINITY;
        for i in 0..=8 {
            let p = self.heel + direction * (i as Real / 8.0 * (length + sole.tip));
            top = top.max(terrain.height(p.x, p.z));
        }
        let heel = Vec3::new(self.heel.x, top, self.heel.z);
        Self { heel, toe: heel + direction * length, heading: self.heading, slope: 0.0 }
    }

    /// The middle of the sole.
    pub fn middle(&self) -> Vec3 {
        (self.heel + self.toe) * 0.5
    }
}

/// How often the toes are laid on the ground, the sine of the steepest sole, the
/// pitch past which another place is looked for, and how uneven the ground may be
/// under a sole, in metres.
const FITS: usize = 6;
const STEEPEST: Real = 0.8;
const STEEP: Real = 0.6;
const ROUGH: Real = 0.03;

/// Where a foot is, on the ground or in the air.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FootPose {
    pub heel: Vec3,
    pub heading: Real,
    pub pitch: Real,
}

impl FootPose {
    /// With the heel where the plant has it.
    pub fn on_heel(plant: &Plant, pitch: Real) -> Self {
        Self { heel: plant.heel, heading: plant.heading, pitch: plant.slope + pitch }
    }

    /// With the toes where the plant has them.
    pub fn on_toes(plant: &Plant, sole: &Sole, pitch: Real) -> Self {
        let pitch = plant.slope + pitch;
        let turn = sole.rotation(plant.heading, pitch);
        Self { heel: plant.toe + turn * (sole.heel - sole.toe), heading: plant.heading, pitch }
    }

    /// The turn from the foot at rest.
    pub fn rotation(&self, sole: &Sole) -> Quat {
        sole.rotation(self.heading, self.pitch)
    }

    /// Where the ankle then is.
    pub fn ankle(&self, sole: &Sole) -> Vec3 {
        self.heel + self.rotation(sole) * (sole.ankle - sole.heel)
    }

    /// Where the toes are.
    pub fn toe(&self, sole: &Sole) -> Vec3 {
        self.heel + self.rotation(sole) * (sole.toe - sole.heel)
    }

    /// Lifted so far that neither heel nor toes are under the ground.
    pub fn above(mut self, terrain: &dyn Terrain, sole: &Sole) -> Self {
        let toe = self.toe(sole);
        // Toes bend up with the heel, so that the tip is never lower than the ball.
        let tip = toe
            + sole.direction(self.heading) * sole.tip
            + Vec3::Y * (sole.tip * (-self.pitch).max(0.0).sin());
        let mut under: Real = 0.0;
        for p in [self.heel, toe, tip] {
            under = under.max(terrain.height(p.x, p.z) - p.y);
        }
        self.heel.y += under;
        self
    }
}

/// The least heel rise about the toes, from `least` to `most`, at which a leg of
/// this reach gets from the hip to the ankle: the ankle goes round the toes on a
/// circle, whose nearness to the hip is `A cos p + B sin p + C`.
pub(super) fn rise_to_reach(
    sole: &Sole,
    plant: &Plant,
    hip: Vec3,
    reach: Real,
    least: Real,
    most: Real,
) -> Real {
    let d = hip - plant.toe;
    let arm = sole.rotation(plant.heading, plant.slope) * (sole.ankle - sole.toe);
    let axis = rotation::about(Vec3::Y, plant.heading) * sole.left;
    let along = axis * axis.dot(arm);
    let round = arm - along;
    let (a, b) = (d.dot(round), d.dot(axis.cross(round)));
    let needed = 0.5 * (d.length_squared() + arm.length_squared() - reach * reach) - d.dot(along);
    if a * least.cos() + b * least.sin() >= needed {
        return least;
    }
    let size = a.hypot(b).max(TINY);
    let best = b.atan2(a);
    let rise = if needed >= size { best } else { best - (needed / size).acos() };
    rise.max(least).min(most)
}

#[cfg(test)]
#[path = "../../../tests/unit/body_walk_foot.rs"]
mod tests;
