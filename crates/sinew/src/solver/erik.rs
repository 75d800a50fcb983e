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
//! | file | holds |
//! |---|---|
//! | `gaze` | where a character looks from, and where straight ahead is |
//! | [`postures`] | shapes that any chain can take |
//! | [`options`] | hyperparameters, end points, targets, the report |
//! | `body` | the joint model: links in the zero frame, twisters, the Superpoint |
//! | `latitude` | the latitude table: which angle bends a joint by how much |
//! | `solution` | angles of all links and the frames that follow |
//! | `measure` | the error measures |
//! | `descent` | BWCD and CCD |
//! | `phases` | the forward and the backward phase |
//! | `converge` | non-convergence: settled, or cycling |
//! | `iterate` | one limb from start to end (Alg. 3) |
//! | `refine` | past the paper: a better optimiser for the same error |
//!
//! # How the paper is read
//! Iterations after the first take the directions of the last solution as guide
//! ("starting from the current candidate solution", section 3.3), with the bends
//! of the *wanted* posture, so that what BWCD deformed is drawn back. Frames are
//! those of the zero pose in model axes, so rigs whose joints are turned at rest
//! need no care. Angles out of range go to the nearer end on the circle.
//!
//! # Past the paper
//! - [`ErikOptions::refine`]: the same error, minimised from ERIK's solution.
//! - Several end points: the first one's chain is solved, then what each further
//!   one adds to it, then `refine` moves the shared joints for all.
//! - Slides: they take the posture's way, and move for a [`Gaze::At`].
//! - [`Gaze::At`]: the direction follows from where the end point ends up.
//! - [`ErikOptions::follow`]: the posture may be a moving animation; each frame
//!   starts from the last.
//!
//! What they gain: `refine` brings the mean combined error of robot C from 0.0238
//! to 0.0166 and of G from 0.0169 to 0.0061, and more than halves that of a tree
//! with two heads; looking from where the end point ends up, and not from where
//! the posture has it, brings the median miss of points within reach of robot G
//! from 43° to 0.03°.
//!
//! # Degenerate cases
//! No usable target: the posture within limits comes back and the report says
//! which target was not finite. A straight chain has no plane to bend in and its
//! twisters stay. A target in the end point's own place has no direction; the
//! last one holds. A chain without a bend has a posture error of zero.

mod body;
mod converge;
mod descent;
mod gaze;
mod iterate;
mod latitude;
mod measure;
pub mod options;
mod phases;
pub mod postures;
mod refine;
mod solution;

use alloc::vec::Vec;

use self::body::Body;
use self::converge::Convergence;
use self::descent::DescentRoom;
use self::measure::{Errors, Weights, Wish, measure};
use self::phases::PhaseRoom;
use self::refine::{Refine, Shape, Task};
use self::solution::Solution;
use crate::goal::GoalId;
use crate::limit::LimitComponent;
use crate::math::random::Random;
use crate::math::*;
use crate::pose::Pose;
use crate::report::{Cause, GoalResidual, SolveReport, Status};
use crate::skeleton::{JointId, Skeleton};

pub use options::{Endpoint, ErikError, ErikOptions, ErikReport, FoundBy, Gaze};

/// The solver; see the module's docs.
///
/// ```
/// use sinew::solver::erik::{Endpoint, Erik, ErikOptions, Gaze};
/// use sinew::{Pose, Quat, rigs};
/// let skeleton = rigs::erik(rigs::ErikRobot::G);
/// let head = Endpoint::at(skeleton.find("endpoint").unwrap());
/// let mut erik = Erik::new(&skeleton, &[head], ErikOptions::default())?;
///
/// let mut posture = Pose::rest(&skeleton);
/// posture.set_coordinates(&skeleton, &[0.0, 0.5, 0.3, -0.9, 0.0, -0.4, 0.2, 0.0]).unwrap();
/// let mut pose = Pose::rest(&skeleton);
/// let target = Quat::from_rotation_y(0.8) * Quat::from_rotation_x(1.2);
/// let report = erik.solve(&skeleton, &posture, &[Gaze::Orientation(target)], &mut pose);
/// assert!(report.solve.reached() && report.orientation < 0.01);
/// # Ok::<(), sinew::solver::erik::ErikError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Erik {
    options: ErikOptions,
    fingerprint: u64,
    body: Body,
    endpoints: Vec<Endpoint>,
    wishes: Vec<Wish>,
    posture: Solution,
    /// The cosine of each bend of the wanted posture.
    bends: Vec<Real>,
    solution: Solution,
    best: Solution,
    /// Solutions kept aside: the one followed, the one with the posture's sides,
    /// and the one that the iterations found.
    kept: Solution,
    sided: Solution,
    spare: Solution,
    best_errors: Errors,
    best_by: FoundBy,
    descents: DescentRoom,
    phases: PhaseRoom,
    convergence: Convergence,
    refine: Refine,
    random: Random,
    report: ErikReport,
}

