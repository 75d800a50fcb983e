//! The joints that behaviours pose, and what goes into each of them: the keys of the left and of
//! the right arm's behaviour and the initial posture.

use alloc::vec::Vec;

use super::{Behaviour, PlaneWeights, Wish};
use crate::limit::probe::LimitProbe;
use crate::limit::{LimitShape, SwingShape};
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{Joint, JointId, JointKind};

/// A joint that behaviours pose. All that its blend takes stands here side by side, since a solve
/// blends every joint of the trunk several times.
#[derive(Debug, Clone)]
pub(super) struct Posed {
    pub joint: JointId,
    /// Whether the left and the right arm's behaviour poses it.
    pub by: [bool; 2],
    /// The arm that it belongs to, which leaves it alone while it reaches.
    of_arm: Option<usize>,
    /// Its limit, where that can be asked quickly.
    probe: Option<LimitProbe>,
    /// The middle of what it allows, and the cosine of half the way from there to the nearest edge.
    middle: (Quat, Real),
    /// Whether it can be shifted, not only turned.
    shifts: bool,
    /// What the initial posture has.
    start: (Quat, Vec3),
    /// What the keys of each side's behaviour have, on the side of the initial rotation.
    keys: [Vec<(Quat, Vec3)>; 2],
    /// What the keys of each side say in this solve: weighted sums of rotations, which are not
    /// unit, and of translations.
    keyed: [(Quat, Vec3); 2],
}

impl Posed {
    pub fn new(id: JointId, joint: &Joint, of_arm: Option<usize>) -> Self {
        let probe = match joint.kind() {
            JointKind::Ball | JointKind::Free => LimitProbe::new(joint.limit()),
            _ => None,
        };
        Self {
            joint: id,
            by: [false; 2],
            of_arm,
            probe,
            middle: surely_allowed(joint),
            shifts: matches!(joint.kind(), JointKind::Free | JointKind::Prismatic { .. }),
            start: (Quat::IDENTITY, Vec3::ZERO),
            keys: [Vec::new(), Vec::new()],
            keyed: [(Quat::IDENTITY, Vec3::ZERO); 2],
        }
    }

    /// Takes the initial posture's motion of this joint.
    pub fn start_from(&mut self, initial: &Pose) {
        self.start = (initial.rotation(self.joint), initial.translation(self.joint));
        for (q, _) in self.keys.iter_mut().flatten() {
            *q = rotation::same_side(*q, self.start.0);
        }
    }

    /// Takes what the keys of one side's behaviour have for this joint, if it poses it.
    pub fn take_keys(&mut self, side: usize, behaviour: &Behaviour) {
        self.by[side] = behaviour.joints().contains(&self.joint);
        if self.by[side] {
            let of = |pose: &Pose| {
                let q = rotation::same_side(pose.rotation(self.joint), self.start.0);
                (q, pose.translation(self.joint))
            };
            self.keys[side] = behaviour.keys().iter().map(|key| of(&key.pose)).collect();
        }
    }

    /// Whether it belongs to an arm that reaches, which is solved, not posed.
    #[inline]
    pub fn is_solved(&self, wishes: &[Option<Wish>; 2]) -> bool {
        self.of_arm.is_some_and(|arm| wishes[arm].is_some())
    }

    /// Blends the keys of one side.
    #[inline]
    pub fn blend_keys(&mut self, side: usize, weights: &PlaneWeights) {
        self.keyed[side] = weights.blend(|key| self.keys[side][key]);
    }

    /// The blend, whatever the limit says.
    #[inline(always)]
    pub fn blended(&self, mix: &Mix) -> (Quat, Vec3) {
        let Some([left, right, rest]) = mix.of(self.by) else { return self.start };
        let [l, r] = &self.keyed;
        let q = rotation::normalize_or_identity(l.0 * left + r.0 * right + self.start.0 * rest);
        let t = match self.shifts {
            true => l.1 * left + r.1 * right + self.start.1 * rest,
            false => Vec3::ZERO,
        };
        (q, t)
    }

    /// The blend within the joint's limit.
    #[inline]
    pub fn held(&self, joint: &Joint, mix: &Mix) -> (Quat, Vec3) {
        let (q, t) = self.blended(mix);
        if mix.of(self.by).is_none() {
            return (q, t);
        }
        // A blend of allowed postures is hardly ever outside of a limit.
        let (middle, cosine) = self.middle;
        let inside = q.dot(middle).abs() > cosine || self.probe.as_ref().is_some_and(|probe| probe.holds(q));
        (
            if inside { q } else { joint.project(q) },
            if self.shifts { joint.project_translation(t) } else { t },
        )
    }
}

/// The middle of what a joint's limit allows, and the cosine of half the way from there to the
/// nearest edge: what turns less than that from the middle is allowed, since neither its swing nor
/// its twist can be more than the whole turn. A cosine of one or more where that is not known.
fn surely_allowed(joint: &Joint) -> (Quat, Real) {
    let unknown = (Quat::IDENTITY, Real::INFINITY);
    let (JointKind::Ball | JointKind::Free) = joint.kind() else { return unknown };
    let limit = match &joint.limit().shape {
        LimitShape::None => return (Quat::IDENTITY, Real::NEG_INFINITY),
        LimitShape::SwingTwist(limit) => limit,
        _ => return unknown,
    };
    let swing = match &limit.swing {
        SwingShape::Free => PI,
        SwingShape::Cone(cone) => cone.radius,
        SwingShape::Ellipse(ellipse) => ellipse.x.min(ellipse.y),
        _ => return unknown,
    };
    let (twist, room) = match limit.twist.filter(|range| !range.is_whole_turn()) {
        Some(range) => (range.middle(), 0.5 * (range.max - range.min)),
        None => (0.0, PI),
    };
    let middle = limit.frame * rotation::about(Vec3::Z, twist) * (limit.frame * limit.rest).conjugate();
    // A hair within, for rounding.
    (middle, (0.5 * swing.min(room)).cos() + 16.0 * ROUNDING)
}

/// What counts how much for a joint, by which of the arms' behaviours pose it: the left one's
/// keys, the right one's and the initial posture, together one; or nothing but the initial posture.
pub(super) struct Mix([Option<[Real; 3]>; 4]);

impl Mix {
    /// With the hands' weights changed like this.
    #[inline]
    pub fn new(wishes: &[Option<Wish>; 2], changed: impl Fn(Real) -> Real) -> Self {
        let part = |side: usize| wishes[side].as_ref().map_or((0.0, 0.0), |w| (w.share, changed(w.weight)));
        let [left, right] = [part(0), part(1)];
        let of = |(share, weight): (Real, Real), (other_share, other_weight): (Real, Real)| {
            let total = share + other_share;
            (total > TINY).then(|| {
                let [left, right] = [share / total * weight, other_share / total * other_weight];
                [left, right, 1.0 - left - right]
            })
        };
        let none = (0.0, 0.0);
        Self([None, of(left, none), of(none, right), of(left, right)])
    }

    #[inline(always)]
    fn of(&self, by: [bool; 2]) -> Option<[Real; 3]> {
        self.0[usize::from(by[0]) | usize::from(by[1]) << 1]
    }
}

#[cfg(test)]
#[path = "../../../../tests/unit/body_reach_solver_blend.rs"]
mod tests;
