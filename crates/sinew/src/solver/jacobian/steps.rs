//! One step of each method of the family.

use alloc::vec::Vec;

use super::super::active_set::Coordinate;
use super::super::articulation::{Articulation, Motion};
use super::super::goal_rows::RowKinds;
use super::super::place::Place;
use super::JacobianMethod;
use super::matrix::fill;
use crate::goal::PostureGoal;
use crate::linalg::solve_positive_slice;
use crate::linalg::svd::Svd;
use crate::math::*;

/// The matrix, the error and the room for a step. Columns are scaled by the
/// joints' mobility; [`finish`](Self::finish) scales the step back.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    rows: usize,
    columns: usize,
    values: Vec<Real>,
    error: Vec<Real>,
    /// The step, in scaled columns until it is finished.
    pub step: Vec<Real>,
    mobility: Vec<Real>,
    square: Vec<Real>,
    along: Vec<Real>,
    pull: Vec<Real>,
    svd: Svd,
}

impl Steps {
    pub(super) fn new(articulation: &Articulation, kinds: &[RowKinds], method: JacobianMethod) -> Self {
        let rows: usize = kinds.iter().map(|k| k.count()).sum();
        let columns = articulation.columns;
        let square = match method {
            JacobianMethod::Dls { .. } => rows * rows,
            _ => 0,
        };
        Self {
            rows,
            columns,
            values: alloc::vec![0.0; rows * columns],
            error: alloc::vec![0.0; rows],
            step: alloc::vec![0.0; columns],
            mobility: articulation.mobilities(),
            square: alloc::vec![0.0; square],
            along: alloc::vec![0.0; rows],
            pull: alloc::vec![0.0; columns],
            svd: Svd::new(rows, columns),
        }
    }

    /// Takes the Jacobian at a place, with errors cut to `reach`.
    pub(super) fn load(
        &mut self,
        articulation: &Articulation,
        place: &Place,
        coordinates: &[Coordinate],
        kinds: &[RowKinds],
        reach: Real,
    ) {
        fill(articulation, place, coordinates, kinds, &mut self.values, &mut self.error);
        for row in self.values.chunks_exact_mut(self.columns.max(1)) {
            for (x, mobility) in row.iter_mut().zip(&self.mobility) {
                *x *= mobility;
            }
        }
        for part in self.error.chunks_exact_mut(3) {
            let length = (part[0] * part[0] + part[1] * part[1] + part[2] * part[2]).sqrt();
            if length > reach {
                part.iter_mut().for_each(|x| *x *= reach / length);
            }
        }
    }

    pub(super) fn step(&mut self, method: JacobianMethod) {
        self.step.fill(0.0);
        match method {
            JacobianMethod::Transpose => self.transpose(),
            JacobianMethod::PseudoInverse => {
                self.svd.decompose(&self.values);
                self.svd.solve_damped(&self.error, 0.0, 0.0, &mut self.step);
            }
            JacobianMethod::Dls { damping } => self.damped(damping),
            JacobianMethod::DlsSvd { bound } => {
                self.svd.decompose(&self.values);
                let damping = maciejewski(self.svd.smallest_above(0.0), length(&self.error), bound);
                self.svd.solve_damped(&self.error, damping, 0.0, &mut self.step);
            }
            JacobianMethod::Sdls { clamp } => {
                self.svd.decompose(&self.values);
                self.selective(clamp);
            }
        }
    }

    fn row(&self, r: usize) -> &[Real] {
        &self.values[r * self.columns..(r + 1) * self.columns]
    }

    /// `step += Jᵀ y`.
    fn add_transposed(step: &mut [Real], values: &[Real], y: &[Real]) {
        for (row, y) in values.chunks_exact(step.len().max(1)).zip(y) {
            for (s, x) in step.iter_mut().zip(row) {
                *s += x * y;
            }
        }
    }

    fn transpose(&mut self) {
        Self::add_transposed(&mut self.step, &self.values, &self.error);
        for r in 0..self.rows {
            self.along[r] = dot(self.row(r), &self.step);
        }
        let squared = dot(&self.along, &self.along);
        let factor = if squared > TINY { dot(&self.error, &self.along) / squared } else { 0.0 };
        self.step.iter_mut().for_each(|s| *s *= factor);
    }

