//! Bounds on how far nodes move from the pose given: speeds times the time step.
//!
//! A hinge or a prismatic joint has a narrower range for the solve. A ball is tied by an angle about
//! where it was given, a universal joint by the length of the change of its two angles (never less
//! than the angle between the rotations, since its axes are at right angles), a free joint by
//! an angle and a distance.

use super::{Articulation, Bound, Motion};
use crate::goal::GoalSet;
use crate::limit::universal_angles;
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{JointKind, Skeleton};

impl Articulation {
    /// Makes room for bounds on speed.
    pub(super) fn with_ties(mut self, goals: &GoalSet) -> Self {
        if goals.speed().is_some() {
            self.ties = alloc::vec![(Motion::REST, Real::INFINITY); self.nodes.len()];
        }
        self
    }

    /// Bounds the motion of every node to `reaches` (by joint) from a pose within the limits.
    pub(crate) fn tie(&mut self, reaches: &[Real], pose: &Pose) {
        if self.ties.is_empty() {
            return;
        }
        for node in &mut self.nodes {
            node.bound = node.limit;
        }
        let mut ties = core::mem::take(&mut self.ties);
        for (i, (from, reach)) in ties.iter_mut().enumerate() {
            // A little less, so that rounding does not make it more.
            *reach = reaches.get(self.nodes[i].joint).map_or(Real::INFINITY, |r| r * (1.0 - 1.0e-5));
            *from = self.nodes[i].motion_in(pose);
            if reach.is_infinite() {
                continue;
            }
            let node = &mut self.nodes[i];
            node.bound = match node.kind {
                JointKind::Fixed => node.limit,
                JointKind::Hinge { .. } | JointKind::Prismatic { .. } => {
                    let (low, high) = (from.scalars[0] - *reach, from.scalars[0] + *reach);
                    match node.limit {
                        Bound::Range { min, max } => Bound::Range { min: min.max(low), max: max.min(high) },
                        _ => Bound::Range { min: low, max: high },
                    }
                }
                JointKind::Universal { .. } | JointKind::Ball | JointKind::Free => Bound::Shape,
            };
        }
        self.ties = ties;
    }

    /// How far outside of its tie a node's turn is, and the direction in which it leaves it, in
    /// its rotational columns.
    pub(crate) fn beyond_tie(&self, node: usize, motion: &Motion) -> Option<(Vec3, Real)> {
        let (from, reach) = self.ties.get(node)?;
        let way = self.difference(node, from, motion);
        let length = way.length();
        (length > *reach).then(|| (way / length, length - reach))
    }

    /// The nearest shift of a free node that its tie allows.
    pub(crate) fn tied_shift(&self, node: usize, shift: Vec3) -> Vec3 {
        match self.ties.get(node) {
            Some((from, reach)) if shift.distance(from.translation) > *reach => {
                from.translation + (shift - from.translation).normalize_or_zero() * *reach
            }
            _ => shift,
        }
    }

    /// A motion that is within its limit, brought within the node's tie as well; `None` if it is.
    pub(super) fn tied(&self, skeleton: &Skeleton, node: usize, motion: &Motion) -> Option<Motion> {
        let (from, reach) = self.ties.get(node)?;
        let n = &self.nodes[node];
        let mut next = *motion;
        next.translation = self.tied_shift(node, motion.translation);
        let length = self.difference(node, from, motion).length();
        if length <= *reach {
            return (next.translation != motion.translation).then_some(next);
        }
        let joint = &skeleton.joints()[n.joint];
        let mut part = reach / length;
        // Along the limit's edge the way may be longer than straight.
        for _ in 0..8 {
            next.rotation = joint.along_the_limit(from.rotation, motion.rotation, part);
            if let JointKind::Universal { first, second } = n.kind {
                let (a, b) = universal_angles(first, second, next.rotation);
                next.scalars = [
                    from.scalars[0] + wrap_angle(a - from.scalars[0]),
                    from.scalars[1] + wrap_angle(b - from.scalars[1]),
                ];
            }
            if self.difference(node, from, &next).length() <= *reach {
                return Some(next);
            }
            part *= 0.9;
        }
        (next.rotation, next.scalars) = (from.rotation, from.scalars);
        Some(next)
    }

    /// The node that presses hardest against its tie if the columns are pulled like this, and how
    /// hard it presses.
    pub(crate) fn pressed_tie(&self, motions: &[Motion], pull: &[Real]) -> Option<(usize, Real)> {
        let mut hardest: Option<(usize, Real)> = None;
        for (i, ((from, reach), motion)) in self.ties.iter().zip(motions).enumerate() {
            let n = &self.nodes[i];
            if n.count == 0 || reach.is_infinite() {
                continue;
            }
            let own = &pull[n.first..n.first + n.count];
            let at_edge = |length: Real| length >= reach * (1.0 - 1.0e-3);
            let mut press = 0.0;
            if n.kind == JointKind::Free {
                let shift = motion.translation - from.translation;
                if at_edge(shift.length()) {
                    press = shift.normalize_or_zero().dot(Vec3::from_slice(own));
                }
            }
            let turning = if n.kind == JointKind::Free { &own[3..] } else { own };
            let way = self.difference(i, from, motion);
            if at_edge(way.length()) {
                let along = way.normalize_or_zero().to_array();
                press = along.iter().zip(turning).map(|(a, b)| a * b).sum::<Real>().max(press);
            }
            if press > 0.0 && hardest.is_none_or(|(_, h)| press > h) {
                hardest = Some((i, press));
            }
        }
        hardest
    }
}
