//! What a solution is worth: the error measures of ERIK, eq. 19-22.
//!
//! The posture error compares, joint by joint, the cosine of the bend with that
//! of the wanted posture. A bend depends on the angle of its own joint and on
//! nothing else (see [`latitude`](super::latitude)), so the measure is a sum of
//! one function per joint, which is what makes it cheap to descend. It does not
//! see twists, nor the side to which a joint bends.
//!
//! The orientation error is √2·sin(γ/4) of the angle γ that is missing. With
//! the extension SymmetricEndpoint the end point may as well be turned half
//! round about its pointing axis.

use super::super::articulation::Node;
use super::body::{Body, Limb, Link};
use super::options::ErikOptions;
use super::solution::Solution;
use crate::goal::Target;
use crate::math::*;
use crate::pose::Pose;

/// What an end point should do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wish {
    /// An orientation or an aim, in model space.
    pub target: Target,
    /// The axis that points, in the end point's frame.
    pub pointing: Vec3,
    /// Upside down is as good.
    pub symmetric: bool,
    /// What the roll about the line of sight counts beside the rest, while it is followed.
    pub roll: Real,
    /// How much it counts.
    pub weight: Real,
    /// How near it may come to what it looks at while it is followed.
    pub room: Real,
    /// Whether the target can be used at all.
    pub usable: bool,
}

impl Wish {
    pub(super) const NONE: Self = Self {
        target: Target::Orientation(Quat::IDENTITY),
        pointing: Vec3::Y,
        symmetric: false,
        roll: 1.0,
        weight: 1.0,
        room: 0.0,
        usable: false,
    };

    /// Where an end point that stands at `now` should point, in model space.
    #[inline]
    pub(super) fn direction(&self, now: Transform) -> Vec3 {
        match self.target {
            Target::Orientation(wanted) => wanted * self.pointing,
            Target::Aim { at, .. } => direction_or(at - now.translation, now.rotation * self.pointing),
            _ => now.rotation * self.pointing,
        }
    }

    /// What of its room an end point at `now` has lost to what it looks at, from 0 to 1, and where that is.
    #[inline]
    pub(super) fn crowded(&self, now: Transform) -> Option<(Real, Vec3)> {
        let Target::Aim { at, .. } = self.target else { return None };
        let way = at - now.translation;
        let lost = 1.0 - way.length() / self.room.max(TINY);
        (lost > 0.0).then(|| (lost, direction_or(way, now.rotation * self.pointing)))
    }

    /// The wanted orientation that is nearest to an end point at `now`.
    #[inline]
    pub(super) fn nearest(&self, now: Transform) -> Quat {
        match self.target {
            Target::Orientation(wanted) if self.symmetric => {
                let other = self.flipped(wanted);
                let is_nearer = other.dot(now.rotation).abs() > wanted.dot(now.rotation).abs();
                if is_nearer { other } else { wanted }
            }
            target => target.orientation(now).unwrap_or(now.rotation),
        }
    }

    /// The target as a goal may be given to others: of two that are as good, the
    /// one that is nearest to an end point at `now`.
    #[inline]
    pub(super) fn nearest_target(&self, now: Transform) -> Target {
        match self.target {
            Target::Orientation(_) => Target::Orientation(self.nearest(now)),
            target => target,
        }
    }

    /// An orientation upside down.
    #[inline]
    pub(super) fn flipped(&self, wanted: Quat) -> Quat {
        let p = self.pointing;
        wanted * Quat::from_xyzw(p.x, p.y, p.z, 0.0)
    }

    /// The wish turned aside, about an end point that stands at `now`.
    pub(super) fn turned(mut self, turn: Quat, now: Transform) -> Self {
        match &mut self.target {
            Target::Orientation(wanted) => *wanted = (turn * *wanted).normalize(),
            Target::Aim { at, .. } => *at = now.translation + turn * (*at - now.translation),
            _ => {}
        }
        self
    }

    /// What is left of a turn of an end point at `now` if its roll counts for less; `None` if it counts
    /// like the rest.
    #[inline]
    pub(super) fn rolled_less(&self, now: Transform) -> Option<Mat3> {
        let orientation = matches!(self.target, Target::Orientation(_));
        (orientation && self.roll < 1.0).then(|| {
            let sight = now.rotation * self.pointing;
            let part = sight * (1.0 - self.roll);
            Mat3::IDENTITY - Mat3::from_cols(part * sight.x, part * sight.y, part * sight.z)
        })
    }

