//! A better optimiser for the same combined error, started from a solution.
//!
//! Where the posture's weight is below the orientation's, as it is by default,
//! no gain in posture pays for a miss of the target that joints could avoid. So
//! the problem is: *of all poses that look where they should, the one with the
//! least posture error*. The posture error is a weighted sum of absolute
//! deviations, one for each bend; near a solution each is replaced by the
//! parabola through it (iteratively reweighted least squares), and the
//! orientation by its linearisation. With `d` the way of each joint to the
//! angle with the wanted bend on its side, `H` the parabolas' weights, `J` and
//! `e` rows and error of the end points, a step is
//!
//! ```text
//! δ = d + H⁻¹ Jᵀ (J H⁻¹ Jᵀ + μ)⁻¹ (e − J d)
//! ```
//!
//! Joints that it would take out of their range stay at the edge and the others
//! are computed again. Nothing but the pose with the least combined error is
//! ever returned, so this cannot make a solution worse.
//!
//! That is [`Shape::Bends`]. People see more of a shape than eq. 21 does: the side
//! to which a joint bends, and the twists between two bends. [`Shape::Sides`]
//! takes the angles of the posture themselves, with squares instead of absolute
//! values: the solution then depends smoothly on target and posture, which is
//! what a moving character needs.
//!
//! The rows also know how the place of the end point changes what it takes to
//! look at a point, and slides have columns there.

use alloc::vec::Vec;

use super::body::{Body, Link, NO_LINK};
use super::measure::{Errors, Weights, Wish, measure};
use super::solution::Solution;
use crate::linalg::{solve_positive, solve_positive_slice};
use crate::math::*;

/// Room for the optimiser.
#[derive(Debug, Clone)]
pub(super) struct Refine {
    /// The columns of every end point, end point after end point: how a unit of
    /// each link turns what is seen.
    columns: Vec<Vec3>,
    error: Vec<Vec3>,
    square: Vec<Real>,
    pull: Vec<Real>,
    inverse_weight: Vec<Real>,
    way: Vec<Real>,
    step: Vec<Real>,
    held: Vec<bool>,
    /// Where each link's joint is.
    places: Vec<Vec3>,
    trial: Solution,
}

/// What of a posture is to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// What eq. 21 measures.
    Bends,
    /// The angles themselves, each on the side that the solution has it on.
    Sides,
}

/// What the optimiser is to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Task<'a> {
    pub body: &'a Body,
    pub bends: &'a [Real],
    pub posture: &'a Solution,
    pub weights: Weights,
    pub shape: Shape,
}

/// The way to the posture's own angle, or to its mirror image.
#[inline]
fn way_to_posture(link: &Link, solution: &Solution, k: usize, posture: Real) -> Real {
    let wanted = if solution.mirrored[k] { 2.0 * link.peak - posture } else { posture };
    let way = link.safe(wanted) - solution.values[k];
    if link.whole_turn { wrap_angle(way) } else { way }
}

/// Puts a joint on the side that it is nearer to. An image that the range cuts
/// short does not have the bend and counts as further away.
#[inline]
fn choose_side(link: &Link, solution: &mut Solution, k: usize, posture: Real) {
    if link.twists || link.slides {
        solution.mirrored[k] = false;
        return;
    }
    let mut cost = [0.0; 2];
    for (mirrored, cost) in [false, true].into_iter().zip(&mut cost) {
        solution.mirrored[k] = mirrored;
        let wanted = if mirrored { 2.0 * link.peak - posture } else { posture };
        *cost = way_to_posture(link, solution, k, posture).abs() + 4.0 * link.excess(wanted);
    }
    solution.mirrored[k] = cost[1] < cost[0];
}

/// The most of an end point's error that one step goes for, in radians.
const REACH: Real = 0.8;
/// The most that a joint turns in one step.
const STEP: Real = 0.7;

impl Refine {
    pub(super) fn new(body: &Body) -> Self {
        let (links, rows) = (body.links.len(), 3 * body.limbs.len());
        Self {
            columns: alloc::vec![Vec3::ZERO; body.limbs.len() * links],
            error: alloc::vec![Vec3::ZERO; body.limbs.len()],
            square: alloc::vec![0.0; rows * rows],
            pull: alloc::vec![0.0; rows],
            inverse_weight: alloc::vec![0.0; links],
            way: alloc::vec![0.0; links],
            step: alloc::vec![0.0; links],
            held: alloc::vec![false; links],
            places: alloc::vec![Vec3::ZERO; links],
            trial: Solution::new(links),
        }
    }

