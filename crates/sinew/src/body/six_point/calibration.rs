//! From a person's trackers to a rig's joints.
//!
//! Trackers are mounted somewhere near a joint, and people are not as large as rigs, nor are their arms as long
//! for their height. Each is one number or one offset, and they are kept apart: were height and arms one
//! factor, long-armed people would stand with bent knees.
//!
//! * **Mounts**: where a joint is, seen from its tracker, in the person's metres.
//! * **Height**: what every position is multiplied by, from the origin, which is on the ground.
//! * **Arms**: what the hands' place is multiplied by besides, from between the shoulders, so that hands
//!   that meet still meet.

use super::guard::Bounds;
use super::points::{Point, Trackers};
use super::{Branch, SixPoint, unit, usable};
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::humanoid::Side;
use crate::skeleton::{JointId, Skeleton};

/// No person is a tenth of a rig's size or ten times as large.
const SIZES: core::ops::RangeInclusive<Real> = 0.1..=10.0;
/// How much longer or shorter the arms are for the height, at most.
const ARMS: core::ops::RangeInclusive<Real> = 0.6..=1.6;
/// The part of the frames of a motion in which the head is lower, and the hands nearer, than what counts.
const UPRIGHT: Real = 0.95;

/// How a person's trackers become a rig's joints; see [`SixPoint::calibrate`].
///
/// ```
/// use sinew::body::six_point::{Calibration, Point};
/// use sinew::{Quat, Transform, Vec3};
/// // A headset whose origin is between the eyes: the head's joint is below and behind them.
/// let mount = Transform::new(Vec3::new(0.0, -0.08, -0.1), Quat::IDENTITY);
/// let calibration = Calibration::default().with_mount(Point::Head, mount);
/// assert_eq!(calibration.mount(Point::Head), mount);
/// assert_eq!(calibration.height, 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Calibration {
    /// What every position is multiplied by, from the origin on the ground.
    pub height: Real,
    /// What the hands' place is multiplied by besides, from between the shoulders.
    pub arms: Real,
    mounts: [Transform; Point::COUNT],
}

impl Default for Calibration {
    /// A person of the rig's size with trackers in the joints.
    fn default() -> Self {
        Self { height: 1.0, arms: 1.0, mounts: [Transform::IDENTITY; Point::COUNT] }
    }
}

impl Calibration {
    /// Where a point's joint is, and how it is turned, seen from its tracker.
    pub fn mount(&self, point: Point) -> Transform {
        self.mounts[point.index()]
    }

    /// The same with a point's joint there, seen from its tracker. A tracker without an orientation cannot be
    /// moved by it and counts as the joint itself. A mount that is not finite is none.
    #[must_use]
    pub fn with_mount(mut self, point: Point, joint: Transform) -> Self {
        let rotation = unit(joint.rotation).filter(|_| joint.translation.is_finite());
        self.mounts[point.index()] =
            rotation.map_or(Transform::IDENTITY, |rotation| Transform::new(joint.translation, rotation));
        self
    }

    /// Whether every number is one that makes sense.
    fn is_valid(&self) -> bool {
        SIZES.contains(&self.height) && ARMS.contains(&self.arms)
    }

    /// Whether trackers stand for joints other than where they are: without an orientation none is moved.
    #[inline]
    pub(super) fn changes(&self, turned: bool) -> bool {
        self.height != 1.0 || turned
    }

    /// The joints of trackers, at the rig's size.
    pub(super) fn joints(&self, trackers: &Trackers) -> Trackers {
        let mut joints = *trackers;
        for point in Point::ALL {
            let mount = &self.mounts[point.index()];
            let turn = trackers.orientation(point).and_then(unit);
            if let Some(turn) = turn.filter(|_| *mount != Transform::IDENTITY) {
                let at = trackers.position(point).map(|at| at + turn * mount.translation);
                joints.set(point, at, Some((turn * mount.rotation).normalize()));
            }
        }
        if self.height == 1.0 { joints } else { joints.scaled(self.height) }
    }
}

impl SixPoint {
    /// How the trackers become joints.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// Takes a calibration, as one that was kept from another day, and forgets the frames before. One that makes
    /// no sense (a size beyond a tenth or ten times the rig's, arms beyond 0.6 or 1.6 times) is refused.
    pub fn set_calibration(&mut self, calibration: Calibration) -> bool {
        let valid = calibration.is_valid();
        if valid {
            self.calibration = calibration;
            self.reset();
        }
        valid
    }

    /// Takes a person's size from a T-pose, an A-pose or any other in which they stand upright with stretched
    /// arms: from now on the person is as large as the rig, and so are the arms. Returns the factor of the
    /// height, or `None` and changes nothing where head and wrists are not all seen or the size is beyond a
    /// tenth or ten times the rig's. The height is that from ankles to head or, where no ankles are seen, of the head
    /// over the origin. [Mounts](Calibration::with_mount) that were set stay.
    pub fn calibrate(&mut self, pose: &Trackers) -> Option<Real> {
        self.calibrate_from(core::slice::from_ref(pose))
    }

