//! Motions as animations.
//!
//! An animation that was read and not changed stays as it is, with the keys and
//! interpolation that it had. Of one that was changed, the channels that move
//! something else than the rig stay: other nodes, the weights of morph targets;
//! what only the others used leaves the file ([`compact`]).
//! New channels have one list of times; a node gets a channel for its rotation
//! if it turns away from what the file shows, and one for its translation if it
//! shifts.

use std::collections::{HashMap, HashSet};

use glam::DQuat;
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use sinew_f64::math::rotation::{angle, same_side};

use super::compact;
use super::draft::{Data, Draft, List};
use super::extras::MotionExtras;
use super::forest::Local;
use super::kept::{Base, fingerprint};
use super::raw::{RawObject, raw};
use super::timing::meant;
use super::write::{check_finite, single, single_rotation};
use crate::{Asset, Motion, Note, WriteError};

/// A change below this, in radians or as a part of the distance, is rounding.
const STILL: f64 = 1.0e-9;

/// Sets the animations of a document; `taken` are those that the asset's
/// motions were read from. Returns the places of the nodes that move.
pub(super) fn animate(
    draft: &mut Draft,
    base: &Base,
    taken: &[(usize, u64)],
    asset: &Asset,
    shown: &[Local],
    notes: &mut Vec<Note>,
) -> Result<HashSet<usize>, WriteError> {
    let mut moving = HashSet::new();
    let before = draft.list(List::Animations).to_vec();
    let sampled = compact::of_animations(&before)?;
    let read: HashSet<usize> = base.motions.iter().map(|(index, _)| *index).collect();
    let matched = matches(asset, base, taken, &before);

    // Animations of something else stay where they were among the others.
    let mut others = (0..before.len()).filter(|index| !read.contains(index)).peekable();
    let mut after = Vec::new();
    let held = held_by_pose(base, shown);
    for (motion, origin) in asset.motions.iter().zip(&matched) {
        if let Some((index, _)) = origin {
            while let Some(other) = others.next_if(|other| other < index) {
                after.push(before[other].clone());
            }
        }
        match origin {
            Some((index, true)) => after.push(untouched(draft, base, motion, &before[*index], &held)?),
            _ if motion.frames.is_empty() => {
                notes.push(Note::new(format!("the motion '{}' has no frames and was left out", motion.name)));
            }
            origin => {
                let old = origin.map(|(index, _)| &*before[index]);
                let number = after.len() + 1;
                after.push(baked(draft, base, asset, motion, number, old, shown, &mut moving, notes)?);
            }
        }
    }
    after.extend(others.map(|other| before[other].clone()));
    draft.set_list(List::Animations, after);
    compact::drop_unused(draft, &sampled, notes)?;
    Ok(moving)
}

/// For each motion the animation that it was read from, and whether it is
/// still the same. A motion that was changed is known by its name.
fn matches(
    asset: &Asset,
    base: &Base,
    taken: &[(usize, u64)],
    before: &[Box<RawValue>],
) -> Vec<Option<(usize, bool)>> {
    let mut free: Vec<(usize, u64)> = taken.to_vec();
    let same: Vec<Option<usize>> = asset
        .motions
        .iter()
        .map(|motion| {
            let print = fingerprint(motion);
            // Of several alike, as poses of one frame often are, the one of this name.
            let alike = |k: &usize| free[*k].1 == print;
            let named = |k: &usize| name_of(&before[free[*k].0]) == motion.name;
            let all = 0..free.len();
            let found = all.clone().filter(alike).find(named).or_else(|| all.clone().find(alike));
            found.map(|k| free.remove(k).0)
        })
        .collect();
    let used: HashSet<usize> = same.iter().flatten().copied().collect();
    let mut left: Vec<usize> = base.motions.iter().map(|m| m.0).filter(|i| !used.contains(i)).collect();
    same.into_iter()
        .zip(&asset.motions)
        .map(|(same, motion)| match same {
            Some(index) => Some((index, true)),
            None => {
                let k = left.iter().position(|&index| name_of(&before[index]) == motion.name)?;
                Some((left.remove(k), false))
            }
        })
        .collect()
}

