//! A box of Euler angles.
//!
//! Three ranges for the three angles of one of the six orders about three
//! different axes. The allowed set is the set of *rotations* that some triple
//! of angles in the box makes, and projection finds the nearest rotation of
//! that set, not the nearest triple: clamping angle by angle would jump at
//! gimbal lock and wherever one of the equivalent triples becomes better than
//! the other. The file `euler/nearest.rs` says how it is found.

use alloc::vec::Vec;

pub(crate) mod circle;
pub(super) mod nearest;

use super::{AngleRange, LimitComponent, LimitError, Outline};
use crate::math::*;
use nearest::{Box3, Hopf};

/// The order of three turns, each about an axis that the ones before have
/// carried along: `Xyz` is `Rx · Ry · Rz`. (About fixed axes, read it backwards.)
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum EulerOrder {
    /// x, then y, then z.
    #[default]
    Xyz,
    /// x, then z, then y.
    Xzy,
    /// y, then x, then z.
    Yxz,
    /// y, then z, then x.
    Yzx,
    /// z, then x, then y.
    Zxy,
    /// z, then y, then x.
    Zyx,
}

impl EulerOrder {
    /// Every order.
    pub const ALL: [Self; 6] = [Self::Xyz, Self::Xzy, Self::Yxz, Self::Yzx, Self::Zxy, Self::Zyx];

    /// The axes by number (x is 0), first turn first.
    pub const fn axes(self) -> [usize; 3] {
        match self {
            Self::Xyz => [0, 1, 2],
            Self::Xzy => [0, 2, 1],
            Self::Yxz => [1, 0, 2],
            Self::Yzx => [1, 2, 0],
            Self::Zxy => [2, 0, 1],
            Self::Zyx => [2, 1, 0],
        }
    }

    /// One if the axes follow each other as x, y, z do, minus one otherwise.
    const fn handedness(self) -> Real {
        match self {
            Self::Xyz | Self::Yzx | Self::Zxy => 1.0,
            Self::Xzy | Self::Yxz | Self::Zyx => -1.0,
        }
    }

    /// The rotation of these angles, in the order of the turns.
    ///
    /// ```
    /// use sinew::{limit::EulerOrder, math::rotation};
    /// let q = EulerOrder::Zxy.to_quat([0.3, -0.2, 0.9]);
    /// let a = EulerOrder::Zxy.angles(q);
    /// assert!((a[0] - 0.3).abs() < 1e-5 && (a[1] + 0.2).abs() < 1e-5 && (a[2] - 0.9).abs() < 1e-5);
    /// ```
    pub fn to_quat(self, angles: [Real; 3]) -> Quat {
        let turn = |i: usize| rotation::about(Vec3::AXES[self.axes()[i]], angles[i]);
        turn(0) * turn(1) * turn(2)
    }

    /// The angles of a rotation; the middle one is between −π/2 and π/2.
    pub fn angles(self, q: Quat) -> [Real; 3] {
        let a = Hopf::from_quat(self.to_canonical(q)).angles()[0];
        [a[0], a[1], a[2] * self.handedness()]
    }

    /// Renames the axes so that the turns are about x, y and z. For a
    /// left-handed order the third angle changes its sign.
    #[inline]
    fn to_canonical(self, q: Quat) -> Quat {
        let v = [q.x, q.y, q.z];
        let [a, b, c] = self.axes();
        Quat::from_xyzw(v[a], v[b], v[c] * self.handedness(), q.w)
    }

    #[inline]
    fn out_of_canonical(self, q: Quat) -> Quat {
        let mut v = [0.0; 3];
        let [a, b, c] = self.axes();
        (v[a], v[b], v[c]) = (q.x, q.y, q.z * self.handedness());
        Quat::from_xyzw(v[0], v[1], v[2], q.w)
    }
}

/// Ranges for three Euler angles.
///
/// ```
/// use sinew::limit::{AngleRange, EulerLimit, EulerOrder, JointLimit};
/// use sinew::{Vec3, math::rotation};
/// // Turns about z and x, not about y.
/// let ranges = [AngleRange::symmetric(0.5), AngleRange::new(-0.1, 1.0), AngleRange::new(0.0, 0.0)];
/// let limit: JointLimit = EulerLimit::new(EulerOrder::Zxy, ranges).into();
/// assert_eq!(limit.violation(rotation::exp(Vec3::X * 0.9)), 0.0);
/// assert!((limit.violation(rotation::exp(Vec3::X * 1.3)) - 0.3).abs() < 1e-5);
/// assert!((limit.violation(rotation::exp(Vec3::Y * 0.2)) - 0.2).abs() < 1e-5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct EulerLimit {
    /// Turns the axes of the angles into the joint's rest frame.
    #[cfg_attr(feature = "serde", serde(default))]
    pub frame: Quat,
    /// The order of the turns.
    pub order: EulerOrder,
    /// The ranges in the order of the turns. An axis about which the joint
    /// does not turn has the range from 0 to 0.
    pub ranges: [AngleRange; 3],
}

