//! A solution: a pose of the nodes, and the side to which each one bends.

use alloc::vec::Vec;

use super::super::articulation::Articulation;
use super::super::place::Place;
use super::body::{Body, Limb};
use crate::math::*;

/// The motions of all nodes with what forward kinematics makes of them.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    pub place: Place,
    /// Whether each joint bends to the side opposite to the posture's. Kept from
    /// frame to frame, so that an animation is followed through straight poses.
    pub mirrored: Vec<bool>,
}

impl Solution {
    pub(super) fn new(articulation: &Articulation) -> Self {
        let mirrored = alloc::vec![false; articulation.nodes.len()];
        Self { place: Place::new(articulation), mirrored }
    }

    pub(super) fn copy_from(&mut self, other: &Self) {
        self.place.motions.copy_from_slice(&other.place.motions);
        self.place.frames.copy_from_slice(&other.place.frames);
        self.mirrored.copy_from_slice(&other.mirrored);
    }

    /// The angle of a hinge, or how far a slide is out.
    #[inline]
    pub(super) fn value(&self, k: usize) -> Real {
        self.place.motions[k].scalars[0]
    }

    /// Sets one node's value; the frames are stale.
    #[inline]
    pub(super) fn set(&mut self, body: &Body, k: usize, value: Real) {
        self.place.motions[k] = body.node(k).with_value(&self.place.motions[k], value);
    }

    /// The orientation that a node's own turn starts from (its basis).
    #[inline]
    pub(super) fn basis(&self, body: &Body, k: usize) -> Quat {
        body.node(k).basis(&self.place.frames)
    }

    /// Forward kinematics of one node, from those below it.
    #[inline]
    pub(super) fn update_node(&mut self, body: &Body, k: usize) {
        self.place.frames[k] = body.node(k).frame(&self.place.motions[k], &self.place.frames);
    }

    /// Forward kinematics of a limb.
    pub(super) fn update_limb(&mut self, body: &Body, limb: &Limb) {
        for &k in body.path(limb) {
            self.update_node(body, k);
        }
    }

    /// Brings every node within its kind and range, and the frames up to date.
    pub(super) fn hold(&mut self, body: &Body) {
        for (k, node) in body.articulation.nodes.iter().enumerate().filter(|(_, node)| node.count > 0) {
            self.set(body, k, node.nearest_value(self.value(k)));
        }
        body.articulation.forward(&self.place.motions, &mut self.place.frames);
    }

    /// Where the end point of a limb stands, in model space.
    #[inline]
    pub(super) fn end(&self, body: &Body, limb: &Limb) -> Transform {
        self.place.frames[limb.tip] * body.offset(limb)
    }

    /// The direction in which a node's segment points, in model space.
    #[inline]
    pub(super) fn segment(&self, body: &Body, k: usize) -> Vec3 {
        self.place.frames[k].rotation * body.links[k].segment
    }
}
