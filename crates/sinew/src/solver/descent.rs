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

use alloc::vec::Vec;

use super::active_set::ActiveSet;
use super::active_set::Coordinate;
use super::articulation::{Articulation, Bound, Column, MAX_COLUMNS, Motion, NO_NODE, Node};
use super::coupling::Coupling;
use super::driver::Progress;
use super::frame::{SolveFrame, Stop};
use super::goal_rows::RowKinds;
use super::guards::{Guard, Guards, SLACK, Watch};
use super::place::Place;
use super::step::{Draw, StepSolver};
use crate::goal::{Goal, GoalId, GoalSet, PostureGoal};
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::Cause;
use crate::skeleton::{Joint, JointId, JointKind, Skeleton};

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
/// The same for a descent from a good start that is further than a centimetre from its goals: what gains
/// nothing twice in a row there does not get there.
const BRIEF_PATIENCE: u32 = 2;
const BRIEF_COST: Real = 5.0e-5;
/// A step that leaves more than this part of the error, with bounds near by, counts twice.
const HARDLY: Real = 0.99;
/// So many refused steps in a row are a rest as well.
const REFUSALS: u32 = 6;
/// Patience and refusals of a descent that follows its targets among bounds: what it does not gain
/// now it goes on with in the next frame. After a step that was taken it tries none twice.
const NEXT_FRAME: (u32, u32) = (1, 1);
/// So many columns to a row are a chain that can always bend.
const MANY: usize = 10;

/// What a metre of a broken bound costs at first; more where a goal pulls harder.
const PENALTY: Real = 4.0;
/// The most it costs: rows that contradict each other have forces without bounds.
const MOST_PENALTY: Real = 64.0;
/// The most that one step mends of a broken bound, in metres.
const LEAP: Real = 0.05;
/// A bound that is nearer than this is pressed, in metres.
const PRESSED: Real = 2.0 * SLACK;
/// The most steps to come back within bounds.
const RESTORE_STEPS: usize = 12;

/// The cosine of half the angle by which slow steps turn a joint together, at most: of 8°.
const SLIDE: Real = 0.997_564;

/// What a slow step must gain, as a part of what the Jacobian's size makes of its length.
const WORTH: Real = 1.0e-2;

/// A search that has come as near as this, about a millimetre, takes every step that gains: beside a singular
/// pose the way is long for the last of it, and what meets the goals is used however it was found.
const NEARLY: Real = 1.0e-6;

/// The damping of steps to goals near by: directions in which the effectors hardly move stay as
/// they are instead of being turned far for little.
const STEADY: Real = 2.0e-2;
/// The weight with which joints go along that follow others. They are put in place after each step,
/// so it need only be large against the weights of goals.
const FIRMLY: Real = 300.0;
/// How willing a joint is that should not move.
const STILL: Real = 1.0e-20;
/// The most steps to goals near by.
const FOLLOW_STEPS: u32 = 16;
/// The most steps towards the posture, and what part of the sum a step must
/// leave for another one to be worth it.
pub(crate) const RELAX_STEPS: u32 = 60;
/// The first damping of a step towards the posture that was too long, as a part of the posture's weight.
const SHORTER: Real = 2.0e-3;
const RELAXED: Real = 0.998;

/// How far a descent may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pace {
    /// As far as it leads: only what meets the goals will be used.
    Search,
    /// The same from a good start, given up soon.
    Brief,
    /// Not far for little: a pose that was nearly as good is left by small steps.
    Steady,
    /// Not far from where it begins.
    Near,
}

