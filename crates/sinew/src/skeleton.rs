//! The skeleton: a tree of joints that never changes after it is built.
//!
//! Joints stand in depth-first order, so a parent comes before its children
//! and the joints below a joint are one run of indices. That is what makes
//! forward kinematics a single pass and a partial update a slice of it.
//!
//! A joint's motion is stored relative to its rest transform (see
//! [`Pose`](crate::Pose)): the transform from a joint to its parent is
//! `rest ∘ motion`. The rest pose is therefore the pose of identities, and a
//! limit speaks about exactly the rotation that is stored.

mod builder;
pub mod humanoid;

use alloc::string::String;
use alloc::vec::Vec;

use crate::limit::{JointLimit, LimitComponent};
use crate::math::*;

pub use builder::{BuildError, JointDef, SkeletonBuilder};

/// Names a joint of one [`Skeleton`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointId(pub(crate) u32);

impl JointId {
    /// The joint's place in the skeleton's order.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a joint can move, relative to its rest transform. All axes are unit
/// vectors in the joint's rest frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum JointKind {
    /// Does not move.
    Fixed,
    /// Turns about one axis.
    Hinge {
        /// The axis of the turn.
        axis: Vec3,
    },
    /// Turns about `first`, then about `second` as `first` has carried it.
    Universal {
        /// The axis fixed to the parent.
        first: Vec3,
        /// The axis fixed to this joint, at right angles to `first`.
        second: Vec3,
    },
    /// Turns any way.
    Ball,
    /// Slides along one axis.
    Prismatic {
        /// The direction of the slide.
        axis: Vec3,
    },
    /// Turns and moves any way; what the root of a character does.
    Free,
}

impl JointKind {
    /// How many numbers describe the joint's motion.
    pub const fn degrees_of_freedom(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Hinge { .. } | Self::Prismatic { .. } => 1,
            Self::Universal { .. } => 2,
            Self::Ball => 3,
            Self::Free => 6,
        }
    }

    /// A word for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Hinge { .. } => "hinge",
            Self::Universal { .. } => "universal",
            Self::Ball => "ball",
            Self::Prismatic { .. } => "prismatic",
            Self::Free => "free",
        }
    }

    /// Whether the joint can turn at all.
    pub const fn turns(self) -> bool {
        !matches!(self, Self::Fixed | Self::Prismatic { .. })
    }

    /// Whether the joint can move along something.
    pub const fn slides(self) -> bool {
        matches!(self, Self::Prismatic { .. } | Self::Free)
    }
}

/// One joint as the skeleton keeps it.
#[derive(Debug, Clone)]
pub struct Joint {
    pub(crate) name: String,
    pub(crate) parent: Option<JointId>,
    pub(crate) rest: Transform,
    pub(crate) kind: JointKind,
    pub(crate) limit: JointLimit,
    pub(crate) tip: Option<Vec3>,
    pub(crate) stiffness: Real,
}

impl Joint {
    /// The joint's name, unique in its skeleton.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// The joint above, or `None` at the root.
    pub fn parent(&self) -> Option<JointId> {
        self.parent
    }
    /// The transform to the parent's frame when nothing has moved.
    pub fn rest(&self) -> Transform {
        self.rest
    }
    /// How the joint can move.
    pub fn kind(&self) -> JointKind {
        self.kind
    }
    /// How far the joint can move.
    pub fn limit(&self) -> &JointLimit {
        &self.limit
    }
    /// Where the bone ends, in the joint's own frame, if the source said so
    /// (a BVH "End Site", the finger tip of a hand). Mostly leaves have one.
    pub fn tip(&self) -> Option<Vec3> {
        self.tip
    }
    /// How unwilling the joint is to move: 0 moves freely, 1 not at all.
    pub fn stiffness(&self) -> Real {
        self.stiffness
    }

    /// The nearest rotation that the joint's kind and limit allow. Returns a
    /// rotation that is allowed already as it came, bit for bit.
    pub fn project(&self, rotation: Quat) -> Quat {
        self.limit.project(crate::limit::to_kind(self.kind, rotation))
    }