    /// The same from some seconds of motion: the person stands upright once and stretches the arms once, in
    /// whatever direction. One frame in twenty may be wrong. Arms that are nowhere nearly stretched
    /// say nothing, and keep the rig's proportion.
    pub fn calibrate_from(&mut self, frames: &[Trackers]) -> Option<Real> {
        let mounts = Calibration { height: 1.0, arms: 1.0, ..self.calibration };
        let mut heights = alloc::vec::Vec::new();
        for frame in frames {
            heights.extend(person_height(&mounts.joints(frame), &self.rig.bounds));
        }
        let (person, rig) = at_part(&mut heights, UPRIGHT, |h| h.0)?;
        let height = rig / person.max(TINY);
        let sized = Calibration { height, ..mounts };
        let mut arms = alloc::vec::Vec::new();
        for frame in frames {
            arms.extend(self.arm_factor(&sized.joints(frame)));
        }
        // The further the hands are, the smaller the factor.
        let arms = at_part(&mut arms, UPRIGHT, |f| -f)?;
        let arms = if ARMS.contains(&arms) { arms } else { 1.0 };
        self.set_calibration(Calibration { arms, ..sized }).then_some(height)
    }

    /// By what the hands' distance from between the shoulders is to be multiplied for stretched arms.
    fn arm_factor(&self, seen: &Trackers) -> Option<Real> {
        let bounds = &self.rig.bounds;
        let head = usable(seen.position(Point::Head))?;
        let hands = [Side::Left, Side::Right].map(|side| usable(seen.position(Point::Wrist(side))));
        let [left, right] = [hands[0]?, hands[1]?];
        let up = bounds.up;
        let across = left - right;
        let across = direction_or(across - up * across.dot(up), self.rig.frame * Vec3::X);
        let body = super::basis(across, up);
        let shoulders = [0, 1].map(|side| head + body * (bounds.shoulder[side] - bounds.rest[1]));
        let middle = 0.5 * (shoulders[0] + shoulders[1]);
        let mut factor: Real = 0.0;
        for ((hand, shoulder), arm) in [left, right].into_iter().zip(shoulders).zip(&self.arms) {
            let (hand, shoulder) = (hand - middle, shoulder - middle);
            let (along, far) = (hand.dot(shoulder), hand.length_squared().max(TINY));
            let root = along * along - far * (shoulder.length_squared() - arm.reach * arm.reach);
            factor += 0.5 * (along + root.max(0.0).sqrt()) / far;
        }
        Some(factor)
    }

    /// The wrists of a person whose arms are not as long as the rig's, from between the shoulders that hang
    /// from the posed spine.
    pub(super) fn wrists(&mut self, skeleton: &Skeleton, points: &[Vec3; 6], pose: &mut Pose) -> [Vec3; 2] {
        let factor = self.calibration.arms;
        if factor == 1.0 {
            return [points[2], points[3]];
        }
        let mut middle = Vec3::ZERO;
        for branch in &self.arms {
            for &joint in branch.above.iter() {
                pose.set_rotation(joint, self.rig.relaxed.rotation(joint));
                self.model.update_joint(skeleton, pose, joint);
            }
            self.model.update_joint(skeleton, pose, branch.base());
            middle += 0.5 * self.model.position(branch.base());
        }
        [2, 3].map(|i| middle + (points[i] - middle) * factor)
    }
}

impl Branch {
    /// The joint at the limb's base.
    pub(super) fn base(&self) -> JointId {
        self.limb().joints().upper
    }
}

/// How tall a person in a frame is, and the rig where it is measured alike.
fn person_height(seen: &Trackers, bounds: &Bounds) -> Option<(Real, Real)> {
    let head = usable(seen.position(Point::Head))?;
    let ankles = [Side::Left, Side::Right].map(|side| usable(seen.position(Point::Ankle(side))));
    let rest = &bounds.rest;
    let found = match ankles {
        [Some(left), Some(right)] => {
            ((head - 0.5 * (left + right)).length(), (rest[1] - 0.5 * (rest[4] + rest[5])).length())
        }
        _ => (head.dot(bounds.up), bounds.standing + rest[1].y + bounds.ankle_over_floor()),
    };
    (found.0 > 0.0).then_some(found)
}

/// The value below which this part of them is.
fn at_part<T: Copy>(values: &mut [T], part: Real, key: impl Fn(&T) -> Real) -> Option<T> {
    values.sort_by(|a, b| key(a).total_cmp(&key(b)));
    let last = values.len().checked_sub(1)?;
    values.get(((last as Real * part) as usize).min(last)).copied()
}