/// The descent and its scratch.
#[derive(Debug, Clone)]
pub(crate) struct Descent {
    pub articulation: Articulation,
    pub now: Place,
    trial: Place,
    active: ActiveSet,
    step: StepSolver,
    /// Rows over several nodes, and which rows each goal has.
    coupling: Coupling,
    kinds: Vec<RowKinds>,
    /// The pose that what the goals leave free is drawn to.
    pub posture: Vec<Motion>,
    /// Where the slow steps of a descent began.
    anchor: Vec<Motion>,
    /// The cosine of half the angle that counts as near, for [`Pace::Near`].
    near: Real,
    /// Whether targets are followed, a solve for each frame.
    follows: bool,
    /// The error at the beginning of the last descent.
    begun: Real,
    /// How much each column's distance from it weighs, and that times the posture's own
    /// weight of the joint.
    burdens: Vec<Real>,
    drawn: Vec<Real>,
    /// The way there from `now`, in plain columns and in those of the step.
    way: Vec<Real>,
    toward: Vec<Real>,
    /// The mean squared length of the Jacobian's rows.
    scale: Real,
    /// The same as if no goal weighed more than one: what a step's length is measured by for targets that
    /// are followed. A heavy foot says that the hips give way before it does, not that they may hardly move.
    modest: Real,
    measure: Real,
    /// Whether nothing stands in the way but length; see [`yields`].
    yields: bool,
}

impl Descent {
    pub(crate) fn new(
        skeleton: &Skeleton,
        goals: &GoalSet,
        articulation: Articulation,
        guards: &Guards,
    ) -> Self {
        let kinds: Vec<RowKinds> = goals.as_slice().iter().map(RowKinds::of).collect();
        let relative = (0..kinds.len()).filter(|&goal| articulation.reference(goal).is_some());
        let asked: usize = relative.map(|goal| kinds[goal].count()).sum();
        let coupled = asked + articulation.follows.len() + guards.most();
        let light =
            |goal: &Goal| goal.weights(goal.position_weight.min(1.0), goal.orientation_weight.min(1.0));
        let modest: Vec<Goal> = goals.as_slice().iter().map(light).collect();
        let whole = scale(&articulation, goals.as_slice(), &kinds);
        let place = || Place { watch: guards.watch(articulation.nodes.len()), ..Place::new(&articulation) };
        Self {
            burdens: burdens(skeleton, &articulation),
            scale: whole,
            measure: whole,
            modest: scale(&articulation, &modest, &kinds),
            yields: yields(&articulation, &kinds),
            step: StepSolver::new(&articulation, &kinds, coupled > 0),
            coupling: Coupling::new(articulation.columns, coupled),
            active: ActiveSet::new(&articulation),
            now: place(),
            trial: place(),
            posture: alloc::vec![Motion::REST; articulation.nodes.len()],
            anchor: alloc::vec![Motion::REST; articulation.nodes.len()],
            near: SLIDE,
            follows: false,
            begun: 0.0,
            way: alloc::vec![0.0; articulation.columns],
            drawn: alloc::vec![0.0; articulation.columns],
            toward: alloc::vec![0.0; articulation.columns],
            kinds,
            articulation,
        }
    }

    /// Leaves joints alone that no active goal moves: bounds on the whole body would move them too, and
    /// they are put back in the end.
    pub(crate) fn hold_still(&mut self, frame: &SolveFrame) {
        for node in &self.articulation.nodes {
            let weight = if frame.moves(node.joint) { node.mobility * node.mobility } else { STILL };
            for coordinate in &mut self.active.coordinates[node.first..node.first + node.count] {
                coordinate.weight = weight;
            }
        }
    }

    /// Measures the bounds on the whole body at a pose.
    pub(crate) fn look_at(&mut self, guards: &Guards, model: &ModelPose) {
        for (frame, node) in self.now.frames.iter_mut().zip(&self.articulation.nodes) {
            *frame = model.transform(JointId(node.joint as u32));
        }
        self.now.watch.measure(guards, &self.articulation, &self.now.frames);
    }

