//! The motion filter: from poses that come when they come to motion that a
//! servo can follow.
//!
//! After the Nutty motion filter (ERIK, section 3.7, eq. 23). A solver's output
//! is a set-point; the filter moves every coordinate towards it within bounds:
//!
//! | order | bounded |
//! |---|---|
//! | 1 | position, velocity |
//! | 2 | and acceleration |
//! | 3 | and jerk |
//!
//! The character is in two numbers. H(v) eases the velocity that the distance
//! would induce: *smoothness* σ makes it gentle, *responsiveness* ρ takes that
//! back near the end. A third, *edge* β, softens the way to the ends of the
//! joint's range (Ω).
//!
//! # How eq. 23 is read
//! As printed, the saturations act on finite differences of a fixed step, one
//! inside the other: each may undo what the inner one held, and outputs
//! overshoot. Here H, Ω and λ choose *how fast to go*, and a plan that ends at
//! rest at the set-point (`filter/profile.rs`) sees to the bounds. So they are true
//! bounds of the continuous motion, which the outputs are samples of: at any
//! time step, also a changing one, no velocity, acceleration or jerk between two
//! outputs exceeds them, no position leaves its range, and what does not change
//! is reached and held. The induced velocity is that of the reference
//! [`rate`](FilterOptions::rate), so a character is the same at any frame rate.
//!
//! # Latency
//! What the filter costs in time is what the bounds and the character ask for,
//! and no buffering: the output of a step uses that step's set-point.
//! [`AxisFilter::latency`] says how long a move of a given size takes to its last
//! hundredth:
//!
//! | | 0.1 rad | 1 rad |
//! |---|---|---|
//! | [`light`](FilterOptions::light) | 0.10 s | 0.23 s |
//! | [`default`](FilterOptions::default) | 0.18 s | 0.43 s |
//! | [`heavy`](FilterOptions::heavy) | 0.57 s | 1.27 s |
//!
//! # Joints with several degrees of freedom
//! Hinges, slides and universal joints are filtered in their own coordinates
//! and keep their ranges. Balls and free joints are filtered in the components
//! of the rotation vector (and the translation), where the bounds hold; what
//! would leave the limit's shape is then projected onto it.

mod axis;
mod noise;
mod profile;

use alloc::vec::Vec;

use crate::limit::LimitShape;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{JointId, JointKind, Skeleton};

pub use axis::AxisFilter;
pub use noise::{NoiseFilter, NoiseOptions};

/// How a coordinate moves: radians (or metres) and seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct FilterOptions {
    /// How many derivatives are bounded: one, two or three.
    pub order: u32,
    /// The most velocity.
    pub velocity: Real,
    /// The most acceleration.
    pub acceleration: Real,
    /// The most jerk.
    pub jerk: Real,
    /// σ in [0, 1]: how gently a set-point is approached.
    pub smoothness: Real,
    /// ρ in [0, 1): how much of that is taken back.
    pub responsiveness: Real,
    /// β: from which power on the ends of the range brake; the larger, the
    /// later. Infinite for not at all.
    pub edge: Real,
    /// The rate that the induced velocity is taken at, per second.
    pub rate: Real,
}

crate::report::show_fields!(FilterOptions);

impl Default for FilterOptions {
    /// A hobby servo: a turn in two seconds, there in a fifth of one.
    fn default() -> Self {
        Self {
            order: 3,
            velocity: 4.0,
            acceleration: 25.0,
            jerk: 400.0,
            smoothness: 0.3,
            responsiveness: 0.8,
            edge: 1.0,
            rate: 60.0,
        }
    }
}

impl FilterOptions {
    /// A light character: quick to start, quick to arrive.
    pub fn light() -> Self {
        Self {
            velocity: 8.0,
            acceleration: 80.0,
            jerk: 3000.0,
            smoothness: 0.0,
            responsiveness: 0.95,
            ..Self::default()
        }
    }

    /// A heavy character: much inertia, a long way out.
    pub fn heavy() -> Self {
        Self {
            velocity: 1.5,
            acceleration: 3.0,
            jerk: 12.0,
            smoothness: 0.6,
            responsiveness: 0.2,
            ..Self::default()
        }
    }

