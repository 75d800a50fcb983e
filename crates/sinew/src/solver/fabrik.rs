//! FABRIK: forward and backward reaching (Aristidou & Lasenby 2011).
//!
//! The joints are points on sticks. A backward pass puts every effector on its
//! target and drags the sticks after it, tips to root; where branches meet, the
//! joint goes to the weighted mean of what they ask for. A forward pass puts
//! the root back and drags the sticks the other way. Between the two the tips
//! close in on their targets.
//!
//! # Rotations and limits
//! A stick has no twist and knows no limits, so the points must become
//! rotations. Each joint turns from where its children are to where the passes
//! want them, by the same closed-form step as CCD and EWBIK (`solver/turn.rs`), which
//! also applies kind, limit and orientation goals; then the children stand
//! where that really puts them. A skeleton of free balls needs this only once,
//! at the end; any limit, hinge or orientation makes it the forward pass of
//! every iteration, so that what comes out is always a pose of the skeleton.
//!
//! # Past the paper
//! A plain chain is first bent evenly to its target ([`bend_first`](FabrikOptions::bend_first)),
//! which leaves the passes little or nothing to
//! do and makes the cost linear in the length of the chain; the passes alone
//! need more rounds the longer it is.
//!
//! # Degenerate cases
//! Points that coincide have no direction: the stick keeps the one it had.
//! Joints that do not move are part of the stick of the joint above. A straight
//! chain with the target on its own line would stay straight for ever: the
//! first backward pass is bent aside by a small fixed amount.

mod bend;

use alloc::vec::Vec;

use super::driver::{Method, Progress, Request};
use super::ewbik::BasisScale;
use super::frame::{Abilities, SolveFrame, Stop};
use super::turn::{self, Pivot};
use crate::error::RigError;
use crate::goal::GoalSet;
use crate::math::superpose::Superposition;
use crate::math::*;
use crate::pose::Pose;
use crate::report::Tolerance;
use crate::skeleton::{JointId, JointKind, Skeleton};

/// How FABRIK works.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct FabrikOptions {
    /// Near enough.
    pub tolerance: Tolerance,
    /// The most pairs of passes in one solve.
    pub iterations: u32,
    /// Whether a free root may travel.
    pub root_travels: bool,
    /// Whether a plain chain (free balls, one point to reach) is bent evenly
    /// to its target before the passes.
    pub bend_first: bool,
}

crate::report::show_fields!(FabrikOptions);

impl Default for FabrikOptions {
    fn default() -> Self {
        Self { tolerance: Tolerance::default(), iterations: 200, root_travels: true, bend_first: true }
    }
}

/// A point of the stick figure: a joint that moves, with the stick to the one above.
#[derive(Debug, Clone, Copy)]
struct Node {
    joint: JointId,
    /// The node above; the first node has itself.
    parent: u32,
    /// The stick's length this frame.
    length: Real,
    /// One past the last node below.
    subtree_end: u32,
}

/// A goal as the sticks see it: a last stick from a node to the effector.
#[derive(Debug, Clone, Copy)]
struct Tip {
    node: u32,
    goal: u32,
    length: Real,
}

/// The FABRIK solver; see the module's docs.
#[derive(Debug, Clone)]
pub(crate) struct Fabrik {
    options: FabrikOptions,
    frame: SolveFrame,
    nodes: Vec<Node>,
    tips: Vec<Tip>,
    /// Where the passes want the nodes, and the effectors.
    points: Vec<Vec3>,
    ends: Vec<Vec3>,
    /// Scratch of the bend.
    flat: Vec<[Real; 2]>,
    /// Sums of what branches ask of a node, and how much they weigh.
    asked: Vec<(Vec3, Real)>,
    /// Whether every iteration must pass through real rotations.
    constrained: bool,
    best: Pose,
}

