//! Between two poses, and among several.

use super::Pose;
use crate::math::*;

impl Pose {
    /// Sets this pose to the blend from `a` (`t` = 0) to `b` (`t` = 1): the
    /// shortest rotation at constant speed for every joint.
    pub fn blend(&mut self, a: &Self, b: &Self, t: Real) {
        for i in 0..self.rotations.len().min(a.len()).min(b.len()) {
            let turn = rotation::log(a.rotations[i].conjugate() * b.rotations[i]);
            self.rotations[i] = (a.rotations[i] * rotation::exp(turn * t)).normalize();
            self.translations[i] = a.translations[i].lerp(b.translations[i], t);
        }
    }

    /// Sets this pose to the weighted mean of several, by normalised sums of
    /// quaternions taken to the same side as the first. Weights need not add up
    /// to one; with no positive weight the pose stays as it is.
    pub fn blend_many<'a>(&mut self, parts: impl Iterator<Item = (&'a Self, Real)> + Clone) {
        let total: Real = parts.clone().map(|(_, w)| w).sum();
        let Some((first, _)) = parts.clone().next().filter(|_| total > TINY) else { return };
        for i in 0..self.rotations.len().min(first.len()) {
            let mut q = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
            let mut t = Vec3::ZERO;
            for (pose, weight) in parts.clone() {
                q += rotation::same_side(pose.rotations[i], first.rotations[i]) * weight;
                t += pose.translations[i] * weight;
            }
            self.rotations[i] = rotation::normalize_or_identity(q);
            self.translations[i] = t / total;
        }
    }
}