    /// What bound on the whole body a goal presses against at the pose of the last
    /// [`look_at`](Self::look_at), and how hard: the slope of the goal's error along the bound's
    /// row.
    pub(crate) fn pressed(
        &mut self,
        guards: &Guards,
        pose: &Pose,
        id: GoalId,
        goal: &Goal,
    ) -> Option<(Cause, Real)> {
        let Self { articulation, now, active, way: pull, toward: row, .. } = self;
        articulation.read(pose, &mut now.motions);
        active.linearise(articulation, now);
        let reference = now.reference();
        let rows = articulation.goal_rows(id.index(), goal, &now.frames);
        pull.fill(0.0);
        articulation.each_column(id.index(), |c, sign| {
            let column = &active.coordinates[c].column;
            let [a, b] = rows.apply(column.velocity(rows.at - reference), column.angular);
            pull[c] += sign * (a.dot(rows.error[0]) + b.dot(rows.error[1]));
        });
        let tie = articulation.pressed_tie(&now.motions, pull);
        let joint = |node: usize| JointId(articulation.nodes[node].joint as u32);
        let mut hardest = tie.map(|(node, press)| (Cause::Speed { goal: id, joint: joint(node) }, press));
        for guard in now.watch.guards.iter().filter(|guard| guard.gap < PRESSED) {
            row.fill(0.0);
            now.watch.write_row(guard, articulation, &active.coordinates, reference, row);
            let length = row.iter().map(|x| x * x).sum::<Real>().sqrt();
            let press = -row.iter().zip(pull.iter()).map(|(a, b)| a * b).sum::<Real>() / length.max(TINY);
            if press > 0.0 && hardest.is_none_or(|(_, h)| press > h) {
                hardest = Some((guards.cause(guard, Some(id)), press));
            }
        }
        hardest
    }

    /// Brings a pose to the frame's goals, which are near by, and says in how many steps. The
    /// steps are taken as they come: whether to accept one is a decision, and a decision makes
    /// poses jump that should differ as little as the goals do.
    pub(crate) fn follow(&mut self, skeleton: &Skeleton, frame: &SolveFrame, pose: &mut Pose) -> u32 {
        self.articulation.take_folded(pose);
        frame.tie(&mut self.articulation);
        self.articulation.read(pose, &mut self.now.motions);
        self.now.update(&self.articulation, frame);
        self.active.clear();
        let mut steps = 0;
        while steps < FOLLOW_STEPS && !self.now.met {
            steps += 1;
            self.active.linearise(&self.articulation, &self.now);
            self.step.load(&self.now.rows, self.now.reference());
            self.try_step(skeleton, (START * self.now.cost + STEADY) * self.scale, 0.0, LEAP);
            core::mem::swap(&mut self.now, &mut self.trial);
            self.now.update(&self.articulation, frame);
        }
        self.articulation.write(&self.now.motions, pose);
        steps
    }