impl Fabrik {
    /// Builds the solver for a skeleton and goals.
    pub(crate) fn new(
        skeleton: &Skeleton,
        goals: &GoalSet,
        options: FabrikOptions,
    ) -> Result<Self, RigError> {
        let abilities = Abilities { name: "FABRIK", priorities: false, posture: false, whole_body: false };
        let frame = SolveFrame::new(skeleton, goals, options.tolerance, abilities)?;
        let used = |id: JointId| goals.as_slice().iter().any(|g| skeleton.is_ancestor(id, g.effector.joint));
        let mut nodes: Vec<Node> = Vec::new();
        let mut node_of: Vec<Option<u32>> = alloc::vec![None; skeleton.len()];
        for id in skeleton.ids() {
            let above = skeleton.parent(id).and_then(|p| node_of[p.index()]);
            let joint = skeleton.joint(id);
            if turn::moves(joint) && used(id) {
                let here = nodes.len() as u32;
                nodes.push(Node {
                    joint: id,
                    parent: above.unwrap_or(here),
                    length: 0.0,
                    subtree_end: here + 1,
                });
                node_of[id.index()] = Some(here);
            } else {
                node_of[id.index()] = above;
            }
        }
        for i in (1..nodes.len()).rev() {
            let parent = nodes[i].parent as usize;
            if parent != i {
                nodes[parent].subtree_end = nodes[parent].subtree_end.max(nodes[i].subtree_end);
            }
        }
        let tips: Vec<Tip> = goals
            .iter()
            .filter_map(|(id, g)| {
                let node = node_of[g.effector.joint.index()]?;
                Some(Tip { node, goal: id.0, length: 0.0 })
            })
            .collect();
        let plain = nodes.iter().enumerate().all(|(i, n)| {
            let joint = skeleton.joint(n.joint);
            let children =
                nodes.iter().enumerate().filter(|(k, c)| *k != i && c.parent as usize == i).count();
            let ends = tips.iter().filter(|t| t.node as usize == i).count();
            joint.kind() == JointKind::Ball
                && joint.limit().is_none()
                && joint.stiffness() == 0.0
                && children + ends <= 1
                && (i == 0 || n.parent as usize == i - 1)
        });
        let positions_only = goals.as_slice().iter().all(|g| {
            matches!(g.target, crate::Target::Position(_))
                && g.position_axes == Vec3::ONE
                && g.position_weight > 0.0
        });
        Ok(Self {
            options,
            frame,
            points: alloc::vec![Vec3::ZERO; nodes.len()],
            ends: alloc::vec![Vec3::ZERO; tips.len()],
            flat: alloc::vec![[0.0; 2]; nodes.len()],
            asked: alloc::vec![(Vec3::ZERO, 0.0); nodes.len()],
            constrained: !(plain && positions_only),
            best: Pose::rest(skeleton),
            nodes,
            tips,
        })
    }

    /// Takes the points from the pose.
    fn read_points(&mut self) {
        let model = &self.frame.model;
        for (point, node) in self.points.iter_mut().zip(&self.nodes) {
            *point = model.position(node.joint);
        }
        for (end, tip) in self.ends.iter_mut().zip(&self.tips) {
            *end = self.frame.effector(tip.goal as usize).transform(model).translation;
        }
    }

    /// Measures the sticks on the pose that the frame starts from.
    fn measure_sticks(&mut self) {
        for i in 0..self.nodes.len() {
            let parent = self.nodes[i].parent as usize;
            self.nodes[i].length = self.points[i].distance(self.points[parent]);
        }
        for (tip, end) in self.tips.iter_mut().zip(&self.ends) {
            tip.length = self.points[tip.node as usize].distance(*end);
        }
    }

