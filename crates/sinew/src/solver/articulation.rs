//! The part of a skeleton that a set of goals can move, in a flat form.
//!
//! Solvers that linearise the problem visit the same few joints many times.
//! This compiles a skeleton and its goals into exactly those: one *node* per
//! joint that has freedom and lies above an effector, in the skeleton's order
//! (parents first), with the fixed joints between two nodes folded into one
//! transform. A goal becomes a *site*: a node and where the effector sits in
//! its frame.
//!
//! Each degree of freedom of a node is one *column*: how a unit of it moves
//! everything below. Columns are twists (angular velocity, and the velocity of
//! the point that instantly passes a common reference), so that a chain of
//! joints simply adds them up. A hinge or a prismatic joint has one, a
//! universal joint two, a ball three, a free joint six (translation first).
//! Translations are along the axes of the joint's rest frame; the rotations of
//! a ball are about its own axes as it is now, which is the tangent space in
//! which `q ← q · exp(δ)` is the step.

mod limits;
mod tie;

use alloc::vec::Vec;

use super::goal_rows::GoalRows;
use crate::goal::{Effector, Goal, GoalSet, Mimic, PostureGoal};
use crate::limit::probe::LimitProbe;
use crate::limit::{LimitShape, SLACK, universal_angles};
use crate::math::*;
use crate::pose::Pose;
use crate::skeleton::{Joint, JointId, JointKind, Skeleton};

/// The parent of a node that hangs on nothing that moves.
pub(crate) const NO_NODE: u32 = u32::MAX;

/// The most columns that one node has.
pub(crate) const MAX_COLUMNS: usize = 6;

/// How a node's limit is to be held.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Bound {
    /// It has none.
    Free,
    /// Its only coordinate lies between two numbers.
    Range { min: Real, max: Real },
    /// Only the limit's own projection knows.
    Shape,
}

/// One joint that moves.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Its place in the skeleton.
    pub joint: usize,
    /// The node above, or [`NO_NODE`].
    pub parent: u32,
    /// From the joint's rest frame to the frame of the node above.
    pub before: Transform,
    /// The joint's own rest transform, and the folded joint above it or [`NO_NODE`].
    rest: Transform,
    above: u32,
    /// How it moves; [`JointKind::Fixed`] for a joint that is too stiff to.
    pub kind: JointKind,
    /// How far, in this solve: its limit, and what a bound on its speed leaves of that.
    pub bound: Bound,
    /// How far its limit lets it.
    limit: Bound,
    /// Its first column.
    pub first: usize,
    /// How many columns it has.
    pub count: usize,
    /// One minus the joint's stiffness.
    pub mobility: Real,
}

/// Where a goal's effector sits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site {
    /// The node that carries it, or [`NO_NODE`].
    pub node: u32,
    /// From the effector's frame to the node's.
    pub offset: Transform,
    /// From the effector's frame to its joint's, and the folded joint that carries it or
    /// [`NO_NODE`].
    rest: Transform,
    above: u32,
}

/// How far a node has moved from rest. The scalars are what a hinge, a
/// universal or a prismatic joint is stepped in; the transform is what forward
/// kinematics reads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Motion {
    pub rotation: Quat,
    pub translation: Vec3,
    pub scalars: [Real; 2],
}

/// How one degree of freedom moves what is below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Column {
    pub angular: Vec3,
    /// The velocity of the body's point at the reference.
    pub linear: Vec3,
}

impl Column {
    pub(crate) const ZERO: Self = Self { angular: Vec3::ZERO, linear: Vec3::ZERO };

    /// A turn about an axis through a point, given relative to the reference.
    #[inline]
    fn turn(axis: Vec3, through: Vec3) -> Self {
        Self { angular: axis, linear: through.cross(axis) }
    }

    #[inline]
    fn slide(direction: Vec3) -> Self {
        Self { angular: Vec3::ZERO, linear: direction }
    }

    /// The velocity of the body's point at `at`, relative to the reference.
    #[inline]
    pub(crate) fn velocity(&self, at: Vec3) -> Vec3 {
        self.linear + self.angular.cross(at)
    }
}

