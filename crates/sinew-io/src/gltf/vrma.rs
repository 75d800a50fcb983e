//! A motion for VRM models, `.vrma`: glTF with `VRMC_vrm_animation`.
//!
//! Such a file has a node for each human bone and one animation; a program
//! puts the turns of its bones, told from its rest pose, on any VRM model. For
//! that the rest pose has to be VRM's: a T-pose that faces +Z. So the skeleton
//! that is written here is the asset's, reduced to the human bones, turned to
//! face +Z and with arms and legs swung into place. What joints between the
//! bones do, a second joint of the neck or a twist of the forearm, is part of
//! the bone below. Only the hips may shift; other bones have one length.

use sinew_f64::math::rotation::{angle, between};
use sinew_f64::skeleton::humanoid::{HumanoidBone, HumanoidMap, Phalanx, Side};
use sinew_f64::{JointDef, JointId, JointKind, ModelPose, Pose, Quat, SkeletonBuilder, Transform, Vec3};

use super::raw::RawObject;
use super::scaffold::{Parts, scaffold};
use super::write::{Kind, edited};
use super::{Container, WriteOptions};
use crate::{Asset, Motion, Note, WriteError, Written};

/// A rest pose further than this from a T-pose is worth a note, in degrees.
const NOTED: f64 = 3.0;

/// Writes one motion of an asset; see [`super::write_vrma`].
pub(super) fn write(asset: &Asset, options: &WriteOptions) -> Result<Written, WriteError> {
    let wrong = |reason: String| WriteError::new("VRM animation", reason);
    let mut notes = Vec::new();
    let Some(motion) = asset.motions.get(options.motion) else {
        let count = asset.motions.len();
        return Err(wrong(format!("there is no motion {}, only {count}", options.motion)));
    };
    if asset.motions.len() > 1 {
        let (name, others) = (&motion.name, asset.motions.len() - 1);
        notes.push(Note::new(format!(
            "a .vrma holds one motion: '{name}' is written, {others} others are not"
        )));
    }
    if let Some(pose) = motion.frames.iter().find(|pose| pose.len() != asset.skeleton.len()) {
        let (found, wanted) = (pose.len(), asset.skeleton.len());
        return Err(wrong(format!("a pose has {found} joints and the skeleton {wanted}")));
    }
    let map = asset.humanoid();
    let missing: Vec<&str> =
        map.missing().filter(|bone| bone.is_required()).map(HumanoidBone::name).collect();
    if !missing.is_empty() {
        return Err(wrong(format!("bones that every human has were not found: {}", missing.join(", "))));
    }
    let body = Body::new(asset, &map)?;
    if body.swung.to_degrees() > NOTED {
        let degrees = body.swung.to_degrees();
        notes.push(Note::new(format!(
            "the rest pose is {degrees:.0}° from the T-pose that VRM wants; the file has a T-pose instead, and the same motion"
        )));
    }
    let mut human = Asset::new(body.skeleton()?);
    human.motions.push(body.motion(asset, motion, &human, &mut notes));
    let parts = Parts { surface: None, skin: false, bones: false, along_bones: false };
    let (mut draft, base) = scaffold(&human.skeleton, &parts, &mut notes)?;
    let mut bones = RawObject::default();
    for (i, (bone, _)) in body.bones.iter().enumerate() {
        let id = human.skeleton.from_builder()[i];
        bones.set(bone.name(), &serde_json::json!({"node": id.index()}))?;
    }
    let extension = serde_json::json!({"specVersion": "1.0", "humanoid": {"humanBones": bones}});
    draft.set_extension("VRMC_vrm_animation", &extension)?;
    edited(draft, &base, &human, Kind::Plain, Container::Glb, notes)
}