    /// Tips to root. `aside` bends a chain that is straight towards its target.
    fn backward(&mut self, aside: Vec3) {
        self.asked.fill((Vec3::ZERO, 0.0));
        for k in 0..self.tips.len() {
            let Tip { node, goal, length } = self.tips[k];
            if !self.frame.usable(goal as usize) {
                continue;
            }
            let goal = *self.frame.goal(goal as usize);
            let now = goal.effector.transform(&self.frame.model);
            let here = Transform::new(self.ends[k], now.rotation);
            let Some(wanted) = turn::wanted_position(&goal, here) else { continue };
            self.ends[k] = wanted;
            let weight = goal.position_weight;
            // An oriented effector says exactly where its joint must be.
            let joint_wanted = match goal.target.orientation(now) {
                Some(q)
                    if goal.orientation_weight > 0.0
                        && goal.effector.joint == self.nodes[node as usize].joint =>
                {
                    wanted
                        - q * (goal.effector.offset.rotation.conjugate() * goal.effector.offset.translation)
                }
                _ => dragged(self.points[node as usize], wanted, length),
            };
            let asked = &mut self.asked[node as usize];
            asked.0 += joint_wanted * weight;
            asked.1 += weight;
        }
        for i in (0..self.nodes.len()).rev() {
            let (sum, weight) = self.asked[i];
            if weight > 0.0 {
                self.points[i] = sum / weight;
            }
            let parent = self.nodes[i].parent as usize;
            if parent != i && weight > 0.0 {
                let pulled = dragged(self.points[parent] + aside, self.points[i], self.nodes[i].length);
                let asked = &mut self.asked[parent];
                asked.0 += pulled * weight;
                asked.1 += weight;
            }
        }
    }

    /// Root to tips, sticks alone.
    fn forward_points(&mut self, root: Vec3) {
        self.points[0] = root;
        for i in 1..self.nodes.len() {
            let parent = self.nodes[i].parent as usize;
            self.points[i] = dragged(self.points[i], self.points[parent], self.nodes[i].length);
        }
        for (end, tip) in self.ends.iter_mut().zip(&self.tips) {
            *end = dragged(*end, self.points[tip.node as usize], tip.length);
        }
    }

    /// Root to tips, through rotations: afterwards the pose has taken the
    /// points' shape as far as its joints allow, and the model pose is fresh.
    fn forward_pose(&mut self, skeleton: &Skeleton, pose: &mut Pose) {
        // Before any joint turns: the children as they are now.
        for i in 0..self.nodes.len() {
            let Node { joint: id, subtree_end, .. } = self.nodes[i];
            let joint = skeleton.joint(id);
            if joint.kind().slides() && self.options.root_travels {
                let frame = self.frame.model.rest_frame(skeleton, id);
                let error = self.points[i] - self.frame.model.position(id);
                let next = joint.project_translation(pose.translation(id) + frame.conjugate() * error);
                pose.set_translation(id, next);
                self.frame.model.update_below(skeleton, pose, id);
            }
            let model = &self.frame.model;
            let origin = model.position(id);
            let mut sums = Superposition::EMPTY;
            let mut child = i + 1;
            while child < subtree_end as usize {
                let node = self.nodes[child];
                sums.add(model.position(node.joint) - origin, self.points[child] - origin, 1.0);
                child = node.subtree_end as usize;
            }
            for (tip, end) in self.tips.iter().zip(&self.ends) {
                if tip.node as usize != i || !self.frame.usable(tip.goal as usize) {
                    continue;
                }
                let goal = self.frame.goal(tip.goal as usize);
                let now = goal.effector.transform(model);
                // The effector's place comes from the passes, its orientation
                // from the goal.
                sums.add(now.translation - origin, *end - origin, 1.0);
                let turn_only = crate::Goal { position_weight: 0.0, ..*goal };
                turn::add_goal(&mut sums, &turn_only, now, Pivot::at(origin), BasisScale::Fixed(1.0));
            }
            if joint.stiffness() > 0.0 {
                sums.add_rest(sums.bound * joint.stiffness() / (1.0 - joint.stiffness()));
            }
            let frame = model.rest_frame(skeleton, id);
            let next = turn::best_rotation(joint, &sums, frame, pose.rotation(id), PI);
            pose.set_rotation(id, next);
            self.frame.model.update_below(skeleton, pose, id);
        }
    }

