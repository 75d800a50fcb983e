//! A region for the direction of the bone, and a range for the turn about it.
//!
//! The limit has a frame of its own, whose z axis is the direction the limit
//! is centred on and whose x and y axes span the swing plane (Kallmann 2007,
//! "Framework"). A rotation is taken into that frame, split into `swing ·
//! twist` about z, and the two parts are held separately. Where the bone points
//! on the unit sphere decides about the swing, whatever the shape: a shape only
//! ever sees unit directions in the limit's frame, so adding one means saying
//! where its edge is and nothing else.
//!
//! The bone need not rest on that axis: an arm that hangs at rest can be limited
//! about a direction out in front of the shoulder, where its region has its
//! middle. [`rest`](SwingTwistLimit::rest) says how the bone rests in the limit's
//! frame; swing and twist are then measured from the centre, as in Kallmann's
//! local frames, and the direction where the twist is undefined lies opposite
//! the centre instead of opposite the resting bone, far outside of the region.
//!
//! The twist is ill-defined when the bone points straight back. Outside of the
//! swing region it is faded towards the middle of its range as that direction
//! is approached, so that it does not spin there.

use alloc::vec::Vec;

use super::{AngleRange, LimitComponent, LimitError, Outline, SLACK};
use crate::math::*;

/// Where the bone may point and how it may turn about itself.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SwingTwistLimit {
    /// Turns the limit's frame (z along its centre) into the joint's rest frame.
    pub frame: Quat,
    /// How the joint rests, as the limit's frame sees it: turns z to where the
    /// bone points at rest. The identity where the bone rests on the centre.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rest: Quat,
    /// Where z may point, in the limit's frame.
    pub swing: SwingShape,
    /// The allowed turns about z; `None` is any.
    pub twist: Option<AngleRange>,
}

/// A region of the unit sphere, in the limit's frame.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SwingShape {
    /// The whole sphere.
    #[default]
    Free,
    /// A circle about z.
    Cone(Cone),
}

/// All directions within `radius` radians of z.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cone {
    /// The half angle of the cone, up to π.
    pub radius: Real,
}

impl SwingShape {
    /// A word for people.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Free => "twist",
            Self::Cone(_) => "cone",
        }
    }

    /// The nearest direction of the region shrunk by `inset`, or `None` if
    /// `direction` lies in it.
    #[inline]
    pub fn project(&self, direction: Vec3, inset: Real) -> Option<Vec3> {
        match self {
            Self::Free => None,
            Self::Cone(s) => s.project(direction, inset),
        }
    }

    /// The angle to the edge: positive inside, negative outside, infinite if
    /// there is none.
    #[inline]
    pub fn edge_distance(&self, direction: Vec3) -> Real {
        match self {
            Self::Free => Real::INFINITY,
            Self::Cone(s) => s.edge_distance(direction),
        }
    }

    /// Closed curves of unit directions around the region.
    pub fn outline(&self, segments: usize) -> Vec<Vec<Vec3>> {
        match self {
            Self::Free => Vec::new(),
            Self::Cone(s) => alloc::vec![s.outline(segments)],
        }
    }

    fn check(&mut self) -> Result<(), LimitError> {
        match self {
            Self::Free => Ok(()),
            Self::Cone(s) => s.check(),
        }
    }
}

impl Cone {
    #[inline]
    fn project(&self, direction: Vec3, inset: Real) -> Option<Vec3> {
        let radius = (self.radius - inset).max(0.0);
        let sine = Vec2::new(direction.x, direction.y).length();
        let angle = sine.atan2(direction.z);
        if angle <= radius + SLACK {
            return None;
        }
        let (s, c) = radius.sin_cos();
        // Straight back there is no nearest side; +x is as good as any.
        let flat = if sine > TINY { Vec2::new(direction.x, direction.y) / sine } else { Vec2::X };
        Some(Vec3::new(flat.x * s, flat.y * s, c))
    }

    #[inline]
    fn edge_distance(&self, direction: Vec3) -> Real {
        self.radius - Vec2::new(direction.x, direction.y).length().atan2(direction.z)
    }

    fn outline(&self, segments: usize) -> Vec<Vec3> {
        let (s, c) = self.radius.sin_cos();
        (0..segments)
            .map(|i| {
                let (sin, cos) = (TAU * i as Real / segments as Real).sin_cos();
                Vec3::new(cos * s, sin * s, c)
            })
            .collect()
    }

    fn check(&self) -> Result<(), LimitError> {
        if (0.0..=PI).contains(&self.radius) {
            Ok(())
        } else {
            Err(LimitError::OutOfRange { what: "the cone's radius", value: self.radius, low: 0.0, high: PI })
        }
    }
}