    /// With what is no bound replaced by the default's.
    fn sound(self) -> Self {
        let d = Self::default();
        let positive = |x: Real, or: Real| if x > 0.0 && x < Real::MAX.sqrt() { x } else { or };
        let share = |x: Real, or: Real| if x.is_nan() { or } else { x.clamp(0.0, 1.0) };
        Self {
            order: self.order.clamp(1, 3),
            velocity: positive(self.velocity, d.velocity),
            acceleration: positive(self.acceleration, d.acceleration),
            jerk: positive(self.jerk, d.jerk),
            smoothness: share(self.smoothness, d.smoothness),
            responsiveness: share(self.responsiveness, d.responsiveness).min(0.999),
            edge: if self.edge > 0.0 { self.edge } else { d.edge },
            rate: positive(self.rate, d.rate),
        }
    }
}

/// The motion filter of a whole skeleton.
///
/// ```
/// use sinew::filter::{FilterOptions, MotionFilter};
/// use sinew::{Pose, Vec3, math::rotation, rigs};
/// let skeleton = rigs::erik(rigs::ErikRobot::C);
/// let mut wanted = Pose::rest(&skeleton);
/// wanted.set_rotation(skeleton.find("joint2").unwrap(), rotation::exp(Vec3::X));
/// let mut filter = MotionFilter::new(&skeleton, FilterOptions::heavy(), &Pose::rest(&skeleton));
/// let mut shown = Pose::rest(&skeleton);
/// for _ in 0..600 {
///     filter.step(&skeleton, &wanted, 1.0 / 60.0, &mut shown);
/// }
/// let off = shown.rotation(skeleton.find("joint2").unwrap()).angle_between(rotation::exp(Vec3::X));
/// assert!(off < 1e-2);
/// ```
#[derive(Debug, Clone)]
pub struct MotionFilter {
    axes: Vec<AxisFilter>,
    kinds: Vec<AxisKind>,
    /// The first axis of each joint.
    first: Vec<u32>,
    wanted: Vec<Real>,
}

/// How a coordinate's set-points are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AxisKind {
    /// As they are.
    Plain,
    /// On a circle: the nearest turn counts.
    Circle,
    /// The first of three components of a rotation vector.
    Vector,
    /// The second or third.
    VectorRest,
}

impl MotionFilter {
    /// A filter at rest at a pose. A pose of another skeleton counts as the rest pose.
    pub fn new(skeleton: &Skeleton, options: FilterOptions, start: &Pose) -> Self {
        let mut axes = Vec::new();
        let mut kinds = Vec::new();
        let mut first = Vec::with_capacity(skeleton.len() + 1);
        let mut wanted = alloc::vec![0.0; skeleton.degrees_of_freedom()];
        if start.len() == skeleton.len() && start.is_finite() {
            // The length is right, so this cannot fail.
            let _ = start.to_coordinates(skeleton, &mut wanted);
        }
        for joint in skeleton.joints() {
            first.push(axes.len() as u32);
            let count = joint.kind().degrees_of_freedom();
            for k in 0..count {
                let (kind, min, max) = axis_kind(joint.kind(), &joint.limit().shape, k);
                let at = wanted[axes.len()];
                // A range may lie across the cut of the circle.
                let at = if kind == AxisKind::Plain && joint.kind().turns() && min.is_finite() {
                    let middle = 0.5 * (min + max);
                    middle + wrap_angle(at - middle)
                } else {
                    at
                };
                axes.push(AxisFilter::new(options, min, max, at));
                kinds.push(kind);
            }
        }
        first.push(axes.len() as u32);
        Self { axes, kinds, first, wanted }
    }

    /// The filters of a joint's coordinates.
    pub fn joint(&self, joint: JointId) -> &[AxisFilter] {
        let bounds = (self.first.get(joint.index()), self.first.get(joint.index() + 1));
        let (Some(start), Some(end)) = bounds else { return &[] };
        &self.axes[*start as usize..*end as usize]
    }

