//! What a person says of a rig whose file says nothing, or is wrong: its parts, its size, what is up.

use std::f64::consts::{FRAC_PI_2, PI};

use sinew_f64::skeleton::humanoid::{FoundBy, HumanoidBone};
use sinew_f64::{JointId, JointLimit, Quat, Skeleton};
use sinew_io::Asset;
use sinew_io::asset::Placing;

use super::Rig;
use crate::wire::{Fitting, PartDescription, RigSource, UpAxis};
use crate::workspace::checked;

/// Nothing that anyone draws is larger or smaller by more.
const MOST: f64 = 1.0e5;
/// The file's own motions are looked at in no more frames …
const MOST_LOOKED_AT: usize = 1000;
/// … and may leave a limit by so much, in radians.
const FORGIVEN: f64 = 0.05;

impl Fitting {
    /// Its size and turn, as the readers take them.
    pub fn placing(&self) -> Result<Placing, String> {
        let scale = checked::number("the scale", self.scale, 1.0 / MOST..=MOST)?;
        let turn = match self.up {
            UpAxis::Y => Quat::IDENTITY,
            UpAxis::Z => Quat::from_rotation_x(-FRAC_PI_2),
            UpAxis::MinusZ => Quat::from_rotation_x(FRAC_PI_2),
            UpAxis::X => Quat::from_rotation_z(FRAC_PI_2),
            UpAxis::MinusX => Quat::from_rotation_z(-FRAC_PI_2),
            UpAxis::MinusY => Quat::from_rotation_x(PI),
        };
        Ok(Placing { scale, turn })
    }

    /// The parts that are given, or why they cannot be parts of one body.
    fn parts(&self, skeleton: &Skeleton) -> Result<Vec<(HumanoidBone, JointId)>, String> {
        let mut parts: Vec<(HumanoidBone, JointId)> = Vec::new();
        for (role, place) in &self.roles {
            let bone = HumanoidBone::from_name(role);
            let bone = bone.ok_or_else(|| format!("'{role}' is no part of a humanoid"))?;
            let joint = checked::joint(role, skeleton, *place)?;
            let name = skeleton.joint(joint).name();
            if let Some((other, _)) = parts.iter().find(|(_, known)| *known == joint) {
                return Err(format!("joint '{name}' cannot be both {} and {role}", other.name()));
            }
            parts.push((bone, joint));
        }
        for (bone, joint) in &parts {
            let above = std::iter::successors(bone.parent(), |bone| bone.parent());
            let above = above.filter_map(|bone| parts.iter().find(|(known, _)| *known == bone));
            if let Some((other, carrier)) =
                above.into_iter().find(|(_, at)| !skeleton.is_ancestor(*at, *joint))
            {
                let [name, carrier] = [joint, carrier].map(|id| skeleton.joint(*id).name());
                return Err(format!(
                    "{} is '{name}', which does not hang on '{carrier}', the {}",
                    bone.name(),
                    other.name()
                ));
            }
        }
        Ok(parts)
    }
}

/// A skeleton with other limits.
fn limited(
    skeleton: &Skeleton,
    limits: impl IntoIterator<Item = (JointId, JointLimit)>,
) -> Result<Skeleton, String> {
    let mut builder = skeleton.to_builder();
    for (joint, limit) in limits {
        builder.joints[joint.index()].limit = limit;
    }
    builder.build().map_err(|error| error.to_string())
}

impl Rig {
    /// The rig with the parts that are said; its size and axes are those of its asset already.
    pub(super) fn fitted(mut self, fitting: Fitting) -> Result<Self, String> {
        for (bone, joint) in fitting.parts(&self.asset.skeleton)? {
            // A joint has one part: what it was taken for before does not count any more.
            self.asset.roles.retain(|(known, at)| known != bone.name() && *at != joint);
            self.asset.roles.push((bone.name().into(), joint));
        }
        self.map = self.asset.humanoid();
        let is_person = matches!(self.source, RigSource::Upload { .. }) && self.map.is_complete();
        if is_person && fitting.anatomy {
            let limits = self.asset.anatomical_limits();
            self.anatomy = limits.into_iter().filter(|(joint, limit)| self.keeps(*joint, limit)).collect();
            let limits = self.anatomy.clone();
            self.asset.skeleton = limited(&self.asset.skeleton, limits)?;
        }
        self.fitting = fitting;
        Ok(self)
    }

    /// Whether the file's own motions stay within a limit. What they show, the body may do: a motion that is taken up
    /// where it is would jump otherwise.
    fn keeps(&self, joint: JointId, limit: &JointLimit) -> bool {
        let motions = &self.asset.motions[..self.own_motions];
        let count: usize = motions.iter().map(|motion| motion.frames.len()).sum();
        let stride = count.div_ceil(MOST_LOOKED_AT).max(1);
        let frames = motions.iter().flat_map(|motion| motion.frames.iter().step_by(stride));
        frames.chain(&self.asset.pose).all(|pose| limit.violation(pose.rotation(joint)) < FORGIVEN)
    }

    /// The asset without the limits of anatomy that nobody has changed: a file that is written for others has the
    /// limits that it came with.
    pub fn without_anatomy(&self) -> Result<Asset, String> {
        let skeleton = &self.asset.skeleton;
        let same = self.anatomy.iter().filter(|(joint, limit)| skeleton.joint(*joint).limit() == limit);
        let none = same.map(|(joint, _)| (*joint, JointLimit::None));
        Ok(Asset { skeleton: limited(skeleton, none)?, ..self.asset.clone() })
    }

    /// Every part of a humanoid, and the joint that plays it.
    pub(super) fn parts(&self) -> Vec<PartDescription> {
        let part = |bone: HumanoidBone| PartDescription {
            role: bone.name().into(),
            joint: self.map.get(bone).map(|joint| joint.index() as u32),
            found: self.map.found_by(bone).map(|by| {
                let word = match by {
                    FoundBy::Given => "given",
                    FoundBy::Name => "name",
                    _ => "topology",
                };
                word.into()
            }),
            needed: bone.is_required(),
        };
        HumanoidBone::all().map(part).collect()
    }

    /// Takes over what was put on the same rig before it was fitted anew: takes, and motions of other files.
    pub fn carry_from(&mut self, before: &Self) {
        let scale = self.fitting.scale / before.fitting.scale;
        for motion in &before.asset.motions[before.own_motions..] {
            self.add_motion(motion.scaled(&self.asset.skeleton, scale));
        }
    }
}
