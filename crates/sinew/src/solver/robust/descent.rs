//! Levenberg-Marquardt steps with the limits as an active set.
//!
//! # Damping
//! `λ = k · E`, with `E` half the squared error (Sugihara 2011; Chan & Lawrence
//! 1988): strong far away, vanishing at a solution, so that the last steps are
//! Newton's and double the digits. `k` falls after steps that pay and rises
//! after steps that do not; a step that raises the error is undone.
//!
//! # Limits
//! A step is computed as if there were none. Joints that it would take outside
//! are then held at their edge, and the step is computed again for the others:
//! a range holds its one coordinate at the end of the range, any other shape
//! holds the direction in which its projection pushes back, as a given step
//! along the normal, and leaves the two directions along the edge free. A few
//! rounds settle it; what is still outside is projected. A coordinate that rests
//! at the end of its range starts the next step held, and is let go when the
//! pull on it points inside.

use alloc::vec::Vec;

use super::super::articulation::{Articulation, Bound, Column, MAX_COLUMNS, Motion};
use super::super::frame::{SolveFrame, Stop};
use super::super::goal_rows::{GoalRows, RowKinds};
use super::step::StepSolver;
use crate::goal::GoalSet;
use crate::math::*;
use crate::skeleton::{JointKind, Skeleton};

/// A pose of the nodes and all that is computed from it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub motions: Vec<Motion>,
    pub frames: Vec<Transform>,
    pub rows: Vec<GoalRows>,
    /// Half the squared, weighted error.
    pub cost: Real,
    pub met: bool,
    /// Whether each goal is met.
    pub each_met: Vec<bool>,
}

/// The descent and its scratch.
#[derive(Debug, Clone)]
pub(super) struct Descent {
    pub articulation: Articulation,
    pub now: Place,
    trial: Place,
    step: StepSolver,
    /// The axes that a shape-limited node's rotational columns are taken about,
    /// the first `held` of them normal to its edge.
    bases: Vec<Basis>,
    /// How strongly a unit step of all coordinates moves a row, squared.
    scale: Real,
}

#[derive(Debug, Clone, Copy)]
struct Basis {
    axes: Mat3,
    held: usize,
}

const PLAIN: Basis = Basis { axes: Mat3::IDENTITY, held: 0 };

/// How often a step is computed again because it left the limits.
const ROUNDS: usize = 4;