/// The human bones of a skeleton in T-pose.
struct Body {
    /// The bones with their joints, parents before children.
    bones: Vec<(HumanoidBone, JointId)>,
    /// The bone above each, as an index.
    parents: Vec<Option<usize>>,
    /// Each one's transform to the bone above it, in T-pose.
    rest: Vec<Transform>,
    /// Turns the model to face +Z.
    front: Quat,
    /// The most that a bone was swung to get there.
    swung: f64,
}

impl Body {
    fn new(asset: &Asset, map: &HumanoidMap) -> Result<Self, WriteError> {
        let skeleton = &asset.skeleton;
        // The eyes of a .vrma look by a point, not by bones.
        let is_eye = |bone: HumanoidBone| matches!(bone, HumanoidBone::Eye(_));
        let mut bones: Vec<(HumanoidBone, JointId)> =
            map.found().filter(|(bone, ..)| !is_eye(*bone)).map(|(bone, joint, _)| (bone, joint)).collect();
        bones.sort_by_key(|(_, joint)| joint.index());
        let above = |joint: JointId| {
            let mut up = skeleton.ancestors(joint).filter(|a| *a != joint);
            up.find_map(|a| bones.iter().position(|(_, other)| *other == a))
        };
        let parents: Vec<Option<usize>> = bones.iter().map(|(_, joint)| above(*joint)).collect();
        if parents.iter().filter(|parent| parent.is_none()).count() != 1 {
            let reason = "its human bones are not one tree below the hips";
            return Err(WriteError::new("VRM animation", reason));
        }

        let model = ModelPose::rest(skeleton);
        let front = map.facing().map_or(Quat::IDENTITY, |facing| {
            let level = Vec3::new(facing.forward.x, 0.0, facing.forward.z).normalize_or_zero();
            if level == Vec3::ZERO { Quat::IDENTITY } else { between(level, Vec3::Z, Vec3::Y) }
        });
        let stood = |joint: JointId| {
            let here = model.transform(joint);
            Transform::new(front * here.translation, front * here.rotation)
        };
        let mut body = Self { rest: Vec::new(), swung: 0.0, bones, parents, front };
        // In T-pose, each bone's place and turn in the model, and the turn that it took to get there.
        let mut placed: Vec<(Transform, Quat)> = Vec::new();
        for (i, &(bone, joint)) in body.bones.iter().enumerate() {
            let here = stood(joint);
            let above = body.parents[i].map(|p| (placed[p].0, placed[p].1, stood(body.bones[p].1)));
            let carried = above.map_or(Quat::IDENTITY, |(_, swing, _)| swing);
            let swing = match (direction(bone), next(bone).and_then(|n| map.get(n))) {
                (Aim::Along(wanted), Some(next)) => {
                    let now = stood(next).translation - here.translation;
                    match now.try_normalize() {
                        Some(now) => between(carried * now, wanted, Vec3::Z) * carried,
                        None => carried,
                    }
                }
                (Aim::Along(_) | Aim::Carried, _) => carried,
                (Aim::Kept, _) => Quat::IDENTITY,
            };
            if let (Aim::Along(_), Some(_)) = (direction(bone), next(bone)) {
                body.swung = body.swung.max(angle(carried.inverse() * swing));
            }
            let place = above.map_or(here.translation, |(t_pose, swing, rest)| {
                t_pose.translation + swing * (here.translation - rest.translation)
            });
            let t_pose = Transform::new(place, (swing * here.rotation).normalize());
            let local = above.map_or(t_pose, |(parent, ..)| parent.inverse() * t_pose);
            body.rest.push(local);
            placed.push((t_pose, swing));
        }
        // Recordings have their hips at the origin at rest. A reader scales the
        // hips' path by their height above the ground, so there has to be one.
        let lowest = placed.iter().map(|(t_pose, _)| t_pose.translation.y).fold(f64::INFINITY, f64::min);
        if let Some(hips) = body.parents.iter().position(Option::is_none).filter(|_| lowest < 0.0) {
            body.rest[hips].translation.y -= lowest;
        }
        Ok(body)
    }

