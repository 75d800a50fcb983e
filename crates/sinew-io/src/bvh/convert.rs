//! From a [`BvhDocument`] to an [`Asset`].

use std::collections::HashMap;

use glam::{DQuat, DVec3};
use sinew_f64::{JointDef, JointKind, Pose, Skeleton, SkeletonBuilder};

use super::document::{BvhDocument, BvhHabits, BvhJoint, Channel, UpAxis};
use super::guess;
use crate::error::quoted;
use crate::{Asset, Budget, Format, Motion, Note, Place, ReadError, Source};

/// What a BVH file leaves open.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BvhOptions {
    /// Metres in one unit of the file; `None` guesses from the size of the
    /// skeleton and says so in the notes.
    pub scale: Option<f64>,
    /// The axis that points up; `None` looks at head and feet, takes Y where
    /// they say nothing, and notes what it did.
    pub up: Option<UpAxis>,
    /// The most memory that the motion may take.
    pub budget: Budget,
}

/// How the numbers of a file become metres with Y up.
struct Conversion {
    unit: f64,
    rest_up: UpAxis,
    motion_up: UpAxis,
}

impl Conversion {
    fn offset(&self, v: DVec3) -> DVec3 {
        self.rest_up.vector_to_y_up(v) * self.unit
    }

    /// A joint's place and turn. Below the root both are in the parent's frame,
    /// whose axes are those of the offsets; the root's place is in the axes of
    /// the motion, and its turn leads from the one to the other.
    fn local(&self, joint: &BvhJoint, values: &[f64]) -> (DVec3, DQuat) {
        let (place, turn) = joint.local(values);
        if joint.parent.is_some() || self.rest_up == self.motion_up {
            (self.offset(place), self.rest_up.rotation_to_y_up(turn))
        } else {
            let turn = self.motion_up.turn() * turn * self.rest_up.turn().conjugate();
            (self.motion_up.vector_to_y_up(place) * self.unit, turn)
        }
    }
}

/// Converts a document: metres, Y up, joints turned from rest.
pub fn to_asset(document: &BvhDocument, options: &BvhOptions) -> Result<Asset, ReadError> {
    let mut notes = document.notes.clone();
    let unit = match options.scale {
        Some(scale) if scale.is_finite() && scale > 0.0 => scale,
        Some(scale) => {
            return Err(ReadError::new(Place::File, format!("the scale {scale}"), "a scale above zero"));
        }
        None => {
            let (unit, note) = guess::unit(document);
            notes.push(note);
            unit
        }
    };
    let (rest_up, motion_up) = match options.up {
        Some(up) => (up, up),
        None => {
            let up = guess::up(document);
            notes.extend(up.note);
            (up.rest, up.motion)
        }
    };
    let conversion = Conversion { unit, rest_up, motion_up };
    options.budget.check_poses(document.joints.len(), document.frame_count())?;
    let skeleton = skeleton(document, &conversion, &mut notes)?;
    let motions = motions(document, &skeleton, &conversion, &mut notes);

    let mut channels = vec![Vec::new(); skeleton.len()];
    for (joint, id) in document.joints.iter().zip(skeleton.from_builder()) {
        channels[id.index()].clone_from(&joint.channels);
    }
    let habits = BvhHabits { channels, rest_up, motion_up };
    let source = Source {
        format: Some(Format::Bvh),
        unit: Some(unit),
        recording_unit: Some(unit),
        bvh: Some(habits),
        ..Source::default()
    };
    Ok(Asset { motions, notes, source, ..Asset::new(skeleton) })
}

fn skeleton(
    document: &BvhDocument,
    conversion: &Conversion,
    notes: &mut Vec<Note>,
) -> Result<Skeleton, ReadError> {
    let mut builder = SkeletonBuilder::new("");
    let mut names = HashMap::new();
    for joint in &document.joints {
        let name = unique_name(&joint.name, &mut names, notes);
        let mut def = JointDef::new(name).at(conversion.offset(joint.offset)).kind(kind(joint, conversion));
        def.parent = joint.parent;
        // A site at the joint itself only says that the branch ends here.
        let mut sites = joint.end_sites.iter().filter(|&&site| site != DVec3::ZERO);
        def.tip = sites.next().map(|&site| conversion.offset(site));
        let more = sites.count();
        if more > 0 {
            let name = quoted(&def.name);
            notes.push(Note::new(format!("joint {name} has {} End Sites; the first is kept", more + 1)));
        }
        builder.add(def);
    }
    builder.name = builder.joints.first().map_or(String::new(), |root| root.name.clone());
    builder.build_sorted().map_err(|error| ReadError::new(Place::File, error.to_string(), "a skeleton"))
}

