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
//! `e` rows and error of the end points, the step makes
//!
//! ```text
//! |e − J δ|² + μ (δ − d)ᵀ H (δ − d)
//! ```
//!
//! least, with a small `μ`. That is the damped step of `solver/step.rs` with the
//! posture as its [`Draw`] and nearly no damping besides; the rows come from
//! `solver/goal_rows.rs`, the columns and the ranges from `solver/active_set.rs`.
//! Nothing but the pose with the least combined error is ever returned, so this
//! cannot make a solution worse.
//!
//! That is [`Shape::Bends`]. People see more of a shape than eq. 21 does: the side
//! to which a joint bends, and the twists between two bends. [`Shape::Sides`]
//! takes the angles of the posture themselves, with squares instead of absolute
//! values: the solution then depends smoothly on target and posture, which is
//! what a moving character needs.

use alloc::vec::Vec;

use super::super::active_set::ActiveSet;
use super::super::articulation::Motion;
use super::super::driver::Progress;
use super::super::goal_rows::{GoalRows, RowKinds};
use super::super::step::{Draw, StepSolver};
use super::body::{Body, Link};
use super::measure::{Wanted, Wish, measure};
use super::options::ErikOptions;
use super::solution::Solution;
use crate::goal::{Effector, Goal};
use crate::math::*;
use crate::skeleton::{JointId, Skeleton};

/// Room for the optimiser.
#[derive(Debug, Clone)]
pub(super) struct Refine {
    active: ActiveSet,
    step: StepSolver,
    /// Where the posture draws each column, and how strongly.
    toward: Vec<Real>,
    burdens: Vec<Real>,
    /// Where a step leads.
    next: Vec<Motion>,
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
    pub skeleton: &'a Skeleton,
    pub body: &'a Body,
    pub wishes: &'a [Wish],
    pub posture: &'a [Wanted],
    pub options: &'a ErikOptions,
    pub shape: Shape,
}

impl Task<'_> {
    /// The combined error of a solution and what is to be made small.
    fn judge(&self, solution: &Solution) -> (Real, Real) {
        let end = |i: usize| solution.end(self.body, &self.body.limbs[i]);
        let rotation = |k: usize| solution.place.motions[k].rotation;
        let errors = measure(self.body, self.posture, self.wishes, self.options, end, rotation);
        if self.shape == Shape::Bends {
            return (errors.combined, errors.combined);
        }
        let mut sum = 0.0;
        for (k, link) in self.body.links.iter().enumerate() {
            let way = self.way(link, solution, k, solution.mirrored[k]);
            sum += link.stake * way * way;
        }
        (
            errors.combined,
            self.options.orientation_weight * errors.orientation + self.options.posture_weight * sum,
        )
    }

    /// The way from a node's value to the posture's, or to its mirror image.
    #[inline]
    fn way(&self, link: &Link, solution: &Solution, k: usize, mirrored: bool) -> Real {
        let way = self.posture[k].values[usize::from(mirrored)] - solution.value(k);
        if link.whole_turn { wrap_angle(way) } else { way }
    }

    /// Whether a joint is nearer to the mirror image. An image that the range
    /// cuts short does not have the bend and counts as further away.
    #[inline]
    fn is_mirrored(&self, link: &Link, solution: &Solution, k: usize) -> bool {
        let cost = |mirrored: bool| {
            let cut = self.posture[k].cut[usize::from(mirrored)];
            self.way(link, solution, k, mirrored).abs() + 4.0 * cut
        };
        link.bends() && cost(true) < cost(false)
    }
}

/// The most of an end point's error that one step goes for, in radians.
const REACH: Real = 0.8;
/// The most that a joint turns in one step.
const STEP: Real = 0.7;
/// Below this, in radians or metres, a step is none.
const STILL: Real = 1.0e-3;
/// The part of the error that a step has to take away, and how many in a row may
/// not: it often rises before it falls.
const GAIN: Real = 0.01;
const PATIENCE: u32 = 3;
/// How often a step is computed again because it left the ranges.
const ROUNDS: usize = 4;
/// How willing a twister is: it costs nothing, and should still not spin.
const TWIST: Real = 100.0;
/// Below this a deviation, or the square of a way, is as good as none.
const SOFT: Real = 1.0e-3;
/// `μ` as a part of the largest element on the diagonal of `J H⁻¹ Jᵀ`: it keeps
/// steps finite where the rows say nearly the same.
const YIELD: Real = 6.0e-5;
/// The damping as a part of `μ`: it should not count beside the posture.
const DAMPING: Real = 1.0e-4;