/// The compiled problem; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct Articulation {
    pub nodes: Vec<Node>,
    /// Those of the goals, in their order, and then those of the joints that goals are
    /// relative to.
    pub sites: Vec<Site>,
    /// For each goal the site that it is relative to, or [`NO_NODE`].
    references: Vec<u32>,
    /// The number of columns of all nodes.
    pub columns: usize,
    /// The joints that are folded into a transform, with what they are part of. A pose may
    /// move them all the same: a file that shifts its bones, a root that is held elsewhere.
    folded: Vec<Folded>,
    /// Whether the transforms hold such motions.
    moved: bool,
    /// For each node where it was given and how far it may go from there; empty without a bound
    /// on speeds.
    ties: Vec<(Motion, Real)>,
    /// The nodes that follow others, each after the one that it follows.
    pub follows: Vec<Follow>,
    /// For each node its limit, where that can be asked quickly whether it surely holds.
    probes: Vec<Option<LimitProbe>>,
}

/// A node whose only coordinate follows that of another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Follow {
    pub node: usize,
    pub source: usize,
    pub multiplier: Real,
    offset: Real,
}

/// A joint without freedom on the way to a node or an effector.
#[derive(Debug, Clone, Copy)]
struct Folded {
    joint: usize,
    rest: Transform,
    /// The folded joint above, or [`NO_NODE`] for a node or nothing.
    above: u32,
    /// Its frame, in that of the node above.
    frame: Transform,
}

impl Articulation {
    /// Compiles goals that [`GoalSet::check`] has let pass.
    pub(crate) fn new(skeleton: &Skeleton, set: &GoalSet) -> Self {
        let goals = set.as_slice();
        let others = goals.iter().filter_map(|goal| goal.relative_to).map(Effector::at);
        let all = goals.iter().map(|goal| goal.effector).chain(others);
        let mut articulation = Self::with_mimics(skeleton, all, set.mimics());
        let mut next = goals.len() as u32;
        articulation.references.clear();
        for goal in goals {
            articulation.references.push(if goal.relative_to.is_some() { next } else { NO_NODE });
            next += u32::from(goal.relative_to.is_some());
        }
        articulation.with_ties(set)
    }

    /// Holds the ends of hinges' ranges also where they are a whole turn apart: a drive that ends at
    /// ±π does not turn on. Of a range of more than that the middle turn is used: a pose holds rotations
    /// and cannot say on which turn a joint is, and one that is taken for another is a jump by a turn.
    pub(crate) fn hold_whole_turns(&mut self, skeleton: &Skeleton) {
        for node in &mut self.nodes {
            if let (JointKind::Hinge { .. }, LimitShape::Hinge(limit)) =
                (node.kind, &skeleton.joints()[node.joint].limit().shape)
            {
                let range = limit.range;
                if range.is_whole_turn() {
                    // A little inside: the two ends are the same rotation, and would be taken for
                    // each other.
                    let (middle, half) = (0.5 * (range.min + range.max), PI - SLACK);
                    node.limit = Bound::Range { min: middle - half, max: middle + half };
                    node.bound = node.limit;
                }
            }
        }
    }

    /// The number of goals.
    pub(crate) fn goals(&self) -> usize {
        self.references.len()
    }

    /// The site that a goal is relative to.
    #[inline]
    pub(crate) fn reference(&self, goal: usize) -> Option<usize> {
        self.references.get(goal).map(|&site| site as usize).filter(|&site| site < self.sites.len())
    }

    /// A goal, linearised.
    #[inline]
    pub(crate) fn goal_rows(&self, index: usize, goal: &Goal, frames: &[Transform]) -> GoalRows {
        let now = self.effector(index, frames);
        match self.reference(index) {
            None => GoalRows::new(goal, now),
            Some(to) => GoalRows::relative(goal, now, self.effector(to, frames)),
        }
    }

    /// Calls with every column above a goal's effector and 1, and with every column above the
    /// joint that it is relative to and −1.
    #[inline]
    pub(crate) fn each_column(&self, goal: usize, mut each: impl FnMut(usize, Real)) {
        let sites = [(Some(goal), 1.0), (self.reference(goal), -1.0)];
        for (site, sign) in sites.into_iter().filter_map(|(site, sign)| Some((site?, sign))) {
            let mut node = self.sites[site].node;
            while let Some(n) = self.nodes.get(node as usize) {
                (n.first..n.first + n.count).for_each(|c| each(c, sign));
                node = n.parent;
            }
        }
    }

