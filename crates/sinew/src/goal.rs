//! What a pose should achieve.
//!
//! A [`Goal`] ties an [`Effector`] (a point and an orientation fixed to a
//! joint) to a [`Target`] in model space, with weights, an influence and a
//! priority. A [`GoalSet`] holds the goals of one problem; a solver is built for
//! the set and is then given the same set every frame, with other targets,
//! weights and influences.
//!
//! # Weight and influence
//! Weights divide what cannot be had among goals that compete. The influence
//! says how much of the way from where the effector *is* in the pose given to
//! its target is asked for: 0 asks for nothing and leaves every bit of the pose,
//! 1 asks for the target, and a value between for that part of the way, along a
//! straight line and the shortest turn ([`Target::part_of_the_way`]). It is what
//! fades IK in and out over an animation.

use alloc::vec::Vec;

use crate::error::RigError;
use crate::math::*;
use crate::pose::{ModelPose, Pose};
use crate::skeleton::{JointId, Skeleton};

/// Names a goal of one [`GoalSet`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GoalId(pub(crate) u32);

impl GoalId {
    /// The goal's place in its set.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A frame fixed to a joint: the thing that should be somewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Effector {
    /// The joint that carries it.
    pub joint: JointId,
    /// Where it is, in the joint's own frame.
    pub offset: Transform,
}

impl Effector {
    /// The joint's own frame.
    pub const fn at(joint: JointId) -> Self {
        Self { joint, offset: Transform::IDENTITY }
    }

    /// The end of a joint's bone, if that ends in the air, or else the joint itself.
    pub fn at_tip(skeleton: &Skeleton, joint: JointId) -> Self {
        let tip = skeleton.contains(joint).then(|| skeleton.joint(joint).tip()).flatten();
        Self { joint, offset: Transform::from_translation(tip.unwrap_or(Vec3::ZERO)) }
    }

    /// Where the effector is in model space.
    #[inline]
    pub fn transform(&self, model: &ModelPose) -> Transform {
        model.transform(self.joint) * self.offset
    }
}

/// Where an effector should be, in model space.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Target {
    /// At this point, turned any way.
    Position(Vec3),
    /// Turned like this, anywhere.
    Orientation(Quat),
    /// At this point and turned like this.
    Pose(Transform),
    /// With its `axis` (a direction in the effector's frame) towards `at`,
    /// from wherever the effector is.
    Aim {
        /// The direction that should look, in the effector's frame.
        axis: Vec3,
        /// The point to look at, in model space.
        at: Vec3,
    },
}

impl Target {
    /// Whether every number in it is finite, every rotation unit and every axis a direction.
    pub fn is_valid(&self) -> bool {
        let unit = |q: Quat| q.is_finite() && (q.length_squared() - 1.0).abs() < 1.0e-3;
        match *self {
            Self::Position(p) => p.is_finite(),
            Self::Orientation(q) => unit(q),
            Self::Pose(t) => t.translation.is_finite() && unit(t.rotation),
            Self::Aim { axis, at } => at.is_finite() && axis.is_finite() && axis.length() > ROUNDING,
        }
    }

    /// The wanted point, if the target asks for one.
    pub fn position(&self) -> Option<Vec3> {
        match *self {
            Self::Position(p) => Some(p),
            Self::Pose(t) => Some(t.translation),
            _ => None,
        }
    }

    /// The orientation that the target asks for of an effector that stands at
    /// `now`: the wanted one, or for an aim the nearest that looks at the point.
    pub fn orientation(&self, now: Transform) -> Option<Quat> {
        match *self {
            Self::Position(_) => None,
            Self::Orientation(q) => Some(q),
            Self::Pose(t) => Some(t.rotation),
            Self::Aim { axis, at } => {
                let looks = now.rotation * direction_or(axis, Vec3::Z);
                let wanted = direction_or(at - now.translation, looks);
                // Looking straight away, it turns about an axis of its own, so
                // that the same pose always turns the same way.
                let hint = now.rotation * any_perpendicular(direction_or(axis, Vec3::Z));
                Some((rotation::between(looks, wanted, hint) * now.rotation).normalize())
            }
        }
    }

