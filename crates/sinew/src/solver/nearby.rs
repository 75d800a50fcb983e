//! The robust solver's descent by itself, for a caller that knows a good start.
//!
//! No restarts and no second look: a few steps down goals and posture together, then the goals alone
//! until they are met or nothing is gained. So the goals are met as exactly as ever, what they
//! leave free stays near the posture, and the cost is that of some ten steps at the most.

use super::descent::Pace;
use super::driver::{Method, Request};
use super::frame::{Abilities, SolveFrame, Stop};
use crate::error::RigError;
use crate::goal::GoalSet;
use crate::pose::Pose;
use crate::report::{SolveReport, Tolerance};
use crate::skeleton::Skeleton;

/// How long the descent may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NearbyOptions {
    pub tolerance: Tolerance,
    /// The most steps towards goals and posture together.
    pub drawn: u32,
    /// The most steps towards the goals alone.
    pub steps: u32,
    /// Whether it is given up soon where steps gain little far from the goals, or goes on.
    pub brief: bool,
}

/// One descent from the pose given; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct Nearby {
    options: NearbyOptions,
    frame: SolveFrame,
}

impl Nearby {
    pub(crate) fn new(
        skeleton: &Skeleton,
        goals: &GoalSet,
        options: NearbyOptions,
    ) -> Result<Self, RigError> {
        let abilities = Abilities { name: "the descent", priorities: false, posture: true, whole_body: true };
        let frame = SolveFrame::new(skeleton, goals, options.tolerance, abilities)?;
        Ok(Self { options, frame })
    }

    /// What came of the last solve.
    pub(crate) fn report(&self) -> &SolveReport {
        &self.frame.report
    }
}

impl Method for Nearby {
    fn frame(&mut self) -> &mut SolveFrame {
        &mut self.frame
    }

    fn looks_elsewhere(&self) -> bool {
        false
    }

    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop) {
        let Request { skeleton, goals, expired, .. } = request;
        let Self { options, frame } = self;
        let Some(mut at_work) = frame.descent.take() else { return (0, Stop::Stalled) };
        let descent = at_work.as_mut();
        descent.articulation.take_folded(pose);
        descent.hold_still(frame);
        frame.tie(&mut descent.articulation);
        descent.articulation.read(pose, &mut descent.now.motions);
        let mut iterations = match frame.posture(goals) {
            Some(posture) => descent.relax(skeleton, frame, posture, (options.drawn, None)),
            None => 0,
        };
        let pace = if options.brief { Pace::Brief } else { Pace::Search };
        let stop = descent.run(skeleton, frame, (pace, options.steps), &mut iterations, expired);
        descent.restore(skeleton, frame);
        descent.articulation.write(&descent.now.motions, pose);
        frame.descent = Some(at_work);
        (iterations, stop)
    }
}