    /// The nearest translation that the joint's kind and limit allow, in the
    /// joint's rest frame. That of a joint that cannot slide stays: it is not the joint's
    /// motion but what a file or an animation made of its bone.
    pub fn project_translation(&self, translation: Vec3) -> Vec3 {
        match self.kind {
            JointKind::Prismatic { axis } => axis * self.limit.project_displacement(axis.dot(translation)),
            _ => translation,
        }
    }

    /// By how much a motion lies outside of the limit: radians for a joint
    /// that turns, metres for one that slides; zero inside.
    pub fn violation(&self, rotation: Quat, translation: Vec3) -> Real {
        match self.kind {
            JointKind::Prismatic { .. } => (translation - self.project_translation(translation)).length(),
            _ => self.limit.violation(rotation),
        }
    }

    /// What of a motion is closest to its edge, or furthest beyond it, and the
    /// way to that edge, negative outside; see [`JointLimit::nearest_component`].
    pub fn nearest_component(&self, rotation: Quat, translation: Vec3) -> Option<(LimitComponent, Real)> {
        match self.kind {
            JointKind::Prismatic { axis } => {
                let distance = self.limit.displacement_edge_distance(axis.dot(translation));
                distance.is_finite().then_some((LimitComponent::Displacement, distance))
            }
            _ => self.limit.nearest_component(rotation),
        }
    }
}

/// A tree of joints; made by a [`SkeletonBuilder`], then read-only.
///
/// ```
/// use sinew::{JointDef, JointKind, SkeletonBuilder, Vec3};
/// let mut builder = SkeletonBuilder::new("arm");
/// let shoulder = builder.add(JointDef::new("shoulder"));
/// let elbow = builder.add(JointDef::new("elbow").under(shoulder).at(Vec3::X * 0.3).hinge(Vec3::Y));
/// builder.add(JointDef::new("wrist").under(elbow).at(Vec3::X * 0.25));
/// let skeleton = builder.build()?;
/// assert_eq!(skeleton.len(), 3);
/// assert_eq!(skeleton.joint(skeleton.find("elbow").unwrap()).kind(), JointKind::Hinge { axis: Vec3::Y });
/// # Ok::<(), sinew::skeleton::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Skeleton {
    name: String,
    joints: Vec<Joint>,
    /// For each joint, one past the last joint below it.
    subtree_ends: Vec<u32>,
    /// Where each joint of the builder went.
    from_builder: Vec<JointId>,
    // The columns that forward kinematics reads, apart from the rest so that
    // they share cache lines.
    pub(crate) parents: Vec<u32>,
    pub(crate) rests: Vec<Transform>,
    fingerprint: u64,
}

/// The parent index of a root in the flat column.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// The fingerprint of some joints: FNV-1a over what `Debug` prints, which has every number
/// to its last bit.
fn fingerprint(joints: &[Joint]) -> u64 {
    struct Fnv(u64);
    impl core::fmt::Write for Fnv {
        fn write_str(&mut self, text: &str) -> core::fmt::Result {
            for byte in text.bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
            Ok(())
        }
    }
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for joint in joints {
        let Joint { name: _, parent, rest, kind, limit, tip: _, stiffness } = joint;
        // Hashing cannot fail.
        let _ = core::fmt::write(&mut hash, format_args!("{:?}", (parent, rest, kind, limit, stiffness)));
    }
    hash.0
}

impl Skeleton {
    /// The skeleton's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many joints there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// A number that two skeletons share only if their joints are the same: parents,
    /// rest transforms, kinds, limits and stiffness, but not names. Solvers keep that of
    /// the skeleton they were built for and report any other as
    /// [`Cause::Mismatch`](crate::Cause::Mismatch).
    #[inline]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Never true: a skeleton without joints is refused by the builder.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// The root, which is always the first joint.
    pub const fn root(&self) -> JointId {
        JointId(0)
    }

