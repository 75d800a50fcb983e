//! Bounds on the whole body, as inequalities of the pose: balance and clearance.
//!
//! A [`Guard`] is one number that must not be negative, its *gap*: how far inside of an edge of
//! the support the centre of mass is, or how far apart two surfaces are, less what was asked
//! for. Its row says how the gap changes with the columns:
//!
//! - balance: `n · Σ (mᵢ / M) vᵢ`, with `n` inwards and `vᵢ` the velocity of each mass. Everything
//!   below a joint moves as one, so that a column `s` has `n · (m / M) v(c)` with the mass `m` and
//!   the centre `c` of all below it;
//! - clearance: `n · (v_a − v_b)` at the nearest points, with `n` from `b` to `a`. Joints above both
//!   parts have no share in it.
//!
//! Rows enter a step as guarded rows (`solver/coupling.rs`), as mink's and pink's barriers do, but
//! only those that the step would break. Each is asked to leave a little more room
//! ([`SLACK`]) than the bound itself, so that what a step leaves of it keeps the bound.
//!
//! [`Guards`] is what is the same for a whole solve, [`Watch`] what belongs to one pose.

#[cfg(feature = "collision")]
use alloc::boxed::Box;
use alloc::vec::Vec;

use super::active_set::Coordinate;
use super::articulation::{Articulation, NO_NODE};
use super::room::Room;
#[cfg(feature = "collision")]
use crate::collision::{CollisionQuery, Touched};
#[cfg(feature = "collision")]
use crate::goal::ClearanceGoal;
use crate::goal::{BalanceGoal, GoalSet, SupportEdge, support_edges};
use crate::math::*;
use crate::pose::ModelPose;
use crate::report::Cause;
use crate::skeleton::{JointId, Skeleton};

/// The room that a step is asked to leave beyond a bound, in metres.
pub(crate) const SLACK: Real = 5.0e-4;
/// Surfaces further apart than this are not looked at, in metres: about what the end of a limb
/// moves in one step.
#[cfg(feature = "collision")]
const NEAR: Real = 0.1;
/// The most pairs of surfaces that one step looks at; the nearest ones.
#[cfg(feature = "collision")]
const MOST_PAIRS: usize = 16;
/// Surfaces that are further apart than this, in metres, and so many times what a step moves them
/// against each other bound no step; nor does an edge of the support that the centre of mass is as far from.
const ROOM: Real = 5.0e-3;
const WAYS: Real = 2.0;
/// An edge of the support that is further away than this bounds no step, in metres.
const EDGE_NEAR: Real = 0.3;

/// One bound at one pose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guard {
    /// How far it is from being broken, in metres.
    pub gap: Real,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// An edge of the support; the way inside.
    Edge(Vec3),
    /// Two surfaces: the nodes that carry them, the point where they are nearest and the way
    /// from the second to the first.
    #[cfg(feature = "collision")]
    Pair { nodes: [u32; 2], part: usize, with: Touched, at: Vec3, normal: Vec3 },
}

/// The bounds of a solve.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guards {
    /// Which solve these are the bounds of, counted from one.
    solve: u64,
    balance: Option<Balance>,
    #[cfg(feature = "collision")]
    clearance: Option<Clearance>,
}

#[derive(Debug, Clone)]
struct Balance {
    /// For each joint the node that carries it.
    carriers: Vec<u32>,
    on: bool,
    /// The share of the mass that each node carries itself, times its centre in the node's frame.
    own: Vec<(Real, Vec3)>,
    /// The same of what no node carries, in model space.
    fixed: (Real, Vec3),
    corners: Room<Vec3>,
    edges: Room<SupportEdge>,
    margin: Real,
}

#[cfg(feature = "collision")]
#[derive(Debug, Clone)]
struct Clearance {
    /// What was asked for in this frame; let go when it ends, so that the caller's scene is not
    /// shared in between.
    asked: Option<ClearanceGoal>,
    parts: usize,
    /// For each part the node that carries it and where its joint stands in that node's frame.
    carriers: Vec<u32>,
    frames: Vec<Transform>,
    /// The pairs that may not touch and that the goals can move against each other.
    pairs: Vec<(u32, u32)>,
}

