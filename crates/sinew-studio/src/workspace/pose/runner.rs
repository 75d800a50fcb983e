//! A solver, the goals it is given and the pose that it moves.
//!
//! While the input moves the solver follows it: it looks for poses nowhere else, targets that leap are
//! gone after by a bounded way a step, and so no joint jumps. When the input rests and a goal is still
//! not met, the whole solver looks elsewhere, a slice of time in each step and what it found so far in the
//! next, so that a busy machine is slower and not wrong. A pose that meets all goals is gone to over some
//! steps.

use std::time::{Duration, Instant};

use sinew_f64::goal::PostureGoal;
use sinew_f64::math::rotation;
use sinew_f64::{Cause, Goal, GoalId, GoalSet, Pose, Skeleton, SolveReport, Solver, Status, Target};

use crate::session::Meter;
use crate::solvers;
use crate::wire::SolverChoice;

/// A solve that takes longer while something moves is ended, and goes on from there in the next
/// step: a slow solver may lag behind the pointer, the picture may not.
const LONGEST_MOVING: Duration = Duration::from_millis(if cfg!(test) { BUSY } else { 6 });
/// In tests a busy machine should not decide what comes out.
const BUSY: u64 = 2000;
/// After so many steps without input a solver may take its time.
const MOVING_STEPS: u32 = 6;
/// The first slices of a search from a pose that was followed to. Later ones are longer, since a solve that
/// was ended early may have to begin the same again.
const SLICE: Duration = Duration::from_millis(if cfg!(test) { BUSY } else { 40 });
/// A search ends after so many slices.
const MOST_SLICES: u32 = 16;
/// And even then a solve that takes longer is ended: whatever the options say, the page stays alive.
const LONGEST: Duration = Duration::from_millis(150);
/// A pose that changes by less, in radians and metres, has come to rest.
const STILL: f64 = 1.0e-5;
/// A pose that changes by less in one step, or after so many steps, is too slow.
const CREEPS: f64 = 2.0e-3;
const LONG: u32 = 30;
/// What is found elsewhere is gone to if no goal is further off, in metres and radians.
const NEARLY: f64 = 5.0e-3;
/// How far a followed target goes in one step, in metres and radians: 2.4 m/s, as fast as a hand is.
const GLIDE: f64 = 0.04;
const GLIDE_TURN: f64 = 0.15;
/// How far any joint turns in one step on the way to a pose that was found elsewhere.
const PASSAGE: f64 = 0.14;
/// How far any joint turns in one step while a target is followed: 11.5°.
const MOST_TURN: f64 = 0.2;

/// See the module.
pub(super) struct Runner {
    pub choice: SolverChoice,
    /// The whole solver, and the one for targets that are followed if that is another.
    solver: Option<Solver>,
    follower: Option<Solver>,
    /// The goals as the solver is given them, and where their targets should be.
    goals: GoalSet,
    wanted: Vec<Target>,
    pub pose: Pose,
    /// What the follower returned last: it goes on from there, and from elsewhere it has to begin anew.
    last: Option<Pose>,
    /// What a search that goes on has come to.
    search: Option<Search>,
    /// A pose that was found elsewhere and is gone to.
    found: Option<Pose>,
    pub report: SolveReport,
    pub time: Duration,
    pub meter: Meter,
    pub still: bool,
    /// Whether the input goes on from the pose, and whether all was searched since it rests.
    follows: bool,
    searched: bool,
    /// The first slice of a search.
    pub(super) slice: Duration,
}

/// A search from the pose that was followed to and from rest, in turns.
struct Search {
    from: [Pose; 2],
    ended: [bool; 2],
    slices: u32,
    /// A pose is good enough whose worst goal is off by less.
    enough: f64,
}

impl Runner {
    /// Builds it. Solvers that can be are drawn to the posture.
    pub fn new(
        choice: &SolverChoice,
        skeleton: &Skeleton,
        goals: &GoalSet,
        posture: &PostureGoal,
        pose: &Pose,
    ) -> Result<Self, String> {
        let spec = solvers::chosen(choice)?;
        let mut goals = goals.clone();
        if spec.takes_posture() {
            goals.set_posture(Some(posture.clone()));
        }
        let build = |spec: sinew_f64::SolverSpec| spec.build(skeleton, &goals).map_err(|e| e.to_string());
        // Without a goal there is nothing to solve, which is no mistake.
        let any = !goals.is_empty();
        let solver = any.then(|| build(spec)).transpose()?;
        let follower = (any && spec.following() != spec).then(|| build(spec.following())).transpose()?;
        Ok(Self {
            choice: choice.clone(),
            solver,
            follower,
            wanted: goals.as_slice().iter().map(|goal| goal.target).collect(),
            report: SolveReport::for_goals(goals.len()),
            goals,
            pose: pose.clone(),
            last: None,
            search: None,
            found: None,
            time: Duration::ZERO,
            meter: Meter::default(),
            still: false,
            follows: false,
            searched: false,
            slice: SLICE,
        })
    }