impl SwingTwistLimit {
    /// A limit whose frame's z axis is the unit vector `bone` and whose x axis
    /// is as close to `right` as it can be, both in the joint's rest frame.
    pub fn along(bone: Vec3, right: Vec3) -> Self {
        let z = direction_or(bone, Vec3::Z);
        let x = direction_or(right - z * right.dot(z), any_perpendicular(z));
        let frame = Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z)).normalize();
        Self { frame, rest: Quat::IDENTITY, swing: SwingShape::Free, twist: None }
    }

    /// A limit centred on the unit vector `centre` for a bone that rests along
    /// the unit vector `bone`; its x axis is as close to `right` as it can be.
    /// All three are in the joint's rest frame. No twist is the one that the
    /// shortest turn from the centre to the resting bone leaves.
    ///
    /// ```
    /// use sinew::limit::{Cone, SwingShape, SwingTwistLimit};
    /// use sinew::{JointLimit, Vec3, math::rotation};
    /// // An arm that hangs, and may point anywhere within 1.6 rad of straight ahead.
    /// let arm: JointLimit = SwingTwistLimit::centred(-Vec3::Y, Vec3::Z, Vec3::X)
    ///     .swing(SwingShape::Cone(Cone { radius: 1.6 }))
    ///     .into();
    /// assert_eq!(arm.violation(rotation::exp(-Vec3::X * 1.5)), 0.0); // lifted forwards
    /// assert!(arm.violation(rotation::exp(Vec3::X * 0.5)) > 0.4); // swung backwards
    /// ```
    pub fn centred(bone: Vec3, centre: Vec3, right: Vec3) -> Self {
        let mut limit = Self::along(centre, right);
        let bone = limit.frame.conjugate() * direction_or(bone, Vec3::Z);
        limit.rest = swing_twist::swing_to(bone);
        limit
    }

    /// With this region for the bone.
    pub fn swing(mut self, swing: SwingShape) -> Self {
        self.swing = swing;
        self
    }

    /// With this range for the twist, in radians.
    pub fn twist(mut self, min: Real, max: Real) -> Self {
        self.twist = Some(AngleRange { min, max });
        self
    }

    /// `q`, a rotation of the joint, as the limit's frame sees it.
    #[inline]
    pub fn to_frame(&self, q: Quat) -> Quat {
        self.frame.conjugate() * q * self.frame * self.rest
    }

    /// A rotation in the limit's frame as the joint sees it.
    #[inline]
    pub fn from_frame(&self, q: Quat) -> Quat {
        self.frame * q * (self.frame * self.rest).conjugate()
    }

    #[inline]
    pub(super) fn project(&self, q: Quat, inset: Real) -> Option<Quat> {
        let local = self.to_frame(q);
        let (swing, twist) = swing_twist::decompose(local);
        let direction = local * Vec3::Z;
        let new_direction = self.swing.project(direction, inset);
        let angle = swing_twist::twist_angle(twist);
        let mut new_angle = self.twist.and_then(|range| range.project(angle, inset));
        if let (Some(range), Some(_)) = (self.twist, new_direction) {
            let fade = fade_near_antipode(direction.z);
            if fade < 1.0 {
                let held = new_angle.unwrap_or(angle);
                let middle = if range.is_whole_turn() { 0.0 } else { range.middle() };
                new_angle = Some(middle + wrap_angle(held - middle) * fade);
            }
        }
        if new_direction.is_none() && new_angle.is_none() {
            return None;
        }
        let swing = new_direction.map_or(swing, swing_twist::swing_to);
        let twist = new_angle.map_or(twist, swing_twist::twist_about_z);
        Some(self.from_frame(swing * twist).normalize())
    }

    pub(super) fn nearest_component(&self, q: Quat) -> Option<(LimitComponent, Real)> {
        let local = self.to_frame(q);
        let (_, twist) = swing_twist::decompose(local);
        let swing = self.swing.edge_distance(local * Vec3::Z);
        let twist =
            self.twist.map_or(Real::INFINITY, |range| range.edge_distance(swing_twist::twist_angle(twist)));
        if !swing.is_finite() && !twist.is_finite() {
            None
        } else if swing <= twist {
            Some((LimitComponent::Swing, swing))
        } else {
            Some((LimitComponent::Twist, twist))
        }
    }

    pub(super) fn outlines(&self, segments: usize) -> Vec<Outline> {
        let mut outlines: Vec<Outline> = self
            .swing
            .outline(segments)
            .into_iter()
            .map(|points| Outline {
                component: LimitComponent::Swing,
                points: points.into_iter().map(|p| self.frame * p).collect(),
                closed: true,
            })
            .collect();
        if let Some(range) = self.twist.filter(|r| !r.is_whole_turn()) {
            let points = (0..=segments)
                .map(|i| range.min + (range.max - range.min) * i as Real / segments as Real)
                .map(|a| self.frame * (swing_twist::twist_about_z(a) * Vec3::X))
                .collect();
            outlines.push(Outline { component: LimitComponent::Twist, points, closed: false });
        }
        outlines
    }

    pub(super) fn check(&mut self) -> Result<(), LimitError> {
        let n = self.frame.length_squared();
        if !n.is_finite() || n < ROUNDING {
            return Err(LimitError::NoDirection("the limit's frame"));
        }
        self.frame = self.frame.normalize();
        let n = self.rest.length_squared();
        if !n.is_finite() || n < ROUNDING {
            return Err(LimitError::NoDirection("the bone's rest in the limit's frame"));
        }
        self.rest = self.rest.normalize();
        if let Some(range) = self.twist {
            range.check()?;
        }
        self.swing.check()
    }
}

/// One away from the singular direction, zero at it; `z` is the cosine of the swing.
#[inline]
fn fade_near_antipode(z: Real) -> Real {
    // The last 37° before straight back: wide enough that the twist moves at
    // most a few times faster than the rotation does.
    let t = ((z + 1.0) / 0.2).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