    /// Compiles what can move these effectors, which are on joints of the
    /// skeleton; each becomes a site.
    pub(crate) fn carrying(skeleton: &Skeleton, effectors: impl Iterator<Item = Effector> + Clone) -> Self {
        Self::with_mimics(skeleton, effectors, &[])
    }

    /// The same with joints that follow others: those that they follow are nodes too.
    fn with_mimics(
        skeleton: &Skeleton,
        effectors: impl Iterator<Item = Effector> + Clone,
        mimics: &[Mimic],
    ) -> Self {
        let mut wanted = alloc::vec![false; skeleton.len()];
        for effector in effectors.clone() {
            for joint in skeleton.ancestors(effector.joint) {
                wanted[joint.index()] = true;
            }
        }
        // What carries a joint that is followed is a node as well, so that the joint's frame is
        // right; but it moves no effector, and stays.
        let mut stays = alloc::vec![false; skeleton.len()];
        for mimic in mimics.iter().rev().filter(|mimic| mimic.multiplier != 0.0) {
            if !wanted[mimic.joint.index()] || stays[mimic.joint.index()] {
                continue;
            }
            for joint in skeleton.ancestors(mimic.source).map(JointId::index) {
                stays[joint] |= !wanted[joint];
                wanted[joint] = true;
            }
            stays[mimic.source.index()] = false;
        }
        // For each joint the node and the folded joint that carry it.
        let mut carried: Vec<(u32, u32)> = Vec::with_capacity(skeleton.len());
        let mut nodes: Vec<Node> = Vec::new();
        let mut folded: Vec<Folded> = Vec::new();
        let mut columns = 0;
        for (i, joint) in skeleton.joints().iter().enumerate() {
            let (parent, above) = joint.parent().map_or((NO_NODE, NO_NODE), |p| carried[p.index()]);
            if !wanted[i] {
                carried.push((parent, above));
                continue;
            }
            let rest = joint.rest();
            if joint.kind().degrees_of_freedom() == 0 {
                carried.push((parent, folded.len() as u32));
                folded.push(Folded { joint: i, rest, above, frame: Transform::IDENTITY });
                continue;
            }
            let mobility = 1.0 - joint.stiffness();
            // Too stiff to move: a node without columns, so that the motion the
            // pose gives it is kept.
            let kind = if mobility > ROUNDING && !stays[i] { joint.kind() } else { JointKind::Fixed };
            let count = kind.degrees_of_freedom();
            let bound = bound_of(joint);
            carried.push((nodes.len() as u32, NO_NODE));
            nodes.push(Node {
                joint: i,
                parent,
                rest,
                above,
                before: rest,
                kind,
                bound,
                limit: bound,
                first: columns,
                count,
                mobility,
            });
            columns += count;
        }
        let sites: Vec<Site> = effectors
            .map(|effector| {
                let (node, above) = carried[effector.joint.index()];
                let rest = effector.offset;
                Site { node, rest, above, offset: rest }
            })
            .collect();
        let references = alloc::vec![NO_NODE; sites.len()];
        let probe = |node: &Node| match node.bound {
            Bound::Shape => LimitProbe::new(skeleton.joints()[node.joint].limit()),
            _ => None,
        };
        let mut articulation = Self {
            probes: nodes.iter().map(probe).collect(),
            nodes,
            sites,
            references,
            columns,
            folded,
            moved: false,
            ties: Vec::new(),
            follows: Vec::new(),
        };
        articulation.take_mimics(mimics);
        articulation.fold(|_| Transform::IDENTITY);
        articulation
    }

