//! The bones that make a humanoid, with the names that VRM gives them.

use core::fmt;
use core::str::FromStr;

use crate::error::RigError;
use crate::math::Real;

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

    /// +1 on the left, where x points, and -1 on the right.
    pub(crate) const fn sign(self) -> Real {
        1.0 - 2.0 * self as u8 as Real
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

/// The bones without a side, then those with one, then where fingers begin: the order of
/// [`HumanoidBone::index`].
const TRUNK: [HumanoidBone; 7] = {
    use HumanoidBone::*;
    [Hips, Spine, Chest, UpperChest, Neck, Head, Jaw]
};
const PAIRS: [fn(Side) -> HumanoidBone; 9] = {
    use HumanoidBone::*;
    [Eye, Shoulder, UpperArm, LowerArm, Hand, UpperLeg, LowerLeg, Foot, Toes]
};
const FIRST_PAIR: usize = TRUNK.len();
const FIRST_FINGER: usize = FIRST_PAIR + 2 * PAIRS.len();

/// The names of both sides' bones.
macro_rules! both {
    ($($name:literal)*) => { [$([concat!("left", $name), concat!("right", $name)]),*] };
}
const TRUNK_NAMES: [&str; 7] = ["hips", "spine", "chest", "upperChest", "neck", "head", "jaw"];
const PAIR_NAMES: [[&str; 2]; 9] =
    both!["Eye" "Shoulder" "UpperArm" "LowerArm" "Hand" "UpperLeg" "LowerLeg" "Foot" "Toes"];
const FINGER_NAMES: [[&str; 2]; 15] = both![
    "ThumbMetacarpal" "ThumbProximal" "ThumbDistal"
    "IndexProximal" "IndexIntermediate" "IndexDistal"
    "MiddleProximal" "MiddleIntermediate" "MiddleDistal"
    "RingProximal" "RingIntermediate" "RingDistal"
    "LittleProximal" "LittleIntermediate" "LittleDistal"
];

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
        if index < FIRST_PAIR {
            return TRUNK[index];
        }
        if index < FIRST_FINGER {
            return PAIRS[(index - FIRST_PAIR) / 2](Side::BOTH[(index - FIRST_PAIR) % 2]);
        }
        let k = (index - FIRST_FINGER) % 30;
        Self::Finger(Side::BOTH[k / 15], Finger::ALL[k % 15 / 3], Phalanx::ALL[k % 3])
    }

    /// The name in VRM 1.0, such as `leftUpperArm`.
    pub const fn name(self) -> &'static str {
        match self.index() {
            i if i < FIRST_PAIR => TRUNK_NAMES[i],
            i if i < FIRST_FINGER => PAIR_NAMES[(i - FIRST_PAIR) / 2][(i - FIRST_PAIR) % 2],
            i => FINGER_NAMES[(i - FIRST_FINGER) % 15][(i - FIRST_FINGER) / 15],
        }
    }

    /// The bone with this name in VRM 1.0.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|bone| bone.name() == name)
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
        match self.index() {
            i if i < FIRST_PAIR => None,
            i if i < FIRST_FINGER => Some(Side::BOTH[(i - FIRST_PAIR) % 2]),
            i => Some(Side::BOTH[(i - FIRST_FINGER) / 15]),
        }
    }

    /// The same bone on the other side, or the bone itself.
    pub fn mirrored(self) -> Self {
        // Sides stand next to each other, and of fingers one after the other.
        let step = if self.index() < FIRST_FINGER { 1 } else { 15 };
        match self.side() {
            None => self,
            Some(Side::Left) => Self::from_index(self.index() + step),
            Some(Side::Right) => Self::from_index(self.index() - step),
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
    type Err = RigError;

    fn from_str(name: &str) -> Result<Self, RigError> {
        let unknown = || RigError::unknown("human bone of VRM 1.0", name, Self::all().map(Self::name));
        Self::from_name(name).ok_or_else(unknown)
    }
}
