//! Prioritised inverse kinematics with any number of levels.
//!
//! Goals of priority zero come first; each further level only gets what those
//! before it leave free (Baerlocher & Boulic 2004; Ribeiro & Paiva 2019, eq.
//! 13-14). With `Jᵢ` and `eᵢ` the rows and errors of level `i`, and `P` the
//! projector onto the null space of all levels before:
//!
//! ```text
//! δᵢ = δᵢ₋₁ + (Jᵢ Pᵢ₋₁)† (eᵢ − Jᵢ δᵢ₋₁)
//! Pᵢ = Pᵢ₋₁ − (Jᵢ Pᵢ₋₁)⁺ (Jᵢ Pᵢ₋₁)
//! ```
//!
//! `†` is damped by what the smallest singular value asks for (eq. 15), which
//! is what keeps levels that fight each other from shaking (algorithmic
//! singularities); the projector's pseudo-inverse is not damped, or lower
//! levels would leak into higher ones. The last level, if wanted, draws what is
//! still free to a posture. Its rows are the identity, and `(I P)† z` is `P z`;
//! with joints that the posture leaves alone
//! ([`PostureGoal::joints`](crate::goal::PostureGoal::joints)) they are a part of the
//! identity, and the level is solved like any other.
//!
//! # Limits
//! Inequality constraints that become active: coordinates that a step would
//! take past their limit are held there, their part of the error is taken off,
//! and *all* levels are computed again without them, until no further one
//! leaves. That is Baerlocher's loop; a clamp after the fact would break the
//! priorities.

use alloc::vec::Vec;

use super::active_set::ActiveSet;
use super::articulation::{Articulation, Motion};
use super::driver::{Method, Progress, Request};
use super::frame::{Abilities, SolveFrame, Stop};
use super::goal_rows::RowKinds;
use super::jacobian::steps::{cut, dot, length, maciejewski};
use super::jacobian::{fill, size};
use super::place::Place;
use crate::error::RigError;
use crate::goal::{GoalSet, PostureGoal};
use crate::linalg::svd::Svd;
use crate::math::*;
use crate::pose::Pose;
use crate::report::{SolveReport, Tolerance};
use crate::skeleton::Skeleton;

/// How prioritised IK works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct PriorityOptions {
    /// Near enough.
    pub tolerance: Tolerance,
    /// The most iterations of one solve.
    pub iterations: u32,
    /// The longest step that may come of an error: `b_max` of eq. 15, in radians.
    pub bound: Real,
    /// The most of one goal's error that one iteration goes for, as a part of
    /// the skeleton's size.
    pub reach: Real,
    /// The most that a joint moves in one iteration, in radians (or metres).
    pub step: Real,
    /// Which part of the way to the posture one iteration goes, after all goals. Nothing
    /// without a [`PostureGoal`].
    pub attraction: Real,
    /// So many iterations without a better pose are a rest.
    pub patience: u32,
}

crate::report::show_fields!(PriorityOptions);

impl Default for PriorityOptions {
    fn default() -> Self {
        Self {
            tolerance: Tolerance::default(),
            iterations: 200,
            bound: 1.5,
            reach: 0.4,
            step: 0.6,
            attraction: 0.2,
            patience: 25,
        }
    }
}

/// The prioritised solver; see the module's docs.
#[derive(Debug, Clone)]
pub struct Priority {
    options: PriorityOptions,
    frame: SolveFrame,
    articulation: Articulation,
    kinds: Vec<RowKinds>,
    place: Place,
    next: Vec<Motion>,
    best: Vec<Motion>,
    posture: Vec<Motion>,
    /// How much each column is drawn to the posture, in [0, 1].
    drawn: Vec<Real>,
    /// The posture's level, for when some columns are not drawn like the others.
    draw: Option<Level>,
    alike: bool,
    /// How far the best pose is from the posture.
    best_posture: Real,
    /// The pose that a watcher is shown.
    shown: Pose,
    active: ActiveSet,
    levels: Vec<Level>,
    /// The rows and errors of all goals, in their order.
    values: Vec<Real>,
    errors: Vec<Real>,
    mobility: Vec<Real>,
    /// Orthonormal directions that the levels so far have used up.
    used: Vec<Real>,
    step: Vec<Real>,
    pull: Vec<Real>,
    reach: Real,
    /// Falls below one while steps do not pay, and shortens what is gone for.
    caution: Real,
}