    /// By what turn an end point at `now` misses, in radians, with the roll counted for less where it is.
    #[inline]
    pub(super) fn missing(&self, now: Transform) -> Real {
        let turn = rotation::log(self.nearest(now) * now.rotation.conjugate());
        self.rolled_less(now).map_or(turn, |less| less * turn).length()
    }

    /// The orientation error (eq. 20) of an end point at `now`.
    #[inline]
    pub(super) fn error(&self, now: Transform) -> Real {
        if !self.usable {
            return 0.0;
        }
        let wanted = rotation::same_side(self.nearest(now), now.rotation);
        // As a difference, which is exact where one minus the product is not.
        (wanted - now.rotation).length() * FRAC_1_SQRT_2
    }
}

/// What the posture wants of one node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wanted {
    /// Its value, within the range or not.
    pub value: Real,
    /// How far the posture has gone since it was last solved for.
    pub moved: Real,
    /// Where the joint was that is followed, moved along with the posture.
    pub from: Real,
    /// The value within the range, and that of the same bend to the other side.
    pub values: [Real; 2],
    /// What the range of a hinge cuts off each.
    pub cut: [Real; 2],
    /// The cosine of the bend.
    pub bend: Real,
}

impl Wanted {
    /// Before the first posture.
    pub(super) const UNKNOWN: Self =
        Self { value: Real::NAN, moved: 0.0, from: 0.0, values: [0.0; 2], cut: [0.0; 2], bend: 0.0 };

    /// What the next posture wants.
    pub(super) fn next(&self, node: &Node, link: &Link, posture: &Pose) -> Self {
        let value = node.value_in(posture);
        let value = if value.is_finite() { value } else { 0.0 };
        let moved = if self.value.is_finite() { self.moved + link.way(self.value, value) } else { 0.0 };
        let both = [value, if link.bends() { 2.0 * link.peak - value } else { value }];
        let values = both.map(|value| node.nearest_value(value));
        Self {
            value,
            moved,
            from: value,
            values,
            cut: [0, 1].map(|i| wrap_angle(both[i] - values[i]).abs()),
            bend: link.bend_at(rotation::about(link.axis, value)),
        }
    }
}

/// Both measures of a pose and their weighted sum (eq. 19-22).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ErikErrors {
    /// The orientation error in [0, 1] (eq. 20), the mean over the end points.
    pub orientation: Real,
    /// The posture error in [0, 1], not weighted (eq. 21).
    pub posture: Real,
    /// Their weighted sum (eq. 19).
    pub combined: Real,
}

impl ErikErrors {
    fn new(orientation: Real, posture: Real, options: &ErikOptions) -> Self {
        let combined = options.orientation_weight * orientation + options.posture_weight * posture;
        Self { orientation, posture, combined }
    }
}

/// The posture error (eq. 21) of some nodes, turned as `rotation` says, against
/// the wanted bends, as a part of all that these nodes count for.
#[inline]
fn posture_error(body: &Body, nodes: &[usize], posture: &[Wanted], rotation: impl Fn(usize) -> Quat) -> Real {
    let (mut sum, mut total) = (0.0, 0.0);
    for &k in nodes {
        let link = &body.links[k];
        sum += link.share * (link.bend_at(rotation(k)) - posture[k].bend).abs();
        total += link.share;
    }
    if total > 0.0 { 0.5 * sum / total } else { 0.0 }
}

/// All measures of one limb.
#[inline]
pub(super) fn measure_limb(
    body: &Body,
    limb: &Limb,
    posture: &[Wanted],
    wish: &Wish,
    options: &ErikOptions,
    solution: &Solution,
) -> ErikErrors {
    let rotation = |k: usize| solution.place.motions[k].rotation;
    let shape = posture_error(body, body.path(limb), posture, rotation);
    ErikErrors::new(wish.error(solution.end(body, limb)), shape, options)
}

/// All measures of a pose whose end points stand where `end` says and whose
/// nodes are turned as `rotation` says; several end points count by their weights.
#[inline]
pub(super) fn measure(
    body: &Body,
    posture: &[Wanted],
    wishes: &[Wish],
    options: &ErikOptions,
    end: impl Fn(usize) -> Transform,
    rotation: impl Fn(usize) -> Quat,
) -> ErikErrors {
    let (mut orientation, mut total) = (0.0, 0.0);
    for (i, wish) in wishes.iter().enumerate().filter(|(_, w)| w.usable) {
        orientation += wish.weight * wish.error(end(i));
        total += wish.weight;
    }
    let orientation = if total > 0.0 { orientation / total } else { 0.0 };
    ErikErrors::new(orientation, posture_error(body, &body.order, posture, rotation), options)
}