    /// Puts another target and other weights in place of a goal's; the pose goes after it from where it is.
    pub fn aim(&mut self, goal: GoalId, new: &Goal) {
        if let Some(wanted) = self.wanted.get_mut(goal.index()) {
            let weights = (new.position_weight, new.orientation_weight);
            let same = |old: &Goal| (old.position_weight, old.orientation_weight) == weights;
            // A drag that ends says once more where it is, which is nothing to search for anew.
            if *wanted == new.target && self.goals.get(goal).is_some_and(same) {
                return;
            }
            *wanted = new.target;
            self.goals.set_weights(goal, new.position_weight, new.orientation_weight);
            (self.follows, self.searched, self.search, self.found) = (true, false, None, None);
        }
    }

    /// Takes a pose that the goals were solved to before: what comes next is followed from there.
    pub fn stand(&mut self, pose: &Pose) {
        if self.pose.len() == pose.len() {
            self.pose.clone_from(pose);
            (self.last, self.search, self.found) = (None, None, None);
            (self.follows, self.searched) = (true, true);
        }
    }

    /// Solves for the goals. So many steps ago there was input.
    pub fn solve(&mut self, skeleton: &Skeleton, from_rest: bool, steps: u32) {
        let before = self.pose.clone();
        let start = Instant::now();
        let rests = steps >= MOVING_STEPS;
        let at_once = from_rest || !self.follows;
        // A follower that begins is given the targets as they were, so that it knows how far they move then.
        let goes_on = at_once || self.last.as_ref() == Some(&self.pose);
        let glides = if goes_on { self.glide(at_once) } else { true };
        let mut may_go_on = glides;
        if let Some(found) = self.found.take() {
            self.pass_on(skeleton, &found);
        } else if let Some(search) = self.search.take() {
            self.go_on_searching(skeleton, start, search);
        } else if at_once {
            if from_rest {
                self.pose = Pose::rest(skeleton);
            }
            let longest = if rests { LONGEST } else { LONGEST_MOVING };
            self.run(skeleton, start, longest, false);
            // A solve from rest that was ended early ends at the same pose again, and is not done yet.
            may_go_on = !rests && self.report.cause == Some(Cause::TimeBudget);
        } else {
            self.run(skeleton, start, LONGEST_MOVING, true);
            self.last = Some(self.pose.clone());
            self.hold_back(skeleton, &before);
            let creeps = largest_change(&before, &self.pose) < CREEPS || steps >= LONG;
            may_go_on |= !rests && self.wants_search();
            if rests && creeps && !glides && self.wants_search() {
                self.searched = true;
                let search = Search {
                    from: [self.pose.clone(), Pose::rest(skeleton)],
                    ended: [false; 2],
                    slices: 0,
                    enough: NEARLY.min(0.5 * worst(&self.report)),
                };
                self.go_on_searching(skeleton, start, search);
            }
        }
        let now = Instant::now();
        self.time = now - start;
        self.meter.count(self.time, now);
        let unchanged = largest_change(&before, &self.pose) < STILL;
        // A followed pose that meets its goals may still be on its way back to the posture.
        let met = self.report.reached() && !self.follows;
        let on_the_way = self.found.is_some() || self.search.is_some();
        self.still = (met || (unchanged && !may_go_on)) && !on_the_way;
    }

    fn run(&mut self, skeleton: &Skeleton, start: Instant, longest: Duration, follow: bool) {
        let solver =
            if follow { self.follower.as_mut().or(self.solver.as_mut()) } else { self.solver.as_mut() };
        match solver {
            Some(solver) => {
                let mut expired = || start.elapsed() > longest;
                let report = solver.solve_until(skeleton, &self.goals, &mut self.pose, &mut expired);
                self.report.clone_from(report);
            }
            None => {
                self.report.status = Status::Reached;
                self.report.cause = None;
                self.report.iterations = 0;
            }
        }
    }

    /// Moves the targets on towards where they should be, at once or by what one step may; whether
    /// some are still on their way.
    fn glide(&mut self, at_once: bool) -> bool {
        let mut on_the_way = false;
        let ids: Vec<GoalId> = self.goals.iter().map(|(id, _)| id).collect();
        for (id, &wanted) in ids.into_iter().zip(&self.wanted) {
            let Some(now) = self.goals.get(id).map(|goal| goal.target) else { continue };
            let next = if at_once { wanted } else { nearer(now, wanted) };
            on_the_way |= next != wanted;
            self.goals.set_target(id, next);
        }
        on_the_way
    }

    /// Whether a goal is unmet, soft or not, and nothing was looked for elsewhere yet: a body that
    /// leant after a hand may stay a little bent when the hand has come back.
    fn wants_search(&self) -> bool {
        let unmet = |r: &sinew_f64::GoalResidual| r.position > 1.0e-3 || r.orientation > 1.0e-2;
        !self.searched
            && self.follower.is_some()
            && !self.report.reached()
            && self.report.residuals.iter().any(unmet)
    }

