//! A task's model as a skeleton, and its coordinates as poses.

use std::collections::HashMap;

use anyhow::{Context, Result, bail, ensure};
use sinew_f64 as engine;

use super::format::{JointFile, TaskFile};
use engine::math::rotation;
use engine::{
    Effector, JointDef, JointId, JointKind, Pose, Quat, Skeleton, SkeletonBuilder, Transform, Vec3,
};

/// The skeleton of a task. Its joints are called after the links they carry.
pub(super) struct Model {
    pub skeleton: Skeleton,
    pub effectors: Vec<Effector>,
    /// The joint of each of the file's joints, in its order.
    joints: Vec<JointId>,
}

impl Model {
    pub(super) fn new(task: &TaskFile) -> Result<Self> {
        let file = task.model.as_ref().context("model: missing")?;
        let mut builder = SkeletonBuilder::new("task");
        let mut links = HashMap::new();
        // The base may carry several joints, and a skeleton has one root.
        links.insert(file.base.as_str(), builder.add(JointDef::new(&file.base).kind(JointKind::Fixed)));
        for joint in &file.joints {
            let parent = *links.get(joint.parent.as_str()).with_context(|| {
                format!("joint '{}': link '{}' is of no joint before it", joint.name, joint.parent)
            })?;
            let place = builder.add(definition(joint)?.under(parent));
            ensure!(
                links.insert(&joint.child, place).is_none(),
                "joint '{}': link '{}' has a joint already",
                joint.name,
                joint.child
            );
        }
        let skeleton = builder.build_sorted()?;
        let joint_of =
            |place: usize| skeleton.from_builder().get(place).copied().context("the skeleton lost a joint");
        let joints = (1..=file.joints.len()).map(joint_of).collect::<Result<_>>()?;
        let effectors = task
            .effectors
            .iter()
            .map(|e| {
                let place = links.get(e.link.as_str());
                let place = place.with_context(|| format!("effector '{}': no link '{}'", e.name, e.link))?;
                Ok(Effector::at(joint_of(place.index())?))
            })
            .collect::<Result<_>>()?;
        Ok(Self { skeleton, effectors, joints })
    }

    /// The pose with these coordinates.
    pub(super) fn pose(&self, coordinates: &[f64]) -> Result<Pose> {
        let mut pose = Pose::rest(&self.skeleton);
        let mut rest = coordinates;
        for &id in &self.joints {
            let kind = self.skeleton.joint(id).kind();
            let count = width(kind);
            ensure!(rest.len() >= count, "start: {} numbers are too few", coordinates.len());
            let (own, others) = rest.split_at(count);
            rest = others;
            match kind {
                JointKind::Hinge { axis } => pose.set_rotation(id, rotation::about(axis, own[0])),
                JointKind::Prismatic { axis } => pose.set_translation(id, axis * own[0]),
                JointKind::Ball => pose.set_rotation(id, quat(own)),
                JointKind::Free => {
                    pose.set_translation(id, Vec3::new(own[0], own[1], own[2]));
                    pose.set_rotation(id, quat(&own[3..]));
                }
                _ => {}
            }
        }
        ensure!(rest.is_empty(), "start: {} numbers are too many", coordinates.len());
        Ok(pose)
    }

    /// The coordinates of a pose.
    pub(super) fn coordinates(&self, pose: &Pose) -> Vec<f64> {
        let mut out = Vec::new();
        for &id in &self.joints {
            let (q, t) = (pose.rotation(id), pose.translation(id));
            match self.skeleton.joint(id).kind() {
                JointKind::Hinge { axis } => {
                    let angle = rotation::angle_about(axis, q);
                    // Ranges that reach past half a turn hold the same rotation
                    // under another angle.
                    let middle = match &self.skeleton.joint(id).limit().shape {
                        engine::limit::LimitShape::Hinge(limit) => limit.range.middle(),
                        _ => 0.0,
                    };
                    out.push(middle + engine::math::wrap_angle(angle - middle));
                }
                JointKind::Prismatic { axis } => out.push(axis.dot(t)),
                JointKind::Ball => out.extend(q.to_array()),
                JointKind::Free => {
                    out.extend(t.to_array());
                    out.extend(q.to_array());
                }
                _ => {}
            }
        }
        out
    }
}

/// A chain of ball joints whose rest pose puts the joints at these points.
pub(super) fn chain(points: &[[f64; 3]]) -> Result<Skeleton> {
    let mut builder = SkeletonBuilder::new("chain");
    let mut last: Option<(JointId, Vec3)> = None;
    for (i, point) in points.iter().enumerate() {
        let at = Vec3::from_array(*point);
        let mut joint = JointDef::new(format!("joint{i}"));
        joint = match last {
            Some((parent, before)) => joint.under(parent).at(at - before),
            None => joint.at(at),
        };
        last = Some((builder.add(joint), at));
    }
    Ok(builder.build()?)
}

fn definition(joint: &JointFile) -> Result<JointDef> {
    let axis = || -> Result<Vec3> {
        let axis =
            Vec3::from_array(joint.axis.with_context(|| format!("joint '{}': axis is missing", joint.name))?);
        ensure!(axis.is_finite() && axis.length() > 0.0, "joint '{}': axis has no direction", joint.name);
        Ok(axis.normalize())
    };
    let rest = Transform::new(Vec3::from_array(joint.origin.p), quat(&joint.origin.q));
    let mut def = JointDef::new(&joint.child);
    def.rest = rest;
    Ok(match joint.kind.as_str() {
        "fixed" => def.kind(JointKind::Fixed),
        "ball" => def.kind(JointKind::Ball),
        "free" => def.kind(JointKind::Free),
        "revolute" => match joint.limit {
            Some([min, max]) => def.hinge_range(axis()?, min, max),
            None => def.hinge(axis()?),
        },
        "prismatic" => {
            let axis = axis()?;
            let def = def.kind(JointKind::Prismatic { axis });
            match joint.limit {
                Some([min, max]) => def.limit(engine::JointLimit::prismatic(axis, min, max)),
                None => def,
            }
        }
        other => {
            bail!("joint '{}': type '{other}' is none of fixed, revolute, prismatic, ball, free", joint.name)
        }
    })
}

/// How many numbers a joint has in the file.
fn width(kind: JointKind) -> usize {
    match kind {
        JointKind::Hinge { .. } | JointKind::Prismatic { .. } => 1,
        JointKind::Ball => 4,
        JointKind::Free => 7,
        _ => 0,
    }
}

fn quat(xyzw: &[f64]) -> Quat {
    Quat::from_xyzw(xyzw[0], xyzw[1], xyzw[2], xyzw[3]).normalize()
}
