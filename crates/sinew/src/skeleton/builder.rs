//! From a loose list of joints to a [`Skeleton`], or a reason why not.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::{Joint, JointId, JointKind, NO_PARENT, Skeleton};
use crate::limit::{JointLimit, LimitError};
use crate::math::*;

/// One joint as the builder takes it: plain data, in any order.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointDef {
    /// A name that no other joint has.
    pub name: String,
    /// The parent's place in the builder's list; it may come later.
    pub parent: Option<usize>,
    /// The transform to the parent's frame at rest.
    pub rest: Transform,
    /// How the joint can move. A ball unless said otherwise.
    pub kind: JointKind,
    /// How far it can move. Anywhere unless said otherwise.
    pub limit: JointLimit,
    /// Where the bone ends, in the joint's own frame.
    pub tip: Option<Vec3>,
    /// How unwilling it is to move, 0 to 1.
    pub stiffness: Real,
}

impl JointDef {
    /// A ball joint without limits at its parent's origin.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            parent: None,
            rest: Transform::IDENTITY,
            kind: JointKind::Ball,
            limit: JointLimit::None,
            tip: None,
            stiffness: 0.0,
        }
    }

    /// Below the joint that the builder's `add` returned.
    pub fn under(mut self, parent: JointId) -> Self {
        self.parent = Some(parent.index());
        self
    }

    /// At this offset from the parent, in the parent's frame.
    pub fn at(mut self, offset: Vec3) -> Self {
        self.rest.translation = offset;
        self
    }

    /// Turned like this against the parent at rest.
    pub fn turned(mut self, rotation: Quat) -> Self {
        self.rest.rotation = rotation;
        self
    }

    /// Of this kind.
    pub fn kind(mut self, kind: JointKind) -> Self {
        self.kind = kind;
        self
    }

    /// A hinge about this axis, given in the joint's rest frame.
    pub fn hinge(self, axis: Vec3) -> Self {
        self.kind(JointKind::Hinge { axis })
    }

    /// A hinge about this axis that turns from `min` to `max` radians.
    pub fn hinge_range(self, axis: Vec3, min: Real, max: Real) -> Self {
        self.hinge(axis).limit(JointLimit::hinge(axis, min, max))
    }

    /// Within this limit.
    pub fn limit(mut self, limit: impl Into<JointLimit>) -> Self {
        self.limit = limit.into();
        self
    }

    /// With a bone that ends here, in the joint's own frame.
    pub fn tip(mut self, tip: Vec3) -> Self {
        self.tip = Some(tip);
        self
    }

    /// This unwilling to move, 0 to 1.
    pub fn stiffness(mut self, stiffness: Real) -> Self {
        self.stiffness = stiffness;
        self
    }
}

/// Why a list of joints is not a skeleton.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The list is empty.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// More joints than an id can name.
    #[error("{0} joints are more than the {max} a skeleton can have", max = SkeletonBuilder::MAX_JOINTS)]
    TooMany(usize),
    /// Nothing is above these, and only one root is allowed.
    #[error(
        "joints '{first}' and '{second}' both have no parent; a skeleton has one root. Put both under a new fixed joint"
    )]
    SeveralRoots {
        /// The first root in the list.
        first: String,
        /// The next one.
        second: String,
    },
    /// Every joint has a parent, so they run in a circle.
    #[error("joint '{0}' is its own ancestor")]
    Cycle(String),
    /// The parent's index names no joint.
    #[error("joint '{joint}' wants parent number {parent}, and there are only {count} joints")]
    NoSuchParent {
        /// The joint that asks.
        joint: String,
        /// The index it asks for.
        parent: usize,
        /// How many there are.
        count: usize,
    },
    /// An id of another, larger skeleton.
    #[error("there is no joint number {joint}: the skeleton has {count}")]
    NoSuchJoint {
        /// The joint's place.
        joint: usize,
        /// How many there are.
        count: usize,
    },
    /// A joint comes before its parent, or between its parent and it come joints that
    /// are not below that parent.
    #[error(
        "joint '{joint}' does not follow its parent or a joint below its parent; add a joint's whole branch before its sibling, or build with `build_sorted`"
    )]
    NotDepthFirst {
        /// The joint.
        joint: String,
    },
    /// Two joints share a name.
    #[error("two joints are called '{0}'")]
    DuplicateName(String),
    /// A rest transform or tip holds NaN or infinity, or its quaternion has no direction.
    #[error("the rest transform of joint '{0}' is not finite or has no rotation")]
    BadRest(String),
    /// A skeleton cannot be made so many times as large.
    #[error("a scale of {0}; it must be more than zero and finite")]
    BadScale(Real),
    /// An axis is zero or not finite, or the two of a universal joint are parallel.
    #[error("joint '{0}' has an axis without a direction, or two that are parallel")]
    BadAxis(String),
    /// Stiffness outside of 0 to 1.
    #[error("joint '{joint}' has stiffness {value}; it must be between 0 and 1")]
    BadStiffness {
        /// The joint.
        joint: String,
        /// What it was given.
        value: Real,
    },
    /// The limit's own numbers do not hold, or it does not fit the kind.
    #[error("the limit of joint '{joint}': {reason}")]
    BadLimit {
        /// The joint.
        joint: String,
        /// What is wrong with the limit.
        reason: LimitError,
    },
}

