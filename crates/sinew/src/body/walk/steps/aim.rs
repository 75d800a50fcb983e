//! Where a foot in the air should land, looked for when it leaves and again on its way.

use super::Steps;
use super::walk::Walk;
use crate::body::walk::course::turned;
use crate::body::walk::foot::Plant;
use crate::math::*;

/// How often a flight looks for its place again, in seconds, and the part of it at whose end
/// it does not any more.
pub(super) const LOOK_AGAIN: Real = 1.0 / 60.0;
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
/// How far ahead of the body a foot lands at the most, of the longest step.
const REACH: Real = 0.6;
/// What of the width of the stance feet keep between them.
const APART: Real = 0.5;
/// How much nearer to the other foot than that a place may be, in leg lengths.
const CROSSES: Real = 0.02;

impl Steps {
    /// Looks where flights should go by now.
    pub(super) fn look_again(&mut self, walk: &Walk, time: Real) {
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
    pub(super) fn aim(&self, foot: usize, lands: Real, walk: &Walk) -> (Vec2, Plant) {
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
        // No place is good on the far side of the other foot.
        let crosses = |plant: &Plant| {
            let heel = Vec2::new(plant.heel.x, plant.heel.z);
            let over = |heading| self.across(foot, heel, plant.heading, heading, walk).length();
            over(landed.heading).max(over(then.heading)) > CROSSES * rig.leg_length
        };
        let good = |plant: &Plant| {
            plant.is_good(terrain, sole) && self.is_in_reach(foot, plant, walk) && !crosses(plant)
        };
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
