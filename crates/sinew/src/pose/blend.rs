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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blend_goes_half_way_by_the_short_path() {
        let skeleton = crate::rigs::chain(2, 1.0);
        let (mut a, mut b) = (Pose::rest(&skeleton), Pose::rest(&skeleton));
        let root = skeleton.root();
        a.set_rotation(root, rotation::exp(Vec3::X * 0.2));
        // The other sign of the same rotation must not send it the long way.
        b.set_rotation(root, -rotation::exp(Vec3::X * 1.0));
        let mut out = Pose::rest(&skeleton);
        out.blend(&a, &b, 0.5);
        assert!((rotation::log(out.rotation(root)) - Vec3::X * 0.6).length() < 1e-5);
        out.blend_many([(&a, 2.0), (&b, 2.0)].into_iter());
        assert!((rotation::log(out.rotation(root)) - Vec3::X * 0.6).length() < 1e-5);
    }
}