fn name_of(animation: &RawValue) -> String {
    RawObject::parse(animation).ok().and_then(|object| object.read("name")).unwrap_or_default()
}

/// What a channel moves, for those that move a node.
#[derive(Deserialize)]
struct ChannelTarget {
    node: Option<usize>,
    path: String,
}

#[derive(Deserialize)]
struct OldChannel {
    sampler: usize,
    target: ChannelTarget,
}

#[derive(Serialize)]
struct Sampler {
    input: usize,
    output: usize,
    interpolation: &'static str,
}

/// The nodes that a pose holds elsewhere than the file did: their places and
/// the transforms that animations without a channel for them count on.
fn held_by_pose(base: &Base, shown: &[Local]) -> Vec<(usize, Local)> {
    let before = base.stage.shown();
    (0..shown.len()).filter(|&i| !shown[i].is_near(&before[i])).map(|i| (i, before[i])).collect()
}

/// An animation as it was. What it has no channel for stays where it was when
/// the nodes now stand in another pose: by a channel of one key.
fn untouched(
    draft: &mut Draft,
    base: &Base,
    motion: &Motion,
    old: &RawValue,
    held: &[(usize, Local)],
) -> Result<Box<RawValue>, WriteError> {
    let renamed = name_of(old) != motion.name;
    if held.is_empty() && !renamed {
        return Ok(old.to_owned());
    }
    let mut object = RawObject::parse(old)?;
    if renamed {
        object.set("name", &motion.name)?;
    }
    let mut channels: Vec<Box<RawValue>> = object.read("channels").unwrap_or_default();
    let mut samplers: Vec<Box<RawValue>> = object.read("samplers").unwrap_or_default();
    let moved: HashSet<(usize, String)> = channels
        .iter()
        .filter_map(|channel| serde_json::from_str::<OldChannel>(channel.get()).ok())
        .filter_map(|channel| Some((channel.target.node?, channel.target.path)))
        .collect();
    let mut input = None;
    for (place, local) in held {
        let node = base.stage.node_at(*place);
        let Some(parts) = local.parts() else { continue };
        let whose = || format!("the animation '{}'", motion.name);
        for (path, shape, value) in [
            ("translation", "VEC3", single(parts.translation.to_array(), whose)?.to_vec()),
            ("rotation", "VEC4", single_rotation(parts.rotation, whose)?.to_vec()),
        ] {
            if moved.contains(&(node, path.to_string())) {
                continue;
            }
            let input = match input {
                Some(input) => input,
                None => {
                    let at = single([motion.start], whose)?;
                    *input.insert(draft.push_accessor("SCALAR", 1, Data::F32(&at), None)?)
                }
            };
            let output = draft.push_accessor(shape, value.len(), Data::F32(&value), None)?;
            samplers.push(raw(&Sampler { input, output, interpolation: "STEP" })?);
            let target = json!({"node": node, "path": path});
            channels.push(raw(&json!({"sampler": samplers.len() - 1, "target": target}))?);
        }
    }
    object.set("channels", &channels)?;
    object.set("samplers", &samplers)?;
    raw(&object)
}

