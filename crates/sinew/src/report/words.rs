//! The causes of a report in plain words, for whoever shows them to people.

use alloc::string::String;
use core::fmt::Write;

use super::Cause;
use crate::goal::GoalId;
use crate::limit::LimitComponent;
#[allow(unused_imports)] // `to_degrees` without std
use crate::math::*;
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
    /// # Ok::<(), sinew::error::RigError>(())
    /// ```
    pub fn in_words<S: AsRef<str>>(&self, skeleton: &Skeleton, goals: &[S]) -> String {
        let mut words = String::new();
        let goal = |id: GoalId| match goals.get(id.index()) {
            Some(name) => Name::Known(name.as_ref()),
            None => Name::Number("goal", id.index()),
        };
        let joint = |id: JointId| match skeleton.contains(id) {
            true => Name::Known(skeleton.joint(id).name()),
            false => Name::Number("joint", id.index()),
        };
        // Writing to a string cannot fail.
        let _ = self.write(&mut words, goal, joint);
        words
    }

    /// The kind of cause in a word or two.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::OutOfReach { .. } => "out of reach",
            Self::TooClose { .. } => "too close",
            Self::Limit { .. } => "limit",
            Self::Collision { .. } => "collision",
            Self::Balance { .. } => "balance",
            Self::Speed { .. } => "speed",
            Self::Conflict { .. } => "conflict",
            Self::NoFreedom { .. } => "no freedom",
            Self::Stalled { .. } => "stuck",
            Self::IterationBudget => "iterations",
            Self::TimeBudget => "time",
            Self::Underway { .. } => "underway",
            Self::Faded { .. } => "faded",
            Self::Strained { .. } => "strained",
            Self::OutsideLimit { .. } => "outside limit",
            Self::Mended { .. } => "mended",
            Self::NotFinite { .. } => "not finite",
            Self::Mismatch => "mismatch",
        }
    }

    fn write<'a>(
        &self,
        f: &mut impl Write,
        goal: impl Fn(GoalId) -> Name<'a>,
        joint: impl Fn(JointId) -> Name<'a>,
    ) -> core::fmt::Result {
        match *self {
            Self::OutOfReach { goal: g, by } => {
                write!(f, "'{}' is {:.1} mm out of reach", goal(g), by * 1.0e3)
            }
            Self::TooClose { goal: g, by } => write!(f, "'{}' is {:.1} mm too close", goal(g), by * 1.0e3),
            Self::Limit { goal: g, joint: j, component } => {
                write!(f, "'{}' is held by the limit of {}: {}", goal(g), joint(j), component.in_words())
            }
            Self::Collision { joint: j, other: Some(other) } => {
                write!(f, "{} meets {}", joint(j), joint(other))
            }
            Self::Collision { joint: j, other: None } => write!(f, "{} meets the scene", joint(j)),
            Self::Balance { goal: Some(g), by: 0.0 } => {
                write!(
                    f,
                    "'{}' is held by balance: the centre of mass is at the edge of its support",
                    goal(g)
                )
            }
            Self::Balance { by, .. } => {
                write!(f, "the centre of mass is {:.1} mm outside of its support", by * 1.0e3)
            }
            Self::Speed { goal: g, joint: j } => {
                write!(f, "'{}' is on its way: {} moves as fast as it may", goal(g), joint(j))
            }
            Self::Conflict { goal: g, with } => {
                write!(f, "'{}' and '{}' exclude each other", goal(g), goal(with))
            }
            Self::NoFreedom { goal: g } => write!(f, "nothing can move '{}'", goal(g)),
            Self::Stalled { goal: g } => write!(f, "the search is stuck, '{}' is furthest off", goal(g)),
            Self::IterationBudget => f.write_str("the iterations ran out"),
            Self::TimeBudget => f.write_str("the time ran out"),
            Self::Underway { goal: g, turn } => {
                write!(f, "'{}' is on its way, {:.0}° of a joint are left", goal(g), turn.to_degrees())
            }
            Self::Faded { goal: g } => write!(f, "only a part of the way to '{}' is asked for", goal(g)),
            Self::Strained { goal: g, joint: j, component, by } => write!(
                f,
                "{} is {:.1}° beyond its limit for '{}': {}",
                joint(j),
                by.to_degrees(),
                goal(g),
                component.in_words()
            ),
            Self::OutsideLimit { joint: j, .. } => {
                write!(f, "{} was given outside of its limit, and no goal moves it", joint(j))
            }
            Self::Mended { joint: j } => {
                write!(f, "the pose given is not finite or not of unit length at {}; it was mended", joint(j))
            }
            Self::NotFinite { goal: g } => {
                write!(f, "the target of '{}' is not finite or no rotation", goal(g))
            }
            Self::Mismatch => f.write_str("skeleton, goals or pose are not those of the solver"),
        }
    }
}

impl core::fmt::Display for Cause {
    /// The words of [`in_words`](Self::in_words) with numbers for the names of goals and joints.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.write(f, |id| Name::Number("goal", id.index()), |id| Name::Number("joint", id.index()))
    }
}

/// What to call a goal or a joint.
enum Name<'a> {
    Known(&'a str),
    Number(&'a str, usize),
}

impl core::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Known(name) => f.write_str(name),
            Self::Number(what, number) => write!(f, "{what} {number}"),
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