    /// Lets nodes follow others. The range of a node that is followed holds for both.
    fn take_mimics(&mut self, mimics: &[Mimic]) {
        let Self { nodes, follows, .. } = self;
        let node_of = |joint: JointId| nodes.iter().position(|n| n.joint == joint.index() && n.count == 1);
        follows.extend(mimics.iter().filter_map(|mimic| {
            let Mimic { joint, source, multiplier, offset } = *mimic;
            Some(Follow { node: node_of(joint)?, source: node_of(source)?, multiplier, offset })
        }));
        for &Follow { node, source, multiplier, offset } in follows.iter().rev() {
            if let (Bound::Range { min, max }, true) = (nodes[node].limit, multiplier != 0.0) {
                let ends = [min, max].map(|end| (end - offset) / multiplier);
                let (mut low, mut high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                if let Bound::Range { min, max } = nodes[source].limit {
                    // Ranges that exclude each other leave the followed joint its own.
                    (low, high) = if low.max(min) <= high.min(max) {
                        (low.max(min), high.min(max))
                    } else {
                        (min, max)
                    };
                }
                nodes[source].limit = Bound::Range { min: low, max: high };
                nodes[source].bound = nodes[source].limit;
            }
            nodes[node].limit = Bound::Free;
            nodes[node].bound = Bound::Free;
        }
    }

    /// Puts the nodes that follow others where they must be.
    #[inline]
    pub(crate) fn follow(&self, motions: &mut [Motion]) {
        for follow in &self.follows {
            let value = follow.multiplier * motions[follow.source].scalars[0] + follow.offset;
            motions[follow.node] = self.nodes[follow.node].with_value(&motions[follow.node], value);
        }
    }

    /// The columns of a node that follows another, and of that one.
    #[inline]
    pub(crate) fn follow_columns(&self, follow: &Follow) -> (usize, usize) {
        (self.nodes[follow.node].first, self.nodes[follow.source].first)
    }

    /// Takes the motions of folded joints from a pose.
    pub(crate) fn take_folded(&mut self, pose: &Pose) {
        let motion = |i: usize| Transform::new(pose.translations()[i], pose.rotations()[i]);
        let moved = self.folded.iter().any(|f| motion(f.joint) != Transform::IDENTITY);
        if moved || self.moved {
            self.fold(motion);
            self.moved = moved;
        }
    }

    /// Folds joints without freedom into the transforms of nodes and sites.
    fn fold(&mut self, motion: impl Fn(usize) -> Transform) {
        for i in 0..self.folded.len() {
            let Folded { joint, rest, above, .. } = self.folded[i];
            self.folded[i].frame = self.folded_frame(above) * rest * motion(joint);
        }
        for i in 0..self.nodes.len() {
            self.nodes[i].before = self.folded_frame(self.nodes[i].above) * self.nodes[i].rest;
        }
        for i in 0..self.sites.len() {
            self.sites[i].offset = self.folded_frame(self.sites[i].above) * self.sites[i].rest;
        }
    }

    fn folded_frame(&self, folded: u32) -> Transform {
        self.folded.get(folded as usize).map_or(Transform::IDENTITY, |f| f.frame)
    }

    /// Reads the motion of every node from a pose that is within its limits.
    pub(crate) fn read(&self, pose: &Pose, motions: &mut [Motion]) {
        for (node, motion) in self.nodes.iter().zip(motions) {
            *motion = node.motion_in(pose);
        }
    }

    /// Writes the motion of every node to a pose; other joints stay.
    pub(crate) fn write(&self, motions: &[Motion], pose: &mut Pose) {
        for (node, motion) in self.nodes.iter().zip(motions) {
            pose.rotations[node.joint] = motion.rotation;
            pose.translations[node.joint] = motion.translation;
        }
    }

    /// Forward kinematics: where every node stands in model space.
    #[inline]
    pub(crate) fn forward(&self, motions: &[Motion], frames: &mut [Transform]) {
        let count = self.nodes.len().min(motions.len()).min(frames.len());
        let (nodes, motions, frames) = (&self.nodes[..count], &motions[..count], &mut frames[..count]);
        for i in 0..count {
            frames[i] = nodes[i].frame(&motions[i], frames);
        }
    }

    /// Where a goal's effector stands.
    #[inline]
    pub(crate) fn effector(&self, site: usize, frames: &[Transform]) -> Transform {
        let site = &self.sites[site];
        match frames.get(site.node as usize) {
            Some(&frame) => frame * site.offset,
            None => site.offset,
        }
    }

    /// The columns of one node, `reference` being the point that their linear
    /// parts speak of.
    #[inline]
    pub(crate) fn node_columns(
        &self,
        node: usize,
        motions: &[Motion],
        frames: &[Transform],
        reference: Vec3,
        out: &mut [Column],
    ) {
        let n = &self.nodes[node];
        let frame = frames[node];
        let at = frame.translation - reference;
        match n.kind {
            JointKind::Fixed => {}
            JointKind::Hinge { axis } => out[0] = Column::turn(frame.rotation * axis, at),
            JointKind::Universal { first, second } => {
                // The first axis is carried by the rest frame only.
                let rest = frame.rotation * motions[node].rotation.conjugate();
                out[0] = Column::turn(rest * first, at);
                out[1] = Column::turn(frame.rotation * second, at);
            }
            JointKind::Ball => {
                let axes = Mat3::from_quat(frame.rotation);
                out[0] = Column::turn(axes.x_axis, at);
                out[1] = Column::turn(axes.y_axis, at);
                out[2] = Column::turn(axes.z_axis, at);
            }
            JointKind::Prismatic { axis } => out[0] = Column::slide(frame.rotation * axis),
            JointKind::Free => {
                let rest = Mat3::from_quat(frame.rotation * motions[node].rotation.conjugate());
                let axes = Mat3::from_quat(frame.rotation);
                out[0] = Column::slide(rest.x_axis);
                out[1] = Column::slide(rest.y_axis);
                out[2] = Column::slide(rest.z_axis);
                out[3] = Column::turn(axes.x_axis, at);
                out[4] = Column::turn(axes.y_axis, at);
                out[5] = Column::turn(axes.z_axis, at);
            }
        }
    }

    /// The motion of a node after a step in its columns. Kinds hold, ranges and
    /// limits do not: [`held`](Self::held) sees to them.
    #[inline]
    pub(crate) fn stepped(&self, node: usize, motion: &Motion, step: &[Real]) -> Motion {
        let mut next = *motion;
        let turn = |q: Quat, s: &[Real]| (q * rotation::exp(Vec3::new(s[0], s[1], s[2]))).normalize();
        match self.nodes[node].kind {
            JointKind::Fixed => {}
            JointKind::Hinge { .. } | JointKind::Prismatic { .. } => {
                return self.nodes[node].with_value(motion, motion.scalars[0] + step[0]);
            }
            JointKind::Universal { first, second } => {
                next.scalars = [next.scalars[0] + step[0], next.scalars[1] + step[1]];
                next.rotation =
                    rotation::about(first, next.scalars[0]) * rotation::about(second, next.scalars[1]);
            }
            JointKind::Ball => next.rotation = turn(motion.rotation, step),
            JointKind::Free => {
                next.translation += Vec3::new(step[0], step[1], step[2]);
                next.rotation = turn(motion.rotation, &step[3..]);
            }
        }
        next
    }

    /// The step in the node's rotational columns that leads from one motion to another.
    #[inline]
    pub(crate) fn difference(&self, node: usize, from: &Motion, to: &Motion) -> Vec3 {
        match self.nodes[node].kind {
            JointKind::Ball | JointKind::Free => rotation::log(from.rotation.conjugate() * to.rotation),
            _ => Vec3::new(to.scalars[0] - from.scalars[0], to.scalars[1] - from.scalars[1], 0.0),
        }
    }

    /// The mobility of every column.
    pub(crate) fn mobilities(&self) -> Vec<Real> {
        self.nodes.iter().flat_map(|n| core::iter::repeat_n(n.mobility, n.count)).collect()
    }

    /// A part of the way from one set of motions to those of a posture, as a step; with the
    /// posture, of each joint only as much as its weight there says.
    pub(crate) fn way_to(
        &self,
        from: &[Motion],
        to: &[Motion],
        posture: Option<&PostureGoal>,
        part: Real,
        out: &mut [Real],
    ) {
        for (i, node) in self.nodes.iter().enumerate() {
            let part = part * posture.map_or(1.0, |p| p.joint(node.joint));
            let own = &mut out[node.first..node.first + node.count];
            let turn = (self.difference(i, &from[i], &to[i]) * part).to_array();
            if node.kind == JointKind::Free {
                let shift = (to[i].translation - from[i].translation) * part;
                own[..3].copy_from_slice(&shift.to_array());
                own[3..].copy_from_slice(&turn);
            } else {
                let count = own.len();
                own.copy_from_slice(&turn[..count]);
            }
        }
    }
}

/// How the joint's limit is to be held.
fn bound_of(joint: &Joint) -> Bound {
    match (&joint.limit().shape, joint.kind()) {
        (LimitShape::None, _) => Bound::Free,
        (LimitShape::Hinge(limit), JointKind::Hinge { .. }) => {
            if limit.range.is_whole_turn() {
                Bound::Free
            } else {
                Bound::Range { min: limit.range.min, max: limit.range.max }
            }
        }
        (LimitShape::Prismatic(limit), _) => Bound::Range { min: limit.min, max: limit.max },
        _ => Bound::Shape,
    }
}

impl Node {
    /// Where the node stands, given where the nodes above it do.
    #[inline]
    pub(crate) fn frame(&self, motion: &Motion, frames: &[Transform]) -> Transform {
        let mut offset = self.before.translation;
        // A root that is held keeps its shift, though it has no column for it.
        if motion.translation != Vec3::ZERO {
            offset += self.before.rotation * motion.translation;
        }
        let local = self.before.rotation * motion.rotation;
        match frames.get(self.parent as usize) {
            Some(parent) => {
                Transform::new(parent.translation + parent.rotation * offset, parent.rotation * local)
            }
            None => Transform::new(offset, local),
        }
    }

