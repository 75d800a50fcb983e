//! The same asset, larger or smaller and with another axis upwards.
//!
//! A file that says nothing of its unit or of what is up, or says it wrongly, is put right by whoever knows
//! better. Everything that is a length is multiplied and everything that is in model space is turned: motions and
//! postures are told from rest and in the frames of the joints, so the turn of the root's rest is enough for them.

use std::sync::Arc;

use sinew_f64::body::reach::{Behaviour, KeyPosture};
use sinew_f64::limit::LimitShape;
use sinew_f64::skeleton::BuildError;
use sinew_f64::{Goal, JointId, JointKind, Pose, Quat, Skeleton, Target, Transform, Vec3};

use super::{Asset, Motion};

/// How a file was put right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placing {
    /// How many times as large.
    pub scale: f64,
    /// Turned by this, about the origin.
    pub turn: Quat,
}

impl Placing {
    /// As the file says.
    pub const AS_READ: Self = Self { scale: 1.0, turn: Quat::IDENTITY };

    /// The way back.
    pub fn inverse(self) -> Self {
        Self { scale: 1.0 / self.scale, turn: self.turn.conjugate() }
    }

    /// This after another one.
    fn after(self, first: Self) -> Self {
        Self { scale: self.scale * first.scale, turn: self.turn * first.turn }
    }

    fn point(self, point: Vec3) -> Vec3 {
        self.turn * (self.scale * point)
    }

    fn frame(self, frame: Transform) -> Transform {
        Transform::new(self.point(frame.translation), (self.turn * frame.rotation).normalize())
    }
}

impl Default for Placing {
    fn default() -> Self {
        Self::AS_READ
    }
}

impl Asset {
    /// The asset `scale` times as large and then turned, about the origin. A glTF file that it came from stays as
    /// it is: what is written to it again is brought back to the file's own size and axes.
    ///
    /// ```
    /// use sinew_io::asset::Placing;
    /// let chain = sinew_io::Asset::new(sinew_f64::rigs::chain(1, 2.0));
    /// let half = chain.placed(Placing { scale: 0.5, ..Placing::AS_READ })?;
    /// let tip = half.skeleton.id(1).unwrap();
    /// assert_eq!(half.skeleton.bone_length(tip), 1.0);
    /// # Ok::<(), sinew_f64::skeleton::BuildError>(())
    /// ```
    pub fn placed(&self, placing: Placing) -> Result<Self, BuildError> {
        let scale = placing.scale;
        if placing == Placing::AS_READ {
            return Ok(self.clone());
        }
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(BuildError::BadScale(scale));
        }
        let mut placed = self.clone();
        placed.skeleton = self.placed_skeleton(placing)?;
        let slides =
            |joint: JointId| matches!(self.skeleton.joint(joint).kind(), JointKind::Prismatic { .. });
        let unit = |joint: JointId| if slides(joint) { scale } else { 1.0 };

        placed.pose = self.pose.as_ref().map(|pose| scaled(&self.skeleton, pose, scale));
        if scale != 1.0 {
            placed.motions = self.motions.iter().map(|motion| motion.scaled(&self.skeleton, scale)).collect();
        }
        for (_, pose) in &mut placed.postures {
            *pose = scaled(&self.skeleton, pose, scale);
        }
        for alias in &mut placed.aliases {
            alias.frame.translation *= scale;
        }
        for mimic in &mut placed.mimics {
            mimic.multiplier *= unit(mimic.joint) / unit(mimic.source);
            mimic.offset *= unit(mimic.joint);
        }
        for drive in &mut placed.drives {
            let unit = unit(drive.joint);
            for value in [&mut drive.velocity, &mut drive.soft_lower, &mut drive.soft_upper] {
                *value = value.map(|value| value * unit);
            }
        }
        for (_, mass) in &mut placed.masses {
            mass.centre *= scale;
        }
        for (_, goal) in &mut placed.goals {
            place_goal(goal, placing);
        }
        let behaviour = |behaviour: &Behaviour| behaviour_for(behaviour, &placed.skeleton, scale);
        placed.behaviours = self.behaviours.iter().filter_map(behaviour).collect();
        placed.surface = self.surface.as_ref().map(|surface| Arc::new(surface.placed(scale, placing.turn)));
        let source = &mut placed.source;
        source.unit = source.unit.map(|unit| unit * scale);
        source.recording_unit = source.recording_unit.map(|unit| unit * scale);
        source.mesh_turn = source.mesh_turn.map(|turn| (placing.turn * turn).normalize());
        source.placing = placing.after(source.placing);
        Ok(placed)
    }

    fn placed_skeleton(&self, placing: Placing) -> Result<Skeleton, BuildError> {
        let mut builder = self.skeleton.to_builder();
        for joint in &mut builder.joints {
            joint.rest = match joint.parent {
                None => placing.frame(joint.rest),
                Some(_) => Transform::new(placing.scale * joint.rest.translation, joint.rest.rotation),
            };
            joint.tip = joint.tip.map(|tip| placing.scale * tip);
            if let LimitShape::Prismatic(limit) = &mut joint.limit.shape {
                limit.min *= placing.scale;
                limit.max *= placing.scale;
                joint.limit.soft_zone *= placing.scale;
            }
        }
        builder.build()
    }
}