/// The goals of one priority.
#[derive(Debug, Clone)]
struct Level {
    goals: Vec<u32>,
    /// Rows of the whole matrix.
    rows: Vec<u32>,
    values: Vec<Real>,
    error: Vec<Real>,
    svd: Svd,
    /// Its cost at the best pose so far.
    best: Real,
}

impl Priority {
    /// Builds the solver for a skeleton and goals.
    pub fn new(skeleton: &Skeleton, goals: &GoalSet, options: PriorityOptions) -> Result<Self, RigError> {
        let abilities =
            Abilities { name: "prioritised IK", priorities: true, posture: true, whole_body: true };
        let frame = SolveFrame::new(skeleton, goals, options.tolerance, abilities)?;
        let articulation = Articulation::new(skeleton, goals);
        let kinds: Vec<RowKinds> = goals.as_slice().iter().map(RowKinds::of).collect();
        let columns = articulation.columns;
        let rows: usize = kinds.iter().map(|k| k.count()).sum();
        let mut priorities: Vec<u32> = goals.as_slice().iter().map(|g| g.priority).collect();
        priorities.sort_unstable();
        priorities.dedup();
        let levels = priorities
            .into_iter()
            .map(|priority| {
                let mut level = Level {
                    goals: Vec::new(),
                    rows: Vec::new(),
                    values: Vec::new(),
                    error: Vec::new(),
                    svd: Svd::new(0, columns),
                    best: 0.0,
                };
                let mut row = 0;
                for (i, (goal, kinds)) in goals.as_slice().iter().zip(&kinds).enumerate() {
                    if goal.priority == priority {
                        level.goals.push(i as u32);
                        level.rows.extend(row..row + kinds.count() as u32);
                    }
                    row += kinds.count() as u32;
                }
                level.values = alloc::vec![0.0; level.rows.len() * columns];
                level.error = alloc::vec![0.0; level.rows.len()];
                level.svd = Svd::new(level.rows.len(), columns);
                level
            })
            .collect();
        let nodes = articulation.nodes.len();
        let draw = goals.posture().map(|_| Level {
            goals: Vec::new(),
            rows: Vec::new(),
            values: alloc::vec![0.0; columns * columns],
            error: alloc::vec![0.0; columns],
            svd: Svd::new(columns, columns),
            best: 0.0,
        });
        Ok(Self {
            reach: options.reach * size(skeleton),
            caution: 1.0,
            options,
            frame,
            place: Place::new(&articulation),
            next: alloc::vec![Motion::REST; nodes],
            best: alloc::vec![Motion::REST; nodes],
            posture: alloc::vec![Motion::REST; nodes],
            drawn: alloc::vec![1.0; columns],
            draw,
            alike: true,
            best_posture: 0.0,
            shown: Pose::rest(skeleton),
            active: ActiveSet::new(&articulation),
            levels,
            values: alloc::vec![0.0; rows * columns],
            errors: alloc::vec![0.0; rows],
            mobility: articulation.mobilities(),
            used: Vec::with_capacity(columns.min(rows) * columns),
            step: alloc::vec![0.0; columns],
            pull: alloc::vec![0.0; columns],
            articulation,
            kinds,
        })
    }

    /// Takes the posture of this frame.
    fn take_posture(&mut self, goal: &PostureGoal) {
        let Self { articulation, posture, drawn, .. } = self;
        articulation.read(&goal.pose, posture);
        for node in &articulation.nodes {
            drawn[node.first..node.first + node.count].fill(goal.joint(node.joint));
        }
        self.alike = self.drawn.iter().all(|w| *w == 1.0);
    }

    /// Solves while `watch` is shown the pose of every iteration, and ends when
    /// it says so: for measures that are not goals. Unlike
    /// [`solve`](crate::GoalSolver::solve) it goes on when the goals are met, for the
    /// posture's sake, until nothing moves.
    pub fn solve_watched(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        watch: &mut dyn FnMut(&Pose) -> bool,
    ) -> &SolveReport {
        if self.frame.begin(skeleton, goals, pose) {
            self.frame.bring_within_limits(skeleton, pose);
            let (iterations, stop) = self.run(skeleton, goals, pose, &mut || false, Some(watch));
            self.frame.finish(skeleton, goals, pose, iterations, stop);
        }
        &self.frame.report
    }

