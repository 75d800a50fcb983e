//! Rows that tie several joints together, beside the goals that hang on one.
//!
//! The recursion of `solver/step.rs` is linear in the number of joints because every goal acts
//! on the twist of one node. A frame relative to another joint, the centre of mass and the way
//! between two parts of the body do not: each is one row `c` over all columns. A few such rows
//! are a small correction to the step `δ₀` without them. With `H` the matrix of that step,
//! `x = H⁻¹ cᵀ` is one more pass of the recursion, and
//!
//! ```text
//! δ = δ₀ + Σ yᵣ xᵣ,   (C H⁻¹ Cᵀ + S) y = e − C δ₀
//! ```
//!
//! makes `½ |e − J δ|² + … + ½ Σ (eᵣ − cᵣ δ)² / sᵣ` least. There are two kinds of rows:
//!
//! - *asked*: `c δ = e`, a row of a goal, whose weight is in the row, so that `s` is 1;
//! - *guarded*: `c δ ≥ e`, an inequality, whose force `y` only pushes: `y ≥ 0`. Its `s` is small,
//!   so that it gives way to no goal, and not zero, so that rows that contradict each other or
//!   the limits have an answer.
//!
//! Only guarded rows that the step would break take part. The inequalities are settled as in
//! any active-set method: rows that pull are let go, rows that are broken are taken in.

use alloc::vec::Vec;

use super::active_set::Coordinate;
use super::room::Room;
use super::step::StepSolver;
use crate::linalg;
use crate::math::*;

/// How much a guarded row gives: a push of one metre of goal error bends it by a tenth of a
/// millimetre.
const SOFTNESS: Real = 1.0e-4;
/// A guarded row that a step leaves by less than this, in metres, is kept.
const KEPT: Real = 1.0e-6;
/// How often broken rows are looked for.
const ROUNDS: usize = 6;

/// What a row wants.
#[derive(Debug, Clone, Copy)]
struct Row {
    /// `e`.
    error: Real,
    guarded: bool,
    /// Whether it takes part in this step, and where its response is kept.
    slot: Option<usize>,
    /// Whether it pushes.
    pushes: bool,
}

/// The rows of one step and the scratch to solve for them; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct Coupling {
    columns: usize,
    most: usize,
    rows: Room<Row>,
    values: Vec<Real>,
    /// The rows that take part.
    working: Room<usize>,
    /// What each of them makes of the step and of the pulls at held coordinates.
    steps: Vec<Real>,
    pulls: Vec<Real>,
    /// `C H⁻¹ Cᵀ` of the working rows, and `e − C δ₀`.
    gram: Vec<Real>,
    wanted: Vec<Real>,
    matrix: Vec<Real>,
    solution: Vec<Real>,
    forces: Vec<Real>,
    /// The step and the pulls without any of these rows.
    base: Vec<Real>,
    base_pull: Vec<Real>,
}