/// A motion as an animation of its own, with what an older one of it moved
/// beside the rig.
#[allow(clippy::too_many_arguments)] // what a motion, a document and the file before it are
fn baked(
    draft: &mut Draft,
    base: &Base,
    asset: &Asset,
    motion: &Motion,
    number: usize,
    old: Option<&RawValue>,
    shown: &[Local],
    moving: &mut HashSet<usize>,
    notes: &mut Vec<Note>,
) -> Result<Box<RawValue>, WriteError> {
    let mut object = old.map_or_else(|| Ok(RawObject::default()), RawObject::parse)?;
    let (mut channels, mut samplers) = beside_the_rig(&object, base);
    let name = if motion.name.is_empty() { format!("motion {number}") } else { motion.name.clone() };
    let tracks = Tracks::new(base, asset, motion, shown)?;
    let times = times(motion)?;
    let input = draft.push_accessor("SCALAR", 1, Data::F32(&times), None)?;
    if !tracks.sheared.is_empty() {
        let count = tracks.sheared.len();
        notes.push(Note::new(format!(
            "the motion '{name}': {count} nodes have a matrix with shear, which no animation can move"
        )));
    }
    for (place, path, values) in tracks.channels() {
        let (shape, width) = if path == "rotation" { ("VEC4", 4) } else { ("VEC3", 3) };
        let output = draft.push_accessor(shape, width, Data::F32(&values), None)?;
        samplers.push(raw(&Sampler { input, output, interpolation: "LINEAR" })?);
        let target = json!({"node": base.stage.node_at(place), "path": path});
        channels.push(raw(&json!({"sampler": samplers.len() - 1, "target": target}))?);
        moving.insert(place);
    }
    object.set("name", &name)?;
    object.set("channels", &channels)?;
    object.set("samplers", &samplers)?;
    let mut extras: RawObject = object.read("extras").unwrap_or_default();
    extras.set("sinew", &MotionExtras { frame_time: motion.frame_time, frames: motion.frames.len() })?;
    object.set("extras", &extras)?;
    raw(&object)
}

/// The channels of an animation that move something else than the rig, and
/// the samplers that they use.
fn beside_the_rig(animation: &RawObject, base: &Base) -> (Vec<Box<RawValue>>, Vec<Box<RawValue>>) {
    let channels: Vec<Box<RawValue>> = animation.read("channels").unwrap_or_default();
    let samplers: Vec<Box<RawValue>> = animation.read("samplers").unwrap_or_default();
    let (mut kept_channels, mut kept_samplers) = (Vec::new(), Vec::new());
    let mut place: HashMap<usize, usize> = HashMap::new();
    for channel in channels {
        let Ok(read) = serde_json::from_str::<OldChannel>(channel.get()) else { continue };
        let of_rig = read.target.node.is_some_and(|node| base.stage.place_of(node).is_some());
        let moves = ["translation", "rotation", "scale"].contains(&read.target.path.as_str());
        let Some(sampler) = samplers.get(read.sampler) else { continue };
        if of_rig && moves {
            continue;
        }
        let at = *place.entry(read.sampler).or_insert_with(|| {
            kept_samplers.push(sampler.clone());
            kept_samplers.len() - 1
        });
        let Ok(mut channel) = RawObject::parse(&channel) else { continue };
        if channel.set("sampler", &at).is_ok()
            && let Ok(channel) = raw(&channel)
        {
            kept_channels.push(channel);
        }
    }
    (kept_channels, kept_samplers)
}

/// The times of a motion's frames, at the rate that its frame time means.
fn times(motion: &Motion) -> Result<Vec<f32>, WriteError> {
    let what = || format!("the motion '{}'", motion.name);
    let frames = motion.frames.len();
    if frames > 1 && !(motion.frame_time > 0.0 && motion.frame_time.is_finite()) {
        return Err(WriteError::new(what(), format!("a frame time of {} s", motion.frame_time)));
    }
    let step = meant(motion.frame_time);
    let start = if motion.start.is_finite() { motion.start.max(0.0) } else { 0.0 };
    let at = |i: usize| if i == 0 { start as f32 } else { (start + i as f64 * step) as f32 };
    let times: Vec<f32> = (0..frames).map(at).collect();
    if let Some(i) = (1..frames).find(|&i| times[i] <= times[i - 1] || !times[i].is_finite()) {
        let found = format!("frames {} and {i} at times that are one in single precision", i - 1);
        return Err(WriteError::new(what(), found));
    }
    Ok(times)
}

/// The values of a channel, frame after frame. As long as all are the same, one is held: a large rig
/// mostly stands still, and its motion must not be held twice to find that out.
#[derive(Clone)]
struct Values<const N: usize> {
    first: [f32; N],
    /// How many frames are like the first, until one differs.
    alike: usize,
    /// Every frame, from when one differs.
    all: Vec<f32>,
}

