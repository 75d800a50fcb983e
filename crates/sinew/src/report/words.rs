//! The causes of a report in plain words, for whoever shows them to people.

use alloc::format;
use alloc::string::String;

use super::Cause;
use crate::goal::GoalId;
use crate::limit::LimitComponent;
use crate::skeleton::{JointId, Skeleton};

impl Cause {
    /// What stood in the way, with the names of joints and goals. `goals` are
    /// the goals' names in the order of their set.
    ///
    /// ```
    /// use sinew::{Goal, GoalSet, GoalSolver, Pose, SolverSpec, Vec3};
    /// let arm = sinew::rigs::chain(3, 1.0);
    /// let mut goals = GoalSet::new();
    /// goals.add(Goal::position(arm.find("tip").unwrap(), Vec3::X * 9.0));
    /// let mut solver = SolverSpec::default().build(&arm, &goals)?;
    /// let report = solver.solve(&arm, &goals, &mut Pose::rest(&arm));
    /// let words = report.cause.unwrap().in_words(&arm, &["the moon"]);
    /// assert_eq!(words, "'the moon' is 8000.0 mm out of reach");
    /// # Ok::<(), sinew::goal::GoalError>(())
    /// ```
    pub fn in_words<S: AsRef<str>>(&self, skeleton: &Skeleton, goals: &[S]) -> String {
        let goal = |id: GoalId| goals.get(id.index()).map_or("?", AsRef::as_ref);
        let joint = |id: JointId| if skeleton.contains(id) { skeleton.joint(id).name() } else { "?" };
        match *self {
            Self::OutOfReach { goal: g, by } => {
                format!("'{}' is {:.1} mm out of reach", goal(g), by * 1.0e3)
            }
            Self::TooClose { goal: g, by } => format!("'{}' is {:.1} mm too close", goal(g), by * 1.0e3),
            Self::Limit { goal: g, joint: j, component } => {
                format!("'{}' is held by the limit of {}: {}", goal(g), joint(j), component.in_words())
            }
            Self::Collision { joint: j, other: Some(other) } => {
                format!("{} meets {}", joint(j), joint(other))
            }
            Self::Collision { joint: j, other: None } => format!("{} meets the scene", joint(j)),
            Self::Conflict { goal: g, with } => {
                format!("'{}' and '{}' exclude each other", goal(g), goal(with))
            }
            Self::NoFreedom { goal: g } => format!("nothing can move '{}'", goal(g)),
            Self::Stalled { goal: g } => format!("stuck, '{}' is furthest off", goal(g)),
            Self::IterationBudget => "the iterations ran out".into(),
            Self::TimeBudget => "the time ran out".into(),
            Self::NotFinite { goal: Some(g) } => format!("the target of '{}' is not finite", goal(g)),
            Self::NotFinite { goal: None } => "the pose given is not finite".into(),
            Self::Mismatch => "the goals are not those of the solver".into(),
        }
    }
}

impl LimitComponent {
    /// What of the motion it is.
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Angle => "its angle",
            Self::Swing => "the direction of its bone",
            Self::Twist => "the turn about its bone",
            Self::Euler(0) => "its first angle",
            Self::Euler(1) => "its second angle",
            Self::Euler(_) => "its third angle",
            Self::Displacement => "how far it slides",
        }
    }
}