    /// One slice of looking everywhere, also from rest: what meets the goals, or nearly, is kept to be
    /// gone to. Goals that weigh 30 beside ones of 0.05 are come to very slowly: first all weigh alike, and
    /// then what they do.
    fn go_on_searching(&mut self, skeleton: &Skeleton, start: Instant, mut search: Search) {
        let (before, said) = (self.pose.clone(), self.report.clone());
        let weighed = self.goals.clone();
        let turn = (search.slices % 2) as usize;
        let turn = if search.ended[turn] { 1 - turn } else { turn };
        let slice = (self.slice * (1 + search.slices / 2)).min(LONGEST.max(self.slice));
        self.pose.clone_from(&search.from[turn]);
        for (id, goal) in weighed.iter() {
            let alike = |weight: f64| if weight > 0.0 { 1.0 } else { 0.0 };
            self.goals.set_weights(id, alike(goal.position_weight), alike(goal.orientation_weight));
        }
        self.run(skeleton, start, slice / 2, false);
        self.goals.clone_from(&weighed);
        if !self.report.reached() {
            self.run(skeleton, start, slice, false);
        }
        search.ended[turn] = self.report.cause != Some(Cause::TimeBudget);
        search.slices += 1;
        if self.report.reached() || worst(&self.report) < search.enough {
            if largest_change(&before, &self.pose) > PASSAGE {
                self.found = Some(std::mem::replace(&mut self.pose, before));
            }
            return;
        }
        search.from[turn] = std::mem::replace(&mut self.pose, before);
        self.report = said;
        if search.ended != [true; 2] && search.slices < MOST_SLICES {
            self.search = Some(search);
        }
    }

    /// Whatever the solver: what would jump goes only a part of the way, and on in the next step.
    fn hold_back(&mut self, skeleton: &Skeleton, before: &Pose) {
        let turns = before.rotations().iter().zip(self.pose.rotations());
        let largest = turns.map(|(a, b)| rotation::angle(a.conjugate() * *b)).fold(0.0, f64::max);
        if largest > MOST_TURN {
            let after = self.pose.clone();
            self.pose.blend(before, &after, MOST_TURN / largest);
            self.pose.project(skeleton);
        }
    }

    /// Goes on to a pose that was found.
    fn pass_on(&mut self, skeleton: &Skeleton, found: &Pose) {
        let left = largest_change(&self.pose, found);
        if left <= PASSAGE {
            self.pose.clone_from(found);
            return;
        }
        let from = self.pose.clone();
        self.pose.blend(&from, found, PASSAGE / left);
        self.pose.project(skeleton);
        self.found = Some(found.clone());
    }
}

/// How far the goal that is met worst is from being met, in metres and radians.
fn worst(report: &SolveReport) -> f64 {
    report.residuals.iter().map(|r| r.position.max(r.orientation)).fold(0.0, f64::max)
}

/// A target on its way to another, by no more than one step.
fn nearer(now: Target, wanted: Target) -> Target {
    if std::mem::discriminant(&now) != std::mem::discriminant(&wanted) {
        return wanted;
    }
    let mut share: f64 = 1.0;
    if let (Some(a), Some(b)) = (now.position(), wanted.position()) {
        share = share.min(GLIDE / a.distance(b).max(GLIDE));
    }
    if let (Target::Pose(a), Target::Pose(b)) = (now, wanted) {
        share = share.min(GLIDE_TURN / rotation::angle(a.rotation.conjugate() * b.rotation).max(GLIDE_TURN));
    }
    let turned = |a: sinew_f64::Quat, b: sinew_f64::Quat| {
        let share = share.min(GLIDE_TURN / rotation::angle(a.conjugate() * b).max(GLIDE_TURN));
        if share >= 1.0 { b } else { a.slerp(b, share) }
    };
    match (now, wanted) {
        _ if share >= 1.0 && !matches!(wanted, Target::Orientation(_) | Target::Aim { .. }) => wanted,
        (Target::Position(a), Target::Position(b)) => Target::Position(a.lerp(b, share)),
        (Target::Pose(a), Target::Pose(b)) => Target::Pose(sinew_f64::Transform::new(
            a.translation.lerp(b.translation, share),
            a.rotation.slerp(b.rotation, share),
        )),
        (Target::Orientation(a), Target::Orientation(b)) => Target::Orientation(turned(a, b)),
        // What is looked at may be far away: there a leap is a small turn.
        (_, wanted) => wanted,
    }
}

/// The largest motion of any joint between two poses, in radians or metres.
fn largest_change(a: &Pose, b: &Pose) -> f64 {
    let turns = a.rotations().iter().zip(b.rotations()).map(|(a, b)| rotation::angle(a.conjugate() * *b));
    let shifts = a.translations().iter().zip(b.translations()).map(|(a, b)| a.distance(*b));
    turns.chain(shifts).fold(0.0, f64::max)
}
