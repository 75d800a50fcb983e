//! The causes of a report in plain words.

use sinew_f64::limit::LimitComponent;
use sinew_f64::{Cause, Goal, GoalId, JointId, Skeleton};

/// What stood in the way, with the names of joints and goals.
pub fn cause(cause: &Cause, skeleton: &Skeleton, goals: &[(String, Goal)]) -> String {
    let goal = |id: GoalId| goals.get(id.index()).map_or("?", |(name, _)| name.as_str());
    let joint = |id: JointId| skeleton.joint(id).name();
    match *cause {
        Cause::OutOfReach { goal: g, by } => format!("'{}' is {:.1} mm out of reach", goal(g), by * 1.0e3),
        Cause::TooClose { goal: g, by } => format!("'{}' is {:.1} mm too close", goal(g), by * 1.0e3),
        Cause::Limit { goal: g, joint: j, component } => {
            format!("'{}' is held by the limit of {}: {}", goal(g), joint(j), part(component))
        }
        Cause::Collision { joint: j, other: Some(other) } => format!("{} meets {}", joint(j), joint(other)),
        Cause::Collision { joint: j, other: None } => format!("{} meets the scene", joint(j)),
        Cause::Conflict { goal: g, with } => format!("'{}' and '{}' exclude each other", goal(g), goal(with)),
        Cause::NoFreedom { goal: g } => format!("nothing can move '{}'", goal(g)),
        Cause::Stalled { goal: g } => format!("stuck, '{}' is furthest off", goal(g)),
        Cause::IterationBudget => "the iterations ran out".into(),
        Cause::TimeBudget => "the time ran out".into(),
        Cause::NotFinite { goal: Some(g) } => format!("the target of '{}' is not finite", goal(g)),
        Cause::NotFinite { goal: None } => "the pose given is not finite".into(),
        Cause::Mismatch => "the goals are not those of the solver".into(),
    }
}

fn part(component: LimitComponent) -> &'static str {
    match component {
        LimitComponent::Angle => "its angle",
        LimitComponent::Swing => "the direction of its bone",
        LimitComponent::Twist => "the turn about its bone",
        LimitComponent::Euler(0) => "its first angle",
        LimitComponent::Euler(1) => "its second angle",
        LimitComponent::Euler(_) => "its third angle",
        LimitComponent::Displacement => "how far it slides",
    }
}
