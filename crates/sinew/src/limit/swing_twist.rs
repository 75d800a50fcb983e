//! A region for the direction of the bone, and a range for the turn about it.
//!
//! The limit has a frame of its own, whose z axis is the direction the limit
//! is centred on and whose x and y axes span the swing plane (Kallmann 2007,
//! "Framework"). A rotation is taken into that frame and split into `swing ·
//! twist` about z; the two parts are held separately. Where the bone points on
//! the unit sphere decides about the swing, whatever the shape: a
//! [`SwingShape`] only ever sees unit directions in the limit's frame, so
//! adding one means saying where its edge is and nothing else.
//!
//! # The centre
//! The bone need not rest on the frame's z axis: an arm that hangs at rest can
//! be limited about a direction out in front of the shoulder, where its region
//! has its middle. [`rest`](SwingTwistLimit::rest) says how the bone rests in
//! the limit's frame; swing and twist are measured from the centre, as in
//! Kallmann's local frames. So a symmetric shape fits an asymmetric range, and
//! the direction where the twist is undefined lies opposite the centre, far
//! outside of the region.
//!
//! # Straight back
//! The twist is ill-defined when the bone points straight back. Outside of the
//! swing region it is faded towards the middle of its range between the edge
//! and that direction, so that it does not spin there. At the edge the fade is
//! none, so that crossing it is continuous. A region that reaches straight back
//! has an ill-defined twist inside, and there nothing can be done about it.

use alloc::vec::Vec;

use super::swing::checked_rotation;
use super::{AngleRange, LimitComponent, LimitError, Outline, SLACK, SwingShape};
use crate::math::*;

/// How often what was held is looked at again.
const SETTLES: usize = 3;

/// Where the bone may point and how it may turn about itself.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
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
    /// use sinew::limit::{Cone, SwingTwistLimit};
    /// use sinew::{JointLimit, Vec3, math::rotation};
    /// // An arm that hangs, and may point anywhere within 1.6 rad of straight ahead.
    /// let arm: JointLimit =
    ///     SwingTwistLimit::centred(-Vec3::Y, Vec3::Z, Vec3::X).swing(Cone::new(1.6)).into();
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
    pub fn swing(mut self, swing: impl Into<SwingShape>) -> Self {
        self.swing = swing.into();
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
        self.frame.conjugate() * q * (self.frame * self.rest)
    }

    /// A rotation in the limit's frame as the joint sees it.
    #[inline]
    pub fn from_frame(&self, q: Quat) -> Quat {
        self.frame * q * (self.frame * self.rest).conjugate()
    }

    #[inline]
    pub(super) fn project(&self, q: Quat, inset: Real) -> Option<Quat> {
        let local = self.to_frame(q);
        if inset <= 0.0 && self.surely_holds(local) {
            return None;
        }
        let hold = |local: Quat| {
            self.hold(
                local,
                |shape, direction, slack| shape.project_within(direction, inset, slack),
                |range, angle, slack| range.project_within(angle, inset, slack),
            )
        };
        let mut held = hold(local)?;
        // Rounding may bring it out again at the other edge of a region that is as thin as a thread.
        for _ in 0..if self.swing.is_smooth() { 0 } else { SETTLES } {
            let Some(again) = hold(self.to_frame(held)) else { break };
            held = again;
        }
        Some(held)
    }

    /// Swing and twist held back each in its own soft zone.
    pub(super) fn soften(&self, q: Quat, zone: Real) -> Option<Quat> {
        self.hold(
            self.to_frame(q),
            |shape, direction, slack| shape.soften_within(direction, zone, slack),
            |range, angle, slack| range.soften(angle, zone, slack),
        )
    }

    /// Whether a rotation in the limit's frame is inside, seen without trigonometry. Not all that are inside
    /// are seen to be.
    #[inline]
    fn surely_holds(&self, local: Quat) -> bool {
        let twists = self.twist.is_none_or(|range| {
            // The angle is twice an arc tangent, which is nearer to zero than its argument.
            let at_most = 2.0 * local.z / local.w;
            let inside = range.min < -HAIR && at_most > range.min && range.max > HAIR && at_most < range.max;
            inside && local.w * local.w > 0.01
        });
        twists && self.swing.surely_holds(local * Vec3::Z)
    }

    /// Takes a rotation in the limit's frame apart, holds its parts and puts it together again.
    #[inline(always)]
    fn hold(
        &self,
        local: Quat,
        swing_held: impl Fn(&SwingShape, Vec3, Real) -> Option<Vec3>,
        twist_held: impl Fn(AngleRange, Real, Real) -> Option<Real>,
    ) -> Option<Quat> {
        let direction = local * Vec3::Z;
        let mut new_direction = swing_held(&self.swing, direction, SLACK);
        if new_direction.is_none() && self.twist.is_none() {
            return None;
        }
        let (swing, twist) = swing_twist::decompose(local);
        let mut new_angle = None;
        if let Some(range) = self.twist {
            let angle = swing_twist::twist_angle(twist);
            // Near straight back a rounding of the rotation is many of the twist.
            let length = (local.z * local.z + local.w * local.w).sqrt();
            new_angle = twist_held(range, angle, SLACK / length.max(ROUNDING));
            // What is put together again is rounded again. If one part must be
            // held, the other is brought to its edge exactly, so that it does
            // not come to lie beyond its slack.
            if new_angle.is_some() && new_direction.is_none() {
                new_direction = swing_held(&self.swing, direction, 0.0);
            } else if new_angle.is_none() && new_direction.is_some() {
                new_angle = twist_held(range, angle, 0.0);
            }
            if let Some(new_direction) = new_direction {
                let fade = fade_near_antipode(direction.z, new_direction.z);
                if fade < 1.0 {
                    let held = new_angle.unwrap_or(angle);
                    let middle = if range.is_whole_turn() { 0.0 } else { range.middle() };
                    new_angle = Some(middle + wrap_angle(held - middle) * fade);
                }
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
        let twist = self.twist.map_or(Real::INFINITY, |range| range.room(swing_twist::twist_angle(twist)));
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
        self.frame = checked_rotation(self.frame, "the limit's frame")?;
        self.rest = checked_rotation(self.rest, "the bone's rest in the limit's frame")?;
        if let Some(range) = self.twist {
            range.check()?;
        }
        self.swing.check()
    }
}

/// One at the edge and far from the singular direction, zero at it. `z` is the
/// cosine of the swing and `edge_z` that of where it is held.
#[inline]
fn fade_near_antipode(z: Real, edge_z: Real) -> Real {
    // The last 37° before straight back: wide enough that the twist moves at
    // most a few times faster than the rotation does. A region that reaches
    // further back leaves what is left.
    let width = (1.0 + edge_z).min(0.2);
    let t = if width > ROUNDING { ((z + 1.0) / width).clamp(0.0, 1.0) } else { 1.0 };
    t * t * (3.0 - 2.0 * t)
}
