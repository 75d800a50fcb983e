//! Where to start again when the given pose leads nowhere.
//!
//! A chain of balls without limits is laid to its target along an arc first (`robust/arc.rs`).
//! With one goal on a base that stands still, poses that bring the effector
//! near the target are the best starts, so a *library* of random poses within
//! the limits is made when the solver is built, and its entries are tried in
//! the order of their distance from the target. With several goals, only the
//! joints above an unmet goal, or between two parts that touch, are moved to a random pose: first those
//! that no met goal depends on, then all of them, by turns. What is met and clear stays.
//!
//! Everything follows from the seed, so the same input gives the same output.

use alloc::vec::Vec;

use super::super::articulation::{Articulation, Bound, Motion, NO_NODE};
use super::super::descent::Descent;
use super::super::frame::SolveFrame;
use super::super::goal_rows::RowKinds;
use super::{RobustOptions, arc};
use crate::goal::Goal;
use crate::math::random::Random;
use crate::math::*;
use crate::skeleton::{JointKind, Skeleton};

/// How many poses the library holds. More bring a nearer start and cost a
/// longer search.
const LIBRARY: usize = 512;

/// The supply of starts.
#[derive(Debug, Clone)]
pub(super) struct Restarts {
    random: Random,
    library: Option<Library>,
    /// The point that a chain without limits is laid to along an arc, before all else.
    arc: Option<Vec3>,
    is_chain: bool,
    /// For each node, whether an unmet goal or a contact and whether a met goal hangs on it.
    hangs: Vec<(bool, bool)>,
}

#[derive(Debug, Clone)]
struct Library {
    /// The motions of all nodes, one pose after another.
    motions: Vec<Motion>,
    /// Where each pose puts the effector.
    effectors: Vec<Transform>,
    /// How far each is from the target; infinite once it has been tried.
    distances: Vec<Real>,
    kinds: RowKinds,
}

impl Restarts {
    pub(super) fn new(
        skeleton: &Skeleton,
        articulation: &Articulation,
        kinds: &[RowKinds],
        options: RobustOptions,
    ) -> Self {
        let mut random = Random(options.seed);
        let travels = articulation.nodes.iter().any(|n| matches!(n.kind, JointKind::Free));
        let library = match kinds {
            [kinds] if options.restarts > 0 && !travels && !articulation.nodes.is_empty() => {
                Some(Library::new(skeleton, articulation, *kinds, &mut random))
            }
            _ => None,
        };
        let free = articulation.nodes.iter().all(|n| n.bound == Bound::Free);
        let point = matches!(kinds, [one] if one.position && !one.orientation);
        let is_chain = free && point && arc::is_chain(articulation);
        let hangs = alloc::vec![(false, false); articulation.nodes.len()];
        Self { random, library, arc: None, is_chain, hangs }
    }

    /// Prepares the starts of one solve, which has come to rest at `descent.now`.
    pub(super) fn begin(&mut self, descent: &Descent, frame: &SolveFrame, seed: u64) {
        self.random = Random(seed);
        self.arc = frame.goals().first().filter(|_| self.is_chain).and_then(|goal| goal.target.position());
        if let (Some(library), Some(goal)) = (&mut self.library, frame.goals().first()) {
            library.measure(goal);
        }
        self.look_at(descent);
    }

    /// Sees which goals are met and what touches at `descent.now`, the best pose so far.
    pub(super) fn look_at(&mut self, descent: &Descent) {
        self.hangs.fill((false, false));
        let articulation = &descent.articulation;
        for (site, met) in articulation.sites.iter().zip(&descent.now.each_met) {
            let mut node = site.node;
            while node != NO_NODE {
                let hangs = &mut self.hangs[node as usize];
                if *met {
                    hangs.1 = true;
                } else {
                    hangs.0 = true;
                }
                node = articulation.nodes[node as usize].parent;
            }
        }
        let Self { hangs, .. } = self;
        descent.now.watch.each_node_in_contact(articulation, |node| hangs[node].0 = true);
    }