/// The bounds at one pose, with the scratch to find them.
#[derive(Debug, Clone)]
pub(crate) struct Watch {
    pub guards: Room<Guard>,
    /// By how much bounds are broken, slack and all, in sum.
    pub broken: Real,
    /// The least gap.
    pub least: Real,
    /// Whether contacts are not looked for.
    overlooks_contacts: bool,
    /// What was measured last: the solve and the nodes' frames. A solve asks about the pose that it is
    /// given, the one that it rests in and the one that it returns more than once.
    solve: u64,
    frames: Vec<Transform>,
    /// The share of the mass at and below each node, times its centre.
    below: Vec<(Real, Vec3)>,
    #[cfg(feature = "collision")]
    // Behind a pointer, since descents swap places and this is large.
    query: Option<Box<CollisionQuery>>,
}

impl Default for Watch {
    fn default() -> Self {
        Self {
            guards: Room::new(0),
            broken: 0.0,
            least: Real::INFINITY,
            overlooks_contacts: false,
            solve: 0,
            frames: Vec::new(),
            below: Vec::new(),
            #[cfg(feature = "collision")]
            query: None,
        }
    }
}

/// Calls for every node between two, first 1 for those above the first of them, and -1: their columns
/// move the two against each other. What is above both moves them alike.
#[cfg(feature = "collision")]
fn each_between([mut a, mut b]: [u32; 2], articulation: &Articulation, mut each: impl FnMut(usize, Real)) {
    let above = |node: u32| articulation.nodes.get(node as usize).map_or(NO_NODE, |n| n.parent);
    // Parents come first, so that the later one of two is never above the other; NO_NODE would be
    // last and is above all.
    while a != b {
        if b == NO_NODE || (a != NO_NODE && a > b) {
            each(a as usize, 1.0);
            a = above(a);
        } else {
            each(b as usize, -1.0);
            b = above(b);
        }
    }
}

/// For each joint the node that carries it.
fn carriers(skeleton: &Skeleton, articulation: &Articulation) -> Vec<u32> {
    let mut carriers = alloc::vec![NO_NODE; skeleton.len()];
    for (i, node) in articulation.nodes.iter().enumerate() {
        carriers[node.joint] = i as u32;
    }
    for id in skeleton.ids() {
        if let Some(parent) = skeleton.parent(id).filter(|_| carriers[id.index()] == NO_NODE) {
            carriers[id.index()] = carriers[parent.index()];
        }
    }
    carriers
}

impl Guards {
    pub(crate) fn new(skeleton: &Skeleton, goals: &GoalSet, articulation: &Articulation) -> Self {
        let carriers = carriers(skeleton, articulation);
        #[cfg(feature = "collision")]
        let clearance = goals.clearance().map(|goal| Clearance::new(goal, &carriers, articulation));
        Self {
            solve: 0,
            balance: goals.balance().map(|goal| Balance::new(goal, carriers, articulation)),
            #[cfg(feature = "collision")]
            clearance,
        }
    }

    /// The most guards that a pose has.
    pub(crate) fn most(&self) -> usize {
        let edges = self.balance.as_ref().map_or(0, |b| b.edges.capacity());
        #[cfg(feature = "collision")]
        let pairs = if self.clearance.is_some() { MOST_PAIRS } else { 0 };
        #[cfg(not(feature = "collision"))]
        let pairs = 0;
        edges + pairs
    }

    /// Whether there are bounds at all.
    fn any(&self) -> bool {
        #[cfg(feature = "collision")]
        if self.clearance.is_some() {
            return true;
        }
        self.balance.is_some()
    }

    /// Whether a set has bounds that these were not built for.
    pub(crate) fn foreign(&self, goals: &GoalSet) -> bool {
        #[cfg(feature = "collision")]
        if let Some(goal) = goals.clearance()
            && self.clearance.as_ref().is_none_or(|c| c.parts != goal.body.parts().len())
        {
            return true;
        }
        goals.balance().is_some_and(|goal| {
            self.balance.as_ref().is_none_or(|b| goal.support.len() > b.corners.capacity())
        })
    }

    /// Takes the bounds of this frame, for a pose whose model pose is given.
    pub(crate) fn begin(&mut self, goals: &GoalSet, articulation: &Articulation, model: &ModelPose) {
        self.solve += 1;
        if let Some(balance) = &mut self.balance {
            balance.on = goals.balance().is_some();
            if let Some(goal) = goals.balance() {
                balance.begin(goal, articulation, model);
            }
        }
        #[cfg(feature = "collision")]
        if let Some(clearance) = &mut self.clearance {
            clearance.begin(goals.clearance(), articulation, model);
        }
    }

