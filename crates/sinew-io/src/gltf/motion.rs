//! Where the nodes are, at rest and over time, and what of that a rigid
//! skeleton can hold.
//!
//! glTF nodes have scale, also a different one along each axis, and matrix
//! nodes have shear; joints have neither. So every frame is worked out as the
//! file has it, with whole matrices from the top of the tree down, and each
//! joint then takes its place and the rotation nearest to its matrix from
//! there. Its motion is what leads from its rest transform to that. A scale
//! that is the same along all axes ends up in the offsets; under one that is
//! not, bones change length as they turn, which the joints' shifts hold. Joint
//! places are therefore right in every frame, whatever the file does.

use std::collections::{HashMap, HashSet};

use glam::{DAffine3, DQuat, DVec3};
use sinew_f64::math::rotation::{angle, same_side};
use sinew_f64::{Pose, Skeleton, Transform};

use super::accessor::Buffers;
use super::curve::{Curve, Property};
use super::document::{Animation, Document};
use super::extras::{Extras, MotionExtras};
use super::forest::{Forest, Local, Parts, nearest_rotation};
use super::rig::Rig;
use super::timing::{Timing, timing};
use crate::error::{Place, ReadError, quoted};
use crate::{Motion, Note};

/// Frames times joints that a file may have beyond [`FRAMES_PER_KEY`] for
/// each of its keys. A few bytes must not become gigabytes of poses.
const SPARE_SAMPLES: usize = 1 << 20;
const FRAMES_PER_KEY: usize = 64;

/// Keys that may be looked at, counted for each channel that uses them: an
/// hour at 60 frames a second of 50 joints, turned, shifted and scaled. Without
/// it, many channels over one sampler could take any amount of time.
const MOST_KEYS: usize = 1 << 25;

/// A shift below this part of the skeleton's size, in every frame of a motion,
/// is rounding of single-precision values and not a motion.
const STILL_SHIFT: f64 = 1.0e-6;
/// The same for a turn, in radians.
const STILL_TURN: f64 = 5.0e-7;

/// The nodes to work out, parents before children: those of the joints and
/// those above them.
pub(super) struct Stage<'a> {
    rig: &'a Rig,
    /// The document's index of each.
    nodes: Vec<usize>,
    /// Where each of the document's nodes stands in `nodes`.
    place: HashMap<usize, usize>,
    /// Each one's parent, as an index into `nodes`.
    parents: Vec<Option<usize>>,
    /// Where each joint of the rig stands in `nodes`.
    joints: Vec<Option<usize>>,
    rest: Vec<Local>,
    /// The parts of those that come apart.
    parts: Vec<Option<Parts>>,
    /// Put in front of everything: a model that faces the wrong way is turned.
    front: DAffine3,
}

/// Whether a transform is not finite, or so large that the single-precision
/// engine would lose it.
fn is_lost(matrix: &DAffine3) -> bool {
    const FAR: f64 = 1.0e37;
    // A NaN is not within the range either.
    !matrix.to_cols_array().iter().all(|number| number.abs() < FAR)
}

/// Where every node of a stage is.
struct World {
    matrices: Vec<DAffine3>,
    turns: Vec<DQuat>,
}

impl<'a> Stage<'a> {
    pub fn new(forest: &Forest, rig: &'a Rig, turned: DQuat) -> Self {
        let mut above = Vec::new();
        let mut next = rig.nodes[0].and_then(|root| forest.parents[root]);
        while let Some(node) = next {
            above.push(node);
            next = forest.parents[node];
        }
        above.reverse();
        let nodes: Vec<usize> = above.into_iter().chain(rig.nodes.iter().flatten().copied()).collect();
        let place: HashMap<usize, usize> = nodes.iter().enumerate().map(|(i, &node)| (node, i)).collect();
        let parent = |&node: &usize| forest.parents[node].and_then(|parent| place.get(&parent).copied());
        Self {
            rig,
            parents: nodes.iter().map(parent).collect(),
            joints: rig.nodes.iter().map(|node| node.and_then(|node| place.get(&node).copied())).collect(),
            rest: nodes.iter().map(|&node| forest.locals[node]).collect(),
            parts: nodes.iter().map(|&node| forest.locals[node].parts()).collect(),
            front: DAffine3::from_quat(turned),
            nodes,
            place,
        }
    }

