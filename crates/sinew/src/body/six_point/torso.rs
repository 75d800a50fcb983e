//! The torso that elbows keep out of (Unzueta et al. 2008, section 8).
//!
//! The paper takes the torso's parts as prisms, estimates how deep the vertices about the
//! elbow are in them, and turns the upper arm about the line from shoulder to wrist until they are
//! out. Here the same questions are asked of the body's parts ([`crate::collision`]): slices
//! of the trunk are rounded slabs, the half of the upper arm at the elbow a capsule. The turn is
//! the limb's own search over its swivel angle ([`SwivelSearch`](crate::analytic::SwivelSearch)).
//!
//! Most elbows are nowhere near, which a ball about each part shows before anything is placed, and a box about it
//! where the ball is too wide: an arm that hangs is within the ball about a chest and beside the chest.
//!
//! What overlaps at rest may be as deep as there: a rig whose arms hang at its sides would
//! never be free otherwise.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::collision::{BodyPart, CollisionBody, CollisionQuery, CollisionScene, Touched};
use crate::math::*;
use crate::pose::ModelPose;
use crate::report::Cause;
use crate::skeleton::humanoid::{HumanoidBone, HumanoidMap, Side};
use crate::skeleton::{JointId, Skeleton};

#[derive(Debug, Clone)]
pub(super) struct Torso {
    body: Arc<CollisionBody>,
    query: CollisionQuery,
    /// No one else is in the way.
    nothing: Arc<CollisionScene>,
    trunk: Arc<[usize]>,
    /// What is about each part of the trunk, and where its middle is in this frame.
    covers: Arc<[Cover]>,
    middles: Vec<Vec3>,
    elbows: [Option<Elbow>; 2],
    placed: bool,
}

/// The half of an upper arm at the elbow, in the shoulder's frame.
#[derive(Debug, Clone, Copy)]
struct Elbow {
    part: usize,
    ends: [Vec3; 2],
    radius: Real,
}

/// An elbow in the trunk.
pub(super) struct InTrunk {
    pub cause: Cause,
    /// How far it must go at least to be free, in metres.
    pub depth: Real,
}

/// A box and a ball with one middle, about a part of the trunk.
#[derive(Debug, Clone, Copy)]
struct Cover {
    joint: JointId,
    /// In the joint's frame.
    middle: Vec3,
    /// From the joint's frame to the box's, which lies along model space at rest: so do the slices of a trunk,
    /// whatever the axes of its joints.
    to_box: Quat,
    /// Half of the box's sides, without the part's radius.
    half: Vec3,
    /// The ball's, and the part's.
    ball: Real,
    radius: Real,
}

impl Cover {
    fn new(part: &BodyPart, to_box: Quat) -> Self {
        let (points, radius) = (&part.points, part.radius);
        let seen = |p: &Vec3| to_box * *p;
        let low = points.iter().map(seen).reduce(Vec3::min).unwrap_or_default();
        let high = points.iter().map(seen).reduce(Vec3::max).unwrap_or_default();
        let middle = to_box.conjugate() * (0.5 * (low + high));
        let ball = points.iter().map(|p| p.distance(middle)).fold(0.0, Real::max) + radius;
        Self { joint: part.joint, middle, to_box, half: 0.5 * (high - low), ball, radius }
    }

    /// Whether a rounded segment may be in the box, which is turned like this: not if one of the box's own axes
    /// keeps them apart.
    fn may_meet(&self, turn: Quat, middle: Vec3, ends: [Vec3; 2], radius: Real) -> bool {
        let into = self.to_box * turn.conjugate();
        let (centre, along) =
            (into * (0.5 * (ends[0] + ends[1]) - middle), into * (0.5 * (ends[1] - ends[0])));
        let room = self.half + along.abs() + Vec3::splat(self.radius + radius);
        centre.abs().cmplt(room).all()
    }
}

impl Torso {
    pub(super) fn new(skeleton: &Skeleton, map: &HumanoidMap) -> Self {
        let body = CollisionBody::from_rig(skeleton, map);
        let of_trunk =
            |joint: JointId| map.get(HumanoidBone::Hips) == Some(joint) || map.spine().contains(&joint);
        let parts = body.parts();
        let trunk: Arc<[usize]> = (0..parts.len()).filter(|&i| of_trunk(parts[i].joint)).collect();
        let rest = ModelPose::rest(skeleton);
        let covers = trunk.iter().map(|&i| Cover::new(&parts[i], rest.rotation(parts[i].joint)));
        let covers: Arc<[_]> = covers.collect();
        let elbows = Side::BOTH.map(|side| {
            let upper = map.arm(side)?.upper;
            let part = parts.iter().position(|part| part.joint == upper && !part.inner)?;
            let BodyPart { points, radius, .. } = &parts[part];
            Some(Elbow { part, ends: [*points.first()?, *points.last()?], radius: *radius })
        });
        let query = CollisionQuery::new(&body);
        let middles = vec![Vec3::ZERO; covers.len()];
        let (body, nothing) = (Arc::new(body), Arc::new(CollisionScene::new()));
        Self { query, body, nothing, trunk, covers, middles, elbows, placed: false }
    }

    /// Reads what every frame needs ahead of its use, see [`lines`](crate::math::lines).
    #[inline]
    pub(super) fn read(&self) -> Real {
        lines::read(&self.middles, |p| p.x)
            + lines::read(&self.elbows, |elbow| elbow.map_or(0.0, |elbow| elbow.radius))
    }

    /// Begins a frame: the trunk stands here now.
    #[inline]
    pub(super) fn begin(&mut self, model: &ModelPose) {
        self.placed = false;
        for (middle, cover) in self.middles.iter_mut().zip(self.covers.iter()) {
            *middle = model.transform(cover.joint).transform_point(cover.middle);
        }
    }

    /// Whether an elbow may touch the trunk. If so, the trunk's parts are placed.
    #[inline]
    pub(super) fn is_near(&mut self, side: usize, model: &ModelPose, shoulder: Transform) -> bool {
        let Some(elbow) = self.elbows[side] else { return false };
        let [from, to] = elbow.ends.map(|p| shoulder.transform_point(p));
        let along = to - from;
        let squared = along.length_squared().max(TINY);
        let near = self.covers.iter().zip(&self.middles).any(|(cover, &middle)| {
            let away = middle - from;
            let part = (away.dot(along) / squared).clamp(0.0, 1.0);
            let apart = cover.ball + elbow.radius;
            (away - along * part).length_squared() < apart * apart
                && cover.may_meet(model.rotation(cover.joint), middle, [from, to], elbow.radius)
        });
        if near && !self.placed {
            self.query.place_some(&self.body, model, &self.trunk);
            self.placed = true;
        }
        near
    }

    /// What the elbow of an arm would be in.
    pub(super) fn contact(&mut self, side: usize, [base, ..]: &[Transform; 3]) -> Option<InTrunk> {
        let elbow = self.elbows[side]?.part;
        self.query.place_at(&self.body, elbow, *base);
        let found = self.query.first_contact(&self.body, &self.nothing, &[elbow]);
        self.query.lift(&[elbow]);
        let contact = found?;
        let Touched::Part(other) = contact.with else { return None };
        // Where the hulls themselves meet, how deep they are in each other is only estimated.
        let parts = self.body.parts();
        let most = parts[elbow].radius + parts[other].radius - self.body.allowed(elbow, other);
        Some(InTrunk { cause: self.body.cause(&contact), depth: contact.depth.min(most) })
    }
}