impl Coupling {
    /// Room for so many rows.
    pub(crate) fn new(columns: usize, most: usize) -> Self {
        Self {
            columns,
            most,
            rows: Room::new(most),
            values: alloc::vec![0.0; most * columns],
            working: Room::new(most),
            steps: alloc::vec![0.0; most * columns],
            pulls: alloc::vec![0.0; most * columns],
            gram: alloc::vec![0.0; most * most],
            wanted: alloc::vec![0.0; most],
            matrix: alloc::vec![0.0; most * most],
            solution: alloc::vec![0.0; most],
            forces: alloc::vec![0.0; most],
            base: alloc::vec![0.0; columns],
            base_pull: alloc::vec![0.0; columns],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.working.clear();
    }

    /// Whether there is nothing to solve.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds an asked row; its values are zero and to be written.
    pub(crate) fn ask(&mut self, error: Real) -> Option<&mut [Real]> {
        self.add(error, false)
    }

    /// Adds a guarded row; its values are zero and to be written.
    pub(crate) fn guard(&mut self, error: Real) -> Option<&mut [Real]> {
        self.add(error, true)
    }

    fn add(&mut self, error: Real, guarded: bool) -> Option<&mut [Real]> {
        let at = self.rows.len();
        if at >= self.most {
            return None;
        }
        self.rows.push(Row { error, guarded, slot: None, pushes: false });
        let own = &mut self.values[at * self.columns..(at + 1) * self.columns];
        own.fill(0.0);
        Some(own)
    }

    /// The largest force of a guarded row in the last step.
    pub(crate) fn largest_force(&self) -> Real {
        let guarded = self.working.iter().enumerate().filter(|(_, r)| self.rows[**r].guarded);
        guarded.fold(0.0, |most, (slot, _)| most.max(self.forces[slot]))
    }

    /// Corrects a step that was solved for everything else.
    pub(crate) fn correct(&mut self, coordinates: &[Coordinate], solver: &mut StepSolver) {
        self.working.clear();
        for row in self.rows.iter_mut() {
            row.slot = None;
            row.pushes = false;
        }
        self.base.copy_from_slice(&solver.step);
        self.base_pull.copy_from_slice(&solver.pull);
        for round in 0..ROUNDS {
            let mut taken = false;
            for r in 0..self.rows.len() {
                let Row { error, guarded, slot, .. } = self.rows[r];
                if slot.is_some() || (!guarded && round > 0) {
                    continue;
                }
                let along = self.along(r, &solver.step);
                if !guarded || along < error - KEPT {
                    self.take(r, coordinates, solver);
                    taken = true;
                }
            }
            if !taken {
                break;
            }
            self.settle();
            self.apply(solver);
        }
    }

    fn along(&self, row: usize, step: &[Real]) -> Real {
        let own = &self.values[row * self.columns..(row + 1) * self.columns];
        own.iter().zip(step).map(|(a, b)| a * b).sum()
    }

    /// Lets a row take part.
    fn take(&mut self, row: usize, coordinates: &[Coordinate], solver: &mut StepSolver) {
        let (n, slot) = (self.columns, self.working.len());
        let own = &self.values[row * n..(row + 1) * n];
        let span = slot * n..(slot + 1) * n;
        solver.respond(coordinates, own, &mut self.steps[span.clone()], &mut self.pulls[span.clone()]);
        self.wanted[slot] = self.rows[row].error - self.along(row, &self.base);
        self.working.push(row);
        self.rows[row].slot = Some(slot);
        self.rows[row].pushes = true;
        self.forces[slot] = 0.0;
        for other in 0..=slot {
            let to = self.working[other];
            let both = self.along(to, &self.steps[span.clone()]);
            self.gram[slot * self.most + other] = both;
            self.gram[other * self.most + slot] = both;
        }
    }

    /// Finds the forces of the working rows.
    fn settle(&mut self) {
        let count = self.working.len();
        // Every change of the set lowers the dual's value but for ties; the bound ends those.
        for _ in 0..3 * count + 3 {
            self.solve_pushing();
            let mut worst: Option<(usize, Real)> = None;
            for slot in 0..count {
                let row = &self.rows[self.working[slot]];
                if row.guarded
                    && row.pushes
                    && self.forces[slot] < 0.0
                    && worst.is_none_or(|(_, w)| self.forces[slot] < w)
                {
                    worst = Some((slot, self.forces[slot]));
                }
            }
            if let Some((slot, _)) = worst {
                self.rows[self.working[slot]].pushes = false;
                continue;
            }
            let mut broken: Option<(usize, Real)> = None;
            for slot in 0..count {
                if self.rows[self.working[slot]].pushes {
                    continue;
                }
                let reached: Real =
                    (0..count).map(|o| self.gram[slot * self.most + o] * self.forces[o]).sum();
                let short = self.wanted[slot] - reached;
                if short > KEPT && broken.is_none_or(|(_, w)| short > w) {
                    broken = Some((slot, short));
                }
            }
            match broken {
                Some((slot, _)) => self.rows[self.working[slot]].pushes = true,
                None => break,
            }
        }
        for slot in 0..count {
            let row = &self.rows[self.working[slot]];
            if !self.forces[slot].is_finite() || (row.guarded && self.forces[slot] < 0.0) {
                self.forces[slot] = 0.0;
            }
        }
    }

    /// Solves for the rows that push; the others have no force.
    fn solve_pushing(&mut self) {
        let mut size = 0;
        for &row in &self.working {
            size += usize::from(self.rows[row].pushes);
        }
        let (mut i, mut order) = (0, 0);
        for (slot, &row) in self.working.iter().enumerate() {
            if !self.rows[row].pushes {
                continue;
            }
            let mut j = 0;
            for (other, &to) in self.working.iter().enumerate() {
                if self.rows[to].pushes {
                    self.matrix[i * size + j] = self.gram[slot * self.most + other];
                    j += 1;
                }
            }
            self.matrix[i * size + i] += if self.rows[row].guarded { SOFTNESS } else { 1.0 };
            self.solution[i] = self.wanted[slot];
            i += 1;
        }
        linalg::solve_positive_slice(&mut self.matrix[..size * size], &mut self.solution[..size]);
        for (slot, &row) in self.working.iter().enumerate() {
            self.forces[slot] = 0.0;
            if self.rows[row].pushes {
                self.forces[slot] = self.solution[order];
                order += 1;
            }
        }
    }

    fn apply(&self, solver: &mut StepSolver) {
        solver.step.copy_from_slice(&self.base);
        solver.pull.copy_from_slice(&self.base_pull);
        for slot in 0..self.working.len() {
            let force = self.forces[slot];
            if force == 0.0 {
                continue;
            }
            let span = slot * self.columns..(slot + 1) * self.columns;
            for (x, response) in solver.step.iter_mut().zip(&self.steps[span.clone()]) {
                *x += force * response;
            }
            for (x, response) in solver.pull.iter_mut().zip(&self.pulls[span]) {
                *x += force * response;
            }
        }
    }
}
