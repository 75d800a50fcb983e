//! The joints that behaviours pose, and what goes into each of them: the keys of the left and of
//! the right arm's behaviour and the initial posture.

use super::{Behaviour, Wish};
use crate::analytic::limb::Gauge;
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
    gauge: Option<Gauge>,
    /// Whether it can be shifted, not only turned.
    shifts: bool,
    /// What the initial posture has.
    start: (Quat, Vec3),
    /// What the keys of each side say in this solve: weighted sums of rotations, which are not
    /// unit, and of translations.
    keyed: [(Quat, Vec3); 2],
}

impl Posed {
    pub fn new(id: JointId, joint: &Joint, of_arm: Option<usize>) -> Self {
        let gauge = match joint.kind() {
            JointKind::Ball | JointKind::Free => Gauge::new(joint.limit()),
            _ => None,
        };
        Self {
            joint: id,
            by: [false; 2],
            of_arm,
            gauge,
            shifts: matches!(joint.kind(), JointKind::Free | JointKind::Prismatic { .. }),
            start: (Quat::IDENTITY, Vec3::ZERO),
            keyed: [(Quat::IDENTITY, Vec3::ZERO); 2],
        }
    }

    pub fn start_from(&mut self, initial: &Pose) {
        self.start = (initial.rotation(self.joint), initial.translation(self.joint));
    }

    /// Whether it belongs to an arm that reaches, which is solved, not posed.
    #[inline]
    pub fn is_solved(&self, wishes: &[Option<Wish>; 2]) -> bool {
        self.of_arm.is_some_and(|arm| wishes[arm].is_some())
    }

    /// Takes what the keys of one side say.
    #[inline]
    pub fn take_keys(&mut self, side: usize, behaviour: &Behaviour, wish: &Wish) {
        self.keyed[side] = behaviour.blended(&wish.weights, self.joint, self.start.0);
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
        let inside = self.gauge.as_ref().is_some_and(|gauge| gauge.holds(q));
        (
            if inside { q } else { joint.project(q) },
            if self.shifts { joint.project_translation(t) } else { t },
        )
    }
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
