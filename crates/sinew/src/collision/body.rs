//! The parts of a body and which of them may touch.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::anatomy;
use super::distance::{depth_of, segments_squared};
use super::hull::{self, Points};
use super::{Contact, Touched};
use crate::error::RigError;
use crate::math::*;
use crate::pose::ModelPose;
use crate::report::Cause;
use crate::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, Skeleton};

/// A piece of the body that moves with one joint.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyPart {
    /// What people call it.
    pub name: String,
    /// The joint that carries it.
    pub joint: JointId,
    /// The points whose convex hull, blown up by the radius, is its form, in the joint's frame: one
    /// makes a ball, two make a capsule.
    pub points: Vec<Vec3>,
    /// How far the surface is from their hull, in metres.
    pub radius: Real,
    /// Whether it is the part of its limb next to the body, which the body's
    /// own part touches by nature.
    pub inner: bool,
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
        let mut body = Self::with_allowances(skeleton, parts);
        body.join_trunk(skeleton, map);
        body
    }

    /// Slices of a trunk are one flesh: bending the spine takes them into each other, and that is
    /// no collision. Nor is a shoulder on its own chest: the inner half of an upper arm that is
    /// drawn across lies on whatever slices are there, however many the rig has.
    fn join_trunk(&mut self, skeleton: &Skeleton, map: &HumanoidMap) {
        let ends =
            [HumanoidBone::Head, HumanoidBone::UpperLeg(Side::Left), HumanoidBone::UpperLeg(Side::Right)];
        let ends: Vec<JointId> = ends.into_iter().filter_map(|bone| map.get(bone)).collect();
        let trunk = |part: usize| {
            let joint = self.parts[part].joint;
            ends.iter().any(|&end| end != joint && skeleton.is_ancestor(joint, end))
        };
        let slices: Vec<usize> = (0..self.parts.len()).filter(|&part| trunk(part)).collect();
        for (i, &a) in slices.iter().enumerate() {
            for &b in &slices[i + 1..] {
                self.set_allowed(a, b, Real::INFINITY);
            }
            for inner in (0..self.parts.len()).filter(|&part| self.parts[part].inner).collect::<Vec<_>>() {
                self.set_allowed(a, inner, Real::INFINITY);
            }
        }
    }

    /// Parts as they are given, with the same rules for what may touch.
    pub fn from_parts(skeleton: &Skeleton, parts: Vec<BodyPart>) -> Result<Self, RigError> {
        for part in &parts {
            let wrong = |problem| Err(RigError::Shape { name: part.name.clone(), problem });
            if !skeleton.contains(part.joint) {
                return wrong("it hangs on a joint that the skeleton does not have");
            }
            if !hull::is_valid(&part.points, part.radius) {
                return wrong("it needs points and a radius that are finite");
            }
        }
        Ok(Self::with_allowances(skeleton, parts))
    }

    fn with_allowances(skeleton: &Skeleton, parts: Vec<BodyPart>) -> Self {
        let rest = ModelPose::rest(skeleton);
        let placed: Vec<Vec<Vec3>> =
            parts.iter().map(|part| hull::placed(&part.points, rest.transform(part.joint))).collect();
        let mut body = Self { allowed: vec![0.0; parts.len() * parts.len()], parts };
        for i in 0..body.parts.len() {
            for j in i + 1..body.parts.len() {
                let depth = if body.are_neighbours(skeleton, i, j) {
                    Real::INFINITY
                } else {
                    let margin = body.parts[i].radius + body.parts[j].radius;
                    hull_depth(&placed[i], &placed[j], margin).map_or(0.0, |depth| depth + GIVE)
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

    /// The parts; their places here are their numbers.
    pub fn parts(&self) -> &[BodyPart] {
        &self.parts
    }

    /// The numbers of the parts that a joint and everything below it carry: what moves when it turns.
    pub fn parts_below(&self, skeleton: &Skeleton, joint: JointId) -> Vec<usize> {
        let moves = |i: &usize| skeleton.is_ancestor(joint, self.parts[*i].joint);
        (0..self.parts.len()).filter(moves).collect()
    }

    /// What a contact of this body is in a report: the joints that carry both parts.
    pub fn cause(&self, contact: &Contact) -> Cause {
        let other = match contact.with {
            Touched::Part(other) => Some(self.parts[other].joint),
            Touched::Obstacle(_) => None,
        };
        Cause::Collision { joint: self.parts[contact.part].joint, other }
    }

    /// Lets two parts be this deep in each other; infinity lets them through.
    pub fn allow(&mut self, a: usize, b: usize, depth: Real) {
        let n = self.parts.len();
        if a != b && a < n && b < n && !depth.is_nan() {
            self.set_allowed(a, b, depth.max(0.0));
        }
    }

    fn set_allowed(&mut self, a: usize, b: usize, depth: Real) {
        let n = self.parts.len();
        self.allowed[a * n + b] = depth;
        self.allowed[b * n + a] = depth;
    }

    /// How deep two parts may be in each other before it counts as a contact.
    #[inline]
    pub fn allowed(&self, a: usize, b: usize) -> Real {
        self.allowed[a * self.parts.len() + b]
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