    /// The squared distance to the posture, as it is drawn.
    fn posture_distance(&mut self, posture: Option<&PostureGoal>) -> Real {
        let Some(goal) = posture else { return 0.0 };
        self.articulation.way_to(&self.place.motions, &self.posture, Some(goal), 1.0, &mut self.pull);
        self.pull.iter().map(|x| x * x).sum()
    }

    /// Keeps the place as the best so far.
    fn keep(&mut self, posture: Option<&PostureGoal>) {
        self.best_posture = self.posture_distance(posture);
        self.best.copy_from_slice(&self.place.motions);
        for level in &mut self.levels {
            level.best = level.cost(&self.place);
        }
    }

    /// One step of all levels, with the limits.
    fn find_step(&mut self, skeleton: &Skeleton, posture: Option<&PostureGoal>) {
        self.active.clear();
        self.active.linearise(&self.articulation, &self.place);
        // Each round holds at least one coordinate more.
        for _ in 0..=self.articulation.columns {
            self.levels_step(posture);
            let Self { articulation, place, active, step, .. } = self;
            if !active.hold(articulation, skeleton, place, step, None) {
                break;
            }
        }
    }

    /// One step of all levels, with what is held now.
    fn levels_step(&mut self, posture: Option<&PostureGoal>) {
        let columns = self.articulation.columns;
        let coordinates = &self.active.coordinates;
        fill(&self.articulation, &self.place, coordinates, &self.kinds, &mut self.values, &mut self.errors);
        for part in self.errors.chunks_exact_mut(3) {
            let (length, reach) = (length(part), self.reach * self.caution);
            if length > reach {
                part.iter_mut().for_each(|x| *x *= reach / length);
            }
        }
        // What is held moves by what is given, and is then out of the game.
        // Steps are in columns scaled by mobility until the end.
        for (c, coordinate) in coordinates.iter().enumerate() {
            self.step[c] = 0.0;
            for (r, row) in self.values.chunks_exact_mut(columns.max(1)).enumerate() {
                match coordinate.held {
                    Some(value) => {
                        self.errors[r] -= row[c] * value;
                        row[c] = 0.0;
                    }
                    None => row[c] *= self.mobility[c],
                }
            }
        }
        self.used.clear();
        for level in &mut self.levels {
            let mut largest: Real = 0.0;
            for (k, &row) in level.rows.iter().enumerate() {
                let from = &self.values[row as usize * columns..(row as usize + 1) * columns];
                largest = largest.max(length(from));
                level.error[k] = self.errors[row as usize] - dot(from, &self.step);
                let own = &mut level.values[k * columns..(k + 1) * columns];
                own.copy_from_slice(from);
                remove(own, &self.used, columns);
            }
            level.svd.decompose(&level.values);
            // What little a projection leaves of a row is no direction of its own.
            let floor = largest * USED;
            let damping =
                maciejewski(level.svd.smallest_above(floor), length(&level.error), self.options.bound);
            level.svd.solve_damped(&level.error, damping, floor, &mut self.step);
            for i in 0..level.svd.len() {
                if level.svd.value(i) <= floor || self.used.len() + columns > self.used.capacity() {
                    break;
                }
                self.used.extend_from_slice(level.svd.right(i));
            }
        }
        if let Some(goal) = posture {
            let (now, posture) = (&self.place.motions, &self.posture);
            self.articulation.way_to(now, posture, Some(goal), self.options.attraction, &mut self.pull);
            self.active.to_axes(&self.articulation, &mut self.pull);
            for (c, coordinate) in coordinates.iter().enumerate() {
                self.pull[c] *= if coordinate.held.is_some() { 0.0 } else { self.mobility[c] };
            }
            match self.draw.as_mut().filter(|_| !self.alike) {
                None => {
                    remove(&mut self.pull, &self.used, columns);
                    for (s, z) in self.step.iter_mut().zip(&self.pull) {
                        *s += z;
                    }
                }
                Some(level) => {
                    level.values.fill(0.0);
                    for (c, coordinate) in coordinates.iter().enumerate() {
                        let weight = if coordinate.held.is_some() { 0.0 } else { self.drawn[c] };
                        level.error[c] = self.pull[c] - weight * self.step[c];
                        let own = &mut level.values[c * columns..(c + 1) * columns];
                        own[c] = weight;
                        remove(own, &self.used, columns);
                    }
                    level.svd.decompose(&level.values);
                    let smallest = level.svd.smallest_above(USED);
                    let damping = maciejewski(smallest, length(&level.error), self.options.bound);
                    level.svd.solve_damped(&level.error, damping, USED, &mut self.step);
                }
            }
        }
        for (s, mobility) in self.step.iter_mut().zip(&self.mobility) {
            *s *= mobility;
        }
        cut(&mut self.step, self.options.step);
        for (s, coordinate) in self.step.iter_mut().zip(coordinates) {
            *s = coordinate.held.unwrap_or(if s.is_finite() { *s } else { 0.0 });
        }
    }
}