/// A list of joints on its way to be a [`Skeleton`].
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SkeletonBuilder {
    /// The skeleton's name.
    pub name: String,
    /// The joints, in any order.
    pub joints: Vec<JointDef>,
}

impl SkeletonBuilder {
    /// The most joints a skeleton can have.
    pub const MAX_JOINTS: usize = 1 << 20;

    /// An empty list.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), joints: Vec::new() }
    }

    /// Adds a joint and returns its id: for [`JointDef::under`], and for goals and poses of
    /// the skeleton that [`build`](Self::build) makes.
    pub fn add(&mut self, joint: JointDef) -> JointId {
        self.joints.push(joint);
        JointId(self.joints.len() as u32 - 1)
    }

    /// Checks everything and makes the skeleton. The joints keep their order, so the ids that
    /// [`add`](Self::add) returned are the skeleton's own. That takes a depth-first order,
    /// where a joint's branch is complete before its sibling comes; another is refused.
    ///
    /// ```
    /// use sinew::{Goal, GoalSet, JointDef, Pose, SkeletonBuilder, SolverSpec, Vec3};
    /// let mut builder = SkeletonBuilder::new("arm");
    /// let upper = builder.add(JointDef::new("upper"));
    /// let lower = builder.add(JointDef::new("lower").under(upper).at(Vec3::X * 0.3));
    /// let hand = builder.add(JointDef::new("hand").under(lower).at(Vec3::X * 0.25));
    /// let arm = builder.build()?;
    /// let goals = GoalSet::from_iter([Goal::position(hand, Vec3::new(0.2, 0.3, 0.0))]);
    /// let mut solver = SolverSpec::default().build(&arm, &goals)?;
    /// assert!(solver.solve(&arm, &goals, &mut Pose::rest(&arm)).reached());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn build(&self) -> Result<Skeleton, BuildError> {
        let skeleton = self.build_sorted()?;
        match skeleton.from_builder.iter().enumerate().find(|(old, new)| *old != new.index()) {
            Some((moved, _)) => Err(BuildError::NotDepthFirst { joint: self.joints[moved].name.clone() }),
            None => Ok(skeleton),
        }
    }

    /// Checks everything and makes the skeleton with its joints sorted depth first; children
    /// of one joint keep the order in which they were added. The ids that [`add`](Self::add)
    /// returned are only good for [`JointDef::under`] then: [`Skeleton::from_builder`] says
    /// where each went. For readers of files.
    pub fn build_sorted(&self) -> Result<Skeleton, BuildError> {
        let order = self.depth_first_order()?;
        self.check_names()?;

        let mut place = vec![JointId(0); order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old] = JointId(new as u32);
        }
        let joints = order
            .iter()
            .map(|&old| self.finish_joint(&self.joints[old], &place))
            .collect::<Result<Vec<_>, _>>()?;

        let mut subtree_ends: Vec<u32> = (1..=joints.len() as u32).collect();
        for i in (1..joints.len()).rev() {
            if let Some(parent) = joints[i].parent {
                subtree_ends[parent.index()] = subtree_ends[parent.index()].max(subtree_ends[i]);
            }
        }
        Ok(Skeleton {
            name: self.name.clone(),
            parents: joints.iter().map(|j| j.parent.map_or(NO_PARENT, |p| p.0)).collect(),
            rests: joints.iter().map(|j| j.rest).collect(),
            fingerprint: super::fingerprint(&joints),
            joints,
            subtree_ends,
            from_builder: place,
        })
    }

    /// Builder indices in the skeleton's order; finds missing parents, several
    /// roots and circles.
    fn depth_first_order(&self) -> Result<Vec<usize>, BuildError> {
        let count = self.joints.len();
        if count == 0 {
            return Err(BuildError::Empty);
        }
        if count > Self::MAX_JOINTS {
            return Err(BuildError::TooMany(count));
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut root: Option<usize> = None;
        for (i, joint) in self.joints.iter().enumerate() {
            match (joint.parent, root) {
                (Some(parent), _) if parent >= count => {
                    return Err(BuildError::NoSuchParent { joint: joint.name.clone(), parent, count });
                }
                (Some(parent), _) => children[parent].push(i),
                (None, None) => root = Some(i),
                (None, Some(first)) => {
                    return Err(BuildError::SeveralRoots {
                        first: self.joints[first].name.clone(),
                        second: joint.name.clone(),
                    });
                }
            }
        }
        let Some(root) = root else {
            return Err(BuildError::Cycle(self.joints[0].name.clone()));
        };
        let mut order = Vec::with_capacity(count);
        let mut stack = vec![root];
        let mut seen = vec![false; count];
        while let Some(joint) = stack.pop() {
            seen[joint] = true;
            order.push(joint);
            stack.extend(children[joint].iter().rev());
        }
        match seen.iter().position(|s| !s) {
            Some(lost) => Err(BuildError::Cycle(self.joints[lost].name.clone())),
            None => Ok(order),
        }
    }

    fn check_names(&self) -> Result<(), BuildError> {
        let mut names: Vec<&str> = self.joints.iter().map(|j| j.name.as_str()).collect();
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(BuildError::DuplicateName(pair[0].into())),
            None => Ok(()),
        }
    }

    fn finish_joint(&self, def: &JointDef, place: &[JointId]) -> Result<Joint, BuildError> {
        let name = || def.name.clone();
        let rotation = def.rest.rotation;
        let finite = def.rest.is_finite() && def.tip.is_none_or(|t| t.is_finite());
        if !finite || rotation.length_squared() < ROUNDING {
            return Err(BuildError::BadRest(name()));
        }
        if !(0.0..=1.0).contains(&def.stiffness) {
            return Err(BuildError::BadStiffness { joint: name(), value: def.stiffness });
        }
        let kind = unit_axes(def.kind).ok_or_else(|| BuildError::BadAxis(name()))?;
        let limit = def
            .limit
            .clone()
            .checked(kind)
            .map_err(|reason| BuildError::BadLimit { joint: name(), reason })?;
        Ok(Joint {
            name: name(),
            parent: def.parent.map(|p| place[p]),
            rest: Transform::new(def.rest.translation, unit_rotation(rotation)),
            kind,
            limit,
            tip: def.tip,
            stiffness: def.stiffness,
        })
    }
}

/// The kind with its axes made unit, and the second axis of a universal joint
/// made perpendicular to the first; `None` where an axis has no direction.
fn unit_axes(kind: JointKind) -> Option<JointKind> {
    let unit = |v: Vec3| {
        let length = v.length();
        (length > ROUNDING && length.is_finite()).then(|| unit_vector(v))
    };
    Some(match kind {
        JointKind::Hinge { axis } => JointKind::Hinge { axis: unit(axis)? },
        JointKind::Prismatic { axis } => JointKind::Prismatic { axis: unit(axis)? },
        JointKind::Universal { first, second } => {
            let first = unit(first)?;
            let second = unit(second)?;
            let lean = first.dot(second);
            let upright = if lean.abs() <= Real::EPSILON * 8.0 { second } else { second - first * lean };
            JointKind::Universal { first, second: unit(upright)? }
        }
        other => other,
    })
}
