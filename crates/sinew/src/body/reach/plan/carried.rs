//! The way on which the hand goes straight and the whole body goes along.
//!
//! A blend of two postures has one freedom, and the hand's line may need others: far behind the shoulder,
//! or beside an obstacle, there is a share of the blend at which the arm cannot be on the line. Here every
//! knot is a descent of the whole body from its neighbour, with the hand on its line, clear of what is in
//! the way, and drawn to the blend. Such a row of descents may end at limits that another posture does
//! not meet, so that one is made from the start and one from the end; where both are on the line at
//! the same places, the body goes over from the one to the other.

use alloc::vec::Vec;

use super::planner::{Blocked, HALVINGS, JUMP, KNOTS, Place, Planner, Way, largest_move, largest_turn};
use super::posture::End;
use crate::analytic::LimbGoal;
use crate::body::reach::motion::minimum_jerk;
use crate::body::reach::whole_body::Among;
use crate::math::*;
use crate::pose::Pose;

/// On at least so many knots the body goes over from one row of descents to the other.
const OVERLAP: usize = 12;
/// From one knot to the next a row may turn a joint by this much before it is smoothed, in radians.
const BURST: Real = 2.0 * JUMP;
/// How far lines are bent that go round something, in arm's lengths, to so many sides.
const BOWS: [Real; 3] = [0.25, 0.5, 0.8];
const ROUND: usize = 8;
/// Sweeps that smooth a row, and what they leave alone: a knot that is off the middle of its neighbours by
/// less than this, in radians.
const SWEEPS: usize = 60;
const CALM: Real = 4.0e-3;