    /// Every joint in order, parents before children.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + use<> {
        (0..self.joints.len() as u32).map(JointId)
    }

    /// One joint. An id from another, larger skeleton panics like an index;
    /// solvers check theirs when they are built.
    #[inline]
    pub fn joint(&self, id: JointId) -> &Joint {
        &self.joints[id.index()]
    }

    /// All joints in order.
    #[inline]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Whether the id belongs to a skeleton of this size.
    #[inline]
    pub fn contains(&self, id: JointId) -> bool {
        id.index() < self.joints.len()
    }

    /// The id at a place in the order, if there is one.
    pub fn id(&self, index: usize) -> Option<JointId> {
        (index < self.joints.len()).then_some(JointId(index as u32))
    }

    /// The joint with this exact name.
    pub fn find(&self, name: &str) -> Option<JointId> {
        self.joints.iter().position(|j| j.name == name).map(|i| JointId(i as u32))
    }

    /// The joint above, or `None` at the root.
    #[inline]
    pub fn parent(&self, id: JointId) -> Option<JointId> {
        self.joints[id.index()].parent
    }

    /// The joints directly below, in order.
    pub fn children(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        let end = self.subtree_ends[id.index()];
        let mut next = id.0 + 1;
        core::iter::from_fn(move || {
            (next < end).then(|| {
                let child = JointId(next);
                next = self.subtree_ends[child.index()];
                child
            })
        })
    }

    /// The joint and everything below it, as a run of indices.
    #[inline]
    pub fn subtree(&self, id: JointId) -> core::ops::Range<usize> {
        id.index()..self.subtree_ends[id.index()] as usize
    }

    /// Whether `ancestor` is `id` or lies on the way from it to the root.
    pub fn is_ancestor(&self, ancestor: JointId, id: JointId) -> bool {
        self.subtree(ancestor).contains(&id.index())
    }

    /// The joints from `id` up to the root, both included.
    pub fn ancestors(&self, id: JointId) -> impl Iterator<Item = JointId> + '_ {
        core::iter::successors(Some(id), |&j| self.parent(j))
    }

    /// The joints from `base` down to `tip`, both included, or `None` if `base` is not above `tip`.
    pub fn chain(&self, base: JointId, tip: JointId) -> Option<Vec<JointId>> {
        if !self.contains(base) || !self.contains(tip) || !self.is_ancestor(base, tip) {
            return None;
        }
        let mut joints: Vec<JointId> =
            self.ancestors(tip).take_while(|j| self.is_ancestor(base, *j)).collect();
        joints.reverse();
        Some(joints)
    }

    /// How far the joint stands from its parent at rest.
    pub fn bone_length(&self, id: JointId) -> Real {
        self.rests[id.index()].translation.length()
    }

    /// The number of coordinates of the whole skeleton.
    pub fn degrees_of_freedom(&self) -> usize {
        self.joints.iter().map(|j| j.kind.degrees_of_freedom()).sum()
    }

    /// Where the joints went that [`SkeletonBuilder::build_sorted`] was given, in its order.
    /// File readers use it to find their channels again.
    pub fn from_builder(&self) -> &[JointId] {
        &self.from_builder
    }

    /// The same skeleton with another limit on one joint, or why the limit does not fit it.
    ///
    /// ```
    /// use sinew::JointLimit;
    /// let human = sinew::rigs::humanoid(Default::default());
    /// let elbow = human.find("r_elbow").unwrap();
    /// let free = human.with_limit(elbow, JointLimit::None)?;
    /// assert_eq!(free.joint(elbow).limit(), &JointLimit::None);
    /// # Ok::<(), sinew::skeleton::BuildError>(())
    /// ```
    pub fn with_limit(&self, joint: JointId, limit: impl Into<JointLimit>) -> Result<Self, BuildError> {
        let mut builder = self.to_builder();
        let count = self.len();
        match builder.joints.get_mut(joint.index()) {
            Some(def) => def.limit = limit.into(),
            None => return Err(BuildError::NoSuchJoint { joint: joint.index(), count }),
        }
        builder.build()
    }

    /// Back to the forgiving type, to change something and build again. The
    /// joints keep their order.
    pub fn to_builder(&self) -> SkeletonBuilder {
        let joints = self
            .joints
            .iter()
            .map(|j| JointDef {
                name: j.name.clone(),
                parent: j.parent.map(JointId::index),
                rest: j.rest,
                kind: j.kind,
                limit: j.limit.clone(),
                tip: j.tip,
                stiffness: j.stiffness,
            })
            .collect();
        SkeletonBuilder { name: self.name.clone(), joints }
    }
}
