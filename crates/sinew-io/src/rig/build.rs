//! From a [`RigDocument`] to an asset: names become joints.

use std::collections::HashMap;

use sinew_f64::goal::PointMass;
use sinew_f64::math::rotation;
use sinew_f64::skeleton::BuildError;
use sinew_f64::skeleton::humanoid::HumanoidBone;
use sinew_f64::{
    Effector, Goal, GoalSet, JointDef, JointId, JointKind, ModelPose, Pose, Skeleton, SkeletonBuilder,
    Target, Transform, Vec3,
};

use super::document::*;
use super::limit;
use super::parse::unique;
use super::quantity::Quantity;
use crate::budget::pose_bytes;
use crate::error::{Place, quoted};
use crate::{Alias, Asset, Budget, Drive, Mimic, ReadError, suggest};

/// Refuses a part of the body that there is none of.
pub fn check_role(role: &str, place: &Place) -> Result<(), ReadError> {
    if HumanoidBone::from_name(role).is_some() {
        return Ok(());
    }
    let near = suggest::did_you_mean(role, HumanoidBone::all().map(|bone| bone.name()));
    let expected = format!("a part of the body as VRM 1.0 calls it, such as hips or leftUpperArm{near}");
    Err(ReadError::new(place.clone(), format!("the role {}", quoted(role)), expected))
}

impl RigDocument {
    /// The rig of a file that has a skeleton of its own.
    pub(super) fn to_asset(&self, budget: Budget) -> Result<Asset, ReadError> {
        unique("joint", self.joints.iter().map(|j| (j.name.as_str(), &j.place)))?;
        let places: HashMap<&str, usize> =
            self.joints.iter().enumerate().map(|(i, j)| (j.name.as_str(), i)).collect();
        let mut builder = SkeletonBuilder::new(self.name.clone().unwrap_or_default());
        let mut root: Option<&RigJoint> = None;
        for joint in &self.joints {
            let kind = joint.kind.unwrap_or(JointKind::Ball);
            let mut def = JointDef::new(&joint.name).kind(kind);
            def.rest = joint.rest;
            def.parent = match &joint.parent {
                Some((parent, place)) => Some(*places.get(parent.as_str()).ok_or_else(|| {
                    let names = self.joints.iter().map(|j| j.name.as_str());
                    no_such_joint(parent, place, names)
                })?),
                None => {
                    if let Some(first) = root.replace(joint) {
                        let found = format!("joints '{}' and '{}' without a parent", first.name, joint.name);
                        return Err(ReadError::new(joint.place.clone(), found, "one root"));
                    }
                    None
                }
            };
            joint.apply(&mut def)?;
            builder.add(def);
        }
        let mut asset = Asset::new(self.build(&builder)?);
        self.add_besides(&mut asset, budget)?;
        Ok(asset)
    }

    /// A sidecar on the asset whose joints it speaks about.
    pub(super) fn onto(&self, mut asset: Asset, budget: Budget) -> Result<Asset, ReadError> {
        let names = Names::new(&asset);
        let mut builder = asset.skeleton.to_builder();
        if let Some(name) = &self.name {
            builder.name.clone_from(name);
        }
        let mut changed: HashMap<JointId, &Place> = HashMap::new();
        for joint in &self.joints {
            let id = names.find(&joint.name, &joint.place)?;
            if let Some(first) = changed.insert(id, &joint.place) {
                let found = format!("a second [[joint]] for '{}' (the first is at {first})", joint.name);
                return Err(ReadError::new(joint.place.clone(), found, "one for each joint"));
            }
            let def = &mut builder.joints[id.index()];
            if let Some(kind) = joint.kind {
                // A limit of another kind of joint would not fit.
                def.kind = kind;
                def.limit = sinew_f64::JointLimit::None;
            }
            joint.apply(def)?;
        }
        asset.skeleton = self.build(&builder)?;
        self.add_besides(&mut asset, budget)?;
        Ok(asset)
    }

    /// The skeleton; errors get the place of the joint they are about.
    fn build(&self, builder: &SkeletonBuilder) -> Result<Skeleton, ReadError> {
        builder.build_sorted().map_err(|error| {
            let name = match &error {
                BuildError::Cycle(name)
                | BuildError::DuplicateName(name)
                | BuildError::BadRest(name)
                | BuildError::BadAxis(name) => Some(name),
                BuildError::BadStiffness { joint, .. } | BuildError::BadLimit { joint, .. } => Some(joint),
                _ => None,
            };
            let joint = name.and_then(|name| self.joints.iter().find(|j| j.name == *name));
            let place = match (&error, joint) {
                (BuildError::BadLimit { .. }, Some(RigJoint { limit: Some(limit), .. })) => {
                    limit.place.clone()
                }
                (_, Some(joint)) => joint.place.clone(),
                (_, None) => Place::File,
            };
            ReadError::new(place, error.to_string(), "joints that make a skeleton")
        })
    }