    /// A target from a point and perhaps an orientation.
    pub const fn from_parts(position: Vec3, orientation: Option<Quat>) -> Self {
        match orientation {
            Some(rotation) => Self::Pose(Transform::new(position, rotation)),
            None => Self::Position(position),
        }
    }

    /// The target that lies a part of the way from where an effector stands now to
    /// this one: points on the straight line, orientations and directions of gaze
    /// along the shortest turn. A part of 1 gives the target itself, bit for bit.
    pub fn part_of_the_way(&self, now: Transform, part: Real) -> Self {
        if part >= 1.0 {
            return *self;
        }
        let part = part.max(0.0);
        let turned = |to: Quat| {
            let turn = rotation::log(now.rotation.conjugate() * to);
            rotation::normalize_or_identity(now.rotation * rotation::exp(turn * part))
        };
        match *self {
            Self::Position(p) => Self::Position(now.translation.lerp(p, part)),
            Self::Orientation(q) => Self::Orientation(turned(q)),
            Self::Pose(t) => {
                Self::Pose(Transform::new(now.translation.lerp(t.translation, part), turned(t.rotation)))
            }
            Self::Aim { axis, at } => {
                let own = direction_or(axis, Vec3::Z);
                let looks = now.rotation * own;
                let way = at - now.translation;
                let hint = now.rotation * any_perpendicular(own);
                let turn = rotation::log(rotation::between(looks, direction_or(way, looks), hint));
                let gaze = rotation::exp(turn * part) * looks;
                Self::Aim { axis, at: now.translation + gaze * way.length() }
            }
        }
    }

    /// The target of the same kind that an effector standing here meets.
    pub(crate) fn met_at(&self, now: Transform) -> Self {
        match *self {
            Self::Position(_) => Self::Position(now.translation),
            Self::Orientation(_) => Self::Orientation(now.rotation),
            Self::Pose(_) => Self::Pose(now),
            Self::Aim { axis, at } => {
                let gaze = now.rotation * direction_or(axis, Vec3::Z);
                Self::Aim { axis, at: now.translation + gaze * at.distance(now.translation) }
            }
        }
    }

    /// Whether the two ask for the same things (not where).
    pub fn same_kind(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }
}

/// One wish: an effector, its target, how much it matters and what comes first.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Goal {
    /// What should be somewhere.
    pub effector: Effector,
    /// Where.
    pub target: Target,
    /// How much the position matters against other goals of the same priority.
    pub position_weight: Real,
    /// How much the orientation matters: one radian counts like this many metres.
    pub orientation_weight: Real,
    /// How much each model axis of the position error matters, besides.
    pub position_axes: Vec3,
    /// How much each of the effector's axes matters for the orientation, besides.
    pub orientation_axes: Vec3,
    /// How much of the way to the target is asked for, from 0 (nothing) to 1 (all
    /// of it); see the [module](self).
    pub influence: Real,
    /// Whether the goal is switched on. One that is off asks for nothing.
    pub enabled: bool,
    /// Zero comes first. Only the prioritised solver takes other values.
    pub priority: u32,
}

impl Goal {
    /// A goal with weights of one, full influence and the first priority.
    pub const fn new(effector: Effector, target: Target) -> Self {
        Self {
            effector,
            target,
            position_weight: 1.0,
            orientation_weight: 1.0,
            position_axes: Vec3::ONE,
            orientation_axes: Vec3::ONE,
            influence: 1.0,
            enabled: true,
            priority: 0,
        }
    }

    /// Whether the goal asks for anything: it is switched on, and neither its
    /// influence nor its weights are zero.
    pub fn is_active(&self) -> bool {
        let (point, turn) = self.asks();
        self.enabled && self.influence > 0.0 && (point || turn)
    }

    /// Whether the numbers of target, weights and influence make sense.
    pub(crate) fn is_valid(&self) -> bool {
        let weights = [self.position_weight, self.orientation_weight];
        let axes = [self.position_axes, self.orientation_axes];
        self.target.is_valid()
            && weights.iter().all(|w| w.is_finite() && *w >= 0.0)
            && axes.iter().all(|a| a.is_finite() && a.min_element() >= 0.0)
            && (0.0..=1.0).contains(&self.influence)
    }