    /// Improves the solution in place and returns its errors; the wishes that
    /// look at points follow the end points, and must be up to date.
    pub(super) fn run(
        &mut self,
        task: &Task<'_>,
        wishes: &mut [Wish],
        iterations: u32,
        solution: &mut Solution,
    ) -> Errors {
        let body = task.body;
        self.trial.copy_from(solution);
        let (mut best, mut least) = self.judge(task, wishes);
        let mut idle = 0;
        for _ in 0..iterations {
            self.linearise(body, wishes);
            self.find_step(task);
            let mut largest: Real = 0.0;
            for k in 0..body.links.len() {
                let value = body.links[k].safe(self.trial.values[k] + self.step[k]);
                largest = largest.max(self.step[k].abs());
                self.trial.set(body, k, value);
            }
            self.trial.update(body);
            for (limb, wish) in body.limbs.iter().zip(wishes.iter_mut()) {
                wish.look(self.trial.end_position_if(body, limb, wish));
            }
            let (errors, merit) = self.judge(task, wishes);
            idle += 1;
            if merit < least {
                if merit < least * 0.99 - 1.0e-6 {
                    idle = 0;
                }
                (best, least) = (errors, merit);
                solution.copy_from(&self.trial);
            }
            if idle >= 3 || largest < 1.0e-4 {
                break;
            }
        }
        for (limb, wish) in body.limbs.iter().zip(wishes.iter_mut()) {
            wish.look(solution.end_position_if(body, limb, wish));
        }
        best
    }

    /// The errors of the trial and what is to be made small.
    fn judge(&self, task: &Task<'_>, wishes: &[Wish]) -> (Errors, Real) {
        let errors = measure(task.body, task.bends, wishes, task.weights, &self.trial);
        let merit = match task.shape {
            Shape::Bends => errors.combined,
            Shape::Sides => {
                let mut sum = 0.0;
                for (k, link) in task.body.links.iter().enumerate() {
                    let way = way_to_posture(link, &self.trial, k, task.posture.values[k]);
                    sum += link.stake * way * way;
                }
                task.weights.orientation * errors.orientation + task.weights.posture * sum
            }
        };
        (errors, merit)
    }

    /// Rows and errors at the trial.
    fn linearise(&mut self, body: &Body, wishes: &[Wish]) {
        let links = body.links.len();
        self.columns.fill(Vec3::ZERO);
        let looks_at = wishes.iter().any(|w| w.point.is_some());
        if looks_at {
            self.trial.places(body, &mut self.places);
        }
        for (i, (limb, wish)) in body.limbs.iter().zip(wishes).enumerate() {
            let now = self.trial.end(limb);
            if !wish.usable {
                self.error[i] = Vec3::ZERO;
                continue;
            }
            let wanted = wish.nearest(now);
            let mut turn = rotation::log(wanted * now.conjugate());
            let length = turn.length();
            if length > REACH {
                turn *= REACH / length;
            }
            self.error[i] = turn;
            let looks = now * wish.pointing;
            let (mut tip, mut away) = (Vec3::ZERO, Vec3::ZERO);
            if let Some(point) = wish.point {
                tip = self.places[limb.tip] + now * limb.reach;
                let way = point - tip;
                let squared = way.length_squared();
                away = if squared > TINY { way / squared } else { Vec3::ZERO };
            }
            let mut k = limb.tip;
            while k != NO_LINK {
                let link = &body.links[k];
                let axis = self.trial.basis(body, k) * link.axis;
                let mut column = if link.slides { Vec3::ZERO } else { axis };
                if wish.free_roll {
                    column -= looks * looks.dot(column);
                }
                if wish.point.is_some() {
                    let velocity = if link.slides { axis } else { axis.cross(tip - self.places[k]) };
                    column += away.cross(velocity);
                }
                self.columns[i * links + k] = column;
                k = link.parent;
            }
        }
    }

