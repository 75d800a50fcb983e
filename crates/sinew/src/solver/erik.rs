//! ERIK: a designed posture that looks where it should.
//!
//! Ribeiro & Paiva 2019. An animator's posture is a pose of a chain of hinges
//! (a lamp, a snake, a robot arm). ERIK warps it in real time so that the end
//! point is *oriented* as wanted, within the joints' limits, and the shape of
//! the posture suffers as little as possible. The two wishes compete; their
//! weighted sum is the error that counts (eq. 19).
//!
//! ```text
//! posture, target ──► warp (BWCD without limits)
//!                       │
//!        ┌──────────────▼──────────────┐
//!        │ forward phase, tip to root  │
//!        │ backward phase, root to tip ├──► good enough? ──► out
//!        │ BWCD within limits          ├──► good enough? ──► out
//!        └──────────────┬──────────────┘
//!               settled or cycling?
//!                       ├─ first: move the target a little aside, go on
//!                       └─ then: CCD from here, CCD from the zero pose, the best of all
//! ```
//!
//! # What is shared
//! ERIK stands on the same floor as the general solvers. Joints, ranges and forward kinematics are
//! those of the flat `Articulation`, whose nodes `erik/body.rs` annotates; `erik/refine.rs` makes
//! the damped step of `solver/step.rs`; `solver/diagnose.rs` names the cause. What is ERIK's own is
//! the paper's: latitudes, twisters, the two phases, descents that point, and the measure.
//!
//! # How the paper is read
//! Iterations after the first take the directions of the last solution as guide
//! ("starting from the current candidate solution", section 3.3), with the bends
//! of the *wanted* posture, so that what BWCD deformed is drawn back. Angles out
//! of range go to the nearer end on the circle.
//!
//! # Past the paper
//! - [`ErikOptions::refine`]: the same error, minimised from ERIK's solution.
//! - Several end points: the first one's chain is solved, then what each further
//!   one adds to it, then `refine` moves the shared joints for all.
//! - Slides: they take the posture's way, and move for a [`Target::Aim`].
//! - [`Target::Aim`]: the direction follows from where the end point ends up.
//! - [`ErikOptions::follow`]: the posture may be a moving animation; each frame
//!   starts from the last. An end point keeps some room to a point that it aims at.
//!
//! What they gain (`sinew eval erik`): `refine` brings the mean combined error of
//! robot C from 0.0225 to 0.0157 and of G from 0.0156 to 0.0038, and more than
//! halves that of a tree with two heads; looking from where the end point ends up,
//! and not from where the posture has it, brings the median miss of points within
//! reach of robot G from 43° to 0.04°.
//!
//! # Degenerate cases
//! No usable target: the posture within limits comes back and the report says
//! which target was not finite. A straight chain has no plane to bend in and its
//! twisters stay. A target in the end point's own place has no direction; the
//! last one holds. A chain without a bend has a posture error of zero.

mod body;
mod converge;
mod descent;
mod endpoint;
mod iterate;
mod latitude;
mod measure;
mod options;
mod phases;
pub mod postures;
mod refine;
mod solution;

use alloc::vec::Vec;

use self::body::{Body, Limb};
use self::converge::Convergence;
use self::measure::{Wanted, Wish, measure};
use self::phases::PhaseRoom;
use self::refine::{Refine, Shape, Task};
use self::solution::Solution;
use super::diagnose;
use super::frame::Stop;
use crate::error::RigError;
use crate::goal::{Goal, GoalId, GoalSet, Target};
use crate::limit::{LimitShape, SLACK};
use crate::math::random::Random;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::report::{Cause, GoalResidual, SolveReport, Status, Tolerance};
use crate::skeleton::{JointId, Skeleton};

pub use endpoint::{EndPoint, end_of_longest_chain, end_that_looks};
pub use measure::ErikErrors;
pub use options::{ErikOptions, ErikReport};

