//! Ways on which the hand goes straight, and the way on which the joints do.

use alloc::vec::Vec;

use super::planner::{Blocked, JUMP, KNOTS, Place, Planner, Way, largest_turn};
use super::posture::{End, SWIVELS};
use crate::body::reach::motion::minimum_jerk;
use crate::math::*;
use crate::pose::Pose;

/// How the body's share follows the hand's: with it, later, earlier.
const PROFILES: [Real; 3] = [1.0, 2.5, 0.4];
/// By how much a line is bent, in parts of its length, to so many sides.
const BOWS: [Real; 2] = [0.02, 0.045];
const ROUND: usize = 8;
/// It is bent most where this power of the part of the way is a half: early, since arms hang beside
/// the body.
const EARLY: Real = 0.6;
/// What it costs to be a radian off the swivel angle that is simplest, beside a radian of turning
/// within a step.
const SIMPLE: Real = 2.0e-3;
/// Sweeps that smooth a chosen row of swivel angles.
const SWEEPS: usize = 24;

/// An arm at one swivel angle of one step.
#[derive(Clone, Copy)]
struct Node {
    swivel: Real,
    rotations: [Quat; 3],
    cost: Real,
    before: usize,
}

impl Planner<'_> {
    /// The way on which the hands go straight to an end posture, if there is one.
    pub fn straight(&mut self, end: &End) -> Option<Way> {
        (self.met_itself, self.met_scene) = (false, false);
        self.along(end, Vec3::ZERO, &PROFILES)
    }

    /// The same with the line bent a little, where an arm would brush too hard along its own body.
    pub fn bowed(&mut self, end: &End) -> Option<Way> {
        let side = *self.sides.first()?;
        let line = self.to[side].position - self.from[side].translation;
        if !self.met_itself || self.met_scene || line.length() <= TINY {
            return None;
        }
        let aside = line.any_orthogonal_vector().normalize_or_zero();
        let other = line.cross(aside).normalize_or_zero();
        for bow in BOWS {
            for i in 0..ROUND {
                let (sin, cos) = (TAU * i as Real / ROUND as Real).sin_cos();
                let found =
                    self.along(end, (aside * cos + other * sin) * (bow * line.length()), &PROFILES[..2]);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// The way along a line that is bent by `bow`.
    fn along(&mut self, end: &End, bow: Vec3, profiles: &[Real]) -> Option<Way> {
        let modes: &[bool] = if self.is_oriented() { &[true, false] } else { &[false] };
        for &oriented in modes {
            let mut body_blocks = true;
            for (i, profile) in profiles.iter().copied().enumerate() {
                // The body's own way matters only if it is what fails.
                if i > 0 && !body_blocks {
                    break;
                }
                let mut places = self.simply(end, oriented, profile, bow);
                match self.follow(&end.pose, &places) {
                    Ok(knots) => return Some(Way { knots, places, straight: true }),
                    Err((_, blocked)) => self.note(blocked),
                }
                body_blocks = true;
                if let Some(chosen) = self.choose_swivels(end, &mut places, oriented, &mut body_blocks) {
                    return Some(chosen);
                }
            }
        }
        None
    }

    /// The straight or bent way with elbows that turn from their first to their last angle.
    fn simply(&self, end: &End, oriented: bool, profile: Real, bow: Vec3) -> Vec<Place> {
        let last = self.last_place(end, oriented);
        (0..=KNOTS)
            .map(|k| {
                let part = minimum_jerk(k as Real / KNOTS as Real);
                let mut place = self.on_line(part, oriented);
                place.body = part.powf(profile);
                for hand in &mut place.hands {
                    hand.position += bow * (PI * part.powf(EARLY)).sin();
                }
                for i in 0..2 {
                    place.swivels[i] = self.first[i] + wrap_angle(last.swivels[i] - self.first[i]) * part;
                }
                place
            })
            .collect()
    }

    /// Chooses the swivel angles over the whole way, one arm after the other.
    fn choose_swivels(
        &mut self,
        end: &End,
        places: &mut Vec<Place>,
        oriented: bool,
        body_blocks: &mut bool,
    ) -> Option<Way> {
        for i in 0..self.sides.len() {
            let side = self.sides[i];
            let found = self.cheapest_row(end, places, i, oriented, body_blocks)?;
            for (place, swivel) in places.iter_mut().zip(found) {
                place.swivels[side] = swivel;
            }
        }
        let chosen = self.follow(&end.pose, places);
        let knots = chosen.map_err(|(_, blocked)| self.note(blocked)).ok()?;
        let mut smooth = places.clone();
        self.smooth(end, &mut smooth);
        if let Ok(knots) = self.follow(&end.pose, &smooth) {
            return Some(Way { knots, places: smooth, straight: true });
        }
        Some(Way { knots, places: core::mem::take(places), straight: true })
    }

    /// The row of swivel angles of an arm for which its joints turn least (Bellman 1957), with the
    /// arms before it as the places have them.
    fn cheapest_row(
        &mut self,
        end: &End,
        places: &[Place],
        order: usize,
        oriented: bool,
        body_blocks: &mut bool,
    ) -> Option<Vec<Real>> {
        let side = self.sides[order];
        let joints = self.arms[side].as_ref()?.joints();
        let own = [joints.upper, joints.lower, joints.end];
        let mut layers: Vec<Vec<Node>> = Vec::with_capacity(places.len());
        for (k, place) in places.iter().enumerate() {
            if let Err(blocked) = self.place_body(&end.pose, place.body) {
                self.note(blocked);
                return None;
            }
            for earlier in 0..order {
                let other = self.sides[earlier];
                if let Err(blocked) = self.place_arm(other, &place.hands[other], place.swivels[other]) {
                    self.note(blocked);
                    return None;
                }
            }
            let mut layer: Vec<Node> = Vec::new();
            let asked: Vec<Real> = match k {
                0 => alloc::vec![self.first[side]],
                // An orientation that the arm was not asked for on the way is right at this angle alone.
                _ if k + 1 == places.len() && self.is_oriented() && !oriented => {
                    alloc::vec![end.swivels[side]]
                }
                _ => {
                    let simple = place.swivels[side];
                    (0..SWIVELS).map(|i| simple + TAU * i as Real / SWIVELS as Real).collect()
                }
            };
            let body = self.pose.clone();
            for swivel in asked {
                // The end joint is the body's; each try starts from it.
                for joint in own {
                    self.pose.set_rotation(joint, body.rotation(joint));
                }
                match self.place_arm(side, &place.hands[side], swivel) {
                    Ok(swivel) => {
                        let rotations = own.map(|joint| self.pose.rotation(joint));
                        layer.push(Node { swivel, rotations, cost: Real::INFINITY, before: 0 });
                    }
                    Err(blocked) => self.note(blocked),
                }
            }
            for node in &mut layer {
                let off = wrap_angle(node.swivel - place.swivels[side]);
                let own_cost = SIMPLE * off * off;
                if k == 0 {
                    node.cost = own_cost;
                    continue;
                }
                for (i, last) in layers[k - 1].iter().enumerate() {
                    let turns = [0, 1, 2].map(|j| turn(last.rotations[j], node.rotations[j]));
                    let most = turns.into_iter().fold(0.0, Real::max);
                    let cost = last.cost + own_cost + turns.into_iter().map(|t| t * t).sum::<Real>();
                    if most <= JUMP && cost < node.cost {
                        (node.cost, node.before) = (cost, i);
                    }
                }
            }
            layer.retain(|node| node.cost.is_finite());
            if layer.is_empty() {
                // An arm that meets its own body may pass it earlier or later.
                *body_blocks = self.met_itself && !self.met_scene;
                return None;
            }
            layers.push(layer);
        }
        let last = layers.last()?;
        let mut at = (0..last.len()).min_by(|&a, &b| last[a].cost.total_cmp(&last[b].cost))?;
        let mut row = Vec::with_capacity(layers.len());
        for layer in layers.iter().rev() {
            row.push(layer[at].swivel);
            at = layer[at].before;
        }
        row.reverse();
        Some(row)
    }

    /// Takes the corners off the chosen angles, where the place stays free.
    fn smooth(&mut self, end: &End, places: &mut [Place]) {
        for sweep in 0..SWEEPS {
            for k in 1..places.len() - 1 {
                // Every other one at a time, so that both neighbours stand still.
                if (k + sweep) % 2 == 0 {
                    continue;
                }
                let middle = places[k - 1].towards(&places[k + 1], 0.5).swivels;
                let off = (0..2).map(|i| wrap_angle(middle[i] - places[k].swivels[i]).abs());
                if off.fold(0.0, Real::max) < 1.0e-3 {
                    continue;
                }
                let tried = Place { swivels: middle, ..places[k] };
                if self.place(&end.pose, &tried).is_ok() {
                    places[k] = tried;
                }
            }
        }
    }

    /// The way on which every joint turns straight to its angle at the end, the legs holding the feet.
    pub fn through_joints(&mut self, end: &Pose) -> Option<Way> {
        let mut knots: Vec<Pose> = Vec::with_capacity(KNOTS + 1);
        for k in 0..=KNOTS {
            let part = minimum_jerk(k as Real / KNOTS as Real);
            match self.place_blended(end, part) {
                Ok(()) => {}
                // Without obstacles a foot that slips a little is better than no motion.
                Err(Blocked::Short) if self.around.is_none() => {}
                Err(blocked) => {
                    self.note(blocked);
                    return None;
                }
            }
            if knots.last().is_some_and(|last| largest_turn(last, &self.pose) > JUMP) {
                return None;
            }
            knots.push(self.pose.clone());
        }
        Some(Way { knots, places: Vec::new(), straight: false })
    }
}

fn turn(a: Quat, b: Quat) -> Real {
    2.0 * a.dot(b).abs().min(1.0).acos()
}