    fn world(&self, locals: &[Local]) -> World {
        let count = self.nodes.len();
        let mut world = World { matrices: Vec::with_capacity(count), turns: Vec::with_capacity(count) };
        for i in 0..count {
            let (parent, turn) = match self.parents[i] {
                Some(parent) => (world.matrices[parent], world.turns[parent]),
                None => (self.front, DQuat::from_mat3(&self.front.matrix3)),
            };
            let matrix = parent * locals[i].affine();
            // A node that is scaled to nothing still turns: as its own
            // rotation says, below its parent's.
            let own = || match locals[i] {
                Local::Parts(parts) => parts.rotation,
                Local::Matrix(_) => DQuat::IDENTITY,
            };
            world.turns.push(nearest_rotation(matrix.matrix3).unwrap_or_else(|| turn * own()));
            world.matrices.push(matrix);
        }
        world
    }

    /// Each joint's transform to its parent joint.
    fn joint_locals(&self, world: &World) -> Vec<Transform> {
        let rigid = |joint: usize| match self.joints[joint] {
            Some(node) => Transform::new(world.matrices[node].translation, world.turns[node]),
            None => Transform::IDENTITY,
        };
        (0..self.joints.len())
            .map(|joint| match self.rig.parents[joint] {
                Some(parent) => rigid(parent).inverse() * rigid(joint),
                None => rigid(joint),
            })
            .collect()
    }

    /// The joints' rest transforms, and for each what makes a point of its
    /// node a point of the joint. Notes what scale there was.
    pub fn rest(&self, notes: &mut Vec<Note>) -> Result<Rest, ReadError> {
        let world = self.world(&self.rest);
        let mut unscaled = Vec::new();
        let (mut scaled, mut uneven, mut mirrored) = (Vec::new(), Vec::new(), Vec::new());
        for (joint, &node) in self.joints.iter().enumerate() {
            let Some(node) = node else {
                unscaled.push(DAffine3::IDENTITY);
                continue;
            };
            let matrix = world.matrices[node];
            if is_lost(&matrix) {
                let place = Place::Path(format!("nodes[{}]", self.nodes[node]));
                return Err(ReadError::new(
                    place,
                    "a place too far away for numbers",
                    "a place near the origin",
                ));
            }
            let rigid = DAffine3::from_rotation_translation(world.turns[node], matrix.translation);
            let own = rigid.inverse() * matrix;
            let name = &self.rig.names[joint];
            let size = own.matrix3.determinant().abs().cbrt();
            let mirror = own.matrix3.determinant() < 0.0;
            let mut even = glam::DMat3::from_diagonal(DVec3::splat(size));
            if mirror {
                even.x_axis = -even.x_axis;
                mirrored.push(name);
            }
            if size < 1.0e-9 || !own.matrix3.abs_diff_eq(even, size * 1.0e-3) {
                uneven.push(name);
            } else if (size - 1.0).abs() > 1.0e-3 {
                scaled.push((name, size));
            }
            unscaled.push(own);
        }
        if let Some((first, size)) = scaled.first() {
            let count = scaled.len();
            notes.push(Note::new(format!(
                "the scale of {count} joints is now in their offsets (first {}, {size:.4})",
                quoted(first)
            )));
        }
        if let Some(first) = uneven.first() {
            let count = uneven.len();
            notes.push(Note::new(format!(
                "{count} joints have a scale that differs along the axes, or shear (first {}): their places are kept, their shape is not",
                quoted(first)
            )));
        }
        if let Some(first) = mirrored.first() {
            let count = mirrored.len();
            notes.push(Note::new(format!(
                "{count} joints were mirrored (first {}); their x axis is reversed",
                quoted(first)
            )));
        }
        let matrices =
            self.joints.iter().map(|n| n.map_or(DAffine3::IDENTITY, |n| world.matrices[n])).collect();
        Ok(Rest { transforms: self.joint_locals(&world), unscaled, matrices })
    }
}

