//! The bones that make a humanoid, with the names that VRM gives them.

use core::fmt;
use core::str::FromStr;

use crate::error::NameError;

/// A side of the body, the character's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Left, then right.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other side.
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A finger of a hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub enum Finger {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

impl Finger {
    /// From the thumb to the little finger.
    pub const ALL: [Self; 5] = [Self::Thumb, Self::Index, Self::Middle, Self::Ring, Self::Little];
}

/// A bone of a finger, counted from the hand. Of the thumb these are the
/// metacarpal, the proximal and the distal bone, of the other fingers the
/// proximal, the intermediate and the distal one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub enum Phalanx {
    First,
    Second,
    Third,
}

impl Phalanx {
    /// From the hand outwards.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Third];
}

/// A part of a humanoid body: the 55 human bones of VRM 1.0. As everywhere in
/// the engine, a bone is named by the joint at its upper end: `LowerArm` is the
/// joint at the elbow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)]
pub enum HumanoidBone {
    Hips,
    Spine,
    Chest,
    UpperChest,
    Neck,
    Head,
    Jaw,
    Eye(Side),
    Shoulder(Side),
    UpperArm(Side),
    LowerArm(Side),
    Hand(Side),
    UpperLeg(Side),
    LowerLeg(Side),
    Foot(Side),
    Toes(Side),
    Finger(Side, Finger, Phalanx),
}

/// The names of VRM 1.0 in the order of [`HumanoidBone::index`].
const NAMES: [&str; HumanoidBone::COUNT] = [
    "hips",
    "spine",
    "chest",
    "upperChest",
    "neck",
    "head",
    "jaw",
    "leftEye",
    "rightEye",
    "leftShoulder",
    "rightShoulder",
    "leftUpperArm",
    "rightUpperArm",
    "leftLowerArm",
    "rightLowerArm",
    "leftHand",
    "rightHand",
    "leftUpperLeg",
    "rightUpperLeg",
    "leftLowerLeg",
    "rightLowerLeg",
    "leftFoot",
    "rightFoot",
    "leftToes",
    "rightToes",
    "leftThumbMetacarpal",
    "leftThumbProximal",
    "leftThumbDistal",
    "leftIndexProximal",
    "leftIndexIntermediate",
    "leftIndexDistal",
    "leftMiddleProximal",
    "leftMiddleIntermediate",
    "leftMiddleDistal",
    "leftRingProximal",
    "leftRingIntermediate",
    "leftRingDistal",
    "leftLittleProximal",
    "leftLittleIntermediate",
    "leftLittleDistal",
    "rightThumbMetacarpal",
    "rightThumbProximal",
    "rightThumbDistal",
    "rightIndexProximal",
    "rightIndexIntermediate",
    "rightIndexDistal",
    "rightMiddleProximal",
    "rightMiddleIntermediate",
    "rightMiddleDistal",
    "rightRingProximal",
    "rightRingIntermediate",
    "rightRingDistal",
    "rightLittleProximal",
    "rightLittleIntermediate",
    "rightLittleDistal",
];

const FIRST_FINGER: usize = 25;

impl HumanoidBone {
    /// How many there are.
    pub const COUNT: usize = 55;