    /// Where a goal's effector stands on the model pose.
    fn effector(&self, goal: usize) -> Transform {
        self.frame.effector(goal).transform(&self.frame.model)
    }

    /// The largest distance of an effector's point from its target.
    fn largest_gap(&self) -> Real {
        self.tips.iter().zip(&self.ends).fold(0.0, |most: Real, (tip, end)| {
            let target = self.frame.goal(tip.goal as usize).target.position();
            match target.filter(|_| self.frame.usable(tip.goal as usize)) {
                Some(p) => most.max(p.distance(*end)),
                None => most,
            }
        })
    }

    /// The passes on sticks alone, then one turn into rotations.
    fn solve_plain(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
    ) -> (u32, Stop) {
        let root = self.points[0];
        let mut iterations = 0;
        let mut last_gap = self.largest_gap();
        // Half of the tolerance, for the rounding of the turn into rotations.
        let enough = self.options.tolerance.position * 0.5;
        if self.options.bend_first && last_gap > enough && !expired() {
            let target = self.tips.first().and_then(|tip| {
                let goal = tip.goal as usize;
                self.frame.goal(goal).target.position().filter(|_| self.frame.usable(goal))
            });
            if let (Some(target), [end]) = (target, self.ends.as_mut_slice())
                && bend::bend_to(&mut self.points, end, target, 0.5 * enough, &mut self.flat)
            {
                iterations = 1;
                last_gap = self.largest_gap();
            }
        }
        let budget = self.options.iterations.saturating_sub(iterations);
        let mut progress = Progress::new(last_gap, budget, 8, STILL, expired);
        let stop = loop {
            if let Err(stop) = progress.begin(last_gap <= enough) {
                break stop;
            }
            let aside = self.bend_aside(iterations);
            self.backward(aside);
            self.forward_points(root);
            iterations += 1;
            last_gap = self.largest_gap();
            progress.end(last_gap);
        };
        if iterations > 0 {
            self.forward_chain(skeleton, pose);
        }
        (iterations, stop)
    }

    /// Turns a single chain of free balls into the points' shape, in one pass
    /// that touches every joint once.
    ///
    /// With `C` the turn that the joints above have added, a joint must take
    /// its stick's old direction `u` to `w = C⁻¹ · new direction`, both as seen
    /// before anything turned: `D` from `u` to `w` is its own turn there, and
    /// `C · D` what it hands on. So no joint has to be placed on the way.
    fn forward_chain(&mut self, skeleton: &Skeleton, pose: &mut Pose) {
        let model = &self.frame.model;
        let tip = self.tips.first().map(|tip| self.frame.effector(tip.goal as usize).transform(model));
        let (Some(tip), Some(&end)) = (tip, self.ends.first()) else { return };
        let mut carried = Quat::IDENTITY;
        let mut old = model.position(self.nodes[0].joint);
        let mut new = self.points[0];
        for i in 0..self.nodes.len() {
            let id = self.nodes[i].joint;
            let (old_next, new_next) = match self.nodes.get(i + 1) {
                Some(next) => (model.position(next.joint), self.points[i + 1]),
                None => (tip.translation, end),
            };
            let (from, to) = (old_next - old, new_next - new);
            // The lengths do not wait for the joints above.
            let lengths = (from.length_squared() * to.length_squared()).sqrt();
            let turn = turn_between(from, carried.conjugate() * to, lengths);
            let local = model.rest_frame(skeleton, id).conjugate() * turn.xyz();
            let own = Quat::from_xyzw(local.x, local.y, local.z, turn.w);
            pose.set_rotation(id, unit(own * pose.rotation(id)));
            carried = unit(carried * turn);
            (old, new) = (old_next, new_next);
        }
    }