    /// Whether the target asks for a point, and whether for an orientation or a
    /// direction, with a weight above zero.
    pub(crate) fn asks(&self) -> (bool, bool) {
        let point = self.position_weight * self.position_axes.max_element() > 0.0;
        let turn = self.orientation_weight * self.orientation_axes.max_element() > 0.0;
        match self.target {
            Target::Position(_) => (point, false),
            Target::Orientation(_) | Target::Aim { .. } => (false, turn),
            Target::Pose(_) => (point, turn),
        }
    }

    /// A joint at a point.
    pub const fn position(joint: JointId, at: Vec3) -> Self {
        Self::new(Effector::at(joint), Target::Position(at))
    }

    /// A joint turned like this.
    pub const fn orientation(joint: JointId, rotation: Quat) -> Self {
        Self::new(Effector::at(joint), Target::Orientation(rotation))
    }

    /// A joint at a point, turned like this.
    pub const fn pose(joint: JointId, pose: Transform) -> Self {
        Self::new(Effector::at(joint), Target::Pose(pose))
    }

    /// A joint whose `axis` looks at a point.
    pub const fn aim(joint: JointId, axis: Vec3, at: Vec3) -> Self {
        Self::new(Effector::at(joint), Target::Aim { axis, at })
    }

    /// The squared error of the goal for an effector that stands here, as all solvers weigh
    /// it: the squares of weight × metres and weight × radians (as a chord, which is monotone
    /// and smooth at half a turn), along the axes that matter.
    #[inline]
    pub fn squared_error(&self, effector: Transform) -> Real {
        let mut sum = 0.0;
        if let Some(p) = self.target.position() {
            let d = (p - effector.translation) * self.position_axes;
            sum += self.position_weight * self.position_weight * d.length_squared();
        }
        if self.orientation_weight > 0.0
            && let Some(q) = self.target.orientation(effector)
        {
            let turn = effector.rotation.conjugate() * q;
            let v = Vec3::new(turn.x, turn.y, turn.z) * self.orientation_axes;
            sum += self.orientation_weight * self.orientation_weight * 4.0 * v.length_squared();
        }
        sum
    }

    /// With the effector this far from the joint, in the joint's frame.
    pub const fn offset(mut self, offset: Transform) -> Self {
        self.effector.offset = offset;
        self
    }

    /// With these weights.
    pub const fn weights(mut self, position: Real, orientation: Real) -> Self {
        self.position_weight = position;
        self.orientation_weight = orientation;
        self
    }

    /// With this influence, from 0 to 1.
    pub const fn influence(mut self, influence: Real) -> Self {
        self.influence = influence;
        self
    }

    /// With this priority; zero comes first.
    pub const fn priority(mut self, priority: u32) -> Self {
        self.priority = priority;
        self
    }
}

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
            let joint = g.effector.joint;
            if !skeleton.contains(joint) {
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

/// A pose that what the other goals leave free is drawn to: spines stay upright, elbows
/// hang, and the same targets give the same pose however they were come to. It comes after
/// all goals: they are met as exactly as without it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PostureGoal {
    /// The pose.
    pub pose: Pose,
    /// How strongly it draws: a radian away from it weighs like this many metres away from
    /// a goal, for the joint that carries most, and less for those that carry less. Zero
    /// does not draw.
    pub weight: Real,
    /// How strongly each joint is drawn besides, from 0 (left alone) to 1, in the skeleton's
    /// order. Empty draws all alike.
    pub joints: Vec<Real>,
}

impl PostureGoal {
    /// All joints alike.
    pub const fn new(pose: Pose, weight: Real) -> Self {
        Self { pose, weight, joints: Vec::new() }
    }

    /// How strongly a joint is drawn, from 0 to 1.
    pub(crate) fn joint(&self, joint: usize) -> Real {
        self.joints.get(joint).map_or(1.0, |w| w.clamp(0.0, 1.0))
    }

    /// Whether it is a pose of the skeleton and its weights make sense.
    pub(crate) fn is_valid(&self, skeleton: &Skeleton) -> bool {
        let sound = |w: &Real| w.is_finite() && *w >= 0.0;
        self.pose.len() == skeleton.len()
            && self.pose.first_unsound().is_none()
            && sound(&self.weight)
            && (self.joints.is_empty() || self.joints.len() == skeleton.len())
            && self.joints.iter().all(sound)
    }
}