    fn skeleton(&self) -> Result<sinew_f64::Skeleton, WriteError> {
        let mut builder = SkeletonBuilder::new("");
        for (i, (bone, _)) in self.bones.iter().enumerate() {
            let mut def = JointDef::new(bone.name()).kind(JointKind::Ball);
            if self.parents[i].is_none() {
                def.kind = JointKind::Free;
            }
            def.parent = self.parents[i];
            def.rest = self.rest[i];
            builder.add(def);
        }
        builder.build_sorted().map_err(|error| WriteError::new("VRM animation", error.to_string()))
    }

    /// The asset's motion as one of the human bones alone.
    fn motion(&self, asset: &Asset, motion: &Motion, human: &Asset, notes: &mut Vec<Note>) -> Motion {
        let skeleton = &human.skeleton;
        let mut shifted = 0.0f64;
        let frames = motion.frames.iter().map(|pose| {
            let model = ModelPose::new(&asset.skeleton, pose);
            let mut frame = Pose::rest(skeleton);
            for (i, (_, joint)) in self.bones.iter().enumerate() {
                let id = skeleton.from_builder()[i];
                let here = model.transform(*joint);
                let local = match self.parents[i] {
                    Some(parent) => model.transform(self.bones[parent].1).inverse() * here,
                    None => Transform::new(self.front * here.translation, self.front * here.rotation),
                };
                frame.set_local(skeleton, id, local);
                if self.parents[i].is_some() {
                    shifted = shifted.max((local.translation - self.rest[i].translation).length());
                    frame.set_translation(id, Vec3::ZERO);
                }
            }
            frame
        });
        let frames = frames.collect();
        if shifted > 1.0e-3 {
            notes.push(Note::new(format!(
                "bones move against each other by up to {shifted:.3} m; a .vrma holds shifts of the hips alone"
            )));
        }
        Motion { start: motion.start, ..Motion::new(motion.name.clone(), motion.frame_time, frames) }
    }
}

/// How a bone gets into T-pose.
enum Aim {
    /// It points this way.
    Along(Vec3),
    /// It goes with the bone above it.
    Carried,
    /// It keeps its turn in the model, as the feet on the ground do.
    Kept,
}

fn direction(bone: HumanoidBone) -> Aim {
    let out = |side: Side| if side == Side::Left { Vec3::X } else { Vec3::NEG_X };
    match bone {
        HumanoidBone::UpperArm(side) | HumanoidBone::LowerArm(side) | HumanoidBone::Hand(side) => {
            Aim::Along(out(side))
        }
        HumanoidBone::Finger(side, finger, _) if finger != sinew_f64::skeleton::humanoid::Finger::Thumb => {
            Aim::Along(out(side))
        }
        HumanoidBone::Finger(..) => Aim::Carried,
        HumanoidBone::UpperLeg(_) | HumanoidBone::LowerLeg(_) => Aim::Along(Vec3::NEG_Y),
        _ => Aim::Kept,
    }
}

/// The bone that a bone points at.
fn next(bone: HumanoidBone) -> Option<HumanoidBone> {
    use sinew_f64::skeleton::humanoid::Finger;
    match bone {
        HumanoidBone::UpperArm(side) => Some(HumanoidBone::LowerArm(side)),
        HumanoidBone::LowerArm(side) => Some(HumanoidBone::Hand(side)),
        HumanoidBone::Hand(side) => Some(HumanoidBone::Finger(side, Finger::Middle, Phalanx::ALL[0])),
        HumanoidBone::UpperLeg(side) => Some(HumanoidBone::LowerLeg(side)),
        HumanoidBone::LowerLeg(side) => Some(HumanoidBone::Foot(side)),
        HumanoidBone::Finger(side, finger, phalanx) => {
            let at = Phalanx::ALL.iter().position(|p| *p == phalanx)?;
            Some(HumanoidBone::Finger(side, finger, *Phalanx::ALL.get(at + 1)?))
        }
        _ => None,
    }
}
