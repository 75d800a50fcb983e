//! A pose seen in a mirror.

use alloc::vec::Vec;

use super::{ModelPose, Pose};
use crate::math::*;
use crate::skeleton::{JointId, Skeleton};

/// Which joint stands opposite which across the plane x = 0.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MirrorMap {
    partner: Vec<JointId>,
}

impl MirrorMap {
    /// Pairs joints across the plane x = 0 (the character faces ±Z) by where
    /// they stand at rest. Joints without a partner mirror onto themselves.
    /// `tolerance` is in metres.
    pub fn from_rest(skeleton: &Skeleton, tolerance: Real) -> Self {
        let rest = ModelPose::rest(skeleton);
        let depth = |j: JointId| skeleton.ancestors(j).count();
        let partner = skeleton
            .ids()
            .map(|j| {
                let p = rest.position(j);
                let wanted = Vec3::new(-p.x, p.y, p.z);
                skeleton
                    .ids()
                    .filter(|&k| depth(k) == depth(j))
                    .map(|k| (k, rest.position(k).distance(wanted)))
                    .filter(|&(_, d)| d <= tolerance)
                    // Joints that share a place (zero-length bones) pair with themselves.
                    .min_by(|a, b| a.1.total_cmp(&b.1).then((a.0 != j).cmp(&(b.0 != j))))
                    .map_or(j, |(k, _)| k)
            })
            .collect();
        Self { partner }
    }

    /// Pairs joints as told; each pair names the joint on either side.
    pub fn from_pairs(skeleton: &Skeleton, pairs: &[(JointId, JointId)]) -> Self {
        let mut partner: Vec<JointId> = skeleton.ids().collect();
        for &(a, b) in pairs.iter().filter(|(a, b)| skeleton.contains(*a) && skeleton.contains(*b)) {
            partner[a.index()] = b;
            partner[b.index()] = a;
        }
        Self { partner }
    }

    /// The joint on the other side, or the joint itself.
    pub fn partner(&self, joint: JointId) -> JointId {
        self.partner[joint.index()]
    }
}

/// A rotation seen in the mirror x = 0.
fn mirrored(q: Quat) -> Quat {
    Quat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

impl Pose {
    /// The pose seen in the mirror x = 0. Works on the turn of each joint
    /// against its rest orientation in model space, so the axes of the two
    /// sides may follow different conventions.
    pub fn mirror(&self, skeleton: &Skeleton, map: &MirrorMap) -> Self {
        let rest = ModelPose::rest(skeleton);
        let model = ModelPose::new(skeleton, self);
        let mut out = Self::rest(skeleton);
        let mut turned = rest.clone();
        for j in skeleton.ids() {
            let other = map.partner(j);
            let turn = model.rotation(other) * rest.rotation(other).conjugate();
            let wanted = mirrored(turn) * rest.rotation(j);
            let frame = turned.rest_frame(skeleton, j);
            out.rotations[j.index()] = (frame.conjugate() * wanted).normalize();
            // Shifts live in the rest frame: take them through model space too.
            let shift = model.rest_frame(skeleton, other) * self.translations[other.index()];
            let shift = Vec3::new(-shift.x, shift.y, shift.z);
            out.translations[j.index()] = frame.conjugate() * shift;
            turned.update_joint(skeleton, &out, j);
        }
        out
    }
}