    /// Whether contacts are bounds of this solve.
    pub(crate) fn see_contacts(&self) -> bool {
        #[cfg(feature = "collision")]
        return self.clearance.as_ref().is_some_and(|c| c.asked.is_some());
        #[cfg(not(feature = "collision"))]
        false
    }

    /// Lets go of what belongs to the caller.
    pub(crate) fn end(&mut self) {
        #[cfg(feature = "collision")]
        if let Some(clearance) = &mut self.clearance {
            clearance.asked = None;
        }
    }

    /// Room to watch them at a pose of so many nodes.
    pub(crate) fn watch(&self, nodes: usize) -> Watch {
        Watch {
            guards: Room::new(self.most()),
            frames: alloc::vec![Transform::IDENTITY; nodes],
            below: match &self.balance {
                Some(balance) => balance.own.clone(),
                None => Vec::new(),
            },
            #[cfg(feature = "collision")]
            query: self
                .clearance
                .as_ref()
                .and_then(|c| c.asked.as_ref().map(|goal| Box::new(CollisionQuery::new(&goal.body)))),
            ..Watch::default()
        }
    }

    /// What a broken or pressed bound is in a report.
    pub(crate) fn cause(&self, guard: &Guard, goal: Option<crate::goal::GoalId>) -> Cause {
        match guard.kind {
            Kind::Edge(_) => Cause::Balance { goal, by: (-guard.gap).max(0.0) },
            #[cfg(feature = "collision")]
            Kind::Pair { part, with, .. } => {
                let joint = |part: usize| {
                    let asked = self.clearance.as_ref().and_then(|c| c.asked.as_ref());
                    asked.map_or(JointId(0), |goal| goal.body.parts()[part].joint)
                };
                let other = match with {
                    Touched::Part(other) => Some(joint(other)),
                    Touched::Obstacle(_) => None,
                };
                Cause::Collision { joint: joint(part), other }
            }
        }
    }
}

impl Balance {
    fn new(goal: &BalanceGoal, carriers: Vec<u32>, articulation: &Articulation) -> Self {
        let count = goal.support.len();
        Self {
            carriers,
            on: false,
            own: alloc::vec![(0.0, Vec3::ZERO); articulation.nodes.len()],
            fixed: (0.0, Vec3::ZERO),
            corners: Room::new(count),
            // The chain holds its last corner twice while it is made.
            edges: Room::new(count + 1),
            margin: 0.0,
        }
    }

    fn begin(&mut self, goal: &BalanceGoal, articulation: &Articulation, model: &ModelPose) {
        let Self { carriers, own, fixed, corners, edges, margin, .. } = self;
        *margin = goal.margin;
        corners.clear();
        corners.extend_from_slice(&goal.support);
        support_edges(corners, goal.up, edges);
        own.fill((0.0, Vec3::ZERO));
        *fixed = (0.0, Vec3::ZERO);
        let total: Real = goal.masses.iter().map(|m| m.mass).sum();
        for (joint, mass) in goal.masses.iter().enumerate().filter(|(_, m)| m.mass > 0.0) {
            let share = mass.mass / total;
            let at = model.transform(JointId(joint as u32)).transform_point(mass.centre);
            let carrier = carriers[joint] as usize;
            let sum = match articulation.nodes.get(carrier) {
                Some(node) => {
                    let back = model.transform(JointId(node.joint as u32)).inverse();
                    own[carrier].1 += back.transform_point(at) * share;
                    &mut own[carrier].0
                }
                None => {
                    fixed.1 += at * share;
                    &mut fixed.0
                }
            };
            *sum += share;
        }
    }

    fn measure(&self, articulation: &Articulation, frames: &[Transform], watch: &mut Watch) {
        let mut centre = self.fixed.1;
        for (below, (own, frame)) in watch.below.iter_mut().zip(self.own.iter().zip(frames)) {
            // Of a share `m` with the moment `m c` in the node's frame.
            *below = (own.0, frame.rotation * own.1 + frame.translation * own.0);
        }
        for i in (0..articulation.nodes.len()).rev() {
            let (share, moment) = watch.below[i];
            match watch.below.get_mut(articulation.nodes[i].parent as usize) {
                Some(parent) => {
                    parent.0 += share;
                    parent.1 += moment;
                }
                None => centre += moment,
            }
        }
        for edge in &self.edges {
            let gap = edge.inside(centre) - self.margin;
            if gap < EDGE_NEAR && watch.guards.len() < watch.guards.capacity() {
                watch.guards.push(Guard { gap, kind: Kind::Edge(edge.inward) });
            }
        }
    }
}

