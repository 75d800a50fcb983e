//! From the two documents to an [`Asset`].

use std::collections::HashMap;

use glam::{DQuat, DVec3};
use sinew_f64::limit::{AngleRange, EulerLimit, EulerOrder, UniversalLimit};
use sinew_f64::math::rotation::about;
use sinew_f64::{JointDef, JointId, JointKind, JointLimit, Pose, Skeleton, SkeletonBuilder};

use super::document::{AmcDocument, AsfBone, AsfDocument, RootChannel};
use crate::bvh::Axis;
use crate::error::quoted;
use crate::{Asset, Budget, Format, Motion, Note, Place, ReadError, Source};

/// What ASF and AMC files leave open.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AsfOptions {
    /// Metres in one unit of the file; `None` goes by the file's `length`,
    /// which divides an inch.
    pub scale: Option<f64>,
    /// Seconds of a frame; `None` takes the 1/120 of the CMU database and notes it.
    pub frame_time: Option<f64>,
    /// The most memory that the motion may take.
    pub budget: Budget,
}

const INCH: f64 = 0.0254;
const CMU_FRAME_TIME: f64 = 1.0 / 120.0;

/// Converts a skeleton, and the motion of it if there is one: metres, Y up,
/// the limits of the file as ranges of the joints' own angles.
pub fn to_asset(
    skeleton: &AsfDocument,
    motion: Option<&AmcDocument>,
    options: &AsfOptions,
) -> Result<Asset, ReadError> {
    let mut notes = skeleton.notes.clone();
    for (value, what) in [(options.scale, "scale"), (options.frame_time, "frame time")] {
        if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
            let found = format!("a {what} of {value}");
            return Err(ReadError::new(Place::File, found, format!("a {what} above zero")));
        }
    }
    let unit = options.scale.unwrap_or(INCH / skeleton.length);
    if options.scale.is_none() {
        notes.push(Note::new(format!(
            "a unit is an inch divided by the file's length of {}: {unit:.6} m",
            skeleton.length
        )));
    }
    if let Some(motion) = motion {
        options.budget.check_poses(skeleton.bones.len() + 1, motion.frames().count())?;
    }
    let built = build(skeleton, unit)?;
    let mut motions = Vec::new();
    if let Some(motion) = motion {
        notes.extend(motion.notes.iter().cloned());
        if options.frame_time.is_none() {
            notes.push(Note::new(
                "AMC has no frame rate; 120 frames a second are taken, as in the CMU database",
            ));
        }
        let frame_time = options.frame_time.unwrap_or(CMU_FRAME_TIME);
        let frames = poses(skeleton, &built, motion, unit)?;
        motions.push(Motion::new("", frame_time, frames));
    }
    let format = if motion.is_some() { Format::Amc } else { Format::Asf };
    let source =
        Source { format: Some(format), unit: Some(unit), recording_unit: Some(unit), ..Source::default() };
    Ok(Asset { motions, notes, source, ..Asset::new(built) })
}

/// The frame that three angles about x, y and z make in an order, first turn first.
fn frame(angles: DVec3, order: [Axis; 3], degrees: bool) -> DQuat {
    order.into_iter().fold(DQuat::IDENTITY, |frame, axis| {
        about(axis.vector(), radians(angles[axis.index()], degrees)) * frame
    })
}

fn radians(angle: f64, degrees: bool) -> f64 {
    if degrees { angle.to_radians() } else { angle }
}

fn build(document: &AsfDocument, unit: f64) -> Result<Skeleton, ReadError> {
    let root_frame = frame(document.root.orientation, document.root.axis, document.degrees);
    let frames: Vec<DQuat> =
        document.bones.iter().map(|bone| frame(bone.axis, bone.axis_order, document.degrees)).collect();
    let vector = |bone: &AsfBone| bone.direction * (bone.length * unit);

    let mut builder = SkeletonBuilder::new(document.name.clone());
    builder.add(
        JointDef::new("root").at(document.root.position * unit).turned(root_frame).kind(JointKind::Free),
    );
    for (bone, &own) in document.bones.iter().zip(&frames) {
        let (above, start) = match bone.parent {
            None => (root_frame, DVec3::ZERO),
            Some(parent) => (frames[parent], vector(&document.bones[parent])),
        };
        let (kind, limit) = freedom(bone, document.degrees);
        // The root is the builder's first joint, so bones are one further on.
        let parent = bone.parent.map_or(0, |parent| parent + 1);
        let mut def = JointDef::new(bone.name.clone())
            .at(above.conjugate() * start)
            .turned(above.conjugate() * own)
            .kind(kind)
            .limit(limit);
        def.parent = Some(parent);
        let end = vector(bone);
        def.tip = (end != DVec3::ZERO).then(|| own.conjugate() * end);
        builder.add(def);
    }
    builder.build_sorted().map_err(|error| ReadError::new(Place::File, error.to_string(), "a skeleton"))
}

