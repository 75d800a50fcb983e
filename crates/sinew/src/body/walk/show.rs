//! A frame of a walk: the feet as high as legs and ankles need them, and the pose of the whole body.

use super::Walker;
use super::foot::{FootPose, rise_to_reach};
use super::hips::ahead;
use super::leg::LegSolver;
use super::report::WalkReport;
use super::stride::ease;
use super::terrain::Terrain;
use super::upper::Carriage;
use crate::goal::GoalId;
use crate::math::*;
use crate::pose::Pose;
use crate::report::Status;
use crate::skeleton::Skeleton;

/// How far a leg is stretched at the most: at full stretch a small move of the
/// hips would be a large one of the knee.
const STRETCH: Real = 0.988;
/// The most that a heel rises on its toes, in radians.
const MOST_RISE: Real = 1.0;
/// How far aside of its hip a foot in the air is at the most, of its leg's reach.
const FURTHEST: Real = 0.85;
/// A planted foot that is further from its place, in metres, is not in it.
const PLANTED: Real = 1.0e-3;
/// How often a foot in the air is lifted over the ground that it would touch.
const LIFTS: usize = 8;
const LIFTS_MORE: Real = 0.15;
/// How fast it goes back to its way from there, in metres a second.
const MOVES_BACK: Real = 1.2;
/// How fast a heel comes down, in radians a second.
const HEEL_SINKS: Real = 3.0;
/// How fast a heel that leaves the ground rises for its ankle's sake, in radians a second, and how far
/// it does at once; less than the last is none.
const HEEL_RISES: (Real, Real) = (5.0, 0.08);
/// And how fast it leaves it in a frame that is long.
const HEEL_OFF: Real = 4.2;
const LEAST_RISE: Real = 1.0e-4;
/// How much further a run leans than a fast walk.
const RUN_LEAN: Real = 2.0;

impl Walker {
    /// A foot as the gait wants it, with the heel as high as the leg and the
    /// ankle need it.
    pub(super) fn fitted(&mut self, leg: usize, hips: Transform, by_limits: bool) -> FootPose {
        let steps = &self.state.steps;
        let wanted = steps.foot(leg, &self.rig);
        let foot = &self.rig.feet[leg];
        let sole = foot.sole;
        let base = hips.transform_point(foot.base);
        let Some(&plant) = steps.standing_plant(leg) else {
            // A foot in the air comes no further from the body than its leg lets it. It is lifted
            // to where the leg gets and stays over its way, which is clear of the ground: drawn
            // along the leg it would go into the next riser, and be thrown over it.
            let reach = foot.reach * steps.stretch(leg);
            let to_base = base - wanted.ankle(&sole);
            if !self.rig.is_biped() {
                let away = to_base.length();
                let over = (away - reach).max(0.0);
                return FootPose { heel: wanted.heel + to_base * (over / away.max(TINY)), ..wanted };
            }
            let across = Vec2::new(to_base.x, to_base.z);
            let near = across.clamp_length_max(FURTHEST * reach);
            let up = to_base.y - (reach * reach - near.length_squared()).max(0.0).sqrt();
            let aside = across - near;
            let moved = Vec3::new(aside.x, up.max(0.0), aside.y);
            return FootPose { heel: wanted.heel + moved, ..wanted };
        };
        if sole.length() <= TINY {
            return wanted;
        }
        // Below zero it stands on its heel, above on its toes.
        let (shown, since) = (foot.shown_rise, self.since_shown);
        // A heel sinks no faster than this, also where its leg or its ankle would let it drop, and one that is about to
        // leave stays up: to be put down and lifted again would straighten its knee and throw it.
        let sinks = if steps.is_leaving(leg) { 0.0 } else { HEEL_SINKS * since };
        let slowest = shown.map_or(-PI, |shown| shown - sinks);
        let least = (wanted.pitch - plant.slope).max(slowest);
        let rise = match least < 0.0 {
            true => least,
            false => rise_to_reach(&sole, &plant, base, foot.reach * STRETCH, least, MOST_RISE),
        };
        let quickest = shown.map_or(MOST_RISE, |shown| shown.max(0.0) + HEEL_RISES.0 * since);
        let rise = match by_limits {
            // An ankle that is turned aside may be right only on the tips of the toes: it is not
            // thrown there.
            true => match self.rig.rise_within_limits(leg, &plant, rise, MOST_RISE) {
                Some(within) => within.min(rise.max(quickest)),
                // It tips all the same, and turns about its toes: its heel is off the ground.
                None => rise.max(2.0 * LEAST_RISE),
            },
            false => rise,
        };
        // A heel that rose slowly would slide.
        let off = HEEL_RISES.1.max(HEEL_OFF * since);
        let off = if shown.is_some() { quickest.min(off) } else { 0.0 };
        let rise = if rise > LEAST_RISE { rise.max(off) } else { rise };
        FootPose::on_plant(&plant, &sole, rise)
    }

    /// Takes note of how far the heels were up that were shown. A frame may show a foot off the ground that in the
    /// state that is kept still stands there: that is where it will leave from.
    pub(super) fn take_note(&mut self) {
        for (i, foot) in self.rig.feet.iter_mut().enumerate() {
            let plant = self.state.steps.standing_plant(i);
            foot.shown_rise = Some(plant.map_or(-PI, |plant| self.goals[i].pitch - plant.slope));
        }
    }

