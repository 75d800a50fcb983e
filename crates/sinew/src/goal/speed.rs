//! How fast joints may move.

use alloc::vec::Vec;

use crate::math::*;
use crate::skeleton::Skeleton;

/// Bounds how far joints move from the pose that a solve is given: by their speed times the time
/// step. Limits come first, then this bound, then the goals; a joint that is given within its
/// limit never moves further.
///
/// A solver with this bound looks for no poses elsewhere (no restarts): the pose given is where
/// the body is.
///
/// ```
/// use sinew::goal::SpeedGoal;
/// use sinew::math::rotation;
/// use sinew::{Cause, Goal, GoalSet, Pose, SolverSpec, Vec3};
/// let arm = sinew::rigs::chain(3, 1.0);
/// let tip = arm.find("tip").unwrap();
/// let mut goals = GoalSet::from_iter([Goal::position(tip, Vec3::new(0.7, 0.2, 0.0))]);
/// goals.set_speed(Some(SpeedGoal { speeds: vec![2.0; arm.len()], time_step: 1.0 / 60.0 }));
/// let mut solver = SolverSpec::default().build(&arm, &goals)?;
/// let (mut pose, mut frames) = (Pose::rest(&arm), 0);
/// loop {
///     let before = pose.clone();
///     let report = solver.solve(&arm, &goals, &mut pose);
///     for id in arm.ids() {
///         let turn = rotation::angle(before.rotation(id).conjugate() * pose.rotation(id));
///         assert!(turn < 2.0 / 60.0 + 1e-4);
///     }
///     frames += 1;
///     if report.reached() {
///         break;
///     }
///     assert!(matches!(report.cause, Some(Cause::Speed { .. })), "{report}");
/// }
/// assert!(frames > 10);
/// # Ok::<(), sinew::error::RigError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SpeedGoal {
    /// The greatest speed of each joint, in the skeleton's order: radians per second for joints
    /// that turn, metres per second for joints that slide, both for a free joint. Infinity does
    /// not bound.
    pub speeds: Vec<Real>,
    /// The time from the pose given to the one returned, in seconds.
    pub time_step: Real,
}

impl SpeedGoal {
    /// How far a joint may move, in radians or metres.
    #[inline]
    pub fn reach(&self, joint: usize) -> Real {
        let speed = self.speeds.get(joint).copied().unwrap_or(Real::INFINITY);
        // Without a time step nothing moves, however fast it may be.
        if speed.is_infinite() && self.time_step > 0.0 { speed } else { (speed * self.time_step).max(0.0) }
    }

    /// Whether its numbers make sense on the skeleton.
    pub(crate) fn is_valid(&self, skeleton: &Skeleton) -> bool {
        self.speeds.len() == skeleton.len()
            && self.speeds.iter().all(|s| *s >= 0.0)
            && self.time_step.is_finite()
            && self.time_step >= 0.0
    }
}