    /// The filters of all coordinates, in the order of
    /// [`Pose::to_coordinates`](crate::Pose::to_coordinates).
    pub fn axes(&self) -> &[AxisFilter] {
        &self.axes
    }

    /// Moves on by `dt` seconds towards a pose, and writes where that leads.
    /// Poses of another skeleton, and numbers that are not finite, leave the
    /// set-points as they were. Does not allocate.
    pub fn step(&mut self, skeleton: &Skeleton, wanted: &Pose, dt: Real, out: &mut Pose) {
        if skeleton.degrees_of_freedom() != self.axes.len() || out.len() != skeleton.len() {
            return;
        }
        if wanted.len() == skeleton.len() && wanted.is_finite() {
            let _ = wanted.to_coordinates(skeleton, &mut self.wanted);
            self.unwind();
        }
        for (axis, wanted) in self.axes.iter_mut().zip(&mut self.wanted) {
            let set = *wanted;
            *wanted = axis.step(set, dt);
        }
        let _ = out.set_coordinates(skeleton, &self.wanted);
        for (axis, wanted) in self.axes.iter().zip(&mut self.wanted) {
            *wanted = axis.goal();
        }
        out.project(skeleton);
    }

    /// Puts set-points on circles to the turn that is nearest to where the
    /// filter is, and rotation vectors to the nearer of the two that mean the
    /// same rotation.
    fn unwind(&mut self) {
        for i in 0..self.axes.len() {
            let at = self.axes[i].position();
            match self.kinds[i] {
                AxisKind::Plain => {
                    let (min, max) = self.axes[i].range();
                    if min.is_finite() && max.is_finite() && max - min < TAU {
                        // Ranges across the cut; a slide's are far from that.
                        let middle = 0.5 * (min + max);
                        if (middle - self.wanted[i]).abs() > PI {
                            self.wanted[i] = middle + wrap_angle(self.wanted[i] - middle);
                        }
                    }
                }
                AxisKind::Circle => self.wanted[i] = at + wrap_angle(self.wanted[i] - at),
                AxisKind::Vector => {
                    let read = |v: &[Real]| Vec3::new(v[0], v[1], v[2]);
                    let wanted = read(&self.wanted[i..]);
                    let now = Vec3::new(at, self.axes[i + 1].position(), self.axes[i + 2].position());
                    let angle = wanted.length();
                    if angle > ROUNDING {
                        let other = wanted * (1.0 - TAU / angle);
                        if (other - now).length_squared() < (wanted - now).length_squared() {
                            self.wanted[i..i + 3].copy_from_slice(&other.to_array());
                        }
                    }
                }
                AxisKind::VectorRest => {}
            }
        }
    }
}

/// How the k-th coordinate of a joint is read, and its range.
fn axis_kind(kind: JointKind, shape: &LimitShape, k: usize) -> (AxisKind, Real, Real) {
    const NONE: (Real, Real) = (Real::NEG_INFINITY, Real::INFINITY);
    let circle = |range: Option<&crate::limit::AngleRange>| match range {
        Some(r) if !r.is_whole_turn() => (AxisKind::Plain, r.min, r.max),
        _ => (AxisKind::Circle, NONE.0, NONE.1),
    };
    match (kind, shape) {
        (JointKind::Hinge { .. }, LimitShape::Hinge(limit)) => circle(Some(&limit.range)),
        (JointKind::Universal { .. }, LimitShape::Universal(limit)) => circle(limit.ranges.get(k)),
        (JointKind::Hinge { .. } | JointKind::Universal { .. }, _) => circle(None),
        (JointKind::Prismatic { .. }, LimitShape::Prismatic(limit)) => {
            (AxisKind::Plain, limit.min, limit.max)
        }
        (JointKind::Ball, _) if k == 0 => (AxisKind::Vector, NONE.0, NONE.1),
        (JointKind::Free, _) if k == 3 => (AxisKind::Vector, NONE.0, NONE.1),
        (JointKind::Ball, _) => (AxisKind::VectorRest, NONE.0, NONE.1),
        (JointKind::Free, _) if k > 3 => (AxisKind::VectorRest, NONE.0, NONE.1),
        _ => (AxisKind::Plain, NONE.0, NONE.1),
    }
}