/// A name that no joint before has. The map holds every name with the number that was last put
/// behind it, so that many joints of one name take no longer each than a few.
fn unique_name(name: &str, names: &mut HashMap<String, usize>, notes: &mut Vec<Note>) -> String {
    let Some(mut number) = names.get(name).copied() else {
        names.insert(name.into(), 1);
        return name.into();
    };
    let other = loop {
        number += 1;
        let candidate = format!("{name}.{number}");
        if !names.contains_key(&candidate) {
            break candidate;
        }
    };
    names.insert(name.into(), number);
    names.insert(other.clone(), 1);
    notes.push(Note::new(format!("two joints are called {}; one is now {}", quoted(name), quoted(&other))));
    other
}

/// What the joint's channels let it do. Below the root, position channels are
/// the habit of some exporters and no degree of freedom of the body: such a
/// joint turns, and what it shifts in a recorded motion is in the poses.
fn kind(joint: &BvhJoint, conversion: &Conversion) -> JointKind {
    let axis = |axis: super::Axis| conversion.rest_up.vector_to_y_up(axis.vector());
    let turns: Vec<super::Axis> = rotation_axes(&joint.channels).collect();
    let shifts = joint.channels.iter().any(|channel| matches!(channel, Channel::Position(_)));
    match turns[..] {
        _ if shifts && joint.parent.is_none() => JointKind::Free,
        [] => JointKind::Fixed,
        [one] => JointKind::Hinge { axis: axis(one) },
        [first, second] if first != second => {
            JointKind::Universal { first: axis(first), second: axis(second) }
        }
        _ => JointKind::Ball,
    }
}

pub(super) fn rotation_axes(channels: &[Channel]) -> impl Iterator<Item = super::Axis> + '_ {
    channels.iter().filter_map(|channel| match channel {
        Channel::Rotation(axis) => Some(*axis),
        Channel::Position(_) => None,
    })
}

fn motions(
    document: &BvhDocument,
    skeleton: &Skeleton,
    conversion: &Conversion,
    notes: &mut Vec<Note>,
) -> Vec<Motion> {
    /// Metres below which a shift is rounding.
    const STILL: f64 = 1e-6;
    if document.frame_count() == 0 {
        return Vec::new();
    }
    let rest = Pose::rest(skeleton);
    let mut shifted = vec![0.0f64; document.joints.len()];
    let frames: Vec<Pose> = document
        .frames()
        .map(|frame| {
            let mut pose = rest.clone();
            let mut numbers = frame;
            for (i, (joint, &id)) in document.joints.iter().zip(skeleton.from_builder()).enumerate() {
                let (mine, others) = numbers.split_at(joint.channels.len());
                numbers = others;
                // The rest rotation of every joint is the identity, so the turn
                // in the parent's frame is the turn from rest.
                let (place, turn) = conversion.local(joint, mine);
                let shift = place - skeleton.joint(id).rest().translation;
                pose.set_rotation(id, turn);
                pose.set_translation(id, shift);
                shifted[i] = shifted[i].max(shift.length());
            }
            pose
        })
        .collect();
    let moved = (0..shifted.len()).filter(|&i| document.joints[i].parent.is_some() && shifted[i] > STILL);
    if let Some(most) = moved.clone().max_by(|&a, &b| shifted[a].total_cmp(&shifted[b])) {
        notes.push(Note::new(format!(
            "{} joints below the root leave their offsets, {} by {:.4} m; the poses keep it",
            moved.count(),
            quoted(&document.joints[most].name),
            shifted[most],
        )));
    }
    vec![Motion::new("", document.frame_time, frames)]
}