impl EulerLimit {
    /// About the axes of the joint's rest frame.
    pub const fn new(order: EulerOrder, ranges: [AngleRange; 3]) -> Self {
        Self { frame: Quat::IDENTITY, order, ranges }
    }

    /// About axes that are turned like this against the joint's rest frame.
    pub const fn in_frame(mut self, frame: Quat) -> Self {
        self.frame = frame;
        self
    }

    /// The angles of `q`, in the order of the turns: of the two triples that
    /// make it, the one that fits the box better.
    pub fn angles(&self, q: Quat) -> [Real; 3] {
        let a = self.to_hopf(q).best_angles(&self.angle_box());
        [a[0], a[1], a[2] * self.order.handedness()]
    }

    /// The rotation of these angles, in the order of the turns.
    pub fn to_quat(&self, angles: [Real; 3]) -> Quat {
        (self.frame * self.order.to_quat(angles) * self.frame.conjugate()).normalize()
    }

    #[inline]
    fn to_hopf(self, q: Quat) -> Hopf {
        Hopf::from_quat(self.canonical(q))
    }

    /// `q` as the box sees it, its turns about x, y and z.
    #[inline]
    fn canonical(&self, q: Quat) -> Quat {
        self.order.to_canonical(self.frame.conjugate() * q * self.frame)
    }

    #[inline]
    fn angle_box(&self) -> Box3 {
        let [a, b, c] = self.ranges;
        let c = if self.order.handedness() < 0.0 { AngleRange::new(-c.max, -c.min) } else { c };
        Box3 { ranges: [a, b, c] }
    }

    /// Whether the rotation is so small that all of its angles are, told without their
    /// arc tangents: none is larger than it, up to a radian.
    #[inline]
    fn surely_inside(&self, q: Quat, inset: Real) -> bool {
        let least = self.ranges.iter().fold(1.0 as Real, |least, r| least.min(r.max).min(-r.min));
        // The sine of half of that, or a little less.
        let most = 0.479 * (least - inset);
        most > 0.0 && q.x * q.x + q.y * q.y + q.z * q.z <= most * most
    }

    #[inline]
    pub(super) fn project(&self, q: Quat, inset: Real) -> Option<Quat> {
        if self.surely_inside(q, inset) {
            return None;
        }
        let inside = self.to_hopf(q).project(&self.angle_box(), inset)?;
        Some((self.frame * self.order.out_of_canonical(inside) * self.frame.conjugate()).normalize())
    }

    pub(super) fn nearest_component(&self, q: Quat) -> Option<(LimitComponent, Real)> {
        let angles = self.angles(q);
        let mut nearest: Option<(LimitComponent, Real)> = None;
        for i in 0..3 {
            let room = self.ranges[i].room(angles[i]);
            if room.is_finite() && nearest.is_none_or(|(_, least)| room < least) {
                nearest = Some((LimitComponent::Euler(i as u8), room));
            }
        }
        nearest
    }

    /// For each of the three axes, where it points while the two turns that
    /// move it most go round the edge of their ranges, the other at its middle.
    pub(super) fn outlines(&self, segments: usize) -> Vec<Outline> {
        let clipped = |r: AngleRange| if r.is_whole_turn() { AngleRange::symmetric(PI) } else { r };
        let ranges = self.ranges.map(clipped);
        let mut outlines = Vec::new();
        for i in 0..3 {
            // The axis of one turn is moved by the other two.
            let (j, k) = ([1, 0, 0][i], [2, 2, 1][i]);
            if ranges[j].max - ranges[j].min + ranges[k].max - ranges[k].min <= super::SLACK {
                continue;
            }
            let axis = Vec3::AXES[self.order.axes()[i]];
            let points = around(ranges[j], ranges[k], segments)
                .map(|(x, y)| {
                    let mut angles = ranges.map(AngleRange::middle);
                    (angles[j], angles[k]) = (x, y);
                    self.frame * (self.order.to_quat(angles) * axis)
                })
                .collect();
            outlines.push(Outline { component: LimitComponent::Euler(i as u8), points, closed: true });
        }
        outlines
    }

    pub(super) fn check(&mut self) -> Result<(), LimitError> {
        self.frame = super::swing::checked_rotation(self.frame, "the limit's frame")?;
        self.ranges.iter().try_for_each(|r| r.check())
    }
}

/// Round the rectangle of two ranges.
pub(super) fn around(a: AngleRange, b: AngleRange, segments: usize) -> impl Iterator<Item = (Real, Real)> {
    let pieces = segments.div_ceil(4).max(1);
    let along = |r: AngleRange, t: Real| r.min + (r.max - r.min) * t;
    (0..pieces * 4).map(move |i| {
        let t = (i % pieces) as Real / pieces as Real;
        match i / pieces {
            0 => (along(a, t), b.min),
            1 => (a.max, along(b, t)),
            2 => (along(a, 1.0 - t), b.max),
            _ => (a.min, along(b, 1.0 - t)),
        }
    })
}
