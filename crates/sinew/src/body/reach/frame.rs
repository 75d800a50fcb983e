//! The shoulder's frame, in which directions to goals are swings.
//!
//! Its z axis, the middle of the swing plane, points forwards and [`OUTWARDS`] to the
//! arm's own side, its y axis up and its x axis is y × z, as in Kallmann's figure 1.
//! So the singular direction, opposite to z, goes backwards through the
//! body, where no hand comes. The frame moves with the joint that carries the arm.

use crate::math::*;
use crate::pose::ModelPose;
use crate::skeleton::humanoid::{Facing, Side};
use crate::skeleton::{JointId, Skeleton};

/// How far z points to the arm's side of straight ahead, in radians: 30°.
const OUTWARDS: Real = PI / 6.0;

/// The frame of one shoulder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SwingFrame {
    /// The upper arm's joint.
    pub shoulder: JointId,
    /// The joint that carries the frame.
    pub carrier: JointId,
    /// From the frame to the carrier's frame.
    pub turn: Quat,
}

impl SwingFrame {
    /// The frame of the arm with this shoulder.
    pub fn new(skeleton: &Skeleton, shoulder: JointId, facing: Facing, side: Side) -> Self {
        let carrier = skeleton.parent(shoulder).unwrap_or(shoulder);
        let rest = ModelPose::rest(skeleton);
        let outwards = facing.left * side.sign();
        let (sin, cos) = OUTWARDS.sin_cos();
        let z = facing.forward * cos + outwards * sin;
        let x = facing.up.cross(z);
        // From the frame to model space, in the rest pose.
        let at_rest = Quat::from_mat3(&Mat3::from_cols(x, facing.up, z)).normalize();
        Self { shoulder, carrier, turn: rest.rotation(carrier).conjugate() * at_rest }
    }

    /// The swing towards a point of model space, and the way to it.
    #[inline]
    pub fn swing_to(&self, model: &ModelPose, point: Vec3) -> (Vec2, Real) {
        let way = point - model.position(self.shoulder);
        let distance = way.length();
        let frame = model.rotation(self.carrier) * self.turn;
        // A goal at the shoulder has no direction; its weight is zero anyway.
        let direction = frame.conjugate() * direction_or(way, frame * Vec3::Z);
        (swing_twist::swing_of(direction), distance)
    }
}

/// The swing of a direction that people can name: how far to the arm's own side of
/// straight ahead (across the body is negative) and how far up, in radians.
pub fn swing_at(side: Side, outwards: Real, up: Real) -> Vec2 {
    let (sin, cos) = (outwards - OUTWARDS).sin_cos();
    let (rise, level) = up.sin_cos();
    swing_twist::swing_of(Vec3::new(sin * level * side.sign(), rise, cos * level))
}