    /// Goes down from `now.motions` until the goals are met, nothing improves
    /// or the budget is used up.
    pub(crate) fn run(
        &mut self,
        skeleton: &Skeleton,
        frame: &SolveFrame,
        (pace, budget): (Pace, u32),
        iterations: &mut u32,
        expired: &mut dyn FnMut() -> bool,
    ) -> Stop {
        self.set_penalty(PENALTY);
        self.now.update(&self.articulation, frame);
        self.active.clear();
        self.anchor.copy_from_slice(&self.now.motions);
        self.begun = self.now.cost;
        let mut trust: Real = START;
        let bounded = self.follows && !self.now.watch.guards.is_empty();
        let (patience, refusals) = match (self.yields, bounded) {
            (_, true) => NEXT_FRAME,
            (true, false) => (budget, 2 * REFUSALS),
            (false, false) => (PATIENCE, REFUSALS),
        };
        let mut progress = Progress::new(self.now.cost, budget, patience, 1.0 - SLOW, expired);
        loop {
            if let Err(stop) = progress.begin(self.now.met) {
                return stop;
            }
            if pace == Pace::Brief && progress.idle >= BRIEF_PATIENCE && self.now.cost > BRIEF_COST {
                return Stop::Stalled;
            }
            *iterations += 1;
            self.active.linearise(&self.articulation, &self.now);
            self.step.load(&self.now.rows, self.now.reference());
            let mut refused = 0;
            let mut leap = LEAP;
            loop {
                let damping = (trust * self.now.cost + FLOOR) * self.scale;
                self.try_step(skeleton, damping, 0.0, leap);
                // A bound must cost more than the goals gain by breaking it.
                let needed = (2.0 * self.coupling.largest_force()).min(MOST_PENALTY);
                if needed > self.now.penalty {
                    self.set_penalty(needed);
                }
                self.trial.update(&self.articulation, frame);
                if self.pays(pace) {
                    break;
                }
                refused += 1;
                if refused > refusals || (bounded && progress.iterations > 1) {
                    return Stop::Stalled;
                }
                trust *= 8.0;
                leap *= 0.4;
            }
            if pace != Pace::Near && self.trial.cost < SLOW * self.now.cost {
                self.anchor.copy_from_slice(&self.trial.motions);
            }
            if refused == 0 {
                trust = (trust * 0.3).max(LEAST);
            }
            core::mem::swap(&mut self.now, &mut self.trial);
            // Powell's rule: a penalty that was needed once falls again.
            if self.now.penalty > PENALTY {
                let needed = (2.0 * self.coupling.largest_force()).max(PENALTY);
                self.set_penalty(0.5 * (self.now.penalty + needed.min(self.now.penalty)));
            }
            let hardly = self.now.cost > HARDLY * self.trial.cost && !self.now.watch.guards.is_empty();
            progress.end(self.now.cost);
            // Between goals and bounds the last steps gain next to nothing: that is where it rests.
            progress.idle += u32::from(hardly && progress.idle > 0);
        }
    }

    /// The same for a start that counts only if it meets the goals. Contacts are overlooked at
    /// first: most answers are clear by themselves, parts that are tangled have to pass through each
    /// other, and one look at the end costs less than one at every step. An answer in contact is
    /// left with contacts as bounds.
    pub(crate) fn search(
        &mut self,
        skeleton: &Skeleton,
        frame: &SolveFrame,
        budget: u32,
        iterations: &mut u32,
        expired: &mut dyn FnMut() -> bool,
    ) -> Stop {
        if frame.guards().see_contacts() {
            self.overlook_contacts(true);
            let stop = self.run(skeleton, frame, (Pace::Search, budget), iterations, expired);
            self.overlook_contacts(false);
            if stop != Stop::Converged {
                return stop;
            }
        }
        self.run(skeleton, frame, (Pace::Search, budget), iterations, expired)
    }

    fn overlook_contacts(&mut self, overlook: bool) {
        for place in [&mut self.now, &mut self.trial] {
            place.watch.overlook_contacts(overlook);
        }
    }

    /// Whether the step to `trial` is worth its way. One that lowers the error by a good part
    /// is. Of one that does not, it must lower it by as much as its length deserves: at a
    /// target that a limit keeps out of reach the error is nearly flat in some directions,
    /// and going far along them for next to nothing makes a pose jump. Nor may slow steps add up to
    /// a long way, if the descent is to be steady: where goals exclude each other, the best
    /// compromise may be left for another one far away as a target moves on.
    fn pays(&self, pace: Pace) -> bool {
        let (before, after) = (self.now.cost, self.trial.cost);
        let limit = if pace == Pace::Near { self.near } else { SLIDE };
        let near = || {
            matches!(pace, Pace::Search | Pace::Brief) || are_near(&self.anchor, &self.trial.motions, limit)
        };
        if after < SLOW * before || (self.yields && after < before) {
            return pace != Pace::Near || near();
        }
        if pace == Pace::Search && after < before && after < NEARLY {
            return true;
        }
        let way: Real = self.step.step.iter().map(|x| x * x).sum();
        after < before && before - after >= WORTH * self.measure * way && near()
    }

