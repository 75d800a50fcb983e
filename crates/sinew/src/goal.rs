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
//!
//! # What is natural
//! A character that is pulled by one hand looks right when it is drawn to the pose in which it stands
//! ([`PostureGoal::natural`]), its feet are [firm](Goal::firm), what nobody pulls at is
//! [soft](Goal::soft), and what is pulled has the weight of one that every new goal has. While the
//! target moves, [`SolverSpec::following`](crate::SolverSpec::following) keeps joints from jumping.
//! `sinew solve` (where every goal is asked for, so that none is soft) and the studio do this unless told otherwise.
//!
//! # What holds for the whole body
//! A set can hold more than goals on effectors: a posture to be drawn to ([`PostureGoal`]), and
//! bounds that come before all goals: the centre of mass over a support ([`BalanceGoal`]), joints
//! no faster than their drives ([`SpeedGoal`]), the body clear of itself and of obstacles
//! (`ClearanceGoal`, with the feature `collision`). The robust and the prioritised solver keep
//! them; others refuse a set that has any.

mod balance;
#[cfg(feature = "collision")]
mod clearance;
mod mimic;
mod posture;
mod set;
mod speed;

pub use balance::{BalanceGoal, PointMass};
pub(crate) use balance::{SupportEdge, support_edges};
#[cfg(feature = "collision")]
pub use clearance::ClearanceGoal;
pub use mimic::Mimic;
pub use posture::PostureGoal;
pub use set::GoalSet;
pub use speed::SpeedGoal;