impl Descent {
    pub(super) fn new(articulation: Articulation, goals: &GoalSet, kinds: &[RowKinds]) -> Self {
        let nodes = articulation.nodes.len();
        let place = Place {
            motions: alloc::vec![Motion::REST; nodes],
            frames: alloc::vec![Transform::IDENTITY; nodes],
            rows: alloc::vec![GoalRows::NONE; kinds.len()],
            cost: 0.0,
            met: false,
            each_met: alloc::vec![false; kinds.len()],
        };
        let scale = scale(&articulation, goals, kinds);
        Self {
            scale,
            step: StepSolver::new(&articulation, kinds),
            bases: alloc::vec![PLAIN; nodes],
            now: place.clone(),
            trial: place,
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
        locate(&self.articulation, &mut self.now, goals, frame);
        for coordinate in &mut self.step.coordinates {
            coordinate.held = None;
        }
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
            let reference = self.now.frames.first().map_or(Vec3::ZERO, |f| f.translation);
            self.linearise(reference);
            let mut refused = 0;
            loop {
                let damping = (trust * self.now.cost + FLOOR) * self.scale;
                self.find_step(skeleton, reference, damping);
                self.try_step(skeleton);
                locate(&self.articulation, &mut self.trial, goals, frame);
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
            slow = if self.trial.cost > 0.9 * self.now.cost { slow + 1 } else { 0 };
            core::mem::swap(&mut self.now, &mut self.trial);
            if slow >= 5 && !self.now.met {
                return Stop::Stalled;
            }
        }
        if self.now.met { Stop::Converged } else { Stop::Iterations }
    }

    /// Columns and goals at the current pose.
    fn linearise(&mut self, reference: Vec3) {
        let Self { articulation, now, step, bases, .. } = self;
        let mut columns = [Column::ZERO; MAX_COLUMNS];
        for (i, node) in articulation.nodes.iter().enumerate() {
            articulation.node_columns(i, &now.motions, &now.frames, reference, &mut columns);
            for (k, coordinate) in
                step.coordinates[node.first..node.first + node.count].iter_mut().enumerate()
            {
                coordinate.column = columns[k];
            }
            bases[i] = PLAIN;
        }
        step.load(&now.rows, reference);
    }

    /// Lets go of everything but coordinates that rest at the end of their range.
    fn release(&mut self, reference: Vec3) {
        let Self { articulation, now, step, bases, .. } = self;
        for (i, node) in articulation.nodes.iter().enumerate() {
            let own = &mut step.coordinates[node.first..node.first + node.count];
            match node.bound {
                Bound::Free => {}
                Bound::Range { min, max } => {
                    let at = now.motions[i].scalars[0];
                    if let Some(coordinate) = own.first_mut()
                        && coordinate.held.is_some()
                    {
                        coordinate.held = (at == min || at == max).then_some(0.0);
                    }
                }
                Bound::Shape => {
                    if bases[i].held > 0 {
                        bases[i] = PLAIN;
                        let mut columns = [Column::ZERO; MAX_COLUMNS];
                        articulation.node_columns(i, &now.motions, &now.frames, reference, &mut columns);
                        for (k, coordinate) in own.iter_mut().enumerate() {
                            coordinate.column = columns[k];
                        }
                    }
                    for coordinate in own {
                        coordinate.held = None;
                    }
                }
            }
        }
    }

    /// Computes a step and holds what it would take outside, until it stays inside.
    fn find_step(&mut self, skeleton: &Skeleton, reference: Vec3, damping: Real) {
        self.release(reference);
        for round in 0..ROUNDS {
            self.step.solve(&self.now.rows, reference, damping);
            if !self.hold(skeleton, reference, round) {
                break;
            }
        }
    }

    /// Holds the coordinates that the step takes outside and lets go of those
    /// that want back inside. Whether anything changed.
    fn hold(&mut self, skeleton: &Skeleton, reference: Vec3, round: usize) -> bool {
        let Self { articulation, now, step, bases, .. } = self;
        let mut changed = false;
        for (i, node) in articulation.nodes.iter().enumerate() {
            match node.bound {
                Bound::Free => {}
                Bound::Range { min, max } => {
                    if node.count == 0 {
                        continue;
                    }
                    let at = now.motions[i].scalars[0];
                    let coordinate = &mut step.coordinates[node.first];
                    match coordinate.held {
                        None => {
                            let to = at + step.step[node.first];
                            let inside = to.max(min).min(max);
                            if inside != to {
                                coordinate.held = Some(inside - at);
                                changed = true;
                            }
                        }
                        Some(_) if round == 0 => {
                            let pull = step.pull[node.first];
                            if (at == min && pull > 0.0 && at < max) || (at == max && pull < 0.0 && at > min)
                            {
                                coordinate.held = None;
                                changed = true;
                            }
                        }
                        Some(_) => {}
                    }
                }
                Bound::Shape => {
                    if node.count == 0 || bases[i].held >= rotational(node.kind) {
                        continue;
                    }
                    let own = node.first..node.first + node.count;
                    let mut moved = [0.0; MAX_COLUMNS];
                    moved[..node.count].copy_from_slice(&step.step[own.clone()]);
                    unturn(&bases[i], node.kind, &mut moved[..node.count]);
                    let trial = articulation.stepped(i, &now.motions[i], &moved);
                    let Some(inside) = articulation.held(skeleton, i, &trial) else { continue };
                    let to_inside = articulation.difference(i, &now.motions[i], &inside);
                    let first = node.count - rotational(node.kind);
                    let wanted = match rotational(node.kind) {
                        2 => Vec3::new(moved[first], moved[first + 1], 0.0),
                        _ => Vec3::new(moved[first], moved[first + 1], moved[first + 2]),
                    };
                    if bases[i].hold(wanted - to_inside, node.kind) {
                        let held = bases[i].held;
                        let mut columns = [Column::ZERO; MAX_COLUMNS];
                        articulation.node_columns(i, &now.motions, &now.frames, reference, &mut columns);
                        turn_columns(&bases[i], node.kind, &mut columns[..node.count]);
                        for (k, coordinate) in step.coordinates[own].iter_mut().enumerate() {
                            coordinate.column = columns[k];
                            if k >= first && k - first < held {
                                coordinate.held = Some(axis(&bases[i].axes, k - first).dot(to_inside));
                            }
                        }
                        changed = true;
                    }
                }
            }
        }
        changed
    }

    /// Makes the step from `now` to `trial`, within the limits.
    fn try_step(&mut self, skeleton: &Skeleton) {
        let Self { articulation, now, trial, step, bases, .. } = self;
        for (i, node) in articulation.nodes.iter().enumerate() {
            let mut moved = [0.0; MAX_COLUMNS];
            let moved = &mut moved[..node.count];
            moved.copy_from_slice(&step.step[node.first..node.first + node.count]);
            if node.bound == Bound::Shape {
                unturn(&bases[i], node.kind, moved);
            }
            if let Bound::Range { min, max } = node.bound
                && let Some(moved) = moved.first_mut()
            {
                // Lands on the very ends, so that resting there can be seen.
                let at = now.motions[i].scalars[0];
                let to = (at + *moved).max(min).min(max);
                let mut next = articulation.stepped(i, &now.motions[i], &[to - at]);
                next.scalars[0] = to;
                trial.motions[i] = next;
                continue;
            }
            let next = articulation.stepped(i, &now.motions[i], moved);
            trial.motions[i] = match node.bound {
                Bound::Shape => articulation.held(skeleton, i, &next).unwrap_or(next),
                _ => next,
            };
        }
    }
}

/// How `k` of the damping starts.
const START: Real = 0.5;
const LEAST: Real = 1.0e-6;
/// The damping that is always there: far below what slows the last steps, far
/// above what rounding makes of a singular matrix.
const FLOOR: Real = ROUNDING;

/// The mean squared length of the Jacobian's rows at rest: what the damping has
/// to be compared with, for a finger as for a chain of a thousand bones.
fn scale(articulation: &Articulation, goals: &GoalSet, kinds: &[RowKinds]) -> Real {
    let motions = alloc::vec![Motion::REST; articulation.nodes.len()];
    let mut frames = alloc::vec![Transform::IDENTITY; motions.len()];
    articulation.forward(&motions, &mut frames);
    let (mut sum, mut count) = (0.0, 0);
    let mut columns = [Column::ZERO; MAX_COLUMNS];
    for (i, (goal, kinds)) in goals.as_slice().iter().zip(kinds).enumerate() {
        let rows = GoalRows::new(goal, articulation.effector(i, &frames));
        count += kinds.count();
        let mut node = articulation.sites[i].node;
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

/// Forward kinematics and the goals' errors.
fn locate(articulation: &Articulation, place: &mut Place, goals: &GoalSet, frame: &SolveFrame) {
    articulation.forward(&place.motions, &mut place.frames);
    let mut squared = 0.0;
    let mut met = true;
    // A little nearer than asked, so that rounding cannot undo it.
    let (near, aligned) = (frame.tolerance.position * 0.99, frame.tolerance.orientation * 0.99);
    for (i, (goal, rows)) in goals.as_slice().iter().zip(&mut place.rows).enumerate() {
        if !frame.usable(i) {
            *rows = GoalRows::NONE;
            place.each_met[i] = true;
            continue;
        }
        *rows = GoalRows::new(goal, articulation.effector(i, &place.frames));
        squared += rows.squared();
        place.each_met[i] = rows.missing[0] <= near && rows.missing[1] <= aligned;
        met &= place.each_met[i];
    }
    place.cost = 0.5 * squared;
    place.met = met;
}

/// How many of a kind's columns turn.
const fn rotational(kind: JointKind) -> usize {
    match kind {
        JointKind::Ball | JointKind::Free => 3,
        JointKind::Universal { .. } => 2,
        JointKind::Hinge { .. } => 1,
        _ => 0,
    }
}

impl Basis {
    /// Holds one direction more. `false` if it is none that is not held already.
    fn hold(&mut self, normal: Vec3, kind: JointKind) -> bool {
        let mut rest = normal;
        for k in 0..self.held {
            let held = axis(&self.axes, k);
            rest -= held * held.dot(rest);
        }
        let length = rest.length();
        if length <= ROUNDING * 4.0 || length < 1.0e-3 * normal.length() {
            return false;
        }
        let n = rest / length;
        self.axes = match (self.held, rotational(kind)) {
            (0, 3) => {
                let side = any_perpendicular(n);
                Mat3::from_cols(n, side, n.cross(side))
            }
            (0, _) => Mat3::from_cols(n, Vec3::new(-n.y, n.x, 0.0), Vec3::Z),
            (1, 3) => {
                let first = self.axes.x_axis;
                Mat3::from_cols(first, n, first.cross(n))
            }
            _ => self.axes,
        };
        self.held += 1;
        true
    }
}

#[inline]
fn axis(axes: &Mat3, k: usize) -> Vec3 {
    match k {
        0 => axes.x_axis,
        1 => axes.y_axis,
        _ => axes.z_axis,
    }
}

/// Takes the rotational columns about the axes of a basis.
fn turn_columns(basis: &Basis, kind: JointKind, columns: &mut [Column]) {
    let count = rotational(kind);
    let Some(own) = columns.len().checked_sub(count).map(|first| &mut columns[first..]) else { return };
    let mut plain = [Column::ZERO; 3];
    plain[..count].copy_from_slice(own);
    for (k, column) in own.iter_mut().enumerate() {
        let a = axis(&basis.axes, k).to_array();
        *column = Column::ZERO;
        for j in 0..count {
            column.angular += plain[j].angular * a[j];
            column.linear += plain[j].linear * a[j];
        }
    }
}

/// A step about the axes of a basis as a step of the plain columns.
fn unturn(basis: &Basis, kind: JointKind, step: &mut [Real]) {
    let count = rotational(kind);
    if basis.held == 0 || step.len() < count {
        return;
    }
    let first = step.len() - count;
    let mut plain = Vec3::ZERO;
    for k in 0..count {
        plain += axis(&basis.axes, k) * step[first + k];
    }
    step[first..].copy_from_slice(&plain.to_array()[..count]);
}
