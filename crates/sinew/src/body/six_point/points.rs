//! What is tracked: up to eleven points of a body, each with a position, and an
//! orientation where the tracker has one.

use crate::math::*;
use crate::skeleton::humanoid::Side;

/// A point of the body that may be tracked. The first six are the paper's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Point {
    /// The hips' joint.
    Pelvis,
    /// The head's joint.
    Head,
    /// A hand's joint.
    Wrist(Side),
    /// A foot's joint.
    Ankle(Side),
    /// The joint that carries the arms.
    Chest,
    /// A forearm's joint.
    Elbow(Side),
    /// A shin's joint.
    Knee(Side),
}

impl Point {
    /// How many there are.
    pub const COUNT: usize = 11;
    /// All of them, the paper's six first.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Pelvis,
        Self::Head,
        Self::Wrist(Side::Left),
        Self::Wrist(Side::Right),
        Self::Ankle(Side::Left),
        Self::Ankle(Side::Right),
        Self::Chest,
        Self::Elbow(Side::Left),
        Self::Elbow(Side::Right),
        Self::Knee(Side::Left),
        Self::Knee(Side::Right),
    ];
    /// The paper's: pelvis, head, wrists and ankles.
    pub const SIX: [Self; 6] = {
        let [six @ .., _, _, _, _, _] = Self::ALL;
        six
    };

    /// Its place in [`ALL`](Self::ALL).
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Pelvis => 0,
            Self::Head => 1,
            Self::Wrist(side) => 2 + side as usize,
            Self::Ankle(side) => 4 + side as usize,
            Self::Chest => 6,
            Self::Elbow(side) => 7 + side as usize,
            Self::Knee(side) => 9 + side as usize,
        }
    }

    /// A word for people and for the columns of a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Head => "head",
            Self::Wrist(side) => ["left_wrist", "right_wrist"][side as usize],
            Self::Ankle(side) => ["left_ankle", "right_ankle"][side as usize],
            Self::Chest => "chest",
            Self::Elbow(side) => ["left_elbow", "right_elbow"][side as usize],
            Self::Knee(side) => ["left_knee", "right_knee"][side as usize],
        }
    }
}

/// One frame of tracked points: where the joint of each stands and how it is turned in model space,
/// as far as its tracker is seen and can say.
///
/// ```
/// use sinew::Vec3;
/// use sinew::body::six_point::{Point, Trackers};
/// let frame = Trackers::default().with(Point::Head, Vec3::new(0.0, 1.6, 0.0));
/// assert_eq!(frame.position(Point::Head), Some(Vec3::new(0.0, 1.6, 0.0)));
/// assert_eq!(frame.position(Point::Pelvis), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Trackers {
    positions: [Option<Vec3>; Point::COUNT],
    orientations: [Option<Quat>; Point::COUNT],
}

impl Trackers {
    /// The same with the point at a position.
    #[must_use]
    pub fn with(mut self, point: Point, position: Vec3) -> Self {
        self.positions[point.index()] = Some(position);
        self
    }

    /// The same with the point turned.
    #[must_use]
    pub fn turned(mut self, point: Point, orientation: Quat) -> Self {
        self.orientations[point.index()] = Some(orientation);
        self
    }

    /// The same without the point.
    #[must_use]
    pub fn without(mut self, point: Point) -> Self {
        self.set(point, None, None);
        self
    }

    /// Sets what is said of a point.
    #[inline]
    pub fn set(&mut self, point: Point, position: Option<Vec3>, orientation: Option<Quat>) {
        self.positions[point.index()] = position;
        self.orientations[point.index()] = orientation;
    }

    /// Where a point is; `None` if its tracker is not seen.
    #[inline]
    pub fn position(&self, point: Point) -> Option<Vec3> {
        self.positions[point.index()]
    }

    /// How a point is turned; `None` if its tracker cannot say.
    #[inline]
    pub fn orientation(&self, point: Point) -> Option<Quat> {
        self.orientations[point.index()]
    }

    /// Whether any tracker says how it is turned.
    #[inline]
    pub(super) fn are_turned(&self) -> bool {
        self.orientations.iter().any(Option::is_some)
    }

    /// The same, every position made larger from the origin by this factor.
    #[must_use]
    pub fn scaled(mut self, factor: Real) -> Self {
        self.positions = self.positions.map(|position| Some(position? * factor));
        self
    }
}