    /// How far from where it begins [`Pace::Near`] goes, in radians; by default as far as slow steps.
    pub(crate) fn keep_near(&mut self, angle: Option<Real>) {
        self.near = angle.map_or(SLIDE, |angle| (0.5 * angle).cos());
        self.follows = angle.is_some();
        self.active.follow(self.follows);
        self.measure = if angle.is_some() { self.modest } else { self.scale };
    }

    /// Whether no joint has turned further from these motions than that.
    pub(crate) fn is_near(&self, motions: &[Motion]) -> bool {
        are_near(motions, &self.now.motions, self.near)
    }

    /// Whether the way of the last descent, from these motions, is worth it though the goals are not
    /// met where it ended: the measure of [`pays`](Self::pays) for a descent as a whole.
    pub(crate) fn was_worth(&mut self, from: &[Motion]) -> bool {
        if are_near(from, &self.now.motions, SLIDE) {
            return true;
        }
        self.articulation.way_to(from, &self.now.motions, None, 1.0, &mut self.way);
        let way: Real = self.way.iter().map(|x| x * x).sum();
        self.begun - self.now.cost >= WORTH * self.measure * way
    }

    /// Draws the pose to the posture as far as the goals leave it free: a few
    /// steps down the goals' error and the posture's weight times the squared distance
    /// from it together. Where they balance the goals are missed by a
    /// little, so [`run`](Self::run) should follow. Returns the number of steps, at most `most`. With motions
    /// to stay near to, no joint turns far from them.
    pub(crate) fn relax(
        &mut self,
        skeleton: &Skeleton,
        frame: &SolveFrame,
        goal: &PostureGoal,
        (most, near): (u32, Option<&[Motion]>),
    ) -> u32 {
        let weight = goal.weight * goal.weight;
        self.articulation.read(&goal.pose, &mut self.posture);
        for node in &self.articulation.nodes {
            let weight = goal.joint(node.joint);
            for c in node.first..node.first + node.count {
                self.drawn[c] = self.burdens[c] * weight;
            }
        }
        self.now.update(&self.articulation, frame);
        let mut total = self.now.cost + self.strain(goal);
        let least = FLOOR * self.scale;
        let (mut damping, mut refused) = (least, false);
        let mut steps = 0;
        while steps < most {
            steps += 1;
            self.active.linearise(&self.articulation, &self.now);
            self.step.load(&self.now.rows, self.now.reference());
            self.try_step(skeleton, damping, weight, LEAP);
            self.trial.update(&self.articulation, frame);
            core::mem::swap(&mut self.now, &mut self.trial);
            let after = self.now.cost + self.strain(goal);
            if after < total && near.is_none_or(|near| self.is_near(near)) {
                let done = after > total * RELAXED;
                total = after;
                if done {
                    break;
                }
                // What was just too long still is.
                damping = if refused { damping } else { (damping * 0.3).max(least) };
                refused = false;
                continue;
            }
            // Too far for a straight step: the goals would be left by more than the posture gains.
            core::mem::swap(&mut self.now, &mut self.trial);
            self.strain(goal);
            if damping > self.scale {
                break;
            }
            refused = true;
            damping = (damping * 6.0).max(weight * SHORTER);
        }
        steps
    }

    /// Sets what broken bounds cost.
    fn set_penalty(&mut self, penalty: Real) {
        for place in [&mut self.now, &mut self.trial] {
            place.penalty = penalty;
            place.price();
        }
    }

    /// Brings `now` back within bounds that it breaks, whatever that costs the goals: a descent
    /// may come to rest a little outside, between a goal and a bound.
    pub(crate) fn restore(&mut self, skeleton: &Skeleton, frame: &SolveFrame) {
        self.now.update(&self.articulation, frame);
        let mut leap = LEAP;
        for _ in 0..RESTORE_STEPS {
            if self.now.watch.least >= 0.0 {
                break;
            }
            self.active.linearise(&self.articulation, &self.now);
            self.step.load(&self.now.rows, self.now.reference());
            self.try_step(skeleton, STEADY * self.scale, 0.0, leap);
            self.trial.update(&self.articulation, frame);
            if self.trial.watch.broken < self.now.watch.broken {
                core::mem::swap(&mut self.now, &mut self.trial);
            } else {
                leap *= 0.4;
            }
        }
    }