    /// The passes with real rotations in between.
    fn solve_constrained(
        &mut self,
        skeleton: &Skeleton,
        pose: &mut Pose,
        expired: &mut dyn FnMut() -> bool,
    ) -> (u32, Stop) {
        self.best.copy_from(pose);
        let error = self.frame.cost(|g| self.effector(g));
        let mut progress = Progress::new(error, self.options.iterations, 16, STILL, expired);
        let stop = loop {
            let met = self.frame.all_met(|g| self.effector(g));
            if met {
                self.best.copy_from(pose);
            }
            if let Err(stop) = progress.begin(met) {
                break stop;
            }
            let aside = self.bend_aside(progress.iterations - 1);
            let root = self.points[0];
            self.backward(aside);
            let travels = self.options.root_travels && skeleton.joint(self.nodes[0].joint).kind().slides();
            self.forward_points(if travels { self.points[0] } else { root });
            self.forward_pose(skeleton, pose);
            self.read_points();
            if progress.end(self.frame.cost(|g| self.effector(g))) {
                self.best.copy_from(pose);
            }
        };
        pose.copy_from(&self.best);
        (progress.iterations, stop)
    }

    /// A small push aside on the first pass, if the whole chain lies on the
    /// line to its target; otherwise zero.
    fn bend_aside(&self, iteration: u32) -> Vec3 {
        if iteration > 0 {
            return Vec3::ZERO;
        }
        let Some(tip) = self.tips.first() else { return Vec3::ZERO };
        let Some(target) = self.frame.goal(tip.goal as usize).target.position() else { return Vec3::ZERO };
        if !target.is_finite() {
            return Vec3::ZERO;
        }
        let root = self.points[0];
        let line = direction_or(target - root, Vec3::Y);
        let off = |p: &Vec3| {
            let v = *p - root;
            (v - line * v.dot(line)).length()
        };
        let size = self.nodes.iter().map(|n| n.length).sum::<Real>() + tip.length;
        let straight = self.points.iter().chain(&self.ends).all(|p| off(p) <= 1.0e-4 * size);
        if straight { any_perpendicular(line) * (1.0e-2 * size) } else { Vec3::ZERO }
    }
}

/// The point at `length` from `anchor` in the direction of `point`.
#[inline]
fn dragged(point: Vec3, anchor: Vec3, length: Real) -> Vec3 {
    let d = point - anchor;
    let now = d.length_squared();
    if now > TINY { anchor + d * (length / now.sqrt()) } else { anchor + Vec3::Y * length }
}

/// The shortest turn from one direction to another, given the product of their
/// lengths; none where one of them has no direction.
#[inline]
fn turn_between(from: Vec3, to: Vec3, lengths: Real) -> Quat {
    let w = lengths + from.dot(to);
    if w > 1.0e-3 * lengths {
        let c = from.cross(to);
        // The squared length of (c, w) is 2 · lengths · w.
        let scale = 1.0 / (2.0 * lengths * w).sqrt();
        return Quat::from_xyzw(c.x * scale, c.y * scale, c.z * scale, w * scale);
    }
    if lengths <= TINY {
        return Quat::IDENTITY;
    }
    let from = direction_or(from, Vec3::Z);
    rotation::between(from, direction_or(to, from), any_perpendicular(from))
}

/// A product of unit quaternions made unit again: one step of Newton's method
/// for the inverse root, which is exact to rounding this near to one.
#[inline]
fn unit(q: Quat) -> Quat {
    q * (1.5 - 0.5 * q.length_squared())
}

/// A pass that gains less than this part of the error has stood still.
const STILL: Real = 1.0e-4;

impl Method for Fabrik {
    fn frame(&mut self) -> &mut SolveFrame {
        &mut self.frame
    }

    fn iterate(&mut self, request: Request<'_>, pose: &mut Pose) -> (u32, Stop) {
        let Request { skeleton, expired, .. } = request;
        if self.nodes.is_empty() {
            return (0, Stop::Stalled);
        }
        self.read_points();
        self.measure_sticks();
        if self.constrained {
            self.solve_constrained(skeleton, pose, expired)
        } else {
            self.solve_plain(skeleton, pose, expired)
        }
    }
}