impl Erik {
    /// Builds the solver for the chain or tree between the root and the end
    /// points; refuses joints with more than one degree of freedom on the way.
    pub fn new(skeleton: &Skeleton, endpoints: &[Endpoint], options: ErikOptions) -> Result<Self, ErikError> {
        options.check()?;
        let body = Body::new(skeleton, endpoints, &options)?;
        let links = body.links.len();
        Ok(Self {
            options,
            fingerprint: skeleton.fingerprint(),
            endpoints: endpoints.to_vec(),
            wishes: alloc::vec![Wish::NONE; endpoints.len()],
            posture: Solution::new(links),
            bends: alloc::vec![0.0; links],
            solution: Solution::new(links),
            best: Solution::new(links),
            kept: Solution::new(links),
            sided: Solution::new(links),
            spare: Solution::new(links),
            best_errors: Errors::default(),
            best_by: FoundBy::Posture,
            descents: DescentRoom::new(links),
            phases: PhaseRoom::new(links),
            convergence: Convergence::default(),
            refine: Refine::new(&body),
            random: Random(options.seed),
            report: ErikReport {
                solve: SolveReport::for_goals(endpoints.len()),
                orientation: 0.0,
                posture: 0.0,
                combined: 0.0,
                found_by: FoundBy::Posture,
            },
            body,
        })
    }

    /// How it works.
    pub fn options(&self) -> &ErikOptions {
        &self.options
    }

    /// Where an end point looks at rest, a unit vector in model space.
    pub fn pointing(&self, endpoint: usize) -> Option<Vec3> {
        self.body.limbs.get(endpoint).map(|limb| limb.pointing)
    }

