//! From an [`Asset`] to a [`BvhDocument`].
//!
//! BVH has no rest rotations: with all angles zero, every joint's frame has the
//! axes of the model. A skeleton whose joints are turned at rest is therefore
//! written in model axes. With `W` the joint's rest rotation in model space and
//! `q` its rotation from rest, the file's rotation is `W q W⁻¹`; every joint
//! stands where it stood, in every frame, and the rest pose stays the rest pose.

use glam::{DQuat, DVec3};
use sinew_f64::math::rotation::angle;
use sinew_f64::{JointId, Pose, Skeleton};

use super::convert::rotation_axes;
use super::document::{Axis, BvhDocument, BvhHabits, BvhJoint, Channel, UpAxis};
use super::parse::{MAX_DEPTH, MAX_JOINTS};
use super::{euler, guess};
use crate::{Asset, Note, WriteError};

/// How to write a BVH file.
#[derive(Debug, Clone, PartialEq)]
pub struct BvhWriteOptions {
    /// Which of the asset's motions; BVH holds one.
    pub motion: usize,
    /// Metres in one unit of the file. `None` takes that of the recording the
    /// asset came from (BVH, ASF or AMC), also through glTF, or else the centimetre, which most
    /// programs expect.
    pub unit: Option<f64>,
    /// The order of the rotation channels, for joints that do not come from a
    /// BVH file. Z X Y is what most files have.
    pub order: [Axis; 3],
}

impl Default for BvhWriteOptions {
    fn default() -> Self {
        Self { motion: 0, unit: None, order: [Axis::Z, Axis::X, Axis::Y] }
    }
}

/// Metres below which a shift of a joint is rounding and gets no channels.
const STILL: f64 = 1e-7;
/// Radians below which two rotations are the same.
const SAME_TURN: f64 = 1e-9;
/// The same for those that a glTF file held, in single precision.
const SAME_SINGLE_TURN: f64 = 1e-6;

/// Converts an asset. What BVH cannot hold is in the document's notes.
pub fn from_asset(asset: &Asset, options: &BvhWriteOptions) -> Result<BvhDocument, WriteError> {
    let unit = options.unit.or(asset.source.recording_unit).unwrap_or(0.01);
    if !(unit.is_finite() && unit > 0.0) {
        return Err(WriteError::new("BVH", format!("the unit of {unit} m is not above zero")));
    }
    if !euler::is_full_order(&options.order) {
        let reason = format!("the order {:?} does not name each axis once", options.order);
        return Err(WriteError::new("BVH", reason));
    }
    let skeleton = &asset.skeleton;
    let mut notes = Vec::new();
    let still = asset.pose.clone().unwrap_or_else(|| Pose::rest(skeleton));
    let (frames, frame_time) = match asset.motions.get(options.motion) {
        Some(motion) => (&motion.frames[..], motion.frame_time),
        None if asset.motions.is_empty() => {
            let which = if asset.pose.is_some() { "the pose that is set" } else { "the rest pose" };
            notes.push(Note::new(format!("there is no motion; the file holds one frame of {which}")));
            (std::slice::from_ref(&still), 1.0 / 30.0)
        }
        None => {
            let reason = format!("there is no motion {}, only {}", options.motion, asset.motions.len());
            return Err(WriteError::new("BVH", reason));
        }
    };
    if let Some(pose) = frames.iter().find(|pose| pose.len() != skeleton.len()) {
        let reason = format!("a pose has {} joints and the skeleton {}", pose.len(), skeleton.len());
        return Err(WriteError::new("BVH", reason));
    }
    lost(asset, options, &mut notes);
    check_readable(skeleton)?;

    let habits = asset.source.bvh.as_ref().filter(|habits| habits.channels.len() == skeleton.len());
    let same_turn = if asset.source.gltf.is_some() { SAME_SINGLE_TURN } else { SAME_TURN };
    let axes = Axes::new(skeleton, habits, unit, same_turn);
    let mut joints = Vec::with_capacity(skeleton.len());
    let mut columns = Vec::with_capacity(skeleton.len());
    let mut refused = Vec::new();
    for id in skeleton.ids() {
        let (channels, kept) = choose_channels(skeleton, id, frames, &axes, habits, options);
        if !kept {
            refused.push(skeleton.joint(id).name());
        }
        columns.push(column(id, &channels, frames, &axes));
        joints.push(BvhJoint {
            name: skeleton.joint(id).name().into(),
            parent: skeleton.parent(id).map(JointId::index),
            offset: axes.offset(id, skeleton.joint(id).rest().translation),
            channels,
            end_sites: end_sites(skeleton, id, &axes),
        });
    }
    if let Some(first) = refused.first() {
        notes.push(Note::new(format!(
            "{} joints (first '{first}') move in ways their channels cannot say and got more of them",
            refused.len()
        )));
    }
    let mut values = Vec::with_capacity(frames.len() * columns.iter().map(|c| c.width).sum::<usize>());
    for frame in 0..frames.len() {
        for column in &columns {
            values.extend_from_slice(&column.values[frame * column.width..][..column.width]);
        }
    }
    let mut document = BvhDocument { joints, frame_time, values, notes };
    let guessed = guess::metres_for_height(guess::height(&document));
    if (guessed / unit - 1.0).abs() > 1e-6 {
        document.notes.push(Note::new(format!(
            "BVH has no units; these are {unit} m, and a reader that guesses from the size would say \
             {guessed:.6} m: give it the scale"
        )));
    }
    Ok(document)
}

