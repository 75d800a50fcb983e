//! Animations as motions: the channels of the rig's nodes, sampled at steady frames.

use std::collections::HashSet;

use glam::{DQuat, DVec3};
use sinew_f64::math::rotation::{angle, same_side};
use sinew_f64::{Pose, Skeleton};

use super::accessor::Buffers;
use super::curve::{Curve, Property};
use super::document::{Animation, Document};
use super::extras::{Extras, MotionExtras};
use super::forest::Local;
use super::stage::{Stage, is_lost};
use super::timing::{Timing, timing};
use crate::error::{Place, ReadError, quoted};
use crate::{Budget, Motion, Note};

/// Frames times joints that a file may have beyond [`FRAMES_PER_KEY`] for
/// each of its keys. A few bytes must not take minutes to sample; what they take
/// in memory is the [`Budget`]'s to bound.
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

/// Every animation of a file that moves the rig, with its index, as a motion of
/// the skeleton. The channels have been checked.
pub(super) fn motions(
    document: &Document,
    stage: &Stage,
    skeleton: &Skeleton,
    (buffers, budget): (&mut Buffers<'_>, Budget),
    notes: &mut Vec<Note>,
) -> Result<Vec<(usize, Motion)>, ReadError> {
    let mut all: Vec<Tracks> = Vec::new();
    for (a, animation) in document.animations.iter().enumerate() {
        let before: usize = all.last().map_or(0, |tracks| tracks.looked_at);
        all.push(tracks(document, stage, (a, before), animation, buffers, notes)?);
    }
    let keys: usize = all.iter().map(|tracks| tracks.keys).sum();
    let spare = SPARE_SAMPLES / all.len().max(1);
    let moved = all.iter().filter(|tracks| !tracks.curves.is_empty()).count().max(1);
    let mut timings = Vec::new();
    for (animation, tracks) in document.animations.iter().zip(&all) {
        let most = (spare + tracks.keys.saturating_mul(FRAMES_PER_KEY)) / skeleton.len();
        let most = most.min(budget.poses(skeleton) / moved);
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
    let frames = moving().fold(0usize, |sum, (_, timing)| sum.saturating_add(timing.frames));
    budget.check_poses(skeleton.len(), frames)?;

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
        let mut frames = sampled(stage, skeleton, tracks, timing).ok_or_else(|| {
            let place = Place::Path(format!("animations[{a}]"));
            ReadError::new(place, "places too far away for numbers", "places near the origin")
        })?;
        still(&mut frames, skeleton, size);
        let name = animation.name.clone().unwrap_or_default();
        let motion = Motion { start: timing.start, ..Motion::new(name, timing.frame_time, frames) };
        motions.push((a, motion));
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
    stage: &Stage,
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
        let Some(node) = channel.target.node.and_then(|node| stage.place_of(node)) else {
            elsewhere += 1;
            continue;
        };
        let Some(parts) = stage.shown()[node].parts() else {
            let place = Place::Path(format!("animations[{index}].channels[{c}].target.node"));
            let found = format!("node {}, whose matrix has shear", stage.node_at(node));
            return Err(ReadError::new(place, found, "a node with translation, rotation and scale"));
        };
        matrices += usize::from(matches!(stage.shown()[node], Local::Matrix(_)));
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
fn sampled(stage: &Stage, skeleton: &Skeleton, tracks: &Tracks, timing: &Timing) -> Option<Vec<Pose>> {
    let snap = timing.step * 1.0e-2;
    let mut cursors = vec![0; tracks.curves.len()];
    // What has no channel stays as the file shows it, also where that is not the rest pose.
    let mut locals = stage.shown().to_vec();
    for (node, _, _) in &tracks.curves {
        if let Some(parts) = stage.shown()[*node].parts() {
            locals[*node] = Local::Parts(parts);
        }
    }
    let mut frames: Vec<Pose> = Vec::with_capacity(timing.frames);
    for frame in 0..timing.frames {
        let time = timing.start + frame as f64 * timing.step;
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
        for (id, local) in skeleton.ids().zip(stage.joint_locals(&world)) {
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