    fn damped(&mut self, damping: Real) {
        let n = self.rows;
        for r in 0..n {
            for c in 0..=r {
                self.square[r * n + c] = dot(self.row(r), self.row(c));
            }
            self.square[r * n + r] += damping * damping;
        }
        self.along.copy_from_slice(&self.error);
        solve_positive_slice(&mut self.square, &mut self.along);
        Self::add_transposed(&mut self.step, &self.values, &self.along);
    }

    /// Buss & Kim 2005, section 3: for each singular direction, how far it
    /// moves the effectors (`N`) against how far its joint angles could (`M`)
    /// says how much of it to trust.
    fn selective(&mut self, clamp: Real) {
        let floor = self.svd.negligible();
        for i in 0..self.svd.len() {
            let value = self.svd.value(i);
            if value <= floor {
                break;
            }
            let (left, right) = (self.svd.left(i), self.svd.right(i));
            let mut moved = 0.0;
            let mut could = 0.0;
            for part in 0..self.rows / 3 {
                let u = &left[3 * part..3 * part + 3];
                moved += (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt();
                for c in 0..self.columns {
                    let mut squared = 0.0;
                    for r in 3 * part..3 * part + 3 {
                        let x = self.values[r * self.columns + c];
                        squared += x * x;
                    }
                    could += right[c].abs() * squared.sqrt();
                }
            }
            could /= value;
            let trust = if could > moved { moved / could } else { 1.0 };
            let along = dot(left, &self.error) / value;
            let largest = right.iter().fold(0.0, |m: Real, v| m.max((v * along).abs()));
            let bound = trust * clamp;
            let factor = if largest > bound { along * bound / largest } else { along };
            for (s, v) in self.step.iter_mut().zip(right) {
                *s += factor * v;
            }
        }
        cut(&mut self.step, clamp);
    }

    /// Adds the way to the posture where the goals leave it free.
    pub(super) fn attract(
        &mut self,
        articulation: &Articulation,
        now: &[Motion],
        posture: &[Motion],
        goal: &PostureGoal,
        part: Real,
    ) {
        articulation.way_to(now, posture, Some(goal), part, &mut self.pull);
        for (x, mobility) in self.pull.iter_mut().zip(&self.mobility) {
            // In scaled columns, and a stiff joint is drawn less.
            *x *= mobility;
        }
        // z − V Vᵀ z: what is left of it outside of the rows.
        self.svd.decompose(&self.values);
        let floor = self.svd.negligible();
        for i in 0..self.svd.len() {
            if self.svd.value(i) <= floor {
                break;
            }
            let right = self.svd.right(i);
            let along = dot(right, &self.pull);
            for (x, v) in self.pull.iter_mut().zip(right) {
                *x -= along * v;
            }
        }
        for (s, z) in self.step.iter_mut().zip(&self.pull) {
            *s += z;
        }
    }

    /// Scales the step back to the joints' own coordinates and cuts it.
    pub(super) fn finish(&mut self, most: Real) {
        for (s, mobility) in self.step.iter_mut().zip(&self.mobility) {
            *s *= mobility;
        }
        cut(&mut self.step, most);
        if self.step.iter().any(|s| !s.is_finite()) {
            self.step.fill(0.0);
        }
    }
}

/// The damping that keeps the step below `bound`, from the smallest singular
/// value and the length of the error (Ribeiro & Paiva 2019, eq. 15).
pub(crate) fn maciejewski(smallest: Real, error: Real, bound: Real) -> Real {
    let d = error / bound.max(TINY);
    if smallest <= 0.5 * d {
        0.5 * d
    } else if smallest <= d {
        (smallest * (d - smallest)).max(0.0).sqrt()
    } else {
        0.0
    }
}

/// Scales a step so that no part is larger than `most`.
pub(crate) fn cut(step: &mut [Real], most: Real) {
    let largest = step.iter().fold(0.0, |m: Real, s| m.max(s.abs()));
    if largest > most {
        let factor = most / largest;
        step.iter_mut().for_each(|s| *s *= factor);
    }
}

#[inline]
pub(crate) fn dot(a: &[Real], b: &[Real]) -> Real {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn length(a: &[Real]) -> Real {
    dot(a, a).sqrt()
}
