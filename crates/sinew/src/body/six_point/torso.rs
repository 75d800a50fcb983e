//! The torso that elbows keep out of (Unzueta et al. 2008, section 8).
//!
//! The paper takes the torso's parts as prisms, estimates how deep the vertices about the
//! elbow are in them, and turns the upper arm about the line from shoulder to wrist until they are
//! out. Here the same questions are asked of the body's parts ([`crate::collision`]): slices
//! of the trunk are rounded slabs, the half of the upper arm at the elbow a capsule. The turn is
//! the limb's own search over its swivel angle ([`SwivelSearch`](crate::analytic::SwivelSearch)).
//!
//! Most elbows are nowhere near, which a ball about each part shows before anything is placed.
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
    /// A ball about each part of the trunk, in its joint's frame, and where its middle is in this frame.
    balls: Arc<[(JointId, Vec3, Real)]>,
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

impl Torso {
    pub(super) fn new(skeleton: &Skeleton, map: &HumanoidMap) -> Self {
        let body = CollisionBody::from_rig(skeleton, map);
        let of_trunk =
            |joint: JointId| map.get(HumanoidBone::Hips) == Some(joint) || map.spine().contains(&joint);
        let parts = body.parts();
        let trunk: Arc<[usize]> = (0..parts.len()).filter(|&i| of_trunk(parts[i].joint)).collect();
        let balls: Arc<[_]> = trunk.iter().map(|&i| ball(&parts[i])).collect();
        let elbows = Side::BOTH.map(|side| {
            let upper = map.arm(side)?.upper;
            let part = parts.iter().position(|part| part.joint == upper && !part.inner)?;
            let BodyPart { points, radius, .. } = &parts[part];
            Some(Elbow { part, ends: [*points.first()?, *points.last()?], radius: *radius })
        });
        let query = CollisionQuery::new(&body);
        let middles = vec![Vec3::ZERO; balls.len()];
        let (body, nothing) = (Arc::new(body), Arc::new(CollisionScene::new()));
        Self { query, body, nothing, trunk, balls, middles, elbows, placed: false }
    }

    /// Begins a frame: the trunk stands here now.
    #[inline]
    pub(super) fn begin(&mut self, model: &ModelPose) {
        self.placed = false;
        for (middle, &(joint, centre, _)) in self.middles.iter_mut().zip(self.balls.iter()) {
            *middle = model.transform(joint).transform_point(centre);
        }
    }

    /// Whether an elbow may touch the trunk. If so, the trunk's parts are placed.
    #[inline]
    pub(super) fn is_near(&mut self, side: usize, model: &ModelPose, shoulder: Transform) -> bool {
        let Some(elbow) = self.elbows[side] else { return false };
        let [from, to] = elbow.ends.map(|p| shoulder.transform_point(p));
        let along = to - from;
        let squared = along.length_squared().max(TINY);
        let near = self.balls.iter().zip(&self.middles).any(|(&(_, _, radius), &middle)| {
            let away = middle - from;
            let part = (away.dot(along) / squared).clamp(0.0, 1.0);
            let apart = radius + elbow.radius;
            (away - along * part).length_squared() < apart * apart
        });
        if near && !self.placed {
            self.query.place_some(&self.body, model, &self.trunk);
            self.placed = true;
        }
        near
    }

    /// What the elbow of an arm would be in.
    pub(super) fn contact(&mut self, side: usize, [base, ..]: &[Transform; 3]) -> Option<Cause> {
        let elbow = self.elbows[side]?.part;
        self.query.place_at(&self.body, elbow, *base);
        let found = self.query.first_contact(&self.body, &self.nothing, &[elbow]);
        self.query.lift(&[elbow]);
        found
            .filter(|contact| matches!(contact.with, Touched::Part(_)))
            .map(|contact| self.body.cause(&contact))
    }
}

/// A ball about a part: where its middle is in the joint's frame, and its radius.
fn ball(part: &BodyPart) -> (JointId, Vec3, Real) {
    let points = &part.points;
    let centre = points.iter().sum::<Vec3>() / points.len().max(1) as Real;
    let reach = points.iter().map(|p| p.distance(centre)).fold(0.0, Real::max);
    (part.joint, centre, reach + part.radius)
}