impl Refine {
    pub(super) fn new(body: &Body) -> Self {
        let (articulation, columns) = (&body.articulation, body.articulation.columns);
        let kinds = alloc::vec![RowKinds { position: false, orientation: true }; body.limbs.len()];
        Self {
            active: ActiveSet::new(articulation),
            step: StepSolver::new(articulation, &kinds, false),
            toward: alloc::vec![0.0; columns],
            burdens: alloc::vec![1.0; columns],
            next: alloc::vec![Motion::REST; articulation.nodes.len()],
            trial: Solution::new(articulation),
        }
    }

    /// Improves the solution in place and returns its combined error.
    pub(super) fn run(&mut self, task: &Task<'_>, solution: &mut Solution) -> Real {
        self.trial.copy_from(solution);
        let (mut best, merit) = task.judge(&self.trial);
        let mut never = || false;
        let mut progress = Progress::new(merit, task.options.refine, PATIENCE, GAIN, &mut never);
        let mut moved = Real::INFINITY;
        while progress.begin(moved < STILL).is_ok() {
            moved = self.make_step(task);
            let (error, merit) = task.judge(&self.trial);
            if progress.end(merit) {
                best = error;
                solution.copy_from(&self.trial);
            }
        }
        best
    }

    /// What the end points want of the trial.
    fn linearise(&mut self, task: &Task<'_>) {
        let place = &mut self.trial.place;
        for ((i, wish), rows) in task.wishes.iter().enumerate().zip(&mut place.rows) {
            *rows = GoalRows::NONE;
            if wish.usable {
                let now = task.body.articulation.effector(i, &place.frames);
                // Rows know the target and its weight; whose effector it is they do not ask.
                let goal = Goal::new(Effector::at(JointId(0)), wish.nearest_target(now));
                *rows = GoalRows::new(&goal.weights(0.0, wish.weight), now);
                rows.error[1] = rows.error[1].clamp_length_max(REACH * wish.weight);
            }
        }
        self.active.clear();
        self.active.linearise(&task.body.articulation, place);
        self.step.load(&place.rows, place.reference());
    }

    /// What the posture wants of the trial: `d` and `H` of the module's docs.
    /// Returns `μ`, for rows that are turns.
    fn draw(&mut self, task: &Task<'_>) -> Real {
        let trial = &mut self.trial;
        let mut diagonal = Vec3::ZERO;
        for (k, (node, link)) in task.body.articulation.nodes.iter().zip(&task.body.links).enumerate() {
            if node.count == 0 {
                continue;
            }
            if task.shape == Shape::Bends {
                trial.mirrored[k] = task.is_mirrored(link, trial, k);
            }
            let way = task.way(link, trial, k, trial.mirrored[k]);
            let (toward, burden) = match task.shape {
                Shape::Sides => (way, link.stake),
                Shape::Bends if !link.turns => (way, 1.0),
                Shape::Bends if link.twists => (0.0, 1.0 / TWIST),
                Shape::Bends => {
                    let deviation =
                        (link.bend_at(trial.place.motions[k].rotation) - task.posture[k].bend).abs();
                    let weight = link.share * (deviation + SOFT) / (way * way + SOFT);
                    (way, weight.max(0.05 * link.share))
                }
            };
            self.toward[node.first] = toward;
            self.burdens[node.first] = burden;
            let axis = self.active.coordinates[node.first].column.angular;
            diagonal += axis * axis / burden;
        }
        YIELD * diagonal.max_element() + TINY
    }

    /// Makes the step of the module's docs within the ranges; the most that a
    /// joint moves.
    fn make_step(&mut self, task: &Task<'_>) -> Real {
        self.linearise(task);
        let yields = self.draw(task);
        let Self { active, step, toward, burdens, next, trial } = self;
        let (articulation, place) = (&task.body.articulation, &mut trial.place);
        let draw = Draw { toward, burdens, weight: yields };
        for _ in 0..ROUNDS {
            step.solve(&active.coordinates, &place.rows, place.reference(), DAMPING * yields, draw);
            for moved in &mut step.step {
                *moved = if moved.is_finite() { moved.clamp(-STEP, STEP) } else { 0.0 };
            }
            if !active.hold(articulation, task.skeleton, place, &step.step, None) {
                break;
            }
        }
        active.advance(articulation, task.skeleton, &place.motions, &step.step, next);
        core::mem::swap(&mut place.motions, next);
        articulation.forward(&place.motions, &mut place.frames);
        step.step.iter().fold(0.0, |most, moved| most.max(moved.abs()))
    }
}