/// The solver; see the module's docs.
///
/// ```
/// use sinew::solver::erik::{Erik, ErikOptions};
/// use sinew::{Goal, Pose, Quat, Target, rigs};
/// let skeleton = rigs::erik(rigs::ErikRobot::G);
/// let head = Goal::orientation(skeleton.find("endpoint").unwrap(), Quat::IDENTITY);
/// let mut erik = Erik::new(&skeleton, &[head], ErikOptions::default())?;
///
/// let mut posture = Pose::rest(&skeleton);
/// posture.set_coordinates(&skeleton, &[0.0, 0.5, 0.3, -0.9, 0.0, -0.4, 0.2, 0.0]).unwrap();
/// let mut pose = Pose::rest(&skeleton);
/// let target = Quat::from_rotation_y(0.8) * Quat::from_rotation_x(1.2);
/// let report = erik.solve(&skeleton, &posture, &[Target::Orientation(target)], &mut pose);
/// assert!(report.solve.reached() && report.errors.orientation < 0.01);
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Erik {
    options: ErikOptions,
    fingerprint: u64,
    body: Body,
    /// The end points.
    goals: GoalSet,
    model: ModelPose,
    /// The joints with a limit that it does not move.
    others: Vec<JointId>,
    wishes: Vec<Wish>,
    /// What the posture wants, by node.
    posture: Vec<Wanted>,
    solution: Solution,
    best: Solution,
    /// Solutions kept aside: the one followed, the one with the posture's sides,
    /// and the one that the iterations found.
    kept: Solution,
    sided: Solution,
    spare: Solution,
    /// The combined error of what was found last.
    least: Real,
    /// Room for the descents: the pointing direction in each node's own frame.
    seen: Vec<Vec3>,
    phases: PhaseRoom,
    convergence: Convergence,
    refine: Refine,
    random: Random,
    report: ErikReport,
}

impl Erik {
    /// Builds the solver for the chain or tree between the root and the end points, which are the
    /// effectors of these goals; refuses joints with more than one degree of freedom on the way.
    /// An end point looks along the axis of its goal if that is an aim, else along the last
    /// segment of the chain; it counts by the goal's orientation weight.
    pub fn new(skeleton: &Skeleton, goals: &[Goal], options: ErikOptions) -> Result<Self, RigError> {
        options.check()?;
        let goals: GoalSet = goals.iter().copied().collect();
        let body = Body::new(skeleton, &goals, &options)?;
        let nodes = body.links.len();
        let solution = Solution::new(&body.articulation);
        let moves =
            |id: JointId| body.articulation.nodes.iter().any(|n| n.count > 0 && n.joint == id.index());
        let limited = |id: &JointId| skeleton.joint(*id).limit().shape != LimitShape::None;
        Ok(Self {
            options,
            fingerprint: skeleton.fingerprint(),
            model: ModelPose::rest(skeleton),
            others: skeleton.ids().filter(limited).filter(|id| !moves(*id)).collect(),
            wishes: alloc::vec![Wish::NONE; goals.len()],
            posture: alloc::vec![Wanted::UNKNOWN; nodes],
            best: solution.clone(),
            kept: solution.clone(),
            sided: solution.clone(),
            spare: solution.clone(),
            solution,
            least: 0.0,
            seen: alloc::vec![Vec3::ZERO; nodes],
            phases: PhaseRoom::new(nodes),
            convergence: Convergence::default(),
            refine: Refine::new(&body),
            random: Random(options.seed),
            report: ErikReport { solve: SolveReport::for_goals(goals.len()), errors: ErikErrors::default() },
            goals,
            body,
        })
    }

    /// How it works.
    pub fn options(&self) -> &ErikOptions {
        &self.options
    }

    /// Changes how far a joint goes in one step of what is followed; see [`ErikOptions::stride`].
    pub fn set_stride(&mut self, stride: Real) {
        if stride.is_finite() && stride >= 0.0 {
            self.options.stride = stride;
        }
    }

    /// Where an end point looks at rest, a unit vector in model space.
    pub fn pointing(&self, endpoint: usize) -> Option<Vec3> {
        self.body.limbs.get(endpoint).map(|limb| limb.rest * limb.pointing)
    }