    /// The orientation that the node's own motion starts from.
    #[inline]
    pub(crate) fn basis(&self, frames: &[Transform]) -> Quat {
        let above = frames.get(self.parent as usize);
        above.map_or(self.before.rotation, |parent| parent.rotation * self.before.rotation)
    }

    /// The node's motion in a pose that is within its limit.
    fn motion_in(&self, pose: &Pose) -> Motion {
        let rotation = pose.rotations()[self.joint];
        let translation = pose.translations()[self.joint];
        let mut scalars = [0.0; 2];
        match self.kind {
            JointKind::Hinge { .. } => scalars[0] = self.nearest_value(self.value_in(pose)),
            JointKind::Universal { first, second } => {
                let (a, b) = universal_angles(first, second, rotation);
                scalars = [a, b];
            }
            JointKind::Prismatic { .. } => scalars[0] = self.value_in(pose),
            _ => {}
        }
        Motion { rotation, translation, scalars }
    }

    /// The motion of a hinge or a prismatic joint at this angle or displacement.
    #[inline]
    pub(crate) fn with_value(&self, motion: &Motion, value: Real) -> Motion {
        let mut next = *motion;
        next.scalars[0] = value;
        match self.kind {
            JointKind::Prismatic { axis } => next.translation = axis * value,
            JointKind::Hinge { axis } => next.rotation = rotation::about(axis, value),
            _ => {}
        }
        next
    }