/// Refuses what our own reader would refuse: a file that nobody can open again is no file.
fn check_readable(skeleton: &Skeleton) -> Result<(), WriteError> {
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for id in skeleton.ids() {
        depths.push(skeleton.parent(id).map_or(1, |parent| depths[parent.index()] + 1));
    }
    let deepest = depths.into_iter().max().unwrap_or(0);
    if deepest > MAX_DEPTH {
        let reason = format!("{deepest} joints lie below each other, and a BVH is read up to {MAX_DEPTH}");
        return Err(WriteError::new("BVH", reason));
    }
    if skeleton.len() > MAX_JOINTS {
        let reason = format!("there are {} joints, and a BVH is read up to {MAX_JOINTS}", skeleton.len());
        return Err(WriteError::new("BVH", reason));
    }
    Ok(())
}

/// Notes what the format has no room for.
fn lost(asset: &Asset, options: &BvhWriteOptions, notes: &mut Vec<Note>) {
    let count = asset.motions.len();
    if count > 1 {
        let name = &asset.motions[options.motion].name;
        let text = format!("BVH holds one motion: '{name}' is written, {} others are not", count - 1);
        notes.push(Note::new(text));
    }
    let joints = asset.skeleton.joints();
    let limits = joints.iter().filter(|joint| !joint.limit().is_none()).count();
    if limits > 0 {
        notes.push(Note::new(format!("BVH holds no limits: those of {limits} joints are not written")));
    }
    let stiff = joints.iter().filter(|joint| joint.stiffness() != 0.0).count();
    if stiff > 0 {
        notes.push(Note::new(format!("BVH holds no stiffness: that of {stiff} joints is not written")));
    }
    let turned = joints.iter().filter(|joint| angle(joint.rest().rotation) > SAME_TURN).count();
    if turned > 0 {
        notes.push(Note::new(format!(
            "BVH holds no rest rotations: the frames of {turned} joints are written in the model's axes; \
             every joint stays where it is"
        )));
    }
}

/// From the skeleton's frames to those of the file.
struct Axes<'a> {
    skeleton: &'a Skeleton,
    /// Every joint's rest rotation in model space.
    model: Vec<DQuat>,
    rest_up: UpAxis,
    motion_up: UpAxis,
    unit: f64,
    /// Radians below which two rotations of the motion are the same.
    same_turn: f64,
}

impl<'a> Axes<'a> {
    fn new(skeleton: &'a Skeleton, habits: Option<&BvhHabits>, unit: f64, same_turn: f64) -> Self {
        let mut model: Vec<DQuat> = Vec::with_capacity(skeleton.len());
        for joint in skeleton.joints() {
            let above = joint.parent().map_or(DQuat::IDENTITY, |parent| model[parent.index()]);
            model.push(above * joint.rest().rotation);
        }
        let rest_up = habits.map_or(UpAxis::Y, |habits| habits.rest_up);
        let motion_up = habits.map_or(UpAxis::Y, |habits| habits.motion_up);
        Self { skeleton, model, rest_up, motion_up, unit, same_turn }
    }

    fn above(&self, joint: JointId) -> DQuat {
        self.skeleton.parent(joint).map_or(DQuat::IDENTITY, |parent| self.model[parent.index()])
    }

    /// A vector in the frame of the joint's parent, in the file's units and rest axes.
    fn offset(&self, joint: JointId, v: DVec3) -> DVec3 {
        self.rest_up.vector_from_y_up(self.above(joint) * v) / self.unit
    }

    /// Where the joint stands in its parent's frame in a pose, as the file has it.
    fn place(&self, joint: JointId, pose: &Pose) -> DVec3 {
        let rest = self.skeleton.joint(joint).rest();
        let place = rest.translation + rest.rotation * pose.translation(joint);
        match self.skeleton.parent(joint) {
            Some(_) => self.offset(joint, place),
            None => self.motion_up.vector_from_y_up(place) / self.unit,
        }
    }