/// The rest pose of a rig.
pub(super) struct Rest {
    /// Each joint's transform to its parent joint.
    pub transforms: Vec<Transform>,
    /// From each node's own frame, with its scale, to the joint's.
    pub unscaled: Vec<DAffine3>,
    /// From each node's frame to the model, as the file has it.
    pub matrices: Vec<DAffine3>,
}

/// The curves of an animation, by the stage's nodes.
struct Tracks {
    curves: Vec<(usize, Property, Curve)>,
    /// The keys that the file holds for them.
    keys: usize,
    /// The keys of all channels of this and earlier animations.
    looked_at: usize,
}

/// Checks what the animations refer to.
pub(super) fn check_channels(document: &Document) -> Result<(), ReadError> {
    for (a, animation) in document.animations.iter().enumerate() {
        for (c, channel) in animation.channels.iter().enumerate() {
            let place = |field: &str| Place::Path(format!("animations[{a}].channels[{c}].{field}"));
            if channel.sampler >= animation.samplers.len() {
                let expected = format!("one of the animation's {} samplers", animation.samplers.len());
                return Err(ReadError::new(
                    place("sampler"),
                    format!("sampler {}", channel.sampler),
                    expected,
                ));
            }
            if let Some(node) = channel.target.node.filter(|&node| node >= document.nodes.len()) {
                let expected = format!("one of the file's {} nodes", document.nodes.len());
                return Err(ReadError::new(place("target.node"), format!("node {node}"), expected));
            }
            let path = channel.target.path.as_str();
            if !["translation", "rotation", "scale", "weights", "pointer"].contains(&path) {
                let expected = "'translation', 'rotation', 'scale' or 'weights'";
                return Err(ReadError::new(place("target.path"), quoted(path), expected));
            }
        }
    }
    Ok(())
}

/// Every animation of a file as motions of its skeleton, whose channels have
/// been checked.
pub(super) fn motions(
    document: &Document,
    stage: &Stage<'_>,
    skeleton: &Skeleton,
    buffers: &mut Buffers<'_>,
    notes: &mut Vec<Note>,
) -> Result<Vec<Motion>, ReadError> {
    let mut all: Vec<Tracks> = Vec::new();
    for (a, animation) in document.animations.iter().enumerate() {
        let before: usize = all.last().map_or(0, |tracks| tracks.looked_at);
        all.push(tracks(document, stage, (a, before), animation, buffers, notes)?);
    }
    let keys: usize = all.iter().map(|tracks| tracks.keys).sum();
    let spare = SPARE_SAMPLES / all.len().max(1);
    let mut timings = Vec::new();
    for (animation, tracks) in document.animations.iter().zip(&all) {
        let most = (spare + tracks.keys.saturating_mul(FRAMES_PER_KEY)) / skeleton.len();
        let kept = animation.extras.as_ref().and_then(Extras::deserialize_from);
        let smooth = tracks.curves.iter().any(|(_, _, curve)| curve.is_smooth());
        timings.push(timing(tracks.times(), smooth, kept.as_ref(), most.max(2)));
    }
    // Each animation has at least two frames, so many of them may still be too
    // much for a large skeleton.
    let moving = || all.iter().zip(&timings).filter(|(tracks, _)| !tracks.curves.is_empty());
    let samples =
        moving().fold(0usize, |sum, (_, timing)| sum.saturating_add(timing.frames * skeleton.len()));
    if samples > SPARE_SAMPLES.saturating_mul(2).saturating_add(keys.saturating_mul(FRAMES_PER_KEY)) {
        let found = format!("{} animations of {} joints with {keys} keys", all.len(), skeleton.len());
        let place = Place::Path("animations".into());
        return Err(ReadError::new(place, found, "fewer animations or joints, or more keys"));
    }

    let size = size_of(skeleton);
    let mut motions = Vec::new();
    for (a, (tracks, timing)) in all.iter().zip(&timings).enumerate() {
        let animation = &document.animations[a];
        if tracks.curves.is_empty() {
            continue;
        }
        if let Some(text) = &timing.note {
            notes.push(Note::new(format!("animation {}: {text}", called(a, animation))));
        }
        if timing.start.abs() > 0.1 {
            let (name, start) = (called(a, animation), timing.start);
            notes.push(Note::new(format!("animation {name}: begins with its first key, at {start:.2} s")));
        }
        let mut frames = sampled(stage, skeleton, tracks, timing).ok_or_else(|| {
            let place = Place::Path(format!("animations[{a}]"));
            ReadError::new(place, "places too far away for numbers", "places near the origin")
        })?;
        still(&mut frames, skeleton, size);
        let name = animation.name.clone().unwrap_or_default();
        motions.push(Motion { name, frame_time: timing.frame_time, frames });
    }
    Ok(motions)
}