#[cfg(feature = "collision")]
impl Clearance {
    fn new(goal: &ClearanceGoal, joints: &[u32], articulation: &Articulation) -> Self {
        let parts = goal.body.parts();
        let carriers: Vec<u32> = parts.iter().map(|part| joints[part.joint.index()]).collect();
        // Parts whose nodes have no column between them are fixed against each other.
        let moves = |from: u32, to: u32| {
            let mut node = from;
            while node != NO_NODE && node != to {
                let n = &articulation.nodes[node as usize];
                if n.count > 0 {
                    return true;
                }
                node = n.parent;
            }
            false
        };
        let mut pairs = Vec::new();
        for a in 0..parts.len() {
            for b in a + 1..parts.len() {
                let apart = moves(carriers[a], carriers[b]) || moves(carriers[b], carriers[a]);
                if apart && goal.body.allowed(a, b).is_finite() {
                    pairs.push((a as u32, b as u32));
                }
            }
        }
        Self {
            asked: Some(goal.clone()),
            parts: parts.len(),
            frames: alloc::vec![Transform::IDENTITY; parts.len()],
            carriers,
            pairs,
        }
    }

    fn begin(&mut self, goal: Option<&ClearanceGoal>, articulation: &Articulation, model: &ModelPose) {
        self.asked = goal.cloned();
        let Some(goal) = goal else { return };
        for (i, part) in goal.body.parts().iter().enumerate() {
            let at = model.transform(part.joint);
            self.frames[i] = match articulation.nodes.get(self.carriers[i] as usize) {
                Some(node) => model.transform(JointId(node.joint as u32)).inverse() * at,
                None => at,
            };
        }
    }

    fn measure(&self, frames: &[Transform], watch: &mut Watch) {
        let Watch { guards, query, .. } = watch;
        let (Some(goal), Some(query)) = (&self.asked, query) else { return };
        let body = &goal.body;
        for (part, (&carrier, local)) in self.carriers.iter().zip(&self.frames).enumerate() {
            let at = frames.get(carrier as usize).map_or(*local, |frame| *frame * *local);
            query.place_at(body, part, at);
        }
        let first = guards.len();
        let near = NEAR + goal.distance;
        let mut add = |part: usize, with: Touched, other: u32, way: crate::collision::Way| {
            // What touches at rest keeps no distance.
            let touching = matches!(with, Touched::Part(other) if body.allowed(part, other) > 0.0);
            let gap = if touching { way.gap } else { way.gap - goal.distance };
            let nodes = [self.carriers[part], other];
            let kind = Kind::Pair { nodes, part, with, at: way.at, normal: way.normal };
            let guard = Guard { gap, kind };
            if guards.len() < (first + MOST_PAIRS).min(guards.capacity()) {
                guards.push(guard);
                return;
            }
            // Full: the furthest of them makes room.
            let furthest = guards[first..].iter_mut().max_by(|a, b| a.gap.total_cmp(&b.gap));
            if let Some(furthest) = furthest.filter(|furthest| furthest.gap > gap) {
                *furthest = guard;
            }
        };
        for &(a, b) in &self.pairs {
            if let Some(way) = query.way_between(body, a as usize, b as usize, near) {
                add(a as usize, Touched::Part(b as usize), self.carriers[b as usize], way);
            }
        }
        for obstacle in 0..goal.scene.len() {
            for part in (0..self.parts).filter(|&part| self.carriers[part] != NO_NODE) {
                if let Some(way) = query.way_to_obstacle(&goal.scene, part, obstacle, near) {
                    add(part, Touched::Obstacle(obstacle), NO_NODE, way);
                }
            }
        }
    }
}

impl Watch {
    /// Finds the bounds that are near at a pose.
    pub(crate) fn measure(&mut self, guards: &Guards, articulation: &Articulation, frames: &[Transform]) {
        if !guards.any() {
            return;
        }
        let same = |(a, b): (&Transform, &Transform)| {
            a.translation.abs_diff_eq(b.translation, ROUNDING) && a.rotation.abs_diff_eq(b.rotation, ROUNDING)
        };
        if self.solve == guards.solve && self.frames.iter().zip(frames).all(same) {
            return;
        }
        self.solve = guards.solve;
        for (kept, frame) in self.frames.iter_mut().zip(frames) {
            *kept = *frame;
        }
        self.guards.clear();
        if let Some(balance) = guards.balance.as_ref().filter(|balance| balance.on) {
            balance.measure(articulation, frames, self);
        }
        #[cfg(feature = "collision")]
        if let Some(clearance) = guards.clearance.as_ref().filter(|_| !self.overlooks_contacts) {
            clearance.measure(frames, self);
        }
        self.broken = 0.0;
        self.least = Real::INFINITY;
        for guard in &self.guards {
            self.broken += (SLACK - guard.gap).max(0.0);
            self.least = self.least.min(guard.gap);
        }
    }

