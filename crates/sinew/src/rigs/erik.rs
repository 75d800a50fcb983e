//! The seven test robots of ERIK.
//!
//! Ribeiro & Paiva 2019, Table 5, gives the axes from the root to the end point
//! and the ranges: ±π/2 everywhere, but ±π for robots B and D. It gives segment
//! lengths for robot C alone (Table 6: 10, 30, 30, 0, 40). The others follow the
//! pattern of C, in its units taken as centimetres: the twist at the root carries
//! 10, every bend 30, except that the last of several bends has no length and so
//! shares its place with the twist of the head, which carries 40. A twist in the
//! middle of the chain (only G has one) has no length.
//!
//! | robot | axes | lengths |
//! |---|---|---|
//! | A | Y X Y | 10 30 40 |
//! | B | Y X Z Y | 10 30 0 40 |
//! | C | Y X X Z Y | 10 30 30 0 40 |
//! | D, E | Y X Z X Y | 10 30 30 0 40 |
//! | F | Y X X Z X Y | 10 30 30 30 0 40 |
//! | G | Y X Z X Y X Z Y | 10 30 30 30 0 30 0 40 |

use alloc::format;

use crate::math::*;
use crate::skeleton::{Skeleton, SkeletonBuilder};

/// One of the robots of ERIK's evaluation (Table 5 of the paper).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs)] // the letters are the paper's
pub enum ErikRobot {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
}

impl ErikRobot {
    /// All seven, in the paper's order.
    pub const ALL: [Self; 7] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G];

    /// The axes of the joints from the root to the end point, one letter each.
    pub const fn axes(self) -> &'static str {
        match self {
            Self::A => "YXY",
            Self::B => "YXZY",
            Self::C => "YXXZY",
            Self::D | Self::E => "YXZXY",
            Self::F => "YXXZXY",
            Self::G => "YXZXYXZY",
        }
    }

    /// The lengths of the segments from the root to the end point, in metres.
    pub const fn lengths(self) -> &'static [Real] {
        match self {
            Self::A => &[0.1, 0.3, 0.4],
            Self::B => &[0.1, 0.3, 0.0, 0.4],
            Self::C | Self::D | Self::E => &[0.1, 0.3, 0.3, 0.0, 0.4],
            Self::F => &[0.1, 0.3, 0.3, 0.3, 0.0, 0.4],
            Self::G => &[0.1, 0.3, 0.3, 0.3, 0.0, 0.3, 0.0, 0.4],
        }
    }

    /// How far every joint turns to either side, in radians.
    pub const fn range(self) -> Real {
        match self {
            Self::B | Self::D => PI,
            _ => PI * 0.5,
        }
    }
}

/// One of ERIK's seven robots: a chain of hinges that goes straight up at rest,
/// `joint1` at the origin to the fixed joint `endpoint` at the tip of the head.
pub fn erik(robot: ErikRobot) -> Skeleton {
    let mut builder = SkeletonBuilder::new(format!("erik-{}", format!("{robot:?}").to_lowercase()));
    let axis = |letter: char| match letter {
        'X' => Vec3::X,
        'Y' => Vec3::Y,
        _ => Vec3::Z,
    };
    let heights = core::iter::once(&0.0).chain(robot.lengths());
    let hinges = robot.axes().chars().zip(heights).map(|(letter, &at)| (axis(letter), at, robot.range()));
    let head = robot.lengths().last().copied().unwrap_or(0.0);
    super::add_hinges(&mut builder, 1, hinges, ("endpoint", head));
    super::built(builder)
}
