//! The parts of a body and which of them may touch.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::anatomy;
use super::distance::{depth_of, segments_squared};
use super::hull::{Points, RoundedHull};
use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::humanoid::HumanoidMap;
use crate::skeleton::{JointId, Skeleton};

/// Names a part of one [`CollisionBody`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartId(pub(crate) u32);

impl PartId {
    /// Its place in the body's order.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece of the body that moves with one joint.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyPart {
    /// What people call it.
    pub name: String,
    /// The joint that carries it.
    pub joint: JointId,
    /// Its form, in the joint's frame.
    pub shape: RoundedHull,
    /// Whether it is the part of its limb next to the body, which the body's
    /// own part touches by nature.
    pub inner: bool,
}

/// Why parts do not make a body.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// A part hangs on a joint that the skeleton does not have.
    #[error("part '{0}' hangs on a joint that the skeleton does not have")]
    NoSuchJoint(String),
    /// A part has no points, a negative radius or a number that is not finite.
    #[error("part '{0}' needs points and a radius that are finite")]
    BadShape(String),
}

/// The parts of a body and how deep each pair of them may be in each other.
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionBody {
    parts: Vec<BodyPart>,
    /// By pairs, the smaller number first: infinite for neighbours, the depth at
    /// rest for what touches there, else zero.
    allowed: Vec<Real>,
}

/// What touches at rest may be this much deeper before it counts, in metres: less
/// than the give of skin, more than rounding.
pub(super) const GIVE: Real = 2.0e-3;

impl CollisionBody {
    /// Parts for any rig: those of a human where the map knows them, a capsule
    /// for every other bone; see the [module](super).
    pub fn from_rig(skeleton: &Skeleton, map: &HumanoidMap) -> Self {
        let parts = anatomy::parts(skeleton, map);
        Self::with_allowances(skeleton, parts)
    }

    /// Parts as they are given, with the same rules for what may touch.
    pub fn from_parts(skeleton: &Skeleton, parts: Vec<BodyPart>) -> Result<Self, BodyError> {
        for part in &parts {
            if !skeleton.contains(part.joint) {
                return Err(BodyError::NoSuchJoint(part.name.clone()));
            }
            if !part.shape.is_valid() {
                return Err(BodyError::BadShape(part.name.clone()));
            }
        }
        Ok(Self::with_allowances(skeleton, parts))
    }

    fn with_allowances(skeleton: &Skeleton, parts: Vec<BodyPart>) -> Self {
        let rest = ModelPose::rest(skeleton);
        let placed: Vec<RoundedHull> =
            parts.iter().map(|part| part.shape.placed(rest.transform(part.joint))).collect();
        let mut body = Self { allowed: vec![0.0; parts.len() * parts.len()], parts };
        for i in 0..body.parts.len() {
            for j in i + 1..body.parts.len() {
                let depth = if body.are_neighbours(skeleton, i, j) {
                    Real::INFINITY
                } else {
                    hull_depth(&placed[i].points, &placed[j].points, placed[i].radius + placed[j].radius)
                        .map_or(0.0, |depth| depth + GIVE)
                };
                body.set_allowed(i, j, depth);
            }
        }
        body
    }

    /// Same joint, or one is the next part above the other. A limb's outer part is
    /// a neighbour of its inner part alone.
    fn are_neighbours(&self, skeleton: &Skeleton, i: usize, j: usize) -> bool {
        let (a, b) = (&self.parts[i], &self.parts[j]);
        if a.joint == b.joint {
            return true;
        }
        let has_inner = |joint: JointId| self.parts.iter().any(|p| p.joint == joint && p.inner);
        let above = |part: &BodyPart| {
            skeleton.ancestors(part.joint).skip(1).find(|&up| self.parts.iter().any(|p| p.joint == up))
        };
        let follows = |low: &BodyPart, high: &BodyPart| {
            // Of a limb in two pieces, the outer one carries what comes next and
            // the inner one hangs on what came before.
            above(low) == Some(high.joint)
                && (low.inner || !has_inner(low.joint))
                && (!high.inner || !has_outer(&self.parts, high.joint))
        };
        follows(a, b) || follows(b, a) || self.share_a_root(skeleton, a, b)
    }

    /// Two inner parts, or slices of the trunk, that hang on the same part at
    /// nearly the same place.
    fn share_a_root(&self, skeleton: &Skeleton, a: &BodyPart, b: &BodyPart) -> bool {
        let trunk_above = |part: &BodyPart| {
            skeleton
                .ancestors(part.joint)
                .skip(1)
                .filter(|&up| self.parts.iter().any(|p| p.joint == up))
                .take(2)
                .last()
        };
        // An inner part also touches the slice of the trunk below the one it
        // hangs on: the shoulder lies beside the chest, under the neck's base.
        (a.inner && trunk_above(a) == Some(b.joint)) || (b.inner && trunk_above(b) == Some(a.joint))
    }

    /// How many parts there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there are none, as for a rig of one joint.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// One part. An id of another body panics like an index.
    pub fn part(&self, id: PartId) -> &BodyPart {
        &self.parts[id.index()]
    }

    /// Every part with its id.
    pub fn parts(&self) -> impl ExactSizeIterator<Item = (PartId, &BodyPart)> {
        self.parts.iter().enumerate().map(|(i, part)| (PartId(i as u32), part))
    }

    /// The parts that a joint and everything below it carry: what moves when it turns.
    pub fn parts_below(&self, skeleton: &Skeleton, joint: JointId) -> Vec<PartId> {
        self.parts().filter(|(_, part)| skeleton.is_ancestor(joint, part.joint)).map(|(id, _)| id).collect()
    }

    /// Lets two parts be this deep in each other; infinity lets them through.
    pub fn allow(&mut self, a: PartId, b: PartId, depth: Real) {
        let n = self.parts.len();
        if a != b && a.index() < n && b.index() < n && !depth.is_nan() {
            self.set_allowed(a.index(), b.index(), depth.max(0.0));
        }
    }

    fn set_allowed(&mut self, a: usize, b: usize, depth: Real) {
        let n = self.parts.len();
        self.allowed[a * n + b] = depth;
        self.allowed[b * n + a] = depth;
    }

    /// How deep two parts may be in each other before it counts as a contact.
    #[inline]
    pub fn allowed(&self, a: PartId, b: PartId) -> Real {
        self.allowed[a.index() * self.parts.len() + b.index()]
    }
}

fn has_outer(parts: &[BodyPart], joint: JointId) -> bool {
    parts.iter().any(|p| p.joint == joint && !p.inner)
}

/// How deep two hulls, blown up by `margin` together, are in each other.
#[inline]
pub(super) fn hull_depth(a: &[Vec3], b: &[Vec3], margin: Real) -> Option<Real> {
    let squared = match (a, b) {
        ([p], [q]) => p.distance_squared(*q),
        (&[p, q], &[r, s]) => segments_squared([p, q], [r, s]),
        ([p], &[r, s]) | (&[r, s], [p]) => segments_squared([*p, *p], [r, s]),
        _ => return depth_of(Points(a), &Points(b), &parry3d::math::Pose::IDENTITY, margin),
    };
    (squared < margin * margin).then(|| margin - squared.sqrt())
}
