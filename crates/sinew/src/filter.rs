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
//! overshoot. That filter is here too ([`FilterOptions::published`], with what had to be
//! mended). By default H, Ω and λ choose *how fast to go*, a law follows the set-point with
//! its velocity and acceleration, and an envelope (`filter/axis.rs`) sees to the bounds. So they are
//! true bounds of the continuous motion, which the outputs are samples of: at any
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
//! | [`light`](FilterOptions::light) | 0.13 s | 0.23 s |
//! | [`default`](FilterOptions::default) | 0.22 s | 0.48 s |
//! | [`heavy`](FilterOptions::heavy) | 1.33 s | 1.27 s |
//!
//! # Joints with several degrees of freedom
//! Hinges, slides and universal joints are filtered in their own coordinates
//! and keep their ranges. Balls and free joints are filtered in the components
//! of the rotation vector (and the translation), where the bounds hold; what
//! would leave the limit's shape is then projected onto it.

mod axis;
mod estimate;
mod noise;
mod profile;
mod published;
mod values;

use alloc::vec::Vec;

use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{JointId, Skeleton};

pub use axis::AxisFilter;
pub use noise::{NoiseFilter, NoiseOptions};
pub use values::JointValues;

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
    /// The filter of eq. 23 as published, with its inertia and its oscillation; its bounds are soft.
    pub published: bool,
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
            published: false,
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
            published: self.published,
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
    /// The set-points, in the coordinates of a stream.
    wanted: JointValues,
    /// The first axis of each joint.
    first: Vec<u32>,
    shown: Vec<Real>,
}

impl MotionFilter {
    /// A filter at rest at a pose. A pose of another skeleton counts as the rest pose.
    pub fn new(skeleton: &Skeleton, options: FilterOptions, start: &Pose) -> Self {
        let wanted = JointValues::new(skeleton, start);
        let mut first = Vec::with_capacity(skeleton.len() + 1);
        let mut count = 0;
        for joint in skeleton.joints() {
            first.push(count);
            count += joint.kind().degrees_of_freedom() as u32;
        }
        first.push(count);
        let axes = (wanted.values().iter().zip(wanted.ranges()))
            .map(|(at, (min, max))| AxisFilter::new(options, min, max, *at))
            .collect();
        Self { axes, first, shown: wanted.values().to_vec(), wanted }
    }

    /// Lets a joint go no faster than its drive can: radians or metres a second. Bounds only ever
    /// become tighter; what is no bound (zero, infinite, not a number) is left out.
    pub fn bound_velocity(&mut self, joint: JointId, velocity: Real) {
        let bounds = (self.first.get(joint.index()), self.first.get(joint.index() + 1));
        let (Some(&start), Some(&end)) = bounds else { return };
        if velocity.is_finite() && velocity > 0.0 {
            self.axes[start as usize..end as usize].iter_mut().for_each(|axis| axis.bound_velocity(velocity));
        }
    }

    /// The filters of a joint's coordinates.
    pub fn joint(&self, joint: JointId) -> &[AxisFilter] {
        let bounds = (self.first.get(joint.index()), self.first.get(joint.index() + 1));
        let (Some(start), Some(end)) = bounds else { return &[] };
        &self.axes[*start as usize..*end as usize]
    }

    /// The filters of all coordinates, in the order of
    /// [`Pose::to_coordinates`](crate::Pose::to_coordinates). What a drive is to be sent is the
    /// position here: it goes on counting where a pose, which holds rotations, begins anew.
    pub fn axes(&self) -> &[AxisFilter] {
        &self.axes
    }

    /// Moves on by `dt` seconds towards a pose, and writes where that leads.
    /// Poses of another skeleton, and numbers that are not finite, leave the
    /// set-points as they were. Does not allocate.
    pub fn step(&mut self, skeleton: &Skeleton, wanted: &Pose, dt: Real, out: &mut Pose) {
        self.step_told(skeleton, wanted, dt, None, out);
    }

    /// The same for who knows whether what is wanted has jumped, and is to be met quickly. Else that is told from
    /// the set-points alone, and a joint that takes over where another one comes to a stop seems to jump.
    pub fn step_told(
        &mut self,
        skeleton: &Skeleton,
        wanted: &Pose,
        dt: Real,
        jumped: Option<bool>,
        out: &mut Pose,
    ) {
        if skeleton.degrees_of_freedom() != self.axes.len() || out.len() != skeleton.len() {
            return;
        }
        self.wanted.take(skeleton, wanted);
        // A set-point that is turns ahead on a circle is met sooner by the short way.
        for (i, axis) in self.axes.iter().enumerate() {
            self.wanted.shorten(i, axis.position());
        }
        for ((axis, shown), wanted) in self.axes.iter_mut().zip(&mut self.shown).zip(self.wanted.values()) {
            *shown = axis.step_told(*wanted, dt, jumped);
        }
        let _ = out.set_coordinates(skeleton, &self.shown);
        out.project(skeleton);
    }
}