/// The joint's kind and limit. The file's turns are about fixed axes, so the
/// last one is outermost: read backwards they are turns about carried axes.
fn freedom(bone: &AsfBone, degrees: bool) -> (JointKind, JointLimit) {
    let axes: Vec<Axis> = bone.dof.iter().rev().copied().collect();
    let range = |place: usize| {
        let [low, high] = bone.limits[bone.limits.len() - 1 - place];
        if low.is_finite() && high.is_finite() {
            AngleRange::new(radians(low, degrees), radians(high, degrees))
        } else {
            AngleRange::symmetric(std::f64::consts::PI)
        }
    };
    let limited = !bone.limits.is_empty();
    let kind = match axes[..] {
        [] => JointKind::Fixed,
        [axis] => JointKind::Hinge { axis: axis.vector() },
        [first, second] => JointKind::Universal { first: first.vector(), second: second.vector() },
        _ => JointKind::Ball,
    };
    let limit = match axes[..] {
        _ if !limited => JointLimit::None,
        [axis] => JointLimit::hinge(axis.vector(), range(0).min, range(0).max),
        [first, second] => UniversalLimit::new([first.vector(), second.vector()], range(0), range(1)).into(),
        [first, second, _] => {
            EulerLimit::new(euler_order(first, second), [range(0), range(1), range(2)]).into()
        }
        _ => JointLimit::None,
    };
    (kind, limit)
}

fn euler_order(first: Axis, second: Axis) -> EulerOrder {
    match (first, second) {
        (Axis::X, Axis::Z) => EulerOrder::Xzy,
        (Axis::X, _) => EulerOrder::Xyz,
        (Axis::Y, Axis::Z) => EulerOrder::Yzx,
        (Axis::Y, _) => EulerOrder::Yxz,
        (Axis::Z, Axis::Y) => EulerOrder::Zyx,
        (Axis::Z, _) => EulerOrder::Zxy,
    }
}

/// What the numbers of a bone in a frame do.
enum Part<'a> {
    Root(&'a [RootChannel]),
    Bone(&'a [Axis]),
}

fn poses(
    document: &AsfDocument,
    skeleton: &Skeleton,
    motion: &AmcDocument,
    unit: f64,
) -> Result<Vec<Pose>, ReadError> {
    let degrees = motion.degrees.unwrap_or(document.degrees);
    let by_name: HashMap<&str, usize> =
        document.bones.iter().enumerate().map(|(i, bone)| (bone.name.as_str(), i)).collect();
    let mut parts: Vec<(JointId, Part, usize)> = Vec::with_capacity(motion.bones.len());
    let mut driven = vec![false; document.bones.len()];
    for (name, count) in &motion.bones {
        let part = match by_name.get(name.as_str()) {
            Some(&bone) => {
                driven[bone] = true;
                (skeleton.from_builder()[bone + 1], Part::Bone(&document.bones[bone].dof))
            }
            None if name == "root" => (skeleton.root(), Part::Root(&document.root.order)),
            None => {
                let found = format!("bone {} in the motion", quoted(name));
                return Err(ReadError::new(Place::File, found, "a bone of the skeleton"));
            }
        };
        let wanted = match part.1 {
            Part::Root(order) => order.len(),
            Part::Bone(dof) => dof.len(),
        };
        if wanted != *count {
            let found = format!("{count} numbers for bone {} in the motion", quoted(name));
            return Err(ReadError::new(Place::File, found, format!("{wanted}, as the skeleton has it")));
        }
        parts.push((part.0, part.1, *count));
    }
    let lost = (0..driven.len()).find(|&i| !driven[i] && !document.bones[i].dof.is_empty());
    if let Some(lost) = lost {
        let found = format!("a motion without bone {}", quoted(&document.bones[lost].name));
        return Err(ReadError::new(Place::File, found, "numbers for every bone that has a dof"));
    }

    let rest = Pose::rest(skeleton);
    let root_frame = skeleton.joint(skeleton.root()).rest().rotation;
    let turn = |turns: DQuat, axis: Axis, angle: f64| about(axis.vector(), radians(angle, degrees)) * turns;
    let poses = motion.frames().map(|frame| {
        let mut pose = rest.clone();
        let mut numbers = frame;
        for (joint, part, count) in &parts {
            let (mine, others) = numbers.split_at(*count);
            numbers = others;
            match part {
                Part::Bone(dof) => {
                    let turned =
                        dof.iter().zip(mine).fold(DQuat::IDENTITY, |q, (&axis, &v)| turn(q, axis, v));
                    pose.set_rotation(*joint, turned);
                }
                Part::Root(order) => {
                    let mut shift = DVec3::ZERO;
                    let mut turned = DQuat::IDENTITY;
                    for (channel, &value) in order.iter().zip(mine) {
                        match *channel {
                            RootChannel::Translation(axis) => shift[axis.index()] = value * unit,
                            RootChannel::Rotation(axis) => turned = turn(turned, axis, value),
                        }
                    }
                    pose.set_rotation(*joint, turned);
                    pose.set_translation(*joint, root_frame.conjugate() * shift);
                }
            }
        }
        pose
    });
    Ok(poses.collect())
}