    /// The joints that it moves, parents first, and whether each is a twister,
    /// whose angle does not change the shape of a posture.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = (JointId, bool)> + '_ {
        self.body.links.iter().map(|l| (JointId(l.joint as u32), l.twists))
    }

    /// Warps `posture` so that each end point looks where its gaze says, and
    /// writes the joints' motions to `pose`. The posture may lie outside of the
    /// limits, the pose never does. What `pose` held before matters only with
    /// [`ErikOptions::follow`]; joints that are not on the way to an end point
    /// stay as they are.
    ///
    /// Cannot fail, allocate or panic: see [`ErikReport::solve`] for what came of it.
    pub fn solve(
        &mut self,
        skeleton: &Skeleton,
        posture: &Pose,
        gazes: &[Gaze],
        pose: &mut Pose,
    ) -> &ErikReport {
        let joints = self.body.joints;
        let same = gazes.len() == self.body.limbs.len() && skeleton.fingerprint() == self.fingerprint;
        if !same || pose.len() != joints || posture.len() != joints {
            return self.mismatch();
        }
        pose.project(skeleton);
        self.random = Random(self.options.seed);
        self.take_wishes(gazes);
        self.posture.read(&self.body, posture);
        for (link, (bend, &(s, c))) in
            self.body.links.iter().zip(self.bends.iter_mut().zip(&self.posture.halves))
        {
            *bend = link.bend.at_half(s, c);
        }
        let iterations = self.find(pose);
        self.solution.write(&self.body, pose);
        self.fill_report(iterations, posture.first_unsound())
    }

    /// What is measured of a pose: the errors of eq. 19-22 of any pose, also one
    /// that another solver found. `None` for a pose of another skeleton.
    pub fn measure(&mut self, posture: &Pose, gazes: &[Gaze], pose: &Pose) -> Option<ErikErrors> {
        let joints = self.body.joints;
        if gazes.len() != self.body.limbs.len() || pose.len() != joints || posture.len() != joints {
            return None;
        }
        self.take_wishes(gazes);
        self.posture.read(&self.body, posture);
        for (k, link) in self.body.links.iter().enumerate() {
            let (s, c) = self.posture.halves[k];
            self.bends[k] = link.bend.at_half(s, c);
        }
        self.solution.read(&self.body, pose);
        self.look();
        let e = measure(&self.body, &self.bends, &self.wishes, self.weights(), &self.solution);
        Some(ErikErrors { orientation: e.orientation, posture: e.posture, combined: e.combined })
    }

    fn weights(&self) -> Weights {
        Weights { orientation: self.options.orientation_weight, posture: self.options.posture_weight }
    }

    /// The gazes as turns of the zero frame.
    fn take_wishes(&mut self, gazes: &[Gaze]) {
        for (i, gaze) in gazes.iter().enumerate() {
            let limb = &self.body.limbs[i];
            let mut wish = Wish {
                pointing: limb.pointing,
                symmetric: self.options.symmetric_endpoint,
                weight: self.endpoints[i].weight,
                ..Wish::NONE
            };
            match *gaze {
                Gaze::Orientation(q) => {
                    let length = q.length_squared();
                    wish.usable = length.is_finite() && (length - 1.0).abs() < 1.0e-3;
                    if wish.usable {
                        wish.turn = (q * limb.rest.conjugate()).normalize();
                    }
                }
                Gaze::At(point) => {
                    wish.usable = point.is_finite();
                    wish.point = wish.usable.then_some(point);
                    wish.free_roll = true;
                }
            }
            self.wishes[i] = wish;
        }
    }

    /// Turns the wishes that look at points to where their end points are now.
    fn look(&mut self) {
        for (limb, wish) in self.body.limbs.iter().zip(self.wishes.iter_mut()) {
            wish.look(self.solution.end_position_if(&self.body, limb, wish));
        }
    }

    /// Finds a solution: from the pose given, from the posture with its sides,
    /// or by ERIK's iterations, whichever is wanted and good enough first.
    fn find(&mut self, pose: &Pose) -> u32 {
        let improves = self.options.refine > 0;
        if self.options.follow && improves {
            self.solution.read(&self.body, pose);
            self.solution.hold(&self.body);
            self.look();
            let shape = if self.options.keep_sides { Shape::Sides } else { Shape::Bends };
            let followed = self.improve(shape);
            if followed.combined <= self.options.threshold {
                self.best_by = FoundBy::Followed;
                return 1;
            }
            self.kept.copy_from(&self.solution);
            let iterations = self.solve_fresh();
            // To leave the way that was followed is a jump: only for a real gain.
            if self.errors().combined > LEAP * followed.combined {
                self.solution.copy_from(&self.kept);
                self.look();
                self.best_by = FoundBy::Followed;
            }
            return iterations + 1;
        }
        self.solve_fresh()
    }

    fn errors(&self) -> Errors {
        measure(&self.body, &self.bends, &self.wishes, self.weights(), &self.solution)
    }

    /// Runs the optimiser on the solution.
    fn improve(&mut self, shape: Shape) -> Errors {
        let weights = self.weights();
        let Self { refine, body, bends, posture, wishes, solution, .. } = self;
        let task = Task { body, bends, posture, weights, shape };
        refine.run(&task, wishes, self.options.refine, solution)
    }

    /// Solves without a look at the last pose.
    fn solve_fresh(&mut self) -> u32 {
        if !(self.options.keep_sides && self.options.refine > 0) {
            return self.solve_any_sides();
        }
        let errors = self.solve_from_posture(Shape::Sides);
        if errors.combined <= self.options.threshold {
            return 1;
        }
        self.sided.copy_from(&self.solution);
        let iterations = self.solve_any_sides();
        if self.errors().combined > LEAP * errors.combined {
            self.solution.copy_from(&self.sided);
            self.look();
            self.best_by = FoundBy::Sides;
        }
        iterations + 1
    }

    /// Improves the posture with its sides, and with all of them mirrored (half
    /// a turn of a twister at the root shows that it is the same shape).
    fn solve_from_posture(&mut self, shape: Shape) -> Errors {
        let mut least = Errors { combined: Real::INFINITY, ..Errors::default() };
        for mirrored in [false, true] {
            for k in 0..self.body.links.len() {
                let link = &self.body.links[k];
                let flips = mirrored && !link.slides && !link.twists;
                let posture = self.posture.values[k];
                let value = link.safe(if flips { 2.0 * link.peak - posture } else { posture });
                self.solution.set(&self.body, k, value);
                self.solution.mirrored[k] = flips;
            }
            self.solution.update(&self.body);
            self.look();
            for i in 0..self.body.limbs.len() {
                self.point(i);
            }
            let errors = self.improve(shape);
            if errors.combined < least.combined {
                least = errors;
                self.best.copy_from(&self.solution);
            }
            if errors.combined <= self.options.threshold {
                break;
            }
        }
        self.solution.copy_from(&self.best);
        self.look();
        self.best_by = FoundBy::Sides;
        least
    }

    /// Alg. 3 for each limb, then the optimiser for all.
    fn solve_any_sides(&mut self) -> u32 {
        self.solution.copy_from(&self.posture);
        self.solution.hold(&self.body);
        let mut iterations = 0;
        for i in 0..self.body.limbs.len() {
            if !self.wishes[i].usable {
                self.best_by = FoundBy::Posture;
                continue;
            }
            // To look at a point from where the end point ends up, look from
            // where the last round left it. Rounds contract: the place moves by
            // less than the direction turned it.
            let rounds = if self.wishes[i].point.is_some() { LOOKS } else { 1 };
            for _ in 0..rounds {
                self.look();
                iterations += self.solve_limb(i);
                let before = self.wishes[i].direction();
                self.look();
                if before.dot(self.wishes[i].direction()) > 1.0 - 1.0e-6 {
                    break;
                }
            }
        }
        if self.options.refine > 0 && self.improve(Shape::Bends).combined > self.options.threshold {
            // Where the iterations came to nothing good, the posture itself may
            // be the better start: it knows nothing of the dead end.
            let (errors, by) = (self.errors(), self.best_by);
            self.spare.copy_from(&self.solution);
            if self.solve_from_posture(Shape::Bends).combined >= errors.combined {
                self.solution.copy_from(&self.spare);
                self.look();
                self.best_by = by;
            }
        }
        iterations
    }

    fn mismatch(&mut self) -> &ErikReport {
        self.report.solve.status = Status::NotReached;
        self.report.solve.cause = Some(Cause::Mismatch);
        self.report.solve.iterations = 0;
        let nothing = GoalResidual { position: 0.0, orientation: Real::INFINITY };
        self.report.solve.residuals.fill(nothing);
        (self.report.orientation, self.report.posture, self.report.combined) = (1.0, 1.0, 1.0);
        &self.report
    }

    /// Measures the solution and says what stood in the way.
    fn fill_report(&mut self, iterations: u32, unsound: Option<JointId>) -> &ErikReport {
        let errors = measure(&self.body, &self.bends, &self.wishes, self.weights(), &self.solution);
        let mut worst: Option<(usize, Real)> = None;
        let mut unusable = None;
        for (i, (limb, wish)) in self.body.limbs.iter().zip(&self.wishes).enumerate() {
            let now = self.solution.end(limb);
            let missing = if wish.usable {
                rotation::angle(wish.nearest(now) * now.conjugate())
            } else {
                unusable = unusable.or(Some(GoalId(i as u32)));
                Real::INFINITY
            };
            self.report.solve.residuals[i] = GoalResidual { position: 0.0, orientation: missing };
            if wish.usable && worst.is_none_or(|(_, w)| missing > w) {
                worst = Some((i, missing));
            }
        }
        let reached = errors.combined <= self.options.threshold && unusable.is_none() && unsound.is_none();
        let cause = if reached {
            None
        } else if let Some(goal) = unusable {
            Some(Cause::NotFinite { goal })
        } else if let Some(joint) = unsound {
            Some(Cause::Mended { joint })
        } else {
            worst.map(|(i, _)| self.cause(i, iterations))
        };
        let report = &mut self.report;
        report.solve.status = if reached { Status::Reached } else { Status::NotReached };
        report.solve.cause = cause;
        report.solve.iterations = iterations;
        report.orientation = errors.orientation;
        report.posture = errors.posture;
        report.combined = errors.combined;
        report.found_by = self.best_by;
        &self.report
    }

    /// What keeps an end point from its target: the joint that the missing turn
    /// presses hardest against its edge, or else the posture, which the joints
    /// cannot keep at the same time.
    fn cause(&self, i: usize, iterations: u32) -> Cause {
        let goal = GoalId(i as u32);
        let limb = &self.body.limbs[i];
        let now = self.solution.end(limb);
        let missing = rotation::log(self.wishes[i].nearest(now) * now.conjugate());
        let edge = 2.0 * self.options.disturbance + ROUNDING;
        let mut pressed: Option<(usize, Real)> = None;
        let mut k = limb.tip;
        while let Some(link) = self.body.links.get(k) {
            let value = self.solution.values[k];
            let press = missing.dot(self.solution.basis(&self.body, k) * link.axis);
            let at_edge =
                (value >= link.max - edge && press > 0.0) || (value <= link.min + edge && press < 0.0);
            let held = at_edge && !link.whole_turn && !link.slides;
            if held && press.abs() > EASY && pressed.is_none_or(|(_, p)| press.abs() > p) {
                pressed = Some((k, press.abs()));
            }
            k = link.parent;
        }
        match pressed {
            Some((k, _)) => {
                let joint = JointId(self.body.links[k].joint as u32);
                Cause::Limit { goal, joint, component: LimitComponent::Angle }
            }
            None if iterations >= self.options.iterations => Cause::IterationBudget,
            None => Cause::Stalled { goal },
        }
    }
}

/// The errors of a pose (eq. 19-22); see [`Erik::measure`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ErikErrors {
    /// The orientation error in [0, 1].
    pub orientation: Real,
    /// The posture error in [0, 1], not weighted.
    pub posture: Real,
    /// Their weighted sum.
    pub combined: Real,
}

/// A solution that changes sides, or leaves what was followed, must have less
/// than this part of the error.
const LEAP: Real = 0.5;

/// How often a limb is solved to look at a point from where it ends up.
const LOOKS: u32 = 4;

/// A missing turn below this about a joint presses on nothing, in radians.
const EASY: Real = 1.0e-2;