use crate::math::*;
use crate::pose::ModelPose;
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
    /// Planted: at this point, with its `axis` (a direction in the effector's frame, a sole's
    /// own normal) along `normal`, and free to turn about it. Only the robust and the
    /// prioritised solver take it.
    Contact {
        /// The direction that should lie along the normal, in the effector's frame.
        axis: Vec3,
        /// The point of contact, in model space.
        at: Vec3,
        /// The normal of what is touched, of any length but zero, in model space.
        normal: Vec3,
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
            Self::Contact { axis, at, normal } => {
                at.is_finite() && [axis, normal].iter().all(|d| d.is_finite() && d.length() > ROUNDING)
            }
        }
    }

    /// The wanted point, if the target asks for one.
    pub fn position(&self) -> Option<Vec3> {
        match *self {
            Self::Position(p) => Some(p),
            Self::Pose(t) => Some(t.translation),
            Self::Contact { at, .. } => Some(at),
            Self::Orientation(_) | Self::Aim { .. } => None,
        }
    }

    /// For a target that asks for a direction: the effector's own axis, as a unit vector in its
    /// frame, and the direction that it should have, from an effector at `now`.
    pub(crate) fn direction(&self, now: Transform) -> Option<(Vec3, Vec3)> {
        let (axis, wanted) = match *self {
            Self::Aim { axis, at } => (axis, at - now.translation),
            Self::Contact { axis, normal, .. } => (axis, normal),
            Self::Position(_) | Self::Orientation(_) | Self::Pose(_) => return None,
        };
        let own = direction_or(axis, Vec3::Z);
        Some((own, direction_or(wanted, now.rotation * own)))
    }

    /// The orientation that the target asks for of an effector that stands at
    /// `now`: the wanted one, or for an aim or a contact the nearest whose axis has the
    /// wanted direction.
    pub fn orientation(&self, now: Transform) -> Option<Quat> {
        match *self {
            Self::Position(_) => None,
            Self::Orientation(q) => Some(q),
            Self::Pose(t) => Some(t.rotation),
            Self::Aim { .. } | Self::Contact { .. } => {
                let (own, wanted) = self.direction(now)?;
                // Looking straight away, it turns about an axis of its own, so
                // that the same pose always turns the same way.
                let hint = now.rotation * any_perpendicular(own);
                Some((rotation::between(now.rotation * own, wanted, hint) * now.rotation).normalize())
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
            Self::Contact { axis, at, normal } => {
                let own = direction_or(axis, Vec3::Z);
                let turned = self.orientation(now).map_or(normal, |q| turned(q) * own);
                Self::Contact { axis, at: now.translation.lerp(at, part), normal: turned }
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
            Self::Contact { axis, .. } => {
                let normal = now.rotation * direction_or(axis, Vec3::Z);
                Self::Contact { axis, at: now.translation, normal }
            }
        }
    }

    /// The target in model space, if it was given in a frame that stands here.
    pub(crate) fn seen_from(&self, frame: Transform) -> Self {
        let point = |p: Vec3| frame.transform_point(p);
        match *self {
            Self::Position(p) => Self::Position(point(p)),
            Self::Orientation(q) => Self::Orientation((frame.rotation * q).normalize()),
            Self::Pose(t) => Self::Pose(frame * t),
            Self::Aim { axis, at } => Self::Aim { axis, at: point(at) },
            Self::Contact { axis, at, normal } => {
                Self::Contact { axis, at: point(at), normal: frame.rotation * normal }
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
    /// How much each axis of the position error matters, besides: axes of model space, or of
    /// the joint that the goal is relative to.
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
    /// The joint whose frame the target is given in, instead of model space: a hand that keeps
    /// its place on a tool which the other hand carries. The goal then moves the joints above
    /// either. Only the robust and the prioritised solver take it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub relative_to: Option<JointId>,
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
            relative_to: None,
        }
    }

    /// The goal with its target in model space, as a pose has the joint that it is relative to.
    pub(crate) fn in_model_space(&self, model: &ModelPose) -> Self {
        match self.relative_to {
            Some(joint) => {
                let target = self.target.seen_from(model.transform(joint));
                Self { target, relative_to: None, ..*self }
            }
            None => *self,
        }
    }

    /// Whether a joint can move the effector in the space that the target is given in.
    pub(crate) fn is_moved_by(&self, skeleton: &Skeleton, joint: JointId) -> bool {
        let carries = skeleton.is_ancestor(joint, self.effector.joint);
        carries != self.relative_to.is_some_and(|to| skeleton.is_ancestor(joint, to))
    }

    /// Where the effector stands in the space that the target is given in: model space, or the
    /// frame of the joint that the goal is [relative to](Self::relative_to).
    pub fn standing(&self, model: &ModelPose) -> Transform {
        let effector = self.effector.transform(model);
        match self.relative_to {
            Some(joint) => model.transform(joint).inverse() * effector,
            None => effector,
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
            Target::Pose(_) | Target::Contact { .. } => (point, turn),
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

    /// A joint planted on a point: its `axis` (its sole's own normal, in its frame) lies along
    /// `normal`, and it may turn about it.
    ///
    /// ```
    /// use sinew::{Goal, GoalSet, Pose, SolverSpec, Vec3};
    /// let arm = sinew::rigs::chain(6, 1.0);
    /// let tip = arm.find("tip").unwrap();
    /// let mut goals = GoalSet::new();
    /// goals.add(Goal::contact(tip, Vec3::Y, Vec3::new(0.5, 0.4, 0.1), Vec3::NEG_Y));
    /// let mut pose = Pose::rest(&arm);
    /// assert!(SolverSpec::default().build(&arm, &goals)?.solve(&arm, &goals, &mut pose).reached());
    /// let end = sinew::ModelPose::new(&arm, &pose).transform(tip);
    /// assert!((end.rotation * Vec3::Y).dot(Vec3::NEG_Y) > 0.999);
    /// # Ok::<(), sinew::error::RigError>(())
    /// ```
    pub const fn contact(joint: JointId, axis: Vec3, at: Vec3, normal: Vec3) -> Self {
        Self::new(Effector::at(joint), Target::Contact { axis, at, normal })
    }

    /// The squared error of the goal for an effector that stands here (in the
    /// target's space, see [`standing`](Self::standing)), as all solvers weigh
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

    /// As a wish rather than a demand: met where that costs no other goal anything to speak of. For
    /// hands that should stay where they are while somebody pulls at the hips. See the
    /// [module](self) for what is natural.
    pub const fn soft(self) -> Self {
        self.weights(0.05, 0.02)
    }

    /// So that no other goal moves it by a millimetre: for feet that stand while somebody pulls at the
    /// hips, further than the legs can go. See the [module](self) for what is natural.
    ///
    /// ```
    /// use sinew::goal::PostureGoal;
    /// use sinew::{Goal, GoalSet, ModelPose, Pose, SolverSpec, Vec3, rigs};
    /// let human = rigs::humanoid(Default::default());
    /// let rest = ModelPose::rest(&human);
    /// let feet = ["l_ankle", "r_ankle"].map(|name| human.find(name).unwrap());
    /// let mut goals = GoalSet::from_iter(feet.map(|foot| Goal::pose(foot, rest.transform(foot)).firm()));
    /// // Half a metre above what the legs can do.
    /// goals.add(Goal::position(human.root(), rest.position(human.root()) + Vec3::Y * 0.5));
    /// goals.set_posture(Some(PostureGoal::natural(Pose::rest(&human))));
    /// let mut pose = Pose::rest(&human);
    /// SolverSpec::default().following().build(&human, &goals)?.solve(&human, &goals, &mut pose);
    /// let model = ModelPose::new(&human, &pose);
    /// assert!(feet.iter().all(|&foot| model.position(foot).distance(rest.position(foot)) < 1.0e-3));
    /// # Ok::<(), sinew::error::RigError>(())
    /// ```
    pub const fn firm(self) -> Self {
        self.weights(30.0, 30.0)
    }

    /// With this influence, from 0 to 1.
    pub const fn influence(mut self, influence: Real) -> Self {
        self.influence = influence;
        self
    }

    /// With the target given in the frame of another joint.
    ///
    /// ```
    /// use sinew::{Goal, GoalSet, Pose, SolverSpec, Transform, Vec3, rigs};
    /// let human = rigs::humanoid(rigs::SwingModel::Ellipse);
    /// let [left, right] = ["l_wrist", "r_wrist"].map(|name| human.find(name).unwrap());
    /// let mut goals = GoalSet::new();
    /// goals.add(Goal::position(right, Vec3::new(-0.1, 1.2, 0.4)));
    /// // A bar of 30 cm that the right hand carries, and the left hand at its other end.
    /// goals.add(Goal::position(left, Vec3::X * 0.3).relative_to(right));
    /// let mut solver = SolverSpec::default().build(&human, &goals)?;
    /// let mut pose = Pose::rest(&human);
    /// assert!(solver.solve(&human, &goals, &mut pose).reached());
    /// # Ok::<(), sinew::error::RigError>(())
    /// ```
    pub const fn relative_to(mut self, joint: JointId) -> Self {
        self.relative_to = Some(joint);
        self
    }

    /// With this priority; zero comes first.
    pub const fn priority(mut self, priority: u32) -> Self {
        self.priority = priority;
        self
    }
}
