//! What a BVH file says, as it says it.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

use crate::Note;

/// One of the three axes of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// All three in order.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// 0, 1 or 2.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The unit vector along it.
    pub const fn vector(self) -> DVec3 {
        match self {
            Self::X => DVec3::X,
            Self::Y => DVec3::Y,
            Self::Z => DVec3::Z,
        }
    }
}

/// What one number of a frame means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// The joint's place along an axis of its parent, in the file's units;
    /// instead of that component of the offset.
    Position(Axis),
    /// A turn about an axis, in degrees.
    Rotation(Axis),
}

impl Channel {
    /// The six channels there are.
    pub const ALL: [Self; 6] = [
        Self::Position(Axis::X),
        Self::Position(Axis::Y),
        Self::Position(Axis::Z),
        Self::Rotation(Axis::X),
        Self::Rotation(Axis::Y),
        Self::Rotation(Axis::Z),
    ];

    /// The word in the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Position(Axis::X) => "Xposition",
            Self::Position(Axis::Y) => "Yposition",
            Self::Position(Axis::Z) => "Zposition",
            Self::Rotation(Axis::X) => "Xrotation",
            Self::Rotation(Axis::Y) => "Yrotation",
            Self::Rotation(Axis::Z) => "Zrotation",
        }
    }

    /// The channel that a word names, in either case.
    pub fn from_name(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.name().as_bytes().eq_ignore_ascii_case(name))
    }
}

/// One joint as the file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct BvhJoint {
    /// The name as written; two joints may share one.
    pub name: String,
    /// The place of the joint above in the list, `None` for the root.
    pub parent: Option<usize>,
    /// From the joint above, in the file's units.
    pub offset: DVec3,
    /// What the joint's numbers in a frame mean, in the file's order.
    pub channels: Vec<Channel>,
    /// Where its bones end that no joint follows; mostly one at a leaf.
    pub end_sites: Vec<DVec3>,
}

impl BvhJoint {
    /// Where the joint stands and how it is turned in its parent's frame, in
    /// the file's units, from its numbers in a frame.
    pub fn local(&self, values: &[f64]) -> (DVec3, DQuat) {
        let mut place = self.offset;
        let mut turn = DQuat::IDENTITY;
        for (channel, &value) in self.channels.iter().zip(values) {
            match *channel {
                Channel::Position(axis) => place[axis.index()] = value,
                Channel::Rotation(axis) => turn *= turn_about(axis, value),
            }
        }
        (place, turn)
    }
}

fn turn_about(axis: Axis, degrees: f64) -> DQuat {
    let (sin, cos) = (degrees.to_radians() * 0.5).sin_cos();
    match axis {
        Axis::X => DQuat::from_xyzw(sin, 0.0, 0.0, cos),
        Axis::Y => DQuat::from_xyzw(0.0, sin, 0.0, cos),
        Axis::Z => DQuat::from_xyzw(0.0, 0.0, sin, cos),
    }
}

/// A BVH file: joints with parents before children, and the numbers of every frame.
#[derive(Debug, Clone, PartialEq)]
pub struct BvhDocument {
    /// The joints in the file's order.
    pub joints: Vec<BvhJoint>,
    /// Seconds from one frame to the next.
    pub frame_time: f64,
    /// Frame after frame, in each the channels of every joint in order.
    pub values: Vec<f64>,
    /// What was repaired on the way in, or could not be said on the way out.
    pub notes: Vec<Note>,
}

impl BvhDocument {
    /// How many numbers a frame has.
    pub fn channel_count(&self) -> usize {
        self.joints.iter().map(|joint| joint.channels.len()).sum()
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> usize {
        self.values.len().checked_div(self.channel_count()).unwrap_or(0)
    }

    /// The frames, each with one number for every channel.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.values.chunks_exact(self.channel_count().max(1))
    }

    /// Where every joint stands, in the file's units and axes: in a frame, or
    /// at rest, where only the offsets count.
    pub fn joint_positions(&self, frame: Option<&[f64]>) -> Vec<DVec3> {
        let mut placed: Vec<(DVec3, DQuat)> = Vec::with_capacity(self.joints.len());
        let mut rest = frame;
        for joint in &self.joints {
            let mut own: &[f64] = &[];
            if let Some(values) = rest {
                let (mine, others) = values.split_at(joint.channels.len().min(values.len()));
                (own, rest) = (mine, Some(others));
            }
            let (place, turn) = joint.local(own);
            let (from, frame) = joint.parent.map_or((DVec3::ZERO, DQuat::IDENTITY), |parent| placed[parent]);
            placed.push((from + frame * place, frame * turn));
        }
        placed.into_iter().map(|(place, _)| place).collect()
    }
}

/// Which axis of a file points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UpAxis {
    /// Y, which is the custom of BVH and sinew's own.
    #[default]
    Y,
    /// Z, as Blender and several capture systems write.
    Z,
}

impl UpAxis {
    /// A vector of the file in Y-up axes. The turn is a quarter turn about x,
    /// so it only swaps components and loses nothing.
    pub(super) fn vector_to_y_up(self, v: DVec3) -> DVec3 {
        match self {
            Self::Y => v,
            Self::Z => DVec3::new(v.x, v.z, -v.y),
        }
    }

    /// The other way round.
    pub(super) fn vector_from_y_up(self, v: DVec3) -> DVec3 {
        match self {
            Self::Y => v,
            Self::Z => DVec3::new(v.x, -v.z, v.y),
        }
    }

    /// The turn from the file's axes to Y-up axes.
    pub(super) fn turn(self) -> DQuat {
        match self {
            Self::Y => DQuat::IDENTITY,
            Self::Z => {
                let half = core::f64::consts::FRAC_1_SQRT_2;
                DQuat::from_xyzw(-half, 0.0, 0.0, half)
            }
        }
    }

    /// A rotation whose axis is given in the file's axes, in Y-up axes.
    pub(super) fn rotation_to_y_up(self, q: DQuat) -> DQuat {
        let v = self.vector_to_y_up(DVec3::new(q.x, q.y, q.z));
        DQuat::from_xyzw(v.x, v.y, v.z, q.w)
    }

    /// The other way round.
    pub(super) fn rotation_from_y_up(self, q: DQuat) -> DQuat {
        let v = self.vector_from_y_up(DVec3::new(q.x, q.y, q.z));
        DQuat::from_xyzw(v.x, v.y, v.z, q.w)
    }
}

/// What a BVH file does its own way, kept for the way back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BvhHabits {
    /// The channels of every joint, in the order of the skeleton.
    pub channels: Vec<Vec<Channel>>,
    /// The axis along which the skeleton of the offsets stands.
    pub rest_up: UpAxis,
    /// The axis along which the moving skeleton stands. Some programs write
    /// upright offsets and a motion in other axes.
    pub motion_up: UpAxis,
}

impl BvhHabits {
    /// Whether they are habits of a skeleton with this many joints: a list for
    /// each, and no channel twice.
    pub(crate) fn is_sound(&self, joints: usize) -> bool {
        let once = |channels: &Vec<Channel>| {
            (1..channels.len()).all(|i| !channels[..i].contains(&channels[i])) && channels.len() <= 6
        };
        self.channels.len() == joints && self.channels.iter().all(once)
    }
}
