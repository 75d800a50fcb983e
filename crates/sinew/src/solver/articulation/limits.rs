//! A node within its limit, or beyond it.

use super::{Articulation, Bound, Motion};
use crate::limit::beyond::Side;
use crate::limit::{LimitShape, universal_angles};
use crate::math::*;
use crate::skeleton::{JointKind, Skeleton};

impl Articulation {
    /// The nearest motion within the node's limit, or `None` if it is within.
    #[inline]
    pub(crate) fn held(&self, skeleton: &Skeleton, node: usize, motion: &Motion) -> Option<Motion> {
        let n = &self.nodes[node];
        match n.bound {
            Bound::Free => None,
            Bound::Range { min, max } => {
                let value = motion.scalars[0];
                let inside = value.max(min).min(max);
                (inside != value).then(|| n.with_value(motion, inside))
            }
            Bound::Shape => {
                let within = self.within_limit(skeleton, node, motion);
                self.tied(skeleton, node, within.as_ref().unwrap_or(motion)).or(within)
            }
        }
    }

    /// The nearest motion that the limit of a node allows, or `None` if it is allowed.
    pub(crate) fn within_limit(&self, skeleton: &Skeleton, node: usize, motion: &Motion) -> Option<Motion> {
        let n = &self.nodes[node];
        // Most joints are well inside of their limits, which is quicker to see than to project.
        if self.probes[node].as_ref().is_some_and(|probe| probe.holds(motion.rotation)) {
            return None;
        }
        let joint = &skeleton.joints()[n.joint];
        let mut next = *motion;
        if let (JointKind::Universal { first, second }, LimitShape::Universal(limit)) =
            (n.kind, &joint.limit().shape)
        {
            next.scalars = limit.held(motion.scalars)?;
            next.rotation =
                rotation::about(first, next.scalars[0]) * rotation::about(second, next.scalars[1]);
            return Some(next);
        }
        let rotation = joint.limit().project_inset(motion.rotation, 0.0)?;
        next.rotation = rotation;
        if let JointKind::Universal { first, second } = n.kind {
            let (a, b) = universal_angles(first, second, rotation);
            // The angles that are nearest to where it came from: the
            // same rotation has others, a turn away.
            next.scalars = [
                motion.scalars[0] + wrap_angle(a - motion.scalars[0]),
                motion.scalars[1] + wrap_angle(b - motion.scalars[1]),
            ];
        }
        Some(next)
    }

    /// Where a motion is beside the edge of the node's limit.
    pub(crate) fn side(&self, skeleton: &Skeleton, node: usize, motion: &Motion) -> Side {
        let n = &self.nodes[node];
        match (n.kind, &skeleton.joints()[n.joint].limit().shape, &self.probes[node]) {
            (JointKind::Universal { .. }, LimitShape::Universal(limit), _) => limit.side(motion.scalars),
            (JointKind::Ball | JointKind::Free, _, Some(probe)) => probe.side(motion.rotation),
            _ => Side::Unclear,
        }
    }
}