impl Tracks {
    /// The times of all keys. Curves mostly share theirs; each list counts once.
    fn times(&self) -> Vec<f64> {
        let mut seen = HashSet::new();
        let lists = self.curves.iter().map(|(_, _, curve)| &curve.times);
        lists.filter(|times| seen.insert(times.as_ptr())).flat_map(|times| times.iter().copied()).collect()
    }
}

fn called(index: usize, animation: &Animation) -> String {
    match animation.name.as_deref() {
        Some(name) if !name.is_empty() => quoted(name),
        _ => index.to_string(),
    }
}

/// Reads the channels of an animation that move the rig.
fn tracks(
    document: &Document,
    stage: &Stage<'_>,
    (index, looked_at): (usize, usize),
    animation: &Animation,
    buffers: &mut Buffers<'_>,
    notes: &mut Vec<Note>,
) -> Result<Tracks, ReadError> {
    let mut seen = HashSet::new();
    let mut tracks = Tracks { curves: Vec::new(), keys: 0, looked_at };
    let mut outputs = HashSet::new();
    let (mut elsewhere, mut others, mut twice, mut sizes, mut matrices) = (0, 0, 0, 0, 0);
    for (c, channel) in animation.channels.iter().enumerate() {
        let sampler = &animation.samplers[channel.sampler];
        let property = match channel.target.path.as_str() {
            "translation" => Some(Property::Translation),
            "rotation" => Some(Property::Rotation),
            "scale" => Some(Property::Scale),
            _ => None,
        };
        let Some(property) = property else {
            others += 1;
            continue;
        };
        let Some(node) = channel.target.node.and_then(|node| stage.place.get(&node).copied()) else {
            elsewhere += 1;
            continue;
        };
        let Some(parts) = stage.parts[node] else {
            let place = Place::Path(format!("animations[{index}].channels[{c}].target.node"));
            let found = format!("node {}, whose matrix has shear", stage.nodes[node]);
            return Err(ReadError::new(place, found, "a node with translation, rotation and scale"));
        };
        matrices += usize::from(matches!(stage.rest[node], Local::Matrix(_)));
        if !seen.insert((node, property)) {
            twice += 1;
            continue;
        }
        let length = document.accessors.get(sampler.input).map_or(0, |input| input.count);
        tracks.looked_at = tracks.looked_at.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
        if tracks.looked_at > MOST_KEYS {
            let found = format!("{} keys together with those before", tracks.looked_at);
            let place = Place::Path(format!("animations[{index}].channels[{c}]"));
            return Err(ReadError::new(place, found, format!("at most {MOST_KEYS} in a file")));
        }
        let sampler_path = format!("animations[{index}].samplers[{}]", channel.sampler);
        let curve = Curve::read(sampler, property, &sampler_path, buffers)?;
        if property == Property::Scale && curve.greatest_change_from(parts.scale) > 1.0e-3 {
            sizes += 1;
        }
        if outputs.insert(sampler.output) {
            tracks.keys += curve.times.len();
        }
        tracks.curves.push((node, property, curve));
    }
    tracks.curves.sort_by_key(|(node, property, _)| (*node, *property));
    let mut say = |count: usize, text: &str| {
        if count > 0 {
            notes.push(Note::new(format!("animation {}: {count} {text}", called(index, animation))));
        }
    };
    say(elsewhere, "channels move nodes that are not joints, or none, and were left out");
    say(others, "channels of morph weights or other properties were left out");
    say(matrices, "channels move nodes that have a matrix, which was taken apart");
    say(twice, "channels move what another one moves already and were left out");
    say(
        sizes,
        "channels change a joint's scale: the places of joints below follow, the scale itself is not kept",
    );
    Ok(tracks)
}

