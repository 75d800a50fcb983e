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
//! priorities. Bounds on the whole body (`solver/guards.rs`) are treated alike: those that the
//! step would break become a level before all others, as equations, and all levels are
//! computed again.

use alloc::vec::Vec;

use super::active_set::ActiveSet;
use super::articulation::{Articulation, Motion};
use super::driver::{Method, Progress, Request};
use super::frame::{Abilities, SolveFrame, Stop};
use super::goal_rows::RowKinds;
use super::guards::{Guards, SLACK};
use super::jacobian::steps::{cut, dot, length, maciejewski};
use super::jacobian::{fill, size};
use super::place::Place;
use super::room::Room;
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
    /// The bounds on the whole body that this step is held by: their numbers.
    held: Room<usize>,
    guard: Option<Level>,
    best_broken: Real,
    /// The rows and errors of all goals, in their order.
    values: Vec<Real>,
    errors: Vec<Real>,
    mobility: Vec<Real>,
    /// Orthonormal directions that the levels so far have used up.
    used: Room<Real>,
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
        // Built again, since the frame has let go of its own.
        let guards = Guards::new(skeleton, goals, &articulation);
        let bounds = guards.most();
        let room = |rows: usize| Level {
            goals: Vec::new(),
            rows: Vec::new(),
            values: alloc::vec![0.0; rows * columns],
            error: alloc::vec![0.0; rows],
            svd: Svd::new(rows, columns),
            best: 0.0,
        };
        let guard = (bounds > 0).then(|| room(bounds));
        let draw = goals.posture().map(|_| room(columns));
        Ok(Self {
            reach: options.reach * size(skeleton),
            caution: 1.0,
            options,
            frame,
            place: Place { watch: guards.watch(articulation.nodes.len()), ..Place::new(&articulation) },
            guard,
            held: Room::new(bounds),
            best_broken: 0.0,
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
            used: Room::new(columns.min(rows + bounds) * columns),
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
            self.frame.end();
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
        self.best_broken = self.place.broken();
        self.best.copy_from_slice(&self.place.motions);
        for level in &mut self.levels {
            level.best = level.cost(&self.place);
        }
    }

    /// One step of all levels, with the limits.
    fn find_step(&mut self, skeleton: &Skeleton, posture: Option<&PostureGoal>) {
        self.active.clear();
        self.active.linearise(&self.articulation, &self.place);
        self.held.clear();
        // Each round holds at least one coordinate or bound more.
        for _ in 0..=self.articulation.columns + self.place.watch.guards.len() {
            self.levels_step(posture);
            let Self { articulation, place, active, step, .. } = self;
            let changed = active.hold(articulation, skeleton, place, step, None);
            if !(self.hold_bounds() || changed) {
                break;
            }
        }
    }

    /// Holds the bounds on the whole body that the step would break. Whether there is one more.
    fn hold_bounds(&mut self) -> bool {
        let Self { articulation, place, active, step, pull: row, held, .. } = self;
        let mut changed = false;
        for (i, guard) in place.watch.guards.iter().enumerate() {
            if held.contains(&i) || held.len() == held.capacity() {
                continue;
            }
            row.fill(0.0);
            place.watch.write_row(guard, articulation, &active.coordinates, place.reference(), row);
            if guard.gap + dot(row, step) < SLACK - KEPT {
                held.push(i);
                changed = true;
            }
        }
        changed
    }

    /// Writes the bounds that the step is held by as the rows of their level.
    fn write_bounds(&mut self) {
        let Self { articulation, place, active, mobility, held, guard, .. } = self;
        let Some(level) = guard else { return };
        let columns = articulation.columns;
        level.values.fill(0.0);
        level.error.fill(0.0);
        for (k, &i) in held.iter().enumerate() {
            let guard = &place.watch.guards[i];
            let row = &mut level.values[k * columns..(k + 1) * columns];
            place.watch.write_row(guard, articulation, &active.coordinates, place.reference(), row);
            level.error[k] = (SLACK - guard.gap).min(LEAP);
            for (c, coordinate) in active.coordinates.iter().enumerate() {
                match coordinate.held {
                    Some(value) => {
                        level.error[k] -= row[c] * value;
                        row[c] = 0.0;
                    }
                    None => row[c] *= mobility[c],
                }
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
        self.write_bounds();
        let coordinates = &self.active.coordinates;
        if let Some(level) = self.guard.as_mut().filter(|_| !self.held.is_empty()) {
            level.take(columns, self.options.bound, &mut self.step, &mut self.used);
        }
        for level in &mut self.levels {
            for (k, &row) in level.rows.iter().enumerate() {
                let from = &self.values[row as usize * columns..(row as usize + 1) * columns];
                level.error[k] = self.errors[row as usize];
                level.values[k * columns..(k + 1) * columns].copy_from_slice(from);
            }
            level.take(columns, self.options.bound, &mut self.step, &mut self.used);
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

/// A bound that a step leaves by less than this is kept, in metres.
const KEPT: Real = 1.0e-5;
/// The most that one step mends of a broken bound, in metres.
const LEAP: Real = 0.05;

impl Level {
    /// Adds the level's part to the step, from its rows and errors, and its directions to those
    /// that are used up.
    fn take(&mut self, columns: usize, bound: Real, step: &mut [Real], used: &mut Vec<Real>) {
        let mut largest: Real = 0.0;
        for (own, error) in self.values.chunks_exact_mut(columns.max(1)).zip(&mut self.error) {
            largest = largest.max(length(own));
            *error -= dot(own, step);
            remove(own, used, columns);
        }
        self.svd.decompose(&self.values);
        // What little a projection leaves of a row is no direction of its own.
        let floor = largest * USED;
        let damping = maciejewski(self.svd.smallest_above(floor), length(&self.error), bound);
        self.svd.solve_damped(&self.error, damping, floor, step);
        for i in 0..self.svd.len() {
            if self.svd.value(i) <= floor || used.len() + columns > used.capacity() {
                break;
            }
            used.extend_from_slice(self.svd.right(i));
        }
    }

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
        self.frame.tie(&mut self.articulation);
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
            let broken = self.place.broken();
            let bounds = (broken != self.best_broken).then_some(broken < self.best_broken);
            let gained = match bounds.or_else(|| better(&self.levels, &self.place)) {
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
