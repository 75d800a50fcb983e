//! Two ranges for the two angles of a universal joint.
//!
//! A universal joint is an Euler joint whose third angle is zero, and its limit
//! is an Euler box with a third range of no width; the nearest allowed rotation
//! is found by the same search (see [`EulerLimit`](super::EulerLimit)).

use alloc::vec::Vec;

use super::euler::nearest::{Box3, Hopf};
use super::{AngleRange, LimitComponent, LimitError, Outline, SLACK};
use crate::math::*;

/// How far a universal joint turns about each of its axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct UniversalLimit {
    /// The joint's axes: the one fixed to the parent, then the one it carries.
    pub axes: [Vec3; 2],
    /// The allowed angles about each.
    pub ranges: [AngleRange; 2],
}

impl UniversalLimit {
    /// `first` about the first axis, then `second` about the second.
    pub const fn new(axes: [Vec3; 2], first: AngleRange, second: AngleRange) -> Self {
        Self { axes, ranges: [first, second] }
    }

    fn angle_box(&self) -> Box3 {
        Box3 { ranges: [self.ranges[0], self.ranges[1], AngleRange::new(0.0, 0.0)] }
    }

    /// `q` with its vector part along the axes.
    fn to_axes(self, q: Quat) -> Quat {
        let [first, second] = self.axes;
        let v = Vec3::new(q.x, q.y, q.z);
        Quat::from_xyzw(v.dot(first), v.dot(second), v.dot(first.cross(second)), q.w)
    }

    fn out_of_axes(self, q: Quat) -> Quat {
        let [first, second] = self.axes;
        let v = first * q.x + second * q.y + first.cross(second) * q.z;
        Quat::from_xyzw(v.x, v.y, v.z, q.w)
    }

    #[inline]
    pub(super) fn project(&self, q: Quat, inset: Real) -> Option<Quat> {
        let local = self.to_axes(q);
        if self.surely_allows(local, inset) {
            return None;
        }
        let local = Hopf::from_quat(local);
        local.project(&self.angle_box(), inset).map(|inside| self.out_of_axes(inside))
    }

    /// Whether a rotation along the axes is one of the joint's and well within both ranges, as far
    /// as a rough arc tangent can tell; the true ones take ten times as long, and most rotations
    /// that are asked about are well inside.
    #[inline]
    fn surely_allows(&self, q: Quat, inset: Real) -> bool {
        // Twice the 0.0038 by which the arc tangent is off, and more than rounding adds.
        const ROUGHLY: Real = 0.01;
        let within = |range: AngleRange, sin: Real| {
            let (sin, cos) = if q.w < 0.0 { (-sin, -q.w) } else { (sin, q.w) };
            let t = (sin / cos).abs();
            let (ratio, swapped) = if t > 1.0 { (1.0 / t, true) } else { (t, false) };
            let arc = ratio * (0.25 * PI + 0.273 * (1.0 - ratio));
            let angle = 2.0 * if swapped { 0.5 * PI - arc } else { arc };
            range.edge_distance(angle.copysign(sin)) > inset + ROUGHLY
        };
        (q.x * q.y - q.w * q.z).abs() <= 0.5 * SLACK
            && q.w.abs() > 0.01
            && within(self.ranges[0], q.x)
            && within(self.ranges[1], q.y)
    }

    pub(super) fn nearest_component(&self, q: Quat) -> Option<(LimitComponent, Real)> {
        let (first, second) = universal_angles(self.axes[0], self.axes[1], q);
        let distances = [self.ranges[0].room(first), self.ranges[1].room(second)];
        let i = usize::from(distances[1] < distances[0]);
        distances[i].is_finite().then_some((LimitComponent::Euler(i as u8), distances[i]))
    }

    /// Where the carried side, at right angles to both axes, points while the
    /// two angles go round the edge of their ranges.
    pub(super) fn outlines(&self, segments: usize) -> Vec<Outline> {
        let [first, second] = self.axes;
        let side = first.cross(second);
        let clipped = |r: AngleRange| if r.is_whole_turn() { AngleRange::symmetric(PI) } else { r };
        let (a, b) = (clipped(self.ranges[0]), clipped(self.ranges[1]));
        let points = super::euler::around(a, b, segments)
            .map(|(x, y)| rotation::about(first, x) * (rotation::about(second, y) * side))
            .collect();
        alloc::vec![Outline { component: LimitComponent::Euler(0), points, closed: true }]
    }

    pub(super) fn check(&mut self, first: Vec3, second: Vec3) -> Result<(), LimitError> {
        for (axis, joint) in self.axes.iter_mut().zip([first, second]) {
            let unit = super::swing::checked_direction(*axis, "an axis")?;
            if unit.dot(joint) < 1.0 - 1.0e-4 {
                return Err(LimitError::BadShape("its axes are not the axes of the joint"));
            }
            *axis = joint;
        }
        self.ranges.iter().try_for_each(|r| r.check())
    }
}

/// The two angles of a universal joint whose rotation is nearest to `q`. Both
/// axes must be unit vectors at right angles to each other.
///
/// With half angles the agreement of `q` with such a rotation is a sum of two
/// cosines, one of the angles' sum and one of their difference, so each can be
/// met by itself.
pub fn universal_angles(first: Vec3, second: Vec3, q: Quat) -> (Real, Real) {
    let v = Vec3::new(q.x, q.y, q.z);
    let (x, y, z, w) = (v.dot(first), v.dot(second), v.dot(first.cross(second)), q.w);
    // Where both vanish, every angle is as good; atan2 gives zero.
    let sum = (x + y).atan2(w - z);
    let difference = (x - y).atan2(w + z);
    (wrap_angle(sum + difference), wrap_angle(sum - difference))
}

/// How far from a rotation that a universal joint can have `q` is, in radians, where that is
/// little: the cosine of half of it is the mean of the roots of 1 ± 2·(xy − wz).
pub(super) fn off_surface(first: Vec3, second: Vec3, q: Quat) -> Real {
    let v = Vec3::new(q.x, q.y, q.z);
    2.0 * (v.dot(first) * v.dot(second) - q.w * v.dot(first.cross(second))).abs()
}

#[cfg(test)]
#[path = "../../tests/unit/limit_universal.rs"]
mod tests;