impl Planner<'_> {
    /// The straight way to an end posture, with the body as each step needs it.
    pub fn carried(&mut self, end: &End, among: &mut Option<Among>) -> Option<Way> {
        self.carried_on(end, Vec3::ZERO, among)
    }

    /// The same along lines that are bent round what is in the way.
    pub fn carried_round(&mut self, end: &End, among: &mut Option<Among>) -> Option<Way> {
        let side = *self.sides.first()?;
        let line = self.to[side].position - self.from[side].translation;
        let reach = self.arms[side].as_ref()?.reach().1;
        let aside = line.any_orthogonal_vector().normalize_or_zero();
        let other = line.cross(aside).normalize_or_zero();
        let bows = BOWS.into_iter().flat_map(|bow| (0..ROUND).map(move |i| (bow, i)));
        bows.into_iter().find_map(|(bow, i)| {
            let (sin, cos) = (TAU * i as Real / ROUND as Real).sin_cos();
            self.carried_on(end, (aside * cos + other * sin) * (bow * reach), among)
        })
    }

    fn carried_on(&mut self, end: &End, bow: Vec3, among: &mut Option<Among>) -> Option<Way> {
        let modes: &[bool] = if self.is_oriented() { &[true, false] } else { &[false] };
        modes.iter().find_map(|&oriented| {
            let at = |k: usize| {
                let part = minimum_jerk(k as Real / KNOTS as Real);
                let mut place = self.on_line(part, oriented);
                for hand in &mut place.hands {
                    hand.position += bow * (PI * part).sin();
                }
                place
            };
            let places: Vec<Place> = (0..=KNOTS).map(at).collect();
            let way = self.carried_along(end, places, among)?;
            Some(Way { straight: bow == Vec3::ZERO, ..way })
        })
    }

    fn carried_along(&mut self, end: &End, places: Vec<Place>, among: &mut Option<Among>) -> Option<Way> {
        let last = places.len() - 1;
        let mut style = self.start.clone();
        let forwards = self.carry_row(&end.pose, &places, (0..=last).collect(), among);
        if forwards.len() > last {
            return self.carried_way(forwards, places);
        }
        let mut backwards = self.carry_row(&end.pose, &places, (0..=last).rev().collect(), among);
        let first = last + 1 - backwards.len();
        if first + OVERLAP > forwards.len() {
            return None;
        }
        backwards.reverse();
        let over = (forwards.len() - 1 - first) as Real;
        let mut knots: Vec<Pose> = Vec::with_capacity(places.len());
        for (k, place) in places.iter().enumerate() {
            let knot = match (forwards.get(k), k.checked_sub(first)) {
                (Some(a), Some(i)) => {
                    style.blend(a, &backwards[i], smooth(i as Real / over));
                    let mut pose = style.clone();
                    self.carry_to(place, &style, among, &mut pose).ok()?;
                    pose
                }
                (Some(a), None) => a.clone(),
                (None, i) => backwards[i?].clone(),
            };
            knots.push(knot);
        }
        self.carried_way(knots, places)
    }

    /// One descent after the other along places, in this order, as far as they go.
    fn carry_row(
        &mut self,
        end: &Pose,
        places: &[Place],
        order: Vec<usize>,
        among: &mut Option<Among>,
    ) -> Vec<Pose> {
        let from_start = order.first() == Some(&0);
        let mut pose = if from_start { self.start.clone() } else { end.clone() };
        let mut style = pose.clone();
        let mut row: Vec<Pose> = alloc::vec![pose.clone()];
        for k in order.into_iter().skip(1) {
            let place = &places[k];
            style.blend(&self.start, end, place.body);
            let found = self.carry_to(place, &style, among, &mut pose);
            let jumps = row.last().is_some_and(|last| largest_turn(last, &pose) > BURST);
            if let Err(blocked) = found {
                self.note(blocked);
                break;
            }
            if jumps {
                break;
            }
            row.push(pose.clone());
        }
        row
    }

    /// Goes from a pose to one with the hands in their place that touches nothing.
    fn carry_to(
        &mut self,
        place: &Place,
        style: &Pose,
        among: &mut Option<Among>,
        pose: &mut Pose,
    ) -> Result<(), Blocked> {
        let goals: [Option<LimbGoal>; 2] =
            [0, 1].map(|side| self.arms[side].is_some().then_some(place.hands[side]));
        if !self.solver.carry(self.skeleton, goals, style, among.as_mut(), pose) {
            return Err(Blocked::Short);
        }
        let found = pose.clone();
        self.place_nearly(&found, place)
    }

    /// Spreads over its neighbours what a knot turns more than they do, with hands and feet in their
    /// places and nothing in contact: a descent that comes to a limit goes round it in a burst.
    pub fn smooth_knots(&mut self, knots: &mut [Pose], places: &[Place]) {
        let mut middle = self.start.clone();
        for sweep in 0..SWEEPS {
            let mut calm = true;
            // Every other one at a time, so that both neighbours stand still.
            for k in (1 + sweep % 2..knots.len() - 1).step_by(2) {
                middle.blend(&knots[k - 1], &knots[k + 1], 0.5);
                if largest_turn(&middle, &knots[k]) < CALM {
                    continue;
                }
                calm = false;
                if self.place_nearly(&middle, &places[k]).is_err() {
                    continue;
                }
                middle.copy_from(&self.pose);
                let free = |planner: &mut Self, i: usize, a: &Pose, b: &Pose| {
                    planner.is_step_free((a, b), (&places[i], &places[i + 1]))
                };
                if free(self, k - 1, &knots[k - 1], &middle) && free(self, k, &middle, &knots[k + 1]) {
                    knots[k].copy_from(&middle);
                }
            }
            if calm && sweep > 0 {
                break;
            }
        }
    }

    /// Whether the step from one knot to the next is free.
    fn is_step_free(&mut self, (a, b): (&Pose, &Pose), places: (&Place, &Place)) -> bool {
        self.model.update(self.skeleton, a);
        let before = self.model.positions().to_vec();
        self.model.update(self.skeleton, b);
        let moved = largest_move(&before, self.model.positions());
        let step = self.between_knots((a, b), places, moved, HALVINGS);
        step.map_err(|blocked| self.note(blocked)).is_ok()
    }

    /// The way over these knots, if they are near each other and all between them is free.
    fn carried_way(&mut self, mut knots: Vec<Pose>, places: Vec<Place>) -> Option<Way> {
        self.smooth_knots(&mut knots, &places);
        for k in 1..knots.len() {
            let pair = (&knots[k - 1], &knots[k]);
            if largest_turn(pair.0, pair.1) > JUMP || !self.is_step_free(pair, (&places[k - 1], &places[k])) {
                return None;
            }
        }
        Some(Way { knots, places, straight: true })
    }
}

/// From 0 to 1 with rest at both ends.
fn smooth(t: Real) -> Real {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