/// Singular values below this part of a level's rows do not use up a direction.
const USED: Real = 1.0e-4;

/// Takes the directions that are used up out of a row.
fn remove(row: &mut [Real], used: &[Real], columns: usize) {
    for direction in used.chunks_exact(columns.max(1)) {
        let along = dot(row, direction);
        for (x, d) in row.iter_mut().zip(direction) {
            *x -= along * d;
        }
    }
}

impl Level {
    /// Half the squared error of its goals, zero if all are met.
    fn cost(&self, place: &Place) -> Real {
        let unmet = self.goals.iter().any(|&g| !place.each_met[g as usize]);
        let squared: Real = self.goals.iter().map(|&g| place.rows[g as usize].squared()).sum();
        if unmet { 0.5 * squared } else { 0.0 }
    }
}

/// Whether a place is better than the best so far: the first level that
/// differs decides, however the others are. `None` if none does.
fn better(levels: &[Level], place: &Place) -> Option<bool> {
    for level in levels {
        let cost = level.cost(place);
        if cost < level.best * (1.0 - SAME) {
            return Some(true);
        }
        if cost > level.best * (1.0 + SAME) {
            return Some(false);
        }
    }
    None
}

/// Costs this near to each other, in parts, do not decide.
const SAME: Real = 1.0e-3;

/// A step below this moves nothing, in radians (or metres).
const STILL: Real = 1.0e-4;

impl Priority {
    fn run(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
        mut watch: Option<&mut dyn FnMut(&Pose) -> bool>,
    ) -> (u32, Stop) {
        let posture = self.frame.posture(goals);
        if let Some(goal) = posture {
            self.take_posture(goal);
        }
        self.articulation.take_folded(pose);
        self.articulation.read(pose, &mut self.place.motions);
        self.place.update(&self.articulation, &self.frame);
        self.keep(posture);
        self.shown.copy_from(pose);
        self.caution = 1.0;
        let mut moved = Real::INFINITY;
        let mut progress = Progress::new(0.0, self.options.iterations, self.options.patience, 0.0, expired);
        let stop = loop {
            let done = match &mut watch {
                Some(watch) => {
                    self.articulation.write(&self.place.motions, &mut self.shown);
                    watch(&self.shown) || (self.place.met && moved < STILL)
                }
                None => self.place.met,
            };
            if done {
                self.keep(posture);
            }
            if let Err(stop) = progress.begin(done) {
                break stop;
            }
            self.find_step(skeleton, posture);
            moved = self.step.iter().fold(0.0, |m: Real, s| m.max(s.abs()));
            let Self { articulation, place, active, step, next, .. } = self;
            active.advance(articulation, skeleton, &place.motions, step, next);
            core::mem::swap(&mut place.motions, next);
            place.update(articulation, &self.frame);
            let distance = self.posture_distance(posture);
            let gained = match better(&self.levels, &self.place) {
                Some(gained) => gained,
                None => distance < self.best_posture * (1.0 - SAME),
            };
            progress.end_gained(0.0, gained);
            if gained {
                self.keep(posture);
                self.caution = (self.caution * 1.5).min(1.0);
            } else {
                // A lower level that cannot be met keeps pulling, and what it
                // moves in a straight line is no longer free along the curve:
                // shorter steps disturb the levels above by their square.
                self.caution *= 0.7;
            }
        };
        self.articulation.write(&self.best, pose);
        (progress.iterations, stop)
    }
}

impl Method for Priority {
    fn frame(&mut self) -> &mut SolveFrame {
        &mut self.frame
    }

    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop) {
        let Request { skeleton, goals, expired, .. } = request;
        self.run(skeleton, goals, pose, expired, None)
    }
}