    /// Writes the pose of the state.
    pub(super) fn show(&mut self, skeleton: &Skeleton, terrain: &dyn Terrain, pose: &mut Pose) -> WalkReport {
        let hips = self.state.hips.place(&self.rig, &self.state.course);
        self.rig.stand(hips);
        self.goals.clear();
        // The analytic limb says itself when an ankle cannot turn as it should;
        // for the others it is found out beforehand.
        let exact = self.options.solver == LegSolver::Limb;
        for i in 0..self.rig.feet.len() {
            let goal = self.fitted(i, hips, !exact);
            self.goals.push(goal);
        }
        self.rig.place_root(skeleton, hips, pose);
        let (pace, course) = (self.pace(), self.state.course);
        let (effort, run) = (pace.effort(course.speed()), pace.run(course.speed()));
        let carriage = if self.rig.is_biped() {
            let ahead = ahead(&self.rig, &self.options, &self.state.course, &self.state.steps);
            Carriage {
                ahead: ahead * ease(effort * 2.0),
                pelvis: self.state.hips.turn,
                arms: self.options.arms,
                lean: (self.options.lean * (1.0 + RUN_LEAN * run)) * pace.effort(course.velocity.x.max(0.0)),
            }
        } else {
            Carriage { ahead: 0.0, pelvis: 0.0, arms: 0.0, lean: 0.0 }
        };
        if let Some(upper) = &self.rig.upper {
            upper.turn(skeleton, &carriage, self.rig.left, pose);
        }
        self.model.update(skeleton, pose);
        let (status, standing) = (Status::Reached, self.state.steps.stands());
        let blocked = self.state.way.blocked;
        let mut report = WalkReport { status, cause: None, iterations: 0, slip: 0.0, standing, blocked };
        for i in 0..self.rig.feet.len() {
            let leads = self.state.steps.leads(i);
            let solver = self.options.solver;
            let planted = self.state.steps.standing_plant(i).is_some();
            // What is moved out of the ground goes back by and by, and stays on the side on which it is.
            let as_planned = self.goals[i].heel;
            let moved_out = &mut self.rig.feet[i].moved_out;
            if planted {
                *moved_out = Vec3::ZERO;
            }
            let back = (MOVES_BACK * self.since_shown).min(moved_out.length());
            *moved_out -= direction_or(*moved_out, Vec3::ZERO) * back;
            self.goals[i].heel += *moved_out;
            for lifts in 0..LIFTS {
                let foot = &mut self.rig.feet[i];
                let plant = self.state.steps.standing_plant(i);
                let goal = self.goals[i];
                let wanted = match self.state.steps.holds(i, &foot.sole) {
                    Some(point) => goal.footing_in_the_air(&foot.sole, point),
                    None => goal.footing(&foot.sole, plant),
                };
                let solved = foot.leg.solve(&self.rig.held, &mut self.model, wanted, solver, leads, pose);
                report.iterations += solved.iterations;
                self.causes[i] = solved.cause;
                if planted {
                    if solved.aligned {
                        break;
                    }
                    let higher = self.fitted(i, hips, true);
                    if higher == self.goals[i] {
                        break;
                    }
                    self.goals[i] = higher;
                    continue;
                }
                // A foot whose ankle cannot turn as it should hangs lower than it should.
                let ground = (None, self.state.steps.slope(i), terrain);
                let tip = foot.bend_toes(skeleton, &mut self.model, ground, pose);
                let out = foot.leg.out_of_ground((&self.model, tip), &foot.sole, terrain);
                if out == Vec3::ZERO {
                    break;
                }
                // It may turn further as it is lifted.
                self.goals[i].heel += out * (1.0 + LIFTS_MORE * lifts as Real);
            }
            if !planted {
                self.rig.feet[i].moved_out = self.goals[i].heel - as_planned;
            } else {
                let ground = (self.state.steps.standing_plant(i), self.state.steps.slope(i), terrain);
                self.rig.feet[i].bend_toes(skeleton, &mut self.model, ground, pose);
            }
        }
        if let Some(upper) = &self.rig.upper {
            let facing = (hips.rotation, self.rig.left);
            upper.swing_arms(skeleton, &self.model, &carriage, facing, pose);
        }
        self.model.update(skeleton, pose);
        for (i, (foot, state)) in self.rig.feet.iter().zip(&mut self.feet).enumerate() {
            let goal = self.goals[i];
            let planted = self.state.steps.standing_plant(i);
            state.heel = goal.heel;
            state.toe = goal.toe(&foot.sole);
            // Where heel and toes are, whatever the ankle made of the foot.
            let ankle = foot.leg.effector.transform(&self.model);
            let turn = ankle.rotation * foot.leg.rest.conjugate();
            let footing = goal.footing(&foot.sole, planted);
            let stands = |plant: Vec3, point: Vec3| {
                let at = ankle.translation + turn * (point - foot.sole.ankle);
                at.distance(plant + footing.on_edge(turn)) < 0.5 * PLANTED
            };
            state.heel_planted = planted.is_some_and(|p| stands(p.heel, foot.sole.heel));
            state.toe_planted = planted.is_some_and(|p| stands(p.toe, foot.sole.toe));
            // The point of the sole that stands; its ankle may turn it otherwise than it should.
            if let Some(wanted) = footing.ankle(turn) {
                let slip = ankle.translation.distance(wanted);
                if slip > PLANTED.max(report.slip) {
                    report.status = Status::NotReached;
                    report.cause = self.causes[i].map(|cause| cause.of_goal(GoalId(i as u32)));
                }
                report.slip = report.slip.max(slip);
            }
        }
        report
    }
}
