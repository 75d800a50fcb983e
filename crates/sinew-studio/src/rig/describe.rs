//! A rig as the page needs it.

use std::f64::consts::PI;

use sinew_f64::limit::LimitShape;
use sinew_f64::skeleton::humanoid::{HumanoidBone, Side};
use sinew_f64::{Goal, JointId, JointKind, ModelPose, Target, Vec3};

use super::Rig;
use crate::limits;
use crate::wire::{JointDescription, PoseGoal, PostureDocument, RigDescription, RigSource, TargetKind};
use crate::workspace::{look, shown};

/// The most goals that a rig without hands and feet begins with.
const MOST_TIPS: usize = 8;

impl Rig {
    /// Everything that the page needs to know of it.
    pub fn describe(&self) -> RigDescription {
        let skeleton = &self.asset.skeleton;
        let model = ModelPose::rest(skeleton);
        let (low, high) = self.bounds(&model);
        RigDescription {
            name: self.name(),
            source: self.source.clone(),
            fitting: self.fitting.clone(),
            parts: self.parts(),
            anatomical: self.anatomy.len() as u32,
            joints: skeleton.ids().map(|id| self.joint(id, &model)).collect(),
            size: (high - low).max_element().max(1.0e-3),
            floor: low.y,
            mesh: self.mesh.clone(),
            motions: self.motion_descriptions(),
            postures: self.postures(),
            behaviours: shown::behaviours(self),
            goals: self.first_goals(&ModelPose::new(skeleton, &self.opening_pose())),
            workspaces: shown::reasons(self),
            notes: self.asset.notes.iter().map(ToString::to_string).collect(),
        }
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match (&self.source, self.asset.skeleton.name()) {
            (RigSource::Rig { name }, _) => name.clone(),
            (RigSource::Upload { .. }, "") => "rig".into(),
            (RigSource::Upload { .. }, name) => name.into(),
        }
    }

    /// The postures kept with it, and shapes that its chain can take.
    pub fn postures(&self) -> Vec<PostureDocument> {
        look::postures(self)
    }

    /// The lowest point at rest.
    pub fn floor(&self) -> f64 {
        self.bounds(&ModelPose::rest(&self.asset.skeleton)).0.y
    }

    fn bounds(&self, model: &ModelPose) -> (Vec3, Vec3) {
        let tips =
            self.asset.skeleton.ids().filter_map(|id| {
                Some(model.transform(id).transform_point(self.asset.skeleton.joint(id).tip()?))
            });
        let points = model.positions().iter().copied().chain(tips);
        points.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), p| (low.min(p), high.max(p)))
    }

    fn joint(&self, id: JointId, model: &ModelPose) -> JointDescription {
        let joint = self.asset.skeleton.joint(id);
        let range = match (joint.kind(), &joint.limit().shape) {
            (JointKind::Hinge { .. }, LimitShape::Hinge(l)) if !l.range.is_whole_turn() => {
                Some([l.range.min, l.range.max])
            }
            (JointKind::Hinge { .. }, _) => Some([-PI, PI]),
            (JointKind::Prismatic { .. }, LimitShape::Prismatic(l)) => Some([l.min, l.max]),
            (JointKind::Prismatic { .. }, _) => Some([-1.0, 1.0]),
            _ => None,
        };
        JointDescription {
            name: joint.name().into(),
            parent: joint.parent().map(|p| p.index() as u32),
            rest_position: joint.rest().translation.to_array(),
            rest_rotation: joint.rest().rotation.to_array(),
            model_position: model.position(id).to_array(),
            model_rotation: model.rotation(id).to_array(),
            kind: joint.kind().name().into(),
            freedoms: joint.kind().degrees_of_freedom() as u32,
            tip: joint.tip().map(|t| t.to_array()),
            role: self.map.bone_of(id).map(|bone| bone.name().to_string()),
            limit: (!joint.limit().is_none()).then(|| limits::document(joint)),
            range,
        }
    }

    /// Goals to begin with: the file's own, or hands, feet, head and hips, or the tools.
    fn first_goals(&self, model: &ModelPose) -> Vec<PoseGoal> {
        let skeleton = &self.asset.skeleton;
        let goal = |id: &str, joint: JointId, kind: TargetKind, weight: f64| PoseGoal {
            id: id.into(),
            joint: joint.index() as u32,
            kind,
            position: model.position(joint).to_array(),
            rotation: model.rotation(joint).to_array(),
            position_weight: weight,
            orientation_weight: weight,
            priority: 0,
            enabled: true,
        };
        if !self.asset.goals.is_empty() {
            let own = self.asset.goals.iter().map(|(name, own)| {
                let mut shown = goal(name, own.effector.joint, TargetKind::Position, 1.0);
                (shown.position_weight, shown.orientation_weight) =
                    (own.position_weight, own.orientation_weight);
                shown.priority = own.priority;
                // A goal on the page sits on its joint; one that sits beside it
                // begins where the joint rests.
                let on_the_joint = own.effector.offset == sinew_f64::Transform::IDENTITY;
                match own.target {
                    Target::Position(p) if on_the_joint => shown.position = p.to_array(),
                    Target::Pose(t) if on_the_joint => {
                        shown.kind = TargetKind::Pose;
                        (shown.position, shown.rotation) = (t.translation.to_array(), t.rotation.to_array());
                    }
                    Target::Orientation(q) => {
                        shown.kind = TargetKind::Orientation;
                        shown.rotation = q.to_array();
                    }
                    Target::Aim { at, .. } => {
                        shown.kind = TargetKind::Aim;
                        shown.position = at.to_array();
                    }
                    // The page has no contacts; one is shown as the point that it stands on.
                    Target::Contact { at, .. } if on_the_joint => shown.position = at.to_array(),
                    Target::Position(_) | Target::Pose(_) | Target::Contact { .. } => {}
                }
                shown
            });
            return own.collect();
        }
        let hand = |side| self.map.arm(side).map(|arm| arm.end);
        let foot = |side| self.map.leg(side).map(|leg| leg.end);
        // What nobody has taken hold of yet is soft, but for the feet; see `workspace::pose`.
        let parts = [
            ("left hand", hand(Side::Left), TargetKind::Position),
            ("right hand", hand(Side::Right), TargetKind::Position),
            ("left foot", foot(Side::Left), TargetKind::Pose),
            ("right foot", foot(Side::Right), TargetKind::Pose),
            ("head", self.map.get(HumanoidBone::Head), TargetKind::Position),
            ("hips", self.map.get(HumanoidBone::Hips), TargetKind::Position),
        ];
        let human: Vec<PoseGoal> = parts
            .iter()
            .filter_map(|&(id, joint, kind)| {
                let plain = Goal::position(joint?, Vec3::ZERO);
                let weighed = if kind == TargetKind::Pose { plain.firm() } else { plain.soft() };
                Some(PoseGoal {
                    position_weight: weighed.position_weight,
                    orientation_weight: weighed.orientation_weight,
                    ..goal(id, joint?, kind, 1.0)
                })
            })
            .collect();
        if hand(Side::Left).is_some() && hand(Side::Right).is_some() {
            return human;
        }
        let tools = self.asset.tools().into_iter();
        let mut tips: Vec<PoseGoal> = tools
            .map(|id| goal(skeleton.joint(id).name(), id, TargetKind::Position, 1.0))
            .take(MOST_TIPS)
            .collect();
        if tips.is_empty() {
            tips.push(goal(skeleton.joint(skeleton.root()).name(), skeleton.root(), TargetKind::Pose, 1.0));
        }
        tips
    }
}