    /// Half the weighted squared distance from the posture; leaves the way there.
    fn strain(&mut self, goal: &PostureGoal) -> Real {
        self.articulation.way_to(&self.now.motions, &self.posture, None, 1.0, &mut self.way);
        // Where a free root stands is the goals' business alone.
        for node in self.articulation.nodes.iter().filter(|n| n.kind == JointKind::Free) {
            self.way[node.first..node.first + node.count].fill(0.0);
        }
        let parts = self.way.iter().zip(&self.drawn);
        parts.map(|(way, burden)| 0.5 * goal.weight * goal.weight * burden * way * way).sum()
    }

    /// Computes a step that stays within the limits, and makes it from `now` to
    /// `trial`. With a posture weight above zero it is drawn there as well, along
    /// the way that [`strain`](Self::strain) has left. Of a broken bound it mends at most `leap`.
    fn try_step(&mut self, skeleton: &Skeleton, damping: Real, posture_weight: Real, leap: Real) {
        let Self { articulation, now, trial, active, step, coupling, kinds, way, toward, drawn, .. } = self;
        active.release(articulation, skeleton, now);
        for round in 0..ROUNDS {
            let mut draw = Draw::NONE;
            if posture_weight > 0.0 {
                toward.copy_from_slice(way);
                active.to_axes(articulation, toward);
                draw = Draw { toward, burdens: drawn, weight: posture_weight };
            }
            step.solve(&active.coordinates, &now.rows, now.reference(), damping, draw);
            coupling.clear();
            couple_goals(articulation, now, &active.coordinates, kinds, coupling);
            for follow in &articulation.follows {
                let Some(values) = coupling.ask(0.0) else { break };
                let (own, source) = articulation.follow_columns(follow);
                (values[own], values[source]) = (FIRMLY, -FIRMLY * follow.multiplier);
            }
            let velocity = |node: u32, at: Vec3| step.velocity(node, at);
            let drift = now.watch.drift(articulation, &active.coordinates, now.reference(), &step.step);
            let near = |guard: &&Guard| Watch::is_near(guard, now.reference(), drift, velocity);
            for guard in now.watch.guards.iter().filter(near) {
                let Some(values) = coupling.guard((SLACK - guard.gap).min(leap)) else { break };
                let (coordinates, reference) = (&active.coordinates, now.reference());
                now.watch.write_row(guard, articulation, coordinates, reference, values);
            }
            if !coupling.is_empty() {
                coupling.correct(&active.coordinates, step);
            }
            // Only the first round lets go: what was held since is held for a reason.
            let pull = (round == 0).then_some(step.pull.as_slice());
            if !active.hold(articulation, skeleton, now, &step.step, pull) {
                break;
            }
        }
        active.advance(articulation, skeleton, &now.motions, &step.step, &mut trial.motions);
    }
}

/// Whether no joint turns by more than the angle with this cosine of its half from one set of motions to the other.
fn are_near(a: &[Motion], b: &[Motion], cosine: Real) -> bool {
    a.iter().zip(b).all(|(a, b)| a.rotation.dot(b.rotation).abs() > cosine)
}

/// Adds the rows of goals that are relative to another joint.
fn couple_goals(
    articulation: &Articulation,
    place: &Place,
    coordinates: &[Coordinate],
    kinds: &[RowKinds],
    coupling: &mut Coupling,
) {
    let reference = place.reference();
    for (goal, (rows, kinds)) in place.rows.iter().zip(kinds).enumerate() {
        if rows.view.is_none() {
            continue;
        }
        let at = rows.at - reference;
        for (part, on) in [kinds.position, kinds.orientation].into_iter().enumerate() {
            for axis in 0..if on { 3 } else { 0 } {
                let Some(values) = coupling.ask(rows.error[part][axis]) else { return };
                articulation.each_column(goal, |c, sign| {
                    let column = &coordinates[c].column;
                    values[c] += sign * rows.apply(column.velocity(at), column.angular)[part][axis];
                });
            }
        }
    }
}