    /// Every bone, the trunk first, then pairs, then fingers.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..Self::COUNT).map(Self::from_index)
    }

    /// The bones that VRM 1.0 asks of every humanoid: hips, spine, head, upper
    /// and lower arms, hands, upper and lower legs, and feet.
    pub fn required() -> impl Iterator<Item = Self> + Clone {
        Self::all().filter(|bone| bone.is_required())
    }

    /// Its place in [`all`](Self::all).
    pub const fn index(self) -> usize {
        match self {
            Self::Hips => 0,
            Self::Spine => 1,
            Self::Chest => 2,
            Self::UpperChest => 3,
            Self::Neck => 4,
            Self::Head => 5,
            Self::Jaw => 6,
            Self::Eye(side) => 7 + side as usize,
            Self::Shoulder(side) => 9 + side as usize,
            Self::UpperArm(side) => 11 + side as usize,
            Self::LowerArm(side) => 13 + side as usize,
            Self::Hand(side) => 15 + side as usize,
            Self::UpperLeg(side) => 17 + side as usize,
            Self::LowerLeg(side) => 19 + side as usize,
            Self::Foot(side) => 21 + side as usize,
            Self::Toes(side) => 23 + side as usize,
            Self::Finger(side, finger, phalanx) => {
                FIRST_FINGER + 15 * side as usize + 3 * finger as usize + phalanx as usize
            }
        }
    }

    fn from_index(index: usize) -> Self {
        let side = |first: usize| Side::BOTH[(index - first).min(1)];
        match index {
            0 => Self::Hips,
            1 => Self::Spine,
            2 => Self::Chest,
            3 => Self::UpperChest,
            4 => Self::Neck,
            5 => Self::Head,
            6 => Self::Jaw,
            7 | 8 => Self::Eye(side(7)),
            9 | 10 => Self::Shoulder(side(9)),
            11 | 12 => Self::UpperArm(side(11)),
            13 | 14 => Self::LowerArm(side(13)),
            15 | 16 => Self::Hand(side(15)),
            17 | 18 => Self::UpperLeg(side(17)),
            19 | 20 => Self::LowerLeg(side(19)),
            21 | 22 => Self::Foot(side(21)),
            23 | 24 => Self::Toes(side(23)),
            _ => {
                let k = (index - FIRST_FINGER) % 30;
                Self::Finger(Side::BOTH[k / 15], Finger::ALL[k % 15 / 3], Phalanx::ALL[k % 3])
            }
        }
    }

    /// The name in VRM 1.0, such as `leftUpperArm`.
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The bone with this name in VRM 1.0.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().position(|n| *n == name).map(Self::from_index)
    }

    /// The bone with this name in VRM 0 (and, but for its capitals, in Unity),
    /// where the bones of the thumb are called proximal, intermediate and distal.
    pub fn from_vrm0_name(name: &str) -> Option<Self> {
        match name {
            "leftThumbProximal" => Self::from_name("leftThumbMetacarpal"),
            "rightThumbProximal" => Self::from_name("rightThumbMetacarpal"),
            "leftThumbIntermediate" => Self::from_name("leftThumbProximal"),
            "rightThumbIntermediate" => Self::from_name("rightThumbProximal"),
            "leftThumbMetacarpal" | "rightThumbMetacarpal" => None,
            other => Self::from_name(other),
        }
    }

    /// Whether VRM 1.0 asks it of every humanoid.
    pub const fn is_required(self) -> bool {
        matches!(
            self,
            Self::Hips
                | Self::Spine
                | Self::Head
                | Self::UpperArm(_)
                | Self::LowerArm(_)
                | Self::Hand(_)
                | Self::UpperLeg(_)
                | Self::LowerLeg(_)
                | Self::Foot(_)
        )
    }

    /// The side it is on; `None` for the trunk and the head.
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Eye(side)
            | Self::Shoulder(side)
            | Self::UpperArm(side)
            | Self::LowerArm(side)
            | Self::Hand(side)
            | Self::UpperLeg(side)
            | Self::LowerLeg(side)
            | Self::Foot(side)
            | Self::Toes(side)
            | Self::Finger(side, ..) => Some(side),
            _ => None,
        }
    }

    /// The same bone on the other side, or the bone itself.
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Eye(side) => Self::Eye(side.other()),
            Self::Shoulder(side) => Self::Shoulder(side.other()),
            Self::UpperArm(side) => Self::UpperArm(side.other()),
            Self::LowerArm(side) => Self::LowerArm(side.other()),
            Self::Hand(side) => Self::Hand(side.other()),
            Self::UpperLeg(side) => Self::UpperLeg(side.other()),
            Self::LowerLeg(side) => Self::LowerLeg(side.other()),
            Self::Foot(side) => Self::Foot(side.other()),
            Self::Toes(side) => Self::Toes(side.other()),
            Self::Finger(side, finger, phalanx) => Self::Finger(side.other(), finger, phalanx),
            trunk => trunk,
        }
    }

    /// The bone that it hangs on. A map may lack it; look on upwards then.
    pub const fn parent(self) -> Option<Self> {
        Some(match self {
            Self::Hips => return None,
            Self::Spine | Self::UpperLeg(_) => Self::Hips,
            Self::Chest => Self::Spine,
            Self::UpperChest => Self::Chest,
            Self::Neck | Self::Shoulder(_) => Self::UpperChest,
            Self::Head => Self::Neck,
            Self::Jaw | Self::Eye(_) => Self::Head,
            Self::UpperArm(side) => Self::Shoulder(side),
            Self::LowerArm(side) => Self::UpperArm(side),
            Self::Hand(side) => Self::LowerArm(side),
            Self::LowerLeg(side) => Self::UpperLeg(side),
            Self::Foot(side) => Self::LowerLeg(side),
            Self::Toes(side) => Self::Foot(side),
            Self::Finger(side, _, Phalanx::First) => Self::Hand(side),
            Self::Finger(side, finger, Phalanx::Second) => Self::Finger(side, finger, Phalanx::First),
            Self::Finger(side, finger, Phalanx::Third) => Self::Finger(side, finger, Phalanx::Second),
        })
    }
}

impl fmt::Display for HumanoidBone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HumanoidBone {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        let unknown = || NameError::unknown("human bone of VRM 1.0", name, Self::all().map(Self::name));
        Self::from_name(name).ok_or_else(unknown)
    }
}
