//! The goals of one problem, with what holds for the whole body.

use alloc::vec::Vec;

#[cfg(feature = "collision")]
use super::ClearanceGoal;
use super::{BalanceGoal, Goal, GoalId, Mimic, PostureGoal, SpeedGoal, Target};
use crate::error::RigError;
use crate::math::*;
use crate::skeleton::Skeleton;

/// The goals of one problem.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GoalSet {
    goals: Vec<Goal>,
    posture: Option<PostureGoal>,
    #[cfg_attr(feature = "serde", serde(default))]
    balance: Option<BalanceGoal>,
    #[cfg_attr(feature = "serde", serde(default))]
    speed: Option<SpeedGoal>,
    #[cfg_attr(feature = "serde", serde(default))]
    mimics: Vec<Mimic>,
    // Bodies and scenes are built from rigs and files, which are what is stored.
    #[cfg(feature = "collision")]
    #[cfg_attr(feature = "serde", serde(skip))]
    clearance: Option<ClearanceGoal>,
}

impl GoalSet {
    /// An empty set.
    pub const fn new() -> Self {
        Self {
            goals: Vec::new(),
            posture: None,
            balance: None,
            speed: None,
            mimics: Vec::new(),
            #[cfg(feature = "collision")]
            clearance: None,
        }
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

    /// The bound on the centre of mass, if there is one.
    pub fn balance(&self) -> Option<&BalanceGoal> {
        self.balance.as_ref()
    }

    /// The bound on the centre of mass, to be changed: masses, support, and margin may be others
    /// every frame.
    pub fn balance_mut(&mut self) -> Option<&mut BalanceGoal> {
        self.balance.as_mut()
    }

    /// Sets or removes the bound on the centre of mass.
    pub fn set_balance(&mut self, balance: Option<BalanceGoal>) {
        self.balance = balance;
    }

    /// The bound on the joints' speeds, if there is one.
    pub fn speed(&self) -> Option<&SpeedGoal> {
        self.speed.as_ref()
    }

    /// The bound on the joints' speeds, to be changed: speeds and time step may be others every
    /// frame.
    pub fn speed_mut(&mut self) -> Option<&mut SpeedGoal> {
        self.speed.as_mut()
    }

    /// Sets or removes the bound on the joints' speeds.
    pub fn set_speed(&mut self, speed: Option<SpeedGoal>) {
        self.speed = speed;
    }

    /// What the body keeps clear of, if anything.
    #[cfg(feature = "collision")]
    pub fn clearance(&self) -> Option<&ClearanceGoal> {
        self.clearance.as_ref()
    }

    /// What the body keeps clear of, to be changed: the scene may be another one every frame.
    #[cfg(feature = "collision")]
    pub fn clearance_mut(&mut self) -> Option<&mut ClearanceGoal> {
        self.clearance.as_mut()
    }

    /// Sets or removes what the body keeps clear of.
    #[cfg(feature = "collision")]
    pub fn set_clearance(&mut self, clearance: Option<ClearanceGoal>) {
        self.clearance = clearance;
    }

    /// The joints that follow others.
    pub fn mimics(&self) -> &[Mimic] {
        &self.mimics
    }

    /// Sets the joints that follow others; a solver is built for them.
    pub fn set_mimics(&mut self, mimics: Vec<Mimic>) {
        self.mimics = mimics;
    }

    /// The first bound on the whole body that the set has, in words.
    pub(crate) fn bound(&self) -> Option<&'static str> {
        #[cfg(feature = "collision")]
        if self.clearance.is_some() {
            return Some("the body clear of itself");
        }
        match (&self.balance, &self.speed) {
            (Some(_), _) => Some("the centre of mass over a support"),
            (_, Some(_)) => Some("a bound on speeds"),
            (None, None) => None,
        }
    }

    /// The first bound on the whole body whose numbers make no sense on a skeleton.
    pub(crate) fn bad_bound(&self, skeleton: &Skeleton) -> Option<&'static str> {
        #[cfg(feature = "collision")]
        if self.clearance.as_ref().is_some_and(|c| !c.is_valid(skeleton.len())) {
            return Some("the body to keep clear");
        }
        if self.balance.as_ref().is_some_and(|b| !b.is_valid(skeleton)) {
            return Some("the support of the centre of mass");
        }
        if !Mimic::are_valid(&self.mimics, skeleton) {
            return Some("the list of joints that follow others");
        }
        self.speed.as_ref().is_some_and(|s| !s.is_valid(skeleton)).then_some("the bound on speeds")
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
        if let Some(what) = self.bad_bound(skeleton) {
            return Err(RigError::Foreign(what.into()));
        }
        match &self.posture {
            Some(posture) if !posture.is_valid(skeleton) => Err(RigError::BadPosture),
            _ => Ok(()),
        }
    }
}

impl FromIterator<Goal> for GoalSet {
    fn from_iter<T: IntoIterator<Item = Goal>>(goals: T) -> Self {
        Self { goals: goals.into_iter().collect(), ..Self::new() }
    }
}
