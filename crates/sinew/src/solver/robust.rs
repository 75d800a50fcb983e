//! The solver for production: any goals on any skeleton, within the limits.
//!
//! Levenberg-Marquardt on the weighted errors of all goals, with the limits as
//! an active set, started from the pose it is given; where that comes to rest
//! short of the goals, it starts again elsewhere, in a fixed order.
//!
//! | part | where |
//! |---|---|
//! | the problem in a flat form | `solver/articulation.rs`, `solver/goal_rows.rs` |
//! | one damped least-squares step | `solver/step.rs` |
//! | steps, damping and limits until it rests | `solver/descent.rs` |
//! | where to start again | `robust/restart.rs` |
//! | where a body starts that keeps clear of itself | `robust/root.rs` |
//! | whether a target is followed | `robust/following.rs` |
//!
//! What the goals leave free is drawn to a posture if the set has one
//! ([`PostureGoal`]): the goals are met first, and then again from
//! where goals and posture together are lowest.

mod arc;
mod following;
mod restart;
mod root;

use alloc::vec::Vec;

use super::articulation::{Articulation, Motion};
use super::descent::{Pace, RELAX_STEPS};
use super::driver::{Effort, Method, Request};
use super::frame::{Abilities, FOLLOWED, SolveFrame, Stop};
use super::goal_rows::RowKinds;
use crate::error::RigError;
use crate::goal::GoalSet;
#[allow(unused_imports)] // named in the docs
use crate::goal::PostureGoal;
use crate::math::Real;
use crate::pose::Pose;
use crate::report::Tolerance;
use crate::skeleton::Skeleton;

use following::Following;
use restart::Restarts;

/// How the production solver works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct RobustOptions {
    /// Near enough.
    pub tolerance: Tolerance,
    /// The most steps from one start.
    pub iterations: u32,
    /// How often it may start again elsewhere. Zero is for targets that are followed: the result stays as
    /// near to the given pose as the method can, and if that is the pose of the solve before and the targets have
    /// moved on by a little, every joint turns by a little, though the goals be met some frames later. Nearly every pose of an arm is found within ten starts;
    /// among 100 000 of them, one in 10 000 needs more than 100 and none more than 310.
    pub restarts: u32,
    /// Chooses the starts; the same seed gives the same result, always.
    pub seed: u64,
}

crate::report::show_fields!(RobustOptions);

impl Default for RobustOptions {
    fn default() -> Self {
        Self { tolerance: Tolerance::default(), iterations: 60, restarts: 500, seed: 1 }
    }
}

/// Starts times degrees of freedom that one solve may spend.
const WORK: usize = 12_000;

/// The most steps of a followed target whose time is over.
const LATE_STEPS: u32 = 20;

/// By how much drawing to the posture may raise the error of goals that are not met.
const WORSE: Real = 1.0 + 1.0e-3;

/// The production solver; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct Robust {
    options: RobustOptions,
    frame: SolveFrame,
    restarts: Restarts,
    /// The best found by starting again, where the given pose led, and that pose.
    best: Vec<Motion>,
    rest: Vec<Motion>,
    given: Vec<Motion>,
    following: Following,
}

impl Robust {
    /// Builds the solver for a skeleton and goals.
    pub(crate) fn new(
        skeleton: &Skeleton,
        goals: &GoalSet,
        options: RobustOptions,
    ) -> Result<Self, RigError> {
        let abilities =
            Abilities { name: "the robust solver", priorities: false, posture: true, whole_body: true };
        let frame = SolveFrame::new(skeleton, goals, options.tolerance, abilities)?;
        let kinds: Vec<RowKinds> = goals.as_slice().iter().map(RowKinds::of).collect();
        let articulation = Articulation::new(skeleton, goals);
        let restarts = Restarts::new(skeleton, &articulation, &kinds, options);
        let rest = alloc::vec![Motion::REST; articulation.nodes.len()];
        let following = Following::new(rest.len(), goals.len());
        Ok(Self { options, frame, restarts, best: rest.clone(), given: rest.clone(), rest, following })
    }

    /// Forgets the solves before.
    pub(crate) fn forget(&mut self) {
        self.following.forget();
    }
}