    /// Roles, other names, followers, drives, goals and postures.
    fn add_besides(&self, asset: &mut Asset, budget: Budget) -> Result<(), ReadError> {
        // Every posture is a whole pose, and a behaviour has its four corners and a pose for each key.
        let (joints, behaviours) = (asset.skeleton.len(), self.behaviours.len());
        let keys: usize = self.behaviours.iter().map(|behaviour| behaviour.keys.len() + 5).sum();
        budget.check(self.postures.len() + keys, pose_bytes(joints), || {
            format!("{} postures and {behaviours} behaviours of {joints} joints", self.postures.len())
        })?;
        let names = Names::new(asset);
        for alias in &self.aliases {
            let joint = names.find(&alias.joint.0, &alias.joint.1)?;
            asset.aliases.retain(|a| a.name != alias.name);
            asset.aliases.push(Alias { name: alias.name.clone(), joint, frame: alias.frame });
        }
        let names = Names::new(asset);
        for (role, joint, place) in &self.roles {
            let joint = names.find(joint, place)?;
            asset.roles.retain(|(known, _)| known != role);
            asset.roles.push((role.clone(), joint));
        }
        self.add_machine(asset, &names)?;

        let rest = ModelPose::rest(&asset.skeleton);
        for goal in &self.goals {
            let joint = names.find(&goal.joint.0, &goal.joint.1)?;
            let relative =
                goal.relative_to.as_ref().map(|(name, place)| names.find(name, place)).transpose()?;
            let built = goal.build(joint, relative, &rest);
            GoalSet::from_iter([built]).check(&asset.skeleton).map_err(|error| {
                let expected = "a goal that a solver can take";
                ReadError::new(goal.place.clone(), format!("goal '{}': {error}", goal.name), expected)
            })?;
            asset.goals.retain(|(known, _)| *known != goal.name);
            asset.goals.push((goal.name.clone(), built));
        }
        for posture in &self.postures {
            let pose = posture.build(&asset.skeleton, &names)?;
            asset.postures.retain(|(known, _)| *known != posture.name);
            asset.postures.push((posture.name.clone(), pose));
        }
        for behaviour in &self.behaviours {
            let pose = |posture: &RigPosture| posture.build(&asset.skeleton, &names);
            let built = behaviour.build(&asset.skeleton, &asset.postures, &pose)?;
            asset.behaviours.retain(|known| (known.name(), known.side()) != (built.name(), built.side()));
            asset.behaviours.push(built);
        }
        Ok(())
    }

    fn add_machine(&self, asset: &mut Asset, names: &Names) -> Result<(), ReadError> {
        let mut followed: Vec<Option<usize>> = vec![None; asset.skeleton.len()];
        let mut mimics: HashMap<JointId, Mimic> = asset.mimics.iter().map(|m| (m.joint, *m)).collect();
        let mut places: HashMap<usize, &Place> = HashMap::new();
        for joint in &self.joints {
            let id = names.find(&joint.name, &joint.place)?;
            let kind = asset.skeleton.joint(id).kind();
            if let Some(mimic) = &joint.mimic {
                let source = names.find(&mimic.joint.0, &mimic.joint.1)?;
                if kind.degrees_of_freedom() != 1 {
                    let found = format!("a mimic of a {} joint", kind.name());
                    return Err(ReadError::new(mimic.joint.1.clone(), found, "a hinge or a prismatic joint"));
                }
                let offset = mimic.offset.as_ref().map_or(Ok(0.0), |q| measure(q, kind))?;
                mimics.insert(id, Mimic { joint: id, source, multiplier: mimic.multiplier, offset });
                places.insert(id.index(), &mimic.joint.1);
            }
            if let Some((mass, centre)) = joint.mass {
                asset.masses.retain(|(known, _)| *known != id);
                asset.masses.push((id, PointMass { mass, centre }));
            }
            if let Some(drive) = &joint.drive {
                let value = |q: &Option<Quantity>| q.as_ref().map(|q| measure(q, kind)).transpose();
                asset.drives.retain(|d| d.joint != id);
                asset.drives.push(Drive {
                    joint: id,
                    velocity: value(&drive.velocity)?,
                    effort: drive.effort,
                    soft_lower: value(&drive.soft_lower)?,
                    soft_upper: value(&drive.soft_upper)?,
                });
            }
        }
        for mimic in mimics.values() {
            followed[mimic.joint.index()] = Some(mimic.source.index());
        }
        let order = crate::asset::follow_order(&followed).map_err(|joint| {
            let place = places.get(&joint).map_or(Place::File, |place| (*place).clone());
            ReadError::new(
                place,
                "a joint that follows itself",
                "mimics that lead to a joint that follows none",
            )
        })?;
        asset.mimics =
            order.iter().filter_map(|j| asset.skeleton.id(*j)).filter_map(|id| mimics.remove(&id)).collect();
        Ok(())
    }
}

