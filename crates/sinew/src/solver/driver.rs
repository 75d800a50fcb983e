//! What surrounds the iterations of every general solver, once for all of them.
//!
//! [`solve`] runs a [`Method`] on a problem: checks and preparation before,
//! influences, measurement and diagnosis after (`solver/frame.rs`). [`Progress`] is
//! the loop that every method makes: iterate, keep the best, stop when the goals are
//! met, the budget is used up or nothing is gained any more.
//!
//! # Influences below one
//! A goal with influence `w` asks for the part `w` of the way from where its effector is
//! in the pose given. Solving for that target alone would be continuous in `w` only as
//! long as the method follows one branch; a restart, or another side of a limit, would
//! make a jump in the middle of a fade. So the goals are solved in full first, the pose
//! is blended joint by joint from the one given to that solution, and from there damped
//! least-squares steps (`solver/descent.rs`) bring each effector to the part `w` of the way
//! from where it was to where the solution has it. They are small and depend continuously
//! on where they start, which the sweeps of CCD, FABRIK or EWBIK do not; so every method
//! uses them. Both ends are exact, and in between all depends continuously on `w`.

use super::GoalSolver;
use super::frame::{SolveFrame, Stop};
use crate::goal::GoalSet;
use crate::math::*;
use crate::pose::Pose;
use crate::report::{Cause, SolveReport};
use crate::skeleton::Skeleton;

/// How hard a method should try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// With all restarts that its options allow.
    Search,
    /// From the pose given and nowhere else.
    Follow,
}

/// What a method is asked.
pub(crate) struct Request<'a> {
    pub skeleton: &'a Skeleton,
    pub goals: &'a GoalSet,
    pub effort: Effort,
    /// Whether the caller's time has run out; asked once an iteration.
    pub expired: &'a mut dyn FnMut() -> bool,
}

/// The iterations of a solver.
pub(crate) trait Method {
    /// The state that all solvers share.
    fn frame(&mut self) -> &mut SolveFrame;

    /// Whether to try goals that exclude each other from the rest pose too, for a truer cause.
    fn looks_elsewhere(&self) -> bool {
        true
    }

    /// Changes the pose to meet the frame's goals. The pose is within its limits and the
    /// frame's model pose is its forward kinematics. Returns the number of iterations.
    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop);
}

impl<M: Method> GoalSolver for M {
    fn solve_until(
        &mut self,
        skeleton: &Skeleton,
        goals: &GoalSet,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
    ) -> &SolveReport {
        solve(self, skeleton, goals, pose, expired)
    }
}

/// One solve, from the checks to the report.
fn solve<'a, M: Method>(
    method: &'a mut M,
    skeleton: &Skeleton,
    goals: &GoalSet,
    pose: &mut Pose,
    expired: &mut dyn FnMut() -> bool,
) -> &'a SolveReport {
    if !method.frame().begin(skeleton, goals, pose) {
        return &method.frame().report;
    }
    if method.frame().is_done(goals) {
        method.frame().finish(skeleton, goals, pose, 0, Stop::Converged);
        method.frame().end();
        return &method.frame().report;
    }
    method.frame().bring_within_limits(skeleton, pose);
    let (mut iterations, stop) =
        method.iterate(Request { skeleton, goals, effort: Effort::Search, expired }, pose);
    if method.frame().is_faded() {
        method.frame().fade(skeleton, goals, pose);
        // Where the pose given is outside of a limit, the way from there into it is part of
        // the fade, and going on within the limits would be a jump.
        if !method.frame().was_outside() {
            let frame = method.frame();
            if let Some(mut descent) = frame.descent.take() {
                iterations += descent.follow(skeleton, frame, pose);
                frame.descent = Some(descent);
            }
        }
    }
    method.frame().finish(skeleton, goals, pose, iterations, stop);
    let bound_to_here = method.frame().is_tied() || !method.looks_elsewhere();
    if let (false, Some(Cause::Conflict { goal, .. })) = (bound_to_here, method.frame().report.cause) {
        // Goals exclude each other only if they cannot be met from elsewhere either.
        let mut elsewhere = method.frame().take_rest(skeleton);
        let (_, stop) =
            method.iterate(Request { skeleton, goals, effort: Effort::Follow, expired }, &mut elsewhere);
        let frame = method.frame();
        frame.give_back(elsewhere);
        if stop == Stop::Converged {
            frame.report.cause = Some(Cause::Stalled { goal });
        }
    }
    method.frame().end();
    &method.frame().report
}

/// Where an iteration stands; see the module's docs.
pub(crate) struct Progress<'a> {
    budget: u32,
    patience: u32,
    gain: Real,
    expired: &'a mut dyn FnMut() -> bool,
    /// How many iterations were begun.
    pub iterations: u32,
    /// How many in a row have gained nothing.
    pub idle: u32,
    least: Real,
}

impl<'a> Progress<'a> {
    /// From a pose with this error. An iteration gains if it lowers the least error by the
    /// part `gain`; after `patience` iterations in a row that do not, it has stalled.
    pub(crate) fn new(
        error: Real,
        budget: u32,
        patience: u32,
        gain: Real,
        expired: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        Self { budget, patience, gain, expired, iterations: 0, idle: 0, least: error }
    }

    /// Begins an iteration, or says why there is none: asked with whether the goals are met.
    #[inline]
    pub(crate) fn begin(&mut self, met: bool) -> Result<(), Stop> {
        if met {
            return Err(Stop::Converged);
        }
        if self.idle >= self.patience {
            return Err(Stop::Stalled);
        }
        if self.iterations >= self.budget {
            return Err(Stop::Iterations);
        }
        if (self.expired)() {
            return Err(Stop::Expired);
        }
        self.iterations += 1;
        Ok(())
    }

    /// Ends an iteration that came to this error. Whether it is the least so far, and the
    /// pose worth keeping.
    #[inline]
    pub(crate) fn end(&mut self, error: Real) -> bool {
        self.end_gained(error, error < self.least * (1.0 - self.gain))
    }

    /// The same for a method that has its own measure of a gain.
    #[inline]
    pub(crate) fn end_gained(&mut self, error: Real, gained: bool) -> bool {
        self.idle = if gained { 0 } else { self.idle + 1 };
        let best = error < self.least;
        if best {
            self.least = error;
        }
        best
    }
}
