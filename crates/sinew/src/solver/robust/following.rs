//! Whether a solve goes on from the last one.
//!
//! A stick, a mouse or a planner moves a target a little, and the caller hands back the pose that the last solve
//! returned. Then the next pose should be near it, also where the goals can only be met far away: a leg
//! that was straight asks for a bend of 25° when its hip comes down by two centimetres, and two ways
//! to hold six goals may be half a turn apart. Such a pose is gone to over some frames.

use alloc::vec::Vec;

use super::super::articulation::Motion;
use super::super::frame::{FOLLOWED, SolveFrame};
use crate::goal::Target;
use crate::math::*;

/// How far joints may turn for targets that hardly move, and for each metre that one moves, in radians.
const STEP: Real = 0.139_626;
const STEP_PER_METRE: Real = 11.5;
/// And never more from one solve to the next, however fast a target moves: 11.5°. The first solve
/// may have further to go.
const MOST: Real = 0.2;

/// A pose is the one that was returned if every joint is, up to what writing and reading it changes: the
/// cosine of half an angle, and metres.
const SAME_TURN: Real = 0.999_99;
const SAME_PLACE: Real = 1.0e-3;

/// What the last solve was asked and what it returned.
#[derive(Debug, Clone)]
pub(super) struct Following {
    returned: Vec<Motion>,
    targets: Vec<Target>,
    known: bool,
}

impl Following {
    pub(super) fn new(nodes: usize, goals: usize) -> Self {
        let none = Target::Position(Vec3::ZERO);
        Self { returned: alloc::vec![Motion::REST; nodes], targets: alloc::vec![none; goals], known: false }
    }

    /// How far joints may turn from this pose, in radians, if it is the one that was returned and the
    /// targets have moved on by a little. Before the first solve the targets are taken to have been where
    /// their effectors are.
    pub(super) fn bound(&self, frame: &SolveFrame, given: &[Motion]) -> Option<Real> {
        let same = |(a, b): (&Motion, &Motion)| {
            a.rotation.dot(b.rotation).abs() > SAME_TURN && a.translation.distance(b.translation) < SAME_PLACE
        };
        if self.known && !self.returned.iter().zip(given).all(same) {
            return None;
        }
        let mut furthest: Real = 0.0;
        for (g, (before, goal)) in self.targets.iter().zip(frame.goals()).enumerate() {
            let now = goal.target;
            let standing = frame.standing(g);
            let (from, turned_from) = match self.known {
                true if core::mem::discriminant(before) != core::mem::discriminant(&now) => return None,
                true => (before.position(), before.orientation(standing)),
                false => (Some(standing.translation), Some(standing.rotation)),
            };
            if let (Some(from), Some(to)) = (from, now.position()) {
                furthest = furthest.max(from.distance(to));
            }
            if let (Some(from), Some(to)) = (turned_from, now.orientation(standing))
                && rotation::angle(from.conjugate() * to) > FOLLOWED.orientation
            {
                return None;
            }
        }
        let most = if self.known { MOST } else { PI };
        (furthest <= FOLLOWED.position).then(|| (STEP_PER_METRE * furthest).clamp(STEP, most))
    }

    /// Forgets the last solve.
    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    /// Remembers a solve.
    pub(super) fn remember(&mut self, frame: &SolveFrame, returned: &[Motion]) {
        self.known = true;
        self.returned.copy_from_slice(returned);
        for (kept, goal) in self.targets.iter_mut().zip(frame.goals()) {
            *kept = goal.target;
        }
    }
}
