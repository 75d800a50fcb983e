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
    pub const SIX: [Self; 6] = [
        Self::Pelvis,
        Self::Head,
        Self::Wrist(Side::Left),
        Self::Wrist(Side::Right),
        Self::Ankle(Side::Left),
        Self::Ankle(Side::Right),
    ];

    /// Its place in [`ALL`](Self::ALL).
    #[inline]
    pub const fn index(self) -> usize {
        match self {
            Self::Pelvis => 0,
            Self::Head => 1,
            Self::Wrist(Side::Left) => 2,
            Self::Wrist(Side::Right) => 3,
            Self::Ankle(Side::Left) => 4,
            Self::Ankle(Side::Right) => 5,
            Self::Chest => 6,
            Self::Elbow(Side::Left) => 7,
            Self::Elbow(Side::Right) => 8,
            Self::Knee(Side::Left) => 9,
            Self::Knee(Side::Right) => 10,
        }
    }

    /// A word for people and for the columns of a table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pelvis => "pelvis",
            Self::Head => "head",
            Self::Wrist(Side::Left) => "left_wrist",
            Self::Wrist(Side::Right) => "right_wrist",
            Self::Ankle(Side::Left) => "left_ankle",
            Self::Ankle(Side::Right) => "right_ankle",
            Self::Chest => "chest",
            Self::Elbow(Side::Left) => "left_elbow",
            Self::Elbow(Side::Right) => "right_elbow",
            Self::Knee(Side::Left) => "left_knee",
            Self::Knee(Side::Right) => "right_knee",
        }
    }
}

/// What a tracker says of one point, in model space.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tracker {
    /// Where the point's joint stands; `None` if the tracker is not seen.
    pub position: Option<Vec3>,
    /// How the point's joint is turned; `None` if the tracker cannot say.
    pub orientation: Option<Quat>,
}

/// One frame of tracked points.
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
    points: [Tracker; Point::COUNT],
}

impl Trackers {
    /// The same with the point at a position.
    #[must_use]
    pub fn with(mut self, point: Point, position: Vec3) -> Self {
        self.points[point.index()].position = Some(position);
        self
    }

    /// The same with the point turned.
    #[must_use]
    pub fn turned(mut self, point: Point, orientation: Quat) -> Self {
        self.points[point.index()].orientation = Some(orientation);
        self
    }

    /// The same without the point.
    #[must_use]
    pub fn without(mut self, point: Point) -> Self {
        self.points[point.index()] = Tracker::default();
        self
    }

    /// What is said of a point.
    #[inline]
    pub fn get(&self, point: Point) -> Tracker {
        self.points[point.index()]
    }

    /// Sets what is said of a point.
    #[inline]
    pub fn set(&mut self, point: Point, tracker: Tracker) {
        self.points[point.index()] = tracker;
    }

    /// Where a point is.
    #[inline]
    pub fn position(&self, point: Point) -> Option<Vec3> {
        self.points[point.index()].position
    }

    /// The same, every position made larger from the origin by this factor.
    #[must_use]
    pub fn scaled(mut self, factor: Real) -> Self {
        for tracker in &mut self.points {
            tracker.position = tracker.position.map(|p| p * factor);
        }
        self
    }
}