impl<const N: usize> Default for Values<N> {
    fn default() -> Self {
        Self { first: [0.0; N], alike: 0, all: Vec::new() }
    }
}

impl<const N: usize> Values<N> {
    /// Adds a frame, of so many.
    fn push(&mut self, value: [f32; N], frames: usize) {
        if self.all.is_empty() {
            if self.alike == 0 {
                self.first = value;
            }
            if self.first.map(f32::to_bits) == value.map(f32::to_bits) {
                self.alike += 1;
                return;
            }
            self.all.reserve_exact(frames * N);
            self.all.extend(std::iter::repeat_n(self.first, self.alike).flatten());
        }
        self.all.extend(value);
    }

    fn finish(self) -> Vec<f32> {
        if self.all.is_empty() { self.first.repeat(self.alike) } else { self.all }
    }
}

/// What a node does in a motion.
#[derive(Clone, Default)]
struct Track {
    turns: Values<4>,
    shifts: Values<3>,
    last: DQuat,
    /// Whether it leaves the place and turn that the file shows.
    is_turned: bool,
    is_shifted: bool,
}

/// The numbers of a motion's channels.
struct Tracks {
    /// The node's place, and what it does.
    tracks: Vec<(usize, Track)>,
    sheared: HashSet<usize>,
}

impl Tracks {
    fn new(base: &Base, asset: &Asset, motion: &Motion, shown: &[Local]) -> Result<Self, WriteError> {
        let skeleton = &asset.skeleton;
        let what = || format!("the motion '{}'", motion.name);
        if let Some(frame) = motion.frames.iter().position(|pose| pose.len() != skeleton.len()) {
            let found = format!("{} joints in frame {frame}", motion.frames[frame].len());
            return Err(WriteError::new(what(), format!("{found}, and {} in the skeleton", skeleton.len())));
        }
        let frames = motion.frames.len();
        let places = skeleton.ids().filter_map(|id| base.stage.joint_place(id.index()));
        let mut tracks: Vec<(usize, Track)> = places.map(|place| (place, Track::default())).collect();
        let mut sheared = HashSet::new();
        for (frame, pose) in motion.frames.iter().enumerate() {
            let whose = || format!("frame {frame} of the motion '{}'", motion.name);
            check_finite(skeleton, pose, whose)?;
            let locals = base.locals_for(skeleton, pose, shown);
            for (place, track) in &mut tracks {
                let (Some(parts), Some(still)) = (locals[*place].parts(), shown[*place].parts()) else {
                    if locals[*place] != shown[*place] {
                        sheared.insert(*place);
                    }
                    continue;
                };
                let whose = || format!("{}, node {}", whose(), base.stage.node_at(*place));
                track.last = same_side(parts.rotation, track.last);
                track.is_turned |= angle(still.rotation.inverse() * track.last) > STILL;
                track.turns.push(single_rotation(track.last, whose)?, frames);
                let near = STILL * (1.0 + still.translation.length());
                track.is_shifted |= (parts.translation - still.translation).length() > near;
                track.shifts.push(single(parts.translation.to_array(), whose)?, frames);
            }
        }
        Ok(Self { tracks, sheared })
    }

    /// The place of each node that moves, what moves, and its values. An animation needs a channel, so the
    /// root always has one.
    fn channels(self) -> impl Iterator<Item = (usize, &'static str, Vec<f32>)> {
        let channel = |(k, (place, track)): (usize, (usize, Track))| {
            let turns = (track.is_turned || k == 0).then(|| (place, "rotation", track.turns.finish()));
            let shifts = track.is_shifted.then(|| (place, "translation", track.shifts.finish()));
            [turns, shifts].into_iter().flatten().filter(|(.., values)| !values.is_empty())
        };
        self.tracks.into_iter().enumerate().flat_map(channel)
    }
}