    /// How the joint is turned in its parent's frame in a pose, as the file has it.
    fn turn(&self, joint: JointId, pose: &Pose) -> DQuat {
        let model = self.model[joint.index()];
        let turn = model * pose.rotation(joint) * model.conjugate();
        if self.skeleton.parent(joint).is_some() || self.rest_up == self.motion_up {
            self.rest_up.rotation_from_y_up(turn)
        } else {
            self.motion_up.turn().conjugate() * turn * self.rest_up.turn()
        }
    }
}

/// The End Site of a joint. A leaf always gets one, since many readers insist;
/// a tip at which a joint below starts would only repeat that joint.
fn end_sites(skeleton: &Skeleton, joint: JointId, axes: &Axes) -> Vec<DVec3> {
    let to_file = |tip: DVec3| axes.rest_up.vector_from_y_up(axes.model[joint.index()] * tip) / axes.unit;
    let mut children = skeleton.children(joint).map(|child| skeleton.joint(child).rest().translation);
    match skeleton.joint(joint).tip() {
        Some(tip) if !children.any(|child| (child - tip).length() <= STILL) => vec![to_file(tip)],
        None if children.next().is_none() => vec![DVec3::ZERO],
        _ => Vec::new(),
    }
}

/// The joint's channels: those of its file if they can say all it does, else
/// what it needs; and whether the file's were kept.
fn choose_channels(
    skeleton: &Skeleton,
    joint: JointId,
    frames: &[Pose],
    axes: &Axes,
    habits: Option<&BvhHabits>,
    options: &BvhWriteOptions,
) -> (Vec<Channel>, bool) {
    let is_root = skeleton.parent(joint).is_none();
    let shifts = || frames.iter().any(|pose| pose.translation(joint).length() > STILL);
    let positions = || Axis::ALL.into_iter().map(Channel::Position);
    let rotations = || options.order.into_iter().map(Channel::Rotation);
    let Some(habits) = habits else {
        let kind = skeleton.joint(joint).kind();
        let mut channels: Vec<Channel> = Vec::new();
        if is_root || kind.slides() || shifts() {
            channels.extend(positions());
        }
        // A prismatic or fixed joint may still have been turned by hand.
        let turned = || frames.iter().any(|pose| angle(pose.rotation(joint)) > SAME_TURN);
        if is_root || kind.turns() || turned() {
            channels.extend(rotations());
        }
        return (channels, true);
    };

    let own = &habits.channels[joint.index()];
    let says_place = |axis: Axis| {
        let rest = axes.offset(joint, skeleton.joint(joint).rest().translation)[axis.index()];
        let still = STILL / axes.unit;
        own.contains(&Channel::Position(axis))
            || frames.iter().all(|pose| (axes.place(joint, pose)[axis.index()] - rest).abs() <= still)
    };
    let turn_axes: Vec<Axis> = rotation_axes(own).collect();
    let says_turn = euler::is_full_order(&turn_axes) || {
        let none = vec![0.0; turn_axes.len()];
        frames.iter().all(|pose| {
            let q = axes.turn(joint, pose);
            let back = euler::rotation(&turn_axes, &euler::fewer_angles(q, &turn_axes, &none));
            angle(back.conjugate() * q) <= axes.same_turn
        })
    };
    let says_place = Axis::ALL.into_iter().all(says_place);
    if says_place && says_turn {
        return (own.clone(), true);
    }
    let mut channels: Vec<Channel> = Vec::new();
    if says_place {
        channels.extend(own.iter().filter(|channel| matches!(channel, Channel::Position(_))));
    } else {
        channels.extend(positions());
    }
    if says_turn {
        channels.extend(turn_axes.into_iter().map(Channel::Rotation));
    } else {
        channels.extend(rotations());
    }
    (channels, false)
}

/// The numbers of one joint, frame after frame.
struct Column {
    width: usize,
    values: Vec<f64>,
}

fn column(joint: JointId, channels: &[Channel], frames: &[Pose], axes: &Axes) -> Column {
    let turn_axes: Vec<Axis> = rotation_axes(channels).collect();
    let mut angles = vec![0.0; turn_axes.len()];
    let mut values = Vec::with_capacity(frames.len() * channels.len());
    for pose in frames {
        let place = axes.place(joint, pose);
        let turn = axes.turn(joint, pose);
        angles = match (&turn_axes[..], &angles[..]) {
            (&[i, j, k], &[a, b, c]) if euler::is_full_order(&turn_axes) => {
                euler::three_angles(turn, [i, j, k], [a, b, c]).to_vec()
            }
            _ => euler::fewer_angles(turn, &turn_axes, &angles),
        };
        let mut next_angle = angles.iter();
        values.extend(channels.iter().map(|channel| match channel {
            Channel::Position(axis) => place[axis.index()],
            Channel::Rotation(_) => next_angle.next().map_or(0.0, |angle| angle.to_degrees()),
        }));
    }
    Column { width: channels.len(), values }
}