    /// The joints that it moves, parents first, and whether each is a twister,
    /// whose angle does not change the shape of a posture.
    pub fn joints(&self) -> impl Iterator<Item = (JointId, bool)> + '_ {
        let nodes = self.body.articulation.nodes.iter().zip(&self.body.links);
        nodes.filter(|(n, _)| n.count > 0).map(|(n, link)| (JointId(n.joint as u32), link.twists))
    }

    /// Warps `posture` so that each end point meets its target, which is an
    /// orientation or an aim, and writes the joints' motions to `pose`. The
    /// posture may lie outside of the limits, the pose never does. What `pose`
    /// held before matters only with [`ErikOptions::follow`]; joints that are not
    /// on the way to an end point stay as they are.
    ///
    /// Cannot fail, allocate or panic: see [`ErikReport::solve`] for what came of it.
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        posture: &Pose,
        targets: &[Target],
        pose: &mut Pose,
    ) -> &ErikReport {
        self.solve_from(skeleton, posture, targets, pose, self.options.follow)
    }

    /// With or without a look at the pose given.
    fn solve_from(
        &mut self,
        skeleton: &Skeleton,
        posture: &Pose,
        targets: &[Target],
        pose: &mut Pose,
        follow: bool,
    ) -> &ErikReport {
        if skeleton.fingerprint() != self.fingerprint || !self.take(posture, targets, pose) {
            return self.mismatch();
        }
        let mended = posture.first_unsound().or(pose.mend());
        self.random = Random(self.options.seed);
        self.body.articulation.take_folded(pose);
        self.body.articulation.read(pose, &mut self.solution.place.motions);
        let iterations = self.find(skeleton, follow);
        if follow && self.options.stride > 0.0 {
            self.shorten(pose);
        }
        self.body.articulation.write(&self.solution.place.motions, pose);
        self.model.update(skeleton, pose);
        self.fill_report(skeleton, pose, iterations, mended)
    }

    /// The same as if nothing had been followed before: what the first frame of a motion starts
    /// from, or the first after a cut.
    pub fn solve_afresh(
        &mut self,
        skeleton: &Skeleton,
        posture: &Pose,
        targets: &[Target],
        pose: &mut Pose,
    ) -> &ErikReport {
        self.forget();
        self.solve_from(skeleton, posture, targets, pose, false)
    }

    /// Forgets the last posture, by whose way what is followed moves along. A solver that goes from one character to
    /// another has to, or what it finds depends on the one before; see [`crowd`](crate::crowd).
    pub fn forget(&mut self) {
        self.posture.fill(Wanted::UNKNOWN);
    }

    /// Changes how gently a posture draws what is followed; see [`ErikOptions::ease`]. What is below zero or not finite
    /// changes nothing.
    pub fn set_ease(&mut self, ease: Real) {
        if ease.is_finite() && ease >= 0.0 {
            self.options.ease = ease;
        }
    }

    /// What is measured of a pose: the errors of eq. 19-22 of any pose, also one
    /// that another solver found. `None` for a pose of another skeleton, and for
    /// targets that are neither an orientation nor an aim.
    pub fn measure(
        &mut self,
        skeleton: &Skeleton,
        posture: &Pose,
        targets: &[Target],
        pose: &Pose,
    ) -> Option<ErikErrors> {
        if skeleton.fingerprint() != self.fingerprint || !self.take(posture, targets, pose) {
            return None;
        }
        self.model.update(skeleton, pose);
        Some(self.errors_of(pose))
    }

    /// How far joints keep off their edges.
    fn inset(&self) -> Real {
        if self.options.avoid_edges { self.options.disturbance } else { 0.0 }
    }

    /// Takes posture and targets; `false` if they, or the pose, are not for
    /// what this was built for.
    fn take(&mut self, posture: &Pose, targets: &[Target], pose: &Pose) -> bool {
        let joints = self.model.positions.len();
        let looks = |t: &Target| matches!(t, Target::Orientation(_) | Target::Aim { .. });
        if targets.len() != self.body.limbs.len()
            || !targets.iter().all(looks)
            || pose.len() != joints
            || posture.len() != joints
        {
            return false;
        }
        for ((wish, limb), target) in self.wishes.iter_mut().zip(&self.body.limbs).zip(targets) {
            let pointing = match *target {
                Target::Aim { axis, .. } => direction_or(axis, limb.pointing),
                _ => limb.pointing,
            };
            let mut target = *target;
            let (node, link) = (self.body.node(limb.tip), &self.body.links[limb.tip]);
            if let (Target::Orientation(wanted), true, true) =
                (&mut target, self.options.carry_twist, link.twists)
            {
                // Alg. 2, lines 4-5: a head that is tilted in the posture is tilted when it looks.
                let tilt = node.value_in(posture);
                let axis = self.body.offset(limb).rotation.conjugate() * link.axis;
                if tilt.is_finite() {
                    *wanted *= rotation::about(axis, tilt);
                }
            }
            let symmetric = self.options.symmetric_endpoint;
            let (roll, weight) = (self.options.roll_weight, limb.weight);
            let room = ROOM * limb.length;
            *wish = Wish { target, pointing, symmetric, roll, weight, room, usable: target.is_valid() };
        }
        let nodes = self.body.articulation.nodes.iter().zip(&self.body.links);
        for (wanted, (node, link)) in self.posture.iter_mut().zip(nodes) {
            *wanted = wanted.next(node, link, posture);
        }
        true
    }

    /// The errors of a pose whose forward kinematics the model pose is.
    fn errors_of(&self, pose: &Pose) -> ErikErrors {
        let end = |i: usize| self.goals.as_slice()[i].effector.transform(&self.model);
        let rotation = |k: usize| pose.rotations()[self.body.node(k).joint];
        measure(&self.body, &self.posture, &self.wishes, &self.options, end, rotation)
    }

    /// Finds a solution: from the pose given, from the posture with its sides,
    /// or by ERIK's iterations, whichever is wanted and good enough first.
    fn find(&mut self, skeleton: &Skeleton, follow: bool) -> u32 {
        for (k, wanted) in self.posture.iter_mut().enumerate() {
            wanted.from = self.solution.value(k) + wanted.moved;
            wanted.moved = 0.0;
        }
        if !(follow && self.options.refine > 0) {
            return self.solve_fresh(skeleton);
        }
        self.solution.hold(&self.body);
        let shape = if self.options.keep_sides { Shape::Sides } else { Shape::Bends };
        // Without its sides a posture has no place for a joint to go back to.
        let ease = if self.options.keep_sides { self.options.ease } else { 0.0 };
        let followed = self.improve(skeleton, shape, ease);
        // What moves smoothly is worth more than a posture that is nearer: only one that looks
        // somewhere else starts anew.
        if followed <= self.options.threshold || self.missing() <= LOST {
            return 1;
        }
        self.kept.copy_from(&self.solution);
        let iterations = self.solve_fresh(skeleton);
        // To leave the way that was followed is a jump: only for a real gain.
        if self.least > LEAP * followed {
            self.solution.copy_from(&self.kept);
        }
        iterations + 1
    }

    /// Goes only so far from the pose given towards the solution that no joint makes more than a stride.
    fn shorten(&mut self, pose: &Pose) {
        let Self { body, solution, options, .. } = self;
        let way = |k: usize, value: Real| {
            let node = body.node(k);
            let from = node.nearest_value(node.value_in(pose));
            (from, body.links[k].way(from, value))
        };
        let moving = |k: &usize| body.node(*k).count > 0;
        let most = (0..body.links.len())
            .filter(moving)
            .fold(0.0, |m: Real, k| m.max(way(k, solution.value(k)).1.abs()));
        if most <= options.stride {
            return;
        }
        for k in (0..body.links.len()).filter(moving) {
            let (from, way) = way(k, solution.value(k));
            solution.set(body, k, from + way * (options.stride / most));
        }
        solution.hold(body);
    }

    /// The orientation error of the solution.
    fn missing(&self) -> Real {
        let end = |i: usize| self.solution.end(&self.body, &self.body.limbs[i]);
        let rotation = |k: usize| self.solution.place.motions[k].rotation;
        measure(&self.body, &self.posture, &self.wishes, &self.options, end, rotation).orientation
    }

    /// Runs the optimiser on the solution, which the posture draws so gently; the combined error that it
    /// comes to.
    fn improve(&mut self, skeleton: &Skeleton, shape: Shape, ease: Real) -> Real {
        let Self { refine, body, posture, wishes, solution, options, .. } = self;
        let task = Task { skeleton, body, wishes, posture, options, shape, ease };
        refine.run(&task, solution)
    }

    /// Solves without a look at the last pose.
    fn solve_fresh(&mut self, skeleton: &Skeleton) -> u32 {
        if !(self.options.keep_sides && self.options.refine > 0) {
            return self.solve_any_sides(skeleton, true);
        }
        // What a motion starts with is what it goes on with.
        let shape = if self.options.follow { Shape::Sides } else { Shape::Held };
        let sided = self.solve_from_posture(skeleton, shape);
        if sided <= self.options.threshold {
            return 1;
        }
        self.sided.copy_from(&self.solution);
        let iterations = self.solve_any_sides(skeleton, false);
        let mut kept = self.least;
        if kept > LEAP * sided {
            self.solution.copy_from(&self.sided);
            kept = sided;
        }
        if self.missing() > FAR * self.options.threshold {
            // A posture at the ends of its ranges may lead into a corner that the middle of them does not.
            self.spare.copy_from(&self.solution);
            let other = self.solve_from_the_middle(skeleton, shape);
            self.least = if other < LEAP * kept { other } else { self.keep_better(kept, Real::INFINITY) };
        }
        iterations + 1
    }

    /// Improves the pose with every joint in the middle of its range.
    fn solve_from_the_middle(&mut self, skeleton: &Skeleton, shape: Shape) -> Real {
        for i in 0..self.body.limbs.len() {
            let (limb, wish) = (self.body.limbs[i], self.wishes[i]);
            self.set_posture(&limb, false);
            for &k in self.body.path(&limb).iter().filter(|&&k| self.body.links[k].turns) {
                if let Some((min, max)) = self.body.node(k).range() {
                    self.solution.set(&self.body, k, 0.5 * (min + max));
                }
            }
            self.solution.update_limb(&self.body, &limb);
            if wish.usable && limb.start < limb.end {
                self.point(&limb, &wish);
            }
        }
        self.improve(skeleton, shape, 0.0)
    }

    /// Sets the joints of a limb to the posture within their ranges, on its side
    /// or on the other one.
    fn set_posture(&mut self, limb: &Limb, mirrored: bool) {
        for &k in self.body.path(limb) {
            self.solution.set(&self.body, k, self.posture[k].values[usize::from(mirrored)]);
            self.solution.mirrored[k] = mirrored && self.body.links[k].bends();
            self.solution.update_node(&self.body, k);
        }
    }

    /// Improves the posture with its sides, and with all of them mirrored (half
    /// a turn of a twister at the root shows that it is the same shape).
    fn solve_from_posture(&mut self, skeleton: &Skeleton, shape: Shape) -> Real {
        self.least = Real::INFINITY;
        for mirrored in [false, true] {
            for i in 0..self.body.limbs.len() {
                let (limb, wish) = (self.body.limbs[i], self.wishes[i]);
                self.set_posture(&limb, mirrored);
                if wish.usable && limb.start < limb.end {
                    self.point(&limb, &wish);
                }
            }
            let error = self.improve(skeleton, shape, 0.0);
            if error < self.least {
                self.least = error;
                self.best.copy_from(&self.solution);
            }
            let enough = if shape == Shape::Sides { 1.0 } else { ENOUGH };
            if error <= enough * self.options.threshold {
                break;
            }
        }
        self.solution.copy_from(&self.best);
        self.least
    }

    /// Alg. 3 for each limb, then the optimiser for all; with or without other starts than ERIK's.
    fn solve_any_sides(&mut self, skeleton: &Skeleton, others: bool) -> u32 {
        let most = self.options.iterations;
        if self.options.refine == 0 {
            return self.iterate(most);
        }
        let iterations = self.iterate(most.min(SKETCH));
        let mut found = self.improve(skeleton, Shape::Bends, 0.0);
        if others && found > ENOUGH * self.options.threshold {
            // The posture itself may be the better start: it knows nothing of a dead end.
            self.spare.copy_from(&self.solution);
            let other = self.solve_from_posture(skeleton, Shape::Bends);
            found = self.keep_better(found, other);
        }
        self.least = found;
        let far = found > FAR * self.options.threshold || self.missing() > ENOUGH * self.options.threshold;
        if iterations < SKETCH || !far {
            return iterations;
        }
        // All the rest of the iterations, with their tricks, for what does not look there yet.
        self.spare.copy_from(&self.solution);
        let iterations = self.iterate(most);
        let other = self.improve(skeleton, Shape::Bends, 0.0);
        self.least = self.keep_better(found, other);
        iterations
    }

    /// Takes the spare solution, with error `spare`, instead of the one there is if that is no better;
    /// the error of what is kept.
    fn keep_better(&mut self, spare: Real, error: Real) -> Real {
        if error >= spare {
            self.solution.copy_from(&self.spare);
        }
        error.min(spare)
    }

    /// Alg. 3 for each limb, with at most so many iterations; how many they were.
    fn iterate(&mut self, most: u32) -> u32 {
        let mut iterations = 0;
        for i in 0..self.body.limbs.len() {
            let limb = self.body.limbs[i];
            if self.wishes[i].usable {
                iterations += self.solve_limb(i, &limb, most);
            } else {
                self.set_posture(&limb, false);
            }
        }
        iterations
    }

    fn mismatch(&mut self) -> &ErikReport {
        self.report.solve.status = Status::NotReached;
        self.report.solve.cause = Some(Cause::Mismatch);
        self.report.solve.iterations = 0;
        self.report.solve.residuals.fill(GoalResidual::UNKNOWN);
        self.report.errors = ErikErrors { orientation: 1.0, posture: 1.0, combined: 1.0 };
        &self.report
    }

    /// The joint that ERIK does not move and that was given furthest outside of
    /// its limit.
    fn left_outside(&self, skeleton: &Skeleton, pose: &Pose) -> Option<Cause> {
        let mut worst: Option<(JointId, Real)> = None;
        for &joint in &self.others {
            let by = skeleton.joint(joint).violation(pose.rotation(joint), pose.translation(joint));
            if by > SLACK && worst.is_none_or(|(_, most)| by > most) {
                worst = Some((joint, by));
            }
        }
        worst.map(|(joint, by)| Cause::OutsideLimit { joint, by })
    }

    /// Measures the returned pose and says what stood in the way. `mended` is a
    /// joint of the posture or of the pose given that had to be.
    fn fill_report(
        &mut self,
        skeleton: &Skeleton,
        pose: &Pose,
        iterations: u32,
        mended: Option<JointId>,
    ) -> &ErikReport {
        let errors = self.errors_of(pose);
        let mut worst = (GoalId(0), 0.0);
        let mut unusable = None;
        for (i, wish) in self.wishes.iter().enumerate() {
            let id = GoalId(i as u32);
            let mut missing = Real::INFINITY;
            if wish.usable {
                let now = self.goals.as_slice()[i].effector.transform(&self.model);
                self.goals.set_target(id, wish.nearest_target(now));
                missing = GoalResidual::measure_at(&self.goals.as_slice()[i], now).orientation;
                if missing > worst.1 {
                    worst = (id, missing);
                }
            } else {
                unusable = unusable.or(Some(id));
            }
            self.report.solve.residuals[i] = GoalResidual { position: 0.0, orientation: missing };
        }
        let reached = errors.combined <= self.options.threshold && unusable.is_none();
        let cause = if let Some(goal) = unusable {
            Some(Cause::NotFinite { goal })
        } else if reached || mended.is_some() {
            mended.map(|joint| Cause::Mended { joint }).or_else(|| self.left_outside(skeleton, pose))
        } else {
            let stop = if iterations >= self.options.iterations { Stop::Iterations } else { Stop::Stalled };
            let (goals, model, tolerance) = (&self.goals, &self.model, Tolerance::default());
            Some(diagnose::cause(skeleton, goals, pose, model, worst.0, tolerance, stop, self.inset(), None))
        };
        self.report.solve.status = if reached { Status::Reached } else { Status::NotReached };
        self.report.solve.cause = cause;
        self.report.solve.iterations = iterations;
        self.report.errors = errors;
        &self.report
    }
}

/// How many of ERIK's iterations the optimiser starts from: it sees to what more of them would gain.
const SKETCH: u32 = 2;
/// How near an end point comes to what it looks at while it is followed, in lengths of its chain. A posture that draws with
/// squares would rather touch what is within reach than bend down to look at it, and has no direction there.
const ROOM: Real = 0.15;
/// How many thresholds of error make a solution poor.
const FAR: Real = 1.75;
/// The part of the threshold below which no other start is tried.
const ENOUGH: Real = 0.375;
/// A solution that changes sides, or leaves what was followed, must have less
/// than this part of the error.
const LEAP: Real = 0.5;
/// The orientation error from which on a pose that is followed is given up: about 25°.
const LOST: Real = 0.15;
