//! Two arms of seven hinges that robots are compared on: where each joint stands and how far
//! it turns, as the makers publish them.
//!
//! The engine's test of the default solver and the experiments both include this file.

#![allow(clippy::useless_conversion, clippy::unnecessary_cast)] // of the engine's precision, which is either

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use sinew::math::{Quat, Real, Vec3, rotation};
use sinew::{JointDef, JointId, JointKind, Pose, Skeleton, SkeletonBuilder, Transform};

/// One joint, in the frame of the one before: it turns about its own z.
#[derive(Debug, Clone, Copy)]
pub struct ArmJoint {
    /// Where it stands, in metres.
    pub at: [f64; 3],
    /// How it is turned: angles about x, y and z of the frame before, in this order.
    pub turned: [f64; 3],
    /// From where to where it turns; `None` for a joint that is fixed.
    pub range: Option<[f64; 2]>,
}

const fn hinge(at: [f64; 3], turned: [f64; 3], range: [f64; 2]) -> ArmJoint {
    ArmJoint { at, turned, range: Some(range) }
}

/// An arm: its joints from the base to the tool.
#[derive(Debug, Clone, Copy)]
pub struct Arm {
    /// What the maker calls it.
    pub name: &'static str,
    /// The joints.
    pub joints: &'static [ArmJoint],
}

/// Franka Emika's Panda up to the middle between its fingertips.
pub const PANDA: Arm = Arm {
    name: "panda",
    joints: &[
        hinge([0.0, 0.0, 0.333], [0.0; 3], [-2.8973, 2.8973]),
        hinge([0.0; 3], [-FRAC_PI_2, 0.0, 0.0], [-1.7628, 1.7628]),
        hinge([0.0, -0.316, 0.0], [FRAC_PI_2, 0.0, 0.0], [-2.8973, 2.8973]),
        hinge([0.0825, 0.0, 0.0], [FRAC_PI_2, 0.0, 0.0], [-3.0718, -0.0698]),
        hinge([-0.0825, 0.384, 0.0], [-FRAC_PI_2, 0.0, 0.0], [-2.8973, 2.8973]),
        hinge([0.0; 3], [FRAC_PI_2, 0.0, 0.0], [-0.0175, 3.7525]),
        hinge([0.088, 0.0, 0.0], [FRAC_PI_2, 0.0, 0.0], [-2.8973, 2.8973]),
        ArmJoint { at: [0.0, 0.0, 0.107 + 0.1034], turned: [0.0, 0.0, -FRAC_PI_4], range: None },
    ],
};

const DEGREE: f64 = PI / 180.0;
const TWIST: [f64; 2] = [-170.0 * DEGREE, 170.0 * DEGREE];
const BEND: [f64; 2] = [-120.0 * DEGREE, 120.0 * DEGREE];

/// KUKA's LBR iiwa 7 up to its last joint.
pub const IIWA: Arm = Arm {
    name: "iiwa",
    joints: &[
        hinge([0.0, 0.0, 0.1575], [0.0; 3], TWIST),
        hinge([0.0, 0.0, 0.2025], [FRAC_PI_2, 0.0, PI], BEND),
        hinge([0.0, 0.2045, 0.0], [FRAC_PI_2, 0.0, PI], TWIST),
        hinge([0.0, 0.0, 0.2155], [FRAC_PI_2, 0.0, 0.0], BEND),
        hinge([0.0, 0.1845, 0.0], [-FRAC_PI_2, PI, 0.0], TWIST),
        hinge([0.0, 0.0, 0.2155], [FRAC_PI_2, 0.0, 0.0], BEND),
        hinge([0.0, 0.081, 0.0], [-FRAC_PI_2, PI, 0.0], [-175.0 * DEGREE, 175.0 * DEGREE]),
    ],
};

impl Arm {
    /// The arm as a skeleton, and the joint that is its tool.
    pub fn skeleton(&self) -> Option<(Skeleton, JointId)> {
        let mut builder = SkeletonBuilder::new(self.name);
        let mut last = builder.add(JointDef::new("base").kind(JointKind::Fixed));
        for (i, joint) in self.joints.iter().enumerate() {
            let mut def = JointDef::new(format!("axis{}", i + 1)).under(last);
            let [x, y, z] = joint.turned.map(|a| a as Real);
            let turned =
                rotation::about(Vec3::Z, z) * rotation::about(Vec3::Y, y) * rotation::about(Vec3::X, x);
            def.rest = Transform::new(Vec3::from_array(joint.at.map(|a| a as Real)), turned.normalize());
            last = builder.add(match joint.range {
                Some([min, max]) => def.hinge_range(Vec3::Z, min as Real, max as Real),
                None => def.kind(JointKind::Fixed),
            });
        }
        let skeleton = builder.build().ok()?;
        Some((skeleton, last))
    }

    /// The pose with each joint some part of the way through its range, as `parts` says one
    /// after another.
    pub fn pose(&self, skeleton: &Skeleton, mut parts: impl FnMut() -> f64) -> Pose {
        let mut pose = Pose::rest(skeleton);
        for (id, joint) in skeleton.ids().skip(1).zip(self.joints) {
            if let Some([min, max]) = joint.range {
                let turn: Quat = rotation::about(Vec3::Z, (min + (max - min) * parts()) as Real);
                pose.set_rotation(id, skeleton.joint(id).project(turn));
            }
        }
        pose
    }
}