    /// `J H⁻¹ Jᵀ + μ` over the joints that are free, and `e − J d`, where a joint
    /// that is held makes its given step.
    fn assemble(&mut self, links: usize) {
        let limbs = self.error.len();
        let rows = 3 * limbs;
        let mut largest: Real = 0.0;
        for i in 0..limbs {
            let own = &self.columns[i * links..(i + 1) * links];
            let mut pull = self.error[i];
            for (column, way) in own.iter().zip(&self.way) {
                pull -= *column * *way;
            }
            self.pull[3 * i..3 * i + 3].copy_from_slice(&pull.to_array());
            for j in 0..=i {
                let other = &self.columns[j * links..(j + 1) * links];
                let mut block = Mat3::ZERO;
                for k in 0..links {
                    if !self.held[k] {
                        let weighted = own[k] * self.inverse_weight[k];
                        let o = other[k];
                        block += Mat3::from_cols(weighted * o.x, weighted * o.y, weighted * o.z);
                    }
                }
                for (c, column) in [block.x_axis, block.y_axis, block.z_axis].into_iter().enumerate() {
                    for (r, x) in column.to_array().into_iter().enumerate() {
                        self.square[(3 * i + r) * rows + 3 * j + c] = x;
                    }
                }
            }
            for r in 3 * i..3 * i + 3 {
                largest = largest.max(self.square[r * rows + r]);
            }
        }
        for r in 0..rows {
            self.square[r * rows + r] += DAMPING * largest + TINY;
        }
    }

    /// The step of the module's docs, with the ranges.
    fn find_step(&mut self, task: &Task<'_>) {
        let Task { body, posture, bends, .. } = *task;
        let links = body.links.len();
        for k in 0..links {
            let link = &body.links[k];
            self.held[k] = false;
            if task.shape == Shape::Bends {
                choose_side(link, &mut self.trial, k, posture.values[k]);
            }
            let way = way_to_posture(link, &self.trial, k, posture.values[k]);
            (self.way[k], self.inverse_weight[k]) = match task.shape {
                Shape::Sides => (way, 1.0 / link.stake),
                Shape::Bends if link.slides => (way, 1.0),
                Shape::Bends if link.twists => (0.0, TWIST),
                Shape::Bends => {
                    let (s, c) = self.trial.halves[k];
                    let deviation = (link.bend.at_half(s, c) - bends[k]).abs();
                    let weight = link.share * (deviation + SOFT) / (way * way + SOFT);
                    (way, 1.0 / weight.max(0.05 * link.share))
                }
            };
        }
        for _round in 0..4 {
            self.assemble(links);
            if let (Ok(pull), [a, b, c, d, e, f, g, h, i]) =
                (<&mut [Real; 3]>::try_from(&mut self.pull[..]), &self.square[..])
            {
                solve_positive(&mut [[*a, *b, *c], [*d, *e, *f], [*g, *h, *i]], pull);
            } else {
                solve_positive_slice(&mut self.square, &mut self.pull);
            }
            let mut left = false;
            for k in 0..links {
                if self.held[k] {
                    self.step[k] = self.way[k];
                    continue;
                }
                let mut step = self.way[k];
                for (i, pull) in self.pull.chunks_exact(3).enumerate() {
                    let pull = Vec3::new(pull[0], pull[1], pull[2]);
                    step += self.inverse_weight[k] * self.columns[i * links + k].dot(pull);
                }
                let link = &body.links[k];
                let step = if step.is_finite() { step.clamp(-STEP, STEP) } else { 0.0 };
                self.step[k] = step;
                if !link.whole_turn {
                    let value = self.trial.values[k];
                    let inside = (value + step).max(link.min).min(link.max);
                    if (inside - value - step).abs() > ROUNDING {
                        self.held[k] = true;
                        self.way[k] = inside - value;
                        self.step[k] = self.way[k];
                        left = true;
                    }
                }
            }
            if !left {
                break;
            }
        }
    }
}

/// How willing a twister is: it costs nothing, and should still not spin.
const TWIST: Real = 100.0;
/// Below this a deviation, or the square of a way, is as good as none.
const SOFT: Real = 1.0e-3;
/// Keeps steps finite where the rows say nearly the same.
const DAMPING: Real = 1.0e-4;
