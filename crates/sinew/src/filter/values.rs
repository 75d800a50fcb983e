//! The coordinates of poses as a stream: what a drive is sent.
//!
//! A pose holds rotations, and a rotation does not know how often a joint has turned. A drive does:
//! it is sent 3.15 after 3.13, not −3.13. So a stream remembers its last values and takes, of all
//! that mean the same rotation, the nearest one that the joint's range allows. A range is a range
//! also where it is a whole turn or more: its ends are stops, and past a stop the way is back. Only a
//! joint without a range turns on.

use alloc::vec::Vec;

use crate::limit::{AngleRange, LimitShape};
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{JointKind, Skeleton};

/// The coordinates of poses as a stream; see the module's docs.
///
/// ```
/// use sinew::filter::JointValues;
/// use sinew::{JointDef, JointKind, Pose, SkeletonBuilder, Vec3};
/// let mut wheel = SkeletonBuilder::new("wheel");
/// let axle = wheel.add(JointDef::new("axle").kind(JointKind::Hinge { axis: Vec3::Z }));
/// let wheel = wheel.build()?;
/// let mut pose = Pose::rest(&wheel);
/// let mut values = JointValues::new(&wheel, &pose);
/// for step in 0..100 {
///     pose.set_value(&wheel, axle, 0.1 * step as sinew::Real);
///     values.take(&wheel, &pose);
/// }
/// assert!((values.values()[0] - 9.9).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct JointValues {
    axes: Vec<Axis>,
    values: Vec<Real>,
    /// Room for what a pose says.
    read: Vec<Real>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Axis {
    kind: AxisKind,
    min: Real,
    max: Real,
}

/// How a coordinate is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AxisKind {
    /// As it is.
    Plain,
    /// An angle within a range.
    Angle,
    /// On a circle, without an end.
    Circle,
    /// The first of three components of a rotation vector.
    Vector,
    /// The second or third.
    VectorRest,
}

impl JointValues {
    /// A stream that begins at a pose. A pose of another skeleton counts as the rest pose.
    pub fn new(skeleton: &Skeleton, start: &Pose) -> Self {
        let mut axes = Vec::with_capacity(skeleton.degrees_of_freedom());
        for joint in skeleton.joints() {
            let (kind, shape) = (joint.kind(), &joint.limit().shape);
            axes.extend((0..kind.degrees_of_freedom()).map(|k| Axis::new(kind, shape, k)));
        }
        let middle =
            |axis: &Axis| if axis.kind == AxisKind::Angle { 0.5 * (axis.min + axis.max) } else { 0.0 };
        let values: Vec<Real> = axes.iter().map(middle).collect();
        let mut stream = Self { read: values.clone(), values, axes };
        let fits = start.len() == skeleton.len() && start.is_finite();
        if fits {
            stream.take(skeleton, start);
        } else {
            stream.take(skeleton, &Pose::rest(skeleton));
        }
        stream
    }

    /// The values now, in the order of [`Pose::to_coordinates`](crate::Pose::to_coordinates).
    pub fn values(&self) -> &[Real] {
        &self.values
    }

    /// The range of every coordinate; infinite where it has none.
    pub fn ranges(&self) -> impl Iterator<Item = (Real, Real)> + '_ {
        self.axes.iter().map(|axis| (axis.min, axis.max))
    }

    /// Takes the next pose. One of another skeleton, or with numbers that are not finite, leaves
    /// the values as they are. Does not allocate.
    pub fn take(&mut self, skeleton: &Skeleton, pose: &Pose) {
        if pose.len() != skeleton.len()
            || skeleton.degrees_of_freedom() != self.axes.len()
            || !pose.is_finite()
            || pose.to_coordinates(skeleton, &mut self.read).is_err()
        {
            return;
        }
        for i in 0..self.axes.len() {
            let (read, last) = (self.read[i], self.values[i]);
            self.values[i] = match self.axes[i].kind {
                AxisKind::Plain | AxisKind::VectorRest => read,
                AxisKind::Angle => self.axes[i].nearest(read, last),
                AxisKind::Circle => last + wrap_angle(read - last),
                AxisKind::Vector => {
                    self.take_vector(i);
                    self.read[i]
                }
            };
        }
    }

    /// Of the two rotation vectors that mean the same rotation, the nearer one.
    fn take_vector(&mut self, i: usize) {
        let vector = |v: &[Real]| Vec3::new(v[i], v[i + 1], v[i + 2]);
        let (read, last) = (vector(&self.read), vector(&self.values));
        let angle = read.length();
        if angle > ROUNDING {
            let other = read * (1.0 - TAU / angle);
            if (other - last).length_squared() < (read - last).length_squared() {
                self.read[i..i + 3].copy_from_slice(&other.to_array());
            }
        }
    }

    /// Puts a value on a circle to the turn nearest to where something follows it from, if it has
    /// run away from there by more than a turn and a half would bring it back.
    pub(super) fn shorten(&mut self, i: usize, from: Real) {
        if self.axes[i].kind == AxisKind::Circle && (self.values[i] - from).abs() > 1.5 * PI {
            self.values[i] = from + wrap_angle(self.values[i] - from);
        }
    }
}

impl Axis {
    /// How the k-th coordinate of a joint is read, and its range.
    fn new(kind: JointKind, shape: &LimitShape, k: usize) -> Self {
        let free = |kind| Self { kind, min: Real::NEG_INFINITY, max: Real::INFINITY };
        let angle = |range: Option<&AngleRange>| match range {
            Some(r) => Self { kind: AxisKind::Angle, min: r.min, max: r.max },
            None => free(AxisKind::Circle),
        };
        match (kind, shape) {
            (JointKind::Hinge { .. }, LimitShape::Hinge(limit)) => angle(Some(&limit.range)),
            (JointKind::Universal { .. }, LimitShape::Universal(limit)) => angle(limit.ranges.get(k)),
            (JointKind::Hinge { .. } | JointKind::Universal { .. }, _) => free(AxisKind::Circle),
            (JointKind::Prismatic { .. }, LimitShape::Prismatic(limit)) => {
                Self { kind: AxisKind::Plain, min: limit.min, max: limit.max }
            }
            (JointKind::Ball, _) if k == 0 => free(AxisKind::Vector),
            (JointKind::Free, _) if k == 3 => free(AxisKind::Vector),
            (JointKind::Ball, _) => free(AxisKind::VectorRest),
            (JointKind::Free, _) if k > 3 => free(AxisKind::VectorRest),
            _ => free(AxisKind::Plain),
        }
    }

    /// Of the angles that are the same on the circle, the one within the range that is nearest to
    /// the last; if none is within, the nearer end.
    fn nearest(&self, angle: Real, last: Real) -> Real {
        let near = last + wrap_angle(angle - last);
        let mut best: Option<Real> = None;
        for turn in [near, near - TAU, near + TAU] {
            let within = (self.min - EDGE..=self.max + EDGE).contains(&turn);
            if within && best.is_none_or(|b| (turn - last).abs() < (b - last).abs()) {
                best = Some(turn);
            }
        }
        let middle = 0.5 * (self.min + self.max);
        best.unwrap_or_else(|| middle + wrap_angle(angle - middle)).max(self.min).min(self.max)
    }
}

/// An angle that is outside by less is at the end.
const EDGE: Real = 1.0e-4;