    /// Whether contacts are looked for from now on.
    pub(crate) fn overlook_contacts(&mut self, overlook: bool) {
        self.overlooks_contacts = overlook;
        // What was measured is another thing now.
        self.solve = 0;
    }

    /// The bound that is broken most, if any is.
    pub(crate) fn worst(&self) -> Option<&Guard> {
        let broken = self.guards.iter().filter(|guard| guard.gap < 0.0);
        broken.min_by(|a, b| a.gap.total_cmp(&b.gap))
    }

    /// Calls for every node whose turn moves the two sides of a broken contact against each other.
    #[cfg_attr(not(feature = "collision"), allow(unused_variables, unused_mut, clippy::unused_self))]
    pub(crate) fn each_node_in_contact(&self, articulation: &Articulation, mut each: impl FnMut(usize)) {
        #[cfg(feature = "collision")]
        for guard in self.guards.iter().filter(|guard| guard.gap < 0.0) {
            let Kind::Pair { nodes, .. } = guard.kind else { continue };
            each_between(nodes, articulation, |node, _| each(node));
        }
    }

    /// How a step moves the centre of mass, to first order; zero where nobody asks for balance.
    pub(crate) fn drift(
        &self,
        articulation: &Articulation,
        coordinates: &[Coordinate],
        reference: Vec3,
        step: &[Real],
    ) -> Vec3 {
        if !self.guards.iter().any(|guard| matches!(guard.kind, Kind::Edge(_))) {
            return Vec3::ZERO;
        }
        let mut drift = Vec3::ZERO;
        for (node, &(share, moment)) in articulation.nodes.iter().zip(&self.below) {
            let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
            for c in node.first..node.first + node.count {
                linear += coordinates[c].column.linear * step[c];
                angular += coordinates[c].column.angular * step[c];
            }
            drift += linear * share + angular.cross(moment - reference * share);
        }
        drift
    }

    /// Whether a step that moves the nodes and the centre of mass like this comes anywhere near a bound, with
    /// room for what other bounds make of it. Rows of those that are far away would only be computed to be
    /// left alone; should such a bound be broken all the same, the step is not taken.
    #[cfg_attr(not(feature = "collision"), allow(unused_variables))]
    pub(crate) fn is_near(
        guard: &Guard,
        reference: Vec3,
        drift: Vec3,
        velocity: impl Fn(u32, Vec3) -> Vec3,
    ) -> bool {
        let room = (guard.gap - ROOM).max(0.0);
        match guard.kind {
            // Only what moves out over an edge breaks it.
            Kind::Edge(inward) => room < -WAYS * inward.dot(drift).min(0.0) || room <= 0.0,
            #[cfg(feature = "collision")]
            Kind::Pair { nodes: [a, b], at, .. } => {
                let at = at - reference;
                let way = velocity(a, at) - velocity(b, at);
                room * room < WAYS * WAYS * way.length_squared()
            }
        }
    }

    /// Writes how a guard's gap changes with the columns as they are taken; `values` are zero.
    pub(crate) fn write_row(
        &self,
        guard: &Guard,
        articulation: &Articulation,
        coordinates: &[Coordinate],
        reference: Vec3,
        values: &mut [Real],
    ) {
        match guard.kind {
            Kind::Edge(inward) => {
                for (node, &(share, moment)) in articulation.nodes.iter().zip(&self.below) {
                    if share <= 0.0 {
                        continue;
                    }
                    // share · v(c) = share · linear + angular × (share · c)
                    let arm = moment - reference * share;
                    for c in node.first..node.first + node.count {
                        let column = &coordinates[c].column;
                        values[c] = inward.dot(column.linear * share + column.angular.cross(arm));
                    }
                }
            }
            #[cfg(feature = "collision")]
            Kind::Pair { nodes, at, normal, .. } => {
                let at = at - reference;
                each_between(nodes, articulation, |node, sign| {
                    let n = &articulation.nodes[node];
                    for c in n.first..n.first + n.count {
                        values[c] = sign * normal.dot(coordinates[c].column.velocity(at));
                    }
                });
            }
        }
    }
}