impl Motion {
    /// The motion of the same skeleton at another size: every shift `by` times as long.
    pub fn scaled(&self, skeleton: &Skeleton, by: f64) -> Self {
        let frames = self.frames.iter().map(|pose| scaled(skeleton, pose, by)).collect();
        Self { name: self.name.clone(), frames, ..*self }
    }
}

/// A pose with its shifts as much longer.
fn scaled(skeleton: &Skeleton, pose: &Pose, scale: f64) -> Pose {
    let mut scaled = pose.clone();
    for id in skeleton.ids().filter(|id| id.index() < pose.len()) {
        scaled.set_translation(id, scale * pose.translation(id));
    }
    scaled
}

fn place_goal(goal: &mut Goal, placing: Placing) {
    goal.effector.offset.translation *= placing.scale;
    // A target that is told from another joint turns with that one.
    let own = if goal.relative_to.is_some() {
        Placing { scale: placing.scale, turn: Quat::IDENTITY }
    } else {
        placing
    };
    goal.target = match goal.target {
        Target::Position(at) => Target::Position(own.point(at)),
        Target::Orientation(turned) => Target::Orientation((own.turn * turned).normalize()),
        Target::Pose(pose) => Target::Pose(own.frame(pose)),
        Target::Aim { axis, at } => Target::Aim { axis, at: own.point(at) },
        Target::Contact { axis, at, normal } => {
            Target::Contact { axis, at: own.point(at), normal: own.turn * normal }
        }
    };
}

/// A behaviour of a body that is larger by so much.
fn behaviour_for(behaviour: &Behaviour, skeleton: &Skeleton, scale: f64) -> Option<Behaviour> {
    let keys = behaviour.keys().iter();
    let keys = keys.map(|key| KeyPosture { pose: scaled(skeleton, &key.pose, scale), ..key.clone() });
    let mut made = Behaviour::from_keys(behaviour.name(), behaviour.side(), skeleton, keys.collect()).ok()?;
    made.set_stance(behaviour.stance().map(|pose| scaled(skeleton, pose, scale))).ok()?;
    Some(made)
}

#[cfg(test)]
mod tests {
    use sinew_f64::{ModelPose, rigs};

    use super::*;

    /// Every point of a placed asset is where the placing takes the point of the original, at rest and moving.
    #[test]
    fn everything_is_where_the_placing_says() {
        let mut asset = Asset::new(rigs::by_name("arm").unwrap());
        let mut pose = Pose::rest(&asset.skeleton);
        for (i, id) in asset.skeleton.ids().enumerate() {
            pose.set_value(&asset.skeleton, id, 0.1 + 0.2 * i as f64);
        }
        let root = asset.skeleton.root();
        pose.set_translation(root, Vec3::new(0.3, -0.2, 0.7));
        asset.motions = vec![Motion::new("m", 0.1, vec![pose.clone()])];
        let end = asset.skeleton.ids().last().unwrap();
        let at = ModelPose::new(&asset.skeleton, &pose).position(end);
        asset.goals = vec![("end".into(), Goal::position(end, at))];
        let turn = Quat::from_axis_angle(Vec3::new(0.6, 0.0, 0.8), 1.1);
        let placing = Placing { scale: 2.5, turn };
        let placed = asset.placed(placing).unwrap();
        let before = ModelPose::new(&asset.skeleton, &asset.motions[0].frames[0]);
        let after = ModelPose::new(&placed.skeleton, &placed.motions[0].frames[0]);
        for id in asset.skeleton.ids() {
            let error = after.position(id).distance(placing.point(before.position(id)));
            assert!(error < 1.0e-12, "{error}");
        }
        let Target::Position(goal) = placed.goals[0].1.target else { panic!("a position") };
        assert!(goal.distance(after.position(end)) < 1.0e-12);
        let back = placed.placed(placing.inverse()).unwrap();
        let again = ModelPose::new(&back.skeleton, &back.motions[0].frames[0]);
        assert!(again.position(end).distance(before.position(end)) < 1.0e-12);
        for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let refused = asset.placed(Placing { scale, ..Placing::AS_READ });
            assert!(matches!(refused, Err(BuildError::BadScale(_))), "{scale}");
        }
    }
}