/// How much a column's distance from the posture weighs: as the square of the
/// length of all bones that the joint carries (there are more of them, and they
/// are further away), since bending the back to reach
/// a cup moves half a body and bending the elbow a forearm; as the inverse square of how far the
/// joint can go, since a collar bone lifted by 20° is at its end and a shoulder has hardly begun;
/// and the more the stiffer the joint is.
fn burdens(skeleton: &Skeleton, articulation: &Articulation) -> Vec<Real> {
    let mut carried: Vec<Real> = skeleton.ids().map(|id| skeleton.bone_length(id)).collect();
    for id in skeleton.ids().rev() {
        if let Some(parent) = skeleton.parent(id) {
            carried[parent.index()] += carried[id.index()];
        }
    }
    // A joint's own bone is the way from its parent, which it does not carry.
    let below = |joint: usize| carried[joint] - skeleton.id(joint).map_or(0.0, |id| skeleton.bone_length(id));
    let own = |node: &Node| {
        let tip = skeleton.joints()[node.joint].tip().map_or(0.0, |t| t.length());
        (below(node.joint) + tip)
            / (node.mobility * node.mobility * room(&skeleton.joints()[node.joint])).max(TINY)
    };
    let most = articulation.nodes.iter().filter(|n| n.count > 0).map(own).fold(0.0, Real::max);
    let share = |node: &Node| if most > TINY { (own(node) / most).powi(2).max(1.0e-3) } else { 1.0 };
    articulation.nodes.iter().flat_map(|n| core::iter::repeat_n(share(n), n.count)).collect()
}

/// How far a joint can turn from rest, on average over six directions, as a part of a right angle and
/// at most one; a slide has all of it.
fn room(joint: &Joint) -> Real {
    if joint.limit().is_none()
        || !matches!(joint.kind(), JointKind::Ball | JointKind::Hinge { .. } | JointKind::Universal { .. })
    {
        return 1.0;
    }
    let axes = match joint.kind() {
        JointKind::Hinge { axis } => [axis; 3],
        JointKind::Universal { first, second } => [first, second, second],
        _ => [Vec3::X, Vec3::Y, Vec3::Z],
    };
    let turn = |axis: Vec3| rotation::angle(joint.project(rotation::about(axis, 0.5 * PI)));
    let sum: Real = axes.into_iter().flat_map(|axis| [turn(axis), turn(-axis)]).sum();
    (sum / (6.0 * 0.5 * PI)).clamp(0.1, 1.0)
}

/// Whether the joints are many and without limits: then slow steps are not the sign of a minimum
/// but of a chain that is nearly stretched, whose last bends are drawn out a little at a time. To
/// start again elsewhere would only make new bends.
fn yields(articulation: &Articulation, kinds: &[RowKinds]) -> bool {
    let rows: usize = kinds.iter().map(|k| k.count()).sum();
    articulation.columns > MANY * rows && articulation.nodes.iter().all(|node| node.bound == Bound::Free)
}

/// The mean squared length of the Jacobian's rows at rest: what the damping has
/// to be compared with.
fn scale(articulation: &Articulation, goals: &[Goal], kinds: &[RowKinds]) -> Real {
    let motions = alloc::vec![Motion::REST; articulation.nodes.len()];
    let mut frames = alloc::vec![Transform::IDENTITY; motions.len()];
    articulation.forward(&motions, &mut frames);
    let (mut sum, mut count) = (0.0, 0);
    let mut columns = [Column::ZERO; MAX_COLUMNS];
    for (i, (goal, kinds)) in goals.iter().zip(kinds).enumerate() {
        let rows = articulation.goal_rows(i, goal, &frames);
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
