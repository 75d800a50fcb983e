//! Levenberg-Marquardt steps from one start until they rest.
//!
//! # Damping
//! `λ = k · E`, with `E` half the squared error (Chan & Lawrence 1988;
//! Sugihara 2011): strong far away, vanishing at a solution, so that the last
//! steps are Newton's and double the digits. `k` falls after steps that pay and
//! rises after steps that do not; a step that raises the error is undone. `λ`
//! is in units of the Jacobian's own size, so that a finger and a chain of a
//! thousand bones are damped alike.
//!
//! # Limits
//! They are an active set (`solver/active_set.rs`). A coordinate that rests at
//! the end of its range starts the next step held, and is let go when the pull
//! on it points inside.

use super::super::active_set::ActiveSet;
use super::super::articulation::{Articulation, Column, MAX_COLUMNS, Motion, NO_NODE};
use super::super::frame::{SolveFrame, Stop};
use super::super::goal_rows::{GoalRows, RowKinds};
use super::super::place::Place;
use super::step::StepSolver;
use crate::goal::GoalSet;
use crate::math::*;
use crate::skeleton::Skeleton;

/// How often a step is computed again because it left the limits.
const ROUNDS: usize = 4;
/// How `k` of the damping starts, and the least it becomes.
const START: Real = 0.5;
const LEAST: Real = 1.0e-6;
/// The damping that is always there, as a part of the Jacobian's size: far
/// below what slows the last steps, far above what rounding makes of a singular
/// matrix.
const FLOOR: Real = ROUNDING;
/// A step that leaves more than this part of the error is slow, and after so
/// many slow ones in a row the descent has come to rest.
const SLOW: Real = 0.9;
const PATIENCE: u32 = 5;

/// The descent and its scratch.
#[derive(Debug, Clone)]
pub(super) struct Descent {
    pub articulation: Articulation,
    pub now: Place,
    trial: Place,
    active: ActiveSet,
    step: StepSolver,
    /// The mean squared length of the Jacobian's rows.
    scale: Real,
}

impl Descent {
    pub(super) fn new(articulation: Articulation, goals: &GoalSet, kinds: &[RowKinds]) -> Self {
        Self {
            scale: scale(&articulation, goals, kinds),
            step: StepSolver::new(&articulation, kinds),
            active: ActiveSet::new(&articulation),
            now: Place::new(&articulation),
            trial: Place::new(&articulation),
            articulation,
        }
    }

    /// Goes down from `now.motions` until the goals are met, nothing improves
    /// or the budget is used up.
    pub(super) fn run(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        frame: &SolveFrame,
        budget: u32,
        iterations: &mut u32,
        expired: &mut dyn FnMut() -> bool,
    ) -> Stop {
        self.now.update(&self.articulation, goals, frame);
        self.active.clear();
        let mut trust: Real = START;
        let mut slow = 0;
        for _ in 0..budget {
            if self.now.met {
                return Stop::Converged;
            }
            if expired() {
                return Stop::Expired;
            }
            *iterations += 1;
            self.active.linearise(&self.articulation, &self.now);
            self.step.load(&self.now.rows, self.now.reference());
            let mut refused = 0;
            loop {
                let damping = (trust * self.now.cost + FLOOR) * self.scale;
                self.try_step(skeleton, damping);
                self.trial.update(&self.articulation, goals, frame);
                if self.trial.cost < self.now.cost {
                    break;
                }
                refused += 1;
                if refused > 6 {
                    return Stop::Stalled;
                }
                trust *= 8.0;
            }
            if refused == 0 {
                trust = (trust * 0.3).max(LEAST);
            }
            slow = if self.trial.cost > SLOW * self.now.cost { slow + 1 } else { 0 };
            core::mem::swap(&mut self.now, &mut self.trial);
            if slow >= PATIENCE && !self.now.met {
                return Stop::Stalled;
            }
        }
        if self.now.met { Stop::Converged } else { Stop::Iterations }
    }

    /// Computes a step that stays within the limits, and makes it from `now` to `trial`.
    fn try_step(&mut self, skeleton: &Skeleton, damping: Real) {
        let Self { articulation, now, trial, active, step, .. } = self;
        active.release(articulation, now);
        for round in 0..ROUNDS {
            step.solve(&active.coordinates, &now.rows, now.reference(), damping);
            // Only the first round lets go: what was held since is held for a reason.
            let pull = (round == 0).then_some(step.pull.as_slice());
            if !active.hold(articulation, skeleton, now, &step.step, pull) {
                break;
            }
        }
        active.advance(articulation, skeleton, &now.motions, &step.step, &mut trial.motions);
    }
}

/// The mean squared length of the Jacobian's rows at rest: what the damping has
/// to be compared with.
fn scale(articulation: &Articulation, goals: &GoalSet, kinds: &[RowKinds]) -> Real {
    let motions = alloc::vec![Motion::REST; articulation.nodes.len()];
    let mut frames = alloc::vec![Transform::IDENTITY; motions.len()];
    articulation.forward(&motions, &mut frames);
    let (mut sum, mut count) = (0.0, 0);
    let mut columns = [Column::ZERO; MAX_COLUMNS];
    for (i, (goal, kinds)) in goals.as_slice().iter().zip(kinds).enumerate() {
        let rows = GoalRows::new(goal, articulation.effector(i, &frames));
        let mut node = articulation.sites[i].node;
        if node != NO_NODE {
            count += kinds.count();
        }
        while let Some(n) = articulation.nodes.get(node as usize) {
            articulation.node_columns(node as usize, &motions, &frames, rows.at, &mut columns);
            for column in &columns[..n.count] {
                let [a, b] = rows.apply(column.linear, column.angular);
                sum += (a.length_squared() + b.length_squared()) * n.mobility * n.mobility;
            }
            node = n.parent;
        }
    }
    if sum > TINY && count > 0 { sum / count as Real } else { 1.0 }
}