impl Method for Robust {
    fn frame(&mut self) -> &mut SolveFrame {
        &mut self.frame
    }

    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop) {
        let Request { skeleton, goals, effort, expired } = request;
        let Self { options, frame, restarts, best, rest, given, following } = self;
        let Some(mut at_work) = frame.descent.take() else { return (0, Stop::Stalled) };
        let descent = at_work.as_mut();
        descent.articulation.take_folded(pose);
        descent.hold_still(frame);
        frame.tie(&mut descent.articulation);
        descent.articulation.read(pose, &mut descent.now.motions);
        let mut iterations = 0;
        let far = !frame.all_within(FOLLOWED, |g| frame.standing(g));
        given.copy_from_slice(&descent.now.motions);
        let [steady, near] = [Pace::Steady, Pace::Near].map(|pace| (pace, options.iterations));
        let search = far
            && effort == Effort::Search
            && options.restarts > 0
            && !frame.any_out_of_reach()
            && !frame.is_tied();
        // Without restarts a target may be followed: then every pose should be near the one before.
        let asked_to = options.restarts == 0 && effort == Effort::Search;
        let followed = if asked_to { following.bound(frame, given) } else { None };
        descent.keep_near(followed);
        let (mut stop, mut worth);
        // Contacts as bounds catch a descent that comes from far away, and a tangled body is not led
        // out of them step by step: there the search that overlooks them comes first, and the pose
        // given is come back to only if it finds nothing.
        let overlooks = search && frame.guards().see_contacts();
        if overlooks {
            root::place(&descent.articulation, skeleton, frame, &mut descent.now);
            stop = descent.search(skeleton, frame, options.iterations, &mut iterations, expired);
            worth = true;
        } else {
            stop = descent.run(skeleton, frame, steady, &mut iterations, expired);
            worth = match followed {
                Some(_) => descent.is_near(given),
                None => stop == Stop::Converged || descent.was_worth(given),
            };
        }
        if stop != Stop::Converged && stop != Stop::Expired && search {
            best.copy_from_slice(&descent.now.motions);
            rest.copy_from_slice(&descent.now.motions);
            let mut least = descent.now.cost;
            restarts.begin(descent, frame, options.seed);
            // Long chains bend to their targets from anywhere and are slow to
            // start again, so that they get fewer starts.
            let columns = descent.articulation.columns.max(1);
            let starts = options.restarts.min((WORK / columns) as u32 + 2);
            for attempt in 0..starts {
                frame.report.attempts += 1;
                restarts.start(skeleton, descent, attempt, best);
                let outcome = descent.search(skeleton, frame, options.iterations, &mut iterations, expired);
                // Whether the goals are met is asked of each error, the cost is the sum of all:
                // where the tolerance is loose, a start that missed one of them by a little may
                // have the lower sum, and the one that meets them all is still the better one.
                if outcome == Stop::Converged || descent.now.cost < least {
                    least = descent.now.cost;
                    best.copy_from_slice(&descent.now.motions);
                    restarts.look_at(descent);
                }
                if matches!(outcome, Stop::Converged | Stop::Expired) {
                    stop = outcome;
                    break;
                }
            }
            // A merely better pose elsewhere would make the character jump when a
            // target that cannot be had moves on: only one that meets all goals is
            // worth it.
            descent.now.motions.copy_from_slice(if stop == Stop::Converged { best } else { rest });
        }
        if overlooks && !matches!(stop, Stop::Converged | Stop::Expired) {
            descent.now.motions.copy_from_slice(given);
            stop = descent.run(skeleton, frame, steady, &mut iterations, expired);
            worth = stop == Stop::Converged || descent.was_worth(given);
        }
        if !worth && stop != Stop::Expired && (followed.is_some() || stop != Stop::Converged) {
            descent.now.motions.copy_from_slice(given);
            stop = descent.run(skeleton, frame, near, &mut iterations, expired);
        }
        if !worth && stop == Stop::Expired && followed.is_some() {
            // Out of time far from where it began: a few steps near it instead.
            descent.now.motions.copy_from_slice(given);
            let late = (Pace::Near, LATE_STEPS);
            descent.run(skeleton, frame, late, &mut iterations, &mut || false);
        }
        if let Some(posture) = frame.posture(goals).filter(|_| stop != Stop::Expired) {
            rest.copy_from_slice(&descent.now.motions);
            descent.now.update(&descent.articulation, frame);
            let before = descent.now.cost;
            let near = followed.is_some().then_some(given.as_slice());
            descent.relax(skeleton, frame, posture, (RELAX_STEPS, near));
            let again = descent.run(skeleton, frame, steady, &mut iterations, expired);
            let strays = near.is_some_and(|given| !descent.is_near(given));
            // The goals come first: what was met stays met, and what was near stays near.
            if strays
                || again != Stop::Converged && (stop == Stop::Converged || descent.now.cost > before * WORSE)
            {
                descent.now.motions.copy_from_slice(rest);
            } else {
                stop = again;
            }
        }
        descent.restore(skeleton, frame);
        descent.articulation.write(&descent.now.motions, pose);
        if asked_to {
            following.remember(frame, &descent.now.motions);
        }
        frame.descent = Some(at_work);
        (iterations, stop)
    }
}