    /// Puts `descent.now` where the next attempt starts; `best` is the best
    /// pose so far.
    pub(super) fn start(
        &mut self,
        skeleton: &Skeleton,
        descent: &mut Descent,
        attempt: u32,
        best: &[Motion],
    ) {
        if let Some(target) = self.arc.take() {
            let Descent { articulation, now, .. } = descent;
            arc::lay(articulation, target, &mut now.motions, &mut now.frames);
            return;
        }
        if let Some(library) = &mut self.library
            && library.take_nearest(&mut descent.now.motions)
        {
            return;
        }
        let alone_only = attempt.is_multiple_of(2) && self.hangs.iter().any(|(unmet, met)| *unmet && !*met);
        for (i, motion) in descent.now.motions.iter_mut().enumerate() {
            let (unmet, met) = self.hangs[i];
            *motion = best[i];
            if unmet && !(met && alone_only) {
                *motion = random_motion(&descent.articulation, skeleton, i, &best[i], &mut self.random);
            }
        }
    }
}

impl Library {
    fn new(skeleton: &Skeleton, articulation: &Articulation, kinds: RowKinds, random: &mut Random) -> Self {
        let nodes = articulation.nodes.len();
        // Long chains need no library: they bend to their targets from anywhere.
        let count = LIBRARY.min(64 * LIBRARY / (nodes * nodes).max(1)).max(1);
        let mut frames = alloc::vec![Transform::IDENTITY; nodes];
        let mut motions = Vec::with_capacity(count * nodes);
        let mut effectors = Vec::with_capacity(count);
        for _ in 0..count {
            let first = motions.len();
            for i in 0..nodes {
                motions.push(random_motion(articulation, skeleton, i, &Motion::REST, random));
            }
            articulation.forward(&motions[first..], &mut frames);
            effectors.push(articulation.effector(0, &frames));
        }
        Self { motions, distances: alloc::vec![0.0; count], effectors, kinds }
    }

    fn measure(&mut self, goal: &Goal) {
        let target = goal.target;
        for (effector, distance) in self.effectors.iter().zip(&mut self.distances) {
            let mut sum = 0.0;
            if let Some(point) = target.position().filter(|_| self.kinds.position) {
                sum += (point - effector.translation).length_squared()
                    * (goal.position_weight * goal.position_weight);
            }
            if let Some(wanted) = target.orientation(*effector).filter(|_| self.kinds.orientation) {
                // Four times the squared chord, which is near the squared angle.
                let near = 1.0 - wanted.dot(effector.rotation).abs().min(1.0);
                sum += 8.0 * near * (goal.orientation_weight * goal.orientation_weight);
            }
            *distance = sum;
        }
    }

    /// Takes the nearest pose that is left; `false` if none is.
    fn take_nearest(&mut self, motions: &mut [Motion]) -> bool {
        let mut nearest = (0, Real::INFINITY);
        for (i, distance) in self.distances.iter().enumerate() {
            if *distance < nearest.1 {
                nearest = (i, *distance);
            }
        }
        let (i, distance) = nearest;
        if distance == Real::INFINITY {
            return false;
        }
        self.distances[i] = Real::INFINITY;
        let nodes = motions.len();
        motions.copy_from_slice(&self.motions[i * nodes..(i + 1) * nodes]);
        true
    }
}

/// A motion of one node anywhere within its limit.
fn random_motion(
    articulation: &Articulation,
    skeleton: &Skeleton,
    node: usize,
    from: &Motion,
    random: &mut Random,
) -> Motion {
    let n = &articulation.nodes[node];
    match (n.kind, n.bound) {
        // Where a root should go is best left to the descent.
        (JointKind::Fixed | JointKind::Free, _) => *from,
        (JointKind::Hinge { .. } | JointKind::Prismatic { .. }, Bound::Range { min, max }) => {
            n.with_value(from, min + (max - min) * random.unit())
        }
        (JointKind::Prismatic { .. }, _) => *from,
        (JointKind::Hinge { .. }, _) => articulation.stepped(node, from, &[random.between(-PI, PI)]),
        (JointKind::Universal { .. } | JointKind::Ball, _) => {
            let mut spread = || random.between(-1.2, 1.2);
            let step = [spread(), spread(), spread()];
            let motion = articulation.stepped(node, &Motion::REST, &step);
            articulation.held(skeleton, node, &motion).unwrap_or(motion)
        }
    }
}