    /// The angle of a hinge or the displacement of a prismatic joint in a pose,
    /// within its range or not.
    #[inline]
    pub(crate) fn value_in(&self, pose: &Pose) -> Real {
        match self.kind {
            JointKind::Hinge { axis } => {
                self.unwound(rotation::angle_about(axis, pose.rotations()[self.joint]))
            }
            JointKind::Prismatic { axis } => axis.dot(pose.translations()[self.joint]),
            _ => 0.0,
        }
    }

    /// The nearest value within the range of a hinge or a prismatic joint.
    #[inline]
    pub(crate) fn nearest_value(&self, value: Real) -> Real {
        let value = self.unwound(value);
        match self.bound {
            Bound::Range { min, max } => value.max(min).min(max),
            _ => value,
        }
    }

    /// The angle that is the same on the circle and nearest to the middle of the
    /// range, which may lie across the circle's cut; a displacement as it is.
    #[inline]
    fn unwound(&self, value: Real) -> Real {
        match (self.kind, self.bound) {
            (JointKind::Hinge { .. }, Bound::Range { min, max }) => {
                let middle = 0.5 * (min + max);
                middle + wrap_angle(value - middle)
            }
            (JointKind::Hinge { .. }, _) => wrap_angle(value),
            _ => value,
        }
    }
}

impl Motion {
    pub(crate) const REST: Self =
        Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO, scalars: [0.0; 2] };
}
