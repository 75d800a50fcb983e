//! The goals of one problem, with what holds for the whole body.

use alloc::vec::Vec;

use super::{Goal, GoalId, PostureGoal, Target};
use crate::error::RigError;
use crate::math::*;
use crate::skeleton::Skeleton;

/// The goals of one problem.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GoalSet {
    goals: Vec<Goal>,
    posture: Option<PostureGoal>,
}

impl GoalSet {
    /// An empty set.
    pub const fn new() -> Self {
        Self { goals: Vec::new(), posture: None }
    }

    /// Adds a goal and names it.
    pub fn add(&mut self, goal: Goal) -> GoalId {
        self.goals.push(goal);
        GoalId(self.goals.len() as u32 - 1)
    }

    /// Moves a goal's target. The kind of target must stay what it was when a
    /// solver was built for the set.
    pub fn set_target(&mut self, goal: GoalId, target: Target) {
        if let Some(goal) = self.goals.get_mut(goal.index()) {
            goal.target = target;
        }
    }

    /// Sets how much of the way to its target a goal asks for, from 0 to 1.
    pub fn set_influence(&mut self, goal: GoalId, influence: Real) {
        if let Some(goal) = self.goals.get_mut(goal.index()) {
            goal.influence = influence;
        }
    }

    /// Switches a goal on or off.
    pub fn set_enabled(&mut self, goal: GoalId, enabled: bool) {
        if let Some(goal) = self.goals.get_mut(goal.index()) {
            goal.enabled = enabled;
        }
    }

    /// Sets a goal's weights of position and orientation.
    pub fn set_weights(&mut self, goal: GoalId, position: Real, orientation: Real) {
        if let Some(goal) = self.goals.get_mut(goal.index()) {
            *goal = goal.weights(position, orientation);
        }
    }

    /// The posture that what the goals leave free is drawn to, if there is one.
    pub fn posture(&self) -> Option<&PostureGoal> {
        self.posture.as_ref()
    }

    /// The posture, to be changed: its pose and weights may be others every frame.
    pub fn posture_mut(&mut self) -> Option<&mut PostureGoal> {
        self.posture.as_mut()
    }

    /// Sets or removes the posture. Solvers that cannot be drawn to one refuse the set when
    /// they are built.
    pub fn set_posture(&mut self, posture: Option<PostureGoal>) {
        self.posture = posture;
    }

    /// One goal.
    pub fn get(&self, goal: GoalId) -> Option<&Goal> {
        self.goals.get(goal.index())
    }

    /// All goals in the order they were added.
    pub fn as_slice(&self) -> &[Goal] {
        &self.goals
    }

    /// The goals with their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (GoalId, &Goal)> + Clone {
        self.goals.iter().enumerate().map(|(i, g)| (GoalId(i as u32), g))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.goals.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// Whether the goals make sense on this skeleton; solvers ask when they are built.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), RigError> {
        if self.goals.is_empty() {
            return Err(RigError::NoGoals);
        }
        for (goal, g) in self.goals.iter().enumerate() {
            let joints = [Some(g.effector.joint), g.relative_to];
            if let Some(joint) = joints.into_iter().flatten().find(|&joint| !skeleton.contains(joint)) {
                return Err(RigError::GoalOnNoJoint { goal, joint: joint.index(), count: skeleton.len() });
            }
            if !g.target.is_valid() || !g.effector.offset.is_finite() {
                return Err(RigError::BadTarget { goal });
            }
            if !g.is_valid() {
                return Err(RigError::BadWeight { goal });
            }
        }
        match &self.posture {
            Some(posture) if !posture.is_valid(skeleton) => Err(RigError::BadPosture),
            _ => Ok(()),
        }
    }
}

impl FromIterator<Goal> for GoalSet {
    fn from_iter<T: IntoIterator<Item = Goal>>(goals: T) -> Self {
        Self { goals: goals.into_iter().collect(), posture: None }
    }
}