/// The poses of a motion; `None` where a place is too far away for numbers.
fn sampled(stage: &Stage<'_>, skeleton: &Skeleton, tracks: &Tracks, timing: &Timing) -> Option<Vec<Pose>> {
    let snap = timing.frame_time * 1.0e-2;
    let mut cursors = vec![0; tracks.curves.len()];
    let mut locals = stage.rest.clone();
    for (node, _, _) in &tracks.curves {
        if let Some(parts) = stage.parts[*node] {
            locals[*node] = Local::Parts(parts);
        }
    }
    let mut frames: Vec<Pose> = Vec::with_capacity(timing.frames);
    for frame in 0..timing.frames {
        let time = timing.start + frame as f64 * timing.frame_time;
        for ((node, property, curve), cursor) in tracks.curves.iter().zip(&mut cursors) {
            let value = curve.at(time, snap, cursor);
            let Local::Parts(parts) = &mut locals[*node] else { continue };
            match property {
                Property::Translation => parts.translation = value.truncate(),
                Property::Rotation => parts.rotation = DQuat::from_vec4(value),
                Property::Scale => parts.scale = value.truncate(),
            }
        }
        let world = stage.world(&locals);
        if world.matrices.iter().any(is_lost) {
            return None;
        }
        let mut pose = Pose::rest(skeleton);
        for (joint, local) in stage.joint_locals(&world).into_iter().enumerate() {
            let id = skeleton.from_builder()[joint];
            pose.set_local(skeleton, id, local);
            let before = frames.last().map_or(DQuat::IDENTITY, |last| last.rotation(id));
            pose.set_rotation(id, same_side(pose.rotation(id), before));
        }
        frames.push(pose);
    }
    Some(frames)
}

/// Makes joints that only tremble by rounding stand still.
fn still(frames: &mut [Pose], skeleton: &Skeleton, size: f64) {
    for joint in skeleton.ids() {
        let shift = frames.iter().map(|pose| pose.translation(joint).length()).fold(0.0, f64::max);
        if shift < STILL_SHIFT * size {
            frames.iter_mut().for_each(|pose| pose.set_translation(joint, DVec3::ZERO));
        }
        let turn = frames.iter().map(|pose| angle(pose.rotation(joint))).fold(0.0, f64::max);
        if turn < STILL_TURN {
            frames.iter_mut().for_each(|pose| pose.set_rotation(joint, DQuat::IDENTITY));
        }
    }
}

/// How far the skeleton reaches from its root.
fn size_of(skeleton: &Skeleton) -> f64 {
    let model = sinew_f64::ModelPose::rest(skeleton);
    let root = model.position(skeleton.root());
    model.positions().iter().map(|place| (*place - root).length()).fold(0.0, f64::max)
}

impl Extras<MotionExtras> {
    fn deserialize_from(extras: &serde_json::Value) -> Option<MotionExtras> {
        serde_json::from_value::<Self>(extras.clone()).ok().map(|extras| extras.sinew)
    }
}