/// A value of a joint: radians, or metres if it slides.
fn measure(quantity: &Quantity, kind: JointKind) -> Result<f64, ReadError> {
    if matches!(kind, JointKind::Prismatic { .. }) { quantity.length() } else { quantity.angle() }
}

impl RigJoint {
    /// Puts what the file says about the joint into its definition.
    fn apply(&self, def: &mut JointDef) -> Result<(), ReadError> {
        if let Some(limit) = &self.limit {
            def.limit = limit::for_kind(limit, def.kind)?;
        }
        if self.tip.is_some() {
            def.tip = self.tip;
        }
        if let Some(stiffness) = self.stiffness {
            def.stiffness = stiffness;
        }
        Ok(())
    }
}

impl RigGoal {
    fn build(&self, joint: JointId, relative_to: Option<JointId>, rest: &ModelPose) -> Goal {
        let effector = Effector { joint, offset: self.offset };
        let stands = Goal { relative_to, ..Goal::new(effector, Target::Position(Vec3::ZERO)) };
        let now = stands.standing(rest);
        let target = match self.target {
            RigTarget::Position(at) => Target::Position(at.unwrap_or(now.translation)),
            RigTarget::Orientation(turned) => Target::Orientation(turned.unwrap_or(now.rotation)),
            RigTarget::Pose(at, turned) => {
                Target::Pose(Transform::new(at.unwrap_or(now.translation), turned.unwrap_or(now.rotation)))
            }
            RigTarget::Aim(axis, at) => Target::Aim { axis, at },
            RigTarget::Contact(axis, at, normal) => {
                Target::Contact { axis, at: at.unwrap_or(now.translation), normal }
            }
        };
        Goal {
            position_weight: self.position_weight,
            orientation_weight: self.orientation_weight,
            position_axes: self.position_axes,
            orientation_axes: self.orientation_axes,
            priority: self.priority,
            relative_to,
            ..Goal::new(effector, target)
        }
    }
}

impl RigPosture {
    fn build(&self, skeleton: &Skeleton, names: &Names) -> Result<Pose, ReadError> {
        let mut pose = Pose::rest(skeleton);
        for (joint, place, motion) in &self.joints {
            let joint = names.find(joint, place)?;
            motion.apply(skeleton.joint(joint).kind(), joint, place, &mut pose)?;
        }
        Ok(pose)
    }
}

impl RigMotion {
    fn apply(
        &self,
        kind: JointKind,
        joint: JointId,
        place: &Place,
        pose: &mut Pose,
    ) -> Result<(), ReadError> {
        match (self, kind) {
            (Self::Angle(angle), JointKind::Hinge { axis }) => {
                pose.set_rotation(joint, rotation::about(axis, angle.angle()?));
            }
            (Self::Angles(a, b), JointKind::Universal { first, second }) => {
                pose.set_rotation(
                    joint,
                    rotation::about(first, a.angle()?) * rotation::about(second, b.angle()?),
                );
            }
            (Self::Slide(way), JointKind::Prismatic { axis }) => {
                pose.set_translation(joint, axis * way.length()?);
            }
            (Self::Rotation(q), _) => pose.set_rotation(joint, *q),
            (Self::Translation(t), _) => pose.set_translation(joint, *t),
            (Self::Angle(_), _) => return Err(wrong_motion("one angle", kind, place, "hinges")),
            (Self::Angles(..), _) => return Err(wrong_motion("two angles", kind, place, "universal joints")),
            (Self::Slide(_), _) => return Err(wrong_motion("one length", kind, place, "prismatic joints")),
        }
        Ok(())
    }
}

fn wrong_motion(what: &str, kind: JointKind, place: &Place, right: &str) -> ReadError {
    let found = format!("{what} for a {} joint", kind.name());
    ReadError::new(place.clone(), found, format!("a motion that it can make ({what} is for {right})"))
}

fn no_such_joint<'a>(name: &str, place: &Place, names: impl Iterator<Item = &'a str>) -> ReadError {
    let expected = format!("the name of a joint{}", suggest::did_you_mean(name, names));
    ReadError::new(place.clone(), format!("no joint {}", quoted(name)), expected)
}

/// The joints of an asset by all their names.
struct Names {
    joints: HashMap<String, JointId>,
    listed: Vec<String>,
}

impl Names {
    fn new(asset: &Asset) -> Self {
        let links = asset.aliases.iter().map(|alias| (alias.name.clone(), alias.joint));
        let own = asset.skeleton.ids().map(|id| (asset.skeleton.joint(id).name().to_owned(), id));
        // Joints after links: where both have a name, it means the joint.
        let joints: HashMap<String, JointId> = links.chain(own).collect();
        let mut listed: Vec<String> = joints.keys().cloned().collect();
        listed.sort_unstable();
        Self { joints, listed }
    }

    fn find(&self, name: &str, place: &Place) -> Result<JointId, ReadError> {
        let found = self.joints.get(name).copied();
        found.ok_or_else(|| no_such_joint(name, place, self.listed.iter().map(String::as_str)))
    }
}
